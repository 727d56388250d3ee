/* Vector ALU, single precision: sums, products, fused and unfused multiply-add, rounding to integers.
 *
 * v_mad/v_mac round the product and flush denormals whatever MODE says; v_fma/v_fmac round once. "dx9_zero" and
 * "legacy" multiplies give +0 when either factor is zero, infinities and NaN included.
 */
#include "isa/lanes/fp.h"
#include "isa/table/shapes.h"

V2_NUMBER(v_add_f32, VALU_DUAL,
          ENC(OP(GFX8, VOP2, 0x01), OP(GFX10, VOP2, 0x03), OP(GFX11, VOPDX, 0x04), OP(GFX11, VOPDY, 0x04),
              OP(GFX12_5, VOPD3X, 0x04), OP(GFX12_5, VOPD3Y, 0x04)))
{
    return a + b;
}

V2_NUMBER(v_sub_f32, VALU_DUAL,
          ENC(OP(GFX8, VOP2, 0x02), OP(GFX10, VOP2, 0x04), OP(GFX11, VOPDX, 0x05), OP(GFX11, VOPDY, 0x05),
              OP(GFX12_5, VOPD3X, 0x05), OP(GFX12_5, VOPD3Y, 0x05)))
{
    return a - b;
}

V2_NUMBER(v_subrev_f32, VALU_DUAL,
          ENC(OP(GFX8, VOP2, 0x03), OP(GFX10, VOP2, 0x05), OP(GFX11, VOPDX, 0x06), OP(GFX11, VOPDY, 0x06),
              OP(GFX12_5, VOPD3X, 0x06), OP(GFX12_5, VOPD3Y, 0x06)))
{
    return b - a;
}

V2_NUMBER(v_mul_f32, VALU_DUAL,
          ENC(OP(GFX8, VOP2, 0x05), OP(GFX10, VOP2, 0x08), OP(GFX11, VOPDX, 0x03), OP(GFX11, VOPDY, 0x03),
              OP(GFX12_5, VOPD3X, 0x03), OP(GFX12_5, VOPD3Y, 0x03)))
{
    return a * b;
}

V3_NUMBER(v_fma_f32, FMA32,
          ENC(OP(GFX8, VOP3, 0x1cb), OP(GFX10, VOP3, 0x14b), OP(GFX11, VOP3, 0x213), OP(GFX12_5, VOPD3X, 0x13),
              OP(GFX12_5, VOPD3Y, 0x13)))
{
    return __builtin_fmaf(a, b, c);
}

V2_ACC_NUMBER(v_fmac_f32, FMA32,
              ENC(OP(GFX906, VOP2, 0x3b), OP(GFX10, VOP2, 0x2b), OP(GFX11, VOPDX, 0x00), OP(GFX11, VOPDY, 0x00),
                  OP(GFX12_5, VOPD3X, 0x00), OP(GFX12_5, VOPD3Y, 0x00)))
{
    return __builtin_fmaf(a, b, c);
}

V2_K_NUMBER(v_fmamk_f32, FMA32, SL_K, SL_SRC1,
            ENC(OP(GFX942, VOP2, 0x17), OP(GFX10, VOP2, 0x2c), OP(GFX11, VOPDX, 0x02), OP(GFX11, VOPDY, 0x02)))
{
    return __builtin_fmaf(a, b, c);
}

V2_K_NUMBER(v_fmaak_f32, FMA32, SL_SRC1, SL_K,
            ENC(OP(GFX942, VOP2, 0x18), OP(GFX10, VOP2, 0x2d), OP(GFX11, VOPDX, 0x01), OP(GFX11, VOPDY, 0x01)))
{
    return __builtin_fmaf(a, b, c);
}

/* --- unfused, without denormals (gfx8, gfx9, gfx10.1) ----------------------------------------------------------- */

static inline float mad_f32(float a, float b, float c)
{
    float x = ftz32(a), y = ftz32(b), z = ftz32(c);

    return nan3_f32(ftz32(ftz32(x * y) + z), x, y, z);
}

V_F32_F32F32F32(v_mad_f32, VALU,
                ENC(OP(GFX8, VOP3, 0x1c1), GONE(GFX942, VOP3), OP(GFX10, VOP3, 0x141), GONE(GFX10_3, VOP3)))
{
    return mad_f32(a, b, c);
}

