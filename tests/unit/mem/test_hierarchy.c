/* The composed hierarchy: exact cycles through the levels, and random traffic ticked every cycle against jumping. */
#include "tests/unit/mem/hierarchy_rig.h"

static void latencies_add_up(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, true);
    struct hierarchy *h = make(&c);

    (void)state;
    /* Down: 8 per level. L2's line of 128 is two requests to MALL, the second a cycle after the first; both reach one
     * DRAM channel, whose 25 bytes a cycle bring the first after 2.56 cycles and the second after 5.12, so 4 cycles
     * beyond the latency (the first is part of it) of a request accepted one cycle later. Up: 4 per level, and a
     * second beat of the 128 bytes on the paths of L2 and GL1. */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000),
                     4 * 8 + 1 + 200 + 4 + 4 + 4 + 1 + 4 + 1 + 4);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10004, 2000), 40);
    assert_int_equal(load_time(h, 1, MEM_PORT_VECTOR, MEM_LOAD, 0x10004, 3000), 8 + 60 + 1 + 4); /* 128 B: 2 beats */
    assert_int_equal(load_time(h, 4, MEM_PORT_VECTOR, MEM_LOAD, 0x10004, 4000), 8 + 8 + 100 + 1 + 4 + 1 + 4);
    assert_int_equal(load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x10040, 5000), 8 + 100 + 4);
    assert_int_equal(load_time(h, 1, MEM_PORT_SCALAR, MEM_SCALAR, 0x10040, 6000), 20);
    assert_int_equal(load_time(h, 2, MEM_PORT_SCALAR, MEM_SCALAR, 0x10040, 7000), 8 + 100 + 4);
    assert_int_equal(load_time(h, 3, MEM_PORT_INST, MEM_FETCH, 0x10000, 8000), 8 + 100 + 4);
    struct cache_stats s;
    assert_true(hierarchy_cache_stats(h, LEVEL_VL0, &s));
    assert_int_equal(s.op[MEM_LOAD].accesses, 4);
    assert_int_equal(s.op[MEM_LOAD].hits, 1);
    assert_int_equal(hierarchy_dram_stats(h)->read_bytes, 128);
    hierarchy_invalidate(h, 0, 1u << LEVEL_VL0, 8500);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10004, 9000), 8 + 60 + 1 + 4);
    hierarchy_free(h);

    c = small_hierarchy(false, false);
    h = make(&c);
    /* L2's 128 bytes at 25 a cycle from one channel: 5.12 cycles, so 5 beyond the latency */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0, 0), 8 + 8 + 200 + 5 + 4 + 1 + 4);
    assert_false(hierarchy_cache_stats(h, LEVEL_MALL, &s));
    hierarchy_free(h);
}

/* Scalar and instruction caches in front of GL1 get there what another cache of the array has brought, and bring lines
 * of GL1; without a GL1 they are in front of L2. */
static void gl1_serves_all(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, false);
    struct hierarchy *h;
    struct cache_stats s;

    (void)state;
    c.k_through_gl1 = c.i_through_gl1 = true;
    h = make(&c);
    load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000);
    assert_int_equal(load_time(h, 1, MEM_PORT_SCALAR, MEM_SCALAR, 0x10000, 2000), 8 + 60 + 4);
    assert_int_equal(load_time(h, 1, MEM_PORT_SCALAR, MEM_SCALAR, 0x10000, 3000), 20);
    assert_int_equal(load_time(h, 2, MEM_PORT_INST, MEM_FETCH, 0x10040, 4000), 8 + 60 + 4);
    /* CU 4 is of another array: L2, whose 128 bytes take two beats, and 64 of them go up from GL1 */
    assert_int_equal(load_time(h, 4, MEM_PORT_INST, MEM_FETCH, 0x10040, 5000), 8 + 8 + 100 + 1 + 4 + 4);
    assert_int_equal(load_time(h, 3, MEM_PORT_SCALAR, MEM_SCALAR, 0x10000, 6000), 8 + 60 + 4);
    assert_true(hierarchy_cache_stats(h, LEVEL_GL1, &s));
    assert_int_equal(s.op[MEM_SCALAR].hits, 2);
    assert_int_equal(s.op[MEM_FETCH].hits, 1);
    assert_int_equal(s.op[MEM_FETCH].misses, 1);
    assert_int_equal(s.op[MEM_LOAD].misses, 1);
    /* reported after the way through K$ to GL1 and back; then GL1 has to fetch again */
    hierarchy_control(h, 0, MEM_PORT_SCALAR, 1u << LEVEL_GL1, 0, 10, 7000);
    assert_int_equal(back_at(h, MEM_PORT_SCALAR, 10), 7000 + 20 + 60);
    assert_int_equal(load_time(h, 0, MEM_PORT_INST, MEM_FETCH, 0x10000, 8000), 8 + 8 + 100 + 1 + 4 + 4);
    hierarchy_free(h);
    c.present[LEVEL_GL1] = false;
    h = make(&c);
    load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000);
    assert_int_equal(load_time(h, 1, MEM_PORT_SCALAR, MEM_SCALAR, 0x10000, 2000), 8 + 100 + 4);
    hierarchy_free(h);
}

