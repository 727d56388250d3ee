/* The steps of a division where all exponents are in the middle: nothing is scaled, and nothing overflows or vanishes.
 * Each function does what the row's body does for n lanes, or does nothing and returns false. Exponents, and signs, are
 * in the last row of a number: the only one of a float, the high words of a double.
 */
#ifndef GCNSIM_ISA_DIVISION_ROWS_H
#define GCNSIM_ISA_DIVISION_ROWS_H

#include "isa/lanes/double_rows.h"
#include "isa/lanes/fp.h"

struct division_limits {
    unsigned words, shift; /* rows of a number; place of its exponent */
    uint32_t infinite;     /* exponents: of infinity, */
    uint32_t far;          /* how far those of numerator and denominator may be from each other, */
    uint32_t numerator;    /* the lowest of a numerator and */
    uint32_t denominator;  /* the highest of a denominator of which nothing is scaled */
};
static const struct division_limits division32 = {1, 23, 0xff, 95, 24, 252};
static const struct division_limits division64 = {2, 20, 0x7ff, 767, 54, 2043};

static inline uint32_t division_exponent(const struct division_limits *of, uint32_t word)
{
    return word >> of->shift & of->infinite;
}

/* Both words of a lane, whose sources may lie over them, or the only one. top: words from one to the other */
static inline void division_put(uint32_t *d, unsigned top, uint32_t low, uint32_t high, uint32_t mask)
{
    if (top)
        d[0] = (low & mask) | (d[0] & ~mask);
    d[top] = (high & mask) | (d[top] & ~mask);
}

/* v_div_scale: the value itself, and no carry. mask: null: all lanes; bits: null: whoever calls knows. */
static inline __attribute__((always_inline)) bool division_scale(const struct division_limits *of, uint32_t *d,
                                                                 uint32_t *bits, const uint32_t *s0, const uint32_t *s1,
                                                                 const uint32_t *s2, const uint32_t *mask, unsigned n)
{
    const unsigned top = (of->words - 1) * n;
    uint32_t odd = 0;

    for (unsigned l = 0; l < n; l++) {
        uint32_t a = division_exponent(of, s0[top + l]), b = division_exponent(of, s1[top + l]),
                 c = division_exponent(of, s2[top + l]);
        odd |= (a == of->infinite) | (b - 1 >= of->denominator) | (c - of->numerator >= of->infinite - of->numerator) |
               (c - b + of->far > 2 * of->far);
    }
    if (__builtin_expect(odd != 0, 0))
        return false;
    for (unsigned l = 0; l < n && bits; l++)
        bits[l] = 0;
    LANE_PRAGMA
    for (unsigned l = 0; l < n; l++)
        division_put(d + l, top, s0[l], s0[top + l], mask ? mask[l] : 0xffffffff);
    return true;
}

/* v_div_fixup: the quotient with the sign that it has to have. */
static inline __attribute__((always_inline)) bool division_fixup(const struct division_limits *of, uint32_t *d,
                                                                 const uint32_t *s0, const uint32_t *s1,
                                                                 const uint32_t *s2, const uint32_t *mask, unsigned n)
{
    const unsigned top = (of->words - 1) * n;
    const uint32_t sign = 0x80000000u;
    uint32_t odd = 0;

    for (unsigned l = 0; l < n; l++) {
        uint32_t a = division_exponent(of, s0[top + l]), b = division_exponent(of, s1[top + l]),
                 c = division_exponent(of, s2[top + l]);
        odd |= (a == of->infinite) | (b - 1 >= of->infinite - 1) | (c - 1 >= of->infinite - 1) |
               (c - b + of->far > 2 * of->far);
    }
    if (__builtin_expect(odd != 0, 0))
        return false;
    LANE_PRAGMA
    for (unsigned l = 0; l < n; l++) {
        uint32_t r = (s0[top + l] & ~sign) | ((s1[top + l] ^ s2[top + l]) & sign);
        division_put(d + l, top, s0[l], r, mask ? mask[l] : 0xffffffff);
    }
    return true;
}

/* v_div_fmas where VCC has no lane: a fused multiply-add, of floats by 32 active lanes. */
static inline bool division_fma(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2)
{
    _Alignas(64) float r[32];

    LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++)
        r[l] = __builtin_fmaf(as_f32(s0[l]), as_f32(s1[l]), as_f32(s2[l]));
    if (__builtin_expect(any_nan32(r), 0))
        return false;
    put_row32(d, r);
    return true;
}

static inline bool division_any(const uint32_t *carries, unsigned n)
{
    uint32_t any = 0;

    for (unsigned l = 0; l < n; l++)
        any |= carries[l];
    return any != 0;
}

#define DIVISION_SCALE_SOME(OF)  division_scale(OF, L->d, L->bits, L->s[0], L->s[1], L->s[2], L->mask, L->n & 96)
#define DIVISION_SCALE(OF)       division_scale(OF, d, NULL, s0, s1, s2, NULL, 32)
#define DIVISION_FIXUP_SOME(OF)  division_fixup(OF, L->d, L->s[0], L->s[1], L->s[2], L->mask, L->n & 96)
#define DIVISION_FIXUP(OF)       division_fixup(OF, d, s0, s1, s2, NULL, 32)
#define DIVISION_DOUBLE_FMA_SOME (!division_any(L->cin, L->n & 96) && double_lanes(DOUBLE_FMA, L, 2))
#define DIVISION_DOUBLE_FMA      (!carries && double_rows(DOUBLE_FMA, d, s0, s1, s2, NULL, 32))

#endif
