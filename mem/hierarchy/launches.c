/* A hierarchy between two launches on one device: it comes to rest, is invalidated and written back as the fences of
 * dispatches ask, and changes its observers.
 */
#include "mem/hierarchy/internal.h"

cycle_t hierarchy_drain(struct hierarchy *h, cycle_t far, cycle_t near)
{
    cycle_t last = 0, now;

    if (far < near)
        hierarchy_far_run(h, far, near);
    while ((now = hierarchy_next(h)) != CYCLE_NEVER) {
        hierarchy_tick(h, now);
        last = now;
    }
    assert(hierarchy_is_idle(h));
    for (uint32_t u = h->far.units; u < h->live_units; u++) {
        now = h->unit[u].level == LEVEL_I ? cache_straight_end(h->unit[u].cache) : 0;
        last = now >= near && now > last ? now : last;
    }
    return last;
}

/* Groups that have one of the first CUs. */
static uint32_t groups_of_cus(const struct hierarchy *h, uint32_t cus)
{
    return cus ? h->unit[h->port[(cus - 1) * MEM_PORTS].unit].group + 1 : 0;
}

static void set_live(struct hierarchy *h, uint32_t groups)
{
    h->live_groups = groups;
    h->live_units = groups ? h->group[groups - 1].end_unit : h->far.units;
}

void hierarchy_use_cus(struct hierarchy *h, uint32_t cus)
{
    uint32_t groups = groups_of_cus(h, cus);

    h->used_cus = cus;
    h->used_links = 0;
    while (h->used_links < h->links && h->unit[h->link[h->used_links].unit].first_cu < cus)
        h->used_links++;
    if (h->live_groups < groups)
        set_live(h, groups);
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        h->filled[l] = h->filled[l] > h->live_units ? h->filled[l] : h->live_units;
}

/* Units after the last one with lines, of all of the levels. */
static uint32_t filled_units(const struct hierarchy *h, uint32_t levels)
{
    uint32_t end = h->far.units;

    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        if (levels >> l & 1 && h->filled[l] > end)
            end = h->filled[l];
    return end;
}

void hierarchy_set_memory(struct hierarchy *h, void *ctx)
{
    h->cfg.tlb.ctx = ctx;
    h->dram.cfg.host_ctx = ctx;
}

bool hierarchy_set_watch(struct hierarchy *h, const struct hierarchy_watch *watch)
{
    const struct hierarchy_watch before = h->cfg.watch;
    bool ok = true;

    h->cfg.watch = *watch;
    if (!watch->hit == !before.hit && !watch->answered == !before.answered && !watch->line == !before.line)
        return true; /* units refer to it */
    for (uint32_t k = 1; k < h->units; k++) {
        struct unit *u = &h->unit[k];
        struct cache_watch w = hierarchy_watch_of(u);

        ok = ok && cache_set_watch(u->cache, &w, &h->arena);
        ok = ok && (!w.answered || u->answered || hierarchy_watch_init(u));
    }
    return ok;
}

void hierarchy_invalidate_all(struct hierarchy *h, uint32_t levels, cycle_t now)
{
    uint32_t end = filled_units(h, levels), dirty[LEVEL_COUNT] = {0};

    for (uint32_t u = 1; u < end; u++) {
        const struct unit *x = &h->unit[u];

        if (!(levels >> x->level & 1))
            continue;
        cache_invalidate(x->cache, now);
        if (cache_dirty_lines(x->cache))
            dirty[x->level] = u + 1;
    }
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        if (levels >> l & 1)
            h->filled[l] = dirty[l] > h->live_units ? dirty[l] : h->live_units;
}

uint64_t hierarchy_write_back_all(struct hierarchy *h, uint32_t levels, cycle_t now)
{
    uint32_t end = filled_units(h, levels);
    uint64_t lines = 0;

    for (uint32_t u = 1; u < end; u++) {
        if (!(levels >> h->unit[u].level & 1))
            continue;
        lines += cache_dirty_lines(h->unit[u].cache);
        cache_writeback(h->unit[u].cache, now);
        if (!cache_is_writing_back(h->unit[u].cache))
            continue;
        if (u >= h->live_units)
            set_live(h, h->unit[u].group + 1);
        wake_unit(h, u, now + 1);
    }
    return lines;
}

bool hierarchy_is_writing_back(const struct hierarchy *h)
{
    for (uint32_t u = 1, end = filled_units(h, ~0u); u < end; u++)
        if (cache_is_writing_back(h->unit[u].cache))
            return true;
    return false;
}

void hierarchy_drop(struct hierarchy *h, gaddr_t from, uint64_t bytes)
{
    for (uint32_t u = 1, end = filled_units(h, ~0u); u < end; u++)
        cache_drop(h->unit[u].cache, from, bytes);
}

void hierarchy_forget_translations(struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->units; u++)
        utcl1_forget(&h->unit[u].utcl1);
    for (uint32_t k = 0; h->cfg.tlb.entries && k < h->far.units - h->far.first_l2; k++)
        utcl2_forget(&h->far.utcl2[k]);
}

void hierarchy_clear_stats(struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->live_units; u++) {
        cache_clear_stats(h->unit[u].cache);
        h->unit[u].utcl1.stats = (struct tlb_stats){0};
    }
    for (uint32_t k = 0; k < h->far.units - h->far.first_l2; k++)
        h->far.utcl2[k].stats = (struct tlb_stats){0};
    h->dram.stats = (struct dram_stats){0};
    for (uint32_t k = 0; k < h->routes.fabric.links; k++)
        h->routes.fabric.link[k].messages = h->routes.fabric.link[k].bytes = 0;
    set_live(h, groups_of_cus(h, h->used_cus));
}
