/* VMEM operand read path: it carries the registers of VMEM instructions from the queues of an RDNA3 or RDNA4 CU's SIMDs
 * to the vector memory unit (issue_queues.h).
 *
 * What SQ thread traces of gfx1100 and gfx1200 show, in the executions of stores of 32 waves on two SIMDs: one register
 * of 32 lanes leaves per cycle; the SIMDs are served in rotation, and the next one is chosen in the cycle after an
 * instruction has begun. Loads in clauses of r_2_8_16_4_4_16_4, on both chips, show that a clause is never divided. It
 * ends a SIMD's turn on gfx1200, and one load by itself does not: its turn goes on with the clause of another wave. On
 * gfx1100 two clauses end it, or instructions in none: a clause of 4 loads goes on with a single one, a single one with
 * a clause of 3 does not go on. Stores of 6 registers that are in no clause end a turn on gfx1200, every second one
 * does on gfx1100: a turn is a number of registers, and one of clauses. The vector memory unit holds a number of
 * instructions with data: scattered stores, each of which occupies it for 20 cycles, hold up the registers of others.
 * Loads it holds many of: the registers of 64 leave within 130 cycles.
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

/* An instruction's place in an s_clause; others of its wave follow where it is in one. */
enum operand_path_clause { NO_CLAUSE, IN_CLAUSE, ENDS_CLAUSE };

struct operand_path_entry {
    struct cu_wave *wave;
    cycle_t born;      /* of the wave, which may have ended when its store begins */
    cycle_t unit_done; /* when the unit is through with it */
    uint8_t slots;     /* registers of 32 lanes */
    bool flat;         /* takes an entry of the LDS queue, too */
    bool has_sources;  /* reads VGPRs */
    bool has_data;     /* for memory: it takes an entry of the unit */
    uint8_t clause;    /* enum operand_path_clause */
};

/* For a part of a CU. */
struct operand_path {
    cycle_t free;         /* when the last registers have gone */
    struct cu_queue unit; /* what the unit holds: free when it is through with an instruction */
    cycle_t unit_entries[CU_QUEUE_MAX];
    uint8_t simd;    /* that the path serves, */
    uint8_t waiting; /* entries of all SIMDs */
    bool choosing;   /* the SIMD after the instruction that began in cycle `begun` is still to be chosen, among those */
    bool over;       /* that have something then; over: it is another's turn if it has something */
    cycle_t begun;
    uint32_t sent;   /* registers that it has sent for that SIMD in a row, */
    uint32_t groups; /* and the clauses, and instructions in none, that these were of */
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
/* When the entry of its queue that such an instruction takes is free; 0: it is, or that is not known yet. */
cycle_t operand_path_entry_at(const struct cu *c, const struct cu_simd *s);

#endif
