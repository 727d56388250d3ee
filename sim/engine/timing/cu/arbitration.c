/* Issue arbitration: picks which ready waves of a SIMD issue in a cycle.
 *
 * In one cycle a SIMD fills its issue slots one after the other (ports.h), each with up to the slot's issue width of
 * instructions: the highest s_setprio priority first, then the oldest wave. A wave in a clause keeps the ports of its
 * type to itself (front/clause.h). A ready wave that does not issue is charged to arbitration when its port was free at
 * the start of the cycle, and to the structural hazard that its port's verdict names when it had none.
 */
#include "sim/engine/timing/cu/charge.h"
#include "sim/engine/timing/cu/ready.h"
#include "sim/engine/timing/memory/operand_path.h"
#include "sim/engine/timing/memory/tensor_unit.h"

/* Structural hazards ----------------------------------------------------------------------------------------------- */

/* The cycle from which one resource is available to w's next instruction: any cycle up to `now` when it is already,
 * CYCLE_NEVER when an event of the CU says (credit_returned() in cycle.c), now + 1 when only asking again shows. */
static ALWAYS_INLINE cycle_t available_at(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w,
                                          unsigned need, cycle_t now)
{
    const struct cu_queues *q = &s->queues;
    const struct pipe *lds;

    switch ((enum port_need)need) {
    case NEED_VALU_UNIT:
        return s->port[PORT_VALU].free_at;
    case NEED_TRANS_UNIT:
        return s->port[PORT_TRANS].free_at;
    case NEED_MATRIX_UNIT:
        return s->port[PORT_MATRIX].free_at;
    case NEED_SALU_UNIT:
        return s->port[PORT_SALU].free_at;
    case NEED_BRANCH_UNIT:
        return s->port[PORT_BRANCH].free_at;
    case NEED_OP_ENTRY:
        return cu_ops_can_accept(c, now) ? 0 : now + 1;
    case NEED_VMEM_INTAKE:
        return c->vmem[w->part].intake_free;
    case NEED_VMEM_CREDIT:
        return cu_line_queue_has_credit(&c->vmem[w->part]) ? 0 : CYCLE_NEVER;
    case NEED_TENSOR_ENTRY:
        return tensor_unit_has_entry(c->tensors[w->part]) ? 0 : CYCLE_NEVER;
    case NEED_SMEM_INTAKE:
        return c->smem[w->part].intake_free;
    case NEED_SMEM_CREDIT:
        return cu_line_queue_has_credit(&c->smem[w->part]) ? 0 : CYCLE_NEVER;
    case NEED_LDS_PORT:
        lds = &c->lds_port[cu_lds_port_of(c, w)].pipe;
        return pipe_can_accept(lds, now) ? 0 : cu_later(lds->free_at, now + 1);
    case NEED_LDS_SIDE:
        return cu_later(cu_lds_side_free_at(&s->lds, w->info->lds_dwords), w->lds.back[w->lds.at]);
    case NEED_BARRIER_CREDIT:
        return cu_barrier_credit_at(c, s);
    case NEED_VALU_QUEUE:
        return q->valu_open;
    case NEED_VALU_QUEUE_LAST:
        return cu_queue_special_at(s, &c->x->profile->queue, w, now);
    case NEED_SALU_QUEUE:
        return cu_queue_free_at(&q->salu);
    case NEED_LDS_QUEUE:
        return cu_later(cu_queue_free_at(&q->lds), q->lds_wake);
    case NEED_VMEM_QUEUE:
        return cu_later(operand_path_free_at(c, s), q->vmem_wake);
    case NEED_VALU_UNBLOCKED:
        /* a wave that the SIMD let pass in the cycle before goes on with its SALU instructions */
        if (!s->valu_queue_full || (w->info->port == PORT_SALU && q->salu_slot == w->slot && q->salu_at + 1 == now))
            return 0;
        return cu_queue_free_at(&q->valu);
    case NEED_COUNT:
        break;
    }
    assert(!"a need without a case");
    return now + 1;
}

