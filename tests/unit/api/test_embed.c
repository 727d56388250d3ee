/* The public header stands alone in C and C++, and the example of docs/API.md compiles, links and runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/sanitized.h"
#include "tests/system/spawn_tool.h"

#define EXAMPLE "docs/examples/embed.c"

struct places {
    char log[4200], program[4200], so[600], rpath[620];
};

static int set_up(void **state)
{
    struct places *p = calloc(1, sizeof *p);
    const char *tool = getenv("GCNSIM");

    if (!p)
        return -1;
    snprintf(p->log, sizeof p->log, "%s/log", program_folder());
    snprintf(p->program, sizeof p->program, "%s/embed", program_folder());
    /* the library stands beside the tool */
    const char *slash = tool ? strrchr(tool, '/') : NULL;
    int n = slash ? (int)(slash - tool) : 0;
    snprintf(p->so, sizeof p->so, "%.*s/libgcnsim.so", n, slash ? tool : "");
    char cwd[300] = "";
    if (!tool || tool[0] == '/' || !getcwd(cwd, sizeof cwd))
        cwd[0] = 0;
    snprintf(p->rpath, sizeof p->rpath, "-Wl,-rpath,%s%s%.*s", cwd, cwd[0] ? "/" : "", n, slash ? tool : "");
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct places *p = *state;

    free(p);
    return 0;
}

/* Fails with the program's output; returns false when it is not there. */
static bool run(const struct places *p, const char *const argv[])
{
    int status = spawn_tool(argv, p->log);

    if (status == SPAWN_FAILED || status == 127)
        return false;
    if (status != 0) {
        size_t n;
        char *text = read_whole(p->log, &n);
        fail_msg("%s: status %d: %s", argv[0], status, text ? text : "");
    }
    return true;
}

static void header_in_c(void **state)
{
    const char *const argv[] = {"cc",      "-std=c99",      "-Wall", "-Wextra", "-Wpedantic",
                                "-Werror", "-fsyntax-only", "-x",    "c",       "sim/api/gcnsim.h",
                                NULL};

    assert_true(run(*state, argv));
}

static void header_in_cxx(void **state)
{
    const char *const argv[] = {"c++",           "-std=c++11", "-Wall", "-Wextra",          "-Werror",
                                "-fsyntax-only", "-x",         "c++",   "sim/api/gcnsim.h", NULL};

    if (!run(*state, argv)) {
        print_message("skip: no C++ compiler\n");
        skip();
    }
}

static void example_compiles(void **state)
{
    const struct places *p = *state;
    const char *const argv[] = {"cc",        "-std=c99", "-Wall", "-Wextra",  "-Wpedantic", "-Werror",
                                "-Isim/api", "-c",       "-o",    p->program, EXAMPLE,      NULL};

    assert_true(run(p, argv));
}

static void example_runs(void **state)
{
    const struct places *p = *state;
    const char *const build[] = {"cc", "-Isim/api", "-o", p->program, EXAMPLE, p->so, p->rpath, NULL};
    static const char *const samples[] = {"traces/samples/gfx803/vecadd.co", "traces/samples/gfx90a/vecadd.co",
                                          "traces/samples/gfx1201/vecadd.co"};

    if (SANITIZED || access(p->so, R_OK) != 0) {
        print_message("skip: %s\n", SANITIZED ? "the library is built with a sanitizer" : "no libgcnsim.so by $GCNSIM");
        skip();
    }
    assert_true(run(p, build));
    for (int i = 0; i < 3; i++) {
        const char *const argv[] = {p->program, samples[i], NULL};
        assert_true(run(p, argv));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(header_in_c, set_up, tear_down),
        cmocka_unit_test_setup_teardown(header_in_cxx, set_up, tear_down),
        cmocka_unit_test_setup_teardown(example_compiles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(example_runs, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("embedding", tests, NULL, NULL);
}
