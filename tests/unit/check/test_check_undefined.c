/* gcnsim run --check: registers and LDS read before anybody wrote them. */
#define CHECK_WORDS_FILE "tests/unit/check/words/undefined.inc"
#include "tests/unit/check/check_rig.h"

static const struct check_case cases[] = {
    {"gfx90a", 64, "v_add_f32 v4, v1, v50", "undefined.vgpr", "v_add_f32", "write v50 with lane 0 active", 0},
    {"gfx90a", 64, "v_mov_b32 v50, 0\nv_add_f32 v4, v1, v50", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "s_mov_b64 exec, 5\nv_mov_b32 v50, 0\ns_mov_b64 exec, -1\nv_add_f32 v4, v1, v50", "undefined.vgpr",
     "v_add_f32", "write v50 with lane 1 active", 1},
    {"gfx90a", 64, "s_mov_b64 exec, 5\nv_mov_b32 v50, 0\ns_mov_b64 exec, 4\nv_add_f32 v4, v1, v50", NULL, NULL, NULL,
     -1},
    {"gfx90a", 64, "v_readlane_b32 s8, v50, 3\ns_nop 7\ns_add_u32 s9, s8, 1", "undefined.sgpr", "s_add_u32", "write s8",
     -1},
    {"gfx90a", 64, "v_writelane_b32 v50, s8, 3\nv_readlane_b32 s8, v50, 3\ns_nop 7\ns_add_u32 s9, s8, 1", NULL, NULL,
     NULL, -1},
    /* DPP reads other lanes */
    {"gfx90a", 64,
     "s_mov_b64 exec, 1\nv_mov_b32 v50, 0\ns_mov_b64 exec, 3\ns_nop 7\n"
     "v_mov_b32_dpp v4, v50 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n",
     NULL, NULL, NULL, -1},
    {"gfx90a", 64,
     "s_mov_b64 exec, 1\nv_mov_b32 v50, 0\ns_mov_b64 exec, 3\ns_nop 7\n"
     "v_add_f32_dpp v4, v50, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n",
     NULL, NULL, NULL, -1},
    {"gfx90a", 64,
     "s_mov_b64 exec, 1\nv_mov_b32 v50, 0\ns_mov_b64 exec, 3\ns_nop 7\n"
     "v_add_f32_dpp v4, v50, v1 quad_perm:[1,0,0,0] row_mask:0xf bank_mask:0xf\n",
     "undefined.vgpr", "v_add_f32_dpp", "write v50", 0},
    /* but the first source alone is read there */
    {"gfx90a", 64, "v_add_f32_dpp v4, v1, v50 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf", "undefined.vgpr",
     "v_add_f32_dpp", "write v50 with lane 0 active", 0},
    {"gfx90a", 64,
     "s_mov_b64 exec, 5\nv_mov_b32 v50, 0\ns_mov_b64 exec, 7\ns_nop 7\n"
     "v_add_f32_dpp v4, v1, v50 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
     "undefined.vgpr", "v_add_f32_dpp", "write v50 with lane 1 active", 1},
    {"gfx90a", 64,
     "s_mov_b64 exec, 5\nv_mov_b32 v50, 0\ns_nop 7\n"
     "v_add_f32_dpp v4, v1, v50 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
     NULL, NULL, NULL, -1},
    /* loads of half a register: where halves are registers of their own the other one may be undefined */
    {"gfx1100", 32, "global_load_d16_b16 v50, v[2:3], off", NULL, NULL, NULL, -1},
    {"gfx1201", 32, "global_load_d16_hi_u8 v50, v[2:3], off", NULL, NULL, NULL, -1},
    {"gfx1030", 32, "global_load_short_d16 v50, v[2:3], off", "undefined.vgpr", "global_load_short_d16", "write v50",
     0},
    /* a tensor's descriptor: of four SGPRs and eight; EXEC has no say in it */
    {"gfx1250", 32, "s_mov_b32 exec_lo, 0\ntensor_load_to_lds s[8:11], s[40:47]", "undefined.sgpr",
     "tensor_load_to_lds", "write s40", -1},
    {"gfx1250", 32,
     "s_mov_b64 s[40:41], 0\ns_mov_b64 s[42:43], 0\ns_mov_b64 s[44:45], 0\ns_mov_b32 s46, 0\n"
     "tensor_load_to_lds s[8:11], s[40:47]",
     "undefined.sgpr", "tensor_load_to_lds", "write s47", -1},
    /* registers past v255, by the upper bits that MODE has for src0, src1, src2 and vdst */
    {"gfx1250", 32, "s_set_vgpr_msb 4\nv_add_f32 v4, v1, v5", "undefined.vgpr", "v_add_f32",
     "write v261 with lane 0 active", 0},
    {"gfx1250", 32, "s_set_vgpr_msb 0x40\nv_mov_b32 v5, 0\ns_set_vgpr_msb 4\nv_add_f32 v4, v1, v5", NULL, NULL, NULL,
     -1},
    {"gfx1250", 32, "s_set_vgpr_msb 0x40\nv_mov_b32 v50, 0\ns_set_vgpr_msb 0\nv_add_f32 v4, v1, v50", "undefined.vgpr",
     "v_add_f32", "write v50 with lane 0 active", 0},
    {"gfx1250", 32, "s_set_vgpr_msb 0x41\nv_mov_b32 v5, v6\ns_set_vgpr_msb 4\nv_add_f32 v4, v1, v5", "undefined.vgpr",
     "v_add_f32", "write v261", 0},
    {"gfx1250", 32, "s_set_vgpr_msb 0x44\nv_and_b32 v5, 0, v6\ns_set_vgpr_msb 4\nv_add_f32 v4, v1, v5", NULL, NULL,
     NULL, -1},
    /* one instruction under two modes: v5, then v261 */
    {"gfx1250", 32,
     "s_mov_b32 s8, 0\nv_add_f32 v4, v1, v5\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 3\ns_set_vgpr_msb 4\ns_mov_b32 s8, "
     "1\ns_branch -6",
     "undefined.vgpr", "v_add_f32", "write v261", 0},
    /* moves hand it on */
    {"gfx90a", 64, "v_mov_b32 v4, v50\nv_add_f32 v5, v4, v1", "undefined.vgpr", "v_add_f32", "write v4", 0},
    {"gfx90a", 64, "v_lshrrev_b32 v4, 16, v50\nv_cndmask_b32 v5, v1, v4, vcc\nv_add_f32 v6, v5, v1", NULL, NULL, NULL,
     -1},
    {"gfx90a", 64, "v_lshrrev_b32 v4, 16, v50\nv_cndmask_b32 v5, v4, v1, vcc\nv_add_f32 v6, v5, v1", "undefined.vgpr",
     "v_add_f32", "write v5", 0},
    {"gfx90a", 64, "v_and_b32 v4, 0, v50\nv_add_f32 v6, v4, v1", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_dual_mov_b32 v4, v50 :: v_dual_add_f32 v5, v1, v1\nv_add_f32 v6, v5, v1", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_dual_mov_b32 v4, v1 :: v_dual_add_f32 v5, v50, v1", "undefined.vgpr", "v_dual_add_f32",
     "write v50", 0},
    {"gfx1100", 32, "v_dual_mov_b32 v4, s40 :: v_dual_mov_b32 v5, s41", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_dual_add_f32 v4, v1, v1 :: v_dual_mov_b32 v5, s41\nv_add_f32 v6, v4, v1", NULL, NULL, NULL, -1},
    {"gfx1100", 32, "v_dual_mov_b32 v4, s40 :: v_dual_mov_b32 v5, s41\nv_add_f32 v6, v5, v1", "undefined.vgpr",
     "v_add_f32", "write v5", 0},
    {"gfx1100", 32, "v_dual_add_f32 v4, s40, v1 :: v_dual_mov_b32 v5, v1", "undefined.sgpr", "v_dual_add_f32",
     "write s40", -1},
    {"gfx1100", 32, "v_dual_mov_b32 v5, v1 :: v_dual_add_f32 v4, s40, v1", "undefined.sgpr", "v_dual_add_f32",
     "write s40", -1},
    {"gfx1100", 32, "v_dual_add_f32 v4, s40, v1 :: v_dual_mul_f32 v5, v1, v2", "undefined.sgpr", "v_dual_add_f32",
     "write s40", -1},
    {"gfx942", 64, "s_mov_b32 s40, 1\nv_mad_u64_u32 v[4:5], s[0:1], v1, v2, s[40:41]\nv_add_f32 v6, v4, v1", NULL, NULL,
     NULL, -1},
    {"gfx942", 64, "s_mov_b32 s40, 1\nv_mad_u64_u32 v[4:5], s[0:1], v1, v2, s[40:41]\nv_add_f32 v6, v5, v1",
     "undefined.vgpr", "v_add_f32", "write v5", 0},
    /* compilers shift and pack halves of which one is undefined */
    {"gfx90a", 64,
     "s_mov_b32 s41, 1\ns_lshr_b32 s42, s40, 16\ns_pack_ll_b32_b16 s42, s41, s42\ns_and_b32 s42, s42, 0xff"
     "\nv_add_u32 v4, s42, v1",
     NULL, NULL, NULL, -1},
    {"gfx90a", 64, "s_mov_b32 s41, 1\ns_lshr_b32 s42, s40, 16\ns_pack_ll_b32_b16 s42, s41, s42\nv_add_u32 v4, s42, v1",
     "undefined.sgpr", "v_add_u32", "write s42", -1},
    {"gfx1201", 32, "s_lshl_b32 s42, s40, 31\ns_bfe_u32 s42, s42, 0x100003\nv_add_nc_u32 v4, s42, v1", NULL, NULL, NULL,
     -1},
    /* the carry-out takes the addend's place */
    {"gfx942", 64, "s_mov_b32 s40, 1\nv_mad_u64_u32 v[4:5], s[40:41], v1, v2, s[40:41]\nv_add_f32 v6, v4, v1", NULL,
     NULL, NULL, -1},
    {"gfx942", 64, "s_mov_b32 s40, 1\nv_mad_u64_u32 v[4:5], s[40:41], v1, v2, s[40:41]\nv_add_f32 v6, v5, v1",
     "undefined.vgpr", "v_add_f32", "write v5", 0},
    {"gfx942", 64, "s_mov_b32 s41, 1\nv_mad_u64_u32 v[4:5], s[0:1], v1, v2, s[40:41]", "undefined.sgpr",
     "v_mad_u64_u32", "write s40", -1},
    {"gfx942", 64, "s_mov_b32 s40, 1\nv_cmp_lt_u64 vcc, v[2:3], s[40:41]", "undefined.sgpr", "v_cmp_lt_u64",
     "write s41", -1},
    {"gfx90a", 64, "v_pk_mov_b32 v[4:5], s[40:41], s[40:41] op_sel:[0,1]", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_pk_mov_b32 v[4:5], s[40:41], s[40:41] op_sel:[0,1]\nv_add_f32 v6, v5, v1", "undefined.vgpr",
     "v_add_f32", "write v5", 0},
    {"gfx90a", 64, "v_mov_b32 v4, v50", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "global_store_dword v[2:3], a20, off", "undefined.agpr", "global_store_dword", "write a20", 0},
    {"gfx90a", 64, "global_store_dword v[2:3], a1, off", NULL, NULL, NULL, -1},
    /* one file: v64 is a0, and each register has one state whatever it is called */
    {"gfx90a", 64, "v_add_f32 v4, v1, v84", "undefined.vgpr", "v_add_f32", "write v84 with lane 0 active", 0},
    {"gfx942", 64, "v_accvgpr_write_b32 a20, v1\nv_add_f32 v4, v1, v84", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_mov_b32 v84, 0\ns_nop 7\nglobal_store_dword v[2:3], a20, off", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_mov_b32 v84, v85\nv_add_f32 v4, v1, v84", "undefined.vgpr", "v_add_f32", "write v84", 0},
    {"gfx90a", 64, "v_mov_b32 v63, 0\ns_nop 7\nglobal_store_dwordx4 v[2:3], v[62:65], off", "undefined.vgpr",
     "global_store_dwordx4", "write v62", 0},
    {"gfx90a", 64, "v_mov_b32 v62, 0\nv_mov_b32 v63, 0\ns_nop 7\nglobal_store_dwordx4 v[2:3], v[62:65], off", NULL,
     NULL, NULL, -1},
    {"gfx90a", 64,
     "v_mov_b32 v62, 0\nv_mov_b32 v63, 0\nv_mov_b32 v64, v50\ns_nop 7\n"
     "global_store_dwordx4 v[2:3], v[62:65], off",
     "undefined.vgpr", "global_store_dwordx4", "write v64", 0},
    {"gfx90a", 64, "global_load_dword a20, v[2:3], off\nv_add_f32 v4, v1, v84", "wait.read", "v_add_f32",
     "s_waitcnt vmcnt(0)", 0, .says = "v84 is read"},
    {"gfx90a", 64, "v_mov_b32 v84, 0\nv_mov_b32_dpp v4, v84 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
     "states.valu-vgpr-dpp", "v_mov_b32_dpp", "s_nop 1", -1},
    {"gfx90a", 64, "v_mov_b32 v4, s40\nv_add_f32 v5, v4, v1", "undefined.vgpr", "v_add_f32", "write v4", 0},
    {"gfx90a", 64, "s_add_u32 s9, s40, 1", "undefined.sgpr", "s_add_u32", "write s40", -1},
    {"gfx90a", 64, "s_mov_b32 s40, 0\ns_add_u32 s9, s40, 1", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "v_add_f32 v4, s40, v1", "undefined.sgpr", "v_add_f32", "write s40", -1},
    {"gfx90a", 64, "s_cbranch_scc1 0", "undefined.sgpr", "s_cbranch_scc1", "write scc", -1},
    {"gfx90a", 64, "s_cmp_eq_u32 s8, 0\ns_cbranch_scc1 0", NULL, NULL, NULL, -1},
    /* user SGPRs and workgroup ids are there */
    {"gfx90a", 64, "s_add_u32 s9, s7, s8", NULL, NULL, NULL, -1},
    {"gfx1201", 32, "s_add_co_u32 s9, ttmp9, s8", NULL, NULL, NULL, -1},
    {"gfx1201", 32, "s_add_co_u32 s9, s40, s8", "undefined.sgpr", "s_add_co_u32", "write s40", -1},
    /* lane masks: bits of active lanes alone */
    {"gfx90a", 64, "s_mov_b64 exec, 1\ns_andn2_b64 s[10:11], s[40:41], exec\nv_cndmask_b32 v4, v1, v1, s[10:11]", NULL,
     NULL, NULL, -1},
    {"gfx90a", 64,
     "s_mov_b64 exec, 1\ns_andn2_b64 s[10:11], s[40:41], exec\ns_mov_b64 exec, -1\nv_cndmask_b32 v4, v1, v1, s[10:11]",
     "undefined.sgpr", "v_cndmask_b32", "write s10", -1},
    {"gfx90a", 64, "s_mov_b64 s[10:11], s[40:41]\ns_and_b64 exec, exec, s[10:11]", "undefined.sgpr", "s_and_b64",
     "write every bit", -1},
    /* an upper half that the lower half of the result does not need */
    {"gfx90a", 64, "v_mov_b32 v50, 0\nv_mad_u64_u32 v[4:5], s[8:9], v1, v1, v[50:51]\nv_add_f32 v6, v4, v4", NULL, NULL,
     NULL, -1},
    {"gfx90a", 64, "v_mov_b32 v50, 0\nv_mad_u64_u32 v[4:5], s[8:9], v1, v1, v[50:51]\nv_add_f32 v6, v5, v5",
     "undefined.vgpr", "v_add_f32", "write v5", 0},
    /* its carry is 0 whatever that half is, or depends on it */
    {"gfx90a", 64, "v_mov_b32 v50, 0\nv_mad_u64_u32 v[4:5], s[8:9], v1, v1, v[50:51]\ns_nop 7\ns_add_u32 s10, s8, s9",
     NULL, NULL, NULL, -1},
    {"gfx90a", 64,
     "v_mov_b32 v50, 1\nv_mov_b32 v4, -1\nv_mad_u64_u32 v[6:7], s[8:9], v4, v4, v[50:51]\ns_nop 7\n"
     "s_add_u32 s10, s8, s9",
     "undefined.sgpr", "s_add_u32", "write s8", -1},
    {"gfx90a", 64, "v_mov_b32 v50, 0\nv_lshrrev_b64 v[4:5], 4, v[50:51]\nv_add_f32 v6, v4, v1", "undefined.vgpr",
     "v_add_f32", "write v4", 0},
    /* a shift of 64 bits moves them, too: half of the source is shifted out, or comes out undefined */
    {"gfx1010", 64, "v_mov_b32 v51, 0\nv_ashrrev_i64 v[4:5], 48, v[50:51]\nv_add_f32 v6, v4, v5", NULL, NULL, NULL, -1},
    {"gfx1010", 64, "v_mov_b32 v51, 0\nv_ashrrev_i64 v[4:5], 31, v[50:51]\nv_add_f32 v6, v5, v1", NULL, NULL, NULL, -1},
    {"gfx1010", 64, "v_mov_b32 v51, 0\nv_ashrrev_i64 v[4:5], 31, v[50:51]\nv_add_f32 v6, v4, v1", "undefined.vgpr",
     "v_add_f32", "write v4", 0},
    {"gfx1201", 32, "v_mov_b32 v50, 0\nv_lshlrev_b64 v[4:5], 32, v[50:51]\nv_add_f32 v6, v4, v5", NULL, NULL, NULL, -1},
    /* LDS */
    {"gfx90a", 64, "ds_read_b32 v4, v1", "undefined.lds", "ds_read_b32", "write LDS byte 0x0", 0},
    {"gfx90a", 64, "ds_write_b32 v1, v1\nds_read_b32 v4, v1", NULL, NULL, NULL, -1},
    {"gfx90a", 64, "ds_write_b8 v1, v1\nds_read_u16 v4, v1", "undefined.lds", "ds_read_u16", "write LDS byte 0x1", 0},
    {"gfx90a", 64, "ds_write_b32 v1, v1\nds_read2_b32 v[4:5], v1 offset0:0 offset1:3", "undefined.lds", "ds_read2_b32",
     "write LDS byte 0xc", 0},
    {"gfx90a", 64, "ds_add_u32 v1, v1", "undefined.lds", "ds_add_u32", "write LDS byte 0x0", 0},
    {"gfx90a", 64, "ds_bpermute_b32 v4, v1, v1", NULL, NULL, NULL, -1},
    {"gfx1201", 32, "ds_load_b32 v4, v1 offset:16", "undefined.lds", "ds_load_b32", "write LDS byte 0x10", 0},
};

static void undefined(void **state)
{
    (void)state;
    check_cases(cases, CHECK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(undefined)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
