/* Lines that a cache takes by itself: they go in the same cycles as when their owner offers them, whoever makes the
 * offers, and their completions come in the same cycles. */
#include "mem/hierarchy/internal.h"
#include "tests/unit/mem/hierarchy_rig.h"

enum { CUS = 5, TOKENS = 64, LINES = 64, EVENTS = 1 << 14, CYCLES = 6000, EPOCH = 9 };

struct event {
    cycle_t at;
    uint64_t token; /* MEM_TOKEN_NONE: a last line has gone */
};

/* Who makes the offers: */
enum offers { OWNER, CACHE, IN_TURNS };

struct side {
    enum offers offers;
    struct hierarchy *h;
    struct line_queue q[CUS];
    uint16_t pending[CUS][TOKENS];
    struct event event[CUS][EVENTS];
    unsigned events[CUS], told;
    struct arena arena;
};

static void add(struct side *s, uint32_t cu, uint64_t token, cycle_t now)
{
    assert_true(s->events[cu] < EVENTS);
    s->event[cu][s->events[cu]++] = (struct event){now, token};
}

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    struct side *s = ctx;

    assert_int_equal(port, MEM_PORT_VECTOR);
    assert_true(s->pending[cu][token]);
    s->told++;
    if (!--s->pending[cu][token])
        add(s, cu, token, now);
}

static void no_retry(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    (void)ctx, (void)cu, (void)port, (void)now;
    fail_msg("nobody waits");
}

static void sent(void *ctx, uint32_t cu, cycle_t now)
{
    add(ctx, cu, MEM_TOKEN_NONE, now);
}

static struct side *side_new(const struct hierarchy_config *c, enum offers offers)
{
    struct side *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->offers = offers;
    s->h = make(c);
    arena_init(&s->arena, 1 << 20);
    hierarchy_set_sink(s->h, &(struct hierarchy_sink){s, complete, no_retry, sent});
    for (uint32_t cu = 0; cu < CUS; cu++) {
        struct line_queue *q = &s->q[cu];

        q->rate = c->cache[LEVEL_VL0].lookups_per_cycle;
        q->pending = s->pending[cu];
        q->pending_bytes = sizeof s->pending[cu][0];
        assert_true(line_entries_init(&q->lines, &s->arena, LINES) && line_insts_init(&q->insts, &s->arena, LINES));
    }
    return s;
}

static void side_free(struct side *s)
{
    hierarchy_free(s->h);
    arena_free(&s->arena);
    free(s);
}

/* The owner makes the offers of this cycle. */
static void offer(struct side *s, uint32_t cu, cycle_t now)
{
    struct line_queue *q = &s->q[cu];

    for (uint32_t n = 0; n < q->rate && q->lines.count && line_queue_due(q) <= now; n++) {
        struct mem_req req = line_queue_request(line_insts_front(&q->insts), line_entries_front(&q->lines), 0);

        if (!hierarchy_can_accept(s->h, cu, MEM_PORT_VECTOR, req.addr))
            return;
        hierarchy_accept(s->h, cu, MEM_PORT_VECTOR, &req, now);
        if (line_queue_pop(q))
            sent(s, cu, now);
    }
}

/* An instruction of some lines, some of which are due later than others. */
static void push(struct side *s, uint32_t cu, uint32_t token, struct rng r, cycle_t now)
{
    uint32_t lines = 1 + rnd(&r, 12), gap = rnd(&r, 3) == 0;
    bool store = rnd(&r, 4) == 0, posted = rnd(&r, 8) == 0;

    /* the count is that of the cycle before, whoever makes the offers */
    if (s->pending[cu][token] || s->q[cu].lines.count > 24)
        return;
    *line_insts_push(&s->q[cu].insts, LINES) = (struct line_inst){.token = posted ? MEM_TOKEN_NONE : token,
                                                                  .from = now + (rnd(&r, 4) ? 0 : rnd(&r, 30)),
                                                                  .lines = lines,
                                                                  .op = store ? MEM_STORE : MEM_LOAD};
    s->pending[cu][token] = (uint16_t)(posted ? 0 : lines);
    for (uint32_t k = 0; k < lines; k++)
        *line_entries_push(&s->q[cu].lines, LINES) = (struct line_entry){
            .addr = rnd(&r, 1 << 8) * 128, .after = k * gap * 3, .bytes = 128, .last = k + 1 == lines || k == 5};
}

