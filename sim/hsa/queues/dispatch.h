/* A kernel dispatch packet, made into a launch, run and recorded. */
#ifndef GCNSIM_HSA_DISPATCH_H
#define GCNSIM_HSA_DISPATCH_H

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/code/placed.h"
#include "sim/hsa/memory/memory.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/queues/sink.h"
#include "sim/hsa/signals/orphan_signals.h"

/* A launch that is ready to run, and what it was made from. */
struct dispatch {
    struct queue *queue;
    struct packet packet;
    const struct kernel *kernel;
    uint64_t number;
    struct gcnsim_raw raw;
    struct gcnsim_raw_kernel start; /* that raw points to */
    struct range_set *ranges;       /* likewise */
    struct placed placed;           /* likewise; with --check */
    bool viewed;                    /* views.h shows it */
    struct dispatch_sample sample;
    bool warm_caches; /* of the timing engine: the caches are what the dispatch before it left */
    struct ringer ringer;
    struct dispatch_watch *watch; /* of the timing engine, while it is in flight; else null */
};

/* Validates the packet and everything it names; on success *out is to be ended by dispatch_end(). Otherwise the status
 * for the queue's callback, with the reason in `why`. */
hsa_status_t dispatch_make(struct queue *q, const struct packet *packet, struct dispatch *out, char *why, size_t n);
/* The same in two steps: prepared it has no number yet, and may be dropped as if it had never been; then it is
 * counted. */
hsa_status_t dispatch_prepare(struct queue *q, const struct packet *packet, struct dispatch *out, char *why, size_t n);
void dispatch_drop(struct dispatch *d);
void dispatch_count(struct dispatch *d);
/* It is about to run, on this thread: informs the sink. */
void dispatch_begins(struct dispatch *d);
/* Reports the run and releases what the dispatch holds. result: null for one that the host has done. Returns the status
 * for the callback when the kernel faulted: HSA_STATUS_SUCCESS otherwise. */
hsa_status_t dispatch_end(struct dispatch *d, const struct gcnsim_result *result, uint64_t start_ns, uint64_t end_ns,
                          double host_seconds);

/* The same for one that could not be run at all. */
void dispatch_abandon(struct dispatch *d);

/* Host threads for the functional engine: as many as the process may use, or is set to, but no more than the work
 * is worth, by what the kernel took when it ran last. */
uint32_t dispatch_threads(const struct dispatch *d);

/* How many have been made and not ended. */
uint32_t dispatches_running(void);
/* What runs is going to be interrupted because the process ends: it never ended by itself. */
void dispatches_stop(void);

#endif
