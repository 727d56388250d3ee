/* What caches that share lines with peers do for the home of the lines, and for who carries requests there. */
#include "mem/cache/internal.h"

static struct cache_channel *channel_at(const struct cache *c, gaddr_t addr)
{
    return &c->channel[cache_channel_of(c, addr)];
}

uint32_t cache_room(const struct cache *c, gaddr_t addr)
{
    return fifo_free_entries(&channel_at(c, addr)->in);
}

uint32_t cache_awaits(const struct cache *c, uint64_t token, gaddr_t *addr)
{
    const struct cache_txn *t = &c->txn[token];

    *addr = t->line << c->line_shift;
    return t->fill_bytes < c->cfg.request_bytes ? t->fill_bytes : c->cfg.request_bytes;
}

bool cache_may_be_elsewhere(const struct cache *c, gaddr_t addr, uint32_t own)
{
    return *cache_peers_count(c->cfg.peers, addr >> c->line_shift) > own;
}

enum cache_stake cache_stake(const struct cache *c, gaddr_t addr)
{
    uint64_t line = addr >> c->line_shift, at = cache_find(c, cache_set_base(c, addr), line);
    const struct cache_txn *t = cache_find_mshr(c, channel_at(c, addr), line);

    if (t && t->admitted && t->claims)
        return CACHE_TAKES;
    if (at != CACHE_NO_WAY && c->way[at].dirty)
        return CACHE_HAS_DIRTY;
    return at != CACHE_NO_WAY || (t && t->admitted) ? CACHE_HAS : CACHE_NO_STAKE;
}

bool cache_wants_alone(const struct cache *c, const struct mem_req *req)
{
    if (op_is_store(req->op) || req->op == MEM_ATOMIC)
        return true;
    return req->token != MEM_TOKEN_NONE && c->txn[req->token].kind == TXN_FILL && c->txn[req->token].claims;
}

void cache_admitted(struct cache *c, const struct mem_req *req, bool alone, cycle_t on)
{
    struct cache_txn *t;

    if (req->token == MEM_TOKEN_NONE)
        return;
    t = &c->txn[req->token];
    t->on = on;
    t->admitted = t->kind == TXN_FILL;
    t->alone = alone;
}

cycle_t cache_goes_on(const struct cache *c, const struct mem_req *req)
{
    return req->token == MEM_TOKEN_NONE ? 0 : c->txn[req->token].on;
}

void cache_yield(struct cache *c, gaddr_t addr, enum cache_yield what, cycle_t now)
{
    struct cache_channel *ch = channel_at(c, addr);
    uint64_t line = addr >> c->line_shift, at = cache_find(c, cache_set_base(c, addr), line);
    struct cache_txn *t = cache_find_mshr(c, ch, line);

    if (t && t->admitted) {
        t->alone = false;
        t->dropped |= what == CACHE_YIELD_LINE;
    }
    if (at != CACHE_NO_WAY) {
        bool changes = c->way[at].dirty && what != CACHE_YIELD_ALONE;

        c->way[at].alone = false;
        c->stats.downgrades += changes || what == CACHE_YIELD_LINE;
        if (changes) {
            c->stats.dirty_downgrades++;
            c->stats.writebacks++;
            c->stats.down_bytes += c->cfg.line_bytes;
            ch->dirty_lines--;
            c->way[at].dirty = false;
        }
        if (what == CACHE_YIELD_LINE)
            cache_drop(c, ch, at);
    }
    /* the request at the head, which lacked something, may be another case now */
    if (ch->stuck) {
        ch->stuck = LOOKUP_DONE;
        cache_wake(c, cache_channel_of(c, addr), now);
    }
}
