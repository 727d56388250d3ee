/* A device that outlives its launches: what the next launch finds, to the cycle; what the fences of dispatches
 * invalidate and write back; the clock; what makes a device cold again. */
#include "sim/engine/device.h"
#include "tests/timing/rig.h"

/* global_store_dword v8, v1, s[0:1] is A_GLOBAL_STORE_V1 */

/* A scalar load of the first dwords, and a vector load of the same lines: 4 of them for 64 lanes. */
static const char loads[] =
    "v_mov_b32 v8, 0; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); global_load_dword v15, v8, s[0:1]; "
    "s_waitcnt vmcnt(0); s_endpgm";
static const char stores[] =
    "v_lshlrev_b32 v8, 2, v0; v_mov_b32 v1, 1; global_store_dword v8, v1, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";

static struct engine_device *new_device(void)
{
    struct engine_device *d = engine_device_new();

    assert_non_null(d);
    return d;
}

/* One launch of the rig's code on a device (null: on one of its own), with the fences that HIP asks for. */
static void launch(struct rig *r, struct engine_device *d)
{
    if (!r->launch.workgroup_count)
        rig_groups(r, 1);
    r->options.device = d;
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
}

static struct rig *rig_with_fences(const char *target, const uint32_t *code, size_t words, enum mem_fence fence)
{
    struct rig *r = rig_new(target, code, words, 64, 1);

    r->launch.entry = RIG_BASE;
    r->options.acquire = r->options.release = fence;
    return r;
}

#define SCALAR_WAIT(CYCLES) ((CYCLES)-4 - (4 + 2)) /* test_memory.c says what of the figure is no stall */

static uint64_t cache_stat(const struct rig *r, enum cache_level level, enum stat_cache which)
{
    return r->result.stat[stat_of_cache(level, which)];
}

/* With the fences of HIP K$ and vL1D are empty again, and L2 and I$ are not: the first loads take 500 cycles from DRAM
 * (the vector load 200, since the scalar load has brought the line to L2), those of all later launches 200. */
static void the_next_launch_finds_l2(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();

    (void)state;
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(500));
    assert_int_equal(rig_stall(r, "wait_vmcnt"), SCALAR_WAIT(200));
    assert_true(cache_stat(r, LEVEL_I, STAT_CACHE_MISSES) > 0);
    for (unsigned n = 0; n < 3; n++) {
        launch(r, d);
        assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(200));
        assert_int_equal(rig_stall(r, "wait_vmcnt"), SCALAR_WAIT(200));
        assert_int_equal(cache_stat(r, LEVEL_L2, STAT_CACHE_MISSES), 0);
        assert_int_equal(cache_stat(r, LEVEL_I, STAT_CACHE_MISSES), 0);
        assert_int_equal(r->result.stat[STAT_DRAM_READ_BYTES], 0);
    }
    engine_device_free(d);
    rig_free(r);
}

/* Without an acquire they find everything: hits of K$ and vL1D take 100 cycles. */
static void without_an_acquire_it_finds_l1(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_NONE);
    struct engine_device *d = new_device();

    (void)state;
    launch(r, d);
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(100));
    assert_int_equal(rig_stall(r, "wait_vmcnt"), SCALAR_WAIT(100));
    assert_int_equal(cache_stat(r, LEVEL_L2, STAT_CACHE_ACCESSES), 0);
    engine_device_free(d);
    rig_free(r);
}

/* The first launch on a device is what a launch without one is, and so is the first after a reset. */
static void the_first_launch_is_cold(void **state)
{
    struct rig *alone = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();

    (void)state;
    alone->profile.gpu.cus = r->profile.gpu.cus = 8; /* one workgroup: seven of them have no part in it */
    launch(alone, NULL);
    launch(r, d);
    assert_memory_equal(r->result.stat, alone->result.stat, sizeof r->result.stat);
    launch(r, d);
    assert_true(r->result.stat[STAT_CYCLES] < alone->result.stat[STAT_CYCLES]);
    engine_device_reset(d);
    assert_int_equal(engine_device_clock(d), 0);
    launch(r, d);
    assert_memory_equal(r->result.stat, alone->result.stat, sizeof r->result.stat);
    engine_device_free(d);
    rig_free(alone);
    rig_free(r);
}

