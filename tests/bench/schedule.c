/* How many times as fast launches would be on hosts with more processors than this one, by simulation of the schedule.
 *
 *   schedule [functional|timing]
 *
 * A launch runs with one thread, and the engine informs of each piece of work that threads could share
 * (engine_pieces): workgroups on the functional engine; on the timing engine, in each epoch, groups of compute units
 * and the far side of memory. Their times are then laid out on 2 to 64 threads in the order in which the engines give
 * them out (sim/engine/functional/{recruit,batches}.c, sim/engine/timing/clock/{groups,pool}.c), with what it takes
 * this host to wake a thread. Left out is what threads do to one another's caches and to the host's memory.
 *
 * "alone" is the share of the one thread's time that nobody shares; "far" that of the far side, which is one piece in
 * an epoch; "longest" is what is left on any number of processors, were threads to take no time: what nobody shares,
 * and the longest piece of the launch or of each epoch.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "sim/engine/engine.h"
#include "sim/util/thread_pool.h"
#include "tests/bench/rows.h"
#include "tests/support/result_stat.h"

enum { MOST_THREADS = 64, MOST_PIECES = 1 << 20, COUNTS = 4 };
static const unsigned counts[COUNTS] = {2, 4, 16, MOST_THREADS};

#define PAYS    25e-6   /* recruit.c: seconds before the first worker asks for others */
#define MESSAGE 0.19e-6 /* seconds from one processor to another (docs/PERFORMANCE.md); an epoch takes two */

static double wake; /* seconds from asking for a thread to its beginning */
static double look; /* ... that the clock of a thread's processor time takes, by which other work does not count */

static const struct job {
    const char *name, *arch, *path, *kernel;
    uint32_t grid[2], group[2];
    const char *args[5];
    bool timing;
} jobs[] = {
    {"vector add of 1 M",
     "gfx1201",
     "traces/samples/gfx1201/vecadd.co",
     "vecadd",
     {1 << 20, 1},
     {256, 1},
     {"buf:4194304", "buf:4194304", "buf:4194304", "u32:1048576"},
     false},
    {"matmul 256",
     "gfx1201",
     "traces/samples/gfx1201/matmul.co",
     "matmul",
     {256, 256},
     {16, 16},
     {"buf:262144", "buf:262144", "buf:262144", "u32:256", "u32:256"},
     false},
    {"gemm f16 of 768",
     "gfx1201",
     "tests/bench/chip/gemm.gfx1201.co",
     "gemm",
     {192, 96},
     {32, 4},
     {"buf:1179648", "buf:1179648", "buf:2359296", "u32:768"},
     false},
    {"gemm f16 of 768",
     "gfx942",
     "tests/bench/chip/gemm.gfx942.co",
     "gemm",
     {192, 48},
     {64, 4},
     {"buf:1179648", "buf:1179648", "buf:2359296", "u32:768"},
     false},
    {"transpose of 2048",
     "gfx1201",
     "traces/samples/gfx1201/transpose.co",
     "transpose_padded",
     {2048, 512},
     {32, 8},
     {"buf:16777216", "buf:16777216", "u32:2048", "u32:2048"},
     true},
    {"transpose of 2048",
     "gfx942",
     "tests/bench/chip/transpose.gfx942.co",
     "transpose_padded",
     {2048, 512},
     {32, 8},
     {"buf:16777216", "buf:16777216", "u32:2048", "u32:2048"},
     true},
    {"gemm f16 of 1024",
     "gfx1201",
     "tests/bench/chip/gemm.gfx1201.co",
     "gemm",
     {256, 128},
     {32, 4},
     {"buf:2097152", "buf:2097152", "buf:4194304", "u32:1024"},
     true},
    {"gemm f16 of 1024",
     "gfx942",
     "tests/bench/chip/gemm.gfx942.co",
     "gemm",
     {256, 64},
     {64, 4},
     {"buf:2097152", "buf:2097152", "buf:4194304", "u32:1024"},
     true},
};

/* A launch that is being followed. */
struct follow {
    double last, far, rest;           /* when the last piece was done; of this epoch */
    double serial, bound, far_in_all; /* of the launch so far */
    double took[COUNTS];
    uint32_t pieces;
    uint64_t looks;
    double piece[MOST_PIECES];
};

