/* Groups of the hierarchy run for an epoch each, then the far side, or the far side beside them: the same result as
 * both cycle by cycle. */
#include "tests/unit/mem/hierarchy_rig.h"

enum { CUS = 14, PER_GROUP = 4, LINK = 23, OFFERS = 9000, GROUPS = (CUS + PER_GROUP - 1) / PER_GROUP };

static struct hierarchy_config config(uint64_t seed)
{
    struct hierarchy_config c = small_hierarchy(seed & 1, seed & 2);

    c.gen = MEM_GEN_GFX942;
    c.cus = CUS;
    c.k_through_gl1 = c.i_through_gl1 = seed > 4;
    c.cus_per_i = c.cus_per_gl1 = c.cus_per_group = PER_GROUP;
    c.link_cycles = LINK;
    if (seed & 4)
        c.l2s = c.cus_per_l2_turn = 4;
    c.l2s_coherent = true;
    c.probe_cycles = 60;
    c.fabric = fabric_for(seed > 2 ? seed : 0);
    if (seed % 3 == 2)
        c.tlb = (struct tlb_config){.page_bytes = 4096,
                                    .entries = 3,
                                    .miss_cycles = 50,
                                    .utcl2_entries = 16,
                                    .utcl2_ways = 16,
                                    .walk_levels = 2,
                                    .read_cycles = 77,
                                    .walkers = 1};
    return c;
}

/* Each group has a list of its own, taken in order. */
struct offer {
    cycle_t at;
    uint32_t cu;
    enum mem_port_kind port;
    struct mem_req req;
};

struct side {
    struct offer offer[OFFERS / GROUPS];
    unsigned next;
    uint64_t hash, completions, refusals;
    cycle_t last;
};

static void make_offers(struct side *side, uint64_t seed)
{
    static const uint8_t vector_ops[] = {MEM_LOAD, MEM_LOAD, MEM_STORE, MEM_ATOMIC};
    struct rng r = {seed};

    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t cus = CUS - g * PER_GROUP < PER_GROUP ? CUS - g * PER_GROUP : PER_GROUP;
        cycle_t at = 0;

        memset(&side[g], 0, sizeof side[g]);
        for (unsigned i = 0; i < OFFERS / GROUPS; i++) {
            struct offer *o = &side[g].offer[i];
            uint32_t kind = rnd(&r, 10);

            at += rnd(&r, 300) == 0 ? rnd(&r, 3000) : rnd(&r, 4) ? 0 : rnd(&r, 8);
            o->at = at;
            o->cu = g * PER_GROUP + rnd(&r, cus);
            o->port = kind < 7 ? MEM_PORT_VECTOR : kind < 9 ? MEM_PORT_SCALAR : MEM_PORT_INST;
            o->req.addr = 64 * rnd(&r, rnd(&r, 2) ? 64 : 2048);
            o->req.bytes = 4u << rnd(&r, 5);
            o->req.token = rnd(&r, 20) ? i : MEM_TOKEN_NONE;
            o->req.op = o->port == MEM_PORT_VECTOR   ? vector_ops[rnd(&r, 4)]
                        : o->port == MEM_PORT_SCALAR ? MEM_SCALAR
                                                     : MEM_FETCH;
        }
    }
}

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    struct side *s = &((struct side *)ctx)[cu / PER_GROUP];

    s->hash = (s->hash ^ (now * 4096 + cu * 64 + port)) * UINT64_C(0x100000001b3) + token;
    s->completions++;
    s->last = now;
}

static void retry(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    (void)ctx, (void)cu, (void)port, (void)now;
}

/* A group's cycle after its near side has been ticked. */
static void offer(struct hierarchy *h, struct side *s, cycle_t now)
{
    for (; s->next < OFFERS / GROUPS && s->offer[s->next].at <= now; s->next++) {
        const struct offer *o = &s->offer[s->next];

        if (!hierarchy_can_accept(h, o->cu, o->port, o->req.addr)) {
            s->refusals++;
            return;
        }
        hierarchy_accept(h, o->cu, o->port, &o->req, now);
    }
}

static bool finished(const struct hierarchy *h, const struct side *s)
{
    for (uint32_t g = 0; g < GROUPS; g++)
        if (s[g].next < OFFERS / GROUPS)
            return false;
    return hierarchy_is_idle(h);
}

static void near_cycles(struct hierarchy *h, struct side *s, uint32_t g, cycle_t from, cycle_t end)
{
    for (cycle_t now = from; now < end; now++) {
        if (hierarchy_near_next(h, g) <= now)
            hierarchy_near_tick(h, g, now);
        offer(h, &s[g], now);
    }
}

