/* Comparing without an assembler: what a piece of code names, wrong requests, kernels of a code object. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/compare.h"
#include "sim/study/compare_bench.h"
#include "sim/study/compare_wrap.h"

static int look(const char *name, const uint32_t *words, size_t count, unsigned lanes, bool strict,
                struct compare_code *out, struct err *e)
{
    struct isa_target *t;
    assert_int_equal(isa_target_open(&t, name, NULL, e), 0);
    int failed = compare_look(t, (const uint8_t *)words, count * 4, lanes, strict, out, e);
    isa_target_close(t);
    return failed;
}

static void test_registers(void **state)
{
    (void)state;
    /* v_add_f16_e32 v2, v0, v1; v_add_f16_sdwa v2, v0, v1 with dst_sel:WORD_1 and the rest of v2 kept */
    static const uint32_t add[] = {0x3e040300, 0x3e0402f9, 0x05051500};
    /* s_mov_b32 s4, 0xffff; v_add_u32_e32 v9, vcc, s4, v0; s_endpgm */
    static const uint32_t scalar[] = {0xbe8400ff, 0x0000ffff, 0x32120004, 0xbf810000};
    struct compare_code c;
    struct err e = {0};

    assert_int_equal(look("gfx803", add, 3, 64, true, &c, &e), 0);
    assert_int_equal(c.instructions, 2);
    assert_int_equal(c.vgprs, 3);
    assert_int_equal(c.vgpr_end, 3);
    assert_int_equal(c.sgprs, 0);
    assert_int_equal(c.counters, 0);
    assert_false(c.lds);
    assert_int_equal(look("gfx803", scalar, 4, 64, false, &c, &e), 0);
    assert_int_equal(c.instructions, 3);
    assert_int_equal(c.vgprs, 2);
    assert_int_equal(c.vgpr_end, 10);
    assert_int_equal(c.sgprs, 1); /* VCC is none of them */
    assert_true(c.sgpr[4] && !c.sgpr[3]);
    assert_int_equal(look("gfx803", scalar, 4, 64, true, &c, &e), -1);
    assert_non_null(strstr(e.text, "'s_endpgm' at byte 12 ends the wave"));
}

static void test_counters(void **state)
{
    (void)state;
    static const uint32_t loads[] = {0xdc500000, 0x03000001, 0xd86c0000, 0x04000000}; /* flat_load_dword, ds_read_b32 */
    static const uint32_t torn[] = {0xdc500000};                                      /* without its second word */
    struct compare_code c;
    struct err e = {0};

    assert_int_equal(look("gfx803", loads, 4, 64, true, &c, &e), 0);
    assert_int_equal(c.counters, 1u << WAIT_VM | 1u << WAIT_LGKM);
    assert_true(c.lds);
    assert_int_equal(c.vgprs, 5); /* v0 to v4 */
    assert_int_equal(look("gfx803", torn, 1, 64, true, &c, &e), -1);
    assert_non_null(strstr(e.text, "byte 0 is no instruction of gfx803"));
}

static void test_branches(void **state)
{
    (void)state;
    static const uint32_t inside[] = {0xbf820000, 0xbf82fffe}; /* to the next one, and back to the first */
    static const uint32_t before[] = {0xbf82fffe}, behind[] = {0xbf820001};
    struct compare_code c;
    struct err e = {0};

    assert_int_equal(look("gfx803", inside, 2, 64, true, &c, &e), 0);
    assert_int_equal(look("gfx803", before, 1, 64, true, &c, &e), -1);
    err_clear(&e);
    assert_int_equal(look("gfx803", behind, 1, 64, true, &c, &e), -1);
    assert_non_null(strstr(e.text, "leaves the 4 bytes"));
}