/* Before the first wave and after the last the command processor takes its time; the first launch of all begins with
 * the clock. The profile's clock is 1000 MHz: 1000 ns are 1000 cycles. */
enum { BEFORE = 1000, AFTER = 700 };

static void a_launch_has_a_cost(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();
    cycle_t expected = 0;

    (void)state;
    r->profile.launch = (struct profile_launch){.before_ns = BEFORE, .after_ns = AFTER};
    for (unsigned n = 0; n < 3; n++) {
        launch(r, d);
        assert_int_equal(r->result.stat[STAT_DISPATCH_CLOCK], expected);
        assert_int_equal(r->result.stat[STAT_DISPATCH_BEFORE], BEFORE);
        assert_int_equal(r->result.stat[STAT_DISPATCH_RELEASE], 0);
        assert_int_equal(r->result.stat[STAT_DISPATCH_AFTER], AFTER);
        expected += r->result.stat[STAT_CYCLES] + AFTER;
        assert_int_equal(engine_device_clock(d), expected);
        expected += BEFORE;
    }
    engine_device_free(d);
    rig_free(r);
}

/* A launch that acquires has caches invalidated before its first wave, and one whose release writes L2 back has it
 * looked through, whether there are modified lines in it or not. */
static void fences_take_time(void **state)
{
    enum { ACQUIRE = 90, WRITE_BACK = 40 };
    static const struct {
        enum mem_fence acquire, release;
        unsigned before, after;
    } of[] = {{MEM_FENCE_NONE, MEM_FENCE_NONE, 0, 0},
              {MEM_FENCE_AGENT, MEM_FENCE_NONE, ACQUIRE, 0},
              {MEM_FENCE_SYSTEM, MEM_FENCE_AGENT, ACQUIRE, 0},
              {MEM_FENCE_NONE, MEM_FENCE_SYSTEM, 0, WRITE_BACK}};
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_NONE);
    struct engine_device *d = new_device();

    (void)state;
    r->profile.launch = (struct profile_launch){BEFORE, ACQUIRE, WRITE_BACK, AFTER};
    launch(r, d);
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        cycle_t before = engine_device_clock(d), begun = before + BEFORE + of[k].before;

        r->options.acquire = of[k].acquire;
        r->options.release = of[k].release;
        launch(r, d);
        assert_int_equal(r->result.stat[STAT_DISPATCH_CLOCK], begun);
        assert_int_equal(r->result.stat[STAT_DISPATCH_BEFORE], BEFORE);
        assert_int_equal(r->result.stat[STAT_DISPATCH_ACQUIRE], of[k].before);
        assert_int_equal(r->result.stat[STAT_DISPATCH_RELEASE], of[k].after);
        assert_int_equal(engine_device_clock(d), begun + r->result.stat[STAT_CYCLES] + of[k].after + AFTER);
    }
    engine_device_free(d);
    rig_free(r);
}

/* Modified lines stay in L2 for the agent and are written back for the system. 64 lanes of a dword are 4 lines: asked
 * for in cycle 0, they leave L2 in cycles 1 to 4; DRAM, 300 cycles beyond L2's 200, has the last one 300 later. */
