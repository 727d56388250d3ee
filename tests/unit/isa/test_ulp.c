/* Transcendental instructions against MPFR: how many units in the last place a result is off, for f16 on all 2^16
 * values, else on every exponent, denormals, corners of the function and random values, with denormals kept and
 * flushed. The bound that the row states (isa_row.ulp) must hold, and so must what isa/insts says of itself; results
 * that are exact by definition (infinities, zeros, invalid operands, multiples of a quarter turn) must be those bits.
 *
 *     GCNSIM_ULP_VALUES=10000000    values per function; 100,000 without it
 *     GCNSIM_ULP_TABLE=FILE         writes the table of docs/SEMANTICS_NOTES.md (`make ulp-doc`)
 */
#include "tests/unit/isa/float_bench.h"

#include "tests/unit/isa/mpfr_program.h"

#ifdef HAVE_MPFR

#include "tests/unit/isa/mpfr_oracle.h"

enum { QUICK_VALUES = 100000, MAX_INSTRUCTIONS = 3, SHORT_RANGE_TURNS = 256 };
enum function { EXP2, LOG2, RCP, RSQ, SQRT, SIN, COS };

struct stat {
    float bound;                 /* isa_row.ulp */
    double worst;                /* units in the last place */
    uint64_t at, count, rounded; /* rounded: correctly, to nearest even */
};

static const struct family {
    enum function fn;
    const struct fp_format *format;
    bool flushes;     /* denormals, whatever MODE says */
    double own;       /* by isa/insts */
    const char *says; /* AMD, after the bound */
    struct {
        const char *target, *mnemonic;
        bool short_range; /* gfx8's sine and cosine */
    } inst[MAX_INSTRUCTIONS];
} families[] = {
#define ONE    ", denormals flushed"
#define HALF   ""
#define DOUBLE ", denormals supported"
#define TURNS  "; full range, denormals supported"
    {EXP2,
     &f32_format,
     true,
     0.5 + 1e-6,
     ONE,
     {{"gfx1100", "v_exp_f32", 0}, {"gfx900", "v_exp_legacy_f32", 0}, {"gfx1200", "v_s_exp_f32", 0}}},
    {LOG2,
     &f32_format,
     true,
     0.5 + 1e-6,
     ONE,
     {{"gfx1100", "v_log_f32", 0}, {"gfx900", "v_log_legacy_f32", 0}, {"gfx1200", "v_s_log_f32", 0}}},
    {RCP,
     &f32_format,
     true,
     0.5,
     ONE,
     {{"gfx942", "v_rcp_f32", 0}, {"gfx1100", "v_rcp_iflag_f32", 0}, {"gfx1200", "v_s_rcp_f32", 0}}},
    {RSQ, &f32_format, true, 0.5 + 1e-6, ONE, {{"gfx90a", "v_rsq_f32", 0}, {"gfx1200", "v_s_rsq_f32", 0}}},
    {SQRT, &f32_format, true, 0.5, ONE, {{"gfx1030", "v_sqrt_f32", 0}, {"gfx1200", "v_s_sqrt_f32", 0}}},
    {SIN, &f32_format, false, 0.5 + 1e-6, TURNS, {{"gfx1100", "v_sin_f32", 0}, {"gfx803", "v_sin_f32", true}}},
    {COS, &f32_format, false, 0.5 + 1e-6, TURNS, {{"gfx1100", "v_cos_f32", 0}, {"gfx803", "v_cos_f32", true}}},
    {EXP2, &f16_format, false, 0.5 + 1e-6, HALF, {{"gfx1100", "v_exp_f16", 0}, {"gfx1200", "v_s_exp_f16", 0}}},
    {LOG2, &f16_format, false, 0.5 + 1e-6, HALF, {{"gfx1100", "v_log_f16", 0}, {"gfx1200", "v_s_log_f16", 0}}},
    {RCP, &f16_format, false, 0.5, HALF, {{"gfx942", "v_rcp_f16", 0}, {"gfx1200", "v_s_rcp_f16", 0}}},
    {RSQ, &f16_format, false, 0.5 + 1e-6, HALF, {{"gfx90a", "v_rsq_f16", 0}, {"gfx1200", "v_s_rsq_f16", 0}}},
    {SQRT, &f16_format, false, 0.5, HALF, {{"gfx1030", "v_sqrt_f16", 0}, {"gfx1200", "v_s_sqrt_f16", 0}}},
    {SIN, &f16_format, false, 0.5 + 1e-6, TURNS, {{"gfx1100", "v_sin_f16", 0}}},
    {COS, &f16_format, false, 0.5 + 1e-6, TURNS, {{"gfx1100", "v_cos_f16", 0}}},
    {RCP, &f64_format, false, 0.5, DOUBLE, {{"gfx90a", "v_rcp_f64", 0}, {"gfx1200", "v_rcp_f64", 0}}},
    {RSQ, &f64_format, false, 1.5, DOUBLE, {{"gfx90a", "v_rsq_f64", 0}, {"gfx1200", "v_rsq_f64", 0}}},
    {SQRT, &f64_format, false, 0.5, DOUBLE, {{"gfx90a", "v_sqrt_f64", 0}, {"gfx1200", "v_sqrt_f64", 0}}},
};
enum { FAMILIES = sizeof families / sizeof *families };

