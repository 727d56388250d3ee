/* Scalar instructions with a 16-bit immediate, and forks. AMD ISA manuals, "SOPK instructions". */
#include "isa/table/shapes.h"

SK_(s_movk_i32, SALU, I32, A_WR, 0, ENC(OP(GFX8, SOPK, 0x00)))
{
    return (int16_t)k;
}

/* A tied operand for instructions whose result depends on the old destination. */
#define SK_OLD(NAME, IMPL, ...)                                                                                        \
    SBODY_(NAME, I32, int32_t old, int32_t k, SPARAMS_);                                                               \
    SEXEC_(NAME, I32, NAME##_body(SGET_I32(w, i, 0), (int16_t)i->offset, &scc, w))                                     \
    SHANDLER_(NAME, I32, NAME##_body(OP_GET_I32(0), (int16_t)op->i->offset, &scc, w))                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SALU, ROW_WIDE, 0, IMPL).exec = NAME##_exec, .steady = true, .direct = NAME##_op,                  \
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
  ENC(OP(GFX9, SOPK, 0x15), OP(GFX10, SOPK, 0x16), OP(GFX11, SOPK, 0x14), AS(GFX12_5, SOPK, 0x14, "s_call_i64")))
{
    sput_code64(w, i->op[0].code, w->pc);
    w->pc += (uint64_t)((int64_t)i->offset * 4);
    return ISA_OK;
}

/* --- forks of gfx8 and gfx9: both sides of a branch in turn, the smaller one first. MODE.CSP is the depth of a stack
 * of { EXEC, PC } in SGPRs, four to an entry (CDNA4 ISA, pseudocode of S_CBRANCH_G_FORK, S_CBRANCH_JOIN)
 * --------------- */

static unsigned fork_depth(const struct isa_wave *w)
{
    return w->mode_reg >> MODE_CSP_SHIFT;
}

static void set_fork_depth(struct isa_wave *w, unsigned depth)
{
    isa_set_mode(w, (w->mode_reg & ~(UINT32_C(7) << MODE_CSP_SHIFT)) | (depth & 7) << MODE_CSP_SHIFT);
}

static void fork_later(struct isa_wave *w, uint64_t exec, gaddr_t pc)
{
    unsigned at = fork_depth(w) * 4;

    sput_code64(w, at, exec);
    sput_code64(w, at + 2, pc);
    set_fork_depth(w, fork_depth(w) + 1);
}

static int fork_to(struct isa_wave *w, uint64_t mask, gaddr_t target)
{
    uint64_t pass = mask & w->exec, fail = ~mask & w->exec;

    if (pass == w->exec) {
        w->pc = target;
    } else if (fail == w->exec) {
        /* goes on */
    } else if (__builtin_popcountll(fail) < __builtin_popcountll(pass)) {
        fork_later(w, pass, target);
        isa_set_exec(w, fail);
    } else {
        fork_later(w, fail, w->pc);
        isa_set_exec(w, pass);
        w->pc = target;
    }
    return ISA_OK;
}

#define FORK_IMPL (IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC | IMP_R_MODE | IMP_W_MODE)

W(s_cbranch_i_fork, BRANCH, 0, FORK_IMPL, ARGS({SL_SDST, T_B64, A_RD | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
  ENC(OP(GFX8, SOPK, 0x10), GONE(GFX10, SOPK)))
{
    return fork_to(w, sget64(w, i, 0), w->pc + (uint64_t)((int64_t)i->offset * 4));
}

W(s_cbranch_g_fork, BRANCH, 0, FORK_IMPL, ARGS({SL_SRC0, T_B64, A_RD}, {SL_SRC1, T_B64, A_RD}),
  ENC(OP(GFX8, SOP2, 0x29), GONE(GFX10, SOP2)))
{
    return fork_to(w, sget64(w, i, 0), sget64(w, i, 1) & ~UINT64_C(3));
}

/* src0 is the depth at which the paths meet: there for the second time, the program goes on. */
W(s_cbranch_join, BRANCH, 0, IMP_W_PC | IMP_W_EXEC | IMP_R_MODE | IMP_W_MODE, ARGS({SL_SRC0, T_B32, A_RD | A_REG}),
  ENC(OP(GFX8, SOP1, 0x2e), GONE(GFX10, SOP1)))
{
    unsigned depth = fork_depth(w);

    if (depth == sget32(w, i, 0))
        return ISA_OK;
    depth = (depth - 1) & 7;
    set_fork_depth(w, depth);
    isa_set_exec(w, w->s[depth * 4] | (uint64_t)w->s[depth * 4 + 1] << 32);
    w->pc = (w->s[depth * 4 + 2] | (uint64_t)w->s[depth * 4 + 3] << 32) & ~UINT64_C(3);
    return ISA_OK;
}

/* --- loops over the halves of a wave64 (gfx10, gfx11; RDNA ISA, S_SUBVECTOR_LOOP_BEGIN) ---------------------------
 * The low half goes first, with the high half of EXEC in sdst, then the high one with the low half there. A wave32 has
 * no high half. */

static uint32_t exec_high(const struct isa_wave *w)
{
    return w->lanes == 64 ? w->s[CODE_EXEC_HI] : 0;
}

W(s_subvector_loop_begin, BRANCH, 0, IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC,
  ARGS({SL_SDST, T_B32, A_RD | A_WR | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
  ENC(OP(GFX10, SOPK, 0x1b), OP(GFX11, SOPK, 0x16), GONE(GFX12, SOPK)))
{
    uint32_t lo = w->s[CODE_EXEC_LO], hi = exec_high(w);

    if (!lo && !hi) {
        w->pc += (uint64_t)((int64_t)i->offset * 4);
    } else if (!lo) {
        sput_code32(w, i->op[0].code, lo);
    } else {
        sput_code32(w, i->op[0].code, hi);
        if (w->lanes == 64)
            sput_code32(w, CODE_EXEC_HI, 0);
    }
    return ISA_OK;
}

W(s_subvector_loop_end, BRANCH, 0, IMP_W_PC | IMP_R_EXEC | IMP_W_EXEC,
  ARGS({SL_SDST, T_B32, A_RD | A_WR | A_SGPR}, {SL_SIMM, T_LABEL, 0}),
  ENC(OP(GFX10, SOPK, 0x1c), OP(GFX11, SOPK, 0x17), GONE(GFX12, SOPK)))
{
    uint32_t saved = sget32(w, i, 0);

    if (exec_high(w)) { /* that was the high half */
        sput_code32(w, CODE_EXEC_LO, saved);
    } else if (saved) {
        uint32_t lo = w->s[CODE_EXEC_LO];
        sput_code32(w, CODE_EXEC_HI, saved);
        sput_code32(w, i->op[0].code, lo);
        sput_code32(w, CODE_EXEC_LO, 0);
        w->pc += (uint64_t)((int64_t)i->offset * 4);
    }
    return ISA_OK;
}
