/* Scalar ALU, two sources. SCC rules: AMD ISA manuals GCN3, Vega, CDNA3, RDNA1-4, "SOP2 instructions". */
#include "isa/table/shapes.h"

/* --- add and subtract ------------------------------------------------------------------------------------------- */

S2_SCC(s_add_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x00), AS(GFX12, SOP2, 0x00, "s_add_co_u32")))
{
    uint32_t r = a + b;
    *scc = r < a;
    return r;
}

S2_SCC(s_sub_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x01), AS(GFX12, SOP2, 0x01, "s_sub_co_u32")))
{
    *scc = b > a;
    return a - b;
}

/* SCC is signed overflow */
S2_SCC(s_add_i32, SALU, I32, I32, I32, ENC(OP(GFX8, SOP2, 0x02), AS(GFX12, SOP2, 0x02, "s_add_co_i32")))
{
    int32_t r;
    *scc = __builtin_add_overflow(a, b, &r);
    return r;
}

S2_SCC(s_sub_i32, SALU, I32, I32, I32, ENC(OP(GFX8, SOP2, 0x03), AS(GFX12, SOP2, 0x03, "s_sub_co_i32")))
{
    int32_t r;
    *scc = __builtin_sub_overflow(a, b, &r);
    return r;
}

S2_RWSCC(s_addc_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x04), AS(GFX12, SOP2, 0x04, "s_add_co_ci_u32")))
{
    uint64_t r = (uint64_t)a + b + *scc;
    *scc = r >> 32 != 0;
    return (uint32_t)r;
}

S2_RWSCC(s_subb_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x05), AS(GFX12, SOP2, 0x05, "s_sub_co_ci_u32")))
{
    uint32_t r = a - b - *scc;
    *scc = (uint64_t)b + *scc > a;
    return r;
}

S2(s_add_nc_u64, SALU, U64, U64, U64, ENC(OP(GFX12, SOP2, 0x53)))
{
    return a + b;
}

S2(s_sub_nc_u64, SALU, U64, U64, U64, ENC(OP(GFX12, SOP2, 0x54)))
{
    return a - b;
}

S2_SCC(s_absdiff_i32, SALU, I32, I32, I32, ENC(OP(GFX8, SOP2, 0x2a), OP(GFX10, SOP2, 0x2c), OP(GFX11, SOP2, 0x06)))
{
    uint32_t r = (uint32_t)a - (uint32_t)b;
    r = r >> 31 ? 0 - r : r;
    *scc = r != 0;
    return (int32_t)r;
}

/* SCC is the carry out of shift and add together */
#define LSHL_ADD(NAME, SHIFT, ...)                                                                                     \
    S2_SCC(NAME, SALU, U32, U32, U32, __VA_ARGS__)                                                                     \
    {                                                                                                                  \
        uint64_t r = ((uint64_t)a << SHIFT) + b;                                                                       \
        *scc = r >> 32 != 0;                                                                                           \
        return (uint32_t)r;                                                                                            \
    }
LSHL_ADD(s_lshl1_add_u32, 1, ENC(OP(GFX9, SOP2, 0x2e), OP(GFX11, SOP2, 0x0e)))
LSHL_ADD(s_lshl2_add_u32, 2, ENC(OP(GFX9, SOP2, 0x2f), OP(GFX11, SOP2, 0x0f)))
LSHL_ADD(s_lshl3_add_u32, 3, ENC(OP(GFX9, SOP2, 0x30), OP(GFX11, SOP2, 0x10)))
LSHL_ADD(s_lshl4_add_u32, 4, ENC(OP(GFX9, SOP2, 0x31), OP(GFX11, SOP2, 0x11)))

/* --- minimum and maximum: SCC says that the first source was taken ---------------------------------------------- */

S2_SCC(s_min_i32, SALU, I32, I32, I32, ENC(OP(GFX8, SOP2, 0x06), OP(GFX11, SOP2, 0x12)))
{
    *scc = a < b;
    return a < b ? a : b;
}

S2_SCC(s_min_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x07), OP(GFX11, SOP2, 0x13)))
{
    *scc = a < b;
    return a < b ? a : b;
}

S2_SCC(s_max_i32, SALU, I32, I32, I32, ENC(OP(GFX8, SOP2, 0x08), OP(GFX11, SOP2, 0x14)))
{
    *scc = a >= b;
    return a >= b ? a : b;
}

S2_SCC(s_max_u32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x09), OP(GFX11, SOP2, 0x15)))
{
    *scc = a >= b;
    return a >= b ? a : b;
}

/* --- select ----------------------------------------------------------------------------------------------------- */

S2_(s_cselect_b32, SALU, B32, B32, B32, RF_BITWISE, IMP_R_SCC, ENC(OP(GFX8, SOP2, 0x0a), OP(GFX11, SOP2, 0x30)))
{
    return *scc ? a : b;
}

