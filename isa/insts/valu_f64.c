/* Vector ALU, double precision: arithmetic, parts of a number, division steps, conversions. */
#include "isa/lanes/fp_half.h"
#include "isa/table/shapes.h"

#define V1D(N, C, FLAGS, ...) V1(N, C, F64, F64, (FLAGS) | RF_NO_SDWA, __VA_ARGS__)

V2_DOUBLE(v_add_f64, F64, ADD,
          ENC(OP(GFX8, VOP3, 0x280), OP(GFX10, VOP3, 0x164), OP(GFX11, VOP3, 0x327), OP(GFX12, VOP2, 0x02),
              OP(GFX12_5, VOPD3X, 0x21)))
{
    return add_f64(a, b);
}

V2_DOUBLE(v_mul_f64, F64_MUL, MUL,
          ENC(OP(GFX8, VOP3, 0x281), OP(GFX10, VOP3, 0x165), OP(GFX11, VOP3, 0x328), OP(GFX12, VOP2, 0x06),
              OP(GFX12_5, VOPD3X, 0x22)))
{
    return mul_f64(a, b);
}

V3_DOUBLE(v_fma_f64, F64_MUL, 0, SL_SRC2, A_RD,
          ENC(OP(GFX8, VOP3, 0x1cc), OP(GFX10, VOP3, 0x14c), OP(GFX11, VOP3, 0x214), OP(GFX12_5, VOPD3X, 0x20)))
{
    return fma_f64(a, b, c);
}

V3_DOUBLE(v_fmac_f64, F64_MUL, RF_NO_SDWA, SL_VDST, A_RD | A_HIDDEN,
          ENC(OP(GFX90A, VOP2, 0x04), OP(GFX12_5, VOP2, 0x17)))
{
    return fma_f64(a, b, c);
}

/* The rules for NaN differ by generation as for f32 (isa/insts/valu_f32_order.c). */
static inline double signals_f64(double r, double a, double b, bool ieee)
{
    r = (ieee & issnan64(b)) ? quiet64(b) : r;
    return (ieee & issnan64(a)) ? quiet64(a) : r;
}

static inline double nan_gcn64(double r, double a, double b, bool ieee)
{
    r = isnan64(b) ? a : r;
    r = isnan64(a) ? b : r;
    return signals_f64(r, a, b, ieee);
}

static inline double nan_rdna3_64(double r, double a, double b, bool ieee)
{
    r = isnan64(a) ? b : r;
    r = isnan64(b) ? a : r;
    return signals_f64(r, a, b, ieee);
}

static inline double nan_num64(double r, double a, double b)
{
    r = isnan64(a) ? b : r;
    r = isnan64(b) ? a : r;
    return isnan64(r) ? quiet64(a) : r;
}

#define LOW64(a, b)  (below64(a, b) ? (a) : (b))
#define HIGH64(a, b) (below64(b, a) ? (a) : (b))

/* gfx8 lets denormals pass, whatever MODE says, as for f32 */
V2(v_min_f64_gfx8, F64, F64, F64, F64, RF_NO_SDWA | RF_NO_DPP | RF_NO_FLUSH,
   ENC(AS(GFX8, VOP3, 0x282, "v_min_f64"), GONE(GFX9, VOP3)))
{
    return nan_gcn64(LOW64(a, b), a, b, mode.ieee);
}

V2(v_max_f64_gfx8, F64, F64, F64, F64, RF_NO_SDWA | RF_NO_DPP | RF_NO_FLUSH,
   ENC(AS(GFX8, VOP3, 0x283, "v_max_f64"), GONE(GFX9, VOP3)))
{
    return nan_gcn64(HIGH64(a, b), a, b, mode.ieee);
}

V_F64_F64F64(v_min_f64, F64, ENC(OP(GFX9, VOP3, 0x282), OP(GFX10, VOP3, 0x166), GONE(GFX11, VOP3)))
{
    return nan_gcn64(LOW64(a, b), a, b, mode.ieee);
}

V_F64_F64F64(v_max_f64, F64, ENC(OP(GFX9, VOP3, 0x283), OP(GFX10, VOP3, 0x167), GONE(GFX11, VOP3)))
{
    return nan_gcn64(HIGH64(a, b), a, b, mode.ieee);
}

V_F64_F64F64(v_min_f64_rdna3, F64, ENC(AS(GFX11, VOP3, 0x329, "v_min_f64"), GONE(GFX12, VOP3)))
{
    return nan_rdna3_64(LOW64(a, b), a, b, mode.ieee);
}

V_F64_F64F64(v_max_f64_rdna3, F64, ENC(AS(GFX11, VOP3, 0x32a, "v_max_f64"), GONE(GFX12, VOP3)))
{
    return nan_rdna3_64(HIGH64(a, b), a, b, mode.ieee);
}

