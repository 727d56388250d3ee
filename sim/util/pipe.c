/* A pipeline with an initiation interval and a latency for each operation: the model of execution units that work in
 * order. */
#include "sim/util/pipe.h"

void pipe_init(struct pipe *p, struct pipe_slot *slots, uint32_t capacity)
{
    *p = (struct pipe){0};
    fifo_init(&p->slots, slots, sizeof *slots, capacity);
}
