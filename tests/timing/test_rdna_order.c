/* What holds an instruction of RDNA3 and RDNA4 behind earlier ones of its wave although it needs none of their results:
 * registers that they have still to read or write, and issue itself. To the cycle, with the figures of thread traces.
 */
#include "tests/timing/rdna_rig.h"

static struct rig *ordered(const uint32_t *code, size_t words)
{
    struct rig *r = queued("gfx1201", code, words, 32, 1);

    r->profile.queue.valu_sgpr_hold_cycles = 5;
    r->profile.queue.unit_to_internal_cycles = 3;
    return r;
}
#define ORDERED(TEXT) ordered(WORDS("gfx1201", TEXT))

/* The instruction at the word `word` of the code issues so many cycles after the first. */
static void expect(struct rig *r, unsigned word, cycle_t cycles)
{
    run_both(r);
    assert_int_equal(rig_at(r, word), FIRST + cycles);
    rig_free(r);
}

/* gfx1100, gfx1200: s_clause and s_waitcnt come 3 cycles after an instruction that goes to a unit, and one after each
 * other. */
static void issue_handles_one_after_the_units(void **state)
{
    static const char clause[] = "v_mov_b32 v4, 1.0; s_clause 0x3; s_endpgm";
    static const char wait[] = "v_mov_b32 v4, 1.0; v_mov_b32 v4, 1.0; s_wait_loadcnt 0x3f; s_endpgm";
    static const char both[] = "v_mov_b32 v4, 1.0; s_wait_loadcnt 0x3f; s_clause 0x3; s_endpgm";
    static const char first[] = "s_wait_loadcnt 0x3f; s_clause 0x3; v_mov_b32 v4, 1.0; s_endpgm";
    static const char scalar[] = "s_mov_b32 s4, 0; s_clause 0x3; s_endpgm";

    (void)state;
    expect(ORDERED(clause), 1, 3);
    expect(ORDERED(wait), 2, 4);
    expect(ORDERED(both), 2, 4);
    expect(ORDERED(first), 2, 2);
    expect(ORDERED(scalar), 1, 3);
}

/* gfx1100: s_add_u32 5 cycles after v_add_co_ci_u32 that reads VCC, whatever SGPR it writes; what writes SCC alone,
 * and SALU after VALU without SGPRs, goes on. */
static void sgprs_are_read_before_salu_writes_any(void **state)
{
    static const char vcc[] = "v_cndmask_b32 v1, v1, v2, vcc_lo; s_add_co_u32 s5, s4, s4; s_endpgm";
    static const char between[] =
        "v_cndmask_b32 v1, v1, v2, vcc_lo; v_mov_b32 v4, 1.0; s_add_co_u32 s5, s4, s4; s_endpgm";
    static const char scc[] = "v_cndmask_b32 v1, v1, v2, vcc_lo; s_cmp_eq_u32 s5, 0; s_endpgm";
    static const char none[] = "v_mov_b32 v4, 1.0; s_add_co_u32 s5, s4, s4; s_endpgm";

    (void)state;
    expect(ORDERED(vcc), 1, 5);
    expect(ORDERED(between), 2, 5);
    expect(ORDERED(scc), 1, 1);
    expect(ORDERED(none), 1, 1);
}

/* gfx1100, gfx1200: 9 cycles after the execution of a VALU instruction whose result goes to SGPRs, or to null in their
 * place, which is 16 after its issue, or 17 where it reads VGPRs; VCC is apart. */
static void sgprs_are_written_before_salu_writes_any(void **state)
{
    static const char null[] = "v_add_co_ci_u32_e64 v2, null, 0, 0, vcc_lo; s_add_co_u32 s5, s4, s4; s_endpgm";
    static const char sgpr[] = "v_cmp_gt_f32_e64 s6, v1, v2; s_add_co_u32 s5, s4, s4; s_endpgm";
    static const char vcc[] = "v_cmp_gt_f32 vcc_lo, v1, v2; s_add_co_u32 s5, s4, s4; s_endpgm";

    (void)state;
    expect(ORDERED(null), 2, 16);
    expect(ORDERED(sgpr), 2, 17);
    expect(ORDERED(vcc), 1, 1);
}

