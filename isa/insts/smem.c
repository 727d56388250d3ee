/* Scalar memory: loads through the constant cache, the stores of gfx8-gfx10, cache control, clocks. AMD ISA manuals,
 * "Scalar memory operations".
 *
 * Address = base + immediate + SGPR, each with its two low bits ignored (all bits count in the sub-dword loads of
 * RDNA4). Buffer loads take base and size from a descriptor and return 0 for dwords outside it.
 */
#include "isa/insts/buffer.h"

/* --- addresses -------------------------------------------------------------------------------------------------- */

enum { OP_DATA, OP_BASE, OP_OFFSET, OP_OLD }; /* operand indices; the last one atomics' alone */

static uint64_t soffset(const struct isa_wave *w, const struct isa_inst *i)
{
    uint64_t unit = i->u.mem.scale ? i->row->mem.bytes : 1;

    return i->op[OP_OFFSET].code == CODE_NONE ? 0 : unit * sget32(w, i, OP_OFFSET);
}

/* Offset in bytes from the base; `low` has the address bits that are ignored. */
static uint64_t byte_offset(const struct isa_wave *w, const struct isa_inst *i, uint64_t low)
{
    return ((uint64_t)(int64_t)i->offset & ~low) + (soffset(w, i) & ~low);
}

/* The range of an access: `bytes` from addr, the first `valid` of them inside the buffer. */
struct span {
    gaddr_t addr;
    uint32_t bytes, valid;
};

static struct span global_span(const struct isa_wave *w, const struct isa_inst *i, uint32_t bytes)
{
    uint64_t low = bytes < 4 ? 0 : 3;
    gaddr_t addr = (sget64(w, i, OP_BASE) & ~low) + byte_offset(w, i, low);

    return (struct span){bytes == 2 ? addr & ~UINT64_C(1) : addr, bytes, bytes};
}

/* Vega ISA, S_SCRATCH_LOAD_DWORD: an SGPR offset counts in units of 64 bytes. */
static struct span scratch_span(const struct isa_wave *w, const struct isa_inst *i, uint32_t bytes)
{
    gaddr_t addr = (sget64(w, i, OP_BASE) & ~UINT64_C(3)) + ((uint64_t)(int64_t)i->offset & ~UINT64_C(3));

    return (struct span){addr + soffset(w, i) * 64, bytes, bytes};
}

/* Descriptor: base in bits 47:0, stride in 61:48, records (bytes when the stride is 0) in 95:64; on gfx1250 as vector
 * memory has it. */
static struct span buffer_span(const struct isa_wave *w, const struct isa_inst *i, uint32_t bytes)
{
    const uint32_t *v = &w->s[i->op[OP_BASE].code & ~3u]; /* descriptors start at a multiple of four */
    uint64_t low = bytes < 4 ? 0 : 3, base = (v[0] | (uint64_t)(v[1] & 0xffff) << 32) & ~low;
    uint64_t stride = v[1] >> 16 & 0x3fff, size = (uint64_t)v[2] * (stride ? stride : 1);
    uint64_t off = byte_offset(w, i, low), unit = bytes < 4 ? bytes : 4;

    if (isa_has(w->target, FEAT_SCALE_OFFSET)) {
        struct buffer b;

        read_wide_descriptor(v, &b);
        base = b.base & ~low;
        size = b.ignored ? 0 : b.records * (b.stride ? b.stride : 1);
    }
    if (bytes == 2)
        off &= ~UINT64_C(1);
    uint64_t room = off < size ? (size - off) / unit * unit : 0;
    return (struct span){base + off, bytes, room < bytes ? (uint32_t)room : bytes};
}

/* --- registers -------------------------------------------------------------------------------------------------- */

/* SGPR tuples of memory instructions stay below the trap temporaries, or among them; isa/decode/decode.c has aligned
 * them. */
