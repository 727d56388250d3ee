/* Queues, data path and time of a cache: accepts requests, ticks its channels, sends to the level below, and delivers
 * completions. The tag stage is in lookup.c. */
#include "mem/cache/internal.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_pow2(uint64_t v)
{
    return v && !(v & (v - 1));
}

static struct divider divider_of(uint32_t n)
{
    return (struct divider){.n = n, .pow2 = is_pow2(n), .shift = (uint8_t)__builtin_ctz(n)};
}

static int check_range(const struct cache_config *cfg, const char *key, uint64_t v, uint64_t lo, uint64_t hi,
                       struct err *err)
{
    if (v >= lo && v <= hi)
        return 0;
    return err_set(err, ERR_USAGE, "cache %s: %s is %" PRIu64 "; expected %" PRIu64 " to %" PRIu64, cfg->name, key, v,
                   lo, hi);
}

static int check_config(const struct cache_config *cfg, struct err *err)
{
    const struct {
        const char *key;
        uint64_t v, lo, hi;
    } limit[] = {
        {"line_bytes", cfg->line_bytes, 16, 4096},
        {"ways", cfg->ways, 1, 256},
        {"channels", cfg->channels, 1, 1024},
        {"interleave_bytes", cfg->interleave_bytes, cfg->line_bytes, 1u << 30},
        {"hit_latency_cycles", cfg->hit_latency_cycles, 1, 100000},
        {"miss_latency_cycles", cfg->miss_latency_cycles, 1, 100000},
        {"fill_latency_cycles", cfg->fill_latency_cycles, 0, 100000},
        {"lookups_per_cycle", cfg->lookups_per_cycle, 1, 64},
        {"bytes_per_cycle", (uint64_t)cfg->bytes_per_cycle, 1, 65536},
        {"line_cycles", cfg->line_cycles, 0, 64},
        {"store_miss_ack_cycles", cfg->store_miss_ack_cycles, 0, 100000},
        {"atomic_cycles", cfg->atomic_cycles, 0, 100000},
        {"input_queue", cfg->input_queue, 1, 65536},
        {"output_queue", cfg->output_queue, 2, 65536},
        {"mshrs", cfg->mshrs, 1, 65536},
        {"mshr_targets", cfg->mshr_targets, 1, 4096},
        {"pass_slots", cfg->pass_slots, 1, 65536},
        {"request_bytes", cfg->request_bytes, 1, 2 * (uint64_t)cfg->line_bytes},
        {"size_bytes", cfg->size_bytes, (uint64_t)cfg->line_bytes * cfg->ways * cfg->channels, UINT64_C(1) << 40},
    };

    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
        if (check_range(cfg, limit[i].key, limit[i].v, limit[i].lo, limit[i].hi, err))
            return -1;
    if (!is_pow2(cfg->line_bytes) || !is_pow2(cfg->interleave_bytes) || !is_pow2(cfg->request_bytes))
        return err_set(err, ERR_USAGE,
                       "cache %s: line_bytes %u, interleave_bytes %u, request_bytes %u: expected powers of two",
                       cfg->name, cfg->line_bytes, cfg->interleave_bytes, cfg->request_bytes);
    if (cfg->size_bytes % ((uint64_t)cfg->line_bytes * cfg->ways * cfg->channels))
        return err_set(err, ERR_USAGE,
                       "cache %s: size_bytes %" PRIu64
                       " is not a multiple of line_bytes * ways * channels (%u * %u * %u)",
                       cfg->name, cfg->size_bytes, cfg->line_bytes, cfg->ways, cfg->channels);
    if (cfg->size_bytes / cfg->line_bytes / cfg->ways / cfg->channels > UINT32_MAX)
        return err_set(err, ERR_USAGE, "cache %s: more than 2^32 sets", cfg->name);
    if ((uint64_t)cfg->channels * (cfg->mshrs * (uint64_t)cfg->mshr_targets + cfg->pass_slots) > 1u << 28)
        return err_set(err, ERR_USAGE, "cache %s: channels * (mshrs * mshr_targets + pass_slots) is above 2^28",
                       cfg->name);
    if (cfg->atomics && cfg->write != CACHE_WRITE_BACK)
        return err_set(err, ERR_USAGE, "cache %s: atomics need a write-back cache", cfg->name);
    if (cfg->peers && cfg->write != CACHE_WRITE_BACK)
        return err_set(err, ERR_USAGE, "cache %s: peers need a write-back cache", cfg->name);
    return 0;
}

