/* Bytes to instructions. A format is recognised by its leading bits; its fields fill one slot array; the row's
 * argument list turns slots into operands. Field positions: AMD ISA manuals (GCN3, Vega, RDNA1-4, CDNA2-3), checked
 * against llvm-mc-19 by tests/golden.
 */
#include <string.h>

#include "isa/legal.h"
#include "isa/variant.h"

struct pattern {
    uint32_t mask, match;
    uint8_t format, bytes;
};

static const struct pattern gfx8_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff800000, 0xd3800000, FMT_VOP3P, 8},
    {0xfc000000, 0xd0000000, FMT_VOP3, 8},
    {0xfc000000, 0xd4000000, FMT_VINTRP, 4},
    {0xfc000000, 0xc0000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xc4000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx10_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff800000, 0xcc000000, FMT_VOP3P, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xc8000000, FMT_VINTRP, 4},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx11_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff800000, 0xcc000000, FMT_VOP3P, 8},
    {0xff000000, 0xcd000000, FMT_VINTERP, 8},
    {0xff000000, 0xce000000, FMT_LDSDIR, 4},
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8},
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8},
    {0xfc000000, 0xf0000000, FMT_MIMG, 8},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0xfc000000, 0xdc000000, FMT_FLAT, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct pattern gfx12_patterns[] = {
    {0xff800000, 0xbe800000, FMT_SOP1, 4},
    {0xff800000, 0xbf000000, FMT_SOPC, 4},
    {0xff800000, 0xbf800000, FMT_SOPP, 4},
    {0xf0000000, 0xb0000000, FMT_SOPK, 4},
    {0xc0000000, 0x80000000, FMT_SOP2, 4},
    {0xfe000000, 0x7e000000, FMT_VOP1, 4},
    {0xfe000000, 0x7c000000, FMT_VOPC, 4},
    {0x80000000, 0x00000000, FMT_VOP2, 4},
    {0xff800000, 0xcc000000, FMT_VOP3P, 8},
    {0xff000000, 0xcd000000, FMT_VINTERP, 8},
    {0xff000000, 0xce000000, FMT_LDSDIR, 4},
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xc4000000, FMT_VBUFFER, 12},
    {0xfc000000, 0xd0000000, FMT_VIMAGE, 12},
    {0xfc000000, 0xe4000000, FMT_VSAMPLE, 12},
    {0xff000000, 0xec000000, FMT_FLAT, 12},
    {0xff000000, 0xed000000, FMT_SCRATCH, 12},
    {0xff000000, 0xee000000, FMT_GLOBAL, 12},
    {0xfc000000, 0xf8000000, FMT_EXP, 8},
    {0, 0, FMT_COUNT, 0},
};

static const struct pattern *const layout_patterns[] = {
    [LAYOUT_GFX8] = gfx8_patterns,   [LAYOUT_GFX9] = gfx8_patterns,   [LAYOUT_GFX10] = gfx10_patterns,
    [LAYOUT_GFX11] = gfx11_patterns, [LAYOUT_GFX12] = gfx12_patterns,
};

void isa_fill_encodings(struct isa_target *t)
{
    const struct pattern *all = layout_patterns[t->layout];

    for (uint32_t top = 0; top < 512; top++) { /* no pattern looks at more than nine bits */
        unsigned k = 0;
        while (all[k].bytes && (top << 23 & all[k].mask) != all[k].match)
            k++;
        t->encoding[top] = (uint8_t)k;
    }
}

/* The absent address of a buffer or scratch access prints as "off" and is no operand. */
static enum isa_type address_type(const struct isa_inst *i, const struct isa_fields *f)
{
    switch (i->format) {
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_VBUFFER:
        return i->u.mem.offen && i->u.mem.idxen ? T_B64 : i->u.mem.offen || i->u.mem.idxen ? T_B32 : T_NONE;
    case FMT_GLOBAL:
        return f->slot[SL_SADDR] == CODE_NONE ? T_B64 : T_B32;
    case FMT_SCRATCH:
        return f->scratch_vaddr ? T_B32 : T_NONE;
    case FMT_FLAT:
        return T_B64;
    default:
        return T_B32;
    }
}

