/* What limits a run: a kernel built for each class, on a GCN-like and an RDNA chip. The comment before a
 * kernel says what it does. s[0:1] is the address of a buffer of zeros, s2 the workgroup. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/timing/limiter_kernels.h"

/* independent multiply-adds */
static const char valu_gfx90a[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent multiply-adds */
static const char valu_gfx1100[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent matrix instructions */
static const char matrix_gfx90a[] =
    "s_movk_i32 s4, 0x14; "
    "loop: v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]; "
    "v_mfma_f32_32x32x8f16 a[16:31], v[0:1], v[2:3], a[16:31]; "
    "v_mfma_f32_32x32x8f16 a[32:47], v[0:1], v[2:3], a[32:47]; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* independent matrix instructions */
static const char matrix_gfx1100[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_wmma_f32_16x16x16_f16 v[32:39], v[0:7], v[8:15], v[32:39]; "
    "v_wmma_f32_16x16x16_f16 v[40:47], v[0:7], v[8:15], v[40:47]; "
    "v_wmma_f32_16x16x16_f16 v[48:55], v[0:7], v[8:15], v[48:55]; "
    "v_wmma_f32_16x16x16_f16 v[56:63], v[0:7], v[8:15], v[56:63]; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* independent scalar instructions */
static const char salu_gfx90a[] =
    "s_movk_i32 s4, 0x28; "
    "loop: .rept 3; s_add_u32 s8, s6, s7; s_add_u32 s9, s6, s7; s_add_u32 s10, s6, s7; s_add_u32 s11, s6, s7; "
    "s_add_u32 s12, s6, s7; s_add_u32 s13, s6, s7; s_add_u32 s14, s6, s7; s_add_u32 s15, s6, s7; .endr; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent scalar instructions */
static const char salu_gfx1100[] =
    "s_movk_i32 s4, 0x28; "
    "loop: .rept 3; s_add_u32 s8, s6, s7; s_add_u32 s9, s6, s7; s_add_u32 s10, s6, s7; s_add_u32 s11, s6, s7; "
    "s_add_u32 s12, s6, s7; s_add_u32 s13, s6, s7; s_add_u32 s14, s6, s7; s_add_u32 s15, s6, s7; .endr; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* reads memory from end to end */
static const char stream_gfx90a[] =
    "s_lshl_b32 s5, s2, 15; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_dwordx4 v[4:7], v1, s[0:1]; global_load_dwordx4 v[8:11], v1, s[0:1] offset:1024; "
    "global_load_dwordx4 v[12:15], v1, s[0:1] offset:2048; global_load_dwordx4 v[16:19], v1, s[0:1] offset:3072; "
    "v_add_u32 v1, 0x1000, v1; s_waitcnt vmcnt(4); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* reads memory from end to end */
static const char stream_gfx1100[] =
    "s_lshl_b32 s5, s2, 14; v_lshlrev_b32 v1, 4, v0; v_add_nc_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_b128 v[4:7], v1, s[0:1]; global_load_b128 v[8:11], v1, s[0:1] offset:512; "
    "global_load_b128 v[12:15], v1, s[0:1] offset:1024; global_load_b128 v[16:19], v1, s[0:1] offset:1536; "
    "v_add_nc_u32 v1, 0x800, v1; s_waitcnt vmcnt(4); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* a load needs the one before it, from vL0 */
static const char chase_vl0_gfx90a[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: global_load_dword v1, v1, s[0:1]; s_waitcnt vmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* a load needs the one before it, from vL0 */
static const char chase_vl0_gfx1100[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: global_load_b32 v1, v1, s[0:1]; s_waitcnt vmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* the same past vL0 */
static const char chase_l2_gfx90a[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: global_load_dword v1, v1, s[0:1] glc; s_waitcnt vmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* the same past vL0 */
static const char chase_l2_gfx1100[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: global_load_b32 v1, v1, s[0:1] glc; s_waitcnt vmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* the same, a new line each time */
static const char chase_dram_gfx90a[] =
    "s_lshl_b32 s5, s2, 15; v_mov_b32 v1, s5; s_movk_i32 s6, 0x200; s_movk_i32 s4, 0x32; "
    "loop: global_load_dword v2, v1, s[0:1]; s_waitcnt vmcnt(0); v_add3_u32 v1, v1, s6, v2; s_sub_u32 s4, s4, 1; "
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* the same, a new line each time */
static const char chase_dram_gfx1100[] =
    "s_lshl_b32 s5, s2, 15; v_mov_b32 v1, s5; s_movk_i32 s6, 0x200; s_movk_i32 s4, 0x32; "
    "loop: global_load_b32 v2, v1, s[0:1]; s_waitcnt vmcnt(0); v_add3_u32 v1, v1, s6, v2; s_sub_u32 s4, s4, 1; "
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* all lanes name one bank of LDS */
static const char lds_gfx90a[] =
    "v_lshlrev_b32 v1, 7, v0; s_movk_i32 s4, 0x14; "
    "loop: ds_read_b32 v4, v1; ds_read_b32 v5, v1 offset:4; ds_read_b32 v6, v1 offset:8; "
    "ds_read_b32 v7, v1 offset:12; ds_read_b32 v8, v1 offset:16; ds_read_b32 v9, v1 offset:20; "
    "ds_read_b32 v10, v1 offset:24; ds_read_b32 v11, v1 offset:28; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; "
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* all lanes name one bank of LDS */
static const char lds_gfx1100[] =
    "v_lshlrev_b32 v1, 7, v0; s_movk_i32 s4, 0x14; "
    "loop: ds_load_b32 v4, v1; ds_load_b32 v5, v1 offset:4; ds_load_b32 v6, v1 offset:8; "
    "ds_load_b32 v7, v1 offset:12; ds_load_b32 v8, v1 offset:16; ds_load_b32 v9, v1 offset:20; "
    "ds_load_b32 v10, v1 offset:24; ds_load_b32 v11, v1 offset:28; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; "
    "s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* an LDS access needs the one before it */
static const char lds_chase_gfx90a[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: ds_read_b32 v1, v1; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* an LDS access needs the one before it */
static const char lds_chase_gfx1100[] =
    "v_mov_b32 v1, 0; s_movk_i32 s4, 0x3c; "
    "loop: ds_load_b32 v1, v1; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* one wave works, the others wait for it */
static const char barrier_gfx90a[] =
    "v_readfirstlane_b32 s3, v0; s_cmp_lg_u32 s3, 0; s_cbranch_scc1 skip; s_movk_i32 s4, 0x64; "
    "loop: v_rcp_f32 v4, v4; v_rcp_f32 v4, v4; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "skip: s_barrier; s_endpgm";
/* one wave works, the others wait for it */
static const char barrier_gfx1100[] =
    "v_readfirstlane_b32 s3, v0; s_cmp_lg_u32 s3, 0; s_cbranch_scc1 skip; s_movk_i32 s4, 0x64; "
    "loop: v_rcp_f32 v4, v4; v_rcp_f32 v4, v4; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "skip: s_barrier; s_endpgm";
/* an instruction needs the one before it */
static const char chain_gfx90a[] =
    "s_movk_i32 s4, 0x3c; "
    "loop: .rept 4; v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]; v_accvgpr_read_b32 v0, a0; .endr; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* an instruction needs the one before it */
static const char chain_gfx1100[] =
    "s_movk_i32 s4, 0x14; "
    "loop: .rept 60; v_fma_f32 v4, v4, v4, v4; .endr; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* one workgroup works, the others end at once */
static const char tail_gfx90a[] =
    "s_cmp_lg_u32 s2, 0; s_cbranch_scc1 end; s_movk_i32 s4, 0x190; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "end: s_endpgm";
/* one workgroup works, the others end at once */
static const char tail_gfx1100[] =
    "s_cmp_lg_u32 s2, 0; s_cbranch_scc1 end; s_movk_i32 s4, 0x190; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "end: s_endpgm";
/* a scalar load needs the one before it */
static const char scalar_chase_gfx90a[] =
    "s_mov_b32 s6, 0; s_movk_i32 s4, 0x3c; "
    "loop: s_load_dword s6, s[0:1], s6; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* a scalar load needs the one before it */
static const char scalar_chase_gfx1100[] =
    "s_mov_b32 s6, 0; s_movk_i32 s4, 0x3c; "
    "loop: s_load_b32 s6, s[0:1], s6; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* vector and scalar instructions in turn */
static const char mixed_gfx1100[] =
    "s_movk_i32 s4, 0x14; "
    "loop: .rept 20; v_mov_b32 v4, v1; s_mov_b32 s8, s6; v_mov_b32 v5, v1; s_mov_b32 s9, s6; v_mov_b32 v6, v1; "
    "s_mov_b32 s10, s6; v_mov_b32 v7, v1; s_mov_b32 s11, s6; .endr; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";

/* Straight code beyond what the instruction cache holds. */
static const char long_code[] = ".rept 32767; v_mov_b32 v1, v2; .endr; s_endpgm";

static uint8_t buffer[1 << 25] __attribute__((aligned(4096)));
/* where the pieces run, so that the linker does not choose their places in cache lines and sets */
static uint32_t placed[1 << 15] __attribute__((aligned(4096)));

struct piece {
    const char *target;
    const char *text;
    uint32_t groups, waves; /* of a group */
    const char *limit_class, *resource;
    const char *set;  /* of the profile, with blanks in between; null: none */
    const char *says; /* in the verdict; null: no matter */
};

static const struct piece pieces[] = {
    {"gfx90a", valu_gfx90a, 416, 4, "compute", "valu", NULL, NULL},
    {"gfx1100", valu_gfx1100, 384, 4, "compute", "valu", NULL, NULL},
    {"gfx90a", matrix_gfx90a, 416, 4, "compute", "matrix", NULL, NULL},
    {"gfx1100", matrix_gfx1100, 384, 4, "compute", "matrix", NULL, NULL},
    {"gfx90a", salu_gfx90a, 416, 4, "compute", "salu", NULL, NULL},
    {"gfx1100", salu_gfx1100, 384, 4, "compute", "salu", NULL, NULL},
    {"gfx90a", stream_gfx90a, 832, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx1100", stream_gfx1100, 1536, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx90a", lds_gfx90a, 208, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx1100", lds_gfx1100, 192, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx90a", chase_vl0_gfx90a, 104, 1, "latency", "vl0", NULL, NULL},
    {"gfx1100", chase_vl0_gfx1100, 96, 1, "latency", "vl0", NULL, NULL},
    {"gfx90a", chase_l2_gfx90a, 104, 1, "latency", "l2", NULL, NULL},
    {"gfx1100", chase_l2_gfx1100, 96, 1, "latency", "l2", NULL, NULL},
    {"gfx90a", chase_dram_gfx90a, 104, 1, "latency", "dram", NULL, NULL},
    {"gfx1100", chase_dram_gfx1100, 96, 1, "latency", "dram", NULL, NULL},
    {"gfx90a", lds_chase_gfx90a, 104, 1, "latency", "lds", NULL, NULL},
    {"gfx1100", lds_chase_gfx1100, 96, 1, "latency", "lds", NULL, NULL},
    {"gfx90a", scalar_chase_gfx90a, 104, 1, "latency", "scalar", NULL, NULL},
    {"gfx1100", scalar_chase_gfx1100, 96, 1, "latency", "scalar", NULL, NULL},
    {"gfx90a", chain_gfx90a, 104, 1, "latency", "dependency", NULL, NULL},
    {"gfx1100", chain_gfx1100, 96, 2, "latency", "dependency", NULL, NULL},
    {"gfx90a", barrier_gfx90a, 104, 8, "latency", "barrier", NULL, NULL},
    {"gfx1100", barrier_gfx1100, 96, 8, "latency", "barrier", NULL, NULL},
    {"gfx90a", long_code, 104, 1, "latency", "fetch", NULL, NULL},
    {"gfx1100", long_code, 96, 1, "latency", "fetch", NULL, NULL},
    {"gfx1100", mixed_gfx1100, 96, 2, "issue", "issue", NULL, NULL},
    {"gfx90a", valu_gfx90a, 3, 4, "size", "cus", NULL, NULL},
    {"gfx1100", valu_gfx1100, 3, 4, "size", "cus", NULL, NULL},
    {"gfx90a", tail_gfx90a, 416, 1, "size", "tail", NULL, NULL},
    {"gfx1100", tail_gfx1100, 384, 1, "size", "tail", NULL, NULL},
    {"gfx803", valu_gfx803, 144, 4, "compute", "valu", NULL, NULL},
    {"gfx1201", valu_gfx1201, 256, 4, "compute", "valu", NULL, NULL},
    {"gfx1100", trans_gfx1100, 384, 4, "compute", "trans", NULL, NULL},
    {"gfx1201", trans_gfx1201, 256, 4, "compute", "trans", NULL, NULL},
    {"gfx1201", mfma_gfx1201, 256, 4, "compute", "matrix", NULL, NULL},
    {"gfx803", salu_gfx803, 144, 4, "compute", "salu", NULL, NULL},
    {"gfx1201", salu_gfx1201, 256, 4, "compute", "salu", NULL, NULL},
    {"gfx90a", branches_gfx90a, 416, 8, "compute", "branch", NULL, NULL},
    {"gfx803", stream_gfx803, 288, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx942", stream_gfx942, 912, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx1201", stream_gfx1201, 1024, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx942", stream_gfx942, 912, 1, "bandwidth", "fabric", "fabric.link_bytes_per_cycle=16", NULL},
    {"gfx1201", stream_gfx1201, 1024, 1, "bandwidth", "mall", "cache.mall.bytes_per_cycle=8", NULL},
    {"gfx942", stream_gfx942, 912, 1, "bandwidth", "mall", "cache.mall.bytes_per_cycle=8", NULL},
    {"gfx1201", stream_gfx1201, 1024, 1, "bandwidth", "l2", "cache.l2.bytes_per_cycle=4", NULL},
    {"gfx90a", reuse_gfx90a, 416, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx942", reuse_gfx942, 912, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx1201", reuse_gfx1201, 256, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx90a", kread_gfx90a, 416, 4, "bandwidth", "smem", NULL, NULL},
    {"gfx803", lds_gfx803, 72, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx942", lds_gfx942, 456, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx1201", lds_gfx1201, 128, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx803", ldschase_gfx803, 36, 1, "latency", "lds", NULL, NULL},
    {"gfx1201", ldschase_gfx1201, 64, 1, "latency", "lds", NULL, NULL},
    {"gfx803", scalar_gfx803, 36, 1, "latency", "scalar", NULL, NULL},
    {"gfx942", scalar_gfx942, 228, 1, "latency", "scalar", NULL, NULL},
    {"gfx1201", scalar_gfx1201, 64, 1, "latency", "scalar", NULL, NULL},
    {"gfx803", chain_gfx803, 36, 1, "latency", "dependency", NULL, NULL},
    {"gfx942", chain_gfx942, 228, 1, "latency", "dependency", NULL, NULL},
    {"gfx1201", chain_gfx1201, 64, 2, "latency", "dependency", NULL, NULL},
    {"gfx803", barrier_gfx803, 36, 8, "latency", "barrier", NULL, NULL},
    {"gfx942", barrier_gfx942, 228, 8, "latency", "barrier", NULL, NULL},
    {"gfx1201", barrier_gfx1201, 64, 8, "latency", "barrier", NULL, NULL},
    {"gfx90a", launch_gfx90a, 2000, 8, "latency", "launch", "frontend.launch_latency_cycles=500", NULL},
    {"gfx1201", launch_gfx1201, 2000, 8, "latency", "launch", "frontend.launch_latency_cycles=500", NULL},
    {"gfx90a", sleep_gfx90a, 104, 1, "latency", "sleep", NULL, NULL},
    {"gfx1201", sleep_gfx1201, 64, 1, "latency", "sleep", NULL, NULL},
    {"gfx942", spread_gfx942, 304, 1, "latency", "vl0", "cache.vl0.mshrs=2", "vL0 misses outstanding are at the limit"},
    {"gfx1201", spread_gfx1201, 64, 1, "latency", "vl0", "cache.vl0.mshrs=2",
     "vL0 misses outstanding are at the limit"},
    {"gfx1201", spread_gfx1201, 64, 1, "latency", "dram", "cache.vl0.mshrs=1024 tlb.walk_read_cycles=1",
     "queues on the way to DRAM"},
    {"gfx803", valu_gfx803, 3, 4, "size", "cus", NULL, NULL},
    {"gfx942", valu_gfx942, 3, 4, "size", "cus", NULL, NULL},
    {"gfx1201", valu_gfx1201, 3, 4, "size", "cus", NULL, NULL},
};

static void run_piece(const struct piece *p)
{
    uint32_t lanes = strncmp(p->target, "gfx1", 4) == 0 && strlen(p->target) == 7 ? 32 : 64;
    struct assembled code = assemble(p->target, p->text);
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;
    struct gcnsim *sim = NULL;
    clock_t began = clock();
    char text[200], *save = NULL;
    const char *set[4];
    size_t sets = 0;

    snprintf(text, sizeof text, "%s", p->set ? p->set : "");
    for (char *one = strtok_r(text, " ", &save); one; one = strtok_r(NULL, " ", &save))
        set[sets++] = one;
    gcnsim_raw_init(&raw);
    raw.target = p->target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    assert_true(code.words * sizeof *placed <= sizeof placed);
    memcpy(placed, code.word, code.words * sizeof *placed);
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)placed;
    raw.code_size = code.words * sizeof *placed;
    raw.wave_size = lanes;
    raw.workgroups[0] = p->groups;
    raw.workgroup_size[0] = lanes * p->waves;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12;
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    raw.compute_pgm_rsrc3 =
        lanes == 64 && strncmp(p->target, "gfx9", 4) == 0 ? 7 : 0; /* AccVGPRs begin after 32 VGPRs */
    raw.kernarg_address = (uint64_t)(uintptr_t)buffer;
    raw.lds_bytes = 16384;
    if (gcnsim_open(&sim, p->target, &error) || gcnsim_set_all(sim, set, sets, &error) ||
        gcnsim_launch_raw(sim, &raw, &r, &error))
        fail_msg("%s", error.text);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s %s: %s", p->target, p->resource, r->message);
    assert_non_null(r->limiter);
    if (strcmp(r->limiter->limit_class, p->limit_class) != 0 || strcmp(r->limiter->resource, p->resource) != 0) {
        char *report = NULL;

        gcnsim_result_text(r, &report, NULL);
        fail_msg("%s: expected %s %s, got %s %s\n%s", p->target, p->limit_class, p->resource, r->limiter->limit_class,
                 r->limiter->resource, report);
    }
    if (p->says && !strstr(r->limiter->verdict, p->says))
        fail_msg("%s: expected '%s', got '%s'", p->target, p->says, r->limiter->verdict);
    assert_true((strcmp(p->limit_class, "size") == 0) == (r->limiter->within != NULL));
    if (getenv("LIMITER_SHOW"))
        printf("%-8s %.2f s, %.0f cycles: %s\n", p->target, (double)(clock() - began) / CLOCKS_PER_SEC,
               r->stats[0].value, r->limiter->verdict);
    gcnsim_result_free(r);
    gcnsim_close(sim);
}

/* One case for each, so that a failure does not hide the others. */
static void piece(void **state)
{
    run_piece(*state);
}

int main(void)
{
    struct CMUnitTest tests[sizeof pieces / sizeof *pieces];
    char names[sizeof pieces / sizeof *pieces][64];

    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        snprintf(names[k], sizeof names[k], "%s_%s_%s", pieces[k].limit_class, pieces[k].resource, pieces[k].target);
        tests[k] = (struct CMUnitTest){names[k], piece, NULL, NULL, (void *)&pieces[k]};
    }
    return _cmocka_run_group_tests("limiter", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
