/* Where the resources of a cache end: rates of the tag stage, entries of queues, targets of MSHRs, and the limits of
 * its configuration. */
#include "tests/unit/mem/cache_rig.h"

/* An atomic keeps the tag stage as long as its data take, where that is longer than atomic_cycles. */
static void atomics_take_the_tag_stage_for_their_data(void **state)
{
    static const struct {
        uint32_t bytes, atomic_cycles;
        cycle_t busy;
    } t[] = {{64, 0, 4}, {64, 3, 4}, {64, 6, 6}, {16, 0, 1}, {20, 0, 2}};

    (void)state;
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct cache_config cfg = small_back();
        struct rig r;

        cfg.bytes_per_cycle = 16;
        cfg.atomic_cycles = t[k].atomic_cycles;
        rig_init(&r, &cfg, NULL);
        warm(&r, 0);
        cycle_t at = r.now;
        give(&r, at, MEM_ATOMIC, 0, t[k].bytes, MEM_TOKEN_NONE);
        give(&r, at, MEM_LOAD, 0, 4, 1);
        run(&r, at + 10 + t[k].busy - 1);
        assert_int_equal(r.done_count, 0);
        run(&r, at + 10 + t[k].busy);
        assert_int_equal(r.done_count, 1);
        arena_free(&r.arena);
    }
}

static void two_lookups_in_a_cycle(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;

    (void)state;
    cfg.lookups_per_cycle = 2;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    for (uint64_t i = 0; i < 5; i++)
        give(&r, t, MEM_LOAD, 0, 4, i);
    run(&r, t + 40);
    assert_int_equal(r.done_count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(r.done[i].at, t + 10 + i / 2);
    /* a store takes all lookups of a cycle: there is one path for data */
    t = r.now;
    for (uint64_t i = 0; i < 3; i++)
        give(&r, t, MEM_STORE, 0, 4, i);
    give(&r, t, MEM_LOAD, 0, 4, 3);
    run(&r, t + 40);
    assert_int_equal(r.done_count, 9);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(r.done[5 + i].at, t + 10 + i);
    arena_free(&r.arena);
}

/* With several lookups a cycle answers share the width of the data path, and none of it is lost between them; without,
 * each has cycles of its own. */
static void answers_share_a_cycle(void **state)
{
    static const struct {
        uint32_t lookups, bytes, at[5];
    } t[] = {{4, 4, {0, 0, 0, 0, 1}},
             {4, 24, {0, 0, 1, 1, 1}},
             {4, 64, {0, 1, 2, 3, 4}},
             {1, 4, {0, 1, 2, 3, 4}},
             {4, 40, {0, 1, 1, 2, 3}}};

    (void)state;
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct cache_config cfg = small_back();
        struct rig r;

        cfg.lookups_per_cycle = t[k].lookups;
        cfg.bytes_per_cycle = 64;
        rig_init(&r, &cfg, NULL);
        warm(&r, 0);
        cycle_t at = r.now;
        uint64_t data_cycles = cache_stats(r.c)->data_cycles;
        for (uint64_t i = 0; i < 5; i++)
            give(&r, at, MEM_LOAD, 0, t[k].bytes, i);
        run(&r, at + 40);
        assert_int_equal(r.done_count, 5);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(r.done[i].at, at + 10 + t[k].at[i]);
        assert_int_equal(cache_stats(r.c)->data_cycles - data_cycles, t[k].lookups == 1 ? 5 : 5 * t[k].bytes / 64);
        arena_free(&r.arena);
    }
}

/* Where stores that miss fetch their line, those of a whole line need not. */
static void whole_lines_are_not_fetched(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;
    bool dirty;

    (void)state;
    cfg.fetch_on_write_miss = true;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_STORE, 0x40, 64, 1);
    run(&r, 10);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.sent_count, 0);
    assert_true(cache_probe(r.c, 0x40, &dirty));
    assert_true(dirty);
    give(&r, 11, MEM_STORE, 0x80, 60, 2);
    run(&r, 30);
    assert_int_equal(r.done_count, 1);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].req.op, MEM_LOAD);
    assert_int_equal(r.sent[0].req.bytes, 64);
    cache_fill(r.c, r.sent[0].token, 31);
    run(&r, 34);
    assert_int_equal(r.done_count, 2);
    assert_true(cache_probe(r.c, 0x80, &dirty));
    assert_true(dirty);
    arena_free(&r.arena);
}

