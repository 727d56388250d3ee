/* Dot products with accumulate. Integer sums are exact and saturate only once, at the end, when the clamp bit is set.
 * Floating sums take the products in order with one rounding each (pseudocode of CDNA4 and RDNA4; hardware documents no
 * other order).
 */
#include "isa/lanes/fp_half.h"
#include "isa/lanes/half_rows.h"
#include "isa/table/shapes.h"

static inline int32_t fit_i32(int64_t v, bool clamp)
{
    int64_t s = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
    return (int32_t)(clamp ? s : v);
}

static inline uint32_t fit_u32(uint64_t v, bool clamp)
{
    return clamp && v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* Field k of `bits` bits, signed or not. */
static inline int64_t field(uint32_t v, unsigned k, unsigned bits, bool sign)
{
    uint32_t f = v << (32 - bits * (k + 1));
    return sign ? (int32_t)f >> (32 - bits) : (int64_t)(f >> (32 - bits));
}

/* Sum of the products of all fields. */
static inline int64_t dot_int(uint32_t a, uint32_t b, unsigned bits, bool sign_a, bool sign_b)
{
    int64_t sum = 0;
    for (unsigned k = 0; k < 32 / bits; k++)
        sum += field(a, k, bits, sign_a) * field(b, k, bits, sign_b);
    return sum;
}

/* The same of rows and what they are added to, modulo 2^32: what no clamp is asked of. */
static inline __attribute__((always_inline)) bool dot_rows(uint32_t *d, const uint32_t *s0, const uint32_t *s1,
                                                           const uint32_t *s2, unsigned bits, bool sign_a, bool sign_b)
{
    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++)
        d[i] = s2[i] + (uint32_t)dot_int(s0[i], s1[i], bits, sign_a, sign_b);
    return true;
}

/* signs: a bit per source that is signed */
static inline __attribute__((always_inline)) bool dot_rows_of(uint32_t *d, const uint32_t *s0, const uint32_t *s1,
                                                              const uint32_t *s2, unsigned bits, unsigned signs)
{
    switch (signs & 3) {
    case 0:
        return dot_rows(d, s0, s1, s2, bits, false, false);
    case 1:
        return dot_rows(d, s0, s1, s2, bits, true, false);
    case 2:
        return dot_rows(d, s0, s1, s2, bits, false, true);
    default:
        return dot_rows(d, s0, s1, s2, bits, true, true);
    }
}

/* --- integers
 * --------------------------------------------------------------------------------------------------------- */

V3_ROWS(v_dot2_i32_i16, DOT, I32, PB16, PB16, I32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 16, true, true),
        ENC(OP(GFX906, VOP3P, 0x26), OP(GFX10_3, VOP3P, 0x14), GONE(GFX11, VOP3P)))
{
    return fit_i32(dot_int(a, b, 16, true, true) + c, mode.clamp);
}

V3_ROWS(v_dot2_u32_u16, DOT, U32, PB16, PB16, U32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 16, false, false),
        ENC(OP(GFX906, VOP3P, 0x27), OP(GFX10_3, VOP3P, 0x15), GONE(GFX11, VOP3P)))
{
    return fit_u32((uint64_t)dot_int(a, b, 16, false, false) + c, mode.clamp);
}

V3_ROWS(v_dot4_i32_i8, DOT, I32, B32, B32, I32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 8, true, true),
        ENC(OP(GFX906, VOP3P, 0x28), OP(GFX10_3, VOP3P, 0x16), GONE(GFX11, VOP3P)))
{
    return fit_i32(dot_int(a, b, 8, true, true) + c, mode.clamp);
}

V3_ROWS(v_dot4_u32_u8, DOT, U32, B32, B32, U32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 8, false, false),
        ENC(OP(GFX906, VOP3P, 0x29), OP(GFX10_3, VOP3P, 0x17)))
{
    return fit_u32((uint64_t)dot_int(a, b, 8, false, false) + c, mode.clamp);
}

V3_ROWS(v_dot8_i32_i4, DOT, I32, B32, B32, I32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 4, true, true),
        ENC(OP(GFX906, VOP3P, 0x2a), OP(GFX10_3, VOP3P, 0x18), GONE(GFX11, VOP3P)))
{
    return fit_i32(dot_int(a, b, 4, true, true) + c, mode.clamp);
}

