/* Scratch arrays with run-time indices and real calls, two deep: each work-item fills an array from its seed, sorts
 * it in place through a pointer (sort_small calls mix for its keys), and stores a checksum and one element. */
#include "gcn.h"

#define COUNT 12

/* A bijection of 32 bits; the loop keeps it from being folded into its callers. */
NOINLINE uint mix(uint v, uint rounds)
{
    for (uint r = 0; r < rounds; r++) {
        v ^= v >> 16;
        v *= 0x7feb352du;
        v ^= v >> 15;
    }
    return v;
}

/* Insertion sort by the mixed value. */
NOINLINE void sort_small(private uint *a, uint count, uint rounds)
{
    for (uint i = 1; i < count; i++) {
        uint v = a[i];
        uint key = mix(v, rounds);
        uint j = i;
        while (j > 0 && mix(a[j - 1], rounds) > key) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

kernel GROUP(64, 1) void call(global const uint *seed, global uint *out, uint rounds)
{
    private uint a[COUNT];
    uint i = group_x() * 64 + local_x();
    uint v = seed[i];
    for (uint k = 0; k < COUNT; k++) {
        v = v * 1664525u + 1013904223u;
        a[k] = v >> 8;
    }
    uint count = 4 + seed[i] % (COUNT - 3); /* 4..COUNT, different in each lane */
    sort_small(a, count, rounds);
    uint sum = 0;
    for (uint k = 0; k < COUNT; k++)
        sum = sum * 31 + a[k];
    out[2 * i] = sum;
    out[2 * i + 1] = a[i % count];
}
