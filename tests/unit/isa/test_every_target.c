/* What is the same on every target that has it: waits and hints change nothing, program control, relative moves,
 * hardware registers. From the ISA manuals' descriptions (pseudocode where there is some); details that
 * differ between targets are other tests' business. */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/mem_words.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])
#define ONE(W)   (const uint32_t[]){W}, 1

/* --- instructions without effect -------------------------------------------------------------------------------- */

struct state {
    uint32_t s[sizeof((struct isa_wave *)0)->s / sizeof(uint32_t)], mode, scc;
    uint64_t exec;
    uint32_t *v;
    uint8_t *mem;
};

static void stir(struct rig *r)
{
    set_up(r, FMT_VOP1);
    for (unsigned k = 12; k < 100; k++)
        r->w.s[k] = 0x1000 * k + 7;
    r->w.scc = 1;
    isa_set_exec(&r->w, UINT64_C(0xf0f1f2f3f4f5f6f7) & lane_mask(r->w.lanes));
}

static void copy_state(const struct rig *r, struct state *s)
{
    memcpy(s->s, r->w.s, sizeof s->s);
    s->mode = r->w.mode_reg;
    s->scc = r->w.scc;
    s->exec = r->w.exec;
    memcpy(s->v, r->regs, sizeof(uint32_t) * RIG_VGPRS * r->w.lanes);
    memcpy(s->mem, r->mem, 65536);
    memcpy(s->mem + 65536, r->lds, 65536);
}

/* Runs it and sees that only the pc moved. */
static void idles(struct rig *r, const uint32_t *words, unsigned n, unsigned bytes)
{
    struct state before = {.v = malloc(4 * RIG_VGPRS * 64), .mem = malloc(131072)};

    stir(r);
    copy_state(r, &before);
    gaddr_t pc = step_one(r, words, n, ISA_OK);
    if (pc != 64 + bytes)
        fail_msg("%08x on %s: the pc went to %u", words[0], r->t->name, (unsigned)pc);
    assert_memory_equal(before.s, r->w.s, sizeof before.s);
    assert_int_equal(before.mode, r->w.mode_reg);
    assert_int_equal(before.scc, r->w.scc);
    assert_true(before.exec == r->w.exec);
    assert_memory_equal(before.v, r->regs, 4 * RIG_VGPRS * r->w.lanes);
    assert_memory_equal(before.mem, r->mem, 65536);
    assert_memory_equal(before.mem + 65536, r->lds, 65536);
    free(before.v);
    free(before.mem);
}

static void test_hints_change_nothing(void **state)
{
    static const char *const names[] = {
        "s_nop",
        "s_delay_alu",
        "s_waitcnt_depctr",
        "s_clause",
        "s_wait_event",
        "s_inst_prefetch",
        "s_singleuse_vdst",
        "s_icache_inv",
        "s_incperflevel",
        "s_decperflevel",
        "s_ttracedata",
        "s_ttracedata_imm",
        "s_waitcnt",
        "s_wait_idle",
        "s_wait_loadcnt",
        "s_wait_storecnt",
        "s_wait_samplecnt",
        "s_wait_bvhcnt",
        "s_wait_expcnt",
        "s_wait_dscnt",
        "s_wait_kmcnt",
        "s_setprio",
        "s_wait_loadcnt_dscnt",
        "s_wait_storecnt_dscnt",
        "s_sleep",
        "s_sendmsg",
    };
    static const char *const with_sgpr[] = {"s_waitcnt_vscnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt",
                                            "s_waitcnt_lgkmcnt"};
    static const char *const vector[] = {"v_nop", "v_clrexcp", "v_pipeflush"};
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        unsigned ran = 0;
        for (unsigned k = 0; k < COUNT(names); k++) {
            int op = opcode_of(r.t, FMT_SOPP, names[k]);
            if (op >= 0)
                idles(&r, ONE(sopp(op, has_slot(r.t->ops[FMT_SOPP][op].row, SL_SIMM) ? 3 : 0)), 4), ran++;
        }
        for (unsigned k = 0; k < COUNT(with_sgpr); k++) {
            int op = opcode_of(r.t, FMT_SOPK, with_sgpr[k]);
            if (op >= 0)
                idles(&r, ONE(sopk(op, r.t->code_null, 1)), 4);
        }
        int version = opcode_of(r.t, FMT_SOPK, "s_version");
        if (version >= 0)
            idles(&r, ONE(sopk(version, 0, 0x2006)), 4);
        for (unsigned k = 0; k < COUNT(vector); k++) {
            uint32_t w[2];
            int op = opcode_of(r.t, FMT_VOP1, vector[k]);
            if (op < 0)
                continue;
            idles(&r, ONE(vop1(op, 0, 0)), 4);
            op = opcode_of(r.t, FMT_VOP3, vector[k]);
            assert_true(op >= 0);
            vop3(r.t, w, op, 0, 0, 0, 0);
            idles(&r, w, 2, 8);
        }
        assert_true(ran >= 9);
    }
    EVERY_END(r)
}

