/* DRAM without caches. Cycles are exact: not at t - 1, at t. */
#include "mem/hierarchy/dram.h"
#include "tests/unit/mem/cache_rig.h"

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

/* Two banks of 512-byte rows in a channel that interleaves by 256 bytes: an open row saves 30 cycles, a closed one
 * nothing; a quick answer waits for those before it. */
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
        cmocka_unit_test(dram_latency_and_bandwidth),
        cmocka_unit_test(dram_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
