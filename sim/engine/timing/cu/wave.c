/* The conditions of one wave for issue: which of them holds its next instruction, and until when.
 *
 * The conditions are asked in a fixed order and the first that does not hold is the stall reason. None of them depends
 * on another wave or on a shared unit, so the answer stays true until the cycle it names, or until an event of the
 * wave's own (completion, fetch, barrier): a run that asks in every cycle charges the same reasons as one that jumps.
 */
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/cu/charge.h"
#include "sim/engine/timing/cu/ready.h"
#include "sim/engine/timing/memory/exact_waits.h"
#include "sim/engine/timing/memory/loads_ahead.h"

/* Whose cycles those of a reason are. */
static const struct timing_info *charged(const struct cu_wave *w, unsigned reason)
{
    return timing_stall_row[reason].to == STALL_TO_LAST && w->issued ? w->issued : w->info;
}

NOINLINE void cu_wave_tell_charge(struct cu *c, const struct cu_wave *w, cycle_t from, cycle_t issued, cycle_t upto)
{
    if (cu_emits_stalls(c))
        cu_emit_stalls(c, w, from, upto);
    if (!w->d->inst_stalls)
        return;
    if (issued)
        charged(w, STALL_ISSUED)->profile[c->x->thread].stat[STAT_INST_STALL + STALL_ISSUED] += issued;
    charged(w, w->reason)->profile[c->x->thread].stat[STAT_INST_STALL + w->reason] += upto - from - issued;
}

static void set_timed(struct cu *c, struct cu_wave *w, cycle_t wake)
{
    struct cu_simd *s = &c->simd[w->simd];

    w->state = WAVE_TIMED;
    s->wake[w->slot] = wake;
    s->timed |= UINT32_C(1) << w->slot;
    if (wake < c->next_wake[w->simd]) {
        c->next_wake[w->simd] = wake;
        c->wake_at = cu_earlier(c->wake_at, wake);
    }
}

void cu_wave_sleep(struct cu *c, struct cu_wave *w, enum timing_stall reason, cycle_t until)
{
    w->sure = false;
    w->reason = (uint8_t)reason;
    set_timed(c, w, until);
}

void cu_wave_wake(struct cu *c, struct cu_wave *w, cycle_t now)
{
    cycle_t wake = cu_later(now, w->issue_slot_end);

    if (w->state != WAVE_EVENT)
        return;
    w->sure = false;
    set_timed(c, w, wake);
    cu_wake_at(c, wake);
}

#define NOTHING ((struct verdict){0, STALL_ARBITRATION})

/* The wait counters that w's next instruction waits for. */
static struct verdict counters_verdict(const struct cu *c, const struct cu_wave *w, cycle_t t)
{
    const struct timing_info *i = w->info;

    if (w->script && w->script->wait_end && i->waits) {
        cycle_t end = w->script_waits < w->script->wait_count ? w->script->wait_end[w->script_waits] : 0;

        return t < end ? (struct verdict){end, (enum timing_stall)(STALL_WAIT + i->wait[0].counter)} : NOTHING;
    }
    if (__builtin_expect(c->x->what_if, 0) && c->x->profile->ideal.no_waits)
        return NOTHING;
    if (__builtin_expect(w->landing != NULL, 0))
        return exact_waits_counters(c, w);
    if (__builtin_expect(w->ahead != NULL, 0))
        return loads_ahead_counters(c, w);
    for (unsigned k = 0; k < i->waits; k++)
        if (w->outstanding[i->wait[k].counter] > i->wait[k].threshold)
            return (struct verdict){CYCLE_NEVER, (enum timing_stall)(STALL_WAIT + i->wait[k].counter)};
    return NOTHING;
}

/* The barrier that w has arrived at; passes it when it is open. */
static struct verdict barrier_verdict(struct cu_wave *w, cycle_t t)
{
    cycle_t release = w->barrier_release[w->isa->barrier_wait != 0];

    if (!isa_barrier_open(w->isa))
        return (struct verdict){CYCLE_NEVER, STALL_BARRIER};
    if (t < release)
        return (struct verdict){release, STALL_BARRIER};
    isa_barrier_pass(w->isa);
    w->at_barrier = false;
    return NOTHING;
}

/* The conditions of w's own that hold its next instruction in cycle t: the first one in a fixed order. A wave that has
 * ended and drained is answered {0, STALL_DRAIN}. w->sure is set when nothing else can hold it once the verdict's cycle
 * has come. */