static bool tuple_ok(struct isa_wave *w, const struct isa_inst *i, unsigned dwords)
{
    unsigned code = i->op[OP_DATA].code, ttmp = w->target->code_ttmp0;

    if (code == w->target->code_null)
        return true;
    bool general = code + dwords <= CODE_VCC_HI + 1,
         trap = code >= ttmp && code + dwords <= ttmp + w->target->ttmp_count;
    if (general || trap || (dwords == 1 && code == w->target->code_m0))
        return true;
    isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "%s with %u dwords at register %u reaches past the SGPRs",
              i->mnemonic, dwords, code);
    return false;
}

static void note(struct isa_effects *fx, const struct isa_inst *i, const struct span *s, enum mem_op op)
{
    if (!fx || !s->valid)
        return;
    fx->kind = FX_SCALAR;
    fx->op = (uint8_t)op;
    fx->bytes = (uint8_t)s->valid;
    fx->elems = 1;
    fx->returns = op != MEM_STORE;
    fx->hint = i->u.mem.hint;
    fx->addr[0] = s->addr;
}

static int outside(struct isa_wave *w, const struct isa_inst *i, gaddr_t addr, uint32_t bytes, bool write)
{
    return isa_fault(w, FAULT_MEMORY, -1, addr, bytes, write, "%s at 0x%llx is outside every %sallocation", i->mnemonic,
                     (unsigned long long)addr, write ? "writable " : "");
}

/* --- loads ------------------------------------------------------------------------------------------------------ */

/* A dword of which the last bytes are past the end of a range, where nothing is known of pages: hardware reads on. */
static bool read_edge(struct isa_wave *w, const struct isa_env *env, gaddr_t addr, uint32_t *out)
{
    uint8_t bytes[4] = {0, 0, 0, 0};
    const uint8_t *p = isa_host(w, env, 1, addr, 1, false);

    if (!p)
        return false;
    for (unsigned k = 0; k < 4; k++) {
        p = isa_host(w, env, 1, addr + k, 1, false);
        bytes[k] = p ? *p : 0;
    }
    *out = load_u32(bytes);
    return true;
}

/* Not all of it is in the buffer, or in one range. */
static __attribute__((noinline)) int load_pieces(struct isa_wave *w, const struct isa_inst *i,
                                                 const struct isa_env *env, struct isa_effects *fx,
                                                 const struct span *s)
{
    uint32_t data[16] = {0};
    unsigned dwords = s->bytes / 4, code = i->op[OP_DATA].code;
    const uint8_t *p = s->valid ? isa_host_or_slack(w, env, 1, -1, s->addr, s->valid, false) : NULL;

    if (!tuple_ok(w, i, dwords))
        return ISA_FAULT;
    if (p) {
        memcpy(data, p, s->valid);
    } else {
        for (unsigned k = 0; k < s->valid / 4; k++) {
            p = isa_host_or_slack(w, env, 1, -1, s->addr + k * 4, 4, false);
            if (p)
                data[k] = load_u32(p);
            else if (!read_edge(w, env, s->addr + k * 4, &data[k]))
                return outside(w, i, s->addr + k * 4, s->bytes - k * 4, false);
        }
    }
    note(fx, i, s, MEM_SCALAR);
    if (code != w->target->code_null)
        memcpy(&w->s[code], data, s->bytes);
    return ISA_OK;
}

static inline int load_span(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                            struct isa_effects *fx, const struct span *s)
{
    unsigned code = i->op[OP_DATA].code;
    const uint8_t *p = s->valid == s->bytes ? isa_host(w, env, 1, s->addr, s->bytes, false) : NULL;

    if (!p || code == w->target->code_null || !tuple_ok(w, i, s->bytes / 4))
        return load_pieces(w, i, env, fx, s);
    note(fx, i, s, MEM_SCALAR);
    for (unsigned k = 0; k < s->bytes / 4; k++)
        w->s[code + k] = load_u32(p + 4 * k);
    return ISA_OK;
}

