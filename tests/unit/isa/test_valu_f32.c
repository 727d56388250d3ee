/* Single precision: values from the manuals' rules, and the division sequence against the host's quotient. */
#include <fenv.h>
#include <math.h>

#include "isa/lanes/fp.h"
#include "tests/unit/isa/lanes_check.h"

enum {
    ZERO = 0,
    ONE = 0x3f800000,
    TWO = 0x40000000,
    HALF = 0x3f000000,
    INF = 0x7f800000,
    QNAN_A = 0x7fc00001, /* quiet, with something to recognise it by */
    SNAN_A = 0x7f800001,
    LARGEST = 0x7f7fffff,
    DENORM = 0x00000001,
    BIG_DENORM = 0x007fffff,
};
#define NEG(x)       ((uint32_t)(x) | 0x80000000u)
#define MODE_DEFAULT (0xf0 | MODE_DX10_CLAMP | MODE_IEEE)
#define MODE_FLUSH32 (0xc0 | MODE_DX10_CLAMP | MODE_IEEE)
#define MODE_NO_IEEE 0xf0

static uint32_t f(float v)
{
    return bits_f32(v);
}

static uint32_t r_add(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    float r = as_f32(a) + as_f32(b);
    return isnan32(r) ? (isnan32(as_f32(a)) ? a | 0x400000 : isnan32(as_f32(b)) ? b | 0x400000 : QNAN32) : f(r);
}

static uint32_t r_sub(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    float r = as_f32(a) - as_f32(b);
    return isnan32(r) ? (isnan32(as_f32(a)) ? a | 0x400000 : isnan32(as_f32(b)) ? b | 0x400000 : QNAN32) : f(r);
}

static uint32_t r_mul(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    float r = as_f32(a) * as_f32(b);
    return isnan32(r) ? (isnan32(as_f32(a)) ? a | 0x400000 : isnan32(as_f32(b)) ? b | 0x400000 : QNAN32) : f(r);
}

static uint32_t r_fma(uint32_t a, uint32_t b, uint32_t c)
{
    float r = fmaf(as_f32(a), as_f32(b), as_f32(c));
    uint32_t n = isnan32(as_f32(a)) ? a : isnan32(as_f32(b)) ? b : isnan32(as_f32(c)) ? c : QNAN32;
    return isnan32(r) ? n | 0x400000 : f(r);
}

static void arithmetic(void **state)
{
    (void)state;
    check_ref(r_add, "gfx803", W(0x02000501) /* v_add_f32_e32 v0, v1, v2 */);
    check_ref(r_add, "gfx1201", W(0xd5030000, 0x00020501) /* v_add_f32_e64 v0, v1, v2 */);
    check_ref(r_sub, "gfx90a", W(0x04000501) /* v_sub_f32_e32 v0, v1, v2 */);
    check_ref(r_sub, "gfx1201", W(0x0a000302) /* v_subrev_f32_e32 v0, v2, v1 */);
    check_ref(r_mul, "gfx90a", W(0x0a000501) /* v_mul_f32_e32 v0, v1, v2 */);
    check_ref(r_fma, "gfx803", W(0xd1cb0000, 0x040e0501) /* v_fma_f32 v0, v1, v2, v3 */);
    check_ref(r_fma, "gfx1201", W(0xd6130000, 0x040e0501) /* v_fma_f32 v0, v1, v2, v3 */);
    check_ref(r_fma, "gfx90a", W(0x7e000303, 0x76000501) /* v_mov_b32_e32 v0, v3; v_fmac_f32_e32 v0, v1, v2 */);
    check_ref(r_fma, "gfx1201",
              W(0x7e000303, 0xd52b0000, 0x00020501) /* v_mov_b32_e32 v0, v3; v_fmac_f32_e64 v0, v1, v2 */);
    /* one rounding: (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46 */
    check_table("gfx90a", W(0xd1cb0000, 0x040e0501) /* v_fma_f32 v0, v1, v2, v3 */,
                CASES({ONE + 1, ONE + 1, NEG(ONE + 2), 0x28800000}, {INF, ZERO, ONE, QNAN32},
                      {SNAN_A, ONE, QNAN_A + 4, QNAN_A}, {ONE, ONE, NEG(ONE), ZERO}));
    check_table("gfx1201", W(0x58000501, 0x40400000) /* v_fmamk_f32 v0, v1, 0x40400000, v2 */,
                CASES({TWO, ONE, 0, f(7.0f)}));
    check_table("gfx1201", W(0x5a000501, 0x40400000) /* v_fmaak_f32 v0, v1, v2, 0x40400000 */,
                CASES({TWO, ONE, 0, f(5.0f)}));
    check_table("gfx803", W(0x2e000501, 0x40400000) /* v_madmk_f32 v0, v1, 0x40400000, v2 */,
                CASES({TWO, ONE, 0, f(7.0f)}));
    check_table("gfx803", W(0x30000501, 0x40400000) /* v_madak_f32 v0, v1, v2, 0x40400000 */,
                CASES({TWO, ONE, 0, f(5.0f)}));
}

