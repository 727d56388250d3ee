/* Sixteen words at a time, as the matrix kernels want them: floats (mat_f) and integers (mat_i), with the host's
 * vectors where it has them and as plain arrays elsewhere. Doubles: isa/insts/matrix_doubles.h.
 *
 * The host's fused multiply-add differs from isa/lanes/fp.h's in which NaN it gives alone.
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_VECTOR_H
#define GCNSIM_ISA_INSTS_MATRIX_VECTOR_H

#include <string.h>

#include "isa/lanes/fp8.h"
#include "isa/lanes/fp_half.h"
#include "isa/lanes/lanes.h"

#define MAT_INLINE static inline __attribute__((always_inline))

/* --- floats and integers ------------------------------------------------------------------------------------------ */

/* mat_f_fma: x times y plus c, x being the float with the bits `x`; mat_f_fma_each: element by element.
 * mat_f_spread: element i of each four, in all four places; i is known at compile time.
 * mat_f_four, mat_f_fma_four: four floats, and one of them times y plus c; a permutation in registers where the host's
 * loads are what a loop waits for.
 * mat_f_flush: denormals to zeros (ftz32 of isa/lanes/fp.h).
 * mat_i_madd: words are pairs of 16-bit integers, products of both added to c.
 * MAT_HOST_VECTORS: whether these are vectors of the host.
 * mat_nan: whether a NaN has been met so far: mat_nan_not_yet, mat_f_nan (or in a and b), mat_nan_met. */
#if defined(__AVX512F__) && defined(__AVX512BW__)
#define MAT_HOST_VECTORS 1

struct mat_f {
    __m512 v;
};
struct mat_i {
    __m512i v;
};

MAT_INLINE struct mat_f mat_f_load(const uint32_t *p)
{
    return (struct mat_f){_mm512_castsi512_ps(_mm512_loadu_si512(p))};
}
MAT_INLINE void mat_f_store(uint32_t *p, struct mat_f a)
{
    _mm512_storeu_si512(p, _mm512_castps_si512(a.v));
}
MAT_INLINE struct mat_f mat_f_fma_each(struct mat_f x, struct mat_f y, struct mat_f c)
{
    return (struct mat_f){_mm512_fmadd_ps(x.v, y.v, c.v)};
}
MAT_INLINE struct mat_f mat_f_fma(uint32_t x, struct mat_f y, struct mat_f c)
{
    return (struct mat_f){_mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_set1_epi32((int)x)), y.v, c.v)};
}
MAT_INLINE struct mat_f mat_f_spread(struct mat_f a, unsigned i)
{
    switch (i) {
    case 0:
        return (struct mat_f){_mm512_permute_ps(a.v, 0x00)};
    case 1:
        return (struct mat_f){_mm512_permute_ps(a.v, 0x55)};
    case 2:
        return (struct mat_f){_mm512_permute_ps(a.v, 0xaa)};
    default:
        return (struct mat_f){_mm512_permute_ps(a.v, 0xff)};
    }
}
MAT_INLINE struct mat_f mat_f_four(const uint32_t *p)
{
    return (struct mat_f){_mm512_broadcast_f32x4(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)p)))};
}
MAT_INLINE struct mat_f mat_f_fma_four(struct mat_f four, unsigned i, struct mat_f y, struct mat_f c)
{
    return mat_f_fma_each(mat_f_spread(four, i), y, c);
}

MAT_INLINE struct mat_f mat_f_flush(struct mat_f a)
{
    const __m512i sign = _mm512_set1_epi32(INT32_MIN), exponent = _mm512_set1_epi32(0x7f800000);
    __m512i v = _mm512_castps_si512(a.v);
    return (struct mat_f){_mm512_castsi512_ps(_mm512_mask_and_epi32(v, _mm512_testn_epi32_mask(v, exponent), v, sign))};
}

/* Comparisons that do not wait for one another: a chain of masked ones takes as long as a small product. */
typedef __mmask16 mat_nan;
#define mat_nan_not_yet 0
MAT_INLINE mat_nan mat_f_nan(mat_nan so_far, struct mat_f a, struct mat_f b)
{
    return _kor_mask16(so_far, _mm512_cmp_ps_mask(a.v, b.v, _CMP_UNORD_Q));
}
#define mat_nan_met(SO_FAR) (!_kortestz_mask16_u8(SO_FAR, SO_FAR))