/* Does this atomic return the old value? */
static bool asks_for_old(const struct isa_target *t, const struct isa_inst *i)
{
    return t->layout == LAYOUT_GFX12 ? i->u.mem.th & 1 : i->u.mem.glc;
}

static bool is_vector_slot(unsigned slot)
{
    return slot == SL_VDST || slot == SL_ADDR || slot == SL_DATA0 || slot == SL_DATA1 || slot == SL_GWS;
}

/* Vector sources of matrix instructions are VGPRs or AGPRs. */
static void matrix_operand(const struct isa_fields *f, const struct isa_arg *a, struct isa_opnd *o)
{
    int source = isa_source_number(a->slot);

    if (source >= 0 && o->code >= CODE_VGPR && (f->acc_src >> source & 1))
        o->flags |= A_ACC;
}

static unsigned operand_dwords(const struct isa_target *t, const struct isa_opnd *o)
{
    return o->type == T_MASK && !isa_has(t, FEAT_WAVE32) ? 2 : isa_types[o->type].dwords;
}

/* Tuples of scalar registers start at a multiple of their size; the low bits are not looked at. Registers with names
 * are there as pairs only. Returns false for what is no tuple. */
static bool scalar_tuple(const struct isa_target *t, struct isa_opnd *o)
{
    unsigned dwords = operand_dwords(t, o), at = 0, end = 106;

    if (dwords <= 1 || (dwords == 32 && o->code < t->sgpr_limit)) /* LLVM names but the first of 32 */
        return true;
    if (o->code >= t->code_ttmp0 && o->code < t->code_ttmp0 + t->ttmp_count) {
        if (dwords == 3 || dwords == 32) /* there are none, but LLVM decodes and names the first */
            return true;
        at = t->code_ttmp0;
        end = at + 16;
    } else if (o->code >= t->sgpr_limit) {
        return (!(o->code & 1) && o->code != t->code_m0) || o->code == (t->code_m0 ^ 1u);
    }
    o->code &= (uint16_t) ~(dwords == 2 ? 1u : 3u);
    return o->code + dwords <= end;
}

/* Of the source codes 209 to 254 those that name something, on one target or another (as LLVM has it). */
static bool special_source(unsigned code)
{
    return (code >= CODE_SHARED_BASE && code <= CODE_INV_2PI) || (code >= CODE_VCCZ && code <= CODE_LDS_DIRECT);
}

/* From gfx11 on the short encodings of 16-bit instructions reach 128 registers; the top bit chooses a half, which LLVM
 * 19 knows of v_mov_b16 alone. */
static bool past_lo128(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *o)
{
    /* v_cmp_class_f16's mask counts like its other source */
    unsigned type = i->row->kind == ROW_CMP ? i->row->args[1].type : o->type;
    bool narrow = isa_types[type].bits == 16 && isa_types[type].dwords;

    return narrow && isa_has(t, FEAT_S_TRUE16) && o->code >= CODE_VGPR + 128 &&
           (i->form == FORM_E32 || i->form == FORM_DPP16 || i->form == FORM_DPP8) && i->format >= FMT_VOP1 &&
           i->format <= FMT_VOPC;
}

/* The same of memory instructions' scalar operands. Registers with names, and trap temporaries, are no tuples of three
 * and more; scalar loads do not reach EXEC and M0. */
static bool misfit_address(const struct isa_target *t, const struct isa_inst *i, const struct isa_arg *a,
                           const struct isa_opnd *o)
{
    unsigned dwords = operand_dwords(t, o);
    bool exec = o->code == CODE_EXEC_LO || o->code == CODE_EXEC_HI;
    bool trap = o->code >= t->code_ttmp0 && o->code < t->code_ttmp0 + t->ttmp_count;

    if (o->code < 128 && dwords >= 3 && (trap ? dwords == 3 : o->code >= t->sgpr_limit))
        return true;
    switch (a->slot) {
    case SL_SDST:
        return i->format == FMT_SMEM && dwords && (exec || o->code == t->code_m0);
    case SL_SADDR:
        return i->format == FMT_SCRATCH && o->code == CODE_EXEC_HI;
    case SL_SOFFSET:
        return o->code == CODE_LDS_DIRECT;
    case SL_SSAMP:
        return o->code >= 128;
    case SL_SRSRC:
        return o->code >= 128 && i->row->image.data;
    default:
        return false;
    }
}

