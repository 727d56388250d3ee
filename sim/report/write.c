/* Texts of reports in memory, JSON strings and grouped digits. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/report/report.h"
#include "sim/util/text_stream.h"

char *report_render(void (*writer)(FILE *f, const void *what), const void *what)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return NULL;
    writer(t.f, what);
    return text_stream_close(&t);
}

char *report_render_plain(void (*writer)(FILE *f, const void *what), const void *what)
{
    char *text = report_render(writer, what);

    for (unsigned char *p = (unsigned char *)text; p && *p; p++) {
        if ((*p < 0x20 && *p != '\n') || *p == 0x7f)
            *p = '?';
        else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) /* U+0080 to U+009F */
            p[0] = p[1] = '?';
    }
    return text;
}

/* Length of the UTF-8 sequence at s, 0 when it is none. */
static size_t utf8_length(const unsigned char *s)
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

/* Names come from files and may be any bytes; JSON is UTF-8 whatever they are. */
void report_json_string(FILE *f, const char *s)
{
    if (!s) {
        fputs("null", f);
        return;
    }
    fputc('"', f);
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        size_t n = utf8_length(p);
        if (n == 0)
            fputs("\\ufffd", f);
        else if (*p == '"' || *p == '\\')
            fprintf(f, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(f, "\\u%04x", *p);
        else
            fwrite(p, 1, n, f);
        p += n ? n : 1;
    }
    fputc('"', f);
}

const char *report_grouped(uint64_t v, char out[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v), k = 0;

    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
    return out;
}
