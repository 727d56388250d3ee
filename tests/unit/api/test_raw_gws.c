/* Global wave sync and cooperative launches, on both engines: barriers of a whole grid, semaphores as locks and gates,
 * what ends in a deadlock, and launches that there is no room for. Code words are of llvm-mc 19. */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"

/* All kernels: s[0:1] points to {counter, out, value}; resource 3 (M0) + 2 (offset). One lane a wave.
 * barrier: four times: counter++, meet, read the counter, meet; out[workgroup] = what was read last
 * init:    the resource's counter = value
 * lock:    P, counter = counter + 1 without an atomic, V */
static const uint32_t barrier_gfx803[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8c007f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbe8a0084,             /* s_mov_b32 s10, 4 */
    0x7e080204,             /* v_mov_b32_e32 v4, s4 */
    0x7e0a0205,             /* v_mov_b32_e32 v5, s5 */
    0xdd080000, 0x00000104, /* flat_atomic_add v[4:5], v1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x7e080204,             /* v_mov_b32_e32 v4, s4 */
    0x7e0a0205,             /* v_mov_b32_e32 v5, s5 */
    0xdc510000, 0x03000004, /* flat_load_dword v3, v[4:5] glc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x808a810a,             /* s_sub_u32 s10, s10, 1 */
    0xbf07800a,             /* s_cmp_lg_u32 s10, 0 */
    0xbf85ffed,             /* s_cbranch_scc1 loop */
    0x7e080208,             /* v_mov_b32_e32 v4, s8 */
    0x7e0a0209,             /* v_mov_b32_e32 v5, s9 */
    0xdc700000, 0x00000304, /* flat_store_dword v[4:5], v3 */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t barrier_gfx90a[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbe8a0084,             /* s_mov_b32 s10, 4 */
    0xdd088000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdc518000, 0x03040000, /* global_load_dword v3, v0, s[4:5] glc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x808a810a,             /* s_sub_u32 s10, s10, 1 */
    0xbf07800a,             /* s_cmp_lg_u32 s10, 0 */
    0xbf85fff1,             /* s_cbranch_scc1 loop */
    0xdc708000, 0x00080300, /* global_store_dword v0, v3, s[8:9] */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t barrier_gfx942[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbe8a0084,             /* s_mov_b32 s10, 4 */
    0xdf088000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] sc1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xde518000, 0x03040000, /* global_load_dword v3, v0, s[4:5] sc0 sc1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd93b0002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x808a810a,             /* s_sub_u32 s10, s10, 1 */
    0xbf07800a,             /* s_cmp_lg_u32 s10, 0 */
    0xbf85fff1,             /* s_cbranch_scc1 loop */
    0xde718000, 0x00080300, /* global_store_dword v0, v3, s[8:9] sc0 sc1 */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t barrier_gfx1030[] = {
    0xf4040100, 0xfa000000, /* s_load_dwordx2 s[4:5], s[0:1], null */
    0xf4040200, 0xfa000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xf4000180, 0xfa000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc03ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8f078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbe8a0384,             /* s_mov_b32 s10, 4 */
    0xdcc88000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd8760002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdc319000, 0x03040000, /* global_load_dword v3, v0, s[4:5] glc dlc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd8760002, 0x00000002, /* ds_gws_barrier v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x808a810a,             /* s_sub_u32 s10, s10, 1 */
    0xbf07800a,             /* s_cmp_lg_u32 s10, 0 */
    0xbf85fff1,             /* s_cbranch_scc1 loop */
    0xdc708000, 0x00080300, /* global_store_dword v0, v3, s[8:9] */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t init_gfx803[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8c007f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9330002, 0x00000002, /* ds_gws_init v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t init_gfx90a[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9330002, 0x00000002, /* ds_gws_init v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t init_gfx942[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9330002, 0x00000002, /* ds_gws_init v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t init_gfx1030[] = {
    0xf4040100, 0xfa000000, /* s_load_dwordx2 s[4:5], s[0:1], null */
    0xf4040200, 0xfa000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xf4000180, 0xfa000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc03ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8f078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd8660002, 0x00000002, /* ds_gws_init v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t lock_gfx803[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8c007f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9390002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x7e080204,             /* v_mov_b32_e32 v4, s4 */
    0x7e0a0205,             /* v_mov_b32_e32 v5, s5 */
    0xdc510000, 0x03000004, /* flat_load_dword v3, v[4:5] glc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x32060681,             /* v_add_u32_e32 v3, vcc, 1, v3 */
    0x7e080204,             /* v_mov_b32_e32 v4, s4 */
    0x7e0a0205,             /* v_mov_b32_e32 v5, s5 */
    0xdc700000, 0x00000304, /* flat_store_dword v[4:5], v3 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd9350002, 0x00000000, /* ds_gws_sema_v offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t lock_gfx90a[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9390002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdc518000, 0x03040000, /* global_load_dword v3, v0, s[4:5] glc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x68060681,             /* v_add_u32_e32 v3, 1, v3 */
    0xdc708000, 0x00040300, /* global_store_dword v0, v3, s[4:5] */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd9350002, 0x00000000, /* ds_gws_sema_v offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t lock_gfx942[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd9390002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xde518000, 0x03040000, /* global_load_dword v3, v0, s[4:5] sc0 sc1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x68060681,             /* v_add_u32_e32 v3, 1, v3 */
    0xde718000, 0x00040300, /* global_store_dword v0, v3, s[4:5] sc0 sc1 */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd9350002, 0x00000000, /* ds_gws_sema_v offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
static const uint32_t lock_gfx1030[] = {
    0xf4040100, 0xfa000000, /* s_load_dwordx2 s[4:5], s[0:1], null */
    0xf4040200, 0xfa000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xf4000180, 0xfa000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc03ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8f078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xd8720002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdc319000, 0x03040000, /* global_load_dword v3, v0, s[4:5] glc dlc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x4a060681,             /* v_add_nc_u32_e32 v3, 1, v3 */
    0xdc708000, 0x00040300, /* global_store_dword v0, v3, s[4:5] */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd86a0002, 0x00000000, /* ds_gws_sema_v offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,             /* s_endpgm */
};
/* workgroup 0 gives `value` permits at once, the others take one each; all count themselves */
static const uint32_t gate_gfx90a[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbf068002,             /* s_cmp_eq_u32 s2, 0 */
    0xbf850004,             /* s_cbranch_scc1 open */
    0xd9390002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf820003,             /* s_branch end */
    0xd9370002, 0x00000002, /* ds_gws_sema_br v2 offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdd088000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] */
    0xbf810000,             /* s_endpgm */
};
/* workgroup 0 lets all go that wait when `value` of them have counted themselves, after a while; they do so again */
static const uint32_t all_gfx90a[] = {
    0xc0060100, 0x00000000, /* s_load_dwordx2 s[4:5], s[0:1], 0x0 */
    0xc0060200, 0x00000008, /* s_load_dwordx2 s[8:9], s[0:1], 0x8 */
    0xc0020180, 0x00000010, /* s_load_dword s6, s[0:1], 0x10 */
    0xbefc00ff, 0x00030000, /* s_mov_b32 m0, 0x30000 */
    0x7e000280,             /* v_mov_b32_e32 v0, 0 */
    0x7e020281,             /* v_mov_b32_e32 v1, 1 */
    0xbf8cc07f,             /* s_waitcnt lgkmcnt(0) */
    0x8e078202,             /* s_lshl_b32 s7, s2, 2 */
    0x80080708,             /* s_add_u32 s8, s8, s7 */
    0x82098009,             /* s_addc_u32 s9, s9, 0 */
    0x7e040206,             /* v_mov_b32_e32 v2, s6 */
    0xbf068002,             /* s_cmp_eq_u32 s2, 0 */
    0xbf850009,             /* s_cbranch_scc1 open */
    0xdd088000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xd9390002, 0x00000000, /* ds_gws_sema_p offset:2 gds */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdd088000, 0x00040100, /* global_atomic_add v0, v1, s[4:5] */
    0xbf810000,             /* s_endpgm */
    0xdc518000, 0x03040000, /* global_load_dword v3, v0, s[4:5] glc */
    0xbf8c0070,             /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x7d9a0702,             /* v_cmp_ne_u32_e32 vcc, v2, v3 */
    0xbf87fffb,             /* s_cbranch_vccnz open */
    0xbf8e007f,             /* s_sleep 0x7f */
    0xd9310002, 0x00000000, /* ds_gws_sema_release_all offset:2 gds */
    0xbf810000,             /* s_endpgm */
};

#define KERNEL(CODE)                                                                                                   \
    {                                                                                                                  \
        CODE, sizeof(CODE)                                                                                             \
    }
struct kernel {
    const uint32_t *code;
    size_t bytes;
};
static const struct target {
    const char *name;
    struct kernel barrier, init, lock;
} targets[] = {
    {"gfx803", KERNEL(barrier_gfx803), KERNEL(init_gfx803), KERNEL(lock_gfx803)},
    {"gfx90a", KERNEL(barrier_gfx90a), KERNEL(init_gfx90a), KERNEL(lock_gfx90a)},
    {"gfx942", KERNEL(barrier_gfx942), KERNEL(init_gfx942), KERNEL(lock_gfx942)},
    {"gfx1030", KERNEL(barrier_gfx1030), KERNEL(init_gfx1030), KERNEL(lock_gfx1030)},
};
#define TARGETS (sizeof targets / sizeof targets[0])

#define MOST_GROUPS 64
static struct {
    uint32_t *counter, *out;
    uint32_t value;
} args;
static uint32_t counter, out[MOST_GROUPS];

struct setting {
    enum gcnsim_engine engine;
    uint32_t threads;
    int every_cycle;
};
static const struct setting settings[] = {{GCNSIM_ENGINE_FUNCTIONAL, 1, 0},
                                          {GCNSIM_ENGINE_FUNCTIONAL, 3, 0},
                                          {GCNSIM_ENGINE_TIMING, 1, 0},
                                          {GCNSIM_ENGINE_TIMING, 1, 1},
                                          {GCNSIM_ENGINE_TIMING, 2, 0}};
#define SETTINGS (sizeof settings / sizeof settings[0])

static struct gcnsim *open_simulator(const char *profile)
{
    struct gcnsim_error error;
    struct gcnsim *sim;

    if (gcnsim_open(&sim, profile, &error))
        fail_msg("%s", error.text);
    return sim;
}

static void set_up(struct gcnsim_raw *r, const char *target, const struct kernel *k, uint32_t groups, uint32_t value,
                   const struct setting *s)
{
    gcnsim_raw_init(r);
    r->target = target;
    r->entry = r->code_base = (uint64_t)(uintptr_t)k->code;
    r->code_size = k->bytes;
    r->wave_size = 64;
    r->compute_pgm_rsrc1 = 1u | 3u << 6 | 0xf0u << 12;
    r->compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    r->compute_pgm_rsrc3 = target[3] == '9' ? 1 : 0; /* AccVGPRs from v8 on */
    r->workgroups[0] = groups;
    r->kernarg_address = (uint64_t)(uintptr_t)&args;
    r->engine = s->engine;
    r->threads = s->threads;
    r->tick_every_cycle = s->every_cycle;
    args.counter = &counter;
    args.out = out;
    args.value = value;
}

static struct gcnsim_result *run(struct gcnsim *sim, const char *target, const struct kernel *k, uint32_t groups,
                                 uint32_t value, const struct setting *s)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;

    set_up(&r, target, k, groups, value, s);
    r.cooperative = 1;
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s: %s", target, error.text);
    return result;
}

static double completes(struct gcnsim *sim, const char *target, const struct kernel *k, uint32_t groups, uint32_t value,
                        const struct setting *s)
{
    struct gcnsim_result *result = run(sim, target, k, groups, value, s);
    double cycles = 0;

    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", target, result->message);
    if (s->engine == GCNSIM_ENGINE_TIMING)
        cycles = result_stat(result, "cycles");
    gcnsim_result_free(result);
    return cycles;
}

/* As runtimes do it: one kernel initialises the resource, the next one meets there. */
static void barriers_of_a_grid(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++) {
        double cycles = 0;
        for (unsigned s = 0; s < SETTINGS; s++)
            for (uint32_t groups = 1; groups <= MOST_GROUPS; groups = groups * 3 + 1) {
                const struct target *of = &targets[t];
                struct gcnsim *sim = open_simulator(of->name);
                completes(sim, of->name, &of->init, 1, groups - 1, &settings[s]);
                counter = 0;
                memset(out, 0, sizeof out);
                double took = completes(sim, of->name, &of->barrier, groups, groups - 1, &settings[s]);
                assert_int_equal(counter, 4 * groups);
                for (uint32_t i = 0; i < groups; i++)
                    assert_int_equal(out[i], 4 * groups);
                /* neither threads nor the jumps of the clock change the time */
                if (groups == 40 && s >= 2)
                    assert_true(cycles == 0 || took == cycles);
                if (groups == 40)
                    cycles = took;
                gcnsim_close(sim);
            }
    }
}

static void locks(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned s = 0; s < SETTINGS; s++) {
            const struct target *of = &targets[t];
            struct gcnsim *sim = open_simulator(of->name);
            completes(sim, of->name, &of->init, 1, 1, &settings[s]);
            counter = 0;
            completes(sim, of->name, &of->lock, 40, 0, &settings[s]);
            assert_int_equal(counter, 40);
            gcnsim_close(sim);
        }
}

