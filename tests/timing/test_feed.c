/* Dispatches that overlap on one device: what each of them counts, who gets the compute units, kernels that wait for
 * one another, faults beside others, and the same result for any number of threads. */
#include "sim/engine/feed.h"

#include "isa/gws.h"
#include "sim/engine/device.h"
#include "tests/timing/rig.h"

/* s2 rounds of two dependent additions */
static const char work[] =
    "s_mov_b32 s4, 0; "
    "loop: v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; s_add_u32 s4, s4, 1; s_cmp_lt_u32 s4, s2; s_cbranch_scc1 loop; "
    "s_endpgm";
/* writes 1 at s2 and waits for 1 at s3, both offsets from s[0:1] */
static const char meet[] =
    "v_mov_b32 v8, s2; v_mov_b32 v9, s3; v_mov_b32 v1, 1; global_store_dword v8, v1, s[0:1] glc; s_waitcnt vmcnt(0); "
    "loop: global_load_dword v15, v9, s[0:1] glc; s_waitcnt vmcnt(0); v_readfirstlane_b32 s6, v15; "
    "s_cmp_eq_u32 s6, 1; s_cbranch_scc0 loop; s_endpgm";
/* loads from an address that no allocation has */
static const char wild[] =
    "s_nop 2; v_mov_b32 v8, -1; v_mov_b32 v9, -1; global_load_dword v15, v[8:9], off; s_waitcnt vmcnt(0); s_endpgm";
/* ds_gws_sema_p: takes a permit, which is waited for; ds_gws_sema_v: gives one */
static const char takes[] = "ds_gws_sema_p gds; s_nop 0; s_endpgm";
static const char gives[] = "ds_gws_sema_v gds; s_nop 0; s_endpgm";
static const char stores[] =
    "v_lshlrev_b32 v8, 2, v0; v_mov_b32 v1, 1; global_store_dword v8, v1, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
static const char endless[] = "loop: s_sleep 1; s_branch loop; s_endpgm";

enum { MOST = 8 };

struct given {
    struct rig *r;
    uint64_t start, ended;
    int after; /* begins when this one has ended; -1: at `start` */
    bool given, failed;
};

struct bench {
    struct given of[MOST];
    unsigned count, asked, idle;
    uint64_t every; /* it wants to be asked so often while something is in flight; 0: it does not care */
    volatile int attention;
    unsigned order[MOST], ends; /* in which they ended */
};

static uint64_t ask(void *ctx, struct engine_feeding *to, uint64_t now, bool idle)
{
    struct bench *b = ctx;

    b->asked++;
    b->idle += idle;
    b->attention = 0;
    for (unsigned k = 0; k < b->count; k++) {
        struct given *g = &b->of[k];

        if (g->given || (g->after >= 0 && !b->of[g->after].ended))
            continue;
        g->given = true;
        if (g->after >= 0)
            g->start = b->of[g->after].ended;
        assert_true(engine_feed_launch(to, &g->r->launch, &g->r->options, &g->r->result, g->start, g));
    }
    assert_true(b->asked < 100000); /* as nobody is for work that is done in a few thousand cycles */
    return b->every && !idle ? now + b->every : ENGINE_FEED_NEVER;
}

static void ended(void *ctx, void *id, uint64_t now, const struct err *failed)
{
    struct bench *b = ctx;
    struct given *g = id;

    assert_int_equal(g->ended, 0);
    g->ended = now ? now : 1;
    g->failed = failed != NULL;
    if (failed)
        g->r->err = *failed;
    b->order[b->ends++] = (unsigned)(g - b->of);
    memset(&g->r->options, 0xa5, sizeof g->r->options); /* its caller keeps them no longer */
}

static struct rig *rig(const uint32_t *code, size_t words, uint32_t groups, uint32_t s2, uint32_t s3)
{
    struct rig *r = rig_new("gfx90a", code, words, 64, 1);