S2_(s_cselect_b64, SALU, B64, B64, B64, RF_BITWISE, IMP_R_SCC, ENC(OP(GFX8, SOP2, 0x0b), OP(GFX11, SOP2, 0x31)))
{
    return *scc ? a : b;
}

/* --- logic: SCC is "not zero" ----------------------------------------------------------------------------------- */

#define LOGIC(NAME, T, EXPR, ...)                                                                                      \
    S2_(NAME, SALU, T, T, T, RF_BITWISE, IMP_W_SCC, __VA_ARGS__)                                                       \
    {                                                                                                                  \
        L_##T r = EXPR;                                                                                                \
        *scc = r != 0;                                                                                                 \
        return r;                                                                                                      \
    }
LOGIC(s_and_b32, B32, a &b, ENC(OP(GFX8, SOP2, 0x0c), OP(GFX10, SOP2, 0x0e), OP(GFX11, SOP2, 0x16)))
LOGIC(s_and_b64, B64, a &b, ENC(OP(GFX8, SOP2, 0x0d), OP(GFX10, SOP2, 0x0f), OP(GFX11, SOP2, 0x17)))
LOGIC(s_or_b32, B32, a | b, ENC(OP(GFX8, SOP2, 0x0e), OP(GFX10, SOP2, 0x10), OP(GFX11, SOP2, 0x18)))
LOGIC(s_or_b64, B64, a | b, ENC(OP(GFX8, SOP2, 0x0f), OP(GFX10, SOP2, 0x11), OP(GFX11, SOP2, 0x19)))
LOGIC(s_xor_b32, B32, a ^ b, ENC(OP(GFX8, SOP2, 0x10), OP(GFX10, SOP2, 0x12), OP(GFX11, SOP2, 0x1a)))
LOGIC(s_xor_b64, B64, a ^ b, ENC(OP(GFX8, SOP2, 0x11), OP(GFX10, SOP2, 0x13), OP(GFX11, SOP2, 0x1b)))
LOGIC(s_andn2_b32, B32, a & ~b,
      ENC(OP(GFX8, SOP2, 0x12), OP(GFX10, SOP2, 0x14), AS(GFX11, SOP2, 0x22, "s_and_not1_b32")))
LOGIC(s_andn2_b64, B64, a & ~b,
      ENC(OP(GFX8, SOP2, 0x13), OP(GFX10, SOP2, 0x15), AS(GFX11, SOP2, 0x23, "s_and_not1_b64")))
LOGIC(s_orn2_b32, B32, a | ~b, ENC(OP(GFX8, SOP2, 0x14), OP(GFX10, SOP2, 0x16), AS(GFX11, SOP2, 0x24, "s_or_not1_b32")))
LOGIC(s_orn2_b64, B64, a | ~b, ENC(OP(GFX8, SOP2, 0x15), OP(GFX10, SOP2, 0x17), AS(GFX11, SOP2, 0x25, "s_or_not1_b64")))
LOGIC(s_nand_b32, B32, ~(a &b), ENC(OP(GFX8, SOP2, 0x16), OP(GFX10, SOP2, 0x18), OP(GFX11, SOP2, 0x1c)))
LOGIC(s_nand_b64, B64, ~(a &b), ENC(OP(GFX8, SOP2, 0x17), OP(GFX10, SOP2, 0x19), OP(GFX11, SOP2, 0x1d)))
LOGIC(s_nor_b32, B32, ~(a | b), ENC(OP(GFX8, SOP2, 0x18), OP(GFX10, SOP2, 0x1a), OP(GFX11, SOP2, 0x1e)))
LOGIC(s_nor_b64, B64, ~(a | b), ENC(OP(GFX8, SOP2, 0x19), OP(GFX10, SOP2, 0x1b), OP(GFX11, SOP2, 0x1f)))
LOGIC(s_xnor_b32, B32, ~(a ^ b), ENC(OP(GFX8, SOP2, 0x1a), OP(GFX10, SOP2, 0x1c), OP(GFX11, SOP2, 0x20)))
LOGIC(s_xnor_b64, B64, ~(a ^ b), ENC(OP(GFX8, SOP2, 0x1b), OP(GFX10, SOP2, 0x1d), OP(GFX11, SOP2, 0x21)))

/* --- shifts and bit fields: SCC is "not zero" ------------------------------------------------------------------- */

#define SHIFT(NAME, T, EXPR, ...)                                                                                      \
    S2_(NAME, SALU, T, T, U32, RF_BITWISE, IMP_W_SCC, __VA_ARGS__)                                                     \
    {                                                                                                                  \
        L_##T r = EXPR;                                                                                                \
        *scc = r != 0;                                                                                                 \
        return r;                                                                                                      \
    }