V3_ROWS(v_dot8_u32_u4, DOT, U32, B32, B32, U32, RF_INT_CLAMP, dot_rows(d, s0, s1, s2, 4, false, false),
        ENC(OP(GFX906, VOP3P, 0x2b), OP(GFX10_3, VOP3P, 0x19)))
{
    return fit_u32((uint64_t)dot_int(a, b, 4, false, false) + c, mode.clamp);
}

/* neg_lo says which sources are signed */
V3_ROWS(v_dot4_i32_iu8, DOT, I32, B32, B32, I32, RF_INT_CLAMP, dot_rows_of(d, s0, s1, s2, 8, the_mode->neg),
        ENC(OP(GFX11, VOP3P, 0x16)))
{
    return fit_i32(dot_int(a, b, 8, mode.neg & 1, mode.neg & 2) + c, mode.clamp);
}

V3_ROWS(v_dot8_i32_iu4, DOT, I32, B32, B32, I32, RF_INT_CLAMP, dot_rows_of(d, s0, s1, s2, 4, the_mode->neg),
        ENC(OP(GFX11, VOP3P, 0x18)))
{
    return fit_i32(dot_int(a, b, 4, mode.neg & 1, mode.neg & 2) + c, mode.clamp);
}

V2_ACC_ROWS(v_dot2c_i32_i16, DOT, I32, PB16, PB16, RF_INT_CLAMP | RF_NO_SDWA, dot_rows(d, s0, s1, s2, 16, true, true),
            ENC(OP(GFX908, VOP2, 0x38)))
{
    return fit_i32(dot_int(a, b, 16, true, true) + c, mode.clamp);
}

/* gfx908's VOP2 forms have VOP3 twins, gfx10.3's have none */
V2_ACC_ROWS(v_dot4c_i32_i8, DOT, I32, B32, B32, RF_INT_CLAMP | RF_NO_SDWA, dot_rows(d, s0, s1, s2, 8, true, true),
            ENC(OP(GFX908, VOP2, 0x39)))
{
    return fit_i32(dot_int(a, b, 8, true, true) + c, mode.clamp);
}

V2_ACC_ROWS(v_dot4c_i32_i8_gfx10, DOT, I32, B32, B32, RF_INT_CLAMP | RF_NO_SDWA | RF_NO_E64,
            dot_rows(d, s0, s1, s2, 8, true, true), ENC(AS(GFX10_3, VOP2, 0x0d, "v_dot4c_i32_i8"), GONE(GFX11, VOP2)))
{
    return fit_i32(dot_int(a, b, 8, true, true) + c, mode.clamp);
}

V2_ACC_ROWS(v_dot8c_i32_i4, DOT, I32, B32, B32, RF_INT_CLAMP | RF_NO_SDWA, dot_rows(d, s0, s1, s2, 4, true, true),
            ENC(OP(GFX908, VOP2, 0x3a)))
{
    return fit_i32(dot_int(a, b, 4, true, true) + c, mode.clamp);
}

/* --- floats
 * ------------------------------------------------------------------------------------------------------------- */

static inline float dot2_f16(uint32_t a, uint32_t b, float c)
{
    /* products of halves are exact in f32: each fma is the rounding of one addition */
    float t = fma_f32(half_to_f32((half_t)a), half_to_f32((half_t)b), c);
    return fma_f32(half_to_f32((half_t)(a >> 16)), half_to_f32((half_t)(b >> 16)), t);
}

static inline float dot2_bf16(uint32_t a, uint32_t b, float c)
{
    float t = fma_f32(bf16_to_f32(a & 0xffff), bf16_to_f32(b & 0xffff), c);
    return fma_f32(bf16_to_f32(a >> 16), bf16_to_f32(b >> 16), t);
}

static inline uint16_t bf16_cut(float v)
{
    return (uint16_t)(bits_f32(v) >> 16 | (isnan32(v) ? 0x40 : 0));
}

