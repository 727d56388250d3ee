/* Stochastic rounding to 8-bit floats, which the vectors from the manuals leave out (docs/SEMANTICS_NOTES.md), by hand:
 * the top 20 (fp8) or 21 (bf8) bits of src1 are added to the mantissa, the rest is cut. */
#include "isa/lanes/fp8.h"
#include "tests/unit/isa/lanes_check.h"

enum { OVFL = 0xf0 | MODE_FP16_OVFL };

static void to_fp8(void **state)
{
    (void)state;
    /* v_cvt_sr_fp8_f32 v0, v1, v2: the other bytes stay. 0x38 is 1.0, 0x39 1.125, 0x40 2.0, 0x7e 448 */
    check_table("gfx1201", W(0xd76b0000, 0x00020501),
                CASES({0x3f880000, 0, 0, 0x5a5a1238}, {0x3f880000, 0x80000000, 0, 0x5a5a1239},
                      {0x3f880000, 0x7fffffff, 0, 0x5a5a1238}, {0x3f800000, 0xffffffff, 0, 0x5a5a1238},
                      {0xbf880000, 0x80000fff, 0, 0x5a5a12b9}, {0x3fffffff, 0x00001000, 0, 0x5a5a1240},
                      {0x43e00000, 0xffffffff, 0, 0x5a5a127e}, {0x43ef8000, 0xffffffff, 0, 0x5a5a127f},
                      {0x7f800000, 0, 0, 0x5a5a127f}, {0xffc00000, 0x12345678, 0, 0x5a5a12ff},
                      {0x7f7fffff, 0xffffffff, 0, 0x5a5a127f}, {0x3a800000, 0xffffffff, 0, 0x5a5a1200},
                      {0x80000001, 0, 0, 0x5a5a1280}));
    check_table_mode(OVFL, "gfx1201", W(0xd76b0000, 0x00020501),
                     CASES({0x43ef8000, 0xffffffff, 0, 0x5a5a127e}, {0xff800000, 0, 0, 0x5a5a12fe}));
    check_table("gfx1201", W(0xd76b2000, 0x00020501) /* byte_sel:1 */, CASES({0x3f800000, 0, 0, 0x5a5a3834}));
    check_table("gfx1201", W(0xd76b4000, 0x00020501) /* byte_sel:2 */, CASES({0x3f800000, 0, 0, 0x5a381234}));
    /* bias 8 on gfx942: 0x40 is 1.0; no -0, and NaN is 0x80 */
    check_table("gfx942", W(0xd2a40000, 0x00020501) /* v_cvt_sr_fp8_f32 v0, v1, v2 */,
                CASES({0x3f800000, 0xffffffff, 0, 0x5a5a1240}, {0x3f880000, 0x80000000, 0, 0x5a5a1241},
                      {0x80000001, 0, 0, 0x5a5a1200}, {0x7fc00000, 0, 0, 0x5a5a1280}, {0x7f800000, 0, 0, 0x5a5a1280}));
    check_table("gfx942", W(0xd2a46000, 0x20020501) /* v_cvt_sr_fp8_f32 v0, -v1, v2 op_sel:[0,0,1,1] */,
                CASES({0x3f800000, 0, 0, 0xc05a1234}));
    check_table("gfx942", W(0xd2a42100, 0x00020501) /* v_cvt_sr_fp8_f32 v0, |v1|, v2 op_sel:[0,0,1,0] */,
                CASES({0xbf800000, 0, 0, 0x5a5a4034}));
}

static void to_bf8(void **state)
{
    (void)state;
    /* 0x3c is 1.0, 0x3d 1.25, 0x7b 57344, 0x7c infinity */
    check_table("gfx1201", W(0xd76c0000, 0x00020501) /* v_cvt_sr_bf8_f32 v0, v1, v2 */,
                CASES({0x3f900000, 0, 0, 0x5a5a123c}, {0x3f900000, 0x80000000, 0, 0x5a5a123d},
                      {0x3f800000, 0xffffffff, 0, 0x5a5a123c}, {0x47600000, 0xffffffff, 0, 0x5a5a127b},
                      {0x477fffff, 0xffffffff, 0, 0x5a5a127c}, {0xff800000, 0, 0, 0x5a5a12fc}));
    check_table_mode(OVFL, "gfx1201", W(0xd76c0000, 0x00020501), CASES({0x477fffff, 0xffffffff, 0, 0x5a5a127b}));
    check_table("gfx942", W(0xd2a50000, 0x00020501) /* v_cvt_sr_bf8_f32 v0, v1, v2 */,
                CASES({0x3f800000, 0xffffffff, 0, 0x5a5a1240}, {0x3f900000, 0x80000000, 0, 0x5a5a1241}));
}

