/* A compute unit's cycle: results, decisions about woken waves, issue, requests to memory; and the launch and release
 * of its waves. */
#include "sim/engine/timing/clock/dispatcher.h"
#include "sim/engine/timing/cu/charge.h"
#include "sim/engine/timing/memory/loads_ahead.h"
#include "sim/engine/timing/memory/tensor_unit.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t cu_vector_lines(const struct cu_context *x, uint32_t depth)
{
    bool blocks = isa_has(x->target, FEAT_BLOCK_MEMORY);

    /* a block instruction may be the last one to find credit */
    return (depth - 1) * CU_MAX_LINES + (blocks ? CU_MAX_BLOCK_LINES : CU_MAX_LINES);
}

/* A prefetch has the most lines. */
static uint32_t scalar_lines(const struct cu_context *x, uint32_t depth)
{
    uint32_t line = x->scalar_line_bytes < x->inst_line_bytes ? x->scalar_line_bytes : x->inst_line_bytes;

    return depth * (ISA_MAX_PREFETCH_BYTES / line + 1);
}

static bool init_parts(struct cu *c, struct arena *arena)
{
    struct cu_context *x = c->x;
    const struct profile *p = x->profile;
    uint32_t depth = x->simds_per_part * p->cu.vmem_queue_depth;

    for (uint32_t k = 0; k < x->parts; k++) {
        uint32_t cu = c->index * x->parts + k;
        struct cu_fetch_unit *f = &c->fetch[k];
        uint32_t blocks = p->frontend.buffer_bytes / x->fetch_block_bytes;
        /* the longest instruction must fit wherever it starts */
        uint32_t least = (ISA_MAX_INST_BYTES + x->fetch_block_bytes - 1) / x->fetch_block_bytes + 1;

        f->block_bytes = x->fetch_block_bytes;
        f->block_shift = (uint8_t)__builtin_ctz(x->fetch_block_bytes);
        f->buffer_bytes = (blocks > least ? blocks : least) * x->fetch_block_bytes;
        f->first_wave = k * x->simds_per_part * x->slots;
        /* as many as cu_fetch.arrived can tell apart */
        f->flight_bytes = (p->frontend.fetches_in_flight ? p->frontend.fetches_in_flight : 64) * x->fetch_block_bytes;
        f->waits = p->frontend.buffer_free_cycles || p->frontend.branch_resolve_cycles;
        /* each SIMD may have one scalar instruction waiting to be sent */
        if (!cu_line_queue_init(&c->vmem[k], arena, &x->memory, cu, MEM_PORT_VECTOR, depth, cu_vector_lines(x, depth),
                                p->cache[LEVEL_VL0].tag_lookups_per_cycle) ||
            !cu_line_queue_init(&c->smem[k], arena, &x->memory, cu, MEM_PORT_SCALAR, x->simds_per_part,
                                scalar_lines(x, x->simds_per_part), p->cache[LEVEL_K].tag_lookups_per_cycle))
            return false;
        if (p->tensor.entries && !(c->tensors[k] = tensor_unit_new(c, k, arena)))
            return false;
    }
    return true;
}

static bool init_pipe(struct pipe *p, struct arena *arena)
{
    struct pipe_slot *slots = ARENA_NEW(arena, CU_PIPE_SLOTS, struct pipe_slot);

    if (slots)
        pipe_init(p, slots, CU_PIPE_SLOTS);
    return slots != NULL;
}

void cu_init(struct cu *c, struct cu_context *x, uint32_t index, uint32_t events, enum engine_inst_counts counts,
             cycle_t *wake)
{
    memset(c, 0, sizeof *c);
    c->x = x;
    c->index = index;
    c->events = events;
    c->watched = events || counts == ENGINE_INST_ALL;
    c->tells_charges = c->watched || counts != ENGINE_INST_NOTHING;
    c->wake = wake;
    *wake = c->results_at = c->starts_at = c->wake_at = c->issue_at = CYCLE_NEVER;
    for (uint32_t k = 0; k < CU_MAX_SIMDS; k++) {
        c->simd[k].number = k;
        c->next_wake[k] = c->next_issue[k] = CYCLE_NEVER;
    }
}

