/* How the lanes of an access lie to one another, counted for each instruction (engine_options.per_inst): all at one
 * address, or neighbours all the same distance apart. */
#ifndef GCNSIM_TIMING_ACCESS_SHAPE_H
#define GCNSIM_TIMING_ACCESS_SHAPE_H

#include "sim/engine/timing/cu/inst_info.h"

/* For one access by `lanes`, whose addresses are in `addr`, or as offsets in LDS in `offset`. */
void access_shape(struct timing_profile *p, uint64_t lanes, const gaddr_t *addr, const uint32_t *offset);

#endif
