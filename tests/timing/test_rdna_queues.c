/* When entries of the queues of RDNA3 and RDNA4 are free again (sim/engine/timing/front/issue_queues.h), beside
 * test_rdna_issue.c. */
#include "tests/timing/rdna_rig.h"

/* gfx1201: a transcendental instruction has left its entry when the one before it has begun, however long it waits
 * for its own operand. */
static void transcendental_waits_outside(void **state)
{
    static const char code[] =
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_rcp_f32 v6, v2; v_rcp_f32 v5, v6; .rept 8; "
        "v_mov_b32 v4, 1.0; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    assert_int_equal(rig_at(r, 2), FIRST + 1);
    assert_int_equal(rig_at(r, 3), FIRST + 5); /* four cycles apart */
    for (unsigned k = 4; k < 9; k++)
        assert_int_equal(rig_at(r, k), FIRST + k + 2);
    /* eight are in the queue until the matrix instruction is through; the first reciprocal began at 21, so that the
     * entry of the second, which begins at 31, is free from 22 on */
    assert_int_equal(rig_at(r, 9), FIRST + 24);
    assert_int_equal(rig_at(r, 10), FIRST + 25);
    assert_int_equal(rig_at(r, 11), FIRST + 26);
    rig_free(r);
}

/* A store of 8 bytes holds the path of LDS three cycles, and its entry for four more. The instruction that finds the
 * queue full issues a cycle after that, here each time. */
static void full_queue_costs_a_cycle(void **state)
{
    static const char code[] = ".rept 13; ds_store_b64 v0, v[2:3]; .endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    run_both(r);
    for (unsigned n = 0; n < 9; n++)
        assert_int_equal(rig_at(r, 2 * n), FIRST + n);
    /* the second entry is free in the very cycle */
    assert_int_equal(rig_at(r, 2 * 9), FIRST + 9);
    assert_int_equal(rig_at(r, 2 * 10), FIRST + 3 + 3 + 4);
    assert_int_equal(rig_at(r, 2 * 11), FIRST + 6 + 3 + 4 + 1);
    assert_int_equal(rig_at(r, 2 * 12), FIRST + 9 + 3 + 4 + 1);
    rig_free(r);
}

/* A matrix instruction begins five cycles after a transcendental one before it has. */
static void matrix_behind_transcendental(void **state)
{
    static const char code[] =
        "v_rcp_f32 v16, v2; v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; .rept 9; v_mov_b32 v4, 1.0; "
        ".endr; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
    run_both(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    /* the reciprocal begins at 3, the product at 8: what its entry holds up comes 20 later */
    assert_int_equal(rig_at(r, 9), FIRST + 11);
    assert_int_equal(rig_at(r, 10), FIRST + 3 + 5 + 20);
    rig_free(r);
}

/* What the vector ALU leaves in SGPRs it reads in order, without a wait: the move that reads v_readfirstlane's SGPR has
 * its result as soon as one that reads another. */
static void sgprs_in_order(void **state)
{
    static const uint32_t code[2][5] = {
        {V_READFIRSTLANE_S6_V0, 0x7e0e0206 /* v_mov_b32 v7, s6 */, 0xbf880fff /* s_wait_alu va_vdst(0) */, R_END},
        {V_READFIRSTLANE_S6_V0, V_MOV_V7_S4, 0xbf880fff, R_END}};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rig *r = queued("gfx1201", code[k], sizeof code[k] / sizeof(uint32_t), 32, 1);

        run_both(r);
        assert_int_equal(rig_at(r, 1), FIRST + 1);
        /* begins three cycles after its issue, and so on (test_rdna_delay.c) */
        assert_int_equal(rig_at(r, 2), FIRST + 1 + 3 + 4 + 10 - 1);
        rig_free(r);
    }
}

/* A move right after `code`, one instruction, begins in cycle `begin`: the wait for its result is 13 later. */
static void moved_at(const char *code, const char *to, unsigned begin)
{
    char text[160];
    struct rig *r;

    snprintf(text, sizeof text, "%s; v_mov_b32 %s, 1.0; s_wait_alu 0x0fff; s_endpgm", code, to);
    r = QUEUED(text, 32, 1);
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
    r->profile.queue.f64_leave_cycles = 1;
    r->profile.cls[OPC_F64_TRANS] = r->profile.cls[OPC_F64];
    run_both(r);
    assert_int_equal(r->event[2].at, FIRST + begin + 4 + 10 - 1);
    rig_free(r);
}

/* Results in one VGPR come in the order of the instructions, a cycle apart at least: the shorter one begins later. */
static void results_in_order(void **state)
{
    (void)state;
    moved_at("v_rcp_f32 v6, v2", "v5", 3 + 1);
    moved_at("v_rcp_f32 v6, v2", "v6", 3 + 10 - 5 + 1);
    /* what is not of f64 begins a cycle after the 32 of that */
    moved_at("v_add_f64 v[6:7], v[2:3], v[4:5]", "v1", 3 + 32 + 1);
    moved_at("v_rcp_f64 v[6:7], v[2:3]", "v1", 3 + 32 + 1);
    moved_at("v_add_f64 v[6:7], v[2:3], v[4:5]", "v7", 3 + 38 - 5 + 1);
    moved_at("v_lshlrev_b64 v[6:7], v2, v[4:5]", "v7", 3 + 2);
    moved_at("v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]", "v7", 4 + 16 + 1);
}

