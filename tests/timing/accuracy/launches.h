/* Small kernels launched back to back, beside what they took on chips: gpu-small-kernels of RRZE's gpu-benches launches
 * a[i] = b[i] / 4 and the way back in turn, 10,000 times. The raw results are bandwidths of two or three digits, so a
 * time is known to 1 % to 3 % at the smallest sizes.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_LAUNCHES_H
#define GCNSIM_TESTS_TIMING_ACCURACY_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct launches_point {
    const char *profile, *target;
    uint32_t elements;
    double gb_per_second; /* read and written, as measured */
};

const struct launches_point *launches_points(size_t *count);

double launches_measured_us(const struct launches_point *p);

/* Microseconds of a launch and of the one that goes back, on average, when both are warm. code: the code object of
 * tests/timing/kernels/launch.cl. NaN: error says why. */
double launches_simulated_us(const struct launches_point *p, const char *code, char error[200]);

/* Prints the table. folder: of the code objects launch.TARGET.co. */
void launches_print(FILE *f, const char *folder);

#endif
