/* Gates: points of a sweep that wait for a test. Each point reads a file of its own, gate/N; where that is a pipe, the
 * point waits until the test lets it go, and the test can wait until the point has come that far. So a sweep is killed
 * or stopped where the test wants it, and cannot have ended before. Header-only.
 */
#ifndef TESTS_SYSTEM_SWEEP_GATE_H
#define TESTS_SYSTEM_SWEEP_GATE_H

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/system/sweep_run.h"

enum { GATE_BYTES = 4 * 64, GATE_PASSES = 64 };

/* Another process keeps a gate: it has the pipe open, so that readers find somebody who may write, and makes a new pipe
 * for each of them. */
struct gate {
    pid_t keeper;
    int come; /* a byte for each point that has come */
    int go;   /* a byte for each that may go */
};

static inline const char *gate_path(unsigned n)
{
    char name[40];

    snprintf(name, sizeof name, "gate/%u", n);
    return cli_path(name);
}

static const char gate_contents[GATE_BYTES];

/* Points that stop for nobody. */
static inline void gate_is_a_file(unsigned n)
{
    char made[CLI_PATH + 320];

    snprintf(made, sizeof made, "%s.file", gate_path(n));
    write_file(made, gate_contents, GATE_BYTES);
    assert_int_equal(rename(made, gate_path(n)), 0);
}

/* A spec of so many points, 0 to points - 1, each with a clock and a gate of its own, all of them files. */
static inline const char *write_gated(const char *name, unsigned points)
{
    char text[600];

    if (mkdir(sweep_path("gate"), 0755) != 0)
        assert_int_equal(errno, EEXIST);
    for (unsigned n = 0; n < points; n++)
        gate_is_a_file(n);
    snprintf(text, sizeof text,
             "{'gcnsim_sweep': 1, 'launches': [{'run': ['@/traces/samples/gfx90a/saxpy.co', '--grid', '64', "
             "'--workgroup', '64', '--arg', 'f32:2', '--arg', 'in:gate/{n}', '--arg', 'buf:256', '--arg', 'u32:64']}], "
             "'axes': [{'paired': [{'parameter': 'n', 'range': {'from': 0, 'to': %u, 'step': 1}}, "
             "{'set': 'gpu.shader_clock_mhz', 'range': {'from': 1000, 'to': %u, 'step': 1}}]}]}",
             points - 1, 1000 + points - 1);
    return write_spec(name, text);
}

/* A new pipe in the place of the gate; -1: it cannot be made. Its watch shows who opens it; the keeper itself has done
 * so. */
static inline int gate_pipe(const char *path, int *watch)
{
    char made[CLI_PATH + 320];
    int fd;

    snprintf(made, sizeof made, "%s.pipe", path);
    unlink(made); /* of a keeper that was killed while it made one */
    *watch = inotify_init1(IN_CLOEXEC);
    if (mkfifo(made, 0644) != 0 || (fd = open(made, O_RDWR | O_CLOEXEC)) < 0)
        return -1;
    return inotify_add_watch(*watch, made, IN_OPEN) < 0 || rename(made, path) != 0 ? -1 : fd;
}

static inline void gate_keep(const char *path, int fd, int watch, int come, int go)
{
    char events[4096], byte = 0;

    for (;;) {
        int next_watch, next;

        if (read(watch, events, sizeof events) <= 0 || write(come, &byte, 1) != 1)
            _exit(1);
        if (read(go, &byte, 1) != 1)
            _exit(1);
        next = gate_pipe(path, &next_watch);
        if (next < 0 || write(fd, gate_contents, GATE_BYTES) != GATE_BYTES)
            _exit(1);
        close(fd);
        close(watch);
        fd = next;
        watch = next_watch;
    }
}

/* Closes the gate of point n. */
static inline struct gate gate_close(unsigned n)
{
    int come[2], go[2], watch;
    char made[CLI_PATH + 300];

    snprintf(made, sizeof made, "%s", gate_path(n));
    assert_int_equal(pipe2(come, O_CLOEXEC), 0);
    assert_int_equal(pipe2(go, O_CLOEXEC), 0);
    int fd = gate_pipe(made, &watch); /* it is closed before anybody can come, also when the keeper is slow */
    assert_true(fd >= 0);
    pid_t keeper = fork();
    assert_true(keeper >= 0);
    if (!keeper) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        gate_keep(made, fd, watch, come[1], go[0]);
    }
    close(fd);
    close(watch);
    close(come[1]);
    close(go[0]);
    return (struct gate){keeper, come[0], go[1]};
}

/* Waits until a point of the job has come to it. A job that ends before fails; 0: not a process of this test. */
static inline void gate_await(const struct gate *g, pid_t job)
{
    struct pollfd fds[2] = {{.fd = g->come, .events = POLLIN},
                            {.fd = job ? (int)syscall(SYS_pidfd_open, job, 0) : -1, .events = POLLIN}};
    char byte;

    poll(fds, 2, -1);
    if (!fds[0].revents) {
        struct said s = cli_finish(job);

        said_show(&s);
        fail_msg("it ended, and no point came to the gate");
    }
    if (fds[1].fd >= 0)
        close(fds[1].fd);
    assert_int_equal(read(g->come, &byte, 1), 1);
}

/* Lets those go that have come and that will. */
static inline void gate_open(const struct gate *g)
{
    static const char passes[GATE_PASSES];

    assert_int_equal(write(g->go, passes, GATE_PASSES), GATE_PASSES);
}

/* Puts a file there again. */
static inline void gate_remove(const struct gate *g, unsigned n)
{
    kill(g->keeper, SIGKILL);
    waitpid(g->keeper, NULL, 0);
    close(g->come);
    close(g->go);
    gate_is_a_file(n);
}

#endif
