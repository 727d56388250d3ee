/* How often each instruction is executed (gcnsim_result_visits()): counted by jumps on the functional engine, one by
 * one on the timing engine. Both have to say the same, for any number of threads, and of all that was executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

static struct gcnsim_result *run(const char *path, enum gcnsim_engine engine, uint32_t threads)
{
    struct gcnsim_dispatch with = {.engine = engine, .threads = threads, .visits = 1};

    return run_sample_engine(path, NULL, &with);
}

static void check_sum(const char *path, const struct gcnsim_result *r)
{
    size_t count;
    const struct gcnsim_visit *v = gcnsim_result_visits(r, &count);
    uint64_t sum = 0;

    assert_non_null(v);
    for (size_t k = 0; k < count; k++) {
        assert_true(v[k].executed > 0);
        assert_true(k == 0 || v[k].pc > v[k - 1].pc);
        sum += v[k].executed;
    }
    if (sum != result_stat(r, "instructions.total"))
        fail_msg("%s: %llu visits, %llu wave-instructions", path, (unsigned long long)sum,
                 (unsigned long long)result_stat(r, "instructions.total"));
}

static void check_alike(const char *path, const struct gcnsim_result *a, const struct gcnsim_result *b)
{
    size_t counts[2];
    const struct gcnsim_visit *x = gcnsim_result_visits(a, &counts[0]), *y = gcnsim_result_visits(b, &counts[1]);

    assert_int_equal(counts[0], counts[1]);
    for (size_t k = 0; k < counts[0]; k++)
        if (x[k].pc != y[k].pc || x[k].executed != y[k].executed)
            fail_msg("%s: pc 0x%llx %llu times, pc 0x%llx %llu times", path, (unsigned long long)x[k].pc,
                     (unsigned long long)x[k].executed, (unsigned long long)y[k].pc, (unsigned long long)y[k].executed);
}

/* Loops, branches that some waves take, calls, barriers, waves of 32 and of 64 lanes, wavefronts that end early. */
static const char *const samples[] = {
    "traces/samples/gfx1201/mandelbrot.json", "traces/samples/gfx1201/scan.json",     "traces/samples/gfx90a/call.json",
    "traces/samples/gfx90a/matmul.json",      "traces/samples/gfx803/histogram.json",
};

static void engines_agree(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        struct gcnsim_result *timed = run(samples[k], GCNSIM_ENGINE_TIMING, 1);

        check_sum(samples[k], timed);
        assert_false(timed->has_instructions); /* nobody asked for that */
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            struct gcnsim_result *r = run(samples[k], GCNSIM_ENGINE_FUNCTIONAL, threads);

            check_sum(samples[k], r);
            check_alike(samples[k], timed, r);
            gcnsim_result_free(r);
        }
        gcnsim_result_free(timed);
    }
}

/* Who does not ask gets none; nor is there one of a run that did not complete. */
static void not_asked_or_not_complete(void **state)
{
    struct gcnsim_dispatch with = {.engine = GCNSIM_ENGINE_FUNCTIONAL};
    struct gcnsim_result *r = run_sample_engine(samples[0], NULL, &with);
    size_t count = 1;

    (void)state;
    assert_null(gcnsim_result_visits(r, &count));
    assert_int_equal(count, 0);
    gcnsim_result_free(r);
    with.visits = 1;
    with.max_cycles = 20;
    r = run_sample_engine(samples[0], NULL, &with);
    assert_int_equal(r->outcome, GCNSIM_LIMIT);
    assert_null(gcnsim_result_visits(r, &count));
    gcnsim_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(not_asked_or_not_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
