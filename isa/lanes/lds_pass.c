/* All elements of an LDS load in one pass (isa/lanes/access.h): addresses of 32 bits, checked for many lanes at once,
 * and as many lanes moved at once as a vector of the host has.
 *
 * Mostly the lanes of a vector lie within a few dozen dwords, in whatever order: side by side, all at one place, in two
 * rows of a tile, permuted so that banks do not collide. Those dwords are loaded as they stand and permuted in
 * registers. Lanes farther apart are gathered.
 *
 * What is not simple is left to isa_lds_load(): lanes out of bounds, addresses that are no multiples of 4, hosts
 * without the instructions. */
#include "isa/lanes/access.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>

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

static inline words take(const uint32_t *row)
{
    return _mm512_loadu_si512(row);
}

static inline void put(uint32_t *row, words v, lanes on)
{
    if (__builtin_expect(on != 0xffff, 0))
        v = _mm512_mask_mov_epi32(take(row), on, v);
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

static inline words gather(const uint8_t *p, words a, lanes on)
{
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), on, a, p, 1);
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

static inline words take(const uint32_t *row)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)row);
}

static inline void put(uint32_t *row, words v, lanes on)
{
    _mm256_storeu_si256((__m256i *)(void *)row, _mm256_blendv_epi8(take(row), v, on));
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
    words low = _mm256_permutevar8x32_epi32(take((const uint32_t *)(const void *)p), index),
          high = _mm256_permutevar8x32_epi32(take((const uint32_t *)(const void *)(p + 32)), index);

    return _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7)));
}

static inline words gather(const uint8_t *p, words a, lanes on)
{
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)p, a, on, 1);
}
#endif

#define INLINE static inline __attribute__((always_inline))
/* over the steps of a wave, and elements, of a number that the compiler knows */
#define EACH_STEP(L, E)                                                                                                \
    _Pragma("GCC unroll 8") for (unsigned L = 0; L < n; L += STEP)                                                     \
        _Pragma("GCC unroll 2") for (unsigned E = 0; E < elems; E++)

/* Where the window of lanes begins that starts with this address. What lies in it is inside LDS, with all its dwords.
 */
INLINE uint32_t window(uint32_t limit, uint32_t first, unsigned dwords)
{
    uint32_t last = limit - WINDOW - 4 * dwords;

    return (first < last ? first : last) & ~3u;
}

/* All lanes are active, and each step's are in one window. Windows are powers of two: one comparison is for all. */
INLINE bool load_near(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d, unsigned n,
                      unsigned elems, unsigned dwords)
{
    words index[64 / STEP][2], all = {0};
    uint32_t base[64 / STEP][2];

    EACH_STEP(l, e)
    {
        base[l / STEP][e] = window(limit, p->addr[l] + p->offset[e], dwords);
        index[l / STEP][e] = distance(add(take(p->addr + l), p->offset[e]), base[l / STEP][e]);
        all = either(all, index[l / STEP][e]);
    }
    if (!in_window(all, ALL_LANES))
        return false;
    EACH_STEP(l, e)
    for (unsigned k = 0; k < dwords; k++)
        put(d + (e * dwords + k) * n + l, permute(w->lds + base[l / STEP][e] + 4 * k, index[l / STEP][e]), ALL_LANES);
    return true;
}

INLINE bool all_fit(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, unsigned n, unsigned elems,
                    unsigned dwords)
{
    bool bad = false;

    EACH_STEP(l, e) bad |= unfit(add(take(p->addr + l), p->offset[e]), limit - 4 * dwords, lanes_at(w, l));
    return !bad;
}

INLINE bool load(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d, unsigned n,
                 unsigned elems, unsigned dwords)
{
    if (limit < WINDOW + 4 * dwords)
        return false;
    if (w->exec == lane_mask(n) && load_near(w, limit, p, d, n, elems, dwords))
        return true;
    if (!all_fit(w, limit, p, n, elems, dwords))
        return false;
    for (unsigned l = 0; l < n; l += STEP) {
        lanes on = lanes_at(w, l);
        uint64_t bits = bits_of(on);
        if (!bits)
            continue;
        /* before anything is written: the address may be among the results */
        words a = take(p->addr + l);
        uint32_t first = p->addr[l + (unsigned)__builtin_ctzll(bits)];

        for (unsigned e = 0; e < elems; e++) {
            uint32_t base = window(limit, first + p->offset[e], dwords);
            words at = add(a, p->offset[e]), index = distance(at, base);
            bool near = in_window(index, on);
            for (unsigned k = 0; k < dwords; k++)
                put(d + (e * dwords + k) * n + l,
                    near ? permute(w->lds + base + 4 * k, index) : gather(w->lds + 4 * k, at, on), on);
        }
    }
    return true;
}

bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d)
{
#define SHAPE(N, ELEMS, DWORDS)                                                                                        \
    case (N)*16 + (ELEMS)*8 + (DWORDS):                                                                                \
        return load(w, limit, p, d, N, ELEMS, DWORDS);
#define SHAPES(N) SHAPE(N, 1, 1) SHAPE(N, 1, 2) SHAPE(N, 1, 3) SHAPE(N, 1, 4) SHAPE(N, 2, 1) SHAPE(N, 2, 2)
    switch (w->lanes * 16 + p->elems * 8 + p->dwords) {
        SHAPES(32)
        SHAPES(64)
    default:
        return false;
    }
}
#else
bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d)
{
    (void)w, (void)limit, (void)p, (void)d;
    return false;
}
#endif
