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

/* Waves that others run, on die workgroup % dies of d: engine_warmer_run() is as isa_run(), and its `warmer` that of
 * engine_warmer_new(), which returns null when there is no host memory; warms: else no cache is touched. Between
 * engine_device_warm_begin() and _end(). */
struct warmer *engine_warmer_new(const struct launch *l, struct engine_device *d, bool warms);
void engine_warmer_free(struct warmer *w);
enum isa_status engine_warmer_run(void *warmer, uint64_t id, struct isa_wave *w, const struct isa_env *env,
                                  uint64_t limit, uint64_t *done, uint64_t *tally);

/* Runs the launch, or o->part of it, on the functional engine, on one host thread, and warms d, from which a whole
 * launch that comes to its end is released; *traffic: what memory would have been asked for. As
 * engine_run_functional(). */
int engine_run_warming(const struct launch *l, const struct engine_options *o, struct engine_device *d,
                       struct hierarchy_traffic *traffic, struct engine_result *r, struct err *e);

#endif
