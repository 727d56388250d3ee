/* L2s and channels of MALL and memory on several dies: what distances cost, what links carry, who waits for whom.
 *
 * Four dies in a mesh of two by two, an L2 and a channel of MALL (of 256 bytes in turn) on each; CU k is on die k.
 *   0 1
 *   2 3 */
#include "mem/hierarchy/internal.h"
#include "tests/unit/mem/hierarchy_rig.h"

enum {
    DIES = 4,
    HOP = 13,
    PROBE = 70,
    /* L2's line is two requests to MALL, the second a cycle after the first, and takes two beats upwards */
    MALL_HIT = 8 + 8 + 1 + 150 + 4 + 1 + 4,
    /* 64 bytes take 0.64 cycles of a DRAM channel, 128 a second one */
    MEMORY = 8 + 8 + 8 + 1 + 200 + 4 + 1 + 4 + 4,
};

static const uint32_t hops[DIES][DIES] = {{0, 1, 1, 2}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}};

static struct hierarchy_config four_dies(double bytes_per_cycle)
{
    struct hierarchy_config c = small_hierarchy(false, true);

    c.gen = MEM_GEN_GFX942;
    c.cus = c.l2s = DIES;
    c.cus_per_l2_turn = 1;
    c.l2s_coherent = true;
    c.probe_cycles = PROBE;
    c.cache[LEVEL_MALL].interleave_bytes = 256;
    c.dram.channels = 4;
    c.dram.bytes_per_cycle = 400;
    c.fabric = (struct fabric_config){.columns = 2, .rows = 2, .hop_cycles = HOP, .bytes_per_cycle = bytes_per_cycle};
    return c;
}

/* The n-th line of a die. */
static gaddr_t line_on(uint32_t die, uint32_t n)
{
    return 0x40000 + 256 * die + n * 256 * DIES;
}

static cycle_t access_time(struct hierarchy *h, uint32_t cu, enum mem_op op, gaddr_t addr, cycle_t now)
{
    return load_time(h, cu, MEM_PORT_VECTOR, op, addr, now);
}

/* Bytes that a direction of a link has carried. */
static uint64_t carried(const struct hierarchy *h, uint32_t from, uint32_t to)
{
    const struct fabric *f = hierarchy_fabric(h);

    for (uint32_t k = 0; k < f->links; k++)
        if (f->link[k].from == from && f->link[k].to == to)
            return f->link[k].bytes;
    fail_msg("no link from %u to %u", from, to);
    return 0;
}

static uint64_t carried_in_all(const struct hierarchy *h)
{
    const struct fabric *f = hierarchy_fabric(h);
    uint64_t sum = 0;

    for (uint32_t k = 0; k < f->links; k++)
        sum += f->link[k].bytes;
    return sum;
}

/* There and back, to what is in MALL and to memory; the mean is the distance of one hop. */
static void loads(void **state)
{
    struct hierarchy_config c = four_dies(0);
    struct hierarchy *h = make(&c);
    cycle_t now = 1000, memory, sum = 0;

    (void)state;
    hierarchy_preload(h, LEVEL_MALL, line_on(0, 0), 4 * 4 * 256);
    memory = access_time(h, 0, MEM_LOAD, line_on(0, 100), 500);
    assert_int_equal(memory, MEMORY);
    for (uint32_t cu = 0; cu < DIES; cu++)
        for (uint32_t die = 0; die < DIES; die++, now += 2000) {
            cycle_t t = access_time(h, cu, MEM_LOAD, line_on(die, cu), now);

            assert_int_equal(t, MALL_HIT + 2 * HOP * hops[cu][die]);
            sum += t;
            assert_int_equal(access_time(h, cu, MEM_LOAD, line_on(die, 101 + cu), now + 1000),
                             MEMORY + 2 * HOP * hops[cu][die]);
        }
    assert_int_equal(sum, DIES * DIES * (MALL_HIT + 2 * HOP));
    hierarchy_free(h);

    /* without MALL the same with memory */
    c.present[LEVEL_MALL] = false;
    h = make(&c);
    memory = access_time(h, 0, MEM_LOAD, line_on(0, 0), now);
    for (uint32_t die = 1; die < DIES; die++)
        assert_int_equal(access_time(h, 0, MEM_LOAD, line_on(die, 0), now + 1000 * die),
                         memory + 2 * HOP * hops[0][die]);
    hierarchy_free(h);
}

