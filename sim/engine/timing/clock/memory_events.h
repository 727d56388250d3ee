/* Events of memory: line requests of CUs with the level that answers each and how long that takes, hits in near caches,
 * fills and evictions in all of them.
 *
 * Requests are followed from the plug between CUs and memory: each gets a number of its own in the place of the
 * token, under which the instruction, the address and the cycle are kept until it is answered. Memory does not know the
 * difference. Nothing of it is in the way of a run whose consumers want no such events.
 */
#ifndef GCNSIM_ENGINE_TIMING_MEMORY_EVENTS_H
#define GCNSIM_ENGINE_TIMING_MEMORY_EVENTS_H

#include "sim/engine/events.h"
#include "sim/engine/timing/cu/units.h"

struct run;
struct request;

/* The requests of a CU's port. Only the thread that runs the CU's group comes here. */
struct request_port {
    struct request *request;
    uint32_t room, free; /* free: number + 1 of the first not in use, a list */
};

struct memory_events {
    struct run *run;
    struct cu_memory plug;     /* the memory's own */
    struct request_port *port; /* [CU of the chip][port]; null: requests are not followed */
    size_t ports;
};

/* What the hierarchy is to tell, as the kinds of events that are wanted need it; before it is built. */
struct hierarchy_watch memory_events_watch(struct memory_events *m, uint32_t kinds);

/* Takes the place of the plug of the run's memory where the kinds wanted need it. False when there is no memory. */
bool memory_events_attach(struct memory_events *m, struct run *run, uint32_t kinds);
void memory_events_free(struct memory_events *m);

static inline bool memory_events_follow(const struct memory_events *m)
{
    return m->port != NULL;
}

/* A completion from memory: tells of it and gives the token the CU has sent. */
uint64_t memory_events_answer(struct memory_events *m, uint32_t cu, enum mem_port_kind port, uint64_t number,
                              cycle_t now);

#endif
