/* Programs on the library: what `gcnsim exec --info` shows of it, and a HIP program by the launcher, by the environment
 * alone, and where it cannot run. */
#define _GNU_SOURCE
#include <libgen.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

static void shows_agents(void **state)
{
    static const char *const words[] = {
        "Agent 1\n",
        "  Device Type:             CPU\n",
        "FLAGS: KERNARG FINE GRAINED\n",
        "Agent 2\n*******\n  Name:                    gfx90a\n",
        "  Marketing Name:          AMD Instinct MI210 (gcnsim)\n",
        "  Device Type:             GPU\n",
        "  Compute Unit:            104(0x68)\n",
        "  Wavefront Size:          64(0x40)\n",
        "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-\n",
        "Agent 3\n*******\n  Name:                    gfx1030\n",
        "      Segment:             GROUP\n      Size:                64(0x40) KB\n",
        "amdgcn-amd-amdhsa--gfx1030\n",
        "*** Done ***\n",
    };
    const char *at;

    (void)state;
    struct said s = RUN("exec", "--info", "--arch", "gfx90a,gfx1030");
    expect_status(&s, 0);
    assert_string_equal(s.err, "");
    at = s.out;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        at = strstr(at, words[k]);
        if (!at) {
            said_show(&s);
            fail_msg("not there, or not in its place: %s", words[k]);
        }
    }
    said_free(&s);
}

static const char vadd[] =
    "#include <hip/hip_runtime.h>\n"
    "#include <cstdio>\n"
    "__global__ void add(const float *a, const float *b, float *c, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }\n"
    "int main()\n"
    "{ int n = 1000, bad = 0; float *a, *b, *c, h[1000];\n"
    "  if (hipMalloc((void **)&a, 4 * n) || hipMalloc((void **)&b, 4 * n) || hipMalloc((void **)&c, 4 * n)) return 3;\n"
    "  for (int i = 0; i < n; i++) h[i] = i;\n"
    "  if (hipMemcpy(a, h, 4 * n, hipMemcpyHostToDevice) || hipMemcpy(b, h, 4 * n, hipMemcpyHostToDevice)) return 4;\n"
    "  add<<<4, 256>>>(a, b, c, n);\n"
    "  if (hipMemcpy(h, c, 4 * n, hipMemcpyDeviceToHost)) return 5;\n"
    "  for (int i = 0; i < n; i++) bad += h[i] != 2 * i;\n"
    "  printf(\"%s\\n\", bad ? \"bad\" : \"good\"); return bad != 0; }\n";

static const char *program(void)
{
    static char path[CLI_PATH];

    if (*path)
        return path;
    write_file(cli_path("vadd.cpp"), vadd, sizeof vadd - 1);
    snprintf(path, sizeof path, "%s", cli_path("vadd"));
    int status = spawn_tool((const char *const[]){"hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030",
                                                  "--offload-arch=gfx803", cli_path("vadd.cpp"), "-o", path, NULL},
                            cli_path("log"));
    assert_int_equal(status, 0);
    return path;
}

static void expect_good(struct said s, const char *in_summary)
{
    expect_status(&s, 0);
    assert_string_equal(s.out, "good\n");
    expect_in(&s, s.err, in_summary);
    said_free(&s);
}

static void a_hip_program_runs(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1030", "gfx803"};

    (void)state;
    NEED_HIP();
    for (size_t k = 0; k < 3; k++) {
        expect_good(RUN("exec", "--arch", targets[k], program()), " by the functional engine");
        expect_good(RUN("exec", "--arch", targets[k], "--engine", "timing", program()), "timing engine");
    }
    /* an archive in the library says that it begins, on the program's standard error */
    setenv("NETTLE_FAT_VERBOSE", "1", 1);
    expect_good(RUN("exec", program()), "libnettle");
    unsetenv("NETTLE_FAT_VERBOSE");
    struct said s = RUN("exec", "--no-summary", "sh", "-c", "\"$0\" && exec \"$0\"", program());
    expect_status(&s, 0);
    assert_string_equal(s.out, "good\ngood\n");
    assert_string_equal(s.err, "");
    said_free(&s);
}

/* A dispatch that reaches a limit is an error of its queue, which a program sees: it does not wait for ever. */
static void limits_end_a_dispatch(void **state)
{
    static const char *const engines[] = {"functional", "timing"}, *const limits[] = {"--max-cycles",
                                                                                      "--max-instructions"};

    (void)state;
    NEED_HIP();
    for (size_t k = 0; k < 2; k++)
        for (size_t e = 0; e < 2; e++) {
            struct said s = RUN("exec", "--engine", engines[e], limits[k], "20", program());

            assert_int_not_equal(s.status, 0);
            expect_in(&s, s.err, "it has reached --max-cycles or --max-instructions");
            expect_in(&s, s.err, "Resident waves");
            said_free(&s);
            expect_good(RUN("exec", "--engine", engines[e], limits[k], "10000000", program()), "engine");
        }
}

/* Microseconds that the summary of one launch of the program has, in its one row. */
static double microseconds(struct said s)
{
    const char *row = strstr(s.err, "gcnsim:  100.0 %");
    double us = 0;

    expect_status(&s, 0);
    assert_non_null(row);
    assert_int_equal(sscanf(row, "gcnsim: %*f %% %*u %lf", &us), 1);
    said_free(&s);
    return us;
}

static void memory_can_be_perfect(void **state)
{
    (void)state;
    NEED_HIP();
    double real = microseconds(RUN("exec", "--engine", "timing", program()));
    assert_true(microseconds(RUN("exec", "--engine", "timing", "--perfect-memory", program())) < 0.9 * real);
}

static void a_program_for_another_gpu_is_told(void **state)
{
    (void)state;
    NEED_HIP();
    struct said s = RUN("exec", "--arch", "gfx906", program());
    assert_int_not_equal(s.status, 0);
    expect_in(&s, s.err, "vadd is built for gfx");
    expect_in(&s, s.err, ", device is gfx906: run with --arch gfx");
    expect_in(&s, s.err, ", or build it with --offload-arch=gfx906\n");
    said_free(&s);
    s = RUN("exec", "--arch", "gfx90a,gfx1030", program());
    assert_null(strstr(s.err, "is built for"));
    said_free(&s);
}

static void the_environment_is_enough(void **state)
{
    char path[CLI_PATH], folder[CLI_PATH + 8], library[CLI_PATH + 40];
    size_t bytes;

    (void)state;
    NEED_HIP();
    snprintf(path, sizeof path, "%s", cli_tool());
    snprintf(folder, sizeof folder, "LD_LIBRARY_PATH=%s/hsa", dirname(path));
    snprintf(library, sizeof library, "LD_PRELOAD=%s/libhsa-runtime64.so.1", folder + strlen("LD_LIBRARY_PATH="));
    assert_int_equal(spawn_tool((const char *const[]){"env", folder, library, "GCNSIM_ARCH=gfx1030", program(), NULL},
                                cli_path("log")),
                     0);
    char *log = read_whole(cli_path("log"), &bytes);
    assert_non_null(strstr(log, "good\n"));
    free(log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_agents),
        cmocka_unit_test(a_hip_program_runs),
        cmocka_unit_test(limits_end_a_dispatch),
        cmocka_unit_test(memory_can_be_perfect),
        cmocka_unit_test(a_program_for_another_gpu_is_told),
        cmocka_unit_test(the_environment_is_enough),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
