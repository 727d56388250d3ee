/* y[i] = a * x[i] + y[i] with one rounding. The launch has more work-items than elements and workgroups that end in
 * the middle of a wave: the tail. */
#include "gcn.h"

kernel void saxpy(float a, global const float *x, global float *y, uint n)
{
    uint i = global_x();
    if (i < n)
        y[i] = __builtin_fmaf(a, x[i], y[i]);
}
