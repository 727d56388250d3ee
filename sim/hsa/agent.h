/* Agents: the CPU and one GPU for each profile. */
#ifndef GCNSIM_HSA_AGENT_H
#define GCNSIM_HSA_AGENT_H

#include "sim/hsa/runtime.h"

/* Makes the agents of r->options; false, with a sentence in `why`, when a profile cannot be opened. */
bool agents_make(struct runtime *r, char *why, size_t why_size);

/* The handle of an agent's instruction set; 0: it has none. */
uint64_t agent_isa(const struct agent *a);

#endif
