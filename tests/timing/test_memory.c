/* Wait counters, the LDS unit and the memory units, to the cycle; and runs on the real hierarchy that must not depend
 * on how the clock moves. */
#include "tests/timing/rig.h"

#define FIRST 40

static void wait_ends_when_the_load_returns(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 100);
    assert_int_equal(rig_stall(r, "wait_vmcnt"), 100 - 4);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 1); /* all lanes read one line */
    r->latency[MEM_PORT_VECTOR] = 101;                 /* a cycle later is the next turn of the SIMD */
    rig_run(r);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 104);
    assert_int_equal(rig_stall(r, "wait_vmcnt"), 101 - 4);
    assert_int_equal(rig_stall(r, "arbitration"), 3);
    rig_free(r);
}

/* The second load is back at once, but counts down after the first. */
static void vector_loads_return_in_order(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(1); "
        "s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->late_access = 0;
    r->late = 60;
    rig_run(r);
    assert_int_equal(rig_at(r, 3), FIRST + 8);
    assert_int_equal(rig_at(r, 5), FIRST + 4 + 160);
    assert_int_equal(rig_at(r, 6), FIRST + 4 + 160 + 4);
    rig_free(r);
}

/* A scalar load that is still out does not hold back the LDS read issued after it. */
static void scalar_loads_return_out_of_order(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; s_load_dword s8, s[0:1], 0x0; ds_read_b32 v14, v8; s_waitcnt lgkmcnt(1); "
        "s_waitcnt lgkmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 3), FIRST + 8);
    assert_int_equal(rig_at(r, 5), FIRST + 8 + 32);
    assert_int_equal(rig_at(r, 6), FIRST + 56); /* 4 + 50 = 54, its SIMD's turn is at 56 */
    rig_free(r);
}

static void lgkmcnt_counts_to_fifteen(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; .rept 16; ds_read_b32 v14, v8; .endr; s_waitcnt lgkmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->profile.lds.latency_b32_cycles = 200;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 1 + 2 * 14), FIRST + 4 + 14 * 4);
    assert_int_equal(rig_at(r, 1 + 2 * 15), FIRST + 4 + 200);
    assert_int_equal(rig_stall(r, "counter_full"), 200 - 60);
    rig_free(r);
}

/* 64 lanes of 4 bytes: 8 cycles of the port; of 16 bytes: 20. */
static void lds_stores_take_eight_and_twenty_cycles(void **state)
{
    static const char b32[] = "v_lshlrev_b32 v8, 2, v0; ds_write_b32 v8, v1; ds_write_b32 v8, v1; s_endpgm";
    static const char b128[] =
        "v_lshlrev_b32 v9, 4, v0; ds_write_b128 v9, v[10:13]; ds_write_b128 v9, v[10:13]; s_endpgm";
    struct rig *r = rig_text("gfx90a", b32, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 1), FIRST + 4);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 8);
    assert_int_equal(rig_stall(r, "unit_busy_lds"), 4);
    assert_int_equal(r->result.stat[STAT_LDS_ACCESSES], 2);
    assert_int_equal(r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES], 0);
    rig_free(r);
    r = rig_text("gfx90a", b128, 64, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 20);
    rig_free(r);
}

/* SIMDs 0 and 1 share a port, 2 and 3 the other one. */
static void lds_ports_are_shared_by_pairs(void **state)
{
    static const char code[] = "v_lshlrev_b32 v9, 4, v0; ds_write_b128 v9, v[10:13]; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 4);

    (void)state;
    r->launch.lds_bytes = 8192;
    r->profile.frontend.wave_launch_interval_cycles = 1;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 1, 0), FIRST + 4);
    assert_int_equal(rig_issue_of(r, 2, 1, 0), FIRST + 6);
    assert_int_equal(rig_issue_of(r, 1, 1, 0), FIRST + 4 + 20 + 1); /* free at 64, SIMD 1's turn at 65 */
    assert_int_equal(rig_issue_of(r, 3, 1, 0), FIRST + 6 + 20 + 1);
    rig_free(r);
}

