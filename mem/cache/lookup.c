/* The tag stage of a cache: hit, miss, merge into an MSHR or pass to the level below, and the completion of MSHRs when
 * data arrive. A lookup that lacks a resource changes nothing and is tried again; otherwise it changes all it has to.
 */
#include "mem/cache/internal.h"

static uint32_t bucket_of(const struct cache *c, uint64_t line)
{
    return (uint32_t)hash64(line, 24) & c->bucket_mask;
}

struct cache_txn *cache_find_mshr(const struct cache *c, const struct cache_channel *ch, uint64_t line)
{
    for (uint32_t i = ch->bucket[bucket_of(c, line)]; i; i = c->txn[i - 1].next)
        if (c->txn[i - 1].line == line)
            return &c->txn[i - 1];
    return NULL;
}

static uint32_t take_txn(struct cache *c, struct cache_channel *ch, enum txn_kind kind, uint64_t line, uint32_t set)
{
    uint32_t id = (ch->txn_free ? ch->txn_free : ch->txn_fresh++) - 1;
    struct cache_txn *t = &c->txn[id];

    if (ch->txn_free)
        ch->txn_free = t->next;
    *t = (struct cache_txn){.line = line, .kind = (uint8_t)kind, .channel = (uint16_t)(ch - c->channel), .set = set};
    if (kind == TXN_FILL) {
        uint32_t *b = &ch->bucket[bucket_of(c, line)];
        t->next = *b;
        *b = id + 1;
        ch->mshrs_used++;
        if (c->in_flight)
            c->in_flight[set]++;
        cache_count_copies(c, line, 1);
    } else {
        ch->passes_used++;
    }
    return id;
}

/* The request of a primary miss goes down: its MSHR is in use until the line is there. */
static inline void count_mshr_taken(struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    struct cache_stats *s = &c->stats;

    s->mshrs_in_use++;
    s->mshr_cycles -= now;
    if (ch->mshrs_used == c->cfg.mshrs) {
        s->channels_full++;
        s->channel_full_cycles -= now;
    }
}

static inline void count_mshr_freed(struct cache *c, const struct cache_channel *ch, cycle_t now)
{
    struct cache_stats *s = &c->stats;

    s->mshrs_in_use--;
    s->mshr_cycles += now;
    if (ch->mshrs_used + 1 == c->cfg.mshrs) {
        s->channels_full--;
        s->channel_full_cycles += now;
    }
}

/* Where another target of a transaction goes, after those that it has. */
static struct cache_target *next_target(struct cache *c, struct cache_channel *ch, struct cache_txn *t)
{
    uint32_t id = ch->target_free ? ch->target_free : ch->target_fresh++;
    struct cache_target *g = &c->target[id - 1];

    if (ch->target_free)
        ch->target_free = g->next;
    if (t->last)
        c->target[t->last - 1].next = id;
    else
        t->target.next = id;
    t->last = id;
    return g;
}

static inline void put_target(struct cache_channel *ch, struct cache_txn *t, struct cache_target *g,
                              const struct mem_req *req)
{
    bool store = op_is_store(req->op);

    *g = (struct cache_target){.token = req->token,
                               .client = req->client,
                               .data_bytes = store ? 0 : req->bytes & 0x7fff,
                               .dirties = store || req->op == MEM_ATOMIC};
    t->wants_exclusive |= req->op == MEM_ATOMIC;
    ch->targets_used++;
}

static bool output_has(const struct cache *c, const struct cache_channel *ch, uint32_t n)
{
    return ch->out.count + n <= c->cfg.output_queue;
}

/* Parts of n bytes, a power of two, that the bytes lie in. */
static inline uint32_t parts_of(uint32_t n, gaddr_t addr, uint32_t bytes)
{
    unsigned shift = (unsigned)__builtin_ctz(n);

    return (uint32_t)(((addr + bytes - 1) >> shift) - (addr >> shift) + 1);
}

