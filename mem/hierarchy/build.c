/* Construction of a memory hierarchy: checks its configuration, numbers its units, and builds caches, links and ports.
 */
#include <stdlib.h>

#include "mem/hierarchy/internal.h"

static const enum cache_level entrance[MEM_PORTS] = {LEVEL_VL0, LEVEL_K, LEVEL_I};

static int no_memory(struct err *err)
{
    return err_set(err, ERR_NOMEM, "memory hierarchy: no host memory");
}

/* CUs of different groups share no near cache. */
static int check_groups(const struct hierarchy_config *cfg, struct err *err)
{
    const uint32_t share[] = {cfg->cus_per_k, cfg->cus_per_i, cfg->present[LEVEL_GL1] ? cfg->cus_per_gl1 : 1};
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
    static const enum cache_level required[] = {LEVEL_VL0, LEVEL_K, LEVEL_I, LEVEL_L2};

    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!cfg->present[required[i]])
            return err_set(err, ERR_USAGE, "memory hierarchy: level %s is required", cache_level_key[required[i]]);
    if (!cfg->cus || cfg->cus > 4096)
        return err_set(err, ERR_USAGE, "memory hierarchy: cus is %u; expected 1 to 4096", cfg->cus);
    if (!cfg->cus_per_k || !cfg->cus_per_i || (cfg->present[LEVEL_GL1] && !cfg->cus_per_gl1))
        return err_set(err, ERR_USAGE,
                       "memory hierarchy: CUs per scalar cache %u, instruction cache %u, GL1 %u; "
                       "expected at least 1",
                       cfg->cus_per_k, cfg->cus_per_i, cfg->cus_per_gl1);
    if (cfg->l2s > 64 || (cfg->l2s && !cfg->cus_per_l2_turn))
        return err_set(err, ERR_USAGE,
                       "memory hierarchy: %u L2s in turns of %u CUs; expected at most 64, of at least 1", cfg->l2s,
                       cfg->cus_per_l2_turn);
    if (tlb_check_config(&cfg->tlb, err) || check_groups(cfg, err) || fabric_check_config(&cfg->fabric, err))
        return -1;
    if (cfg->l2s_per_die && cfg->l2s > (uint64_t)cfg->l2s_per_die * fabric_dies(&cfg->fabric))
        return err_set(err, ERR_USAGE, "memory hierarchy: no room for %u L2s on %u dies of %u", cfg->l2s,
                       fabric_dies(&cfg->fabric), cfg->l2s_per_die);
    if (cfg->probe_cycles > 100000)
        return err_set(err, ERR_USAGE, "memory hierarchy: probe_cycles is %u; expected up to 100000",
                       cfg->probe_cycles);
    if (!cfg->max_outstanding || cfg->max_outstanding > 65536)
        return err_set(err, ERR_USAGE, "memory hierarchy: max_outstanding is %u; expected 1 to 65536",
                       cfg->max_outstanding);
    if (cfg->gen >= MEM_GEN_COUNT)
        return err_set(err, ERR_USAGE, "memory hierarchy: unknown generation %d", (int)cfg->gen);
    return 0;
}

uint32_t hierarchy_sharing(const struct hierarchy_config *cfg, enum cache_level level)
{
    switch (level) {
    case LEVEL_K:
        return cfg->cus_per_k;
    case LEVEL_I:
        return cfg->cus_per_i;
    case LEVEL_GL1:
        return cfg->cus_per_gl1;
    default:
        return 1;
    }
}

static uint32_t cus_per_group(const struct hierarchy_config *cfg)
{
    return cfg->cus_per_group && cfg->cus_per_group < cfg->cus ? cfg->cus_per_group : cfg->cus;
}

/* The unit that serves a CU at a level. */
uint32_t hierarchy_unit_of(const struct hierarchy *h, enum cache_level level, uint32_t cu)
{
    const struct hierarchy_config *cfg = &h->cfg;
    uint32_t size = cus_per_group(cfg);

    if (!cfg->present[level])
        return NO_UNIT;
    if (is_near_level(level))
        return h->group[cu / size].first_of[level] + cu % size / hierarchy_sharing(cfg, level);
    if (level == LEVEL_L2 && cfg->l2s)
        return h->far_first_of[level] + cu / cfg->cus_per_l2_turn % cfg->l2s;
    return h->far_first_of[level];
}

