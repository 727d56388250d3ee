/* Runs $GCNSIM for a test and keeps what it said: stdout and stderr apart, exit status, signal. Header-only, like
 * spawn_tool.h. No shell; every run has a time limit, and a run that does not end is reported as such.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/proc.h"
#include "tests/system/spawn_tool.h"

enum { CLI_SECONDS = 120, CLI_PATH = 4096, CLI_ARGS = 40 };

struct said {
    int status; /* exit status, or a SPAWN_ code */
    char *out, *err;
    size_t out_bytes, err_bytes;
};

static char cli_dir[CLI_PATH];              /* a fresh folder of the test program's own */
static const char *cli_stdin = "/dev/null"; /* what the tool reads */
static pid_t cli_running;                   /* started and not waited for: ends with the tests at the latest; 0: none */

static inline const char *cli_tool(void)
{
    const char *tool = getenv("GCNSIM");
    if (!tool || access(tool, X_OK) != 0) {
        print_error("GCNSIM does not name the tool: %s\n", tool ? tool : "(unset)");
        fail();
    }
    return tool;
}

/* DIR/NAME in one of a few buffers that are used in turn. */
static inline const char *cli_path(const char *name)
{
    static char buffers[8][CLI_PATH + 256];
    static unsigned next;
    char *p = buffers[next++ % 8];
    snprintf(p, sizeof buffers[0], "%s/%s", cli_dir, name);
    return p;
}

static inline void said_free(struct said *s)
{
    free(s->out);
    free(s->err);
    *s = (struct said){0};
}

/* Starts the tool with stdout and stderr in files; -1 when it cannot be started. */
static inline pid_t cli_start(const char *const args[])
{
    const char *argv[CLI_ARGS + 2] = {cli_tool()};
    posix_spawn_file_actions_t fa;
    pid_t pid = -1;

    for (size_t i = 0; args[i]; i++) {
        assert_true(i < CLI_ARGS);
        argv[i + 1] = args[i];
    }
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, cli_stdin, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, cli_path("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&fa, 2, cli_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (posix_spawn(&pid, argv[0], &fa, NULL, (char *const *)argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&fa);
    cli_running = pid > 0 ? pid : 0;
    return pid;
}

/* Waits for it, with a kill after CLI_SECONDS, and collects. */
static inline struct said cli_finish(pid_t pid)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    struct said s = {.status = SPAWN_TIMEOUT};
    int status = 0;

    assert_true(pid > 0);
    for (unsigned naps = 0; naps < CLI_SECONDS * 1000u; naps++) {
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid) {
            s.status = WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_SIGNAL;
            break;
        }
        nanosleep(&nap, NULL);
    }
    if (s.status == SPAWN_TIMEOUT) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    cli_running = 0;
    s.out = read_whole(cli_path("stdout"), &s.out_bytes);
    s.err = read_whole(cli_path("stderr"), &s.err_bytes);
    assert_non_null(s.out);
    assert_non_null(s.err);
    return s;
}

static inline struct said cli_run(const char *const args[])
{
    return cli_finish(cli_start(args));
}

#define RUN(...) cli_run((const char *const[]){__VA_ARGS__, NULL})

static inline void said_show(const struct said *s)
{
    print_error("exit status %d\n--- stdout\n%.2000s\n--- stderr\n%.2000s\n", s->status, s->out, s->err);
}

static inline void expect_status(const struct said *s, int status)
{
    if (s->status != status) {
        said_show(s);
        assert_int_equal(s->status, status);
    }
}

static inline void expect_in(const struct said *s, const char *text, const char *word)
{
    if (!strstr(text, word)) {
        said_show(s);
        print_error("expected to find: %s\n", word);
        fail();
    }
}

/* Bad input: status 2, nothing on stdout, one message of ours that holds the words. */
static inline void expect_refused(struct said s, const char *const words[])
{
    expect_status(&s, 2);
    if (s.out_bytes != 0) {
        said_show(&s);
        fail_msg("output beside an error");
    }
    if (strncmp(s.err, "gcnsim: ", 8) != 0 || !strchr(s.err, '\n')) {
        said_show(&s);
        fail_msg("the message is not \"gcnsim: ...\"");
    }
    for (size_t i = 0; words[i]; i++)
        expect_in(&s, s.err, words[i]);
    said_free(&s);
}

#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline int cli_setup(void **state)
{
    (void)state;
    snprintf(cli_dir, sizeof cli_dir, "%s", program_folder());
    return 0;
}

static inline int cli_teardown(void **state)
{
    (void)state;
    if (cli_running)
        kill(cli_running, SIGKILL);
    return 0;
}

/* Whether the process handles SIGINT by now. */
static inline bool cli_handles_interrupt(pid_t pid)
{
    char path[64], line[256];
    unsigned long long caught = 0;

    NEED_PROC();
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    fclose(f);
    return caught >> (SIGINT - 1) & 1;
}

#endif
