/* One cache alone between mocks. Cycles are exact: not at t - 1, at t. */
#include "tests/unit/mem/cache_rig.h"

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

/* A data path with a clock of its own: 64 bytes of 25.6 a cycle take two and a half, and no fraction is lost. */
static void data_path_of_another_clock(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.bytes_per_cycle = 25.6;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    for (uint64_t i = 0; i < 4; i++)
        give(&r, t, MEM_LOAD, 0, 64, i);
    run(&r, t + 30);
    assert_int_equal(r.done_count, 4);
    assert_int_equal(r.done[0].at, t + 12);
    assert_int_equal(r.done[1].at, t + 14);
    assert_int_equal(r.done[2].at, t + 17);
    assert_int_equal(r.done[3].at, t + 19);
    arena_free(&r.arena);
}

/* A store that allocates its line is answered later than one to a line that is there, which is answered as a load that
 * hits, and neither holds up the answer to a load after it. */
static void late_acknowledgement(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.write = CACHE_WRITE_BACK;
    cfg.write_allocate = true;
    cfg.store_miss_ack_cycles = 7;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    give(&r, t, MEM_STORE, 0x1000, 4, 1);
    give(&r, t, MEM_LOAD, 0, 4, 2);
    give(&r, t, MEM_STORE, 4, 4, 3);
    run(&r, t + 10);
    assert_int_equal(r.done_count, 0);
    run(&r, t + 16);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[0].token, 2);
    assert_int_equal(r.done[0].at, t + 11);
    assert_int_equal(r.done[1].token, 3);
    assert_int_equal(r.done[1].at, t + 12);
    assert_false(cache_is_idle(r.c));
    run(&r, t + 17);
    assert_int_equal(r.done_count, 3);
    assert_int_equal(r.done[2].token, 1);
    assert_int_equal(r.done[2].at, t + 17);
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
    /* a merged miss is a miss: the warm-up of 0x40, the primary miss and the secondary one */
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].mshr_merges, 1);
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].misses, 3);
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].hits, 1);
    arena_free(&r.arena);
}

/* One line may have all the places of a channel, however few MSHRs there are; then a request waits for one. */
static void any_number_waits_for_a_line(void **state)
{
    enum { PLACES = 2 * 3 + 1 };
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.mshrs = 2;
    cfg.mshr_targets = 3;
    cfg.pass_slots = 1;
    rig_init(&r, &cfg, NULL);
    for (unsigned i = 0; i < PLACES; i++)
        give(&r, 0, MEM_LOAD, 4 * i, 4, i);
    run(&r, 49);
    assert_int_equal(r.sent_count, 1);
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].mshr_merges, PLACES - 1);
    give(&r, 49, MEM_LOAD, 4 * PLACES, 4, PLACES);
    run(&r, 60);
    assert_int_equal(cache_stats(r.c)->op[MEM_LOAD].mshr_merges, PLACES - 1);
    cache_fill(r.c, r.sent[0].token, 61);
    run(&r, 120);
    assert_int_equal(r.done_count, PLACES + 1);
    assert_int_equal(r.done[PLACES].token, PLACES);
    /* stalled from its lookup at 50 to 61, then a hit */
    assert_int_equal(cache_stats(r.c)->mshr_full_stall_cycles, 11);
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

/* Stores on their way down hold a pass slot each until they are acknowledged; one without is not looked up, and holds
 * up the hit after it. Write-backs and other stores that nobody waits for need none. */
