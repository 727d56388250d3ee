/* The counts by instruction of several runs of one code object, added up: what a kernel cost in all of its dispatches.
 *
 * Instructions are told apart by their offsets in the code object, so that it may have been loaded at several
 * addresses. The sum has each instruction, function and loop that one of the runs has. Counts of the statistics table
 * are added up, too; ratios are left out.
 */
#ifndef GCNSIM_REPORT_SUM_H
#define GCNSIM_REPORT_SUM_H

#include "sim/report/code.h"

/* All memory is the arena's of `r`. */
struct report_sum {
    struct report r; /* with the first run's names; r.code is `code` */
    struct report_code code;
    uint64_t launches, early; /* early: those that did not run to their end */
    double longest;           /* cycles of the longest, */
    const char *limit;        /* and what limited it; null: not known */
};

void report_sum_init(struct report_sum *s);
/* Adds a run, which must have counted per instruction. -1 with *e when it has not, or is of other code, of another
 * profile, or out of host memory: the sum is then what it was. */
int report_sum_add(struct report_sum *s, const struct report *r, struct err *e);
void report_sum_free(struct report_sum *s);

#endif