bool cu_furnish(struct cu *c, struct arena *arena)
{
    const struct cu_context *x = c->x;
    uint32_t waves = x->simds * x->slots;

    if (c->group_count)
        return true;
    c->wave = arena_alloc(arena, waves, sizeof *c->wave, 64);
    c->group = ARENA_NEW(arena, waves, struct cu_group);
    c->isa_waves = arena_alloc_unset(arena, waves, sizeof *c->isa_waves, 64); /* isa_wave_init() sets them */
    c->coalesced = arena_alloc_unset(arena, x->parts, sizeof *c->coalesced, _Alignof(struct coalesce_memo));
    if (!c->coalesced || !c->wave || !c->group || !c->isa_waves || !cu_ops_init(c, arena) ||
        !fifo_init_arena(&c->starts, arena, sizeof(struct cu_start), waves) || !init_parts(c, arena) ||
        !cu_emit_init(c, arena))
        return false;
    for (uint32_t k = 0; k < x->parts; k++)
        coalesce_memo_init(&c->coalesced[k]);
    c->lds_ports = (x->simds + x->profile->cu.simds_per_lds_port - 1) / x->profile->cu.simds_per_lds_port;
    for (uint32_t k = 0; k < c->lds_ports; k++)
        if (!init_pipe(&c->lds_port[k].pipe, arena))
            return false;
    for (uint32_t k = 0; k < x->simds; k++) {
        if (x->profile->ideal.second_valu)
            c->simd[k].port[PORT_VALU].units = CU_TWO_UNITS;
        for (unsigned port = 0; port < PORT_COUNT && x->profile->ideal.free_issue; port++)
            c->simd[k].port[port].units = CU_FREE_UNITS;
        cu_lds_side_init(&c->simd[k].lds, x->profile->cu.lds_staging_registers, x->profile->cu.lds_result_gap_cycles);
    }
    if (!init_pipe(&c->misc.pipe, arena))
        return false;
    for (uint32_t k = 0; k < CU_MAX_SIMDS; k++)
        c->simd[k].wave = &c->wave[(size_t)k * x->slots];
    if (!x->front->init(c, arena))
        return false;
    for (uint32_t k = 0; k < x->parts; k++) {
        c->vmem[k].out.pending = &c->op[0].pending;
        c->vmem[k].out.pending_bytes = sizeof c->op[0];
    }
    for (uint32_t k = 0; k < waves; k++) {
        struct cu_wave *w = &c->wave[k];

        w->cu = c;
        w->index = (uint16_t)k;
        w->simd = (uint8_t)(k / x->slots);
        w->slot = (uint8_t)(k % x->slots);
        w->part = (uint8_t)(w->simd / x->simds_per_part);
        w->isa = &c->isa_waves[k];
    }
    c->group_count = waves;
    return true;
}

void cu_allocate(struct cu *c, const struct cu_dispatch *d, uint32_t simd)
{
    const struct launch_occupancy *o = &d->launch->occupancy;
    struct cu_simd *s = &c->simd[simd];

    s->waves++;
    s->vgprs += d->vgprs;
    s->agprs += o->agpr_alloc;
    s->sgprs += o->sgpr_alloc;
}

static void book(struct cu_context *x, const struct cu_release *r)
{
    struct cu_simd *s = &r->cu->simd[r->simd];

    s->vgprs -= r->vgprs;
    s->agprs -= r->agprs;
    s->sgprs -= r->sgprs;
    r->cu->lds_bytes[x->profile->cu.lds_per_wgp ? 0 : r->part] -= r->lds_bytes;
    r->cu->barriers -= r->barrier;
    memset(r->cu->full, 0, sizeof r->cu->full);
    *r->cu->engine_full = 0;
    if (r->wave) {
        s->waves--;
        s->booked &= ~(UINT32_C(1) << r->slot);
        if (r->of)
            r->of->scratch[r->of->scratch_free++] = r->scratch_slot;
    }
}

