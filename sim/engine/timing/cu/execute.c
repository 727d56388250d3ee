/* Issue of an instruction: it executes, occupies its unit, books its results, and the wave advances to the next one. */
#include "isa/gws.h"
#include "isa/unit.h"
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/cu/charge.h"
#include "sim/engine/timing/cu/inst_table.h"
#include "sim/engine/timing/front/clause.h"
#include "sim/engine/timing/memory/loads_ahead.h"

/* The wave after the instruction ---------------------------------------------------------------------------------- */

/* Something of w stops its dispatch: status, or the limit of instructions (ISA_OK). False: the wave has to end, because
 * other dispatches go on. */
static bool stop(struct cu *c, struct cu_wave *w, enum isa_status status, cycle_t now)
{
    struct cu_dispatch *d = w->d;

    if (d->alone) {
        c->stopped = true;
        c->spent = status == ISA_OK;
        c->fault_status = status;
        c->fault_wave = w;
        return true;
    }
    if (!d->stopped) {
        d->stopped = true;
        d->stopped_at = now;
        d->spent = status == ISA_OK;
        d->fault_status = status;
        d->fault_wave = w;
    }
    return false;
}

void cu_stop(struct cu *c, struct cu_wave *w, enum isa_status status, cycle_t now)
{
    stop(c, w, status, now);
}

static void hold(struct cu_wave *w, enum timing_stall reason, cycle_t until)
{
    w->hold_reason = (uint8_t)reason;
    w->hold_until = until;
}

static void note_delays(struct cu_wave *w, const struct timing_info *i)
{
    for (unsigned k = 0; k < 2; k++) {
        if (!w->delay[k].in)
            w->delay[k].id = 0;
        else
            w->delay[k].in--;
    }
    if (i->special == ISA_SPECIAL_DELAY_ALU) {
        w->delay[0] = (struct cu_delay){.id = i->imm & 15, .in = 0};
        w->delay[1] = (struct cu_delay){.id = i->imm >> 7 & 15, .in = i->imm >> 4 & 7};
    }
    w->delayed = w->delay[0].id | w->delay[1].id;
}

/* Advances to an instruction that is not linked yet, or after one that leads elsewhere. */
static NOINLINE void go(struct cu *c, struct cu_wave *w, struct timing_info *i, cycle_t now)
{
    const struct profile_frontend *f = &c->x->profile->frontend;
    gaddr_t pc = w->isa->pc;
    bool taken = pc != i->pc + i->size_bytes;
    struct timing_info **link = taken ? &i->target : &i->next;
    struct timing_info *info = __atomic_load_n(link, __ATOMIC_ACQUIRE);

    if (!info || info->pc != pc || info->vgpr_msb != w->isa->vgpr_msb) {
        info = timing_table_at(w->d->table, pc, w->isa);
        __atomic_store_n(link, info, __ATOMIC_RELEASE);
    }
    if (!info) {
        c->stopped = c->no_memory = true;
        return;
    }
    w->info = info;
    if (taken) {
        if (__builtin_expect(i == w->d->watched, 0)) {
            w->iterations++;
            w->d->iterations++;
            w->d->iterated_at += now;
        }
        hold(w, STALL_BRANCH, now + f->branch_taken_cycles);
        cu_fetch_branch(c, w, pc, now);
    } else if (i->cls == OPC_BRANCH) {
        hold(w, STALL_BRANCH, now + f->branch_not_taken_cycles);
        cu_fetch_fall_through(c, w, pc, now);
    } else {
        cu_fetch_consume(c, w, pc, now);
    }
}

static inline void follow(struct cu *c, struct cu_wave *w, struct timing_info *i, cycle_t now)
{
    struct timing_info *next = __atomic_load_n(&i->next, __ATOMIC_ACQUIRE);

    if (!next || w->isa->pc != next->pc || i->leads_elsewhere) {
        go(c, w, i, now);
        return;
    }
    w->info = next;
    cu_fetch_consume(c, w, next->pc, now);
}

/* Effects of an instruction on the front end and the dispatcher. */
static void front_end(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    switch (i->special) {
    case ISA_SPECIAL_INST_PREFETCH:
        cu_fetch_distance(c, w, i->imm & 3, now);
        break;
    case ISA_SPECIAL_WAKEUP:
        cu_group_wake(c, w, now);
        break;
    case ISA_SPECIAL_DEALLOC_VGPRS:
        cu_release_vgprs(c, w, now);
        break;
    default:
        break;
    }
}