static double longest_of(const double *piece, uint32_t count)
{
    double longest = 0;

    for (uint32_t k = 0; k < count; k++)
        longest = piece[k] > longest ? piece[k] : longest;
    return longest;
}

static unsigned earliest(const double *at, unsigned threads)
{
    unsigned first = 0;

    for (unsigned k = 1; k < threads; k++)
        first = at[k] < at[first] ? k : first;
    return first;
}

static double latest(const double *at, unsigned threads)
{
    return longest_of(at, threads);
}

/* ---- functional: the workgroups of a launch ---- */

/* As batches.c: batches that double while they are short, small ones near the end, then the lowest of others. */
static double lay_out_groups(const struct follow *f, unsigned threads, double instructions)
{
    double at[MOST_THREADS];
    struct {
        uint32_t first, count, size;
    } batch[MOST_THREADS] = {{0}};
    uint32_t next = 0;

    for (unsigned k = 0, deep = 0; k < threads; k++) { /* each thread wakes two others */
        deep += k >= 1u << deep;
        at[k] = k ? PAYS + wake * deep : 0;
    }
    for (uint32_t n = 0; n < f->pieces; n++) {
        unsigned k = earliest(at, threads), from = k;

        if (!batch[k].count && next < f->pieces) {
            uint32_t left = f->pieces - next, most = left / (4 * threads), size = batch[k].size;

            size = !size ? 1 : size * instructions < (1 << 14) && size < 64 ? 2 * size : size;
            batch[k].size = size;
            size = most < 1 ? 1 : most < size ? most : size;
            batch[k].first = next;
            batch[k].count = size;
            next += size;
        }
        for (unsigned o = 0; !batch[k].count && o < threads; o++)
            if (batch[o].count && (!batch[from].count || batch[o].first < batch[from].first))
                from = o;
        batch[from].count--;
        at[k] += f->piece[batch[from].first++];
    }
    return latest(at, threads) + wake;
}

/* ---- timing: an epoch ---- */

/* The first thread does the far side, and then what others have not taken; the others groups from the lowest on. */
static double lay_out_epoch(const struct follow *f, unsigned threads)
{
    double at[MOST_THREADS] = {f->far};

    for (uint32_t n = 0; n < f->pieces; n++)
        at[earliest(at, threads)] += f->piece[n];
    return latest(at, threads) + 2 * MESSAGE;
}

static void end_epoch(struct follow *f)
{
    double alone = f->far, longest = longest_of(f->piece, f->pieces);

    for (uint32_t n = 0; n < f->pieces; n++)
        alone += f->piece[n];
    for (unsigned c = 0; c < COUNTS; c++) {
        double shared = lay_out_epoch(f, counts[c]);

        f->took[c] += f->rest + (shared < alone ? shared : alone);
    }
    f->serial += f->rest;
    f->far_in_all += f->far;
    f->bound += f->rest + (longest > f->far ? longest : f->far);
    f->pieces = 0;
    f->far = f->rest = 0;
}

/* ---- launches ---- */

static void piece_done(void *ctx, uint64_t piece)
{
    struct follow *f = ctx;
    double now = bench_seconds(CLOCK_THREAD_CPUTIME_ID), took = now - f->last - look;

    took = took > 0 ? took : 0;
    f->looks++;

    if (piece == ENGINE_PIECE_FAR) {
        f->far += took;
    } else if (piece == ENGINE_PIECE_REST) {
        end_epoch(f);
        f->rest = took;
    } else if (f->pieces < MOST_PIECES) {
        f->piece[f->pieces++] = took;
    }
    f->last = now;
}

static void check(int rc, const char *what, const struct gcnsim_error *error)
{
    if (rc == GCNSIM_OK)
        return;
    fprintf(stderr, "schedule: %s: %s\n", what, error->text);
    exit(1);
}

