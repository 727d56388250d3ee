/* The timing engine on kernels that memory bounds, on whole chips, and while it writes a timeline.
 *
 *   bench_chip [--seconds S] [--threads N] [--only memory|chip|timeline]
 *
 * "memory": a kernel with the chip's memory and with one that always hits (dispatch.perfect_memory), in turns for S
 * seconds (default 4) each row, once at the least; the best run of each counts. The cycles say how much the kernel
 * waits for memory; "times" is what simulating it costs.
 * "chip": a 4096 x 4096 transpose and a product of 1024 x 1024 matrices (f16 into f32, by WMMA and MFMA), once with one
 * thread and once with N (default 2); seconds are those of the clock on the wall, and bytes those that the process
 * holds at its peak. Results are checked, and so is that threads change no cycle.
 * "timeline": without a timeline, with one of one compute unit, with one of all, and with that compressed; in turns as
 * above. Times are those of one core, and the file is as long as it gets (up to 4 GiB).
 */
#include "sim/api/gcnsim.h"
#include "tests/bench/rows.h"
#include "tests/support/result_stat.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds = 4;
static uint32_t threads = 2;

static void check(int rc, const char *what, const struct gcnsim_error *error)
{
    if (rc == GCNSIM_OK)
        return;
    fprintf(stderr, "bench_chip: %s: %s\n", what, error->text);
    exit(1);
}

static void wrong(const char *what)
{
    fprintf(stderr, "bench_chip: %s: wrong result\n", what);
    exit(1);
}

/* A kernel of two or three buffers and some words after them. */
struct job {
    const char *name, *arch, *path, *kernel;
    uint32_t grid[2], workgroup[2];
    size_t bytes[3]; /* 0: no such buffer */
    uint32_t word[2];
    unsigned words;
    void (*fill)(void *data, size_t bytes, unsigned buffer);
    bool (*right)(void *const data[3]); /* of what the buffers hold after the run */
};

struct run {
    double wall, cpu;
    uint64_t cycles, instructions;
};

static struct run run_job_on(const struct job *j, uint32_t with_threads, bool perfect,
                             const struct gcnsim_on_timeline *timeline)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r = NULL;
    uint64_t buffer[3], kernarg[5];
    void *data[3] = {NULL, NULL, NULL};
    unsigned buffers = 0;
    struct run out;

    check(gcnsim_open(&sim, j->arch, &error), j->name, &error);
    check(gcnsim_load_file(sim, &module, j->path, NULL, &error), j->name, &error);
    gcnsim_dispatch_init(&d);
    check(gcnsim_code_find_kernel(gcnsim_module_code(module), j->kernel, &d.kernel, &error), j->name, &error);
    for (; buffers < 3 && j->bytes[buffers]; buffers++) {
        data[buffers] = malloc(j->bytes[buffers]);
        if (!data[buffers])
            abort();
        j->fill(data[buffers], j->bytes[buffers], buffers);
        check(gcnsim_alloc(sim, j->bytes[buffers], "bench", &buffer[buffers], &error), j->name, &error);
        check(gcnsim_write(sim, buffer[buffers], data[buffers], j->bytes[buffers], &error), j->name, &error);
    }
    memcpy(kernarg, buffer, buffers * sizeof kernarg[0]);
    memcpy(kernarg + buffers, j->word, sizeof j->word);
    d.kernarg = kernarg;
    d.kernarg_size = buffers * sizeof kernarg[0] + j->words * sizeof j->word[0];
    d.engine = GCNSIM_ENGINE_TIMING;
    d.grid_size[0] = j->grid[0];
    d.grid_size[1] = j->grid[1];
    d.workgroup_size[0] = j->workgroup[0];
    d.workgroup_size[1] = j->workgroup[1];
    d.threads = with_threads;
    d.perfect_memory = perfect;
    d.timeline = timeline;
    d.cold = 1;
    out.wall = bench_seconds(CLOCK_MONOTONIC);
    out.cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    check(gcnsim_launch(module, &d, &r, &error), j->name, &error);
    out.wall = bench_seconds(CLOCK_MONOTONIC) - out.wall;
    out.cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - out.cpu;
    if (r->outcome != GCNSIM_COMPLETED) {
        fprintf(stderr, "bench_chip: %s: %s\n", j->name, r->message);
        exit(1);
    }
    out.cycles = result_stat(r, "cycles");
    out.instructions = result_stat(r, "instructions.total");
    for (unsigned b = 0; b < buffers; b++)
        check(gcnsim_read(sim, buffer[b], data[b], j->bytes[b], &error), j->name, &error);
    if (!j->right(data))
        wrong(j->name);
    for (unsigned b = 0; b < buffers; b++)
        free(data[b]);
    gcnsim_result_free(r);
    gcnsim_close(sim);
    return out;
}

