/* Lines that vL0 takes from the queue of its compute unit by itself: where requests are followed, as counts by
 * instruction ask for, the compute unit offers each of them, and every number is the same. So it is wherever a run
 * ends, and whatever is in the queue besides. */
#include "tests/timing/rdna_rig.h"

#define GROUPS 8

/* Scattered loads and stores of waves that fill the queue; between them cache control, which the compute unit sends. */
static const char gcn[] =
    "v_lshlrev_b32 v5, 8, v0; s_movk_i32 s8, 0x6; "
    "loop: global_load_dwordx2 v[6:7], v5, s[0:1]; global_load_dword v8, v5, s[0:1] offset:4; buffer_wbinvl1; "
    "global_store_dword v5, v8, s[0:1] offset:128; s_dcache_inv; s_load_dwordx2 s[10:11], s[0:1], 0x40; "
    "global_load_dword v9, v5, s[0:1] offset:64; s_waitcnt vmcnt(1); global_store_dword v5, v0, s[0:1] offset:256; "
    "buffer_wbinvl1; s_waitcnt vmcnt(0) lgkmcnt(0); v_add_u32 v5, 0xc00, v5; s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; "
    "s_cbranch_scc1 loop; s_endpgm";

static const char rdna[] =
    "v_lshlrev_b32 v5, 8, v0; s_movk_i32 s8, 0x6; "
    "loop: global_load_b64 v[6:7], v5, s[0:1]; global_load_b32 v8, v5, s[0:1] offset:4; global_inv scope:SCOPE_DEV; "
    "global_store_b32 v5, v0, s[0:1] offset:128; s_load_b64 s[10:11], s[0:1], 0x40; s_dcache_inv; "
    "global_load_b32 v9, v5, s[0:1] offset:64; s_wait_loadcnt 0x1; global_store_b32 v5, v0, s[0:1] offset:256; "
    "global_inv scope:SCOPE_SE; s_wait_loadcnt 0x0; s_wait_kmcnt 0x0; v_add_nc_u32 v5, 0xc00, v5; "
    "s_sub_co_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; s_cbranch_scc1 loop; s_endpgm";

enum { CHIPS = 4 };

/* One and two lookups a cycle, a queue of one entry and of many, two compute units for each scalar cache. */
static struct rig *chip(unsigned n)
{
    struct rig *r = n < 2 ? rig_text("gfx90a", gcn, 64, 3) : QUEUED(rdna, 32, 3);

    r->profile.gpu.cus = 4;
    r->profile.cu.vmem_queue_depth = n & 1 ? 4 : 1;
    r->profile.cache[LEVEL_VL0].tag_lookups_per_cycle = n & 1 ? 2 : 1;
    r->profile.cache[LEVEL_K].shared_by_cus = 2;
    r->profile.frontend.launch_latency_cycles = 90;
    rig_groups(r, GROUPS);
    return r;
}

static void run(struct rig *r, bool observed, uint32_t longest_epoch, struct engine_result *out)
{
    r->options.per_inst = observed;
    engine_result_free(&r->result);
    assert_int_equal(timing_run_chip(&r->launch, &r->options, NULL, longest_epoch, &r->result, &r->err), 0);
    *out = r->result;
}

static void who_offers_lines_changes_nothing(void **state)
{
    struct engine_result offered, taken;

    (void)state;
    for (unsigned n = 0; n < CHIPS; n++) {
        struct rig *r = chip(n);

        run(r, true, 0, &offered);
        assert_int_equal(offered.outcome, ENGINE_DONE);
        assert_int_equal(offered.stat[STAT_WORKGROUPS_DONE], GROUPS);
        assert_true(offered.stat[STAT_VMEM_QUEUE_FULL_CYCLES] > 0);
        for (unsigned way = 0; way < 4; way++) {
            r->options.tick_every_cycle = way == 1;
            r->options.threads = way == 2 ? 2 : 1;
            run(r, false, way == 3 ? 1 : 0, &taken);
            rig_same(&offered, &taken);
        }
        r->profile.cache[LEVEL_VL0].tag_lookups_per_cycle++; /* it does tell runs apart */
        run(r, false, 0, &taken);
        assert_int_not_equal(offered.stat[STAT_CYCLES], taken.stat[STAT_CYCLES]);
        rig_free(r);
    }
}

/* Runs that stop in the middle of what the queues hold. */
static void wherever_a_run_ends(void **state)
{
    struct engine_result offered, taken;

    (void)state;
    for (unsigned n = 0; n < CHIPS; n++) {
        struct rig *r = chip(n);

        for (uint64_t limit = 150; limit < 1000; limit += 13) {
            r->options.max_cycles = limit;
            run(r, true, 0, &offered);
            assert_int_equal(offered.outcome, ENGINE_LIMIT);
            run(r, false, 0, &taken);
            rig_same(&offered, &taken);
        }
        r->options.max_cycles = 0;
        for (uint64_t limit = 20; limit < 900; limit += 5) {
            r->options.max_instructions = limit;
            run(r, true, 0, &offered);
            assert_int_equal(offered.outcome, ENGINE_LIMIT);
            run(r, false, 0, &taken);
            rig_same(&offered, &taken);
        }
        rig_free(r);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_offers_lines_changes_nothing),
        cmocka_unit_test(wherever_a_run_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