/* The cycle from which these resources are all available to w's next instruction. */
static ALWAYS_INLINE cycle_t all_available_at(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w,
                                              uint32_t needs, cycle_t now)
{
    cycle_t at = 0;

    for (uint32_t m = needs; m; m &= m - 1)
        at = cu_later(at, available_at(c, s, w, (unsigned)__builtin_ctz(m), now));
    return at;
}

/* The structural hazard of a port that takes an instruction in cycle `at`. */
static struct verdict port_verdict(unsigned port, cycle_t at)
{
    return (struct verdict){at, at == CYCLE_NEVER ? STALL_MEMORY_QUEUE_FULL : (enum timing_stall)port_table[port].busy};
}

/* Cycle from which the vector ALU takes a plain instruction, whichever wave has it. */
static cycle_t valu_free_at(const struct cu_simd *s)
{
    return cu_later(s->port[PORT_VALU].free_at, s->queues.valu_open);
}

/* Whether all of these resources are, in cycle `now`. */
static ALWAYS_INLINE bool are_available(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w,
                                        uint32_t needs, cycle_t now)
{
    for (uint32_t m = needs; m; m &= m - 1)
        if (available_at(c, s, w, (unsigned)__builtin_ctz(m), now) > now)
            return false;
    return true;
}

/* Whether w's port takes its next instruction, asked before every issue; the ALUs, the most frequent ports, have no
 * loop. */
static ALWAYS_INLINE bool port_can_accept(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w,
                                          cycle_t now)
{
    if (w->info->port == PORT_VALU)
        return valu_free_at(s) <= now;
    if (w->info->port == PORT_SALU && w->info->needs == c->x->salu_needs) /* without queues they are never full */
        return s->port[PORT_SALU].free_at <= now && available_at(c, s, w, NEED_SALU_QUEUE, now) <= now &&
               available_at(c, s, w, NEED_VALU_UNBLOCKED, now) <= now;
    return are_available(c, s, w, w->info->needs, now);
}

/* Candidates ------------------------------------------------------------------------------------------------------- */

