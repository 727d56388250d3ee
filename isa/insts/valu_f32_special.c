/* Vector ALU, single precision: reciprocals, roots, exponentials, trigonometry, and the helpers of division.
 *
 * Hardware gives these functions within one unit in the last place (sin and cos: 2^-20 or so absolute); the tables
 * behind them are not public. Here they are computed in double and rounded once, so that a result is the correctly
 * rounded one (rcp, rsq, sqrt) or within 0.51 units (exp, log, sin, cos), and may differ from silicon in the last
 * bit. rcp, rsq, sqrt, exp and log flush denormals on the way in and out whatever MODE says (GCN3 ISA; LLVM 19
 * SIISelLowering lowerFastUnsafeFDIV, lowerFSQRTF32, AMDGPULegalizerInfo legalizeFlog2).
 */
#include <fenv.h>

#include "isa/lanes/special_rows.h"
#include "isa/table/shapes.h"

/* a NaN that the operand does not bring is negative here (functional examples of the RDNA ISAs: log(-1), sqrt(-INF)) */
static inline float special_f32(float r, float a)
{
    float v = isnan32(r) ? as_f32(0xffc00000u) : r;
    return isnan32(a) ? quiet32(a) : v;
}

static inline float rcp_f32(float a)
{
    float x = ftz32(a);
    return special_f32(ftz32((float)(1.0 / (double)x)), x);
}

static inline float rsq_f32(float a)
{
    float x = ftz32(a);
    return special_f32((float)(1.0 / __builtin_sqrt((double)x)), x);
}

static inline float sqrt_f32(float a)
{
    float x = ftz32(a);
    return special_f32((float)__builtin_sqrt((double)x), x);
}

static inline float exp_f32(float a)
{
    float x = ftz32(a);
    return special_f32(ftz32((float)exp2((double)x)), x);
}

static inline float log_f32(float a)
{
    float x = ftz32(a);
    return special_f32((float)log2((double)x), x);
}

/* sin(2 pi x), cos(2 pi x): the quarter turn is taken off exactly, so that multiples of 1/4 come out exact */
static inline float turn_f32(float a, unsigned quarter)
{
    double x = (double)a, r = x - __builtin_rint(x);
    double q = __builtin_rint(4.0 * r), t = (r - 0.25 * q) * 6.283185307179586476925;
    unsigned k = ((unsigned)(int)(q == q ? q : 0.0) + quarter) & 3;
    double v = k & 1 ? cos(t) : sin(t);

    v = k & 2 ? 0.0 - v : v;
    v = quarter == 0 && a == 0.0f ? x : v;
    return special_f32((float)v, a);
}

V_F32_F32(v_rcp_f32, APPROX(TRANS, 1), ENC(OP(GFX8, VOP1, 0x22), OP(GFX10, VOP1, 0x2a)))
{
    return rcp_f32(a);
}

V_F32_F32(v_rcp_iflag_f32, APPROX(TRANS, 1), ENC(OP(GFX8, VOP1, 0x23), OP(GFX10, VOP1, 0x2b)))
{
    return rcp_f32(a);
}

V1_ROWS(v_rsq_f32, APPROX(TRANS, 1), F32, F32, 0, rsq_rows(d, s0), ENC(OP(GFX8, VOP1, 0x24), OP(GFX10, VOP1, 0x2e)))
{
    return rsq_f32(a);
}

V_F32_F32(v_sqrt_f32, APPROX(TRANS, 1), ENC(OP(GFX8, VOP1, 0x27), OP(GFX10, VOP1, 0x33)))
{
    return sqrt_f32(a);
}

V1_ROWS(v_exp_f32, APPROX(TRANS, 1), F32, F32, 0, exp2_pairs(d, s0) || exp2_rows(d, s0),
        ENC(OP(GFX8, VOP1, 0x20), OP(GFX10, VOP1, 0x25)))
{
    return exp_f32(a);
}

V1_ROWS(v_log_f32, APPROX(TRANS, 1), F32, F32, 0, log2_pairs(d, s0) || log2_rows(d, s0),
        ENC(OP(GFX8, VOP1, 0x21), OP(GFX10, VOP1, 0x27)))
{
    return log_f32(a);
}

V1_ROWS(v_exp_legacy_f32, APPROX(TRANS, 1), F32, F32, 0, exp2_pairs(d, s0) || exp2_rows(d, s0),
        ENC(OP(GFX8, VOP1, 0x4b), GONE(GFX10, VOP1)))
{
    return exp_f32(a);
}

V1_ROWS(v_log_legacy_f32, APPROX(TRANS, 1), F32, F32, 0, log2_pairs(d, s0) || log2_rows(d, s0),
        ENC(OP(GFX8, VOP1, 0x4c), GONE(GFX10, VOP1)))
{
    return log_f32(a);
}

