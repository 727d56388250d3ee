/* out[i] = a[i] + b[i]. */
#include "gcn.h"

kernel void vecadd(global const float *a, global const float *b, global float *out, uint n)
{
    uint i = global_x();
    if (i < n)
        out[i] = a[i] + b[i];
}
