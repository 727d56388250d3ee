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

/* 9 points: itself, four neighbours, four diagonal ones; groups of one row of 64. The image has a border of one. */
kernel GROUP(64, 1) void stencil2d(global const float *restrict in, global float *restrict out, uint pitch,
                                   float centre, float cardinal, float diagonal)
{
    uint x = group_x() * 64 + local_x() + 1, y = group_y() + 1;
    global const float *at = in + (ulong)y * pitch + x;
    float sides = at[-1] + at[1] + *(at - pitch) + at[pitch];
    float corners = *(at - pitch - 1) + *(at - pitch + 1) + at[pitch - 1] + at[pitch + 1];

    out[(ulong)y * pitch + x] = centre * at[0] + cardinal * sides + diagonal * corners;
}

/* BiCG's two products with an n x n matrix: q = A p, a row for each work-item, and s = A^T r, a column for each. */
kernel GROUP_MAX(256) void bicg_rows(global const float *a, global const float *p, global float *q, uint n)
{
    uint i = global_x();
    float sum = 0.0f;

    if (i >= n)
        return;
    for (uint j = 0; j < n; j++)
        sum += a[(ulong)i * n + j] * p[j];
    q[i] = sum;
}

kernel GROUP_MAX(256) void bicg_columns(global const float *a, global const float *r, global float *s, uint n)
{
    uint j = global_x();
    float sum = 0.0f;

    if (j >= n)
        return;
    for (uint i = 0; i < n; i++)
        sum += a[(ulong)i * n + j] * r[i];
    s[j] = sum;
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

/* One iteration of PageRank on a graph in CSR form, a row for each workgroup of one wave. */
kernel GROUP(64, 1) void pagerank(global const uint *restrict row_start, global const uint *restrict column,
                                  global const float *restrict value, global const float *restrict rank,
                                  global float *restrict next)
{
    local float part[64];
    uint row = group_x(), lane = local_x(), end = row_start[row + 1];
    float sum = 0.0f;

    for (uint k = row_start[row] + lane; k < end; k += 64)
        sum += value[k] * rank[column[k]];
    part[lane] = sum;
    group_barrier();
    for (uint step = 32; step; step /= 2) {
        if (lane < step)
            part[lane] += part[lane + step];
        group_barrier();
    }
    if (!lane)
        next[row] = part[0];
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