/* gfx8 takes -256..256 and gives sin 0, cos 1 beyond (GCN3 ISA; LLVM FeatureTrigReducedRange) */
V_F32_F32(v_sin_f32_short, APPROX(TRANS, ISA_NO_BOUND), ENC(AS(GFX8, VOP1, 0x29, "v_sin_f32"), GONE(GFX9, VOP1)))
{
    float far = isnan32(a) || __builtin_isinf(a) ? turn_f32(a, 0) : 0.0f;
    return __builtin_fabsf(a) <= 256.0f ? turn_f32(a, 0) : far;
}

V_F32_F32(v_cos_f32_short, APPROX(TRANS, ISA_NO_BOUND), ENC(AS(GFX8, VOP1, 0x2a, "v_cos_f32"), GONE(GFX9, VOP1)))
{
    float far = isnan32(a) || __builtin_isinf(a) ? turn_f32(a, 1) : 1.0f;
    return __builtin_fabsf(a) <= 256.0f ? turn_f32(a, 1) : far;
}

V1_ROWS(v_sin_f32, APPROX(TRANS, ISA_NO_BOUND), F32, F32, 0, sin_rows(d, s0),
        ENC(OP(GFX9, VOP1, 0x29), OP(GFX10, VOP1, 0x35)))
{
    return turn_f32(a, 0);
}

V1_ROWS(v_cos_f32, APPROX(TRANS, ISA_NO_BOUND), F32, F32, 0, cos_rows(d, s0),
        ENC(OP(GFX9, VOP1, 0x2a), OP(GFX10, VOP1, 0x36)))
{
    return turn_f32(a, 1);
}

/* --- gfx12: the same on one scalar ------------------------------------------------------------------------------ */

static float scalar_source(const struct isa_wave *w, const struct isa_inst *i)
{
    uint32_t u = sget32(w, i, 1);

    u = i->abs & 1 ? u & 0x7fffffff : u;
    u = i->neg & 1 ? u ^ 0x80000000u : u;
    return w->mode.denorm32 & 1 ? as_f32(u) : ftz32(as_f32(u));
}

static int scalar_result(struct isa_wave *w, const struct isa_inst *i, float r)
{
    static const float scale[4] = {1.0f, 2.0f, 4.0f, 0.5f};

    if (!(w->mode.denorm32 & 2)) /* omod is ignored where denormals are let out, and leaves no -0 */
        r = i->omod ? ftz32(ftz32(r) * scale[i->omod & 3]) + 0.0f : ftz32(r);
    if (i->clamp)
        r = !(r > 0.0f) ? 0.0f : r > 1.0f ? 1.0f : r;
    sput_code32(w, i->op[0].code, bits_f32(r));
    return ISA_OK;
}

#define S_TRANS(NAME, FN, ...)                                                                                         \
    W(NAME, APPROX(SALU_TRANS, 1), RF_NO_DPP | RF_NO_EXEC, IMP_R_MODE,                                                 \
      ARGS({SL_VDST, T_F32, A_WR | A_SGPR}, {SL_SRC0, T_F32, A_RD | A_SGPR}), __VA_ARGS__)                             \
    {                                                                                                                  \
        return scalar_result(w, i, FN(scalar_source(w, i)));                                                           \
    }

S_TRANS(v_s_rcp_f32, rcp_f32, ENC(OP(GFX12, VOP3, 0x284)))
S_TRANS(v_s_rsq_f32, rsq_f32, ENC(OP(GFX12, VOP3, 0x286)))
S_TRANS(v_s_sqrt_f32, sqrt_f32, ENC(OP(GFX12, VOP3, 0x288)))
S_TRANS(v_s_exp_f32, exp_f32, ENC(OP(GFX12, VOP3, 0x280)))
S_TRANS(v_s_log_f32, log_f32, ENC(OP(GFX12, VOP3, 0x282)))

/* --- division: v_div_scale, v_div_fmas, v_div_fixup (RDNA4 ISA) -------------------------------------------------- */

static inline int32_t exponent32(float a)
{
    return (int32_t)(bits_f32(a) >> 23 & 0xff);
}

/* a is b (the denominator) or c (the numerator); scaled by 2^64 or 2^-64 so that the steps in between neither
 * overflow nor lose bits. VCC asks v_div_fmas to scale back. Where both 1/b and c/b are denormal the manual scales b
 * up, which would overflow it and with it every such quotient; down is what makes the sequence come out right. */
