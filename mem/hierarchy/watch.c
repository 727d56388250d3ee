/* The hierarchy as an observer sees it: which level answers each request, which load hits which line, and which lines
 * are filled and evicted.
 *
 * The level that answers is found without anything added to what travels. A cache reports when it answers a client:
 * with a line it has, or with what has come back for a transaction of its own. Each transaction therefore has a level
 * beside it here, set when the level below answers it (or when memory accepts it), and handed to its clients when it
 * finishes. The tables of near caches are written by the far side, which never runs at the same time as the group they
 * belong to.
 */
#include "mem/hierarchy/internal.h"

static uint32_t ports_through(const struct hierarchy_config *cfg, enum cache_level level)
{
    switch (level) {
    case LEVEL_VL0:
        return 1u << MEM_PORT_VECTOR;
    case LEVEL_K:
        return 1u << MEM_PORT_SCALAR;
    case LEVEL_GL1:
        return 1u << MEM_PORT_VECTOR | (uint32_t)cfg->k_through_gl1 << MEM_PORT_SCALAR |
               (uint32_t)cfg->i_through_gl1 << MEM_PORT_INST;
    default:
        return ~0u;
    }
}

static void watch_hit(void *ctx, const struct mem_req *req, cycle_t asked, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    bool entry = is_entrance(u->level);
    struct hierarchy_hit hit = {.level = u->level,
                                .op = (enum mem_op)req->op,
                                .cu = entry ? req->client : h->unit[req->client].first_cu,
                                .cus = entry ? 1 : h->unit[req->client].cus,
                                .first_cu = u->first_cu,
                                .all_cus = u->cus,
                                .ports = ports_through(&h->cfg, u->level),
                                .token = entry ? req->token : MEM_TOKEN_NONE,
                                .addr = req->addr,
                                .line_bytes = cache_get_config(u->cache)->line_bytes,
                                .asked = asked,
                                .at = now};

    h->cfg.watch.hit(h->cfg.watch.ctx, &hit);
}

static void watch_line(void *ctx, gaddr_t addr, bool filled, bool dirty, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    bool near = is_near_level(u->level);
    struct hierarchy_line line = {.level = u->level,
                                  .unit = near ? u->first_cu / hierarchy_sharing(&h->cfg, u->level)
                                               : u->index - h->far_first_of[u->level],
                                  .group = near ? u->group : HIERARCHY_FAR,
                                  .addr = addr,
                                  .filled = filled,
                                  .dirty = dirty,
                                  .at = now};

    h->cfg.watch.line(h->cfg.watch.ctx, &line);
}

static void watch_answered(void *ctx, uint16_t client, uint64_t token, uint32_t txn)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    enum cache_level level = txn == CACHE_NO_TXN ? u->level : (enum cache_level)u->answered[txn];

    if (is_entrance(u->level))
        h->cfg.watch.answered(h->cfg.watch.ctx, client,
                              u->level == LEVEL_VL0 ? MEM_PORT_VECTOR
                              : u->level == LEVEL_K ? MEM_PORT_SCALAR
                                                    : MEM_PORT_INST,
                              token, level);
    else
        h->unit[client].answered[token] = (uint8_t)level;
}

void hierarchy_watch_memory(struct hierarchy *h, const struct mem_req *req)
{
    if (req->token != MEM_TOKEN_NONE)
        h->unit[req->client].answered[req->token] = LEVEL_COUNT;
}

struct cache_watch hierarchy_watch_of(struct unit *u)
{
    const struct hierarchy_watch *w = &u->h->cfg.watch;

    return (struct cache_watch){.ctx = u,
                                .hit = w->hit && is_near_level(u->level) && u->level != LEVEL_I ? watch_hit : NULL,
                                .answered = w->answered ? watch_answered : NULL,
                                .line = w->line ? watch_line : NULL};
}

bool hierarchy_watch_init(struct unit *u)
{
    u->answered = ARENA_NEW(&u->h->arena, cache_txn_count(u->cache), uint8_t);
    return u->answered != NULL;
}
