/* Floating-point arithmetic of the vector ALU, one lane at a time, written so that lane loops vectorize.
 *
 * NaN: the result is the first NaN operand in source order, made quiet; an invalid operation gives 0x7fc00000 (the
 * host's own default NaN is negative). Denormal flushing is done by operand fetch and write-back (isa/lanes), not
 * here. Directed rounding of f32 and f64 comes from the host's rounding mode, which the driver sets.
 */
#ifndef GCNSIM_ISA_FP_H
#define GCNSIM_ISA_FP_H

#include <math.h>

#include "isa/lanes/lanes.h"

#define QNAN32 0x7fc00000u
#define QNAN64 UINT64_C(0x7ff8000000000000)

static inline bool isnan32(float a)
{
    return a != a; /* one vector compare */
}

static inline bool isnan64(double a)
{
    return a != a;
}

static inline float quiet32(float a)
{
    return as_f32(bits_f32(a) | 0x00400000);
}

static inline double quiet64(double a)
{
    return as_f64(bits_f64(a) | UINT64_C(0x0008000000000000));
}

/* a denormal becomes the zero of its sign */
static inline float ftz32(float a)
{
    uint32_t u = bits_f32(a);
    return as_f32(u & 0x7f800000 ? u : u & 0x80000000u);
}

/* The sign is the operand's: compilers expand floor() for hosts without SSE4.1 so that a zero gets the wrong one when
 * the host rounds down. */
static inline float floor_f32(float a)
{
    return __builtin_copysignf(__builtin_floorf(a), a);
}

static inline double floor_f64(double a)
{
    return __builtin_copysign(__builtin_floor(a), a);
}

/* to the nearest integer, ties to even, whatever rounding mode the host is in: every step is exact */
static inline float rndne_f32(float a)
{
    float t = __builtin_truncf(a), rest = __builtin_fabsf(a - t);
    bool odd = __builtin_truncf(t * 0.5f) * 2.0f != t;
    bool away = (rest > 0.5f) | ((rest == 0.5f) & odd);
    return __builtin_copysignf(__builtin_fabsf(t) + (away ? 1.0f : 0.0f), a);
}

/* r if it is a number, else the NaN the hardware would give for these operands */
static inline float nan1_f32(float r, float a)
{
    uint32_t n = isnan32(a) ? bits_f32(a) : QNAN32;
    return isnan32(r) ? as_f32(n | 0x00400000) : r;
}

static inline float nan2_f32(float r, float a, float b)
{
    uint32_t n = isnan32(b) ? bits_f32(b) : QNAN32;
    n = isnan32(a) ? bits_f32(a) : n;
    return isnan32(r) ? as_f32(n | 0x00400000) : r;
}

static inline float nan3_f32(float r, float a, float b, float c)
{
    uint32_t n = isnan32(c) ? bits_f32(c) : QNAN32;
    n = isnan32(b) ? bits_f32(b) : n;
    n = isnan32(a) ? bits_f32(a) : n;
    return isnan32(r) ? as_f32(n | 0x00400000) : r;
}

/* Whether any of 32 results is not a number, and the row they go to otherwise. */
#if defined(__AVX512F__)
static inline bool any_nan32(const float *r)
{
    return _mm512_cmp_ps_mask(_mm512_load_ps(r), _mm512_load_ps(r + 16), _CMP_UNORD_Q) != 0;
}
#elif defined(__AVX2__)
static inline bool any_nan32(const float *r)
{
    __m256 low = _mm256_cmp_ps(_mm256_load_ps(r), _mm256_load_ps(r + 8), _CMP_UNORD_Q);
    __m256 high = _mm256_cmp_ps(_mm256_load_ps(r + 16), _mm256_load_ps(r + 24), _CMP_UNORD_Q);

    return _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0;
}
#else
static inline bool any_nan32(const float *r)
{
    uint32_t any = 0;

    for (unsigned i = 0; i < 32; i++)
        any |= isnan32(r[i]) ? 1 : 0;
    return any != 0;
}
#endif

