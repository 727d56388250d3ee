/* gcnsim run --check: waits for memory. */
#define CHECK_WORDS_FILE "tests/unit/check/words/waits.inc"
#include "tests/unit/check/check_rig.h"

#define LOAD4 "global_load_dword v4, v[2:3], off\n"
#define LOAD5 "global_load_dword v5, v[2:3], off\n"
#define USE4  "v_add_f32 v6, v4, v4"
#define USE5  "v_add_f32 v6, v5, v5"
#define LDS   "ds_write_b32 v1, v1\n"
#define L(V)  "buffer_load_dword v" #V ", off, s[12:15], 0\n"
#define L14   L(8) L(9) L(10) L(11) L(12) L(13) L(14) L(15) L(16) L(17) L(18) L(19) L(20) L(21)
/* lane 0 to LDS, the others to memory */
#define MIXED                                                                                                          \
    LDS "s_mov_b64 exec, 1\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0x10000\ns_mov_b64 exec, -1\nflat_load_dword v4, v[2:3]\n"

static const struct check_case read_cases[] = {
    {"gfx90a", 64, LOAD4 USE4, "wait.read", "v_add_f32", "s_waitcnt vmcnt(0)", 0},
    {"gfx90a", 64, LOAD4 "s_waitcnt vmcnt(0)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx90a", 64, LOAD4 LOAD5 USE4, "wait.read", "v_add_f32", "s_waitcnt vmcnt(1)", 0},
    {"gfx90a", 64, LOAD4 LOAD5 "s_waitcnt vmcnt(1)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx90a", 64, LOAD4 LOAD5 "s_waitcnt vmcnt(1)\n" USE5, "wait.read", "v_add_f32", "s_waitcnt vmcnt(0)", 0},
    /* a value that has been reported is taken as there */
    {"gfx90a", 64, LOAD4 "v_mov_b32 v4, 0\n" USE4, "wait.write", "v_mov_b32", "s_waitcnt vmcnt(0)", 0},
    {"gfx90a", 64, LOAD4 "global_store_dword v[2:3], v4, off\n" USE4, "wait.read", "global_store_dword",
     "s_waitcnt vmcnt(0)", 0},
    /* only the lanes that the load fills */
    {"gfx90a", 64, "s_mov_b64 exec, 4\n" LOAD4 "s_mov_b64 exec, -1\n" USE4, "wait.read", "v_add_f32", "vmcnt(0)", 2},
    {"gfx90a", 64, "s_mov_b64 exec, 4\n" LOAD4 "s_mov_b64 exec, 2\n" USE4, NULL, NULL, NULL, -1},
    {"gfx90a", 64, "global_load_dword a4, v[2:3], off\nv_accvgpr_read_b32 v5, a4", "wait.read", "v_accvgpr_read_b32",
     "s_waitcnt vmcnt(0)", 0},
    {"gfx90a", 64, "global_load_dword a4, v[2:3], off\ns_waitcnt vmcnt(0)\nv_accvgpr_read_b32 v5, a4", NULL, NULL, NULL,
     -1},
    /* the address of the next access is a read as well */
    {"gfx90a", 64, "global_load_dword v4, v[2:3], off\nds_write_b32 v4, v1", "wait.read", "ds_write_b32", "vmcnt(0)",
     0},
    /* LDS in order, scalar memory not, and neither with the other */
    {"gfx90a", 64, LDS "ds_read_b32 v4, v1\n" USE4, "wait.read", "v_add_f32", "s_waitcnt lgkmcnt(0)", 0},
    {"gfx90a", 64, LDS "ds_read_b32 v4, v1\nds_read_b32 v5, v1\ns_waitcnt lgkmcnt(1)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx90a", 64, LDS "ds_read_b32 v4, v1\nds_read_b32 v5, v1\ns_waitcnt lgkmcnt(1)\n" USE5, "wait.read", "v_add_f32",
     "lgkmcnt(0)", 0},
    {"gfx90a", 64,
     "s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[0:1], 0x0\ns_waitcnt lgkmcnt(1)\ns_add_u32 s10, s8, s8",
     "wait.read", "s_add_u32", "s_waitcnt lgkmcnt(0)", -1},
    {"gfx90a", 64,
     "s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_add_u32 s10, s8, s9", NULL,
     NULL, NULL, -1},
    {"gfx90a", 64, LDS "ds_read_b32 v4, v1\ns_load_dword s8, s[0:1], 0x0\ns_waitcnt lgkmcnt(1)\n" USE4, "wait.read",
     "v_add_f32", "s_waitcnt lgkmcnt(0)", 0},
    {"gfx90a", 64, "s_memtime s[8:9]\ns_mov_b32 s10, s9", "wait.read", "s_mov_b32", "lgkmcnt(0)", -1},
    /* flat: by the way it went */
    {"gfx803", 64, "flat_load_dword v4, v[2:3]\ns_waitcnt vmcnt(0)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx803", 64, "flat_load_dword v4, v[2:3]\ns_waitcnt lgkmcnt(0)\n" USE4, "wait.read", "v_add_f32", "vmcnt(0)", 0},
    {"gfx90a", 64, LDS "v_mov_b32 v2, 0\nv_mov_b32 v3, 0x10000\nflat_load_dword v4, v[2:3]\ns_waitcnt vmcnt(0)\n" USE4,
     "wait.read", "v_add_f32", "lgkmcnt(0)", 0},
    {"gfx90a", 64,
     LDS "v_mov_b32 v2, 0\nv_mov_b32 v3, 0x10000\nflat_load_dword v4, v[2:3]\ns_waitcnt lgkmcnt(0)\n" USE4, NULL, NULL,
     NULL, -1},
    /* gfx9: flat instructions with lanes in LDS come back in no order with vector memory */
    {"gfx90a", 64, MIXED L(5) "s_waitcnt vmcnt(1) lgkmcnt(0)\n" USE4, "wait.read", "v_add_f32", "s_waitcnt vmcnt(0)",
     1},
    {"gfx90a", 64, MIXED L(5) "s_waitcnt vmcnt(0) lgkmcnt(0)\n" USE4, NULL, NULL, NULL, -1},
    /* gfx8 counts to 15: with as many outstanding the next one waits, and the first is there */
    {"gfx803", 64, L14 L(22) "v_add_f32 v6, v8, v8", "wait.read", "v_add_f32", "s_waitcnt vmcnt(14)", 0},
    {"gfx803", 64, L14 L(22) L(23) "v_add_f32 v6, v8, v8", NULL, NULL, NULL, -1},
    {"gfx803", 64, L14 L(22) L(23) "v_add_f32 v6, v9, v9", "wait.read", "v_add_f32", "s_waitcnt vmcnt(14)", 0},
    {"gfx1030", 32, LOAD4 "global_store_dword v[2:3], v5, off\ns_waitcnt_vscnt null, 0x0\n" USE4, "wait.read",
     "v_add_f32", "s_waitcnt vmcnt(0)", 0},
    {"gfx1030", 32, LOAD4 "global_store_dword v[2:3], v5, off\ns_waitcnt vmcnt(0)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx1100", 32, "global_load_b32 v4, v[2:3], off\ns_waitcnt vmcnt(1)\n" USE4, "wait.read", "v_add_f32", "vmcnt(0)",
     0},
    /* a load of the other half; flat instructions among LDS ones from RDNA1 on */
    {"gfx1100", 32,
     "global_load_u16 v4, v[2:3], off\nglobal_load_d16_hi_b16 v4, v[2:3], off\ns_waitcnt vmcnt(0)\n" USE4, NULL, NULL,
     NULL, -1},
    {"gfx1201", 32, "global_load_u16 v4, v[2:3], off\nglobal_load_d16_hi_b16 v4, v[2:3], off", "wait.read",
     "global_load_d16_hi_b16", "s_wait_loadcnt 0x0", 0},
    {"gfx1100", 32,
     "ds_store_b32 v1, v1\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0x10000\nflat_load_b32 v4, v[2:3]\nds_load_b32 v5, v1\n"
     "s_waitcnt vmcnt(0) lgkmcnt(1)\n" USE4,
     NULL, NULL, NULL, -1},
    {"gfx90a", 64,
     "ds_write_b32 v1, v1\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0x10000\nflat_load_dword v4, v[2:3]\nds_read_b32 v5, v1\n"
     "s_waitcnt vmcnt(0) lgkmcnt(1)\n" USE4,
     "wait.read", "v_add_f32", "lgkmcnt(0)", 0},
    /* a load of v260 */
    {"gfx1250", 32, "s_set_vgpr_msb 0x40\nglobal_load_b32 v4, v[2:3], off\ns_set_vgpr_msb 0\n" USE4, NULL, NULL, NULL,
     -1},
    {"gfx1250", 32, "s_set_vgpr_msb 0x40\nglobal_load_b32 v4, v[2:3], off\ns_set_vgpr_msb 4\nv_add_f32 v5, v1, v4",
     "wait.read", "v_add_f32", "s_wait_loadcnt", 0},
    {"gfx1250", 32,
     "s_set_vgpr_msb 0x40\nglobal_load_b32 v4, v[2:3], off\ns_wait_loadcnt 0x0\ns_set_vgpr_msb 4\nv_add_f32 v5, v1, v4",
     NULL, NULL, NULL, -1},
    {"gfx1201", 32, "global_load_b32 v4, v[2:3], off\ns_wait_dscnt 0x0\n" USE4, "wait.read", "v_add_f32",
     "s_wait_loadcnt 0x0", 0},
    {"gfx1201", 32, "global_load_b32 v4, v[2:3], off\ns_wait_loadcnt 0x0\n" USE4, NULL, NULL, NULL, -1},
    {"gfx1201", 32, "ds_store_b32 v1, v1\nds_load_b32 v4, v1\ns_wait_loadcnt 0x0\n" USE4, "wait.read", "v_add_f32",
     "s_wait_dscnt 0x0", 0},
    {"gfx1201", 32, "ds_store_b32 v1, v1\nds_load_b32 v4, v1\ns_wait_loadcnt_dscnt 0x3f00\n" USE4, NULL, NULL, NULL,
     -1},
    {"gfx1201", 32, "s_load_b32 s8, s[0:1], 0x0\ns_wait_kmcnt 0x1\ns_mov_b32 s9, s8", "wait.read", "s_mov_b32",
     "s_wait_kmcnt 0x0", -1},
    {"gfx1201", 32, "s_load_b32 s8, s[0:1], 0x0\ns_wait_kmcnt 0x0\ns_mov_b32 s9, s8", NULL, NULL, NULL, -1},
};

