/* Waves to the cycle: when they are launched and where, when what they held goes to others, when they end. */
#include "tests/timing/rig.h"

#define FIRST 40

static cycle_t issue_in_group(const struct rig *r, uint64_t group, uint32_t wave, unsigned word)
{
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].group == group && r->event[k].wave == wave && r->event[k].pc == RIG_BASE + 4 * word)
            return r->event[k].at;
    return CYCLE_NEVER;
}

static uint32_t simd_of(const struct rig *r, uint64_t group, uint32_t wave)
{
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].group == group && r->event[k].wave == wave)
            return r->event[k].simd;
    return UINT32_MAX;
}

static void launch_latency_and_interval(void **state)
{
    static const char rdna[] = "s_nop 0; s_endpgm";
    static const char gcn[] = "s_nop 0; s_endpgm";
    struct rig *r;

    (void)state;
    for (uint32_t interval = 1; interval <= 4; interval += 3) {
        r = rig_text("gfx1201", rdna, 32, 4);
        r->profile.frontend.wave_launch_interval_cycles = interval;
        r->profile.frontend.launch_latency_cycles = 46;
        rig_run(r);
        for (uint32_t w = 0; w < 4; w++)
            assert_int_equal(rig_issue_of(r, w, 0, 0), 46 + w * interval);
        rig_free(r);
    }
    r = rig_text("gfx90a", gcn, 64, 2);
    r->profile.frontend.launch_latency_cycles = 47;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 0, 0), 48); /* SIMD 0's turn */
    assert_int_equal(rig_issue_of(r, 1, 0, 0), 53); /* 4 + 47 = 51; SIMD 1's turn */
    /* stopped a cycle before, nothing has issued */
    r->options.max_cycles = 47;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 0);
    rig_free(r);
}

/* One wave at a time: the next one starts when the dispatcher has got back what the first one held. */
static void slots_come_back_after_a_while(void **state)
{
    static const char rdna[] = "s_nop 0; s_endpgm";
    static const char gcn[] = "s_nop 0; s_endpgm";

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t release = 0; release <= 73; release += 73) {
            struct rig *r = k ? rig_text("gfx1201", rdna, 32, 1) : rig_text("gfx90a", gcn, 64, 1);
            cycle_t ended;

            rig_groups(r, 2);
            r->launch.scratch_slots = 1;
            r->profile.frontend.wave_release_cycles = release;
            rig_run(r);
            assert_int_equal(r->result.outcome, ENGINE_DONE);
            /* s_endpgm, and endpgm_cycles or the turn of the wave */
            ended = issue_in_group(r, 0, 0, 1) + (k ? 2 : 4);
            assert_int_equal(issue_in_group(r, 1, 0, 0),
                             (ended + release + FIRST + (k ? 0 : 3)) / (k ? 1 : 4) * (k ? 1 : 4));
            rig_free(r);
        }
    }
}

/* Workgroups of two waves on a machine with room for one: its LDS comes back with the last of its waves. */
static void lds_comes_back_with_the_last_wave(void **state)
{
    /* wave 0 sleeps, wave 1 goes */
    static const char code[] = "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 end; s_sleep 2; "
                               "end: s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);
    cycle_t last;

    (void)state;
    rig_groups(r, 2);
    r->launch.wgp_mode = true;
    r->launch.occupancy.lds_alloc_bytes = r->profile.cu.lds_bytes;
    r->profile.cu.lds_per_wgp = true;
    r->profile.frontend.wave_release_cycles = 10;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_true(issue_in_group(r, 0, 1, 4) < issue_in_group(r, 0, 0, 4));
    last = issue_in_group(r, 0, 0, 4) + 2;
    assert_int_equal(issue_in_group(r, 1, 0, 0), last + 10 + FIRST);
    rig_free(r);
}

/* gfx11 and later: vector registers come back by message, long before the store is done and the wave ends. */
static void registers_come_back_by_message(void **state)
{
    static const char with[] =
        "v_mov_b32 v8, 0; global_store_b32 v8, v1, s[0:1]; s_nop 0; s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_endpgm";
    static const char without[] =
        "v_mov_b32 v8, 0; global_store_b32 v8, v1, s[0:1]; s_nop 0; s_sendmsg sendmsg(MSG_HS_TESSFACTOR); s_endpgm";

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rig *r = rig_text("gfx1201", k ? with : without, 32, 1);
        cycle_t message, store;

        rig_groups(r, 2);
        r->profile.cu.simds = 1;
        r->profile.cu.simds_per_lds_port = 1;
        r->profile.gpu.cus_per_wgp = 1;
        r->profile.gpu.cus = 1;
        r->launch.occupancy.vgpr_alloc = 1024; /* all */
        r->profile.frontend.wave_release_cycles = 10;
        r->latency[MEM_PORT_VECTOR] = 500;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        store = issue_in_group(r, 0, 0, 1);
        message = issue_in_group(r, 0, 0, 5);
        if (k)
            assert_int_equal(issue_in_group(r, 1, 0, 0), message + 10 + FIRST);
        else
            assert_int_equal(issue_in_group(r, 1, 0, 0), store + 500 + 10 + FIRST);
        rig_free(r);
    }
}

