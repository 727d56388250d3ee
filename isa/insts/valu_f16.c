/* Vector ALU, half precision. The gfx9 instructions that brought op_sel keep the high half of their destination (LLVM
 * 19 GCNSubtarget::zeroesHigh16BitsOfDest), so they are rows of their own; mac, madmk and madak clear it as on gfx8
 * (CDNA3 ISA; LLVM only does not count on it). v_mad and v_mac round the product before they add, and flush denormals.
 */
#include "isa/lanes/fp_half.h"
#include "isa/lanes/half_rows.h"
#include "isa/table/shapes.h"

#define V1H(N, C, FLAGS, ...)               V1(N, C, F16, F16, FLAGS, __VA_ARGS__)
#define V1H_WHOLE(N, HOW, ...)              V1_ROWS(N, VALU, F16, F16, 0, half_rows_whole(HALF_##HOW, d, s0), __VA_ARGS__)
#define V3H(N, C, FLAGS, ...)               V3(N, C, F16, F16, F16, F16, FLAGS, __VA_ARGS__)
#define V3H_ROWS(N, C, FLAGS, QUICKLY, ...) V3_ROWS(N, C, F16, F16, F16, F16, FLAGS, QUICKLY, __VA_ARGS__)
#define KEEP                                RF_D16_KEEP_HI
#define BY_ROWS(OP)                         half_rows(HALF_##OP, false, d, s0, s1, s2, the_mode)
#define ORDERED(OP)                         half_rows_order(ORDER_##OP, false, d, s0, s1, s2)

V2_ROWS(v_add_f16, VALU_DUAL, F16, F16, F16, 0, BY_ROWS(ADD), ENC(OP(GFX8, VOP2, 0x1f), OP(GFX10, VOP2, 0x32)))
{
    return add_f16(a, b, mode);
}

V2_ROWS(v_sub_f16, VALU_DUAL, F16, F16, F16, 0, BY_ROWS(SUB), ENC(OP(GFX8, VOP2, 0x20), OP(GFX10, VOP2, 0x33)))
{
    return sub_f16(a, b, mode);
}

V2_ROWS(v_subrev_f16, VALU_DUAL, F16, F16, F16, 0, BY_ROWS(SUBREV), ENC(OP(GFX8, VOP2, 0x21), OP(GFX10, VOP2, 0x34)))
{
    half_t r = sub_f16(b, a, mode);
    return isnan16(a) ? quiet16(a) : r; /* the first NaN is that of src0 here, too */
}

V2_ROWS(v_mul_f16, VALU_DUAL, F16, F16, F16, 0, BY_ROWS(MUL), ENC(OP(GFX8, VOP2, 0x22), OP(GFX10, VOP2, 0x35)))
{
    return mul_f16(a, b, mode);
}

/* --- multiply-add ----------------------------------------------------------------------------------------------- */

/* Two roundings, and a product that is flushed between them: LLVM takes these for a multiplication and an addition
 * where MODE flushes (ISD::FMAD: "the same result as the separately rounded operations"). Stages leave RF_FLUSH of
 * halves to the body. */
static inline half_t mad_f16(half_t a, half_t b, half_t c, struct isa_mode m)
{
    half_t p = ftz16(mul_f16(ftz16(a), ftz16(b), m));
    return ftz16(nan3_f16(add_f16(p, ftz16(c), m), a, b, c));
}

V2_ACC_ROWS(v_mac_f16, VALU, F16, F16, F16, RF_FLUSH, BY_ROWS(MAD), ENC(OP(GFX8, VOP2, 0x23), GONE(GFX10, VOP2)))
{
    return mad_f16(a, b, c, mode);
}

V2_K_MID_ROWS(v_madmk_f16, VALU, F16, RF_FLUSH, BY_ROWS(MAD), ENC(OP(GFX8, VOP2, 0x24), GONE(GFX10, VOP2)))
{
    return mad_f16(a, k, b, mode);
}

