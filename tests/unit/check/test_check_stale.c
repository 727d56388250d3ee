/* Loads that hit lines written since they were fetched: found on the timing engine's caches, and gone with the cache
 * control or scope that the finding names. */
#include "tests/timing/rig.h"

#include "sim/check/check.h"
#include "sim/check/stale.h"

struct stale_case {
    const char *target;
    const char *text;
    unsigned groups;
    const char *rule, *fix; /* null: nothing is found */
    unsigned word;          /* of the load that is found */
    unsigned waves;         /* of a workgroup; 0: one */
};

/* The part of the findings that stale.c made: these workgroups are in a race, too. */
static const struct check_finding *stale_ones(struct check *c, size_t *count)
{
    static struct check_finding kept[8];
    size_t all;
    const struct check_finding *f = check_findings(c, &all);

    *count = 0;
    for (size_t k = 0; k < all && *count < sizeof kept / sizeof kept[0]; k++)
        if (f[k].rule == CHECK_STALE_VECTOR || f[k].rule == CHECK_STALE_SCALAR)
            kept[(*count)++] = f[k];
    return kept;
}

static const struct check_finding *run_checked(const struct stale_case *v, struct rig **out, struct check **check,
                                               size_t *found)
{
    bool rdna = !strncmp(v->target, "gfx1", 4);
    struct rig *r = rig_text(v->target, v->text, rdna ? 32 : 64, v->waves ? v->waves : 1);

    r->profile.gpu.cus *= 2;
    r->launch.wgp_mode = true;
    r->profile.frontend.wave_launch_interval_cycles = 1;
    rig_groups(r, v->groups);
    *check = check_open(&r->launch, NULL, 0, false, &r->options);
    assert_non_null(*check);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    *out = r;
    return stale_ones(*check, found);
}

static void findings(void **state)
{
    static const struct stale_case v[] = {
        /* two CUs load a line, store to it, wait, and load it again: each sees its own store alone */
        {"gfx90a",
         "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm",
         2, "stale.vector", "buffer_wbinvl1_vol before it, or glc on it", 8, 0},
        /* one CU alone: its stores update its lines */
        {"gfx90a",
         "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm",
         1, NULL, NULL, 0, 0},
        /* with buffer_wbinvl1_vol */
        {"gfx90a",
         "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; buffer_wbinvl1_vol; s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; "
         "s_waitcnt vmcnt(0); s_endpgm",
         2, NULL, NULL, 0, 0},
        /* with glc on the second load */
        {"gfx90a",
         "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; global_load_dword v15, v8, s[0:1] glc; s_waitcnt vmcnt(0); s_endpgm",
         2, NULL, NULL, 0, 0},
        /* the scalar cache has not seen the CU's own vector store */
        {"gfx90a",
         "v_mov_b32 v8, 0; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); s_endpgm",
         1, "stale.scalar", "s_dcache_inv before it, or glc on it", 8, 0},
        /* with s_dcache_inv */
        {"gfx90a",
         "v_mov_b32 v8, 0; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); global_store_dword v8, v1, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; s_dcache_inv; s_waitcnt lgkmcnt(0); s_load_dword s8, s[0:1], 0x0; "
         "s_waitcnt lgkmcnt(0); s_endpgm",
         1, NULL, NULL, 0, 0},
        /* a load that was there before any store */
        {"gfx90a",
         "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; "
         "s_waitcnt vmcnt(0); s_sleep 20; global_store_dword v8, v1, s[0:1]; s_waitcnt vmcnt(0); s_endpgm",
         2, NULL, NULL, 0, 0},
        /* RDNA4, CUs of two WGPs; with global_inv; with the scope on the load */
        {"gfx1201",
         "v_mov_b32 v8, 0; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; global_store_b32 v8, v1, s[0:1]; "
         "s_wait_storecnt 0x0; s_sleep 20; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; s_endpgm",
         2, "stale.vector", "global_inv scope:SCOPE_DEV before it, or that scope on it", 10, 0},
        {"gfx1201",
         "v_mov_b32 v8, 0; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; global_store_b32 v8, v1, s[0:1]; "
         "s_wait_storecnt 0x0; s_sleep 20; global_inv scope:SCOPE_DEV; s_wait_loadcnt 0x0; "
         "global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; s_endpgm",
         2, NULL, NULL, 0, 0},
        {"gfx1201",
         "v_mov_b32 v8, 0; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; global_store_b32 v8, v1, s[0:1]; "
         "s_wait_storecnt 0x0; s_sleep 20; global_load_b32 v15, v8, s[0:1] scope:SCOPE_DEV; s_wait_loadcnt 0x0; "
         "s_endpgm",
         2, NULL, NULL, 0, 0},
        /* the two CUs of a WGP, waves of one workgroup */
        {"gfx1201",
         "v_mov_b32 v8, 0; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; global_store_b32 v8, v1, s[0:1]; "
         "s_wait_storecnt 0x0; s_sleep 20; global_load_b32 v15, v8, s[0:1]; s_wait_loadcnt 0x0; s_endpgm",
         1, "stale.vector", "global_inv scope:SCOPE_SE before it, or that scope on it", 10, 4},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig *r;
        struct check *check;
        size_t found = 0;
        const struct check_finding *f = run_checked(&v[k], &r, &check, &found);

        if (!v[k].rule) {
            if (found)
                fail_msg("case %zu: %s: %s", k, check_rule_key[f->rule], f->message);
        } else {
            if (found != 1)
                fail_msg("case %zu: %zu findings", k, found);
            assert_string_equal(check_rule_key[f->rule], v[k].rule);
            assert_string_equal(f->fix, v[k].fix);
            assert_int_equal(f->pc, RIG_BASE + 4 * v[k].word);
            assert_int_equal(f->lane, strcmp(v[k].rule, "stale.vector") ? -1 : 0);
            assert_non_null(strstr(f->message, strcmp(v[k].rule, "stale.vector") ? "the same CU" : "another CU"));
        }
        check_close(check);
        rig_free(r);
    }
}