V3_CO(v_div_scale_f32, VALU, F32, F32, F32, F32, RF_NO_DPP,
      ENC(OP(GFX8, VOP3, 0x1e0), OP(GFX10, VOP3, 0x16d), OP(GFX11, VOP3, 0x2fc)))
{
    float den = __builtin_fabsf(b), num = __builtin_fabsf(c);
    bool far = exponent32(c) - exponent32(b) >= 96, tiny_den = exponent32(b) == 0;
    bool tiny_rcp = (den > 0x1p126f) & (den < INFINITY);                                        /* 1/b is denormal, */
    bool tiny_quot = ((double)num < (double)den * 0x1p-126) & (num != 0.0f) & (den < INFINITY); /* c/b is */
    bool is_den = a == b, is_num = a == c;
    float last = exponent32(c) <= 23 ? 0x1p64f : 1.0f, scale;

    scale = tiny_quot ? (is_num ? 0x1p64f : 1.0f) : last;
    scale = tiny_rcp ? ((!tiny_quot | is_den) ? 0x1p-64f : 1.0f) : scale;
    scale = tiny_den ? 0x1p64f : scale;
    scale = far ? (is_den ? 0x1p64f : 1.0f) : scale;
    bool zero = (b == 0.0f) | (c == 0.0f);
    *cout = (uint32_t)!zero & ((uint32_t)far | ((uint32_t)!tiny_den & (uint32_t)tiny_quot));
    float r = a * scale;
    return zero ? as_f32(QNAN32) : nan1_f32(r, a);
}

/* VCC: the quotient estimate c carries a factor of 2^-64 (large quotient) or 2^64 (denormal quotient), and the
 * product is scaled back with a single rounding. */
V3_VCC(v_div_fmas_f32, FMA32, F32, F32, F32, F32, RF_NO_DPP,
       ENC(OP(GFX8, VOP3, 0x1e2), OP(GFX10, VOP3, 0x16f), OP(GFX11, VOP3, 0x237)))
{
    double p = (double)a * (double)b, s = p + (double)c;
    /* error of the sum, then round to odd, so that the conversion below rounds correctly */
    double t = s - p, err = (p - (s - t)) + ((double)c - t);
    uint64_t u = bits_f64(s);
    uint64_t away = (err > 0.0) == (s > 0.0) ? u + 1 : u - 1;
    double odd = as_f64(err != 0.0 && !(u & 1) && err == err ? away : u);
    float scaled = (float)(odd * (exponent32(c) > 127 ? 0x1p64 : 0x1p-64));

    return nan3_f32(ci ? scaled : __builtin_fmaf(a, b, c), a, b, c);
}

static inline uint32_t underflow_f32(bool negative, struct isa_mode m)
{
    return (uint32_t)(m.round32 == (negative ? 2 : 1));
}

static inline uint32_t overflow_f32(bool negative, struct isa_mode m)
{
    return 0x7f800000u - ((uint32_t)(m.round32 == 3) | (uint32_t)(m.round32 == (negative ? 1 : 2)));
}

/* a: the quotient so far, b: denominator, c: numerator. When the true quotient is far beyond the largest number the
 * refinement steps meet infinity minus infinity; the manual's text has no word for a NaN that arrives so, and IEEE
 * division (which the sequence is there for) wants an overflow. */
V3(v_div_fixup_f32, VALU, F32, F32, F32, F32, RF_NO_DPP,
   ENC(OP(GFX8, VOP3, 0x1de), OP(GFX10, VOP3, 0x15f), OP(GFX11, VOP3, 0x227)))
{
    const uint32_t over = overflow_f32(false, mode), over_less = overflow_f32(true, mode);
    const uint32_t under = underflow_f32(false, mode), under_less = underflow_f32(true, mode);
    uint32_t ua = bits_f32(a), ub = bits_f32(b), uc = bits_f32(c), sign = (ub ^ uc) & 0x80000000u;
    uint32_t mag_a = ua & 0x7fffffff, mag_b = ub & 0x7fffffff, mag_c = uc & 0x7fffffff, r = mag_a;
    bool b_inf = mag_b == 0x7f800000, c_inf = mag_c == 0x7f800000;

    r = mag_a > 0x7f800000 ? (sign ? over_less : over) : r;
    r = exponent32(c) - exponent32(b) < -150 ? (sign ? under_less : under) : r;
    r = (b_inf | !mag_c) ? 0 : r;
    r = (!mag_b | c_inf) ? 0x7f800000 : r;
    r |= sign;
    r = ((!mag_b & !mag_c) | (b_inf & c_inf)) ? 0xffc00000u : r;
    r = mag_b > 0x7f800000 ? ub | 0x400000 : r;
    return as_f32(mag_c > 0x7f800000 ? uc | 0x400000 : r);
}
