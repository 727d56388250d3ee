/* A memory that always hits: every access takes the hit latency of the nearest cache, and every access is accepted.
 *
 * To find what memory costs a kernel, and what simulating it costs the host. As many accesses as the CU sends are
 * taken in a cycle; data paths and banks cost nothing.
 */
#ifndef GCNSIM_ENGINE_TIMING_PERFECT_H
#define GCNSIM_ENGINE_TIMING_PERFECT_H

#include "sim/engine/timing/chip.h"

struct perfect_memory;

/* cus: parts that run; limit: most accesses in flight at one port of a group. Null when there is no host memory;
 * *chip is ready for a run and lasts as long as this. */
struct perfect_memory *perfect_memory_new(const struct profile *p, uint32_t cus, uint32_t limit,
                                          struct timing_chip *chip);
/* Accesses were not accepted, at the limit or for want of host memory: they never will be, and the run has to end. */
bool perfect_memory_is_short(const struct perfect_memory *m);
void perfect_memory_free(struct perfect_memory *m);

#endif
