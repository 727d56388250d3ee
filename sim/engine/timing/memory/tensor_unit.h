/* The tensor unit of gfx1250: it moves tiles of tensors between memory and LDS (isa/tensor.h) beside the waves.
 *
 * A part of a CU has one. It holds a number of transfers (tensor.entries) from their issue to their completion, and
 * goes through them in the order of issue: it has a descriptor after tensor.setup_cycles, walks the tile in the order
 * of isa_tensor_next(), and sends the cache lines that it meets, each once where neighbouring elements share it, to the
 * vector port of its CU (tensor.lines_per_cycle), after what the vector memory unit sends in the same cycle. A
 * transfer is complete when all of its lines have come back; then its data is in LDS, its arrival at a barrier in LDS
 * is made, and the wave's tensorcnt counts down.
 *
 * No manual and no measurement that is public says how hardware does it; that transfers are served in order, and that
 * they go through the vector cache like other accesses, is a guess. Left out: the time that data takes into and out of
 * LDS, as with other copies; that a store reads LDS later than it issues.
 */
#ifndef GCNSIM_TIMING_TENSOR_UNIT_H
#define GCNSIM_TIMING_TENSOR_UNIT_H

#include "sim/engine/timing/cu/units.h"

struct cu;
struct cu_op;
struct cu_wave;
struct timing_info;
struct tensor_unit;

/* For one part of c. Null when there is no host memory. */
struct tensor_unit *tensor_unit_new(const struct cu *c, uint32_t part, struct arena *arena);

bool tensor_unit_has_entry(const struct tensor_unit *u);

/* Takes the transfer in c->fx, which w has issued as operation op and which has an entry. */
void tensor_unit_accept(struct tensor_unit *u, struct cu *c, const struct cu_wave *w, uint16_t op, cycle_t now);

/* Sends lines. Returns the next cycle with work. */
cycle_t tensor_unit_tick(struct tensor_unit *u, struct cu *c, cycle_t now);

/* The memory has a credit again. */
void tensor_unit_credit(struct tensor_unit *u);

/* All lines of op, a transfer of w, have come back: it is completed, and its entry is free. */
void tensor_unit_complete(struct tensor_unit *u, struct cu *c, struct cu_wave *w, const struct cu_op *op, cycle_t now);

#endif
