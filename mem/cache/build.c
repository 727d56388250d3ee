/* Makes a cache of its configuration, and says what it is and has counted. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mem/cache/internal.h"

static bool is_pow2(uint64_t v)
{
    return v && !(v & (v - 1));
}

static struct divider divider_of(uint32_t n)
{
    return (struct divider){.n = n, .pow2 = is_pow2(n), .shift = (uint8_t)__builtin_ctz(n)};
}

static int check_range(const struct cache_config *cfg, const char *key, uint64_t v, uint64_t lo, uint64_t hi,
                       struct err *err)
{
    if (v >= lo && v <= hi)
        return 0;
    return err_set(err, ERR_USAGE, "cache %s: %s is %" PRIu64 "; expected %" PRIu64 " to %" PRIu64, cfg->name, key, v,
                   lo, hi);
}

static int check_config(const struct cache_config *cfg, struct err *err)
{
    const struct {
        const char *key;
        uint64_t v, lo, hi;
    } limit[] = {
        {"line_bytes", cfg->line_bytes, 16, 4096},
        {"ways", cfg->ways, 1, 256},
        {"channels", cfg->channels, 1, 1024},
        {"interleave_bytes", cfg->interleave_bytes, cfg->line_bytes, 1u << 30},
        {"hit_latency_cycles", cfg->hit_latency_cycles, 1, 100000},
        {"miss_latency_cycles", cfg->miss_latency_cycles, 1, 100000},
        {"fill_latency_cycles", cfg->fill_latency_cycles, 0, 100000},
        {"lookups_per_cycle", cfg->lookups_per_cycle, 1, 64},
        {"bytes_per_cycle", (uint64_t)cfg->bytes_per_cycle, 1, 65536},
        {"line_cycles", cfg->line_cycles, 0, 64},
        {"store_miss_ack_cycles", cfg->store_miss_ack_cycles, 0, 100000},
        {"atomic_cycles", cfg->atomic_cycles, 0, 100000},
        {"input_queue", cfg->input_queue, 1, 65536},
        {"output_queue", cfg->output_queue, 2, 65536},
        {"mshrs", cfg->mshrs, 1, 65536},
        {"mshr_targets", cfg->mshr_targets, 1, 4096},
        {"pass_slots", cfg->pass_slots, 1, 65536},
        {"request_bytes", cfg->request_bytes, 1, 2 * (uint64_t)cfg->line_bytes},
        {"store_request_bytes", cfg->store_request_bytes, 1, cfg->line_bytes},
        {"size_bytes", cfg->size_bytes, (uint64_t)cfg->line_bytes * cfg->ways * cfg->channels, UINT64_C(1) << 40},
    };

    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
        if (check_range(cfg, limit[i].key, limit[i].v, limit[i].lo, limit[i].hi, err))
            return -1;
    if (!is_pow2(cfg->line_bytes) || !is_pow2(cfg->interleave_bytes) || !is_pow2(cfg->request_bytes) ||
        !is_pow2(cfg->store_request_bytes))
        return err_set(
            err, ERR_USAGE,
            "cache %s: line_bytes %u, interleave_bytes %u, request_bytes %u, store_request_bytes %u: expected "
            "powers of two",
            cfg->name, cfg->line_bytes, cfg->interleave_bytes, cfg->request_bytes, cfg->store_request_bytes);
    if (cfg->size_bytes % ((uint64_t)cfg->line_bytes * cfg->ways * cfg->channels))
        return err_set(err, ERR_USAGE,
                       "cache %s: size_bytes %" PRIu64
                       " is not a multiple of line_bytes * ways * channels (%u * %u * %u)",
                       cfg->name, cfg->size_bytes, cfg->line_bytes, cfg->ways, cfg->channels);
    if (cfg->size_bytes / cfg->line_bytes / cfg->ways > UINT32_MAX)
        return err_set(err, ERR_USAGE, "cache %s: more than 2^32 sets", cfg->name);
    if ((uint64_t)cfg->channels * (cfg->mshrs * (uint64_t)cfg->mshr_targets + cfg->pass_slots) > 1u << 28)
        return err_set(err, ERR_USAGE, "cache %s: channels * (mshrs * mshr_targets + pass_slots) is above 2^28",
                       cfg->name);
    if (cfg->atomics && cfg->write != CACHE_WRITE_BACK)
        return err_set(err, ERR_USAGE, "cache %s: atomics need a write-back cache", cfg->name);
    if (cfg->peers && cfg->write != CACHE_WRITE_BACK)
        return err_set(err, ERR_USAGE, "cache %s: peers need a write-back cache", cfg->name);
    return 0;
}

static bool init_answers(struct cache_answers *a, uint32_t capacity, struct arena *arena)
{
    a->first = CYCLE_NEVER;
    return cache_rsps_init(&a->queue, arena, capacity);
}

/* Free lists and queues of one channel. */
static bool init_channel(struct cache *c, uint32_t i, struct arena *arena)
{
    const struct cache_config *cfg = &c->cfg;
    struct cache_channel *ch = &c->channel[i];

    ch->bucket = ARENA_NEW(arena, c->bucket_mask + 1, uint32_t);
    if (!ch->bucket || !cache_ins_init(&ch->in, arena, cfg->input_queue) ||
        !cache_outs_init(&ch->out, arena, c->max_out) || !init_answers(&ch->hits, c->max_answers, arena) ||
        !init_answers(&ch->fills, c->max_targets, arena) || !init_answers(&ch->acks, c->max_acks, arena))
        return false;
    ch->txn_fresh = i * cache_txns(c) + 1;
    ch->target_fresh = i * c->max_targets + 1;
    return true;
}

