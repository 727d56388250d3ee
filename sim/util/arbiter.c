#include "sim/util/arbiter.h"

#include <assert.h>
#include <stdio.h>

void arbiter_init(struct arbiter *a, uint32_t count)
{
    assert(count >= 1 && count <= 64);
    *a = (struct arbiter){.count = count};
}

void arbiter_accept(struct arbiter *a, uint32_t winner)
{
    assert(winner < a->count);
    a->next = winner + 1 == a->count ? 0 : winner + 1;
}

int arbiter_pick_oldest(uint64_t requests, const uint64_t *stamp)
{
    int best = -1;

    for (; requests; requests &= requests - 1) {
        int i = __builtin_ctzll(requests);
        if (best < 0 || stamp[i] < stamp[best])
            best = i;
    }
    return best;
}

int arbiter_dump(const struct arbiter *a, char *buf, size_t size)
{
    return snprintf(buf, size, "arbiter of %u, next %u", a->count, a->next);
}