V2_K_END_ROWS(v_madak_f16, VALU, F16, RF_FLUSH, BY_ROWS(MAD), ENC(OP(GFX8, VOP2, 0x25), GONE(GFX10, VOP2)))
{
    return mad_f16(a, b, k, mode);
}

V3H_ROWS(v_mad_legacy_f16, VALU, RF_FLUSH | RF_QUIET_OP_SEL, BY_ROWS(MAD),
         ENC(AS(GFX8, VOP3, 0x1ea, "v_mad_f16"), OP(GFX9, VOP3, 0x1ea), GONE(GFX10, VOP3)))
{
    return mad_f16(a, b, c, mode);
}

V3H_ROWS(v_mad_f16, VALU, RF_FLUSH | KEEP, BY_ROWS(MAD), ENC(OP(GFX9, VOP3, 0x203), GONE(GFX10, VOP3)))
{
    return mad_f16(a, b, c, mode);
}

V3_ROWS(v_fma_legacy_f16, VALU, F16, F16, F16, F16, RF_QUIET_OP_SEL, BY_ROWS(FMA),
        ENC(AS(GFX8, VOP3, 0x1ee, "v_fma_f16"), OP(GFX9, VOP3, 0x1ee), GONE(GFX10, VOP3)))
{
    return fma_f16(a, b, c, mode);
}

V3_ROWS(v_fma_f16, VALU_DUAL, F16, F16, F16, F16, KEEP, BY_ROWS(FMA),
        ENC(OP(GFX9, VOP3, 0x206), OP(GFX10, VOP3, 0x34b), OP(GFX11, VOP3, 0x248)))
{
    return fma_f16(a, b, c, mode);
}

V2_ACC_ROWS(v_fmac_f16, VALU_DUAL, F16, F16, F16, RF_OP_SEL4, BY_ROWS(FMA), ENC(OP(GFX10, VOP2, 0x36)))
{
    return fma_f16(a, b, c, mode);
}

V2_K_MID_ROWS(v_fmamk_f16, VALU_DUAL, F16, 0, BY_ROWS(FMA), ENC(OP(GFX10, VOP2, 0x37)))
{
    return fma_f16(a, k, b, mode);
}

V2_K_END_ROWS(v_fmaak_f16, VALU_DUAL, F16, 0, BY_ROWS(FMA), ENC(OP(GFX10, VOP2, 0x38)))
{
    return fma_f16(a, b, k, mode);
}

static inline half_t div_fixup_f16(half_t a, half_t b, half_t c)
{
    uint32_t den = b & 0x7fff, num = c & 0x7fff, sign = (b ^ c) & 0x8000, r = (a & 0x7fff) | sign;

    r = den == 0x7c00 || num == 0 ? sign : r;
    r = den == 0 || num == 0x7c00 ? sign | 0x7c00 : r;
    r = (den == 0 && num == 0) || (den == 0x7c00 && num == 0x7c00) ? INVALID16 : r;
    r = den > 0x7c00 ? b | 0x200u : r;
    r = num > 0x7c00 ? c | 0x200u : r;
    return (half_t)r;
}

V3H(v_div_fixup_legacy_f16, VALU, RF_QUIET_OP_SEL,
    ENC(AS(GFX8, VOP3, 0x1ef, "v_div_fixup_f16"), OP(GFX9, VOP3, 0x1ef), GONE(GFX10, VOP3)))
{
    return div_fixup_f16(a, b, c);
}

V3H(v_div_fixup_f16, VALU, KEEP, ENC(OP(GFX9, VOP3, 0x207), OP(GFX10, VOP3, 0x35f), OP(GFX11, VOP3, 0x254)))
{
    return div_fixup_f16(a, b, c);
}

/* --- minimum and maximum ---------------------------------------------------------------------------------------- */

