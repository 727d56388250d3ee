/* The list of cache control operations that a group of CUs has in flight. */
#include "mem/cache/control.h"

#include <assert.h>
#include <string.h>

bool control_init(struct control_list *l, struct arena *arena, uint32_t capacity)
{
    *l = (struct control_list){.capacity = capacity, .next = CYCLE_NEVER};
    l->entry = ARENA_NEW(arena, capacity, struct control_entry);
    return l->entry != NULL;
}

static void set_next(struct control_list *l)
{
    l->next = CYCLE_NEVER;
    for (uint32_t k = 0; k < l->count; k++)
        l->next = l->entry[k].done < l->next ? l->entry[k].done : l->next;
}

uint64_t control_accept(struct control_list *l, const struct control_entry *e)
{
    assert(control_can_accept(l));
    l->entry[l->count] = *e;
    l->entry[l->count++].id = l->next_id;
    if (e->done < l->next)
        l->next = e->done;
    return l->next_id++;
}

void control_arrived(struct control_list *l, uint64_t id, cycle_t now)
{
    uint32_t k = 0;

    while (l->entry[k].id != id)
        k++;
    assert(k < l->count && l->entry[k].done == CYCLE_NEVER);
    l->entry[k].done = now + l->entry[k].after;
    if (l->entry[k].done < l->next)
        l->next = l->entry[k].done;
}

bool control_pop(struct control_list *l, cycle_t now, struct control_entry *out)
{
    if (l->next > now)
        return false;
    for (uint32_t k = 0; k < l->count; k++)
        if (l->entry[k].done <= now) {
            *out = l->entry[k];
            memmove(&l->entry[k], &l->entry[k + 1], (--l->count - k) * sizeof l->entry[0]);
            set_next(l);
            return true;
        }
    return false;
}
