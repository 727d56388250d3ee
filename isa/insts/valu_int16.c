/* Vector ALU, 16-bit integers. Since gfx9, instructions that take op_sel keep the half they do not write; the older
 * ones clear it before gfx10 (LLVM 19 GCNSubtarget::zeroesHigh16BitsOfDest). The clamp bit saturates.
 */
#include "isa/table/shapes.h"

#define KEEP               RF_D16_KEEP_HI
#define V2U(N, FLAGS, ...) V2(N, VALU_DUAL, U16, U16, U16, FLAGS, __VA_ARGS__)
#define V2I(N, FLAGS, ...) V2(N, VALU_DUAL, I16, I16, I16, FLAGS, __VA_ARGS__)
#define V3U(N, FLAGS, ...) V3(N, VALU, U16, U16, U16, U16, FLAGS, __VA_ARGS__)
#define V3I(N, FLAGS, ...) V3(N, VALU, I16, I16, I16, I16, FLAGS, __VA_ARGS__)

static inline uint16_t fit_u16(int32_t v, bool clamp)
{
    int32_t s = v < 0 ? 0 : v > 0xffff ? 0xffff : v;
    return (uint16_t)(clamp ? s : v);
}

static inline int16_t fit_i16(int32_t v, bool clamp)
{
    int32_t s = v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v;
    return (int16_t)(clamp ? s : v);
}

static inline int32_t min2(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t max2(int32_t a, int32_t b)
{
    return a < b ? b : a;
}

static inline int32_t med3(int32_t a, int32_t b, int32_t c)
{
    return max2(min2(a, b), min2(max2(a, b), c));
}

/* --- add and subtract --------------------------------------------------------------------------------------------- */

V2U(v_add_u16, RF_INT_CLAMP, ENC(OP(GFX8, VOP2, 0x26), AS(GFX10, VOP3, 0x303, "v_add_nc_u16")))
{
    return fit_u16(a + b, mode.clamp);
}

V2U(v_sub_u16, RF_INT_CLAMP, ENC(OP(GFX8, VOP2, 0x27), AS(GFX10, VOP3, 0x304, "v_sub_nc_u16")))
{
    return fit_u16(a - b, mode.clamp);
}

V2U(v_subrev_u16, RF_INT_CLAMP, ENC(OP(GFX8, VOP2, 0x28), GONE(GFX10, VOP2)))
{
    return fit_u16(b - a, mode.clamp);
}

V2I(v_add_i16, RF_INT_CLAMP | KEEP, ENC(OP(GFX9, VOP3, 0x29e), AS(GFX10, VOP3, 0x30d, "v_add_nc_i16")))
{
    return fit_i16(a + b, mode.clamp);
}

V2I(v_sub_i16, RF_INT_CLAMP | KEEP, ENC(OP(GFX9, VOP3, 0x29f), AS(GFX10, VOP3, 0x30e, "v_sub_nc_i16")))
{
    return fit_i16(a - b, mode.clamp);
}

/* --- multiply ------------------------------------------------------------------------------------------------------
 */

V2U(v_mul_lo_u16, RF_INT_CLAMP | RF_QUIET_OP_SEL | RF_NO_CLAMP, ENC(OP(GFX8, VOP2, 0x29), OP(GFX10, VOP3, 0x305)))
{
    return (uint16_t)((uint32_t)a * b);
}

static inline uint16_t mad_u16(uint16_t a, uint16_t b, uint16_t c, bool clamp)
{
    uint64_t v = (uint64_t)a * b + c;
    return (uint16_t)(clamp && v > 0xffff ? 0xffff : v);
}

V3U(v_mad_legacy_u16, RF_INT_CLAMP | RF_QUIET_OP_SEL,
    ENC(AS(GFX8, VOP3, 0x1eb, "v_mad_u16"), OP(GFX9, VOP3, 0x1eb), GONE(GFX10, VOP3)))
{
    return mad_u16(a, b, c, mode.clamp);
}

V3(v_mad_u16, VALU_DUAL, U16, U16, U16, U16, RF_INT_CLAMP | KEEP,
   ENC(OP(GFX9, VOP3, 0x204), OP(GFX10, VOP3, 0x340), OP(GFX11, VOP3, 0x241)))
{
    return mad_u16(a, b, c, mode.clamp);
}

V3I(v_mad_legacy_i16, RF_INT_CLAMP | RF_QUIET_OP_SEL,
    ENC(AS(GFX8, VOP3, 0x1ec, "v_mad_i16"), OP(GFX9, VOP3, 0x1ec), GONE(GFX10, VOP3)))
{
    return fit_i16(a * b + c, mode.clamp);
}

V3(v_mad_i16, VALU_DUAL, I16, I16, I16, I16, RF_INT_CLAMP | KEEP,
   ENC(OP(GFX9, VOP3, 0x205), OP(GFX10, VOP3, 0x35e), OP(GFX11, VOP3, 0x253)))
{
    return fit_i16(a * b + c, mode.clamp);
}

V3(v_mad_u32_u16, VALU, U32, U16, U16, U32, RF_INT_CLAMP,
   ENC(OP(GFX9, VOP3, 0x1f1), OP(GFX10, VOP3, 0x373), OP(GFX11, VOP3, 0x259)))
{
    uint64_t v = (uint64_t)((uint32_t)a * b) + c;
    return mode.clamp && v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

V3(v_mad_i32_i16, VALU, I32, I16, I16, I32, RF_INT_CLAMP,
   ENC(OP(GFX9, VOP3, 0x1f2), OP(GFX10, VOP3, 0x375), OP(GFX11, VOP3, 0x25a)))
{
    int64_t v = (int64_t)a * b + c, s = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
    return (int32_t)(mode.clamp ? s : v);
}

/* --- minimum, maximum, median --------------------------------------------------------------------------------------
 */

V2U(v_max_u16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x2f), OP(GFX10, VOP3, 0x309)))
{
    return (uint16_t)max2(a, b);
}

