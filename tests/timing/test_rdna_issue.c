/* Issue of RDNA3 and RDNA4 to the cycle: instructions go into queues (sim/engine/timing/front/issue_queues.h), a wave
 * waits only where it needs something of another unit. The bench has the figures of thread traces; each rule with what
 * came of it there.
 */
#include "tests/timing/rdna_rig.h"

/* The cycle in which instruction k of a wave32 of gfx1201 issues. */
static cycle_t issued_at(const char *text, unsigned k)
{
    struct rig *r = QUEUED(text, 32, 1);

    run_both(r);
    cycle_t at = rig_at(r, k);
    rig_free(r);
    return at;
}

/* gfx1100, gfx1200: a dependent instruction issues in the next cycle; s_delay_alu holds its wave for 5. */
static void dependent_valu_goes_on(void **state)
{
    static const char code[] = "v_add_f32 v2, v1, v1; v_add_f32 v3, v2, v2; v_add_f32 v3, v1, v1; s_endpgm";
    static const char delayed[] =
        "v_add_f32 v2, v1, v1; s_delay_alu instid0(VALU_DEP_1); v_add_f32 v3, v2, v2; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 2);
    rig_free(r);
    r = QUEUED(delayed, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST); /* beside the instruction before it */
    assert_int_equal(rig_at(r, 2), FIRST + 5);
    rig_free(r);
}

/* gfx1201: eight wait behind a matrix instruction that runs; the ninth issues when the first is through. */
static void valu_queue_has_eight_entries(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; .rept 3; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    /* begins 4 cycles after its issue, when its registers are read; its result is there 20 later, as its entry is free
     */
    for (unsigned k = 2; k < 9; k++)
        assert_int_equal(rig_at(r, k), FIRST + k - 1);
    assert_int_equal(rig_at(r, 9), FIRST + 4 + 20);
    assert_int_equal(rig_at(r, 10), FIRST + 4 + 21);
    rig_free(r);
}

/* gfx1201: with the queue full and a wave waiting for it, SALU waits too, branches and s_nop do not. */
static void full_queue_stops_the_simd(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; "
        "s_mov_b32 s4, 0; v_mov_b32 v5, 1.0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 3); /* the first and the third wave share a SIMD */

    (void)state;
    r->profile.frontend.wave_launch_interval_cycles = 1;
    r->profile.queue.special_entries = 0;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 8, 0), FIRST + 7);
    /* the queue is full of the first wave's: its s_mov goes with the third wave's first, when there is room again */
    assert_int_equal(rig_issue_of(r, 2, 0, 0), FIRST + 4 + 20);
    assert_int_equal(rig_issue_of(r, 0, 9, 0), FIRST + 4 + 20);
    rig_free(r);
}

/* gfx1201: a matrix instruction does not issue while six entries are counted, until one of these is free. An
 * instruction is counted from four cycles after its issue on. */
static void few_wait_behind_a_matrix(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 3);

    (void)state;
    /* the third wave is there at FIRST + 8, when the instruction of FIRST + 5 is not counted */
    r->profile.frontend.wave_launch_interval_cycles = 4;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 7, 0), FIRST + 5);
    assert_int_equal(rig_issue_of(r, 2, 0, 0), FIRST + 8);
    rig_free(r);
    r = QUEUED(code, 32, 3);
    r->profile.frontend.wave_launch_interval_cycles = 5;
    run_both(r);
    /* at FIRST + 10 it is; the first matrix instruction is through at 4 + 21, a cycle after plain VALU could issue */
    assert_int_equal(rig_issue_of(r, 2, 0, 0), FIRST + 4 + 21);
    assert_int_equal(rig_issue_of(r, 2, 2, 0), FIRST + 4 + 22);
    rig_free(r);
}

/* gfx1201: so does a transcendental one. */
static void transcendental_behind_a_matrix(void **state)
{
    static const char before[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; s_mov_b32 s4, 0; s_mov_b32 s4, 0; v_rcp_f32 v7, v8; s_endpgm";
    static const char counted[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; s_mov_b32 s4, 0; s_mov_b32 s4, 0; s_mov_b32 s4, 0; v_rcp_f32 v7, v8; "
        "s_endpgm";
    struct rig *r = QUEUED(before, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 7), FIRST + 5);
    assert_int_equal(rig_at(r, 10), FIRST + 8);
    rig_free(r);
    r = QUEUED(counted, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 10), FIRST + 8);
    assert_int_equal(rig_at(r, 11), FIRST + 4 + 21);
    r->profile.queue.special_entries = 7;
    run_both(r);
    assert_int_equal(rig_at(r, 11), FIRST + 9);
    rig_free(r);
}

