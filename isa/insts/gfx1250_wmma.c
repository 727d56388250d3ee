/* Matrix instructions of gfx1250 without block formats: WMMA of 4, 32, 64 and 128 k and the sparse SWMMAC of twice
 * that, all 16 x 16, one block, wave32.
 *
 *     DENSE(name, k, C/D, A, B registers, C registers, types of A, B, C/D, passes, modifiers, opcode)
 *
 * Layouts and arithmetic: isa/insts/matrix.h; bf16f32 takes C as f32 and gives bf16, two to a register, the sparse one
 * in the first half of the registers where C was. matrix_a_reuse and matrix_b_reuse are hints. Passes (of four cycles):
 * LLVM 22's scheduling model.
 */
#define MATRIX_FORMS FORMS_GFX1250
#include "isa/insts/matrix.h"

#define DENSE(NAME, K, D, A, B, C, TA, TB, TCD, PASSES, MODS, OPCODE)                                                  \
    MATRIX_ROW_(mat_exec, NAME, WMMA, 0, MAT_WMMA_WIDE, D, A, B, 16, 16, K, 1, TA, TB, TCD, PASSES, (MODS) | MM_REUSE, \
                A_WR, C, OP(GFX12_5, VOP3P, OPCODE))
#define SPARSE(NAME, K, D, A, B, INDEX, TA, TB, TCD, PASSES, MODS, OPCODE)                                             \
    MATRIX_ROW_(mat_exec, NAME, WMMA, 0, MAT_SWMMAC_WIDE, D, A, B, 16, 16, K, 1, TA, TB, TCD, PASSES,                  \
                (MODS) | MM_REUSE, A_RD | A_WR, INDEX, OP(GFX12_5, VOP3P, OPCODE))
#define MM_NEGS (MM_NEG | MM_NEG_C)

/* clang-format off */
DENSE(v_wmma_f32_16x16x4_f32, 4, B256, B64, B64, B256, F32, F32, F32, 4, MM_NEGS, 0x5d)
DENSE(v_wmma_f32_16x16x32_f16, 32, B256, B256, B256, B256, F16, F16, F32, 2, MM_NEGS, 0x60)
DENSE(v_wmma_f16_16x16x32_f16, 32, B128, B256, B256, B128, F16, F16, F16, 2, MM_NEGS, 0x61)
DENSE(v_wmma_f32_16x16x32_bf16, 32, B256, B256, B256, B256, BF16, BF16, F32, 2, MM_NEGS, 0x62)
DENSE(v_wmma_bf16_16x16x32_bf16, 32, B128, B256, B256, B128, BF16, BF16, BF16, 2, MM_NEGS, 0x63)
DENSE(v_wmma_bf16f32_16x16x32_bf16, 32, B128, B256, B256, B256, BF16, BF16, BF16, 2, MM_NEGS | MM_C_F32, 0x64)
DENSE(v_wmma_f32_16x16x64_fp8_fp8, 64, B256, B256, B256, B256, FP8, FP8, F32, 2, MM_NEG_C, 0x6a)
DENSE(v_wmma_f32_16x16x64_fp8_bf8, 64, B256, B256, B256, B256, FP8, BF8, F32, 2, MM_NEG_C, 0x6b)
DENSE(v_wmma_f32_16x16x64_bf8_fp8, 64, B256, B256, B256, B256, BF8, FP8, F32, 2, MM_NEG_C, 0x6c)
DENSE(v_wmma_f32_16x16x64_bf8_bf8, 64, B256, B256, B256, B256, BF8, BF8, F32, 2, MM_NEG_C, 0x6d)
DENSE(v_wmma_f16_16x16x64_fp8_fp8, 64, B128, B256, B256, B128, FP8, FP8, F16, 2, MM_NEG_C, 0x6e)
DENSE(v_wmma_f16_16x16x64_fp8_bf8, 64, B128, B256, B256, B128, FP8, BF8, F16, 2, MM_NEG_C, 0x6f)
DENSE(v_wmma_f16_16x16x64_bf8_fp8, 64, B128, B256, B256, B128, BF8, FP8, F16, 2, MM_NEG_C, 0x70)
DENSE(v_wmma_f16_16x16x64_bf8_bf8, 64, B128, B256, B256, B128, BF8, BF8, F16, 2, MM_NEG_C, 0x71)
DENSE(v_wmma_i32_16x16x64_iu8, 64, B256, B256, B256, B256, I8, I8, I32, 4, MM_SIGN, 0x72)
DENSE(v_wmma_f32_16x16x128_fp8_fp8, 128, B256, B512, B512, B256, FP8, FP8, F32, 2, MM_NEG_C, 0x80)
DENSE(v_wmma_f32_16x16x128_fp8_bf8, 128, B256, B512, B512, B256, FP8, BF8, F32, 2, MM_NEG_C, 0x81)
DENSE(v_wmma_f32_16x16x128_bf8_fp8, 128, B256, B512, B512, B256, BF8, FP8, F32, 2, MM_NEG_C, 0x82)
DENSE(v_wmma_f32_16x16x128_bf8_bf8, 128, B256, B512, B512, B256, BF8, BF8, F32, 2, MM_NEG_C, 0x83)
DENSE(v_wmma_f16_16x16x128_fp8_fp8, 128, B128, B512, B512, B128, FP8, FP8, F16, 2, MM_NEG_C, 0x84)
DENSE(v_wmma_f16_16x16x128_fp8_bf8, 128, B128, B512, B512, B128, FP8, BF8, F16, 2, MM_NEG_C, 0x85)
DENSE(v_wmma_f16_16x16x128_bf8_fp8, 128, B128, B512, B512, B128, BF8, FP8, F16, 2, MM_NEG_C, 0x86)
DENSE(v_wmma_f16_16x16x128_bf8_bf8, 128, B128, B512, B512, B128, BF8, BF8, F16, 2, MM_NEG_C, 0x87)