static struct stat stats[FAMILIES][MAX_INSTRUCTIONS];

/* ---- the functions ---- */

/* sin(2 pi x) or cos: the quarter turns are taken off exactly. A zero is +0, but for sin of a zero. */
static void turn(mpfr_t y, const mpfr_t x, unsigned quarter)
{
    mpfr_t r, q, pi;
    mpfr_inits2(ORACLE_PRECISION, r, q, pi, (mpfr_ptr)0);
    mpfr_frac(r, x, MPFR_RNDN);
    mpfr_mul_ui(q, r, 4, MPFR_RNDN);
    mpfr_rint(q, q, MPFR_RNDN);
    unsigned k = ((unsigned)mpfr_get_si(q, MPFR_RNDN) + quarter) & 3;
    mpfr_div_ui(q, q, 4, MPFR_RNDN);
    mpfr_sub(r, r, q, MPFR_RNDN);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(r, r, pi, MPFR_RNDN);
    mpfr_mul_ui(r, r, 2, MPFR_RNDN);
    (k & 1 ? mpfr_cos : mpfr_sin)(y, r, MPFR_RNDN);
    if (k & 2)
        mpfr_neg(y, y, MPFR_RNDN);
    if (mpfr_zero_p(y))
        mpfr_set_zero(y, 1);
    mpfr_clears(r, q, pi, (mpfr_ptr)0);
}

static void evaluate(enum function fn, mpfr_t y, const mpfr_t x)
{
    switch (fn) {
    case EXP2:
        mpfr_exp2(y, x, MPFR_RNDN);
        break;
    case LOG2:
        mpfr_log2(y, x, MPFR_RNDN);
        break;
    case RCP:
        mpfr_ui_div(y, 1, x, MPFR_RNDN);
        break;
    case RSQ:
        mpfr_rec_sqrt(y, x, MPFR_RNDN);
        break;
    case SQRT:
        mpfr_sqrt(y, x, MPFR_RNDN);
        break;
    case SIN:
        turn(y, x, 0);
        break;
    case COS:
        turn(y, x, 1);
        break;
    }
}

/* Results at zeros, infinities and negative numbers, as the functional examples of the RDNA ISAs give them; a NaN that
 * no operand brings is negative there. */
static bool exact_result(const struct family *f, uint64_t x, uint64_t *want)
{
    const struct fp_format *p = f->format;
    uint64_t sign = x & fp_sign_bit(p), mag = fp_magnitude(p, x), inf = fp_infinity(p);
    uint64_t one = (uint64_t)p->bias << p->mant, invalid = fp_quiet(p, fp_sign_bit(p) | inf);
    bool root = f->fn == LOG2 || f->fn == RSQ || f->fn == SQRT;

    if (fp_is_nan(p, x))
        *want = fp_quiet(p, x);
    else if (mag == 0)
        *want = f->fn == EXP2 || f->fn == COS  ? one
                : f->fn == LOG2                ? fp_sign_bit(p) | inf
                : f->fn == RCP || f->fn == RSQ ? sign | inf
                                               : x;
    else if (root && sign)
        *want = invalid;
    else if (mag == inf)
        *want = f->fn == SIN || f->fn == COS   ? invalid
                : f->fn == RCP || f->fn == RSQ ? sign
                : f->fn == EXP2 && sign        ? 0
                                               : x;
    else
        return false;
    return true;
}

/* ---- operands ---- */

