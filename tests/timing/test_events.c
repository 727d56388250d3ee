/* The event stream: the same for any number of host threads, any length of epochs and with or without time jumps; as
 * many events as the result counts; and no result that depends on somebody listening. */
#include "tests/timing/rig.h"

#define GROUPS 24

/* clang-format off */
/* gfx90a: an LDS store with bank conflicts, a barrier, then loads, stores and scalar loads in a loop that lives with
 * misses, writes lines it has read and reads one again. */
static const char traffic[] =
    "v_lshlrev_b32 v8, 5, v0; ds_write_b32 v8, v1; s_waitcnt lgkmcnt(0); s_barrier; s_nop 2; s_movk_i32 s8, 0xc; "
    "v_lshlrev_b32 v5, 2, v0; "
    "loop: global_load_dword v6, v5, s[0:1]; v_add_u32 v7, 0x1000, v5; global_load_dword v8, v7, s[0:1]; "
    "s_load_dwordx2 s[10:11], s[0:1], 0x40; s_waitcnt vmcnt(1); v_add_u32 v9, v6, v6; "
    "global_store_dword v7, v9, s[0:1] offset:2048; s_waitcnt vmcnt(0) lgkmcnt(0); global_load_dword v8, v7, s[0:1]; "
    "v_add_u32 v5, 0xc00, v5; s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; s_cbranch_scc1 loop; s_waitcnt vmcnt(0); "
    "s_endpgm";

/* gfx1201: a load, what depends on it, a transcendental, a store, a barrier. */
static const char rdna[] =
    "v_mov_b32 v8, 0; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; v_add_f32 v0, v1, v2; "
    "v_add_f32 v3, v0, v2; v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; global_store_b32 v8, v1, s[0:1]; "
    "s_barrier_signal -1; s_barrier_wait 0xffff; s_nop 2; s_endpgm";

/* gfx1201: a store is still under way when the wave waits for a barrier nobody signals. */
static const char stuck[] = "v_mov_b32 v8, 0; global_store_b32 v8, v1, s[0:1]; s_barrier_wait 0xffff; s_endpgm";
/* clang-format on */

struct log {
    struct event *event;
    size_t count, room;
    uint64_t of[EVENT_KIND_COUNT];
    uint32_t kinds;
    cycle_t last;
};

static void take_events(void *ctx, const struct event *e, size_t count)
{
    struct log *l = ctx;

    assert_true(count > 0);
    if (l->count + count > l->room) {
        l->room = 2 * (l->count + count);
        l->event = realloc(l->event, l->room * sizeof *l->event);
        assert_non_null(l->event);
    }
    for (size_t k = 0; k < count; k++) {
        struct event *to = &l->event[l->count++];

        *to = e[k];
        assert_true(e[k].kind < EVENT_KIND_COUNT && l->kinds & EVENT_BIT(e[k].kind));
        l->of[e[k].kind]++;
        if (e[k].kind == EVENT_ACCESS) { /* what it points to is gone afterwards: its sum instead */
            uint64_t sum = 0;

            for (uint64_t m = e[k].access.lanes; m; m &= m - 1)
                sum = sum * 31 + e[k].access.addr[__builtin_ctzll(m)];
            to->access.addr = (const gaddr_t *)(uintptr_t)sum;
        }
    }
}

static void log_free(struct log *l)
{
    free(l->event);
    *l = (struct log){0};
}

/* Runs with somebody who wants these kinds. */
static void run(struct rig *r, uint32_t kinds, struct log *l, uint32_t threads, uint32_t longest_epoch)
{
    struct event_consumer c = {.kinds = kinds, .ctx = l, .take = take_events};
    struct engine_options o = r->options;

    *l = (struct log){.kinds = kinds};
    o.threads = threads;
    o.consumers = kinds ? &c : NULL;
    assert_int_equal(timing_run_chip(&r->launch, &o, NULL, longest_epoch, &r->result, &r->err), 0);
}

static struct rig *chip(const char *target, const uint32_t *code, size_t words, uint32_t waves)
{
    bool is_rdna = !strncmp(target, "gfx1", 4);
    struct rig *r = rig_new(target, code, words, is_rdna ? 32 : 64, waves);

