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
 *   VALU: an entry is free when its instruction begins, or some cycles after that has read its VGPRs: a few may have
 * read them and wait for an earlier result or the unit. Where an instruction waits only to keep the order of results in
 * a VGPR, it is counted as if it did not. A transcendental instruction moves on into its unit when the one before it
 * has begun, and waits for its operands there; a matrix instruction keeps its entry until it is done. While the queue
 * is full and a wave has an instruction for it, the SIMD issues only branches, internal instructions and the next SALU
 * instruction of the wave whose SALU instruction issued in the cycle before. Plain VALU takes any entry. Matrix and
 * transcendental instructions go by a count of the entries in use from the first matrix instruction on that is some
 * cycles old: it holds an instruction from its fourth cycle in the queue on, until a cycle after its entry is free.
 * They issue while that count is low; the entries above it are for those that issue before they are counted. Where it
 * was low as the queue became full, one may issue as soon as an entry is free, whatever is counted then; one matrix
 *     instruction right after another goes by the queue alone. Both wait for the entry of the transcendental unit.
 *     A SIMD has a limited number of VALU instructions between issue and a few cycles after their completion.
 *     The operands of plain VALU and of transcendental instructions come through vgpr_banks.h.
 *   SALU: an entry is free when its instruction is done.
 *   LDS, VMEM: the registers of an entry leave one per cycle (32 lanes of one register), over an operand read path that
 *     the SIMDs of the CU share; the entry is free some cycles later. An instruction that finds the queue full issues a
 *     cycle after an entry is free, those right after it as entries are free. s_nop waits for the registers.
 *   SGPRs: a wave has a limited number of VALU instructions in flight that write SGPRs (v_cmp, carries), counted as
 *     va_sdst counts them. The waves of a SIMD together have another limit, which counts from the beginning of the
 *     instructions. While one waits for that limit, the VALU's queue has only the few entries between issue and
 * beginning.
 */
#ifndef GCNSIM_ENGINE_CU_QUEUE_H
#define GCNSIM_ENGINE_CU_QUEUE_H

#include "sim/engine/timing/front/vgpr_banks.h"
#include "sim/util/bits.h"
#include "sim/util/vocab.h"

enum { CU_QUEUE_MAX = 16, CU_QUEUES = 7 }; /* entries of a queue, a power of two; queues of a SIMD */

/* A queue in order. The ring is apart from the fields asked often, so that a SIMD's queues take few host cache lines.
 */
struct cu_queue {
    cycle_t free_at, newest; /* its oldest entry; the one put last */
    uint32_t entries;        /* 0: never full */
    uint32_t put;            /* how many were put */
    cycle_t *entry;          /* cycles at which the last ones put are free: a ring of CU_QUEUE_MAX, by `put` */
};

/* `ring`: of CU_QUEUE_MAX entries, zeroed. */
static inline void cu_queue_init(struct cu_queue *q, uint32_t entries, cycle_t *ring)
{
    *q = (struct cu_queue){.entries = entries, .entry = ring};
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
    q->entry[q->put++ % CU_QUEUE_MAX] = q->newest;
    q->free_at = q->entry[(q->put - q->entries) % CU_QUEUE_MAX];
}

/* The same of one that is free later than all before it. */
static inline void cu_queue_put_last(struct cu_queue *q, cycle_t until)
{
    if (!q->entries)
        return;
    q->newest = until;
    q->entry[q->put++ % CU_QUEUE_MAX] = until;
    q->free_at = q->entry[(q->put - q->entries) % CU_QUEUE_MAX];
}

/* When entry n is free, counted from the oldest; n less than `entries`. */
static inline cycle_t cu_queue_entry_at(const struct cu_queue *q, unsigned n)
{
    return q->entry[(q->put - q->entries + n) % CU_QUEUE_MAX];
}

/* When the entry is free that was put as the `back`-th last one, at most as many as there are entries. */
static inline cycle_t cu_queue_entry_back(const struct cu_queue *q, uint32_t back)
{
    return q->entry[(q->put - back) % CU_QUEUE_MAX];
}

