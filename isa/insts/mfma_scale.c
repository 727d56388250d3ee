/* Matrix instructions of gfx950 whose A and B are OCP's floats of 8, 6 or 4 bits, each of its own format, with or
 * without block scales: v_mfma_*_f8f6f4, v_mfma_scale_*_f8f6f4. cbsz chooses A's format and blgp B's: fp8, bf8, fp6,
 * bf6, fp4.
 *
 * Layout (m = n rows, lane l has row l % m, its group is l / m): of 8-bit formats a lane has 16 consecutive k from
 * 16 * group on, and 16 more k / 2 further; of the others 32 consecutive k from 32 * group on. C and D are those of
 * other MFMA. A scale is a byte (2^(byte - 127), 255: NaN) of a lane's register, which op_sel and op_sel_hi choose;
 * lane l has that of row l % m and of the 32 k from 32 * group on.
 *
 * Sums are made in double precision and rounded once. Passes: ROCm's origami (hardware.cpp). Sources and what is only
 * inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"
#include "isa/lanes/fp8.h"
#include "isa/lanes/scalar.h"

enum { LANES = 64, BLOCK = 32, MOST_ROWS = 32, MOST_K = 128, MOST_BLOCKS = MOST_K / BLOCK };

static const struct fp8 formats[] = {
    {8, 3, 7, false}, {8, 2, 15, false}, {6, 3, 1, false}, {6, 2, 3, false}, {4, 1, 1, false}};

/* One of A and B: rows of A, columns of B. */
struct operand {
    double value[MOST_ROWS][MOST_K];
    int exponent[MOST_ROWS][MOST_BLOCKS]; /* of the scales */
    bool nan[MOST_ROWS][MOST_BLOCKS];
};

static void read_operand(const uint32_t *from, const struct fp8 f, unsigned m, unsigned k, struct operand *to)
{
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned t = 0; t < BLOCK; t++) {
            unsigned group = l / m, at = f.bits == 8 ? t / 16 * (k / 2) + 16 * group + t % 16 : BLOCK * group + t;
            uint32_t v = string_get(from + l, LANES, t * (unsigned)f.bits, (unsigned)f.bits);
            to->value[l % m][at] = (double)from_fp8(f, v);
        }
}

/* scale: a lane's registers, null: there are no scales. byte: 0 to 3 */
static void read_scales(const uint32_t *scale, unsigned byte, unsigned m, struct operand *to)
{
    for (unsigned l = 0; l < LANES; l++) {
        unsigned v = scale ? scale[l] >> 8 * byte & 255 : 127;
        to->exponent[l % m][l / m] = (int)v - 127;
        to->nan[l % m][l / m] = v == 255;
    }
}

static float dot(const struct operand *a, unsigned i, const struct operand *b, unsigned j, unsigned k, float c)
{
    double sum = (double)c;

    for (unsigned block = 0; block < k / BLOCK; block++) {
        double part = 0;
        for (unsigned t = block * BLOCK; t < (block + 1) * BLOCK; t++)
            part += a->value[i][t] * b->value[j][t];
        if (a->nan[i][block] || b->nan[j][block])
            part = (double)as_f32(QNAN32);
        sum += ldexp(part, a->exponent[i][block] + b->exponent[j][block]);
    }
    return (float)sum;
}

/* Scales, where there are any, are operands 4 and 5. */
static int exec_f8f6f4(WPARAMS_)
{
    const struct isa_matrix *m = i->row->mat;
    const unsigned spread = LANES / m->m, words = m->m * m->m;
    const uint32_t *source[6] = {NULL};
    struct operand a, b;
    uint32_t c[MOST_ROWS * MOST_ROWS], *d = mem_rows(w, &i->op[0]);

    if (!d)
        return ISA_FAULT;
    if (i->u.mai.cbsz > 4 || i->u.mai.blgp > 4)
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: no format has the number %u", i->mnemonic,
                         i->u.mai.cbsz > 4 ? i->u.mai.cbsz : i->u.mai.blgp);
    for (unsigned k = 1; k < i->nops; k++) {
        source[k] = i->op[k].code >= CODE_VGPR ? mem_rows(w, &i->op[k]) : NULL;
        if (!source[k] && i->op[k].code >= CODE_VGPR)
            return ISA_FAULT;
    }
    read_operand(source[1], formats[i->u.mai.cbsz], m->m, m->k, &a);
    read_operand(source[2], formats[i->u.mai.blgp], m->m, m->k, &b);
    read_scales(source[4], (i->op_sel & 1) | (i->op_sel_hi & 1) << 1, m->m, &a);
    read_scales(source[5], (i->op_sel >> 1 & 1) | (i->op_sel_hi & 2), m->m, &b);
    for (unsigned at = 0; at < words; at++)
        c[at] = source[3] ? source[3][at] : sget32(w, i, 3);
    for (unsigned row = 0; row < m->m; row++)
        for (unsigned column = 0; column < m->m; column++) {
            unsigned lane = column + m->m * (row / 4 % spread), item = row % 4 + row / (4 * spread) * 4;
            unsigned at = item * LANES + lane;
            d[at] = bits_f32(dot(&a, row, &b, column, m->k, as_f32(c[at])));
        }
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
