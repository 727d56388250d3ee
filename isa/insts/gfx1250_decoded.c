/* Instructions of gfx1250 of which no document states the meaning bit by bit: the decoder and the text know them, and
 * running one is a fault that names it. Matrix instructions, conversions with a scale, moves between lanes, the tensor
 * unit. Encodings and operands: LLVM 22.
 */
#include "isa/insts/mem.h"

#define ONE(FORMAT, OPCODE) ENC(OP(GFX12_5, FORMAT, OPCODE))

/* --- moves between lanes, look-ups -------------------------------------------------------------------------------- */

#define LANE_ARGS                                                                                                      \
    ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_SGPR},                     \
         {SL_SRC2, T_B32, A_RD | A_SGPR})
NOT_EXECUTED(v_permlane_bcast_b32, CROSS, RF_NO_DPP, IMP_R_EXEC, LANE_ARGS, ONE(VOP3, 0x270))
NOT_EXECUTED(v_permlane_up_b32, CROSS, RF_NO_DPP, IMP_R_EXEC, LANE_ARGS, ONE(VOP3, 0x271))
NOT_EXECUTED(v_permlane_down_b32, CROSS, RF_NO_DPP, IMP_R_EXEC, LANE_ARGS, ONE(VOP3, 0x272))
NOT_EXECUTED(v_permlane_xor_b32, CROSS, RF_NO_DPP, IMP_R_EXEC, LANE_ARGS, ONE(VOP3, 0x273))
NOT_EXECUTED(v_permlane_idx_gen_b32, CROSS, RF_NO_DPP, IMP_R_EXEC,
             ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_SGPR}),
             ONE(VOP3, 0x314))

#define THREE(NAME, D, A, B, C, OPCODE)                                                                                \
    NOT_EXECUTED(NAME, VALU, RF_NO_DPP, IMP_R_EXEC,                                                                    \
                 ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_##C, A_RD}), \
                 ONE(VOP3, OPCODE))
THREE(v_perm_pk16_b4_u4, B64, B32, B32, B64, 0x23f)
THREE(v_perm_pk16_b6_u4, B96, B32, B64, B64, 0x242)
THREE(v_perm_pk16_b8_u4, B128, B64, B64, B64, 0x243)

/* --- conversions -------------------------------------------------------------------------------------------------- */

#define RANDOM_PAIR(NAME, D, OPCODE)                                                                                   \
    NOT_EXECUTED(NAME, VALU, 0, IMP_R_EXEC,                                                                            \
                 ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}, {SL_SRC2, T_U32, A_RD}), \
                 ONE(VOP3, OPCODE))
RANDOM_PAIR(v_cvt_sr_pk_bf16_f32, PBF16, 0x36e)
RANDOM_PAIR(v_cvt_sr_pk_f16_f32, PF16, 0x370)

/* scale_sel in op_sel's place */
#define WIDEN(NAME, D, A, OPCODE)                                                                                      \
    NOT_EXECUTED(NAME, VALU, RF_NO_DPP | RF_OP_SEL4, IMP_R_EXEC,                                                       \
                 ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD}),                \
                 ONE(VOP3, OPCODE))
#define NARROW(NAME, D, A, OPCODE)                                                                                     \
    NOT_EXECUTED(NAME, VALU, RF_NO_DPP, IMP_R_EXEC,                                                                    \
                 ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD}),                \
                 ONE(VOP3, OPCODE))
#define NARROW_RANDOM(NAME, D, A, OPCODE)                                                                              \
    NOT_EXECUTED(                                                                                                      \
        NAME, VALU, RF_NO_DPP, IMP_R_EXEC,                                                                             \
        ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD}, {SL_SRC2, T_B32, A_RD}), \
        ONE(VOP3, OPCODE))
