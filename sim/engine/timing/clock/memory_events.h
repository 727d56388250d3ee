/* Events of memory: line requests of CUs with the level that answers each and how long that takes, hits in near caches,
 * fills and evictions in all of them.
 *
 * Requests are followed from the interface between CUs and memory: each gets a number in the place of its token, under
 * which the instruction, the address and the cycle are kept until it is answered; memory passes tokens through and does
 * not know the difference. The counts by instruction (engine_options.per_inst) learn the levels here, too. A run that
 * wants neither has none of this in its path.
 */
#ifndef GCNSIM_ENGINE_TIMING_MEMORY_EVENTS_H
#define GCNSIM_ENGINE_TIMING_MEMORY_EVENTS_H

#include "sim/engine/events.h"
#include "sim/engine/timing/cu/units.h"

struct engine_options;
struct run;
struct request;

/* The requests of a CU's port. Only the thread that runs the CU's group comes here. */
struct request_port {
    struct request *request;
    uint32_t capacity, free; /* free: number + 1 of the first not in use, a list */
};

struct memory_events {
    struct run *run;
    struct cu_memory plug;     /* the interface to memory that was replaced */
    struct request_port *port; /* [CU of the chip][port]; null: requests are not followed */
    size_t ports;
};

/* The callbacks that the hierarchy is given, as what a launch wants to know needs them. */
struct hierarchy_watch memory_events_watch(struct memory_events *m, const struct engine_options *o);

/* Whether a launch needs its requests followed: for events, or for the levels that answer each instruction. */
bool memory_events_wanted(const struct engine_options *o);

/* Replaces the run's interface to memory by one that follows requests, where its options want it. False when there is
 * no host memory. */
bool memory_events_attach(struct memory_events *m, struct run *run);
void memory_events_free(struct memory_events *m);

static inline bool memory_events_follow(const struct memory_events *m)
{
    return m->port != NULL;
}

/* A completion from memory: emits the answer and returns the token that the CU has sent. */
uint64_t memory_events_answer(struct memory_events *m, uint32_t cu, enum mem_port_kind port, uint64_t number,
                              cycle_t now);

#endif
