/* Cache control that a group of CUs has under way: invalidations and write-backs between the cycle they were asked for
 * and the completion that a wait counter waits for.
 *
 * An entry is done in a cycle known when it is put in, or, once the far side has been asked for a write-back, when that
 * has told (control_arrived). Entries done in a cycle come out in the order they were put in.
 */
#ifndef GCNSIM_MEM_CONTROL_H
#define GCNSIM_MEM_CONTROL_H

#include "sim/util/arena.h"
#include "sim/util/bits.h"

struct control_entry {
    cycle_t done;  /* CYCLE_NEVER: not known yet */
    cycle_t after; /* from the far side's news to `done` */
    uint64_t token;
    uint64_t id;
    uint16_t cu;
    uint8_t port; /* enum mem_port_kind */
    bool send;    /* `done` is when the far side is to be asked */
};

struct control_list {
    struct control_entry *entry; /* in order of ids */
    uint32_t count, capacity;
    uint64_t next_id;
    cycle_t next; /* earliest `done` */
};

bool control_init(struct control_list *l, struct arena *arena, uint32_t capacity);

static inline bool control_can_accept(const struct control_list *l)
{
    return l->count < l->capacity;
}

/* Returns the entry's id. */
uint64_t control_accept(struct control_list *l, const struct control_entry *e);
/* The far side has done its part of the entry in cycle `now`. */
void control_arrived(struct control_list *l, uint64_t id, cycle_t now);
/* Takes one that is done by `now`. */
bool control_pop(struct control_list *l, cycle_t now, struct control_entry *out);

#endif
