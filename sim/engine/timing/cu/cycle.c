/* A compute unit's cycle: results, decisions about woken waves, issue, requests to memory. */
#include "sim/engine/timing/cu/charge.h"
#include "sim/engine/timing/memory/operand_path.h"
#include "sim/engine/timing/memory/tensor_unit.h"

void cu_entry_freed(struct cu *c, uint32_t part, cycle_t from)
{
    uint32_t first = part * c->x->simds_per_part;

    for (uint32_t k = first; k < first + c->x->simds_per_part; k++) {
        if (c->simd[k].ports & (1u << PORT_VMEM | 1u << PORT_SMEM) && c->next_issue[k] > from)
            c->next_issue[k] = c->issue_at = from;
    }
}

void cu_credit_returned(struct cu *c, unsigned part, enum mem_port_kind port, cycle_t now)
{
    /* prefetches of instructions wait in the queue of scalar requests */
    if (port == MEM_PORT_INST)
        c->fetch[part].awaits_credit = false;
    (port == MEM_PORT_VECTOR ? &c->vmem[part] : &c->smem[part])->awaits_credit = false;
    if (port == MEM_PORT_VECTOR && c->tensors[part])
        tensor_unit_credit(c->tensors[part]);
    cu_wake_at(c, now);
}

void cu_lines_sent(struct cu *c, unsigned part, cycle_t now)
{
    cu_line_queue_sent(&c->vmem[part], now);
    cu_entry_freed(c, part, now + 1);
    cu_wake_at(c, c->issue_at);
}

void cu_complete(struct cu *c, unsigned part, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    (void)part;
    if (port == MEM_PORT_INST)
        cu_fetch_arrive(c, token, now);
    else
        cu_op_done(c, (uint16_t)token, now);
}

/* Completes the operations whose result has arrived. */
static void take_results(struct cu *c, cycle_t now)
{
    uint64_t op;

    c->results_at = CYCLE_NEVER;
    for (uint32_t k = 0; k < c->lds_ports; k++) {
        while (pipe_pop_ready(&c->lds_port[k].pipe, now, &op))
            cu_op_done(c, (uint32_t)op, now);
        c->results_at = cu_earlier(c->results_at, pipe_next_event(&c->lds_port[k].pipe));
    }
    while (pipe_pop_ready(&c->misc.pipe, now, &op))
        cu_op_done(c, (uint32_t)op, now);
    c->results_at = cu_earlier(c->results_at, pipe_next_event(&c->misc.pipe));
    for (unsigned k = 0; k < c->x->parts; k++)
        c->results_at = cu_earlier(c->results_at, cu_returns_advance(c, k, now));
}

/* Finds the TIMED waves to be woken in this cycle, and the next cycle with such waves. */
static void find_woken(struct cu *c, struct cu_simd *s, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;
    uint32_t woken = 0;

    for (uint32_t m = s->timed; m; m &= m - 1) {
        unsigned k = (unsigned)__builtin_ctz(m);

        if (s->wake[k] <= now)
            woken |= m & -m;
        else
            next = cu_earlier(next, s->wake[k]);
    }
    s->woken = woken;
    c->next_wake[s->number] = next;
    c->woken |= (uint32_t)(woken != 0) << s->number;
}

static void start_waves(struct cu *c, cycle_t now)
{
    const struct cu_start *s;

    while ((s = fifo_front(&c->starts)) && s->at <= now) {
        if (!s->wave->ended)
            cu_fetch_start(c, s->wave, s->wave->isa->pc);
        fifo_pop(&c->starts);
    }
    c->starts_at = s ? s->at : CYCLE_NEVER;
}

/* Takes results; finds the waves to be decided about. */
static void tick_results(struct cu *c, cycle_t now)
{
    if (c->starts_at <= now)
        start_waves(c, now);
    if (c->results_at <= now)
        take_results(c, now);
    if (c->wake_at <= now)
        for (uint32_t k = 0; k < c->x->simds; k++)
            if (c->next_wake[k] <= now)
                find_woken(c, &c->simd[k], now);
}

static void advance_paths(struct cu *c, cycle_t now)
{
    for (uint32_t m = c->paths; m; m &= m - 1)
        operand_path_advance(c, (unsigned)__builtin_ctz(m), now);
}

/* Decides about them. */
static void tick_waves(struct cu *c, cycle_t now)
{
    for (; c->woken; c->woken &= c->woken - 1) {
        const struct cu_simd *s = &c->simd[__builtin_ctz(c->woken)];

        for (uint32_t m = s->woken; m; m &= m - 1)
            cu_wave_update(c, &s->wave[__builtin_ctz(m)], now);
    }
    if (c->x->check)
        for (uint32_t n = 0; n < c->x->simds * c->x->slots; n++)
            cu_wave_check(c, &c->wave[n], now);
}

