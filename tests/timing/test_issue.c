/* When instructions issue, to the cycle: GCN's round robin and RDNA's every-cycle issue, dependencies, nops, branches,
 * sleeps, barriers. */
#include "tests/timing/rig.h"

/* First issue of wave 0: launch latency, on its SIMD's turn. */
#define FIRST 40

static void gcn_dependent_valu_every_four_cycles(void **state)
{
    static const char code[] = "v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; v_add_f32 v4, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 2), FIRST + 8);
    assert_int_equal(rig_at(r, 3), FIRST + 12);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 4);
    assert_int_equal(r->result.stat[STAT_CATEGORY + OPCAT_VALU], 3);
    /* s_endpgm holds its turn of 4 cycles, longer than endpgm_cycles */
    assert_int_equal(r->result.stat[STAT_CYCLES], FIRST + 16);
    assert_int_equal(r->result.stat[STAT_RESIDENT_WAVE_CYCLES], FIRST + 16);
    assert_int_equal(rig_stall(r, "launch"), FIRST);
    assert_int_equal(rig_stall(r, "issued"), 16);
    rig_free(r);
}

/* The same fact by the clock alone: with the clock stopped at t - 1 it has not issued, at t it has. */
static void not_a_cycle_before(void **state)
{
    static const char code[] = "v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->options.max_cycles = FIRST + 3;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 1);
    assert_int_equal(r->result.stat[STAT_CYCLES], FIRST + 3);
    assert_int_equal(r->result.stat[STAT_RESIDENT_WAVE_CYCLES], FIRST + 3);
    r->options.max_cycles = FIRST + 4;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(r->result.stat[STAT_INSTRUCTIONS], 2);
    rig_free(r);
}

static void gcn_waves_take_turns_by_simd(void **state)
{
    static const char code[] = "v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 8);

    (void)state;
    r->profile.frontend.wave_launch_interval_cycles = 1;
    rig_run(r);
    for (uint32_t w = 0; w < 8; w++)
        for (unsigned word = 0; word < 2; word++) {
            cycle_t at = rig_issue_of(r, w, word, 0);

            assert_int_equal(at % 4, w % 4);
            /* two waves share a SIMD of 4 cycles an instruction, the older one first */
            assert_int_equal(at, FIRST + w % 4 + word * 4 + (w >= 4 ? 8 : 0));
        }
    rig_free(r);
}

static void nop_counts_issue_turns(void **state)
{
    static const char code[] = "s_nop 0; s_nop 2; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 2), FIRST + 4 + 12);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 12 + 4);
    assert_int_equal(rig_stall(r, "nop"), 8);
    rig_free(r);
}

static void gcn_transcendental_holds_the_vector_alu(void **state)
{
    static const char code[] = "v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; s_endpgm";
    static const char apart[] = "v_rcp_f32 v5, v1; v_add_f32 v4, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 16);
    assert_int_equal(rig_stall(r, "dependency_valu"), 12);
    rig_free(r);
    r = rig_text("gfx90a", apart, 64, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 16);
    assert_int_equal(rig_stall(r, "unit_busy_valu"), 12);
    rig_free(r);
}

static void scalar_and_vector_forwarding(void **state)
{
    static const char code[] = "s_mov_b32 s4, 0; s_add_co_u32 s5, s4, 1; s_mov_b32 s4, 0; v_mov_b32 v7, s4; s_endpgm";
    static const char back[] = "v_readfirstlane_b32 s6, v0; s_mov_b32 s7, s6; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 1), FIRST + 2);
    assert_int_equal(rig_at(r, 2), FIRST + 3);
    assert_int_equal(rig_at(r, 3), FIRST + 3 + 6);
    assert_int_equal(rig_stall(r, "dependency_salu"), 1 + 5);
    rig_free(r);
    r = rig_text("gfx1201", back, 32, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 17);
    assert_int_equal(rig_stall(r, "dependency_valu"), 16);
    rig_free(r);
}

