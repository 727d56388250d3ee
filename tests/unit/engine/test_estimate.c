/* The arithmetic of estimates (sim/engine/sampling/estimate.h) on launches whose cost is known: intervals, periods,
 * changes in a gap, work that was not seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/sampling/estimate.h"

enum { WINDOWS = 12, GROUPS = 100, EACH = 50 }; /* workgroups of a window, instructions of a workgroup */

/* A stretch of windows whose costs are cost[0], cost[1], ... cost[period - 1], cost[0] ... */
struct made {
    struct engine_mark mark[WINDOWS + 1];
    struct estimate_stretch stretch;
};

static void make(struct made *m, const double *cost, unsigned period)
{
    memset(m, 0, sizeof *m);
    for (unsigned k = 0; k < WINDOWS; k++) {
        const struct engine_mark *from = &m->mark[k];

        m->mark[k + 1] = (struct engine_mark){.cycles = from->cycles + (uint64_t)(cost[k % period] * GROUPS * EACH),
                                              .started = from->started + GROUPS,
                                              .instructions = from->instructions + GROUPS * EACH};
    }
    m->stretch = (struct estimate_stretch){.mark = m->mark, .count = WINDOWS + 1, .room = WINDOWS + 1, .period = 1};
}

static void even_costs_are_certain(void **state)
{
    struct made m;

    (void)state;
    make(&m, (const double[]){2}, 1);
    struct estimate_rate r = estimate_rate(&m.stretch);
    assert_int_equal(r.windows, WINDOWS);
    assert_float_equal(r.cost, 2, 1e-9);
    assert_float_equal(r.half, 0, 1e-9);
    assert_int_equal(estimate_period(&m.stretch, 0), 1);
}

/* Student's t of 11 degrees of freedom, 2.201, times the standard error; both halves are alike. */
static void uneven_costs_have_an_interval(void **state)
{
    struct made m;

    (void)state;
    make(&m, (const double[]){1.9, 2.1}, 2);
    struct estimate_rate r = estimate_rate(&m.stretch);
    assert_float_equal(r.cost, 2, 1e-9);
    assert_float_equal(r.half, 2.201 * sqrt(12 * 0.01 / 11 / 12), 1e-6);
}

/* For n windows that cost 1 and one that costs 2 the standard error is 1 / n, and the halves differ by what the last
 * one adds to the mean of its half. Quantiles are those of printed tables; beyond 19 degrees of freedom that of 20. */
static void intervals_go_by_the_number_of_windows(void **state)
{
    static const double quantile[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                      2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                      2.120, 2.110,  2.101, 2.093, 2.086, 2.086, 2.086};

    (void)state;
    for (unsigned freedom = 1; freedom < sizeof quantile / sizeof *quantile; freedom++) {
        unsigned n = freedom + 1;
        struct engine_mark mark[32] = {{0}};
        struct estimate_stretch s = {.mark = mark, .count = n + 1, .room = 32, .period = 1};

        for (unsigned k = 0; k < n; k++)
            mark[k + 1] = (struct engine_mark){.cycles = mark[k].cycles + (k + 1 == n ? 2000 : 1000),
                                               .started = mark[k].started + 10,
                                               .instructions = mark[k].instructions + 1000};
        struct estimate_rate r = estimate_rate(&s);
        assert_float_equal(r.cost, (n + 1.0) / n, 1e-9);
        assert_float_equal(r.half, quantile[freedom] / n + 0.5 / (n - n / 2), 1e-9);
    }
}

/* One window says nothing of its own uncertainty. */
static void one_window_is_no_interval(void **state)
{
    struct made m;

    (void)state;
    make(&m, (const double[]){2}, 1);
    m.stretch.from = WINDOWS - 1;
    struct estimate_rate r = estimate_rate(&m.stretch);
    assert_int_equal(r.windows, 1);
    assert_float_equal(r.half, r.cost, 1e-9);
}

