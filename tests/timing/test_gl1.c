/* Which caches ask GL1, by the profile: through the whole engine. */
#include "tests/timing/rig.h"

static const char code[] =
    "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_load_dword s8, s[0:1], null; "
    "s_waitcnt lgkmcnt(0); s_endpgm";

/* Accesses of GL1, and the cycles of the run. */
static uint64_t run_with(bool scalar, bool instructions, uint64_t *cycles)
{
    struct rig *r = rig_text("gfx1030", code, 32, 1);
    uint64_t accesses;

    r->profile.cache[LEVEL_GL1] = r->profile.cache[LEVEL_L2];
    r->profile.cache[LEVEL_GL1].hit_latency_cycles = 150;
    r->profile.cache[LEVEL_GL1].shared_by_cus = 2;
    r->profile.cache[LEVEL_GL1].serves_scalar = scalar;
    r->profile.cache[LEVEL_GL1].serves_instructions = instructions;
    rig_groups(r, 1);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    accesses = r->result.stat[stat_of_cache(LEVEL_GL1, STAT_CACHE_ACCESSES)];
    *cycles = r->result.stat[STAT_CYCLES];
    rig_free(r);
    return accesses;
}

static void caches_in_front(void **state)
{
    uint64_t none, scalar, all, accesses;

    (void)state;
    /* the vector load alone */
    assert_int_equal(run_with(false, false, &none), 1);
    /* the scalar load finds in GL1 what the vector load has brought: 50 cycles away, where L2 is 50 as well */
    assert_int_equal(run_with(true, false, &scalar), 2);
    assert_int_equal(scalar, none);
    /* code comes from DRAM through it, and is later by what it adds */
    accesses = run_with(true, true, &all);
    assert_true(accesses > 2);
    assert_true(all >= scalar + 50);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_in_front),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
