/* The number of lanes in an execution mask. */
#ifndef GCNSIM_MEM_LANES_H
#define GCNSIM_MEM_LANES_H

#include "sim/util/bits.h"

/* Active lanes are most often neighbours, which need no population count. */
static inline unsigned mem_lane_count(uint64_t lanes)
{
    uint64_t run = lanes ? lanes >> __builtin_ctzll(lanes) : 0;

    if (run & (run + 1))
        return (unsigned)__builtin_popcountll(lanes);
    return run ? 64 - (unsigned)__builtin_clzll(run) : 0;
}

#endif
