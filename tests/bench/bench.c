/* Rates in wave-instructions per second and core of both engines, beside loops of the host's own in the same run.
 *
 *   bench [--seconds S] [--threads N] [--quick] [--only WHAT]
 *
 * Each row is run again and again for S seconds (default 1); the best run counts, since what disturbs a run only ever
 * makes it slower, and the loops' runs are a few milliseconds so that some are not disturbed. Seconds are processor
 * time of all threads, so other work on the machine counts as little as it can and a rate is always that of one core.
 *
 * "host" is the rate of tests/bench/host_loop.c doing the row's arithmetic: for the loops the instructions' own, for
 * matrix instructions a product of matrices of that shape in f32 (f64, i32), for the samples multiply-adds of 32 lanes.
 * "of host" is how near an interpreted instruction comes to a compiled one. Matrix rows count matrix instructions
 * alone, and are run for a quarter of the time. "scaling" compares one host thread with two. WHAT is loops, matrices,
 * samples, scaling or part of a matrix instruction's name. Every run must end well and execute the expected work.
 * --quick leaves the timing engine out.
 */
#include "sim/api/gcnsim.h"
#include "tests/bench/host_loop.h"
#include "tests/bench/kernels.h"
#include "tests/bench/matrices.h"
#include "tests/bench/rows.h"
#include "tests/bench/scaling.h"
#include "tests/support/result_stat.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct measure {
    uint64_t instructions;
    double seconds; /* of the best run */
};

static double min_seconds = 1;
static uint32_t threads = 1;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

static void check(int rc, const char *what, const struct gcnsim_error *error)
{
    if (rc != GCNSIM_OK)
        die(what, error->text);
}

/* A launch of one row: returns its result. */
typedef struct gcnsim_result *launch_fn(void *ctx);

static struct measure measure(const char *what, launch_fn *launch, void *ctx, double for_seconds)
{
    struct measure best = {0};
    double end = bench_seconds(CLOCK_MONOTONIC) + for_seconds;

