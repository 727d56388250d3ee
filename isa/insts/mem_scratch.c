/* SCRATCH loads and stores, and those of blocks of registers, in scratch and in memory.
 *
 * Addresses: saddr + vaddr + offset, 32 bits, is an offset in the lane's private memory.
 *
 * Where private memory lies: w->scratch_base is the region of this very wave on every target. On gfx8-gfx10
 * FLAT_SCRATCH (SGPR pair or hardware register) spells the same region as an offset or address that the kernel's
 * prologue makes from what the dispatcher gave it; its value is not looked at, so a kernel that points it elsewhere is
 * not followed. (LLVM AMDGPUUsage, "Flat Scratch"; RDNA3, RDNA4 and Vega ISA, "Flat memory instructions".)
 */
#include "isa/insts/mem_flat.h"

static int exec_scratch_load(WPARAMS_);
static int exec_scratch_store(WPARAMS_);
static int exec_scratch_load_lds(WPARAMS_);

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define SCRATCH_LOAD(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                              \
    SCRATCH_LOAD_ROW(scratch_##OLD, D, A_WR, BYTES, CONV, ENC_SCRATCH(OLD, NEW, __VA_ARGS__))
#define SCRATCH_LOAD_D16(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                          \
    SCRATCH_LOAD_ROW(scratch_##OLD, D, A_WR | A_RD, BYTES, CONV, ENC_SCRATCH(OLD, NEW, __VA_ARGS__))
#define SCRATCH_STORE(OLD, NEW, D, BYTES, CONV, NODE, ...)                                                             \
    SCRATCH_STORE_ROW(scratch_##OLD, D, BYTES, CONV, ENC_SCRATCH(OLD, NEW, __VA_ARGS__))

VMEM_LOADS(SCRATCH_LOAD)
VMEM_LOADS_D16(SCRATCH_LOAD_D16)
VMEM_STORES(SCRATCH_STORE)

LDS_DMA(scratch, T_B32, ubyte, 1, U8, 0x26)
LDS_DMA(scratch, T_B32, sbyte, 1, I8, 0x27)
LDS_DMA(scratch, T_B32, ushort, 2, U16, 0x28)
LDS_DMA(scratch, T_B32, sshort, 2, I16, 0x29)
LDS_DMA(scratch, T_B32, dword, 4, DWORDS, 0x2a)

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static bool scratch_offsets(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, unsigned ksaddr,
                            struct lane_addr *at)
{
    const unsigned n = w->lanes & 96;
    uint32_t base = (uint32_t)i->offset;

    if (i->op[ksaddr].code != CODE_NONE)
        base += sget32(w, i, ksaddr);
    if (i->op[kaddr].type == T_NONE) {
        for (unsigned l = 0; l < n; l++)
            at->a[l] = base;
        return true;
    }
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    if (!v)
        return false;
    for (unsigned l = 0; l < n; l++)
        at->a[l] = (uint32_t)(base + (i->u.mem.scale ? (uint32_t)scaled_offset(i, v[l]) : v[l]));
    return true;
}

/* The timing engine sees where the bytes are in device memory. */
static void fx_scratch(const struct isa_wave *w, struct isa_effects *fx, const struct isa_inst *i,
                       const struct lane_addr *at)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_VECTOR);
    fx->dword_step = (uint16_t)(4 * w->lanes);
    fx->mask = w->exec;
    for (unsigned l = 0; l < w->lanes; l++)
        fx->addr[l] = scratch_address(w, l, (uint32_t)at->a[l]);
}

static int scratch_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,
                          struct isa_effects *fx, unsigned kaddr)
{
    struct lane_addr at, lds;
    uint32_t one[64] = {0};
    uint64_t lanes = isa_lds_dma_lanes(w, i->offset, 4, &lds);

    if (!scratch_offsets(w, i, kaddr, kaddr + 1, &at))
        return ISA_FAULT;
    fx_scratch(w, fx, i, &at);
    if (fx)
        fx->mask = lanes;
    fx_lds_dma(w, fx, &lds, lanes);
    if (isa_scratch_load(w, env, &i->row->mem, &at, lanes, one))
        return ISA_FAULT;
    return isa_lds_dma(w, i, &lds, lanes, 4, one);
}

static int exec_scratch_load_lds(WPARAMS_)
{
    return scratch_to_lds(w, i, env, fx, 0);
}

static int exec_scratch_load(WPARAMS_)
{
    struct lane_addr at;

    if (__builtin_expect(i->u.mem.lds, 0))
        return scratch_to_lds(w, i, env, fx, 1);
    uint32_t *d = mem_rows(w, &i->op[0]);
    if (!d || !scratch_offsets(w, i, 1, 2, &at))
        return ISA_FAULT;
    fx_scratch(w, fx, i, &at);
    return isa_scratch_load(w, env, &i->row->mem, &at, w->exec, d);
}

static int exec_scratch_store(WPARAMS_)
{
    struct lane_addr at;
    const uint32_t *s = mem_rows(w, &i->op[1]);

    if (!s || !scratch_offsets(w, i, 0, 2, &at))
        return ISA_FAULT;
    fx_scratch(w, fx, i, &at);
    return isa_scratch_store(w, env, &i->row->mem, &at, w->exec, s);
}

/* --- blocks of registers (gfx12) ---------------------------------------------------------------------------------- */

/* Register k of the block is dword k of the memory block, for the bits k of M0 that are set; the others are neither
 * read nor written, nor need they be there. */
struct block {
    struct lane_addr at;
    uint32_t which, *rows;
};

static bool open_block(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, unsigned kaddr,
                       unsigned kdata, struct block *b)
{
    bool scratch = i->format == FMT_SCRATCH;

    b->which = w->s[w->target->code_m0];
    if (!b->which)
        return true;
    unsigned last = 31 - (unsigned)__builtin_clz(b->which);
    b->rows = mem_rows_of(w, &i->op[kdata], last + 1);
    if (!b->rows || !(scratch ? scratch_offsets(w, i, kaddr, 2, &b->at) : global_addresses(w, i, kaddr, 2, &b->at)))
        return false;
    if (scratch)
        fx_scratch(w, fx, i, &b->at);
    else
        fx_vector(w, fx, i, &b->at, w->exec);
    if (fx) {
        fx->block = b->which;
        fx->bytes = (uint8_t)(4 * __builtin_popcount(b->which));
        if (!scratch)
            fx->dword_step = 4;
    }
    return true;
}

/* The next register of the block: false when there is none; the addresses are then those of its dwords. */
static bool next_in_block(const struct isa_wave *w, struct block *b, unsigned *k, struct lane_addr *at)
{
    if (!b->which)
        return false;
    *k = (unsigned)__builtin_ctz(b->which);
    b->which &= b->which - 1;
    for (unsigned l = 0; l < w->lanes; l++)
        at->a[l] = b->at.a[l] + 4 * *k;
    return true;
}

static const struct isa_memop block_dword = {.bytes = 4, .convert = CONV_DWORDS};

static int exec_load_block(WPARAMS_)
{
    struct block b;
    struct lane_addr at;
    unsigned k;

    if (!open_block(w, i, fx, 1, 0, &b))
        return ISA_FAULT;
    while (next_in_block(w, &b, &k, &at)) {
        uint32_t *d = b.rows + (size_t)k * w->lanes;
        if (i->format == FMT_SCRATCH ? isa_scratch_load(w, env, &block_dword, &at, w->exec, d)
                                     : isa_mem_load(w, env, RANGE_VECTOR, &block_dword, &at, w->exec, d))
            return ISA_FAULT;
    }
    return ISA_OK;
}

static int exec_store_block(WPARAMS_)
{
    struct block b;
    struct lane_addr at;
    unsigned k;

    if (!open_block(w, i, fx, 0, 1, &b))
        return ISA_FAULT;
    while (next_in_block(w, &b, &k, &at)) {
        const uint32_t *s = b.rows + (size_t)k * w->lanes;
        if (i->format == FMT_SCRATCH ? isa_scratch_store(w, env, &block_dword, &at, w->exec, s)
                                     : isa_mem_store(w, env, RANGE_VECTOR, &block_dword, &at, w->exec, s))
            return ISA_FAULT;
    }
    return ISA_OK;
}

/* Rows without a body of their own stand at the end: clang-format takes what follows them for a continuation. */
/* clang-format off */
#define BLOCK_MEMOP_(OP_) .mem = {.op = MEM_##OP_, .bytes = 128, .elems = 1}
#define BLOCK_ROW(NAME, CLS, EXEC, OP_, FORMAT, O, ...)                                                                \
    ROW_ENC_(NAME, OP(GFX12, FORMAT, O))                                                                               \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0).exec = EXEC, BLOCK_MEMOP_(OP_),                           \
    .args = {__VA_ARGS__}, ROW_TAIL_(NAME)
BLOCK_ROW(global_load_block, VMEM_LOAD, exec_load_block, LOAD, GLOBAL, 0x53,
          {SL_VDST, T_B1024, A_WR}, {SL_ADDR, T_B64, A_RD}, SADDR_B64_)
BLOCK_ROW(global_store_block, VMEM_STORE, exec_store_block, STORE, GLOBAL, 0x54,
          {SL_ADDR, T_B64, A_RD}, {SL_DATA0, T_B1024, A_RD}, SADDR_B64_)
BLOCK_ROW(scratch_load_block, VMEM_LOAD, exec_load_block, LOAD, SCRATCH, 0x53,
          {SL_VDST, T_B1024, A_WR}, {SL_ADDR, T_B32, A_RD}, {SL_SADDR, T_B32, A_RD | A_SGPR})
BLOCK_ROW(scratch_store_block, VMEM_STORE, exec_store_block, STORE, SCRATCH, 0x54,
          {SL_ADDR, T_B32, A_RD}, {SL_DATA0, T_B1024, A_RD}, {SL_SADDR, T_B32, A_RD | A_SGPR})
