/* exp2, log2, reciprocal roots, sine and cosine of 32 lanes at once. Each function computes in double, less than 2^-41
 * off, and returns false without a result where that may decide how a float is rounded, and for operands out of the
 * ordinary: the row's body, with the C library's function, is as right as it is and is called then. False always where
 * the host has no fused multiply-add.
 *
 * NAME_held prepares an operand in 32 bits, NAME_lane takes what it gives. Polynomials pass through the function at
 * Chebyshev's nodes.
 */
#ifndef GCNSIM_ISA_SPECIAL_ROWS_H
#define GCNSIM_ISA_SPECIAL_ROWS_H

#include <string.h>

#include "isa/lanes/fp.h"
#include "isa/lanes/pair_rows.h"

#if defined(__FMA__)

#define SPECIAL_FMA(a, b, c) __builtin_fma(a, b, c)
#define SPECIAL_LANE         static inline __attribute__((always_inline)) uint32_t

/* y as a float. Bit 63 of *near: it is near the middle of two. */
SPECIAL_LANE surely(double y, uint64_t *near)
{
    *near |= ((bits_f64(y) + 0x10001000) & 0x1fffe000) - 1;
    return bits_f32((float)y);
}

/* within which results are: apart, since the compiler would make exp2_lane() three functions with constants */
SPECIAL_LANE exp2_held(uint32_t s, uint32_t *odd)
{
    float x = as_f32(s), low = x < -126.4f ? -126.4f : x; /* 2^-126.4 is flushed as less is */

    *odd |= isnan32(x) ? 1 : 0;
    return bits_f32(low > 128.0f ? 128.0f : low);
}

SPECIAL_LANE exp2_lane(uint32_t s, uint64_t *near)
{
    const float magic = 0x1.8p23f; /* the sum's last bits are the integer nearest to the other summand */
    float x = as_f32(s), sum = x + magic;
    double f = (double)(x - (sum - magic)), p = 0x1.b63880a30e9ffp-24;

    p = SPECIAL_FMA(p, f, 0x1.63d136366db24p-20);
    p = SPECIAL_FMA(p, f, 0x1.ffcb9515a8016p-17);
    p = SPECIAL_FMA(p, f, 0x1.4308ac85aa947p-13);
    p = SPECIAL_FMA(p, f, 0x1.5d87fe86fe88ep-10);
    p = SPECIAL_FMA(p, f, 0x1.3b2ab7181b755p-7);
    p = SPECIAL_FMA(p, f, 0x1.c6b08d7047e52p-5);
    p = SPECIAL_FMA(p, f, 0x1.ebfbdff823cedp-3);
    p = SPECIAL_FMA(p, f, 0x1.62e42fefa39efp-1);
    uint32_t u = surely(SPECIAL_FMA(p, f, 1), near);
    u += bits_f32(sum) << 23;
    return u & 0x7f800000 ? u : 0;
}

/* neither zero, denormal, negative nor infinite */
SPECIAL_LANE log2_held(uint32_t s, uint32_t *odd)
{
    *odd |= s - 0x00800000 >= 0x7f000000 ? 1 : 0;
    return s;
}

/* by the series of artanh((m - 1) / (m + 1)) */
SPECIAL_LANE log2_lane(uint32_t s, uint64_t *near)
{
    const uint32_t root = 0x3f3504f3; /* of 1/2: fractions are between it and its double */
    uint32_t above = s - root;
    double m = (double)(as_f32((above & 0x7fffff) + root) - 1.0f), z = m / (m + 2), z2 = z * z;
    double p = 0x1.21af101c073efp-2;

    p = SPECIAL_FMA(p, z2, 0x1.47957ca53fbd6p-2);
    p = SPECIAL_FMA(p, z2, 0x1.a61a2db52464ap-2);
    p = SPECIAL_FMA(p, z2, 0x1.2776c294d1dbap-1);
    p = SPECIAL_FMA(p, z2, 0x1.ec709dc53ace3p-1);
    p = SPECIAL_FMA(p, z2, 0x1.71547652b8252p+1);
    return surely(SPECIAL_FMA(p, z, (double)((int32_t)above >> 23)), near);
}