    rig_groups(r, groups);
    r->launch.entry = RIG_BASE;
    r->profile.gpu.cus = 4;
    r->profile.launch.before_ns = 300;
    r->profile.launch.after_ns = 200;
    r->state.user_sgprs[2] = s2;
    r->state.user_sgprs[3] = s3;
    r->state.user_sgpr_count = 4;
    return r;
}
#define RIG(TEXT, GROUPS, S2, S3) rig(WORDS("gfx90a", TEXT), GROUPS, S2, S3)

static struct given *add(struct bench *b, struct rig *r, uint64_t start, int after)
{
    struct given *g = &b->of[b->count++];

    /* one process: one profile, one memory */
    if (b->count > 1) {
        struct rig *first = b->of[0].r;

        r->launch.profile = &first->profile;
        r->launch.space = &first->space;
        r->state.user_sgprs[0] = (uint32_t)first->data;
        r->state.user_sgprs[1] = (uint32_t)(first->data >> 32);
    }
    *g = (struct given){.r = r, .start = start, .after = after};
    return g;
}

static void run_on(struct bench *b, struct engine_device *d)
{
    struct engine_feed f = {.ctx = b, .ask = ask, .ended = ended, .attention = &b->attention};
    struct err e = {0};

    assert_int_equal(engine_run_timing_feed(d, &f, &e), 0);
    assert_int_equal(b->ends, b->count);
    for (unsigned k = 0; k < b->count; k++) {
        const struct engine_result *r = &b->of[k].r->result;
        uint64_t sum = 0;

        for (unsigned n = 0; n < STALL_COUNT; n++)
            sum += r->stat[STAT_STALL + n];
        assert_int_equal(sum, b->of[k].failed ? sum : r->stat[STAT_RESIDENT_WAVE_CYCLES]);
    }
}

static void run(struct bench *b)
{
    struct engine_device *d = engine_device_new();

    assert_non_null(d);
    run_on(b, d);
    engine_device_free(d);
}

static void free_all(struct bench *b)
{
    for (unsigned k = 0; k < b->count; k++) {
        engine_result_free(&b->of[k].r->result);
        rig_free(b->of[k].r);
    }
}

static uint64_t stat(const struct given *g, enum stat s)
{
    return g->r->result.stat[s];
}

/* A launch through a feed is what it is without one, in every statistic, cold and warm. */
static void one_is_as_ever(void **state)
{
    struct rig *alone = RIG(stores, 9, 0, 0);
    struct engine_device *d = engine_device_new(), *e = engine_device_new();

    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        struct bench b = {0};
        struct given *g = add(&b, RIG(stores, 9, 0, 0), 0, -1);

        alone->options.device = d;
        alone->options.acquire = alone->options.release = MEM_FENCE_SYSTEM;
        g->r->options.acquire = g->r->options.release = MEM_FENCE_SYSTEM;
        g->r->launch.space = &alone->space;
        g->r->launch.profile = &alone->profile;
        memcpy(g->r->state.user_sgprs, alone->state.user_sgprs, sizeof alone->state.user_sgprs);
        if (n)
            g->start = engine_device_clock(e) + 300;
        assert_int_equal(engine_run_timing(&alone->launch, &alone->options, &alone->result, &alone->err), 0);
        run_on(&b, e);
        assert_int_equal(g->r->result.outcome, ENGINE_DONE);
        assert_true(stat(g, STAT_DISPATCH_RELEASE_LINES) > 0);
        assert_memory_equal(g->r->result.stat, alone->result.stat, sizeof alone->result.stat);
        assert_int_equal(engine_device_clock(d), engine_device_clock(e));
        assert_int_equal(g->ended, engine_device_clock(e));
        free_all(&b);
    }
    engine_device_free(d);
    engine_device_free(e);
    rig_free(alone);
}