/* A dependent instruction goes to the unit and waits there; s_delay_alu makes the wave wait instead. */
static void rdna_dependent_valu(void **state)
{
    static const char plain[] = "v_add_f32 v0, v1, v2; v_add_f32 v3, v0, v2; v_add_f32 v4, v1, v2; s_endpgm";
    static const char told[] =
        "v_add_f32 v0, v1, v2; s_delay_alu instid0(VALU_DEP_1); v_add_f32 v3, v0, v2; v_add_f32 v4, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx1201", plain, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 6);
    assert_int_equal(rig_stall(r, "unit_busy_valu"), 4);
    rig_free(r);
    r = rig_text("gfx1201", told, 32, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 5);
    assert_int_equal(rig_at(r, 3), FIRST + 6);
    assert_int_equal(rig_stall(r, "dependency_valu"), 3);
    rig_free(r);
}

static void rdna_wave64_takes_two_passes(void **state)
{
    static const char code[] = "v_add_f32 v0, v1, v2; v_add_f32 v4, v1, v2; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 2);
    rig_free(r);
    r = rig_text("gfx1201", code, 32, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    rig_free(r);
}

static void rdna_transcendental_unit_runs_beside(void **state)
{
    static const char code[] =
        "v_rcp_f32 v5, v1; v_add_f32 v4, v1, v2; v_rcp_f32 v5, v1; v_add_f32 v6, v5, v2; v_add_f32 v4, v1, v2; "
        "s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 4); /* its unit is free every 4 cycles */
    assert_int_equal(rig_at(r, 3), FIRST + 5); /* into the vector unit, to wait there until 4 + 10 */
    assert_int_equal(rig_at(r, 4), FIRST + 15);
    assert_int_equal(rig_stall(r, "unit_busy_trans"), 2);
    rig_free(r);
}

static void branches(void **state)
{
    static const char taken[] = "s_branch end; s_nop 0; "
                                "end: s_endpgm";
    static const char not_taken[] = "s_cbranch_scc1 end; s_nop 0; "
                                    "end: s_endpgm";
    struct rig *r = rig_text("gfx90a", taken, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), CYCLE_NEVER);
    assert_int_equal(rig_at(r, 2), FIRST + 20);
    assert_int_equal(rig_stall(r, "branch"), 16);
    rig_free(r);
    r = rig_text("gfx90a", not_taken, 64, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    rig_free(r);
    /* a far fetch hides nothing: the target comes when it comes */
    r = rig_text("gfx90a", taken, 64, 1);
    r->latency[MEM_PORT_INST] = 30;
    rig_run(r);
    assert_int_equal(rig_at(r, 2), FIRST + 32); /* asked for at once, 30 cycles, the SIMD's turn */
    assert_int_equal(rig_stall(r, "fetch"), 10);
    rig_free(r);
}

static void straight_code_waits_for_fetch(void **state)
{
    struct rig *r = rig_text("gfx1201", ".rept 32; s_nop 0; .endr; s_endpgm", 32, 1);

    (void)state;
    r->profile.frontend.buffer_bytes = 64; /* two blocks of eight instructions */
    r->latency[MEM_PORT_INST] = 20;
    rig_run(r);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 15), FIRST + 15);
    /* the third block is asked for when the first is used up: the issue of word 7 moves the pc to word 8 */
    assert_int_equal(rig_at(r, 16), FIRST + 7 + 20);
    assert_int_equal(rig_at(r, 24), FIRST + 15 + 20);
    rig_free(r);
}

/* Blocks of one instruction and a buffer of more blocks than can be told apart on their way. */
static void many_small_fetch_blocks(void **state)
{
    struct rig *r = rig_text("gfx1201", ".rept 199; s_nop 0; .endr; s_endpgm", 32, 1);

    (void)state;
    r->profile.frontend.fetch_bytes_per_cycle = 4;
    r->profile.frontend.buffer_bytes = 4096;
    r->latency[MEM_PORT_INST] = 500;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(rig_at(r, 0), 501); /* the CU sees the wave a cycle after its launch */
    assert_int_equal(rig_at(r, 63), 564);
    assert_int_equal(rig_at(r, 64), 1001); /* asked for when the first had come */
    rig_free(r);
}