V_F64_F64F64(v_min_num_f64, F64, ENC(OP(GFX12, VOP2, 0x0d), OP(GFX12_5, VOPD3X, 0x24)))
{
    return nan_num64(LOW64(a, b), a, b);
}

V_F64_F64F64(v_max_num_f64, F64, ENC(OP(GFX12, VOP2, 0x0e), OP(GFX12_5, VOPD3X, 0x23)))
{
    return nan_num64(HIGH64(a, b), a, b);
}

V_F64_F64F64(v_minimum_f64, F64, ENC(OP(GFX12, VOP3, 0x341)))
{
    return minimum_f64(a, b);
}

V_F64_F64F64(v_maximum_f64, F64, ENC(OP(GFX12, VOP3, 0x342)))
{
    return maximum_f64(a, b);
}

/* --- rounding to integer, parts of a number ------------------------------------------------------------------------
 */

V1D(v_trunc_f64, F64, 0, ENC(OP(GFX8, VOP1, 0x17)))
{
    return nan1_f64(__builtin_trunc(a), a);
}

V1D(v_ceil_f64, F64, 0, ENC(OP(GFX8, VOP1, 0x18)))
{
    return nan1_f64(__builtin_ceil(a), a);
}

V1D(v_floor_f64, F64, 0, ENC(OP(GFX8, VOP1, 0x1a)))
{
    return nan1_f64(floor_f64(a), a);
}

V1D(v_rndne_f64, F64, 0, ENC(OP(GFX8, VOP1, 0x19)))
{
    /* nearest even whatever MODE's (and so the host's) rounding is */
    double t = __builtin_trunc(a), rest = __builtin_fabs(a - t), half = t * 0.5;
    bool odd = __builtin_trunc(half) != half;
    double away = __builtin_fabs(t) + (rest > 0.5 || (rest == 0.5 && odd) ? 1.0 : 0.0);
    return nan1_f64(__builtin_copysign(away, a), a);
}

/* x - floor(x), held below 1 (LLVM 19 AMDGPUCodeGenPrepare, matchFractPat) */
V1D(v_fract_f64, F64, 0, ENC(OP(GFX8, VOP1, 0x32), OP(GFX10, VOP1, 0x3e)))
{
    double r = a - floor_f64(a);
    r = r >= 1.0 ? 0x1.fffffffffffffp-1 : r;
    return nan1_f64(r, a);
}

V1D(v_frexp_mant_f64, F64, RF_NO_FLUSH, ENC(OP(GFX8, VOP1, 0x31), OP(GFX10, VOP1, 0x3d)))
{
    int64_t e;
    uint64_t u = bits_f64(normal64(a, &e)) & UINT64_C(0x800fffffffffffff);
    double r = as_f64(u | UINT64_C(0x3fe0000000000000));
    r = ((exponent64(a) == 0x7ff) | (a == 0.0)) ? a : r;
    return nan1_f64(r, a);
}

V1(v_frexp_exp_i32_f64, F64, I32, F64, RF_NO_FLUSH | RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x30), OP(GFX10, VOP1, 0x3c)))
{
    int64_t e;
    (void)normal64(a, &e);
    e = ((exponent64(a) == 0x7ff) | (a == 0.0)) ? 1022 : e;
    return (int32_t)(e - 1022);
}

V2(v_ldexp_f64, F64, F64, F64, I32, RF_NO_SDWA | RF_INT_MODS,
   ENC(OP(GFX8, VOP3, 0x284), OP(GFX10, VOP3, 0x168), OP(GFX11, VOP3, 0x32b)))
{
    return ldexp64(a, b);
}

/* --- reciprocal and roots: rounded once; hardware promises about 2^-29 and expects Newton steps to follow -----------
 */

V1D(v_rcp_f64, APPROX(F64_TRANS, 0x1p29f), 0, ENC(OP(GFX8, VOP1, 0x25), OP(GFX10, VOP1, 0x2f)))
{
    return special_f64(1.0 / a, a);
}

V1D(v_sqrt_f64, APPROX(F64_TRANS, 0x1p29f), 0, ENC(OP(GFX8, VOP1, 0x28), OP(GFX10, VOP1, 0x34)))
{
    return special_f64(__builtin_sqrt(a), a);
}

V1D(v_rsq_f64, APPROX(F64_TRANS, 0x1p29f), 0, ENC(OP(GFX8, VOP1, 0x26), OP(GFX10, VOP1, 0x31)))
{
    return special_f64(1.0 / __builtin_sqrt(a), a);
}

/* --- division: v_div_scale, v_div_fmas, v_div_fixup ------------------------------------------------------------------
 */