static int load_narrow(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx,
                       const struct span *s)
{
    uint32_t v = 0;

    if (!tuple_ok(w, i, 1))
        return ISA_FAULT;
    if (s->valid) {
        const uint8_t *p = isa_host_or_slack(w, env, 1, -1, s->addr, s->valid, false);
        if (!p)
            return outside(w, i, s->addr, s->bytes, false);
        v = s->bytes == 2 ? load_u16(p) : *p;
    }
    if (i->row->mem.convert == CONV_I8)
        v = (uint32_t)(int8_t)v;
    if (i->row->mem.convert == CONV_I16)
        v = (uint32_t)(int16_t)v;
    note(fx, i, s, MEM_SCALAR);
    sput_code32(w, i->op[OP_DATA].code, v);
    return ISA_OK;
}

#define ROW_EXEC(FN, SPAN, DO)                                                                                         \
    static int FN(WPARAMS_)                                                                                            \
    {                                                                                                                  \
        struct span s = SPAN(w, i, i->row->mem.bytes);                                                                 \
        return DO(w, i, env, fx, &s);                                                                                  \
    }
ROW_EXEC(exec_load, global_span, load_span)
ROW_EXEC(exec_buffer_load, buffer_span, load_span)
ROW_EXEC(exec_scratch_load, scratch_span, load_span)
ROW_EXEC(exec_load_narrow, global_span, load_narrow)
ROW_EXEC(exec_buffer_load_narrow, buffer_span, load_narrow)

