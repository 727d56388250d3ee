/* The lane loops exist once per host instruction set; a target holds the set it was opened with.
 *
 * Every file under isa/insts and isa/lanes is compiled with -DISA_VARIANT=base|avx2|avx512 (see the Makefile). What
 * makes the rows finds its way out through a linker section per variant (isa/lanes/rows.c); nothing else of those files
 * is visible.
 */
#ifndef GCNSIM_ISA_VARIANT_H
#define GCNSIM_ISA_VARIANT_H

#include "isa/table/row.h"

/* Handlers of ops that have a stage (isa/unit.h), by what they can do to sources; each can do STAGE_BITS besides, the
 * last one everything. */
enum isa_staged {
    STAGED_BITS,
    STAGED_MOVED, /* DPP */
    STAGED_PACKED,
    STAGED_HALF,
    STAGED_PAIRS,
    STAGED_ANY,
    STAGED_COUNT
};

struct isa_variant {
    const char *name;
    const struct isa_row *(*rows)(size_t *count); /* all of them, the same at each call */
    isa_exec *exec_simple; /* exec_plain's commonest case: VGPRs and constants in, one VGPR (or mask) out */
    isa_exec *exec_plain;  /* ROW_LANES/ROW_CMP without modifiers */
    isa_exec *exec_full;   /* with any modifier, SDWA, DPP, literal constants in odd places */
    isa_exec *exec_vopd;
    void (*quick_odd)(struct isa_wave *w, const struct isa_inst *i);
    void (*quick_halves)(struct isa_wave *w, const struct isa_inst *i);
    isa_quick_many *quick_many;
    isa_handler *handle_whole, *handle_quick, *handle_exec, *handle_end; /* isa/lanes/quick_rows.h */
    isa_handler *handle_part, *handle_part_exec, *handle_part_staged;
    isa_handler *handle_staged[STAGED_COUNT];
    void (*expand_mask)(uint32_t *mask, uint64_t bits, unsigned lanes);
    uint64_t (*pack_bits)(const uint32_t *lanes01, unsigned lanes);
    /* Each word of 16 becomes the one at `from`, or 0 without its bit of `valid`. */
    void (*move_row)(uint32_t *row, const uint8_t from[16], uint32_t valid);
};

/* By name, or the best for this CPU when name is null. Null: not compiled in or not runnable here. */
const struct isa_variant *isa_variant_find(const char *name);

#endif