static void unfused(void **state)
{
    (void)state;
    /* two roundings, and no denormals although MODE keeps them */
    check_table("gfx803", W(0xd1c10000, 0x040e0501) /* v_mad_f32 v0, v1, v2, v3 */,
                CASES({ONE + 1, ONE + 1, NEG(ONE + 2), ZERO}, {DENORM, 0x7e800000, ZERO, ZERO},
                      {0x20000000, 0x1f000000, ZERO, ZERO}, {0x20000000, 0x1f000000, 0x00800000, 0x00800000},
                      {NEG(BIG_DENORM), ONE, NEG(ZERO), NEG(ZERO)}, {TWO, TWO, ONE, f(5.0f)}));
    check_table("gfx90a", W(0x7e000303, 0x2c000501) /* v_mov_b32_e32 v0, v3; v_mac_f32_e32 v0, v1, v2 */,
                CASES({ONE + 1, ONE + 1, NEG(ONE + 2), ZERO}, {TWO, TWO, ONE, f(5.0f)}));
    check_table("gfx803", W(0x08000501) /* v_mul_legacy_f32_e32 v0, v1, v2 */,
                CASES({NEG(ZERO), INF, 0, ZERO}, {QNAN_A, ZERO, 0, ZERO}, {TWO, NEG(TWO), 0, f(-4.0f)}));
    check_table("gfx1201", W(0x0e000501) /* v_mul_dx9_zero_f32_e32 v0, v1, v2 */,
                CASES({NEG(ZERO), INF, 0, ZERO}, {QNAN_A, ZERO, 0, ZERO}, {TWO, NEG(TWO), 0, f(-4.0f)}));
    check_table("gfx1201", W(0xd6090000, 0x040e0501) /* v_fma_dx9_zero_f32 v0, v1, v2, v3 */,
                CASES({NEG(ZERO), INF, ONE, ONE}, {QNAN_A, ZERO, NEG(ZERO), NEG(ZERO)}, {TWO, TWO, ONE, f(5.0f)}));
}

static void order(void **state)
{
    (void)state;
    /* IEEE mode; two quiet NaN: second on gfx8/9, first on gfx11 */
    check_table("gfx90a", W(0x16000501) /* v_max_f32_e32 v0, v1, v2 */,
                CASES({ONE, TWO, 0, TWO}, {NEG(ZERO), ZERO, 0, ZERO}, {ZERO, NEG(ZERO), 0, ZERO}, {QNAN_A, ONE, 0, ONE},
                      {ONE, QNAN_A, 0, ONE}, {SNAN_A, ONE, 0, SNAN_A | 0x400000}, {ONE, SNAN_A, 0, SNAN_A | 0x400000},
                      {QNAN_A, QNAN_A + 1, 0, QNAN_A + 1}, {NEG(INF), LARGEST, 0, LARGEST}));
    check_table("gfx803", W(0x14000501) /* v_min_f32_e32 v0, v1, v2 */,
                CASES({ONE, TWO, 0, ONE}, {NEG(ZERO), ZERO, 0, NEG(ZERO)}, {ZERO, NEG(ZERO), 0, NEG(ZERO)},
                      {QNAN_A, ONE, 0, ONE}, {ONE, QNAN_A, 0, ONE}, {SNAN_A, ONE, 0, SNAN_A | 0x400000},
                      {NEG(INF), ONE, 0, NEG(INF)}));
    check_table("gfx1100", W(0x20000501) /* v_max_f32_e32 v0, v1, v2 */,
                CASES({QNAN_A, QNAN_A + 1, 0, QNAN_A}, {SNAN_A, ONE, 0, SNAN_A | 0x400000}, {ONE, TWO, 0, TWO}));
    check_table_mode(MODE_NO_IEEE, "gfx90a", W(0x16000501) /* v_max_f32_e32 v0, v1, v2 */,
                     CASES({SNAN_A, ONE, 0, ONE}, {ONE, SNAN_A, 0, ONE}));
    /* gfx12: a number beats even a signalling NaN, whatever MODE says */
    check_table("gfx1201", W(0x2c000501) /* v_max_num_f32_e32 v0, v1, v2 */,
                CASES({SNAN_A, ONE, 0, ONE}, {ONE, SNAN_A, 0, ONE}, {SNAN_A, QNAN_A, 0, SNAN_A | 0x400000},
                      {QNAN_A, SNAN_A, 0, QNAN_A}, {NEG(ZERO), ZERO, 0, ZERO}, {TWO, ONE, 0, TWO}));
    check_table("gfx1201", W(0x2a000501) /* v_min_num_f32_e32 v0, v1, v2 */,
                CASES({TWO, ONE, 0, ONE}, {ZERO, NEG(ZERO), 0, NEG(ZERO)}));
    check_table("gfx1201", W(0xd7660000, 0x00020501) /* v_maximum_f32 v0, v1, v2 */,
                CASES({QNAN_A, ONE, 0, QNAN_A}, {ONE, QNAN_A, 0, QNAN_A}, {QNAN_A, SNAN_A, 0, SNAN_A | 0x400000},
                      {NEG(ZERO), ZERO, 0, ZERO}, {ONE, TWO, 0, TWO}));
    check_table("gfx1201", W(0xd7650000, 0x00020501) /* v_minimum_f32 v0, v1, v2 */,
                CASES({ONE, QNAN_A, 0, QNAN_A}, {ONE, TWO, 0, ONE}));
    check_table("gfx1201", W(0xd66c0000, 0x040e0501) /* v_minimummaximum_f32 v0, v1, v2, v3 */,
                CASES({ONE, TWO, HALF, ONE}, {ONE, TWO, f(9.0f), f(9.0f)}));
    check_table("gfx1201", W(0xd62a0000, 0x040e0501) /* v_max3_num_f32 v0, v1, v2, v3 */,
                CASES({ONE, QNAN_A, TWO, TWO}));
    check_table("gfx90a", W(0xd1d30000, 0x040e0501) /* v_max3_f32 v0, v1, v2, v3 */,
                CASES({ONE, QNAN_A, TWO, TWO}, {TWO, ONE, NEG(TWO), TWO}));
    check_table("gfx90a", W(0xd1d00000, 0x040e0501) /* v_min3_f32 v0, v1, v2, v3 */,
                CASES({TWO, ONE, NEG(TWO), NEG(TWO)}));
    check_table(
        "gfx90a", W(0xd1d60000, 0x040e0501) /* v_med3_f32 v0, v1, v2, v3 */,
        CASES({TWO, ONE, NEG(TWO), ONE}, {ONE, ONE, TWO, ONE}, {QNAN_A, ONE, TWO, ONE}, {ZERO, f(5.0f), ONE, ONE}));
    check_table("gfx1201", W(0xd6310000, 0x040e0501) /* v_med3_num_f32 v0, v1, v2, v3 */,
                CASES({TWO, ONE, NEG(TWO), ONE}, {QNAN_A, ONE, TWO, ONE}));
    check_table("gfx1100", W(0xd65f0000, 0x040e0501) /* v_minmax_f32 v0, v1, v2, v3 */, CASES({ONE, TWO, HALF, ONE}));
    check_table("gfx1100", W(0xd65e0000, 0x040e0501) /* v_maxmin_f32 v0, v1, v2, v3 */, CASES({ONE, TWO, HALF, HALF}));
}

