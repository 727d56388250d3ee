/* The shortest way through a vector ALU instruction: no modifiers, a wave32 with all lanes active, MODE as compilers
 * set it. One call of the row's loop (isa_whole), on the registers in place; scalars are spread over a row first.
 *
 * An instruction or a wave that does not meet these conditions runs through isa_inst.exec, which gives the same
 * results.
 */
#ifndef GCNSIM_ISA_QUICK_H
#define GCNSIM_ISA_QUICK_H

#include "isa/isa.h"

static inline bool isa_quick_ready(const struct isa_wave *w, const struct isa_inst *i)
{
    return i->whole && !(w->special & i->u.quick.need) && i->vgpr_end <= w->nvgprs;
}

/* Runs an instruction that has scalar sources, carries or a mask as its result. */
void isa_quick_odd(struct isa_wave *w, const struct isa_inst *i);

static inline void isa_quick_run(struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_quick *q = &i->u.quick;
    uint32_t *v = w->v;

    if (__builtin_expect(q->direct, 1))
        i->whole(v + q->dst, v + q->src[0], v + q->src[1], v + q->src[2], &w->mode, 0);
    else
        isa_quick_odd(w, i);
}

#endif
