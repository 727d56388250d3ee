/* Lines of memory instructions on their way to a cache: a queue that its owner fills, instruction by instruction, and
 * that a cache which serves nobody else empties by itself.
 *
 * Up to `rate` lines are offered in each cycle, in order, none before the cycle that its instruction names. A refused
 * line is offered again in the next cycle. As long as `taken` is set the memory makes the offers
 * (hierarchy_take_lines()): those of a cycle when it next looks at the cache, which is before anybody can see a
 * difference. Otherwise the owner does, with can_accept and accept in each cycle. Either way the lines go in the same
 * cycles.
 *
 * An entry may be something else than lines: a cache control. The memory must not find one, because it acts on other
 * caches than that of the lines, so its cycle cannot wait: an owner with a control in the queue makes the offers.
 */
#ifndef GCNSIM_MEM_LINE_QUEUE_H
#define GCNSIM_MEM_LINE_QUEUE_H

#include "mem/req.h"
#include "sim/util/fifo.h"

struct line_entry {
    gaddr_t addr;
    uint32_t after; /* cycles from that of its instruction on */
    uint16_t bytes;
    bool last; /* the owner is informed when it has gone: the last of its instruction, or of a pass of a block
                  instruction */
};
FIFO_OF(line_entries, struct line_entry)

/* What the lines of an instruction share. */
struct line_inst {
    uint64_t token;
    cycle_t from;   /* lines are offered in this cycle or later; any past one: at once */
    uint32_t lines; /* in the queue */
    uint8_t op;
    struct mem_hint hint;
    uint8_t port; /* enum mem_port_kind */
    bool control; /* no requests: cache control of the levels in */
    uint8_t invalidate, write_back;
};
FIFO_OF(line_insts, struct line_inst)

struct line_queue {
    struct line_entries lines;
    struct line_insts insts;
    uint32_t rate;
    uint32_t pending_bytes; /* from one token's count to the next one's */
    uint16_t
        *pending; /* completions to come of each token; once lines are taken, the owner is informed of the last alone */
    bool taken;   /* the memory makes the offers; it ends that when there are no lines, the owner when it likes */
    bool refused; /* taken: the cache has refused the oldest line, and has freed no entry since */
    cycle_t offer_at; /* taken: offers before this cycle have been made */
};

static inline struct mem_req line_queue_request(const struct line_inst *i, const struct line_entry *l, uint16_t client)
{
    return (struct mem_req){
        .addr = l->addr, .token = i->token, .bytes = l->bytes, .client = client, .op = i->op, .hint = i->hint};
}

/* The cycle from which the oldest line may be offered; there is one. */
static inline cycle_t line_queue_due(const struct line_queue *f)
{
    return line_insts_front(&f->insts)->from + line_entries_front(&f->lines)->after;
}

/* The oldest line has gone; returns whether it was marked as the last. */
static inline bool line_queue_pop(struct line_queue *f)
{
    bool last = line_entries_front(&f->lines)->last;

    line_entries_pop(&f->lines);
    if (!--line_insts_front(&f->insts)->lines)
        line_insts_pop(&f->insts);
    return last;
}

#endif