/* gfx1201: where few enough were counted as the queue became full, one issues as the next entry is free, though more
 * are counted by then. */
static void transcendental_before_a_full_queue(void **state)
{
    static const char few[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; v_mov_b32 v6, 1.0; v_rcp_f32 v7, v8; s_endpgm";
    static const char more[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; s_mov_b32 s4, 0; s_mov_b32 s4, 0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_rcp_f32 v7, v8; s_endpgm";
    struct rig *r = QUEUED(few, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 9), FIRST + 7);
    assert_int_equal(rig_at(r, 10), FIRST + 4 + 20);
    rig_free(r);
    r = QUEUED(more, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 11), FIRST + 9);
    /* the second matrix instruction adds to what the first makes, so it is through 21 cycles after that */
    assert_int_equal(rig_at(r, 12), FIRST + 4 + 21 + 21);
    rig_free(r);
}

/* gfx1201: a matrix instruction right after another goes by the queue alone. */
static void matrix_behind_matrix(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; v_mov_b32 v6, 1.0; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; s_nop 0; "
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 8), FIRST + 7);
    assert_int_equal(rig_at(r, 11), FIRST + 4 + 20);
    rig_free(r);
}

/* gfx1201: a transcendental instruction leaves the queue a cycle after the one before it begins, and waits in its unit
 * for what that one makes. */
static void transcendental_leaves_the_queue(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v8, 0; v_rcp_f32 v7, v8; "
        "v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    for (unsigned k = 2; k < 9; k++)
        assert_int_equal(rig_at(r, k), FIRST + k - 1);
    /* the matrix instruction ends its 16 cycles at 20, and is through at 24; v_mov begins at 21 and v_rcp at 26, for
     * v8, but its entry is free already */
    assert_int_equal(rig_at(r, 9), FIRST + 24);
    assert_int_equal(rig_at(r, 10), FIRST + 25);
    assert_int_equal(rig_at(r, 11), FIRST + 26);
    rig_free(r);
}

/* gfx1201: a matrix instruction issues 4 cycles after a transcendental one, as another of these would. */
static void matrix_after_transcendental(void **state)
{
    static const char code[] = "v_rcp_f32 v7, v8; v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 0), FIRST);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    rig_free(r);
}

/* gfx1200: s_wait_alu for VCC, 17 cycles from v_cmp to its reader; gfx1100 does without: the next cycle. */
static void vcc(void **state)
{
    static const char waited[] =
        "v_cmp_eq_u32 vcc_lo, v1, v2; s_wait_alu 0xfffd; v_cndmask_b32 v1, v1, v2, vcc_lo; s_endpgm";
    static const char plain[] = "v_cmp_eq_u32 vcc_lo, v1, v2; v_cndmask_b32 v1, v1, v2, vcc_lo; s_endpgm";
    struct rig *r = QUEUED(waited, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 16);
    assert_int_equal(rig_at(r, 2), FIRST + 17);
    rig_free(r);
    assert_int_equal(issued_at(plain, 1), FIRST + 1);
}

/* gfx1100, gfx1201: seven v_cmp under way, the eighth 17 cycles after the first. */
static void seven_results_in_sgprs(void **state)
{
    static const char code[] = ".rept 9; v_cmp_eq_u32 vcc_lo, v1, v2; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 6), FIRST + 6);
    assert_int_equal(rig_at(r, 7), FIRST + 17);
    assert_int_equal(rig_at(r, 8), FIRST + 18);
    rig_free(r);
}

/* gfx1201: v_s_exp_f32 and its like go through the VALU's queue, one each cycle also where one reads what the one
 * before writes. Seven are under way; the eighth issues 12 cycles after the execution of the first, which the trace
 * shows 10 after its issue. */
static void scalar_transcendentals_go_through_the_vector_unit(void **state)
{
    static const char code[] = "v_mov_b32 v4, 1.0; .rept 4; v_s_exp_f32 vcc_lo, s4; v_s_log_f32 vcc_lo, vcc_lo; .endr; "
                               "v_mov_b32 v4, 1.0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    for (unsigned k = 1; k < 7; k++)
        assert_int_equal(rig_at(r, 1 + 2 * k), FIRST + 1 + k);
    assert_int_equal(rig_at(r, 15), FIRST + 1 + 23);
    rig_free(r);
}

