/* Text that a terminal shows and does not obey (plain.h). */
#include "sim/util/plain.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t plain_utf8_length(const unsigned char *s)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
    uint32_t c = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    return n && (n == 1 || c >= least[n]) && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? n : 0;
}

int plain_is_hidden(const unsigned char *s, size_t n)
{
    if (n == 1)
        return s[0] < 0x20 || s[0] == 0x7f;
    if (n == 2)
        return (s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xd8 && s[1] == 0x9c);
    if (n != 3 || s[0] != 0xe2)
        return 0;
    return (s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae))) ||
           (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

/* Bytes of a sequence that sets colours; 0: there is none. */
static size_t colour(const unsigned char *s)
{
    size_t n = s[0] == 0x1b && s[1] == '[' ? 2 + strspn((const char *)s + 2, "0123456789;") : 0;

    return n && s[n] == 'm' ? n + 1 : 0;
}

char *plain_text(char *text, unsigned keep)
{
    size_t n;

    for (unsigned char *p = (unsigned char *)text; *p; p += n) {
        n = 1;
        if (*p >= 0x20 && *p < 0x7f) /* most */
            continue;
        if (keep & PLAIN_COLOURS && (n = colour(p)))
            continue;
        n = plain_utf8_length(p);
        bool stays =
            n && (!plain_is_hidden(p, n) || (*p == '\n' && keep & PLAIN_LINES) || (*p == '\t' && keep & PLAIN_TABS));
        n = n ? n : 1;
        if (!stays)
            memset(p, '?', n);
    }
    return text;
}
