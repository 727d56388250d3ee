/* Words of the 16-bit instructions of gfx11 and gfx12 in each of their forms, their operands in low or in high halves
 * of VGPRs: the top bit of a register number in the short forms, op_sel in the long ones (RDNA3.5 and RDNA4 ISA,
 * "Microcode formats"). For tests of their text and of what they do.
 */
#ifndef GCNSIM_TESTS_ISA_HALF_WORDS_H
#define GCNSIM_TESTS_ISA_HALF_WORDS_H

#include "isa/table/list.h"
#include "tests/unit/isa/harness.h"

enum { H_DST = 4, H_SRC0 = 8, H_SRC1 = 12, H_SRC2 = 16, H_SGPR_OUT = 30, H_SGPR_IN = 32, H_LITERAL = 0x3c00 };

static inline bool is_half(const struct isa_row *row, unsigned slot)
{
    const struct isa_arg *a = row_arg(row, slot);

    return a && ((a->flags & A_HALF) || (isa_types[a->type].bits == 16 && isa_types[a->type].dwords));
}

/* Instructions whose operands are halves; not those whose op_sel says something else, nor v_s_*, of scalars. */
static inline bool has_half(const struct isa_row *row)
{
    return row && !(row->args[0].flags & A_SGPR && row->args[0].slot == SL_VDST) &&
           !(row->flags & (RF_OP_SEL | RF_OP_SEL4)) && row->cls != OPC_DOT &&
           (is_half(row, SL_VDST) || is_half(row, SL_SRC0) || is_half(row, SL_SRC1) || is_half(row, SL_SRC2));
}

/* The DPP word for src0 in `reg`; salt: which lanes and which masks. */
static inline uint32_t half_dpp_word(enum isa_form form, unsigned reg, unsigned salt)
{
    static const uint16_t ctrl[] = {0x1b, 0x101, 0x112, 0x12f, 0x140, 0x141, 0x153, 0x162, 0xb1};

    if (isa_form_is_dpp8(form))
        return reg | (0x053977u ^ (salt * 0x1249u & 0xffffff)) << 8;
    return reg | (uint32_t)ctrl[salt % 9] << 8 | (salt & 1) << 18 | (salt >> 1 & 1) << 19 |
           (salt & 4 ? 0xffu : 0x5au) << 24;
}

/* How many words; 0: there is no such form. Which registers, lanes and masks depends on salt. */
static inline unsigned half_words(const struct isa_target *t, enum isa_format f, unsigned opcode, enum isa_form form,
                                  bool high, unsigned salt, uint32_t w[4])
{
    const struct isa_row *row = t->ops[f][opcode].row;
    unsigned up = high ? 128 : 0, more = salt % 64, d = H_DST + more, s0 = H_SRC0 + more, s1 = H_SRC1 + more, n = 1;
    bool is_long = f == FMT_VOP3, dpp8 = isa_form_is_dpp8(form), dpp16 = isa_form_is_dpp16(form);

    if (!(isa_list_forms(t, f, opcode) >> form & 1))
        return 0;
    unsigned h0 = s0 + (!is_long && is_half(row, SL_SRC0) ? up : 0);
    unsigned src0 = dpp8 ? CODE_DPP8 + (salt >> 3 & 1) : dpp16 ? CODE_DPP16 : CODE_VGPR + h0;
    if (!row_has(row, SL_SRC0))
        src0 = 0;
    if (is_long) {
        unsigned sel = !high ? 0
                             : is_half(row, SL_SRC0) | is_half(row, SL_SRC1) << 1 | is_half(row, SL_SRC2) << 2 |
                                   is_half(row, SL_VDST) << 3;
        bool adds = row_arg(row, SL_VDST) && (row->args[0].flags & A_WR) && !row_has(row, SL_SRC2);
        for (unsigned k = 1; adds && high && row->args[k].slot; k++) /* LLVM 22 says the sum's half twice */
            sel |= (row->args[k].slot == SL_VDST) << 2;
        w[0] = 0xd4000000 | opcode << 16 | sel << 11;
        w[0] |= row->flags & RF_CMPX ? (unsigned)CODE_EXEC_LO : row_has(row, SL_CMP_OUT) ? H_SGPR_OUT : d;
        w[1] = src0 | (row_has(row, SL_SRC1) ? (CODE_VGPR + s1) << 9 : 0);
        w[1] |= (uint32_t)(row_has(row, SL_SRC2)       ? CODE_VGPR + H_SRC2 + more
                           : row_has(row, SL_CARRY_IN) ? H_SGPR_IN
                                                       : 0)
                << 18;
        n = 2;
    } else {
        unsigned h1 = row_has(row, SL_SRC1) ? s1 + (is_half(row, SL_SRC1) ? up : 0) : 0;
        unsigned hd = d + (is_half(row, SL_VDST) ? up : 0);
        w[0] = f == FMT_VOP1   ? 0x7e000000 | hd << 17 | opcode << 9 | src0
               : f == FMT_VOP2 ? opcode << 25 | hd << 17 | h1 << 9 | src0
                               : 0x7c000000 | opcode << 17 | h1 << 9 | src0;
    }
    if (dpp8 || dpp16)
        w[n++] = half_dpp_word(form, is_long ? s0 : h0, salt);
    if (row_has(row, SL_K))
        w[n++] = H_LITERAL;
    return n;
}

/* Calls back for each form of each such instruction of the target. */
static inline void each_half_form(const struct isa_target *t,
                                  void (*call)(void *ctx, enum isa_format f, unsigned opcode, enum isa_form form),
                                  void *ctx)
{
    static const uint8_t formats[] = {FMT_VOP1, FMT_VOP2, FMT_VOPC, FMT_VOP3};

    for (unsigned k = 0; k < sizeof formats; k++)
        for (unsigned op = 0; t->ops[formats[k]] && op < t->op_count[formats[k]]; op++)
            for (unsigned form = FORM_E32; form < FORM_VOPD && has_half(t->ops[formats[k]][op].row); form++)
                if (isa_list_forms(t, formats[k], op) >> form & 1)
                    call(ctx, (enum isa_format)formats[k], op, (enum isa_form)form);
}

#endif
