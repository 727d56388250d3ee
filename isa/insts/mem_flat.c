/* FLAT and GLOBAL loads and stores, and the executors of their atomics. SCRATCH is mem_scratch.c.
 *
 * Addresses. GLOBAL: saddr + zero-extended 32-bit vaddr + offset, or 64-bit vaddr + offset. FLAT: 64-bit vaddr +
 * offset; a lane whose vaddr has the upper half of the shared aperture goes to LDS, of the private aperture to scratch,
 * others to memory, all three possibly in one instruction.
 */
#include <string.h>

#include "isa/insts/mem_flat.h"
#include "isa/insts/mem_transpose.h"

static int exec_flat_load(WPARAMS_);
static int exec_flat_store(WPARAMS_);
static int exec_global_load(WPARAMS_);
static int exec_global_store(WPARAMS_);
static int exec_global_load_tr(WPARAMS_);
static int exec_global_load_lds(WPARAMS_);
static int exec_async_load(WPARAMS_);
static int exec_async_store(WPARAMS_);

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define FLAT_LOAD(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                                 \
    FLAT_LOAD_ROW(flat_##OLD, D, A_WR, BYTES, CONV, ENC_FLAT(OLD, NEW, NODE, __VA_ARGS__))
#define FLAT_LOAD_D16(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                             \
    FLAT_LOAD_ROW(flat_##OLD, D, A_WR | A_RD, BYTES, CONV, ENC_FLAT(OLD, NEW, NODE, __VA_ARGS__))
#define FLAT_STORE(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                                \
    FLAT_STORE_ROW(flat_##OLD, D, BYTES, CONV, ENC_FLAT(OLD, NEW, NODE, __VA_ARGS__))
#define GLOBAL_LOAD(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                               \
    GLOBAL_LOAD_ROW(global_##OLD, D, A_WR, BYTES, CONV, ENC_GLOBAL(OLD, NEW, __VA_ARGS__))
#define GLOBAL_LOAD_D16(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                           \
    GLOBAL_LOAD_ROW(global_##OLD, D, A_WR | A_RD, BYTES, CONV, ENC_GLOBAL(OLD, NEW, __VA_ARGS__))
#define GLOBAL_STORE(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                              \
    GLOBAL_STORE_ROW(global_##OLD, D, BYTES, CONV, ENC_GLOBAL(OLD, NEW, __VA_ARGS__))
VMEM_LOADS(FLAT_LOAD)
VMEM_LOADS_D16(FLAT_LOAD_D16)
VMEM_STORES(FLAT_STORE)
VMEM_LOADS(GLOBAL_LOAD)
VMEM_LOADS_D16(GLOBAL_LOAD_D16)
VMEM_STORES(GLOBAL_STORE)
/* Loads straight into LDS. */
LDS_DMA(global, T_B64, ubyte, 1, U8, 0x26)
LDS_DMA(global, T_B64, sbyte, 1, I8, 0x27)
LDS_DMA(global, T_B64, ushort, 2, U16, 0x28)
LDS_DMA(global, T_B64, sshort, 2, I16, 0x29)
LDS_DMA(global, T_B64, dword, 4, DWORDS, 0x2a)
LDS_DMA_(global, T_B64, dwordx4, 16, DWORDS, GFX950, 0x7d)
LDS_DMA_(global, T_B64, dwordx3, 12, DWORDS, GFX950, 0x7e)

/* Transposing loads. */
#define LOAD_TR(NAME, CLS, D, BYTES, BITS, TR, ...)                                                                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_R_EXEC)                                                                      \
        .exec = exec_global_load_tr,                                                                                   \
       .mem = {.op = MEM_LOAD, .bytes = BYTES, .convert = CONV_DWORDS, .elems = 1, .tr_bits = BITS, .tr = TR},         \
       .args = {{SL_VDST, T_##D, A_WR}, {SL_ADDR, T_B64, A_RD}, SADDR_B64_}, ROW_TAIL_(NAME)
LOAD_TR(global_load_tr_b128, MEASURED(VMEM_LOAD, "docs/SEMANTICS_NOTES.md"), B128, 16, 16, TR_EIGHT,
        OP(GFX12, GLOBAL, 0x57), AS(GFX12_5, GLOBAL, 0x57, "global_load_tr16_b128"))
LOAD_TR(global_load_tr_b64, VMEM_LOAD, B64, 8, 8, TR_EIGHT_4, OP(GFX12, GLOBAL, 0x58),
        AS(GFX12_5, GLOBAL, 0x58, "global_load_tr8_b64"))
LOAD_TR(global_load_tr4_b64, VMEM_LOAD, B64, 8, 4, TR_FOUR, OP(GFX12_5, GLOBAL, 0x73))
LOAD_TR(global_load_tr6_b96, VMEM_LOAD, B96, 12, 6, TR_SIX, OP(GFX12_5, GLOBAL, 0x74))

/* Loads that let the wave sleep until the line changes. */
#define MONITOR(NAME, D, BYTES, OPCODE)                                                                                \
    GLOBAL_LOAD_ROW(global_load_monitor_##NAME, D, A_WR, BYTES, DWORDS, OP(GFX12_5, GLOBAL, OPCODE))                   \
    FLAT_LOAD_ROW(flat_load_monitor_##NAME, D, A_WR, BYTES, DWORDS, OP(GFX12_5, FLAT, OPCODE))
MONITOR(b32, B32, 4, 0x70)
MONITOR(b64, B64, 8, 0x71)
MONITOR(b128, B128, 16, 0x72)

/* Between memory and LDS, past the registers: vdst (of loads) or vsrc holds the address in LDS, and the immediate
 * offset is added to both addresses (LLVM 22 IntrinsicsAMDGPU.td). */
#define ASYNC_(NAME, CLS, EXEC, OP_, BYTES, CONV, FIRST, SECOND, OPCODE)                                               \
    ROW_ENC_(NAME, OP(GFX12_5, GLOBAL, OPCODE))                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_R_EXEC).exec = EXEC,                                                         \
                                      .mem = {.op = MEM_##OP_,                                                         \
                                              .bytes = BYTES,                                                          \
                                              .convert = CONV_##CONV,                                                  \
                                              .elems = 1,                                                              \
                                              .async = 1},                                                             \
                                      .args = {FIRST, SECOND, SADDR_B64_}, ROW_TAIL_(NAME)
#define ASYNC_LOAD(NAME, BYTES, CONV, OPCODE)                                                                          \
    ASYNC_(NAME, VMEM_LOAD, exec_async_load, LOAD, BYTES, CONV, {SL_VDST COMMA_ T_B32 COMMA_ A_RD},                    \
           {SL_ADDR COMMA_ T_B64 COMMA_ A_RD}, OPCODE)
#define ASYNC_STORE(NAME, BYTES, CONV, OPCODE)                                                                         \
    ASYNC_(NAME, VMEM_STORE, exec_async_store, STORE, BYTES, CONV, {SL_ADDR COMMA_ T_B64 COMMA_ A_RD},                 \
           {SL_DATA0 COMMA_ T_B32 COMMA_ A_RD}, OPCODE)
ASYNC_LOAD(global_load_async_to_lds_b8, 1, U8, 0x5f)
ASYNC_LOAD(global_load_async_to_lds_b32, 4, DWORDS, 0x60)
ASYNC_LOAD(global_load_async_to_lds_b64, 8, DWORDS, 0x61)
ASYNC_LOAD(global_load_async_to_lds_b128, 16, DWORDS, 0x62)
ASYNC_STORE(global_store_async_from_lds_b8, 1, U8, 0x63)
ASYNC_STORE(global_store_async_from_lds_b32, 4, DWORDS, 0x64)
ASYNC_STORE(global_store_async_from_lds_b64, 8, DWORDS, 0x65)
ASYNC_STORE(global_store_async_from_lds_b128, 16, DWORDS, 0x66)

/* Cache control: bytes are always coherent here, so only the timing engine sees these. */
CACHE_CONTROL_ROW(global_inv, RF_NO_EXEC, ISA_CACHE_INV, ENC(OP(GFX12, GLOBAL, 0x2b)))
CACHE_CONTROL_ROW(global_wb, RF_NO_EXEC, ISA_CACHE_WB, ENC(OP(GFX12, GLOBAL, 0x2c)))
CACHE_CONTROL_ROW(global_wbinv, RF_NO_EXEC, ISA_CACHE_WB | ISA_CACHE_INV, ENC(OP(GFX12, GLOBAL, 0x4f)))

/* --- GLOBAL ------------------------------------------------------------------------------------------------------- */

/* Whether the lanes' offsets are 4, 8, 12 ... bytes after that of lane 0, without a carry into the upper words, which
 * are the same. n is known where this is called. */
static inline __attribute__((always_inline)) bool in_a_row(const uint32_t *v, bool has_upper, unsigned n)
{
    uint32_t first = v[0], differ = first > UINT32_MAX - 4 * n;

    if (v[1] - first != 4)
        return false;
    for (unsigned l = 0; l < n; l++)
        differ |= (v[l] - first) ^ (4 * l);
    for (unsigned l = 0; l < n && has_upper; l++)
        differ |= v[n + l] ^ v[n];
    return !differ;
}

/* Host memory of a dword for each lane, all of them active and side by side: then their addresses need not be made one
 * by one. Null: anything else. */
static uint8_t *row_in_memory(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, unsigned kaddr,
                              unsigned ksaddr, bool write)
{
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    bool has_saddr = i->op[ksaddr].code != CODE_NONE;
    uint64_t first = (uint64_t)(int64_t)i->offset;

    if (!v || i->row->mem.bytes != 4 || w->exec != lane_mask(w->lanes) ||
        (has_saddr && isa_has(w->target, FEAT_SCALE_OFFSET)) ||
        !(w->lanes == 32 ? in_a_row(v, !has_saddr, 32) : in_a_row(v, !has_saddr, 64)))
        return NULL;
    first += v[0] + (has_saddr ? sget64(w, i, ksaddr) : (uint64_t)v[w->lanes] << 32);
    return isa_host(w, env, RANGE_VECTOR, first, 4 * w->lanes, write);
}

/* kaddr: the address operand, saddr after it */
static int global_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                         struct isa_effects *fx, unsigned kaddr)
{
    struct lane_addr at, lds;
    uint32_t loaded[4 * 64] = {0};
    uint64_t lanes = isa_lds_dma_lanes(w, i->offset, mem_dma_bytes(i), &lds);

    if (!global_addresses(w, i, kaddr, kaddr + 1, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, lanes);
    fx_lds_dma(w, fx, &lds, lanes);
    if (isa_mem_load(w, env, RANGE_VECTOR, &i->row->mem, &at, lanes, loaded))
        return ISA_FAULT;
    return isa_lds_dma(w, i, &lds, lanes, mem_dma_bytes(i), loaded);
}

static int exec_global_load_lds(WPARAMS_)
{
    return global_to_lds(w, i, env, fx, 0);
}

static __attribute__((noinline)) int load_by_addresses(struct isa_wave *w, const struct isa_inst *i,
                                                       const struct isa_env *env, struct isa_effects *fx, uint32_t *d)
{
    struct lane_addr at;

    if (!d || !global_addresses(w, i, 1, 2, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    return isa_mem_load(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, d);
}

static int exec_global_load(WPARAMS_)
{
    if (__builtin_expect(i->u.mem.lds, 0))
        return global_to_lds(w, i, env, fx, 1);
    uint32_t *d = mem_rows(w, &i->op[0]);
    const uint8_t *p = d && !fx ? row_in_memory(w, i, env, 1, 2, false) : NULL;
    if (!p)
        return load_by_addresses(w, i, env, fx, d);
    memcpy(d, p, w->lanes == 32 ? 128 : 256);
    return ISA_OK;
}

static int exec_global_load_tr(WPARAMS_)
{
    const struct isa_memop *m = &i->row->mem;
    _Alignas(64) uint32_t loaded[4 * 64] = {0};
    uint32_t *d = mem_rows_of(w, &i->op[0], m->bytes / 4u / (w->lanes / 32));
    uint64_t lanes = tr_loading(w, m, w->exec);
    struct lane_addr at;

    if (!d || !global_addresses(w, i, 1, 2, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, lanes);
    if (isa_mem_load(w, env, RANGE_VECTOR, m, &at, lanes, loaded))
        return ISA_FAULT;
    mem_transpose(w, m, w->exec, d, loaded);
    return ISA_OK;
}

/* Where the lanes' bytes are in LDS: a VGPR and the immediate. */
static bool async_lds(struct isa_wave *w, const struct isa_inst *i, unsigned k, struct lane_addr *at)
{
    const uint32_t *v = mem_rows(w, &i->op[k]);

    if (!v)
        return false;
    for (unsigned l = 0; l < w->lanes; l++)
        at->a[l] = (uint32_t)(v[l] + (uint32_t)i->offset);
    return true;
}

static int exec_async_load(WPARAMS_)
{
    _Alignas(64) uint32_t data[4 * 64] = {0};
    struct lane_addr at, lds;

    if (!async_lds(w, i, 0, &lds) || !global_addresses(w, i, 1, 2, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    fx_lds_dma(w, fx, &lds, w->exec);
    if (isa_mem_load(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, data))
        return ISA_FAULT;
    return isa_copy_to_lds(w, i, &i->row->mem, &lds, w->exec, data);
}

static int exec_async_store(WPARAMS_)
{
    _Alignas(64) uint32_t data[4 * 64] = {0};
    struct lane_addr at, lds;

    if (!async_lds(w, i, 1, &lds) || !global_addresses(w, i, 0, 2, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    fx_lds_dma(w, fx, &lds, w->exec);
    if (isa_lds_load(w, w->lds_bytes, &i->row->mem, &lds, w->exec, data))
        return ISA_FAULT;
    return isa_mem_store(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, data);
}

static __attribute__((noinline)) int store_by_addresses(struct isa_wave *w, const struct isa_inst *i,
                                                        const struct isa_env *env, struct isa_effects *fx,
                                                        const uint32_t *s)
{
    struct lane_addr at;

    if (!s || !global_addresses(w, i, 0, 2, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    return isa_mem_store(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, s);
}

static int exec_global_store(WPARAMS_)
{
    const uint32_t *s = mem_rows(w, &i->op[1]);
    uint8_t *p = s && !fx ? row_in_memory(w, i, env, 0, 2, true) : NULL;

    if (!p)
        return store_by_addresses(w, i, env, fx, s);
    memcpy(p, s, w->lanes == 32 ? 128 : 256);
    return ISA_OK;
}

int exec_global_atomic(WPARAMS_)
{
    struct lane_addr at;
    struct atomic_rows rows;

    if (!mem_atomic_rows(w, i, &i->op[2], &i->op[0], &rows) || !global_addresses(w, i, 1, 3, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    if (fx)
        fx->returns = rows.old != NULL;
    return isa_mem_atomic(w, env, i->row, &at, w->exec, rows);
}

/* A dword per lane, side by side from saddr. */
static bool addtid_addresses(struct isa_wave *w, const struct isa_inst *i, unsigned ksaddr, struct lane_addr *at)
{
    uint64_t base = (uint64_t)(int64_t)i->offset;

    if (i->op[ksaddr].code != CODE_NONE)
        base += sget64(w, i, ksaddr);
    for (unsigned l = 0; l < w->lanes; l++)
        at->a[l] = base + 4 * l;
    return true;
}

static int exec_addtid_load(WPARAMS_)
{
    struct lane_addr at;
    uint32_t *d = mem_rows(w, &i->op[0]);

    if (!d || !addtid_addresses(w, i, 1, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    return isa_mem_load(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, d);
}

static int exec_addtid_store(WPARAMS_)
{
    struct lane_addr at;
    const uint32_t *s = mem_rows(w, &i->op[0]);

    if (!s || !addtid_addresses(w, i, 1, &at))
        return ISA_FAULT;
    fx_vector(w, fx, i, &at, w->exec);
    return isa_mem_store(w, env, RANGE_VECTOR, &i->row->mem, &at, w->exec, s);
}

/* --- FLAT --------------------------------------------------------------------------------------------------------- */

/* Lanes of one instruction by where they go, with the addresses of that space. */
struct flat_split {
    struct lane_addr at;    /* flat addresses */
    struct lane_addr local; /* low halves: offsets in LDS or private memory */
    uint64_t global, lds, priv;
};

/* Flat addresses: a pair of VGPRs, or an SGPR pair and a 32-bit VGPR. */
static bool flat_addresses(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, unsigned ksaddr,
                           struct lane_addr *at)
{
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    const unsigned n = w->lanes & 96;
    uint64_t offset = (uint64_t)(int64_t)i->offset;

    if (!v)
        return false;
    if (i->op[ksaddr].code != CODE_NONE)
        return global_addresses(w, i, kaddr, ksaddr, at);
    for (unsigned l = 0; l < n; l++)
        at->a[l] = offset + (v[l] | (uint64_t)v[n + l] << 32);
    return true;
}

/* Where each lane's private memory has addresses of its own, bits 56:52 are the lane (LLVM 22 SIISelLowering,
 * lowerADDRSPACECAST): those of the lane itself are taken off, so that the aperture is met. */
static uint64_t without_lane(const struct isa_wave *w, uint64_t a, unsigned l)
{
    return isa_has(w->target, FEAT_SCRATCH_GLOBAL) && (a >> 52 & 31) == l ? a & ~(UINT64_C(31) << 52) : a;
}

static int flat_split(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, unsigned ksaddr,
                      struct flat_split *f)
{
    const unsigned n = w->lanes & 96;
    /* an aperture of zero is one the dispatcher did not set up: no address is in it */
    uint64_t shared = w->shared_aperture ? w->shared_aperture >> 32 : UINT64_MAX;
    uint64_t priv = w->private_aperture ? w->private_aperture >> 32 : UINT64_MAX;
    uint64_t offset = (uint64_t)(int64_t)i->offset;
    uint64_t near = 0, sum_lds = 0, sum_priv = 0;

    if (!flat_addresses(w, i, kaddr, ksaddr, &f->at))
        return ISA_FAULT;
    for (unsigned l = 0; l < n; l++)
        f->at.a[l] = without_lane(w, f->at.a[l], l);
    f->global = w->exec;
    f->lds = f->priv = 0;
    for (unsigned l = 0; l < n; l++) {
        uint64_t hi = f->at.a[l] >> 32, base_hi = (f->at.a[l] - offset) >> 32;
        near |= (uint64_t)(hi == shared) | (uint64_t)(hi == priv) | (uint64_t)(base_hi == shared) |
                (uint64_t)(base_hi == priv);
    }
    if (!near)
        return ISA_OK;
    for (unsigned l = 0; l < n; l++) {
        uint64_t hi = f->at.a[l] >> 32, base_hi = (f->at.a[l] - offset) >> 32;
        f->local.a[l] = (uint32_t)f->at.a[l];
        f->lds |= (uint64_t)(base_hi == shared) << l;
        f->priv |= (uint64_t)(base_hi == priv) << l;
        sum_lds |= (uint64_t)(hi == shared) << l;
        sum_priv |= (uint64_t)(hi == priv) << l;
    }
    uint64_t crosses = ((f->lds ^ sum_lds) | (f->priv ^ sum_priv)) & w->exec;
    if (crosses) {
        unsigned l = (unsigned)__builtin_ctzll(crosses);
        return isa_fault(w, FAULT_MEMORY, (int)l, f->at.a[l], i->row->mem.bytes, i->row->mem.op != MEM_LOAD,
                         "lane %u: flat address 0x%llx + %d: hardware takes the aperture from the base alone, which is "
                         "%s the aperture of %s",
                         l, (unsigned long long)(f->at.a[l] - offset), i->offset,
                         (sum_lds | sum_priv) >> l & 1 ? "outside" : "inside",
                         (f->lds | sum_lds) >> l & 1 ? "LDS" : "scratch");
    }
    f->lds &= w->exec;
    f->priv &= w->exec;
    f->global &= ~(f->lds | f->priv);
    /* unlike a DS instruction, FLAT reports an LDS address out of bounds (Vega ISA 10.3) */
    for (uint64_t left = f->lds; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        if (f->local.a[l] + i->row->mem.bytes > w->lds_bytes)
            return isa_fault(w, FAULT_LDS, (int)l, f->at.a[l], i->row->mem.bytes, i->row->mem.op != MEM_LOAD,
                             "lane %u: flat address of LDS byte 0x%llx, the workgroup has %u bytes", l,
                             (unsigned long long)f->local.a[l], w->lds_bytes);
    }
    return ISA_OK;
}

static void fx_flat(const struct isa_wave *w, struct isa_effects *fx, const struct isa_inst *i,
                    const struct flat_split *f)
{
    if (!fx)
        return;
    fx_vector(w, fx, i, &f->at, f->global | f->priv);
    if (!(f->lds | f->priv))
        return;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (f->priv >> l & 1)
            fx->addr[l] = scratch_address(w, l, (uint32_t)f->local.a[l]);
        fx->lds_addr[l] = (uint32_t)f->local.a[l];
    }
    if (f->priv && !f->global) /* of lanes that went both ways, all count as those in global memory */
        fx->dword_step = (uint16_t)(4 * w->lanes);
    fx->lds_mask = f->lds;
    if (f->lds)
        fx->kind = fx->mask ? FX_FLAT_MIXED : FX_LDS;
}

static int exec_flat_load(WPARAMS_)
{
    struct flat_split f;
    const struct isa_memop *m = &i->row->mem;
    uint32_t *d = mem_load_rows(w, i, &i->op[0]);

    if (!d || flat_split(w, i, 1, 2, &f))
        return ISA_FAULT;
    fx_flat(w, fx, i, &f);
    mem_clear_tfe(w, i, &i->op[0], d);
    int st = isa_mem_load(w, env, RANGE_VECTOR, m, &f.at, f.global, d);
    if (st == ISA_OK && f.lds)
        st = isa_lds_load(w, w->lds_bytes, m, &f.local, f.lds, d);
    return st == ISA_OK && f.priv ? isa_scratch_load(w, env, m, &f.local, f.priv, d) : st;
}

static int exec_flat_store(WPARAMS_)
{
    struct flat_split f;
    const struct isa_memop *m = &i->row->mem;
    const uint32_t *s = mem_rows(w, &i->op[1]);

    if (!s || flat_split(w, i, 0, 2, &f))
        return ISA_FAULT;
    fx_flat(w, fx, i, &f);
    int st = isa_mem_store(w, env, RANGE_VECTOR, m, &f.at, f.global, s);
    if (st == ISA_OK && f.lds)
        st = isa_lds_store(w, w->lds_bytes, m, &f.local, f.lds, s);
    return st == ISA_OK && f.priv ? isa_scratch_store(w, env, m, &f.local, f.priv, s) : st;
}

int exec_flat_atomic(WPARAMS_)
{
    struct flat_split f;
    struct atomic_rows rows;

    if (!mem_atomic_rows(w, i, &i->op[2], &i->op[0], &rows) || flat_split(w, i, 1, 3, &f))
        return ISA_FAULT;
    fx_flat(w, fx, i, &f);
    if (fx)
        fx->returns = rows.old != NULL;
    int st = isa_mem_atomic(w, env, i->row, &f.at, f.global, rows);
    if (st == ISA_OK && f.lds)
        st = isa_lds_atomic(w, w->lds_bytes, i->row, &f.local, f.lds, rows);
    return st == ISA_OK && f.priv ? isa_scratch_atomic(w, env, i->row, &f.local, f.priv, rows) : st;
}

/* Rows without a body of their own stand at the end: clang-format takes what follows them for a continuation. */
/* clang-format off */
ROW_ENC_(global_load_dword_addtid, OP(GFX10_3, GLOBAL, 0x16), AS(GFX11, GLOBAL, 0x28, "global_load_addtid_b32"))
ROW_HEAD_(global_load_dword_addtid, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC)
    .exec = exec_addtid_load, MEMOP_(LOAD, 4, DWORDS),
    .args = {{SL_VDST, T_B32, A_WR}, SADDR_B64_},
ROW_TAIL_(global_load_dword_addtid)

ROW_ENC_(global_store_dword_addtid, OP(GFX10_3, GLOBAL, 0x17), AS(GFX11, GLOBAL, 0x29, "global_store_addtid_b32"))
ROW_HEAD_(global_store_dword_addtid, VMEM_STORE, ROW_WIDE, 0, IMP_R_EXEC)
    .exec = exec_addtid_store, MEMOP_(STORE, 4, DWORDS),
    .args = {{SL_DATA0, T_B32, A_RD}, SADDR_B64_},
ROW_TAIL_(global_store_dword_addtid)

/* A hint to the caches, which have it all at once here: no effect. */
static int exec_prefetch(WPARAMS_)
{
    return ISA_OK;
}
#define PREFETCH_ROW(NAME, CLS, FORMAT, ...)                                                                           \
    ROW_ENC_(NAME, OP(GFX12_5, FORMAT, 0x5d))                                                                          \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_prefetch,                                                \
    .mem = {.op = MEM_FETCH, .bytes = 1, .elems = 1}, .args = {__VA_ARGS__}, ROW_TAIL_(NAME)
PREFETCH_ROW(global_prefetch_b8, VMEM_LOAD, GLOBAL, {SL_ADDR, T_B64, A_RD}, SADDR_B64_)
PREFETCH_ROW(flat_prefetch_b8, FLAT_LOAD, FLAT, {SL_ADDR, T_B64, A_RD}, SADDR_B64_)

/* The data of a cluster load go to all of its workgroups that M0 names and that ask for the same. Here each
 * workgroup asks for itself alone. */
#define CLUSTER_LOAD(NAME, D, BYTES, OPCODE)                                                                           \
    GLOBAL_LOAD_ROW(NAME, D, A_WR, BYTES, DWORDS, OP(GFX12_5, GLOBAL, OPCODE))
CLUSTER_LOAD(cluster_load_b32, B32, 4, 0x67)
CLUSTER_LOAD(cluster_load_b64, B64, 8, 0x68)
CLUSTER_LOAD(cluster_load_b128, B128, 16, 0x69)
ASYNC_LOAD(cluster_load_async_to_lds_b8, 1, U8, 0x6a)
ASYNC_LOAD(cluster_load_async_to_lds_b32, 4, DWORDS, 0x6b)
ASYNC_LOAD(cluster_load_async_to_lds_b64, 8, DWORDS, 0x6c)
ASYNC_LOAD(cluster_load_async_to_lds_b128, 16, DWORDS, 0x6d)

/* For trap handlers that save a wave. */
#define BEYOND(NAME, OPCODE, ...)                                                                                      \
    NOT_EXECUTED(NAME, VMEM_LOAD, 0, IMP_R_EXEC, ARGS(__VA_ARGS__), ENC(OP(GFX12_5, GLOBAL, OPCODE)))
NOT_EXECUTED(tensor_save, VMEM_STORE, 0, IMP_R_EXEC, ARGS(SADDR_B64_), ENC(OP(GFX12_5, GLOBAL, 0x6e)))
BEYOND(tensor_stop, 0x6f, {0})
