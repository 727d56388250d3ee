/* What waves of an RDNA3 or RDNA4 SIMD, and the SIMDs of a CU, share on the way out of the vector ALU and the VGPRs, to
 * the cycle: results in SGPRs (sim/engine/timing/front/issue_queues.h) and the registers of vector memory
 * (sim/engine/timing/memory/operand_path.h).
 */
#include "tests/timing/rdna_rig.h"

enum {
    V_LSHL_V4_8_V0 = 0x30080088,
};
#define LOAD_B32_V5_V4   0xee050000, 0x00000005, 0x00000004
#define STORE_B128_V4_V0 0xee074000, 0x00000000, 0x00000004

/* The first two waves are on SIMDs of their own, the third and the fourth beside them. */
static struct rig *shared(const uint32_t *code, size_t words, uint32_t waves)
{
    struct rig *r = queued("gfx1201", code, words, 32, waves);

    r->profile.frontend.wave_launch_interval_cycles = 1;
    r->profile.queue.simd_sgpr_entries = 8;
    r->profile.queue.simd_sgpr_cycles = 14;
    r->profile.queue.stalled_entries = 3;
    r->profile.queue.vmem_burst_registers = 4;
    return r;
}
#define SHARED(TEXT, WAVES) shared(WORDS("gfx1201", TEXT), WAVES)

/* gfx1100, gfx1200: the ninth of a SIMD's VALU instructions that write SGPRs begins when the first has written it, 14
 * cycles after it began. While it waits, two more issue after it, and then one as each begins, be it a v_mov. A wave
 * has no more than six here, of the seven that it may. */
static void stalled_by_results_in_sgprs(void **state)
{
    static const char code[] =
        "v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; "
        "v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; v_mov_b32 v4, 1.0; "
        "s_endpgm";
    struct rig *r = SHARED(code, 3);

    (void)state;
    run_both(r);
    for (unsigned k = 0; k < 6; k++)
        assert_int_equal(rig_issue_of(r, 0, k, 0), FIRST + k);
    /* the older wave's v_mov goes first */
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(rig_issue_of(r, 2, k, 0), FIRST + 7 + k);
    /* its third waits until 3 + 14 */
    assert_int_equal(rig_issue_of(r, 2, 5, 0), FIRST + 3 + 14);
    assert_int_equal(rig_issue_of(r, 2, 6, 0), FIRST + 3 + 15);
    rig_free(r);
}

/* What waits for the ninth waits for that, too. */
static void eight_results_in_sgprs_begun(void **state)
{
    static const char code[] =
        "v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; "
        "v_cmp_eq_u32 vcc_lo, v1, v2; v_cmp_eq_u32 vcc_lo, v1, v2; ds_store_b32 v0, v1; s_endpgm";
    struct rig *r = SHARED(code, 3);

    (void)state;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 5, 0), FIRST + 4 + 17);
    assert_int_equal(rig_issue_of(r, 2, 4, 0), FIRST + 9);
    /* the second one's is written at 4 + 14; so begins the tenth, and LDS may have it 14 later */
    assert_int_equal(rig_issue_of(r, 2, 5, 0), FIRST + 4 + 14 + 14);
    rig_free(r);
}

/* The waves of the two SIMDs have three stores of five registers each, and wait in s_nop until these have left:
 * six cycles after the registers. */
static void path_in_turns(uint32_t registers, uint32_t groups, uint32_t apart, const unsigned begins[2])
{
    static const char one[] =
        "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";
    static const char three[] = "global_store_b128 v4, v[0:3], s[0:1]; global_store_b128 v4, v[0:3], s[0:1]; "
                                "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";
    struct rig *r = SHARED(one, 1);

    run_both(r);
    assert_int_equal(rig_at(r, 3), FIRST + 5 + 6);
    rig_free(r);
    r = SHARED(three, 2);
    r->profile.queue.vmem_burst_registers = registers;
    r->profile.queue.vmem_burst_groups = groups;
    r->profile.frontend.wave_launch_interval_cycles = apart;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 0, 0), FIRST);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), FIRST + apart);
    assert_int_equal(rig_issue_of(r, 0, 9, 0), FIRST + begins[0] + 5 + 6);
    assert_int_equal(rig_issue_of(r, 1, 9, 0), FIRST + begins[1] + 5 + 6);
    rig_free(r);
}

/* gfx1200: four registers, which one store has; gfx1100: two instructions. The other SIMD's first store, a cycle after
 * the first of all has begun, is in time for the choice of the next; the last of the first SIMD begins at 20, after two
 * of the other's, or one of each two. A cycle later it is not: the first SIMD's second store is next, and the other's
 * first goes at 10. */
static void path_of_stores(void **state)
{
    (void)state;
    path_in_turns(4, 1, 1, (const unsigned[]){20, 25});
    path_in_turns(4, 1, 2, (const unsigned[]){15, 25});
    path_in_turns(4, 2, 2, (const unsigned[]){20, 25});
}

