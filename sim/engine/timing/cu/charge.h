/* Every cycle of a wave is charged to one stall reason, when it is known to which. */
#ifndef GCNSIM_ENGINE_TIMING_CU_CHARGE_H
#define GCNSIM_ENGINE_TIMING_CU_CHARGE_H

#include "sim/engine/timing/cu/emit.h"

/* wave.c: informs those who watch (cu.tells_charges) that w is charged for [from, upto), of which its issue slot takes
 * the first `issued` cycles. */
void cu_wave_tell_charge(struct cu *c, const struct cu_wave *w, cycle_t from, cycle_t issued, cycle_t upto);

/* Charges w with its cycles up to `upto`. */
static ALWAYS_INLINE void cu_wave_charge(struct cu *c, struct cu_wave *w, cycle_t upto)
{
    cycle_t from = w->since, issued = 0;

    if (upto <= from)
        return;
    w->since = upto;
    if (from < w->issue_slot_end) {
        /* the issue slot of its last instruction, whatever was decided for the time after it */
        issued = cu_earlier(upto, w->issue_slot_end) - from;
        w->d->stall[STALL_ISSUED] += issued;
    }
    w->d->stall[w->reason] += upto - from - issued;
    if (__builtin_expect(c->tells_charges, 0))
        cu_wave_tell_charge(c, w, from, issued, upto);
}

#endif
