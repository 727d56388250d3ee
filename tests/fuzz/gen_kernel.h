/* Random C kernels without undefined behaviour, for tests/system/test_random_kernels.c: expressions over integers of
 * all widths, float, double and half; bounded loops, branches, switches, arrays with dynamic indices, calls (also
 * through pointers), and in half of them LDS, barriers and atomics whose order plays no part. A seed always gives the
 * same kernel, whatever it is generated together with.
 */
#ifndef GEN_KERNEL_H
#define GEN_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes one source in the form of tests/system/kernels/diff/diff.h with a kernel seed_N for each of the seeds
 * first..first+count-1. */
void gen_kernel_source(FILE *f, uint64_t first, size_t count);

#endif