/* epoch 0: all of it in each cycle. */
static void play(const struct hierarchy_config *c, struct side *s, cycle_t epoch, struct cache_stats *stats)
{
    struct err e = {0};
    struct hierarchy *h = hierarchy_new(c, &e);
    struct hierarchy_sink sink = {s, complete, retry, NULL};

    if (!h)
        fail_msg("%s", e.text);
    assert_int_equal(hierarchy_groups(h), GROUPS);
    hierarchy_set_sink(h, &sink);
    for (cycle_t t = 0; !finished(h, s); t += epoch ? epoch : 1) {
        assert_true(t < 2000000);
        if (!epoch) {
            if (hierarchy_next(h) <= t)
                hierarchy_tick(h, t);
            for (uint32_t g = 0; g < GROUPS; g++)
                offer(h, &s[g], t);
            continue;
        }
        for (uint32_t g = 0; g < GROUPS; g++)
            near_cycles(h, s, g, t, t + epoch);
        hierarchy_far_run(h, t, t + epoch);
    }
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        hierarchy_cache_stats(h, (enum cache_level)l, &stats[l]);
    hierarchy_free(h);
}

/* The parts of an epoch in an order that threads may have: the far side first, last, or as soon as it may. */
enum order { FAR_FIRST, FAR_LAST, FAR_SOON, ORDERS };

static void epoch_beside(struct hierarchy *h, struct side *s, enum order order, cycle_t far, cycle_t t, cycle_t epoch)
{
    cycle_t middle = t + epoch / 2;

    if (order == FAR_FIRST)
        hierarchy_far_half(h, 1, far, t);
    for (uint32_t g = 0; g < GROUPS; g++) {
        hierarchy_near_half(h, g, 0);
        near_cycles(h, s, g, t, middle);
        if (order == FAR_SOON && !g)
            hierarchy_far_half(h, 1, far, t);
        /* ahead of the first halves of others */
        for (uint32_t k = g - 1; order == FAR_SOON && g % 2 && k <= g; k++) {
            hierarchy_near_half(h, k, 1);
            near_cycles(h, s, k, middle, t + epoch);
        }
    }
    if (order == FAR_LAST)
        hierarchy_far_half(h, 1, far, t);
    if (order == FAR_FIRST)
        hierarchy_far_half(h, 0, t, middle);
    for (uint32_t g = 0; order != FAR_SOON && g < GROUPS; g++) {
        hierarchy_near_half(h, g, 1);
        near_cycles(h, s, g, middle, t + epoch);
    }
    if (order != FAR_FIRST)
        hierarchy_far_half(h, 0, t, middle);
}

/* Epochs beside the far side, in turns with some of the other kind. */
static void play_beside(const struct hierarchy_config *c, struct side *s, enum order order, cycle_t epoch,
                        struct cache_stats *stats)
{
    struct err e = {0};
    struct hierarchy *h = hierarchy_new(c, &e);
    struct hierarchy_sink sink = {s, complete, retry, NULL};
    cycle_t far = 0;

    assert_non_null(h);
    hierarchy_set_sink(h, &sink);
    for (cycle_t t = 0; !finished(h, s); t += epoch) {
        assert_true(t < 2000000);
        if (t / epoch % 9 < 6) {
            epoch_beside(h, s, order, far, t, epoch);
            far = t + epoch / 2;
            continue;
        }
        if (far < t)
            hierarchy_far_run(h, far, t);
        for (uint32_t g = 0; g < GROUPS; g++)
            near_cycles(h, s, g, t, t + epoch);
        far = t + epoch;
        hierarchy_far_run(h, t, far);
    }
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        hierarchy_cache_stats(h, (enum cache_level)l, &stats[l]);
    hierarchy_free(h);
}

/* The same ones, in the same order, in the same cycles. */
static void assert_same_completions(const struct side *a, const struct side *b)
{
    assert_int_equal(a->completions, b->completions);
    assert_true(a->hash == b->hash);
    assert_int_equal(a->last, b->last);
}

/* The far side half an epoch behind the groups, whoever is first. */
static void beside_equals_cycles(void **state)
{
    static const cycle_t epochs[] = {2, 9, LINK};
    struct side *a = calloc(GROUPS, sizeof *a), *b = calloc(GROUPS, sizeof *b);
    struct cache_stats sa[LEVEL_COUNT], sb[LEVEL_COUNT];

    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    for (uint64_t seed = 1; seed <= 11; seed++) {
        struct hierarchy_config c = config(seed);

        make_offers(a, seed);
        play(&c, a, 0, sa);
        for (unsigned k = 0; k < ORDERS * 3; k++) {
            make_offers(b, seed);
            play_beside(&c, b, (enum order)(k / 3), epochs[k % 3], sb);
            for (uint32_t g = 0; g < GROUPS; g++)
                assert_same_completions(&a[g], &b[g]);
            assert_memory_equal(sa, sb, sizeof sa);
        }
    }
    free(a);
    free(b);
}

/* Statistics of the far side. */
struct far_counts {
    struct cache_stats l2, mall;
    struct dram_stats dram;
    uint64_t walks, link_bytes;
};

static struct far_counts count_far(const struct hierarchy *h)
{
    struct far_counts c;

