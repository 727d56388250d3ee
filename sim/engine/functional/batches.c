/* Which workgroup a worker starts next.
 *
 * Numbers are given out in ascending order. One counter for all workers is what small workgroups would spend their time
 * at, and neighbours in memory written by two host threads at the same time are another loss; so a worker takes a batch
 * of neighbours at once and starts these one after the other. Batches double while they are short in instructions, and
 * are small again near the end. A worker that finds nothing left takes the lowest number out of another one's batch.
 *
 * Waves may wait for workgroups that have not started. From when a worker has reason to think so all workers take
 * single numbers, the lowest first, those of batches before new ones: what is resident is then what it would be without
 * batches, but for the workgroups that were running already. The first batches are of one workgroup, so that nothing
 * is resident out of order in a kernel which waits from the beginning. */
#include "sim/engine/functional/functional.h"

#define COUNT_BITS         16                  /* of worker.batch, below the first number */
#define BATCH_MOST         64                  /* workgroups, */
#define BATCH_INSTRUCTIONS (UINT64_C(1) << 15) /* and for how many a batch is not made longer */
#define BATCH_SHARES       UINT64_C(4)         /* of a worker in the workgroups that are left */

static uint64_t first_of(uint64_t batch)
{
    return batch >> COUNT_BITS;
}

static uint64_t count_of(uint64_t batch)
{
    return batch & ((UINT64_C(1) << COUNT_BITS) - 1);
}

void batches_init(struct run *r)
{
    const struct launch *l = r->l;
    bool few = l->scratch_slots != UINT32_MAX && r->groups_limit < l->workgroup_count;

    atomic_init(&r->in_order, few || l->workgroup_count >> (63 - COUNT_BITS));
    atomic_init(&r->next_group, r->first_group);
}

void batches_end(struct run *r)
{
    if (!atomic_load_explicit(&r->in_order, memory_order_relaxed))
        atomic_store_explicit(&r->in_order, true, memory_order_relaxed);
}

/* Takes the first workgroup of a worker's batch; another worker may do the same meanwhile. */
static bool take_first(struct worker *k, uint64_t *id)
{
    uint64_t batch = atomic_load(&k->batch);

    while (count_of(batch)) {
        uint64_t rest = (first_of(batch) + 1) << COUNT_BITS | (count_of(batch) - 1);
        if (!atomic_compare_exchange_weak(&k->batch, &batch, rest))
            continue;
        *id = first_of(batch);
        return true;
    }
    return false;
}

/* Takes the lowest of all batches. */
static bool take_lowest(struct run *r, uint64_t *id)
{
    struct worker *lowest;

    do {
        uint64_t first = UINT64_MAX;

        lowest = NULL;
        for (unsigned i = 0; i < r->workers; i++) {
            uint64_t batch = atomic_load(&r->worker[i]->batch);
            if (!count_of(batch) || first_of(batch) >= first)
                continue;
            first = first_of(batch);
            lowest = r->worker[i];
        }
    } while (lowest && !take_first(lowest, id));
    return lowest != NULL;
}

/* How many workgroups k takes of those that are left. */
static uint64_t size_of_batch(struct worker *k, uint64_t left)
{
    struct run *r = k->run;
    uint64_t now = atomic_load_explicit(&k->instructions, memory_order_relaxed);
    uint64_t most = left / (BATCH_SHARES * r->workers);

    if (atomic_load_explicit(&r->in_order, memory_order_relaxed))
        return 1;
    if (!k->batch_size)
        k->batch_size = 1;
    else if (now - k->batch_since < BATCH_INSTRUCTIONS / 2 && k->batch_size < BATCH_MOST)
        k->batch_size *= 2;
    else if (now - k->batch_since > BATCH_INSTRUCTIONS && k->batch_size > 1)
        k->batch_size /= 2;
    k->batch_since = now;
    return most < 1 ? 1 : most < k->batch_size ? most : k->batch_size;
}

/* Takes the next batch, and its first workgroup. */
static bool take_new(struct worker *k, uint64_t *id)
{
    struct run *r = k->run;
    uint64_t count = r->behind, next = atomic_load(&r->next_group);

    if (next >= count)
        return false;
    uint64_t size = size_of_batch(k, count - next);
    *id = atomic_fetch_add(&r->next_group, size);
    if (*id >= count)
        return false;
    if (size > count - *id)
        size = count - *id;
    if (size > 1)
        atomic_store(&k->batch, (*id + 1) << COUNT_BITS | (size - 1));
    return true;
}

bool batches_take(struct worker *k, uint64_t *id)
{
    struct run *r = k->run;

    if (atomic_load_explicit(&r->in_order, memory_order_relaxed))
        return take_lowest(r, id) || take_new(k, id);
    return take_first(k, id) || take_new(k, id) || take_lowest(r, id);
}

uint64_t batches_left(const struct run *r)
{
    uint64_t count = r->behind, next, left = 0;

    for (unsigned i = 0; i < r->workers; i++)
        left += count_of(atomic_load(&r->worker[i]->batch));
    next = atomic_load(&r->next_group); /* after the batches, so that nothing counts twice */
    return left + (next < count ? count - next : 0);
}

bool batches_first(const struct worker *k, uint64_t *id)
{
    uint64_t batch = atomic_load(&k->batch);

    *id = first_of(batch);
    return count_of(batch) != 0;
}