V3_ROWS(v_dot2_f32_f16, DOT, F32, PF16, PF16, F32, 0, half_rows_dot2(d, s0, s1, s2),
        ENC(OP(GFX906, VOP3P, 0x23), GONE(GFX90A, VOP3P), OP(GFX942, VOP3P, 0x23), OP(GFX10_3, VOP3P, 0x13),
            GONE(GFX12_5, VOP3P)))
{
    return dot2_f16(a, b, c);
}

V2_ACC_ROWS(v_dot2c_f32_f16, MEASURED(DOT, "llvm-project 205101"), F32, PF16, PF16, RF_NO_SDWA,
            half_rows_dot2(d, s0, s1, s2), ENC(OP(GFX908, VOP2, 0x37), GONE(GFX90A, VOP2), OP(GFX942, VOP2, 0x37)))
{
    return dot2_f16(a, b, c);
}

/* gfx90a alone flushes denormals whatever MODE says (measured: docs/SEMANTICS_NOTES.md) */
V3_ROWS(v_dot2_f32_f16_gfx90a, DOT, F32, PF16, PF16, F32, RF_FLUSH, half_rows_dot2(d, s0, s1, s2),
        ENC(AS(GFX90A, VOP3P, 0x23, "v_dot2_f32_f16"), GONE(GFX942, VOP3P)))
{
    return dot2_f16(a, b, c);
}

V2_ACC_ROWS(v_dot2c_f32_f16_gfx90a, MEASURED(DOT, "llvm-project 205101"), F32, PF16, PF16, RF_NO_SDWA | RF_FLUSH,
            half_rows_dot2(d, s0, s1, s2), ENC(AS(GFX90A, VOP2, 0x37, "v_dot2c_f32_f16"), GONE(GFX942, VOP2)))
{
    return dot2_f16(a, b, c);
}

V2_ACC_ROWS(v_dot2c_f32_f16_gfx10, MEASURED(DOT, "llvm-project 205101"), F32, PF16, PF16, RF_NO_SDWA | RF_NO_E64,
            half_rows_dot2(d, s0, s1, s2), ENC(AS(GFX10_3, VOP2, 0x02, "v_dot2c_f32_f16"), GONE(GFX11, VOP2)))
{
    return dot2_f16(a, b, c);
}

/* From gfx11 on an inline constant stands in both halves of an operand (RDNA3.5 ISA 7.2.1, RDNA4 ISA 7.2.2), but not in
 * v_dot2_f32_f16: docs/SEMANTICS_NOTES.md. */
V2_ACC_ROWS(v_dot2acc_f32_f16, DOT, F32, PF16B, PF16B, RF_NO_SDWA | RF_NO_E64, half_rows_dot2(d, s0, s1, s2),
            ENC(OP(GFX11, VOP2, 0x02), GONE(GFX12, VOP2), OP(GFX11, VOPDX, 12), OP(GFX11, VOPDY, 12),
                OP(GFX12_5, VOPD3X, 12), OP(GFX12_5, VOPD3Y, 12)))
{
    return dot2_f16(a, b, c);
}

V2_ACC(v_dot2acc_f32_bf16, DOT, F32, PBF16B, PBF16B, RF_NO_SDWA | RF_NO_E64,
       ENC(OP(GFX11, VOPDX, 13), OP(GFX11, VOPDY, 13), OP(GFX12_5, VOPD3X, 13), OP(GFX12_5, VOPD3Y, 13)))
{
    return dot2_bf16(a, b, c);
}

V3(v_dot2_f32_bf16, DOT, F32, PBF16, PBF16, F32, 0, ENC(OP(GFX950, VOP3P, 0x1a)))
{
    return dot2_bf16(a, b, c);
}

V3(v_dot2_f32_bf16_gfx11, DOT, F32, PBF16B, PBF16B, F32, 0,
   ENC(AS(GFX11, VOP3P, 0x1a, "v_dot2_f32_bf16"), GONE(GFX12_5, VOP3P)))
{
    return dot2_bf16(a, b, c);
}

V2_ACC(v_dot2c_f32_bf16, DOT, F32, PBF16, PBF16, RF_NO_SDWA, ENC(OP(GFX950, VOP2, 0x16)))
{
    return dot2_bf16(a, b, c);
}

