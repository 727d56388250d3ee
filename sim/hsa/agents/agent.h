/* Agents: the CPU and one GPU for each profile. */
#ifndef GCNSIM_HSA_AGENT_H
#define GCNSIM_HSA_AGENT_H

#include "sim/hsa/core/runtime.h"

/* Makes the agents of r->options; false, with a sentence in `why`, when a profile cannot be opened. */
bool agents_make(struct runtime *r, char *why, size_t why_size);

/* The handle of an agent's instruction set; 0: it has none. */
uint64_t agent_isa(const struct agent *a);

/* Where a GPU is on PCI, in domain AGENT_PCI_DOMAIN: bus << 8 | device << 3 | function. */
#define AGENT_PCI_DOMAIN 0
uint32_t agent_bdf(const struct agent *a);
/* The number in a GPU's UUID. */
uint64_t agent_unique_id(const struct agent *a);
/* The version of a GPU's firmware: a simulation has no bug of firmware to work around, so that it is newer than what
 * libraries ask for; they compare 11 bits. */
#define AGENT_FIRMWARE     0x7ff
#define AGENT_SDMA_ENGINES 2 /* of a GPU, for copies to the host and from it */
/* The link between two agents, one of which is a GPU. */
hsa_amd_memory_pool_link_info_t agent_link(const struct agent *a, const struct agent *b);

#endif