static void test_caches_hold_nothing(void **state)
{
    static const char *const scalar[] = {
        "s_dcache_inv",
        "s_dcache_wb",
        "s_dcache_inv_vol",
        "s_dcache_wb_vol",
        "s_gl1_inv",
        "s_dcache_discard",
        "s_dcache_discard_x2",
        "s_atc_probe",
        "s_atc_probe_buffer",
        "s_prefetch_inst",
        "s_prefetch_inst_pc_rel",
        "s_prefetch_data",
        "s_buffer_prefetch_data",
        "s_prefetch_data_pc_rel",
    };
    static const char *const vector[] = {"buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbl2",   "buffer_invl2",
                                         "buffer_inv",     "buffer_gl0_inv",     "buffer_gl1_inv"};
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        for (unsigned k = 0; k < COUNT(scalar); k++) {
            uint32_t w[2] = {0};
            int op = opcode_of(r.t, FMT_SMEM, scalar[k]);
            if (op < 0)
                continue;
            unsigned n = smem_words(r.t, r.t->ops[FMT_SMEM][op].row, (unsigned)op, false, w);
            if (strstr(scalar[k], "probe") && isa_types[r.t->ops[FMT_SMEM][op].row->args[1].type].dwords != 4)
                w[0] = (w[0] & ~63u) | 2;
            idles(&r, w, n, 8);
        }
        for (unsigned k = 0; k < COUNT(vector); k++) {
            uint32_t w[3] = {0};
            int op = opcode_of(r.t, FMT_MUBUF, vector[k]);
            if (op >= 0)
                idles(&r, w, buffer_words(r.t, r.t->ops[FMT_MUBUF][op].row, FMT_MUBUF, (unsigned)op, false, w), 8);
        }
        uint32_t w[2];
        int op = opcode_of(r.t, FMT_DS, "ds_nop");
        assert_true(op >= 0);
        ds(r.t, w, op, 0, 0, 0, 0);
        idles(&r, w, 2, 8);
    }
    EVERY_END(r)
}

/* --- program control -------------------------------------------------------------------------------------------- */

static void test_branches(void **state)
{
    static const struct {
        const char *name;
        unsigned scc;
        uint64_t vcc, exec;
        bool taken;
    } v[] = {
        {"s_branch", 0, 0, 0, true},
        {"s_cbranch_scc0", 0, 0, 1, true},
        {"s_cbranch_scc0", 1, 0, 1, false},
        {"s_cbranch_scc1", 1, 0, 1, true},
        {"s_cbranch_scc1", 0, 0, 1, false},
        {"s_cbranch_vccz", 1, 0, 1, true},
        {"s_cbranch_vccz", 1, UINT64_C(1) << 31, 1, false},
        {"s_cbranch_vccnz", 1, UINT64_C(1) << 31, 1, true},
        {"s_cbranch_vccnz", 1, 0, 1, false},
        {"s_cbranch_execz", 1, 1, 0, true},
        {"s_cbranch_execz", 1, 1, UINT64_C(1) << 31, false},
        {"s_cbranch_execnz", 1, 1, UINT64_C(1) << 31, true},
        {"s_cbranch_execnz", 1, 1, 0, false},
        /* nobody is debugging */
        {"s_cbranch_cdbgsys", 1, 1, 1, false},
        {"s_cbranch_cdbguser", 1, 1, 1, false},
        {"s_cbranch_cdbgsys_or_user", 1, 1, 1, false},
        {"s_cbranch_cdbgsys_and_user", 1, 1, 1, false},
    };
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            for (unsigned k = 0; k < COUNT(v); k++) {
                int op = opcode_of(r.t, FMT_SOPP, v[k].name);
                if (op < 0)
                    continue;
                for (int by = -9; by <= 9; by += 18) {
                    r.w.scc = (uint8_t)v[k].scc;
                    r.w.s[CODE_VCC_LO] = (uint32_t)v[k].vcc;
                    r.w.s[CODE_VCC_HI] = 0;
                    isa_set_exec(&r.w, v[k].exec);
                    gaddr_t pc = step_one(&r, ONE(sopp(op, (unsigned)by)), ISA_OK);
                    if (pc != (gaddr_t)(v[k].taken ? 68 + 4 * by : 68))
                        fail_msg("%s on %s", v[k].name, r.t->name);
                    assert_int_equal(r.fx.branch_taken, v[k].taken);
                }
            }
        }
    EVERY_END(r)
}

