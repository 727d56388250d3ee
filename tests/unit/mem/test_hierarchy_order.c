/* Who goes first, who is woken, and who is left alone: requests of many CUs at one channel of L2, credits that return,
 * cache control without an answer, and misses of translation caches that cross. */
#include "mem/hierarchy/internal.h"
#include "tests/unit/mem/hierarchy_rig.h"

enum { MAX_DONE = 64 };

struct seen {
    struct {
        uint32_t cu;
        uint64_t token;
        cycle_t at;
    } done[MAX_DONE], retry[MAX_DONE];
    unsigned done_count, retry_count;
    struct hierarchy *h;
};

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    struct seen *s = ctx;

    (void)port;
    assert_true(s->done_count < MAX_DONE);
    s->done[s->done_count].cu = cu;
    s->done[s->done_count].token = token;
    s->done[s->done_count++].at = now;
}

static void retry(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    struct seen *s = ctx;

    assert_int_equal(port, MEM_PORT_VECTOR);
    assert_true(s->retry_count < MAX_DONE);
    s->retry[s->retry_count].cu = cu;
    s->retry[s->retry_count++].at = now;
    if (!hierarchy_can_accept(s->h, cu, port, 0))
        hierarchy_await_retry(s->h, cu, port);
}

static struct hierarchy *make_seen(const struct hierarchy_config *c, struct seen *s)
{
    struct hierarchy *h = make(c);

    memset(s, 0, sizeof *s);
    s->h = h;
    hierarchy_set_sink(h, &(struct hierarchy_sink){s, complete, retry, NULL});
    return h;
}

static void run_all(struct hierarchy *h)
{
    while (hierarchy_next(h) != CYCLE_NEVER)
        hierarchy_tick(h, hierarchy_next(h));
}

/* The next link from the cycle's number on is served, of those that wait for an entry of a channel, around the end;
 * with 70 CUs they are more than a word of the mask. */
static void links_take_turns(void **state)
{
    static const uint32_t cu[] = {0, 30, 69};
    struct hierarchy_config c = small_hierarchy(false, false);
    struct seen s;

    (void)state;
    c.cus = 70;
    c.cache[LEVEL_L2] = level(4096, 128, 4, 1, 100);
    c.cache[LEVEL_L2].write = CACHE_WRITE_BACK;
    c.cache[LEVEL_L2].write_allocate = c.cache[LEVEL_L2].atomics = true;
    c.cache[LEVEL_L2].bytes_per_cycle = 8; /* a store of a line keeps the tag stage for 16 cycles */
    c.cache[LEVEL_L2].input_queue = 1;
    struct hierarchy *h = make_seen(&c, &s);
    const uint32_t links = h->links;
    uint32_t link[3];

    assert_int_equal(links, 70 + 35 + 35);
    for (unsigned k = 0; k < 3; k++)
        link[k] = h->unit[h->port[cu[k] * MEM_PORTS + MEM_PORT_VECTOR].unit].first_link;
    assert_true(link[0] < 64 && link[2] >= 64);
    for (cycle_t t = 1000; t < 1000 + (links + 1) * 1000; t += 1001) {
        /* accepted when they arrive; when the first one has been looked up; and when the tag stage is free again */
        const cycle_t served[3] = {t + 8, t + 8 + 2, t + 8 + 2 + 16};
        bool gone[3] = {false};

        s.done_count = 0;
        for (unsigned k = 0; k < 3; k++)
            hierarchy_accept(h, cu[k], MEM_PORT_VECTOR,
                             &(struct mem_req){.addr = 0x1000 * k, .bytes = 128, .op = MEM_STORE, .token = k}, t);
        run_all(h);
        assert_int_equal(s.done_count, 3);
        for (unsigned n = 0; n < 3; n++) {
            unsigned first = 3;

            for (unsigned k = 0; k < 3; k++) {
                uint32_t from = (uint32_t)(served[n] % links);

                if (!gone[k] && (first == 3 || (link[k] + links - from) % links < (link[first] + links - from) % links))
                    first = k;
            }
            gone[first] = true;
            assert_int_equal(s.done[n].cu, cu[first]);
            assert_int_equal(s.done[n].token, first);
            assert_int_equal(s.done[n].at, t + 8 + 100 + 4 + 16 * n);
        }
    }
    hierarchy_free(h);
}

/* A port that could not accept is called when the queue of its cache has an entry, and, with as many requests
 * outstanding as it may have, when one of them completes. */
