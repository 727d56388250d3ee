/* Half precision by whole rows, with the host's conversions: 32 active lanes, MODE as compilers set it. Each function
 * gives what the row's body does lane by lane, or does nothing and returns false: without such conversions, where
 * MODE.FP16_OVFL is set, or where a result is not a number or, of a fused multiply-add, an infinity.
 *
 * Sums and products of halves are as good rounded to float and again to half as rounded once (isa/lanes/fp.h). A fused
 * multiply-add is exact as a float and the error of its last addition; the float goes to the odd one of its neighbours
 * if there is an error, from which rounding to half rounds once.
 */
#ifndef GCNSIM_ISA_HALF_ROWS_H
#define GCNSIM_ISA_HALF_ROWS_H

#include <string.h>

#include "isa/lanes/fp.h"
#include "isa/lanes/order.h"

enum half_op { HALF_ADD, HALF_SUB, HALF_SUBREV, HALF_MUL, HALF_FMA, HALF_MAD };
enum half_whole { HALF_NEAREST, HALF_DOWN, HALF_UP, HALF_TO_ZERO, HALF_FRACT };

#if defined(__AVX512F__)

#define HALF_ROWS 1
typedef __m512 half_floats;

static inline half_floats half_packed(const uint32_t *s, unsigned k)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(s + 8 * k)));
}

static inline void half_put_packed(uint32_t *d, unsigned k, half_floats r)
{
    _mm256_storeu_si256((__m256i *)(void *)(d + 8 * k), _mm512_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT));
}

static inline half_floats half_low(const uint32_t *s, unsigned k)
{
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_loadu_si512(s + 16 * k)));
}

static inline void half_put_low(uint32_t *d, unsigned k, half_floats r)
{
    __m512i low = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT)), *to = (__m512i *)(d + 16 * k);

    _mm512_storeu_si512(to, _mm512_mask_blend_epi16(0x55555555, _mm512_loadu_si512(to), low));
}

static inline half_floats half_wide(const uint32_t *s, unsigned k)
{
    return _mm512_loadu_ps((const float *)(const void *)(s + 16 * k));
}

/* two rows of floats, rounded toward zero */
static inline void half_put_pair_rtz(uint32_t *d, unsigned k, half_floats low, half_floats high)
{
    __m512i l = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(low, _MM_FROUND_TO_ZERO)),
            h = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(high, _MM_FROUND_TO_ZERO));

    _mm512_storeu_si512(d + 16 * k, _mm512_or_si512(l, _mm512_slli_epi32(h, 16)));
}

static inline unsigned half_nan(half_floats a, half_floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}

static inline half_floats half_high(const uint32_t *s, unsigned k)
{
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_loadu_si512(s + 16 * k), 16)));
}

#define HALF_FMADD(a, b, c)  _mm512_fmadd_ps(a, b, c)
#define HALF_ROUND(x, where) _mm512_roundscale_ps(x, _MM_FROUND_TO_##where | _MM_FROUND_NO_EXC)
#define HALF_INTS(x)         _mm512_castps_si512(x)

/* the nearest half */
static inline half_floats half_rounded(half_floats x)
{
    return _mm512_cvtph_ps(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
}

/* zeros in the place of what is below a limit */
static inline half_floats half_zeroed(half_floats x, float limit)
{
    __mmask16 small = _mm512_cmp_ps_mask(_mm512_abs_ps(x), _mm512_set1_ps(limit), _CMP_LT_OQ);

    return _mm512_mask_and_ps(x, small, x, _mm512_set1_ps(-0.0f));
}

static inline half_floats half_lesser(half_floats a, half_floats b)
{
    return _mm512_min_ps(a, b);
}

/* a 2^e for e in the low halves of integers, as far as halves tell one from another */
static inline half_floats half_scaled(half_floats a, const uint32_t *s, unsigned k)
{
    __m512i e = _mm512_srai_epi32(_mm512_slli_epi32(_mm512_loadu_si512(s + 16 * k), 16), 16);

    e = _mm512_min_epi32(_mm512_max_epi32(e, _mm512_set1_epi32(-64)), _mm512_set1_epi32(64));
    return a * _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(e, _mm512_set1_epi32(127)), 23));
}

