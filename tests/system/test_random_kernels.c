/* Random C kernels (tests/fuzz/gen_kernel.h), compiled for the host and by clang-19 for targets at -O0 and -O2, run and
 * compared as in test_kernels.c.
 *
 * Plain, a smoke: the seeds below, all targets and wave sizes among them. GCNSIM_FUZZ_SECONDS=N goes on with batch
 * after batch of new seeds for about that long (`make check`), from GCNSIM_FUZZ_SEED on. GCNSIM_FUZZ_SEED=S alone runs
 * that seed on every target, or on those of GCNSIM_KERNEL_TARGETS=T[,T]; GCNSIM_FUZZ_KEEP=FILE keeps its source.
 * GCNSIM_FUZZ_SOURCE=FILE runs such a source, reduced by hand, in the same way. GCNSIM_KERNEL_LEVELS="-O1 -O3" compiles
 * at these levels instead of -O0 and -O2.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/fuzz/gen_kernel.h"
#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/system/kernel_diff.h"

enum {
    BATCH = 10,
    SMOKE_SEEDS = 4,
    SMOKE_BATCHES = 6,
    TARGETS_PER_BATCH = 3,
    MAX_LEVELS = 4,
    MAX_BUILDS = 64,
    FIRST_SEED = 1000
};

static const char *levels[MAX_LEVELS] = {"-O0", "-O2"};
static size_t level_count = 2;

/* The n-th of all targets with all wave sizes. */
static void pick_target(size_t n, const char **name, bool *wave64)
{
    size_t variants = 0;
    for (size_t t = 0; t < diff_target_count; t++)
        variants += 1 + diff_targets[t].has_wave64_option;
    n = n * 5 % variants; /* neighbours are of different generations */
    for (size_t t = 0; t < diff_target_count; t++)
        for (int w = 0; w <= diff_targets[t].has_wave64_option; w++)
            if (n-- == 0) {
                *name = diff_targets[t].name;
                *wave64 = w;
                return;
            }
}

static void add_levels(struct diff_build *builds, size_t *count, size_t most, const char *source, const char *target,
                       bool wave64)
{
    for (size_t l = 0; l < level_count && *count < most; l++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", *count);
        diff_build_init(&builds[*count], program_folder(), name, source, target, levels[l], wave64);
        ++*count;
    }
}

/* Every target and wave size, or those that GCNSIM_KERNEL_TARGETS names. */
static size_t add_targets(struct diff_build *builds, size_t most, const char *source)
{
    const char *only = getenv("GCNSIM_KERNEL_TARGETS");
    size_t count = 0;
    for (size_t t = 0; t < diff_target_count; t++)
        for (int w = 0; w <= diff_targets[t].has_wave64_option; w++)
            if (!only || strstr(only, diff_targets[t].name))
                add_levels(builds, &count, most, source, diff_targets[t].name, w);
    return count;
}

static void generate(const char *source, uint64_t first, size_t count)
{
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    gen_kernel_source(f, first, count);
    assert_int_equal(fclose(f), 0);
}

/* Whether the kernels of builds[which] come out right without spills of SGPRs into VGPRs. builds[count] is free for
 * that: who waits for one build reaps the compilers of all. */
static bool right_without_lane_spills(struct diff_host *host, struct diff_build *builds, size_t count, size_t which)
{
    const struct diff_build *b = &builds[which];
    struct diff_build *again = &builds[count];
    unsigned ran;

    diff_build_init(again, program_folder(), "again", b->source, b->target, b->level, b->wave64_option);
    again->more = "-mllvm -amdgpu-spill-sgpr-to-vgpr=0";
    diff_build_wait(builds, count + 1, count);
    if (diff_run(host, again, &ran) != 0)
        return false;
    print_message("%s, %s: wrong as compiled, right without spills of SGPRs into VGPRs: clang's (docs/TESTING.md)\n",
                  b->source, b->title);
    return true;
}

/* Compiles a source of `count` kernels (0: any number) and runs them in the builds, after which one place is free; -1
 * if anything is wrong. */
static int run_builds(size_t count, const char *source, struct diff_build *builds, size_t build_count)
{
    struct diff_host *host;
    bool wrong = false;
    /* undefined behaviour in a generated kernel is a mistake of the generator: the host stops there */
    int status = diff_host_open(&host, program_folder(), source, NULL, true);
    for (size_t i = 0; i < build_count && status == 0; i++) {
        unsigned ran, spilling = 0;
        diff_build_wait(builds, build_count, i);
        builds[i].spilling = &spilling;
        if (!getenv("GCNSIM_KERNEL_CLANG")) /* LLVM 19's search for this hazard leaves paths out (docs/TESTING.md) */
            builds[i].known = "rdna3.partial-forwarding";
        bool ok = diff_run(host, &builds[i], &ran) == 0 &&
                  (!spilling || right_without_lane_spills(host, builds, build_count, i));
        if (!ok || ran == 0 || (count && ran != count && !getenv("GCNSIM_KERNELS")))
            wrong = true;
    }
    diff_build_stop(builds, build_count);
    diff_host_close(host);
    if (wrong)
        print_error("once more: GCNSIM_FUZZ_SEED=N (the kernel is seed_N) GCNSIM_KERNEL_TARGETS=TARGET %s\n",
                    "tests/system/test_random_kernels");
    return wrong ? -1 : status;
}