/* The rules for NaN, and gfx8's for denormals, differ by generation as for f32 (isa/insts/valu_f32_order.c). */
V2_ROWS(v_min_f16_gfx8, VALU_DUAL, F16, F16, F16, RF_NO_FLUSH, ORDERED(MIN),
        ENC(AS(GFX8, VOP2, 0x2e, "v_min_f16"), GONE(GFX9, VOP2)))
{
    return MIN16_GCN(a, b);
}

V2_ROWS(v_max_f16_gfx8, VALU_DUAL, F16, F16, F16, RF_NO_FLUSH, ORDERED(MAX),
        ENC(AS(GFX8, VOP2, 0x2d, "v_max_f16"), GONE(GFX9, VOP2)))
{
    return MAX16_GCN(a, b);
}

V2_ROWS(v_min_f16, VALU_DUAL, F16, F16, F16, 0, ORDERED(MIN),
        ENC(OP(GFX9, VOP2, 0x2e), OP(GFX10, VOP2, 0x3a), GONE(GFX11, VOP2)))
{
    return MIN16_GCN(a, b);
}

V2_ROWS(v_max_f16, VALU_DUAL, F16, F16, F16, 0, ORDERED(MAX),
        ENC(OP(GFX9, VOP2, 0x2d), OP(GFX10, VOP2, 0x39), GONE(GFX11, VOP2)))
{
    return MAX16_GCN(a, b);
}

V3H_ROWS(v_min3_f16, VALU, KEEP, ORDERED(MIN3), ENC(OP(GFX9, VOP3, 0x1f4), OP(GFX10, VOP3, 0x351), GONE(GFX11, VOP3)))
{
    half_t r = MIN16_GCN(a, b);
    return MIN16_GCN(r, c);
}

V3H_ROWS(v_max3_f16, VALU, KEEP, ORDERED(MAX3), ENC(OP(GFX9, VOP3, 0x1f7), OP(GFX10, VOP3, 0x354), GONE(GFX11, VOP3)))
{
    half_t r = MAX16_GCN(a, b);
    return MAX16_GCN(r, c);
}

V3H_ROWS(v_med3_f16, VALU, KEEP, ORDERED(MED3), ENC(OP(GFX9, VOP3, 0x1fa), OP(GFX10, VOP3, 0x357), GONE(GFX11, VOP3)))
{
    MED3_16(MIN16_GCN, MAX16_GCN);
}

V2_ROWS(v_min_f16_rdna3, VALU_DUAL, F16, F16, F16, 0, ORDERED(MIN),
        ENC(AS(GFX11, VOP2, 0x3a, "v_min_f16"), GONE(GFX12, VOP2)))
{
    return MIN16_RDNA3(a, b);
}

V2_ROWS(v_max_f16_rdna3, VALU_DUAL, F16, F16, F16, 0, ORDERED(MAX),
        ENC(AS(GFX11, VOP2, 0x39, "v_max_f16"), GONE(GFX12, VOP2)))
{
    return MAX16_RDNA3(a, b);
}

V3H_ROWS(v_min3_f16_rdna3, VALU, KEEP, ORDERED(MIN3), ENC(AS(GFX11, VOP3, 0x249, "v_min3_f16"), GONE(GFX12, VOP3)))
{
    half_t r = MIN16_RDNA3(a, b);
    return MIN16_RDNA3(r, c);
}

V3H_ROWS(v_max3_f16_rdna3, VALU, KEEP, ORDERED(MAX3), ENC(AS(GFX11, VOP3, 0x24c, "v_max3_f16"), GONE(GFX12, VOP3)))
{
    half_t r = MAX16_RDNA3(a, b);
    return MAX16_RDNA3(r, c);
}

V3H_ROWS(v_med3_f16_rdna3, VALU, KEEP, ORDERED(MED3), ENC(AS(GFX11, VOP3, 0x24f, "v_med3_f16"), GONE(GFX12, VOP3)))
{
    MED3_16(MIN16_RDNA3, MAX16_RDNA3);
}

