/* Instruction fetch to the cycle: how far ahead a wave asks, what stays in its buffer, who gets the next block, what is
 * fetched on nobody's behalf. */
#include "sim/engine/timing/clock/dispatcher_layout.h"
#include "tests/timing/rdna_rig.h"

enum {
    G10_INST_PREFETCH = 0xbfa00000,
    G11_INST_PREFETCH = 0xbf840000,
    G10_END = 0xbf810000,
    G10_MOV_S5_3 = 0xbe850383,
    G10_ADD_S5_M1 = 0x8005c105,
    G10_CMP_LG_S5_0 = 0xbf078005,
    G10_CBRANCH_SCC1 = 0xbf850000,
};

static uint32_t branch_back(uint32_t op, unsigned from, unsigned to)
{
    return op | ((to - from - 1) & 0xffff);
}

/* 64 instructions of 4 bytes in fetch blocks of 8. RDNA issues one a cycle. */
static struct rig *straight(uint32_t *code, unsigned words, uint32_t end)
{
    struct rig *r;

    for (unsigned k = 0; k < words - 1; k++)
        code[k] = S_NOP_0;
    code[words - 1] = end;
    r = rig_new("gfx1201", code, words, 32, 1);
    r->latency[MEM_PORT_INST] = 60;
    return r;
}

/* Block b is asked for when the wave enters block b - ahead; its first instruction issues when it has come. */
static void rdna_asks_so_many_blocks_ahead(void **state)
{
    uint32_t code[64];

    (void)state;
    for (uint32_t ahead = 1; ahead <= 3; ahead++) {
        struct rig *r = straight(code, 64, R_END);
        cycle_t entered[8];

        r->profile.frontend.prefetch_blocks = ahead;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        /* the first blocks are asked for one after the other from the cycle after the launch on */
        assert_int_equal(rig_at(r, 0), 61);
        for (unsigned b = 0; b < 8; b++)
            /* the pc moves on with the issue of the last instruction of the block before */
            entered[b] = b ? rig_at(r, b * 8 - 1) : 0;
        for (unsigned b = ahead + 1; b < 8; b++) {
            cycle_t come = entered[b - ahead] + 60;

            assert_int_equal(rig_at(r, b * 8), come > entered[b] + 1 ? come : entered[b] + 1);
        }
        assert_int_equal(rig_at(r, (ahead + 1) * 8), 61 + 7 + 60);
        rig_free(r);
    }
}

/* As many as the buffer holds where the profile does not say: the same as 3 with a buffer of 4 blocks. */
static void gcn_fills_its_buffer(void **state)
{
    uint32_t code[64];
    struct rig *r;

    (void)state;
    for (unsigned k = 0; k < 63; k++)
        code[k] = S_NOP_0;
    code[63] = A_END;
    r = RIG_NEW("gfx90a", code, 64, 1);
    r->profile.frontend.buffer_bytes = 64; /* the block it is in and one ahead */
    r->latency[MEM_PORT_INST] = 60;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    /* the word at the end of block 0 issues in 92; block 2 is asked for then and is there in 152 */
    assert_int_equal(rig_at(r, 0), 64);
    assert_int_equal(rig_at(r, 7), 92);
    assert_int_equal(rig_at(r, 15), 124);
    assert_int_equal(rig_at(r, 16), 152);
    rig_free(r);
}

/* A loop of three blocks. With one block ahead and two behind it stays in the buffer of four; with three ahead it does
 * not: RDNA's s_inst_prefetch. */
static void loop(uint32_t *code, unsigned words, const uint32_t *head, uint32_t cbranch, uint32_t end)
{
    for (unsigned k = 0; k < words; k++)
        code[k] = S_NOP_0;
    for (unsigned k = 0; k < 8; k++)
        code[k] = head[k];
    code[28] = G10_ADD_S5_M1;
    code[29] = G10_CMP_LG_S5_0;
    code[30] = branch_back(cbranch, 30, 8);
    code[31] = end;
}

