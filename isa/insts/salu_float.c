/* Scalar floating point of RDNA3.5 and RDNA4. Rounding and denormal handling as MODE says, like the vector ALU's;
 * the two are kept apart because one value needs no lane loop. RDNA3.5 and RDNA4 ISA manuals, SOP1, SOP2, SOPC. */
#include <fenv.h>

#include "isa/lanes/fp.h"
#include "isa/table/shapes.h"

/* --- denormals on the way in and out ---------------------------------------------------------------------------- */

static inline float flush32(float v, bool keep)
{
    uint32_t b = bits_f32(v);
    return keep || (b & 0x7f800000) ? v : as_f32(b & 0x80000000u);
}

static inline half_t flush16(half_t v, bool keep)
{
    return keep || (v & 0x7c00) ? v : v & 0x8000;
}

static inline float in32(const struct isa_wave *w, float v)
{
    return flush32(v, w->mode.denorm32 & 1);
}

static inline float out32(const struct isa_wave *w, float v)
{
    return flush32(v, w->mode.denorm32 & 2);
}

static inline half_t in16(const struct isa_wave *w, half_t v)
{
    return flush16(v, w->mode.denorm64 & 1);
}

static inline half_t out16(const struct isa_wave *w, half_t v)
{
    return flush16(v, w->mode.denorm64 & 2);
}

/* --- single precision arithmetic -------------------------------------------------------------------------------- */

/* Volatile keeps the arithmetic between the changes of rounding mode, which the compiler does not know of. */
#define ROUNDED32(R, EXPR)                                                                                             \
    do {                                                                                                               \
        static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};                              \
        volatile float va_ = a, vb_ = b, vc_ = c, vr_;                                                                 \
        fesetround(host[w->mode.round32]);                                                                             \
        a = va_;                                                                                                       \
        b = vb_;                                                                                                       \
        c = vc_;                                                                                                       \
        vr_ = EXPR;                                                                                                    \
        fesetround(FE_TONEAREST);                                                                                      \
        R = vr_;                                                                                                       \
    } while (0)

enum arith { ADD, SUB, MUL, FMA };

static float arith32(const struct isa_wave *w, enum arith op, float a, float b, float c)
{
    float r;

    a = in32(w, a);
    b = in32(w, b);
    c = in32(w, c);
    switch (op) {
    case ADD:
        ROUNDED32(r, add_f32(a, b));
        break;
    case SUB:
        ROUNDED32(r, sub_f32(a, b));
        break;
    case MUL:
        ROUNDED32(r, mul_f32(a, b));
        break;
    default:
        ROUNDED32(r, fma_f32(a, b, c));
        break;
    }
    return out32(w, r);
}

S2(s_add_f32, SALU_FLOAT, F32, F32, F32, ENC(OP(GFX11_5, SOP2, 0x40)))
{
    return arith32(w, ADD, a, b, 0);
}

S2(s_sub_f32, SALU_FLOAT, F32, F32, F32, ENC(OP(GFX11_5, SOP2, 0x41)))
{
    return arith32(w, SUB, a, b, 0);
}

S2(s_mul_f32, SALU_FLOAT, F32, F32, F32, ENC(OP(GFX11_5, SOP2, 0x44)))
{
    return arith32(w, MUL, a, b, 0);
}

/* --- fused multiply-add: the third factor is the destination or the literal -------------------------------------- */

