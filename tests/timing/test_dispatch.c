/* Workgroups over SIMDs and CUs: rate, resources, and how runs end early. */
#include <stdio.h>

#include "tests/timing/rig.h"

#define FIRST 40

static void waves_start_at_the_launch_interval(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 3);

    (void)state;
    rig_run(r);
    /* a wave every 4 cycles, each on the next SIMD, whose turn is a cycle later */
    assert_int_equal(rig_issue_of(r, 0, 0, 0), FIRST);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + 5);
    assert_int_equal(rig_issue_of(r, 2, 0, 0), FIRST + 10);
    rig_free(r);
}

static unsigned most_at_once(const struct rig *r, const char *what)
{
    /* workgroups whose first instruction came before the first one's end */
    unsigned n = 0;

    (void)what;
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == RIG_BASE && r->event[k].at < rig_issue_of(r, 0, 1, 0))
            n++;
    return n;
}

/* One-wave workgroups that sleep: as many start before the first one wakes as resources allow. */
static void resources_limit_the_waves_of_a_cu(void **state)
{
    static const char code[] = "s_sleep 64; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_groups(r, 64);
    r->launch.occupancy.lds_alloc_bytes = 0;
    rig_run(r);
    assert_int_equal(most_at_once(r, "wave slots"), 4 * 8);
    r->launch.occupancy.vgpr_alloc = 128; /* of 512 */
    rig_run(r);
    assert_int_equal(most_at_once(r, "registers"), 4 * 4);
    r->launch.occupancy.vgpr_alloc = 16;
    r->launch.occupancy.lds_alloc_bytes = 65536 / 5;
    rig_run(r);
    assert_int_equal(most_at_once(r, "LDS"), 5);
    r->launch.occupancy.lds_alloc_bytes = 0;
    r->launch.scratch_slots = 7;
    rig_run(r);
    assert_int_equal(most_at_once(r, "scratch"), 7);
    assert_int_equal(r->result.stat[STAT_WORKGROUPS_DONE], 64);
    rig_free(r);
}

static void barrier_slots_limit_workgroups(void **state)
{
    static const char code[] = "s_sleep 64; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 2);

    (void)state;
    rig_groups(r, 16);
    r->launch.occupancy.lds_alloc_bytes = 0;
    r->profile.cu.max_multiwave_workgroups = 3;
    rig_run(r);
    assert_int_equal(most_at_once(r, "barriers"), 3 * 2);
    rig_free(r);
}

static void waves_go_to_the_least_loaded_simd(void **state)
{
    static const char code[] = "s_sleep 1; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);
    unsigned on[4] = {0};

    (void)state;
    rig_groups(r, 8);
    rig_run(r);
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == RIG_BASE)
            on[r->event[k].simd]++;
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(on[k], 2);
    rig_free(r);
}

static void cu_mode_keeps_a_workgroup_in_one_half(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 4);
    unsigned high = 0;

    (void)state;
    rig_run(r);
    for (unsigned k = 0; k < r->events; k++)
        assert_true(r->event[k].simd < 2);
    r->launch.wgp_mode = true;
    rig_run(r);
    for (unsigned k = 0; k < r->events; k++)
        high += r->event[k].simd >= 2;
    assert_int_equal(high, 2 * 2); /* two of the four waves, two instructions each */
    rig_free(r);
}

static void older_wave_first_unless_priority_says_otherwise(void **state)
{
    /* wave 1 (id 64 in its first lane) raises its priority; both then run the same loop-free stretch on one SIMD */
    static const char code[] = "v_readfirstlane_b32 s6, v0; s_cmp_eq_u32 s6, 0; s_cbranch_scc1 skip; s_setprio 3; "
                               "skip: s_barrier; v_rcp_f32 v5, v1; v_rcp_f32 v5, v1; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 2);

    (void)state;
    r->profile.cu.simds = 1;
    r->profile.cu.simds_per_lds_port = 1;
    rig_run(r);
    assert_int_equal(r->status, 0);
    /* both are free at the same time; wave 1 goes first, twice */
    assert_int_equal(rig_issue_of(r, 1, 6, 0), rig_issue_of(r, 1, 5, 0) + 16);
    assert_int_equal(rig_issue_of(r, 0, 5, 0), rig_issue_of(r, 1, 6, 0) + 16);
    r->code[3] = S_NOP_0;
    rig_free(r);

    uint32_t plain[8];
    memcpy(plain, assemble("gfx90a", code).word, sizeof plain);
    plain[3] = S_NOP_0;
    r = RIG_NEW("gfx90a", plain, 64, 2);
    r->profile.cu.simds = 1;
    r->profile.cu.simds_per_lds_port = 1;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 6, 0), rig_issue_of(r, 0, 5, 0) + 16);
    assert_int_equal(rig_issue_of(r, 1, 5, 0), rig_issue_of(r, 0, 6, 0) + 16);
    rig_free(r);
}

static void endless_loop_meets_the_limit(void **state)
{
    static const char code[] = "loop: s_branch loop";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->options.max_cycles = 5000;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(r->result.stat[STAT_CYCLES], 5000);
    assert_non_null(strstr(r->result.message, "5000 cycles"));
    assert_int_equal(r->result.stat[STAT_RESIDENT_WAVE_CYCLES], 5000);
    r->options.max_cycles = 0;
    r->options.max_instructions = 10;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 10);
    rig_free(r);
}

