/* The Python package: its own tests pass, what is written from the headers is what a compiler makes of them, and no
 * misuse ends the process. Skipped where Debian's python3 or its NumPy is missing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "tests/system/cli_run.h"
#include "tests/unit/api/released/layout.h"

#define PYTHON "/usr/bin/python3"

/* A library under a sanitizer wants the sanitizer's runtime in the program before all others: false where there is
 * none. */
static bool preload_sanitizer(void)
{
#ifdef __SANITIZE_ADDRESS__
    char path[CLI_PATH] = "";
#ifdef __clang__
    const char command[] = "clang-%d -print-file-name=libclang_rt.asan-x86_64.so";
    const int version = __clang_major__;
#else
    const char command[] = "gcc-%d -print-file-name=libasan.so";
    const int version = __GNUC__;
#endif
    char whole[120];

    snprintf(whole, sizeof whole, command, version);
    FILE *f = popen(whole, "r");
    bool there = f && fgets(path, sizeof path, f) && path[0] == '/';
    if (f)
        pclose(f);
    path[strcspn(path, "\n")] = 0;
    setenv("LD_PRELOAD", path, 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 1); /* Python keeps much to its end */
    setenv("PYTHONMALLOC", "malloc", 1);
    return there;
#else
    return true;
#endif
}

/* For make check: a library under AddressSanitizer, and more of what takes its time. */
#ifdef __SANITIZE_ADDRESS__
enum { MISUSE_RUNS = 300 };
#else
enum { MISUSE_RUNS = 4 };
#endif

static void need_python(void)
{
    char library[CLI_PATH];
    char *slash;

    if (system(PYTHON " -c 'import numpy' 2>/dev/null") != 0) {
        print_message("skipped: %s has no NumPy (python3-numpy)\n", PYTHON);
        skip();
    }
    snprintf(library, sizeof library - 32, "%s", cli_tool());
    slash = strrchr(library, '/');
    strcpy(slash ? slash + 1 : library, "libgcnsim.so");
    setenv("GCNSIM_LIBRARY", library, 1);
    strcpy(strrchr(library, '/') ? strrchr(library, '/') + 1 : library, "python");
    setenv("GCNSIM_PYTHON", library, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

/* The status of a command of Python's, which has the sanitizer's runtime if need be. */
static int python(const char *command)
{
    char *old = getenv("LD_PRELOAD") ? strdup(getenv("LD_PRELOAD")) : NULL;
    bool there = preload_sanitizer();
    int status = there ? system(command) : 0;

    if (old)
        setenv("LD_PRELOAD", old, 1);
    else
        unsetenv("LD_PRELOAD");
    free(old);
    if (!there) {
        print_message("skipped: the compiler has no shared runtime of AddressSanitizer\n");
        skip();
    }
    return status;
}

static void the_package_passes_its_tests(void **state)
{
    (void)state;
    need_python();
    assert_int_equal(python(PYTHON " -W error tests/python/test_gcnsim.py 2>&1"), 0);
}

/* What the compiler says about the headers, against gcnsim.capi. */
static void capi_is_the_headers(void **state)
{
    FILE *facts = fopen(cli_path("facts"), "w");

    (void)state;
    need_python();
    assert_non_null(facts);
    assert_true(layout_of_header("sim/api/gcnsim*.h", "sim/api/gcnsim.h", facts));
    assert_int_equal(fclose(facts), 0);
    setenv("GCNSIM_FACTS", cli_path("facts"), 1);
    assert_int_equal(python(PYTHON " -W error tests/python/test_capi.py 2>&1"), 0);
}

/* Wrong values, closed objects and threads: what ends is the call. GCNSIM_MISUSE_SEED and _RUNS choose others. */
static void the_package_survives_misuse(void **state)
{
    const char *seed = getenv("GCNSIM_MISUSE_SEED"), *runs = getenv("GCNSIM_MISUSE_RUNS");
    char command[200], number[20];

    (void)state;
    need_python();
    snprintf(number, sizeof number, "%d", MISUSE_RUNS);
    snprintf(command, sizeof command, PYTHON " tests/python/test_misuse.py --seed %.40s --runs %.40s 2>&1",
             seed ? seed : "1", runs ? runs : number);
    assert_int_equal(python(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_package_passes_its_tests),
                                       cmocka_unit_test(capi_is_the_headers),
                                       cmocka_unit_test(the_package_survives_misuse)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