    r->profile.gpu.cus = is_rdna ? 8 : 6;
    r->profile.gpu.shader_engines = 2;
    r->profile.cache[LEVEL_K].shared_by_cus = 2;
    r->profile.frontend.launch_latency_cycles = 90;
    rig_groups(r, GROUPS);
    return r;
}
#define CHIP(TARGET, TEXT, WAVES) chip(TARGET, WORDS(TARGET, TEXT), WAVES)

static void assert_same(const struct log *a, const struct log *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++)
        if (memcmp(&a->event[k], &b->event[k], sizeof a->event[k]))
            fail_msg("event %zu of %zu differs: %s in cycle %llu, %s in cycle %llu", k, a->count,
                     event_kind_key[a->event[k].kind], (unsigned long long)a->event[k].at,
                     event_kind_key[b->event[k].kind], (unsigned long long)b->event[k].at);
}

static void threads_epochs_and_jumps_change_nothing(void **state)
{
    static const struct {
        uint32_t threads, longest_epoch;
        bool tick_every_cycle;
    } v[] = {{2, 0, false}, {4, 0, false}, {1, 1, false}, {3, 7, false}, {1, 0, true}, {2, 0, true}};

    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        struct rig *r = which ? CHIP("gfx1201", rdna, 2) : CHIP("gfx90a", traffic, 2);
        struct engine_result quiet, first;
        struct log one, other;

        run(r, 0, &one, 1, 0);
        quiet = r->result;
        assert_int_equal(quiet.outcome, ENGINE_DONE);
        run(r, EVENT_ALL, &one, 1, 0);
        first = r->result;
        assert_memory_equal(&quiet, &first, sizeof quiet);
        for (size_t k = 1; k < one.count; k++)
            assert_true(one.event[k - 1].at <= one.event[k].at);
        for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
            r->options.tick_every_cycle = v[k].tick_every_cycle;
            run(r, EVENT_ALL, &other, v[k].threads, v[k].longest_epoch);
            assert_memory_equal(&quiet, &r->result, sizeof quiet);
            assert_same(&one, &other);
            log_free(&other);
        }
        log_free(&one);
        rig_free(r);
    }
}

/* Stall cycles by reason, out of what begins and what ends on each wave slot. */
static void assert_stalls_add_up(const struct rig *r, const struct log *l)
{
    static struct event open[64 * CU_MAX_SIMDS * CU_MAX_SLOTS];
    static bool resident[sizeof open / sizeof open[0]];
    uint64_t sum[STALL_COUNT] = {0};

    memset(open, 0, sizeof open);
    memset(resident, 0, sizeof resident);
    for (size_t k = 0; k < l->count; k++) {
        const struct event *e = &l->event[k];
        struct event *o = &open[(e->cu * CU_MAX_SIMDS + e->simd) * CU_MAX_SLOTS + e->slot];

        if (e->kind == EVENT_WAVE_LAUNCH || e->kind == EVENT_WAVE_END) {
            assert_int_equal(o->kind, 0);
            resident[o - open] = e->kind == EVENT_WAVE_LAUNCH;
        } else if (e->kind == EVENT_STALL_BEGIN) {
            assert_true(resident[o - open]);
            assert_int_equal(o->kind, 0); /* none is open */
            assert_int_not_equal(e->stall.reason, STALL_ISSUED);
            assert_ptr_equal(e->stall.key, timing_stall_key[e->stall.reason]);
            *o = *e;
        } else if (e->kind == EVENT_STALL_END) {
            assert_int_equal(o->kind, EVENT_STALL_BEGIN);
            assert_int_equal(o->stall.reason, e->stall.reason);
            assert_int_equal(o->group, e->group);
            assert_int_equal(o->wave, e->wave);
            assert_int_equal(o->pc, e->pc);
            assert_true(e->at > o->at);
            sum[e->stall.reason] += e->at - o->at;
            o->kind = 0;
        }
    }
    for (size_t k = 0; k < sizeof open / sizeof open[0]; k++)
        assert_int_equal(open[k].kind, 0);
    assert_int_equal(sum[STALL_ISSUED], 0); /* issue has an event of its own */
    for (unsigned n = 0; n < STALL_COUNT; n++)
        if (n != STALL_ISSUED && r->result.stat[STAT_STALL + n] != sum[n])
            fail_msg("%s: %llu cycles in the report, %llu in events", timing_stall_key[n],
                     (unsigned long long)r->result.stat[STAT_STALL + n], (unsigned long long)sum[n]);
}