/* --- sparse: D is C, src2 the index sets ------------------------------------------------------------------------- */

SPARSE(v_swmmac_f32_16x16x64_f16, 64, B256, B256, B512, B32, F16, F16, F32, 2, MM_NEG, 0x65)
SPARSE(v_swmmac_f32_16x16x64_bf16, 64, B256, B256, B512, B32, BF16, BF16, F32, 2, MM_NEG, 0x66)
SPARSE(v_swmmac_f16_16x16x64_f16, 64, B128, B256, B512, B32, F16, F16, F16, 2, MM_NEG, 0x67)
SPARSE(v_swmmac_bf16_16x16x64_bf16, 64, B128, B256, B512, B32, BF16, BF16, BF16, 2, MM_NEG, 0x68)
SPARSE(v_swmmac_bf16f32_16x16x64_bf16, 64, B256, B256, B512, B32, BF16, BF16, BF16, 2, MM_NEG | MM_C_F32, 0x69)
SPARSE(v_swmmac_f32_16x16x128_fp8_fp8, 128, B256, B256, B512, B64, FP8, FP8, F32, 2, 0, 0x73)
SPARSE(v_swmmac_f32_16x16x128_fp8_bf8, 128, B256, B256, B512, B64, FP8, BF8, F32, 2, 0, 0x74)
SPARSE(v_swmmac_f32_16x16x128_bf8_fp8, 128, B256, B256, B512, B64, BF8, FP8, F32, 2, 0, 0x75)
SPARSE(v_swmmac_f32_16x16x128_bf8_bf8, 128, B256, B256, B512, B64, BF8, BF8, F32, 2, 0, 0x76)
SPARSE(v_swmmac_f16_16x16x128_fp8_fp8, 128, B128, B256, B512, B64, FP8, FP8, F16, 2, 0, 0x77)
SPARSE(v_swmmac_f16_16x16x128_fp8_bf8, 128, B128, B256, B512, B64, FP8, BF8, F16, 2, 0, 0x78)
SPARSE(v_swmmac_f16_16x16x128_bf8_fp8, 128, B128, B256, B512, B64, BF8, FP8, F16, 2, 0, 0x79)
SPARSE(v_swmmac_f16_16x16x128_bf8_bf8, 128, B128, B256, B512, B64, BF8, BF8, F16, 2, 0, 0x7a)
SPARSE(v_swmmac_i32_16x16x128_iu8, 128, B256, B256, B512, B64, I8, I8, I32, 4, MM_SIGN, 0x7b)
/* clang-format on */
