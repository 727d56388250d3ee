/* A bounded first-in-first-out queue of fixed-size elements over memory of the caller's.
 *
 * It has no time of its own, and so no tick: an element can be popped in the cycle it was pushed in. Elements are built
 * and read in place; a pointer returned is valid until that element is popped. Nothing is allocated after fifo_init().
 * Pushing into a full queue and popping an empty one are bugs of the caller (assert).
 */
#ifndef GCNSIM_UTIL_FIFO_H
#define GCNSIM_UTIL_FIFO_H

#include <assert.h>

#include "sim/util/arena.h"
#include "sim/util/bits.h"

struct fifo {
    uint8_t *slots;
    size_t head; /* of the oldest element, in bytes behind `slots`, */
    size_t end;  /* and of the end of the slots */
    uint32_t elem_bytes;
    uint32_t capacity;
    uint32_t count;
};

/* `slots` holds capacity * elem_bytes bytes, aligned for the element, and outlives the queue. */
void fifo_init(struct fifo *f, void *slots, uint32_t elem_bytes, uint32_t capacity);

/* The same over memory of the arena, with elements aligned to 16. False when the host has no memory. */
bool fifo_init_arena(struct fifo *f, struct arena *a, uint32_t elem_bytes, uint32_t capacity);

static inline uint32_t fifo_free_entries(const struct fifo *f)
{
    return f->capacity - f->count;
}

static inline bool fifo_can_accept(const struct fifo *f)
{
    return f->count < f->capacity;
}

static inline bool fifo_is_idle(const struct fifo *f)
{
    return !f->count;
}

/* Appends an element and returns its slot for the caller to fill; the slot holds garbage. */
static inline void *fifo_push(struct fifo *f)
{
    size_t at = f->head + (size_t)f->count * f->elem_bytes;

    assert(fifo_can_accept(f));
    if (at >= f->end)
        at -= f->end;
    f->count++;
    return f->slots + at;
}

/* Appends a copy of *elem. */
static inline void fifo_accept(struct fifo *f, const void *elem)
{
    memcpy(fifo_push(f), elem, f->elem_bytes);
}

/* Element i counted from the oldest. */
static inline void *fifo_at(const struct fifo *f, uint32_t i)
{
    size_t at = f->head + (size_t)i * f->elem_bytes;

    assert(i < f->count);
    if (at >= f->end)
        at -= f->end;
    return f->slots + at;
}

/* The oldest element, or null when there is none. */
static inline void *fifo_front(const struct fifo *f)
{
    return f->count ? f->slots + f->head : NULL;
}

static inline void fifo_pop(struct fifo *f)
{
    assert(f->count);
    /* an emptied queue starts again at slot 0, so that a queue with few elements stays in the host's cache */
    f->head += f->elem_bytes;
    if (!--f->count || f->head == f->end)
        f->head = 0;
}

#endif
