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

/* `times` products of matrices m x k and k x n added to m x n, of the bench's shapes: row by row, k by k, whole rows of
 * the result at a time. */
enum host_matrix { HOST_F32_32X32X8, HOST_F32_32X32X2, HOST_F64_16X16X4, HOST_I32_32X32X16, HOST_F32_16X16X16 };
void host_matrix(enum host_matrix shape, uint64_t times);

#endif
