/* The sampler of programs: which dispatches it has timed, what it takes the others to cost, and the interval.
 * Dispatches are made up here, with the cycles that each costs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/hsa/sampling/sample_vector.h"
#include "sim/hsa/sampling/sampled.h"

#define ENTRY 0x1000

/* A kernel of three blocks, the middle one a loop. */
struct made {
    struct gcnsim_visit visit[12];
    struct sample_work work;
};

static void make(struct made *m, uint64_t waves, uint64_t trips)
{
    m->work = (struct sample_work){.visit = m->visit, .visits = 12, .entry = ENTRY};
    for (unsigned k = 0; k < 12; k++) {
        m->visit[k] = (struct gcnsim_visit){ENTRY + 8 * k, k >= 4 && k < 8 ? waves * trips : waves};
        m->work.instructions += (double)m->visit[k].executed;
    }
}

static const struct sample_key key = {"kernel", {4096, 1, 1}, {256, 1, 1}, 0, 0};

/* What became of a program. */
struct run {
    struct sampler *s;
    double truth, estimated; /* cycles of all dispatches; as they are reported */
    unsigned timed, warmed, executed;
};

/* A dispatch of `cycles`, which are known to +- half when it is timed. Returns its mode. */
static enum sample_mode dispatch_known_to(struct run *r, const struct sample_key *k, uint64_t trips, double cycles,
                                          double half)
{
    enum sample_mode mode;
    struct sample_class *c = sampler_begin(r->s, k, true, &mode);
    struct made m;
    double estimate = cycles;

    assert_non_null(c);
    make(&m, 64, trips);
    if (mode == SAMPLE_TIME)
        assert_true(sampler_timed(r->s, c, &m.work, cycles, half) > 0);
    else
        assert_true(sampler_executed(r->s, c, mode, &m.work, &estimate) > 0);
    r->timed += mode == SAMPLE_TIME;
    r->warmed += mode == SAMPLE_WARM;
    r->executed += mode == SAMPLE_RUN;
    r->truth += cycles;
    r->estimated += estimate;
    return mode;
}

static enum sample_mode dispatch(struct run *r, const struct sample_key *k, uint64_t trips, double cycles)
{
    return dispatch_known_to(r, k, trips, cycles, 0);
}

static void begin(struct run *r, uint32_t representatives)
{
    *r = (struct run){.s = sampler_new(representatives)};
    assert_non_null(r->s);
}

/* Within the interval, which is no wider than so much of the whole. */
static struct sample_sum end(struct run *r, double widest)
{
    struct sample_sum sum;

    sampler_sum(r->s, &sum);
    assert_int_equal(sum.timed, r->timed);
    assert_int_equal(sum.warmed, r->warmed);
    assert_int_equal(sum.executed, r->warmed + r->executed);
    assert_true(fabs(sum.timed_cycles + sum.told_cycles - r->estimated) < 1e-6 * r->estimated);
    double estimate = sum.timed_cycles + sum.estimated_cycles;
    if (fabs(estimate - r->truth) > sum.half)
        fail_msg("%.0f +- %.0f; %.0f is right", estimate, sum.half, r->truth);
    if (sum.half > widest * r->truth)
        fail_msg("an interval of +- %.0f around %.0f", sum.half, r->truth);
    sampler_free(r->s);
    return sum;
}