static void periods_are_found(void **state)
{
    static const double rows[] = {1, 3, 3, 2}, noise[] = {2, 2.01, 1.99, 2.005};
    struct made m;

    (void)state;
    make(&m, rows, 4);
    assert_int_equal(estimate_period(&m.stretch, 0), 4);
    m.stretch.period = 4;
    struct estimate_rate r = estimate_rate(&m.stretch);
    assert_float_equal(r.cost, 2.25, 1e-9);
    assert_float_equal(r.half, 0, 1e-9);
    m.stretch.from = 2; /* two periods, the last ones */
    assert_int_equal(estimate_rate(&m.stretch).windows, 8);
    make(&m, noise, 4); /* less than what matters */
    assert_int_equal(estimate_period(&m.stretch, 0), 1);
}

/* Facts about a launch with one gap, of `each` instructions a workgroup. */
static struct estimate_facts facts_of(const struct made *a, const struct made *b, double each)
{
    struct estimate_facts f = {.gaps = 1, .cycles = 1000000, .groups = 2 * WINDOWS * GROUPS};

    f.instructions = (double)(a->mark[WINDOWS].instructions + b->mark[WINDOWS].instructions);
    f.stretch[0] = a->stretch;
    f.stretch[1] = b->stretch;
    f.gap[0] = (struct estimate_gap){.first = 5000, .behind = 15000, .instructions = 10000 * each};
    return f;
}

static void gaps_cost_what_lies_beside_them(void **state)
{
    struct engine_estimate out = {0};
    struct made a, b;

    (void)state;
    make(&a, (const double[]){2}, 1);
    make(&b, (const double[]){4}, 1);
    struct estimate_facts f = facts_of(&a, &b, EACH);
    estimate_make(&f, &out);
    assert_float_equal(out.cycles, 1000000 + 500000 * 3.0, 1);
    /* anything between both is possible, and 2 % more */
    assert_float_equal(out.high, out.cycles + 500000 * (1 + 0.02 * 3), 1);
    assert_false(out.unsafe);
    /* a change that is known to lie after three quarters of it */
    f.gap[0].before = 0.75;
    f.gap[0].known_to = 0.05;
    estimate_make(&f, &out);
    assert_float_equal(out.cycles, 1000000 + 500000 * 2.5, 1);
    assert_float_equal(out.high, out.cycles + 500000 * (0.05 * 2 + 0.02 * 2.5), 1);
    /* what was simulated while it settled is a part of the gap */
    f.gap[0].settle_cycles = 9000;
    f.gap[0].settle_instructions = 1000;
    estimate_make(&f, &out);
    assert_float_equal(out.cycles, 1000000 - 9000 + 500000 * 2.5 + 1000 * 4, 1);
}

/* Windows whose workgroups execute work[0], work[1], ... instructions and take `base` cycles, and `slope` for each. */
static void make_with_work(struct made *m, const double *work, unsigned period, double base, double slope)
{
    make(m, (const double[]){0}, 1);
    for (unsigned k = 0; k < WINDOWS; k++) {
        m->mark[k + 1].cycles = m->mark[k].cycles + (uint64_t)(GROUPS * (base + slope * work[k % period]));
        m->mark[k + 1].instructions = m->mark[k].instructions + (uint64_t)(GROUPS * work[k % period]);
    }
}

/* Where the cost of an instruction depends on how many a workgroup executes, and those of a gap execute other numbers
 * than those that were simulated, it takes what the line through all windows says. */
static void unlike_work_goes_by_a_line(void **state)
{
    static const double little[] = {40, 50, 60}, much[] = {180, 220};
    struct engine_estimate out = {0};
    struct made a, b;

    (void)state;
    make_with_work(&a, little, 3, 30, 2);
    make_with_work(&b, much, 2, 30, 2);
    struct estimate_facts f = facts_of(&a, &b, 100);
    estimate_make(&f, &out);
    assert_false(out.unsafe);
    assert_float_equal(out.cycles, 1000000 + 10000 * (30 + 2 * 100.0), 1);
    /* the windows beside it: 2.6 and 2.15 cycles an instruction, 2.375 for the gap; 2.3 by the line */
    assert_float_equal(out.high - out.cycles, 1000000 * (2.375 - 2.3) / 2 + 0.02 * 2300000, 1);
    /* half of the windows of a stretch 10 cycles above the line, half below: t of 22 degrees of freedom, 2.086, times
     * the line's standard error at 100 instructions, 1.586 cycles a workgroup */
    for (unsigned k = 1; k <= WINDOWS; k += 2)
        a.mark[k].cycles += 1000;
    estimate_make(&f, &out);
    assert_float_equal(out.high - out.cycles, hypot(37500, 10000 * 2.086 * 1.586) + 0.02 * 2300000, 300);
    /* one that does what was simulated costs what the windows beside it cost, whatever the line says */
    make_with_work(&a, little, 3, 30, 2);
    f = facts_of(&a, &b, 120);
    estimate_make(&f, &out);
    assert_float_equal(out.cycles, 1000000 + 1200000 * 2.375, 1);
}

