/* Forks and joins, subvector loops, skipped vector instructions, fields of hardware registers. Expected values follow
 * the pseudocode of the CDNA4 ISA (forks, S_SETVSKIP) and the RDNA ISA's text (subvector loops); words are
 * llvm-mc-19's. */
#include "isa/barrier.h"
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* Runs one instruction at RIG_CODE; returns how far the pc went. */
static int64_t step(struct rig *r, uint32_t word)
{
    struct isa_inst i;

    assert_int_equal(isa_decode_any(r->t, (const uint8_t *)&word, 4, &i, NULL), 4);
    r->w.pc = RIG_CODE;
    r->w.fault.kind = FAULT_NONE;
    assert_int_equal(isa_step(&r->w, &i, &r->env, &r->fx), ISA_OK);
    return (int64_t)(r->w.pc - RIG_CODE);
}

static uint64_t pair(const struct rig *r, unsigned s)
{
    return r->w.s[s] | (uint64_t)r->w.s[s + 1] << 32;
}

static void set_pair(struct rig *r, unsigned s, uint64_t v)
{
    r->w.s[s] = (uint32_t)v;
    r->w.s[s + 1] = (uint32_t)(v >> 32);
}

/* s_cbranch_i_fork s[20:21], 3: the smaller side goes first, the other waits in s[0:3]. */
static void fork_small_side_first(void **state)
{
    const uint32_t fork = 0xb8140003, join = 0xbe802e12 /* s_cbranch_join s18 */;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    isa_set_exec(&r.w, 0xff);
    r.w.s[18] = 0; /* the depth outside */
    /* 3 of 8 pass: they go first, to the target; the 5 that fail wait for what follows */
    set_pair(&r, 20, 0xf07);
    assert_int_equal(step(&r, fork), 4 + 3 * 4);
    assert_int_equal(r.w.exec, 0x07);
    assert_int_equal(pair(&r, 0), 0xf8);
    assert_int_equal(pair(&r, 2), RIG_CODE + 4);
    assert_int_equal(r.w.mode_reg >> 29, 1);
    /* a fork in the fork: all pass, no stack */
    assert_int_equal(step(&r, fork), 16);
    assert_int_equal(r.w.mode_reg >> 29, 1);
    /* none passes */
    set_pair(&r, 20, 0);
    assert_int_equal(step(&r, fork), 4);
    /* one of three fails: it goes first and the two wait for the target, one level up */
    set_pair(&r, 20, 0x06);
    assert_int_equal(step(&r, fork), 4);
    assert_int_equal(r.w.exec, 1);
    assert_int_equal(pair(&r, 4), 0x06);
    assert_int_equal(pair(&r, 6), RIG_CODE + 16);
    r.w.s[18] = 1;
    assert_int_equal(step(&r, join), 16);
    assert_int_equal(r.w.exec, 0x06);
    assert_int_equal(step(&r, join), 4); /* the second time */
    assert_int_equal(r.w.exec, 0x06);
    r.w.s[18] = 0;
    assert_int_equal(step(&r, join), 4);
    assert_int_equal(r.w.exec, 0xf8);
    assert_int_equal(r.w.mode_reg >> 29, 0);
    /* as many pass as fail: those that pass go first */
    isa_set_exec(&r.w, 0x3);
    set_pair(&r, 20, 0x2);
    set_pair(&r, 22, RIG_CODE + 0x100);
    assert_int_equal(step(&r, 0x94801614 /* s_cbranch_g_fork s[20:21], s[22:23] */), 0x100);
    assert_int_equal(r.w.exec, 2);
    assert_int_equal(pair(&r, 0), 1);
    set_pair(&r, 2, RIG_CODE + 0x40);
    assert_int_equal(step(&r, 0x95800402 /* s_rfe_restore_b64 s[2:3], s4 */), 0x40);
    rig_close(&r);
}

static void subvector_loops(void **state)
{
    const uint32_t begin = 0xbd840003, end = 0xbe04fffc; /* s_subvector_loop_begin s4, 3; s_subvector_loop_end s4, -4 */
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1010", 64);
    isa_set_exec(&r.w, 0); /* no lane: over the loop */
    assert_int_equal(step(&r, begin), 16);
    isa_set_exec(&r.w, UINT64_C(0xa0000000b)); /* both halves: low, then high */
    assert_int_equal(step(&r, begin), 4);
    assert_int_equal(r.w.exec, 0xb);
    assert_int_equal(r.w.s[4], 0xa);
    assert_int_equal(step(&r, end), 4 - 16);
    assert_int_equal(r.w.exec, UINT64_C(0xa00000000));
    assert_int_equal(r.w.s[4], 0xb);
    assert_int_equal(step(&r, end), 4);
    assert_int_equal(r.w.exec, UINT64_C(0xa0000000b));
    isa_set_exec(&r.w, UINT64_C(0x700000000)); /* the high half alone */
    r.w.s[4] = 99;
    assert_int_equal(step(&r, begin), 4);
    assert_int_equal(r.w.exec, UINT64_C(0x700000000));
    assert_int_equal(step(&r, end), 4);
    assert_int_equal(r.w.exec, UINT64_C(0x700000000));
    isa_set_exec(&r.w, 5); /* the low half alone */
    assert_int_equal(step(&r, begin), 4);
    assert_int_equal(step(&r, end), 4);
    assert_int_equal(r.w.exec, 5);
    rig_close(&r);

    rig_open(&r, "gfx1010", 32); /* one pass, and EXEC_HI is left alone */
    r.w.s[CODE_EXEC_HI] = 77;
    assert_int_equal(step(&r, begin), 4);
    assert_int_equal(step(&r, end), 4);
    assert_int_equal(r.w.exec, 0xffffffff);
    assert_int_equal(r.w.s[CODE_EXEC_HI], 77);
    rig_close(&r);
}

