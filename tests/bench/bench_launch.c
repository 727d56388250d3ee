/* What comes before a kernel's first instruction: start of the command line, and launches that do next to nothing.
 *
 *   bench_launch [--seconds S] [--only start|launches|chip] [--gcnsim PROGRAM]
 *   bench_launch --row NAME FIGURE UNIT    measures nothing, and writes the row of a script (rows.h)
 *
 * "start": PROGRAM run (default: gcnsim beside the folder of this program) with a kernel of two waves, from its start
 * to its end as its parent sees it, and beside that a program that ends at once; from the repository's root.
 * "launches": an empty kernel launched again and again through the library, one wave each, with one host thread: as raw
 * code that is decoded once, as gcnsim exec does, and from a code object with arguments; 64 workgroups of it with up to
 * 64 host threads.
 * "chip": one wave on a chip of 1,024 compute units, cold: what such a chip takes, and how much memory.
 * Times are by the clock on the wall; for S seconds each (default 1), the best of tenths of it counts.
 */
#define _GNU_SOURCE
#include "sim/api/gcnsim.h"
#include "tests/bench/rows.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double for_seconds = 1;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench_launch: %s: %s\n", what, why);
    exit(1);
}

static void check(int rc, const char *what, const struct gcnsim_error *error)
{
    if (rc != GCNSIM_OK)
        die(what, error->text);
}

/* ---- start ---- */

extern char **environ;

/* Seconds until it has ended; its output goes nowhere. */
static double run_program(char *const argv[])
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    double from = bench_seconds(CLOCK_MONOTONIC);

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, argv[0], &actions, NULL, argv, environ) || waitpid(child, &status, 0) != child || status)
        die(argv[0], "cannot be run, or failed");
    posix_spawn_file_actions_destroy(&actions);
    return bench_seconds(CLOCK_MONOTONIC) - from;
}

static double start_of(char *const argv[])
{
    double best = 1e9, end = bench_seconds(CLOCK_MONOTONIC) + for_seconds;

    do {
        double s = run_program(argv);
        best = s < best ? s : best;
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    return best * 1e3;
}

static void bench_start(char *gcnsim)
{
    static char code[] = "traces/samples/gfx1201/vecadd.co";
    static char *engines[] = {"functional", "timing"};
    char *nothing[] = {"true", NULL}, *version[] = {gcnsim, "--version", NULL};
    double least = start_of(nothing);

    printf("%-34s %8s\n", "start to end of a program", "ms");
    printf("%-34s %8.2f\n%-34s %8.2f\n", "true", least, "gcnsim --version", start_of(version));
    for (int e = 0; e < 2; e++) {
        char *run[] = {gcnsim,   "run",      code,       "--grid",    "64",    "--workgroup", "64",
                       "--arg",  "buf:256",  "--arg",    "buf:256",   "--arg", "buf:256",     "--arg",
                       "u32:64", "--engine", engines[e], "--threads", "1",     NULL};
        double ms = start_of(run);

        bench_probe(1);
        printf("gcnsim run, %-22s %8.2f\n", engines[e], ms);
        bench_row(ms, "ms", 0, "start: gcnsim run, %s", engines[e]);
    }
}

/* ---- launches ---- */

static const uint32_t empty_code[] = {0xbfb00000, 0xbf9f0000, 0xbf9f0000, 0xbf9f0000}; /* s_endpgm, s_code_end */

struct launcher {
    struct gcnsim *sim;
    struct gcnsim_raw raw;
    struct gcnsim_module *module; /* null: raw code */
    struct gcnsim_dispatch dispatch;
};

static void launch_once(struct launcher *l)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;

    check(l->module ? gcnsim_launch(l->module, &l->dispatch, &r, &error)
                    : gcnsim_launch_raw(l->sim, &l->raw, &r, &error),
          "launch", &error);
    if (r->outcome != GCNSIM_COMPLETED)
        die("launch", r->message);
    gcnsim_result_free(r);
}

