/* Issue: of the waves of a SIMD that could go, which go, and what their going does.
 *
 * In one visit a SIMD issues up to the profile's number of instructions of each category, oldest wave first, higher
 * s_setprio priority before that; a wave in a clause keeps others out (cu_clause.h). A ready wave that stays behind is
 * charged to the unit that would not take it, to the memory queue, or to arbitration.
 */
#include "sim/engine/timing.h"
#include "sim/engine/timing_script.h"

/* Units ------------------------------------------------------------------------------------------------------- */

/* Whether a queue looks at whose instruction it is. */
static bool is_special(const struct cu *c, unsigned port)
{
    return c->x->queued && (port == PORT_TRANS || port == PORT_MATRIX);
}

/* When the vector ALU takes a plain instruction, whose ever it is. */
static cycle_t valu_free_at(const struct cu_simd *s)
{
    const struct cu_queues *q = &s->queues;

    return cu_later(s->port[PORT_VALU].free_at, cu_later(cu_queue_free_at(&q->valu), cu_queue_free_at(&q->stalled)));
}

/* Whether w's instruction, neither VALU nor one that all can issue, waits for the VALU's queue to have room. A wave
 * that has just been let through goes on. */
static inline bool is_kept_out(const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    return s->blocked &&
           !(w->info->port == PORT_SALU && s->queues.salu_slot == w->slot && s->queues.salu_at + 1 == now);
}

static bool other_can_accept(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    unsigned port = w->info->port;

    if (c->x->queued) {
        if (port >= PORT_SALU && port <= PORT_LDS && is_kept_out(s, w, now))
            return false;
        if (port <= PORT_SALU && cu_queue_room_at(c, s, w->info) > now)
            return false;
        if (port == PORT_MATRIX && !cu_port_can_accept(&s->port[PORT_TRANS], now))
            return false;
        if (is_special(c, port) && cu_queue_special_at(s, w, now) > now)
            return false;
    }
    switch (port) {
    case PORT_TRANS:
    case PORT_MATRIX:
        return cu_port_can_accept(&s->port[PORT_VALU], now) && cu_port_can_accept(&s->port[port], now);
    case PORT_SALU:
    case PORT_BRANCH:
        return cu_port_can_accept(&s->port[port], now) && cu_ops_room(c, w, w->info, now);
    case PORT_BARRIER:
        if (!cu_barrier_way_is_free(c, s, now))
            return false;
        /* fall through */
    case PORT_INTERNAL:
        return !w->info->counters || cu_ops_room(c, w, w->info, now);
    default:
        return cu_ops_room(c, w, w->info, now);
    }
}

static inline bool port_can_accept(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    const struct timing_info *i = w->info;

    if (i->port == PORT_VALU)
        return valu_free_at(s) <= now;
    if (i->port == PORT_INTERNAL && !i->counters)
        return true;
    if (i->port == PORT_SALU && i->queued && !i->counters)
        return !is_kept_out(s, w, now) && cu_queue_free_at(&s->queues.salu) <= now &&
               cu_port_can_accept(&s->port[PORT_SALU], now);
    return other_can_accept(c, s, w, now);
}

static enum timing_stall busy_reason(const struct cu *c, const struct cu_wave *w)
{
    static const uint8_t busy[PORT_COUNT] = {
        [PORT_VALU] = STALL_UNIT_BUSY_VALU,     [PORT_TRANS] = STALL_UNIT_BUSY_TRANS,
        [PORT_MATRIX] = STALL_UNIT_BUSY_MATRIX, [PORT_SALU] = STALL_UNIT_BUSY_SALU,
        [PORT_SMEM] = STALL_UNIT_BUSY_SMEM,     [PORT_VMEM] = STALL_UNIT_BUSY_VMEM,
        [PORT_LDS] = STALL_UNIT_BUSY_LDS,       [PORT_BRANCH] = STALL_UNIT_BUSY_BRANCH,
        [PORT_BARRIER] = STALL_BARRIER,         [PORT_INTERNAL] = STALL_ARBITRATION,
    };
    unsigned port = w->info->port;

    if ((port == PORT_VMEM && !cu_line_queue_has_room(&c->vmem[w->part])) ||
        (port == PORT_SMEM && !cu_line_queue_has_room(&c->smem[w->part])))
        return STALL_MEMORY_QUEUE_FULL;
    return busy[port];
}

