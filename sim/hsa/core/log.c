/* Messages of the runtime: to standard error or a file, a line at a time, never through stdio, whose streams are the
 * program's.
 */
#include "sim/hsa/core/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/util/plain.h"

#define LINE_BYTES 2048
#define ONCES      64

static int log_fd = STDERR_FILENO;
static int log_error; /* atomic: errno of the first message that the file did not take */

void rt_log_open(const char *path)
{
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

    if (fd >= 0)
        log_fd = fd;
    else if (path)
        rt_log("GCNSIM_LOG: %s cannot be written: messages go to standard error", path);
}

static void put(const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t w = write(log_fd, text + done, bytes - done);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0) {
            int none = 0, error = w < 0 ? errno : EIO;
            if (log_fd != STDERR_FILENO)
                __atomic_compare_exchange_n(&log_error, &none, error, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
            return;
        }
        done += (size_t)w;
    }
}

bool rt_log_is_whole(void)
{
    int error = __atomic_load_n(&log_error, __ATOMIC_RELAXED);

    if (error)
        dprintf(STDERR_FILENO, "gcnsim: GCNSIM_LOG: messages are missing: %s\n", strerror(error));
    return !error;
}

static void log_line(const char *format, va_list args)
{
    static const char cut[] = "...\n";
    char line[LINE_BYTES] = "gcnsim: ";
    int at = (int)strlen(line), n = vsnprintf(line + at, sizeof line - (size_t)at - 1, format, args);
    size_t bytes = n < 0 ? (size_t)at : (size_t)(at + n);

    plain_text(line, 0);
    if (bytes >= sizeof line - 1) {
        bytes = sizeof line - 1;
        memcpy(line + bytes - sizeof cut + 1, cut, sizeof cut - 1);
    } else {
        line[bytes++] = '\n';
    }
    put(line, bytes);
}

void rt_log_text(const char *text)
{
    char *copy = strdup(text);

    if (copy)
        put(plain_text(copy, PLAIN_LINES | PLAIN_COLOURS), strlen(copy));
    else
        rt_log("out of host memory for a text");
    free(copy);
}

bool rt_log_is_terminal(void)
{
    return isatty(log_fd);
}

void rt_log(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_line(format, args);
    va_end(args);
}

/* A number stays on the line of the word before it, and its % with it. */
static bool may_break(const char *at)
{
    return *at == ' ' && !isdigit((unsigned char)at[1]) && at[1] != '%';
}

void rt_log_wrapped(const char *indent, const char *text)
{
    const size_t room = 80 - strlen("gcnsim: ");

    for (const char *lead = ""; *text; lead = indent) {
        size_t most = room - strlen(lead), n = strlen(text);

        if (n > most) {
            n = most;
            while (n && !may_break(text + n))
                n--;
            n = n ? n : most;
        }
        rt_log("%s%.*s", lead, (int)n, text);
        text += n + (text[n] == ' ');
    }
}

void rt_log_once(const char *what, const char *format, ...)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *said[ONCES];
    static size_t count;
    bool known = false;
    va_list args;

    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < count && !known; k++)
        known = strcmp(said[k], what) == 0;
    if (!known && count < ONCES)
        said[count++] = what;
    pthread_mutex_unlock(&lock);
    if (known)
        return;
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}

hsa_status_t rt_refuse(const char *function, hsa_status_t status)
{
    rt_log_once(function, "%s is not supported", function);
    return status;
}
