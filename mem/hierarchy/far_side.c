/* The far side of the memory hierarchy: L2, MALL and DRAM, shared by all groups of CUs. It accepts the requests of the
 * links when their address is translated and their channel has a free entry.
 */
#include "mem/hierarchy/internal.h"

/* Puts a link on the wheel: its oldest entry is to be looked at in cycle `at`, which is not over. */
static void schedule(struct hierarchy *h, uint32_t link, cycle_t at)
{
    struct far_side *f = &h->far;

    assert(at >= f->done && at < f->done + WHEEL_CYCLES);
    f->link[link].tracked = true;
    f->link[link].next = f->wheel[at % WHEEL_CYCLES];
    f->wheel[at % WHEEL_CYCLES] = link + 1;
    f->scheduled++;
    if (at < f->next)
        f->next = at;
}

static bool is_later(const struct utcl1_miss *a, const struct utcl1_miss *b)
{
    return a->at > b->at || (a->at == b->at && a->unit > b->unit);
}

/* Misses of an entrance are on their way for longer than others, and may be sent a cycle late (lines.c). */
static void take_miss(struct fifo *misses, const struct utcl1_miss *m)
{
    struct utcl1_miss *at = fifo_push(misses), *before;

    for (uint32_t k = misses->count - 1; k && is_later(before = fifo_at(misses, k - 1), m); k--) {
        *at = *before;
        at = before;
    }
    *at = *m;
}

/* Takes in what a group has sent in a half of an epoch. */
static void take_down(struct hierarchy *h, uint32_t group, uint32_t half)
{
    struct far_side *f = &h->far;
    struct down_box *box = &h->group[group].down[half];
    const struct utcl1_miss *first;

    for (uint32_t k = 0; k < box->entries; k++) {
        uint32_t link = box->entry[k].link;

        *link_entries_push(&f->link[link].queue, f->link[link].capacity) = box->entry[k].e;
        if (!f->link[link].tracked)
            schedule(h, link, box->entry[k].e.at);
    }
    for (uint32_t k = 0; k < box->misses; k++)
        take_miss(&f->misses[group], &box->miss[k]);
    first = fifo_front(&f->misses[group]);
    if (first && first->at < f->misses_next)
        f->misses_next = first->at;
    if (f->misses_next < f->next)
        f->next = f->misses_next;
    box->entries = box->misses = 0;
}

/* Has an L2 write back what is dirty, for all who wait for that. */
static void begin_write_back(struct hierarchy *h, struct unit *u, cycle_t now)
{
    u->served = u->flushes.count;
    u->found = now + (h->cfg.write_back_cycles ? h->cfg.write_back_cycles : 1);
    h->far.flushes_next = u->found < h->far.flushes_next ? u->found : h->far.flushes_next;
    cache_writeback(u->cache, now);
    wake_unit(h, u->index, now + 1);
}

/* A request without bytes: the cache writes every dirty line back and reports the end. One that comes while it does so
 * waits for the next time: lines that were looked at may have become dirty again. */
static void flush(struct hierarchy *h, uint32_t l2, const struct mem_req *req, cycle_t now)
{
    struct flush *f = fifo_push(&h->unit[l2].flushes);

    *f = (struct flush){req->token, req->client};
    h->far.flushes++;
    if (!h->unit[l2].served)
        begin_write_back(h, &h->unit[l2], now);
}

/* The link's oldest entry has been accepted in this cycle; the next one is looked at in the next cycle at the earliest.
 */
static void entry_taken(struct hierarchy *h, uint32_t link, cycle_t now)
{
    struct far_link *l = &h->far.link[link];
    const struct link_entry *e;

    link_entries_pop(&l->queue);
    l->tracked = false;
    e = link_entries_front(&l->queue);
    if (e)
        schedule(h, link, e->at > now ? e->at : now + 1);
}

/* The link's oldest entry waits for a free entry of its channel from now on. */
static void queue_at_channel(struct hierarchy *h, uint32_t link)
{
    struct far_side *f = &h->far;
    struct far_link *l = &f->link[link];
    const struct link_entry *e = link_entries_front(&l->queue);
    uint32_t target;

    l->channel = cache_channel(h->unit[l->l2].cache, e->req.addr);
    target = (l->l2 - f->first_l2) * f->channels + l->channel;
    f->waiting[(size_t)target * f->words + link / 64] |= UINT64_C(1) << (link % 64);
    f->waiters[target]++;
    f->busy[target / 64] |= UINT64_C(1) << (target % 64);
}

/* Serves the UTCL1 misses that have arrived, in the order of groups, which epochs do not change. */
static void serve_misses(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    f->misses_next = CYCLE_NEVER;
    for (uint32_t n = 0; n < h->live_groups; n++) {
        struct fifo *misses = &f->misses[n];
        const struct utcl1_miss *a;

        for (; (a = fifo_front(misses)) && a->at <= now; fifo_pop(misses))
            utcl2_lookup(&f->utcl2[h->unit[a->unit].below - f->first_l2], a->addr, a->reads, now);
        f->misses_next = a && a->at < f->misses_next ? a->at : f->misses_next;
    }
}

