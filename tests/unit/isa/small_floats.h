/* Values of OCP's floats of 8, 6 and 4 bits, worked out from their definition (OCP OFP8 1.0, OCP MX 1.0) in long
 * double, apart from isa/: what tests compare conversions and products of gfx950 with.
 */
#ifndef GCNSIM_TESTS_ISA_SMALL_FLOATS_H
#define GCNSIM_TESTS_ISA_SMALL_FLOATS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct small_format {
    const char *name;
    unsigned bits, exponent, mantissa;
};

/* in the order in which cbsz and blgp count them */
static const struct small_format small_formats[] = {
    {"fp8", 8, 4, 3}, {"bf8", 8, 5, 2}, {"fp6", 6, 2, 3}, {"bf6", 6, 3, 2}, {"fp4", 4, 2, 1}};
/* gfx1250's, of eight bits: there is a place for a sign, which is not stored */
static const struct small_format small_e5m3 __attribute__((unused)) = {"e5m3", 9, 5, 3};
enum { SMALL_FORMATS = sizeof small_formats / sizeof small_formats[0] };

static inline const struct small_format *small_format_named(const char *name)
{
    for (unsigned k = 0; k < SMALL_FORMATS; k++)
        if (!strcmp(small_formats[k].name, name))
            return &small_formats[k];
    return NULL;
}

/* The magnitude of a code without its sign, as if every code were a number. */
static inline long double small_magnitude(const struct small_format *f, unsigned code)
{
    unsigned e = code >> f->mantissa, m = code & ((1u << f->mantissa) - 1);
    int bias = (1 << (f->exponent - 1)) - 1;

    return e ? ldexpl((long double)(m + (1u << f->mantissa)), (int)e - bias - (int)f->mantissa)
             : ldexpl((long double)m, 1 - bias - (int)f->mantissa);
}

/* Codes from here on are no numbers: e4m3 has NaN at 0x7f, e5m3 at 0xff, e5m2 infinity at 0x7c and NaNs above. */
static inline unsigned small_numbers(const struct small_format *f)
{
    return f->bits < 8 ? 1u << (f->bits - 1) : f->mantissa == 3 ? (1u << (f->bits - 1)) - 1 : 0x7c;
}

static inline long double small_value(const struct small_format *f, unsigned code)
{
    unsigned sign = code >> (f->bits - 1) & 1, mag = code & ((1u << (f->bits - 1)) - 1);
    long double v = mag < small_numbers(f)            ? small_magnitude(f, mag)
                    : f->mantissa == 2 && mag == 0x7c ? (long double)INFINITY
                                                      : (long double)NAN;
    return sign ? -v : v;
}

#endif
