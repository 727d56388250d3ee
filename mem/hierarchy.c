#include "mem/hierarchy.h"

#include "mem/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/util/fifo.h"

#define NO_UNIT               UINT32_MAX
#define NO_LINK               UINT32_MAX
#define CONTROL_LINK          (UINT32_MAX - 1) /* in the place of a link: the far side has written back */
#define CONTROLS_PER_CU       32
#define DRAM_UNIT             0
#define HIERARCHY_BLOCK_BYTES ((size_t)4 << 20) /* of host memory */

/* A cache, or (unit 0) the DRAM. Units are numbered from the bottom up, so that one pass in that order lets a
 * completion climb all levels of its side within its cycle. The far side comes first, then group by group the near one.
 */
struct unit {
    _Alignas(64) cycle_t wake;
    struct hierarchy *h;
    struct cache *cache; /* null for DRAM */
    uint32_t index;
    uint32_t below;
    enum mem_level level;
    uint32_t group;    /* of a near unit */
    uint32_t first_cu; /* served by it, and how many */
    uint32_t cus;
    uint32_t waiters; /* units above, of the same side, that this one refused */
    bool waits;
    gaddr_t wait_addr;   /* what was refused last */
    uint32_t first_link; /* near, with the far side below: links of its channels; else NO_LINK */
    uint32_t refused;    /* an entrance: ports that wait for room */
    struct tlb tlb;      /* near, with the far side below */
    struct fifo flushes; /* struct flush: those who wait for a far cache to have written back */
};

struct flush {
    uint64_t id; /* in the control list of the unit's group */
    uint32_t unit;
};

struct cu_port {
    struct fifo done; /* uint64_t tokens; without a sink */
    uint32_t outstanding;
    uint32_t unit;
    bool refused; /* waits for room */
};

/* What goes down, from a channel of a near unit; kept in order until the far side has taken it. */
struct link_entry {
    cycle_t at; /* sent, its address translated */
    struct mem_req req;
};

struct link {
    struct fifo queue; /* struct link_entry */
    cycle_t ready;     /* of its youngest entry */
    uint32_t unit;
    uint32_t target;       /* channel of the far side that takes its oldest entry */
    uint32_t next;         /* in a list of those to be looked at in the same cycle; link + 1 */
    uint32_t posted;       /* entries nobody waits for, until the near side knows that they were taken */
    uint32_t posted_limit; /* all others are bounded by the miss registers and slots of the unit */
    bool known;            /* by the far side: its oldest entry is in a list or waits for room */
    bool fresh;            /* in the group's list of links with news */
};

/* What goes up. */
struct up_entry {
    cycle_t at; /* arrives */
    uint64_t token;
    uint32_t unit;
    uint32_t link; /* whose posted entry was taken; NO_LINK: a completion */
};

struct near_group {
    _Alignas(64) cycle_t next;
    uint32_t first_unit, end_unit, first_entrance;
    uint32_t first_of[MEM_LEVELS];
    struct fifo up; /* struct up_entry, by arrival */
    struct control_list controls;
    uint32_t *fresh, fresh_count;
};

/* Links are looked at in lists by cycle, of so many cycles ahead. */
#define WHEEL_CYCLES 512
_Static_assert(HIERARCHY_MAX_EPOCH + TLB_MAX_CYCLES < WHEEL_CYCLES, "what is sent has its place on the wheel");

struct far_side {
    cycle_t next;
    uint32_t units;               /* 0 .. units-1 */
    uint32_t first_l2;            /* or what else takes the links' entries */
    uint32_t targets;             /* channels of those */
    uint32_t channels;            /* of each */
    uint32_t words;               /* of a mask of links */
    uint64_t *waiting;            /* [target][word]: links that wait for room there */
    uint32_t *waiters;            /* per target */
    uint64_t *busy;               /* targets with waiters */
    uint32_t wheel[WHEEL_CYCLES]; /* link + 1 */
    uint32_t scheduled;           /* links on the wheel */
    uint32_t flushes;             /* under way */
    cycle_t done;                 /* cycles before this one are over */
};

struct hierarchy {
    struct hierarchy_config cfg;
    struct hierarchy_sink sink;
    uint8_t page_shift;
    struct mem_policy policy;
    struct arena arena;
    struct dram dram;
    struct unit *unit;
    uint32_t units;
    struct near_group *group;
    uint32_t groups;
    struct far_side far;
    struct link *link;
    uint32_t links;
    uint32_t far_first_of[MEM_LEVELS];
    struct cu_port *port; /* [cu][kind] */
    uint64_t *ready[MEM_PORTS];
};

static const enum mem_level entrance[MEM_PORTS] = {MEM_LEVEL_VL0, MEM_LEVEL_K, MEM_LEVEL_I};

static bool is_far(const struct hierarchy *h, uint32_t unit)
{
    return unit < h->far.units;
}

