/* Buffer instructions: MUBUF, and VBUFFER of gfx12. Typed formats are decoded and not executed.
 *
 * The descriptor (four SGPRs) by generation:
 *   all        base 48 bits; stride 14 bits; num_records; index stride; add_tid
 *   gfx8       swizzle on/off, element size 2..16 bytes; add_tid turns the data format into the stride's top bits
 *   gfx9       swizzle on/off, elements of 4 bytes; data format as on gfx8
 *   gfx10      swizzle on/off, elements of 4 bytes; a field chooses the bounds rule
 *   gfx11, 12  swizzle off or with elements of 4, 8, 16 bytes; bounds field as on gfx10
 *
 *   offset = instruction offset + vaddr offset (offen); index = vaddr index (idxen) + lane (add_tid)
 *   linear:   base + soffset + index * stride + offset
 *   swizzled: base + soffset + ((index / IS) * stride + (offset / ES) * ES) * IS + (index % IS) * ES + offset % ES
 *
 * Out of bounds a load gives zero and a store or atomic does nothing. Rules: gfx8 compares the index for swizzled
 * buffers with a stride, bytes otherwise; gfx9 compares the index for idxen with a stride, bytes otherwise (the byte
 * limit is num_records - soffset); gfx10 on, the field: 0 index, and offset within the stride; 1 index; 2 only an empty
 * buffer is out of bounds; 3 bytes, or as 0 when swizzled. Bytes are judged dword by dword.
 * In bounds of the buffer but outside every allocation is a memory fault.
 * (GCN3, Vega, RDNA2, RDNA3 ISA "Memory buffer instructions"; Mesa's notes on NUM_RECORDS units.)
 *
 * The stack of -O0 code on gfx8 and gfx90a goes through here: a swizzled descriptor with add_tid and stride 0.
 */
#include "isa/insts/mem.h"

static int exec_buffer_load(WPARAMS_);
static int exec_buffer_store(WPARAMS_);