#define FMAC(NAME, T, CALL, ...)                                                                                       \
    SEXEC_(NAME, T, CALL)                                                                                              \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, SALU_FLOAT, ROW_WIDE, 0, 0).exec = NAME##_exec,                                                    \
                                             .args = {{SL_SDST, T_##T, A_WR | A_SGPR},                                 \
                                                      {SL_SRC0, T_##T, A_RD},                                          \
                                                      {SL_SRC1, T_##T, A_RD},                                          \
                                                      {SL_SDST, T_##T, A_RD | A_SGPR | A_HIDDEN}},                     \
                                             ROW_TAIL_(NAME)

static half_t fmac16(const struct isa_wave *w, half_t a, half_t b, half_t c)
{
    return out16(w, fma_f16(in16(w, a), in16(w, b), in16(w, c), w->mode));
}

FMAC(s_fmac_f32, F32, arith32(w, FMA, SGET_F32(w, i, 1), SGET_F32(w, i, 2), SGET_F32(w, i, 3)),
     ENC(OP(GFX11_5, SOP2, 0x47)))
FMAC(s_fmac_f16, F16, fmac16(w, SGET_F16(w, i, 1), SGET_F16(w, i, 2), SGET_F16(w, i, 3)), ENC(OP(GFX11_5, SOP2, 0x4e)))

W(s_fmamk_f32, SALU_FLOAT, 0, 0,
  ARGS({SL_SDST, T_F32, A_WR | A_SGPR}, {SL_SRC0, T_F32, A_RD}, {SL_K, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}),
  ENC(OP(GFX11_5, SOP2, 0x46)))
{
    SPUT_F32(w, i, 0, arith32(w, FMA, SGET_F32(w, i, 1), SGET_F32(w, i, 2), SGET_F32(w, i, 3)));
    return ISA_OK;
}

W(s_fmaak_f32, SALU_FLOAT, 0, 0,
  ARGS({SL_SDST, T_F32, A_WR | A_SGPR}, {SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}, {SL_K, T_F32, A_RD}),
  ENC(OP(GFX11_5, SOP2, 0x45)))
{
    SPUT_F32(w, i, 0, arith32(w, FMA, SGET_F32(w, i, 1), SGET_F32(w, i, 2), SGET_F32(w, i, 3)));
    return ISA_OK;
}

/* --- half precision arithmetic ---------------------------------------------------------------------------------- */

S2(s_add_f16, SALU_FLOAT, F16, F16, F16, ENC(OP(GFX11_5, SOP2, 0x49)))
{
    return out16(w, add_f16(in16(w, a), in16(w, b), w->mode));
}

/* a NaN subtrahend comes out with its own sign */
S2(s_sub_f16, SALU_FLOAT, F16, F16, F16, ENC(OP(GFX11_5, SOP2, 0x4a)))
{
    half_t x = in16(w, a), y = in16(w, b);
    return out16(w, add_f16(x, isnan16(y) ? y : y ^ 0x8000, w->mode));
}

S2(s_mul_f16, SALU_FLOAT, F16, F16, F16, ENC(OP(GFX11_5, SOP2, 0x4d)))
{
    return out16(w, mul_f16(in16(w, a), in16(w, b), w->mode));
}

/* --- minimum and maximum ---------------------------------------------------------------------------------------- */

/* A half as the float of the same value, NaN kind and payload; and back, for values that came this way. */
static inline float widen(half_t h)
{
    return half_to_f32(h);
}

static inline half_t narrow(float v)
{
    uint32_t b = bits_f32(v);
    if (isnan32(v))
        return (half_t)((b >> 16 & 0x8000) | 0x7c00 | (b >> 13 & 0x3ff));
    return half_from_f32(v, 0, false);
}

/* NaN wins here, the first one, made quiet; a signalling NaN before a quiet one. */
static float minimum32(float a, float b, bool max)
{
    if (issnan32(a))
        return quiet32(a);
    if (issnan32(b))
        return quiet32(b);
    if (isnan32(a) || isnan32(b))
        return isnan32(a) ? a : b;
    return below32(a, b) != max ? a : b;
}

/* RDNA3.5 with MODE.IEEE off: of two NaN the first, as it is */
static float first_nan(float r, float a, float b, bool ieee)
{
    return !ieee && isnan32(a) && isnan32(b) ? a : r;
}

#define MINMAX32(NAME, CALL, ...)                                                                                      \
    S2(NAME, SALU_FLOAT, F32, F32, F32, __VA_ARGS__)                                                                   \
    {                                                                                                                  \
        a = in32(w, a);                                                                                                \
        b = in32(w, b);                                                                                                \
        return out32(w, CALL);                                                                                         \
    }
#define MINMAX16(NAME, CALL, ...)                                                                                      \
    S2(NAME, SALU_FLOAT, F16, F16, F16, __VA_ARGS__)                                                                   \
    {                                                                                                                  \
        float x = widen(in16(w, a)), y = widen(in16(w, b));                                                            \
        return out16(w, narrow(CALL));                                                                                 \
    }
/* RDNA3.5 follows MODE.IEEE; the _num forms of RDNA4 prefer a number to any NaN */
MINMAX32(s_min_f32, first_nan(min_f32(a, b, w->mode.ieee), a, b, w->mode.ieee),
         ENC(OP(GFX11_5, SOP2, 0x42), GONE(GFX12, SOP2)))
MINMAX32(s_max_f32, first_nan(max_f32(a, b, w->mode.ieee), a, b, w->mode.ieee),
         ENC(OP(GFX11_5, SOP2, 0x43), GONE(GFX12, SOP2)))
MINMAX32(s_min_num_f32, min_f32(a, b, false), ENC(OP(GFX12, SOP2, 0x42)))
MINMAX32(s_max_num_f32, max_f32(a, b, false), ENC(OP(GFX12, SOP2, 0x43)))
MINMAX32(s_minimum_f32, minimum32(a, b, false), ENC(OP(GFX12, SOP2, 0x4f)))
MINMAX32(s_maximum_f32, minimum32(a, b, true), ENC(OP(GFX12, SOP2, 0x50)))
MINMAX16(s_min_f16, first_nan(min_f32(x, y, w->mode.ieee), x, y, w->mode.ieee),
         ENC(OP(GFX11_5, SOP2, 0x4b), GONE(GFX12, SOP2)))
MINMAX16(s_max_f16, first_nan(max_f32(x, y, w->mode.ieee), x, y, w->mode.ieee),
         ENC(OP(GFX11_5, SOP2, 0x4c), GONE(GFX12, SOP2)))
MINMAX16(s_min_num_f16, min_f32(x, y, false), ENC(OP(GFX12, SOP2, 0x4b)))
MINMAX16(s_max_num_f16, max_f32(x, y, false), ENC(OP(GFX12, SOP2, 0x4c)))
MINMAX16(s_minimum_f16, minimum32(x, y, false), ENC(OP(GFX12, SOP2, 0x51)))
MINMAX16(s_maximum_f16, minimum32(x, y, true), ENC(OP(GFX12, SOP2, 0x52)))

/* --- rounding to integers --------------------------------------------------------------------------------------- */

#define ROUND32(NAME, FN, ...)                                                                                         \
    S1(NAME, SALU_FLOAT, F32, F32, __VA_ARGS__)                                                                        \
    {                                                                                                                  \
        a = in32(w, a);                                                                                                \
        return isnan32(a) ? quiet32(a) : out32(w, FN(a));                                                              \
    }
#define ROUND16(NAME, FN, ...)                                                                                         \
    S1(NAME, SALU_FLOAT, F16, F16, __VA_ARGS__)                                                                        \
    {                                                                                                                  \
        half_t h = in16(w, a);                                                                                         \
        return isnan16(h) ? h | 0x200 : out16(w, narrow(FN(widen(h))));                                                \
    }
ROUND32(s_ceil_f32, __builtin_ceilf, ENC(OP(GFX11_5, SOP1, 0x60)))
ROUND32(s_floor_f32, __builtin_floorf, ENC(OP(GFX11_5, SOP1, 0x61)))
ROUND32(s_trunc_f32, __builtin_truncf, ENC(OP(GFX11_5, SOP1, 0x62)))
ROUND32(s_rndne_f32, __builtin_rintf, ENC(OP(GFX11_5, SOP1, 0x63)))
ROUND16(s_ceil_f16, __builtin_ceilf, ENC(OP(GFX11_5, SOP1, 0x6b)))
ROUND16(s_floor_f16, __builtin_floorf, ENC(OP(GFX11_5, SOP1, 0x6c)))
ROUND16(s_trunc_f16, __builtin_truncf, ENC(OP(GFX11_5, SOP1, 0x6d)))
ROUND16(s_rndne_f16, __builtin_rintf, ENC(OP(GFX11_5, SOP1, 0x6e)))

/* --- conversions ------------------------------------------------------------------------------------------------ */

/* An integer of up to 33 bits to single precision in MODE's rounding. */
static float from_integer(const struct isa_wave *w, int64_t v)
{
    static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile int64_t in = v;
    volatile float r;

    fesetround(host[w->mode.round32]);
    r = (float)in;
    fesetround(FE_TONEAREST);
    return r;
}

S1(s_cvt_f32_i32, SALU_FLOAT, F32, I32, ENC(OP(GFX11_5, SOP1, 0x64)))
{
    return from_integer(w, a);
}

S1(s_cvt_f32_u32, SALU_FLOAT, F32, U32, ENC(OP(GFX11_5, SOP1, 0x65)))
{
    return from_integer(w, a);
}

/* toward zero, to the nearest end of the range when outside, NaN to 0 */
S1(s_cvt_i32_f32, SALU_FLOAT, I32, F32, ENC(OP(GFX11_5, SOP1, 0x66)))
{
    if (isnan32(a))
        return 0;
    return a >= 2147483648.0f ? INT32_MAX : a < -2147483648.0f ? INT32_MIN : (int32_t)a;
}

S1(s_cvt_u32_f32, SALU_FLOAT, U32, F32, ENC(OP(GFX11_5, SOP1, 0x67)))
{
    if (isnan32(a) || a <= 0.0f)
        return 0;
    return a >= 4294967296.0f ? UINT32_MAX : (uint32_t)a;
}

S1(s_cvt_f16_f32, SALU_FLOAT, F16, F32, ENC(OP(GFX11_5, SOP1, 0x68)))
{
    a = in32(w, a);
    bool clamp = w->mode.fp16_ovfl && (bits_f32(a) & 0x7f800000) != 0x7f800000;
    return out16(w, half_from_f32(a, w->mode.round64, clamp));
}

static float from_half(const struct isa_wave *w, half_t h)
{
    float v = half_to_f32(in16(w, h));
    return isnan32(v) ? quiet32(v) : v;
}

S1(s_cvt_f32_f16, SALU_FLOAT, F32, F16, ENC(OP(GFX11_5, SOP1, 0x69)))
{
    return from_half(w, a);
}

S1(s_cvt_hi_f32_f16, SALU_FLOAT, F32, B32, ENC(OP(GFX11_5, SOP1, 0x6a)))
{
    return from_half(w, (half_t)(a >> 16));
}

/* always toward zero, so that overflow gives the largest half */
S2(s_cvt_pk_rtz_f16_f32, SALU_FLOAT, PF16, F32, F32, ENC(OP(GFX11_5, SOP2, 0x48)))
{
    half_t lo = out16(w, half_from_f32(in32(w, a), 3, false)), hi = out16(w, half_from_f32(in32(w, b), 3, false));
    return lo | (uint32_t)hi << 16;
}

/* --- compares --------------------------------------------------------------------------------------------------- */

#define FCMP32(NAME, EXPR, ...)                                                                                        \
    static unsigned NAME##_truth(float a, float b)                                                                     \
    {                                                                                                                  \
        return EXPR;                                                                                                   \
    }                                                                                                                  \
    W(NAME, SALU_FLOAT, 0, IMP_W_SCC, ARGS({SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}), __VA_ARGS__)               \
    {                                                                                                                  \
        w->scc = NAME##_truth(in32(w, SGET_F32(w, i, 0)), in32(w, SGET_F32(w, i, 1))) != 0;                            \
        return ISA_OK;                                                                                                 \
    }
#define FCMP16(NAME, LIKE, ...)                                                                                        \
    W(NAME, SALU_FLOAT, 0, IMP_W_SCC, ARGS({SL_SRC0, T_F16, A_RD}, {SL_SRC1, T_F16, A_RD}), __VA_ARGS__)               \
    {                                                                                                                  \
        w->scc = LIKE##_truth(widen(in16(w, SGET_F16(w, i, 0))), widen(in16(w, SGET_F16(w, i, 1)))) != 0;              \
        return ISA_OK;                                                                                                 \
    }
FCMP32(s_cmp_lt_f32, a < b, ENC(OP(GFX11_5, SOPC, 0x41)))
FCMP32(s_cmp_eq_f32, a == b, ENC(OP(GFX11_5, SOPC, 0x42)))
FCMP32(s_cmp_le_f32, a <= b, ENC(OP(GFX11_5, SOPC, 0x43)))
FCMP32(s_cmp_gt_f32, a > b, ENC(OP(GFX11_5, SOPC, 0x44)))
FCMP32(s_cmp_lg_f32, a<b || a> b, ENC(OP(GFX11_5, SOPC, 0x45)))
FCMP32(s_cmp_ge_f32, a >= b, ENC(OP(GFX11_5, SOPC, 0x46)))
FCMP32(s_cmp_o_f32, !isnan32(a) && !isnan32(b), ENC(OP(GFX11_5, SOPC, 0x47)))
FCMP32(s_cmp_u_f32, isnan32(a) || isnan32(b), ENC(OP(GFX11_5, SOPC, 0x48)))
FCMP32(s_cmp_nge_f32, !(a >= b), ENC(OP(GFX11_5, SOPC, 0x49)))
FCMP32(s_cmp_nlg_f32, !(a < b || a > b), ENC(OP(GFX11_5, SOPC, 0x4a)))
FCMP32(s_cmp_ngt_f32, !(a > b), ENC(OP(GFX11_5, SOPC, 0x4b)))
FCMP32(s_cmp_nle_f32, !(a <= b), ENC(OP(GFX11_5, SOPC, 0x4c)))
FCMP32(s_cmp_neq_f32, !(a == b), ENC(OP(GFX11_5, SOPC, 0x4d)))
FCMP32(s_cmp_nlt_f32, !(a < b), ENC(OP(GFX11_5, SOPC, 0x4e)))
FCMP16(s_cmp_lt_f16, s_cmp_lt_f32, ENC(OP(GFX11_5, SOPC, 0x51)))
FCMP16(s_cmp_eq_f16, s_cmp_eq_f32, ENC(OP(GFX11_5, SOPC, 0x52)))
FCMP16(s_cmp_le_f16, s_cmp_le_f32, ENC(OP(GFX11_5, SOPC, 0x53)))
FCMP16(s_cmp_gt_f16, s_cmp_gt_f32, ENC(OP(GFX11_5, SOPC, 0x54)))
FCMP16(s_cmp_lg_f16, s_cmp_lg_f32, ENC(OP(GFX11_5, SOPC, 0x55)))
FCMP16(s_cmp_ge_f16, s_cmp_ge_f32, ENC(OP(GFX11_5, SOPC, 0x56)))
FCMP16(s_cmp_o_f16, s_cmp_o_f32, ENC(OP(GFX11_5, SOPC, 0x57)))
FCMP16(s_cmp_u_f16, s_cmp_u_f32, ENC(OP(GFX11_5, SOPC, 0x58)))
FCMP16(s_cmp_nge_f16, s_cmp_nge_f32, ENC(OP(GFX11_5, SOPC, 0x59)))
FCMP16(s_cmp_nlg_f16, s_cmp_nlg_f32, ENC(OP(GFX11_5, SOPC, 0x5a)))
FCMP16(s_cmp_ngt_f16, s_cmp_ngt_f32, ENC(OP(GFX11_5, SOPC, 0x5b)))
FCMP16(s_cmp_nle_f16, s_cmp_nle_f32, ENC(OP(GFX11_5, SOPC, 0x5c)))
FCMP16(s_cmp_neq_f16, s_cmp_neq_f32, ENC(OP(GFX11_5, SOPC, 0x5d)))
FCMP16(s_cmp_nlt_f16, s_cmp_nlt_f32, ENC(OP(GFX11_5, SOPC, 0x5e)))
