/* Simulated time, in nanoseconds; it begins at CLOCK_MONOTONIC of the first hsa_init() and never goes back.
 *
 * Devices and the host have a clock each. A device's goes with its packets (device.h). The host's moves to the end of
 * what a thread of it has waited for, and stands still otherwise: a host that computes takes no simulated time, so what
 * a program submits is as early as its waits allow, however fast the simulation is.
 */
#ifndef GCNSIM_HSA_CLOCK_H
#define GCNSIM_HSA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_TICKS_PER_SECOND UINT64_C(1000000000) /* what HSA_*_TIMESTAMP_FREQUENCY says */

void clock_begin(void); /* by the first hsa_init */
uint64_t clock_host(void);
/* Real time, CLOCK_MONOTONIC, for time-outs alone. */
uint64_t clock_real_ns(void);
/* The host has seen what was completed at `ns`. */
void clock_host_reach(uint64_t ns);

#endif
