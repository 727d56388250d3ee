/* How much of a sequence with loops of its own is run (sim/study/compare_copies.c): on a chip whose vector ALU takes
 * four cycles for an instruction of a wave and whose branches are known, an iteration costs what its instructions do.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/analysis.h"
#include "tests/unit/study/loop_object.h"

/* v_add_f32 so many times, and what counts and goes back. */
static const char *counted(unsigned times)
{
    static char text[256];

    snprintf(text, sizeof text,
             "s_movk_i32 s4, 0x%x; back: v_add_f32_e32 v1, v1, v2; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
             "s_cbranch_scc1 back",
             times);
    return text;
}

static struct gcnsim_comparison *compare(const char *text, const struct gcnsim_compare_options *o)
{
    struct gcnsim_compare_item item;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error e = {0};

    loop_of("gfx90a", text, &item);
    if (gcnsim_compare(&item, 1, o, &c, &e) != GCNSIM_OK)
        fail_msg("%s: %s", text, e.text);
    loop_free(&item);
    return c;
}

static double issues(const struct gcnsim_compare_entry *e, const char *name, bool full)
{
    for (size_t k = 0; k < e->issue_count; k++)
        if (strcmp(e->issues[k].name, name) == 0)
            return full ? e->issues[k].full : e->issues[k].one_wave;
    fail_msg("no %s", name);
    return 0;
}

/* Whatever part of it is run, an iteration has its instructions: of many copies (2), of few (60), of one copy in short
 * loops (300) and in long ones (3000), at one wave and at all. */
static void instructions_of_an_iteration(void **state)
{
    static const unsigned times[] = {2, 60, 300, 3000};
    struct gcnsim_compare_options o;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 2;
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        struct gcnsim_comparison *c = compare(counted(times[k]), &o);
        const struct gcnsim_compare_entry *e = c->entries;

        assert_int_equal(e->instructions, 5);
        assert_int_equal(e->point_count, 2);
        for (unsigned full = 0; full < 2; full++) {
            assert_float_equal(issues(e, "valu", full), times[k], 1e-6);
            assert_float_equal(issues(e, "salu", full), 1 + 2 * times[k], 1e-6);
            assert_float_equal(issues(e, "branch", full), times[k], 1e-6);
        }
        gcnsim_comparison_free(c);
    }
}

static double latency(const char *text, const struct gcnsim_compare_options *o, double *throughput)
{
    struct gcnsim_comparison *c = compare(text, o);
    double cycles = c->entries->latency_cycles;

    *throughput = c->entries->throughput_cycles;
    gcnsim_comparison_free(c);
    return cycles;
}

/* A time more costs the same, whatever part of it is run: exactly where a copy is a pass, and but for fetches, which
 * depend on where copies lie, where there are some. With two waves on a SIMD, which fill each other's gaps, it is half.
 */
static void cycles_of_an_iteration(void **state)
{
    enum { POINTS = 6, SHORT = 2 };
    static const unsigned times[POINTS] = {60, 120, 300, 600, 3000, 6000};
    struct gcnsim_compare_options o;
    double alone[POINTS], full[POINTS];

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 2;
    for (size_t k = 0; k < POINTS; k++)
        alone[k] = latency(counted(times[k]), &o, &full[k]);
    double each = (alone[POINTS - 1] - alone[SHORT]) / (times[POINTS - 1] - times[SHORT]);
    assert_true(each >= 4 * 4); /* four instructions, each on a unit of 16 lanes, or behind one that is */
    for (size_t k = 0; k < POINTS; k++) {
        double steady = alone[SHORT] + each * ((double)times[k] - times[SHORT]);

        assert_float_equal(alone[k] / steady, 1, k < SHORT ? 0.12 : 1e-9);
        assert_float_equal(full[k] / (each * times[k] / 2), 1, k < SHORT ? 0.12 : 0.001);
    }
}

