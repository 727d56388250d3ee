/* Arguments of a lane loop, and the macros with which it reads and writes lanes. Included by the files compiled per
 * variant.
 *
 * A row of lanes is `n` words; a 64-bit value has its high words in the next row (n words further on). Destination
 * rows may be source rows: a lane reads all its sources before it writes, and lanes do not depend on one another,
 * which the loop pragma tells the compiler.
 */
#ifndef GCNSIM_ISA_LANES_H
#define GCNSIM_ISA_LANES_H

#include "isa/table/row.h"
#include "isa/wave.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

struct lane_args {
    uint32_t *d;          /* destination row (rows, for wide results) */
    const uint32_t *s[4]; /* sources in the order of the row's read operands */
    const uint32_t *mask; /* 0 / ~0 per lane: which results are kept */
    const uint32_t *cin;  /* carry-in or select bit per lane, 0 / 1 */
    uint32_t *bits;       /* bit result per lane, 0 / 1: compares and carry-out */
    uint32_t keep;        /* 16-bit results: mask of the old register's bits that stay: 0 or 0xffff0000 */
    unsigned n;           /* lanes: 32 or 64 */
    struct isa_mode mode;
};

#ifdef __clang__
/* loops that do not vectorize are right all the same */
#pragma clang diagnostic ignored "-Wpass-failed"
#define LANE_PRAGMA _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANE_PRAGMA _Pragma("GCC ivdep")
#endif

/* Opens a lane loop over L; the body of the macro user follows as one statement. */
#define LANE_LOOP(L)                                                                                                   \
    enum { ALL_LANES = 0 };                                                                                            \
    const unsigned n = (L)->n & 96;                                                                                    \
    const struct isa_mode mode __attribute__((unused)) = (L)->mode;                                                    \
    uint32_t *const d __attribute__((unused)) = (L)->d;                                                                \
    const uint32_t *const s0 __attribute__((unused)) = (L)->s[0];                                                      \
    const uint32_t *const s1 __attribute__((unused)) = (L)->s[1];                                                      \
    const uint32_t *const s2 __attribute__((unused)) = (L)->s[2];                                                      \
    const uint32_t *const m __attribute__((unused)) = (L)->mask;                                                       \
    const uint32_t *const cin __attribute__((unused)) = (L)->cin;                                                      \
    uint32_t *const bits __attribute__((unused)) = (L)->bits;                                                          \
    const uint32_t keep __attribute__((unused)) = (L)->keep;                                                           \
    LANE_PRAGMA                                                                                                        \
    for (unsigned i = 0; i < n; i++)

/* Opens the same loop for a wave of 32 lanes that are all active (isa_whole): sources and results in place, carries
 * packed into the bits of `carries` and results of one bit into the array `bits`. */
#define WHOLE_PARAMS                                                                                                   \
    uint32_t *const d __attribute__((unused)), const uint32_t *const s0 __attribute__((unused)),                       \
        const uint32_t *const s1 __attribute__((unused)), const uint32_t *const s2 __attribute__((unused)),            \
        const struct isa_mode *the_mode __attribute__((unused)), uint32_t carries __attribute__((unused))
#define WHOLE_LOOP                                                                                                     \
    enum { ALL_LANES = 1, n = 32 };                                                                                    \
    struct isa_mode mode __attribute__((unused)) = *the_mode;                                                          \
    mode.clamp = false, mode.neg = 0; /* none with modifiers come here */                                              \
    const uint32_t keep __attribute__((unused)) = 0xffff0000u, *const m __attribute__((unused)) = NULL;                \
    _Alignas(64) uint32_t cin[32] __attribute__((unused));                                                             \
    for (unsigned i = 0; i < 32; i++)                                                                                  \
        cin[i] = carries & lane_bit[i] ? 1 : 0;                                                                        \
    LANE_PRAGMA                                                                                                        \
    for (unsigned i = 0; i < 32; i++)

/* a bit per lane; tested against a table because the compilers do not vectorize the shift by the index */
#define EIGHT_BITS(k) 1u << (k), 2u << (k), 4u << (k), 8u << (k), 16u << (k), 32u << (k), 64u << (k), 128u << (k)
static const _Alignas(64) uint32_t lane_bit[32] = {EIGHT_BITS(0), EIGHT_BITS(8), EIGHT_BITS(16), EIGHT_BITS(24)};

/* Bit 0 of each word of a row, packed. */
#if defined(__AVX512F__)
static inline uint64_t pack_lanes(const uint32_t *row, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i += 16)
        bits |= (uint64_t)_mm512_test_epi32_mask(_mm512_load_si512(row + i), _mm512_set1_epi32(1)) << i;
    return bits;
}
#elif defined(__AVX2__)
static inline uint64_t pack_lanes(const uint32_t *row, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i += 8) {
        __m256i v = _mm256_slli_epi32(_mm256_load_si256((const __m256i *)(row + i)), 31);
        bits |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(v)) << i;
    }
    return bits;
}
#else
static inline uint64_t pack_lanes(const uint32_t *row, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= (uint64_t)(row[i] & 1) << i;
    return bits;
}
#endif

