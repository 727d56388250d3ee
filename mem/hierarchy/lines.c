/* Queues of lines that an entrance of the near side empties by itself (mem/line_queue.h).
 *
 * The cache of a vector port has no other requester. Whether it accepts a line therefore changes in its own ticks
 * alone, and it looks at one that it has accepted in the cycle after. So the offers of a cycle are made when the cache
 * is ticked next: first of all then, as if in the cycles before. The unit wakes in the cycle of an offer, so that its
 * group has work then, and in the one after, unless its cache has refused the line; what lets it accept again is a tick
 * of the cache, or a completion.
 */
#include "mem/hierarchy/internal.h"

/* Makes the offers of a cycle in which one is due. The wake of the unit covers what accepted lines give it to do. */
static void make_offers(struct unit *x, struct line_queue *q, cycle_t now)
{
    const struct hierarchy *h = x->h;
    struct cu_port *p = &h->port[x->first_cu * MEM_PORTS + MEM_PORT_VECTOR];
    struct cache *c = x->cache;

    q->refused = false;
    for (uint32_t n = 0; n < q->rate && q->taken; n++) {
        const struct line_entry *l = line_entries_front(&q->lines);
        const struct line_inst *i = line_insts_front(&q->insts);
        uint32_t channel = cache_channel(c, l->addr);

        if (i->from + l->after > now) {
            q->offer_at = i->from + l->after;
            return;
        }
        q->refused = p->outstanding >= h->cfg.max_outstanding || !cache_channel_can_accept(c, channel);
        if (q->refused)
            break;
        const struct mem_req req = line_queue_request(i, l, (uint16_t)x->first_cu);
        p->outstanding += req.token != MEM_TOKEN_NONE;
        cache_channel_accept(c, channel, &req, now);
        if (x->translates)
            hierarchy_translate(x, channel, &req, now);
        if (line_queue_pop(q))
            h->sink.sent(h->sink.ctx, x->first_cu, now);
        q->taken = q->lines.count != 0;
    }
    q->offer_at = now + 1;
}

/* Makes the offers of the cycles before `end`. */
static ALWAYS_INLINE void offer_lines(struct unit *x, cycle_t end)
{
    struct line_queue *q = x->lines;

    while (q->taken && q->offer_at < end) {
        make_offers(x, q, q->offer_at);
        if (q->refused)
            q->offer_at = end; /* nothing frees an entry before */
    }
    if (!q->taken)
        x->lines = NULL;
}

ALWAYS_INLINE cycle_t hierarchy_tick_with_lines(struct unit *x, cycle_t now)
{
    const struct line_queue *q = x->lines;
    cycle_t next, offer;

    offer_lines(x, now);
    next = cache_tick(x->cache, now);
    if (!x->lines || (q->refused && !cache_freed_entry(x->cache)))
        return next;
    offer = q->offer_at > now ? q->offer_at : now + 1;
    return offer < next ? offer : next;
}

void hierarchy_take_lines(struct hierarchy *h, uint32_t cu, struct line_queue *q, cycle_t from)
{
    struct unit *x = &h->unit[h->port[cu * MEM_PORTS + MEM_PORT_VECTOR].unit];
    cycle_t due = line_queue_due(q);

    assert(x->cus == 1 && x->level == LEVEL_VL0 && h->sink.sent);
    x->lines = q;
    x->pending = q->pending;
    x->pending_bytes = q->pending_bytes;
    q->taken = true;
    q->refused = false;
    q->offer_at = due > from ? due : from;
    wake_unit(h, x->index, q->offer_at);
}

void hierarchy_reach_lines(struct hierarchy *h, uint32_t cu, cycle_t end)
{
    struct unit *x = &h->unit[h->port[cu * MEM_PORTS + MEM_PORT_VECTOR].unit];

    if (x->lines)
        offer_lines(x, end);
}

void hierarchy_forget_lines(struct hierarchy *h)
{
    for (uint32_t u = h->far.units; u < h->live_units; u++) {
        h->unit[u].lines = NULL;
        h->unit[u].pending = NULL;
    }
}