static struct run run_job(const struct job *j, uint32_t with_threads, bool perfect)
{
    return run_job_on(j, with_threads, perfect, NULL);
}

/* ---- kernels ---- */

enum { VECTOR = 1 << 20, SIDE = 256, TRANSPOSE = 4096, PRODUCT = 1024 };

static void fill_floats(void *data, size_t bytes, unsigned buffer)
{
    float *v = data;

    for (size_t i = 0; i < bytes / 4; i++)
        v[i] = buffer == 2 ? 0 : (float)(i * (buffer + 3) % 251) * 0.25f;
}

static bool sum_is_right(void *const data[3])
{
    const float *a = data[0], *b = data[1], *c = data[2];

    for (size_t i = 0; i < VECTOR; i++)
        if (c[i] != a[i] + b[i])
            return false;
    return true;
}

static bool matmul_is_right(void *const data[3])
{
    const float *a = data[0], *b = data[1], *c = data[2];
    float sum = 0;

    for (size_t k = 0; k < SIDE; k++) /* row 3, column 5 */
        sum = __builtin_fmaf(a[3 * SIDE + k], b[k * SIDE + 5], sum);
    return c[3 * SIDE + 5] == sum;
}

static void fill_words(void *data, size_t bytes, unsigned buffer)
{
    uint32_t *v = data;

    for (size_t i = 0; i < bytes / 4; i++)
        v[i] = buffer ? 0 : (uint32_t)i * 2654435761u;
}

static bool transpose_is_right(void *const data[3])
{
    const uint32_t *in = data[0], *out = data[1];

    for (size_t y = 0; y < TRANSPOSE; y++)
        for (size_t x = 0; x < TRANSPOSE; x++)
            if (out[x * TRANSPOSE + y] != in[y * TRANSPOSE + x])
                return false;
    return true;
}

/* Small whole numbers, whose products and sums are exact in any order: f16 0, 1, 2. */
static unsigned item(size_t row, size_t k, unsigned buffer)
{
    return (unsigned)(row * 7 + k * (buffer + 2) + row * k) % 3;
}

static void fill_halves(void *data, size_t bytes, unsigned buffer)
{
    static const uint16_t half[3] = {0, 0x3c00, 0x4000};
    uint16_t *v = data;

    for (size_t i = 0; i < bytes / 2; i++)
        v[i] = buffer == 2 ? 0 : half[item(i / PRODUCT, i % PRODUCT, buffer)];
}

static bool product_is_right(void *const data[3])
{
    const float *c = data[2];

    for (size_t m = 0; m < PRODUCT; m += 31)
        for (size_t n = 0; n < PRODUCT; n += 29) {
            unsigned sum = 0;

            for (size_t k = 0; k < PRODUCT; k++)
                sum += item(m, k, 0) * item(n, k, 1);
            if (c[m * PRODUCT + n] != (float)sum)
                return false;
        }
    return true;
}

static const struct job memory_jobs[] = {
    {"vector add",
     "gfx1201",
     "traces/samples/gfx1201/vecadd.co",
     "vecadd",
     {VECTOR, 1},
     {256, 1},
     {VECTOR * 4, VECTOR * 4, VECTOR * 4},
     {VECTOR},
     1,
     fill_floats,
     sum_is_right},
    {"matmul",
     "gfx1201",
     "traces/samples/gfx1201/matmul.co",
     "matmul",
     {SIDE, SIDE},
     {16, 16},
     {SIDE * SIDE * 4, SIDE *SIDE * 4, SIDE *SIDE * 4},
     {SIDE, SIDE},
     2,
     fill_floats,
     matmul_is_right},
};