/* Free lists and queues of one channel. */
static bool init_channel(struct cache *c, uint32_t i, struct arena *arena)
{
    const struct cache_config *cfg = &c->cfg;
    struct cache_channel *ch = &c->channel[i];
    /* hits within their latency, and as many again that wait for the data path */
    uint32_t hits = 2 * (cfg->hit_latency_cycles * cfg->lookups_per_cycle + 1);
    uint32_t acks = cfg->store_miss_ack_cycles * cfg->lookups_per_cycle;

    ch->bucket = ARENA_NEW(arena, c->bucket_mask + 1, uint32_t);
    if (!ch->bucket || !fifo_init_arena(&ch->in, arena, sizeof(struct cache_in), cfg->input_queue) ||
        !fifo_init_arena(&ch->out, arena, sizeof(struct cache_out), cfg->output_queue + c->max_fills) ||
        !fifo_init_arena(&ch->hits, arena, sizeof(struct cache_rsp), hits) ||
        !fifo_init_arena(&ch->fills, arena, sizeof(struct cache_rsp), c->max_targets) ||
        !fifo_init_arena(&ch->acks, arena, sizeof(struct cache_rsp), cfg->store_miss_ack_cycles ? hits + acks : 1))
        return false;
    ch->txn_fresh = i * cache_txns(c) + 1;
    ch->target_fresh = i * c->max_targets + 1;
    c->wake[i] = CYCLE_NEVER;
    return true;
}

struct cache *cache_new(const struct cache_config *cfg, const struct mem_policy *policy, struct mem_port next,
                        uint16_t client, struct mem_sink sink, struct arena *arena, struct err *err)
{
    struct cache_config full = *cfg;
    struct cache *c;
    uint64_t lines;

    if (!full.interleave_bytes)
        full.interleave_bytes = full.line_bytes;
    if (!full.request_bytes)
        full.request_bytes = full.line_bytes;
    if (check_config(&full, err))
        return NULL;
    c = arena_alloc(arena, 1, sizeof *c, _Alignof(struct cache));
    if (!c)
        goto no_memory;
    *c = (struct cache){.cfg = full, .policy = policy, .next = next, .client = client, .sink = sink};
    c->line_shift = (uint8_t)__builtin_ctz(full.line_bytes);
    c->interleave_shift = (uint8_t)__builtin_ctz(full.interleave_bytes);
    c->sector_shift = c->line_shift > 5 ? c->line_shift - 5 : 0;
    lines = full.size_bytes / full.line_bytes;
    c->per_byte = rate_per_byte(full.bytes_per_cycle);
    c->whole_bytes = full.bytes_per_cycle == (uint32_t)full.bytes_per_cycle ? (uint32_t)full.bytes_per_cycle : 0;
    c->large = lines * sizeof *c->way > CACHE_HOST_BYTES;
    c->channels = divider_of(full.channels);
    c->sets = divider_of((uint32_t)(lines / full.ways / full.channels));
    c->ways = divider_of(full.ways);
    c->order_bytes = cache_order_bytes(full.ways);
    c->max_fills = full.request_bytes > full.line_bytes ? 2 * full.mshrs : full.mshrs;
    c->max_targets = c->max_fills * full.mshr_targets + full.pass_slots;
    for (c->bucket_mask = 1; c->bucket_mask < 2 * c->max_fills;)
        c->bucket_mask *= 2;
    c->bucket_mask--;
    c->partial_tag = arena_alloc(arena, lines + 15, 1, 64); /* up to sixteen are read at a time */
    c->order = arena_alloc(arena, lines / full.ways, c->order_bytes, 64);
    c->way = arena_alloc(arena, lines, sizeof *c->way, 64);
    if (!cache_set_watch(c, &full.watch, arena))
        goto no_memory;
    if (full.reserves_ways && !(c->in_flight = ARENA_NEW(arena, lines / full.ways, uint16_t)))
        goto no_memory;
    c->txn = arena_alloc(arena, (size_t)full.channels * cache_txns(c), sizeof *c->txn, 64);
    c->target = ARENA_NEW(arena, (size_t)full.channels * c->max_targets, struct cache_target);
    c->channel = arena_alloc(arena, full.channels, sizeof *c->channel, _Alignof(struct cache_channel));
    c->wake = ARENA_NEW(arena, full.channels, cycle_t);
    if (!c->partial_tag || !c->order || !c->way || !c->txn || !c->target || !c->channel || !c->wake)
        goto no_memory;
    for (uint32_t i = 0; i < full.channels; i++)
        if (!init_channel(c, i, arena))
            goto no_memory;
    return c;
no_memory:
    err_set(err, ERR_NOMEM, "cache %s: no host memory for %" PRIu64 " bytes of lines", cfg->name, cfg->size_bytes);
    return NULL;
}

