/* Vector ALU, 32-bit integers: products, order, sums of absolute differences. */
#include "isa/table/shapes.h"

V2(v_mul_lo_u32, VALU_MUL, U32, U32, U32, RF_NO_DPP,
   ENC(OP(GFX8, VOP3, 0x285), OP(GFX10, VOP3, 0x169), OP(GFX11, VOP3, 0x32c)))
{
    return a * b;
}

V_U32_U32U32(v_mul_lo_i32, VALU_MUL, ENC(OP(GFX10, VOP3, 0x16b), GONE(GFX10_3, VOP3)))
{
    return a * b;
}

V2(v_mul_hi_u32, VALU_MUL, U32, U32, U32, RF_NO_DPP,
   ENC(OP(GFX8, VOP3, 0x286), OP(GFX10, VOP3, 0x16a), OP(GFX11, VOP3, 0x32d)))
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

V2(v_mul_hi_i32, VALU_MUL, I32, I32, I32, RF_NO_DPP,
   ENC(OP(GFX8, VOP3, 0x287), OP(GFX10, VOP3, 0x16c), OP(GFX11, VOP3, 0x32e)))
{
    return (int32_t)((int64_t)a * b >> 32);
}

static inline int32_t sext24(int32_t v)
{
    return (int32_t)((uint32_t)v << 8) >> 8;
}

V2(v_mul_u32_u24, VALU, U32, U32, U32, RF_INT_CLAMP, ENC(OP(GFX8, VOP2, 0x08), OP(GFX10, VOP2, 0x0b)))
{
    uint64_t r = (uint64_t)(a & 0xffffff) * (b & 0xffffff);
    return mode.clamp && r >> 32 ? 0xffffffff : (uint32_t)r;
}

V2(v_mul_hi_u32_u24, VALU, U32, U32, U32, 0, ENC(OP(GFX8, VOP2, 0x09), OP(GFX10, VOP2, 0x0c)))
{
    return (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32);
}

V2(v_mul_i32_i24, VALU, I32, I32, I32, RF_INT_CLAMP, ENC(OP(GFX8, VOP2, 0x06), OP(GFX10, VOP2, 0x09)))
{
    int64_t r = (int64_t)sext24(a) * sext24(b);
    int32_t bound = r < 0 ? INT32_MIN : INT32_MAX;
    return mode.clamp && r != (int32_t)r ? bound : (int32_t)r;
}

V2(v_mul_hi_i32_i24, VALU, I32, I32, I32, 0, ENC(OP(GFX8, VOP2, 0x07), OP(GFX10, VOP2, 0x0a)))
{
    return (int32_t)((int64_t)sext24(a) * sext24(b) >> 32);
}

V3(v_mad_u32_u24, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1c3), OP(GFX10, VOP3, 0x143), OP(GFX11, VOP3, 0x20b)))
{
    uint64_t r = (uint64_t)(a & 0xffffff) * (b & 0xffffff) + c;
    return mode.clamp && r >> 32 ? 0xffffffff : (uint32_t)r;
}

V3(v_mad_i32_i24, VALU, I32, I32, I32, I32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1c2), OP(GFX10, VOP3, 0x142), OP(GFX11, VOP3, 0x20a)))
{
    int64_t r = (int64_t)sext24(a) * sext24(b) + c;
    int64_t sat = r < INT32_MIN ? INT32_MIN : r > INT32_MAX ? INT32_MAX : r;
    return (int32_t)(mode.clamp ? sat : r);
}

V3_CO(v_mad_u64_u32, VALU_MAD64, U64, U32, U32, U64, RF_INT_CLAMP,
      ENC(OP(GFX8, VOP3, 0x1e8), OP(GFX10, VOP3, 0x176), OP(GFX11, VOP3, 0x2fe),
          AS(GFX12, VOP3, 0x2fe, "v_mad_co_u64_u32")))
{
    uint64_t r = (uint64_t)a * b + c;

    *cout = r < c;
    return mode.clamp && r < c ? UINT64_MAX : r;
}

