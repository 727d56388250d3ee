/* Double precision: arithmetic against the host, corners from the manuals' pseudocode, conversions, 64-bit integers. */
#include <fenv.h>
#include <math.h>

#include "tests/unit/isa/lanes_check.h"

#define ONE          UINT64_C(0x3ff0000000000000)
#define TWO          UINT64_C(0x4000000000000000)
#define THREE        UINT64_C(0x4008000000000000)
#define HALF         UINT64_C(0x3fe0000000000000)
#define INF          UINT64_C(0x7ff0000000000000)
#define QNAN_A       UINT64_C(0x7ff8000000000001)
#define QNAN_B       UINT64_C(0x7ff8000000000002)
#define SNAN_A       UINT64_C(0x7ff0000000000001)
#define LARGEST      UINT64_C(0x7fefffffffffffff)
#define SMALLEST     UINT64_C(0x0010000000000000)
#define DENORM       UINT64_C(1)
#define SIGN         UINT64_C(0x8000000000000000)
#define NEG(x)       ((x) | SIGN)
#define INVALID      UINT64_C(0x7ff8000000000000)
#define MODE_DEFAULT (0xf0 | MODE_DX10_CLAMP | MODE_IEEE)
#define MODE_FLUSH64 (0x30 | MODE_DX10_CLAMP | MODE_IEEE)

struct case64 {
    uint64_t a, b, c, want;
};
#define CASES64(...)                                                                                                   \
    (const struct case64[]){__VA_ARGS__}, sizeof((const struct case64[]){__VA_ARGS__}) / sizeof(struct case64)

static void put64(struct rig *r, unsigned reg, unsigned lane, uint64_t v)
{
    rig_v(r, reg, lane, (uint32_t)v);
    rig_v(r, reg + 1, lane, (uint32_t)(v >> 32));
}

static uint64_t get64(const struct rig *r, unsigned reg, unsigned lane)
{
    return rig_getv(r, reg, lane) | (uint64_t)rig_getv(r, reg + 1, lane) << 32;
}

/* v[0:1] result, v[2:3], v[4:5], v[6:7] operands; dwords: how much of the result counts */
static void table64(uint32_t mode, unsigned dwords, const char *target, const uint32_t *words, unsigned n,
                    const struct case64 *cases, unsigned count)
{
    struct rig r;

    rig_open(&r, target, 64);
    isa_set_mode(&r.w, mode);
    assert_true(count <= 64);
    for (unsigned l = 0; l < count; l++) {
        put64(&r, 0, l, UINT64_C(0x1122334455667788));
        put64(&r, 2, l, cases[l].a);
        put64(&r, 4, l, cases[l].b);
        put64(&r, 6, l, cases[l].c);
    }
    rig_run(&r, words, n);
    for (unsigned l = 0; l < count; l++) {
        uint64_t got = dwords == 2 ? get64(&r, 0, l) : rig_getv(&r, 0, l);
        if (got != cases[l].want)
            fail_msg("%s %08x case %u: gave %016llx, expected %016llx", target, words[0], l, (unsigned long long)got,
                     (unsigned long long)cases[l].want);
        if (dwords == 1)
            assert_int_equal(rig_getv(&r, 1, l), 0x11223344);
    }
    rig_close(&r);
}

static uint64_t next64(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static double as_double(uint64_t u)
{
    double d;
    memcpy(&d, &u, 8);
    return d;
}

static uint64_t bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}

typedef double ref64(double a, double b, double c);