static void vectors(void **state)
{
    struct made a, b;
    struct sample_vector x, y, z;

    (void)state;
    make(&a, 64, 10);
    make(&b, 64, 11);
    assert_true(sample_vector_make(&x, &a.work) && sample_vector_make(&y, &b.work));
    assert_int_equal(x.blocks, 3);
    assert_true(x.block[1].from == 32 && x.block[1].to == 64 && x.block[1].executed == 640);
    assert_true(sample_vector_distance(&x, &x) == 0);
    /* 32 bytes 64 times more often, of 64 * (60 + 32 * 11): the last instruction counts with 4 bytes */
    assert_true(fabs(sample_vector_distance(&x, &y) - 32.0 / (60 + 32 * 11)) < 1e-12);
    assert_true(sample_vector_distance(&x, &y) == sample_vector_distance(&y, &x));
    /* other code altogether, at the same length */
    for (unsigned k = 0; k < 12; k++)
        b.visit[k] = (struct gcnsim_visit){ENTRY - 512 + 8 * k, a.visit[k].executed};
    assert_true(sample_vector_make(&z, &b.work));
    assert_true(fabs(sample_vector_distance(&x, &z) - 2) < 1e-12);
    sample_vector_free(&z);
    /* where nothing is known but a number */
    assert_true(sample_vector_make(&z, &(struct sample_work){.instructions = 100}));
    assert_true(sample_vector_distance(&x, &z) == 1);
    sample_vector_free(&x);
    sample_vector_free(&y);
    sample_vector_free(&z);
    /* without blocks what is known is how many instructions there were */
    struct sample_vector none = {.instructions = 300, .size = 7}, fewer = {.instructions = 200, .size = 70},
                         empty = {0};
    assert_true(fabs(sample_vector_distance(&none, &fewer) - 1 / 3.0) < 1e-12);
    assert_true(fabs(sample_vector_distance(&fewer, &none) - 1 / 3.0) < 1e-12);
    assert_true(sample_vector_distance(&empty, &empty) == 0 && sample_vector_distance(&empty, &none) == 1);
}

static double noise(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return (double)(*state >> 8) / (1 << 24) - 0.5;
}

/* One kernel that always costs about the same: some dozen of a thousand are timed. */
static void steady(void **state)
{
    struct run r;
    unsigned seed = 1;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 1000; n++)
        dispatch(&r, &key, 10, (n ? 5000 : 9000) + 50 * noise(&seed));
    assert_true(r.timed >= 8 && r.timed <= 16);
    assert_true(r.executed > 900);
    assert_true(fabs(r.estimated / r.truth - 1) < 0.005);
    assert_int_equal(end(&r, 0.03).clusters, 1);
}

/* Two paths in turn, of which one is rare: each has representatives of its own. */
static void two_paths(void **state)
{
    struct run r;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 1000; n++)
        dispatch(&r, &key, n % 4 == 3 ? 40 : 10, n % 4 == 3 ? 30000 : 5000);
    assert_true(r.timed <= 40);
    assert_true(fabs(r.estimated / r.truth - 1) < 0.005);
    assert_int_equal(end(&r, 0.03).clusters, 2);
}

/* Costs that repeat with every second to fifth dispatch, all on one path: no more are timed of one side than of the
 * other.
 */
static void periods(void **state)
{
    static const unsigned of[] = {2, 3, 4, 5};

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct run r;

        begin(&r, 0);
        for (unsigned n = 0; n < 3000; n++)
            dispatch(&r, &key, 10, n % of[k] ? 5000 : 6500);
        assert_true(r.timed <= 300);
        end(&r, 0.15);
    }
}

/* A path that is taken once, or now and then without any order, keeps nobody from going fast. */
static void rare_paths(void **state)
{
    struct run r;
    unsigned seed = 3;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 1000; n++)
        dispatch(&r, &key, n == 100 ? 300 : 10, n == 100 ? 90000 : 5000);
    if (r.timed > 40 || r.warmed > 150)
        fail_msg("%u timed, %u warmed", r.timed, r.warmed);
    end(&r, 0.05);
    begin(&r, 0);
    for (unsigned n = 0; n < 2000; n++) {
        bool rare = noise(&seed) > 0.47;

        dispatch(&r, &key, rare ? 40 : 10, rare ? 15000 : 5000);
    }
    if (r.timed > 200 || r.warmed > 700)
        fail_msg("%u timed, %u warmed", r.timed, r.warmed);
    end(&r, 0.15);
}

/* Work that grows from dispatch to dispatch is like nothing that was timed: a line through what was. */
static void growing(void **state)
{
    struct run r;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 400; n++)
        dispatch(&r, &key, 10 + n, 4000 + 100 * n);
    assert_true(r.timed <= 3 + 400 / 4 + 1);
    assert_true(fabs(r.estimated / r.truth - 1) < 0.01);
    assert_true(end(&r, 0.1).clusters > 10);
}

