/* The first screen of a report: what a kernel writer reads first, in lines of at most 80 columns. */
#ifndef GCNSIM_REPORT_SUMMARY_H
#define GCNSIM_REPORT_SUMMARY_H

#include "sim/report/report.h"

/* What limited the run, in at most three lines; nothing where that is not known. */
void summary_verdict(FILE *f, const struct report *r);
/* What ran where, and what limited it. Faults, findings and resident waves, which are shown in full, come between. */
void summary_head(FILE *f, const struct report *r);
/* Time, rates with their shares of peak, the largest stalls, and how sure all of that is. */
void summary_body(FILE *f, const struct report *r);

#endif
