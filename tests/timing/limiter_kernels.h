/* More kernels of test_limiter.c: what each does stands before it, its target in its name.
 * s[0:1] is the address of a buffer of zeros, and s2, on gfx1201 ttmp9, the workgroup. */
#ifndef GCNSIM_TESTS_TIMING_LIMITER_KERNELS_H
#define GCNSIM_TESTS_TIMING_LIMITER_KERNELS_H

/* independent multiply-adds */
static const char valu_gfx803[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent scalar additions */
static const char salu_gfx803[] =
    "s_movk_i32 s4, 0x28; "
    "loop: .rept 3; s_add_u32 s8, s6, s7; s_add_u32 s9, s6, s7; s_add_u32 s10, s6, s7; s_add_u32 s11, s6, s7; "
    "s_add_u32 s12, s6, s7; s_add_u32 s13, s6, s7; s_add_u32 s14, s6, s7; s_add_u32 s15, s6, s7; .endr; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* reads memory from end to end */
static const char stream_gfx803[] =
    "s_lshl_b32 s5, s2, 14; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, vcc, s5, v1; v_add_u32 v2, vcc, s0, v1; "
    "v_mov_b32 v3, s1; v_addc_u32 v3, vcc, 0, v3, vcc; s_movk_i32 s4, 0x10; "
    "loop: flat_load_dwordx4 v[4:7], v[2:3]; v_add_u32 v2, vcc, 0x400, v2; v_addc_u32 v3, vcc, 0, v3, vcc; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_waitcnt vmcnt(0); s_endpgm";
/* all lanes name one bank of LDS */
static const char lds_gfx803[] =
    "v_lshlrev_b32 v1, 7, v0; s_mov_b32 m0, -1; s_movk_i32 s4, 0x14; "
    "loop: ds_read_b32 v4, v1; ds_read_b32 v5, v1; ds_read_b32 v6, v1; ds_read_b32 v7, v1; s_waitcnt lgkmcnt(0); "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* a load from LDS needs the one before it */
static const char ldschase_gfx803[] =
    "v_mov_b32 v1, 0; v_mov_b32 v2, 0; s_mov_b32 m0, -1; ds_write_b32 v1, v2; s_waitcnt lgkmcnt(0); "
    "s_movk_i32 s4, 0x3c; "
    "loop: ds_read_b32 v1, v1; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* an instruction needs the one before it */
static const char chain_gfx803[] =
    "s_movk_i32 s4, 0x14; "
    "loop: .rept 60; v_fma_f32 v4, v4, v4, v4; .endr; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* the first wave counts, the others wait for it at a barrier */
static const char barrier_gfx803[] =
    "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 skip; s_movk_i32 s4, 0x190; "
    "loop: s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "skip: s_barrier; s_endpgm";
/* ends at once */
static const char launch_gfx803[] = "s_endpgm";
/* a scalar load needs the one before it */
static const char scalar_gfx803[] =
    "s_mov_b32 s6, 0; s_movk_i32 s4, 0x3c; "
    "loop: s_load_dword s6, s[0:1], s6; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* independent multiply-adds */
static const char valu_gfx942[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* reads memory from end to end */
static const char stream_gfx942[] =
    "s_lshl_b32 s5, s2, 15; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_dwordx4 v[4:7], v1, s[0:1]; global_load_dwordx4 v[8:11], v1, s[0:1] offset:1024; "
    "global_load_dwordx4 v[12:15], v1, s[0:1] offset:2048; global_load_dwordx4 v[16:19], v1, s[0:1] offset:3072; "
    "v_add_u32 v1, 0x1000, v1; s_waitcnt vmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* reads the same lines again and again */
static const char reuse_gfx942[] =
    "s_lshl_b32 s5, 0, 0; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, s5, v1; s_movk_i32 s4, 0xc; "
    "loop: global_load_dwordx4 v[4:7], v1, s[0:1]; global_load_dwordx4 v[8:11], v1, s[0:1]; "
    "global_load_dwordx4 v[12:15], v1, s[0:1]; global_load_dwordx4 v[16:19], v1, s[0:1]; "
    "global_load_dwordx4 v[20:23], v1, s[0:1]; global_load_dwordx4 v[24:27], v1, s[0:1]; s_waitcnt vmcnt(0); "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* all lanes name one bank of LDS */
static const char lds_gfx942[] =
    "v_lshlrev_b32 v1, 7, v0; s_movk_i32 s4, 0x14; "
    "loop: ds_read_b32 v4, v1; ds_read_b32 v5, v1; ds_read_b32 v6, v1; ds_read_b32 v7, v1; s_waitcnt lgkmcnt(0); "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* an instruction needs the one before it */
static const char chain_gfx942[] =
    "s_movk_i32 s4, 0x1e; "
    "loop: v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]; "
    "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]; "
    "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]; "
    "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* the first wave counts, the others wait for it at a barrier */
static const char barrier_gfx942[] =
    "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 skip; s_movk_i32 s4, 0x190; "
    "loop: s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "skip: s_barrier; s_endpgm";
/* ends at once */
static const char launch_gfx942[] = "s_endpgm";
/* a scalar load needs the one before it */
static const char scalar_gfx942[] =
    "s_mov_b32 s6, 0; s_movk_i32 s4, 0x3c; "
    "loop: s_load_dword s6, s[0:1], s6; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* a line for each lane */
static const char spread_gfx942[] =
    "s_lshl_b32 s5, s2, 14; v_lshlrev_b32 v1, 7, v0; v_add_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_dword v4, v1, s[0:1]; v_add_u32 v1, 0x2000, v1; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_waitcnt vmcnt(0); s_endpgm";
/* independent multiply-adds */
static const char valu_gfx1201[] =
    "s_movk_i32 s4, 0x28; "
    "loop: v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "v_fma_f32 v4, v1, v2, v4; v_fma_f32 v5, v1, v2, v5; v_fma_f32 v6, v1, v2, v6; v_fma_f32 v7, v1, v2, v7; "
    "v_fma_f32 v8, v1, v2, v8; v_fma_f32 v9, v1, v2, v9; v_fma_f32 v10, v1, v2, v10; v_fma_f32 v11, v1, v2, v11; "
    "v_fma_f32 v12, v1, v2, v12; v_fma_f32 v13, v1, v2, v13; v_fma_f32 v14, v1, v2, v14; v_fma_f32 v15, v1, v2, v15; "
    "s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent exponentials */
static const char trans_gfx1201[] =
    "s_movk_i32 s4, 0x14; "
    "loop: v_exp_f32 v4, v1; v_exp_f32 v5, v1; v_exp_f32 v6, v1; v_exp_f32 v7, v1; v_exp_f32 v8, v1; "
    "v_exp_f32 v9, v1; v_exp_f32 v10, v1; v_exp_f32 v11, v1; v_exp_f32 v12, v1; v_exp_f32 v13, v1; v_exp_f32 v14, v1; "
    "v_exp_f32 v15, v1; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* independent matrix instructions */
static const char mfma_gfx1201[] =
    "s_movk_i32 s4, 0xc; "
    "loop: v_wmma_f32_16x16x16_f16 v[16:23], v[0:3], v[4:7], v[16:23]; "
    "v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[4:7], v[24:31]; "
    "v_wmma_f32_16x16x16_f16 v[32:39], v[0:3], v[4:7], v[32:39]; "
    "v_wmma_f32_16x16x16_f16 v[40:47], v[0:3], v[4:7], v[40:47]; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* independent scalar additions */
static const char salu_gfx1201[] =
    "s_movk_i32 s4, 0x28; "
    "loop: .rept 3; s_add_co_u32 s8, s6, s7; s_add_co_u32 s9, s6, s7; s_add_co_u32 s10, s6, s7; "
    "s_add_co_u32 s11, s6, s7; s_add_co_u32 s12, s6, s7; s_add_co_u32 s13, s6, s7; s_add_co_u32 s14, s6, s7; "
    "s_add_co_u32 s15, s6, s7; .endr; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* reads memory from end to end */
static const char stream_gfx1201[] =
    "s_lshl_b32 s5, ttmp9, 14; v_lshlrev_b32 v1, 4, v0; v_add_nc_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_b128 v[4:7], v1, s[0:1]; global_load_b128 v[8:11], v1, s[0:1] offset:512; "
    "global_load_b128 v[12:15], v1, s[0:1] offset:1024; global_load_b128 v[16:19], v1, s[0:1] offset:1536; "
    "v_add_nc_u32 v1, 0x800, v1; s_wait_loadcnt 0x0; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* reads the same lines again and again */
static const char reuse_gfx1201[] =
    "s_lshl_b32 s5, 0, 0; v_lshlrev_b32 v1, 4, v0; v_add_nc_u32 v1, s5, v1; s_movk_i32 s4, 0x14; "
    "loop: global_load_b128 v[4:7], v1, s[0:1]; global_load_b128 v[8:11], v1, s[0:1]; "
    "global_load_b128 v[12:15], v1, s[0:1]; global_load_b128 v[16:19], v1, s[0:1]; "
    "global_load_b128 v[20:23], v1, s[0:1]; global_load_b128 v[24:27], v1, s[0:1]; s_wait_loadcnt 0x0; "
    "s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* all lanes name one bank of LDS */
static const char lds_gfx1201[] =
    "v_lshlrev_b32 v1, 7, v0; s_movk_i32 s4, 0x14; "
    "loop: ds_load_b32 v4, v1; ds_load_b32 v5, v1; ds_load_b32 v6, v1; ds_load_b32 v7, v1; s_wait_dscnt 0x0; "
    "s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* a load from LDS needs the one before it */
static const char ldschase_gfx1201[] =
    "v_mov_b32 v1, 0; v_mov_b32 v2, 0; ds_store_b32 v1, v2; s_wait_dscnt 0x0; s_movk_i32 s4, 0x3c; "
    "loop: ds_load_b32 v1, v1; s_wait_dscnt 0x0; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "s_endpgm";
/* an instruction needs the one before it */
static const char chain_gfx1201[] =
    "s_movk_i32 s4, 0x14; "
    "loop: .rept 60; v_fma_f32 v4, v4, v4, v4; .endr; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* the first wave counts, the others wait for it at a barrier */
static const char barrier_gfx1201[] =
    "v_readfirstlane_b32 s6, v0; s_cmp_lg_u32 s6, 0; s_cbranch_scc1 skip; s_movk_i32 s4, 0x190; "
    "loop: s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; "
    "skip: s_barrier_signal -1; s_barrier_wait 0xffff; s_endpgm";
/* ends at once */
static const char launch_gfx1201[] = "s_endpgm";
/* sleeps */
static const char sleep_gfx1201[] = ".rept 20; s_sleep 0x64; .endr; s_endpgm";
/* a scalar load needs the one before it */
static const char scalar_gfx1201[] =
    "s_mov_b32 s6, 0; s_movk_i32 s4, 0x3c; "
    "loop: s_load_b32 s6, s[0:1], s6 offset:0x0; s_wait_kmcnt 0x0; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_endpgm";
/* a line for each lane */
static const char spread_gfx1201[] =
    "s_lshl_b32 s5, ttmp9, 14; v_lshlrev_b32 v1, 7, v0; v_add_nc_u32 v1, s5, v1; s_movk_i32 s4, 0x8; "
    "loop: global_load_b32 v4, v1, s[0:1]; v_add_nc_u32 v1, 0x2000, v1; s_sub_co_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
    "s_cbranch_scc1 loop; s_wait_loadcnt 0x0; s_endpgm";
/* independent exponentials */
static const char trans_gfx1100[] =
    "s_movk_i32 s4, 0x14; "
    "loop: v_exp_f32 v4, v1; v_exp_f32 v5, v1; v_exp_f32 v6, v1; v_exp_f32 v7, v1; v_exp_f32 v8, v1; "
    "v_exp_f32 v9, v1; v_exp_f32 v10, v1; v_exp_f32 v11, v1; v_exp_f32 v12, v1; v_exp_f32 v13, v1; v_exp_f32 v14, v1; "
    "v_exp_f32 v15, v1; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* ends at once */
static const char launch_gfx90a[] = "s_endpgm";
/* sleeps */
static const char sleep_gfx90a[] = ".rept 20; s_sleep 0x64; .endr; s_endpgm";
/* scalar loads of a line that is there */
static const char kread_gfx90a[] =
    "s_movk_i32 s4, 0x28; "
    "loop: s_load_dwordx16 s[16:31], s[0:1], 0x0; s_load_dwordx16 s[16:31], s[0:1], 0x0; "
    "s_load_dwordx16 s[16:31], s[0:1], 0x0; s_load_dwordx16 s[16:31], s[0:1], 0x0; "
    "s_load_dwordx16 s[16:31], s[0:1], 0x0; s_load_dwordx16 s[16:31], s[0:1], 0x0; s_waitcnt lgkmcnt(0); "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* branches to the next instruction */
static const char branches_gfx90a[] =
    "s_movk_i32 s4, 0x10; "
    "loop: .rept 40; s_branch 0; .endr; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";
/* reads the same lines again and again */
static const char reuse_gfx90a[] =
    "s_lshl_b32 s5, 0, 0; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, s5, v1; s_movk_i32 s4, 0x14; "
    "loop: global_load_dwordx4 v[4:7], v1, s[0:1]; global_load_dwordx4 v[8:11], v1, s[0:1]; "
    "global_load_dwordx4 v[12:15], v1, s[0:1]; global_load_dwordx4 v[16:19], v1, s[0:1]; "
    "global_load_dwordx4 v[20:23], v1, s[0:1]; global_load_dwordx4 v[24:27], v1, s[0:1]; s_waitcnt vmcnt(0); "
    "s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 loop; s_endpgm";

#endif