WIDEN(v_cvt_scale_pk8_f16_fp4, B128, B32, 0x29f)
WIDEN(v_cvt_scale_pk8_bf16_fp4, B128, B32, 0x2a0)
WIDEN(v_cvt_scale_pk8_f32_fp4, B256, B32, 0x2a1)
WIDEN(v_cvt_scale_pk8_f16_fp8, B128, B64, 0x2a8)
WIDEN(v_cvt_scale_pk8_bf16_fp8, B128, B64, 0x2a9)
WIDEN(v_cvt_scale_pk8_f32_fp8, B256, B64, 0x2aa)
WIDEN(v_cvt_scale_pk8_f16_bf8, B128, B64, 0x2ab)
WIDEN(v_cvt_scale_pk8_bf16_bf8, B128, B64, 0x2ac)
WIDEN(v_cvt_scale_pk8_f32_bf8, B256, B64, 0x2ad)
WIDEN(v_cvt_scale_pk16_f16_fp6, B256, B96, 0x2c7)
WIDEN(v_cvt_scale_pk16_bf16_fp6, B256, B96, 0x2c8)
WIDEN(v_cvt_scale_pk16_f32_fp6, B512, B96, 0x2c9)
WIDEN(v_cvt_scale_pk16_f16_bf6, B256, B96, 0x2ca)
WIDEN(v_cvt_scale_pk16_bf16_bf6, B256, B96, 0x2cb)
WIDEN(v_cvt_scale_pk16_f32_bf6, B512, B96, 0x2cc)
NARROW(v_cvt_scalef32_pk8_fp4_f32, B32, B256, 0x2b0)
NARROW(v_cvt_scalef32_pk8_fp4_f16, B32, B128, 0x2b3)
NARROW(v_cvt_scalef32_pk8_fp8_bf16, B64, B128, 0x2b4)
NARROW(v_cvt_scalef32_pk8_bf8_bf16, B64, B128, 0x2b5)
NARROW(v_cvt_scalef32_pk8_fp4_bf16, B32, B128, 0x2b8)
NARROW(v_cvt_scalef32_pk8_fp8_f32, B64, B256, 0x2c3)
NARROW(v_cvt_scalef32_pk8_fp8_f16, B64, B128, 0x2c4)
NARROW(v_cvt_scalef32_pk8_bf8_f32, B64, B256, 0x2c5)
NARROW(v_cvt_scalef32_pk8_bf8_f16, B64, B128, 0x2c6)
NARROW(v_cvt_scalef32_pk16_fp6_f32, B96, B512, 0x2cd)
NARROW(v_cvt_scalef32_pk16_bf6_f32, B96, B512, 0x2ce)
NARROW(v_cvt_scalef32_pk16_fp6_f16, B96, B256, 0x2cf)
NARROW(v_cvt_scalef32_pk16_bf6_f16, B96, B256, 0x2d0)
NARROW(v_cvt_scalef32_pk16_fp6_bf16, B96, B256, 0x2d1)
NARROW(v_cvt_scalef32_pk16_bf6_bf16, B96, B256, 0x2d2)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp4_f32, B32, B256, 0x297)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp8_f32, B64, B256, 0x298)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_bf8_f32, B64, B256, 0x299)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp4_f16, B32, B128, 0x2b9)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp4_bf16, B32, B128, 0x2bc)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp8_f16, B64, B128, 0x2bf)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_fp8_bf16, B64, B128, 0x2c0)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_bf8_f16, B64, B128, 0x2c1)
NARROW_RANDOM(v_cvt_scalef32_sr_pk8_bf8_bf16, B64, B128, 0x2c2)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_fp6_f32, B96, B512, 0x2d3)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_bf6_f32, B96, B512, 0x2d4)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_fp6_f16, B96, B256, 0x2d5)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_bf6_f16, B96, B256, 0x2d6)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_fp6_bf16, B96, B256, 0x2d7)
NARROW_RANDOM(v_cvt_scalef32_sr_pk16_bf6_bf16, B96, B256, 0x2d8)

/* --- the tensor unit ---------------------------------------------------------------------------------------------- */

#define TENSOR(NAME, CLS, OPCODE)                                                                                      \
    NOT_EXECUTED(NAME, CLS, 0, 0,                                                                                      \
                 ARGS({SL_SRC0, T_B128, A_RD | A_SGPR | A_REG}, {SL_SRC1, T_B256, A_RD | A_SGPR | A_REG},              \
                      {SL_SRC2, T_B128, A_RD | A_SGPR | A_REG}, {SL_SRC3, T_B128, A_RD | A_SGPR | A_REG}),             \
                 ONE(TENSOR, OPCODE))
TENSOR(tensor_load_to_lds, VMEM_LOAD, 0xc4)
TENSOR(tensor_store_from_lds, VMEM_STORE, 0xc5)

/* --- LDS ---------------------------------------------------------------------------------------------------------- */

NOT_EXECUTED(ds_atomic_async_barrier_arrive_b64, LDS_ATOMIC, RF_NO_GDS, IMP_R_EXEC, ARGS({SL_ADDR, T_B32, A_RD}),
             ONE(DS, 0x56))
NOT_EXECUTED(ds_atomic_barrier_arrive_rtn_b64, LDS_ATOMIC, RF_NO_GDS, IMP_R_EXEC,
             ARGS({SL_VDST, T_B64, A_WR}, {SL_ADDR, T_B32, A_RD}, {SL_DATA0, T_B64, A_RD}), ONE(DS, 0x75))