/* Data of loads come back, data of stores go out, each by its own way: the row first. */
static void what_links_carry(void **state)
{
    struct hierarchy_config c = four_dies(0);
    struct hierarchy *h = make(&c);
    struct mem_req through = {
        .addr = line_on(3, 0), .token = 9, .bytes = 64, .op = MEM_STORE, .hint = {.scope = SCOPE_SYS}};

    (void)state;
    access_time(h, 0, MEM_LOAD, line_on(0, 0), 1000);
    assert_int_equal(carried_in_all(h), 0);
    access_time(h, 0, MEM_LOAD, line_on(1, 0), 2000);
    assert_int_equal(carried(h, 1, 0), 128);
    assert_int_equal(carried_in_all(h), 128);
    access_time(h, 0, MEM_LOAD, line_on(3, 1), 3000);
    assert_int_equal(carried(h, 3, 2), 128);
    assert_int_equal(carried(h, 2, 0), 128);
    assert_int_equal(carried_in_all(h), 3 * 128);
    /* a store past L2 goes out the other way; what acknowledges it is no data */
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &through, 4000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 9) - 4000, 8 + 8 + 150 + 4 + 4 + 4 * HOP);
    assert_int_equal(carried(h, 0, 1), 64);
    assert_int_equal(carried(h, 1, 3), 64);
    assert_int_equal(carried_in_all(h), 3 * 128 + 2 * 64);
    /* a store stays in L2 until it is written back, as a whole line */
    access_time(h, 0, MEM_STORE, line_on(2, 0), 5000);
    assert_int_equal(carried_in_all(h), 3 * 128 + 2 * 64);
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 10, 6000);
    back_at(h, MEM_PORT_VECTOR, 10);
    while (hierarchy_next(h) != CYCLE_NEVER)
        hierarchy_tick(h, hierarchy_next(h));
    assert_true(hierarchy_is_idle(h));
    assert_int_equal(carried(h, 0, 2), 128);
    assert_int_equal(carried_in_all(h), 4 * 128 + 2 * 64);
    hierarchy_free(h);
}

struct start {
    uint32_t cu;
    gaddr_t addr;
    uint32_t bytes;
    uint8_t op;
};

/* Cycles that accesses sent together take, by CU. */
static void together(struct hierarchy *h, const struct start *s, size_t count, cycle_t now, cycle_t took[DIES])
{
    uint64_t token;

    for (size_t k = 0; k < count; k++)
        hierarchy_accept(h, s[k].cu, MEM_PORT_VECTOR,
                         &(struct mem_req){.addr = s[k].addr,
                                           .bytes = s[k].bytes,
                                           .op = s[k].op,
                                           .hint = {.scope = s[k].op == MEM_STORE ? SCOPE_SYS : SCOPE_CU}},
                         now);
    for (cycle_t t = hierarchy_next(h); t != CYCLE_NEVER; t = hierarchy_next(h)) {
        hierarchy_tick(h, t);
        for (uint32_t cu = 0; cu < DIES; cu++)
            if (hierarchy_pop(h, cu, MEM_PORT_VECTOR, &token))
                took[cu] = t - now;
    }
    assert_true(hierarchy_is_idle(h));
}

/* Links of 8 bytes a cycle: 64 take eight. MALL gives 64 a cycle, so the halves of a line wait for one another. */
static void queues(void **state)
{
    struct hierarchy_config c = four_dies(8);
    struct hierarchy *h = make(&c);
    cycle_t took[DIES];
    enum { LINE = MALL_HIT - 1 + 15 }; /* the second half is through 15 cycles after the first came */

    (void)state;
    hierarchy_preload(h, LEVEL_MALL, 0x40000, 0x2400);
    /* an idle fabric; the second link carries one half after the other, too */
    assert_int_equal(access_time(h, 1, MEM_LOAD, line_on(0, 0), 1000), LINE + 2 * HOP);
    assert_int_equal(access_time(h, 3, MEM_LOAD, line_on(0, 1), 2000), LINE + 7 + 4 * HOP);
    /* both answers take the link from 0 to 1: die 1's is there first, its requests having had a shorter way */
    together(h, (struct start[]){{1, line_on(0, 2), 4, MEM_LOAD}, {3, line_on(0, 3), 4, MEM_LOAD}}, 2, 3000, took);
    assert_int_equal(took[1], LINE + 2 * HOP);
    assert_int_equal(took[3], LINE + 7 + 4 * HOP + (16 - HOP));
    /* two dies read from one another: the directions of the link have nothing to do with each other */
    together(h, (struct start[]){{0, line_on(1, 4), 4, MEM_LOAD}, {1, line_on(0, 4), 4, MEM_LOAD}}, 2, 4000, took);
    assert_int_equal(took[0], LINE + 2 * HOP);
    assert_int_equal(took[1], LINE + 2 * HOP);
    /* stores go out beside loads' data that come in, */
    cycle_t store = 8 + 8 + 7 + 150 + 4 + 4 + 2 * HOP;
    together(h, (struct start[]){{0, line_on(1, 5), 64, MEM_STORE}}, 1, 5000, took);
    assert_int_equal(took[0], store);
    together(h, (struct start[]){{0, line_on(1, 6), 64, MEM_STORE}, {0, line_on(1, 7), 64, MEM_STORE}}, 2, 6000, took);
    assert_int_equal(took[0], store + 8);
    /* and what another die reads here after them: its data are put on the link long after the store's */
    together(h, (struct start[]){{0, line_on(1, 8), 64, MEM_STORE}, {1, line_on(0, 8), 4, MEM_LOAD}}, 2, 7000, took);
    assert_int_equal(took[0], store);
    assert_int_equal(took[1], LINE + 2 * HOP);
    hierarchy_free(h);
}

