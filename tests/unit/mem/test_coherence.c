/* Coherence in time between the L2s of two dies: who has a line, who has to give it up, and when. */
#include "mem/hierarchy/internal.h"
#include "tests/unit/mem/hierarchy_rig.h"

enum { PROBE = 70 };

/* CUs 0, 1 and 4 are on one die, 2 and 3 on the other. */
static struct hierarchy_config two_dies(void)
{
    struct hierarchy_config c = small_hierarchy(false, true);

    c.l2s = c.cus_per_l2_turn = 2;
    c.l2s_coherent = true;
    c.probe_cycles = PROBE;
    return c;
}

static cycle_t access_time(struct hierarchy *h, uint32_t cu, enum mem_op op, gaddr_t addr, cycle_t now)
{
    return load_time(h, cu, MEM_PORT_VECTOR, op, addr, now);
}

/* For both L2s together. */
static struct cache_stats l2_stats(const struct hierarchy *h)
{
    struct cache_stats s;

    assert_true(hierarchy_cache_stats(h, LEVEL_L2, &s));
    return s;
}

enum {
    L2_HIT = 8 + 100 + 4, /* of a store; a load has a second beat of 128 bytes */
    /* L2's line is two requests to MALL, the second a cycle after the first */
    MALL_HIT = 8 + 8 + 1 + 150 + 4 + 4,
    /* after a probe both go on together */
    TAKEN_CLEAN = 8 + 8 + PROBE + 150 + 4 + 4,
    TAKEN_DIRTY = TAKEN_CLEAN + 1, /* after what is written back, at each channel of MALL */
};

/* Accesses of one die to lines that no other has take as long as without coherence, and downgrade nothing. */
static void private_lines(void **state)
{
    cycle_t t[2][6];

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct hierarchy_config c = two_dies();
        struct hierarchy *h;

        c.l2s_coherent = k;
        h = make(&c);
        t[k][0] = access_time(h, 0, MEM_LOAD, 0x10000, 1000);
        t[k][1] = access_time(h, 0, MEM_STORE, 0x10000, 2000);
        t[k][2] = access_time(h, 1, MEM_ATOMIC, 0x10000, 3000);
        t[k][3] = access_time(h, 0, MEM_STORE, 0x20000, 4000);
        t[k][4] = access_time(h, 2, MEM_ATOMIC, 0x20100, 5000);
        t[k][5] = access_time(h, 2, MEM_LOAD, 0x30000, 6000);
        struct cache_stats s = l2_stats(h);
        assert_int_equal(s.upgrades, 0);
        assert_int_equal(s.downgrades, 0);
        hierarchy_free(h);
    }
    assert_memory_equal(t[0], t[1], sizeof t[0]);
    assert_int_equal(t[1][1], L2_HIT);
}

/* A line goes from die to die. Each CU's vL0 is dropped before it reads, as programs have to. */
static void lines_move(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h = make(&c);
    struct cache_stats s;
    bool dirty;

    (void)state;
    access_time(h, 0, MEM_STORE, 0x10000, 1000);
    access_time(h, 0, MEM_STORE, 0x10040, 2000);
    /* a read: changed on the other die, which writes back and keeps it */
    assert_int_equal(access_time(h, 2, MEM_LOAD, 0x10000, 3000), TAKEN_DIRTY + 1);
    s = l2_stats(h);
    assert_int_equal(s.downgrades, 1);
    assert_int_equal(s.dirty_downgrades, 1);
    assert_true(cache_probe(h->unit[h->far.first_l2].cache, 0x10000, &dirty));
    assert_false(dirty);
    /* both may read it; nobody is asked */
    hierarchy_invalidate(h, 0, 1u << LEVEL_VL0, 3900);
    hierarchy_invalidate(h, 3, 1u << LEVEL_VL0, 3900);
    assert_int_equal(access_time(h, 3, MEM_LOAD, 0x10000, 4000), L2_HIT + 1);
    assert_int_equal(l2_stats(h).downgrades, 1);
    /* a store waits for nobody; the other die drops its copy */
    assert_int_equal(access_time(h, 2, MEM_STORE, 0x10000, 5000), L2_HIT);
    s = l2_stats(h);
    assert_int_equal(s.downgrades, 2);
    assert_int_equal(s.dirty_downgrades, 1);
    assert_false(cache_probe(h->unit[h->far.first_l2].cache, 0x10000, NULL));
    /* so that its reads get what has been stored */
    hierarchy_invalidate(h, 1, 1u << LEVEL_VL0, 5900);
    assert_int_equal(access_time(h, 1, MEM_LOAD, 0x10000, 6000), TAKEN_DIRTY + 1);
    /* an atomic has the line to itself */
    assert_int_equal(access_time(h, 2, MEM_ATOMIC, 0x10000, 7000), TAKEN_CLEAN);
    s = l2_stats(h);
    assert_int_equal(s.upgrades, 1);
    assert_int_equal(s.downgrades, 4);
    assert_int_equal(s.dirty_downgrades, 2);
    assert_int_equal(access_time(h, 2, MEM_ATOMIC, 0x10000, 8000), L2_HIT);
    assert_int_equal(access_time(h, 0, MEM_ATOMIC, 0x10000, 9000), TAKEN_DIRTY);
    hierarchy_free(h);
}

