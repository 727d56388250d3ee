/* What tests of conversions with a scale (test_scaled.c, test_gfx1250_cvt.c) share: the nearest number of a wide
 * format, the code of a small one found by a search through all of its values (small_floats.h), in long double, and
 * what an instruction does, read from its name, which tests/golden compares with LLVM's.
 */
#ifndef GCNSIM_TESTS_ISA_SCALED_NUMBERS_H
#define GCNSIM_TESTS_ISA_SCALED_NUMBERS_H

#include "isa/lanes/fp.h"
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/small_floats.h"

enum { BLOCK = 32 };

static inline uint32_t rnd(void)
{
    static uint64_t rng = 1;

    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 32);
}

/* --- the wide formats --------------------------------------------------------------------------------------------- */

struct wide {
    const char *name;
    unsigned bits, mantissa;
    int least; /* exponent of the smallest normal number */
};
static const struct wide wides[] = {{"f32", 32, 23, -126}, {"f16", 16, 10, -14}, {"bf16", 16, 7, -126}};

static inline const struct wide *wide_named(const char *name)
{
    for (unsigned k = 0; k < 3; k++)
        if (!strcmp(wides[k].name, name))
            return &wides[k];
    return NULL;
}

static inline long double wide_value(const struct wide *w, uint32_t v)
{
    uint32_t fraction = v & ((1u << w->mantissa) - 1), sign = v >> (w->bits - 1) & 1;
    const int fields = 1 << (w->bits - 1 - w->mantissa);
    int field = (int)(v >> w->mantissa & (uint32_t)(fields - 1));
    long double r;

    if (field == fields - 1)
        r = fraction ? (long double)NAN : (long double)INFINITY;
    else if (field)
        r = ldexpl((long double)(fraction + (1u << w->mantissa)), field - 1 + w->least - (int)w->mantissa);
    else
        r = ldexpl((long double)fraction, w->least - (int)w->mantissa);
    return sign ? -r : r;
}

/* Whether `got` is the number of the format nearest to x. */
static inline bool is_nearest(const struct wide *w, uint32_t got, long double x)
{
    long double v = wide_value(w, got);
    uint32_t sign = 1u << (w->bits - 1);

    if (isnan(x) || isnan(v))
        return isnan(x) && isnan(v);
    if (signbit(x) != signbit(v))
        return false;
    if (isinf(v)) { /* from half a step above the largest number on */
        long double largest = wide_value(w, (got & ~sign) - 1), before = wide_value(w, (got & ~sign) - 2);
        return isinf(x) || fabsl(x) >= largest + (largest - before) / 2;
    }
    uint32_t mag = got & ~sign;
    long double here = fabsl(v), above = wide_value(w, mag + 1), off = fabsl(x) - here;
    long double up = isinf(above) ? here - wide_value(w, mag - 1) : above - here;
    long double down = mag ? here - wide_value(w, mag - 1) : 0;
    bool even = !(got & 1);
    return off > 0 ? off < up / 2 || (even && off == up / 2)
                   : -off < down / 2 || (even && -off == down / 2) || off == 0;
}

/* --- the small formats -------------------------------------------------------------------------------------------- */

/* The code that x becomes. random < 0: of two the nearer one, of equal ones the even one; else the fraction of a step
 * that is added before cutting. */
static inline unsigned narrowed(const struct small_format *f, long double x, long double random, bool saturate)
{
    unsigned sign = signbit(x) ? 1u << (f->bits - 1) : 0, all = (1u << (f->bits - 1)) - 1, n = small_numbers(f), k = 0;
    long double mag = fabsl(x);
    unsigned over = f->bits < 8 || saturate ? n - 1 : f->mantissa == 2 ? 0x7c : all;

    if (isnan(x))
        return sign | all;
    if (mag >= small_magnitude(f, n) && !(f->bits < 8 && n == all + 1))
        return sign | over;
    if (f->bits < 8 && mag >= small_magnitude(f, n - 1))
        return sign | (n - 1);
    while (small_magnitude(f, k + 1) <= mag)
        k++;
    long double low = small_magnitude(f, k), step = small_magnitude(f, k + 1) - low, part = (mag - low) / step;
    if (random >= 0)
        k += part + random >= 1;
    else
        k += part > 0.5L || (part == 0.5L && (k & 1));
    return sign | (k >= n ? over : k);
}

/* --- what the name says ------------------------------------------------------------------------------------------- */

struct conversion {
    const struct small_format *small;
    const struct wide *wide;
    bool narrows, random, turns; /* turns: numbers of two sources in turns */
    unsigned count;
};

static inline void read_name(const char *name, struct conversion *c)
{
    char text[64], *save, *word;
    const char *to = NULL, *from = NULL;

    *c = (struct conversion){.count = 1};
    assert_int_equal(strncmp(name, "v_cvt_scale", 11), 0);
    snprintf(text, sizeof text, "%s", strchr(name + 11, '_'));
    for (word = strtok_r(text, "_", &save); word; word = strtok_r(NULL, "_", &save)) {
        if (!strcmp(word, "sr"))
            c->random = true;
        else if (!strcmp(word, "pk"))
            c->count = 2;
        else if (!strncmp(word, "pk", 2))
            c->count = (unsigned)atoi(word + 2);
        else if (!strcmp(word, "2xpk16"))
            c->count = BLOCK, c->turns = true;
        else if (!to)
            to = word;
        else
            from = word;
    }
    assert_non_null(to);
    assert_non_null(from);
    c->narrows = small_format_named(to) != NULL;
    c->small = small_format_named(c->narrows ? to : from);
    c->wide = wide_named(c->narrows ? from : to);
    assert_non_null(c->small);
    assert_non_null(c->wide);
}

static inline uint32_t bits_at(const uint32_t *words, unsigned at, unsigned bits)
{
    uint32_t v = 0;

    for (unsigned k = 0; k < bits; k++)
        v |= (words[(at + k) / 32] >> (at + k) % 32 & 1) << k;
    return v;
}

/* A number of the wide format: often near what the small one has at that scale. */
static inline uint32_t draw_wide(const struct conversion *c, int scale)
{
    static const uint32_t special[] = {0, 1, 0x7f800000, 0x7fc00000, 0x7f7fffff, 0x00400000, 0x00800000};
    unsigned how = rnd() % 8;

    if (c->wide->bits == 16)
        return rnd() & 0xffff;
    if (how == 0)
        return special[rnd() % 7] | (rnd() & 0x80000000);
    if (how == 1)
        return rnd();
    /* a code, or half way between two, or a bit off that */
    unsigned code = rnd() % small_numbers(c->small);
    long double v = small_magnitude(c->small, code), next = small_magnitude(c->small, code + 1);
    float x = (float)ldexpl(how & 1 ? v : (v + next) / 2, scale - 127);
    uint32_t u = bits_f32(x) + (how < 4 ? rnd() % 3 - 1 : 0);
    return u | (rnd() & 0x80000000);
}

#endif