static void test_jumps(void **state)
{
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        int op = opcode_of(r.t, FMT_SOP1, "s_getpc_b64");
        assert_int_equal(step_one(&r, ONE(sop1(op, 10, 0)), ISA_OK), 68);
        assert_true((r.w.s[10] | (uint64_t)r.w.s[11] << 32) == RIG_CODE + 68);
        static const char *const to[] = {"s_setpc_b64", "s_rfe_b64"};
        r.w.s[12] = (uint32_t)RIG_CODE + 22;
        r.w.s[13] = 0;
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(step_one(&r, ONE(sop1(opcode_of(r.t, FMT_SOP1, to[k]), 0, 12)), ISA_OK), 20);
        op = opcode_of(r.t, FMT_SOP2, "s_rfe_restore_b64");
        if (op >= 0)
            assert_int_equal(step_one(&r, ONE(sop2(op, 0, 12, 14)), ISA_OK), 20);
        op = opcode_of(r.t, FMT_SOP1, "s_swappc_b64");
        assert_int_equal(step_one(&r, ONE(sop1(op, 12, 12)), ISA_OK), 20);
        assert_true((r.w.s[12] | (uint64_t)r.w.s[13] << 32) == RIG_CODE + 68);
        op = opcode_of(r.t, FMT_SOPK, "s_call_b64");
        if (op >= 0) {
            assert_int_equal(step_one(&r, ONE(sopk(op, 14, (unsigned)-4)), ISA_OK), 52);
            assert_true((r.w.s[14] | (uint64_t)r.w.s[15] << 32) == RIG_CODE + 68);
        }
    }
    EVERY_END(r)
}

