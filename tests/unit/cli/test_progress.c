/* The hint of a run that gets nowhere: when it comes, what it says, and how often. Time is the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/cli/progress.c"

static double clock_seconds;
static unsigned said;
static char last[400];

static double test_clock(void)
{
    return clock_seconds;
}

int cli_error(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(last, sizeof last, fmt, ap);
    va_end(ap);
    said++;
    return CLI_BAD_INPUT;
}

static struct cli_progress start(enum cli_progress_when when, bool hints)
{
    struct cli_progress p;

    cli_progress_start(&p, when);
    p.now = test_clock;
    p.started = p.done_at = clock_seconds = 1000;
    p.hints = hints;
    said = 0;
    return p;
}

static void at(struct cli_progress *p, double seconds, uint64_t done)
{
    clock_seconds = 1000 + seconds;
    assert_int_equal(cli_progress_update(p, done, 64), 0);
}

static void after_ten_seconds_then_twice_as_many(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_AUTO, true);
    char words[80];

    (void)state;
    for (double t = 0; t < 9.95; t += 0.05)
        at(&p, t, 0);
    assert_int_equal(said, 0);
    at(&p, 10, 0);
    assert_int_equal(said, 1);
    snprintf(words, sizeof words, "for 10 s (0 of 64 done); 'kill -USR1 %ld' shows", (long)getpid());
    assert_non_null(strstr(last, words));
    assert_non_null(strstr(last, "--max-cycles or --max-instructions ends"));
    for (double t = 10; t < 19.95; t += 0.05)
        at(&p, t, 0);
    assert_int_equal(said, 1);
    at(&p, 20, 0);
    assert_int_equal(said, 2);
    at(&p, 39.9, 0);
    assert_int_equal(said, 2);
    at(&p, 40, 0);
    assert_int_equal(said, 3);
}

static void a_finished_workgroup_is_progress(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_AUTO, true);

    (void)state;
    for (uint64_t n = 0; n < 60; n++)
        at(&p, 9.0 * (double)n, n);
    assert_int_equal(said, 0);
    at(&p, 9.0 * 59 + 11, 59);
    assert_int_equal(said, 1);
    assert_non_null(strstr(last, "for 11 s (59 of 64 done)"));
}

static void only_where_hints_are_wanted(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_NEVER, false);

    (void)state;
    at(&p, 0, 0);
    at(&p, 1000, 0);
    assert_int_equal(said, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_ten_seconds_then_twice_as_many),
        cmocka_unit_test(a_finished_workgroup_is_progress),
        cmocka_unit_test(only_where_hints_are_wanted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