/* Scalar memory waits for the wave's SALU, whatever that writes. */
static void scalar_memory_waits_for_salu(void **state)
{
    static const char constant[] = "s_mov_b32 s4, 0; s_load_b64 s[8:9], s[0:1], 0x0; s_endpgm";
    static const char reads[] = "s_add_co_u32 s5, s4, s4; s_load_b64 s[8:9], s[0:1], 0x0; s_endpgm";
    static const char none[] = "v_mov_b32 v4, 1.0; s_load_b64 s[8:9], s[0:1], 0x0; s_endpgm";

    (void)state;
    expect(ORDERED(constant), 1, 7);
    expect(ORDERED(reads), 1, 9);
    expect(ORDERED(none), 1, 1);
}

/* gfx1100, gfx1200: a VALU instruction that overwrites the address of the last load 6 cycles after its registers have
 * left, as s_nop would; LDS alike, a cycle less. Others go on. */
static void registers_are_read_before_valu_writes_them(void **state)
{
    static const char load[] = "global_load_b32 v10, v8, s[0:1]; v_mov_b32 v8, 0; s_endpgm";
    static const char loads[] =
        "global_load_b32 v10, v8, s[0:1]; global_load_b32 v10, v8, s[0:1]; global_load_b32 v10, v8, s[0:1]; "
        "v_mov_b32 v8, 0; s_endpgm";
    static const char other[] = "global_load_b32 v10, v8, s[0:1]; v_mov_b32 v9, 0; s_endpgm";
    static const char store[] = "ds_store_b32 v8, v9; v_mov_b32 v9, 0; s_endpgm";
    static const char aside[] = "ds_store_b32 v8, v9; v_mov_b32 v4, 1.0; s_endpgm";

    (void)state;
    expect(ORDERED(load), 3, 7);
    expect(ORDERED(loads), 9, 9);
    expect(ORDERED(other), 3, 1);
    expect(ORDERED(store), 2, 7);
    expect(ORDERED(aside), 2, 1);
}

/* gfx1100: a VALU instruction behind a wait that does not block, which is itself behind an LDS load, goes 7 cycles
 * after the load, as behind s_nop, whatever it overwrites: a cycle after the load's address has been read. VMEM alike.
 * Behind a wait with nothing to read before it, and for all but VALU, a wait costs what any instruction does. */
static void waits_let_registers_be_read(void **state)
{
    static const char load[] = "ds_load_b128 v[4:7], v8; s_wait_dscnt 0x1; v_add_f32 v9, v10, v10; s_endpgm";
    static const char nop[] = "ds_load_b128 v[4:7], v8; s_nop 0; v_add_f32 v9, v10, v10; s_endpgm";
    static const char second[] =
        "ds_load_b128 v[4:7], v8; s_wait_dscnt 0x1; v_add_f32 v9, v10, v10; v_add_f32 v9, v10, v10; s_endpgm";
    static const char vmem[] = "global_load_b32 v4, v8, s[0:1]; s_wait_loadcnt 0x1; v_add_f32 v9, v10, v10; s_endpgm";
    static const char valu[] = "v_mov_b32 v4, 1.0; s_wait_dscnt 0x1; v_add_f32 v9, v10, v10; s_endpgm";
    static const char salu[] = "ds_load_b128 v[4:7], v8; s_wait_dscnt 0x1; s_mov_b32 s4, 0; s_endpgm";
    static const char compare[] = "ds_load_b128 v[4:7], v8; s_wait_dscnt 0x1; v_cmp_eq_f32 vcc_lo, v10, v10; s_endpgm";

    (void)state;
    expect(ORDERED(load), 2, 3);
    expect(ORDERED(load), 3, 7);
    expect(ORDERED(nop), 3, 7);
    expect(ORDERED(second), 4, 8);
    expect(ORDERED(vmem), 4, 8);
    expect(ORDERED(valu), 2, 4);
    expect(ORDERED(salu), 3, 4);
    expect(ORDERED(compare), 3, 4);
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
    static const char clause[] = "v_mov_b32 v4, 1.0; s_clause 0x3; s_endpgm";
    static const char sgprs[] = "v_cndmask_b32 v1, v1, v2, vcc_lo; s_add_co_u32 s5, s4, s4; s_endpgm";
    static const char smem[] = "s_mov_b32 s4, 0; s_load_b64 s[8:9], s[0:1], 0x0; s_endpgm";
    static const char vgprs[] = "global_load_b32 v10, v8, s[0:1]; v_mov_b32 v8, 0; s_endpgm";

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
        cmocka_unit_test(waits_let_registers_be_read),
        cmocka_unit_test(waits_for_queues_have_their_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
