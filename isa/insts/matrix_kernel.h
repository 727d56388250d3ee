/* The inner loops of the matrix instructions: tiles of four rows by sixteen columns.
 *
 * Order and rounding are those of isa/insts/matrix.h: k ascending, one rounding per product and sum. The tiles use the
 * host's own fused multiply-add, which differs from isa/fp.h's in which NaN it gives alone; where one comes out, the
 * caller takes the other way.
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_KERNEL_H
#define GCNSIM_ISA_INSTS_MATRIX_KERNEL_H

#include <string.h>

#include "isa/fp.h"

enum { TILE_ROWS = 4, TILE_COLUMNS = 16 };

/* Element k of row i of A is a[a_at[k] + i], of B's row for it b[b_at[k * b_step] + j], or where rows have their own,
 * b[b_at[k * b_step + i] + j]. */
struct mat_tile {
    unsigned count; /* k */
    unsigned b_step;
    const float *a, *b;
    const uint32_t *a_at, *b_at;
    const uint32_t *c[TILE_ROWS]; /* floats as bits */
    uint32_t *d[TILE_ROWS];
};

/* False, and nothing written, when a NaN came out. D's rows may be C's. */
#if defined(__AVX512F__)
#define TILE_LOAD_(I)  _mm512_castsi512_ps(_mm512_loadu_si512(t->c[I]))
#define TILE_ROW_(I)   c##I = _mm512_fmadd_ps(_mm512_set1_ps(x[I]), _mm512_loadu_ps(t->b + at[own ? I : 0]), c##I)
#define TILE_STORE_(I) _mm512_storeu_si512(t->d[I], _mm512_castps_si512(c##I))
static inline __attribute__((always_inline)) bool mat_tile_f32(const struct mat_tile *t, bool own)
{
    const uint32_t *at = t->b_at;
    __m512 c0 = TILE_LOAD_(0), c1 = TILE_LOAD_(1), c2 = TILE_LOAD_(2), c3 = TILE_LOAD_(3);

    for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
        const float *x = t->a + t->a_at[k];
        TILE_ROW_(0);
        TILE_ROW_(1);
        TILE_ROW_(2);
        TILE_ROW_(3);
    }
    if (_mm512_cmp_ps_mask(c0, c1, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(c2, c3, _CMP_UNORD_Q))
        return false;
    TILE_STORE_(0);
    TILE_STORE_(1);
    TILE_STORE_(2);
    TILE_STORE_(3);
    return true;
}
#undef TILE_LOAD_
#undef TILE_ROW_
#undef TILE_STORE_
#elif defined(__AVX2__) && defined(__FMA__)
#define TILE_LOAD_(I)                                                                                                  \
    __m256 lo##I = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)t->c[I])),                                  \
           hi##I = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(t->c[I] + 8)))
#define TILE_ROW_(I)                                                                                                   \
    do {                                                                                                               \
        const float *y = t->b + at[own ? I : 0];                                                                       \
        __m256 xs = _mm256_broadcast_ss(x + I);                                                                        \
        lo##I = _mm256_fmadd_ps(xs, _mm256_loadu_ps(y), lo##I);                                                        \
        hi##I = _mm256_fmadd_ps(xs, _mm256_loadu_ps(y + 8), hi##I);                                                    \
    } while (0)
