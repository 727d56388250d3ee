/* Groups of CUs in epochs: neither the length of an epoch nor the number of threads changes a number. */
#include "tests/timing/rig.h"

#define GROUPS 24

/* Loads, stores and scalar loads at addresses that do not depend on values, in a loop that lives with misses. */
static const char traffic[] =
    "s_movk_i32 s8, 0xc; v_lshlrev_b32 v5, 2, v0; "
    "loop: global_load_dword v6, v5, s[0:1]; v_add_u32 v7, 0x1000, v5; global_load_dword v8, v7, s[0:1]; "
    "s_load_dwordx2 s[10:11], s[0:1], 0x40; s_waitcnt vmcnt(1); v_add_u32 v9, v6, v6; "
    "global_store_dword v7, v9, s[0:1] offset:2048; s_waitcnt vmcnt(0) lgkmcnt(0); v_add_u32 v5, 0xc00, v5; "
    "s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; s_cbranch_scc1 loop; s_endpgm";

/* Every lane draws tickets and leaves, at the place of the ticket, the cycle in which it had it. */
static const char tickets[] =
    "s_movk_i32 s8, 0x6; v_mov_b32 v5, 0; v_mov_b32 v2, 1; "
    "loop: global_atomic_add v6, v5, v2, s[0:1] glc; s_waitcnt vmcnt(0); s_memtime s[10:11]; s_waitcnt lgkmcnt(0); "
    "v_mov_b32 v7, s10; v_lshlrev_b32 v6, 2, v6; global_store_dword v6, v7, s[0:1] offset:256; s_sub_u32 s8, s8, 1; "
    "s_cmp_lg_u32 s8, 0; s_cbranch_scc1 loop; s_endpgm";

static struct rig *chip(const uint32_t *code, size_t words, uint32_t waves)
{
    struct rig *r = rig_new("gfx90a", code, words, 64, waves);

    r->profile.gpu.cus = 6;
    r->profile.gpu.shader_engines = 2;
    r->profile.cache[LEVEL_K].shared_by_cus = 2;
    r->profile.frontend.launch_latency_cycles = 90;
    rig_groups(r, GROUPS);
    return r;
}
#define CHIP(TEXT, WAVES) chip(WORDS("gfx90a", TEXT), WAVES)

static void *data_of(struct rig *r)
{
    const struct mem_range *range = mem_space_find(&r->space, r->data);

    assert_non_null(range);
    return range->host + (r->data - range->lo);
}

static void run_chip(struct rig *r, uint32_t longest_epoch, uint32_t threads)
{
    r->options.threads = threads;
    assert_int_equal(timing_run_chip(&r->launch, &r->options, NULL, longest_epoch, &r->result, &r->err), 0);
}

/* Epochs of one cycle, of a few, and of as many as the links allow. */
static void the_length_of_epochs_changes_nothing(void **state)
{
    struct rig *r = CHIP(traffic, 2);
    struct engine_result every;

    (void)state;
    run_chip(r, 1, 1);
    every = r->result;
    assert_int_equal(every.outcome, ENGINE_DONE);
    assert_int_equal(every.stat[STAT_WORKGROUPS_DONE], GROUPS);
    assert_int_equal(every.stat[STAT_CUS_USED], 6);
    run_chip(r, 7, 2);
    rig_same(&every, &r->result);
    run_chip(r, 0, 1);
    rig_same(&every, &r->result);
    r->options.tick_every_cycle = true;
    run_chip(r, 0, 1);
    rig_same(&every, &r->result);
    run_chip(r, 0, 3);
    rig_same(&every, &r->result);
    /* it does tell runs apart */
    r->options.tick_every_cycle = false;
    r->profile.dram.latency_cycles++;
    run_chip(r, 0, 1);
    assert_int_not_equal(every.stat[STAT_CYCLES], r->result.stat[STAT_CYCLES]);
    rig_free(r);
}

/* The order in which CUs get their tickets, and with it the cycles of what follows, is that of one thread. */
static void threads_change_nothing(void **state)
{
    struct rig *r = CHIP(tickets, 1);
    struct engine_result one;
    uint32_t *first = malloc(65536);
    const unsigned drawn = GROUPS * 64 * 6;

    (void)state;
    assert_non_null(first);
    run_chip(r, 0, 1);
    one = r->result;
    memcpy(first, data_of(r), 65536);
    assert_int_equal(first[0], drawn);
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (unsigned again = 0; again < 3; again++) {
            memset(data_of(r), 0, 65536);
            run_chip(r, 0, threads);
            rig_same(&one, &r->result);
            assert_memory_equal(first, data_of(r), 65536);
        }
    free(first);
    rig_free(r);
}

static void limits_and_faults_are_the_same_too(void **state)
{
    struct rig *r = CHIP(traffic, 2);
    struct engine_result one;

    (void)state;
    for (uint64_t limit = 100; limit < 4000; limit += 777) {
        r->options.max_instructions = limit;
        run_chip(r, 0, 1);
        one = r->result;
        assert_int_equal(one.outcome, ENGINE_LIMIT);
        assert_int_equal(one.stat[STAT_INSTRUCTIONS], limit);
        run_chip(r, 0, 3);
        rig_same(&one, &r->result);
    }
    r->options.max_instructions = 0;
    r->options.max_cycles = 1234;
    run_chip(r, 0, 1);
    one = r->result;
    assert_int_equal(one.outcome, ENGINE_LIMIT);
    assert_int_equal(one.stat[STAT_CYCLES], 1234);
    run_chip(r, 0, 3);
    rig_same(&one, &r->result);
    r->options.max_cycles = UINT64_MAX; /* as good as none: the cycle after it has no number */
    run_chip(r, 0, 1);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    r->options.max_cycles = 0;
    r->state.user_sgprs[1] = 0x7fff; /* no memory there */
    run_chip(r, 0, 1);
    one = r->result;
    assert_int_equal(one.outcome, ENGINE_FAULT);
    run_chip(r, 0, 3);
    rig_same(&one, &r->result);
    assert_int_equal(one.fault_group, r->result.fault_group);
    /* later, when the far side of memory runs beside the groups: what it has done of that epoch does not count */
    r->state.user_sgprs[0] = (uint32_t)(r->data + 65536 - 0x8000);
    r->state.user_sgprs[1] = (uint32_t)(r->data >> 32);
    run_chip(r, 0, 1);
    one = r->result;
    assert_int_equal(one.outcome, ENGINE_FAULT);
    assert_true(one.stat[STAT_CYCLES] > 1000);
    for (uint32_t threads = 2; threads < 5; threads++) {
        run_chip(r, 0, threads);
        rig_same(&one, &r->result);
    }
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_length_of_epochs_changes_nothing),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(limits_and_faults_are_the_same_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