static uint32_t below_of(const struct hierarchy *h, enum cache_level level, uint32_t cu)
{
    uint32_t b = NO_UNIT;

    if (level == LEVEL_VL0 || (level == LEVEL_K && h->cfg.k_through_gl1) || (level == LEVEL_I && h->cfg.i_through_gl1))
        b = hierarchy_unit_of(h, LEVEL_GL1, cu);
    if (b == NO_UNIT && is_near_level(level))
        b = hierarchy_unit_of(h, LEVEL_L2, cu);
    if (b == NO_UNIT && level == LEVEL_L2)
        b = hierarchy_unit_of(h, LEVEL_MALL, cu);
    return b == NO_UNIT ? DRAM_UNIT : b;
}

/* Units ------------------------------------------------------------------------------------------------------------ */

static struct mem_sink sink_to_l2s(struct hierarchy *h)
{
    return (struct mem_sink){h, fabric_dies(&h->cfg.fabric) > 1 ? hierarchy_complete_home : hierarchy_complete_above};
}

/* No miss of the instruction cache is answered earlier than so: it leaves, comes to the level below and back. */
static uint32_t straight_cycles(const struct hierarchy_config *cfg, enum cache_level level)
{
    const struct cache_config *c = &cfg->cache[level];
    bool near = cfg->i_through_gl1 && cfg->present[LEVEL_GL1];
    uint32_t below = near ? cfg->cache[LEVEL_GL1].hit_latency_cycles : 2 * cfg->link_cycles;
    uint32_t least = c->miss_latency_cycles + below + c->fill_latency_cycles;

    if (level != LEVEL_I || cfg->check_every_cycle)
        return 0;
    return least < HIERARCHY_STRAIGHT_CYCLES ? least : HIERARCHY_STRAIGHT_CYCLES;
}

static int build_cache(struct hierarchy *h, uint32_t index, enum cache_level level, uint32_t first_cu, uint32_t cus,
                       struct err *err)
{
    struct unit *u = &h->unit[index];
    struct cache_config cc = h->cfg.cache[level];
    const struct unit *b;
    struct mem_port next;
    struct mem_sink sink = {h, hierarchy_complete_above};

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
    cc.straight_cycles = straight_cycles(&h->cfg, level);
    cc.watch = hierarchy_watch_of(u);
    cc.name = cache_level_key[level];
    cc.peers = level == LEVEL_L2 && h->coherence.peers.count ? &h->coherence.peers : NULL;
    if (!cc.request_bytes)
        cc.request_bytes = cc.line_bytes;
    if (b->cache && cc.request_bytes > cache_get_config(b->cache)->line_bytes)
        cc.request_bytes = cache_get_config(b->cache)->line_bytes;
    next = is_near_level(level) && is_far(h, u->below)
               ? (struct mem_port){u, hierarchy_link_can_accept, hierarchy_link_accept}
               : (struct mem_port){u, hierarchy_below_can_accept, hierarchy_below_accept};
    if (level == LEVEL_L2 && (cc.peers || fabric_dies(&h->cfg.fabric) > 1))
        next.accept = hierarchy_home_accept;
    if (is_entrance(level))
        sink = (struct mem_sink){u, hierarchy_complete_port};
    else if (level == LEVEL_L2)
        sink = (struct mem_sink){h, hierarchy_complete_link};
    else if (level == LEVEL_MALL)
        sink = sink_to_l2s(h);
    u->cache = cache_new(&cc, &h->policy, next, (uint16_t)index, sink, &h->arena, err);
    if (u->cache && cc.watch.answered && !hierarchy_watch_init(u))
        return no_memory(err);
    return u->cache ? 0 : -1;
}

static int build_far(struct hierarchy *h, struct err *err)
{
    static const enum cache_level order[] = {LEVEL_MALL, LEVEL_L2};
    const struct hierarchy_config *cfg = &h->cfg;

    h->unit[DRAM_UNIT] = (struct unit){.h = h, .wake = CYCLE_NEVER, .below = NO_UNIT};
    struct mem_sink sink = cfg->present[LEVEL_MALL] ? (struct mem_sink){h, hierarchy_complete_above} : sink_to_l2s(h);
    if (dram_init(&h->dram, &cfg->dram, sink, &h->arena, err))
        return -1;
    for (size_t i = 0; i < 2; i++)
        for (uint32_t k = 0; cfg->present[order[i]] && k < (order[i] == LEVEL_L2 && cfg->l2s ? cfg->l2s : 1); k++)
            if (build_cache(h, h->far_first_of[order[i]] + k, order[i], 0, cfg->cus, err))
                return -1;
    return 0;
}