static void as_many_as_the_result_counts(void **state)
{
    struct rig *r = CHIP("gfx90a", traffic, 2);
    uint64_t conflicts = 0, asked = 0, from[LEVEL_COUNT + 1] = {0}, evicted[LEVEL_COUNT] = {0}, dirty = 0;
    struct log l;

    (void)state;
    run(r, EVENT_ALL, &l, 2, 0);
    for (unsigned k = 0; k < EVENT_KIND_COUNT; k++)
        if (!l.of[k])
            fail_msg("no event of kind %s", event_kind_key[k]);
    assert_int_equal(l.of[EVENT_ISSUE], r->result.stat[STAT_INSTRUCTIONS]);
    assert_int_equal(l.of[EVENT_WAVE_LAUNCH], 2 * GROUPS);
    assert_int_equal(l.of[EVENT_WAVE_END], r->result.stat[STAT_WAVES_DONE]);
    assert_int_equal(l.of[EVENT_BARRIER_ARRIVE], 2 * GROUPS);
    assert_int_equal(l.of[EVENT_BARRIER_COMPLETE], GROUPS);
    assert_int_equal(l.of[EVENT_LDS], r->result.stat[STAT_LDS_ACCESSES]);
    for (size_t k = 0; k < l.count; k++) {
        const struct event *e = &l.event[k];

        conflicts += e->kind == EVENT_LDS ? e->lds.conflict_cycles : 0;
        asked += e->kind == EVENT_REQUEST && e->request.number != EVENT_NO_TOKEN;
        if (e->kind == EVENT_ANSWER) {
            from[e->level]++;
            assert_true(e->request.latency_cycles > 0);
        }
        evicted[e->level % LEVEL_COUNT] += e->kind == EVENT_CACHE_EVICT;
        dirty += e->kind == EVENT_CACHE_EVICT && e->line.dirty;
    }
    assert_true(conflicts > 0);
    assert_int_equal(conflicts, r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES]);
    assert_int_equal(asked, l.of[EVENT_ANSWER]);
    assert_true(from[LEVEL_VL0] && from[LEVEL_K] && from[LEVEL_I] && from[LEVEL_L2] && from[LEVEL_COUNT]);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        assert_int_equal(evicted[k], r->result.stat[stat_of_cache((enum cache_level)k, STAT_CACHE_EVICTIONS)]);
    assert_true(evicted[LEVEL_VL0] && dirty);
    assert_stalls_add_up(r, &l);
    log_free(&l);
    rig_free(r);
}

/* An answer is that of the request of its number, and says the same of it. */
static void answers_are_of_requests(void **state)
{
    struct rig *r = CHIP("gfx90a", traffic, 1);
    static struct event open[8][3][4096];
    uint32_t most[LEVEL_COUNT + 1] = {0};
    struct log l;

    (void)state;
    memset(open, 0, sizeof open);
    run(r, EVENT_BIT(EVENT_REQUEST) | EVENT_BIT(EVENT_ANSWER), &l, 1, 0);
    for (size_t k = 0; k < l.count; k++) {
        const struct event *e = &l.event[k];
        struct event *o;

        if (e->request.number == EVENT_NO_TOKEN)
            continue;
        assert_true(e->request.number < 4096);
        o = &open[e->cu][e->request.port][e->request.number];
        if (e->kind == EVENT_REQUEST) {
            assert_int_equal(o->kind, 0);
            *o = *e;
            continue;
        }
        assert_int_equal(o->kind, EVENT_REQUEST);
        assert_int_equal(e->at - o->at, e->request.latency_cycles);
        assert_int_equal(e->request.addr, o->request.addr);
        assert_int_equal(e->pc, o->pc);
        assert_int_equal(e->group, o->group);
        assert_int_equal(e->slot, o->slot);
        /* one that is merged into an earlier miss waits for less than that one */
        if (e->request.latency_cycles > most[e->level])
            most[e->level] = e->request.latency_cycles;
        o->kind = 0;
    }
    assert_true(most[LEVEL_VL0] > 0 && most[LEVEL_VL0] < most[LEVEL_L2] && most[LEVEL_L2] < most[LEVEL_COUNT]);
    assert_true(most[LEVEL_COUNT] >= r->profile.dram.latency_cycles);
    log_free(&l);
    rig_free(r);
}

