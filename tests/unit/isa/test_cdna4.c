/* What gfx950 added and the vectors do not have: swaps between halves of a wave, v_bitop3, stochastic rounding, packed
 * minima of three. (AMD CDNA4 ISA manual, chapter "Vector ALU Instructions".) */
#include "isa/lanes/lanes.h"
#include "tests/unit/isa/lanes_check.h"

static void swap_of_lanes(unsigned opcode, unsigned distance, bool e64)
{
    uint64_t exec = UINT64_C(0xfffff0ffffff3fff);
    struct rig r;

    rig_open(&r, "gfx950", 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 0, l, 1000 + l);
        rig_v(&r, 1, l, 2000 + l);
    }
    isa_set_exec(&r.w, exec);
    /* vdst v0, src0 v1 */
    if (e64)
        rig_run(&r, (uint32_t[]){0xd1400000 + (opcode << 16), 0x00000101}, 2);
    else
        rig_run(&r, (uint32_t[]){0x7e000101 | opcode << 9}, 1);
    for (unsigned l = 0; l < 64; l++) {
        bool upper = l & distance, on = exec >> l & 1;
        assert_int_equal(rig_getv(&r, 0, l), upper && on ? 2000 + l - distance : 1000 + l);
        assert_int_equal(rig_getv(&r, 1, l), !upper && on ? 1000 + l + distance : 2000 + l);
    }
    rig_close(&r);
}

static void permlane_swaps(void **state)
{
    (void)state;
    for (unsigned e64 = 0; e64 < 2; e64++) {
        swap_of_lanes(0x59, 16, e64);
        swap_of_lanes(0x5a, 32, e64);
    }
}

/* every table on three words whose bits make all eight combinations */
static void bitop3(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, "gfx950", 64);
    rig_vall(&r, 1, 0xf0f0f0f0);
    rig_vall(&r, 2, 0xcccccccc);
    rig_vall(&r, 3, 0xaaaaaaaa);
    for (uint32_t table = 0; table < 256; table++) {
        uint32_t w[2] = {0xd2340000 | (table >> 3 & 7) << 8, 0x040e0501 | (table & 7) << 29 | (table >> 6) << 27};
        char text[64], want[64];
        struct isa_inst i;
        rig_run(&r, w, 2);
        assert_int_equal(rig_getv(&r, 0, 5), table * 0x01010101u);
        assert_int_equal(isa_decode(r.t, (const uint8_t *)w, 8, &i, NULL), 8);
        isa_text(r.t, &i, text, sizeof text);
        snprintf(want, sizeof want, table ? table <= 10 ? " bitop3:%u" : " bitop3:0x%x" : "%.0d", table);
        assert_string_equal(text + strlen("v_bitop3_b32 v0, v1, v2, v3"), want);
        /* halves: the high ones of src0 and of the result */
        w[0] = 0xd2330000 | (table >> 3 & 7) << 8 | 9 << 11;
        rig_vall(&r, 1, 0xf0f00000);
        rig_vall(&r, 0, 0x1234);
        rig_run(&r, w, 2);
        assert_int_equal(rig_getv(&r, 0, 63), (table * 0x01010101u & 0xffff0000) | 0x1234);
        rig_vall(&r, 1, 0xf0f0f0f0);
    }
    /* scalars and constants: s4 and -1 */
    r.w.s[4] = 0x0f;
    rig_run(&r, (uint32_t[]){0xd2340600, 0x040d8204}, 2); /* v_bitop3_b32 v0, s4, -1, v3 bitop3:0x30 */
    assert_int_equal(rig_getv(&r, 0, 0), 0);
    rig_close(&r);
}

static uint32_t f(float v)
{
    return bits_f32(v);
}

static void stochastic(void **state)
{
    (void)state;
    /* 1 + 3/4 of the last place of a bf16 goes up when the random number's top quarter does not keep it down */
    check_table("gfx950", W(0xd2a70000, 0x00020501) /* v_cvt_sr_bf16_f32 v0, v1, v2 */,
                CASES({0x3f80c000, 0x3fffffff, 0, 0x5a5a3f80}, {0x3f80c000, 0x40000000, 0, 0x5a5a3f81},
                      {0xbf80c000, 0x40000000, 0, 0x5a5abf81}, {0x3f80ffff, 0, 0, 0x5a5a3f80},
                      {0x7f800000, 0xffffffff, 0, 0x5a5a7f80}));
    check_table("gfx950", W(0xd2a60000, 0x00020501) /* v_cvt_sr_f16_f32 v0, v1, v2 */,
                CASES({0x3f801800, 0x3fffffff, 0, 0x5a5a3c00}, {0x3f801800, 0x40000000, 0, 0x5a5a3c01},
                      {f(-2.0f), 0xffffffff, 0, 0x5a5ac000}, {0x7f800000, 0xffffffff, 0, 0x5a5a7c00},
                      {0x7f7fffff, 0xffffffff, 0, 0x5a5a7c00}, {0x477fefff, 0xffffffff, 0, 0x5a5a7c00},
                      {0x477fefff, 0, 0, 0x5a5a7bff}));
}

static void minima_of_three(void **state)
{
    (void)state;
    check_table("gfx950", W(0xd39b4000, 0x1c0e0501) /* v_pk_minimum3_f16 v0, v1, v2, v3 */,
                CASES({0x3c004000, 0x40003c00, 0xbc000000, 0xbc000000}, {0x7e013c00, 0x40003c00, 0, 0x7e010000}));
    check_table("gfx950", W(0xd39c4000, 0x1c0e0501) /* v_pk_maximum3_f16 v0, v1, v2, v3 */,
                CASES({0x3c004000, 0x40003c00, 0xbc000000, 0x40004000}, {0x7e013c00, 0x40003c00, 0, 0x7e013c00}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permlane_swaps),
        cmocka_unit_test(bitop3),
        cmocka_unit_test(stochastic),
        cmocka_unit_test(minima_of_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