static ALWAYS_INLINE void result_at(const struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t done)
{
    cycle_t busy = done + c->x->longest_extra;

    w->busy_until = cu_later(w->busy_until, busy);
    if (i->writes_vectors)
        w->vectors_busy = cu_later(w->vectors_busy, busy);
    if (i->writes_scalars)
        w->scalars_busy = cu_later(w->scalars_busy, busy);
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++) {
        uint64_t v = ready_entry(done, i->producers[k - i->reads]);
        uint64_t *r = &w->ready[i->reg[k].first], *end = r + i->reg[k].count;

        /* a short operation does not overtake a long one that writes the same register */
        for (; r < end; r++)
            *r = v > *r ? v : *r;
    }
    if (i->valu_sgprs && done > w->sgpr_done)
        w->sgpr_done = done;
}

static void vector_drains(struct cu_wave *w, cycle_t at)
{
    if (at > w->vector_done)
        w->vector_done = at;
}

/* Takes the unit and books the result. */
static void execute(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    cycle_t start, done;

    if (i->queued) {
        result_at(c, w, i, cu_queue_alu(c, s, w, i, now));
        return;
    }
    start = cu_later(w->operands, now);
    done = start + i->latency_cycles;
    switch (i->port) {
    case PORT_VALU:
        cu_port_accept(&s->port[PORT_VALU], start, i->issue_cycles);
        cu_shift_in(w->valu_done, 4, done);
        vector_drains(w, done);
        break;
    case PORT_TRANS:
    case PORT_MATRIX:
        /* the vector ALU hands the operands over and is free for others, except that RDNA's matrix work is its own */
        cu_port_accept(&s->port[i->port], start, i->issue_cycles);
        cu_port_accept(&s->port[PORT_VALU], start, i->handover_cycles);
        if (i->port == PORT_TRANS)
            cu_shift_in(w->trans_done, 4, done);
        else
            cu_shift_in(w->valu_done, 4, done);
        /* memory does not wait for passes, but for results that it reads */
        vector_drains(w, i->cls == OPC_MFMA ? start + c->x->profile->cls[OPC_VALU].latency_cycles : done);
        if (i->cls == OPC_MFMA) {
            w->sum = i->reg[i->reads];
            w->sum_entry = ready_entry(done, i->producer);
            w->sum_forward = start + i->forward_cycles;
        }
        break;
    case PORT_SALU:
        done = now + i->latency_cycles;
        cu_port_accept(&s->port[PORT_SALU], now, i->issue_cycles);
        w->salu_done = done;
        break;
    case PORT_BRANCH:
        cu_port_accept(&s->port[PORT_BRANCH], now, i->issue_cycles);
        return;
    case PORT_BARRIER:
        cu_barrier_signal(c, s, w, now);
        /* to the wave it is a scalar instruction */
        if (c->x->queued)
            w->drained = now + 1 + c->x->profile->cls[OPC_SALU].latency_cycles;
        return;
    default:
        return;
    }
    result_at(c, w, i, done);
}

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

/* To an instruction that is not linked yet, or off the straight way. */
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
        cu_fetch_branch(c, w, pc);
    } else {
        if (i->cls == OPC_BRANCH)
            hold(w, STALL_BRANCH, now + f->branch_not_taken_cycles);
        cu_fetch_consume(c, w, pc);
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
    cu_fetch_consume(c, w, next->pc);
}

/* What else an instruction tells the front end and the dispatcher. */
static void front_end(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    switch (i->special) {
    case ISA_SPECIAL_INST_PREFETCH:
        cu_fetch_distance(c, w, i->imm & 3);
        break;
    case ISA_SPECIAL_WAKEUP:
        cu_group_wake(c, w, now);
        break;
    case ISA_SPECIAL_SENDMSG: /* of all messages the one that gives vector registers back: timing_info.c */
        cu_give_back_vgprs(c, w, now);
        break;
    default:
        break;
    }
}

/* A wave keeps its registers, and so its slot, until the vector units have written what they still have of it. */
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
    if (status != ISA_OK && status != ISA_BARRIER) {
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
    if (c->fx.barriers)
        cu_barriers_complete(c, w->group, c->fx.barriers, now);
    if (w->priority != w->isa->priority) {
        w->priority = w->isa->priority;
        s->urgent = w->priority ? s->urgent | bit : s->urgent & ~bit;
    }
}

/* A step along a recorded path instead of the program's. What faults has no effect. */
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

/* What the instruction does to the wave's state and to memory's. */
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
    if (i->inst)
        return isa_step(w->isa, i->inst, &c->x->env, &c->fx);
    w->isa->inst_pc = i->pc;
    return (enum isa_status)isa_fault(w->isa, FAULT_PC, -1, i->pc, 4, false, "the program counter left the code");
}

