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

/* Registers among which are all whose results hold some consumer back in cycle t. */
static inline uint64_t scoreboard_pending(const struct cu_wave *w, cycle_t t)
{
    const struct cu_pending *p = &w->pending;

    return (t < p->until[0] ? p->registers[0] : 0) | (t < p->until[1] ? p->registers[1] : 0);
}

/* The results that w's next instruction reads and that are not ready for it in cycle t. A result that the instruction
 * can await in its unit goes to w->operands instead. sgprs_in_order: a VALU instruction takes what an earlier one
 * leaves in SGPRs, because both pass the same queue in order. */
static ALWAYS_INLINE struct dependency scoreboard_registers(const struct cu_context *x, struct cu_wave *w,
                                                            const struct timing_info *i, cycle_t t, bool sgprs_in_order)
{
    bool in_salu = i->port == PORT_SALU;
    const uint64_t pending = scoreboard_pending(w, t);
    /* entries that are not above this one hold nothing back at t */
    uint64_t over = t > x->longest_extra ? ready_entry(t - x->longest_extra, (1u << READY_PRODUCER_BITS) - 1) : 0;
    struct dependency worst = {0, PRODUCER_NONE};
    cycle_t in_unit = 0;

    for (unsigned k = 0, reads = pending & i->registers_read ? i->reads : 0; k < reads; k++) {
        if (!(pending & i->registers[k]))
            continue;
        uint32_t late = i->reads_late >> k & 1 ? x->profile->matrix.wmma_addend_cycles : 0;
        const uint64_t *v = &w->ready[i->reg[k].first], *last = v + i->reg[k].count - 1;

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

/* Adds what i writes to the registers with results to come, until `busy`. Returns those among which are all that had
 * some in cycle `now`. */
static ALWAYS_INLINE uint64_t scoreboard_add_pending(struct cu_wave *w, const struct timing_info *i, cycle_t now,
                                                     cycle_t busy)
{
    struct cu_pending *p = &w->pending;

    if (now >= p->until[1]) {
        p->registers[1] = p->registers[0];
        p->until[1] = p->until[0];
        p->registers[0] = p->until[0] = 0;
    }
    uint64_t before = p->registers[0] | p->registers[1];

    p->registers[0] |= i->registers_written;
    p->until[0] = cu_later(p->until[0], busy);
    return before;
}

/* Books the results of i, which issues now: ready at `done` for an instruction of its own kind. */
static ALWAYS_INLINE void scoreboard_book(const struct cu *c, struct cu_wave *w, const struct timing_info *i,
                                          cycle_t now, cycle_t done)
{
    cycle_t busy = done + c->x->longest_extra;
    bool alone = !(scoreboard_add_pending(w, i, now, busy) & i->registers_written);

    w->done = done;
    w->busy_until = cu_later(w->busy_until, busy);
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++) {
        uint64_t v = ready_entry(done, i->producers[k - i->reads]);
        uint64_t *r = &w->ready[i->reg[k].first], *end = r + i->reg[k].count;

        /* a short operation does not overtake a long one that writes the same register */
        for (; r < end; r++)
            if (alone || v > *r)
                *r = v;
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
