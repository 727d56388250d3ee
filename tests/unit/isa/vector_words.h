/* Words of an ALU instruction in any of its forms, its operands in fixed registers. For test_vectors.c.
 *
 * RDNA4, RDNA3.5, CDNA3 and Vega ISA manuals, chapter "Microcode formats".
 */
#ifndef GCNSIM_TESTS_ISA_VECTOR_WORDS_H
#define GCNSIM_TESTS_ISA_VECTOR_WORDS_H

#include "isa/table/list.h"
#include "tests/unit/isa/vector_file.h"

/* Registers the operands stand in; a VOPD's other half moves R_OTHER to R_OTHER_D. */
enum { R_OTHER = 1, R_D0 = 4, R_OTHER_D = 7, R_S0 = 8, R_S1 = 12, R_S2 = 16, S_MASK_OUT = 30, S_MASK_IN = 32 };
enum { S_VCC = 106, JUNK = 0xa5c3e187u };

/* Lanes of DPP sources: quads crossed over, eight lanes turned round, one lane of sixteen (64-bit operands). */
enum { DPP_QUAD_CROSS = 0xb1, DPP_NEWBCAST_3 = 0x153, DPP8_REVERSE = 0x053977 };
enum { SDWA_DWORD = 6, SDWA_WORD_1 = 5, SDWA_PRESERVE = 2 };

struct job {
    struct rig *r;
    const struct section *s;
    const struct isa_op *op;
    unsigned format, opcode, form; /* enum isa_format, enum isa_form */
    struct tally *t;
};

/* A DPP whose operands take two registers can only spread one lane of a row. */
static inline bool is_broadcast(const struct job *j)
{
    const struct isa_row *row = j->op->row;

    for (unsigned k = 0; isa_form_is_dpp16(j->form) && row->args[k].slot != SL_NONE; k++)
        if (isa_types[row->args[k].type].dwords == 2)
            return true;
    return false;
}

/* The lane that lane l takes src0 from. */
static inline unsigned dpp_source(const struct job *j, unsigned l)
{
    if (isa_form_is_dpp16(j->form))
        return is_broadcast(j) ? (l & ~15u) + 3 : l ^ 1;
    return isa_form_is_dpp8(j->form) ? l ^ 7 : l;
}

/* Operands of 16 bits that SDWA takes from, and leaves in, the high half of the register. */
static inline bool in_high_half(const struct job *j, unsigned slot)
{
    const struct isa_arg *a = row_arg(j->op->row, slot);
    bool accumulates = find_in(j->s, F_D0) >= 0;

    return j->form == FORM_SDWA && a && isa_types[a->type].bits == 16 && !(slot == SL_VDST && accumulates);
}

static inline uint32_t sdwa_word(const struct job *j)
{
    unsigned dst = in_high_half(j, SL_VDST) ? SDWA_WORD_1 : SDWA_DWORD;
    uint32_t w = R_S0 | (in_high_half(j, SL_SRC0) ? SDWA_WORD_1 : SDWA_DWORD) << 16;

    if (row_has(j->op->row, SL_SRC1))
        w |= (uint32_t)(in_high_half(j, SL_SRC1) ? SDWA_WORD_1 : SDWA_DWORD) << 24;
    if (!row_has(j->op->row, SL_CMP_OUT) && !(j->op->row->flags & RF_CMPX))
        w |= dst << 8 | SDWA_PRESERVE << 11;
    return w;
}

/* What src0's field holds, and the word after the instruction's own that goes with it; 0: none. */
static inline unsigned src0_code(const struct job *j, uint32_t *extra)
{
    *extra = 0;
    if (j->form == FORM_SDWA) {
        *extra = sdwa_word(j);
        return CODE_SDWA;
    }
    if (isa_form_is_dpp16(j->form)) {
        *extra = R_S0 | (uint32_t)(is_broadcast(j) ? DPP_NEWBCAST_3 : DPP_QUAD_CROSS) << 8 | 0xff000000;
        return CODE_DPP16;
    }
    if (isa_form_is_dpp8(j->form)) {
        *extra = R_S0 | (uint32_t)DPP8_REVERSE << 8;
        return CODE_DPP8;
    }
    return row_has(j->op->row, SL_SRC0) ? CODE_VGPR + R_S0 : 0;
}