static void to_integral(void **state)
{
    (void)state;
    check_table("gfx803", W(0x7e003d01) /* v_rndne_f32_e32 v0, v1 */,
                CASES({f(0.5f), 0, 0, ZERO}, {f(1.5f), 0, 0, TWO}, {f(2.5f), 0, 0, TWO}, {f(-0.5f), 0, 0, NEG(ZERO)},
                      {f(-1.5f), 0, 0, f(-2.0f)}, {0x4b000001, 0, 0, 0x4b000001}, {INF, 0, 0, INF},
                      {SNAN_A, 0, 0, SNAN_A | 0x400000}));
    check_table("gfx1201", W(0x7e004301) /* v_trunc_f32_e32 v0, v1 */,
                CASES({f(1.9f), 0, 0, ONE}, {f(-1.9f), 0, 0, f(-1.0f)}, {f(-0.9f), 0, 0, NEG(ZERO)}));
    check_table("gfx90a", W(0x7e003f01) /* v_floor_f32_e32 v0, v1 */,
                CASES({f(-0.5f), 0, 0, f(-1.0f)}, {f(1.5f), 0, 0, ONE}));
    check_table("gfx90a", W(0x7e003b01) /* v_ceil_f32_e32 v0, v1 */,
                CASES({f(-0.5f), 0, 0, NEG(ZERO)}, {f(1.5f), 0, 0, TWO}));
    check_table("gfx1201", W(0x7e004101) /* v_fract_f32_e32 v0, v1 */,
                CASES({f(1.25f), 0, 0, f(0.25f)}, {f(-0.25f), 0, 0, f(0.75f)}, {f(-1e-10f), 0, 0, 0x3f7fffff},
                      {INF, 0, 0, QNAN32}, {f(3.0f), 0, 0, ZERO}));
    check_table("gfx90a", W(0x7e006701) /* v_frexp_exp_i32_f32_e32 v0, v1 */,
                CASES({ONE, 0, 0, 1}, {f(0.75f), 0, 0, 0}, {ZERO, 0, 0, 0}, {INF, 0, 0, 0},
                      {DENORM, 0, 0, (uint32_t)-148}, {f(-8.0f), 0, 0, 4}));
    check_table("gfx90a", W(0x7e006901) /* v_frexp_mant_f32_e32 v0, v1 */,
                CASES({ONE, 0, 0, HALF}, {f(-6.0f), 0, 0, f(-0.75f)}, {DENORM, 0, 0, HALF}, {NEG(INF), 0, 0, NEG(INF)},
                      {NEG(ZERO), 0, 0, NEG(ZERO)}));
    check_table("gfx803", W(0xd2880000, 0x00020501) /* v_ldexp_f32 v0, v1, v2 */,
                CASES({f(3.0f), 4, 0, f(48.0f)}, {ONE, (uint32_t)-149, 0, DENORM}, {ONE, 128, 0, INF},
                      {f(3.0f), (uint32_t)-150, 0, 2}, {DENORM, 276, 0, f(0x1p127f)}, {ONE, 0x7fffffff, 0, INF},
                      {NEG(ONE), 0x80000000, 0, NEG(ZERO)}));
}

