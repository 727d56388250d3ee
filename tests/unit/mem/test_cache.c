/* One cache alone between mocks, and the DRAM. Cycles are exact: not at t - 1, at t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/cache.h"
#include "mem/dram.h"

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

static bool mock_can_accept(void *ctx, gaddr_t addr)
{
    (void)addr;
    return !((struct rig *)ctx)->refuse;
}

static void mock_accept(void *ctx, const struct mem_req *req, cycle_t now)
{
    struct rig *r = ctx;

    assert_true(r->sent_count < MAX_EVENTS);
    r->sent[r->sent_count++] = (struct event){.req = *req, .token = req->token, .at = now};
}

static void mock_complete(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct rig *r = ctx;

    assert_int_equal(client, 9);
    assert_true(r->done_count < MAX_EVENTS);
    r->done[r->done_count++] = (struct event){.token = token, .at = now};
}

/* 2 sets of 4 ways of 64 bytes. */
static struct cache_config small(void)
{
    return (struct cache_config){.name = "test",
                                 .level = MEM_LEVEL_VL0,
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

static struct cache_config small_back(void)
{
    struct cache_config c = small();

    c.write = CACHE_WRITE_BACK;
    c.write_allocate = c.atomics = true;
    c.level = MEM_LEVEL_L2;
    return c;
}

static void rig_init(struct rig *r, const struct cache_config *cfg, const struct mem_policy *policy)
{
    struct err e = {0};

    memset(r, 0, sizeof *r);
    arena_init(&r->arena, 0);
    r->c = cache_new(cfg, policy, (struct mem_port){r, mock_can_accept, mock_accept}, 5,
                     (struct mem_sink){r, mock_complete}, &r->arena, &e);
    if (!r->c)
        fail_msg("%s", e.text);
}

static void give_hint(struct rig *r, cycle_t now, enum mem_op op, gaddr_t addr, uint32_t bytes, uint64_t token,
                      struct mem_hint hint)
{
    struct mem_req q = {.addr = addr, .token = token, .bytes = bytes, .client = 9, .op = (uint8_t)op, .hint = hint};

    assert_true(cache_can_accept(r->c, addr));
    cache_accept(r->c, &q, now);
}

static void give(struct rig *r, cycle_t now, enum mem_op op, gaddr_t addr, uint32_t bytes, uint64_t token)
{
    give_hint(r, now, op, addr, bytes, token, (struct mem_hint){SCOPE_CU, TH_RT});
}

/* Ticks every cycle up to and including `to`. */
static void run(struct rig *r, cycle_t to)
{
    for (; r->now <= to; r->now++)
        cache_tick(r->c, r->now);
}

/* Loads a line and answers it; the clock ends well after. */
static void warm_hint(struct rig *r, gaddr_t addr, struct mem_hint hint)
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

static void warm(struct rig *r, gaddr_t addr)
{
    warm_hint(r, addr, (struct mem_hint){SCOPE_CU, TH_RT});
}

static void miss_and_hit_cycles(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    assert_int_equal(cache_tick(r.c, 0), CYCLE_NEVER);
    give(&r, 100, MEM_LOAD, 0x1008, 4, 1);
    assert_false(cache_is_idle(r.c));
    r.now = 100;
    run(&r, 103);
    assert_int_equal(r.sent_count, 0);
    run(&r, 104);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].at, 104);
    assert_int_equal(r.sent[0].req.addr, 0x1000);
    assert_int_equal(r.sent[0].req.bytes, 64);
    assert_int_equal(r.sent[0].req.client, 5);
    run(&r, 199);
    cache_fill(r.c, r.sent[0].token, 200);
    run(&r, 202);
    assert_int_equal(r.done_count, 0);
    run(&r, 203);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.done[0].token, 1);
    assert_true(cache_is_idle(r.c));
    give(&r, 300, MEM_LOAD, 0x103c, 4, 2);
    run(&r, 309);
    assert_int_equal(r.done_count, 1);
    run(&r, 310);
    assert_int_equal(r.done_count, 2);
    const struct cache_stats *s = cache_stats(r.c);
    assert_int_equal(s->op[MEM_LOAD].accesses, 2);
    assert_int_equal(s->op[MEM_LOAD].hits, 1);
    assert_int_equal(s->op[MEM_LOAD].misses, 1);
    assert_int_equal(s->fill_bytes, 64);
    assert_int_equal(s->load_bytes, 8);
    arena_free(&r.arena);
}