/* What has been announced for the wave's next instructions comes nearer. */
static void count_down(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i,
                       enum isa_status status)
{
    if (w->delayed || i->special == ISA_SPECIAL_DELAY_ALU)
        note_delays(w, i);
    if (w->clause.left || i->special == ISA_SPECIAL_CLAUSE)
        cu_clause_issued(s, w, i, status == ISA_OK && c->fx.sleep != ISA_SLEEP_FOREVER);
}

/* Whether s_delay_alu, which w has next, goes beside the instruction before it. */
static bool goes_beside(const struct cu *c, const struct cu_wave *w, const struct timing_info *before)
{
    return c->x->queued && before->port != PORT_INTERNAL && !c->stopped && !w->ended &&
           cu_fetch_has(w, w->info->pc, w->info->size_bytes);
}

static void issue(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    struct timing_info *i = w->info;
    enum isa_status status;

    if (!c->x->budget) {
        c->stopped = c->spent = true;
        return;
    }
    if (c->x->observer)
        c->x->observer->issued(c->x->observer->ctx, c, w, now);
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
    if (i->takes_unit)
        execute(c, s, w, i, now);
    if (i->goes_out)
        cu_ops_issue(c, w, i, now);
    w->issued_until = now + c->x->turn_cycles;
    if (i->plain && status == ISA_OK && !w->script)
        follow(c, w, i, now);
    else
        after(c, s, w, i, status, now);
    if (w->delayed | w->clause.left | i->announces)
        count_down(c, s, w, i, status);
    if (w->info->special == ISA_SPECIAL_DELAY_ALU && goes_beside(c, w, i))
        issue(c, s, w, now);
    else
        cu_wave_issued(c, w);
}

/* The visit -------------------------------------------------------------------------------------------------------- */

void cu_issue_rules(struct cu_context *x)
{
    const struct profile_issue *p = &x->profile->issue;
    const struct cu_issue_rule all[] = {
        {1 << PORT_VALU | 1 << PORT_TRANS | 1 << PORT_MATRIX, p->valu_per_visit},
        {1 << PORT_VMEM, p->vmem_per_visit},
        {1 << PORT_SALU | (p->salu_smem_shared ? 1 << PORT_SMEM : 0), p->salu_per_visit},
        {1 << PORT_SMEM, p->smem_per_visit},
        {1 << PORT_LDS, p->lds_per_visit},
        {1 << PORT_BRANCH, p->branch_per_visit},
        {1 << PORT_BARRIER, x->profile->frontend.barrier_messages ? 1 : p->internal_per_visit},
        {1 << PORT_INTERNAL, p->internal_per_visit},
    };

    x->rules = 0;
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (p->salu_smem_shared && all[k].ports == 1 << PORT_SMEM)
            continue;
        x->rule[x->rules] = all[k];
        if (!all[k].limit)
            x->rule[x->rules].limit = CU_MAX_SLOTS;
        for (uint32_t m = all[k].ports; m; m &= m - 1)
            x->slot_of[__builtin_ctz(m)] = UINT32_C(1) << x->rules;
        x->rules++;
    }
}

/* The wave to go first out of a mask. */
static struct cu_wave *pick(struct cu *c, struct cu_simd *s, struct cu_wave *waves, uint32_t cand)
{
    (void)c;
    if (cand & s->urgent) {
        uint8_t top = 0;
        uint32_t best = 0;

        for (uint32_t m = cand; m; m &= m - 1) {
            unsigned k = (unsigned)__builtin_ctz(m);

            if (waves[k].priority > top) {
                top = waves[k].priority;
                best = 0;
            }
            if (waves[k].priority == top)
                best |= UINT32_C(1) << k;
        }
        cand = best;
    }
    return &waves[cand & (cand - 1) ? arbiter_pick_oldest(cand, s->stamp) : __builtin_ctz(cand)];
}

/* The waves with something ready for one of the ports, less those that clauses keep out. */
static NOINLINE uint32_t let_in(const struct cu_simd *s, uint32_t ports)
{
    uint32_t waves = 0;

    for (uint32_t m = ports; m; m &= m - 1)
        waves |= cu_let_in(s, (unsigned)__builtin_ctz(m));
    return waves;
}

static uint32_t ready_for(const struct cu_simd *s, uint32_t ports)
{
    uint32_t waves = s->ready[__builtin_ctz(ports)];

    while (ports &= ports - 1)
        waves |= s->ready[__builtin_ctz(ports)];
    return waves;
}

/* Where a clause keeps all out, any: it may end in this visit. */
static NOINLINE uint32_t let_in_or_all(const struct cu_simd *s, unsigned port)
{
    uint32_t in = cu_let_in(s, port);

    return in ? in : s->ready[port];
}

