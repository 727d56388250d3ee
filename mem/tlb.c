#include "mem/tlb.h"

int tlb_check_config(const struct tlb_config *cfg, struct err *err)
{
    if (!cfg->entries)
        return 0;
    if (cfg->entries > 4096)
        return err_set(err, ERR_USAGE, "tlb: entries is %u; expected up to 4096", cfg->entries);
    if (cfg->page_bytes < 4096 || cfg->page_bytes & (cfg->page_bytes - 1))
        return err_set(err, ERR_USAGE, "tlb: page_bytes is %llu; expected a power of two from 4096 on",
                       (unsigned long long)cfg->page_bytes);
    if (cfg->miss_cycles > TLB_MAX_CYCLES)
        return err_set(err, ERR_USAGE, "tlb: miss_cycles is %u; expected up to %u", cfg->miss_cycles, TLB_MAX_CYCLES);
    return 0;
}

bool tlb_init(struct tlb *t, uint32_t entries, struct arena *arena)
{
    *t = (struct tlb){.entries = entries};
    t->page = ARENA_NEW(arena, entries + 1, uint64_t);
    t->stamp = ARENA_NEW(arena, entries + 1, uint64_t);
    return t->page && t->stamp;
}

bool tlb_lookup(struct tlb *t, uint64_t page)
{
    uint32_t oldest = 0;

    t->stats.lookups++;
    t->clock++;
    if (t->used && t->page[t->last] == page + 1) {
        t->stamp[t->last] = t->clock;
        return true;
    }
    for (uint32_t k = 0; k < t->used; k++) {
        if (t->page[k] == page + 1) {
            t->last = k;
            t->stamp[k] = t->clock;
            return true;
        }
        if (t->stamp[k] < t->stamp[oldest])
            oldest = k;
    }
    t->stats.misses++;
    if (t->used < t->entries)
        oldest = t->used++;
    t->page[oldest] = page + 1;
    t->stamp[oldest] = t->clock;
    t->last = oldest;
    return false;
}