static void tick_names_the_next_cycle(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    give(&r, 100, MEM_LOAD, 0x1000, 4, 1);
    assert_int_equal(cache_tick(r.c, 100), 101);
    assert_int_equal(cache_tick(r.c, 101), 104);
    assert_int_equal(cache_tick(r.c, 104), CYCLE_NEVER);
    cache_fill(r.c, r.sent[0].token, 200);
    assert_int_equal(cache_tick(r.c, 200), 203);
    assert_int_equal(cache_tick(r.c, 203), CYCLE_NEVER);
    assert_int_equal(r.done_count, 1);
    arena_free(&r.arena);
}

static void data_path_and_tag_rate(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.bytes_per_cycle = 16;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    /* 64 bytes take 4 cycles, the first within the latency; the second waits for the path, not for the tags */
    give(&r, t, MEM_LOAD, 0, 64, 1);
    give(&r, t, MEM_LOAD, 0, 64, 2);
    give(&r, t, MEM_LOAD, 0, 4, 3);
    run(&r, t + 30);
    assert_int_equal(r.done_count, 3);
    assert_int_equal(r.done[0].at, t + 13);
    assert_int_equal(r.done[1].at, t + 17);
    assert_int_equal(r.done[2].at, t + 18);
    arena_free(&r.arena);
    cfg = small();
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    t = r.now;
    for (uint64_t i = 0; i < 3; i++)
        give(&r, t, MEM_LOAD, 0, 4, i);
    run(&r, t + 30);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(r.done[i].at, t + 10 + i);
    arena_free(&r.arena);
}

static void misses_merge(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0x40);
    cycle_t t = r.now;
    give(&r, t, MEM_LOAD, 0x1000, 4, 1);
    give(&r, t, MEM_LOAD, 0x1020, 4, 2);
    give(&r, t, MEM_LOAD, 0x40, 4, 3); /* hit under miss */
    run(&r, t + 20);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.done[0].token, 3);
    assert_int_equal(r.done[0].at, t + 12);
    cache_fill(r.c, r.sent[0].token, t + 21);
    run(&r, t + 60);
    assert_int_equal(r.done[1].token, 1);
    assert_int_equal(r.done[1].at, t + 24);
    assert_int_equal(r.done[2].token, 2);
    assert_int_equal(r.done[2].at, t + 25); /* one transfer of the data path later */
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].hit_on_miss, 1);
    arena_free(&r.arena);
}

static void full_mshrs_stall(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.mshrs = 1;
    cfg.mshr_targets = 2;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_LOAD, 0x0, 4, 1);
    give(&r, 0, MEM_LOAD, 0x4, 4, 2);
    give(&r, 0, MEM_LOAD, 0x8, 4, 3); /* a third target: no room, although the line is on its way */
    run(&r, 49);
    assert_int_equal(r.sent_count, 1);
    cache_fill(r.c, r.sent[0].token, 50);
    run(&r, 100);
    assert_int_equal(r.done_count, 3);
    assert_int_equal(r.done[2].token, 3);
    /* stalled from 3 to 50, then a hit of the lookup at 50 */
    assert_int_equal(cache_stats(r.c)->mshr_full_stall_cycles, 47);
    assert_int_equal(r.done[2].at, 59);
    arena_free(&r.arena);
}

/* A narrow data path backs up into the tag stage, which must go on by itself when the path has moved. */
static void slow_data_path_is_woken(void **state)
{
    struct cache_config cfg = small();
    struct rig r;
    uint64_t given = 0;

    (void)state;
    cfg.bytes_per_cycle = 1;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t0 = r.now, now = t0;
    while (now != CYCLE_NEVER) {
        cycle_t next = cache_tick(r.c, now);
        while (given < 60 && cache_can_accept(r.c, 0)) {
            give(&r, now, MEM_LOAD, 0, 64, given++);
            next = next < now + 1 ? next : now + 1;
        }
        now = next;
    }
    assert_int_equal(r.done_count, 60);
    for (unsigned i = 0; i < 60; i++) {
        assert_int_equal(r.done[i].token, i);
        assert_int_equal(r.done[i].at, t0 + 10 + 63 + 64 * i);
    }
    arena_free(&r.arena);
}