    bench_begin();
    do {
        double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        struct gcnsim_result *r = launch(ctx);
        double seconds = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (r->outcome != GCNSIM_COMPLETED)
            die(what, r->message);
        if (best.instructions && best.instructions != result_stat(r, "instructions.total"))
            die(what, "two runs executed different numbers of instructions");
        if (!best.instructions || seconds < best.seconds)
            best.seconds = seconds;
        best.instructions = result_stat(r, "instructions.total");
        gcnsim_result_free(r);
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    return best;
}

/* Best rate of a host loop that does `count` operations per call. */
static double host_rate(void (*run)(int which, uint64_t times), int which, uint64_t times, unsigned per_time,
                        double for_seconds)
{
    double best = 0, end = bench_seconds(CLOCK_MONOTONIC) + for_seconds;

    do {
        double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        run(which, times);
        double seconds = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (seconds <= 0) /* the clock moves in steps */
            die("host loop", "too short to measure");
        double rate = (double)(times * per_time) / seconds;
        best = rate > best ? rate : best;
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    return best;
}

static void run_fma(int which, uint64_t times)
{
    volatile float sink = host_loop(times);
    (void)which, (void)sink;
}

static void run_integer(int which, uint64_t times)
{
    volatile uint32_t sink = host_integer(times);
    (void)which, (void)sink;
}

static void run_matrix(int which, uint64_t times)
{
    host_matrix((enum host_matrix)(which / HOST_MATRIX_WAYS), (unsigned)which % HOST_MATRIX_WAYS, times);
}

/* The rate of a product's best loop. */
static double matrix_rate(enum host_matrix which, double for_seconds)
{
    double best = 0;

    for (int way = 0; way < HOST_MATRIX_WAYS; way++) {
        double rate = host_rate(run_matrix, HOST_MATRIX_WAYS * (int)which + way, 10000, 1, for_seconds);
        best = rate > best ? rate : best;
    }
    return best;
}

static void print_row(const char *kernel, const char *target, const char *engine, double instructions, double seconds,
                      double host)
{
    double rate = instructions / seconds;

    printf("%-26s %-11s %-11s %12.0f %8.4f %12.2f %10.2f %8.4f\n", kernel, target, engine, instructions, seconds,
           rate * 1e-6, host * 1e-6, rate / host);
    fflush(stdout);
    bench_row(rate * 1e-6, "M/s", host * 1e-6, "%s, %s, %s", kernel, target, engine);
}

/* ---- loops of words, raw ---- */

enum { LOOP_ITERATIONS_WORD = 1, LOOP_GROUPS = 8, LOOP_ITEMS = 256, LOOP_CODE_MAX = 64 };

static const struct loop {
    const char *name, *target;
    const uint32_t *code;
    size_t code_bytes;
    unsigned wave;
    unsigned head, body; /* instructions before and in the loop */
    unsigned iterations;
    void (*host)(int which, uint64_t times);
    unsigned host_times, per_time;
} loops[] = {
#define CODE(NAME) NAME##_code, sizeof NAME##_code
    {"fma loop", "gfx1201", CODE(fma), 32, 12, 11, 500, run_fma, 2000, HOST_CHAINS},
    {"fma loop w64", "gfx1201", CODE(fma), 64, 12, 11, 500, run_fma, 2000, HOST_CHAINS},
    {"integer loop", "gfx1201", CODE(integer), 32, 7, 21, 300, run_integer, 1000, HOST_INTEGER_OPS},
#undef CODE
};

struct loop_run {
    struct gcnsim *sim;
    enum gcnsim_engine engine;
    const char *name, *target;
    unsigned wave, vgpr_granule, groups, threads;
    uint32_t code[LOOP_CODE_MAX];
    size_t code_bytes;
};

static struct gcnsim_result *launch_loop(void *ctx)
{
    struct loop_run *a = ctx;
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;

    gcnsim_raw_init(&raw);
    raw.target = a->target;
    raw.engine = a->engine;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)a->code;
    raw.code_size = a->code_bytes;
    raw.workgroups[0] = a->groups;
    raw.workgroup_size[0] = LOOP_ITEMS;
    raw.wave_size = a->wave;
    /* as clang sets them: FLOAT_MODE, which keeps denormals; DX10_CLAMP and IEEE_MODE, which gfx12 does not have */
    raw.compute_pgm_rsrc1 = (64 / a->vgpr_granule - 1) | 0xf0u << 12 | (strncmp(a->target, "gfx12", 5) ? 5u << 21 : 0);
    raw.compute_pgm_rsrc2 = 1u << 7;                        /* workgroup id x */
    raw.compute_pgm_rsrc3 = a->wave == 64 ? 64 / 4 - 1 : 0; /* gfx90a, gfx942: AGPRs begin after 64 VGPRs */
    raw.threads = a->threads;
    raw.cold = 1; /* of one compute unit's work, not of what a chip of them keeps */
    check(gcnsim_launch_raw(a->sim, &raw, &r, &error), a->name, &error);
    return r;
}

static struct measure measure_loop(struct loop_run *a, double for_seconds, double expected)
{
    struct gcnsim_error error = {0};

    check(gcnsim_open(&a->sim, "gfx1201", &error), "open", &error); /* the functional engine asks no profile */
    struct measure m = measure(a->name, launch_loop, a, for_seconds);
    if ((double)m.instructions != expected)
        die(a->name, "not the expected number of instructions");
    gcnsim_close(a->sim);
    return m;
}

static struct loop_run loop_of(const struct loop *l, unsigned iterations)
{
    struct loop_run a = {
        .name = l->name, .target = l->target, .wave = l->wave, .groups = LOOP_GROUPS, .threads = threads};

