/* An arbiter: picks one of up to 64 requesters, given as a bit mask. Oldest first, without state of its own. */
#ifndef GCNSIM_UTIL_ARBITER_H
#define GCNSIM_UTIL_ARBITER_H

#include "sim/util/bits.h"

/* The requester with the smallest stamp[i], and of equal ones the lowest index; -1 when there is no requester. */
int arbiter_pick_oldest(uint64_t requests, const uint64_t *stamp);

#endif