/* Random operands in all four rounding modes, partial EXEC. NaN results are the tables' business. */
static void random64(ref64 *ref, const char *target, const uint32_t *words, unsigned n)
{
    static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint64_t seed = 0x9e3779b97f4a7c15;
    struct rig r;

    rig_open(&r, target, 64);
    for (unsigned round = 0; round < 64; round++) {
        uint64_t exec = round < 4 ? ~UINT64_C(0) : next64(&seed);
        uint64_t in[3][64];
        isa_set_mode(&r.w, MODE_DEFAULT | (round & 3) << 2);
        isa_set_exec(&r.w, exec);
        for (unsigned l = 0; l < 64; l++)
            for (unsigned k = 0; k < 3; k++) {
                /* exponents near one another so that the low bits meet */
                in[k][l] = round & 4 ? next64(&seed) : (next64(&seed) & UINT64_C(0x801fffffffffffff)) + HALF;
                put64(&r, 2 + 2 * k, l, in[k][l]);
                put64(&r, 0, l, 77);
            }
        rig_run(&r, words, n);
        fesetround(host[round & 3]);
        for (unsigned l = 0; l < 64; l++) {
            volatile double a = as_double(in[0][l]), b = as_double(in[1][l]), c = as_double(in[2][l]);
            double want = ref(a, b, c);
            uint64_t got = get64(&r, 0, l);
            if (exec >> l & 1 ? !isnan(want) && got != bits(want) : got != 77) {
                fesetround(FE_TONEAREST);
                fail_msg("%s %08x round %u: %a %a %a gave %a, expected %a", target, words[0], round & 3, a, b, c,
                         as_double(got), want);
            }
        }
        fesetround(FE_TONEAREST);
    }
    rig_close(&r);
}

static double ref_add(double a, double b, double c)
{
    (void)c;
    return a + b;
}

static double ref_mul(double a, double b, double c)
{
    (void)c;
    return a * b;
}

static double ref_fma(double a, double b, double c)
{
    return fma(a, b, c);
}

static void arithmetic(void **state)
{
    (void)state;
    random64(ref_add, "gfx803", W(0xd2800000, 0x00020902) /* v_add_f64 v[0:1], v[2:3], v[4:5] */);
    random64(ref_add, "gfx1201", W(0x04000902) /* v_add_f64_e32 v[0:1], v[2:3], v[4:5] */);
    random64(ref_mul, "gfx90a", W(0xd2810000, 0x00020902) /* v_mul_f64 v[0:1], v[2:3], v[4:5] */);
    random64(ref_mul, "gfx1201", W(0xd5060000, 0x00020902) /* v_mul_f64_e64 v[0:1], v[2:3], v[4:5] */);
    random64(ref_fma, "gfx90a", W(0xd1cc0000, 0x041a0902) /* v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7] */);
    table64(
        MODE_DEFAULT, 2, "gfx90a", W(0xd2800000, 0x40020902) /* v_add_f64 v[0:1], v[2:3], -v[4:5] */,
        CASES64({THREE, ONE, 0, TWO}, {INF, INF, 0, INVALID}, {QNAN_A, QNAN_B, 0, QNAN_A}, {SNAN_A, ONE, 0, QNAN_A}));
    table64(MODE_DEFAULT, 2, "gfx90a", W(0x08000902) /* v_fmac_f64_e32 v[0:1], v[2:3], v[4:5] */,
            CASES64({THREE, 0, 0, UINT64_C(0x1122334455667788)}, {ONE, THREE, 0, THREE}, {INF, 0, 0, INVALID}));
    table64(MODE_FLUSH64, 2, "gfx803", W(0xd2800000, 0x00020902) /* v_add_f64 v[0:1], v[2:3], v[4:5] */,
            CASES64({DENORM, DENORM, 0, 0}, {SMALLEST | 1, NEG(SMALLEST), 0, 0}, {NEG(DENORM), SIGN, 0, SIGN}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2818000, 0x00020902) /* v_mul_f64 v[0:1], v[2:3], v[4:5] clamp */,
            CASES64({THREE, ONE, 0, ONE}, {NEG(ONE), ONE, 0, 0}));
    table64(0, 2, "gfx803", W(0xd2810000, 0x18020902) /* v_mul_f64 v[0:1], v[2:3], v[4:5] div:2 */,
            CASES64({TWO, TWO, 0, TWO}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2810100, 0x0001e102) /* v_mul_f64 v[0:1], |v[2:3]|, 0.5 */,
            CASES64({NEG(TWO), 0, 0, ONE}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0x040004ff, 0x40080000) /* v_add_f64_e32 v[0:1], 0x40080000, v[2:3] */,
            CASES64({NEG(ONE), 0, 0, TWO}));
}

