/* A bounded first-in-first-out queue of fixed-size elements over memory of the caller's.
 *
 * It has no time of its own, and so no tick: an element can be popped in the cycle it was pushed in. Elements are built
 * and read in place; a pointer to the oldest is valid until that is popped, one to another until something is pushed.
 * Nothing is allocated after fifo_init(). Pushing into a full queue and popping an empty one are bugs of the caller
 * (assert).
 *
 * A queue that is never empty goes round its slots. It uses only the first of them, and more when it has been as long:
 * so a queue with many slots and few elements stays in the host's caches.
 */
#ifndef GCNSIM_UTIL_FIFO_H
#define GCNSIM_UTIL_FIFO_H

#include <assert.h>

#include "sim/util/arena.h"
#include "sim/util/bits.h"

struct fifo {
    uint8_t *slots;
    size_t head; /* of the oldest element, in bytes after `slots`, */
    size_t end;  /* and of the end of the slots in use */
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

/* Slots in use at first. */
static inline uint32_t fifo_first_span(uint32_t capacity)
{
    return capacity < 16 ? capacity : 16;
}

/* All `span` slots in use are taken, from `head` on and around: puts more to use. Returns how many are in use then. */
uint32_t fifo_widen(void *slots, uint32_t elem_bytes, uint32_t head, uint32_t span, uint32_t capacity);

/* Appends an element and returns its slot for the caller to fill; the slot holds garbage. */
static inline void *fifo_push(struct fifo *f)
{
    size_t at = f->head + (size_t)f->count * f->elem_bytes;

    assert(fifo_can_accept(f));
    if (__builtin_expect((size_t)f->count * f->elem_bytes == f->end, 0)) {
        uint32_t bytes = f->elem_bytes;

        f->end = (size_t)bytes * fifo_widen(f->slots, bytes, (uint32_t)(f->head / bytes), f->count, f->capacity);
    }
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

/* The same for elements of one type, with a capacity that the caller has at hand: where there are thousands of queues
 * that each cycle looks at, they are small. Zeroed before NAME_init(). */
#define FIFO_OF(NAME, TYPE)                                                                                            \
    struct NAME {                                                                                                      \
        TYPE *slot;                                                                                                    \
        uint32_t head, count, span; /* in use: slots 0 .. span-1 */                                                    \
    };                                                                                                                 \
    static inline bool NAME##_init(struct NAME *q, struct arena *a, uint32_t capacity)                                 \
    {                                                                                                                  \
        q->slot = arena_alloc_unset(a, capacity, sizeof *q->slot, 16);                                                 \
        q->span = fifo_first_span(capacity);                                                                           \
        return q->slot != NULL;                                                                                        \
    }                                                                                                                  \
    FIFO_OF_ENDS(NAME, TYPE)                                                                                           \
    static inline TYPE *NAME##_at(const struct NAME *q, uint32_t i)                                                    \
    {                                                                                                                  \
        assert(i < q->count);                                                                                          \
        return q->slot + (q->head + i < q->span ? q->head + i : q->head + i - q->span);                                \
    }
#define FIFO_OF_ENDS(NAME, TYPE)                                                                                       \
    static inline TYPE *NAME##_front(const struct NAME *q)                                                             \
    {                                                                                                                  \
        return q->count ? q->slot + q->head : NULL;                                                                    \
    }                                                                                                                  \
    static inline TYPE *NAME##_push(struct NAME *q, uint32_t capacity)                                                 \
    {                                                                                                                  \
        uint32_t at = q->head + q->count;                                                                              \
        assert(q->count < capacity);                                                                                   \
        if (__builtin_expect(q->count == q->span, 0))                                                                  \
            q->span = fifo_widen(q->slot, sizeof *q->slot, q->head, q->span, capacity);                                \
        q->count++;                                                                                                    \
        return q->slot + (at < q->span ? at : at - q->span);                                                           \
    }                                                                                                                  \
    static inline void NAME##_pop(struct NAME *q)                                                                      \
    {                                                                                                                  \
        assert(q->count);                                                                                              \
        q->head = --q->count && q->head + 1 < q->span ? q->head + 1 : 0;                                               \
    }

#endif
