/* gcnsim run --check: wait states of gfx8, gfx9 and CDNA, each rule one short and just enough. */
#define CHECK_WORDS_FILE "tests/unit/check/words/states.inc"
#include "tests/unit/check/check_rig.h"

#define DPP " quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0"
/* one wait state too few, with the missing one named, and enough */
#define RULE(TARGET, BEFORE, SHORT, ENOUGH, READER, RULE_KEY, AT)                                                      \
    {TARGET, 64, BEFORE SHORT READER, RULE_KEY, AT, "s_nop 0 before it (1 wait state missing)", -1},                   \
    {                                                                                                                  \
        TARGET, 64, BEFORE ENOUGH READER, NULL, NULL, NULL, -1                                                         \
    }
#define NOPS(N) "s_nop " #N "\n"
#define CMPX    "v_cmpx_eq_f32 vcc, v1, v1\n"

static const struct check_case state_cases[] = {
    {"gfx90a", 64, "v_readfirstlane_b32 s8, v1\nbuffer_load_dword v4, off, s[12:15], s8", "states.valu-sgpr-vmem",
     "buffer_load_dword", "s_nop 4 before it (5 wait states missing)", -1},
    RULE("gfx90a", "v_readfirstlane_b32 s8, v1\n", NOPS(3), NOPS(4), "buffer_load_dword v4, off, s[12:15], s8",
         "states.valu-sgpr-vmem", "buffer_load_dword"),
    RULE("gfx803", "v_readfirstlane_b32 s8, v1\n", NOPS(3), NOPS(4), "buffer_load_dword v4, off, s[12:15], s8",
         "states.valu-sgpr-vmem", "buffer_load_dword"),
    /* instructions count like s_nop 0 */
    {"gfx90a", 64,
     "v_readfirstlane_b32 s8, v1\nv_mov_b32 v4, 0\nv_mov_b32 v4, 0\nv_mov_b32 v4, 0\ns_mov_b32 s9, 0\ns_mov_b32 s9, 0\n"
     "buffer_load_dword v4, off, s[12:15], s8",
     NULL, NULL, NULL, -1},
    /* a wait whose counters are there already is one wait state, whatever its operand */
    {"gfx90a", 64, "v_readfirstlane_b32 s8, v1\ns_waitcnt lgkmcnt(0)\nbuffer_load_dword v4, off, s[12:15], s8",
     "states.valu-sgpr-vmem", "buffer_load_dword", "s_nop 3 before it (4 wait states missing)", -1},
    {"gfx1030", 32, "v_readfirstlane_b32 s8, v1\nbuffer_load_dword v4, off, s[12:15], s8", NULL, NULL, NULL, -1},
    RULE("gfx803", "v_cmp_eq_f32 vcc, v1, v1\n", NOPS(2), NOPS(3), "v_div_fmas_f32 v4, v1, v1, v1",
         "states.valu-vcc-div-fmas", "v_div_fmas_f32"),
    RULE("gfx90a", "v_cmp_eq_f32 vcc, v1, v1\n", NOPS(2), NOPS(3), "v_div_fmas_f64 v[4:5], v[6:7], v[6:7], v[6:7]",
         "states.valu-vcc-div-fmas", "v_div_fmas_f64"),
    RULE("gfx803", CMPX, NOPS(3), NOPS(4), "v_mov_b32_dpp v4, v5" DPP, "states.valu-exec-dpp", "v_mov_b32_dpp"),
    RULE("gfx803", "v_mov_b32 v5, 0\n", NOPS(0), NOPS(1), "v_mov_b32_dpp v4, v5" DPP, "states.valu-vgpr-dpp",
         "v_mov_b32_dpp"),
    RULE("gfx90a", "v_readfirstlane_b32 s8, v1\n", NOPS(2), NOPS(3), "v_readlane_b32 s9, v1, s8",
         "states.valu-sgpr-lane-select", "v_readlane_b32"),
    RULE("gfx90a", "v_cmp_eq_f32 vcc, v1, v1\n", NOPS(3), NOPS(4), "v_add_u32 v4, src_vccz, v1",
         "states.valu-vccz-execz", "v_add_u32"),
    {"gfx900", 64, "s_mov_b32 m0, 0\ns_movrels_b32 s9, s8", "states.salu-m0", "s_movrels_b32", "s_nop 0", -1},
    {"gfx900", 64, "s_mov_b32 m0, 0\ns_nop 0\ns_movrels_b32 s9, s8", NULL, NULL, NULL, -1},
    /* loads to LDS: of buffers the manuals list none */
    {"gfx942", 64, "s_mov_b32 m0, 0\ns_add_u32 m0, m0, 0x100\nbuffer_load_dword off, s[12:15], 0 lds", NULL, NULL, NULL,
     -1},
    {"gfx90a", 64, "s_mov_b32 m0, 0\nbuffer_load_dword off, s[12:15], 0 lds", NULL, NULL, NULL, -1},
    {"gfx942", 64, "s_mov_b32 m0, 0\nglobal_load_lds_dword v[2:3], off", "states.salu-m0", "global_load_lds_dword",
     "s_nop 0", -1},
    {"gfx942", 64, "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v[2:3], off", NULL, NULL, NULL, -1},
    {"gfx803", 64, "s_mov_b32 m0, 0\ns_ttracedata", "states.salu-m0", "s_ttracedata", "s_nop 0", -1},
    {"gfx803", 64, "s_mov_b32 m0, 0\ns_nop 0\ns_ttracedata", NULL, NULL, NULL, -1},
    RULE("gfx90a", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\n", NOPS(0), NOPS(1),
         "s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 4)", "states.setreg-getreg", "s_getreg_b32"),
    RULE("gfx90a", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\n", NOPS(0), NOPS(1),
         "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf", "states.setreg-setreg", "s_setreg_imm32_b32"),
    RULE("gfx803", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n", NOPS(0), NOPS(1), "v_mov_b32 v4, 0",
         "states.setreg-vskip", "v_mov_b32"),
    {"gfx803", 64, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\nv_mov_b32 v4, 0", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "global_store_dwordx4 v[2:3], v[4:7], off\nv_mov_b32 v6, 0", "states.store-data", "v_mov_b32",
     "s_nop 0", -1},
    {"gfx90a", 64, "global_store_dwordx4 v[2:3], v[4:7], off\ns_nop 0\nv_mov_b32 v6, 0", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "global_store_dwordx2 v[2:3], v[4:5], off\nv_mov_b32 v4, 0", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "buffer_store_dwordx4 v[4:7], off, s[12:15], s8\nv_mov_b32 v4, 0", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "buffer_store_dwordx4 v[4:7], off, s[12:15], 0\nv_mov_b32 v4, 0", "states.store-data", "v_mov_b32",
     "s_nop 0", -1},
    RULE("gfx942", "global_store_dwordx4 v[2:3], v[4:7], off\n", NOPS(0), NOPS(1), "v_mov_b32 v6, 0",
         "states.store-data", "v_mov_b32"),
    {"gfx942", 64, "v_rcp_f32 v4, v1\nv_add_f32 v5, v4, v1", "states.trans-valu", "v_add_f32", "s_nop 0", -1},
    {"gfx942", 64, "v_rcp_f32 v4, v1\ns_nop 0\nv_add_f32 v5, v4, v1", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_rcp_f32 v4, v1\nv_add_f32 v5, v4, v1", NULL, NULL, NULL, -1},
    {"gfx942", 64,
     "v_mov_b32_sdwa v4, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\nv_add_f32 v5, v4, v1",
     "states.partial-write-valu", "v_add_f32", "s_nop 0", -1},
    {"gfx942", 64,
     "v_mov_b32_sdwa v4, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\ns_nop 0\nv_add_f32 v5, v4, v1",
     NULL, NULL, NULL, -1},
    RULE("gfx942", "v_readfirstlane_b32 s8, v1\n", NOPS(0), NOPS(1), "v_mov_b32 v4, s8", "states.valu-sgpr-valu",
         "v_mov_b32"),
    {"gfx942", 64, "v_mov_b32 v4, 0\nv_readlane_b32 s8, v4, 0", "states.valu-vgpr-readlane", "v_readlane_b32",
     "s_nop 0", -1},
    {"gfx942", 64, "v_mov_b32 v4, 0\ns_nop 0\nv_readlane_b32 s8, v4, 0", NULL, NULL, NULL, -1},
    RULE("gfx942", CMPX, NOPS(2), NOPS(3), "v_readlane_b32 s8, v1, 0", "states.valu-exec-lane", "v_readlane_b32"),
    RULE("gfx90a", "v_dot2_f32_f16 v4, v1, v1, v1\n", NOPS(1), NOPS(2), "v_add_f32 v5, v4, v1", "states.dot-valu",
         "v_add_f32"),
    {"gfx90a", 64, "v_dot2_f32_f16 v4, v1, v1, v1\nv_dot2_f32_f16 v4, v1, v1, v4", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_dot2_f32_f16 v4, v1, v1, v1\nv_dot2_f32_f16 v5, v4, v1, v1", "states.dot-valu", "v_dot2_f32_f16",
     "s_nop 2", -1},
};

#define M908 "v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]\n"
#define M8   "v_mfma_f32_16x16x4f32 a[0:3], v1, v1, a[0:3]\n"
#define M942 "v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], v[6:7], a[0:3]\n" /* 4 passes */
#define F942 "v_mfma_f32_16x16x4_f32 a[0:3], v1, v1, a[0:3]\n"          /* 8 passes, the other path */

static const struct check_case matrix_cases[] = {
    /* the same accumulator again: no wait states but for two passes on gfx942 */
    {"gfx908", 64, M908 M908, NULL, NULL, NULL, -1},
    {"gfx90a", 64, M908 M908, NULL, NULL, NULL, -1},
    {"gfx942", 64, M942 M942, NULL, NULL, NULL, -1},
    RULE("gfx942", "v_mfma_f32_4x4x4_16b_f16 a[0:3], v[4:5], v[6:7], a[0:3]\n", NOPS(0), NOPS(1),
         "v_mfma_f32_4x4x4_16b_f16 a[0:3], v[4:5], v[6:7], a[0:3]", "mfma.src-c", "v_mfma"),
    RULE("gfx908", M908, NOPS(0), NOPS(1), "v_mfma_f32_4x4x1f32 a[4:7], v1, v1, a[2:5]", "mfma.src-c", "v_mfma"),
    RULE("gfx90a", M908, NOPS(0), NOPS(1), "v_mfma_f32_4x4x1f32 a[4:7], v1, v1, a[2:5]", "mfma.src-c", "v_mfma"),
    RULE("gfx90a", M8, NOPS(6), NOPS(7), "v_mfma_f32_4x4x1f32 a[4:7], v1, v1, a[2:5]", "mfma.src-c", "v_mfma"),
    RULE("gfx942", M942, NOPS(3), NOPS(4), "v_mfma_f32_4x4x4_16b_f16 a[4:7], v[4:5], v[6:7], a[2:5]", "mfma.src-c",
         "v_mfma"),
    RULE("gfx908", M908, NOPS(2), NOPS(3), "v_mfma_f32_4x4x1f32 a[4:7], a0, v1, a[4:7]", "mfma.src-ab", "v_mfma"),
    RULE("gfx90a", M908, NOPS(3), NOPS(4), "v_mfma_f32_4x4x1f32 a[4:7], a0, v1, a[4:7]", "mfma.src-ab", "v_mfma"),
    RULE("gfx942", M942, NOPS(5), NOPS(6), "v_mfma_f32_16x16x16_f16 a[4:7], a[0:1], v[6:7], a[4:7]", "mfma.src-ab",
         "v_mfma"),
    /* read by others */
    RULE("gfx908", M908, NOPS(2), NOPS(3), "v_accvgpr_read_b32 v4, a0", "mfma.read", "v_accvgpr_read_b32"),
    RULE("gfx908", M8 "s_nop 4\n", NOPS(3), NOPS(4), "v_accvgpr_read_b32 v4, a0", "mfma.read", "v_accvgpr_read_b32"),
    RULE("gfx90a", M908, NOPS(3), NOPS(4), "v_accvgpr_read_b32 v4, a0", "mfma.read", "v_accvgpr_read_b32"),
    RULE("gfx90a", M8 "s_nop 4\n", NOPS(4), NOPS(5), "global_store_dword v[2:3], a0, off", "mfma.read",
         "global_store_dword"),
    RULE("gfx942", M942, NOPS(5), NOPS(6), "v_accvgpr_read_b32 v4, a0", "mfma.read", "v_accvgpr_read_b32"),
    RULE("gfx942", F942 "s_nop 4\n", NOPS(3), NOPS(4), "v_accvgpr_read_b32 v4, a0", "mfma.read", "v_accvgpr_read_b32"),
    /* overwritten */
    RULE("gfx90a", M908, NOPS(3), NOPS(4), "v_accvgpr_write_b32 a1, 0", "mfma.overwrite", "v_accvgpr_write_b32"),
    RULE("gfx908", M8, NOPS(5), NOPS(6), "v_accvgpr_write_b32 a1, 0", "mfma.overwrite", "v_accvgpr_write_b32"),
    {"gfx90a", 64, "v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[4:7]\nv_accvgpr_write_b32 a5, 0", "mfma.src-c-overwrite",
     "v_accvgpr_write_b32", "s_nop 0", -1},
    {"gfx90a", 64, "v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[4:7]\ns_nop 0\nv_accvgpr_write_b32 a5, 0", NULL, NULL, NULL,
     -1},
    RULE("gfx908", "v_mfma_f32_16x16x4f32 a[0:3], v1, v1, a[4:7]\n", NOPS(3), NOPS(4), "v_accvgpr_write_b32 a5, 0",
         "mfma.src-c-overwrite", "v_accvgpr_write_b32"),
    /* what they read of others */
    RULE("gfx90a", "v_mov_b32 v4, 0\n", NOPS(0), NOPS(1), "v_mfma_f32_4x4x1f32 a[0:3], v4, v1, a[0:3]",
         "mfma.valu-vgpr", "v_mfma"),
    RULE("gfx90a", CMPX, NOPS(2), NOPS(3), M908, "mfma.valu-exec", "v_mfma"),
    {"gfx908", 64, "v_accvgpr_write_b32 a0, 0\n" M908, "mfma.acc-write", "v_mfma", "s_nop 0", -1},
    {"gfx908", 64, "v_accvgpr_write_b32 a0, 0\ns_nop 0\n" M908, NULL, NULL, NULL, -1},
    RULE("gfx908", "v_accvgpr_write_b32 a0, 0\n", NOPS(1), NOPS(2), "v_accvgpr_read_b32 v4, a0", "mfma.acc-write",
         "v_accvgpr_read_b32"),
    RULE("gfx908", "v_accvgpr_read_b32 v4, a0\n", NOPS(0), NOPS(1), "global_store_dword v[2:3], v4, off",
         "mfma.acc-read-memory", "global_store_dword"),
    RULE("gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[4:5], v[6:7], a[0:1]\n", NOPS(0), NOPS(1),
         "v_fma_f64 v[8:9], v[4:5], v[6:7], v[4:5]", "mfma.f64-fma", "v_fma_f64"),
    RULE("gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[4:5], v[6:7], a[0:1]\n", NOPS(7), NOPS(8),
         "global_store_dword v[2:3], a0, off", "mfma.read", "global_store_dword"),
};

#define PK(OP, MORE) "v_pk_" OP "_f32 v[4:5], v[6:7], v[8:9]" MORE
#define PK_RULE      "gfx950.pk-f32-op-sel", "v_pk_"

static const struct check_case cdna_cases[] = {
    {"gfx90a", 64, "v_mov_b32 v63, 0\nv_lshlrev_b64 v[4:5], v63, v[6:7]", "gfx90a.shift64-last-vgpr", "v_lshlrev_b64",
     "another register", -1},
    {"gfx90a", 64, "v_mov_b32 v55, 0\nv_lshlrev_b64 v[4:5], v55, v[6:7]", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_mov_b32 v63, 0\nv_lshlrev_b32 v4, v63, v6", NULL, NULL, NULL, -1},
    {"gfx942", 64, "v_mov_b32 v63, 0\nv_lshlrev_b64 v[4:5], v63, v[6:7]", NULL, NULL, NULL, -1},
    {"gfx950", 64, PK("fma", ", v[10:11] op_sel:[0,1,0]"), PK_RULE, "exchange the first two", -1},
    {"gfx950", 64, PK("mul", " op_sel:[0,1] op_sel_hi:[1,1]"), PK_RULE, "exchange the first two", -1},
    {"gfx950", 64, PK("add", " op_sel:[0,1] op_sel_hi:[1,0]"), PK_RULE, "exchange the first two", -1},
    {"gfx950", 64, PK("fma", ", v[10:11] op_sel:[1,0,0]"), NULL, NULL, NULL, -1},
    {"gfx950", 64, PK("fma", ", v[10:11] op_sel:[1,1,1]"), NULL, NULL, NULL, -1},
    {"gfx950", 64, PK("fma", ", v[10:11] op_sel:[0,0,1]"), NULL, NULL, NULL, -1},
    {"gfx942", 64, PK("fma", ", v[10:11] op_sel:[0,1,0]"), NULL, NULL, NULL, -1},
    {"gfx950", 64, "v_pk_fma_f32 v[4:5], v[6:7], s[8:9], v[10:11] op_sel:[0,0,1]", PK_RULE, "two instructions", -1, 1,
     false, "upper half of source 2 beside the lower half of source 0"},
    {"gfx950", 64, "v_pk_fma_f32 v[4:5], s[8:9], v[6:7], v[10:11] op_sel:[0,0,1]", PK_RULE, "two instructions", -1, 1,
     false, "upper half of source 2 beside the lower half of source 1"},
    {"gfx950", 64, "v_pk_fma_f32 v[4:5], v[6:7], s[8:9], v[10:11] op_sel:[1,0,1]", NULL, NULL, NULL, -1},
    {"gfx950", 64, "v_pk_mul_f32 v[4:5], v[6:7], s[8:9] op_sel:[0,1]", NULL, NULL, NULL, -1},
    {"gfx908", 64, ".long 0xd3c20000\n.long 0x02020301", "mfma.inline-c", "v_mfma", "write the constant", -1},
    {"gfx908", 64, "v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_mfma_f32_4x4x1f32 a[0:3], v1, v1, 0", NULL, NULL, NULL, -1},
    {"gfx908", 64, "v_mov_b32 v4, 0\nv_accvgpr_write_b32 a1, v9\nglobal_store_dword v[2:3], v4, off",
     "mfma.acc-move-memory", "global_store_dword", "s_nop 0", -1},
    {"gfx908", 64, "v_mov_b32 v4, 0\nv_accvgpr_read_b32 v8, a1\nglobal_store_dword v[2:3], v4, off",
     "mfma.acc-move-memory", "global_store_dword", "s_nop 0", -1},
    {"gfx908", 64, "v_mov_b32 v4, 0\nv_accvgpr_write_b32 a1, v9\ns_nop 0\nglobal_store_dword v[2:3], v4, off", NULL,
     NULL, NULL, -1},
    {"gfx908", 64, "v_mov_b32 v4, 0\ns_nop 0\nv_accvgpr_write_b32 a1, v9\nglobal_store_dword v[2:3], v4, off", NULL,
     NULL, NULL, -1},
    {"gfx90a", 64,
     "v_mov_b32 v40, 0\nv_mfma_f64_4x4x4f64 v[4:5], v[6:7], v[8:9], v[4:5]\n"
     "global_store_dword v[2:3], v40, off",
     "mfma.f64-between", "global_store_dword", "s_nop 0", -1},
    {"gfx90a", 64,
     "v_mov_b32 v40, 0\nv_mfma_f64_4x4x4f64 v[4:5], v[6:7], v[8:9], v[4:5]\ns_nop 0\n"
     "global_store_dword v[2:3], v40, off",
     NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_mov_b32 v40, 0\nv_mov_b32 v41, 0\nglobal_store_dword v[2:3], v40, off", NULL, NULL, NULL, -1},
    {"gfx942", 64,
     "v_mov_b32 v40, 0\nv_mfma_f64_4x4x4_4b_f64 v[4:5], v[6:7], v[8:9], v[4:5]\n"
     "global_store_dword v[2:3], v40, off",
     NULL, NULL, NULL, -1},
};

static void cdna(void **state)
{
    (void)state;
    check_cases(cdna_cases, CHECK_COUNT(cdna_cases));
}

static void states(void **state)
{
    (void)state;
    check_cases(state_cases, CHECK_COUNT(state_cases));
}

static void matrix(void **state)
{
    (void)state;
    check_cases(matrix_cases, CHECK_COUNT(matrix_cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states), cmocka_unit_test(matrix), cmocka_unit_test(cdna)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