static uint32_t requests_for(const struct cache *c, gaddr_t addr, uint32_t bytes)
{
    return parts_of(c->cfg.request_bytes, addr, bytes);
}

static void push_out(struct cache *c, struct cache_channel *ch, const struct cache_out *o)
{
    *cache_outs_push(&ch->out, c->max_out) = *o;
    if (o->op == MEM_STORE || o->op == MEM_ATOMIC)
        c->stats.down_bytes += o->bytes;
}

void cache_push_writeback(struct cache *c, struct cache_channel *ch, const struct cache_victim *v, cycle_t ready)
{
    c->stats.writebacks++;
    push_out(c, ch,
             &(struct cache_out){.ready = ready,
                                 .addr = v->addr,
                                 .bytes = c->cfg.line_bytes,
                                 .op = MEM_STORE,
                                 .token = MEM_TOKEN_NONE,
                                 .hint = {SCOPE_CU, v->hint.temporal}});
}

/* Latencies count from acceptance. The lookup of cycle `now` serves a request accepted at now - 1, or one that queued
 * and is treated as if it had been. */
static cycle_t leave_at(const struct cache *c, cycle_t now)
{
    return now - 1 + c->cfg.miss_latency_cycles;
}

/* The acknowledgement of a store that allocates its line comes later than that of one to a line that is there. */
static bool is_late(const struct cache *c, bool allocates)
{
    return allocates && c->cfg.store_miss_ack_cycles;
}

/* Whether the queue of the answer to a request that needs nothing from below has a free entry. */
static inline bool can_respond(const struct cache *c, const struct cache_channel *ch, cycle_t now, bool late)
{
    if (late)
        return ch->acks.queue.count < c->max_acks;
    return (c->straight ? cache_hits_left(c, ch, now) : ch->hits.queue.count) < c->max_hits;
}

static ALWAYS_INLINE void respond(struct cache *c, struct cache_channel *ch, const struct mem_req *req, cycle_t now,
                                  bool late)
{
    struct cache_rsp r = {.ready = now - 1 + c->cfg.hit_latency_cycles,
                          .token = req->token,
                          .client = req->client,
                          .bytes = op_is_store(req->op) ? 0 : (uint16_t)req->bytes};

    if (req->token == MEM_TOKEN_NONE)
        return;
    if (c->cfg.watch.answered)
        c->cfg.watch.answered(c->cfg.watch.ctx, req->client, req->token, CACHE_NO_TXN);
    if (late) {
        r.ready += c->cfg.store_miss_ack_cycles;
        cache_answer(&ch->acks, c->max_acks, &r);
    } else {
        cache_answer(&ch->hits, c->max_answers, &r);
    }
}

/* Sends the request itself below; `at` is a line to evict first, or CACHE_NO_WAY. */
static enum lookup_result pass_down(struct cache *c, struct cache_channel *ch, const struct cache_in *in, cycle_t now,
                                    uint64_t at, bool whole_line)
{
    const struct mem_req *req = &in->req;
    bool dirty = at != CACHE_NO_WAY && c->way[at].dirty;
    gaddr_t line_addr = req->addr & ~(gaddr_t)(c->cfg.line_bytes - 1);
    struct cache_out o = {.ready = leave_at(c, now), .op = req->op, .hint = req->hint, .token = MEM_TOKEN_NONE};

    o.addr = whole_line ? line_addr : req->addr;
    o.bytes = whole_line ? c->cfg.line_bytes : req->bytes;
    if (req->token != MEM_TOKEN_NONE && ch->passes_used == c->cfg.pass_slots)
        return LOOKUP_NO_MSHR;
    if (req->token != MEM_TOKEN_NONE && ch->targets_used == c->max_targets)
        return LOOKUP_NO_TARGET;
    if (!output_has(c, ch, 1 + dirty))
        return LOOKUP_NO_OUTPUT;
    if (at != CACHE_NO_WAY) {
        if (dirty)
            cache_push_writeback(c, ch, &(struct cache_victim){line_addr, c->way[at].hint}, leave_at(c, now));
        cache_count_eviction(c, at, now);
        cache_invalidate_line(c, ch, at);
    }
    if (req->token != MEM_TOKEN_NONE) {
        uint32_t id = take_txn(c, ch, TXN_PASS, req->addr >> c->line_shift, in->set);
        put_target(ch, &c->txn[id], &c->txn[id].target, req);
        c->txn[id].remaining = requests_for(c, o.addr, o.bytes);
        c->txn[id].fill_bytes = op_is_store(req->op) ? 0 : (uint16_t)o.bytes;
        o.token = id;
    }
    push_out(c, ch, &o);
    return LOOKUP_DONE;
}