#define TRANSPOSED(NAME, D, OPCODE)                                                                                    \
    NOT_EXECUTED(NAME, LDS_LOAD, RF_NO_GDS, IMP_R_EXEC, ARGS({SL_VDST, T_##D, A_WR}, {SL_ADDR, T_B32, A_RD}),          \
                 ONE(DS, OPCODE))
TRANSPOSED(ds_load_tr4_b64, B64, 0xfa)
TRANSPOSED(ds_load_tr6_b96, B96, 0xfb)
TRANSPOSED(ds_load_tr16_b128, B128, 0xfc)
TRANSPOSED(ds_load_tr8_b64, B64, 0xfd)

/* --- matrix instructions ------------------------------------------------------------------------------------------ */

/* D, A, B, C (or, of sparse ones, which of A's are there) */
#define MATRIX(NAME, KIND, M, K, D, A, B, C, TA, TB, TCD, MODS, DFLAGS, OPCODE)                                        \
    static const struct isa_matrix NAME##_mat = {MAT_##KIND, M, 16, K, 1, MT_##TA, MT_##TB, MT_##TCD, 4, MODS, NULL};  \
    ROW_ENC_(NAME, ONE(VOP3P, OPCODE))                                                                                 \
    ROW_HEAD_(NAME, WMMA, ROW_WIDE, 0, IMP_R_EXEC).mat = &NAME##_mat,                                                  \
                                       .args = {{SL_VDST, T_##D, DFLAGS},                                              \
                                                {SL_SRC0, T_##A, A_RD},                                                \
                                                {SL_SRC1, T_##B, A_RD},                                                \
                                                {SL_SRC2, T_##C, A_RD}},                                               \
                                       ROW_TAIL_(NAME)
#define DENSE(NAME, M, K, D, A, B, C, TA, TB, TCD, MODS, OPCODE)                                                       \
    MATRIX(NAME, WMMA_WIDE, M, K, D, A, B, C, TA, TB, TCD, MODS, A_WR, OPCODE)
#define SPARSE(NAME, K, D, A, B, C, TA, TB, TCD, MODS, OPCODE)                                                         \
    MATRIX(NAME, SWMMAC_WIDE, 16, K, D, A, B, C, TA, TB, TCD, MODS, A_RD | A_WR, OPCODE)
/* clang-format off */
DENSE(v_wmma_f32_16x16x4_f32, 16, 4, B256, B64, B64, B256, F32, F32, F32, MM_NEG | MM_NEG_C | MM_REUSE, 0x5d)
DENSE(v_wmma_f32_16x16x32_f16, 16, 32, B256, B256, B256, B256, F16, F16, F32, MM_NEG | MM_NEG_C | MM_REUSE, 0x60)
DENSE(v_wmma_f16_16x16x32_f16, 16, 32, B128, B256, B256, B128, F16, F16, F16, MM_NEG | MM_NEG_C | MM_REUSE, 0x61)
DENSE(v_wmma_f32_16x16x32_bf16, 16, 32, B256, B256, B256, B256, BF16, BF16, F32, MM_NEG | MM_NEG_C | MM_REUSE, 0x62)
DENSE(v_wmma_bf16_16x16x32_bf16, 16, 32, B128, B256, B256, B128, BF16, BF16, BF16, MM_NEG | MM_NEG_C | MM_REUSE, 0x63)
DENSE(v_wmma_bf16f32_16x16x32_bf16, 16, 32, B128, B256, B256, B256, BF16, BF16, BF16, MM_NEG | MM_NEG_C | MM_REUSE, 0x64)
DENSE(v_wmma_f32_16x16x64_fp8_fp8, 16, 64, B256, B256, B256, B256, FP8, FP8, F32, MM_NEG_C | MM_REUSE, 0x6a)
DENSE(v_wmma_f32_16x16x64_fp8_bf8, 16, 64, B256, B256, B256, B256, FP8, BF8, F32, MM_NEG_C | MM_REUSE, 0x6b)
DENSE(v_wmma_f32_16x16x64_bf8_fp8, 16, 64, B256, B256, B256, B256, BF8, FP8, F32, MM_NEG_C | MM_REUSE, 0x6c)
DENSE(v_wmma_f32_16x16x64_bf8_bf8, 16, 64, B256, B256, B256, B256, BF8, BF8, F32, MM_NEG_C | MM_REUSE, 0x6d)
DENSE(v_wmma_f16_16x16x64_fp8_fp8, 16, 64, B128, B256, B256, B128, FP8, FP8, F16, MM_NEG_C | MM_REUSE, 0x6e)
DENSE(v_wmma_f16_16x16x64_fp8_bf8, 16, 64, B128, B256, B256, B128, FP8, BF8, F16, MM_NEG_C | MM_REUSE, 0x6f)
DENSE(v_wmma_f16_16x16x64_bf8_fp8, 16, 64, B128, B256, B256, B128, BF8, FP8, F16, MM_NEG_C | MM_REUSE, 0x70)
DENSE(v_wmma_f16_16x16x64_bf8_bf8, 16, 64, B128, B256, B256, B128, BF8, BF8, F16, MM_NEG_C | MM_REUSE, 0x71)
DENSE(v_wmma_i32_16x16x64_iu8, 16, 64, B256, B256, B256, B256, I8, I8, I32, MM_SIGN | MM_REUSE, 0x72)
DENSE(v_wmma_f32_16x16x128_fp8_fp8, 16, 128, B256, B512, B512, B256, FP8, FP8, F32, MM_NEG_C | MM_REUSE, 0x80)
DENSE(v_wmma_f32_16x16x128_fp8_bf8, 16, 128, B256, B512, B512, B256, FP8, BF8, F32, MM_NEG_C | MM_REUSE, 0x81)
DENSE(v_wmma_f32_16x16x128_bf8_fp8, 16, 128, B256, B512, B512, B256, BF8, FP8, F32, MM_NEG_C | MM_REUSE, 0x82)
DENSE(v_wmma_f32_16x16x128_bf8_bf8, 16, 128, B256, B512, B512, B256, BF8, BF8, F32, MM_NEG_C | MM_REUSE, 0x83)
DENSE(v_wmma_f16_16x16x128_fp8_fp8, 16, 128, B128, B512, B512, B128, FP8, FP8, F16, MM_NEG_C | MM_REUSE, 0x84)
DENSE(v_wmma_f16_16x16x128_fp8_bf8, 16, 128, B128, B512, B512, B128, FP8, BF8, F16, MM_NEG_C | MM_REUSE, 0x85)
DENSE(v_wmma_f16_16x16x128_bf8_fp8, 16, 128, B128, B512, B512, B128, BF8, FP8, F16, MM_NEG_C | MM_REUSE, 0x86)
DENSE(v_wmma_f16_16x16x128_bf8_bf8, 16, 128, B128, B512, B512, B128, BF8, BF8, F16, MM_NEG_C | MM_REUSE, 0x87)
SPARSE(v_swmmac_f32_16x16x64_f16, 64, B256, B256, B512, B32, F16, F16, F32, MM_NEG | MM_REUSE, 0x65)
SPARSE(v_swmmac_f32_16x16x64_bf16, 64, B256, B256, B512, B32, BF16, BF16, F32, MM_NEG | MM_REUSE, 0x66)
SPARSE(v_swmmac_f16_16x16x64_f16, 64, B128, B256, B512, B32, F16, F16, F16, MM_NEG | MM_REUSE, 0x67)
SPARSE(v_swmmac_bf16_16x16x64_bf16, 64, B128, B256, B512, B32, BF16, BF16, BF16, MM_NEG | MM_REUSE, 0x68)
SPARSE(v_swmmac_bf16f32_16x16x64_bf16, 64, B256, B256, B512, B32, BF16, BF16, F32, MM_NEG | MM_REUSE, 0x69)
SPARSE(v_swmmac_f32_16x16x128_fp8_fp8, 128, B256, B256, B512, B64, FP8, FP8, F32, MM_REUSE, 0x73)
SPARSE(v_swmmac_f32_16x16x128_fp8_bf8, 128, B256, B256, B512, B64, FP8, BF8, F32, MM_REUSE, 0x74)
SPARSE(v_swmmac_f32_16x16x128_bf8_fp8, 128, B256, B256, B512, B64, BF8, FP8, F32, MM_REUSE, 0x75)
SPARSE(v_swmmac_f32_16x16x128_bf8_bf8, 128, B256, B256, B512, B64, BF8, BF8, F32, MM_REUSE, 0x76)
SPARSE(v_swmmac_f16_16x16x128_fp8_fp8, 128, B128, B256, B512, B64, FP8, FP8, F16, MM_REUSE, 0x77)
SPARSE(v_swmmac_f16_16x16x128_fp8_bf8, 128, B128, B256, B512, B64, FP8, BF8, F16, MM_REUSE, 0x78)
SPARSE(v_swmmac_f16_16x16x128_bf8_fp8, 128, B128, B256, B512, B64, BF8, FP8, F16, MM_REUSE, 0x79)
SPARSE(v_swmmac_f16_16x16x128_bf8_bf8, 128, B128, B256, B512, B64, BF8, BF8, F16, MM_REUSE, 0x7a)
SPARSE(v_swmmac_i32_16x16x128_iu8, 128, B256, B256, B512, B64, I8, I8, I32, MM_SIGN | MM_REUSE, 0x7b)
DENSE(v_wmma_f32_32x16x128_f4, 32, 128, B512, B512, B256, B512, FP8, FP8, F32, MM_NEG_C, 0x88)
DENSE(v_wmma_f32_16x16x128_f8f6f4, 16, 128, B256, B512, B512, B256, FP8, FP8, F32, MM_NEG_C | MM_FORMATS, 0x33)
/* clang-format on */