/* A wave of a recording starts when the recording says, so its release is not delayed. */
static void send_back(struct cu_context *x, const struct cu_wave *w, struct cu_release *r, cycle_t now)
{
    r->at = w->script ? now : now + x->profile->frontend.wave_release_cycles;
    fifo_accept(&x->releases, r);
}

void cu_release_vgprs(struct cu *c, struct cu_wave *w, cycle_t now)
{
    const struct launch_occupancy *o = &w->d->launch->occupancy;
    struct cu_release r = {.cu = c, .vgprs = w->d->vgprs, .agprs = o->agpr_alloc, .simd = w->simd, .part = w->part};

    if (w->vgprs_released)
        return;
    w->vgprs_released = true;
    send_back(c->x, w, &r, now);
    c->freed = true;
}

void cu_release_wave(struct cu *c, struct cu_wave *w, bool group_ends, cycle_t now)
{
    const struct launch_occupancy *o = &w->d->launch->occupancy;
    struct cu_release r = {.cu = c,
                           .vgprs = w->vgprs_released ? 0 : w->d->vgprs,
                           .agprs = w->vgprs_released ? 0 : o->agpr_alloc,
                           .sgprs = o->sgpr_alloc,
                           .lds_bytes = group_ends ? w->group->lds_alloc_bytes : 0,
                           .barrier = group_ends && w->group->multiwave,
                           .of = w->d->of,
                           .scratch_slot = w->scratch_slot,
                           .simd = w->simd,
                           .slot = w->slot,
                           .part = w->group->part < c->x->parts ? (uint8_t)w->group->part : w->part,
                           .wave = true};

    send_back(c->x, w, &r, now);
    c->freed = true;
}

cycle_t cu_releases_take(struct cu_context *x, cycle_t now)
{
    const struct cu_release *r;

    while ((r = fifo_front(&x->releases)) && r->at <= now) {
        book(x, r);
        fifo_pop(&x->releases);
    }
    return r ? r->at : CYCLE_NEVER;
}

static void note_touched(const struct cu *c, const struct cu_wave *w)
{
    uint32_t n = (c->index - w->d->x->first_cu) * c->x->parts + w->part;

    w->d->touched[n / 64] |= UINT64_C(1) << n % 64;
}

static void count_lanes(struct cu_dispatch *d, uint64_t exec)
{
    unsigned lanes = (unsigned)__builtin_popcountll(exec);

    d->items += lanes;
    d->launched[lanes / 16]++;
}

static struct isa_lds_copy *room_for_copies(void *group)
{
    struct arena *a = ((struct cu_context *)group)->copies;

    return (struct isa_lds_copy *)arena_alloc_unset(a, LDS_COPIES, sizeof(struct isa_lds_copy),
                                                    _Alignof(struct isa_lds_copy));
}

