/* Sums and products of doubles by vectors of the host. A double lies in two rows; unpacking their words within each 128
 * bits joins them with the lanes out of order, which is the same order for all operands and undone by splitting. False,
 * and nothing happens, where a result is not a number, whose choice of a source is the body's, and on hosts without the
 * instructions. The host's rounding mode holds.
 */
#ifndef GCNSIM_ISA_DOUBLE_ROWS_H
#define GCNSIM_ISA_DOUBLE_ROWS_H

#include "isa/lanes/lanes.h"

enum double_op { DOUBLE_ADD, DOUBLE_MUL, DOUBLE_FMA };

#if defined(__AVX512F__)
#define DOUBLE_ROWS 1
enum { DOUBLE_STEP = 16 };
typedef __m512d doubles;

static inline void doubles_join(const uint32_t *s, unsigned n, doubles *a, doubles *b)
{
    __m512i low = _mm512_loadu_si512(s), high = _mm512_loadu_si512(s + n);

    *a = _mm512_castsi512_pd(_mm512_unpacklo_epi32(low, high));
    *b = _mm512_castsi512_pd(_mm512_unpackhi_epi32(low, high));
}

static inline void doubles_split(uint32_t *low, uint32_t *high, doubles a, doubles b)
{
    _mm512_store_ps(low, _mm512_shuffle_ps(_mm512_castpd_ps(a), _mm512_castpd_ps(b), 0x88));
    _mm512_store_ps(high, _mm512_shuffle_ps(_mm512_castpd_ps(a), _mm512_castpd_ps(b), 0xdd));
}

static inline unsigned doubles_nan(doubles a, doubles b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
}

#define DOUBLES_FMADD(a, b, c) _mm512_fmadd_pd(a, b, c)

#elif defined(__AVX2__) && defined(__FMA__)
#define DOUBLE_ROWS 1
enum { DOUBLE_STEP = 8 };
typedef __m256d doubles;

static inline void doubles_join(const uint32_t *s, unsigned n, doubles *a, doubles *b)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)s),
            high = _mm256_loadu_si256((const __m256i *)(const void *)(s + n));

    *a = _mm256_castsi256_pd(_mm256_unpacklo_epi32(low, high));
    *b = _mm256_castsi256_pd(_mm256_unpackhi_epi32(low, high));
}

static inline void doubles_split(uint32_t *low, uint32_t *high, doubles a, doubles b)
{
    _mm256_store_ps((float *)(void *)low, _mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0x88));
    _mm256_store_ps((float *)(void *)high, _mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0xdd));
}

static inline unsigned doubles_nan(doubles a, doubles b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_UNORD_Q));
}

#define DOUBLES_FMADD(a, b, c) _mm256_fmadd_pd(a, b, c)
#endif

#ifdef DOUBLE_ROWS
static inline __attribute__((always_inline)) doubles doubles_of(enum double_op op, doubles a, doubles b, doubles c)
{
    if (op == DOUBLE_FMA)
        return DOUBLES_FMADD(a, b, c);
    return op == DOUBLE_ADD ? a + b : a * b;
}
#endif

/* mask: of the lanes whose result is kept; null: all */
static inline __attribute__((always_inline)) bool double_rows(enum double_op op, uint32_t *d, const uint32_t *s0,
                                                              const uint32_t *s1, const uint32_t *s2,
                                                              const uint32_t *mask, unsigned n)
{
#ifdef DOUBLE_ROWS
    _Alignas(64) uint32_t low[64], high[64];
    unsigned nan = 0;

    for (unsigned l = 0; l < n; l += DOUBLE_STEP) {
        doubles a, b, c = {0}, a_too, b_too, c_too = {0};
        doubles_join(s0 + l, n, &a, &a_too);
        doubles_join(s1 + l, n, &b, &b_too);
        if (op == DOUBLE_FMA)
            doubles_join(s2 + l, n, &c, &c_too);
        a = doubles_of(op, a, b, c);
        a_too = doubles_of(op, a_too, b_too, c_too);
        nan |= doubles_nan(a, a_too);
        doubles_split(low + l, high + l, a, a_too);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    LANE_PRAGMA
    for (unsigned l = 0; l < n; l++)
        d[l] = mask ? (low[l] & mask[l]) | (d[l] & ~mask[l]) : low[l];
    LANE_PRAGMA
    for (unsigned l = 0; l < n; l++)
        d[n + l] = mask ? (high[l] & mask[l]) | (d[n + l] & ~mask[l]) : high[l];
    return true;
#else
    (void)op, (void)d, (void)s0, (void)s1, (void)s2, (void)mask, (void)n;
    return false;
#endif
}

/* of either size of a wave */
static inline __attribute__((always_inline)) bool double_lanes(enum double_op op, const struct lane_args *L,
                                                               unsigned last)
{
    return L->n == 64 ? double_rows(op, L->d, L->s[0], L->s[1], L->s[last], L->mask, 64)
                      : double_rows(op, L->d, L->s[0], L->s[1], L->s[last], L->mask, 32);
}

#endif