/* Whether any of 32 results is not a number or a denormal, or any source is a denormal. */
#if defined(__AVX512F__)
enum { CLASS_DENORMAL = 0x20, CLASS_NAN = 0x81 };

/* pairs of tests, each with a branch: twice as fast as what the compiler makes of an `or` of them all */
#define ANY_OF_CLASS32(ROW, CLASS)                                                                                     \
    (!_kortestz_mask16_u8(_mm512_fpclass_ps_mask(_mm512_loadu_ps(ROW), CLASS),                                         \
                          _mm512_fpclass_ps_mask(_mm512_loadu_ps((ROW) + 16), CLASS)))

static inline bool any_denormal32(const uint32_t *s)
{
    return ANY_OF_CLASS32(s, CLASS_DENORMAL);
}

static inline bool any_odd32(const float *r)
{
    return ANY_OF_CLASS32(r, CLASS_DENORMAL | CLASS_NAN);
}
#else
static inline bool any_denormal32(const uint32_t *s)
{
    uint32_t any = 0;

    for (unsigned i = 0; i < 32; i++)
        any |= ((s[i] & 0x7f800000) == 0) & ((s[i] & 0x7fffff) != 0);
    return any != 0;
}

static inline bool any_odd32(const float *r)
{
    return any_nan32(r) || any_denormal32((const uint32_t *)(const void *)r);
}
#endif

static inline void put_row32(uint32_t *d, const float *r)
{
    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++)
        d[i] = bits_f32(r[i]);
}

static inline double nan1_f64(double r, double a)
{
    uint64_t n = isnan64(a) ? bits_f64(a) : QNAN64;
    return isnan64(r) ? as_f64(n | UINT64_C(0x0008000000000000)) : r;
}

static inline double nan2_f64(double r, double a, double b)
{
    uint64_t n = isnan64(b) ? bits_f64(b) : QNAN64;
    n = isnan64(a) ? bits_f64(a) : n;
    return isnan64(r) ? as_f64(n | UINT64_C(0x0008000000000000)) : r;
}

static inline double nan3_f64(double r, double a, double b, double c)
{
    uint64_t n = isnan64(c) ? bits_f64(c) : QNAN64;
    n = isnan64(b) ? bits_f64(b) : n;
    n = isnan64(a) ? bits_f64(a) : n;
    return isnan64(r) ? as_f64(n | UINT64_C(0x0008000000000000)) : r;
}

static inline float add_f32(float a, float b)
{
    return nan2_f32(a + b, a, b);
}

static inline float sub_f32(float a, float b)
{
    return nan2_f32(a - b, a, b);
}

static inline float mul_f32(float a, float b)
{
    return nan2_f32(a * b, a, b);
}

static inline float fma_f32(float a, float b, float c)
{
    return nan3_f32(__builtin_fmaf(a, b, c), a, b, c);
}

static inline double add_f64(double a, double b)
{
    return nan2_f64(a + b, a, b);
}

static inline double mul_f64(double a, double b)
{
    return nan2_f64(a * b, a, b);
}

static inline double fma_f64(double a, double b, double c)
{
    return nan3_f64(__builtin_fma(a, b, c), a, b, c);
}

/* IEEE 754-2008 minNum/maxNum with -0 < +0 as the ALU orders them. In IEEE mode a signalling NaN operand is
 * returned quiet (RDNA3/CDNA3 ISA, V_MIN_F32); a quiet NaN loses to a number. */
static inline bool issnan32(float a)
{
    return isnan32(a) && !(bits_f32(a) & 0x00400000);
}

static inline bool issnan64(double a)
{
    bool nan = isnan64(a), quiet = bits_f64(a) & UINT64_C(0x0008000000000000);

    return nan & !quiet;
}