/* A wave with a store under way keeps its slot until it is done; without, endpgm_cycles. */
static void end_waits_for_stores(void **state)
{
    static const char rdna[] = "v_mov_b32 v8, 0; global_store_b32 v8, v1, s[0:1]; s_endpgm";
    static const char gcn[] = "v_mov_b32 v8, 0; global_store_dword v8, v1, s[0:1]; s_endpgm";
    struct rig *r = rig_text("gfx1201", rdna, 32, 1);

    (void)state;
    r->latency[MEM_PORT_VECTOR] = 300;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_CYCLES], rig_at(r, 1) + 300);
    assert_int_equal(rig_stall(r, "drain"), r->result.stat[STAT_CYCLES] - rig_at(r, 4) - 1);
    rig_free(r);
    r = rig_text("gfx90a", gcn, 64, 1);
    r->latency[MEM_PORT_VECTOR] = 300;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_CYCLES], rig_at(r, 1) + 300);
    rig_free(r);
}

/* ... nor while a vector unit still owes it a result. */
static void end_waits_for_vector_results(void **state)
{
    static const char code[] = "v_rcp_f32 v5, v1; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(r->result.stat[STAT_CYCLES],
                     FIRST + 10); /* the latency of rcp; s_endpgm alone would have ended in 43 */
    rig_free(r);
}

/* The first workgroups of an engine go to one CU of each WGP, the next to the other: SQ thread traces of gfx1100 and
 * gfx1201. Two WGPs of two CUs of two SIMDs here. */
static void halves_of_wgps_take_turns(void **state)
{
    static const char code[] = "s_sleep 64; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    r->profile.gpu.cus = 4;
    rig_groups(r, 6);
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    /* groups 0 and 1: first CUs; 2 and 3: second ones (SIMDs 2 and 3); 4 and 5: first ones, the other SIMD */
    assert_int_equal(simd_of(r, 0, 0), 0);
    assert_int_equal(simd_of(r, 1, 0), 0);
    assert_int_equal(simd_of(r, 2, 0), 2);
    assert_int_equal(simd_of(r, 3, 0), 2);
    assert_int_equal(simd_of(r, 4, 0), 1);
    assert_int_equal(simd_of(r, 5, 0), 1);
    assert_int_equal(r->result.stat[STAT_CUS_USED], 4);
    /* in WGP mode a WGP is one place */
    r->launch.wgp_mode = true;
    rig_run(r);
    assert_int_equal(simd_of(r, 0, 0), 0);
    assert_int_equal(simd_of(r, 2, 0), 1);
    assert_int_equal(simd_of(r, 4, 0), 2);
    rig_free(r);
}

/* Engines launch side by side, a wave each per interval; the second's workgroup is found a cycle later. */
static void engines_launch_side_by_side(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->profile.gpu.shader_engines = 2;
    r->profile.gpu.cus = 2;
    rig_groups(r, 4);
    rig_run(r);
    assert_int_equal(issue_in_group(r, 0, 0, 0), FIRST);
    assert_int_equal(issue_in_group(r, 1, 0, 0), FIRST + 4); /* SIMD 0's next turn */
    assert_int_equal(issue_in_group(r, 2, 0, 0), FIRST + 5); /* 4 later, on SIMD 1 */
    assert_int_equal(issue_in_group(r, 3, 0, 0), FIRST + 5);
    rig_free(r);
}

/* One workgroup per interval, however many dies go through the grid at the same time. */
static void dispatchers_go_through_the_whole_grid(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";

    (void)state;
    for (uint32_t dies = 1; dies <= 4; dies *= 2) {
        struct rig *r = rig_text("gfx90a", code, 64, 1);

        r->profile.gpu.xcds = dies;
        r->profile.gpu.shader_engines = 4;
        r->profile.gpu.cus = 4;
        r->profile.frontend.workgroup_interval_cycles = 100;
        rig_groups(r, 12);
        rig_run(r);
        for (uint64_t n = 0; n < 12; n++)
            assert_int_equal(issue_in_group(r, n, 0, 0), FIRST + 100 * n);
        r->options.max_cycles = FIRST + 1100 - 1;
        rig_run(r);
        assert_int_equal(issue_in_group(r, 11, 0, 0), CYCLE_NEVER);
        rig_free(r);
    }
}

/* The same with every cycle ticked. */
static void ticking_changes_nothing(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; global_store_b32 v8, v1, s[0:1]; s_sleep 1; s_sendmsg sendmsg(MSG_DEALLOC_VGPRS); s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 3);
    struct engine_result jumped;

    (void)state;
    rig_groups(r, 40);
    r->profile.frontend.wave_release_cycles = 73;
    r->launch.prefetch_bytes = 256;
    r->launch.occupancy.vgpr_alloc = 256;
    rig_run(r);
    jumped = r->result;
    r->options.tick_every_cycle = true;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->result.stat[STAT_CYCLES], jumped.stat[STAT_CYCLES]);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        assert_int_equal(r->result.stat[STAT_STALL + k], jumped.stat[STAT_STALL + k]);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(launch_latency_and_interval),
        cmocka_unit_test(slots_come_back_after_a_while),
        cmocka_unit_test(lds_comes_back_with_the_last_wave),
        cmocka_unit_test(registers_come_back_by_message),
        cmocka_unit_test(end_waits_for_stores),
        cmocka_unit_test(end_waits_for_vector_results),
        cmocka_unit_test(halves_of_wgps_take_turns),
        cmocka_unit_test(engines_launch_side_by_side),
        cmocka_unit_test(dispatchers_go_through_the_whole_grid),
        cmocka_unit_test(ticking_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