#define SMEM_ROW(NAME, EXEC, T, DFLAGS, BASE, OP, BYTES, CONVERT, ...)                                                 \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SMEM, ROW_WIDE, 0, 0).exec = EXEC,                                                                 \
                                       .mem = {.op = OP, .bytes = BYTES, .convert = CONVERT, .elems = 1},              \
                                       .args = {{SL_SDST, T_##T, DFLAGS | A_SGPR},                                     \
                                                {SL_SBASE, T_##BASE, A_RD | A_SGPR},                                   \
                                                {SL_SOFFSET, T_B32, A_RD | A_SGPR}},                                   \
                                       ROW_TAIL_(NAME)
#define LOAD(NAME, T, BYTES, ...) SMEM_ROW(NAME, exec_load, T, A_WR, B64, MEM_SCALAR, BYTES, 0, __VA_ARGS__)
#define BUFFER_LOAD(NAME, T, BYTES, ...)                                                                               \
    SMEM_ROW(NAME, exec_buffer_load, T, A_WR, B128, MEM_SCALAR, BYTES, 0, __VA_ARGS__)
#define SCRATCH_LOAD(NAME, T, BYTES, ...)                                                                              \
    SMEM_ROW(NAME, exec_scratch_load, T, A_WR, B64, MEM_SCALAR, BYTES, 0, __VA_ARGS__)
#define LOAD_NARROW(NAME, BYTES, CONV, ...)                                                                            \
    SMEM_ROW(NAME, exec_load_narrow, B32, A_WR, B64, MEM_SCALAR, BYTES, CONV, __VA_ARGS__)
#define BUFFER_LOAD_NARROW(NAME, BYTES, CONV, ...)                                                                     \
    SMEM_ROW(NAME, exec_buffer_load_narrow, B32, A_WR, B128, MEM_SCALAR, BYTES, CONV, __VA_ARGS__)

LOAD(s_load_dword, B32, 4, ENC(OP(GFX8, SMEM, 0x00), AS(GFX11, SMEM, 0x00, "s_load_b32")))
LOAD(s_load_dwordx2, B64, 8, ENC(OP(GFX8, SMEM, 0x01), AS(GFX11, SMEM, 0x01, "s_load_b64")))
LOAD(s_load_dwordx4, B128, 16, ENC(OP(GFX8, SMEM, 0x02), AS(GFX11, SMEM, 0x02, "s_load_b128")))
LOAD(s_load_dwordx8, B256, 32, ENC(OP(GFX8, SMEM, 0x03), AS(GFX11, SMEM, 0x03, "s_load_b256")))
LOAD(s_load_dwordx16, B512, 64, ENC(OP(GFX8, SMEM, 0x04), AS(GFX11, SMEM, 0x04, "s_load_b512")))
LOAD(s_load_b96, B96, 12, ENC(OP(GFX12, SMEM, 0x05)))
LOAD_NARROW(s_load_u8, 1, CONV_U8, ENC(OP(GFX12, SMEM, 0x09)))
LOAD_NARROW(s_load_i8, 1, CONV_I8, ENC(OP(GFX12, SMEM, 0x08)))
LOAD_NARROW(s_load_u16, 2, CONV_U16, ENC(OP(GFX12, SMEM, 0x0b)))
LOAD_NARROW(s_load_i16, 2, CONV_I16, ENC(OP(GFX12, SMEM, 0x0a)))

BUFFER_LOAD(s_buffer_load_dword, B32, 4,
            ENC(OP(GFX8, SMEM, 0x08), AS(GFX11, SMEM, 0x08, "s_buffer_load_b32"),
                AS(GFX12, SMEM, 0x10, "s_buffer_load_b32")))
BUFFER_LOAD(s_buffer_load_dwordx2, B64, 8,
            ENC(OP(GFX8, SMEM, 0x09), AS(GFX11, SMEM, 0x09, "s_buffer_load_b64"),
                AS(GFX12, SMEM, 0x11, "s_buffer_load_b64")))
BUFFER_LOAD(s_buffer_load_dwordx4, B128, 16,
            ENC(OP(GFX8, SMEM, 0x0a), AS(GFX11, SMEM, 0x0a, "s_buffer_load_b128"),
                AS(GFX12, SMEM, 0x12, "s_buffer_load_b128")))
BUFFER_LOAD(s_buffer_load_dwordx8, B256, 32,
            ENC(OP(GFX8, SMEM, 0x0b), AS(GFX11, SMEM, 0x0b, "s_buffer_load_b256"),
                AS(GFX12, SMEM, 0x13, "s_buffer_load_b256")))
BUFFER_LOAD(s_buffer_load_dwordx16, B512, 64,
            ENC(OP(GFX8, SMEM, 0x0c), AS(GFX11, SMEM, 0x0c, "s_buffer_load_b512"),
                AS(GFX12, SMEM, 0x14, "s_buffer_load_b512")))
BUFFER_LOAD(s_buffer_load_b96, B96, 12, ENC(OP(GFX12, SMEM, 0x15)))
BUFFER_LOAD_NARROW(s_buffer_load_u8, 1, CONV_U8, ENC(OP(GFX12, SMEM, 0x19)))
BUFFER_LOAD_NARROW(s_buffer_load_i8, 1, CONV_I8, ENC(OP(GFX12, SMEM, 0x18)))
BUFFER_LOAD_NARROW(s_buffer_load_u16, 2, CONV_U16, ENC(OP(GFX12, SMEM, 0x1b)))
BUFFER_LOAD_NARROW(s_buffer_load_i16, 2, CONV_I16, ENC(OP(GFX12, SMEM, 0x1a)))

SCRATCH_LOAD(s_scratch_load_dword, B32, 4, ENC(OP(GFX9, SMEM, 0x05), GONE(GFX10_3, SMEM)))
SCRATCH_LOAD(s_scratch_load_dwordx2, B64, 8, ENC(OP(GFX9, SMEM, 0x06), GONE(GFX10_3, SMEM)))
SCRATCH_LOAD(s_scratch_load_dwordx4, B128, 16, ENC(OP(GFX9, SMEM, 0x07), GONE(GFX10_3, SMEM)))

/* --- stores ----------------------------------------------------------------------------------------------------- */

static int store_span(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx,
                      const struct span *s)
{
    unsigned dwords = s->bytes / 4, code = i->op[OP_DATA].code;
    uint8_t *to[4] = {0};

    if (!tuple_ok(w, i, dwords))
        return ISA_FAULT;
    /* all of it must be writable before any of it is written */
    for (unsigned k = 0; k < s->valid / 4; k++)
        if (!(to[k] = isa_host_or_slack(w, env, 1, -1, s->addr + k * 4, 4, true)))
            return outside(w, i, s->addr + k * 4, s->bytes - k * 4, true);
    for (unsigned k = 0; k < s->valid / 4; k++) {
        uint32_t v = code == w->target->code_null ? 0 : w->s[code + k];
        memcpy(to[k], &v, 4);
    }
    note(fx, i, s, MEM_STORE);
    return ISA_OK;
}

ROW_EXEC(exec_store, global_span, store_span)
ROW_EXEC(exec_buffer_store, buffer_span, store_span)
ROW_EXEC(exec_scratch_store, scratch_span, store_span)
#define STORE(NAME, EXEC, T, BASE, BYTES, ...) SMEM_ROW(NAME, EXEC, T, A_RD, BASE, MEM_STORE, BYTES, 0, __VA_ARGS__)

STORE(s_store_dword, exec_store, B32, B64, 4, ENC(OP(GFX8, SMEM, 0x10), GONE(GFX10_3, SMEM)))
STORE(s_store_dwordx2, exec_store, B64, B64, 8, ENC(OP(GFX8, SMEM, 0x11), GONE(GFX10_3, SMEM)))
STORE(s_store_dwordx4, exec_store, B128, B64, 16, ENC(OP(GFX8, SMEM, 0x12), GONE(GFX10_3, SMEM)))
STORE(s_buffer_store_dword, exec_buffer_store, B32, B128, 4, ENC(OP(GFX8, SMEM, 0x18), GONE(GFX10_3, SMEM)))
STORE(s_buffer_store_dwordx2, exec_buffer_store, B64, B128, 8, ENC(OP(GFX8, SMEM, 0x19), GONE(GFX10_3, SMEM)))
STORE(s_buffer_store_dwordx4, exec_buffer_store, B128, B128, 16, ENC(OP(GFX8, SMEM, 0x1a), GONE(GFX10_3, SMEM)))
STORE(s_scratch_store_dword, exec_scratch_store, B32, B64, 4, ENC(OP(GFX9, SMEM, 0x15), GONE(GFX10_3, SMEM)))
STORE(s_scratch_store_dwordx2, exec_scratch_store, B64, B64, 8, ENC(OP(GFX9, SMEM, 0x16), GONE(GFX10_3, SMEM)))
STORE(s_scratch_store_dwordx4, exec_scratch_store, B128, B64, 16, ENC(OP(GFX9, SMEM, 0x17), GONE(GFX10_3, SMEM)))

/* --- clocks ----------------------------------------------------------------------------------------------------- */

W(s_memtime, SMEM, 0, 0, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}), ENC(OP(GFX8, SMEM, 0x24), GONE(GFX11, SMEM)))
{
    sput_code64(w, i->op[0].code, env->clock(env->ctx));
    return ISA_OK;
}

