/* How far a second host thread gets on the functional engine (tests/bench/scaling.h).
 *
 * A row is one launch, measured by the clock on the wall: with one thread, with two, and with one thread in each of two
 * processes side by side ("apart"). These share nothing but the host, so their ratio is what two threads can come to.
 * The three take turns, since the host's own speed changes, and the best of each counts. "alone" is the share of the
 * one thread's time that a second one does not shorten (Amdahl's law). */
#define _GNU_SOURCE
#include "tests/bench/scaling.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "tests/bench/kernels.h"
#include "tests/bench/rows.h"
#include "tests/support/result_stat.h"

enum { BUFFERS = 3 };

/* A launch: of a file's kernel, or of words of code. */
struct work {
    const char *name, *target, *path, *kernel;
    uint32_t grid[2], group[2];
    size_t bytes[BUFFERS]; /* of f32, or of whole numbers as f16 */
    uint32_t word[2];      /* arguments after the buffers */
    unsigned words;
    const uint32_t *code;
    size_t code_bytes;
    uint32_t iterations;
};

/* gfx1201: hardly any work. */
static const uint32_t tiny_code[] = {
    0xbe8000ff, 0, /* s_mov_b32 s0, iterations */
    0x7e020300,    /* v_mov_b32_e32 v1, v0 */
    0xbfb00000,    /* s_endpgm */
};

enum { VECTOR = 1 << 20, SIDE = 256, PRODUCT = 768, GROUPS = 128, TINY_GROUPS = 10000, ITEMS = 256 };

/* clang-format off */
static const struct work works[] = {
    {.name = "fma loop", .target = "gfx1201", .grid = {GROUPS * ITEMS, 1}, .group = {ITEMS, 1},
     .code = fma_code, .code_bytes = sizeof fma_code, .iterations = 200},
    {.name = "integer loop", .target = "gfx1201", .grid = {GROUPS * ITEMS, 1}, .group = {ITEMS, 1},
     .code = integer_code, .code_bytes = sizeof integer_code, .iterations = 200},
    {.name = "matmul", .target = "gfx1201", .path = "traces/samples/gfx1201/matmul.co", .kernel = "matmul",
     .grid = {SIDE, SIDE}, .group = {16, 16}, .bytes = {SIDE * SIDE * 4, SIDE * SIDE * 4, SIDE * SIDE * 4},
     .word = {SIDE, SIDE}, .words = 2},
    {.name = "vector add", .target = "gfx1201", .path = "traces/samples/gfx1201/vecadd.co", .kernel = "vecadd",
     .grid = {VECTOR, 1}, .group = {ITEMS, 1}, .bytes = {VECTOR * 4, VECTOR * 4, VECTOR * 4}, .word = {VECTOR},
     .words = 1},
    {.name = "gemm f16, WMMA", .target = "gfx1201", .path = "tests/bench/chip/gemm.gfx1201.co", .kernel = "gemm",
     .grid = {PRODUCT / 32 / 4 * 32, PRODUCT / 32 * 4}, .group = {32, 4},
     .bytes = {PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 4}, .word = {PRODUCT}, .words = 1},
    {.name = "gemm f16, MFMA", .target = "gfx942", .path = "tests/bench/chip/gemm.gfx942.co", .kernel = "gemm",
     .grid = {PRODUCT / 64 / 4 * 64, PRODUCT / 64 * 4}, .group = {64, 4},
     .bytes = {PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 4}, .word = {PRODUCT}, .words = 1},
    {.name = "10,000 tiny workgroups", .target = "gfx1201", .grid = {TINY_GROUPS * 64, 1}, .group = {64, 1},
     .code = tiny_code, .code_bytes = sizeof tiny_code},
};
/* clang-format on */

