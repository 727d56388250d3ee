/* Rates in wave-instructions per second and core of both engines, beside a loop of the host's own in the same run.
 *
 *   bench [--seconds S] [--threads N]
 *
 * Each row is run again and again for S seconds (default 1); the best run counts, since what disturbs a run only ever
 * makes it slower. Seconds are processor time of all threads, so other work on the machine counts as little as it can
 * and a rate is always that of one core. "of host" is the rate over the rate of 32-lane multiply-adds of
 * tests/bench/host_loop.c: how near an interpreted wave-instruction comes to a compiled one. Every run must end well
 * and execute the expected work.
 */
#include "sim/gcnsim.h"
#include "tests/bench/host_loop.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ALU_ITERATIONS_WORD = 1, ALU_HEAD = 12, ALU_LOOP = 11, ALU_GROUPS = 8, ALU_ITEMS = 256 };

/* gfx1201: eight independent chains of v_fma_f32. */
static const uint32_t alu_code[] = {
    0xBE8000FF, 0,                                  /* s_mov_b32 s0, iterations */
    0x7E000D00,                                     /* v_cvt_f32_u32_e32 v0, v0 */
    0x7E1202FF, 0x3F7FBE77,                         /* v_mov_b32_e32 v9, 0.999 */
    0x7E1402F0,                                     /* v_mov_b32_e32 v10, 0.5 */
    0x7E020300, 0x7E040300, 0x7E060300, 0x7E080300, /* v_mov_b32_e32 v1..v8, v0 */
    0x7E0A0300, 0x7E0C0300, 0x7E0E0300, 0x7E100300, 0xD6130001, 0x042A1301, 0xD6130002, 0x042A1302, /* v_fma_f32 vN, vN,
                                                                                                       v9, v10 */
    0xD6130003, 0x042A1303, 0xD6130004, 0x042A1304, 0xD6130005, 0x042A1305, 0xD6130006, 0x042A1306, 0xD6130007,
    0x042A1307, 0xD6130008, 0x042A1308, 0x80808100, /* s_sub_co_u32 s0, s0, 1 */
    0xBF078000,                                     /* s_cmp_lg_u32 s0, 0 */
    0xBFA2FFED,                                     /* s_cbranch_scc1 to the first v_fma_f32 */
    0xBFB00000,                                     /* s_endpgm */
};

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

static double host_rate(void)
{
    uint64_t iterations = 100000;
    double best = 0, end = clock_seconds(CLOCK_MONOTONIC) + min_seconds;
    volatile float sink;

    do {
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        sink = host_loop(iterations);
        double rate = (double)(iterations * HOST_CHAINS) / (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
        best = rate > best ? rate : best;
    } while (clock_seconds(CLOCK_MONOTONIC) < end);
    (void)sink;
    return best;
}

static void print_row(const char *kernel, const char *engine, struct measure m, double host)
{
    double rate = (double)m.instructions / m.seconds;

    printf("%-12s %-11s %13llu %9.3f %14.2f %9.4f\n", kernel, engine, (unsigned long long)m.instructions, m.seconds,
           rate * 1e-6, rate / host);
    fflush(stdout);
}

/* ---- the ALU loop, raw ---- */

struct alu {
    struct gcnsim *sim;
    enum gcnsim_engine engine;
    uint32_t code[sizeof alu_code / sizeof *alu_code];
};

static struct gcnsim_result *launch_alu(void *ctx)
{
    struct alu *a = ctx;
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;

    gcnsim_raw_init(&raw);
    raw.target = "gfx1201";
    raw.engine = a->engine;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)a->code;
    raw.code_size = sizeof a->code;
    raw.workgroups[0] = ALU_GROUPS;
    raw.workgroup_size[0] = ALU_ITEMS;
    raw.wave_size = 32;
    raw.compute_pgm_rsrc1 = 1 | 0xf0u << 12; /* 16 VGPRs; FLOAT_MODE as clang sets it: denormals kept */
    raw.compute_pgm_rsrc2 = 1u << 7;         /* workgroup id x */
    raw.threads = threads;
    check(gcnsim_launch_raw(a->sim, &raw, &r, &error), "alu loop", &error);
    return r;
}

static void bench_alu(struct gcnsim *sim, enum gcnsim_engine engine, const char *name, double host)
{
    struct alu a = {.sim = sim, .engine = engine};
    uint32_t iterations = engine == GCNSIM_ENGINE_TIMING ? 1000 : 10000;

    memcpy(a.code, alu_code, sizeof alu_code);
    a.code[ALU_ITERATIONS_WORD] = iterations;
    struct measure m = measure("alu loop", launch_alu, &a);
    uint64_t expected = (uint64_t)ALU_GROUPS * ALU_ITEMS / 32 * (ALU_HEAD + 1 + (uint64_t)iterations * ALU_LOOP);
    if (m.instructions != expected)
        die("alu loop", "not the expected number of instructions");
    print_row("alu loop", name, m, host);
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
    print_row("vector add", name, measure("vector add", launch_sample, &s), host);
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
    print_row("matmul", name, measure("matmul", launch_sample, &s), host);
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

    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--seconds") == 0)
            min_seconds = atof(argv[++i]);
        else if (more && strcmp(argv[i], "--threads") == 0)
            threads = (uint32_t)atoi(argv[++i]);
        else
            die(argv[i], "expected --seconds S or --threads N");
    }
    double host = host_rate();
    printf("host loop: %.1f M multiply-adds of %d lanes per second on one core\n", host * 1e-6, HOST_LANES);
    printf("engines: %u thread%s, gfx1201, wave32\n\n", threads, threads == 1 ? "" : "s");
    printf("%-12s %-11s %13s %9s %14s %9s\n", "kernel", "engine", "wave-instr", "cpu s", "M/s per core", "of host");
    for (size_t e = 0; e < 2; e++) {
        check(gcnsim_open(&sim, "gfx1201", &error), "open", &error);
        bench_alu(sim, engines[e].engine, engines[e].name, host);
        bench_matmul(sim, engines[e].engine, engines[e].name, host);
        bench_vecadd(sim, engines[e].engine, engines[e].name, host);
        gcnsim_close(sim);
    }
    return 0;
}
