/* A bounded first-in-first-out queue: the model of every hardware queue with a number of entries. */
#include "sim/util/fifo.h"

void fifo_init(struct fifo *f, void *slots, uint32_t elem_bytes, uint32_t capacity)
{
    assert(slots && elem_bytes && capacity && capacity <= UINT32_MAX / 2);
    *f = (struct fifo){.slots = slots,
                       .end = (size_t)fifo_first_span(capacity) * elem_bytes,
                       .elem_bytes = elem_bytes,
                       .capacity = capacity};
}

bool fifo_init_arena(struct fifo *f, struct arena *a, uint32_t elem_bytes, uint32_t capacity)
{
    void *slots = arena_alloc_unset(a, capacity, elem_bytes, 16);

    if (!slots)
        return false;
    fifo_init(f, slots, elem_bytes, capacity);
    return true;
}

uint32_t fifo_widen(void *slots, uint32_t elem_bytes, uint32_t head, uint32_t span, uint32_t capacity)
{
    uint32_t wider = capacity - span < span ? capacity : 2 * span, fits = wider - span;
    uint8_t *at = slots;

    /* those that have gone round follow the others, as many as fit, and the rest goes round again */
    if (fits > head)
        fits = head;
    memcpy(at + (size_t)span * elem_bytes, at, (size_t)fits * elem_bytes);
    memmove(at, at + (size_t)fits * elem_bytes, (size_t)(head - fits) * elem_bytes);
    return wider;
}