static void abort_flag_ends_the_run(void **state)
{
    static const char code[] = "loop: s_branch loop";
    struct rig *r = rig_text("gfx90a", code, 64, 1);
    int flag = 1;

    (void)state;
    r->options.abort_flag = &flag;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_INTERRUPTED);
    rig_free(r);
}

static int stop_at_once(void *ctx, const struct engine_progress *p)
{
    assert_int_equal(p->groups_done, 0);
    assert_int_equal(p->groups, 1);
    ++*(int *)ctx;
    return 1;
}

static void progress_can_stop_the_run(void **state)
{
    static const char code[] = "loop: s_branch loop";
    struct rig *r = rig_text("gfx90a", code, 64, 1);
    int calls = 0;

    (void)state;
    r->options.progress = stop_at_once;
    r->options.progress_ctx = &calls;
    rig_run(r);
    assert_int_equal(calls, 1);
    assert_int_equal(r->result.outcome, ENGINE_INTERRUPTED);
    rig_free(r);
}

static void faults_name_the_wave(void **state)
{
    static const char outside[] = "s_nop 0; s_branch 1; s_endpgm";
    static const char illegal[] = "s_nop 0; .long 0xffffffff; s_endpgm";
    struct rig *r = rig_text("gfx90a", outside, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault.kind, FAULT_PC);
    assert_int_equal(r->result.fault.pc, RIG_BASE + 12);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 2);
    rig_free(r);
    r = rig_text("gfx90a", illegal, 64, 1);
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault.kind, FAULT_ILLEGAL);
    assert_int_equal(r->result.fault.pc, RIG_BASE + 4);
    rig_free(r);
}

/* s_barrier_wait without anybody's signal: nothing will ever happen. */
static void deadlock_is_found(void **state)
{
    static const char code[] = "s_barrier_wait 0xffff; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault_kind, ENGINE_FAULT_DEADLOCK);
    assert_string_equal(r->result.message,
                        "deadlock: 0 of 2 waves have arrived at the workgroup's barrier; of the workgroup's 2 "
                        "waves, 2 wait for it and 0 have ended");
    assert_int_equal(r->result.fault.pc, RIG_BASE);
    rig_free(r);
}

/* One of two waves has ended without the signal that the other one waits for. */
static void deadlock_of_the_last_wave(void **state)
{
    /* s6 is the number of the wave's first work-item: wave 0 jumps over the wait */
    static const char code[] =
        "v_readfirstlane_b32 s6, v0; s_cmp_eq_u32 s6, 0; s_cbranch_scc1 end; s_barrier_wait 0xffff; "
        "end: s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.fault_kind, ENGINE_FAULT_DEADLOCK);
    assert_non_null(strstr(r->result.message, "0 of 1 waves have arrived at the workgroup's barrier; of the "
                                              "workgroup's 2 waves, 1 waits for it and 1 has ended"));
    assert_int_equal(r->result.fault.pc, RIG_BASE + 12);
    rig_free(r);
}

/* A wave that sleeps until another one wakes it, and there is none. */
static void deadlock_of_a_sleeper(void **state)
{
    static const char code[] = "s_nop 0; s_sleep 0x8000; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->result.fault_kind, ENGINE_FAULT_DEADLOCK);
    assert_string_equal(r->result.message, "deadlock: no wave can go on; this one sleeps until another wave of its "
                                           "workgroup wakes it (s_wakeup)");
    assert_int_equal(r->result.fault.pc, RIG_BASE + 4);
    rig_free(r);
}

static void too_large_a_workgroup_is_refused(void **state)
{
    static const char code[] = "s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 16);

    (void)state;
    r->launch.occupancy.vgpr_alloc = 256; /* two waves on a SIMD, eight on the CU */
    rig_run(r);
    assert_int_not_equal(r->status, 0);
    assert_int_equal(r->err.code, ERR_USAGE);
    assert_non_null(strstr(r->err.text, "16 waves with 256 VGPRs"));
    rig_free(r);
}

static void timing_needs_a_profile(void **state)
{
    static const char code[] = "s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->launch.profile = NULL;
    assert_int_not_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_non_null(strstr(r->err.text, "gfx90a"));
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_start_at_the_launch_interval),
        cmocka_unit_test(resources_limit_the_waves_of_a_cu),
        cmocka_unit_test(barrier_slots_limit_workgroups),
        cmocka_unit_test(waves_go_to_the_least_loaded_simd),
        cmocka_unit_test(cu_mode_keeps_a_workgroup_in_one_half),
        cmocka_unit_test(older_wave_first_unless_priority_says_otherwise),
        cmocka_unit_test(endless_loop_meets_the_limit),
        cmocka_unit_test(abort_flag_ends_the_run),
        cmocka_unit_test(progress_can_stop_the_run),
        cmocka_unit_test(faults_name_the_wave),
        cmocka_unit_test(deadlock_is_found),
        cmocka_unit_test(deadlock_of_the_last_wave),
        cmocka_unit_test(deadlock_of_a_sleeper),
        cmocka_unit_test(too_large_a_workgroup_is_refused),
        cmocka_unit_test(timing_needs_a_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