/* a is b (the denominator) or c (the numerator), scaled so that the Newton steps neither overflow nor lose bits; VCC
 * asks v_div_fmas to scale back. Pseudocode of RDNA4 and CDNA4, but for a quotient that is denormal because of a
 * huge denominator: there the text multiplies the denominator by 2^128, which overflows; only 2^-128 makes LLVM's
 * division sequence right. */
V3_CO(v_div_scale_f64, F64_MUL, F64, F64, F64, F64, 0,
      ENC(OP(GFX8, VOP3, 0x1e1), OP(GFX10, VOP3, 0x16e), OP(GFX11, VOP3, 0x2fd)))
{
    bool far = exponent64(c) - exponent64(b) >= 768, tiny_den = exponent64(b) == 0;
    bool tiny_rcp = denormal64(1.0 / b), tiny_quot = denormal64(c / b), tiny_num = exponent64(c) <= 53;
    bool is_den = a == b, is_num = a == c, zero = (b == 0.0) | (c == 0.0);
    double of_num = is_num ? 0x1p128 : 1.0, of_den = is_den ? 0x1p128 : 1.0, less = is_den ? 0x1p-128 : 1.0;
    double scale = tiny_num ? 0x1p128 : 1.0;

    scale = tiny_quot ? of_num : scale;
    scale = tiny_rcp ? 0x1p-128 : scale;
    scale = (tiny_rcp & tiny_quot) ? less : scale;
    scale = tiny_den ? 0x1p128 : scale;
    scale = far ? of_den : scale;
    uint64_t scales = (far | (!tiny_den & tiny_quot)) ? 1 : 0;
    *cout = (uint32_t)(zero ? 0 : scales);
    return zero ? as_f64(QNAN64) : nan1_f64(a * scale, a);
}

/* (r + err) * 2^-128 with a single rounding, where err is what rounding to r lost: it decides when r itself stands
 * halfway between two denormal results. */
static inline double scale_down(double r, double err)
{
    double down = r * 0x1p-128, lost = r - down * 0x1p128;
    double less = ((lost < 0.0) & (err < 0.0)) ? -0x1p-1074 : 0.0;
    double step = ((lost > 0.0) & (err > 0.0)) ? 0x1p-1074 : less;
    return __builtin_fabs(lost) == 0x1p-947 ? down + step : down;
}

/* VCC: the estimate c carries a factor of 2^-128 (large quotient) or 2^128 (denormal quotient); the product is scaled
 * back with a single rounding. RDNA's text says 2^64 either way, which would give no quotient. */
V3_VCC(v_div_fmas_f64, F64_MUL, F64, F64, F64, F64, 0,
       ENC(OP(GFX8, VOP3, 0x1e3), OP(GFX10, VOP3, 0x170), OP(GFX11, VOP3, 0x238)))
{
    double r = fma_f64(a, b, c);
    /* a * b + c = r + err: p + e is the product, s + d its sum with c */
    double p = a * b, e = __builtin_fma(a, b, -p), s = p + c, t = s - p, d = (p - (s - t)) + (c - t);
    double err = (s - r) + (d + e);
    /* masks, or the compiler does not vectorize */
    const uint64_t scales = 0 - (uint64_t)ci, to_nearest = mode.round64 ? 0 : UINT64_MAX;
    double down = nan1_f64(scale_down(r, as_f64(bits_f64(err) & to_nearest)), r), up = r * 0x1p128;
    double scaled = exponent64(c) > 1023 ? up : down;
    return as_f64((bits_f64(scaled) & scales) | (bits_f64(r) & ~scales));
}

static inline uint64_t overflow_f64(bool negative, struct isa_mode m)
{
    return UINT64_C(0x7ff0000000000000) - ((uint64_t)(m.round64 == 3) | (uint64_t)(m.round64 == (negative ? 1 : 2)));
}

/* a: the quotient so far, b: denominator, c: numerator. A quotient far beyond the largest number makes the steps before
 * meet infinity minus infinity: a NaN in a is that overflow (the manual's text has no word for it). */
V3(v_div_fixup_f64, F64, F64, F64, F64, F64, 0,
   ENC(OP(GFX8, VOP3, 0x1df), OP(GFX10, VOP3, 0x160), OP(GFX11, VOP3, 0x228)))
{
    const uint64_t sign_bit = UINT64_C(1) << 63, inf = UINT64_C(0x7ff0000000000000);
    const uint64_t over = overflow_f64(false, mode), over_less = overflow_f64(true, mode);
    /* below half the smallest number: rounds to zero unless MODE rounds away from it */
    const uint64_t under = mode.round64 == 1, under_less = mode.round64 == 2;
    uint64_t ua = bits_f64(a), ub = bits_f64(b), uc = bits_f64(c), sign = (ub ^ uc) & sign_bit;
    uint64_t mag_a = ua & ~sign_bit, mag_b = ub & ~sign_bit, mag_c = uc & ~sign_bit, r = mag_a;
    bool b_inf = mag_b == inf, c_inf = mag_c == inf;

    r = mag_a > inf ? (sign ? over_less : over) : r;
    r = exponent64(c) - exponent64(b) < -1075 ? (sign ? under_less : under) : r;
    r = (b_inf | !mag_c) ? 0 : r;
    r = (!mag_b | c_inf) ? inf : r;
    r |= sign;
    r = ((!mag_b & !mag_c) | (b_inf & c_inf)) ? INVALID64 : r;
    r = mag_b > inf ? ub | UINT64_C(0x8000000000000) : r;
    return as_f64(mag_c > inf ? uc | UINT64_C(0x8000000000000) : r);
}