/* Runs that end before their waves do: the stalls of these end where the report ends. */
/* Each memory instruction completes once, after its issue; what an ALU computes is ready after it, too. */
static void completions_are_of_issues(void **state)
{
    struct rig *r = CHIP("gfx90a", traffic, 2);
    uint64_t memory = 0, results = 0;
    struct log l;

    (void)state;
    run(r, EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_COMPLETE), &l, 1, 0);
    for (size_t k = 0; k < l.count; k++) {
        const struct event *e = &l.event[k], *o = NULL;

        if (e->kind == EVENT_ISSUE) {
            enum op_category c = op_class_category[e->issue.cls];
            bool alu = c == OPCAT_VALU || c == OPCAT_SALU;

            memory += c == OPCAT_VMEM || c == OPCAT_SMEM || c == OPCAT_LDS;
            results += e->issue.result_cycles != 0;
            assert_true(alu == (e->issue.result_cycles != 0));
            assert_true(e->issue.lanes == UINT64_MAX);
            continue;
        }
        for (size_t n = 0; n < k && !o; n++)
            if (l.event[n].kind == EVENT_ISSUE && l.event[n].pc == e->pc && l.event[n].group == e->group &&
                l.event[n].wave == e->wave && l.event[n].at == e->complete.issued)
                o = &l.event[n];
        assert_non_null(o);
        assert_true(e->at > o->at && e->cu == o->cu && e->simd == o->simd && e->slot == o->slot);
        assert_true(e->complete.requested == (op_class_category[o->issue.cls] != OPCAT_LDS));
        assert_true(e->level <= LEVEL_COUNT);
    }
    assert_int_equal(l.of[EVENT_COMPLETE], memory);
    assert_true(memory > 0 && results > 0);
    log_free(&l);
    rig_free(r);
}

static void runs_that_stop_early(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 6; which++) {
        struct rig *r = which == 3 ? CHIP("gfx1201", stuck, 1) : CHIP("gfx90a", traffic, 2);
        struct engine_result quiet;
        struct log l;

        r->options.max_cycles = which == 0 ? 1234 : 0;
        r->options.max_instructions = which == 1 ? 1000 : 0;
        r->options.tick_every_cycle = which >= 4;
        if (which == 4)
            r->options.max_cycles = 777;
        if (which == 2 || which == 5)
            r->state.user_sgprs[1] = 0x7fff; /* no memory there */
        run(r, 0, &l, 1, 0);
        quiet = r->result;
        assert_int_equal(quiet.outcome, which == 0 || which == 1 || which == 4 ? ENGINE_LIMIT : ENGINE_FAULT);
        run(r, EVENT_ALL, &l, 3, 0);
        assert_memory_equal(&quiet, &r->result, sizeof quiet);
        assert_stalls_add_up(r, &l);
        log_free(&l);
        rig_free(r);
    }
}

/* Each consumer gets the kinds it has asked for and no others (take() asserts that), and all of these. */
static void consumers_choose(void **state)
{
    struct rig *r = CHIP("gfx1201", rdna, 2);
    struct log all, some[2] = {{.kinds = EVENT_BIT(EVENT_ISSUE)},
                               {.kinds = EVENT_BIT(EVENT_STALL_END) | EVENT_BIT(EVENT_WAVE_END)}};
    struct event_consumer second = {.kinds = some[1].kinds, .ctx = &some[1], .take = take_events},
                          first = {.next = &second, .kinds = some[0].kinds, .ctx = &some[0], .take = take_events};

    (void)state;
    run(r, EVENT_ALL, &all, 1, 0);
    r->options.consumers = &first;
    assert_int_equal(timing_run_chip(&r->launch, &r->options, NULL, 0, &r->result, &r->err), 0);
    for (unsigned n = 0; n < 2; n++) {
        size_t at = 0;

        for (size_t k = 0; k < all.count; k++) {
            if (!(some[n].kinds & EVENT_BIT(all.event[k].kind)))
                continue;
            assert_true(at < some[n].count);
            assert_memory_equal(&some[n].event[at++], &all.event[k], sizeof all.event[k]);
        }
        assert_int_equal(at, some[n].count);
        log_free(&some[n]);
    }
    log_free(&all);
    rig_free(r);
}

/* Who listens to one kind alone gets the events that he would get of it among all. */
/* A consumer that wants one compute unit costs nothing elsewhere, and gets of that one what it would get without
 * others.
 */
