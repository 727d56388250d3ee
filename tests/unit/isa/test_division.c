/* Whole division and square root sequences as clang-19 emits them (llvm-mc-19 words), run on random and special
 * operands against the host's correctly rounded quotient: v_div_scale, v_div_fmas and v_div_fixup have no other
 * purpose, and their corner cases only show together. GCNSIM_ULP_VALUES=N runs each sequence on N random operands.
 */
#include <math.h>

#include "tests/unit/isa/harness.h"

static const uint32_t f32_gfx803[] = {0xd1e00002, 0x04020301, 0xd1e06a04, 0x04020300, 0x7e0a4502, 0xba000901,
                                      0x00000003, 0xd1cb0006, 0x23ca0b02, 0xd1cb0005, 0x04160b06, 0x0a0c0b04,
                                      0xd1cb0007, 0x24120d02, 0xd1cb0006, 0x041a0b07, 0xd1cb0002, 0x24120d02,
                                      0xba000901, 0x00000000, 0xd1e20002, 0x041a0b02, 0xd1de0000, 0x04020302};
static const uint32_t f32_gfx90a[] = {0xd1e00003, 0x04020301, 0x7e084503, 0xd1e06a05, 0x04020300, 0xd1cb0006,
                                      0x23ca0903, 0x76080906, 0x0a0c0905, 0xd1cb0007, 0x24160d03, 0x760c0907,
                                      0xd1cb0003, 0x24160d03, 0xd1e20003, 0x041a0903, 0xd1de0000, 0x04020303};
static const uint32_t f32_gfx1201[] = {0xd6fc7c03, 0x04020301, 0x7e085503, 0xd6130005, 0x23ca0903, 0x56080905,
                                       0xd6fc6a05, 0x04020300, 0x100c0905, 0xd6130007, 0x24160d03, 0x560c0907,
                                       0xd6130003, 0x24160d03, 0xd6370003, 0x041a0903, 0xd6270000, 0x04020303};
static const uint32_t f64_gfx803[] = {0xd1e10004, 0x04020502, 0xd1e16a0a, 0x04020500, 0x7e0c4b04, 0xd1cc0008,
                                      0x23ca0d04, 0xd1cc0006, 0x041a1106, 0xd1cc0008, 0x23ca0d04, 0xd1cc0006,
                                      0x041a1106, 0xd2810008, 0x00020d0a, 0xd1cc0004, 0x242a1104, 0xd1e30004,
                                      0x04220d04, 0xd1df0000, 0x04020504};
static const uint32_t f64_gfx90a[] = {0xd1e10004, 0x04020502, 0x7e0c4b04, 0xd1e16a08, 0x04020500,
                                      0xd1cc000a, 0x23ca0d04, 0x080c1506, 0xd1cc000a, 0x23ca0d04,
                                      0x080c1506, 0xd281000a, 0x00020d08, 0xd1cc0004, 0x24221504,
                                      0xd1e30004, 0x042a0d04, 0xd1df0000, 0x04020504};
static const uint32_t f64_gfx1201[] = {0xd6fd7c04, 0x04020502, 0x7e0c5f04, 0xd6140008, 0x23ca0d04,
                                       0xd6140006, 0x041a1106, 0xd6140008, 0x23ca0d04, 0xd6140006,
                                       0x041a1106, 0xd6fd6a08, 0x04020500, 0x0c140d08, 0xd6140004,
                                       0x24221504, 0xd6380004, 0x042a0d04, 0xd6280000, 0x04020504};
static const uint32_t sqrt64_gfx803[] = {0x7e044d00, 0xd2810004, 0x00020500, 0xd2810002, 0x0001e102,
                                         0xd1cc0006, 0x23c20902, 0xd1cc0004, 0x04120d04, 0xd1cc0002,
                                         0x040a0d02, 0xd1cc0006, 0x24020904, 0xd1cc0004, 0x04120506,
                                         0xd1cc0006, 0x24020904, 0xd1cc0000, 0x04120506};
static const uint32_t sqrt64_gfx90a[] = {0x7e044d00, 0xd2810004, 0x00020500, 0xd2810002, 0x0001e102,
                                         0xd1cc0006, 0x23c20902, 0xd1cc0004, 0x04120d04, 0xd1cc0002,
                                         0x040a0d02, 0xd1cc0006, 0x24020904, 0xd1cc0004, 0x04120506,
                                         0xd1cc0006, 0x24020904, 0xd1cc0000, 0x04120506};
