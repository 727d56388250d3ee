/* Matrix instructions of gfx950 whose A and B are OCP's floats of 8, 6 or 4 bits, each of its own format, with or
 * without block scales: v_mfma_*_f8f6f4, v_mfma_scale_*_f8f6f4. cbsz chooses A's format and blgp B's: fp8, bf8, fp6,
 * bf6, fp4.
 *
 * Layout (m = n rows, lane l has row l % m, its group is l / m): of 8-bit formats a lane has 16 consecutive k from
 * 16 * group on, and 16 more k / 2 further; of the others 32 consecutive k from 32 * group on. C and D are those of
 * other MFMA. A scale is a byte (2^(byte - 127), 255: NaN) of a lane's register, which op_sel and op_sel_hi choose;
 * lane l has that of row l % m and of the 32 k from 32 * group on.
 *
 * Sums: isa/insts/matrix_blocks.h. Passes: ROCm's origami (hardware.cpp). Sources and what is only
 * inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#include "isa/insts/matrix_blocks.h"
#include "isa/insts/mem.h"
#include "isa/lanes/scalar.h"

enum { LANES = 64, BLOCK = 32, MOST_CD = 1024 };

/* scale: a lane's registers. byte: 0 to 3 */
static void read_scales(const uint32_t *scale, unsigned byte, unsigned m, struct blocks_operand *to)
{
    for (unsigned l = 0; l < LANES; l++)
        to->scale[l / m][l % m] = blocks_e8m0(scale[l] >> 8 * byte & 255);
}

/* Scales, where there are any, are operands 4 and 5. */
static int exec_f8f6f4(WPARAMS_)
{
    const struct isa_matrix *m = i->row->mat;
    const unsigned words = m->m * m->m;
    const uint32_t *source[6] = {NULL};
    struct blocks_operand a, b;
    uint32_t c[MOST_CD], *d = mem_rows(w, &i->op[0]);

    if (!d)
        return ISA_FAULT;
    if (i->u.mai.cbsz >= BLOCKS_FORMATS || i->u.mai.blgp >= BLOCKS_FORMATS)
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: no format has the number %u", i->mnemonic,
                         i->u.mai.cbsz >= BLOCKS_FORMATS ? i->u.mai.cbsz : i->u.mai.blgp);
    for (unsigned k = 1; k < i->nops; k++) {
        source[k] = i->op[k].code >= CODE_VGPR ? mem_rows(w, &i->op[k]) : NULL;
        if (!source[k] && i->op[k].code >= CODE_VGPR)
            return ISA_FAULT;
    }
    blocks_read(i->u.mai.cbsz, source[1], LANES, m->m, m->k, &a, 0);
    blocks_read(i->u.mai.blgp, source[2], LANES, m->m, m->k, &b, 0);
    blocks_unscaled(&a);
    blocks_unscaled(&b);
    if (source[4]) {
        read_scales(source[4], (i->op_sel & 1) | (i->op_sel_hi & 1) << 1, m->m, &a);
        read_scales(source[5], (i->op_sel >> 1 & 1) | (i->op_sel_hi & 2), m->m, &b);
    }
    for (unsigned at = 0; at < words; at++)
        c[at] = source[3] ? source[3][at] : sget32(w, i, 3);
    struct blocks_product p = {.a = &a, .b = &b, .k = m->k, .block = BLOCK, .c = c, .d = d};
    p.shape = m->m == 32 ? (struct mat_shape){32, 32, LANES, 4, WORDS_ALONE}
                         : (struct mat_shape){16, 16, LANES, 4, WORDS_ALONE};
    blocks_multiply(&p);
    return ISA_OK;
}

/* Where both formats have fewer than 8 bits it takes half the passes. */
#define F8F6F4(NAME, FORMAT, OPCODE, D, M, K, PASSES, ...)                                                             \
    static const struct isa_matrix NAME##_narrow = {MAT_MFMA,     M, M,   K, 1, MT_F8F6F4, MT_F8F6F4, MT_F32,          \
                                                    (PASSES) / 2, 0, NULL};                                            \
    static const struct isa_matrix NAME##_mat = {MAT_MFMA,      M, M, K, 1, MT_F8F6F4, MT_F8F6F4, MT_F32, PASSES, 0,   \
                                                 &NAME##_narrow};                                                      \
    ROW_ENC_(NAME, OP(GFX950, FORMAT, OPCODE))                                                                         \
    ROW_HEAD_(NAME, MFMA, ROW_WIDE, RF_MAI | RF_NO_EXEC | RF_ANY_LANE | RF_NO_DPP, 0).exec = exec_f8f6f4,              \
                                                                                   .mat = &NAME##_mat,                 \
                                                                                   .ulp = ISA_NO_BOUND,                \
                                                                                   .args = {{SL_VDST, T_##D, A_WR},    \
                                                                                            {SL_SRC0, T_B256, A_RD},   \
                                                                                            {SL_SRC1, T_B256, A_RD},   \
                                                                                            {SL_SRC2, T_##D, A_RD},    \
                                                                                            __VA_ARGS__},              \
                                                                                   ROW_TAIL_(NAME)
#define SCALES                                                                                                         \
    {SL_SCALE_A, T_B32, A_RD | A_VGPR},                                                                                \
    {                                                                                                                  \
        SL_SCALE_B, T_B32, A_RD | A_VGPR                                                                               \
    }

F8F6F4(v_mfma_f32_16x16x128_f8f6f4, VOP3P, 0x2d, B128, 16, 128, 8, {0})
F8F6F4(v_mfma_f32_32x32x64_f8f6f4, VOP3P, 0x2e, B512, 32, 64, 16, {0})
F8F6F4(v_mfma_scale_f32_16x16x128_f8f6f4, VOP3PX, 0x2d, B128, 16, 128, 8, SCALES)
F8F6F4(v_mfma_scale_f32_32x32x64_f8f6f4, VOP3PX, 0x2e, B512, 32, 64, 16, SCALES)

/* The first half of the scaled ones, where it is not one. */
W(v_mfma_ld_scale_b32, VALU, RF_NO_DPP, 0, ARGS({SL_SRC0, T_B32, A_RD}, {SL_SRC1, T_B32, A_RD}),
  ENC(OP(GFX950, VOP3P, 0x2c)))
{
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: what follows is no matrix instruction that has scales",
                     i->mnemonic);
}
