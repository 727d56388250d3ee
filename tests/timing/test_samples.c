/* The sample kernels through the public API: the numbers do not depend on whether the clock jumps, nor on the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

static void same(const char *path, const struct gcnsim_result *a, const struct gcnsim_result *b)
{
    for (size_t k = 0; k < a->stat_count; k++)
        if (a->stats[k].present != b->stats[k].present || a->stats[k].value != b->stats[k].value)
            fail_msg("%s: %s %.0f and %.0f", path, a->stats[k].name, a->stats[k].value, b->stats[k].value);
}

static void check(const char *target, const char *name)
{
    char path[128];
    struct gcnsim_result *jump, *again, *every;
    uint64_t sum = 0;

    snprintf(path, sizeof path, "traces/samples/%s/%s.json", target, name);
    jump = run_sample(path, 0);
    again = run_sample(path, 0);
    every = run_sample(path, 1);
    assert_true(result_stat(jump, "cycles") > 0);
    for (size_t k = 0; k < jump->stat_count; k++)
        if (strcmp(jump->stats[k].scope, "stall_cycles") == 0)
            sum += (uint64_t)jump->stats[k].value;
    assert_int_equal(sum, result_stat(jump, "resident_wave_cycles"));
    assert_int_equal(result_stat(jump, "workgroups_done"), jump->workgroups);
    same(path, jump, again);
    same(path, jump, every);
    gcnsim_result_free(jump);
    gcnsim_result_free(again);
    gcnsim_result_free(every);
}

static void check_all(const char *target)
{
    /* streaming, LDS and barriers, atomics, divergence, scratch and calls, flat addresses */
    static const char *const names[] = {"saxpy", "reduce_lds", "matmul", "histogram", "mandelbrot", "call", "flatptr"};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        check(target, names[k]);
}

static void gfx803(void **state)
{
    (void)state;
    check_all("gfx803");
}

static void gfx90a(void **state)
{
    (void)state;
    check_all("gfx90a");
}

static void gfx1201(void **state)
{
    (void)state;
    check_all("gfx1201");
    check("gfx1201", "matmul.w64");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(gfx803),
        cmocka_unit_test(gfx90a),
        cmocka_unit_test(gfx1201),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
