/* What the process leaves behind: a row for each dispatch, the summary at its end (docs/ROCM.md).
 *
 * report_dispatch() may be called from any thread that runs dispatches. The files are written as dispatches end, so
 * that a program that is killed leaves those that ended.
 */
#ifndef GCNSIM_HSA_REPORT_H
#define GCNSIM_HSA_REPORT_H

#include "sim/hsa/core/runtime.h"
#include "sim/hsa/queues/sink.h"

struct waits;

/* Opens the files that r->options ask for, and has dispatches reported to them. */
bool report_begin(struct runtime *r, char *why, size_t why_size);
void report_dispatch(const struct dispatch_record *d);
/* The last hsa_shut_down, or the end of the process: writes what is not written yet, and the summary of what has run
 * since the last one. how: what ended the process before its time; null: it ends by itself. */
void report_end(const char *how);
/* What ends the process before its time, `how`, has found this (waits.h; null: nothing). */
void report_waits(const struct waits *w, const char *how);
/* How many dispatches have ended. */
uint64_t report_count(void);

#endif
