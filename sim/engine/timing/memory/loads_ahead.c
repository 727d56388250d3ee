/* Waits that let some vector loads be in flight still, and what their late results hold. */
#include "sim/engine/timing/memory/loads_ahead.h"

#include <string.h>

#define NOTHING ((struct verdict){0, STALL_ARBITRATION})

enum {
    LOAD_COUNTERS = 1 << WAIT_VM | 1 << WAIT_LOAD,
    PLACES = 64, /* no counter lets more be in flight */
};

/* A value: `lag_cycles` of ALU instructions, the last of them a `producer`, after the result of load number `load`; 0:
 * of none. */
struct value {
    uint32_t load, lag_cycles;
    uint8_t producer;
};

struct cu_loads_ahead {
    uint32_t issued;         /* loads, numbered from 1 on */
    cycle_t landed[PLACES];  /* by number; CYCLE_NEVER: in flight */
    uint8_t counter[PLACES]; /* that it is waited for by */
    struct value value[REG_COUNT];
};

struct cu_loads_ahead *loads_ahead_new(struct arena *arena)
{
    return ARENA_NEW(arena, 1, struct cu_loads_ahead);
}

void loads_ahead_begin(struct cu_loads_ahead *a)
{
    memset(a, 0, sizeof *a);
}

static bool is_load(const struct timing_info *i)
{
    return i->results && i->port == PORT_VMEM && i->counters & LOAD_COUNTERS;
}

static void set(struct cu_loads_ahead *a, const struct timing_reg *r, struct value v)
{
    for (unsigned n = 0; n < r->count; n++)
        a->value[r->first + n] = v;
}

/* The operand of i that is there last, for what i is: that of the youngest load, as loads return in their order. */
static struct value latest_operand(const struct cu_context *x, const struct cu_loads_ahead *a,
                                   const struct timing_info *i)
{
    struct value last = {.load = 0};

    for (unsigned k = 0; k < i->reads; k++)
        for (unsigned n = 0; n < i->reg[k].count; n++) {
            struct value v = a->value[i->reg[k].first + n];

            v.lag_cycles += x->extra[v.producer][i->consumer];
            if (v.load > last.load || (v.load == last.load && v.lag_cycles > last.lag_cycles))
                last = v;
        }
    return last;
}

void loads_ahead_begin_op(struct cu_wave *w, struct cu_op *op)
{
    struct cu_loads_ahead *a = w->ahead;

    if (!is_load(op->info))
        return;
    op->load = (uint8_t)(++a->issued % PLACES);
    a->landed[op->load] = CYCLE_NEVER;
    a->counter[op->load] = (uint8_t)__builtin_ctz(op->counters & LOAD_COUNTERS);
}

void loads_ahead_issue(const struct cu *c, struct cu_wave *w, const struct timing_info *i)
{
    struct cu_loads_ahead *a = w->ahead;
    struct value v = latest_operand(c->x, a, i);

    if (v.load)
        v.lag_cycles += (uint32_t)cu_later(i->latency_cycles, cu_later(i->issue_cycles, c->x->issue_slot_cycles));
    for (unsigned k = 0; k < i->writes; k++) {
        v.producer = i->producers[k];
        set(a, &i->reg[i->reads + k], v);
    }
    v = (struct value){.load = is_load(i) ? a->issued : 0, .producer = PRODUCER_NONE};
    for (unsigned k = 0; k < i->results; k++)
        set(a, &i->result[k], v);
}

void loads_ahead_done(struct cu_wave *w, struct cu_op *op, cycle_t now)
{
    if (op->pending || op->lds_pending || op->landed)
        return;
    op->landed = true;
    if (is_load(op->info))
        w->ahead->landed[op->load] = now;
}

/* Whether the counter holds w: of the operations that have to be over, `loads_ahead` loads need not be. */
static bool holds(const struct cu *c, const struct cu_wave *w, const struct isa_wait *wait)
{
    unsigned over = w->outstanding[wait->counter], ahead = c->x->profile->ideal.loads_ahead;

    over = over > wait->threshold ? over - wait->threshold : 0;
    if (!(LOAD_COUNTERS >> wait->counter & 1))
        return over;
    for (uint16_t n = w->op_head; n != CU_NO_OP && over; n = c->op[n].next) {
        const struct cu_op *op = &c->op[n];

        if (!((op->counters & ~op->released) >> wait->counter & 1))
            continue;
        over--;
        if (op->landed)
            continue;
        if (!is_load(op->info) || !ahead)
            return true;
        ahead--;
    }
    return false;
}

struct verdict loads_ahead_counters(const struct cu *c, const struct cu_wave *w)
{
    const struct timing_info *i = w->info;

    for (unsigned k = 0; k < i->waits; k++)
        if (holds(c, w, &i->wait[k]))
            return (struct verdict){CYCLE_NEVER, (enum timing_stall)(STALL_WAIT + i->wait[k].counter)};
    return NOTHING;
}

/* Whether the values that i reads have to be there. */
static bool needs_values(const struct timing_info *i)
{
    if (i->makes_request || i->category == OPCAT_BRANCH)
        return true;
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++)
        if (i->reg[k].first <= CODE_EXEC_HI && i->reg[k].first + i->reg[k].count > CODE_EXEC_LO)
            return true;
    return false;
}

struct verdict loads_ahead_registers(const struct cu *c, const struct cu_wave *w, cycle_t t)
{
    const struct cu_loads_ahead *a = w->ahead;
    struct value v = {.load = 0};

    if (needs_values(w->info))
        v = latest_operand(c->x, a, w->info);
    if (!v.load || a->issued - v.load >= PLACES)
        return NOTHING;
    cycle_t landed = a->landed[v.load % PLACES];
    enum timing_stall why = (enum timing_stall)(STALL_WAIT + a->counter[v.load % PLACES]);
    if (landed == CYCLE_NEVER)
        return (struct verdict){CYCLE_NEVER, why};
    return t < landed + v.lag_cycles ? (struct verdict){landed + v.lag_cycles, why} : NOTHING;
}