SHIFT(s_lshl_b32, B32, a << (b & 31), ENC(OP(GFX8, SOP2, 0x1c), OP(GFX10, SOP2, 0x1e), OP(GFX11, SOP2, 0x08)))
SHIFT(s_lshl_b64, B64, a << (b & 63), ENC(OP(GFX8, SOP2, 0x1d), OP(GFX10, SOP2, 0x1f), OP(GFX11, SOP2, 0x09)))
SHIFT(s_lshr_b32, B32, a >> (b & 31), ENC(OP(GFX8, SOP2, 0x1e), OP(GFX10, SOP2, 0x20), OP(GFX11, SOP2, 0x0a)))
SHIFT(s_lshr_b64, B64, a >> (b & 63), ENC(OP(GFX8, SOP2, 0x1f), OP(GFX10, SOP2, 0x21), OP(GFX11, SOP2, 0x0b)))
SHIFT(s_ashr_i32, I32, a >> (b & 31), ENC(OP(GFX8, SOP2, 0x20), OP(GFX10, SOP2, 0x22), OP(GFX11, SOP2, 0x0c)))
SHIFT(s_ashr_i64, I64, a >> (b & 63), ENC(OP(GFX8, SOP2, 0x21), OP(GFX10, SOP2, 0x23), OP(GFX11, SOP2, 0x0d)))