/* Where the function has its corners, and exponents there. */
static uint64_t interesting(const struct family *f, uint64_t *random)
{
    const struct fp_format *p = f->format;
    uint64_t r = bench_random(random), frac = bench_random(random) & ((UINT64_C(1) << p->mant) - 1);
    unsigned spread = f->fn == LOG2 ? 2 : f->fn == EXP2 || f->fn == SIN || f->fn == COS ? 20 : 64;
    int e = p->bias + (int)(r % spread) - (f->fn == LOG2 ? 1 : (int)spread / 2);

    if (r >> 20 & 1) /* few bits, so that results are exact, or ties, now and then */
        frac = frac >> (p->mant - 1 - (r >> 24) % (p->mant - 1)) << (p->mant - 1 - (r >> 24) % (p->mant - 1));
    else if (f->fn == LOG2 && r >> 21 & 1) /* close to 1 from both sides */
        frac = (e == p->bias ? 0 : ~UINT64_C(0)) ^ frac >> (r >> 32) % p->mant;
    return (r & 1 ? fp_sign_bit(p) : 0) | (uint64_t)e << p->mant | (frac & ((UINT64_C(1) << p->mant) - 1));
}

/* The k-th operand: every exponent with fractions around its ends first. */
static uint64_t operand(const struct family *f, uint64_t k, uint64_t *random)
{
    const struct fp_format *p = f->format;
    uint64_t ones = (UINT64_C(1) << p->mant) - 1, exponents = fp_infinity(p) >> p->mant;
    const uint64_t fractions[] = {0, 1, ones / 2, ones / 2 + 1, ones - 1, ones, bench_random(random) & ones, 0x16a09e};

    if (p->bits == 16)
        return k;
    if (k < (exponents + 1) * 16)
        return (k & 1 ? fp_sign_bit(p) : 0) | (k >> 4) << p->mant | (fractions[k >> 1 & 7] & ones);
    if (k & 1)
        return interesting(f, random);
    uint64_t r = bench_random(random);
    return p->bits == 32 ? r >> 32 : r;
}

/* ---- comparison ---- */

struct point {
    uint64_t x;
    mpfr_t y;         /* of x as it stands */
    uint64_t rounded; /* y to nearest even */
    /* distance of the last result that was compared; all instructions of a family mostly give the same */
    uint64_t seen;
    double seen_off;
};

static void set_point(const struct family *f, struct point *p, uint64_t bits)
{
    uint64_t unused;
    mpfr_t x;

    p->x = bits;
    p->seen_off = -1;
    if (exact_result(f, bits, &unused))
        return;
    mpfr_init2(x, 64);
    oracle_from_bits(x, f->format, bits);
    evaluate(f->fn, p->y, x);
    p->rounded = oracle_to_bits(f->format, p->y, ROUND_EVEN, false);
    mpfr_clear(x);
}

static double distance(const struct fp_format *f, struct point *p, uint64_t got)
{
    if (p->seen_off < 0 || p->seen != got) {
        p->seen = got;
        p->seen_off = oracle_ulps(f, got, p->y);
    }
    return p->seen_off;
}

static void wrong(const struct family *f, unsigned which, bool flush, uint64_t x, uint64_t got, uint64_t want)
{
    fail_msg("%s %s, denormals %s: of 0x%llx 0x%llx, expected 0x%llx", f->inst[which].target, f->inst[which].mnemonic,
             flush ? "flushed" : "kept", (unsigned long long)x, (unsigned long long)got, (unsigned long long)want);
}

static void compare(const struct family *f, unsigned which, bool flush, struct point *p, uint64_t got, struct stat *st)
{
    const struct fp_format *fmt = f->format;
    uint64_t x = flush ? fp_flush(fmt, p->x) : p->x, want;
    bool is_short = false;

    if (f->inst[which].short_range && fp_magnitude(fmt, x) < fp_infinity(fmt)) {
        uint64_t limit = (uint64_t)(fmt->bias + 8) << fmt->mant;
        is_short = fp_magnitude(fmt, x) > limit;
    }
    st->count++;
    if (is_short || exact_result(f, x, &want)) {
        if (is_short)
            want = f->fn == COS ? (uint64_t)fmt->bias << fmt->mant : 0;
        st->rounded += got == want;
        if (got != want)
            wrong(f, which, flush, p->x, got, want);
        return;
    }
    want = flush ? fp_flush(fmt, p->rounded) : p->rounded;
    st->rounded += got == want;
    if (got == want && fp_magnitude(fmt, got) == 0)
        return;
    if (mpfr_zero_p(p->y) || fp_magnitude(fmt, got) >= fp_infinity(fmt) ||
        fp_magnitude(fmt, want) >= fp_infinity(fmt) || (flush && fp_magnitude(fmt, want) == 0)) {
        if (got != want)
            wrong(f, which, flush, p->x, got, want);
        return;
    }
    double off = distance(fmt, p, got);
    if (off > f->own || (st->bound != ISA_NO_BOUND && off > (double)st->bound))
        wrong(f, which, flush, p->x, got, want);
    if (off > st->worst) {
        st->worst = off;
        st->at = p->x;
    }
}