static void ordinary_load_makes_a_streamed_fill_stay(void **state)
{
    struct cache_config cfg = small();
    struct mem_policy p;
    struct rig r;

    (void)state;
    mem_policy_init(&p, MEM_GEN_GFX942);
    rig_init(&r, &cfg, &p);
    for (gaddr_t i = 0; i < 4; i++)
        warm(&r, i * 128);
    cycle_t t = r.now;
    give_hint(&r, t, MEM_LOAD, 4 * 128, 4, 1, (struct mem_hint){SCOPE_CU, TH_NT});
    give(&r, t, MEM_LOAD, 4 * 128, 4, 2);
    run(&r, t + 10);
    cache_fill(r.c, r.sent[0].token, t + 11);
    run(&r, t + 40);
    r.sent_count = 0;
    warm(&r, 5 * 128);
    assert_true(cache_probe(r.c, 4 * 128, NULL));
    assert_false(cache_probe(r.c, 128, NULL));
    arena_free(&r.arena);
}

static void lru_and_streaming(void **state)
{
    struct cache_config cfg = small();
    struct mem_policy p;
    struct rig r;
    struct mem_hint nt = {SCOPE_CU, TH_NT};

    (void)state;
    mem_policy_init(&p, MEM_GEN_GFX942);
    rig_init(&r, &cfg, &p);
    for (gaddr_t i = 0; i < 4; i++)
        warm(&r, i * 128);
    warm(&r, 0);            /* line 0 is the most recent, line 1 the oldest */
    warm_hint(&r, 128, nt); /* a streaming hit does not save line 1 */
    warm(&r, 4 * 128);
    assert_false(cache_probe(r.c, 128, NULL));
    assert_true(cache_probe(r.c, 0, NULL));
    /* streamed lines replace each other and nothing else: 2 is the oldest and goes, 3 stays however many pass */
    for (gaddr_t i = 5; i < 12; i++)
        warm_hint(&r, i * 128, nt);
    assert_false(cache_probe(r.c, 2 * 128, NULL));
    assert_true(cache_probe(r.c, 3 * 128, NULL));
    assert_true(cache_probe(r.c, 0, NULL));
    assert_true(cache_probe(r.c, 4 * 128, NULL));
    assert_true(cache_probe(r.c, 11 * 128, NULL));
    assert_false(cache_probe(r.c, 10 * 128, NULL));
    arena_free(&r.arena);
}

static void write_through_waits_for_below(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    give(&r, t, MEM_STORE, 0, 16, 1);
    give(&r, t, MEM_STORE, 0x400, 64, 2);
    run(&r, t + 3);
    assert_int_equal(r.sent_count, 0);
    run(&r, t + 30);
    assert_int_equal(r.sent_count, 2);
    assert_int_equal(r.sent[0].at, t + 4);
    assert_int_equal(r.sent[0].req.bytes, 16);
    assert_int_equal(r.sent[0].req.op, MEM_STORE);
    assert_int_equal(r.done_count, 0);
    cache_fill(r.c, r.sent[0].token, t + 31);
    cache_fill(r.c, r.sent[1].token, t + 31);
    run(&r, t + 33);
    assert_int_equal(r.done_count, 0);
    run(&r, t + 34);
    assert_int_equal(r.done_count, 2); /* acknowledgements need no data path */
    assert_false(cache_probe(r.c, 0x400, NULL));
    bool dirty = true;
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_false(dirty);
    assert_int_equal(cache_stats(r.c)->op[MEM_STORE].hits, 1);
    assert_int_equal(cache_stats(r.c)->op[MEM_STORE].misses, 1);
    assert_int_equal(cache_stats(r.c)->down_bytes, 80);
    arena_free(&r.arena);
}

static void write_back_evicts(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;
    bool dirty;

    (void)state;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_STORE, 0, 64, 1);
    run(&r, 9);
    assert_int_equal(r.done_count, 0);
    run(&r, 10);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.sent_count, 0); /* allocated without a fetch */
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_true(dirty);
    run(&r, 50);
    r.done_count = 0;
    for (gaddr_t i = 1; i < 4; i++)
        warm(&r, i * 128);
    cycle_t t = r.now;
    give(&r, t, MEM_LOAD, 4 * 128, 4, 2);
    run(&r, t + 5);
    cache_fill(r.c, r.sent[0].token, t + 6);
    run(&r, t + 6);
    assert_int_equal(r.sent_count, 2);
    assert_int_equal(r.sent[1].req.op, MEM_STORE);
    assert_int_equal(r.sent[1].req.addr, 0);
    assert_int_equal(r.sent[1].req.bytes, 64);
    assert_int_equal(r.sent[1].token, MEM_TOKEN_NONE);
    assert_int_equal(r.sent[1].at, t + 6);
    assert_false(cache_probe(r.c, 0, NULL));
    assert_int_equal(cache_stats(r.c)->writebacks, 1);
    assert_int_equal(cache_stats(r.c)->evictions, 1);
    arena_free(&r.arena);
}

