/* Queues, data path and time of a cache: accepts requests, ticks its channels, sends to the level below, and delivers
 * completions. The tag stage is in lookup.c. */
#include "mem/cache/internal.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t cache_channel(const struct cache *c, gaddr_t addr)
{
    return cache_channel_of(c, addr);
}

bool cache_channel_can_accept(const struct cache *c, uint32_t channel)
{
    return c->channel[channel].in.count < c->cfg.input_queue;
}

bool cache_can_accept(const struct cache *c, gaddr_t addr)
{
    return cache_channel_can_accept(c, cache_channel_of(c, addr));
}

void cache_wake(struct cache *c, uint32_t channel, cycle_t when)
{
    if (when >= c->wheel.wake[channel])
        return;
    if (c->channels.n == 1)
        c->wheel.wake[0] = when;
    else
        cache_wheel_put(&c->wheel, channel, when);
}

ALWAYS_INLINE cycle_t cache_channel_accept(struct cache *c, uint32_t channel, const struct mem_req *req, cycle_t now)
{
    struct cache_channel *ch = &c->channel[channel];
    struct cache_in *e = cache_ins_push(&ch->in, c->cfg.input_queue);

    assert(req->bytes && req->op < MEM_OPS && req->hint.scope < MEM_SCOPES && req->hint.temporal < MEM_TEMPORALS);
    assert((req->addr & (c->cfg.line_bytes - 1)) + req->bytes <= c->cfg.line_bytes);
    e->req = *req;
    e->from = 0;
    ch->accepted = ch->accepted_at == now ? ch->accepted + 1 : 1;
    ch->accepted_at = now;
    e->set = cache_set_in(c, req->addr, channel);
    /* the sum of completion cycles less the sum of acceptance cycles is the sum of latencies */
    if (req->token != MEM_TOKEN_NONE && !op_is_store(req->op)) {
        c->stats.loads_taken++;
        c->stats.load_latency_cycles -= now;
    }
    if (c->large) /* by the time of the lookup the set is in a cache of the host */
        __builtin_prefetch(cache_set_at(c, e->set));
    /* whatever lets the head of the queue proceed wakes the channel */
    if (ch->blocked_on)
        return CYCLE_NEVER;
    cycle_t when = ch->lookup_free > now + 1 ? ch->lookup_free : now + 1;
    cache_wake(c, channel, when);
    return when;
}

cycle_t cache_accept(struct cache *c, const struct mem_req *req, cycle_t now)
{
    return cache_channel_accept(c, cache_channel_of(c, req->addr), req, now);
}

void cache_hold(struct cache *c, uint32_t channel, cycle_t until)
{
    struct cache_ins *in = &c->channel[channel].in;

    cache_ins_at(in, in->count - 1)->from = until;
}

cycle_t cache_fill(struct cache *c, uint64_t token, cycle_t now)
{
    const struct cache_txn *t = &c->txn[token];
    uint32_t channel = t->channel, pair = t->pair;
    struct cache_channel *ch = &c->channel[channel];
    uint32_t answers = ch->fills.queue.count, outputs = ch->out.count;
    bool blocked = ch->blocked_on;
    cycle_t when = CYCLE_NEVER;

    assert(t->kind != TXN_FREE && t->remaining);
    if (!--c->txn[token].remaining)
        cache_finish_txn(c, (uint32_t)token, (uint32_t)token, now);
    if (pair)
        cache_finish_txn(c, pair - 1, (uint32_t)token, now);
    /* a blocked lookup may proceed, and a victim be written back, at once; the responses have a latency, and the
     * channel wakes for those behind older ones when these leave */
    if ((blocked && !ch->blocked_on) || ch->out.count > outputs)
        when = now;
    else if (!answers)
        when = ch->fills.first;
    if (when != CYCLE_NEVER)
        cache_wake(c, channel, when);
    return when;
}

