#include "mem/hierarchy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/util/fifo.h"

#define NO_UNIT               UINT32_MAX
#define DRAM_UNIT             0
#define HIERARCHY_BLOCK_BYTES ((size_t)4 << 20) /* of host memory */

/* A cache, or (unit 0) the DRAM. Units are numbered from the bottom up, so that one pass in that order lets a
 * completion climb all levels within its cycle. */
struct unit {
    struct hierarchy *h;
    struct cache *cache; /* null for DRAM */
    uint32_t index;
    uint32_t below;
    enum mem_level level;
    uint32_t first_cu; /* served by it, when it is one of the three entrances */
    uint32_t waiters;  /* units above that this one refused */
    bool waits;
    gaddr_t wait_addr; /* what was refused last */
};

struct cu_port {
    struct fifo done; /* uint64_t tokens */
    uint32_t outstanding;
    uint32_t unit;
};

struct hierarchy {
    struct hierarchy_config cfg;
    struct mem_policy policy;
    struct arena arena;
    struct dram dram;
    struct unit *unit;
    cycle_t *wake; /* per unit, apart so that finding the earliest is a plain loop */
    uint32_t units;
    uint32_t first_entrance; /* units from here on are vl0, k, i: they contend and rotate */
    uint32_t first_of[MEM_LEVELS], count_of[MEM_LEVELS];
    struct cu_port *port; /* [cu][kind] */
    uint64_t *ready[MEM_PORTS];
    cycle_t next;
};

static const enum mem_level entrance[MEM_PORTS] = {MEM_LEVEL_VL0, MEM_LEVEL_K, MEM_LEVEL_I};

static void wake_unit(struct hierarchy *h, uint32_t u, cycle_t when)
{
    if (when < h->wake[u])
        h->wake[u] = when;
    if (when < h->next)
        h->next = when;
}

static bool level_can_accept(const struct hierarchy *h, uint32_t u, gaddr_t addr)
{
    const struct unit *x = &h->unit[u];

    return x->cache ? cache_can_accept(x->cache, addr) : dram_can_accept(&h->dram, addr);
}

/* The plug a unit is given for the level below it: ctx is the unit itself. */
static bool below_can_accept(void *ctx, gaddr_t addr)
{
    struct unit *u = ctx, *b = &u->h->unit[u->below];
    bool ok = level_can_accept(u->h, u->below, addr);

    u->wait_addr = addr;
    if (!ok && !u->waits) {
        u->waits = true;
        b->waiters++;
    }
    return ok;
}

static void below_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct unit *u = ctx, *b = &u->h->unit[u->below];

    if (b->cache)
        cache_accept(b->cache, req, now);
    else
        dram_accept(&u->h->dram, req, now);
    /* what is accepted in a cycle is looked at from the next on */
    wake_unit(u->h, u->below, now + 1);
}

/* Completions of an inner unit: `client` is the unit above that asked. */
static void complete_above(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    cache_fill(h->unit[client].cache, token, now);
    wake_unit(h, client, now);
}

/* Completions of an entrance: `client` is the CU. */
static void complete_port(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    unsigned kind = u->level == MEM_LEVEL_VL0 ? MEM_PORT_VECTOR
                    : u->level == MEM_LEVEL_K ? MEM_PORT_SCALAR
                                              : MEM_PORT_INST;
    (void)now;
    fifo_accept(&h->port[client * MEM_PORTS + kind].done, &token);
    h->ready[kind][client / 64] |= UINT64_C(1) << (client % 64);
}

static int check_config(const struct hierarchy_config *cfg, struct err *err)
{
    static const enum mem_level required[] = {MEM_LEVEL_VL0, MEM_LEVEL_K, MEM_LEVEL_I, MEM_LEVEL_L2};

    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!cfg->present[required[i]])
            return err_set(err, ERR_USAGE, "memory hierarchy: level %s is required", mem_level_key[required[i]]);
    if (!cfg->cus || cfg->cus > 4096)
        return err_set(err, ERR_USAGE, "memory hierarchy: cus is %u; expected 1 to 4096", cfg->cus);
    if (!cfg->cus_per_k || !cfg->cus_per_i || (cfg->present[MEM_LEVEL_GL1] && !cfg->cus_per_gl1))
        return err_set(err, ERR_USAGE,
                       "memory hierarchy: CUs per scalar cache %u, instruction cache %u, GL1 %u; "
                       "expected at least 1",
                       cfg->cus_per_k, cfg->cus_per_i, cfg->cus_per_gl1);
    if (cfg->l2s > 64 || (cfg->l2s && !cfg->cus_per_l2_turn))
        return err_set(err, ERR_USAGE,
                       "memory hierarchy: %u L2s in turns of %u CUs; expected at most 64, of at least 1", cfg->l2s,
                       cfg->cus_per_l2_turn);
    if (!cfg->max_outstanding || cfg->max_outstanding > 65536)
        return err_set(err, ERR_USAGE, "memory hierarchy: max_outstanding is %u; expected 1 to 65536",
                       cfg->max_outstanding);
    if (cfg->gen >= MEM_GEN_COUNT)
        return err_set(err, ERR_USAGE, "memory hierarchy: unknown generation %d", (int)cfg->gen);
    return 0;
}

