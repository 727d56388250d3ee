/* C = A * B, row-major, A is m x k, B is k x n: tiles of 16 x 16 through LDS. All three sizes are multiples of 16.
 * Every product is fused into its sum, k ascending. */
#include "gcn.h"

#define T 16

kernel GROUP(T, T) void matmul(global const float *a, global const float *b, global float *c, uint k, uint n)
{
    local float tile_a[T][T], tile_b[T][T];
    uint x = local_x(), y = local_y();
    uint col = group_x() * T + x, row = group_y() * T + y;
    float sum = 0.0f;
    for (uint k0 = 0; k0 < k; k0 += T) {
        tile_a[y][x] = a[row * k + k0 + x];
        tile_b[y][x] = b[(k0 + y) * n + col];
        group_barrier();
        for (uint j = 0; j < T; j++)
            sum = __builtin_fmaf(tile_a[y][j], tile_b[j][x], sum);
        group_barrier();
    }
    c[row * n + col] = sum;
}
