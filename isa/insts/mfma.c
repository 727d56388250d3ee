/* Matrix instructions of CDNA: MFMA on gfx908, gfx90a, gfx942, gfx950, and the sparse SMFMAC from gfx942 on. Wave64
 * alone.
 *
 *     MFMA(name, C/D, A, B registers, m, n, k, blocks, types of A, B, C/D, passes, modifiers, ENC)
 *     SMFMAC likewise, without blocks
 *
 * Layouts and arithmetic: isa/insts/matrix.h. Integers wrap. Shapes, register counts and passes (of four cycles):
 * ROCm amd_matrix_instruction_calculator 1.3.2; a shape that got faster on gfx942 is a row of its own there. gfx950's:
 * AMD CDNA4 ISA manual; passes of ROCm's origami (hardware.cpp).
 */
#define MATRIX_FORMS FORMS_CDNA
#include "isa/insts/matrix.h"

/* Dense forms of one block, or of blocks of 4x4 side by side, are run the shortest way. */
#define DIRECT_(TYPE, M, COLUMNS)                                                                                      \
    static int mfma_##TYPE##_##M(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,              \
                                 struct isa_effects *fx)                                                               \
    {                                                                                                                  \
        const struct mat_form f = {{M, COLUMNS, 64, 4, WORDS_ALONE}, MT_##TYPE, 64};                                   \
        return mat_direct(w, i, f) ? ISA_OK : mat_exec(w, i, env, fx);                                                 \
    }
#define DIRECT_FORMS_(DO)                                                                                              \
    DO(F32, 4, 64)                                                                                                     \
    DO(F32, 16, 16)                                                                                                    \
    DO(F32, 32, 32)                                                                                                    \
    DO(XF32, 16, 16)                                                                                                   \
    DO(XF32, 32, 32)                                                                                                   \
    DO(F64, 4, 16)                                                                                                     \
    DO(F64, 16, 16)                                                                                                    \
    DO(F16, 4, 64)                                                                                                     \
    DO(F16, 16, 16)                                                                                                    \
    DO(F16, 32, 32)                                                                                                    \
    DO(BF16, 4, 64)                                                                                                    \
    DO(BF16, 16, 16)                                                                                                   \
    DO(BF16, 32, 32)                                                                                                   \
    DO(FP8, 16, 16)                                                                                                    \
    DO(FP8, 32, 32)                                                                                                    \
    DO(I8, 4, 64)                                                                                                      \
    DO(I8, 16, 16)                                                                                                     \
    DO(I8, 32, 32)
DIRECT_FORMS_(DIRECT_)
#undef DIRECT_

static inline isa_exec *mfma_exec(const struct isa_matrix *m)
{
    const unsigned type = mat_direct_type(m);

#define CASE_(TYPE, M, COLUMNS)                                                                                        \
    if (MAT_HOST_VECTORS && m->m == (M) && m->m * m->blocks == (COLUMNS) && type == MT_##TYPE)                         \
        return mfma_##TYPE##_##M;
    DIRECT_FORMS_(CASE_)
#undef CASE_
    return mat_exec;
}

#define MFMA(NAME, D, A, B, M, N, K, BLOCKS, TA, TB, TCD, PASSES, MODS, ...)                                           \
    MATRIX_ROW_(mfma_exec(&NAME##_mat), NAME, MFMA, RF_MAI, MAT_MFMA, D, A, B, M, N, K, BLOCKS, TA, TB, TCD, PASSES,   \
                MODS, A_WR, D, __VA_ARGS__)
#define SMFMAC(NAME, D, A, B, M, N, K, TA, TB, TCD, PASSES, MODS, ...)                                                 \
    MATRIX_ROW_(mat_exec, NAME, MFMA, RF_MAI, MAT_SMFMAC, D, A, B, M, N, K, 1, TA, TB, TCD, PASSES, MODS, A_RD | A_WR, \
                B32, __VA_ARGS__)

/* --- f32 and xf32 ------------------------------------------------------------------------------------------------ */

MFMA(v_mfma_f32_32x32x1f32, B1024, B32, B32, 32, 32, 1, 2, F32, F32, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x40), AS(GFX942, VOP3P, 0x40, "v_mfma_f32_32x32x1_2b_f32")))
MFMA(v_mfma_f32_16x16x1f32, B512, B32, B32, 16, 16, 1, 4, F32, F32, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x41), AS(GFX942, VOP3P, 0x41, "v_mfma_f32_16x16x1_4b_f32")))
MFMA(v_mfma_f32_4x4x1f32, B128, B32, B32, 4, 4, 1, 16, F32, F32, F32, 2, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x42), AS(GFX942, VOP3P, 0x42, "v_mfma_f32_4x4x1_16b_f32")))
MFMA(v_mfma_f32_32x32x2f32, B512, B32, B32, 32, 32, 2, 1, F32, F32, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x44), AS(GFX942, VOP3P, 0x44, "v_mfma_f32_32x32x2_f32")))
MFMA(v_mfma_f32_16x16x4f32, B128, B32, B32, 16, 16, 4, 1, F32, F32, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x45), AS(GFX942, VOP3P, 0x45, "v_mfma_f32_16x16x4_f32")))
MFMA(v_mfma_f32_16x16x8_xf32, B128, B64, B64, 16, 16, 8, 1, XF32, XF32, F32, 4, 0,
     ENC(OP(GFX942, VOP3P, 0x3e), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_32x32x4_xf32, B512, B64, B64, 32, 32, 4, 1, XF32, XF32, F32, 8, 0,
     ENC(OP(GFX942, VOP3P, 0x3f), GONE(GFX950, VOP3P)))

/* --- f64: on gfx942 blgp negates --------------------------------------------------------------------------------- */

MFMA(v_mfma_f64_16x16x4f64, F64X4, B64, B64, 16, 16, 4, 1, F64, F64, F64, 8, 0,
     ENC(OP(GFX90A, VOP3P, 0x6e), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f64_4x4x4f64, F64, B64, B64, 4, 4, 4, 4, F64, F64, F64, 4, 0,
     ENC(OP(GFX90A, VOP3P, 0x6f), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f64_16x16x4_f64, F64X4, B64, B64, 16, 16, 4, 1, F64, F64, F64, 8, MM_BLGP_NEG,
     ENC(OP(GFX942, VOP3P, 0x6e), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f64_16x16x4_f64_gfx950, F64X4, B64, B64, 16, 16, 4, 1, F64, F64, F64, 16, MM_BLGP_NEG,
     ENC(AS(GFX950, VOP3P, 0x6e, "v_mfma_f64_16x16x4_f64")))
MFMA(v_mfma_f64_4x4x4_4b_f64, F64, B64, B64, 4, 4, 4, 4, F64, F64, F64, 4, MM_BLGP_NEG, ENC(OP(GFX942, VOP3P, 0x6f)))

/* --- f16 --------------------------------------------------------------------------------------------------------- */

MFMA(v_mfma_f32_32x32x4f16, B1024, B64, B64, 32, 32, 4, 2, F16, F16, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x48), AS(GFX942, VOP3P, 0x48, "v_mfma_f32_32x32x4_2b_f16")))
MFMA(v_mfma_f32_16x16x4f16, B512, B64, B64, 16, 16, 4, 4, F16, F16, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x49), AS(GFX942, VOP3P, 0x49, "v_mfma_f32_16x16x4_4b_f16")))
MFMA(v_mfma_f32_4x4x4f16, B128, B64, B64, 4, 4, 4, 16, F16, F16, F32, 2, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x4a), AS(GFX942, VOP3P, 0x4a, "v_mfma_f32_4x4x4_16b_f16")))
MFMA(v_mfma_f32_32x32x8f16, B512, B64, B64, 32, 32, 8, 1, F16, F16, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x4c), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_16x16x16f16, B128, B64, B64, 16, 16, 16, 1, F16, F16, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x4d), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_32x32x8_f16, B512, B64, B64, 32, 32, 8, 1, F16, F16, F32, 8, 0, ENC(OP(GFX942, VOP3P, 0x4c)))
MFMA(v_mfma_f32_16x16x16_f16, B128, B64, B64, 16, 16, 16, 1, F16, F16, F32, 4, 0, ENC(OP(GFX942, VOP3P, 0x4d)))

