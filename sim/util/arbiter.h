/* Who goes first among up to 64 requesters given as a bit mask.
 *
 * Round robin: the first requester after the last winner, wrapping. Oldest first: the smallest stamp, ties to the
 * lowest index. Picking and winning are two steps, because the winner of a pick may turn out unable to go: only
 * arbiter_accept() moves the round-robin pointer. An arbiter holds no requests and so never has work of its own.
 */
#ifndef GCNSIM_UTIL_ARBITER_H
#define GCNSIM_UTIL_ARBITER_H

#include "sim/util/bits.h"

struct arbiter {
    uint32_t count; /* requesters, 1..64 */
    uint32_t next;  /* the one favoured by round robin */
};

void arbiter_init(struct arbiter *a, uint32_t count);

/* Whether any of the requesters could be picked. */
static inline bool arbiter_can_accept(const struct arbiter *a, uint64_t requests)
{
    return (requests & lane_mask(a->count)) != 0;
}

/* Round robin; -1 when nobody asks. */
static inline int arbiter_pick(const struct arbiter *a, uint64_t requests)
{
    uint64_t from;

    requests &= lane_mask(a->count);
    if (!requests)
        return -1;
    from = requests & (~UINT64_C(0) << a->next);
    return __builtin_ctzll(from ? from : requests);
}

/* Records that `winner` went: the one after it is favoured next. */
void arbiter_accept(struct arbiter *a, uint32_t winner);

/* Oldest first: the requester with the smallest stamp[i]; -1 when nobody asks. Keeps no state. */
int arbiter_pick_oldest(uint64_t requests, const uint64_t *stamp);

/* An arbiter sleeps always and is idle always; both are here so that units of units can treat all parts alike. */
static inline cycle_t arbiter_tick(const struct arbiter *a, cycle_t now)
{
    (void)a;
    (void)now;
    return CYCLE_NEVER;
}

static inline bool arbiter_is_idle(const struct arbiter *a)
{
    (void)a;
    return true;
}

int arbiter_dump(const struct arbiter *a, char *buf, size_t size);

#endif