V2I(v_max_i16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x30), OP(GFX10, VOP3, 0x30a)))
{
    return (int16_t)max2(a, b);
}

V2U(v_min_u16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x31), OP(GFX10, VOP3, 0x30b)))
{
    return (uint16_t)min2(a, b);
}

V2I(v_min_i16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x32), OP(GFX10, VOP3, 0x30c)))
{
    return (int16_t)min2(a, b);
}

V3U(v_min3_u16, KEEP, ENC(OP(GFX9, VOP3, 0x1f6), OP(GFX10, VOP3, 0x353), OP(GFX11, VOP3, 0x24b)))
{
    return (uint16_t)min2(min2(a, b), c);
}

V3I(v_min3_i16, KEEP, ENC(OP(GFX9, VOP3, 0x1f5), OP(GFX10, VOP3, 0x352), OP(GFX11, VOP3, 0x24a)))
{
    return (int16_t)min2(min2(a, b), c);
}

V3U(v_max3_u16, KEEP, ENC(OP(GFX9, VOP3, 0x1f9), OP(GFX10, VOP3, 0x356), OP(GFX11, VOP3, 0x24e)))
{
    return (uint16_t)max2(max2(a, b), c);
}

V3I(v_max3_i16, KEEP, ENC(OP(GFX9, VOP3, 0x1f8), OP(GFX10, VOP3, 0x355), OP(GFX11, VOP3, 0x24d)))
{
    return (int16_t)max2(max2(a, b), c);
}

V3U(v_med3_u16, KEEP, ENC(OP(GFX9, VOP3, 0x1fc), OP(GFX10, VOP3, 0x359), OP(GFX11, VOP3, 0x251)))
{
    return (uint16_t)med3(a, b, c);
}

V3I(v_med3_i16, KEEP, ENC(OP(GFX9, VOP3, 0x1fb), OP(GFX10, VOP3, 0x358), OP(GFX11, VOP3, 0x250)))
{
    return (int16_t)med3(a, b, c);
}

/* --- shifts and bits ------------------------------------------------------------------------------------------------
 */

V2U(v_lshlrev_b16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x2a), OP(GFX10, VOP3, 0x314), OP(GFX11, VOP3, 0x338)))
{
    return (uint16_t)((uint32_t)b << (a & 15));
}

V2U(v_lshrrev_b16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x2b), OP(GFX10, VOP3, 0x307), OP(GFX11, VOP3, 0x339)))
{
    return (uint16_t)(b >> (a & 15));
}

V2I(v_ashrrev_i16, RF_QUIET_OP_SEL, ENC(OP(GFX8, VOP2, 0x2c), OP(GFX10, VOP3, 0x308), OP(GFX11, VOP3, 0x33a)))
{
    return (int16_t)(b >> (a & 15));
}

V2(v_and_b16, VALU_DUAL, B16, B16, B16, RF_QUIET_OP_SEL, ENC(OP(GFX11, VOP3, 0x362)))
{
    return a & b;
}

V2(v_or_b16, VALU_DUAL, B16, B16, B16, RF_QUIET_OP_SEL, ENC(OP(GFX11, VOP3, 0x363)))
{
    return a | b;
}

V2(v_xor_b16, VALU_DUAL, B16, B16, B16, RF_QUIET_OP_SEL, ENC(OP(GFX11, VOP3, 0x364)))
{
    return a ^ b;
}

V1(v_not_b16, VALU_DUAL, B16, B16, 0, ENC(OP(GFX11, VOP1, 0x69)))
{
    return (uint16_t)~a;
}

/* between named halves of registers */
V1(v_mov_b16, VALU_DUAL, B16, B16, RF_BITWISE | RF_TRUE16 | RF_NO_SDWA, ENC(OP(GFX11, VOP1, 0x1c)))
{
    return a;
}

V2_CI(v_cndmask_b16, VALU_DUAL, B16, B16, B16, RF_QUIET_OP_SEL | RF_BITWISE, ENC(OP(GFX11, VOP3, 0x25d)))
{
    return ci ? b : a;
}