static void wake_unit(struct hierarchy *h, uint32_t u, cycle_t when)
{
    cycle_t *next = is_far(h, u) ? &h->far.next : &h->group[h->unit[u].group].next;

    if (when < h->unit[u].wake)
        h->unit[u].wake = when;
    if (when < *next)
        *next = when;
}

static bool level_can_accept(const struct hierarchy *h, uint32_t u, gaddr_t addr)
{
    const struct unit *x = &h->unit[u];

    return x->cache ? cache_can_accept(x->cache, addr) : dram_can_accept(&h->dram, addr);
}

/* The plug a unit is given for the level below it, when that is on its own side: ctx is the unit itself. */
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

/* The same for a near unit above the far side: everything with a completion to come has its place. */
static struct link *link_of(const struct unit *u, gaddr_t addr)
{
    return &u->h->link[u->first_link + cache_channel(u->cache, addr)];
}

static bool link_can_accept(void *ctx, gaddr_t addr)
{
    const struct link *l = link_of(ctx, addr);

    return l->posted < l->posted_limit;
}

/* Cycles until the address of a request is known to the far side. */
static uint32_t translation(struct unit *u, const struct mem_req *req)
{
    const struct tlb_config *t = &u->h->cfg.tlb;

    if (!t->entries || !req->bytes)
        return 0;
    return tlb_lookup(&u->tlb, req->addr >> u->h->page_shift) ? 0 : t->miss_cycles;
}

static void link_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct unit *u = ctx;
    struct near_group *g = &u->h->group[u->group];
    struct link *l = link_of(u, req->addr);
    struct link_entry *e = fifo_push(&l->queue);
    cycle_t at = now + translation(u, req);

    l->ready = at > l->ready ? at : l->ready;
    *e = (struct link_entry){l->ready, *req};
    l->posted += req->token == MEM_TOKEN_NONE;
    if (!l->known && !l->fresh) {
        l->fresh = true;
        g->fresh[g->fresh_count++] = (uint32_t)(l - u->h->link);
    }
}

static void send_up(struct hierarchy *h, uint32_t unit, uint64_t token, uint32_t link, cycle_t at)
{
    struct near_group *g = &h->group[h->unit[unit].group];
    struct up_entry *e = fifo_push(&g->up);

    *e = (struct up_entry){at, token, unit, link};
    if (at < g->next)
        g->next = at;
}

/* Completions of an inner unit: `client` is the unit above that asked. */
static void complete_above(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    cache_fill(h->unit[client].cache, token, now);
    wake_unit(h, client, now);
}

/* Completions of what the near side has asked. */
static void complete_link(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    send_up(h, client, token, NO_LINK, now + h->cfg.link_cycles);
}

/* Completions of an entrance: `client` is the CU. */
static void complete_port(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    unsigned kind = u->level == MEM_LEVEL_VL0 ? MEM_PORT_VECTOR
                    : u->level == MEM_LEVEL_K ? MEM_PORT_SCALAR
                                              : MEM_PORT_INST;
    struct cu_port *p = &h->port[client * MEM_PORTS + kind];

    if (h->sink.complete) {
        if (p->outstanding-- == h->cfg.max_outstanding && p->refused) {
            p->refused = false;
            u->refused--;
            h->sink.room(h->sink.ctx, client, (enum mem_port_kind)kind, now);
        }
        h->sink.complete(h->sink.ctx, client, (enum mem_port_kind)kind, token, now);
        return;
    }
    fifo_accept(&p->done, &token);
    h->ready[kind][client / 64] |= UINT64_C(1) << (client % 64);
}

/* CUs of different groups share nothing near. */
static int check_groups(const struct hierarchy_config *cfg, struct err *err)
{
    const uint32_t share[] = {cfg->cus_per_k, cfg->cus_per_i, cfg->present[MEM_LEVEL_GL1] ? cfg->cus_per_gl1 : 1};
    uint32_t n = cfg->cus_per_group;

    for (size_t i = 0; i < sizeof share / sizeof share[0]; i++)
        if (n && n < cfg->cus && n % share[i])
            return err_set(err, ERR_USAGE, "memory hierarchy: groups of %u CUs; %u share a cache", n, share[i]);
    if (n && cfg->l2s > 1 && cfg->cus_per_l2_turn % n)
        return err_set(err, ERR_USAGE, "memory hierarchy: groups of %u CUs; the L2s take turns of %u", n,
                       cfg->cus_per_l2_turn);
    if (cfg->link_cycles > 100000)
        return err_set(err, ERR_USAGE, "memory hierarchy: link_cycles is %u; expected up to 100000", cfg->link_cycles);
    return 0;
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
    if (tlb_check_config(&cfg->tlb, err) || check_groups(cfg, err))
        return -1;
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
    case MEM_LEVEL_K:
        return cfg->cus_per_k;
    case MEM_LEVEL_I:
        return cfg->cus_per_i;
    case MEM_LEVEL_GL1:
        return cfg->cus_per_gl1;
    default:
        return 1;
    }
}

static bool is_near_level(enum mem_level level)
{
    return level != MEM_LEVEL_L2 && level != MEM_LEVEL_MALL;
}

