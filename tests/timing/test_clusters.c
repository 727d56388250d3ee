/* Clusters of workgroups (gfx1250) on both engines: where a workgroup finds itself, and the barrier of its cluster:
 * what stands before it in one workgroup is seen behind it in the others, whatever the order in which they run; who is
 * waited for; when waves go on.
 */
#include "isa/gws.h"
#include "tests/timing/rdna_rig.h"

enum { FLAGS_AT = 4096, WORDS_OF_GROUP = 8, WG_X = 4, WG_Y = 4, GROUPS = WG_X * WG_Y };

/* Each workgroup of 2 x 2 stores ttmp6, ttmp7, ttmp9 and IB_STS2, sets a flag, meets the others, and stores the flag of
 * the workgroup in the opposite corner of its cluster. */
static const char meets[] =
    "s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4); s_and_b32 s9, ttmp7, 0xffff; s_lshl_b32 s9, s9, 1; "
    "s_add_co_u32 s9, s9, ttmp9; " /* clusters of a row of two */
    "s_lshl2_add_u32 s5, s9, s4; s_lshl_b32 s6, s5, 5; v_mov_b32 v1, s6; v_mov_b32 v2, ttmp6; v_mov_b32 v3, ttmp7; "
    "v_mov_b32 v4, ttmp9; s_getreg_b32 s7, hwreg(HW_REG_IB_STS2); v_mov_b32 v5, s7; "
    "global_store_b128 v1, v[2:5], s[0:1]; s_lshl_b32 s6, s5, 2; v_mov_b32 v6, s6; v_mov_b32 v7, 1; "
    "global_store_b32 v6, v7, s[0:1] offset:4096 scope:SCOPE_DEV; s_wait_storecnt 0x0; s_barrier_signal -3; "
    "s_barrier_wait 0xfffd; s_xor_b32 s4, s4, 3; s_lshl2_add_u32 s5, s9, s4; s_lshl_b32 s6, s5, 2; v_mov_b32 v6, s6; "
    "global_load_b32 v8, v6, s[0:1] offset:4096 scope:SCOPE_DEV; s_wait_loadcnt 0x0; "
    "global_store_b32 v1, v8, s[0:1] offset:16; s_endpgm";

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
        struct rig *r = cluster_rig(WORDS("gfx1250", meets), 1, groups, cluster);

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
    static const char code[] =
        "s_barrier_signal -3; s_barrier_wait 0xfffd; s_barrier_signal -3; s_barrier_wait 0xfffd; s_nop 0; s_endpgm";
    struct engine_result one;

    (void)state;
    for (unsigned threads = 1; threads < 4; threads++) {
        struct rig *r = cluster_rig(WORDS("gfx1250", code), 1, groups, cluster);

        r->options.threads = threads;
        assert_int_equal(run(r, true), 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        if (threads == 1)
            one = r->result;
        rig_same(&one, &r->result);
        done(r);
    }
}

/* Two workgroups of a cluster on one CU: the wait is over a message's way after the last signal. */
static void release(void **state)
{
    static const uint32_t groups[] = {2, 1}, cluster[] = {2, 1};
    static const char code[] = "s_barrier_signal -3; s_barrier_wait 0xfffd; s_nop 0; s_endpgm";
    struct rig *r = cluster_rig(WORDS("gfx1250", code), 1, groups, cluster);
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
    static const char code[] =
        "s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4); s_cmp_eq_u32 s4, 3; s_cbranch_scc1 end; s_barrier_signal -3; "
        "s_barrier_wait 0xfffd; s_nop 0; "
        "end: s_endpgm";

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct rig *r = cluster_rig(WORDS("gfx1250", code), 2, groups, cluster);

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
    static const char code[] = "s_barrier_wait 0xfffd; s_endpgm";

    (void)state;
    for (unsigned timing = 0; timing < 2; timing++) {
        struct rig *r = cluster_rig(WORDS("gfx1250", code), 1, groups, cluster);

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
    static const char code[] =
        "s_barrier_signal_isfirst -3; s_cselect_b32 s8, 1, 0; v_mov_b32 v2, s8; s_get_barrier_state s8, -3; "
        "s_wait_kmcnt 0x0; v_mov_b32 v3, s8; s_sendmsg_rtn_b32 s9, sendmsg(MSG_RTN_GET_CLUSTER_BARRIER_STATE); "
        "s_wait_kmcnt 0x0; v_mov_b32 v4, s9; s_getreg_b32 s4, hwreg(HW_REG_IB_STS2, 21, 4); s_lshl_b32 s6, s4, 5; "
        "v_mov_b32 v1, s6; global_store_b128 v1, v[2:5], s[0:1]; s_barrier_wait 0xfffd; s_endpgm";

    (void)state;
    for (uint32_t members = 1; members < 3; members++) {
        const uint32_t cluster[] = {members, 1};
        struct rig *r = cluster_rig(WORDS("gfx1250", code), 1, groups, cluster);

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

    (void)state;
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        struct rig *r = queued_text(of[k].target, "s_endpgm", 32, 1);

        rig_groups(r, 6);
        assert_int_not_equal(launch_clusters(&r->launch, of[k].size, &r->err), 0);
        assert_string_equal(r->err.text, of[k].why);
        rig_free(r);
    }
}

/* Numbers of workgroups and back. */
static void numbers(void **state)
{
    static const uint32_t groups[] = {6, 4}, cluster[] = {3, 2};
    struct rig *r = cluster_rig(WORDS("gfx1250", "s_endpgm"), 1, groups, cluster);
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
