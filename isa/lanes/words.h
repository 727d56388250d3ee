/* Vectors of the host's own with a word for each of STEP lanes, for AVX-512 and AVX2: what the passes over the
 * addresses of an instruction are made of (lds_pass.c, mem_pass.c). Without HAVE_WORDS the host has none.
 *
 * `lanes` says which lanes are on. Gathers of the host are not used: on AMD's Zen 5 the loads of single lanes, put
 * together in registers, took 0.6 of their time. Nor are its scatters, which are no faster than stores of single lanes
 * there.
 */
#ifndef GCNSIM_ISA_WORDS_H
#define GCNSIM_ISA_WORDS_H

#include "isa/lanes/access.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>

#define HAVE_WORDS
#define INLINE static inline __attribute__((always_inline))

#ifdef __AVX512F__
enum { STEP = 16, WINDOW = 128 }; /* lanes at a time; bytes that permute() reaches */
typedef __m512i words;
typedef __mmask16 lanes;
#define ALL_LANES ((lanes)0xffff)

static inline lanes lanes_at(const struct isa_wave *w, unsigned first)
{
    return (lanes)(w->exec >> first);
}

static inline uint64_t bits_of(lanes on)
{
    return on;
}

static inline words add(words a, uint32_t v)
{
    return _mm512_add_epi32(a, _mm512_set1_epi32((int)v));
}

static inline words load_row(const uint32_t *row)
{
    return _mm512_loadu_si512(row);
}

static inline void put(uint32_t *row, words v, lanes on)
{
    if (__builtin_expect(on != 0xffff, 0))
        v = _mm512_mask_mov_epi32(load_row(row), on, v);
    _mm512_storeu_si512(row, v);
}

/* Whether an address is past `last` or no multiple of 4. */
static inline bool unfit(words a, uint32_t last, lanes on)
{
    return _mm512_mask_cmpgt_epu32_mask(on, a, _mm512_set1_epi32((int)last)) |
           _mm512_mask_test_epi32_mask(on, a, _mm512_set1_epi32(3));
}

/* Dwords from `base`, a multiple of 4, on to the addresses: a large number where an address is below it or no multiple
 * of 4. */
static inline words distance(words a, uint32_t base)
{
    return _mm512_ror_epi32(add(a, 0u - base), 2);
}

static inline bool in_window(words index, lanes on)
{
    return !_mm512_mask_cmpge_epu32_mask(on, index, _mm512_set1_epi32(WINDOW / 4));
}

static inline words either(words a, words b)
{
    return _mm512_or_si512(a, b);
}

static inline words permute(const uint8_t *p, words index)
{
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), index, _mm512_loadu_si512(p + 64));
}

/* Those of the STEP lowest bits. */
static inline lanes lanes_of(uint64_t bits)
{
    return (lanes)bits;
}

static inline words spread(uint32_t v)
{
    return _mm512_set1_epi32((int)v);
}

/* times * the number of the lane */
static inline words lanes_times(unsigned times)
{
    return _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                              _mm512_set1_epi32((int)times));
}

static inline words less(words a, words b)
{
    return _mm512_sub_epi32(a, b);
}

static inline bool all_are(words a, uint32_t v, lanes on)
{
    return !_mm512_mask_cmpneq_epi32_mask(on, a, _mm512_set1_epi32((int)v));
}

/* Where lanes are off, v. */
static inline words or_else(words a, uint32_t v, lanes on)
{
    return _mm512_mask_mov_epi32(_mm512_set1_epi32((int)v), on, a);
}

static inline words smaller(words a, words b)
{
    return _mm512_min_epi32(a, b);
}

static inline words larger(words a, words b)
{
    return _mm512_max_epi32(a, b);
}

static inline int32_t smallest(words a)
{
    return _mm512_reduce_min_epi32(a);
}

static inline int32_t largest(words a)
{
    return _mm512_reduce_max_epi32(a);
}

/* Distances of addresses from `first`, as signed words: *far is set where one of them is none. */
static inline words from_first(const uint64_t *a, uint64_t first, lanes on, bool *far)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    __m512i base = _mm512_set1_epi64((long long)first), x = _mm512_sub_epi64(_mm512_loadu_si512(a), base),
            y = _mm512_sub_epi64(_mm512_loadu_si512(a + 8), base);
    words low = _mm512_permutex2var_epi32(x, even, y);
    words high = _mm512_permutex2var_epi32(x, _mm512_add_epi32(even, _mm512_set1_epi32(1)), y);

    *far |= _mm512_mask_cmpneq_epi32_mask(on, high, _mm512_srai_epi32(low, 31)) != 0;
    return low;
}

