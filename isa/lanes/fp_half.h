/* Half precision beyond isa/lanes/fp.h's add, mul and fma: comparisons, rounding, and the functions of the special
 * unit.
 *
 * The special unit's results are the exact function rounded once; hardware is allowed about one unit in the last
 * place. Its invalid results are the negative quiet NaN (RDNA ISA, examples at V_SQRT_F16, V_LOG_F16, V_SIN_F16).
 */
#ifndef GCNSIM_ISA_FP_HALF_H
#define GCNSIM_ISA_FP_HALF_H

#include "isa/lanes/fp.h"

#define INVALID16 0xfe00
#define INVALID64 UINT64_C(0xfff8000000000000)

static inline bool issnan16(half_t a)
{
    return (a & 0x7fff) > 0x7c00 && !(a & 0x200);
}

static inline half_t quiet16(half_t a)
{
    return a | 0x200;
}

/* a denormal becomes the zero of its sign */
static inline half_t ftz16(half_t a)
{
    return a & 0x7c00 ? a : a & 0x8000;
}

/* Halves as integers that order like the numbers they are, -0 below +0. */
static inline int32_t order16(half_t a)
{
    int32_t mag = a & 0x7fff, neg = -(int32_t)(a >> 15);
    return mag ^ neg; /* -1 - mag when negative */
}

static inline half_t sub_f16(half_t a, half_t b, struct isa_mode m)
{
    half_t r = add_f16(a, b ^ 0x8000, m);
    /* a NaN operand keeps its own sign */
    return isnan16(b) && !isnan16(a) ? quiet16(b) : r;
}

/* Minimum and maximum by the three rules of isa/insts/valu_f32_order.c, r being the answer for two numbers. Masks of
 * all ones or none, so that lane loops vectorize. */
static inline half_t signals_f16(uint32_t v, half_t a, half_t b, bool ieee)
{
    uint32_t ma = a & 0x7fffu, mb = b & 0x7fffu, on = -(uint32_t)ieee;
    uint32_t a_sig = -(uint32_t)((ma > 0x7c00) & (ma < 0x7e00)) & on;
    uint32_t b_sig = -(uint32_t)((mb > 0x7c00) & (mb < 0x7e00)) & on;
    v = (v & ~b_sig) | ((b | 0x200u) & b_sig);
    v = (v & ~a_sig) | ((a | 0x200u) & a_sig);
    return (half_t)v;
}

static inline half_t nan_gcn16(half_t r, half_t a, half_t b, bool ieee)
{
    uint32_t a_nan = -(uint32_t)isnan16(a), b_nan = -(uint32_t)isnan16(b);
    uint32_t v = (r & ~b_nan) | (a & b_nan);
    v = (v & ~a_nan) | (b & a_nan);
    return signals_f16(v, a, b, ieee);
}

static inline half_t nan_rdna3_16(half_t r, half_t a, half_t b, bool ieee)
{
    uint32_t a_nan = -(uint32_t)isnan16(a), b_nan = -(uint32_t)isnan16(b);
    uint32_t v = (r & ~a_nan) | (b & a_nan);
    v = (v & ~b_nan) | (a & b_nan);
    return signals_f16(v, a, b, ieee);
}

static inline half_t nan_num16(half_t r, half_t a, half_t b)
{
    uint32_t a_nan = -(uint32_t)isnan16(a), b_nan = -(uint32_t)isnan16(b);
    uint32_t v = (r & ~a_nan) | (b & a_nan);
    v = (v & ~b_nan) | ((a | (0x200u & a_nan)) & b_nan);
    return (half_t)v;
}

#define LOW16(a, b)       (order16(a) < order16(b) ? (a) : (b))
#define HIGH16(a, b)      (order16(a) < order16(b) ? (b) : (a))
#define MIN16_GCN(a, b)   nan_gcn16(LOW16(a, b), a, b, mode.ieee)
#define MAX16_GCN(a, b)   nan_gcn16(HIGH16(a, b), a, b, mode.ieee)
#define MIN16_RDNA3(a, b) nan_rdna3_16(LOW16(a, b), a, b, mode.ieee)
#define MAX16_RDNA3(a, b) nan_rdna3_16(HIGH16(a, b), a, b, mode.ieee)
#define MIN16_NUM(a, b)   nan_num16(LOW16(a, b), a, b)
#define MAX16_NUM(a, b)   nan_num16(HIGH16(a, b), a, b)

/* IEEE 754-2019 minimum and maximum: a NaN wins, a signalling one first (RDNA4 ISA, V_MINIMUM_F16) */
static inline half_t nan_of16(half_t r, half_t a, half_t b)
{
    r = isnan16(b) ? b : r;
    r = isnan16(a) ? a : r;
    r = issnan16(b) ? quiet16(b) : r;
    return issnan16(a) ? quiet16(a) : r;
}

