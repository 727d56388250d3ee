/* gcnsim run --check: hazards that RDNA leaves to software, with and without what resolves them. */
#define CHECK_WORDS_FILE "tests/unit/check/words/rdna.inc"
#include "tests/unit/check/check_rig.h"

#define VMEM_SCALAR(MORE) "global_load_dword v4, v1, s[0:1]\n" MORE "s_mov_b32 s0, 0"
#define SMEM_VECTOR(MORE) "s_load_dword s8, s[0:1], 0x0\n" MORE "v_readfirstlane_b32 s0, v1"
#define EXEC_WAR(MORE)    "s_mov_b32 s8, exec_lo\n" MORE "v_cmpx_eq_f32 v1, v1"
#define LDS_BRANCH(MORE)  "ds_write_b32 v1, v1\n" MORE "s_branch 0\nglobal_load_dword v4, v[2:3], off"
#define PERMLANE(MORE)    "v_cmpx_eq_f32 v1, v1\n" MORE "v_permlane16_b32 v4, v5, s8, s9"
#define PERMLANE64(MORE)  "v_cmpx_eq_f32 v1, v1\n" MORE "v_permlane64_b32 v4, v5"
#define TRANS(MORE)       "v_rcp_f32 v4, v1\n" MORE "v_add_f32 v5, v4, v1"
#define MASK(MORE)        "v_cndmask_b32 v4, v1, v1, s[8:9]\ns_mov_b64 s[8:9], 0\n" MORE "v_cndmask_b32 v5, v1, v1, s[8:9]"
#define WMMA(MORE, A)                                                                                                  \
    "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[24:31], v[8:15]\n" MORE "v_wmma_f32_16x16x16_f16 v[32:39], " A       \
    ", v[24:31], v[32:39]"
#define WMMA12(MORE, AB)                                                                                               \
    "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[20:23], v[8:15]\n" MORE "v_wmma_f32_16x16x16_f16 v[32:39], " AB      \
    ", v[32:39]"
#define SWMMAC12(MORE, INDEX)                                                                                          \
    "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[20:23], v[8:15]\n" MORE                                              \
    "v_swmmac_f32_16x16x32_f16 v[32:39], v[16:19], v[20:27], " INDEX
#define CALL "s_call_b64 s[20:21], 0\n"
#define V5   "v_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\n"

#define MASK_KEY              "rdna3.mask-write", "v_mov_b32", "s_waitcnt_depctr 0xfffe", -1
#define BY_VALU(MORE, READER) "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_cmp_gt_u32 s[8:9], 5, v0\n" MORE READER
#define BY_VCC(MORE)          "v_cndmask_b32 v4, v1, v1, vcc\nv_cmp_gt_u32 vcc, 5, v0\n" MORE "v_cndmask_b32 v5, v1, v1, vcc"
#define NSA6                  "image_sample_d v[8:11], [v4, v5, v6, v7, v8, v9], s[8:15], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
#define NSA3                  "image_sample v[8:11], [v4, v6, v8], s[8:15], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D\n"
#define LDS3                  "ds_write_b32 v1, v1\nds_write_b32 v1, v1 offset:4\nds_write_b32 v1, v1 offset:8\n"

