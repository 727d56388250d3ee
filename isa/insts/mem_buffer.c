/* Buffer instructions: MUBUF and MTBUF, VBUFFER of gfx12. Addresses and bounds: isa/insts/buffer.h; what formatted
 * accesses do: mem_format.c.
 *
 * The stack of -O0 code on gfx8 and gfx90a goes through here: a swizzled descriptor with add_tid and stride 0.
 */
#include "isa/insts/buffer.h"

static int exec_buffer_load(WPARAMS_);
static int exec_buffer_store(WPARAMS_);
static int exec_buffer_load_lds(WPARAMS_);

#define BUFFER_LOAD(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                               \
    BUFFER_LOAD_ROW(buffer_##OLD, D, A_WR, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
#define BUFFER_LOAD_D16(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                           \
    BUFFER_LOAD_ROW(buffer_##OLD, D, A_WR | A_RD, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
#define BUFFER_STORE(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                              \
    BUFFER_STORE_ROW(buffer_##OLD, D, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
VMEM_LOADS(BUFFER_LOAD)
VMEM_LOADS_D16(BUFFER_LOAD_D16)
VMEM_STORES(BUFFER_STORE)

/* --- execution ---------------------------------------------------------------------------------------------------- */

/* An access that must go dword by dword: its bytes may be no run, or it is partly in bounds. */
static bool dword_by_dword(const struct isa_wave *w, const struct isa_memop *m, const struct access *a)
{
    return m->bytes > 4 && (a->b.swizzle || a->inside != w->exec);
}

static const struct isa_memop one_dword = {.bytes = 4, .convert = CONV_DWORDS};

static void zero_rows(const struct isa_wave *w, const struct isa_memop *m, uint64_t lanes, uint32_t *d)
{
    uint32_t stay = 0;

    if (isa_has(w->target, FEAT_D16_MEM_KEEP) && m->convert >= CONV_D16_U8)
        stay = m->convert >= CONV_D16_HI_U8 ? 0xffff : 0xffff0000u;
    EACH_LANE(w->lanes, lanes, d[l] &= stay);
}

/* Whether something lies over the border of two elements of a swizzled buffer, which are not side by side: misaligned
 * dwords and halves do, as clang 20 and newer make them of private memory. */
static bool over_elements(const struct isa_memop *m, const struct access *a)
{
    const uint64_t last = (UINT64_C(1) << a->b.element_log2) - 1, bytes = m->bytes < 4 ? m->bytes : 4;

    for (uint64_t left = a->b.swizzle ? a->inside : 0; left; left &= left - 1)
        if ((a->x.offset[__builtin_ctzll(left)] & last) + bytes > last + 1)
            return true;
    return false;
}

static const struct isa_memop one_byte = {.bytes = 1, .convert = CONV_U8};

struct lane_bytes {
    uint8_t of[64][16];
};

/* Byte by byte. Bounds are those of whole dwords; lanes out of them load zeros. */
static int load_bytes(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m, struct access *a,
                      uint32_t *d)
{
    struct lane_bytes b = {0};
    _Alignas(64) uint32_t byte[64];

    for (unsigned n = 0; n < m->bytes; n++) {
        uint64_t inside = m->bytes > 4 ? buffer_inside(w, &a->b, &a->x, n & ~3u, 4) : a->inside;
        buffer_addresses(w, &a->b, &a->x, n, &a->at);
        if (isa_mem_load(w, env, a->range, &one_byte, &a->at, inside, byte))
            return ISA_FAULT;
        EACH_LANE(w->lanes, inside, b.of[l][n] = (uint8_t)byte[l]);
    }
    EACH_LANE(w->lanes, w->exec, isa_from_bytes(w, m, l, b.of[l], d));
    return ISA_OK;
}

static int store_bytes(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m, struct access *a,
                       const uint32_t *s)
{
    struct lane_bytes b;
    _Alignas(64) uint32_t byte[64];

    EACH_LANE(w->lanes, w->exec, isa_to_bytes(w, m, l, s, b.of[l]));
    for (unsigned n = 0; n < m->bytes; n++) {
        uint64_t inside = m->bytes > 4 ? buffer_inside(w, &a->b, &a->x, n & ~3u, 4) : a->inside;
        buffer_addresses(w, &a->b, &a->x, n, &a->at);
        EACH_LANE(w->lanes, inside, byte[l] = b.of[l][n]);
        if (isa_mem_store(w, env, a->range, &one_byte, &a->at, inside, byte))
            return ISA_FAULT;
    }
    return ISA_OK;
}

/* The stack of a wave: a swizzled buffer indexed by lane alone, at an offset that all lanes share. Dword k of the lanes
 * is then one row, `pitch` bytes after the row before. Host address of the first, or null when it is anything else. */
static uint8_t *stack_rows(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                           struct isa_effects *fx, struct buffer *b, bool write, size_t *pitch)
{
    const struct isa_memop *m = &i->row->mem;
    uint32_t off = (uint32_t)i->offset;

    read_buffer(w, i, 1, b);
    *pitch = (size_t)4 << b->index_stride_log2;
    if (!b->swizzle || !b->add_tid || i->op[1].type != T_NONE || m->convert != CONV_DWORDS || (off & 3) ||
        b->element_log2 != 2 || *pitch < 4 * w->lanes ||
        (b->rule == BOUNDS_BYTES ? off + m->bytes > b->byte_limit : b->rule != BOUNDS_NONE))
        return NULL;
    gaddr_t first = b->base + b->soffset + ((uint64_t)off << b->index_stride_log2);
    if (fx) {
        fx_common(fx, i, FX_VECTOR);
        fx->dword_step = (uint16_t)*pitch;
        fx->mask = w->exec;
        for (unsigned l = 0; l < w->lanes; l++)
            fx->addr[l] = first + 4 * l;
    }
    return isa_host(w, env, RANGE_SCRATCH, first, (uint32_t)(*pitch * (m->bytes / 4 - 1) + 4 * w->lanes), write);
}

/* Loads whose data goes to LDS: what a lane loads, at M0 + offset + bytes * lane. */
static int load_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx,
                       int kaddr)
{
    struct access a;
    struct lane_addr lds;
    uint32_t loaded[4 * 64] = {0};

    if (!open_access(w, i, kaddr, i->row->mem.bytes, fx, &a))
        return ISA_FAULT;
    uint64_t lanes = isa_lds_dma_lanes(w, i->offset, mem_dma_bytes(i), &lds);
    if (fx)
        fx->mask &= lanes;
    fx_lds_dma(w, fx, &lds, lanes);
    if (isa_mem_load(w, env, a.range, &i->row->mem, &a.at, a.inside & lanes, loaded))
        return ISA_FAULT;
    return isa_lds_dma(w, i, &lds, lanes, mem_dma_bytes(i), loaded);
}

static int exec_buffer_load_lds(WPARAMS_)
{
    return load_to_lds(w, i, env, fx, 0);
}

static int exec_buffer_load(WPARAMS_)
{
    struct access a;
    const struct isa_memop *m = &i->row->mem;
    size_t pitch;

    if (__builtin_expect(i->u.mem.lds, 0))
        return load_to_lds(w, i, env, fx, 1);
    uint32_t *d = mem_load_rows(w, i, &i->op[0]), *all = d;
    const uint8_t *rows = d ? stack_rows(w, i, env, fx, &a.b, false, &pitch) : NULL;
    if (rows) {
        for (unsigned k = 0; k < m->bytes / 4; k++, d += w->lanes, rows += pitch)
            for (unsigned l = 0; l < (w->lanes & 96); l++)
                d[l] = (load_u32(rows + 4 * l) & w->mask[l]) | (d[l] & ~w->mask[l]);
        mem_clear_tfe(w, i, &i->op[0], all);
        return ISA_OK;
    }
    if (!d || !open_access(w, i, 1, m->bytes, fx, &a))
        return ISA_FAULT;
    if (a.b.ignored)
        return ISA_OK;
    if (over_elements(m, &a)) {
        mem_clear_tfe(w, i, &i->op[0], d);
        return load_bytes(w, env, m, &a, d);
    }
    if (!dword_by_dword(w, m, &a)) {
        if (a.inside != w->exec)
            zero_rows(w, m, w->exec & ~a.inside, d);
        mem_clear_tfe(w, i, &i->op[0], d);
        return isa_mem_load(w, env, a.range, m, &a.at, a.inside, d);
    }
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        uint32_t *dk = d + (size_t)k * w->lanes;
        uint64_t inside = buffer_inside(w, &a.b, &a.x, 4 * k, 4);
        buffer_addresses(w, &a.b, &a.x, 4 * k, &a.at);
        zero_rows(w, &one_dword, w->exec & ~inside, dk);
        if (isa_mem_load(w, env, a.range, &one_dword, &a.at, inside, dk))
            return ISA_FAULT;
    }
    mem_clear_tfe(w, i, &i->op[0], d);
    return ISA_OK;
}

static int exec_buffer_store(WPARAMS_)
{
    struct access a;
    const struct isa_memop *m = &i->row->mem;
    const uint32_t *s = mem_rows(w, &i->op[0]);
    size_t pitch;

    uint8_t *rows = s ? stack_rows(w, i, env, fx, &a.b, true, &pitch) : NULL;
    if (rows) {
        for (unsigned k = 0; k < m->bytes / 4; k++, s += w->lanes, rows += pitch)
            EACH_LANE(w->lanes, w->exec, memcpy(rows + 4 * l, &s[l], 4));
        return ISA_OK;
    }
    if (!s || !open_access(w, i, 1, m->bytes, fx, &a))
        return ISA_FAULT;
    if (a.b.ignored)
        return ISA_OK;
    if (over_elements(m, &a))
        return store_bytes(w, env, m, &a, s);
    if (!dword_by_dword(w, m, &a))
        return isa_mem_store(w, env, a.range, m, &a.at, a.inside, s);
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        uint64_t inside = buffer_inside(w, &a.b, &a.x, 4 * k, 4);
        buffer_addresses(w, &a.b, &a.x, 4 * k, &a.at);
        if (isa_mem_store(w, env, a.range, &one_dword, &a.at, inside, s + (size_t)k * w->lanes))
            return ISA_FAULT;
    }
    return ISA_OK;
}