MAT_INLINE struct mat_i mat_i_zero(void)
{
    return (struct mat_i){_mm512_setzero_si512()};
}
MAT_INLINE struct mat_i mat_i_load(const uint32_t *p)
{
    return (struct mat_i){_mm512_loadu_si512(p)};
}
MAT_INLINE void mat_i_store(uint32_t *p, struct mat_i a)
{
    _mm512_storeu_si512(p, a.v);
}
MAT_INLINE struct mat_i mat_i_add(struct mat_i a, struct mat_i b)
{
    return (struct mat_i){_mm512_add_epi32(a.v, b.v)};
}
MAT_INLINE struct mat_i mat_i_madd_each(struct mat_i x, struct mat_i y, struct mat_i c)
{
    return (struct mat_i){_mm512_add_epi32(_mm512_madd_epi16(x.v, y.v), c.v)};
}
MAT_INLINE struct mat_i mat_i_madd(uint32_t x, struct mat_i y, struct mat_i c)
{
    return mat_i_madd_each((struct mat_i){_mm512_set1_epi32((int)x)}, y, c);
}
MAT_INLINE struct mat_i mat_i_spread(struct mat_i a, unsigned i)
{
    return (struct mat_i){_mm512_castps_si512(mat_f_spread((struct mat_f){_mm512_castsi512_ps(a.v)}, i).v)};
}

#elif defined(__AVX2__) && defined(__FMA__)
#define MAT_HOST_VECTORS    1

struct mat_f {
    __m256 lo, hi;
};
struct mat_i {
    __m256i lo, hi;
};

MAT_INLINE struct mat_i mat_i_load(const uint32_t *p)
{
    return (struct mat_i){_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)(p + 8))};
}
MAT_INLINE void mat_i_store(uint32_t *p, struct mat_i a)
{
    _mm256_storeu_si256((__m256i *)p, a.lo);
    _mm256_storeu_si256((__m256i *)(p + 8), a.hi);
}
MAT_INLINE struct mat_f mat_f_load(const uint32_t *p)
{
    struct mat_i a = mat_i_load(p);
    return (struct mat_f){_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)};
}
MAT_INLINE void mat_f_store(uint32_t *p, struct mat_f a)
{
    mat_i_store(p, (struct mat_i){_mm256_castps_si256(a.lo), _mm256_castps_si256(a.hi)});
}
MAT_INLINE struct mat_f mat_f_fma_each(struct mat_f x, struct mat_f y, struct mat_f c)
{
    return (struct mat_f){_mm256_fmadd_ps(x.lo, y.lo, c.lo), _mm256_fmadd_ps(x.hi, y.hi, c.hi)};
}
MAT_INLINE struct mat_f mat_f_fma(uint32_t x, struct mat_f y, struct mat_f c)
{
    __m256 xs = _mm256_castsi256_ps(_mm256_set1_epi32((int)x));
    return mat_f_fma_each((struct mat_f){xs, xs}, y, c);
}
MAT_INLINE struct mat_f mat_f_spread(struct mat_f a, unsigned i)
{
    switch (i) {
    case 0:
        return (struct mat_f){_mm256_permute_ps(a.lo, 0x00), _mm256_permute_ps(a.hi, 0x00)};
    case 1:
        return (struct mat_f){_mm256_permute_ps(a.lo, 0x55), _mm256_permute_ps(a.hi, 0x55)};
    case 2:
        return (struct mat_f){_mm256_permute_ps(a.lo, 0xaa), _mm256_permute_ps(a.hi, 0xaa)};
    default:
        return (struct mat_f){_mm256_permute_ps(a.lo, 0xff), _mm256_permute_ps(a.hi, 0xff)};
    }
}
MAT_INLINE struct mat_f mat_f_four(const uint32_t *p)
{
    __m256 four = _mm256_broadcast_ps((const __m128 *)(const void *)p);
    return (struct mat_f){four, four};
}
MAT_INLINE struct mat_f mat_f_fma_four(struct mat_f four, unsigned i, struct mat_f y, struct mat_f c)
{
    return mat_f_fma_each(mat_f_spread(four, i), y, c);
}