static void sleeping(void **state)
{
    static const char code[] = "s_sleep 1; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    /* to the next tick of a clock of 64 cycles that runs for all waves: see test_front_barriers.c */
    assert_int_equal(rig_at(r, 1), 64);
    assert_int_equal(rig_stall(r, "sleep"), 64 - FIRST - 4);
    rig_free(r);
}

/* Waves 0 and 4 share SIMD 0. The second barrier opens 16 cycles after the last arrival. */
static void barrier_opens_for_the_last(void **state)
{
    static const char code[] = "s_barrier; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 2);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 0, 0), FIRST);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + 5);          /* launched 4 later, on SIMD 1 */
    assert_int_equal(rig_issue_of(r, 0, 1, 0), FIRST + 5 + 16 + 3); /* 61 is no turn of SIMD 0's, 64 is */
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 5 + 16);
    assert_int_equal(rig_stall(r, "barrier"), (5 + 16 - 4) + (16 - 4));
    rig_free(r);
}

static void barrier_does_not_wait_for_the_ended(void **state)
{
    /* v_readfirstlane of the work-item id: wave 0 has id 0 and skips the barrier */
    static const char code[] = "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc0 end; s_barrier; "
                               "end: s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 3);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->result.stat[STAT_WORKGROUPS_DONE], 1);
    assert_int_equal(rig_issue_of(r, 0, 3, 0), CYCLE_NEVER);
    assert_true(rig_issue_of(r, 1, 3, 0) != CYCLE_NEVER);
    rig_free(r);
}

static void split_barrier(void **state)
{
    static const char code[] = "s_barrier_signal -1; s_nop 0; s_barrier_wait 0xffff; s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 2);

    (void)state;
    r->launch.wgp_mode = true;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 1, 0), FIRST + 1);
    assert_int_equal(rig_issue_of(r, 0, 2, 0), FIRST + 2);
    /* the other wave signals at FIRST + 4 */
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + 4);
    assert_int_equal(rig_issue_of(r, 0, 3, 0), FIRST + 4 + 16);
    assert_int_equal(rig_issue_of(r, 1, 3, 0), FIRST + 4 + 16);
    rig_free(r);
}

/* A matrix instruction takes as many passes as its shape asks for. */
static void mfma_by_passes(void **state)
{
    /* of 2 and of 8 passes */
    static const char *const code[2] = {
        "v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]; v_mov_b32 v8, 0; v_add_f32 v6, v5, v2; s_endpgm",
        "v_mfma_f32_16x16x4f32 v[0:3], v4, v5, v[0:3]; v_mov_b32 v8, 0; v_add_f32 v6, v5, v2; s_endpgm"};
    static const cycle_t cycles[2] = {8, 32};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rig *r = rig_text("gfx90a", code[k], 64, 1);

        r->profile.cls[OPC_MFMA] = (struct profile_class_cost){.issue_cycles_w64 = 4, .latency_cycles = 4};
        r->profile.matrix.kind[OP_MATRIX_F32].valu_after_cycles = 4;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(rig_at(r, 0), FIRST);
        assert_int_equal(rig_at(r, 2), FIRST + 4);
        assert_int_equal(rig_at(r, 3), FIRST + cycles[k]);
        assert_int_equal(rig_stall(r, "dependency_matrix"), cycles[k] - 8);
        rig_free(r);
    }
}