/* Puts a cycle before the last `count` ones of v, newest at [0]. */
static inline void cu_shift_in(cycle_t *v, unsigned count, cycle_t at)
{
    for (unsigned k = count - 1; k; k--)
        v[k] = v[k - 1];
    v[0] = at;
}

enum { VALU_ISSUES = 4 }; /* no fewer than the cycles of which count_low_at() asks; a power of two */

/* The queues of a SIMD. */
struct cu_queues {
    struct cu_queue valu, salu, lds, vmem;
    struct cu_queue flight;  /* VALU instructions, from issue until they have left the unit */
    struct cu_queue sgprs;   /* VALU instructions that write SGPRs, from their beginning on */
    struct cu_queue stalled; /* an instruction that waits for an entry of sgprs and those after it, until they begin */
    cycle_t valu_open;       /* when the VALU's queue takes a plain instruction */
    cycle_t stall_end;       /* beginning of the last of these */
    cycle_t valu_at[CU_QUEUE_MAX];    /* issue of the instructions of the VALU's entries, */
    uint16_t valu_matrix;             /* and a bit for each that is a matrix one */
    uint8_t special_slot;             /* the wave of the last matrix or transcendental one */
    cycle_t valu_issued[VALU_ISSUES]; /* issue of the last VALU instructions, by valu.put modulo as many */
    cycle_t valu_next, trans_next, matrix_next, salu_next; /* when each unit can begin another instruction */
    cycle_t valu_other;                                    /* valu_next of a second vector ALU (ideal.second_valu) */
    cycle_t lds_wake, vmem_wake;                           /* when waves that found the queue full may issue */
    cycle_t salu_at;                                       /* issue of the last SALU instruction, */
    uint8_t salu_slot;                                     /* and its wave */
    cycle_t valu_begun;                                    /* the beginning of the last VALU instruction */
    cycle_t valu_begins[VALU_ISSUES];                      /* the same of the last ones, as valu_issued, without what */
                                                           /* they wait for results and SGPRs */
    cycle_t handed;                                        /* when its VGPRs have come out of their banks */
    bool after_matrix, after_f64;                          /* it was a matrix one, or of f64 */
    struct vgpr_banks banks;
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
    cycle_t slow_ready;                 /* the last of those that take longer than plain VALU */
    cycle_t salu_ready, salu_begun;     /* of the last SALU instruction; salu_begun 0: none yet */
    bool vgprs_read;                    /* by the VALU, since the wave began */
    uint8_t sending;                    /* VMEM instructions whose registers have not begun to leave */
    cycle_t sgprs_read;                 /* when the VALU has read its SGPRs and VCC, */
    cycle_t sdst_written;               /* and written its SGPRs but for VCC: SALU may write SGPRs */
    cycle_t sources_read;               /* when all of `sources` are; CYCLE_NEVER: not known */
    cycle_t sgpr_entries[CU_QUEUE_MAX]; /* of sgpr_writes */
    struct queued_sources sources;
};

/* When the VALU's queue takes a plain instruction, after one was put into the queues. */
static inline cycle_t cu_queues_valu_after(const struct cu_queues *q)
{
    cycle_t at = cu_queue_free_at(&q->valu);

    if (at < cu_queue_free_at(&q->flight))
        at = cu_queue_free_at(&q->flight);
    return at < cu_queue_free_at(&q->stalled) ? cu_queue_free_at(&q->stalled) : at;
}

struct cu_simd;
struct cu_wave;

struct timing_info;
struct profile_queue;

/* An LDS or VMEM instruction of w issues whose VGPRs may be overwritten at read_at (CYCLE_NEVER: not known yet), */
void queued_sources_add(struct cu_wave *w, const struct timing_info *reader, cycle_t read_at, cycle_t now);
/* and the cycle of the oldest one not known yet is. */
void queued_sources_begun(struct cu_wave *w, cycle_t read_at);

/* Cycle from which w's next instruction, a matrix or transcendental one, may be among the entries of the VALU's queue,
 * if nothing issues until then; whether the queue is full is another condition. */
cycle_t cu_queue_special_at(const struct cu_simd *s, const struct profile_queue *p, const struct cu_wave *w,
                            cycle_t now);

#endif