static void a_full_port_is_called(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct mem_req q = {.bytes = 4, .op = MEM_LOAD};
    struct hierarchy *h;
    struct seen s;

    (void)state;
    c.max_outstanding = 2;
    h = make_seen(&c, &s);
    for (q.token = 0; q.token < 2; q.token++) {
        q.addr = 0x1000 + q.token * 0x100;
        hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 1000);
    }
    assert_false(hierarchy_can_accept(h, 0, MEM_PORT_VECTOR, 0));
    hierarchy_await_retry(h, 0, MEM_PORT_VECTOR);
    hierarchy_await_retry(h, 0, MEM_PORT_VECTOR); /* asking twice is asking once */
    run_all(h);
    assert_int_equal(s.done_count, 2);
    /* the two are looked up in 1001 and 1002 */
    assert_int_equal(s.retry_count, 3);
    assert_int_equal(s.retry[0].at, 1001);
    assert_int_equal(s.retry[1].at, 1002);
    assert_int_equal(s.retry[2].at, s.done[0].at);
    assert_true(s.done[1].at > s.done[0].at);
    /* nobody waits any more */
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 5000);
    run_all(h);
    assert_int_equal(s.done_count, 3);
    assert_int_equal(s.retry_count, 3);
    hierarchy_free(h);
}

/* Cache control that nobody waits for: an invalidation is over at once, a write-back goes on its way. */
static void control_without_an_answer(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h = make(&c);
    uint64_t before;

    (void)state;
    load_time(h, 0, MEM_PORT_INST, MEM_FETCH, 0x40, 1000);
    load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x1040, 2000);
    assert_int_equal(load_time(h, 0, MEM_PORT_INST, MEM_FETCH, 0x40, 3000), 10);
    hierarchy_control(h, 0, MEM_PORT_INST, 1u << LEVEL_I, 0, MEM_TOKEN_NONE, 4000);
    assert_true(hierarchy_is_idle(h));
    assert_int_equal(hierarchy_next(h), CYCLE_NEVER);
    assert_int_equal(load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x1040, 5000), 20);
    assert_int_equal(load_time(h, 0, MEM_PORT_INST, MEM_FETCH, 0x40, 6000), 8 + 100 + 4);
    load_time(h, 0, MEM_PORT_VECTOR, MEM_STORE, 0x2000, 7000);
    before = hierarchy_dram_stats(h)->write_bytes;
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, MEM_TOKEN_NONE, 8000);
    assert_false(hierarchy_is_idle(h));
    run_all(h);
    assert_true(hierarchy_is_idle(h));
    assert_int_equal(hierarchy_dram_stats(h)->write_bytes - before, 128);
    /* and is over: nothing is dirty, and a port is free for as many as before */
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 3, 20000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 3), 20000 + 3 + 40 + 100);
    hierarchy_free(h);
}

/* A miss of a UTCL1 that is sent while an earlier one of another group is on its way does not hold that up. */
static void translation_misses_cross(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    cycle_t alone = 0;

    (void)state;
    c.cus_per_group = 2;
    c.tlb = (struct tlb_config){.page_bytes = 65536,
                                .entries = 2,
                                .miss_cycles = 50,
                                .utcl2_entries = 64,
                                .utcl2_ways = 16,
                                .walk_levels = 2,
                                .read_cycles = 100,
                                .walkers = 2};
    for (unsigned k = 0; k < 3; k++) {
        struct seen s;
        struct hierarchy *h = make_seen(&c, &s);

        assert_true(hierarchy_groups(h) > 1);
        hierarchy_accept(h, 0, MEM_PORT_VECTOR, &(struct mem_req){.bytes = 4, .op = MEM_LOAD, .token = 1}, 1000);
        for (cycle_t t = 1001; t < 1030; t++)
            hierarchy_tick(h, t);
        if (k) /* the last CU is in another group, the one beside CU 0 in the same */
            hierarchy_accept(h, k == 1 ? 4 : 1, MEM_PORT_VECTOR,
                             &(struct mem_req){.addr = UINT64_C(1) << 40, .bytes = 4, .op = MEM_LOAD, .token = 2},
                             1030);
        for (cycle_t t = 1030; t < 1060; t++)
            hierarchy_tick(h, t);
        run_all(h);
        assert_int_equal(s.done_count, k ? 2 : 1);
        assert_int_equal(s.done[0].token, 1);
        alone = k ? alone : s.done[0].at;
        assert_int_equal(s.done[0].at, alone);
        assert_int_equal(alone, 1000 + 8 + 50 + 200 + 8 + 200 + 5 + 4 + 1 + 4);
        if (k)
            assert_int_equal(s.done[1].at, alone + 30);
        hierarchy_free(h);
    }
}

