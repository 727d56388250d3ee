/* Makes a test program usable by hand: linked into every one of them, it finds the tool under test beside the program
 * when GCNSIM does not name one, and runs only the cases whose name matches GCNSIM_CASE (a shell pattern;
 * '@(one|other)' is two). Any file that it leaves in its folder for temporary files is removed when it ends.
 *
 * The linker's --wrap sends each call of _cmocka_run_group_tests here (tests/tests.mk), so that no program has to know.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/proc.h"

typedef int run_group(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown);
run_group __real__cmocka_run_group_tests, __wrap__cmocka_run_group_tests;

/* BUILD/tests/FOLDER/test_X is the program, BUILD/gcnsim the tool. */
static void __attribute__((constructor)) find_tool(void)
{
    static const char folder[] = "/tests/";
    char path[4096];
    char *last = NULL;

    if (getenv("GCNSIM") || !own_program(path, sizeof path - sizeof "/gcnsim"))
        return;
    for (char *at = path; (at = strstr(at, folder)) != NULL; at++)
        last = at;
    if (!last)
        return;
    strcpy(last, "/gcnsim");
    if (access(path, X_OK) == 0)
        setenv("GCNSIM", path, 0);
}

/* ---- the program's folder ---- */

static char own_folder[4096];
static pid_t owner; /* not a process that it forks */

const char *program_folder(void)
{
    return own_folder;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

static void __attribute__((destructor)) remove_folder(void)
{
    if (own_folder[0] && getpid() == owner)
        nftw(own_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Nothing but what a signal handler may call. */
static void on_stop(int number)
{
    pid_t child = getpid() == owner ? fork() : -1;

    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", "--", own_folder, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    signal(number, SIG_DFL);
    raise(number);
}

static void __attribute__((constructor)) make_folder(void)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    const char *tmp = getenv("TMPDIR");

    snprintf(own_folder, sizeof own_folder, "%s/gcnsim-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    /* others may pass through it, for tests that write a file as another user */
    if (!mkdtemp(own_folder) || chmod(own_folder, 0711) || setenv("TMPDIR", own_folder, 1)) {
        perror(own_folder);
        exit(1);
    }
    owner = getpid();
    for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++)
        if (signal(stops[k], on_stop) == SIG_IGN)
            signal(stops[k], SIG_IGN);
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