/* width ones, 0 to 64 of them */
static inline uint64_t ones(unsigned width)
{
    return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* the low `width` bits of v as a signed number; width 0 gives 0 */
static inline int64_t sign_field(uint64_t v, unsigned width)
{
    return width == 0 ? 0 : bits_sext(v, width > 64 ? 64 : width);
}

S2(s_bfm_b32, SALU, B32, U32, U32, ENC(OP(GFX8, SOP2, 0x22), OP(GFX10, SOP2, 0x24), OP(GFX11, SOP2, 0x2a)))
{
    return (uint32_t)ones(a & 31) << (b & 31);
}

S2(s_bfm_b64, SALU, B64, U32, U32, ENC(OP(GFX8, SOP2, 0x23), OP(GFX10, SOP2, 0x25), OP(GFX11, SOP2, 0x2b)))
{
    return ones(a & 63) << (b & 63);
}

/* src1: offset in [5:0], width in [22:16] */
SHIFT(s_bfe_u32, U32, (a >> (b & 31)) & (uint32_t)ones(b >> 16 & 127),
      ENC(OP(GFX8, SOP2, 0x25), OP(GFX10, SOP2, 0x27), OP(GFX11, SOP2, 0x26)))
SHIFT(s_bfe_i32, I32, (int32_t)sign_field((uint64_t)(int64_t)(a >> (b & 31)), b >> 16 & 127),
      ENC(OP(GFX8, SOP2, 0x26), OP(GFX10, SOP2, 0x28), OP(GFX11, SOP2, 0x27)))
SHIFT(s_bfe_u64, U64, (a >> (b & 63)) & ones(b >> 16 & 127),
      ENC(OP(GFX8, SOP2, 0x27), OP(GFX10, SOP2, 0x29), OP(GFX11, SOP2, 0x28)))
SHIFT(s_bfe_i64, I64, sign_field((uint64_t)(a >> (b & 63)), b >> 16 & 127),
      ENC(OP(GFX8, SOP2, 0x28), OP(GFX10, SOP2, 0x2a), OP(GFX11, SOP2, 0x29)))

/* --- multiply --------------------------------------------------------------------------------------------------- */

S2(s_mul_i32, SALU, U32, U32, U32, ENC(OP(GFX8, SOP2, 0x24), OP(GFX10, SOP2, 0x26), OP(GFX11, SOP2, 0x2c)))
{
    return a * b;
}

S2(s_mul_hi_u32, SALU, U32, U32, U32, ENC(OP(GFX9, SOP2, 0x2c), OP(GFX10, SOP2, 0x35), OP(GFX11, SOP2, 0x2d)))
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

S2(s_mul_hi_i32, SALU, I32, I32, I32, ENC(OP(GFX9, SOP2, 0x2d), OP(GFX10, SOP2, 0x36), OP(GFX11, SOP2, 0x2e)))
{
    return (int32_t)((int64_t)a * b >> 32);
}

S2(s_mul_u64, SALU, U64, U64, U64, ENC(OP(GFX12, SOP2, 0x55)))
{
    return a * b;
}

/* --- pack ------------------------------------------------------------------------------------------------------- */

S2_(s_pack_ll_b32_b16, SALU, B32, B32, B32, RF_BITWISE, 0, ENC(OP(GFX9, SOP2, 0x32)))
{
    return (a & 0xffff) | b << 16;
}

S2_(s_pack_lh_b32_b16, SALU, B32, B32, B32, RF_BITWISE, 0, ENC(OP(GFX9, SOP2, 0x33)))
{
    return (a & 0xffff) | (b & 0xffff0000);
}

S2_(s_pack_hh_b32_b16, SALU, B32, B32, B32, RF_BITWISE, 0, ENC(OP(GFX9, SOP2, 0x34)))
{
    return a >> 16 | (b & 0xffff0000);
}

S2_(s_pack_hl_b32_b16, SALU, B32, B32, B32, RF_BITWISE, 0, ENC(OP(GFX11, SOP2, 0x35)))
{
    return a >> 16 | b << 16;
}

/* --- compare: the truth goes to SCC ----------------------------------------------------------------------------- */

#define COMPARE(NAME, T, EXPR, ...)                                                                                    \
    SC(NAME, SALU, T, T, __VA_ARGS__)                                                                                  \
    {                                                                                                                  \
        return EXPR;                                                                                                   \
    }
COMPARE(s_cmp_eq_i32, I32, a == b, ENC(OP(GFX8, SOPC, 0x00)))
COMPARE(s_cmp_lg_i32, I32, a != b, ENC(OP(GFX8, SOPC, 0x01)))
COMPARE(s_cmp_gt_i32, I32, a > b, ENC(OP(GFX8, SOPC, 0x02)))
COMPARE(s_cmp_ge_i32, I32, a >= b, ENC(OP(GFX8, SOPC, 0x03)))
COMPARE(s_cmp_lt_i32, I32, a < b, ENC(OP(GFX8, SOPC, 0x04)))
COMPARE(s_cmp_le_i32, I32, a <= b, ENC(OP(GFX8, SOPC, 0x05)))
COMPARE(s_cmp_eq_u32, U32, a == b, ENC(OP(GFX8, SOPC, 0x06)))
COMPARE(s_cmp_lg_u32, U32, a != b, ENC(OP(GFX8, SOPC, 0x07)))
COMPARE(s_cmp_gt_u32, U32, a > b, ENC(OP(GFX8, SOPC, 0x08)))
COMPARE(s_cmp_ge_u32, U32, a >= b, ENC(OP(GFX8, SOPC, 0x09)))
COMPARE(s_cmp_lt_u32, U32, a < b, ENC(OP(GFX8, SOPC, 0x0a)))
COMPARE(s_cmp_le_u32, U32, a <= b, ENC(OP(GFX8, SOPC, 0x0b)))
COMPARE(s_cmp_eq_u64, U64, a == b, ENC(OP(GFX8, SOPC, 0x12), OP(GFX11, SOPC, 0x10)))
COMPARE(s_cmp_lg_u64, U64, a != b, ENC(OP(GFX8, SOPC, 0x13), OP(GFX11, SOPC, 0x11)))

#define BITCMP(NAME, T, EXPR, ...)                                                                                     \
    SC(NAME, SALU, T, U32, __VA_ARGS__)                                                                                \
    {                                                                                                                  \
        return EXPR;                                                                                                   \
    }
BITCMP(s_bitcmp0_b32, B32, !(a >> (b & 31) & 1), ENC(OP(GFX8, SOPC, 0x0c)))
BITCMP(s_bitcmp1_b32, B32, a >> (b & 31) & 1, ENC(OP(GFX8, SOPC, 0x0d)))
BITCMP(s_bitcmp0_b64, B64, !(a >> (b & 63) & 1), ENC(OP(GFX8, SOPC, 0x0e)))
BITCMP(s_bitcmp1_b64, B64, a >> (b & 63) & 1, ENC(OP(GFX8, SOPC, 0x0f)))

/* --- vector instructions off and on ------------------------------------------------------------------------------ */

W(s_setvskip, SALU, 0, IMP_R_MODE | IMP_W_MODE, ARGS({SL_SRC0, T_B32, A_RD}, {SL_SRC1, T_B32, A_RD}),
  ENC(OP(GFX8, SOPC, 0x10), GONE(GFX10, SOPC)))
{
    bool skip = sget32(w, i, 0) >> (sget32(w, i, 1) & 31) & 1;

    isa_set_mode(w, (w->mode_reg & ~(uint32_t)MODE_VSKIP) | (skip ? (uint32_t)MODE_VSKIP : 0));
    return ISA_OK;
}

/* Outside a trap handler there is no privilege to give up: a jump is all that is left. */
W(s_rfe_restore_b64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SRC0, T_B64, A_RD}, {SL_SRC1, T_B32, A_RD}),
  ENC(OP(GFX8, SOP2, 0x2b), GONE(GFX10, SOP2)))
{
    w->pc = sget64(w, i, 0) & ~UINT64_C(3);
    return ISA_OK;
}
