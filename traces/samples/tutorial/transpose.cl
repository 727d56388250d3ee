/* out = transpose of in, a matrix of `cols` columns. A workgroup turns a tile of 32 x 32 dwords in LDS, so that memory
 * is read and written along rows. docs/TUTORIAL.md makes the slow kernel fast. */
#include "../gcn.h"

#define T 32
#define R 8

/* Rows of the tile are 32 dwords apart: a column lies in one bank. */
kernel GROUP(T, R) void transpose_slow(global const uint *in, global uint *out, uint rows, uint cols)
{
    local uint tile[T][T];
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

/* The same with rows that are 33 dwords apart. */
kernel GROUP(T, R) void transpose_fast(global const uint *in, global uint *out, uint rows, uint cols)
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