/* A wave keeps its registers, and so its slot, until the vector units have written all of its results. */
static cycle_t all_results(const struct cu_wave *w, cycle_t at_least)
{
    cycle_t at = w->valu_done[0] > w->trans_done[0] ? w->valu_done[0] : w->trans_done[0];

    return at > at_least ? at : at_least;
}

static void end(struct cu *c, struct cu_wave *w, cycle_t at_least)
{
    w->ended = true;
    hold(w, STALL_DRAIN, all_results(w, at_least));
    cu_fetch_stop(c, w);
}

static void after(struct cu *c, struct cu_simd *s, struct cu_wave *w, struct timing_info *i, enum isa_status status,
                  cycle_t now)
{
    const struct profile *p = c->x->profile;
    uint32_t bit = UINT32_C(1) << w->slot;

    if (status == ISA_END) {
        end(c, w, now + p->frontend.endpgm_cycles);
        if (c->fx.barriers)
            cu_barriers_complete(c, w->group, c->fx.barriers, now);
        return;
    }
    if (status != ISA_OK && status != ISA_BARRIER && status != ISA_GWS) {
        if (!stop(c, w, status, now))
            end(c, w, now + p->frontend.endpgm_cycles);
        return;
    }
    follow(c, w, i, now);
    if (i->special == ISA_SPECIAL_NOP)
        hold(w, STALL_NOP, now + (cycle_t)((i->imm & 15) + 1) * p->issue.wave_issue_interval_cycles);
    if (w->isa->cluster_seen && w->isa->gws_at + cu_gws_cycles(p) > now) /* complete, and not known here yet */
        hold(w, STALL_BARRIER, w->isa->gws_at + cu_gws_cycles(p));
    if (c->fx.sleep)
        hold(w, STALL_SLEEP, cu_sleep_end(c->x, c->fx.sleep, now));
    if (w->script && w->script->first_ends && w->script_steps == 1)
        w->hold_until = w->script->first + 1;
    if (i->special >= ISA_SPECIAL_INST_PREFETCH)
        front_end(c, w, i, now);
    if (i->port == PORT_BARRIER && status == ISA_OK)
        hold(w, STALL_BARRIER, now + p->frontend.barrier_signal_cycles);
    w->at_barrier = status == ISA_BARRIER;
    if (status == ISA_GWS) {
        w->at_gws = true;
        w->gws_release = CYCLE_NEVER; /* run_release_gws() */
    }
    if (c->fx.barriers)
        cu_barriers_complete(c, w->group, c->fx.barriers, now);
    if (w->priority != w->isa->priority) {
        w->priority = w->isa->priority;
        s->prioritized = w->priority ? s->prioritized | bit : s->prioritized & ~bit;
    }
}

/* A step along a recorded path instead of the program's. An instruction that faults has no effect. */
static enum isa_status walk(struct cu *c, struct cu_wave *w)
{
    const struct timing_script_wave *s = w->script;
    const struct isa_inst *inst = w->info->inst;
    enum isa_status status = ISA_OK;

    if (inst && inst->row)
        status = isa_step(w->isa, inst, &w->d->env, &c->fx);
    if (!inst || !inst->row || status == ISA_FAULT) {
        c->fx.kind = FX_NONE;
        c->fx.sleep = c->fx.barriers = 0;
        c->fx.mask = c->fx.lds_mask = 0;
        w->isa->fault = (struct isa_fault){0};
    }
    if (w->script_steps >= s->path_count)
        return ISA_END;
    w->isa->pc = s->path[w->script_steps];
    return status == ISA_BARRIER ? ISA_BARRIER : ISA_OK;
}

/* Executes the instruction: its effects on the wave's state and on memory. */
static enum isa_status run(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    bool walks = false;

    if (w->script) {
        w->script_waits += i->waits != 0;
        w->script_steps++;
        walks = w->script->path != NULL;
    }
    if (walks)
        return walk(c, w);
    if (i->unit && isa_unit_ready(i->unit, w->isa, 1)) {
        isa_unit_step(i->unit, w->isa, &c->fx);
        return ISA_OK;
    }
    if (i->inst) {
        enum isa_status status = isa_step(w->isa, i->inst, &w->d->env, &c->fx);
        if (status == ISA_WAKEUP && i->special != ISA_SPECIAL_WAKEUP) /* s_wakeup has its time */
            cu_group_wake(c, w, now);
        /* these two have their time: after() */
        return status == ISA_SLEEP || status == ISA_WAKEUP ? ISA_OK : status;
    }
    w->isa->inst_pc = i->pc;
    if (i->undescribed && i->undescribed->row->mem.tensor)
        return (enum isa_status)isa_fault(w->isa, FAULT_UNIMPLEMENTED, -1, 0, 0, false,
                                          "profile %s has no tensor unit (tensor.entries), which executes %s",
                                          c->x->profile->name, i->undescribed->mnemonic);
    if (i->undescribed)
        return (enum isa_status)isa_fault(w->isa, FAULT_UNIMPLEMENTED, -1, 0, 0, false,
                                          "profile %s has no class.%s, whose cycles %s takes", c->x->profile->name,
                                          op_class_key[i->cls], i->undescribed->mnemonic);
    return (enum isa_status)isa_fault(w->isa, FAULT_PC, -1, i->pc, 4, false, "the program counter left the code");
}

