/* make install into a folder, and make uninstall: what is there afterwards works, and nothing is left in the end. */
#define _GNU_SOURCE
#include <ftw.h>
#include <libgen.h>

#include "tests/system/cli_run.h"

static char root[CLI_PATH + 64]; /* DESTDIR */

/* make with a goal, on the build that the tool is of. */
static void run_make(const char *goal)
{
    char build[CLI_PATH], option[4][CLI_PATH + 128], log[CLI_PATH + 64], library[CLI_PATH + 64];
    const char *argv[] = {"make", "-s", goal, option[0], option[1], option[2], NULL, NULL};
    size_t bytes;

    snprintf(build, sizeof build, "%s", cli_tool());
    snprintf(option[0], sizeof option[0], "BUILD=%s", dirname(build));
    snprintf(option[1], sizeof option[1], "DESTDIR=%s", root);
    snprintf(option[2], sizeof option[2], "PREFIX=/usr");
    snprintf(library, sizeof library, "%s/hsa/libhsa-runtime64.so.1", build);
    if (access(library, R_OK) != 0) /* not built here */
        argv[6] = "HSA_LIB=";
    snprintf(log, sizeof log, "%s", cli_path("log"));
    unsetenv("MAKEFLAGS"); /* of a make that runs this test */
    unsetenv("MAKELEVEL");
    int status = spawn_tool(argv, log, CLI_SECONDS);
    if (status != 0) {
        char *said = read_whole(log, &bytes);
        print_error("make %s: status %d\n%s\n", goal, status, said ? said : "");
        fail();
    }
}

static const char *below(const char *path)
{
    static char whole[4][CLI_PATH + 256];
    static unsigned next;
    char *p = whole[next++ % 4];

    snprintf(p, sizeof whole[0], "%s/usr/%s", root, path);
    return p;
}

static void test_files(void **state)
{
    (void)state;
    static const char *const files[] = {
        "bin/gcnsim",
        "include/gcnsim.h",
        "include/gcnsim_launch.h",
        "include/gcnsim_views.h",
        "lib/libgcnsim.so",
        "lib/libgcnsim.so.0",
        "lib/libgcnsim.a",
        "lib/pkgconfig/gcnsim.pc",
        "share/gcnsim/profiles/gfx90a-mi210.json",
        "share/gcnsim/samples/gfx90a/matmul.json",
        "share/gcnsim/samples/matmul.cl",
        "share/gcnsim/samples/data/f32_a.bin",
        "share/gcnsim/python/pyproject.toml",
        "share/doc/gcnsim/README.md",
        "share/doc/gcnsim/docs/LAUNCH_FILES.md",
        "share/doc/gcnsim/docs/examples/embed.c",
        "share/doc/gcnsim/traces/samples/gfx90a/matmul.json", /* where README.md's links lead */
        "share/man/man1/gcnsim.1",
        "share/man/man1/gcnsim-run.1",
        "share/bash-completion/completions/gcnsim",
        "share/zsh/vendor-completions/_gcnsim",
        "share/fish/vendor_completions.d/gcnsim.fish",
    };

    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (access(below(files[k]), R_OK) != 0)
            fail_msg("%s is not installed", below(files[k]));
}

/* What the lists of the packages take is there. */
static void test_debian_lists(void **state)
{
    (void)state;
    static const char *const lists[] = {"debian/gcnsim.install", "debian/libgcnsim0.install",
                                        "debian/libgcnsim-dev.install"};

    for (size_t k = 0; k < 3; k++) {
        size_t bytes;
        char *text = read_whole(lists[k], &bytes);
        assert_non_null(text);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            line[strcspn(line, "*")] = 0;
            if (line[strlen(line) - 1] == '.') /* libgcnsim.so.* */
                line[strlen(line) - 1] = 0;
            assert_int_equal(strncmp(line, "usr/", 4), 0);
            if (strcmp(line, "usr/lib/gcnsim") != 0 && access(below(line + 4), R_OK) != 0)
                fail_msg("%s: %s is not installed", lists[k], line);
        }
        free(text);
    }
}

/* A copy of the samples runs with the tool as it is installed, and finds a place for its results. */
static void test_samples_run(void **state)
{
    (void)state;
    char samples[CLI_PATH + 64], file[CLI_PATH + 128], log[CLI_PATH + 64];

    snprintf(samples, sizeof samples, "%s", cli_path("samples"));
    snprintf(log, sizeof log, "%s", cli_path("log"));
    assert_int_equal(
        spawn_tool((const char *const[]){"cp", "-r", below("share/gcnsim/samples"), samples, NULL}, log, CLI_SECONDS),
        0);
    snprintf(file, sizeof file, "%s/gfx1201/vecadd.json", samples);
    assert_int_equal(
        spawn_tool((const char *const[]){below("bin/gcnsim"), "run", "--quiet", file, NULL}, log, CLI_SECONDS), 0);
    snprintf(file, sizeof file, "%s/out/vecadd.bin", samples);
    assert_int_equal(access(file, R_OK), 0);
}

/* The Python package finds the library of its own prefix, also where the linker's cache does not know it. */
static void test_python_finds_the_library(void **state)
{
    (void)state;
    char command[4 * CLI_PATH + 512];
    size_t bytes;

#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: Python cannot load a sanitized library\n");
    skip();
#endif
    if (system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") != 0) {
        print_message("skipped: /usr/bin/python3 has no NumPy (python3-numpy)\n");
        skip();
    }
    snprintf(command, sizeof command,
             "env -u GCNSIM_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='%s' /usr/bin/python3 -c 'import "
             "gcnsim._library as l; "
             "print(l.library()._name)' >'%s' 2>&1",
             below("share/gcnsim/python"), cli_path("found"));
    int failed = system(command);
    char *found = read_whole(cli_path("found"), &bytes);
    assert_non_null(found);
    found[strcspn(found, "\n")] = 0;
    if (failed || strcmp(found, below("lib/libgcnsim.so.0")) != 0)
        fail_msg("found %s", found);
    free(found);
}

static int left;

static int count_left(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)at;
    if (type != FTW_D && type != FTW_DP) {
        print_error("left behind: %s\n", path);
        left++;
    }
    return 0;
}

static void test_uninstall(void **state)
{
    (void)state;
    run_make("uninstall");
    assert_int_equal(nftw(root, count_left, 16, FTW_PHYS), 0);
    assert_int_equal(left, 0);
}

static int setup(void **state)
{
    cli_setup(state);
    snprintf(root, sizeof root, "%s/root", cli_dir);
    run_make("install-files");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),       cmocka_unit_test(test_debian_lists),
        cmocka_unit_test(test_samples_run), cmocka_unit_test(test_python_finds_the_library),
        cmocka_unit_test(test_uninstall),
    };
    return cmocka_run_group_tests_name("make install", tests, setup, cli_teardown);
}
