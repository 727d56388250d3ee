/* Scalar instructions with a 16-bit immediate, and the hardware registers. AMD ISA manuals, "SOPK instructions". */
#include "isa/shapes.h"

SK_(s_movk_i32, SALU, I32, A_WR, 0, ENC(OP(GFX8, SOPK, 0x00)))
{
    return (int16_t)k;
}

/* A tied operand for instructions whose result depends on the old destination. */
#define SK_OLD(NAME, IMPL, ...)                                                                                        \
    SBODY_(NAME, I32, int32_t old, int32_t k, SPARAMS_);                                                               \
    SEXEC_(NAME, I32, NAME##_body(SGET_I32(w, i, 0), (int16_t)i->offset, &scc, w))                                     \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SALU, ROW_WIDE, 0, IMPL).exec = NAME##_exec,                                                       \
                                       .args = {{SL_SDST, T_I32, A_RD | A_WR | A_SGPR}, {SL_SIMM, T_SIMM16, 0}},       \
                                       ROW_TAIL_(NAME) SBODY_(NAME, I32, int32_t old, int32_t k, SPARAMS_)

SK_OLD(s_cmovk_i32, IMP_R_SCC, ENC(OP(GFX8, SOPK, 0x01), OP(GFX10, SOPK, 0x02)))
{
    return *scc ? k : old;
}

/* SCC is signed overflow */
SK_OLD(s_addk_i32, IMP_W_SCC, ENC(OP(GFX8, SOPK, 0x0e), OP(GFX10, SOPK, 0x0f), AS(GFX12, SOPK, 0x0f, "s_addk_co_i32")))
{
    int32_t r;
    *scc = __builtin_add_overflow(old, k, &r);
    return r;
}

SK_OLD(s_mulk_i32, 0, ENC(OP(GFX8, SOPK, 0x0f), OP(GFX10, SOPK, 0x10)))
{
    return (int32_t)((uint32_t)old * (uint32_t)k);
}

#define COMPAREK(NAME, T, EXPR, ...)                                                                                   \
    SKC(NAME, SALU, T, __VA_ARGS__)                                                                                    \
    {                                                                                                                  \
        return EXPR;                                                                                                   \
    }
COMPAREK(s_cmpk_eq_i32, I32, a == (int16_t)k, ENC(OP(GFX8, SOPK, 0x02), OP(GFX10, SOPK, 0x03), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_lg_i32, I32, a != (int16_t)k, ENC(OP(GFX8, SOPK, 0x03), OP(GFX10, SOPK, 0x04), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_gt_i32, I32, a > (int16_t)k, ENC(OP(GFX8, SOPK, 0x04), OP(GFX10, SOPK, 0x05), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_ge_i32, I32, a >= (int16_t)k, ENC(OP(GFX8, SOPK, 0x05), OP(GFX10, SOPK, 0x06), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_lt_i32, I32, a < (int16_t)k, ENC(OP(GFX8, SOPK, 0x06), OP(GFX10, SOPK, 0x07), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_le_i32, I32, a <= (int16_t)k, ENC(OP(GFX8, SOPK, 0x07), OP(GFX10, SOPK, 0x08), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_eq_u32, U32, a == k, ENC(OP(GFX8, SOPK, 0x08), OP(GFX10, SOPK, 0x09), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_lg_u32, U32, a != k, ENC(OP(GFX8, SOPK, 0x09), OP(GFX10, SOPK, 0x0a), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_gt_u32, U32, a > k, ENC(OP(GFX8, SOPK, 0x0a), OP(GFX10, SOPK, 0x0b), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_ge_u32, U32, a >= k, ENC(OP(GFX8, SOPK, 0x0b), OP(GFX10, SOPK, 0x0c), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_lt_u32, U32, a < k, ENC(OP(GFX8, SOPK, 0x0c), OP(GFX10, SOPK, 0x0d), GONE(GFX12, SOPK)))
COMPAREK(s_cmpk_le_u32, U32, a <= k, ENC(OP(GFX8, SOPK, 0x0d), OP(GFX10, SOPK, 0x0e), GONE(GFX12, SOPK)))

/* Marks the ISA version a tool expects; no effect. */
W(s_version, INTERNAL, 0, 0, ARGS({SL_SIMM, T_VERSION, 0}), ENC(OP(GFX10, SOPK, 0x01)))
{
    return ISA_OK;
}

/* The return address is that of the next instruction; the target counts from there. */
W(s_call_b64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
  ENC(OP(GFX9, SOPK, 0x15), OP(GFX10, SOPK, 0x16), OP(GFX11, SOPK, 0x14)))
{
    sput_code64(w, i->op[0].code, w->pc);
    w->pc += (uint64_t)((int64_t)i->offset * 4);
    return ISA_OK;
}

NOT_EXECUTED(s_cbranch_i_fork, BRANCH, 0, IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC,
             ARGS({SL_SDST, T_B64, A_RD | A_SGPR}, {SL_SIMM, T_LABEL, 0}), ENC(OP(GFX8, SOPK, 0x10), GONE(GFX10, SOPK)))
NOT_EXECUTED(s_subvector_loop_begin, BRANCH, 0, IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC,
             ARGS({SL_SDST, T_B32, A_RD | A_WR | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
             ENC(OP(GFX10, SOPK, 0x1b), OP(GFX11, SOPK, 0x16), GONE(GFX12, SOPK)))
NOT_EXECUTED(s_subvector_loop_end, BRANCH, 0, IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC,
             ARGS({SL_SDST, T_B32, A_RD | A_WR | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
             ENC(OP(GFX10, SOPK, 0x1c), OP(GFX11, SOPK, 0x17), GONE(GFX12, SOPK)))

/* --- hardware registers ----------------------------------------------------------------------------------------- */

/* What a hardware register number means; numbers differ between layouts (LLVM 19 SIDefines.h, Hwreg). */
enum hwreg {
    HWREG_UNKNOWN,
    HWREG_MODE,
    HWREG_STATUS,
    HWREG_STATE_PRIV,
    HWREG_EXCEPTIONS, /* TRAPSTS, TRAP_CTRL: kept, never acted upon */
    HWREG_HW_ID,
    HWREG_GPR_ALLOC,
    HWREG_LDS_ALLOC,
    HWREG_MEM_BASES,
    HWREG_SCRATCH_LO,
    HWREG_SCRATCH_HI,
    HWREG_CYCLES, /* 20 bits */
    HWREG_CYCLES_LO,
    HWREG_CYCLES_HI,
    HWREG_ZERO, /* reads 0, ignores writes: XCC_ID of a one-die device, IB_STS of a wave at rest ... */
};

static const uint8_t hwreg_ids[][32] = {
    [LAYOUT_GFX8] = {[1] = HWREG_MODE,
                     [2] = HWREG_STATUS,
                     [3] = HWREG_EXCEPTIONS,
                     [4] = HWREG_HW_ID,
                     [5] = HWREG_GPR_ALLOC,
                     [6] = HWREG_LDS_ALLOC,
                     [7] = HWREG_ZERO},
    [LAYOUT_GFX9] = {[1] = HWREG_MODE,
                     [2] = HWREG_STATUS,
                     [3] = HWREG_EXCEPTIONS,
                     [4] = HWREG_HW_ID,
                     [5] = HWREG_GPR_ALLOC,
                     [6] = HWREG_LDS_ALLOC,
                     [7] = HWREG_ZERO,
                     [15] = HWREG_MEM_BASES,
                     [20] = HWREG_ZERO},
    [LAYOUT_GFX10] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [3] = HWREG_EXCEPTIONS,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [15] = HWREG_MEM_BASES,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [22] = HWREG_ZERO,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [25] = HWREG_ZERO,
                      [29] = HWREG_CYCLES},
    [LAYOUT_GFX11] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [3] = HWREG_EXCEPTIONS,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [15] = HWREG_MEM_BASES,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [29] = HWREG_CYCLES},
    [LAYOUT_GFX12] = {[1] = HWREG_MODE,
                      [2] = HWREG_STATUS,
                      [4] = HWREG_STATE_PRIV,
                      [5] = HWREG_GPR_ALLOC,
                      [6] = HWREG_LDS_ALLOC,
                      [7] = HWREG_ZERO,
                      [17] = HWREG_ZERO,
                      [18] = HWREG_ZERO,
                      [19] = HWREG_EXCEPTIONS,
                      [20] = HWREG_SCRATCH_LO,
                      [21] = HWREG_SCRATCH_HI,
                      [23] = HWREG_HW_ID,
                      [24] = HWREG_ZERO,
                      [26] = HWREG_ZERO,
                      [29] = HWREG_CYCLES_LO,
                      [30] = HWREG_CYCLES_HI},
};

static enum hwreg find_hwreg(struct isa_wave *w, const struct isa_inst *i)
{
    unsigned id = (unsigned)i->offset & 63;
    enum hwreg r = id < 32 ? (enum hwreg)hwreg_ids[w->target->layout][id] : HWREG_UNKNOWN;

    if (r == HWREG_UNKNOWN)
        isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false, "hardware register %u is not supported by gcnsim", id);
    return r;
}

static bool vcc_zero(const struct isa_wave *w)
{
    return !(w->s[CODE_VCC_LO] | (w->lanes == 64 ? w->s[CODE_VCC_HI] : 0));
}

/* STATUS: SCC 0, USER_PRIO 4:3, EXECZ 9, VCCZ 10; the rest as the launcher set it. */
static uint32_t read_status(const struct isa_wave *w)
{
    uint32_t live = (uint32_t)(w->exec == 0) << 9 | (uint32_t)vcc_zero(w) << 10 | (w->priority & 3u) << 3;

    if (!isa_has(w->target, FEAT_SCC_IN_STATE_PRIV))
        live |= w->scc;
    return (w->status & ~UINT32_C(0x619)) | live;
}

/* VGPR_SIZE in allocation granules less one; granules: LLVM 19 AMDGPUBaseInfo getVGPREncodingGranule. */
static uint32_t read_gpr_alloc(const struct isa_wave *w)
{
    bool wide = isa_has(w->target, FEAT_AGPR_UNIFIED) || (isa_has(w->target, FEAT_WAVE32) && w->lanes == 32);
    uint32_t granule = wide ? 8 : 4, n = w->nvgprs;

    if (isa_has(w->target, FEAT_AGPR_UNIFIED))
        n += w->nagprs;
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
        return (uint32_t)w->scc << 9;
    case HWREG_EXCEPTIONS:
        return w->trap_ctrl;
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
    case HWREG_EXCEPTIONS:
        w->trap_ctrl = (w->trap_ctrl & ~mask) | (v & mask);
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

/* Drops vector instructions (gfx8, gfx9): not modelled. */
#define MODE_VSKIP (UINT32_C(1) << 28)

static int set_hwreg(struct isa_wave *w, const struct isa_inst *i, uint32_t value)
{
    enum hwreg r = find_hwreg(w, i);
    unsigned offset = (unsigned)i->offset >> 6 & 31, size = ((unsigned)i->offset >> 11 & 31) + 1;
    uint32_t mask = (size >= 32 ? UINT32_MAX : (UINT32_C(1) << size) - 1) << offset;

    if (r == HWREG_UNKNOWN)
        return ISA_FAULT;
    bool old_layout = !isa_has(w->target, FEAT_NULL_SGPR);
    if (r == HWREG_MODE && old_layout && (value << offset & mask & MODE_VSKIP))
        return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false, "MODE.VSKIP is not supported by gcnsim");
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

W(s_setreg_b32, SALU, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_SIMM, T_HWREG, 0}, {SL_SDST, T_B32, A_RD | A_SGPR}),
  ENC(OP(GFX8, SOPK, 0x12), OP(GFX10, SOPK, 0x13), OP(GFX11, SOPK, 0x12)))
{
    return set_hwreg(w, i, sget32(w, i, 1));
}

W(s_setreg_imm32_b32, SALU, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_SIMM, T_HWREG, 0}, {SL_K, T_B32, A_RD}),
  ENC(OP(GFX8, SOPK, 0x14), OP(GFX10, SOPK, 0x15), OP(GFX11, SOPK, 0x13)))
{
    return set_hwreg(w, i, i->literal);
}
