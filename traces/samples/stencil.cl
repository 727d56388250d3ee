/* One step of the 5-point stencil on a w x h grid: the inside becomes centre + k * (left + right + up + down - 4 *
 * centre), every operation rounded on its own; the border is copied. */
#include "gcn.h"

kernel void stencil(global const float *in, global float *out, uint w, uint h, float k)
{
    uint x = global_x(), y = global_y();
    if (x >= w || y >= h)
        return;
    uint p = y * w + x;
    float c = in[p];
    float r = c;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        float sum = in[p - 1] + in[p + 1];
        sum = sum + in[p - w];
        sum = sum + in[p + w];
        r = c + k * (sum - 4.0f * c);
    }
    out[p] = r;
}
