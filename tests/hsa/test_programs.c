/* Programs of tests/hsa/programs that check their results themselves. */
#define _GNU_SOURCE
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

static const char *program(const char *name)
{
    static char path[CLI_PATH];
    char source[CLI_PATH];

    snprintf(path, sizeof path, "%s", cli_path(name));
    if (access(path, X_OK) == 0)
        return path;
    snprintf(source, sizeof source, "tests/hsa/programs/%s.cpp", name);
    int status = spawn_tool(
        (const char *const[]){"hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030", source, "-o", path, NULL},
        cli_path("log"));
    assert_int_equal(status, 0);
    return path;
}

static void expect_good(const char *name)
{
    static const char *const targets[] = {"gfx90a", "gfx1030"};

    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--no-summary", "--arch", targets[k], program(name));
        expect_status(&s, 0);
        assert_string_equal(s.out, "good\n");
        assert_string_equal(s.err, "");
        said_free(&s);
    }
}

static void memory_with_a_pitch(void **state)
{
    (void)state;
    NEED_HIP();
    expect_good("pitch");
}

/* Two code objects for each target, and one kernel that both have. */
static void several_source_files(void **state)
{
    char object[2][CLI_PATH], path[CLI_PATH];
    (void)state;

    NEED_HIP();
    for (unsigned k = 0; k < 2; k++) {
        snprintf(object[k], sizeof object[k], "%s", cli_path(k ? "unit1.o" : "unit0.o"));
        assert_int_equal(spawn_tool((const char *const[]){"hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030",
                                                          k ? "-DUNIT=1" : "-DUNIT=0", "-c",
                                                          "tests/hsa/programs/units.cpp", "-o", object[k], NULL},
                                    cli_path("log")),
                         0);
    }
    snprintf(path, sizeof path, "%s", cli_path("units"));
    assert_int_equal(spawn_tool((const char *const[]){"hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030",
                                                      object[0], object[1], "-o", path, NULL},
                                cli_path("log")),
                     0);
    expect_good("units");
    struct said s = RUN("info", path);
    expect_in(&s, s.out, ": 4 code objects; --index N or --kernel NAME shows one\n");
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_with_a_pitch),
        cmocka_unit_test(several_source_files),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