/* A work made ready in a simulator of its own. */
struct ready {
    const struct work *work;
    struct gcnsim *sim;
    struct gcnsim_dispatch dispatch;
    struct gcnsim_module *module;
    struct gcnsim_raw raw;
    uint32_t code[64];
    uint64_t kernarg[BUFFERS + 1];
    uint64_t instructions;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

static void check(int rc, const struct ready *r, const struct gcnsim_error *error)
{
    if (rc != GCNSIM_OK)
        die(r->work->name, error->text);
}

static void prepare_code(struct ready *r)
{
    const struct work *w = r->work;

    memcpy(r->code, w->code, w->code_bytes);
    r->code[1] = w->iterations;
    gcnsim_raw_init(&r->raw);
    r->raw.target = w->target;
    r->raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
    r->raw.entry = r->raw.code_base = (uint64_t)(uintptr_t)r->code;
    r->raw.code_size = w->code_bytes;
    r->raw.workgroups[0] = w->grid[0] / w->group[0];
    r->raw.workgroup_size[0] = w->group[0];
    r->raw.wave_size = 32;
    /* 64 VGPRs; FLOAT_MODE, DX10_CLAMP and IEEE_MODE as clang sets them */
    r->raw.compute_pgm_rsrc1 = (64 / 8 - 1) | 0xf0u << 12 | (strncmp(w->target, "gfx12", 5) ? 5u << 21 : 0);
    r->raw.compute_pgm_rsrc2 = 1u << 7; /* workgroup id x */
}

/* Small numbers as f16, two of which are a number as f32. */
static void fill(uint16_t *data, size_t bytes, unsigned buffer)
{
    for (size_t i = 0; i < bytes / 2; i++)
        data[i] = buffer == 2 ? 0 : (uint16_t)(0x3c00 + (i * (buffer + 3) % 251));
}

static void prepare_kernel(struct ready *r)
{
    const struct work *w = r->work;
    struct gcnsim_error error = {0};
    unsigned buffers = 0;

    check(gcnsim_load_file(r->sim, &r->module, w->path, NULL, &error), r, &error);
    gcnsim_dispatch_init(&r->dispatch);
    check(gcnsim_code_find_kernel(gcnsim_module_code(r->module), w->kernel, &r->dispatch.kernel, &error), r, &error);
    for (; buffers < BUFFERS && w->bytes[buffers]; buffers++) {
        uint16_t *data = malloc(w->bytes[buffers]);

        if (!data)
            die(w->name, "out of memory");
        fill(data, w->bytes[buffers], buffers);
        check(gcnsim_alloc(r->sim, w->bytes[buffers], "bench", &r->kernarg[buffers], &error), r, &error);
        check(gcnsim_write(r->sim, r->kernarg[buffers], data, w->bytes[buffers], &error), r, &error);
        free(data);
    }
    memcpy(r->kernarg + buffers, w->word, sizeof w->word);
    r->dispatch.kernarg = r->kernarg;
    r->dispatch.kernarg_size = buffers * sizeof r->kernarg[0] + w->words * sizeof w->word[0];
    r->dispatch.engine = GCNSIM_ENGINE_FUNCTIONAL;
    for (unsigned i = 0; i < 2; i++) {
        r->dispatch.grid_size[i] = w->grid[i];
        r->dispatch.workgroup_size[i] = w->group[i];
    }
}

/* Seconds of a launch. */
static double launch(struct ready *r, uint32_t threads)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    double start = bench_seconds(CLOCK_MONOTONIC);

    r->raw.threads = r->dispatch.threads = threads;
    if (r->work->code)
        check(gcnsim_launch_raw(r->sim, &r->raw, &result, &error), r, &error);
    else
        check(gcnsim_launch(r->module, &r->dispatch, &result, &error), r, &error);
    double seconds = bench_seconds(CLOCK_MONOTONIC) - start;
    uint64_t instructions = result_stat(result, "instructions.total");
    if (result->outcome != GCNSIM_COMPLETED || !instructions)
        die(r->work->name, result->message);
    if (r->instructions && r->instructions != instructions)
        die(r->work->name, "two runs executed different numbers of instructions");
    r->instructions = instructions;
    gcnsim_result_free(result);
    return seconds;
}