/* Probes that take no time: what is written back goes ahead all the same, a cycle. */
static void probes_in_no_time(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h;
    cycle_t clean;

    (void)state;
    c.probe_cycles = 0;
    c.cache[LEVEL_MALL].line_bytes = c.cache[LEVEL_L2].line_bytes; /* a line is one request */
    h = make(&c);
    access_time(h, 0, MEM_LOAD, 0x20000, 1000);
    clean = access_time(h, 2, MEM_LOAD, 0x20000, 2000);
    access_time(h, 0, MEM_STORE, 0x10000, 3000);
    /* which takes MALL's tag stage two cycles, for 128 bytes */
    assert_int_equal(access_time(h, 2, MEM_LOAD, 0x10000, 4000), clean + 1 + 2);
    /* clean lines are dropped by the way */
    assert_int_equal(access_time(h, 0, MEM_ATOMIC, 0x20000, 5000), clean - 1);
    hierarchy_free(h);
}

/* Two dies change different bytes of a line: neither disturbs the other, and who reads it has both write back. */
static void bytes_of_one_line(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h;

    (void)state;
    c.cus = 6;
    c.l2s = 3; /* CUs 4 and 5 on the third */
    h = make(&c);
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(access_time(h, 0, MEM_STORE, 0x10000, 1000 + 1000 * k), L2_HIT);
        assert_int_equal(access_time(h, 2, MEM_STORE, 0x10040, 1500 + 1000 * k), L2_HIT);
    }
    assert_int_equal(l2_stats(h).downgrades, 0);
    /* each channel of MALL takes in two writes first */
    assert_int_equal(access_time(h, 4, MEM_LOAD, 0x10000, 5000), TAKEN_DIRTY + 1 + 1);
    assert_int_equal(l2_stats(h).dirty_downgrades, 2);
    hierarchy_free(h);
}

/* Alternating atomics of two dies move the line to and fro; those of one die hit. */
static void atomics_of_two_dies(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h = make(&c);

    (void)state;
    access_time(h, 0, MEM_ATOMIC, 0x10000, 1000);
    assert_int_equal(access_time(h, 1, MEM_ATOMIC, 0x10000, 2000), L2_HIT);
    for (unsigned k = 0; k < 6; k++)
        assert_int_equal(access_time(h, k & 1 ? 0 : 2, MEM_ATOMIC, 0x10000, 3000 + 1000 * k), TAKEN_DIRTY);
    assert_int_equal(l2_stats(h).dirty_downgrades, 6);
    hierarchy_free(h);
}

/* Cycles of accesses of 4 bytes at 0x10000 that CUs make in cycle 2000; ops[cu] MEM_OPS: none. */
static void all_at_once(struct hierarchy *h, const uint8_t ops[4], cycle_t at[4])
{
    uint64_t token;

    for (uint32_t cu = 0; cu < 4; cu++)
        if (ops[cu] != MEM_OPS)
            hierarchy_accept(h, cu, MEM_PORT_VECTOR, &(struct mem_req){.addr = 0x10000, .bytes = 4, .op = ops[cu]},
                             2000);
    for (cycle_t t = hierarchy_next(h); t != CYCLE_NEVER; t = hierarchy_next(h)) {
        hierarchy_tick(h, t);
        for (uint32_t cu = 0; cu < 4; cu++)
            if (hierarchy_pop(h, cu, MEM_PORT_VECTOR, &token))
                at[cu] = t - 2000;
    }
    assert_true(hierarchy_is_idle(h));
}

