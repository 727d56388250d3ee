/* out[work-item] = sum of the elements that are a grid apart, from the work-item's own on; somebody else adds these up.
 * docs/TUTORIAL.md makes the slow kernel fast. */
#include "../gcn.h"

#define GROUP_SIZE 64

/* Each addition waits for its load, so a wave has one line in flight. */
kernel GROUP(GROUP_SIZE, 1) void reduce_slow(global const uint *in, global uint *out, uint count, uint stride)
{
    uint at = group_x() * GROUP_SIZE + local_x();
    uint sum = 0;

#pragma nounroll
    for (uint k = at; k < count; k += stride) {
        uint v = in[k];
        sum += v;
    }
    out[at] = sum;
}

/* Eight loads are in flight before the first addition. */
kernel GROUP(GROUP_SIZE, 1) void reduce_fast(global const uint *in, global uint *out, uint count, uint stride)
{
    uint at = group_x() * GROUP_SIZE + local_x();
    uint sum = 0;

#pragma nounroll
    for (uint k = at; k < count; k += 8 * stride) {
        uint v[8];
        for (uint n = 0; n < 8; n++)
            v[n] = in[k + n * stride];
        for (uint n = 0; n < 8; n++)
            sum += v[n];
    }
    out[at] = sum;
}
