/* The far side: takes what the links bring, when its address is translated and its channel has room. */
#include "mem/hierarchy/internal.h"

/* The link's oldest entry is to be looked at in cycle `at`, which is not over. */
static void schedule(struct hierarchy *h, uint32_t link, cycle_t at)
{
    struct far_side *f = &h->far;

    assert(at >= f->done && at < f->done + WHEEL_CYCLES);
    h->link[link].known = true;
    h->link[link].next = f->wheel[at % WHEEL_CYCLES];
    f->wheel[at % WHEEL_CYCLES] = link + 1;
    f->scheduled++;
    if (at < f->next)
        f->next = at;
}

/* Takes notice of what the near side has sent. */
static void take_news(struct hierarchy *h)
{
    for (uint32_t n = 0; n < h->groups; n++) {
        struct near_group *g = &h->group[n];
        const struct ask *a;

        for (uint32_t k = 0; k < g->fresh_count; k++) {
            struct link *l = &h->link[g->fresh[k]];
            const struct link_entry *e = fifo_front(&l->queue);

            l->fresh = false;
            if (!l->known && e)
                schedule(h, g->fresh[k], e->at);
        }
        g->fresh_count = 0;
        a = fifo_front(&g->asks);
        if (a && a->at < h->far.asks_next)
            h->far.asks_next = a->at;
    }
    if (h->far.asks_next < h->far.next)
        h->far.next = h->far.asks_next;
}

/* A request without bytes: write everything back and say when it is done. */
static void flush(struct hierarchy *h, uint32_t l2, const struct mem_req *req, cycle_t now)
{
    struct flush *f = fifo_push(&h->unit[l2].flushes);

    *f = (struct flush){req->token, req->client};
    h->far.flushes++;
    cache_writeback(h->unit[l2].cache, now);
    wake_unit(h, l2, now + 1);
}

/* The link's oldest entry has been taken in this cycle; the one behind it is looked at in the next at the earliest. */
static void taken(struct hierarchy *h, uint32_t link, cycle_t now)
{
    struct link *l = &h->link[link];
    const struct link_entry *e;

    fifo_pop(&l->queue);
    l->known = false;
    e = fifo_front(&l->queue);
    if (e)
        schedule(h, link, e->at > now ? e->at : now + 1);
}

/* A link's oldest entry waits for room from now on. */
static void await_room(struct hierarchy *h, uint32_t link)
{
    struct far_side *f = &h->far;
    struct link *l = &h->link[link];
    const struct link_entry *e = fifo_front(&l->queue);
    uint32_t l2 = h->unit[l->unit].below;

    l->target = (l2 - f->first_l2) * f->channels + cache_channel(h->unit[l2].cache, e->req.addr);
    f->waiting[(size_t)l->target * f->words + link / 64] |= UINT64_C(1) << (link % 64);
    f->waiters[l->target]++;
    f->busy[l->target / 64] |= UINT64_C(1) << (l->target % 64);
}

/* What UTCL1s ask and has got here by now, in the order of groups, which no epoch changes. */
static void answer_asks(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    f->asks_next = CYCLE_NEVER;
    for (uint32_t n = 0; n < h->groups; n++) {
        struct fifo *asks = &h->group[n].asks;
        const struct ask *a;

        for (; (a = fifo_front(asks)) && a->at <= now; fifo_pop(asks))
            tlb2_lookup(&f->tlb2[h->unit[a->unit].below - f->first_l2], a->addr, a->reads, now);
        f->asks_next = a && a->at < f->asks_next ? a->at : f->asks_next;
    }
}

/* While pages are walked for: a link's oldest entry waits for room when its page is known, or comes back when it is. */
static void await_page(struct hierarchy *h, uint32_t link, cycle_t now)
{
    struct far_side *f = &h->far;
    struct link_entry *e = fifo_front(&h->link[link].queue);

    if (e->at <= now)
        e->at = tlb2_await(&f->tlb2[h->unit[h->link[link].unit].below - f->first_l2], e->req.addr, now);
    if (e->at <= now)
        await_room(h, link);
    else
        schedule(h, link, e->at < now + WHEEL_CYCLES ? e->at : now + WHEEL_CYCLES - 1);
}

/* The links whose oldest entry comes into view in this cycle wait for room from now on. What needs none, a write-back,
 * is not to wait for it: nobody would look at it again before there is some. */
static void arrive(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t k = f->wheel[now % WHEEL_CYCLES], next;

    f->wheel[now % WHEEL_CYCLES] = 0;
    for (; k; k = next) {
        struct link *l = &h->link[k - 1];
        const struct link_entry *e = fifo_front(&l->queue);
        uint32_t l2 = h->unit[l->unit].below;

        next = l->next;
        f->scheduled--;
        if (!e->req.bytes) {
            flush(h, l2, &e->req, now);
            taken(h, k - 1, now);
        } else if (now < f->tlb2[l2 - f->first_l2].quiet) {
            await_page(h, k - 1, now);
        } else {
            await_room(h, k - 1);
        }
    }
}

/* The first link of a mask from `from` on, around. */
static uint32_t first_from(const uint64_t *mask, uint32_t words, uint32_t from)
{
    uint64_t m = mask[from / 64] & ~UINT64_C(0) << from % 64;

    for (uint32_t w = from / 64; !m;) {
        w = w + 1 == words ? 0 : w + 1;
        m = mask[w];
        if (m)
            return w * 64 + (uint32_t)__builtin_ctzll(m);
    }
    return from / 64 * 64 + (uint32_t)__builtin_ctzll(m);
}

