/* Instruction fetches that hit and whose cycle is known at once: the same cycles and the same counts as those
 * of the ordinary way, whatever else the cache has to do. */
#include "tests/unit/mem/hierarchy_rig.h"

enum { CUS = 4, FETCHES = 6000, LINK = 23, SEEDS = 64 };

struct fetch {
    cycle_t at, done; /* not before; when its data came */
    gaddr_t addr;
    bool prefetch;
};

/* A CU asks for one after the other, in each cycle for one. */
struct client {
    struct fetch fetch[FETCHES];
    unsigned next;
    cycle_t asks;
};

struct play {
    struct client client[CUS];
    uint64_t straight,
        counts; /* fetches whose cycle was known at once; a hash of what was counted by the ends of epochs */
};

static struct hierarchy_config config(uint64_t seed)
{
    static const uint32_t latency[] = {10, 24, 52}; /* a miss takes 58 at least */
    struct hierarchy_config c = small_hierarchy(seed & 1, false);

    c.cus = c.cus_per_i = c.cus_per_k = c.cus_per_gl1 = c.cus_per_group = CUS;
    c.i_through_gl1 = seed & 1;
    c.link_cycles = LINK;
    c.max_outstanding = 4096;
    c.cache[LEVEL_I] = level(4096, 64, 4, seed & 2 ? 4 : 1, latency[seed % 3]);
    c.cache[LEVEL_I].mshr_targets = 4096;
    c.cache[LEVEL_I].lookups_per_cycle = seed & 4 ? 2 : 1;
    c.cache[LEVEL_I].bytes_per_cycle = seed & 8 ? 64 : seed & 1 ? 20 : 16;
    c.cache[LEVEL_I].input_queue = seed & 8 ? 16 : 5;
    return c;
}

/* Loops of some lines, longer ones than the cache has now and then, with pauses; every second seed changes seldom. */
static void make_fetches(struct play *p, uint64_t seed)
{
    struct rng r = {seed};
    uint32_t change = seed & 1 ? 4000 : 300, prefetch = seed & 1 ? 1000 : 50, pause = 1 + seed % 5 * 4;

    memset(p, 0, sizeof *p);
    for (unsigned c = 0; c < CUS; c++) {
        cycle_t at = 0;
        gaddr_t begin = 0, lines = 4;

        for (unsigned k = 0; k < FETCHES; k++) {
            struct fetch *f = &p->client[c].fetch[k];

            if (!rnd(&r, change)) {
                begin = rnd(&r, 64);
                lines = rnd(&r, 8) ? 1 + rnd(&r, 6) : 40 + rnd(&r, 80);
            }
            at += rnd(&r, 200) ? rnd(&r, pause) : rnd(&r, 400);
            f->at = at;
            f->addr = 64 * (begin + k / 2 % lines) + k % 2 * 32;
            f->prefetch = !rnd(&r, prefetch);
        }
    }
}

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    struct play *p = ctx;

    assert_int_equal(port, MEM_PORT_INST);
    assert_int_equal(p->client[cu].fetch[token].done, 0);
    p->client[cu].fetch[token].done = now;
}

static void retry(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    (void)ctx, (void)cu, (void)port, (void)now;
}

static void ask(struct hierarchy *h, struct play *p, uint32_t cu, bool straight, cycle_t now)
{
    struct client *c = &p->client[cu];
    struct fetch *f = &c->fetch[c->next];
    struct mem_req req = {.addr = f->addr, .bytes = 32, .op = MEM_FETCH};
    bool full = false;
    cycle_t at;

    if (c->next == FETCHES || f->at > now || c->asks > now)
        return;
    req.token = f->prefetch ? MEM_TOKEN_NONE : c->next;
    at = straight ? hierarchy_fetch(h, cu, &req, now, &full) : CYCLE_NEVER;
    if (full) {
        assert_true(at > now);
        c->asks = at;
        return;
    }
    if (at != CYCLE_NEVER) {
        assert_true(at > now && at - now <= HIERARCHY_STRAIGHT_CYCLES);
        f->done = at;
        p->straight++;
    } else if (hierarchy_can_accept(h, cu, MEM_PORT_INST, req.addr)) {
        hierarchy_accept(h, cu, MEM_PORT_INST, &req, now);
    } else {
        return;
    }
    c->next++;
}

static bool finished(const struct play *p)
{
    for (unsigned c = 0; c < CUS; c++)
        if (p->client[c].next < FETCHES)
            return false;
    return true;
}

static void count(const struct hierarchy *h, struct play *p)
{
    uint64_t word[sizeof(struct cache_stats) / sizeof(uint64_t)];
    struct cache_stats s;

    assert_true(hierarchy_cache_stats(h, LEVEL_I, &s));
    memcpy(word, &s, sizeof s);
    for (size_t k = 0; k < sizeof word / sizeof word[0]; k++)
        p->counts = (p->counts ^ word[k]) * UINT64_C(0x100000001b3);
}

/* Returns the last cycle in which something is on its way. */
static cycle_t play(const struct hierarchy_config *c, struct play *p, bool straight)
{
    struct hierarchy *h = make(c);
    struct hierarchy_sink sink = {p, complete, retry, NULL};
    cycle_t t = 0, last;

    hierarchy_set_sink(h, &sink);
    hierarchy_use_cus(h, CUS);
    for (; !finished(p); t += LINK) {
        assert_true(t < 2000000);
        for (cycle_t now = t; now < t + LINK; now++) {
            if (hierarchy_near_next(h, 0) <= now)
                hierarchy_near_tick(h, 0, now);
            for (uint32_t cu = 0; cu < CUS; cu++)
                ask(h, p, (cu + (uint32_t)now) % CUS, straight, now);
        }
        hierarchy_near_done(h, HIERARCHY_ALL, t + LINK);
        hierarchy_far_run(h, t, t + LINK);
        count(h, p);
    }
    last = hierarchy_drain(h, t, t);
    hierarchy_near_done(h, HIERARCHY_ALL, CYCLE_NEVER);
    count(h, p);
    hierarchy_free(h);
    return last;
}

static void test_same(void **state)
{
    struct play *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    uint64_t straight = 0;

    (void)state;
    assert_true(a && b);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct hierarchy_config c = config(seed / 2);

        make_fetches(a, seed + 1);
        *b = *a;
        cycle_t last = play(&c, a, false);
        assert_int_equal(play(&c, b, true), last);
        straight += b->straight;
        for (unsigned cu = 0; cu < CUS; cu++)
            for (unsigned k = 0; k < FETCHES; k++)
                if (a->client[cu].fetch[k].done != b->client[cu].fetch[k].done)
                    fail_msg("seed %llu, CU %u, fetch %u: cycle %llu, known as %llu", (unsigned long long)seed, cu, k,
                             (unsigned long long)a->client[cu].fetch[k].done,
                             (unsigned long long)b->client[cu].fetch[k].done);
        assert_int_equal(a->counts, b->counts);
    }
    /* many are known at once, and by no means all */
    assert_in_range(straight, (uint64_t)SEEDS * CUS * FETCHES / 4, (uint64_t)SEEDS * CUS * FETCHES * 3 / 4);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