/* Data of a hit come within straight_cycles (straight.c), so no more than these are not over. */
static bool init_straights(struct cache *c, struct arena *arena)
{
    uint32_t most = (c->cfg.straight_cycles + 1) * c->cfg.lookups_per_cycle + c->max_answers, size = 1;

    while (size < most)
        size *= 2;
    c->straight = ARENA_NEW(arena, c->cfg.channels, struct cache_straights);
    for (uint32_t i = 0; c->straight && i < c->cfg.channels; i++) {
        struct cache_straights *q = &c->straight[i];

        q->mask = size - 1;
        q->ring = arena_alloc_unset(arena, size, sizeof *q->ring, 16);
        if (!q->ring)
            return false;
    }
    return c->straight != NULL;
}

/* Entries of queues and lists. */
static void size_queues(struct cache *c)
{
    const struct cache_config *f = &c->cfg;

    c->max_fills = f->request_bytes > f->line_bytes ? 2 * f->mshrs : f->mshrs;
    c->max_targets = c->max_fills * f->mshr_targets + f->pass_slots;
    c->max_out = f->output_queue + c->max_fills;
    /* hits within their latency, and as many again that wait for the data path */
    c->max_hits = 2 * (f->hit_latency_cycles * f->lookups_per_cycle + 1);
    /* and those whose cycle is known beforehand, until they are completed */
    c->max_answers = c->max_hits + (f->straight_cycles ? c->max_hits + f->input_queue : 0);
    c->max_acks = f->store_miss_ack_cycles ? c->max_hits + f->store_miss_ack_cycles * f->lookups_per_cycle : 1;
    for (c->bucket_mask = 1; c->bucket_mask < 2 * c->max_fills;)
        c->bucket_mask *= 2;
    c->bucket_mask--;
}

struct cache *cache_new(const struct cache_config *cfg, const struct mem_policy *policy, struct mem_port next,
                        uint16_t client, struct mem_sink sink, struct arena *arena, struct err *err)
{
    struct cache_config full = *cfg;
    struct cache *c;
    uint64_t lines;

    if (!full.interleave_bytes)
        full.interleave_bytes = full.line_bytes;
    if (!full.request_bytes)
        full.request_bytes = full.line_bytes;
    if (!full.store_request_bytes)
        full.store_request_bytes = full.line_bytes;
    if (check_config(&full, err))
        return NULL;
    c = arena_alloc(arena, 1, sizeof *c, _Alignof(struct cache));
    if (!c)
        goto no_memory;
    *c = (struct cache){.cfg = full, .policy = policy, .next = next, .client = client, .sink = sink};
    c->line_shift = (uint8_t)__builtin_ctz(full.line_bytes);
    c->interleave_shift = (uint8_t)__builtin_ctz(full.interleave_bytes);
    c->sector_shift = c->line_shift > 5 ? c->line_shift - 5 : 0;
    lines = full.size_bytes / full.line_bytes;
    c->per_byte = rate_per_byte(full.bytes_per_cycle);
    c->whole_bytes = full.bytes_per_cycle == (uint32_t)full.bytes_per_cycle ? (uint32_t)full.bytes_per_cycle : 0;
    c->large = lines * sizeof *c->way > CACHE_HOST_BYTES;
    c->channels = divider_of(full.channels);
    c->sets = divider_of((uint32_t)(lines / full.ways / full.channels));
    c->all_sets = divider_of(c->sets.n * full.channels);
    cache_lay_out_sets(c);
    size_queues(c);
    c->set = arena_alloc(arena, c->all_sets.n, c->set_bytes, 64);
    c->way = arena_alloc(arena, lines, sizeof *c->way, 64);
    if (!cache_set_watch(c, &full.watch, arena))
        goto no_memory;
    if (full.reserves_ways && !(c->in_flight = ARENA_NEW(arena, lines / full.ways, uint16_t)))
        goto no_memory;
    c->txn = arena_alloc(arena, (size_t)full.channels * cache_txns(c), sizeof *c->txn, 64);
    c->target = ARENA_NEW(arena, (size_t)full.channels * c->max_targets, struct cache_target);
    c->channel = arena_alloc(arena, full.channels, sizeof *c->channel, _Alignof(struct cache_channel));
    if (!c->set || !c->way || !c->txn || !c->target || !c->channel ||
        !cache_wheel_init(&c->wheel, full.channels, arena))
        goto no_memory;
    for (uint32_t i = 0; i < full.channels; i++)
        if (!init_channel(c, i, arena))
            goto no_memory;
    if (full.straight_cycles && !init_straights(c, arena))
        goto no_memory;
    return c;
no_memory:
    err_set(err, ERR_NOMEM, "cache %s: no host memory for %" PRIu64 " bytes of lines", cfg->name, cfg->size_bytes);
    return NULL;
}

bool cache_set_watch(struct cache *c, const struct cache_watch *watch, struct arena *arena)
{
    if (watch->hit && !c->asked) {
        c->asked = ARENA_NEW(arena, c->cfg.size_bytes / c->cfg.line_bytes, cycle_t);
        c->txn_asked = ARENA_NEW(arena, cache_txn_count(c), cycle_t);
    }
    c->cfg.watch = *watch;
    c->watched = watch->hit || watch->answered || watch->line;
    return (c->asked && c->txn_asked) || !watch->hit;
}

const struct cache_stats *cache_stats(const struct cache *c)
{
    return &c->stats;
}

void cache_clear_stats(struct cache *c)
{
    assert(cache_is_idle(c));
    c->stats = (struct cache_stats){0};
}

void cache_set_stats(struct cache *c, const struct cache_stats *s)
{
    c->stats = *s;
}

const struct cache_config *cache_get_config(const struct cache *c)
{
    return &c->cfg;
}
