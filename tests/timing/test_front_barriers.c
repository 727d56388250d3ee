/* Barriers, sleeps and wake-ups to the cycle. */
#include "tests/timing/rig.h"

#define FIRST 40

/* s_barrier: opens so many cycles after the last wave's arrival, on RDNA in that cycle, on GCN at the SIMD's turn. */
static void barrier_release(void **state)
{
    static const char gcn[] = "s_barrier; s_nop 0; s_endpgm";
    static const char g10[] = "s_barrier; s_nop 0; s_endpgm";
    static const char g11[] = "s_barrier; s_nop 0; s_endpgm";
    static const struct {
        const char *target;
        const char *text;
        uint32_t lanes;
    } family[] = {{"gfx90a", gcn, 64}, {"gfx803", gcn, 64}, {"gfx1030", g10, 32}, {"gfx1100", g11, 32}};

    (void)state;
    for (unsigned k = 0; k < sizeof family / sizeof family[0]; k++)
        for (uint32_t release = 12; release <= 21; release += 9) {
            struct rig *r = rig_text(family[k].target, family[k].text, family[k].lanes, 4);
            cycle_t open;

            r->profile.frontend.barrier_release_cycles = release;
            rig_run(r);
            assert_int_equal(r->result.outcome, ENGINE_DONE);
            open = rig_issue_of(r, 3, 0, 0) + release;
            for (uint32_t w = 0; w < 4; w++) {
                cycle_t at = rig_issue_of(r, w, 1, 0);

                /* GCN: wave w is on SIMD w, whose turn is in cycles 4n + w */
                assert_int_equal(at, family[k].lanes == 32 ? open : open + (w + 4 - open % 4) % 4);
            }
            rig_free(r);
        }
}

/* A workgroup of one wave has nobody to wait for, but the instruction goes the same way. */
static void barrier_of_one(void **state)
{
    static const char code[] = "s_barrier; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1100", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 16);
    rig_free(r);
}

/* gfx12: between signal and wait a wave goes on; a wait after the barrier has opened costs nothing but itself. */
static void signal_early_wait_late(void **state)
{
    static const char code[] = "s_barrier_signal -1; .rept 9; s_nop 2; .endr; s_barrier_wait 0xffff; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    /* wave 1 signals in 44, so it is open in 60; wave 0 waits in 41 + 27 = 68 */
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + 4);
    assert_int_equal(rig_issue_of(r, 0, 10, 0), FIRST + 28);
    assert_int_equal(rig_issue_of(r, 0, 11, 0), FIRST + 29);
    assert_int_equal(rig_stall(r, "barrier"), 0);
    /* a release later than the wait is waited for */
    r->profile.frontend.barrier_release_cycles = 40;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 11, 0), FIRST + 4 + 40);
    rig_free(r);
}

/* A signal keeps its wave for barrier_signal_cycles; what it waits for next may take longer. */
static void signal_takes_its_time(void **state)
{
    static const char code[] = "s_barrier_signal -1; s_nop 0; s_barrier_wait 0xffff; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);

    (void)state;
    r->profile.frontend.barrier_signal_cycles = 3;
    rig_run(r);
    for (uint32_t w = 0; w < 2; w++)
        assert_int_equal(rig_issue_of(r, w, 1, 0), rig_issue_of(r, w, 0, 0) + 3);
    assert_int_equal(rig_issue_of(r, 0, 2, 0), FIRST + 4);
    assert_int_equal(rig_issue_of(r, 0, 3, 0), FIRST + 4 + 16);
    r->options.max_cycles = FIRST + 2;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 1);
    rig_free(r);
}

/* A named barrier of gfx12 for two of three waves: joined, signalled and waited for by its number. */
static void named_barrier(void **state)
{
    /* s_barrier_init of barrier 1 for 2 waves: m0 = 2 << 16 | 1; by wave 0, then all meet */
    static const char code[] =
        "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 meet; s_mov_b32 m0, 0x20001; "
        "s_barrier_init m0; meet: s_barrier_signal -1; s_barrier_wait 0xffff; "
        "s_cmp_lg_u32 s6, 64; s_cbranch_scc1 join; s_branch end; " /* the third wave's first id */
        "join: s_mov_b32 m0, 1; s_barrier_join m0; s_barrier_signal m0; s_barrier_wait 1; s_nop 0; "
        "end: s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 3);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_true(rig_issue_of(r, 2, 13, 0) == CYCLE_NEVER);
    {
        cycle_t last = rig_issue_of(r, 0, 13, 0);

        if (rig_issue_of(r, 1, 13, 0) > last)
            last = rig_issue_of(r, 1, 13, 0);
        assert_int_equal(rig_issue_of(r, 0, 15, 0), last + 16);
        assert_int_equal(rig_issue_of(r, 1, 15, 0), last + 16);
    }
    rig_free(r);
}