static void vskip(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    r.w.s[2] = 1 << 7;
    r.w.s[4] = 39; /* bit 39 & 31 */
    r.w.s[124] = 0xffffffff;
    set_pair(&r, 106, 5);
    rig_vall(&r, 1, 1);
    rig_vall(&r, 2, 8);
    rig_run(&r, WORDS(/* s_setvskip s2, s4; v_mov_b32 v1, v2; ds_read_b32 v1, v2; v_cmp_eq_u32 vcc, v1, v1 */
                      0xbf100402, 0x7e020302, 0xd86c0000, 0x01000002, 0x7d940301));
    assert_int_equal(rig_getv(&r, 1, 0), 1);
    assert_int_equal(pair(&r, 106), 5);
    rig_run(&r, WORDS(/* s_setvskip 0, 0; v_mov_b32 v1, v2 */ 0xbf108080, 0x7e020302));
    assert_int_equal(rig_getv(&r, 1, 0), 8);
    /* through MODE */
    rig_vall(&r, 1, 1);
    rig_run(&r, WORDS(0xba000701, 1, 0x7e020302));
    assert_int_equal(rig_getv(&r, 1, 63), 1);
    rig_close(&r);
}

static uint32_t getreg(struct rig *r, uint32_t word)
{
    step(r, word);
    return r->w.s[0];
}

/* Bits of STATUS and MODE by generation; partial reads and writes. */
static void fields_of_registers(void **state)
{
    struct isa_barriers b;
    struct rig r;
    (void)state;

    isa_barriers_init(&b, 2);
    rig_open(&r, "gfx1100", 64);
    r.w.scc = 1;
    r.w.priority = 2;
    isa_set_exec(&r.w, 0);
    r.w.barriers = &b;
    /* SCC 0, USER_PRIO 4:3, EXECZ 9, VCCZ 10, IN_TG 11, VALID 16 */
    assert_int_equal(getreg(&r, 0xb880f802), 1 | 2 << 3 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 16);
    r.w.s[107] = 1; /* the high half of VCC counts in wave64 */
    isa_set_exec(&r.w, UINT64_C(1) << 40);
    assert_int_equal(getreg(&r, 0xb880f802), 1 | 2 << 3 | 1 << 11 | 1 << 16);
    assert_int_equal(getreg(&r, 0xb880391d /* hwreg(HW_REG_SHADER_CYCLES, 4, 8) */), 12345 >> 4 & 255);
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    rig_run(&r, WORDS(/* s_setreg_imm32_b32 hwreg(HW_REG_MODE), -1 */ 0xb980f801, 0xffffffff));
    assert_int_equal(getreg(&r, 0xb880f801), 0x098000ff);
    rig_run(&r, WORDS(/* s_setreg_imm32_b32 hwreg(HW_REG_EXCP_FLAG_USER, 2, 3), 7 */ 0xb9801092, 7));
    assert_int_equal(getreg(&r, 0xb880f812), 7 << 2);
    rig_close(&r);

    rig_open(&r, "gfx900", 64);
    rig_run(&r, WORDS(0xba00f801, 0xffffffff)); /* hwreg(HW_REG_MODE) */
    isa_set_mode(&r.w, r.w.mode_reg & ~(uint32_t)MODE_VSKIP);
    assert_int_equal(getreg(&r, 0xb880f801), 0xef87ffff);
    rig_close(&r);

    rig_open(&r, "gfx90a", 64);
    r.w.hw_id = isa_hw_id(r.t, 5, 2, 37);
    assert_int_equal(getreg(&r, 0xb880f804 /* hwreg(HW_REG_HW_ID) */), 5 | 2 << 4 | 5 << 8 | 2 << 13);
    rig_close(&r);
    rig_open(&r, "gfx1100", 32);
    r.w.hw_id = isa_hw_id(r.t, 13, 3, 37);
    assert_int_equal(getreg(&r, 0xb8803917 /* hwreg(HW_REG_HW_ID1, 4, 8) */), 3 << 4 | 2 << 6);
    assert_int_equal(getreg(&r, 0xb880f817), 13 | 3 << 8 | 2 << 10 | 1 << 18);
    rig_close(&r);

    rig_open(&r, "gfx803", 64); /* no FP16_OVFL yet */
    rig_run(&r, WORDS(0xba00f801, 0xffffffff));
    assert_false(r.w.mode.fp16_ovfl);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fork_small_side_first),
        cmocka_unit_test(subvector_loops),
        cmocka_unit_test(vskip),
        cmocka_unit_test(fields_of_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
