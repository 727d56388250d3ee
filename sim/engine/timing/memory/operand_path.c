/* VMEM operand read path: rotation over SIMDs, and the cycle at which each instruction's registers begin to leave. */
#include "sim/engine/timing/memory/operand_path.h"

#include "sim/engine/timing/cu/cu.h"

_Static_assert((int)OPERAND_PATH_SIMDS >= (int)CU_MAX_SIMDS, "a part may have all SIMDs of a CU");

static unsigned place(const struct cu *c, unsigned simd)
{
    return simd % c->x->simds_per_part;
}

cycle_t operand_path_next(const struct cu *c, unsigned part)
{
    const struct operand_path *p = &c->path[part];
    const struct operand_path_entry *next = &p->of[p->simd].entry[p->of[p->simd].first];
    cycle_t unit = p->waiting && next->has_data ? cu_queue_free_at(&p->unit) : 0;

    return cu_later(p->free, unit ? unit + c->x->profile->queue.vmem_unit_cycles : 0);
}

/* Whether the path goes on with p->simd after its instruction e, whatever the other SIMDs have. */
static bool goes_on(const struct operand_path *p, const struct operand_path_entry *e, uint32_t burst)
{
    return p->of[p->simd].count && (e->clause == IN_CLAUSE || (e->clause == NO_CLAUSE && p->sent < burst));
}

/* Chooses the SIMD to serve after instruction e of p->simd. */
static void choose_simd(const struct cu *c, struct operand_path *p, const struct operand_path_entry *e)
{
    uint32_t simds = c->x->simds_per_part, burst = c->x->profile->queue.vmem_burst_registers;
    unsigned next = p->simd;

    p->sent += e->slots;
    if (goes_on(p, e, burst))
        return;
    do
        next = next + 1 == simds ? 0 : next + 1;
    while (!p->of[next].count && next != p->simd);
    if (next != p->simd || p->sent >= burst || e->clause == ENDS_CLAUSE)
        p->sent = 0;
    p->simd = (uint8_t)next;
}

static void begin_next(struct cu *c, unsigned part, cycle_t at)
{
    const struct profile_queue *q = &c->x->profile->queue;
    struct operand_path *p = &c->path[part];
    struct cu_queues *of = &c->simd[part * c->x->simds_per_part + p->simd].queues;
    struct operand_path_entry *e = &p->of[p->simd].entry[p->of[p->simd].first];
    cycle_t until = at + e->slots + q->memory_release_cycles, read = at + e->slots + q->vmem_send_cycles;

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
    choose_simd(c, p, e);
}

void operand_path_advance(struct cu *c, unsigned part, cycle_t now)
{
    while (c->path[part].waiting && operand_path_next(c, part) <= now)
        begin_next(c, part, operand_path_next(c, part));
}

void operand_path_enter(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done, cycle_t now)
{
    struct operand_path *p = &c->path[w->part];
    unsigned simd = place(c, w->simd), n;

    operand_path_advance(c, w->part, now);
    if (!p->waiting && p->simd != simd) {
        p->simd = (uint8_t)simd;
        p->sent = 0;
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
