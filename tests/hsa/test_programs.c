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
        cli_path("log"), CLI_SECONDS);
    assert_int_equal(status, 0);
    return path;
}

static void expect_good(const char *name)
{
    static const char *const targets[] = {"gfx90a", "gfx1030"};

    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--no-summary", "--max-wall", "60", "--arch", targets[k], program(name));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_with_a_pitch),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