/* A lookup lacks a place for its answer, which a hit without a trip through the cache may have. */
static void await_straight(const struct cache *c, struct cache_channel *ch, cycle_t now)
{
    cycle_t leaves = cache_straight_leaves(c, ch, now);

    if (leaves == CYCLE_NEVER)
        return;
    ch->blocked_on = LOOKUP_DONE;
    ch->lookup_free = leaves + 1;
}

/* Looks up as many requests as the tag stage takes in this cycle. */
static void do_lookups(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    const struct cache_in *e;

    if (ch->lookup_free > now)
        return;
    if (ch->lookup_cycle != now) {
        ch->lookup_cycle = now;
        ch->lookups = 0;
    }
    if (ch->blocked_on && !c->cfg.check_every_cycle)
        return;
    /* those are looked at from the next cycle on */
    uint32_t behind = ch->accepted_at >= now ? ch->accepted : 0;

    while (ch->in.count > behind && ch->lookup_free <= now && ch->lookups < c->cfg.lookups_per_cycle) {
        e = cache_ins_front(&ch->in);
        if (e->from > now) {
            ch->lookup_free = e->from;
            return;
        }
        enum lookup_result r = cache_lookup(c, ch, e, now);
        bool stalled = r == LOOKUP_NO_MSHR || r == LOOKUP_NO_TARGET;

        if (stalled && !ch->mshr_stalled)
            ch->stall_since = now;
        else if (!stalled && ch->mshr_stalled)
            c->stats.mshr_full_stall_cycles += now - ch->stall_since;
        ch->mshr_stalled = stalled;
        ch->blocked_on = (uint8_t)r;
        if (r == LOOKUP_NO_RESPONSE && c->straight)
            await_straight(c, ch, now);
        if (r != LOOKUP_DONE)
            return;
        /* data come in by one path, whatever the number of tag banks */
        if (op_is_store(e->req.op) || e->req.op == MEM_ATOMIC) {
            uint32_t busy = cache_beats(c, e->req.bytes);
            if (e->req.op == MEM_ATOMIC && c->cfg.atomics && busy < c->cfg.atomic_cycles)
                busy = c->cfg.atomic_cycles;
            ch->lookup_free = now + busy;
        }
        ch->lookups++;
        cache_ins_pop(&ch->in);
        c->freed_entry = true;
    }
}

/* Returns whether a line became clean, for which a bypass may have waited. */
static bool do_writeback(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    struct cache_victim v;

    if (!ch->writing_back || ch->writeback_free > now || ch->out.count >= c->cfg.output_queue)
        return false;
    if (!cache_next_dirty(c, (uint32_t)(ch - c->channel), &v)) {
        ch->writing_back = false;
        return false;
    }
    cache_push_writeback(c, ch, &v, now);
    ch->writeback_free = now + 1;
    return true;
}

/* Offers the oldest request to the level below, one part of it at a time where it is larger than request_bytes. */
static void do_output(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    struct cache_out *o = cache_outs_front(&ch->out);
    struct mem_req req;

    ch->out_blocked = false;
    if (!o || o->ready > now || ch->out_free > now)
        return;
    if (!c->next.can_accept(c->next.ctx, o->addr)) {
        ch->out_blocked = true;
        return;
    }
    uint32_t n = c->cfg.request_bytes - (uint32_t)(o->addr & (c->cfg.request_bytes - 1));
    if (n > o->bytes)
        n = o->bytes;
    req = (struct mem_req){
        .addr = o->addr, .token = o->token, .bytes = n, .client = c->client, .op = o->op, .hint = o->hint};
    bool data = o->op == MEM_STORE || o->op == MEM_ATOMIC;
    ch->out_free = now + (data ? cache_beats(c, n) : 1);
    o->addr += n;
    o->bytes -= n;
    if (!o->bytes)
        cache_outs_pop(&ch->out);
    c->next.accept(c->next.ctx, &req, now);
}

/* The queue whose response leaves next: the one ready first, fills before hits before acknowledgements of stores. */
static inline struct cache_answers *next_answers(struct cache_channel *ch)
{
    struct cache_answers *next = ch->hits.first < ch->fills.first ? &ch->hits : &ch->fills;

    return ch->acks.first < next->first ? &ch->acks : next;
}