/* What costs change without a change of the path is seen by later representatives, or the interval says so. */
static void drift(void **state)
{
    struct run r;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 1000; n++)
        dispatch(&r, &key, 10, 5000 + 2 * n);
    end(&r, 0.25);
}

/* Six representatives, the first one cold, of which the last two, by which estimates are made, cost 6000 and the three
 * before them 5000. Half of the interval around a hundred others: the first of the two lies 500 from the mean of its
 * neighbours, which counts for half of the hundred, by Student's t of 4 degrees of freedom, 2.776; half of the drift,
 * 1000, counts for all of them; and there is the bias of 2 %. */
static void drift_is_half_of_the_interval(void **state)
{
    static const double cycles[] = {9000, 5000, 5000, 5000, 6000, 6000};
    struct sample_sum sum;
    struct run r;

    (void)state;
    begin(&r, 6);
    for (unsigned n = 0; n < 106; n++)
        assert_int_equal(dispatch(&r, &key, 10, n < 6 ? cycles[n] : 6000) == SAMPLE_TIME, n < 6);
    sampler_sum(r.s, &sum);
    assert_true(fabs(sum.estimated_cycles - 100 * 6000) < 1e-6);
    assert_true(fabs(sum.bias - 100 * 120) < 1e-6);
    assert_true(fabs(sum.half - 100 * (2.776 * 500 / 2 + 1000 / 2 + 120)) < 1e-6);
    end(&r, 0.25);
}

/* Two representatives whose cycles are estimates themselves, known to 300 and 400 of 5000, and a hundred others: by
 * what the two have each, and by half of what they say of the others; none is sure. */
static void representatives_have_intervals(void **state)
{
    static const double half[] = {300, 400};
    struct sample_sum sum;
    struct run r;

    (void)state;
    begin(&r, 2);
    for (unsigned n = 0; n < 3; n++)
        dispatch_known_to(&r, &key, 10, 5000, n ? half[n - 1] : 0);
    for (unsigned n = 0; n < 100; n++)
        dispatch(&r, &key, 10, 5000);
    sampler_sum(r.s, &sum);
    assert_true(sum.timed == 3 && sum.in_part == 2 && sum.sure_cycles == 5000);
    double own = 300.0 * 300 + 400.0 * 400, others = 50 * 50 * own;
    assert_true(fabs(sum.half - (sqrt(own + others) + 0.02 * 100 * 5000)) < 1e-6);
    end(&r, 0.25);
}

/* Before a later representative, all dispatches since the last one of its class have warmed the caches. */
static void warms_an_iteration(void **state)
{
    struct sample_key other = key;
    struct run r;
    unsigned since = 0, timed = 0;

    (void)state;
    other.grid[0] = 8192;
    begin(&r, 0);
    for (unsigned n = 0; n < 200; n++) {
        enum sample_mode mode = dispatch(&r, &key, 10, 5000);

        if (mode == SAMPLE_TIME && n >= 3) {
            timed++;
            assert_true(since >= 3); /* the last one of it, and both of the other */
        }
        since = mode == SAMPLE_RUN ? 0 : since + 1;
        for (unsigned k = 0; k < 2; k++)
            since = dispatch(&r, &other, 20, 7000) == SAMPLE_RUN ? 0 : since + 1;
    }
    assert_true(timed > 0 && r.warmed > 0 && r.executed > r.warmed);
    assert_int_equal(end(&r, 0.03).classes, 2);
}

/* Programs of several kernels with paths of their own, whose costs scatter and drift: 19 of 20 are within the interval
 * that is reported. */
