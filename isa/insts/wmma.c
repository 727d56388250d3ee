/* Matrix instructions of RDNA: WMMA on gfx11 and gfx12, the sparse SWMMAC on gfx12. All are 16 x 16 x k, one block.
 *
 *     WMMA(name, C/D, A, B registers in wave32, k, types of A, B, C/D, passes, modifiers, ENC)
 *
 * Layouts and arithmetic: isa/insts/matrix.h. Wave64 halves the registers of what is spread over the lanes (gfx11: C
 * and D; gfx12: all). neg_lo of an integer source says that it is signed, clamp saturates the sum. Shapes, register
 * counts and passes (of four cycles): ROCm amd_matrix_instruction_calculator 1.3.2.
 */
#define MATRIX_FORMS FORMS_RDNA
#include "isa/insts/matrix.h"

/* Dense forms of floats are run the shortest way. */
#define DIRECT_(KIND, TYPE, SUMS, WORDS)                                                                               \
    static int wmma_##KIND##_##TYPE##_##SUMS(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env,  \
                                             struct isa_effects *fx)                                                   \
    {                                                                                                                  \
        const bool split = MAT_##KIND == MAT_WMMA_SPLIT;                                                               \
        const struct mat_form in32 = {{16, 16, 32, split ? 8 : 1, WORDS}, MT_##TYPE, split ? 32 : 16};                 \
        const struct mat_form in64 = {{16, 16, 64, split ? 4 : 1, WORDS}, MT_##TYPE, split ? 64 : 16};                 \
        const bool done = w->lanes == 64 ? mat_direct(w, i, in64) : mat_direct(w, i, in32);                            \
        return done ? ISA_OK : mat_exec(w, i, env, fx);                                                                \
    }
#define DIRECT_TYPES_(DO, KIND)                                                                                        \
    DO(KIND, F16, F32, WORDS_ALONE)                                                                                    \
    DO(KIND, BF16, F32, WORDS_ALONE)                                                                                   \
    DO(KIND, F16, F16, WORDS_F16)                                                                                      \
    DO(KIND, BF16, BF16, WORDS_BF16)
DIRECT_TYPES_(DIRECT_, WMMA)
DIRECT_TYPES_(DIRECT_, WMMA_SPLIT)
DIRECT_(WMMA_SPLIT, FP8, F32, WORDS_ALONE)
#undef DIRECT_

static inline isa_exec *wmma_exec(const struct isa_matrix *m)
{
    const unsigned type = mat_direct_type(m);

#define CASE_(KIND, TYPE, SUMS, WORDS)                                                                                 \
    if (MAT_HOST_VECTORS && m->kind == MAT_##KIND && type == MT_##TYPE && m->cd == MT_##SUMS)                          \
        return wmma_##KIND##_##TYPE##_##SUMS;
    DIRECT_TYPES_(CASE_, WMMA)
    DIRECT_TYPES_(CASE_, WMMA_SPLIT)
    CASE_(WMMA_SPLIT, FP8, F32, WORDS_ALONE)
#undef CASE_
    return mat_exec;
}

#define WMMA_(KIND, NAME, D, A, B, K, TA, TB, TCD, PASSES, MODS, ...)                                                  \
    MATRIX_ROW_(wmma_exec(&NAME##_mat), NAME, WMMA, 0, KIND, D, A, B, 16, 16, K, 1, TA, TB, TCD, PASSES, MODS,         \
                A_WR | ((MODS)&MM_OP_SEL ? A_RD : 0), D, __VA_ARGS__)
#define WMMA(...)       WMMA_(MAT_WMMA, __VA_ARGS__)
#define WMMA_SPLIT(...) WMMA_(MAT_WMMA_SPLIT, __VA_ARGS__)
#define SWMMAC(NAME, D, A, B, K, TA, TB, TCD, PASSES, MODS, ...)                                                       \
    MATRIX_ROW_(mat_exec, NAME, WMMA, 0, MAT_SWMMAC, D, A, B, 16, 16, K, 1, TA, TB, TCD, PASSES, MODS, A_RD | A_WR,    \
                B32, __VA_ARGS__)
#define MM_NEGS (MM_NEG | MM_NEG_C)

/* --- gfx11: A and B in lanes 0..15, copied to the others --------------------------------------------------------- */

WMMA(v_wmma_f32_16x16x16_f16, B256, B256, B256, 16, F16, F16, F32, 8, MM_NEGS,
     ENC(OP(GFX11, VOP3P, 0x40), GONE(GFX12, VOP3P)))
WMMA(v_wmma_f32_16x16x16_bf16, B256, B256, B256, 16, BF16, BF16, F32, 8, MM_NEGS,
     ENC(OP(GFX11, VOP3P, 0x41), GONE(GFX12, VOP3P)))
WMMA(v_wmma_f16_16x16x16_f16, B256, B256, B256, 16, F16, F16, F16, 8, MM_NEGS | MM_OP_SEL,
     ENC(OP(GFX11, VOP3P, 0x42), GONE(GFX12, VOP3P)))
WMMA(v_wmma_bf16_16x16x16_bf16, B256, B256, B256, 16, BF16, BF16, BF16, 8, MM_NEGS | MM_OP_SEL,
     ENC(OP(GFX11, VOP3P, 0x43), GONE(GFX12, VOP3P)))
WMMA(v_wmma_i32_16x16x16_iu8, B256, B128, B128, 16, I8, I8, I32, 8, MM_SIGN,
     ENC(OP(GFX11, VOP3P, 0x44), GONE(GFX12, VOP3P)))
WMMA(v_wmma_i32_16x16x16_iu4, B256, B64, B64, 16, I4, I4, I32, 4, MM_SIGN,
     ENC(OP(GFX11, VOP3P, 0x45), GONE(GFX12, VOP3P)))

/* --- gfx12: lanes share out k ------------------------------------------------------------------------------------ */

WMMA_SPLIT(v_wmma_f32_16x16x16_f16_gfx12, B256, B128, B128, 16, F16, F16, F32, 4, MM_NEGS,
           ENC(AS(GFX12, VOP3P, 0x40, "v_wmma_f32_16x16x16_f16"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f32_16x16x16_bf16_gfx12, B256, B128, B128, 16, BF16, BF16, F32, 4, MM_NEGS,
           ENC(AS(GFX12, VOP3P, 0x41, "v_wmma_f32_16x16x16_bf16"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f16_16x16x16_f16_gfx12, B128, B128, B128, 16, F16, F16, F16, 4, MM_NEGS,
           ENC(AS(GFX12, VOP3P, 0x42, "v_wmma_f16_16x16x16_f16"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_bf16_16x16x16_bf16_gfx12, B128, B128, B128, 16, BF16, BF16, BF16, 4, MM_NEGS,
           ENC(AS(GFX12, VOP3P, 0x43, "v_wmma_bf16_16x16x16_bf16"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_i32_16x16x16_iu8_gfx12, B256, B64, B64, 16, I8, I8, I32, 2, MM_SIGN,
           ENC(AS(GFX12, VOP3P, 0x44, "v_wmma_i32_16x16x16_iu8"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_i32_16x16x16_iu4_gfx12, B256, B32, B32, 16, I4, I4, I32, 2, MM_SIGN,
           ENC(AS(GFX12, VOP3P, 0x45, "v_wmma_i32_16x16x16_iu4"), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_i32_16x16x32_iu4, B256, B64, B64, 32, I4, I4, I32, 2, MM_SIGN,
           ENC(OP(GFX12, VOP3P, 0x4a), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f32_16x16x16_fp8_fp8, B256, B64, B64, 16, FP8, FP8, F32, 2, MM_NEG_C,
           ENC(OP(GFX12, VOP3P, 0x46), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f32_16x16x16_fp8_bf8, B256, B64, B64, 16, FP8, BF8, F32, 2, MM_NEG_C,
           ENC(OP(GFX12, VOP3P, 0x47), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f32_16x16x16_bf8_fp8, B256, B64, B64, 16, BF8, FP8, F32, 2, MM_NEG_C,
           ENC(OP(GFX12, VOP3P, 0x48), GONE(GFX12_5, VOP3P)))
WMMA_SPLIT(v_wmma_f32_16x16x16_bf8_bf8, B256, B64, B64, 16, BF8, BF8, F32, 2, MM_NEG_C,
           ENC(OP(GFX12, VOP3P, 0x49), GONE(GFX12_5, VOP3P)))

/* --- gfx12, sparse: D is C, src2 the index sets ------------------------------------------------------------------ */

SWMMAC(v_swmmac_f32_16x16x32_f16, B256, B128, B256, 32, F16, F16, F32, 4, MM_NEG,
       ENC(OP(GFX12, VOP3P, 0x50), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f32_16x16x32_bf16, B256, B128, B256, 32, BF16, BF16, F32, 4, MM_NEG,
       ENC(OP(GFX12, VOP3P, 0x51), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f16_16x16x32_f16, B128, B128, B256, 32, F16, F16, F16, 4, MM_NEG,
       ENC(OP(GFX12, VOP3P, 0x52), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_bf16_16x16x32_bf16, B128, B128, B256, 32, BF16, BF16, BF16, 4, MM_NEG,
       ENC(OP(GFX12, VOP3P, 0x53), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_i32_16x16x32_iu8, B256, B64, B128, 32, I8, I8, I32, 2, MM_SIGN,
       ENC(OP(GFX12, VOP3P, 0x54), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_i32_16x16x32_iu4, B256, B32, B64, 32, I4, I4, I32, 2, MM_SIGN,
       ENC(OP(GFX12, VOP3P, 0x55), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_i32_16x16x64_iu4, B256, B64, B128, 64, I4, I4, I32, 2, MM_SIGN,
       ENC(OP(GFX12, VOP3P, 0x56), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f32_16x16x32_fp8_fp8, B256, B64, B128, 32, FP8, FP8, F32, 2, 0,
       ENC(OP(GFX12, VOP3P, 0x57), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f32_16x16x32_fp8_bf8, B256, B64, B128, 32, FP8, BF8, F32, 2, 0,
       ENC(OP(GFX12, VOP3P, 0x58), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f32_16x16x32_bf8_fp8, B256, B64, B128, 32, BF8, FP8, F32, 2, 0,
       ENC(OP(GFX12, VOP3P, 0x59), GONE(GFX12_5, VOP3P)))
SWMMAC(v_swmmac_f32_16x16x32_bf8_bf8, B256, B64, B128, 32, BF8, BF8, F32, 2, 0,
       ENC(OP(GFX12, VOP3P, 0x5a), GONE(GFX12_5, VOP3P)))