static void rdna_loops_stay_in_the_buffer(void **state)
{
    uint32_t head[8] = {G10_INST_PREFETCH, G10_MOV_S5_3, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0};
    uint32_t code[32];

    (void)state;
    for (uint32_t distance = 1; distance <= 3; distance++) {
        struct rig *r;
        cycle_t branch, target;

        head[0] = G10_INST_PREFETCH | distance;
        loop(code, 32, head, G10_CBRANCH_SCC1, G10_END);
        r = RIG_NEW("gfx1030", code, 32, 1);
        r->profile.frontend.branch_within_buffer = true;
        r->profile.frontend.prefetch_blocks = 2;
        r->latency[MEM_PORT_INST] = 60;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        branch = rig_issue_of(r, 0, 30, 0);
        target = rig_issue_of(r, 0, 8, 1);
        /* the block is there, or is asked for in the cycle of the branch */
        assert_int_equal(target - branch, distance == 1 ? 20 : 60);
        assert_int_equal(rig_issue_of(r, 0, 8, 2) - rig_issue_of(r, 0, 30, 1), distance == 1 ? 20 : 60);
        rig_free(r);
    }
}

/* The same bits say so on gfx11, and 0 leaves what the profile says. */
static void gfx11_prefetch_distance(void **state)
{
    static const uint32_t cbranch = 0xbfa20000, end = R_END;
    uint32_t head[8] = {
        G11_INST_PREFETCH, 0xbe850083 /* s_mov_b32 s5, 3 */, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0};
    uint32_t code[32];

    (void)state;
    for (uint32_t distance = 0; distance <= 1; distance++) {
        struct rig *r;

        head[0] = distance ? G11_INST_PREFETCH | distance : S_NOP_0;
        loop(code, 32, head, cbranch, end);
        r = RIG_NEW("gfx1100", code, 32, 1);
        r->profile.frontend.branch_within_buffer = true;
        r->profile.frontend.prefetch_blocks = 3;
        r->latency[MEM_PORT_INST] = 60;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        assert_int_equal(rig_issue_of(r, 0, 8, 1) - rig_issue_of(r, 0, 30, 0), distance == 1 ? 20 : 60);
        rig_free(r);
    }
}

/* gfx1100: the target of a branch, which arrives soon, waits for the block after the loop that was asked for before it
 * and is late. gfx1200: it does not. The wave enters block 3 with the issue of the word before it. */
static void what_was_asked_for_before_a_branch_comes_first(void **state)
{
    static const uint32_t cbranch = 0xbfa20000;
    uint32_t head[8] = {
        0xbe850083 /* s_mov_b32 s5, 3 */, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0, S_NOP_0};
    uint32_t code[32];

    (void)state;
    for (unsigned in_order = 0; in_order <= 1; in_order++) {
        struct rig *r;
        cycle_t branch, target;

        loop(code, 32, head, cbranch, R_END);
        r = RIG_NEW("gfx1100", code, 32, 1);
        r->profile.frontend.branch_within_buffer = true;
        r->profile.frontend.branch_taken_cycles = 1;
        r->profile.frontend.prefetch_blocks = 3;
        r->profile.frontend.fetch_in_order = in_order;
        r->latency[MEM_PORT_INST] = 30;
        r->late_port = MEM_PORT_INST;
        r->late_access = 6;
        r->late = 200;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        branch = rig_issue_of(r, 0, 30, 0);
        target = rig_issue_of(r, 0, 8, 1);
        assert_int_equal(target, in_order ? rig_issue_of(r, 0, 23, 0) + 230 : branch + 30);
        /* fetches issued after the branch have arrived by then; the next iteration waits for none */
        assert_int_equal(rig_issue_of(r, 0, 23, 1) - target, 15);
        assert_int_equal(rig_issue_of(r, 0, 8, 2) - rig_issue_of(r, 0, 30, 1), 30);
        rig_free(r);
    }
}

/* GCN fetches the target of every taken branch, though its buffer holds it. */
static void gcn_branches_fetch_anew(void **state)
{
    static const char code[] = "s_nop 0; s_branch skip; s_nop 0; "
                               "skip: s_nop 0; s_endpgm";

    (void)state;
    for (unsigned within = 0; within < 2; within++) {
        struct rig *r = rig_text("gfx90a", code, 64, 1);

        r->profile.frontend.branch_within_buffer = within;
        r->latency[MEM_PORT_INST] = 30;
        rig_run(r);
        assert_int_equal(rig_at(r, 3) - rig_at(r, 1), within ? 20 : 32); /* 30, and the SIMD's turn */
        rig_free(r);
    }
}

