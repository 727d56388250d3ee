/* The yardsticks of the bench: the arithmetic of its kernels as plain C loops, compiled for this very machine and
 * vectorized. Values are in memory between instructions, as a wave's registers are. */
#ifndef BENCH_HOST_LOOP_H
#define BENCH_HOST_LOOP_H

#include <stdint.h>

enum { HOST_CHAINS = 8, HOST_LANES = 32 };

/* Runs `iterations` of HOST_CHAINS independent fused multiply-adds over HOST_LANES floats. Returns a sum, so that
 * nothing can be left out. */
float host_loop(uint64_t iterations);

/* `iterations` of the vector work of the bench's integer kernel over HOST_LANES lanes: HOST_INTEGER_OPS instructions'
 * worth each. */
enum { HOST_INTEGER_OPS = 16 };
uint32_t host_integer(uint64_t iterations);

/* `times` products of matrices m x k and k x m added to m x m, in so many blocks: row by row, k by k, whole rows of the
 * result at a time. */
/* clang-format off */
#define HOST_MATRICES(X)                                                                                               \
    X(F32_4X4X1_16B, float, 4, 1, 16, __builtin_fmaf)                                                                  \
    X(F32_4X4X4_16B, float, 4, 4, 16, __builtin_fmaf)                                                                  \
    X(F32_16X16X4, float, 16, 4, 1, __builtin_fmaf)                                                                    \
    X(F32_16X16X8, float, 16, 8, 1, __builtin_fmaf)                                                                    \
    X(F32_16X16X16, float, 16, 16, 1, __builtin_fmaf)                                                                  \
    X(F32_16X16X32, float, 16, 32, 1, __builtin_fmaf)                                                                  \
    X(F32_32X32X1_2B, float, 32, 1, 2, __builtin_fmaf)                                                                 \
    X(F32_32X32X2, float, 32, 2, 1, __builtin_fmaf)                                                                    \
    X(F32_32X32X4, float, 32, 4, 1, __builtin_fmaf)                                                                    \
    X(F32_32X32X8, float, 32, 8, 1, __builtin_fmaf)                                                                    \
    X(F32_32X32X16, float, 32, 16, 1, __builtin_fmaf)                                                                  \
    X(F64_4X4X4_4B, double, 4, 4, 4, __builtin_fma)                                                                    \
    X(F64_16X16X4, double, 16, 4, 1, __builtin_fma)                                                                    \
    X(I32_4X4X4_16B, int32_t, 4, 4, 16, HOST_INT_FMA)                                                                  \
    X(I32_16X16X16, int32_t, 16, 16, 1, HOST_INT_FMA)                                                                  \
    X(I32_16X16X32, int32_t, 16, 32, 1, HOST_INT_FMA)                                                                  \
    X(I32_32X32X16, int32_t, 32, 16, 1, HOST_INT_FMA)
/* The same with a sparse A, which keeps k of 2 k elements of a row: each picks its row of B by a number from memory. */
#define HOST_SPARSE(X)                                                                                                 \
    X(F32_16X16X32_SPARSE, float, 16, 16)                                                                              \
    X(F32_16X16X64_SPARSE, float, 16, 32)                                                                              \
    X(F32_32X32X16_SPARSE, float, 32, 8)                                                                               \
    X(I32_16X16X32_SPARSE, int32_t, 16, 16)                                                                            \
    X(I32_16X16X64_SPARSE, int32_t, 16, 32)                                                                            \
    X(I32_32X32X32_SPARSE, int32_t, 32, 16)
/* clang-format on */
#define HOST_ENUM_(NAME, ...) HOST_##NAME,
enum host_matrix { HOST_MATRICES(HOST_ENUM_) HOST_SPARSE(HOST_ENUM_) };
enum { HOST_MATRIX_WAYS = 3 };
void host_matrix(enum host_matrix shape, unsigned way, uint64_t times);

#endif
