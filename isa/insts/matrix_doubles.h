/* Eight doubles at a time (mat_d), as isa/insts/matrix_vector.h has sixteen words. */
#ifndef GCNSIM_ISA_INSTS_MATRIX_DOUBLES_H
#define GCNSIM_ISA_INSTS_MATRIX_DOUBLES_H

#include "isa/insts/matrix_vector.h"

/* Eight doubles out of eight low and eight high words, and back; mat_d_join_two and mat_d_split_two sixteen, the first
 * eight in the first of two. Where inside the vector an element is does not matter
 * to sums, as long as all operands have it at the same place: mat_d_place says where, in memory. */
#if defined(__AVX512F__)
struct mat_d {
    __m512d v;
};
MAT_INLINE unsigned mat_d_place(unsigned e)
{
    return e;
}
MAT_INLINE struct mat_d mat_d_join(const uint32_t *lo, const uint32_t *hi)
{
    const __m512i in_turns = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    __m512i l = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)lo));
    __m512i h = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)hi));
    return (struct mat_d){_mm512_castsi512_pd(_mm512_permutex2var_epi32(l, in_turns, h))};
}
MAT_INLINE void mat_d_split(struct mat_d a, uint32_t *lo, uint32_t *hi)
{
    const __m512i low_first = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    __m512i words = _mm512_permutexvar_epi32(low_first, _mm512_castpd_si512(a.v));
    _mm256_storeu_si256((__m256i *)lo, _mm512_castsi512_si256(words));
    _mm256_storeu_si256((__m256i *)hi, _mm512_extracti64x4_epi64(words, 1));
}
MAT_INLINE void mat_d_join_two(const uint32_t *lo, const uint32_t *hi, struct mat_d *a, struct mat_d *b)
{
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    __m512i l = _mm512_loadu_si512(lo), h = _mm512_loadu_si512(hi);
    a->v = _mm512_castsi512_pd(_mm512_permutex2var_epi32(l, first, h));
    b->v = _mm512_castsi512_pd(_mm512_permutex2var_epi32(l, second, h));
}
MAT_INLINE void mat_d_split_two(struct mat_d a, struct mat_d b, uint32_t *lo, uint32_t *hi)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    __m512i v = _mm512_castpd_si512(a.v), w = _mm512_castpd_si512(b.v);
    _mm512_storeu_si512(lo, _mm512_permutex2var_epi32(v, even, w));
    _mm512_storeu_si512(hi, _mm512_permutex2var_epi32(v, odd, w));
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
/* Element i of each four, in all four places. */
MAT_INLINE struct mat_d mat_d_spread(struct mat_d a, unsigned i)
{
    switch (i) {
    case 0:
        return (struct mat_d){_mm512_permutex_pd(a.v, 0x00)};
    case 1:
        return (struct mat_d){_mm512_permutex_pd(a.v, 0x55)};
    case 2:
        return (struct mat_d){_mm512_permutex_pd(a.v, 0xaa)};
    default:
        return (struct mat_d){_mm512_permutex_pd(a.v, 0xff)};
    }
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
/* Element i of each four, in all four places. */
MAT_INLINE struct mat_d mat_d_spread(struct mat_d a, unsigned i)
{
    __m256d from = i & 2 ? a.w : a.v;
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
MAT_INLINE struct mat_d mat_d_spread(struct mat_d a, unsigned i)
{
    struct mat_d r;
    for (unsigned j = 0; j < 8; j++)
        r.d[j] = a.d[(j & 4) | i];
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