W(s_memrealtime, SMEM, 0, 0, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}), ENC(OP(GFX8, SMEM, 0x25), GONE(GFX11, SMEM)))
{
    sput_code64(w, i->op[0].code, env->realtime(env->ctx));
    return ISA_OK;
}

W(s_get_waveid_in_workgroup, SMEM, 0, 0, ARGS({SL_SDST, T_B32, A_WR | A_SGPR}),
  ENC(OP(GFX10, SMEM, 0x2a), GONE(GFX10_3, SMEM)))
{
    sput_code32(w, i->op[0].code, w->wave_in_group);
    return ISA_OK;
}

/* --- cache control: nothing to do where memory has one copy of everything --------------------------------------- */

#define QUIET(NAME, CONTROL, ARGLIST, ...)                                                                             \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SMEM, ROW_WIDE, 0, 0).exec = NAME##_exec, .mem = {.op = MEM_SCALAR}, .cache_control = (CONTROL),   \
                                       .args = {ARGLIST}, ROW_TAIL_(NAME)
#define NO_ARGS           ARGS({SL_NONE, 0, 0})
#define BASE_OFFSET(BASE) ARGS({SL_SBASE, T_##BASE, A_RD | A_SGPR}, {SL_SOFFSET, T_B32, A_RD | A_SGPR})
QUIET(s_dcache_inv, ISA_CACHE_INV | ISA_CACHE_K, NO_ARGS, ENC(OP(GFX8, SMEM, 0x20), OP(GFX11, SMEM, 0x21)))
QUIET(s_dcache_wb, ISA_CACHE_WB | ISA_CACHE_K, NO_ARGS, ENC(OP(GFX8, SMEM, 0x21), GONE(GFX10_3, SMEM)))
QUIET(s_dcache_inv_vol, ISA_CACHE_INV | ISA_CACHE_K, NO_ARGS, ENC(OP(GFX8, SMEM, 0x22), GONE(GFX10, SMEM)))
QUIET(s_dcache_wb_vol, ISA_CACHE_WB | ISA_CACHE_K, NO_ARGS, ENC(OP(GFX8, SMEM, 0x23), GONE(GFX10, SMEM)))
QUIET(s_gl1_inv, ISA_CACHE_INV | ISA_CACHE_GL1, NO_ARGS,
      ENC(OP(GFX10, SMEM, 0x1f), OP(GFX11, SMEM, 0x20), GONE(GFX12, SMEM)))
