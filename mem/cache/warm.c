/* Functional warming: what a request does to the lines of a cache, as lookup.c has it, without time. */
#include "mem/cache/internal.h"

/* What goes to the level below. */
struct warm_down {
    struct mem_req *req;
    unsigned count;
};

static struct cache_channel *warm_channel(struct cache *c, gaddr_t addr)
{
    return &c->channel[cache_channel(c, addr)];
}

static void warm_send(struct warm_down *down, const struct mem_req *req)
{
    down->req[down->count++] = *req;
}

static struct mem_req warm_write_of(const struct cache *c, const struct cache_victim *v)
{
    return (struct mem_req){.addr = v->addr,
                            .bytes = c->cfg.line_bytes,
                            .op = MEM_STORE,
                            .token = MEM_TOKEN_NONE,
                            .hint = {SCOPE_CU, v->hint.temporal}};
}

static void warm_write_back(const struct cache *c, struct warm_down *down, const struct cache_victim *v)
{
    const struct mem_req req = warm_write_of(c, v);

    warm_send(down, &req);
}

static uint64_t warm_allocate(struct cache *c, const struct mem_req *req, uint32_t set, bool stream,
                              struct warm_down *down)
{
    struct cache_victim victim;
    uint64_t at;

    if (cache_install(c, warm_channel(c, req->addr), set, req->addr >> c->line_shift, stream, req->hint, &at, &victim,
                      0))
        warm_write_back(c, down, &victim);
    return at;
}

static void warm_fetch(const struct cache *c, const struct mem_req *req, struct warm_down *down)
{
    struct mem_req line = *req;

    line.addr &= ~(gaddr_t)(c->cfg.line_bytes - 1);
    line.bytes = c->cfg.line_bytes;
    line.op = MEM_LOAD;
    warm_send(down, &line);
}

/* The line is evicted when it is there, and the request passed down. */
static void warm_pass(struct cache *c, const struct mem_req *req, uint64_t at, bool whole, struct warm_down *down)
{
    if (at != CACHE_NO_WAY && c->way[at].dirty)
        warm_write_back(c, down,
                        &(struct cache_victim){req->addr & ~(gaddr_t)(c->cfg.line_bytes - 1), c->way[at].hint});
    if (at != CACHE_NO_WAY)
        cache_invalidate_line(c, warm_channel(c, req->addr), at);
    if (whole)
        warm_fetch(c, req, down);
    else
        warm_send(down, req);
}

/* Loads and atomics. */
static void warm_load(struct cache *c, const struct cache_warming *w, uint64_t at, struct warm_down *down)
{
    const struct mem_req *req = &w->req;
    bool stream = w->action == MEM_ACT_STREAM || w->action == MEM_ACT_HIT_EVICT, atomic = req->op == MEM_ATOMIC;
    bool hit = at != CACHE_NO_WAY && (c->way[at].valid & w->sectors) == w->sectors;

    if (hit || (at != CACHE_NO_WAY && w->again)) /* of several at least the second one finds all of the line */
        if (!stream)
            cache_touch(c, w->set, at);
    if (!hit) {
        warm_fetch(c, req, down);
        if (at == CACHE_NO_WAY && w->action == MEM_ACT_NO_ALLOC && !atomic)
            return;
        if (at == CACHE_NO_WAY)
            at = warm_allocate(c, req, w->set, stream, down);
        c->way[at].valid = UINT32_MAX;
    }
    if (atomic)
        cache_set_dirty(c, warm_channel(c, req->addr), at);
    if (hit && w->action == MEM_ACT_HIT_EVICT && !c->way[at].dirty)
        cache_invalidate_line(c, warm_channel(c, req->addr), at);
}