/* Whether an operand is none of its kind, though the field can say it. Registers that read as constants (null,
 * apertures, vccz ...) pass everywhere, as in LLVM. */
static bool misfit(const struct isa_target *t, const struct isa_inst *i, const struct isa_arg *a,
                   const struct isa_opnd *o)
{
    bool vgpr = o->code >= CODE_VGPR, lds = o->code == CODE_LDS_DIRECT,
         reads_as_constant = o->code == (t->code_m0 ^ 1u) || (o->code >= CODE_SHARED_BASE && o->code <= CODE_POPS) ||
                             (o->code >= CODE_VCCZ && o->code <= CODE_SCC);
    bool constant = o->code >= 128 && !vgpr && !lds && !reads_as_constant;
    bool source = isa_source_number(a->slot) >= 0;

    if (o->type == T_IMM16 || o->type == T_SENDMSG || o->type == T_GPRIDX || reads_as_constant || o->code == CODE_NONE)
        return false;
    if (i->row->mat && source) /* C may be an inline constant */
        return !vgpr && !(constant && a->slot == SL_SRC2 && !isa_matrix_sparse(i->row->mat));
    if ((a->flags & A_SGPR) && (a->flags & A_LDS))
        return vgpr || (lds && !isa_takes_lds(t, a));
    if ((i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8) &&
        ((o->type == T_MIX && a->slot == SL_SRC1) || (i->row->flags & RF_FIXED_OP_SEL)))
        return !vgpr;
    if ((a->flags & A_REG) && constant)
        return true;
    if ((a->flags & A_VGPR) && i->form == FORM_SDWA)
        return false;
    if ((a->flags & (A_VGPR | A_LDS)) || (source && (a->flags & A_ACC)))
        return !vgpr && !(lds && (a->flags & A_LDS));
    switch (a->slot) {
    case SL_CARRY_IN: /* a mask, and not EXEC */
        return vgpr || constant || lds || o->code == CODE_EXEC_LO || o->code == CODE_EXEC_HI;
    case SL_VDST:
    case SL_CARRY_OUT:
    case SL_CMP_OUT:
        return (a->flags & A_SGPR) &&
               (constant || lds ||
                (i->row->cls == OPC_SALU_TRANS && (o->code == CODE_EXEC_LO || o->code == CODE_EXEC_HI)));
    default:
        break;
    }
    if (!source)
        return misfit_address(t, i, a, o);
    bool scalar = (a->flags & A_SGPR) || (i->format <= FMT_SOPP);
    return scalar ? vgpr || lds : past_lo128(t, i, o);
}

/* The register and the half of a true 16-bit instruction; the half goes where VOP3 has it, in op_sel. */
static void split_half(struct isa_inst *i, unsigned slot, struct isa_opnd *o)
{
    int source = isa_source_number(slot);

    if (o->code < CODE_VGPR + 128)
        return;
    o->code -= 128;
    i->op_sel |= (uint8_t)(1u << (source >= 0 ? source : 3));
}

/* Tuples of VGPRs end with v255; src_lds_direct is one dword. tfe adds a register to the data's. */
static bool tuple_exists(const struct isa_target *t, const struct isa_inst *i, const struct isa_arg *a,
                         const struct isa_opnd *o)
{
    bool buffer = i->format == FMT_MUBUF || i->format == FMT_VBUFFER;
    bool status = buffer && i->u.mem.tfe && (a->slot == SL_VDST || a->slot == SL_DATA0);
    unsigned dwords = operand_dwords(t, o) + status;

    if (o->code == CODE_LDS_DIRECT)
        return dwords <= 1;
    return o->code == CODE_NONE || o->code < CODE_VGPR || o->code - CODE_VGPR + dwords <= 256;
}