/* What was in MALL before the start takes as long as what another die has brought there, and touches no DRAM; the byte
 * after it is not there. */
static void preloaded(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, true);
    struct hierarchy *h;

    (void)state;
    c.l2s = c.cus_per_l2_turn = 2;
    h = make(&c);
    hierarchy_preload(h, LEVEL_MALL, 0x10010, 0x70);
    hierarchy_preload(h, LEVEL_GL1, 0x20000, 0x80); /* there is none */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000), 8 + 8 + 1 + 150 + 4 + 1 + 4);
    assert_int_equal(hierarchy_dram_stats(h)->read_bytes, 0);
    assert_true(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10080, 2000) > 8 + 8 + 1 + 150 + 4 + 1 + 4);
    assert_int_equal(hierarchy_dram_stats(h)->read_bytes, 128);
    hierarchy_free(h);
}

/* CUs 0, 1 and 4 are on one die, 2 and 3 on the other: each has an L2, and both share MALL. */
static void several_dies(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, true);
    struct hierarchy *h;
    struct cache_stats s;
    cycle_t cold, same_die, other_die;

    (void)state;
    c.l2s = c.cus_per_l2_turn = 2;
    h = make(&c);
    cold = load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000);
    same_die = load_time(h, 4, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 2000);
    other_die = load_time(h, 2, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 3000);
    assert_int_equal(same_die, 8 + 100 + 1 + 4);
    /* L2's line of 128 is two requests to MALL, the second a cycle after the first */
    assert_int_equal(other_die, 8 + 8 + 1 + 150 + 4 + 1 + 4);
    assert_true(cold > other_die);
    assert_int_equal(load_time(h, 3, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 4000), same_die);
    assert_int_equal(load_time(h, 3, MEM_PORT_SCALAR, MEM_SCALAR, 0x10000, 5000), 8 + 100 + 4);
    assert_true(hierarchy_cache_stats(h, LEVEL_L2, &s));
    assert_int_equal(s.op[MEM_LOAD].misses, 2);
    assert_int_equal(s.op[MEM_LOAD].hits, 2);
    assert_int_equal(hierarchy_dram_stats(h)->read_bytes, 128);
    /* what is dropped on one die stays on the other */
    hierarchy_invalidate(h, 0, 1u << LEVEL_L2 | 1u << LEVEL_VL0, 5500);
    hierarchy_invalidate(h, 2, 1u << LEVEL_VL0, 5500);
    assert_int_equal(load_time(h, 2, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 6000), same_die);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 7000), other_die);
    hierarchy_free(h);
}

struct trace {
    uint64_t hash;
    uint64_t completions;
    cycle_t end;
    struct cache_stats stats[LEVEL_COUNT];
    struct dram_stats dram;
    uint64_t link_bytes;
};

static void note(struct trace *t, uint64_t v)
{
    t->hash = (t->hash ^ v) * UINT64_C(0x100000001b3);
}

#define OFFERS 6000

/* The next thing the traffic does, at a cycle decided beforehand: the same in both kinds of run. */
struct offer {
    cycle_t at;
    uint32_t cu;
    enum mem_port_kind port;
    struct mem_req req;
    uint32_t control; /* 1: invalidate, 2: write back */
};

