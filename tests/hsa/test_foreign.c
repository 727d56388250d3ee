/* Names of kernels and source files that would command a terminal: whatever shows them, on a terminal and with colours,
 * they arrive there as question marks (SECURITY.md, promise 7).
 */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"
#include "tests/support/terminal.h"

static const char title[] = "k?]0;owned???"; /* ... as it is to be shown */

#define SHOWS(STATUS, ...) shows_plainly(STATUS, title, (const char *[]){__VA_ARGS__, NULL})
#define LAUNCH             program, "--grid", "64", "--workgroup", "64", "--arg", "buf:4096", "--arg"

static void views_of_exec(void **state)
{
    const char *program = hsa_program("foreign");

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "foreign");
    SHOWS(0, "exec", program);
    SHOWS(0, "exec", "--engine", "timing", "--details", program);
    SHOWS(SPAWN_SIGNAL, "exec", program, "1");
    SHOWS(SPAWN_SIGNAL, "exec", "--engine", "timing", program, "1");
    SHOWS(SPAWN_SIGNAL, "exec", "--check", program, "1");
    SHOWS(0, "exec", "--engine", "timing", "--annotate", "--color", "always", program);
    SHOWS(0, "exec", "--engine", "timing", "--timeline", program);
    SHOWS(0, "exec", "--engine", "timing", "--explain", "owned", program);
    SHOWS(0, "exec", "--engine", "timing", "--sample", "kernels", program);
}

static void views_of_a_launch(void **state)
{
    const char *program = hsa_program("foreign");

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "foreign");
    SHOWS(0, "info", program);
    SHOWS(0, "info", "--fidelity", program);
    SHOWS(0, "disasm", program);
    SHOWS(0, "run", LAUNCH, "i32:1");
    SHOWS(0, "run", LAUNCH, "i32:1", "--details", "--per-instruction", "--json", cli_path("a.json"));
    SHOWS(1, "run", LAUNCH, "i32:7");
    SHOWS(1, "run", LAUNCH, "i32:7", "--engine", "functional", "--check");
    SHOWS(0, "run", LAUNCH, "i32:1", "--timeline");
    SHOWS(0, "annotate", LAUNCH, "i32:1", "--color", "always");
    SHOWS(0, "explain", LAUNCH, "i32:1");
    SHOWS(0, "whatif", LAUNCH, "i32:1", "--sweep", "launch.before_ns=1,2");
    SHOWS(2, "run", LAUNCH, "i32:1", "--kernel", "another");
    SHOWS(0, "run", LAUNCH, "i32:1", "--set", "launch.before_ns=1", "--per-instruction", "--json", cli_path("b.json"));
    SHOWS(0, "diff", cli_path("a.json"), cli_path("b.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(views_of_exec), cmocka_unit_test(views_of_a_launch)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
