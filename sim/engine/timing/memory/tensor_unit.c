/* Models the tensor unit: which lines a transfer asks for, when they are sent, and what its completion does. */
#include "sim/engine/timing/memory/tensor_unit.h"

#include "sim/engine/timing/cu/cu.h"

enum {
    ENTRIES = 32, /* config/rows.c allows no more */
    BATCH = 16,   /* lines that are worked out at a time: tensor.lines_per_cycle at most */
};

struct transfer {
    struct isa_tensor whole, rest; /* rest: what is to be asked for still */
    struct isa_tensor_part part;   /* its pieces from `piece` on have yet to be asked for */
    unsigned piece;
    bool has_line; /* the line that was met last is still to be sent */
    gaddr_t line;
    uint16_t line_bytes;
    uint16_t op;
    uint8_t memory_op;
    struct mem_hint hint;
    cycle_t from; /* not before */
};

struct tensor_unit {
    struct cu_line_queue lines;
    struct cu_memory memory; /* as the CU's, but it takes no lines by itself */
    uint32_t part, entries, setup_cycles, line_size;
    uint32_t used;          /* entries, a bit each */
    uint8_t order[ENTRIES]; /* ring of those that have lines to send */
    uint32_t first, count;
    struct transfer transfer[ENTRIES];
};

struct tensor_unit *tensor_unit_new(const struct cu *c, uint32_t part, struct arena *arena)
{
    struct tensor_unit *u = ARENA_NEW(arena, 1, struct tensor_unit);
    const struct profile_tensor *p = &c->x->profile->tensor;

    if (!u)
        return NULL;
    u->memory = c->x->memory;
    u->memory.take_lines = NULL;
    u->part = part;
    u->entries = p->entries;
    u->setup_cycles = p->setup_cycles;
    u->line_size = c->x->vector_line_bytes;
    return cu_line_queue_init(&u->lines, arena, &u->memory, c->index * c->x->parts + part, MEM_PORT_VECTOR, 2,
                              2 * BATCH, p->lines_per_cycle)
               ? u
               : NULL;
}

bool tensor_unit_has_entry(const struct tensor_unit *u)
{
    return (uint32_t)__builtin_popcount(u->used) < u->entries;
}

void tensor_unit_accept(struct tensor_unit *u, struct cu *c, const struct cu_wave *w, uint16_t op, cycle_t now)
{
    unsigned k = (unsigned)__builtin_ctz(~u->used);
    struct transfer *t = &u->transfer[k];

    assert(tensor_unit_has_entry(u) && w->part == u->part);
    u->used |= UINT32_C(1) << k;
    *t = (struct transfer){.whole = c->fx.tensor,
                           .rest = c->fx.tensor,
                           .op = op,
                           .memory_op = c->fx.op,
                           .hint = c->fx.hint,
                           .from = now + u->setup_cycles};
    c->op[op].tensor = (uint8_t)(k + 1);
    c->op[op].pending++; /* until all of its lines have been sent */
    if (!u->count++) {
        c->vmem[u->part].unshared++;
        c->vmem[u->part].out.taken = false;
    }
    u->order[(u->first + u->count - 1) % ENTRIES] = (uint8_t)k;
    cu_wake_at(c, t->from);
}

