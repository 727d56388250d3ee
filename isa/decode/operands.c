/* Makes operands of a row's arguments and an encoding's fields: register tuples, codes that LLVM decodes and calls
 * invalid, and codes that are no operand at all.
 */
#include "isa/decode/parts.h"

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
        return f->slot[SL_SADDR] == CODE_NONE ? T_B64 : T_B32;
    default:
        return T_B32;
    }
}

/* Does this atomic return the old value? */
static bool asks_for_old(const struct isa_target *t, const struct isa_inst *i)
{
    return t->layout == LAYOUT_GFX12 ? i->u.mem.th & 1 : i->u.mem.glc;
}

/* 32 floats of the format that cbsz or blgp names. */
static uint8_t f8f6f4_type(unsigned format)
{
    return format == 4 ? T_B128 : format == 2 || format == 3 ? T_B192 : T_B256;
}

/* gfx1250: six bits take three quarters of the registers of eight, four half of them. Numbers past 4 are no formats;
 * beside one LLVM has A and B of eight bits. */
static void format_operand(const struct isa_inst *i, const struct isa_arg *a, struct isa_opnd *o)
{
    unsigned format = a->slot == SL_SRC0 ? i->op_sel & 7u : i->op_sel_hi & 7u;
    bool known = (i->op_sel & 7) <= 4 && (i->op_sel_hi & 7) <= 4;

    if (known && (a->slot == SL_SRC0 || a->slot == SL_SRC1))
        o->type = format == 4 ? T_B256 : format == 2 || format == 3 ? T_B384 : T_B512;
}

/* Vector sources of matrix instructions are VGPRs or AGPRs. */
static void matrix_operand(const struct isa_inst *i, const struct isa_fields *f, const struct isa_arg *a,
                           struct isa_opnd *o)
{
    int source = isa_source_number(a->slot);

    if (source >= 0 && o->code >= CODE_VGPR && (f->acc_src >> source & 1))
        o->flags |= A_ACC;
    if ((i->row->flags & RF_MAI) && i->row->mat->a == MT_F8F6F4 && (a->slot == SL_SRC0 || a->slot == SL_SRC1))
        o->type = f8f6f4_type(a->slot == SL_SRC0 ? i->u.mai.cbsz : i->u.mai.blgp);
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
            return !isa_has(t, FEAT_ALIGNED_VGPRS) || o->code < t->code_ttmp0 + 12;
        at = t->code_ttmp0;
        end = at + 16;
    } else if (o->code >= t->sgpr_limit) {
        return (!(o->code & 1) && o->code != t->code_m0) || o->code == (t->code_m0 ^ 1u);
    }
    o->code &= (uint16_t) ~(dwords == 2 ? 1u : 3u);
    return o->code + dwords <= end;
}

/* Source codes between 209 and 254 that have a name on some target (as LLVM has it). */
static bool special_source(const struct isa_target *t, unsigned code, unsigned dwords)
{
    if (code == CODE_FLAT_SCRATCH_LO || code == CODE_FLAT_SCRATCH_HI)
        return isa_has(t, FEAT_SCRATCH_GLOBAL) && (code == CODE_FLAT_SCRATCH_LO || dwords < 2);
    return (code >= CODE_SHARED_BASE && code <= CODE_INV_2PI) || (code >= CODE_VCCZ && code <= CODE_LDS_DIRECT);
}

/* From gfx11 on the short encodings of 16-bit instructions reach 128 registers; the top bit chooses a half. LLVM 19
 * knows that of v_mov_b16 alone, LLVM 21 and newer compile so for gfx11. */
static bool names_high_half(const struct isa_inst *i, const struct isa_arg *a, const struct isa_opnd *o)
{
    bool narrow = (a->flags & A_HALF) || isa_is_half(o->type);

    return o->code >= CODE_VGPR + 128 && narrow &&
           (i->form == FORM_E32 || i->form == FORM_DPP16 || i->form == FORM_DPP8) && i->format >= FMT_VOP1 &&
           i->format <= FMT_VOPC;
}

/* LLVM 22 has EXEC as the base of no global access but copies to LDS, and as that of atomics alone among the flat ones.
 */
static bool no_exec_base(const struct isa_inst *i)
{
    if (i->format == FMT_FLAT)
        return i->row->cls != OPC_FLAT_ATOMIC;
    return i->format == FMT_GLOBAL && !i->row->mem.async && isa_row_has(i->row, SL_ADDR);
}

