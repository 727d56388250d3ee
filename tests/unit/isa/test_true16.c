/* Halves of registers in the 16-bit instructions of gfx11 and gfx12, as LLVM 21 and newer compile for gfx11: the top
 * bit of a register number of the short forms, op_sel of the long ones. The half that is not written stays. Encodings
 * are llvm-mc-22's (-mcpu=gfx1100); LLVM 19 takes some of them for invalid.
 */
#include "tests/unit/isa/harness.h"

/* v1 before; v2, v3: halves 1.0 and 2.0, 4.0 and 8.0; and of the integers 3 and 5, 7 and 11 in v6, v7. */
enum { OLD = 0x11112222, V2 = 0x40003c00, V3 = 0x48004400, V6 = 0x00050003, V7 = 0x000b0007 };

struct half {
    uint32_t words[2];
    const char *text;
    uint32_t v1; /* after */
};

static const struct half halves[] = {
    {{0x64020702}, "v_add_f16_e32 v1, v2, v3", 0x11114500},
    {{0x64020782}, "v_add_f16_e32 v1, v2.h, v3", 0x11114600},
    {{0x64030702}, "v_add_f16_e32 v1, v2, v3.h", 0x11114880},
    {{0x65020702}, "v_add_f16_e32 v1.h, v2, v3", 0x45002222},
    {{0x65030782}, "v_add_f16_e32 v1.h, v2.h, v3.h", 0x49002222},
    {{0x7e021782}, "v_cvt_f32_f16_e32 v1, v2.h", 0x40000000},
    {{0x7f021502}, "v_cvt_f16_f32_e32 v1.h, v2", 0x40022222},
    {{0x7f02d382}, "v_not_b16_e32 v1.h, v2.h", 0xbfff2222},
    {{0x7e02d586}, "v_cvt_i32_i16_e32 v1, v6.h", 5},
    {{0x7f02a186}, "v_cvt_f16_u16_e32 v1.h, v6.h", 0x45002222},
    {{0x77030d82}, "v_ldexp_f16_e32 v1.h, v2.h, v6.h", 0x54002222},
    {{0x6f030782, 0x00003c00}, "v_fmamk_f16 v1.h, v2.h, 0x3c00, v3.h", 0x49002222},
    {{0x71030782, 0x00003c00}, "v_fmaak_f16 v1.h, v2.h, v3.h, 0x3c00", 0x4c402222},
    {{0x650306fa, 0xff00e482},
     "v_add_f16_dpp v1.h, v2.h, v3.h quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
     0x49002222},
    {{0xd5325001, 0x00020702}, NULL, 0x48802222}, /* v_add_f16_e64 v1.h, v2.l, v3.h */
    {{0xd59c4801, 0x00000102}, "v_mov_b16_e64 v1.h, v2.h op_sel:[1,1]", 0x40002222},
    {{0xd6160001, 0x041a0f06}, "v_alignbit_b32 v1, v6, v7, v6", 0x60016000},
    {{0xd6162001, 0x041a0f06}, "v_alignbit_b32 v1, v6, v7, v6", 0x18005800}, /* shift in v6.h */
};

static void start(struct rig *r, const char *target)
{
    rig_open(r, target, 32);
    rig_vall(r, 1, OLD);
    rig_vall(r, 2, V2);
    rig_vall(r, 3, V3);
    rig_vall(r, 6, V6);
    rig_vall(r, 7, V7);
}

static void on_each_target(void (*check)(struct rig *r))
{
    static const char *const targets[] = {"gfx1100", "gfx1151", "gfx1201"};

    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        struct rig r;
        start(&r, targets[k]);
        check(&r);
        rig_close(&r);
    }
}

static void check_halves(struct rig *r)
{
    for (size_t k = 0; k < sizeof halves / sizeof halves[0]; k++) {
        const struct half *h = &halves[k];
        unsigned words = h->words[1] ? 2 : 1;
        struct isa_inst i;
        char text[200];

        assert_int_equal(isa_decode(r->t, (const uint8_t *)h->words, 4 * words, &i, NULL), 4 * words);
        isa_text(r->t, &i, text, sizeof text);
        if (h->text)
            assert_string_equal(text, h->text);
        rig_vall(r, 1, OLD);
        rig_run(r, h->words, words);
        for (unsigned lane = 0; lane < 32; lane += 31)
            if (rig_getv(r, 1, lane) != h->v1)
                fail_msg("%s, %s: 0x%08x, expected 0x%08x", r->t->name, text, rig_getv(r, 1, lane), h->v1);
    }
}

static void test_halves(void **state)
{
    (void)state;
    on_each_target(check_halves);
}

/* v_fmac_f16 v1.h, v2.h, v3.h: the sum is the half that is written. The long form says so in op_sel's third bit, too.
 */