static uint32_t sharing(const struct hierarchy_config *cfg, enum mem_level level)
{
    switch (level) {
    case MEM_LEVEL_VL0:
        return 1;
    case MEM_LEVEL_K:
        return cfg->cus_per_k;
    case MEM_LEVEL_I:
        return cfg->cus_per_i;
    case MEM_LEVEL_GL1:
        return cfg->cus_per_gl1;
    default:
        return cfg->cus;
    }
}

static uint32_t caches_of(const struct hierarchy_config *cfg, enum mem_level level)
{
    if (level == MEM_LEVEL_L2 && cfg->l2s)
        return cfg->l2s;
    return (cfg->cus - 1) / sharing(cfg, level) + 1;
}

/* The unit that serves a CU at a level. */
static uint32_t unit_of(const struct hierarchy *h, enum mem_level level, uint32_t cu)
{
    const struct hierarchy_config *cfg = &h->cfg;

    if (!cfg->present[level])
        return NO_UNIT;
    if (level == MEM_LEVEL_L2 && cfg->l2s)
        return h->first_of[level] + cu / cfg->cus_per_l2_turn % cfg->l2s;
    return h->first_of[level] + cu / sharing(cfg, level);
}

static uint32_t below_of(const struct hierarchy *h, enum mem_level level, uint32_t cu)
{
    uint32_t b = NO_UNIT;

    if (level == MEM_LEVEL_VL0)
        b = unit_of(h, MEM_LEVEL_GL1, cu);
    if (b == NO_UNIT && level != MEM_LEVEL_L2 && level != MEM_LEVEL_MALL)
        b = unit_of(h, MEM_LEVEL_L2, cu);
    if (b == NO_UNIT && level == MEM_LEVEL_L2)
        b = unit_of(h, MEM_LEVEL_MALL, cu);
    return b == NO_UNIT ? DRAM_UNIT : b;
}

static bool is_entrance(enum mem_level level)
{
    return level == MEM_LEVEL_VL0 || level == MEM_LEVEL_K || level == MEM_LEVEL_I;
}

static int build_cache(struct hierarchy *h, uint32_t index, enum mem_level level, uint32_t first_cu, struct err *err)
{
    struct unit *u = &h->unit[index];
    struct cache_config cc = h->cfg.cache[level];
    const struct unit *b;

    *u = (struct unit){.h = h, .index = index, .level = level, .first_cu = first_cu};
    u->below = below_of(h, level, first_cu);
    b = &h->unit[u->below];
    cc.check_every_cycle = h->cfg.check_every_cycle;
    cc.level = level;
    cc.name = mem_level_key[level];
    if (!cc.request_bytes)
        cc.request_bytes = cc.line_bytes;
    if (b->cache && cc.request_bytes > cache_get_config(b->cache)->line_bytes)
        cc.request_bytes = cache_get_config(b->cache)->line_bytes;
    struct mem_sink sink =
        is_entrance(level) ? (struct mem_sink){u, complete_port} : (struct mem_sink){h, complete_above};
    struct mem_port next = {u, below_can_accept, below_accept};
    u->cache = cache_new(&cc, &h->policy, next, (uint16_t)index, sink, &h->arena, err);
    return u->cache ? 0 : -1;
}