/* gfx1201: SALU reads a result of v_s_exp_f32 as much later as that is written; VALU in the next cycle, since it waits
 * in its queue. */
static void results_of_scalar_transcendentals(void **state)
{
    static const char salu[] = "v_s_exp_f32 s4, s5; s_add_f32 s6, s4, s4; s_endpgm";
    static const char waits[] = "v_s_exp_f32 s4, s5; s_wait_alu 0xf1ff; s_mov_b32 s7, 0; s_endpgm";
    static const char valu[] = "v_s_exp_f32 s4, s5; v_mov_b32 v4, s4; s_endpgm";

    (void)state;
    assert_int_equal(issued_at(salu, 2), FIRST + 23);
    assert_int_equal(issued_at(waits, 3), FIRST + 23);
    assert_int_equal(issued_at(valu, 2), FIRST + 1);
}

/* gfx1100, gfx1200: v_cmp does not issue before what SALU of its wave leaves in SGPRs is there, 9 cycles after the
 * issue of one that reads SGPRs, 7 of one that does not. Other VALU does, and comparisons of scalars hold nobody. */
static void valu_writes_sgprs_after_salu(void **state)
{
    static const char reads[] = "s_add_co_u32 s5, s4, s4; v_mov_b32 v4, 1.0; v_cmp_eq_u32 vcc_lo, v1, v2; s_endpgm";
    static const char constant[] = "s_mov_b32 s4, 0; v_cmp_eq_u32 vcc_lo, v1, v2; s_endpgm";
    static const char scc[] = "s_cmp_eq_i32 s5, 0; v_cmp_eq_u32 vcc_lo, v1, v2; s_endpgm";
    struct rig *r = QUEUED(reads, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 9);
    rig_free(r);
    assert_int_equal(issued_at(constant, 1), FIRST + 7);
    assert_int_equal(issued_at(scc, 1), FIRST + 1);
}

/* LDS comes 17 cycles after a VALU instruction that reads VGPRs, 15 after one that reads none, whatever it reads. */
static void memory_after_valu(void **state)
{
    static const char reads[] = "v_add_f32 v3, v1, v1; ds_store_b32 v0, v1; s_endpgm";
    static const char constant[] = "v_mov_b32 v4, 1.0; ds_store_b32 v0, v1; s_endpgm";

    (void)state;
    assert_int_equal(issued_at(reads, 1), FIRST + 17);
    assert_int_equal(issued_at(constant, 1), FIRST + 15);
}

/* gfx1100, gfx1200, gfx1201: the first VALU instruction of a wave that reads VGPRs executes a cycle later, and what
 * waits for it elsewhere goes a cycle later. s_delay_alu makes no difference. */
static void first_read_of_vgprs(void **state)
{
    static const char first[] =
        "v_mov_b32 v4, 1.0; v_add_f32 v3, v1, v1; ds_store_b32 v0, v1; v_add_f32 v3, v1, v1; ds_store_b32 v0, v1; "
        "s_endpgm";
    static const char delayed[] =
        "v_add_f32 v2, v1, v1; s_delay_alu instid0(VALU_DEP_1); v_add_f32 v3, v2, v2; s_endpgm";
    static const char matrix[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; "
        "v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; v_mov_b32 v5, 1.0; v_mov_b32 v6, 1.0; v_mov_b32 v4, 1.0; "
        "v_mov_b32 v5, 1.0; s_endpgm";
    struct rig *r = QUEUED(first, 32, 1);

    (void)state;
    r->profile.queue.vgpr_first_read_cycles = 1;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 1 + 18);
    assert_int_equal(rig_at(r, 4), FIRST + 1 + 19);
    assert_int_equal(rig_at(r, 5), FIRST + 1 + 19 + 17);
    rig_free(r);
    r = QUEUED(delayed, 32, 1);
    r->profile.queue.vgpr_first_read_cycles = 1;
    run_both(r);
    assert_int_equal(rig_at(r, 2), FIRST + 5);
    rig_free(r);
    /* gfx1201: not if that is a matrix instruction, which is through 24 cycles after its issue as ever */
    r = QUEUED(matrix, 32, 1);
    r->profile.queue.vgpr_first_read_cycles = 1;
    run_both(r);
    assert_int_equal(rig_at(r, 9), FIRST + 4 + 20);
    rig_free(r);
}

