/* Programs by sampling (--sample kernels): which dispatches the timing engine runs, and what the others are taken to
 * cost.
 *
 * Dispatches of one kernel, grid, workgroup and memory are a *class*. Those of a class whose basic-block vectors are
 * alike are a *cluster*; what a dispatch has executed is known when it has ended, so a cluster is found then, and
 * before it a class is all there is to go by. Some dispatches of each cluster are timed, its representatives; the
 * others execute without time, and cost what a wave-instruction of the representatives does.
 *
 * A representative has to find the caches as the program would have left them. So before one is timed, all dispatches
 * from the last one of its class on warm the caches while they execute: an iteration of the program's loop, whatever
 * that is. All others execute as fast as they can.
 *
 * A program's first iterations find cold caches, code that was never loaded, data that nobody has touched, and what
 * dispatches cost may change slowly: estimates are made by the last representatives of a cluster. A cluster without
 * any, which is found only when its dispatches have ended, is taken to lie on a straight line through the
 * representatives of its class, cycles over wave-instructions; where there is no such line, to cost what the nearest
 * cluster does.
 *
 * A sampler belongs to a device, whose thread calls everything but sampler_sum().
 */
#ifndef GCNSIM_HSA_SAMPLE_H
#define GCNSIM_HSA_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/hsa/sampling/sample_work.h"

struct sampler;
struct sample_class;

enum sample_mode {
    SAMPLE_TIME, /* by the timing engine */
    SAMPLE_WARM, /* without time, and what it accesses comes into the caches */
    SAMPLE_RUN   /* without time */
};

/* representatives: of each cluster; 0: as many as it takes until what a wave-instruction costs is known to 2 %. Null:
 * out of host memory. */
struct sampler *sampler_new(uint32_t representatives);
void sampler_free(struct sampler *s); /* null is fine */

/* A dispatch begins. alone: nothing is in flight, so it can execute without time. Null with SAMPLE_TIME: out of host
 * memory, it is in no class. Each is followed by one of the three below, in any order. */
struct sample_class *sampler_begin(struct sampler *s, const struct sample_key *key, bool alone, enum sample_mode *mode);

/* It was timed. half: of the 95 % interval around its cycles, where these are an estimate themselves, else 0. Returns
 * the number of its cluster, from 1 on; 0: out of host memory. */
uint32_t sampler_timed(struct sampler *s, struct sample_class *c, const struct sample_work *work, double cycles,
                       double half);
/* It was executed without time: *cycles is the estimate; 0 when nothing of its class has been timed. */
uint32_t sampler_executed(struct sampler *s, struct sample_class *c, enum sample_mode mode,
                          const struct sample_work *work, double *cycles);
/* It did not come to its end. */
void sampler_lost(struct sampler *s, struct sample_class *c, enum sample_mode mode);

/* For all that has ended. */
struct sample_sum {
    uint64_t timed, in_part, warmed, executed; /* dispatches; in_part: timed ones whose cycles are estimates themselves;
                                                * executed: without time, warmed ones included */
    uint32_t classes, clusters;
    double timed_cycles, estimated_cycles; /* the second: of what was not timed, by all that is known now */
    double sure_cycles;                    /* timed_cycles without those of timed dispatches that are estimates */
    double told_cycles;                    /* the same as sampler_executed() has said it, when less was known */
    double half;   /* of the 95 % interval around timed_cycles and estimated_cycles together; of it, */
    double bias;   /* what other devices' may have alike, and does not average out */
    double unsure; /* of estimated_cycles, those of clusters with less than two representatives */
};
/* Any thread. */
void sampler_sum(struct sampler *s, struct sample_sum *out);

/* A cluster, for reports. */
struct sample_cluster_info {
    uint32_t number;
    const struct sample_key *key;
    uint64_t dispatches, timed;
    double instructions; /* of all its dispatches */
    double cost, half;   /* cycles of the chip for a wave-instruction, half of the interval; 0: no representative */
};
/* Calls each() for all of them, class by class. Any thread. */
void sampler_each(struct sampler *s, void (*each)(void *ctx, const struct sample_cluster_info *i), void *ctx);

#endif
