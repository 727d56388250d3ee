/* What the hierarchy reports to those who watch it: which level answered, and what was filled and evicted. */
#include "tests/unit/mem/hierarchy_rig.h"

struct seen {
    enum cache_level level; /* of the last answer */
    unsigned answers;
    uint64_t filled[LEVEL_COUNT], evicted[LEVEL_COUNT], dirty[LEVEL_COUNT];
    uint64_t units[LEVEL_COUNT]; /* a bit for each that has reported a line */
    bool far[LEVEL_COUNT];
    cycle_t now;
};

static void answered(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, enum cache_level level)
{
    struct seen *s = ctx;

    (void)cu, (void)port, (void)token;
    s->level = level;
    s->answers++;
}

static void line(void *ctx, const struct hierarchy_line *l)
{
    struct seen *s = ctx;

    assert_int_equal(l->at, s->now);
    (l->filled ? s->filled : s->evicted)[l->level]++;
    s->dirty[l->level] += !l->filled && l->dirty;
    s->units[l->level] |= UINT64_C(1) << l->unit;
    s->far[l->level] = l->group == HIERARCHY_FAR;
}

static struct hierarchy *make_watched(struct hierarchy_config *c, struct seen *s)
{
    c->watch = (struct hierarchy_watch){.ctx = s, .answered = answered, .line = line};
    return make(c);
}

static enum cache_level level_of(struct hierarchy *h, struct seen *s, uint32_t cu, enum mem_op op, gaddr_t addr,
                                 cycle_t *now)
{
    struct mem_req q = {.addr = addr, .token = 7, .bytes = 4, .op = (uint8_t)op};
    enum mem_port_kind port = op == MEM_SCALAR ? MEM_PORT_SCALAR : op == MEM_FETCH ? MEM_PORT_INST : MEM_PORT_VECTOR;
    uint64_t token;

    s->answers = 0;
    hierarchy_accept(h, cu, port, &q, *now);
    while (hierarchy_next(h) != CYCLE_NEVER) {
        s->now = *now = hierarchy_next(h);
        hierarchy_tick(h, *now);
        if (hierarchy_pop(h, cu, port, &token))
            assert_true(s->answers > 0);
    }
    assert_int_equal(s->answers, 1);
    return s->level;
}

static void the_level_that_has_the_line_answers(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, true);
    struct seen s = {0};
    struct hierarchy *h = make_watched(&c, &s);
    cycle_t now = 1;

    (void)state;
    assert_int_equal(level_of(h, &s, 0, MEM_LOAD, 0x1000, &now), LEVEL_COUNT);
    assert_int_equal(level_of(h, &s, 0, MEM_LOAD, 0x1000, &now), LEVEL_VL0);
    assert_int_equal(level_of(h, &s, 1, MEM_LOAD, 0x1000, &now), LEVEL_GL1); /* CUs 0 to 2 share one */
    assert_int_equal(level_of(h, &s, 3, MEM_LOAD, 0x1000, &now), LEVEL_L2);
    assert_int_equal(level_of(h, &s, 3, MEM_LOAD, 0x1000, &now), LEVEL_VL0);
    assert_int_equal(level_of(h, &s, 0, MEM_SCALAR, 0x1000, &now), LEVEL_L2);
    assert_int_equal(level_of(h, &s, 1, MEM_SCALAR, 0x1000, &now), LEVEL_K); /* CUs 0 and 1 share one */
    assert_int_equal(level_of(h, &s, 4, MEM_FETCH, 0x5000, &now), LEVEL_COUNT);
    assert_int_equal(level_of(h, &s, 4, MEM_FETCH, 0x5000, &now), LEVEL_I);
    /* stores pass the write-through vL0 and are done in L2, with or without a line */
    assert_int_equal(level_of(h, &s, 0, MEM_STORE, 0x1000, &now), LEVEL_L2);
    assert_int_equal(level_of(h, &s, 0, MEM_STORE, 0x9000, &now), LEVEL_L2);
    assert_int_equal(level_of(h, &s, 0, MEM_ATOMIC, 0x1000, &now), LEVEL_L2);
    /* lines of the set in L2 push 0x1000 out; MALL is larger */
    for (gaddr_t k = 1; k < 12; k++)
        level_of(h, &s, 0, MEM_LOAD, 0x1000 + k * 0xc00, &now);
    assert_int_equal(level_of(h, &s, 4, MEM_SCALAR, 0x1000, &now), LEVEL_MALL);
    hierarchy_free(h);
}

