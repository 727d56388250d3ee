/* Samples over time: every cycle and every count lies in one interval, however often neighbours are merged; neither
 * threads nor ticking every cycle change them, and they change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/samples.h"
#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

static void neighbours_merge_when_the_list_is_full(void **state)
{
    struct engine_samples *s = engine_samples_new(8);
    uint64_t value[SAMPLES] = {0}, sum = 0, cycles = 0;

    (void)state;
    for (uint64_t n = 0; n < 5000;) {
        uint64_t length = n ? s->interval_cycles : 5;

        value[SAMPLE_DRAM_READ_BYTES] = ++n;
        assert_true(engine_samples_add(s, length, value));
        assert_true(s->count < ENGINE_SAMPLES);
        sum += n;
        cycles += length;
    }
    value[SAMPLE_DRAM_READ_BYTES] = 7;
    engine_samples_add(s, 3, value);
    for (size_t n = 0; n < s->count; n++) {
        sum -= s->value[n][SAMPLE_DRAM_READ_BYTES];
        cycles -= engine_samples_cycles(s, n);
    }
    assert_int_equal(sum, (uint64_t)-7);
    assert_int_equal(cycles, (uint64_t)-3);
    assert_int_equal(s->last_cycles, 3);
    assert_int_equal(s->first_cycles, s->interval_cycles - 3);
    assert_true(s->interval_cycles > 8 && !(s->interval_cycles & (s->interval_cycles - 1)));
    engine_samples_free(s);
}

static double sum_of(const struct gcnsim_samples *s, const struct gcnsim_series *series)
{
    double sum = 0;

    for (size_t n = 0; n < s->count; n++) {
        double cycles = (double)(n + 1 == s->count ? s->last_cycles : n ? s->interval_cycles : s->first_cycles);

        sum += series->values[n] * (series->is_mean ? cycles : 1);
    }
    return sum;
}

/* The statistic of the whole run that a series is the course of. */
static const char *statistic_of(const char *series, char name[80])
{
    static const char *const pairs[][2] = {{"resident_waves", "resident_wave_cycles"},
                                           {".mshrs", ".mshr_cycles"},
                                           {".full_channels", ".mshr_limit_cycles"}};

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        size_t length = strlen(series), end = strlen(pairs[k][0]);

        if (length >= end && strcmp(series + length - end, pairs[k][0]) == 0) {
            snprintf(name, 80, "%.*s%s", (int)(length - end), series, pairs[k][1]);
            return name;
        }
    }
    return series;
}

static void check_sums(const struct gcnsim_result *r)
{
    unsigned compared = 0;

    for (size_t k = 0; k < r->samples->series_count; k++) {
        const struct gcnsim_series *series = &r->samples->series[k];
        double value, sum = sum_of(r->samples, series);
        char name[80];

        if (gcnsim_result_stat(r, statistic_of(series->name, name), &value))
            continue;
        compared++;
        if (sum > value * (1 + 1e-9) + 1e-9 || sum < value * (1 - 1e-9) - 1e-9)
            fail_msg("%s: %.3f in the intervals, %.3f in the run", series->name, sum, value);
    }
    assert_true(compared > 40);
}

static void check_same(const struct gcnsim_samples *a, const struct gcnsim_samples *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->series_count, b->series_count);
    assert_int_equal(a->interval_cycles, b->interval_cycles);
    assert_int_equal(a->last_cycles, b->last_cycles);
    for (size_t k = 0; k < a->series_count; k++)
        for (size_t n = 0; n < a->count; n++)
            if (a->series[k].values[n] != b->series[k].values[n])
                fail_msg("%s in interval %zu: %g and %g", a->series[k].name, n, a->series[k].values[n],
                         b->series[k].values[n]);
}

static void one_sample(const char *path)
{
    struct gcnsim_result *plain = run_sample(path, 0);
    struct gcnsim_result *r = run_sample_with(path, &(struct gcnsim_dispatch){.samples = 1});
    struct gcnsim_result *two = run_sample_with(path, &(struct gcnsim_dispatch){.samples = 1, .threads = 2});
    struct gcnsim_result *slow = run_sample_with(path, &(struct gcnsim_dispatch){.samples = 1, .tick_every_cycle = 1});

    assert_null(plain->samples);
    for (size_t k = 0; k < plain->stat_count; k++)
        if (plain->stats[k].value != r->stats[k].value)
            fail_msg("%s: %s is %g, with samples %g", path, plain->stats[k].name, plain->stats[k].value,
                     r->stats[k].value);
    assert_true(r->samples->count > 8 && r->samples->count < 1024);
    check_sums(r);
    check_same(r->samples, two->samples);
    check_same(r->samples, slow->samples);
    gcnsim_result_free(plain);
    gcnsim_result_free(r);
    gcnsim_result_free(two);
    gcnsim_result_free(slow);
}

static void samples_of_a_run_add_up(void **state)
{
    (void)state;
    one_sample("traces/samples/gfx90a/matmul.json");
    one_sample("traces/samples/gfx1201/reduce_lds.json");
    one_sample("traces/samples/gfx803/histogram.json");
}

/* An interval that never ends is one for the whole run. */
static void intervals_that_never_end(void **state)
{
    static const uint64_t lengths[] = {UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63, UINT64_C(1) << 62};

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct gcnsim_result *r =
            run_sample_with("traces/samples/gfx1201/reduce_lds.json", &(struct gcnsim_dispatch){.samples = lengths[k]});

        assert_int_equal(r->samples->count, 1);
        check_sums(r);
        gcnsim_result_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_merge_when_the_list_is_full),
        cmocka_unit_test(samples_of_a_run_add_up),
        cmocka_unit_test(intervals_that_never_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
