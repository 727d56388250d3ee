/* The result of a sampled launch, made of those of both engines. */
#ifndef GCNSIM_ENGINE_SAMPLED_SUM_H
#define GCNSIM_ENGINE_SAMPLED_SUM_H

#include "sim/engine/engine.h"
#include "sim/engine/sampling/sampling.h"

/* What becomes of a statistic in a launch of which an estimate is made. */
enum sampled_kind {
    SAMPLED_FIXED,  /* a number of units, or of the dispatch as a whole: it is what it is */
    SAMPLED_DONE,   /* what has been executed */
    SAMPLED_EXACT,  /* the functional engine counts it, too: exact where nothing was skipped */
    SAMPLED_SCALED, /* that of the stretches times engine_estimate.scale, or a ratio of such */
    SAMPLED_TIMED   /* something that there is at a time, summed over the cycles: scaled as these are */
};
enum sampled_kind sampled_kind_of(enum stat s);

/* *total ends as r did, if that was early. */
void sampled_take_end(const struct engine_result *r, struct engine_result *total);

/* Adds the exact counts of a result of the functional engine to *total, which ends as it did if that was early. Takes
 * over and frees what r owns. False: no host memory. */
bool sampled_add_functional(struct engine_result *r, struct engine_result *total);

/* Makes the counts those of the whole launch: out->scale times as many, and those that both engines have
 * `executed` times as many, which is 1 when no workgroup was skipped. Its cycles are the estimate. */
void sampled_scale(const struct engine_estimate *out, double executed, struct engine_result *total);

#endif