/* A part of gfx1100 code, made ready to be repeated. */
static void expect_straight(const uint32_t *words, size_t count, const uint32_t *straight, size_t left)
{
    struct isa_target *t;
    struct err e = {0};
    uint32_t code[8];
    size_t size = 4 * count;

    memcpy(code, words, size);
    assert_int_equal(isa_target_open(&t, "gfx1100", NULL, &e), 0);
    assert_int_equal(compare_straighten(t, (uint8_t *)code, &size, 32, &e), left ? 0 : -1);
    assert_int_equal(size, 4 * left);
    assert_memory_equal(code, straight, size);
    isa_target_close(t);
}
#define STRAIGHT(WORDS, ...)                                                                                           \
    expect_straight(WORDS, sizeof(WORDS) / 4, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* What ends the wave or leads elsewhere is s_nop in the middle, and falls away at the end with the padding after it;
 * branches go on after themselves; s_nop of the code's own stays. */
static void test_straightened(void **state)
{
    enum { MOV = 0x7e020280, NOP = 0xbf800000, NOP_3 = 0xbf800003, DEALLOC = 0xbfb60003, END = 0xbfb00000 };
    static const uint32_t farewell[] = {MOV, DEALLOC, END, NOP, NOP}, early[] = {MOV, DEALLOC, END, NOP, MOV, NOP_3};
    static const uint32_t branches[] = {MOV, 0xbfa10002, 0xbe804804, 0xbfa0fffe, MOV}; /* s_setpc_b64 s[4:5] */
    static const uint32_t message[] = {MOV, 0xbfb60001, MOV}, nothing[] = {DEALLOC, END, NOP};

    (void)state;
    STRAIGHT(farewell, MOV);
    STRAIGHT(early, MOV, NOP, NOP, NOP, MOV, NOP_3);
    STRAIGHT(branches, MOV, 0xbfa10000, NOP, 0xbfa00000, MOV);
    STRAIGHT(message, MOV, 0xbfb60001, MOV);
    expect_straight(nothing, 3, nothing, 0);
}

/* The plan of four SIMDs for one to eight waves each is the most exact one that takes 4,000,000 instructions at most:
 * all numbers of waves are 144 waves, powers of two 60, and the ends 36. A pass of the loops has so many instructions.
 */
static void test_plans(void **state)
{
    static const struct {
        double pass[2];
        bool single;
        struct compare_plan plan;
    } v[] = {
        /* 3.5 and 9.5 passes of both loops */
        {{1000, 1136}, false, {{{3.5, 9.5}, {3.5, 9.5}}, false, COMPARE_POINTS_ALL}},
        {{1000, 1137}, false, {{{1.5, 4.5}, {1.25, 2.75}}, false, COMPARE_POINTS_ALL}},
        /* 6 of the first one, and 4 of the second */
        {{1000, 5444}, false, {{{1.5, 4.5}, {1.25, 2.75}}, false, COMPARE_POINTS_ALL}},
        {{1000, 5445}, false, {{{1.5, 2.5}}, true, COMPARE_POINTS_ALL}},
        /* 4, and 2, of the first one alone */
        {{6944, 99999}, false, {{{1.5, 2.5}}, true, COMPARE_POINTS_ALL}},
        {{6945, 99999}, false, {{{1.5, 2.5}}, true, COMPARE_POINTS_DOUBLING}},
        {{16666, 99999}, false, {{{1.5, 2.5}}, true, COMPARE_POINTS_DOUBLING}},
        {{16667, 99999}, false, {{{0.5, 1.5}}, true, COMPARE_POINTS_DOUBLING}},
        {{33333, 99999}, false, {{{0.5, 1.5}}, true, COMPARE_POINTS_DOUBLING}},
        {{33334, 99999}, false, {{{0.5, 1.5}}, true, COMPARE_POINTS_ENDS}},
        {{999999, 999999}, false, {{{0.5, 1.5}}, true, COMPARE_POINTS_ENDS}},
        /* of one copy the first loop alone */
        {{10, 10}, true, {{{1.5, 2.5}}, true, COMPARE_POINTS_ALL}},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct compare_bench b = {.simds = 4, .single = v[k].single, .pass_instructions = {v[k].pass[0], v[k].pass[1]}};
        const struct compare_plan *p = &b.plan, *want = &v[k].plan;

        compare_choose_plan(&b, 1, 8);
        if (p->first_alone != want->first_alone || p->points != want->points)
            fail_msg("row %zu: %d, points %d", k, p->first_alone, p->points);
        for (unsigned n = 0; n < 2; n++)
            assert_true(p->window[n].from == want->window[n].from && p->window[n].to == want->window[n].to);
        for (uint32_t waves = 1; waves <= 12; waves++)
            assert_int_equal(compare_has_point(p, waves, 12),
                             p->points == COMPARE_POINTS_ALL || waves == 1 || waves == 12 ||
                                 (p->points == COMPARE_POINTS_DOUBLING && (waves == 2 || waves == 4 || waves == 8)));
    }
}

static void test_requests(void **state)
{
    (void)state;
    struct gcnsim_compare_options o;
    struct gcnsim_compare_item item = {.struct_bytes = sizeof item, .label = "it", .bytes = "\177ELF", .size = 4};
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim_code *code;
    char *text = NULL;

    gcnsim_compare_options_init(&o);
    assert_int_equal(gcnsim_compare(&item, 0, &o, &c, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "nothing to compare"));
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_FORMAT);
    assert_memory_equal(error.text, "it: ", 4);
    item.label = NULL;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_USAGE);
    o.struct_bytes = 8;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "gcnsim_compare_options_init"));
    assert_null(c);
    gcnsim_comparison_free(NULL);

    assert_int_equal(gcnsim_code_open_file(&code, "traces/samples/gfx803/vecadd.co", NULL, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_compare_wrap(code, "x.s", 0, &text, &error), GCNSIM_ERROR_USAGE);
    assert_string_equal(error.text, "x.s: a kernel already: 'vecadd'");
    assert_null(text);
    gcnsim_code_close(code);
}