MAT_INLINE __m256 mat_flush_half(__m256 a)
{
    const __m256i exponent = _mm256_set1_epi32(0x7f800000), magnitude = _mm256_set1_epi32(INT32_MAX);
    __m256i v = _mm256_castps_si256(a);
    __m256i denormal = _mm256_cmpeq_epi32(_mm256_and_si256(v, exponent), _mm256_setzero_si256());
    return _mm256_castsi256_ps(_mm256_andnot_si256(_mm256_and_si256(denormal, magnitude), v));
}
MAT_INLINE struct mat_f mat_f_flush(struct mat_f a)
{
    return (struct mat_f){mat_flush_half(a.lo), mat_flush_half(a.hi)};
}

typedef __m256 mat_nan;
#define mat_nan_not_yet     _mm256_setzero_ps()
MAT_INLINE mat_nan mat_f_nan(mat_nan so_far, struct mat_f a, struct mat_f b)
{
    __m256 lo = _mm256_cmp_ps(a.lo, b.lo, _CMP_UNORD_Q), hi = _mm256_cmp_ps(a.hi, b.hi, _CMP_UNORD_Q);
    return _mm256_or_ps(so_far, _mm256_or_ps(lo, hi));
}
#define mat_nan_met(SO_FAR) (_mm256_movemask_ps(SO_FAR) != 0)

MAT_INLINE struct mat_i mat_i_zero(void)
{
    return (struct mat_i){_mm256_setzero_si256(), _mm256_setzero_si256()};
}
MAT_INLINE struct mat_i mat_i_add(struct mat_i a, struct mat_i b)
{
    return (struct mat_i){_mm256_add_epi32(a.lo, b.lo), _mm256_add_epi32(a.hi, b.hi)};
}
MAT_INLINE struct mat_i mat_i_madd_each(struct mat_i x, struct mat_i y, struct mat_i c)
{
    return mat_i_add((struct mat_i){_mm256_madd_epi16(x.lo, y.lo), _mm256_madd_epi16(x.hi, y.hi)}, c);
}
MAT_INLINE struct mat_i mat_i_madd(uint32_t x, struct mat_i y, struct mat_i c)
{
    __m256i xs = _mm256_set1_epi32((int)x);
    return mat_i_madd_each((struct mat_i){xs, xs}, y, c);
}
MAT_INLINE struct mat_i mat_i_spread(struct mat_i a, unsigned i)
{
    struct mat_f f = mat_f_spread((struct mat_f){_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)}, i);
    return (struct mat_i){_mm256_castps_si256(f.lo), _mm256_castps_si256(f.hi)};
}

#else
#define MAT_HOST_VECTORS 0

#define EACH_               LANE_PRAGMA for (unsigned j_ = 0; j_ < 16; j_++)

struct mat_f {
    float f[16];
};
struct mat_i {
    int32_t i[16];
};

MAT_INLINE struct mat_f mat_f_load(const uint32_t *p)
{
    struct mat_f a;
    memcpy(&a, p, sizeof a);
    return a;
}
MAT_INLINE void mat_f_store(uint32_t *p, struct mat_f a)
{
    memcpy(p, &a, sizeof a);
}
MAT_INLINE struct mat_f mat_f_fma_each(struct mat_f x, struct mat_f y, struct mat_f c)
{
    EACH_ c.f[j_] = __builtin_fmaf(x.f[j_], y.f[j_], c.f[j_]);
    return c;
}
MAT_INLINE struct mat_f mat_f_fma(uint32_t x, struct mat_f y, struct mat_f c)
{
    const float v = as_f32(x);
    EACH_ c.f[j_] = __builtin_fmaf(v, y.f[j_], c.f[j_]);
    return c;
}
MAT_INLINE struct mat_f mat_f_spread(struct mat_f a, unsigned i)
{
    struct mat_f r;
    EACH_ r.f[j_] = a.f[(j_ & ~3u) | i];
    return r;
}
MAT_INLINE const uint32_t *mat_f_four(const uint32_t *p)
{
    return p;
}
MAT_INLINE struct mat_f mat_f_fma_four(const uint32_t *four, unsigned i, struct mat_f y, struct mat_f c)
{
    return mat_f_fma(four[i], y, c);
}