bool cache_set_watch(struct cache *c, const struct cache_watch *watch, struct arena *arena)
{
    if (watch->hit && !c->asked)
        c->asked = ARENA_NEW(arena, c->cfg.size_bytes / c->cfg.line_bytes, cycle_t);
    c->cfg.watch = *watch;
    return c->asked || !watch->hit;
}

uint32_t cache_channel(const struct cache *c, gaddr_t addr)
{
    return cache_channel_of(c, addr);
}

bool cache_can_accept(const struct cache *c, gaddr_t addr)
{
    return fifo_can_accept(&c->channel[cache_channel_of(c, addr)].in);
}

void cache_wake(struct cache *c, uint32_t channel, cycle_t when)
{
    if (when < c->wake[channel])
        c->wake[channel] = when;
    c->awake[channel / 64] |= UINT64_C(1) << (channel % 64);
}

void cache_accept(struct cache *c, const struct mem_req *req, cycle_t now)
{
    uint32_t i = cache_channel_of(c, req->addr);
    struct cache_in *e = fifo_push(&c->channel[i].in);

    assert(req->bytes && req->op < MEM_OPS && req->hint.scope < MEM_SCOPES && req->hint.temporal < MEM_TEMPORALS);
    assert((req->addr & (c->cfg.line_bytes - 1)) + req->bytes <= c->cfg.line_bytes);
    e->req = *req;
    e->eligible = now + 1;
    /* the sum of completion cycles less the sum of acceptance cycles is the sum of latencies */
    if (req->token != MEM_TOKEN_NONE && !op_is_store(req->op)) {
        c->stats.loads_taken++;
        c->stats.load_latency_cycles -= now;
    }
    /* by the time of the lookup the set is in a cache of the host */
    e->base = cache_set_base_in(c, req->addr, i);
    if (c->large) {
        __builtin_prefetch(&c->partial_tag[e->base]);
        __builtin_prefetch(cache_order(c, e->base));
        for (uint32_t w = 0; w < c->cfg.ways; w += 64 / sizeof *c->way)
            __builtin_prefetch(&c->way[e->base + w]);
    }
    cache_wake(c, i, now + 1);
}

void cache_fill(struct cache *c, uint64_t token, cycle_t now)
{
    struct cache_txn *t = &c->txn[token];

    uint32_t pair = t->pair;

    assert(t->kind != TXN_FREE && t->remaining);
    cache_wake(c, t->channel, now);
    if (!--t->remaining)
        cache_finish_txn(c, (uint32_t)token, (uint32_t)token, now);
    if (pair)
        cache_finish_txn(c, pair - 1, (uint32_t)token, now);
}

/* Looks up as many requests as the tag stage takes in this cycle. */
static void do_lookups(struct cache *c, uint32_t i, cycle_t now)
{
    struct cache_channel *ch = &c->channel[i];
    struct cache_in *e;

    if (ch->lookup_cycle != now) {
        ch->lookup_cycle = now;
        ch->lookups = 0;
    }
    if (ch->blocked_on && !c->cfg.check_every_cycle)
        return;
    while ((e = fifo_front(&ch->in)) && e->eligible <= now && ch->lookup_free <= now &&
           ch->lookups < c->cfg.lookups_per_cycle) {
        enum lookup_result r = cache_lookup(c, i, e, now);
        bool stalled = r == LOOKUP_NO_MSHR || r == LOOKUP_NO_TARGET;

        if (stalled && !ch->mshr_stalled)
            ch->stall_since = now;
        else if (!stalled && ch->mshr_stalled)
            c->stats.mshr_full_stall_cycles += now - ch->stall_since;
        ch->mshr_stalled = stalled;
        ch->blocked_on = (uint8_t)r;
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
        fifo_pop(&ch->in);
        c->freed_entry = true;
    }
}

