/* Waves come to a compute unit and leave it: the launch of a wave, the resources it takes, and their release. */
#include "sim/engine/timing/clock/dispatcher.h"
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/memory/loads_ahead.h"

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

/* Makes room for the registers of a wave of l, and for what is known of each. False: no host memory. */
static bool take_room(const struct cu *c, struct cu_wave *w, const struct launch *l, struct arena *arena)
{
    unsigned registers = timing_registers(c->x->target);

    if (w->room >= launch_wave_dwords(l) + 1)
        return true;
    /* a second one has room for more, lest each of many dispatches takes some */
    w->room = w->room ? 2 * launch_wave_dwords(l) + 1 : launch_wave_dwords(l) + 1;
    w->rows = arena_alloc(arena, w->room, sizeof(uint32_t), 64);
    w->ready = w->ready ? w->ready : ARENA_NEW(arena, registers, uint64_t);
    if (c->x->profile->ideal.exact_waits && !w->landing && !(w->landing = ARENA_NEW(arena, registers, uint8_t)))
        return false;
    if (c->x->profile->ideal.loads_ahead && !w->ahead && !(w->ahead = loads_ahead_new(arena)))
        return false;
    return w->rows && w->ready;
}

/* Forgets the results of the wave that had the slot before. */
static void forget_results(const struct cu *c, struct cu_wave *w, cycle_t now)
{
    /* entries of results due before now hold nothing back */
    if (w->busy_until >= now)
        memset(w->ready, 0, timing_registers(c->x->target) * sizeof *w->ready);
    memset(w->outstanding, 0, sizeof w->outstanding);
    memset(w->valu_done, 0, sizeof w->valu_done);
    memset(w->trans_done, 0, sizeof w->trans_done);
    memset(w->delay, 0, sizeof w->delay);
    if (w->ahead)
        loads_ahead_begin(w->ahead);
    w->delayed = false;
    w->salu_done = w->sgpr_done = 0;
    w->busy_until = 0;
    w->pending = (struct cu_pending){0};
}

bool cu_launch(struct cu *c, struct cu_group *g, uint32_t number, uint32_t simd, uint32_t scratch_slot, uint64_t stamp,
               cycle_t now, struct arena *arena)
{
    struct cu_simd *s = &c->simd[simd];
    uint32_t slot = (uint32_t)__builtin_ctz(~s->booked), delay = c->x->start_cycles ? c->x->start_cycles : 1;
    struct cu_wave *w = &c->wave[simd * c->x->slots + slot];
    const struct launch *l = g->d->launch;

    assert(slot < c->x->slots && w->state == WAVE_FREE);
    if (!take_room(c, w, l, arena))
        return false;
    w->d = g->d;
    forget_results(c, w, now);
    launch_init_wave(l, g->id, number, scratch_slot, w->rows, g->lds, w->isa);
    w->isa->owner = w;
    w->isa->barriers = &g->barriers;
    w->isa->moves_tensors = c->tensors[0] != NULL;
    w->copies = (struct isa_lds_order){.copy = w->copies.copy, .room = room_for_copies, .ctx = c->x};
    w->isa->lds_order = launch_lds_bytes(l) ? &w->copies : NULL;
    /* the two CUs of a WGP have its even and its odd SIMDs (SQ thread traces of gfx1100 and gfx1201) */
    w->isa->hw_id = isa_hw_id(l->target, slot, simd % c->x->simds_per_part * c->x->parts + w->part,
                              c->index * c->x->parts + w->part);
    w->info = timing_table_at(w->d->table, w->isa->pc, w->isa);
    if (!w->info)
        return false;
    w->group = g;
    w->number = number;
    w->script = NULL;
    w->issued = NULL;
    c->x->front->launch(c, w);
    w->scratch_slot = scratch_slot;
    w->ended = w->at_barrier = w->at_gws = w->vgprs_released = w->sources_unknown = w->issued_to_unit = false;
    w->waited = false;
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
