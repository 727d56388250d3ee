/* VMEM operand read path: rotation over SIMDs, and the cycle at which each instruction's registers begin to leave. */
#include "sim/engine/timing/memory/operand_path.h"

#include "sim/engine/timing/cu/cu.h"

_Static_assert((int)OPERAND_PATH_SIMDS >= (int)CU_MAX_SIMDS, "a part may have all SIMDs of a CU");

static unsigned place(const struct cu *c, unsigned simd)
{
    return simd % c->x->simds_per_part;
}

/* Whether the turn of p->simd is over with what it has sent, of which e is the last. */
static bool turn_is_over(const struct operand_path *p, const struct operand_path_entry *e,
                         const struct profile_queue *q)
{
    if (e->clause == IN_CLAUSE || p->groups < q->vmem_burst_groups)
        return false;
    return e->clause == ENDS_CLAUSE || p->sent >= q->vmem_burst_registers;
}

/* The SIMD to serve next, of those that have something now. */
static unsigned next_simd(const struct cu *c, const struct operand_path *p)
{
    unsigned next = p->simd;

    if (!p->choosing || (!p->over && p->of[next].count))
        return next;
    do
        next = next + 1 == c->x->simds_per_part ? 0 : next + 1;
    while (!p->of[next].count && next != p->simd);
    return next;
}

static void choose_simd(const struct cu *c, struct operand_path *p)
{
    unsigned next = next_simd(c, p);

    if (!p->choosing)
        return;
    if (next != p->simd || p->over)
        p->sent = p->groups = 0;
    p->simd = (uint8_t)next;
    p->choosing = false;
}

cycle_t operand_path_next(const struct cu *c, unsigned part)
{
    const struct operand_path *p = &c->path[part];
    unsigned simd = next_simd(c, p);
    const struct operand_path_entry *next = &p->of[simd].entry[p->of[simd].first];
    cycle_t unit = p->waiting && next->has_data ? cu_queue_free_at(&p->unit) : 0;

    return cu_later(p->free, unit ? unit + c->x->profile->queue.vmem_unit_cycles : 0);
}

static void begin_next(struct cu *c, unsigned part, cycle_t at)
{
    const struct profile_queue *q = &c->x->profile->queue;
    struct operand_path *p = &c->path[part];
    struct cu_queues *of;
    struct operand_path_entry *e;
    cycle_t until, read;

    choose_simd(c, p);
    of = &c->simd[part * c->x->simds_per_part + p->simd].queues;
    e = &p->of[p->simd].entry[p->of[p->simd].first];
    until = at + e->slots + q->memory_release_cycles;
    read = at + e->slots + q->vmem_send_cycles;
    p->of[p->simd].first = (uint8_t)((p->of[p->simd].first + 1) % CU_QUEUE_MAX);
    p->of[p->simd].count--;
    if (!--p->waiting)
        c->paths &= ~(1u << part);
    p->free = at + e->slots;
    if (e->has_data)
        cu_queue_put(&p->unit, e->unit_done);
    cu_queue_put(&of->vmem, until);
    if (e->flat)
        cu_queue_put(&of->lds, until);
    if (e->wave->state != WAVE_FREE && e->wave->born == e->born) {
        e->wave->queued.drained = cu_later(e->wave->queued.drained, read);
        e->wave->queued.sending--;
        if (e->has_sources)
            queued_sources_begun(e->wave, read);
    }
    p->sent += e->slots;
    p->groups += e->clause != IN_CLAUSE;
    p->over = turn_is_over(p, e, q);
    p->choosing = true;
    p->begun = at;
}

void operand_path_advance(struct cu *c, unsigned part, cycle_t now)
{
    while (c->path[part].waiting && operand_path_next(c, part) <= now)
        begin_next(c, part, operand_path_next(c, part));
    if (now > c->path[part].begun + 1)
        choose_simd(c, &c->path[part]);
}

void operand_path_enter(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done, cycle_t now)
{
    struct operand_path *p = &c->path[w->part];
    unsigned simd = place(c, w->simd), n;

    operand_path_advance(c, w->part, now);
    if (!p->waiting && !p->choosing && p->simd != simd) {
        p->simd = (uint8_t)simd;
        p->sent = p->groups = 0;
    }
    n = (p->of[simd].first + p->of[simd].count) % CU_QUEUE_MAX;
    p->of[simd].entry[n] = (struct operand_path_entry){
        .wave = w,
        .born = w->born,
        .unit_done = unit_done,
        .slots = (uint8_t)(i->operand_slots < UINT8_MAX ? i->operand_slots : UINT8_MAX),
        .flat = i->category == OPCAT_FLAT,
        .has_sources = i->reads_vgprs,
        .has_data = c->fx.op != MEM_LOAD,
        .clause = (uint8_t)(w->clause.left > 1 ? IN_CLAUSE
                            : w->clause.left   ? ENDS_CLAUSE
                                               : NO_CLAUSE),
    };
    queued_sources_add(w, i, CYCLE_NEVER, now);
    p->of[simd].count++;
    p->waiting++;
    c->paths |= 1u << w->part;
    w->queued.sending++;
    if (operand_path_next(c, w->part) <= now)
        begin_next(c, w->part, now);
}

cycle_t operand_path_entry_at(const struct cu *c, const struct cu_simd *s)
{
    const struct cu_queue *q = &s->queues.vmem;
    unsigned simd = (unsigned)(s - c->simd), waiting = c->path[simd / c->x->simds_per_part].of[place(c, simd)].count;

    return waiting < q->entries ? cu_queue_entry_at(q, waiting) : 0;
}

cycle_t operand_path_free_at(const struct cu *c, const struct cu_simd *s)
{
    const struct cu_queue *q = &s->queues.vmem;
    unsigned simd = (unsigned)(s - c->simd), part = simd / c->x->simds_per_part;

    /* without a queue an instruction is kept by what waits here alone */
    if (c->path[part].of[place(c, simd)].count >= (q->entries ? q->entries : CU_QUEUE_MAX))
        return operand_path_next(c, part);
    return operand_path_entry_at(c, s);
}