static void step(struct side *s, uint64_t seed, bool every_cycle, cycle_t now)
{
    struct rng r = {seed * 1000003 + now}, turns = {seed * 77 + now};

    if (every_cycle || hierarchy_next(s->h) <= now)
        hierarchy_tick(s->h, now);
    for (uint32_t cu = 0; cu < CUS; cu++) {
        struct line_queue *q = &s->q[cu];

        if (rnd(&r, 8) == 0 && now < CYCLES - 3000)
            push(s, cu, rnd(&r, TOKENS), r, now);
        if (s->offers == IN_TURNS && rnd(&turns, 11) == 0)
            q->taken = false;
        if (q->taken)
            continue;
        offer(s, cu, now);
        if (q->lines.count && (s->offers == CACHE || (s->offers == IN_TURNS && rnd(&turns, 5) == 0)))
            hierarchy_take_lines(s->h, cu, q, now + 1);
    }
}

static void compare(struct side *a, struct side *b, cycle_t now)
{
    struct cache_stats x, y;

    for (uint32_t cu = 0; cu < CUS; cu++) {
        hierarchy_reach_lines(b->h, cu, now + 1);
        assert_int_equal(a->q[cu].lines.count, b->q[cu].lines.count);
        assert_int_equal(a->q[cu].insts.count, b->q[cu].insts.count);
        assert_int_equal(a->events[cu], b->events[cu]);
        assert_memory_equal(a->event[cu], b->event[cu], a->events[cu] * sizeof a->event[cu][0]);
    }
    for (unsigned l = 0; l < LEVEL_COUNT; l++)
        if (hierarchy_cache_stats(a->h, (enum cache_level)l, &x)) {
            assert_true(hierarchy_cache_stats(b->h, (enum cache_level)l, &y));
            assert_memory_equal(&x, &y, sizeof x);
        }
}

static struct hierarchy_config config_of(uint64_t seed)
{
    struct hierarchy_config c = small_hierarchy(seed & 1, false);

    c.cus_per_group = seed & 2 ? 0 : 6; /* with GL1 of three CUs each */
    c.cache[LEVEL_VL0].lookups_per_cycle = seed & 4 ? 3 : 1;
    if (seed & 8)
        c.cache[LEVEL_VL0] = level(4096, 128, 4, 2, 40);
    c.cache[LEVEL_VL0].write = CACHE_WRITE_THROUGH;
    c.cache[LEVEL_VL0].bytes_per_cycle = 32; /* a store keeps the tag stage for four cycles */
    c.cache[LEVEL_VL0].input_queue = 1 + (uint32_t)(seed % 4);
    c.max_outstanding = seed & 16 ? 5 : 64;
    return c;
}

static void same_cycles(uint64_t seed, enum offers offers, bool every_cycle)
{
    struct hierarchy_config c = config_of(seed);
    struct side *owner = side_new(&c, OWNER), *other;
    unsigned events = 0;

    c.check_every_cycle = every_cycle;
    other = side_new(&c, offers);
    for (cycle_t now = 1; now < CYCLES; now++) {
        step(owner, seed, false, now);
        step(other, seed, every_cycle, now);
        if (now % EPOCH == 0)
            compare(owner, other, now);
    }
    for (uint32_t cu = 0; cu < CUS; cu++) {
        assert_int_equal(owner->q[cu].lines.count, 0);
        events += owner->events[cu];
    }
    assert_true(hierarchy_is_idle(owner->h) && hierarchy_is_idle(other->h));
    assert_true(events > 100);
    assert_true(other->told < owner->told);
    side_free(owner);
    side_free(other);
}

static void a_cache_takes_them_when_they_would_be_offered(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 32; seed++)
        same_cycles(seed, CACHE, false);
}

static void so_it_does_in_turns_with_their_owner(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 32; seed++)
        same_cycles(seed, IN_TURNS, false);
}

static void ticks_of_every_cycle_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 32; seed++)
        same_cycles(seed, seed & 1 ? IN_TURNS : CACHE, true);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_takes_them_when_they_would_be_offered),
        cmocka_unit_test(so_it_does_in_turns_with_their_owner),
        cmocka_unit_test(ticks_of_every_cycle_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
