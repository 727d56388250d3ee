/* What happens to the next packet of a queue, whichever engine runs its kernels. */
#ifndef GCNSIM_HSA_PACKET_LOOP_H
#define GCNSIM_HSA_PACKET_LOOP_H

#include "sim/hsa/queues/dispatch.h"

/* An engine, as far as packets go; ctx is the caller's. */
struct packet_engine {
    /* A kernel is about to begin: a dispatch to be filled; null: out of host memory. */
    struct dispatch *(*take)(void *ctx);
    /* It is not to be run: its packet is malformed, or the host has done it. */
    void (*give_back)(void *ctx, struct dispatch *d);
    /* Runs one that its queue has begun, at once or later on, which ends it and its packet. False: the queue has
     * ended. */
    bool (*run)(void *ctx, struct dispatch *d);
};

/* Begins a barrier, a kernel or a malformed packet, which is what queue_next() has given. False: the queue has ended,
 * and the queue's callback may have destroyed it. */
bool packet_begin(struct queue *q, const struct packet *p, const struct packet_engine *e, void *ctx);

/* Runs a dispatch on a simulator, at once, and ends it and its packet, which may begin at at_ns; false: its queue has
 * ended. */
bool packet_run_kernel(struct queue *q, struct gcnsim *sim, struct dispatch *d, uint64_t at_ns);
/* Ends one that has been run, from the beginning of which, at at_ns, it has taken kernel_ns of simulated time. began:
 * of the host's clock. Frees the result. */
bool packet_end_kernel(struct queue *q, struct dispatch *d, struct gcnsim_result *result, uint64_t at_ns,
                       uint64_t kernel_ns, uint64_t began);

/* A kernel of the queue has failed, or a packet is malformed: no packet begins any more, and what runs ends. */
void packet_fail(struct queue *q, hsa_status_t status);

#endif
