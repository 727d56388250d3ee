/* Forms, modifiers and combinations of fields that an instruction cannot have, its operands being there already. What
 * each of them is was found as zero_bits.c says. */
#include <string.h>

#include "isa/decode/legal.h"

const char *isa_illegal_memory(const struct isa_target *t, const struct isa_inst *i, const struct isa_fields *f)
{
    const struct isa_membits *m = &i->u.mem;
    const struct isa_row *row = i->row;
    bool flat = i->format == FMT_FLAT || i->format == FMT_GLOBAL || i->format == FMT_SCRATCH;
    unsigned first = row->args[0].slot; /* none: cache control; the address: loads to LDS; else data */

    if (isa_has(t, FEAT_SCALE_OFFSET) && !flat && i->offset < 0)
        return "a negative offset into a buffer";
    if (m->tfe && !flat &&
        (isa_typed_buffer(i) || row->cls == OPC_VMEM_ATOMIC || (first != SL_VDST && first != SL_DATA0)))
        return "no tfe here";
    if (m->lds && (m->tfe || m->nv || f->acc_data))
        return "a load to LDS has no register to say more about";
    if (first == SL_SRSRC && !m->lds)
        return "a store from LDS without the lds bit";
    if (i->has_literal && (t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9))
        return "literal not allowed here";
    if (i->format == FMT_GLOBAL && !first && f->slot[SL_SADDR] != CODE_NONE)
        return "an address that is none";
    return NULL;
}

bool isa_has_idle_halves(const struct isa_inst *i)
{
    unsigned sources = 0, narrow = 0;

    bool widens = i->base_format == FMT_VOP1 && i->nops == 2 && isa_is_half(i->op[1].type);
    bool result = isa_is_half(i->op[0].type) || i->op[0].type == T_MASK;

    if ((!result && !widens) || (i->row->flags & RF_OP_SEL) ||
        ((i->row->flags & RF_OP_SEL4) && i->base_format == FMT_VOP3))
        return false;
    for (unsigned k = 0; k < i->nops; k++) {
        int source = isa_source_number(i->row->args[k].slot);
        bool half = isa_is_half(i->op[k].type);
        if (source >= 0)
            sources |= 1u << source;
        else if ((half || widens) && i->row->args[k].slot == SL_VDST)
            sources |= 8;
        narrow |= half;
    }
    return narrow && (i->op_sel & ~sources);
}

/* --- modifiers and forms ----------------------------------------------------------------------------------------- */

/* neg and abs of SDWA and DPP belong to floats, sext to integers. */
static bool twin_modifiers(const struct isa_target *t, const struct isa_inst *i)
{
    unsigned floats = 0, integers = 0;
    bool halves = t->llvm22 && t->name_halves && i->form == FORM_DPP16;

    for (unsigned k = 0; i->row->args[k].slot; k++) {
        const struct isa_arg *a = &i->row->args[k];
        if (a->slot != SL_SRC0 && a->slot != SL_SRC1)
            continue;
        bool is_float = isa_types[a->type].float_bits || (a->flags & A_FMOD) || a->type == T_BF16 ||
                        (halves && (isa_is_half(a->type) || (a->flags & A_HALF)));
        *(is_float ? &floats : &integers) |= 1u << (a->slot - SL_SRC0);
    }
    bool narrows = halves && isa_is_half(i->row->args[0].type); /* v_sat_pk_u8_i16 */
    bool classes = halves && (i->row->flags & RF_CMPX) && (floats & 1) && (integers & 2);
    if (narrows || classes)
        floats |= integers;
    if (i->row->flags & RF_TRUE16) /* v_mov_b16: its first source's are not looked at */
        return !((i->neg | i->abs) & 2);
    if (i->row->cls == OPC_DOT) /* nor these */
        return true;
    if (i->form == FORM_SDWA && (i->u.sdwa.sext & floats))
        return false;
    if ((i->row->flags & RF_INT_MODS) && floats && i->form == FORM_DPP16)
        floats |= integers;
    return !((i->neg | i->abs) & ~floats);
}