static void at_once(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h = make(&c);
    cycle_t at[4];

    (void)state;
    /* die 0 has the line exclusive already; the two atomics of die 1 share one fetch, whose probe writes it back */
    access_time(h, 4, MEM_LOAD, 0x10000, 1000);
    all_at_once(h, (const uint8_t[]){MEM_STORE, MEM_OPS, MEM_ATOMIC, MEM_ATOMIC}, at);
    assert_int_equal(at[0], L2_HIT);
    assert_int_equal(at[2], TAKEN_DIRTY);
    assert_int_equal(at[3], TAKEN_DIRTY + 1); /* data go up one after the other */
    hierarchy_free(h);

    /* both have it: one takes it; the other waits until the first has got it, and takes it from there */
    h = make(&c);
    access_time(h, 4, MEM_LOAD, 0x10000, 1000);
    access_time(h, 3, MEM_LOAD, 0x10000, 1500);
    all_at_once(h, (const uint8_t[]){MEM_ATOMIC, MEM_OPS, MEM_ATOMIC, MEM_OPS}, at);
    assert_int_equal(at[0], TAKEN_CLEAN);
    assert_int_equal(at[2], TAKEN_CLEAN + PROBE + 1 + 150);
    hierarchy_free(h);
}

static void system_scope_stores(void **state)
{
    struct hierarchy_config c = two_dies();
    struct hierarchy *h;

    (void)state;
    c.gen = MEM_GEN_GFX942;
    h = make(&c);
    access_time(h, 2, MEM_LOAD, 0x10000, 1000);
    struct mem_req q = {
        .addr = 0x10000, .token = 9, .bytes = 4, .op = MEM_STORE, .hint = {.scope = SCOPE_SYS, .temporal = TH_RT}};
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 2000);
    /* through L2, which keeps nothing of it; MALL acknowledges, after the other die has dropped the line */
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 9) - 2000, 8 + 8 + PROBE + 150 + 4 + 4);
    assert_false(cache_probe(h->unit[h->far.first_l2 + 1].cache, 0x10000, NULL));
    hierarchy_free(h);
}

/* Random traffic on few lines: what one L2 has changed, no other has as it was. */
static void changed_lines_are_in_one_place(void **state)
{
    struct hierarchy_config c = two_dies();
    static const uint8_t ops[] = {MEM_LOAD, MEM_LOAD, MEM_STORE, MEM_ATOMIC};
    struct hierarchy *h;
    struct rng r = {5};
    unsigned changed = 0, shared = 0;

    (void)state;
    c.gen = MEM_GEN_GFX942;
    h = make(&c);
    for (cycle_t t = 0; t < 200000; t++) {
        uint32_t cu = rnd(&r, 5);
        struct mem_req q = {.addr = 128 * rnd(&r, 24), .bytes = 4, .op = ops[rnd(&r, 4)], .hint.scope = SCOPE_DEV};
        uint64_t token;

        if (hierarchy_next(h) <= t)
            hierarchy_tick(h, t);
        for (uint32_t k = 0; k < 5; k++)
            while (hierarchy_pop(h, k, MEM_PORT_VECTOR, &token))
                ;
        if (!rnd(&r, 16) && hierarchy_can_accept(h, cu, MEM_PORT_VECTOR, q.addr))
            hierarchy_accept(h, cu, MEM_PORT_VECTOR, &q, t);
        for (gaddr_t line = 0; line < 24; line++) {
            const struct unit *l2 = &h->unit[h->far.first_l2];
            bool dirty[2] = {false, false};
            bool has[2] = {cache_probe(l2[0].cache, 128 * line, &dirty[0]),
                           cache_probe(l2[1].cache, 128 * line, &dirty[1])};

            if ((dirty[0] && has[1] && !dirty[1]) || (dirty[1] && has[0] && !dirty[0]))
                fail_msg("line %u in cycle %u", (unsigned)line, (unsigned)t);
            changed += dirty[0] || dirty[1];
            shared += has[0] && has[1];
        }
    }
    assert_true(changed && shared && l2_stats(h).upgrades > 100);
    hierarchy_free(h);
}

static void bad_configurations(void **state)
{
    struct hierarchy_config c = two_dies();
    struct err e = {0};

    (void)state;
    c.probe_cycles = 1000000;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "probe_cycles is 1000000"));
    err_clear(&e);
    c = two_dies();
    c.cache[LEVEL_L2].write = CACHE_WRITE_THROUGH;
    c.cache[LEVEL_L2].atomics = false;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "peers need a write-back cache"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_lines),       cmocka_unit_test(lines_move),
        cmocka_unit_test(probes_in_no_time),   cmocka_unit_test(bytes_of_one_line),
        cmocka_unit_test(atomics_of_two_dies), cmocka_unit_test(at_once),
        cmocka_unit_test(system_scope_stores), cmocka_unit_test(changed_lines_are_in_one_place),
        cmocka_unit_test(bad_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
