/* A pipeline: it starts operations some cycles apart (initiation interval) and finishes them in order (latency).
 *
 * An operation accepted at cycle t can be popped at t + latency and not a cycle before. The pipe accepts the next one
 * at t + interval (interval 0: any number in one cycle). Each operation brings its own latency and interval. Results
 * leave in the order of acceptance, so a short operation after a long one is ready no earlier than that one. A
 * finished operation holds its slot until it is popped; a pipe without a free slot accepts nothing.
 *
 * It does nothing by itself, and so has no tick: pipe_next_event() says when there is something to pop. Nothing is
 * allocated after pipe_init(). A payload is 64 bits of the caller's.
 */
#ifndef GCNSIM_UTIL_PIPE_H
#define GCNSIM_UTIL_PIPE_H

#include "sim/util/fifo.h"

struct pipe_slot {
    cycle_t ready;
    uint64_t payload;
};

struct pipe {
    struct fifo slots;  /* struct pipe_slot, ready never decreasing */
    cycle_t free_at;    /* first cycle at which the next operation can be accepted */
    cycle_t last_ready; /* of the youngest operation ever accepted */
};

/* `slots` holds `capacity` elements and outlives the pipe. A pipe that its slots never limit has at least
 * latency / interval + 1 of them. */
void pipe_init(struct pipe *p, struct pipe_slot *slots, uint32_t capacity);

static inline bool pipe_can_accept(const struct pipe *p, cycle_t now)
{
    return now >= p->free_at && fifo_can_accept(&p->slots);
}

/* Accepts an operation; returns the cycle at which it can be popped. */
static inline cycle_t pipe_accept(struct pipe *p, cycle_t now, uint64_t payload, uint32_t latency_cycles,
                                  uint32_t interval_cycles)
{
    cycle_t ready = now + latency_cycles;
    struct pipe_slot *s;

    assert(pipe_can_accept(p, now));
    if (ready < p->last_ready)
        ready = p->last_ready;
    s = fifo_push(&p->slots);
    s->ready = ready;
    s->payload = payload;
    p->last_ready = ready;
    p->free_at = now + interval_cycles;
    return ready;
}

/* Takes the oldest operation if it has finished by `now`. */
static inline bool pipe_pop_ready(struct pipe *p, cycle_t now, uint64_t *payload)
{
    const struct pipe_slot *s = fifo_front(&p->slots);

    if (!s || s->ready > now)
        return false;
    if (payload)
        *payload = s->payload;
    fifo_pop(&p->slots);
    return true;
}

/* The cycle at which the oldest operation is, or was, ready; CYCLE_NEVER when the pipe is empty. */
static inline cycle_t pipe_next_event(const struct pipe *p)
{
    const struct pipe_slot *s = fifo_front(&p->slots);

    return s ? s->ready : CYCLE_NEVER;
}

static inline bool pipe_is_idle(const struct pipe *p)
{
    return fifo_is_idle(&p->slots);
}

#endif
