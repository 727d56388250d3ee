#include "sim/util/pipe.h"

#include <inttypes.h>
#include <stdio.h>

void pipe_init(struct pipe *p, struct pipe_slot *slots, uint32_t capacity, uint32_t latency_cycles,
               uint32_t interval_cycles)
{
    *p = (struct pipe){.latency_cycles = latency_cycles, .interval_cycles = interval_cycles};
    fifo_init(&p->slots, slots, sizeof *slots, capacity);
}

int pipe_dump(const struct pipe *p, char *buf, size_t size)
{
    if (pipe_is_idle(p))
        return snprintf(buf, size, "pipe 0/%u free at %" PRIu64, p->slots.capacity, p->free_at);
    return snprintf(buf, size, "pipe %u/%u free at %" PRIu64 " next ready %" PRIu64, p->slots.count, p->slots.capacity,
                    p->free_at, pipe_next_event(p));
}