/* --- bf16 -------------------------------------------------------------------------------------------------------- */

MFMA(v_mfma_f32_32x32x2bf16, B1024, B32, B32, 32, 32, 2, 2, BF16, BF16, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x68), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_16x16x2bf16, B512, B32, B32, 16, 16, 2, 4, BF16, BF16, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x69), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_4x4x2bf16, B128, B32, B32, 4, 4, 2, 16, BF16, BF16, F32, 2, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x6b), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_32x32x4bf16, B512, B32, B32, 32, 32, 4, 1, BF16, BF16, F32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x6c), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_16x16x8bf16, B128, B32, B32, 16, 16, 8, 1, BF16, BF16, F32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x6d), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_32x32x4bf16_1k, B1024, B64, B64, 32, 32, 4, 2, BF16, BF16, F32, 16, MM_BLGP,
     ENC(OP(GFX90A, VOP3P, 0x63), AS(GFX942, VOP3P, 0x5d, "v_mfma_f32_32x32x4_2b_bf16")))
MFMA(v_mfma_f32_16x16x4bf16_1k, B512, B64, B64, 16, 16, 4, 4, BF16, BF16, F32, 8, MM_BLGP,
     ENC(OP(GFX90A, VOP3P, 0x64), AS(GFX942, VOP3P, 0x5e, "v_mfma_f32_16x16x4_4b_bf16")))