/* A SIMD's VMEM queue: nine entries, those whose registers wait for the other SIMD's among them. */
static void path_fills_queues(void **state)
{
    static const char code[] = ".rept 12; global_store_b128 v4, v[0:3], s[0:1]; .endr; s_endpgm";
    struct rig *r = SHARED(code, 2);

    (void)state;
    run_both(r);
    for (unsigned k = 0; k < 9; k++)
        assert_int_equal(rig_issue_of(r, 0, 3 * k, 0), FIRST + k);
    /* the first goes out at 0 and leaves at 9, the second, after one of the other's, at 10 and 19, the third at 20 and
     * 29: those that wait for that go a cycle later */
    assert_int_equal(rig_issue_of(r, 0, 27, 0), FIRST + 9);
    assert_int_equal(rig_issue_of(r, 0, 30, 0), FIRST + 20);
    assert_int_equal(rig_issue_of(r, 0, 33, 0), FIRST + 30);
    rig_free(r);
}

static void run_full_unit(struct rig *r)
{
    r->profile.cu.store_runs_per_cycle = 1.6;
    r->profile.queue.vmem_unit_entries = 2;
    r->profile.queue.vmem_unit_cycles = 7;
    run_both(r);
}

/* gfx1100, gfx1200: the vector memory unit holds so many stores, and takes long for those that scatter; the registers
 * of others wait until some cycles after it is through with one. */
static void unit_is_full(void **state)
{
    static const char scattered[] =
        "v_lshlrev_b32 v4, 8, v0; global_store_b32 v4, v0, s[0:1]; global_store_b32 v4, v0, s[0:1]; "
        "global_store_b32 v4, v0, s[0:1]; global_store_b32 v4, v0, s[0:1]; s_nop 0; s_endpgm";
    static const char together[] =
        "v_mov_b32 v4, 0; global_store_b32 v4, v0, s[0:1]; global_store_b32 v4, v0, s[0:1]; "
        "global_store_b32 v4, v0, s[0:1]; global_store_b32 v4, v0, s[0:1]; s_nop 0; s_endpgm";
    struct rig *r = SHARED(scattered, 1);

    (void)state;
    run_full_unit(r);
    /* 32 lanes in 32 lines: 20 cycles each. The third begins 7 cycles after the first is done, the fourth 20 later; it
     * leaves 7 cycles after that */
    assert_int_equal(rig_at(r, 1), FIRST + 17);
    assert_int_equal(rig_at(r, 13), FIRST + 17 + 20 + 7 + 20 + 7 + 1);
    rig_free(r);
    r = SHARED(together, 1);
    run_full_unit(r);
    /* one run: one cycle. The third begins 7 cycles after the first is done, at 8, the fourth after the second's, which
     * goes through the unit at 2 */
    assert_int_equal(rig_at(r, 1), FIRST + 15);
    assert_int_equal(rig_at(r, 13), FIRST + 15 + 10 + 7 + 1);
    rig_free(r);
}

/* Loads, which have no data, take no entry of those. */
static void loads_take_no_entry(void **state)
{
    static const char scattered[] =
        "v_lshlrev_b32 v4, 8, v0; global_load_b32 v5, v4, s[0:1]; global_load_b32 v5, v4, s[0:1]; "
        "global_load_b32 v5, v4, s[0:1]; global_load_b32 v5, v4, s[0:1]; s_nop 0; s_endpgm";
    struct rig *r = SHARED(scattered, 1);

    (void)state;
    run_full_unit(r);
    assert_int_equal(rig_at(r, 1), FIRST + 17);
    assert_int_equal(rig_at(r, 13), FIRST + 17 + 3 + 1 + 6);
    rig_free(r);
}

/* So many loads wait for their lookups without holding up others, beside 2 x 10 that are as many as the two SIMDs'
 * queues and the path have. */
static void unit_holds_loads(void **state)
{
    enum { LOADS = 30 };
    uint32_t code[3 * LOADS + 2] = {V_LSHL_V4_8_V0};

    (void)state;
    for (unsigned k = 0; k < LOADS; k++)
        memcpy(&code[1 + 3 * k], (const uint32_t[]){LOAD_B32_V5_V4}, 3 * sizeof *code);
    code[3 * LOADS + 1] = R_END;
    for (unsigned more = 0; more < 2; more++) {
        struct rig *r = shared(code, sizeof code / sizeof code[0], 1);

        r->profile.queue.vmem_unit_loads = more ? 16 : 0;
        run_both(r);
        for (unsigned k = 0; k < (more ? LOADS : 20); k++)
            assert_int_equal(rig_at(r, 1 + 3 * k), FIRST + 17 + k);
        if (!more)
            assert_true(rig_at(r, 1 + 3 * 21) > FIRST + 17 + 21);
        rig_free(r);
    }
}

