/* Products of matrices (tests/timing/kernels/gemm_bf16*.s) beside the rates that AMD states for its best kernels on
 * MI300X and MI325X: which share of their peak the matrix pipelines reach, in cycles, at the clock of the measurement.
 *
 * The quick rows are of one die, with its share of the memory, and of the steady loop: the difference of two depths.
 * The others are of the whole chip.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_PRODUCTS_H
#define GCNSIM_TESTS_TIMING_ACCURACY_PRODUCTS_H

#include <stdbool.h>
#include <stdio.h>

/* Runs the quick rows, or all, and prints the table. folder: of the code objects KERNEL.gfx942.co. */
void products_print(FILE *f, const char *folder, bool all);

#endif