static void make_offers(struct offer *o, uint64_t seed)
{
    struct rng r = {seed};
    cycle_t at = 0;

    for (unsigned i = 0; i < OFFERS; i++) {
        /* bursts, and now and then a pause long enough to drain */
        at += rnd(&r, 200) == 0 ? rnd(&r, 3000) : rnd(&r, 4) ? 0 : rnd(&r, 8);
        uint32_t kind = rnd(&r, 10);
        o[i] = (struct offer){.at = at, .cu = rnd(&r, 5)};
        o[i].port = kind < 7 ? MEM_PORT_VECTOR : kind < 9 ? MEM_PORT_SCALAR : MEM_PORT_INST;
        o[i].req.addr = 64 * rnd(&r, rnd(&r, 2) ? 64 : 2048);
        o[i].req.bytes = 4u << rnd(&r, 5);
        o[i].req.token = rnd(&r, 50) ? i : MEM_TOKEN_NONE;
        o[i].req.hint =
            (struct mem_hint){(uint8_t)(rnd(&r, 3) ? 0 : rnd(&r, 4)), (uint8_t)(rnd(&r, 3) ? 0 : rnd(&r, 8))};
        static const uint8_t vector_ops[] = {MEM_LOAD, MEM_LOAD, MEM_STORE, MEM_ATOMIC};
        o[i].req.op = o[i].port == MEM_PORT_VECTOR   ? vector_ops[rnd(&r, 4)]
                      : o[i].port == MEM_PORT_SCALAR ? MEM_SCALAR
                                                     : MEM_FETCH;
        o[i].control = rnd(&r, 300) == 0 ? 1 + rnd(&r, 2) : 0;
    }
}

static bool apply(struct hierarchy *h, const struct offer *o, cycle_t now)
{
    if (o->control) {
        if (!hierarchy_can_control(h, o->cu))
            return false;
        hierarchy_control(h, o->cu, o->port, o->control == 1 ? 1u << LEVEL_VL0 | 1u << LEVEL_K | 1u << LEVEL_GL1 : 0,
                          o->control == 2 ? 1u << LEVEL_L2 : 0, o->req.token, now);
        return true;
    }
    if (!hierarchy_can_accept(h, o->cu, o->port, o->req.addr))
        return false;
    hierarchy_accept(h, o->cu, o->port, &o->req, now);
    return true;
}

static void play(const struct hierarchy_config *cfg, const struct offer *o, bool every_cycle, struct trace *t)
{
    struct hierarchy_config c = *cfg;
    struct hierarchy *h;
    unsigned next = 0;
    cycle_t now = 0;

    c.check_every_cycle = every_cycle;
    h = make(&c);
    memset(t, 0, sizeof *t);
    while (next < OFFERS || !hierarchy_is_idle(h)) {
        uint64_t token;
        hierarchy_tick(h, now);
        for (uint32_t cu = 0; cu < c.cus; cu++)
            for (int p = 0; p < MEM_PORTS; p++) {
                bool ready = hierarchy_ready_mask(h, (enum mem_port_kind)p, 0) >> cu & 1;
                while (hierarchy_pop(h, cu, (enum mem_port_kind)p, &token)) {
                    assert_true(ready);
                    note(t, now);
                    note(t, token * 64 + cu * 4 + (unsigned)p);
                    t->completions++;
                }
            }
        while (next < OFFERS && o[next].at <= now && apply(h, &o[next], now))
            next++;
        t->end = now;
        assert_true(now < 5000000); /* a deadlock would run on for ever */
        cycle_t to = hierarchy_next(h);
        if (next < OFFERS && o[next].at > now && o[next].at < to)
            to = o[next].at;
        /* a request that could not be accepted is tried again whenever the hierarchy did something */
        if (every_cycle)
            to = now + 1;
        if (to == CYCLE_NEVER)
            break;
        now = to;
    }
    assert_int_equal(next, OFFERS);
    assert_true(hierarchy_is_idle(h));
    for (int l = 0; l < LEVEL_COUNT; l++)
        hierarchy_cache_stats(h, (enum cache_level)l, &t->stats[l]);
    t->dram = *hierarchy_dram_stats(h);
    for (uint32_t k = 0; hierarchy_fabric(h) && k < hierarchy_fabric(h)->links; k++)
        t->link_bytes += hierarchy_fabric(h)->link[k].bytes;
    hierarchy_free(h);
}