MAT_INLINE struct mat_f mat_f_flush(struct mat_f a)
{
    EACH_ a.f[j_] = ftz32(a.f[j_]);
    return a;
}

typedef uint32_t mat_nan;
#define mat_nan_not_yet     0
MAT_INLINE mat_nan mat_f_nan(mat_nan so_far, struct mat_f a, struct mat_f b)
{
    EACH_ so_far |= (isnan32(a.f[j_]) ? 1u : 0) | (isnan32(b.f[j_]) ? 1u : 0);
    return so_far;
}
#define mat_nan_met(SO_FAR) ((SO_FAR) != 0)

MAT_INLINE struct mat_i mat_i_zero(void)
{
    return (struct mat_i){{0}};
}
MAT_INLINE struct mat_i mat_i_load(const uint32_t *p)
{
    struct mat_i a;
    memcpy(&a, p, sizeof a);
    return a;
}
MAT_INLINE void mat_i_store(uint32_t *p, struct mat_i a)
{
    memcpy(p, &a, sizeof a);
}
MAT_INLINE struct mat_i mat_i_add(struct mat_i a, struct mat_i b)
{
    EACH_ a.i[j_] = (int32_t)((uint32_t)a.i[j_] + (uint32_t)b.i[j_]);
    return a;
}
MAT_INLINE int32_t mat_pair(int32_t a, int32_t b)
{
    return (int16_t)a * (int16_t)b + (int16_t)(a >> 16) * (int16_t)(b >> 16);
}
MAT_INLINE struct mat_i mat_i_madd_each(struct mat_i x, struct mat_i y, struct mat_i c)
{
    EACH_ c.i[j_] += mat_pair(x.i[j_], y.i[j_]);
    return c;
}
MAT_INLINE struct mat_i mat_i_madd(uint32_t x, struct mat_i y, struct mat_i c)
{
    EACH_ c.i[j_] += mat_pair((int32_t)x, y.i[j_]);
    return c;
}
MAT_INLINE struct mat_i mat_i_spread(struct mat_i a, unsigned i)
{
    struct mat_i r;
    EACH_ r.i[j_] = a.i[(j_ & ~3u) | i];
    return r;
}
#undef EACH_
#endif

/* --- words in the compiler's own vectors: MAT_WORDS of them ---------------------------------------------------------
 * Macros, not functions: compilers warn of how they would pass a vector that the host has not. Comparisons give ones.
 */

#ifdef __AVX512F__
#define MAT_WORDS 16
#else
#define MAT_WORDS 8
#endif
typedef uint32_t mat_w __attribute__((vector_size(4 * MAT_WORDS)));
typedef int32_t mat_s __attribute__((vector_size(4 * MAT_WORDS)));
typedef float mat_wf __attribute__((vector_size(4 * MAT_WORDS)));
typedef uint32_t mat_w_anywhere __attribute__((vector_size(4 * MAT_WORDS), aligned(4), may_alias));
#define mat_get(FROM)      ((mat_w)(*(const mat_w_anywhere *)(FROM)))
#define mat_put(TO, VALUE) (*(mat_w_anywhere *)(TO) = (VALUE))

/* The quiet form of those of VALUES that are NaN, of the others what OTHERS has. */
#ifdef __AVX512F__
#define mat_quiet_or(VALUES, OTHERS)                                                                                   \
    ((mat_w)_mm512_mask_or_epi32((__m512i)(OTHERS),                                                                    \
                                 _mm512_cmp_ps_mask((__m512)(VALUES), (__m512)(VALUES), _CMP_UNORD_Q),                 \
                                 (__m512i)(VALUES), _mm512_set1_epi32(0x00400000)))
