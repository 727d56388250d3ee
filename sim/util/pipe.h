/* A pipe: something that starts one operation every `interval` cycles and finishes each `latency` cycles later, in
 * order.
 *
 * An operation accepted at cycle t can be popped at t + latency and not a cycle before. After it, the pipe accepts
 * again at t + interval (interval 0: any number per cycle). Operations of unlike cost may share a pipe through
 * pipe_accept_as(); results leave in the order they went in, so a short one behind a long one waits for it. A
 * finished operation holds its slot until popped; a pipe with every slot taken accepts nothing.
 * Nothing is allocated after init. Payloads are 64 bits of the caller's.
 */
#ifndef GCNSIM_UTIL_PIPE_H
#define GCNSIM_UTIL_PIPE_H

#include "sim/util/fifo.h"

struct pipe_slot {
    cycle_t ready;
    uint64_t payload;
};

struct pipe {
    struct fifo slots; /* struct pipe_slot, ready never decreasing */
    uint32_t latency_cycles;
    uint32_t interval_cycles;
    cycle_t free_at;    /* first cycle at which the entry is free */
    cycle_t last_ready; /* of the youngest operation ever accepted */
};

/* `slots` holds `capacity` elements and outlives the pipe. A pipe never limited by its slots has at least
 * latency / interval + 1 of them. */
void pipe_init(struct pipe *p, struct pipe_slot *slots, uint32_t capacity, uint32_t latency_cycles,
               uint32_t interval_cycles);

static inline bool pipe_can_accept(const struct pipe *p, cycle_t now)
{
    return now >= p->free_at && fifo_can_accept(&p->slots);
}

/* Accepts with a cost of the operation's own; returns the cycle at which it can be popped. */
static inline cycle_t pipe_accept_as(struct pipe *p, cycle_t now, uint64_t payload, uint32_t latency_cycles,
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

static inline cycle_t pipe_accept(struct pipe *p, cycle_t now, uint64_t payload)
{
    return pipe_accept_as(p, now, payload, p->latency_cycles, p->interval_cycles);
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

/* The cycle at which the oldest operation is, or was, ready; never when empty. */
static inline cycle_t pipe_next_event(const struct pipe *p)
{
    const struct pipe_slot *s = fifo_front(&p->slots);

    return s ? s->ready : CYCLE_NEVER;
}

/* Next cycle, from now on, at which there is something to pop. */
static inline cycle_t pipe_tick(const struct pipe *p, cycle_t now)
{
    cycle_t next = pipe_next_event(p);

    return next < now ? now : next;
}

static inline bool pipe_is_idle(const struct pipe *p)
{
    return fifo_is_idle(&p->slots);
}

int pipe_dump(const struct pipe *p, char *buf, size_t size);

#endif