static void partly_written_lines_are_fetched_for_loads(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;
    bool dirty;

    (void)state;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_STORE, 0x10, 16, 1);
    run(&r, 20);
    give(&r, 21, MEM_LOAD, 0x10, 16, 2); /* what was written hits */
    run(&r, 40);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.sent_count, 0);
    give(&r, 41, MEM_LOAD, 0x1c, 8, 3); /* the rest does not */
    run(&r, 50);
    assert_int_equal(r.sent_count, 1);
    cache_fill(r.c, r.sent[0].token, 51);
    run(&r, 60);
    assert_int_equal(r.done_count, 3);
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_true(dirty);
    give(&r, 61, MEM_LOAD, 0x30, 8, 4);
    run(&r, 80);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].misses, 1);
    arena_free(&r.arena);
}

static void atomics(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct rig r;
    bool dirty;

    (void)state;
    cfg.atomic_cycles = 6;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    give(&r, t, MEM_ATOMIC, 0, 4, 1);
    give(&r, t, MEM_ATOMIC, 0, 4, 2);
    run(&r, t + 30);
    assert_int_equal(r.done[0].at, t + 10);
    assert_int_equal(r.done[1].at, t + 16);
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_true(dirty);
    arena_free(&r.arena);
    /* above L2 they pass, and take the line with them */
    cfg = small();
    mem_policy_init(&p, MEM_GEN_GFX90A);
    rig_init(&r, &cfg, &p);
    warm(&r, 0);
    t = r.now;
    give(&r, t, MEM_ATOMIC, 0x8, 4, 1);
    run(&r, t + 10);
    assert_int_equal(r.sent[0].at, t + 4);
    assert_int_equal(r.sent[0].req.op, MEM_ATOMIC);
    assert_int_equal(r.sent[0].req.addr, 8);
    assert_int_equal(r.sent[0].req.bytes, 4);
    assert_false(cache_probe(r.c, 0, NULL));
    cache_fill(r.c, r.sent[0].token, t + 11);
    run(&r, t + 14);
    assert_int_equal(r.done_count, 1);
    assert_false(cache_probe(r.c, 0, NULL));
    arena_free(&r.arena);
}

static void coherent_loads_miss_and_evict(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct rig r;

    (void)state;
    cfg.level = MEM_LEVEL_VL0; /* write-back, to see that a dirty line is saved first */
    mem_policy_init(&p, MEM_GEN_GFX90A);
    rig_init(&r, &cfg, &p);
    give(&r, 0, MEM_STORE, 0, 64, 1);
    run(&r, 20);
    give_hint(&r, 21, MEM_LOAD, 8, 4, 2, (struct mem_hint){SCOPE_DEV, TH_RT});
    run(&r, 40);
    assert_int_equal(r.sent_count, 2);
    assert_int_equal(r.sent[0].req.op, MEM_STORE);
    assert_int_equal(r.sent[1].req.op, MEM_LOAD);
    assert_int_equal(r.sent[1].req.bytes, 64);
    assert_false(cache_probe(r.c, 0, NULL));
    cache_fill(r.c, r.sent[1].token, 41);
    run(&r, 60);
    assert_int_equal(r.done_count, 2);
    assert_false(cache_probe(r.c, 0, NULL));
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].bypasses, 1);
    arena_free(&r.arena);
}

static void lines_are_fetched_in_pieces(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.request_bytes = 32;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_LOAD, 0x40, 4, 1);
    run(&r, 10);
    assert_int_equal(r.sent_count, 2);
    assert_int_equal(r.sent[1].at, r.sent[0].at + 1);
    assert_int_equal(r.sent[1].req.addr, 0x60);
    assert_int_equal(r.sent[1].req.bytes, 32);
    cache_fill(r.c, r.sent[0].token, 11);
    run(&r, 19);
    assert_int_equal(r.done_count, 0);
    cache_fill(r.c, r.sent[1].token, 20);
    run(&r, 23);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.done[0].at, 23);
    arena_free(&r.arena);
}

