/* Lines that vL0 takes from the queue of its compute unit by itself: where requests are followed, as counts by
 * instruction ask for, the compute unit offers each of them, and every number is the same. So it is wherever a run
 * ends, and whatever is in the queue besides. */
#include "tests/timing/rdna_rig.h"

#define GROUPS 8

/* Scattered loads and stores of waves that fill the queue; between them cache control, which the compute unit sends. */
static const uint32_t gcn[] = {
    0x240a0088,             /* v_lshlrev_b32_e32 v5, 8, v0 */
    0xb0080006,             /* s_movk_i32 s8, 0x6 */
    0xdc548000, 0x06000005, /* global_load_dwordx2 v[6:7], v5, s[0:1] */
    0xdc508004, 0x08000005, /* global_load_dword v8, v5, s[0:1] offset:4 */
    0xe0f80000, 0x00000000, /* buffer_wbinvl1 */
    0xdc708080, 0x00000805, /* global_store_dword v5, v8, s[0:1] offset:128 */
    0xc0800000, 0x00000000, /* s_dcache_inv */
    0xc0060280, 0x00000040, /* s_load_dwordx2 s[10:11], s[0:1], 0x40 */
    0xdc508040, 0x09000005, /* global_load_dword v9, v5, s[0:1] offset:64 */
    0xbf8c0f71,             /* s_waitcnt vmcnt(1) */
    0xdc708100, 0x00000005, /* global_store_dword v5, v0, s[0:1] offset:256 */
    0xe0f80000, 0x00000000, /* buffer_wbinvl1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x680a0aff, 0x00000c00, /* v_add_u32_e32 v5, 0xc00, v5 */
    0x80888108,             /* s_sub_u32 s8, s8, 1 */
    0xbf078008,             /* s_cmp_lg_u32 s8, 0 */
    0xbf85ffe7,             /* s_cbranch_scc1 back to the first load */
    0xbf810000,             /* s_endpgm */
};

static const uint32_t rdna[] = {
    0x300a0088,                         /* v_lshlrev_b32_e32 v5, 8, v0 */
    0xb0080006,                         /* s_movk_i32 s8, 0x6 */
    0xee054000, 0x00000006, 0x00000005, /* global_load_b64 v[6:7], v5, s[0:1] */
    0xee050000, 0x00000008, 0x00000405, /* global_load_b32 v8, v5, s[0:1] offset:4 */
    0xee0ac07c, 0x00080000, 0x00000000, /* global_inv scope:SCOPE_DEV */
    0xee068000, 0x00000000, 0x00008005, /* global_store_b32 v5, v0, s[0:1] offset:128 */
    0xf4002280, 0xf8000040,             /* s_load_b64 s[10:11], s[0:1], 0x40 */
    0xf4042000, 0x00000000,             /* s_dcache_inv */
    0xee050000, 0x00000009, 0x00004005, /* global_load_b32 v9, v5, s[0:1] offset:64 */
    0xbfc00001,                         /* s_wait_loadcnt 0x1 */
    0xee068000, 0x00000000, 0x00010005, /* global_store_b32 v5, v0, s[0:1] offset:256 */
    0xee0ac07c, 0x00040000, 0x00000000, /* global_inv scope:SCOPE_SE */
    0xbfc00000,                         /* s_wait_loadcnt 0x0 */
    0xbfc70000,                         /* s_wait_kmcnt 0x0 */
    0x4a0a0aff, 0x00000c00,             /* v_add_nc_u32_e32 v5, 0xc00, v5 */
    0x80888108,                         /* s_sub_co_u32 s8, s8, 1 */
    0xbf078008,                         /* s_cmp_lg_u32 s8, 0 */
    0xbfa2ffdf,                         /* s_cbranch_scc1 back to the first load */
    0xbfb00000,                         /* s_endpgm */
};

enum { CHIPS = 4 };

/* One and two lookups a cycle, a queue of one entry and of many, two compute units for each scalar cache. */
static struct rig *chip(unsigned n)
{
    struct rig *r = n < 2 ? RIG_NEW("gfx90a", gcn, 64, 3) : QUEUED(rdna, 32, 3);

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