/* one line or two of the scalar cache, dirty or not: no cache here keeps scalar stores */
QUIET(s_dcache_discard, 0, BASE_OFFSET(B64), ENC(OP(GFX9, SMEM, 0x28), GONE(GFX10_3, SMEM)))
QUIET(s_dcache_discard_x2, 0, BASE_OFFSET(B64), ENC(OP(GFX9, SMEM, 0x29), GONE(GFX10_3, SMEM)))
QUIET(s_atc_probe, 0, ARGS({SL_SDST, T_IMM16, 0}, BASE_OFFSET(B64)), ENC(OP(GFX8, SMEM, 0x26), OP(GFX11, SMEM, 0x22)))
QUIET(s_atc_probe_buffer, 0, ARGS({SL_SDST, T_IMM16, 0}, BASE_OFFSET(B128)),
      ENC(OP(GFX8, SMEM, 0x27), OP(GFX11, SMEM, 0x23)))

/* --- prefetch ----------------------------------------------------------------------------------------------------- */

/* RDNA4 ISA, S_PREFETCH_*: 1 to 32 blocks of 128 bytes, when MODE lets it; nothing reports addresses that are none.
 * Operands: base (unless relative to the pc), immediate, SGPR, which adds to the length, and length. */
enum { PREFETCH_BLOCK = 128 };
_Static_assert(32 * PREFETCH_BLOCK == ISA_MAX_PREFETCH_BYTES, "the timing engine makes room for so much");

static int prefetch(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx,
                    gaddr_t base, unsigned sgpr, enum isa_fx_kind kind)
{
    gaddr_t addr = (base + (uint64_t)(int64_t)i->offset) & -(gaddr_t)PREFETCH_BLOCK;
    uint32_t more = i->op[sgpr].code == CODE_NONE ? 0 : sget32(w, i, sgpr);
    uint32_t blocks = ((i->op[sgpr + 1].code + more) & 31) + 1, there = 0;

    if (!fx || !(w->mode_reg & MODE_SCALAR_PREFETCH_EN))
        return ISA_OK;
    while (there < blocks && isa_host(w, env, 1, addr + (gaddr_t)there * PREFETCH_BLOCK, 1, false))
        there++;
    if (!there)
        return ISA_OK;
    fx->kind = (uint8_t)kind;
    fx->op = kind == FX_PREFETCH_INST ? MEM_FETCH : MEM_SCALAR;
    fx->bytes = PREFETCH_BLOCK;
    fx->elems = (uint8_t)there;
    fx->hint = i->u.mem.hint;
    fx->addr[0] = addr;
    return ISA_OK;
}