int exec_buffer_atomic(WPARAMS_)
{
    struct access a;
    struct atomic_rows rows;

    if (!mem_atomic_rows(w, i, &i->op[0], &i->op[4], &rows) || !open_access(w, i, 1, i->row->mem.bytes, fx, &a))
        return ISA_FAULT;
    if (fx)
        fx->returns = rows.old != NULL;
    if (a.b.ignored)
        return ISA_OK;
    if (isa_mem_atomic(w, env, i->row, &a.at, a.inside, rows))
        return ISA_FAULT;
    for (unsigned k = 0; rows.old && k < i->row->mem.bytes / 4; k++)
        zero_rows(w, &one_dword, w->exec & ~a.inside, rows.old + (size_t)k * w->lanes);
    return ISA_OK;
}

/* --- cache control ------------------------------------------------------------------------------------------------ */

/* Bytes are always coherent here: only the timing engine sees these. */
#define CACHE_ROW(NAME, FLAGS, CONTROL, ...) CACHE_CONTROL_ROW(NAME, RF_NO_EXEC | FLAGS, CONTROL, __VA_ARGS__)
CACHE_ROW(buffer_wbinvl1, 0, ISA_CACHE_INV | ISA_CACHE_VL0,
          ENC(OP(GFX8, MUBUF, 0x3e), GONE(GFX950, MUBUF), GONE(GFX10, MUBUF)))