static double launch_rate(struct launcher *l)
{
    double best = 0, end = bench_seconds(CLOCK_MONOTONIC) + for_seconds;

    bench_begin();
    do {
        unsigned n = 0;
        double from = bench_seconds(CLOCK_MONOTONIC), took;

        do {
            launch_once(l);
            n++;
        } while ((took = bench_seconds(CLOCK_MONOTONIC) - from) < for_seconds / 10);
        best = n / took > best ? n / took : best;
    } while (bench_seconds(CLOCK_MONOTONIC) < end);
    return best;
}

static void raw_of(struct gcnsim_raw *raw, const struct gcnsim_raw_code *code, enum gcnsim_engine engine)
{
    gcnsim_raw_init(raw);
    raw->target = "gfx1201";
    raw->engine = engine;
    raw->entry = raw->code_base = (uint64_t)(uintptr_t)empty_code;
    raw->code_size = sizeof empty_code;
    raw->code = code;
    raw->workgroups[0] = 1;
    raw->workgroup_size[0] = raw->wave_size = 32;
    raw->threads = 1;
}

static void open_object(struct launcher *l, uint8_t kernarg[32])
{
    struct gcnsim_error error = {0};
    uint64_t buffer;
    const uint32_t items = 0;

    check(gcnsim_load_file(l->sim, &l->module, "traces/samples/gfx1201/vecadd.co", NULL, &error), "vecadd", &error);
    gcnsim_dispatch_init(&l->dispatch);
    check(gcnsim_code_find_kernel(gcnsim_module_code(l->module), "vecadd", &l->dispatch.kernel, &error), "vecadd",
          &error);
    check(gcnsim_alloc(l->sim, 256, "bench", &buffer, &error), "vecadd", &error);
    for (int k = 0; k < 3; k++)
        memcpy(kernarg + 8 * k, &buffer, sizeof buffer);
    memcpy(kernarg + 24, &items, sizeof items);
    l->dispatch.kernarg = kernarg;
    l->dispatch.kernarg_size = 28;
    l->dispatch.grid_size[0] = l->dispatch.workgroup_size[0] = 32;
    l->dispatch.threads = 1;
}

/* Launches of 64 workgroups: what host threads cost that hardly have anything to do. */
static void bench_threads(struct gcnsim *sim, const struct gcnsim_raw_code *code)
{
    static const struct {
        enum gcnsim_engine engine;
        const char *name; /* in rows: those of the functional engine have none */
        unsigned threads;
    } row[] = {{GCNSIM_ENGINE_FUNCTIONAL, "", 1},      {GCNSIM_ENGINE_FUNCTIONAL, "", 2},
               {GCNSIM_ENGINE_FUNCTIONAL, "", 16},     {GCNSIM_ENGINE_FUNCTIONAL, "", 64},
               {GCNSIM_ENGINE_TIMING, "timing, ", 1},  {GCNSIM_ENGINE_TIMING, "timing, ", 2},
               {GCNSIM_ENGINE_TIMING, "timing, ", 16}, {GCNSIM_ENGINE_TIMING, "timing, ", 64}};
    struct launcher l = {.sim = sim};

    for (unsigned k = 0; k < sizeof row / sizeof *row; k++) {
        raw_of(&l.raw, code, row[k].engine);
        l.raw.workgroups[0] = 64;
        l.raw.threads = row[k].threads;
        double rate = launch_rate(&l);
        if (row[k].threads > 1)
            bench_probe(row[k].threads);
        printf("64 workgroups, %s%2u threads %*.0f\n", row[k].name, row[k].threads, row[k].name[0] ? 10 : 18, rate);
        bench_row(rate, "1/s", 0, "launches: 64 workgroups, %s%u threads", row[k].name, row[k].threads);
    }
}

