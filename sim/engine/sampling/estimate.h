/* Internal to sim/engine: the estimate of a sampled launch (sampled.h) from what its stretches have cost. */
#ifndef GCNSIM_ENGINE_ESTIMATE_H
#define GCNSIM_ENGINE_ESTIMATE_H

#include "sim/engine/sampling/part.h"
#include "sim/engine/sampling/sampling.h"

#define ESTIMATE_STRETCHES 64

/* A stretch of a launch that is simulated in detail: what it had come to at its beginning and at the end of each
 * window. */
struct estimate_stretch {
    struct engine_mark *mark;
    size_t count, room;
    size_t from;   /* the first mark that counts */
    size_t period; /* windows after which costs repeat, as they do with the rows of a grid: they count by so many */
};

/* What lies between two stretches. */
struct estimate_gap {
    uint64_t first, behind; /* workgroups; both 0 of iterations of loops: */
    bool within;
    bool apart; /* the stretch after it says nothing of its cost */
    /* That they execute; of those that are skipped: as many as others. Of loops: iterations of all waves, which their
     * marks count in place of instructions, too. */
    double instructions;
    double skipped; /* the share of them that is */
    /* What was simulated after the leap until costs were those of a steady state again: a part of the gap. */
    double settle_cycles, settle_instructions;
    /* Where what workgroups ask of memory changed in the gap, as it does when caches are full of modified lines: the
     * share of them that lies before, and the share within which that is known. Both 0: it did not. */
    double before, known_to;
};

/* The cost of a wave-instruction in cycles, from the windows of a stretch that count. */
struct estimate_rate {
    double cost, half; /* half: of the interval */
    uint32_t windows;
};
struct estimate_rate estimate_rate(const struct estimate_stretch *s);

/* Appends a mark. False: no host memory. */
bool estimate_add_mark(struct estimate_stretch *s, const struct engine_mark *mark);

/* The period of the costs of windows [from, count - 1); 1: they have none, or there are too few. */
size_t estimate_period(const struct estimate_stretch *s, size_t from);

/* All that is known of a launch. */
struct estimate_facts {
    struct estimate_stretch stretch[ESTIMATE_STRETCHES];
    struct estimate_gap gap[ESTIMATE_STRETCHES - 1];
    uint32_t gaps;           /* stretches: one more */
    uint64_t cycles, groups; /* that were simulated; workgroups */
    double instructions;     /* that these executed */
};

/* Fills cycles, low, high, windows and unsafe of *out. */
void estimate_make(const struct estimate_facts *f, struct engine_estimate *out);

#endif
