/* Events of a compute unit: waves, issues, stalls, LDS accesses, barriers and the addresses of memory instructions.
 *
 * Stalls. A wave is charged for its cycles when it is looked at again, which may be long after, but the stream is
 * delivered at the end of each epoch, in the order of cycles. The reason a wave has at the end of an epoch is final for
 * all cycles of the epoch (whatever changes a reason charges the wave up to then first); so the end of an epoch tells
 * of those cycles, and the charge that follows reports what comes after them alone (cu_told.upto).
 */
#include "sim/engine/timing/cu/emit.h"

bool cu_emit_init(struct cu *c, struct arena *arena)
{
    return !cu_emits_stalls(c) || (c->told = ARENA_NEW(arena, c->x->simds * c->x->slots, struct cu_told));
}

static struct event *about(struct cu *c, const struct cu_wave *w, struct event *e, gaddr_t pc)
{
    e->pc = pc;
    e->group = w->group->id;
    e->dispatch = w->d->event_tag;
    e->wave = (uint16_t)w->number;
    e->cu = (uint16_t)(c->index * c->x->parts + w->part);
    e->simd = (uint8_t)(w->simd % c->x->simds_per_part);
    e->slot = w->slot;
    return e;
}

/* A new event about wave w. */
static struct event *emit(struct cu *c, const struct cu_wave *w, enum event_kind kind, gaddr_t pc, cycle_t now)
{
    return about(c, w, event_add(c->x->event_buffer, kind, now), pc);
}

size_t cu_emit_issue(struct cu *c, const struct cu_wave *w, cycle_t now)
{
    struct event *e = emit(c, w, EVENT_ISSUE, w->info->pc, now);

    e->issue.held_until = w->hold_reason == STALL_NOP || w->hold_reason == STALL_SLEEP ? w->hold_until : 0;
    e->issue.barrier_release = w->barrier_release[w->isa->barrier_wait != 0];
    e->issue.cls = w->info->inst && w->info->inst->row ? w->info->cls : OPC_COUNT;
    e->issue.lanes = w->isa->exec;
    return (size_t)(e - c->x->event_buffer->event);
}

void cu_emit_done(struct cu *c, size_t event, cycle_t done)
{
    struct event *e = &c->x->event_buffer->event[event];

    e->issue.result_cycles = done - e->at < UINT32_MAX ? (uint32_t)(done - e->at) : UINT32_MAX;
}

void cu_emit_op_complete(struct cu *c, const struct cu_wave *w, const struct cu_op *op, cycle_t now)
{
    struct event *e = emit(c, w, EVENT_COMPLETE, op->info->pc, now);

    e->level = op->farthest;
    e->complete.issued = op->issued;
    e->complete.requested = op->requested;
}

void cu_emit_lds(struct cu *c, const struct cu_wave *w, const struct timing_info *i, const struct lds_cost *cost,
                 cycle_t now)
{
    struct event *e = emit(c, w, EVENT_LDS, i->pc, now);

    e->lds.lanes = c->fx.lds_mask;
    e->lds.conflict_cycles = cost->conflict_cycles;
    e->lds.addr_conflict_cycles = cost->addr_conflict_cycles;
    e->lds.op = c->fx.op;
}

void cu_emit_arrive(struct cu *c, const struct cu_wave *w, cycle_t now)
{
    emit(c, w, EVENT_BARRIER_ARRIVE, w->info->pc, now);
}

void cu_emit_complete(struct cu *c, const struct cu_group *g, uint32_t barriers, cycle_t release, cycle_t now)
{
    struct event *e = event_add(c->x->event_buffer, EVENT_BARRIER_COMPLETE, now);

    e->group = g->id;
    e->dispatch = g->d->event_tag;
    e->cu = (uint16_t)(c->index * c->x->parts);
    e->barrier.barriers = barriers;
    e->barrier.release = release;
}

void cu_emit_access(struct cu *c, const struct cu_wave *w, const struct timing_info *i, uint16_t op, cycle_t now)
{
    const struct isa_effects *fx = &c->fx;
    bool scalar = fx->kind == FX_SCALAR;
    struct event *e;

    if ((!scalar && fx->kind != FX_VECTOR && fx->kind != FX_FLAT_MIXED))
        return;
    e = emit(c, w, EVENT_ACCESS, i->pc, now);
    e->access.lanes = scalar ? 1 : fx->mask;
    e->access.token = op;
    e->access.pieces = scalar ? 1 : isa_effects_pieces(fx);
    e->access.bytes = scalar ? fx->bytes : (uint16_t)isa_effects_piece_bytes(fx);
    e->access.step = fx->dword_step;
    e->access.op = fx->op;
    e->access.scalar = scalar;
    event_add_lanes(c->x->event_buffer, e, fx->addr, scalar ? 1 : COALESCE_LANES);
}

