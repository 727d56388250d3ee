/* Replacement policies of the cache: which of the four lines of a set is evicted. */
#include "tests/unit/mem/cache_rig.h"

/* Lines of set 0 lie 128 bytes apart (2 sets of 64-byte lines). */
static gaddr_t line(unsigned n)
{
    return 0x10000 + n * 128;
}

static void open_rig(struct rig *r, struct mem_policy *policy, enum cache_replacement replacement)
{
    struct cache_config cfg = small();

    mem_policy_init(policy, MEM_GEN_GFX9);
    cfg.replacement = replacement;
    rig_init(r, &cfg, policy);
}

static bool is_there(struct rig *r, unsigned n)
{
    uint64_t misses = cache_stats(r->c)->op[MEM_LOAD].misses;

    warm(r, line(n));
    return cache_stats(r->c)->op[MEM_LOAD].misses == misses;
}

/* Lines 0 to 3 fill the set, line 0 is used again, line 4 needs a way. */
static void use_oldest_and_evict(struct rig *r)
{
    for (unsigned n = 0; n < 4; n++)
        warm(r, line(n));
    assert_int_equal(cache_stats(r->c)->evictions, 0);
    warm(r, line(0));
    warm(r, line(4));
    assert_int_equal(cache_stats(r->c)->evictions, 1);
}

static void lru(void **state)
{
    (void)state;
    struct mem_policy policy;
    struct rig r;

    open_rig(&r, &policy, CACHE_LRU);
    use_oldest_and_evict(&r);
    assert_true(is_there(&r, 0));
    assert_false(is_there(&r, 1));
    arena_free(&r.arena);
}

static void fifo(void **state)
{
    (void)state;
    struct mem_policy policy;
    struct rig r;

    open_rig(&r, &policy, CACHE_FIFO);
    use_oldest_and_evict(&r);
    assert_true(is_there(&r, 1));
    assert_false(is_there(&r, 0)); /* the hit on it did not count; it comes in place of line 1 */
    assert_false(is_there(&r, 1));
    arena_free(&r.arena);
}

/* Invalid ways are taken before any line is evicted, whatever the policy. */
static void invalid_ways_first(void **state)
{
    (void)state;
    static const enum cache_replacement all[] = {CACHE_LRU, CACHE_FIFO, CACHE_RANDOM};

    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        struct mem_policy policy;
        struct rig r;

        open_rig(&r, &policy, all[k]);
        for (unsigned n = 0; n < 4; n++)
            warm(&r, line(n));
        for (unsigned n = 0; n < 4; n++)
            assert_true(is_there(&r, n));
        assert_int_equal(cache_stats(r.c)->evictions, 0);
        arena_free(&r.arena);
    }
}

/* A cyclic sweep over one line more than the set holds: LRU and FIFO hit never, random replacement does. */
static uint64_t sweep_hits(enum cache_replacement replacement)
{
    struct mem_policy policy;
    struct rig r;

    open_rig(&r, &policy, replacement);
    for (unsigned pass = 0; pass < 20; pass++)
        for (unsigned n = 0; n < 5; n++)
            warm(&r, line(n));
    uint64_t hits = cache_stats(r.c)->op[MEM_LOAD].hits;
    arena_free(&r.arena);
    return hits;
}

static void cyclic_sweep(void **state)
{
    (void)state;
    assert_int_equal(sweep_hits(CACHE_LRU), 0);
    assert_int_equal(sweep_hits(CACHE_FIFO), 0);
    uint64_t hits = sweep_hits(CACHE_RANDOM);
    assert_true(hits > 20 && hits < 80);
    assert_int_equal(sweep_hits(CACHE_RANDOM), hits); /* the same from run to run */
}

/* A cache of 64 KB: 4 channels, which take turns, of 64 sets of 4 lines. */
static uint64_t lines_held(bool set_hash, unsigned lines, uint64_t apart)
{
    struct mem_policy policy;
    struct cache_config cfg = small();
    struct rig r;
    uint64_t valid, all;

    mem_policy_init(&policy, MEM_GEN_GFX9);
    cfg.size_bytes = 65536;
    cfg.channels = 4;
    cfg.set_hash = set_hash;
    rig_init(&r, &cfg, &policy);
    for (unsigned n = 0; n < lines; n++)
        cache_preload(r.c, 0x10000000 + n * apart, cfg.line_bytes);
    all = cache_lines(r.c, &valid);
    assert_int_equal(all, 1024);
    arena_free(&r.arena);
    return valid;
}

/* Lines at a distance of a power of two have one set, or with a hash sets as lines anywhere have: of 128 in the 64 sets
 * of a channel few find theirs full. An array as large as the cache fits in both. */
static void hashed_sets(void **state)
{
    (void)state;
    for (unsigned shift = 14; shift < 30; shift++) {
        assert_int_equal(lines_held(false, 128, UINT64_C(1) << shift), 4);
        assert_in_range(lines_held(true, 128, UINT64_C(1) << shift), 115, 128);
    }
    for (unsigned hash = 0; hash < 2; hash++) {
        assert_int_equal(lines_held(hash, 1024, 64), 1024);
        assert_int_equal(lines_held(hash, 1025, 64), 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru),          cmocka_unit_test(fifo),        cmocka_unit_test(invalid_ways_first),
        cmocka_unit_test(cyclic_sweep), cmocka_unit_test(hashed_sets),
    };
    return cmocka_run_group_tests_name("mem/replacement", tests, NULL, NULL);
}
