/* JSON strings of texts that may be any bytes. */
#include "sim/util/json_put.h"

#include <stddef.h>

#include "sim/util/plain.h"

/* Of a character of up to three bytes. */
static unsigned code_of(const unsigned char *s, size_t n)
{
    unsigned c = n == 1 ? s[0] : n == 2 ? s[0] & 0x1fu : s[0] & 0x0fu;

    for (size_t k = 1; k < n; k++)
        c = c << 6 | (s[k] & 0x3fu);
    return c;
}

void json_put_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        size_t n = plain_utf8_length(p);
        if (n == 0)
            fputs("\\ufffd", f);
        else if (*p == '"' || *p == '\\')
            fprintf(f, "\\%c", *p);
        else if (plain_is_hidden(p, n))
            fprintf(f, "\\u%04x", code_of(p, n));
        else
            fwrite(p, 1, n, f);
        p += n ? n : 1;
    }
    fputc('"', f);
}
