/* Addresses and memory apart: reservations, and memory handles that are mapped into them (hsa_amd_vmem_*). */
#ifndef GCNSIM_HSA_VMEM_H
#define GCNSIM_HSA_VMEM_H

#include "sim/hsa/core/runtime.h"

/* The reservation that holds an address, whatever is mapped there; false: none. */
bool vmem_reservation(uint64_t address, void **base, size_t *bytes);

/* A new descriptor of the memory that is mapped at an address, and where it is in it; -1: none. */
int vmem_descriptor(uint64_t address, uint64_t *offset);

#endif
