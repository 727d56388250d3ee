/* What hardware hides: observers of both engines that report code which computes the right thing here and not on a chip
 * (docs/CHECK.md lists the rules and their sources).
 *
 *   waits.c      registers read or overwritten while memory still writes or reads them, and the wait that is missing
 *   undefined.c  registers and LDS bytes read that nobody has written
 *   race.c       LDS bytes that two waves touch in no order, one of them writing
 *   bounds.c     accesses outside LDS and to scratch of other waves
 *   overwrites.c stores into code, kernel descriptors and gaps of code objects (overwrites.h), on both engines
 *   states.c     wait states that software must leave between instructions (gfx8, gfx9, CDNA); matrix.c: those of MFMA
 *   rdna.c       hazards that RDNA leaves to software; forward.c: more of them, of RDNA3 and RDNA4
 *   bugs.c       instructions that a chip runs wrongly whatever comes before
 *   stale.c      lines that somebody has written since a cache fetched them (stale.h)
 *   global.c     bytes of memory that two workgroups touch in no order, one of them writing: what they access, release
 *                and acquire (global.h); global_records.c: the tables; global_pairs.c: which pairs are races;
 *                global_events.c: the same from the timing engine's events
 *   findings.c   what was found, once for each pc and rule
 *
 * The files down to bugs.c, and global.c, observe the functional engine as its stepper (struct engine_stepper): they
 * look at each instruction before and after it executes, in program order, and undefined.c executes some of them twice.
 * The engine calls them synchronously; different workgroups may be on different threads. stale.c and global_events.c
 * consume the timing engine's event stream, which informs overwrites.c of each store (struct engine_store_observer).
 *
 * Use: check_open(launch, objects, options), run the launch with these options on either engine, check_findings(),
 * check_close(). The engines do not know who observes them; one that nobody does pays one test per slice of a wave.
 *
 * Findings are the same from run to run and for any number of threads, as far as what the kernel does is (global.h says
 * more of races between workgroups): of several occurrences the one of the lowest workgroup and wave is reported.
 */
#ifndef GCNSIM_CHECK_CHECK_H
#define GCNSIM_CHECK_CHECK_H

#include "sim/check/rules.h"
#include "sim/engine/engine.h"

struct check;

/* Attaches the checks to a run: to what the functional engine executes, and to the timing engine's events and stores.
 * stores_alone: of the timing engine, looks for bounds.code alone, which lets other dispatches be in flight. objects:
 * what the kernel can reach, its own among them, some perhaps twice; the list is copied. Null when out of memory. The
 * launch and the objects must outlive it, and it the run. */
struct check *check_open(const struct launch *l, const struct check_object *objects, size_t object_count,
                         bool stores_alone, struct engine_options *o);
void check_close(struct check *c);

/* Ordered by pc and rule. *count: how many. Borrowed. */
const struct check_finding *check_findings(struct check *c, size_t *count);
/* Why the list is incomplete: rules of the target that were not applied, findings beyond the limit. Null: it is
 * complete. The text is c's, until the next call. */
const char *check_left_out(struct check *c);
/* Whether the host had no memory to check all of the run; the findings are then not those of the program. */
bool check_no_memory(const struct check *c);

#endif
