/* Iterations of loops that are left out of a launch (sim/engine/sampling/iterations.h), through the public API, on a
 * chip of four compute units: an estimate beside the launch in full, what is left in memory, threads, faults in what
 * runs without time, and loops that are simulated in full. */
#include <math.h>
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

enum { SIDE = 64, TILE = 16, MOST_ROWS = 256 }; /* columns of C; of the part of it that a workgroup computes */

/* C = A x B with `depth` columns of A. */
struct job {
    const char *arch, *file;
    uint32_t depth;
    uint32_t missing; /* of these columns of A's last row */
    uint32_t rows;    /* of A; 0: SIDE, which makes as many workgroups as the chip has room for */
    bool loops, by_groups, functional, every_cycle, perfect_memory;
    uint32_t threads;
    uint64_t max_cycles;
};

struct done {
    struct gcnsim_result *result;
    float c[MOST_ROWS * SIDE];
};

static void must(int rc, const struct gcnsim_error *error)
{
    if (rc != GCNSIM_OK)
        fail_msg("%s", error->text);
}

static void fill(struct gcnsim *sim, uint64_t at, size_t count, unsigned times)
{
    float *f = malloc(count * sizeof *f);
    struct gcnsim_error error;

    for (size_t k = 0; k < count; k++)
        f[k] = (float)(k * times % 17) - 8;
    must(gcnsim_write(sim, at, f, count * sizeof *f, &error), &error);
    free(f);
}

/* Four compute units of it. */
static struct gcnsim *open_chip(const char *arch)
{
    static const char *const chip[] = {"gpu.cus=4", "gpu.shader_engines=1", "gpu.xcds=1"};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;

    must(gcnsim_open(&sim, arch, &error), &error);
    api_threads_at_once(sim);
    must(gcnsim_set_all(sim, chip, 3, &error), &error);
    return sim;
}

static struct gcnsim_module *load(struct gcnsim *sim, const char *file, const char *kernel, struct gcnsim_dispatch *d)
{
    struct gcnsim_error error = {0};
    struct gcnsim_module *module;
    char path[128];

    snprintf(path, sizeof path, "traces/samples/%s", file);
    must(gcnsim_load_file(sim, &module, path, NULL, &error), &error);
    gcnsim_dispatch_init(d);
    must(gcnsim_code_find_kernel(gcnsim_module_code(module), kernel, &d->kernel, &error), &error);
    return module;
}

static struct done run(const struct job *j)
{
    const uint32_t rows = j->rows ? j->rows : SIDE;
    const size_t a = (size_t)rows * j->depth - j->missing, b = (size_t)SIDE * j->depth;
    struct {
        uint64_t a, b, c;
        uint32_t depth, columns;
    } args = {.depth = j->depth, .columns = SIDE};
    struct gcnsim_error error = {0};
    struct done done = {0};
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim *sim = open_chip(j->arch);

    module = load(sim, j->file, "matmul", &d);
    must(gcnsim_alloc(sim, a * 4, "a", &args.a, &error), &error);
    must(gcnsim_alloc(sim, b * 4, "b", &args.b, &error), &error);
    must(gcnsim_alloc(sim, sizeof done.c, "c", &args.c, &error), &error);
    fill(sim, args.a, a, 3);
    fill(sim, args.b, b, 5);
    d.engine = j->functional ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
    d.grid_size[0] = SIDE;
    d.grid_size[1] = rows;
    d.workgroup_size[0] = d.workgroup_size[1] = TILE;
    d.threads = j->threads;
    d.tick_every_cycle = j->every_cycle;
    d.perfect_memory = j->perfect_memory;
    d.cold = 1;
    d.max_cycles = j->max_cycles;
    d.sample_loops = j->loops;
    d.sample_workgroups = j->by_groups ? GCNSIM_SAMPLE_AUTO : 0;
    d.kernarg = &args;
    d.kernarg_size = sizeof args;
    must(gcnsim_launch(module, &d, &done.result, &error), &error);
    must(gcnsim_read(sim, args.c, done.c, sizeof done.c, &error), &error);
    gcnsim_close(sim);
    return done;
}

static const struct gcnsim_estimate *estimate(const struct done *d)
{
    const struct gcnsim_estimate *e = gcnsim_result_estimate(d->result);

    assert_non_null(e);
    return e;
}