static void modes(void **state)
{
    (void)state;
    check_table_mode(MODE_FLUSH32, "gfx90a", W(0x02000501) /* v_add_f32_e32 v0, v1, v2 */,
                     CASES({DENORM, ZERO, 0, ZERO}, {NEG(BIG_DENORM), NEG(ZERO), 0, NEG(ZERO)},
                           {0x00800001, NEG(0x00800000), 0, ZERO}, {ONE, TWO, 0, f(3.0f)}));
    /* bit 0 of the field lets denormals in, bit 1 lets them out */
    check_table_mode(MODE_FLUSH32 | 0x10, "gfx90a", W(0x0a000501) /* v_mul_f32_e32 v0, v1, v2 */,
                     CASES({BIG_DENORM, TWO, 0, 0x00fffffe}, {BIG_DENORM, ONE, 0, ZERO}));
    check_table_mode(MODE_FLUSH32 | 0x20, "gfx90a", W(0x0a000501) /* v_mul_f32_e32 v0, v1, v2 */,
                     CASES({BIG_DENORM, TWO, 0, ZERO}, {0x00800000, HALF, 0, 0x00400000}));
    /* round to +inf, -inf, zero */
    check_table_mode(MODE_DEFAULT | 1, "gfx90a", W(0x02000501) /* v_add_f32_e32 v0, v1, v2 */,
                     CASES({ONE, 0x30000000, 0, ONE + 1}, {NEG(ONE), NEG(0x30000000), 0, NEG(ONE)}));
    check_table_mode(
        MODE_DEFAULT | 2, "gfx1201", W(0x06000501) /* v_add_f32_e32 v0, v1, v2 */,
        CASES({ONE, 0x30000000, 0, ONE}, {NEG(ONE), NEG(0x30000000), 0, NEG(ONE + 1)}, {ONE, NEG(ONE), 0, NEG(ZERO)}));
    check_table_mode(
        MODE_DEFAULT | 3, "gfx803", W(0xd1cb0000, 0x040e0501) /* v_fma_f32 v0, v1, v2, v3 */,
        CASES({ONE, ONE, 0x30000000, ONE}, {NEG(ONE), ONE, NEG(0x30000000), NEG(ONE)}, {LARGEST, TWO, ZERO, LARGEST}));
    check_table_mode(MODE_DEFAULT | 2, "gfx90a", W(0x7e003d01) /* v_rndne_f32_e32 v0, v1 */,
                     CASES({f(1.75f), 0, 0, TWO}));
    assert_int_equal(fegetround(), FE_TONEAREST);
}

/* |got - exact| within `ulps` units of the last place of the single-precision result */
static void near(uint32_t got, double exact, double ulps)
{
    double unit = ldexp(1.0, ilogb(exact) - 23), err = fabs((double)as_f32(got) - exact) / unit;
    if (!(err <= ulps))
        fail_msg("%a is %g units away from %a", (double)as_f32(got), err, exact);
}