/* the carry-out is bit 64 of the exact sum */
V3_CO(v_mad_i64_i32, VALU_MAD64, I64, I32, I32, I64, RF_INT_CLAMP,
      ENC(OP(GFX8, VOP3, 0x1e9), OP(GFX10, VOP3, 0x177), OP(GFX11, VOP3, 0x2ff),
          AS(GFX12, VOP3, 0x2ff, "v_mad_co_i64_i32")))
{
    int64_t p = (int64_t)a * b;
    uint64_t r = (uint64_t)p + (uint64_t)c;
    bool over = (((uint64_t)p ^ r) & ((uint64_t)c ^ r)) >> 63;

    *cout = (uint32_t)(r >> 63) ^ over;
    return mode.clamp && over ? (c < 0 ? INT64_MIN : INT64_MAX) : (int64_t)r;
}

/* --- order ------------------------------------------------------------------------------------------------------- */

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

V_I32_I32I32(v_min_i32, VALU,
             ENC(OP(GFX8, VOP2, 0x0c), OP(GFX10, VOP2, 0x11), OP(GFX12_5, VOPD3Y, 0x18), OP(GFX12_5, VOPDY, 0x18)))
{
    return MIN(a, b);
}

V_I32_I32I32(v_max_i32, VALU,
             ENC(OP(GFX8, VOP2, 0x0d), OP(GFX10, VOP2, 0x12), OP(GFX12_5, VOPD3Y, 0x17), OP(GFX12_5, VOPDY, 0x17)))
{
    return MAX(a, b);
}

V_U32_U32U32(v_min_u32, VALU, ENC(OP(GFX8, VOP2, 0x0e), OP(GFX10, VOP2, 0x13)))
{
    return MIN(a, b);
}

V_U32_U32U32(v_max_u32, VALU, ENC(OP(GFX8, VOP2, 0x0f), OP(GFX10, VOP2, 0x14)))
{
    return MAX(a, b);
}

V3(v_min3_i32, VALU, I32, I32, I32, I32, 0, ENC(OP(GFX8, VOP3, 0x1d1), OP(GFX10, VOP3, 0x152), OP(GFX11, VOP3, 0x21a)))
{
    int32_t r = MIN(a, b);
    return MIN(r, c);
}

V3(v_max3_i32, VALU, I32, I32, I32, I32, 0, ENC(OP(GFX8, VOP3, 0x1d4), OP(GFX10, VOP3, 0x155), OP(GFX11, VOP3, 0x21d)))
{
    int32_t r = MAX(a, b);
    return MAX(r, c);
}

V_U32_U32U32U32(v_min3_u32, VALU, ENC(OP(GFX8, VOP3, 0x1d2), OP(GFX10, VOP3, 0x153), OP(GFX11, VOP3, 0x21b)))
{
    uint32_t r = MIN(a, b);
    return MIN(r, c);
}

V_U32_U32U32U32(v_max3_u32, VALU, ENC(OP(GFX8, VOP3, 0x1d5), OP(GFX10, VOP3, 0x156), OP(GFX11, VOP3, 0x21e)))
{
    uint32_t r = MAX(a, b);
    return MAX(r, c);
}

V3(v_med3_i32, VALU, I32, I32, I32, I32, 0, ENC(OP(GFX8, VOP3, 0x1d7), OP(GFX10, VOP3, 0x158), OP(GFX11, VOP3, 0x220)))
{
    int32_t low = MIN(a, b), high = MAX(a, b), r = MIN(high, c);
    return MAX(low, r);
}

V_U32_U32U32U32(v_med3_u32, VALU, ENC(OP(GFX8, VOP3, 0x1d8), OP(GFX10, VOP3, 0x159), OP(GFX11, VOP3, 0x221)))
{
    uint32_t low = MIN(a, b), high = MAX(a, b), r = MIN(high, c);
    return MAX(low, r);
}

V3(v_minmax_i32, VALU, I32, I32, I32, I32, 0, ENC(OP(GFX11, VOP3, 0x265)))
{
    int32_t r = MIN(a, b);
    return MAX(r, c);
}

V3(v_maxmin_i32, VALU, I32, I32, I32, I32, 0, ENC(OP(GFX11, VOP3, 0x264)))
{
    int32_t r = MAX(a, b);
    return MIN(r, c);
}

V_U32_U32U32U32(v_minmax_u32, VALU, ENC(OP(GFX11, VOP3, 0x263)))
{
    uint32_t r = MIN(a, b);
    return MAX(r, c);
}