#define TILE_NAN_(I) _mm256_cmp_ps(lo##I, hi##I, _CMP_UNORD_Q)
#define TILE_STORE_(I)                                                                                                 \
    do {                                                                                                               \
        _mm256_storeu_si256((__m256i *)t->d[I], _mm256_castps_si256(lo##I));                                           \
        _mm256_storeu_si256((__m256i *)(t->d[I] + 8), _mm256_castps_si256(hi##I));                                     \
    } while (0)
static inline __attribute__((always_inline)) bool mat_tile_f32(const struct mat_tile *t, bool own)
{
    const uint32_t *at = t->b_at;
    TILE_LOAD_(0);
    TILE_LOAD_(1);
    TILE_LOAD_(2);
    TILE_LOAD_(3);
    for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
        const float *x = t->a + t->a_at[k];
        TILE_ROW_(0);
        TILE_ROW_(1);
        TILE_ROW_(2);
        TILE_ROW_(3);
    }
    if (_mm256_movemask_ps(
            _mm256_or_ps(_mm256_or_ps(TILE_NAN_(0), TILE_NAN_(1)), _mm256_or_ps(TILE_NAN_(2), TILE_NAN_(3)))))
        return false;
    TILE_STORE_(0);
    TILE_STORE_(1);
    TILE_STORE_(2);
    TILE_STORE_(3);
    return true;
}
#undef TILE_LOAD_
#undef TILE_ROW_
#undef TILE_NAN_
#undef TILE_STORE_
#else
static inline __attribute__((always_inline)) bool mat_tile_f32(const struct mat_tile *t, bool own)
{
    float out[TILE_ROWS][TILE_COLUMNS];
    uint32_t nan = 0;

    for (unsigned i = 0; i < TILE_ROWS; i++) {
        const uint32_t *at = t->b_at + (own ? i : 0);
        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            out[i][j] = as_f32(t->c[i][j]);
        for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
            const float x = t->a[t->a_at[k] + i], *y = t->b + *at;
            LANE_PRAGMA
            for (unsigned j = 0; j < TILE_COLUMNS; j++)
                out[i][j] = __builtin_fmaf(x, y[j], out[i][j]);
        }
        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            nan |= isnan32(out[i][j]) ? 1u : 0;
    }
    for (unsigned i = 0; i < TILE_ROWS && !nan; i++)
        memcpy(t->d[i], out[i], sizeof out[i]);
    return !nan;
}
#endif

/* The same by the rules of isa/fp.h for NaN. */
static inline void mat_tile_nan(const struct mat_tile *t, bool own)
{
    float out[TILE_ROWS][TILE_COLUMNS];

    for (unsigned i = 0; i < TILE_ROWS; i++) {
        const uint32_t *at = t->b_at + (own ? i : 0);
        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            out[i][j] = as_f32(t->c[i][j]);
        for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
            const float x = t->a[t->a_at[k] + i], *y = t->b + *at;
            LANE_PRAGMA
            for (unsigned j = 0; j < TILE_COLUMNS; j++)
                out[i][j] = fma_f32(x, y[j], out[i][j]);
        }
    }
    for (unsigned i = 0; i < TILE_ROWS; i++)
        memcpy(t->d[i], out[i], sizeof out[i]);
}

/* Integers come in pairs of 16 bits, two k to a word: sums of products of both. The sum of a whole instruction fits 32
 * bits by far. */
struct mat_itile {
    unsigned count; /* pairs */
    unsigned b_step;
    const uint32_t *a, *b;
    const uint32_t *a_at, *b_at;
};

static inline int32_t mat_pair(uint32_t a, uint32_t b)
{
    return (int16_t)a * (int16_t)b + (int16_t)(a >> 16) * (int16_t)(b >> 16);
}

#if defined(__AVX2__)
#define TILE_ROW_(I)                                                                                                   \
    do {                                                                                                               \
        __m256i xs = _mm256_set1_epi32((int)x[I]);                                                                     \
        lo##I = _mm256_add_epi32(lo##I, _mm256_madd_epi16(xs, y0));                                                    \
        hi##I = _mm256_add_epi32(hi##I, _mm256_madd_epi16(xs, y1));                                                    \
    } while (0)
#define TILE_STORE_(I)                                                                                                 \
    do {                                                                                                               \
        _mm256_storeu_si256((__m256i *)(out + stride * I), lo##I);                                                     \
        _mm256_storeu_si256((__m256i *)(out + stride * I + 8), hi##I);                                                 \
    } while (0)
static inline void mat_tile_int(const struct mat_itile *t, int32_t *out, unsigned stride)
{
    __m256i lo0 = _mm256_setzero_si256(), hi0 = lo0, lo1 = lo0, hi1 = lo0, lo2 = lo0, hi2 = lo0, lo3 = lo0, hi3 = lo0;

    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t *x = t->a + t->a_at[k], *y = t->b + t->b_at[k];
        __m256i y0 = _mm256_loadu_si256((const __m256i *)y), y1 = _mm256_loadu_si256((const __m256i *)(y + 8));
        TILE_ROW_(0);
        TILE_ROW_(1);
        TILE_ROW_(2);
        TILE_ROW_(3);
    }
    TILE_STORE_(0);
    TILE_STORE_(1);
    TILE_STORE_(2);
    TILE_STORE_(3);
}
#undef TILE_ROW_
#undef TILE_STORE_
#else
static inline void mat_tile_int(const struct mat_itile *t, int32_t *out, unsigned stride)
{
    for (unsigned i = 0; i < TILE_ROWS; i++) {
        int32_t *row = out + stride * i;
        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            row[j] = 0;
        for (unsigned k = 0; k < t->count; k++) {
            const uint32_t x = t->a[t->a_at[k] + i], *y = t->b + t->b_at[k];
            LANE_PRAGMA
            for (unsigned j = 0; j < TILE_COLUMNS; j++)
                row[j] += mat_pair(x, y[j]);
        }
    }
}
#endif

/* Single integers, where every row has its own of B: a sparse A. */
static inline void mat_tile_int_own(const struct mat_itile *t, int32_t *out, unsigned stride)
{
    for (unsigned i = 0; i < TILE_ROWS; i++, out += stride) {
        const uint32_t *at = t->b_at + i;
#if defined(__AVX2__)
        __m256i lo = _mm256_setzero_si256(), hi = lo;
        for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
            const __m256i x = _mm256_set1_epi32((int)t->a[t->a_at[k] + i]);
            const __m256i *y = (const __m256i *)(t->b + *at);
            lo = _mm256_add_epi32(lo, _mm256_mullo_epi32(x, _mm256_loadu_si256(y)));
            hi = _mm256_add_epi32(hi, _mm256_mullo_epi32(x, _mm256_loadu_si256(y + 1)));
        }
        _mm256_storeu_si256((__m256i *)out, lo);
        _mm256_storeu_si256((__m256i *)(out + 8), hi);
#else
        memset(out, 0, TILE_COLUMNS * sizeof *out);
        for (unsigned k = 0; k < t->count; k++, at += t->b_step) {
            const uint32_t x = t->a[t->a_at[k] + i], *y = t->b + *at;
            LANE_PRAGMA
            for (unsigned j = 0; j < TILE_COLUMNS; j++)
                out[j] += (int32_t)(x * y[j]);
        }
#endif
    }
}

/* A row of n (4 or 16) doubles: c[j] plus the products of x and y[j], `step` apart from k to k. */
struct mat_row64 {
    const double *x, *y;
    unsigned x_step, y_step, count, n;
};

static inline void mat_row_f64(const struct mat_row64 *r, double *c)
{
#if defined(__AVX2__) && defined(__FMA__)
    if (r->n == 16) {
        __m256d c0 = _mm256_loadu_pd(c), c1 = _mm256_loadu_pd(c + 4), c2 = _mm256_loadu_pd(c + 8),
                c3 = _mm256_loadu_pd(c + 12);
        for (unsigned k = 0; k < r->count; k++) {
            const double *y = r->y + k * r->y_step;
            const __m256d x = _mm256_broadcast_sd(r->x + k * r->x_step);
            c0 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y), c0);
            c1 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y + 4), c1);
            c2 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y + 8), c2);
            c3 = _mm256_fmadd_pd(x, _mm256_loadu_pd(y + 12), c3);
        }
        _mm256_storeu_pd(c, c0);
        _mm256_storeu_pd(c + 4, c1);
        _mm256_storeu_pd(c + 8, c2);
        _mm256_storeu_pd(c + 12, c3);
        return;
    }