/* The wave that wins arbitration among `cand`. */
static struct cu_wave *pick(const struct cu_simd *s, struct cu_wave *waves, uint32_t cand)
{
    if (cand & s->prioritized) {
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

/* The waves that contend for any of the ports, clauses considered. */
static NOINLINE uint32_t eligible_in_clauses(const struct cu_simd *s, uint32_t ports)
{
    uint32_t waves = 0;

    for (uint32_t m = ports; m; m &= m - 1)
        waves |= cu_eligible(s, (unsigned)__builtin_ctz(m));
    return waves;
}

static uint32_t ready_for(const struct cu_simd *s, uint32_t ports)
{
    uint32_t waves = s->ready[__builtin_ctz(ports)];

    while (ports &= ports - 1)
        waves |= s->ready[__builtin_ctz(ports)];
    return waves;
}

/* The wave whose verdict stands for a port at the start of the cycle: where a clause excludes every ready
 * wave, any of them, because the clause may end in this cycle. */
static struct cu_wave *representative(const struct cu_simd *s, unsigned port)
{
    uint32_t in = s->clause_ports ? cu_eligible(s, port) : 0;

    return &s->wave[__builtin_ctz(in ? in : s->ready[port])];
}

/* The ready waves that a structural hazard of w's port keeps from issuing: all, unless it is w's alone. */
static uint32_t held_with(const struct cu *c, const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    bool own = w->info->needs_by_wave && are_available(c, s, w, c->x->common_needs[w->info->port], now);

    return own ? UINT32_C(1) << w->slot : s->ready[w->info->port];
}

/* Fills one issue slot. */
static void fill_slot(struct cu *c, struct cu_simd *s, struct cu_wave *waves, uint32_t ports, uint32_t width,
                      cycle_t now)
{
    uint32_t stalled = 0;

    do {
        uint32_t cand = (s->clause_ports ? eligible_in_clauses(s, ports) : ready_for(s, ports)) & ~stalled;
        struct cu_wave *w;

        if (!cand)
            break;
        w = pick(s, waves, cand);
        if (!port_can_accept(c, s, w, now)) {
            stalled |= held_with(c, s, w, now);
            continue;
        }
        cu_issue(c, s, w, now);
        if (c->stopped)
            return;
        width--;
    } while (width);
}

/* Waves that did not issue ----------------------------------------------------------------------------------------- */

static void charge_to(struct cu *c, struct cu_wave *w, enum timing_stall reason, cycle_t now)
{
    if (w->reason == reason)
        return;
    cu_wave_charge(c, w, now);
    w->reason = (uint8_t)reason;
}

/* Charges the waves that a clause excludes from a port to arbitration; returns the others. */
static NOINLINE uint32_t charge_excluded(struct cu *c, struct cu_simd *s, unsigned port, cycle_t now)
{
    uint32_t in = cu_eligible(s, port), out = s->ready[port] & ~in;

    for (uint32_t m = out & s->hazard; m; m &= m - 1)
        charge_to(c, &s->wave[__builtin_ctz(m)], STALL_ARBITRATION, now);
    s->hazard &= ~out;
    return in;
}

/* `waves` lost the arbitration for the VALU. Returns the next cycle of arbitration that could go better: if the VALU
 * stays busy beyond the next one, that one would only say so, and cu_simd_settle_lost() does that instead. */
static cycle_t lose_valu(const struct cu *c, struct cu_simd *s, uint32_t waves, cycle_t now)
{
    cycle_t next = cu_next_arbitration(c->x, s->number, now + 1), free_at = valu_free_at(s);

    if (free_at <= next)
        return now + 1;
    s->lost = waves;
    s->lost_until = next;
    return free_at;
}

void cu_simd_settle_lost(struct cu *c, struct cu_simd *s)
{
    for (uint32_t m = s->lost; m; m &= m - 1) {
        struct cu_wave *w = &s->wave[__builtin_ctz(m)];

        cu_wave_charge(c, w, s->lost_until);
        w->reason = STALL_UNIT_BUSY_VALU;
    }
    s->hazard |= s->lost;
    s->lost = 0;
}

/* Charges the waves of a port that was free at the start of the cycle to arbitration. */
static cycle_t charge_losers(struct cu *c, struct cu_simd *s, unsigned port, uint32_t in, cycle_t now)
{
    for (uint32_t m = in & s->hazard; m; m &= m - 1)
        charge_to(c, &s->wave[__builtin_ctz(m)], STALL_ARBITRATION, now);
    s->hazard &= ~in;
    return port == PORT_VALU && !s->clause_ports ? lose_valu(c, s, in, now) : now + 1;
}

/* A wave found the queue of its LDS or VMEM instruction full, which therefore goes a cycle later than the entry is
 * free.
 */
static void note_full_queues(const struct cu *c, struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    struct cu_queues *q = &s->queues;

    if (w->info->needs & 1u << NEED_LDS_QUEUE && cu_queue_free_at(&q->lds) > now)
        q->lds_wake = cu_queue_free_at(&q->lds) + 1;
    if (w->info->needs & 1u << NEED_VMEM_QUEUE && operand_path_entry_at(c, s) > now)
        q->vmem_wake = operand_path_entry_at(c, s) + 1;
}

/* Charges the waves of a port with a structural hazard to the reason of its verdict; returns the earliest cycle of a
 * verdict. */
static cycle_t charge_stalled(struct cu *c, struct cu_simd *s, unsigned port, uint32_t in, cycle_t now)
{
    /* the reason may change while a wave waits for memory's queues; a reason of another port stays once it is given */
    uint32_t look = c->x->reasons_change >> port & 1 ? in : in & ~s->hazard;
    cycle_t at = CYCLE_NEVER;
    bool differ = c->x->verdicts_differ >> port & 1;
    uint32_t needs = 0, of_wave = c->x->needs_of_wave;
    cycle_t common = 0; /* when what does not depend on the wave is available */

    for (uint32_t m = differ ? in : look | (in & -in); m && !(differ && !(m & look) && at <= common); m &= m - 1) {
        struct cu_wave *w = &s->wave[__builtin_ctz(m)];

        if (w->info->needs != needs) {
            note_full_queues(c, s, w, now);
            needs = w->info->needs;
            common = all_available_at(c, s, w, needs & ~of_wave, now);
        }
        struct verdict v = port_verdict(port, cu_later(common, all_available_at(c, s, w, needs & of_wave, now)));
        at = cu_earlier(at, v.at > now ? v.at : now + 1);
        if (look & m & -m)
            charge_to(c, w, v.why, now);
    }
    s->hazard |= look;
    return at;
}

/* Gives every ready wave that did not issue its reason; returns the next cycle of arbitration that could go better.
 * open: ports that were free at the start of the cycle. */
static cycle_t charge_ready(struct cu *c, struct cu_simd *s, uint32_t open, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    for (uint32_t ports = s->ports; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        uint32_t in = s->clause_ports ? charge_excluded(c, s, port, now) : s->ready[port];

        if (in)
            next = cu_earlier(next, open >> port & 1 ? charge_losers(c, s, port, in, now)
                                                     : charge_stalled(c, s, port, in, now));
    }
    return next;
}

/* Makes the waves ready that issued in this cycle and whose issue slot ends at t. Returns when to arbitrate for them:
 * where the arbitration of cycle t would only find the VALU busy, they are charged to it at once. */
static cycle_t rearm(const struct cu *c, struct cu_simd *s, cycle_t t)
{
    bool foresees = !s->clause_ports && cu_next_arbitration(c->x, s->number, t) == t;
    cycle_t at = CYCLE_NEVER;
    uint32_t m = s->rearmed;

    s->rearmed = 0;
    do {
        struct cu_wave *w = &s->wave[__builtin_ctz(m)];
        cycle_t free_at = t;

        cu_wave_ready(s, w);
        if (w->info->port == PORT_VALU && foresees && (free_at = valu_free_at(s)) > t) {
            w->reason = STALL_UNIT_BUSY_VALU;
            s->hazard |= m & -m;
        }
        at = cu_earlier(at, cu_later(free_at, t));
    } while (m &= m - 1);
    return at;
}

void cu_simd_arbitrate(struct cu *c, struct cu_simd *s, cycle_t now)
{
    const struct cu_context *x = c->x;
    struct cu_wave *waves = s->wave;
    uint32_t open = 0, todo = s->ports, slots = 0, alone;

    if (s->lost)
        cu_simd_settle_lost(c, s);
    s->valu_queue_full = cu_queue_free_at(&s->queues.valu) > now && s->ports & x->vector_alu_ports;
    alone = s->ready[__builtin_ctz(todo)];
    if (!(todo & (todo - 1)) && !(alone & (alone - 1))) {
        /* one wave, the usual case: nothing to arbitrate */
        struct cu_wave *w = &waves[__builtin_ctz(alone)];

        if ((!s->clause_ports || cu_eligible(s, w->info->port)) && port_can_accept(c, s, w, now))
            cu_issue(c, s, w, now);
        if (c->stopped)
            return;
    } else {
        for (uint32_t m = todo; m; m &= m - 1) {
            unsigned port = (unsigned)__builtin_ctz(m);

            slots |= UINT32_C(1) << x->issue_slot_of[port];
            if (port_can_accept(c, s, representative(s, port), now))
                open |= 1u << port;
        }
        for (; slots; slots &= slots - 1) {
            const struct cu_issue_slot *slot = &x->issue_slot[__builtin_ctz(slots)];
            uint32_t ports = slot->ports & todo;

            /* the verdict of the vector ALU is the same for all waves */
            if (ports == 1u << PORT_VALU && !(open & ports))
                continue;
            fill_slot(c, s, waves, ports, slot->width, now);
            if (c->stopped)
                return;
        }
    }
    c->next_issue[s->number] = s->ports ? charge_ready(c, s, open, now) : CYCLE_NEVER;
    if (s->rearmed)
        c->next_issue[s->number] = cu_earlier(c->next_issue[s->number], rearm(c, s, now + x->issue_slot_cycles));
}