/* Two kernels that fill half of the chip each take little longer together than one of them. */
static void two_overlap(void **state)
{
    struct bench one = {0}, two = {0};
    uint64_t alone;

    (void)state;
    add(&one, RIG(work, 8, 400, 0), 0, -1);
    run(&one);
    alone = stat(&one.of[0], STAT_CYCLES);
    add(&two, RIG(work, 8, 400, 0), 0, -1);
    add(&two, RIG(work, 8, 400, 0), 10, -1);
    run(&two);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(two.of[k].r->result.outcome, ENGINE_DONE);
        assert_int_equal(stat(&two.of[k], STAT_INSTRUCTIONS), stat(&one.of[0], STAT_INSTRUCTIONS));
        assert_int_equal(stat(&two.of[k], STAT_WAVES_DONE), 8);
        assert_int_equal(stat(&two.of[k], STAT_CUS_USED), 4);
    }
    assert_int_equal(stat(&two.of[1], STAT_DISPATCH_CLOCK), 10);
    assert_true(stat(&two.of[0], STAT_CYCLES) < alone * 11 / 10);
    assert_true(two.of[1].ended < alone * 12 / 10 + 200);
    free_all(&one);
    free_all(&two);
}

/* One that begins after another's end does not overlap with it. */
static void one_after_the_other(void **state)
{
    struct bench b = {0};

    (void)state;
    add(&b, RIG(work, 8, 400, 0), 0, -1);
    add(&b, RIG(work, 8, 400, 0), 0, 0);
    add(&b, RIG(work, 2, 2000, 0), 0, -1); /* and this one goes on all the time */
    run(&b);
    assert_true(stat(&b.of[1], STAT_DISPATCH_CLOCK) >= b.of[0].ended);
    assert_int_equal(b.of[0].ended, stat(&b.of[0], STAT_DISPATCH_CLOCK) + stat(&b.of[0], STAT_CYCLES) +
                                        stat(&b.of[0], STAT_DISPATCH_RELEASE) + 200);
    assert_true(b.of[2].ended > b.of[1].ended);
    free_all(&b);
}

/* Each of two kernels waits for the other, whichever comes first and however late. */
static void two_meet(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 40000; late += 13337) {
        struct bench b = {0};

        add(&b, RIG(meet, 1, 0, 64), 0, -1);
        add(&b, RIG(meet, 1, 64, 0), late, -1);
        run(&b);
        assert_int_equal(b.of[0].r->result.outcome, ENGINE_DONE);
        assert_int_equal(b.of[1].r->result.outcome, ENGINE_DONE);
        assert_true(stat(&b.of[0], STAT_CYCLES) > late);
        free_all(&b);
    }
}

/* The older dispatch has the first claim on slots: the younger starts when the older has no more to start. */
static void the_older_goes_first(void **state)
{
    struct bench b = {0};

    (void)state;
    add(&b, RIG(work, 400, 50, 0), 0, -1); /* 4 CUs hold 128 workgroups */
    add(&b, RIG(work, 8, 50, 0), 0, -1);
    run(&b);
    assert_int_equal(b.order[0], 0);
    /* the younger one's few begin after the last of the older ones: it is as long, but for one round */
    assert_true(stat(&b.of[1], STAT_CYCLES) > stat(&b.of[0], STAT_CYCLES) * 2 / 3);
    free_all(&b);
}