V3H_ROWS(v_minmax_f16, VALU, RF_QUIET_OP_SEL, ORDERED(MINMAX), ENC(OP(GFX11, VOP3, 0x261), GONE(GFX12, VOP3)))
{
    half_t r = MIN16_RDNA3(a, b);
    return MAX16_RDNA3(r, c);
}

V3H_ROWS(v_maxmin_f16, VALU, RF_QUIET_OP_SEL, ORDERED(MAXMIN), ENC(OP(GFX11, VOP3, 0x260), GONE(GFX12, VOP3)))
{
    half_t r = MAX16_RDNA3(a, b);
    return MIN16_RDNA3(r, c);
}

V2_ROWS(v_min_num_f16, VALU_DUAL, F16, F16, F16, 0, ORDERED(MIN), ENC(OP(GFX12, VOP2, 0x30)))
{
    return MIN16_NUM(a, b);
}

V2_ROWS(v_max_num_f16, VALU_DUAL, F16, F16, F16, 0, ORDERED(MAX), ENC(OP(GFX12, VOP2, 0x31)))
{
    return MAX16_NUM(a, b);
}

V3H_ROWS(v_min3_num_f16, VALU, KEEP, ORDERED(MIN3), ENC(OP(GFX12, VOP3, 0x22b)))
{
    half_t r = MIN16_NUM(a, b);
    return MIN16_NUM(r, c);
}

V3H_ROWS(v_max3_num_f16, VALU, KEEP, ORDERED(MAX3), ENC(OP(GFX12, VOP3, 0x22c)))
{
    half_t r = MAX16_NUM(a, b);
    return MAX16_NUM(r, c);
}

V3H_ROWS(v_med3_num_f16, VALU, KEEP, ORDERED(MED3), ENC(OP(GFX12, VOP3, 0x232)))
{
    MED3_16(MIN16_NUM, MAX16_NUM);
}

V3H_ROWS(v_minmax_num_f16, VALU, RF_QUIET_OP_SEL, ORDERED(MINMAX), ENC(OP(GFX12, VOP3, 0x26a)))
{
    half_t r = MIN16_NUM(a, b);
    return MAX16_NUM(r, c);
}

V3H_ROWS(v_maxmin_num_f16, VALU, RF_QUIET_OP_SEL, ORDERED(MAXMIN), ENC(OP(GFX12, VOP3, 0x26b)))
{
    half_t r = MAX16_NUM(a, b);
    return MIN16_NUM(r, c);
}

V2_ROWS(v_minimum_f16, VALU, F16, F16, F16, RF_QUIET_OP_SEL, ORDERED(MIN), ENC(OP(GFX12, VOP3, 0x367)))
{
    return minimum_f16(a, b);
}

V2_ROWS(v_maximum_f16, VALU, F16, F16, F16, RF_QUIET_OP_SEL, ORDERED(MAX), ENC(OP(GFX12, VOP3, 0x368)))
{
    return maximum_f16(a, b);
}

V3H_ROWS(v_minimum3_f16, VALU, 0, ORDERED(MIN3), ENC(OP(GFX12, VOP3, 0x22f)))
{
    return minimum_f16(minimum_f16(a, b), c);
}

V3H_ROWS(v_maximum3_f16, VALU, 0, ORDERED(MAX3), ENC(OP(GFX12, VOP3, 0x230)))
{
    return maximum_f16(maximum_f16(a, b), c);
}

V3H_ROWS(v_minimummaximum_f16, VALU, 0, ORDERED(MINMAX), ENC(OP(GFX12, VOP3, 0x26e)))
{
    return maximum_f16(minimum_f16(a, b), c);
}

V3H_ROWS(v_maximumminimum_f16, VALU, 0, ORDERED(MAXMIN), ENC(OP(GFX12, VOP3, 0x26f)))
{
    return minimum_f16(maximum_f16(a, b), c);
}

/* --- rounding to integer, parts of a number ---------------------------------------------------------------------- */

