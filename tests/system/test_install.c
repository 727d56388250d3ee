/* make install into a folder, and make uninstall: what is there afterwards works, and nothing is left in the end. */
#define _GNU_SOURCE
#include <ftw.h>
#include <glob.h>
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
    int status = spawn_tool(argv, log);
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
        "lib/libgcnsim.so.1",
        "lib/libgcnsim.a",
        "lib/pkgconfig/gcnsim.pc",
        "lib/cmake/gcnsim/gcnsimConfig.cmake",
        "lib/cmake/gcnsim/gcnsimConfigVersion.cmake",
        "share/gcnsim/profiles/gfx90a-mi210.json",
        "share/gcnsim/samples/gfx90a/matmul.json",
        "share/gcnsim/samples/matmul.cl",
        "share/gcnsim/samples/data/f32_a.bin",
        "share/gcnsim/python/pyproject.toml",
        "share/gcnsim/python/gcnsim/capi.pyi",
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

/* What the lists of the packages take is there; their usr/lib/TRIPLET is a plain usr/lib here. */
static void test_debian_lists(void **state)
{
    (void)state;
    static const char *const lists[] = {"debian/gcnsim.install", "debian/gcnsim-doc.install",
                                        "debian/libgcnsim1.install", "debian/libgcnsim-dev.install"};

    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t bytes;
        char *text = read_whole(lists[k], &bytes);
        assert_non_null(text);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            char pattern[2 * CLI_PATH];
            glob_t found;

            assert_int_equal(strncmp(line, "usr/", 4), 0);
            const char *library = strncmp(line, "usr/lib/*/", 10) == 0 ? line + 10 : NULL;
            snprintf(pattern, sizeof pattern, "%s%s", below(library ? "lib/" : ""), library ? library : line + 4);
            if (glob(pattern, 0, NULL, &found) != 0)
                fail_msg("%s: %s is not installed", lists[k], line);
            globfree(&found);
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
    assert_int_equal(spawn_tool((const char *const[]){"cp", "-r", below("share/gcnsim/samples"), samples, NULL}, log),
                     0);
    snprintf(file, sizeof file, "%s/gfx1201/vecadd.json", samples);
    assert_int_equal(spawn_tool((const char *const[]){below("bin/gcnsim"), "run", "--quiet", file, NULL}, log), 0);
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
             "gcnsim._load as l; "
             "print(l.library()._name)' >'%s' 2>&1",
             below("share/gcnsim/python"), cli_path("found"));
    int failed = system(command);
    char *found = read_whole(cli_path("found"), &bytes);
    assert_non_null(found);
    found[strcspn(found, "\n")] = 0;
    if (failed || strcmp(found, below("lib/libgcnsim.so.1")) != 0)
        fail_msg("found %s", found);
    free(found);
}

/* A shell's command in the test's folder has to end with this status; what it said. */
static char *shell(int want, const char *command, ...)
{
    char text[8 * CLI_PATH + 1024], log[CLI_PATH + 64];
    va_list list;
    size_t bytes;

    va_start(list, command);
    vsnprintf(text, sizeof text, command, list);
    va_end(list);
    snprintf(log, sizeof log, "%s", cli_path("log"));
    int status = spawn_tool((const char *const[]){"sh", "-c", text, NULL}, log);
    char *said = read_whole(log, &bytes);
    assert_non_null(said);
    if (status != want)
        fail_msg("%s: status %d\n%s", text, status, said);
    return said;
}

static bool sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