MFMA(v_mfma_f32_4x4x4bf16_1k, B128, B64, B64, 4, 4, 4, 16, BF16, BF16, F32, 2, MM_BLGP,
     ENC(OP(GFX90A, VOP3P, 0x65), AS(GFX942, VOP3P, 0x5f, "v_mfma_f32_4x4x4_16b_bf16")))
MFMA(v_mfma_f32_32x32x8bf16_1k, B512, B64, B64, 32, 32, 8, 1, BF16, BF16, F32, 16, MM_BLGP,
     ENC(OP(GFX90A, VOP3P, 0x66), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_16x16x16bf16_1k, B128, B64, B64, 16, 16, 16, 1, BF16, BF16, F32, 8, MM_BLGP,
     ENC(OP(GFX90A, VOP3P, 0x67), GONE(GFX942, VOP3P)))
MFMA(v_mfma_f32_32x32x8_bf16, B512, B64, B64, 32, 32, 8, 1, BF16, BF16, F32, 8, 0, ENC(OP(GFX942, VOP3P, 0x60)))
MFMA(v_mfma_f32_16x16x16_bf16, B128, B64, B64, 16, 16, 16, 1, BF16, BF16, F32, 4, 0, ENC(OP(GFX942, VOP3P, 0x61)))

/* --- 8-bit integers ---------------------------------------------------------------------------------------------- */

MFMA(v_mfma_i32_32x32x4i8, B1024, B32, B32, 32, 32, 4, 2, I8, I8, I32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x50), AS(GFX942, VOP3P, 0x50, "v_mfma_i32_32x32x4_2b_i8")))
MFMA(v_mfma_i32_16x16x4i8, B512, B32, B32, 16, 16, 4, 4, I8, I8, I32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x51), AS(GFX942, VOP3P, 0x51, "v_mfma_i32_16x16x4_4b_i8")))
MFMA(v_mfma_i32_4x4x4i8, B128, B32, B32, 4, 4, 4, 16, I8, I8, I32, 2, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x52), AS(GFX942, VOP3P, 0x52, "v_mfma_i32_4x4x4_16b_i8")))
MFMA(v_mfma_i32_32x32x8i8, B512, B32, B32, 32, 32, 8, 1, I8, I8, I32, 16, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x54), GONE(GFX942, VOP3P)))
MFMA(v_mfma_i32_16x16x16i8, B128, B32, B32, 16, 16, 16, 1, I8, I8, I32, 8, MM_BLGP,
     ENC(OP(GFX908, VOP3P, 0x55), GONE(GFX942, VOP3P)))
MFMA(v_mfma_i32_32x32x16_i8, B512, B64, B64, 32, 32, 16, 1, I8, I8, I32, 8, 0, ENC(OP(GFX942, VOP3P, 0x56)))
MFMA(v_mfma_i32_16x16x32_i8, B128, B64, B64, 16, 16, 32, 1, I8, I8, I32, 4, 0, ENC(OP(GFX942, VOP3P, 0x57)))

/* --- 8-bit floats ------------------------------------------------------------------------------------------------ */