/* Where VGPRs and AGPRs are one file their tuples start at an even one (LLVM 19 needsAlignedVGPRs); LLVM's assembler
 * minds, its disassembler does not. */
static bool odd_tuple(const struct isa_target *t, const struct isa_opnd *o)
{
    return isa_has(t, FEAT_AGPR_UNIFIED) && o->code != CODE_NONE && o->code > CODE_VGPR && (o->code & 1) &&
           operand_dwords(t, o) > 1;
}

/* What most operands are, and nothing further has to be asked of: one of the first 128 VGPRs in a vector instruction,
 * general SGPRs at a multiple of their number, a small integer. */
static inline bool ordinary(const struct isa_inst *i, const struct isa_arg *a, const struct isa_opnd *o)
{
    unsigned dwords = isa_types[o->type].dwords;
    bool source = isa_source_number(a->slot) >= 0;

    if (i->row->mat)
        return false;
    if (o->code >= CODE_VGPR)
        return o->code < CODE_VGPR + 128 && i->format > FMT_SOPP && !(a->flags & A_SGPR) &&
               (source || is_vector_slot(a->slot));
    if (o->type == T_MIX || (a->flags & (A_VGPR | A_LDS | A_ACC)))
        return false;
    if (o->code >= 128)
        return source && o->code <= CODE_INT_M16 && !(a->flags & A_REG);
    return dwords && !(o->code & (dwords == 1 ? 0 : dwords == 2 ? 1 : 3)) && o->code + dwords <= 102;
}

/* Turns the row's arguments into operands. Returns false when one cannot be. */
static bool fill_operands(const struct isa_target *t, struct isa_inst *i, const struct isa_fields *f,
                          const struct isa_row *row, unsigned at)
{
    unsigned n = at;

    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];
        struct isa_opnd *o = &i->op[n++];
        unsigned code = f->slot[a->slot];
        *o = (struct isa_opnd){(uint16_t)code, a->type, (uint8_t)a->flags};
        if ((a->flags & A_IF_RET) && !asks_for_old(t, i)) {
            *o = (struct isa_opnd){CODE_NONE, T_NONE, A_HIDDEN};
            continue;
        }
        switch (a->slot) {
        case SL_ADDR:
            o->type = (uint8_t)address_type(i, f);
            if (o->type == T_NONE) {
                o->code = CODE_NONE;
                continue;
            }
            break;
        case SL_K:
            o->code = CODE_LITERAL;
            break;
        case SL_SRSRC: /* four SGPRs; gfx12's field could name anything */
            if (code >= 128 && !row->image.data)
                return false;
            break;
        case SL_SADDR:
            if (i->format == FMT_SCRATCH)
                o->type = T_B32;
            break;
        case SL_CMP_OUT:
            if ((row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY)) {
                o->code = CODE_EXEC_LO;
                o->flags |= A_HIDDEN;
            }
            break;
        default:
            break;
        }
        if (is_vector_slot(a->slot) && !(a->flags & A_SGPR))
            o->code = (uint16_t)(o->code + CODE_VGPR);
        if (f->acc_data && is_vector_slot(a->slot) && a->slot != SL_ADDR)
            o->flags |= A_ACC;
        if (ordinary(i, a, o)) {
            if (odd_tuple(t, o))
                i->bad |= ISA_BAD_ODD;
            continue;
        }
        if (row->mat)
            matrix_operand(f, a, o);
        if (o->code < 128 && !scalar_tuple(t, o))
            return false;
        if (!tuple_exists(t, i, a, o))
            return false;
        if (row->flags & RF_TRUE16)
            split_half(i, a->slot, o);
        if (misfit(t, i, a, o))
            i->bad |= (uint16_t)(1u << (n - 1));
        if (odd_tuple(t, o))
            i->bad |= ISA_BAD_ODD;
        bool number = o->type == T_IMM16 || o->type == T_SENDMSG || o->type == T_GPRIDX;
        if (o->code > CODE_INT_M16 && o->code < CODE_LITERAL && !number && !special_source(o->code))
            return false;
        if (o->code == CODE_LITERAL && !number)
            i->has_literal = 1;
    }
    i->nops = (uint8_t)n;
    return true;
}

