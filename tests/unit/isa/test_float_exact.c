/* Float instructions with an exact meaning against MPFR: sums, products, fused and unfused multiply-add, fractions,
 * scaling, conversions, packed forms and dot products, rounded once (unfused: twice) in every rounding mode, with
 * denormals let in and out in every combination. Any difference is an error.
 *
 *     GCNSIM_ULP_VALUES=1000000     operand sets per instruction; 6,000 without it
 */
#include "tests/unit/isa/float_bench.h"

#include "tests/unit/isa/mpfr_program.h"

#ifdef HAVE_MPFR

#include "tests/unit/isa/mpfr_oracle.h"

enum { QUICK_VALUES = 6144, PRODUCT_PRECISION = 128 };
/* D: also a source. MAD: product and sum rounded apart, denormals flushed whatever MODE says. */
enum kind {
    ADD,
    SUB,
    SUBREV,
    MUL,
    FMA,
    FMA_D,
    MAD,
    MAD_D,
    FRACT,
    FLOOR,
    CEIL,
    TRUNC,
    RNDNE,
    LDEXP,
    MANT,
    EXPONENT,
    CONVERT,
    CONVERT_RTZ,
    TO_INT,
    FROM_INT
};

static const struct op {
    const char *target, *mnemonic;
    enum kind kind;
    const struct fp_format *d, *s; /* of results and operands; of one that is an integer: null */
    unsigned int_bits;
    bool is_signed, packed;
} ops[] = {
#define F32 &f32_format, &f32_format
#define F64 &f64_format, &f64_format
#define F16 &f16_format, &f16_format
    {"gfx1100", "v_add_f32", ADD, F32, 0, 0, 0},
    {"gfx942", "v_sub_f32", SUB, F32, 0, 0, 0},
    {"gfx1200", "v_subrev_f32", SUBREV, F32, 0, 0, 0},
    {"gfx900", "v_mul_f32", MUL, F32, 0, 0, 0},
    {"gfx1100", "v_fma_f32", FMA, F32, 0, 0, 0},
    {"gfx1030", "v_fmac_f32", FMA_D, F32, 0, 0, 0},
    {"gfx900", "v_mad_f32", MAD, F32, 0, 0, 0},
    {"gfx803", "v_mac_f32", MAD_D, F32, 0, 0, 0},
    {"gfx90a", "v_pk_add_f32", ADD, F32, 0, 0, true},
    {"gfx90a", "v_pk_mul_f32", MUL, F32, 0, 0, true},
    {"gfx942", "v_pk_fma_f32", FMA, F32, 0, 0, true},
    {"gfx1100", "v_fract_f32", FRACT, F32, 0, 0, 0},
    {"gfx900", "v_floor_f32", FLOOR, F32, 0, 0, 0},
    {"gfx1030", "v_ceil_f32", CEIL, F32, 0, 0, 0},
    {"gfx1200", "v_trunc_f32", TRUNC, F32, 0, 0, 0},
    {"gfx803", "v_rndne_f32", RNDNE, F32, 0, 0, 0},
    {"gfx1100", "v_ldexp_f32", LDEXP, F32, 32, 0, 0},
    {"gfx1200", "v_frexp_mant_f32", MANT, F32, 0, 0, 0},
    {"gfx900", "v_frexp_exp_i32_f32", EXPONENT, F32, 32, 0, 0},
    {"gfx90a", "v_add_f64", ADD, F64, 0, 0, 0},
    {"gfx1200", "v_mul_f64", MUL, F64, 0, 0, 0},
    {"gfx1100", "v_fma_f64", FMA, F64, 0, 0, 0},
    {"gfx942", "v_fmac_f64", FMA_D, F64, 0, 0, 0},
    {"gfx90a", "v_fract_f64", FRACT, F64, 0, 0, 0},
    {"gfx900", "v_floor_f64", FLOOR, F64, 0, 0, 0},
    {"gfx1030", "v_ceil_f64", CEIL, F64, 0, 0, 0},
    {"gfx942", "v_trunc_f64", TRUNC, F64, 0, 0, 0},
    {"gfx803", "v_rndne_f64", RNDNE, F64, 0, 0, 0},
    {"gfx1100", "v_ldexp_f64", LDEXP, F64, 32, 0, 0},
    {"gfx1200", "v_frexp_mant_f64", MANT, F64, 0, 0, 0},
    {"gfx803", "v_frexp_exp_i32_f64", EXPONENT, F64, 32, 0, 0},
    {"gfx1100", "v_add_f16", ADD, F16, 0, 0, 0},
    {"gfx900", "v_sub_f16", SUB, F16, 0, 0, 0},
    {"gfx1200", "v_subrev_f16", SUBREV, F16, 0, 0, 0},
    {"gfx803", "v_mul_f16", MUL, F16, 0, 0, 0},
    {"gfx1100", "v_fma_f16", FMA, F16, 0, 0, 0},
    {"gfx1030", "v_fmac_f16", FMA_D, F16, 0, 0, 0},
    {"gfx900", "v_mad_f16", MAD, F16, 0, 0, 0},
    {"gfx803", "v_mac_f16", MAD_D, F16, 0, 0, 0},
    {"gfx1100", "v_pk_add_f16", ADD, F16, 0, 0, true},
    {"gfx900", "v_pk_mul_f16", MUL, F16, 0, 0, true},
    {"gfx1200", "v_pk_fma_f16", FMA, F16, 0, 0, true},
    {"gfx1100", "v_fract_f16", FRACT, F16, 0, 0, 0},
    {"gfx900", "v_floor_f16", FLOOR, F16, 0, 0, 0},
    {"gfx1030", "v_ceil_f16", CEIL, F16, 0, 0, 0},
    {"gfx1200", "v_trunc_f16", TRUNC, F16, 0, 0, 0},
    {"gfx803", "v_rndne_f16", RNDNE, F16, 0, 0, 0},
    {"gfx1100", "v_ldexp_f16", LDEXP, F16, 16, 0, 0},
    {"gfx1200", "v_frexp_mant_f16", MANT, F16, 0, 0, 0},
    {"gfx900", "v_frexp_exp_i16_f16", EXPONENT, F16, 16, 0, 0},
    {"gfx1100", "v_cvt_f16_f32", CONVERT, &f16_format, &f32_format, 0, 0, 0},
    {"gfx1100", "v_cvt_f32_f16", CONVERT, &f32_format, &f16_format, 0, 0, 0},
    {"gfx90a", "v_cvt_f32_f64", CONVERT, &f32_format, &f64_format, 0, 0, 0},
    {"gfx90a", "v_cvt_f64_f32", CONVERT, &f64_format, &f32_format, 0, 0, 0},
    {"gfx1100", "v_cvt_i32_f32", TO_INT, NULL, &f32_format, 32, true, 0},
    {"gfx1100", "v_cvt_u32_f32", TO_INT, NULL, &f32_format, 32, false, 0},
    {"gfx90a", "v_cvt_i32_f64", TO_INT, NULL, &f64_format, 32, true, 0},
    {"gfx90a", "v_cvt_u32_f64", TO_INT, NULL, &f64_format, 32, false, 0},
    {"gfx1100", "v_cvt_i16_f16", TO_INT, NULL, &f16_format, 16, true, 0},
    {"gfx900", "v_cvt_u16_f16", TO_INT, NULL, &f16_format, 16, false, 0},
    {"gfx1100", "v_cvt_f32_i32", FROM_INT, &f32_format, NULL, 32, true, 0},
    {"gfx1100", "v_cvt_f32_u32", FROM_INT, &f32_format, NULL, 32, false, 0},
    {"gfx90a", "v_cvt_f64_i32", FROM_INT, &f64_format, NULL, 32, true, 0},
    {"gfx90a", "v_cvt_f64_u32", FROM_INT, &f64_format, NULL, 32, false, 0},
    {"gfx1100", "v_cvt_f16_i16", FROM_INT, &f16_format, NULL, 16, true, 0},
    {"gfx900", "v_cvt_f16_u16", FROM_INT, &f16_format, NULL, 16, false, 0},
};
enum { OPS = sizeof ops / sizeof *ops };

