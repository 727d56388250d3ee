/* A program on a terminal of its own, and whether what it shows there is seen and not obeyed. Header-only; uses
 * tests/system/cli_run.h.
 */
#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

#include <fcntl.h>
#include <string.h>
#include <termios.h>

#include "tests/system/cli_run.h"

/* The tool on a terminal, with its output; the caller frees it. *status: its exit status. */
static inline char *on_terminal(const char *const args[], int *status)
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

/* Bytes of a sequence of our own at p: a colour, or the end of a line that is drawn again. */
static inline size_t terminal_own(const char *p)
{
    size_t n = p[0] == 0x1b && p[1] == '[' ? 2 + strspn(p + 2, "0123456789;") : 0;

    return n && (p[n] == 'm' || p[n] == 'K') ? n + 1 : 0;
}

/* Whether a terminal obeys what is at p: a control character of ASCII or of U+0080 to U+009F; or it turns the direction
 * of text. */
static inline bool terminal_obeys(const char *p)
{
    const unsigned char *c = (const unsigned char *)p;

    if (*c < 0x20 || *c == 0x7f)
        return *c != '\n' && *c != '\r' && *c != '\t';
    return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c) ||
           (c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
           (c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
}

/* It ends with that status, says the word (null: whatever it says), and nothing that a terminal obeys. */
static inline void shows_plainly(int expected, const char *word, const char *const args[])
{
    int status;
    char *text = on_terminal(args, &status);

    if (status != expected)
        fail_msg("gcnsim %s ...: status %d:\n%s", args[0], status, text);
    if (word && !strstr(text, word))
        fail_msg("gcnsim %s %s ...: nothing says %s:\n%s", args[0], args[1], word, text);
    for (const char *p = text; *p;) {
        size_t own = terminal_own(p);

        if (!own && terminal_obeys(p))
            fail_msg("gcnsim %s %s ...: byte 0x%02x at %zu:\n%.200s", args[0], args[1], (unsigned char)*p,
                     (size_t)(p - text), p);
        p += own ? own : 1;
    }
    free(text);
}

#endif