/* Two waves start in consecutive cycles while the unit serves one block a cycle. The second has nothing yet, so its
 * first two blocks come before the first one's third. */
static void starving_waves_first(void **state)
{
    uint32_t code[64];
    struct rig *r = straight(code, 64, R_END);

    (void)state;
    rig_free(r);
    r = rig_new("gfx1201", code, 64, 32, 2);
    r->profile.frontend.wave_launch_interval_cycles = 1;
    r->profile.frontend.launch_latency_cycles = 1;
    r->latency[MEM_PORT_INST] = 60;
    rig_run(r);
    /* wave 0 asks in cycle 1 and 2 ... wave 1 is seen from cycle 2 on: 0:0, 0:1 (both starve, the older goes), 1:0 */
    assert_int_equal(rig_issue_of(r, 0, 0, 0), 61);
    assert_int_equal(rig_issue_of(r, 0, 8, 0), 69);
    assert_int_equal(rig_issue_of(r, 1, 0, 0), 63);
    assert_int_equal(rig_issue_of(r, 1, 8, 0), 71);
    rig_free(r);
}

/* A branch from block 0 to block 3, which is in flight after block 2: with three blocks ahead a buffer of four keeps
 * none behind, so that it begins at block 3 while block 1 is the last that has come. The wave goes on when block 3 is
 * there, not before. Sixteen waves ask for two blocks each, one a cycle, and then for two more. */
static void branch_to_a_block_in_flight(void **state)
{
    enum { WAVES = 16 };
    uint32_t code[64];
    struct rig *r;

    (void)state;
    for (unsigned k = 0; k < 63; k++)
        code[k] = S_NOP_0;
    code[0] = branch_back(0xbfa00000 /* s_branch */, 0, 24);
    code[63] = R_END;
    r = rig_new("gfx1201", code, 64, 32, WAVES);
    r->profile.frontend.wave_launch_interval_cycles = 1;
    r->profile.frontend.launch_latency_cycles = 1;
    r->profile.frontend.branch_within_buffer = true;
    r->profile.frontend.branch_taken_cycles = 1;
    r->profile.frontend.prefetch_blocks = 3;
    r->profile.frontend.buffer_bytes = 4 * 32;
    r->latency[MEM_PORT_INST] = 60;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    /* the youngest ones lose fetch slots to what is after the targets of others */
    for (unsigned w = 0; w < WAVES / 2; w++) {
        assert_int_equal(rig_issue_of(r, w, 0, 0), 61 + 2 * w);
        assert_int_equal(rig_issue_of(r, w, 24, 0), 1 + 2 * WAVES + 2 * w + 1 + 60);
    }
    rig_free(r);
}

/* A wait leaves the buffer and lets the wave fetch ahead of the block after its own; a branch back to one in a block's
 * last word has to bring that block first. */
static void branch_to_a_wait_at_the_end_of_a_block(void **state)
{
    enum { G12_MOV_S5_2 = 0xbe850082, G12_ADD_S5_M1 = 0x8105c105, G12_CMP_LG_S5_0 = 0xbf078005, G12_SCC1 = 0xbfa20000 };
    uint32_t code[64];
    struct rig *r;

    (void)state;
    for (unsigned k = 0; k < 63; k++)
        code[k] = S_NOP_0;
    code[0] = G12_MOV_S5_2;
    code[7] = 0xbfc00000; /* s_wait_loadcnt 0 */
    code[50] = G12_ADD_S5_M1;
    code[51] = G12_CMP_LG_S5_0;
    code[52] = branch_back(G12_SCC1, 52, 7);
    code[63] = R_END;
    r = queued("gfx1201", code, 64, 32, 1);
    r->profile.frontend.branch_within_buffer = true;
    r->profile.frontend.branch_taken_cycles = 1;
    r->latency[MEM_PORT_INST] = 60;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(rig_issue_of(r, 0, 7, 1), rig_issue_of(r, 0, 52, 0) + 60);
    rig_free(r);
}