struct setting {
    enum oracle_round round32, round64;
    unsigned denorm32, denorm64; /* bit 0: let in, bit 1: let out */
    bool quiets;                 /* a signalling NaN; otherwise it passes as it is, but between formats */
};

static enum oracle_round round_of(const struct setting *m, const struct fp_format *f)
{
    return f == &f32_format ? m->round32 : m->round64;
}
static unsigned denorm_of(const struct setting *m, const struct fp_format *f)
{
    return f == &f32_format ? m->denorm32 : m->denorm64;
}

/* ---- what should come out ---- */

/* y = a + b, or a product that is exact; an exact zero has the sign of IEEE 754 */
static void sum(mpfr_t y, const mpfr_t a, const mpfr_t b, enum oracle_round round)
{
    bool same_zeros = mpfr_zero_p(a) && mpfr_zero_p(b) && mpfr_signbit(a) == mpfr_signbit(b);

    oracle_sticky(y, mpfr_add(y, a, b, MPFR_RNDZ)); /* y may be a or b */
    if (mpfr_zero_p(y) && !same_zeros)
        mpfr_set_zero(y, round == ROUND_DOWN ? -1 : 1);
}

static uint64_t finish(const struct fp_format *f, const mpfr_t y, enum oracle_round round, bool let_out)
{
    uint64_t r = oracle_to_bits(f, y, round, false);
    return let_out ? r : fp_flush(f, r);
}