static void transcendental(void **state)
{
    (void)state;
    struct {
        const char *target;
        const uint32_t *words;
        size_t n;
    } op
        [] =
            {
                {"gfx90a",
                 W(
                     0x7e084501, 0x7e0a4901, 0x7e0c4f01, 0x7e0e4301, 0x7e104102, 0x7e125302, 0x7e145502, 0x7e164701) /* v_rcp_f32_e32 v4, v1; v_rsq_f32_e32 v5, v1; v_sqrt_f32_e32 v6, v1; v_log_f32_e32 v7, v1; v_exp_f32_e32 v8, v2; v_sin_f32_e32 v9, v2; v_cos_f32_e32 v10, v2; v_rcp_iflag_f32_e32 v11, v1 */},
                {"gfx1201",
                 W(
                     0x7e085501, 0x7e0a5d01, 0x7e0c6701, 0x7e0e4f01, 0x7e104b02, 0x7e126b02, 0x7e146d02, 0x7e165701) /* v_rcp_f32_e32 v4, v1; v_rsq_f32_e32 v5, v1; v_sqrt_f32_e32 v6, v1; v_log_f32_e32 v7, v1; v_exp_f32_e32 v8, v2; v_sin_f32_e32 v9, v2; v_cos_f32_e32 v10, v2; v_rcp_iflag_f32_e32 v11, v1 */}};
    for (unsigned t = 0; t < 2; t++) {
        struct rig r;
        uint32_t seed = 5;
        rig_open(&r, op[t].target, t ? 32 : 64);
        for (unsigned l = 0; l < r.w.lanes; l++) {
            rig_v(&r, 1, l, (next_random(&seed) % 0x60000000) + 0x10000000);
            rig_v(&r, 2, l, f((float)(int32_t)next_random(&seed) * 0x1p-26f));
        }
        rig_run(&r, op[t].words, (unsigned)op[t].n);
        for (unsigned l = 0; l < r.w.lanes; l++) {
            double x = (double)as_f32(rig_getv(&r, 1, l)), y = (double)as_f32(rig_getv(&r, 2, l));
            near(rig_getv(&r, 4, l), 1.0 / x, 0.5);
            near(rig_getv(&r, 5, l), 1.0 / sqrt(x), 0.51);
            near(rig_getv(&r, 6, l), sqrt(x), 0.5);
            near(rig_getv(&r, 7, l), log2(x), 0.51);
            near(rig_getv(&r, 8, l), exp2(y), 0.51);
            near(rig_getv(&r, 9, l), sin(y * 2 * M_PI), 0.6);
            near(rig_getv(&r, 10, l), cos(y * 2 * M_PI), 0.6);
            assert_int_equal(rig_getv(&r, 11, l), rig_getv(&r, 4, l));
        }
        rig_close(&r);
    }
    check_table("gfx90a", W(0x7e004501) /* v_rcp_f32_e32 v0, v1 */,
                CASES({ZERO, 0, 0, INF}, {NEG(ZERO), 0, 0, NEG(INF)}, {NEG(INF), 0, 0, NEG(ZERO)}, {DENORM, 0, 0, INF},
                      {LARGEST, 0, 0, ZERO}, {SNAN_A, 0, 0, SNAN_A | 0x400000}));
    check_table(
        "gfx803", W(0x7e004901) /* v_rsq_f32_e32 v0, v1 */,
        CASES({ZERO, 0, 0, INF}, {NEG(ZERO), 0, 0, NEG(INF)}, {NEG(ONE), 0, 0, NEG(QNAN32)}, {f(4.0f), 0, 0, HALF}));
    check_table(
        "gfx1201", W(0x7e006701) /* v_sqrt_f32_e32 v0, v1 */,
        CASES({NEG(ZERO), 0, 0, NEG(ZERO)}, {NEG(ONE), 0, 0, NEG(QNAN32)}, {INF, 0, 0, INF}, {f(9.0f), 0, 0, f(3.0f)}));
    check_table("gfx1201", W(0x7e004f01) /* v_log_f32_e32 v0, v1 */,
                CASES({ZERO, 0, 0, NEG(INF)}, {BIG_DENORM, 0, 0, NEG(INF)}, {f(8.0f), 0, 0, f(3.0f)},
                      {NEG(ONE), 0, 0, NEG(QNAN32)}, {INF, 0, 0, INF}));
    check_table("gfx803", W(0x7e004101) /* v_exp_f32_e32 v0, v1 */,
                CASES({f(3.0f), 0, 0, f(8.0f)}, {f(-127.0f), 0, 0, ZERO}, {f(128.0f), 0, 0, INF},
                      {NEG(INF), 0, 0, ZERO}, {DENORM, 0, 0, ONE}));
    check_table("gfx90a", W(0x7e005301) /* v_sin_f32_e32 v0, v1 */,
                CASES({f(0.25f), 0, 0, ONE}, {f(0.5f), 0, 0, ZERO}, {f(0.75f), 0, 0, f(-1.0f)},
                      {NEG(ZERO), 0, 0, NEG(ZERO)}, {f(1000.25f), 0, 0, ONE}, {INF, 0, 0, NEG(QNAN32)}));
    check_table("gfx90a", W(0x7e005501) /* v_cos_f32_e32 v0, v1 */,
                CASES({ZERO, 0, 0, ONE}, {f(0.25f), 0, 0, ZERO}, {f(0.5f), 0, 0, f(-1.0f)}, {f(-1.0f), 0, 0, ONE}));
    check_table("gfx803", W(0x7e005301) /* v_sin_f32_e32 v0, v1 */,
                CASES({f(1000.25f), 0, 0, ZERO}, {f(-255.75f), 0, 0, ONE}));
    check_table("gfx803", W(0x7e005501) /* v_cos_f32_e32 v0, v1 */, CASES({f(1000.5f), 0, 0, ONE}));
}

static void check_scalar_transcendental(const char *target)
{
    struct rig r;
    struct {
        const char *target;
        const uint32_t *words;
        size_t n;
    } op =
        {target, W(
                     0xd6840005, 0x00000001,
                     0xd6880106, 0x00000002, 0xd6808007, 0x00000003, 0xd6820008, 0x08000004, 0xd6860009, 0x000000f6) /* v_s_rcp_f32 s5, s1; v_s_sqrt_f32 s6, |s2|; v_s_exp_f32 s7, s3 clamp; v_s_log_f32 s8, s4 mul:2; v_s_rsq_f32 s9, 4.0 */};

    rig_open(&r, op.target, 32);
    isa_set_exec(&r.w, 0);
    isa_set_mode(&r.w, 0); /* omod wants denormals flushed */
    r.w.s[1] = f(-4.0f);
    r.w.s[2] = f(-9.0f);
    r.w.s[3] = f(3.0f);
    r.w.s[4] = f(32.0f);
    rig_run(&r, op.words, (unsigned)op.n);
    assert_int_equal(r.w.s[5], f(-0.25f));
    assert_int_equal(r.w.s[6], f(3.0f));
    assert_int_equal(r.w.s[7], ONE);
    assert_int_equal(r.w.s[8], f(10.0f));
    assert_int_equal(r.w.s[9], HALF);
    rig_close(&r);
}

static void scalar_transcendental(void **state)
{
    (void)state;
    check_scalar_transcendental("gfx1201");
    check_scalar_transcendental("gfx1250");
}

