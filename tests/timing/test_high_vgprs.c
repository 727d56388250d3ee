/* VGPRs past v255 in the timing engine: s_set_vgpr_msb and s_setreg give VGPR numbers upper bits (gfx1250), and the
 * scoreboard, the VGPR banks and what waits for loads know v300 from v44. Every figure is that of the bench; the same
 * instructions on low registers have it, too. */
#include "tests/timing/rdna_rig.h"

#define ADD(D, A, B)   (0x06000000u | (D) << 17 | (B) << 9 | 256u | (A)) /* v_add_f32 vD, vA, vB */
#define MUL(D, A, B)   (0x10000000u | (D) << 17 | (B) << 9 | 256u | (A)) /* v_mul_f32 vD, vA, vB */
#define SET_MSB(BITS)  (0xbf860000u | (BITS))                            /* s_set_vgpr_msb: src0, src1, src2, vdst */
#define DST_1          0x40u
#define SRC0_1         0x01u
#define SRC1_1         0x04u
#define SRC1_2         0x08u
#define WAIT_VDST      0xbf880fffu
#define DS_STORE_V0(D) 0xd8340000, (D) << 8
#define LOAD(D)        0xee050000, (D), 0x00000000 /* global_load_b32 vD, v0, s[0:1] */
enum {
    DEPENDENT = 5 /* issue to issue, of two plain VALU instructions */,
    STORED = 17 /* and to memory */,
    WAIT_LOAD_0 = 0xbfc00000
};

static struct rig *wide(const uint32_t *code, size_t words, bool queues)
{
    struct rig *r = queues ? queued("gfx1250", code, words, 32, 1) : rig_new("gfx1250", code, words, 32, 1);

    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = 1024;
    /* a wave waits for what its next instruction reads, and for nothing else */
    r->profile.issue.dependent_valu_blocks_issue = r->profile.issue.valu_blocks_memory = false;
    return r;
}

/* Cycles between the issues of the two instructions at these words. */
static unsigned apart(const uint32_t *code, size_t words, unsigned from, unsigned to)
{
    struct rig *r = wide(code, words, false);
    unsigned cycles;

    run_both(r);
    cycles = (unsigned)(rig_at(r, to) - rig_at(r, from));
    rig_free(r);
    return cycles;
}
#define APART(TEXT, FROM, TO) apart(WORDS("gfx1250", TEXT), FROM, TO)

/* v300 = ..., v259 = v300 + v2: the consumer waits. v259 = v257 + v44 does not, nor one of v44 in both places. */
static void consumers_wait_for_their_register(void **state)
{
    static const char waits[] = "s_set_vgpr_msb 0x41; v_add_f32 v44, v1, v2; v_add_f32 v3, v44, v2; s_endpgm";
    static const char other[] = "s_set_vgpr_msb 0x41; v_add_f32 v44, v1, v2; v_add_f32 v3, v1, v44; s_endpgm";
    static const char third[] = "s_set_vgpr_msb 0x48; v_add_f32 v44, v1, v2; v_add_f32 v3, v44, v44; s_endpgm";
    static const char low[] = "s_set_vgpr_msb 0; v_add_f32 v44, v1, v2; v_add_f32 v3, v1, v44; s_endpgm";

    (void)state;
    assert_int_equal(APART(waits, 1, 2), DEPENDENT);
    assert_int_equal(APART(other, 1, 2), 1);
    assert_int_equal(APART(third, 1, 2), 1);
    assert_int_equal(APART(low, 1, 2), DEPENDENT);
}

/* s_setreg has the same bits in MODE's order. */
static void setreg_names_them_too(void **state)
{
    /* 0x11 of MODE: vdst and src1, in the order vdst, src0, src1, src2; gfx1250 takes it from bits 19:12 of the literal
     */
    static const char waits[] =
        "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), 0x11011; v_add_f32 v44, v1, v2; v_add_f32 v3, v1, v44; "
        "s_endpgm";
    static const char other[] =
        "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), 0x11011; v_add_f32 v44, v1, v2; v_add_f32 v3, v44, v2; "
        "s_endpgm";

    (void)state;
    assert_int_equal(APART(waits, 2, 3), DEPENDENT);
    assert_int_equal(APART(other, 2, 3), 1);
}

/* They hold values of their own: v300 = 1, v44 = 2, and both are stored. */
static void registers_hold_their_values(void **state)
{
    static const char code[] =
        "v_mov_b32 v0, 0; s_set_vgpr_msb 64; v_mov_b32 v44, 1; s_set_vgpr_msb 0; v_mov_b32 v44, 2; "
        "global_store_b32 v0, v44, s[0:1]; s_set_vgpr_msb 4; global_store_b32 v0, v44, s[0:1] offset:8; s_endpgm";
    struct rig *r = wide(WORDS("gfx1250", code), false);
    uint32_t stored[3] = {0};

    (void)state;
    run_both(r);
    assert_int_equal(mem_space_read(&r->space, r->data, stored, sizeof stored, NULL), 0);
    assert_int_equal(stored[0], 2);
    assert_int_equal(stored[2], 1);
    rig_free(r);
}