/* Counts down to the instructions that s_delay_alu and s_clause announced. */
static void count_down(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i,
                       enum isa_status status)
{
    if (w->delayed || i->special == ISA_SPECIAL_DELAY_ALU)
        note_delays(w, i);
    if (w->clause.left || i->special == ISA_SPECIAL_CLAUSE)
        cu_clause_issued(s, w, i, status == ISA_OK && c->fx.sleep != ISA_SLEEP_FOREVER);
}

/* Whether s_delay_alu, w's next instruction, issues in the cycle of the one before it. */
static bool goes_beside(const struct cu *c, const struct cu_wave *w, const struct timing_info *before)
{
    return c->x->front->pairs_delay_alu && before->port != PORT_INTERNAL && !c->stopped && !w->ended &&
           cu_fetch_has(c->x, w, w->info->pc, w->info->size_bytes);
}

static void unready(struct cu_simd *s, const struct cu_wave *w)
{
    uint32_t port = w->info->port;

    s->ready[port] &= ~(UINT32_C(1) << w->slot);
    if (!s->ready[port])
        s->ports &= ~(1u << port);
}

/* w issues no more, because its dispatch has been stopped: it takes an issue slot and ends. */
static NOINLINE void end_stopped(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    if (w->clause.left)
        cu_clause_issued(s, w, w->info, false);
    w->at_barrier = w->at_gws = false;
    end(c, w, now + 1);
    w->issue_slot_end = now + c->x->issue_slot_cycles;
    cu_wave_issued(c, w);
}

static void settle_all_lost(struct cu *c)
{
    for (uint32_t k = 0; k < c->x->simds; k++)
        if (c->simd[k].lost)
            cu_simd_settle_lost(c, &c->simd[k]);
}

/* w is not ready any more, if it was; between two cycles. */
static void take_back(struct cu *c, struct cu_wave *w)
{
    struct cu_simd *s = &c->simd[w->simd];

    if (w->state == WAVE_READY) {
        unready(s, w);
        s->hazard &= ~(UINT32_C(1) << w->slot);
        if (!s->ports)
            c->next_issue[w->simd] = CYCLE_NEVER;
    }
    if (w->clause.left)
        cu_clause_issued(s, w, w->info, false);
}

void cu_end_waves(struct cu *c, const struct cu_dispatch *d, cycle_t now)
{
    settle_all_lost(c);
    for (uint32_t k = 0; k < c->group_count; k++) {
        struct cu_wave *w = &c->wave[k];
        cycle_t until = cu_later(now + 1, w->born + c->x->start_cycles + 1);

        if (w->state == WAVE_FREE || w->d != d || w->ended)
            continue;
        cu_wave_charge(c, w, now);
        take_back(c, w);
        if (w->at_gws)
            isa_gws_forget(d->launch->gws, w->isa);
        w->at_barrier = w->at_gws = false;
        until = cu_later(cu_later(until, w->since), w->issue_slot_end);
        end(c, w, until);
        cu_wave_sleep(c, w, STALL_DRAIN, w->hold_until);
        cu_wake_at(c, w->hold_until);
    }
}

bool cu_moved(struct cu *c, struct cu_wave *w, cycle_t now)
{
    struct cu_simd *s = &c->simd[w->simd];
    uint32_t bit = UINT32_C(1) << w->slot;
    struct timing_info *info = timing_table_at(w->d->table, w->isa->pc, w->isa);

    if (!info)
        return false;
    settle_all_lost(c);
    cu_wave_charge(c, w, now);
    take_back(c, w);
    if (info != w->info)
        cu_fetch_branch(c, w, info->pc, now);
    w->info = info;
    w->priority = w->isa->priority;
    s->prioritized = w->priority ? s->prioritized | bit : s->prioritized & ~bit;
    cu_wave_sleep(c, w, STALL_ISSUED, cu_later(cu_later(now, w->since), w->issue_slot_end));
    cu_wake_at(c, s->wake[w->slot]);
    return true;
}

