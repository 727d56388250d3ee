/* Streams of f64 through memory, an element for each work-item: gpu-benches' gpu-stream, written anew. 32 KB of LDS for
 * each workgroup keep two of them on a CU, so that the size of a workgroup sets the occupancy. Built for gfx908, gfx90a
 * and gfx942 by tests/tests.mk, run by tests/timing/accuracy/streams.c. */
#include "traces/samples/gcn.h"

#define STREAM(NAME, VALUE)                                                                                            \
    kernel GROUP_MAX(1024) void NAME(global double *restrict a, global const double *restrict b,                       \
                                     global const double *restrict c, uint n, uint never)                              \
    {                                                                                                                  \
        local double spoiler[4096];                                                                                    \
        uint i = global_x();                                                                                           \
                                                                                                                       \
        (void)c;                                                                                                       \
        if (i >= n)                                                                                                    \
            return;                                                                                                    \
        if (never)                                                                                                     \
            spoiler[local_x()] = b[local_x()];                                                                         \
        VALUE;                                                                                                         \
        if (never)                                                                                                     \
            a[i] = spoiler[i];                                                                                         \
    }

STREAM(init, a[i] = 0.23)
STREAM(scale, a[i] = b[i] * 1.2)
STREAM(triad, a[i] = b[i] * 1.2 + c[i])

kernel GROUP_MAX(1024) void read(global double *restrict a, global const double *restrict b,
                                 global const double *restrict c, uint n, uint never)
{
    local double spoiler[4096];
    uint i = global_x();

    if (i >= n)
        return;
    if (never)
        spoiler[local_x()] = b[local_x()];
    double value = b[i];
    if (never || value == 123.0)
        a[i] = value + spoiler[i] + c[0];
}