/* As misfit(), for scalar operands of memory instructions. Registers with names, and trap temporaries, are no tuples of
 * three and more; scalar loads do not reach EXEC and M0. */
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
        return (i->format == FMT_SCRATCH && o->code == CODE_EXEC_HI) || (t->llvm22 && exec && no_exec_base(i));
    case SL_SOFFSET:
        return isa_is_lds(t, o->code);
    case SL_SSAMP:
        return o->code >= 128;
    case SL_SRSRC:
        return o->code >= 128 && i->row->image.data;
    default:
        return false;
    }
}

/* gfx1250 has no tuples of three registers and more of registers with names, null aside. (LLVM 22) */
static bool no_such_tuple(const struct isa_target *t, const struct isa_opnd *o)
{
    bool trap = o->code >= t->code_ttmp0 && o->code < t->code_ttmp0 + t->ttmp_count, null = o->code == t->code_null;
    bool named = o->code < 128 ? o->code >= t->sgpr_limit && !trap && !null
                               : (o->code > CODE_INT_M16 && o->code < CODE_FLOAT_HALF) ||
                                     (o->code >= CODE_VCCZ && o->code <= CODE_SCC);

    return isa_has(t, FEAT_ALIGNED_VGPRS) && named && operand_dwords(t, o) > 2;
}

/* LLVM 22 says of registers that read as constants where a VGPR must be that they are none; of matrices of gfx1250, but
 * those of six bits, it does not. */
static bool never_constant(const struct isa_inst *i, const struct isa_arg *a, const struct isa_opnd *o)
{
    if (i->row->mat && i->row->mat->kind >= MAT_WMMA_WIDE)
        return o->type == T_B384;
    return i->row->mat || (a->flags & A_VGPR);
}

/* True for an operand that the field can express and its kind excludes. Registers that read as constants (null,
 * apertures, vccz ...) pass everywhere, as in LLVM. */
static bool misfit(const struct isa_target *t, const struct isa_inst *i, const struct isa_arg *a,
                   const struct isa_opnd *o)
{
    bool vgpr = o->code >= CODE_VGPR, lds = isa_is_lds(t, o->code),
         reads_as_constant = o->code == (t->code_m0 ^ 1u) || (o->code >= CODE_SHARED_BASE && o->code <= CODE_POPS) ||
                             (o->code >= CODE_VCCZ && o->code <= CODE_SCC);
    bool constant = o->code >= 128 && !vgpr && !lds && !reads_as_constant;
    bool source = isa_source_number(a->slot) >= 0;

    if (t->llvm22 && source && reads_as_constant && never_constant(i, a, o))
        return true;
    if (o->type == T_IMM16 || o->type == T_SENDMSG || o->type == T_GPRIDX || reads_as_constant || o->code == CODE_NONE)
        return false;
    if (i->row->mat && source) /* C may be an inline constant */
        return !vgpr && !(constant && a->slot == SL_SRC2 && !isa_matrix_sparse(i->row->mat));
    if ((a->flags & A_SGPR) && (a->flags & A_LDS))
        return vgpr || (lds && !isa_takes_lds(t, a));
    if ((i->form == FORM_E64_DPP16 || i->form == FORM_E64_DPP8) &&
        ((isa_is_mixed(o->type) && a->slot == SL_SRC1) || (i->row->flags & RF_FIXED_OP_SEL)))
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
    return scalar && (vgpr || lds);
}

/* The register and the half of a true 16-bit instruction; the half goes where VOP3 has it, in op_sel. */
static void split_half(struct isa_inst *i, unsigned slot, struct isa_opnd *o)
{
    int source = isa_source_number(slot);

    o->code -= 128;
    i->op_sel |= (uint8_t)(1u << (source >= 0 ? source : 3));
}

/* v_cmp_class_f16's mask and the shift of v_alignbit_b32, which count as 32 bits where they are no high half: no bit
 * past the sixteenth means anything. 8-bit floats look at op_sel themselves. */
static bool is_high_half(const struct isa_inst *i, const struct isa_arg *a, const struct isa_opnd *o)
{
    return (a->flags & A_HALF) && !(i->row->flags & RF_OP_SEL) && o->code >= CODE_VGPR &&
           i->op_sel >> isa_source_number(a->slot) & 1;
}

