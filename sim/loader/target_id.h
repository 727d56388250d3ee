/* Which chip a code object is for: the processor in the ELF header's e_flags and the "target id" in words.
 *
 * A target id is a processor name and the settings of two features that change the generated code: XNACK
 * (retry of faulting accesses) and SRAM ECC: "gfx90a:sramecc+:xnack-". A feature not mentioned is "any": the
 * code runs in either setting. Code for a generic processor ("gfx11-generic") runs on every member of it.
 *
 * Source of the numbers: LLVM 19's llvm/BinaryFormat/ELF.h (EF_AMDGPU_*); gfx950, gfx1153 and gfx9-4-generic are
 * from LLVM 20, which gave them numbers LLVM 19 lists as reserved. Membership of the generic processors and the
 * features each processor has: LLVM's AMDGPUUsage, "Processors" and "Generic Processors".
 *
 * Leaves out: R600 processors (not amdgcn), and the features of code object v2, which its kernels state one by one.
 */
#ifndef GCNSIM_LOADER_TARGET_ID_H
#define GCNSIM_LOADER_TARGET_ID_H

#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Families that differ in the layout or the meaning of the kernel descriptor's register words. GFX9 is Vega and
 * gfx906. GFX908 has a second register file, of AccVGPRs. GFX90A is everything with one unified register file for both
 * (gfx90a, gfx940-gfx942, gfx950). */
enum co_family { CO_GFX6, CO_GFX7, CO_GFX8, CO_GFX9, CO_GFX908, CO_GFX90A, CO_GFX10, CO_GFX11, CO_GFX12, CO_GFX12_5 };

enum co_feature { CO_FEATURE_UNSUPPORTED, CO_FEATURE_ANY, CO_FEATURE_OFF, CO_FEATURE_ON };

struct co_target_id {
    char name[24]; /* the processor: "gfx90a", "gfx11-generic" */
    enum co_family family;
    enum co_feature xnack, sramecc;
    unsigned generic_version; /* of a generic processor in code object v6; else 0 */
};

/* Longest text co_target_format() writes, with its terminator. */
#define CO_TARGET_TEXT 48

/* e_flags of an amdgcn HSA ELF with code object version 3..6 -> target. */
int co_target_from_flags(struct co_target_id *out, uint32_t e_flags, unsigned code_object_version, struct err *e);

/* The processor that the flags name, with features "any"; otherwise *out is zeros. For code object v2, which has no
 * features there that later versions know. */
void co_target_from_mach(struct co_target_id *out, uint32_t e_flags);

/* "gfx90a:sramecc+:xnack-" (features in either order). A feature that is left out is "any", or "unsupported" when the
 * processor has no such setting. */
int co_target_parse(struct co_target_id *out, const char *text, struct err *e);

/* Writes the canonical target id, features any and unsupported left out. */
void co_target_format(const struct co_target_id *id, char out[CO_TARGET_TEXT]);

/* How well code made for `have` runs on `want`: 0 not at all; 1 as code for a generic processor; 2 to 4 for the same
 * processor, more for each feature setting that is equal. A feature that is "any" on either side matches every
 * setting. */
unsigned co_target_match(const struct co_target_id *have, const struct co_target_id *want);

/* The index-th known processor name; null after the last. */
const char *co_target_name(unsigned index);

const char *co_family_name(enum co_family family); /* "gfx90a family" and so on, for messages */

#endif