/* A store that misses may have to write a victim back: it wants one entry of the output queue, not two. */
static void a_store_miss_wants_one_entry_below(void **state)
{
    struct cache_config cfg = small_back();
    struct rig r;

    (void)state;
    cfg.output_queue = 2;
    rig_init(&r, &cfg, NULL);
    r.refuse = true;
    give(&r, 0, MEM_LOAD, 0x1000, 4, 1);
    give(&r, 0, MEM_STORE, 0x40, 4, 2);
    run(&r, 11);
    assert_int_equal(r.done_count, 1); /* looked up in cycle 2, after the load */
    assert_int_equal(r.done[0].at, 11);
    give(&r, 12, MEM_LOAD, 0x2000, 4, 3); /* the queue is full */
    give(&r, 12, MEM_STORE, 0x80, 4, 4);
    run(&r, 60);
    assert_int_equal(r.done_count, 1);
    r.refuse = false;
    cache_unblock(r.c, 61);
    run(&r, 80);
    assert_int_equal(r.sent_count, 2);
    assert_int_equal(r.sent[0].at, 61);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[1].at, 61 + 10); /* an entry leaves in cycle 61, and the lookup follows in 62 */
    arena_free(&r.arena);
}

/* Completed fetches keep their targets until their data have left: with a slow data path those run out before MSHRs do.
 */
static void targets_run_out(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.mshrs = cfg.mshr_targets = cfg.pass_slots = 1; /* two targets in all */
    cfg.bytes_per_cycle = 1;
    rig_init(&r, &cfg, NULL);
    for (uint64_t i = 0; i < 4; i++) {
        cycle_t t = 20 * i;

        give(&r, t, MEM_LOAD, 0x1000 * (i + 1), 64, i);
        run(&r, t + 9);
        assert_int_equal(r.sent_count, i < 3 ? i + 1 : 3);
        if (i < 3)
            cache_fill(r.c, r.sent[i].token, t + 10);
    }
    /* the first one's data leave from 13 to 76; in 77 the second one's begin to and free its target, and the fourth
     * request is looked up in the cycle after that */
    run(&r, 78 - 1 + 4 - 1);
    assert_int_equal(r.sent_count, 3);
    run(&r, 78 - 1 + 4);
    assert_int_equal(r.sent_count, 4);
    assert_int_equal(cache_stats(r.c)->mshr_full_stall_cycles, 78 - 61);
    cache_fill(r.c, r.sent[3].token, 100);
    run(&r, 400);
    assert_int_equal(r.done_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(r.done[i].token, i);
        assert_int_equal(r.done[i].at, 76 + 64 * i);
    }
    arena_free(&r.arena);
}

/* A hit that waits for the data path is looked up again when its line goes, and is a miss then. */
static void a_waiting_hit_loses_its_line(void **state)
{
    struct cache_config cfg = small();
    struct rig r;
    unsigned n = 0;

    (void)state;
    cfg.bytes_per_cycle = 1;
    cfg.input_queue = 64;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    for (; n < 40; n++)
        give(&r, t, MEM_LOAD, 0, 64, n);
    run(&r, t + 50);
    assert_int_equal(r.sent_count, 0);
    assert_false(cache_is_idle(r.c));
    cache_invalidate(r.c, t + 50);
    run(&r, t + 50 + 1 + 3 - 1);
    assert_int_equal(r.sent_count, 0);
    run(&r, t + 50 + 1 + 3); /* looked up in the next cycle, and sent as one accepted a cycle before */
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(r.sent[0].req.op, MEM_LOAD);
    arena_free(&r.arena);
}

/* Lines on their way when the cache is invalidated are not kept, in whichever channel and MSHR they are. */
static void invalidated_in_every_channel(void **state)
{
    enum { CHANNELS = 4, EACH = 3 };
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.channels = CHANNELS;
    cfg.interleave_bytes = 64;
    cfg.size_bytes *= CHANNELS;
    for (int invalidates = 0; invalidates < 2; invalidates++) {
        rig_init(&r, &cfg, NULL);
        for (gaddr_t i = 0; i < CHANNELS * EACH; i++)
            give(&r, 0, MEM_LOAD, i * 64, 4, i);
        run(&r, 40);
        assert_int_equal(r.sent_count, CHANNELS * EACH);
        if (invalidates)
            cache_invalidate(r.c, r.now - 1);
        for (unsigned i = 0; i < CHANNELS * EACH; i++)
            cache_fill(r.c, r.sent[i].token, 41);
        run(&r, 80);
        assert_int_equal(r.done_count, CHANNELS * EACH);
        for (gaddr_t i = 0; i < CHANNELS * EACH; i++)
            assert_int_equal(cache_probe(r.c, i * 64, NULL), !invalidates);
        arena_free(&r.arena);
    }
}

