/* Tables of make accuracy, as Markdown that reads well on a terminal too. */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_TABLE_H
#define GCNSIM_TESTS_TIMING_ACCURACY_TABLE_H

#include <stdio.h>

#include "tests/timing/accuracy/rows.h"

/* What a section, or all of them, came to. */
struct acc_summary {
    unsigned rows, exact, failed; /* failed: could not be measured */
    double mean, median;          /* of the sizes of the errors, in per cent */
    double worst;
};

/* One line of a section. */
struct acc_line {
    const struct acc_row *row;
    char profile[32];
    double simulated;
    char error[200]; /* why there is none */
};

struct acc_result {
    struct acc_line *line;
    size_t count, room;
};

/* flags: rows with one of them, 0: all. only: lines of this profile alone; null: of all. False: out of host memory. */
bool acc_run(struct bench *b, const struct acc_section *s, unsigned flags, const char *only, struct acc_result *out);
void acc_result_free(struct acc_result *r);

void acc_summarize(const struct acc_result *const *results, size_t count, struct acc_summary *out);

void acc_print_section(FILE *f, const struct acc_section *s, const struct acc_result *r);
void acc_print_totals(FILE *f, const struct acc_section *const *sections, const struct acc_result *results,
                      size_t count);

/* Curves without a documented value beside them. */
void acc_print_curves(FILE *f, struct bench *b);

#endif
