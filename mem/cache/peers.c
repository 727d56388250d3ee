/* Coherence of a cache with its peers, as the home of a line asks for it: the state of a copy, grants of requests, and
 * downgrades. */
#include "mem/cache/internal.h"

static struct cache_channel *channel_at(const struct cache *c, gaddr_t addr)
{
    return &c->channel[cache_channel_of(c, addr)];
}

uint32_t cache_free_entries(const struct cache *c, gaddr_t addr)
{
    return c->cfg.input_queue - channel_at(c, addr)->in.count;
}

uint32_t cache_fill_bytes(const struct cache *c, uint64_t token, gaddr_t *addr)
{
    const struct cache_txn *t = &c->txn[token];

    *addr = t->line << c->line_shift;
    return t->fill_bytes < c->cfg.request_bytes ? t->fill_bytes : c->cfg.request_bytes;
}

bool cache_maybe_shared(const struct cache *c, gaddr_t addr, uint32_t own)
{
    return *cache_peers_count(c->cfg.peers, addr >> c->line_shift) > own;
}

enum cache_state cache_coherence_state(const struct cache *c, gaddr_t addr)
{
    uint64_t line = addr >> c->line_shift, at = cache_find(c, cache_set(c, addr), line);
    const struct cache_txn *t = cache_find_mshr(c, channel_at(c, addr), line);

    if (t && t->granted && t->wants_exclusive)
        return CACHE_STATE_ACQUIRING;
    if (at != CACHE_NO_WAY && c->way[at].dirty)
        return CACHE_STATE_DIRTY;
    return at != CACHE_NO_WAY || (t && t->granted) ? CACHE_STATE_CLEAN : CACHE_STATE_INVALID;
}

bool cache_wants_exclusive(const struct cache *c, const struct mem_req *req)
{
    if (op_is_store(req->op) || req->op == MEM_ATOMIC)
        return true;
    return req->token != MEM_TOKEN_NONE && c->txn[req->token].kind == TXN_FILL && c->txn[req->token].wants_exclusive;
}

void cache_grant(struct cache *c, const struct mem_req *req, bool exclusive, cycle_t at)
{
    struct cache_txn *t;

    if (req->token == MEM_TOKEN_NONE)
        return;
    t = &c->txn[req->token];
    t->granted_at = at;
    t->granted = t->kind == TXN_FILL;
    t->exclusive = exclusive;
}

cycle_t cache_granted_at(const struct cache *c, const struct mem_req *req)
{
    return req->token == MEM_TOKEN_NONE ? 0 : c->txn[req->token].granted_at;
}

void cache_downgrade(struct cache *c, gaddr_t addr, enum cache_downgrade to, cycle_t now)
{
    struct cache_channel *ch = channel_at(c, addr);
    uint64_t line = addr >> c->line_shift, at = cache_find(c, cache_set(c, addr), line);
    struct cache_txn *t = cache_find_mshr(c, ch, line);

    if (t && t->granted) {
        t->exclusive = false;
        t->invalidated |= to == CACHE_TO_INVALID;
    }
    if (at != CACHE_NO_WAY) {
        bool writes_back = c->way[at].dirty && to != CACHE_TO_SHARED;

        c->way[at].exclusive = false;
        c->stats.downgrades += writes_back || to == CACHE_TO_INVALID;
        if (writes_back) {
            c->stats.dirty_downgrades++;
            c->stats.writebacks++;
            c->stats.down_bytes += c->cfg.line_bytes;
            ch->dirty_lines--;
            c->way[at].dirty = false;
        }
        if (to == CACHE_TO_INVALID)
            cache_invalidate_line(c, ch, at);
    }
    /* the request at the head of the queue, which lacked something, may be another case now */
    if (ch->blocked_on) {
        ch->blocked_on = LOOKUP_DONE;
        cache_wake(c, cache_channel_of(c, addr), now);
    }
}