/* Every lane in one bank: two phases of 32 lanes, 31 cycles of conflict each. */
static void bank_conflicts(void **state)
{
    static const char code[] = "v_lshlrev_b32 v8, 7, v0; ds_read_b32 v14, v8; s_waitcnt lgkmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->launch.lds_bytes = 8192;
    rig_run(r);
    assert_int_equal(r->result.stat[STAT_LDS_BANK_CONFLICT_CYCLES], 62);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 96); /* 32 + 62 = 94, then the turn */
    rig_free(r);
}

static void end_waits_for_stores(void **state)
{
    static const char code[] = "v_mov_b32 v8, 0; global_store_dword v8, v1, s[0:1]; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 3), FIRST + 8);
    assert_int_equal(r->result.stat[STAT_CYCLES], FIRST + 4 + 100);
    assert_int_equal(rig_stall(r, "drain"), 100 - 8);
    rig_free(r);
}

/* Lanes 64 bytes apart: a line each, one line a cycle into the cache. */
static void scattered_lanes_take_a_line_each(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 6, v0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 64);
    assert_int_equal(rig_at(r, 3), FIRST + 4 + 63 + 100 + 1); /* the last line leaves at 63; turn */
    rig_free(r);
}

/* The queue towards the cache holds one instruction of each SIMD, four here: the fifth load waits until the last of the
 * first one's 64 lines has left, and issues in its SIMD's turn after that. */
static void queue_towards_memory_is_full(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 6, v0; global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; "
        "global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; "
        "s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 7), FIRST + 16);
    assert_int_equal(rig_at(r, 9), FIRST + 4 + 64);
    assert_int_equal(rig_stall(r, "memory_queue_full"), 4 + 64 - 20);
    assert_int_equal(rig_stall(r, "arbitration"), 0);
    assert_int_equal(rig_stall(r, "unit_busy_vmem"), 0);
    r->profile.cu.vmem_queue_depth = 2;
    rig_run(r);
    assert_int_equal(rig_at(r, 9), FIRST + 20);
    assert_int_equal(rig_stall(r, "memory_queue_full"), 0);
    rig_free(r);
}

/* swizzled; indexed by lane, 64 to a row */
#define STACK_DESCRIPTOR "s_mov_b32 s4, s0; s_or_b32 s5, s1, 0x80000000; s_mov_b32 s6, -1; s_mov_b32 s7, 0xe00000; "

/* The dwords of the lanes stand side by side on a wave's stack: 16 bytes of each are four rows of 256 bytes, 16 lines
 * of 64, and a line leaves in a cycle. */
static void stacks_are_rows_of_dwords(void **state)
{
    static const char one[] = STACK_DESCRIPTOR "buffer_load_dword v8, off, s[4:7], 0; s_waitcnt vmcnt(0); s_endpgm";
    static const char four[] = STACK_DESCRIPTOR "buffer_load_dwordx4 v[8:11], off, s[4:7], 0; "
                                                "s_waitcnt vmcnt(0); s_endpgm";
    static const char store[] =
        STACK_DESCRIPTOR "buffer_store_dwordx4 v[8:11], off, s[4:7], 0; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", one, 64, 1);

    (void)state;
    rig_run(r);
    cycle_t issued = rig_at(r, 6);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 4);
    assert_int_equal(rig_at(r, 8), issued + 3 + 100 + 1); /* the last line leaves at 3; the turn */
    rig_free(r);
    r = rig_text("gfx90a", four, 64, 1);
    rig_run(r);
    assert_int_equal(rig_at(r, 6), issued);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 16);
    assert_int_equal(rig_at(r, 8), issued + 15 + 100 + 1);
    assert_int_equal(r->last[MEM_PORT_VECTOR], r->data + 3 * 256 + 192);
    rig_free(r);
    r = rig_text("gfx90a", store, 64, 1);
    rig_run(r);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 16);
    rig_free(r);
}

/* The address unit takes a store by runs of data: four rows of 64 neighbouring dwords are 16 runs of a line each. What
 * follows begins to leave when the unit is through. */
