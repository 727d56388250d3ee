/* Programs that tests/hsa/programs.mk makes, run by gcnsim exec. Header-only. */
#ifndef TESTS_HSA_EXEC_RUN_H
#define TESTS_HSA_EXEC_RUN_H

#include <libgen.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* Its path, in a buffer for each of a few; null: it was not made. */
static inline const char *hsa_program(const char *name)
{
    static char paths[8][CLI_PATH + 64];
    static unsigned next;
    char tool[CLI_PATH], *path = paths[next++ % 8];

    snprintf(tool, sizeof tool, "%s", cli_tool());
    snprintf(path, sizeof paths[0], "%s/tests/hsa/programs/%s", dirname(tool), name);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* Ends the test as skipped where the toolchain of the program is of no use, and as failed where it is and the program
 * is not there all the same. */
#define NEED_PROGRAM(toolchain, name)                                                                                  \
    do {                                                                                                               \
        if (!hsa_program(name)) {                                                                                      \
            NEED_TOOLCHAIN(toolchain);                                                                                 \
            fail_msg("%s is not made", name);                                                                          \
        }                                                                                                              \
    } while (0)

/* The HIP that hipcc compiles for, 502 for 5.2: runtimes differ in what they do by themselves. 0: not known. */
static inline int hip_release(void)
{
    FILE *f = popen("echo HIP_VERSION_MAJOR HIP_VERSION_MINOR | "
                    "hipcc -E -P -x c++ -include hip/hip_version.h - 2>/dev/null | tail -n 1",
                    "r");
    int major = 0, minor = 0;

    assert_non_null(f);
    if (fscanf(f, "%d %d", &major, &minor) != 2)
        major = minor = 0;
    pclose(f);
    return 100 * major + minor;
}

/* Ends the test as skipped where the runtime is not Debian 12's, whose own fault it is about. */
#define NEED_HIP_5_2()                                                                                                 \
    do {                                                                                                               \
        int release_ = hip_release();                                                                                  \
        if (release_ != 502) {                                                                                         \
            print_message("skipped: a fault of HIP 5.2, not of %d.%d\n", release_ / 100, release_ % 100);              \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* Programs find OpenMP's runtimes where the compiler does. */
static inline void set_openmp_path(void)
{
    char folder[CLI_PATH] = "";
    FILE *f = popen("clang-19 -print-file-name=libomptarget.so", "r");

    assert_non_null(f);
    assert_non_null(fgets(folder, sizeof folder, f));
    pclose(f);
    folder[strcspn(folder, "\n")] = 0;
    assert_int_equal(setenv("LD_LIBRARY_PATH", dirname(folder), 1), 0);
}

/* ---- what runs ---- */

/* The tool as it runs, with one of its streams on a pipe: what it says there are the events that tests wait for. */
struct running {
    pid_t pid;
    int stream, pipe; /* stream: 1 or 2 */
    char *text;       /* so far, with a zero after it */
    size_t bytes;
};

static inline struct running exec_start(int stream, const char *const args[])
{
    static const char *const files[] = {"/dev/null", "stdout", "stderr"};
    const char *argv[CLI_ARGS + 2] = {cli_tool()};
    struct running r = {.stream = stream, .text = calloc(1, 1)};
    posix_spawn_file_actions_t fa;
    int ends[2], other = 3 - stream;

    assert_non_null(r.text);
    for (size_t i = 0; args[i]; i++) {
        assert_true(i < CLI_ARGS);
        argv[i + 1] = args[i];
    }
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, files[0], O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&fa, ends[1], stream);
    posix_spawn_file_actions_addopen(&fa, other, cli_path(files[other]), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_int_equal(posix_spawn(&r.pid, argv[0], &fa, NULL, (char *const *)argv, environ), 0);
    posix_spawn_file_actions_destroy(&fa);
    close(ends[1]);
    r.pipe = ends[0];
    cli_running = r.pid;
    return r;
}

/* More of its text; false: it has ended, or closed the stream. */
static inline bool exec_read(struct running *r)
{
    enum { MORE = 4096 };
    ssize_t n;

    r->text = realloc(r->text, r->bytes + MORE + 1);
    assert_non_null(r->text);
    do
        n = read(r->pipe, r->text + r->bytes, MORE);
    while (n < 0 && errno == EINTR);
    assert_true(n >= 0);
    r->bytes += (size_t)n;
    r->text[r->bytes] = 0;
    return n > 0;
}

/* Waits until it ends, and collects. */
static inline struct said exec_finish(struct running *r)
{
    struct said s = {0};
    int status;

    while (exec_read(r))
        ;
    close(r->pipe);
    assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
    cli_running = 0;
    s.status = WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_SIGNAL;
    s.out = r->stream == 1 ? r->text : read_whole(cli_path("stdout"), &s.out_bytes);
    s.err = r->stream == 2 ? r->text : read_whole(cli_path("stderr"), &s.err_bytes);
    *(r->stream == 1 ? &s.out_bytes : &s.err_bytes) = r->bytes;
    assert_true(s.out && s.err);
    return s;
}

/* Waits until it has said that. */
static inline void exec_await(struct running *r, const char *text)
{
    while (!strstr(r->text, text))
        if (!exec_read(r)) {
            struct said s = exec_finish(r);

            said_show(&s);
            fail_msg("it has ended without: %s", text);
        }
}

/* Runs it with limits of 1, 2, 4 ... seconds (--max-wall), until one leaves it the time to say that. */
#define RUN_UNTIL_LIMIT(text, limit, ...)                                                                              \
    run_until_limit(text, limit, (const char *const[]){"exec", "--max-wall", limit, __VA_ARGS__, NULL})
static inline struct said run_until_limit(const char *text, char limit[16], const char *const args[])
{
    for (unsigned seconds = 1;; seconds *= 2) {
        snprintf(limit, 16, "%u", seconds);
        struct said s = cli_run(args);

        expect_status(&s, 124);
        if (strstr(s.out, text))
            return s;
        said_free(&s);
    }
}

static inline void expect_not_in(const struct said *s, const char *text, const char *word)
{
    if (strstr(text, word)) {
        said_show(s);
        fail_msg("not expected to find: %s", word);
    }
}

#endif