/* Lane l of a row takes lane l - 1's source; the first has none and nothing is written. */
static void through_dpp(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 1, l, l % 2 ? 0x40000000 : 0x3f800000);
    isa_set_exec(&r.w, 0xffffff);
    /* v_cvt_sr_fp8_f32_e64_dpp v0, v1, v2 byte_sel:1 row_shr:1 */
    rig_run(&r, W(0xd76b2000, 0x000204fa, 0xff011101));
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(rig_getv(&r, 0, l), l % 16 == 0 || l >= 24 ? 0 : l % 2 ? 0x3800 : 0x4000);
    rig_close(&r);
}

/* The dot products of halves in VOP3's encoding: neg and abs of the packed sources go for both halves. */
static void neg_and_abs_of_dot2(void **state)
{
    (void)state;
    /* v_dot2_f16_f16 v0, -v1, |v2|, -v3: -(1 * 2 + 2 * 3) - 4, and with -1 and -3 */
    check_table("gfx1100", W(0xd6660200, 0xa40e0501),
                CASES({0x40003c00, 0x42004000, 0x4400, 0x5a5aca00}, {0x4000bc00, 0xc2004000, 0x4400, 0x5a5ac800}));
    check_table("gfx1201", W(0xd6670200, 0xa40e0501) /* v_dot2_bf16_bf16 */,
                CASES({0x40003f80, 0x40404000, 0x4080, 0x5a5ac140}, {0x4000bf80, 0xc0404000, 0x4080, 0x5a5ac100}));
}

/* The function of lane loops beside the one that rounds in steps, of every 4,093rd float and those about each power of
 * two; GCNSIM_WHOLE_ROWS=1: of every float. */
static void nearest_beside_narrow(void **state)
{
    static const struct fp8 formats[] = {fp8_ocp, bf8_ocp, fp8_fnuz, bf8_fnuz, fp8_e5m3};
    const uint64_t step = getenv("GCNSIM_WHOLE_ROWS") ? 1 : 4093;

    (void)state;
    for (size_t n = 0; n < 2 * sizeof formats / sizeof *formats; n++)
        for (uint64_t u = 0; u < UINT64_C(1) << 32; u += (u & 0x7fffff) < 32 || (u & 0x7fffff) >= 0x7fffe0 ? 1 : step) {
            float a = as_f32((uint32_t)u);
            uint32_t got = nearest_fp8(formats[n / 2], a, n & 1), want = narrow_fp8(formats[n / 2], a, n & 1, -1);

            if (got != want)
                fail_msg("format %zu of 0x%08x: 0x%02x, not 0x%02x", n / 2, (uint32_t)u, got, want);
        }
}

/* The same with random bits added, which are all ones, none or any. */
static void random_beside_narrow(void **state)
{
    static const struct fp8 formats[] = {fp8_ocp, bf8_ocp, fp8_fnuz, bf8_fnuz, fp8_e5m3, fp6_ocp, bf6_ocp, fp4_ocp};
    const uint64_t step = getenv("GCNSIM_WHOLE_ROWS") ? 17 : 4093;
    uint32_t random = 1;

    (void)state;
    for (size_t n = 0; n < sizeof formats / sizeof *formats; n++)
        for (uint64_t u = 0; u < UINT64_C(1) << 32; u += (u & 0x7fffff) < 32 || (u & 0x7fffff) >= 0x7fffe0 ? 1 : step) {
            struct fp8 f = formats[n];
            const int lost = 23 - f.mant;
            uint32_t a = (uint32_t)u, more = (u & 7) < 2 ? (1u << lost) - 1 : (u & 7) == 2 ? 0 : random >> (32 - lost);
            uint32_t got = signed_fp8(f, code_fp8(f, small_range(f, a & 0x7fffffff), true, more), a, u & 1);
            uint32_t want = narrow_fp8(f, (double)as_f32(a), u & 1, ldexp((double)more, -lost));

            random = random * 1664525 + 1013904223;
            if (got != want)
                fail_msg("format %zu of 0x%08x and 0x%06x: 0x%02x, not 0x%02x", n, a, more, got, want);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_fp8), cmocka_unit_test(nearest_beside_narrow), cmocka_unit_test(random_beside_narrow),
        cmocka_unit_test(to_bf8), cmocka_unit_test(through_dpp),           cmocka_unit_test(neg_and_abs_of_dot2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
