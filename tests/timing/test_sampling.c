/* Sampled launches (sim/engine/sampling/sampled.h) through the public API, on a chip of a few compute units, where
 * large launches are cheap: an estimate beside the launch in full, what is left in memory, threads, launches that end
 * early, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"
#include "tests/support/same_statistics.h"

enum { ITEMS = 256 };

/* A kernel of traces/samples/gfx1201 over `groups` workgroups of ITEMS items: in[i] is i % 1000 of floats, or of
 * integers. */
struct job {
    const char *file, *kernel;
    uint32_t groups;
    bool two_dies;
    bool sums;          /* out has a word for each workgroup, and not for each item */
    uint32_t out_words; /* 0: as many as the kernel writes */
    uint64_t sample;
    int skip, functional, every_cycle;
    uint32_t threads;
    uint64_t max_cycles;
    gcnsim_progress_fn *progress;
    void (*change)(struct gcnsim_dispatch *d); /* null: nothing else */
};

struct done {
    struct gcnsim_result *result; /* null: refused, and *error says why */
    uint32_t *out;
    size_t words;
    struct gcnsim_error error;
};

static void done_free(struct done *d)
{
    gcnsim_result_free(d->result);
    free(d->out);
}

static void must(int rc, const struct gcnsim_error *error)
{
    if (rc != GCNSIM_OK)
        fail_msg("%s", error->text);
}

/* 4 compute units: 16 workgroups of 8 waves at once; or as many on each of two dies. */
static struct gcnsim *open_small_chip(bool two_dies)
{
    static const char *const one[] = {"gpu.cus=4", "gpu.shader_engines=1", "gpu.xcds=1"};
    static const char *const two[] = {"gpu.cus=8", "gpu.shader_engines=2", "gpu.xcds=2"};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;

    must(gcnsim_open(&sim, "gfx1201", &error), &error);
    api_threads_at_once(sim);
    must(gcnsim_set_all(sim, two_dies ? two : one, 3, &error), &error);
    return sim;
}

static void fill_dispatch(struct gcnsim_dispatch *d, const struct job *j)
{
    d->engine = j->functional ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
    d->grid_size[0] = j->groups * ITEMS;
    d->workgroup_size[0] = ITEMS;
    d->threads = j->threads;
    d->tick_every_cycle = j->every_cycle;
    d->cold = 1;
    d->sample_workgroups = j->sample;
    d->sample_skip = j->skip;
    d->max_cycles = j->max_cycles;
    d->progress = j->progress;
    if (j->change)
        j->change(d);
}

static struct done run(const struct job *j)
{
    struct {
        uint64_t a, b, out;
        uint32_t n;
    } three = {.n = j->groups * ITEMS};
    struct {
        uint64_t in, out;
    } two;
    size_t words = (size_t)j->groups * ITEMS;
    struct done done = {.words = j->out_words ? j->out_words : j->sums ? j->groups : words};
    struct gcnsim *sim = open_small_chip(j->two_dies);
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    uint32_t *in = calloc(words, sizeof *in);
    char path[128];

    snprintf(path, sizeof path, "traces/samples/gfx1201/%s", j->file);
    must(gcnsim_load_file(sim, &module, path, NULL, &done.error), &done.error);
    gcnsim_dispatch_init(&d);
    must(gcnsim_code_find_kernel(gcnsim_module_code(module), j->kernel, &d.kernel, &done.error), &done.error);
    fill_dispatch(&d, j);
    must(gcnsim_alloc(sim, words * 4, "in", &three.a, &done.error), &done.error);
    must(gcnsim_alloc(sim, done.words * 4, "out", &three.out, &done.error), &done.error);
    for (size_t k = 0; k < words; k++) {
        float f = (float)(k % 1000);
        memcpy(&in[k], &f, sizeof f);
    }
    must(gcnsim_write(sim, three.a, in, words * 4, &done.error), &done.error);
    three.b = two.in = three.a;
    two.out = three.out;
    d.kernarg = j->sums ? (const void *)&two : (const void *)&three;
    d.kernarg_size = j->sums ? sizeof two : 28;
    if (gcnsim_launch(module, &d, &done.result, &done.error) == GCNSIM_OK) {
        done.out = calloc(done.words, sizeof *done.out);
        must(gcnsim_read(sim, three.out, done.out, done.words * 4, &done.error), &done.error);
    }
    free(in);
    gcnsim_close(sim);
    return done;
}

