/* Loops of kernels (programs/workloads.cpp) of which most dispatches are executed without time (--sample kernels): they
 * compute what they compute on either engine. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

/* A few iterations, small: enough that of each program some dispatches are timed, others warm caches or only execute.
 */
static const char *const programs[][3] = {
    {"multigrid", "6", "64"}, {"search", "3", "4096"},   {"queue", "3", "4096"},     {"kmeans", "12", "4096"},
    {"train", "8", "64"},     {"sort", "1", "2048"},     {"molecules", "20", "512"}, {"fft", "4", "2048"},
    {"images", "8", "64"},    {"vectors", "8", "65536"},
};

static struct said run(const char *const program[3], const char *engine, const char *more)
{
    struct said s = RUN("exec", "--engine", engine, more, hsa_program("workloads"), program[0], program[1], program[2]);

    expect_status(&s, 0);
    return s;
}

static void expect_same(const char *const program[3], const char *says)
{
    struct said functional = run(program, "functional", "--no-summary"), full = run(program, "timing", "--no-summary"),
                sampled = run(program, "timing", "--sample=kernels");

    assert_int_equal(strncmp(functional.out, program[0], strlen(program[0])), 0);
    assert_string_equal(full.out, functional.out);
    assert_string_equal(sampled.out, functional.out);
    expect_in(&sampled, sampled.err, says);
    said_free(&functional);
    said_free(&full);
    said_free(&sampled);
}

static void same_results(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "workloads");
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        expect_same(programs[k], "sampling: ESTIMATE of all kernels' time ");
}

/* What finds a dispatch of another stream in flight is timed. */
static void two_streams(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "workloads");
    expect_same((const char *const[3]){"cameras", "1", "512"}, "sampling: no dispatch was left to estimate");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_results),
        cmocka_unit_test(two_streams),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
