/* Functional warming: what a request does to the lines of a cache, as lookup.c has it, without time. */
#include "mem/cache/internal.h"

/* What goes to the level below. */
struct warm_down {
    struct mem_req *req;
    unsigned count;
};

static struct cache_channel *channel_of(struct cache *c, gaddr_t addr)
{
    return &c->channel[cache_channel(c, addr)];
}

static void send(struct warm_down *down, const struct mem_req *req)
{
    down->req[down->count++] = *req;
}

static void send_victim(const struct cache *c, struct warm_down *down, const struct cache_victim *v)
{
    send(down, &(struct mem_req){.addr = v->addr,
                                 .bytes = c->cfg.line_bytes,
                                 .op = MEM_STORE,
                                 .token = MEM_TOKEN_NONE,
                                 .hint = {SCOPE_CU, v->hint.temporal}});
}

static uint64_t allocate(struct cache *c, const struct mem_req *req, uint32_t set, bool stream, struct warm_down *down)
{
    struct cache_victim victim;
    uint64_t at;

    if (cache_install(c, channel_of(c, req->addr), set, req->addr >> c->line_shift, stream, req->hint, &at, &victim, 0))
        send_victim(c, down, &victim);
    return at;
}

static void send_fetch(const struct cache *c, const struct mem_req *req, struct warm_down *down)
{
    struct mem_req line = *req;

    line.addr &= ~(gaddr_t)(c->cfg.line_bytes - 1);
    line.bytes = c->cfg.line_bytes;
    line.op = MEM_LOAD;
    send(down, &line);
}

/* The line is evicted when it is there, and the request passed down. */
static void pass(struct cache *c, const struct mem_req *req, uint64_t at, bool whole, struct warm_down *down)
{
    if (at != CACHE_NO_WAY && c->way[at].dirty)
        send_victim(c, down, &(struct cache_victim){req->addr & ~(gaddr_t)(c->cfg.line_bytes - 1), c->way[at].hint});
    if (at != CACHE_NO_WAY)
        cache_invalidate_line(c, channel_of(c, req->addr), at);
    if (whole)
        send_fetch(c, req, down);
    else
        send(down, req);
}

/* Loads and atomics. */
static void load(struct cache *c, const struct mem_req *req, uint32_t set, uint64_t at, enum mem_action act,
                 struct warm_down *down)
{
    uint32_t need = cache_sectors_touched(c, req->addr, req->bytes);
    bool stream = act == MEM_ACT_STREAM || act == MEM_ACT_HIT_EVICT, atomic = req->op == MEM_ATOMIC;

    if (at != CACHE_NO_WAY && (c->way[at].valid & need) == need) {
        if (!stream)
            cache_touch(c, set, at);
        if (atomic)
            cache_set_dirty(c, channel_of(c, req->addr), at);
        if (act == MEM_ACT_HIT_EVICT && !c->way[at].dirty)
            cache_invalidate_line(c, channel_of(c, req->addr), at);
        return;
    }
    send_fetch(c, req, down);
    if (at == CACHE_NO_WAY && act == MEM_ACT_NO_ALLOC && !atomic)
        return;
    if (at == CACHE_NO_WAY)
        at = allocate(c, req, set, stream, down);
    c->way[at].valid = UINT32_MAX;
    if (atomic)
        cache_set_dirty(c, channel_of(c, req->addr), at);
}

static void store(struct cache *c, const struct mem_req *req, uint32_t set, uint64_t at, enum mem_action act,
                  struct warm_down *down)
{
    bool through = act == MEM_ACT_WRITE_THROUGH, stream = act == MEM_ACT_STREAM || act == MEM_ACT_HIT_EVICT;
    bool allocates = c->cfg.write_allocate && act != MEM_ACT_NO_ALLOC && !through;

    if (at == CACHE_NO_WAY && allocates && c->cfg.fetch_on_write_miss && req->bytes != c->cfg.line_bytes) {
        send_fetch(c, req, down);
        at = allocate(c, req, set, stream, down);
        c->way[at].valid = UINT32_MAX;
        cache_set_dirty(c, channel_of(c, req->addr), at);
        return;
    }
    if (through || (at == CACHE_NO_WAY && !allocates))
        send(down, req);
    if (at == CACHE_NO_WAY && !allocates)
        return;
    if (at == CACHE_NO_WAY)
        at = allocate(c, req, set, stream, down);
    else if (!stream)
        cache_touch(c, set, at);
    c->way[at].valid |= cache_sectors_covered(c, req->addr, req->bytes);
    c->way[at].hint = req->hint;
    if (!through)
        cache_set_dirty(c, channel_of(c, req->addr), at);
}

unsigned cache_warm(struct cache *c, const struct mem_req *req, struct mem_req down[2])
{
    enum mem_action act =
        c->policy ? mem_policy_action(c->policy, c->cfg.level, (enum mem_op)req->op, req->hint) : MEM_ACT_KEEP;
    uint32_t set = cache_set(c, req->addr);
    uint64_t at = cache_find(c, set, req->addr >> c->line_shift);
    struct warm_down to = {down, 0};

    assert(c->cfg.write == CACHE_WRITE_BACK);
    if (req->op == MEM_ATOMIC && !c->cfg.atomics)
        act = MEM_ACT_BYPASS;
    if (act == MEM_ACT_BYPASS || act == MEM_ACT_MISS_EVICT)
        pass(c, req, at, act == MEM_ACT_MISS_EVICT && req->op == MEM_LOAD, &to);
    else if (req->op == MEM_STORE)
        store(c, req, set, at, act, &to);
    else
        load(c, req, set, at, act, &to);
    return to.count;
}
