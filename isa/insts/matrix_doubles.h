/* Eight doubles at a time (mat_d), as isa/insts/matrix_vector.h has sixteen words. */
#ifndef GCNSIM_ISA_INSTS_MATRIX_DOUBLES_H
#define GCNSIM_ISA_INSTS_MATRIX_DOUBLES_H

#include "isa/insts/matrix_vector.h"

/* Sixteen doubles out of sixteen low and sixteen high words, and back (mat_d_join_two, mat_d_split_two), or eight.
 * Where inside the vectors an element is does not matter to sums, as long as all operands have it at the same place:
 * mat_d_place says where, in memory. mat_d_spread: element i of each four, in the places of all four, for each vector
 * of those that are joined at once and begin at x. */
#if defined(__AVX512F__)
struct mat_d {
    __m512d v;
};
MAT_INLINE unsigned mat_d_place(unsigned e) /* 0 1 4 5 8 9 12 13, 2 3 6 7 10 11 14 15 */
{
    return (e & ~14u) | (e & 12) >> 1 | (e & 2) << 2;
}
MAT_INLINE void mat_d_join_two(const uint32_t *lo, const uint32_t *hi, struct mat_d *a, struct mat_d *b)
{
    __m512i l = _mm512_loadu_si512(lo), h = _mm512_loadu_si512(hi);
    a->v = _mm512_castsi512_pd(_mm512_unpacklo_epi32(l, h));
    b->v = _mm512_castsi512_pd(_mm512_unpackhi_epi32(l, h));
}
MAT_INLINE void mat_d_split_two(struct mat_d a, struct mat_d b, uint32_t *lo, uint32_t *hi)
{
    __m512 v = _mm512_castpd_ps(a.v), w = _mm512_castpd_ps(b.v);
    _mm512_storeu_ps(lo, _mm512_shuffle_ps(v, w, 0x88));
    _mm512_storeu_ps(hi, _mm512_shuffle_ps(v, w, 0xdd));
}
MAT_INLINE struct mat_d mat_d_load(const double *p)
{
    return (struct mat_d){_mm512_loadu_pd(p)};
}
MAT_INLINE void mat_d_store(double *p, struct mat_d a)
{
    _mm512_storeu_pd(p, a.v);
}
MAT_INLINE struct mat_d mat_d_fma_each(struct mat_d x, struct mat_d y, struct mat_d c)
{
    return (struct mat_d){_mm512_fmadd_pd(x.v, y.v, c.v)};
}
MAT_INLINE struct mat_d mat_d_fma(const double *x, struct mat_d y, struct mat_d c)
{
    return (struct mat_d){_mm512_fmadd_pd(_mm512_set1_pd(*x), y.v, c.v)};
}
#define mat_d_add_product mat_d_fma
MAT_INLINE struct mat_d mat_d_spread(const double *x, unsigned i)
{
    __m512d from = _mm512_loadu_pd(x + (i & 2 ? 8 : 0));
    return (struct mat_d){i & 1 ? _mm512_permute_pd(from, 0xff) : _mm512_permute_pd(from, 0)};
}
MAT_INLINE mat_nan mat_d_nan(mat_nan so_far, struct mat_d a, struct mat_d b)
{
    return _kor_mask16(so_far, _mm512_cmp_pd_mask(a.v, b.v, _CMP_UNORD_Q));
}
#elif defined(__AVX2__) && defined(__FMA__)
struct mat_d {
    __m256d v, w; /* 0 1 4 5, 2 3 6 7 */
};
MAT_INLINE unsigned mat_d_place(unsigned e)
{
    return (e & ~6u) | (e & 4) >> 1 | (e & 2) << 1;
}
MAT_INLINE struct mat_d mat_d_join(const uint32_t *lo, const uint32_t *hi)
{
    __m256i l = _mm256_loadu_si256((const __m256i *)lo), h = _mm256_loadu_si256((const __m256i *)hi);
    return (struct mat_d){_mm256_castsi256_pd(_mm256_unpacklo_epi32(l, h)),
                          _mm256_castsi256_pd(_mm256_unpackhi_epi32(l, h))};
}
MAT_INLINE void mat_d_split(struct mat_d a, uint32_t *lo, uint32_t *hi)
{
    __m256 v = _mm256_castpd_ps(a.v), w = _mm256_castpd_ps(a.w);
    _mm256_storeu_si256((__m256i *)lo, _mm256_castps_si256(_mm256_shuffle_ps(v, w, 0x88)));
    _mm256_storeu_si256((__m256i *)hi, _mm256_castps_si256(_mm256_shuffle_ps(v, w, 0xdd)));
}
MAT_INLINE struct mat_d mat_d_load(const double *p)
{
    return (struct mat_d){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}
MAT_INLINE void mat_d_store(double *p, struct mat_d a)
{
    _mm256_storeu_pd(p, a.v);
    _mm256_storeu_pd(p + 4, a.w);
}
MAT_INLINE struct mat_d mat_d_fma_each(struct mat_d x, struct mat_d y, struct mat_d c)
{
    return (struct mat_d){_mm256_fmadd_pd(x.v, y.v, c.v), _mm256_fmadd_pd(x.w, y.w, c.w)};
}
MAT_INLINE struct mat_d mat_d_fma(const double *x, struct mat_d y, struct mat_d c)
{
    __m256d xs = _mm256_broadcast_sd(x);
    return mat_d_fma_each((struct mat_d){xs, xs}, y, c);
}
#define mat_d_add_product mat_d_fma
MAT_INLINE struct mat_d mat_d_spread(const double *x, unsigned i)
{
    __m256d from = _mm256_loadu_pd(x + (i & 2 ? 4 : 0));
    from = i & 1 ? _mm256_permute_pd(from, 0xf) : _mm256_permute_pd(from, 0);
    return (struct mat_d){from, from};
}
MAT_INLINE mat_nan mat_d_nan(mat_nan so_far, struct mat_d a, struct mat_d b)
{
    __m256d v = _mm256_cmp_pd(a.v, b.v, _CMP_UNORD_Q), w = _mm256_cmp_pd(a.w, b.w, _CMP_UNORD_Q);
    return _mm256_or_ps(so_far, _mm256_castpd_ps(_mm256_or_pd(v, w)));
}
#else
struct mat_d {
    double d[8];
};
MAT_INLINE unsigned mat_d_place(unsigned e)
{
    return e;
}
MAT_INLINE struct mat_d mat_d_join(const uint32_t *lo, const uint32_t *hi)
{
    struct mat_d a;
    for (unsigned j = 0; j < 8; j++)
        a.d[j] = as_f64(lo[j] | (uint64_t)hi[j] << 32);
    return a;
}
MAT_INLINE void mat_d_split(struct mat_d a, uint32_t *lo, uint32_t *hi)
{
    for (unsigned j = 0; j < 8; j++) {
        lo[j] = (uint32_t)bits_f64(a.d[j]);
        hi[j] = (uint32_t)(bits_f64(a.d[j]) >> 32);
    }
}
MAT_INLINE struct mat_d mat_d_load(const double *p)
{
    struct mat_d a;
    memcpy(&a, p, sizeof a);
    return a;
}
MAT_INLINE void mat_d_store(double *p, struct mat_d a)
{
    memcpy(p, &a, sizeof a);
}
MAT_INLINE struct mat_d mat_d_fma_each(struct mat_d x, struct mat_d y, struct mat_d c)
{
    for (unsigned j = 0; j < 8; j++)
        c.d[j] = __builtin_fma(x.d[j], y.d[j], c.d[j]);
    return c;
}
MAT_INLINE struct mat_d mat_d_fma(const double *x, struct mat_d y, struct mat_d c)
{
    for (unsigned j = 0; j < 8; j++)
        c.d[j] = __builtin_fma(*x, y.d[j], c.d[j]);
    return c;
}
/* The same where the product is exact, which needs no fusing. */
MAT_INLINE struct mat_d mat_d_add_product(const double *x, struct mat_d y, struct mat_d c)
{
    for (unsigned j = 0; j < 8; j++)
        c.d[j] += *x * y.d[j];
    return c;
}
MAT_INLINE struct mat_d mat_d_spread(const double *x, unsigned i)
{
    struct mat_d r;
    for (unsigned j = 0; j < 8; j++)
        r.d[j] = x[(j & 4) | i];
    return r;
}
MAT_INLINE mat_nan mat_d_nan(mat_nan so_far, struct mat_d a, struct mat_d b)
{
    for (unsigned j = 0; j < 8; j++)
        so_far |= (isnan64(a.d[j]) ? 1u : 0) | (isnan64(b.d[j]) ? 1u : 0);
    return so_far;
}
#endif

#ifndef __AVX512F__
MAT_INLINE void mat_d_join_two(const uint32_t *lo, const uint32_t *hi, struct mat_d *a, struct mat_d *b)
{
    *a = mat_d_join(lo, hi);
    *b = mat_d_join(lo + 8, hi + 8);
}
MAT_INLINE void mat_d_split_two(struct mat_d a, struct mat_d b, uint32_t *lo, uint32_t *hi)
{
    mat_d_split(a, lo, hi);
    mat_d_split(b, lo + 8, hi + 8);
}
#endif

#endif
