/* c = a x bt^T: f16 times f16 into f32, all square with rows of n elements, n a multiple of 64. The matrices are read
 * with k running along rows, straight from memory into the registers of the matrix instructions: the caches do what
 * tiles in LDS would. A wave makes two by two tiles. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef unsigned int uint;
typedef half half4 __attribute__((ext_vector_type(4)));
typedef half half8 __attribute__((ext_vector_type(8)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef float float16 __attribute__((ext_vector_type(16)));

#define LANE __builtin_amdgcn_workitem_id_x()
#define ROW  __builtin_amdgcn_workgroup_id_y()
#define COL  (__builtin_amdgcn_workgroup_id_x() * 4 + __builtin_amdgcn_workitem_id_y())

#ifdef __gfx1201__
/* 16 x 16 x 16. A lane holds eight k of one row (lanes 16 and up: the upper eight), and eight rows of a column of C. */
__attribute__((reqd_work_group_size(32, 4, 1))) kernel void gemm(global const half *a, global const half *bt,
                                                                 global float *c, uint n)
{
    const uint lane = LANE, row = lane % 16, upper = lane / 16 * 8, m = ROW * 32, q = COL * 32;
    global const half8 *pa = (global const half8 *)(a + (m + row) * n + upper);
    global const half8 *pb = (global const half8 *)(bt + (q + row) * n + upper);
    const uint down = 16 * n / 8; /* to the tile below, in half8 */
    float8 sum[2][2] = {{0, 0}, {0, 0}};

    for (uint k = 0; k < n / 8; k += 2) {
        half8 x[2] = {pa[k], pa[k + down]}, y[2] = {pb[k], pb[k + down]};

#pragma unroll
        for (uint i = 0; i < 4; i++)
            sum[i / 2][i % 2] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x[i / 2], y[i % 2], sum[i / 2][i % 2]);
    }
#pragma unroll
    for (uint i = 0; i < 4; i++)
#pragma unroll
        for (uint e = 0; e < 8; e++)
            c[(m + i / 2 * 16 + upper + e) * n + q + i % 2 * 16 + row] = sum[i / 2][i % 2][e];
}
#else
/* 32 x 32 x 8. A lane holds four k of one row (lanes 32 and up: the upper four), and 4 x 4 rows of a column of C. */
__attribute__((reqd_work_group_size(64, 4, 1))) kernel void gemm(global const half *a, global const half *bt,
                                                                 global float *c, uint n)
{
    const uint lane = LANE, row = lane % 32, upper = lane / 32 * 4, m = ROW * 64, q = COL * 64;
    global const half4 *pa = (global const half4 *)(a + (m + row) * n + upper);
    global const half4 *pb = (global const half4 *)(bt + (q + row) * n + upper);
    const uint down = 32 * n / 4;
    float16 sum[2][2] = {{0, 0}, {0, 0}};

    for (uint k = 0; k < n / 4; k += 2) {
        half4 x[2] = {pa[k], pa[k + down]}, y[2] = {pb[k], pb[k + down]};

#pragma unroll
        for (uint i = 0; i < 4; i++)
            sum[i / 2][i % 2] =
                __builtin_amdgcn_mfma_f32_32x32x8f16(x[i / 2], y[i % 2], sum[i / 2][i % 2], 0, 0, 0);
    }
#pragma unroll
    for (uint i = 0; i < 4; i++)
#pragma unroll
        for (uint e = 0; e < 16; e++)
            c[(m + i / 2 * 32 + e / 4 * 8 + upper + e % 4) * n + q + i % 2 * 32 + row] = sum[i / 2][i % 2][e];
}
#endif