static int run_batch(uint64_t first, size_t seeds, size_t number)
{
    struct diff_build builds[TARGETS_PER_BATCH * MAX_LEVELS + 1];
    char source[DIFF_PATH_BYTES];
    size_t count = 0;
    snprintf(source, sizeof source, "%s/batch.c", program_folder());
    for (size_t i = 0; i < TARGETS_PER_BATCH; i++) {
        const char *target = NULL;
        bool wave64 = false;
        pick_target(number * TARGETS_PER_BATCH + i, &target, &wave64);
        add_levels(builds, &count, sizeof builds / sizeof *builds - 1, source, target, wave64);
    }
    generate(source, first, seeds);
    return run_builds(seeds, source, builds, count);
}

static void test_smoke(void **state)
{
    size_t number = (size_t)(uintptr_t)*state;
    NEED_CLANG();
    assert_int_equal(run_batch(FIRST_SEED + number * SMOKE_SEEDS, SMOKE_SEEDS, number), 0);
}

static uint64_t env_number(const char *name)
{
    const char *s = getenv(name);
    return s ? strtoull(s, NULL, 0) : 0;
}

static void test_one_seed(void **state)
{
    static struct diff_build builds[MAX_BUILDS + 1];
    char source[DIFF_PATH_BYTES];
    const char *keep = getenv("GCNSIM_FUZZ_KEEP");
    (void)state;
    NEED_CLANG();
    snprintf(source, sizeof source, "%s/seed.c", program_folder());
    keep = keep ? keep : source;
    generate(keep, env_number("GCNSIM_FUZZ_SEED"), 1);
    assert_int_equal(run_builds(1, keep, builds, add_targets(builds, MAX_BUILDS, keep)), 0);
}

static void test_one_source(void **state)
{
    static struct diff_build builds[MAX_BUILDS + 1];
    const char *source = getenv("GCNSIM_FUZZ_SOURCE");
    (void)state;
    NEED_CLANG();
    assert_int_equal(run_builds(0, source, builds, add_targets(builds, MAX_BUILDS, source)), 0);
}

static void test_for_a_time(void **state)
{
    struct timespec start, now;
    uint64_t seed = env_number("GCNSIM_FUZZ_SEED"), seconds = env_number("GCNSIM_FUZZ_SECONDS");
    unsigned wrong = 0;
    size_t number = 0;
    (void)state;
    NEED_CLANG();
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        wrong += run_batch(seed + number * BATCH, BATCH, number) != 0;
        number++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((uint64_t)(now.tv_sec - start.tv_sec) < seconds);
    print_message("random kernels: seeds %" PRIu64 " to %" PRIu64 ", each on %d targets at %zu levels\n", seed,
                  seed + number * BATCH - 1, TARGETS_PER_BATCH, level_count);
    assert_int_equal(wrong, 0);
}

static void read_levels(void)
{
    const char *set = getenv("GCNSIM_KERNEL_LEVELS");
    static char text[64];
    char *save;
    if (!set || !*set)
        return;
    snprintf(text, sizeof text, "%s", set);
    level_count = 0;
    for (char *l = strtok_r(text, " ", &save); l && level_count < MAX_LEVELS; l = strtok_r(NULL, " ", &save))
        levels[level_count++] = l;
}

int main(void)
{
    char names[SMOKE_BATCHES][64];
    struct CMUnitTest tests[SMOKE_BATCHES];
    size_t count = 0;
    read_levels();
    if (getenv("GCNSIM_FUZZ_SOURCE")) {
        tests[count++] = (struct CMUnitTest){.name = "one source", .test_func = test_one_source};
    } else if (getenv("GCNSIM_FUZZ_SECONDS")) {
        tests[count++] = (struct CMUnitTest){.name = "random kernels for a time", .test_func = test_for_a_time};
    } else if (getenv("GCNSIM_FUZZ_SEED")) {
        tests[count++] = (struct CMUnitTest){.name = "one random kernel", .test_func = test_one_seed};
    } else {
        for (; count < SMOKE_BATCHES; count++) {
            snprintf(names[count], sizeof names[count], "random kernels, seeds from %zu",
                     FIRST_SEED + count * SMOKE_SEEDS);
            tests[count] = (struct CMUnitTest){
                .name = names[count], .test_func = test_smoke, .initial_state = (void *)(uintptr_t)count};
        }
    }
    return _cmocka_run_group_tests("random kernels", tests, count, NULL, NULL);
}
