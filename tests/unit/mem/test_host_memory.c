/* Memory of the host behind the device's: a channel with latency and bandwidth of its own. */
#include "tests/unit/mem/hierarchy_rig.h"

#define HOST UINT64_C(0x100000)

static bool is_host(void *ctx, gaddr_t addr)
{
    assert_ptr_equal(ctx, (void *)&is_host);
    return addr >= HOST;
}

static struct dram_config config(void)
{
    return (struct dram_config){.latency_cycles = 200,
                                .channels = 2,
                                .interleave_bytes = 256,
                                .max_in_flight = 4,
                                .banks = 2,
                                .row_bytes = 2048,
                                .row_hit_saves_cycles = 20,
                                .bytes_per_cycle = 128,
                                .is_host = is_host,
                                .host_ctx = (void *)&is_host,
                                .host_latency_cycles = 900,
                                .host_bytes_per_cycle = 16};
}

static void latency_through_the_levels(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h;

    (void)state;
    c.dram = config();
    h = make(&c);
    /* 128 bytes at 16 a cycle: 8 cycles, the first of which is part of the latency */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, HOST, 0), 8 + 8 + 900 + 7 + 4 + 1 + 4);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, HOST - 128, 2000), 8 + 8 + 200 + 1 + 4 + 1 + 4);
    /* no rows */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, HOST + 128, 4000), 8 + 8 + 900 + 7 + 4 + 1 + 4);
    assert_int_equal(hierarchy_dram_stats(h)->row_hits, 0);
    hierarchy_free(h);
}

struct done {
    cycle_t at[8];
};

static struct done *done;
static cycle_t clock_now;

static void complete(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    (void)ctx, (void)client;
    assert_int_equal(now, clock_now);
    done->at[token] = now;
}

/* What the device's memory answers does not wait behind what the host's does. */
static void a_channel_of_its_own(void **state)
{
    struct dram_config c = config();
    struct done d = {{0}};
    struct arena arena;
    struct err e = {0};
    struct dram m;

    (void)state;
    done = &d;
    arena_init(&arena, 1 << 16);
    assert_int_equal(dram_init(&m, &c, (struct mem_sink){NULL, complete}, &arena, &e), 0);
    for (unsigned k = 0; k < 4; k++) {
        assert_true(dram_can_accept(&m, HOST + 64 * k));
        dram_accept(&m, &(struct mem_req){.addr = HOST + 64 * k, .bytes = 64, .op = MEM_LOAD, .token = k}, 10);
    }
    assert_false(dram_can_accept(&m, HOST));
    assert_true(dram_can_accept(&m, 0));
    dram_accept(&m, &(struct mem_req){.addr = 0, .bytes = 64, .op = MEM_LOAD, .token = 4}, 10);
    assert_false(dram_is_idle(&m));
    for (clock_now = 10; clock_now != CYCLE_NEVER;)
        clock_now = dram_tick(&m, clock_now);
    assert_true(dram_is_idle(&m));
    assert_int_equal(d.at[4], 210);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(d.at[k], 910 + 3 + 4 * k);
    arena_free(&arena);
}

static void bad_configurations(void **state)
{
    struct dram_config c = config();
    struct arena arena;
    struct err e = {0};
    struct dram m;

    (void)state;
    arena_init(&arena, 1 << 16);
    c.host_latency_cycles = 0;
    assert_int_not_equal(dram_init(&m, &c, (struct mem_sink){NULL, complete}, &arena, &e), 0);
    assert_non_null(strstr(e.text, "host memory in 0 cycles"));
    c = config();
    c.host_bytes_per_cycle = 0;
    err_clear(&e);
    assert_int_not_equal(dram_init(&m, &c, (struct mem_sink){NULL, complete}, &arena, &e), 0);
    c.is_host = NULL; /* then nobody asks */
    assert_int_equal(dram_init(&m, &c, (struct mem_sink){NULL, complete}, &arena, &e), 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_through_the_levels),
        cmocka_unit_test(a_channel_of_its_own),
        cmocka_unit_test(bad_configurations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