#define TRANSPOSE_OF(ARCH, PATH, KERNEL)                                                                               \
    {                                                                                                                  \
        KERNEL, ARCH, PATH, KERNEL, {TRANSPOSE, TRANSPOSE / 4}, {32, 8},                                               \
            {TRANSPOSE * TRANSPOSE * 4, TRANSPOSE * TRANSPOSE * 4, 0}, {TRANSPOSE, TRANSPOSE}, 2, fill_words,          \
            transpose_is_right                                                                                         \
    }
#define PRODUCT_OF(ARCH, PATH, LANES, TILE)                                                                            \
    {                                                                                                                  \
        "gemm f16", ARCH, PATH, "gemm", {PRODUCT / TILE / 4 * LANES, PRODUCT / TILE * 4}, {LANES, 4},                  \
            {PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 2, PRODUCT * PRODUCT * 4}, {PRODUCT}, 1, fill_halves,          \
            product_is_right                                                                                           \
    }
static const struct job chip_jobs[] = {
    TRANSPOSE_OF("gfx1201", "traces/samples/gfx1201/transpose.co", "transpose_padded"),
    TRANSPOSE_OF("gfx942", "tests/bench/chip/transpose.gfx942.co", "transpose_padded"),
    PRODUCT_OF("gfx1201", "tests/bench/chip/gemm.gfx1201.co", 32, 32),
    PRODUCT_OF("gfx942", "tests/bench/chip/gemm.gfx942.co", 64, 64),
};

/* ---- rows ---- */