static void ticking_equals_jumping(void **state)
{
    struct offer *o = malloc(OFFERS * sizeof *o);
    struct trace a, b, other;

    (void)state;
    assert_non_null(o);
    for (uint64_t seed = 1; seed <= 15; seed++) {
        struct hierarchy_config c = small_hierarchy(seed & 1, seed & 2);
        uint64_t expected = 0;
        if (seed > 9) {
            c.cache[LEVEL_VL0].line_bytes = 64;
            c.cache[LEVEL_VL0].request_bytes = 128;
            c.cache[LEVEL_VL0].line_cycles = 2;
        }
        c.l2s_coherent = seed > 3;
        c.probe_cycles = 70;
        c.k_through_gl1 = seed > 4;
        c.i_through_gl1 = seed > 8;
        if (seed & 4) {
            c.cache[LEVEL_L2].mshrs = 2;
            c.cache[LEVEL_L2].input_queue = 1;
            c.cache[LEVEL_L2].output_queue = 2;
            c.cache[LEVEL_L2].fetch_on_write_miss = true;
            c.cache[LEVEL_VL0].pass_slots = 1;
            c.cache[LEVEL_VL0].bytes_per_cycle = 16;
            c.cache[LEVEL_VL0].write_allocate = true;
            c.cache[LEVEL_VL0].lookups_per_cycle = 4;
            c.dram.max_in_flight = 1;
        }
        if (seed % 4 == 1)
            c.tlb = (struct tlb_config){.page_bytes = 4096,
                                        .entries = 3,
                                        .miss_cycles = 50,
                                        .utcl2_entries = seed & 8 ? 16 : 0,
                                        .utcl2_ways = 16,
                                        .walk_levels = 2,
                                        .read_cycles = 333,
                                        .walkers = 1};
        if (seed % 3 == 0)
            c.l2s = c.cus_per_l2_turn = 2;
        c.fabric = fabric_for(seed);
        make_offers(o, seed);
        for (unsigned i = 0; i < OFFERS; i++)
            expected += o[i].req.token != MEM_TOKEN_NONE;
        play(&c, o, true, &a);
        play(&c, o, false, &b);
        assert_int_equal(a.completions, expected);
        assert_int_equal(b.completions, expected);
        assert_true(a.hash == b.hash);
        assert_int_equal(a.end, b.end);
        assert_memory_equal(a.stats, b.stats, sizeof a.stats);
        assert_memory_equal(&a.dram, &b.dram, sizeof a.dram);
        assert_int_equal(a.link_bytes, b.link_bytes);
        assert_true(!a.link_bytes == (c.fabric.columns < 2 && c.fabric.rows < 2));
        /* the hash does tell runs apart, and the traffic reaches every mechanism */
        c.dram.latency_cycles++;
        play(&c, o, false, &other);
        assert_true(other.hash != a.hash);
        const struct cache_stats *l2 = &a.stats[LEVEL_L2];
        assert_true(l2->writebacks && l2->evictions && l2->op[MEM_LOAD].mshr_merges && l2->op[MEM_ATOMIC].hits);
        assert_true(a.stats[LEVEL_VL0].op[MEM_LOAD].bypasses && a.stats[LEVEL_VL0].mshr_full_stall_cycles);
        for (int op = 0; op < MEM_OPS; op++) {
            const struct cache_op_stats *s = &l2->op[op];
            assert_int_equal(s->accesses, s->hits + s->misses);
            assert_true(s->mshr_merges + s->bypasses <= s->misses);
        }
    }
    free(o);
}

/* Invalidations act at once and are reported after the way to the level and back. */
static void invalidations(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, false);
    struct hierarchy *h = make(&c);

    (void)state;
    load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 1000);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 2000), 40);
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 1u << LEVEL_VL0, 0, 7, 3000);
    assert_false(hierarchy_is_idle(h));
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 7), 3000 + 40);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 4000), 8 + 60 + 1 + 4);
    /* the scalar cache and GL1 are others' business */
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 1u << LEVEL_VL0 | 1u << LEVEL_GL1, 0, 8, 5000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 8), 5000 + 40 + 60);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0x10000, 6000), 8 + 8 + 100 + 1 + 4 + 1 + 4);
    load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x20000, 7000);
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 1u << LEVEL_VL0, 0, 9, 8000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 9), 8040);
    assert_int_equal(load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x20000, 9000), 20);
    hierarchy_control(h, 0, MEM_PORT_SCALAR, 1u << LEVEL_K, 0, 10, 10000);
    assert_int_equal(back_at(h, MEM_PORT_SCALAR, 10), 10020);
    assert_int_equal(load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x20000, 11000), 8 + 100 + 1 + 4 - 1);
    hierarchy_free(h);
}