static const uint32_t sqrt64_gfx1201[] = {0x7e046300, 0x0c080500, 0xd5060002, 0x0001e102, 0xd6140006, 0x23c20902,
                                          0xd6140004, 0x04120d04, 0xd6140002, 0x040a0d02, 0xd6140006, 0x24020904,
                                          0xd6140004, 0x04120506, 0xd6140006, 0x24020904, 0xd6140000, 0x04120506};

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static uint32_t bits32(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static float float32(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint64_t bits64(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}

static double float64(uint64_t u)
{
    double f;
    memcpy(&f, &u, 8);
    return f;
}

/* Zeros, ones, the ends of the normal and denormal ranges, powers whose quotients stand at those ends, infinity, NaN.
 */
static const uint32_t special32[] = {
    0x00000000, 0x00000001, 0x00000002, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x0b800000,
    0x0c000000, 0x20000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x40400000, 0x5f800000, 0x6f800000, 0x7e000000,
    0x7e800000, 0x7e800001, 0x7effffff, 0x7f000000, 0x7f000001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fa00000,
};
static const uint64_t special64[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
    0x001fffffffffffff, 0x0020000000000000, 0x0350000000000000, 0x0360000000000000, 0x1000000000000000,
    0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x4008000000000000, 0x5000000000000000,
    0x6ff0000000000000, 0x7fc0000000000000, 0x7fd0000000000000, 0x7fd0000000000001, 0x7fdfffffffffffff,
    0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000, 0x7ff4000000000000,
};
#define COUNT(x) (sizeof(x) / sizeof(x)[0])

/* as many as 64 lanes at a time take */
static unsigned rounds(unsigned quick)
{
    const char *values = getenv("GCNSIM_ULP_VALUES");
    return values && *values ? (unsigned)(strtoull(values, NULL, 0) / 64) : quick;
}

static float flush32(float f)
{
    return fabsf(f) < 0x1p-126f ? copysignf(0.0f, f) : f;
}

static void check32(float n, float d, uint32_t got, bool flush, const char *target)
{
    float want = flush ? flush32(flush32(n) / flush32(d)) : n / d;

    /* A quotient that rounds up to the smallest normal number may flush or not, as hardware sees it tiny before or
     * after rounding. */
    if (flush && fabsf(want) == 0x1p-126f && (got & 0x7fffffff) == 0)
        return;
    /* With this exponent the numerator is just not scaled, the last remainder is denormal, and v_div_fmas, which runs
     * after denormals are off again, flushes it. */
    if (flush && (bits32(n) >> 23 & 0xff) == 24)
        return;
    if (isnan(want) ? !isnan(float32(got)) : bits32(want) != got)
        fail_msg("%s: %a / %a = %a, got %a", target, (double)n, (double)d, (double)want, (double)float32(got));
}

static void run32(struct rig *r, const uint32_t *words, unsigned count, const float *n, const float *d, bool flush)
{
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, 0, l, bits32(n[l]));
        rig_v(r, 1, l, bits32(d[l]));
    }
    rig_run(r, words, count);
    for (unsigned l = 0; l < r->w.lanes; l++)
        check32(n[l], d[l], rig_getv(r, 0, l), flush, r->t->name);
}

static void division32(const char *target, unsigned lanes, const uint32_t *words, unsigned count, bool flush)
{
    struct rig r;
    float n[64], d[64];
    uint64_t seed = 88172645463325252u;
    unsigned at = 0;

    rig_open(&r, target, lanes);
    isa_set_mode(&r.w, flush ? 0x3c0 : 0x3f0);
    for (unsigned a = 0; a < 2 * COUNT(special32); a++)
        for (unsigned b = 0; b < 2 * COUNT(special32); b++) {
            n[at] = float32(special32[a / 2] | (uint32_t)(a & 1) << 31);
            d[at] = float32(special32[b / 2] | (uint32_t)(b & 1) << 31);
            if (++at == lanes) {
                run32(&r, words, count, n, d, flush);
                at = 0;
            }
        }
    for (unsigned round = 0, n_rounds = rounds(1500); round < n_rounds; round++) {
        for (unsigned l = 0; l < lanes; l++) {
            uint64_t x = next_random(&seed);
            n[l] = float32((uint32_t)x);
            d[l] = float32((uint32_t)(x >> 32));
            if (round & 1) { /* nearby exponents and small fractions: exact and halfway quotients */
                n[l] = float32(((uint32_t)x & 0x8fff0000) | 0x38000000);
                d[l] = float32(((uint32_t)(x >> 32) & 0x81ff8000) | 0x3e000000);
            }
        }
        run32(&r, words, count, n, d, flush);
    }
    rig_close(&r);
}