static uint64_t multiply_add(const struct fp_format *f, const uint64_t v[3], bool fused, enum oracle_round round,
                             bool let_out)
{
    mpfr_t a, b, c, p, y;
    uint64_t r;

    mpfr_inits2(PRODUCT_PRECISION, a, b, c, p, y, (mpfr_ptr)0);
    oracle_from_bits(a, f, v[0]);
    oracle_from_bits(b, f, v[1]);
    oracle_from_bits(c, f, v[2]);
    mpfr_mul(p, a, b, MPFR_RNDN);
    if (!fused && !mpfr_nan_p(p))
        oracle_from_bits(p, f, finish(f, p, round, false));
    sum(y, p, c, round);
    r = mpfr_nan_p(y) ? fp_quiet(f, fp_infinity(f)) : finish(f, y, round, let_out);
    mpfr_clears(a, b, c, p, y, (mpfr_ptr)0);
    return r;
}

static uint64_t two_operands(const struct op *op, const uint64_t v[3], enum oracle_round round, bool let_out)
{
    mpfr_t a, b, y;

    mpfr_inits2(PRODUCT_PRECISION, a, b, y, (mpfr_ptr)0);
    oracle_from_bits(a, op->s, v[0]);
    oracle_from_bits(b, op->s, v[1]);
    if (op->kind == SUB)
        mpfr_neg(b, b, MPFR_RNDN);
    if (op->kind == SUBREV)
        mpfr_neg(a, a, MPFR_RNDN);
    if (op->kind == MUL)
        mpfr_mul(y, a, b, MPFR_RNDN);
    else
        sum(y, a, b, round);
    uint64_t r = mpfr_nan_p(y) ? fp_quiet(op->d, fp_infinity(op->d)) : finish(op->d, y, round, let_out);
    mpfr_clears(a, b, y, (mpfr_ptr)0);
    return r;
}

static uint64_t to_int(const struct op *op, uint64_t v)
{
    int64_t low = op->is_signed ? -((int64_t)1 << (op->int_bits - 1)) : 0,
            high = low + (((int64_t)1 << op->int_bits) - 1);
    mpfr_t x;

    if (fp_is_nan(op->s, v))
        return 0;
    mpfr_init2(x, 64);
    oracle_from_bits(x, op->s, v);
    int64_t r = mpfr_cmp_si(x, high) >= 0 ? high : mpfr_cmp_si(x, low) <= 0 ? low : mpfr_get_si(x, MPFR_RNDZ);
    mpfr_clear(x);
    return (uint64_t)r & (((uint64_t)1 << op->int_bits) - 1);
}

