/* Rows of the benchmarks: what is printed, and the speed of the host that they are set beside. */
#include "tests/bench/rows.h"

#include "tests/bench/host_loop.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double bench_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cpu_seconds(void)
{
    return bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- how much of a processor ---- */

static double begun_wall, begun_cpu; /* bench_begin() */
static double probed;                /* what bench_probe() has found since then; 0: nothing */

void bench_begin(void)
{
    begun_wall = bench_seconds(CLOCK_MONOTONIC);
    begun_cpu = cpu_seconds();
    probed = 0;
}

static double share_since_begin(void)
{
    double wall = bench_seconds(CLOCK_MONOTONIC) - begun_wall, share = (cpu_seconds() - begun_cpu) / wall;

    return share < 1 ? share : 1;
}

/* To *of: the share that this thread gets. */
static void *count_on(void *of)
{
    const double seconds = 0.05; /* many turns of a scheduler's */
    double from = bench_seconds(CLOCK_MONOTONIC), cpu = bench_seconds(CLOCK_THREAD_CPUTIME_ID), wall;
    volatile float sink;

    do {
        sink = host_loop(1000);
        wall = bench_seconds(CLOCK_MONOTONIC) - from;
    } while (wall < seconds);
    (void)sink;
    *(double *)of = (bench_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu) / wall;
    return NULL;
}

void bench_probe(unsigned threads)
{
    enum { MOST = 64 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double share[MOST];
    pthread_t thread[MOST];
    unsigned started = 1;

    threads = processors > 0 && threads > processors ? (unsigned)processors : threads;
    while (started < threads && started < MOST && !pthread_create(&thread[started], NULL, count_on, &share[started]))
        started++;
    count_on(&share[0]);
    probed = share[0];
    for (unsigned k = 1; k < started; k++) {
        pthread_join(thread[k], NULL);
        probed = share[k] < probed ? share[k] : probed;
    }
    probed = probed < 1 ? probed : 1;
}

/* ---- rows ---- */

double bench_yardstick(void)
{
    enum { TIMES = 2000, RUNS = 600 };
    static double best;
    volatile float sink;

    for (unsigned k = 0; k < RUNS && (k || best <= 0); k++) {
        double from = cpu_seconds();

        sink = host_loop(TIMES);
        double rate = (double)TIMES * HOST_CHAINS / (cpu_seconds() - from) * 1e-6;
        best = rate > best ? rate : best;
    }
    (void)sink;
    return best;
}

void bench_row(double figure, const char *unit, double host, const char *name, ...)
{
    const char *path = getenv("BENCH_ROWS");
    FILE *f = path && *path ? fopen(path, "a") : NULL;
    double share = probed > 0 ? probed : share_since_begin();
    va_list args;

    if (!f)
        return;
    va_start(args, name);
    vfprintf(f, name, args);
    va_end(args);
    fprintf(f, "\t%.6g\t%s\t%.6g\t%.3f\n", figure, unit, host > 0 ? host : bench_yardstick(), share);
    if (fclose(f) != 0)
        perror(path);
}