/* Each figure at its limits and beyond them. */
static void limits_of_configurations(void **state)
{
#define AT(F) offsetof(struct cache_config, F)
    static const struct {
        size_t at;
        const char *key;
        uint32_t least, most; /* 0: limited by something else first */
    } t[] = {
        {AT(hit_latency_cycles), "hit_latency_cycles", 1, 0},
        {AT(miss_latency_cycles), "miss_latency_cycles", 1, 100000},
        {AT(fill_latency_cycles), "fill_latency_cycles", 0, 100000},
        {AT(lookups_per_cycle), "lookups_per_cycle", 1, 64},
        {AT(bytes_per_cycle), "bytes_per_cycle", 1, 65536},
        {AT(line_cycles), "line_cycles", 0, 64},
        {AT(atomic_cycles), "atomic_cycles", 0, 100000},
        {AT(input_queue), "input_queue", 1, 65536},
        {AT(output_queue), "output_queue", 2, 65536},
        {AT(mshrs), "mshrs", 1, 65536},
        {AT(mshr_targets), "mshr_targets", 1, 4096},
        {AT(pass_slots), "pass_slots", 1, 65536},
    };
#undef AT
    struct mem_port below = {NULL, mock_can_accept, mock_accept};
    struct mem_sink above = {NULL, mock_complete};

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        const uint32_t v[] = {t[i].least, t[i].most, t[i].least - 1, t[i].most + 1};

        for (unsigned k = 0; k < 4; k++) {
            struct cache_config cfg = small();
            struct err e = {0};
            struct arena a;

            if ((k % 2 && !t[i].most) || (k == 2 && !t[i].least))
                continue;
            if (t[i].at == offsetof(struct cache_config, bytes_per_cycle))
                cfg.bytes_per_cycle = v[k];
            else
                memcpy((char *)&cfg + t[i].at, &v[k], sizeof v[k]);
            arena_init(&a, 0);
            struct cache *c = cache_new(&cfg, NULL, below, 0, above, &a, &e);
            if (k < 2 && !c)
                fail_msg("%s of %u: %s", t[i].key, v[k], e.text);
            if (k >= 2) {
                assert_null(c);
                assert_int_equal(e.code, ERR_USAGE);
                assert_non_null(strstr(e.text, t[i].key));
            }
            arena_free(&a);
        }
    }
}

/* The number of sets is limited, not the size. */
static void sets_are_limited(void **state)
{
    struct mem_port below = {NULL, mock_can_accept, mock_accept};
    struct mem_sink above = {NULL, mock_complete};
    struct cache_config cfg = small();
    struct err e = {0};
    struct arena a;

    (void)state;
    arena_init(&a, 0);
    cfg.size_bytes = 1u << 24;
    cfg.line_bytes = 4096;
    cfg.ways = 1;
    assert_non_null(cache_new(&cfg, NULL, below, 0, above, &a, &e));
    cfg.size_bytes = UINT64_C(1) << 40;
    cfg.line_bytes = 16;
    assert_null(cache_new(&cfg, NULL, below, 0, above, &a, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "more than 2^32 sets"));
    err_clear(&e);
    cfg = small();
    cfg.mshrs = 65536;
    cfg.mshr_targets = 4096;
    assert_null(cache_new(&cfg, NULL, below, 0, above, &a, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "2^28"));
    err_clear(&e);
    cfg = small();
    cfg.atomics = true;
    assert_null(cache_new(&cfg, NULL, below, 0, above, &a, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "atomics need a write-back cache"));
    arena_free(&a);
}

/* Two sets of four ways and eight MSHRs: the fifth line of one set waits until one of the four has come and has been
 * read by all who wait for it, whatever the cache has left; without reservation it does not. */
static void a_miss_takes_a_way(void **state)
{
    (void)state;
    for (unsigned reserves = 0; reserves < 2; reserves++) {
        struct cache_config cfg = small();
        struct rig r;

        cfg.mshrs = 8;
        cfg.mshr_targets = 2;
        cfg.fill_latency_cycles = 20;
        cfg.reserves_ways = reserves;
        rig_init(&r, &cfg, NULL);
        for (unsigned k = 0; k < 5; k++)
            give(&r, 1, MEM_LOAD, 128 * k, 4, k);
        give(&r, 1, MEM_LOAD, 64, 4, 5);
        run(&r, 40);
        assert_int_equal(r.sent_count, reserves ? 4 : 6);
        cache_fill(r.c, r.sent[0].token, 41);
        run(&r, 100);
        assert_int_equal(r.sent_count, 6);
        assert_int_equal(r.done_count, 1);
        if (reserves)
            assert_true(r.sent[4].at > r.done[0].at);
        arena_free(&r.arena);
    }
}

