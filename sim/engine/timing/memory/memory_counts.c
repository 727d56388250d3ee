/* The statistics of the memory hierarchy, of a launch alone and of one beside others. */
#include "sim/engine/timing/memory/memory_counts.h"

#include <stdlib.h>
#include <string.h>

#include "mem/hierarchy/hierarchy.h"

static void report_fabric(const struct fabric *f, struct engine_result *r)
{
    for (uint32_t k = 0; f && k < f->links; k++) {
        const struct fabric_link *l = &f->link[k];

        engine_add(r, STAT_FABRIC_LINKS, 1);
        engine_add(r, STAT_FABRIC_BYTES, l->bytes);
        if (k && l->bytes <= r->stat[STAT_FABRIC_BUSIEST_BYTES])
            continue;
        engine_count(r, STAT_FABRIC_BUSIEST_BYTES, l->bytes);
        engine_count(r, STAT_FABRIC_BUSIEST_FROM, l->from);
        engine_count(r, STAT_FABRIC_BUSIEST_TO, l->to);
    }
}

/* A sum over cycles up to `end`. Things that began after it, in the last epoch, make it negative where there is
 * nothing else. */
static uint64_t summed(uint64_t cycles)
{
    return (int64_t)cycles < 0 ? 0 : cycles;
}

/* Requests as AMD's counters have them, and those that found no line. A line on its way counts as found (TCC_MISS of
 * rocprofiler-compute's vecCopy is as many as there are lines, though MI200 asks for many twice), but in the caches of
 * scalars and instructions, whose counters have a row of their own for those. All stores of vL0 go on. */
struct memory_requests memory_counts_requests(const struct cache_stats *s, enum cache_level level)
{
    uint64_t parts = s->store_requests - s->op[MEM_STORE].accesses, all = level == LEVEL_VL0 ? 0 : parts, below = 0;
    bool merged = level != LEVEL_K && level != LEVEL_I;

    for (unsigned op = 0; op < MEM_OPS; op++) {
        all += s->op[op].accesses;
        if (level != LEVEL_VL0 || (op != MEM_STORE && op != MEM_ATOMIC))
            below += s->op[op].misses - (merged ? s->op[op].mshr_merges : 0);
    }
    if (level == LEVEL_VL0)
        below += s->store_requests + s->op[MEM_ATOMIC].accesses;
    return (struct memory_requests){all, below};
}

/* end: of the run, on the clock of the device. */
static void report_cache(const struct hierarchy *h, enum cache_level level, cycle_t end, struct engine_result *r)
{
    const enum stat at = stat_of_cache(level, 0);
    struct memory_requests requests;
    struct cache_stats s;

    if (!hierarchy_cache_stats(h, level, &s))
        return;
    for (unsigned op = 0; op < MEM_OPS; op++) {
        engine_add(r, at + STAT_CACHE_ACCESSES, s.op[op].accesses);
        engine_add(r, at + STAT_CACHE_HITS, s.op[op].hits);
        engine_add(r, at + STAT_CACHE_MISSES, s.op[op].misses);
        engine_add(r, at + STAT_CACHE_MSHR_MERGES, s.op[op].mshr_merges);
        engine_add(r, at + STAT_CACHE_BYPASSES, s.op[op].bypasses);
    }
    requests = memory_counts_requests(&s, level);
    engine_count(r, at + STAT_CACHE_TAG_REQUESTS, requests.all);
    engine_count(r, at + STAT_CACHE_TAG_MISSES, requests.missed);
    engine_count(r, at + STAT_CACHE_STORE_REQUESTS, s.store_requests);
    engine_count(r, at + STAT_CACHE_STORES, s.op[MEM_STORE].accesses);
    engine_count(r, at + STAT_CACHE_ATOMICS, s.op[MEM_ATOMIC].accesses);
    engine_count(r, at + STAT_CACHE_EVICTIONS, s.evictions);
    engine_count(r, at + STAT_CACHE_WRITEBACKS, s.writebacks);
    engine_count(r, at + STAT_CACHE_READ_BYTES, s.fill_bytes);
    engine_count(r, at + STAT_CACHE_WRITE_BYTES, s.down_bytes);
    engine_count(r, at + STAT_CACHE_PREFETCHES, s.prefetches);
    engine_count(r, at + STAT_CACHE_MSHR_FULL_CYCLES, s.mshr_full_stall_cycles);
    engine_count(r, at + STAT_CACHE_UPGRADES, s.upgrades);
    engine_count(r, at + STAT_CACHE_DOWNGRADES, s.downgrades);
    engine_count(r, at + STAT_CACHE_DIRTY_DOWNGRADES, s.dirty_downgrades);
    engine_count(r, at + STAT_CACHE_LOAD_BYTES, s.load_bytes);
    engine_count(r, at + STAT_CACHE_STORE_BYTES, s.store_bytes);
    /* as if loads still in flight had returned at the end */
    engine_count(r, at + STAT_CACHE_LOAD_LATENCY_CYCLES,
                 s.loads_done ? s.load_latency_cycles + (s.loads_taken - s.loads_done) * end : 0);
    engine_count(r, at + STAT_CACHE_LOADS, s.loads_done ? s.loads_taken : 0);
    engine_count(r, at + STAT_CACHE_DATA_PATH_CYCLES, s.data_cycles);
    engine_count(r, at + STAT_CACHE_DATA_PATHS, hierarchy_data_paths(h, level));
    engine_count(r, at + STAT_CACHE_MSHRS, hierarchy_mshrs(h, level));
    engine_count(r, at + STAT_CACHE_MSHR_CYCLES, summed(s.mshr_cycles + s.mshrs_in_use * end));
    engine_count(r, at + STAT_CACHE_MSHR_LIMIT_CYCLES, summed(s.channel_full_cycles + s.channels_full * end));
    memcpy(r->evicted[level], s.evicted, sizeof r->evicted[level]);
}

