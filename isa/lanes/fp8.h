/* Floats of 8 bits and fewer: OCP's (fp8 is e4m3 without infinities, bf8 is e5m2 as IEEE), gfx942's "fnuz" ones, whose
 * bias is one more, which have no infinity and no -0, and whose one NaN is 0x80, and gfx950's of 6 and 4 bits (fp6 is
 * e2m3, bf6 e3m2, fp4 e2m1), which have numbers alone. (OCP OFP8 rev. 1.0, OCP MX 1.0; CDNA3 and CDNA4 ISA)
 * gfx1250's e5m3 is eight bits without a sign, with a NaN, 0xff, and no infinity: as if of nine bits whose sign is not
 * kept.
 */
#ifndef GCNSIM_ISA_FP8_H
#define GCNSIM_ISA_FP8_H

#include "isa/lanes/fp.h"

struct fp8 {
    int bits, mant, bias; /* all of them; fraction bits; exponent bias */
    bool fnuz;
};
static const struct fp8 fp8_ocp = {8, 3, 7, false}, bf8_ocp = {8, 2, 15, false};
static const struct fp8 fp8_fnuz = {8, 3, 8, true}, bf8_fnuz = {8, 2, 16, true};
static const struct fp8 fp6_ocp = {6, 3, 1, false}, bf6_ocp = {6, 2, 3, false}, fp4_ocp = {4, 1, 1, false};
static const struct fp8 fp8_e5m3 = {9, 3, 15, false};

/* Bits of `v` above the format's own do not matter. Without branches, so that lane loops vectorize. */
static inline __attribute__((always_inline)) float from_fp8(struct fp8 f, uint32_t v)
{
    uint32_t all = (1u << (f.bits - 1)) - 1, sign = f.bits > 8 ? 0 : v >> (f.bits - 1) << 31, mag = v & all;
    /* the fields moved into a float's place, and the power of two between the biases: exact, denormals included */
    float r = as_f32(mag << (23 - f.mant)) * as_f32((uint32_t)(254 - f.bias) << 23);
    uint32_t bits = bits_f32(r) | sign;

    if (f.fnuz)
        bits = mag == 0 && sign ? QNAN32 : bits;
    else if (f.bits == 8 && f.mant == 2)
        bits = mag > 0x7c ? QNAN32 : mag == 0x7c ? sign | 0x7f800000 : bits;
    else if (f.bits >= 8)
        bits = mag == all ? QNAN32 : bits;
    return as_f32(bits);
}

/* The number nearest to `a`, of two the even one; or, with a fraction from 0 to 1, the last place's fraction added and
 * what is then below the last place cut off. A value too large becomes the largest number with `saturate` or in a
 * format that has nothing else, and so does a NaN there; else an infinity or NaN. */
static inline uint32_t narrow_fp8(struct fp8 f, double a, bool saturate, double fraction)
{
    uint32_t all = (1u << (f.bits - 1)) - 1;
    uint32_t sign = f.bits > 8 ? 0 : (uint32_t)(bits_f64(a) >> 63) << (f.bits - 1);
    uint64_t mag = bits_f64(a) & (UINT64_MAX >> 1);
    bool numbers = f.bits < 8, ieee = !numbers && !f.fnuz && f.mant == 2;
    uint32_t largest = f.fnuz || numbers ? all : f.mant == 3 ? all - 1 : 0x7b;
    uint32_t nan = f.fnuz ? 0x80 : sign | all, over = saturate || numbers ? sign | largest : ieee ? sign | 0x7c : nan;

    if (mag > UINT64_C(0x7ff) << 52)
        return nan;
    if (mag == UINT64_C(0x7ff) << 52)
        return over;
    /* in units of the last place, which does not shrink below the smallest normal number's */
    int exp = (int)(mag >> 52) - 1023, least = 1 - f.bias, unit = (exp < least ? least : exp) - f.mant;
    double steps = ldexp(as_f64(mag), -unit);
    uint32_t r = (uint32_t)(fraction < 0 ? __builtin_roundeven(steps) : steps + fraction);
    if (exp >= least)
        r += (uint32_t)(exp - least) << f.mant;
    if (r > largest)
        return over;
    return f.fnuz && r == 0 ? 0 : sign | r;
}

/* The number's code without its sign, of a positive one's bits as a float, which small_range() holds. Random: `more`,
 * in units of 2^-(23 - mant) of the last place, is added, and what is below the last place is cut off. */
static inline __attribute__((always_inline)) uint32_t code_fp8(struct fp8 f, uint32_t y, bool random, uint32_t more)
{
    const uint32_t which = random ? UINT32_MAX : 0;        /* a mask, or the compiler does not vectorize */
    const uint32_t least = (uint32_t)(128 - f.bias) << 23; /* the least normal number's exponent */
    uint32_t own = y & 0x7f800000, e = own < least ? least : own, magic = e + ((uint32_t)(23 - f.mant) << 23);
    /* the sum's last place is that of the result */
    uint32_t near = bits_f32(as_f32(y) + as_f32(magic)) - magic;
    uint32_t cut = ((((y & 0x7fffff) | 0x800000) >> ((e - own) >> 23)) + more) >> (23 - f.mant);

    return ((cut & which) | (near & ~which)) + ((e - least) >> (23 - f.mant));
}

/* What is larger than 2^18 is too large for all formats; what is below 2^-31 of the least normal number is nothing. */
static inline __attribute__((always_inline)) uint32_t small_range(struct fp8 f, uint32_t magnitude)
{
    const uint32_t low = (uint32_t)(128 - f.bias - 31) << 23, high = 145u << 23;
    uint32_t most = magnitude > high ? high : magnitude;

    return most < low ? low : most;
}

/* A code as narrow_fp8() gives it for `a`, of which only the sign counts and whether it is a number. */
static inline __attribute__((always_inline)) uint32_t signed_fp8(struct fp8 f, uint32_t code, uint32_t a, bool saturate)
{
    const uint32_t all = (1u << (f.bits - 1)) - 1;
    const bool numbers = f.bits < 8, ieee = !numbers && !f.fnuz && f.mant == 2;
    const uint32_t largest = f.fnuz || numbers ? all : f.mant == 3 ? all - 1 : 0x7b;
    const uint32_t hold = saturate || numbers ? UINT32_MAX : 0; /* a mask, or the compiler does not vectorize */
    uint32_t sign = f.bits > 8 ? 0 : a >> 31 << (f.bits - 1), nan = f.fnuz ? 0x80 : sign | all;
    uint32_t over = ((sign | largest) & hold) | ((ieee ? sign | 0x7c : nan) & ~hold);
    uint32_t number = f.fnuz && code == 0 ? 0 : sign | code;

    number = code > largest ? over : number;
    return (a & 0x7fffffff) > 0x7f800000 ? nan : number;
}

/* narrow_fp8() of a float, to the nearest number, without branches so that lane loops vectorize. */
static inline __attribute__((always_inline)) uint32_t nearest_fp8(struct fp8 f, float a, bool saturate)
{
    uint32_t u = bits_f32(a);

    return signed_fp8(f, code_fp8(f, small_range(f, u & 0x7fffffff), false, 0), u, saturate);
}

#endif