#else
#define mat_is_nan(VALUES)           ((mat_w)((mat_s)((VALUES)&0x7fffffff) > 0x7f800000))
#define mat_quiet_or(VALUES, OTHERS) ((mat_is_nan(VALUES) & ((VALUES) | 0x00400000)) | (~mat_is_nan(VALUES) & (OTHERS)))
#endif

/* --- halves ------------------------------------------------------------------------------------------------------- */

#if defined(__AVX512F__) && defined(__AVX512BW__)
/* The high or the low halves of sixteen words. */
MAT_INLINE __m256i mat_half_words(__m512i words, bool high)
{
    const __m512i even = _mm512_setr_epi32(0x00020000, 0x00060004, 0x000a0008, 0x000e000c, 0x00120010, 0x00160014,
                                           0x001a0018, 0x001e001c, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i odd = _mm512_setr_epi32(0x00030001, 0x00070005, 0x000b0009, 0x000f000d, 0x00130011, 0x00170015,
                                          0x001b0019, 0x001f001d, 0, 0, 0, 0, 0, 0, 0, 0);
    return _mm512_castsi512_si256(_mm512_permutexvar_epi16(high ? odd : even, words));
}
#endif

/* Sixteen halves in the low (shift 0) or high (16) half of each word, as floats; denormals as zeros if `flush`. The
 * host's conversion makes a NaN quiet, which the sum would do anyway. */
MAT_INLINE struct mat_f mat_f_widen16(const uint32_t *from, unsigned shift, bool flush)
{
#if defined(__AVX512F__) && defined(__AVX512BW__)
    __m256i halves = mat_half_words(_mm512_loadu_si512(from), shift != 0);
    if (flush) {
        __mmask16 small = _mm256_testn_epi16_mask(halves, _mm256_set1_epi16(0x7c00));
        __m256i sign = _mm256_and_si256(halves, _mm256_set1_epi16((short)0x8000));
        halves = _mm256_mask_mov_epi16(halves, small, sign);
    }
    return (struct mat_f){_mm512_cvtph_ps(halves)};
#elif defined(__AVX2__) && defined(__F16C__)
    __m256i lo = _mm256_loadu_si256((const __m256i *)from), hi = _mm256_loadu_si256((const __m256i *)(from + 8));
    const __m256i low = _mm256_set1_epi32(0xffff);
    lo = shift ? _mm256_srli_epi32(lo, 16) : _mm256_and_si256(lo, low);
    hi = shift ? _mm256_srli_epi32(hi, 16) : _mm256_and_si256(hi, low);
    __m256i halves = _mm256_permute4x64_epi64(_mm256_packus_epi32(lo, hi), 0xd8);
    if (flush) {
        __m256i small = _mm256_and_si256(halves, _mm256_set1_epi16(0x7c00));
        small = _mm256_cmpeq_epi16(small, _mm256_setzero_si256());
        halves = _mm256_andnot_si256(_mm256_and_si256(small, _mm256_set1_epi16(0x7fff)), halves);
    }
    return (struct mat_f){_mm256_cvtph_ps(_mm256_castsi256_si128(halves)),
                          _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1))};
#else
    const uint32_t denormal = flush ? 0x8000 : 0xffff; /* what stays of one */
    uint32_t floats[16];

    LANE_PRAGMA
    for (unsigned j = 0; j < 16; j++) {
        uint32_t v = from[j] >> shift;
        floats[j] = bits_f32(half_to_f32((half_t)(v & (v & 0x7c00 ? 0xffff : denormal))));
    }
    return mat_f_load(floats);
#endif
}

#if defined(__AVX512F__) && defined(__AVX512BW__)
/* Sixteen 8-bit floats whose exponents are among those of a half, but for its bias: the host widens halves, denormals
 * too. NaN as mat_widen_small has it. */
