/* Reads and writes of hardware registers by number: MODE, STATUS, HW_ID and their relatives. AMD ISA manuals, "SOPK
 * instructions"; fields as in the manuals' tables of STATUS, MODE, HW_ID ... and LLVM 19 SIDefines.h (Hwreg). */
#include "isa/barrier.h"
#include "isa/table/shapes.h"

/* Meanings of hardware register numbers; they differ between layouts (LLVM 19 SIDefines.h, Hwreg). */
enum hwreg {
    HWREG_UNKNOWN,
    HWREG_MODE,
    HWREG_STATUS,
    HWREG_STATE_PRIV,
    HWREG_TRAPS,      /* TRAPSTS, TRAP_CTRL: kept, never acted upon */
    HWREG_EXCEPTIONS, /* EXCP_FLAG_USER, which earlier targets have in TRAPSTS: the same */
    HWREG_HW_ID,
    HWREG_GPR_ALLOC,
    HWREG_LDS_ALLOC,
    HWREG_MEM_BASES,
    HWREG_SCRATCH_LO,
    HWREG_SCRATCH_HI,
    HWREG_CYCLES, /* 20 bits */
    HWREG_CYCLES_LO,
    HWREG_CYCLES_HI,
    HWREG_IB_STS2, /* gfx1250: the wave's place in its cluster */
    HWREG_ZERO, /* reads 0, ignores writes: XCC_ID of a one-die device, IB_STS of a wave at rest, trap addresses ... */
};

#define HWREG_IDS 33
static const uint8_t hwreg_ids[][HWREG_IDS] = {
    [LAYOUT_GFX8] = {[1] = HWREG_MODE,
                     [2] = HWREG_STATUS,
                     [3] = HWREG_TRAPS,
                     [4] = HWREG_HW_ID,
                     [5] = HWREG_GPR_ALLOC,
                     [6] = HWREG_LDS_ALLOC,
                     [7] = HWREG_ZERO},
    [LAYOUT_GFX9] = {[1] = HWREG_MODE,
                     [2] = HWREG_STATUS,
                     [3] = HWREG_TRAPS,
                     [4] = HWREG_HW_ID,
                     [5] = HWREG_GPR_ALLOC,
                     [6] = HWREG_LDS_ALLOC,
                     [7] = HWREG_ZERO,
                     [15] = HWREG_MEM_BASES,
                     [16 ... 24] = HWREG_ZERO},
    [LAYOUT_GFX10] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [3] = HWREG_TRAPS,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [15] = HWREG_MEM_BASES,
                      [16 ... 19] = HWREG_ZERO,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [22] = HWREG_ZERO,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [25] = HWREG_ZERO,
                      [29] = HWREG_CYCLES},
    [LAYOUT_GFX11] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [3] = HWREG_TRAPS,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [15] = HWREG_MEM_BASES,
                      [16 ... 19] = HWREG_ZERO,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [27] = HWREG_ZERO,
                      [29] = HWREG_CYCLES},
    [LAYOUT_GFX12] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [4] = HWREG_STATE_PRIV,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [10 ... 12] = HWREG_ZERO,
                      [15 ... 17] = HWREG_ZERO,
                      [18] = HWREG_EXCEPTIONS,
                      [19] = HWREG_TRAPS,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [26] = HWREG_ZERO,
                      [29] = HWREG_CYCLES_LO,
                      [30] = HWREG_CYCLES_HI,
                      [31 ... 32] = HWREG_ZERO},
};

static enum hwreg find_hwreg(struct isa_wave *w, const struct isa_inst *i)
{
    unsigned id = (unsigned)i->offset & 63;
    enum hwreg r = id < HWREG_IDS ? (enum hwreg)hwreg_ids[w->target->layout][id] : HWREG_UNKNOWN;

