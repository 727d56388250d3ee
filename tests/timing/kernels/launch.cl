/* The kernel of RRZE's gpu-small-kernels, written anew: a[i] = b[i] / 4, a double for each work-item. Built by
 * tests/timing/test_launch_times.c. */
#include "traces/samples/gcn.h"

kernel GROUP_MAX(256) void scale(global double *restrict a, global const double *restrict b, uint n)
{
    uint i = global_x();

    if (i < n)
        a[i] = b[i] * 0.25;
}