/* a below b in the total order of numbers (-0 < +0) */
static inline bool below32(float a, float b)
{
    return a < b || (a == b && (bits_f32(a) >> 31) > (bits_f32(b) >> 31));
}

static inline bool below64(double a, double b)
{
    return (a < b) | ((a == b) & ((bits_f64(a) >> 63) > (bits_f64(b) >> 63)));
}

static inline float min_f32(float a, float b, bool ieee)
{
    float r = below32(a, b) ? a : b;
    r = isnan32(a) ? b : r;
    r = isnan32(b) ? (isnan32(a) ? quiet32(a) : a) : r;
    r = ieee && issnan32(b) ? quiet32(b) : r;
    return ieee && issnan32(a) ? quiet32(a) : r;
}

static inline float max_f32(float a, float b, bool ieee)
{
    float r = below32(a, b) ? b : a;
    r = isnan32(a) ? b : r;
    r = isnan32(b) ? (isnan32(a) ? quiet32(a) : a) : r;
    r = ieee && issnan32(b) ? quiet32(b) : r;
    return ieee && issnan32(a) ? quiet32(a) : r;
}

static inline double min_f64(double a, double b, bool ieee)
{
    double r = below64(a, b) ? a : b;
    r = isnan64(a) ? b : r;
    r = isnan64(b) ? (isnan64(a) ? quiet64(a) : a) : r;
    r = ieee && issnan64(b) ? quiet64(b) : r;
    return ieee && issnan64(a) ? quiet64(a) : r;
}

static inline double max_f64(double a, double b, bool ieee)
{
    double r = below64(a, b) ? b : a;
    r = isnan64(a) ? b : r;
    r = isnan64(b) ? (isnan64(a) ? quiet64(a) : a) : r;
    r = ieee && issnan64(b) ? quiet64(b) : r;
    return ieee && issnan64(a) ? quiet64(a) : r;
}

/* --- half precision: exact conversions on bits, any rounding mode (0 even, 1 up, 2 down, 3 zero) ------------- */

static inline float half_to_f32(half_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, mag = h & 0x7fff;
    /* normal, infinity and NaN: move the exponent; denormal: an exact float multiply */
    uint32_t norm = (mag << 13) + (mag >= 0x7c00 ? 0x70000000u : 0x38000000u);
    uint32_t sub = bits_f32((float)(int32_t)mag * 0x1p-24f);
    return as_f32(sign | (mag < 0x400 ? sub : norm));
}

/* Rounds a float to half, without branches so that lane loops vectorize; they do not around a call, which the compiler
 * prefers where it finds too many uses. ovfl_clamp: 1 where MODE's FP16_OVFL applies. */
static inline __attribute__((always_inline)) half_t half_from_f32(float x, unsigned round, uint32_t ovfl_clamp)
{
    uint32_t u = bits_f32(x), sign = u >> 16 & 0x8000, mag = u & 0x7fffffff, neg = sign >> 15;
    int32_t exp = (int32_t)(mag >> 23) - 127;
    uint32_t frac = (mag & 0x7fffff) | 0x800000;
    /* shift so that one unit is the half's last place; floats below the denormal halves are all `rest` */
    uint32_t shift = (uint32_t)(exp >= -14 ? 13 : exp < -26 ? 25 : -1 - exp);
    frac = exp < -26 ? mag != 0 : frac;
    uint32_t keep = frac >> shift, rest = frac & ((1u << shift) - 1), halfway = 1u << (shift - 1);
    uint32_t nearest = round == 0, outward = (round == 1) & (neg ^ 1), inward = (round == 2) & neg;
    uint32_t up = (nearest & ((rest > halfway) | ((rest == halfway) & keep))) | ((rest != 0) & (outward | inward));
    uint32_t bits = keep + up + (exp >= -14 ? (uint32_t)(exp + 14) << 10 : 0);
    /* overflow: infinity, or the largest number when rounding looks the other way */
    uint32_t over = 0x7bff + ((nearest | outward | inward) & (ovfl_clamp ^ 1));
    bits = bits >= 0x7c00 ? over : bits;
    bits = mag == 0x7f800000 ? 0x7c00 : bits;
    bits = mag > 0x7f800000 ? 0x7e00 | (mag >> 13 & 0x3ff) : bits;
    return (half_t)(sign | bits);
}

