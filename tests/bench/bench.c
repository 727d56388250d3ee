/* Rates in wave-instructions per second and core of both engines, beside loops of the host's own in the same run.
 *
 *   bench [--seconds S] [--threads N] [--quick]
 *
 * Each row is run again and again for S seconds (default 1); the best run counts, since what disturbs a run only ever
 * makes it slower, and the loops' runs are a few milliseconds so that some are not disturbed. Seconds are processor
 * time of all threads, so other work on the machine counts as little as it can and a rate is always that of one core.
 *
 * "host" is the rate of tests/bench/host_loop.c doing the row's arithmetic: for the loops the instructions' own, for
 * matrix instructions a product of matrices of that shape in f32 (f64, i32), for the samples multiply-adds of 32 lanes.
 * "of host" is how near an interpreted instruction comes to a compiled one. Matrix rows count matrix instructions
 * alone. Every run must end well and execute the expected work. --quick leaves the timing engine out.
 */
#include "sim/gcnsim.h"
#include "tests/bench/host_loop.h"
#include "tests/bench/kernels.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct measure {
    uint64_t instructions;
    double seconds; /* of the best run */
};

static double min_seconds = 1;
static uint32_t threads = 1;

static double clock_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static struct measure measure(const char *what, launch_fn *launch, void *ctx)
{
    struct measure best = {0};
    double end = clock_seconds(CLOCK_MONOTONIC) + min_seconds;

    do {
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        struct gcnsim_result *r = launch(ctx);
        double seconds = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (r->outcome != GCNSIM_COMPLETED)
            die(what, r->message);
        if (best.instructions && best.instructions != r->instructions)
            die(what, "two runs executed different numbers of instructions");
        if (!best.instructions || seconds < best.seconds)
            best.seconds = seconds;
        best.instructions = r->instructions;
        gcnsim_result_free(r);
    } while (clock_seconds(CLOCK_MONOTONIC) < end);
    return best;
}

/* Best rate of a host loop that does `count` operations per call. */
static double host_rate(void (*run)(int which, uint64_t times), int which, uint64_t times, unsigned per_time)
{
    double best = 0, end = clock_seconds(CLOCK_MONOTONIC) + min_seconds / 4;

    do {
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        run(which, times);
        double rate = (double)(times * per_time) / (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        best = rate > best ? rate : best;
    } while (clock_seconds(CLOCK_MONOTONIC) < end);
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
    host_matrix((enum host_matrix)which, times);
}

static void print_row(const char *kernel, const char *target, const char *engine, double instructions, double seconds,
                      double host)
{
    double rate = instructions / seconds;

    printf("%-14s %-8s %-11s %12.0f %8.4f %12.2f %10.2f %8.4f\n", kernel, target, engine, instructions, seconds,
           rate * 1e-6, host * 1e-6, rate / host);
    fflush(stdout);
}

/* ---- loops of words, raw ---- */

enum { LOOP_ITERATIONS_WORD = 1, LOOP_GROUPS = 8, LOOP_ITEMS = 256, LOOP_CODE_MAX = 64 };

static const struct loop {
    const char *name, *target;
    unsigned wave;
    const uint32_t *code;
    size_t code_bytes;
    unsigned head, body; /* instructions before and in the loop */
    unsigned matrices;   /* of those in the loop; 0: all instructions count */
    unsigned iterations;
    void (*host)(int which, uint64_t times);
    int which;
    unsigned host_times, per_time;
    bool timed; /* by the timing engine, too */
} loops[] = {
#define CODE(NAME) NAME##_code, sizeof NAME##_code
#define MATRIX(NAME, TARGET, WAVE, ITERATIONS, SHAPE)                                                                  \
    {                                                                                                                  \
#NAME, TARGET, WAVE, CODE(NAME), 1, 11, 8, ITERATIONS, run_matrix, SHAPE, 2000, 1, false                       \
    }
    {"fma loop", "gfx1201", 32, CODE(fma), 12, 11, 0, 500, run_fma, 0, 2000, HOST_CHAINS, true},
    {"integer loop", "gfx1201", 32, CODE(integer), 7, 21, 0, 300, run_integer, 0, 1000, HOST_INTEGER_OPS, true},
    MATRIX(mfma_f16, "gfx942", 64, 20, HOST_F32_32X32X8),
    MATRIX(mfma_f32, "gfx942", 64, 20, HOST_F32_32X32X2),
    MATRIX(mfma_f64, "gfx942", 64, 20, HOST_F64_16X16X4),
    MATRIX(mfma_i8, "gfx942", 64, 20, HOST_I32_32X32X16),
    MATRIX(smfmac_f16, "gfx942", 64, 20, HOST_F32_16X16X16),
    MATRIX(wmma_f16, "gfx1201", 32, 20, HOST_F32_16X16X16),
    MATRIX(wmma_f16_f16, "gfx1201", 32, 20, HOST_F32_16X16X16),
    MATRIX(swmmac_f16, "gfx1201", 32, 20, HOST_F32_16X16X16),
#undef MATRIX
#undef CODE
};

struct loop_run {
    struct gcnsim *sim;
    enum gcnsim_engine engine;
    const struct loop *loop;
    uint32_t code[LOOP_CODE_MAX];
};

static struct gcnsim_result *launch_loop(void *ctx)
{
    struct loop_run *a = ctx;
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;

    gcnsim_raw_init(&raw);
    raw.target = a->loop->target;
    raw.engine = a->engine;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)a->code;
    raw.code_size = a->loop->code_bytes;
    raw.workgroups[0] = LOOP_GROUPS;
    raw.workgroup_size[0] = LOOP_ITEMS;
    raw.wave_size = a->loop->wave;
    raw.compute_pgm_rsrc1 = (64 / 8 - 1) | 0xf0u << 12;           /* FLOAT_MODE as clang sets it: denormals kept */
    raw.compute_pgm_rsrc2 = 1u << 7;                              /* workgroup id x */
    raw.compute_pgm_rsrc3 = a->loop->wave == 64 ? 64 / 4 - 1 : 0; /* gfx942: AGPRs begin behind 64 VGPRs */
    raw.threads = threads;
    check(gcnsim_launch_raw(a->sim, &raw, &r, &error), a->loop->name, &error);
    return r;
}