V3_ROWS(v_dot2_f16_f16, APPROX(DOT, ISA_NO_BOUND), F16, PF16B, PF16B, F16, RF_OP_SEL4 | RF_NO_OMOD,
        half_rows_dot2_f16(d, s0, s1, s2, the_mode), ENC(OP(GFX11, VOP3, 0x266), GONE(GFX12_5, VOP3)))
{
    half_t t = fma_f16((half_t)a, (half_t)b, c, mode);
    return fma_f16((half_t)(a >> 16), (half_t)(b >> 16), t, mode);
}

V3(v_dot2_bf16_bf16, APPROX(DOT, ISA_NO_BOUND), BF16, PBF16B, PBF16B, BF16, RF_OP_SEL4 | RF_NO_OMOD,
   ENC(OP(GFX11, VOP3, 0x267), GONE(GFX12, VOP3)))
{
    float t = fma_f32(bf16_to_f32(a & 0xffff), bf16_to_f32(b & 0xffff), bf16_to_f32(c));
    t = bf16_to_f32(bf16_from_f32(t));
    return bf16_from_f32(fma_f32(bf16_to_f32(a >> 16), bf16_to_f32(b >> 16), t));
}

/* RDNA4 cuts off what does not fit (measured on gfx1200: docs/SEMANTICS_NOTES.md). */
V3(v_dot2_bf16_bf16_gfx12, APPROX_MEASURED(DOT, ISA_NO_BOUND, "triton-lang/triton 11227"), BF16, PBF16B, PBF16B, BF16,
   RF_OP_SEL4 | RF_NO_OMOD, ENC(AS(GFX12, VOP3, 0x267, "v_dot2_bf16_bf16"), GONE(GFX12_5, VOP3)))
{
    return bf16_cut(dot2_bf16(a, b, bf16_to_f32(c)));
}

/* --- 8-bit floats (OCP: e4m3 without infinities, e5m2) ----------------------------------------------------------- */
/* Not isa/lanes/fp8.h: the dot products keep a NaN's sign and payload for fma to pass on. */

static inline float fp8_to_f32(uint32_t v)
{
    uint32_t mag = v & 0x7f, sign = (v & 0x80) << 24;
    float sub = (float)(int32_t)mag * 0x1p-9f;
    uint32_t r = mag < 8 ? bits_f32(sub) : (mag << 20) + (120u << 23);
    return as_f32(sign | (mag == 0x7f ? QNAN32 : r));
}

static inline float bf8_to_f32(uint32_t v)
{
    /* e5m2 is the upper byte of a half */
    return half_to_f32((half_t)((v & 0xff) << 8));
}

#define DOT4_FP8(NAME, CVT_A, CVT_B, ...)                                                                              \
    V3(NAME, DOT, F32, B32, B32, F32, RF_FIXED_OP_SEL, __VA_ARGS__)                                                    \
    {                                                                                                                  \
        float t = fma_f32(CVT_A(a & 0xff), CVT_B(b & 0xff), c);                                                        \
        t = fma_f32(CVT_A(a >> 8 & 0xff), CVT_B(b >> 8 & 0xff), t);                                                    \
        t = fma_f32(CVT_A(a >> 16 & 0xff), CVT_B(b >> 16 & 0xff), t);                                                  \
        return fma_f32(CVT_A(a >> 24), CVT_B(b >> 24), t);                                                             \
    }

DOT4_FP8(v_dot4_f32_fp8_bf8, fp8_to_f32, bf8_to_f32, ENC(OP(GFX12, VOP3P, 0x24), GONE(GFX12_5, VOP3P)))
DOT4_FP8(v_dot4_f32_bf8_fp8, bf8_to_f32, fp8_to_f32, ENC(OP(GFX12, VOP3P, 0x25), GONE(GFX12_5, VOP3P)))
DOT4_FP8(v_dot4_f32_fp8_fp8, fp8_to_f32, fp8_to_f32, ENC(OP(GFX12, VOP3P, 0x26), GONE(GFX12_5, VOP3P)))
DOT4_FP8(v_dot4_f32_bf8_bf8, bf8_to_f32, bf8_to_f32, ENC(OP(GFX12, VOP3P, 0x27), GONE(GFX12_5, VOP3P)))