static void one_compute_unit(void **state)
{
    struct rig *r = chip("gfx90a", WORDS("gfx90a", traffic), 2);
    struct event_cus cus = {0};
    struct log all = {0}, one = {.kinds = EVENT_ALL};
    struct event_consumer c = {.kinds = EVENT_ALL, .cus = &cus, .ctx = &one, .take = take_events};
    uint64_t cycles, expected = 0;
    (void)state;

    run(r, EVENT_ALL, &all, 1, 0);
    cycles = r->result.stat[STAT_CYCLES];
    event_want_cu(&cus, 3);
    r->options.shared_consumers = &c;
    r->options.event_tag = 7;
    run(r, 0, &(struct log){0}, 2, 0);
    assert_int_equal(r->result.stat[STAT_CYCLES], cycles);
    for (size_t k = 0, n = 0; k < all.count; k++) {
        struct event e = all.event[k];

        if (e.kind == EVENT_CACHE_FILL || e.kind == EVENT_CACHE_EVICT || e.cu != 3)
            continue;
        while (n < one.count && (one.event[n].kind == EVENT_CACHE_FILL || one.event[n].kind == EVENT_CACHE_EVICT))
            n++;
        assert_true(n < one.count);
        assert_int_equal(one.event[n].dispatch, e.kind == EVENT_CACHE_HIT ? 0 : 7);
        e.dispatch = one.event[n].dispatch;
        if (e.kind == EVENT_REQUEST || e.kind == EVENT_ANSWER) /* numbers depend on who else asks */
            e.request.number = one.event[n].request.number;
        assert_memory_equal(&one.event[n], &e, sizeof e);
        n++;
        expected++;
    }
    assert_true(expected > 1000);
    for (size_t k = 0; k < one.count; k++)
        assert_true(one.event[k].cu == 3 || one.event[k].kind == EVENT_CACHE_FILL ||
                    one.event[k].kind == EVENT_CACHE_EVICT);
    log_free(&all);
    log_free(&one);
    rig_free(r);
}

static void each_kind_alone(void **state)
{
    (void)state;
    for (unsigned target = 0; target < 2; target++) {
        struct rig *r = target ? CHIP("gfx1201", rdna, 2) : CHIP("gfx90a", traffic, 2);
        struct log all;

        rig_groups(r, 6);
        run(r, EVENT_ALL, &all, 1, 0);
        for (unsigned kind = 0; kind < EVENT_KIND_COUNT; kind++) {
            struct log one;
            size_t at = 0;

            run(r, EVENT_BIT(kind), &one, 1, 0);
            assert_int_equal(one.count, all.of[kind]);
            for (size_t k = 0; k < all.count; k++)
                if (all.event[k].kind == kind && memcmp(&one.event[at++], &all.event[k], sizeof all.event[k]))
                    fail_msg("%s: event %zu alone differs from that among all", event_kind_key[kind], at - 1);
            log_free(&one);
        }
        log_free(&all);
        rig_free(r);
    }
}

/* Issues after a barrier say when it was open. */
static void issues_tell_the_barrier(void **state)
{
    struct rig *r = CHIP("gfx1201", rdna, 2);
    cycle_t release[GROUPS] = {0};
    unsigned waits = 0;
    struct log l;

    (void)state;
    run(r, EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_BARRIER_COMPLETE), &l, 1, 0);
    for (size_t k = 0; k < l.count; k++) {
        const struct event *e = &l.event[k];

        if (e->kind == EVENT_BARRIER_COMPLETE) {
            assert_int_equal(e->barrier.release, e->at + r->profile.frontend.barrier_release_cycles);
            release[e->group] = e->barrier.release;
        } else {
            /* before the wave has passed the barrier it may know already */
            assert_true(e->issue.barrier_release == release[e->group] || !e->issue.barrier_release);
            if (e->pc == RIG_BASE + 14 * 4) { /* what follows the wait */
                assert_int_equal(e->issue.barrier_release, release[e->group]);
                assert_true(e->at >= release[e->group]);
                waits++;
            }
        }
    }
    assert_int_equal(waits, 2 * GROUPS);
    log_free(&l);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_epochs_and_jumps_change_nothing),
        cmocka_unit_test(as_many_as_the_result_counts),
        cmocka_unit_test(answers_are_of_requests),
        cmocka_unit_test(completions_are_of_issues),
        cmocka_unit_test(runs_that_stop_early),
        cmocka_unit_test(consumers_choose),
        cmocka_unit_test(one_compute_unit),
        cmocka_unit_test(each_kind_alone),
        cmocka_unit_test(issues_tell_the_barrier),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
