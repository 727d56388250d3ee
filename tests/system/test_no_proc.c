/* gcnsim where /proc is not mounted, as in a bare chroot (no_proc.sh), and that what it needs /proc for says so. */
#include "tests/support/sanitized.h"
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* Runs a case of the script; what it says is in "said". */
static int script(const char *enter, const char *name)
{
    return spawn_tool(
        (const char *const[]){"sh", "tests/system/no_proc.sh", *enter ? enter : name, *enter ? name : NULL, NULL},
        cli_path("said"));
}

static void expect_done(const char *enter, const char *name)
{
    int status = script(enter, name);
    size_t bytes;
    char *said = read_whole(cli_path("said"), &bytes);

    if (status != 0)
        fail_msg("%s: status %d: %s", name, status, said ? said : "");
    free(said);
}

#define NEED_NAMESPACE()                                                                                               \
    do {                                                                                                               \
        if (SANITIZED) {                                                                                               \
            print_message("skipped: the sanitizer itself says that it finds no /proc\n");                              \
            skip();                                                                                                    \
        }                                                                                                              \
        if (script("enter", "nothing") != 0) {                                                                         \
            print_message("skipped: no mount namespace without /proc can be made here (unshare --mount)\n");           \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

static void files(void **state)
{
    (void)state;
    NEED_NAMESPACE();
    expect_done("enter", "files");
}

static void streams(void **state)
{
    (void)state;
    NEED_NAMESPACE();
    expect_done("enter", "streams");
}

static void own_place(void **state)
{
    (void)state;
    NEED_NAMESPACE();
    expect_done("enter", "own_place");
}

static void programs_of_a_sweep(void **state)
{
    char raw[CLI_PATH + 40];

    (void)state;
    NEED_NAMESPACE();
    NEED_CLANG();
    snprintf(raw, sizeof raw, "%.*s/tests/hsa/programs/raw", (int)(strrchr(cli_tool(), '/') - cli_tool()), cli_tool());
    if (access(raw, X_OK) != 0) {
        print_message("skipped: the programs of tests/hsa are not built\n");
        skip();
    }
    expect_done("enter", "programs");
}

static int setup(void **state)
{
    cli_setup(state);
    setenv("GCNSIM", cli_tool(), 1);
    setenv("D", cli_dir, 1);
    return script("", "expected");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(streams),
        cmocka_unit_test(own_place),
        cmocka_unit_test(programs_of_a_sweep),
    };

    return cmocka_run_group_tests_name("no_proc", tests, setup, cli_teardown);
}