/* A fault takes the waves of its own dispatch alone. */
static void a_fault_beside_others(void **state)
{
    struct bench b = {0};

    (void)state;
    add(&b, RIG(work, 8, 400, 0), 0, -1);
    add(&b, RIG(wild, 3, 0, 0), 100, -1);
    add(&b, RIG(endless, 4, 0, 0), 0, -1)->r->options.max_cycles = 3000;
    add(&b, RIG(work, 8, 400, 0), 0, -1)->r->options.max_instructions = 1000;
    run(&b);
    assert_int_equal(b.of[0].r->result.outcome, ENGINE_DONE);
    assert_int_equal(stat(&b.of[0], STAT_WAVES_DONE), 8);
    assert_int_equal(b.of[1].r->result.outcome, ENGINE_FAULT);
    assert_int_equal(b.of[1].r->result.fault.kind, FAULT_MEMORY);
    assert_true(stat(&b.of[1], STAT_CYCLES) < 1000);
    assert_int_equal(b.of[2].r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(b.of[3].r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(stat(&b.of[3], STAT_INSTRUCTIONS), 1000);
    free_all(&b);
}

/* A launch that the chip cannot run is refused beside one that it can. */
static void a_refusal_beside_others(void **state)
{
    struct bench b = {0};

    (void)state;
    add(&b, RIG(work, 8, 100, 0), 0, -1);
    add(&b, RIG(work, 8, 100, 0), 0, -1)->r->launch.occupancy.lds_alloc_bytes = 1 << 20;
    run(&b);
    assert_int_equal(b.of[0].r->result.outcome, ENGINE_DONE);
    assert_true(b.of[1].failed);
    assert_int_equal(b.of[1].r->err.code, ERR_USAGE);
    free_all(&b);
}

/* Waves that can never go on are reported when nothing else comes, and only then: a permit of another dispatch lets
 * them go on. One that is gone waits no longer. */
static void a_deadlock_is_told_at_the_end(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 6; turn++) {
        struct bench b = {.every = turn < 3 ? 0 : 700};
        unsigned permits = turn % 3;
        struct isa_gws gws;

        isa_gws_init(&gws);
        add(&b, RIG(takes, 1, 0, 0), 0, -1)->r->options.max_cycles = 1000;
        add(&b, RIG(takes, 1, 0, 0), 10, -1);
        add(&b, RIG(takes, 1, 0, 0), 20, -1);
        add(&b, RIG(work, 8, 400, 0), 0, -1);
        for (unsigned k = 0; k < permits; k++)
            add(&b, RIG(gives, 1, 0, 0), 5000, -1);
        for (unsigned k = 0; k < b.count; k++)
            b.of[k].r->launch.gws = &gws;
        run(&b);
        assert_int_equal(b.of[0].r->result.outcome, ENGINE_LIMIT);
        assert_int_equal(stat(&b.of[0], STAT_CYCLES), 1000);
        for (unsigned k = 1; k < 3; k++) {
            assert_int_equal(b.of[k].r->result.outcome, k <= permits ? ENGINE_DONE : ENGINE_FAULT);
            if (k <= permits)
                assert_true(stat(&b.of[k], STAT_CYCLES) > 4900);
            else
                assert_int_equal(b.of[k].r->result.fault_kind, ENGINE_FAULT_DEADLOCK);
        }
        assert_int_equal(b.of[3].r->result.outcome, ENGINE_DONE);
        isa_gws_destroy(&gws);
        free_all(&b);
    }
}

/* Three streams of kernels with stores: the same to the last counter twice, with one thread and with two, and where
 * every cycle is ticked. */
static void the_same_every_time(void **state)
{
    struct engine_result first[5];

    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        struct bench b = {0};

        add(&b, RIG(stores, 40, 0, 0), 0, -1);
        add(&b, RIG(work, 20, 100, 0), 50, -1);
        add(&b, RIG(stores, 60, 0, 0), 0, 0);
        add(&b, RIG(meet, 1, 128, 192), 70, -1);
        add(&b, RIG(meet, 1, 192, 128), 0, 1);
        b.of[0].r->profile.gpu.cus = 8;
        for (unsigned k = 0; k < b.count; k++) {
            b.of[k].r->options.threads = n == 2 ? 2 : 1;
            b.of[k].r->options.tick_every_cycle = n == 3;
            b.of[k].r->options.acquire = b.of[k].r->options.release = MEM_FENCE_SYSTEM;
        }
        run(&b);
        for (unsigned k = 0; k < b.count; k++) {
            assert_int_equal(b.of[k].r->result.outcome, ENGINE_DONE);
            if (!n)
                first[k] = b.of[k].r->result;
            assert_memory_equal(b.of[k].r->result.stat, first[k].stat, sizeof first[k].stat);
        }
        free_all(&b);
    }
}

