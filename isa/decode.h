/* Internal to isa/: what the field readers of decode.c hand to operand building, and cache-bit decoding. */
#ifndef GCNSIM_ISA_DECODE_H
#define GCNSIM_ISA_DECODE_H

#include "isa/isa.h"

struct isa_fields {
    uint16_t slot[SL_COUNT]; /* source codes, or raw VGPR numbers for vector-only slots */
    bool acc_data;           /* data registers are AGPRs */
    bool sve;                /* scratch: the VGPR address counts */
    bool scratch_vaddr;
    uint8_t acc_src; /* matrix encoding: a bit per source that is an AGPR */
};

/* Fills t->encoding. */
void isa_fill_encodings(struct isa_target *t);

/* glc/slc/dlc, sc0/sc1/nt and scope/th made one. (isa/hint.c) */
struct mem_hint isa_cache_hint(const struct isa_target *t, const struct isa_inst *i);

#endif