V2_ACC(v_mac_f32, VALU, F32, F32, F32, 0,
       ENC(OP(GFX8, VOP2, 0x16), GONE(GFX942, VOP2), OP(GFX10, VOP2, 0x1f), GONE(GFX10_3, VOP2)))
{
    return mad_f32(a, b, c);
}

V2_K_MID(v_madmk_f32, VALU, F32, 0,
         ENC(OP(GFX8, VOP2, 0x17), GONE(GFX942, VOP2), OP(GFX10, VOP2, 0x20), GONE(GFX10_3, VOP2)))
{
    return mad_f32(a, k, b);
}

V2_K_END(v_madak_f32, VALU, F32, 0,
         ENC(OP(GFX8, VOP2, 0x18), GONE(GFX942, VOP2), OP(GFX10, VOP2, 0x21), GONE(GFX10_3, VOP2)))
{
    return mad_f32(a, b, k);
}

/* --- zero times anything is zero -------------------------------------------------------------------------------- */

V_F32_F32F32(v_mul_dx9_zero_f32, VALU_DUAL,
             ENC(AS(GFX8, VOP2, 0x04, "v_mul_legacy_f32"), AS(GFX90A, VOP3, 0x2a1, "v_mul_legacy_f32"),
                 AS(GFX10, VOP2, 0x07, "v_mul_legacy_f32"), OP(GFX11, VOP2, 0x07), OP(GFX12_5, VOPD3X, 0x07),
                 OP(GFX12_5, VOPD3Y, 0x07), OP(GFX11, VOPDX, 0x07), OP(GFX11, VOPDY, 0x07)))
{
    return a == 0.0f || b == 0.0f ? 0.0f : mul_f32(a, b);
}

static inline float mad_zero_f32(float a, float b, float c)
{
    float x = ftz32(a), y = ftz32(b), z = ftz32(c);

    return x == 0.0f || y == 0.0f ? z : mad_f32(x, y, z);
}

V_F32_F32F32F32(v_mad_legacy_f32, VALU,
                ENC(OP(GFX8, VOP3, 0x1c0), GONE(GFX942, VOP3), OP(GFX10, VOP3, 0x140), GONE(GFX10_3, VOP3)))
{
    return mad_zero_f32(a, b, c);
}

V2_ACC(v_mac_legacy_f32, VALU, F32, F32, F32, RF_NO_DPP, ENC(OP(GFX10, VOP2, 0x06), GONE(GFX10_3, VOP2)))
{
    return mad_zero_f32(a, b, c);
}

V3(v_fma_dx9_zero_f32, FMA32, F32, F32, F32, F32, RF_NO_DPP,
   ENC(AS(GFX10_3, VOP3, 0x140, "v_fma_legacy_f32"), OP(GFX11, VOP3, 0x209)))
{
    return a == 0.0f || b == 0.0f ? c : fma_f32(a, b, c);
}

V2_ACC(v_fmac_dx9_zero_f32, FMA32, F32, F32, F32, RF_NO_DPP,
       ENC(AS(GFX10_3, VOP2, 0x06, "v_fmac_legacy_f32"), OP(GFX11, VOP2, 0x06), GONE(GFX12, VOP2)))
{
    return a == 0.0f || b == 0.0f ? c : fma_f32(a, b, c);
}

V_F32_F32F32F32(v_mullit_f32, VALU, ENC(OP(GFX10, VOP3, 0x150), OP(GFX11, VOP3, 0x218)))
{
    const float lowest = -0x1.fffffep127f;

    return b <= lowest || isnan32(b) || !(c > 0.0f) ? lowest : mul_f32(a, b);
}

/* --- to integers, still as floats ------------------------------------------------------------------------------- */

V_F32_F32(v_trunc_f32, VALU, ENC(OP(GFX8, VOP1, 0x1c), OP(GFX10, VOP1, 0x21)))
{
    return nan1_f32(__builtin_truncf(a), a);
}

V_F32_F32(v_ceil_f32, VALU, ENC(OP(GFX8, VOP1, 0x1d), OP(GFX10, VOP1, 0x22)))
{
    return nan1_f32(__builtin_ceilf(a), a);
}

V_F32_F32(v_floor_f32, VALU, ENC(OP(GFX8, VOP1, 0x1f), OP(GFX10, VOP1, 0x24)))
{
    return nan1_f32(floor_f32(a), a);
}

V_F32_F32(v_rndne_f32, VALU, ENC(OP(GFX8, VOP1, 0x1e), OP(GFX10, VOP1, 0x23)))
{
    return nan1_f32(rndne_f32(a), a);
}