/* gfx1200: v_cndmask_b32 of two constants reads VCC alone, which takes a cycle, of the two that VGPRs take. */
static void valu_reads_sgprs(void **state)
{
    static const char code[] = "v_cndmask_b32_e64 v1, 0, 1.0, vcc_lo; ds_store_b32 v0, v1; s_endpgm";

    (void)state;
    assert_int_equal(issued_at(code, 2), FIRST + 16);
}

/* gfx1201: s_add, s_cmp a cycle apart, the branch 10 after s_cmp; s_load 9 after the s_add that makes its address;
 * s_wait_alu sa_sdst: 9. */
static void scalar_results_elsewhere(void **state)
{
    static const char branch[] = "s_add_co_u32 s5, s4, s4; s_cmp_eq_i32 s5, 0; s_cbranch_scc1 0; s_endpgm";
    static const char load[] = "s_add_co_u32 s0, s0, 0; s_load_b32 s8, s[0:1], 0x0; s_endpgm";
    static const char wait[] = "s_add_co_u32 s5, s4, s4; s_wait_alu 0xfffe; s_mov_b32 s4, 0; s_endpgm";
    struct rig *r = QUEUED(branch, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 11);
    rig_free(r);
    assert_int_equal(issued_at(load, 1), FIRST + 9);
    r = QUEUED(wait, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 8);
    assert_int_equal(rig_at(r, 2), FIRST + 9);
    rig_free(r);
}

/* gfx1201: scalar comparisons that nobody reads go one each cycle; one of integers after one of floats, whose result
 * comes 2 cycles later than its own would, begins 3 cycles after it. */
static void results_in_scc_come_in_order(void **state)
{
    static const char same[] = "s_cmp_eq_i32 s5, 0; s_cmp_eq_i32 s5, 0; s_cbranch_scc1 0; s_endpgm";
    static const char mixed[] = "s_cmp_lt_f32 s5, s4; s_cmp_eq_i32 s5, 0; s_cbranch_scc1 0; s_endpgm";
    struct rig *r = QUEUED(same, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 10); /* the second begins at 4; 6 until a branch can have it */
    rig_free(r);
    r = QUEUED(mixed, 32, 1);
    r->profile.cls[OPC_SALU_FLOAT] = r->profile.cls[OPC_SALU];
    r->profile.cls[OPC_SALU_FLOAT].latency_cycles = 4;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 1);
    assert_int_equal(rig_at(r, 2), FIRST + 12);
    rig_free(r);
}

/* gfx1100, gfx1201: s_getreg and s_setreg wait for the wave's SALU, whatever follows s_setreg for that. */
static void hardware_registers(void **state)
{
    static const char get[] = "s_mov_b32 s4, 0; s_getreg_b32 s6, hwreg(HW_REG_MODE, 0, 4); s_mov_b32 s4, 0; s_endpgm";
    static const char set[] =
        "s_mov_b32 s4, 0; s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5; v_mov_b32 v4, 1.0; s_endpgm";
    static const char reading[] = "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s4; s_mov_b32 s4, 0; s_endpgm";
    struct rig *r = QUEUED(get, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 10); /* s_mov begins at 1 */
    assert_int_equal(rig_at(r, 2), FIRST + 11);
    rig_free(r);
    r = QUEUED(set, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 10);
    assert_int_equal(rig_at(r, 3), FIRST + 19);
    rig_free(r);
    r = QUEUED(reading, 32, 1);
    run_both(r);
    assert_int_equal(rig_at(r, 0), FIRST); /* there is nothing to wait for */
    assert_int_equal(rig_at(r, 1), FIRST + 11);
    rig_free(r);
}

/* Dependent SALU: one each cycle until seven wait, run or have just run, then one in two. */
static void salu_queue(void **state)
{
    static const char code[] = ".rept 11; s_add_co_u32 s0, s0, 0; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    /* they begin at 3, 5, 7 ... and leave 4 cycles later */
    assert_int_equal(rig_at(r, 7), FIRST + 7);
    assert_int_equal(rig_at(r, 8), FIRST + 9);
    assert_int_equal(rig_at(r, 9), FIRST + 11);
    assert_int_equal(rig_at(r, 10), FIRST + 13);
    rig_free(r);
}

