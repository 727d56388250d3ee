/* Hits that take no trip through the cache.
 *
 * A request that is looked up in a channel with no miss in flight, and that hits, is answered in a cycle that depends
 * on the hits before it alone: the tag stage takes them in order, their data leave after the latency of a hit, one
 * after the other. So its cycles are known when it is accepted, and its client may wait for them by itself. The channel
 * keeps a list of such hits, for the places they take and for who asks what it has counted up to a cycle.
 *
 * Whatever is accepted later takes the tag stage and the data path after them: `lookup_free` and `bus_free_fp` say from
 * when on. Answers to misses are the exception, since fills go before hits; so a hit is booked at once only if its data
 * come before those of any later miss may (cache_config.straight_cycles).
 */
#include "mem/cache/internal.h"

static struct cache_straight *straight_at(const struct cache_straights *q, uint32_t number)
{
    return &q->ring[number & q->mask];
}

static struct cache_straights *straights_of(const struct cache *c, const struct cache_channel *ch)
{
    return &c->straight[ch - c->channel];
}

/* Answers on the ordinary way that have taken the data path, or will have by what is booked, have no bytes left. */
uint32_t cache_hits_left(const struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    const struct cache_straights *q = straights_of(c, ch);
    uint32_t left = 0;

    for (uint32_t k = 0; k < ch->hits.queue.count; k++)
        left += cache_rsps_at(&ch->hits.queue, k)->bytes != 0;
    for (uint32_t k = q->end; k != q->begin && straight_at(q, k - 1)->leaves >= now; k--)
        left++;
    return left;
}

cycle_t cache_straight_leaves(const struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    const struct cache_straights *q = straights_of(c, ch);

    for (uint32_t k = q->begin; k != q->end; k++)
        if (straight_at(q, k)->leaves >= now)
            return straight_at(q, k)->leaves;
    return CYCLE_NEVER;
}

/* Such a request takes data alone and leaves the line where it is, and nobody observes that. */
static bool is_plain(const struct cache *c, const struct mem_req *req)
{
    return req->token != MEM_TOKEN_NONE && !c->watched && (req->op == MEM_FETCH || req->op == MEM_LOAD) &&
           (!c->policy || mem_policy_action(c->policy, c->cfg.level, (enum mem_op)req->op, req->hint) == MEM_ACT_KEEP);
}

static bool would_hit(const struct cache *c, const struct mem_req *req, uint32_t set, uint64_t *at)
{
    uint32_t need = cache_sectors_touched(c, req->addr, req->bytes);

    *at = cache_find(c, set, req->addr >> c->line_shift);
    return *at != CACHE_NO_WAY && (c->way[*at].valid & need) == need && is_plain(c, req);
}

/* Nothing but hits is on its way, looked up or not. */
static bool has_hits_alone(const struct cache *c, const struct cache_channel *ch)
{
    if (ch->out.count || ch->fills.queue.count || ch->acks.queue.count || ch->mshrs_used || ch->passes_used ||
        ch->writing_back)
        return false;
    for (uint32_t k = 0; k < ch->in.count; k++) {
        const struct cache_in *e = cache_ins_at(&ch->in, k);
        uint64_t at;

        if (e->from || !would_hit(c, &e->req, e->set, &at))
            return false;
    }
    return true;
}

/* Whether the data come before those of any miss that is accepted from now on. */
static bool comes_first(const struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    uint32_t before = ch->in.count + ch->hits.queue.count;
    cycle_t lookup = later(now + 1, ch->lookup_free) + ch->in.count;
    cycle_t ready = later(lookup, cache_bus_free(ch)) + c->cfg.hit_latency_cycles;

    return ready + (before + 1) * cache_beats(c, c->cfg.line_bytes) < now + c->cfg.straight_cycles;
}

/* Books the data path for a hit whose data are ready then. */
static struct cache_straight *book_data(struct cache *c, struct cache_channel *ch, cycle_t ready, uint32_t bytes)
{
    uint64_t data_cycles = c->stats.data_cycles;
    struct cache_straights *q = straights_of(c, ch);
    struct cache_straight *s = straight_at(q, q->end++);
    cycle_t leaves = later(ready, cache_bus_free(ch)), last = cache_send_data(c, ch, bytes, leaves);

    assert(q->end - q->begin <= q->mask + 1);
    *s = (struct cache_straight){.leaves = leaves,
                                 .done = later(leaves, last),
                                 .bytes = (uint16_t)bytes,
                                 .data_cycles = (uint32_t)(c->stats.data_cycles - data_cycles)};
    c->stats.load_bytes += bytes;
    c->stats.loads_done++;
    c->stats.load_latency_cycles += s->done;
    return s;
}

/* The cycle in which the tag stage takes the next hit: it takes so many in a cycle, and a hit needs a place for its
 * answer, which an earlier one leaves in the cycle before. */