/* What LLVM emits for a correctly rounded a / b (v1 / v2). */
static void check_division(const char *target, const uint32_t *words, unsigned n, unsigned lanes)
{
    static const uint32_t hard[] = {0x00000001, 0x00000003, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
                                    0x3f800000, 0x3f800001, 0x3fffffff, 0x40400000, 0x7e800000, 0x7f000000, 0x7f7fffff,
                                    0x7f800000, 0x00000000, 0x0c000000, 0x0b800001, 0x4b000000, 0x72800001, 0x7fc00001};
    const unsigned nhard = sizeof hard / sizeof hard[0];
    struct rig r;
    uint32_t seed = 77;

    rig_open(&r, target, lanes);
    for (unsigned round = 0; round < 400; round++) {
        for (unsigned l = 0; l < lanes; l++) {
            unsigned k = round * lanes + l;
            bool table = k < 4 * nhard * nhard;
            uint32_t sign = (k & 1) << 31, other = (k & 2) << 30;
            rig_v(&r, 1, l, table ? hard[k / 4 % nhard] | sign : next_random(&seed));
            rig_v(&r, 2, l, table ? hard[k / 4 / nhard % nhard] | other : next_random(&seed));
        }
        rig_run(&r, words, n);
        for (unsigned l = 0; l < lanes; l++) {
            uint32_t ua = rig_getv(&r, 1, l), ub = rig_getv(&r, 2, l), got = rig_getv(&r, 0, l);
            volatile float a = as_f32(ua), b = as_f32(ub);
            float want = a / b;
            if (isnan32(want) ? !isnan32(as_f32(got)) : got != f(want))
                fail_msg("%s: %08x / %08x gave %08x, expected %08x", target, ua, ub, got, f(want));
        }
    }
    rig_close(&r);
}

static void division(void **state)
{
    (void)state;
    struct {
        unsigned lanes;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all
        [] =
            {
                {64, "gfx803",
                 W(
                     0xd1e00804, 0x04060502, 0xd1e06a05, 0x04060501, 0x7e0c4504, 0xd1cb0007, 0x23ca0d04, 0xd1cb0006,
                     0x041a0d07, 0x0a0e0d05, 0xd1cb0008, 0x24160f04,
                     0xd1cb0007, 0x041e0d08, 0xd1cb0004, 0x24160f04, 0xd1e20004, 0x041e0d04, 0xd1de0000, 0x04060504) /* v_div_scale_f32 v4, s[8:9], v2, v2, v1; v_div_scale_f32 v5, vcc, v1, v2, v1; v_rcp_f32_e32 v6, v4; v_fma_f32 v7, -v4, v6, 1.0; v_fma_f32 v6, v7, v6, v6; v_mul_f32_e32 v7, v5, v6; v_fma_f32 v8, -v4, v7, v5; v_fma_f32 v7, v8, v6, v7; v_fma_f32 v4, -v4, v7, v5; v_div_fmas_f32 v4, v4, v6, v7; v_div_fixup_f32 v0, v4, v2, v1 */},
                {64, "gfx90a",
                 W(
                     0xd1e00804, 0x04060502, 0x7e0c4504, 0xd1cb0007, 0x23ca0d04, 0x760c0d07, 0xd1e06a07, 0x04060501,
                     0x0a100d07, 0xd1cb0009,
                     0x241e1104, 0x76100d09, 0xd1cb0004, 0x241e1104, 0xd1e20004, 0x04220d04, 0xd1de0000, 0x04060504) /* v_div_scale_f32 v4, s[8:9], v2, v2, v1; v_rcp_f32_e32 v6, v4; v_fma_f32 v7, -v4, v6, 1.0; v_fmac_f32_e32 v6, v7, v6; v_div_scale_f32 v7, vcc, v1, v2, v1; v_mul_f32_e32 v8, v7, v6; v_fma_f32 v9, -v4, v8, v7; v_fmac_f32_e32 v8, v9, v6; v_fma_f32 v4, -v4, v8, v7; v_div_fmas_f32 v4, v4, v6, v8; v_div_fixup_f32 v0, v4, v2, v1 */},
                {32, "gfx1201",
                 W(
                     0xd6fc7c04, 0x04060502, 0x7e0c5504, 0xd6130007, 0x23ca0d04, 0x560c0d07, 0xd6fc6a07, 0x04060501,
                     0x10100d07, 0xd6130009,
                     0x241e1104, 0x56100d09, 0xd6130004, 0x241e1104, 0xd6370004, 0x04220d04, 0xd6270000, 0x04060504) /* v_div_scale_f32 v4, null, v2, v2, v1; v_rcp_f32_e32 v6, v4; v_fma_f32 v7, -v4, v6, 1.0; v_fmac_f32_e32 v6, v7, v6; v_div_scale_f32 v7, vcc_lo, v1, v2, v1; v_mul_f32_e32 v8, v7, v6; v_fma_f32 v9, -v4, v8, v7; v_fmac_f32_e32 v8, v9, v6; v_fma_f32 v4, -v4, v8, v7; v_div_fmas_f32 v4, v4, v6, v8; v_div_fixup_f32 v0, v4, v2, v1 */},
            };
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++)
        check_division(all[k].target, all[k].words, (unsigned)all[k].n, all[k].lanes);
}

