/* Waits for what another process does to files, or for its end, without a look at a clock: a test that waits for the
 * event itself is right on hosts of any speed. What never comes is ended by the time limit of tests/run.sh. Linux
 * alone. Header-only.
 */
#ifndef TESTS_SUPPORT_WATCH_H
#define TESTS_SUPPORT_WATCH_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Until the process has ended; it need not be a child of this one, and a child is still to be waited for. */
static inline void watch_end(pid_t pid)
{
    struct pollfd fd = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};

    if (fd.fd < 0)
        return; /* it is gone already */
    while (poll(&fd, 1, -1) < 0 && errno == EINTR)
        ;
    close(fd.fd);
}

/* Until holds(ctx), which is asked at once and after each change of the file, or of a file in the folder, at `path`.
 * False: the process has ended, and it does not hold. */
static inline bool watch_until(pid_t pid, const char *path, bool (*holds)(void *ctx), void *ctx)
{
    struct pollfd fds[2] = {{.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), .events = POLLIN},
                            {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN}};
    char events[4096];
    bool ended = fds[1].fd < 0, held = false;

    if (inotify_add_watch(fds[0].fd, path, IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVE | IN_CLOSE_WRITE) < 0)
        ended = true;
    while (!(held = holds(ctx)) && !ended) {
        poll(fds, 2, -1);
        while (read(fds[0].fd, events, sizeof events) > 0)
            ;
        /* what it has done in the end is asked for once more */
        ended = fds[1].revents != 0;
    }
    for (int k = 0; k < 2; k++)
        if (fds[k].fd >= 0)
            close(fds[k].fd);
    return held;
}

#endif