static const struct job reduce = {.file = "reduce_lds.co", .kernel = "reduce_lds", .groups = 2048, .sums = true};
static const struct job vecadd = {.file = "vecadd.co", .kernel = "vecadd", .groups = 4096};

static const struct gcnsim_estimate *estimate(const struct done *d)
{
    if (!d->result)
        fail_msg("%s", d->error.text);
    const struct gcnsim_estimate *e = gcnsim_result_estimate(d->result);
    assert_non_null(e);
    return e;
}

/* ---- estimates ---- */

/* Cycles lie in the interval, and within `most` of the launch in full; memory is that of the functional engine. */
static void check_estimate(const struct job *of, double most)
{
    struct job sampled = *of, functional = *of;
    sampled.sample = GCNSIM_SAMPLE_AUTO;
    functional.functional = 1;
    struct done full = run(of), some = run(&sampled), values = run(&functional);
    const struct gcnsim_estimate *e = estimate(&some);
    double cycles = (double)result_stat(full.result, "cycles");

    assert_null(gcnsim_result_estimate(full.result));
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    assert_int_equal(e->detailed_workgroups + e->functional_workgroups, of->groups);
    assert_true(e->detailed_workgroups * 2 < of->groups);
    if (e->cycles_low > cycles || e->cycles_high < cycles || e->cycles > cycles * (1 + most) ||
        e->cycles < cycles * (1 - most))
        fail_msg("%s: %.0f cycles, estimated %.0f from %.0f to %.0f", of->kernel, cycles, e->cycles, e->cycles_low,
                 e->cycles_high);
    assert_int_equal(result_stat(some.result, "cycles"), (uint64_t)(e->cycles + 0.5));
    assert_memory_equal(some.out, values.out, values.words * 4);
    assert_int_equal(result_stat(some.result, "instructions.total"), result_stat(full.result, "instructions.total"));
    assert_int_equal(result_stat(some.result, "workgroups_done"), of->groups);
    assert_int_equal(result_stat(some.result, "waves_done"), result_stat(full.result, "waves_done"));
    done_free(&full);
    done_free(&some);
    done_free(&values);
}

static void estimates_hold(void **state)
{
    (void)state;
    check_estimate(&reduce, 0.03);
    check_estimate(&vecadd, 0.05);
    struct job dies = reduce; /* each goes through the grid by itself, and comes to a leap by itself */
    dies.two_dies = true;
    dies.groups = 4096;
    check_estimate(&dies, 0.05);
}

/* Counts that are not exact are those of the whole launch within a few percent; sums stay sums. */
static void statistics_are_scaled(void **state)
{
    static const char *const names[] = {"cache.vl0.accesses", "lds.accesses", "resident_wave_cycles"};
    struct job sampled = reduce;
    uint64_t stalls = 0;

    (void)state;
    sampled.sample = GCNSIM_SAMPLE_AUTO;
    struct done full = run(&reduce), some = run(&sampled);
    const struct gcnsim_result *r = some.result;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double a = (double)result_stat(full.result, names[k]), b = (double)result_stat(r, names[k]);
        if (b < 0.9 * a || b > 1.1 * a)
            fail_msg("%s: %.0f, and estimated %.0f", names[k], a, b);
    }
    for (uint32_t k = 0; k < r->stat_count; k++) {
        const char *name = r->stats[k].name;
        bool exact = strncmp(name, "instructions.", 13) == 0 && strncmp(name, "instructions.kind", 17) != 0;

        if (strcmp(r->stats[k].scope, "stall_cycles") == 0)
            stalls += (uint64_t)r->stats[k].value;
        if (strcmp(name, "cycles") == 0 || strcmp(r->stats[k].scope, "stall_cycles") == 0)
            assert_false(gcnsim_result_is_exact(r, k));
        if (strcmp(name, "workgroups_done") == 0 || (exact && strcmp(name, "instructions.total") == 0))
            assert_true(gcnsim_result_is_exact(r, k));
        assert_true(gcnsim_result_is_exact(full.result, k));
    }
    assert_int_equal(stalls, result_stat(r, "resident_wave_cycles"));
    assert_int_equal(result_stat(r, "cache.l2.accesses"),
                     result_stat(r, "cache.l2.hits") + result_stat(r, "cache.l2.misses"));
    done_free(&full);
    done_free(&some);
}

