/* The shortest way through an ALU instruction. A vector one: no modifiers, all lanes active, MODE as compilers set
 * it. One call of the row's loop (isa_whole), in a wave64 two, on the registers in place; scalars are spread over a row
 * first. A scalar one whose row is `steady`: a call of its body, its constants known from decoding.
 *
 * An instruction or a wave that does not meet these conditions runs through isa_inst.exec, which gives the same
 * results.
 */
#ifndef GCNSIM_ISA_QUICK_H
#define GCNSIM_ISA_QUICK_H

#include "isa/isa.h"
#include "isa/variant.h"

static inline bool isa_quick_ready(const struct isa_wave *w, const struct isa_inst *i)
{
    return i->quick_kind > QUICK_PAIR && !(w->special & i->u.quick.need) && i->vgpr_end <= w->nvgprs;
}

/* The entry of a program after i. Branches, which the host foresees, where it would wait for the size. */
static inline const struct isa_inst *isa_quick_next(const struct isa_inst *i)
{
    unsigned bytes = i->size_bytes;

    if (bytes == 8)
        return i + 2;
    if (bytes == 4)
        return i + 1;
    if (bytes == 12)
        return i + 3;
    return i + bytes / 4;
}

/* Runs an instruction that is ready and reads registers in place. */
static inline void isa_quick_direct(struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_quick *q = &i->u.quick;
    uint32_t *v = w->v;

    i->whole(v + q->dst, v + q->src[0], v + q->src[1], v + q->src[2], &w->mode, 0);
}

static inline void isa_quick_run(struct isa_wave *w, const struct isa_inst *i)
{
    if (i->quick_kind == QUICK_SCALAR)
        i->exec(w, i, NULL, NULL);
    else if (w->special & SPECIAL_WAVE64)
        w->target->variant->quick_halves(w, i);
    else if (i->quick_kind == QUICK_DIRECT)
        isa_quick_direct(w, i);
    else
        w->target->variant->quick_odd(w, i);
}

#endif
