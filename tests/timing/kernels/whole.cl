/* Whole kernels whose times on an MI300A are public (tests/timing/accuracy/mi300a.csv), written anew from their
 * descriptions: what a work-item does, the shape of a workgroup, what is staged through LDS. Loops run for counts that
 * are arguments, as the originals' do, so the compiler unrolls only what it would there. Built for gfx942 by
 * tests/tests.mk, run by tests/timing/accuracy/whole.c.
 *
 * Figures of floats are of no interest to timing; only indices (CSR, bounds) decide what is accessed.
 */
#include "traces/samples/gcn.h"

/* c[i] = a[i] + b[i], an element for each work-item. */
kernel GROUP_MAX(256) void vectoradd(global const float *restrict a, global const float *restrict b,
                                     global float *restrict c, uint n)
{
    uint i = global_x();

    if (i < n)
        c[i] = a[i] + b[i];
}

kernel GROUP_MAX(256) void relu(global const float *restrict in, global float *restrict out, uint n)
{
    uint i = global_x();

    if (i < n)
        out[i] = __builtin_fmaxf(in[i], 0.0f);
}

typedef uint uint4 __attribute__((ext_vector_type(4)));

/* The ROCm runtime's copy within a device: 512 work-items for each CU, 16 bytes at a time, a whole grid apart (CLR's
 * rocblit.cpp: limit_blit_wg_). */
kernel GROUP_MAX(512) void memcopy(global const uint4 *src, global uint4 *dst, ulong n, uint grid)
{
    for (ulong i = global_x(); i < n; i += grid)
        dst[i] = src[i];
}

/* One output for each work-item. */
kernel GROUP_MAX(256) void fir(global const float *restrict in, global const float *restrict coefficient,
                               global float *restrict out, uint n, uint taps)
{
    uint i = global_x();
    float sum = 0.0f;

    if (i >= n)
        return;
    for (uint t = 0; t < taps; t++)
        if (i >= t)
            sum += coefficient[t] * in[i - t];
    out[i] = sum;
}

/* 9 points: itself, four neighbours, four diagonal ones. As in SHOC a group of 64 work-items side by side has a tile of
 * eight rows (its default), which is staged through LDS with a border of one: each work-item loads its column, the first
 * and the last also one beside it. The groups of a column of tiles follow one another. That a group has several rows is
 * also what the times say: groups of one row would be five a cycle. */
enum { ROWS = 8, WIDTH = 64 };
kernel GROUP(1, WIDTH) void stencil2d(global const float *in, global float *out, uint pitch, float centre,
                                      float cardinal, float diagonal)
{
    local float tile[ROWS + 2][WIDTH + 2];
    uint x = local_y();
    ulong first = (ulong)group_x() * ROWS * pitch + group_y() * WIDTH + x + 1;

    for (uint r = 0; r < ROWS + 2; r++)
        tile[r][x + 1] = in[first + r * pitch];
    if (x == 0) {
        for (uint r = 0; r < ROWS + 2; r++)
            tile[r][0] = in[first + r * pitch - 1];
    } else if (x == WIDTH - 1) {
        for (uint r = 0; r < ROWS + 2; r++)
            tile[r][WIDTH + 1] = in[first + r * pitch + 1];
    }
    group_barrier();
    for (uint r = 0; r < ROWS; r++) {
        float sides = tile[r][x + 1] + tile[r + 2][x + 1] + tile[r + 1][x] + tile[r + 1][x + 2];
        float corners = tile[r][x] + tile[r][x + 2] + tile[r + 2][x] + tile[r + 2][x + 2];

        out[first + (r + 1) * pitch] = centre * tile[r + 1][x + 1] + cardinal * sides + diagonal * corners;
    }
}

/* BiCG's two products with an n x n matrix: q = A p, a row for each work-item, and s = A^T r, a column for each. As in
 * PolyBench sums are kept in memory, and pointers may alias: each store comes before the loads of the next step. */