/* A write-back completes when the last dirty line has left L2, and the hit latency later. */
static void write_backs(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h = make(&c);
    struct mem_req q = {.bytes = 64, .op = MEM_STORE};

    (void)state;
    /* with nothing dirty: sent a cycle later, answered in the next and known in the one after */
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 1, 1000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 1), 1000 + 3 + 40 + 100);
    /* four dirty lines of one channel: one each cycle, from the cycle after next */
    for (unsigned k = 0; k < 4; k++) {
        q.addr = 0x30000 + (k & 1) * 128 + (k >> 1) * 3 * 256;
        q.token = 100 + k;
        hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 2000 + k);
        back_at(h, MEM_PORT_VECTOR, q.token);
    }
    uint64_t before = hierarchy_dram_stats(h)->write_bytes;
    cycle_t t = 10000;
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 2, t);
    /* sent at 1, dirty lines go at 2 to 5, there is none at 6, known at 7 */
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 2) - t, 7 + 40 + 100);
    while (hierarchy_next(h) != CYCLE_NEVER)
        hierarchy_tick(h, hierarchy_next(h));
    assert_int_equal(hierarchy_dram_stats(h)->write_bytes - before, 4 * 128);
    /* clean now */
    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 3, 20000);
    assert_int_equal(back_at(h, MEM_PORT_VECTOR, 3), 20000 + 3 + 40 + 100);
    hierarchy_free(h);
}

/* Looking for what is dirty takes its time though nothing is; those who ask meanwhile share the next time. */
static void write_backs_take_turns(void **state)
{
    (void)state;
    for (unsigned every_cycle = 0; every_cycle < 2; every_cycle++) {
        struct hierarchy_config c = small_hierarchy(false, false);
        cycle_t back[3] = {0};
        struct hierarchy *h;

        c.write_back_cycles = 500;
        c.check_every_cycle = every_cycle;
        h = make(&c);
        for (cycle_t t = 0; !back[0] || !back[1] || !back[2]; t++) {
            assert_true(t < 2000);
            hierarchy_tick(h, t);
            for (uint32_t cu = 0; cu < 3; cu++) {
                uint64_t token;

                if (t == cu * 100)
                    hierarchy_control(h, cu, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, cu, t);
                if (hierarchy_pop(h, cu, MEM_PORT_VECTOR, &token))
                    back[cu] = t;
            }
        }
        assert_int_equal(back[0], 502 + 40 + 100);
        assert_int_equal(back[1], 1002 + 40 + 100);
        assert_int_equal(back[2], back[1]);
        hierarchy_free(h);
    }
}

/* A write-back needs no entry of the channel it is sent to: requests that wait for one do not delay it, in whatever
 * order the links are served. */
static void write_back_beside_a_full_channel(void **state)
{
    (void)state;
    for (unsigned every_cycle = 0; every_cycle < 2; every_cycle++)
        for (cycle_t at = 40; at < 60; at++) {
            struct hierarchy_config c = small_hierarchy(false, false);
            struct hierarchy *h;
            uint64_t token;
            cycle_t t = 0;

            c.cache[LEVEL_L2].mshrs = c.cache[LEVEL_L2].input_queue = 1;
            c.check_every_cycle = every_cycle;
            h = make(&c);
            /* lines of one channel, which has one entry and fetches a line in 200 cycles */
            for (uint32_t cu = 1; cu < 5; cu++)
                for (unsigned k = 0; k < 2; k++)
                    hierarchy_accept(h, cu, MEM_PORT_VECTOR,
                                     &(struct mem_req){.addr = (cu * 2 + k) * 768, .token = k, .bytes = 4}, 0);
            for (; !hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token); t++) {
                assert_true(t < 1000);
                hierarchy_tick(h, t);
                if (t == at)
                    hierarchy_control(h, 0, MEM_PORT_VECTOR, 0, 1u << LEVEL_L2, 7, t);
            }
            /* as without the others: popped in the cycle after that of its completion */
            assert_int_equal(t - 1, at + 3 + 40 + 100);
            assert_int_equal(token, 7);
            hierarchy_free(h);
        }
}

