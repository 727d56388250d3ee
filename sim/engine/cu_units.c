#include "sim/engine/cu_units.h"

#include <inttypes.h>
#include <stdio.h>

bool cu_line_queue_init(struct cu_line_queue *q, struct arena *arena, const struct cu_memory *memory, uint32_t cu,
                        enum mem_port_kind port, uint32_t depth, uint32_t max_lines, uint32_t rate)
{
    *q = (struct cu_line_queue){.depth = depth, .rate = rate, .cu = cu, .port = port, .memory = memory};
    return fifo_init_arena(&q->lines, arena, sizeof(struct cu_line), depth * max_lines);
}

void cu_line_queue_accept(struct cu_line_queue *q, cycle_t now, uint32_t cycles)
{
    assert(q->held < q->depth);
    q->held++;
    q->intake_free = now + cycles;
}

void cu_line_queue_push(struct cu_line_queue *q, const struct mem_req *req, bool last)
{
    struct cu_line *l = fifo_push(&q->lines);

    l->req = *req;
    l->last = last;
}

cycle_t cu_line_queue_tick(struct cu_line_queue *q, cycle_t now, bool *freed)
{
    for (uint32_t n = 0; n < q->rate; n++) {
        const struct cu_line *l = fifo_front(&q->lines);

        if (!l)
            return CYCLE_NEVER;
        if (l->from > now)
            return l->from;
        if (!q->memory->can_accept(q->memory->ctx, q->cu, q->port, l->req.addr)) {
            if (!q->memory->await_room)
                break;
            q->memory->await_room(q->memory->ctx, q->cu, q->port);
            q->refused = true;
            return CYCLE_NEVER;
        }
        q->memory->accept(q->memory->ctx, q->cu, q->port, &l->req, now);
        if (l->last) {
            q->held--;
            *freed = true;
        }
        fifo_pop(&q->lines);
    }
    return fifo_is_idle(&q->lines) ? CYCLE_NEVER : now + 1;
}

static cycle_t later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

cycle_t cu_lds_port_accept(struct cu_lds_port *p, uint32_t depth, cycle_t now, uint64_t payload, uint32_t latency,
                           const struct lds_cost *cost)
{
    uint32_t conflicts = cost->conflict_cycles + cost->addr_conflict_cycles;
    cycle_t in = now, bank, out, ready;

    assert(depth < CU_LDS_QUEUE);
    if (!depth)
        return pipe_accept_as(&p->pipe, now, payload, latency + conflicts, cost->cycles);
    in = later(now, p->in_free);
    bank = later(in, p->bank_free);
    out = later(bank, p->out_free);
    p->in_free = in + cost->in_cycles;
    p->bank_free = bank + cost->bank_cycles;
    p->out_free = out + cost->out_cycles;
    ready = pipe_accept_as(&p->pipe, now, payload, (uint32_t)(out - now) + latency + conflicts, 1);
    p->start[p->accepted++ % CU_LDS_QUEUE] = in;
    /* the next one may come when the depth-th last has left the queue */
    if (p->accepted >= depth)
        p->pipe.free_at = later(p->pipe.free_at, p->start[(p->accepted - depth) % CU_LDS_QUEUE]);
    return ready;
}

void cu_line_queue_hold(struct cu_line_queue *q, uint32_t count, cycle_t from)
{
    for (uint32_t k = q->lines.count - count; k < q->lines.count; k++)
        ((struct cu_line *)fifo_at(&q->lines, k))->from = from;
}

int cu_units_dump(const struct cu_line_queue *q, const struct cu_lds_port *l, const struct cu_fetch_unit *f, char *buf,
                  size_t size)
{
    return snprintf(buf, size,
                    "lines %" PRIu32 " of %" PRIu32 " instructions, lds in flight %" PRIu32 ", fetch wanted %#" PRIx64,
                    q->lines.count, q->held, l->pipe.slots.count, f->want);
}
