/* What the memory hierarchy adds to the samples of a run. */
#include "sim/engine/samples.h"
#include "sim/engine/timing/memory/from_profile.h"
#include "sim/engine/timing/memory/memory_counts.h"

static void sample_cache(const struct hierarchy *h, enum cache_level level, cycle_t now, uint64_t *value)
{
    uint64_t *v = value + sample_of_cache(level, 0);
    struct memory_requests requests;
    struct cache_stats s;

    if (!hierarchy_cache_stats(h, level, &s))
        return;
    requests = memory_counts_requests(&s, level);
    v[SAMPLE_CACHE_TAG_REQUESTS] += requests.all;
    v[SAMPLE_CACHE_TAG_MISSES] += requests.missed;
    v[SAMPLE_CACHE_LOAD_BYTES] += s.load_bytes;
    v[SAMPLE_CACHE_STORE_BYTES] += s.store_bytes;
    v[SAMPLE_CACHE_DATA_PATH_CYCLES] += s.data_cycles;
    v[SAMPLE_CACHE_MSHRS] += s.mshr_cycles + s.mshrs_in_use * now;
    v[SAMPLE_CACHE_FULL_CHANNELS] += s.channel_full_cycles + s.channels_full * now;
}

void timing_mem_sample(void *ctx, cycle_t now, uint64_t *value)
{
    const struct hierarchy *h = ctx;
    const struct fabric *f = hierarchy_fabric(h);

    for (unsigned level = 0; level < LEVEL_COUNT; level++)
        sample_cache(h, (enum cache_level)level, now, value);
    value[SAMPLE_DRAM_READ_BYTES] += hierarchy_dram_stats(h)->read_bytes;
    value[SAMPLE_DRAM_WRITE_BYTES] += hierarchy_dram_stats(h)->write_bytes;
    for (uint32_t k = 0; f && k < f->links; k++)
        value[SAMPLE_FABRIC_BYTES] += f->link[k].bytes;
}

void timing_mem_samples(void *ctx, bool *present)
{
    const struct hierarchy *h = ctx;
    struct cache_stats s;

    for (unsigned level = 0; level < LEVEL_COUNT; level++)
        for (unsigned k = 0; k < SAMPLE_CACHE_ROWS; k++)
            present[sample_of_cache((enum cache_level)level, k)] =
                hierarchy_cache_stats(h, (enum cache_level)level, &s);
    present[SAMPLE_DRAM_READ_BYTES] = present[SAMPLE_DRAM_WRITE_BYTES] = true;
    present[SAMPLE_FABRIC_BYTES] = hierarchy_fabric(h) != NULL;
}