static int64_t int_operand(const struct op *op, uint64_t v)
{
    uint64_t low = v & (((uint64_t)1 << op->int_bits) - 1), top = (uint64_t)1 << (op->int_bits - 1);
    return op->is_signed || op->kind == LDEXP ? (int64_t)(low ^ top) - (int64_t)top : (int64_t)low;
}

static uint64_t one_operand(const struct op *op, const uint64_t v[3], enum oracle_round round, bool let_out)
{
    mpfr_t x, y;
    uint64_t r, below_one = op->d ? ((uint64_t)op->d->bias << op->d->mant) - 1 : 0;
    mpfr_exp_t e;

    if (op->kind == TO_INT)
        return to_int(op, v[0]);
    mpfr_inits2(PRODUCT_PRECISION, x, y, (mpfr_ptr)0);
    if (op->kind == FROM_INT)
        mpfr_set_si(x, int_operand(op, v[0]), MPFR_RNDN);
    else
        oracle_from_bits(x, op->s, v[0]);
    mpfr_set(y, x, MPFR_RNDN);
    if (op->kind == FRACT) {
        mpfr_floor(y, x);
        mpfr_neg(y, y, MPFR_RNDN);
        sum(y, x, y, round);
    } else if (op->kind >= FLOOR && op->kind <= RNDNE) {
        static int (*const whole[])(mpfr_ptr, mpfr_srcptr) = {mpfr_floor, mpfr_ceil, mpfr_trunc, mpfr_roundeven};
        whole[op->kind - FLOOR](y, x);
    } else if (op->kind == LDEXP) {
        int64_t by = int_operand(op, v[1]); /* beyond what matters, and within MPFR's exponents */
        mpfr_mul_2si(y, x, by < -10000 ? -10000 : by > 10000 ? 10000 : by, MPFR_RNDN);
    } else if ((op->kind == MANT || op->kind == EXPONENT) && mpfr_regular_p(x)) {
        mpfr_frexp(&e, y, x, MPFR_RNDN);
    } else {
        e = 0;
    }
    if (op->kind == EXPONENT)
        r = mpfr_regular_p(x) ? (uint64_t)e & (((uint64_t)1 << op->int_bits) - 1) : 0;
    else
        r = mpfr_nan_p(y) ? fp_quiet(op->d, fp_infinity(op->d)) : finish(op->d, y, round, let_out);
    if (op->kind == FRACT && r > below_one && r < fp_infinity(op->d))
        r = below_one;
    mpfr_clears(x, y, (mpfr_ptr)0);
    return r;
}

/* The first NaN among the operands, made quiet, in the format of the result. */
static bool nan_result(const struct op *op, const uint64_t v[3], unsigned operands, bool quiets, uint64_t *r)
{
    if (op->kind == TO_INT || op->kind == FROM_INT)
        return false;
    for (unsigned k = 0; k < operands; k++)
        if (fp_is_nan(op->s, v[k])) {
            bool as_is = !quiets && op->d == op->s && op->kind != MANT && op->kind != EXPONENT;
            uint64_t nan = as_is ? v[k] : fp_quiet(op->s, v[k]),
                     sign = v[k] & fp_sign_bit(op->s) ? fp_sign_bit(op->d) : 0;
            uint64_t frac = nan & ((UINT64_C(1) << op->s->mant) - 1);
            int more = (int)op->d->mant - (int)op->s->mant;
            *r = op->kind == EXPONENT ? 0 : sign | fp_infinity(op->d) | (more < 0 ? frac >> -more : frac << more);
            return true;
        }
    return false;
}

static unsigned operands_of(enum kind kind)
{
    return kind <= MUL ? 2 : kind <= MAD_D ? 3 : 1;
}