static bool is_entrance(enum mem_level level)
{
    return level == MEM_LEVEL_VL0 || level == MEM_LEVEL_K || level == MEM_LEVEL_I;
}

static uint32_t cus_per_group(const struct hierarchy_config *cfg)
{
    return cfg->cus_per_group && cfg->cus_per_group < cfg->cus ? cfg->cus_per_group : cfg->cus;
}

/* The unit that serves a CU at a level. */
static uint32_t unit_of(const struct hierarchy *h, enum mem_level level, uint32_t cu)
{
    const struct hierarchy_config *cfg = &h->cfg;
    uint32_t size = cus_per_group(cfg);

    if (!cfg->present[level])
        return NO_UNIT;
    if (is_near_level(level))
        return h->group[cu / size].first_of[level] + cu % size / sharing(cfg, level);
    if (level == MEM_LEVEL_L2 && cfg->l2s)
        return h->far_first_of[level] + cu / cfg->cus_per_l2_turn % cfg->l2s;
    return h->far_first_of[level];
}

static uint32_t below_of(const struct hierarchy *h, enum mem_level level, uint32_t cu)
{
    uint32_t b = NO_UNIT;

    if (level == MEM_LEVEL_VL0)
        b = unit_of(h, MEM_LEVEL_GL1, cu);
    if (b == NO_UNIT && is_near_level(level))
        b = unit_of(h, MEM_LEVEL_L2, cu);
    if (b == NO_UNIT && level == MEM_LEVEL_L2)
        b = unit_of(h, MEM_LEVEL_MALL, cu);
    return b == NO_UNIT ? DRAM_UNIT : b;
}

/* Units ------------------------------------------------------------------------------------------------------------ */

static void watch_hit(void *ctx, const struct mem_req *req, cycle_t asked)
{
    struct unit *u = ctx;
    struct hierarchy *h = u->h;
    bool entry = is_entrance(u->level);
    struct hierarchy_hit hit = {.level = u->level,
                                .cu = entry ? req->client : h->unit[req->client].first_cu,
                                .token = entry ? req->token : MEM_TOKEN_NONE,
                                .addr = req->addr,
                                .line_bytes = cache_get_config(u->cache)->line_bytes,
                                .asked = asked};

    h->cfg.watch.hit(h->cfg.watch.ctx, &hit);
}

static int build_cache(struct hierarchy *h, uint32_t index, enum mem_level level, uint32_t first_cu, uint32_t cus,
                       struct err *err)
{
    struct unit *u = &h->unit[index];
    struct cache_config cc = h->cfg.cache[level];
    const struct unit *b;
    struct mem_port next;
    struct mem_sink sink = {h, complete_above};

    *u = (struct unit){.h = h,
                       .wake = CYCLE_NEVER,
                       .index = index,
                       .level = level,
                       .group = first_cu / cus_per_group(&h->cfg),
                       .first_cu = first_cu,
                       .cus = cus,
                       .first_link = NO_LINK};
    u->below = below_of(h, level, first_cu);
    b = &h->unit[u->below];
    cc.check_every_cycle = h->cfg.check_every_cycle;
    cc.level = level;
    if (h->cfg.watch.hit && is_near_level(level) && level != MEM_LEVEL_I)
        cc.watch = (struct cache_watch){u, watch_hit};
    cc.name = mem_level_key[level];
    if (!cc.request_bytes)
        cc.request_bytes = cc.line_bytes;
    if (b->cache && cc.request_bytes > cache_get_config(b->cache)->line_bytes)
        cc.request_bytes = cache_get_config(b->cache)->line_bytes;
    next = is_near_level(level) && is_far(h, u->below) ? (struct mem_port){u, link_can_accept, link_accept}
                                                       : (struct mem_port){u, below_can_accept, below_accept};
    if (is_entrance(level))
        sink = (struct mem_sink){u, complete_port};
    else if (level == MEM_LEVEL_L2)
        sink = (struct mem_sink){h, complete_link};
    u->cache = cache_new(&cc, &h->policy, next, (uint16_t)index, sink, &h->arena, err);
    return u->cache ? 0 : -1;
}

static int build_far(struct hierarchy *h, struct err *err)
{
    static const enum mem_level order[] = {MEM_LEVEL_MALL, MEM_LEVEL_L2};
    const struct hierarchy_config *cfg = &h->cfg;

    h->unit[DRAM_UNIT] = (struct unit){.h = h, .wake = CYCLE_NEVER, .below = NO_UNIT};
    if (dram_init(&h->dram, &cfg->dram, (struct mem_sink){h, complete_above}, &h->arena, err))
        return -1;
    for (size_t i = 0; i < 2; i++)
        for (uint32_t k = 0; cfg->present[order[i]] && k < (order[i] == MEM_LEVEL_L2 && cfg->l2s ? cfg->l2s : 1); k++)
            if (build_cache(h, h->far_first_of[order[i]] + k, order[i], 0, cfg->cus, err))
                return -1;
    return 0;
}