static int build_group(struct hierarchy *h, uint32_t index, struct err *err)
{
    static const enum cache_level order[] = {LEVEL_GL1, LEVEL_VL0, LEVEL_K, LEVEL_I};
    const struct hierarchy_config *cfg = &h->cfg;
    uint32_t first = index * cus_per_group(cfg), size = cus_per_group(cfg);

    if (size > cfg->cus - first)
        size = cfg->cus - first;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        uint32_t each = hierarchy_sharing(cfg, order[i]);

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
    h->far_first_of[LEVEL_MALL] = h->units;
    h->units += cfg->present[LEVEL_MALL];
    h->far_first_of[LEVEL_L2] = h->far.first_l2 = h->units;
    h->units += cfg->l2s ? cfg->l2s : 1;
    h->far.units = h->units;
    for (uint32_t n = 0; n < h->groups; n++) {
        struct near_group *g = &h->group[n];
        uint32_t cus = cfg->cus - n * size < size ? cfg->cus - n * size : size;

        *g = (struct near_group){.next = CYCLE_NEVER, .stopped = CYCLE_NEVER, .first_unit = h->units};
        g->first_of[LEVEL_GL1] = h->units;
        h->units += cfg->present[LEVEL_GL1] ? units_for(cus, cfg->cus_per_gl1) : 0;
        g->first_entrance = g->first_of[LEVEL_VL0] = h->units;
        h->units += cus;
        g->first_of[LEVEL_K] = h->units;
        h->units += units_for(cus, cfg->cus_per_k);
        g->first_of[LEVEL_I] = h->units;
        h->units += units_for(cus, cfg->cus_per_i);
        g->end_unit = h->units;
    }
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

uint64_t hierarchy_requests(const struct hierarchy_config *cfg)
{
    const struct cache_config *l2 = &cfg->cache[LEVEL_L2];
    uint32_t part = l2->request_bytes ? l2->request_bytes : l2->line_bytes;

    if (cfg->present[LEVEL_MALL] && cfg->cache[LEVEL_MALL].line_bytes < part)
        part = cfg->cache[LEVEL_MALL].line_bytes;
    return part ? (uint64_t)(cfg->l2s ? cfg->l2s : 1) * l2->channels * (l2->mshrs + l2->pass_slots) *
                      (l2->line_bytes > part ? l2->line_bytes / part : 1)
                : 0;
}

/* The most entries with a completion that a channel of a cache may have in flight. */
static uint32_t link_depth(const struct cache_config *c)
{
    uint32_t parts = c->line_bytes > c->request_bytes ? c->line_bytes / c->request_bytes : 1;

    return (c->mshrs + c->pass_slots) * parts;
}

/* The most cache control operations that a unit may have in flight. */
static uint32_t controls_of(const struct unit *u)
{
    return u->cus * CONTROLS_PER_CU;
}

static int build_unit_links(struct hierarchy *h, struct unit *u, struct err *err)
{
    const struct cache_config *c = cache_get_config(u->cache);

    u->first_link = h->links;
    u->translates = u->level == LEVEL_VL0 && h->cfg.tlb.entries;
    if (!utcl1_init(&u->utcl1, h->cfg.tlb.entries, &h->arena))
        return no_memory(err);
    for (uint32_t k = 0; k < c->channels; k++) {
        struct far_link *f = &h->far.link[h->links];
        struct link *l = &h->link[h->links++];

        *l = (struct link){.unit = u->index, .posted_limit = c->output_queue};
        *f = (struct far_link){.unit = (uint16_t)u->index, .l2 = (uint16_t)u->below};
        f->capacity = link_depth(c) + l->posted_limit + (k ? 0 : controls_of(u));
        if (!link_entries_init(&f->queue, &h->arena, f->capacity))
            return no_memory(err);
    }
    return 0;
}

/* The most UTCL1 misses that a unit may have sent and the far side has not yet seen. Each is of a request in flight; at
 * an entrance it is one in the queue, where it stays until it is translated, or one that has left it since: in the
 * cycles on the way down and those of the two halves that the far side may lag. */
static uint32_t misses_of(const struct hierarchy *h, const struct unit *u)
{
    const struct cache_config *c = cache_get_config(u->cache);
    uint32_t in_queue = h->cfg.tlb.miss_cycles ? h->cfg.tlb.miss_cycles : 1;
    uint32_t half = h->cfg.link_cycles < HIERARCHY_MAX_EPOCH ? h->cfg.link_cycles : HIERARCHY_MAX_EPOCH;

    if (!h->cfg.tlb.entries)
        return 0;
    if (!u->translates)
        return c->channels * (link_depth(c) + c->output_queue) + controls_of(u);
    return c->channels * c->input_queue * (2 + (c->miss_latency_cycles + 2 * half) / in_queue);
}

/* Boxes of a group for messages down and up: as many as may be in flight at once. */
static bool build_boxes(struct hierarchy *h, uint32_t group, uint32_t most, uint32_t misses)
{
    struct arena *a = &h->arena;

    for (uint32_t half = 0; half < 2; half++) {
        struct down_box *down = &h->group[group].down[half];
        struct up_box *up = &h->far.up[half][group];

        down->entry = arena_alloc_unset(a, most, sizeof *down->entry, 64);
        down->miss = arena_alloc_unset(a, misses, sizeof *down->miss, 64);
        up->entry = arena_alloc_unset(a, most, sizeof *up->entry, 64);
        if (!down->entry || !down->miss || !up->entry)
            return false;
    }
    return true;
}

static int build_group_links(struct hierarchy *h, uint32_t group, struct err *err)
{
    struct near_group *g = &h->group[group];
    uint32_t first = h->links, most = 0, misses = 1;

    for (uint32_t u = g->first_unit; u < g->end_unit; u++) {
        h->far.group_of[u] = (uint16_t)group;
        if (!is_far(h, h->unit[u].below))
            continue;
        if (build_unit_links(h, &h->unit[u], err))
            return -1;
        misses += misses_of(h, &h->unit[u]);
    }
    for (uint32_t k = first; k < h->links; k++)
        most += h->far.link[k].capacity;
    if (!fifo_init_arena(&g->up, &h->arena, sizeof(struct up_entry), most) ||
        !fifo_init_arena(&h->far.misses[group], &h->arena, sizeof(struct utcl1_miss), misses) ||
        !build_boxes(h, group, most, misses) ||
        !control_init(&g->controls, &h->arena, cus_per_group(&h->cfg) * CONTROLS_PER_CU))
        return no_memory(err);
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
    f->link = arena_alloc(&h->arena, links, sizeof *f->link, _Alignof(struct far_link));
    f->misses = ARENA_NEW(&h->arena, h->groups, struct fifo);
    f->group_of = ARENA_NEW(&h->arena, h->units, uint16_t);
    for (uint32_t half = 0; half < 2; half++)
        f->up[half] = arena_alloc(&h->arena, h->groups, sizeof *f->up[half], _Alignof(struct up_box));
    if (!h->link || !f->link || !f->misses || !f->group_of || !f->up[0] || !f->up[1])
        return no_memory(err);
    for (uint32_t n = 0; n < h->groups; n++)
        if (build_group_links(h, n, err))
            return -1;
    for (uint32_t u = f->first_l2; u < f->units; u++)
        if (!fifo_init_arena(&h->unit[u].flushes, &h->arena, sizeof(struct flush), h->cfg.cus * CONTROLS_PER_CU))
            return no_memory(err);
    f->next = f->misses_next = f->flushes_next = CYCLE_NEVER;
    f->channels = cache_get_config(h->unit[f->first_l2].cache)->channels;
    f->targets = (f->units - f->first_l2) * f->channels;
    f->words = (links + 63) / 64;
    f->waiting = ARENA_NEW(&h->arena, (size_t)f->targets * f->words, uint64_t);
    f->waiters = ARENA_NEW(&h->arena, f->targets, uint32_t);
    f->busy = ARENA_NEW(&h->arena, (f->targets + 63) / 64, uint64_t);
    f->utcl2 = ARENA_NEW(&h->arena, f->units - f->first_l2, struct utcl2);
    for (uint32_t k = 0; f->utcl2 && k < f->units - f->first_l2; k++)
        if (h->cfg.tlb.entries && !utcl2_init(&f->utcl2[k], &h->cfg.tlb, &h->arena))
            return no_memory(err);
    f->kept.cache = ARENA_NEW(&h->arena, f->units, struct cache_stats);
    f->kept.utcl2 = ARENA_NEW(&h->arena, f->units - f->first_l2, struct tlb_stats);
    return f->waiting && f->waiters && f->busy && f->utcl2 && f->kept.cache && f->kept.utcl2 ? 0 : no_memory(err);
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
        h->port[i].unit = hierarchy_unit_of(h, entrance[i % MEM_PORTS], i / MEM_PORTS);
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
    arena_init(&h->arena, HIERARCHY_BLOCK_BYTES);
    h->arena.budget = cfg->budget;
    mem_policy_init(&h->policy, cfg->gen);
    if (hierarchy_coherence_init(h, err) || build_units(h, err) || build_links(h, err) || build_ports(h, err) ||
        hierarchy_routes_init(h, err)) {
        hierarchy_free(h);
        return NULL;
    }
    hierarchy_use_cus(h, cfg->cus);
    return h;
}

void hierarchy_free(struct hierarchy *h)
{
    if (!h)
        return;
    arena_free(&h->arena);
    free(h);
}