/* 2/pi as a binary fraction, most significant word first; v_trig_preop shifts through 1201 bits of it. */
static const uint64_t two_over_pi[] = {
    UINT64_C(0xa2f9836e4e441529), UINT64_C(0xfc2757d1f534ddc0), UINT64_C(0xdb6295993c439041),
    UINT64_C(0xfe5163abdebbc561), UINT64_C(0xb7246e3a424dd2e0), UINT64_C(0x06492eea09d1921c),
    UINT64_C(0xfe1deb1cb129a73e), UINT64_C(0xe88235f52ebb4484), UINT64_C(0xe99c7026b45f7e41),
    UINT64_C(0x3991d639835339f4), UINT64_C(0x9c845f8bbdf9283b), UINT64_C(0x1ff897ffde05980f),
    UINT64_C(0xef2f118b5a0a6d1f), UINT64_C(0x6d367ecf27cb09b7), UINT64_C(0x4f463f669e5fea2d),
    UINT64_C(0x7527bac7ebe5f17b), UINT64_C(0x3d0739f78a5292ea), UINT64_C(0x6bfb5fb11f8d5d08),
    UINT64_C(0x56033046fc7b6bab)};

/* 53 bits of the fraction from bit `shift` on */
static inline uint64_t two_over_pi_bits(unsigned shift)
{
    unsigned word = shift / 64, off = shift % 64;
    /* the field of the manual is 1201 bits long: zeros come in from its end */
    if (word + 1 >= COUNT_OF(two_over_pi))
        return 0;
    uint64_t v = two_over_pi[word] << off | (off ? two_over_pi[word + 1] >> (64 - off) : 0);
    unsigned have = shift < 1201 ? 1201 - shift : 0;
    v >>= 11;
    return have >= 53 ? v : have ? v & ~((UINT64_C(1) << (53 - have)) - 1) : 0;
}

V2(v_trig_preop_f64, F64, F64, F64, U32, RF_NO_SDWA | RF_NO_DPP | RF_INT_MODS,
   ENC(OP(GFX8, VOP3, 0x292), OP(GFX10, VOP3, 0x174), OP(GFX11, VOP3, 0x32f)))
{
    int32_t exp = (int32_t)exponent64(a), shift = (int32_t)(b & 31) * 53 + (exp > 1077 ? exp - 1077 : 0);
    int32_t scale = -53 - shift + (exp >= 1968 ? 128 : 0);
    return ldexp64((double)two_over_pi_bits((unsigned)shift), scale);
}

/* --- conversions
 * ------------------------------------------------------------------------------------------------------ */

V1(v_cvt_f32_f64, F64, F32, F64, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x0f)))
{
    /* of a NaN the sign and the upper fraction stay */
    uint64_t u = bits_f64(a);
    uint32_t nan = (uint32_t)(u >> 32 & 0x80000000u) | 0x7fc00000u | (uint32_t)(u >> 29 & 0x3fffff);
    return isnan64(a) ? as_f32(nan) : (float)a;
}

V1(v_cvt_f64_f32, F64, F64, F32, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x10)))
{
    uint64_t u = bits_f32(a);
    uint64_t nan = (u & 0x80000000u) << 32 | QNAN64 | (u & 0x3fffff) << 29;
    return isnan32(a) ? as_f64(nan) : (double)a;
}

V1(v_cvt_f64_i32, F64, F64, I32, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x04)))
{
    return (double)a;
}

V1(v_cvt_f64_u32, F64, F64, U32, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x16)))
{
    return (double)a;
}

V1(v_cvt_i32_f64, F64, I32, F64, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x03)))
{
    double v = a < -2147483648.0 ? -2147483648.0 : a > 2147483647.0 ? 2147483647.0 : a;
    return isnan64(a) ? 0 : (int32_t)(isnan64(v) ? 0.0 : v);
}

V1(v_cvt_u32_f64, F64, U32, F64, RF_NO_SDWA, ENC(OP(GFX8, VOP1, 0x15)))
{
    double v = a > 0.0 ? a : 0.0;
    v = v > 4294967295.0 ? 4294967295.0 : v;
    return (uint32_t)v;
}