/* Neither host threads nor jumps of time change a number. */
static void threads_change_nothing(void **state)
{
    struct job one = vecadd, many = vecadd, every = vecadd;

    (void)state;
    one.sample = many.sample = every.sample = GCNSIM_SAMPLE_AUTO;
    many.threads = 3;
    every.every_cycle = 1;
    struct done a = run(&one), b = run(&many), c = run(&every);
    const struct gcnsim_estimate *x = estimate(&a), *y = estimate(&b);
    assert_int_equal(x->kind, GCNSIM_ESTIMATE_MADE);
    assert_true(x->cycles_low == y->cycles_low && x->cycles_high == y->cycles_high);
    same_statistics(a.result, b.result);
    same_statistics(a.result, c.result);
    assert_memory_equal(a.out, b.out, a.words * 4);
    done_free(&a);
    done_free(&b);
    done_free(&c);
}

/* A launch that is too small is simulated as it would be without sampling. */
static void small_launches_are_whole(void **state)
{
    struct job small = reduce, sampled;

    (void)state;
    small.groups = 128;
    sampled = small;
    sampled.sample = GCNSIM_SAMPLE_AUTO;
    struct done full = run(&small), some = run(&sampled);
    const struct gcnsim_estimate *e = estimate(&some);
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_NONE);
    assert_non_null(strstr(e->note, "simulated in full"));
    assert_int_equal(e->detailed_workgroups, 128);
    same_statistics(full.result, some.result);
    done_free(&full);
    done_free(&some);
}

/* So many workgroups as are asked for, within a window. */
static void numbers_are_kept(void **state)
{
    struct job some = reduce, all = reduce;

    (void)state;
    some.sample = 256;
    all.sample = reduce.groups;
    struct done a = run(&some), b = run(&all);
    const struct gcnsim_estimate *e = estimate(&a);
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    assert_in_range(e->detailed_workgroups, 240, 288);
    assert_int_equal(estimate(&b)->kind, GCNSIM_ESTIMATE_NONE);
    done_free(&a);
    done_free(&b);
}

/* Skipped workgroups leave nothing in memory. */
static void skipped_workgroups_do_nothing(void **state)
{
    struct job skips = reduce, whole = reduce;
    uint32_t missing = 0;

    (void)state;
    skips.sample = whole.sample = GCNSIM_SAMPLE_AUTO;
    skips.skip = 1;
    struct done a = run(&skips), b = run(&whole);
    const struct gcnsim_estimate *e = estimate(&a);
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    assert_true(e->skipped_workgroups > 0);
    assert_int_equal(e->skipped_workgroups + e->functional_workgroups + e->detailed_workgroups, reduce.groups);
    for (size_t k = 0; k < a.words; k++)
        missing += a.out[k] == 0;
    assert_int_equal(missing, e->skipped_workgroups);
    assert_int_equal(result_stat(a.result, "workgroups_done"), reduce.groups - e->skipped_workgroups);
    /* workgroups are alike: what is skipped counts as much as what is not */
    assert_int_equal(result_stat(a.result, "instructions.total"), result_stat(b.result, "instructions.total"));
    done_free(&a);
    done_free(&b);
}

/* ---- ends ---- */

