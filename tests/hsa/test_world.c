/* Holds `make check-world`'s runner (tests/rocm/world.py) to its word with a program that passes, fails, dies and falls
 * silent: each case has one outcome, what died does not take the others with it, and a second run does only what is
 * left.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>

#include "tests/hsa/exec_run.h"

static const char program[] =
    "#!/bin/sh\n"
    "chat() { if [ \"$TOY_CHATS\" = $1 ]; then echo >began; while :; do echo more; done; fi; }\n"
    "case $1 in --gtest_list_tests)\n"
    "    chat listing\n"
    "    printf 'Some.\\n  passes\\n  fails\\n  dies\\nAll/More. # TypeParam = int\\n  after/0  # GetParam() = 1\\n'\n"
    "    printf '  skips\\n  a-b\\n  DISABLED_never\\n'\n"
    "    exit ;;\n"
    "esac\n"
    "IFS=:\n"
    "for t in ${1#--gtest_filter=}; do\n"
    "    chat running\n"
    "    case $t in *[?]*) t=All/More.a-b ;; esac\n"
    "    echo \"[ RUN      ] $t\"\n"
    "    echo \"$t $GCNSIM_ENGINE\" >>runs\n"
    "    case $t in\n"
    "    *.fails) echo 'of itself'; echo \"[  FAILED  ] $t, where GetParam() = 2 (1 ms)\" ;;\n"
    "    *.dies) kill -SEGV $$ ;;\n"
    "    *.silent) exec tail -f /dev/null ;;\n"
    "    *.skips) echo \"[  SKIPPED ] $t (0 ms)\" ;;\n"
    "    *) echo \"[       OK ] $t (1 ms)\" ;;\n"
    "    esac\n"
    "done\n";

static const char parts[] = "import sys\n"
                            "sys.path.append('tests/rocm')\n"
                            "from world_parts import Part\n"
                            "PARTS = [Part('toy', '0', (), 'bin/toy', 'gtest', ('gfx90a',), timing_every=4%s)]\n";

static void write_parts(const char *more)
{
    char text[1000];

    snprintf(text, sizeof text, parts, more);
    write_file(cli_path("parts.py"), text, strlen(text));
}

static pid_t start_world(const char *option)
{
    return cli_start_program(
        (const char *[]){"python3", "tests/rocm/world.py", cli_path("build"), cli_path("parts.py"), option, NULL});
}

static struct said world(const char *option)
{
    return cli_finish(start_world(option));
}

/* What has run since the last call, in order, a line each. */
static void expect_runs(const char *expected)
{
    const char *path = cli_path("build/rocm/0/root/bin/runs");
    size_t bytes;
    char *text = read_whole(path, &bytes);

    assert_non_null(text);
    assert_int_equal(remove(path), 0);
    assert_string_equal(text, expected);
    free(text);
}

static int setup(void **state)
{
    static const char *const folders[] = {"build", "build/rocm", "build/rocm/0", "build/rocm/0/root",
                                          "build/rocm/0/root/bin"};
    const char *path;

    cli_setup(state);
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        assert_int_equal(mkdir(cli_path(folders[k]), 0777), 0);
    path = cli_path("build/rocm/0/root/bin/toy");
    write_file(path, program, sizeof program - 1);
    assert_int_equal(chmod(path, 0755), 0);
    char *tool = realpath(cli_tool(), NULL);
    assert_int_equal(symlink(tool, cli_path("build/gcnsim")), 0);
    free(tool);
    setenv("WORLD_JOBS", "1", 1);
    return 0;
}

static void each_case_has_an_outcome(void **state)
{
    (void)state;
    write_parts("");
    struct said s = world(NULL);
    expect_status(&s, 1);
    expect_in(&s, s.out, "FAIL: toy gfx90a functional: Some.fails: failed: of itself / [  FAILED  ] Some.fails");
    expect_in(&s, s.out, "FAIL: toy gfx90a functional: Some.dies: stopped: exit status -11\n");
    expect_in(&s, s.out, "toy gfx90a functional: 1 failed, 3 passed, 1 skipped, 1 stopped; ");
    expect_in(&s, s.out, "toy gfx90a timing: 1 passed, 1 skipped; ");
    said_free(&s);
    expect_runs("Some.passes functional\nSome.fails functional\nSome.dies functional\nAll/More.after/0 functional\n"
                "All/More.skips functional\nAll/More.a-b functional\nSome.passes timing\nAll/More.skips timing\n");
}