/* Stalls ----------------------------------------------------------------------------------------------------------- */

static void fill_stall(struct event *e, const struct cu_told *t)
{
    const struct timing_stall_row *row = &timing_stall_row[t->reason];

    e->stall.reason = t->reason;
    e->stall.key = timing_stall_key[t->reason];
    e->stall.mark = row->mark;
    e->stall.time = row->time;
    e->stall.behind = row->to == STALL_TO_LAST;
}

static void stall_event(struct cu *c, const struct cu_wave *w, enum event_kind kind, cycle_t at)
{
    const struct cu_told *t = &c->told[w->index];

    if (t->reason != STALL_ISSUED && cu_emits(c, kind))
        fill_stall(about(c, w, event_add_stall(c->x->event_buffer, kind, at), t->pc), t);
}

static void emit_charge(struct cu *c, const struct cu_wave *w, unsigned reason, cycle_t from, cycle_t upto)
{
    struct cu_told *t = &c->told[w->index];

    if (upto <= t->upto || upto <= from)
        return;
    from = cu_later(from, t->upto);
    t->upto = upto;
    if (reason == t->reason)
        return;
    stall_event(c, w, EVENT_STALL_END, from);
    t->reason = (uint8_t)reason;
    t->pc = w->info->pc;
    stall_event(c, w, EVENT_STALL_BEGIN, from);
}

static void end_stall(struct cu *c, const struct cu_wave *w, cycle_t at)
{
    stall_event(c, w, EVENT_STALL_END, at);
    c->told[w->index].reason = STALL_ISSUED;
}

void cu_emit_stalls(struct cu *c, const struct cu_wave *w, cycle_t from, cycle_t upto)
{
    cycle_t slot_ends = cu_earlier(upto, w->issue_slot_end);

    emit_charge(c, w, STALL_ISSUED, from, slot_ends);
    emit_charge(c, w, w->reason, cu_later(from, slot_ends), upto);
}

void cu_emit_stalls_until(struct cu *c, cycle_t end)
{
    for (uint32_t k = 0; k < c->x->simds * c->x->slots; k++) {
        const struct cu_wave *w = &c->wave[k];
        const struct cu_simd *s = &c->simd[w->simd];
        cycle_t from = w->since;

        if (w->state == WAVE_FREE)
            continue;
        if (s->lost >> w->slot & 1 && s->lost_until < end) {
            cu_emit_stalls(c, w, from, s->lost_until);
            emit_charge(c, w, STALL_UNIT_BUSY_VALU, cu_later(from, s->lost_until), end);
        } else {
            cu_emit_stalls(c, w, from, end);
        }
    }
}

void cu_emit_launch(struct cu *c, const struct cu_wave *w, cycle_t now)
{
    struct cu_told *t = c->told ? &c->told[w->index] : NULL;

    if (cu_emits(c, EVENT_WAVE_LAUNCH))
        emit(c, w, EVENT_WAVE_LAUNCH, w->isa->pc, now);
    if (!t)
        return;
    /* known at once, unlike later reasons: after the launch */
    *t = (struct cu_told){.upto = now, .pc = w->isa->pc, .reason = STALL_LAUNCH};
    if (cu_emits(c, EVENT_STALL_BEGIN))
        fill_stall(emit(c, w, EVENT_STALL_BEGIN, t->pc, now), t);
}

void cu_emit_end(struct cu *c, const struct cu_wave *w, cycle_t now)
{
    if (c->told)
        end_stall(c, w, now);
    if (cu_emits(c, EVENT_WAVE_END))
        emit(c, w, EVENT_WAVE_END, w->isa->inst_pc, now);
}

void cu_emit_stalls_end(struct cu *c)
{
    for (uint32_t k = 0; k < c->group_count; k++)
        if (c->wave[k].state != WAVE_FREE)
            end_stall(c, &c->wave[k], c->wave[k].since);
}