static void test_ends(void **state)
{
    static const struct {
        const char *name;
        unsigned imm;
        enum isa_status status;
        enum isa_fault_kind fault;
    } v[] = {
        {"s_endpgm", 0, ISA_END, FAULT_NONE},
        {"s_endpgm_saved", 0, ISA_END, FAULT_NONE},
        {"s_endpgm_ordered_ps_done", 0, ISA_END, FAULT_NONE},
        {"s_setkill", 0, ISA_OK, FAULT_NONE},
        {"s_setkill", 1, ISA_END, FAULT_NONE},
        {"s_sethalt", 0, ISA_OK, FAULT_NONE},
        {"s_sethalt", 1, ISA_HALT, FAULT_NONE},
        {"s_sendmsghalt", 1, ISA_HALT, FAULT_NONE},
        {"s_barrier", 0, ISA_BARRIER, FAULT_NONE},
        {"s_wakeup", 0, ISA_WAKEUP, FAULT_NONE},
        {"s_sleep", 0x7f7f, ISA_OK, FAULT_NONE}, /* bit 15: test_sopp.c */
        {"s_trap", 2, ISA_FAULT, FAULT_TRAP},
        {"s_trap", 3, ISA_OK, FAULT_NONE}, /* llvm.debugtrap, without a debugger */
        {"s_code_end", 0, ISA_FAULT, FAULT_ILLEGAL},
    };
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        for (unsigned k = 0; k < COUNT(v); k++) {
            int op = opcode_of(r.t, FMT_SOPP, v[k].name);
            if (op < 0)
                continue;
            step_one(&r, ONE(sopp(op, v[k].imm)), v[k].status);
            assert_int_equal(r.w.fault.kind, v[k].fault);
        }
        int wakeup = opcode_of(r.t, FMT_SOP1, "s_wakeup_barrier"); /* LLVM 19's alone, of gfx12 */
        if (wakeup >= 0 && isa_has(r.t, FEAT_VGPR_MSB)) {          /* gfx1250 */
            step_one(&r, ONE(sop1(wakeup, 0, CODE_INT_0 + 3)), ISA_WAKEUP);
            assert_int_equal(r.w.wakes, 3);
        } else if (wakeup >= 0) {
            step_one(&r, ONE(sop1(wakeup, 0, CODE_INT_0 + 3)), ISA_FAULT);
            assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        }
        if (opcode_of(r.t, FMT_ILLEGAL, "v_illegal") >= 0) {
            step_one(&r, ONE(0), ISA_FAULT);
            assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        }
        int b32 = opcode_of(r.t, FMT_SOP1, "s_sendmsg_rtn_b32"), b64 = opcode_of(r.t, FMT_SOP1, "s_sendmsg_rtn_b64");
        if (b32 >= 0) {
            enum { REALTIME = 131 };
            r.w.s[11] = 77;
            step_one(&r, ONE(sop1(b32, 10, REALTIME)), ISA_OK);
            assert_int_equal(r.w.s[10], 12345);
            assert_int_equal(r.w.s[11], 77);
            step_one(&r, ONE(sop1(b64, 10, REALTIME)), ISA_OK);
            assert_int_equal(r.w.s[10], 12345);
            assert_int_equal(r.w.s[11], 0);
        }
        static const char *const clocks[] = {"s_memtime", "s_memrealtime"};
        for (unsigned k = 0; k < 2; k++) {
            uint32_t w[2] = {0};
            int op = opcode_of(r.t, FMT_SMEM, clocks[k]);
            if (op < 0)
                continue;
            unsigned n = smem_words(r.t, r.t->ops[FMT_SMEM][op].row, (unsigned)op, false, w);
            r.w.s[20] = r.w.s[21] = 77;
            step_one(&r, w, n, ISA_OK);
            assert_int_equal(r.w.s[20], 12345);
            assert_int_equal(r.w.s[21], 0);
        }
    }
    EVERY_END(r)
}

/* --- forks, loops over halves, VSKIP ------------------------------------------------------------------------------ */

static void test_forks(void **state)
{
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        int i_fork = opcode_of(r.t, FMT_SOPK, "s_cbranch_i_fork"),
            g_fork = opcode_of(r.t, FMT_SOP2, "s_cbranch_g_fork"), join = opcode_of(r.t, FMT_SOP1, "s_cbranch_join"),
            skip = opcode_of(r.t, FMT_SOPC, "s_setvskip");
        if (i_fork >= 0) {
            /* three lanes pass, one fails: the one goes first, the others wait on the stack */
            r.w.s[20] = 7;
            r.w.s[21] = 0;
            r.w.s[30] = 0;
            isa_set_exec(&r.w, 15);
            assert_int_equal(step_one(&r, ONE(sopk(i_fork, 20, 5)), ISA_OK), 68);
            assert_true(r.w.exec == 8);
            assert_int_equal(step_one(&r, ONE(sop1(join, 0, 30)), ISA_OK), 68 + 20);
            assert_true(r.w.exec == 7);
            assert_int_equal(step_one(&r, ONE(sop1(join, 0, 30)), ISA_OK), 68);
            /* one passes: it jumps, the rest come after */
            isa_set_exec(&r.w, 15);
            r.w.s[20] = 2;
            r.w.s[22] = (uint32_t)RIG_CODE + 160;
            r.w.s[23] = 0;
            assert_int_equal(step_one(&r, ONE(sop2(g_fork, 0, 20, 22)), ISA_OK), 160);
            assert_true(r.w.exec == 2);
            assert_int_equal(step_one(&r, ONE(sop1(join, 0, 30)), ISA_OK), 68);
            assert_true(r.w.exec == 13);
            /* no vector instruction runs while VSKIP is set */
            uint32_t mov = vop1(opcode_of(r.t, FMT_VOP1, "v_mov_b32"), 3, 128 + 9);
            rig_vall(&r, 3, 5);
            r.w.s[20] = 1u << 6;
            step_one(&r, ONE(sopc(skip, 20, 128 + 6)), ISA_OK);
            isa_set_exec(&r.w, ~UINT64_C(0));
            step_one(&r, ONE(mov), ISA_OK);
            assert_int_equal(rig_getv(&r, 3, 0), 5);
            step_one(&r, ONE(sopc(skip, 20, 128 + 5)), ISA_OK);
            step_one(&r, ONE(mov), ISA_OK);
            assert_int_equal(rig_getv(&r, 3, 0), 9);
        }
        int begin = opcode_of(r.t, FMT_SOPK, "s_subvector_loop_begin"),
            end = opcode_of(r.t, FMT_SOPK, "s_subvector_loop_end");
        if (begin >= 0) {
            isa_set_exec(&r.w, UINT64_C(0x0000000500000003));
            assert_int_equal(step_one(&r, ONE(sopk(begin, 20, 6)), ISA_OK), 68);
            assert_true(r.w.exec == 3 && r.w.s[20] == 5);
            assert_int_equal(step_one(&r, ONE(sopk(end, 20, (unsigned)-6)), ISA_OK), 68 - 24);
            assert_true(r.w.exec == UINT64_C(0x500000000) && r.w.s[20] == 3);
            assert_int_equal(step_one(&r, ONE(sopk(end, 20, (unsigned)-6)), ISA_OK), 68);
            assert_true(r.w.exec == UINT64_C(0x0000000500000003));
            isa_set_exec(&r.w, 0);
            assert_int_equal(step_one(&r, ONE(sopk(begin, 20, 6)), ISA_OK), 68 + 24);
        }
    }
    EVERY_END(r)
}