#define BUFFER_LOAD(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                               \
    BUFFER_LOAD_ROW(buffer_##OLD, D, A_WR, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
#define BUFFER_LOAD_D16(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                           \
    BUFFER_LOAD_ROW(buffer_##OLD, D, A_WR | A_RD, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
#define BUFFER_STORE(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                              \
    BUFFER_STORE_ROW(buffer_##OLD, D, BYTES, CONV, ENC_BUFFER(OLD, NEW, NODE, __VA_ARGS__))
VMEM_LOADS(BUFFER_LOAD)
VMEM_LOADS_D16(BUFFER_LOAD_D16)
VMEM_STORES(BUFFER_STORE)

/* --- the descriptor ----------------------------------------------------------------------------------------------- */

enum bounds_rule { BOUNDS_BYTES, BOUNDS_INDEX, BOUNDS_INDEX_AND_STRIDE, BOUNDS_EMPTY };

struct buffer {
    uint64_t base;
    uint32_t stride, records;
    uint32_t index_stride_log2, element_log2;
    uint32_t soffset;
    bool swizzle, add_tid;
    enum bounds_rule rule;
    uint64_t byte_limit; /* BOUNDS_BYTES: offsets stay below */
};

/* The bounds field of gfx10 and later. */
static enum bounds_rule oob_select(const struct buffer *b, unsigned field)
{
    static const uint8_t rules[3] = {BOUNDS_INDEX_AND_STRIDE, BOUNDS_INDEX, BOUNDS_EMPTY};

    if (field < 3)
        return (enum bounds_rule)rules[field];
    return b->swizzle && b->stride ? BOUNDS_INDEX_AND_STRIDE : BOUNDS_BYTES;
}

static void read_buffer(const struct isa_wave *w, const struct isa_inst *i, struct buffer *b)
{
    const uint32_t *s = &w->s[i->op[2].code];
    unsigned swizzle = s[1] >> 30;

    b->base = s[0] | (uint64_t)(s[1] & 0xffff) << 32;
    b->stride = s[1] >> 16 & 0x3fff;
    b->records = s[2];
    b->index_stride_log2 = 3 + (s[3] >> 21 & 3);
    b->add_tid = s[3] >> 23 & 1;
    b->element_log2 = 2;
    b->swizzle = swizzle >> 1;
    b->soffset = i->op[3].code == w->target->code_null ? 0 : sget32(w, i, 3);
    b->byte_limit = b->records;
    switch (w->target->layout) {
    case LAYOUT_GFX8:
        b->element_log2 = 1 + (s[3] >> 19 & 3);
        /* fall through */
    case LAYOUT_GFX9:
        if (b->add_tid)
            b->stride |= (s[3] >> 15 & 15) << 14;
        bool by_index = w->target->layout == LAYOUT_GFX8 ? b->swizzle : i->u.mem.idxen;
        b->rule = b->stride && by_index ? BOUNDS_INDEX : BOUNDS_BYTES;
        b->byte_limit = b->records > b->soffset ? b->records - b->soffset : 0;
        break;
    case LAYOUT_GFX10:
        b->rule = oob_select(b, s[3] >> 28 & 3);
        break;
    case LAYOUT_GFX11:
    case LAYOUT_GFX12:
        b->swizzle = swizzle != 0;
        b->element_log2 = swizzle ? 1 + swizzle : 2;
        b->rule = oob_select(b, s[3] >> 28 & 3);
        break;
    }
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

struct buffer_lanes {
    _Alignas(64) uint32_t index[64], offset[64];
};

static bool buffer_lanes(struct isa_wave *w, const struct isa_inst *i, const struct buffer *b, struct buffer_lanes *x)
{
    const unsigned n = w->lanes & 96;
    const uint32_t *index = NULL, *offset = NULL;

    if (i->op[1].type != T_NONE) {
        const uint32_t *v = mem_rows(w, &i->op[1]);
        if (!v)
            return false;
        index = i->u.mem.idxen ? v : NULL;
        offset = i->u.mem.offen ? v + (i->u.mem.idxen ? n : 0) : NULL;
    }
    for (unsigned l = 0; l < n; l++)
        x->index[l] = (index ? index[l] : 0) + (b->add_tid ? l : 0);
    for (unsigned l = 0; l < n; l++)
        x->offset[l] = (offset ? offset[l] : 0) + (uint32_t)i->offset;
    return true;
}

/* Addresses of the bytes `more` into the access. */
static void buffer_addresses(const struct isa_wave *w, const struct buffer *b, const struct buffer_lanes *x,
                             uint32_t more, struct lane_addr *at)
{
    const unsigned n = w->lanes & 96, is = b->index_stride_log2, es = b->element_log2;
    const uint64_t base = b->base + b->soffset;

    if (!b->swizzle) {
        for (unsigned l = 0; l < n; l++)
            at->a[l] = base + (uint64_t)x->index[l] * b->stride + x->offset[l] + more;
        return;
    }
    const uint32_t in_element = (1u << es) - 1, in_group = (1u << is) - 1;
    for (unsigned l = 0; l < n; l++) {
        uint32_t off = x->offset[l] + more;
        uint64_t record = (uint64_t)(x->index[l] >> is) * b->stride + (off & ~in_element);
        at->a[l] = base + (record << is) + ((x->index[l] & in_group) << es) + (off & in_element);
    }
}

/* Lanes whose `bytes` bytes at `more` into the access are in bounds. */
static uint64_t buffer_inside(const struct isa_wave *w, const struct isa_inst *i, const struct buffer *b,
                              const struct buffer_lanes *x, uint32_t more, unsigned bytes)
{
    uint64_t inside = 0;

    if (b->rule == BOUNDS_EMPTY)
        return b->records ? w->exec : 0;
    /* the usual case first: nothing is out of bounds */
    if (b->rule == BOUNDS_BYTES) {
        uint64_t top = 0;
        for (unsigned l = 0; l < w->lanes; l++) {
            uint64_t end = x->offset[l] + (b->swizzle ? 0 : (uint64_t)x->index[l] * b->stride);
            top = end > top ? end : top;
        }
        if (top + more + bytes <= b->byte_limit)
            return w->exec;
    }
    for (unsigned l = 0; l < w->lanes; l++) {
        uint64_t off = (uint64_t)x->offset[l] + more, linear = b->swizzle ? 0 : (uint64_t)x->index[l] * b->stride;
        bool in = b->rule == BOUNDS_BYTES
                      ? linear + off + bytes <= b->byte_limit
                      : x->index[l] < b->records && (b->rule == BOUNDS_INDEX || off + bytes <= b->stride);
        inside |= (uint64_t)in << l;
    }
    (void)i;
    return inside & w->exec;
}

/* --- execution ---------------------------------------------------------------------------------------------------- */

struct access {
    struct buffer b;
    struct buffer_lanes x;
    struct lane_addr at;
    uint64_t inside;
    unsigned range;
};

static bool open_access(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, struct access *a)
{
    read_buffer(w, i, &a->b);
    if (!buffer_lanes(w, i, &a->b, &a->x))
        return false;
    buffer_addresses(w, &a->b, &a->x, 0, &a->at);
    a->inside = buffer_inside(w, i, &a->b, &a->x, 0, i->row->mem.bytes);
    a->range = a->b.add_tid ? RANGE_SCRATCH : RANGE_VECTOR;
    fx_vector(w, fx, i, &a->at, a->inside);
    return true;
}

/* An access that must go dword by dword: its bytes are not one run, or it is partly in bounds. */
static bool dword_by_dword(const struct isa_wave *w, const struct isa_memop *m, const struct access *a)
{
    return m->bytes > 4 && ((a->b.swizzle && m->bytes > 1u << a->b.element_log2) || a->inside != w->exec);
}

static const struct isa_memop one_dword = {.bytes = 4, .convert = CONV_DWORDS};

static void zero_rows(const struct isa_wave *w, const struct isa_memop *m, uint64_t lanes, uint32_t *d)
{
    uint32_t stay = 0;

    if (isa_has(w->target, FEAT_D16_MEM_KEEP) && m->convert >= CONV_D16_U8)
        stay = m->convert >= CONV_D16_HI_U8 ? 0xffff : 0xffff0000u;
    EACH_LANE(w->lanes, lanes, d[l] &= stay);
}

/* The stack of a wave: a swizzled buffer indexed by lane alone, at an offset that all lanes share. Dword k of the lanes
 * is then one row, `pitch` bytes after the row before. Host address of the first, or null when it is anything else. */
static uint8_t *stack_rows(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                           struct isa_effects *fx, struct buffer *b, bool write, size_t *pitch)
{
    const struct isa_memop *m = &i->row->mem;
    uint32_t off = (uint32_t)i->offset;

    read_buffer(w, i, b);
    *pitch = (size_t)4 << b->index_stride_log2;
    if (!b->swizzle || !b->add_tid || i->op[1].type != T_NONE || m->convert != CONV_DWORDS || (off & 3) ||
        b->element_log2 != 2 || *pitch < 4 * w->lanes || b->rule != BOUNDS_BYTES || off + m->bytes > b->byte_limit)
        return NULL;
    gaddr_t first = b->base + b->soffset + ((uint64_t)off << b->index_stride_log2);
    if (fx) {
        fx_common(fx, i, FX_VECTOR);
        fx->mask = w->exec;
        for (unsigned l = 0; l < w->lanes; l++)
            fx->addr[l] = first + 4 * l;
    }
    return isa_host(w, env, RANGE_SCRATCH, first, (uint32_t)(*pitch * (m->bytes / 4 - 1) + 4 * w->lanes), write);
}

static int exec_buffer_load(WPARAMS_)
{
    struct access a;
    const struct isa_memop *m = &i->row->mem;
    uint32_t *d = mem_rows(w, &i->op[0]);
    size_t pitch;

    const uint8_t *rows = d ? stack_rows(w, i, env, fx, &a.b, false, &pitch) : NULL;
    if (rows) {
        for (unsigned k = 0; k < m->bytes / 4; k++, d += w->lanes, rows += pitch)
            for (unsigned l = 0; l < (w->lanes & 96); l++)
                d[l] = (load_u32(rows + 4 * l) & w->mask[l]) | (d[l] & ~w->mask[l]);
        return ISA_OK;
    }
    if (!d || !open_access(w, i, fx, &a))
        return ISA_FAULT;
    if (!dword_by_dword(w, m, &a)) {
        if (a.inside != w->exec)
            zero_rows(w, m, w->exec & ~a.inside, d);
        return isa_mem_load(w, env, a.range, m, &a.at, a.inside, d);
    }
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        uint32_t *dk = d + (size_t)k * w->lanes;
        uint64_t inside = buffer_inside(w, i, &a.b, &a.x, 4 * k, 4);
        buffer_addresses(w, &a.b, &a.x, 4 * k, &a.at);
        zero_rows(w, &one_dword, w->exec & ~inside, dk);
        if (isa_mem_load(w, env, a.range, &one_dword, &a.at, inside, dk))
            return ISA_FAULT;
    }
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
    if (!s || !open_access(w, i, fx, &a))
        return ISA_FAULT;
    if (!dword_by_dword(w, m, &a))
        return isa_mem_store(w, env, a.range, m, &a.at, a.inside, s);
    for (unsigned k = 0; k < m->bytes / 4; k++) {
        uint64_t inside = buffer_inside(w, i, &a.b, &a.x, 4 * k, 4);
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

    if (!mem_atomic_rows(w, i, &i->op[0], &i->op[4], &rows) || !open_access(w, i, fx, &a))
        return ISA_FAULT;
    if (fx)
        fx->returns = rows.old != NULL;
    if (isa_mem_atomic(w, env, i->row, &a.at, a.inside, rows))
        return ISA_FAULT;
    for (unsigned k = 0; rows.old && k < i->row->mem.bytes / 4; k++)
        zero_rows(w, &one_dword, w->exec & ~a.inside, rows.old + (size_t)k * w->lanes);
    return ISA_OK;
}

/* --- cache control ------------------------------------------------------------------------------------------------ */

/* Bytes are always coherent here: only the timing engine sees these. */
#define CACHE_ROW(NAME, ...)                                                                                           \
    W(NAME, CACHE_CTRL, RF_NO_EXEC, 0, ARGS({0}), __VA_ARGS__)                                                         \
    {                                                                                                                  \
        return ISA_OK;                                                                                                 \
    }
CACHE_ROW(buffer_wbinvl1, ENC(OP(GFX8, MUBUF, 0x3e), GONE(GFX10, MUBUF)))
CACHE_ROW(buffer_wbinvl1_vol, ENC(OP(GFX8, MUBUF, 0x3f), GONE(GFX10, MUBUF)))
CACHE_ROW(buffer_wbl2, ENC(OP(GFX90A, MUBUF, 0x28)))
CACHE_ROW(buffer_invl2, ENC(OP(GFX90A, MUBUF, 0x29), GONE(GFX942, MUBUF)))
CACHE_ROW(buffer_inv, ENC(OP(GFX942, MUBUF, 0x29)))
CACHE_ROW(buffer_gl0_inv, ENC(OP(GFX10, MUBUF, 0x71), OP(GFX11, MUBUF, 0x2b), GONE(GFX12, MUBUF)))
CACHE_ROW(buffer_gl1_inv, ENC(OP(GFX10, MUBUF, 0x72), OP(GFX11, MUBUF, 0x2c), GONE(GFX12, MUBUF)))

/* --- known, not executed ------------------------------------------------------------------------------------------ */

#define FORMAT_LOAD(NAME, D, ...)                                                                                      \
    NOT_EXECUTED(NAME, VMEM_LOAD, 0, IMP_R_EXEC, ARGS(BUFFER_ARGS_({SL_VDST COMMA_ T_##D COMMA_ A_WR})), __VA_ARGS__)
#define FORMAT_STORE(NAME, D, ...)                                                                                     \
    NOT_EXECUTED(NAME, VMEM_STORE, 0, IMP_R_EXEC, ARGS(BUFFER_ARGS_({SL_DATA0 COMMA_ T_##D COMMA_ A_RD})), __VA_ARGS__)
/* untyped and typed instructions with 32-bit components */
#define FORMAT_PAIR(KIND, WORD, D, O)                                                                                  \
    KIND(buffer_##WORD, D, ENC(OP(GFX8, MUBUF, O), OP(GFX12, VBUFFER, O)))                                             \
    KIND(tbuffer_##WORD, D, ENC(OP(GFX8, MTBUF, O), OP(GFX12, VBUFFER, 0x80 + O)))
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
    KIND(buffer_##WORD##_format_d16_##SUFFIX##_gfx8, WIDE,                                                             \
         ENC(AS(GFX8, MUBUF, O, "buffer_" #WORD "_format_d16_" #SUFFIX), GONE(GFX9, MUBUF)))                           \
    KIND(tbuffer_##WORD##_format_d16_##SUFFIX##_gfx8, WIDE,                                                            \
         ENC(AS(GFX8, MTBUF, O, "tbuffer_" #WORD "_format_d16_" #SUFFIX), GONE(GFX9, MTBUF)))                          \
    KIND(buffer_##WORD##_format_d16_##SUFFIX, PACKED,                                                                  \
         ENC(OP(GFX9, MUBUF, O), OP(GFX10, MUBUF, 0x78 + O),                                                           \
             AS(GFX11, MUBUF, O, "buffer_" #WORD "_d16_format_" #SUFFIX),                                              \
             AS(GFX12, VBUFFER, O, "buffer_" #WORD "_d16_format_" #SUFFIX)))                                           \
    KIND(tbuffer_##WORD##_format_d16_##SUFFIX, PACKED,                                                                 \
         ENC(OP(GFX9, MTBUF, O), AS(GFX11, MTBUF, O, "tbuffer_" #WORD "_d16_format_" #SUFFIX),                         \
             AS(GFX12, VBUFFER, 0x80 + O, "tbuffer_" #WORD "_d16_format_" #SUFFIX)))
FORMAT_D16(FORMAT_LOAD, load, x, B32, B32, 8)
FORMAT_D16(FORMAT_LOAD, load, xy, B64, B32, 9)
FORMAT_D16(FORMAT_LOAD, load, xyz, B96, B64, 10)
FORMAT_D16(FORMAT_LOAD, load, xyzw, B128, B64, 11)
FORMAT_D16(FORMAT_STORE, store, x, B32, B32, 12)
FORMAT_D16(FORMAT_STORE, store, xy, B64, B32, 13)
FORMAT_D16(FORMAT_STORE, store, xyz, B96, B64, 14)
FORMAT_D16(FORMAT_STORE, store, xyzw, B128, B64, 15)
FORMAT_LOAD(buffer_load_format_d16_hi_x, B32,
            ENC(OP(GFX9, MUBUF, 0x26), AS(GFX11, MUBUF, 0x26, "buffer_load_d16_hi_format_x"),
                AS(GFX12, VBUFFER, 0x26, "buffer_load_d16_hi_format_x")))
FORMAT_STORE(buffer_store_format_d16_hi_x, B32,
             ENC(OP(GFX9, MUBUF, 0x27), AS(GFX11, MUBUF, 0x27, "buffer_store_d16_hi_format_x"),
                 AS(GFX12, VBUFFER, 0x27, "buffer_store_d16_hi_format_x")))

/* loads straight into LDS that gfx11 gave opcodes of their own */
#define BUFFER_LDS(NAME, O)                                                                                            \
    NOT_EXECUTED(buffer_load_lds_##NAME, VMEM_LOAD, 0, IMP_R_EXEC | IMP_R_M0,                                          \
                 ARGS({SL_ADDR, T_B32, A_RD}, {SL_SRSRC, T_B128, A_RD | A_SGPR}, {SL_SOFFSET, T_B32, A_RD}),           \
                 ENC(OP(GFX11, MUBUF, O), GONE(GFX12, MUBUF)))
BUFFER_LDS(u8, 0x2d)
BUFFER_LDS(i8, 0x2e)
BUFFER_LDS(u16, 0x2f)
BUFFER_LDS(i16, 0x30)
BUFFER_LDS(b32, 0x31)
BUFFER_LDS(format_x, 0x32)