/* ---- estimates ---- */

/* Cycles lie in the interval, and within `most` of the launch in full; what is executed, and left in memory, is the
 * launch's. */
static void check_estimate(const struct job *of, double most, double least_left_out)
{
    struct job sampled = *of, functional = *of;
    sampled.loops = functional.functional = true;
    struct done full = run(of), some = run(&sampled), values = run(&functional);
    const struct gcnsim_estimate *e = estimate(&some);
    double cycles = (double)result_stat(full.result, "cycles");

    assert_null(gcnsim_result_estimate(full.result));
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    if (e->cycles_low > cycles || e->cycles_high < cycles || e->cycles > cycles * (1 + most) ||
        e->cycles < cycles * (1 - most))
        fail_msg("%s: %.0f cycles, estimated %.0f from %.0f to %.0f", of->file, cycles, e->cycles, e->cycles_low,
                 e->cycles_high);
    assert_int_equal(e->detailed_workgroups, SIDE / TILE * (of->rows ? of->rows : SIDE) / TILE);
    assert_int_equal(e->functional_workgroups + e->skipped_workgroups, 0);
    assert_true((double)e->left_out_iterations > least_left_out * of->depth / TILE);
    assert_true(e->left_out_iterations < of->depth / TILE);
    assert_true(e->scale > 1 / (1 - least_left_out) * 0.9);
    assert_memory_equal(some.c, values.c, sizeof values.c);
    assert_int_equal(result_stat(some.result, "instructions.total"), result_stat(full.result, "instructions.total"));
    assert_int_equal(result_stat(some.result, "instructions.valu"), result_stat(full.result, "instructions.valu"));
    assert_int_equal(result_stat(some.result, "instructions.lds"), result_stat(full.result, "instructions.lds"));
    assert_int_equal(result_stat(some.result, "waves_done"), result_stat(full.result, "waves_done"));
    gcnsim_result_free(full.result);
    gcnsim_result_free(some.result);
    gcnsim_result_free(values.result);
}

static const struct job rdna = {.arch = "gfx1201", .file = "gfx1201/matmul.co", .depth = 4096};

/* Waves that meet at barriers twice an iteration: of 32 lanes and split barriers, of 64, and of CDNA. */
static void estimates_hold(void **state)
{
    struct job wide = rdna, cdna = rdna;

    (void)state;
    wide.file = "gfx1201/matmul.w64.co";
    cdna.arch = "gfx90a";
    cdna.file = "gfx90a/matmul.co";
    check_estimate(&rdna, 0.01, 0.8);
    check_estimate(&wide, 0.005, 0.6);
    check_estimate(&cdna, 0.02, 0.3);
}

/* Where every access hits there are no caches to warm. */
static void perfect_memory_has_leaps(void **state)
{
    struct job near = rdna, sampled;

    (void)state;
    near.perfect_memory = true;
    sampled = near;
    sampled.loops = true;
    struct done full = run(&near), some = run(&sampled);
    double cycles = (double)result_stat(full.result, "cycles");
    assert_true(estimate(&some)->left_out_iterations > near.depth / TILE / 2);
    assert_true(fabs(estimate(&some)->cycles - cycles) < 0.05 * cycles);
    assert_memory_equal(full.c, some.c, sizeof full.c);
    gcnsim_result_free(full.result);
    gcnsim_result_free(some.result);
}

/* Four times as many workgroups as the chip has room for, in a few rounds: each has leaps. */
static void rounds_of_workgroups_have_leaps(void **state)
{
    struct job rounds = rdna, sampled;

    (void)state;
    rounds.rows = MOST_ROWS;
    rounds.depth = 2048;
    sampled = rounds;
    sampled.loops = true;
    struct done full = run(&rounds), some = run(&sampled);
    const struct gcnsim_estimate *e = estimate(&some);
    double cycles = (double)result_stat(full.result, "cycles");

    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    if (e->cycles_low > cycles || e->cycles_high < cycles)
        fail_msg("%.0f cycles, estimated from %.0f to %.0f", cycles, e->cycles_low, e->cycles_high);
    assert_int_equal(e->detailed_workgroups, SIDE / TILE * MOST_ROWS / TILE);
    assert_true(e->left_out_iterations > rounds.depth / TILE);
    assert_memory_equal(full.c, some.c, sizeof full.c);
    gcnsim_result_free(full.result);
    gcnsim_result_free(some.result);
}