static inline half_t whole_f16(float r, half_t a)
{
    /* a half's integer part is a half: no rounding; a zero keeps the sign of its operand */
    half_t h = half_from_f32(r, 0, false);
    return nan1_f16((half_t)((h & 0x7fff) | (a & 0x8000)), a);
}

V1H_WHOLE(v_trunc_f16, TO_ZERO, ENC(OP(GFX8, VOP1, 0x46), OP(GFX10, VOP1, 0x5d)))
{
    return whole_f16(__builtin_truncf(half_to_f32(a)), a);
}

V1H_WHOLE(v_ceil_f16, UP, ENC(OP(GFX8, VOP1, 0x45), OP(GFX10, VOP1, 0x5c)))
{
    return whole_f16(__builtin_ceilf(half_to_f32(a)), a);
}

V1H_WHOLE(v_floor_f16, DOWN, ENC(OP(GFX8, VOP1, 0x44), OP(GFX10, VOP1, 0x5b)))
{
    return whole_f16(__builtin_floorf(half_to_f32(a)), a);
}

V1H_WHOLE(v_rndne_f16, NEAREST, ENC(OP(GFX8, VOP1, 0x47), OP(GFX10, VOP1, 0x5e)))
{
    /* nearest even whatever MODE's rounding is: a half plus and minus 1.5 * 2^23 in integers */
    float x = half_to_f32(a), t = __builtin_truncf(x), rest = __builtin_fabsf(x - t);
    bool odd = (bits_f32(t * 0.5f) & 0x7fffffff) != (bits_f32(__builtin_truncf(t * 0.5f)) & 0x7fffffff);
    bool up = rest > 0.5f || (rest == 0.5f && odd);
    return whole_f16(__builtin_fabsf(t) + (up ? 1.0f : 0.0f), a);
}

/* x - floor(x), held below 1 (LLVM 19 AMDGPUCodeGenPrepare, matchFractPat) */
V1H_WHOLE(v_fract_f16, FRACT, ENC(OP(GFX8, VOP1, 0x48), OP(GFX10, VOP1, 0x5f)))
{
    float x = half_to_f32(a), r = x - floor_f32(x);
    half_t h = half_from_f32(r, mode.round64, false);
    h = h > 0x3bff && h < 0x7c00 ? 0x3bff : h; /* -0 is no large number: of an integer rounded down */
    return nan1_f16((a & 0x7fff) == 0x7c00 ? 0x7e00 : h, a);
}

/* leading zeros of a denormal half's fraction, to bring it to the normal position */
static inline uint32_t half_norm_shift(uint32_t mag)
{
    uint32_t exp = bits_f32((float)(int32_t)(mag | (mag == 0))) >> 23; /* 127 + index of the top bit */
    return mag & 0x7c00 ? 0 : 137 - exp;
}

V1H(v_frexp_mant_f16, VALU, RF_NO_FLUSH, ENC(OP(GFX8, VOP1, 0x42), OP(GFX10, VOP1, 0x59)))
{
    uint32_t mag = a & 0x7fff, frac = mag << half_norm_shift(mag) & 0x3ff;
    uint32_t r = mag == 0 ? 0 : mag >= 0x7c00 ? mag : 0x3800 | frac;
    return nan1_f16((half_t)((a & 0x8000) | r), a);
}

V1(v_frexp_exp_i16_f16, VALU, I16, F16, RF_NO_FLUSH, ENC(OP(GFX8, VOP1, 0x43), OP(GFX10, VOP1, 0x5a)))
{
    uint32_t mag = a & 0x7fff;
    int32_t exp = (int32_t)(mag >> 10) - 14;
    exp = mag < 0x400 ? -13 - (int32_t)half_norm_shift(mag) : exp;
    return (int16_t)(mag == 0 || mag >= 0x7c00 ? 0 : exp);
}