MAT_INLINE void mat_widen_by_half(const struct fp8 f, const uint32_t *from, unsigned at, uint32_t *to)
{
    const int bits = f.mant == 3 ? (int)0xbf800000 : (int)0xff000000; /* sign, and the rest in a half's place */
    __m512i v = _mm512_slli_epi32(_mm512_loadu_si512(from), 24 - at);
    __m512i half = _mm512_and_si512(_mm512_srai_epi32(v, f.mant == 3), _mm512_set1_epi32(bits));
    __mmask16 nan = 0;

    if (f.fnuz) /* what would be -0 */
        nan = _mm512_cmpeq_epi32_mask(half, _mm512_set1_epi32(INT32_MIN));
    else if (f.mant == 3) /* all ones */
        nan = _mm512_cmpeq_epi32_mask(_mm512_slli_epi32(half, 1), _mm512_set1_epi32(0x7f000000));
    __m512 r = _mm512_cvtph_ps(mat_half_words(half, true));
    if (f.mant == 2)
        nan = _mm512_cmp_ps_mask(r, r, _CMP_UNORD_Q);
    else
        r = _mm512_mul_ps(r, _mm512_set1_ps(f.bias == 8 ? 128 : 256));
    _mm512_storeu_ps(to, _mm512_mask_blend_ps(nan, r, _mm512_castsi512_ps(_mm512_set1_epi32(QNAN32))));
}
#endif

/* Sixteen small floats, those from bit `at` on of each word: from_fp8 of isa/lanes/fp8.h without branches. Sign and the
 * rest go to their places in a float; of denormals, which have no bit before the point, that bit's value is subtracted
 * again (multiplying floats that are denormal is slow on many hosts). */
MAT_INLINE void mat_widen_small(const struct fp8 f, const uint32_t *from, unsigned at, uint32_t *to)
{
#if defined(__AVX512F__) && defined(__AVX512BW__)
    if (f.bits == 8 && f.bias <= 15) {
        mat_widen_by_half(f, from, at, to);
        return;
    }
#endif
    const uint32_t magnitude = ((1u << (f.bits - 1)) - 1) << (23 - f.mant), one = 0x00800000;
    const uint32_t rebias = (uint32_t)(127 - f.bias) << 23, least = (uint32_t)(128 - f.bias) << 23;

    for (unsigned l = 0; l < 16; l += MAT_WORDS) {
        mat_w v = mat_get(from + l) << ((unsigned)(32 - f.bits) - at), sign = v & 0x80000000;
        v = (mat_w)((mat_s)v >> (9 - f.bits + f.mant)) & magnitude;
        mat_w denormal = (mat_w)((mat_s)v < (int32_t)one);
        mat_w r = v + rebias + (denormal & one);
        r = (mat_w)((mat_wf)r - (mat_wf)(denormal & least)) | sign;
        if (f.fnuz) { /* what would be -0 */
            r ^= (mat_w)(r == 0x80000000) & (QNAN32 ^ 0x80000000);
        } else if (f.bits == 8) {
            mat_w nan = (mat_w)((mat_s)v > (int32_t)((f.mant == 3 ? 0x7eu : 0x7cu) << (23 - f.mant)));
            if (f.mant == 2) /* infinity */
                r |= (mat_w)(v == 0x7c << 21) & 0x7f800000;
            r = (nan & QNAN32) | (~nan & r);
        }
        mat_put(to + l, r);
    }
}

/* MAT_WORDS floats to halves, in the low half of each word. */
MAT_INLINE void mat_halves(const uint32_t *from, uint32_t *to)
{
#if defined(__AVX512F__)
    __m256i h = _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm512_storeu_si512(to, _mm512_cvtepu16_epi32(h));
#elif defined(__AVX2__) && defined(__F16C__)
    __m256 v = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)from));
    __m128i h = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_storeu_si256((__m256i *)to, _mm256_cvtepu16_epi32(h));
#else
    LANE_PRAGMA
    for (unsigned j = 0; j < 8; j++)
        to[j] = half_from_f32(as_f32(from[j]), 0, 0);
#endif
}

/* MAT_WORDS floats to halves or bf16 (bf16_from_f32), in the low half of each word. */
MAT_INLINE void mat_narrow(const bool half, const uint32_t *from, uint32_t *to)
{
    if (half) {
        mat_halves(from, to);
    } else {
        mat_w u = mat_get(from), even = u + 0x7fff + (u >> 16 & 1);
        mat_put(to, mat_quiet_or(u, even) >> 16);
    }
}

#endif