static ALWAYS_INLINE struct verdict wave_verdict(struct cu *c, struct cu_wave *w, cycle_t t)
{
    const struct timing_info *i = w->info;
    struct verdict v;

    w->sure = false;
    if (t < w->issue_slot_end)
        return (struct verdict){w->issue_slot_end, STALL_ISSUED};
    if (t < w->hold_until)
        return (struct verdict){w->hold_until, (enum timing_stall)w->hold_reason};
    if (w->ended)
        return (struct verdict){w->op_head == CU_NO_OP ? 0 : CYCLE_NEVER, STALL_DRAIN};
    if (w->at_barrier && (v = barrier_verdict(w, t)).at)
        return v;
    if (w->at_gws && t < w->gws_release)
        return (struct verdict){w->gws_release, STALL_BARRIER};
    w->at_gws = false;
    if (!cu_fetch_has(c->x, w, i->pc, i->size_bytes))
        return (struct verdict){CYCLE_NEVER, STALL_FETCH};
    if (i->waits && (v = counters_verdict(c, w, t)).at)
        return v;
    for (uint32_t m = i->counters; m; m &= m - 1) {
        unsigned k = (unsigned)__builtin_ctz(m);

        if (w->outstanding[k] >= c->x->counter_max[k])
            return (struct verdict){CYCLE_NEVER, STALL_COUNTER_FULL};
    }
    if (__builtin_expect(w->landing != NULL, 0) && (v = exact_waits_registers(c, w)).at)
        return v;
    if (__builtin_expect(w->ahead != NULL, 0) && (v = loads_ahead_registers(c, w, t)).at)
        return v;
    /* Registers come last: none is written until the wave issues. Instructions that drain the queues also depend on the
     * other waves of the operand read path. */
    w->sure = !(i->drains | (i->writes_vectors & w->sources_unknown));
    return c->x->front->operands(c, w, t);
}

/* Frees the slot of a wave that has ended and drained. */
static void leave(struct cu *c, struct cu_wave *w, cycle_t now)
{
    struct cu_simd *s = &c->simd[w->simd];
    struct cu_group *g = w->group;
    uint32_t bit = UINT32_C(1) << w->slot;

    if (__builtin_expect(c->events != 0, 0))
        cu_emit_end(c, w, now);
    w->state = WAVE_FREE;
    s->used &= ~bit;
    s->prioritized &= ~bit;
    if (!--c->resident)
        c->busy_cycles += now;
    w->d->resident_cycles += now - w->born;
    w->d->waves_done++;
    g->placed--;
    cu_release_wave(c, w, !g->placed, now);
    if (g->placed)
        return;
    w->d->groups_done++;
    w->d->done_at = now;
    g->used = false;
}

/* Prefetches the state that the wave's next instruction reads and writes into the host's cache. */
static void prefetch_operands(const struct cu_wave *w)
{
    const struct timing_info *i = w->info;
    uint32_t lanes = w->d->narrow ? 32 : 64;

    __builtin_prefetch(w->isa);
    if (i->writes)
        __builtin_prefetch(&w->ready[i->reg[i->reads].first], 1);
    for (unsigned k = 0; k < i->reads; k++) {
        unsigned first = i->reg[k].first;

        if (first < REG_SCC)
            __builtin_prefetch(&w->isa->s[first]);
        else if (first >= REG_VGPR)
            for (uint32_t n = 0; n < lanes; n += 16)
                __builtin_prefetch(w->rows + (first - REG_VGPR) * lanes + n);
    }
}

void cu_wave_update(struct cu *c, struct cu_wave *w, cycle_t now)
{
    struct cu_simd *s = &c->simd[w->simd];
    struct verdict v = NOTHING;

    if (w->script && !w->script_steps && w->script->first && now >= w->script->first && !w->script->first_ends)
        cu_fetch_grant(c, w);
    if (!w->sure)
        v = wave_verdict(c, w, now);
    cu_wave_charge(c, w, now);
    s->timed &= ~(UINT32_C(1) << w->slot);
    w->reason = (uint8_t)v.why;
    if (v.at == CYCLE_NEVER) {
        w->state = WAVE_EVENT;
    } else if (v.at) {
        set_timed(c, w, v.at);
    } else if (w->ended) {
        leave(c, w, now);
    } else {
        cu_wave_ready(s, w);
        c->next_issue[w->simd] = now;
        prefetch_operands(w);
    }
}

/* Whether the conditions at the end of w's issue slot are known at its issue. They are not at barriers, which other
 * waves complete, nor for the operand read path, which other waves use, nor at the end, nor where a recording decides.
 */
static bool is_foreseeable(const struct cu_wave *w)
{
    bool path = w->info->drains | (w->info->writes_vectors & w->sources_unknown);

    return !(w->ended | w->at_barrier | w->at_gws | path) && !w->script;
}