static void held_up_below_and_woken(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    r.refuse = true;
    give(&r, 0, MEM_LOAD, 0, 4, 1);
    assert_int_equal(cache_tick(r.c, 1), 4);
    assert_int_equal(cache_tick(r.c, 4), CYCLE_NEVER);
    assert_true(cache_is_blocked(r.c));
    r.refuse = false;
    assert_int_equal(cache_tick(r.c, 5), CYCLE_NEVER);
    assert_int_equal(r.sent_count, 0);
    cache_unblock(r.c, 6);
    cache_tick(r.c, 6);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].at, 6);
    assert_false(cache_is_blocked(r.c));
    arena_free(&r.arena);
}

static void invalidate_and_writeback(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;
    bool dirty;

    (void)state;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0x40);
    cycle_t t = r.now;
    for (gaddr_t i = 0; i < 3; i++)
        give(&r, t, MEM_STORE, i * 128, 64, i);
    give(&r, t, MEM_LOAD, 0x140, 4, 77); /* on its way when the invalidation comes */
    run(&r, t + 30);
    cache_invalidate(r.c, r.now - 1);
    assert_false(cache_probe(r.c, 0x40, NULL));
    assert_true(cache_probe(r.c, 0, NULL)); /* dirty lines stay */
    cache_fill(r.c, r.sent[0].token, t + 31);
    run(&r, t + 60);
    assert_int_equal(r.done[r.done_count - 1].token, 77);
    assert_false(cache_probe(r.c, 0x140, NULL));
    r.sent_count = 0;
    t = r.now;
    cache_writeback(r.c, t);
    assert_true(cache_is_writing_back(r.c));
    assert_false(cache_is_idle(r.c));
    run(&r, t + 10);
    assert_int_equal(r.sent_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(r.sent[i].at, t + 1 + i);
        assert_true(cache_probe(r.c, r.sent[i].req.addr, &dirty));
        assert_false(dirty);
    }
    assert_false(cache_is_writing_back(r.c));
    assert_true(cache_is_idle(r.c));
    cache_invalidate(r.c, r.now - 1);
    assert_false(cache_probe(r.c, 0, NULL));
    arena_free(&r.arena);
}

static void channels_work_side_by_side(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.channels = 3;
    cfg.interleave_bytes = 128;
    cfg.size_bytes = 3 * 512;
    rig_init(&r, &cfg, NULL);
    /* every line of the capacity fits: the sets of all channels are used */
    for (gaddr_t a = 0; a < 3 * 512; a += 64)
        warm(&r, a);
    for (gaddr_t a = 0; a < 3 * 512; a += 64)
        assert_true(cache_probe(r.c, a, NULL));
    cycle_t t = r.now;
    give(&r, t, MEM_LOAD, 0, 4, 1);
    give(&r, t, MEM_LOAD, 128, 4, 2);
    give(&r, t, MEM_LOAD, 64, 4, 3);
    run(&r, t + 20);
    assert_int_equal(r.done_count, 3);
    assert_int_equal(r.done[0].at, t + 10);
    assert_int_equal(r.done[1].at, t + 10);
    assert_int_equal(r.done[2].at, t + 11);
    assert_int_equal(r.done[2].token, 3);
    arena_free(&r.arena);
}

static void bad_configurations(void **state)
{
    static const struct {
        size_t at;
        uint32_t v;
        const char *word;
    } t[] = {
        {offsetof(struct cache_config, line_bytes), 48, "powers of two"},
        {offsetof(struct cache_config, line_bytes), 8, "line_bytes"},
        {offsetof(struct cache_config, ways), 0, "ways"},
        {offsetof(struct cache_config, ways), 3, "not a multiple"},
        {offsetof(struct cache_config, ways), 16, "size_bytes"},
        {offsetof(struct cache_config, channels), 0, "channels"},
        {offsetof(struct cache_config, hit_latency_cycles), 0, "hit_latency_cycles"},
        {offsetof(struct cache_config, output_queue), 1, "output_queue"},
        {offsetof(struct cache_config, mshrs), 0, "mshrs"},
        {offsetof(struct cache_config, request_bytes), 128, "request_bytes"},
    };
    struct arena a;

    (void)state;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct cache_config cfg = small();
        struct err e = {0};
        memcpy((char *)&cfg + t[i].at, &t[i].v, sizeof t[i].v);
        assert_null(cache_new(&cfg, NULL, (struct mem_port){0}, 0, (struct mem_sink){0}, &a, &e));
        assert_int_equal(e.code, ERR_USAGE);
        if (!strstr(e.text, t[i].word))
            fail_msg("%s does not name %s", e.text, t[i].word);
    }
    arena_free(&a);
}