V2_ROWS(v_ldexp_f16, VALU, F16, F16, I16, RF_INT_MODS, half_rows_ldexp(d, s0, s1, the_mode),
        ENC(OP(GFX8, VOP2, 0x33), OP(GFX10, VOP2, 0x3b)))
{
    int32_t e = b < -64 ? -64 : b > 64 ? 64 : b;
    double scale = as_f64((uint64_t)(1023 + e) << 52);
    return nan1_f16(half_from_f64((double)half_to_f32(a) * scale, mode.round64, mode.fp16_ovfl), a);
}

/* --- the special unit --------------------------------------------------------------------------------------------- */

static inline half_t rcp_f16(half_t a, struct isa_mode m)
{
    return special_f16(1.0 / (double)half_to_f32(a), a, m);
}

static inline half_t sqrt_f16(half_t a, struct isa_mode m)
{
    return special_f16(__builtin_sqrt((double)half_to_f32(a)), a, m);
}

static inline half_t rsq_f16(half_t a, struct isa_mode m)
{
    return special_f16(1.0 / __builtin_sqrt((double)half_to_f32(a)), a, m);
}

static inline half_t log_f16(half_t a, struct isa_mode m)
{
    return special_f16(log2((double)half_to_f32(a)), a, m);
}

static inline half_t exp_f16(half_t a, struct isa_mode m)
{
    return special_f16(exp2((double)half_to_f32(a)), a, m);
}

/* Sine and cosine of revolutions. Eighths of a turn are exact. */
static inline double turn_sin(double x)
{
    double f = x - __builtin_floor(x);                        /* 0 <= f < 1 */
    double g = f <= 0.25 ? f : f <= 0.75 ? 0.5 - f : f - 1.0; /* the same sine, within a quarter turn of 0 */
    return g == 0.0 ? 0.0 : sin(g * 6.283185307179586476925);
}

static inline half_t sin_f16(half_t a, struct isa_mode m)
{
    double x = (double)half_to_f32(a);
    return special_f16(x == 0.0 ? x : turn_sin(x), a, m);
}

static inline half_t cos_f16(half_t a, struct isa_mode m)
{
    return special_f16(turn_sin((double)half_to_f32(a) + 0.25), a, m);
}

/* Results that have been computed, by the operand, with a bit that says so. Threads that find one missing at the same
 * time store the same. */
struct known_halves {
    uint32_t of[0x10000];
};
enum { IS_KNOWN = 0x10000 };
enum {
    KNOWN_rcp_f16,
    KNOWN_sqrt_f16,
    KNOWN_rsq_f16,
    KNOWN_log_f16,
    KNOWN_exp_f16,
    KNOWN_sin_f16,
    KNOWN_cos_f16,
    KNOWN
};
static struct known_halves isa_known_halves[KNOWN];

/* In MODE as compilers set it. */
static inline bool known_rows(struct known_halves *known, half_t (*f)(half_t, struct isa_mode), uint32_t *d,
                              const uint32_t *s, const struct isa_mode *mode)
{
    if (mode->fp16_ovfl)
        return false;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t *at = &known->of[s[i] & 0xffff], r = __atomic_load_n(at, __ATOMIC_RELAXED);

        if (__builtin_expect(!r, 0)) {
            r = f((half_t)s[i], *mode) | IS_KNOWN;
            __atomic_store_n(at, r, __ATOMIC_RELAXED);
        }
        d[i] = (d[i] & 0xffff0000) | (r & 0xffff);
    }
    return true;
}