/* gfx1100, gfx1200: the path does not leave a SIMD within a clause, and does so at its end, however few registers it
 * had. */
static void path_of_clauses(void **state)
{
    static const char three[] =
        "s_clause 0x2; global_store_b128 v4, v[0:3], s[0:1]; global_store_b128 v4, v[0:3], s[0:1]; "
        "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";
    static const char two[] =
        "s_clause 0x1; global_store_b128 v4, v[0:3], s[0:1]; global_store_b128 v4, v[0:3], s[0:1]; "
        "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";
    struct rig *r = SHARED(three, 2);

    (void)state;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 1, 0), FIRST + 1);
    assert_int_equal(rig_issue_of(r, 0, 10, 0), FIRST + 1 + 10 + 5 + 6);
    assert_int_equal(rig_issue_of(r, 1, 10, 0), FIRST + 1 + 25 + 5 + 6);
    rig_free(r);
    r = SHARED(two, 2);
    r->profile.queue.vmem_burst_registers = 64;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 7, 0), FIRST + 3);
    assert_int_equal(rig_issue_of(r, 0, 10, 0), FIRST + 1 + 20 + 5 + 6);
    assert_int_equal(rig_issue_of(r, 1, 10, 0), FIRST + 1 + 25 + 5 + 6);
    rig_free(r);
}

/* gfx1100: a turn is two clauses, or instructions in none, whatever registers they have: the SIMD that has a clause of
 * two and a single store sends all three. */
static void path_of_two_clauses(void **state)
{
    static const char code[] =
        "s_clause 0x1; global_store_b128 v4, v[0:3], s[0:1]; global_store_b128 v4, v[0:3], s[0:1]; "
        "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";

    (void)state;
    for (unsigned groups = 1; groups <= 2; groups++) {
        struct rig *r = SHARED(code, 2);

        r->profile.queue.vmem_burst_groups = groups;
        run_both(r);
        assert_int_equal(rig_issue_of(r, 0, 10, 0), FIRST + 1 + (groups == 1 ? 20 : 10) + 5 + 6);
        assert_int_equal(rig_issue_of(r, 1, 10, 0), FIRST + 1 + 25 + 5 + 6);
        rig_free(r);
    }
}

/* A CU of eight SIMDs, as many as the engine models: each has its turn. */
static void path_of_eight_simds(void **state)
{
    static const char code[] = "global_store_b128 v4, v[0:3], s[0:1]; s_nop 0; s_endpgm";
    struct rig *r = SHARED(code, 8);

    (void)state;
    r->profile.gpu.cus_per_wgp = 1;
    r->profile.cu.lds_per_wgp = false;
    r->profile.cu.simds = 8;
    r->profile.cu.wave_slots_per_simd = 8;
    run_both(r);
    for (unsigned k = 0; k < 8; k++) {
        assert_int_equal(rig_issue_of(r, k, 0, 0), FIRST + k);
        assert_int_equal(rig_issue_of(r, k, 3, 0), FIRST + 5 * k + 5 + 6);
    }
    rig_free(r);
}

/* A profile whose SIMDs have no queue of memory instructions: what waits for the path is bounded all the same. */
static void path_without_queue(void **state)
{
    enum { STORES = 24 };
    uint32_t code[3 * STORES + 2];
    struct rig *r;

    (void)state;
    for (unsigned k = 0; k < STORES; k++)
        memcpy(&code[3 * k], (const uint32_t[]){STORE_B128_V4_V0}, 3 * sizeof *code);
    code[3 * STORES] = S_NOP_0;
    code[3 * STORES + 1] = R_END;
    r = shared(code, sizeof code / sizeof code[0], 1);
    r->profile.queue.memory_entries = 0;
    r->profile.queue.vmem_unit_entries = 16;
    run_both(r);
    for (unsigned k = 0; k < 21; k++)
        assert_int_equal(rig_issue_of(r, 0, 3 * k, 0), FIRST + k);
    /* five have begun by then, 16 wait */
    assert_int_equal(rig_issue_of(r, 0, 3 * 21, 0), FIRST + 25);
    assert_int_equal(rig_issue_of(r, 0, 3 * STORES, 0), FIRST + 5 * (STORES - 1) + 5 + 6);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stalled_by_results_in_sgprs),
        cmocka_unit_test(eight_results_in_sgprs_begun),
        cmocka_unit_test(path_of_stores),
        cmocka_unit_test(path_fills_queues),
        cmocka_unit_test(unit_is_full),
        cmocka_unit_test(loads_take_no_entry),
        cmocka_unit_test(unit_holds_loads),
        cmocka_unit_test(path_of_clauses),
        cmocka_unit_test(path_of_two_clauses),
        cmocka_unit_test(path_of_eight_simds),
        cmocka_unit_test(path_without_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