static void dram_latency_and_bandwidth(void **state)
{
    struct dram_config cfg = {
        .latency_cycles = 100, .channels = 2, .interleave_bytes = 256, .max_in_flight = 3, .bytes_per_cycle = 48};
    struct rig r = {0};
    struct dram d;
    struct err e = {0};

    (void)state;
    arena_init(&r.arena, 0);
    assert_int_equal(dram_init(&d, &cfg, (struct mem_sink){&r, mock_complete}, &r.arena, &e), 0);
    struct mem_req q = {.bytes = 64, .client = 9, .op = MEM_LOAD};
    for (unsigned i = 0; i < 3; i++) {
        q.token = i;
        assert_true(dram_can_accept(&d, 0));
        dram_accept(&d, &q, 10);
    }
    assert_false(dram_can_accept(&d, 255));
    assert_true(dram_can_accept(&d, 256));
    q = (struct mem_req){.addr = 256, .token = 3, .bytes = 24, .client = 9, .op = MEM_STORE};
    dram_accept(&d, &q, 10);
    q.token = MEM_TOKEN_NONE;
    dram_accept(&d, &q, 10);
    /* 24 bytes a cycle and channel: 64 bytes take 2.67 cycles, and fractions are not lost */
    assert_int_equal(dram_tick(&d, 109), 110);
    assert_int_equal(r.done_count, 0);
    for (cycle_t t = 110; t < 130; t++)
        dram_tick(&d, t);
    assert_int_equal(r.done_count, 4);
    assert_int_equal(r.done[0].token, 3);
    assert_int_equal(r.done[0].at, 110);
    assert_int_equal(r.done[1].at, 112);
    assert_int_equal(r.done[2].at, 115);
    assert_int_equal(r.done[3].at, 117);
    assert_true(dram_is_idle(&d));
    assert_int_equal(d.stats.read_bytes, 192);
    assert_int_equal(d.stats.write_bytes, 48);
    cfg.bytes_per_cycle = 0;
    assert_int_not_equal(dram_init(&d, &cfg, (struct mem_sink){0}, &r.arena, &e), 0);
    assert_non_null(strstr(e.text, "bytes_per_cycle"));
    arena_free(&r.arena);
}

/* A hit is the line's last: served in the usual time, and the line is gone. A miss leaves the replacement order alone.
 */
static void hit_evict(void **state)
{
    struct cache_config cfg = small();
    struct mem_policy p;
    struct mem_hint last = {SCOPE_CU, TH_LU};
    struct rig r;

    (void)state;
    mem_policy_init(&p, MEM_GEN_GFX12);
    rig_init(&r, &cfg, &p);
    warm(&r, 0);
    cycle_t t = r.now;
    give_hint(&r, t, MEM_LOAD, 0, 4, 1, last);
    run(&r, t + 9);
    assert_int_equal(r.done_count, 0);
    run(&r, t + 10);
    assert_int_equal(r.done_count, 1);
    assert_false(cache_probe(r.c, 0, NULL));
    assert_int_equal(cache_stats(r.c)->evictions, 1);
    assert_int_equal(cache_stats(r.c)->evicted[SCOPE_CU][TH_RT], 1); /* the hint that brought it */
    /* missed with the hint, a line is there for the requests that wait for it and the next to go */
    for (gaddr_t i = 0; i < 3; i++)
        warm(&r, i * 128);
    warm_hint(&r, 3 * 128, last);
    assert_true(cache_probe(r.c, 3 * 128, NULL));
    warm(&r, 4 * 128);
    assert_false(cache_probe(r.c, 3 * 128, NULL));
    assert_true(cache_probe(r.c, 0, NULL));
    assert_int_equal(cache_stats(r.c)->evicted[SCOPE_CU][TH_LU], 1);
    arena_free(&r.arena);
}