/* A line that another die has changed: the probe goes from the line's home to that die and back, with its data. */
static void probes(void **state)
{
    cycle_t now = 1000;

    (void)state;
    for (uint32_t home = 0; home < DIES; home++)
        for (uint32_t owner = 1; owner < DIES; owner++) {
            struct hierarchy_config c = four_dies(0);
            struct hierarchy *h = make(&c);
            uint64_t before;

            access_time(h, owner, MEM_STORE, line_on(home, 0), now);
            before = carried_in_all(h);
            /* MALL's channel takes in two halves that are written back and the first one asked for before the last */
            assert_int_equal(access_time(h, 0, MEM_LOAD, line_on(home, 0), now + 1000),
                             8 + 8 + PROBE + 3 + 150 + 4 + 1 + 4 + 2 * HOP * (hops[0][home] + hops[home][owner]));
            assert_int_equal(carried_in_all(h) - before, 128 * (hops[home][owner] + hops[0][home]));
            hierarchy_free(h);
        }
}

/* The dirty data of a probe wait for the links, and others for them. */
static void probes_queue(void **state)
{
    struct hierarchy_config c = four_dies(8);
    struct hierarchy *h = make(&c);
    cycle_t took[DIES], alone;

    (void)state;
    hierarchy_preload(h, LEVEL_MALL, 0x40000, 0x2400);
    access_time(h, 1, MEM_STORE, line_on(0, 0), 1000);
    access_time(h, 1, MEM_STORE, line_on(0, 1), 2000);
    /* 128 bytes from die 1 to die 0: 16 cycles, the last of them its own */
    alone = access_time(h, 0, MEM_LOAD, line_on(0, 0), 3000);
    assert_int_equal(alone, 8 + 8 + PROBE + 3 + 150 + 4 + 1 + 4 + 2 * HOP + 15);
    /* a store of die 1 to die 0, sent when the probe is: it waits for the data's 16 cycles */
    together(h, (struct start[]){{0, line_on(0, 1), 4, MEM_LOAD}, {1, line_on(0, 5), 64, MEM_STORE}}, 2, 4000, took);
    assert_int_equal(took[0], alone);
    assert_int_equal(took[1], 8 + 8 + 16 + 7 + 150 + 4 + 4 + 2 * HOP);
    hierarchy_free(h);
}

/* Requests in flight have credits for entries of a channel's queue: none arrives without an entry, and nobody waits for
 * ever. One die's channel, of few places, for all. */
static void places(void **state)
{
    struct hierarchy_config c = four_dies(64);
    struct hierarchy *h;
    uint64_t token;
    unsigned sent = 0, back = 0, most = 0;

    (void)state;
    c.cache[LEVEL_MALL].input_queue = 3;
    c.cache[LEVEL_MALL].mshrs = 2;
    h = make(&c);
    for (cycle_t t = 0; sent < 200 || !hierarchy_is_idle(h); t++) {
        uint32_t cu = sent % DIES;

        assert_true(t < 100000);
        if (hierarchy_next(h) <= t)
            hierarchy_tick(h, t);
        for (uint32_t k = 0; k < DIES; k++)
            while (hierarchy_pop(h, k, MEM_PORT_VECTOR, &token))
                back++;
        most = h->routes.in_flight[0] > most ? h->routes.in_flight[0] : most;
        assert_int_equal(h->routes.in_flight[1], 0);
        if (sent < 200 && hierarchy_can_accept(h, cu, MEM_PORT_VECTOR, line_on(0, sent))) {
            hierarchy_accept(h, cu, MEM_PORT_VECTOR,
                             &(struct mem_req){.addr = line_on(0, sent), .bytes = 4, .op = MEM_LOAD}, t);
            sent++;
        }
    }
    assert_int_equal(back, 200);
    assert_int_equal(most, 3);
    hierarchy_free(h);
}

