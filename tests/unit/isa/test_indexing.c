/* VGPR numbers found at run time: MODE.GPR_IDX_EN of gfx8 and gfx9 with every kind of vector ALU instruction, v_movrel
 * with SDWA and DPP; and the table of v_screen_partition_4se_b32. Words are llvm-mc-19's. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

enum { SRC0 = 1, SRC1 = 2, SRC2 = 4, DST = 8 };

static void open_numbered(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    for (unsigned n = 0; n < 64; n++)
        for (unsigned l = 0; l < lanes; l++)
            rig_v(r, n, l, 0x01000000 * n + 0x10000 * (n + 1) + 0x100 * (n + 2) + l);
}

static void with_index(struct rig *r, unsigned index, unsigned what, const uint32_t *words, unsigned n)
{
    r->w.s[r->t->code_m0] = what << 12 | index;
    isa_set_mode(&r->w, r->w.mode_reg | MODE_GPR_IDX_EN);
    rig_run(r, words, n);
    isa_set_mode(&r->w, r->w.mode_reg & ~(uint32_t)MODE_GPR_IDX_EN);
}

static void lane_instructions(void **state)
{
    struct rig r;
    (void)state;

    open_numbered(&r, "gfx900", 64);
    /* v_mov_b32_sdwa v1, v2 dst_sel:DWORD src0_sel:BYTE_1 */
    with_index(&r, 5, SRC0, WORDS(0x7e0202f9, 0x00011602));
    assert_int_equal(rig_getv(&r, 1, 0), 7 + 2);
    with_index(&r, 5, DST, WORDS(0x7e0202f9, 0x00011602));
    assert_int_equal(rig_getv(&r, 6, 0), 2 + 2);
    /* v_mov_b32_dpp v1, v2 row_shl:1: lane l takes lane l + 1 */
    with_index(&r, 5, SRC0 | DST, WORDS(0x7e0202fa, 0xff010102));
    assert_int_equal(rig_getv(&r, 6, 3), 0x07080900 + 4);
    /* v_add_f64 v[2:3], v[4:5], v[6:7]: pairs move as a whole, and sources apart */
    for (unsigned n = 10; n < 40; n++)
        rig_vall(&r, n, 0);
    rig_vall(&r, 15, 0x3ff00000); /* v[14:15] is 1.0 */
    rig_vall(&r, 17, 0x40000000); /* v[16:17] is 2.0 */
    rig_vall(&r, 4, 0);
    rig_vall(&r, 5, 0x40100000); /* v[4:5] is 4.0 */
    with_index(&r, 10, SRC0 | SRC1 | DST, WORDS(0xd2800002, 0x00020d04));
    assert_int_equal(rig_getv(&r, 13, 9), 0x40080000); /* v[12:13] = 3.0 */
    with_index(&r, 10, SRC1, WORDS(0xd2800002, 0x00020d04));
    assert_int_equal(rig_getv(&r, 3, 9), 0x40180000); /* v[2:3] = 4.0 + 2.0 */
    rig_close(&r);

    /* v_med3_f32 v0, v1, v2, v3 with src2 alone */
    rig_open(&r, "gfx803", 64);
    rig_vall(&r, 1, 0x3f800000);
    rig_vall(&r, 2, 0x40400000);
    rig_vall(&r, 3, 0x40800000);
    rig_vall(&r, 13, 0x40000000);
    with_index(&r, 10, SRC2, WORDS(0xd1d60000, 0x040e0501));
    assert_int_equal(rig_getv(&r, 0, 0), 0x40000000);
    rig_close(&r);
}

static void wide_instructions(void **state)
{
    struct rig r;
    (void)state;

    open_numbered(&r, "gfx900", 64);
    with_index(&r, 4, SRC0, WORDS(/* v_readlane_b32 s3, v2, 5 */ 0xd2890003, 0x00010b02));
    assert_int_equal(r.w.s[3], 0x06070800 + 5);
    with_index(&r, 4, DST, WORDS(/* v_swap_b32 v1, v2 */ 0x7e02a302));
    assert_int_equal(rig_getv(&r, 5, 1), 0x02030400 + 1);
    assert_int_equal(rig_getv(&r, 2, 1), 0x05060700 + 1);
    assert_int_equal(rig_getv(&r, 1, 1), 0x01020300 + 1);
    rig_close(&r);

    open_numbered(&r, "gfx942", 64);
    rig_vall(&r, 7, 0x48); /* 2.0 */
    with_index(&r, 5, SRC0, WORDS(/* v_cvt_f32_fp8 v1, v2 */ 0x7e02a902));
    assert_int_equal(rig_getv(&r, 1, 63), 0x40000000);
    rig_close(&r);
}

static void relative_moves(void **state)
{
    struct rig r;
    (void)state;

    open_numbered(&r, "gfx1010", 32);
    r.w.s[r.t->code_m0] = 3;
    rig_run(&r, WORDS(/* v_movrels_b32_sdwa v1, v2 src0_sel:BYTE_2 */ 0x7e0286f9, 0x00021602));
    assert_int_equal(rig_getv(&r, 1, 0), 6);
    /* v_movreld_b32_sdwa v1, sext(v2) dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 */
    rig_vall(&r, 2, 0x80);
    rig_run(&r, WORDS(0x7e0284f9, 0x00081502));
    assert_int_equal(rig_getv(&r, 4, 9), 0xff800609);
    r.w.s[r.t->code_m0] = 7 << 16 | 2; /* v[1 + 7] from v[2 + 2] */
    rig_vall(&r, 8, 1);
    rig_run(&r, WORDS(/* v_movrelsd_2_b32_dpp v1, v2 row_shl:1 */ 0x7e0290fa, 0xff010102));
    assert_int_equal(rig_getv(&r, 8, 3), 0xff800604);
    assert_int_equal(rig_getv(&r, 8, 15), 1);
    r.w.s[r.t->code_m0] = 0xfffffff;
    assert_int_equal(rig_try(&r, WORDS(0x7e0286f9, 0x00021602)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    rig_close(&r);
}

/* Rows of the Vega ISA's table, by the source's upper four bits. */
static void screen_partition(void **state)
{
    static const uint8_t rows[4][17] = {
        {0x0, 1, 3, 7, 15, 5, 15, 15, 15, 7, 15, 15, 15, 15, 15, 15, 15},
        {0x5, 15, 15, 15, 15, 15, 8, 9, 11, 15, 9, 9, 15, 15, 13, 15, 15},
        {0xc, 9, 15, 15, 15, 13, 15, 15, 15, 15, 15, 15, 15, 8, 12, 14, 15},
        {0xf, 9, 15, 15, 9, 15, 15, 15, 11, 15, 15, 15, 15, 9, 13, 15, 1},
    };
    struct rig r;
    (void)state;

    static const char *const targets[] = {"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942"};
    for (unsigned k = 0; k < 20; k++) {
        const uint8_t *row = rows[k % 4];
        rig_open(&r, targets[k / 4], 64);
        for (unsigned l = 0; l < 64; l++)
            rig_v(&r, 2, l, 0xabcd00u | (uint32_t)row[0] << 4 | l % 16);
        rig_run(&r, WORDS(/* v_screen_partition_4se_b32 v1, v2 */ 0x7e026f02));
        for (unsigned l = 0; l < 64; l++)
            assert_int_equal(rig_getv(&r, 1, l), row[1 + l % 16]);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lane_instructions),
        cmocka_unit_test(wide_instructions),
        cmocka_unit_test(relative_moves),
        cmocka_unit_test(screen_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