static void coverage(void **state)
{
    unsigned seed = 7, inside = 0, wide = 0;

    (void)state;
    for (unsigned program = 0; program < 400; program++) {
        struct run r;
        struct sample_sum sum;
        unsigned kernels = 1 + program % 4, dispatches = 100 + (unsigned)(900 * (0.5 + noise(&seed)));
        double scatter = 0.2 * (0.5 + noise(&seed)), slope = program % 3 ? 0 : 0.3 * noise(&seed) / dispatches;

        begin(&r, 0);
        for (unsigned n = 0; n < dispatches; n++) {
            struct sample_key k = key;
            unsigned which = n % kernels, trips = n % (which + 2) ? 10 : 25;

            k.grid[0] += 256 * which;
            dispatch(&r, &k, trips,
                     (3000 + 100 * trips) * (n < kernels ? 2 : 1) * (1 + slope * n) * (1 + scatter * noise(&seed)));
        }
        sampler_sum(r.s, &sum);
        inside += fabs(sum.timed_cycles + sum.estimated_cycles - r.truth) <= sum.half;
        wide += sum.half > 0.2 * r.truth;
        sampler_free(r.s);
    }
    if (inside < 380 || wide > 20)
        fail_msg("%u of 400 inside, %u of 400 wide", inside, wide);
}

/* N representatives, no more and no less. */
static void chosen_number(void **state)
{
    struct run r;

    (void)state;
    begin(&r, 6);
    for (unsigned n = 0; n < 300; n++)
        dispatch(&r, &key, 10, n % 2 ? 5000 : 6000);
    assert_int_equal(r.timed, 6);
    end(&r, 0.5);
}

/* While something is in flight all are timed; what is lost counts for nothing. */
static void not_alone_and_lost(void **state)
{
    struct run r;
    struct sample_sum sum;
    enum sample_mode mode;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 20; n++) {
        struct sample_class *c = sampler_begin(r.s, &key, false, &mode);

        assert_int_equal(mode, SAMPLE_TIME);
        sampler_lost(r.s, c, mode);
    }
    sampler_sum(r.s, &sum);
    assert_true(sum.timed == 0 && sum.clusters == 0 && sum.half == 0);
    for (unsigned n = 0; n < 50; n++) /* as if those had not been */
        dispatch(&r, &key, 10, 5000);
    assert_true(r.timed >= 3 && r.timed <= 8);
    end(&r, 0.03);
}

static struct gcnsim_raw launch(uint32_t grid, uint32_t workgroup, uint32_t lds, uint32_t scratch)
{
    struct gcnsim_raw raw;

    gcnsim_raw_init(&raw);
    raw.kernel_name = "kernel";
    raw.grid_size[0] = grid;
    raw.workgroup_size[0] = workgroup;
    raw.lds_bytes = lds;
    raw.scratch_bytes_per_lane = scratch;
    return raw;
}

/* What makes launches of one class; those without a result are lost: each of them is timed. */
static void launches(void **state)
{
    struct gcnsim_raw raw[] = {launch(64, 64, 0, 0), launch(128, 64, 0, 0), launch(128, 128, 0, 0),
                               launch(128, 128, 64, 0), launch(128, 128, 64, 16)};
    struct dispatch_sample about;
    struct sample_sum sum;
    struct sampled one;
    struct run r;

    (void)state;
    begin(&r, 0);
    for (unsigned n = 0; n < 100; n++) {
        struct gcnsim_raw *its = &raw[n % 5];

        assert_int_equal(sampled_begin(&one, r.s, its, true, 0, &about), SAMPLE_TIME);
        assert_true(about.sampled && about.timed && !about.warmed && its->visits);
        sampled_timed(&one, its, NULL, &about);
        assert_int_equal(about.cluster, 0);
    }
    sampler_sum(r.s, &sum);
    assert_int_equal(sum.classes, 5);
    assert_true(sum.timed == 0 && sum.clusters == 0);
    sampler_free(r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(steady),
        cmocka_unit_test(two_paths),
        cmocka_unit_test(periods),
        cmocka_unit_test(rare_paths),
        cmocka_unit_test(growing),
        cmocka_unit_test(drift),
        cmocka_unit_test(drift_is_half_of_the_interval),
        cmocka_unit_test(representatives_have_intervals),
        cmocka_unit_test(warms_an_iteration),
        cmocka_unit_test(coverage),
        cmocka_unit_test(chosen_number),
        cmocka_unit_test(not_alone_and_lost),
        cmocka_unit_test(launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
