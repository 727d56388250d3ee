/* A bounded first-in-first-out queue: the model of every hardware queue with a number of entries. */
#include "sim/util/fifo.h"

void fifo_init(struct fifo *f, void *slots, uint32_t elem_bytes, uint32_t capacity)
{
    assert(slots && elem_bytes && capacity && capacity <= UINT32_MAX / 2);
    *f = (struct fifo){
        .slots = slots, .end = (size_t)capacity * elem_bytes, .elem_bytes = elem_bytes, .capacity = capacity};
}

bool fifo_init_arena(struct fifo *f, struct arena *a, uint32_t elem_bytes, uint32_t capacity)
{
    void *slots = arena_alloc_unset(a, capacity, elem_bytes, 16);

    if (!slots)
        return false;
    fifo_init(f, slots, elem_bytes, capacity);
    return true;
}