#endif
    for (unsigned k = 0; k < r->count; k++) {
        const double *y = r->y + k * r->y_step;
#if defined(__AVX2__) && defined(__FMA__)
        const __m256d x = _mm256_broadcast_sd(r->x + k * r->x_step);
        for (unsigned j = 0; j < r->n; j += 4)
            _mm256_storeu_pd(c + j, _mm256_fmadd_pd(x, _mm256_loadu_pd(y + j), _mm256_loadu_pd(c + j)));
#else
        for (unsigned j = 0; j < r->n; j++)
            c[j] = __builtin_fma(r->x[k * r->x_step], y[j], c[j]);
#endif
    }
}

static inline void mat_row_f64_nan(const struct mat_row64 *r, double *c)
{
    for (unsigned k = 0; k < r->count; k++)
        for (unsigned j = 0; j < r->n; j++)
            c[j] = fma_f64(r->x[k * r->x_step], r->y[k * r->y_step + j], c[j]);
}

/* Doubles from rows of low and high words and back; n is a multiple of four. Joining flips the bits of `flip`. */
static inline void mat_join64(const uint32_t *lo, const uint32_t *hi, uint64_t flip, unsigned n, double *to)
{
    for (unsigned j = 0; j < n; j += 4) {
#if defined(__AVX2__)
        __m256i low = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(lo + j)));
        __m256i high = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(hi + j)));
        __m256i v = _mm256_or_si256(low, _mm256_slli_epi64(high, 32));
        _mm256_storeu_pd(to + j, _mm256_castsi256_pd(_mm256_xor_si256(v, _mm256_set1_epi64x((int64_t)flip))));
