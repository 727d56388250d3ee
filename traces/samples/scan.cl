/* Inclusive prefix sum of each workgroup's 256 dwords (Hillis and Steele, two buffers in LDS); totals[g] is the sum
 * of workgroup g. */
#include "gcn.h"

#define N 256

kernel GROUP(N, 1) void scan(global const uint *in, global uint *out, global uint *totals)
{
    local uint buf[2][N];
    uint i = local_x();
    uint p = group_x() * N + i;
    uint from = 0;
    buf[0][i] = in[p];
    group_barrier();
    for (uint d = 1; d < N; d <<= 1) {
        uint v = buf[from][i];
        if (i >= d)
            v += buf[from][i - d];
        from ^= 1;
        buf[from][i] = v;
        group_barrier();
    }
    out[p] = buf[from][i];
    if (i == N - 1)
        totals[group_x()] = buf[from][i];
}