/* Tuples of VGPRs end with v255; src_lds_direct is one dword. tfe adds a register to the data's. */
static bool tuple_exists(const struct isa_target *t, const struct isa_inst *i, const struct isa_arg *a,
                         const struct isa_opnd *o)
{
    bool buffer = i->format == FMT_MUBUF || i->format == FMT_VBUFFER;
    bool status = buffer && i->u.mem.tfe && (a->slot == SL_VDST || a->slot == SL_DATA0);
    unsigned dwords = operand_dwords(t, o) + status;

    if (isa_is_lds(t, o->code))
        return dwords <= 1;
    return o->code == CODE_NONE || o->code < CODE_VGPR || o->code - CODE_VGPR + dwords <= 256 ||
           isa_has(t, FEAT_VGPR_MSB); /* there are more, and LLVM 22 names them */
}

/* Where VGPRs and AGPRs are one file their tuples start at an even one (LLVM 19 needsAlignedVGPRs); LLVM's assembler
 * minds, its disassembler does not. */
static bool odd_tuple(const struct isa_target *t, const struct isa_opnd *o)
{
    return isa_has(t, FEAT_AGPR_UNIFIED) && o->code != CODE_NONE && o->code > CODE_VGPR && (o->code & 1) &&
           operand_dwords(t, o) > 1;
}

static bool loads_to_lds(const struct isa_inst *i)
{
    return i->format >= FMT_FLAT && i->format <= FMT_VBUFFER && i->u.mem.lds;
}

/* The second register of v_fmamk_f64, of which LLVM 22 does not say that it must be even. */
static bool behind_k(const struct isa_row *row, unsigned k)
{
    return k && row->args[k - 1].slot == SL_K;
}

static inline void check_tuple(const struct isa_target *t, struct isa_inst *i, const struct isa_row *row, unsigned k,
                               const struct isa_opnd *o, unsigned at)
{
    if (odd_tuple(t, o))
        i->bad |= ISA_BAD_ODD;
    bool any = behind_k(row, k) || row->mem.tr_bits == 6; /* ds_load_tr6_b96 */
    if (isa_has(t, FEAT_ALIGNED_VGPRS) && isa_unaligned_vgprs(o, operand_dwords(t, o)) && !any)
        i->bad |= (uint16_t)(1u << at);
}

/* Whether the constant of v_fmamk_f32 or its like has been an operand already. A literal of 64 bits shares it in LLVM
 * 22. */
static bool behind_constant(const struct isa_inst *i, const struct isa_row *row, unsigned k, unsigned at)
{
    for (unsigned j = 0; j < at; j++) {
        const struct isa_arg *a = j < at - k ? &i->row->args[j] : &row->args[j - (at - k)];
        if (a->slot == SL_K && i->op[j].code == CODE_LITERAL)
            return true;
    }
    return false;
}

/* Operand number `at`, argument k of the row, when it is not ordinary. */
static bool check_operand(const struct isa_target *t, struct isa_inst *i, struct isa_fields *f,
                          const struct isa_row *row, unsigned k, unsigned at)
{
    const struct isa_arg *a = &row->args[k];
    struct isa_opnd *o = &i->op[at];

    f->unusual = true;
    if (row->mat)
        matrix_operand(i, f, a, o);
    if (no_such_tuple(t, o))
        return false;
    if (o->code < 128 && !scalar_tuple(t, o))
        return false;
    if (!tuple_exists(t, i, a, o))
        return false;
    if (misfit(t, i, a, o))
        i->bad |= (uint16_t)(1u << at);
    check_tuple(t, i, row, k, o, at);
    bool number = o->type == T_IMM16 || o->type == T_SENDMSG || o->type == T_GPRIDX;
    if (o->code == CODE_LDS_DIRECT && isa_has(t, FEAT_LITERAL64) && !number) {
        o->code = CODE_LITERAL64;
        i->has_literal = behind_constant(i, row, k, at) ? 1 : 2;
        return true;
    }
    if (a->slot == SL_K && o->code == CODE_LITERAL64) {
        i->has_literal = 2;
        return true;
    }
    if (o->code > CODE_INT_M16 && o->code < CODE_LITERAL && !number &&
        !special_source(t, o->code, operand_dwords(t, o)))
        return false;
    if (o->code == CODE_LITERAL && !number && !i->has_literal)
        i->has_literal = 1;
    return true;
}

static bool leave_out(struct isa_inst *i, unsigned at)
{
    i->op[at] = (struct isa_opnd){CODE_NONE, T_NONE, A_HIDDEN};
    return true;
}

