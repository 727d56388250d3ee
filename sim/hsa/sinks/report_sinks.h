/* Where report.c puts dispatches: a SQLite file (report_sqlite.c) and rocprofv3's CSV files (report_csv.c). All of
 * these are called under report.c's lock, but for the two that open. */
#ifndef GCNSIM_HSA_REPORT_SINKS_H
#define GCNSIM_HSA_REPORT_SINKS_H

#include "sim/hsa/queues/sink.h"

struct waits; /* waits.h */

/* A kernel of the process: those of one name that need different registers or memory are different ones. */
struct report_kernel {
    uint64_t id; /* from 1 on */
    uint64_t hash;
    char *name;                     /* as in the code object */
    char *shown;                    /* demangled where it is mangled */
    struct gcnsim_kernel_info info; /* numbers alone; its texts are null */
    uint64_t calls, ns;
    double longest; /* cycles of the longest call that the timing engine has run, */
    char *limited;  /* and what kept it from being faster; null: not known */
};

/* path: GCNSIM_REPORT. A file that is there must be a report; it gets one run more. */
bool sqlite_open(const struct runtime *r, const char *path, char *why, size_t why_size);
void sqlite_dispatch(const struct dispatch_record *d, const struct report_kernel *k);
void sqlite_waits(const struct waits *w);
/* The run's end as it is known now; how: null while nothing has ended it. The file is complete in itself then. */
void sqlite_end(const char *how, double host_seconds);

/* GCNSIM_CSV, a folder that is made when it is not there, GCNSIM_CSV_STATISTICS and GCNSIM_CSV_COUNTERS. */
bool csv_open(const struct exec_options *o, char *why, size_t why_size);
void csv_dispatch(const struct dispatch_record *d, const struct report_kernel *k);

/* GCNSIM_JSON: the folder, which is made when it is not there. */
bool json_open(const struct exec_options *o, char *why, size_t why_size);
void json_dispatch(const struct dispatch_record *d);
void json_waits(const struct waits *w, const char *how);

/* What reports say of how far they can be believed, added up, and reported in a few lines. */
void fidelity_dispatch(const struct dispatch_record *d);
void fidelity_tell(void);

/* For a sampled program: the estimate of its kernels' time. */
void sample_tell(const struct runtime *r);

#endif
