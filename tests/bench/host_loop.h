/* The yardstick of the bench: the arithmetic of its ALU kernel as a plain C loop on this machine. */
#ifndef BENCH_HOST_LOOP_H
#define BENCH_HOST_LOOP_H

#include <stdint.h>

enum { HOST_CHAINS = 8, HOST_LANES = 32 };

/* Runs `iterations` of HOST_CHAINS independent fused multiply-adds over HOST_LANES floats, compiled for this very
 * machine and vectorized, with the values in memory between instructions as a wave's registers are. Returns a sum, so
 * that nothing can be left out. */
float host_loop(uint64_t iterations);

#endif