/* s, the sum of which e is the error, or its odd neighbour on the side of e */
static inline half_floats half_to_odd(half_floats s, half_floats e)
{
    const __m512i one = _mm512_set1_epi32(1);
    __mmask16 some =
        _mm512_cmp_ps_mask(e, _mm512_setzero_ps(), _CMP_NEQ_UQ) & _mm512_testn_epi32_mask(HALF_INTS(s), one);
    __m512i other = _mm512_srai_epi32(_mm512_xor_si512(HALF_INTS(s), HALF_INTS(e)), 31); /* -1: of another sign */
    __m512i step = _mm512_or_si512(other, one);

    return _mm512_castsi512_ps(_mm512_mask_add_epi32(HALF_INTS(s), some, HALF_INTS(s), step));
}

#elif defined(__AVX2__) && defined(__F16C__)

#define HALF_ROWS 1
typedef __m256 half_floats;

static inline half_floats half_packed(const uint32_t *s, unsigned k)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(s + 4 * k)));
}

static inline void half_put_packed(uint32_t *d, unsigned k, half_floats r)
{
    _mm_storeu_si128((__m128i *)(void *)(d + 4 * k), _mm256_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT));
}

static inline half_floats half_low(const uint32_t *s, unsigned k)
{
    __m256i u =
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(s + 8 * k)), _mm256_set1_epi32(0xffff));

    return _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(u), _mm256_extracti128_si256(u, 1)));
}

static inline void half_put_low(uint32_t *d, unsigned k, half_floats r)
{
    __m256i low = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT)),
            *to = (__m256i *)(void *)(d + 8 * k);

    _mm256_storeu_si256(to, _mm256_blend_epi16(_mm256_loadu_si256(to), low, 0x55));
}

static inline half_floats half_wide(const uint32_t *s, unsigned k)
{
    return _mm256_loadu_ps((const float *)(const void *)(s + 8 * k));
}

static inline void half_put_pair_rtz(uint32_t *d, unsigned k, half_floats low, half_floats high)
{
    __m256i l = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(low, _MM_FROUND_TO_ZERO)),
            h = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(high, _MM_FROUND_TO_ZERO));

    _mm256_storeu_si256((__m256i *)(void *)(d + 8 * k), _mm256_or_si256(l, _mm256_slli_epi32(h, 16)));
}

static inline unsigned half_nan(half_floats a, half_floats b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

static inline half_floats half_high(const uint32_t *s, unsigned k)
{
    __m256i u = _mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(s + 8 * k)), 16);

    return _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(u), _mm256_extracti128_si256(u, 1)));
}

#if defined(__FMA__)
#define HALF_FMADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#endif
#define HALF_ROUND(x, where) _mm256_round_ps(x, _MM_FROUND_TO_##where | _MM_FROUND_NO_EXC)
#define HALF_INTS(x)         _mm256_castps_si256(x)

static inline half_floats half_rounded(half_floats x)
{
    return _mm256_cvtph_ps(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
}

static inline half_floats half_zeroed(half_floats x, float limit)
{
    const half_floats sign = _mm256_set1_ps(-0.0f);
    half_floats small = _mm256_cmp_ps(_mm256_andnot_ps(sign, x), _mm256_set1_ps(limit), _CMP_LT_OQ);

    return _mm256_blendv_ps(x, _mm256_and_ps(x, sign), small);
}

static inline half_floats half_lesser(half_floats a, half_floats b)
{
    return _mm256_min_ps(a, b);
}

static inline half_floats half_scaled(half_floats a, const uint32_t *s, unsigned k)
{
    __m256i u = _mm256_loadu_si256((const __m256i *)(const void *)(s + 8 * k));
    __m256i e = _mm256_srai_epi32(_mm256_slli_epi32(u, 16), 16);

    e = _mm256_min_epi32(_mm256_max_epi32(e, _mm256_set1_epi32(-64)), _mm256_set1_epi32(64));
    return a * _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(e, _mm256_set1_epi32(127)), 23));
}

