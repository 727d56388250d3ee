/* DRAM without caches. Cycles are exact: not at t - 1, at t. */
#include "mem/channels.h"
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
    assert_int_equal(dram_accept(&d, &q, 10), 110);
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
        {4096, 1100, 1200}, {4160, 1101, 1200}, /* a hit after a miss */
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

/* Channels and units of interleaving that are no powers of two. */
static void channels_of_addresses(void **state)
{
    static const struct {
        uint32_t channels, interleave_bytes;
    } t[] = {{2, 256}, {3, 256}, {2, 192}, {5, 96}, {1, 256}};

    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct dram_config cfg = {.latency_cycles = 100,
                                  .channels = t[k].channels,
                                  .interleave_bytes = t[k].interleave_bytes,
                                  .max_in_flight = 4,
                                  .bytes_per_cycle = 64};
        struct arena a;
        struct err e = {0};
        struct dram d;

        arena_init(&a, 0);
        assert_int_equal(dram_init(&d, &cfg, (struct mem_sink){0}, &a, &e), 0);
        for (gaddr_t at = 0; at < 4096; at += 32)
            assert_int_equal(dram_channel(&d, at), at / cfg.interleave_bytes % cfg.channels);
        arena_free(&a);
    }
}

static bool is_host(void *ctx, gaddr_t addr)
{
    return addr >= *(gaddr_t *)ctx;
}

/* What is refused, and that the message names it; the value before it is accepted. */
static void bad_configurations(void **state)
{
    static const struct dram_config good = {.latency_cycles = 100,
                                            .channels = 2,
                                            .interleave_bytes = 256,
                                            .max_in_flight = 4,
                                            .bytes_per_cycle = 64,
                                            .banks = 2,
                                            .row_bytes = 512,
                                            .row_hit_saves_cycles = 99,
                                            .is_host = is_host,
                                            .host_latency_cycles = 1,
                                            .host_bytes_per_cycle = 65536};
    struct dram_config bad[16];
    static const char *const word[] = {"latency_cycles is 0",     "channels is 0",
                                       "channels is 1025",        "interleave_bytes is 0",
                                       "max_in_flight is 0",      "max_in_flight is 1048577",
                                       "bytes_per_cycle is 0",    "bytes_per_cycle is 131074",
                                       "row_bytes is 0",          "row_bytes is 768",
                                       "host memory in 0 cycles", "host memory in 1 cycles, 0 bytes",
                                       "65537 bytes per cycle",   "row_hit_saves_cycles is 100"};
    enum { COUNT = sizeof word / sizeof word[0] };
    struct arena a;
    struct err e = {0};
    struct dram d;

    (void)state;
    for (unsigned k = 0; k < COUNT; k++)
        bad[k] = good;
    bad[0].latency_cycles = 0;
    bad[1].channels = 0;
    bad[2].channels = 1025;
    bad[3].interleave_bytes = 0;
    bad[4].max_in_flight = 0;
    bad[5].max_in_flight = (1u << 20) + 1;
    bad[6].bytes_per_cycle = 0;
    bad[7].bytes_per_cycle = 2 * 65537;
    bad[8].row_bytes = 0;
    bad[9].row_bytes = 768;
    bad[10].host_latency_cycles = 0;
    bad[11].host_bytes_per_cycle = 0;
    bad[12].host_bytes_per_cycle = 65537;
    bad[13].row_hit_saves_cycles = 100;
    arena_init(&a, 0);
    assert_int_equal(dram_init(&d, &good, (struct mem_sink){0}, &a, &e), 0);
    for (unsigned k = 0; k < COUNT; k++) {
        assert_int_not_equal(dram_init(&d, &bad[k], (struct mem_sink){0}, &a, &e), 0);
        assert_int_equal(e.code, ERR_USAGE);
        if (!strstr(e.text, word[k]))
            fail_msg("%s does not name %s", e.text, word[k]);
        err_clear(&e);
    }
    /* without banks nobody asks for rows, and without host memory nobody for its figures */
    bad[8].banks = 0;
    assert_int_equal(dram_init(&d, &bad[8], (struct mem_sink){0}, &a, &e), 0);
    bad[10].is_host = NULL;
    assert_int_equal(dram_init(&d, &bad[10], (struct mem_sink){0}, &a, &e), 0);
    arena_free(&a);
}