static inline float as_f32(uint32_t v)
{
    union {
        uint32_t u;
        float f;
    } x = {.u = v};
    return x.f;
}

static inline uint32_t bits_f32(float v)
{
    union {
        float f;
        uint32_t u;
    } x = {.f = v};
    return x.u;
}

static inline double as_f64(uint64_t v)
{
    union {
        uint64_t u;
        double f;
    } x = {.u = v};
    return x.f;
}

static inline uint64_t bits_f64(double v)
{
    union {
        double f;
        uint64_t u;
    } x = {.f = v};
    return x.u;
}

/* C types of a lane's value by operand type. Half floats stay bits; isa/lanes/fp.h computes on them. */
typedef uint16_t half_t;
#define L_B16    uint16_t
#define L_U16    uint16_t
#define L_I16    int16_t
#define L_F16    half_t
#define L_BF16   uint16_t
#define L_B32    uint32_t
#define L_U32    uint32_t
#define L_I32    int32_t
#define L_F32    float
#define L_PF16   uint32_t
#define L_PF16B  uint32_t
#define L_PB16   uint32_t
#define L_PBF16  uint32_t
#define L_PBF16B uint32_t
#define L_MIX    float
#define L_MIXB   float
#define L_B64    uint64_t
#define L_U64    uint64_t
#define L_I64    int64_t
#define L_F64    double
#define L_PF32   uint64_t
#define L_PB32   uint64_t

#define GET64(p)      ((uint64_t)(p)[i] | (uint64_t)(p)[i + n] << 32)
#define GET_B16(p)    ((uint16_t)(p)[i])
#define GET_U16(p)    ((uint16_t)(p)[i])
#define GET_I16(p)    ((int16_t)(p)[i])
#define GET_F16(p)    ((half_t)(p)[i])
#define GET_BF16(p)   ((uint16_t)(p)[i])
#define GET_B32(p)    ((p)[i])
#define GET_U32(p)    ((p)[i])
#define GET_I32(p)    ((int32_t)(p)[i])
#define GET_F32(p)    as_f32((p)[i])
#define GET_PF16(p)   ((p)[i])
#define GET_PF16B(p)  ((p)[i])
#define GET_PB16(p)   ((p)[i])
#define GET_PBF16(p)  ((p)[i])
#define GET_PBF16B(p) ((p)[i])
#define GET_MIX(p)    as_f32((p)[i])
#define GET_MIXB(p)   as_f32((p)[i])
#define GET_B64(p)    GET64(p)
#define GET_U64(p)    GET64(p)
#define GET_I64(p)    ((int64_t)GET64(p))
#define GET_F64(p)    as_f64(GET64(p))
#define GET_PF32(p)   GET64(p)
#define GET_PB32(p)   GET64(p)

#define BLEND(dst, val) ((dst) = ALL_LANES ? (val) : ((val)&m[i]) | ((dst) & ~m[i]))
#define PUT32(v)                                                                                                       \
    do {                                                                                                               \
        uint32_t put_ = (v);                                                                                           \
        BLEND(d[i], put_);                                                                                             \
    } while (0)
#define PUT16(v)                                                                                                       \
    do {                                                                                                               \
        uint32_t put_ = (uint16_t)(v) | (d[i] & keep);                                                                 \
        BLEND(d[i], put_);                                                                                             \
    } while (0)
#define PUT64(v)                                                                                                       \
    do {                                                                                                               \
        uint64_t put_ = (v);                                                                                           \
        BLEND(d[i], (uint32_t)put_);                                                                                   \
        BLEND(d[i + n], (uint32_t)(put_ >> 32));                                                                       \
    } while (0)
#define PUT_B16(v)   PUT16(v)
#define PUT_U16(v)   PUT16(v)
#define PUT_I16(v)   PUT16(v)
#define PUT_F16(v)   PUT16(v)
#define PUT_BF16(v)  PUT16(v)
#define PUT_B32(v)   PUT32(v)
#define PUT_U32(v)   PUT32(v)
#define PUT_I32(v)   PUT32((uint32_t)(v))
#define PUT_F32(v)   PUT32(bits_f32(v))
#define PUT_PF16(v)  PUT32(v)
#define PUT_PB16(v)  PUT32(v)
#define PUT_PBF16(v) PUT32(v)
#define PUT_B64(v)   PUT64(v)
#define PUT_U64(v)   PUT64(v)
#define PUT_I64(v)   PUT64((uint64_t)(v))
#define PUT_F64(v)   PUT64(bits_f64(v))
#define PUT_PF32(v)  PUT64(v)
#define PUT_PB32(v)  PUT64(v)

#endif