/* A double cut to a float with the lowest bit set when anything was cut: rounding that to half rounds once. */
static inline float odd_f32(double x)
{
    const int64_t inf = INT64_C(0x7ff0000000000000), top = 0x7f7fffff;
    int64_t u = (int64_t)bits_f64(x), mag = u & INT64_MAX, sign = u >> 32 & 0x80000000;
    int64_t cut = ((u & 0x1fffffff) + 0x1fffffff) >> 29, some = (int64_t)(((uint64_t)mag + INT64_MAX) >> 63);
    /* rebias; outside a float's range only the order matters */
    int64_t r = (mag >> 29) - (INT64_C(896) << 23);
    int64_t high = top + (int64_t)((uint64_t)(inf - 1 - mag) >> 63) + (int64_t)((uint64_t)(inf - mag) >> 63);
    r = r < 0x800000 ? some : r | cut;
    r = r > top ? high : r;
    return as_f32((uint32_t)(sign | r));
}

static inline half_t half_from_f64(double x, unsigned round, uint32_t ovfl_clamp)
{
    return half_from_f32(odd_f32(x), round, ovfl_clamp);
}

static inline bool isnan16(half_t a)
{
    return (a & 0x7fff) > 0x7c00;
}

static inline half_t nan2_f16(half_t r, half_t a, half_t b)
{
    half_t n = isnan16(b) ? b | 0x200 : 0x7e00;
    n = isnan16(a) ? a | 0x200 : n;
    return isnan16(r) ? n : r;
}

static inline half_t nan3_f16(half_t r, half_t a, half_t b, half_t c)
{
    half_t n = isnan16(c) ? c | 0x200 : 0x7e00;
    n = isnan16(b) ? b | 0x200 : n;
    n = isnan16(a) ? a | 0x200 : n;
    return isnan16(r) ? n : r;
}

/* FP16_OVFL holds results at the largest number, but not those of infinite operands: 1 when it applies */
static inline uint32_t ovfl_f16(half_t a, half_t b, half_t c, struct isa_mode m)
{
    uint32_t inf = ((a & 0x7fffu) + 0x400) | ((b & 0x7fffu) + 0x400) | ((c & 0x7fffu) + 0x400);
    return m.fp16_ovfl & ~(inf >> 15) & 1;
}

/* A float holds products of halves exactly, and sums well enough (24 >= 2 * 11 + 2 bits) that rounding them again to
 * half is as good as rounding once. */
static inline half_t add_f16(half_t a, half_t b, struct isa_mode m)
{
    float r = half_to_f32(a) + half_to_f32(b);
    return nan2_f16(half_from_f32(r, m.round64, ovfl_f16(a, b, 0, m)), a, b);
}

static inline half_t mul_f16(half_t a, half_t b, struct isa_mode m)
{
    float r = half_to_f32(a) * half_to_f32(b);
    return nan2_f16(half_from_f32(r, m.round64, ovfl_f16(a, b, 0, m)), a, b);
}

/* The product is exact in a double. Where the sum is not, it is a half plus less than a quarter of its last place. */
static inline half_t fma_f16(half_t a, half_t b, half_t c, struct isa_mode m)
{
    double r = __builtin_fma((double)half_to_f32(a), (double)half_to_f32(b), (double)half_to_f32(c));
    return nan3_f16(half_from_f64(r, m.round64, ovfl_f16(a, b, c, m)), a, b, c);
}

#endif