    a.vgpr_granule = l->wave == 64 ? 4 : 8;
    a.code_bytes = l->code_bytes;
    memcpy(a.code, l->code, l->code_bytes);
    a.code[LOOP_ITERATIONS_WORD] = iterations;
    return a;
}

static double loop_instructions(const struct loop *l, const struct loop_run *a)
{
    return (double)a->groups * LOOP_ITEMS / a->wave * (l->head + 1 + (double)a->code[LOOP_ITERATIONS_WORD] * l->body);
}

static void bench_loop(const struct loop *l, enum gcnsim_engine engine, const char *engine_name)
{
    struct loop_run a = loop_of(l, engine == GCNSIM_ENGINE_TIMING && l->iterations > 200 ? 200 : l->iterations);
    double instructions = loop_instructions(l, &a);

    a.engine = engine;
    struct measure m = measure_loop(&a, min_seconds, instructions);
    double host = host_rate(l->host, 0, l->host_times, l->per_time, min_seconds / 4);
    print_row(l->name, l->target, engine_name, instructions, m.seconds, host * 32 / l->wave);
}

/* ---- matrix instructions: eight in a loop ---- */

enum { MATRIX_BODY = 8, MATRIX_ITERATIONS = 200 };

static void bench_matrix(const struct matrix *x)
{
    const bool cdna = strncmp(x->target, "gfx9", 4) == 0;
    struct loop_run a = {.name = x->name, .target = x->target, .wave = x->wave, .groups = LOOP_GROUPS};
    double waves = (double)LOOP_GROUPS * LOOP_ITEMS / x->wave;
    char target[32];
    size_t n = 0;

    a.vgpr_granule = cdna || x->wave == 32 ? 8 : 4;
    a.threads = threads;
    a.engine = GCNSIM_ENGINE_FUNCTIONAL;
    a.code[n++] = 0xbe8000ff; /* s_mov_b32 s0, iterations */
    a.code[n++] = MATRIX_ITERATIONS;
    a.code[n++] = cdna ? 0x26000087 : 0x36000087; /* v_and_b32 v0, 7, v0: the work-item's number, a NaN in no type */
    for (unsigned k = 0; k < MATRIX_BODY; k++) {
        a.code[n++] = x->code[0];
        a.code[n++] = x->code[1];
    }
    a.code[n++] = 0x80808100;                   /* s_sub_u32 s0, s0, 1 */
    a.code[n++] = 0xbf078000;                   /* s_cmp_lg_u32 s0, 0 */
    a.code[n] = cdna ? 0xbf850000 : 0xbfa20000; /* s_cbranch_scc1 loop */
    a.code[n] |= (uint16_t) - (2 * MATRIX_BODY + 3);
    n++;
    a.code[n++] = cdna ? 0xbf810000 : 0xbfb00000; /* s_endpgm */
    a.code_bytes = n * sizeof *a.code;
    struct measure m = measure_loop(&a, min_seconds / 4, waves * (3 + (double)MATRIX_ITERATIONS * (MATRIX_BODY + 3)));
    double host = matrix_rate(x->host, min_seconds / 8);
    snprintf(target, sizeof target, "%s w%u", x->target, x->wave);
    print_row(x->name, target, "functional", waves * MATRIX_ITERATIONS * MATRIX_BODY, m.seconds, host);
}

/* ---- samples, with generated inputs ---- */

struct sample {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_dispatch dispatch;
    uint8_t kernarg[64];
    size_t kernarg_size;
    uint64_t buffer[3];
};

static struct gcnsim_result *launch_sample(void *ctx)
{
    struct sample *s = ctx;
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;