static int build_group(struct hierarchy *h, uint32_t index, struct err *err)
{
    static const enum mem_level order[] = {MEM_LEVEL_GL1, MEM_LEVEL_VL0, MEM_LEVEL_K, MEM_LEVEL_I};
    const struct hierarchy_config *cfg = &h->cfg;
    uint32_t first = index * cus_per_group(cfg), size = cus_per_group(cfg);

    if (size > cfg->cus - first)
        size = cfg->cus - first;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        uint32_t each = sharing(cfg, order[i]);

        for (uint32_t k = 0; cfg->present[order[i]] && k * each < size; k++)
            if (build_cache(h, h->group[index].first_of[order[i]] + k, order[i], first + k * each,
                            each < size - k * each ? each : size - k * each, err))
                return -1;
    }
    return 0;
}

static uint32_t units_for(uint32_t cus, uint32_t each)
{
    return (cus - 1) / each + 1;
}

/* Numbers the units of both sides. */
static void number_units(struct hierarchy *h)
{
    const struct hierarchy_config *cfg = &h->cfg;
    uint32_t size = cus_per_group(cfg);

    h->units = 1;
    h->far_first_of[MEM_LEVEL_MALL] = h->units;
    h->units += cfg->present[MEM_LEVEL_MALL];
    h->far_first_of[MEM_LEVEL_L2] = h->far.first_l2 = h->units;
    h->units += cfg->l2s ? cfg->l2s : 1;
    h->far.units = h->units;
    for (uint32_t n = 0; n < h->groups; n++) {
        struct near_group *g = &h->group[n];
        uint32_t cus = cfg->cus - n * size < size ? cfg->cus - n * size : size;

        *g = (struct near_group){.next = CYCLE_NEVER, .first_unit = h->units};
        g->first_of[MEM_LEVEL_GL1] = h->units;
        h->units += cfg->present[MEM_LEVEL_GL1] ? units_for(cus, cfg->cus_per_gl1) : 0;
        g->first_entrance = g->first_of[MEM_LEVEL_VL0] = h->units;
        h->units += cus;
        g->first_of[MEM_LEVEL_K] = h->units;
        h->units += units_for(cus, cfg->cus_per_k);
        g->first_of[MEM_LEVEL_I] = h->units;
        h->units += units_for(cus, cfg->cus_per_i);
        g->end_unit = h->units;
    }
}

static int no_memory(struct err *err)
{
    return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
}

static int build_units(struct hierarchy *h, struct err *err)
{
    h->groups = units_for(h->cfg.cus, cus_per_group(&h->cfg));
    h->group = arena_alloc(&h->arena, h->groups, sizeof *h->group, _Alignof(struct near_group));
    if (!h->group)
        return no_memory(err);
    number_units(h);
    if (h->units > UINT16_MAX)
        return err_set(err, ERR_USAGE, "memory hierarchy: %u caches; expected up to %u", h->units, UINT16_MAX);
    h->unit = arena_alloc(&h->arena, h->units, sizeof *h->unit, _Alignof(struct unit));
    if (!h->unit)
        return no_memory(err);
    if (build_far(h, err))
        return -1;
    for (uint32_t n = 0; n < h->groups; n++)
        if (build_group(h, n, err))
            return -1;
    return 0;
}

/* Links ------------------------------------------------------------------------------------------------------------ */

/* Entries with a completion to come that a channel of a cache may have sent at most. */
static uint32_t link_depth(const struct cache_config *c)
{
    return (c->mshrs + c->pass_slots) * (c->line_bytes / c->request_bytes);
}

/* Cache control that a unit may have sent at most. */
static uint32_t controls_of(const struct unit *u)
{
    return u->cus * CONTROLS_PER_CU;
}

static int build_unit_links(struct hierarchy *h, struct unit *u, struct err *err)
{
    const struct cache_config *c = cache_get_config(u->cache);

    u->first_link = h->links;
    if (!tlb_init(&u->tlb, h->cfg.tlb.entries, &h->arena))
        return no_memory(err);
    for (uint32_t k = 0; k < c->channels; k++) {
        struct link *l = &h->link[h->links++];

        *l = (struct link){.unit = u->index, .posted_limit = c->output_queue};
        if (!fifo_init_arena(&l->queue, &h->arena, sizeof(struct link_entry),
                             link_depth(c) + l->posted_limit + (k ? 0 : controls_of(u))))
            return no_memory(err);
    }
    return 0;
}