/* gfx1201: when such a queue goes on one each cycle, its entries become free one each cycle 4 later. */
static void salu_queue_runs_off(void **state)
{
    static const char code[] =
        ".rept 10; s_add_co_u32 s0, s0, 0; .endr; s_cmp_eq_i32 s5, 0; s_cmp_eq_i32 s5, 0; s_cmp_eq_i32 s5, 0; "
        "s_cmp_eq_i32 s5, 0; .rept 8; s_add_co_u32 s0, s0, 0; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    /* the tenth s_add begins at 21 and the four s_cmp at 22 to 25: the entries of
     * these are free at 26 to 29 */
    for (unsigned k = 10; k < 17; k++)
        assert_int_equal(rig_at(r, k), FIRST + 13 + 2 * (k - 10));
    assert_int_equal(rig_at(r, 17), FIRST + 26);
    assert_int_equal(rig_at(r, 18), FIRST + 27);
    assert_int_equal(rig_at(r, 19), FIRST + 28);
    assert_int_equal(rig_at(r, 20), FIRST + 29);
    rig_free(r);
}

/* Classes: 64-bit integer 2 cycles, f64 32, comparing f64 2, transcendental 4 with others between. */
static void rates(void **state)
{
    static const char code[] =
        "v_lshlrev_b64 v[8:9], 2, v[0:1]; v_mov_b32 v4, 1.0; v_add_f64 v[8:9], v[0:1], v[2:3]; v_mov_b32 v4, 1.0; "
        "v_cmp_eq_f64 vcc_lo, v[0:1], v[2:3]; v_mov_b32 v4, 1.0; v_rcp_f32 v7, v1; v_mov_b32 v4, 1.0; "
        "v_rcp_f32 v7, v1; s_endpgm";
    static const unsigned at[] = {0, 2, 3, 35, 36, 38, 39, 40, 43};
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    for (unsigned k = 0; k < sizeof at / sizeof at[0]; k++)
        assert_int_equal(rig_at(r, k), FIRST + at[k]);
    rig_free(r);
}

/* s_nop waits for registers that go out: 8 cycles from a store of two to its end (gfx1201), 7 from LDS. */
static void nop_waits_for_registers(void **state)
{
    static const char code[] = "ds_store_b32 v0, v1; s_nop 0; s_nop 0; s_endpgm";
    static const char salu[] = "s_add_co_u32 s5, s4, s4; s_nop 0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 2), FIRST + 2 + 4 + 1);
    assert_int_equal(rig_at(r, 3), FIRST + 2 + 4 + 2);
    rig_free(r);
    r = QUEUED(salu, 32, 1);
    run_both(r);
    /* gfx1201: of SALU for the cycles it takes alone, not for the reading of its SGPRs; s_mul, which takes 2, to the
     * end of s_nop 1 are 4 */
    assert_int_equal(rig_at(r, 1), FIRST + 3);
    rig_free(r);
}

/* gfx1201: instructions that wait for one another are four more than the queue has entries: these have read their
 * VGPRs. They begin 5 apart, the first after 3 cycles. The fourteenth issues at once; of the two after it each does
 * four cycles after the eighth before it has read its VGPRs, as the fourth before that one begins. */
static void valu_waits_for_results_past_its_queue(void **state)
{
    static const char code[] = ".rept 16; v_add_f32 v2, v2, v2; .endr; s_endpgm";

    (void)state;
    assert_int_equal(issued_at(code, 12), FIRST + 12);
    assert_int_equal(issued_at(code, 13), FIRST + 13);
    assert_int_equal(issued_at(code, 14), FIRST + 3 + 2 * 5 + 4);
    assert_int_equal(issued_at(code, 15), FIRST + 3 + 3 * 5 + 4);
}

/* s_version does not wait for the queues, as s_nop does: gfx1201 shows what is behind it 4 cycles after the last of
 * several dependent SALU instructions. */
static void version_waits_for_nothing(void **state)
{
    static const char code[] = ".rept 6; s_add_co_u32 s5, s5, s5; .endr; s_version 7; s_mov_b32 s6, 0; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    r->profile.queue.unit_to_internal_cycles = 3;
    run_both(r);
    assert_int_equal(rig_at(r, 5), FIRST + 5);
    assert_int_equal(rig_at(r, 7), FIRST + 5 + 4);
    rig_free(r);
}

/* LDS: nine stores wait or go, a register each cycle; then two in four cycles, a cycle and three apart: the one that
 * finds the queue full goes a cycle after an entry is free, the next one when another is. */