#define V_TRANS16(NAME, ULP, FN, ...)                                                                                  \
    V1_ROWS(NAME, APPROX(TRANS, ULP), F16, F16, 0, known_rows(&isa_known_halves[KNOWN_##FN], FN, d, s0, the_mode),     \
            __VA_ARGS__)                                                                                               \
    {                                                                                                                  \
        return FN(a, mode);                                                                                            \
    }

V_TRANS16(v_rcp_f16, 0.51f, rcp_f16, ENC(OP(GFX8, VOP1, 0x3d), OP(GFX10, VOP1, 0x54)))
V_TRANS16(v_sqrt_f16, 0.51f, sqrt_f16, ENC(OP(GFX8, VOP1, 0x3e), OP(GFX10, VOP1, 0x55)))
V_TRANS16(v_rsq_f16, 0.51f, rsq_f16, ENC(OP(GFX8, VOP1, 0x3f), OP(GFX10, VOP1, 0x56)))
V_TRANS16(v_log_f16, 0.51f, log_f16, ENC(OP(GFX8, VOP1, 0x40), OP(GFX10, VOP1, 0x57)))
V_TRANS16(v_exp_f16, 0.51f, exp_f16, ENC(OP(GFX8, VOP1, 0x41), OP(GFX10, VOP1, 0x58)))
V_TRANS16(v_sin_f16, ISA_NO_BOUND, sin_f16, ENC(OP(GFX8, VOP1, 0x49), OP(GFX10, VOP1, 0x60)))
V_TRANS16(v_cos_f16, ISA_NO_BOUND, cos_f16, ENC(OP(GFX8, VOP1, 0x4a), OP(GFX10, VOP1, 0x61)))

/* --- gfx12: the same on one scalar, whose high half becomes zero (RDNA4 ISA) ------------------------------------- */

static half_t flush16(half_t h, bool keep)
{
    return keep ? h : ftz16(h);
}

static half_t scalar_source16(const struct isa_wave *w, const struct isa_inst *i)
{
    half_t h = (half_t)sget32(w, i, 1);

    h = i->abs & 1 ? h & 0x7fff : h;
    h = i->neg & 1 ? h ^ 0x8000 : h;
    return flush16(h, w->mode.denorm64 & 1);
}

static int scalar_result16(struct isa_wave *w, const struct isa_inst *i, half_t h)
{
    static const float scale[4] = {1.0f, 2.0f, 4.0f, 0.5f};

    bool denormals = w->mode.denorm64 & 2;

    h = flush16(h, denormals);
    if (!denormals && i->omod && !isnan16(h)) { /* ignored where denormals are let out, and leaves no -0 */
        h = flush16(half_from_f32(half_to_f32(h) * scale[i->omod & 3], w->mode.round64, 0), false);
        h = h == 0x8000 ? 0 : h;
    }
    if (i->clamp)
        h = isnan16(h) || (h & 0x8000) ? 0 : h > 0x3c00 ? 0x3c00 : h;
    sput_code32(w, i->op[0].code, h);
    return ISA_OK;
}

#define S_TRANS16(NAME, FN, ...)                                                                                       \
    W(NAME, APPROX(SALU_TRANS, 0.51f), RF_NO_DPP | RF_NO_EXEC, IMP_R_MODE,                                             \
      ARGS({SL_VDST, T_F16, A_WR | A_SGPR}, {SL_SRC0, T_F16, A_RD | A_SGPR}), __VA_ARGS__)                             \
    {                                                                                                                  \
        if (i->op[1].code >= CODE_VGPR)                                                                                \
            return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s takes no VGPR", i->mnemonic);                      \
        return scalar_result16(w, i, FN(scalar_source16(w, i), w->mode));                                              \
    }

S_TRANS16(v_s_exp_f16, exp_f16, ENC(OP(GFX12, VOP3, 0x281)))
S_TRANS16(v_s_log_f16, log_f16, ENC(OP(GFX12, VOP3, 0x283)))
S_TRANS16(v_s_rcp_f16, rcp_f16, ENC(OP(GFX12, VOP3, 0x285)))
S_TRANS16(v_s_rsq_f16, rsq_f16, ENC(OP(GFX12, VOP3, 0x287)))
S_TRANS16(v_s_sqrt_f16, sqrt_f16, ENC(OP(GFX12, VOP3, 0x289)))

/* --- two halves in a register ------------------------------------------------------------------------------------- */

V2(v_pack_b32_f16, VALU, B32, F16, F16, RF_NO_OMOD, ENC(OP(GFX9, VOP3, 0x2a0), OP(GFX10, VOP3, 0x311)))
{
    return a | (uint32_t)b << 16;
}