static inline half_floats half_to_odd(half_floats s, half_floats e)
{
    const __m256i one = _mm256_set1_epi32(1);
    __m256i exact = HALF_INTS(_mm256_cmp_ps(e, _mm256_setzero_ps(), _CMP_EQ_OQ));
    __m256i odd = _mm256_srai_epi32(_mm256_slli_epi32(HALF_INTS(s), 31), 31);
    __m256i other = _mm256_srai_epi32(_mm256_xor_si256(HALF_INTS(s), HALF_INTS(e)), 31);
    __m256i step = _mm256_andnot_si256(_mm256_or_si256(exact, odd), _mm256_or_si256(other, one));

    return _mm256_castsi256_ps(_mm256_add_epi32(HALF_INTS(s), step));
}

#endif

#ifdef HALF_ROWS

enum { HALF_FLOATS = sizeof(half_floats) / sizeof(float), HALF_STEPS = 32 / HALF_FLOATS };

/* A half with denormals as zeros. */
static inline half_floats half_flushed(half_floats x)
{
    return half_zeroed(x, 0x1p-14f);
}

/* A float that is going to be rounded to half, zero where a denormal would come of it. */
static inline half_floats half_flushing(half_floats x)
{
    return half_zeroed(x, 0x1p-14f - 0x1p-25f);
}

/* *check: a NaN where the result is not to be had so */
static inline __attribute__((always_inline)) half_floats half_of(enum half_op op, half_floats a, half_floats b,
                                                                 half_floats c, half_floats *check)
{
    half_floats r = op == HALF_ADD ? a + b : op == HALF_SUB ? a - b : op == HALF_SUBREV ? b - a : a * b;

    *check = r;
    if (op == HALF_FMA) {
        half_floats sum = r + c, back = sum - r, error = (r - (sum - back)) + (c - back);
        *check = error;
        return half_to_odd(sum, error);
    }
    if (op == HALF_MAD)
        return *check = half_flushing(half_rounded(half_flushing(half_flushed(a) * half_flushed(b))) + half_flushed(c));
    return r;
}

/* packed: both halves of the words, else the low ones, and the high ones of d stay. */
static inline __attribute__((always_inline)) bool half_rows(enum half_op op, bool packed, uint32_t *d,
                                                            const uint32_t *s0, const uint32_t *s1, const uint32_t *s2,
                                                            const struct isa_mode *mode)
{
    half_floats r[2 * HALF_STEPS];
    unsigned nan = mode->fp16_ovfl;
    const unsigned steps = packed ? 2 * HALF_STEPS : HALF_STEPS;

    for (unsigned k = 0; k < steps; k++) {
        half_floats a = packed ? half_packed(s0, k) : half_low(s0, k),
                    b = packed ? half_packed(s1, k) : half_low(s1, k);
        half_floats c = op < HALF_FMA ? a : packed ? half_packed(s2, k) : half_low(s2, k), check;
        r[k] = half_of(op, a, b, c, &check);
        nan |= half_nan(check, check);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < steps; k++)
        packed ? half_put_packed(d, k, r[k]) : half_put_low(d, k, r[k]);
    return true;
}

