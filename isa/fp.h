/* Floating-point arithmetic of the vector ALU, one lane at a time, written so that lane loops vectorize.
 *
 * NaN: the result is the first NaN operand in source order, made quiet; an invalid operation gives 0x7fc00000 (the
 * host's own default NaN is negative). Denormal flushing is done by operand fetch and write-back (isa/lanes), not
 * here. Directed rounding of f32 and f64 comes from the host's rounding mode, which the driver sets.
 */
#ifndef GCNSIM_ISA_FP_H
#define GCNSIM_ISA_FP_H

#include <math.h>

#include "isa/lanes.h"

#define QNAN32 0x7fc00000u
#define QNAN64 UINT64_C(0x7ff8000000000000)

static inline bool isnan32(float a)
{
    return (bits_f32(a) & 0x7fffffff) > 0x7f800000;
}

static inline bool isnan64(double a)
{
    return (bits_f64(a) & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
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
    uint32_t n = isnan32(a) ? bits_f32(a) | 0x00400000 : QNAN32;
    return isnan32(r) ? as_f32(n) : r;
}

static inline float nan2_f32(float r, float a, float b)
{
    uint32_t n = isnan32(b) ? bits_f32(b) | 0x00400000 : QNAN32;
    n = isnan32(a) ? bits_f32(a) | 0x00400000 : n;
    return isnan32(r) ? as_f32(n) : r;
}

static inline float nan3_f32(float r, float a, float b, float c)
{
    uint32_t n = isnan32(c) ? bits_f32(c) | 0x00400000 : QNAN32;
    n = isnan32(b) ? bits_f32(b) | 0x00400000 : n;
    n = isnan32(a) ? bits_f32(a) | 0x00400000 : n;
    return isnan32(r) ? as_f32(n) : r;
}

static inline double nan1_f64(double r, double a)
{
    uint64_t n = isnan64(a) ? bits_f64(a) | UINT64_C(0x0008000000000000) : QNAN64;
    return isnan64(r) ? as_f64(n) : r;
}

static inline double nan2_f64(double r, double a, double b)
{
    uint64_t n = isnan64(b) ? bits_f64(b) | UINT64_C(0x0008000000000000) : QNAN64;
    n = isnan64(a) ? bits_f64(a) | UINT64_C(0x0008000000000000) : n;
    return isnan64(r) ? as_f64(n) : r;
}

static inline double nan3_f64(double r, double a, double b, double c)
{
    uint64_t n = isnan64(c) ? bits_f64(c) | UINT64_C(0x0008000000000000) : QNAN64;
    n = isnan64(b) ? bits_f64(b) | UINT64_C(0x0008000000000000) : n;
    n = isnan64(a) ? bits_f64(a) | UINT64_C(0x0008000000000000) : n;
    return isnan64(r) ? as_f64(n) : r;
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
    return isnan64(a) && !(bits_f64(a) & UINT64_C(0x0008000000000000));
}

/* a below b in the total order of numbers (-0 < +0) */
static inline bool below32(float a, float b)
{
    return a < b || (a == b && (bits_f32(a) >> 31) > (bits_f32(b) >> 31));
}

static inline bool below64(double a, double b)
{
    return a < b || (a == b && (bits_f64(a) >> 63) > (bits_f64(b) >> 63));
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

/* Rounds a double to half. Doubles hold every product and sum of halves well enough that this is the only rounding
 * that matters (see docs/SEMANTICS_NOTES.md). */
static inline half_t half_from_f64(double x, unsigned round, bool ovfl_clamp)
{
    uint64_t u = bits_f64(x), mag = u & UINT64_C(0x7fffffffffffffff);
    uint32_t sign = (uint32_t)(u >> 48) & 0x8000;
    int32_t exp = (int32_t)(mag >> 52) - 1023;
    uint64_t frac = (mag & UINT64_C(0xfffffffffffff)) | (mag >> 52 ? UINT64_C(1) << 52 : 0);
    uint32_t over_inf = ovfl_clamp ? 0x7bff : 0x7c00;

    if (mag > UINT64_C(0x7ff0000000000000))
        return (half_t)(sign | 0x7e00 | (uint32_t)(mag >> 42 & 0x3ff));
    if (mag == UINT64_C(0x7ff0000000000000))
        return (half_t)(sign | 0x7c00);
    /* shift so that one unit is the half's last place */
    int32_t shift = exp >= -14 ? 42 : 42 + (-14 - exp);
    if (shift > 63)
        shift = 63;
    uint64_t keep = frac >> shift, rest = frac & ((UINT64_C(1) << shift) - 1), halfway = UINT64_C(1) << (shift - 1);
    bool up = round == 0 ? rest > halfway || (rest == halfway && (keep & 1))
                         : rest != 0 && ((round == 1 && !sign) || (round == 2 && sign));
    keep += up;
    uint64_t bits = exp >= -14 ? keep + ((uint64_t)(exp + 14) << 10) : keep;
    if (bits >= 0x7c00) /* overflow: infinity, or the largest number when rounding looks the other way */
        bits = round == 0 || (round == 1 && !sign) || (round == 2 && sign) ? over_inf : 0x7bff;
    return (half_t)(sign | (uint32_t)bits);
}

static inline half_t half_from_f32(float x, unsigned round, bool ovfl_clamp)
{
    return half_from_f64((double)x, round, ovfl_clamp);
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

static inline half_t add_f16(half_t a, half_t b, struct isa_mode m)
{
    double r = (double)half_to_f32(a) + (double)half_to_f32(b);
    return nan2_f16(half_from_f64(r, m.round64, m.fp16_ovfl && (a & 0x7fff) < 0x7c00 && (b & 0x7fff) < 0x7c00), a, b);
}

static inline half_t mul_f16(half_t a, half_t b, struct isa_mode m)
{
    double r = (double)half_to_f32(a) * (double)half_to_f32(b);
    return nan2_f16(half_from_f64(r, m.round64, m.fp16_ovfl && (a & 0x7fff) < 0x7c00 && (b & 0x7fff) < 0x7c00), a, b);
}

static inline half_t fma_f16(half_t a, half_t b, half_t c, struct isa_mode m)
{
    double r = __builtin_fma((double)half_to_f32(a), (double)half_to_f32(b), (double)half_to_f32(c));
    return nan3_f16(half_from_f64(r, m.round64, m.fp16_ovfl && isfinite(r)), a, b, c);
}

#endif
