/* Half precision beyond isa/fp.h's add, mul and fma: comparisons, rounding, and the functions of the special unit.
 *
 * The special unit's results are the exact function rounded once; hardware is allowed about one unit in the last
 * place. Its invalid results are the negative quiet NaN (RDNA ISA, examples at V_SQRT_F16, V_LOG_F16, V_SIN_F16).
 */
#ifndef GCNSIM_ISA_FP_HALF_H
#define GCNSIM_ISA_FP_HALF_H

#include "isa/fp.h"

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

/* The operand that is no NaN; in IEEE mode a signalling NaN comes first. Masks of all ones or none, so that lane loops
 * vectorize. */
static inline half_t number_f16(half_t r, half_t a, half_t b, bool ieee)
{
    uint32_t ma = a & 0x7fffu, mb = b & 0x7fffu, on = -(uint32_t)ieee;
    uint32_t a_nan = -(uint32_t)(ma > 0x7c00), b_nan = -(uint32_t)(mb > 0x7c00);
    uint32_t a_sig = a_nan & (((uint32_t)a >> 9 & 1) - 1) & on, b_sig = b_nan & (((uint32_t)b >> 9 & 1) - 1) & on;
    uint32_t v = (r & ~a_nan) | (b & a_nan), both = a_nan & b_nan;
    v = (v & ~b_nan) | (a & b_nan & ~both) | ((a | 0x200u) & both);
    v = (v & ~b_sig) | ((b | 0x200u) & b_sig);
    v = (v & ~a_sig) | ((a | 0x200u) & a_sig);
    return (half_t)v;
}

static inline half_t min_f16(half_t a, half_t b, bool ieee)
{
    return number_f16(order16(a) < order16(b) ? a : b, a, b, ieee);
}

static inline half_t max_f16(half_t a, half_t b, bool ieee)
{
    return number_f16(order16(a) < order16(b) ? b : a, a, b, ieee);
}

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

static inline half_t med3_f16(half_t a, half_t b, half_t c, bool ieee)
{
    half_t top = max_f16(max_f16(a, b, ieee), c, ieee);
    half_t mid = order16(top) == order16(b) ? max_f16(a, c, ieee) : max_f16(a, b, ieee);
    mid = order16(top) == order16(a) ? max_f16(b, c, ieee) : mid;
    return isnan16(a) || isnan16(b) || isnan16(c) ? min_f16(min_f16(a, b, ieee), c, ieee) : mid;
}

/* r unless the operand is a NaN, which then passes quiet */
static inline half_t nan1_f16(half_t r, half_t a)
{
    return isnan16(a) ? quiet16(a) : r;
}

/* a function of a double, rounded; what is no number becomes the special unit's invalid result */
static inline half_t special_f16(double r, half_t a, struct isa_mode m)
{
    half_t h = r != r ? INVALID16 : half_from_f64(r, m.round64, false);
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

static inline int32_t exponent64(double a)
{
    return (int32_t)(bits_f64(a) >> 52 & 0x7ff);
}

static inline bool denormal64(double a)
{
    return exponent64(a) == 0 && (bits_f64(a) & UINT64_C(0xfffffffffffff)) != 0;
}

/* a * 2^e rounded once, in the host's rounding mode */
static inline double ldexp64(double a, int32_t e)
{
    e = e < -2200 ? -2200 : e > 2200 ? 2200 : e;
    return nan1_f64(scalbn(a, e), a);
}

#endif