static inline void pop_answer(struct cache_answers *a)
{
    const struct cache_rsp *r;

    cache_rsps_pop(&a->queue);
    r = cache_rsps_front(&a->queue);
    a->first = r ? r->ready : CYCLE_NEVER;
}

static void deliver(struct cache *c, const struct cache_rsp *r, cycle_t now)
{
    c->stats.load_bytes += r->bytes;
    if (r->bytes) {
        c->stats.loads_done++;
        c->stats.load_latency_cycles += now;
    }
    c->sink.complete(c->sink.ctx, r->client, r->token, now);
}

/* Sends the responses whose time has come; *left: one has left, for which the tag stage may wait. Returns the next
 * cycle with a response to send. */
static ALWAYS_INLINE cycle_t do_responses(struct cache *c, struct cache_channel *ch, cycle_t now, bool *left)
{
    if (ch->bus_busy) {
        if (ch->bus_done > now)
            return ch->bus_done;
        ch->bus_busy = false;
        deliver(c, &ch->bus, now);
    }
    for (;;) {
        struct cache_answers *from = next_answers(ch);
        struct cache_rsp r;
        cycle_t at = from->first;

        if (at == CYCLE_NEVER)
            return at;
        r = *cache_rsps_front(&from->queue);
        at = later(at, r.bytes ? cache_bus_free(ch) : 0);
        if (at > now)
            return at;
        ch->targets_used -= from == &ch->fills;
        if (r.releases) {
            c->in_flight[r.releases - 1]--;
            if (ch->blocked_on == LOOKUP_NO_MSHR)
                ch->blocked_on = LOOKUP_DONE;
        }
        pop_answer(from);
        *left = true;
        if (r.bytes) {
            ch->bus_done = cache_send_data(c, ch, r.bytes, now);
            if (ch->bus_done > now) {
                ch->bus = r;
                ch->bus_busy = true;
                return ch->bus_done;
            }
        }
        deliver(c, &r, now);
    }
}

/* The next cycle in which the channel has work by itself, responses apart. */
static ALWAYS_INLINE cycle_t next_work(const struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    const struct cache_out *out = cache_outs_front(&ch->out);
    cycle_t next = CYCLE_NEVER;

    if (ch->in.count && !ch->blocked_on)
        next = later(ch->in.count > ch->accepted ? now + 1 : later(now, ch->accepted_at) + 1, ch->lookup_free);
    if (out && !ch->out_blocked)
        next = earlier(next, later(now + 1, later(out->ready, ch->out_free)));
    if (ch->writing_back && ch->out.count < c->cfg.output_queue)
        next = now + 1;
    return next;
}

static cycle_t tick_channel(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    bool freed_output = false, left = false;
    uint32_t out_before;
    cycle_t next;

    if (ch->in.count)
        do_lookups(c, ch, now);
    if (ch->writing_back)
        freed_output = do_writeback(c, ch, now);
    out_before = ch->out.count;
    if (out_before) {
        do_output(c, ch, now);
        freed_output |= ch->out.count < out_before;
    }
    if (freed_output && ch->blocked_on == LOOKUP_NO_OUTPUT)
        ch->blocked_on = LOOKUP_DONE;
    next = do_responses(c, ch, now, &left);
    if (left && (ch->blocked_on == LOOKUP_NO_TARGET || ch->blocked_on == LOOKUP_NO_RESPONSE))
        ch->blocked_on = LOOKUP_DONE;
    return earlier(next, next_work(c, ch, now));
}

/* Brings the ways that the oldest requests of channels of a word look up into a cache of the host. */
static void prefetch_ways(const struct cache *c, uint32_t word, uint64_t channels)
{
    for (uint64_t m = channels; m; m &= m - 1) {
        const struct cache_channel *ch = &c->channel[word * 64 + (uint32_t)__builtin_ctzll(m)];
        const struct cache_in *in = cache_ins_front(&ch->in);

        if (in && !ch->blocked_on)
            cache_prefetch(c, in->set, in->req.addr >> c->line_shift);
    }
}

