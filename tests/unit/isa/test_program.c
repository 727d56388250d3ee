/* Programs: decoding on first use, what is illegal and what is only not supported, register sets, targets. */
#include "tests/unit/isa/harness.h"

#include "isa/table/list.h"

static void expect_fault(const char *target, const uint32_t *words, unsigned n, enum isa_fault_kind kind,
                         const char *text)
{
    struct rig r;

    rig_open(&r, target, strcmp(target, "gfx803") == 0 || strcmp(target, "gfx90a") == 0 ? 64 : 32);
    assert_int_equal(rig_try(&r, words, n), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, kind);
    if (!strstr(r.w.fault.text, text))
        fail_msg("'%s' does not hold '%s'", r.w.fault.text, text);
    rig_close(&r);
}

static void test_illegal_or_unsupported(void **state)
{
    (void)state;
    expect_fault("gfx1201", (uint32_t[]){0xffffffff}, 1, FAULT_ILLEGAL, "0xffffffff is not an instruction of gfx1201");
    /* the VSAMPLE format of gfx12, then image_sample of gfx8 */
    expect_fault("gfx1201", (uint32_t[]){0xe7c6c001, 0x04000000, 0x00000100}, 3, FAULT_UNIMPLEMENTED,
                 "not supported by gcnsim");
    expect_fault("gfx803", (uint32_t[]){0xf0800f00, 0x00400000}, 2, FAULT_UNIMPLEMENTED, "not supported by gcnsim");
    /* exp mrt0 v0, v0, v0, v0 done */
    expect_fault("gfx1201", (uint32_t[]){0xf800080f, 0x00000000}, 2, FAULT_UNIMPLEMENTED, "export");
    /* an instruction cut off by the end of the code */
    expect_fault("gfx90a", (uint32_t[]){0x7e0002ff}, 1, FAULT_ILLEGAL, "0x7e0002ff");
}

static void test_leaving_the_code(void **state)
{
    struct rig r;
    struct err e = {0};
    uint64_t done = 0;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    r.code[0] = 0xbf800000; /* s_nop 0, and nothing after it */
    assert_int_equal(isa_program_open(&r.p, r.t, RIG_CODE, (const uint8_t *)r.code, 4, &e), 0);
    r.w.program = r.p;
    r.w.pc = RIG_CODE;
    assert_int_equal(isa_run(&r.w, r.p, &r.env, 10, &done, NULL), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_PC);
    assert_true(r.w.fault.pc == RIG_CODE + 4);
    assert_int_equal(done, 1);
    assert_null(isa_program_at(r.p, RIG_CODE + 2));
    assert_null(isa_program_at(r.p, RIG_CODE - 4));
    assert_null(isa_program_at(r.p, RIG_CODE + 4));
    rig_close(&r);
}

static void test_limit(void **state)
{
    struct rig r;
    struct err e = {0};
    uint64_t done = 0;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    r.code[0] = 0xbfa0ffff; /* s_branch -1: to itself */
    assert_int_equal(isa_program_open(&r.p, r.t, RIG_CODE, (const uint8_t *)r.code, 4, &e), 0);
    r.w.program = r.p;
    r.w.pc = RIG_CODE;
    assert_int_equal(isa_run(&r.w, r.p, &r.env, 1000, &done, NULL), ISA_LIMIT);
    assert_int_equal(done, 1000);
    assert_true(r.w.pc == RIG_CODE);
    rig_close(&r);
}

/* "r v1" reads VGPR 1; "w s106 2" writes two SGPR codes from 106 */
static bool has_ref(const struct isa_regref *refs, unsigned n, enum isa_regfile file, unsigned first, unsigned count,
                    bool write)
{
    for (unsigned k = 0; k < n; k++)
        if (refs[k].file == file && refs[k].first == first && refs[k].count == count && refs[k].write == write)
            return true;
    return false;
}

static unsigned regs_of(const struct isa_target *t, const uint32_t *words, unsigned n, struct isa_regref *refs)
{
    struct isa_inst i;
    assert_true(isa_decode(t, (const uint8_t *)words, n * 4, &i, NULL) == n * 4);
    return isa_inst_regs(t, &i, 64, refs);
}

static void test_register_sets(void **state)
{
    struct isa_target *t;
    struct err e = {0};
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n;
    (void)state;

    assert_int_equal(isa_target_open(&t, "gfx90a", NULL, &e), 0);
    /* v_addc_co_u32 v0, vcc, v1, v2, vcc */
    n = regs_of(t, (uint32_t[]){0x38000501}, 1, refs);
    assert_int_equal(n, 6);
    assert_true(has_ref(refs, n, RF_VGPR, 0, 1, true));
    assert_true(has_ref(refs, n, RF_VGPR, 1, 1, false));
    assert_true(has_ref(refs, n, RF_VGPR, 2, 1, false));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_VCC_LO, 2, true));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_VCC_LO, 2, false));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_EXEC_LO, 2, false));
    /* s_addc_u32 s0, s1, vcc_lo */
    n = regs_of(t, (uint32_t[]){0x82006a01}, 1, refs);
    assert_int_equal(n, 5);
    assert_true(has_ref(refs, n, RF_SCC, 0, 1, true));
    assert_true(has_ref(refs, n, RF_SCC, 0, 1, false));
    assert_true(has_ref(refs, n, RF_SGPR, 0, 1, true));
    assert_true(has_ref(refs, n, RF_SGPR, 1, 1, false));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_VCC_LO, 1, false));
    /* s_and_saveexec_b64 s[2:3], vcc */
    n = regs_of(t, (uint32_t[]){0xbe82206a}, 1, refs);
    assert_true(has_ref(refs, n, RF_SGPR, 2, 2, true));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_EXEC_LO, 2, true));
    assert_true(has_ref(refs, n, RF_SGPR, CODE_EXEC_LO, 2, false));
    assert_true(has_ref(refs, n, RF_SCC, 0, 1, true));
    /* global_load_dwordx2 v[4:5], v0, s[6:7] */
    n = regs_of(t, (uint32_t[]){0xdc548000, 0x04060000}, 2, refs);
    assert_true(has_ref(refs, n, RF_VGPR, 4, 2, true));
    assert_true(has_ref(refs, n, RF_VGPR, 0, 1, false));
    assert_true(has_ref(refs, n, RF_SGPR, 6, 2, false));
    isa_target_close(t);
}