CACHE_ROW(buffer_wbinvl1_vol, 0, ISA_CACHE_INV | ISA_CACHE_VL0,
          ENC(OP(GFX8, MUBUF, 0x3f), GONE(GFX950, MUBUF), GONE(GFX10, MUBUF)))
CACHE_ROW(buffer_wbl2, RF_SCOPED, ISA_CACHE_WB, ENC(OP(GFX90A, MUBUF, 0x28)))
CACHE_ROW(buffer_invl2, 0, ISA_CACHE_INV | ISA_CACHE_L2, ENC(OP(GFX90A, MUBUF, 0x29), GONE(GFX942, MUBUF)))
CACHE_ROW(buffer_inv, RF_SCOPED, ISA_CACHE_INV, ENC(OP(GFX942, MUBUF, 0x29)))
CACHE_ROW(buffer_gl0_inv, 0, ISA_CACHE_INV | ISA_CACHE_VL0,
          ENC(OP(GFX10, MUBUF, 0x71), OP(GFX11, MUBUF, 0x2b), GONE(GFX12, MUBUF)))
CACHE_ROW(buffer_gl1_inv, 0, ISA_CACHE_INV | ISA_CACHE_GL1,
          ENC(OP(GFX10, MUBUF, 0x72), OP(GFX11, MUBUF, 0x2c), GONE(GFX12, MUBUF)))