static void cube(void **state)
{
    (void)state;
    check_table("gfx90a", W(0xd1c40000, 0x040e0501) /* v_cubeid_f32 v0, v1, v2, v3 */,
                CASES({TWO, ONE, ONE, ZERO}, {NEG(TWO), ONE, ONE, ONE}, {ONE, TWO, ONE, TWO},
                      {ONE, NEG(TWO), ONE, f(3.0f)}, {ONE, ONE, ONE, f(4.0f)}, {ONE, ONE, NEG(TWO), f(5.0f)}));
    check_table("gfx1201", W(0xd60d0000, 0x040e0501) /* v_cubesc_f32 v0, v1, v2, v3 */,
                CASES({TWO, ONE, HALF, f(-0.5f)}, {NEG(TWO), ONE, HALF, HALF}, {HALF, TWO, ONE, HALF},
                      {HALF, ONE, NEG(TWO), f(-0.5f)}));
    check_table("gfx90a", W(0xd1c60000, 0x040e0501) /* v_cubetc_f32 v0, v1, v2, v3 */,
                CASES({TWO, HALF, ONE, f(-0.5f)}, {ONE, NEG(TWO), HALF, f(-0.5f)}, {ONE, TWO, HALF, HALF}));
    check_table("gfx90a", W(0xd1c70000, 0x040e0501) /* v_cubema_f32 v0, v1, v2, v3 */,
                CASES({TWO, ONE, ONE, f(4.0f)}, {ONE, ONE, NEG(TWO), f(-4.0f)}));
}

static void conversions(void **state)
{
    (void)state;
    check_table("gfx803", W(0x7e000f01) /* v_cvt_u32_f32_e32 v0, v1 */,
                CASES({f(1.9f), 0, 0, 1}, {f(-5.0f), 0, 0, 0}, {QNAN_A, 0, 0, 0}, {0x4f000000, 0, 0, 0x80000000},
                      {0x4f7fffff, 0, 0, 0xffffff00}, {0x4f800000, 0, 0, 0xffffffff}, {INF, 0, 0, 0xffffffff},
                      {NEG(INF), 0, 0, 0}));
    check_table("gfx1201", W(0x7e001101) /* v_cvt_i32_f32_e32 v0, v1 */,
                CASES({f(-1.9f), 0, 0, 0xffffffff}, {SNAN_A, 0, 0, 0}, {0x4f000000, 0, 0, 0x7fffffff},
                      {0xcf000000, 0, 0, 0x80000000}, {0xcf000001, 0, 0, 0x80000000}, {0x4effffff, 0, 0, 0x7fffff80}));
    check_table("gfx90a", W(0x7e000d01) /* v_cvt_f32_u32_e32 v0, v1 */,
                CASES({0xffffffff, 0, 0, 0x4f800000}, {0x01000001, 0, 0, 0x4b800000}, {0x01000003, 0, 0, 0x4b800002},
                      {3, 0, 0, f(3.0f)}));
    check_table_mode(MODE_DEFAULT | 3, "gfx90a", W(0x7e000d01) /* v_cvt_f32_u32_e32 v0, v1 */,
                     CASES({0xffffffff, 0, 0, 0x4f7fffff}));
    check_table("gfx1201", W(0x7e000b01) /* v_cvt_f32_i32_e32 v0, v1 */,
                CASES({0x80000000, 0, 0, 0xcf000000}, {0xffffffff, 0, 0, f(-1.0f)}));
    check_table("gfx90a", W(0x7e001901) /* v_cvt_rpi_i32_f32_e32 v0, v1 */,
                CASES({f(0.5f), 0, 0, 1}, {f(-0.5f), 0, 0, 0}, {f(-1.5f), 0, 0, (uint32_t)-1}, {0x3effffff, 0, 0, 0}));
    check_table("gfx1201", W(0x7e001b01) /* v_cvt_floor_i32_f32_e32 v0, v1 */,
                CASES({f(-0.5f), 0, 0, (uint32_t)-1}, {f(1.75f), 0, 0, 1}));
    check_table("gfx90a", W(0x7e002301) /* v_cvt_f32_ubyte0_e32 v0, v1 */, CASES({0x04fe0201, 0, 0, ONE}));
    check_table("gfx90a", W(0x7e002501) /* v_cvt_f32_ubyte1_e32 v0, v1 */, CASES({0x04fe0201, 0, 0, TWO}));
    check_table("gfx1201", W(0x7e002701) /* v_cvt_f32_ubyte2_e32 v0, v1 */, CASES({0x04fe0201, 0, 0, f(254.0f)}));
    check_table("gfx1201", W(0x7e002901) /* v_cvt_f32_ubyte3_e32 v0, v1 */, CASES({0x04fe0201, 0, 0, f(4.0f)}));
    check_table("gfx803", W(0x7e001d01) /* v_cvt_off_f32_i4_e32 v0, v1 */,
                CASES({0, 0, 0, ZERO}, {7, 0, 0, f(0.4375f)}, {8, 0, 0, f(-0.5f)}, {0xff, 0, 0, f(-0.0625f)}));
    check_table("gfx90a", W(0x7e001501) /* v_cvt_f16_f32_e32 v0, v1 */,
                CASES({ONE, 0, 0, 0x3c00}, {f(65519.0f), 0, 0, 0x7bff}, {f(65520.0f), 0, 0, 0x7c00},
                      {f(0x1p-24f), 0, 0, 1}, {f(0x1p-25f), 0, 0, 0}, {0x33000001, 0, 0, 1}, {f(-2.0f), 0, 0, 0xc000},
                      {0x3f801000, 0, 0, 0x3c00}, {0x3f803000, 0, 0, 0x3c02}));
    check_table(
        "gfx1201", W(0x7e001701) /* v_cvt_f32_f16_e32 v0, v1 */,
        CASES({0x3c00, 0, 0, ONE}, {1, 0, 0, f(0x1p-24f)}, {0xfc00, 0, 0, NEG(INF)}, {0x7c01, 0, 0, 0x7fc02000}));
    check_table("gfx803", W(0xd2960000, 0x00020501) /* v_cvt_pkrtz_f16_f32 v0, v1, v2 */,
                CASES({f(65535.0f), f(-65536.0f), 0, 0xfbff7bff}, {INF, f(1.9999f), 0, 0x3fff7c00}));
    check_table("gfx1201", W(0x5e000501) /* v_cvt_pk_rtz_f16_f32_e32 v0, v1, v2 */,
                CASES({f(65535.0f), f(-65536.0f), 0, 0xfbff7bff}));
    check_table("gfx90a", W(0xd2980000, 0x00020501) /* v_cvt_pk_i16_i32 v0, v1, v2 */,
                CASES({40000, (uint32_t)-40000, 0, 0x80007fff}, {5, (uint32_t)-5, 0, 0xfffb0005}));
    check_table("gfx1201", W(0xd7230000, 0x00020501) /* v_cvt_pk_u16_u32 v0, v1, v2 */,
                CASES({70000, 3, 0, 0x0003ffff}));
    check_table("gfx90a", W(0xd2940000, 0x00020501) /* v_cvt_pknorm_i16_f32 v0, v1, v2 */,
                CASES({ONE, f(-2.0f), 0, 0x80017fff}, {QNAN_A, HALF, 0, 0x40000000}));
    check_table("gfx1201", W(0xd7220000, 0x00020501) /* v_cvt_pk_norm_u16_f32 v0, v1, v2 */,
                CASES({ONE, NEG(ONE), 0, 0x0000ffff}));
    check_table("gfx1201", W(0xd7060000, 0x00020501) /* v_cvt_pk_i16_f32 v0, v1, v2 */,
                CASES({f(-1.5f), f(1e9f), 0, 0x7fffffff}));
    check_table("gfx90a", W(0xd1dd0000, 0x040e0501) /* v_cvt_pk_u8_f32 v0, v1, v2, v3 */,
                CASES({f(300.0f), 1, 0x11223344, 0x1122ff44}, {f(7.0f), 3, 0x11223344, 0x07223344},
                      {NEG(ONE), 0, 0x11223344, 0x11223300}));
    check_table("gfx1201", W(0x7e00d501) /* v_cvt_i32_i16_e32 v0, v1 */, CASES({0x00018000, 0, 0, 0xffff8000}));
    check_table("gfx90a", W(0x7e007901) /* v_cvt_i16_f16_e32 v0, v1 */,
                CASES({0xc100, 0, 0, 0x0000fffe}, {0x7bff, 0, 0, 0x7fff}, {0x7e00, 0, 0, 0}));
    check_table("gfx90a", W(0x7e007301) /* v_cvt_f16_u16_e32 v0, v1 */,
                CASES({0xffff, 0, 0, 0x7c00}, {3, 0, 0, 0x4200}));
    check_table("gfx90a", W(0x7e009f01) /* v_sat_pk_u8_i16_e32 v0, v1 */,
                CASES({0xfff00123, 0, 0, 0x000000ff}, {0x00200010, 0, 0, 0x2010}));
}