/* Bytes of the line have been modified. Clean copies of peers are invalidated; a peer with modified bytes keeps those.
 */
static void set_modified(struct cache *c, struct cache_channel *ch, uint64_t at, cycle_t now)
{
    struct cache_way *w = &c->way[at];
    const struct cache_peers *p = c->cfg.peers;

    if (p && !w->dirty && !w->exclusive) {
        gaddr_t addr = (w->tag - 1) << c->line_shift;

        w->exclusive = !cache_maybe_shared(c, addr, 1);
        if (!w->exclusive)
            p->modified(p->ctx, c->client, addr, now);
    }
    cache_set_dirty(c, ch, at);
}

static bool leaves_order(enum mem_action act)
{
    return act == MEM_ACT_STREAM || act == MEM_ACT_HIT_EVICT;
}

/* The youngest request in the output queue, when it fetches the other line of an aligned pair and one request can fetch
 * both; else null. */
static struct cache_out *pair_of(const struct cache *c, const struct cache_channel *ch, gaddr_t addr, uint8_t op,
                                 struct mem_hint hint)
{
    struct cache_out *o = ch->out.count ? cache_outs_at(&ch->out, ch->out.count - 1) : NULL;

    if (c->cfg.request_bytes <= c->cfg.line_bytes || !o || o->token == MEM_TOKEN_NONE ||
        c->txn[o->token].kind != TXN_FILL || c->txn[o->token].pair)
        return NULL;
    return (o->addr ^ addr) == c->cfg.line_bytes && o->bytes == c->cfg.line_bytes && o->op == op &&
                   o->hint.scope == hint.scope && o->hint.temporal == hint.temporal
               ? o
               : NULL;
}

/* Merges a secondary miss into the MSHR t of the line. */
static inline enum lookup_result merge(struct cache *c, struct cache_channel *ch, struct cache_txn *t,
                                       const struct mem_req *req, enum mem_action act)
{
    if (ch->targets_used == c->max_targets)
        return LOOKUP_NO_TARGET;
    /* a fetch that was granted shared cannot be modified: the atomic upgrades the line when it is present */
    if (c->cfg.peers && req->op == MEM_ATOMIC && t->granted && !t->exclusive)
        return LOOKUP_NO_MSHR;
    t->stream &= leaves_order(act);
    t->no_alloc &= act == MEM_ACT_NO_ALLOC;
    put_target(ch, t, next_target(c, ch, t), req);
    c->stats.op[req->op].misses++;
    c->stats.op[req->op].mshr_merges++;
    return LOOKUP_DONE;
}

/* Merges a secondary miss, or allocates an MSHR for a primary one. */
static enum lookup_result miss(struct cache *c, struct cache_channel *ch, const struct cache_in *in, cycle_t now,
                               enum mem_action act)
{
    const struct mem_req *req = &in->req;
    uint64_t line = req->addr >> c->line_shift;
    struct cache_txn *t = cache_find_mshr(c, ch, line);
    gaddr_t addr = line << c->line_shift;

    if (t)
        return merge(c, ch, t, req, act);
    /* an atomic or a store fetches as a load does; its modification stays in this cache */
    uint8_t op = req->op == MEM_ATOMIC || req->op == MEM_STORE ? MEM_LOAD : req->op;
    struct cache_out *first = pair_of(c, ch, addr, op, req->hint);

