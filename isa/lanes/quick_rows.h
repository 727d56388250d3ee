/* The functions of isa/lanes/quick.c, handlers.c and stage_rows.c, one set per variant. */
#ifndef GCNSIM_ISA_QUICK_ROWS_H
#define GCNSIM_ISA_QUICK_ROWS_H

#include "isa/lanes/access.h"

/* Runs an instruction that is ready and has scalar sources, carries or a mask as its result. */
void LANES_FN(isa_quick_odd)(struct isa_wave *w, const struct isa_inst *i);
/* Runs a vector instruction that is ready, of a wave64. */
void LANES_FN(isa_quick_halves)(struct isa_wave *w, const struct isa_inst *i);
isa_quick_many LANES_FN(isa_quick_many);
/* Handlers of units (isa/unit.h) that serve every row: by the row's loop, of an instruction on the shortest way in
 * whole, by isa_inst.exec, and of the end. Those with `part` are for waves of which some lanes are not active. */
isa_handler LANES_FN(isa_handle_whole), LANES_FN(isa_handle_quick), LANES_FN(isa_handle_exec), LANES_FN(isa_handle_end);
isa_handler LANES_FN(isa_handle_part), LANES_FN(isa_handle_part_exec);
/* stage_rows.c: ops that have a stage */
isa_handler LANES_FN(isa_handle_staged_bits), LANES_FN(isa_handle_staged_moved), LANES_FN(isa_handle_staged_packed);
isa_handler LANES_FN(isa_handle_staged_half), LANES_FN(isa_handle_staged_pairs), LANES_FN(isa_handle_staged_any);
isa_handler LANES_FN(isa_handle_part_staged);
/* isa_variant.move_row */
void LANES_FN(isa_move_row)(uint32_t *row, const uint8_t from[16], uint32_t valid);

/* The upper halves of 32 results. */
static inline void clear_high(uint32_t *d)
{
    for (unsigned l = 0; l < 32; l++)
        d[l] &= 0xffff;
}

#endif