static uint64_t expected(const struct op *op, const uint64_t operand[3], const struct setting *m)
{
    bool mad = op->kind == MAD || op->kind == MAD_D, parts = op->kind == MANT || op->kind == EXPONENT;
    unsigned n = operands_of(op->kind);
    bool let_out = op->d && (denorm_of(m, op->d) & 2) && !mad;
    enum oracle_round round = op->d ? round_of(m, op->d) : ROUND_EVEN;
    uint64_t v[3] = {operand[0], operand[1], operand[2]}, r;

    for (unsigned k = 0; k < n && op->s && !parts; k++)
        if (!(denorm_of(m, op->s) & 1) || mad)
            v[k] = fp_flush(op->s, v[k]);
    if (nan_result(op, v, n, m->quiets, &r))
        return r;
    if (n == 3)
        return multiply_add(op->d, v, !mad, round, let_out);
    return n == 2 ? two_operands(op, v, round, let_out) : one_operand(op, v, round, let_out);
}

/* ---- operands ---- */

static uint64_t any_number(const struct fp_format *f, uint64_t *random)
{
    uint64_t r = bench_random(random), inf = fp_infinity(f), sign = r & 1 ? fp_sign_bit(f) : 0;
    uint64_t one = (uint64_t)f->bias << f->mant, ulp = UINT64_C(1) << f->mant;
    const uint64_t corner[] = {0,         1,        ulp - 1, ulp,     ulp + 1,          one - 1,       one,
                               one + 1,   inf - 1,  inf,     inf | 1, fp_quiet(f, inf), one + ulp / 2, 2 * ulp - 1,
                               inf - ulp, one - ulp};

    if ((r >> 1 & 7) == 0)
        return sign | corner[r >> 8 & 15];
    return bench_random(random) >> (64 - f->bits);
}

/* with an exponent close to the given one */
static uint64_t near_exponent(const struct fp_format *f, int64_t field, unsigned spread, uint64_t *random)
{
    uint64_t r = bench_random(random), top = fp_infinity(f) >> f->mant;
    int64_t e = field + (int64_t)(r >> 8) % (2 * spread + 1) - spread;
    e = e < 0 ? 0 : e >= (int64_t)top ? (int64_t)top - 1 : e;
    uint64_t frac = bench_random(random) >> (64 - f->mant);
    if (r & 2) /* few bits: ties */
        frac &= ~UINT64_C(0) << (f->mant / 2);
    return (r & 1 ? fp_sign_bit(f) : 0) | (uint64_t)e << f->mant | frac;
}

static void operands(const struct op *op, uint64_t v[3], uint64_t *random)
{
    const struct fp_format *f = op->s ? op->s : op->d;
    uint64_t r = bench_random(random);
    int64_t field;

    for (unsigned k = 0; k < 3; k++)
        v[k] = op->s ? any_number(f, random) : bench_random(random) >> (r & 63);
    if (!op->s || (r & 7) == 0)
        return;
    field = (int64_t)(fp_magnitude(f, v[0]) >> f->mant);
    if (op->kind == LDEXP) {
        v[1] = r & 8 ? bench_random(random) : (uint64_t)((int64_t)(r >> 8 & 63) - 32 - ((r & 16) ? field : 0));
    } else if (op->kind <= SUBREV) {
        v[1] = near_exponent(f, field, f->mant + 3, random);
        if (r & 8)
            v[1] = v[0] ^ fp_sign_bit(f) ^ (bench_random(random) >> (64 - f->mant / 2));
    } else if (op->kind <= MAD_D) {
        if (r & 8) /* a product at the ends of the range */
            v[1] = near_exponent(f, (r & 16 ? 0 : 2 * f->bias) + f->bias - field, f->mant, random);
        int64_t product = field + (int64_t)(fp_magnitude(f, v[1]) >> f->mant) - f->bias;
        v[2] = near_exponent(f, product, f->mant + 3, random);
        if ((r & 0xe0) == 0) { /* cancels all but the last bits */
            const uint64_t two[3] = {v[0], v[1], 0};
            v[2] = multiply_add(f, two, true, ROUND_EVEN, true) ^ fp_sign_bit(f) ^ (r >> 62);
        }
    } else if (op->kind == CONVERT && op->d->bits < f->bits) { /* in reach of the narrow format, and its ties */
        v[0] = near_exponent(f, f->bias, (unsigned)op->d->bias + op->d->mant + 2, random);
        if (r & 8)
            v[0] &= ~UINT64_C(0) << (f->mant - op->d->mant - 1);
    } else if (op->kind == TO_INT || (op->kind >= FRACT && op->kind <= RNDNE)) {
        v[0] = near_exponent(f, f->bias + (f->bits == 16 ? 0 : 16), f->bits == 16 ? 16 : 24, random);
    }
}

