/* In which order the waves of a workgroup come to LDS, for an engine without time, and copies into LDS that are in
 * flight, for both engines.
 *
 * Waves of a workgroup advance together on hardware, and memory takes its time. Programs rely on both where they race
 * by the memory model: what is read after a barrier is read before anything that a wave writes much later, and a copy
 * from memory into LDS (buffer_load with lds, global_load_lds, async copies) lands a good while after it was issued. An
 * engine that runs one wave to its next barrier would show neither.
 *
 * Turns. Between two barriers a wave pauses before it first writes LDS, and where it goes over from reading to writing
 * or back: what other waves read after the barrier they have then read, and all have written before any goes on to
 * read. Atomics count as writes. Flat accesses, whose place is known late, do not count.
 *
 * Copies in flight. A copy is read from memory when it is issued, and written to LDS as late as the wave's
 * counter allows: when a wait of its wave forces it, or more are in flight than the counter can hold, or the wave ends,
 * or a turn ends and each wave of the workgroup, as they advance together, has executed so many instructions more than
 * this one had (LDS_COPY_LANES). Memory answers in the order in which it was asked: where a wave has waited for a copy,
 * those of others that were issued no later are there, too, after the next barrier. Landing is a write of LDS, and a
 * wave pauses before a wait that forces what it has issued in the same turn. A tensor is one copy, which the tensor
 * unit reads from memory when it lands; one that arrives at a barrier in LDS lands when it is issued, after all
 * others, as waves may wait for the barrier alone.
 *
 * Copies to the same bytes, by several waves, land in the order in which they were issued: kernels copy whole rows of
 * lanes past the end of what they need, and then what belongs there. As waves advance together, the copy that is the
 * n-th of its wave after a barrier was issued before any wave's (n+1)-th. A store of a wave with copies in flight
 * finds those to its bytes landed, too: what a program asked for and never waits for does not come over what it writes
 * later.
 *
 * An engine with time has waves that take no turns and know of no others (isa_lds_order.waves is 0). It lands a copy
 * when memory has brought it: isa_lds_copies_begun(), isa_lds_copies_settle(). Tensors it moves itself.
 */
#ifndef GCNSIM_ISA_LDS_ORDER_H
#define GCNSIM_ISA_LDS_ORDER_H

#include "isa/isa.h"

enum {
    LDS_TURN_READ = 1,
    LDS_TURN_WRITE = 2,
    LDS_COPIES = 64, /* in flight of a wave: more than any counter holds */
    /* A copy lands when all waves of `lanes` lanes have executed LDS_COPY_LANES / lanes instructions after it: 256
     * cycles of SIMDs with 16 lanes, in which L2 may have answered. It must not be many more: AMD's fmoe_stage1 of
     * gfx942 and gfx950 write over what their last prefetches bring, without a wait, the nearest less than
     * 128 instructions after them. Chosen by these objects, not measured. */
    LDS_COPY_LANES = 64 * 64,
};

struct isa_lds_copy {
    int (*land)(struct isa_wave *w, const struct isa_env *env, const struct isa_lds_copy *c);
    gaddr_t pc;
    uint64_t lanes;
    uint64_t stamp;      /* instructions that the wave had executed; UINT64_MAX: not known yet */
    uint64_t time;       /* with the stamp: when that was, by the workgroup's clock (isa_lds_order.ahead) */
    uint64_t place;      /* in the order of the workgroup's copies: isa_lds_order.issued */
    uint32_t lo, hi;     /* the bytes of LDS that it writes are from lo on and before hi */
    struct isa_memop op; /* the store that landing is */
    uint8_t counter;     /* enum wait_counter */
    uint8_t behind;      /* so many more have raised the counter since */
    union {
        struct {
            uint32_t at[64];       /* byte offset in LDS per lane of `lanes` */
            uint32_t data[4 * 64]; /* rows of lanes */
        };
        struct isa_tensor tensor; /* which has not begun */
    };
};