/* MEM_FETCH marks what raises no counter */
#define PREFETCH_TAIL                                                                                                  \
    {SL_OFFSET, T_IMM32, 0}, {SL_SOFFSET, T_B32, A_RD | A_SGPR},                                                       \
    {                                                                                                                  \
        SL_SDST, T_IMM16, 0                                                                                            \
    }
#define PREFETCH(NAME, ARGLIST, BASE, SGPR, KIND, ...)                                                                 \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        return prefetch(w, i, env, fx, BASE, SGPR, FX_PREFETCH_##KIND);                                                \
    }                                                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SMEM, ROW_WIDE, 0, 0).exec = NAME##_exec, .mem = {.op = MEM_FETCH}, .args = {ARGLIST},             \
                                       ROW_TAIL_(NAME)

PREFETCH(s_prefetch_inst, ARGS({SL_SBASE, T_B64, A_RD | A_SGPR}, PREFETCH_TAIL), sget64(w, i, 0), 2, INST,
         ENC(OP(GFX12, SMEM, 0x24)))
PREFETCH(s_prefetch_inst_pc_rel, ARGS(PREFETCH_TAIL), w->pc, 1, INST, ENC(OP(GFX12, SMEM, 0x25)))
PREFETCH(s_prefetch_data, ARGS({SL_SBASE, T_B64, A_RD | A_SGPR}, PREFETCH_TAIL), sget64(w, i, 0), 2, DATA,
         ENC(OP(GFX12, SMEM, 0x26)))
/* base in bits 47:0 of the descriptor */
PREFETCH(s_buffer_prefetch_data, ARGS({SL_SBASE, T_B128, A_RD | A_SGPR}, PREFETCH_TAIL),
         sget64(w, i, 0) & UINT64_C(0xffffffffffff), 2, DATA, ENC(OP(GFX12, SMEM, 0x27)))
PREFETCH(s_prefetch_data_pc_rel, ARGS(PREFETCH_TAIL), w->pc, 1, DATA, ENC(OP(GFX12, SMEM, 0x28)))

/* --- atomics of gfx9 and gfx10.1: the rows stand with those of vector memory (mem_atomic.c) ---------------------- */

static int atomic_span(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx,
                       const struct span *s)
{
    unsigned code = i->op[OP_DATA].code, dwords = i->row->mem.bytes / 4;
    uint64_t v[2], old = 0;

    if (!tuple_ok(w, i, isa_types[i->op[OP_DATA].type].dwords))
        return ISA_FAULT;
    for (unsigned k = 0; k < 2; k++) {
        unsigned at = code == w->target->code_null || i->row->mem.cmp == CMP_NONE ? code : code + k * dwords;
        v[k] = w->s[at] | (dwords == 2 && code != w->target->code_null ? (uint64_t)w->s[at + 1] << 32 : 0);
    }
    if (s->valid == s->bytes) { /* outside its buffer nothing happens */
        if (s->addr & (s->bytes - 1))
            return isa_fault(w, FAULT_ALIGN, -1, s->addr, s->bytes, true, "%s at 0x%llx, not a multiple of %u",
                             i->mnemonic, (unsigned long long)s->addr, s->bytes);
        uint8_t *p = isa_host_or_slack(w, env, 1, -1, s->addr, s->bytes, true);
        if (!p)
            return outside(w, i, s->addr, s->bytes, true);
        old = isa_rmw_shared(p, i->row, v[0], v[1]);
        note(fx, i, s, MEM_ATOMIC);
    }
    bool returns = i->op[OP_OLD].type != T_NONE;
    if (fx)
        fx->returns = returns;
    if (returns && dwords == 2)
        sput_code64(w, code, old);
    else if (returns)
        sput_code32(w, code, (uint32_t)old);
    return ISA_OK;
}

int exec_scalar_atomic(WPARAMS_)
{
    struct span s = global_span(w, i, i->row->mem.bytes);
    return atomic_span(w, i, env, fx, &s);
}

int exec_scalar_buffer_atomic(WPARAMS_)
{
    struct span s = buffer_span(w, i, i->row->mem.bytes);
    return atomic_span(w, i, env, fx, &s);
}
