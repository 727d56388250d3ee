/* The turn of an issue: its cycles are "issued", whatever the wave does after them, also where a run stops in its
 * middle; and what comes while it lasts is in time for its end. What a wave does at the end of its turn is decided at
 * the issue (docs/adr/0004-timing-engine.md, "Decided at the issue"); these are the cases in which something happens in
 * between. */
#include "tests/timing/rig.h"

enum { MAX_LATENCY = 40 };

/* Every reason, in a run that jumps and in one that ticks every cycle. */
static void same_ticked(struct rig *r)
{
    struct engine_result jumped = r->result;

    r->options.tick_every_cycle = true;
    rig_run(r);
    r->options.tick_every_cycle = false;
    assert_int_equal(r->result.stat[STAT_CYCLES], jumped.stat[STAT_CYCLES]);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (r->result.stat[STAT_STALL + k] != jumped.stat[STAT_STALL + k])
            fail_msg("stopped in cycle %llu: %s %llu cycles ticked, %llu jumped",
                     (unsigned long long)jumped.stat[STAT_CYCLES], timing_stall_key[k],
                     (unsigned long long)r->result.stat[STAT_STALL + k],
                     (unsigned long long)jumped.stat[STAT_STALL + k]);
}

/* Stopped in each of its cycles: an issue has held its wave's turn from then to the stop, `turn` cycles at most. */
static void check_stops(struct rig *r, cycle_t turn)
{
    cycle_t end;

    rig_run(r);
    assert_int_equal(r->status, 0);
    end = r->result.stat[STAT_CYCLES];
    for (cycle_t stop = 1; stop < end; stop++) {
        uint64_t issued = 0;

        r->options.max_cycles = stop;
        rig_run(r);
        for (unsigned k = 0; k < r->events; k++) {
            cycle_t had = r->result.stat[STAT_CYCLES] - r->event[k].at;

            issued += had < turn ? had : turn;
        }
        if (rig_stall(r, "issued") != issued)
            fail_msg("stopped in cycle %llu: issued %llu cycles, expected %llu", (unsigned long long)stop,
                     (unsigned long long)rig_stall(r, "issued"), (unsigned long long)issued);
        same_ticked(r);
    }
    rig_free(r);
}

/* Two waves on each SIMD: dependent and independent VALU, LDS, memory, a barrier, a branch. */
static void test_stops_on_gcn(void **state)
{
    static const char code[] =
        "s_load_dword s8, s[0:1], 0x0; v_lshlrev_b32 v8, 2, v0; ds_write_b32 v8, v1; v_add_f32 v0, v1, v2; "
        "v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; s_waitcnt lgkmcnt(0); global_store_dword v8, v1, s[0:1]; s_barrier; "
        "s_branch skip; s_nop 0; "
        "skip: s_mov_b32 s4, 0; s_add_u32 s5, s4, 1; s_nop 2; s_waitcnt vmcnt(0); s_sleep 1; s_endpgm";

    (void)state;
    check_stops(rig_text("gfx90a", code, 64, 8), 4);
}

static void test_stops_on_rdna(void **state)
{
    static const char code[] =
        "s_load_b32 s8, s[0:1], 0x0; v_mov_b32 v8, 0; v_add_f32 v0, v1, v2; v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; "
        "s_wait_kmcnt 0x0; s_barrier_signal -1; s_barrier_wait 0xffff; s_branch skip; s_nop 0; "
        "skip: s_mov_b32 s4, 0; s_add_co_u32 s5, s4, 1; s_nop 2; s_endpgm";

    (void)state;
    check_stops(rig_text("gfx1201", code, 32, 8), 1);
}

/* The wait comes after a load and an addition. It issues with the visit in which the turn of the addition is over and
 * the data is there: no visit before, not the one after, in whichever cycle of the turn it came. */
static void check_completion(struct rig *r, unsigned wait, cycle_t turn)
{
    for (uint32_t latency = 1; latency <= MAX_LATENCY; latency++) {
        cycle_t wanted = (latency + turn - 1) / turn * turn;

        wanted = wanted > 2 * turn ? wanted : 2 * turn;
        r->latency[MEM_PORT_SCALAR] = latency;
        r->options.max_cycles = 0;
        rig_run(r);
        assert_int_equal(rig_at(r, 2) - rig_at(r, 0), turn);
        if (rig_at(r, wait) - rig_at(r, 0) != wanted)
            fail_msg("data after %u cycles: the wait %llu cycles after the load, expected %llu", latency,
                     (unsigned long long)(rig_at(r, wait) - rig_at(r, 0)), (unsigned long long)wanted);
        same_ticked(r);
        r->options.max_cycles = rig_at(r, wait) - 1;
        rig_run(r);
        assert_int_equal(rig_at(r, wait), CYCLE_NEVER);
    }
    rig_free(r);
}

static void test_completion_in_a_turn(void **state)
{
    static const char gcn[] = "s_load_dword s8, s[0:1], 0x0; v_add_f32 v4, v1, v2; s_waitcnt lgkmcnt(0); s_endpgm";
    static const char rdna[] = "s_load_b32 s8, s[0:1], 0x0; v_add_f32 v4, v1, v2; s_wait_kmcnt 0x0; s_endpgm";

    (void)state;
    check_completion(rig_text("gfx90a", gcn, 64, 1), 3, 4);
    check_completion(rig_text("gfx1201", rdna, 32, 1), 3, 1);
}

/* From the end of wave 0's turn in cycle `from` on, one wave of its SIMD waits for a VALU that is taken until `to`:
 * each of these cycles is the VALU's, none is arbitration's; though nothing happens in them, and no visit is made. */
static void check_busy(struct rig *r, cycle_t from, cycle_t to)
{
    uint64_t lost;

    r->options.max_cycles = from;
    rig_run(r);
    lost = rig_stall(r, "arbitration");
    for (cycle_t stop = from; stop <= to; stop++) {
        r->options.max_cycles = stop;
        rig_run(r);
        assert_int_equal(rig_stall(r, "unit_busy_valu"), stop - from);
        assert_int_equal(rig_stall(r, "arbitration"), lost);
        same_ticked(r);
    }
}

/* VALU instructions of 16 cycles. One of two waves that pass a barrier together loses the VALU: that visit and the
 * cycles to the next one are arbitration's, then it waits for the VALU. A wave with two of them waits for itself. */
static void test_taken_valu(void **state)
{
    static const char two_waves[] = "s_barrier; v_add_f32 v4, v1, v2; s_endpgm";
    static const char one_wave[] = "v_add_f32 v4, v1, v2; v_add_f32 v0, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx90a", two_waves, 64, 5); /* the first and the last one share a SIMD */
    cycle_t at;

    (void)state;
    r->profile.cls[OPC_VALU_DUAL].issue_cycles_w64 = 16;
    rig_run(r);
    at = rig_issue_of(r, 0, 1, 0);
    assert_int_equal(rig_issue_of(r, 4, 1, 0), at + 16);
    check_busy(r, at + 4, at + 16);
    rig_free(r);

    r = rig_text("gfx90a", one_wave, 64, 1);
    r->profile.cls[OPC_VALU_DUAL].issue_cycles_w64 = 16;
    rig_run(r);
    at = rig_at(r, 0);
    assert_int_equal(rig_at(r, 1), at + 16);
    check_busy(r, at + 4, at + 16);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_on_gcn),
        cmocka_unit_test(test_stops_on_rdna),
        cmocka_unit_test(test_completion_in_a_turn),
        cmocka_unit_test(test_taken_valu),
    };

    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
