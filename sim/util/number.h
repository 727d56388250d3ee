/* Numbers in text, as options and argument SPECs give them.
 *
 * A number is whole and not negative, in decimal or in hexadecimal after 0x, and nothing stands around it. A size may
 * have K, M, G or T after it, which are powers of 1024. The command line and the HSA runtime take the same values, of
 * options and of the variables that these become. Header-only, because the command line is also linked with a
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

/* Reads a number that *end, or the text's end where end is null, stands after. */
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

/* Reads the first part of a list of numbers and ranges, "3,7-9", whose numbers are decimal, and advances *at after it
 * and its comma: to the text's end when it was the last. False: a number that is none or not between least and most, a
 * range whose end is before its beginning, or anything else. */
static inline bool number_range(const char **at, uint64_t least, uint64_t most, uint64_t *from, uint64_t *to)
{
    const char *p = *at;
    uint64_t v[2];
    unsigned n = 0;

    do {
        char *stop;

        p += n; /* the hyphen */
        if (*p < '0' || *p > '9')
            return false;
        errno = 0;
        v[n] = strtoull(p, &stop, 10);
        if (errno || v[n] < least || v[n] > most)
            return false;
        p = stop;
    } while (!n++ && *p == '-');
    if (v[n - 1] < v[0] || (*p && (*p++ != ',' || !*p)))
        return false;
    *from = v[0];
    *to = v[n - 1];
    *at = p;
    return true;
}

/* Reads a time: a number above 0, with a point or an exponent perhaps. */
static inline bool number_seconds(const char *text, double most, double *seconds)
{
    char *stop;
    double v;

    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return false;
    errno = 0;
    v = strtod(text, &stop);
    if (errno || *stop || !(v > 0 && v <= most))
        return false;
    *seconds = v;
    return true;
}

/* Reads "NAME" or "NAME,N" with N from 1 on; *n is 1 without it. A comma in a name, "f(int, int)", has no number alone
 * after it. */
static inline bool number_choice(const char *text, size_t *name_bytes, uint64_t *n)
{
    const char *comma = strrchr(text, ',');

    *n = 1;
    *name_bytes = strlen(text);
    if (comma && !comma[1 + strspn(comma + 1, "0123456789")]) {
        *name_bytes = (size_t)(comma - text);
        if (!number_read(comma + 1, NULL, UINT32_MAX, n) || !*n)
            return false;
    }
    return *name_bytes && text[0] != ',';
}

#endif
