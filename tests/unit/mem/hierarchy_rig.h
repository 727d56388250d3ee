/* A small hierarchy of five CUs, and random traffic for it. */
#ifndef GCNSIM_TESTS_UNIT_MEM_HIERARCHY_RIG_H
#define GCNSIM_TESTS_UNIT_MEM_HIERARCHY_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mem/hierarchy/hierarchy.h"

static inline struct cache_config level(uint64_t size, uint32_t line, uint32_t ways, uint32_t channels, uint32_t hit)
{
    return (struct cache_config){.size_bytes = size,
                                 .line_bytes = line,
                                 .ways = ways,
                                 .channels = channels,
                                 .hit_latency_cycles = hit,
                                 .miss_latency_cycles = 8,
                                 .fill_latency_cycles = 4,
                                 .lookups_per_cycle = 1,
                                 .bytes_per_cycle = 64,
                                 .input_queue = 4,
                                 .output_queue = 4,
                                 .mshrs = 8,
                                 .mshr_targets = 4,
                                 .pass_slots = 8};
}

/* Small everywhere, so that random traffic fills every queue. */
static inline struct hierarchy_config small_hierarchy(bool gl1, bool mall)
{
    struct hierarchy_config c = {
        .gen = MEM_GEN_GFX12, .cus = 5, .cus_per_k = 2, .cus_per_i = 2, .cus_per_gl1 = 3, .max_outstanding = 64};

    c.present[LEVEL_VL0] = c.present[LEVEL_K] = c.present[LEVEL_I] = c.present[LEVEL_L2] = true;
    c.present[LEVEL_GL1] = gl1;
    c.present[LEVEL_MALL] = mall;
    c.cache[LEVEL_VL0] = level(2048, 128, 4, 1, 40);
    c.cache[LEVEL_VL0].write = CACHE_WRITE_THROUGH;
    c.cache[LEVEL_K] = level(1024, 64, 4, 1, 20);
    c.cache[LEVEL_I] = level(1024, 64, 4, 1, 10);
    c.cache[LEVEL_GL1] = level(4096, 128, 4, 2, 60);
    c.cache[LEVEL_L2] = level(3 * 4096, 128, 4, 3, 100);
    c.cache[LEVEL_L2].write = CACHE_WRITE_BACK;
    c.cache[LEVEL_L2].write_allocate = c.cache[LEVEL_L2].atomics = true;
    c.cache[LEVEL_L2].interleave_bytes = 256;
    c.cache[LEVEL_L2].atomic_cycles = 3;
    c.cache[LEVEL_MALL] = level(16384, 64, 4, 4, 150);
    c.cache[LEVEL_MALL].write = CACHE_WRITE_BACK;
    c.cache[LEVEL_MALL].write_allocate = true;
    c.dram = (struct dram_config){
        .latency_cycles = 200, .channels = 2, .interleave_bytes = 256, .max_in_flight = 12, .bytes_per_cycle = 50};
    return c;
}

/* Fabrics for random traffic: none; links that carry too little; several on a way; no distance at all. */
static inline struct fabric_config fabric_for(uint64_t seed)
{
    static const struct fabric_config some[] = {
        {0},
        {.columns = 2, .rows = 1, .hop_cycles = 9, .bytes_per_cycle = 14.5},
        {.columns = 2, .rows = 2, .hop_cycles = 21, .bytes_per_cycle = 48},
        {.columns = 3, .rows = 1, .hop_cycles = 0, .bytes_per_cycle = 0},
        {.columns = 1, .rows = 2, .hop_cycles = 0, .bytes_per_cycle = 24},
        {.columns = 2, .rows = 2, .hop_cycles = 1, .bytes_per_cycle = 11},
    };

    return some[seed % (sizeof some / sizeof some[0])];
}

static inline struct hierarchy *make(const struct hierarchy_config *c)
{
    struct err e = {0};
    struct hierarchy *h = hierarchy_new(c, &e);

    if (!h)
        fail_msg("%s", e.text);
    return h;
}

/* Cycles from accept to completion of one load, jumping. */
static inline cycle_t load_time(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, enum mem_op op, gaddr_t addr,
                                cycle_t now)
{
    struct mem_req q = {.addr = addr, .token = 42, .bytes = 4, .op = (uint8_t)op};
    uint64_t token = 0;
    cycle_t t;

    assert_true(hierarchy_is_idle(h));
    hierarchy_accept(h, cu, port, &q, now);
    for (t = hierarchy_next(h); t != CYCLE_NEVER; t = hierarchy_next(h)) {
        hierarchy_tick(h, t);
        if (hierarchy_pop(h, cu, port, &token)) {
            assert_int_equal(token, 42);
            assert_int_equal(hierarchy_next(h), CYCLE_NEVER);
            return t - now;
        }
    }
    fail_msg("no completion");
    return 0;
}

/* Runs until the token comes back at a port of CU 0; returns when. */
static inline cycle_t back_at(struct hierarchy *h, enum mem_port_kind port, uint64_t token)
{
    uint64_t got;

    for (cycle_t t = hierarchy_next(h); t != CYCLE_NEVER; t = hierarchy_next(h)) {
        hierarchy_tick(h, t);
        while (hierarchy_pop(h, 0, port, &got))
            if (got == token)
                return t;
    }
    fail_msg("no completion");
    return 0;
}

struct rng {
    uint64_t s;
};

static inline uint32_t rnd(struct rng *r, uint32_t n)
{
    r->s = r->s * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(r->s >> 33) % n;
}

#endif
