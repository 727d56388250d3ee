/* The arithmetic of a sampled program, of representatives that are made up here: costs and intervals by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/hsa/sampling/sample.h"
#include "sim/hsa/sampling/sample_internal.h"
#include "sim/util/student.h"

static void expect(double is, double wanted, const char *what)
{
    if (fabs(is - wanted) > 1e-9 * fabs(wanted))
        fail_msg("%s: %.12g; %.12g is right", what, is, wanted);
}

/* The later two of four representatives count: 640 cycles of 200 instructions, 20 cycles to either side of it. How
 * costs scatter follows from all four, each beside its neighbours: halves of 0.2, 0.8 and 0.4 squared. */
static void rate_of_the_later_half(void **state)
{
    struct sample_rep rep[] = {{.instructions = 100, .cycles = 200},
                               {100, 220, false, 0, 0},
                               {100, 300, false, 0, 0},
                               {100, 340, false, 0, 0}};
    struct sample_cluster n = {.rep = rep, .reps = 4};
    struct sample_rate r = sample_rate(&n);

    (void)state;
    assert_int_equal(r.counted, 2);
    expect(r.cost, 3.2, "cost");
    expect(r.half, student_half(1) * 20 / 100, "half");
    expect(r.scatter, student_half(3) * sqrt((0.02 + (0.02 + 0.32) / 2 + (0.32 + 0.08) / 2 + 0.08) / 4) / 3.2,
           "scatter");
}

/* The first dispatch of a class counts where there are not two others; one alone may be half as much, or twice. */
static void rates_of_few(void **state)
{
    struct sample_rep rep[] = {{100, 800, true, 0, 0}, {100, 200, false, 0, 0}, {300, 900, false, 0, 0}};
    struct sample_cluster n = {.rep = rep, .reps = 1};
    struct sample_rate r = sample_rate(&n);

    (void)state;
    assert_int_equal(r.counted, 1);
    expect(r.cost, 8, "cost of one");
    expect(r.half, 4, "half of one");
    n.reps = 2;
    r = sample_rate(&n);
    assert_int_equal(r.counted, 2);
    expect(r.cost, 5, "cost of two");
    expect(r.half, student_half(1) * 300 / 100, "half of two");
    n.reps = 3;
    r = sample_rate(&n);
    assert_int_equal(r.counted, 2);
    expect(r.cost, 2.75, "cost of three");
    expect(r.half, student_half(1) * 75 / 200, "half of three");
    n.reps = 0;
    r = sample_rate(&n);
    assert_true(r.counted == 0 && r.cost == 0 && r.half == 0);
}

/* A cluster that nobody has timed costs what the line through the others says: 50 cycles and 10.25 an instruction, the
 * three lying 25, 50 and 25 from it. */
static void line_through_others(void **state)
{
    struct sample_rep rep[] = {{100, 1100, false, 0, 0}, {200, 2050, false, 0, 0}, {300, 3150, false, 0, 0}};
    struct sample_cluster n[] = {{.rep = &rep[0], .reps = 1},
                                 {.rep = &rep[1], .reps = 1},
                                 {.rep = &rep[2], .reps = 1},
                                 {.estimated = 10, .estimated_instructions = 2500}};
    struct sample_class c = {.cluster = n, .clusters = 4};
    struct sampler s = {.lock = PTHREAD_MUTEX_INITIALIZER, .classes = &c, .timed = 3, .executed = 10, .class_count = 1};
    const double spread = student_half(1) * sqrt(25 * 25 + 50 * 50 + 25 * 25), cycles = 10 * 50 + 2500 * 10.25;
    struct sample_sum sum;

    (void)state;
    expect(sample_cost(&c, &n[3], 250), 50 + 250 * 10.25, "one dispatch");
    sampler_sum(&s, &sum);
    expect(sum.estimated_cycles, cycles, "cycles");
    expect(sum.bias, 0.02 * cycles, "bias");
    expect(sum.half, 10 * spread + 0.02 * cycles, "half");
    expect(sum.unsure, cycles, "unsure");
    /* of a cluster with one representative: its own cost, and the line's interval */
    n[3].estimated = 0;
    n[1].estimated = 4;
    n[1].estimated_instructions = 900;
    sampler_sum(&s, &sum);
    expect(sum.estimated_cycles, 900 * 10.25, "cycles by itself");
    expect(sum.half, 4 * spread + 0.02 * 900 * 10.25, "half by itself");
    expect(sum.unsure, 900 * 10.25, "unsure by itself");
    /* and with two it is sure */
    rep[2] = rep[1];
    n[1].reps = 2;
    sampler_sum(&s, &sum);
    expect(sum.estimated_cycles, 900 * 10.25, "cycles of two");
    assert_true(sum.unsure == 0);
}

/* Where all lie on the line it is as sure as an estimate can be. */
static void exact_line(void **state)
{
    struct sample_rep rep[] = {{100, 1050, false, 0, 0}, {200, 2050, false, 0, 0}, {300, 3050, false, 0, 0}};
    struct sample_cluster n[] = {{.rep = &rep[0], .reps = 1},
                                 {.rep = &rep[1], .reps = 1},
                                 {.rep = &rep[2], .reps = 1},
                                 {.estimated = 10, .estimated_instructions = 2500}};
    struct sample_class c = {.cluster = n, .clusters = 4};
    struct sampler s = {.lock = PTHREAD_MUTEX_INITIALIZER, .classes = &c, .timed = 3, .executed = 10, .class_count = 1};
    struct sample_sum sum;

    (void)state;
    sampler_sum(&s, &sum);
    expect(sum.estimated_cycles, 25500, "cycles");
    expect(sum.half, 0.02 * 25500, "half");
}

/* Two points are no line, nor are three of the same work: the nearest cluster's cost, and all of it uncertain. */
static void without_a_line(void **state)
{
    struct sample_rep rep[] = {{100, 300, false, 0, 0}, {100, 300, false, 0, 0}};
    struct sample_cluster n[] = {{.rep = rep, .reps = 2}, {.estimated = 2, .estimated_instructions = 500}};
    struct sample_class c = {.cluster = n, .clusters = 2};
    struct sampler s = {.lock = PTHREAD_MUTEX_INITIALIZER, .classes = &c};
    struct sample_sum sum;
    double apart;

    (void)state;
    assert_ptr_equal(sample_nearest(&c, &n[1].vector, true, &apart), &n[0]);
    sampler_sum(&s, &sum);
    expect(sum.estimated_cycles, 1500, "cycles");
    expect(sum.half, fmin(apart + 0.5, 1) * 1500 + 0.02 * 1500, "half");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_of_the_later_half), cmocka_unit_test(rates_of_few), cmocka_unit_test(line_through_others),
        cmocka_unit_test(without_a_line),         cmocka_unit_test(exact_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
