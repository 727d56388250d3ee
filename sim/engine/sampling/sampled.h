/* Large launches by sampling: some of a launch's workgroups are simulated on the timing engine, the others executed on
 * the functional one, and the cycles of the whole are estimated.
 *
 * One run of the timing engine leaps over gaps (part.h): its clock stands while the functional engine runs the
 * workgroups of a gap, and then it goes on after them, with all that was resident. Between the gaps are stretches. The
 * first one begins with workgroup 0 and ends when the cost of a wave-instruction, in cycles, has been steady for some
 * windows; the last one ends with the launch. A window is as many workgroups as the chip has room for at once.
 * Workgroups of a gap warm L2 and MALL (warm.h), and where what they ask of memory changes shows where in the gap the
 * cost does. A gap costs its wave-instructions, which the functional engine has counted, times the costs of the
 * stretches beside it (estimate.h).
 *
 * Workgroups that can communicate may wait for one another. A gap of theirs is run when those below it have ended, and
 * those after it begin when it has been run.
 *
 * docs/SAMPLING.md says what users see of it, and what it leaves out; docs/adr/0025-sampling.md why it is so. Nothing
 * here depends on host threads.
 */
#ifndef GCNSIM_ENGINE_SAMPLED_H
#define GCNSIM_ENGINE_SAMPLED_H

#include "sim/engine/engine.h"
#include "sim/engine/sampling/sampling.h"

/* As engine_run_timing(), sampled as o->sampling says. r->estimate says what was made; a launch that is too small for
 * it is simulated in full. */
int engine_run_sampled(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e);

/* The same in parts: engine_sampled_begin() gives the options what such a run needs, the caller runs the launch with
 * them on d, alone (a feed sees to that), and engine_sampled_end() makes r->estimate. Until then l, o and r have to
 * stay where they are. ran: the run has come to an end, however early. Null, non-zero: out of host memory. */
struct engine_sampled *engine_sampled_begin(const struct launch *l, struct engine_options *o, struct engine_device *d,
                                            struct engine_result *r, struct err *e);
int engine_sampled_end(struct engine_sampled *s, bool ran, struct err *e);

#endif
