/* Runs $GCNSIM for a test and keeps what it said: stdout and stderr apart, exit status, signal. Header-only, like
 * spawn_tool.h. No shell, and no time limit but that of tests/run.sh.
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
#include <sys/personality.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/proc.h"
#include "tests/support/watch.h"
#include "tests/system/spawn_tool.h"

enum { CLI_PATH = 4096, CLI_ARGS = 40 };

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

/* Whether the host lets `gcnsim exec` give programs the same addresses in each run. */
static inline bool may_fix_addresses(void)
{
    int now = personality(0xffffffff);
    bool may = now != -1 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1;

    if (may)
        personality((unsigned long)now);
    return may;
}

static inline void said_free(struct said *s)
{
    free(s->out);
    free(s->err);
    *s = (struct said){0};
}

/* Starts a program, looked up in PATH when it has no slash, with stdout and stderr in files of the folder. */
static inline pid_t cli_start_program(const char *const argv[])
{
    posix_spawn_file_actions_t fa;
    pid_t pid = -1;

    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, cli_stdin, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, cli_path("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&fa, 2, cli_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (posix_spawnp(&pid, argv[0], &fa, NULL, (char *const *)argv, environ) != 0)
        fail_msg("%s cannot be started", argv[0]);
    posix_spawn_file_actions_destroy(&fa);
    cli_running = pid;
    return pid;
}

/* Starts the tool in the same way. */
static inline pid_t cli_start(const char *const args[])
{
    const char *argv[CLI_ARGS + 2] = {cli_tool()};

    for (size_t i = 0; args[i]; i++) {
        assert_true(i < CLI_ARGS);
        argv[i + 1] = args[i];
    }
    return cli_start_program(argv);
}

/* Whether the tool's stderr holds what is awaited. */
static inline bool cli_has_said(void *text)
{
    size_t bytes;
    char *err = read_whole(cli_path("stderr"), &bytes);
    bool has = err && strstr(err, text);

    free(err);
    return has;
}

/* Waits until holds(ctx), which looks at what the tool has written to stderr. */
static inline void cli_await(pid_t pid, bool (*holds)(void *ctx), void *ctx)
{
    size_t bytes;

    if (!watch_until(pid, cli_path("stderr"), holds, ctx))
        fail_msg("it ended, and has said: %s", read_whole(cli_path("stderr"), &bytes));
}

static inline void cli_await_text(pid_t pid, const char *text)
{
    cli_await(pid, cli_has_said, (void *)(uintptr_t)text);
}

/* Waits for its end, and collects. */
static inline struct said cli_finish(pid_t pid)
{
    struct said s = {.status = spawn_wait(pid)};

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

#endif