    check(gcnsim_launch(s->module, &s->dispatch, &r, &error), "sample", &error);
    return r;
}

/* Three float buffers: two filled, one for the result; then the given words. */
static void sample_open(struct sample *s, struct gcnsim *sim, const char *path, const char *kernel, size_t floats,
                        const uint32_t *words, size_t word_count)
{
    struct gcnsim_error error = {0};
    float *data = malloc(floats * sizeof *data);

    if (!data)
        die(path, "out of memory");
    *s = (struct sample){.sim = sim};
    check(gcnsim_load_file(sim, &s->module, path, NULL, &error), path, &error);
    gcnsim_dispatch_init(&s->dispatch);
    s->dispatch.cold = 1;
    check(gcnsim_code_find_kernel(gcnsim_module_code(s->module), kernel, &s->dispatch.kernel, &error), path, &error);
    for (int b = 0; b < 3; b++) {
        for (size_t i = 0; i < floats; i++)
            data[i] = b == 2 ? 0 : (float)((i * (size_t)(b + 3)) % 251) * 0.25f;
        check(gcnsim_alloc(sim, floats * sizeof *data, "bench", &s->buffer[b], &error), path, &error);
        check(gcnsim_write(sim, s->buffer[b], data, floats * sizeof *data, &error), path, &error);
    }
    memcpy(s->kernarg, s->buffer, sizeof s->buffer);
    memcpy(s->kernarg + sizeof s->buffer, words, word_count * sizeof *words);
    s->kernarg_size = sizeof s->buffer + word_count * sizeof *words;
    s->dispatch.kernarg = s->kernarg;
    s->dispatch.kernarg_size = s->kernarg_size;
    s->dispatch.threads = threads;
    free(data);
}

static void sample_close(struct sample *s)
{
    struct gcnsim_error error = {0};

    for (int b = 0; b < 3; b++)
        check(gcnsim_dealloc(s->sim, s->buffer[b], &error), "dealloc", &error);
    gcnsim_unload(s->module);
}

/* The first sum or product of the result, so that a bench of nothing cannot look fast. */
static void sample_check(struct sample *s, const char *what, float expected)
{
    struct gcnsim_error error = {0};
    float got;

    check(gcnsim_read(s->sim, s->buffer[2] + sizeof got, &got, sizeof got, &error), what, &error);
    if (got != expected)
        die(what, "wrong result");
}

static void vecadd_open(struct sample *s, struct gcnsim *sim)
{
    const uint32_t n = 1u << 20;

    sample_open(s, sim, "traces/samples/gfx1201/vecadd.co", "vecadd", n, &n, 1);
    s->dispatch.grid_size[0] = n;
    s->dispatch.workgroup_size[0] = 256;
}

static void bench_vecadd(struct gcnsim *sim, enum gcnsim_engine engine, const char *name, double host)
{
    struct sample s;

    vecadd_open(&s, sim);
    s.dispatch.engine = engine;
    struct measure m = measure("vector add", launch_sample, &s, min_seconds);
    print_row("vector add", "gfx1201", name, (double)m.instructions, m.seconds, host);
    sample_check(&s, "vector add", 3 * 0.25f + 4 * 0.25f);
    sample_close(&s);
}

enum { MATMUL_SIDE = 256 };

static void matmul_open(struct sample *s, struct gcnsim *sim)
{
    const uint32_t side = MATMUL_SIDE, sizes[2] = {side, side};

    sample_open(s, sim, "traces/samples/gfx1201/matmul.co", "matmul", (size_t)side * side, sizes, 2);
    s->dispatch.grid_size[0] = s->dispatch.grid_size[1] = side;
    s->dispatch.workgroup_size[0] = s->dispatch.workgroup_size[1] = 16;
}

static void bench_matmul(struct gcnsim *sim, enum gcnsim_engine engine, const char *name, double host)
{
    const size_t side = MATMUL_SIDE;
    struct sample s;
    float expected = 0;

    matmul_open(&s, sim);
    s.dispatch.engine = engine;
    struct measure m = measure("matmul", launch_sample, &s, min_seconds);
    print_row("matmul", "gfx1201", name, (double)m.instructions, m.seconds, host);
    for (size_t k = 0; k < side; k++) /* row 0, column 1 */
        expected = __builtin_fmaf((float)(k * 3 % 251) * 0.25f, (float)((k * side + 1) * 4 % 251) * 0.25f, expected);
    sample_check(&s, "matmul", expected);
    sample_close(&s);
}

int main(int argc, char **argv)
{
    static const struct {
        enum gcnsim_engine engine;
        const char *name;
    } engines[] = {{GCNSIM_ENGINE_FUNCTIONAL, "functional"}, {GCNSIM_ENGINE_TIMING, "timing"}};
    struct gcnsim_error error = {0};
    struct gcnsim *sim;

    const char *only = NULL;
    bool quick = false;

    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--seconds") == 0)
            min_seconds = atof(argv[++i]);
        else if (more && strcmp(argv[i], "--threads") == 0)
            threads = (uint32_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (more && strcmp(argv[i], "--only") == 0)
            only = argv[++i];
        else
            die(argv[i], "expected --seconds S, --threads N, --quick or --only WHAT");
    }
#define WANTED(WHAT) (!only || strcmp(only, WHAT) == 0)
    double host = host_rate(run_fma, 0, 2000, HOST_CHAINS, min_seconds / 4);
    printf("%u thread%s; host: %.1f M multiply-adds of %d lanes per second on one core\n\n", threads,
           threads == 1 ? "" : "s", host * 1e-6, HOST_LANES);
    printf("%-26s %-11s %-11s %12s %8s %12s %10s %8s\n", "kernel", "target", "engine", "wave-instr", "cpu s",
           "M/s per core", "host M/s", "of host");
    for (size_t e = 0; e < (quick ? 1 : 2); e++) {
        for (size_t k = 0; k < sizeof loops / sizeof *loops && WANTED("loops"); k++)
            bench_loop(&loops[k], engines[e].engine, engines[e].name);
        for (size_t k = 0; k < sizeof matrices / sizeof *matrices && e == 0; k++)
            if (WANTED("matrices") || strstr(matrices[k].name, only))
                bench_matrix(&matrices[k]);
        if (!WANTED("samples"))
            continue;
        check(gcnsim_open(&sim, "gfx1201", &error), "open", &error);
        bench_matmul(sim, engines[e].engine, engines[e].name, host);
        bench_vecadd(sim, engines[e].engine, engines[e].name, host);
        gcnsim_close(sim);
    }
    if (WANTED("scaling"))
        bench_scaling(min_seconds);
    return 0;
}
