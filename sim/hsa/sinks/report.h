/* What the process leaves behind: a row for each dispatch, the summary at its end (docs/ROCM.md).
 *
 * report_dispatch() may be called from any thread that runs dispatches. The files are written as dispatches end, so
 * that a program that is killed leaves those that ended.
 */
#ifndef GCNSIM_HSA_REPORT_H
#define GCNSIM_HSA_REPORT_H

#include "sim/hsa/core/runtime.h"
#include "sim/hsa/queues/dispatch.h"

#define REPORT_OVERRUN "bounds.page" /* rule of findings: accesses that pass behind the end of an allocation */

struct queue;
struct waits;

/* A kernel that has ended, however it did. */
struct dispatch_record {
    uint64_t number; /* of the process, from 1 on, in the order in which they began */
    const struct agent *agent;
    const struct queue *queue;
    const char *kernel;                    /* its name, as in the code object */
    const struct gcnsim_kernel_info *info; /* null: unknown */
    uint32_t grid[3], workgroup[3];
    uint32_t lds_bytes, scratch_bytes, kernarg_bytes;
    uint64_t start_ns, end_ns; /* simulated */
    bool timing;               /* false: the functional engine's times are nominal */
    bool viewed;               /* the views of all dispatches (views.h) are of it, too */
    bool warm_caches; /* the dispatch in front of it left its lines in the caches; false after ones that were executed
                         alone */
    struct dispatch_sample sample;
    bool native; /* a copy kernel of the language runtime that the host has done */
    double host_seconds;
    const struct gcnsim_result *result; /* null: native */
};

/* Opens the files that r->options ask for. */
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
