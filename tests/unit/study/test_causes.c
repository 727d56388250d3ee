/* What-ifs (sim/study/explain_causes.c): the assignments that one makes of the figures of a chip, and which launches it
 * can change. tests/system/test_explain.c runs them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/explain.h"

/* The assignments on gfx90a with some figures set, "path=value" divided by blanks. */
static void expect(const char *key, const char *figures, const char *sets, const char *assignments)
{
    const struct cause c = {.key = key, .sets = sets};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    struct arena arena;
    const char **set;
    size_t count;
    char copy[200], path[100], all[400] = "", *rest = copy;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    snprintf(copy, sizeof copy, "%s", figures);
    for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(one, '=');

        snprintf(path, sizeof path, "%.*s", (int)(value - one), one);
        assert_int_equal(gcnsim_set(sim, path, value + 1, &error), GCNSIM_OK);
    }
    arena_init(&arena, 0);
    assert_true(cause_sets(&c, sim, &arena, &set, &count));
    for (size_t k = 0; k < count; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "", set[k]);
    assert_string_equal(all, assignments);
    arena_free(&arena);
    gcnsim_close(sim);
}

/* Times a factor up to a bound, which takes nothing away from a figure past it; divided, no less than 1; and what stays
 * as it is, or is not there, is no assignment. */
static void assignments(void **state)
{
    (void)state;
    expect("", "cache.l2.mshrs=20", "cache.l2.mshrs*16:512", "cache.l2.mshrs=320");
    expect("", "cache.l2.mshrs=32", "cache.l2.mshrs*16:512", "cache.l2.mshrs=512");
    expect("", "cache.l2.mshrs=100", "cache.l2.mshrs*16:512", "cache.l2.mshrs=512");
    expect("", "cache.l2.mshrs=600", "cache.l2.mshrs*16:512", "");
    expect("", "cache.l2.mshrs=100", "cache.l2.mshrs*16", "cache.l2.mshrs=1600");
    expect("", "class.valu.issue_cycles_w64=5", "class.valu.issue_cycles_w64/2", "class.valu.issue_cycles_w64=2");
    expect("", "class.valu.issue_cycles_w64=1", "class.valu.issue_cycles_w64/2", "");
    expect("", "class.valu.latency_cycles=7", "class.valu.latency_cycles=1", "class.valu.latency_cycles=1");
    expect("", "class.valu.latency_cycles=1", "class.valu.latency_cycles=1", "");
    /* no waves of 32, no GL1 */
    expect("", "", "class.valu.issue_cycles_w32/2 class.valu.issue_cycles_w32=7", "");
    expect("", "cache.l2.mshrs=20", "cache.gl1.mshrs*16:512 cache.l2.mshrs*16:512 ideal.full_lines=true",
           "cache.l2.mshrs=320 ideal.full_lines=true");
    /* what is about a level that the chip has not */
    expect("latency.gl1", "", "ideal.no_gl1_latency=true", "");
    expect("latency.mall", "", "ideal.no_mall_latency=true", "");
    expect("latency.l2", "", "ideal.no_l2_latency=true", "ideal.no_l2_latency=true");
}

/* Each what-if of the table makes assignments that some chip takes. */
static void all_assignments_are_possible(void **state)
{
    static const char *const chips[] = {"gfx803", "gfx90a", "gfx942-mi300x", "gfx1030", "gfx1201", "gfx1250-whatif"};

    (void)state;
    for (size_t k = 0; k < cause_count; k++) {
        unsigned possible = 0;

        for (size_t n = 0; n < sizeof chips / sizeof *chips; n++) {
            struct gcnsim_error error = {0};
            struct gcnsim *sim;
            struct arena arena;
            const char **set;
            size_t count;

            assert_int_equal(gcnsim_open(&sim, chips[n], &error), GCNSIM_OK);
            arena_init(&arena, 0);
            assert_true(cause_sets(&causes[k], sim, &arena, &set, &count));
            possible += count > 0;
            if (gcnsim_set_all(sim, set, count, &error) != GCNSIM_OK)
                fail_msg("%s on %s: %s", causes[k].key, chips[n], error.text);
            arena_free(&arena);
            gcnsim_close(sim);
        }
        if (!possible)
            fail_msg("%s: no chip has its figures", causes[k].key);
    }
}

static void launches_that_can_change(void **state)
{
    static double stat[STATS];
    const struct trial t = {.stat = stat, .stats = STATS};
    const struct cause all = {.needs = NULL}, any = {.needs = ""}, one = {.needs = "cache.l2.misses"},
                       two = {.needs = "cache.k.misses cache.l2.misses"};

    (void)state;
    assert_true(cause_matters(&all, &t));
    assert_true(cause_matters(&any, &t));
    assert_false(cause_matters(&one, &t));
    assert_false(cause_matters(&two, &t));
    stat[stat_of_cache(LEVEL_K, STAT_CACHE_MISSES)] = 1;
    assert_false(cause_matters(&one, &t));
    assert_true(cause_matters(&two, &t));
    stat[stat_of_cache(LEVEL_K, STAT_CACHE_MISSES)] = 0;
    stat[stat_of_cache(LEVEL_L2, STAT_CACHE_MISSES)] = 1;
    assert_true(cause_matters(&one, &t));
    assert_true(cause_matters(&two, &t));
    stat[stat_of_cache(LEVEL_L2, STAT_CACHE_MISSES)] = NAN; /* there is no L2 */
    assert_false(cause_matters(&two, &t));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments),
        cmocka_unit_test(all_assignments_are_possible),
        cmocka_unit_test(launches_that_can_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