static void bytes_of_float(void **state)
{
    (void)state;
    check_table("gfx1201", W(0x7e00d901) /* v_cvt_f32_fp8_e32 v0, v1 */,
                CASES({0x38, 0, 0, ONE}, {0x7e, 0, 0, f(448.0f)}, {0x01, 0, 0, f(0x1p-9f)}, {0x7f, 0, 0, QNAN32},
                      {0x80, 0, 0, NEG(ZERO)}));
    check_table("gfx942", W(0x7e00a901) /* v_cvt_f32_fp8_e32 v0, v1 */,
                CASES({0x40, 0, 0, ONE}, {0x7f, 0, 0, f(240.0f)}, {0x80, 0, 0, QNAN32}));
    check_table("gfx1201", W(0x7e00db01) /* v_cvt_f32_bf8_e32 v0, v1 */,
                CASES({0x3c, 0, 0, ONE}, {0xfc, 0, 0, NEG(INF)}, {0x7b, 0, 0, f(57344.0f)}));
    check_table("gfx1201", W(0xd7690000, 0x00020501) /* v_cvt_pk_fp8_f32 v0, v1, v2 */,
                CASES({ONE, f(-448.0f), 0, 0x5a5afe38}, {f(1.0625f), f(1.1875f), 0, 0x5a5a3a38},
                      {f(0x1p-10f), f(0x1.8p-9f), 0, 0x5a5a0200}, {f(500.0f), INF, 0, 0x5a5a7f7f}));
    check_table("gfx1201", W(0xd76a4000, 0x00020501) /* v_cvt_pk_bf8_f32 v0, v1, v2 op_sel:[0,0,1] */,
                CASES({ONE, f(1e9f), 0, 0x7c3c1234}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(unfused),
        cmocka_unit_test(order),
        cmocka_unit_test(to_integral),
        cmocka_unit_test(modes),
        cmocka_unit_test(transcendental),
        cmocka_unit_test(scalar_transcendental),
        cmocka_unit_test(division),
        cmocka_unit_test(cube),
        cmocka_unit_test(conversions),
        cmocka_unit_test(bytes_of_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