static void check_sums(struct rig *r)
{
    static const uint32_t in_short[] = {0x6d030782}, in_long[] = {0xd5367801, 0x00020702};

    rig_vall(r, 1, 0x3c002222);
    rig_run(r, in_short, 1);
    assert_int_equal(rig_getv(r, 1, 5), 0x4c402222); /* 2 * 8 + 1 */
    rig_vall(r, 1, 0x3c002222);
    rig_run(r, in_long, 2);
    assert_int_equal(rig_getv(r, 1, 5), 0x4c402222);
}

static void test_sums(void **state)
{
    (void)state;
    on_each_target(check_sums);
}

static void check_compares(struct rig *r)
{
    r->w.s[106] = 0;
    rig_run(r, (uint32_t[]){0x7c030702}, 1); /* v_cmp_lt_f16_e32 vcc_lo, v2, v3.h: 1 < 8 */
    assert_int_equal(r->w.s[106], 0xffffffff);
    rig_run(r, (uint32_t[]){0x7c020783}, 1); /* v_cmp_lt_f16_e32 vcc_lo, v3.h, v3: 8 < 4 */
    assert_int_equal(r->w.s[106], 0);
    rig_run(r, (uint32_t[]){0x7c750d86}, 1); /* v_cmp_eq_u16_e32 vcc_lo, v6.h, v6.h */
    assert_int_equal(r->w.s[106], 0xffffffff);
    rig_run(r, (uint32_t[]){0x7c740d86}, 1); /* v_cmp_eq_u16_e32 vcc_lo, v6.h, v6 */
    assert_int_equal(r->w.s[106], 0);
    /* the mask of classes is a half, too: positive normal numbers, none */
    rig_vall(r, 7, 0x01000000);
    rig_run(r, (uint32_t[]){0x7cfb0f02}, 1); /* v_cmp_class_f16_e32 vcc_lo, v2, v7.h */
    assert_int_equal(r->w.s[106], 0xffffffff);
    rig_run(r, (uint32_t[]){0x7cfa0f02}, 1); /* v_cmp_class_f16_e32 vcc_lo, v2, v7 */
    assert_int_equal(r->w.s[106], 0);
    r->w.s[0] = 0;
    rig_run(r, (uint32_t[]){0xd47d1800, 0x00020f02}, 2); /* v_cmp_class_f16_e64 s0, v2.h, v7.h */
    assert_int_equal(r->w.s[0], 0xffffffff);
}

static void test_compares(void **state)
{
    (void)state;
    on_each_target(check_compares);
}

/* Both halves that change places, in two registers and in one. */
static void check_swaps(struct rig *r)
{
    rig_vall(r, 1, OLD);
    rig_run(r, (uint32_t[]){0x7f02cd02}, 1); /* v_swap_b16 v1.h, v2.l */
    assert_int_equal(rig_getv(r, 1, 7), 0x3c002222);
    assert_int_equal(rig_getv(r, 2, 7), 0x40001111);
    rig_run(r, (uint32_t[]){0x7e02cd81}, 1); /* v_swap_b16 v1.l, v1.h */
    assert_int_equal(rig_getv(r, 1, 7), 0x22223c00);
    isa_set_exec(&r->w, 0xfffffffe);
    rig_run(r, (uint32_t[]){0x7e02cd02}, 1); /* v_swap_b16 v1.l, v2.l; not in lane 0 */
    assert_int_equal(rig_getv(r, 1, 0), 0x22223c00);
    assert_int_equal(rig_getv(r, 2, 0), 0x40001111);
    assert_int_equal(rig_getv(r, 1, 1), 0x22221111);
    assert_int_equal(rig_getv(r, 2, 1), 0x40003c00);
}

static void test_swaps(void **state)
{
    (void)state;
    on_each_target(check_swaps);
}

/* A pair of 8-bit floats is 16 bits wide (RDNA4): 1.0 and 2.0 in the high half, 3.0 twice in the low one. */
static void test_pairs_of_fp8(void **state)
{
    struct rig r;

    (void)state;
    start(&r, "gfx1201");
    rig_vall(&r, 2, 0x40384444);
    rig_run(&r, (uint32_t[]){0x7e0cdd82}, 1); /* v_cvt_pk_f32_fp8_e32 v[6:7], v2.h */
    assert_int_equal(rig_getv(&r, 6, 3), 0x3f800000);
    assert_int_equal(rig_getv(&r, 7, 3), 0x40000000);
    rig_run(&r, (uint32_t[]){0x7e0cdd02}, 1);
    assert_int_equal(rig_getv(&r, 6, 3), 0x40400000);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves), cmocka_unit_test(test_sums),         cmocka_unit_test(test_compares),
        cmocka_unit_test(test_swaps),  cmocka_unit_test(test_pairs_of_fp8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