    /* IB_STS2; XNACK_STATE_PRIV, XNACK_MASK */
    if (isa_has(w->target, FEAT_HWREG_WAVE) && (id == 28 || id == 33 || id == 34))
        r = id == 28 ? HWREG_IB_STS2 : HWREG_ZERO;
    if (r == HWREG_UNKNOWN)
        isa_fault(w, FAULT_OTHER, -1, 0, 0, false, "%s has no hardware register %u", w->target->name, id);
    return r;
}

static bool vcc_zero(const struct isa_wave *w)
{
    return !(w->s[CODE_VCC_LO] | (w->lanes == 64 ? w->s[CODE_VCC_HI] : 0));
}

static bool in_group(const struct isa_wave *w)
{
    return w->barriers && w->barriers->waves > 1;
}

/* STATUS: SCC 0 (not gfx12), USER_PRIO 4:3, EXECZ 9, VCCZ 10, IN_TG 11, VALID 16, WAVE64 29 (gfx12). */
static uint32_t read_status(const struct isa_wave *w)
{
    uint32_t v = w->status | UINT32_C(1) << 16;

    v |= (uint32_t)(w->exec == 0) << 9 | (uint32_t)vcc_zero(w) << 10 | (w->priority & 3u) << 3;
    v |= (uint32_t)in_group(w) << 11;
    if (isa_has(w->target, FEAT_SCC_IN_STATE_PRIV))
        return v | (uint32_t)(w->lanes == 64) << 29;
    return v | w->scc;
}

/* gfx12: BARRIER_COMPLETE 2, SCC 9. */
static uint32_t read_state_priv(const struct isa_wave *w)
{
    bool complete = w->barriers && w->barriers->b[0].phase != w->barrier_seen[0];

    return (uint32_t)complete << 2 | (uint32_t)w->scc << 9;
}

/* VGPR_SIZE in allocation granules less one; granules: LLVM 19 AMDGPUBaseInfo getVGPREncodingGranule. */
static uint32_t read_gpr_alloc(const struct isa_wave *w)
{
    bool wide = isa_has(w->target, FEAT_AGPR_UNIFIED) || (isa_has(w->target, FEAT_WAVE32) && w->lanes == 32);
    uint32_t granule = wide ? 8 : 4, n = isa_has(w->target, FEAT_AGPR_UNIFIED) ? w->vector_rows : w->nvgprs;

    uint32_t size = n ? (n + granule - 1) / granule - 1 : 0;
    return isa_has(w->target, FEAT_WAVE32) ? size << 12 : size << 8 | (w->nsgprs ? (w->nsgprs - 1) / 16 : 0) << 24;
}

static uint32_t read_hwreg(const struct isa_wave *w, enum hwreg r, const struct isa_env *env)
{
    switch (r) {
    case HWREG_MODE:
        return w->mode_reg;
    case HWREG_STATUS:
        return read_status(w);
    case HWREG_STATE_PRIV:
        return read_state_priv(w);
    case HWREG_TRAPS:
        return w->trap_ctrl;
    case HWREG_EXCEPTIONS:
        return w->excp_flags;
    case HWREG_HW_ID:
        return w->hw_id;
    case HWREG_GPR_ALLOC:
        return read_gpr_alloc(w);
    case HWREG_LDS_ALLOC: /* LDS_SIZE in units of 64 dwords */
        return w->lds_bytes / 256 << 12;
    case HWREG_MEM_BASES:
        return (uint32_t)(w->private_aperture >> 48) | (uint32_t)(w->shared_aperture >> 48) << 16;
    case HWREG_SCRATCH_LO:
        return (uint32_t)w->flat_scratch;
    case HWREG_SCRATCH_HI:
        return (uint32_t)(w->flat_scratch >> 32);
    case HWREG_CYCLES:
        return (uint32_t)env->clock(env->ctx) & 0xfffff;
    case HWREG_CYCLES_LO:
        return (uint32_t)env->clock(env->ctx);
    case HWREG_CYCLES_HI:
        return (uint32_t)(env->clock(env->ctx) >> 32);
    case HWREG_IB_STS2:
        return w->cluster_place;
    default:
        return 0;
    }
}