/* The one of higher priority of two waves whose buffers are as full gets its block, else the older one. */
static void priority_then_age(void **state)
{
    /* wave 1 (its ids start at 32) raises its priority; both meet at the barrier and jump far together */
    uint32_t code[96];

    (void)state;
    for (unsigned raised = 0; raised < 2; raised++) {
        struct rig *r;
        cycle_t first[2];

        for (unsigned k = 0; k < 96; k++)
            code[k] = S_NOP_0;
        code[0] = 0x7e0c0500; /* v_readfirstlane_b32 s6, v0 */
        code[1] = 0xbf078006; /* s_cmp_lg_u32 s6, 0 */
        code[2] = 0xbfa10001; /* s_cbranch_scc0 +1 */
        code[3] = raised ? 0xbfb50003 /* s_setprio 3 */ : S_NOP_0;
        code[4] = R_BARRIER_SIGNAL;
        code[5] = R_BARRIER_WAIT;
        code[6] = branch_back(0xbfa00000, 6, 80);
        code[88] = R_END;
        r = rig_new("gfx1201", code, 96, 32, 2);
        r->profile.frontend.branch_taken_cycles = 1;
        r->latency[MEM_PORT_INST] = 60;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        assert_int_equal(rig_issue_of(r, 0, 6, 0), rig_issue_of(r, 1, 6, 0));
        for (unsigned w = 0; w < 2; w++)
            first[w] = rig_issue_of(r, w, 80, 0) - rig_issue_of(r, w, 6, 0);
        /* the one served first gets two blocks before the other one: both starve until then */
        assert_int_equal(first[raised ? 1 : 0], 60);
        assert_int_equal(first[raised ? 0 : 1], 62);
        rig_free(r);
    }
}

/* Lines from the kernel's entry on are asked for when a wave first comes, after its own blocks, once for each CU. */
static void entry_is_prefetched_once(void **state)
{
    static const char code[] = "s_nop 0; s_endpgm";
    struct rig *r = rig_text("gfx1201", code, 32, 1);

    (void)state;
    rig_groups(r, 4);
    rig_run(r);
    assert_int_equal(r->prefetched, 0);
    r->launch.prefetch_bytes = 1024;
    r->profile.cache[LEVEL_I].line_bytes = 128;
    rig_run(r);
    assert_int_equal(r->prefetched, 2 * 1024 / 128);
    /* nobody waits for them */
    assert_int_equal(rig_issue_of(r, 0, 0, 0), FIRST);
    rig_free(r);
}

/* The lines after the one that waves are in are brought, too: once for each line, in cycles in which no wave asks for
 * a block, so that waves wait no longer than before. */