static void measure(const struct family *f, struct stat *st, uint64_t values)
{
    static struct float_bench benches[MAX_INSTRUCTIONS];
    static struct point points[BENCH_LANES];
    uint64_t random = 0x2545f4914f6cdd1d + (uint64_t)(f - families);
    unsigned n = 0;

    for (; n < MAX_INSTRUCTIONS && f->inst[n].mnemonic; n++)
        if (!bench_open(&benches[n], f->inst[n].target, f->inst[n].mnemonic))
            fail_msg("%s has no %s", f->inst[n].target, f->inst[n].mnemonic);
    for (unsigned l = 0; l < BENCH_LANES; l++)
        mpfr_init2(points[l].y, ORACLE_PRECISION);
    for (uint64_t first = 0; first < values; first += BENCH_LANES) {
        for (unsigned l = 0; l < BENCH_LANES; l++)
            set_point(f, &points[l], operand(f, first + l, &random));
        for (unsigned k = 0; k < n; k++)
            for (unsigned flush = 0; flush < 2; flush++) {
                struct float_bench *b = &benches[k];

                st[k].bound = b->inst->row->ulp;
                isa_set_mode(&b->r.w, flush ? MODE_FLUSHES : MODE_KEEPS);
                for (unsigned l = 0; l < BENCH_LANES; l++)
                    bench_set(b, BENCH_S0, l, points[l].x);
                for (unsigned l = 0; l < BENCH_LANES; l++) {
                    if (b->scalar)
                        bench_set(b, BENCH_S0, l, points[l].x);
                    if (b->scalar || l == 0)
                        bench_step(b);
                    compare(f, k, flush || f->flushes, &points[l], bench_get(b, f->format->bits, l), &st[k]);
                }
            }
    }
    for (unsigned l = 0; l < BENCH_LANES; l++)
        mpfr_clear(points[l].y);
    while (n--)
        bench_close(&benches[n]);
}

static void test_family(void **state)
{
    const struct family *f = *state;
    measure(f, stats[f - families], f->format->bits == 16 ? 65536 : bench_values(QUICK_VALUES));
    mpfr_free_cache();
}

static int write_table(void **state)
{
    const char *path = getenv("GCNSIM_ULP_TABLE");
    FILE *out = path && *path ? fopen(path, "w") : NULL;
    (void)state;
    if (!out)
        return path && *path ? -1 : 0;
    fprintf(out, "| instruction | results | AMD says | worst, ULP | at | not correctly rounded |\n"
                 "|---|---|---|---|---|---|\n");
    for (unsigned k = 0; k < FAMILIES; k++)
        for (unsigned i = 0; i < MAX_INSTRUCTIONS && families[k].inst[i].mnemonic; i++) {
            const struct stat *s = &stats[k][i];
            char bound[24];

            fprintf(out, "| %s (%s) | %llu | %s%s | %.7f | 0x%0*llx | %llu |\n", families[k].inst[i].mnemonic,
                    families[k].inst[i].target, (unsigned long long)s->count, isa_bound_text(s->bound, bound),
                    families[k].says, s->worst, (int)families[k].format->bits / 4, (unsigned long long)s->at,
                    (unsigned long long)(s->count - s->rounded));
        }
    return fclose(out);
}

int main(void)
{
    struct CMUnitTest tests[FAMILIES];
    static char names[FAMILIES][64];
    for (unsigned k = 0; k < FAMILIES; k++) {
        snprintf(names[k], sizeof names[k], "%s", families[k].inst[0].mnemonic);
        tests[k] = test_of(names[k], test_family, &families[k]);
    }
    return _cmocka_run_group_tests("transcendentals", tests, FAMILIES, NULL, write_table);
}

#endif