SPECIAL_LANE rsq_held(uint32_t s, uint32_t *odd)
{
    return log2_held(s, odd);
}

/* a step of Newton from the float */
SPECIAL_LANE rsq_lane(uint32_t s, uint64_t *near)
{
    float x = as_f32(s), first = 1.0f / __builtin_sqrtf(x);
    double y = (double)first, half = 0.5 * y;

    return surely(SPECIAL_FMA(half, SPECIAL_FMA(-(double)x * y, y, 1), y), near);
}

/* sin(2 pi s) for s of a quarter or less */
SPECIAL_LANE turn_lane(double s, uint64_t *near)
{
    double s2 = s * s, p = 0x1.d53abdeb199c1p+1;

    p = SPECIAL_FMA(p, s2, -0x1.e29b82ab98ea9p+3);
    p = SPECIAL_FMA(p, s2, 0x1.50770f6a5a66bp+5);
    p = SPECIAL_FMA(p, s2, -0x1.32d2c9b2d1df5p+6);
    p = SPECIAL_FMA(p, s2, 0x1.466bc66ed3d1cp+6);
    p = SPECIAL_FMA(p, s2, -0x1.4abbce624ad99p+5);
    p = SPECIAL_FMA(p, s2, 0x1.921fb54442bb4p+2);
    return surely(p * s, near);
}

/* What whole turns leave; exact */
SPECIAL_LANE part_of_turn(uint32_t s, uint32_t *odd)
{
    float x = as_f32(s);

    *odd |= (s & 0x7fffffff) >= 0x7f800000 ? 1 : 0;
    return bits_f32(x - __builtin_rintf(x));
}

/* Denormal results are rounded at another place, and -0 is its own sine: too rare to look at. */
SPECIAL_LANE sin_held(uint32_t s, uint32_t *odd)
{
    float r = as_f32(part_of_turn(s, odd)), folded = __builtin_copysignf(0.5f, r) - r;

    *odd |= (s & 0x7fffffff) < 0x01000000 ? s : 0;
    return bits_f32(__builtin_fabsf(r) > 0.25f ? folded : r);
}

SPECIAL_LANE sin_lane(uint32_t s, uint64_t *near)
{
    return turn_lane((double)as_f32(s), near);
}

SPECIAL_LANE cos_held(uint32_t s, uint32_t *odd)
{
    return part_of_turn(s, odd) & 0x7fffffff;
}

SPECIAL_LANE cos_lane(uint32_t s, uint64_t *near)
{
    return turn_lane(0.25 - (double)as_f32(s), near);
}

#define SPECIAL_ROWS(NAME)                                                                                             \
    static __attribute__((noinline)) bool NAME##_rows(uint32_t *d, const uint32_t *s)                                  \
    {                                                                                                                  \
        _Alignas(64) uint32_t r[32];                                                                                   \
        uint64_t near = 0;                                                                                             \
        uint32_t odd = 0;                                                                                              \
                                                                                                                       \
        LANE_PRAGMA                                                                                                    \
        for (unsigned i = 0; i < 32; i++)                                                                              \
            r[i] = NAME##_held(s[i], &odd);                                                                            \
        LANE_PRAGMA                                                                                                    \
        for (unsigned i = 0; i < 32; i++)                                                                              \
            r[i] = NAME##_lane(r[i], &near);                                                                           \
        if (__builtin_expect(odd || near >> 63, 0))                                                                    \
            return false;                                                                                              \
        memcpy(d, r, sizeof r);                                                                                        \
        return true;                                                                                                   \
    }

#else

#define SPECIAL_ROWS(NAME)                                                                                             \
    static __attribute__((noinline)) bool NAME##_rows(uint32_t *d, const uint32_t *s)                                  \
    {                                                                                                                  \
        (void)d, (void)s;                                                                                              \
        return false;                                                                                                  \
    }

#endif

SPECIAL_ROWS(exp2)
SPECIAL_ROWS(log2)
SPECIAL_ROWS(rsq)
SPECIAL_ROWS(sin)
SPECIAL_ROWS(cos)

#endif