static void stores_take_the_address_unit_by_runs_of_all_rows(void **state)
{
    static const char code[] = STACK_DESCRIPTOR
        "buffer_store_dwordx4 v[8:11], off, s[4:7], 0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); "
        "s_endpgm";
    static const struct {
        double runs_per_cycle;
        cycle_t unit; /* cycles of the store in the address unit */
    } rate[] = {{0, 16}, {2, 16}, {0.75, 22}, {0.5, 32}};
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->profile.cu.vmem_queue_depth = 4;
    for (unsigned k = 0; k < sizeof rate / sizeof rate[0]; k++) {
        r->profile.cu.store_runs_per_cycle = rate[k].runs_per_cycle;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(r->accesses[MEM_PORT_VECTOR], 16 + 1);
        cycle_t turn = (rig_at(r, 6) + rate[k].unit + 100 + 3) / 4 * 4;
        assert_int_equal(rig_at(r, 10), turn);
    }
    rig_free(r);
}

/* Lanes that are at offsets of their own touch a line each in every row: more than contiguous bytes ever could. */
static void scattered_stacks_take_a_line_for_each_dword(void **state)
{
    static const char code[] =
        "s_mov_b32 s4, s0; s_or_b32 s5, s1, 0x80000000; s_mov_b32 s6, -1; s_mov_b32 s7, 0xe00000; "
        "v_lshlrev_b32 v8, 4, v0; buffer_load_dwordx4 v[8:11], v8, s[4:7], 0 offen; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    mem_space_free(&r->space, r->data, NULL);
    assert_int_equal(mem_space_alloc(&r->space, 65536 * 4, 4096, MEM_READ | MEM_WRITE, "data", &r->data, &r->err), 0);
    r->state.user_sgprs[0] = (uint32_t)r->data;
    r->state.user_sgprs[1] = (uint32_t)(r->data >> 32);
    rig_run(r);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 256);
    assert_int_equal(rig_at(r, 9), rig_at(r, 7) + 255 + 100 + 1);
    assert_int_equal(r->last[MEM_PORT_VECTOR], r->data + (4 * 63 + 3) * 256 + 4 * 63);
    r->launch.waves_per_group = 4; /* one on every SIMD: the queue holds them all */
    r->launch.workgroup_size[0] = 256;
    rig_groups(r, 1);
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->accesses[MEM_PORT_VECTOR], 4 * 256);
    rig_free(r);
}

static void rdna_scalar_load_and_address_dependency(void **state)
{
    static const char code[] = "s_load_b32 s8, s[0:1], 0x0; s_wait_kmcnt 0x0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_run(r);
    assert_int_equal(rig_at(r, 2), FIRST + 50);
    assert_int_equal(rig_stall(r, "wait_kmcnt"), 49);
    rig_free(r);
}

/* Three waves of a CU load, the first one's line coming back `late` cycles late: `wait` are the cycles in which each
 * issues its wait, when it is over, from the first load on. */
static void three_loads(bool in_order, const char *load, bool store, cycle_t late, cycle_t *wait)
{
    static struct rig_event event[RIG_MAX_EVENTS];
    char text[200];

    snprintf(text, sizeof text, "v_lshlrev_b32 v0, 4, v0; %s; %s; s_nop 0; s_endpgm", load,
             store ? "s_waitcnt_vscnt null, 0x0" : "s_waitcnt vmcnt(0)");
    struct rig *r = rig_text("gfx1100", text, 32, 3);

    r->profile.gpu.cus = r->profile.gpu.cus_per_wgp = 1;
    r->profile.cu.vmem_returns_in_order = in_order;
    r->profile.cu.vmem_queue_depth = 4;
    r->late = late;
    r->late_access = 0;
    r->options.tick_every_cycle = true;
    rig_run(r);
    assert_int_equal(r->status, 0);
    memcpy(event, r->event, sizeof event);
    r->options.tick_every_cycle = false;
    rig_run(r);
    assert_int_equal(r->status, 0);
    assert_memory_equal(event, r->event, r->events * sizeof *event);
    for (unsigned w = 0; w < 3; w++)
        wait[w] = rig_issue_of(r, w, 3, 0) - rig_issue_of(r, 0, 1, 0);
    rig_free(r);
}

/* RDNA3: a wave whose load hits waits for the load that another wave of the CU has issued before; its data follow, each
 * for as long as they take of the data path (64 bytes a cycle here). RDNA4: it does not wait. */
