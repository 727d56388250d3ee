/* The chip's memory as the timing engine sees it: mem/hierarchy and mem/lds, built from a profile.
 *
 * A profile gives latencies as load to use over the whole path, as microbenchmarks measure them; a hierarchy adds
 * levels. Each level beyond the first therefore gets the difference to the one before it, and a miss costs the
 * latencies of the levels above on the way down and on the way up, half on each. The part of load to use that follows
 * the completion (frontend.completion_to_issue_cycles) is taken out of the first level.
 */
#ifndef GCNSIM_ENGINE_TIMING_MEM_H
#define GCNSIM_ENGINE_TIMING_MEM_H

#include "config/profile.h"
#include "isa/table/target.h"
#include "mem/coalesce.h"
#include "mem/hierarchy/hierarchy.h"
#include "mem/lds/lds.h"
#include "mem/space.h"

/* The groups of CUs that share no cache in front of L2, and the cycles for which such a group may run alone: half of
 * what L2 adds to the latency of a hit is the way of its completions to the group, and a wave placed in one epoch must
 * not fetch before the next. */
struct timing_mem_shape {
    uint32_t cus_per_group, epoch_cycles;
    uint32_t start_cycles; /* of launch_latency_cycles: from the placing of a wave to its first fetch */
};

/* space: its allocations are mapped by pages; it outlives the hierarchy. cus: CUs that run, numbered 0 .. cus-1. Null
 * with *e on failure; free with hierarchy_free(). */
struct hierarchy *timing_mem_new(const struct profile *p, const struct isa_target *t, const struct mem_space *space,
                                 uint32_t cus, const struct hierarchy_watch *watch, struct timing_mem_shape *shape,
                                 struct err *e);

/* For a struct hierarchy: timing_chip.sample and timing_chip.samples. */
void timing_mem_sample(void *ctx, cycle_t now, uint64_t *value);
void timing_mem_samples(void *ctx, bool *present);

/* The LDS of a chip for waves of 32 or 64 lanes. */
void timing_lds_init(struct lds_config *c, const struct profile *p, uint32_t wave_lanes);

/* How the vector memory unit takes the lanes of an access: loads through the banks of vL0; stores and atomics, for
 * which nothing is measured, line by line. */
struct vector_shapes {
    struct coalesce_shape load[2], other[2]; /* [1]: of more than 4 bytes a lane */
    uint32_t row_bytes;                      /* that data banks and data path send in a cycle; 0: no banks */
};
void timing_shapes_init(struct vector_shapes *s, const struct profile *p);

/* The lookups beyond the first of a pointer chase whose lanes all load the same 8 bytes: what the latencies of a
 * profile have over those of one lane. */
uint32_t timing_chase_lookups(const struct profile *p);

/* The memory generation of a target. */
enum mem_gen timing_mem_gen(const struct isa_target *t);

#endif
