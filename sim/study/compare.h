/* Comparing instruction sequences (gcnsim.h, "comparing sequences"): what its parts share.
 *
 *   compare_code.c   what a piece of code names: instructions, registers, wait counters
 *   compare_wrap.c   the text of two kernels around a sequence
 *   compare_loop.c   the same as a code object, with compare_encode.c and compare_region.c
 *   compare_copies.c how much of a sequence with loops of its own is run
 *   compare_bench.c  runs one and takes differences; compare_entries.c: what is said of each
 *   compare_report.c text and JSON
 *
 * A wrapped sequence is a code object with two kernels, gcnsim_compare_1 and gcnsim_compare_2, which loop over
 * COPIES and 2 * COPIES copies of the sequence. Their kernarg segment is struct compare_kernarg. The first copy lies
 * between the labels gcnsim_compare_begin and _end, COPIES is the absolute symbol gcnsim_compare_copies. With C(k, n)
 * the cycles of one wave of kernel k over n passes of its loop, one run through the sequence takes
 *
 *     ((C(2, b) - C(2, a)) - (C(1, b) - C(1, a))) / ((b - a) * COPIES)
 *
 * cycles: the inner differences lose launch and set-up, the outer one loses what the loop itself costs.
 *
 * With many waves the same is done with the time between two numbers of instructions, as many as the waves need for a
 * and for b passes and half of one more, of loops that do not end. Runs to the end would say less: a SIMD prefers its
 * oldest wave, which ends first, and the youngest is left alone. Waves are then cut anywhere in their loops. How many
 * passes and iterations lie between two cuts is counted, where the loop's own branches show, and two windows,
 * passes * y + iterations * x each, give x. Kernels end: a round is as many workgroups as run at once, and the
 * difference between four and two rounds has neither the filling of the compute unit in it nor its draining.
 */
#ifndef GCNSIM_SIM_COMPARE_H
#define GCNSIM_SIM_COMPARE_H

#include "sim/api/api.h"

#define COMPARE_KERNEL_1   "gcnsim_compare_1"
#define COMPARE_KERNEL_2   "gcnsim_compare_2"
#define COMPARE_BEGIN      "gcnsim_compare_begin"
#define COMPARE_END        "gcnsim_compare_end"
#define COMPARE_COPIES     "gcnsim_compare_copies"
#define COMPARE_REGION     "gcnsim_compare_region" /* absolute, where the sequence is a part of other code */
#define COMPARE_LOOP_LABEL "loop"

enum {
    COMPARE_MAX_BYTES = 32768, /* of a sequence: two copies must be in reach of one branch */
    /* Copies in the first kernel: so many that a pass is about 128 instructions, which makes the loop itself small
     * beside them, and few enough to stay in the instruction cache; one at least. */
    COMPARE_COPIES_INSTRUCTIONS = 128,
    COMPARE_COPIES_BYTES = 2048
};

struct compare_kernarg {
    uint64_t data;   /* address of the buffer that s[0:1] is given */
    uint32_t passes; /* of the loop */
    uint32_t unused;
};

/* Instructions and registers that a piece of code names. Registers are counted once each; _end is one past the highest.
 */
struct compare_code {
    uint32_t instructions;
    uint32_t vgprs, agprs, sgprs; /* sgprs: general ones, neither VCC nor M0 */
    uint32_t vgpr_end, agpr_end, sgpr_end;
    uint32_t counters; /* a bit per enum wait_counter that is raised */
    bool lds;          /* LDS or flat instructions */
    bool undelayed;    /* vector ALU instructions read what such ones write, and there is no s_delay_alu */
    bool sgpr[128];
};

/* Looks at code[0..size). strict: bytes that are no instruction, instructions that end the wave and branches that leave
 * the bytes are errors; otherwise such bytes are passed over. */
int compare_look(const struct isa_target *t, const uint8_t *code, size_t size, unsigned lanes, bool strict,
                 struct compare_code *out, struct err *e);

#endif
