/* Clusters of workgroups (gfx1250) on both engines: where a workgroup finds itself, and the barrier of its cluster:
 * what stands before it in one workgroup is seen behind it in the others, whatever the order in which they run; who is
 * waited for; when waves go on. Words come from LLVM 22's llvm-mc.
 */
#include "isa/gws.h"
#include "tests/timing/rdna_rig.h"

enum { FLAGS_AT = 4096, WORDS_OF_GROUP = 8, WG_X = 4, WG_Y = 4, GROUPS = WG_X * WG_Y };

#define SIGNAL_CLUSTER 0xbe804ec3
#define WAIT_CLUSTER   0xbf94fffd

/* Each workgroup of 2 x 2 stores ttmp6, ttmp7, ttmp9 and IB_STS2, sets a flag, meets the others, and stores the flag of
 * the workgroup in the opposite corner of its cluster. */
static const uint32_t meets[] = {
    0xb8841d5c,                               /* s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4) */
    0x8b09ff73,     0xffff,                   /* s_and_b32 s9, ttmp7, 0xffff */
    0x84098109,                               /* s_lshl_b32 s9, s9, 1 */
    0x80097509,                               /* s_add_co_u32 s9, s9, ttmp9: clusters of a row of two */
    0x87850409,                               /* s_lshl2_add_u32 s5, s9, s4 */
    0x84068505,                               /* s_lshl_b32 s6, s5, 5 */
    0x7e020206,                               /* v_mov_b32 v1, s6 */
    0x7e040272,                               /* v_mov_b32 v2, ttmp6 */
    0x7e060273,                               /* v_mov_b32 v3, ttmp7 */
    0x7e080275,                               /* v_mov_b32 v4, ttmp9 */
    0xb887f81c,                               /* s_getreg_b32 s7, hwreg(HW_REG_IB_STS2) */
    0x7e0a0207,                               /* v_mov_b32 v5, s7 */
    0xee074000,     0x01000000,   0x00000001, /* global_store_b128 v1, v[2:5], s[0:1] */
    0x84068205,                               /* s_lshl_b32 s6, s5, 2 */
    0x7e0c0206,                               /* v_mov_b32 v6, s6 */
    0x7e0e0281,                               /* v_mov_b32 v7, 1 */
    0xee068000,     0x03880000,   0x00100006, /* global_store_b32 v6, v7, s[0:1] offset:4096 scope:SCOPE_DEV */
    0xbfc10000,                               /* s_wait_storecnt 0x0 */
    SIGNAL_CLUSTER, WAIT_CLUSTER,             /* */
    0x8d048304,                               /* s_xor_b32 s4, s4, 3 */
    0x87850409,                               /* s_lshl2_add_u32 s5, s9, s4 */
    0x84068205,                               /* s_lshl_b32 s6, s5, 2 */
    0x7e0c0206,                               /* v_mov_b32 v6, s6 */
    0xee050000,     0x00080008,   0x00100006, /* global_load_b32 v8, v6, s[0:1] offset:4096 scope:SCOPE_DEV */
    0xbfc00000,                               /* s_wait_loadcnt 0x0 */
    0xee068000,     0x04000000,   0x00001001, /* global_store_b32 v1, v8, s[0:1] offset:16 */
    R_END};

static struct isa_gws gws;

/* x by y workgroups in clusters of cx by cy. */
static struct rig *cluster_rig(const uint32_t *code, size_t words, uint32_t waves, const uint32_t groups[2],
                               const uint32_t cluster[2])
{
    struct rig *r = queued("gfx1250", code, words, 32, waves);

    r->profile.gpu.cus_per_wgp = 1;
    r->profile.gpu.cus = 4;
    rig_groups(r, groups[0] * groups[1]);
    r->launch.workgroups[0] = groups[0];
    r->launch.workgroups[1] = groups[1];
    r->state.grid[0] = groups[0] * r->launch.workgroup_size[0];
    r->state.grid[1] = groups[1];
    r->launch.gws = &gws;
    assert_int_equal(launch_clusters(&r->launch, (const uint32_t[]){cluster[0], cluster[1], 1}, &r->err), 0);
    return r;
}

static void done(struct rig *r)
{
    free(r->launch.clusters);
    engine_result_free(&r->result);
    rig_free(r);
}

static uint32_t word(struct rig *r, uint32_t at)
{
    uint32_t v;

    assert_int_equal(mem_space_read(&r->space, r->data + at, &v, 4, &r->err), 0);
    return v;
}

