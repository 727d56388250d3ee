/* Simulated time, in nanoseconds; it begins at CLOCK_MONOTONIC of the first hsa_init() and never goes back.
 *
 * Devices and the host have a clock each. A device's goes with its packets (device.h). The host's moves to the end of
 * what a thread of it has waited for, and stands still otherwise: a host that computes takes no simulated time, so what
 * a program submits is as early as its waits allow, however fast the simulation is.
 *
 * OpenCL puts the device's times beside readings of CLOCK_MONOTONIC: an event is queued and submitted by the one and
 * starts and ends by the other. So its times are reported with a lead: what real time is ahead of the host's clock when
 * something is submitted, and of the end of a barrier, after which the host goes on (times.c). Nothing simulated knows
 * of it.
 */
#ifndef GCNSIM_HSA_CLOCK_H
#define GCNSIM_HSA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_TICKS_PER_SECOND UINT64_C(1000000000) /* what HSA_*_TIMESTAMP_FREQUENCY says */

void clock_begin(void); /* by the first hsa_init */
uint64_t clock_host(void);
/* The same for who submits something now. */
uint64_t clock_host_submits(void);
/* The lead of now. It never shrinks, so that times that are reported with it keep their order. */
uint64_t clock_lead(void);
/* What is `ns` in simulated time is now, or earlier. */
void clock_lead_reach(uint64_t ns);
/* Real time, CLOCK_MONOTONIC, for time-outs alone. */
uint64_t clock_real_ns(void);
/* The host has seen what was completed at `ns`. */
void clock_host_reach(uint64_t ns);

#endif