/* Counts that are not exact are those of the whole launch within some percent. */
static void statistics_are_scaled(void **state)
{
    static const char *const names[] = {"cache.vl0.accesses", "lds.accesses", "resident_wave_cycles"};
    struct job sampled = rdna;

    (void)state;
    sampled.loops = true;
    struct done full = run(&rdna), some = run(&sampled);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double a = (double)result_stat(full.result, names[k]), b = (double)result_stat(some.result, names[k]);
        if (b < 0.9 * a || b > 1.1 * a)
            fail_msg("%s: %.0f, and estimated %.0f", names[k], a, b);
    }
    gcnsim_result_free(full.result);
    gcnsim_result_free(some.result);
}

/* Neither host threads nor jumps of time change a number. */
static void threads_change_nothing(void **state)
{
    struct job one = rdna, many, every;

    (void)state;
    one.loops = true;
    many = every = one;
    many.threads = 3;
    every.every_cycle = true;
    struct done a = run(&one), b = run(&many), c = run(&every);
    assert_true(estimate(&a)->cycles_low == estimate(&b)->cycles_low);
    assert_int_equal(estimate(&a)->left_out_iterations, estimate(&c)->left_out_iterations);
    same_statistics(a.result, b.result);
    same_statistics(a.result, c.result);
    gcnsim_result_free(a.result);
    gcnsim_result_free(b.result);
    gcnsim_result_free(c.result);
}

/* Rows of `columns`, one for each of 16 workgroups; loops: iterations are left out. */
static struct gcnsim_result *run_softmax(uint32_t columns, bool loops)
{
    enum { ROWS = 16, LANES = 128 };
    struct {
        uint64_t in, out;
        uint32_t columns;
    } args = {.columns = columns};
    struct gcnsim_error error = {0};
    struct gcnsim *sim = open_chip("gfx1201");
    struct gcnsim_dispatch d;
    struct gcnsim_module *module = load(sim, "gfx1201/softmax.co", "softmax", &d);
    struct gcnsim_result *result;

    must(gcnsim_alloc(sim, (size_t)ROWS * columns * 4, "in", &args.in, &error), &error);
    must(gcnsim_alloc(sim, (size_t)ROWS * columns * 4, "out", &args.out, &error), &error);
    d.engine = GCNSIM_ENGINE_TIMING;
    d.grid_size[0] = ROWS * LANES;
    d.workgroup_size[0] = LANES;
    d.cold = 1;
    d.sample_loops = loops;
    d.kernarg = &args;
    d.kernarg_size = 20;
    must(gcnsim_launch(module, &d, &result, &error), &error);
    gcnsim_close(sim);
    return result;
}

/* Three loops, one after the other: each has its leaps. */
static void each_loop_is_found(void **state)
{
    enum { COLUMNS = 65536, ITERATIONS = 3 * COLUMNS / 128 };
    struct gcnsim_result *full = run_softmax(COLUMNS, false), *some = run_softmax(COLUMNS, true);
    const struct gcnsim_estimate *e = gcnsim_result_estimate(some);
    double cycles = (double)result_stat(full, "cycles");

    (void)state;
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_MADE);
    assert_true(e->left_out_iterations > ITERATIONS / 2);
    assert_true(e->stretches > 3);
    if (e->cycles > 1.05 * cycles || e->cycles < 0.95 * cycles)
        fail_msg("%.0f cycles, estimated %.0f", cycles, e->cycles);
    gcnsim_result_free(full);
    gcnsim_result_free(some);
}

