/* Functional warming: workgroups that execute without time, and leave in L2 and MALL of a device the lines that they
 * would have left there.
 *
 * Accesses come in the order of the workgroups, one workgroup after the other, and are as many as the lanes' lines: the
 * caches nearer to the compute units are left out, and so is the order of accesses of workgroups that would run at the
 * same time.
 */
#ifndef GCNSIM_ENGINE_WARM_H
#define GCNSIM_ENGINE_WARM_H

#include "mem/hierarchy/hierarchy.h"
#include "sim/engine/engine.h"

/* Runs the launch, or o->part of it, on the functional engine, on one host thread, and warms d, from which a whole
 * launch that comes to its end is released; *traffic: what memory would have been asked for. As
 * engine_run_functional(). */
int engine_run_warming(const struct launch *l, const struct engine_options *o, struct engine_device *d,
                       struct hierarchy_traffic *traffic, struct engine_result *r, struct err *e);

#endif
