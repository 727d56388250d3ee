/* An arbiter for hardware units that several requesters share: the oldest request wins. */
#include "sim/util/arbiter.h"

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
