/* The small units of a CU: queues of line requests towards memory, and LDS ports with their stages. */
#include "sim/engine/timing/cu/units.h"

#include <inttypes.h>
#include <stdio.h>

bool cu_line_queue_init(struct cu_line_queue *q, struct arena *arena, const struct cu_memory *memory, uint32_t cu,
                        enum mem_port_kind port, uint32_t depth, uint32_t lines, uint32_t rate)
{
    *q = (struct cu_line_queue){
        .out = {.rate = rate}, .capacity = lines, .depth = depth, .cu = cu, .port = port, .memory = memory};
    return line_entries_init(&q->out.lines, arena, lines) && line_insts_init(&q->out.insts, arena, depth);
}

void cu_line_queue_accept(struct cu_line_queue *q, const struct line_inst *inst, cycle_t now, uint32_t cycles,
                          uint32_t passes)
{
    assert(q->held < q->depth);
    *line_insts_push(&q->out.insts, q->depth) = *inst;
    q->held += passes;
    q->entry_cycles -= passes * now;
    if (q->held >= q->depth)
        q->full_cycles -= now;
    q->intake_free = now + cycles;
    if (inst->control) {
        q->unshared++;
        q->out.taken = false;
    }
}

static struct line_inst *youngest(const struct cu_line_queue *q)
{
    return line_insts_at(&q->out.insts, q->out.insts.count - 1);
}

void cu_line_queue_push(struct cu_line_queue *q, const struct line_entry *line)
{
    *line_entries_push(&q->out.lines, q->capacity) = *line;
    youngest(q)->lines++;
}

/* False when the memory has no credit for it. */
static bool send(const struct cu_line_queue *q, cycle_t now)
{
    const struct line_entry *l = line_entries_front(&q->out.lines);
    const struct line_inst *i = line_insts_front(&q->out.insts);
    const struct cu_memory *m = q->memory;
    enum mem_port_kind port = (enum mem_port_kind)i->port;

    if (i->control)
        return m->control(m->ctx, q->cu, port, i->invalidate, i->write_back, i->token, now);
    if (!m->can_accept(m->ctx, q->cu, port, l->addr))
        return false;
    const struct mem_req req = line_queue_request(i, l, 0);
    m->accept(m->ctx, q->cu, port, &req, now);
    return true;
}

void cu_line_queue_sent(struct cu_line_queue *q, cycle_t now)
{
    if (q->held == q->depth)
        q->full_cycles += now;
    q->entry_cycles += now;
    q->held--;
}

/* Whether the memory may take what is in the queue: lines alone, for the port that the queue is named after. */
static bool may_be_taken(const struct cu_line_queue *q)
{
    return q->memory->take_lines && q->port == MEM_PORT_VECTOR && !q->unshared;
}

/* The cycle in which what the memory has refused is offered again. */
static cycle_t refused(struct cu_line_queue *q, cycle_t now)
{
    const struct line_inst *i = line_insts_front(&q->out.insts);

    if (i->control || !q->memory->await_credit)
        return now + 1;
    q->memory->await_credit(q->memory->ctx, q->cu, (enum mem_port_kind)i->port);
    q->awaits_credit = true;
    return CYCLE_NEVER;
}

cycle_t cu_line_queue_tick(struct cu_line_queue *q, cycle_t now, bool *freed)
{
    struct line_queue *out = &q->out;
    bool accepted = true;
    cycle_t due = now;

    for (uint32_t n = 0; n < out->rate && out->lines.count; n++) {
        due = line_queue_due(out);
        if (due > now || !(accepted = send(q, now)))
            break;
        q->unshared -= line_insts_front(&out->insts)->control;
        if (line_queue_pop(out)) {
            cu_line_queue_sent(q, now);
            *freed = true;
        }
    }
    if (!out->lines.count)
        return CYCLE_NEVER;
    if (may_be_taken(q)) {
        q->memory->take_lines(q->memory->ctx, q->cu, out, now + 1);
        return CYCLE_NEVER;
    }
    if (!accepted)
        return refused(q, now);
    return due > now ? due : now + 1;
}

void cu_lds_side_init(struct cu_lds_side *s, uint32_t registers, uint32_t gap)
{
    *s = (struct cu_lds_side){.gap = gap};
    cu_queue_init(&s->registers, registers, s->register_entries);
}

cycle_t cu_lds_port_accept(struct cu_lds_port *p, struct cu_lds_side *side, uint32_t depth, cycle_t now,
                           uint64_t payload, uint32_t latency, uint32_t registers, const struct lds_cost *cost)
{
    const uint32_t busy[LDS_STAGES] = {cost->in_cycles, cost->bank_cycles, cost->out_cycles};
    uint32_t conflicts = cost->conflict_cycles + cost->addr_conflict_cycles, n = p->accepted;
    cycle_t at = now, ready, taken = 0;

    assert(depth < CU_LDS_QUEUE);
    if (!depth)
        return pipe_accept(&p->pipe, now, payload, latency + conflicts, cost->cycles);
    p->accepted++;
    for (unsigned k = 0; k < LDS_STAGES; k++) {
        at = cu_later(at, p->free[k]);
        /* the queue before the next stage has a free entry when the depth-th last has left it */
        if (k + 1 < LDS_STAGES && n >= depth)
            at = cu_later(at, p->start[k + 1][(n - depth) % CU_LDS_QUEUE]);
        p->start[k][n % CU_LDS_QUEUE] = at;
        p->free[k] = at + busy[k];
        taken = k == LDS_IN ? p->free[k] : taken;
    }
    if (busy[LDS_OUT]) {
        at = cu_later(at, side->result_free);
        side->result_free = at + busy[LDS_OUT] + side->gap;
    }
    ready = pipe_accept(&p->pipe, now, payload, (uint32_t)(at - now) + latency + conflicts, 1);
    if (p->accepted >= depth)
        p->pipe.free_at = cu_later(p->pipe.free_at, p->start[LDS_IN][(p->accepted - depth) % CU_LDS_QUEUE]);
    for (uint32_t k = 0; k < registers; k++)
        cu_queue_put(&side->registers, taken + 1);
    return ready;
}

void cu_line_queue_address(struct cu_line_queue *q, cycle_t from, uint32_t cycles, uint32_t lookups)
{
    from = cu_later(from, q->unit_free);
    q->unit_free = from + cycles;
    from = cu_later(from, q->lookup_free);
    q->lookup_free = from + lookups;
    youngest(q)->from = from;
}
