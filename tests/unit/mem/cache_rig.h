/* A cache, or the DRAM, between mocks: what it sends below and completes above is noted with its cycle. */
#ifndef GCNSIM_TESTS_UNIT_MEM_CACHE_RIG_H
#define GCNSIM_TESTS_UNIT_MEM_CACHE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/cache/cache.h"

#define MAX_EVENTS 256

struct event {
    struct mem_req req;
    uint64_t token;
    cycle_t at;
};

struct rig {
    struct arena arena;
    struct cache *c;
    struct event sent[MAX_EVENTS], done[MAX_EVENTS];
    unsigned sent_count, done_count;
    bool refuse;
    cycle_t now;
};

static inline bool mock_can_accept(void *ctx, gaddr_t addr)
{
    (void)addr;
    return !((struct rig *)ctx)->refuse;
}

static inline void mock_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct rig *r = ctx;

    assert_true(r->sent_count < MAX_EVENTS);
    r->sent[r->sent_count++] = (struct event){.req = *req, .token = req->token, .at = now};
}

static inline void mock_complete(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct rig *r = ctx;

    assert_int_equal(client, 9);
    assert_true(r->done_count < MAX_EVENTS);
    r->done[r->done_count++] = (struct event){.token = token, .at = now};
}

/* 2 sets of 4 ways of 64 bytes. */
static inline struct cache_config small(void)
{
    return (struct cache_config){.name = "test",
                                 .level = LEVEL_VL0,
                                 .write = CACHE_WRITE_THROUGH,
                                 .size_bytes = 512,
                                 .line_bytes = 64,
                                 .ways = 4,
                                 .channels = 1,
                                 .hit_latency_cycles = 10,
                                 .miss_latency_cycles = 4,
                                 .fill_latency_cycles = 3,
                                 .lookups_per_cycle = 1,
                                 .bytes_per_cycle = 64,
                                 .input_queue = 16,
                                 .output_queue = 8,
                                 .mshrs = 4,
                                 .mshr_targets = 4,
                                 .pass_slots = 4};
}

static inline struct cache_config small_back(void)
{
    struct cache_config c = small();

    c.write = CACHE_WRITE_BACK;
    c.write_allocate = c.atomics = true;
    c.level = LEVEL_L2;
    return c;
}

static inline void rig_init(struct rig *r, const struct cache_config *cfg, const struct mem_policy *policy)
{
    struct err e = {0};

    memset(r, 0, sizeof *r);
    arena_init(&r->arena, 0);
    r->c = cache_new(cfg, policy, (struct mem_port){r, mock_can_accept, mock_accept}, 5,
                     (struct mem_sink){r, mock_complete}, &r->arena, &e);
    if (!r->c)
        fail_msg("%s", e.text);
}

static inline void give_hint(struct rig *r, cycle_t now, enum mem_op op, gaddr_t addr, uint32_t bytes, uint64_t token,
                             struct mem_hint hint)
{
    struct mem_req q = {.addr = addr, .token = token, .bytes = bytes, .client = 9, .op = (uint8_t)op, .hint = hint};

    assert_true(cache_can_accept(r->c, addr));
    cache_accept(r->c, &q, now);
}

static inline void give(struct rig *r, cycle_t now, enum mem_op op, gaddr_t addr, uint32_t bytes, uint64_t token)
{
    give_hint(r, now, op, addr, bytes, token, (struct mem_hint){SCOPE_CU, TH_RT});
}

/* Ticks every cycle up to and including `to`. */
static inline void run(struct rig *r, cycle_t to)
{
    for (; r->now <= to; r->now++)
        cache_tick(r->c, r->now);
}

/* Loads a line and answers it; the clock ends well after. */
static inline void warm_hint(struct rig *r, gaddr_t addr, struct mem_hint hint)
{
    unsigned n = r->sent_count;
    cycle_t t = r->now;

    give_hint(r, t, MEM_LOAD, addr, 4, 1000, hint);
    run(r, t + 4);
    if (r->sent_count > n) {
        cache_fill(r->c, r->sent[n].token, t + 5);
    }
    run(r, t + 40);
    r->done_count = r->sent_count = 0;
}

static inline void warm(struct rig *r, gaddr_t addr)
{
    warm_hint(r, addr, (struct mem_hint){SCOPE_CU, TH_RT});
}

#endif
