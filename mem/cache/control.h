/* Cache control in flight: invalidations and write-backs of a group of CUs, from the cycle they were requested to the
 * completion that a wait counter waits for.
 *
 * An entry is done in a cycle that is known when it is accepted or, once the far side has been asked for a write-back,
 * when the far side has reported its end (control_arrived). Entries done in one cycle come out in the order they were
 * accepted.
 */
#ifndef GCNSIM_MEM_CONTROL_H
#define GCNSIM_MEM_CONTROL_H

#include "sim/util/arena.h"
#include "sim/util/bits.h"

struct control_entry {
    cycle_t done;  /* CYCLE_NEVER: not known yet */
    cycle_t after; /* from the far side's report to `done` */
    uint64_t token;
    uint64_t id;
    uint16_t cu;
    uint8_t port; /* enum mem_port_kind */
    bool send;    /* in cycle `done` the far side is to be asked */
};

struct control_list {
    struct control_entry *entry; /* in order of ids */
    uint32_t count, capacity;
    uint64_t next_id;
    cycle_t next; /* earliest `done` */
};

bool control_init(struct control_list *l, struct arena *arena, uint32_t capacity);

static inline bool control_is_idle(const struct control_list *l)
{
    return !l->count;
}

static inline bool control_can_accept(const struct control_list *l)
{
    return l->count < l->capacity;
}

/* Returns the entry's id. */
uint64_t control_accept(struct control_list *l, const struct control_entry *e);
/* The far side has reported the end of the write-back, which arrives in cycle `now`. */
void control_arrived(struct control_list *l, uint64_t id, cycle_t now);
/* Removes an entry that is done by `now`. */
bool control_pop(struct control_list *l, cycle_t now, struct control_entry *out);

#endif
