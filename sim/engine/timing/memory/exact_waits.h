/* What-if: waits that are exact (ideal.exact_waits), an upper bound of what better places of s_waitcnt can give.
 *
 * A wait counter then holds a wave for operations without a result alone, the stores and cache controls whose order
 * others may rely on. A result in flight holds the first instruction that reads or writes one of its registers, as a
 * scoreboard of memory's results would. Each wave counts the results in flight of each register (cu_wave.landing, null
 * without the what-if). An LDS load to the wave's own LDS (buffer_load ... lds) has no register and counts as a store.
 */
#ifndef GCNSIM_TIMING_EXACT_WAITS_H
#define GCNSIM_TIMING_EXACT_WAITS_H

#include "sim/engine/timing/cu/cu.h"

/* An operation of w has issued; */
void exact_waits_issue(struct cu_wave *w, const struct timing_info *i);
/* one of its requests has come back, perhaps the last. */
void exact_waits_done(struct cu_wave *w, struct cu_op *op);

/* The wait counters, and the results in flight, that w's next instruction waits for. */
struct verdict exact_waits_counters(const struct cu *c, const struct cu_wave *w);
struct verdict exact_waits_registers(const struct cu *c, const struct cu_wave *w);

#endif