static void the_release_writes_back(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", stores), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();

    (void)state;
    r->profile.launch = (struct profile_launch){.before_ns = BEFORE, .after_ns = AFTER};
    for (unsigned n = 0; n < 3; n++) {
        cycle_t before = engine_device_clock(d);

        r->options.release = n == 1 ? MEM_FENCE_SYSTEM : MEM_FENCE_AGENT;
        launch(r, d);
        assert_int_equal(r->result.stat[STAT_DISPATCH_RELEASE_LINES], n == 1 ? 4 : 0);
        assert_int_equal(r->result.stat[STAT_DISPATCH_RELEASE], n == 1 ? 4 + 300 : 0);
        assert_int_equal(engine_device_clock(d), before + (n ? BEFORE : 0) + r->result.stat[STAT_CYCLES] +
                                                     r->result.stat[STAT_DISPATCH_RELEASE] + AFTER);
        /* the statistics of a launch end with its last wave */
        assert_int_equal(cache_stat(r, LEVEL_L2, STAT_CACHE_WRITEBACKS), 0);
        assert_int_equal(r->result.stat[STAT_DRAM_WRITE_BYTES], 0);
    }
    engine_device_free(d);
    rig_free(r);
}

/* Where the agent has several L2s they are written back for it, too. */
static void several_l2s_are_written_back_for_the_agent(void **state)
{
    struct mem_reach one = mem_policy_fences(MEM_FENCE_AGENT, MEM_FENCE_AGENT, false);
    struct mem_reach several = mem_policy_fences(MEM_FENCE_NONE, MEM_FENCE_AGENT, true);
    struct mem_reach system = mem_policy_fences(MEM_FENCE_SYSTEM, MEM_FENCE_SYSTEM, false);

    (void)state;
    assert_int_equal(one.invalidate, 1u << LEVEL_VL0 | 1u << LEVEL_K | 1u << LEVEL_GL1);
    assert_int_equal(one.write_back, 0);
    assert_int_equal(several.invalidate, 0);
    assert_int_equal(several.write_back, 1u << LEVEL_L2);
    assert_int_equal(system.invalidate, one.invalidate);
    assert_int_equal(system.write_back, 1u << LEVEL_L2);
}

/* s_memtime reads the device's clock, which goes on: by as much as it has moved between two launches that are alike. */
static void the_clock_goes_on(void **state)
{
    static const char code[] = "s_memtime s[10:11]; s_waitcnt lgkmcnt(0); v_mov_b32 v8, 0; v_mov_b32 v1, s10; "
                               "global_store_dword v8, v1, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", code), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();
    uint32_t read[4];
    cycle_t clock[4];

    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        clock[n] = engine_device_clock(d);
        launch(r, d);
        assert_int_equal(mem_space_read(&r->space, r->data, &read[n], 4, &r->err), 0);
        assert_true(engine_device_clock(d) >= clock[n] + r->result.stat[STAT_CYCLES]);
    }
    assert_int_equal(read[3] - read[2], clock[3] - clock[2]);
    assert_true(read[1] > clock[1] && read[1] < clock[2]);
    engine_device_free(d);
    rig_free(r);
}

/* A limit counts from the launch's own first cycle; a launch that reaches it leaves a cold device. */
static void an_unfinished_launch_leaves_it_cold(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();
    uint64_t cold, warm;

    (void)state;
    launch(r, d);
    cold = r->result.stat[STAT_CYCLES];
    launch(r, d);
    warm = r->result.stat[STAT_CYCLES];
    r->options.max_cycles = warm; /* enough */
    launch(r, d);
    assert_int_equal(r->result.stat[STAT_CYCLES], warm);
    r->options.max_cycles = warm - 1;
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(r->result.stat[STAT_CYCLES], warm - 1);
    assert_int_equal(engine_device_clock(d), 0);
    r->options.max_cycles = 0;
    launch(r, d);
    assert_int_equal(r->result.stat[STAT_CYCLES], cold);
    engine_device_free(d);
    rig_free(r);
}

/* What the host has written is in no cache; other lines stay. */
static void the_host_writes_behind_the_caches(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_NONE);
    struct engine_device *d = new_device();

    (void)state;
    engine_device_written(d, r->data, 64); /* of a device without caches yet: nothing */
    launch(r, d);
    engine_device_written(d, r->data, 1);
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(500));
    engine_device_written(d, r->data + 64, UINT64_C(1) << 30); /* more than the caches hold: all their lines there */
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(100));
    engine_device_written(d, r->data - 4096, UINT64_C(1) << 30);
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(500));
    engine_device_free(d);
    rig_free(r);
}

