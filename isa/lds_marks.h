/* Which dwords of LDS the waves of a workgroup access between two barriers: finds the waves that meet at a dword in no
 * order, one of them writing it, at the cost of a few stores for each access.
 *
 * A wave leaves its mark at each dword that it accesses, in one map for each way to do so, and looks for marks of other
 * waves. In which order the waves run, and how often they give way to one another, makes no difference. When the
 * barrier lets the waves go on, all marks are void.
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

enum isa_lds_map {
    LDS_MAP_READ,
    LDS_MAP_WRITTEN,
    LDS_MAP_ATOMIC,
    LDS_MAP_PART_READ, /* less than the dword */
    LDS_MAP_PART_WRITTEN,
    LDS_MAPS
};

/* In the maps: 0, the index of a wave in its workgroup plus 1, or this for several waves. */
enum { LDS_MARK_SEVERAL = 0xff };

/* LDS accesses of a workgroup between two barriers; pc is the instruction after the first. `writes` is kept only while
 * accesses leave marks. */
struct isa_lds_phase {
    gaddr_t pc;
    bool reads, writes;
};

/* For one workgroup. All maps have `room` bytes, one for each dword of LDS. */
struct isa_lds_marks {
    uint8_t *map[LDS_MAPS];
    uint32_t room;
    uint8_t used;              /* maps that may have marks, a bit each, */
    uint32_t lo, hi;           /* at dwords [lo, hi); lo >= hi: none */
    uint8_t owner;             /* whose they all are, as in the maps; 0: there are none */
    bool wrote;                /* there are marks that are no reads */
    bool off;                  /* there may be an order that marks do not know, up to the next barrier */
    bool reads_only;           /* nothing was written here the last times: reads leave no marks */
    struct isa_lds_phase *now; /* borrowed; null: one that nothing is kept of */
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

static inline size_t isa_lds_marks_bytes(uint32_t lds_bytes)
{
    return LDS_MAPS * (((size_t)lds_bytes + 3) / 4);
}

/* maps: isa_lds_marks_bytes() zero bytes, borrowed. */
void isa_lds_marks_init(struct isa_lds_marks *m, uint32_t lds_bytes, uint8_t *maps);

/* All waves go on from a barrier of the workgroup. now: the phase that begins, or null; known: it has been there
 * before. `found` stays. */
void isa_lds_marks_void(struct isa_lds_marks *m, struct isa_lds_phase *now, bool known);

/* A workgroup begins. */
void isa_lds_marks_start(struct isa_lds_marks *m);

#endif