/* For waves that sleep until the same tick, on one SIMD: two signals may be under way, the next goes when one is back.
 * SQ thread traces of gfx1100 show 1, 2, 9, 10 and 17 cycles after the tick, gfx1201 1, 2, 10, 11, 19, 20. */
static void signals_of_a_simd(void **state)
{
    static const char g11[] = "s_sleep 4; s_barrier; s_nop 0; s_endpgm";
    static const char g12[] = "s_sleep 4; s_barrier_signal -1; s_barrier_wait 0xffff; s_nop 0; s_endpgm";

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rig *r = k ? rig_text("gfx1201", g12, 32, 5) : rig_text("gfx1100", g11, 32, 5);
        cycle_t first;

        r->profile.cu.simds = 1;
        r->profile.cu.simds_per_lds_port = 1;
        r->profile.gpu.cus_per_wgp = 1;
        r->profile.gpu.cus = 1;
        r->profile.frontend.wave_launch_interval_cycles = 1;
        r->profile.frontend.barrier_messages = 2;
        r->profile.frontend.barrier_message_cycles = 8 + k;
        r->profile.frontend.barrier_count_cycles = k ? 0 : 8;
        r->profile.frontend.barrier_release_cycles = 15;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        first = rig_issue_of(r, 0, 1, 0);
        assert_int_equal(first % 64, 0);
        assert_int_equal(rig_issue_of(r, 1, 1, 0), first + 1);
        assert_int_equal(rig_issue_of(r, 2, 1, 0), first + 8 + k);
        assert_int_equal(rig_issue_of(r, 3, 1, 0), first + 9 + k);
        assert_int_equal(rig_issue_of(r, 4, 1, 0), first + 16 + 2 * k);
        /* gfx11: the barrier counts one of the SIMD every 8 cycles, the fifth 4 times that after the first; gfx12: at
         * once
         */
        for (uint32_t w = 0; w < 5; w++)
            assert_int_equal(rig_issue_of(r, w, 2 + k, 0), first + (k ? 18 : 32) + 15);
        rig_free(r);
    }
}

/* Two waves a cycle apart: open 8 + 15 cycles after the first; further apart than the barrier needs, 15 after the last.
 * Waves of other SIMDs do not hold one another up. */
static void signals_close_together(void **state)
{
    static const char code[] = "s_barrier; s_nop 0; s_endpgm";

    (void)state;
    for (uint32_t apart = 1; apart <= 9; apart += 4)
        for (unsigned simds = 1; simds <= 2; simds++) {
            struct rig *r = rig_text("gfx1100", code, 32, 2);
            cycle_t open;

            r->profile.cu.simds = simds;
            r->profile.cu.simds_per_lds_port = 1;
            r->profile.frontend.wave_launch_interval_cycles = apart;
            r->profile.frontend.barrier_messages = 2;
            r->profile.frontend.barrier_message_cycles = r->profile.frontend.barrier_count_cycles = 8;
            r->profile.frontend.barrier_release_cycles = 15;
            rig_run(r);
            assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + apart);
            open = FIRST + 15 + (simds == 1 && apart < 8 ? 8 : apart);
            assert_int_equal(rig_issue_of(r, 0, 1, 0), open);
            assert_int_equal(rig_issue_of(r, 1, 1, 0), open);
            rig_free(r);
        }
}

/* s_sleep n ends with the n-th tick of a clock of 64 cycles that all waves share, so it takes 64(n-1)+1 to 64n: SQ
 * thread traces of gfx1100 and gfx1201, and the ISA manuals' "1-64 clocks". */
static void sleep_ends_with_a_tick(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t units = 0; units <= 4; units += 2)
            for (uint32_t launch = 60; launch <= 68; launch += 4) {
                char text[80];
                cycle_t end;

                snprintf(text, sizeof text, "s_sleep %u; s_nop 0; s_endpgm", units);
                struct rig *r = rig_text(k ? "gfx1201" : "gfx90a", text, k ? 32 : 64, 1);
                r->profile.frontend.launch_latency_cycles = launch;
                rig_run(r);
                assert_int_equal(rig_at(r, 0), launch);
                end = units ? (launch / 64 + units) * 64 : launch + (k ? 1 : 4);
                assert_int_equal(rig_at(r, 1), end);
                /* a cycle before it has not gone */
                r->options.max_cycles = end - 1;
                rig_run(r);
                assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 1);
                rig_free(r);
            }
}

