/* A tool that is linked with archives loads cJSON: when JSON is read, from the system, and for itself alone. */
#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/gfx1201/"
#define NO_JSON                                                                                                        \
    "run", SAMPLES "vecadd.co", "--kernel", "vecadd", "--grid", "64", "--workgroup", "64", "--quiet", "--set",         \
        "cu.simds=4", "--arg", "buf:256", "--arg", "buf:256", "--arg", "buf:256", "--arg", "u32:64"

/* Whether it is: one that is linked with shared libraries says which. */
static bool loads(void)
{
    char command[CLI_PATH + 64], line[4096];
    bool named = false;

    snprintf(command, sizeof command, "LC_ALL=C readelf -d '%s'", cli_tool());
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        named |= strstr(line, "libcjson") || strstr(line, "libgcnsim");
    assert_int_equal(pclose(f), 0);
    return !named;
}

#define NEED_LOADED()                                                                                                  \
    do {                                                                                                               \
        if (!loads()) {                                                                                                \
            print_message("skipped: the tool is linked with shared libraries\n");                                      \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

static const char *profile(void)
{
    static char path[CLI_PATH + 64];
    FILE *f = fopen(cli_path("mine.json"), "w");

    assert_non_null(f);
    fputs("{\"extends\": \"gfx90a-mi210\", \"chip\": \"mine\"}\n", f);
    assert_int_equal(fclose(f), 0);
    snprintf(path, sizeof path, "%s", cli_path("mine.json"));
    return path;
}

/* What holds no JSON runs without the library, and what does says what is missing. */
static void missing(void **state)
{
    char want[2 * CLI_PATH];
    const char *file = profile();

    (void)state;
    NEED_LOADED();
    fclose(fopen(cli_path("libcjson.so.1"), "w"));
    setenv("LD_LIBRARY_PATH", cli_dir, 1);
    struct said s = RUN(NO_JSON);
    expect_status(&s, 0);
    assert_string_equal(s.err, "");
    said_free(&s);
    s = RUN("arch", "show", file);
    unsetenv("LD_LIBRARY_PATH");
    expect_status(&s, 2);
    snprintf(want, sizeof want,
             "gcnsim: %s: JSON is read by libcjson, which cannot be opened (Debian: libcjson1): %s/libcjson.so.1: file "
             "too short\n",
             file, cli_dir);
    assert_string_equal(s.err, want);
    said_free(&s);
}

/* A program may have a cJSON of its own, under whose names the loaded one is not looked for. */
static void not_the_programs_own(void **state)
{
    char other[CLI_PATH + 64];
    const char *file = profile();

    (void)state;
    NEED_LOADED();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("skipped: a sanitizer's library has to come first\n");
    skip();
#endif
    snprintf(other, sizeof other, "%s", cli_tool());
    snprintf(strrchr(other, '/'), 40, "/tests/support/other_cjson.so");
    assert_int_equal(access(other, R_OK), 0);
    setenv("LD_PRELOAD", other, 1);
    struct said s = RUN("arch", "show", file);
    unsetenv("LD_PRELOAD");
    expect_status(&s, 0);
    assert_string_equal(s.err, "");
    expect_in(&s, s.out, "mine");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing),
        cmocka_unit_test(not_the_programs_own),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
