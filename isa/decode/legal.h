/* Internal to isa/: legality of encodings, precomputed when a target is opened. */
#ifndef GCNSIM_ISA_LEGAL_H
#define GCNSIM_ISA_LEGAL_H

#include "isa/decode/parts.h"

static inline bool isa_is_one_of(const struct isa_row *row, const char *const *names, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (!strcmp(row->name, names[k]))
            return true;
    return false;
}

/* LLVM 22's v_alignbit_b32 and v_alignbyte_b32 have an op_sel, whose third bit is the half that holds the shift. */
static inline bool isa_shift_selects(const struct isa_target *t, const struct isa_row *row)
{
    return t->llvm22 && t->layout == LAYOUT_GFX9 && (row->flags & RF_QUIET_OP_SEL) && (row->args[3].flags & A_HALF);
}

/* Buffer loads to LDS of three and four dwords. */
static inline bool isa_loads_wide_lds(const struct isa_target *t)
{
    return t->llvm22 && t->layout == LAYOUT_GFX9;
}

/* v_permlane16_swap_b32 and v_permlane32_swap_b32, whose long form has DPP's two bits in op_sel's place. */
static inline bool isa_swaps_lanes(const struct isa_target *t, const struct isa_row *row)
{
    return t->llvm22 && row->cls == OPC_CROSS && (row->args[0].flags & A_RD) && (row->args[1].flags & A_WR);
}

/* Dot products without halves: LLVM 22 has no op_sel for them. */
static inline bool isa_dot_of_bytes(const struct isa_target *t, const struct isa_row *row)
{
    return t->llvm22 && row->cls == OPC_DOT && row->args[1].type == T_B32;
}

/* zero_bits.c. Bits of the first two words that must be zero in an instruction of this row in format f (a VOP3 twin's
 * own format is `base`). */
uint64_t isa_zero_bits(const struct isa_target *t, enum isa_format f, enum isa_format base, const struct isa_row *row);
/* Its part for images. (isa/decode/fields_image.c) */
uint64_t isa_image_zero_bits(const struct isa_target *t, enum isa_format f, const struct isa_row *row);

/* The bits among them that may be set when a DPP word follows the instruction. */
uint64_t isa_free_beside_dpp(const struct isa_op *op);

/* The word without those of the bits that must be zero which the hardware does not look at: fields of operands that the
 * row does not have. Sets i->ignored. */
__attribute__((cold, noinline)) uint64_t isa_without_ignored(const struct isa_target *t, const struct isa_row *row,
                                                             enum isa_format f, struct isa_inst *i, uint64_t w,
                                                             uint64_t zero);

/* legal.c. The reason why a VOP instruction may not have the form and the modifiers that were decoded; null when it
 * may. */
const char *isa_illegal_form(const struct isa_target *t, const struct isa_inst *i);
/* A DPP word of 64-bit operands that LLVM prints and no target runs. */
bool isa_idle_dpp64(const struct isa_inst *i);
/* Modifiers that a matrix instruction cannot carry; says in i->wave64_only where they exist in wave64 alone. */
const char *isa_illegal_matrix(struct isa_inst *i);

/* Combinations of fields that a memory instruction cannot have, its operands being there already. Null: none. */
const char *isa_illegal_memory(const struct isa_target *t, const struct isa_inst *i, const struct isa_fields *f);

#endif
