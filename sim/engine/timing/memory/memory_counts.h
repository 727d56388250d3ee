/* What a memory hierarchy has counted, as statistics of a launch: all of it, or what came since a launch began beside
 * others. */
#ifndef GCNSIM_ENGINE_TIMING_MEMORY_COUNTS_H
#define GCNSIM_ENGINE_TIMING_MEMORY_COUNTS_H

#include "mem/cache/cache.h"
#include "sim/engine/engine.h"

struct hierarchy;
struct timing_before;

/* Requests of a level as AMD's counters have them, and those that found no line. */
struct memory_requests {
    uint64_t all, missed;
};
struct memory_requests memory_counts_requests(const struct cache_stats *s, enum cache_level level);

/* What it has counted before cycle `now`; from malloc(), to be freed. Null: no host memory. */
struct timing_before *memory_counts_before(const struct hierarchy *h, cycle_t now);

/* Adds what it has counted up to `end` to r, that of `before` taken away (null: nothing). */
void memory_counts_report(const struct hierarchy *h, cycle_t end, const struct timing_before *before,
                          struct engine_result *r);

#endif