/* Returns whether a line became clean, for which a bypass may have waited. */
static bool do_writeback(struct cache *c, uint32_t i, cycle_t now)
{
    struct cache_channel *ch = &c->channel[i];
    struct cache_victim v;

    if (!ch->writing_back || ch->writeback_free > now || ch->out.count >= c->cfg.output_queue)
        return false;
    if (!cache_next_dirty(c, i, &v)) {
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
    struct cache_out *o = fifo_front(&ch->out);
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
        fifo_pop(&ch->out);
    c->next.accept(c->next.ctx, &req, now);
}

/* The queue whose response leaves next: the one ready first, fills before hits before acknowledgements of stores; null
 * when there is none. */
static NOINLINE struct fifo *first_responses(struct cache_channel *ch)
{
    struct fifo *from[] = {&ch->fills, &ch->hits, &ch->acks}, *next = NULL;
    const struct cache_rsp *first = NULL;

    for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
        const struct cache_rsp *r = fifo_front(from[k]);

        if (r && (!first || r->ready < first->ready)) {
            first = r;
            next = from[k];
        }
    }
    return next;
}

static inline struct fifo *next_responses(struct cache_channel *ch)
{
    uint32_t hits = ch->hits.count, fills = ch->fills.count;

    if (ch->acks.count || (hits && fills))
        return first_responses(ch);
    return hits ? &ch->hits : fills ? &ch->fills : NULL;
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

/* The first cycle at which another transfer may begin. */
static cycle_t bus_free(const struct cache_channel *ch)
{
    return ch->bus_free_fp >> RATE_FP_BITS;
}

/* Sends data up; returns the cycle in which the last of them leave. Tag banks give answers of several lines in a cycle,
 * which share the width of the data path; without, each answer has whole cycles, unless the path is clocked apart. */
static cycle_t send_data(struct cache *c, struct cache_channel *ch, uint32_t bytes, cycle_t now)
{
    bool exact = c->cfg.lookups_per_cycle > 1 || !c->whole_bytes;
    uint64_t fp = exact ? bytes * c->per_byte >> (32 - RATE_FP_BITS) : (uint64_t)cache_beats(c, bytes) << RATE_FP_BITS;

    return cache_take_bus(c, ch, fp, now);
}

/* Returns whether a response left, for which the tag stage may wait. */
static bool do_responses(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    struct fifo *from;
    bool left = false;

    if (ch->bus_busy) {
        if (ch->bus_done > now)
            return false;
        ch->bus_busy = false;
        deliver(c, &ch->bus, now);
    }
    while ((from = next_responses(ch))) {
        const struct cache_rsp *next = fifo_front(from);
        struct cache_rsp r;

        if (next->ready > now || (next->bytes && bus_free(ch) > now))
            break;
        r = *next;
        fifo_pop(from);
        ch->targets_used -= from == &ch->fills;
        left = true;
        if (!r.bytes) {
            deliver(c, &r, now);
            continue;
        }
        ch->bus_done = send_data(c, ch, r.bytes, now);
        if (ch->bus_done > now) {
            ch->bus = r;
            ch->bus_busy = true;
            break;
        }
        deliver(c, &r, now);
    }
    return left;
}

static cycle_t later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

static cycle_t earlier(cycle_t a, cycle_t b)
{
    return a < b ? a : b;
}

/* The next cycle in which the channel has work by itself. */
static cycle_t next_work(struct cache *c, struct cache_channel *ch, cycle_t now)
{
    const struct cache_in *in = fifo_front(&ch->in);
    const struct cache_out *out = fifo_front(&ch->out);
    cycle_t next = CYCLE_NEVER;
    struct fifo *from;

    if (in && !ch->blocked_on)
        next = earlier(next, later(now + 1, later(in->eligible, ch->lookup_free)));
    if (out && !ch->out_blocked)
        next = earlier(next, later(now + 1, later(out->ready, ch->out_free)));
    if (ch->writing_back && ch->out.count < c->cfg.output_queue)
        next = earlier(next, now + 1);
    if (ch->bus_busy) {
        next = earlier(next, ch->bus_done);
    } else if ((from = next_responses(ch))) {
        const struct cache_rsp *r = fifo_front(from);

        next = earlier(next, later(now + 1, later(r->ready, r->bytes ? bus_free(ch) : 0)));
    }
    return next;
}

static cycle_t tick_channel(struct cache *c, uint32_t i, cycle_t now)
{
    struct cache_channel *ch = &c->channel[i];
    uint32_t out_before;
    bool freed_output = false;

    if (ch->in.count)
        do_lookups(c, i, now);
    if (ch->writing_back)
        freed_output = do_writeback(c, i, now);
    out_before = ch->out.count;
    if (out_before) {
        do_output(c, ch, now);
        freed_output |= ch->out.count < out_before;
    }
    if (freed_output && ch->blocked_on == LOOKUP_NO_OUTPUT)
        ch->blocked_on = LOOKUP_DONE;
    if ((ch->bus_busy || ch->hits.count || ch->fills.count || ch->acks.count) && do_responses(c, ch, now) &&
        (ch->blocked_on == LOOKUP_NO_TARGET || ch->blocked_on == LOOKUP_NO_RESPONSE))
        ch->blocked_on = LOOKUP_DONE;
    return next_work(c, ch, now);
}

/* Ticks the channels of one word of `awake` that are due; most of the others only wait for an answer. Returns the next
 * cycle in which one of them has work. A channel's tick wakes no other channel of its cache before the next cycle. */
static cycle_t tick_channels(struct cache *c, uint32_t word, cycle_t now)
{
    const cycle_t *wake = &c->wake[word * 64];
    cycle_t next = CYCLE_NEVER;
    uint64_t due = 0;

    for (uint64_t m = c->awake[word]; m; m &= m - 1) {
        cycle_t at = wake[__builtin_ctzll(m)];

        due |= at <= now ? m & -m : 0;
        next = earlier(next, at <= now ? CYCLE_NEVER : at);
    }
    if (c->cfg.check_every_cycle)
        due = lane_mask(c->channels.n - word * 64);
    for (uint64_t m = due; m; m &= m - 1) {
        uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(m);

        c->wake[i] = tick_channel(c, i, now);
        if (c->wake[i] == CYCLE_NEVER)
            c->awake[word] &= ~(m & -m);
        else
            c->awake[word] |= m & -m;
        next = earlier(next, c->wake[i]);
    }
    return next;
}

ALWAYS_INLINE cycle_t cache_tick(struct cache *c, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    c->freed_entry = false;
    if (c->channels.n == 1) {
        if (c->wake[0] <= now || c->cfg.check_every_cycle)
            c->wake[0] = tick_channel(c, 0, now);
        return c->wake[0];
    }
    for (uint32_t word = 0; word * 64 < c->channels.n; word++)
        next = earlier(next, tick_channels(c, word, now));
    return next;
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
        if (ch->out_blocked && c->next.can_accept(c->next.ctx, ((struct cache_out *)fifo_front(&ch->out))->addr)) {
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
        if (ch->in.count || ch->out.count || ch->hits.count || ch->fills.count || ch->acks.count || ch->bus_busy ||
            ch->mshrs_used || ch->passes_used || ch->writing_back)
            return false;
    }
    return true;
}

const struct cache_stats *cache_stats(const struct cache *c)
{
    return &c->stats;
}

void cache_clear_stats(struct cache *c)
{
    assert(cache_is_idle(c));
    c->stats = (struct cache_stats){0};
}

void cache_set_stats(struct cache *c, const struct cache_stats *s)
{
    c->stats = *s;
}

const struct cache_config *cache_get_config(const struct cache *c)
{
    return &c->cfg;
}

uint32_t cache_txn_count(const struct cache *c)
{
    return c->channels.n * cache_txns(c);
}
