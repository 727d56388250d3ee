/* Iterations of loops that are left out of a sampled launch (sampled.h): the decisions of the caller of its leaps.
 *
 * When all resident waves are in one loop, no workgroup begins or ends, and a wave-instruction has cost the same for
 * some iterations, the waves go through iterations without time: four times as many as were simulated, then twice as
 * many as the last time, with some simulated in between. A leap ends, too, when the first wave leaves the loop:
 * the others' rest of it, and the code after it, is simulated.
 */
#ifndef GCNSIM_ENGINE_ITERATIONS_H
#define GCNSIM_ENGINE_ITERATIONS_H

#include "sim/engine/engine.h"
#include "sim/engine/sampling/estimate.h"

struct iterations {
    const struct launch *l;
    struct engine_device *d;
    struct estimate_facts *facts;
    struct engine_result *rest; /* exact counts of what ran without time */
    bool perfect_memory;
    uint64_t max_cycles; /* 0: no limit */
    uint64_t left_out;   /* of each wave, in all leaps */
    bool no_memory;
    bool watched; /* the loop has been since the last look */
    bool refused; /* a loop was met whose waves may not go through it without time */
    /* its own */
    uint8_t state;
    uint32_t looks; /* in a row that have found this loop */
    struct engine_span loop;
    struct engine_mark at;      /* the last look */
    struct engine_mark left;    /* the last leap */
    uint64_t waves;             /* that go around */
    uint64_t each;              /* iterations of a window */
    uint64_t target;            /* the next mark, in iterations of all waves */
    uint64_t shortest, longest; /* windows of this loop, in cycles; 0: none yet */
    size_t period;              /* windows after which costs repeat */
    size_t later;               /* windows after a leap that say whether they have stayed */
    uint64_t leap;              /* iterations of the last one in this loop; 0: none yet */
    uint64_t began;             /* cycle of the last mark, or of when marks began */
    struct engine_span spent;   /* the last loop that was left, */
    uint64_t spent_at;          /* and workgroups begun and ended by then */
};

/* As engine_leaps.at: 0, or ENGINE_LEAP_STOP with no_memory. */
uint64_t iterations_look(struct iterations *s, const struct engine_mark *m, struct engine_look *next);

/* The first look. */
struct engine_look iterations_first(void);

#endif