kernel GROUP_MAX(256) void bicg_rows(global const float *a, global const float *p, global float *q, uint n)
{
    uint i = global_x();

    if (i >= n)
        return;
    q[i] = 0.0f;
    for (uint j = 0; j < n; j++)
        q[i] += a[(ulong)i * n + j] * p[j];
}

kernel GROUP_MAX(256) void bicg_columns(global const float *a, global const float *r, global float *s, uint n)
{
    uint j = global_x();

    if (j >= n)
        return;
    s[j] = 0.0f;
    for (uint i = 0; i < n; i++)
        s[j] += a[(ulong)i * n + j] * r[i];
}

/* Pass k of Floyd and Warshall's shortest paths, with the node that each path goes through. */
kernel GROUP_MAX(256) void floydwarshall(global uint *distance, global uint *path, uint n, uint k)
{
    uint x = global_x(), y = global_y();
    uint direct, through;

    if (x >= n || y >= n)
        return;
    direct = distance[y * n + x];
    through = distance[y * n + k] + distance[k * n + x];
    if (through < direct) {
        distance[y * n + x] = through;
        path[y * n + x] = k;
    }
}

/* y = A x for A in CSR form, a row for each work-item. */
kernel GROUP_MAX(256) void spmv_csr_scalar(global const float *restrict value, global const uint *restrict column,
                                           global const uint *restrict row_start, global const float *restrict x,
                                           global float *restrict y, uint n)
{
    uint row = global_x();
    float sum = 0.0f;

    if (row >= n)
        return;
    for (uint k = row_start[row]; k < row_start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

/* One iteration of PageRank on a graph in CSR form, a row for each workgroup of one wave. As in Hetero-Mark the row is a
 * work-item's number divided by 64, which is no scalar to the compiler, sums are kept in LDS, and the result is cleared
 * first and added to at the end. */
kernel GROUP(64, 1) void pagerank(global const uint *row_start, global const uint *column, global const float *value,
                                  global const float *rank, global float *next, uint rows)
{
    local float part[64];
    uint row = global_x() / 64, lane = local_x();

    next[row] = 0.0f;
    if (row >= rows)
        return;
    uint first = row_start[row], end = row_start[row + 1];

    part[lane] = 0.0f;
    for (uint k = first + lane; k < end; k += 64)
        part[lane] += value[k] * rank[column[k]];
    group_barrier();
    for (uint step = 32; step; step /= 2) {
        if (lane < step)
            part[lane] += part[lane + step];
        group_barrier();
    }
    if (!lane)
        next[row] += part[0];
}

typedef float float4 __attribute__((ext_vector_type(4)));

/* C = A B of n x n matrices of floats, 4 x 4 of C for each work-item of a group of 8 x 8. A panel of 32 rows of B, 32
 * columns wide, is staged through LDS; A is read as it is used, one column at a time: the 4.5 us that a panel takes on
 * hardware, whatever n, are a round trip to the first cache and one to LDS for each of 32 columns. */
kernel GROUP(8, 8) void matrixmultiplication(global const float *a, global const float4 *b, global float4 *c, uint n)
{
    local float4 panel[32][8];
    uint x = local_x(), y = local_y(), wide = n / 4;
    uint column = group_x() * 8 + x, row = (group_y() * 8 + y) * 4;
    float4 sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (uint k0 = 0; k0 < n; k0 += 32) {
#pragma unroll
        for (uint r = 0; r < 4; r++)
            panel[y * 4 + r][x] = b[(k0 + y * 4 + r) * wide + column];
        group_barrier();
#pragma unroll 1
        for (uint k = 0; k < 32; k++) {
            float4 of_b = panel[k][x];
#pragma unroll
            for (uint r = 0; r < 4; r++)
                sum[r] += a[(row + r) * n + k0 + k] * of_b;
        }
        group_barrier();
    }
#pragma unroll
    for (uint r = 0; r < 4; r++)
        c[(row + r) * wide + column] = sum[r];
}
