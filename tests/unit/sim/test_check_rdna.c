/* gcnsim run --check: hazards that RDNA leaves to software, with and without what resolves them. */
#define CHECK_WORDS_FILE "tests/unit/sim/words/rdna.inc"
#include "tests/unit/sim/check_rig.h"

#define VMEM_SCALAR(MORE) "global_load_dword v4, v1, s[0:1]\n" MORE "s_mov_b32 s0, 0"
#define SMEM_VECTOR(MORE) "s_load_dword s8, s[0:1], 0x0\n" MORE "v_readfirstlane_b32 s0, v1"
#define EXEC_WAR(MORE)    "s_mov_b32 s8, exec_lo\n" MORE "v_cmpx_eq_f32 v1, v1"
#define LDS_BRANCH(MORE)  "ds_write_b32 v1, v1\n" MORE "s_branch 0\nglobal_load_dword v4, v[2:3], off"
#define PERMLANE(MORE)    "v_cmpx_eq_f32 v1, v1\n" MORE "v_permlane16_b32 v4, v5, s8, s9"
#define TRANS(MORE)       "v_rcp_f32 v4, v1\n" MORE "v_add_f32 v5, v4, v1"
#define MASK(MORE)        "v_cndmask_b32 v4, v1, v1, s[8:9]\ns_mov_b64 s[8:9], 0\n" MORE "v_cndmask_b32 v5, v1, v1, s[8:9]"
#define WMMA(MORE, A)                                                                                                  \
    "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[24:31], v[8:15]\n" MORE "v_wmma_f32_16x16x16_f16 v[32:39], " A       \
    ", v[24:31], v[32:39]"
#define V5 "v_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\nv_mov_b32 v6, 0\n"

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
    {"gfx1010", 32,
     "ds_write_b32 v1, v1\nglobal_load_dword v4, v[2:3], off\ns_branch 0\nglobal_load_dword v5, v[2:3], off", NULL,
     NULL, NULL, -1},
    {"gfx1030", 32, LDS_BRANCH(""), NULL, NULL, NULL, -1},
    {"gfx1010", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 63", "rdna1.branch-3f", "s_cbranch_scc1", "s_nop 0", -1},
    {"gfx1010", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 62", NULL, NULL, NULL, -1},
    {"gfx1030", 32, "s_cmp_eq_u32 s8, 1\ns_cbranch_scc1 63", NULL, NULL, NULL, -1},
    {"gfx1010", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1010", 32, PERMLANE("v_mov_b32 v6, v6\n"), NULL, NULL, NULL, -1},
    {"gfx1010", 32, PERMLANE("v_nop\n"), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1030", 32, PERMLANE(""), NULL, NULL, NULL, -1},
};

static const struct check_case rdna3_cases[] = {
    {"gfx1100", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE(""), "rdna.cmpx-permlane", "v_permlane16_b32", "v_mov_b32 v0, v0", -1},
    {"gfx1201", 32, PERMLANE("v_mov_b32 v6, v6\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS(""), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS("s_waitcnt_depctr 0xfff\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS(V5), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS(V5 "v_mov_b32 v6, 0\n"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, TRANS("v_rcp_f32 v6, v1\n"), "rdna3.trans-use", "v_add_f32", "s_waitcnt_depctr 0xfff", -1},
    {"gfx1100", 32, TRANS("v_rcp_f32 v6, v1\nv_rcp_f32 v7, v1\n"), NULL, NULL, NULL, -1},
    {"gfx1150", 32, TRANS(""), NULL, NULL, NULL, -1},
    {"gfx1100", 64, MASK(""), "rdna3.mask-write", "v_cndmask_b32", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1100", 64, MASK("s_waitcnt_depctr 0xfffe\n"), NULL, NULL, NULL, -1},
    {"gfx1150", 64, MASK(""), "rdna3.mask-write", "v_cndmask_b32", "s_waitcnt_depctr 0xfffe", -1},
    {"gfx1201", 64, MASK(""), NULL, NULL, NULL, -1},
    /* a vector instruction with another scalar operand comes between the mask and the write */
    {"gfx1100", 64,
     "v_cndmask_b32 v4, v1, v1, s[8:9]\nv_mov_b32 v6, s10\ns_mov_b64 s[8:9], 0\nv_cndmask_b32 v5, v1, v1, s[8:9]", NULL,
     NULL, NULL, -1},
    {"gfx1100", 32, WMMA("", "v[8:15]"), "rdna.wmma-ab", "v_wmma", "v_nop", -1},
    {"gfx1100", 32, WMMA("v_nop\n", "v[8:15]"), NULL, NULL, NULL, -1},
    {"gfx1100", 32, WMMA("", "v[16:23]"), NULL, NULL, NULL, -1},
};

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rdna1), cmocka_unit_test(rdna3)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