/* The words at p of lanes that are on, and `old` of the others, whose memory is not touched. */
static inline words load_words(const uint8_t *p, words old, lanes on)
{
    return on == 0xffff ? _mm512_loadu_si512(p) : _mm512_mask_loadu_epi32(old, on, p);
}

static inline void store_words(uint8_t *p, words v, lanes on)
{
    if (on == 0xffff)
        _mm512_storeu_si512(p, v);
    else
        _mm512_mask_storeu_epi32(p, on, v);
}

/* Four lanes of up to four dwords, x[s] being lane 4 * s + k of STEP lanes: what stands in the slots of 16 bytes. */
static inline words slots(const __m128i *x)
{
    words v = _mm512_castsi128_si512(x[0]);

    v = _mm512_inserti32x4(v, x[4], 1);
    v = _mm512_inserti32x4(v, x[8], 2);
    return _mm512_inserti32x4(v, x[12], 3);
}

static inline void unslot(words v, __m128i *x)
{
    x[0] = _mm512_castsi512_si128(v);
    x[4] = _mm512_extracti32x4_epi32(v, 1);
    x[8] = _mm512_extracti32x4_epi32(v, 2);
    x[12] = _mm512_extracti32x4_epi32(v, 3);
}

static inline words interleave_low(words a, words b)
{
    return _mm512_unpacklo_epi32(a, b);
}

static inline words interleave_high(words a, words b)
{
    return _mm512_unpackhi_epi32(a, b);
}

static inline words pair_low(words a, words b)
{
    return _mm512_unpacklo_epi64(a, b);
}

static inline words pair_high(words a, words b)
{
    return _mm512_unpackhi_epi64(a, b);
}
#else
enum { STEP = 8, WINDOW = 64 };
typedef __m256i words;
typedef __m256i lanes; /* 0 or all bits */
#define ALL_LANES _mm256_set1_epi32(-1)

static inline lanes lanes_at(const struct isa_wave *w, unsigned first)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)(w->mask + first));
}

static inline uint64_t bits_of(lanes on)
{
    return (uint64_t)_mm256_movemask_ps(_mm256_castsi256_ps(on));
}

static inline words add(words a, uint32_t v)
{
    return _mm256_add_epi32(a, _mm256_set1_epi32((int)v));
}

static inline words load_row(const uint32_t *row)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)row);
}

static inline void put(uint32_t *row, words v, lanes on)
{
    _mm256_storeu_si256((__m256i *)(void *)row, _mm256_blendv_epi8(load_row(row), v, on));
}

static inline bool unfit(words a, uint32_t last, lanes on)
{
    words most = _mm256_set1_epi32((int)last), past = _mm256_xor_si256(_mm256_max_epu32(a, most), most),
          low = _mm256_and_si256(a, _mm256_set1_epi32(3));

    return !_mm256_testz_si256(_mm256_or_si256(past, low), on);
}

static inline words distance(words a, uint32_t base)
{
    words d = add(a, 0u - base);

    return _mm256_or_si256(_mm256_srli_epi32(d, 2), _mm256_slli_epi32(d, 30));
}

static inline words either(words a, words b)
{
    return _mm256_or_si256(a, b);
}

static inline bool in_window(words index, lanes on)
{
    return _mm256_testz_si256(_mm256_andnot_si256(_mm256_set1_epi32(WINDOW / 4 - 1), index), on);
}

static inline words permute(const uint8_t *p, words index)
{
    words low = _mm256_permutevar8x32_epi32(load_row((const uint32_t *)(const void *)p), index),
          high = _mm256_permutevar8x32_epi32(load_row((const uint32_t *)(const void *)(p + 32)), index);

    return _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7)));
}

static inline lanes lanes_of(uint64_t bits)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit);
}

static inline words spread(uint32_t v)
{
    return _mm256_set1_epi32((int)v);
}

static inline words lanes_times(unsigned times)
{
    return _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32((int)times));
}

static inline words less(words a, words b)
{
    return _mm256_sub_epi32(a, b);
}

static inline bool all_are(words a, uint32_t v, lanes on)
{
    return _mm256_testz_si256(_mm256_xor_si256(a, _mm256_set1_epi32((int)v)), on);
}

static inline words or_else(words a, uint32_t v, lanes on)
{
    return _mm256_blendv_epi8(_mm256_set1_epi32((int)v), a, on);
}

static inline words smaller(words a, words b)
{
    return _mm256_min_epi32(a, b);
}

static inline words larger(words a, words b)
{
    return _mm256_max_epi32(a, b);
}

