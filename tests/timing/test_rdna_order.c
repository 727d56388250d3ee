/* What holds an instruction of RDNA3 and RDNA4 behind earlier ones of its wave although it needs none of their results:
 * registers that they have still to read or write, and issue itself. To the cycle, with the figures of thread traces.
 */
#include "tests/timing/rdna_rig.h"

enum {
    V_MOV_V4_1 = 0x7e0802f2,
    MOV_V8 = 0x7e100280,
    MOV_V9 = 0x7e120280,
    V_CNDMASK_V1_VCC = 0x02020501,
    V_CMP_VCC = 0x7c280501,
    S_ADD_S5_S4_S4 = 0x80050404,
    S_CMP_S5_0 = 0xbf068005,
    S_CLAUSE_4 = 0xbf850003,
    S_WAIT_LOADCNT_63 = 0xbfc0003f,
};
#define V_ADD_CO_CI_NULL   0xd5207c02, 0x01a90080
#define V_CMP_S6           0xd4140006, 0x00020501
#define DS_STORE_V8_V9     0xd8340000, 0x00000908
#define GLOBAL_LOAD_V10_V8 0xee050000, 0x0000000a, 0x00000008
#define S_LOAD_S8          0xf4002200, 0xf8000000

static struct rig *ordered(const uint32_t *code, size_t words)
{
    struct rig *r = queued("gfx1201", code, words, 32, 1);

    r->profile.queue.valu_sgpr_hold_cycles = 5;
    r->profile.queue.unit_to_internal_cycles = 3;
    return r;
}
#define ORDERED(CODE) ordered(CODE, sizeof(CODE) / sizeof((CODE)[0]))

/* The instruction at the word `word` of the code issues so many cycles after the first. */
static void expect(struct rig *r, unsigned word, cycle_t cycles)
{
    run_both(r);
    assert_int_equal(rig_at(r, word), FIRST + cycles);
    rig_free(r);
}

/* gfx1100, gfx1200: s_clause and s_waitcnt come 3 cycles behind an instruction that goes to a unit, and one behind each
 * other. */
static void issue_handles_one_after_the_units(void **state)
{
    static const uint32_t clause[] = {V_MOV_V4_1, S_CLAUSE_4, R_END};
    static const uint32_t wait[] = {V_MOV_V4_1, V_MOV_V4_1, S_WAIT_LOADCNT_63, R_END};
    static const uint32_t both[] = {V_MOV_V4_1, S_WAIT_LOADCNT_63, S_CLAUSE_4, R_END};
    static const uint32_t first[] = {S_WAIT_LOADCNT_63, S_CLAUSE_4, V_MOV_V4_1, R_END};
    static const uint32_t scalar[] = {S_MOV_S4_0, S_CLAUSE_4, R_END};

    (void)state;
    expect(ORDERED(clause), 1, 3);
    expect(ORDERED(wait), 2, 4);
    expect(ORDERED(both), 2, 4);
    expect(ORDERED(first), 2, 2);
    expect(ORDERED(scalar), 1, 3);
}

/* gfx1100: s_add_u32 5 cycles behind v_add_co_ci_u32 that reads VCC, whatever SGPR it writes; what writes SCC alone,
 * and SALU behind VALU without SGPRs, goes on. */
static void sgprs_are_read_before_salu_writes_any(void **state)
{
    static const uint32_t vcc[] = {V_CNDMASK_V1_VCC, S_ADD_S5_S4_S4, R_END};
    static const uint32_t between[] = {V_CNDMASK_V1_VCC, V_MOV_V4_1, S_ADD_S5_S4_S4, R_END};
    static const uint32_t scc[] = {V_CNDMASK_V1_VCC, S_CMP_S5_0, R_END};
    static const uint32_t none[] = {V_MOV_V4_1, S_ADD_S5_S4_S4, R_END};

    (void)state;
    expect(ORDERED(vcc), 1, 5);
    expect(ORDERED(between), 2, 5);
    expect(ORDERED(scc), 1, 1);
    expect(ORDERED(none), 1, 1);
}

