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
    return last;
}

void hierarchy_use_cus(struct hierarchy *h, uint32_t cus)
{
    h->used_cus = cus;
    h->used_links = 0;
    for (uint32_t k = 0; k < h->links; k++)
        h->used_links += h->unit[h->link[k].unit].first_cu < cus;
}

void hierarchy_set_memory(struct hierarchy *h, void *ctx)
{
    h->cfg.tlb.ctx = ctx;
    h->dram.cfg.host_ctx = ctx;
}

bool hierarchy_set_watch(struct hierarchy *h, const struct hierarchy_watch *watch)
{
    bool ok = true;

    h->cfg.watch = *watch;
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
    for (uint32_t u = 1; u < h->units; u++)
        if (levels >> h->unit[u].level & 1)
            cache_invalidate(h->unit[u].cache, now);
}

uint64_t hierarchy_write_back_all(struct hierarchy *h, uint32_t levels, cycle_t now)
{
    uint64_t lines = 0;

    for (uint32_t u = 1; u < h->units; u++) {
        if (!(levels >> h->unit[u].level & 1))
            continue;
        lines += cache_dirty_lines(h->unit[u].cache);
        cache_writeback(h->unit[u].cache, now);
        if (cache_is_writing_back(h->unit[u].cache))
            wake_unit(h, u, now + 1);
    }
    return lines;
}

bool hierarchy_is_writing_back(const struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->units; u++)
        if (cache_is_writing_back(h->unit[u].cache))
            return true;
    return false;
}

void hierarchy_drop(struct hierarchy *h, gaddr_t from, uint64_t bytes)
{
    for (uint32_t u = 1; u < h->units; u++)
        cache_drop(h->unit[u].cache, from, bytes);
}

void hierarchy_clear_stats(struct hierarchy *h)
{
    for (uint32_t u = 1; u < h->units; u++) {
        cache_clear_stats(h->unit[u].cache);
        h->unit[u].utcl1.stats = (struct tlb_stats){0};
    }
    for (uint32_t k = 0; k < h->far.units - h->far.first_l2; k++)
        h->far.utcl2[k].stats = (struct tlb_stats){0};
    h->dram.stats = (struct dram_stats){0};
    for (uint32_t k = 0; k < h->routes.fabric.links; k++)
        h->routes.fabric.link[k].messages = h->routes.fabric.link[k].bytes = 0;
}