static inline void vop3_words(const struct job *j, unsigned src0, uint32_t *w)
{
    const struct isa_row *row = j->op->row;
    unsigned vdst = R_D0;

    if (row_has(row, SL_CMP_OUT))
        vdst = row->flags & RF_CMPX && isa_has(j->r->t, FEAT_CMPX_EXEC_ONLY) ? CODE_EXEC_LO : S_MASK_OUT;
    else if (row->flags & RF_CMPX)
        vdst = CODE_EXEC_LO;
    w[0] = (old_layout(j->r->t) ? 0xd0000000 : 0xd4000000) | j->opcode << 16 | vdst;
    w[0] |= row_has(row, SL_CARRY_OUT) ? (unsigned)S_MASK_OUT << 8 : j->s->op_sel << 11;
    w[1] = src0 | j->s->neg << 29;
    if (row_has(row, SL_SRC1))
        w[1] |= (CODE_VGPR + R_S1) << 9;
    if (row_has(row, SL_SRC2))
        w[1] |= (uint32_t)(CODE_VGPR + R_S2) << 18;
    else if (row_has(row, SL_CARRY_IN))
        w[1] |= S_MASK_IN << 18;
}

static inline void vop3p_words(const struct job *j, unsigned src0, uint32_t *w)
{
    const struct section *s = j->s;

    w[0] = (old_layout(j->r->t) ? 0xd3800000 : 0xcc000000) | j->opcode << 16 | R_D0 | s->op_sel << 11 |
           (s->op_sel_hi >> 2 & 1) << 14;
    w[1] = src0 | (CODE_VGPR + R_S1) << 9 | (s->op_sel_hi & 3) << 27 | s->neg << 29;
    if (row_has(j->op->row, SL_SRC2))
        w[1] |= (uint32_t)(CODE_VGPR + R_S2) << 18;
}

/* The half under test, and a move in the other one. */
static inline void vopd_words(const struct job *j, uint32_t *w)
{
    enum { MOV = 8 };
    bool x = j->format == FMT_VOPDX;
    unsigned sources = CODE_VGPR + R_S0, other = CODE_VGPR + R_OTHER;

    w[0] = 0xc8000000 | (x ? j->opcode << 22 | (unsigned)MOV << 17 : (unsigned)MOV << 22 | j->opcode << 17);
    if (row_has(j->op->row, SL_SRC1))
        sources |= R_S1 << 9;
    w[0] |= x ? sources : other;
    w[1] = x ? other | (R_OTHER_D >> 1) << 17 | (uint32_t)R_D0 << 24
             : sources | (R_D0 >> 1) << 17 | (uint32_t)R_OTHER_D << 24;
}

/* Words of the instruction; k is the literal or immediate. */
static inline unsigned encode(const struct job *j, uint32_t k, uint32_t *w)
{
    uint32_t extra;
    unsigned n = 1, opcode = j->opcode, src0 = src0_code(j, &extra);

    switch (j->format) {
    case FMT_VOP1:
        w[0] = 0x7e000000 | R_D0 << 17 | opcode << 9 | src0;
        break;
    case FMT_VOP2:
        w[0] = opcode << 25 | R_D0 << 17 | R_S1 << 9 | src0;
        break;
    case FMT_VOPC:
        w[0] = 0x7c000000 | opcode << 17 | R_S1 << 9 | src0;
        break;
    case FMT_VOP3:
        vop3_words(j, src0, w);
        n = 2;
        break;
    case FMT_VOP3P:
        vop3p_words(j, src0, w);
        n = 2;
        break;
    case FMT_VOPDX:
    case FMT_VOPDY:
        vopd_words(j, w);
        n = 2;
        break;
    case FMT_SOP1:
        w[0] = 0xbe800000 | R_D0 << 16 | opcode << 8 | R_S0;
        break;
    case FMT_SOP2:
        w[0] = 0x80000000 | opcode << 23 | R_D0 << 16 | R_S1 << 8 | R_S0;
        break;
    case FMT_SOPC:
        w[0] = 0xbf000000 | opcode << 16 | R_S1 << 8 | R_S0;
        break;
    case FMT_SOPK:
        w[0] = 0xb0000000 | opcode << 23 | R_D0 << 16 | (k & 0xffff);
        break;
    default:
        fail_msg("no encoding for %s", isa_format_name[j->format]);
    }
    if (extra)
        w[n++] = extra;
    if (row_has(j->op->row, SL_K))
        w[n++] = k;
    return n;
}

#endif
