/* What the decoder asks of an instruction's row, found once when a target is opened: of each argument the codes that
 * make an operand without a further look, of the instruction which steps of decoding are about it at all.
 */
#include "isa/decode/parts.h"

static bool is_vmem_format(enum isa_format f)
{
    return f >= FMT_FLAT && f <= FMT_VBUFFER;
}

/* Arguments whose operand depends on more than the code in the field, and those of matrix instructions. */
static bool always_checked(const struct isa_target *t, enum isa_format f, const struct isa_row *row,
                           const struct isa_arg *a)
{
    switch (a->slot) {
    case SL_ADDR:
        return is_vmem_format(f);
    case SL_SADDR:
        return f == FMT_SCRATCH || f == FMT_FLAT;
    case SL_CMP_OUT:
        return (row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY);
    case SL_K:
        return true;
    default:
        return row->mat || f == FMT_TENSOR || (a->flags & A_IF_RET) ||
               ((a->flags & A_HALF) && isa_has(t, FEAT_S_TRUE16));
    }
}

static unsigned arg_traits(const struct isa_target *t, enum isa_format f, const struct isa_row *row,
                           const struct isa_arg *a)
{
    const bool source = isa_source_number(a->slot) >= 0, vector = isa_is_vector_slot(a->slot);
    const bool tuples = isa_has(t, FEAT_AGPR_UNIFIED) || isa_has(t, FEAT_ALIGNED_VGPRS);
    const bool vector_alone = (a->flags & (A_VGPR | A_ACC)) || ((a->flags & A_LDS) && !(a->flags & A_SGPR));
    const unsigned dwords = isa_types[a->type].dwords;
    unsigned traits = always_checked(t, f, row, a) ? ARG_CHECKED : 0;

    if (row->mat)
        return traits;
    if (vector && !(a->flags & A_SGPR))
        traits |= ARG_FIELD;
    if (f > FMT_SOPP && !(a->flags & A_SGPR) && (source || vector))
        traits |= ARG_VGPR | (tuples && (dwords > 1 || a->slot == SL_ADDR) ? ARG_EVEN : 0u);
    if (isa_is_mixed(a->type) || vector_alone)
        return traits;
    if (source && !(a->flags & A_REG))
        traits |= ARG_INTEGER;
    return traits | (dwords == 1 ? ARG_SGPR : dwords == 2 ? ARG_SGPR_PAIR : dwords ? ARG_SGPR | ARG_SGPR_PAIR : 0u);
}

static unsigned op_traits(const struct isa_target *t, enum isa_format f, const struct isa_row *row)
{
    const bool vop = f >= FMT_VOP1 && f <= FMT_VOP3P;
    unsigned traits = 0;

    if ((row->flags & (RF_MAI | RF_INTERP)) || (f == FMT_VOP3P && isa_loads_scales(row)) ||
        (f == FMT_DS && row->mem.tr_bits) || (f == FMT_VOP3 && isa_row_has(row, SL_CARRY_OUT)))
        traits |= OP_FIELDS;
    if (vop && row->args[0].slot)
        traits |= OP_SOURCE;
    else if ((f == FMT_VOP1 && !(row->flags & RF_NO_DPP)) || row->image.data)
        traits |= OP_WORDS;
    if ((row->flags & (RF_CMPX | RF_FIXED_OP_SEL | RF_GDS)) || row->mat || is_vmem_format(f) ||
        (f == FMT_SMEM && isa_has(t, FEAT_SCALE_OFFSET)))
        traits |= OP_CHECKED;
    if (f == FMT_SMEM || is_vmem_format(f) || row->image.data)
        traits |= OP_HINT;
    return traits;
}

static unsigned mode_need(const struct isa_row *row)
{
    unsigned need = 0;

    if (row->flags & RF_NO_FLUSH)
        return 0;
    for (unsigned k = 0; row->args[k].slot; k++) {
        unsigned bits = isa_types[row->args[k].type].float_bits;
        need |= bits == 32 ? 1 : bits ? 2 : 0;
    }
    return need;
}

void isa_find_traits(const struct isa_target *t, enum isa_format f, struct isa_op *op)
{
    const struct isa_row *row = op->row;

    op->traits = (uint8_t)op_traits(t, f, row);
    op->mode_need = (uint8_t)mode_need(row);
    while (row->args[op->first_src].slot && !(row->args[op->first_src].flags & A_RD))
        op->first_src++;
    for (unsigned k = 0; row->args[k].slot; k++)
        op->arg[k] = (uint8_t)arg_traits(t, f, row, &row->args[k]);
}