/* gfx1100, gfx1200: 9 cycles behind the execution of a VALU instruction whose result goes to SGPRs, or to null in their
 * place, which is 16 behind its issue, or 17 where it reads VGPRs; VCC is apart. */
static void sgprs_are_written_before_salu_writes_any(void **state)
{
    static const uint32_t null[] = {V_ADD_CO_CI_NULL, S_ADD_S5_S4_S4, R_END};
    static const uint32_t sgpr[] = {V_CMP_S6, S_ADD_S5_S4_S4, R_END};
    static const uint32_t vcc[] = {V_CMP_VCC, S_ADD_S5_S4_S4, R_END};

    (void)state;
    expect(ORDERED(null), 2, 16);
    expect(ORDERED(sgpr), 2, 17);
    expect(ORDERED(vcc), 1, 1);
}

/* Scalar memory waits for the wave's SALU, whatever that writes. */
static void scalar_memory_waits_for_salu(void **state)
{
    static const uint32_t constant[] = {S_MOV_S4_0, S_LOAD_S8, R_END};
    static const uint32_t reads[] = {S_ADD_S5_S4_S4, S_LOAD_S8, R_END};
    static const uint32_t none[] = {V_MOV_V4_1, S_LOAD_S8, R_END};

    (void)state;
    expect(ORDERED(constant), 1, 7);
    expect(ORDERED(reads), 1, 9);
    expect(ORDERED(none), 1, 1);
}

/* gfx1100, gfx1200: a VALU instruction that overwrites the address of the last load 6 cycles after its registers have
 * left, as s_nop would; LDS alike, a cycle less. Others go on. */
static void registers_are_read_before_valu_writes_them(void **state)
{
    static const uint32_t load[] = {GLOBAL_LOAD_V10_V8, MOV_V8, R_END};
    static const uint32_t loads[] = {GLOBAL_LOAD_V10_V8, GLOBAL_LOAD_V10_V8, GLOBAL_LOAD_V10_V8, MOV_V8, R_END};
    static const uint32_t other[] = {GLOBAL_LOAD_V10_V8, MOV_V9, R_END};
    static const uint32_t store[] = {DS_STORE_V8_V9, MOV_V9, R_END};
    static const uint32_t aside[] = {DS_STORE_V8_V9, V_MOV_V4_1, R_END};

    (void)state;
    expect(ORDERED(load), 3, 7);
    expect(ORDERED(loads), 9, 9);
    expect(ORDERED(other), 3, 1);
    expect(ORDERED(store), 2, 7);
    expect(ORDERED(aside), 2, 1);
}

static void expect_stall(struct rig *r, uint64_t queue, uint64_t salu)
{
    rig_run(r);
    assert_int_equal(rig_stall(r, "dependency_queue"), queue);
    assert_int_equal(rig_stall(r, "dependency_salu"), salu);
    rig_free(r);
}

/* Waits for instructions that have to leave their queues are apart from waits for results. */
static void waits_for_queues_have_their_reason(void **state)
{
    static const uint32_t clause[] = {V_MOV_V4_1, S_CLAUSE_4, R_END};
    static const uint32_t sgprs[] = {V_CNDMASK_V1_VCC, S_ADD_S5_S4_S4, R_END};
    static const uint32_t smem[] = {S_MOV_S4_0, S_LOAD_S8, R_END};
    static const uint32_t vgprs[] = {GLOBAL_LOAD_V10_V8, MOV_V8, R_END};

    (void)state;
    expect_stall(ORDERED(clause), 2, 0);
    expect_stall(ORDERED(sgprs), 4, 0);
    expect_stall(ORDERED(smem), 0, 6);
    expect_stall(ORDERED(vgprs), 6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_handles_one_after_the_units),
        cmocka_unit_test(sgprs_are_read_before_salu_writes_any),
        cmocka_unit_test(sgprs_are_written_before_salu_writes_any),
        cmocka_unit_test(scalar_memory_waits_for_salu),
        cmocka_unit_test(registers_are_read_before_valu_writes_them),
        cmocka_unit_test(waits_for_queues_have_their_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
