/* Programs under gcnsim exec that have no use for it, or that something is wrong with: what is said, and how they end.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hsa/exec_run.h"

static void no_gpu_program(void **state)
{
    (void)state;
    struct said s = RUN("exec", "--report", cli_path("none.db"), "sh", "-c", "echo output; exit 3");
    expect_status(&s, 3);
    assert_string_equal(s.out, "output\n");
    assert_string_equal(s.err, "");
    said_free(&s);
}

/* The dynamic linker ends what lacks a library; our own before it changes nothing. */
static void missing_library(void **state)
{
    (void)state;
    write_file(cli_path("gone.c"), "int gone(void) { return 7; }\n", 29);
    write_file(cli_path("needs.c"), "int gone(void); int main(void) { return gone(); }\n", 50);
    assert_int_equal(spawn_tool((const char *const[]){"cc", "-shared", "-fPIC", "-o", cli_path("libgone.so.5"),
                                                      "-Wl,-soname,libgone.so.5", cli_path("gone.c"), NULL},
                                cli_path("log")),
                     0);
    assert_int_equal(spawn_tool((const char *const[]){"cc", "-o", cli_path("needs"), cli_path("needs.c"),
                                                      cli_path("libgone.so.5"), NULL},
                                cli_path("log")),
                     0);
    setenv("LD_LIBRARY_PATH", cli_dir, 1);
    struct said s = RUN("exec", cli_path("needs"));
    expect_status(&s, 7);
    said_free(&s);
    unlink(cli_path("libgone.so.5"));
    s = RUN("exec", cli_path("needs"));
    unsetenv("LD_LIBRARY_PATH");
    expect_status(&s, 127);
    expect_in(&s, s.err, "libgone.so.5");
    expect_in(&s, s.err, "cannot open shared object file");
    said_free(&s);
}

/* By the library: raw prints which error the first call gave. */
static void expect_library_refuses(const char *name, const char *value, const char *says)
{
    setenv(name, value, 1);
    struct said s = RUN("exec", hsa_program("raw"), ".", "agents");
    unsetenv(name);
    expect_status(&s, 1);
    expect_in(&s, s.out, "start: ");
    expect_in(&s, s.err, "gcnsim: ");
    expect_in(&s, s.err, says);
    said_free(&s);
}

/* By exec, which reads the variables as the library does, before the program begins. */
static void expect_not_understood(const char *name, const char *value, const char *says)
{
    setenv(name, value, 1);
    struct said s = RUN("exec", hsa_program("raw"), ".", "agents");
    unsetenv(name);
    expect_status(&s, 2);
    assert_string_equal(s.out, "");
    expect_in(&s, s.err, says);
    said_free(&s);
}

/* Variables that a user has set himself. */
static void bad_variables(void **state)
{
    static const struct {
        const char *name, *value, *says;
    } cases[] = {
        {"GCNSIM_ENGINE", "fast", "GCNSIM_ENGINE"},
        {"GCNSIM_THREADS", "-1", "GCNSIM_THREADS"},
        {"GCNSIM_MAX_WALL", "soon", "GCNSIM_MAX_WALL"},
        {"GCNSIM_SET", "cu.sims=4", "cu.sims"},
        {"GCNSIM_SLACK", "some", "GCNSIM_SLACK"},
        {"GCNSIM_THREADS", "1.5", "GCNSIM_THREADS is '1.5'; expected a whole number from 0 to 1024"},
        {"GCNSIM_TRACE_SIZE", "1.5", "GCNSIM_TRACE_SIZE is '1.5'; expected a whole number of bytes from 1 on"},
        {"GCNSIM_TRACE_SIZE", "4e6", "GCNSIM_TRACE_SIZE is '4e6'; expected a whole number of bytes from 1 on"},
        {"GCNSIM_OF", "k,99999999999999999999", "GCNSIM_OF is 'k,99999999999999999999'; expected KERNEL or KERNEL,N"},
    };
    static const struct {
        const char *name, *value, *says;
    } of_library[] = {
        {"GCNSIM_REPORT", "/nowhere/r.db", "/nowhere"},
        {"GCNSIM_CSV_COUNTERS", "/nowhere/x", "GCNSIM_CSV_COUNTERS: /nowhere/x cannot be written"},
        {"GCNSIM_JSON", "/nowhere/x", "GCNSIM_JSON: /nowhere/x cannot be written"},
    };
    static const struct {
        const char *name, *value, *says;
    } of_timing[] = {
        {"GCNSIM_SAMPLES", "0", "GCNSIM_SAMPLES is '0'; expected a whole number from 1 on"},
        {"GCNSIM_EXPLAIN", ",,", "GCNSIM_EXPLAIN is ',,'; expected KERNEL or KERNEL,N with N from 1 on"},
        {"GCNSIM_KERNELS", "(", "GCNSIM_KERNELS is '('"},
        {"GCNSIM_DISPATCHES", "1-99999999999999999999", "GCNSIM_DISPATCHES is '1-99999999999999999999'"},
    };
    static const char *const engines[] = {"functional", "timing"};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t e = 0; e < 2; e++) {
            setenv("GCNSIM_ENGINE", engines[e], 1);
            expect_not_understood(cases[k].name, cases[k].value, cases[k].says);
        }
    for (size_t k = 0; k < sizeof of_library / sizeof *of_library; k++)
        expect_library_refuses(of_library[k].name, of_library[k].value, of_library[k].says);
    for (size_t k = 0; k < sizeof of_timing / sizeof *of_timing; k++)
        expect_not_understood(of_timing[k].name, of_timing[k].value, of_timing[k].says);
    unsetenv("GCNSIM_ENGINE");
    setenv("GCNSIM_ARCH", "gfx90b", 1);
    struct said s = RUN("exec", hsa_program("raw"), ".", "agents");
    unsetenv("GCNSIM_ARCH");
    assert_int_not_equal(s.status, 0);
    expect_in(&s, s.err, "gfx90b: no such profile");
    said_free(&s);
}