/* --- relative addressing ---------------------------------------------------------------------------------------- */

static void test_relative_scalars(void **state)
{
    static const struct {
        const char *name;
        unsigned src, dst, dwords; /* with M0 = 0x00020006, from s20 to s40 */
    } v[] = {
        {"s_movrels_b32", 26, 40, 1}, {"s_movrels_b64", 26, 40, 2},    {"s_movreld_b32", 20, 46, 1},
        {"s_movreld_b64", 20, 46, 2}, {"s_movrelsd_2_b32", 26, 42, 1},
    };
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        for (unsigned k = 0; k < COUNT(v); k++) {
            uint32_t want[102];
            int op = opcode_of(r.t, FMT_SOP1, v[k].name);
            if (op < 0)
                continue;
            for (unsigned s = 0; s < 102; s++)
                want[s] = r.w.s[s] = 0x100 + s;
            /* the others add all of M0 */
            r.w.s[r.t->code_m0] = strstr(v[k].name, "sd_2") ? 0x00020006 : 6;
            for (unsigned d = 0; d < v[k].dwords; d++)
                want[v[k].dst + d] = 0x100 + v[k].src + d;
            step_one(&r, ONE(sop1(op, 40, 20)), ISA_OK);
            assert_memory_equal(want, r.w.s, sizeof want);
        }
    }
    EVERY_END(r)
}

static void test_relative_vectors(void **state)
{
    static const struct {
        const char *name;
        unsigned src, dst; /* with M0 = 3, or 0x00050003, from v10 to v20 */
        bool two, swaps;
    } v[] = {
        {"v_movrels_b32", 13, 20, false, false},  {"v_movreld_b32", 10, 23, false, false},
        {"v_movrelsd_b32", 13, 23, false, false}, {"v_movrelsd_2_b32", 13, 25, true, false},
        {"v_swaprel_b32", 13, 25, true, true},
    };
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            for (unsigned k = 0; k < COUNT(v); k++) {
                for (unsigned f = FMT_VOP1; f <= FMT_VOP3; f += FMT_VOP3 - FMT_VOP1) {
                    uint32_t w[2];
                    int op = opcode_of(r.t, f, v[k].name);
                    if (op < 0)
                        continue;
                    for (unsigned reg = 0; reg < 40; reg++)
                        for (unsigned l = 0; l < lanes; l++)
                            rig_v(&r, reg, l, reg * 0x100 + l);
                    r.w.s[r.t->code_m0] = v[k].two ? 0x00050003 : 3;
                    isa_set_exec(&r.w, UINT64_C(0x7fffffff7fffffff) & lane_mask(lanes));
                    w[0] = vop1(op, 20, CODE_VGPR + 10);
                    if (f == FMT_VOP3)
                        vop3(r.t, w, op, 20, CODE_VGPR + 10, 0, 0);
                    step_one(&r, w, f == FMT_VOP3 ? 2 : 1, ISA_OK);
                    for (unsigned reg = 0; reg < 40; reg++)
                        for (unsigned l = 0; l < lanes; l++) {
                            unsigned from = reg == v[k].dst ? v[k].src : v[k].swaps && reg == v[k].src ? v[k].dst : reg;
                            assert_int_equal(rig_getv(&r, reg, l), ((l & 31) == 31 ? reg : from) * 0x100 + l);
                        }
                }
            }
        }
    EVERY_END(r)
}