#else
        for (unsigned k = j; k < j + 4; k++)
            to[k] = as_f64((lo[k] | (uint64_t)hi[k] << 32) ^ flip);
#endif
    }
}

static inline bool mat_nan64(const double *v, unsigned n)
{
#if defined(__AVX2__)
    __m256d nan = _mm256_setzero_pd();
    for (unsigned j = 0; j < n; j += 4)
        nan = _mm256_or_pd(nan, _mm256_cmp_pd(_mm256_loadu_pd(v + j), _mm256_loadu_pd(v + j), _CMP_UNORD_Q));
    return _mm256_movemask_pd(nan) != 0;
#else
    bool nan = false;
    for (unsigned j = 0; j < n; j++)
        nan |= isnan64(v[j]);
    return nan;
#endif
}

/* False, and nothing written, when there is a NaN and `numbers` asks for none. */
static inline bool mat_split64(const double *from, bool numbers, unsigned n, uint32_t *lo, uint32_t *hi)
{
    if (numbers && mat_nan64(from, n))
        return false;
    for (unsigned j = 0; j < n; j += 4) {
#if defined(__AVX2__)
        const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        __m256i v = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(_mm256_loadu_pd(from + j)), order);
        _mm_storeu_si128((__m128i *)(lo + j), _mm256_castsi256_si128(v));
        _mm_storeu_si128((__m128i *)(hi + j), _mm256_extracti128_si256(v, 1));
#else
        for (unsigned k = j; k < j + 4; k++) {
            lo[k] = (uint32_t)bits_f64(from[k]);
            hi[k] = (uint32_t)(bits_f64(from[k]) >> 32);
        }
#endif
    }
    return true;
}

/* Sixteen halves in 16 bits of each word from `shift` on to floats, and back. */
static inline void mat_widen16(uint32_t *c, unsigned shift)
{
#if defined(__AVX2__) && defined(__F16C__)
    for (unsigned j = 0; j < 16; j += 8) {
        __m256i v = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(c + j)), _mm_cvtsi32_si128((int)shift));
        v = _mm256_and_si256(v, _mm256_set1_epi32(0xffff));
        __m128i halves = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        _mm256_storeu_si256((__m256i *)(c + j), _mm256_castps_si256(_mm256_cvtph_ps(halves)));
    }
#else
    for (unsigned j = 0; j < 16; j++)
        c[j] = bits_f32(half_to_f32((half_t)(c[j] >> shift)));
#endif
}

static inline void mat_narrow16(const uint32_t *c, uint32_t *halves)
{
#if defined(__AVX2__) && defined(__F16C__)
    for (unsigned j = 0; j < 16; j += 8) {
        __m256 v = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(c + j)));
        __m128i h = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        _mm256_storeu_si256((__m256i *)(halves + j), _mm256_cvtepu16_epi32(h));
    }
#else
    for (unsigned j = 0; j < 16; j++)
        halves[j] = half_from_f32(as_f32(c[j]), 0, 0);
#endif
}

/* Word i of each group of four lanes, to all four: the row of A that 4x4 blocks multiply with. */
static inline void mat_spread4(uint32_t *to, const uint32_t *from, unsigned i, unsigned lanes)
{
#if defined(__AVX2__)
    const __m256i pick = _mm256_set1_epi32((int)i);
    const __m256i index = _mm256_add_epi32(pick, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
    for (unsigned l = 0; l < lanes; l += 8)
        _mm256_storeu_si256((__m256i *)(to + l),
                            _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(from + l)), index));
#else
    for (unsigned l = 0; l < lanes; l++)
        to[l] = from[(l & ~3u) | i];
#endif
}

#endif