static cycle_t next_lookup(const struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    const struct cache_straights *q = straights_of(c, ch);
    cycle_t at = later(now + 1, ch->lookup_free);

    return q->end - q->begin < c->max_hits ? at : later(at, straight_at(q, q->end - c->max_hits)->leaves + 1);
}

/* A hit that has not been looked up. Returns when its data are there. */
static cycle_t book(struct cache *c, struct cache_channel *ch, const struct mem_req *req, uint32_t set, uint64_t at,
                    cycle_t now)
{
    cycle_t lookup = next_lookup(c, ch, now);
    struct cache_straight *s;

    if (ch->lookup_cycle != lookup) {
        ch->lookup_cycle = lookup;
        ch->lookups = 0;
    }
    ch->lookup_free = ++ch->lookups == c->cfg.lookups_per_cycle ? lookup + 1 : lookup;
    cache_touch(c, set, at);
    c->stats.op[req->op].accesses++;
    c->stats.op[req->op].hits++;
    s = book_data(c, ch, lookup - 1 + c->cfg.hit_latency_cycles, req->bytes);
    s->lookup = lookup;
    s->op = req->op;
    return s->done;
}

/* Hits that have taken the ordinary way come before one that is booked at once: they are booked, too, and nothing but
 * their completion is left of them. */
static void book_those_before(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    for (uint32_t k = 0; k < ch->hits.queue.count; k++) {
        struct cache_rsp *r = cache_rsps_at(&ch->hits.queue, k);

        if (!r->bytes)
            continue;
        r->ready = book_data(c, ch, r->ready, r->bytes)->done;
        r->bytes = 0;
        if (!k)
            ch->hits.first = r->ready;
    }
    for (const struct cache_in *e; (e = cache_ins_front(&ch->in)); cache_ins_pop(&ch->in)) {
        uint64_t at = cache_find(c, e->set, e->req.addr >> c->line_shift);
        struct cache_rsp r = {.token = e->req.token, .client = e->req.client};

        r.ready = book(c, ch, &e->req, e->set, at, now);
        cache_answer(&ch->hits, c->max_answers, &r);
    }
    ch->blocked_on = LOOKUP_DONE;
}

/* Forgets those that are over before cycle `now`, and counts those that have been looked up. */
static void look_again(struct cache_straights *q, cycle_t now)
{
    while (q->looked_up != q->end && straight_at(q, q->looked_up)->lookup <= now)
        q->looked_up++;
    while (q->begin != q->looked_up && straight_at(q, q->begin)->done < now)
        q->begin++;
}

cycle_t cache_straight(struct cache *c, const struct mem_req *req, cycle_t now, bool *full)
{
    uint32_t channel = cache_channel_of(c, req->addr), set = cache_set_in(c, req->addr, channel);
    struct cache_channel *ch = &c->channel[channel];
    struct cache_straights *q = c->straight ? &c->straight[channel] : NULL;
    uint64_t at;

    *full = false;
    if (!q)
        return CYCLE_NEVER;
    look_again(q, now);
    if (q->looked_up != q->end && ch->in.count + q->end - q->looked_up >= c->cfg.input_queue) {
        *full = true;
        return straight_at(q, q->looked_up)->lookup;
    }
    if (ch->in.count >= c->cfg.input_queue || !has_hits_alone(c, ch) || !would_hit(c, req, set, &at) ||
        !comes_first(c, ch, now))
        return CYCLE_NEVER;
    book_those_before(c, ch, now);
    c->stats.loads_taken++;
    c->stats.load_latency_cycles -= now;
    return book(c, ch, req, set, at, now);
}

void cache_straight_uncount(const struct cache *c, cycle_t end, struct cache_stats *s)
{
    for (uint32_t i = 0; c->straight && i < c->channels.n; i++) {
        const struct cache_straights *q = &c->straight[i];

        for (uint32_t k = q->begin; k != q->end; k++) {
            const struct cache_straight *t = straight_at(q, k);

            s->op[t->op].accesses -= t->lookup >= end;
            s->op[t->op].hits -= t->lookup >= end;
            s->data_cycles -= t->leaves >= end ? t->data_cycles : 0;
            if (t->done < end)
                continue;
            s->load_bytes -= t->bytes;
            s->loads_done--;
            s->load_latency_cycles -= t->done;
        }
    }
}

cycle_t cache_straight_end(struct cache *c)
{
    cycle_t last = 0;

    for (uint32_t i = 0; c->straight && i < c->channels.n; i++) {
        struct cache_straights *q = &c->straight[i];

        for (; q->begin != q->end; q->begin++)
            last = later(last, straight_at(q, q->begin)->done);
        q->looked_up = q->end;
    }
    return last;
}
