/* Waits that hold a wave for no more than it needs: results in flight by register. */
#include "sim/engine/timing/memory/exact_waits.h"

#define NOTHING ((struct verdict){0, STALL_ARBITRATION})

static void add(struct cu_wave *w, const struct timing_info *i, int by)
{
    for (unsigned k = 0; k < i->results; k++)
        for (unsigned r = 0; r < i->result[k].count; r++)
            w->landing[i->result[k].first + r] = (uint8_t)(w->landing[i->result[k].first + r] + by);
}

void exact_waits_issue(struct cu_wave *w, const struct timing_info *i)
{
    add(w, i, 1);
}

void exact_waits_done(struct cu_wave *w, struct cu_op *op)
{
    if (op->pending || op->lds_pending || op->landed)
        return;
    op->landed = true;
    add(w, op->info, -1);
}

/* Whether the counter holds w: of the operations that have to be over, one without a result is not. */
static bool holds(const struct cu *c, const struct cu_wave *w, const struct isa_wait *wait)
{
    unsigned over =
        w->outstanding[wait->counter] > wait->threshold ? w->outstanding[wait->counter] - wait->threshold : 0;

    for (uint16_t n = w->op_head; n != CU_NO_OP && over; n = c->op[n].next) {
        const struct cu_op *op = &c->op[n];

        if (!((op->counters & ~op->released) >> wait->counter & 1))
            continue;
        if (!op->info->results && !op->landed)
            return true;
        over--;
    }
    return false;
}

struct verdict exact_waits_counters(const struct cu *c, const struct cu_wave *w)
{
    const struct timing_info *i = w->info;

    for (unsigned k = 0; k < i->waits; k++)
        if (holds(c, w, &i->wait[k]))
            return (struct verdict){CYCLE_NEVER, (enum timing_stall)(STALL_WAIT + i->wait[k].counter)};
    return NOTHING;
}

static bool in_flight(const struct cu_wave *w, const struct timing_reg *r)
{
    for (unsigned n = 0; n < r->count; n++)
        if (w->landing[r->first + n])
            return true;
    return false;
}

static bool overlaps(const struct timing_reg *a, const struct timing_reg *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

/* The stall reason of the oldest operation that has register r in flight. */
static enum timing_stall reason(const struct cu *c, const struct cu_wave *w, const struct timing_reg *r)
{
    for (uint16_t n = w->op_head; n != CU_NO_OP; n = c->op[n].next) {
        const struct cu_op *op = &c->op[n];

        for (unsigned k = 0; !op->landed && k < op->info->results; k++)
            if (overlaps(&op->info->result[k], r))
                return (enum timing_stall)(STALL_WAIT + __builtin_ctz(op->counters));
    }
    return STALL_COUNTER_FULL; /* not reached: what is in flight has an operation */
}

struct verdict exact_waits_registers(const struct cu *c, const struct cu_wave *w)
{
    const struct timing_info *i = w->info;

    for (unsigned k = 0; k < (unsigned)i->reads + i->writes; k++)
        if (in_flight(w, &i->reg[k]))
            return (struct verdict){CYCLE_NEVER, reason(c, w, &i->reg[k])};
    for (unsigned k = 0; k < i->results; k++)
        if (in_flight(w, &i->result[k]))
            return (struct verdict){CYCLE_NEVER, reason(c, w, &i->result[k])};
    return NOTHING;
}