/* A workgroup in the middle of the grid writes past the end of `out`: it is never simulated in detail. */
static void faults_between_end_the_run(void **state)
{
    struct job faults = vecadd;

    (void)state;
    faults.sample = GCNSIM_SAMPLE_AUTO;
    faults.out_words = vecadd.groups / 3 * ITEMS;
    struct done d = run(&faults);
    const struct gcnsim_estimate *e = estimate(&d);
    assert_int_equal(d.result->outcome, GCNSIM_FAULTED);
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_PARTIAL);
    assert_int_equal(d.result->fault->workgroup[0], vecadd.groups / 3);
    assert_true(e->detailed_workgroups < vecadd.groups / 3);
    assert_null(d.result->snapshot); /* nobody waits for anything */
    done_free(&d);
}

static int stop_late(void *ctx, uint64_t done, uint64_t all)
{
    (void)ctx;
    return done > all / 64;
}

static void early_ends_are_no_estimates(void **state)
{
    struct job stopped = vecadd, limited = vecadd;

    (void)state;
    stopped.sample = limited.sample = GCNSIM_SAMPLE_AUTO;
    stopped.groups = 40000;
    stopped.progress = stop_late;
    limited.max_cycles = 2000;
    struct done a = run(&stopped), b = run(&limited);
    assert_int_equal(a.result->outcome, GCNSIM_INTERRUPTED);
    assert_int_equal(estimate(&a)->kind, GCNSIM_ESTIMATE_PARTIAL);
    assert_int_equal(b.result->outcome, GCNSIM_LIMIT);
    assert_int_equal(estimate(&b)->kind, GCNSIM_ESTIMATE_PARTIAL);
    assert_int_equal(result_stat(b.result, "cycles"), 2000);
    done_free(&a);
    done_free(&b);
}

/* ---- what is refused ---- */

static void with_check(struct gcnsim_dispatch *d)
{
    d->check = 1;
}

static void with_samples(struct gcnsim_dispatch *d)
{
    d->samples = 100;
}

static void with_instructions(struct gcnsim_dispatch *d)
{
    d->per_instruction = 1;
}

static void with_limit(struct gcnsim_dispatch *d)
{
    d->max_instructions = 1000;
}

static void with_traces(struct gcnsim_dispatch *d)
{
    static const char *const trace = "issue-csv=/dev/null";

    d->traces = &trace;
    d->trace_count = 1;
}

static void skip_warm(struct gcnsim_dispatch *d)
{
    d->sample_skip = 1;
    d->cold = 0;
}

static void functional(struct gcnsim_dispatch *d)
{
    d->engine = GCNSIM_ENGINE_FUNCTIONAL;
}

static void skip_alone(struct gcnsim_dispatch *d)
{
    d->sample_workgroups = 0;
    d->sample_skip = 1;
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const struct {
        void (*change)(struct gcnsim_dispatch *d);
        const char *says;
    } all[] = {{with_check, "no check beside it"},
               {with_samples, "no samples beside it"},
               {with_instructions, "no per_instruction beside it"},
               {with_limit, "no max_instructions beside it"},
               {with_traces, "no traces beside it"},
               {skip_warm, "expected a cold launch"},
               {functional, "which the functional engine does not count"},
               {skip_alone, "sample_skip without sample_workgroups"}};

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct job j = reduce;

        j.sample = GCNSIM_SAMPLE_AUTO;
        j.change = all[k].change;
        struct done d = run(&j);
        assert_null(d.result);
        assert_int_equal(d.error.code, GCNSIM_ERROR_USAGE);
        if (!strstr(d.error.text, all[k].says))
            fail_msg("'%s' does not say '%s'", d.error.text, all[k].says);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_hold),
        cmocka_unit_test(statistics_are_scaled),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(small_launches_are_whole),
        cmocka_unit_test(numbers_are_kept),
        cmocka_unit_test(skipped_workgroups_do_nothing),
        cmocka_unit_test(faults_between_end_the_run),
        cmocka_unit_test(early_ends_are_no_estimates),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
