/* bins[v] += how often byte v occurs in in[0..n): counted in LDS with atomics, then added to memory with atomics.
 * A work-item strides over the input by the size of the grid. last[v] becomes one more than the largest index at
 * which v occurs (a maximum in memory, many lanes at one address). ticket[0] counts the workgroups with an atomic
 * whose old value is used: the last one to come stores that value in ticket[1]. */
#include "gcn.h"

#define N 256

kernel GROUP(N, 1) void histogram(global const uchar *in, global uint *bins, global uint *last, global uint *ticket,
                                  uint n, uint groups)
{
    local uint count[256];
    uint i = local_x();
    count[i] = 0;
    group_barrier();
    for (uint p = group_x() * N + i; p < n; p += groups * N) {
        uint v = in[p];
        __scoped_atomic_fetch_add(&count[v], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
        __scoped_atomic_fetch_max(&last[v], p + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    }
    group_barrier();
    if (count[i])
        __scoped_atomic_fetch_add(&bins[i], count[i], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (i == 0) {
        uint turn = __scoped_atomic_fetch_add(&ticket[0], 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
        if (turn == groups - 1)
            ticket[1] = turn;
    }
}