static void bench_memory(const struct job *j)
{
    double end = bench_seconds(CLOCK_MONOTONIC) + seconds, best[2] = {0, 0};
    struct run r[2];

    bench_begin();
    do {
        for (int perfect = 0; perfect < 2; perfect++) {
            r[perfect] = run_job(j, 1, perfect);
            if (!best[perfect] || r[perfect].cpu < best[perfect])
                best[perfect] = r[perfect].cpu;
        }
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    printf("%-18s %-8s %10.0f %11.0f %14.0f %7.2f %11.2f %7.2f\n", j->name, j->arch, (double)r[0].instructions,
           (double)r[0].cycles, (double)r[1].cycles, (double)r[0].instructions / best[0] * 1e-6,
           (double)r[1].instructions / best[1] * 1e-6, best[0] / best[1]);
    fflush(stdout);
    bench_row((double)r[0].instructions / best[0] * 1e-6, "M/s", 0, "memory: %s, %s", j->name, j->arch);
    bench_row(best[0] / best[1], "x slower", 0, "memory: %s, %s, beside perfect memory", j->name, j->arch);
}

static void bench_chip(const struct job *j)
{
    struct run one, many;
    struct rusage u;

    bench_begin();
    one = run_job(j, 1, false);
    bench_row((double)one.instructions / one.cpu * 1e-6, "M/s", 0, "chip: %s, %s", j->name, j->arch);
    many = run_job(j, threads, false);
    bench_probe(threads);

    if (one.cycles != many.cycles || one.instructions != many.instructions)
        wrong("threads changed the cycles");
    getrusage(RUSAGE_SELF, &u);
    printf("%-18s %-8s %10.0f %11.0f %11.2f %9.2f %9.2f %9.2f %9.0f\n", j->name, j->arch, (double)one.instructions,
           (double)one.cycles, (double)one.instructions / one.cpu * 1e-6, one.wall, many.wall, one.wall / many.wall,
           (double)u.ru_maxrss / 1024);
    fflush(stdout);
    bench_row(one.wall / many.wall, "x faster", 0, "%u threads: %s, %s, timing", threads, j->name, j->arch);
}

enum { QUIET, ONE_CU, ALL_CUS, PACKED, MODES };

/* The CPU time of a run with a timeline, whose end belongs to it; *bytes: of the file before compression. */
static double timeline_run(const struct job *j, int mode, uint64_t *bytes, uint64_t *slices)
{
    char path[300];
    struct gcnsim_timeline_options o;
    struct gcnsim_timeline_info info = {0};
    struct gcnsim_on_timeline on = {.struct_bytes = sizeof on, .waves = 1};
    struct gcnsim_error error = {0};
    double begun;

    if (mode == QUIET)
        return run_job(j, 1, false).cpu;
    snprintf(path, sizeof path, "%s/bench_chip.pftrace%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             mode == PACKED ? ".zst" : "");
    gcnsim_timeline_options_init(&o);
    o.max_bytes = UINT64_C(4) << 30;
    o.cus = mode == ONE_CU ? "0" : NULL;
    check(gcnsim_timeline_open(&on.timeline, path, &o, &error), path, &error);
    double cpu = run_job_on(j, 1, false, &on).cpu;
    begun = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    gcnsim_timeline_get_info(on.timeline, &info);
    check(gcnsim_timeline_close(on.timeline, 0, &error), path, &error);
    *bytes = info.bytes;
    *slices = info.waves + info.instructions + info.stalls + info.requests;
    return cpu + bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begun;
}

static void bench_timeline(const struct job *j)
{
    double end = bench_seconds(CLOCK_MONOTONIC) + seconds, best[MODES] = {0};
    uint64_t bytes = 0, slices = 0;

    bench_begin();
    do {
        for (int mode = 0; mode < MODES; mode++) {
            double t = timeline_run(j, mode, &bytes, &slices);

            if (!best[mode] || t < best[mode])
                best[mode] = t;
        }
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    printf("%-18s %-8s %8.3f %8.2f %8.2f %8.2f %10.0f %9.1f\n", j->name, j->arch, best[QUIET],
           best[ONE_CU] / best[QUIET], best[ALL_CUS] / best[QUIET], best[PACKED] / best[QUIET], (double)slices,
           (double)bytes / (1 << 20));
    fflush(stdout);
    bench_row(best[ALL_CUS] / best[QUIET], "x slower", 0, "timeline: %s, %s", j->name, j->arch);
}

int main(int argc, char **argv)
{
    const char *only = NULL;

    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--seconds") == 0) {
            seconds = atof(argv[++i]);
        } else if (more && strcmp(argv[i], "--threads") == 0) {
            threads = (uint32_t)atoi(argv[++i]);
        } else if (more && strcmp(argv[i], "--only") == 0) {
            only = argv[++i];
        } else {
            fprintf(stderr, "bench_chip: %s: expected --seconds S, --threads N or --only memory|chip|timeline\n",
                    argv[i]);
            return 1;
        }
    }
    if (!only || strcmp(only, "memory") == 0) {
        printf("%-18s %-8s %10s %11s %14s %7s %11s %7s\n", "kernel", "target", "wave-instr", "cycles", "perfect cycles",
               "M/s", "perfect M/s", "times");
        for (size_t k = 0; k < sizeof memory_jobs / sizeof *memory_jobs; k++)
            bench_memory(&memory_jobs[k]);
        for (size_t k = 0; k < sizeof chip_jobs / sizeof *chip_jobs; k++)
            bench_memory(&chip_jobs[k]);
        printf("\n");
    }
    if (!only || strcmp(only, "chip") == 0) {
        printf("%-18s %-8s %10s %11s %11s %9s %8u t %9s %9s\n", "kernel", "target", "wave-instr", "cycles",
               "M/s per core", "1 t, s", threads, "times", "peak MiB");
        for (size_t k = 0; k < sizeof chip_jobs / sizeof *chip_jobs; k++)
            bench_chip(&chip_jobs[k]);
    }
    if (!only || strcmp(only, "timeline") == 0) {
        printf("\n%-18s %-8s %8s %8s %8s %8s %10s %9s\n", "kernel", "target", "quiet, s", "1 CU, x", "all, x", "zst, x",
               "slices", "MiB");
        for (size_t k = 0; k < sizeof memory_jobs / sizeof *memory_jobs; k++)
            bench_timeline(&memory_jobs[k]);
        bench_timeline(&chip_jobs[0]);
        bench_timeline(&chip_jobs[2]);
        bench_timeline(&chip_jobs[3]);
    }
    return 0;
}