static void bench_launches(void)
{
    static const char *const engines[] = {"functional", "timing"};
    static const enum gcnsim_engine engine[] = {GCNSIM_ENGINE_FUNCTIONAL, GCNSIM_ENGINE_TIMING};
    struct gcnsim_error error = {0};
    struct gcnsim_raw_code *code;
    struct launcher l = {0};
    uint8_t kernarg[32] = {0};

    check(gcnsim_open(&l.sim, "gfx1201", &error), "open", &error);
    check(gcnsim_raw_code_open(&code, "gfx1201", (uint64_t)(uintptr_t)empty_code, sizeof empty_code, &error), "code",
          &error);
    printf("%-34s %10s\n", "launches of an empty kernel", "1/s");
    for (int object = 0; object < 2; object++) {
        if (object)
            open_object(&l, kernarg);
        for (int e = 0; e < 2; e++) {
            raw_of(&l.raw, code, engine[e]);
            l.dispatch.engine = engine[e];
            double rate = launch_rate(&l);
            const char *what = object ? "code object" : "raw code";
            printf("%-12s%-22s %10.0f\n", what, engines[e], rate);
            bench_row(rate, "1/s", 0, "launches: %s, %s", what, engines[e]);
        }
    }
    bench_threads(l.sim, code);
    gcnsim_close(l.sim);
    gcnsim_raw_code_close(code);
}

/* ---- a chip of 1,024 compute units ---- */

static void bench_chip(void)
{
    static const char *const sets[] = {"gpu.cus=1024"};
    static const uint32_t end[] = {0xbf810000, 0xbf800000, 0xbf800000, 0xbf800000}; /* s_endpgm, s_nop */
    struct gcnsim_error error = {0};
    double best = 1e9, stop = bench_seconds(CLOCK_MONOTONIC) + for_seconds;
    struct rusage before, after;
    struct launcher l = {0};

    getrusage(RUSAGE_SELF, &before);
    check(gcnsim_open(&l.sim, "gfx942", &error), "open", &error);
    check(gcnsim_set_all(l.sim, sets, 1, &error), sets[0], &error);
    raw_of(&l.raw, NULL, GCNSIM_ENGINE_TIMING);
    l.raw.target = "gfx942";
    l.raw.entry = l.raw.code_base = (uint64_t)(uintptr_t)end;
    l.raw.code_size = sizeof end;
    l.raw.workgroup_size[0] = l.raw.wave_size = 64;
    l.raw.cold = 1;
    bench_begin();
    do {
        double from = bench_seconds(CLOCK_MONOTONIC);

        launch_once(&l);
        best = bench_seconds(CLOCK_MONOTONIC) - from < best ? bench_seconds(CLOCK_MONOTONIC) - from : best;
    } while (bench_seconds(CLOCK_MONOTONIC) < stop);
    getrusage(RUSAGE_SELF, &after);
    gcnsim_close(l.sim);
    double grown = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
    printf("%-34s %8.2f ms, %.1f MiB\n", "one wave on 1,024 CUs of gfx942", best * 1e3, grown);
    bench_row(best * 1e3, "ms", 0, "chip of 1,024 CUs: one wave");
    bench_row(grown, "MiB", 0, "chip of 1,024 CUs: memory");
}

int main(int argc, char **argv)
{
    const char *only = NULL, *slash = strrchr(argv[0], '/');
    char beside[1000], *gcnsim = beside;

    snprintf(beside, sizeof beside, "%.*s../../gcnsim", slash ? (int)(slash - argv[0]) + 1 : 0, argv[0]);
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--seconds") == 0)
            for_seconds = atof(argv[++i]);
        else if (more && strcmp(argv[i], "--gcnsim") == 0)
            gcnsim = argv[++i];
        else if (more && strcmp(argv[i], "--only") == 0)
            only = argv[++i];
        else if (i + 3 < argc && strcmp(argv[i], "--row") == 0)
            return bench_row(atof(argv[i + 2]), argv[i + 3], 0, "%s", argv[i + 1]), 0;
        else
            die(argv[i],
                "expected --seconds S, --only start|launches|chip, --gcnsim PROGRAM or --row NAME FIGURE UNIT");
    }
    if (!only || strcmp(only, "chip") == 0) /* first: memory counts at its peak */
        bench_chip();
    if (!only || strcmp(only, "start") == 0)
        bench_start(gcnsim);
    if (!only || strcmp(only, "launches") == 0)
        bench_launches();
    return 0;
}
