/* Lines of the annotated code. */
#include "sim/report/annotate_rows.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/loader/demangle.h"
#include "sim/util/plain.h"

/* Shares of the run's wave-cycles from which on a line is warm or hot. */
#define HOT  0.10
#define WARM 0.02

void row_add(struct row *row, const char *fmt, ...)
{
    size_t room = sizeof row->text - row->used;
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(row->text + row->used, room, fmt, ap);
    va_end(ap);
    if (n > 0)
        row->used += (size_t)n < room ? (size_t)n : room - 1;
}

size_t row_columns(const struct row *row)
{
    size_t n = 0;

    for (size_t k = 0; k < row->used; k++)
        n += ((unsigned char)row->text[k] & 0xc0) != 0x80; /* not within a character */
    return n;
}

void row_to(struct row *row, size_t column)
{
    size_t at = row_columns(row);

    if (at < column)
        row_add(row, "%*s", (int)(column - at), "");
}

static void make_plain(struct row *row)
{
    for (size_t k = 0; k < row->used; k++)
        if (row->text[k] == '\t')
            row->text[k] = ' ';
    plain_text(row->text, 0);
}

static void cut(struct row *row)
{
    size_t n = 0, k;

    for (k = 0; k < row->used; k++) {
        bool begins = ((unsigned char)row->text[k] & 0xc0) != 0x80;

        if (begins && n == REPORT_ANNOTATE_COLUMNS)
            break;
        n += begins;
    }
    while (k && row->text[k - 1] == ' ')
        k--;
    row->used = k;
    row->text[k] = 0;
}

void row_put(struct sheet *s, struct row *row, enum row_color color)
{
    static const char *const escape[] = {[ROW_HOT] = "\033[1;31m",
                                         [ROW_WARM] = "\033[33m",
                                         [ROW_NEVER] = "\033[2m",
                                         [ROW_HEAD] = "\033[1m",
                                         [ROW_SOURCE] = "\033[36m"};
    bool colored = s->a->color && color != ROW_PLAIN;

    row->text[row->used] = 0;
    make_plain(row);
    cut(row);
    fprintf(s->f, "%s%s%s\n", colored ? escape[color] : "", row->text, colored ? "\033[0m" : "");
    row->used = 0;
}

const char *row_number(double v, unsigned width, char out[32])
{
    static const char unit[] = "kMGTPE";
    unsigned k = 0;

    report_grouped((uint64_t)v, out);
    if (strlen(out) <= width)
        return out;
    if (snprintf(out, 32, "%.0f", v) <= (int)width)
        return out;
    v /= 1000;
    while (v >= 999.5 && k + 2 < sizeof unit) {
        v /= 1000;
        k++;
    }
    snprintf(out, 32, "%.*f%c", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, unit[k]);
    return out;
}

enum row_color row_heat(const struct sheet *s, double cycles)
{
    return cycles >= HOT * s->whole && cycles > 0    ? ROW_HOT
           : cycles >= WARM * s->whole && cycles > 0 ? ROW_WARM
                                                     : ROW_PLAIN;
}

const char *row_stall(const uint64_t *stat, char out[64])
{
    unsigned k = report_inst_stall(stat);
    char num[32];

    out[0] = 0;
    if (k < STALL_COUNT)
        snprintf(out, 64, "%s %s", timing_stall_key[k], row_number((double)stat[STAT_INST_STALL + k], 6, num));
    return out;
}

void row_sum(uint64_t *sum, const uint64_t *stat)
{
    for (unsigned k = 0; k < STAT_INST_ALL; k++)
        if (k == STAT_INST_LATENCY_MAX_CYCLES)
            sum[k] = stat[k] > sum[k] ? stat[k] : sum[k];
        else
            sum[k] += stat[k];
}

bool row_shown(const struct sheet *s, const struct report_code_inst *i)
{
    const struct report_function *f = &s->code->function[i->function];

    return !s->a->function || demangle_matches(f->name, s->a->function) != DEMANGLE_NO_MATCH;
}
