/* Inline constants of packed and mixed 16-bit operands: in both halves of the operand or in the low one, by instruction
 * and generation (docs/SEMANTICS_NOTES.md, "Inline constants"). Encodings are llvm-mc-19's (gfx950: gfx942's, and of
 * its own opcodes the CDNA4 manual's); values are worked out by hand.
 */
#include "tests/unit/isa/harness.h"

struct constant_case {
    const char *targets, *text;
    uint32_t words[3];
    uint32_t v[4]; /* v0 (before), v1, v2, v3 */
    uint32_t want; /* v0 */
};

/* clang-format off */
static const struct constant_case cases[] = {
    /* v_pk_fmac_f16: in both halves from gfx11 on */
    {"gfx1100 gfx1150 gfx1201", "v_pk_fmac_f16 v0, 1.0, v1",
     {0x780002f2}, {0x40004000, 0x44004400, 0, 0x40804040}, 0x46004600},
    {"gfx1010 gfx1030", "v_pk_fmac_f16 v0, 1.0, v1",
     {0x780002f2}, {0x40004000, 0x44004400, 0, 0x40804040}, 0x40004600},
    {"gfx908 gfx90a gfx942 gfx950", "v_pk_fmac_f16_e32 v0, 1.0, v1",
     {0x780002f2}, {0x40004000, 0x44004400, 0, 0x40804040}, 0x40004600},
    {"gfx1100 gfx1150 gfx1201", "v_pk_fmac_f16 v0, -4.0, v1",
     {0x780002f7}, {0x40004000, 0x44004400, 0, 0x40804040}, 0xcb00cb00},
    {"gfx1100 gfx1150 gfx1201", "v_pk_fmac_f16 v0, 1, v1",
     {0x78000281}, {0, 0x44004400, 0, 0x40804040}, 0x00040004},
    {"gfx1030", "v_pk_fmac_f16 v0, 1, v1",
     {0x78000281}, {0, 0x44004400, 0, 0x40804040}, 0x00000004},
    {"gfx1100 gfx1201 gfx1030", "v_pk_fmac_f16 v0, 0x3c014401, v1",
     {0x780002ff, 0x3c014401}, {0x40004000, 0x44004400, 0, 0x40804040}, 0x46014c81},
    /* DOT2 of RDNA3 and RDNA4: in both halves */
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f16_f16 v0, 1.0, v1, v2",
     {0xd6660000, 0x040a02f2}, {0xabcd1234, 0x44004200, 0, 0x40804040}, 0xabcd4700},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f16_f16 v0, v1, 1.0, v2",
     {0xd6660000, 0x0409e501}, {0, 0x44004200, 0, 0x40804040}, 0x00004700},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f16_f16 v0, neg(1.0), v1, 2.0",
     {0xd6660000, 0x23d202f2}, {0, 0x44004200, 0, 0x40804040}, 0x0000c500},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f16_f16 v0, |-1.0|, v1, v2",
     {0xd6660100, 0x040a02f3}, {0, 0x44004200, 0, 0x40804040}, 0x00004700},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f16_f16 v0, 1.0, v1, v2 op_sel:[0,0,0,1]",
     {0xd6664000, 0x040a02f2}, {0xabcd1234, 0x44004200, 0, 0x40804040}, 0x47001234},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_bf16_bf16 v0, 1.0, v3, v2",
     {0xd6670000, 0x040a06f2}, {0xabcd1234, 0x44004200, 0, 0x40804040}, 0xabcd40e0},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_bf16_bf16 v0, v3, neg(1.0), 2.0",
     {0xd6670000, 0x43d1e503}, {0, 0x44004200, 0, 0x40804040}, 0x0000c0a0},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_bf16_bf16 v0, 1.0, v3, v2 op_sel:[0,0,0,1]",
     {0xd6674000, 0x040a06f2}, {0xabcd1234, 0x44004200, 0, 0x40804040}, 0x40e01234},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, 1.0, v3, v2",
     {0xcc1a4000, 0x1c0a06f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, v3, 1.0, v2",
     {0xcc1a4000, 0x1c09e503}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, 1.0, v3, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1]",
     {0xcc1a4800, 0x140a06f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, 1.0, v3, v2 neg_lo:[1,0,0]",
     {0xcc1a4000, 0x3c0a06f2}, {0, 0x44004200, 0, 0x40804040}, 0x3f800000},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, 1.0, v3, v2 neg_hi:[1,0,0]",
     {0xcc1a4100, 0x1c0a06f2}, {0, 0x44004200, 0, 0x40804040}, 0xbf800000},
    {"gfx1100 gfx1150 gfx1201", "v_dot2_f32_bf16 v0, 1.0, v3, v2 clamp",
     {0xcc1ac000, 0x1c0a06f2}, {0, 0x44004200, 0, 0x40804040}, 0x3f800000},
    {"gfx1100 gfx1150", "v_dot2acc_f32_f16 v0, 1.0, v1",
     {0x040002f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150", "v_dual_dot2acc_f32_f16 v0, 1.0, v1 :: v_dual_mov_b32 v5, v3",
     {0xcb1002f2, 0x00040103}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150", "v_dual_mov_b32 v5, v3 :: v_dual_dot2acc_f32_f16 v0, 1.0, v1",
     {0xca180103, 0x050002f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1201", "v_dual_dot2acc_f32_f16 v0, 1.0, v1 :: v_dual_mov_b32 v5, v3", /* LLVM 22, as the bf16 ones */
     {0xcb1002f2, 0x00040103}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1201", "v_dual_mov_b32 v5, v3 :: v_dual_dot2acc_f32_f16 v0, 1.0, v1",
     {0xca180103, 0x050002f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dual_dot2acc_f32_bf16 v0, 1.0, v3 :: v_dual_mov_b32 v5, v1",
     {0xcb5006f2, 0x00040101}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dual_mov_b32 v5, v1 :: v_dual_dot2acc_f32_bf16 v0, 1.0, v3",
     {0xca1a0101, 0x050006f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1100 gfx1150 gfx1201", "v_dual_dot2acc_f32_bf16 v0, 1.0, v3 :: v_dual_dot2acc_f32_f16 v5, 1.0, v2",
     {0xcb5806f2, 0x000404f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1150 gfx1201", "v_dot2_f16_f16_e64_dpp v0, v1, 1.0, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
     {0xd6660000, 0x0409e4fa, 0xff00e401}, {0, 0x44004200, 0, 0x40804040}, 0x00004700},
    /* DOT2 of the others: in the low half alone */
    {"gfx950", "v_dot2_f32_bf16 v0, 1.0, v3, v2",
     {0xd39a4000, 0x1c0a06f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx950", "v_dot2c_f32_bf16_e32 v0, 1.0, v3",
     {0x2c0006f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx908 gfx90a gfx942 gfx950", "v_dot2c_f32_f16_e32 v0, 1.0, v1",
     {0x6e0002f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx1030", "v_dot2c_f32_f16 v0, 1.0, v1",
     {0x040002f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx1030", "v_dot2c_f32_f16_dpp v0, v1, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
     {0x040002fa, 0xff00e401}, {0, 0x44004200, 0, 0x40804040}, 0x41c80000},
    {"gfx1030", "v_dot2c_f32_f16_dpp v0, v1, v1 dpp8:[0,1,2,3,4,5,6,7]",
     {0x040002e9, 0xfac68801}, {0, 0x44004200, 0, 0x40804040}, 0x41c80000},
    /* v_dot2_f32_f16: in the low half everywhere, where compilers look for it (docs/SEMANTICS_NOTES.md) */
    {"gfx906 gfx942", "v_dot2_f32_f16 v0, 1.0, v1, v2",
     {0xd3a34000, 0x1c0a02f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_dot2_f32_f16 v0, 1.0, v1, v2",
     {0xcc134000, 0x1c0a02f2}, {0, 0x44004200, 0, 0x40804040}, 0x40400000},
    {"gfx906", "v_dot2_f32_f16 v0, 1.0, v1, v2 op_sel_hi:[0,1,1]",
     {0xd3a34000, 0x140a02f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_dot2_f32_f16 v0, 1.0, v1, v2 op_sel_hi:[0,1,1]",
     {0xcc134000, 0x140a02f2}, {0, 0x44004200, 0, 0x40804040}, 0x40e00000},
    {"gfx906", "v_dot2_f32_f16 v0, v1, 1.0, v2 op_sel:[0,1,0] op_sel_hi:[1,0,1]",
     {0xd3a35000, 0x0c09e501}, {0, 0x44004200, 0, 0x40804040}, 0x40800000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_dot2_f32_f16 v0, v1, 1.0, v2 op_sel:[0,1,0] op_sel_hi:[1,0,1]",
     {0xcc135000, 0x0c09e501}, {0, 0x44004200, 0, 0x40804040}, 0x40800000},
    {"gfx906", "v_dot2_f32_f16 v0, v1, 1.0, v2 op_sel_hi:[1,0,1] neg_lo:[0,1,0] neg_hi:[0,1,0]",
     {0xd3a34200, 0x4c09e501}, {0, 0x44004200, 0, 0x40804040}, 0xc0e00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_dot2_f32_f16 v0, v1, 1.0, v2 op_sel_hi:[1,0,1] neg_lo:[0,1,0] neg_hi:[0,1,0]",
     {0xcc134200, 0x4c09e501}, {0, 0x44004200, 0, 0x40804040}, 0xc0e00000},
    /* v_fma_mix: an f16 source has the half, with zeros above */
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[1,1,1]",
     {0xd3a04000, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[1,1,1]",
     {0xcc204000, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[0,1,1]",
     {0xd3a04000, 0x140a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[0,1,1]",
     {0xcc204000, 0x140a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,1,1]",
     {0xd3a04800, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x3f800000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,1,1]",
     {0xcc204800, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x3f800000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, neg(2.0), v1, v2 op_sel_hi:[1,1,1]",
     {0xd3a04000, 0x3c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0xc0a00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, neg(2.0), v1, v2 op_sel_hi:[1,1,1]",
     {0xcc204000, 0x3c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0xc0a00000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, |-2.0|, v1, v2 op_sel_hi:[1,1,1]",
     {0xd3a04100, 0x1c0a02f5}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, |-2.0|, v1, v2 op_sel_hi:[1,1,1]",
     {0xcc204100, 0x1c0a02f5}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, v1, v2, 0.15915494 op_sel_hi:[1,1,1]",
     {0xd3a04000, 0x1be20501}, {0, 0x4200, 0x3c00, 0x40804040}, 0x404a3000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, v1, v2, 0.15915494 op_sel_hi:[1,1,1]",
     {0xcc204000, 0x1be20501}, {0, 0x4200, 0x3c00, 0x40804040}, 0x404a3000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, v1, v2, 0.15915494 op_sel_hi:[1,1,0]",
     {0xd3a00000, 0x1be20501}, {0, 0x4200, 0x3c00, 0x40804040}, 0x404a2f98},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, v1, v2, 0.15915494 op_sel_hi:[1,1,0]",
     {0xcc200000, 0x1be20501}, {0, 0x4200, 0x3c00, 0x40804040}, 0x404a2f98},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, 1, v2, 0 op_sel_hi:[1,1,1]",
     {0xd3a04000, 0x1a020481}, {0, 0x4200, 0x3c00, 0x40804040}, 0x33800000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, 1, v2, 0 op_sel_hi:[1,1,1]",
     {0xcc204000, 0x1a020481}, {0, 0x4200, 0x3c00, 0x40804040}, 0x33800000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[1,1,1] clamp",
     {0xd3a0c000, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x3f800000},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[1,1,1] clamp",
     {0xcc20c000, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x3f800000},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mixlo_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xd3a14000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcd4500},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mixlo_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xcc214000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcd4500},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mixlo_f16 v0, v1, -4.0, 2.0 op_sel_hi:[1,1,1]",
     {0xd3a14000, 0x1bd1ef01}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcdc900},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mixlo_f16 v0, v1, -4.0, 2.0 op_sel_hi:[1,1,1]",
     {0xcc214000, 0x1bd1ef01}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcdc900},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mixlo_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1] clamp",
     {0xd3a1c000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcd3c00},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mixlo_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1] clamp",
     {0xcc21c000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcd3c00},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mixhi_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xd3a24000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0x45001234},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mixhi_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xcc224000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0x45001234},
    {"gfx906 gfx908 gfx90a gfx942 gfx950", "v_fma_mixhi_f16 v0, v1, v2, 2.0 op_sel:[0,0,1] op_sel_hi:[1,1,1]",
     {0xd3a26000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0x42001234},
    {"gfx1030 gfx1100 gfx1150 gfx1201", "v_fma_mixhi_f16 v0, v1, v2, 2.0 op_sel:[0,0,1] op_sel_hi:[1,1,1]",
     {0xcc226000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0x42001234},
    {"gfx900", "v_mad_mix_f32 v0, 2.0, v1, v2 op_sel_hi:[1,1,1]",
     {0xd3a04000, 0x1c0a02f4}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40e00000},
    {"gfx900", "v_mad_mixlo_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xd3a14000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0xabcd4500},
    {"gfx900", "v_mad_mixhi_f16 v0, v1, v2, 2.0 op_sel_hi:[1,1,1]",
     {0xd3a24000, 0x1bd20501}, {0xabcd1234, 0x4200, 0x3c00, 0x40804040}, 0x45001234},
    {"gfx1100 gfx1150 gfx1201", "v_fma_mix_f32_e64_dpp v0, v1, v2, 2.0 op_sel_hi:[1,1,1] quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
     {0xcc204000, 0x1bd204fa, 0xff00e401}, {0, 0x4200, 0x3c00, 0x40804040}, 0x40a00000},
};
/* clang-format on */

/* Text as LLVM writes it, up to where it writes modifiers another way. */
static void expect_mnemonic(const struct rig *r, const struct isa_inst *i, const char *text)
{
    char got[200];

    isa_text(r->t, i, got, sizeof got);
    if (strncmp(got, text, strcspn(text, " ")))
        fail_msg("%s: %s, expected %s", r->t->name, got, text);
}

static void run_case(const char *target, const struct constant_case *c, unsigned lanes, uint64_t exec)
{
    struct isa_inst inst;
    struct rig r;

    rig_open(&r, target, lanes);
    unsigned bytes = isa_decode(r.t, (const uint8_t *)c->words, sizeof c->words, &inst, NULL);
    assert_true(bytes >= 4 && bytes <= 12);
    expect_mnemonic(&r, &inst, c->text);
    for (unsigned v = 0; v < 4; v++)
        rig_vall(&r, v, c->v[v]);
    isa_set_exec(&r.w, exec);
    rig_run(&r, c->words, bytes / 4);
    for (unsigned l = 0; l < lanes; l++) {
        uint32_t want = exec >> l & 1 ? c->want : c->v[0];
        if (rig_getv(&r, 0, l) != want)
            fail_msg("%s, %u lanes: %s gave %08x in lane %u, expected %08x", target, lanes, c->text, rig_getv(&r, 0, l),
                     l, want);
    }
    rig_close(&r);
}

/* With all lanes and with some: each has loops of its own (isa/decode/choose.c). */
static void values(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char names[120], *save, *target;

        snprintf(names, sizeof names, "%s", cases[k].targets);
        for (target = strtok_r(names, " ", &save); target; target = strtok_r(NULL, " ", &save)) {
            bool rdna = strncmp(target, "gfx1", 4) == 0;
            /* wave64 has no dual instructions */
            for (unsigned lanes = rdna ? 32 : 64; lanes <= (strstr(cases[k].text, "v_dual") ? 32 : 64); lanes *= 2) {
                uint64_t all = lanes == 64 ? ~UINT64_C(0) : 0xffffffff;
                run_case(target, &cases[k], lanes, all);
                run_case(target, &cases[k], lanes, all & UINT64_C(0x8fff123400ff7001));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
