/* Launches, copies and start-up of HIP programs under gcnsim exec have a rate that no machine that is merely busy falls
 * below: some hundredth of what an idle one does. What is found is a wait by time-out in each call, or work that grows
 * with the number of calls. `make bench` prints the rates themselves. */
#define _GNU_SOURCE
#include <time.h>

#include "tests/hsa/exec_run.h"

static double rate_of(const struct said *s, const char *name)
{
    char line[64];
    const char *at;

    snprintf(line, sizeof line, "%s ", name);
    for (at = s->out; at && strncmp(at, line, strlen(line)) != 0;)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    if (!at) {
        said_show(s);
        fail_msg("no line of %s", name);
    }
    return strtod(at + strlen(line), NULL);
}

static void expect_rates(const char *engine, const char *calls, const char *const names[], double at_least)
{
    NEED_PROGRAM(TOOLCHAIN_HIP, "rates");
    struct said s = RUN("exec", "--engine", engine, "--no-summary", "--max-wall", "100", hsa_program("rates"), calls);

    expect_status(&s, 0);
    for (; *names; names++)
        if (rate_of(&s, *names) < at_least) {
            said_show(&s);
            fail_msg("%s engine, %s: under %g a second", engine, *names, at_least);
        }
    said_free(&s);
}

static void launches_and_copies(void **state)
{
    (void)state;
    expect_rates("functional", "400", WORDS("launch", "launch_wait"), 50);
    expect_rates("functional", "400", WORDS("to_device", "to_host", "on_device", "fill"), 500);
    expect_rates("timing", "100", WORDS("launch", "launch_wait"), 10);
    expect_rates("timing", "100", WORDS("to_device", "to_host", "on_device", "fill"), 100);
}

/* The best of a few. */
static void start_up(void **state)
{
    double least = 1e9;

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "rates");
    for (int k = 0; k < 3; k++) {
        struct timespec from, to;

        clock_gettime(CLOCK_MONOTONIC, &from);
        struct said s = RUN("exec", "--no-summary", hsa_program("rates"), "2");
        clock_gettime(CLOCK_MONOTONIC, &to);
        expect_status(&s, 0);
        said_free(&s);
        double took = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        least = took < least ? took : least;
    }
    if (least > 10)
        fail_msg("a small program takes %.1f s", least);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_and_copies),
        cmocka_unit_test(start_up),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