static cycle_t accept_load(struct rig *r, cycle_t now, gaddr_t addr, uint64_t token)
{
    struct mem_req q = {.addr = addr, .token = token, .bytes = 4, .client = 9, .op = MEM_LOAD};

    return cache_accept(r->c, &q, now);
}

/* A request, or an answer, names the cycle in which it gives the cache work: ticks between change nothing. */
static void who_waits_wakes_nobody(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.mshrs = 1;
    for (int between = 0; between < 2; between++) {
        rig_init(&r, &cfg, NULL);
        assert_int_equal(accept_load(&r, 0, 0x1000, 1), 1);
        run(&r, 4);
        assert_int_equal(r.sent_count, 1);
        assert_int_equal(accept_load(&r, 5, 0x2000, 2), 6);
        assert_int_equal(cache_tick(r.c, 6), CYCLE_NEVER);
        assert_int_equal(accept_load(&r, 7, 0x3000, 3), CYCLE_NEVER);
        r.now = 7;
        run(&r, between ? 19 : 6);
        /* the one that lacked the MSHR is looked up at once */
        assert_int_equal(cache_fill(r.c, r.sent[0].token, 20), 20);
        assert_int_equal(cache_tick(r.c, 20), 21);
        r.now = 21;
        run(&r, 29);
        assert_int_equal(r.sent_count, 2);
        assert_int_equal(r.sent[1].at, 23);
        assert_int_equal(r.done_count, 1);
        assert_int_equal(r.done[0].at, 23);
        /* the other one lacks it now; a request whose line is there, after it, waits as well */
        assert_int_equal(accept_load(&r, 30, 0x1000, 4), CYCLE_NEVER);
        assert_int_equal(cache_fill(r.c, r.sent[1].token, 31), 31);
        r.now = 31;
        run(&r, 50);
        assert_int_equal(r.done_count, 3);
        /* nobody lacks anything: the first work is the response */
        assert_int_equal(cache_fill(r.c, r.sent[2].token, 51), 54);
        assert_int_equal(cache_tick(r.c, 54), CYCLE_NEVER);
        assert_int_equal(r.done_count, 4);
        assert_int_equal(r.done[3].at, 54);
        assert_true(cache_is_idle(r.c));
        arena_free(&r.arena);
    }
}

/* An answer after older ones, and one that is not the last part of its line, give no work of their own. */
static void answers_behind_others_wake_nobody(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.request_bytes = 32;
    rig_init(&r, &cfg, NULL);
    assert_int_equal(accept_load(&r, 0, 0x1000, 1), 1);
    assert_int_equal(accept_load(&r, 0, 0x2000, 2), 1);
    run(&r, 10);
    assert_int_equal(r.sent_count, 4);
    assert_int_equal(cache_fill(r.c, r.sent[0].token, 20), CYCLE_NEVER);
    assert_int_equal(cache_fill(r.c, r.sent[1].token, 20), 23);
    assert_int_equal(cache_fill(r.c, r.sent[2].token, 20), CYCLE_NEVER);
    assert_int_equal(cache_fill(r.c, r.sent[3].token, 21), CYCLE_NEVER);
    assert_int_equal(cache_tick(r.c, 23), 24);
    assert_int_equal(cache_tick(r.c, 24), CYCLE_NEVER);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[1].at, 24);
    arena_free(&r.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_take_the_tag_stage_for_their_data),
        cmocka_unit_test(two_lookups_in_a_cycle),
        cmocka_unit_test(answers_share_a_cycle),
        cmocka_unit_test(whole_lines_are_not_fetched),
        cmocka_unit_test(a_store_miss_wants_one_entry_below),
        cmocka_unit_test(targets_run_out),
        cmocka_unit_test(a_waiting_hit_loses_its_line),
        cmocka_unit_test(invalidated_in_every_channel),
        cmocka_unit_test(limits_of_configurations),
        cmocka_unit_test(sets_are_limited),
        cmocka_unit_test(a_miss_takes_a_way),
        cmocka_unit_test(who_waits_wakes_nobody),
        cmocka_unit_test(answers_behind_others_wake_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