static void loads_of_waves_return_in_order(void **state)
{
    static const char b32[] = "global_load_b32 v1, v0, s[0:1]", b128[] = "global_load_b128 v[4:7], v0, s[0:1]",
                      store[] = "global_store_b32 v0, v1, s[0:1]";
    cycle_t plain[3], late[3], same[3];

    (void)state;
    three_loads(false, b32, false, 0, plain);
    three_loads(true, b32, false, 0, same);
    assert_memory_equal(plain, same, sizeof plain); /* nothing to wait for */
    /* the first of its eight lines is late */
    three_loads(false, b32, false, 300, late);
    assert_int_equal(late[0], plain[0] - 7 + 300);
    assert_int_equal(late[1], plain[1]);
    assert_int_equal(late[2], plain[2]);
    three_loads(true, b32, false, 300, late);
    assert_int_equal(late[0], plain[0] - 7 + 300);
    assert_int_equal(late[1], late[0] + 2);
    assert_int_equal(late[2], late[1] + 2);
    /* 32 lanes of 4 bytes were 128, of 16 bytes they are 512 */
    three_loads(false, b128, false, 0, plain);
    three_loads(true, b128, false, 300, late);
    assert_int_equal(late[0], plain[0] - 7 + 300);
    assert_int_equal(late[1], late[0] + 8);
    assert_int_equal(late[2], late[1] + 8);
    /* stores bring no data */
    three_loads(false, store, true, 0, plain);
    three_loads(true, store, true, 300, late);
    assert_int_equal(late[0], plain[0] - 7 + 300);
    assert_int_equal(late[1], plain[1]);
    assert_int_equal(late[2], plain[2]);
}

/* The wave whose load is the first to return does not wait for it, but at a barrier: the load after it returns all the
 * same, two cycles later, though nothing else wakes the CU. */
static void a_return_wakes_the_cu(void **state)
{
    cycle_t wait[2], first = 0;

    (void)state;
    for (unsigned both = 0; both < 2; both++) {
        char text[200];

        snprintf(
            text, sizeof text,
            "v_lshlrev_b32 v0, 4, v0; v_readfirstlane_b32 s4, v0; global_load_b32 v1, v0, s[0:1]; s_cmp_eq_u32 s4, 0; "
            "s_cbranch_scc1 %s; wait: s_waitcnt vmcnt(0); past: s_barrier; s_endpgm",
            both ? "wait" : "past");
        struct rig *r = rig_text("gfx1100", text, 32, 2);

        r->profile.gpu.cus = r->profile.gpu.cus_per_wgp = 1;
        r->profile.cu.vmem_returns_in_order = true;
        r->profile.cu.vmem_queue_depth = 4;
        r->late = 300;
        r->late_access = 0;
        rig_run(r);
        assert_int_equal(r->status, 0);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        wait[both] = rig_issue_of(r, 1, 6, 0) - rig_issue_of(r, 0, 2, 0);
        first = both ? rig_issue_of(r, 0, 6, 0) - rig_issue_of(r, 0, 2, 0) : 0;
        rig_free(r);
    }
    assert_int_equal(wait[0], wait[1]);
    assert_int_equal(wait[1], first + 2);
}

static void chips_return_in_order_up_to_rdna3(void **state)
{
    static const struct {
        const char *chip;
        bool in_order;
    } t[] = {{"gfx906-mi50", true},      {"gfx942-mi300x", true},     {"gfx1010-rx5700xt", true},
             {"gfx1030-rx6900xt", true}, {"gfx1100-rx7900xtx", true}, {"gfx1200-rx9060xt", false},
             {"gfx1201-rx9070xt", false}};

    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof t[0]; k++) {
        struct profile *p;
        struct err e = {0};

        assert_int_equal(profile_load(&p, t[k].chip, &e), 0);
        assert_int_equal(p->cu.vmem_returns_in_order, t[k].in_order);
        profile_free(p);
    }
}

/* On the hierarchy, a lone access takes what the profile says from one load to the next that needs it: DRAM 500
 * (through the scalar cache, which fills L2 on the way), L2 200, vL1D 100. The turn of the wait, and half a round of
 * the SIMDs on average until it is seen, are in those; the stall ends before them. */
