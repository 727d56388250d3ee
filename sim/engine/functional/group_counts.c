/* Counts of finished workgroups, kept apart as long as it is open which of them the result counts.
 *
 * A fault of workgroup F leaves those above F out of the result, also when they have finished, and F may be any
 * workgroup that has started and not finished, or one that has not started. So a worker keeps the counts of the
 * workgroups it has finished in rows, and adds up those that no unfinished workgroup lies between: neighbours at once,
 * as most of a batch are. Now and then it reads the claims and batches of all workers for that, without a lock. A claim
 * says CLAIM_PENDING while the worker takes a number, and so every number below `next_group`, read first, goes through
 * these, in this order: such a claim (where it becomes part of a batch), a batch, a claim, a finished workgroup. Claims
 * are looked at before the batches, until none of those is left that were pending, and again after them: whatever
 * was in none of them has finished. The first number of a batch stands for all of it, because k has finished none of
 * the rest. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/functional/functional.h"

#define ROWS_AT_FIRST 64

static int by_last(const void *a, const void *b)
{
    const struct group_row *x = a, *y = b;

    return (x->last > y->last) - (x->last < y->last);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void add_tally(uint64_t *restrict to, const uint64_t *restrict from)
{
    for (unsigned k = 0; k < ISA_TALLIES; k++)
        to[k] += from[k];
}

static void add_row(struct group_row *to, const struct group_row *from)
{
    if (from->last > to->last || !to->groups)
        to->last = from->last;
    to->groups += from->groups;
    to->waves += from->waves;
    add_tally(to->tally, from->tally);
}

static struct group_row row_of(const struct group *g)
{
    struct group_row row = {.last = g->id, .groups = 1, .waves = g->waves};

    memcpy(row.tally, g->tally, sizeof row.tally);
    return row;
}

static uint64_t claim_of(const struct group *g)
{
    uint64_t claim;

    while ((claim = atomic_load(&g->claim)) == CLAIM_PENDING)
        sched_yield();
    return claim;
}

/* Room for one number of each batch and of each workgroup that is now resident. */
static bool make_unfinished_room(struct worker *k)
{
    struct group_counts *b = &k->counts;
    const struct run *r = k->run;
    size_t most = r->workers;

    RUN_EACH_GROUP(r, g) most++;
    if (most <= b->unfinished_room)
        return true;
    b->unfinished_room = most * 2;
    return (b->unfinished = ARENA_NEW(&b->arena, b->unfinished_room, uint64_t)) != NULL;
}

/* The unfinished workgroups in ascending order, into k->counts.unfinished. Workgroups that are taken in the meantime
 * may be among them or not: their numbers are higher than those in k's rows. False: out of host memory. */
static bool list_unfinished(struct worker *k, size_t *count)
{
    struct group_counts *b = &k->counts;
    const struct run *r = k->run;
    uint64_t next = atomic_load(&r->next_group);

    if (!make_unfinished_room(k))
        return false;
    RUN_EACH_GROUP(r, g) claim_of(g);
    *count = 0;
    for (unsigned i = 0; i < r->workers; i++)
        *count += batches_first(r->worker[i], &b->unfinished[*count]);
    RUN_EACH_GROUP(r, g)
    {
        uint64_t claim = claim_of(g);
        if (claim >= next)
            continue;
        if (*count == b->unfinished_room)
            return list_unfinished(k, count);
        b->unfinished[(*count)++] = claim;
    }
    qsort(b->unfinished, *count, sizeof *b->unfinished, by_value);
    return true;
}

/* Adds up what can be added up. */
static bool compact(struct worker *k)
{
    struct group_counts *b = &k->counts;
    size_t unfinished, u = 0, out = 0;

    if (!list_unfinished(k, &unfinished))
        return false;
    if (!b->rows)
        return true;
    qsort(b->row, b->rows, sizeof *b->row, by_last);
    for (size_t i = 1; i < b->rows; i++) {
        while (u < unfinished && b->unfinished[u] < b->row[out].last)
            u++;
        if (u < unfinished && b->unfinished[u] < b->row[i].last)
            b->row[++out] = b->row[i];
        else
            add_row(&b->row[out], &b->row[i]);
    }
    b->rows = out + 1;
    return true;
}

static bool make_room(struct worker *k)
{
    struct group_counts *b = &k->counts;

    if (!compact(k))
        return false;
    /* so that adding up costs little per workgroup */
    if (b->rows * 2 < b->room && b->unfinished_room < b->room)
        return true;
    size_t room = b->room ? b->room * 2 : ROWS_AT_FIRST;
    struct group_row *row = ARENA_NEW(&b->arena, room, struct group_row);
    if (!row)
        return false;
    if (b->rows)
        memcpy(row, b->row, b->rows * sizeof *row);
    b->row = row;
    b->room = room;
    return true;
}

bool group_counts_add(struct worker *k, const struct group *g)
{
    struct group_counts *b = &k->counts;

    if (b->rows && b->row[b->rows - 1].last + 1 == g->id) { /* nothing lies between */
        struct group_row *row = &b->row[b->rows - 1];
        row->last = g->id;
        row->groups++;
        row->waves += g->waves;
        add_tally(row->tally, g->tally);
        return true;
    }
    if (b->rows == b->room && !make_room(k))
        return false;
    b->row[b->rows++] = row_of(g);
    return true;
}

struct group_row group_counts_sum(const struct run *r, uint64_t last)
{
    struct group_row sum = {0};

    for (unsigned i = 0; i < r->workers; i++)
        for (size_t n = 0; n < r->worker[i]->counts.rows; n++)
            if (r->worker[i]->counts.row[n].last <= last)
                add_row(&sum, &r->worker[i]->counts.row[n]);
    RUN_EACH_GROUP(r, g)
    {
        struct group_row row = row_of(g);
        if (atomic_load(&g->claim) == CLAIM_NONE || g->id > last)
            continue;
        row.groups = row.waves = 0; /* of those only finished ones count */
        add_row(&sum, &row);
    }
    return sum;
}
