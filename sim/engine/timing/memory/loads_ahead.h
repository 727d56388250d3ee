/* What-if: more vector loads in flight (ideal.loads_ahead), as if a loop were unrolled or loaded ahead.
 *
 * A wait for vector loads lets `loads_ahead` of those it waits for be in flight still. Results of instructions that use
 * theirs may be late: ALU instructions issue, and of each register it is known from which load its value comes, and how
 * many cycles of dependent ALU instructions lie between. A use that cannot be late holds the wave until the value would
 * be there: addresses and data of memory and LDS instructions, messages, branches, and EXEC. So a chain of loads, each
 * of which has its address from the one before, gains nothing, nor does a loop that stores what it loads: a compiler
 * may not load ahead of stores either, unless it knows that they are elsewhere. Registers are as if each load in flight
 * had its own. Waits for LDS, scalar memory and stores are as ever.
 */
#ifndef GCNSIM_TIMING_LOADS_AHEAD_H
#define GCNSIM_TIMING_LOADS_AHEAD_H

#include "sim/engine/timing/cu/cu.h"

/* For a wave; null: out of host memory. */
struct cu_loads_ahead *loads_ahead_new(struct arena *arena);
/* Another wave has it now. */
void loads_ahead_begin(struct cu_loads_ahead *a);

/* w's operation op begins; its instruction i has issued; */
void loads_ahead_begin_op(struct cu_wave *w, struct cu_op *op);
void loads_ahead_issue(const struct cu *c, struct cu_wave *w, const struct timing_info *i);
/* one of the requests of an operation has come back, perhaps the last. */
void loads_ahead_done(struct cu_wave *w, struct cu_op *op, cycle_t now);

/* The wait counters, and in cycle t the late values, that w's next instruction waits for. */
struct verdict loads_ahead_counters(const struct cu *c, const struct cu_wave *w);
struct verdict loads_ahead_registers(const struct cu *c, const struct cu_wave *w, cycle_t t);

#endif