static int build_units(struct hierarchy *h, struct err *err)
{
    static const enum mem_level order[] = {MEM_LEVEL_MALL, MEM_LEVEL_L2, MEM_LEVEL_GL1,
                                           MEM_LEVEL_VL0,  MEM_LEVEL_K,  MEM_LEVEL_I};
    const struct hierarchy_config *cfg = &h->cfg;

    h->units = 1;
    for (size_t i = 0; i < MEM_LEVELS; i++) {
        enum mem_level l = order[i];
        if (l == MEM_LEVEL_VL0)
            h->first_entrance = h->units;
        if (!cfg->present[l])
            continue;
        h->first_of[l] = h->units;
        h->count_of[l] = caches_of(cfg, l);
        h->units += h->count_of[l];
    }
    h->unit = ARENA_NEW(&h->arena, h->units, struct unit);
    h->wake = ARENA_NEW(&h->arena, h->units, cycle_t);
    if (!h->unit || !h->wake)
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    for (uint32_t u = 0; u < h->units; u++)
        h->wake[u] = CYCLE_NEVER;
    h->unit[DRAM_UNIT] = (struct unit){.h = h, .below = NO_UNIT};
    if (dram_init(&h->dram, &cfg->dram, (struct mem_sink){h, complete_above}, &h->arena, err))
        return -1;
    for (size_t i = 0; i < MEM_LEVELS; i++)
        for (uint32_t k = 0; k < h->count_of[order[i]]; k++)
            /* below an L2 all is one, so any CU will do */
            if (build_cache(h, h->first_of[order[i]] + k, order[i],
                            order[i] == MEM_LEVEL_L2 ? 0 : k * sharing(cfg, order[i]), err))
                return -1;
    return 0;
}

static int build_ports(struct hierarchy *h, struct err *err)
{
    uint32_t n = h->cfg.cus * MEM_PORTS;

    h->port = ARENA_NEW(&h->arena, n, struct cu_port);
    for (unsigned k = 0; k < MEM_PORTS; k++)
        h->ready[k] = ARENA_NEW(&h->arena, (h->cfg.cus + 63) / 64, uint64_t);
    if (!h->port || !h->ready[0] || !h->ready[1] || !h->ready[2])
        return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    for (uint32_t i = 0; i < n; i++) {
        h->port[i].unit = unit_of(h, entrance[i % MEM_PORTS], i / MEM_PORTS);
        if (!fifo_init_arena(&h->port[i].done, &h->arena, sizeof(uint64_t), h->cfg.max_outstanding))
            return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
    }
    return 0;
}

struct hierarchy *hierarchy_new(const struct hierarchy_config *cfg, struct err *err)
{
    struct hierarchy *h;

    if (check_config(cfg, err))
        return NULL;
    h = calloc(1, sizeof *h);
    if (!h) {
        err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
        return NULL;
    }
    h->cfg = *cfg;
    h->next = CYCLE_NEVER;
    arena_init(&h->arena, HIERARCHY_BLOCK_BYTES);
    mem_policy_init(&h->policy, cfg->gen);
    if (build_units(h, err) || build_ports(h, err)) {
        hierarchy_free(h);
        return NULL;
    }
    return h;
}

void hierarchy_free(struct hierarchy *h)
{
    if (!h)
        return;
    arena_free(&h->arena);
    free(h);
}

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct cu_port *p = &h->port[cu * MEM_PORTS + port];

    return p->outstanding < h->cfg.max_outstanding && cache_can_accept(h->unit[p->unit].cache, addr);
}

void hierarchy_accept(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    struct mem_req r = *req;

    r.client = (uint16_t)cu;
    if (r.token != MEM_TOKEN_NONE)
        p->outstanding++;
    cache_accept(h->unit[p->unit].cache, &r, now);
    wake_unit(h, p->unit, now + 1);
}

static void wake_waiters(struct hierarchy *h, uint32_t below, cycle_t now)
{
    for (uint32_t u = below + 1; u < h->units && h->unit[below].waiters; u++) {
        struct unit *w = &h->unit[u];
        if (w->below != below || !w->waits)
            continue;
        /* with one channel there is one request to offer; no need to wake when it would be refused again */
        if (cache_get_config(w->cache)->channels == 1 && !level_can_accept(h, below, w->wait_addr))
            continue;
        w->waits = false;
        h->unit[below].waiters--;
        cache_unblock(w->cache, now);
        wake_unit(h, u, now);
    }
}

static void tick_unit(struct hierarchy *h, uint32_t u, cycle_t now)
{
    struct unit *x = &h->unit[u];
    bool freed;

    h->wake[u] = x->cache ? cache_tick(x->cache, now) : dram_tick(&h->dram, now);
    freed = x->cache ? cache_freed_room(x->cache) : h->dram.freed_room;
    if (freed && x->waiters)
        wake_waiters(h, u, now);
}