/* instructions that RDNA1 runs wrongly whatever comes before */
static const struct check_case rdna1_bug_cases[] = {
    {"gfx1010", 32, "s_inst_prefetch 0x1", "rdna1.inst-prefetch", "s_inst_prefetch", "leave it out", -1},
    {"gfx1030", 32, "s_inst_prefetch 0x1", NULL, NULL, NULL, -1},
    {"gfx1010", 32, "flat_load_dword v4, v[2:3] offset:4", "rdna1.flat-offset", "flat_load_dword", "add the offset",
     -1},
    {"gfx1010", 32, "flat_load_dword v4, v[2:3]\nglobal_load_dword v5, v[2:3], off offset:4", NULL, NULL, NULL, -1},
    {"gfx1030", 32, "flat_load_dword v4, v[2:3] offset:4", NULL, NULL, NULL, -1},
    {"gfx1010", 32, "scratch_load_dword v4, v1, off offset:-1", "scratch-negative-offset", "scratch_load_dword",
     "add the offset", -1, 1, true},
    {"gfx1010", 32, "scratch_load_dword v4, v1, off offset:-4", NULL, NULL, NULL, -1, 1, true},
    {"gfx1030", 32, "scratch_load_dword v4, v1, off offset:-1", NULL, NULL, NULL, -1, 1, true},
    {"gfx900", 64, "scratch_load_dword v4, off, s8 offset:-4", "scratch-negative-offset", "scratch_load_dword",
     "add the offset", -1, 1, true},
    {"gfx900", 64, "scratch_load_dword v4, v1, off offset:-4", NULL, NULL, NULL, -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v1, -8\nscratch_load_b32 v4, v1, off offset:12", "scratch-negative-base",
     "scratch_load_b32", "add the offset", 0, 1, false, "negative offset in a VGPR"},
    {"gfx1100", 32, "s_mov_b32 exec_lo, 4\nv_mov_b32 v1, -8\nscratch_load_b32 v4, v1, off offset:12",
     "scratch-negative-base", "scratch_load_b32", "add the offset", 2},
    {"gfx1100", 32, "v_mov_b32 v1, 8\nscratch_load_b32 v4, v1, off offset:-4", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "s_movk_i32 s8, 0xfff8\nscratch_load_b32 v4, off, s8 offset:12", "scratch-negative-base",
     "scratch_load_b32", "add the offset", 0, 1, false, "negative offset in an SGPR"},
    {"gfx1100", 32,
     "s_movk_i32 s8, 0xfff8\nv_mov_b32 v1, -8\ns_mov_b32 exec_lo, 0\nscratch_load_b32 v4, v1, s8 offset:12", NULL, NULL,
     NULL, -1},
    {"gfx942", 64, "v_mov_b32 v1, -8\ns_nop 0\nscratch_load_dword v4, v1, off offset:12", "scratch-negative-base",
     "scratch_load_dword", "add the offset", 0},
    {"gfx1201", 32, "v_mov_b32 v1, -8\nscratch_load_b32 v4, v1, off offset:12", NULL, NULL, NULL, -1},
    /* an offset in a VGPR that the wave does not have */
    {"gfx1100", 32, "scratch_load_b32 v4, v255, off", "undefined.vgpr", "scratch_load_b32", "write v255", 0, 1, true,
     "reads v255"},
    {"gfx1010", 32, LDS3 "ds_read_b64 v[4:5], v1 offset:4", "rdna1.lds-misaligned", "ds_read_b64", "in dwords", 0, 1,
     false, "LDS byte 0x4", true},
    {"gfx1010", 32, LDS3 "ds_read_b64 v[4:5], v1 offset:4", NULL, NULL, NULL, -1},
    {"gfx1010", 32, LDS3 "ds_read_b64 v[4:5], v1", NULL, NULL, NULL, -1, 1, false, NULL, true},
    {"gfx1010", 32, LDS3 "ds_read2_b32 v[4:5], v1 offset0:1 offset1:2", NULL, NULL, NULL, -1, 1, false, NULL, true},
    {"gfx1010", 32, LDS3 "ds_write_b32 v1, v1 offset:12\nds_read_b64 v[4:5], v1 offset:8", NULL, NULL, NULL, -1, 1,
     false, NULL, true},
    {"gfx1010", 32,
     LDS3 "ds_write_b64 v1, v[4:5] offset:16\nds_write_b32 v1, v1 offset:12\nds_read_b128 v[4:7], v1 offset:8",
     "rdna1.lds-misaligned", "ds_read_b128", "in dwords", 0, 1, false, "a multiple of 16", true},
    {"gfx1030", 32, LDS3 "ds_read_b64 v[4:5], v1 offset:4", NULL, NULL, NULL, -1, 1, false, NULL, true},
    {"gfx1010", 32, NSA6 "buffer_load_dword v4, off, s[12:15], s8 offset:4", "rdna1.nsa-vmem", "image_sample_d",
     "s_nop 0 behind it", -1, 1, true},
    {"gfx1010", 32, NSA6 "buffer_load_dword v4, off, s[12:15], s8 offset:8", NULL, NULL, NULL, -1, 1, true},
    {"gfx1010", 32, NSA6 "s_nop 0\nbuffer_load_dword v4, off, s[12:15], s8 offset:4", NULL, NULL, NULL, -1, 1, true},
    {"gfx1010", 32, NSA3 "buffer_load_dword v4, off, s[12:15], s8 offset:4", NULL, NULL, NULL, -1, 1, true},
    {"gfx1030", 32, NSA6 "buffer_load_dword v4, off, s[12:15], s8 offset:4", NULL, NULL, NULL, -1, 1, true},
    {"gfx1010", 32, "s_clause 0x1\n" NSA3, "rdna1.nsa-clause", "image_sample", "leave it out of the s_clause", -1, 1,
     true},
    {"gfx1010", 32, "s_clause 0x1\nglobal_load_dword v20, v[2:3], off\n" NSA3, "rdna1.nsa-clause", "image_sample",
     "leave it out of the s_clause", -1, 1, true},
    {"gfx1010", 32, "s_clause 0x0\nglobal_load_dword v20, v[2:3], off\n" NSA3, NULL, NULL, NULL, -1, 1, true},
    {"gfx1010", 32, "s_clause 0x1\nimage_sample v[8:11], v[4:6], s[8:15], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D", NULL,
     NULL, NULL, -1, 1, true},
};