/* Issues what the ports of one slot allow. */
static void fill_slot(struct cu *c, struct cu_simd *s, struct cu_wave *waves, uint32_t ports, uint32_t limit,
                      cycle_t now)
{
    uint32_t refused = 0;

    do {
        uint32_t cand = (s->kept ? let_in(s, ports) : ready_for(s, ports)) & ~refused;
        struct cu_wave *w;

        if (!cand)
            break;
        w = pick(c, s, waves, cand);
        if (!port_can_accept(c, s, w, now)) {
            /* its port takes none of the others either, where it does not matter whose or what it is */
            refused |= w->info->category == OPCAT_FLAT || is_special(c, w->info->port) ? UINT32_C(1) << w->slot
                                                                                       : s->ready[w->info->port];
            continue;
        }
        issue(c, s, w, now);
        if (c->stopped)
            return;
        limit--;
    } while (limit);
}

/* When a port that refused w may take it; now + 1 when that is not known. */
static cycle_t retry_at(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    cycle_t at = 0;

    switch (w->info->port) {
    case PORT_TRANS:
    case PORT_MATRIX:
        at = s->port[c->x->queued ? PORT_TRANS : w->info->port].free_at;
        /* fall through */
    case PORT_VALU:
        at = at > s->port[PORT_VALU].free_at ? at : s->port[PORT_VALU].free_at;
        break;
    case PORT_VMEM:
        /* a full queue says itself when it has room again */
        if (w->info->category != OPCAT_FLAT)
            at = cu_line_queue_has_room(&c->vmem[w->part]) ? c->vmem[w->part].intake_free : CYCLE_NEVER;
        break;
    case PORT_SMEM:
        at = cu_line_queue_has_room(&c->smem[w->part]) ? c->smem[w->part].intake_free : CYCLE_NEVER;
        break;
    case PORT_BARRIER:
        at = cu_barrier_way_free_at(c, s);
        break;
    case PORT_LDS:
        at = c->lds_port[cu_lds_port_of(c, w)].pipe.free_at;
        break;
    default:
        break;
    }
    if (c->x->queued) {
        cycle_t room = w->info->port <= PORT_LDS ? cu_queue_room_at(c, s, w->info) : 0;

        if (w->info->port == PORT_TRANS || w->info->port == PORT_MATRIX) {
            cycle_t special = cu_queue_special_at(s, w, now);

            room = special > room ? special : room;
        }
        if (s->blocked && cu_queue_free_at(&s->queues.valu) > room)
            room = cu_queue_free_at(&s->queues.valu);
        /* the queue of lines says itself when it has room again, the paths of memory are this one's */
        if (w->info->port == PORT_VMEM && w->info->category != OPCAT_FLAT)
            at = cu_line_queue_has_room(&c->vmem[w->part]) ? room : CYCLE_NEVER;
        else if (room > at || w->info->port == PORT_VMEM)
            at = room;
    }
    return at > now ? at : now + 1;
}

/* Charges the waves that a clause keeps out of a port to arbitration; returns the others. */
static NOINLINE uint32_t keep_out(struct cu *c, struct cu_simd *s, struct cu_wave *waves, unsigned port, cycle_t now)
{
    uint32_t in = cu_let_in(s, port), out = s->ready[port] & ~in;

    for (uint32_t m = out & s->refused; m; m &= m - 1) {
        struct cu_wave *w = &waves[__builtin_ctz(m)];

        cu_wave_charge(c, w, now);
        w->reason = STALL_ARBITRATION;
    }
    s->refused &= ~out;
    return in;
}

/* `waves` have lost the VALU to another one in this visit. Returns when it is worth looking again: if the VALU is taken
 * beyond the next visit, that one would do no more than to say so. */
static cycle_t lose_valu(const struct cu *c, struct cu_simd *s, uint32_t waves, cycle_t now)
{
    cycle_t visit = cu_simd_turn(c->x, s->number, now + 1), free_at = valu_free_at(s);

    if (free_at <= visit)
        return now + 1;
    s->lost = waves;
    s->lost_until = visit;
    return free_at;
}

void cu_simd_settle_lost(struct cu *c, struct cu_simd *s)
{
    for (uint32_t m = s->lost; m; m &= m - 1) {
        struct cu_wave *w = &s->wave[__builtin_ctz(m)];

        cu_wave_charge(c, w, s->lost_until);
        w->reason = STALL_UNIT_BUSY_VALU;
    }
    s->refused |= s->lost;
    s->lost = 0;
}