static void gates(void **state)
{
    const struct kernel init = KERNEL(init_gfx90a), gate = KERNEL(gate_gfx90a), all = KERNEL(all_gfx90a);

    (void)state;
    for (unsigned s = 0; s < SETTINGS; s++) {
        struct gcnsim *sim = open_simulator("gfx90a");
        completes(sim, "gfx90a", &init, 1, 0, &settings[s]);
        counter = 0;
        completes(sim, "gfx90a", &gate, 20, 19, &settings[s]);
        assert_int_equal(counter, 20);
        /* one thread takes a wave from its count to where it waits, and on the chip the time is enough */
        counter = 0;
        if (settings[s].engine == GCNSIM_ENGINE_TIMING || settings[s].threads == 1) {
            completes(sim, "gfx90a", &all, 20, 19, &settings[s]);
            assert_int_equal(counter, 38);
        }
        gcnsim_close(sim);
    }
}

/* One more is waited for than comes; also when some wait for permits that nobody gives. */
static void deadlocks(void **state)
{
    const struct kernel init = KERNEL(init_gfx90a), barrier = KERNEL(barrier_gfx90a), lock = KERNEL(lock_gfx90a);

    (void)state;
    for (unsigned s = 0; s < SETTINGS; s++)
        for (int locked = 0; locked < 2; locked++) {
            struct gcnsim *sim = open_simulator("gfx90a");
            completes(sim, "gfx90a", &init, 1, locked ? 0 : 10, &settings[s]);
            struct gcnsim_result *result = run(sim, "gfx90a", locked ? &lock : &barrier, 10, 10, &settings[s]);
            assert_int_equal(result->outcome, GCNSIM_FAULTED);
            assert_string_equal(result->fault->kind, "deadlock");
            assert_non_null(strstr(result->fault->instruction, locked ? "ds_gws_sema_p" : "ds_gws_barrier"));
            gcnsim_result_free(result);
            /* those that waited are gone */
            completes(sim, "gfx90a", &init, 1, 9, &settings[s]);
            counter = 0;
            completes(sim, "gfx90a", &barrier, 10, 9, &settings[s]);
            assert_int_equal(counter, 40);
            gcnsim_close(sim);
        }
}

/* A worker whose host thread has not come by the time that the first worker is through never comes; the others do not
 * wait for it. Where all threads share a processor, some come late. */
static void deadlocks_without_late_threads(void **state)
{
    enum { ROUNDS = 25 };
    cpu_set_t all, one;

    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (unsigned n = 0; n < ROUNDS; n++)
        deadlocks(state);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void no_room(void **state)
{
    const struct kernel barrier = KERNEL(barrier_gfx90a);
    struct gcnsim *sim = open_simulator("gfx90a");
    struct gcnsim_error error;
    struct gcnsim_result *result;
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", &barrier, 100000, 0, &settings[2]);
    r.cooperative = 1;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cooperative launch of 100000 workgroups; "));
    r.workgroups[0] = 20000000;
    r.engine = GCNSIM_ENGINE_FUNCTIONAL;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cooperative launch of 20000000 workgroups; "));
    gcnsim_close(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_of_a_grid),
        cmocka_unit_test(locks),
        cmocka_unit_test(gates),
        cmocka_unit_test(deadlocks),
        cmocka_unit_test(deadlocks_without_late_threads),
        cmocka_unit_test(no_room),
    };

    return cmocka_run_group_tests_name("global wave sync", tests, NULL, NULL);
}
