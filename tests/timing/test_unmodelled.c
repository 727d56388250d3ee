/* What the timing engine does not model ends a run with its reason, whatever code and profile say. */
#include "tests/timing/rdna_rig.h"

/* A profile need not have figures of matrix instructions; code may have some. */
static void a_class_that_the_profile_lacks(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; s_endpgm";
    struct rig *r = QUEUED(code, 32, 1);
    struct engine_options o = {0};
    struct engine_result functional;

    (void)state;
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 64;
    rig_groups(r, 1);
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    r->profile.cls[OPC_WMMA] = (struct profile_class_cost){0};
    r->profile.matrix.wmma_passes = 0;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    assert_int_equal(r->result.fault.kind, FAULT_UNIMPLEMENTED);
    assert_true(r->result.fault.pc == RIG_BASE + 4);
    assert_string_equal(r->result.message, "profile rig has no class.wmma, whose cycles v_wmma_f32_16x16x16_f16 takes");
    /* the functional engine needs none */
    assert_int_equal(engine_run_functional(&r->launch, &o, &functional, &r->err), 0);
    assert_int_equal(functional.outcome, ENGINE_DONE);
    rig_free(r);
}

/* One scratch slot for workgroups of two waves. */
static void a_workgroup_that_nobody_takes(void **state)
{
    static const char code[] = "s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 2);
    struct engine_options o = {0};
    struct engine_result functional;

    (void)state;
    r->state.scratch_base = r->data;
    r->state.scratch_bytes_per_lane = 64;
    r->state.scratch_wave_bytes = 4096;
    r->launch.scratch_slots = 1;
    rig_groups(r, 1);
    rig_run(r);
    assert_int_equal(r->status, -1);
    assert_int_equal(r->err.code, ERR_USAGE);
    r->err = (struct err){0};
    assert_int_not_equal(engine_run_functional(&r->launch, &o, &functional, &r->err), 0);
    r->launch.scratch_slots = 2;
    r->err = (struct err){0};
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_that_the_profile_lacks),
        cmocka_unit_test(a_workgroup_that_nobody_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