/* The low halves of 32 words as floats. */
static inline void floats_of_halves(uint32_t *d)
{
    half_floats r[HALF_STEPS];
    unsigned nan = 0;

    for (unsigned k = 0; k < HALF_STEPS; k++) {
        r[k] = half_low(d, k);
        nan |= half_nan(r[k], r[k]);
    }
    if (__builtin_expect(nan != 0, 0)) { /* the host makes them quiet */
        for (unsigned l = 0; l < 32; l++)
            d[l] = bits_f32(half_to_f32((half_t)d[l]));
        return;
    }
    for (unsigned k = 0; k < HALF_STEPS; k++)
        memcpy(d + HALF_FLOATS * k, &r[k], sizeof r[k]);
}

/* for a conditional expression, which would not have the type of a difference */
static inline half_floats half_less(half_floats a, half_floats b)
{
    return a - b;
}

/* To integers, which are halves: the sign of a zero is the operand's. */
static inline __attribute__((always_inline)) bool half_rows_whole(enum half_whole how, uint32_t *d, const uint32_t *s)
{
    half_floats r[HALF_STEPS];
    unsigned nan = 0;

    for (unsigned k = 0; k < HALF_STEPS; k++) {
        half_floats x = half_low(s, k);
        r[k] = how == HALF_NEAREST ? HALF_ROUND(x, NEAREST_INT)
               : how == HALF_DOWN  ? HALF_ROUND(x, NEG_INF)
               : how == HALF_UP    ? HALF_ROUND(x, POS_INF)
               : how == HALF_FRACT ? half_less(x, HALF_ROUND(x, NEG_INF))
                                   : HALF_ROUND(x, ZERO);
        nan |= half_nan(x, r[k]);
        if (how == HALF_FRACT) /* below 1 when it is rounded */
            r[k] = half_lesser(r[k], (half_floats){0} + 0x1.ffcp-1f);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < HALF_STEPS; k++)
        half_put_low(d, k, r[k]);
    return true;
}

/* v_ldexp_f16 */
static inline bool half_rows_ldexp(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const struct isa_mode *mode)
{
    half_floats r[HALF_STEPS];
    unsigned nan = mode->fp16_ovfl;

    for (unsigned k = 0; k < HALF_STEPS; k++) {
        r[k] = half_scaled(half_low(s0, k), s1, k);
        nan |= half_nan(r[k], r[k]);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < HALF_STEPS; k++)
        half_put_low(d, k, r[k]);
    return true;
}

/* v_cvt_f16_f32 */
static inline bool half_rows_from_f32(uint32_t *d, const uint32_t *s0, const struct isa_mode *mode)
{
    unsigned nan = mode->fp16_ovfl;

    for (unsigned k = 0; k < HALF_STEPS; k++)
        nan |= half_nan(half_wide(s0, k), half_wide(s0, k));
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < HALF_STEPS; k++)
        half_put_low(d, k, half_wide(s0, k));
    return true;
}

/* v_cvt_pkrtz_f16_f32 */
static inline bool half_rows_pkrtz(uint32_t *d, const uint32_t *s0, const uint32_t *s1)
{
    unsigned nan = 0;

    for (unsigned k = 0; k < HALF_STEPS; k++)
        nan |= half_nan(half_wide(s0, k), half_wide(s1, k));
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < HALF_STEPS; k++)
        half_put_pair_rtz(d, k, half_wide(s0, k), half_wide(s1, k));
    return true;
}

#else

static inline bool half_rows_whole(enum half_whole how, uint32_t *d, const uint32_t *s)
{
    (void)how, (void)d, (void)s;
    return false;
}

static inline void floats_of_halves(uint32_t *d)
{
    for (unsigned l = 0; l < 32; l++)
        d[l] = bits_f32(half_to_f32((half_t)d[l]));
}

static inline bool half_rows(enum half_op op, bool packed, uint32_t *d, const uint32_t *s0, const uint32_t *s1,
                             const uint32_t *s2, const struct isa_mode *mode)
{
    (void)op, (void)packed, (void)d, (void)s0, (void)s1, (void)s2, (void)mode;
    return false;
}

static inline bool half_rows_ldexp(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const struct isa_mode *mode)
{
    (void)d, (void)s0, (void)s1, (void)mode;
    return false;
}