/* ---- dot products: low parts first, each product fused into the sum ---- */

static const struct dot {
    const char *target, *mnemonic;
    const struct fp_format *s;
} dots[] = {
    {"gfx906", "v_dot2_f32_f16", &f16_format},
    {"gfx1100", "v_dot2_f32_f16", &f16_format},
    {"gfx950", "v_dot2_f32_bf16", &bf16_format},
    {"gfx1200", "v_dot2_f32_bf16", &bf16_format},
};
enum { DOTS = sizeof dots / sizeof *dots };

/* fma of two parts and an f32 sum, a NaN the first among a, b, c */
static uint64_t dot_step(const struct fp_format *s, uint64_t a, uint64_t b, uint64_t sum_bits, enum oracle_round round)
{
    const struct op wide = {.kind = CONVERT, .d = &f32_format, .s = s};
    const uint64_t va[3] = {a}, vb[3] = {b};
    uint64_t v[3] = {0, 0, sum_bits}, nan;
    static const struct op sum_op = {.kind = FMA, .d = &f32_format, .s = &f32_format};

    if (!nan_result(&wide, va, 1, true, &v[0]))
        v[0] = one_operand(&wide, va, ROUND_EVEN, true);
    if (!nan_result(&wide, vb, 1, true, &v[1]))
        v[1] = one_operand(&wide, vb, ROUND_EVEN, true);
    return nan_result(&sum_op, v, 3, true, &nan) ? nan : multiply_add(&f32_format, v, true, round, true);
}

static void test_dot(void **state)
{
    const struct dot *d = *state;
    static const struct op low = {.kind = FMA, .d = &f32_format, .s = &f32_format};
    struct op parts = {.kind = FMA, .d = d->s, .s = d->s};
    uint64_t random = 0x6a09e667f3bcc909, values = bench_values(QUICK_VALUES);
    struct float_bench b;

    if (!bench_open(&b, d->target, d->mnemonic))
        fail_msg("%s has no %s", d->target, d->mnemonic);
    for (uint64_t first = 0; first < values; first += BENCH_LANES) {
        uint64_t x[BENCH_LANES][3], y[BENCH_LANES][3], z[BENCH_LANES][3];
        unsigned round = first / BENCH_LANES & 3;
        isa_set_mode(&b.r.w, 0xf0 | round | round << 2);
        for (unsigned l = 0; l < BENCH_LANES; l++) {
            operands(&parts, x[l], &random);
            operands(&parts, y[l], &random);
            operands(&low, z[l], &random);
            if (bench_random(&random) & 1) /* near the products */
                z[l][2] = dot_step(d->s, x[l][0], x[l][1], 0, ROUND_EVEN) ^ (bench_random(&random) >> 40);
            bench_set(&b, BENCH_S0, l, x[l][0] | y[l][0] << 16);
            bench_set(&b, BENCH_S1, l, x[l][1] | y[l][1] << 16);
            bench_set(&b, BENCH_S2, l, z[l][2]);
        }
        bench_step(&b);
        for (unsigned l = 0; l < BENCH_LANES; l++) {
            uint64_t want = dot_step(d->s, x[l][0], x[l][1], z[l][2], round), got = bench_get(&b, 32, l);
            want = dot_step(d->s, y[l][0], y[l][1], want, round);
            if (got != want && !(fp_is_nan(&f32_format, got) && fp_is_nan(&f32_format, want)))
                fail_msg("%s %s, rounding %u: of %llx %llx, %llx %llx, %llx 0x%llx, expected 0x%llx", d->target,
                         d->mnemonic, round, (unsigned long long)x[l][0], (unsigned long long)x[l][1],
                         (unsigned long long)y[l][0], (unsigned long long)y[l][1], (unsigned long long)z[l][2],
                         (unsigned long long)got, (unsigned long long)want);
        }
    }
    bench_close(&b);
    mpfr_free_cache();
}