static void prepare(struct ready *r, const struct work *w)
{
    struct gcnsim_error error = {0};

    *r = (struct ready){.work = w};
    check(gcnsim_open(&r->sim, w->target, &error), r, &error);
    w->code ? prepare_code(r) : prepare_kernel(r);
    launch(r, 1); /* what the first launch does alone: decoding, pages touched for the first time */
}

/* ---- two processes ---- */

enum { LAUNCHES = 5 }; /* one after the other, of which the best pair counts */

struct meeting {
    _Atomic unsigned come;
    double begun[2][LAUNCHES], ended[2][LAUNCHES];
};

/* Both processes go on when both have come here for the count-th time. */
static void meet(struct meeting *m, unsigned count)
{
    atomic_fetch_add(&m->come, 1);
    while (atomic_load(&m->come) < 2 * count)
        ;
}

static void child(struct ready *r, struct meeting *m, unsigned which)
{
    launch(r, 1); /* its own copies of the pages */
    for (unsigned i = 0; i < LAUNCHES; i++) {
        meet(m, i + 1);
        m->begun[which][i] = bench_seconds(CLOCK_MONOTONIC);
        launch(r, 1);
        m->ended[which][i] = bench_seconds(CLOCK_MONOTONIC);
    }
    _exit(0);
}

/* Seconds for one launch in each of two processes. */
static double two_processes(struct ready *r)
{
    struct meeting *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double best = 0;
    int status;

    if (m == MAP_FAILED)
        die(r->work->name, "out of memory");
    for (unsigned which = 0; which < 2; which++) {
        pid_t pid = fork();
        if (pid < 0)
            die(r->work->name, "cannot fork");
        if (!pid)
            child(r, m, which);
    }
    for (unsigned which = 0; which < 2; which++)
        if (wait(&status) < 0 || status)
            die(r->work->name, "a process failed");
    for (unsigned i = 0; i < LAUNCHES; i++) {
        double begun = m->begun[0][i] < m->begun[1][i] ? m->begun[0][i] : m->begun[1][i];
        double ended = m->ended[0][i] > m->ended[1][i] ? m->ended[0][i] : m->ended[1][i];
        if (!i || ended - begun < best)
            best = ended - begun;
    }
    munmap(m, sizeof *m);
    return best;
}

/* ---- rows ---- */

static void keep_less(double *best, double seconds)
{
    if (!*best || seconds < *best)
        *best = seconds;
}

static void bench_work(const struct work *w, double seconds)
{
    double one = 0, two = 0, apart = 0, end;
    struct ready r;

    prepare(&r, w);
    end = bench_seconds(CLOCK_MONOTONIC) + seconds;
    do {
        for (unsigned i = 0; i < LAUNCHES; i++) /* the first also fetches what the other core's cache holds */
            keep_less(&one, launch(&r, 1));
        for (unsigned i = 0; i < LAUNCHES; i++)
            keep_less(&two, launch(&r, 2));
        keep_less(&apart, two_processes(&r));
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    bench_probe(2);
    double alone = 2 * two / one - 1;
    printf("%-26s %-11s %10.2f %10.2f %10.2f %8.2f %8.2f %8.3f\n", w->name, w->target,
           (double)r.instructions / one * 1e-6, one * 1e3, two * 1e3, one / two, 2 * one / apart,
           alone > 0 ? alone : 0);
    fflush(stdout);
    bench_row(one / two, "x faster", 0, "two threads: %s, functional", w->name);
    bench_row(2 * one / apart, "x faster", 0, "two processes: %s, functional", w->name);
    gcnsim_close(r.sim);
}

void bench_scaling(double seconds)
{
    printf("\n%-26s %-11s %10s %10s %10s %8s %8s %8s\n", "scaling", "target", "1 thr. M/s", "1 thr. ms", "2 thr. ms",
           "ratio", "apart", "alone");
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        bench_work(&works[i], seconds);
}
