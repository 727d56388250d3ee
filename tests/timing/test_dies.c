/* Chips of several dies: atomics on one word, from one die and from two, through the whole engine; the report's counts
 * of lines that moved. Words are llvm-mc-19's. */
#include "tests/timing/rig.h"

#define EXEC_LANE_0 0xbefe0181
#define V_V8_0      0x7e100280
#define ATOMIC_ADD  0xdd088000, 0x00000108 /* global_atomic_add v8, v1, s[0:1]: of the device */
#define V_V1_1      0x7e020281
#define WAIT_VM0    0xbf8c0f70
#define END         0xbf810000

enum { GROUPS = 2, PROBE = 150 };

static const uint32_t one_word[] = {EXEC_LANE_0, V_V8_0,     V_V1_1,   ATOMIC_ADD, WAIT_VM0, ATOMIC_ADD,
                                    WAIT_VM0,    ATOMIC_ADD, WAIT_VM0, ATOMIC_ADD, WAIT_VM0, END};

/* Two workgroups on two CUs. */
static struct rig *run_on(uint32_t xcds, uint32_t probe_cycles, bool every_cycle)
{
    struct rig *r = RIG_NEW("gfx942", one_word, 64, 1);

    r->profile.gpu.cus = 2;
    r->profile.gpu.shader_engines = 2;
    r->profile.gpu.xcds = xcds;
    r->profile.fabric.probe_cycles = probe_cycles;
    r->profile.cache[PROFILE_L2].line_bytes = 64;
    r->launch.tick_every_cycle = every_cycle;
    rig_groups(r, GROUPS);
    assert_int_equal(engine_run_timing(&r->launch, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    return r;
}

static void atomics_on_one_word(void **state)
{
    struct rig *one = run_on(1, PROBE, false), *two = run_on(2, PROBE, false), *ticked = run_on(2, PROBE, true);
    struct rig *near = run_on(2, 0, false);
    const struct engine_cache_stats *l2 = &two->result.cache[PROFILE_L2];
    uint32_t value;

    (void)state;
    assert_int_equal(mem_space_read(&two->space, two->data, &value, sizeof value, &two->err), 0);
    assert_int_equal(value, 4 * GROUPS);
    /* one L2: the line stays where it is */
    assert_int_equal(one->result.cache[PROFILE_L2].claims, 0);
    assert_int_equal(one->result.cache[PROFILE_L2].yields, 0);
    /* two: each die has to take it from the other time and again, which costs a probe and the way to memory */
    assert_true(l2->yields >= 6 && l2->dirty_yields == l2->yields);
    assert_true(two->result.cycles > one->result.cycles + 6 * PROBE);
    assert_true(two->result.cycles >= near->result.cycles + 6 * PROBE);
    assert_int_equal(ticked->result.cycles, two->result.cycles);
    assert_memory_equal(&ticked->result.cache, &two->result.cache, sizeof two->result.cache);
    rig_free(one);
    rig_free(two);
    rig_free(ticked);
    rig_free(near);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_on_one_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