static void lines_behind_are_prefetched(void **state)
{
    uint32_t code[96];
    struct rig *r;
    cycle_t end = 0;

    (void)state;
    for (unsigned k = 0; k < 95; k++)
        code[k] = S_NOP_0;
    code[95] = A_END;
    r = RIG_NEW("gfx942", code, 64, 4);
    r->profile.cache[LEVEL_I].line_bytes = 128;
    for (uint32_t lines = 0; lines <= 2; lines++) {
        r->profile.frontend.prefetch_lines = lines;
        r->prefetched = 0;
        rig_run(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        /* 384 bytes are three lines; the blocks ahead of the last instruction lie in a fourth */
        assert_int_equal(r->prefetched, 4 * lines);
        if (!lines)
            end = rig_at(r, 95);
        assert_int_equal(rig_at(r, 95), end);
    }
    rig_free(r);
}

/* Cycles that a wave of so many instructions of 4 bytes and 4 cycles waits for them in a cold hierarchy. */
static uint64_t waits_for_code(unsigned words, uint32_t lines)
{
    uint32_t code[96];
    struct rig *r;
    uint64_t waited;

    for (unsigned k = 0; k < words - 1; k++)
        code[k] = S_NOP_0;
    code[words - 1] = A_END;
    r = rig_new("gfx942", code, words, 64, 1);
    r->profile.cache[LEVEL_I].line_bytes = 128;
    r->profile.cache[LEVEL_I].channel_interleave_bytes = 128;
    r->profile.frontend.prefetch_lines = lines;
    rig_groups(r, 1);
    assert_int_equal(engine_run_timing(&r->launch, &r->options, &r->result, &r->err), 0);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    waited = rig_stall(r, "fetch");
    rig_free(r);
    return waited;
}

/* A line of 128 bytes is run in 128 cycles; a miss is longer. The second line comes with the first one and costs
 * nothing more; the third is asked for as the wave's first block in the second would be, 127 cycles before it is needed
 * in a cycle in which it asks for none, instead of when it would be asked for itself. */
static void prefetched_lines_cost_no_miss(void **state)
{
    uint64_t one = waits_for_code(32, 0), three = waits_for_code(96, 0), miss = (three - one) / 2;

    (void)state;
    assert_true(miss > 128);
    assert_int_equal(waits_for_code(32, 1), one);
    assert_int_equal(three - waits_for_code(96, 1), miss + 127);
}

/* Compute units of all built-in chips: as many as the chip has, spread evenly over its engines, and sets that share
 * caches lie within one engine. */
static void chips_have_all_their_compute_units(void **state)
{
    struct profile_entry *list;
    struct err e;
    size_t count;

    (void)state;
    assert_int_equal(profile_list(&list, &count, &e), 0);
    for (size_t k = 0; k < count; k++) {
        struct profile *p;
        uint32_t all, have = 0, share, engine[256] = {0}, least = UINT32_MAX, most = 0;

        assert_int_equal(profile_load(&p, list[k].name, &e), 0);
        share = dispatcher_share(p);
        all = dispatcher_cus(p, UINT64_MAX / 2);
        for (uint32_t n = 0; n < all; n++)
            if (dispatcher_has_cu(p, n)) {
                have++;
                engine[n / share % p->gpu.shader_engines]++;
            }
        assert_int_equal(have, p->gpu.cus / p->gpu.cus_per_wgp);
        for (uint32_t n = 0; n < p->gpu.shader_engines; n++) {
            least = engine[n] < least ? engine[n] : least;
            most = engine[n] > most ? engine[n] : most;
        }
        assert_true(most - least <= 1);
        assert_false(dispatcher_has_cu(p, all));
        profile_free(p);
    }
    free(list);
}

/* RX 480: 9 compute units in an engine and caches for up to 4, so 3 sets of 3. MI300X: 9 or 10 in an engine, in pairs.
 */
static void uneven_sets(void **state)
{
    struct profile *p;
    struct err e;

    (void)state;
    assert_int_equal(profile_load(&p, "gfx803-rx480", &e), 0);
    assert_int_equal(dispatcher_share(p), 4);
    assert_int_equal(dispatcher_cus(p, 1000), 4 * 3 * 4);
    for (uint32_t set = 0; set < 12; set++)
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(dispatcher_has_cu(p, set * 4 + k), k < 3);
    profile_free(p);
    assert_int_equal(profile_load(&p, "gfx942-mi300x", &e), 0);
    assert_int_equal(dispatcher_cus(p, 1000), 32 * 5 * 2);
    for (uint32_t xcd = 0; xcd < 8; xcd++) {
        unsigned cus = 0;

        for (uint32_t n = 0; n < 320; n++)
            cus += n / 2 % 8 == xcd && dispatcher_has_cu(p, n);
        assert_int_equal(cus, 38);
    }
    profile_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rdna_asks_so_many_blocks_ahead),
        cmocka_unit_test(gcn_fills_its_buffer),
        cmocka_unit_test(rdna_loops_stay_in_the_buffer),
        cmocka_unit_test(gfx11_prefetch_distance),
        cmocka_unit_test(what_was_asked_for_before_a_branch_comes_first),
        cmocka_unit_test(gcn_branches_fetch_anew),
        cmocka_unit_test(starving_waves_first),
        cmocka_unit_test(branch_to_a_block_in_flight),
        cmocka_unit_test(branch_to_a_wait_at_the_end_of_a_block),
        cmocka_unit_test(priority_then_age),
        cmocka_unit_test(entry_is_prefetched_once),
        cmocka_unit_test(lines_behind_are_prefetched),
        cmocka_unit_test(prefetched_lines_cost_no_miss),
        cmocka_unit_test(chips_have_all_their_compute_units),
        cmocka_unit_test(uneven_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
