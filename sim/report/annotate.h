/* The code of a run for people: what each function, loop, source line and instruction cost, and why. And the same
 * instructions as the statistics table of rocprofv3's thread traces.
 */
#ifndef GCNSIM_REPORT_ANNOTATE_H
#define GCNSIM_REPORT_ANNOTATE_H

#include "sim/report/code.h"

struct report_sum;

#define REPORT_ANNOTATE_COLUMNS 120

/* Order of the instructions: that of the code, in groups of source lines; or the largest first, one by one. */
enum report_sort { REPORT_SORT_PC, REPORT_SORT_CYCLES, REPORT_SORT_EXECUTED, REPORT_SORT_LATENCY, REPORT_SORT_STALL };

struct report_annotate {
    const struct report *r;
    const struct report_sum *sum; /* r is that of a sum of runs (sum.h); null: it is one */
    enum report_sort sort;
    uint32_t top;         /* instructions, and lines of each table; 0: all instructions, 10 lines */
    const char *function; /* a part of the names of those that are shown; null: all */
    bool color;
    bool no_sources; /* source files are not read */
    bool *no_memory; /* set: the text lacks parts */
};

/* Each takes a struct report_annotate, whose report has `code`, as report_render() calls it. Control characters are
 * replaced; with `color` there are escape sequences of our own. */
void report_write_annotated(FILE *f, const void *annotate);
struct report_instructions_csv {
    const struct report *r; /* with `code` */
    uint64_t code_object;   /* its number in the column CodeObj */
    bool rows_alone;        /* the line of column names is left out */
};
/* Takes a struct report_instructions_csv. */
void report_write_instructions_csv(FILE *f, const void *what);
/* A member of the JSON report, "code": functions, loops and instructions. */
void report_json_code(struct json_put *j, const struct report *r);
/* Frames as a list, innermost first. */
void report_json_frames(struct json_put *j, const struct report_frame *frame, uint32_t frames);

#endif