/* While page walks are in flight: the link's oldest entry waits at its channel when its page is translated, else it is
 * looked at again when it is. */
static void await_page(struct hierarchy *h, uint32_t link, cycle_t now)
{
    struct far_side *f = &h->far;
    struct link_entry *e = link_entries_front(&f->link[link].queue);

    if (e->at <= now)
        e->at = utcl2_await(&f->utcl2[f->link[link].l2 - f->first_l2], e->req.addr, now);
    if (e->at <= now)
        queue_at_channel(h, link);
    else
        schedule(h, link, e->at < now + WHEEL_CYCLES ? e->at : now + WHEEL_CYCLES - 1);
}

/* Looks at the links that are due in this cycle: their oldest entry waits at its channel from now on. A write-back
 * needs no entry there and must not wait for one, since nobody would look at it again before one is free. */
static void arrive(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t k = f->wheel[now % WHEEL_CYCLES], next;

    f->wheel[now % WHEEL_CYCLES] = 0;
    for (; k; k = next) {
        struct far_link *l = &f->link[k - 1];
        const struct link_entry *e = link_entries_front(&l->queue);

        next = l->next;
        f->scheduled--;
        if (!e->req.bytes) {
            flush(h, l->l2, &e->req, now);
            entry_taken(h, k - 1, now);
        } else if (now < f->utcl2[l->l2 - f->first_l2].reads_done) {
            await_page(h, k - 1, now);
        } else {
            queue_at_channel(h, k - 1);
        }
    }
}

/* The first link of a mask from `from` on, wrapping around. */
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

/* Reports to those who wait that the cache has sent its last dirty line down. */
static void end_write_back(struct hierarchy *h, struct unit *u, cycle_t now)
{
    for (; u->served; u->served--) {
        const struct flush *e = fifo_front(&u->flushes);

        hierarchy_send_up(h, e->unit, e->id, CONTROL_LINK, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
        fifo_pop(&u->flushes);
        h->far.flushes--;
    }
    if (u->flushes.count)
        begin_write_back(h, u, now);
}

static void end_flushes(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    f->flushes_next = CYCLE_NEVER;
    for (uint32_t k = f->first_l2; k < f->units; k++) {
        struct unit *u = &h->unit[k];

        if (u->served && u->found <= now && !cache_is_writing_back(u->cache))
            end_write_back(h, u, now);
        if (u->served && u->found > now && u->found < f->flushes_next)
            f->flushes_next = u->found;
    }
}

/* A channel of the far side accepts as many waiting entries as it has free ones, those of link `from` first. */
static void serve(struct hierarchy *h, uint32_t target, uint32_t from, cycle_t now)
{
    struct far_side *f = &h->far;
    uint64_t *mask = &f->waiting[(size_t)target * f->words];

    while (f->waiters[target]) {
        uint32_t k = first_from(mask, f->words, from);
        struct far_link *l = &f->link[k];
        const struct mem_req *req = &link_entries_front(&l->queue)->req;
        struct cache *l2 = h->unit[l->l2].cache;

        if (!cache_channel_can_accept(l2, l->channel))
            return;
        wake_unit(h, l->l2, cache_channel_accept(l2, l->channel, req, now));
        if (req->token == MEM_TOKEN_NONE)
            hierarchy_send_up(h, l->unit, 0, k, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
        mask[k / 64] &= ~(UINT64_C(1) << (k % 64));
        f->waiters[target]--;
        entry_taken(h, k, now);
    }
    f->busy[target / 64] &= ~(UINT64_C(1) << (target % 64));
}

/* Accepts entries that were sent in this cycle or are still waiting. */
static void accept_down_entries(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t from = (uint32_t)(now % h->used_links); /* the first link rotates with the cycle */

    if (f->flushes)
        end_flushes(h, now);
    f->done = now;
    if (f->misses_next <= now)
        serve_misses(h, now);
    if (f->wheel[now % WHEEL_CYCLES])
        arrive(h, now);
    f->done = now + 1;
    for (uint32_t w = 0; w * 64 < f->targets; w++)
        for (uint64_t m = f->busy[w]; m; m &= m - 1)
            serve(h, w * 64 + (uint32_t)__builtin_ctzll(m), from, now);
    if (!hierarchy_coherence_is_idle(h))
        hierarchy_coherence_tick(h, now);
}

/* Ticks the far units from the bottom up. The fabric is ticked between the levels, so that a completion is seen above
 * in the cycle in which it arrives. */
static void tick_far_units(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    if (!has_fabric(h)) {
        hierarchy_tick_units(h, 0, f->units, f->units, now);
        return;
    }
    hierarchy_tick_units(h, 0, f->first_l2, f->units, now);
    if (h->routes.fabric.next <= now)
        hierarchy_routes_tick(h, f->first_l2 - 1, now);
    hierarchy_tick_units(h, f->first_l2, f->units, f->units, now);
    /* messages of this cycle whose links take no time */
    if (h->routes.fabric.next <= now)
        hierarchy_routes_tick(h, f->units, now);
}

static void set_far_next(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    cycle_t next = f->misses_next;

    for (uint32_t u = 0; u < f->units; u++)
        next = h->unit[u].wake < next ? h->unit[u].wake : next;
    if (f->scheduled)
        for (cycle_t t = now + 1; t < next && t < now + WHEEL_CYCLES; t++)
            if (f->wheel[t % WHEEL_CYCLES])
                next = t;
    if (!hierarchy_coherence_is_idle(h)) {
        cycle_t dies = hierarchy_coherence_next(h, now);

        next = dies < next ? dies : next;
    }
    if (has_fabric(h) && h->routes.fabric.next < next)
        next = h->routes.fabric.next;
    if (f->flushes && f->flushes_next < next)
        next = f->flushes_next;
    f->next = next;
}

static void run(struct hierarchy *h, cycle_t from, cycle_t end)
{
    struct far_side *f = &h->far;

    for (cycle_t now = f->next < from || h->cfg.check_every_cycle ? from : f->next; now < end;) {
        tick_far_units(h, now);
        accept_down_entries(h, now);
        set_far_next(h, now);
        now = h->cfg.check_every_cycle || f->next <= now ? now + 1 : f->next;
    }
    f->done = end;
}

/* What groups have sent, older boxes first: there are two when the far side is a whole epoch behind. */
static void take_all_down(struct hierarchy *h)
{
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t n = 0; n < h->live_groups; n++)
            take_down(h, n, half);
}

/* Gives every group what has been sent to it, older boxes first. */
static void hand_up(struct hierarchy *h)
{
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t n = 0; n < h->live_groups; n++)
            hierarchy_take_up(h, n, half);
}