static void latencies_are_the_profiles(void **state)
{
    static const char code[] =
        "v_mov_b32 v8, 0; s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); global_load_dword v15, v8, s[0:1]; "
        "s_waitcnt vmcnt(0); global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    rig_groups(r, 1);
    r->status = engine_run_timing(&r->launch, &r->options, &r->result, &r->err);
    assert_int_equal(r->status, 0);
    assert_int_equal(rig_stall(r, "wait_lgkmcnt"), 500 - 4 - (4 + 2));
    assert_int_equal(rig_stall(r, "wait_vmcnt"), (200 - 4 - (4 + 2)) + (100 - 4 - (4 + 2)));
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_VL0, STAT_CACHE_ACCESSES)], 2);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_VL0, STAT_CACHE_HITS)], 1);
    rig_free(r);
}

/* A program of everything, several workgroups, on the memory hierarchy of the profile. */
static const char mix_gfx90a[] =
    "v_lshlrev_b32 v8, 2, v0; s_mov_b32 s4, 3; "
    "loop: global_load_dword v15, v8, s[0:1]; ds_write_b32 v8, v1; v_add_f32 v0, v1, v2; v_rcp_f32 v5, v1; "
    "s_load_dword s8, s[0:1], 0x0; v_add_f32 v6, v5, v2; s_waitcnt vmcnt(0) lgkmcnt(0); v_add_f32 v15, v15, v6; "
    "ds_read_b32 v14, v8; global_store_dword v8, v15, s[0:1]; s_barrier; v_readfirstlane_b32 s6, v6; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_sleep 1; s_waitcnt lgkmcnt(0); s_endpgm";
static const char mix_gfx1201[] =
    "v_and_b32 v0, 0x3ff, v0; v_lshlrev_b32 v8, 2, v0; s_mov_b32 s4, 3; "
    "loop: s_clause 0x1; global_load_b32 v15, v8, s[0:1]; global_load_b32 v14, v8, s[0:1] offset:512; "
    "ds_store_b32 v8, v1; v_add_f32 v0, v1, v2; v_rcp_f32 v5, v1; s_load_b32 s8, s[0:1], 0x0; "
    "s_delay_alu instid0(TRANS32_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1); v_add_f32 v6, v5, v2; "
    "v_add_f32 v6, v6, v2; s_wait_loadcnt 0x0; s_wait_dscnt 0x0; s_wait_kmcnt 0x0; v_add_f32 v15, v15, v6; "
    "ds_load_b32 v14, v8; global_store_b32 v8, v15, s[0:1]; s_barrier_signal -1; v_add_f32 v6, v6, v2; "
    "s_barrier_wait 0xffff; v_readfirstlane_b32 s6, v6; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_nop 3; s_wait_dscnt 0x0; s_endpgm";

/* Sixteen waves load the same line of kernel arguments: one goes to L2, the others wait with it, whatever the number of
 * MSHRs, and none of them blocks the cache. */
static void waves_wait_for_one_scalar_line(void **state)
{
    static const char code[] = "s_load_dword s8, s[0:1], 0x0; s_waitcnt lgkmcnt(0); s_endpgm";
    enum { WAVES = 16 };
    struct rig *r = rig_text("gfx90a", code, 64, WAVES);

    (void)state;
    r->profile.cache[LEVEL_K].mshrs = 4;
    rig_groups(r, 1);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_MISSES)], WAVES);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_MSHR_MERGES)], WAVES - 1);
    assert_int_equal(r->result.stat[stat_of_cache(LEVEL_K, STAT_CACHE_MSHR_FULL_CYCLES)], 0);
    rig_free(r);
}

static void run_mix(const char *target, const uint32_t *code, size_t words, uint32_t lanes, bool every_cycle,
                    struct engine_result *out)
{
    struct rig *r = rig_new(target, code, words, lanes, 5);
    uint64_t sum = 0;

