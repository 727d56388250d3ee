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
        if (!q->memory->can_accept(q->memory->ctx, q->cu, q->port, l->req.addr))
            break;
        q->memory->accept(q->memory->ctx, q->cu, q->port, &l->req, now);
        if (l->last) {
            q->held--;
            *freed = true;
        }
        fifo_pop(&q->lines);
    }
    return fifo_is_idle(&q->lines) ? CYCLE_NEVER : now + 1;
}

int cu_units_dump(const struct cu_line_queue *q, const struct cu_lds_port *l, const struct cu_fetch_unit *f, char *buf,
                  size_t size)
{
    return snprintf(buf, size,
                    "lines %" PRIu32 " of %" PRIu32 " instructions, lds in flight %" PRIu32 ", fetch wanted %#" PRIx64,
                    q->lines.count, q->held, l->pipe.slots.count, f->want);
}