static inline bool half_rows_from_f32(uint32_t *d, const uint32_t *s0, const struct isa_mode *mode)
{
    (void)d, (void)s0, (void)mode;
    return false;
}

static inline bool half_rows_pkrtz(uint32_t *d, const uint32_t *s0, const uint32_t *s1)
{
    (void)d, (void)s0, (void)s1;
    return false;
}

#endif

/* v_dot2_f32_f16: both products are exact in f32, so that each sum is a fused multiply-add. */
static inline bool half_rows_dot2(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2)
{
#ifdef HALF_FMADD
    half_floats r[HALF_STEPS];
    unsigned nan = 0;

    for (unsigned k = 0; k < HALF_STEPS; k++) {
        half_floats t = HALF_FMADD(half_low(s0, k), half_low(s1, k), half_wide(s2, k));
        r[k] = HALF_FMADD(half_high(s0, k), half_high(s1, k), t);
        nan |= half_nan(r[k], r[k]);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    memcpy(d, r, sizeof r);
    return true;
#else
    (void)d, (void)s0, (void)s1, (void)s2;
    return false;
#endif
}

/* v_dot2_f16_f16: each of two fused multiply-adds is rounded to half. */
static inline bool half_rows_dot2_f16(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2,
                                      const struct isa_mode *mode)
{
#ifdef HALF_ROWS
    half_floats r[HALF_STEPS], low, high;
    unsigned nan = mode->fp16_ovfl;

    for (unsigned k = 0; k < HALF_STEPS; k++) {
        half_floats t = half_of(HALF_FMA, half_low(s0, k), half_low(s1, k), half_low(s2, k), &low);
        r[k] = half_of(HALF_FMA, half_high(s0, k), half_high(s1, k), half_rounded(t), &high);
        nan |= half_nan(low, high);
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    for (unsigned k = 0; k < HALF_STEPS; k++)
        half_put_low(d, k, r[k]);
    return true;
#else
    (void)d, (void)s0, (void)s1, (void)s2, (void)mode;
    return false;
#endif
}

/* Minimum, maximum and median of halves that are numbers, ordered as integers. */
typedef int16_t __attribute__((may_alias)) half_word;

static inline int half_in_order(half_word h)
{
    return (int16_t)(h ^ (h >> 15 & 0x7fff));
}

/* packed: both halves of the words, else the low ones, and the high ones of d stay. False where one is a NaN. */
static inline __attribute__((always_inline)) bool
half_rows_order(enum order_op op, bool packed, uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2)
{
    const half_word *h0 = (const void *)s0, *h1 = (const void *)s1,
                    *h2 = order_sources(op) == 2 ? h0 : (const void *)s2;
    const uint32_t magnitude = packed ? 0x7fff7fff : 0x7fff, *last = order_sources(op) == 2 ? s0 : s2;
    _Alignas(64) int16_t r[64];
    _Alignas(64) uint32_t words[32];
    uint32_t nan = 0;

    for (unsigned i = 0; i < 32; i++)
        nan |= ((s0[i] & magnitude) + 0x03ff03ff) | ((s1[i] & magnitude) + 0x03ff03ff) |
               ((last[i] & magnitude) + 0x03ff03ff);
    if (__builtin_expect((nan & 0x80008000) != 0, 0))
        return false;
    LANE_PRAGMA
    for (unsigned i = 0; i < 64; i++) {
        int a = half_in_order(h0[i]), b = half_in_order(h1[i]), c = half_in_order(h2[i]);
        r[i] = (int16_t)half_in_order((half_word)order_of(op, a, b, c));
    }
    memcpy(words, r, sizeof words);
    for (unsigned i = 0; i < 32; i++)
        d[i] = packed ? words[i] : (words[i] & 0xffff) | (d[i] & 0xffff0000);
    return true;
}

#endif
