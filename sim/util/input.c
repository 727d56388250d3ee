/* Files that gcnsim reads. */
#define _GNU_SOURCE
#include "sim/util/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Waits for the writer of a pipe that was opened without blocking. The number of bytes it gave, which is 0 or 1, or -1:
 * there is none. */
static int wait_for_writer(int fd, unsigned char *first)
{
    enum { NAP_MS = 10 };
    const struct timespec nap = {.tv_nsec = NAP_MS * 1000 * 1000};

    for (int waited = 0; waited < INPUT_PATIENCE_MS; waited += NAP_MS) {
        ssize_t n = read(fd, first, 1);
        if (n == 1)
            return 1;
        if (n < 0) /* EAGAIN: somebody has opened it and not written yet */
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        nanosleep(&nap, NULL);
    }
    errno = 0;
    return -1;
}

/* Makes an open pipe ready to be read to its end. */
static FILE *open_pipe(int fd, struct err *e)
{
    unsigned char first;
    int n = wait_for_writer(fd, &first);
    FILE *f = n < 0 ? NULL : fdopen(fd, "rb");

    if (n < 0)
        err_set(e, ERR_IO, "%s",
                errno ? strerror(errno) : "a pipe that nobody writes to; expected a file, or a pipe with a writer");
    else if (!f)
        err_set(e, ERR_NOMEM, "out of host memory");
    else if (fcntl(fd, F_SETFL, O_RDONLY) < 0 || (n == 1 && ungetc(first, f) == EOF)) {
        err_set(e, ERR_IO, "%s", strerror(errno));
        fclose(f);
        return NULL;
    }
    if (!f)
        close(fd);
    return f;
}

FILE *input_open(const char *path, size_t *size, struct err *e)
{
    struct stat st;
    FILE *f;

    *size = 0;
    /* before it is opened, because opening a device may do something, and a socket cannot be opened */
    if (stat(path, &st) != 0) {
        err_set(e, ERR_IO, "%s", strerror(errno));
        return NULL;
    }
    if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode)) {
        err_set(e, ERR_IO, "a %s; expected a file",
                S_ISDIR(st.st_mode)    ? "folder"
                : S_ISSOCK(st.st_mode) ? "socket"
                                       : "device");
        return NULL;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        err_set(e, ERR_IO, "%s", strerror(errno));
        return NULL;
    }
    /* what was opened may be something else by now */
    bool known = fstat(fd, &st) == 0;
    if (known && S_ISFIFO(st.st_mode))
        return open_pipe(fd, e);
    f = known && S_ISREG(st.st_mode) ? fdopen(fd, "rb") : NULL;
    if (f) {
        *size = (size_t)st.st_size;
        return f;
    }
    close(fd);
    err_set(e, known && S_ISREG(st.st_mode) ? ERR_NOMEM : ERR_IO, "%s",
            known && S_ISREG(st.st_mode) ? "out of host memory" : "cannot be read; expected a file");
    return NULL;
}

/* Makes *all larger. The old memory counts until it has been moved. */
static int enlarge(uint8_t **all, size_t want, struct budget *b, uint64_t *held, struct err *e)
{
    if (!budget_take(b, want + 1))
        return err_set(e, ERR_NOMEM, "out of host memory for %zu bytes", want);
    uint8_t *more = realloc(*all, want + 1);
    if (!more) {
        budget_give(b, want + 1);
        return err_set(e, ERR_NOMEM, "out of host memory for %zu bytes", want);
    }
    budget_give(b, *held);
    *held = want + 1;
    *all = more;
    return 0;
}

/* Reads a stream to its end; `room` is what is likely to suffice. On failure nothing is left counted. */
static int read_all(FILE *f, size_t room, size_t most, struct budget *b, uint64_t *held, uint8_t **bytes, size_t *size,
                    struct err *e)
{
    uint8_t *all = NULL;
    size_t used = 0, have = 0;
    int failed = 0;

    *held = 0;
    do {
        /* a byte more than the file should have, so that its end is seen */
        size_t want = have ? 2 * have : room + 1;
        if ((failed = enlarge(&all, want, b, held, e)))
            break;
        have = want;
        errno = 0;
        used += fread(all + used, 1, have - used, f);
        if (used > most)
            failed = err_set(e, ERR_LIMIT, "larger than %zu bytes", most);
    } while (!failed && used == have);
    if (!failed && ferror(f))
        failed = err_set(e, ERR_IO, "%s", errno ? strerror(errno) : "cannot be read");
    if (failed) {
        free(all);
        budget_give(b, *held);
        *held = 0;
        return -1;
    }
    all[used] = 0;
    *bytes = all;
    *size = used;
    return 0;
}

int input_read_counted(const char *path, size_t most, struct budget *b, uint64_t *held, uint8_t **bytes, size_t *size,
                       struct err *e)
{
    size_t length;
    FILE *f = input_open(path, &length, e);
    int failed = -1;

    if (!f)
        return -1;
    if (length > most)
        err_set(e, ERR_LIMIT, "%zu bytes; expected at most %zu", length, most);
    else
        failed = read_all(f, length ? length : 65536, most, b, held, bytes, size, e);
    fclose(f);
    return failed;
}

int input_read(const char *path, size_t most, uint8_t **bytes, size_t *size, struct err *e)
{
    uint64_t held;

    return input_read_counted(path, most, NULL, &held, bytes, size, e);
}
