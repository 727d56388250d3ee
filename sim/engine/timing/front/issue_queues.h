/* The queues between issue and the units of an RDNA3 or RDNA4 SIMD.
 *
 * What SQ thread traces of gfx1100, gfx1200 and gfx1201 show: an instruction issues into the queue of its unit and
 * waits there, in order with those of the other waves of the SIMD, for the unit and for operands that instructions of
 * the same unit have still to make. A wave goes on at once, a cycle later; it is only held where an instruction needs
 * something of another unit, where s_delay_alu or s_wait_alu say so, or where the queue is full.
 *
 * As each queue is in order, when an entry begins is known when it is put in; a queue is then no more than the cycles
 * at which its last entries become free.
 *
 *   VALU: an entry is free when it begins; a transcendental instruction goes on into its unit when the one before it
 *     has begun, and waits for its operands there; a matrix instruction keeps its entry until it is through. While the
 *     queue is full and a wave has something for it, the SIMD issues nothing but branches, internal instructions and
 *     the next SALU instruction of a wave whose last one has just gone. Plain VALU takes any entry. Matrix and
 *     transcendental instructions leave the last ones alone, but for one whose wave issued to the queue in the cycle
 *     before, or in the two before where it is not the oldest; a matrix instruction right after another; and what the
 *     oldest wave, or the one that issued to the queue last, has for it as it stops being full. A matrix instruction,
 *     too, waits for the port that a transcendental one takes.
 *   SALU: an entry is free when it is through.
 *   LDS, VMEM: the registers of an entry go out one each cycle (a register: 32 lanes), over a path that the SIMDs of
 *     the CU share; it is free some cycles later. s_nop waits for that.
 *   SGPRs: a wave has a few VALU instructions under way that write SGPRs (v_cmp, carries), counted as va_sdst does.
 *     Of those of all waves of the SIMD some may be under way from their beginning on. While one waits for that, the
 *     VALU's queue has no more than the few entries that lie between issue and beginning.
 */
#ifndef GCNSIM_ENGINE_CU_QUEUE_H
#define GCNSIM_ENGINE_CU_QUEUE_H

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

enum { CU_QUEUE_MAX = 16, CU_QUEUES = 7 }; /* entries of a queue; queues of a SIMD */

/* What is asked often is apart from the ring, so that the queues of a SIMD take few lines of the host's cache. */
struct cu_queue {
    cycle_t free_at, newest; /* when it has room: its oldest entry is free; when the last one put is */
    uint8_t entries, at;     /* entries 0: never full */
    cycle_t *entry;          /* when they are free: a ring of the last `entries` ones, the oldest at [at] */
};

/* `ring`: of as many entries, zeroed, at most CU_QUEUE_MAX. */
static inline void cu_queue_init(struct cu_queue *q, uint32_t entries, cycle_t *ring)
{
    *q = (struct cu_queue){.entries = (uint8_t)entries, .entry = ring};
}

static inline cycle_t cu_queue_free_at(const struct cu_queue *q)
{
    return q->free_at;
}

/* An entry that is free again at `until`, or when the one before it is. */
static inline void cu_queue_put(struct cu_queue *q, cycle_t until)
{
    if (!q->entries)
        return;
    if (until > q->newest)
        q->newest = until;
    q->entry[q->at] = q->newest;
    q->at = (uint8_t)(q->at + 1u == q->entries ? 0 : q->at + 1u);
    q->free_at = q->entry[q->at];
}

/* `v`: cycles of the last `count` results, newest at [0]. */
static inline void cu_shift_in(cycle_t *v, unsigned count, cycle_t at)
{
    for (unsigned k = count - 1; k; k--)
        v[k] = v[k - 1];
    v[0] = at;
}

/* Of a SIMD. */
struct cu_queues {
    struct cu_queue valu, salu, lds, vmem;
    struct cu_queue sgprs; /* VALU instructions that write SGPRs, from their beginning on */
    struct cu_queue
        stalled;          /* those behind one that waits for an entry there, and this one itself; free when it begins */
    cycle_t stall_end;    /* the last of these begins */
    struct cu_queue last; /* the VALU's last entries, which matrix and transcendental instructions leave alone */
    cycle_t valu_next, trans_next, matrix_next, salu_next; /* when the unit can begin something else */
    cycle_t salu_at, valu_at;                              /* the last SALU and VALU instructions issued, and whose */
    uint8_t salu_slot, valu_slot;
    cycle_t valu_begun; /* the beginning of the last VALU instruction */
    bool after_matrix;  /* it was a matrix one */
    bool valu_run;      /* its wave had issued one in the cycle before it, too */
};

/* A wave's state of the queued front end (queued.c). */
struct queued_wave {
    cycle_t valu_left;                  /* when all that was issued to the VALU has left it */
    cycle_t salu_written;               /* when what the SALU left in SGPRs is there for other units */
    cycle_t drained;                    /* when all that was issued has left the queues */
    struct cu_queue sgpr_writes;        /* VALU instructions in flight that write SGPRs */
    cycle_t valu_ready[4];              /* results of the last VALU instructions for their own unit, newest at [0] */
    cycle_t salu_ready, salu_begun;     /* of the last SALU instruction; salu_begun 0: none yet */
    bool vgprs_read;                    /* by the VALU, since the wave began */
    uint8_t sending;                    /* VMEM instructions whose registers have not begun to leave */
    cycle_t sgpr_entries[CU_QUEUE_MAX]; /* of sgpr_writes */
};

struct cu_simd;
struct cu_wave;

/* When the VALU's queue takes a wave's next instruction, a matrix or transcendental one, if nothing issues until then;
 * no later than now: it does now. The room in the queue itself aside. */
cycle_t cu_queue_last_entries_at(const struct cu_simd *s, const struct cu_wave *w, cycle_t now);

#endif