static void runs_only_what_is_left(void **state)
{
    (void)state;
    write_parts(", known={'gfx90a *.dies': 'it was told to', 'gfx9?a Some.f*': 'so was this'}");
    struct said s = world(NULL);
    expect_status(&s, 0);
    assert_null(strstr(s.out, "FAIL"));
    expect_in(&s, s.out, "1 failed, 3 passed, 1 skipped, 1 stopped; ");
    said_free(&s);
    expect_runs("Some.fails functional\nSome.dies functional\n");
}

static void makes_the_table(void **state)
{
    (void)state;
    struct said s = world("--table");
    expect_status(&s, 0);
    expect_in(&s, s.out, "|  | toy | gfx90a | functional | 6 of 6 | 3 | 1 | 1 | 1 | ");
    expect_in(&s, s.out, "\n| toy | gfx90a | functional | Some.dies | stopped | it was told to |\n");
    said_free(&s);
}

static void ends_the_silent(void **state)
{
    (void)state;
    write_parts(", choose=('*.silent',)");
    char *text = NULL;
    size_t bytes;
    const char *path = cli_path("build/rocm/0/root/bin/toy");
    text = read_whole(path, &bytes);
    char *list = strstr(text, "DISABLED_never");
    assert_non_null(list);
    memcpy(list, "silent\\n      ", 14);
    write_file(path, text, bytes);
    free(text);
    setenv("WORLD_SILENCE", "1", 1); /* it waits for more than anybody's patience */
    struct said s = world(NULL);
    unsetenv("WORLD_SILENCE");
    expect_status(&s, 1);
    expect_in(&s, s.out, "FAIL: toy gfx90a functional: All/More.silent: stopped: exit status -9; said nothing for 1 s");
    said_free(&s);
}

/* Asked to stop while a program goes on printing, it stops, reports no failure of what it did not run, and forgets
 * nothing that it knew. */
static void stops_when_told(void **state)
{
    static const char *const when[] = {"listing", "running"};
    char began[PATH_MAX];

    (void)state;
    write_parts("");
    snprintf(began, sizeof began, "%s", cli_path("build/rocm/0/root/bin/began"));
    assert_int_equal(mkfifo(began, 0600), 0);
    setenv("WORLD_AGAIN", "1", 1);
    for (size_t k = 0; k < sizeof when / sizeof *when; k++) {
        setenv("TOY_CHATS", when[k], 1);
        pid_t pid = start_world(NULL);
        int fd = open(began, O_RDONLY); /* waits for the program */
        assert_true(fd >= 0);
        assert_int_equal(kill(pid, SIGTERM), 0);
        struct said s = cli_finish(pid);
        close(fd);
        expect_status(&s, 130);
        assert_null(strstr(s.out, "--gtest"));
        expect_in(&s, s.out, "toy gfx90a functional: 1 failed, 3 passed, 1 skipped, 1 stopped; ");
        said_free(&s);
        s = world("--table");
        expect_in(&s, s.out, "| gfx90a | functional | 6 of 6 | 3 | 1 | 1 | 1 | ");
        said_free(&s);
    }
    unsetenv("TOY_CHATS");
    unsetenv("WORLD_AGAIN");
}

static void refuses_unknown_parts(void **state)
{
    (void)state;
    setenv("WORLD_PARTS", "toy boy", 1);
    struct said s = world(NULL);
    unsetenv("WORLD_PARTS");
    expect_status(&s, 2);
    expect_in(&s, s.err, "WORLD_PARTS: no part boy; there are toy\n");
    said_free(&s);
}

/* The models and the extrapolation of `make accuracy-llama`, with a program in the place of gcnsim. */
static void llama_rates(void **state)
{
    (void)state;
    assert_int_equal(mkdir(cli_path("llama"), 0777), 0);
    struct said s =
        cli_finish(cli_start_program((const char *[]){"python3", "tests/rocm/test_llama.py", cli_path("llama"), NULL}));
    expect_status(&s, 0);
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_case_has_an_outcome),
        cmocka_unit_test(runs_only_what_is_left),
        cmocka_unit_test(makes_the_table),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(ends_the_silent),
        cmocka_unit_test(refuses_unknown_parts),
        cmocka_unit_test(llama_rates),
    };

    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