static void show(const struct job *j, const struct follow *f, double all, double instructions)
{
    double sum = 0, bound = f->bound;

    printf("%-18s %-8s %-10s %10.2f", j->name, j->arch, j->timing ? "timing" : "functional", all * 1e3);
    for (uint32_t n = 0; n < f->pieces; n++)
        sum += f->piece[n];
    for (unsigned c = 0; c < COUNTS; c++)
        printf(" %8.2f",
               all / (j->timing ? f->took[c] : all - sum + lay_out_groups(f, counts[c], instructions / f->pieces)));
    if (!j->timing)
        bound = all - sum + longest_of(f->piece, f->pieces);
    printf(" %8.3f %8.3f %8.3f\n", (j->timing ? f->serial : all - sum) / all, f->far_in_all / all, bound / all);
    fflush(stdout);
}

static void follow_job(const struct job *j)
{
    static struct follow f;
    struct engine_pieces pieces = {&f, piece_done};
    struct gcnsim_error error = {0};
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_dispatch d;
    struct gcnsim *sim;
    size_t n = 0;

    while (n < 5 && j->args[n])
        n++;
    check(gcnsim_open(&sim, j->arch, &error), j->name, &error);
    check(gcnsim_load_file(sim, &module, j->path, NULL, &error), j->name, &error);
    gcnsim_dispatch_init(&d);
    check(gcnsim_code_find_kernel(gcnsim_module_code(module), j->kernel, &d.kernel, &error), j->name, &error);
    check(gcnsim_args_parse(module, d.kernel, j->args, n, NULL, &args, &error), j->name, &error);
    d.args = args;
    d.engine = j->timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
    d.cold = 1;
    for (unsigned i = 0; i < 2; i++) {
        d.grid_size[i] = j->grid[i];
        d.workgroup_size[i] = j->group[i];
    }
    for (unsigned again = 0; again < (j->timing ? 1 : 5); again++) { /* the last one counts, when all is warm */
        struct gcnsim_result *r = NULL;
        double from;

        memset(&f, 0, sizeof f);
        api_follow_pieces(sim, &pieces);
        f.last = from = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
        check(gcnsim_launch(module, &d, &r, &error), j->name, &error);
        double end = bench_seconds(CLOCK_THREAD_CPUTIME_ID), all = end - from - look * (double)f.looks;
        if (j->timing) {
            end_epoch(&f);
            for (unsigned c = 0; c < COUNTS; c++)
                f.took[c] += end - f.last;
        }
        if (j->timing || again == 4)
            show(j, &f, all, result_stat(r, "instructions.total"));
        gcnsim_result_free(r);
    }
    gcnsim_args_free(args);
    gcnsim_close(sim);
}

/* ---- waking ---- */

static void note_time(void *ctx, unsigned index)
{
    double now = bench_seconds(CLOCK_MONOTONIC);

    (void)index;
    __atomic_store((double *)ctx, &now, __ATOMIC_RELEASE);
}

static int by_value(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* A time that a tenth of many are shorter than; threads sleep for a while before. */
static double measure_wake(void)
{
    enum { TIMES = 201 };
    struct thread_pool *p = thread_pool_new();
    double took[TIMES];

    for (unsigned n = 0; n < TIMES; n++) {
        struct thread_job job;
        double come = 0, seen, from = bench_seconds(CLOCK_MONOTONIC);

        if (!p || thread_pool_begin(p, &job, 2, note_time, &come) < 2)
            exit(1);
        do {
            __atomic_load(&come, &seen, __ATOMIC_ACQUIRE);
        } while (seen == 0);
        thread_pool_end(p, &job);
        took[n] = seen - from;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    thread_pool_free(p);
    qsort(took, TIMES, sizeof *took, by_value);
    return took[TIMES / 10];
}

static double measure_look(void)
{
    enum { TIMES = 100000 };
    double from = bench_seconds(CLOCK_THREAD_CPUTIME_ID), to = from;

    for (unsigned n = 0; n < TIMES; n++)
        to = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    return (to - from) / TIMES;
}

int main(int argc, char **argv)
{
    wake = measure_wake();
    look = measure_look();
    printf("a thread is woken in %.1f us\n", wake * 1e6);
    printf("%-18s %-8s %-10s %10s %8s %8s %8s %8s %8s %8s %8s\n", "schedule", "target", "engine", "1 thr. ms", "2", "4",
           "16", "64", "alone", "far", "longest");
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
        if (argc < 2 || jobs[k].timing == !strcmp(argv[1], "timing"))
            follow_job(&jobs[k]);
}
