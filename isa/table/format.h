/* Buffer formats: how a buffer's element is made of components, and how the numbers of formats count them. gfx8 and
 * gfx9 have a number for the data and one for what it means; from gfx10 on one number counts the pairs that exist.
 * (GCN3 ISA, "Buffer resource descriptor"; LLVM 19, lists of unified formats in AMDGPUAsmUtils.cpp.) */
#ifndef GCNSIM_ISA_FORMAT_H
#define GCNSIM_ISA_FORMAT_H

#include "isa/table/target.h"

enum isa_number_format { NF_UNORM, NF_SNORM, NF_USCALED, NF_SSCALED, NF_UINT, NF_SINT, NF_RESERVED, NF_FLOAT };

struct isa_data_format {
    const char *name; /* components from the highest bits down */
    uint8_t bytes, comps;
    bool packed;           /* components do not start at bytes */
    uint8_t numbers;       /* a bit per number format it goes with, float's is bit 6 */
    uint8_t numbers_gfx11; /* from gfx11 on */
    uint8_t bits[4];       /* of each component, from the lowest bits up */
};

/* By the data format's number; 0 is the invalid format and 15 reserved, both without components. */
extern const struct isa_data_format isa_data_formats[16];

/* Whether the pair exists (up to gfx9); 0 with any number format does not. */
bool isa_split_format(unsigned dfmt, unsigned nfmt);
/* The pair that a unified format is. False: there is none, 0 among them. */
bool isa_unified_format(const struct isa_target *t, unsigned format, unsigned *dfmt, unsigned *nfmt);

#endif