/* Tells those who wait that the cache has sent its last dirty line down. */
static void end_flushes(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    for (uint32_t u = f->first_l2; u < f->units; u++) {
        const struct flush *e;

        if (fifo_is_idle(&h->unit[u].flushes) || cache_is_writing_back(h->unit[u].cache))
            continue;
        while ((e = fifo_front(&h->unit[u].flushes))) {
            hierarchy_send_up(h, e->unit, e->id, CONTROL_LINK, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
            fifo_pop(&h->unit[u].flushes);
            f->flushes--;
        }
    }
}

/* Gives a channel of the far side what it has room for; who goes first rotates with the cycle. */
static void serve(struct hierarchy *h, uint32_t target, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t l2 = f->first_l2 + target / f->channels, from = (uint32_t)(now % h->links);
    uint64_t *mask = &f->waiting[(size_t)target * f->words];

    while (f->waiters[target]) {
        uint32_t k = first_from(mask, f->words, from);
        struct link *l = &h->link[k];
        const struct link_entry *e = fifo_front(&l->queue);

        if (!cache_can_accept(h->unit[l2].cache, e->req.addr))
            return;
        cache_accept(h->unit[l2].cache, &e->req, now);
        wake_unit(h, l2, now + 1);
        if (e->req.token == MEM_TOKEN_NONE)
            hierarchy_send_up(h, l->unit, 0, k, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
        mask[k / 64] &= ~(UINT64_C(1) << (k % 64));
        f->waiters[target]--;
        taken(h, k, now);
    }
    f->busy[target / 64] &= ~(UINT64_C(1) << (target % 64));
}

/* The far side takes what has been sent in this cycle, or is still waiting. */
static void take_down_entries(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    if (f->flushes)
        end_flushes(h, now);
    f->done = now;
    if (f->asks_next <= now)
        answer_asks(h, now);
    if (f->wheel[now % WHEEL_CYCLES])
        arrive(h, now);
    f->done = now + 1;
    for (uint32_t w = 0; w * 64 < f->targets; w++)
        for (uint64_t m = f->busy[w]; m; m &= m - 1)
            serve(h, w * 64 + (uint32_t)__builtin_ctzll(m), now);
    if (!hierarchy_dies_idle(h))
        hierarchy_dies_run(h, now);
}

/* What comes up travels between the levels, so that it is seen above in the cycle in which it arrives. */
static void tick_far_units(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    if (!has_roads(h)) {
        hierarchy_tick_units(h, 0, f->units, f->units, now);
        return;
    }
    hierarchy_tick_units(h, 0, f->first_l2, f->units, now);
    if (h->roads.fabric.next <= now)
        hierarchy_roads_run(h, f->first_l2 - 1, now);
    hierarchy_tick_units(h, f->first_l2, f->units, f->units, now);
    /* what takes no time */
    if (h->roads.fabric.next <= now)
        hierarchy_roads_run(h, f->units, now);
}

static void set_far_next(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    cycle_t next = f->asks_next;

    for (uint32_t u = 0; u < f->units; u++)
        next = h->unit[u].wake < next ? h->unit[u].wake : next;
    if (f->scheduled)
        for (cycle_t t = now + 1; t < next && t < now + WHEEL_CYCLES; t++)
            if (f->wheel[t % WHEEL_CYCLES])
                next = t;
    if (!hierarchy_dies_idle(h)) {
        cycle_t dies = hierarchy_dies_next(h, now);

        next = dies < next ? dies : next;
    }
    if (has_roads(h) && h->roads.fabric.next < next)
        next = h->roads.fabric.next;
    f->next = next;
}

void hierarchy_far_run(struct hierarchy *h, cycle_t from, cycle_t end)
{
    struct far_side *f = &h->far;

    assert(end - from < WHEEL_CYCLES && from >= f->done);
    f->done = from;
    take_news(h);
    for (cycle_t now = f->next < from || h->cfg.check_every_cycle ? from : f->next; now < end;) {
        tick_far_units(h, now);
        take_down_entries(h, now);
        set_far_next(h, now);
        now = h->cfg.check_every_cycle || f->next <= now ? now + 1 : f->next;
    }
    f->done = end;
}

cycle_t hierarchy_far_next(const struct hierarchy *h)
{
    return h->far.next;
}

cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now)
{
    assert(now <= hierarchy_next(h));
    if (now < hierarchy_next(h) && !h->cfg.check_every_cycle)
        return hierarchy_next(h);
    tick_far_units(h, now);
    for (uint32_t n = 0; n < h->groups; n++)
        if (h->group[n].next <= now || h->cfg.check_every_cycle)
            hierarchy_near_tick(h, n, now);
    h->far.done = now;
    take_news(h);
    take_down_entries(h, now);
    set_far_next(h, now);
    return hierarchy_next(h);
}

cycle_t hierarchy_next(const struct hierarchy *h)
{
    cycle_t next = h->far.next;

    for (uint32_t n = 0; n < h->groups; n++)
        next = h->group[n].next < next ? h->group[n].next : next;
    return next;
}