static void memory_queue(void **state)
{
    static const char code[] = ".rept 17; ds_store_b32 v0, v1; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    /* number n goes out from 2 n on and leaves at 2 n + 6: number 13 waits for 14, number 15 for 18 */
    for (unsigned n = 0; n < 13; n++)
        assert_int_equal(rig_at(r, 2 * n), FIRST + n);
    for (unsigned n = 13; n < 17; n++)
        assert_int_equal(rig_at(r, 2 * n), FIRST + 2 * (n - 9) + 6 + n % 2);
    rig_free(r);
}

/* Wave64: two passes of everything vector, but for what the chip does for both halves at once: v_add_f32 without DPP.
 */
static void wave64(void **state)
{
    static const char code[] =
        "v_xor_b32 v3, v1, v1; v_add_f32 v2, v1, v1; v_add_f32 v3, v2, v2; "
        "v_add_f32_dpp v3, v1, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf; v_add_f32 v3, v1, v1; s_endpgm";
    struct rig *r = QUEUED(code, 64, 1);

    (void)state;
    r->profile.cls[OPC_VALU_DUAL].issue_cycles_w64 = 1;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 2);
    assert_int_equal(rig_at(r, 2), FIRST + 3);
    assert_int_equal(rig_at(r, 3), FIRST + 4);
    assert_int_equal(rig_at(r, 5), FIRST + 6);
    rig_free(r);
    r = QUEUED(code, 64, 1); /* RDNA1 and 2 */
    run_both(r);
    assert_int_equal(rig_at(r, 2), FIRST + 4);
    assert_int_equal(rig_at(r, 3), FIRST + 6);
    rig_free(r);
}

/* s_ttracedata and s_ttracedata_imm cost what a message does, and nobody waits for them: kmcnt (lgkmcnt) is 0. */
static void trace_data_go_with_messages(void **state)
{
    static const struct {
        const char *target, *text;
    } row[] = {
        {"gfx1010", "s_nop 0; s_ttracedata; s_ttracedata_imm 0x7; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm"},
        {"gfx1030", "s_nop 0; s_ttracedata; s_ttracedata_imm 0x7; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm"},
        {"gfx1100", "s_nop 0; s_ttracedata; s_ttracedata_imm 0x7; s_waitcnt lgkmcnt(0); s_nop 0; s_endpgm"},
        {"gfx1201", "s_nop 0; s_ttracedata; s_ttracedata_imm 0x7; s_wait_kmcnt 0x0; s_nop 0; s_endpgm"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        struct rig *r = rig_text(row[k].target, row[k].text, 32, 1);

        r->profile.cls[OPC_INTERNAL] = (struct profile_class_cost){1, 1, 1};
        r->profile.cls[OPC_MESSAGE] = (struct profile_class_cost){7, 7, 50};
        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + 1);
        assert_int_equal(rig_at(r, 2), FIRST + 8); /* the slot is taken */
        assert_int_equal(rig_at(r, 4), rig_at(r, 3) + 1);
        assert_true(rig_at(r, 4) < FIRST + 50);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_valu_goes_on),
        cmocka_unit_test(valu_queue_has_eight_entries),
        cmocka_unit_test(full_queue_stops_the_simd),
        cmocka_unit_test(few_wait_behind_a_matrix),
        cmocka_unit_test(transcendental_behind_a_matrix),
        cmocka_unit_test(transcendental_before_a_full_queue),
        cmocka_unit_test(matrix_behind_matrix),
        cmocka_unit_test(transcendental_leaves_the_queue),
        cmocka_unit_test(matrix_after_transcendental),
        cmocka_unit_test(vcc),
        cmocka_unit_test(seven_results_in_sgprs),
        cmocka_unit_test(scalar_transcendentals_go_through_the_vector_unit),
        cmocka_unit_test(results_of_scalar_transcendentals),
        cmocka_unit_test(valu_writes_sgprs_after_salu),
        cmocka_unit_test(memory_after_valu),
        cmocka_unit_test(first_read_of_vgprs),
        cmocka_unit_test(valu_reads_sgprs),
        cmocka_unit_test(scalar_results_elsewhere),
        cmocka_unit_test(results_in_scc_come_in_order),
        cmocka_unit_test(hardware_registers),
        cmocka_unit_test(salu_queue),
        cmocka_unit_test(salu_queue_runs_off),
        cmocka_unit_test(rates),
        cmocka_unit_test(nop_waits_for_registers),
        cmocka_unit_test(version_waits_for_nothing),
        cmocka_unit_test(valu_waits_for_results_past_its_queue),
        cmocka_unit_test(memory_queue),
        cmocka_unit_test(wave64),
        cmocka_unit_test(trace_data_go_with_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