static int run(struct rig *r, bool timing)
{
    return timing ? timing_run_chip(&r->launch, &r->options, NULL, 0, &r->result, &r->err)
                  : engine_run_functional(&r->launch, &r->options, &r->result, &r->err);
}

static void check_places(struct rig *r)
{
    for (uint32_t y = 0; y < WG_Y; y++)
        for (uint32_t x = 0; x < WG_X; x++) {
            uint32_t px = x % 2, py = y % 2, place = py * 2 + px, at = ((y / 2 * 2 + x / 2) * 4 + place) * 32;

            assert_int_equal(word(r, at), px | py << 4 | 1 << 12 | 1 << 16 | 3 << 24);
            assert_int_equal(word(r, at + 4), y / 2);
            assert_int_equal(word(r, at + 8), x / 2);
            assert_int_equal(word(r, at + 12), 3 << 6 | place << 21);
            assert_int_equal(word(r, at + 16), 1);
        }
}

static void workgroups_meet(void **state)
{
    static const uint32_t groups[] = {WG_X, WG_Y}, cluster[] = {2, 2};
    static const uint8_t none[8192];

    (void)state;
    for (unsigned way = 0; way < 5; way++) {
        struct rig *r = cluster_rig(meets, sizeof meets / sizeof *meets, 1, groups, cluster);

        assert_int_equal(mem_space_write(&r->space, r->data, none, sizeof none, &r->err), 0);
        r->options.threads = way & 1 ? 3 : 1;
        r->options.tick_every_cycle = way == 4;
        assert_int_equal(run(r, way >= 2), 0);
        assert_string_equal(r->result.message, "");
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        check_places(r);
        done(r);
    }
}

/* The cycle does not depend on the number of host threads. */
static void threads_change_nothing(void **state)
{
    static const uint32_t groups[] = {WG_X, WG_Y}, cluster[] = {4, 2};
    static const uint32_t code[] = {SIGNAL_CLUSTER, WAIT_CLUSTER, SIGNAL_CLUSTER, WAIT_CLUSTER, S_NOP_0, R_END};
    struct engine_result one;

    (void)state;
    for (unsigned threads = 1; threads < 4; threads++) {
        struct rig *r = cluster_rig(code, sizeof code / sizeof *code, 1, groups, cluster);

        r->options.threads = threads;
        assert_int_equal(run(r, true), 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        if (threads == 1)
            one = r->result;
        rig_same(&one, &r->result);
        done(r);
    }
}

/* Two workgroups of a cluster on one CU: the wait is over a message's way behind the last signal. */
static void release(void **state)
{
    static const uint32_t groups[] = {2, 1}, cluster[] = {2, 1};
    static const uint32_t code[] = {SIGNAL_CLUSTER, WAIT_CLUSTER, S_NOP_0, R_END};
    struct rig *r = cluster_rig(code, sizeof code / sizeof *code, 1, groups, cluster);
    cycle_t last = 0;
    unsigned seen = 0;

    (void)state;
    r->profile.gpu.cus = 1;
    r->profile.cls[OPC_MESSAGE].latency_cycles = 20;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == RIG_BASE && r->event[k].at > last)
            last = r->event[k].at;
    for (unsigned k = 0; k < r->events; k++)
        if (r->event[k].pc == RIG_BASE + 8) {
            assert_int_equal(r->event[k].at, last + 20 + r->profile.frontend.launch_latency_cycles);
            seen++;
        }
    assert_int_equal(seen, 2);
    assert_true(rig_stall(r, "barrier") > 0);
    done(r);
}

/* A workgroup that ends is waited for no more, though it has not signalled. */
static void who_has_ended(void **state)
{
    static const uint32_t groups[] = {4, 1}, cluster[] = {4, 1};
    static const uint32_t code[] = {0xb8841d5c, /* s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4) */
                                    0xbf068304, /* s_cmp_eq_u32 s4, 3 */
                                    0xbfa20003, /* s_cbranch_scc1 to the end */
                                    SIGNAL_CLUSTER, WAIT_CLUSTER, S_NOP_0, R_END};

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct rig *r = cluster_rig(code, sizeof code / sizeof *code, 2, groups, cluster);

        /* both waves signal: as often as there are workgroups is enough */
        assert_int_equal(run(r, timing), 0);
        assert_string_equal(r->result.message, "");
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        done(r);
    }
}