V_U32_U32U32U32(v_maxmin_u32, VALU, ENC(OP(GFX11, VOP3, 0x262)))
{
    uint32_t r = MAX(a, b);
    return MIN(r, c);
}

/* --- sums of absolute differences of bytes ------------------------------------------------------------------------ */

static inline uint32_t byte_of(uint32_t v, unsigned k)
{
    return v >> 8 * k & 0xff;
}

static inline uint32_t absdiff(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static inline uint32_t sad_u8(uint32_t a, uint32_t b)
{
    return absdiff(byte_of(a, 0), byte_of(b, 0)) + absdiff(byte_of(a, 1), byte_of(b, 1)) +
           absdiff(byte_of(a, 2), byte_of(b, 2)) + absdiff(byte_of(a, 3), byte_of(b, 3));
}

/* bytes of b that are zero do not count */
static inline uint32_t msad_u8(uint32_t a, uint32_t b)
{
    uint32_t r = 0;

    for (unsigned k = 0; k < 4; k++)
        r += byte_of(b, k) ? absdiff(byte_of(a, k), byte_of(b, k)) : 0;
    return r;
}

static inline uint32_t add_clamp(uint32_t a, uint32_t b, bool clamp)
{
    uint32_t r = a + b;
    return clamp && r < a ? 0xffffffff : r;
}

V3(v_sad_u8, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1d9), OP(GFX10, VOP3, 0x15a), OP(GFX11, VOP3, 0x222)))
{
    return add_clamp(sad_u8(a, b), c, mode.clamp);
}

V3(v_sad_hi_u8, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1da), OP(GFX10, VOP3, 0x15b), OP(GFX11, VOP3, 0x223)))
{
    return add_clamp(sad_u8(a, b) << 16, c, mode.clamp);
}

V3(v_sad_u16, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1db), OP(GFX10, VOP3, 0x15c), OP(GFX11, VOP3, 0x224)))
{
    return add_clamp(absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16), c, mode.clamp);
}

V3(v_sad_u32, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1dc), OP(GFX10, VOP3, 0x15d), OP(GFX11, VOP3, 0x225)))
{
    return add_clamp(absdiff(a, b), c, mode.clamp);
}

V3(v_msad_u8, VALU, U32, U32, U32, U32, RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1e4), OP(GFX10, VOP3, 0x171), OP(GFX11, VOP3, 0x239)))
{
    return add_clamp(msad_u8(a, b), c, mode.clamp);
}

/* four sums over windows of a that slide by a byte */
static inline uint64_t quad_sums(uint64_t a, uint32_t b, uint64_t c, bool masked, bool clamp)
{
    uint64_t r = 0;

    for (unsigned k = 0; k < 4; k++) {
        uint32_t window = (uint32_t)(a >> 8 * k), sum = masked ? msad_u8(window, b) : sad_u8(window, b);
        sum += (uint32_t)(c >> 16 * k) & 0xffff;
        sum = clamp && sum > 0xffff ? 0xffff : sum & 0xffff;
        r |= (uint64_t)sum << 16 * k;
    }
    return r;
}

V3(v_qsad_pk_u16_u8, VALU_MAD64, B64, B64, B32, B64, RF_NO_DPP | RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1e5), OP(GFX10, VOP3, 0x172), OP(GFX11, VOP3, 0x23a)))
{
    return quad_sums(a, b, c, false, mode.clamp);
}

V3(v_mqsad_pk_u16_u8, VALU_MAD64, B64, B64, B32, B64, RF_NO_DPP | RF_INT_CLAMP,
   ENC(OP(GFX8, VOP3, 0x1e6), OP(GFX10, VOP3, 0x173), OP(GFX11, VOP3, 0x23b)))
{
    return quad_sums(a, b, c, true, mode.clamp);
}

/* average of bytes; the low bit of c's byte says whether a half rounds up */
V_U32_U32U32U32(v_lerp_u8, VALU, ENC(OP(GFX8, VOP3, 0x1cd), OP(GFX10, VOP3, 0x14d), OP(GFX11, VOP3, 0x215)))
{
    uint32_t r = 0;

    for (unsigned k = 0; k < 4; k++)
        r |= ((byte_of(a, k) + byte_of(b, k) + (byte_of(c, k) & 1)) >> 1) << 8 * k;
    return r;
}