static const struct check_case write_cases[] = {
    {"gfx90a", 64, LOAD4 "v_mov_b32 v4, 0", "wait.write", "v_mov_b32", "s_waitcnt vmcnt(0)", 0},
    {"gfx90a", 64, LOAD4 "s_waitcnt vmcnt(0)\nv_mov_b32 v4, 0", NULL, NULL, NULL, -1},
    {"gfx90a", 64, LOAD4 LOAD4 "s_waitcnt vmcnt(0)\n" USE4, NULL, NULL, NULL, -1},
    {"gfx90a", 64, LDS LOAD4 "ds_read_b32 v4, v1", "wait.write", "ds_read_b32", "s_waitcnt vmcnt(0)", 0},
    {"gfx90a", 64, "s_load_dword s8, s[0:1], 0x0\ns_mov_b32 s8, 0", "wait.write", "s_mov_b32", "lgkmcnt(0)", -1},
    {"gfx90a", 64, "s_load_dword s8, s[0:1], 0x0\ns_load_dword s8, s[0:1], 0x4", "wait.write", "s_load_dword",
     "lgkmcnt(0)", -1},
    /* RDNA4 does not write registers in order */
    {"gfx1201", 32, "global_load_b32 v4, v[2:3], off\nglobal_load_b32 v4, v[2:3], off", "wait.write", "global_load_b32",
     "s_wait_loadcnt 0x0", 0},
    {"gfx1100", 32, "global_load_b32 v4, v[2:3], off\nglobal_load_b32 v4, v[2:3], off", NULL, NULL, NULL, -1},
};

static void reads(void **state)
{
    (void)state;
    check_cases(read_cases, CHECK_COUNT(read_cases));
}

static void writes(void **state)
{
    (void)state;
    check_cases(write_cases, CHECK_COUNT(write_cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(writes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