/* ---- comparison ---- */

static void check(const struct op *op, const uint64_t v[3], const struct setting *m, uint64_t got)
{
    uint64_t want = expected(op, v, m);
    if (got != want)
        fail_msg("%s %s, rounding %u %u, denormals %u %u: of 0x%llx 0x%llx 0x%llx 0x%llx, expected 0x%llx", op->target,
                 op->mnemonic, m->round32, m->round64, m->denorm32, m->denorm64, (unsigned long long)v[0],
                 (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)got, (unsigned long long)want);
}

static unsigned result_bits(const struct op *op)
{
    return op->d && op->kind != EXPONENT ? op->d->bits : op->int_bits;
}

static void test_op(void **state)
{
    static uint64_t v[BENCH_LANES][2][3];
    const struct op *op = *state;
    uint64_t random = 0x9e3779b97f4a7c15 + (uint64_t)(op - ops), values = bench_values(QUICK_VALUES);
    unsigned bits = result_bits(op), parts = op->packed ? 2 : 1, width = op->s ? op->s->bits : op->int_bits;
    static const unsigned place[3] = {BENCH_S0, BENCH_S1, BENCH_S2};
    struct float_bench b;

    if (!bench_open(&b, op->target, op->mnemonic))
        fail_msg("%s has no %s", op->target, op->mnemonic);
    bool accumulates = op->kind == FMA_D || op->kind == MAD_D;
    for (uint64_t first = 0; first < values; first += BENCH_LANES) {
        uint64_t n = first / BENCH_LANES;
        /* every pair of rounding modes with every pair of denormal modes, in 256 steps; the two fields differ mostly */
        bool ieee = (n ^ n >> 1 ^ n >> 4 ^ n >> 5) & 1;
        struct setting m = {n & 3, (n >> 2 ^ n) & 3, n >> 4 & 3, (n >> 6 ^ n >> 4) & 3,
                            ieee || !isa_has(b.r.t, FEAT_IEEE_MODE)};
        isa_set_mode(&b.r.w, (uint32_t)(m.round32 | m.round64 << 2 | m.denorm32 << 4 | m.denorm64 << 6) |
                                 (ieee ? MODE_IEEE : 0u));
        for (unsigned l = 0; l < BENCH_LANES; l++) {
            for (unsigned p = 0; p < parts; p++)
                operands(op, v[l][p], &random);
            for (unsigned k = 0; k < 3; k++)
                bench_set(&b, accumulates && k == 2 ? (unsigned)BENCH_D : place[k], l,
                          v[l][0][k] | (parts == 2 ? v[l][1][k] << width : 0));
        }
        bench_step(&b);
        for (unsigned l = 0; l < BENCH_LANES; l++) {
            uint64_t got = bench_get(&b, bits * parts, l);
            for (unsigned p = 0; p < parts; p++)
                check(op, v[l][p], &m, (got >> bits * p) & (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1));
        }
    }
    bench_close(&b);
    mpfr_free_cache();
}

int main(void)
{
    struct CMUnitTest tests[OPS + DOTS];
    for (unsigned k = 0; k < OPS; k++)
        tests[k] = test_of(ops[k].mnemonic, test_op, &ops[k]);
    for (unsigned k = 0; k < DOTS; k++)
        tests[OPS + k] = test_of(dots[k].mnemonic, test_dot, &dots[k]);
    return _cmocka_run_group_tests("exact float instructions", tests, OPS + DOTS, NULL, NULL);
}

#endif
