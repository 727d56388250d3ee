/* Counts executions by what instructions are, for what reports say of how far results can be believed. */
#ifndef GCNSIM_ENGINE_TIMING_TALLY_H
#define GCNSIM_ENGINE_TIMING_TALLY_H

#include "sim/engine/timing/cu/dispatch.h"
#include "sim/engine/timing/cu/inst_table.h"

/* Puts what the parts of a dispatch have counted into the result. False: out of host memory. */
bool timing_tally_report(const struct timing_table *t, const struct cu_dispatch *part, uint32_t parts,
                         struct engine_result *r);

#endif