static int stop_at_once(void *ctx, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return ++*(int *)ctx == 3;
}

static void test_kernel(void **state)
{
    (void)state;
    struct gcnsim_compare_options o;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error error = {0};
    FILE *f = fopen("traces/samples/gfx803/addpk_sdwa.co", "rb");
    static char bytes[65536];
    int calls = 0;

    assert_non_null(f);
    struct gcnsim_compare_item item = {
        .struct_bytes = sizeof item, .label = "sdwa", .bytes = bytes, .size = fread(bytes, 1, sizeof bytes, f)};
    fclose(f);
    gcnsim_compare_options_init(&o);
    o.max_waves = 2;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_OK);
    assert_string_equal(c->profile, "gfx803-rx480");
    assert_int_equal(c->simds, 4);
    assert_string_equal(c->entries[0].kernel, "addpk_sdwa");
    assert_int_equal(c->entries[0].waves_per_simd, 2);
    assert_string_equal(c->entries[0].limiter, "max_waves");
    assert_int_equal(c->entries[0].point_count, 2);
    assert_true(c->entries[0].throughput_cycles == c->entries[0].points[1].cycles);
    gcnsim_comparison_free(c);

    o.max_instructions = 10;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_RUN_LIMIT);
    o.max_instructions = 0;
    o.progress = stop_at_once;
    o.progress_ctx = &calls;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_INTERRUPTED);
    assert_int_equal(calls, 3);
    o.progress = NULL;
    item.workgroup_size[0] = 4096;
    item.workgroup_size[1] = item.workgroup_size[2] = 1;
    assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "workgroup of 4096x1x1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),    cmocka_unit_test(test_counters), cmocka_unit_test(test_branches),
        cmocka_unit_test(test_straightened), cmocka_unit_test(test_plans),    cmocka_unit_test(test_requests),
        cmocka_unit_test(test_kernel),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