/* The other way, without an address register: lanes are told apart by add_tid. */
W(buffer_store_lds_dword, VMEM_STORE, 0, IMP_R_EXEC | IMP_R_M0,
  ARGS({SL_SRSRC, T_B128, A_RD | A_SGPR}, {SL_SOFFSET, T_B32, A_RD}),
  ENC(OP(GFX8, MUBUF, 0x3d), GONE(GFX950, MUBUF), GONE(GFX10, MUBUF)))
{
    struct access a;
    struct lane_addr lds;
    uint32_t one[64];

    if (!open_access(w, i, -1, 4, fx, &a))
        return ISA_FAULT;
    uint64_t lanes = a.inside & isa_lds_dma_lanes(w, i->offset, 4, &lds);
    if (fx) {
        fx->mask = lanes;
        fx->op = MEM_STORE;
    }
    fx_lds_dma(w, fx, &lds, lanes);
    if (isa_lds_load(w, w->lds_bytes, &one_dword, &lds, lanes, one))
        return ISA_FAULT;
    return isa_mem_store(w, env, a.range, &one_dword, &a.at, lanes, one);
}

/* --- through a format --------------------------------------------------------------------------------------------- */

/* OPCODE's two low bits count the components. */
#define FORMAT_MEMOP_(OP_, CONV, TYPED, OPCODE)                                                                        \
    .mem = {.op = MEM_##OP_, .bytes = 4, .convert = CONV_##CONV, .elems = 1, .comps = ((OPCODE)&3) + 1, .typed = TYPED}
#define FORMAT_LOAD(NAME, D, CONV, TYPED, OPCODE, ...)                                                                 \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_format_load,                                       \
                                            FORMAT_MEMOP_(LOAD, CONV, TYPED, OPCODE),                                  \
                                            .args = {BUFFER_ARGS_({SL_VDST COMMA_ T_##D COMMA_ A_WR})},                \
                                            ROW_TAIL_(NAME)
#define FORMAT_STORE(NAME, D, CONV, TYPED, OPCODE, ...)                                                                \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_STORE, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_format_store,                                     \
                                             FORMAT_MEMOP_(STORE, CONV, TYPED, OPCODE),                                \
                                             .args = {BUFFER_ARGS_({SL_DATA0 COMMA_ T_##D COMMA_ A_RD})},              \
                                             ROW_TAIL_(NAME)
/* untyped and typed instructions with 32-bit components */
#define FORMAT_PAIR(KIND, WORD, D, O)                                                                                  \
    KIND(buffer_##WORD, D, FORMAT, 0, O, ENC(OP(GFX8, MUBUF, O), OP(GFX12, VBUFFER, O), GONE(GFX12_5, VBUFFER)))       \
    KIND(tbuffer_##WORD, D, FORMAT, 1, O, ENC(OP(GFX8, MTBUF, O), OP(GFX12, VBUFFER, 0x80 + O), GONE(GFX12_5, VBUFFER)))
FORMAT_PAIR(FORMAT_LOAD, load_format_x, B32, 0)
FORMAT_PAIR(FORMAT_LOAD, load_format_xy, B64, 1)
FORMAT_PAIR(FORMAT_LOAD, load_format_xyz, B96, 2)
FORMAT_PAIR(FORMAT_LOAD, load_format_xyzw, B128, 3)
FORMAT_PAIR(FORMAT_STORE, store_format_x, B32, 4)
FORMAT_PAIR(FORMAT_STORE, store_format_xy, B64, 5)
FORMAT_PAIR(FORMAT_STORE, store_format_xyz, B96, 6)
FORMAT_PAIR(FORMAT_STORE, store_format_xyzw, B128, 7)

/* 16-bit components: gfx8 gives each a register of its own, later targets pack two. SUFFIX: x, xy, ... */
#define FORMAT_D16(KIND, WORD, SUFFIX, WIDE, PACKED, O)                                                                \
    KIND(buffer_##WORD##_format_d16_##SUFFIX##_gfx8, WIDE, FORMAT_D16_WIDE, 0, O,                                      \
         ENC(AS(GFX8, MUBUF, O, "buffer_" #WORD "_format_d16_" #SUFFIX), GONE(GFX9, MUBUF)))                           \
    KIND(tbuffer_##WORD##_format_d16_##SUFFIX##_gfx8, WIDE, FORMAT_D16_WIDE, 1, O,                                     \
         ENC(AS(GFX8, MTBUF, O, "tbuffer_" #WORD "_format_d16_" #SUFFIX), GONE(GFX9, MTBUF)))                          \
    KIND(buffer_##WORD##_format_d16_##SUFFIX, PACKED, FORMAT_D16, 0, O,                                                \
         ENC(OP(GFX9, MUBUF, O), OP(GFX10, MUBUF, 0x78 + O),                                                           \
             AS(GFX11, MUBUF, O, "buffer_" #WORD "_d16_format_" #SUFFIX),                                              \
             AS(GFX12, VBUFFER, O, "buffer_" #WORD "_d16_format_" #SUFFIX), GONE(GFX12_5, VBUFFER)))                   \
    KIND(tbuffer_##WORD##_format_d16_##SUFFIX, PACKED, FORMAT_D16, 1, O,                                               \
         ENC(OP(GFX9, MTBUF, O), AS(GFX11, MTBUF, O, "tbuffer_" #WORD "_d16_format_" #SUFFIX),                         \
             AS(GFX12, VBUFFER, 0x80 + O, "tbuffer_" #WORD "_d16_format_" #SUFFIX), GONE(GFX12_5, VBUFFER)))
FORMAT_D16(FORMAT_LOAD, load, x, B16, B16, 8)
FORMAT_D16(FORMAT_LOAD, load, xy, B64, PB16, 9)
FORMAT_D16(FORMAT_LOAD, load, xyz, B96, B64, 10)
FORMAT_D16(FORMAT_LOAD, load, xyzw, B128, B64, 11)
FORMAT_D16(FORMAT_STORE, store, x, B16, B16, 12)
FORMAT_D16(FORMAT_STORE, store, xy, B64, PB16, 13)
FORMAT_D16(FORMAT_STORE, store, xyz, B96, B64, 14)
FORMAT_D16(FORMAT_STORE, store, xyzw, B128, B64, 15)
FORMAT_LOAD(buffer_load_format_d16_hi_x, B16, FORMAT_D16_HI, 0, 0,
            ENC(OP(GFX9, MUBUF, 0x26), AS(GFX11, MUBUF, 0x26, "buffer_load_d16_hi_format_x"),
                AS(GFX12, VBUFFER, 0x26, "buffer_load_d16_hi_format_x"), GONE(GFX12_5, VBUFFER)))
FORMAT_STORE(buffer_store_format_d16_hi_x, B16, FORMAT_D16_HI, 0, 0,
             ENC(OP(GFX9, MUBUF, 0x27), AS(GFX11, MUBUF, 0x27, "buffer_store_d16_hi_format_x"),
                 AS(GFX12, VBUFFER, 0x27, "buffer_store_d16_hi_format_x"), GONE(GFX12_5, VBUFFER)))

/* loads straight into LDS that gfx11 gave opcodes of their own */
#define BUFFER_LDS(NAME, EXEC, BYTES, CONV, O)                                                                         \
    ROW_ENC_(buffer_load_lds_##NAME, OP(GFX11, MUBUF, O), GONE(GFX12, MUBUF))                                          \
    ROW_HEAD_(buffer_load_lds_##NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0)                                   \
        .exec = EXEC,                                                                                                  \
       .mem = {.op = MEM_LOAD, .bytes = BYTES, .convert = CONV_##CONV, .elems = 1, .comps = 1},                        \
       .args = {{SL_ADDR, T_B32, A_RD}, {SL_SRSRC, T_B128, A_RD | A_SGPR}, {SL_SOFFSET, T_B32, A_RD}},                 \
       ROW_TAIL_(buffer_load_lds_##NAME)
BUFFER_LDS(u8, exec_buffer_load_lds, 1, U8, 0x2d)
BUFFER_LDS(i8, exec_buffer_load_lds, 1, I8, 0x2e)
BUFFER_LDS(u16, exec_buffer_load_lds, 2, U16, 0x2f)
BUFFER_LDS(i16, exec_buffer_load_lds, 2, I16, 0x30)
BUFFER_LDS(b32, exec_buffer_load_lds, 4, DWORDS, 0x31)
BUFFER_LDS(format_x, exec_format_load, 4, FORMAT, 0x32)
