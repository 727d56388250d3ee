/* Functional warming (cache_warm()): the lines of a cache, and what goes to the level below, are those that the same
 * requests leave which the cache serves in time, one after the other. */
#include "tests/unit/mem/cache_rig.h"
#include "tests/unit/mem/hierarchy_rig.h"

#include <string.h>

enum { LINES = 24, STEPS = 3000 };

/* One request in time: what it sends below is answered, and all comes to rest. */
static unsigned serve(struct rig *r, enum mem_op op, gaddr_t addr, uint32_t bytes, struct mem_hint hint)
{
    cycle_t t = r->now;

    r->sent_count = r->done_count = 0;
    give_hint(r, t, op, addr, bytes, 1000, hint);
    for (unsigned answered = 0; r->now < t + 60; r->now++) {
        cache_tick(r->c, r->now);
        for (; answered < r->sent_count; answered++)
            if (r->sent[answered].token != MEM_TOKEN_NONE)
                cache_fill(r->c, r->sent[answered].token, r->now);
    }
    assert_true(cache_is_idle(r->c));
    return r->sent_count;
}

static void same_lines(const struct rig *a, const struct rig *b)
{
    for (gaddr_t addr = 0; addr < LINES * 64; addr += 64) {
        bool dirty = false, warm_dirty = false;
        bool has = cache_probe(a->c, addr, &dirty), warm = cache_probe(b->c, addr, &warm_dirty);

        assert_int_equal(has, warm);
        assert_int_equal(has && dirty, warm && warm_dirty);
    }
    assert_int_equal(cache_dirty_lines(a->c), cache_dirty_lines(b->c));
}

/* Loads, stores of whole lines and of parts, and atomics, at addresses that fight for the sets. */
static void check(const struct cache_config *cfg, const struct mem_policy *policy, bool hints)
{
    static const enum mem_temporal temporal[] = {TH_RT, TH_NT};
    struct rig timed, warm;
    uint32_t x = 1;

    rig_init(&timed, cfg, policy);
    rig_init(&warm, cfg, policy);
    for (unsigned n = 0; n < STEPS; n++) {
        x = x * 1664525 + 1013904223;
        enum mem_op op = x >> 28 < 8 ? MEM_LOAD : x >> 28 < 14 ? MEM_STORE : MEM_ATOMIC;
        gaddr_t addr = (x >> 8) % LINES * 64;
        uint32_t bytes = op != MEM_ATOMIC && x >> 20 & 1 ? 64 : 4;
        struct mem_hint hint = {SCOPE_CU, hints ? temporal[x >> 21 & 1] : TH_RT};
        struct mem_req down[2], q = {.addr = addr, .bytes = bytes, .op = (uint8_t)op, .hint = hint};
        unsigned sent = serve(&timed, op, addr, bytes, hint), count = cache_warm(warm.c, &q, down);

        assert_int_equal(count, sent);
        for (unsigned k = 0; k < count; k++) { /* fetch and write-back may leave in either order */
            bool found = false;
            for (unsigned i = 0; i < sent; i++)
                found |= timed.sent[i].req.addr == down[k].addr && timed.sent[i].req.op == down[k].op &&
                         timed.sent[i].req.bytes == down[k].bytes;
            assert_true(found);
        }
        same_lines(&timed, &warm);
    }
    uint64_t valid;
    assert_int_equal(cache_lines(warm.c, &valid), 8);
    assert_int_equal(valid, 8);
    arena_free(&timed.arena);
    arena_free(&warm.arena);
}

static void as_in_time(void **state)
{
    const struct cache_config cfg = small_back();

    (void)state;
    check(&cfg, NULL, false);
}

static void with_hints(void **state)
{
    const struct cache_config cfg = small_back();
    struct mem_policy policy;

    (void)state;
    for (unsigned gen = 0; gen < MEM_GEN_COUNT; gen++) {
        mem_policy_init(&policy, (enum mem_gen)gen);
        check(&cfg, &policy, true);
    }
}

/* Stores of `lines` whole lines, one behind the other. */
static void store_lines(struct hierarchy *h, gaddr_t from, unsigned lines, struct hierarchy_traffic *traffic)
{
    for (unsigned k = 0; k < lines; k++) {
        const struct mem_req q = {.addr = from + 128 * k, .bytes = 128, .op = MEM_STORE, .hint = {SCOPE_CU, TH_RT}};

        hierarchy_warm(h, 0, &q, traffic);
    }
}

/* What is stored is in L2, in MALL or in memory, and nothing is read for it; loads read what none of them has. No
 * statistic changes. */
static void bytes_go_down(void **state)
{
    const struct hierarchy_config cfg = small_hierarchy(false, true);
    struct hierarchy_traffic traffic = {0}, loads = {0};
    struct err e = {0};
    struct hierarchy *h = hierarchy_new(&cfg, &e);
    struct cache_stats before, after;
    uint64_t valid;

    (void)state;
    assert_non_null(h);
    hierarchy_cache_stats(h, LEVEL_L2, &before);
    hierarchy_warm_begin(h);
    store_lines(h, 0, 50, &traffic);
    assert_int_equal(traffic.write_bytes, 0);
    assert_int_equal(hierarchy_dirty_bytes(h), 50 * 128);
    store_lines(h, 50 * 128, 950, &traffic);
    assert_int_equal(traffic.read_bytes, 0);
    assert_true(traffic.write_bytes > 0);
    assert_int_equal(traffic.write_bytes + hierarchy_dirty_bytes(h), 1000 * 128);
    assert_int_equal(hierarchy_lines(h, LEVEL_L2, &valid), 96);
    assert_int_equal(valid, 96);
    assert_int_equal(hierarchy_lines(h, LEVEL_MALL, &valid), 256);
    assert_int_equal(valid, 256);
    assert_int_equal(hierarchy_lines(h, LEVEL_GL1, &valid), 0);
    const struct mem_req last = {.addr = 999 * 128, .bytes = 4, .op = MEM_LOAD, .hint = {SCOPE_CU, TH_RT}};
    const struct mem_req first = {.addr = 0, .bytes = 4, .op = MEM_LOAD, .hint = {SCOPE_CU, TH_RT}};
    hierarchy_warm(h, 0, &last, &loads);
    assert_int_equal(loads.read_bytes, 0);
    hierarchy_warm(h, 0, &first, &loads);
    assert_int_equal(loads.read_bytes, 128);
    hierarchy_warm(h, 0, &first, &loads);
    assert_int_equal(loads.read_bytes, 128);
    hierarchy_warm_end(h);
    hierarchy_cache_stats(h, LEVEL_L2, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(hierarchy_is_idle(h));
    hierarchy_free(h);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_time), cmocka_unit_test(with_hints),
                                              cmocka_unit_test(bytes_go_down)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