static const struct check_case rdna1_cases[] = {
    {"gfx1010", 32, VMEM_SCALAR(""), "rdna1.vmem-scalar-write", "s_mov_b32", "s_waitcnt_depctr 0xffe3", -1},
    {"gfx1010", 32, VMEM_SCALAR("s_waitcnt_depctr 0xffe3\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, VMEM_SCALAR("v_mov_b32 v5, 0\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, VMEM_SCALAR("s_nop 7\n"), "rdna1.vmem-scalar-write", "s_mov_b32", "s_waitcnt_depctr 0xffe3", -1},
    {"gfx1030", 32, VMEM_SCALAR(""), NULL, NULL, NULL, -1},
    {"gfx1010", 32, "ds_write_b32 v1, v1\ns_mov_b32 exec_lo, -1", "rdna1.vmem-scalar-write", "s_mov_b32", "0xffe3", -1},
    {"gfx1010", 32, SMEM_VECTOR(""), "rdna1.smem-vector-write", "v_readfirstlane_b32", "s_mov_b32 null, 0", -1},
    {"gfx1010", 32, SMEM_VECTOR("s_mov_b32 null, 0\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, SMEM_VECTOR("s_waitcnt lgkmcnt(0)\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, SMEM_VECTOR("s_nop 0\n"), "rdna1.smem-vector-write", "v_readfirstlane_b32", "s_mov_b32 null, 0",
     -1},
    {"gfx1030", 32, SMEM_VECTOR(""), NULL, NULL, NULL, -1},
    {"gfx1010", 32, EXEC_WAR(""), "rdna1.cmpx-exec-war", "v_cmpx_eq_f32", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1010", 32, EXEC_WAR("s_waitcnt_depctr 0xfffe\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, EXEC_WAR("v_readfirstlane_b32 s9, v1\n"), NULL, NULL, NULL, -1},
    {"gfx1030", 32, EXEC_WAR(""), NULL, NULL, NULL, -1},
    {"gfx1010", 32, LDS_BRANCH(""), "rdna1.lds-branch-vmem", "global_load_dword", "s_waitcnt_vscnt null, 0x0", -1},
    {"gfx1010", 32, LDS_BRANCH("s_waitcnt_vscnt null, 0x0\n"), NULL, NULL, NULL, -1},
    /* a flat store before the branch; LLVM 22 puts no wait, LLVM 19 does */
    {"gfx1010", 32, "ds_write_b32 v1, v1\nflat_store_dword v[2:3], v4\ns_branch 0\nglobal_load_dword v5, v[2:3], off",
     NULL, NULL, NULL, -1},
    {"gfx1010", 32, "flat_store_dword v[2:3], v4\nds_write_b32 v1, v1\ns_branch 0\nglobal_load_dword v5, v[2:3], off",
     "rdna1.lds-branch-vmem", "global_load_dword", "s_waitcnt_vscnt null, 0x0", -1},
    {"gfx1010", 32,
     "ds_write_b32 v1, v1\nglobal_load_dword v4, v[2:3], off\ns_branch 0\nglobal_load_dword v5, v[2:3], off", NULL,
     NULL, NULL, -1},
    {"gfx1030", 32, LDS_BRANCH(""), NULL, NULL, NULL, -1},
    /* flat instructions are neither */
    {"gfx1010", 32, "ds_write_b32 v1, v1\ns_branch 0\nflat_load_dword v4, v[2:3]", NULL, NULL, NULL, -1},
    {"gfx1010", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 63", "rdna1.branch-3f", "s_cbranch_scc1", "s_nop 0", -1},
    {"gfx1010", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 62", NULL, NULL, NULL, -1},
    {"gfx1030", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 63", NULL, NULL, NULL, -1},
    {"gfx1010", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1010", 32, PERMLANE("v_mov_b32 v6, v6\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, PERMLANE("v_nop\n"), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1030", 32, PERMLANE(""), NULL, NULL, NULL, -1},
};

#define RCP_HIGH(BETWEEN) "v_mov_b32 v5, 0\n.long 0x7f0aa901\n" BETWEEN ".long 0x640d0b05"
static const struct check_case rdna3_cases[] = {
    {"gfx1100", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE("v_mov_b32 v6, v6\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, PERMLANE64(""), "rdna.cmpx-permlane", "v_permlane64_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE64(""), "rdna.cmpx-permlane", "v_permlane64_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE64("v_mov_b32 v6, v6\n"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, "v_cmpx_eq_f32 v1, v1\nv_permlane16_var_b32 v4, v5, v6", "rdna.cmpx-permlane",
     "v_permlane16_var_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, "v_cmpx_eq_f32 v1, v1\nv_readfirstlane_b32 s8, v5", NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS(""), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS("s_waitcnt_depctr 0xfff\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS(V5), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS(V5 "v_mov_b32 v6, 0\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS("v_rcp_f32 v6, v1\n"), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS("v_rcp_f32 v6, v1\nv_rcp_f32 v7, v1\n"), NULL, NULL, NULL, -1},
    /* v_rcp_f16 v5.h, v1.l, and v_add_f16 of v5.l alone or with v5.h; LLVM 19 does not assemble them */
    {"gfx1100", 32, RCP_HIGH(""), "rdna3.trans-use", "v_add_f16", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, "v_mov_b32 v5, 0\n.long 0x7f0aa901\n.long 0x640c0b05", NULL, NULL, NULL, -1},
    {"gfx1100", 32, RCP_HIGH(".long 0x7e0a3880\n"), "rdna3.trans-use", "v_add_f16", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, RCP_HIGH(".long 0x7f0a3880\n"), NULL, NULL, NULL, -1}, /* v_mov_b16 v5.h, 0 */
    {"gfx1150", 32, TRANS(""), NULL, NULL, NULL, -1},
    {"gfx1100", 64, MASK(""), "rdna3.mask-write", "v_cndmask_b32", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1100", 64, MASK("s_waitcnt_depctr 0xfffe\n"), NULL, NULL, NULL, -1},
    {"gfx1150", 64, MASK(""), "rdna3.mask-write", "v_cndmask_b32", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1201", 64, MASK(""), NULL, NULL, NULL, -1},
    /* a vector instruction with another scalar operand comes between the mask and the write */
    {"gfx1100", 64,
     "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_mov_b32 v6, s10\ns_mov_b64 s[8:9], 0\nv_cndmask_b32 v5, v1, v1, s[8:9]", NULL,
     NULL, NULL, -1},
    /* one without scalar operands does not keep it from happening */
    {"gfx1100", 64, "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_mov_b32 v6, v1\ns_mov_b64 s[8:9], 0\nv_mov_b32 v5, s8",
     MASK_KEY},
    /* a vector instruction that writes it: for other vector instructions alone */
    {"gfx1100", 64, BY_VALU("", "v_cndmask_b32 v5, v1, v1, s[8:9]"), "rdna3.mask-write-by-valu", "v_cndmask_b32",
     "s_waitcnt_depctr 0xf1ff", -1, 1, false, "until a vector instruction wrote it"},
    {"gfx1150", 64, BY_VALU("", "v_mov_b32 v5, s9"), "rdna3.mask-write-by-valu", "v_mov_b32",
     "s_waitcnt_depctr 0xf1ff after the write; LLVM 21 and later know all cases (llvm-project 138663)", -1},
    {"gfx1100", 32, "v_cndmask_b32 v4, v1, v1, s8\nv_cmp_gt_u32 s8, 5, v0\nv_mov_b32 v5, s8", NULL, NULL, NULL, -1},
    {"gfx1201", 64, BY_VALU("", "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VALU("s_waitcnt_depctr 0xf1ff\n", "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VALU("s_waitcnt_depctr 0xf19f\n", "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VALU("s_waitcnt_depctr 0xfffd\n", "v_mov_b32 v5, s9"), "rdna3.mask-write-by-valu", "v_mov_b32",
     "s_waitcnt_depctr 0xf1ff", -1},
    {"gfx1100", 64, BY_VALU("s_waitcnt_depctr 0xfffe\n", "v_mov_b32 v5, s9"), "rdna3.mask-write-by-valu", "v_mov_b32",
     "s_waitcnt_depctr 0xf1ff", -1},
    {"gfx1100", 64, BY_VALU("s_load_b32 s11, s[0:1], 0x0\n", "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VALU("", "s_mov_b32 s10, s9\nv_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VALU("v_mov_b32 v6, s10\n", "v_mov_b32 v5, s9"), "rdna3.mask-write-by-valu", "v_mov_b32",
     "s_waitcnt_depctr 0xf1ff", -1},
    {"gfx1100", 64, "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_mov_b32 v6, s10\nv_cmp_gt_u32 s[8:9], 5, v0\nv_mov_b32 v5, s9",
     NULL, NULL, NULL, -1},
    {"gfx1100", 64, "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_readfirstlane_b32 s9, v0\nv_mov_b32 v5, s9",
     "rdna3.mask-write-by-valu", "v_mov_b32", "s_waitcnt_depctr 0xf1ff", -1},
    {"gfx1100", 64, BY_VALU(CALL, "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VCC(""), "rdna3.mask-write-by-valu", "v_cndmask_b32", "s_waitcnt_depctr 0xfffd", -1},
    {"gfx1100", 64, BY_VCC("s_waitcnt_depctr 0xfffd\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, BY_VCC("s_waitcnt_depctr 0xf1ff\n"), "rdna3.mask-write-by-valu", "v_cndmask_b32",
     "s_waitcnt_depctr 0xfffd", -1},
    /* no hazard is looked for across calls, as in LLVM (a kernel of clang 19: mask in the callee, writes and reads in
     * the caller); half of the mask suffices otherwise */
    {"gfx1100", 64, "v_cndmask_b32 v4, v1, v1, s[8:9]\ns_mov_b32 s9, 0\ns_ctz_i32_b64 s10, s[8:9]", "rdna3.mask-write",
     "s_ctz_i32_b64", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1100", 64, "v_cndmask_b32 v4, v1, v1, s[8:9]\n" CALL "s_mov_b32 s9, 0\ns_ctz_i32_b64 s10, s[8:9]", NULL, NULL,
     NULL, -1},
    {"gfx1100", 64, MASK(CALL), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS(CALL), NULL, NULL, NULL, -1},
    {"gfx1100", 32, PERMLANE(CALL), NULL, NULL, NULL, -1},
    {"gfx1100", 32, WMMA(CALL, "v[8:15]"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, WMMA("", "v[8:15]"), "rdna.wmma-ab", "v_wmma", "v_nop", -1},
    {"gfx1100", 32, WMMA("v_nop\n", "v[8:15]"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, WMMA("s_mov_b32 s10, 0\ns_nop 0\n", "v[8:15]"), "rdna.wmma-ab", "v_wmma", "v_nop", -1},
    {"gfx1100", 32, WMMA("", "v[16:23]"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, WMMA12("", "v[16:19], v[12:15]"), "rdna.wmma-ab", "v_wmma", "v_nop", -1},
    {"gfx1201", 32, WMMA12("v_nop\n", "v[16:19], v[12:15]"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, WMMA12("", "v[16:19], v[20:23]"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, SWMMAC12("", "v12"), "rdna.wmma-ab", "v_swmmac", "v_nop", -1},
    {"gfx1201", 32, SWMMAC12("v_nop\n", "v12"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, SWMMAC12("", "v6"), NULL, NULL, NULL, -1},
};

#define NOP1         "v_nop\n"
#define NOP3         NOP1 NOP1 NOP1
#define NOP4         NOP3 NOP1
#define WIDE(MORE)   "v_wmma_f32_16x16x32_f16 v[8:15], v[16:23], v[24:31], v[8:15]\n" MORE
#define THEN(A)      "v_wmma_f32_16x16x32_f16 v[32:39], " A ", v[24:31], v[32:39]"
#define I8(MORE)     "v_wmma_i32_16x16x64_iu8 v[8:15], v[16:23], v[24:31], v[8:15]\n" MORE
#define SPARSE(MORE) "v_swmmac_f32_16x16x64_f16 v[8:15], v[16:23], v[24:39], v40\n" MORE
#define F32(MORE)                                                                                                      \
    "v_wmma_f32_16x16x4_f32 v[8:15], v[16:17], v[24:25], v[8:15]\n" MORE                                               \
    "v_wmma_f32_16x16x4_f32 v[32:39], v[8:9], v[24:25], v[32:39]"
#define MX(OPERANDS, MORE) "v_wmma_f32_16x16x128_f8f6f4 v[8:15], " OPERANDS "\n" MORE
#define MX8                "v[16:31], v[32:43], v[8:15] matrix_b_fmt:MATRIX_FMT_FP6"
#define MX6                "v[16:27], v[32:43], v[8:15] matrix_a_fmt:MATRIX_FMT_FP6 matrix_b_fmt:MATRIX_FMT_FP6"
#define SUM                "v_add_f32 v41, v8, v1"
#define BESIDE(TEXT, AT, FIX)                                                                                          \
    {                                                                                                                  \
        "gfx1250", 32, TEXT, "gfx1250.wmma-beside", AT, FIX, -1                                                        \
    }
#define FREE(TEXT)                                                                                                     \
    {                                                                                                                  \
        "gfx1250", 32, TEXT, NULL, NULL, NULL, -1                                                                      \
    }

/* The numbers are those of v_nop that clang 22 puts there. */
static const struct check_case beside_cases[] = {
    BESIDE(WIDE(SUM), "v_add_f32", "4 v_nop before it"),
    BESIDE(WIDE(NOP3 SUM), "v_add_f32", "1 v_nop before it"),
    FREE(WIDE(NOP4 SUM)),
    FREE(WIDE("s_nop 3\nv_add_f32 v41, v16, v1")),
    BESIDE(WIDE(NOP3 "v_mov_b32 v12, 0"), "v_mov_b32", "1 v_nop before it"),
    BESIDE(WIDE(NOP3 "v_mov_b32 v23, 0"), "v_mov_b32", "1 v_nop before it"),
    FREE(WIDE("v_dual_mov_b32 v42, v1 :: v_dual_mov_b32 v25, v1")),
    BESIDE(WIDE("v_dual_mov_b32 v42, v1 :: v_dual_mov_b32 v45, v8"), "v_dual_mov_b32", "4 v_nop before it"),
    FREE(WIDE(NOP4 "v_mov_b32 v24, 0")),
    FREE(WIDE("v_rcp_f32 v41, v8")),
    BESIDE(WIDE(NOP4 THEN("v[8:15]")), "v_wmma", "1 v_nop before it"),
    FREE(WIDE(NOP4 NOP1 THEN("v[8:15]"))),
    FREE(WIDE("v_wmma_f32_16x16x32_f16 v[8:15], v[16:23], v[24:31], v[8:15]")),
    BESIDE(I8(NOP4 NOP3 "v_add_nc_u32 v41, v8, v1"), "v_add_nc_u32", "1 v_nop before it"),
    FREE(I8(NOP4 NOP4 "v_add_nc_u32 v41, v8, v1")),
    BESIDE(SPARSE(NOP1 SUM), "v_add_f32", "1 v_nop before it"),
    BESIDE(SPARSE(NOP1 "v_mov_b32 v40, 0"), "v_mov_b32", "1 v_nop before it"),
    FREE(SPARSE(NOP1 NOP1 SUM)),
    BESIDE(MX(MX8, NOP4 NOP3 SUM), "v_add_f32", "1 v_nop before it"),
    FREE(MX(MX8, NOP4 NOP4 SUM)),
    BESIDE(MX(MX6, NOP3 SUM), "v_add_f32", "1 v_nop before it"),
    FREE(MX(MX6, NOP4 SUM)),
    {"gfx1250", 32, F32(""), "rdna.wmma-ab", "v_wmma", "v_nop", -1},
    FREE(F32(NOP1)),
    FREE("v_wmma_f32_16x16x4_f32 v[8:15], v[16:17], v[24:25], v[8:15]\n" SUM),
    FREE(WIDE(CALL SUM)),
    {"gfx1250", 32, "v_exp_f32 v4, v5\nv_add_f32 v6, v4, v7", "gfx1250.trans-beside", "v_add_f32", "v_nop", -1,
     .says = "reads v4"},
    {"gfx1250", 32, "v_exp_f32 v4, v5\ns_nop 0\nv_mov_b32 v5, 0", "gfx1250.trans-beside", "v_mov_b32", "v_nop", -1,
     .says = "writes v5"},
    FREE("v_exp_f32 v4, v5\nv_mov_b32 v4, 0"),
    FREE("v_exp_f32 v4, v5\nv_dual_mov_b32 v5, v1 :: v_dual_mov_b32 v6, v1"),
    {"gfx1250", 32, "v_exp_f32 v4, v5\nv_dual_mov_b32 v7, v1 :: v_dual_mov_b32 v6, v4", "gfx1250.trans-beside",
     "v_dual_mov_b32", "v_nop", -1, .says = "reads v4"},
    FREE("v_exp_f32 v4, v5\nv_exp_f32 v6, v4"),
    FREE("v_exp_f32 v4, v5\n" NOP1 "v_add_f32 v6, v4, v7"),
    FREE("v_exp_f32 v4, v5\n" CALL "v_add_f32 v6, v4, v7"),
    {"gfx1200", 32, "v_exp_f32 v4, v5\nv_add_f32 v6, v4, v7", NULL, NULL, NULL, -1},
};

/* PARTIAL(between write and EXEC, between EXEC and write, after) */
#define PARTIAL(A, B, C)    "v_mov_b32 v4, 0\n" A "s_mov_b64 exec, -1\n" B "v_mov_b32 v5, 0\n" C "v_add_f32 v7, v4, v5"
#define V1                  "v_mov_b32 v6, 0\n"
#define S1                  "s_mov_b32 s20, 0\n"
#define S9                  S1 S1 S1 S1 S1 S1 S1 S1 S1
#define REWRITE(MORE, LAST) "s_wait_alu 0xffff\nv_mov_b32 v4, s8\ns_mov_b32 s8, 0\n" MORE LAST
#define PAIR(LAST)          "s_wait_alu 0xffff\nv_lshlrev_b64 v[4:5], 1, s[8:9]\n" LAST
#define MAD64               "v_mad_u64_u32 v[4:5], s8, v4, v1, v[6:7]"

#define FORWARD_BRANCH(LANES)                                                                                          \
    "s_mov_b64 s[8:9], " LANES "\nv_mov_b32 v3, 0\ns_branch 4\n"                                                       \
    "s_or_b64 exec, exec, s[2:3]\nv_mul_hi_u32 v5, v4, v3\ns_branch 5\n"                                               \
    "v_mov_b32 v4, v11\ns_and_saveexec_b64 s[2:3], s[8:9]\ns_cbranch_execz 65529\nv_mov_b32 v4, v11\ns_branch 65527\n" \
    "s_nop 0"

#define VALU_WRITES(MORE, READER) "s_wait_alu 0xffff\nv_mov_b32 v4, s9\nv_readfirstlane_b32 s8, v1\n" MORE READER
#define VALU_WRITES_VCC(MORE)                                                                                          \
    "s_wait_alu 0xffff\nv_cndmask_b32 v4, v1, v2, vcc_lo\nv_cmp_eq_u32 vcc_lo, v1, v2\n" MORE                          \
    "v_cndmask_b32 v5, v1, v2, vcc_lo"

static const struct check_case forward_cases[] = {
    {"gfx1100", 64, PARTIAL("", "", ""), "rdna3.partial-forwarding", "v_add_f32", "s_waitcnt_depctr 0xfff", -1, 1,
     false, "reads v4"},
    {"gfx1150", 64, PARTIAL("", "", ""), "rdna3.partial-forwarding", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, "v_mov_b32 v4, 0\ns_mov_b32 exec_lo, -1\nv_mov_b32 v5, 0\nv_add_f32 v7, v4, v5", NULL, NULL, NULL,
     -1},
    {"gfx1201", 64, PARTIAL("", "", ""), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL("", "", "s_waitcnt_depctr 0xfff\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL("", "", "global_load_b32 v20, v[2:3], off\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL("", "", CALL), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL(V1, V1, ""), "rdna3.partial-forwarding", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 64, PARTIAL(V1 V1, V1, ""), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL(V1, V1 V1, ""), NULL, NULL, NULL, -1},
    {"gfx1100", 64, PARTIAL("", "", V1 V1 V1 V1), "rdna3.partial-forwarding", "v_add_f32", "s_waitcnt_depctr 0xfff",
     -1},
    {"gfx1100", 64, PARTIAL("", "", V1 V1 V1 V1 V1), NULL, NULL, NULL, -1},
    {"gfx1100", 64, "v_mov_b32 v4, 0\ns_mov_b64 exec, -1\nv_mov_b32 v5, 0\nv_add_f32 v7, v5, v5", NULL, NULL, NULL, -1},
    /* a loop's first turn, in which a branch writes v4 again (LLVM 22 waits there, LLVM 19 does not); the branch
       skipped */
    {"gfx1100", 64, FORWARD_BRANCH("-1"), "rdna3.partial-forwarding", "v_mul_hi_u32", "s_waitcnt_depctr 0xfff", -1, 1,
     false, "reads v3"},
    {"gfx1100", 64, FORWARD_BRANCH("0"), NULL, NULL, NULL, -1},
    /* both before it, both after it */
    {"gfx1100", 64, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_mov_b64 exec, -1\nv_add_f32 v7, v4, v5", NULL, NULL, NULL, -1},
    {"gfx1100", 64, "s_mov_b64 exec, -1\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_add_f32 v7, v4, v5", NULL, NULL, NULL, -1},

    {"gfx1100", 32, "v_mov_b32 v6, v5\n" V1 V1 "lds_direct_load v5 wait_vdst:15", "rdna.lds-direct-valu",
     "lds_direct_load", "wait_vdst:2", -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v6, v5\n" V1 V1 "lds_direct_load v5 wait_vdst:3", "rdna.lds-direct-valu",
     "lds_direct_load", "wait_vdst:2", -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v6, v5\n" V1 V1 "lds_direct_load v5 wait_vdst:2", NULL, NULL, NULL, -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v5, v6\nlds_direct_load v5 wait_vdst:1", "rdna.lds-direct-valu", "lds_direct_load",
     "wait_vdst:0", -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v6, v5\nv_rcp_f32 v7, v1\n" V1 "lds_direct_load v5 wait_vdst:2", "rdna.lds-direct-valu",
     "lds_direct_load", "wait_vdst:0", -1, 1, true},
    {"gfx1100", 32, "v_mov_b32 v6, v5\nglobal_load_b32 v20, v[2:3], off\nlds_direct_load v5 wait_vdst:15", NULL, NULL,
     NULL, -1, 1, true},
    {"gfx1201", 32, "v_mov_b32 v6, v5\n" V1 "ds_direct_load v5 wait_va_vdst:15 wait_vm_vsrc:1", "rdna.lds-direct-valu",
     "ds_direct_load", "wait_vdst:1", -1, 1, true},
    {"gfx1201", 32, "v_mov_b32 v6, v5\n" V1 "ds_direct_load v5 wait_va_vdst:1 wait_vm_vsrc:1", NULL, NULL, NULL, -1, 1,
     true},
    {"gfx1100", 32, "ds_store_b32 v1, v5\nlds_direct_load v5 wait_vdst:15", "rdna.lds-direct-vmem", "lds_direct_load",
     "s_waitcnt_depctr 0xffe3", -1, 1, true},
    {"gfx1100", 32, "ds_store_b32 v1, v5\ns_waitcnt_depctr 0xffe3\nlds_direct_load v5 wait_vdst:15", NULL, NULL, NULL,
     -1, 1, true},
    {"gfx1100", 32, "ds_store_b32 v1, v5\n" V1 "lds_direct_load v5 wait_vdst:15", NULL, NULL, NULL, -1, 1, true},
    {"gfx1201", 32, "ds_store_b32 v1, v5\nds_direct_load v5 wait_va_vdst:15 wait_vm_vsrc:1", "rdna.lds-direct-vmem",
     "ds_direct_load", "wait_vm_vsrc:0", -1, 1, true},
    {"gfx1201", 32, "ds_store_b32 v1, v5\nds_direct_load v5 wait_va_vdst:15 wait_vm_vsrc:0", NULL, NULL, NULL, -1, 1,
     true},

    {"gfx1201", 32, REWRITE("", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32", "s_wait_alu 0xfffe", -1},
    {"gfx1201", 32, REWRITE("s_wait_alu 0xfffe\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, REWRITE(S9 S1, "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32", "s_wait_alu 0xfffe", -1},
    {"gfx1201", 32, REWRITE(S9 S1 S1, "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, REWRITE(S9, "s_mov_b32 s9, s8"), "rdna4.valu-read-sgpr", "s_mov_b32", "s_wait_alu 0xfffe", -1},
    {"gfx1201", 32, REWRITE(S9 S1, "s_mov_b32 s9, s8"), NULL, NULL, NULL, -1},
    /* comparisons count among the scalar instructions, s_nop does not */
    {"gfx1201", 32, REWRITE(S9 "s_cmp_eq_u32 s20, 0\ns_cmp_eq_u32 s20, 0\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, REWRITE(S9 "s_nop 0\ns_nop 0\n", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32",
     "s_wait_alu 0xfffe", -1},
    /* a pair is read, one half of it is written, and each half read; or both by one instruction */
    {"gfx1201", 32, PAIR("s_mov_b32 s9, 0\nv_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, PAIR("s_mov_b32 s8, 0\nv_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, PAIR("s_mov_b32 s9, 0\nv_mov_b32 v5, s9"), "rdna4.valu-read-sgpr", "v_mov_b32", "s_wait_alu 0xfffe",
     -1, 1, false, "reads s9, which"},
    {"gfx1201", 32, PAIR("s_mov_b32 s9, 0\nv_lshlrev_b64 v[6:7], 1, s[8:9]"), "rdna4.valu-read-sgpr", "v_lshlrev_b64",
     "s_wait_alu 0xfffe", -1, 1, false, "reads s9, which"},
    {"gfx1201", 32, PAIR("s_mov_b64 s[8:9], 0\nv_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32",
     "s_wait_alu 0xfffe", -1, 1, false, "reads s8, which"},
    {"gfx1201", 32, PAIR("s_mov_b64 s[8:9], 0\ns_wait_alu 0xfffe\nv_lshlrev_b64 v[6:7], 1, s[8:9]"), NULL, NULL, NULL,
     -1},
    {"gfx1201", 32, PAIR("s_mov_b32 s9, 0\ns_mov_b32 s10, s8"), NULL, NULL, NULL, -1},
    /* memory waits; a vector instruction that writes the register is no wait, but VCC is then its own */
    {"gfx1201", 32, REWRITE("global_load_b32 v20, v[2:3], off\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, REWRITE("s_load_b32 s21, s[0:1], 0x0\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, REWRITE("v_mov_b32 v3, 0\nds_store_b32 v3, v3\n", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr",
     "v_mov_b32", "s_wait_alu 0xfffe", -1},
    {"gfx1201", 32, REWRITE("v_readfirstlane_b32 s8, v1\n", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32",
     "s_wait_alu 0xf1ff", -1},
    {"gfx1201", 32, REWRITE("v_readfirstlane_b32 s8, v1\n", "v_mov_b32 v5, s9"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, "s_wait_alu 0xffff\nv_cndmask_b32 v4, v1, v2, vcc_lo\ns_mov_b32 vcc_lo, 0\nv_mov_b32 v5, vcc_lo",
     "rdna4.valu-read-sgpr", "v_mov_b32", "s_wait_alu 0xfffe", -1, 1, false, "reads vcc_lo, which"},
    {"gfx1201", 32,
     "s_wait_alu 0xffff\nv_cndmask_b32 v4, v1, v2, vcc_lo\ns_mov_b32 vcc_lo, 0\nv_cmp_eq_u32 vcc_lo, v1, v2\n"
     "s_wait_alu 0xfffd\nv_mov_b32 v5, vcc_lo",
     NULL, NULL, NULL, -1},
    /* the other one of the pair; one that nothing read before; code that knows no s_wait_alu; RDNA3 */
    {"gfx1201", 32, "s_wait_alu 0xffff\nv_mov_b32 v4, s8\ns_mov_b32 s9, 0\nv_mov_b32 v5, s9", "rdna4.valu-read-sgpr",
     "v_mov_b32", "s_wait_alu 0xfffe", -1, 1, false, "reads s9, which"},
    {"gfx1201", 32, "s_wait_alu 0xffff\nv_mov_b32 v4, s10\ns_mov_b32 s8, 0\nv_mov_b32 v5, s8", NULL, NULL, NULL, -1},
    {"gfx1201", 64, "v_mov_b32 v4, s8\ns_mov_b32 s8, 0\nv_mov_b32 v5, s8", NULL, NULL, NULL, -1,
     .left_out = "rdna4.valu-read-sgpr was not applied: the code has no s_wait_alu"},
    {"gfx1201", 64, "s_wait_alu 0xffff\nv_mov_b32 v4, s8", NULL, NULL, NULL, -1, .left_out = ""},
    {"gfx1250", 32, "v_mov_b32 v4, s8\ns_mov_b32 s8, 0\nv_mov_b32 v5, s8\ns_wait_alu 0xffff", NULL, NULL, NULL, -1,
     .left_out = ""},
    {"gfx1100", 64, "v_mov_b32 v4, s8", NULL, NULL, NULL, -1, .left_out = ""},
    /* written by a vector instruction: scalar ones that read any wait for it, those of VCC have a field of their own */
    {"gfx1201", 32, VALU_WRITES("", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32", "s_wait_alu 0xf1ff", -1,
     1, false, "reads s8, which a vector instruction has written"},
    {"gfx1201", 32, VALU_WRITES("s_wait_alu 0xf1ff\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, VALU_WRITES("s_wait_alu 0xfffc\n", "v_mov_b32 v5, s8"), "rdna4.valu-read-sgpr", "v_mov_b32",
     "s_wait_alu 0xf1ff", -1},
    {"gfx1201", 32, VALU_WRITES("s_mov_b32 s20, s10\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, VALU_WRITES("s_load_b32 s21, s[0:1], 0x0\n", "v_mov_b32 v5, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, VALU_WRITES("", "s_mov_b32 s20, s8"), NULL, NULL, NULL, -1},
    {"gfx1201", 32, "s_wait_alu 0xffff\nv_readfirstlane_b32 s8, v1\nv_mov_b32 v5, s8", NULL, NULL, NULL, -1},
    {"gfx1201", 32, VALU_WRITES_VCC(""), "rdna4.valu-read-sgpr", "v_cndmask_b32", "s_wait_alu 0xfffd", -1},
    {"gfx1201", 32, VALU_WRITES_VCC("s_wait_alu 0xfffd\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_mov_b32 v4, s8\ns_mov_b32 s8, 0\nv_mov_b32 v5, s8\ns_waitcnt_depctr 0xffff", NULL, NULL, NULL,
     -1},

    {"gfx1100", 32, MAD64, "rdna3.mad64-overlap", "v_mad_u64_u32", "to other registers", -1, 1, false, "over v4"},
    {"gfx1100", 32, "v_mad_u64_u32 v[8:9], s8, v4, v1, v[6:7]", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_mad_u64_u32 v[4:5], s8, v9, v1, v[3:4]", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_mad_u64_u32 v[4:5], s8, v9, v1, v[5:6]", "rdna3.mad64-overlap", "v_mad_u64_u32",
     "to other registers", -1},
    {"gfx1150", 32, MAD64, NULL, NULL, NULL, -1},
};

/* llvm-mc-19 refuses those of one bank: as words, beside what they are next to */
static const struct check_case vopd_cases[] = {
    {"gfx1100", 32, "v_dual_mov_b32 v4, v1 :: v_dual_mov_b32 v5, v6", NULL, NULL, NULL, -1},
    {"gfx1100", 32, ".long 0xca100101\n.long 0x04040109", "rdna.vopd-banks", "v_dual_mov_b32", "different banks", -1, 1,
     false, "v1 and v9, of one bank of 4, as their source 0"},
    {"gfx1201", 32, "v_dual_mov_b32 v4, v1 :: v_dual_mov_b32 v5, v9", NULL, NULL, NULL, -1},
    {"gfx1201", 32, "v_dual_add_f32 v4, v1, v8 :: v_dual_mul_f32 v5, v6, v7", NULL, NULL, NULL, -1},
    /* v8 and v4 */
    {"gfx1201", 32, ".long 0xc9061101\n.long 0x04040906", "rdna.vopd-banks", "v_dual_add_f32", "different banks", -1, 1,
     false, "v8 and v4, of one bank of 4, as their source 1"},
    {"gfx1100", 32, ".long 0xc9061101\n.long 0x04040906", "rdna.vopd-banks", "v_dual_add_f32", "different banks", -1, 1,
     false, "v8 and v4"},
    /* constants and SGPRs have no bank */
    {"gfx1100", 32, "v_dual_add_f32 v4, s8, v8 :: v_dual_mul_f32 v5, v1, v7", NULL, NULL, NULL, -1},
    /* the addend after a literal: v8 and v7, v8 and v6 */
    {"gfx1100", 32, "v_dual_fmamk_f32 v4, v1, 0x3f000000, v8 :: v_dual_fmamk_f32 v5, v6, 0x3f000000, v7", NULL, NULL,
     NULL, -1},
    {"gfx1100", 32, ".long 0xc8841101\n.long 0x04040d06\n.long 0x3f000000", "rdna.vopd-banks", "v_dual_fmamk_f32",
     "different banks", -1, 1, false, "v8 and v6, of one bank of 2, as their source 2"},
};

static void vopd(void **state)
{
    (void)state;
    check_cases(vopd_cases, CHECK_COUNT(vopd_cases));
}

static void rdna1_bugs(void **state)
{
    (void)state;
    check_cases(rdna1_bug_cases, CHECK_COUNT(rdna1_bug_cases));
}

static void forward(void **state)
{
    (void)state;
    check_cases(forward_cases, CHECK_COUNT(forward_cases));
}

static void rdna1(void **state)
{
    (void)state;
    check_cases(rdna1_cases, CHECK_COUNT(rdna1_cases));
}

static void rdna3(void **state)
{
    (void)state;
    check_cases(rdna3_cases, CHECK_COUNT(rdna3_cases));
}

static void beside(void **state)
{
    (void)state;
    check_cases(beside_cases, CHECK_COUNT(beside_cases));
}

/* What the list has no room for is said. */
static void full_list(void **state)
{
    enum { PLACES = 4096, S_INST_PREFETCH_1 = (int)0xbfa00001, S_ENDPGM = (int)0xbf810000 };
    static uint32_t code[PLACES + 2];
    static uint8_t buffer[CHECK_BUFFER];

    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        struct gcnsim_error error = {0};
        struct gcnsim_result *result = NULL;
        struct gcnsim *sim;
        for (unsigned k = 0; k < PLACES + more; k++)
            code[k] = (uint32_t)S_INST_PREFETCH_1;
        code[PLACES + more] = (uint32_t)S_ENDPGM;
        struct gcnsim_raw r = check_raw("gfx1010", 32, code, PLACES + more + 1, buffer);
        assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
        assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), 0);
        assert_int_equal(result->finding_count, PLACES);
        if (more)
            assert_string_equal(result->check_left_out, "findings at further places are not kept: the list holds 4096");
        else
            assert_null(result->check_left_out);
        gcnsim_result_free(result);
        gcnsim_close(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rdna1), cmocka_unit_test(rdna1_bugs), cmocka_unit_test(rdna3),    cmocka_unit_test(forward),
        cmocka_unit_test(vopd),  cmocka_unit_test(beside),     cmocka_unit_test(full_list)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
