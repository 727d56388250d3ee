/* Issue of an instruction: it executes, occupies its unit, books its results, and the wave advances to the next one. */
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/cu/emit.h"

/* The wave after the instruction ---------------------------------------------------------------------------------- */

static void stop_run(struct cu *c, struct cu_wave *w, enum isa_status status)
{
    c->stopped = true;
    c->fault_status = status;
    c->fault_wave = w;
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

/* Advances to an instruction that is not linked yet, or behind a branch. */
static NOINLINE void go(struct cu *c, struct cu_wave *w, struct timing_info *i, cycle_t now)
{
    const struct profile_frontend *f = &c->x->profile->frontend;
    gaddr_t pc = w->isa->pc;
    bool taken = pc != i->pc + i->size_bytes;
    struct timing_info **link = taken ? &i->target : &i->next;
    struct timing_info *info = __atomic_load_n(link, __ATOMIC_ACQUIRE);

    if (!info || info->pc != pc) {
        info = timing_table_at(c->x->table, pc);
        __atomic_store_n(link, info, __ATOMIC_RELEASE);
    }
    if (!info) {
        c->stopped = c->no_memory = true;
        return;
    }
    w->info = info;
    if (taken) {
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

    if (!next || w->isa->pc != next->pc || i->cls == OPC_BRANCH) {
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

static void after(struct cu *c, struct cu_simd *s, struct cu_wave *w, struct timing_info *i, enum isa_status status,
                  cycle_t now)
{
    const struct profile *p = c->x->profile;
    uint32_t bit = UINT32_C(1) << w->slot;

    if (status == ISA_END) {
        w->ended = true;
        hold(w, STALL_DRAIN, all_results(w, now + p->frontend.endpgm_cycles));
        cu_fetch_stop(c, w);
        if (c->fx.barriers)
            cu_barriers_complete(c, w->group, c->fx.barriers, now);
        return;
    }
    if (status != ISA_OK && status != ISA_BARRIER && status != ISA_GWS) {
        stop_run(c, w, status);
        return;
    }
    follow(c, w, i, now);
    if (i->special == ISA_SPECIAL_NOP)
        hold(w, STALL_NOP, now + (cycle_t)((i->imm & 15) + 1) * p->issue.wave_issue_interval_cycles);
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
        status = isa_step(w->isa, inst, &c->x->env, &c->fx);
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
static enum isa_status run(struct cu *c, struct cu_wave *w, const struct timing_info *i)
{
    bool walks = false;

    if (w->script) {
        w->script_waits += i->waits != 0;
        w->script_steps++;
        walks = w->script->path != NULL;
    }
    if (walks)
        return walk(c, w);
    if (i->inst) {
        enum isa_status status = isa_step(w->isa, i->inst, &c->x->env, &c->fx);
        /* these two have their time: after() */
        return status == ISA_SLEEP || status == ISA_WAKEUP ? ISA_OK : status;
    }
    w->isa->inst_pc = i->pc;
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
           cu_fetch_has(w, w->info->pc, w->info->size_bytes);
}

void cu_issue(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    struct timing_info *i = w->info;
    enum isa_status status;

    if (!c->x->budget) {
        c->stopped = c->spent = true;
        return;
    }
    if (cu_emits(c, EVENT_ISSUE))
        cu_emit_issue(c, w, now);
    if (i->ordered && c->x->await_turn)
        c->x->await_turn(c->x->turn_ctx);
    cu_wave_charge(c, w, now);
    s->ready[i->port] &= ~(UINT32_C(1) << w->slot);
    if (!s->ready[i->port])
        s->ports &= ~(1u << i->port);
    status = run(c, w, i);
    if (status == ISA_FAULT) {
        stop_run(c, w, status);
        return;
    }
    c->x->budget--;
    c->instructions++;
    c->by_category[i->category]++;
    if (i->executes)
        c->x->front->execute(c, s, w, i, now);
    if (i->makes_request)
        cu_ops_issue(c, w, i, now);
    w->issue_slot_end = now + c->x->issue_slot_cycles;
    if (i->special != ISA_SPECIAL_DELAY_ALU)
        w->issued_to_unit = i->port != PORT_INTERNAL;
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