/* The next line of t, whose elements in it follow one another; false: there is none. */
static bool next_line(const struct tensor_unit *u, struct transfer *t, gaddr_t *line, uint16_t *bytes)
{
    const struct isa_tensor_part *p = &t->part;

    for (;;) {
        for (; t->piece < ISA_TENSOR_LANES && p->memory_lanes >> t->piece; t->piece++) {
            gaddr_t at = p->memory[t->piece], first = at & -(gaddr_t)u->line_size;
            uint32_t here = (uint32_t)(first + u->line_size - at);

            if (!(p->memory_lanes >> t->piece & 1))
                continue;
            if (t->has_line && first != t->line) {
                *line = t->line;
                *bytes = t->line_bytes;
                t->has_line = false;
                return true;
            }
            t->line = first;
            t->line_bytes = (uint16_t)((t->has_line ? t->line_bytes : 0) + (p->bytes < here ? p->bytes : here));
            if (t->line_bytes > u->line_size)
                t->line_bytes = (uint16_t)u->line_size;
            t->has_line = true;
            if (p->bytes > here) { /* a piece that lies in two lines: its rest is the next one */
                *line = t->line;
                *bytes = t->line_bytes;
                t->line = first + u->line_size;
                t->line_bytes = (uint16_t)(p->bytes - here);
                t->piece++;
                return true;
            }
        }
        if (!isa_tensor_next(&t->rest, &t->part))
            break;
        t->piece = 0;
    }
    *line = t->line;
    *bytes = t->line_bytes;
    bool any = t->has_line;
    t->has_line = false;
    return any;
}

static void count_line(const struct cu *c, const struct timing_info *i, uint16_t bytes)
{
    i->counts[c->x->thread].stat[STAT_INST_LINES]++;
    i->counts[c->x->thread].stat[STAT_INST_BYTES] += bytes;
}

/* Puts the next lines of t into the queue. False: there are no more. */
static bool fill(struct tensor_unit *u, struct cu *c, struct transfer *t, cycle_t now)
{
    const struct line_inst inst = {
        .token = t->op, .from = now, .op = t->memory_op, .hint = t->hint, .port = MEM_PORT_VECTOR};
    struct line_entry e[BATCH];
    uint32_t n = 0, batch = BATCH / u->lines.out.rate * u->lines.out.rate;

    while (n < batch && next_line(u, t, &e[n].addr, &e[n].bytes))
        n++;
    if (!n)
        return false;
    cu_line_queue_accept(&u->lines, &inst, now, 0, 1);
    for (uint32_t k = 0; k < n; k++) {
        e[k].after = 0;
        e[k].last = k + 1 == n;
        cu_line_queue_push(&u->lines, &e[k]);
        count_line(c, c->op[t->op].info, e[k].bytes);
    }
    c->op[t->op].pending = (uint16_t)(c->op[t->op].pending + n);
    return true;
}

/* The oldest transfer has sent all of its lines. */
static void leave(struct tensor_unit *u, struct cu *c, cycle_t now)
{
    const struct transfer *t = &u->transfer[u->order[u->first]];

    u->first = (u->first + 1) % ENTRIES;
    if (!--u->count)
        c->vmem[u->part].unshared--;
    cu_op_done(c, t->op, now);
}

cycle_t tensor_unit_tick(struct tensor_unit *u, struct cu *c, cycle_t now)
{
    bool freed = false;
    cycle_t next = CYCLE_NEVER;

    while (u->count && !u->lines.out.lines.count) {
        struct transfer *t = &u->transfer[u->order[u->first]];

        if (t->from > now)
            return t->from;
        if (fill(u, c, t, now))
            break;
        leave(u, c, now);
    }
    /* who waits for a credit asks again in a check, which must change nothing */
    if (u->lines.out.lines.count && (!u->lines.awaits_credit || c->x->check))
        next = cu_line_queue_tick(&u->lines, now, &freed);
    return u->lines.out.lines.count || !u->count ? next : now + 1;
}

void tensor_unit_credit(struct tensor_unit *u)
{
    u->lines.awaits_credit = false;
}

void tensor_unit_complete(struct tensor_unit *u, struct cu *c, struct cu_wave *w, const struct cu_op *op, cycle_t now)
{
    unsigned k = op->tensor - 1u;
    const struct transfer *t = &u->transfer[k];

    u->used &= ~(UINT32_C(1) << k);
    cu_entry_freed(c, u->part, now);
    cu_wake_at(c, c->issue_at);
    switch (isa_tensor_complete(w->isa, &w->d->env, op->info->pc, &t->whole)) {
    case ISA_FAULT:
        cu_stop(c, w, ISA_FAULT, now);
        break;
    case ISA_WAKEUP:
        cu_group_wake(c, w, now);
        break;
    default:
        break;
    }
}