/* For a wave. */
struct isa_lds_order {
    uint8_t first, count;      /* of `copy`, a ring */
    struct isa_lds_copy *copy; /* LDS_COPIES, borrowed; null: none was issued yet */
    uint64_t executed;         /* instructions of the wave, by isa_run() calls that have returned */
    /* Gives them when the first copy is issued; may return null. */
    struct isa_lds_copy *(*room)(void *ctx);
    void *ctx;
    uint64_t issued;       /* copies so far; counts on from the most of any wave after a barrier of the workgroup */
    uint64_t turn;         /* `issued` when the wave's turn began */
    uint64_t ahead;        /* of `executed`: the workgroup's clock, which goes on from the latest wave at a barrier */
    uint64_t awaited;      /* the latest time of a copy that the wave has waited for */
    struct isa_wave *wave; /* those of the workgroup, of which this one's is one; borrowed */
    unsigned waves;
};

/* Whether a wave with copies in flight executes i only after others have had a turn. */
bool isa_lds_pauses_to_land(struct isa_wave *w, const struct isa_inst *i);

/* Whether the wave's turn ends before it executes i; it does not when it is asked again. */
static inline bool isa_lds_turn_ends(struct isa_wave *w, const struct isa_inst *i)
{
    if (__builtin_expect(i->lds_use & w->lds_pauses, 0)) {
        w->lds_pauses ^= LDS_TURN_READ | LDS_TURN_WRITE;
        w->lds_order->turn = w->lds_order->issued;
        return true;
    }
    return __builtin_expect(w->special & SPECIAL_COPIES, 0) && isa_lds_pauses_to_land(w, i);
}

/* The wave begins, or goes on from a barrier of the workgroup. reads: whether waves may read LDS before the next one;
 * a wave does not pause before it writes where none does. */
static inline void isa_lds_order_anew(struct isa_wave *w, bool reads)
{
    w->lds_pauses = !w->lds_order ? 0 : reads ? LDS_TURN_WRITE : LDS_TURN_READ;
}

/* All waves of a workgroup have come to a barrier, where copies land that memory must have answered. The wave whose
 * copy cannot, or null. */
const struct isa_wave *isa_lds_orders_meet(struct isa_wave *wave, unsigned n, const struct isa_env *env);

/* i is about to be executed by a wave with copies in flight: those that it forces land, and it is counted. ISA_FAULT
 * when one cannot. */
int isa_lds_copies_before(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env);

/* A wave with copies in flight is about to store to LDS, to bytes from lo on and before hi: what is on its way there,
 * of any wave, lands. */
int isa_lds_copies_under(struct isa_wave *w, const struct isa_env *env, uint32_t lo, uint32_t hi);

/* For isa_run(), which has executed n instructions: the copies that were issued since it was called last get their
 * stamp. */
void isa_lds_copies_stamp(struct isa_wave *w, uint64_t n);

/* For who executes instructions of w by isa_step(): one more. */
static inline void isa_lds_order_stepped(struct isa_wave *w)
{
    if (w->special & SPECIAL_COPIES)
        isa_lds_copies_stamp(w, 1);
    if (w->lds_order)
        w->lds_order->executed++;
}

/* For an engine with time, after each instruction: the stamp of the copies that w has begun with it; 0: none. Stamps
 * rise. */
uint64_t isa_lds_copies_begun(struct isa_wave *w);

/* Copies land whose stamp is `until` or less: of an engine without time those that were issued when the wave had
 * executed so many instructions. */
int isa_lds_copies_settle(struct isa_wave *w, const struct isa_env *env, uint64_t until);

/* All land. */
int isa_lds_copies_land(struct isa_wave *w, const struct isa_env *env);

/* Room for a copy that i issues, of a wave with an order; null: it has to land at once. */
struct isa_lds_copy *isa_lds_copy_new(struct isa_wave *w, const struct isa_inst *i);

#endif
