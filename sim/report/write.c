/* Texts of reports in memory, lines and grouped digits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/report.h"
#include "sim/util/plain.h"
#include "sim/util/text_stream.h"

char *report_render(void (*writer)(FILE *f, const void *what), const void *what)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return NULL;
    writer(t.f, what);
    return text_stream_close(&t);
}

char *report_render_coloured(void (*writer)(FILE *f, const void *what), const void *what)
{
    char *text = report_render(writer, what);

    return text ? plain_text(text, PLAIN_LINES | PLAIN_COLOURS) : NULL;
}

char *report_render_plain(void (*writer)(FILE *f, const void *what), const void *what)
{
    char *text = report_render(writer, what);

    return text ? plain_text(text, PLAIN_LINES) : NULL;
}

void report_wrapped(FILE *f, const char *lead, size_t columns, const char *text, const char *end)
{
    size_t indent = strlen(lead), room = columns - indent;

    for (bool first = true; first || *text; first = false) {
        size_t n = strlen(text);

        if (n > room) {
            n = room;
            while (n && text[n] != ' ')
                n--;
            n = n ? n : room;
        }
        fprintf(f, "%*s%.*s%s\n", (int)indent, first ? lead : "", (int)n, text, text[n] ? "" : end);
        text += n + (text[n] == ' ');
    }
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