static void tick_units(struct hierarchy *h, uint32_t from, uint32_t end, cycle_t now)
{
    for (uint32_t u = from; u < end; u++)
        if (h->wake[u] <= now || h->cfg.check_every_cycle)
            tick_unit(h, u, now);
}

cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now)
{
    uint32_t entrances = h->units - h->first_entrance;
    uint32_t start = (uint32_t)(now % entrances);
    cycle_t next = CYCLE_NEVER;

    assert(now <= h->next);
    if (now < h->next && !h->cfg.check_every_cycle)
        return h->next;
    tick_units(h, 0, h->first_entrance, now);
    tick_units(h, h->first_entrance + start, h->units, now);
    tick_units(h, h->first_entrance, h->first_entrance + start, now);
    for (uint32_t u = 0; u < h->units; u++)
        next = h->wake[u] < next ? h->wake[u] : next;
    h->next = next;
    return next;
}

cycle_t hierarchy_next(const struct hierarchy *h)
{
    return h->next;
}

bool hierarchy_pop(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint64_t *token)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    const uint64_t *t = fifo_front(&p->done);

    if (!t)
        return false;
    *token = *t;
    fifo_pop(&p->done);
    p->outstanding--;
    if (fifo_is_idle(&p->done))
        h->ready[port][cu / 64] &= ~(UINT64_C(1) << (cu % 64));
    return true;
}

uint64_t hierarchy_ready_mask(const struct hierarchy *h, enum mem_port_kind port, uint32_t word)
{
    return h->ready[port][word];
}

void hierarchy_invalidate(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now)
{
    for (unsigned l = 0; l < MEM_LEVELS; l++)
        if (levels >> l & 1 && h->cfg.present[l]) {
            uint32_t u = unit_of(h, (enum mem_level)l, cu);
            cache_invalidate(h->unit[u].cache, now);
            if (!cache_is_idle(h->unit[u].cache))
                wake_unit(h, u, now + 1);
        }
}

void hierarchy_writeback(struct hierarchy *h, uint32_t cu, uint32_t levels, cycle_t now)
{
    for (unsigned l = 0; l < MEM_LEVELS; l++)
        if (levels >> l & 1 && h->cfg.present[l]) {
            uint32_t u = unit_of(h, (enum mem_level)l, cu);
            cache_writeback(h->unit[u].cache, now);
            wake_unit(h, u, now + 1);
        }
}

bool hierarchy_is_writing_back(const struct hierarchy *h, uint32_t cu, uint32_t levels)
{
    for (unsigned l = 0; l < MEM_LEVELS; l++)
        if (levels >> l & 1 && h->cfg.present[l] &&
            cache_is_writing_back(h->unit[unit_of(h, (enum mem_level)l, cu)].cache))
            return true;
    return false;
}

bool hierarchy_is_idle(const struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->units; u++)
        if (!cache_is_idle(h->unit[u].cache))
            return false;
    return dram_is_idle(&h->dram);
}

bool hierarchy_cache_stats(const struct hierarchy *h, enum mem_level level, struct cache_stats *out)
{
    /* every member is a uint64_t: summed as an array */
    uint64_t sum[sizeof *out / sizeof(uint64_t)] = {0}, one[sizeof *out / sizeof(uint64_t)];

    memset(out, 0, sizeof *out);
    if (!h->cfg.present[level])
        return false;
    for (uint32_t i = 0; i < h->count_of[level]; i++) {
        memcpy(one, cache_stats(h->unit[h->first_of[level] + i].cache), sizeof one);
        for (size_t k = 0; k < sizeof one / sizeof one[0]; k++)
            sum[k] += one[k];
    }
    memcpy(out, sum, sizeof sum);
    return true;
}

const struct dram_stats *hierarchy_dram_stats(const struct hierarchy *h)
{
    return &h->dram.stats;
}

int hierarchy_dump(const struct hierarchy *h, char *buf, size_t size)
{
    int n = dram_dump(&h->dram, buf, size);

    n += snprintf((size_t)n < size ? buf + n : NULL, (size_t)n < size ? size - (size_t)n : 0, "\n");
    for (uint32_t u = 1; u < h->units; u++)
        if (!cache_is_idle(h->unit[u].cache))
            n += cache_dump(h->unit[u].cache, (size_t)n < size ? buf + n : NULL,
                            (size_t)n < size ? size - (size_t)n : 0);
    return n;
}