    r->profile.gpu.cus *= 2;
    if (lanes == 64 && !strcmp(target, "gfx90a")) {
        /* fetches that wait for their cycle, and CUs that meet in the banks of an instruction cache */
        r->profile.frontend.fetches_in_flight = 1;
        r->profile.frontend.buffer_free_cycles = 1;
        r->profile.frontend.branch_resolve_cycles = 4;
        r->profile.frontend.branch_refetch = true;
        r->profile.cache[LEVEL_I].channels = 4;
        r->profile.cache[LEVEL_I].queue_entries = 2;
    }
    rig_groups(r, 30);
    r->options.tick_every_cycle = every_cycle;
    r->launch.wgp_mode = true;
    r->status = engine_run_timing(&r->launch, &r->options, &r->result, &r->err);
    assert_string_equal(r->err.text, "");
    assert_int_equal(r->status, 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(r->result.stat[STAT_WORKGROUPS_DONE], 30);
    assert_int_equal(r->result.stat[STAT_WAVES_DONE], 150);
    for (unsigned k = 0; k < STALL_COUNT; k++)
        sum += r->result.stat[STAT_STALL + k];
    assert_int_equal(sum, r->result.stat[STAT_RESIDENT_WAVE_CYCLES]);
    assert_true(r->result.present[STAT_DRAM_READ_BYTES] &&
                r->result.stat[stat_of_cache(LEVEL_VL0, STAT_CACHE_ACCESSES)] > 0);
    assert_true(r->result.stat[STAT_DRAM_READ_BYTES] > 0);
    *out = r->result;
    rig_free(r);
}

static void same_numbers(const struct engine_result *a, const struct engine_result *b)
{
    for (unsigned k = 0; k < STALL_COUNT; k++)
        if (a->stat[STAT_STALL + k] != b->stat[STAT_STALL + k])
            print_error("%s: %llu and %llu\n", timing_stall_key[k], (unsigned long long)a->stat[STAT_STALL + k],
                        (unsigned long long)b->stat[STAT_STALL + k]);
    assert_int_equal(a->stat[STAT_CYCLES], b->stat[STAT_CYCLES]);
    assert_memory_equal(a, b, sizeof *a);
}

static void jumping_changes_nothing(void **state)
{
    static struct engine_result jump, every, again;

    (void)state;
    run_mix("gfx90a", WORDS("gfx90a", mix_gfx90a), 64, false, &jump);
    run_mix("gfx90a", WORDS("gfx90a", mix_gfx90a), 64, true, &every);
    same_numbers(&jump, &every);
    run_mix("gfx90a", WORDS("gfx90a", mix_gfx90a), 64, false, &again);
    same_numbers(&jump, &again);
    run_mix("gfx1201", WORDS("gfx1201", mix_gfx1201), 32, false, &jump);
    run_mix("gfx1201", WORDS("gfx1201", mix_gfx1201), 32, true, &every);
    same_numbers(&jump, &every);
    run_mix("gfx1201", WORDS("gfx1201", mix_gfx1201), 64, false, &jump);
    run_mix("gfx1201", WORDS("gfx1201", mix_gfx1201), 64, true, &every);
    same_numbers(&jump, &every);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_ends_when_the_load_returns),
        cmocka_unit_test(vector_loads_return_in_order),
        cmocka_unit_test(scalar_loads_return_out_of_order),
        cmocka_unit_test(lgkmcnt_counts_to_fifteen),
        cmocka_unit_test(lds_stores_take_eight_and_twenty_cycles),
        cmocka_unit_test(lds_ports_are_shared_by_pairs),
        cmocka_unit_test(bank_conflicts),
        cmocka_unit_test(end_waits_for_stores),
        cmocka_unit_test(scattered_lanes_take_a_line_each),
        cmocka_unit_test(queue_towards_memory_is_full),
        cmocka_unit_test(stacks_are_rows_of_dwords),
        cmocka_unit_test(stores_take_the_address_unit_by_runs_of_all_rows),
        cmocka_unit_test(scattered_stacks_take_a_line_for_each_dword),
        cmocka_unit_test(rdna_scalar_load_and_address_dependency),
        cmocka_unit_test(loads_of_waves_return_in_order),
        cmocka_unit_test(a_return_wakes_the_cu),
        cmocka_unit_test(chips_return_in_order_up_to_rdna3),
        cmocka_unit_test(latencies_are_the_profiles),
        cmocka_unit_test(waves_wait_for_one_scalar_line),
        cmocka_unit_test(jumping_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