static void check64(double n, double d, uint64_t got, const char *target)
{
    double want = n / d;
    if (isnan(want) ? !isnan(float64(got)) : bits64(want) != got)
        fail_msg("%s: %a / %a = %a, got %a", target, n, d, want, float64(got));
}

static void put64(struct rig *r, unsigned reg, unsigned lane, double v)
{
    rig_v(r, reg, lane, (uint32_t)bits64(v));
    rig_v(r, reg + 1, lane, (uint32_t)(bits64(v) >> 32));
}

static uint64_t get64(const struct rig *r, unsigned reg, unsigned lane)
{
    return rig_getv(r, reg, lane) | (uint64_t)rig_getv(r, reg + 1, lane) << 32;
}

static void run64(struct rig *r, const uint32_t *words, unsigned count, const double *n, const double *d)
{
    for (unsigned l = 0; l < r->w.lanes; l++) {
        put64(r, 0, l, n[l]);
        put64(r, 2, l, d[l]);
    }
    rig_run(r, words, count);
    for (unsigned l = 0; l < r->w.lanes; l++)
        check64(n[l], d[l], get64(r, 0, l), r->t->name);
}

static void division64(const char *target, unsigned lanes, const uint32_t *words, unsigned count)
{
    struct rig r;
    double n[64], d[64];
    uint64_t seed = 3935559000370003845u;
    unsigned at = 0;

    rig_open(&r, target, lanes);
    isa_set_mode(&r.w, 0x3c0);
    for (unsigned a = 0; a < 2 * COUNT(special64); a++)
        for (unsigned b = 0; b < 2 * COUNT(special64); b++) {
            n[at] = float64(special64[a / 2] | (uint64_t)(a & 1) << 63);
            d[at] = float64(special64[b / 2] | (uint64_t)(b & 1) << 63);
            if (++at == lanes) {
                run64(&r, words, count, n, d);
                at = 0;
            }
        }
    for (unsigned round = 0, n_rounds = rounds(1500); round < n_rounds; round++) {
        for (unsigned l = 0; l < lanes; l++) {
            uint64_t x = next_random(&seed), y = next_random(&seed);
            if (round & 1) { /* few fraction bits: exact and halfway quotients */
                x = (x & 0x801ff00000000000) | 0x3fd0000000000000;
                y = (y & 0x801f800000000000) | 0x3fe0000000000000;
            } else if (round & 2) { /* quotients around the smallest numbers */
                x = (x & 0x83ffffffffffffff) | 0x0400000000000000;
                y = (y & 0x83ffffffffffffff) | 0x4400000000000000;
            }
            n[l] = float64(x);
            d[l] = float64(y);
        }
        run64(&r, words, count, n, d);
    }
    rig_close(&r);
}

static void sqrt64(const char *target, unsigned lanes, const uint32_t *words, unsigned count)
{
    struct rig r;
    double x[64];
    uint64_t seed = 2463534242u;

    rig_open(&r, target, lanes);
    isa_set_mode(&r.w, 0x3c0);
    for (unsigned round = 0, n_rounds = rounds(1000); round < n_rounds; round++) {
        for (unsigned l = 0; l < lanes; l++) {
            /* what the code around the sequence leaves: positive, not tiny, finite */
            x[l] = float64((next_random(&seed) & 0x3fffffffffffffff) | 0x2000000000000000);
            put64(&r, 0, l, x[l]);
        }
        rig_run(&r, words, count);
        for (unsigned l = 0; l < lanes; l++)
            if (get64(&r, 0, l) != bits64(sqrt(x[l])))
                fail_msg("%s: sqrt(%a) = %a, got %a", target, x[l], sqrt(x[l]), float64(get64(&r, 0, l)));
    }
    rig_close(&r);
}

static void test_f32(void **state)
{
    (void)state;
    division32("gfx90a", 64, f32_gfx90a, COUNT(f32_gfx90a), false);
    division32("gfx1201", 32, f32_gfx1201, COUNT(f32_gfx1201), false);
}

