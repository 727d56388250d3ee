/* Scalar ALU, one source: moves, bit operations, EXEC saves, relative moves. AMD ISA manuals, "SOP1 instructions". */
#include "isa/table/shapes.h"

S1_(s_mov_b32, SALU, B32, B32, RF_BITWISE, 0, ENC(OP(GFX8, SOP1, 0x00), OP(GFX10, SOP1, 0x03), OP(GFX11, SOP1, 0x00)))
{
    return a;
}

S1_(s_mov_b64, SALU, B64, B64, RF_BITWISE, 0, ENC(OP(GFX8, SOP1, 0x01), OP(GFX10, SOP1, 0x04), OP(GFX11, SOP1, 0x01)))
{
    return a;
}

/* --- one source whose result also depends on the old destination: body(old, a) ----------------------------------- */

#define S1_OLD(NAME, D, A, IMPL, ...)                                                                                  \
    SBODY_(NAME, D, L_##D old, L_##A a, SPARAMS_);                                                                     \
    SEXEC_(NAME, D, NAME##_body(SGET_##D(w, i, 2), SGET_##A(w, i, 1), &scc, w))                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SALU, ROW_WIDE, 0, IMPL).exec = NAME##_exec,                                                       \
                                       .args = {{SL_SDST, T_##D, A_WR | A_SGPR},                                       \
                                                {SL_SRC0, T_##A, A_RD},                                                \
                                                {SL_SDST, T_##D, A_RD | A_SGPR | A_HIDDEN}},                           \
                                       ROW_TAIL_(NAME) SBODY_(NAME, D, L_##D old, L_##A a, SPARAMS_)

S1_OLD(s_cmov_b32, B32, B32, IMP_R_SCC, ENC(OP(GFX8, SOP1, 0x02), OP(GFX10, SOP1, 0x05), OP(GFX11, SOP1, 0x02)))
{
    return *scc ? a : old;
}

S1_OLD(s_cmov_b64, B64, B64, IMP_R_SCC, ENC(OP(GFX8, SOP1, 0x03), OP(GFX10, SOP1, 0x06), OP(GFX11, SOP1, 0x03)))
{
    return *scc ? a : old;
}

S1_OLD(s_bitset0_b32, B32, U32, 0, ENC(OP(GFX8, SOP1, 0x18), OP(GFX10, SOP1, 0x1b), OP(GFX11, SOP1, 0x10)))
{
    return old & ~(1u << (a & 31));
}

S1_OLD(s_bitset0_b64, B64, U32, 0, ENC(OP(GFX8, SOP1, 0x19), OP(GFX10, SOP1, 0x1c), OP(GFX11, SOP1, 0x11)))
{
    return old & ~(UINT64_C(1) << (a & 63));
}

S1_OLD(s_bitset1_b32, B32, U32, 0, ENC(OP(GFX8, SOP1, 0x1a), OP(GFX10, SOP1, 0x1d), OP(GFX11, SOP1, 0x12)))
{
    return old | 1u << (a & 31);
}

S1_OLD(s_bitset1_b64, B64, U32, 0, ENC(OP(GFX8, SOP1, 0x1b), OP(GFX10, SOP1, 0x1e), OP(GFX11, SOP1, 0x13)))
{
    return old | UINT64_C(1) << (a & 63);
}

/* --- results that set SCC when not zero ------------------------------------------------------------------------- */

#define NONZERO(NAME, D, A, EXPR, ...)                                                                                 \
    S1_SCC(NAME, SALU, D, A, __VA_ARGS__)                                                                              \
    {                                                                                                                  \
        L_##D r = EXPR;                                                                                                \
        *scc = r != 0;                                                                                                 \
        return r;                                                                                                      \
    }

/* bit 4q of the result: any bit of quad q is set */
static inline uint64_t quads(uint64_t v)
{
    v |= v >> 1;
    v |= v >> 2;
    return v & UINT64_C(0x1111111111111111);
}

static inline uint64_t quadmask(uint64_t v)
{
    uint64_t q = quads(v), r = 0;

    for (unsigned k = 0; k < 16; k++)
        r |= (q >> (4 * k) & 1) << k;
    return r;
}

NONZERO(s_not_b32, B32, B32, ~a, ENC(OP(GFX8, SOP1, 0x04), OP(GFX10, SOP1, 0x07), OP(GFX11, SOP1, 0x1e)))
NONZERO(s_not_b64, B64, B64, ~a, ENC(OP(GFX8, SOP1, 0x05), OP(GFX10, SOP1, 0x08), OP(GFX11, SOP1, 0x1f)))
NONZERO(s_wqm_b32, B32, B32, (uint32_t)quads(a) * 15,
        ENC(OP(GFX8, SOP1, 0x06), OP(GFX10, SOP1, 0x09), OP(GFX11, SOP1, 0x1c)))
NONZERO(s_wqm_b64, B64, B64, quads(a) * 15, ENC(OP(GFX8, SOP1, 0x07), OP(GFX10, SOP1, 0x0a), OP(GFX11, SOP1, 0x1d)))
NONZERO(s_quadmask_b32, B32, B32, (uint32_t)quadmask(a),
        ENC(OP(GFX8, SOP1, 0x28), OP(GFX10, SOP1, 0x2c), OP(GFX11, SOP1, 0x1a)))
NONZERO(s_quadmask_b64, B64, B64, quadmask(a), ENC(OP(GFX8, SOP1, 0x29), OP(GFX10, SOP1, 0x2d), OP(GFX11, SOP1, 0x1b)))
NONZERO(s_bcnt0_i32_b32, I32, B32, 32 - __builtin_popcount(a),
        ENC(OP(GFX8, SOP1, 0x0a), OP(GFX10, SOP1, 0x0d), OP(GFX11, SOP1, 0x16)))
NONZERO(s_bcnt0_i32_b64, I32, B64, 64 - __builtin_popcountll(a),
        ENC(OP(GFX8, SOP1, 0x0b), OP(GFX10, SOP1, 0x0e), OP(GFX11, SOP1, 0x17)))
NONZERO(s_bcnt1_i32_b32, I32, B32, __builtin_popcount(a),
        ENC(OP(GFX8, SOP1, 0x0c), OP(GFX10, SOP1, 0x0f), OP(GFX11, SOP1, 0x18)))
NONZERO(s_bcnt1_i32_b64, I32, B64, __builtin_popcountll(a),
        ENC(OP(GFX8, SOP1, 0x0d), OP(GFX10, SOP1, 0x10), OP(GFX11, SOP1, 0x19)))
NONZERO(s_abs_i32, I32, I32, (int32_t)(a < 0 ? 0 - (uint32_t)a : (uint32_t)a),
        ENC(OP(GFX8, SOP1, 0x30), OP(GFX10, SOP1, 0x34), OP(GFX11, SOP1, 0x15)))

/* --- bit searches: -1 when nothing is found; SCC stays ---------------------------------------------------------- */

static inline uint64_t reverse(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}

/* position of the lowest one */
static inline int32_t lowest(uint64_t v)
{
    return v ? __builtin_ctzll(v) : -1;
}

/* zeros above the highest one of a `bits`-bit number */
static inline int32_t leading(uint64_t v, int bits)
{
    return v ? __builtin_clzll(v) - (64 - bits) : -1;
}

#define PLAIN(NAME, D, A, EXPR, ...)                                                                                   \
    S1(NAME, SALU, D, A, __VA_ARGS__)                                                                                  \
    {                                                                                                                  \
        return EXPR;                                                                                                   \
    }
PLAIN(s_brev_b32, B32, B32, (uint32_t)(reverse(a) >> 32),
      ENC(OP(GFX8, SOP1, 0x08), OP(GFX10, SOP1, 0x0b), OP(GFX11, SOP1, 0x04)))
PLAIN(s_brev_b64, B64, B64, reverse(a), ENC(OP(GFX8, SOP1, 0x09), OP(GFX10, SOP1, 0x0c), OP(GFX11, SOP1, 0x05)))
PLAIN(s_ff0_i32_b32, I32, B32, lowest((uint32_t)~a),
      ENC(OP(GFX8, SOP1, 0x0e), OP(GFX10, SOP1, 0x11), GONE(GFX11, SOP1)))
PLAIN(s_ff0_i32_b64, I32, B64, lowest(~a), ENC(OP(GFX8, SOP1, 0x0f), OP(GFX10, SOP1, 0x12), GONE(GFX11, SOP1)))
PLAIN(s_ff1_i32_b32, I32, B32, lowest(a),
      ENC(OP(GFX8, SOP1, 0x10), OP(GFX10, SOP1, 0x13), AS(GFX11, SOP1, 0x08, "s_ctz_i32_b32")))
PLAIN(s_ff1_i32_b64, I32, B64, lowest(a),
      ENC(OP(GFX8, SOP1, 0x11), OP(GFX10, SOP1, 0x14), AS(GFX11, SOP1, 0x09, "s_ctz_i32_b64")))
PLAIN(s_flbit_i32_b32, I32, B32, leading(a, 32),
      ENC(OP(GFX8, SOP1, 0x12), OP(GFX10, SOP1, 0x15), AS(GFX11, SOP1, 0x0a, "s_clz_i32_u32")))
PLAIN(s_flbit_i32_b64, I32, B64, leading(a, 64),
      ENC(OP(GFX8, SOP1, 0x13), OP(GFX10, SOP1, 0x16), AS(GFX11, SOP1, 0x0b, "s_clz_i32_u64")))
/* how far from the top the first bit unlike the sign stands */
PLAIN(s_flbit_i32, I32, I32, leading((uint32_t)(a ^ (a >> 31)), 32),
      ENC(OP(GFX8, SOP1, 0x14), OP(GFX10, SOP1, 0x17), AS(GFX11, SOP1, 0x0c, "s_cls_i32")))
PLAIN(s_flbit_i32_i64, I32, I64, leading((uint64_t)(a ^ (a >> 63)), 64),
      ENC(OP(GFX8, SOP1, 0x15), OP(GFX10, SOP1, 0x18), AS(GFX11, SOP1, 0x0d, "s_cls_i32_i64")))
PLAIN(s_sext_i32_i8, I32, I32, (int8_t)a, ENC(OP(GFX8, SOP1, 0x16), OP(GFX10, SOP1, 0x19), OP(GFX11, SOP1, 0x0e)))
PLAIN(s_sext_i32_i16, I32, I32, (int16_t)a, ENC(OP(GFX8, SOP1, 0x17), OP(GFX10, SOP1, 0x1a), OP(GFX11, SOP1, 0x0f)))

S1(s_bitreplicate_b64_b32, SALU, B64, B32, ENC(OP(GFX9, SOP1, 0x37), OP(GFX10, SOP1, 0x3b), OP(GFX11, SOP1, 0x14)))
{
    uint64_t v = a;
    v = (v | v << 16) & UINT64_C(0x0000ffff0000ffff);
    v = (v | v << 8) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v | v << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    v = (v | v << 2) & UINT64_C(0x3333333333333333);
    v = (v | v << 1) & UINT64_C(0x5555555555555555);
    return v * 3;
}

/* --- EXEC saves: x is EXEC, s the source; the destination gets the old EXEC, SCC says "not zero" ----------------- */

static uint64_t exec_register(const struct isa_wave *w)
{
    return w->s[CODE_EXEC_LO] | (uint64_t)w->s[CODE_EXEC_HI] << 32;
}

#define EXEC_ROW(NAME, T, ...)                                                                                         \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SALU_SAVEEXEC, ROW_WIDE, 0, IMP_R_EXEC | IMP_W_EXEC | IMP_W_SCC).exec = NAME##_exec,               \
                                                                          .args = {{SL_SDST, T_##T, A_WR | A_SGPR},    \
                                                                                   {SL_SRC0, T_##T, A_RD}},            \
                                                                          ROW_TAIL_(NAME)
#define SAVEEXEC64(NAME, EXPR, ...)                                                                                    \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        uint64_t x = exec_register(w), s = sget64(w, i, 1), r = EXPR;                                                  \
        sput_code64(w, CODE_EXEC_LO, r);                                                                               \
        sput_code64(w, i->op[0].code, x);                                                                              \
        w->scc = r != 0;                                                                                               \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    EXEC_ROW(NAME, B64, __VA_ARGS__)
#define SAVEEXEC32(NAME, EXPR, ...)                                                                                    \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        uint32_t x = w->s[CODE_EXEC_LO], s = sget32(w, i, 1), r = EXPR;                                                \
        sput_code32(w, CODE_EXEC_LO, r);                                                                               \
        sput_code32(w, i->op[0].code, x);                                                                              \
        w->scc = r != 0;                                                                                               \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    EXEC_ROW(NAME, B32, __VA_ARGS__)

SAVEEXEC64(s_and_saveexec_b64, s &x, ENC(OP(GFX8, SOP1, 0x20), OP(GFX10, SOP1, 0x24), OP(GFX11, SOP1, 0x21)))
SAVEEXEC32(s_and_saveexec_b32, s &x, ENC(OP(GFX10, SOP1, 0x3c), OP(GFX11, SOP1, 0x20)))
SAVEEXEC64(s_or_saveexec_b64, s | x, ENC(OP(GFX8, SOP1, 0x21), OP(GFX10, SOP1, 0x25), OP(GFX11, SOP1, 0x23)))
SAVEEXEC32(s_or_saveexec_b32, s | x, ENC(OP(GFX10, SOP1, 0x3d), OP(GFX11, SOP1, 0x22)))
SAVEEXEC64(s_xor_saveexec_b64, s ^ x, ENC(OP(GFX8, SOP1, 0x22), OP(GFX10, SOP1, 0x26), OP(GFX11, SOP1, 0x25)))
SAVEEXEC32(s_xor_saveexec_b32, s ^ x, ENC(OP(GFX10, SOP1, 0x3e), OP(GFX11, SOP1, 0x24)))
SAVEEXEC64(s_andn2_saveexec_b64, s & ~x,
           ENC(OP(GFX8, SOP1, 0x23), OP(GFX10, SOP1, 0x27), AS(GFX11, SOP1, 0x31, "s_and_not1_saveexec_b64")))
SAVEEXEC32(s_andn2_saveexec_b32, s & ~x, ENC(OP(GFX10, SOP1, 0x3f), AS(GFX11, SOP1, 0x30, "s_and_not1_saveexec_b32")))
SAVEEXEC64(s_orn2_saveexec_b64, s | ~x,
           ENC(OP(GFX8, SOP1, 0x24), OP(GFX10, SOP1, 0x28), AS(GFX11, SOP1, 0x33, "s_or_not1_saveexec_b64")))
SAVEEXEC32(s_orn2_saveexec_b32, s | ~x, ENC(OP(GFX10, SOP1, 0x40), AS(GFX11, SOP1, 0x32, "s_or_not1_saveexec_b32")))
SAVEEXEC64(s_andn1_saveexec_b64, ~s &x,
           ENC(OP(GFX9, SOP1, 0x33), OP(GFX10, SOP1, 0x37), AS(GFX11, SOP1, 0x2d, "s_and_not0_saveexec_b64")))
SAVEEXEC32(s_andn1_saveexec_b32, ~s &x, ENC(OP(GFX10, SOP1, 0x44), AS(GFX11, SOP1, 0x2c, "s_and_not0_saveexec_b32")))
SAVEEXEC64(s_orn1_saveexec_b64, ~s | x,
           ENC(OP(GFX9, SOP1, 0x34), OP(GFX10, SOP1, 0x38), AS(GFX11, SOP1, 0x2f, "s_or_not0_saveexec_b64")))
SAVEEXEC32(s_orn1_saveexec_b32, ~s | x, ENC(OP(GFX10, SOP1, 0x45), AS(GFX11, SOP1, 0x2e, "s_or_not0_saveexec_b32")))
SAVEEXEC64(s_nand_saveexec_b64, ~(s &x), ENC(OP(GFX8, SOP1, 0x25), OP(GFX10, SOP1, 0x29), OP(GFX11, SOP1, 0x27)))
SAVEEXEC32(s_nand_saveexec_b32, ~(s &x), ENC(OP(GFX10, SOP1, 0x41), OP(GFX11, SOP1, 0x26)))
SAVEEXEC64(s_nor_saveexec_b64, ~(s | x), ENC(OP(GFX8, SOP1, 0x26), OP(GFX10, SOP1, 0x2a), OP(GFX11, SOP1, 0x29)))
SAVEEXEC32(s_nor_saveexec_b32, ~(s | x), ENC(OP(GFX10, SOP1, 0x42), OP(GFX11, SOP1, 0x28)))
SAVEEXEC64(s_xnor_saveexec_b64, ~(s ^ x), ENC(OP(GFX8, SOP1, 0x27), OP(GFX10, SOP1, 0x2b)))
SAVEEXEC32(s_xnor_saveexec_b32, ~(s ^ x), ENC(OP(GFX10, SOP1, 0x43), OP(GFX11, SOP1, 0x2a)))

/* the destination gets the new EXEC */
#define WREXEC64(NAME, EXPR, ...)                                                                                      \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        uint64_t x = exec_register(w), s = sget64(w, i, 1), r = EXPR;                                                  \
        sput_code64(w, CODE_EXEC_LO, r);                                                                               \
        sput_code64(w, i->op[0].code, r);                                                                              \
        w->scc = r != 0;                                                                                               \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    EXEC_ROW(NAME, B64, __VA_ARGS__)
#define WREXEC32(NAME, EXPR, ...)                                                                                      \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        uint32_t x = w->s[CODE_EXEC_LO], s = sget32(w, i, 1), r = EXPR;                                                \
        sput_code32(w, CODE_EXEC_LO, r);                                                                               \
        sput_code32(w, i->op[0].code, r);                                                                              \
        w->scc = r != 0;                                                                                               \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    EXEC_ROW(NAME, B32, __VA_ARGS__)
WREXEC64(s_andn1_wrexec_b64, ~s &x,
         ENC(OP(GFX9, SOP1, 0x35), OP(GFX10, SOP1, 0x39), AS(GFX11, SOP1, 0x35, "s_and_not0_wrexec_b64")))
WREXEC32(s_andn1_wrexec_b32, ~s &x, ENC(OP(GFX10, SOP1, 0x46), AS(GFX11, SOP1, 0x34, "s_and_not0_wrexec_b32")))
WREXEC64(s_andn2_wrexec_b64, s & ~x,
         ENC(OP(GFX9, SOP1, 0x36), OP(GFX10, SOP1, 0x3a), AS(GFX11, SOP1, 0x37, "s_and_not1_wrexec_b64")))
WREXEC32(s_andn2_wrexec_b32, s & ~x, ENC(OP(GFX10, SOP1, 0x47), AS(GFX11, SOP1, 0x36, "s_and_not1_wrexec_b32")))

/* --- program counter -------------------------------------------------------------------------------------------- */

/* w->pc is already past the instruction. RDNA4 clears the bits above the 48 of the program counter (LLVM
 * hasGetPCZeroExtension); compilers sign-extend by hand there. */
W(s_getpc_b64, SALU, 0, 0, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}),
  ENC(OP(GFX8, SOP1, 0x1c), OP(GFX10, SOP1, 0x1f), OP(GFX11, SOP1, 0x47), AS(GFX12_5, SOP1, 0x47, "s_get_pc_i64")))
{
    sput_code64(w, i->op[0].code, isa_has(w->target, FEAT_GETPC_ZEXT) ? w->pc & UINT64_C(0xffffffffffff) : w->pc);
    return ISA_OK;
}

W(s_setpc_b64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SRC0, T_B64, A_RD | A_REG}),
  ENC(OP(GFX8, SOP1, 0x1d), OP(GFX10, SOP1, 0x20), OP(GFX11, SOP1, 0x48), AS(GFX12_5, SOP1, 0x48, "s_set_pc_i64")))
{
    w->pc = sget64(w, i, 0) & ~UINT64_C(3);
    return ISA_OK;
}

W(s_swappc_b64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}, {SL_SRC0, T_B64, A_RD}),
  ENC(OP(GFX8, SOP1, 0x1e), OP(GFX10, SOP1, 0x21), OP(GFX11, SOP1, 0x49), AS(GFX12_5, SOP1, 0x49, "s_swap_pc_i64")))
{
    gaddr_t to = sget64(w, i, 1) & ~UINT64_C(3);
    sput_code64(w, i->op[0].code, w->pc);
    w->pc = to;
    return ISA_OK;
}

/* Outside a trap handler the privilege bit is clear already: a jump is all that is left. */
W(s_rfe_b64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SRC0, T_B64, A_RD | A_REG}),
  ENC(OP(GFX8, SOP1, 0x1f), OP(GFX10, SOP1, 0x22), OP(GFX11, SOP1, 0x4a), AS(GFX12_5, SOP1, 0x4a, "s_rfe_i64")))
{
    w->pc = sget64(w, i, 0) & ~UINT64_C(3);
    return ISA_OK;
}

/* --- relative moves: M0 is added to a register number ------------------------------------------------------------ */

/* True when SGPRs [reg, reg + dwords) are ones a program may index; otherwise records the fault. */
static bool indexable(struct isa_wave *w, uint64_t reg, unsigned dwords)
{
    if (reg + dwords <= w->target->sgpr_limit)
        return true;
    isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "relative move reaches s%llu, there are %u",
              (unsigned long long)(reg + dwords - 1), w->target->sgpr_limit);
    return false;
}

static int move_relative(struct isa_wave *w, unsigned to, unsigned from_op, const struct isa_inst *i, unsigned add_to,
                         unsigned add_from, unsigned dwords)
{
    uint64_t dst = (uint64_t)to + add_to, src = (uint64_t)i->op[from_op].code + add_from;
    uint32_t v[2] = {0, 0};

    if (i->op[from_op].code >= 128) { /* a constant: only the destination is indexed */
        uint64_t c = dwords == 2 ? sget64(w, i, from_op) : sget32(w, i, from_op);
        v[0] = (uint32_t)c;
        v[1] = (uint32_t)(c >> 32);
    } else {
        /* only what is indexed is limited: s_movreld may read vcc */
        if (add_from && !indexable(w, src, dwords))
            return ISA_FAULT;
        for (unsigned k = 0; k < dwords; k++)
            v[k] = w->s[src + k];
    }
    if (add_to && !indexable(w, dst, dwords))
        return ISA_FAULT;
    if (dwords == 2)
        sput_code64(w, (unsigned)dst, v[0] | (uint64_t)v[1] << 32);
    else
        sput_code32(w, (unsigned)dst, v[0]);
    return ISA_OK;
}

#define MOVREL(NAME, T, DWORDS, FROM, ADD_TO, ADD_FROM, ...)                                                           \
    W(NAME, SALU, 0, IMP_R_M0, ARGS({SL_SDST, T_##T, A_WR | A_SGPR}, {SL_SRC0, T_##T, A_RD | FROM}), __VA_ARGS__)      \
    {                                                                                                                  \
        uint32_t m0 = w->s[w->target->code_m0];                                                                        \
        (void)m0;                                                                                                      \
        return move_relative(w, i->op[0].code, 1, i, ADD_TO, ADD_FROM, DWORDS);                                        \
    }
MOVREL(s_movrels_b32, B32, 1, A_REG, 0, m0, ENC(OP(GFX8, SOP1, 0x2a), OP(GFX10, SOP1, 0x2e), OP(GFX11, SOP1, 0x40)))
MOVREL(s_movrels_b64, B64, 2, A_REG, 0, m0, ENC(OP(GFX8, SOP1, 0x2b), OP(GFX10, SOP1, 0x2f), OP(GFX11, SOP1, 0x41)))
MOVREL(s_movreld_b32, B32, 1, 0, m0, 0, ENC(OP(GFX8, SOP1, 0x2c), OP(GFX10, SOP1, 0x30), OP(GFX11, SOP1, 0x42)))
MOVREL(s_movreld_b64, B64, 2, 0, m0, 0, ENC(OP(GFX8, SOP1, 0x2d), OP(GFX10, SOP1, 0x31), OP(GFX11, SOP1, 0x43)))
MOVREL(s_movrelsd_2_b32, B32, 1, 0, m0 >> 16 & 1023, m0 & 1023, ENC(OP(GFX10, SOP1, 0x49), OP(GFX11, SOP1, 0x44)))

/* --- VGPR indexing of gfx8 and gfx9: while MODE.GPR_IDX_EN is set, M0[7:0] is added to the VGPR numbers of vector ALU
 * instructions, to src0, src1, src2 and vdst as M0[15:12] says (isa/lanes/operand.c) ------------------------------- */

static void set_m0_field(struct isa_wave *w, uint32_t v, unsigned at, unsigned bits)
{
    uint32_t *m0 = &w->s[w->target->code_m0], mask = ((1u << bits) - 1) << at;
    *m0 = (*m0 & ~mask) | (v << at & mask);
}

W(s_set_gpr_idx_on, SALU, 0, IMP_R_M0 | IMP_W_M0 | IMP_R_MODE | IMP_W_MODE,
  ARGS({SL_SRC0, T_B32, A_RD}, {SL_SRC1, T_GPRIDX, 0}), ENC(OP(GFX8, SOPC, 0x11), GONE(GFX10, SOPC)))
{
    uint32_t index = sget32(w, i, 0);
    set_m0_field(w, index, 0, 8);
    set_m0_field(w, i->op[1].code, 12, 4);
    isa_set_mode(w, w->mode_reg | MODE_GPR_IDX_EN);
    return ISA_OK;
}

W(s_set_gpr_idx_off, SALU, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_NONE, 0, 0}),
  ENC(OP(GFX8, SOPP, 0x1c), GONE(GFX10, SOPP)))
{
    isa_set_mode(w, w->mode_reg & ~(uint32_t)MODE_GPR_IDX_EN);
    return ISA_OK;
}

W(s_set_gpr_idx_idx, SALU, 0, IMP_R_M0 | IMP_W_M0, ARGS({SL_SRC0, T_B32, A_RD}),
  ENC(OP(GFX8, SOP1, 0x32), GONE(GFX10, SOP1)))
{
    set_m0_field(w, sget32(w, i, 0), 0, 8);
    return ISA_OK;
}

W(s_set_gpr_idx_mode, SALU, 0, IMP_R_M0 | IMP_W_M0, ARGS({SL_SIMM, T_GPRIDX, 0}),
  ENC(OP(GFX8, SOPP, 0x1d), GONE(GFX10, SOPP)))
{
    set_m0_field(w, (uint32_t)i->offset, 12, 4);
    return ISA_OK;
}