static void stores_wait_for_pass_slots(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.pass_slots = 2;
    rig_init(&r, &cfg, NULL);
    warm(&r, 0);
    cycle_t t = r.now;
    for (gaddr_t i = 0; i < 2; i++)
        give(&r, t, MEM_STORE, 0x400 + i * 64, 64, i);
    give(&r, t, MEM_STORE, 0x600, 64, MEM_TOKEN_NONE);
    give(&r, t, MEM_STORE, 0x500, 64, 2);
    give(&r, t, MEM_LOAD, 0, 4, 3);
    run(&r, t + 19);
    assert_int_equal(r.sent_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(r.sent[i].at, t + 4 + i);
    assert_int_equal(r.sent[2].token, MEM_TOKEN_NONE);
    assert_int_equal(r.done_count, 0);
    cache_fill(r.c, r.sent[1].token, t + 20); /* the second one's slot serves as well */
    run(&r, t + 22);
    assert_int_equal(r.sent_count, 3);
    run(&r, t + 40);
    assert_int_equal(r.sent_count, 4);
    assert_int_equal(r.sent[3].at, t + 19 + 4); /* looked up in the cycle of the acknowledgement */
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[0].token, 1);
    assert_int_equal(r.done[0].at, t + 20 + 3);
    assert_int_equal(r.done[1].token, 3);
    assert_int_equal(r.done[1].at, t + 20 + 10);
    assert_int_equal(cache_stats(r.c)->mshr_full_stall_cycles, 20 - 4);
    assert_int_equal(cache_stats(r.c)->op[MEM_STORE].accesses, 4);
    assert_int_equal(cache_stats(r.c)->store_bytes, 4 * 64);
    assert_false(cache_is_idle(r.c));
    cache_fill(r.c, r.sent[0].token, t + 41);
    cache_fill(r.c, r.sent[3].token, t + 41);
    run(&r, t + 44);
    assert_int_equal(r.done_count, 4);
    assert_true(cache_is_idle(r.c));
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
    give(&r, t, MEM_LOAD, 0x140, 4, 77); /* in flight when the invalidation comes */
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
        {offsetof(struct cache_config, request_bytes), 256, "request_bytes"},
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

/* Misses of the two lines of a pair, one after the other, go down as one request, with the later one. */
static void neighbours_go_down_together(void **state)
{
    struct cache_config cfg = small();
    struct rig r;

    (void)state;
    cfg.request_bytes = 128;
    rig_init(&r, &cfg, NULL);
    give(&r, 0, MEM_LOAD, 0x1040, 4, 1);
    give(&r, 0, MEM_LOAD, 0x1000, 4, 2);
    give(&r, 0, MEM_LOAD, 0x1080, 4, 3); /* of another pair, as is the next */
    give(&r, 0, MEM_LOAD, 0x1100, 4, 4);
    run(&r, 20);
    assert_int_equal(r.sent_count, 3);
    assert_int_equal(r.sent[0].at, 5); /* 4 after the lookup of the second */
    assert_int_equal(r.sent[0].req.addr, 0x1000);
    assert_int_equal(r.sent[0].req.bytes, 128);
    assert_int_equal(r.sent[1].req.addr, 0x1080);
    assert_int_equal(r.sent[1].req.bytes, 64);
    assert_int_equal(r.sent[2].req.addr, 0x1100);
    /* both lines are there with it, both loads are answered, one after the other */
    cache_fill(r.c, r.sent[0].token, 30);
    run(&r, 60);
    assert_int_equal(r.done_count, 2);
    assert_int_equal(r.done[0].token, 1);
    assert_int_equal(r.done[0].at, 33);
    assert_int_equal(r.done[1].token, 2);
    assert_int_equal(r.done[1].at, 34);
    cache_fill(r.c, r.sent[1].token, 61);
    cache_fill(r.c, r.sent[2].token, 61);
    run(&r, 80);
    assert_int_equal(r.done_count, 4);
    assert_true(cache_is_idle(r.c));
    assert_true(cache_probe(r.c, 0x1000, NULL) && cache_probe(r.c, 0x1040, NULL));
    /* a miss to the other line of a pair whose request has been sent is a request of its own */
    give(&r, 100, MEM_LOAD, 0x2000, 4, 5);
    run(&r, 104);
    give(&r, 104, MEM_LOAD, 0x2040, 4, 6);
    run(&r, 120);
    assert_int_equal(r.sent_count, 5);
    assert_int_equal(r.sent[4].req.bytes, 64);
    arena_free(&r.arena);

    /* a pair takes one miss register: with two, the fifth line has to wait */
    cfg.mshrs = 2;
    rig_init(&r, &cfg, NULL);
    for (unsigned k = 0; k < 5; k++)
        give(&r, 0, MEM_LOAD, 0x1000 + 64 * k, 4, k);
    run(&r, 30);
    assert_int_equal(r.sent_count, 2);
    cache_fill(r.c, r.sent[1].token, 31);
    run(&r, 31 + 4 - 1 + 1);
    assert_int_equal(r.sent_count, 3);
    assert_int_equal(r.sent[2].req.addr, 0x1100);
    assert_int_equal(r.sent[2].at, 31 + 4 - 1);
    arena_free(&r.arena);
}

/* A line that comes in takes the data path: hits wait for it, or it adds to what the path has to do already. */
static void lines_take_the_data_path(void **state)
{
    (void)state;
    for (unsigned line_cycles = 0; line_cycles < 4; line_cycles++) {
        struct cache_config cfg = small();
        struct rig r;

        cfg.line_cycles = line_cycles;
        rig_init(&r, &cfg, NULL);
        warm(&r, 0x1000);
        cycle_t t = r.now;
        give(&r, t, MEM_LOAD, 0x2000, 4, 1);
        give(&r, t + 1, MEM_LOAD, 0x1000, 4, 2); /* a hit, due at t + 11 */
        run(&r, t + 9);
        assert_int_equal(r.sent_count, 1);
        cache_fill(r.c, r.sent[0].token, t + 10);
        run(&r, t + 40);
        assert_int_equal(r.done_count, 2);
        assert_int_equal(r.done[0].token, 2);
        assert_int_equal(r.done[0].at, t + 10 + (line_cycles > 1 ? line_cycles : 1));
        assert_int_equal(r.done[1].at, r.done[0].at < t + 13 ? t + 13 : r.done[0].at + 1); /* the miss, due at t + 13 */
        assert_int_equal(cache_stats(r.c)->data_cycles, 3 + 2 * line_cycles);
        arena_free(&r.arena);
    }
}

/* Latencies of loads add up; stores, posted requests and loads in flight do not count. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_and_hit_cycles),
        cmocka_unit_test(tick_names_the_next_cycle),
        cmocka_unit_test(data_path_and_tag_rate),
        cmocka_unit_test(late_acknowledgement),
        cmocka_unit_test(data_path_of_another_clock),
        cmocka_unit_test(misses_merge),
        cmocka_unit_test(any_number_waits_for_a_line),
        cmocka_unit_test(slow_data_path_is_woken),
        cmocka_unit_test(write_through_waits_for_below),
        cmocka_unit_test(stores_wait_for_pass_slots),
        cmocka_unit_test(write_back_evicts),
        cmocka_unit_test(partly_written_lines_are_fetched_for_loads),
        cmocka_unit_test(atomics),
        cmocka_unit_test(lines_are_fetched_in_pieces),
        cmocka_unit_test(held_up_below_and_woken),
        cmocka_unit_test(invalidate_and_writeback),
        cmocka_unit_test(channels_work_side_by_side),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(neighbours_go_down_together),
        cmocka_unit_test(lines_take_the_data_path),
        cmocka_unit_test(latency_statistics),
        cmocka_unit_test(hit_under_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
