/* Arithmetic of an instruction: how many operations it does, on numbers of which type.
 *
 * An operation is an addition, subtraction, multiplication, logic operation, shift or transcendental function on one
 * element. A fused or separate multiply-add is two, a packed instruction does as many as it has elements, a dot product
 * a multiplication and an addition for each pair of elements. Moves, compares, selections, conversions, rounding,
 * minima and maxima are none, as in AMD's counters of floating-point operations. Matrix instructions do
 * 2 * M * N * K in each block whatever EXEC is; sparse ones count the dense K, as peak figures do.
 *
 * The type is that of the elements that are multiplied (of mixed-precision multiply-adds f32, in which they compute).
 */
#ifndef GCNSIM_ISA_WORK_H
#define GCNSIM_ISA_WORK_H

#include "isa/isa.h"
#include "sim/util/vocab.h"

struct isa_work {
    uint8_t type;      /* enum op_type */
    uint8_t per_lane;  /* operations of each active lane; 0: none */
    uint32_t per_wave; /* of the instruction, whatever EXEC is */
};

/* Both halves of a dual instruction; the second is zero for others. i may be null or have no row. */
void isa_inst_work(const struct isa_inst *i, struct isa_work out[2]);

#endif