/* L2s of several dies: what one evicts leaves the copies of others alone, also in the count of copies. */
static void evictions_leave_others_alone(void **state)
{
    enum { SET = 3072 }; /* between lines of one set of the small L2 */
    struct hierarchy_config c = small_hierarchy(false, true);
    struct cache_stats s;
    struct hierarchy *h;
    cycle_t t = 1000;
    bool dirty;

    (void)state;
    c.l2s = c.cus_per_l2_turn = 2;
    c.l2s_coherent = true;
    c.probe_cycles = 70;
    h = make(&c);
    struct cache *near = h->unit[h->far.first_l2].cache, *other = h->unit[h->far.first_l2 + 1].cache;
    /* both dies modify the line */
    load_time(h, 0, MEM_PORT_VECTOR, MEM_STORE, 0x10000, t);
    load_time(h, 2, MEM_PORT_VECTOR, MEM_STORE, 0x10040, t += 1000);
    for (gaddr_t k = 1; k <= 4; k++)
        load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000 + k * SET, t += 1000);
    run_all(h);
    assert_false(cache_probe(near, 0x10000, NULL));
    assert_true(cache_probe(other, 0x10000, &dirty));
    assert_true(dirty);
    assert_true(hierarchy_cache_stats(h, LEVEL_L2, &s));
    assert_int_equal(s.writebacks, 1);
    assert_int_equal(s.downgrades, 0);
    /* a line goes, the one two lines on stays: another die's atomic has to ask for that one */
    load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x20100, t += 1000);
    load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x20000, t += 1000);
    for (gaddr_t k = 1; k <= 4; k++)
        load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x20000 + k * SET, t += 1000);
    assert_false(cache_probe(near, 0x20000, NULL));
    assert_true(cache_probe(near, 0x20100, NULL));
    assert_int_equal(load_time(h, 2, MEM_PORT_VECTOR, MEM_ATOMIC, 0x20100, t += 1000), 8 + 8 + 70 + 150 + 4 + 4);
    assert_false(cache_probe(near, 0x20100, NULL));
    /* and for the one that is gone, nobody */
    assert_int_equal(load_time(h, 2, MEM_PORT_VECTOR, MEM_ATOMIC, 0x20000, t += 1000), 8 + 8 + 1 + 150 + 4 + 4);
    hierarchy_free(h);
}

enum { LINES = 16, STRIDE = 3 * 256 /* between lines of one channel */ };

/* CU 2 loads lines that are in its L2, whose data path is slow; from `when` on, a CU of the other die stores to the
 * last of them. */
static void load_and_take_away(bool every_cycle, cycle_t when, struct seen *s)
{
    struct hierarchy_config c = small_hierarchy(false, true);
    struct hierarchy *h;

    c.l2s = c.cus_per_l2_turn = 2;
    c.l2s_coherent = true;
    c.probe_cycles = 70;
    c.check_every_cycle = every_cycle;
    c.cache[LEVEL_VL0].input_queue = c.cache[LEVEL_VL0].mshrs = 2 * LINES;
    c.cache[LEVEL_L2].input_queue = LINES;
    c.cache[LEVEL_L2].hit_latency_cycles = 4; /* few hits wait for the data path */
    c.cache[LEVEL_L2].bytes_per_cycle = 8;
    h = make(&c);
    for (gaddr_t k = 0; k < LINES; k++)
        load_time(h, 2, MEM_PORT_VECTOR, MEM_LOAD, k * STRIDE, 1000 * (k + 1));
    hierarchy_invalidate(h, 2, 1u << LEVEL_VL0, 20000);
    memset(s, 0, sizeof *s);
    hierarchy_set_sink(h, &(struct hierarchy_sink){s, complete, retry, NULL});
    for (cycle_t t = 0; t < 3000; t++) {
        cycle_t now = 21000 + t;

        if (every_cycle || hierarchy_next(h) <= now)
            hierarchy_tick(h, now);
        if (t < LINES)
            hierarchy_accept(h, 2, MEM_PORT_VECTOR,
                             &(struct mem_req){.addr = t * STRIDE, .bytes = 4, .op = MEM_LOAD, .token = t}, now);
        if (t >= when && t < when + 4)
            hierarchy_accept(
                h, 0, MEM_PORT_VECTOR,
                &(struct mem_req){
                    .addr = (LINES - 1 - (t - when)) * STRIDE, .bytes = 4, .op = MEM_STORE, .token = 100 + (t - when)},
                now);
    }
    assert_true(hierarchy_is_idle(h));
    assert_int_equal(s->done_count, LINES + 4);
    hierarchy_free(h);
}