    /* the two lines of a pair share the MSHR of their request */
    if (!first && ch->mshrs_used == c->cfg.mshrs)
        return LOOKUP_NO_MSHR;
    if (c->in_flight && c->in_flight[in->set] >= c->cfg.ways)
        return LOOKUP_NO_MSHR;
    if (ch->targets_used == c->max_targets)
        return LOOKUP_NO_TARGET;
    if (!first && !output_has(c, ch, 1))
        return LOOKUP_NO_OUTPUT;
    uint32_t id = take_txn(c, ch, TXN_FILL, line, in->set);
    t = &c->txn[id];
    t->stream = leaves_order(act);
    t->no_alloc = act == MEM_ACT_NO_ALLOC;
    t->hint = req->hint;
    if (c->txn_asked)
        c->txn_asked[id] = now;
    t->remaining = requests_for(c, addr, c->cfg.line_bytes);
    t->fill_bytes = (uint16_t)c->cfg.line_bytes;
    put_target(ch, t, &t->target, req);
    if (first) {
        first->ready = leave_at(c, now);
        first->addr &= ~(gaddr_t)c->cfg.line_bytes;
        first->bytes *= 2;
        c->txn[first->token].pair = id + 1;
        t->second_of_pair = true;
        ch->mshrs_used--;
    } else {
        count_mshr_taken(c, ch, now);
        push_out(c, ch,
                 &(struct cache_out){.ready = leave_at(c, now),
                                     .addr = addr,
                                     .bytes = c->cfg.line_bytes,
                                     .op = op,
                                     .hint = req->hint,
                                     .token = id});
    }
    c->stats.op[req->op].misses++;
    return LOOKUP_DONE;
}

static enum lookup_result store_through(struct cache *c, struct cache_channel *ch, const struct cache_in *in,
                                        cycle_t now, uint64_t at, bool stream)
{
    const struct mem_req *req = &in->req;
    enum lookup_result r = pass_down(c, ch, in, now, CACHE_NO_WAY, false);
    uint32_t written = cache_sectors_covered(c, req->addr, req->bytes);
    struct cache_victim ignored;

    if (r != LOOKUP_DONE)
        return r;
    if (at != CACHE_NO_WAY) {
        c->stats.op[req->op].hits++;
        if (!stream)
            cache_touch(c, in->set, at);
    } else {
        c->stats.op[req->op].misses++;
        if (c->cfg.write == CACHE_WRITE_BACK || !c->cfg.write_allocate || req->bytes != c->cfg.line_bytes)
            return r;
        cache_install(c, ch, in->set, req->addr >> c->line_shift, stream, req->hint, &at, &ignored, now);
        cache_tell_line(c, at, true, now);
    }
    c->way[at].valid |= written;
    c->way[at].hint = req->hint;
    return r;
}

static enum lookup_result store_back(struct cache *c, struct cache_channel *ch, const struct cache_in *in, cycle_t now,
                                     uint64_t at, enum mem_action act)
{
    const struct mem_req *req = &in->req;
    bool stream = leaves_order(act);
    uint64_t line = req->addr >> c->line_shift;
    bool hit = at != CACHE_NO_WAY;
    bool allocate = c->cfg.write_allocate && act != MEM_ACT_NO_ALLOC;
    struct cache_victim victim;

    if (!hit) {
        if (cache_find_mshr(c, ch, line) || (allocate && c->cfg.fetch_on_write_miss && req->bytes != c->cfg.line_bytes))
            return miss(c, ch, in, now, act);
        if (!allocate) {
            enum lookup_result r = pass_down(c, ch, in, now, CACHE_NO_WAY, false);
            c->stats.op[req->op].misses += r == LOOKUP_DONE;
            return r;
        }
    }
    if (!can_respond(c, ch, now, is_late(c, !hit)))
        return LOOKUP_NO_RESPONSE;
    if (!hit && !output_has(c, ch, 1))
        return LOOKUP_NO_OUTPUT;
    if (hit) {
        c->stats.op[req->op].hits++;
        if (!stream)
            cache_touch(c, in->set, at);
    } else {
        c->stats.op[req->op].misses++;
        if (cache_install(c, ch, in->set, line, stream, req->hint, &at, &victim, now))
            cache_push_writeback(c, ch, &victim, leave_at(c, now));
        cache_tell_line(c, at, true, now);
    }
    c->way[at].valid |= cache_sectors_covered(c, req->addr, req->bytes);
    c->way[at].hint = req->hint;
    set_modified(c, ch, at, now);
    respond(c, ch, req, now, is_late(c, !hit));
    return LOOKUP_DONE;
}

