/* What a hierarchy has counted, summed over the units of a level, and what it is made of. */
#include "mem/hierarchy/internal.h"

/* Fetches that hit are counted when they are accepted, and belong to the cycles before this one. */
static cycle_t fetches_end(const struct hierarchy *h, uint32_t group)
{
    return h->group[group].stopped < h->near_done ? h->group[group].stopped : h->near_done;
}

bool hierarchy_cache_stats(const struct hierarchy *h, enum cache_level level, struct cache_stats *out)
{
    /* every member is a uint64_t: summed as an array */
    uint64_t sum[sizeof *out / sizeof(uint64_t)] = {0}, one[sizeof *out / sizeof(uint64_t)];
    struct cache_stats s;

    memset(out, 0, sizeof *out);
    if (!h->cfg.present[level])
        return false;
    for (uint32_t u = 1; u < h->live_units; u++) {
        if (h->unit[u].level != level)
            continue;
        s = *cache_stats(h->unit[u].cache);
        if (level == LEVEL_I)
            cache_straight_uncount(h->unit[u].cache, fetches_end(h, h->unit[u].group), &s);
        memcpy(one, &s, sizeof one);
        for (size_t k = 0; k < sizeof one / sizeof one[0]; k++)
            sum[k] += one[k];
    }
    memcpy(out, sum, sizeof sum);
    return true;
}

struct tlb_stats hierarchy_tlb_stats(const struct hierarchy *h)
{
    struct tlb_stats sum = {0};

    for (uint32_t u = h->far.units; u < h->live_units; u++) {
        sum.lookups += h->unit[u].utcl1.stats.lookups;
        sum.misses += h->unit[u].utcl1.stats.misses;
    }
    for (uint32_t k = 0; k < h->far.units - h->far.first_l2; k++) {
        sum.walks += h->far.utcl2[k].stats.walks;
        sum.reads += h->far.utcl2[k].stats.reads;
    }
    return sum;
}

uint32_t hierarchy_data_paths(const struct hierarchy *h, enum cache_level level)
{
    uint32_t paths = 0;

    for (uint32_t u = 1; u < h->live_units; u++)
        if (h->unit[u].level == level && h->unit[u].first_cu < h->used_cus)
            paths += cache_get_config(h->unit[u].cache)->channels;
    return paths;
}

uint32_t hierarchy_mshrs(const struct hierarchy *h, enum cache_level level)
{
    return h->cfg.present[level] ? hierarchy_data_paths(h, level) * h->cfg.cache[level].mshrs : 0;
}

const struct dram_stats *hierarchy_dram_stats(const struct hierarchy *h)
{
    return &h->dram.stats;
}

const struct fabric *hierarchy_fabric(const struct hierarchy *h)
{
    return has_fabric(h) ? &h->routes.fabric : NULL;
}