/* pkg-config's flags, below the folder that stands for the root, make a program that runs. */
static void test_pkg_config(void **state)
{
    (void)state;
    if (sanitized()) {
        print_message("skipped: a program without sanitizers cannot load a sanitized library\n");
        skip();
    }
    free(shell(
        0,
        "export PKG_CONFIG_LIBDIR='%s'\":$(pkg-config --variable pc_path pkg-config)\" PKG_CONFIG_SYSROOT_DIR='%s' && "
        "cc -o '%s/embed' docs/examples/embed.c $(pkg-config --cflags --libs gcnsim)",
        below("lib/pkgconfig"), root, cli_dir));
    char *said = shell(0, "LD_LIBRARY_PATH='%s' '%s/embed' traces/samples/gfx90a/vecadd.co", below("lib"), cli_dir);
    assert_non_null(strstr(said, " wave-instructions\n"));
    free(said);
}

/* The example's CMake project, with the shared library and with the archive: both run, and say the same. */
static void test_cmake(void **state)
{
    (void)state;
    if (system("cmake --version >/dev/null 2>&1") != 0) {
        print_message("skipped: no cmake\n");
        skip();
    }
    if (sanitized()) {
        print_message("skipped: a program without sanitizers cannot load a sanitized library\n");
        skip();
    }
    free(shell(0,
               "unset CFLAGS LDFLAGS; cmake -S docs/examples -B '%s/cmake' -DCMAKE_PREFIX_PATH='%s' && "
               "cmake --build '%s/cmake'",
               cli_dir, below("."), cli_dir));
    char *shared = shell(0, "'%s/cmake/embed' traces/samples/gfx90a/vecadd.co", cli_dir);
    char *archive = shell(0, "'%s/cmake/embed-static' traces/samples/gfx90a/vecadd.co", cli_dir);
    assert_non_null(strstr(shared, " wave-instructions\n"));
    assert_string_equal(shared, archive);
    free(shared);
    free(archive);
    free(shell(0, "readelf -d '%s/cmake/embed' | grep 'NEEDED.*libgcnsim.so.1'", cli_dir));
    free(shell(1, "readelf -d '%s/cmake/embed-static' | grep 'NEEDED.*libgcnsim'", cli_dir));
}

/* Which versions and parts a project may ask for. */
static void test_cmake_versions(void **state)
{
    (void)state;
    static const struct {
        const char *wanted;
        const char *said; /* null: found */
    } rows[] = {
        {"0", NULL},
        {"0.1", NULL},
        {"0.1.0 EXACT", NULL},
        {"0.1 COMPONENTS gcnsim static", NULL},
        {"0.1.9", "not accepted"},
        {"0.2", "not accepted"},
        {"0.0", "not accepted"},
        {"1", "not accepted"},
        {"0.1 COMPONENTS fortran", "gcnsim has no component fortran"},
    };

    if (system("cmake --version >/dev/null 2>&1") != 0) {
        print_message("skipped: no cmake\n");
        skip();
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *said =
            shell(rows[k].said ? 1 : 0,
                  "mkdir -p '%s/wanted' && cd '%s/wanted' && rm -rf made && "
                  "printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(gcnsim %s REQUIRED)\n' "
                  ">CMakeLists.txt && cmake -S . -B made -DCMAKE_PREFIX_PATH='%s'",
                  cli_dir, cli_dir, rows[k].wanted, below("."));
        for (char *c = said; (c = strpbrk(c, " \n")); c++) { /* cmake breaks lines where it likes */
            *c = ' ';
            memmove(c + 1, c + 1 + strspn(c + 1, " \n"), strlen(c + 1 + strspn(c + 1, " \n")) + 1);
        }
        if (rows[k].said && !strstr(said, rows[k].said))
            fail_msg("find_package(gcnsim %s): %s", rows[k].wanted, said);
        free(said);
    }
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
        cmocka_unit_test(test_files),          cmocka_unit_test(test_debian_lists),
        cmocka_unit_test(test_samples_run),    cmocka_unit_test(test_python_finds_the_library),
        cmocka_unit_test(test_pkg_config),     cmocka_unit_test(test_cmake),
        cmocka_unit_test(test_cmake_versions), cmocka_unit_test(test_uninstall),
    };
    return cmocka_run_group_tests_name("make install", tests, setup, cli_teardown);
}
