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

/* The write-backs of one cache in time, which those of the other without time have to be, in the same order. */
struct expected {
    const struct rig *timed;
    unsigned count;
};

static void sent_down(void *ctx, const struct mem_req *req)
{
    struct expected *x = ctx;
    const struct mem_req *timed = &x->timed->sent[x->count++].req;

    assert_true(x->count <= x->timed->sent_count);
    assert_true(timed->addr == req->addr && timed->op == req->op && timed->bytes == req->bytes);
    assert_true(timed->hint.temporal == req->hint.temporal && timed->token == req->token);
}

static void write_back(struct rig *timed, struct rig *warm)
{
    struct expected x = {.timed = timed};
    cycle_t end = timed->now + 60;

    timed->sent_count = timed->done_count = 0;
    assert_true(cache_dirty_lines(timed->c) > 0);
    cache_writeback(timed->c, timed->now);
    for (; timed->now < end; timed->now++)
        cache_tick(timed->c, timed->now);
    assert_true(cache_is_idle(timed->c));
    cache_warm_writeback(warm->c, sent_down, &x);
    assert_int_equal(x.count, timed->sent_count);
    assert_int_equal(cache_dirty_lines(warm->c), 0);
    same_lines(timed, warm);
    cache_warm_writeback(warm->c, sent_down, &x); /* nothing more */
    assert_int_equal(x.count, timed->sent_count);
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
        unsigned sent = serve(&timed, op, addr, bytes, hint), count;
        struct cache_warming w;

        cache_warming_init(warm.c, &q, cache_warming_set(warm.c, addr), &w);
        count = cache_warm(warm.c, &w, down);
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
    write_back(&timed, &warm);
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

static void warm_one(struct hierarchy *h, uint32_t l2, const struct mem_req *q)
{
    const struct hierarchy_access access = {
        .op = (enum mem_op)q->op, .hint = q->hint, .count = 1, .piece = {{q->addr, q->bytes}}};

    hierarchy_warm(h, l2, &access);
}

/* Stores of `lines` whole lines, one after the other. */
static void store_lines(struct hierarchy *h, gaddr_t from, unsigned lines, struct hierarchy_traffic *traffic)
{
    assert_true(hierarchy_warm_begin(h));
    for (unsigned k = 0; k < lines; k++)
        warm_one(h, 0,
                 &(struct mem_req){.addr = from + 128 * k, .bytes = 128, .op = MEM_STORE, .hint = {SCOPE_CU, TH_RT}});
    hierarchy_warm_end(h, traffic);
}

static void load_dword(struct hierarchy *h, gaddr_t addr, struct hierarchy_traffic *traffic)
{
    assert_true(hierarchy_warm_begin(h));
    warm_one(h, 0, &(struct mem_req){.addr = addr, .bytes = 4, .op = MEM_LOAD, .hint = {SCOPE_CU, TH_RT}});
    hierarchy_warm_end(h, traffic);
}

static void release(struct hierarchy *h, uint32_t levels, struct hierarchy_traffic *traffic)
{
    assert_true(hierarchy_warm_begin(h));
    hierarchy_warm_write_back(h, levels);
    hierarchy_warm_end(h, traffic);
}

/* What is stored is in L2, in MALL or in memory, and nothing is read for it; loads read what none of them has. No
 * statistic changes. */
static void bytes_go_down(void **state)
{
    const struct hierarchy_config cfg = small_hierarchy(false, true);
    struct hierarchy_traffic traffic = {0}, loads = {0};
    struct hierarchy *h = make(&cfg);
    struct cache_stats before, after;
    uint64_t valid;

    (void)state;
    hierarchy_cache_stats(h, LEVEL_L2, &before);
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
    load_dword(h, 999 * 128, &loads);
    assert_int_equal(loads.read_bytes, 0);
    load_dword(h, 0, &loads);
    assert_int_equal(loads.read_bytes, 128);
    load_dword(h, 0, &loads);
    assert_int_equal(loads.read_bytes, 128);
    /* a release writes lines of L2 back, which MALL takes */
    uint64_t dirty = hierarchy_dirty_bytes(h), written = traffic.write_bytes;
    release(h, 0, &traffic);
    assert_int_equal(hierarchy_dirty_bytes(h), dirty);
    release(h, 1u << LEVEL_L2, &traffic);
    assert_true(hierarchy_dirty_bytes(h) < dirty);
    assert_true(traffic.write_bytes > written);
    assert_true(hierarchy_dirty_bytes(h) > 0);
    assert_int_equal(hierarchy_write_back_all(h, 1u << LEVEL_L2, 0), 0);
    hierarchy_cache_stats(h, LEVEL_L2, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(hierarchy_is_idle(h));
    hierarchy_free(h);
}

/* Lines of the same sets, of which some are asked for again and again, in parts, by all kinds of requests. */
static struct mem_req some_request(uint32_t *x)
{
    static const enum mem_op ops[] = {MEM_LOAD, MEM_LOAD, MEM_STORE, MEM_STORE, MEM_STORE, MEM_ATOMIC};
    static const enum mem_temporal temporal[] = {TH_RT, TH_RT, TH_RT, TH_NT};
    struct mem_req q = {0};

    *x = *x * 1664525 + 1013904223;
    q.op = (uint8_t)ops[(*x >> 25) % 6];
    q.hint = (struct mem_hint){SCOPE_CU, temporal[*x >> 22 & 3]};
    q.addr = (*x >> 13 & 1 ? (*x >> 14) % 8 : (*x >> 14) % 400) * 128;
    q.bytes = q.op == MEM_ATOMIC ? 4 : *x >> 30 == 3 ? 128 : 16;
    if (q.bytes < 128)
        q.addr += (*x >> 8 & 7) * 16;
    return q;
}

static void same_below(struct hierarchy *a, struct hierarchy *b, const struct hierarchy_traffic *of_a,
                       const struct hierarchy_traffic *of_b)
{
    uint64_t lines_a, lines_b;

    assert_int_equal(of_a->read_bytes, of_b->read_bytes);
    assert_int_equal(of_a->write_bytes, of_b->write_bytes);
    assert_int_equal(hierarchy_dirty_bytes(a), hierarchy_dirty_bytes(b));
    for (unsigned level = LEVEL_L2; level <= LEVEL_MALL; level++) {
        hierarchy_lines(a, (enum cache_level)level, &lines_a);
        hierarchy_lines(b, (enum cache_level)level, &lines_b);
        assert_int_equal(lines_a, lines_b);
    }
}

/* Requests that are given together leave what they leave one by one: lines, which of them are modified, their order
 * (other lines evict them one after the other), and what memory is asked for. */
static void check_together(const struct hierarchy_config *cfg)
{
    struct hierarchy *apart = make(cfg), *together = make(cfg);
    struct hierarchy_traffic of_apart = {0}, of_together = {0};
    uint32_t x = 7;

    for (unsigned n = 0; n < 12; n++) {
        assert_true(hierarchy_warm_begin(together));
        for (unsigned k = 0; k < 37u << n % 6; k++) {
            const struct mem_req q = some_request(&x);
            uint32_t l2 = x >> 28;

            warm_one(together, l2, &q);
            assert_true(hierarchy_warm_begin(apart));
            warm_one(apart, l2, &q);
            hierarchy_warm_end(apart, &of_apart);
        }
        hierarchy_warm_end(together, &of_together);
        same_below(apart, together, &of_apart, &of_together);
    }
    for (unsigned k = 0; k < 400; k++) {
        load_dword(apart, (1000 + k) * 128, &of_apart);
        load_dword(together, (1000 + k) * 128, &of_together);
        same_below(apart, together, &of_apart, &of_together);
    }
    assert_true(of_apart.write_bytes > 0);
    hierarchy_free(apart);
    hierarchy_free(together);
}

static void together_as_apart(void **state)
{
    (void)state;
    for (unsigned gen = 0; gen < MEM_GEN_COUNT; gen++)
        for (unsigned kind = 0; kind < 32; kind++) {
            struct hierarchy_config cfg = small_hierarchy(false, kind & 1);

            cfg.gen = (enum mem_gen)gen;
            cfg.cache[LEVEL_L2].atomics = !(kind & 2);
            cfg.cache[LEVEL_L2].fetch_on_write_miss = kind & 4;
            cfg.cache[LEVEL_L2].write_allocate = kind != 8;
            if (kind & 16)
                cfg.l2s = cfg.cus_per_l2_turn = 2;
            if (kind & 8)
                cfg.cache[LEVEL_L2].replacement = CACHE_RANDOM;
            check_together(&cfg);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_time), cmocka_unit_test(with_hints),
                                              cmocka_unit_test(bytes_go_down), cmocka_unit_test(together_as_apart)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
