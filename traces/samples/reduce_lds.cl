/* out[g] = sum of the 256 floats of workgroup g, as a tree in LDS: level s adds element i + s to element i. */
#include "gcn.h"

#define N 256

kernel GROUP(N, 1) void reduce_lds(global const float *in, global float *out)
{
    local float part[N];
    uint i = local_x();
    part[i] = in[group_x() * N + i];
    group_barrier();
    for (uint s = N / 2; s > 0; s >>= 1) {
        if (i < s)
            part[i] += part[i + s];
        group_barrier();
    }
    if (i == 0)
        out[group_x()] = part[0];
}
