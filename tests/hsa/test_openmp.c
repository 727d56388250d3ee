/* Target regions of OpenMP (tests/hsa/omp), compiled by clang-19 for code object versions 4 and 5, on nine targets. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

static void run_on(const char *engine, const char *name, const char *const targets[])
{
    static const char *const kinds[] = {
        "device: ok\n",        "reduction: ok\n",      "reduction of extremes: ok\n", "reduction in a team: ok\n",
        "collapse: ok\n",      "teams: ok\n",          "target data: ok\n",           "pointers in structures: ok\n",
        "target memory: ok\n", "declare target: ok\n", "nowait and depend: ok\n",     "all ok\n",
    };

    if (!hsa_program(name)) /* its device libraries come with hipcc */
        NEED_HIP();
    NEED_PROGRAM(TOOLCHAIN_OPENMP, name);
    set_openmp_path();
    for (; *targets; targets++) {
        struct said s = RUN("exec", "--arch", *targets, "--engine", engine, hsa_program(name));

        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            expect_in(&s, s.out, kinds[k]);
        expect_status(&s, 0);
        expect_in(&s, s.err, "__omp_offloading_"); /* that the summary has kernels: not the host has done it */
        said_free(&s);
    }
}

static void version_4(void **state)
{
    (void)state;
    run_on("functional", "omp-4", WORDS("gfx803", "gfx900", "gfx906", "gfx1010"));
}

static void version_5(void **state)
{
    (void)state;
    run_on("functional", "omp-5", WORDS("gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100"));
}

static void timing_engine(void **state)
{
    (void)state;
    run_on("timing", "omp-4", WORDS("gfx906"));
    run_on("timing", "omp-5", WORDS("gfx90a", "gfx1100"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_4),
        cmocka_unit_test(version_5),
        cmocka_unit_test(timing_engine),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