/* gfx1201: transcendental instructions go by the count of what stands from the first matrix instruction on. Here five
 * entries do; the reciprocal before them, which the unit takes in 34, when the one before it has begun, does not count.
 */
static void counted_from_the_first_matrix(void **state)
{
    static const char code[] =
        ".rept 5; v_rcp_f32 v6, v6; .endr; v_wmma_f32_16x16x16_f16 v[16:23], v[8:11], v[12:15], v[16:23]; "
        ".rept 4; v_mov_b32 v4, 1.0; .endr; .rept 4; s_mov_b32 s4, 0; .endr; v_rcp_f32 v7, v5; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);

    (void)state;
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
    run_both(r);
    assert_int_equal(r->event[4].at, FIRST + 16);
    assert_int_equal(r->event[9].at, FIRST + 24);
    assert_int_equal(r->event[14].at, FIRST + 29);
    rig_free(r);
}

/* C is read three cycles after A and B: a sum on top of another begins two cycles after the passes of that one, a
 * product of its result five. One that needs none of it begins as soon as its passes end. */
static void sums_of_matrices(void **state)
{
    static const struct {
        const char *second;
        unsigned begin;
    } c[] = {{"v[0:7], v[8:11], v[12:15], v[0:7]", 4 + 16 + 5 - 3},
             {"v[16:23], v[8:11], v[12:15], v[0:7]", 4 + 16 + 5 - 3},
             {"v[16:23], v[8:11], v[12:15], v[16:23]", 4 + 16},
             {"v[16:23], v[0:3], v[12:15], v[16:23]", 4 + 16 + 5},
             {"v[16:23], v[4:7], v[12:15], v[0:7]", 4 + 16 + 5}};

    (void)state;
    for (unsigned k = 0; k < sizeof c / sizeof c[0]; k++) {
        char text[200];
        struct rig *r;

        snprintf(text, sizeof text,
                 "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_wmma_f32_16x16x16_f16 %s; "
                 "s_wait_alu 0x0fff; s_endpgm",
                 c[k].second);
        r = QUEUED(text, 32, 1);
        r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
        r->profile.matrix.wmma_addend_cycles = 3;
        run_both(r);
        assert_int_equal(r->event[2].at, FIRST + c[k].begin + 20 + 10 - 1);
        rig_free(r);
    }
}

/* gfx1201: where the count has become low again, the wave whose special instruction was the last one goes after others.
 * Both waves wait for the first matrix instruction, which has its entry until 24. */
static void last_one_yields(void **state)
{
#define SUMS                                                                                                           \
    "v_wmma_f32_16x16x16_f16 v[16:23], v[8:11], v[12:15], v[16:23]; "                                                  \
    "v_wmma_f32_16x16x16_f16 v[16:23], v[8:11], v[12:15], v[16:23]; v_mov_b32 v4, 1.0; v_rcp_f32 v5, v4; "             \
    "v_mov_b32 v6, 1.0; v_rcp_f32 v7, v6; "
    static const char high[] =
        SUMS ".rept 4; s_mov_b32 s4, 0; .endr; v_wmma_f32_16x16x16_f16 v[16:23], v[8:11], v[12:15], v[16:23]; s_endpgm";
    static const char low[] = SUMS "v_wmma_f32_16x16x16_f16 v[16:23], v[8:11], v[12:15], v[16:23]; s_endpgm";
    static const struct {
        const char *text;
        unsigned word;
        cycle_t own, other;
    } c[] = {{high, 12, 26, 25}, {low, 8, 25, 26}}; /* in the second case six are not counted when it comes, in 8 */
#undef SUMS

    (void)state;
    for (unsigned k = 0; k < sizeof c / sizeof c[0]; k++) {
        struct rig *r = QUEUED(c[k].text, 32, 2);

        r->profile.cu.simds = 1;
        r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 24;
        run_both(r);
        assert_int_equal(rig_issue_of(r, 0, 7, 0), FIRST + 7);
        assert_int_equal(rig_issue_of(r, 0, c[k].word, 0), FIRST + c[k].own);
        assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + c[k].other);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transcendental_waits_outside),
        cmocka_unit_test(full_queue_costs_a_cycle),
        cmocka_unit_test(matrix_behind_transcendental),
        cmocka_unit_test(sgprs_in_order),
        cmocka_unit_test(results_in_order),
        cmocka_unit_test(last_one_yields),
        cmocka_unit_test(sums_of_matrices),
        cmocka_unit_test(counted_from_the_first_matrix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