/* A profile of another chip takes a device of its own. */
static void another_profile_finds_it_cold(void **state)
{
    struct rig *a = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct rig *b = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();

    (void)state;
    launch(a, d);
    launch(b, d);
    assert_memory_equal(a->result.stat, b->result.stat, sizeof a->result.stat);
    engine_device_free(d);
    rig_free(a);
    rig_free(b);
}

/* A memory that always hits leaves the caches alone and moves the clock. */
static void perfect_memory_passes_by(void **state)
{
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", loads), MEM_FENCE_AGENT);
    struct engine_device *d = new_device();
    cycle_t before;

    (void)state;
    launch(r, d);
    before = engine_device_clock(d);
    r->options.perfect_memory = true;
    launch(r, d);
    assert_true(engine_device_clock(d) >= before + r->result.stat[STAT_CYCLES]);
    r->options.perfect_memory = false;
    launch(r, d);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), SCALAR_WAIT(200));
    engine_device_free(d);
    rig_free(r);
}

/* Many workgroups that load and store, on a device that grew from a launch of one: three launches, whose statistics
 * depend neither on host threads nor on the jumps of the clock. */
static void launches(uint32_t threads, bool every_cycle, struct engine_result out[3], cycle_t clock[3])
{
    static const char code[] =
        "v_lshlrev_b32 v8, 2, v0; v_mov_b32 v1, 1; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); "
        "global_load_dword v15, v8, s[0:1]; global_store_dword v8, v1, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_with_fences("gfx90a", WORDS("gfx90a", code), MEM_FENCE_SYSTEM);
    struct engine_device *d = new_device();

    r->profile.gpu.cus = 8;
    r->profile.cache[LEVEL_L2].channels = 2;
    r->options.threads = threads;
    r->options.tick_every_cycle = every_cycle;
    for (unsigned n = 0; n < 3; n++) {
        rig_groups(r, n ? 40 : 1);
        launch(r, d);
        out[n] = r->result;
        clock[n] = engine_device_clock(d);
    }
    engine_device_free(d);
    rig_free(r);
}

static void threads_do_not_matter(void **state)
{
    static struct engine_result one[3], four[3], ticked[3];
    cycle_t clock[3][3];

    (void)state;
    launches(1, false, one, clock[0]);
    launches(4, false, four, clock[1]);
    launches(1, true, ticked, clock[2]);
    assert_memory_equal(clock[0], clock[1], sizeof clock[0]);
    assert_memory_equal(clock[0], clock[2], sizeof clock[0]);
    for (unsigned n = 0; n < 3; n++) {
        assert_memory_equal(one[n].stat, four[n].stat, sizeof one[n].stat);
        assert_memory_equal(one[n].stat, ticked[n].stat, sizeof one[n].stat);
    }
    assert_int_equal(one[1].stat[STAT_WORKGROUPS_DONE], 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_launch_finds_l2),
        cmocka_unit_test(without_an_acquire_it_finds_l1),
        cmocka_unit_test(the_first_launch_is_cold),
        cmocka_unit_test(a_launch_has_a_cost),
        cmocka_unit_test(fences_take_time),
        cmocka_unit_test(the_release_writes_back),
        cmocka_unit_test(several_l2s_are_written_back_for_the_agent),
        cmocka_unit_test(the_clock_goes_on),
        cmocka_unit_test(an_unfinished_launch_leaves_it_cold),
        cmocka_unit_test(the_host_writes_behind_the_caches),
        cmocka_unit_test(another_profile_finds_it_cold),
        cmocka_unit_test(perfect_memory_passes_by),
        cmocka_unit_test(threads_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