/* MI300's hash as its table has it, bit by bit; 32 KB have 256 bytes in each channel. */
static void channels_by_hash(void **state)
{
    static const uint8_t bits[CHANNEL_HASH_BITS][8] = {{8, 12, 15, 22, 29, 36, 43},  {9, 13, 16, 23, 30, 37, 44},
                                                       {10, 14, 17, 24, 31, 38, 45}, {11, 18, 25, 32, 39, 46},
                                                       {14, 19, 26, 33, 40, 47},     {12, 20, 27, 34, 41},
                                                       {13, 21, 28, 35, 42}};
    uint64_t addr = 1;

    (void)state;
    for (unsigned k = 0; k < 1000; k++) {
        uint32_t channel = 0;
        uint64_t seen[2] = {0};

        addr = addr * UINT64_C(6364136223846793005) + 1;
        addr &= (UINT64_C(1) << 43) - 1; /* bits above are in no group of all seven */
        for (unsigned b = 0; b < CHANNEL_HASH_BITS; b++)
            for (unsigned n = 0; bits[b][n]; n++)
                channel ^= (uint32_t)(addr >> bits[b][n] & 1) << b;
        assert_int_equal(channel_hash(addr), channel);
        for (unsigned bit = 43; bit < 64; bit++) /* the groups of seven go on */
            assert_int_equal(channel_hash(addr | UINT64_C(1) << bit) ^ channel, 1u << (bit - 15) % CHANNEL_HASH_BITS);
        for (uint64_t at = addr & ~UINT64_C(0x7fff), end = at + 0x8000; at < end; at += CHANNEL_HASH_BYTES)
            seen[channel_hash(at) / 64] |= UINT64_C(1) << channel_hash(at) % 64;
        assert_true(seen[0] == UINT64_MAX && seen[1] == UINT64_MAX);
    }
}

static void dram_channels_by_hash(void **state)
{
    struct dram_config cfg = {.latency_cycles = 100,
                              .channels = 128,
                              .interleave_bytes = 256,
                              .channel_hash = true,
                              .max_in_flight = 3,
                              .bytes_per_cycle = 48};
    struct rig r = {0};
    struct dram d;
    struct err e = {0};

    (void)state;
    arena_init(&r.arena, 0);
    assert_int_equal(dram_init(&d, &cfg, (struct mem_sink){&r, mock_complete}, &r.arena, &e), 0);
    for (uint64_t addr = 0; addr < 64; addr++)
        assert_int_equal(dram_channel(&d, addr << 15), channel_hash(addr << 15));
    arena_free(&r.arena);
}

/* Two channels refreshed for 100 of 1000 cycles, the second 500 later. The mean wait, 100 * 100 / 2 / 1000 cycles, is
 * part of the latency, and the pauses are part of the bandwidth. */
static void dram_refreshes(void **state)
{
    struct dram_config cfg = {.latency_cycles = 200,
                              .channels = 2,
                              .interleave_bytes = 256,
                              .max_in_flight = 64,
                              .bytes_per_cycle = 32,
                              .refresh_cycles = 100,
                              .refresh_every = 1000};
    static const struct {
        gaddr_t addr;
        cycle_t at, done;
    } v[] = {
        {0, 50, 100 + 195},      {0, 99, 100 + 195},      {0, 100, 100 + 195},       {256, 120, 120 + 195},
        {256, 499, 499 + 195},   {256, 500, 600 + 195},   {0, 999, 999 + 195},       {256, 1499, 1499 + 195},
        {0, 25050, 25100 + 195}, {0, 30000, 30100 + 195}, {256, 40100, 40100 + 195},
    };
    struct rig r = {0};
    struct dram d;
    struct err e = {0};
    uint32_t sent = 0;
    cycle_t t = 0;

    (void)state;
    arena_init(&r.arena, 0);
    assert_int_equal(dram_init(&d, &cfg, (struct mem_sink){&r, mock_complete}, &r.arena, &e), 0);
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct mem_req q = {.addr = v[k].addr, .token = MEM_TOKEN_NONE, .bytes = 1, .client = 9, .op = MEM_STORE};

        for (; t <= v[k].at; t++)
            dram_tick(&d, t);
        assert_int_equal(dram_accept(&d, &q, v[k].at), v[k].done);
    }
    /* 16 bytes a cycle in the mean, whatever it takes */
    for (cycle_t end = t + 50000; t < end; t++) {
        dram_tick(&d, t);
        for (; dram_can_accept(&d, 0); sent++)
            dram_accept(&d, &(struct mem_req){.token = MEM_TOKEN_NONE, .bytes = 64, .client = 9, .op = MEM_LOAD}, t);
    }
    assert_in_range(sent, 50000 / 4, 50000 / 4 + 64 + 25);
    cfg.refresh_cycles = 1000;
    assert_int_not_equal(dram_init(&d, &cfg, (struct mem_sink){0}, &r.arena, &e), 0);
    assert_non_null(strstr(e.text, "refresh_cycles is 1000"));
    arena_free(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dram_latency_and_bandwidth),
        cmocka_unit_test(dram_rows),
        cmocka_unit_test(channels_by_hash),
        cmocka_unit_test(dram_channels_by_hash),
        cmocka_unit_test(channels_of_addresses),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(dram_refreshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