/* Sends requests; returns the next cycle with some to send. */
static cycle_t send_requests(struct cu *c, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;
    bool check = c->x->check; /* who waits for a credit asks again, which must change nothing */

    for (uint32_t k = 0; k < c->x->parts; k++) {
        bool freed = false;

        if (cu_fetch_is_busy(&c->fetch[k]) && (!c->fetch[k].awaits_credit || check))
            next = cu_earlier(next, cu_fetch_tick(c, k, now));
        if (cu_line_queue_sends(&c->vmem[k]) && (!c->vmem[k].awaits_credit || check))
            next = cu_earlier(next, cu_line_queue_tick(&c->vmem[k], now, &freed));
        if (cu_line_queue_sends(&c->smem[k]) && (!c->smem[k].awaits_credit || check))
            next = cu_earlier(next, cu_line_queue_tick(&c->smem[k], now, &freed));
        if (freed)
            cu_entry_freed(c, k, now + 1);
        if (c->tensors[k])
            next = cu_earlier(next, tensor_unit_tick(c->tensors[k], c, now));
    }
    return next;
}

static void tick_issue(struct cu *c, cycle_t now)
{
    const struct cu_context *x = c->x;
    uint32_t first = x->round_robin ? cu_simd_in_turn(x, now) : 0, end = x->round_robin ? first + 1 : x->simds;
    bool check = x->check;

    for (uint32_t k = first; k < end; k++) {
        if (c->next_issue[k] > now && !(check && c->simd[k].ports))
            continue;
        cu_simd_arbitrate(c, &c->simd[k], now);
        if (c->stopped)
            return;
    }
}

/* Finds the next cycles in which timed waves wake and SIMDs arbitrate. */
static void find_next_work(struct cu *c, cycle_t now)
{
    const struct cu_context *x = c->x;

    c->wake_at = c->issue_at = CYCLE_NEVER;
    for (uint32_t k = 0; k < x->simds; k++) {
        cycle_t issue = c->next_issue[k];

        /* a SIMD that does not arbitrate in this cycle may have been ready before */
        if (x->round_robin && issue != CYCLE_NEVER)
            issue = cu_next_arbitration(x, k, cu_later(issue, now + 1));
        c->issue_at = cu_earlier(c->issue_at, issue);
        c->wake_at = cu_earlier(c->wake_at, c->next_wake[k]);
    }
}

/* The next cycle with work, requests to send and blocks of instructions apart. */
static cycle_t next_of_waves(const struct cu *c)
{
    return cu_earlier(cu_earlier(c->results_at, c->starts_at), cu_earlier(c->wake_at, c->issue_at));
}

void cu_tick(struct cu *c, cycle_t now)
{
    bool sends_only;
    cycle_t next;

    if (c->arrives_at <= now)
        cu_fetch_arrivals(c, now);
    /* in most cycles of a kernel that memory bounds, a CU has nothing but lines to send */
    sends_only = next_of_waves(c) > now && !c->stopped && !c->x->check;
    if (!sends_only)
        tick_results(c, now);
    advance_paths(c, now);
    if (!sends_only) {
        tick_waves(c, now);
        tick_issue(c, now);
        if (c->stopped)
            return;
    }
    next = send_requests(c, now);
    if (!sends_only)
        find_next_work(c, now);
    next = cu_earlier(next, cu_earlier(next_of_waves(c), c->arrives_at));
    *c->wake = next > now ? next : now + 1;
}

void cu_charge(struct cu *c, const struct cu_dispatch *d, cycle_t now)
{
    for (uint32_t k = 0; k < c->x->simds; k++)
        if (c->simd[k].lost && c->simd[k].lost_until <= now)
            cu_simd_settle_lost(c, &c->simd[k]);
    for (uint32_t k = 0; k < c->group_count; k++)
        if (c->wave[k].state != WAVE_FREE && c->wave[k].d == d)
            cu_wave_charge(c, &c->wave[k], now);
}

void cu_settle(struct cu *c, const struct cu_dispatch *d, cycle_t now)
{
    cu_charge(c, d, now);
    for (uint32_t k = 0; k < c->group_count; k++) {
        struct cu_wave *w = &c->wave[k];

        if (w->state == WAVE_FREE || w->d != d)
            continue;
        w->d->resident_cycles += w->since - w->born;
        w->born = w->since;
    }
}