static void bench_loop(const struct loop *l, enum gcnsim_engine engine, const char *engine_name)
{
    struct gcnsim_error error = {0};
    struct loop_run a = {.engine = engine, .loop = l};
    unsigned iterations = engine == GCNSIM_ENGINE_TIMING && l->iterations > 200 ? 200 : l->iterations;
    double waves = (double)LOOP_GROUPS * LOOP_ITEMS / l->wave;

    memcpy(a.code, l->code, l->code_bytes);
    a.code[LOOP_ITERATIONS_WORD] = iterations;
    check(gcnsim_open(&a.sim, "gfx1201", &error), "open", &error); /* the functional engine asks no profile */
    struct measure m = measure(l->name, launch_loop, &a);
    double expected = waves * (l->head + 1 + (double)iterations * l->body);
    if ((double)m.instructions != expected)
        die(l->name, "not the expected number of instructions");
    double host = host_rate(l->host, l->which, l->host_times, l->per_time);
    double counted = l->matrices ? waves * iterations * l->matrices : expected;
    print_row(l->name, l->target, engine_name, counted, m.seconds, host);
    gcnsim_close(a.sim);
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

static void bench_vecadd(struct gcnsim *sim, enum gcnsim_engine engine, const char *name, double host)
{
    struct sample s;
    const uint32_t n = 1u << 20;

    sample_open(&s, sim, "traces/samples/gfx1201/vecadd.co", "vecadd", n, &n, 1);
    s.dispatch.engine = engine;
    s.dispatch.grid_size[0] = n;
    s.dispatch.workgroup_size[0] = 256;
    struct measure m = measure("vector add", launch_sample, &s);
    print_row("vector add", "gfx1201", name, (double)m.instructions, m.seconds, host);
    sample_check(&s, "vector add", 3 * 0.25f + 4 * 0.25f);
    sample_close(&s);
}

static void bench_matmul(struct gcnsim *sim, enum gcnsim_engine engine, const char *name, double host)
{
    struct sample s;
    const uint32_t side = 256, sizes[2] = {side, side};
    float expected = 0;

    sample_open(&s, sim, "traces/samples/gfx1201/matmul.co", "matmul", (size_t)side * side, sizes, 2);
    s.dispatch.engine = engine;
    s.dispatch.grid_size[0] = s.dispatch.grid_size[1] = side;
    s.dispatch.workgroup_size[0] = s.dispatch.workgroup_size[1] = 16;
    struct measure m = measure("matmul", launch_sample, &s);
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

    bool quick = false;

    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--seconds") == 0)
            min_seconds = atof(argv[++i]);
        else if (more && strcmp(argv[i], "--threads") == 0)
            threads = (uint32_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else
            die(argv[i], "expected --seconds S, --threads N or --quick");
    }
    double host = host_rate(run_fma, 0, 2000, HOST_CHAINS);
    printf("%u thread%s; host: %.1f M multiply-adds of %d lanes per second on one core\n\n", threads,
           threads == 1 ? "" : "s", host * 1e-6, HOST_LANES);
    printf("%-14s %-8s %-11s %12s %8s %12s %10s %8s\n", "kernel", "target", "engine", "wave-instr", "cpu s",
           "M/s per core", "host M/s", "of host");
    for (size_t e = 0; e < (quick ? 1 : 2); e++) {
        for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
            if (e == 0 || loops[k].timed)
                bench_loop(&loops[k], engines[e].engine, engines[e].name);
        check(gcnsim_open(&sim, "gfx1201", &error), "open", &error);
        bench_matmul(sim, engines[e].engine, engines[e].name, host);
        bench_vecadd(sim, engines[e].engine, engines[e].name, host);
        gcnsim_close(sim);
    }
    return 0;
}
