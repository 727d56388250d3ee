/* The scoreboard of a wave: when each register it waits for is ready, and what made the value.
 *
 * An entry holds the cycle at which an instruction of the producer's own kind may issue with the value; a consumer of
 * another kind adds the cycles of cu_context.extra for the pair (forwarding.c). Registers that loads write are not in
 * it: programs wait for these with wait counters.
 */
#ifndef GCNSIM_TIMING_SCOREBOARD_H
#define GCNSIM_TIMING_SCOREBOARD_H

#include "sim/engine/timing/cu/cu.h"

/* The latest of the results an instruction waits for. */
struct dependency {
    cycle_t at;        /* 0: none */
    unsigned producer; /* enum timing_producer */
};

static inline void dependency_add(struct dependency *d, cycle_t at, unsigned producer)
{
    if (at > d->at)
        *d = (struct dependency){at, producer};
}

/* An entry for a consumer. */
static inline void dependency_on_entry(struct dependency *d, const struct cu_context *x, uint64_t entry,
                                       unsigned consumer)
{
    unsigned producer = ready_producer(entry);

    dependency_add(d, ready_cycle(entry) + x->extra[producer][consumer], producer);
}

/* The results that w's next instruction reads and that are not ready for it in cycle t. A result that the instruction
 * can await in its unit goes to w->operands instead. sgprs_in_order: a VALU instruction takes what an earlier one
 * leaves in SGPRs, because both pass the same queue in order. */
static ALWAYS_INLINE struct dependency scoreboard_registers(const struct cu_context *x, struct cu_wave *w,
                                                            const struct timing_info *i, cycle_t t, bool sgprs_in_order)
{
    bool in_salu = i->port == PORT_SALU;
    uint32_t ask = (t < w->vectors_busy ? i->reads_vectors : 0) | (t < w->scalars_busy ? i->reads_scalars : 0);
    /* entries that are not above this one hold nothing back at t */
    uint64_t over = t > x->longest_extra ? ready_entry(t - x->longest_extra, (1u << READY_PRODUCER_BITS) - 1) : 0;
    struct dependency worst = {0, PRODUCER_NONE};
    cycle_t in_unit = 0;

    for (; ask; ask &= ask - 1) {
        const struct timing_reg *reg = &i->reg[__builtin_ctz(ask)];
        uint32_t late = i->reads_late & ask & -ask ? x->profile->matrix.wmma_addend_cycles : 0;
        const uint64_t *v = &w->ready[reg->first], *last = v + reg->count - 1;

        for (;; v++) {
            unsigned from = ready_producer(*v);

            if (*v > over && !(sgprs_in_order && i->waits_in_unit && !in_salu && from == PRODUCER_SGPR)) {
                cycle_t at = ready_cycle(*v) + x->extra[from][i->consumer];

                if (i->waits_in_unit && (from == PRODUCER_SALU) == in_salu)
                    in_unit = cu_later(in_unit, at > late ? at - late : 0);
                else
                    dependency_add(&worst, at, from);
            }
            if (v == last)
                break;
        }
    }
    w->operands = in_unit;
    return worst;
}

/* The results that s_delay_alu announced for w's next instruction. */
void scoreboard_delay_alu(const struct cu_wave *w, struct dependency *d);

/* When SALU may read the SGPRs that a VALU instruction writes whose result is ready at `done`. */
static inline cycle_t scoreboard_sgprs_at(const struct cu_context *x, const struct timing_info *i, cycle_t done)
{
    return done + x->extra[i->producer == PRODUCER_TRANS ? PRODUCER_TRANS : PRODUCER_SGPR][CONSUMER_SALU];
}

/* Books the results of i: ready at `done` for an instruction of its own kind. */
static ALWAYS_INLINE void scoreboard_book(const struct cu *c, struct cu_wave *w, const struct timing_info *i,
                                          cycle_t done)
{
    cycle_t busy = done + c->x->longest_extra;

    w->done = done;
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
    if (i->valu_sgprs)
        w->sgpr_done = cu_later(w->sgpr_done, scoreboard_sgprs_at(c->x, i, done));
}

/* The stall reason of a wave that waits for a result of this producer. */
enum timing_stall scoreboard_reason(unsigned producer);

static inline struct verdict dependency_verdict(const struct dependency *d, cycle_t t)
{
    return (struct verdict){d->at > t ? d->at : 0, scoreboard_reason(d->producer)};
}

#endif
