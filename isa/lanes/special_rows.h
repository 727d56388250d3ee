/* exp2, log2, sine and cosine of 32 lanes at once. Each function computes in double, up to 2^-45 off,
 * and returns false without a result where that may decide how a float is rounded, and for operands out of the
 * ordinary: the row's body, with the C library's function, is as right as it is and is called then. False always where
 * the host has no fused multiply-add.
 */
#ifndef GCNSIM_ISA_SPECIAL_ROWS_H
#define GCNSIM_ISA_SPECIAL_ROWS_H

#include "isa/lanes/fp.h"

#if defined(__FMA__)

#define SPECIAL_FMA(a, b, c) __builtin_fma(a, b, c)

/* 1 where a double is so near the middle between two floats, or just below the least normal one, that a relative error
 * of 2^-44 may round it to the other */
static inline uint64_t near_middle(double x)
{
    const uint64_t least = UINT64_C(0x3810000000000000), below = UINT64_C(1) << 32;
    uint64_t u = bits_f64(x), magnitude = u & INT64_MAX;
    uint64_t middle = ((u + 256 - 0x10000000) & 0x1fffffff) < 512, edge = magnitude - (least - below) < below;

    return middle | edge;
}

/* 2^f for |f| <= 1/2: exp(f ln 2) by its series, ln(2)^k / k!; what follows is below 2^-47 */
static inline __attribute__((always_inline)) double exp2_of_fraction(double f)
{
    double f2 = f * f;
    double even = 0x1.e4cf5158b8ecap-28;
    double odd = 0x1.e8cac7351bb25p-32;

    even = SPECIAL_FMA(even, f2, 0x1.62c0223a5c824p-20);
    even = SPECIAL_FMA(even, f2, 0x1.430912f86c787p-13);
    even = SPECIAL_FMA(even, f2, 0x1.3b2ab6fba4e77p-7);
    even = SPECIAL_FMA(even, f2, 0x1.ebfbdff82c58fp-3);
    even = SPECIAL_FMA(even, f2, 0x1p+0);
    odd = SPECIAL_FMA(odd, f2, 0x1.b5253d395e7c4p-24);
    odd = SPECIAL_FMA(odd, f2, 0x1.ffcbfc588b0c7p-17);
    odd = SPECIAL_FMA(odd, f2, 0x1.5d87fe78a6731p-10);
    odd = SPECIAL_FMA(odd, f2, 0x1.c6b08d704a0cp-5);
    odd = SPECIAL_FMA(odd, f2, 0x1.62e42fefa39efp-1);
    return SPECIAL_FMA(odd, f, even);
}

static inline bool exp2_rows(uint32_t *d, const uint32_t *s)
{
    const double magic = 0x1.8p52; /* the sum's last bits are the integer nearest to the other summand */
    _Alignas(64) float r[32];
    uint64_t odd = 0;

    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++) {
        double x = (double)ftz32(as_f32(s[i]));
        double held = x < -160 ? -160 : x > 160 ? 160 : x;
        double sum = held + magic, p = exp2_of_fraction(held - (sum - magic));
        double y = as_f64(bits_f64(p) + (bits_f64(sum) << 52));
        odd |= near_middle(y) | (x != x ? 1 : 0);
        r[i] = ftz32((float)y);
    }
    if (__builtin_expect(odd != 0, 0))
        return false;
    put_row32(d, r);
    return true;
}

/* log2(m) by the series of artanh((m - 1) / (m + 1)): 2 / ln 2 / (2 k + 1); what follows is below 2^-54 of the first */
static inline __attribute__((always_inline)) double log2_of_fraction(double m, double exponent)
{
    double z = (m - 1) / (m + 1), z2 = z * z, z4 = z2 * z2;
    double even = 0x1.5b9ac9b743f0dp-3;
    double odd = 0x1.3703c1f4d0ffep-3;

    even = SPECIAL_FMA(even, z4, 0x1.c68f568d3176p-3);
    even = SPECIAL_FMA(even, z4, 0x1.484b13d7c02a9p-2);
    even = SPECIAL_FMA(even, z4, 0x1.2776c50ef9bfep-1);
    even = SPECIAL_FMA(even, z4, 0x1.71547652b82fep+1);
    odd = SPECIAL_FMA(odd, z4, 0x1.89f3b1694cffep-3);
    odd = SPECIAL_FMA(odd, z4, 0x1.0c9a84994022dp-2);
    odd = SPECIAL_FMA(odd, z4, 0x1.a61762a7aded9p-2);
    odd = SPECIAL_FMA(odd, z4, 0x1.ec709dc3a03fdp-1);
    return SPECIAL_FMA(z, SPECIAL_FMA(odd, z2, even), exponent);
}

static inline bool log2_rows(uint32_t *d, const uint32_t *s)
{
    const uint32_t root = 0x3f3504f3; /* of 1/2: fractions are between it and its double */
    _Alignas(64) float r[32];
    uint64_t odd = 0;

    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++) {
        uint32_t u = s[i], above = u - root;
        double y = log2_of_fraction((double)as_f32((above & 0x7fffff) + root), (double)((int32_t)above >> 23));
        odd |= near_middle(y) | (u - 0x00800000 >= 0x7f000000 ? 1 : 0);
        r[i] = (float)y;
    }
    if (__builtin_expect(odd != 0, 0))
        return false;
    put_row32(d, r);
    return true;
}

#else

static inline bool exp2_rows(uint32_t *d, const uint32_t *s)
{
    (void)d, (void)s;
    return false;
}

static inline bool log2_rows(uint32_t *d, const uint32_t *s)
{
    (void)d, (void)s;
    return false;
}

#endif

#endif