static void warm_store(struct cache *c, const struct cache_warming *w, uint64_t at, struct warm_down *down)
{
    const struct mem_req *req = &w->req;
    bool through = w->action == MEM_ACT_WRITE_THROUGH;
    bool stream = w->action == MEM_ACT_STREAM || w->action == MEM_ACT_HIT_EVICT;
    bool allocates = c->cfg.write_allocate && w->action != MEM_ACT_NO_ALLOC && !through;

    if (at == CACHE_NO_WAY && allocates && c->cfg.fetch_on_write_miss && req->bytes != c->cfg.line_bytes) {
        warm_fetch(c, req, down);
        at = warm_allocate(c, req, w->set, stream, down);
        c->way[at].valid = UINT32_MAX;
        cache_set_dirty(c, warm_channel(c, req->addr), at);
        return;
    }
    if (through || (at == CACHE_NO_WAY && !allocates))
        warm_send(down, req);
    if (at == CACHE_NO_WAY && !allocates)
        return;
    if (at == CACHE_NO_WAY)
        at = warm_allocate(c, req, w->set, stream, down);
    else if (!stream)
        cache_touch(c, w->set, at);
    c->way[at].valid |= w->sectors;
    c->way[at].hint = req->hint;
    if (!through)
        cache_set_dirty(c, warm_channel(c, req->addr), at);
}

ALWAYS_INLINE uint32_t cache_warming_set(const struct cache *c, gaddr_t addr)
{
    return cache_set_in(c, addr, cache_channel_of(c, addr));
}

static uint32_t sectors_of(const struct cache *c, const struct mem_req *req)
{
    return req->op == MEM_STORE ? cache_sectors_covered(c, req->addr, req->bytes)
                                : cache_sectors_touched(c, req->addr, req->bytes);
}

void cache_warming_init(const struct cache *c, const struct mem_req *req, uint32_t set, struct cache_warming *w)
{
    enum mem_action act =
        c->policy ? mem_policy_action(c->policy, c->cfg.level, (enum mem_op)req->op, req->hint) : MEM_ACT_KEEP;

    if (req->op == MEM_ATOMIC && !c->cfg.atomics)
        act = MEM_ACT_BYPASS;
    *w = (struct cache_warming){.req = *req,
                                .set = set,
                                .sectors = sectors_of(c, req),
                                .action = (uint8_t)act,
                                .joins = (act == MEM_ACT_KEEP || act == MEM_ACT_STREAM) &&
                                         (req->op != MEM_STORE || c->cfg.write_allocate)};
}

unsigned cache_warm(struct cache *c, const struct cache_warming *w, struct mem_req down[2])
{
    uint64_t at = cache_find_here(c, w->set, w->req.addr >> c->line_shift);
    struct warm_down to = {down, 0};

    assert(c->cfg.write == CACHE_WRITE_BACK);
    if (w->action == MEM_ACT_BYPASS || w->action == MEM_ACT_MISS_EVICT)
        warm_pass(c, &w->req, at, w->action == MEM_ACT_MISS_EVICT && w->req.op == MEM_LOAD, &to);
    else if (w->req.op == MEM_STORE)
        warm_store(c, w, at, &to);
    else
        warm_load(c, w, at, &to);
    return to.count;
}

ALWAYS_INLINE bool cache_warming_join(const struct cache *c, struct cache_warming *w, const struct mem_req *req)
{
    if ((w->req.addr ^ req->addr) >> c->line_shift || !w->joins || w->req.op != req->op ||
        w->req.hint.scope != req->hint.scope || w->req.hint.temporal != req->hint.temporal)
        return false;
    w->sectors |= sectors_of(c, req);
    w->again = true;
    return true;
}

void cache_warm_writeback(struct cache *c, void (*down)(void *ctx, const struct mem_req *req), void *ctx)
{
    struct cache_victim v;

    for (uint32_t i = 0; i < c->channels.n; i++) {
        c->channel[i].writeback_at = 0;
        while (cache_next_dirty(c, i, &v)) {
            const struct mem_req req = warm_write_of(c, &v);

            down(ctx, &req);
        }
    }
}

/* ---- what the host is to bring ---- */

uint32_t cache_expect_set(const struct cache *c, gaddr_t addr)
{
    uint32_t set = cache_set(c, addr);

    __builtin_prefetch(cache_set_at(c, set));
    return set;
}

bool cache_expect_way(const struct cache *c, uint32_t set, gaddr_t addr, uint64_t *at)
{
    bool found = cache_may_have(c, set, addr >> c->line_shift, at);

    __builtin_prefetch(&c->way[*at]);
    return found;
}

bool cache_expect_victim(const struct cache *c, uint64_t at, gaddr_t *addr)
{
    const struct cache_way *w = &c->way[at];

    *addr = (w->tag - 1) << c->line_shift;
    return w->tag && w->dirty;
}

uint32_t cache_sets(const struct cache *c)
{
    return c->all_sets.n;
}