static void test_vgpr_index(void **state)
{
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        int on = opcode_of(r.t, FMT_SOPC, "s_set_gpr_idx_on"), off = opcode_of(r.t, FMT_SOPP, "s_set_gpr_idx_off"),
            idx = opcode_of(r.t, FMT_SOP1, "s_set_gpr_idx_idx"), mode = opcode_of(r.t, FMT_SOPP, "s_set_gpr_idx_mode");
        if (on >= 0) {
            uint32_t mov = vop1(opcode_of(r.t, FMT_VOP1, "v_mov_b32"), 10, CODE_VGPR + 1);
            for (unsigned reg = 0; reg < 40; reg++)
                rig_vall(&r, reg, 0x100 + reg);
            r.w.s[r.t->code_m0] = 0xabcd0000;
            r.w.s[20] = 0x505;
            step_one(&r, ONE(sopc(on, 20, 1)), ISA_OK); /* sources alone */
            assert_int_equal(r.w.s[r.t->code_m0], 0xabcd1005);
            step_one(&r, ONE(mov), ISA_OK);
            assert_int_equal(rig_getv(&r, 10, 3), 0x106);
            step_one(&r, ONE(sopp(mode, 8)), ISA_OK); /* the destination alone */
            step_one(&r, ONE(sop1(idx, 0, 128 + 7)), ISA_OK);
            assert_int_equal(r.w.s[r.t->code_m0], 0xabcd8007);
            step_one(&r, ONE(mov), ISA_OK);
            assert_int_equal(rig_getv(&r, 17, 3), 0x101);
            step_one(&r, ONE(sopp(off, 0)), ISA_OK);
            step_one(&r, ONE(mov), ISA_OK);
            assert_int_equal(rig_getv(&r, 10, 3), 0x101);
        }
    }
    EVERY_END(r)
}

/* --- MODE ------------------------------------------------------------------------------------------------------- */

static void test_mode_register(void **state)
{
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        enum { MODE_ID = 1, BITS_4_7 = MODE_ID | 4 << 6 | 3 << 11 };
        int get = opcode_of(r.t, FMT_SOPK, "s_getreg_b32"), set = opcode_of(r.t, FMT_SOPK, "s_setreg_b32"),
            imm = opcode_of(r.t, FMT_SOPK, "s_setreg_imm32_b32"), round = opcode_of(r.t, FMT_SOPP, "s_round_mode"),
            denorm = opcode_of(r.t, FMT_SOPP, "s_denorm_mode");
        isa_set_mode(&r.w, 0xff);
        r.w.s[20] = 0xfffffff5;
        step_one(&r, ONE(sopk(set, 20, BITS_4_7)), ISA_OK);
        assert_int_equal(r.w.mode_reg, 0x5f);
        step_one(&r, ONE(sopk(get, 21, BITS_4_7)), ISA_OK);
        assert_int_equal(r.w.s[21], 5);
        assert_int_equal(step_one(&r, (uint32_t[]){sopk(imm, 0, BITS_4_7), 0xa}, 2, ISA_OK), 72);
        assert_int_equal(r.w.mode_reg, 0xaf);
        if (round >= 0) {
            step_one(&r, ONE(sopp(round, 0x6)), ISA_OK);
            assert_int_equal(r.w.mode_reg, 0xa6);
            step_one(&r, ONE(sopp(denorm, 0x9)), ISA_OK);
            assert_int_equal(r.w.mode_reg, 0x96);
        }
    }
    EVERY_END(r)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints_change_nothing),
        cmocka_unit_test(test_caches_hold_nothing),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_forks),
        cmocka_unit_test(test_relative_scalars),
        cmocka_unit_test(test_relative_vectors),
        cmocka_unit_test(test_vgpr_index),
        cmocka_unit_test(test_mode_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