/* All dies read evenly from all: every link carries an eighth of the bytes, and bounds them. */
static void saturation(void **state)
{
    enum { LINK_BYTES = 24, LINES = 1600 };
    struct hierarchy_config c = four_dies(LINK_BYTES);
    struct hierarchy *h;
    struct rng r = {3};
    uint32_t sent[DIES] = {0};
    uint64_t token, bytes = (uint64_t)DIES * LINES * 128;
    cycle_t t;

    (void)state;
    c.cache[LEVEL_MALL] = level(4u << 20, 64, 4, 4, 20);
    c.cache[LEVEL_MALL].interleave_bytes = 256;
    c.cache[LEVEL_MALL].write = CACHE_WRITE_BACK;
    c.cache[LEVEL_MALL].input_queue = 64;
    c.cache[LEVEL_L2].mshrs = c.cache[LEVEL_L2].input_queue = c.cache[LEVEL_VL0].mshrs = 64;
    h = make(&c);
    hierarchy_preload(h, LEVEL_MALL, 0, 4u << 20);
    for (t = 0; sent[0] + sent[1] + sent[2] + sent[3] < DIES * LINES || !hierarchy_is_idle(h); t++) {
        assert_true(t < 1000000);
        if (hierarchy_next(h) <= t)
            hierarchy_tick(h, t);
        for (uint32_t cu = 0; cu < DIES; cu++) {
            gaddr_t addr = 128 * (gaddr_t)(sent[cu] * DIES * 2 + 2 * rnd(&r, DIES)) + (cu & 1) * 128;

            while (hierarchy_pop(h, cu, MEM_PORT_VECTOR, &token))
                ;
            addr += (cu & 2) * (gaddr_t)(1u << 20);
            if (sent[cu] < LINES && hierarchy_can_accept(h, cu, MEM_PORT_VECTOR, addr)) {
                hierarchy_accept(h, cu, MEM_PORT_VECTOR, &(struct mem_req){.addr = addr, .bytes = 4, .op = MEM_LOAD},
                                 t);
                sent[cu]++;
            }
        }
    }
    for (uint32_t k = 0; k < hierarchy_fabric(h)->links; k++) {
        assert_in_range(hierarchy_fabric(h)->link[k].bytes, bytes / 8 * 9 / 10, bytes / 8 * 11 / 10);
        assert_true(hierarchy_fabric(h)->link[k].bytes <= t * LINK_BYTES);
    }
    assert_in_range(bytes / t, 8 * LINK_BYTES * 8 / 10, 8 * LINK_BYTES);
    hierarchy_free(h);
}

/* On one die nothing travels; L2s that are not coherent have distances as well. */
static void without(void **state)
{
    struct hierarchy_config c = four_dies(0);
    struct hierarchy *h;
    struct err e = {0};

    (void)state;
    c.l2s_coherent = false;
    h = make(&c);
    hierarchy_preload(h, LEVEL_MALL, line_on(0, 0), 1024);
    assert_int_equal(access_time(h, 0, MEM_LOAD, line_on(3, 0), 1000), MALL_HIT + 4 * HOP);
    hierarchy_free(h);
    c.fabric.columns = c.fabric.rows = 1;
    h = make(&c);
    assert_null(hierarchy_fabric(h));
    hierarchy_preload(h, LEVEL_MALL, line_on(0, 0), 1024);
    assert_int_equal(access_time(h, 0, MEM_LOAD, line_on(3, 0), 1000), MALL_HIT);
    hierarchy_free(h);
    c.fabric.columns = 9;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "fabric: 9 columns"));
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),      cmocka_unit_test(what_links_carry), cmocka_unit_test(queues),
        cmocka_unit_test(probes),     cmocka_unit_test(probes_queue),     cmocka_unit_test(places),
        cmocka_unit_test(saturation), cmocka_unit_test(without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
