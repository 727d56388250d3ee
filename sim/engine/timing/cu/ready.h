/* A wave becomes ready: nothing but a structural hazard or another wave keeps it from issuing. */
#ifndef GCNSIM_ENGINE_TIMING_CU_READY_H
#define GCNSIM_ENGINE_TIMING_CU_READY_H

#include "sim/engine/timing/cu/cu.h"
#include "sim/engine/timing/front/clause.h"

/* w may issue from now on. */
static inline void cu_wave_ready(struct cu_simd *s, struct cu_wave *w)
{
    uint32_t bit = UINT32_C(1) << w->slot;

    w->reason = STALL_ARBITRATION;
    w->state = WAVE_READY;
    s->ready[w->info->port] |= bit;
    s->ports |= 1u << w->info->port;
    s->hazard &= ~bit;
    if (w->clause.left)
        cu_clause_ready(s, w);
}

#endif
