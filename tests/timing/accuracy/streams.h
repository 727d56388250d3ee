/* Bandwidth by occupancy: gpu-benches' gpu-stream (tests/timing/kernels/stream.cl) beside its published results. Two
 * workgroups are on a CU at a time, so their size sets how many waves there are; the shape of the curve says how long
 * the life of a wave is (its launch, one load, one store), its end what memory gives.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_STREAMS_H
#define GCNSIM_TESTS_TIMING_ACCURACY_STREAMS_H

#include <stdio.h>

/* Runs all of them and prints the table. folder: of the code objects stream.TARGET.co. */
void streams_print(FILE *f, const char *folder);

#endif
