/* What an instruction is, for those that look for patterns in code: never read out of its printed text. */
#ifndef GCNSIM_REPORT_INST_FACTS_H
#define GCNSIM_REPORT_INST_FACTS_H

#include "isa/isa.h"

struct inst_facts {
    uint8_t cls; /* enum op_class */
    bool
        vector_memory; /* its lanes access memory: buffer, typed buffer, global, flat, scratch and image instructions */
    bool vector_load;  /* one that brings memory into vector registers */
    bool counts_loads; /* raises the counter of vector loads */
    bool scalar;       /* writes no vector register and no memory of lanes: scalar ALU and memory, waits, branches */
    bool waits_for_loads; /* ends when no more than loads_left vector loads are outstanding */
    uint8_t loads_left;
    uint8_t
        lane_bytes; /* a lane's data of a memory access, in registers; of less than a dword in memory, there; else 0 */
    uint8_t element_bytes; /* the same of one of the elements of a two-address access */
    uint32_t access; /* the same for accesses of one kind and address that differ in data and immediate offset alone */
    int32_t offset;  /* of an access, bytes */
    gaddr_t target;  /* of a branch: where it goes on; 0: none, or not known */
};

/* i: decoded; one that has no row is of no class (OPC_COUNT) and none of all this. lanes: of a wave. */
struct inst_facts inst_facts_of(const struct isa_target *t, const struct isa_inst *i, gaddr_t pc, unsigned lanes);

#endif