ALWAYS_INLINE void cu_wave_issued(struct cu *c, struct cu_wave *w)
{
    struct cu_simd *s = &c->simd[w->simd];
    struct verdict v;

    if (!is_foreseeable(w)) {
        cu_wave_sleep(c, w, STALL_ISSUED, w->issue_slot_end);
        return;
    }
    v = wave_verdict(c, w, w->issue_slot_end);
    if (v.at == CYCLE_NEVER) {
        w->reason = (uint8_t)v.why;
        w->state = WAVE_EVENT;
    } else if (v.at) {
        w->reason = (uint8_t)v.why;
        set_timed(c, w, v.at);
    } else if (c->x->issue_slot_ends_in_time) {
        s->rearmed |= UINT32_C(1) << w->slot;
    } else {
        w->reason = STALL_ARBITRATION;
        set_timed(c, w, w->issue_slot_end);
    }
}

void cu_wave_check(struct cu *c, struct cu_wave *w, cycle_t now)
{
    if (w->state == WAVE_FREE || w->since > now)
        return; /* launched in this very cycle */
    if (now >= w->issue_slot_end || w->reason == STALL_ISSUED) {
        bool sure = w->sure;
        struct verdict v = wave_verdict(c, w, now);

        if (w->state == WAVE_READY)
            assert(!v.at);
        else if (!sure &&
                 (w->info->drains | w->info->writes_vectors)) /* other waves may hold it longer: decided again */
            assert(w->state == WAVE_TIMED ? v.at >= c->simd[w->simd].wake[w->slot] : v.at == CYCLE_NEVER);
        else
            assert(v.why == w->reason && sure == w->sure &&
                   v.at == (w->state == WAVE_EVENT ? CYCLE_NEVER : c->simd[w->simd].wake[w->slot]));
        w->sure = sure;
        (void)v;
    }
    /* charging in small pieces must give the same sums */
    cu_wave_charge(c, w, now);
}

cycle_t cu_sleep_end(const struct cu_context *x, uint32_t units, cycle_t now)
{
    uint32_t unit = x->profile->frontend.sleep_unit_cycles;

    return units == ISA_SLEEP_FOREVER ? CYCLE_NEVER : (now / unit + units) * unit;
}

void cu_group_wake(struct cu *c, const struct cu_wave *by, cycle_t now)
{
    for (uint32_t k = 0; k < c->x->simds * c->x->slots; k++) {
        struct cu_wave *w = &c->wave[k];

        if (w->state == WAVE_FREE || w == by || w->group != by->group || w->hold_reason != STALL_SLEEP ||
            w->hold_until <= now + 1 || !isa_is_woken(w->isa, by->isa))
            continue;
        w->hold_until = now + 1;
        if (w->state == WAVE_EVENT) {
            w->state = WAVE_TIMED;
            set_timed(c, w, now + 1);
        } else if (w->reason == STALL_SLEEP) {
            set_timed(c, w, now + 1);
        }
    }
}

cycle_t cu_barrier_credit_at(const struct cu *c, const struct cu_simd *s)
{
    uint32_t count = c->x->profile->frontend.barrier_messages;
    cycle_t at = count ? s->message_done[0] : 0;

    for (uint32_t k = 1; k < count; k++)
        at = s->message_done[k] < at ? s->message_done[k] : at;
    return at;
}

void cu_barrier_signal(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    const struct profile_frontend *f = &c->x->profile->frontend;
    cycle_t *next = &w->group->next_signal[w->simd], taken = *next > now ? *next : now;

    if (cu_emits(c, EVENT_BARRIER_ARRIVE))
        cu_emit_arrive(c, w, now);
    *next = taken + f->barrier_count_cycles;
    if (taken > w->group->signalled)
        w->group->signalled = taken;
    for (uint32_t k = 0; k < f->barrier_messages; k++)
        if (s->message_done[k] <= now) {
            s->message_done[k] = now + f->barrier_message_cycles;
            break;
        }
}

void cu_barriers_complete(struct cu *c, struct cu_group *g, uint32_t barriers, cycle_t now)
{
    cycle_t release = (g->signalled > now ? g->signalled : now) + c->x->profile->frontend.barrier_release_cycles;
    uint32_t n = c->x->simds * c->x->slots;

    if (cu_emits(c, EVENT_BARRIER_COMPLETE))
        cu_emit_complete(c, g, barriers, release, now);
    for (uint32_t k = 0; k < n; k++) {
        struct cu_wave *w = &c->wave[k];

        if (w->state == WAVE_FREE || w->group != g)
            continue;
        if (barriers & 1)
            w->barrier_release[0] = release;
        if (w->isa->barrier_joined && (barriers >> w->isa->barrier_joined & 1))
            w->barrier_release[1] = release;
        if (w->at_barrier && (barriers >> w->isa->barrier_wait & 1))
            cu_wave_wake(c, w, now);
    }
}