/* Gives every wave left behind its reason; returns the cycle of the next visit that could go better. */
static cycle_t left_behind(struct cu *c, struct cu_simd *s, struct cu_wave *waves, uint32_t open, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    for (uint32_t ports = s->ports; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        bool lost = open >> port & 1;
        uint32_t in = s->kept ? keep_out(c, s, waves, port, now) : s->ready[port];
        /* the queues of memory have two ways to refuse; elsewhere a reason once given stays */
        uint32_t look = lost ? in & s->refused : port == PORT_VMEM || port == PORT_SMEM ? in : in & ~s->refused;
        bool each = !lost && is_special(c, port);
        cycle_t at = !in                 ? CYCLE_NEVER
                     : lost              ? now + 1
                     : each              ? CYCLE_NEVER
                     : port == PORT_VALU ? valu_free_at(s)
                                         : retry_at(c, s, &waves[__builtin_ctz(in)], now);

        if (each)
            for (uint32_t m = in; m; m &= m - 1) {
                cycle_t one = retry_at(c, s, &waves[__builtin_ctz(m)], now);

                at = one < at ? one : at;
            }
        s->refused = lost ? s->refused & ~look : s->refused | look;
        for (; look; look &= look - 1) {
            struct cu_wave *w = &waves[__builtin_ctz(look)];
            enum timing_stall reason = lost ? STALL_ARBITRATION : busy_reason(c, w);

            if (port == PORT_VMEM && w->info->category == OPCAT_FLAT)
                at = now + 1;
            if (w->reason != reason) {
                cu_wave_charge(c, w, now);
                w->reason = (uint8_t)reason;
            }
        }
        if (lost && port == PORT_VALU && in && !s->kept)
            at = lose_valu(c, s, in, now);
        next = at < next ? at : next;
    }
    return next;
}

/* Makes the waves ready that have issued in this visit; their turns end at t. Returns when it is worth looking at them:
 * where the visit of cycle t would do no more than to say that the VALU is taken, they are charged to it at once. */
static cycle_t let_come(const struct cu *c, struct cu_simd *s, cycle_t t)
{
    bool visited = cu_simd_turn(c->x, s->number, t) == t;
    cycle_t free_at = s->kept || !visited ? 0 : valu_free_at(s), at = CYCLE_NEVER;

    for (; s->coming; s->coming &= s->coming - 1) {
        struct cu_wave *w = &s->wave[__builtin_ctz(s->coming)];

        cu_wave_ready(s, w);
        if (w->info->port == PORT_VALU && free_at > t) {
            w->reason = STALL_UNIT_BUSY_VALU;
            s->refused |= s->coming & -s->coming;
            at = cu_earlier(at, free_at);
        } else {
            at = t;
        }
    }
    return at;
}

void cu_simd_issue(struct cu *c, struct cu_simd *s, cycle_t now)
{
    const struct cu_context *x = c->x;
    struct cu_wave *waves = s->wave;
    uint32_t open = 0, todo = s->ports, slots = 0, alone;

    if (s->lost)
        cu_simd_settle_lost(c, s);
    s->blocked =
        cu_queue_free_at(&s->queues.valu) > now && s->ports & (1u << PORT_VALU | 1u << PORT_TRANS | 1u << PORT_MATRIX);
    alone = s->ready[__builtin_ctz(todo)];
    if (!(todo & (todo - 1)) && !(alone & (alone - 1))) {
        /* one wave, the usual case: nothing to choose */
        struct cu_wave *w = &waves[__builtin_ctz(alone)];

        if ((!s->kept || cu_let_in(s, w->info->port)) && port_can_accept(c, s, w, now))
            issue(c, s, w, now);
        if (c->stopped)
            return;
    } else {
        for (uint32_t m = todo; m; m &= m - 1) {
            unsigned port = (unsigned)__builtin_ctz(m);
            uint32_t in = s->kept ? let_in_or_all(s, port) : s->ready[port];

            slots |= x->slot_of[port];
            if (port_can_accept(c, s, &waves[__builtin_ctz(in)], now))
                open |= 1u << port;
        }
        for (; slots; slots &= slots - 1) {
            const struct cu_issue_rule *rule = &x->rule[__builtin_ctz(slots)];
            uint32_t ports = rule->ports & todo;

            /* the vector ALU refuses all alike */
            if (ports == 1u << PORT_VALU && !(open & ports))
                continue;
            fill_slot(c, s, waves, ports, rule->limit, now);
            if (c->stopped)
                return;
        }
    }
    c->next_issue[s->number] = s->ports ? left_behind(c, s, waves, open, now) : CYCLE_NEVER;
    if (s->coming)
        c->next_issue[s->number] = cu_earlier(c->next_issue[s->number], let_come(c, s, now + x->turn_cycles));
}