/* never 1.0: what rounding would carry there stays the largest number below */
V_F32_F32(v_fract_f32, VALU, ENC(OP(GFX8, VOP1, 0x1b), OP(GFX10, VOP1, 0x20)))
{
    float r = a - floor_f32(a);

    r = r >= 1.0f ? 0x1.fffffep-1f : r;
    return nan1_f32(r, a);
}

/* --- parts of a number ------------------------------------------------------------------------------------------ */

static inline uint32_t normalised32(float a, int32_t *exponent)
{
    /* denormals get a leading one by an exact multiplication */
    uint32_t u = bits_f32(a), scaled = bits_f32(a * 0x1p32f);
    bool tiny = (u & 0x7f800000) == 0;

    u = tiny ? scaled : u;
    *exponent = (int32_t)(u >> 23 & 0xff) - (tiny ? 32 : 0);
    return u;
}

V1(v_frexp_exp_i32_f32, VALU, I32, F32, RF_NO_FLUSH | RF_NO_OMOD, ENC(OP(GFX8, VOP1, 0x33), OP(GFX10, VOP1, 0x3f)))
{
    int32_t e;
    uint32_t mag = bits_f32(a) & 0x7fffffff;

    normalised32(a, &e);
    return mag == 0 || mag >= 0x7f800000 ? 0 : e - 126;
}

V1(v_frexp_mant_f32, VALU, F32, F32, RF_NO_FLUSH, ENC(OP(GFX8, VOP1, 0x34), OP(GFX10, VOP1, 0x40)))
{
    int32_t e;
    uint32_t mag = bits_f32(a) & 0x7fffffff, u = normalised32(a, &e);

    return mag == 0 || mag >= 0x7f800000 ? nan1_f32(a, a) : as_f32((u & 0x807fffff) | 0x3f000000);
}

V2(v_ldexp_f32, VALU, F32, F32, I32, RF_INT_MODS,
   ENC(OP(GFX8, VOP3, 0x288), OP(GFX10, VOP3, 0x362), OP(GFX11, VOP3, 0x31c)))
{
    /* a double holds the scaled value exactly for every exponent that does not end in 0 or infinity anyway */
    int64_t e = b < -400 ? -400 : b > 400 ? 400 : b;
    double r = (double)a * as_f64((uint64_t)(e + 1023) << 52);

    return nan1_f32((float)r, a);
}

/* --- cube maps -------------------------------------------------------------------------------------------------- */

#define Z_MAJOR(a, b, c) (__builtin_fabsf(c) >= __builtin_fabsf(a) && __builtin_fabsf(c) >= __builtin_fabsf(b))
#define Y_MAJOR(a, b)    (__builtin_fabsf(b) >= __builtin_fabsf(a))

V_F32_F32F32F32(v_cubeid_f32, VALU, ENC(OP(GFX8, VOP3, 0x1c4), OP(GFX10, VOP3, 0x144), OP(GFX11, VOP3, 0x20c)))
{
    float z = c < 0.0f ? 5.0f : 4.0f, y = b < 0.0f ? 3.0f : 2.0f, x = a < 0.0f ? 1.0f : 0.0f;

    return Z_MAJOR(a, b, c) ? z : Y_MAJOR(a, b) ? y : x;
}

V_F32_F32F32F32(v_cubesc_f32, VALU, ENC(OP(GFX8, VOP3, 0x1c5), OP(GFX10, VOP3, 0x145), OP(GFX11, VOP3, 0x20d)))
{
    float z = c < 0.0f ? -a : a, x = a < 0.0f ? c : -c;

    return Z_MAJOR(a, b, c) ? z : Y_MAJOR(a, b) ? a : x;
}

V_F32_F32F32F32(v_cubetc_f32, VALU, ENC(OP(GFX8, VOP3, 0x1c6), OP(GFX10, VOP3, 0x146), OP(GFX11, VOP3, 0x20e)))
{
    float y = b < 0.0f ? -c : c;

    return Z_MAJOR(a, b, c) ? -b : Y_MAJOR(a, b) ? y : -b;
}

V_F32_F32F32F32(v_cubema_f32, VALU, ENC(OP(GFX8, VOP3, 0x1c7), OP(GFX10, VOP3, 0x147), OP(GFX11, VOP3, 0x20f)))
{
    float r = Z_MAJOR(a, b, c) ? c : Y_MAJOR(a, b) ? b : a;

    return nan1_f32(r * 2.0f, r);
}
