/* Matrix instructions of gfx1250 on OCP's floats of 8, 6 or 4 bits, 128 k: v_wmma_*_16x16x128_f8f6f4, whose A and B
 * have formats of their own (fp8, bf8, fp6, bf6, fp4), and v_wmma_*_32x16x128_f4; with a scale for 32 or for 16
 * elements along k, v_wmma_scale_* and v_wmma_scale16_*, or without.
 *
 * Sums: isa/insts/matrix_blocks.h. The second sixteen of 32 rows of A are in eight more registers, and so are those of
 * C and D. Lane l has the scales of one row of A or column of B, a byte for each block of k, k ascending: of l % 16,
 * in the sixteen lanes that the instruction names, or with 32 rows of row l. Passes (of four cycles): LLVM 22's
 * scheduling model. Sources and what is only inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions of gfx1250".
 */
#include "isa/insts/matrix_blocks.h"
#include "isa/insts/mem.h"
#include "isa/lanes/scalar.h"

enum { LANES = 32, ROWS = 16, FP4 = 4, MOST_CD = 512, SCALE_FORMATS = 3 };

/* 0: E8M0, 1: E5M3, without a sign and with one NaN, 2: E4M3 */
static double scale_value(unsigned format, uint32_t v)
{
    if (format == 0)
        return blocks_e8m0(v);
    return (double)from_fp8(format == 2 ? fp8_ocp : fp8_e5m3, v);
}

/* Those of `rows` rows. rows_of: operand k's registers, null for a scalar, which all lanes have. */
static void read_scales(const struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t *rows_of,
                        unsigned rows, struct blocks_operand *to)
{
    const bool wide = isa_types[i->op[k].type].dwords == 2;
    const unsigned format = i->u.mai.scale[k - 4].format, first = rows == LANES ? 0 : i->u.mai.scale[k - 4].row * ROWS;

    for (unsigned row = 0; row < rows; row++) {
        uint64_t bytes = 0;
        if (rows_of)
            bytes = rows_of[first + row] | (wide ? (uint64_t)rows_of[LANES + first + row] << 32 : 0);
        else
            bytes = wide ? sget64(w, i, k) : sget32(w, i, k);
        for (unsigned b = 0; b < (wide ? 8 : 4); b++)
            to->scale[b][row] = scale_value(format, bytes >> 8 * b & 255);
    }
}

/* C as it is used: copied, its absolute value and its negative where neg_hi and neg_lo say so. */
static void read_c(const struct isa_wave *w, const struct isa_inst *i, const uint32_t *rows, unsigned words,
                   uint32_t *to)
{
    const uint32_t keep = i->neg_hi & 4 ? 0x7fffffff : 0xffffffff, flip = i->neg & 4 ? 0x80000000u : 0;

    for (unsigned at = 0; at < words; at++)
        to[at] = ((rows ? rows[at] : sget32(w, i, 3)) & keep) ^ flip;
}

static int no_format(struct isa_wave *w, const struct isa_inst *i, const char *of, unsigned number)
{
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: no %s has the number %u", i->mnemonic, of, number);
}

/* Scales, where there are any, are operands 4 and 5. */
static int exec_blocks(WPARAMS_)
{
    const struct isa_matrix *m = i->row->mat;
    const bool formats = m->mods & MM_FORMATS, scaled = i->nops > 4;
    const unsigned format[2] = {formats ? i->op_sel & 7u : FP4, formats ? i->op_sel_hi & 7u : FP4};
    const uint32_t *source[6] = {NULL};
    struct blocks_operand ab[2];
    uint32_t c[MOST_CD], *d = mem_rows(w, &i->op[0]);

    if (!d)
        return ISA_FAULT;
    if (w->lanes != LANES)
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s is an instruction of wave32", i->mnemonic);
    for (unsigned side = 0; side < 2; side++) {
        if (format[side] >= BLOCKS_FORMATS)
            return no_format(w, i, "format", format[side]);
        if (scaled && i->u.mai.scale[side].format >= SCALE_FORMATS)
            return no_format(w, i, "format of scales", i->u.mai.scale[side].format);
    }
    for (unsigned k = 1; k < i->nops; k++) {
        source[k] = i->op[k].code >= CODE_VGPR ? mem_rows(w, &i->op[k]) : NULL;
        if (!source[k] && i->op[k].code >= CODE_VGPR)
            return ISA_FAULT;
    }
    for (unsigned row = 0; row < m->m; row += ROWS)
        blocks_read(format[0], source[1] + (size_t)row / ROWS * 8 * LANES, LANES, ROWS, m->k, &ab[0], row);
    blocks_read(format[1], source[2], LANES, ROWS, m->k, &ab[1], 0);
    for (unsigned side = 0; side < 2; side++)
        if (scaled)
            read_scales(w, i, 4 + side, source[4 + side], side ? m->n : m->m, &ab[side]);
        else
            blocks_unscaled(&ab[side]);
    read_c(w, i, source[3], m->m * m->n, c);
    struct blocks_product p = {.a = &ab[0], .b = &ab[1], .k = m->k, .block = 32, .c = c, .d = d};
    if (scaled && isa_types[i->op[4].type].dwords == 2)
        p.block = 16;
    p.shape = m->m == 32 ? (struct mat_shape){32, 16, LANES, 8, WORDS_ALONE}
                         : (struct mat_shape){16, 16, LANES, 8, WORDS_ALONE};
    blocks_multiply(&p);
    return ISA_OK;
}