static void minimum_maximum(void **state)
{
    (void)state;
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2820000, 0x00020902) /* v_min_f64 v[0:1], v[2:3], v[4:5] */,
            CASES64({ONE, TWO, 0, ONE}, {0, SIGN, 0, SIGN}, {SIGN, 0, 0, SIGN}, {QNAN_A, ONE, 0, ONE},
                    {ONE, QNAN_A, 0, ONE}, {ONE, SNAN_A, 0, QNAN_A}));
    table64(
        MODE_DEFAULT, 2, "gfx90a", W(0xd2830000, 0x00020902) /* v_max_f64 v[0:1], v[2:3], v[4:5] */,
        CASES64({ONE, TWO, 0, TWO}, {0, SIGN, 0, 0}, {SIGN, 0, 0, 0}, {QNAN_A, ONE, 0, ONE}, {NEG(INF), ONE, 0, ONE}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0x1c000902) /* v_max_num_f64_e32 v[0:1], v[2:3], v[4:5] */,
            CASES64({QNAN_A, ONE, 0, ONE}, {ONE, TWO, 0, TWO}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0xd7420000, 0x00020902) /* v_maximum_f64 v[0:1], v[2:3], v[4:5] */,
            CASES64({QNAN_A, ONE, 0, QNAN_A}, {QNAN_B, SNAN_A, 0, QNAN_A}, {SIGN, 0, 0, 0}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0xd7410000, 0x00020902) /* v_minimum_f64 v[0:1], v[2:3], v[4:5] */,
            CASES64({ONE, QNAN_B, 0, QNAN_B}, {SIGN, 0, 0, SIGN}, {ONE, TWO, 0, ONE}));
}

static void parts(void **state)
{
    const uint64_t one_half = UINT64_C(0x3ff8000000000000), below_one = UINT64_C(0x3fefffffffffffff);
    (void)state;
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e002f02) /* v_trunc_f64_e32 v[0:1], v[2:3] */,
            CASES64({one_half, 0, 0, ONE}, {NEG(HALF), 0, 0, SIGN}, {SNAN_A, 0, 0, QNAN_A}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e003102) /* v_ceil_f64_e32 v[0:1], v[2:3] */,
            CASES64({one_half, 0, 0, TWO}, {NEG(HALF), 0, 0, SIGN}, {DENORM, 0, 0, ONE}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e003502) /* v_floor_f64_e32 v[0:1], v[2:3] */,
            CASES64({one_half, 0, 0, ONE}, {NEG(HALF), 0, 0, NEG(ONE)}, {LARGEST, 0, 0, LARGEST}));
    for (uint32_t m = 0; m < 4; m++)
        table64(MODE_DEFAULT | m << 2, 2, "gfx803", W(0x7e003302) /* v_rndne_f64_e32 v[0:1], v[2:3] */,
                CASES64({one_half, 0, 0, TWO}, {HALF, 0, 0, 0}, {NEG(HALF), 0, 0, SIGN}, {HALF + 1, 0, 0, ONE},
                        {UINT64_C(0x4004000000000000), 0, 0, TWO}, {LARGEST, 0, 0, LARGEST},
                        {UINT64_C(0x432fffffffffffff), 0, 0, UINT64_C(0x4330000000000000)}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e006502) /* v_fract_f64_e32 v[0:1], v[2:3] */,
            CASES64({one_half, 0, 0, HALF}, {NEG(one_half), 0, 0, HALF}, {NEG(DENORM), 0, 0, below_one}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e006302) /* v_frexp_mant_f64_e32 v[0:1], v[2:3] */,
            CASES64({ONE, 0, 0, HALF}, {NEG(THREE), 0, 0, NEG(UINT64_C(0x3fe8000000000000))}, {DENORM, 0, 0, HALF},
                    {SIGN, 0, 0, SIGN}, {INF, 0, 0, INF}, {SNAN_A, 0, 0, QNAN_A},
                    {3, 0, 0, UINT64_C(0x3fe8000000000000)}));
    table64(MODE_DEFAULT, 1, "gfx803", W(0x7e006102) /* v_frexp_exp_i32_f64_e32 v0, v[2:3] */,
            CASES64({ONE, 0, 0, 1}, {DENORM, 0, 0, (uint32_t)-1073}, {SMALLEST, 0, 0, (uint32_t)-1021}, {0, 0, 0, 0},
                    {INF, 0, 0, 0}, {QNAN_A, 0, 0, 0}, {LARGEST, 0, 0, 1024}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2840000, 0x00020902) /* v_ldexp_f64 v[0:1], v[2:3], v4 */,
            CASES64({ONE, 1, 0, TWO}, {ONE, (uint32_t)-1074, 0, DENORM}, {ONE, (uint32_t)-1075, 0, 0},
                    {THREE, (uint32_t)-1075, 0, 2}, {DENORM, 1074, 0, ONE},
                    {DENORM, 2097, 0, UINT64_C(0x7fe0000000000000)}, {ONE, 1024, 0, INF}, {ONE, 0x7fffffff, 0, INF},
                    {NEG(ONE), 0x80000000, 0, SIGN}, {SNAN_A, 0, 0, QNAN_A}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e005102) /* v_sqrt_f64_e32 v[0:1], v[2:3] */,
            CASES64({UINT64_C(0x4010000000000000), 0, 0, TWO}, {SIGN, 0, 0, SIGN}, {NEG(ONE), 0, 0, NEG(INVALID)}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e004b02) /* v_rcp_f64_e32 v[0:1], v[2:3] */,
            CASES64({TWO, 0, 0, HALF}, {SIGN, 0, 0, NEG(INF)}, {NEG(INF), 0, 0, SIGN}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e004d02) /* v_rsq_f64_e32 v[0:1], v[2:3] */,
            CASES64({UINT64_C(0x4010000000000000), 0, 0, HALF}, {INF, 0, 0, 0}, {0, 0, 0, INF}));
}

