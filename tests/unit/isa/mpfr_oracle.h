/* Binary floating-point formats over MPFR: what a real number is when rounded once to f16, bf16, f32 or f64, in any
 * rounding mode, with or without denormals, and how far from it a result is. Shares no code with isa/.
 *
 * Numbers come as bits in the low end of 64. A number that the caller could not compute exactly is passed on with
 * oracle_sticky(), which keeps it off ties and representable numbers, so that rounding it is as rounding the exact one.
 */
#ifndef GCNSIM_TESTS_ISA_MPFR_ORACLE_H
#define GCNSIM_TESTS_ISA_MPFR_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpfr.h>

struct fp_format {
    const char *name;
    unsigned bits, mant;
    int bias;
};

/* enough for exact differences of results and references within a few units, and for sticky bits */
enum { ORACLE_PRECISION = 128 };

/* MODE's encoding of rounding */
enum oracle_round { ROUND_EVEN, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

static const struct fp_format f16_format = {"f16", 16, 10, 15}, f32_format = {"f32", 32, 23, 127},
                              f64_format = {"f64", 64, 52, 1023}, bf16_format = {"bf16", 16, 7, 127};

static inline uint64_t fp_sign_bit(const struct fp_format *f)
{
    return UINT64_C(1) << (f->bits - 1);
}
static inline uint64_t fp_infinity(const struct fp_format *f)
{
    return (fp_sign_bit(f) - 1) >> f->mant << f->mant;
}
static inline uint64_t fp_magnitude(const struct fp_format *f, uint64_t bits)
{
    return bits & (fp_sign_bit(f) - 1);
}
static inline bool fp_is_nan(const struct fp_format *f, uint64_t bits)
{
    return fp_magnitude(f, bits) > fp_infinity(f);
}
static inline bool fp_is_denormal(const struct fp_format *f, uint64_t bits)
{
    uint64_t mag = fp_magnitude(f, bits);
    return mag != 0 && mag >> f->mant == 0;
}
static inline uint64_t fp_quiet(const struct fp_format *f, uint64_t nan)
{
    return nan | UINT64_C(1) << (f->mant - 1);
}
/* a denormal becomes the zero of its sign */
static inline uint64_t fp_flush(const struct fp_format *f, uint64_t bits)
{
    return fp_is_denormal(f, bits) ? bits & fp_sign_bit(f) : bits;
}

/* For a number or an infinity; exact. */
static inline void oracle_from_bits(mpfr_t x, const struct fp_format *f, uint64_t bits)
{
    uint64_t mag = fp_magnitude(f, bits), frac = mag & ((UINT64_C(1) << f->mant) - 1);
    int e = (int)(mag >> f->mant);
    int sign = bits & fp_sign_bit(f) ? -1 : 1;

    if (mag == fp_infinity(f)) {
        mpfr_set_inf(x, sign);
        return;
    }
    if (mag == 0) {
        mpfr_set_zero(x, sign);
        return;
    }
    frac |= (uint64_t)(e != 0) << f->mant;
    mpfr_set_ui_2exp(x, frac, (e ? e : 1) - f->bias - (int)f->mant, MPFR_RNDN);
    mpfr_setsign(x, x, sign < 0, MPFR_RNDN);
}

/* y was rounded towards zero with the given ternary value: puts half a unit in the last place after it if that was
 * not exact. The precision of y must be larger than that of the format by three bits or more. */
static inline void oracle_sticky(mpfr_t y, int ternary)
{
    if (ternary == 0 || !mpfr_regular_p(y))
        return;
    mpfr_exp_t e = mpfr_get_exp(y);
    mpfr_t more;
    mpfr_init2(more, 2);
    mpfr_set_ui_2exp(more, 1, e - mpfr_get_prec(y) - 1, MPFR_RNDN);
    mpfr_setsign(more, more, mpfr_signbit(y), MPFR_RNDN);
    mpfr_prec_round(y, mpfr_get_prec(y) + 1, MPFR_RNDN);
    mpfr_add(y, y, more, MPFR_RNDZ);
    mpfr_clear(more);
}

/* The exponent of the last place of the format at y. */
static inline mpfr_exp_t oracle_last_place(const struct fp_format *f, const mpfr_t y)
{
    mpfr_exp_t e = mpfr_get_exp(y) - 1, least = 1 - f->bias;
    return (e < least ? least : e) - (mpfr_exp_t)f->mant;
}

/* A real number or an infinity, rounded once. `finite`: what overflows is the largest number (FP16_OVFL). */
static inline uint64_t oracle_to_bits(const struct fp_format *f, const mpfr_t y, enum oracle_round round, bool finite)
{
    static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
    uint64_t sign = mpfr_signbit(y) ? fp_sign_bit(f) : 0, inf = fp_infinity(f), whole;
    mpfr_t scaled;

    if (mpfr_zero_p(y))
        return sign;
    if (mpfr_inf_p(y))
        return sign | inf;
    mpfr_exp_t last = oracle_last_place(f, y);
    mpfr_init2(scaled, mpfr_get_prec(y));
    mpfr_mul_2si(scaled, y, -last, MPFR_RNDN);
    mpfr_rint(scaled, scaled, modes[round]);
    mpfr_abs(scaled, scaled, MPFR_RNDN);
    whole = mpfr_get_ui(scaled, MPFR_RNDN);
    mpfr_clear(scaled);
    if (whole >> (f->mant + 1)) { /* rounded up to the next power of two */
        whole >>= 1;
        last++;
    }
    /* the hidden bit adds one to the exponent field where there is one */
    int64_t field = last + (int64_t)f->mant + f->bias - 1;
    uint64_t mag = field >= (int64_t)(inf >> f->mant) ? inf : ((uint64_t)field << f->mant) + whole;
    if (mag >= inf) {
        bool stops = round == ROUND_ZERO || round == (sign ? ROUND_UP : ROUND_DOWN) || finite;
        mag = stops ? inf - 1 : inf;
    }
    return sign | mag;
}

/* |result - y| in units of the last place at y. Both finite, y not 0. */
static inline double oracle_ulps(const struct fp_format *f, uint64_t result, const mpfr_t y)
{
    mpfr_t r;
    mpfr_init2(r, ORACLE_PRECISION + 64);
    oracle_from_bits(r, f, result);
    mpfr_sub(r, r, y, MPFR_RNDN);
    mpfr_abs(r, r, MPFR_RNDN);
    mpfr_mul_2si(r, r, -oracle_last_place(f, y), MPFR_RNDN);
    double d = mpfr_get_d(r, MPFR_RNDU);
    mpfr_clear(r);
    return d;
}

#endif
