/* Names of kernels and source files that would command a terminal: whatever shows them, on a terminal and with colours,
 * they arrive there as question marks (SECURITY.md, promise 7).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <termios.h>

#include "tests/hsa/exec_run.h"

static const char title[] = "k?]0;owned???"; /* ... as it is to be shown */

/* The program on a terminal of its own, with its output; the caller frees it. *status: its exit status. */
static char *on_terminal(const char *const args[], int *status)
{
    const char *argv[CLI_ARGS + 2] = {cli_tool()};
    posix_spawn_file_actions_t fa;
    size_t bytes = 0, room = 1 << 16;
    char *text = malloc(room), name[64];
    struct termios raw;
    ssize_t n;
    pid_t pid;

    assert_non_null(text);
    for (size_t k = 0; args[k]; k++) {
        assert_true(k < CLI_ARGS);
        argv[k + 1] = args[k];
    }
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0 && !grantpt(master) && !unlockpt(master) && !ptsname_r(master, name, sizeof name));
    int slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(slave >= 0 && !tcgetattr(slave, &raw));
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);
    posix_spawn_file_actions_init(&fa);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_adddup2(&fa, slave, fd);
    assert_int_equal(posix_spawn(&pid, argv[0], &fa, NULL, (char *const *)argv, environ), 0);
    posix_spawn_file_actions_destroy(&fa);
    cli_running = pid;
    close(slave);
    while ((n = read(master, text + bytes, room - bytes - 1)) > 0) { /* an error: nobody has the other end any more */
        bytes += (size_t)n;
        if (room - bytes < 4096)
            assert_non_null(text = realloc(text, room *= 2));
    }
    close(master);
    *status = spawn_wait(pid);
    cli_running = 0;
    text[bytes] = 0;
    assert_int_equal(strlen(text), bytes);
    return text;
}

/* What it says has the name, and nothing that a terminal obeys but our own colours. */
static void shows_plainly(int expected, const char *const args[])
{
    int status;
    char *text = on_terminal(args, &status), *p = text;

    if (status != expected)
        fail_msg("gcnsim %s ...: status %d:\n%s", args[0], status, text);
    if (!strstr(text, title))
        fail_msg("gcnsim %s ...: nothing names the kernel:\n%s", args[0], text);
    for (; *p; p++) {
        unsigned char c = (unsigned char)*p;
        size_t colour = c == 0x1b && p[1] == '[' ? strspn(p + 2, "0123456789;") : 0;
        bool own = c == 0x1b && p[1] == '[' && (p[2 + colour] == 'm' || p[2 + colour] == 'K');
        if (own || c == '\n' || c == '\r')
            continue;
        if (c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)p[1] < 0xa0))
            fail_msg("gcnsim %s ...: byte 0x%02x at %zu:\n%.200s", args[0], c, (size_t)(p - text), p);
    }
    free(text);
}

#define SHOWS(STATUS, ...) shows_plainly(STATUS, (const char *[]){__VA_ARGS__, NULL})
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
