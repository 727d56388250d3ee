/* Holds the way to one test to its word: `make test T=... CASE=...` chooses programs and cases, refuses what it does
 * not know, and a program run by hand finds the tool. The programs that are run here are this one again.
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "tests/support/proc.h"
#include "tests/system/cli_run.h"

static char self[CLI_PATH];

/* What a command of the shell prints, stdout and stderr, to be freed; its exit status must be as expected. */
static char *shell(const char *command, int status)
{
    size_t bytes;
    int got = spawn_tool((const char *[]){"sh", "-c", command, NULL}, cli_path("said"));
    char *said = read_whole(cli_path("said"), &bytes);

    assert_non_null(said);
    if (got != status)
        fail_msg("%s: status %d, expected %d\n%s", command, got, status, said);
    return said;
}

/* The programs that `make test` with these arguments would run, as a list below build/tests/; status 2: its error. */
static void expect_programs(const char *arguments, int status, const char *expected)
{
    char command[1024], list[4096] = "", *save;

    /* nothing is made: SUBMAKE is what builds, and the outer make's variables are not handed down */
    snprintf(command, sizeof command,
             "env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u T -u CASE make -n --no-print-directory BUILD=build "
             "SUBMAKE=: test %s",
             arguments);
    char *said = shell(command, status);
    if (status) {
        assert_non_null(strstr(said, expected));
    } else {
        char *line = strstr(said, "sh tests/run.sh ");
        assert_non_null(line);
        line[strcspn(line, "\n")] = 0;
        strtok_r(line, " \n", &save);
        strtok_r(NULL, " \n", &save);
        for (char *p = strtok_r(NULL, " \n", &save); p; p = strtok_r(NULL, " \n", &save)) {
            assert_int_equal(strncmp(p, "build/tests/", 12), 0);
            assert_true(strlen(list) + strlen(p) < sizeof list);
            strcat(strcat(list, *list ? " " : ""), p + 12);
        }
        assert_string_equal(list, expected);
    }
    free(said);
}

static void t_names_programs_and_folders(void **state)
{
    (void)state;
    expect_programs("T=timing/test_lds", 0, "timing/test_lds");
    expect_programs("T=tests/timing/test_lds.c CASE='two*'", 0, "timing/test_lds");
    expect_programs("T='timing/test_lds system/test_runner'", 0, "timing/test_lds system/test_runner");
    expect_programs("T=closing", 0, "closing/test_tested");
    expect_programs("T=closing/", 0, "closing/test_tested");
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    expect_programs("T=timing/test_nothing", 2,
                    "*** T=timing/test_nothing: neither a program nor a folder of programs under tests/.  Stop.");
    expect_programs("T='timing/test_lds bench'", 2, "*** T=bench: neither a program nor a folder");
    expect_programs("CASE=name", 2, "*** CASE=name goes with T, the program that has it.  Stop.");
}

/* is run by the cases below */
static void the_tool_is_named(void **state)
{
    (void)state;
    const char *tool = getenv("GCNSIM");
    assert_non_null(tool);
    assert_int_equal(access(tool, X_OK), 0);
}

static void a_case_is_run_alone(void **state)
{
    char command[2 * CLI_PATH];

    (void)state;
    snprintf(command, sizeof command, "GCNSIM_CASE='the_*_named' sh tests/run.sh '%s'", self);
    char *said = shell(command, 0);
    assert_non_null(strstr(said, "\n1 passed, 0 failed\n"));
    free(said);

    snprintf(command, sizeof command, "GCNSIM_CASE=nobody sh tests/run.sh '%s'", self);
    said = shell(command, 1);
    assert_non_null(strstr(said, "no case of test_runner matches 'nobody'; its cases are\n"));
    assert_non_null(strstr(said, "\n    the_tool_is_named\n"));
    assert_non_null(strstr(said, "\n0 passed, 1 failed\n"));
    free(said);
}

/* A program that prints closing lines of cmocka, named below the folder. */
static void make_program(const char *name, const char *lines)
{
    char text[1024];

    snprintf(text, sizeof text, "#!/bin/sh\ncat <<'END'\n%sEND\n", lines);
    write_file(cli_path(name), text, strlen(text));
    assert_int_equal(chmod(cli_path(name), 0755), 0);
}

static void closing_lines_of_every_cmocka_count(void **state)
{
    char command[4 * CLI_PATH];

    (void)state;
    make_program("old", "[==========] 3 test(s) run.\n[  PASSED  ] 3 test(s).\n");
    make_program("named", "[==========] a: group: 5 test(s) run.\n[  PASSED  ] 4 test(s).\n"
                          "[  SKIPPED ] a: group: 1 test(s), listed below:\n[  SKIPPED ] one\n");
    snprintf(command, sizeof command, "sh tests/run.sh '%s/old' '%s/named'", cli_dir, cli_dir);
    char *said = shell(command, 0);
    assert_non_null(strstr(said, "\n7 passed, 0 failed\n"));
    assert_non_null(strstr(said, "named: 4 passed, 1 skipped, "));
    free(said);

    snprintf(command, sizeof command, "sh tests/run.sh '%s/old' '%s/absent'", cli_dir, cli_dir);
    said = shell(command, 1);
    assert_non_null(strstr(said, "absent: 0 passed, 1 failed (was not built), "));
    assert_non_null(strstr(said, "\n3 passed, 1 failed\n"));
    free(said);
    snprintf(command, sizeof command, "NOT_BUILT=1 sh tests/run.sh '%s/old'", cli_dir);
    said = shell(command, 1);
    assert_non_null(strstr(said, "\n3 passed, 1 failed\n"));
    free(said);
}

static void by_hand_the_tool_is_found(void **state)
{
    char command[2 * CLI_PATH];

    (void)state;
    snprintf(command, sizeof command, "env -u GCNSIM GCNSIM_CASE=the_tool_is_named '%s'", self);
    free(shell(command, 0));
    /* what is named is not overruled */
    snprintf(command, sizeof command, "GCNSIM=/nonexistent/tool GCNSIM_CASE=the_tool_is_named '%s'", self);
    free(shell(command, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_names_programs_and_folders),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(the_tool_is_named),
        cmocka_unit_test(a_case_is_run_alone),
        cmocka_unit_test(closing_lines_of_every_cmocka_count),
        cmocka_unit_test(by_hand_the_tool_is_found),
    };

    if (!own_program(self, sizeof self))
        return 1;
    return cmocka_run_group_tests_name("runner", tests, cli_setup, cli_teardown);
}