MFMA(v_mfma_f32_16x16x32_bf8_bf8, B128, B64, B64, 16, 16, 32, 1, BF8_FNUZ, BF8_FNUZ, F32, 4, 0,
     ENC(OP(GFX942, VOP3P, 0x70), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_16x16x32_bf8_fp8, B128, B64, B64, 16, 16, 32, 1, BF8_FNUZ, FP8_FNUZ, F32, 4, 0,
     ENC(OP(GFX942, VOP3P, 0x71), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_16x16x32_fp8_bf8, B128, B64, B64, 16, 16, 32, 1, FP8_FNUZ, BF8_FNUZ, F32, 4, 0,
     ENC(OP(GFX942, VOP3P, 0x72), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_16x16x32_fp8_fp8, B128, B64, B64, 16, 16, 32, 1, FP8_FNUZ, FP8_FNUZ, F32, 4, 0,
     ENC(OP(GFX942, VOP3P, 0x73), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_32x32x16_bf8_bf8, B512, B64, B64, 32, 32, 16, 1, BF8_FNUZ, BF8_FNUZ, F32, 8, 0,
     ENC(OP(GFX942, VOP3P, 0x74), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_32x32x16_bf8_fp8, B512, B64, B64, 32, 32, 16, 1, BF8_FNUZ, FP8_FNUZ, F32, 8, 0,
     ENC(OP(GFX942, VOP3P, 0x75), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_32x32x16_fp8_bf8, B512, B64, B64, 32, 32, 16, 1, FP8_FNUZ, BF8_FNUZ, F32, 8, 0,
     ENC(OP(GFX942, VOP3P, 0x76), GONE(GFX950, VOP3P)))
MFMA(v_mfma_f32_32x32x16_fp8_fp8, B512, B64, B64, 32, 32, 16, 1, FP8_FNUZ, FP8_FNUZ, F32, 8, 0,
     ENC(OP(GFX942, VOP3P, 0x77), GONE(GFX950, VOP3P)))

/* --- sparse: D is C, src2 the index sets ------------------------------------------------------------------------- */

SMFMAC(v_smfmac_f32_16x16x32_f16, B128, B64, B128, 16, 16, 32, F16, F16, F32, 4, 0, ENC(OP(GFX942, VOP3P, 0x62)))
SMFMAC(v_smfmac_f32_32x32x16_f16, B512, B64, B128, 32, 32, 16, F16, F16, F32, 8, 0, ENC(OP(GFX942, VOP3P, 0x64)))
SMFMAC(v_smfmac_f32_16x16x32_bf16, B128, B64, B128, 16, 16, 32, BF16, BF16, F32, 4, 0, ENC(OP(GFX942, VOP3P, 0x66)))
SMFMAC(v_smfmac_f32_32x32x16_bf16, B512, B64, B128, 32, 32, 16, BF16, BF16, F32, 8, 0, ENC(OP(GFX942, VOP3P, 0x68)))
SMFMAC(v_smfmac_i32_16x16x64_i8, B128, B64, B128, 16, 16, 64, I8, I8, I32, 4, 0, ENC(OP(GFX942, VOP3P, 0x6a)))
SMFMAC(v_smfmac_i32_32x32x32_i8, B512, B64, B128, 32, 32, 32, I8, I8, I32, 8, 0, ENC(OP(GFX942, VOP3P, 0x6c)))
SMFMAC(v_smfmac_f32_16x16x64_bf8_bf8, B128, B64, B128, 16, 16, 64, BF8_FNUZ, BF8_FNUZ, F32, 4, 0,
       ENC(OP(GFX942, VOP3P, 0x78), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_16x16x64_bf8_fp8, B128, B64, B128, 16, 16, 64, BF8_FNUZ, FP8_FNUZ, F32, 4, 0,
       ENC(OP(GFX942, VOP3P, 0x79), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_16x16x64_fp8_bf8, B128, B64, B128, 16, 16, 64, FP8_FNUZ, BF8_FNUZ, F32, 4, 0,
       ENC(OP(GFX942, VOP3P, 0x7a), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_16x16x64_fp8_fp8, B128, B64, B128, 16, 16, 64, FP8_FNUZ, FP8_FNUZ, F32, 4, 0,
       ENC(OP(GFX942, VOP3P, 0x7b), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_32x32x32_bf8_bf8, B512, B64, B128, 32, 32, 32, BF8_FNUZ, BF8_FNUZ, F32, 8, 0,
       ENC(OP(GFX942, VOP3P, 0x7c), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_32x32x32_bf8_fp8, B512, B64, B128, 32, 32, 32, BF8_FNUZ, FP8_FNUZ, F32, 8, 0,
       ENC(OP(GFX942, VOP3P, 0x7d), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_32x32x32_fp8_bf8, B512, B64, B128, 32, 32, 32, FP8_FNUZ, BF8_FNUZ, F32, 8, 0,
       ENC(OP(GFX942, VOP3P, 0x7e), GONE(GFX950, VOP3P)))
SMFMAC(v_smfmac_f32_32x32x32_fp8_fp8, B512, B64, B128, 32, 32, 32, FP8_FNUZ, FP8_FNUZ, F32, 8, 0,
       ENC(OP(GFX942, VOP3P, 0x7f), GONE(GFX950, VOP3P)))

/* --- gfx950: OCP's 8-bit floats, and twice the k ----------------------------------------------------------------- */

MFMA(v_mfma_f32_16x16x32_bf8_bf8_ocp, B128, B64, B64, 16, 16, 32, 1, BF8, BF8, F32, 4, 0,
     ENC(AS(GFX950, VOP3P, 0x70, "v_mfma_f32_16x16x32_bf8_bf8")))
MFMA(v_mfma_f32_16x16x32_bf8_fp8_ocp, B128, B64, B64, 16, 16, 32, 1, BF8, FP8, F32, 4, 0,
     ENC(AS(GFX950, VOP3P, 0x71, "v_mfma_f32_16x16x32_bf8_fp8")))
MFMA(v_mfma_f32_16x16x32_fp8_bf8_ocp, B128, B64, B64, 16, 16, 32, 1, FP8, BF8, F32, 4, 0,
     ENC(AS(GFX950, VOP3P, 0x72, "v_mfma_f32_16x16x32_fp8_bf8")))
MFMA(v_mfma_f32_16x16x32_fp8_fp8_ocp, B128, B64, B64, 16, 16, 32, 1, FP8, FP8, F32, 4, 0,
     ENC(AS(GFX950, VOP3P, 0x73, "v_mfma_f32_16x16x32_fp8_fp8")))
MFMA(v_mfma_f32_32x32x16_bf8_bf8_ocp, B512, B64, B64, 32, 32, 16, 1, BF8, BF8, F32, 8, 0,
     ENC(AS(GFX950, VOP3P, 0x74, "v_mfma_f32_32x32x16_bf8_bf8")))
MFMA(v_mfma_f32_32x32x16_bf8_fp8_ocp, B512, B64, B64, 32, 32, 16, 1, BF8, FP8, F32, 8, 0,
     ENC(AS(GFX950, VOP3P, 0x75, "v_mfma_f32_32x32x16_bf8_fp8")))
MFMA(v_mfma_f32_32x32x16_fp8_bf8_ocp, B512, B64, B64, 32, 32, 16, 1, FP8, BF8, F32, 8, 0,
     ENC(AS(GFX950, VOP3P, 0x76, "v_mfma_f32_32x32x16_fp8_bf8")))
MFMA(v_mfma_f32_32x32x16_fp8_fp8_ocp, B512, B64, B64, 32, 32, 16, 1, FP8, FP8, F32, 8, 0,
     ENC(AS(GFX950, VOP3P, 0x77, "v_mfma_f32_32x32x16_fp8_fp8")))
SMFMAC(v_smfmac_f32_16x16x64_bf8_bf8_ocp, B128, B64, B128, 16, 16, 64, BF8, BF8, F32, 4, 0,
       ENC(AS(GFX950, VOP3P, 0x78, "v_smfmac_f32_16x16x64_bf8_bf8")))
SMFMAC(v_smfmac_f32_16x16x64_bf8_fp8_ocp, B128, B64, B128, 16, 16, 64, BF8, FP8, F32, 4, 0,
       ENC(AS(GFX950, VOP3P, 0x79, "v_smfmac_f32_16x16x64_bf8_fp8")))
SMFMAC(v_smfmac_f32_16x16x64_fp8_bf8_ocp, B128, B64, B128, 16, 16, 64, FP8, BF8, F32, 4, 0,
       ENC(AS(GFX950, VOP3P, 0x7a, "v_smfmac_f32_16x16x64_fp8_bf8")))
SMFMAC(v_smfmac_f32_16x16x64_fp8_fp8_ocp, B128, B64, B128, 16, 16, 64, FP8, FP8, F32, 4, 0,
       ENC(AS(GFX950, VOP3P, 0x7b, "v_smfmac_f32_16x16x64_fp8_fp8")))
SMFMAC(v_smfmac_f32_32x32x32_bf8_bf8_ocp, B512, B64, B128, 32, 32, 32, BF8, BF8, F32, 8, 0,
       ENC(AS(GFX950, VOP3P, 0x7c, "v_smfmac_f32_32x32x32_bf8_bf8")))
SMFMAC(v_smfmac_f32_32x32x32_bf8_fp8_ocp, B512, B64, B128, 32, 32, 32, BF8, FP8, F32, 8, 0,
       ENC(AS(GFX950, VOP3P, 0x7d, "v_smfmac_f32_32x32x32_bf8_fp8")))
SMFMAC(v_smfmac_f32_32x32x32_fp8_bf8_ocp, B512, B64, B128, 32, 32, 32, FP8, BF8, F32, 8, 0,
       ENC(AS(GFX950, VOP3P, 0x7e, "v_smfmac_f32_32x32x32_fp8_bf8")))
SMFMAC(v_smfmac_f32_32x32x32_fp8_fp8_ocp, B512, B64, B128, 32, 32, 32, FP8, FP8, F32, 8, 0,
       ENC(AS(GFX950, VOP3P, 0x7f, "v_smfmac_f32_32x32x32_fp8_fp8")))

MFMA(v_mfma_f32_16x16x32_f16, B128, B128, B128, 16, 16, 32, 1, F16, F16, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x54)))
MFMA(v_mfma_f32_32x32x16_f16, B512, B128, B128, 32, 32, 16, 1, F16, F16, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x55)))
MFMA(v_mfma_f32_16x16x32_bf16, B128, B128, B128, 16, 16, 32, 1, BF16, BF16, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x35)))
MFMA(v_mfma_f32_32x32x16_bf16, B512, B128, B128, 32, 32, 16, 1, BF16, BF16, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x37)))
MFMA(v_mfma_i32_16x16x64_i8, B128, B128, B128, 16, 16, 64, 1, I8, I8, I32, 4, 0, ENC(OP(GFX950, VOP3P, 0x36)))
MFMA(v_mfma_i32_32x32x32_i8, B512, B128, B128, 32, 32, 32, 1, I8, I8, I32, 8, 0, ENC(OP(GFX950, VOP3P, 0x38)))
SMFMAC(v_smfmac_f32_16x16x64_f16, B128, B128, B256, 16, 16, 64, F16, F16, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x5a)))
SMFMAC(v_smfmac_f32_32x32x32_f16, B512, B128, B256, 32, 32, 32, F16, F16, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x5b)))
SMFMAC(v_smfmac_f32_16x16x64_bf16, B128, B128, B256, 16, 16, 64, BF16, BF16, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x39)))
SMFMAC(v_smfmac_f32_32x32x32_bf16, B512, B128, B256, 32, 32, 32, BF16, BF16, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x46)))
SMFMAC(v_smfmac_i32_16x16x128_i8, B128, B128, B256, 16, 16, 128, I8, I8, I32, 4, 0, ENC(OP(GFX950, VOP3P, 0x3a)))
SMFMAC(v_smfmac_i32_32x32x64_i8, B512, B128, B256, 32, 32, 64, I8, I8, I32, 8, 0, ENC(OP(GFX950, VOP3P, 0x47)))
SMFMAC(v_smfmac_f32_16x16x128_bf8_bf8, B128, B128, B256, 16, 16, 128, BF8, BF8, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x3b)))
SMFMAC(v_smfmac_f32_32x32x64_bf8_bf8, B512, B128, B256, 32, 32, 64, BF8, BF8, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x4b)))
SMFMAC(v_smfmac_f32_16x16x128_bf8_fp8, B128, B128, B256, 16, 16, 128, BF8, FP8, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x3c)))
SMFMAC(v_smfmac_f32_32x32x64_bf8_fp8, B512, B128, B256, 32, 32, 64, BF8, FP8, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x4e)))
SMFMAC(v_smfmac_f32_16x16x128_fp8_bf8, B128, B128, B256, 16, 16, 128, FP8, BF8, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x3d)))
SMFMAC(v_smfmac_f32_32x32x64_fp8_bf8, B512, B128, B256, 32, 32, 64, FP8, BF8, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x4f)))
SMFMAC(v_smfmac_f32_16x16x128_fp8_fp8, B128, B128, B256, 16, 16, 128, FP8, FP8, F32, 4, 0, ENC(OP(GFX950, VOP3P, 0x43)))
SMFMAC(v_smfmac_f32_32x32x64_fp8_fp8, B512, B128, B256, 32, 32, 64, FP8, FP8, F32, 8, 0, ENC(OP(GFX950, VOP3P, 0x53)))