/* A loop whose second turn writes v300 where the first wrote v44, which is read in both. */
static void one_instruction_under_two_modes(void **state)
{
    static const char code[] =
        "s_mov_b32 s4, 0; "
        "loop: s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), s4; v_add_f32 v44, v1, v2; v_add_f32 v3, v1, v44; "
        "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 end; "
        "s_mov_b32 s4, 1; s_branch loop; "
        "end: s_endpgm";
    struct rig *r = wide(WORDS("gfx1250", code), false);
    const struct engine_inst *writer = NULL;

    (void)state;
    r->options.per_inst = true;
    run_both(r);
    assert_int_equal(rig_issue_of(r, 0, 3, 0) - rig_issue_of(r, 0, 2, 0), DEPENDENT);
    assert_int_equal(rig_issue_of(r, 0, 3, 1) - rig_issue_of(r, 0, 2, 1), 1);
    /* one row counts both turns */
    for (size_t k = 0; k < r->result.inst_count; k++)
        if (r->result.inst[k].pc == RIG_BASE + 4 * 2) {
            assert_null(writer);
            writer = &r->result.inst[k];
        }
    assert_non_null(writer);
    assert_int_equal(writer->stat[STAT_INST_EXECUTED], 2);
    assert_int_equal(writer->stat[STAT_INST_LANES], 64);
    assert_int_equal(r->result.inst_count, 9);
    engine_result_free(&r->result);
    rig_free(r);
}

/* The data of a store: one of v44 waits for v44, one of v300 for v300. */
static void stores_wait_for_their_data(void **state)
{
    static const struct {
        unsigned upper, issued;
    } cases[] = {{0, STORED}, {DST_1 | SRC1_1, STORED}, {DST_1, 1}, {DST_1 | SRC1_2, 1}};

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint32_t code[] = {SET_MSB(cases[k].upper), ADD(44, 1, 2), DS_STORE_V0(44), R_END};

        assert_int_equal(apart(code, sizeof code / sizeof code[0], 1, 2), cases[k].issued);
    }
}

/* What a store has still to read is not overwritten meanwhile; other registers are. */
static void stores_keep_their_data(void **state)
{
    static const struct {
        unsigned upper, issued;
    } cases[] = {{0, 7}, {DST_1 | SRC1_1, 7}, {DST_1, 1}, {DST_1 | SRC1_2, 1}};

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint32_t code[] = {SET_MSB(cases[k].upper), DS_STORE_V0(44), ADD(44, 1, 2), R_END};
        struct rig *r = wide(code, sizeof code / sizeof code[0], true);

        run_both(r);
        assert_int_equal(rig_at(r, 3) - rig_at(r, 1), cases[k].issued);
        rig_free(r);
    }
}

/* v4 and v260 lie in one bank, as v4 and v8 do, and not in one line. */
static void banks_have_lines_for_each(void **state)
{
    static const struct {
        unsigned upper, src1, later;
    } cases[] = {{0, 4, 0}, {0, 8, 1}, {SRC1_1, 4, 1}, {SRC1_2, 4, 1}, {SRC1_1, 5, 0}, {SRC0_1 | SRC1_1, 4, 0}};
    unsigned same = 0;

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint32_t code[] = {SET_MSB(cases[k].upper), MUL(1, 4, cases[k].src1), WAIT_VDST, R_END};
        struct rig *r = wide(code, sizeof code / sizeof code[0], true);
        unsigned cycles;

        r->profile.queue.vgpr_cache_lines = 4;
        r->profile.queue.vgpr_fill_cycles = 3;
        r->profile.queue.vgpr_hold_cycles = 4;
        run_both(r);
        cycles = (unsigned)(rig_at(r, 2) - rig_at(r, 1));
        same = k ? same : cycles;
        assert_int_equal(cycles, same + cases[k].later);
        rig_free(r);
    }
}

/* The what-if that waits for loads by register: only the reader of the loaded one waits. */
static void exact_waits_know_them(void **state)
{
    static const struct {
        unsigned upper;
        bool waits;
    } cases[] = {{DST_1 | SRC1_1, true}, {DST_1, false}, {0, true}};

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint32_t code[] = {SET_MSB(cases[k].upper), LOAD(44), WAIT_LOAD_0, ADD(3, 1, 44), R_END};
        struct rig *r = wide(code, sizeof code / sizeof code[0], false);

        r->profile.ideal.exact_waits = true;
        run_both(r);
        assert_int_equal(rig_at(r, 4) - rig_at(r, 1), 1);
        assert_int_equal(rig_at(r, 5) - rig_at(r, 1), cases[k].waits ? r->latency[MEM_PORT_VECTOR] : 2);
        rig_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consumers_wait_for_their_register),
        cmocka_unit_test(setreg_names_them_too),
        cmocka_unit_test(one_instruction_under_two_modes),
        cmocka_unit_test(stores_wait_for_their_data),
        cmocka_unit_test(stores_keep_their_data),
        cmocka_unit_test(registers_hold_their_values),
        cmocka_unit_test(banks_have_lines_for_each),
        cmocka_unit_test(exact_waits_know_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