/* Counts by instruction (engine_options.per_inst) of an execution that begins. */
static void count_inst(const struct cu *c, const struct timing_info *i, uint64_t lanes)
{
    struct timing_profile *p = &i->profile[c->x->thread];

    p->stat[STAT_INST_EXECUTED]++;
    if (i->vector)
        p->stat[STAT_INST_LANES] += bits_count(lanes);
}

/* An instruction issues on a CU that is watched. */
static NOINLINE void tell_issue(struct cu *c, const struct cu_wave *w, cycle_t now)
{
    c->lanes = w->isa->exec;
    if (cu_emits(c, EVENT_ISSUE))
        c->issue_event = cu_emit_issue(c, w, now);
}

/* Its time in a unit, and when its result is there. */
static NOINLINE void execute_watched(struct cu *c, struct cu_simd *s, struct cu_wave *w, struct timing_info *i,
                                     cycle_t now)
{
    if (w->d->per_inst)
        count_inst(c, i, c->lanes);
    w->done = 0;
    if (i->executes)
        c->x->front->execute(c, s, w, i, now);
    if (!w->done)
        return;
    if (cu_emits(c, EVENT_ISSUE))
        cu_emit_done(c, c->issue_event, w->done);
    if (w->d->per_inst)
        timing_count_latency(&i->profile[c->x->thread], w->done - now);
}

/* Operations of a vector ALU or matrix instruction with these lanes. */
static ALWAYS_INLINE void count_work(struct cu_dispatch *d, const struct timing_info *i, uint64_t lanes)
{
    uint32_t active = cu_count_lanes(d, lanes);

    d->lane_cycles += (uint64_t)active * i->valu_cycles;
    d->valu_cycles += i->valu_cycles;
    if (i->port == PORT_MATRIX) {
        d->ops[1][i->work[0].type] += i->work[0].per_wave;
        return;
    }
    d->lanes += active;
    d->ops[0][i->work[0].type] += (uint64_t)active * i->work[0].per_lane;
    if (i->work[1].per_lane)
        d->ops[0][i->work[1].type] += (uint64_t)active * i->work[1].per_lane;
}

void cu_issue(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    struct timing_info *i = w->info;
    struct cu_dispatch *d = w->d;
    enum isa_status status;

    if (!d->budget) {
        if (stop(c, w, ISA_OK, now))
            return;
        cu_wave_charge(c, w, now);
        unready(s, w);
        end_stopped(c, s, w, now);
        return;
    }
    if (__builtin_expect(c->watched, 0))
        tell_issue(c, w, now);
    if (i->ordered && c->x->await_turn)
        c->x->await_turn(c->x->turn_ctx);
    cu_wave_charge(c, w, now);
    unready(s, w);
    if (i->works) /* it may change EXEC */
        count_work(d, i, w->isa->exec);
    status = run(c, w, i, now);
    if (status == ISA_FAULT) {
        if (!stop(c, w, status, now))
            end_stopped(c, s, w, now);
        return;
    }
    d->budget--;
    d->instructions++;
    d->by_kind[i->kind]++;
    d->tally[i->tally]++;
    d->port_cycles[i->port] += i->port_cycles;
    d->issue_cycles += s->issued_at != now + 1;
    s->issued_at = now + 1;
    if (__builtin_expect(c->tells_charges, 0) && w->issue_slot_end <= now)
        w->issued = i; /* else it is an s_delay_alu that issues beside another one */
    if (__builtin_expect(c->watched, 0))
        execute_watched(c, s, w, i, now);
    else if (i->executes)
        c->x->front->execute(c, s, w, i, now);
    if (i->makes_request)
        cu_ops_issue(c, w, i, now);
    if (__builtin_expect(w->ahead != NULL, 0))
        loads_ahead_issue(c, w, i);
    w->issue_slot_end = now + c->x->issue_slot_cycles;
    if (i->special != ISA_SPECIAL_DELAY_ALU) {
        w->issued_to_unit = i->port != PORT_INTERNAL;
        w->waited = i->waits_outside;
    }
    if (i->plain && status == ISA_OK && !w->script)
        follow(c, w, i, now);
    else
        after(c, s, w, i, status, now);
    if (w->delayed | w->clause.left | i->announces)
        count_down(c, s, w, i, status);
    if (w->info->special == ISA_SPECIAL_DELAY_ALU && goes_beside(c, w, i))
        cu_issue(c, s, w, now);
    else
        cu_wave_issued(c, w);
}