static const struct isa_op *find_op(const struct isa_target *t, unsigned format, unsigned opcode)
{
    if (!t->ops[format] || opcode >= t->op_count[format] || !t->ops[format][opcode].row)
        return NULL;
    return &t->ops[format][opcode];
}

/* op_sel means something only to rows with 16-bit operands; elsewhere the bits are ignored. */
static void drop_idle_op_sel(struct isa_inst *i)
{
    if (!i->op_sel || (i->row->flags & (RF_OP_SEL | RF_OP_SEL4)))
        return;
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_types[i->op[k].type].bits == 16 && isa_types[i->op[k].type].dwords)
            return;
    i->op_sel = 0;
}

/* neg and abs of SDWA and DPP belong to floats, sext to integers. */
static bool twin_modifiers(const struct isa_inst *i)
{
    unsigned floats = 0, integers = 0;

    for (unsigned k = 0; i->row->args[k].slot; k++) {
        const struct isa_arg *a = &i->row->args[k];
        if (a->slot != SL_SRC0 && a->slot != SL_SRC1)
            continue;
        bool is_float = isa_types[a->type].float_bits || (a->flags & A_FMOD);
        *(is_float ? &floats : &integers) |= 1u << (a->slot - SL_SRC0);
    }
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

/* Of VOP3P the mixed multiply-adds, v_dot2_f32_f16 and the dot products of 8-bit floats. */
static bool vop3p_takes_dpp(const struct isa_inst *i)
{
    unsigned type = i->row->args[1].type;

    return i->format != FMT_VOP3P || type == T_MIX || (i->row->cls == OPC_DOT && type == T_PF16) ||
           (i->row->flags & RF_FIXED_OP_SEL);
}

/* Operations on pairs of registers take row_newbcast alone. */
static bool idle_dpp64(const struct isa_inst *i)
{
    if (i->form != FORM_DPP16 || i->u.dpp.ctrl >> 4 == 0x15)
        return false;
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords == 2)
            return true;
    return false;
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

    if ((row->flags & RF_NO_SDWA) || ((row->flags & RF_TWINS_GFX10) && !isa_node_under(t->node, N_GFX10)) ||
        (isa_has(t, FEAT_SDWA_SGPR) && adds_to_destination(row)))
        return "no SDWA form";
    if ((row->flags & RF_OP_SEL) && i->u.sdwa.dst_sel != 6) /* conversions of 8-bit floats */
        return "only whole results";
    return i->omod && !number ? "omod on what is no float" : NULL;
}

/* Legality of the twin forms. */
static const char *illegal_form(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    bool dpp = i->form == FORM_DPP16 || i->form == FORM_DPP8 || i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8;

    for (unsigned k = 0; dpp && !isa_has(t, FEAT_DPP_64) && k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords == 2)
            return "no 64-bit DPP on this target";
    if ((i->form == FORM_SDWA || i->form == FORM_DPP16) && !twin_modifiers(i))
        return "a modifier on a source that takes none";
    if (i->format == FMT_VOPC && dpp && !isa_has(t, FEAT_VOP3_DPP))
        return "no DPP form";
    if (i->form == FORM_SDWA)
        return illegal_sdwa(t, i);
    if ((i->form == FORM_DPP16 || i->form == FORM_DPP8) && (row->flags & RF_NO_DPP))
        return "no DPP form";
    if (dpp && (row->flags & RF_TWINS_GFX10) && !isa_node_under(t->node, N_GFX10))
        return "no DPP form";
    if ((i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8) && ((row->flags & RF_NO_DPP) || !vop3p_takes_dpp(i)))
        return "no DPP form";
    return NULL;
}