/* Its loop has atomics on memory, by which workgroups may talk. */
static void atomics_are_not_left_out(void **state)
{
    enum { BYTES = 1 << 17, GROUPS = 4, LANES = 256 };
    struct {
        uint64_t in, bins, last, ticket;
        uint32_t n, groups;
    } args = {.n = BYTES, .groups = GROUPS};
    struct gcnsim_error error = {0};
    struct gcnsim *sim = open_chip("gfx1201");
    struct gcnsim_dispatch d;
    struct gcnsim_module *module = load(sim, "gfx1201/histogram.co", "histogram", &d);
    struct gcnsim_result *result;

    (void)state;
    must(gcnsim_alloc(sim, BYTES, "in", &args.in, &error), &error);
    must(gcnsim_alloc(sim, 1024, "bins", &args.bins, &error), &error);
    must(gcnsim_alloc(sim, 1024, "last", &args.last, &error), &error);
    must(gcnsim_alloc(sim, 64, "ticket", &args.ticket, &error), &error);
    d.engine = GCNSIM_ENGINE_TIMING;
    d.grid_size[0] = GROUPS * LANES;
    d.workgroup_size[0] = LANES;
    d.cold = 1;
    d.sample_loops = 1;
    d.kernarg = &args;
    d.kernarg_size = sizeof args;
    must(gcnsim_launch(module, &d, &result, &error), &error);
    const struct gcnsim_estimate *e = gcnsim_result_estimate(result);
    assert_int_equal(e->kind, GCNSIM_ESTIMATE_NONE);
    assert_int_equal(e->left_out_iterations, 0);
    assert_non_null(strstr(e->note, "atomics"));
    gcnsim_result_free(result);
    gcnsim_close(sim);
}

/* A launch with few workgroups has its loops sampled where its workgroups would have been. */
static void few_workgroups_are_sampled_by_loops(void **state)
{
    struct job loops = rdna, both, groups;

    (void)state;
    loops.loops = true;
    both = groups = loops;
    both.by_groups = groups.by_groups = true;
    groups.loops = false;
    struct done a = run(&loops), b = run(&both), c = run(&groups);
    same_statistics(a.result, b.result);
    assert_int_equal(estimate(&c)->kind, GCNSIM_ESTIMATE_NONE);
    assert_int_equal(estimate(&c)->left_out_iterations, 0);
    gcnsim_result_free(a.result);
    gcnsim_result_free(b.result);
    gcnsim_result_free(c.result);
}

/* ---- ends ---- */

/* The last row of A ends early, in an iteration that runs without time. */
static void faults_without_time_end_the_run(void **state)
{
    struct job faults = rdna, functional;

    (void)state;
    faults.missing = rdna.depth / 3;
    functional = faults;
    functional.functional = true;
    faults.loops = true;
    struct done d = run(&faults), f = run(&functional);
    assert_int_equal(d.result->outcome, GCNSIM_FAULTED);
    assert_int_equal(estimate(&d)->kind, GCNSIM_ESTIMATE_PARTIAL);
    assert_int_equal(d.result->fault->pc, f.result->fault->pc);
    assert_int_equal(d.result->fault->address, f.result->fault->address);
    assert_int_equal(d.result->fault->workgroup[1], SIDE / TILE - 1);
    gcnsim_result_free(d.result);
    gcnsim_result_free(f.result);
}

static void limits_end_the_run(void **state)
{
    struct job limited = rdna;

    (void)state;
    limited.loops = true;
    limited.max_cycles = 10000;
    struct done d = run(&limited);
    assert_int_equal(d.result->outcome, GCNSIM_LIMIT);
    assert_int_equal(estimate(&d)->kind, GCNSIM_ESTIMATE_PARTIAL);
    gcnsim_result_free(d.result);
}

/* A loop of few iterations is over before anything is known of it. */
static void short_loops_are_whole(void **state)
{
    struct job few = rdna, sampled;

    (void)state;
    few.depth = 4 * TILE;
    sampled = few;
    sampled.loops = true;
    struct done a = run(&few), b = run(&sampled);
    assert_int_equal(estimate(&b)->kind, GCNSIM_ESTIMATE_NONE);
    assert_non_null(strstr(estimate(&b)->note, "simulated in full"));
    same_statistics(a.result, b.result);
    gcnsim_result_free(a.result);
    gcnsim_result_free(b.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_hold),
        cmocka_unit_test(perfect_memory_has_leaps),
        cmocka_unit_test(rounds_of_workgroups_have_leaps),
        cmocka_unit_test(statistics_are_scaled),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(each_loop_is_found),
        cmocka_unit_test(atomics_are_not_left_out),
        cmocka_unit_test(few_workgroups_are_sampled_by_loops),
        cmocka_unit_test(faults_without_time_end_the_run),
        cmocka_unit_test(limits_end_the_run),
        cmocka_unit_test(short_loops_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
