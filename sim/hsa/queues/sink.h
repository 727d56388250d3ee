/* Who is informed of dispatches.
 *
 * There is one sink in a process, which knows all that want to be informed (sinks/). It is registered before there is a
 * dispatch. Its functions may be called by any thread that runs dispatches.
 */
#ifndef GCNSIM_HSA_SINK_H
#define GCNSIM_HSA_SINK_H

#include "sim/hsa/core/runtime.h"
#include "sim/hsa/sampling/sampled.h"

#define REPORT_OVERRUN "bounds.page" /* rule of findings: accesses that pass past the end of an allocation */

struct dispatch; /* dispatch.h */
struct queue;

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
    bool has_gap;              /* it follows a kernel of its queue, and no other of it ran: */
    uint64_t gap_ns;           /* before start_ns, for which its packet was ready */
    bool timing;               /* false: the functional engine's times are nominal */
    bool viewed;               /* the views of all dispatches (views.h) are of it, too */
    bool warm_caches; /* the dispatch before it left its lines in the caches; false after ones that were executed
                         alone */
    struct dispatch_sample sample;
    bool native; /* a copy kernel of the language runtime that the host has done */
    double host_seconds;
    const struct gcnsim_result *result; /* null: native */
};

/* What the launch of a dispatch points to, for sinks that ask the timing engine for more than a result. */
struct dispatch_watch {
    struct gcnsim_on_timeline timeline;
    struct gcnsim_wave_view wave;
    char queue[40]; /* its name on the timeline */
    struct gcnsim_att att;
};

struct dispatch_sink {
    /* It is about to run, on the thread that calls, which finds memory as the dispatch will. Where d->watch is not
     * null, the timing engine runs it, and d->raw may be changed to ask for more. */
    void (*begins)(struct dispatch *d);
    void (*ended)(const struct dispatch *d, const struct dispatch_record *r);
};

/* From now on dispatches are reported to this one. */
void dispatches_report_to(const struct dispatch_sink *to);

#endif