static ALWAYS_INLINE enum lookup_result load(struct cache *c, struct cache_channel *ch, const struct cache_in *in,
                                             cycle_t now, uint64_t at, enum mem_action act)
{
    const struct mem_req *req = &in->req;
    uint32_t need = cache_sectors_touched(c, req->addr, req->bytes);

    if (at == CACHE_NO_WAY || (c->way[at].valid & need) != need)
        return miss(c, ch, in, now, act);
    if (!can_respond(c, ch, now, false))
        return LOOKUP_NO_RESPONSE;
    c->stats.op[req->op].hits++;
    if (!leaves_order(act))
        cache_touch(c, in->set, at);
    if (req->op == MEM_ATOMIC)
        cache_set_dirty(c, ch, at);
    respond(c, ch, req, now, false);
    if (c->cfg.watch.hit)
        c->cfg.watch.hit(c->cfg.watch.ctx, req, c->asked[at], now);
    if (act == MEM_ACT_HIT_EVICT && !c->way[at].dirty) {
        cache_count_eviction(c, at, now);
        cache_invalidate_line(c, ch, at);
    }
    return LOOKUP_DONE;
}

ALWAYS_INLINE enum lookup_result cache_lookup(struct cache *c, struct cache_channel *ch, const struct cache_in *in,
                                              cycle_t now)
{
    const struct mem_req *req = &in->req;
    uint64_t at = cache_find(c, in->set, req->addr >> c->line_shift);
    enum mem_action act =
        c->policy ? mem_policy_action(c->policy, c->cfg.level, (enum mem_op)req->op, req->hint) : MEM_ACT_KEEP;
    bool store = op_is_store(req->op);
    enum lookup_result r;

    if ((req->op == MEM_ATOMIC && !c->cfg.atomics) || (store && c->cfg.write == CACHE_READ_ONLY))
        act = MEM_ACT_BYPASS;
    if (act == MEM_ACT_BYPASS || act == MEM_ACT_MISS_EVICT) {
        bool whole = act == MEM_ACT_MISS_EVICT && !store && req->op != MEM_ATOMIC;
        r = pass_down(c, ch, in, now, at, whole);
        c->stats.op[req->op].misses += r == LOOKUP_DONE;
        c->stats.op[req->op].bypasses += r == LOOKUP_DONE;
    } else if (c->cfg.peers && req->op == MEM_ATOMIC && at != CACHE_NO_WAY && !c->way[at].exclusive) {
        r = miss(c, ch, in, now, act);
        c->stats.upgrades += r == LOOKUP_DONE;
    } else if (!store) {
        r = load(c, ch, in, now, at, act);
    } else if (c->cfg.write == CACHE_WRITE_THROUGH || act == MEM_ACT_WRITE_THROUGH) {
        r = store_through(c, ch, in, now, at, act == MEM_ACT_STREAM);
    } else {
        r = store_back(c, ch, in, now, at, act);
    }
    if (r == LOOKUP_DONE) {
        c->stats.op[req->op].accesses++;
        if (store)
            c->stats.store_requests += parts_of(c->cfg.store_request_bytes, req->addr, req->bytes);
        if (store || req->op == MEM_ATOMIC)
            c->stats.store_bytes += req->bytes;
        else
            c->stats.prefetches += req->token == MEM_TOKEN_NONE;
    }
    return r;
}