    memset(&c, 0, sizeof c);
    hierarchy_cache_stats(h, LEVEL_L2, &c.l2);
    hierarchy_cache_stats(h, LEVEL_MALL, &c.mall);
    c.dram = *hierarchy_dram_stats(h);
    c.walks = hierarchy_tlb_stats(h).walks;
    for (uint32_t k = 0; hierarchy_fabric(h) && k < hierarchy_fabric(h)->links; k++)
        c.link_bytes += hierarchy_fabric(h)->link[k].bytes;
    return c;
}

/* A run stops in an epoch whose first half the far side has done: that is not counted. */
static void a_half_is_forgotten(void **state)
{
    struct hierarchy_config c = config(5); /* with a fabric, coherent L2s and translation */
    struct side *s = calloc(GROUPS, sizeof *s);
    struct hierarchy_sink sink = {s, complete, retry, NULL};
    struct err e = {0};
    struct hierarchy *h = hierarchy_new(&c, &e);
    struct far_counts before, half, after;
    cycle_t t = 0;

    (void)state;
    assert_non_null(s);
    assert_non_null(h);
    make_offers(s, 5);
    hierarchy_set_sink(h, &sink);
    for (; t < 200 * LINK; t += LINK)
        epoch_beside(h, s, FAR_SOON, t ? t - LINK + LINK / 2 : 0, t, LINK);
    hierarchy_far_half(h, 1, t - LINK + LINK / 2, t);
    before = count_far(h);
    for (uint32_t g = 0; g < GROUPS; g++) {
        hierarchy_near_half(h, g, 0);
        near_cycles(h, s, g, t, t + LINK / 2);
    }
    hierarchy_far_half(h, 0, t, t + LINK / 2);
    half = count_far(h);
    assert_memory_not_equal(&before, &half, sizeof before);
    assert_true(before.walks && before.link_bytes && before.dram.read_bytes && before.l2.op[MEM_LOAD].accesses);
    hierarchy_far_forget(h);
    after = count_far(h);
    assert_memory_equal(&before, &after, sizeof before);
    hierarchy_free(h);
    free(s);
}

static void epochs_equal_cycles(void **state)
{
    static const cycle_t epochs[] = {1, 2, 7, LINK};
    struct side *a = calloc(GROUPS, sizeof *a), *b = calloc(GROUPS, sizeof *b);
    struct cache_stats sa[LEVEL_COUNT], sb[LEVEL_COUNT];

    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    for (uint64_t seed = 1; seed <= 11; seed++) {
        struct hierarchy_config c = config(seed);
        uint64_t refusals = 0;

        make_offers(a, seed);
        play(&c, a, 0, sa);
        for (size_t k = 0; k < sizeof epochs / sizeof epochs[0]; k++) {
            make_offers(b, seed);
            play(&c, b, epochs[k], sb);
            for (uint32_t g = 0; g < GROUPS; g++) {
                assert_same_completions(&a[g], &b[g]);
                assert_int_equal(a[g].refusals, b[g].refusals);
                refusals += a[g].refusals;
            }
            assert_memory_equal(sa, sb, sizeof sa);
        }
        assert_true(refusals && sa[LEVEL_VL0].mshr_full_stall_cycles && sa[LEVEL_L2].writebacks);
    }
    free(a);
    free(b);
}

/* A link accepts all requests of a near cache; its own MSHRs bound those in flight. */
static void a_hit_takes_the_link_into_account(void **state)
{
    struct hierarchy_config c = config(0);
    struct side *s = calloc(GROUPS, sizeof *s);
    struct cache_stats stats[LEVEL_COUNT];

    (void)state;
    assert_non_null(s);
    for (uint32_t g = 0; g < GROUPS; g++)
        s[g].next = OFFERS / GROUPS - 1; /* one offer alone */
    for (uint32_t g = 1; g < GROUPS; g++)
        s[g].next++;
    s[0].offer[s[0].next] = (struct offer){
        .at = 5, .cu = 0, .port = MEM_PORT_VECTOR, .req = {.addr = 64, .bytes = 4, .token = 1, .op = MEM_LOAD}};
    play(&c, s, 0, stats);
    /* vL0 8, L2 8, DRAM 200 and 5 for 128 bytes at 25 a cycle, L2 4 and a second beat, the link, vL0 4 */
    assert_int_equal(s[0].last - 5, 8 + 8 + 200 + 5 + 4 + 1 + LINK + 4);
    free(s);
}

static void groups_that_share_a_cache_are_refused(void **state)
{
    struct hierarchy_config c = config(0);
    struct err e = {0};

    (void)state;
    c.cus_per_group = 3;
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "groups of 3 CUs; 2 share a cache"));
    c = config(4);
    c.cus_per_l2_turn = 6;
    err_clear(&e);
    assert_null(hierarchy_new(&c, &e));
    assert_non_null(strstr(e.text, "the L2s take turns of 6"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_equal_cycles),
        cmocka_unit_test(beside_equals_cycles),
        cmocka_unit_test(a_half_is_forgotten),
        cmocka_unit_test(a_hit_takes_the_link_into_account),
        cmocka_unit_test(groups_that_share_a_cache_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