static void report_memory(const struct hierarchy *h, cycle_t end, struct engine_result *r)
{
    struct tlb_stats t = hierarchy_tlb_stats(h);

    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        report_cache(h, (enum cache_level)k, end, r);
    if (t.lookups) {
        engine_count(r, STAT_TRANSLATION_LOOKUPS, t.lookups);
        engine_count(r, STAT_TRANSLATION_MISSES, t.misses);
        engine_count(r, STAT_PAGE_WALKS, t.walks);
        engine_count(r, STAT_PAGE_TABLE_READS, t.reads);
    }
    engine_count(r, STAT_DRAM_READ_BYTES, hierarchy_dram_stats(h)->read_bytes);
    engine_count(r, STAT_DRAM_WRITE_BYTES, hierarchy_dram_stats(h)->write_bytes);
    report_fabric(hierarchy_fabric(h), r);
}

/* What memory had counted when a launch began beside others. */
struct timing_before {
    struct engine_result r;
    uint64_t link_bytes[];
};

struct timing_before *memory_counts_before(const struct hierarchy *h, cycle_t now)
{
    const struct fabric *f = hierarchy_fabric(h);
    uint32_t links = f ? f->links : 0;
    struct timing_before *b = calloc(1, sizeof *b + links * sizeof b->link_bytes[0]);

    if (!b)
        return NULL;
    report_memory(h, now, &b->r);
    for (uint32_t k = 0; k < links; k++)
        b->link_bytes[k] = f->link[k].bytes;
    return b;
}

/* Numbers of units, which do not grow with time. */
static bool is_fixed(unsigned stat)
{
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (stat == stat_of_cache((enum cache_level)k, STAT_CACHE_DATA_PATHS) ||
            stat == stat_of_cache((enum cache_level)k, STAT_CACHE_MSHRS))
            return true;
    return stat == STAT_FABRIC_LINKS;
}

/* The link that has carried the most since. */
static void report_busiest(const struct fabric *f, const struct timing_before *before, struct engine_result *r)
{
    for (uint32_t k = 0; f && k < f->links; k++) {
        uint64_t bytes = f->link[k].bytes - before->link_bytes[k];

        if (k && bytes <= r->stat[STAT_FABRIC_BUSIEST_BYTES])
            continue;
        engine_count(r, STAT_FABRIC_BUSIEST_BYTES, bytes);
        engine_count(r, STAT_FABRIC_BUSIEST_FROM, f->link[k].from);
        engine_count(r, STAT_FABRIC_BUSIEST_TO, f->link[k].to);
    }
}

void memory_counts_report(const struct hierarchy *h, cycle_t end, const struct timing_before *before,
                          struct engine_result *r)
{
    struct timing_before *now;

    if (!before) {
        report_memory(h, end, r);
        return;
    }
    now = memory_counts_before(h, end);
    if (!now)
        return; /* they are absent */
    for (unsigned k = 0; k < STATS; k++)
        if (now->r.present[k])
            engine_count(r, (enum stat)k, summed(now->r.stat[k] - (is_fixed(k) ? 0 : before->r.stat[k])));
    for (size_t k = 0; k < sizeof r->evicted / sizeof(uint64_t); k++)
        (&r->evicted[0][0][0])[k] = (&now->r.evicted[0][0][0])[k] - (&before->r.evicted[0][0][0])[k];
    report_busiest(hierarchy_fabric(h), before, r);
    free(now);
}