static void built_for_another_target(void **state)
{
    static const char *const devices[] = {"gfx906", "gfx1201"}; /* the language runtime knows the first alone */
    char want[128];

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--arch", devices[k], hsa_program("feature"), "lds");
        assert_int_not_equal(s.status, 0);
        expect_in(&s, s.err, "gcnsim: feature is built for ");
        snprintf(want, sizeof want, ", device is %s: run with --arch gfx1030, or build it with --offload-arch=%s\n",
                 devices[k], devices[k]);
        expect_in(&s, s.err, want);
        said_free(&s);
    }
}

/* HIP and OpenMP in one process, with memory that both use. */
static void two_language_runtimes(void **state)
{
    static const char *const engines[] = {"functional", "timing"};

    (void)state;
    if (!hsa_program("both"))
        NEED_HIP();
    NEED_PROGRAM(TOOLCHAIN_OPENMP, "both");
    set_openmp_path();
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--engine", engines[k], hsa_program("both"));
        expect_status(&s, 0);
        assert_string_equal(s.out, "0 wrong\n");
        expect_in(&s, s.err, "__omp_offloading_");
        said_free(&s);
    }
    unsetenv("LD_LIBRARY_PATH");
}

/* The distribution's own HSA runtime, opened by its path beside ours, finds no GPU and harms nobody. */
static void two_hsa_runtimes(void **state)
{
    static const char path[] = "/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1";

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_CLANG, "kernels.gfx90a.co");
    if (access(path, R_OK) != 0) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    char folder[CLI_PATH];
    snprintf(folder, sizeof folder, "%s", hsa_program("raw"));
    struct said s = RUN("exec", "--no-summary", hsa_program("raw"), dirname(folder), path, "dispatches");
    expect_status(&s, 0);
    expect_in(&s, s.out, "libhsa-runtime64.so.1: ok\ndispatches: ok\n");
    said_free(&s);
}

/* libamdhip64 5.2.3 knows no GPU that is newer than gfx1035. */
static void a_gpu_that_the_runtime_does_not_know(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "devices");
    struct said s = RUN("exec", "--arch", "gfx1201", "--no-summary", hsa_program("devices"));
    if (strstr(s.out, "hipSuccess")) {
        said_free(&s);
        print_message("SKIPPED: the HIP runtime knows gfx1201\n");
        skip();
    }
    expect_status(&s, 1);
    expect_in(&s, s.out, "hipErrorNoDevice");
    expect_in(&s, s.err, "does not know gfx1201, so it is told of no such GPU");
    said_free(&s);
    /* the other one is there */
    s = RUN("exec", "--arch", "gfx1201,gfx90a", "--no-summary", hsa_program("devices"));
    expect_status(&s, 0);
    expect_in(&s, s.out, "hipSuccess, 1 devices\nhipSuccess\n");
    expect_in(&s, s.err, "does not know gfx1201");
    said_free(&s);
}

/* Messages that their file does not take: the program's end says so. */
static void a_log_that_takes_nothing(void **state)
{
    const char *program = hsa_program("foreign");

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "foreign");
    struct said s = RUN("exec", "--log", "/dev/full", program);
    expect_status(&s, 3);
    expect_in(&s, s.err, "gcnsim: GCNSIM_LOG: messages are missing: No space left on device\n");
    said_free(&s);
    s = RUN("exec", "--log", cli_path("log"), program);
    expect_status(&s, 0);
    assert_string_equal(s.err, "");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_that_takes_nothing),
        cmocka_unit_test(a_gpu_that_the_runtime_does_not_know),
        cmocka_unit_test(no_gpu_program),
        cmocka_unit_test(missing_library),
        cmocka_unit_test(bad_variables),
        cmocka_unit_test(built_for_another_target),
        cmocka_unit_test(two_language_runtimes),
        cmocka_unit_test(two_hsa_runtimes),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