/* VOP3P instructions with DPP forms: the mixed multiply-adds, v_dot2_f32_f16 and the dot products of 8-bit floats. */
static bool vop3p_takes_dpp(const struct isa_inst *i)
{
    unsigned type = i->row->args[1].type;

    return i->format != FMT_VOP3P || isa_is_mixed(type) || (i->row->cls == OPC_DOT && isa_is_packed_f16(type)) ||
           (i->row->flags & RF_FIXED_OP_SEL);
}

static bool has_pair(const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords == 2)
            return true;
    return false;
}

/* Multiplications of 32 bits by the unit of 64-bit operations: DPP forms where, and as, those have them. */
static bool multiplies_32(const struct isa_row *row)
{
    static const char *const names[] = {"v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u32"};

    return isa_is_one_of(row, names, sizeof names / sizeof names[0]);
}

/* Operations on pairs of registers take one lane of a row for all alone: row_newbcast, or row_share on gfx1251. */
bool isa_idle_dpp64(const struct isa_inst *i)
{
    if (!isa_form_is_dpp16(i->form) || i->u.dpp.ctrl >> 4 == 0x15)
        return false;
    return has_pair(i) || multiplies_32(i->row);
}

/* The reason why an instruction has no such DPP form; null when it has. */
static const char *illegal_dpp(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    const bool vop3 = i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8;
    const bool all_of_them = isa_has(t, FEAT_VOP3_DPP);
    const bool multiplies = isa_has(t, FEAT_DPP_64) && all_of_them && multiplies_32(row);

    if (multiplies || has_pair(i)) {
        if (!isa_has(t, FEAT_DPP_64))
            return "no 64-bit DPP on this target";
        if (all_of_them && (!isa_form_is_dpp16(i->form) || row->cls == OPC_F64_TRANS))
            return "no DPP form";
    }
    if ((row->flags & RF_NO_DPP) && !multiplies)
        return "no DPP form";
    if ((i->format == FMT_VOPC && !all_of_them) || ((row->flags & RF_RELATIVE) && !isa_has(t, FEAT_RELATIVE_TWINS)))
        return "no DPP form";
    return vop3 && !vop3p_takes_dpp(i) ? "no DPP form" : NULL;
}

static bool adds_to_destination(const struct isa_row *row)
{
    for (unsigned k = 1; row->args[k].slot; k++)
        if (row->args[k].slot == SL_VDST)
            return true;
    return false;
}

static const char *illegal_sdwa(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    bool number = i->nops && isa_types[i->op[0].type].float_bits;

    if ((row->flags & RF_NO_SDWA) || ((row->flags & RF_RELATIVE) && !isa_has(t, FEAT_RELATIVE_TWINS)) ||
        (isa_has(t, FEAT_SDWA_SGPR) && adds_to_destination(row)))
        return "no SDWA form";
    if ((row->flags & RF_OP_SEL) && i->u.sdwa.dst_sel != 6) /* conversions of 8-bit floats */
        return "only whole results";
    return i->omod && !number ? "omod on what is no float" : NULL;
}

/* Encodings of 16-bit instructions with bits of op_sel that no operand has: LLVM 22 takes them for those of whole
 * registers, which know neither neg and abs of integers nor all of the instructions: not v_mov_b16, and no conversions
 * of bf16 and of 8-bit floats. */
static const char *illegal_idle_op_sel(const struct isa_inst *i)
{
    static const char means_nothing[] = "a bit of op_sel that means nothing";
    const enum isa_type result = (enum isa_type)i->op[0].type;
    const bool unary = i->nops == 2, widens = unary && !isa_is_half(result) && result != T_MASK;

    bool orders = (i->row->flags & RF_QUIET_OP_SEL) && isa_types[result].float_bits; /* v_minimum_f16 */
    if (orders || (i->row->flags & RF_TRUE16) || (widens && (i->op[1].type == T_BF16 || result == T_PF16)))
        return means_nothing;
    for (unsigned k = 1; k < i->nops; k++) {
        const struct isa_arg *a = &i->row->args[k];
        int source = isa_source_number(a->slot);
        bool is_float =
            isa_types[i->op[k].type].float_bits || i->op[k].type == T_BF16 || (a->flags & (A_FMOD | A_HALF));
        bool counts = isa_is_half(i->op[k].type) || unary;
        if (source >= 0 && counts && !is_float && !(i->row->flags & RF_INT_MODS) && (i->neg | i->abs) >> source & 1)
            return means_nothing;
    }
    return NULL;
}