/* Whether a code makes an operand of the argument that needs no further look. */
static inline bool ordinary(unsigned trait, unsigned code, unsigned type)
{
    if (code >= CODE_VGPR)
        return code == CODE_NONE || ((trait & ARG_VGPR) && code < CODE_VGPR + 128 && !((trait & ARG_EVEN) && code & 1));
    if (code >= 128)
        return (trait & ARG_INTEGER) && code <= CODE_INT_M16;
    switch (trait & (ARG_SGPR | ARG_SGPR_PAIR)) {
    case ARG_SGPR:
        return code < 102 || code == CODE_VCC_LO;
    case ARG_SGPR_PAIR:
        return !(code & 1) && (code < 102 || code == CODE_VCC_LO);
    case ARG_SGPR | ARG_SGPR_PAIR:
        return !(code & 3) && code + isa_types[type].dwords <= 102;
    default:
        return false;
    }
}

/* The half of a register that an operand of 16 bits names, where these have names of their own. */
static inline void take_half(struct isa_inst *i, const struct isa_arg *a, unsigned slot, struct isa_opnd *o)
{
    if (names_high_half(i, a, o))
        split_half(i, slot, o);
    if (is_high_half(i, a, o))
        o->type = T_U16;
}

/* Operand number `at`, argument k of the row. It is made in registers: as far as a compiler knows, a store to i may
 * change row and fields. False: there is no such operand. */
static bool fill_operand(const struct isa_target *t, struct isa_inst *i, struct isa_fields *f, const struct isa_op *op,
                         unsigned k, unsigned at)
{
    const struct isa_row *row = op->row;
    const struct isa_arg *a = &row->args[k];
    const unsigned slot = a->slot, flags = a->flags, code = f->slot[slot];
    struct isa_opnd o = {(uint16_t)code, a->type, (uint8_t)flags};
    bool vector = isa_is_vector_slot(slot);

    if (__builtin_expect((flags & A_IF_RET) && !asks_for_old(t, i), 0))
        return leave_out(i, at);
    switch (slot) {
    case SL_ADDR:
        o.type = (uint8_t)address_type(i, f);
        if (o.type == T_NONE) {
            i->op[at] = (struct isa_opnd){CODE_NONE, T_NONE, (uint8_t)flags};
            return true;
        }
        break;
    case SL_K:
        o.code = o.type == T_F64 ? CODE_LITERAL64 : CODE_LITERAL;
        break;
    case SL_SRC2:
    case SL_SRC3:
        if (i->format == FMT_TENSOR && code == CODE_NONE)
            return leave_out(i, at);
        break;
    case SL_SRSRC: /* four SGPRs; gfx12's field could name anything */
        if (code >= 128 && !row->image.data)
            return false;
        break;
    case SL_SADDR:
        if (i->format == FMT_SCRATCH)
            o.type = T_B32;
        if (i->format == FMT_FLAT && code == CODE_NONE)
            return leave_out(i, at);
        break;
    case SL_VDST:
        if (loads_to_lds(i)) /* the field says nothing */
            o.code = 0;
        break;
    case SL_CMP_OUT:
        if ((row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY)) {
            o.code = CODE_EXEC_LO;
            o.flags |= A_HIDDEN;
        }
        break;
    default:
        break;
    }
    if (vector && !(flags & A_SGPR))
        o.code = (uint16_t)(o.code + CODE_VGPR);
    if (vector && f->acc_data && slot != SL_ADDR)
        o.flags |= A_ACC;
    if (isa_has(t, FEAT_S_TRUE16))
        take_half(i, a, slot, &o);
    if (row->mat && (row->mat->mods & MM_FORMATS))
        format_operand(i, a, &o);
    i->op[at] = o;
    return ordinary(op->arg[k], o.code, o.type) || check_operand(t, i, f, row, k, at);
}

bool isa_fill_operands(const struct isa_target *t, struct isa_inst *i, struct isa_fields *f, const struct isa_op *op,
                       unsigned at)
{
    const struct isa_row *row = op->row;
    const unsigned checked = f->acc_data || loads_to_lds(i) ? ARG_CHECKED : 0;
    unsigned n = at;

    for (const struct isa_arg *a = row->args; a->slot; a++, n++) {
        unsigned k = n - at, trait = op->arg[k] | checked;
        unsigned code = f->slot[a->slot] + (trait & ARG_FIELD ? CODE_VGPR : 0u);

        if (!(trait & ARG_CHECKED) && ordinary(trait, code, a->type))
            i->op[n] = (struct isa_opnd){(uint16_t)code, a->type, (uint8_t)a->flags};
        else if (!fill_operand(t, i, f, op, k, n))
            return false;
    }
    i->nops = (uint8_t)n;
    return true;
}
