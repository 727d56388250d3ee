/* The bar of progress, what it says is left, and the hint of a run that gets nowhere. Time is the test's. */
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

/* The line at some time of a run. */
static const char *line_at(struct cli_progress *p, double seconds, struct gcnsim_progress f, int columns)
{
    static char line[MAX_COLUMNS + 1];

    clock_seconds = 1000 + seconds;
    cli_progress_facts(p, &f);
    make_line(p, &f, clock_seconds, columns, line);
    assert_true((int)strlen(line) < columns);
    return line;
}

static struct gcnsim_progress facts(uint64_t done, uint64_t running, uint64_t total, uint64_t cycles,
                                    uint64_t loop_left)
{
    return (struct gcnsim_progress){.struct_bytes = sizeof(struct gcnsim_progress),
                                    .workgroups_total = total,
                                    .workgroups_done = done,
                                    .workgroups_running = running,
                                    .cycles = cycles,
                                    .instructions = cycles / 4,
                                    .loop_address = loop_left ? 64 : 0,
                                    .loop_left = loop_left};
}

static void workgroups_say_what_is_left(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_NEVER, true);

    (void)state;
    assert_string_equal(line_at(&p, 0, facts(0, 4, 100, 0, 0), 80),
                        "[................]   0%  0 of 100 workgroups, 0 s");
    /* those that run are half done: 20 of 100 in 10 s */
    assert_string_equal(line_at(&p, 10, facts(18, 4, 100, 123456, 0), 80),
                        "[###.............]  20%  18 of 100 workgroups, 123k cycles, 10 s, 40 s left");
    assert_string_equal(line_at(&p, 10, facts(18, 4, 100, 123456, 0), 100),
                        "[###.............]  20%  18 of 100 workgroups, 123k cycles, 30.9k inst, 10 s, 40 s left");
    assert_string_equal(line_at(&p, 700, facts(100, 0, 100, 9995, 0), 80),
                        "[################] 100%  100 of 100 workgroups, 10.0k cycles, 12 min");
}

/* One workgroup, of which nothing is done until all is. */
static void a_loop_says_what_is_left(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_NEVER, true);

    (void)state;
    for (unsigned k = 0; k < 4; k++) /* too early to tell */
        assert_null(strstr(line_at(&p, 2 + 0.1 * k, facts(0, 1, 1, 1000, 1000 - 5 * k), 80), "left"));
    for (unsigned k = 4; k < 100; k++) /* 50 in a second: 20 s from 1000 on */
        line_at(&p, 2 + 0.1 * k, facts(0, 1, 1, 1000, 1000 - 5 * k), 80);
    assert_string_equal(line_at(&p, 12, facts(0, 1, 1, 1000, 500), 80),
                        "[########........]  54%  0 of 1 workgroups, 1.00k cycles, 12 s, 10 s left");
    assert_int_equal(said, 0); /* no hint: it gets on */
    /* it begins anew, so that nothing is known */
    assert_null(strstr(line_at(&p, 12.1, facts(0, 1, 1, 1000, 1000), 80), "left"));
    assert_int_equal(said, 1);
    /* and stands still */
    line_at(&p, 30, facts(0, 1, 1, 1000, 1000), 80);
    assert_int_equal(said, 2);
}

/* Four rounds of workgroups, the first of which is half through. */
static void a_loop_of_the_first_round(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_NEVER, true);

    (void)state;
    for (unsigned k = 0; k < 100; k++)
        line_at(&p, 0.1 * k, facts(0, 10, 40, 1000, 200 - k), 80);
    assert_string_equal(line_at(&p, 10, facts(0, 10, 40, 1000, 100), 80),
                        "[##..............]  12%  0 of 40 workgroups, 1.00k cycles, 10 s, 70 s left");
}

static void limits_say_what_is_left(void **state)
{
    struct cli_progress p = start(CLI_PROGRESS_NEVER, true);

    (void)state;
    p.max_cycles = 4000;
    assert_non_null(strstr(line_at(&p, 10, facts(0, 1, 1, 1000, 0), 80), "10 s, 30 s left"));
    p.max_instructions = 500;
    assert_non_null(strstr(line_at(&p, 10, facts(0, 1, 1, 1000, 0), 80), "10 s, 10 s left"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_ten_seconds_then_twice_as_many),
        cmocka_unit_test(a_finished_workgroup_is_progress),
        cmocka_unit_test(only_where_hints_are_wanted),
        cmocka_unit_test(workgroups_say_what_is_left),
        cmocka_unit_test(a_loop_says_what_is_left),
        cmocka_unit_test(a_loop_of_the_first_round),
        cmocka_unit_test(limits_say_what_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
