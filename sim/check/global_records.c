/* Tables of accesses to memory, by blocks of it (global_records.h). */
#include "sim/check/global_records.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 64 };

void global_fail(struct global *g)
{
    g->check->no_memory = true;
    g->failed = true;
}

void *global_resize(struct global *g, uint64_t *bytes, void *old, uint64_t had, uint64_t want)
{
    struct budget *budget = g->check->launch->space->budget;
    void *more;

    if (!budget_take(budget, want))
        return NULL;
    more = realloc(old, want);
    budget_give(budget, more ? had : want);
    if (more)
        *bytes += want - had;
    return more;
}

void table_free(struct global *g, struct table *t)
{
    budget_give(g->check->launch->space->budget, t->bytes);
    free(t->slot);
    free(t->record);
    *t = (struct table){.run = 1};
}

static struct slot *slot_of(const struct table *t, struct slot *slot, size_t slots, gaddr_t block)
{
    size_t k = (size_t)hash64(block, 40) & (slots - 1);

    while (slot[k].run == t->run && slot[k].block != block)
        k = (k + 1) & (slots - 1);
    return &slot[k];
}

static bool table_grow(struct global *g, struct table *t)
{
    size_t slots = t->slots ? t->slots * 2 : FIRST_SLOTS;
    uint64_t bytes = 0;
    struct slot *more = global_resize(g, &bytes, NULL, 0, slots * sizeof *more);

    if (!more)
        return false;
    memset(more, 0, slots * sizeof *more);
    for (size_t k = 0; k < t->slots; k++)
        if (t->slot[k].run == t->run)
            *slot_of(t, more, slots, t->slot[k].block) = t->slot[k];
    budget_give(g->check->launch->space->budget, t->slots * sizeof *more);
    t->bytes += bytes - t->slots * sizeof *more;
    free(t->slot);
    t->slot = more;
    t->slots = slots;
    return true;
}

struct slot *table_at(struct global *g, struct table *t, gaddr_t block)
{
    if (t->used * 2 >= t->slots && !table_grow(g, t))
        return NULL;
    struct slot *s = slot_of(t, t->slot, t->slots, block);
    if (s->run != t->run) {
        *s = (struct slot){.block = block, .run = t->run, .head = NO_RECORD};
        t->used++;
    }
    return s;
}

bool table_add(struct global *g, struct table *t, struct slot *s, struct record r)
{
    if (t->records == t->room) {
        size_t room = t->room ? t->room * 2 : FIRST_SLOTS;
        struct record *more = room > UINT32_MAX / 2
                                  ? NULL
                                  : global_resize(g, &t->bytes, t->record, t->room * sizeof *more, room * sizeof *more);
        if (!more)
            return false;
        t->record = more;
        t->room = room;
    }
    r.next = s->head;
    t->record[t->records++] = r;
    s->head = (uint32_t)t->records;
    return true;
}

void table_reset(struct global *g, struct table *t)
{
    if (t->slots > FIRST_SLOTS && t->used * 16 < t->slots)
        table_free(g, t);
    t->used = t->records = 0;
    if (!++t->run)
        table_free(g, t);
}
