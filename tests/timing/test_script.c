/* Recordings that a run follows (clock/script.h), to the cycle: starts, first instructions, waits for memory and paths.
 */
#include "sim/engine/timing/clock/script.h"
#include "tests/timing/rig.h"

#define LAUNCH 40

static void run_script(struct rig *r, const struct timing_script_wave *wave, uint32_t count)
{
    struct timing_script script = {.wave = wave, .count = count};
    struct timing_memory m = {.plug = {.ctx = r, .can_accept = rig_can_accept, .accept = rig_accept},
                              .ctx = r,
                              .tick = rig_tick,
                              .next = rig_next,
                              .pop = rig_pop};
    struct event_consumer issues = {.kinds = EVENT_BIT(EVENT_ISSUE), .ctx = r, .take = rig_issues};
    struct engine_options o = r->options;

    if (!r->launch.workgroup_count)
        rig_groups(r, 1);
    r->events = r->flights = 0;
    o.consumers = &issues;
    for (unsigned every = 0; every < 2; every++) {
        unsigned events = r->events;

        r->events = r->flights = 0;
        o.tick_every_cycle = every;
        assert_int_equal(timing_run_script(&r->launch, &o, &m, &script, &r->result, &r->err), 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        assert_int_equal(r->result.stat[STAT_WAVES_DONE], count);
        if (every)
            assert_int_equal(r->events, events);
    }
}

/* Waves are launched in the recorded cycles, on the recorded SIMDs, and begin after the launch latency, or when the
 * recording says. */
static void starts(void **state)
{
    static const char code[] = "s_nop 0; s_nop 0; s_endpgm";
    static const struct timing_script_wave wave[] = {
        {.start = 100, .number = 0, .simd = 1},
        {.start = 100, .number = 1, .simd = 2, .first = 202},
        {.start = 160, .number = 2, .simd = 1, .first = 180}, /* before its launch is over */
    };
    struct rig *r = rig_text("gfx90a", code, 64, 3);

    (void)state;
    run_script(r, wave, 3);
    assert_int_equal(rig_issue_of(r, 0, 0, 0), 100 + LAUNCH + 1); /* the turn of SIMD 1 */
    assert_int_equal(rig_issue_of(r, 0, 1, 0), 100 + LAUNCH + 5);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), 202);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), 206);
    assert_int_equal(rig_issue_of(r, 2, 0, 0), 181);
    for (unsigned k = 0; k < r->events; k++)
        assert_int_equal(r->event[k].simd, wave[r->event[k].wave].simd);
    rig_free(r);
}

/* A wave whose SIMD is full starts when a slot is free; those after it on other SIMDs do not wait for it. */
static void full_simds(void **state)
{
    static const char code[] = "s_sleep 2; s_endpgm";
    static const struct timing_script_wave wave[] = {
        {.start = 10, .group = 0, .simd = 0},
        {.start = 20, .group = 1, .simd = 0},
        {.start = 30, .group = 2, .simd = 3},
        {.start = 600, .group = 3, .simd = 0},
    };
    struct rig *r = rig_text("gfx90a", code, 64, 1);
    cycle_t at[4];

    (void)state;
    r->profile.cu.wave_slots_per_simd = 1;
    rig_groups(r, 4);
    run_script(r, wave, 4);
    assert_int_equal(r->events, 8);
    for (unsigned k = 0; k < 8; k++)
        if (r->event[k].pc == RIG_BASE)
            at[r->event[k].group] = r->event[k].at;
    assert_int_equal(at[0], 52); /* 10 and the launch, then the turn */
    assert_int_equal(at[2], 30 + LAUNCH + 1);
    /* the first one sleeps to 128 (whole units of 64 cycles), ends in 128, and its slot is free two cycles after */
    assert_int_equal(at[1], 130 + LAUNCH + 2);
    assert_int_equal(at[3], 600 + LAUNCH);
    rig_free(r);
}