static bool vopd_half(const struct isa_target *t, struct isa_inst *i, const struct isa_row *row, unsigned src0,
                      unsigned src1, unsigned vdst)
{
    struct isa_fields f = {0};

    isa_clear_fields(&f);
    f.slot[SL_VDST] = (uint16_t)vdst;
    isa_vop_sources(&f, src0, src1, CODE_NONE);
    f.slot[SL_CARRY_IN] = CODE_VCC_LO;
    return fill_operands(t, i, &f, row, i->nops);
}

static unsigned decode_vopd(const struct isa_target *t, uint64_t w, struct isa_inst *i, const uint8_t *code,
                            size_t size, const char **why)
{
    const struct isa_op *x = find_op(t, FMT_VOPDX, FIELD(w, 22, 4)), *y = find_op(t, FMT_VOPDY, FIELD(w, 17, 5));

    i->row = NULL;
    *why = "no such dual-issue opcode";
    if (!x || !y || (w & (x->zero | y->zero)))
        return 0;
    i->form = FORM_VOPD;
    i->row = x->row;
    i->mnemonic = x->mnemonic;
    bool ok = vopd_half(t, i, x->row, FIELD(w, 0, 9), CODE_VGPR + FIELD(w, 9, 8), FIELD(w, 56, 8));
    i->u.y.row = y->row;
    i->u.y.mnemonic = y->mnemonic;
    i->u.y.first_op = i->nops;
    /* vdstY's low bit is the inverse of vdstX's: the pair writes different banks */
    ok = vopd_half(t, i, y->row, FIELD(w, 32, 9), CODE_VGPR + FIELD(w, 41, 8),
                   FIELD(w, 49, 7) << 1 | (~FIELD(w, 56, 8) & 1)) &&
         ok;
    if (!ok) {
        i->row = NULL;
        *why = "illegal operand";
        return 0;
    }
    i->first_src = 1;
    i->exec = t->variant->exec_vopd;
    i->size_bytes = 8;
    if (i->has_literal) {
        if (size < 12) {
            i->row = NULL;
            *why = "truncated literal";
            return 0;
        }
        i->literal = load_u32(code + 8);
        i->size_bytes = 12;
    }
    return i->size_bytes;
}

/* Which modifiers a matrix instruction may carry. Null: as they should be. */
static const char *matrix_modifiers(struct isa_inst *i)
{
    const struct isa_matrix *m = i->row->mat;
    bool split = m->kind != MAT_WMMA;

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

static bool reads_sdst_in_vop3(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == SL_CARRY_OUT)
            return true;
    return false;
}

static unsigned fail(struct isa_inst *i, const char **why, const char *what)
{
    i->row = NULL;
    i->exec = NULL;
    i->size_bytes = 0;
    *why = what;
    return 0;
}

/* v_illegal has a word, and no format. */
static unsigned decode_illegal(const struct isa_target *t, struct isa_inst *i)
{
    const struct isa_op *op = &t->ops[FMT_ILLEGAL][0];

    i->format = i->base_format = FMT_ILLEGAL;
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    isa_choose_exec(t, i);
    return i->size_bytes = 4;
}

/* The same fields are not looked at when a DPP word follows: op_sel's of gfx12's 8-bit float conversions. */
static uint64_t must_be_zero(const struct isa_target *t, const struct isa_op *op, const struct isa_fields *f)
{
    unsigned announced = f->slot[SL_SRC0];
    bool dpp = announced == CODE_DPP16 || announced == CODE_DPP8 || announced == CODE_DPP8_FI;

    return dpp && isa_has(t, FEAT_VOP3_DPP) ? op->zero & ~isa_free_beside_dpp(op->row) : op->zero;
}