/* s_wakeup ends the sleep of the other waves of the workgroup, in the cycle after. */
static void wakeup(void **state)
{
    /* wave 0 sleeps; wave 1 wakes it */
    static const char gcn[] =
        "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 skip; s_sleep 0x64; s_nop 0; s_endpgm; "
        "skip: s_wakeup; s_endpgm";
    static const char *const rdna[] = {
        "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 wake; s_sleep 100; s_nop 0; s_endpgm; "
        "wake: s_wakeup; s_endpgm",
        "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 wake; s_sleep 0x8000; s_nop 0; s_endpgm; "
        "wake: s_wakeup; s_endpgm"};
    struct rig *r = rig_text("gfx90a", gcn, 64, 2);
    cycle_t woken;

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    woken = rig_issue_of(r, 1, 6, 0) + 1;
    assert_true(rig_issue_of(r, 0, 3, 0) < woken);
    assert_int_equal(rig_issue_of(r, 0, 4, 0), (woken + 3) / 4 * 4); /* SIMD 0's turn */
    rig_free(r);
    for (unsigned forever = 0; forever < 2; forever++) {
        r = rig_text("gfx1201", rdna[forever], 32, 2);
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        woken = rig_issue_of(r, 1, 6, 0) + 1;
        assert_true(rig_issue_of(r, 0, 3, 0) < woken);
        assert_int_equal(rig_issue_of(r, 0, 4, 0), woken);
        r->options.tick_every_cycle = true;
        rig_run(r);
        assert_int_equal(rig_issue_of(r, 0, 4, 0), woken);
        rig_free(r);
    }
}

/* It leaves waves alone that sit out wait states, and those of other workgroups. */
static void wakeup_of_others(void **state)
{
    static const char nop[] =
        "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 skip; s_nop 15; s_nop 0; s_endpgm; "
        "skip: s_wakeup; s_endpgm";
    static const char alone[] = "s_wakeup; s_sleep 0x64; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", nop, 64, 2);

    (void)state;
    rig_run(r);
    assert_true(rig_issue_of(r, 0, 3, 0) < rig_issue_of(r, 1, 6, 0));
    assert_true(rig_issue_of(r, 1, 6, 0) < rig_issue_of(r, 0, 3, 0) + 16 * 4);
    assert_int_equal(rig_issue_of(r, 0, 4, 0), rig_issue_of(r, 0, 3, 0) + 4 + 16 * 4 - 4);
    rig_free(r);
    r = rig_text("gfx90a", alone, 64, 1);
    rig_groups(r, 2);
    r->profile.frontend.wave_launch_interval_cycles = 50; /* the first one sleeps when the second wakes its own */
    rig_run(r);
    assert_int_equal(r->events, 8);
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == RIG_BASE + 8)
            assert_true(r->event[k].at >= 100 * 64);
    rig_free(r);
}

/* Nobody will ever wake it. */
static void sleeping_forever_is_found(void **state)
{
    static const char code[] = "s_sleep 0x8000; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault_kind, ENGINE_FAULT_DEADLOCK);
    rig_free(r);
}

/* Branch costs are the profile's, taken and not, on both families. */
static void branch_costs(void **state)
{
    static const char gcn_taken[] = "s_branch skip; s_nop 0; "
                                    "skip: s_nop 0; s_endpgm";
    static const char gcn_not[] = "s_cbranch_scc1 skip; s_nop 0; "
                                  "skip: s_nop 0; s_endpgm";
    static const char rdna_taken[] = "s_branch skip; s_nop 0; "
                                     "skip: s_nop 0; s_endpgm";
    static const char rdna_not[] = "s_cbranch_scc1 skip; s_nop 0; "
                                   "skip: s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx803", gcn_taken, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 2), FIRST + 20);
    rig_free(r);
    r = rig_text("gfx803", gcn_not, 64, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    rig_free(r);
    r = rig_text("gfx1201", rdna_taken, 32, 1);
    r->profile.frontend.branch_taken_cycles = 10;
    rig_run(r);
    assert_int_equal(rig_at(r, 2), FIRST + 10);
    r->options.max_cycles = FIRST + 9;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 1);
    rig_free(r);
    r = rig_text("gfx1201", rdna_not, 32, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 3);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier_release),
        cmocka_unit_test(barrier_of_one),
        cmocka_unit_test(signal_early_wait_late),
        cmocka_unit_test(named_barrier),
        cmocka_unit_test(signal_takes_its_time),
        cmocka_unit_test(signals_of_a_simd),
        cmocka_unit_test(signals_close_together),
        cmocka_unit_test(sleep_ends_with_a_tick),
        cmocka_unit_test(wakeup),
        cmocka_unit_test(wakeup_of_others),
        cmocka_unit_test(sleeping_forever_is_found),
        cmocka_unit_test(branch_costs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