/* A wave without privilege changes MODE, the sticky exception bits and, where the kernel's prologue sets it up, the
 * scratch base; hardware drops its writes to the others. */
static void write_hwreg(struct isa_wave *w, enum hwreg r, uint32_t v, uint32_t mask)
{
    switch (r) {
    case HWREG_MODE:
        isa_set_mode(w, (w->mode_reg & ~mask) | (v & mask));
        break;
    case HWREG_TRAPS:
        w->trap_ctrl = (w->trap_ctrl & ~mask) | (v & mask);
        break;
    case HWREG_EXCEPTIONS:
        w->excp_flags = (w->excp_flags & ~mask) | (v & mask);
        break;
    case HWREG_SCRATCH_LO:
        if (!isa_has(w->target, FEAT_ARCH_FLAT_SCRATCH))
            w->flat_scratch = (w->flat_scratch & ~(uint64_t)mask) | (v & mask);
        break;
    case HWREG_SCRATCH_HI:
        if (!isa_has(w->target, FEAT_ARCH_FLAT_SCRATCH))
            w->flat_scratch = (w->flat_scratch & ~((uint64_t)mask << 32)) | (uint64_t)(v & mask) << 32;
        break;
    default:
        break;
    }
}

static int set_hwreg(struct isa_wave *w, const struct isa_inst *i, uint32_t value)
{
    enum hwreg r = find_hwreg(w, i);
    unsigned offset = (unsigned)i->offset >> 6 & 31, size = ((unsigned)i->offset >> 11 & 31) + 1;
    uint32_t mask = (size >= 32 ? UINT32_MAX : (UINT32_C(1) << size) - 1) << offset;

    if (r == HWREG_UNKNOWN)
        return ISA_FAULT;
    write_hwreg(w, r, value << offset, mask);
    return ISA_OK;
}

W(s_getreg_b32, SALU, 0, IMP_R_MODE, ARGS({SL_SDST, T_B32, A_WR | A_SGPR}, {SL_SIMM, T_HWREG, 0}),
  ENC(OP(GFX8, SOPK, 0x11), OP(GFX10, SOPK, 0x12), OP(GFX11, SOPK, 0x11)))
{
    enum hwreg r = find_hwreg(w, i);
    unsigned offset = (unsigned)i->offset >> 6 & 31, size = ((unsigned)i->offset >> 11 & 31) + 1;

    if (r == HWREG_UNKNOWN)
        return ISA_FAULT;
    uint32_t v = read_hwreg(w, r, env) >> offset;
    sput_code32(w, i->op[0].code, size >= 32 ? v : v & ((UINT32_C(1) << size) - 1));
    return ISA_OK;
}

W(s_setreg_b32, SALU_SAVEEXEC, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_SIMM, T_HWREG, 0}, {SL_SDST, T_B32, A_RD | A_SGPR}),
  ENC(OP(GFX8, SOPK, 0x12), OP(GFX10, SOPK, 0x13), OP(GFX11, SOPK, 0x12)))
{
    return set_hwreg(w, i, sget32(w, i, 1));
}

W(s_setreg_imm32_b32, SALU_SAVEEXEC, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_SIMM, T_HWREG, 0}, {SL_K, T_B32, A_RD}),
  ENC(OP(GFX8, SOPK, 0x14), OP(GFX10, SOPK, 0x15), OP(GFX11, SOPK, 0x13)))
{
    /* gfx1250 takes VGPR_MSB from the literal, whatever part of MODE is named; LLVM 22 relies on it (its pulls 174681
     * and 184703) */
    if (isa_has(w->target, FEAT_SETREG_MSB) && find_hwreg(w, i) == HWREG_MODE) {
        const uint32_t msb = UINT32_C(0xff) << MODE_VGPR_MSB_SHIFT;
        int status = set_hwreg(w, i, i->literal);

        isa_set_mode(w, (w->mode_reg & ~msb) | (i->literal & msb));
        return status;
    }
    return set_hwreg(w, i, i->literal);
}
