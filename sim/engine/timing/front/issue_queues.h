/* The queues between issue and the units of an RDNA3 or RDNA4 SIMD.
 *
 * SQ thread traces of gfx1100, gfx1200 and gfx1201 show that an instruction issues into the queue of its unit and waits
 * there, in order with those of the other waves of the SIMD, for the unit and for operands that earlier instructions of
 * the same unit produce. The wave goes on a cycle later. It is held only when an instruction needs a result of another
 * unit, when s_delay_alu or s_wait_alu say so, or when the queue is full.
 *
 * Because each queue is in order, the beginning of an entry is known when it is put in; a queue is therefore stored as
 * the cycles at which its last entries become free.
 *
 *   VALU: an entry is free when its instruction begins; a transcendental instruction moves on into its unit when the
 * one before it has begun, and waits for its operands there; a matrix instruction keeps its entry until it is done.
 * While the queue is full and a wave has an instruction for it, the SIMD issues only branches, internal instructions
 * and the next SALU instruction of the wave whose SALU instruction issued in the cycle before. Plain VALU takes any
 *     entry. Matrix and transcendental instructions leave the last entries free, with these exceptions: one whose wave
 *     issued to the queue in the cycle before, or in the two cycles before where it is not the oldest wave; a matrix
 *     instruction right after another; and, as the queue stops being full, one of the oldest wave or of the wave that
 *     issued to the queue last. A matrix instruction also waits for the entry of the transcendental unit.
 *   SALU: an entry is free when its instruction is done.
 *   LDS, VMEM: the registers of an entry leave one per cycle (32 lanes of one register), over an operand read path that
 *     the SIMDs of the CU share; the entry is free some cycles later. s_nop waits for that.
 *   SGPRs: a wave has a limited number of VALU instructions in flight that write SGPRs (v_cmp, carries), counted as
 *     va_sdst counts them. The waves of a SIMD together have another limit, which counts from the beginning of the
 *     instructions. While one waits for that limit, the VALU's queue has only the few entries between issue and
 * beginning.
 */
#ifndef GCNSIM_ENGINE_CU_QUEUE_H
#define GCNSIM_ENGINE_CU_QUEUE_H

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

enum { CU_QUEUE_MAX = 16, CU_QUEUES = 7 }; /* entries of a queue; queues of a SIMD */

/* A queue in order. The ring is apart from the fields asked often, so that a SIMD's queues take few host cache lines.
 */
struct cu_queue {
    cycle_t free_at, newest; /* its oldest entry; the one put last */
    uint8_t entries, at;     /* entries 0: never full */
    cycle_t *entry;          /* cycles at which the last `entries` entries are free: a ring, the oldest at [at] */
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

/* Puts a cycle before the last `count` ones of v, newest at [0]. */
static inline void cu_shift_in(cycle_t *v, unsigned count, cycle_t at)
{
    for (unsigned k = count - 1; k; k--)
        v[k] = v[k - 1];
    v[0] = at;
}

/* The queues of a SIMD. */
struct cu_queues {
    struct cu_queue valu, salu, lds, vmem;
    struct cu_queue sgprs;   /* VALU instructions that write SGPRs, from their beginning on */
    struct cu_queue stalled; /* an instruction that waits for an entry of sgprs and those behind it, until they begin */
    cycle_t stall_end;       /* beginning of the last of these */
    struct cu_queue last;    /* the VALU's last entries, which matrix and transcendental instructions leave alone */
    cycle_t valu_next, trans_next, matrix_next, salu_next; /* when each unit can begin another instruction */
    cycle_t salu_at, valu_at; /* issue of the last SALU and VALU instructions, and their waves */
    uint8_t salu_slot, valu_slot;
    cycle_t valu_begun; /* the beginning of the last VALU instruction */
    bool after_matrix;  /* it was a matrix one */
    bool valu_run;      /* its wave had issued one in the cycle before it, too */
};

enum { QUEUED_SOURCES = 16 };

/* An LDS or VMEM instruction whose VGPRs may not be overwritten yet. */
struct queued_source {
    const struct timing_info *reader;
    cycle_t
        read_at; /* an instruction that overwrites them may issue then; CYCLE_NEVER: not known, it waits for others */
};

/* The last ones of a wave, in the order of issue: a ring. */
struct queued_sources {
    uint8_t first, count;
    struct queued_source entry[QUEUED_SOURCES];
};

/* A wave's state of the queued front end (queued.c). */
struct queued_wave {
    cycle_t valu_left;                  /* when all that was issued to the VALU has left it */
    cycle_t salu_written;               /* when SGPRs written by the SALU are ready for other units */
    cycle_t drained;                    /* when all that was issued has left the queues */
    struct cu_queue sgpr_writes;        /* VALU instructions in flight that write SGPRs */
    cycle_t valu_ready[4];              /* results of the last VALU instructions for their own unit, newest at [0] */
    cycle_t salu_ready, salu_begun;     /* of the last SALU instruction; salu_begun 0: none yet */
    bool vgprs_read;                    /* by the VALU, since the wave began */
    uint8_t sending;                    /* VMEM instructions whose registers have not begun to leave */
    cycle_t sgprs_read;                 /* when the VALU has read its SGPRs and VCC, */
    cycle_t sdst_written;               /* and written its SGPRs but for VCC: SALU may write SGPRs */
    cycle_t sources_read;               /* when all of `sources` are; CYCLE_NEVER: not known */
    cycle_t sgpr_entries[CU_QUEUE_MAX]; /* of sgpr_writes */
    struct queued_sources sources;
};

struct cu_simd;
struct cu_wave;

struct timing_info;

/* An LDS or VMEM instruction of w issues whose VGPRs may be overwritten at read_at (CYCLE_NEVER: not known yet), */
void queued_sources_add(struct cu_wave *w, const struct timing_info *reader, cycle_t read_at, cycle_t now);
/* and the cycle of the oldest one not known yet is. */
void queued_sources_begun(struct cu_wave *w, cycle_t read_at);

/* Cycle from which one of the VALU queue's last entries may be taken by w's next instruction, a matrix or
 * transcendental one, if nothing issues until then; whether the queue is full is another condition. */
cycle_t cu_queue_last_entries_at(const struct cu_simd *s, const struct cu_wave *w, cycle_t now);

#endif
