/* Numbers in text, as options and argument SPECs give them.
 *
 * A number is whole and not negative, in decimal or in hexadecimal behind 0x, and nothing stands around it. A size may
 * have K, M, G or T behind it, which are powers of 1024. Header-only, because the command line is also linked with a
 * shared libgcnsim, which does not show it. */
#ifndef GCNSIM_UTIL_NUMBER_H
#define GCNSIM_UTIL_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What messages say of a size. */
#define NUMBER_BYTES_EXPECTED "a whole number of bytes, K, M, G or T behind it (powers of 1024)"

/* Reads a number that *end, or the text's end where end is null, stands behind. */
static inline bool number_read(const char *text, const char *end, uint64_t max, uint64_t *value)
{
    char *stop;

    /* strtoull would take signs and blanks */
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    unsigned long long v = strtoull(text, &stop, base);
    if (errno || stop != (end ? end : text + strlen(text)) || v > max)
        return false;
    *value = v;
    return true;
}

static inline bool number_bytes(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *last = *text ? text + strlen(text) - 1 : text, *unit = *last ? strchr(units, *last) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    uint64_t v;

    if (!number_read(text, unit ? last : NULL, UINT64_MAX >> shift, &v))
        return false;
    *bytes = v << shift;
    return true;
}

#endif