/* A hit of an L2 that waits for its data path is a miss once another die has modified the line, and is looked up again
 * at once, not when the data path moves: with and without jumps of time. */
static void a_modified_line_wakes_who_waits_for_it(void **state)
{
    static struct seen jump, every;
    cycle_t first = CYCLE_NEVER;
    bool differ = false;

    (void)state;
    for (cycle_t when = 10; when < 90; when++) {
        load_and_take_away(false, when, &jump);
        load_and_take_away(true, when, &every);
        assert_memory_equal(jump.done, every.done, sizeof jump.done);
        cycle_t last = jump.done[jump.done_count - 1].at;
        first = first == CYCLE_NEVER ? last : first;
        differ |= last != first;
    }
    assert_true(differ); /* sooner or later the lines are gone before they are looked up */
}

/* Requests that all L2s together may have in flight: pieces of a line count each. */
static void requests_in_flight(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);

    (void)state;
    assert_int_equal(hierarchy_requests(&c), 3 * (8 + 8));
    c.cache[LEVEL_L2].request_bytes = 64;
    assert_int_equal(hierarchy_requests(&c), 3 * (8 + 8) * 2);
    c.cache[LEVEL_L2].request_bytes = 256;
    assert_int_equal(hierarchy_requests(&c), 3 * (8 + 8));
    c.l2s = 4;
    c.present[LEVEL_MALL] = true;
    c.cache[LEVEL_MALL].line_bytes = 32;
    assert_int_equal(hierarchy_requests(&c), 4 * 3 * (8 + 8) * 4);
}

/* Each figure beyond its limit; at the limit a hierarchy is made. */
static void limits_of_configurations(void **state)
{
#define AT(F) offsetof(struct hierarchy_config, F)
    static const struct {
        size_t at;
        uint32_t v;
        const char *word; /* null: fine */
    } t[] = {
        {AT(cus), 4097, "cus is 4097"},
        {AT(cus), 4096, NULL},
        {AT(cus_per_k), 0, "CUs per scalar cache 0"},
        {AT(cus_per_i), 0, "instruction cache 0"},
        {AT(l2s), 65, "65 L2s"},
        {AT(link_cycles), 100001, "link_cycles is 100001"},
        {AT(link_cycles), 100000, NULL},
        {AT(probe_cycles), 100001, "probe_cycles is 100001"},
        {AT(probe_cycles), 100000, NULL},
        {AT(max_outstanding), 0, "max_outstanding is 0"},
        {AT(max_outstanding), 65537, "max_outstanding is 65537"},
        {AT(max_outstanding), 65536, NULL},
        {AT(gen), MEM_GEN_COUNT, "unknown generation"},
        {AT(cus_per_group), 3, "groups of 3 CUs; 2 share a cache"},
    };
#undef AT

    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct hierarchy_config c = small_hierarchy(false, false);
        struct err e = {0};

        c.cus_per_l2_turn = 1;
        memcpy((char *)&c + t[k].at, &t[k].v, sizeof t[k].v);
        struct hierarchy *h = hierarchy_new(&c, &e);
        if (!h != !!t[k].word)
            fail_msg("%u as number %zu: %s", t[k].v, k, h ? "accepted" : e.text);
        if (t[k].word) {
            assert_int_equal(e.code, ERR_USAGE);
            if (!strstr(e.text, t[k].word))
                fail_msg("%s does not say %s", e.text, t[k].word);
        }
        hierarchy_free(h);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_take_turns),
        cmocka_unit_test(a_full_port_is_called),
        cmocka_unit_test(control_without_an_answer),
        cmocka_unit_test(translation_misses_cross),
        cmocka_unit_test(evictions_leave_others_alone),
        cmocka_unit_test(a_modified_line_wakes_who_waits_for_it),
        cmocka_unit_test(requests_in_flight),
        cmocka_unit_test(limits_of_configurations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
