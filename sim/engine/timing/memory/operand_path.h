/* VMEM operand read path: it carries the registers of VMEM instructions from the queues of an RDNA3 or RDNA4 CU's SIMDs
 * to the vector memory unit (issue_queues.h).
 *
 * What SQ thread traces of gfx1100 and gfx1200 show, in the executions of stores of 32 waves on two SIMDs: one register
 * of 32 lanes leaves per cycle; the SIMDs are served in rotation, for one instruction on gfx1200 and two on gfx1100;
 * the next one is chosen when the one before begins. The vector memory unit holds a number of instructions: scattered
 * stores, each of which occupies it for 20 cycles, hold up the registers of others.
 *
 * The beginning of an instruction is not known as long as instructions of other SIMDs may precede it, so entries wait
 * here: operand_path_advance() begins those whose cycle has come, before anything else in a cycle. Until then only the
 * beginning of the next one is known (operand_path_next()), which no later issue changes. How often the path is asked
 * makes no difference.
 *
 * Left out: the lines of an instruction go to memory in the order of issue, and may be ahead of its registers.
 */
#ifndef GCNSIM_ENGINE_CU_PATH_H
#define GCNSIM_ENGINE_CU_PATH_H

#include "sim/engine/timing/front/issue_queues.h"

struct cu;
struct cu_simd;
struct cu_wave;
struct timing_info;

enum { OPERAND_PATH_SIMDS = 8 };

struct operand_path_entry {
    struct cu_wave *wave;
    cycle_t born;      /* of the wave, which may have ended when its store begins */
    cycle_t unit_done; /* when the unit is through with it */
    uint8_t slots;     /* registers of 32 lanes */
    bool flat;         /* takes an entry of the LDS queue, too */
    bool has_sources;  /* reads VGPRs */
};

/* Of a part of a CU. */
struct operand_path {
    cycle_t free;         /* when the last registers have gone */
    struct cu_queue unit; /* what the unit holds: free when it is through with an instruction */
    cycle_t unit_entries[CU_QUEUE_MAX];
    uint8_t simd, sent; /* SIMD that the path serves, and how many of its instructions it has sent in a row */
    uint8_t waiting;    /* entries of all SIMDs */
    struct {
        uint8_t first, count;
        struct operand_path_entry entry[CU_QUEUE_MAX]; /* a ring */
    } of[OPERAND_PATH_SIMDS];
};

/* An instruction that issues now. */
void operand_path_enter(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done, cycle_t now);
/* Begins what was to begin up to `now`. */
void operand_path_advance(struct cu *c, unsigned part, cycle_t now);
/* When the next of those that wait begins; later than the last cycle it was advanced to. */
cycle_t operand_path_next(const struct cu *c, unsigned part);
/* When a SIMD may issue another VMEM instruction; as long as its queue is full of waiting ones: when the next of any
 * SIMD begins. */
cycle_t operand_path_free_at(const struct cu *c, const struct cu_simd *s);

#endif