void hierarchy_far_run(struct hierarchy *h, cycle_t from, cycle_t end)
{
    assert(end - from < WHEEL_CYCLES && from >= h->far.done);
    h->far.done = from;
    take_all_down(h);
    /* what an earlier half has sent is older than what this one sends */
    hand_up(h);
    run(h, from, end);
    hand_up(h);
}

/* Beside the groups ------------------------------------------------------------------------------------------------ */

static void keep_stats(struct hierarchy *h)
{
    struct far_side *f = &h->far;

    f->kept.dram = h->dram.stats;
    for (uint32_t u = 1; u < f->units; u++)
        f->kept.cache[u] = *cache_stats(h->unit[u].cache);
    for (uint32_t k = 0; k < f->units - f->first_l2; k++)
        f->kept.utcl2[k] = f->utcl2[k].stats;
    for (uint32_t k = 0; k < h->routes.fabric.links; k++)
        f->kept.link[k] = (struct link_traffic){h->routes.fabric.link[k].messages, h->routes.fabric.link[k].bytes};
}

void hierarchy_far_forget(struct hierarchy *h)
{
    struct far_side *f = &h->far;

    h->dram.stats = f->kept.dram;
    for (uint32_t u = 1; u < f->units; u++)
        cache_set_stats(h->unit[u].cache, &f->kept.cache[u]);
    for (uint32_t k = 0; k < f->units - f->first_l2; k++)
        f->utcl2[k].stats = f->kept.utcl2[k];
    for (uint32_t k = 0; k < h->routes.fabric.links; k++) {
        h->routes.fabric.link[k].messages = f->kept.link[k].messages;
        h->routes.fabric.link[k].bytes = f->kept.link[k].bytes;
    }
}

void hierarchy_far_half(struct hierarchy *h, uint32_t half, cycle_t from, cycle_t end)
{
    assert(end - from < WHEEL_CYCLES && from >= h->far.done);
    if (!half)
        keep_stats(h);
    h->far.done = from;
    for (uint32_t n = 0; n < h->live_groups; n++)
        take_down(h, n, half);
    h->far.half = half;
    run(h, from, end);
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
    hand_up(h);
    for (uint32_t n = 0; n < h->live_groups; n++)
        if (h->group[n].next <= now || h->cfg.check_every_cycle)
            hierarchy_near_tick(h, n, now);
    h->far.done = now;
    take_all_down(h);
    accept_down_entries(h, now);
    set_far_next(h, now);
    hand_up(h);
    return hierarchy_next(h);
}

cycle_t hierarchy_next(const struct hierarchy *h)
{
    cycle_t next = h->far.next;

    for (uint32_t n = 0; n < h->live_groups; n++)
        next = h->group[n].next < next ? h->group[n].next : next;
    return next;
}