/* A MALL whose lines are half as long as those above: two requests, one answer of the transaction. A cache that asks
 * for two lines at once: the second one's answer is that of the first. */
static void pieces_and_pairs(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, true);
    struct seen s = {0};
    struct hierarchy *h;
    struct mem_req q = {.bytes = 4, .op = MEM_LOAD};
    uint64_t token;
    cycle_t now;

    (void)state;
    c.cache[LEVEL_VL0].line_bytes = 64;
    c.cache[LEVEL_VL0].request_bytes = 128;
    h = make_watched(&c, &s);
    for (unsigned again = 0; again < 2; again++) {
        s.answers = 0;
        now = 1 + again * 100000;
        for (q.token = 0; q.token < 2; q.token++) {
            q.addr = 0x2000 + q.token * 64;
            hierarchy_accept(h, again, MEM_PORT_VECTOR, &q, now);
        }
        while (hierarchy_next(h) != CYCLE_NEVER) {
            s.now = hierarchy_next(h);
            s.level = LEVEL_K;
            s.answers = 0;
            hierarchy_tick(h, s.now);
            while (hierarchy_pop(h, again, MEM_PORT_VECTOR, &token))
                ;
            /* from memory, then for the other CU from L2 */
            if (s.answers)
                assert_int_equal(s.level, again ? LEVEL_L2 : LEVEL_COUNT);
        }
    }
    hierarchy_free(h);
}

/* Random traffic: completions in the same cycles as without anybody watching, and as many evictions as are counted. */
static void watching_changes_nothing_and_counts_the_same(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, true);
    struct seen s = {0};
    struct hierarchy *h[2];
    struct rng r = {.s = 3};
    struct cache_stats stats[2];

    (void)state;
    c.l2s = 2;
    c.cus_per_l2_turn = 3;
    c.l2s_coherent = true;
    c.probe_cycles = 30;
    h[0] = make(&c);
    h[1] = make_watched(&c, &s);
    for (cycle_t now = 1; now < 60000; now++) {
        struct mem_req q = {.addr = rnd(&r, 1024) * 64, .bytes = 4, .token = now};
        uint32_t cu = rnd(&r, 5);
        uint64_t token[2] = {0, 0};
        bool ready = hierarchy_can_accept(h[0], cu, MEM_PORT_VECTOR, q.addr);

        q.op = (uint8_t)(rnd(&r, 4) ? MEM_LOAD : rnd(&r, 4) ? MEM_STORE : MEM_ATOMIC);
        s.now = now;
        for (unsigned k = 0; k < 2; k++) {
            hierarchy_tick(h[k], now);
            assert_int_equal(hierarchy_next(h[k]), hierarchy_next(h[0]));
            hierarchy_pop(h[k], cu, MEM_PORT_VECTOR, &token[k]);
        }
        assert_int_equal(token[0], token[1]);
        ready &= hierarchy_can_accept(h[0], cu, MEM_PORT_VECTOR, q.addr);
        for (unsigned k = 0; k < 2 && ready && now < 50000; k++)
            hierarchy_accept(h[k], cu, MEM_PORT_VECTOR, &q, now);
    }
    assert_true(hierarchy_is_idle(h[0]) && hierarchy_is_idle(h[1]));
    for (unsigned l = 0; l < LEVEL_COUNT; l++) {
        for (unsigned k = 0; k < 2; k++)
            hierarchy_cache_stats(h[k], (enum cache_level)l, &stats[k]);
        assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
        assert_int_equal(s.evicted[l], stats[1].evictions);
        assert_true(s.filled[l] >= s.evicted[l]);
        assert_int_equal(s.far[l], l == LEVEL_L2 || l == LEVEL_MALL);
    }
    assert_int_equal(s.units[LEVEL_VL0], 31); /* each CU's own */
    assert_int_equal(s.units[LEVEL_GL1], 3);
    assert_int_equal(s.units[LEVEL_L2], 3);
    assert_int_equal(s.units[LEVEL_MALL], 1);
    assert_true(s.evicted[LEVEL_VL0] && s.evicted[LEVEL_GL1] && s.evicted[LEVEL_L2] && s.evicted[LEVEL_MALL]);
    assert_true(s.dirty[LEVEL_L2] && !s.dirty[LEVEL_VL0]);
    hierarchy_free(h[0]);
    hierarchy_free(h[1]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_that_has_the_line_answers),
        cmocka_unit_test(pieces_and_pairs),
        cmocka_unit_test(watching_changes_nothing_and_counts_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