bool cu_launch(struct cu *c, struct cu_group *g, uint32_t number, uint32_t simd, uint32_t scratch_slot, uint64_t stamp,
               cycle_t now, struct arena *arena)
{
    struct cu_simd *s = &c->simd[simd];
    uint32_t slot = (uint32_t)__builtin_ctz(~s->booked), delay = c->x->start_cycles ? c->x->start_cycles : 1;
    struct cu_wave *w = &c->wave[simd * c->x->slots + slot];
    const struct launch *l = g->d->launch;
    unsigned registers = timing_registers(c->x->target);

    assert(slot < c->x->slots && w->state == WAVE_FREE);
    if (w->room < launch_wave_dwords(l) + 1) {
        /* a second one has room for more, lest each of many dispatches takes some */
        w->room = w->room ? 2 * launch_wave_dwords(l) + 1 : launch_wave_dwords(l) + 1;
        w->rows = arena_alloc(arena, w->room, sizeof(uint32_t), 64);
        w->ready = w->ready ? w->ready : ARENA_NEW(arena, registers, uint64_t);
        if (c->x->profile->ideal.exact_waits && !w->landing && !(w->landing = ARENA_NEW(arena, registers, uint8_t)))
            return false;
        if (c->x->profile->ideal.loads_ahead && !w->ahead && !(w->ahead = loads_ahead_new(arena)))
            return false;
        if (!w->rows || !w->ready)
            return false;
    }
    w->d = g->d;
    /* entries of results due before now hold nothing back */
    if (w->busy_until >= now)
        memset(w->ready, 0, registers * sizeof *w->ready);
    memset(w->outstanding, 0, sizeof w->outstanding);
    memset(w->valu_done, 0, sizeof w->valu_done);
    memset(w->trans_done, 0, sizeof w->trans_done);
    memset(w->delay, 0, sizeof w->delay);
    if (w->ahead)
        loads_ahead_begin(w->ahead);
    w->delayed = false;
    w->salu_done = w->sgpr_done = 0;
    w->busy_until = w->vectors_busy = w->scalars_busy = 0;
    launch_init_wave(l, g->id, number, scratch_slot, w->rows, g->lds, w->isa);
    w->isa->owner = w;
    w->isa->barriers = &g->barriers;
    w->isa->moves_tensors = c->tensors[0] != NULL;
    w->copies = (struct isa_lds_order){.copy = w->copies.copy, .room = room_for_copies, .ctx = c->x};
    w->isa->lds_order = launch_lds_bytes(l) ? &w->copies : NULL;
    /* the two CUs of a WGP have its even and its odd SIMDs (SQ thread traces of gfx1100 and gfx1201) */
    w->isa->hw_id = isa_hw_id(l->target, slot, simd % c->x->simds_per_part * c->x->parts + w->part,
                              c->index * c->x->parts + w->part);
    w->info = timing_table_at(w->d->table, w->isa->pc, w->isa->vgpr_msb);
    if (!w->info)
        return false;
    w->group = g;
    w->number = number;
    w->script = NULL;
    w->issued = NULL;
    c->x->front->launch(c, w);
    w->scratch_slot = scratch_slot;
    w->ended = w->at_barrier = w->at_gws = w->vgprs_released = w->sources_unknown = w->issued_to_unit = false;
    w->priority = w->isa->priority;
    w->op_head = w->op_tail = CU_NO_OP;
    w->lds = (struct cu_lds_wave){0};
    w->born = w->since = now;
    w->issue_slot_end = 0;
    w->hold_reason = STALL_LAUNCH;
    w->hold_until = now + c->x->profile->frontend.launch_latency_cycles;
    s->used |= UINT32_C(1) << slot;
    s->booked |= UINT32_C(1) << slot;
    if (w->priority)
        s->prioritized |= UINT32_C(1) << slot;
    s->stamp[slot] = stamp;
    if (!c->resident++)
        c->busy_cycles -= now;
    note_touched(c, w);
    count_lanes(w->d, w->isa->exec);
    fifo_accept(&c->starts, &(struct cu_start){now + delay, w});
    if (now + delay < c->starts_at)
        c->starts_at = now + delay;
    cu_wave_sleep(c, w, STALL_LAUNCH, w->hold_until);
    if (__builtin_expect(c->events != 0, 0))
        cu_emit_launch(c, w, now);
    cu_wake_at(c, now + delay);
    return true;
}

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

/* The next cycle with work, requests to send apart. */
static cycle_t next_of_waves(const struct cu *c)
{
    return cu_earlier(cu_earlier(c->results_at, c->starts_at), cu_earlier(c->wake_at, c->issue_at));
}

void cu_tick(struct cu *c, cycle_t now)
{
    /* in most cycles of a kernel that memory bounds, a CU has nothing but lines to send */
    bool sends_only = next_of_waves(c) > now && !c->stopped && !c->x->check;
    cycle_t next;

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
    next = cu_earlier(next, next_of_waves(c));
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