static void tell_access(struct stale *s, struct event *e, enum mem_op op, uint32_t token, uint32_t cu, cycle_t at)
{
    e->access.op = (uint8_t)op;
    e->access.token = token;
    e->cu = (uint16_t)cu;
    e->at = at;
    stale_events(s, e, 1);
}

/* A store that passes the cache of the hit on its way is none to report: of the CUs that the cache serves, wherever
 * their numbers begin, and by the ports that lead through it. */
static void which_stores_pass_a_cache(void **state)
{
    static const struct {
        enum cache_level level;
        uint32_t first_cu, all_cus, ports, writer;
        bool scalar_load, found;
    } v[] = {
        {LEVEL_VL0, 5, 1, 1u << EVENT_PORT_VECTOR, 5, false, false},
        {LEVEL_VL0, 5, 1, 1u << EVENT_PORT_VECTOR, 4, false, true},
        {LEVEL_GL1, 3, 3, 1u << EVENT_PORT_VECTOR, 3, false, false}, /* CUs 3 to 5, not those of 5 / 3 */
        {LEVEL_GL1, 4, 3, 1u << EVENT_PORT_VECTOR, 3, false, true},
        {LEVEL_GL1, 4, 3, 1u << EVENT_PORT_VECTOR, 6, false, false},
        {LEVEL_GL1, 4, 3, 1u << EVENT_PORT_VECTOR, 7, false, true},
        {LEVEL_K, 4, 2, 1u << EVENT_PORT_SCALAR, 5, true, true},
        {LEVEL_GL1, 4, 3, 1u << EVENT_PORT_VECTOR | 1u << EVENT_PORT_SCALAR, 6, true, false},
        {LEVEL_GL1, 4, 3, 1u << EVENT_PORT_VECTOR | 1u << EVENT_PORT_SCALAR, 7, true, true},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig *r = rig_text("gfx1030", "s_endpgm", 32, 1);
        struct check *c = check_open(&r->launch, NULL, 0, false, &r->options);
        struct stale *s = stale_open(c, MEM_GEN_GFX10, 2);
        const gaddr_t addr = 0x1000;
        struct event e = {
            .kind = EVENT_ACCESS, .pc = RIG_BASE, .access = {.addr = &addr, .lanes = 1, .bytes = 4, .pieces = 1}};
        bool entrance = v[k].level != LEVEL_GL1;
        size_t found;

        assert_non_null(s);
        tell_access(s, &e, MEM_STORE, 1, v[k].writer, 50);
        e.access.scalar = v[k].scalar_load;
        tell_access(s, &e, MEM_LOAD, 2, 5, 90);
        e = (struct event){.kind = EVENT_CACHE_HIT,
                           .level = (uint8_t)v[k].level,
                           .cu = entrance ? 5 : 4, /* the scalar cache of a WGP asks for both CUs */
                           .hit = {.op = v[k].scalar_load ? MEM_SCALAR : MEM_LOAD,
                                   .cus = entrance ? 1 : 2,
                                   .first_cu = (uint16_t)v[k].first_cu,
                                   .all = (uint16_t)v[k].all_cus,
                                   .ports = (uint8_t)v[k].ports,
                                   .token = entrance ? 2 : EVENT_NO_TOKEN,
                                   .addr = 0x1000,
                                   .line_bytes = 128,
                                   .fetched = 20}};
        stale_events(s, &e, 1);
        const struct check_finding *f = check_findings(c, &found);
        if (found != v[k].found)
            fail_msg("case %zu: %zu findings", k, found);
        if (found) {
            assert_string_equal(check_rule_key[f->rule], v[k].scalar_load ? "stale.scalar" : "stale.vector");
            if (v[k].scalar_load && v[k].level == LEVEL_GL1)
                assert_string_equal(f->fix, "s_dcache_inv and s_gl1_inv before it, or glc dlc on it");
        }
        stale_close(s);
        check_close(c);
        rig_free(r);
    }
}