/* What MALL is told not to keep passes it; what is there is found; an ordinary load that joins the fetch keeps it. */
static void no_alloc(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct mem_hint far_nt = {SCOPE_CU, TH_RT_NT};
    struct rig r;

    (void)state;
    cfg.level = MEM_LEVEL_MALL;
    mem_policy_init(&p, MEM_GEN_GFX11);
    rig_init(&r, &cfg, &p);
    warm_hint(&r, 0, far_nt);
    assert_false(cache_probe(r.c, 0, NULL));
    warm(&r, 0);
    cycle_t t = r.now;
    give_hint(&r, t, MEM_LOAD, 0, 4, 1, far_nt);
    run(&r, t + 10);
    assert_int_equal(r.done_count, 1);
    assert_true(cache_probe(r.c, 0, NULL));
    /* two loads of a line, one of which wants it to stay */
    r.sent_count = 0;
    give_hint(&r, r.now + 1, MEM_LOAD, 64, 4, 2, far_nt);
    give(&r, r.now + 1, MEM_LOAD, 64, 4, 3);
    run(&r, r.now + 8);
    assert_int_equal(r.sent_count, 1);
    cache_fill(r.c, r.sent[0].token, r.now + 1);
    run(&r, r.now + 20);
    assert_true(cache_probe(r.c, 64, NULL));
    /* a store that misses goes by, one that hits stays */
    r.sent_count = 0;
    give_hint(&r, r.now + 1, MEM_STORE, 128, 64, 4, far_nt);
    give_hint(&r, r.now + 1, MEM_STORE, 0, 64, 5, far_nt);
    run(&r, r.now + 20);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].req.addr, 128);
    assert_false(cache_probe(r.c, 128, NULL));
    bool dirty = false;
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_true(dirty);
    arena_free(&r.arena);
}

/* gfx12 stores with write-back hint: MALL has the line, clean, and memory has it too. */
static void write_back_hint_writes_through(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct rig r;
    bool dirty = true;

    (void)state;
    cfg.level = MEM_LEVEL_MALL;
    mem_policy_init(&p, MEM_GEN_GFX12);
    rig_init(&r, &cfg, &p);
    warm(&r, 0);
    r.sent_count = 0;
    give_hint(&r, r.now + 1, MEM_STORE, 0, 64, 1, (struct mem_hint){SCOPE_CU, TH_LU});
    run(&r, r.now + 20);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].req.op, MEM_STORE);
    assert_true(cache_probe(r.c, 0, &dirty));
    assert_false(dirty);
    arena_free(&r.arena);
}

/* A line written back says to the next level how it was written. */
static void victims_carry_their_hint(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct rig r;

    (void)state;
    mem_policy_init(&p, MEM_GEN_GFX12);
    rig_init(&r, &cfg, &p);
    give_hint(&r, 0, MEM_STORE, 0, 64, 1, (struct mem_hint){SCOPE_SE, TH_RT_NT});
    run(&r, 20);
    for (gaddr_t i = 1; i < 5; i++)
        warm(&r, i * 128);
    for (unsigned k = 0; k < r.sent_count; k++)
        if (r.sent[k].req.op == MEM_STORE) {
            assert_int_equal(r.sent[k].req.addr, 0);
            assert_int_equal(r.sent[k].req.hint.temporal, TH_RT_NT);
        }
    assert_int_equal(cache_stats(r.c)->writebacks, 1);
    assert_int_equal(cache_stats(r.c)->evicted[SCOPE_SE][TH_RT_NT], 1);
    arena_free(&r.arena);
}

/* Latencies of loads add up; stores, posted requests and what is under way do not count. */
static void latency_statistics(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.bytes_per_cycle = 16;
    rig_init(&r, &cfg, NULL);
    give(&r, 100, MEM_LOAD, 0, 64, 1);
    run(&r, 110);
    cache_fill(r.c, r.sent[0].token, 200);
    run(&r, 300); /* 200 + 3, four cycles of data */
    assert_int_equal(r.done[0].at, 206);
    give(&r, 301, MEM_LOAD, 0, 4, 2);
    run(&r, 320); /* 10 */
    const struct cache_stats *s = cache_stats(r.c);
    assert_int_equal(s->loads_taken, 2);
    assert_int_equal(s->loads_done, 2);
    assert_int_equal(s->load_latency_cycles, 106 + 10);
    assert_int_equal(s->data_cycles, 4 + 1);
    give(&r, 321, MEM_STORE, 0, 4, 3);
    give(&r, 321, MEM_LOAD, 4096, 4, 4);
    run(&r, 340);
    assert_int_equal(s->loads_taken, 3);
    assert_int_equal(s->loads_done, 2);
    assert_int_equal(s->load_latency_cycles + 340, 116 + 340 - 321);
    arena_free(&r.arena);
}

