/* What a caller asks of sampling (sampled.h), and what it learns of the estimate. */
#ifndef GCNSIM_ENGINE_SAMPLING_H
#define GCNSIM_ENGINE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#define ENGINE_SAMPLE_AUTO UINT64_MAX

struct engine_sampling {
    uint64_t workgroups; /* about as many in detail, or ENGINE_SAMPLE_AUTO: until the cost is steady; 0: all */
    bool loops;          /* iterations of loops are left out where workgroups are not, or cannot be */
    bool skip;           /* the others are not executed: what they leave in memory is missing */
};

enum engine_estimate_kind {
    ENGINE_ESTIMATE_NONE, /* the launch was simulated in full; note says why */
    ENGINE_ESTIMATE_MADE,
    ENGINE_ESTIMATE_PARTIAL /* the run ended early: its statistics are those of what was simulated until then */
};

struct engine_estimate {
    enum engine_estimate_kind kind;
    char note[240]; /* "" or a sentence without its full stop */
    uint64_t detailed_workgroups, functional_workgroups, skipped_workgroups;
    uint64_t left_out_iterations; /* of loops, by each wave */
    uint64_t resident_workgroups; /* that the chip has room for at once: a window */
    uint32_t stretches, windows;  /* that were simulated in detail; windows of them that were counted */
    /* MADE: of the cycles, with the interval that holds them in 95 of 100 cases */
    double cycles, low, high;
    double scale; /* by which counts of what was simulated in detail were multiplied */
    bool unsafe;  /* the interval cannot be trusted; note says why */
};

#endif
