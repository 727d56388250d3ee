/* Messages, numbers and files for all commands. */
#define _GNU_SOURCE
#include "sim/cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sim/util/number.h"
#include "sim/util/plain.h"

/* Allocates nothing, because a lack of host memory is reported this way, too. A longer message is cut. */
static void say(const char *fmt, va_list ap)
{
    char text[8192];

    vsnprintf(text, sizeof text, fmt, ap);
    fprintf(stderr, "gcnsim: %s\n", plain_text(text, PLAIN_LINES));
}

/* Without memory for a long text it is cut. */
static void print(FILE *f, const char *fmt, va_list ap)
{
    char text[1024], *all = NULL;
    va_list again;

    va_copy(again, ap);
    if (vsnprintf(text, sizeof text, fmt, ap) >= (int)sizeof text && vasprintf(&all, fmt, again) < 0)
        all = NULL;
    va_end(again);
    fputs(plain_text(all ? all : text, PLAIN_LINES | PLAIN_TABS), f);
    free(all);
}

void cli_vprintf(const char *fmt, va_list ap)
{
    print(stdout, fmt, ap);
}

void cli_printf(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    print(stdout, fmt, ap);
    va_end(ap);
}

void cli_eprintf(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    print(stderr, fmt, ap);
    va_end(ap);
}

void cli_put_name(const char *name, int columns)
{
    char part[256];
    int put = 0;

    /* in pieces; one ends before a character of several bytes */
    for (size_t n; *name; name += n) {
        n = strnlen(name, sizeof part - 4);
        while (name[n] && n > sizeof part - 8 && ((unsigned char)name[n] & 0xc0) == 0x80)
            n--;
        memcpy(part, name, n);
        part[n] = 0;
        fputs(plain_text(part, 0), stdout);
        put += (int)n;
    }
    for (; put < columns; put++)
        putchar(' ');
}

int cli_error(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    return CLI_BAD_INPUT;
}

int cli_library_error(const struct gcnsim_error *error)
{
    cli_error("%s", error->text);
    return error->code == GCNSIM_ERROR_FAULT || error->code == GCNSIM_ERROR_RUN_LIMIT ||
                   error->code == GCNSIM_ERROR_INTERRUPTED
               ? CLI_FAULT
               : CLI_BAD_INPUT;
}

int cli_usage(const char *command, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    fprintf(stderr, "Try 'gcnsim %s%s--help'.\n", command ? command : "", command ? " " : "");
    return CLI_BAD_INPUT;
}

bool cli_number(const char *text, uint64_t max, uint64_t *value)
{
    return number_read(text, NULL, max, value);
}

bool cli_own_program(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char *full;

    if (n > 0) {
        path[n] = 0;
        return true;
    }
    /* Without /proc the name is left by which the program was started, which nothing has made relative to another
     * folder. */
    full = name ? realpath(name, NULL) : NULL;
    bool fits = full && strlen(full) < size;
    if (fits)
        strcpy(path, full);
    else if (full)
        errno = ENAMETOOLONG;
    free(full);
    return fits;
}

uint64_t cli_default_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    if (pages <= 0 || page <= 0)
        return GCNSIM_DEFAULT_MAX_MEMORY;
    return (uint64_t)pages / 4 * 3 * (uint64_t)page;
}

static int not_printed(int reason)
{
    cli_error("standard output: %s", reason ? strerror(reason) : "not everything could be written");
    return CLI_NOT_WRITTEN;
}

int cli_put(const char *text)
{
    char *shown = isatty(STDOUT_FILENO) ? strdup(text) : NULL;

    errno = 0;
    /* without memory: what is for people is plain already */
    int failed = fputs(shown ? plain_text(shown, PLAIN_LINES | PLAIN_TABS | PLAIN_COLOURS) : text, stdout) < 0;
    free(shown);
    return failed ? not_printed(errno) : cli_flush();
}

int cli_flush(void)
{
    bool before = ferror(stdout) != 0; /* the reason of an earlier failure is not kept */

    errno = 0;
    return fflush(stdout) == 0 && !before ? CLI_OK : not_printed(errno);
}

uint8_t *cli_read_file(const char *path, size_t *size)
{
    struct gcnsim_error error = {0};
    void *bytes = NULL;

    if (gcnsim_read_file(path, &bytes, size, &error) != GCNSIM_OK)
        cli_library_error(&error);
    return bytes;
}