/* Ticks the channels that are due; most of the others only wait for an answer. Returns the next cycle in which one has
 * work. A channel's tick wakes no other channel of its cache before the next cycle. */
static cycle_t tick_channels(struct cache *c, cycle_t now)
{
    struct cache_wheel *w = &c->wheel;
    bool all = c->cfg.check_every_cycle;

    cache_wheel_advance(w, c->channels.n, now);
    for (uint32_t word = 0; word < w->words; word++) {
        uint64_t due = cache_wheel_take(w, now, word);

        if (c->large)
            prefetch_ways(c, word, due);
        if (all)
            due = lane_mask(c->channels.n - word * 64);
        for (; due; due &= due - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(due);

            if (w->wake[i] <= now || all)
                cache_wheel_put(w, i, tick_channel(c, &c->channel[i], now));
        }
    }
    return cache_wheel_next(w);
}

ALWAYS_INLINE cycle_t cache_tick(struct cache *c, cycle_t now)
{
    cycle_t *wake = c->wheel.wake;

    c->freed_entry = false;
    if (c->channels.n > 1)
        return tick_channels(c, now);
    if (*wake <= now || c->cfg.check_every_cycle)
        *wake = tick_channel(c, c->channel, now);
    return *wake;
}

bool cache_is_blocked(const struct cache *c)
{
    for (uint32_t i = 0; i < c->channels.n; i++)
        if (c->channel[i].out_blocked)
            return true;
    return false;
}

bool cache_unblock(struct cache *c, cycle_t now)
{
    bool any = false;

    for (uint32_t i = 0; i < c->channels.n; i++) {
        const struct cache_channel *ch = &c->channel[i];

        /* an entry freed in another channel does not help */
        if (ch->out_blocked && c->next.can_accept(c->next.ctx, cache_outs_front(&ch->out)->addr)) {
            cache_wake(c, i, now);
            any = true;
        }
    }
    return any;
}

bool cache_freed_entry(const struct cache *c)
{
    return c->freed_entry;
}

void cache_invalidate(struct cache *c, cycle_t now)
{
    cache_invalidate_clean(c);
    /* a hit that lacked a resource may be a miss now */
    for (uint32_t i = 0; i < c->channels.n; i++)
        if (c->channel[i].blocked_on) {
            c->channel[i].blocked_on = LOOKUP_DONE;
            cache_wake(c, i, now + 1);
        }
}

void cache_writeback(struct cache *c, cycle_t now)
{
    for (uint32_t i = 0; i < c->channels.n; i++) {
        struct cache_channel *ch = &c->channel[i];
        if (!ch->dirty_lines)
            continue;
        ch->writing_back = true;
        ch->writeback_at = 0;
        ch->writeback_free = now + 1;
        cache_wake(c, i, now + 1);
    }
}

uint64_t cache_dirty_lines(const struct cache *c)
{
    uint64_t lines = 0;

    for (uint32_t i = 0; i < c->channels.n; i++)
        lines += c->channel[i].dirty_lines;
    return lines;
}

bool cache_is_writing_back(const struct cache *c)
{
    for (uint32_t i = 0; i < c->channels.n; i++)
        if (c->channel[i].writing_back)
            return true;
    return false;
}

bool cache_is_idle(const struct cache *c)
{
    for (uint32_t i = 0; i < c->channels.n; i++) {
        const struct cache_channel *ch = &c->channel[i];
        if (ch->in.count || ch->out.count || ch->hits.queue.count || ch->fills.queue.count || ch->acks.queue.count ||
            ch->bus_busy || ch->mshrs_used || ch->passes_used || ch->writing_back)
            return false;
    }
    return true;
}

uint32_t cache_txn_count(const struct cache *c)
{
    return c->channels.n * cache_txns(c);
}