/* 53-bit segments of 2/pi, computed with big integers from an arctangent formula of pi other than the one that made the
 * table */
static void trig_preop(void **state)
{
    (void)state;
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2920000, 0x00020902) /* v_trig_preop_f64 v[0:1], v[2:3], v4 */,
            CASES64({UINT64_C(0x3ff0000000000000), 0, 0, UINT64_C(0x3fe45f306dc9c882)},
                    {UINT64_C(0x3ff0000000000000), 1, 0, UINT64_C(0x3c94a7f09d5f47d4)},
                    {UINT64_C(0x3ff0000000000000), 2, 0, UINT64_C(0x394a6ee06db14acc)},
                    {UINT64_C(0x4360000000000000), 0, 0, UINT64_C(0x3fc17cc1b727220a)},
                    {UINT64_C(0x7b00000000000000), 1, 0, UINT64_C(0x0ced45aea4f758fd)},
                    {UINT64_C(0x7fe0000000000000), 2, 0, UINT64_C(0x04b2ea6bfb5fb11f)},
                    {UINT64_C(0x3ff0000000000000), 22, 0, UINT64_C(0x0000000000000000)},
                    {UINT64_C(0x3ff0000000000000), 31, 0, UINT64_C(0x0000000000000000)}));
}

static void conversions(void **state)
{
    (void)state;
    table64(MODE_DEFAULT, 1, "gfx803", W(0x7e000702) /* v_cvt_i32_f64_e32 v0, v[2:3] */,
            CASES64({NEG(UINT64_C(0x3ffe000000000000)), 0, 0, 0xffffffff},
                    {UINT64_C(0x41f0000000000000), 0, 0, 0x7fffffff}, {NEG(INF), 0, 0, 0x80000000}, {QNAN_A, 0, 0, 0},
                    {UINT64_C(0xc1e0000000000000), 0, 0, 0x80000000},
                    {UINT64_C(0x41dfffffffffffff), 0, 0, 0x7fffffff}));
    table64(MODE_DEFAULT, 1, "gfx803", W(0x7e002b02) /* v_cvt_u32_f64_e32 v0, v[2:3] */,
            CASES64({NEG(ONE), 0, 0, 0}, {INF, 0, 0, 0xffffffff}, {QNAN_A, 0, 0, 0},
                    {UINT64_C(0x41efffffffe00000), 0, 0, 0xffffffff}, {UINT64_C(0x3fffffffffffffff), 0, 0, 1}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e000902) /* v_cvt_f64_i32_e32 v[0:1], v2 */,
            CASES64({0x80000000, 0, 0, UINT64_C(0xc1e0000000000000)}, {3, 0, 0, THREE}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e002d02) /* v_cvt_f64_u32_e32 v[0:1], v2 */,
            CASES64({0x80000000, 0, 0, UINT64_C(0x41e0000000000000)}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0x7e002102) /* v_cvt_f64_f32_e32 v[0:1], v2 */,
            CASES64({1, 0, 0, UINT64_C(0x36a0000000000000)}, {0xff800000, 0, 0, NEG(INF)},
                    {0x7f800001, 0, 0, UINT64_C(0x7ff8000020000000)}));
    table64(MODE_DEFAULT, 1, "gfx803", W(0x7e001f02) /* v_cvt_f32_f64_e32 v0, v[2:3] */,
            CASES64({UINT64_C(0x3ff0000010000000), 0, 0, 0x3f800000}, {UINT64_C(0x3ff0000030000000), 0, 0, 0x3f800002},
                    {LARGEST, 0, 0, 0x7f800000}, {UINT64_C(0x36a0000000000000), 0, 0, 1},
                    {UINT64_C(0x7ff4000020000000), 0, 0, 0x7fe00001}));
    /* rounding to f32 follows the f32 field */
    table64(
        MODE_DEFAULT | 1, 1, "gfx803", W(0x7e001f02) /* v_cvt_f32_f64_e32 v0, v[2:3] */,
        CASES64({UINT64_C(0x3ff0000010000000), 0, 0, 0x3f800001}, {UINT64_C(0xbff0000010000000), 0, 0, 0xbf800000}));
    table64(0xc0 | MODE_IEEE, 1, "gfx803", W(0x7e001f02) /* v_cvt_f32_f64_e32 v0, v[2:3] */,
            CASES64({UINT64_C(0xb6a0000000000000), 0, 0, 0x80000000}));
}