unsigned isa_decode_any(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *i,
                        const char **why)
{
    const char *ignored;
    struct isa_fields f = {0};

    if (!why)
        why = &ignored;
    memset(i, 0, sizeof *i);
    if (size < 4)
        return fail(i, why, "fewer than 4 bytes left");
    uint32_t w0 = load_u32(code);
    if (!w0 && t->ops[FMT_ILLEGAL])
        return decode_illegal(t, i);
    const struct pattern *p = &layout_patterns[t->layout][t->encoding[w0 >> 23]];
    if (!p->bytes)
        return fail(i, why, "no encoding of this target starts so");
    if (size < p->bytes)
        return fail(i, why, "truncated instruction");
    uint64_t w = p->bytes >= 8 ? w0 | (uint64_t)load_u32(code + 4) << 32 : w0;
    uint32_t w2 = p->bytes >= 12 ? load_u32(code + 8) : 0;
    i->format = p->format;
    if (p->format == FMT_VOPDX)
        return decode_vopd(t, w, i, code, size, why);
    isa_clear_fields(&f);
    if (!isa_read_fields(t, &f, i, w, w2))
        return fail(i, why, "encoding not supported by gcnsim, or an address that is none");
    const struct isa_op *op = find_op(t, i->format, i->opcode);
    if (!op)
        return fail(i, why, "no such opcode");
    if (w & must_be_zero(t, op, &f))
        return fail(i, why, "a field that must be zero is not");
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    i->base_format = (uint8_t)op->base_format;
    if (op->row->flags & RF_MAI)
        isa_mai_fields(t, &f, i, w);
    if (op->row->flags & RF_INTERP)
        isa_interp_fix(&f, i);
    if ((op->row->flags & RF_GDS) && !i->u.mem.gds)
        return fail(i, why, "an instruction of GDS without the gds bit");
    unsigned bytes = p->bytes;
    int extra = 0;
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOP3P && op->row->args[0].slot)
        extra = isa_extra_word(t, &f, i, code, size, bytes);
    else if (i->format == FMT_VOP1 && !(op->row->flags & RF_NO_DPP))
        extra = isa_nop_word(t, &f, i, code, size, bytes);
    else if (op->row->image.data)
        extra = isa_image_more(t, i, w, code, size, bytes);
    if (extra < 0)
        return fail(i, why, "no such operand form");
    bytes += (unsigned)extra;
    if (i->format == FMT_VOP3 && reads_sdst_in_vop3(op->row))
        isa_vop3sd_fix(i);
    if (!fill_operands(t, i, &f, op->row, 0) || (op->row->image.data && !isa_image_operands(t, i)))
        return fail(i, why, "illegal operand");
    if (i->format == FMT_VOP3)
        drop_idle_op_sel(i);
    const char *bad = illegal_form(t, i);
    if (idle_dpp64(i))
        i->bad |= ISA_BAD_DPP64;
    if (!bad && op->row->mat)
        bad = matrix_modifiers(i);
    if (!bad && (op->row->flags & RF_FIXED_OP_SEL) && i->op_sel_hi != 7)
        bad = "op_sel_hi means nothing here";
    bool vmem = i->format >= FMT_FLAT && i->format <= FMT_VBUFFER;
    if (!bad && vmem)
        bad = isa_illegal_memory(t, i, &f);
    if (bad)
        return fail(i, why, bad);
    if (i->has_literal) {
        bool vop3 = i->format == FMT_VOP3 || i->format == FMT_VOP3P;
        if ((extra && !vop3) || (vop3 && !isa_has(t, FEAT_VOP3_LITERAL)))
            return fail(i, why, "literal not allowed here");
        if (size < bytes + 4)
            return fail(i, why, "truncated literal");
        i->literal = load_u32(code + bytes);
        bytes += 4;
    }
    if (i->format == FMT_SMEM || vmem || op->row->image.data)
        i->u.mem.hint = isa_cache_hint(t, i);
    i->size_bytes = (uint8_t)bytes;
    isa_choose_exec(t, i);
    return bytes;
}

unsigned isa_decode(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *i, const char **why)
{
    const char *ignored;
    unsigned bytes = isa_decode_any(t, code, size, i, why);

    return bytes && i->wave64_only ? fail(i, why ? why : &ignored, "only an instruction of wave64") : bytes;
}
