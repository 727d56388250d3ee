/* Errors as values: setting one, and prefixing its context. */
#include "sim/util/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
    va_list ap;

    if (!e || e->code != ERR_NONE)
        return -1;
    e->code = code;
    va_start(ap, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    return -1;
}

int err_prefix(struct err *e, const char *fmt, ...)
{
    char head[sizeof e->text], both[sizeof e->text];
    va_list ap;

    if (!e || e->code == ERR_NONE)
        return -1;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    /* the tail may be cut when both are long; the prefix names the place and stays whole */
    size_t n = strnlen(head, sizeof both - 3), room = sizeof both - n - 3;
    size_t tail = strnlen(e->text, room);
    memcpy(both, head, n);
    memcpy(both + n, ": ", 2);
    memcpy(both + n + 2, e->text, tail);
    both[n + 2 + tail] = 0;
    memcpy(e->text, both, sizeof both);
    return -1;
}

int err_add(struct err *e, const struct err *more)
{
    static const char cut[] = " ...";

    if (!e || more->code == ERR_NONE)
        return -1;
    if (e->code == ERR_NONE) {
        *e = *more;
        return -1;
    }
    size_t n = strnlen(e->text, sizeof e->text - 1);
    int k = snprintf(e->text + n, sizeof e->text - n, "; %s", more->text);
    if (k < 0 || (size_t)k >= sizeof e->text - n)
        memcpy(e->text + sizeof e->text - sizeof cut, cut, sizeof cut);
    return -1;
}

void err_clear(struct err *e)
{
    if (e) {
        e->code = ERR_NONE;
        e->text[0] = 0;
    }
}