/* A hit passes a miss that is waiting for its line. */
static void hit_under_miss(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    give(&r, t, MEM_LOAD, 64, 4, 1);
    give(&r, t, MEM_LOAD, 0, 4, 2);
    run(&r, t + 10); /* looked up a cycle after the miss */
    assert_int_equal(r.done_count, 0);
    run(&r, t + 11);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.done[0].token, 2);
    cache_fill(r.c, r.sent[r.sent_count - 1].token, t + 50);
    run(&r, t + 52);
    assert_int_equal(r.done_count, 1);
    run(&r, t + 53);
    assert_int_equal(r.done_count, 2);
    arena_free(&r.arena);
}

/* Two banks of 512-byte rows in a channel of 256-byte pieces: an open row saves 30 cycles, a closed one nothing; a
 * quick answer waits for those before it. */
static void dram_rows(void **state)
{
    struct dram_config cfg = {.latency_cycles = 100,
                              .channels = 2,
                              .interleave_bytes = 256,
                              .max_in_flight = 8,
                              .bytes_per_cycle = 128,
                              .banks = 2,
                              .row_bytes = 512,
                              .row_hit_saves_cycles = 30};
    static const struct {
        gaddr_t addr;
        cycle_t at, done;
    } v[] = {
        {0, 0, 100},        {64, 200, 270},     /* same row */
        {512, 300, 370},                        /* the channel's next 256 bytes: still row 0 */
        {1024, 400, 500},   {0, 600, 670},      /* row 1 is in the other bank: row 0 stays open */
        {2048, 700, 800},   {0, 900, 1000},     /* row 2 takes row 0's place */
        {4096, 1100, 1200}, {4160, 1101, 1200}, /* a hit behind a miss */
        {256, 1300, 1400},                      /* the other channel */
    };
    struct rig r = {0};
    struct dram d;
    struct err e = {0};
    cycle_t t = 0;

    (void)state;
    arena_init(&r.arena, 0);
    assert_int_equal(dram_init(&d, &cfg, (struct mem_sink){&r, mock_complete}, &r.arena, &e), 0);
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        for (; t <= v[k].at; t++)
            dram_tick(&d, t);
        dram_accept(&d, &(struct mem_req){.addr = v[k].addr, .token = k, .bytes = 64, .client = 9, .op = MEM_LOAD},
                    v[k].at);
    }
    for (; t < 1500; t++)
        dram_tick(&d, t);
    assert_int_equal(r.done_count, sizeof v / sizeof v[0]);
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        assert_int_equal(r.done[k].token, k);
        assert_int_equal(r.done[k].at, v[k].done);
    }
    assert_int_equal(d.stats.row_hits, 4);
    cfg.row_hit_saves_cycles = 100;
    assert_int_not_equal(dram_init(&d, &cfg, (struct mem_sink){0}, &r.arena, &e), 0);
    assert_non_null(strstr(e.text, "row_hit_saves_cycles"));
    arena_free(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_and_hit_cycles),
        cmocka_unit_test(tick_names_the_next_cycle),
        cmocka_unit_test(data_path_and_tag_rate),
        cmocka_unit_test(misses_merge),
        cmocka_unit_test(full_mshrs_stall),
        cmocka_unit_test(slow_data_path_is_woken),
        cmocka_unit_test(ordinary_load_makes_a_streamed_fill_stay),
        cmocka_unit_test(lru_and_streaming),
        cmocka_unit_test(write_through_waits_for_below),
        cmocka_unit_test(write_back_evicts),
        cmocka_unit_test(partly_written_lines_are_fetched_for_loads),
        cmocka_unit_test(atomics),
        cmocka_unit_test(coherent_loads_miss_and_evict),
        cmocka_unit_test(lines_are_fetched_in_pieces),
        cmocka_unit_test(held_up_below_and_woken),
        cmocka_unit_test(invalidate_and_writeback),
        cmocka_unit_test(channels_work_side_by_side),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(hit_evict),
        cmocka_unit_test(no_alloc),
        cmocka_unit_test(write_back_hint_writes_through),
        cmocka_unit_test(victims_carry_their_hint),
        cmocka_unit_test(latency_statistics),
        cmocka_unit_test(hit_under_miss),
        cmocka_unit_test(dram_latency_and_bandwidth),
        cmocka_unit_test(dram_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
