/* Pointers whose address space is known only at run time: lanes of one wave read through one instruction from LDS,
 * from scratch and from memory. */
#include "gcn.h"

#define N 64
#define M 8

NOINLINE uint weigh(const uint *p, uint count, uint rot)
{
    uint sum = 0;
    for (uint k = 0; k < count; k++)
        sum = sum * 3 + p[(k + rot) % M];
    return sum;
}

/* A real function, so that the array stays in scratch instead of being given LDS or registers. */
NOINLINE void fill(private uint *own, uint first, uint step)
{
    for (uint k = 0; k < M; k++)
        own[k] = first + k * step;
}

kernel GROUP(N, 1) void flatptr(global const uint *in, global uint *out)
{
    local uint shared[M];
    private uint own[M];
    uint l = local_x();
    uint i = group_x() * N + l;
    if (l < M)
        shared[l] = in[group_x() * N + l] ^ 0x5a5a5a5au;
    fill(own, in[i], l);
    group_barrier();
    const uint *p = shared;
    if (l % 3 == 1)
        p = own;
    else if (l % 3 == 2)
        p = in + l;
    out[i] = weigh(p, M + l % 5, l);
}
