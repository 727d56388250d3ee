/* Private to the annotated code: lines of at most 120 columns, and sums over instructions. */
#ifndef GCNSIM_REPORT_ANNOTATE_ROWS_H
#define GCNSIM_REPORT_ANNOTATE_ROWS_H

#include "sim/report/annotate.h"
#include "sim/report/source_text.h"

/* A line that is being put together. */
struct row {
    char text[1024];
    size_t used;
};

enum row_color { ROW_PLAIN, ROW_HOT, ROW_WARM, ROW_NEVER, ROW_HEAD, ROW_SOURCE };

/* What is being written. */
struct sheet {
    FILE *f;
    const struct report_annotate *a;
    const struct report *r;
    const struct report_code *code;
    double whole; /* wave-cycles of the run */
    struct source_texts sources;
};

void row_add(struct row *row, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Blanks up to a column. */
void row_to(struct row *row, size_t column);
/* Columns it has so far. */
size_t row_columns(const struct row *row);
/* Writes the line, no longer than it may be, and empties it. */
void row_put(struct sheet *s, struct row *row, enum row_color color);
/* A number in at most `width` columns: 1,234,567, 1234567 or 1.23M. */
const char *row_number(double v, unsigned width, char out[32]);
enum row_color row_heat(const struct sheet *s, double cycles);
/* "wait_loadcnt 1,234" of the largest stall reason; "" when there is none. */
const char *row_stall(const uint64_t *stat, char out[64]);
/* Adds an instruction's counts to a sum, the maximum aside. */
void row_sum(uint64_t *sum, const uint64_t *stat);

/* Whether an instruction is among those that are asked for. */
bool row_shown(const struct sheet *s, const struct report_code_inst *i);

/* The tables above the instructions; false: out of host memory. */
bool annotate_tables(struct sheet *s);

#endif