static void integers(void **state)
{
    const uint64_t x = UINT64_C(0x8123456789abcdef);
    (void)state;
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd28f0000, 0x00020902) /* v_lshlrev_b64 v[0:1], v2, v[4:5] */,
            CASES64({4, x, 0, x << 4}, {36, x, 0, x << 36}, {64, x, 0, x}, {0, x, 0, x}, {0xffffffff, x, 0, SIGN}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0x3e000902) /* v_lshlrev_b64_e32 v[0:1], v2, v[4:5] */,
            CASES64({4, x, 0, x << 4}, {65, x, 0, x << 1}));
    table64(MODE_DEFAULT, 2, "gfx1201", W(0xd51f0000, 0x00020882) /* v_lshlrev_b64_e64 v[0:1], 2, v[4:5] */,
            CASES64({4, x, 0, x << 2}));
    table64(MODE_DEFAULT, 2, "gfx90a", W(0xd2900000, 0x00020902) /* v_lshrrev_b64 v[0:1], v2, v[4:5] */,
            CASES64({4, x, 0, x >> 4}, {63, x, 0, 1}, {64, x, 0, x}));
    table64(MODE_DEFAULT, 2, "gfx803", W(0xd2910000, 0x00020902) /* v_ashrrev_i64 v[0:1], v2, v[4:5] */,
            CASES64({4, x, 0, UINT64_C(0xf8123456789abcde)}, {63, x, 0, ~UINT64_C(0)}));
    table64(MODE_DEFAULT, 2, "gfx942", W(0xd2080000, 0x041a0902) /* v_lshl_add_u64 v[0:1], v[2:3], v4, v[6:7] */,
            CASES64({x, 3, 1, (x << 3) + 1}, {~UINT64_C(0), 0, 2, 1}));
    table64(MODE_DEFAULT, 2, "gfx942", W(0x7e007102) /* v_mov_b64_e32 v[0:1], v[2:3] */, CASES64({x, 0, 0, x}));
    table64(MODE_DEFAULT, 2, "gfx942", W(0x7e0070f2) /* v_mov_b64_e32 v[0:1], 1.0 */, CASES64({x, 0, 0, ONE}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic), cmocka_unit_test(minimum_maximum), cmocka_unit_test(parts),
        cmocka_unit_test(trig_preop), cmocka_unit_test(conversions),     cmocka_unit_test(integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
