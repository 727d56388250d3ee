/* The instructions of a dispatch by pc: their facts (inst_info.h), made when a wave first comes to them, and what is
 * counted for each.
 *
 * A table belongs to one run. Entries never move, so that they can point to one another: `next` and `target` spare
 * the look-up from one instruction to the following one. Several threads may use a table; the first to need a link
 * sets it, so links are read and written as atomics.
 */
#ifndef GCNSIM_ENGINE_TIMING_INST_TABLE_H
#define GCNSIM_ENGINE_TIMING_INST_TABLE_H

#include <pthread.h>

#include "sim/engine/timing/cu/inst_info.h"
#include "sim/util/arena.h"

struct timing_table {
    pthread_mutex_t lock;
    const struct launch *launch;
    struct arena *arena;
    uint32_t threads;               /* of the host, that count */
    enum engine_inst_counts counts; /* what for each instruction */
    struct timing_info **slots;     /* open addressing by pc; null: free */
    size_t slot_count;              /* a power of two */
    size_t used;
    const struct timing_info *tallied[TIMING_TALLIES - TIMING_TALLY_ROWS]; /* the first one of each */
};

/* For `threads` host threads; counts: what they count for each instruction. False when out of host memory. The arena is
 * used under the table's lock, by nobody else meanwhile. */
bool timing_table_init(struct timing_table *t, const struct launch *launch, uint32_t threads,
                       enum engine_inst_counts counts, struct arena *arena);

/* Puts the counts of instructions into the result. False when out of host memory. */
bool timing_table_report(const struct timing_table *t, const struct engine_options *o, struct engine_result *r);

/* The entry of pc under the upper bits of VGPR numbers that the wave has, made if need be; null when out of host
 * memory. */
struct timing_info *timing_table_at(struct timing_table *t, gaddr_t pc, const struct isa_wave *w);

void timing_table_free(struct timing_table *t);

#endif
