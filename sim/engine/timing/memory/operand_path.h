/* The way that the registers of VMEM instructions take from the queues of an RDNA3 or RDNA4 CU's SIMDs to its vector
 * memory unit (cu_queue.h).
 *
 * What SQ thread traces of gfx1100 and gfx1200 show, in the executions of stores of 32 waves on two SIMDs: one register
 * of 32 lanes goes each cycle; the SIMDs take turns, of one instruction on gfx1200 and of two on gfx1100; which one is
 * next is settled when the one before begins. Behind it the unit holds a number of instructions: scattered stores, of
 * which it does one in 20 cycles, then keep the registers of others waiting.
 *
 * When an instruction begins is not known as long as others may come between, so entries wait here until their time
 * has come: cu_path_advance() before anything else in a cycle. Until then all there is to know is when the next one
 * begins (cu_path_next()), which no instruction that issues meanwhile can change. How often the path is asked makes no
 * difference.
 *
 * Coarse: the lines of an instruction go to memory in the order of issue, and may be ahead of its registers.
 */
#ifndef GCNSIM_ENGINE_CU_PATH_H
#define GCNSIM_ENGINE_CU_PATH_H

#include "sim/engine/timing/front/issue_queues.h"

struct cu;
struct cu_simd;
struct cu_wave;
struct timing_info;

enum { CU_PATH_SIMDS = 8 };

struct cu_path_entry {
    struct cu_wave *wave;
    cycle_t born;      /* of the wave: it may be gone when its store begins */
    cycle_t unit_done; /* when the unit is through with it */
    uint8_t slots;     /* registers of 32 lanes */
    bool flat;         /* takes an entry of the LDS queue, too */
};

/* Of a part of a CU. */
struct cu_path {
    cycle_t free;         /* when the last registers have gone */
    struct cu_queue unit; /* what the unit holds: free when it is through with an instruction */
    cycle_t unit_entries[CU_QUEUE_MAX];
    uint8_t simd, sent; /* whose turn it is, and how many it has sent in it */
    uint8_t waiting;    /* entries of all SIMDs */
    struct {
        uint8_t first, count;
        struct cu_path_entry entry[CU_QUEUE_MAX]; /* a ring */
    } of[CU_PATH_SIMDS];
};

/* An instruction that issues now. */
void cu_path_put(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done, cycle_t now);
/* Begins what was to begin up to `now`. */
void cu_path_advance(struct cu *c, unsigned part, cycle_t now);
/* When the next of those that wait begins; later than the last cycle it was advanced to. */
cycle_t cu_path_next(const struct cu *c, unsigned part);
/* When a SIMD may issue another VMEM instruction; as long as its queue is full of waiting ones: when the next of any
 * SIMD begins. */
cycle_t cu_path_room_at(const struct cu *c, const struct cu_simd *s);

#endif