/* What asks for the device alone gets it, and the others wait. */
struct tagged {
    uint64_t issues[3];
    cycle_t first[3], last[3];
};

static void count_tagged(void *ctx, const struct event *e, size_t count)
{
    struct tagged *t = ctx;

    for (; count--; e++) {
        assert_true(e->dispatch == 1 || e->dispatch == 2);
        if (e->kind != EVENT_ISSUE)
            continue;
        t->first[e->dispatch] = t->issues[e->dispatch]++ ? t->first[e->dispatch] : e->at;
        t->last[e->dispatch] = e->at;
    }
}

/* Consumers that know dispatches apart do not keep these from overlapping. */
static void shared_consumers_see_both(void **state)
{
    struct bench b = {0};
    struct tagged t = {0};
    struct event_consumer c = {
        .kinds = EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_WAVE_END), .ctx = &t, .take = count_tagged};
    struct given *one = add(&b, RIG(work, 40, 200, 0), 0, -1), *two = add(&b, RIG(work, 4, 10, 0), 100, -1);
    (void)state;

    one->r->options.shared_consumers = two->r->options.shared_consumers = &c;
    one->r->options.event_tag = 1;
    two->r->options.event_tag = 2;
    run(&b);
    assert_int_equal(t.issues[1], one->r->result.stat[STAT_INSTRUCTIONS]);
    assert_int_equal(t.issues[2], two->r->result.stat[STAT_INSTRUCTIONS]);
    assert_true(t.first[2] > t.first[1] && t.first[2] < t.last[1]);
    free_all(&b);
}

/* What the run of several dispatches was set up for holds when the first of them, whose options said it, has ended. */
static void counts_outlive_the_first(void **state)
{
    enum { FEW = 4, MANY = 400 };
    struct bench b = {0};
    struct given *first = add(&b, RIG(stores, FEW, 0, 0), 0, -1), *other = add(&b, RIG(stores, MANY, 0, 0), 0, -1),
                 *late = add(&b, RIG(stores, FEW, 0, 0), 0, 0);
    (void)state;

    first->r->options.visits = other->r->options.visits = late->r->options.visits = true;
    run(&b);
    assert_true(first->ended < other->ended);
    assert_true(stat(late, STAT_DISPATCH_CLOCK) < other->ended); /* beside the other one, which counts, too */
    for (unsigned k = 0; k < b.count; k++) {
        const struct engine_result *r = &b.of[k].r->result;

        assert_int_equal(r->visits, 5);
        for (size_t n = 0; n < r->visits; n++)
            assert_int_equal(r->visit[n].executed, b.of[k].r == other->r ? MANY : FEW);
    }
    free_all(&b);
}

static void perfect_memory_is_alone(void **state)
{
    struct bench b = {0};

    (void)state;
    add(&b, RIG(work, 8, 400, 0), 0, -1);
    add(&b, RIG(work, 8, 400, 0), 10, -1)->r->options.perfect_memory = true;
    add(&b, RIG(work, 8, 400, 0), 20, -1);
    run(&b);
    assert_true(stat(&b.of[1], STAT_DISPATCH_CLOCK) > stat(&b.of[0], STAT_CYCLES));
    assert_true(stat(&b.of[2], STAT_DISPATCH_CLOCK) >
                stat(&b.of[1], STAT_DISPATCH_CLOCK) + stat(&b.of[1], STAT_CYCLES));
    free_all(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_as_ever),
        cmocka_unit_test(two_overlap),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(two_meet),
        cmocka_unit_test(the_older_goes_first),
        cmocka_unit_test(a_fault_beside_others),
        cmocka_unit_test(a_refusal_beside_others),
        cmocka_unit_test(a_deadlock_is_told_at_the_end),
        cmocka_unit_test(the_same_every_time),
        cmocka_unit_test(perfect_memory_is_alone),
        cmocka_unit_test(shared_consumers_see_both),
        cmocka_unit_test(counts_outlive_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