/* Twice the passes where A or B has 8 bits. NARROW: the same without. */
#define PASSES_(NAME, M, MODS, PASSES, NARROW)                                                                         \
    static const struct isa_matrix NAME = {MAT_WMMA_WIDE,     M,     16, 128, 1, MT_F8F6F4, MT_F8F6F4, MT_F32, PASSES, \
                                           (MODS) | MM_NEG_C, NARROW};
PASSES_(wmma_narrow, 16, MM_FORMATS, 2, NULL)
PASSES_(wmma_f8f6f4, 16, MM_FORMATS, 4, &wmma_narrow)
PASSES_(wmma_f4, 32, 0, 2, NULL)

#define BLOCKS_(NAME, FORMAT, MATRIX, D, A, B, OPCODE, ...)                                                            \
    ROW_ENC_(NAME, OP(GFX12_5, FORMAT, OPCODE))                                                                        \
    ROW_HEAD_(NAME, WMMA, ROW_WIDE, RF_NO_EXEC | RF_ANY_LANE | RF_NO_DPP, 0).exec = exec_blocks, .mat = &(MATRIX),     \
                                                                          .ulp = ISA_NO_BOUND,                         \
                                                                          .args = {{SL_VDST, T_##D, A_WR},             \
                                                                                   {SL_SRC0, T_##A, A_RD},             \
                                                                                   {SL_SRC1, T_##B, A_RD},             \
                                                                                   {SL_SRC2, T_##D, A_RD},             \
                                                                                   __VA_ARGS__},                       \
                                                                          ROW_TAIL_(NAME)
#define BLOCKS(NAME, MATRIX, D, A, B, OPCODE) BLOCKS_(NAME, VOP3P, MATRIX, D, A, B, OPCODE, {0})
/* The opcode is that of the same without scales, and 256 more with scales of 64 bits. */
#define SCALED(NAME, MATRIX, D, A, B, TSCALE, OPCODE)                                                                  \
    BLOCKS_(NAME, VOP3PX, MATRIX, D, A, B, OPCODE, {SL_SCALE_A, T_##TSCALE, A_RD}, {SL_SCALE_B, T_##TSCALE, A_RD})

BLOCKS(v_wmma_f32_32x16x128_f4, wmma_f4, B512, B512, B256, 0x88)
BLOCKS(v_wmma_f32_16x16x128_f8f6f4, wmma_f8f6f4, B256, B512, B512, 0x33)
SCALED(v_wmma_scale_f32_16x16x128_f8f6f4, wmma_f8f6f4, B256, B512, B512, B32, 0x33)
SCALED(v_wmma_scale16_f32_16x16x128_f8f6f4, wmma_f8f6f4, B256, B512, B512, B64, 0x133)
SCALED(v_wmma_scale_f32_32x16x128_f4, wmma_f4, B512, B512, B256, B32, 0x88)
SCALED(v_wmma_scale16_f32_32x16x128_f4, wmma_f4, B512, B512, B256, B64, 0x188)

/* The first half of the scaled ones, where it is not one. */
#define LOAD_SCALES(NAME, T, OPCODE)                                                                                   \
    W(NAME, VALU, RF_NO_DPP | RF_FIXED_OP_SEL, 0, ARGS({SL_SRC0, T_##T, A_RD}, {SL_SRC1, T_##T, A_RD}),                \
      ENC(OP(GFX12_5, VOP3P, OPCODE)))                                                                                 \
    {                                                                                                                  \
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false,                                                            \
                         "%s: what follows is no matrix instruction that has scales", i->mnemonic);                    \
    }
LOAD_SCALES(v_wmma_ld_scale_paired_b32, B32, 0x35)
LOAD_SCALES(v_wmma_ld_scale16_paired_b64, B64, 0x3a)