static void wmma_relative_to_f16(void **state)
{
    /* _fp8_fp8 has half the passes */
    static const char *const code[2] = {"v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
                                        "v_mov_b32 v8, 0; v_add_f32 v0, v1, v2; v_mov_b32 v8, 0; s_endpgm",
                                        "v_wmma_f32_16x16x16_fp8_fp8 v[0:7], v[8:9], v[10:11], v[0:7]; "
                                        "v_mov_b32 v8, 0; v_add_f32 v0, v1, v2; v_mov_b32 v8, 0; s_endpgm"};
    static const cycle_t cycles[2] = {16, 8};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rig *r = rig_text("gfx1201", code[k], 32, 1);

        r->profile.cls[OPC_WMMA] =
            (struct profile_class_cost){.issue_cycles_w32 = 16, .issue_cycles_w64 = 16, .latency_cycles = 21};
        r->profile.matrix.wmma_passes = 4;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(rig_at(r, 0), FIRST);
        assert_int_equal(rig_at(r, 2), FIRST + cycles[k]);
        /* the reader waits in the unit for 5 cycles more */
        assert_int_equal(rig_at(r, 4), FIRST + cycles[k] + 5 + 1);
        rig_free(r);
    }
}

/* gfx1250: every type and k takes the passes of f16; i8, f32, and f8f6f4 where A or B has 8 bits, twice that. The last
 * two are of bf8 and fp6, and of fp6 and fp4. */
static void wide_wmma_by_passes(void **state)
{
    /* v_wmma_f32_16x16x32_f16, _f32_16x16x4_f32, _i32_16x16x64_iu8, _f32_16x16x128_fp8_fp8,
     * _scale_f32_16x16x128_f8f6f4, v_swmmac_i32_16x16x128_iu8: v[0:7] of v[8:], v[24:] */
    static const struct {
        uint32_t words[4];
        unsigned count;
        cycle_t cycles;
    } c[] = {{{0xcc600000, 0x1c023108}, 2, 8},  {{0xcc5d0000, 0x1c023108}, 2, 16},
             {{0xcc720000, 0x1c023108}, 2, 16}, {{0xcc800000, 0x1c023108}, 2, 8},
             {{0xcc7b0000, 0x1ca23108}, 2, 16}, {{0xcc350000, 0x04025128, 0xcc330000, 0x04023108}, 4, 16},
             {{0xcc330800, 0x14023108}, 2, 16}, {{0xcc335000, 0x04023108}, 2, 8}};

    (void)state;
    for (unsigned k = 0; k < sizeof c / sizeof c[0]; k++) {
        uint32_t code[7];
        memcpy(code, c[k].words, c[k].count * sizeof *code);
        memcpy(code + c[k].count, (uint32_t[]){V_MOV_V8_0, R_ADD_V0_V1_V2, R_END}, 3 * sizeof *code);
        struct rig *r = rig_new("gfx1250", code, c[k].count + 3, 32, 1);

        r->profile.cls[OPC_WMMA] =
            (struct profile_class_cost){.issue_cycles_w32 = 8, .issue_cycles_w64 = 8, .latency_cycles = 13};
        r->profile.matrix.wmma_passes = 2;
        r->launch.occupancy.vgpr_alloc = r->launch.nvgprs = 48;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(rig_at(r, 0), FIRST);
        assert_int_equal(rig_at(r, c[k].count), FIRST + c[k].cycles);
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(gcn_dependent_valu_every_four_cycles),
        cmocka_unit_test(not_a_cycle_before),
        cmocka_unit_test(gcn_waves_take_turns_by_simd),
        cmocka_unit_test(nop_counts_issue_turns),
        cmocka_unit_test(gcn_transcendental_holds_the_vector_alu),
        cmocka_unit_test(scalar_and_vector_forwarding),
        cmocka_unit_test(rdna_dependent_valu),
        cmocka_unit_test(rdna_wave64_takes_two_passes),
        cmocka_unit_test(rdna_transcendental_unit_runs_beside),
        cmocka_unit_test(branches),
        cmocka_unit_test(straight_code_waits_for_fetch),
        cmocka_unit_test(many_small_fetch_blocks),
        cmocka_unit_test(sleeping),
        cmocka_unit_test(barrier_opens_for_the_last),
        cmocka_unit_test(barrier_does_not_wait_for_the_ended),
        cmocka_unit_test(split_barrier),
        cmocka_unit_test(mfma_by_passes),
        cmocka_unit_test(wmma_relative_to_f16),
        cmocka_unit_test(wide_wmma_by_passes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