const char *isa_illegal_form(const struct isa_target *t, const struct isa_inst *i)
{
    bool dpp = isa_form_is_dpp(i->form);

    if (isa_fakes_halves(t, i) && illegal_idle_op_sel(i))
        return illegal_idle_op_sel(i);
    if (!dpp && i->form != FORM_SDWA)
        return NULL;
    if ((i->form == FORM_SDWA || i->form == FORM_DPP16) && !twin_modifiers(t, i))
        return "a modifier on a source that takes none";
    return dpp ? illegal_dpp(t, i) : illegal_sdwa(t, i);
}

/* gfx1250: op_sel[2] and op_sel_hi[2] are hints, or parts of formats, and the rest of op_sel is the index key of sparse
 * ones. */
static const char *illegal_wide_matrix(struct isa_inst *i)
{
    const struct isa_matrix *m = i->row->mat;
    bool sparse = isa_matrix_sparse(m);
    unsigned lo = (m->mods & (MM_NEG | MM_SIGN) ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);
    unsigned hi = (m->mods & MM_NEG && m->a != MT_F32 ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);

    if (!(m->mods & MM_FORMATS) && (i->op_sel_hi & 3) != 3)
        return "op_sel_hi means nothing here";
    if (!(m->mods & MM_FORMATS) && (i->op_sel & (sparse ? 2 : 3)))
        return "op_sel means nothing here";
    if (!(m->mods & (MM_FORMATS | MM_REUSE))) {
        if (i->op_sel & 4)
            return "no reuse here";
        if (!(i->op_sel_hi & 4)) { /* AMD's assembler leaves it zero */
            isa_ignore(i, ISA_FIELD_OP_SEL_HI);
            i->op_sel_hi |= 4;
        }
    }
    if (i->clamp && !(m->mods & MM_SIGN))
        return "no clamp here";
    return (i->neg & ~lo) || (i->neg_hi & ~hi) ? "no such neg here" : NULL;
}

/* The reason why a matrix instruction may not carry its modifiers; null when it may. */
const char *isa_illegal_matrix(struct isa_inst *i)
{
    const struct isa_matrix *m = i->row->mat;
    bool split = m->kind != MAT_WMMA;

    if (m->kind >= MAT_WMMA_WIDE)
        return illegal_wide_matrix(i);
    if (m->a == MT_F8F6F4) /* abid selects the scales */
        return i->u.mai.abid != (i->base_format == FMT_VOP3PX) ? "no abid here" : NULL;
    if (i->row->flags & RF_MAI)
        return m->kind == MAT_SMFMAC && i->u.mai.blgp ? "no blgp here" : NULL;
    unsigned key = m->k == 64 ? 0 : 1; /* halves of the index register; of four quarters in wave64 LLVM knows not */
    i->wave64_only = m->kind == MAT_SWMMAC && i->op_sel > key;
    if (m->kind == MAT_SWMMAC ? i->op_sel > 2 * key + 1 : i->op_sel && !(m->mods & MM_OP_SEL))
        return "op_sel means nothing here";
    if (split && i->op_sel_hi != 7)
        return "op_sel_hi means nothing here";
    if (i->clamp && !(m->mods & MM_SIGN))
        return "no clamp here";
    unsigned lo = (m->mods & (MM_NEG | MM_SIGN) ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);
    unsigned hi = (m->mods & MM_NEG ? 3 : 0) | (m->mods & MM_NEG_C ? 4 : 0);
    if (split && ((i->neg & ~lo) || (i->neg_hi & ~hi)))
        return "no such neg here";
    return NULL;
}
