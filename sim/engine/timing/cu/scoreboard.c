/* The scoreboard of a wave: booking of results, and the waits that s_delay_alu announces. */
#include "sim/engine/timing/cu/scoreboard.h"

enum timing_stall scoreboard_reason(unsigned producer)
{
    static const uint8_t reason[PRODUCER_COUNT] = {
        [PRODUCER_NONE] = STALL_DEPENDENCY_VALU,
        [PRODUCER_VALU] = STALL_DEPENDENCY_VALU,
        [PRODUCER_SGPR] = STALL_DEPENDENCY_VALU,
        [PRODUCER_AGPR] = STALL_DEPENDENCY_VALU,
        [PRODUCER_TRANS] = STALL_DEPENDENCY_TRANS,
        [PRODUCER_SALU] = STALL_DEPENDENCY_SALU,
        [PRODUCER_WMMA... PRODUCER_COUNT - 1] = STALL_DEPENDENCY_MATRIX,
    };

    return (enum timing_stall)reason[producer];
}

/* Dependency numbers of s_delay_alu (RDNA3 ISA, "S_DELAY_ALU"): 1..4 the n-th last VALU result, 5..7 the n-th last of
 * the transcendental unit, 8 an accumulator, 9..11 the scalar ALU. */
void scoreboard_delay_alu(const struct cu_wave *w, struct dependency *d)
{
    for (unsigned k = 0; k < 2; k++) {
        unsigned id = w->delay[k].in ? 0 : w->delay[k].id;

        if (!id || id > 11)
            continue;
        if (id <= 4)
            dependency_add(d, w->valu_done[id - 1], PRODUCER_VALU);
        else if (id <= 7)
            dependency_add(d, w->trans_done[id - 5], PRODUCER_TRANS);
        else if (id == 8)
            dependency_add(d, w->valu_done[0], PRODUCER_VALU);
        else
            dependency_add(d, w->salu_done, PRODUCER_SALU);
    }
}

void scoreboard_book(const struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t done)
{
    cycle_t busy = done + c->x->longest_extra;

    w->busy_until = cu_later(w->busy_until, busy);
    if (i->writes_vectors)
        w->vectors_busy = cu_later(w->vectors_busy, busy);
    if (i->writes_scalars)
        w->scalars_busy = cu_later(w->scalars_busy, busy);
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++) {
        uint64_t v = ready_entry(done, i->producers[k - i->reads]);
        uint64_t *r = &w->ready[i->reg[k].first], *end = r + i->reg[k].count;

        /* a short operation does not overtake a long one that writes the same register */
        for (; r < end; r++)
            *r = v > *r ? v : *r;
    }
    if (i->valu_sgprs && done > w->sgpr_done)
        w->sgpr_done = done;
}
