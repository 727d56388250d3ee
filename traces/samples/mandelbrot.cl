/* out[y * w + x] = iterations (at most `limit`) before z = z * z + c leaves the circle of radius 2. Neighbouring lanes
 * leave the loop at different times: divergence. Every operation is rounded on its own. */
#include "gcn.h"

kernel void mandelbrot(global uint *out, uint w, uint h, uint limit, float x0, float y0, float step)
{
    uint px = global_x(), py = global_y();
    if (px >= w || py >= h)
        return;
    float cx = x0 + (float)px * step;
    float cy = y0 + (float)py * step;
    float x = 0.0f, y = 0.0f;
    uint n = 0;
    while (n < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = (x + x) * y + cy;
        x = (xx - yy) + cx;
        n++;
    }
    out[py * w + px] = n;
}