static int build_links(struct hierarchy *h, struct err *err)
{
    struct far_side *f = &h->far;
    uint32_t links = 0;

    for (uint32_t u = f->units; u < h->units; u++)
        if (is_far(h, h->unit[u].below))
            links += cache_get_config(h->unit[u].cache)->channels;
    h->link = ARENA_NEW(&h->arena, links, struct link);
    if (!h->link)
        return no_memory(err);
    for (uint32_t n = 0; n < h->groups; n++) {
        struct near_group *g = &h->group[n];
        uint32_t first = h->links, up = 0;

        for (uint32_t u = g->first_unit; u < g->end_unit; u++)
            if (is_far(h, h->unit[u].below) && build_unit_links(h, &h->unit[u], err))
                return -1;
        for (uint32_t k = first; k < h->links; k++)
            up += h->link[k].queue.capacity;
        g->fresh = ARENA_NEW(&h->arena, h->links - first, uint32_t);
        if (!g->fresh || !fifo_init_arena(&g->up, &h->arena, sizeof(struct up_entry), up) ||
            !control_init(&g->controls, &h->arena, cus_per_group(&h->cfg) * CONTROLS_PER_CU))
            return no_memory(err);
    }
    for (uint32_t u = f->first_l2; u < f->units; u++)
        if (!fifo_init_arena(&h->unit[u].flushes, &h->arena, sizeof(struct flush), h->cfg.cus * CONTROLS_PER_CU))
            return no_memory(err);
    f->next = CYCLE_NEVER;
    f->channels = cache_get_config(h->unit[f->first_l2].cache)->channels;
    f->targets = (f->units - f->first_l2) * f->channels;
    f->words = (links + 63) / 64;
    f->waiting = ARENA_NEW(&h->arena, (size_t)f->targets * f->words, uint64_t);
    f->waiters = ARENA_NEW(&h->arena, f->targets, uint32_t);
    f->busy = ARENA_NEW(&h->arena, (f->targets + 63) / 64, uint64_t);
    return f->waiting && f->waiters && f->busy ? 0 : no_memory(err);
}