static void test_targets(void **state)
{
    struct isa_target *t;
    struct err e = {0};
    (void)state;

    assert_int_not_equal(isa_target_open(&t, "gfx7", NULL, &e), 0);
    assert_null(t);
    assert_non_null(strstr(e.text, "gfx7"));
    for (unsigned i = 0; isa_target_name(i); i++) {
        err_clear(&e);
        assert_int_equal(isa_target_open(&t, isa_target_name(i), "base", &e), 0);
        assert_true(isa_row_count(t) > 700);
        assert_true(isa_has(t, FEAT_WAVE32) == (t->layout >= LAYOUT_GFX10));
        isa_target_close(t);
    }
    /* a tree has no order: gfx90a does not descend from gfx10 nor the other way round */
    assert_true(isa_node_under(N_GFX90A, N_GFX9));
    assert_true(isa_node_under(N_GFX12, N_GFX9));
    assert_false(isa_node_under(N_GFX90A, N_GFX10));
    assert_false(isa_node_under(N_GFX10, N_GFX90A));
}

/* Instructions are counted by class, but approximate ones by row, as far as there is room: the others by class again.
 * MFMA's words are 0xd3800000 with the opcode in bits 16 to 22. */
static void test_tallies(void **state)
{
    static const uint32_t head[] = {0x68020100 /* v_add_u32_e32 v1, v0, v0 */, 0x7e004100 /* v_exp_f32_e32 v0, v0 */,
                                    0x7e024500 /* v_rcp_f32_e32 v1, v0 */, 0x7e044100 /* v_exp_f32_e32 v2, v0 */};
    static uint32_t code[4 + 2 * 256];
    struct isa_target *t;
    struct isa_program *p;
    struct isa_listing l;
    struct err e = {0};
    unsigned n = 4, seen = 2, left = 0;

    (void)state;
    memcpy(code, head, sizeof head);
    assert_int_equal(isa_target_open(&t, "gfx950", NULL, &e), 0);
    for (unsigned k = 0; isa_list_at(t, k, &l); k++)
        if (l.op->row->mat && l.op->row->ulp != 0 && !strncmp(l.op->mnemonic, "v_mfma", 6) && l.opcode < 128 &&
            n + 2 <= sizeof code / sizeof *code) {
            code[n] = 0xd3800000u | (uint32_t)l.opcode << 16;
            code[n + 1] = 0x04020500; /* v[0:], v[2:], v[0:] */
            n += 2;
        }
    for (unsigned op = 0; op < 128; op++) { /* VOP1, v0 from v0, and an s_nop */
        struct isa_inst i;

        code[n] = 0x7e000100u | op << 9;
        code[n + 1] = 0xbf800000;
        if (isa_decode(t, (const uint8_t *)&code[n], 4, &i, NULL) && i.row->ulp != 0)
            n += 2;
    }
    assert_int_equal(isa_program_open(&p, t, 0x1000, (const uint8_t *)code, n * 4, &e), 0);
    assert_int_equal(isa_program_at(p, 0x1000)->tally, OPC_VALU);
    assert_int_equal(isa_program_at(p, 0x1004)->tally, ISA_TALLY_ROWS);
    assert_int_equal(isa_program_at(p, 0x1008)->tally, ISA_TALLY_ROWS + 1);
    assert_int_equal(isa_program_at(p, 0x100c)->tally, ISA_TALLY_ROWS);
    assert_ptr_equal(isa_program_tallied(p, ISA_TALLY_ROWS), isa_program_at(p, 0x1004));
    for (unsigned k = 4; k < n; k += 2) {
        const struct isa_inst *i = isa_program_at(p, 0x1000 + 4 * k);
        bool again = i->row == isa_program_at(p, 0x1004)->row || i->row == isa_program_at(p, 0x1008)->row;

        for (unsigned j = 4; j < k; j += 2)
            again = again || isa_program_at(p, 0x1000 + 4 * j)->row == i->row;
        if (again)
            continue;
        if (seen < ISA_TALLIES - ISA_TALLY_ROWS)
            assert_int_equal(i->tally, ISA_TALLY_ROWS + seen);
        else
            assert_int_equal(i->tally, ISA_TALLY_APPROXIMATE + i->row->cls);
        left += seen >= ISA_TALLIES - ISA_TALLY_ROWS;
        seen++;
    }
    assert_true(left > 0);
    isa_program_forget(p);
    assert_null(isa_program_tallied(p, ISA_TALLY_ROWS));
    isa_program_close(p);
    isa_target_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal_or_unsupported),
        cmocka_unit_test(test_leaving_the_code),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_register_sets),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_tallies),
    };
    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
