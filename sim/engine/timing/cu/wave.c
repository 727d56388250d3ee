/* The decision about one wave: what, of its own, keeps it from issuing, and until when.
 *
 * The questions are asked in a fixed order and the first that says no is the reason. None of them depends on another
 * wave or on a shared unit, so the answer stays true until the cycle it names, or until an event of the wave's own
 * (completion, fetch, barrier): a run that asks in every cycle charges the same reasons as one that jumps.
 */
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/timing.h"

void cu_wave_charge(struct cu *c, struct cu_wave *w, cycle_t upto)
{
    cycle_t from = w->since;

    if (upto <= from)
        return;
    w->since = upto;
    if (from < w->issued_until) {
        /* the turn of its last issue, whatever it has been decided to do after that */
        cycle_t end = cu_earlier(upto, w->issued_until);

        c->stall[STALL_ISSUED] += end - from;
        from = end;
    }
    c->stall[w->reason] += upto - from;
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

void cu_wave_poke(struct cu *c, struct cu_wave *w, cycle_t now)
{
    cycle_t wake = cu_later(now, w->issued_until);

    if (w->state != WAVE_EVENT)
        return;
    w->sure = false;
    set_timed(c, w, wake);
    if (wake < *c->wake)
        *c->wake = wake;
}

/* The later of *worst and v's cycle for this consumer; *producer follows. */
static inline void later(const struct cu_context *x, uint64_t v, unsigned consumer, cycle_t *worst, unsigned *producer)
{
    cycle_t at = ready_cycle(v) + x->extra[ready_producer(v)][consumer];

    if (at > *worst) {
        *worst = at;
        *producer = ready_producer(v);
    }
}

/* An entry of the scoreboard that is not above this one keeps nothing from issuing at t. */
static inline uint64_t harmless(const struct cu_context *x, cycle_t t)
{
    return t > x->longest_extra ? ready_entry(t - x->longest_extra, (1u << READY_PRODUCER_BITS) - 1) : 0;
}

/* When the registers it reads are ready, if that is after t. Results of the vector units that a vector instruction
 * reads do not hold it where a dependent instruction waits in the unit (issue.dependent_valu_blocks_issue): they go to
 * w->operands. */
static ALWAYS_INLINE cycle_t registers_ready(const struct cu *c, struct cu_wave *w, const struct timing_info *i,
                                             cycle_t t, unsigned *producer)
{
    const struct cu_context *x = c->x;
    bool in_salu = i->port == PORT_SALU;
    uint32_t ask = (t < w->vectors_busy ? i->reads_vectors : 0) | (t < w->scalars_busy ? i->reads_scalars : 0);
    uint64_t over = harmless(x, t);
    cycle_t worst = 0, operands = 0;
    unsigned unused;

    for (; ask; ask &= ask - 1) {
        const struct timing_reg *reg = &i->reg[__builtin_ctz(ask)];
        const uint64_t *v = &w->ready[reg->first], *end = v + reg->count;

        for (; v < end; v++) {
            unsigned from = ready_producer(*v);

            if (*v <= over)
                continue;
            /* what one vector instruction leaves in SGPRs the next one in order can take */
            if (i->waits_in_unit && !in_salu && from == PRODUCER_SGPR && x->queued)
                continue;
            if (i->waits_in_unit && (from == PRODUCER_SALU) == in_salu)
                later(x, *v, i->consumer, &operands, &unused);
            else
                later(x, *v, i->consumer, &worst, producer);
        }
    }
    w->operands = operands;
    return worst;
}

/* The same for an MFMA, whose addend may come straight out of the matrix unit: the very registers of the wave's last
 * MFMA, of a like instruction. */
static NOINLINE cycle_t matrix_operands_ready(const struct cu *c, const struct cu_wave *w, const struct timing_info *i,
                                              unsigned *producer)
{
    const struct timing_reg *add = &i->addend;
    bool same = add->count && add->first == w->sum.first && add->count == w->sum.count;
    cycle_t worst = 0;

    for (unsigned k = 0; k < i->reads; k++) {
        const uint64_t *v = &w->ready[i->reg[k].first];
        bool is_addend = add->count && i->reg[k].first == add->first && i->reg[k].count == add->count;
        unsigned consumer = is_addend ? CONSUMER_MFMA_C : CONSUMER_MFMA_AB;

        for (unsigned n = 0; n < i->reg[k].count; n++) {
            if (is_addend && same && v[n] == w->sum_entry) {
                if (w->sum_forward > worst) {
                    worst = w->sum_forward;
                    *producer = ready_producer(v[n]);
                }
            } else {
                later(c->x, v[n], consumer, &worst, producer);
            }
        }
    }
    return worst;
}

/* What a wave's VALU instructions keep from it although it reads none of their results. */
static cycle_t valu_drained(const struct cu *c, const struct cu_wave *w, const struct timing_info *i)
{
    const struct cu_context *x = c->x;

    if (x->queued)
        return i->consumer == CONSUMER_MEMORY ? w->queue_done + x->extra[PRODUCER_VALU][CONSUMER_MEMORY] : 0;
    if (i->consumer == CONSUMER_MEMORY && x->profile->issue.valu_blocks_memory)
        return w->vector_done + x->extra[PRODUCER_VALU][CONSUMER_MEMORY];
    if ((i->port == PORT_SALU || i->port == PORT_SMEM) && x->profile->issue.valu_sgpr_blocks_salu)
        return w->sgpr_done + x->extra[PRODUCER_SGPR][CONSUMER_SALU];
    return 0;
}

/* What s_delay_alu announced for the next instruction: 1..4 the n-th last VALU result, 5..7 the n-th last of the
 * transcendental unit, 8 an accumulator, 9..11 the scalar ALU. */
static NOINLINE cycle_t delay_ready(const struct cu_wave *w, unsigned *producer)
{
    cycle_t worst = 0;

    for (unsigned k = 0; k < 2; k++) {
        unsigned id = w->delay[k].in ? 0 : w->delay[k].id, kind;
        cycle_t at;

        if (!id || id > 11)
            continue;
        if (id <= 4) {
            at = w->valu_done[id - 1];
            kind = PRODUCER_VALU;
        } else if (id <= 7) {
            at = w->trans_done[id - 5];
            kind = PRODUCER_TRANS;
        } else if (id == 8) {
            at = w->valu_done[0];
            kind = PRODUCER_VALU;
        } else {
            at = w->salu_done;
            kind = PRODUCER_SALU;
        }
        if (at > worst) {
            worst = at;
            *producer = kind;
        }
    }
    return worst;
}

/* The same with queues: the counters are as far from the units as memory and the SALU are from the VALU, and the next
 * instruction comes a cycle after the wait. */
static cycle_t counters_ready(const struct cu *c, const struct cu_wave *w, uint16_t imm, unsigned *producer)
{
    unsigned va_vdst = imm >> 12, va_sdst = imm >> 9 & 7, va_vcc = imm >> 1 & 1, sa_sdst = imm & 1;
    cycle_t worst = 0, at;

    if (va_vdst < 4 && w->valu_ready[va_vdst])
        worst = w->valu_ready[va_vdst] + c->x->extra[PRODUCER_VALU][CONSUMER_MEMORY] - 1;
    at = w->sgpr_done + c->x->extra[PRODUCER_SGPR][CONSUMER_SALU] - 1;
    if ((va_sdst < 7 || !va_vcc) && w->sgpr_done && at > worst)
        worst = at;
    at = w->salu_ready + c->x->extra[PRODUCER_SALU][CONSUMER_BRANCH] - 1;
    if (!sa_sdst && w->salu_ready && at > worst) {
        worst = at;
        *producer = PRODUCER_SALU;
    }
    return worst;
}

/* s_wait_alu / s_waitcnt_depctr. Fields at their largest value wait for nothing. */
static cycle_t wait_alu_ready(const struct cu *c, const struct cu_wave *w, uint16_t imm, unsigned *producer)
{
    unsigned va_vdst = imm >> 12, va_sdst = imm >> 9 & 7, va_vcc = imm >> 1 & 1, sa_sdst = imm & 1;
    cycle_t worst = 0;

    *producer = PRODUCER_VALU;
    if (c->x->queued)
        return counters_ready(c, w, imm, producer);
    if (va_vdst < 4 && w->valu_done[va_vdst] > worst)
        worst = w->valu_done[va_vdst];
    if ((va_sdst < 7 || !va_vcc) && w->valu_done[0] + c->x->extra[PRODUCER_SGPR][CONSUMER_SALU] > worst)
        worst = w->valu_done[0] + c->x->extra[PRODUCER_SGPR][CONSUMER_SALU];
    if (!sa_sdst && w->salu_done > worst) {
        worst = w->salu_done;
        *producer = PRODUCER_SALU;
    }
    return worst;
}

static const uint8_t dependency[PRODUCER_COUNT] = {
    [PRODUCER_NONE] = STALL_DEPENDENCY_VALU,
    [PRODUCER_VALU] = STALL_DEPENDENCY_VALU,
    [PRODUCER_SGPR] = STALL_DEPENDENCY_VALU,
    [PRODUCER_AGPR] = STALL_DEPENDENCY_VALU,
    [PRODUCER_TRANS] = STALL_DEPENDENCY_TRANS,
    [PRODUCER_SALU] = STALL_DEPENDENCY_SALU,
    [PRODUCER_WMMA... PRODUCER_COUNT - 1] = STALL_DEPENDENCY_MATRIX,
};

/* What holds an instruction beside its registers (timing_info.asks_more), if that is after *at. */
static NOINLINE void more_blocked(const struct cu *c, const struct cu_wave *w, cycle_t *at, unsigned *producer)
{
    const struct timing_info *i = w->info;
    unsigned other = PRODUCER_NONE;
    cycle_t more;

    if (i->special == ISA_SPECIAL_WAIT_ALU) {
        more = wait_alu_ready(c, w, i->imm, &other);
        if (more > *at) {
            *at = more;
            *producer = other;
        }
    }
    if (i->writes_sgprs && cu_queue_free_at(&w->sgpr_writes) > *at) {
        *at = cu_queue_free_at(&w->sgpr_writes);
        *producer = PRODUCER_VALU;
    }
    if (i->writes_sgprs && w->salu_written > *at) {
        *at = w->salu_written;
        *producer = PRODUCER_SALU;
    }
    if (i->hwreg && c->x->queued && w->salu_begun && w->salu_begun + c->x->profile->queue.salu_to_hwreg_cycles > *at) {
        *at = w->salu_begun + c->x->profile->queue.salu_to_hwreg_cycles;
        *producer = PRODUCER_SALU;
    }
    if (i->drains) {
        more = w->sending ? cu_path_next(c, w->part) : w->drained; /* it is asked again then */
        if (more > *at) {
            *at = more;
            *producer = PRODUCER_SALU;
        }
    }
}

static ALWAYS_INLINE enum timing_stall operands_blocked(const struct cu *c, struct cu_wave *w, cycle_t t,
                                                        cycle_t *until)
{
    const struct timing_info *i = w->info;
    unsigned producer = PRODUCER_NONE, other = PRODUCER_NONE;
    cycle_t at = 0, more;

    if (t >= w->busy_until) {
        w->operands = 0;
    } else if (i->cls == OPC_MFMA) {
        w->operands = 0;
        at = matrix_operands_ready(c, w, i, &producer);
    } else {
        at = registers_ready(c, w, i, t, &producer);
        more = valu_drained(c, w, i);
        if (more > at) {
            at = more;
            producer = PRODUCER_VALU;
        }
    }
    if (w->delayed) {
        more = delay_ready(w, &other);
        if (more > at) {
            at = more;
            producer = other;
        }
    }
    if (i->asks_more)
        more_blocked(c, w, &at, &producer);
    *until = at > t ? at : 0;
    return dependency[producer];
}

/* What memory keeps an instruction waiting for; STALL_COUNT: nothing. */
static unsigned memory_blocked(const struct cu_wave *w, cycle_t t, cycle_t *until)
{
    const struct timing_info *i = w->info;

    if (w->script && w->script->wait_end && i->waits) {
        *until = w->script_waits < w->script->wait_count ? w->script->wait_end[w->script_waits] : 0;
        return t < *until ? STALL_WAIT + i->wait[0].counter : STALL_COUNT;
    }
    for (unsigned k = 0; k < i->waits; k++)
        if (w->outstanding[i->wait[k].counter] > i->wait[k].threshold)
            return STALL_WAIT + i->wait[k].counter;
    return STALL_COUNT;
}

/* What keeps w from issuing in cycle t. *until: when that ends, CYCLE_NEVER when an event ends it, 0 when nothing
 * does keep it. A wave that has ended and drained says DRAIN until 0. w->sure: when that ends nothing else will. */
static ALWAYS_INLINE enum timing_stall cu_blocked(struct cu *c, struct cu_wave *w, cycle_t t, cycle_t *until)
{
    const struct timing_info *i = w->info;

    w->sure = false;
    if (t < w->issued_until) {
        *until = w->issued_until;
        return STALL_ISSUED;
    }
    if (t < w->hold_until) {
        *until = w->hold_until;
        return w->hold_reason;
    }
    *until = CYCLE_NEVER;
    if (w->ended) {
        if (w->op_head == CU_NO_OP)
            *until = 0;
        return STALL_DRAIN;
    }
    if (w->at_barrier) {
        cycle_t release = w->barrier_release[w->isa->barrier_wait != 0];

        if (!isa_barrier_open(w->isa))
            return STALL_BARRIER;
        if (t < release) {
            *until = release;
            return STALL_BARRIER;
        }
        isa_barrier_pass(w->isa);
        w->at_barrier = false;
    }
    if (!cu_fetch_has(w, i->pc, i->size_bytes))
        return STALL_FETCH;
    if (i->waits) {
        unsigned reason = memory_blocked(w, t, until);

        if (reason != STALL_COUNT)
            return reason;
        *until = CYCLE_NEVER;
    }
    for (uint32_t m = i->counters; m; m &= m - 1) {
        unsigned k = (unsigned)__builtin_ctz(m);

        if (w->outstanding[k] >= c->x->counter_max[k])
            return STALL_COUNTER_FULL;
    }
    /* registers are the last question, and until it issues none is written; but other waves may be before it on the
     * path of memory */
    w->sure = !i->drains;
    return operands_blocked(c, w, t, until);
}

/* An ended wave leaves its slot. */
static void leave(struct cu *c, struct cu_wave *w, cycle_t now)
{
    struct cu_simd *s = &c->simd[w->simd];
    struct cu_group *g = w->group;
    uint32_t bit = UINT32_C(1) << w->slot;

    if (c->x->observer && c->x->observer->left)
        c->x->observer->left(c->x->observer->ctx, c, w, now);
    w->state = WAVE_FREE;
    s->used &= ~bit;
    s->urgent &= ~bit;
    c->resident--;
    c->resident_cycles += now - w->born;
    c->waves_done++;
    g->placed--;
    cu_give_back(c, w, !g->placed, now);
    if (g->placed)
        return;
    c->groups_done++;
    c->x->groups_done++;
    c->x->done_at = now;
    g->used = false;
}

/* The instruction will be run soon: what of the wave's state it reads and writes. */
static void prefetch_operands(const struct cu_context *x, const struct cu_wave *w)
{
    const struct timing_info *i = w->info;
    uint32_t lanes = x->launch->lanes;

    __builtin_prefetch(w->isa);
    if (i->writes)
        __builtin_prefetch(&w->ready[i->reg[i->reads].first], 1);
    for (unsigned k = 0; k < i->reads; k++) {
        unsigned first = i->reg[k].first;

        if (first < REG_SCC)
            __builtin_prefetch(&w->isa->s[first]);
        else if (first >= REG_VGPR && first < REG_AGPR)
            for (uint32_t n = 0; n < lanes; n += 16)
                __builtin_prefetch(w->rows + (first - REG_VGPR) * lanes + n);
    }
}

void cu_wave_update(struct cu *c, struct cu_wave *w, cycle_t now)
{
    struct cu_simd *s = &c->simd[w->simd];
    enum timing_stall reason = STALL_ARBITRATION;
    cycle_t until = 0;

    if (w->script && !w->script_steps && w->script->first && now >= w->script->first && !w->script->first_ends)
        cu_fetch_grant(c, w);
    if (!w->sure)
        reason = cu_blocked(c, w, now, &until);
    cu_wave_charge(c, w, now);
    s->timed &= ~(UINT32_C(1) << w->slot);
    w->reason = (uint8_t)reason;
    if (until == CYCLE_NEVER) {
        w->state = WAVE_EVENT;
    } else if (until) {
        set_timed(c, w, until);
    } else if (w->ended) {
        leave(c, w, now);
    } else {
        cu_wave_ready(s, w);
        c->next_issue[w->simd] = now;
        prefetch_operands(c->x, w);
    }
}

/* Whether what will keep w when its turn is over can be said at its issue. Not at barriers, which others complete; of
 * what waits for the path of memory, which others take; where a recording says when it goes on; and not of the end. */
static bool is_foreseeable(const struct cu_wave *w)
{
    return !(w->ended | w->at_barrier | w->info->drains) && !w->script;
}

void cu_wave_issued(struct cu *c, struct cu_wave *w)
{
    struct cu_simd *s = &c->simd[w->simd];
    enum timing_stall reason;
    cycle_t until;

    if (!is_foreseeable(w)) {
        cu_wave_sleep(c, w, STALL_ISSUED, w->issued_until);
        return;
    }
    reason = cu_blocked(c, w, w->issued_until, &until);
    if (until == CYCLE_NEVER) {
        w->reason = (uint8_t)reason;
        w->state = WAVE_EVENT;
    } else if (until) {
        w->reason = (uint8_t)reason;
        set_timed(c, w, until);
    } else if (c->x->turn_ends_in_time) {
        s->coming |= UINT32_C(1) << w->slot;
    } else {
        w->reason = STALL_ARBITRATION;
        set_timed(c, w, w->issued_until);
    }
}

void cu_wave_check(struct cu *c, struct cu_wave *w, cycle_t now)
{
    cycle_t until;
    enum timing_stall reason;

    if (w->state == WAVE_FREE || w->since > now)
        return; /* launched in this very cycle */
    if (now >= w->issued_until || w->reason == STALL_ISSUED) {
        bool sure = w->sure;

        reason = cu_blocked(c, w, now, &until);
        if (w->state == WAVE_READY)
            assert(!until);
        else
            assert(reason == w->reason && sure == w->sure &&
                   until == (w->state == WAVE_EVENT ? CYCLE_NEVER : c->simd[w->simd].wake[w->slot]));
    }
    (void)reason;
    /* charging in small pieces must come to the same */
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
            w->hold_until <= now + 1)
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

cycle_t cu_barrier_way_free_at(const struct cu *c, const struct cu_simd *s)
{
    uint32_t count = c->x->profile->frontend.barrier_messages;
    cycle_t at = count ? s->message_back[0] : 0;

    for (uint32_t k = 1; k < count; k++)
        at = s->message_back[k] < at ? s->message_back[k] : at;
    return at;
}

bool cu_barrier_way_is_free(const struct cu *c, const struct cu_simd *s, cycle_t now)
{
    return cu_barrier_way_free_at(c, s) <= now;
}

void cu_barrier_signal(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now)
{
    const struct profile_frontend *f = &c->x->profile->frontend;
    cycle_t *next = &w->group->next_signal[w->simd], taken = *next > now ? *next : now;

    *next = taken + f->barrier_message_cycles;
    if (taken > w->group->signalled)
        w->group->signalled = taken;
    for (uint32_t k = 0; k < f->barrier_messages; k++)
        if (s->message_back[k] <= now) {
            s->message_back[k] = now + f->barrier_message_cycles;
            break;
        }
}

void cu_barriers_complete(struct cu *c, struct cu_group *g, uint32_t barriers, cycle_t now)
{
    cycle_t release = (g->signalled > now ? g->signalled : now) + c->x->profile->frontend.barrier_release_cycles;
    uint32_t n = c->x->simds * c->x->slots;

    for (uint32_t k = 0; k < n; k++) {
        struct cu_wave *w = &c->wave[k];

        if (w->state == WAVE_FREE || w->group != g)
            continue;
        if (barriers & 1)
            w->barrier_release[0] = release;
        if (w->isa->barrier_joined && (barriers >> w->isa->barrier_joined & 1))
            w->barrier_release[1] = release;
        if (w->at_barrier && (barriers >> w->isa->barrier_wait & 1))
            cu_wave_poke(c, w, now);
    }
}