static void unseen_work_is_unsafe(void **state)
{
    struct engine_estimate out = {0};
    struct made a;

    (void)state;
    make(&a, (const double[]){2}, 1);
    struct estimate_facts f = facts_of(&a, &a, 2 * EACH);
    estimate_make(&f, &out);
    assert_true(out.unsafe);
    assert_non_null(strstr(out.note, "100 wave-instructions on average, those in the windows 50 to 50"));
    assert_float_equal(out.cycles, 1000000 + 2 * 1000000.0, 1);
    /* down to where each workgroup takes as long as those seen */
    assert_true(out.low <= 1000000 + 1000000.0);
}

/* Workgroups that differ, some of which were skipped. */
static void skipped_work_is_unsafe(void **state)
{
    struct engine_estimate out = {0};
    struct made a, b;

    (void)state;
    make(&a, (const double[]){2}, 1);
    make(&b, (const double[]){2}, 1);
    for (unsigned k = 0; k <= WINDOWS; k++)
        b.mark[k].instructions *= 2;
    struct estimate_facts f = facts_of(&a, &b, 1.5 * EACH);
    estimate_make(&f, &out);
    assert_false(out.unsafe);
    double half = out.high - out.cycles;
    f.gap[0].skipped = 0.9;
    estimate_make(&f, &out);
    assert_true(out.unsafe);
    assert_non_null(strstr(out.note, "50 to 100 wave-instructions"));
    assert_float_equal(out.high - out.cycles - half, 0.9 * (EACH / (1.5 * EACH)) * 750000 * 2, 1);
}

/* Within a loop there are no workgroups to compare. Where the loop ends, what was seen before counts, with its interval
 * a second time; else both sides do. Few windows after a leap have the interval of those before. */
static void loops_cost_what_lies_beside_them(void **state)
{
    struct engine_estimate out = {0};
    struct made a, b;

    (void)state;
    make(&a, (const double[]){1.9, 2.1}, 2);
    make(&b, (const double[]){4}, 1);
    struct estimate_facts f = facts_of(&a, &b, 0);
    f.gap[0] = (struct estimate_gap){.within = true, .instructions = 500000};
    estimate_make(&f, &out);
    assert_false(out.unsafe);
    assert_float_equal(out.cycles, 1000000 + 500000 * 3.0, 1);
    f.gap[0].apart = true;
    estimate_make(&f, &out);
    double half = estimate_rate(&a.stretch).half;
    assert_float_equal(out.cycles, 1000000 + 500000 * 2.0, 1);
    assert_float_equal(out.high - out.cycles, 500000 * (half * sqrt(2) + 0.02 * 2), 1);
    f.gap[0].apart = false;
    f.stretch[1].from = WINDOWS - 2;
    b.mark[WINDOWS].cycles += 500;
    estimate_make(&f, &out);
    double cost = estimate_rate(&f.stretch[1]).cost, other = half / 2 * cost;
    assert_float_equal(
        out.high - out.cycles,
        500000 * (sqrt(half * half / 4 + other * other / 4 + pow((cost - 2) / 2, 2)) + 0.02 * (1 + cost / 2)), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_costs_are_certain),          cmocka_unit_test(uneven_costs_have_an_interval),
        cmocka_unit_test(one_window_is_no_interval),       cmocka_unit_test(periods_are_found),
        cmocka_unit_test(gaps_cost_what_lies_beside_them), cmocka_unit_test(loops_cost_what_lies_beside_them),
        cmocka_unit_test(unseen_work_is_unsafe),           cmocka_unit_test(skipped_work_is_unsafe),
        cmocka_unit_test(unlike_work_goes_by_a_line),      cmocka_unit_test(intervals_go_by_the_number_of_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
