/* out = transpose of in, which has `rows` rows of `cols` dwords. One work-item moves four elements of a 32 x 32 tile.
 * The naive kernel writes with a stride; the padded one turns the tile in LDS, whose rows are 33 dwords long so that
 * reading a column touches every bank once. */
#include "gcn.h"

#define T 32
#define R 8

kernel GROUP(T, R) void transpose_naive(global const uint *in, global uint *out, uint rows, uint cols)
{
    uint x = group_x() * T + local_x();
    uint y = group_y() * T + local_y();
    for (uint j = 0; j < T; j += R)
        out[x * rows + y + j] = in[(y + j) * cols + x];
}

kernel GROUP(T, R) void transpose_padded(global const uint *in, global uint *out, uint rows, uint cols)
{
    local uint tile[T][T + 1];
    uint x = group_x() * T + local_x();
    uint y = group_y() * T + local_y();
    for (uint j = 0; j < T; j += R)
        tile[local_y() + j][local_x()] = in[(y + j) * cols + x];
    group_barrier();
    x = group_y() * T + local_x();
    y = group_x() * T + local_y();
    for (uint j = 0; j < T; j += R)
        out[(y + j) * rows + x] = tile[local_x()][local_y() + j];
}
