/* Large launches by sampling: some of a launch's workgroups are simulated on the timing engine, the others executed on
 * the functional one, and the cycles of the whole are estimated.
 *
 * One run of the timing engine leaps over gaps (part.h): its clock stands while the functional engine runs the
 * workgroups of a gap, and then it goes on behind them, with all that was resident. Between the gaps are stretches. The
 * first one begins with workgroup 0 and ends when the cost of a wave-instruction, in cycles, has been steady for some
 * windows; the last one ends with the launch. A window is as many workgroups as the chip has room for at once.
 * Workgroups of a gap warm L2 and MALL (warm.h), and where what they ask of memory changes tells where in the gap the
 * cost does. A gap costs its wave-instructions, which the functional engine has counted, times the costs of the
 * stretches beside it (estimate.h).
 *
 * Workgroups that can communicate may wait for one another. A gap of theirs is run when those below it have ended, and
 * those behind it begin when it has been run.
 *
 * docs/SAMPLING.md says what users see of it, and what it leaves out; docs/adr/0025-sampling.md why it is so. Nothing
 * here depends on host threads.
 */
#ifndef GCNSIM_ENGINE_SAMPLED_H
#define GCNSIM_ENGINE_SAMPLED_H

#include "sim/engine/engine.h"

#define ENGINE_SAMPLE_AUTO UINT64_MAX

struct engine_sampling {
    uint64_t workgroups; /* about as many in detail, or ENGINE_SAMPLE_AUTO: until the cost is steady */
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
    uint64_t resident_workgroups; /* that the chip has room for at once: a window */
    uint32_t stretches, windows;  /* that were simulated in detail; windows of them that were counted */
    /* MADE: of the cycles, with the interval that holds them in 95 of 100 cases */
    double cycles, low, high;
    double scale; /* by which counts of what was simulated in detail were multiplied */
    bool unsafe;  /* the interval cannot be trusted; note says why */
};

/* As engine_run_timing(), sampled as o->sampling says, on a device of its own: o->device is ignored. r->estimate says
 * what was made; a launch that is too small for it is simulated in full. */
int engine_run_sampled(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e);

/* What becomes of a statistic in a launch of which an estimate is made. */
enum sampled_kind {
    SAMPLED_FIXED,  /* a number of units, or of the dispatch as a whole: it is what it is */
    SAMPLED_DONE,   /* what has been executed */
    SAMPLED_EXACT,  /* the functional engine counts it, too: exact where nothing was skipped */
    SAMPLED_SCALED, /* that of the stretches times engine_estimate.scale, or a ratio of such */
    SAMPLED_TIMED   /* something that there is at a time, summed over the cycles: scaled as these are */
};
enum sampled_kind sampled_kind_of(enum stat s);

#endif