/* gfx803 flushes f32 denormals but for the steps between the two s_setreg. */
static void test_f32_flush(void **state)
{
    (void)state;
    division32("gfx803", 64, f32_gfx803, COUNT(f32_gfx803), true);
}

static void test_f64(void **state)
{
    (void)state;
    division64("gfx803", 64, f64_gfx803, COUNT(f64_gfx803));
    division64("gfx90a", 64, f64_gfx90a, COUNT(f64_gfx90a));
    division64("gfx1201", 32, f64_gfx1201, COUNT(f64_gfx1201));
}

static void test_sqrt64(void **state)
{
    (void)state;
    sqrt64("gfx803", 64, sqrt64_gfx803, COUNT(sqrt64_gfx803));
    sqrt64("gfx90a", 64, sqrt64_gfx90a, COUNT(sqrt64_gfx90a));
    sqrt64("gfx1201", 32, sqrt64_gfx1201, COUNT(sqrt64_gfx1201));
}

/* Quotients that v_div_fixup replaces, bit by bit: the default NaN of 0 / 0 and inf / inf, an operand's NaN made quiet,
 * that of the numerator first, infinities and zeros with the sign of both. */
static void test_fixup(void **state)
{
    static const struct {
        float quotient, below, above; /* of f32 exactly, and of f64 alike */
        uint64_t wide;
        uint32_t want;
    } v[] = {
        {1, 0, 0, 0xfff8000000000000, 0xffc00000},
        {1, -0.0f, 0, 0xfff8000000000000, 0xffc00000},
        {1, INFINITY, -INFINITY, 0xfff8000000000000, 0xffc00000},
        {1, 0, 2, 0x7ff0000000000000, 0x7f800000},
        {1, -0.0f, 2, 0xfff0000000000000, 0xff800000},
        {1, 2, -INFINITY, 0xfff0000000000000, 0xff800000},
        {1, -INFINITY, 2, 0x8000000000000000, 0x80000000},
        {1, 2, -0.0f, 0x8000000000000000, 0x80000000},
        {1.5f, -2, 3, 0xbff8000000000000, 0xbfc00000},
        {-1.5f, 2, 3, 0x3ff8000000000000, 0x3fc00000},
    };
    struct rig r;

    (void)state;
    rig_open(&r, "gfx90a", 64);
    for (size_t k = 0; k < COUNT(v); k++) {
        rig_vall(&r, 1, bits32(v[k].quotient));
        rig_vall(&r, 2, bits32(v[k].below));
        rig_vall(&r, 3, bits32(v[k].above));
        rig_run(&r, (uint32_t[]){0xd1de0000, 0x040e0501}, 2); /* v_div_fixup_f32 v0, v1, v2, v3 */
        if (rig_getv(&r, 0, 5) != v[k].want)
            fail_msg("row %zu: %08x", k, rig_getv(&r, 0, 5));
        for (unsigned l = 0; l < 64; l++) {
            put64(&r, 2, l, (double)v[k].quotient);
            put64(&r, 4, l, (double)v[k].below);
            put64(&r, 6, l, (double)v[k].above);
        }
        rig_run(&r, (uint32_t[]){0xd1df0000, 0x041a0902}, 2); /* v_div_fixup_f64 v[0:1], v[2:3], v[4:5], v[6:7] */
        if (get64(&r, 0, 5) != v[k].wide)
            fail_msg("row %zu: %016llx", k, (unsigned long long)get64(&r, 0, 5));
    }
    /* NaNs, of which the signalling ones are 0x7fa... */
    static const uint32_t nan[][3] = {{0x7fa00001, 0x3f800000, 0x7fe00001},
                                      {0x3f800000, 0xffa00002, 0xffe00002},
                                      {0x7fa00001, 0x7fa00002, 0x7fe00002}};
    rig_vall(&r, 1, bits32(1));
    for (size_t k = 0; k < COUNT(nan); k++) {
        rig_vall(&r, 2, nan[k][0]);
        rig_vall(&r, 3, nan[k][1]);
        rig_run(&r, (uint32_t[]){0xd1de0000, 0x040e0501}, 2);
        assert_int_equal(rig_getv(&r, 0, 5), nan[k][2]);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f32),    cmocka_unit_test(test_f32_flush), cmocka_unit_test(test_f64),
        cmocka_unit_test(test_sqrt64), cmocka_unit_test(test_fixup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