/* A UTCL1 miss costs the way to the UTCL2 once, also for lines that vL0 has: it is translated first. Misses overlap. */
static void translation(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h;
    struct mem_req q = {.bytes = 4, .op = MEM_LOAD};
    cycle_t cold = 8 + 8 + 200 + 5 + 4 + 1 + 4, l2 = 8 + 100 + 1 + 4;

    (void)state;
    c.tlb = (struct tlb_config){.page_bytes = 4096, .entries = 2, .miss_cycles = 84};
    h = make(&c);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 0, 0), cold + 84);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 1024, 1000), cold); /* same page, another line */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 1024, 2000), 40);
    assert_int_equal(load_time(h, 1, MEM_PORT_VECTOR, MEM_LOAD, 1024, 3000), l2 + 84); /* another CU's is its own */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 4096, 4000), cold + 84);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 512, 5000), cold); /* both are there */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 8192, 6000), cold + 84);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 2048, 7000), cold);            /* page 0 was younger */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 4096 + 512, 8000), cold + 84); /* than page 1 */
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, 8192, 9000), 40 + 84); /* page 2 has left since */
    struct tlb_stats s = hierarchy_tlb_stats(h);
    assert_int_equal(s.lookups, 10);
    assert_int_equal(s.misses, 6);
    /* two misses sent in consecutive cycles are a cycle apart, not 84 */
    q.addr = 0x40000;
    q.token = 1;
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 10000);
    q.addr = 0x50000;
    q.token = 2;
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 10000);
    cycle_t first = back_at(h, MEM_PORT_VECTOR, 1), second = back_at(h, MEM_PORT_VECTOR, 2);
    assert_int_equal(first, 10000 + cold + 84);
    assert_true(second - first < 10);
    hierarchy_free(h);
}

static void bad_configurations(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, true);
    struct err e = {0};

    (void)state;
    c.present[LEVEL_L2] = false;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "level l2 is required"));
    err_clear(&e);
    c = small_hierarchy(true, true);
    c.cus = 0;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "cus is 0"));
    err_clear(&e);
    c = small_hierarchy(true, true);
    c.cus_per_gl1 = 0;
    assert_null(hierarchy_new(&c, &e));
    err_clear(&e);
    c = small_hierarchy(true, true);
    c.l2s = 2;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "2 L2s in turns of 0 CUs"));
    err_clear(&e);
    c = small_hierarchy(true, true);
    c.cache[LEVEL_MALL].ways = 0;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "cache mall: ways is 0"));
    err_clear(&e);
    c = small_hierarchy(true, true);
    c.dram.channels = 0;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "dram: channels"));
    hierarchy_free(NULL);
}

static void outstanding_is_limited(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h;
    struct mem_req q = {.bytes = 4, .op = MEM_LOAD};
    uint64_t token;

    (void)state;
    c.max_outstanding = 2;
    h = make(&c);
    for (q.token = 0; q.token < 2; q.token++) {
        assert_true(hierarchy_can_accept(h, 0, MEM_PORT_VECTOR, 0));
        hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 0);
    }
    assert_false(hierarchy_can_accept(h, 0, MEM_PORT_VECTOR, 0));
    assert_true(hierarchy_can_accept(h, 1, MEM_PORT_VECTOR, 0));
    while (hierarchy_next(h) != CYCLE_NEVER)
        hierarchy_tick(h, hierarchy_next(h));
    assert_false(hierarchy_can_accept(h, 0, MEM_PORT_VECTOR, 0));
    assert_int_equal(hierarchy_ready_mask(h, MEM_PORT_VECTOR, 0), 1);
    assert_true(hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token));
    assert_true(hierarchy_can_accept(h, 0, MEM_PORT_VECTOR, 0));
    assert_true(hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token));
    assert_false(hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token));
    assert_int_equal(hierarchy_ready_mask(h, MEM_PORT_VECTOR, 0), 0);
    hierarchy_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_add_up),
        cmocka_unit_test(gl1_serves_all),
        cmocka_unit_test(preloaded),
        cmocka_unit_test(several_dies),
        cmocka_unit_test(ticking_equals_jumping),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(outstanding_is_limited),
        cmocka_unit_test(invalidations),
        cmocka_unit_test(write_backs),
        cmocka_unit_test(write_backs_take_turns),
        cmocka_unit_test(write_back_beside_a_full_channel),
        cmocka_unit_test(translation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