/* One that waits for a signal that nobody gives. */
static void a_deadlock(void **state)
{
    static const uint32_t groups[] = {4, 1}, cluster[] = {2, 1};
    static const uint32_t code[] = {WAIT_CLUSTER, R_END};

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct rig *r = cluster_rig(code, sizeof code / sizeof *code, 1, groups, cluster);

        assert_int_equal(run(r, timing), 0);
        assert_int_equal(r->result.outcome, ENGINE_FAULT);
        assert_non_null(strstr(r->result.message, "deadlock"));
        done(r);
    }
}

/* What a signal and a state say, and a cluster of one workgroup, whose barrier does nothing. */
static void state_of_the_barrier(void **state)
{
    static const uint32_t groups[] = {2, 1};
    static const uint32_t code[] = {
        0xbe804fc3,                           /* s_barrier_signal_isfirst -3 */
        0x98088081,                           /* s_cselect_b32 s8, 1, 0 */
        0x7e040208,                           /* v_mov_b32 v2, s8 */
        0xbe8850c3,   0xbfc70000,             /* s_get_barrier_state s8, -3 */
        0x7e060208,                           /* v_mov_b32 v3, s8 */
        0xbe894c88,   0xbfc70000,             /* s_sendmsg_rtn_b32 s9, sendmsg(MSG_RTN_GET_CLUSTER_BARRIER_STATE) */
        0x7e080209,                           /* v_mov_b32 v4, s9 */
        0xb8841d5c,                           /* s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4) */
        0x84068504,                           /* s_lshl_b32 s6, s4, 5 */
        0x7e020206,                           /* v_mov_b32 v1, s6 */
        0xee074000,   0x01000000, 0x00000001, /* global_store_b128 v1, v[2:5], s[0:1] */
        WAIT_CLUSTER, R_END};

    (void)state;
    for (uint32_t members = 1; members < 3; members++) {
        const uint32_t cluster[] = {members, 1};
        struct rig *r = cluster_rig(code, sizeof code / sizeof *code, 1, groups, cluster);

        assert_int_equal(run(r, false), 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        assert_int_equal(word(r, 0), members > 1);
        assert_int_equal(word(r, 4), members > 1 ? 1 << 16 | 2 << 4 | 1 : 0);
        assert_int_equal(word(r, 8), word(r, 4));
        if (members > 1)
            assert_int_equal(word(r, 32), 0); /* it signals second */
        done(r);
    }
}

static void what_no_launch_can_have(void **state)
{
    static const struct {
        const char *target, *why;
        uint32_t size[3];
    } of[] = {{"gfx1201", "clusters of 2 x 1 x 1 workgroups; gfx1201 has no clusters", {2, 1, 1}},
              {"gfx1250", "clusters of 5 x 4 x 1 workgroups; expected at most 16 in all", {5, 4, 1}},
              {"gfx1250", "clusters of 4294967295 x 1 x 1 workgroups; expected at most 16 in all", {UINT32_MAX, 1, 1}},
              {"gfx1250", "6 workgroups in x; expected a multiple of the 4 that a cluster has", {4, 1, 1}}};
    static const uint32_t code[] = {R_END};

    (void)state;
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        struct rig *r = queued(of[k].target, code, 1, 32, 1);

        rig_groups(r, 6);
        assert_int_not_equal(launch_clusters(&r->launch, of[k].size, &r->err), 0);
        assert_string_equal(r->err.text, of[k].why);
        rig_free(r);
    }
}

/* Numbers of workgroups and back. */
static void numbers(void **state)
{
    static const uint32_t code[] = {R_END}, groups[] = {6, 4}, cluster[] = {3, 2};
    struct rig *r = cluster_rig(code, 1, 1, groups, cluster);
    bool seen[24] = {false};

    (void)state;
    for (uint64_t n = 0; n < 24; n++) {
        struct launch_group g;

        launch_open_group(&r->launch, n, &g);
        assert_int_equal(launch_group_number(&r->launch, g.id), n);
        assert_int_equal(g.cluster, n / 6);
        assert_false(seen[g.id[1] * 6 + g.id[0]]);
        seen[g.id[1] * 6 + g.id[0]] = true;
    }
    done(r);
}

static int set_up(void **state)
{
    (void)state;
    isa_gws_init(&gws);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    isa_gws_destroy(&gws);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workgroups_meet),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(release),
        cmocka_unit_test(who_has_ended),
        cmocka_unit_test(a_deadlock),
        cmocka_unit_test(state_of_the_barrier),
        cmocka_unit_test(what_no_launch_can_have),
        cmocka_unit_test(numbers),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