static void unhash(struct cache *c, struct cache_channel *ch, uint32_t id)
{
    uint32_t *p = &ch->bucket[bucket_of(c, c->txn[id].line)];

    while (*p != id + 1)
        p = &c->txn[*p - 1].next;
    *p = c->txn[id].next;
}

/* Installs the line of a completed fetch; a victim that is written back may leave from `now` on. */
static void install_fill(struct cache *c, struct cache_channel *ch, uint32_t id, cycle_t now)
{
    const struct cache_txn *t = &c->txn[id];
    struct cache_victim victim;
    uint64_t at = cache_find(c, t->set, t->line);
    bool dirties = t->target.dirties;

    for (uint32_t i = t->target.next; i; i = c->target[i - 1].next)
        dirties |= c->target[i - 1].dirties;
    /* of a line invalidated while in flight, only modified bytes are kept */
    if ((t->invalidated || (t->no_alloc && at == CACHE_NO_WAY)) && !dirties)
        return;
    if (at == CACHE_NO_WAY) {
        if (cache_install(c, ch, t->set, t->line, t->stream, t->hint, &at, &victim, now))
            cache_push_writeback(c, ch, &victim, now);
        cache_tell_line(c, at, true, now);
    }
    if (c->cfg.line_cycles)
        cache_take_bus(c, ch, (uint64_t)c->cfg.line_cycles << RATE_FP_BITS, now);
    c->way[at].valid = UINT32_MAX;
    c->way[at].exclusive |= t->exclusive;
    if (c->asked)
        c->asked[at] = c->txn_asked[id];
    if (dirties)
        set_modified(c, ch, at, now);
}

/* A target's response may leave from its latency on. */
static inline void answer_target(struct cache *c, struct cache_channel *ch, const struct cache_target *g, uint32_t from,
                                 uint32_t releases, cycle_t now)
{
    if (g->token == MEM_TOKEN_NONE) {
        ch->targets_used--;
        if (releases)
            c->in_flight[releases - 1]--;
        return;
    }
    if (c->cfg.watch.answered)
        c->cfg.watch.answered(c->cfg.watch.ctx, g->client, g->token, from);
    cache_answer(&ch->fills, c->max_targets,
                 &(struct cache_rsp){.ready = now + c->cfg.fill_latency_cycles,
                                     .token = g->token,
                                     .client = g->client,
                                     .bytes = g->data_bytes,
                                     .releases = releases});
}

void cache_finish_txn(struct cache *c, uint32_t id, uint32_t from, cycle_t now)
{
    struct cache_txn *t = &c->txn[id];
    struct cache_channel *ch = &c->channel[t->channel];

    c->stats.fill_bytes += t->fill_bytes;
    ch->blocked_on = LOOKUP_DONE;
    if (t->kind == TXN_FILL) {
        install_fill(c, ch, id, now);
        unhash(c, ch, id);
        if (!t->second_of_pair) {
            ch->mshrs_used--;
            count_mshr_freed(c, ch, now);
        }
        cache_count_copies(c, t->line, -1);
    } else {
        ch->passes_used--;
    }
    uint32_t releases = c->in_flight && t->kind == TXN_FILL ? t->set + 1 : 0;

    answer_target(c, ch, &t->target, from, t->target.next ? 0 : releases, now);
    for (uint32_t i = t->target.next; i;) {
        struct cache_target *g = &c->target[i - 1];
        uint32_t next = g->next;

        answer_target(c, ch, g, from, next ? 0 : releases, now);
        g->next = ch->target_free;
        ch->target_free = i;
        i = next;
    }
    t->kind = TXN_FREE;
    t->next = ch->txn_free;
    ch->txn_free = id + 1;
}