static int build_ports(struct hierarchy *h, struct err *err)
{
    uint32_t n = h->cfg.cus * MEM_PORTS;

    h->port = ARENA_NEW(&h->arena, n, struct cu_port);
    for (unsigned k = 0; k < MEM_PORTS; k++)
        h->ready[k] = ARENA_NEW(&h->arena, (h->cfg.cus + 63) / 64, uint64_t);
    if (!h->port || !h->ready[0] || !h->ready[1] || !h->ready[2])
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        h->port[i].unit = unit_of(h, entrance[i % MEM_PORTS], i / MEM_PORTS);
        if (!fifo_init_arena(&h->port[i].done, &h->arena, sizeof(uint64_t), h->cfg.max_outstanding))
            return no_memory(err);
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
        no_memory(err);
        return NULL;
    }
    h->cfg = *cfg;
    h->page_shift = cfg->tlb.entries ? (uint8_t)__builtin_ctzll(cfg->tlb.page_bytes) : 0;
    arena_init(&h->arena, HIERARCHY_BLOCK_BYTES);
    mem_policy_init(&h->policy, cfg->gen);
    if (build_units(h, err) || build_links(h, err) || build_ports(h, err)) {
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

void hierarchy_set_sink(struct hierarchy *h, const struct hierarchy_sink *sink)
{
    h->sink = *sink;
}

uint32_t hierarchy_groups(const struct hierarchy *h)
{
    return h->groups;
}

/* Requests --------------------------------------------------------------------------------------------------------- */

bool hierarchy_can_accept(const struct hierarchy *h, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct cu_port *p = &h->port[cu * MEM_PORTS + port];

    return p->outstanding < h->cfg.max_outstanding && cache_can_accept(h->unit[p->unit].cache, addr);
}

void hierarchy_await_room(struct hierarchy *h, uint32_t cu, enum mem_port_kind port)
{
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];

    h->unit[p->unit].refused += !p->refused;
    p->refused = true;
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

bool hierarchy_can_control(const struct hierarchy *h, uint32_t cu)
{
    const struct near_group *g = &h->group[cu / cus_per_group(&h->cfg)];

    return control_can_accept(&g->controls);
}

/* As long as a load that hits the last of the levels on the way takes: the same way there and back. */
static cycle_t way_to(const struct hierarchy *h, uint32_t unit, uint32_t levels)
{
    cycle_t way = 0;

    for (uint32_t u = unit, least = levels; u != DRAM_UNIT; u = h->unit[u].below) {
        way += cache_get_config(h->unit[u].cache)->hit_latency_cycles;
        least &= ~(1u << h->unit[u].level);
        if (!least)
            break;
    }
    return way;
}

void hierarchy_control(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, uint32_t invalidate,
                       uint32_t write_back, uint64_t token, cycle_t now)
{
    struct near_group *g = &h->group[cu / cus_per_group(&h->cfg)];
    struct cu_port *p = &h->port[cu * MEM_PORTS + port];
    uint32_t near = 1u << MEM_LEVEL_VL0 | 1u << MEM_LEVEL_K | 1u << MEM_LEVEL_I | 1u << MEM_LEVEL_GL1, u = p->unit;
    uint32_t named = invalidate | write_back;
    bool far = write_back & 1u << MEM_LEVEL_L2;
    struct control_entry e = {.token = token, .cu = (uint16_t)cu, .port = (uint8_t)port};

    hierarchy_invalidate(h, cu, invalidate & near, now);
    if (token == MEM_TOKEN_NONE && !far)
        return;
    for (unsigned l = 0; l < MEM_LEVELS; l++)
        if (!h->cfg.present[l])
            named &= ~(1u << l);
    /* the entrance of the port need not be among the levels: K of a vector port */
    e.after = way_to(h, u, named & ~(uint32_t)(1u << MEM_LEVEL_K | 1u << MEM_LEVEL_I | 1u << MEM_LEVEL_VL0));
    e.done = now + (far ? 1 : e.after);
    e.send = far;
    if (token != MEM_TOKEN_NONE)
        p->outstanding++;
    control_accept(&g->controls, &e);
    if (e.done < g->next)
        g->next = e.done;
}

/* The work of a cycle ---------------------------------------------------------------------------------------------- */

static void wake_waiters(struct hierarchy *h, uint32_t below, uint32_t end, cycle_t now)
{
    for (uint32_t u = below + 1; u < end && h->unit[below].waiters; u++) {
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

static void tell_of_room(struct hierarchy *h, struct unit *u, cycle_t now)
{
    unsigned kind = u->level == MEM_LEVEL_VL0 ? MEM_PORT_VECTOR
                    : u->level == MEM_LEVEL_K ? MEM_PORT_SCALAR
                                              : MEM_PORT_INST;

    u->refused = 0;
    for (uint32_t cu = u->first_cu; cu < u->first_cu + u->cus; cu++) {
        struct cu_port *p = &h->port[cu * MEM_PORTS + kind];

        if (!p->refused)
            continue;
        p->refused = false;
        h->sink.room(h->sink.ctx, cu, (enum mem_port_kind)kind, now);
    }
}

static void tick_units(struct hierarchy *h, uint32_t from, uint32_t end, uint32_t side_end, cycle_t now)
{
    for (uint32_t u = from; u < end; u++) {
        struct unit *x = &h->unit[u];

        if (x->wake > now && !h->cfg.check_every_cycle)
            continue;
        x->wake = x->cache ? cache_tick(x->cache, now) : dram_tick(&h->dram, now);
        if (!(x->cache ? cache_freed_room(x->cache) : h->dram.freed_room))
            continue;
        if (x->waiters)
            wake_waiters(h, u, side_end, now);
        if (x->refused)
            tell_of_room(h, x, now);
    }
}

/* What the far side has sent and has arrived. */
static void take_up_entries(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    const struct up_entry *e;

    while ((e = fifo_front(&g->up)) && e->at <= now) {
        struct unit *u = &h->unit[e->unit];

        assert(e->at == now);
        if (e->link == CONTROL_LINK) {
            control_arrived(&g->controls, e->token, now);
            fifo_pop(&g->up);
            continue;
        }
        if (e->link == NO_LINK) {
            cache_fill(u->cache, e->token, now);
        } else {
            h->link[e->link].posted--;
            cache_unblock(u->cache, now);
        }
        wake_unit(h, e->unit, now);
        fifo_pop(&g->up);
    }
}

static void finish_controls(struct hierarchy *h, struct near_group *g, cycle_t now)
{
    struct control_entry e;

    while (control_pop(&g->controls, now, &e)) {
        uint32_t u = h->port[e.cu * MEM_PORTS + e.port].unit;

        if (!e.send) {
            if (e.token != MEM_TOKEN_NONE)
                complete_port(&h->unit[u], e.cu, e.token, now);
            continue;
        }
        e.send = false;
        e.done = CYCLE_NEVER;
        while (h->unit[u].first_link == NO_LINK)
            u = h->unit[u].below;
        struct mem_req req = {.token = control_accept(&g->controls, &e), .client = (uint16_t)u, .op = MEM_STORE};
        link_accept(&h->unit[u], &req, now);
    }
}

cycle_t hierarchy_near_tick(struct hierarchy *h, uint32_t group, cycle_t now)
{
    struct near_group *g = &h->group[group];
    const struct up_entry *up;
    cycle_t next;

    assert(now <= g->next);
    if (now < g->next && !h->cfg.check_every_cycle)
        return g->next;
    if (!fifo_is_idle(&g->up))
        take_up_entries(h, g, now);
    if (g->first_unit == g->first_entrance) {
        /* each has links of its own: nothing to take turns for */
        tick_units(h, g->first_unit, g->end_unit, g->end_unit, now);
    } else {
        uint32_t start = g->first_entrance + (uint32_t)(now % (g->end_unit - g->first_entrance));

        tick_units(h, g->first_unit, g->first_entrance, g->end_unit, now);
        tick_units(h, start, g->end_unit, g->end_unit, now);
        tick_units(h, g->first_entrance, start, g->end_unit, now);
    }
    if (g->controls.next <= now || g->controls.count)
        finish_controls(h, g, now);
    up = fifo_front(&g->up);
    next = up && up->at < g->controls.next ? up->at : g->controls.next;
    for (uint32_t u = g->first_unit; u < g->end_unit; u++)
        next = h->unit[u].wake < next ? h->unit[u].wake : next;
    g->next = next;
    return next;
}

cycle_t hierarchy_near_next(const struct hierarchy *h, uint32_t group)
{
    return h->group[group].next;
}

const cycle_t *hierarchy_near_clock(const struct hierarchy *h, uint32_t group)
{
    return &h->group[group].next;
}

/* The link's oldest entry is to be looked at in cycle `at`, which is not over. */
static void schedule(struct hierarchy *h, uint32_t link, cycle_t at)
{
    struct far_side *f = &h->far;

    assert(at >= f->done && at < f->done + WHEEL_CYCLES);
    h->link[link].known = true;
    h->link[link].next = f->wheel[at % WHEEL_CYCLES];
    f->wheel[at % WHEEL_CYCLES] = link + 1;
    f->scheduled++;
    if (at < f->next)
        f->next = at;
}

/* Takes notice of what the near side has sent. */
static void take_news(struct hierarchy *h)
{
    for (uint32_t n = 0; n < h->groups; n++) {
        struct near_group *g = &h->group[n];

        for (uint32_t k = 0; k < g->fresh_count; k++) {
            struct link *l = &h->link[g->fresh[k]];
            const struct link_entry *e = fifo_front(&l->queue);

            l->fresh = false;
            if (!l->known && e)
                schedule(h, g->fresh[k], e->at);
        }
        g->fresh_count = 0;
    }
}

/* The links whose oldest entry comes into view in this cycle wait for room from now on. */
static void arrive(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t k = f->wheel[now % WHEEL_CYCLES];

    f->wheel[now % WHEEL_CYCLES] = 0;
    for (; k; k = h->link[k - 1].next) {
        struct link *l = &h->link[k - 1];
        const struct link_entry *e = fifo_front(&l->queue);
        uint32_t l2 = h->unit[l->unit].below;

        l->target = (l2 - f->first_l2) * f->channels + cache_channel(h->unit[l2].cache, e->req.addr);
        f->waiting[(size_t)l->target * f->words + (k - 1) / 64] |= UINT64_C(1) << ((k - 1) % 64);
        f->waiters[l->target]++;
        f->busy[l->target / 64] |= UINT64_C(1) << (l->target % 64);
        f->scheduled--;
    }
}

/* The first link of a mask from `from` on, around. */
static uint32_t first_from(const uint64_t *mask, uint32_t words, uint32_t from)
{
    uint64_t m = mask[from / 64] & ~UINT64_C(0) << from % 64;

    for (uint32_t w = from / 64; !m;) {
        w = w + 1 == words ? 0 : w + 1;
        m = mask[w];
        if (m)
            return w * 64 + (uint32_t)__builtin_ctzll(m);
    }
    return from / 64 * 64 + (uint32_t)__builtin_ctzll(m);
}

/* A request without bytes: write everything back and say when it is done. */
static void flush(struct hierarchy *h, uint32_t l2, const struct mem_req *req, cycle_t now)
{
    struct flush *f = fifo_push(&h->unit[l2].flushes);

    *f = (struct flush){req->token, req->client};
    h->far.flushes++;
    cache_writeback(h->unit[l2].cache, now);
}

/* Tells those who wait that the cache has sent its last dirty line down. */
static void end_flushes(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    for (uint32_t u = f->first_l2; u < f->units; u++) {
        const struct flush *e;

        if (fifo_is_idle(&h->unit[u].flushes) || cache_is_writing_back(h->unit[u].cache))
            continue;
        while ((e = fifo_front(&h->unit[u].flushes))) {
            send_up(h, e->unit, e->id, CONTROL_LINK, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
            fifo_pop(&h->unit[u].flushes);
            f->flushes--;
        }
    }
}

/* Gives a channel of the far side what it has room for; who goes first rotates with the cycle. */
static void serve(struct hierarchy *h, uint32_t target, cycle_t now)
{
    struct far_side *f = &h->far;
    uint32_t l2 = f->first_l2 + target / f->channels, from = (uint32_t)(now % h->links);
    uint64_t *mask = &f->waiting[(size_t)target * f->words];

    while (f->waiters[target]) {
        uint32_t k = first_from(mask, f->words, from);
        struct link *l = &h->link[k];
        const struct link_entry *e = fifo_front(&l->queue);

        if (e->req.bytes && !cache_can_accept(h->unit[l2].cache, e->req.addr))
            return;
        if (e->req.bytes)
            cache_accept(h->unit[l2].cache, &e->req, now);
        else
            flush(h, l2, &e->req, now);
        wake_unit(h, l2, now + 1);
        if (e->req.token == MEM_TOKEN_NONE)
            send_up(h, l->unit, 0, k, now + (h->cfg.link_cycles ? h->cfg.link_cycles : 1));
        fifo_pop(&l->queue);
        mask[k / 64] &= ~(UINT64_C(1) << (k % 64));
        f->waiters[target]--;
        l->known = false;
        e = fifo_front(&l->queue);
        if (e)
            schedule(h, k, e->at > now ? e->at : now + 1);
    }
    f->busy[target / 64] &= ~(UINT64_C(1) << (target % 64));
}

/* The far side takes what has been sent in this cycle, or is still waiting. */
static void take_down_entries(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;

    if (f->flushes)
        end_flushes(h, now);
    f->done = now;
    if (f->wheel[now % WHEEL_CYCLES])
        arrive(h, now);
    f->done = now + 1;
    for (uint32_t w = 0; w * 64 < f->targets; w++)
        for (uint64_t m = f->busy[w]; m; m &= m - 1)
            serve(h, w * 64 + (uint32_t)__builtin_ctzll(m), now);
}

static void set_far_next(struct hierarchy *h, cycle_t now)
{
    struct far_side *f = &h->far;
    cycle_t next = CYCLE_NEVER;

    for (uint32_t u = 0; u < f->units; u++)
        next = h->unit[u].wake < next ? h->unit[u].wake : next;
    if (f->scheduled)
        for (cycle_t t = now + 1; t < next && t < now + WHEEL_CYCLES; t++)
            if (f->wheel[t % WHEEL_CYCLES])
                next = t;
    f->next = next;
}

void hierarchy_far_run(struct hierarchy *h, cycle_t from, cycle_t end)
{
    struct far_side *f = &h->far;

    assert(end - from < WHEEL_CYCLES && from >= f->done);
    f->done = from;
    take_news(h);
    for (cycle_t now = f->next < from || h->cfg.check_every_cycle ? from : f->next; now < end;) {
        tick_units(h, 0, f->units, f->units, now);
        take_down_entries(h, now);
        set_far_next(h, now);
        now = h->cfg.check_every_cycle || f->next <= now ? now + 1 : f->next;
    }
    f->done = end;
}

cycle_t hierarchy_far_next(const struct hierarchy *h)
{
    return h->far.next;
}

cycle_t hierarchy_tick(struct hierarchy *h, cycle_t now)
{
    assert(now <= hierarchy_next(h));
    if (now < hierarchy_next(h) && !h->cfg.check_every_cycle)
        return hierarchy_next(h);
    tick_units(h, 0, h->far.units, h->far.units, now);
    for (uint32_t n = 0; n < h->groups; n++)
        if (h->group[n].next <= now || h->cfg.check_every_cycle)
            hierarchy_near_tick(h, n, now);
    h->far.done = now;
    take_news(h);
    take_down_entries(h, now);
    set_far_next(h, now);
    return hierarchy_next(h);
}

cycle_t hierarchy_next(const struct hierarchy *h)
{
    cycle_t next = h->far.next;

    for (uint32_t n = 0; n < h->groups; n++)
        next = h->group[n].next < next ? h->group[n].next : next;
    return next;
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
    for (uint32_t k = 0; k < h->links; k++)
        if (!fifo_is_idle(&h->link[k].queue))
            return false;
    for (uint32_t n = 0; n < h->groups; n++)
        if (!fifo_is_idle(&h->group[n].up) || h->group[n].controls.count)
            return false;
    return dram_is_idle(&h->dram);
}

void hierarchy_preload(struct hierarchy *h, enum mem_level level, gaddr_t from, uint64_t bytes)
{
    for (uint32_t u = 1; u < h->units; u++)
        if (h->cfg.present[level] && h->unit[u].level == level)
            cache_preload(h->unit[u].cache, from, bytes);
}

bool hierarchy_cache_stats(const struct hierarchy *h, enum mem_level level, struct cache_stats *out)
{
    /* every member is a uint64_t: summed as an array */
    uint64_t sum[sizeof *out / sizeof(uint64_t)] = {0}, one[sizeof *out / sizeof(uint64_t)];

    memset(out, 0, sizeof *out);
    if (!h->cfg.present[level])
        return false;
    for (uint32_t u = 1; u < h->units; u++) {
        if (h->unit[u].level != level)
            continue;
        memcpy(one, cache_stats(h->unit[u].cache), sizeof one);
        for (size_t k = 0; k < sizeof one / sizeof one[0]; k++)
            sum[k] += one[k];
    }
    memcpy(out, sum, sizeof sum);
    return true;
}

struct tlb_stats hierarchy_tlb_stats(const struct hierarchy *h)
{
    struct tlb_stats sum = {0, 0};

    for (uint32_t u = h->far.units; u < h->units; u++) {
        sum.lookups += h->unit[u].tlb.stats.lookups;
        sum.misses += h->unit[u].tlb.stats.misses;
    }
    return sum;
}

uint32_t hierarchy_data_paths(const struct hierarchy *h, enum mem_level level)
{
    uint32_t paths = 0;

    for (uint32_t u = 1; u < h->units; u++)
        if (h->unit[u].level == level)
            paths += cache_get_config(h->unit[u].cache)->channels;
    return paths;
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
