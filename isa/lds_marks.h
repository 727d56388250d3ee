/* Which dwords of LDS the waves of a workgroup access between two barriers: finds the waves that meet at a dword in no
 * order, one of them writing it, at the cost of a few stores for each access.
 *
 * The waves of a workgroup run one after the other, each up to its next barrier. A wave leaves a mark at each dword
 * that it accesses, in maps of its own, and looks for marks of the waves before it. When it has come to the barrier its
 * marks go to those of the others, and when the barrier lets the waves go on, all marks are void.
 *
 * Between two barriers between which nothing has been written before, in this workgroup, reads leave no marks: the loop
 * over a tile costs nothing after its first turn.
 *
 * What is no race: two atomics; two reads; two accesses to parts of a dword (they may be different parts); a store that
 * changes no byte, because waves that all set the same flag do no harm. Once a wave has executed an atomic that returns
 * a value, or has been interrupted between two barriers, there may be an order that marks know nothing of: nothing is
 * looked for then up to the next barrier. So what is found is a race, and not all races are found: `--check` looks at
 * bytes, instructions that are in flight, and the order that atomics make (sim/check/race.c).
 */
#ifndef GCNSIM_ISA_LDS_MARKS_H
#define GCNSIM_ISA_LDS_MARKS_H

#include "isa/wave.h"

enum isa_lds_map { LDS_MAP_READ, LDS_MAP_WRITTEN, LDS_MAP_OTHER, LDS_MAPS };

/* Bits of LDS_MAP_OTHER; the other maps hold 0 and 1. */
enum { LDS_MARK_ATOMIC = 1, LDS_MARK_PART_READ = 2, LDS_MARK_PART_WRITTEN = 4 };

/* Where waves go on from a barrier, and whether anything was written up to the next one. */
enum { LDS_STRETCHES = 16 };
struct isa_lds_stretch {
    gaddr_t pc;
    bool writes;
};

/* Maps have a byte for each dword of LDS, and are merged this many at a time. */
enum { LDS_MARKS_STEP = 64 };

/* Of one workgroup. All maps have `room` bytes, a multiple of LDS_MARKS_STEP. */
struct isa_lds_marks {
    uint8_t *mine[LDS_MAPS];   /* of the wave that runs; all zero when none does, so workgroups may share them */
    uint8_t *others[LDS_MAPS]; /* of waves that have come to the barrier */
    uint32_t room;
    uint8_t used;        /* maps of `mine` that may have marks, a bit each, */
    uint32_t lo, hi;     /* at dwords [lo, hi); lo >= hi: none */
    uint8_t others_used; /* the same of `others` */
    uint32_t others_lo, others_hi;
    bool others_wrote; /* there are marks of others that are no reads */
    bool off;          /* there may be an order that marks do not know, up to the next barrier */
    bool reads_only;   /* nothing was written here the last times: reads leave no marks */
    uint8_t stretches;
    struct isa_lds_stretch stretch[LDS_STRETCHES], *now; /* now: null: not known */
    bool found;
    bool found_write;      /* the access that was found writes; else it reads what another wave has written */
    int found_lane;        /* ... its first lane that does */
    uint32_t found_offset; /* of the dword in LDS, bytes */
    gaddr_t found_pc;
};

/* Whether reads of the wave leave marks now. */
static inline bool isa_lds_leaves_reads(const struct isa_wave *w)
{
    return w->lds_marks && !w->lds_marks->reads_only;
}

/* Bytes of the maps of one owner: mine, or others. */
static inline size_t isa_lds_marks_bytes(uint32_t lds_bytes)
{
    return LDS_MAPS * (((size_t)lds_bytes / 4 + LDS_MARKS_STEP) & ~(size_t)(LDS_MARKS_STEP - 1));
}

/* mine, others: isa_lds_marks_bytes() zero bytes each, 64-byte aligned, borrowed. */
void isa_lds_marks_init(struct isa_lds_marks *m, uint32_t lds_bytes, uint8_t *mine, uint8_t *others);

/* The wave that ran has come to the barrier, or to its end. */
void isa_lds_marks_merge(struct isa_lds_marks *m);

/* All waves go on from a barrier of the workgroup at pc. `found` stays. */
void isa_lds_marks_void(struct isa_lds_marks *m, gaddr_t pc);

/* A workgroup begins. */
void isa_lds_marks_start(struct isa_lds_marks *m);

#endif