static inline half_t minimum_f16(half_t a, half_t b)
{
    return nan_of16(order16(a) < order16(b) ? a : b, a, b);
}

static inline half_t maximum_f16(half_t a, half_t b)
{
    return nan_of16(order16(a) < order16(b) ? b : a, a, b);
}

/* equal as numbers: zeros of either sign are */
static inline bool same16(half_t a, half_t b)
{
    return (a == b) | (((a | b) & 0x7fff) == 0);
}

#define MED3_16(MIN, MAX)                                                                                              \
    do {                                                                                                               \
        half_t ab = MAX(a, b), top = MAX(ab, c), least = MIN(a, b), bc = MAX(b, c), ac = MAX(a, c);                    \
        half_t r = same16(top, a) ? bc : same16(top, b) ? ac : ab;                                                     \
        half_t bottom = MIN(least, c);                                                                                 \
        return (isnan16(a) | isnan16(b) | isnan16(c)) ? bottom : r;                                                    \
    } while (0)

/* r unless the operand is a NaN, which then passes quiet */
static inline half_t nan1_f16(half_t r, half_t a)
{
    return isnan16(a) ? quiet16(a) : r;
}

/* a function of a double, rounded; what is no number becomes the special unit's invalid result */
static inline half_t special_f16(double r, half_t a, struct isa_mode m)
{
    half_t h = r != r ? INVALID16 : half_from_f64(r, m.round64, m.fp16_ovfl);
    return nan1_f16(h, a);
}

static inline float bf16_to_f32(uint32_t h)
{
    return as_f32(h << 16);
}

static inline uint16_t bf16_from_f32(float x)
{
    uint32_t u = bits_f32(x);
    uint32_t even = u + 0x7fff + (u >> 16 & 1);
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : even >> 16);
}

/* a and `units` of its last place, away from zero: exact, and no infinity of a number. */
static inline double away_f32(float a, uint32_t units)
{
    int32_t e = (int32_t)(bits_f32(a) >> 23 & 0xff);
    return (double)a + copysign(ldexp((double)units, (e ? e : 1) - 150), (double)a);
}

/* A half with that added and what does not fit cut off; MODE.FP16_OVFL holds what is too large. */
static inline half_t half_away(float a, uint32_t units, struct isa_mode m)
{
    double x = away_f32(a, units);

    if (a != a)
        return half_from_f32(a, 0, false);
    return half_from_f64(x, x < 65536 && x > -65536 ? 3 : 0, m.fp16_ovfl);
}

/* --- double precision ------------------------------------------------------------------------------------------ */

static inline double nan_of64(double r, double a, double b)
{
    r = isnan64(b) ? b : r;
    r = isnan64(a) ? a : r;
    r = issnan64(b) ? quiet64(b) : r;
    return issnan64(a) ? quiet64(a) : r;
}

static inline double minimum_f64(double a, double b)
{
    return nan_of64(below64(a, b) ? a : b, a, b);
}

static inline double maximum_f64(double a, double b)
{
    return nan_of64(below64(a, b) ? b : a, a, b);
}

static inline double special_f64(double r, double a)
{
    double v = r != r ? as_f64(INVALID64) : r;
    return isnan64(a) ? quiet64(a) : v;
}

/* in 64 bits, and with & and not &&, so that lane loops vectorize */
static inline int64_t exponent64(double a)
{
    return (int64_t)(bits_f64(a) >> 52 & 0x7ff);
}

static inline bool denormal64(double a)
{
    bool least = exponent64(a) == 0, some = bits_f64(a) & UINT64_C(0xfffffffffffff);

    return least & some;
}

/* A denormal as 2^54 of it, which is a normal number, and the exponent field that it had if the field went below 1. */
static inline double normal64(double a, int64_t *exponent)
{
    bool denormal = denormal64(a);
    double r = denormal ? a * 0x1p54 : a;

    *exponent = exponent64(r) - (denormal ? 54 : 0);
    return r;
}

/* a * 2^e rounded once, in the host's rounding mode: by a last multiplication where the result leaves normal numbers */
static inline double ldexp64(double a, int32_t e)
{
    int64_t field, by = e < -2200 ? -2200 : e > 2200 ? 2200 : e;
    uint64_t u = bits_f64(normal64(a, &field)) & UINT64_C(0x800fffffffffffff);
    int64_t to = field + by, up = to > 2046 ? 2046 : to, low = to + 64 > 1 ? to + 64 : 1;
    double last = to > 2046 ? 0x1p64 : to < 1 ? 0x1p-64 : 1.0;
    double r = as_f64(u | (uint64_t)(to < 1 ? low : up) << 52) * last;
    bool same = (a == 0.0) | (exponent64(a) == 0x7ff);

    return nan1_f64(same ? a : r, a);
}

#endif