/* What an analysis says of it: how often each instruction runs in an iteration, and a path as long as is measured. */
static void analysis_of_an_iteration(void **state)
{
    static const unsigned times[] = {1, 16, 300}; /* one that never goes back repeats nothing */
    struct gcnsim_compare_options o;
    struct gcnsim_compare_item item;
    struct gcnsim_analysis *a = NULL;
    struct gcnsim_error e = {0};
    double throughput;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 1;
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        loop_of("gfx90a", counted(times[k]), &item);
        if (gcnsim_analyze(&item, &o, &a, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
        loop_free(&item);
        assert_int_equal(a->repeats, times[k] > 1);
        assert_float_equal(a->executed, 1 + 4 * times[k], 1e-6);
        assert_int_equal(a->inst_count, 5);
        for (uint32_t n = 0; n < 5; n++)
            assert_float_equal(a->inst[n].times, n ? times[k] : 1, 0.01);
        assert_float_equal(a->latency, latency(counted(times[k]), &o, &throughput), 1e-6);
        assert_float_equal(a->path_cycles / a->latency, 1, 0.03);
        /* what the path goes through again and again is one link: of one copy, each way back */
        double back = 0;
        for (uint32_t n = 0; n < a->links; n++)
            if (a->link[n].inst == 4 && a->link[n].to == 1)
                back += a->link[n].times;
        if (times[k] == 300)
            assert_true(back == times[k] - 1 && a->links < 20);
        gcnsim_analysis_free(a);
    }
}

/* Loops that do not end, or not in time, or in the first iteration alone. */
static void loops_that_do_not_end(void **state)
{
    static const struct {
        const char *text, *says[2];
        bool label; /* the second instruction is where the iteration begins */
    } v[] = {
        {"back: s_branch back",
         {"mine.s: 1048576 instructions do not bring one wave to the end of iteration 1;", NULL},
         false},
        {"s_movk_i32 s4, 0x10; back: s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 back",
         {"mine.s: 2097152 instructions", "end of iteration 2; expected at most 524288 an iteration"},
         true},
        {"s_mov_b32 s4, 0x30d40; back: s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 back",
         {"mine.s: an iteration executes 600001 instructions; expected at most 524288", NULL},
         false},
    };
    struct gcnsim_compare_options o;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct object object = object_of("gfx90a", v[k].text);
        struct gcnsim_loop_source source = source_of(&object);
        struct gcnsim_comparison *c = NULL;
        struct gcnsim_compare_item item;
        struct gcnsim_error e = {0};

        if (v[k].label)
            symbol(&object, "loop", 1, 4);
        loop_of_source(&source, &item);
        assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &e), GCNSIM_ERROR_RUN_LIMIT);
        for (unsigned n = 0; n < 2 && v[k].says[n]; n++)
            if (!strstr(e.text, v[k].says[n]))
                fail_msg("'%s' lacks '%s'", e.text, v[k].says[n]);
        assert_null(c);
        loop_free(&item);
    }
}

/* A wrapped sequence that somebody has changed: without its labels, or, of one with a loop of its own, without the end
 * that the loops around it have. */
static void files_that_are_changed(void **state)
{
    static const struct {
        const char *from, *to; /* bytes */
        size_t bytes;
        bool goes_back; /* where it is found: of such a sequence alone */
    } v[] = {
        {"gcnsim_compare_begin", "gcnsim_compare_bexin", 20, false},
        {"gcnsim_compare_end", "gcnsim_compare_exd", 18, false},
        {"\x00\x00\x81\xbf", "\x00\x00\x80\xbf", 4, true},                 /* s_endpgm: s_nop */
        {"\x85\xbf\x00\x00\x81\xbf", "\x80\xbf\x00\x00\x81\xbf", 6, true}, /* the branch: s_nop */
    };
    struct gcnsim_compare_options o;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 1;
    o.max_instructions = 100000;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct gcnsim_comparison *c = NULL;
        struct gcnsim_compare_item item;
        struct gcnsim_error e = {0};
        unsigned found = 0;

        loop_of("gfx90a", v[k].goes_back ? counted(300) : "v_add_f32_e32 v1, v1, v2", &item);
        for (uint8_t *at = (uint8_t *)(uintptr_t)item.bytes, *end = at + item.size - v[k].bytes; at <= end; at++)
            if (memcmp(at, v[k].from, v[k].bytes) == 0) {
                memcpy(at, v[k].to, v[k].bytes);
                found++;
            }
        assert_true(found > 0);
        assert_int_equal(gcnsim_compare(&item, 1, &o, &c, &e), GCNSIM_ERROR_FORMAT);
        assert_string_equal(e.text, "mine.s: has gcnsim_compare_copies, but is not as gcnsim_compare_wrap made it");
        loop_free(&item);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_an_iteration), cmocka_unit_test(cycles_of_an_iteration),
        cmocka_unit_test(analysis_of_an_iteration),     cmocka_unit_test(loops_that_do_not_end),
        cmocka_unit_test(files_that_are_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
