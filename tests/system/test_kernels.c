/* The kernels of tests/system/kernels/diff, compiled by clang-19 for many targets at -O0 and -O2, some at -O2 alone,
 * and run by the functional engine, against the same source compiled for the host: every word they write must be the
 * same, but for approximations, which state how near. gfx1100 and gfx1200 once more by LLVM 22 with halves of registers
 * (true16).
 *
 * GCNSIM_KERNEL_TARGETS=all runs every build of every target, GCNSIM_KERNEL_TARGETS=gfx803[,...] those targets alone
 * (others than the usual too), gfx1100:true16 by LLVM 22; for more see kernel_diff.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/system/kernel_diff.h"
#include "tests/system/spawn_tool.h"

#define SOURCE "tests/system/kernels/diff/diff.c"

enum { MAX_BUILDS = 64, MIN_KERNELS = 150 };

/* LLVM 22 compiles 16-bit instructions with halves of registers of their own. Its clang promotes small integers no more
 * in __builtin_elementwise_add_sat and the like, so the host's kernels are its, too; and has no macro for the size of
 * waves. */
#define LLVM22 "sh tests/llvm22.sh clang"
#define TRUE16 "-Xclang -target-feature -Xclang +real-true16 -DLLVM22_TRUE16 -D__AMDGCN_WAVEFRONT_SIZE__="

static struct {
    struct diff_host *host, *host22;
    bool no_llvm22;
    struct diff_build builds[MAX_BUILDS];
    struct CMUnitTest tests[MAX_BUILDS];
    size_t count;
} env;

static void test_build(void **state)
{
    struct diff_build *b = *state;
    unsigned ran;
    NEED_CLANG();
    if ((b->compiler || diff_needs_llvm22(b->target)) && env.no_llvm22) {
        print_message("SKIPPED: LLVM 22 is not installed (sh tests/llvm22.sh --fetch)\n");
        skip();
    }
    diff_build_wait(env.builds, env.count, (size_t)(b - env.builds));
    int failed = diff_run(b->compiler ? env.host22 : env.host, b, &ran);
    if (failed)
        fail_msg("%s: %d of %u kernels wrong", b->title, failed, ran);
    if (!getenv("GCNSIM_KERNELS"))
        assert_in_range(ran, MIN_KERNELS, DIFF_MAX_KERNELS);
}

enum builds { O2_ALONE, BOTH_LEVELS, BOTH_LEVELS_AND_WAVE64 };

static void add_target(const char *name, enum builds builds)
{
    static const char *const levels[] = {"-O0", "-O2"};
    for (int i = builds == O2_ALONE; i < (builds == BOTH_LEVELS_AND_WAVE64 ? 4 : 2); i++) {
        struct diff_build *b = &env.builds[env.count];
        char number[16];
        snprintf(number, sizeof number, "%zu", env.count);
        diff_build_init(b, program_folder(), number, SOURCE, name, levels[i % 2], i >= 2);
        env.tests[env.count] = (struct CMUnitTest){.name = b->title, .test_func = test_build, .initial_state = b};
        env.count++;
    }
}

static void add_true16(const char *name)
{
    for (int i = 0; i < 4; i++) {
        struct diff_build *b = &env.builds[env.count];
        char number[16];
        snprintf(number, sizeof number, "%zu", env.count);
        diff_build_init(b, program_folder(), number, SOURCE, name, i % 2 ? "-O2" : "-O0", i >= 2);
        b->compiler = LLVM22;
        b->more = i >= 2 ? TRUE16 "64" : TRUE16 "32";
        if (!strcmp(name, "gfx1200")) /* branch_early_exit: 60 blocks lie between the two instructions */
            b->known = "rdna4.valu-read-sgpr";
        snprintf(b->title + strlen(b->title), sizeof b->title - strlen(b->title), ", LLVM 22, true16");
        env.tests[env.count] = (struct CMUnitTest){.name = b->title, .test_func = test_build, .initial_state = b};
        env.count++;
    }
}

static int setup(void **state)
{
    (void)state;
    env.no_llvm22 = !has_llvm22();
    if (why_no_clang())
        return 0;
    if (diff_host_open(&env.host, program_folder(), SOURCE, NULL, false))
        return -1;
    return env.no_llvm22 ? 0 : diff_host_open(&env.host22, program_folder(), SOURCE, LLVM22, false);
}

static int teardown(void **state)
{
    (void)state;
    diff_build_stop(env.builds, env.count);
    diff_host_close(env.host);
    diff_host_close(env.host22);
    return 0;
}

int main(void)
{
    const char *only = getenv("GCNSIM_KERNEL_TARGETS");
    bool all = only && !strcmp(only, "all");
    if (all)
        only = NULL;
    for (size_t t = 0; t < diff_target_count && !only; t++) {
        enum builds every = diff_targets[t].has_wave64_option ? BOTH_LEVELS_AND_WAVE64 : BOTH_LEVELS;
        add_target(diff_targets[t].name, all || diff_targets[t].of_family ? every : O2_ALONE);
    }
    if (!only) {
        add_target("gfx950", BOTH_LEVELS);
        add_target("gfx1250", BOTH_LEVELS);
        add_true16("gfx1100");
        add_true16("gfx1200");
    }
    char *names = strdup(only ? only : ""), *save;
    for (char *name = strtok_r(names, ",", &save); name && env.count + 4 <= MAX_BUILDS;
         name = strtok_r(NULL, ",", &save)) {
        bool wave64 = false;
        char *mode = strchr(name, ':');
        if (mode && !strcmp(mode, ":true16")) {
            *mode = 0;
            add_true16(name);
            continue;
        }
        for (size_t t = 0; t < diff_target_count; t++)
            wave64 |= strcmp(diff_targets[t].name, name) == 0 && diff_targets[t].has_wave64_option;
        add_target(name, wave64 ? BOTH_LEVELS_AND_WAVE64 : BOTH_LEVELS);
    }
    int failed = _cmocka_run_group_tests("kernels", env.tests, env.count, setup, teardown);
    free(names);
    return failed;
}