#define REDUCE(OP)                                                                                                     \
    __m128i v = OP(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));                                         \
    v = OP(v, _mm_shuffle_epi32(v, 0x4e));                                                                             \
    return _mm_cvtsi128_si32(OP(v, _mm_shuffle_epi32(v, 0xb1)))
static inline int32_t smallest(words a)
{
    REDUCE(_mm_min_epi32);
}

static inline int32_t largest(words a)
{
    REDUCE(_mm_max_epi32);
}
#undef REDUCE

static inline words from_first(const uint64_t *a, uint64_t first, lanes on, bool *far)
{
    __m256i base = _mm256_set1_epi64x((long long)first);
    __m256 x = _mm256_castsi256_ps(_mm256_sub_epi64(load_row((const uint32_t *)(const void *)a), base)),
           y = _mm256_castsi256_ps(_mm256_sub_epi64(load_row((const uint32_t *)(const void *)(a + 4)), base));
    words low = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88)), 0xd8);
    words high = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd)), 0xd8);

    *far |= !_mm256_testz_si256(_mm256_xor_si256(high, _mm256_srai_epi32(low, 31)), on);
    return low;
}

static inline words load_words(const uint8_t *p, words old, lanes on)
{
    if (bits_of(on) == 0xff)
        return load_row((const uint32_t *)(const void *)p);
    return _mm256_blendv_epi8(old, _mm256_maskload_epi32((const int *)(const void *)p, on), on);
}

static inline void store_words(uint8_t *p, words v, lanes on)
{
    if (bits_of(on) == 0xff)
        _mm256_storeu_si256((__m256i *)(void *)p, v);
    else
        _mm256_maskstore_epi32((int *)(void *)p, on, v);
}

static inline words slots(const __m128i *x)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(x[0]), x[4], 1);
}

static inline void unslot(words v, __m128i *x)
{
    x[0] = _mm256_castsi256_si128(v);
    x[4] = _mm256_extracti128_si256(v, 1);
}

static inline words interleave_low(words a, words b)
{
    return _mm256_unpacklo_epi32(a, b);
}

static inline words interleave_high(words a, words b)
{
    return _mm256_unpackhi_epi32(a, b);
}

static inline words pair_low(words a, words b)
{
    return _mm256_unpacklo_epi64(a, b);
}

static inline words pair_high(words a, words b)
{
    return _mm256_unpackhi_epi64(a, b);
}
#endif

/* --- lanes one by one -------------------------------------------------------------------------------------------- */

/* Dwords of one lane. Two of them move as one, as lane by lane (isa/lanes/memory_access.c). */
INLINE __m128i load_lane(const uint8_t *p, unsigned dwords)
{
    if (dwords == 1)
        return _mm_cvtsi32_si128((int)load_u32(p));
    if (dwords == 4)
        return _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return dwords == 2 ? x : _mm_insert_epi32(x, (int)load_u32(p + 8), 2);
}

INLINE void store_lane(uint8_t *p, __m128i x, unsigned dwords)
{
    if (dwords == 4) {
        _mm_storeu_si128((__m128i *)(void *)p, x);
        return;
    }
    _mm_storel_epi64((__m128i *)(void *)p, x);
    if (dwords == 3) {
        uint32_t last = (uint32_t)_mm_extract_epi32(x, 2);
        memcpy(p + 8, &last, 4);
    }
}

/* What STEP lanes, x[l], hold, as `dwords` vectors, and back. */
INLINE void lanes_to_words(const __m128i *x, unsigned dwords, words *out)
{
    words r0 = slots(x), r1 = slots(x + 1), r2 = slots(x + 2), r3 = slots(x + 3);
    words low = interleave_low(r0, r1), low2 = interleave_low(r2, r3);

    out[0] = pair_low(low, low2);
    if (dwords > 1)
        out[1] = pair_high(low, low2);
    if (dwords < 3)
        return;
    low = interleave_high(r0, r1);
    low2 = interleave_high(r2, r3);
    out[2] = pair_low(low, low2);
    if (dwords > 3)
        out[3] = pair_high(low, low2);
}

INLINE void words_to_lanes(const words *in, unsigned dwords, __m128i *x)
{
    words zero = spread(0), third = dwords > 2 ? in[2] : zero, fourth = dwords > 3 ? in[3] : zero;
    words a = interleave_low(in[0], in[1]), b = interleave_low(third, fourth);

    unslot(pair_low(a, b), x);
    unslot(pair_high(a, b), x + 1);
    a = interleave_high(in[0], in[1]);
    b = interleave_high(third, fourth);
    unslot(pair_low(a, b), x + 2);
    unslot(pair_high(a, b), x + 3);
}
#endif

#endif