/* The n-th wait for memory ends when the recording says, whatever memory does; beyond the recorded ones at once. */
static void waits_end_as_recorded(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_load_dword s8, s[0:1], 0x0; "
        "s_waitcnt lgkmcnt(0); global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    static const cycle_t end[] = {0, 400, 804};
    static const struct timing_script_wave wave[] = {{.start = 0, .wait_end = end, .wait_count = 3}},
                                           few[] = {{.start = 0, .wait_end = end, .wait_count = 2}};
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    run_script(r, wave, 1);
    cycle_t first = rig_at(r, 3);
    assert_true(first < 100); /* recorded as past: no wait at all */
    assert_int_equal(rig_at(r, 6), 400);
    assert_int_equal(rig_at(r, 9), 804);
    assert_int_equal(rig_at(r, 10), 808);
    run_script(r, few, 1);
    assert_int_equal(rig_at(r, 6), 400);
    assert_int_equal(rig_at(r, 9), 408);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), 400 - rig_at(r, 4) - 4);
    rig_free(r);
}

/* A wave goes from pc to pc as recorded: past a branch that the program would take, over words that are no instruction,
 * and ends with its path. */
static void paths(void **state)
{
    static const char code[] = "s_nop 0; s_branch skip; s_mov_b32 s4, 0; "
                               "skip: .long 0xbf9fffff; " /* none */
                               "s_nop 0; s_endpgm";
    static const gaddr_t path[] = {RIG_BASE, RIG_BASE + 4, RIG_BASE + 8, RIG_BASE + 12, RIG_BASE + 8, RIG_BASE + 16};
    static const struct timing_script_wave wave[] = {{.start = 0, .path = path, .path_count = 6}};
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    run_script(r, wave, 1);
    assert_int_equal(r->events, 6);
    for (unsigned k = 0; k < 6; k++) {
        assert_int_equal(r->event[k].pc, path[k]);
        if (k)
            assert_true(r->event[k].at > r->event[k - 1].at);
    }
    assert_int_equal(rig_issue_of(r, 0, 5, 0), CYCLE_NEVER); /* the end is not on the path */
    rig_free(r);
}

/* A first instruction that sleeps is over in the recorded cycle. */
static void first_ends(void **state)
{
    static const char code[] = "s_sleep 16; s_nop 0; s_endpgm";
    static const struct timing_script_wave wave[] = {{.start = 0, .first = 303, .first_ends = true}};
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    run_script(r, wave, 1);
    assert_int_equal(rig_at(r, 0), LAUNCH);
    assert_int_equal(rig_at(r, 1), 304); /* held to the cycle after, a turn of its SIMD; alone it would sleep to 1088 */
    rig_free(r);
}

/* On the memory of the profile epochs are as short as a cycle, so that starts are exact; the page of the code has been
 * walked for when the recording says so. */
static void on_a_chip(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    cycle_t first[2];

    (void)state;
    for (unsigned perfect = 0; perfect < 2; perfect++) {
        for (unsigned known = 0; known < 2; known++) {
            struct timing_script_wave wave[] = {{.start = 1001, .number = 0, .simd = 0},
                                                {.start = 1003, .number = 1, .simd = 1}};
            struct timing_script script = {.wave = wave, .count = 2, .code_known = known};
            struct rig *r = rig_text("gfx90a", code, 64, 2);
            struct event_consumer issues = {.kinds = EVENT_BIT(EVENT_ISSUE), .ctx = r, .take = rig_issues};

            rig_groups(r, 1);
            r->profile.frontend.launch_latency_cycles = 600; /* longer than the first fetch */
            r->profile.tlb = (struct profile_tlb){.page_bytes = 2 << 20,
                                                  .utcl1_entries = 8,
                                                  .utcl1_miss_cycles = 84,
                                                  .utcl2_entries = 64,
                                                  .utcl2_ways = 16,
                                                  .walk_levels = 2,
                                                  .walk_read_cycles = 1000,
                                                  .walkers = 4};
            r->options.consumers = &issues;
            r->options.perfect_memory = perfect;
            assert_int_equal(timing_run_chip(&r->launch, &r->options, &script, 0, &r->result, &r->err), 0);
            assert_int_equal(r->result.outcome, ENGINE_DONE);
            first[known] = rig_issue_of(r, 0, 0, 0);
            if (perfect || known) {
                assert_int_equal(first[known], 1001 + 600 + 3); /* the turn of SIMD 0, and of 1 */
                assert_int_equal(rig_issue_of(r, 1, 0, 0), 1003 + 600 + 2);
            }
            rig_free(r);
        }
        if (!perfect)
            assert_true(first[0] >= 1001 + 1000); /* a table has to be read */
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts), cmocka_unit_test(full_simds), cmocka_unit_test(waits_end_as_recorded),
        cmocka_unit_test(paths),  cmocka_unit_test(first_ends), cmocka_unit_test(on_a_chip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
