/* Makes a test program usable by hand: linked into every one of them, it finds the tool under test beside the program
 * when GCNSIM does not name one, and runs only the cases whose name matches GCNSIM_CASE (a shell pattern;
 * '@(one|other)' is two).
 *
 * The linker's --wrap sends each call of _cmocka_run_group_tests here (tests/tests.mk), so that no program has to know.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef int run_group(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown);
run_group __real__cmocka_run_group_tests, __wrap__cmocka_run_group_tests;

/* BUILD/tests/FOLDER/test_X is the program, BUILD/gcnsim the tool. */
static void __attribute__((constructor)) find_tool(void)
{
    static const char folder[] = "/tests/";
    char path[4096];
    char *last = NULL;

    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "/gcnsim");
    if (getenv("GCNSIM") || length <= 0)
        return;
    path[length] = 0;
    for (char *at = path; (at = strstr(at, folder)) != NULL; at++)
        last = at;
    if (!last)
        return;
    strcpy(last, "/gcnsim");
    if (access(path, X_OK) == 0)
        setenv("GCNSIM", path, 0);
}

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const char *pattern = getenv("GCNSIM_CASE");
    size_t chosen = 0;

    if (!pattern || !*pattern)
        return __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
    struct CMUnitTest *some = calloc(count, sizeof *some);
    if (!some)
        abort();
    for (size_t i = 0; i < count; i++)
        if (fnmatch(pattern, tests[i].name, FNM_EXTMATCH) == 0)
            some[chosen++] = tests[i];
    int failed = 1;
    if (chosen) {
        failed = __real__cmocka_run_group_tests(group, some, chosen, setup, teardown);
    } else {
        fprintf(stderr, "no case of %s matches '%s'; its cases are\n", program_invocation_short_name, pattern);
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, "    %s\n", tests[i].name);
    }
    free(some);
    return failed;
}
