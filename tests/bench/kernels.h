/* The loops that tests/bench/bench.c runs, as words with their text. Word 1 of each is the number of iterations. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdint.h>

/* clang-format off */
/* gfx1201: eight independent chains of v_fma_f32 */
static const uint32_t fma_code[] = {
    0xbe8000ff, 0, /* s_mov_b32 s0, iterations */
    0x7e000d00, /* v_cvt_f32_u32_e32 v0, v0 */
    0x7e1202ff, 0x3f7fbe77, /* v_mov_b32_e32 v9, 0x3f7fbe77 */
    0x7e1402f0, /* v_mov_b32_e32 v10, 0.5 */
    0x7e020300, /* v_mov_b32_e32 v1, v0 */
    0x7e040300, /* v_mov_b32_e32 v2, v0 */
    0x7e060300, /* v_mov_b32_e32 v3, v0 */
    0x7e080300, /* v_mov_b32_e32 v4, v0 */
    0x7e0a0300, /* v_mov_b32_e32 v5, v0 */
    0x7e0c0300, /* v_mov_b32_e32 v6, v0 */
    0x7e0e0300, /* v_mov_b32_e32 v7, v0 */
    0x7e100300, /* v_mov_b32_e32 v8, v0 */
    0xd6130001, 0x042a1301, /* v_fma_f32 v1, v1, v9, v10 */
    0xd6130002, 0x042a1302, /* v_fma_f32 v2, v2, v9, v10 */
    0xd6130003, 0x042a1303, /* v_fma_f32 v3, v3, v9, v10 */
    0xd6130004, 0x042a1304, /* v_fma_f32 v4, v4, v9, v10 */
    0xd6130005, 0x042a1305, /* v_fma_f32 v5, v5, v9, v10 */
    0xd6130006, 0x042a1306, /* v_fma_f32 v6, v6, v9, v10 */
    0xd6130007, 0x042a1307, /* v_fma_f32 v7, v7, v9, v10 */
    0xd6130008, 0x042a1308, /* v_fma_f32 v8, v8, v9, v10 */
    0x80808100, /* s_sub_co_u32 s0, s0, 1 */
    0xbf078000, /* s_cmp_lg_u32 s0, 0 */
    0xbfa2ffed, /* s_cbranch_scc1 loop */
    0xbfb00000, /* s_endpgm */
};

/* gfx1201: hashing, 64-bit addition, selection, and the scalar work between them */
static const uint32_t integer_code[] = {
    0xbe8000ff, 0, /* s_mov_b32 s0, iterations */
    0x7e020300, /* v_mov_b32_e32 v1, v0 */
    0x7e040287, /* v_mov_b32_e32 v2, 7 */
    0x7e0602ff, 0x9e3779b9, /* v_mov_b32_e32 v3, 0x9e3779b9 */
    0x7e100280, /* v_mov_b32_e32 v8, 0 */
    0x7e120280, /* v_mov_b32_e32 v9, 0 */
    0x7e140280, /* v_mov_b32_e32 v10, 0 */
    0x3008028d, /* v_lshlrev_b32_e32 v4, 13, v1 */
    0x3a020901, /* v_xor_b32_e32 v1, v1, v4 */
    0x32080291, /* v_lshrrev_b32_e32 v4, 17, v1 */
    0x3a020901, /* v_xor_b32_e32 v1, v1, v4 */
    0xd6460005, 0x04090b01, /* v_lshl_add_u32 v5, v1, 5, v2 */
    0xd72c0006, 0x00020705, /* v_mul_lo_u32 v6, v5, v3 */
    0x4a040d02, /* v_add_nc_u32_e32 v2, v2, v6 */
    0xd6100007, 0x022d0902, /* v_bfe_u32 v7, v2, 4, 11 */
    0xd6570007, 0x041dff01, 0x000000ff, /* v_and_or_b32 v7, v1, 0xff, v7 */
    0x7c920507, /* v_cmp_lt_u32_e32 vcc_lo, v7, v2 */
    0x02100f08, /* v_cndmask_b32_e32 v8, v8, v7, vcc_lo */
    0xd7006a09, 0x00020b09, /* v_add_co_u32 v9, vcc_lo, v9, v5 */
    0xd5207c0a, 0x01aa1480, /* v_add_co_ci_u32_e64 v10, null, 0, v10, vcc_lo */
    0xd6450001, 0x04040108, /* v_xad_u32 v1, v8, s0, v1 */
    0xd6160002, 0x021e0302, /* v_alignbit_b32 v2, v2, v1, 7 */
    0x26161302, /* v_min_u32_e32 v11, v2, v9 */
    0x84028300, /* s_lshl_b32 s2, s0, 3 */
    0x8b03ff02, 0x00000ff0, /* s_and_b32 s3, s2, 0xff0 */
    0x80808100, /* s_sub_co_u32 s0, s0, 1 */
    0xbf078000, /* s_cmp_lg_u32 s0, 0 */
    0xbfa2ffe1, /* s_cbranch_scc1 loop */
    0xbfb00000, /* s_endpgm */
};

/* clang-format on */

#endif
