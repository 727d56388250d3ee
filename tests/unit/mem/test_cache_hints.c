/* What hints do to the lines of one cache alone between mocks. */
#include "tests/unit/mem/cache_rig.h"

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

static void coherent_loads_miss_and_evict(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct rig r;

    (void)state;
    cfg.level = LEVEL_VL0; /* write-back, to see that a dirty line is saved first */
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
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].misses, 1); /* a bypass is a miss */
    arena_free(&r.arena);
}

/* A hit evicts the line and is served in the usual time. A miss leaves the replacement order alone.
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

/* A no-alloc load leaves no line in MALL, hits a line that is present, and leaves one when an ordinary load is merged
 * into its fetch. */
static void no_alloc(void **state)
{
    struct cache_config cfg = small_back();
    struct mem_policy p;
    struct mem_hint far_nt = {SCOPE_CU, TH_RT_NT};
    struct rig r;

    (void)state;
    cfg.level = LEVEL_MALL;
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
    /* a store that misses is passed down, one that hits is kept */
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
    cfg.level = LEVEL_MALL;
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

/* Misses of two lines side by side are one request only where both ask alike. */
static void neighbours_that_ask_otherwise(void **state)
{
    static const struct mem_hint hint[] = {{SCOPE_CU, TH_RT}, {SCOPE_DEV, TH_RT}, {SCOPE_CU, TH_NT}};
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.request_bytes = 128;
    for (unsigned k = 0; k < 3; k++) {
        rig_init(&r, &cfg, NULL);
        give_hint(&r, 0, MEM_LOAD, 0x1000, 4, 1, hint[0]);
        give_hint(&r, 0, MEM_LOAD, 0x1040, 4, 2, hint[k]);
        run(&r, 20);
        assert_int_equal(r.sent_count, k ? 2 : 1);
        assert_int_equal(r.sent[0].req.bytes, k ? 64 : 128);
        arena_free(&r.arena);
    }
}

/* A line that comes in while the data path is busy takes it afterwards. */
static void lines_wait_for_the_data_path(void **state)
{
    struct cache_config cfg = small();
    struct rig r;
    cycle_t t;

    (void)state;
    cfg.bytes_per_cycle = 16;
    cfg.line_cycles = 3;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0x1000);
    t = r.now;
    give(&r, t, MEM_LOAD, 0x2000, 4, 1);
    give(&r, t, MEM_LOAD, 0x1000, 64, 2);
    run(&r, t + 12);
    /* the hit was looked up at t + 2 and has the data path from t + 11 to t + 14 */
    cache_fill(r.c, r.sent[0].token, t + 12);
    run(&r, t + 40);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[0].token, 2);
    assert_int_equal(r.done[0].at, t + 14);
    assert_int_equal(r.done[1].at, t + 15 + 3);
    arena_free(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_load_makes_a_streamed_fill_stay),
        cmocka_unit_test(lru_and_streaming),
        cmocka_unit_test(coherent_loads_miss_and_evict),
        cmocka_unit_test(hit_evict),
        cmocka_unit_test(no_alloc),
        cmocka_unit_test(write_back_hint_writes_through),
        cmocka_unit_test(victims_carry_their_hint),
        cmocka_unit_test(neighbours_that_ask_otherwise),
        cmocka_unit_test(lines_wait_for_the_data_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