/* A lane's dwords on a stack: 8 bytes are the first dword and one 256 bytes on, of what is written and of what is read.
 */
static void rows_of_a_stack(void **state)
{
    static const struct {
        uint32_t bytes, step; /* of the load */
        gaddr_t at, line;     /* the load's first dword; the line that is hit */
        bool found;
        uint32_t pieces; /* of a block; 0: as many as there are dwords */
    } v[] = {
        {4, 0, 0x1000, 0x1000, true, 0},       {4, 0, 0x1004, 0x1000, false, 0},
        {4, 0, 0x1100, 0x1100, true, 0},       {8, 0, 0x10fc, 0x1100, true, 0},
        {8, 256, 0x10fc, 0x1100, false, 0},    {8, 256, 0x0f00, 0x1000, true, 0},
        {16, 256, 0x0e00, 0x1100, true, 0},    {8, 4, 0x0ff8, 0x1000, true, 5},
        {8, 4, 0x0ffc, 0x1000, false, 5},      {4, 4, 0x1084, 0x1100, true, 0x80000000},
        {4, 4, 0x1100, 0x1100, false, 1 << 3}, {128, 4, 0x0f84, 0x1000, true, 0xffffffff},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig *r = rig_text("gfx90a", "s_endpgm", 64, 1);
        struct check *c = check_open(&r->launch, NULL, 0, false, &r->options);
        struct stale *s = stale_open(c, MEM_GEN_GFX90A, 1);
        gaddr_t addr = 0x1000;
        struct event e = {.kind = EVENT_ACCESS,
                          .pc = RIG_BASE,
                          .access = {.addr = &addr, .lanes = 1, .bytes = 4, .pieces = 3, .step = 256}};
        size_t found;

        assert_non_null(s);
        tell_access(s, &e, MEM_STORE, 1, 4, 50);
        e.access.step = v[k].step;
        e.access.pieces = v[k].pieces ? v[k].pieces : v[k].step ? (1u << v[k].bytes / 4) - 1 : 1;
        e.access.bytes = (uint16_t)(v[k].step ? 4 : v[k].bytes);
        addr = v[k].at;
        tell_access(s, &e, MEM_LOAD, 2, 5, 90);
        e = (struct event){.kind = EVENT_CACHE_HIT,
                           .level = LEVEL_VL0,
                           .cu = 5,
                           .hit = {.op = MEM_LOAD,
                                   .cus = 1,
                                   .first_cu = 5,
                                   .all = 1,
                                   .ports = 1u << EVENT_PORT_VECTOR,
                                   .token = 2,
                                   .addr = v[k].line,
                                   .line_bytes = 64,
                                   .fetched = 20}};
        stale_events(s, &e, 1);
        check_findings(c, &found);
        if (found != v[k].found)
            fail_msg("case %zu: %zu findings", k, found);
        stale_close(s);
        check_close(c);
        rig_free(r);
    }
}

/* Observing changes no cycle, and the number of host threads changes no finding. */
static void time_and_findings_are_the_same(void **state)
{
    static const struct stale_case v = {
        "gfx90a",
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); global_store_dword v8, v1, s[0:1]; "
        "s_waitcnt vmcnt(0); s_sleep 20; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm",
        2,
        "stale.vector",
        NULL,
        8,
        0};
    const struct check_finding *f;
    struct check_finding first;
    struct rig *r;
    struct check *check;
    size_t found;
    cycle_t cycles;

    (void)state;
    f = run_checked(&v, &r, &check, &found);
    assert_int_equal(found, 1);
    first = *f;
    cycles = r->result.stat[STAT_CYCLES];
    check_close(check);
    for (uint32_t threads = 2; threads <= 4; threads++) {
        r->options = (struct engine_options){.threads = threads};
        check = check_open(&r->launch, NULL, 0, false, &r->options);
        assert_non_null(check);
        assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
        assert_int_equal(r->result.stat[STAT_CYCLES], cycles);
        f = stale_ones(check, &found);
        assert_int_equal(found, 1);
        assert_int_equal(f->count, first.count);
        assert_int_equal(f->group, first.group);
        assert_string_equal(f->message, first.message);
        check_close(check);
    }
    r->options = (struct engine_options){.threads = 1};
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.stat[STAT_CYCLES], cycles);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings),
        cmocka_unit_test(rows_of_a_stack),
        cmocka_unit_test(which_stores_pass_a_cache),
        cmocka_unit_test(time_and_findings_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
