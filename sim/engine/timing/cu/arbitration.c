/* The visit of a SIMD: of its waves that could go, which go.
 *
 * In one visit a SIMD issues up to the profile's number of instructions of each category, oldest wave first, higher
 * s_setprio priority before that; a wave in a clause keeps others out (cu_clause.h). A ready wave that stays behind is
 * charged to the unit that would not take it, to the memory queue, or to arbitration.
 */
#include "sim/engine/timing/cu/cu.h"

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
static struct cu_wave *pick(const struct cu_simd *s, struct cu_wave *waves, uint32_t cand)
{
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
        w = pick(s, waves, cand);
        if (!port_can_accept(c, s, w, now)) {
            /* its port takes none of the others either, where it does not matter whose or what it is */
            refused |= w->info->category == OPCAT_FLAT || is_special(c, w->info->port) ? UINT32_C(1) << w->slot
                                                                                       : s->ready[w->info->port];
            continue;
        }
        cu_issue(c, s, w, now);
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
            cu_issue(c, s, w, now);
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
