/* Internal to sim/engine: the result of a sampled launch, made of those of both engines. */
#ifndef GCNSIM_ENGINE_SAMPLED_SUM_H
#define GCNSIM_ENGINE_SAMPLED_SUM_H

#include "sim/engine/sampling/sampled.h"

/* *total ends as r did, if that was early. */
void sampled_take_end(const struct engine_result *r, struct engine_result *total);

/* Adds the exact counts of a result of the functional engine to *total, which ends as it did if that was early. Takes
 * over and frees what r owns. False: no host memory. */
bool sampled_add_functional(struct engine_result *r, struct engine_result *total);

/* Makes the counts those of the whole launch: out->scale times as many, and those that both engines have
 * `executed` times as many, which is 1 when no workgroup was skipped. Its cycles are the estimate. */
void sampled_scale(const struct engine_estimate *out, double executed, struct engine_result *total);

#endif
