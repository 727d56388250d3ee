/* Chooses the loop of isa/lanes/operand.c that runs an instruction, the shortest that its modifiers allow, and prepares
 * the values that this loop reads from the decoded instruction. */
#include <string.h>

#include "isa/decode/legal.h"
#include "isa/lanes/scalar.h"
#include "isa/lds_order.h"
#include "isa/variant.h"

static bool mode_free(const struct isa_inst *i)
{
    if (i->form != FORM_E32 && i->form != FORM_E64)
        return false;
    if (i->neg | i->abs | i->clamp | i->omod | i->neg_hi)
        return false;
    if (i->format == FMT_VOP3P) {
        for (unsigned k = i->first_src; k < i->nops; k++)
            if (isa_is_mixed(i->op[k].type))
                return i->op_sel == 0 && i->op_sel_hi == 0;
        /* a source that is not there may have either bit */
        unsigned all = (1u << (i->nops - i->first_src)) - 1;
        return i->op_sel == 0 && (i->op_sel_hi & all & 7) == (all & 7);
    }
    return i->op_sel == 0;
}

/* Both results take one word of an SGPR, which the loop without modifiers does not know. */
static bool pairs_one_sgpr(const struct isa_target *t, const struct isa_inst *i)
{
    if (!isa_has(t, FEAT_PK_F32_ONE_SGPR))
        return false;
    for (unsigned k = i->first_src; k < i->nops; k++)
        if (i->op[k].type == T_PF32 && i->op[k].code < 128)
            return true;
    return false;
}

static int not_executed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    (void)env, (void)fx;
    return isa_fault(w, FAULT_UNIMPLEMENTED, -1, 0, 0, false, "%s is not supported by gcnsim on %s", i->mnemonic,
                     w->target->name);
}

/* LLVM lets registers that read as constants (null, vccz ...) stand where only vector registers are read. */
static bool no_vector(const struct isa_inst *i, unsigned k)
{
    const struct isa_arg *a = &i->row->args[k];
    unsigned code = i->op[k].code;
    bool matrix = i->row->mat && isa_source_number(a->slot) >= 0;

    if (code >= CODE_VGPR || (!matrix && !(a->flags & (A_VGPR | A_ACC))))
        return false;
    bool number = code >= CODE_INT_0 && (code <= CODE_INT_M16 || (code >= CODE_FLOAT_HALF && code <= CODE_INV_2PI));
    bool c = matrix && a->slot == SL_SRC2 && !isa_matrix_sparse(i->row->mat);
    return i->form != FORM_SDWA && !(c && (number || code == CODE_LITERAL));
}

/* EXEC for a carry-in or a select mask: LLVM calls it invalid, the hardware reads it. */
static bool runs_all_the_same(const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (no_vector(i, k) || ((i->bad >> k & 1) && !(i->op[k].code == CODE_EXEC_LO && i->op[k].type == T_MASK)))
            return false;
    return !(i->bad >> ISA_MAX_ARGS);
}

static int ill_formed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    (void)env, (void)fx;
    return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: %s", i->mnemonic,
                     i->bad & (ISA_BAD_DPP | ISA_BAD_DPP64) ? "there is no such dpp_ctrl"
                     : i->bad & ISA_BAD_SDWA                ? "there is no such dst_unused"
                     : i->bad & ISA_BAD_ODD                 ? "a tuple of vector registers starts at an odd one"
                                                            : "an operand that the instruction cannot have");
}

/* Memory bits that change an instruction's meaning into one gcnsim does not execute: GDS where there is LDS, too, and
 * LDS in the place of the data register where LLVM has none either. */
static bool beyond_us(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_memop *m = &i->row->mem;

    if (i->format == FMT_DS)
        return i->u.mem.gds && i->row->cls != OPC_GDS;
    return i->format >= FMT_FLAT && i->format <= FMT_VBUFFER && i->u.mem.lds && i->row->args[0].slot != SL_SRSRC &&
           (i->format == FMT_FLAT || m->op != MEM_LOAD || (m->bytes > 4 && !isa_loads_wide_lds(t)) || m->comps > 1 ||
            m->convert >= CONV_D16_U8);
}

bool isa_constant_now(const struct isa_target *t, const struct isa_opnd *o)
{
    return !(o->code >= CODE_VCCZ && o->code < CODE_LITERAL) &&
           !(o->code >= CODE_SHARED_BASE && o->code <= CODE_POPS) && o->code != CODE_FLAT_SCRATCH_LO &&
           o->code != CODE_FLAT_SCRATCH_HI && o->code != t->code_null;
}

/* Sources are VGPRs, ordinary SGPRs or constants known now; the result is VGPRs or a compare's mask. */
static bool make_simple(const struct isa_target *t, struct isa_inst *i)
{
    uint64_t value[3] = {0};
    unsigned end = 0;

    if (i->first_src != 1 || i->nops > 4 || (i->row->implicit & IMP_R_VCC))
        return false;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (k == 0 && i->row->kind == ROW_CMP)
            continue;
        if (o->type == T_MASK || (o->flags & A_ACC))
            return false;
        if (o->code >= CODE_VGPR) {
            unsigned last = o->code - CODE_VGPR + isa_types[o->type].dwords;
            end = last > end ? last : end;
        } else if (k == 0 || !isa_constant_now(t, o)) {
            return false;
        } else if (o->code >= 128) {
            value[k - 1] = isa_const(NULL, i, o->code, (enum isa_type)o->type);
        }
    }
    i->vgpr_end = (uint16_t)end;
    memcpy(i->u.value, value, sizeof value);
    return true;
}

/* Prepares the whole-wave path (isa/lanes/quick.h): what make_simple() takes, and lane masks in SGPRs. */
static void make_quick(const struct isa_target *t, struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    struct isa_quick q = {.need = i->mode_need | SPECIAL_PARTIAL | SPECIAL_VSKIP, .carry_in = 0xff, .carry_out = 0xff};
    uint64_t value[3] = {0};
    unsigned end = 0, ns = 0;

    if (!row->whole || (row->flags & RF_CMPX))
        return;
    q.clears = isa_types[i->op[0].type].bits == 16 && !i->keep;
    if (row->implicit & IMP_R_VCC)
        q.carry_in = CODE_VCC_LO;
    if (row->asks_lane)
        q.need |= SPECIAL_WAVE64;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        unsigned dwords = isa_types[o->type].dwords;
        if ((o->flags & A_ACC) || (ns == 3 && o->type != T_MASK))
            return;
        if (o->type != T_MASK && dwords == 2) /* high words are one row of the wave's size further on */
            q.need |= SPECIAL_WAVE64;
        if (o->type == T_MASK) {
            if (o->code >= 128)
                return;
            *(k < i->first_src ? &q.carry_out : &q.carry_in) = (uint8_t)o->code;
        } else if (o->code >= CODE_VGPR) {
            uint32_t at = (o->code - CODE_VGPR) * 32u;
            *(k < i->first_src ? &q.dst : &q.src[ns++]) = at;
            end = o->code - CODE_VGPR + dwords > end ? o->code - CODE_VGPR + dwords : end;
        } else if (!isa_constant_now(t, o) || k < i->first_src) {
            return;
        } else {
            q.scalar |= 1u << ns;
            q.wide |= (dwords == 2) << ns;
            if (o->code >= 128)
                value[ns] = isa_const(NULL, i, o->code, (enum isa_type)o->type);
            q.src[ns++] = o->code;
        }
    }
    i->quick_kind = q.scalar || q.carry_in != 0xff || q.carry_out != 0xff || q.clears ? QUICK_ODD : QUICK_DIRECT;
    i->vgpr_end = (uint16_t)end;
    memcpy(i->u.value, value, sizeof value);
    i->u.quick = q;
    i->whole = row->whole;
}

void isa_index_vgprs(const struct isa_wave *w, const struct isa_inst *i, struct isa_inst *moved)
{
    uint32_t m0 = w->s[w->target->code_m0];

    *moved = *i;
    for (unsigned k = 0; k < i->nops; k++) {
        unsigned slot = i->row->args[k].slot;
        unsigned bit = slot == SL_VDST ? 15 : slot == SL_SRC0 ? 12 : slot == SL_SRC1 ? 13 : 14;
        bool named = slot == SL_VDST || slot == SL_SRC0 || slot == SL_SRC1 || slot == SL_SRC2;
        if (named && i->op[k].code >= CODE_VGPR && i->op[k].code != CODE_NONE && (m0 >> bit & 1))
            moved->op[k].code = (uint16_t)(moved->op[k].code + (m0 & 0xff));
    }
    moved->plain = 0; /* vgpr_end goes by the registers as written */
}

/* Which two bits of MODE.VGPR_MSB an operand has: of vdst 0, src0 1, src1 2, src2 3. Memory instructions have the
 * address in src0's place and data in those of src1 and src2, buffers in vdst's; v_fmamk's second register is src2's,
 * and what an instruction adds to its destination goes with that. (LLVM 22 AMDGPUBaseInfo.cpp,
 * getVGPRLoweringOperandTables) */
static unsigned msb_field(const struct isa_inst *i, const struct isa_row *row, unsigned k)
{
    bool middle = k >= 2 && row->args[k - 1].slot == SL_K;

    if (i->format == FMT_VOP3P && row->args[0].slot == SL_SRC0) /* scales, alone */
        return 4;
    switch (row->args[k].slot) {
    case SL_SRC0:
    case SL_ADDR:
        return 1;
    case SL_SRC1:
        return middle ? 3 : 2;
    case SL_DATA0:
        return i->format == FMT_VBUFFER ? 0 : 2;
    case SL_SRC2:
    case SL_DATA1:
        return 3;
    case SL_SCALE_A: /* these are among the first 256 always: the bits past the eight are zero */
    case SL_SCALE_B:
        return 4;
    default:
        return 0;
    }
}

void isa_raise_vgprs(const struct isa_target *t, const struct isa_inst *i, unsigned msb, struct isa_inst *moved)
{
    unsigned y = i->form == FORM_VOPD ? i->u.y.first_op : i->nops;

    *moved = *i;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_row *row = k >= y ? i->u.y.row : i->row;
        unsigned field = msb_field(i, row, k >= y ? k - y : k);

        if (moved->op[k].code >= CODE_VGPR && moved->op[k].code != CODE_NONE)
            moved->op[k].code = (uint16_t)(moved->op[k].code + ((msb >> 2 * field & 3) << 8));
    }
    moved->plain = 0; /* vgpr_end goes by the registers as written, and so does exec_simple */
    if (i->exec == t->variant->exec_simple)
        moved->exec = t->variant->exec_plain;
}

/* Wide vector ALU rows on targets where VGPR numbers may be indexed. */
static int wide_indexed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    struct isa_inst moved;

    if (__builtin_expect(w->gpr_idx == 0, 1))
        return i->row->exec(w, i, env, fx);
    isa_index_vgprs(w, i, &moved);
    return i->row->exec(w, &moved, env, fx);
}

/* Matrix instructions without modifiers whose operands are all registers are plain. */
static void make_matrix(struct isa_inst *i)
{
    const struct isa_mai *mai = &i->u.mai;
    unsigned end = 0, flags = 0;

    if (i->neg | i->neg_hi | i->clamp | i->op_sel | mai->cbsz | mai->abid | mai->blgp)
        return;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        unsigned last = o->code - CODE_VGPR + isa_types[o->type].dwords;
        if (o->code < CODE_VGPR)
            return;
        end = last > end ? last : end;
        flags |= o->flags;
    }
    i->vgpr_end = (uint16_t)end;
    i->plain = flags & A_ACC ? ISA_PLAIN_ACC : 1;
}

void isa_choose_exec(const struct isa_target *t, struct isa_inst *i, const struct isa_op *op, bool usual)
{
    const struct isa_row *row = i->row;

    if (i->form == FORM_VOPD) {
        i->exec = i->bad ? ill_formed : t->variant->exec_vopd;
        return;
    }
    if ((!usual || i->bad) && !runs_all_the_same(i)) {
        i->exec = ill_formed;
        return;
    }
    if (row->kind == ROW_WIDE) {
        /* the bodies that select bytes by op_sel do so by SDWA too (8-bit floats) */
        bool sdwa = i->form == FORM_SDWA && i->nops && !(row->flags & (RF_OP_SEL | RF_RELATIVE));
        bool indexed = isa_has(t, FEAT_VGPR_INDEX) && i->format >= FMT_VOP1 && i->format <= FMT_VOP3P;
        i->exec = !row->exec || beyond_us(t, i) || sdwa ? not_executed : indexed ? wide_indexed : row->exec;
        if (row->mat)
            make_matrix(i);
        return;
    }
    i->first_src = op->first_src;
    i->plain = mode_free(i) && !(row->flags & (RF_FLUSH | RF_D16_HI)) && !pairs_one_sgpr(t, i);
    i->mode_need = op->mode_need;
    i->keep = isa_has(t, FEAT_D16_HI_ZERO) && !(row->flags & RF_D16_KEEP_HI) ? 0 : 0xffff0000u;
    i->exec = i->plain ? t->variant->exec_plain : t->variant->exec_full;
}

static bool reads(const struct isa_inst *i, unsigned from, unsigned to, unsigned code)
{
    for (unsigned k = from + 1; k < to; k++)
        if (i->op[k].code == code)
            return true;
    return false;
}

/* Half of a dual-issue pair whose operands are single registers, masks in SGPRs and constants known now. */
static bool half_fits(const struct isa_target *t, const struct isa_inst *i, const struct isa_row *row, unsigned from,
                      unsigned to, unsigned *end)
{
    unsigned sources = 0;

    if (!row->whole || (row->flags & RF_FLUSH) || isa_types[i->op[from].type].bits != 32)
        return false;
    for (unsigned k = from; k < to; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (o->type == T_MASK ? o->code >= 128 : isa_types[o->type].dwords != 1 || (k > from && ++sources > 3))
            return false;
        if (o->code >= CODE_VGPR)
            *end = o->code - CODE_VGPR + 1u > *end ? o->code - CODE_VGPR + 1u : *end;
        else if (k == from || !isa_constant_now(t, o))
            return false;
    }
    return true;
}

/* A pair that a unit can run one half after the other: those that both read what the other writes cannot. */
static void make_pair(const struct isa_target *t, struct isa_inst *i)
{
    unsigned y = i->u.y.first_op, end = 0;

    if (i->neg || i->u.y.table || !half_fits(t, i, i->row, 0, y, &end) ||
        !half_fits(t, i, i->u.y.row, y, i->nops, &end) || i->op[0].code == i->op[y].code)
        return;
    if (reads(i, y, i->nops, i->op[0].code) && reads(i, 0, y, i->op[y].code))
        return;
    i->quick_kind = QUICK_PAIR;
    i->vgpr_end = (uint16_t)end;
}

/* A unit runs such an instruction by a plan of its modifiers, or by exec. It has compared the highest register with
 * those of the wave before. */
static void make_staged(struct isa_inst *i)
{
    unsigned end = 0;

    if (i->row->flags & RF_CMPX)
        return;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (o->flags & A_ACC)
            return;
        unsigned last = o->code < CODE_VGPR ? 0 : o->code - CODE_VGPR + isa_types[o->type].dwords;
        end = last > end ? last : end;
    }
    i->vgpr_end = (uint16_t)end;
    i->quick_kind = QUICK_STAGED;
}

/* Scalar ALU: operands that are constants, once and for all. */
static void make_constants(const struct isa_target *t, struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops && k < sizeof i->u.value / sizeof *i->u.value; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (o->code < 128 || o->code >= CODE_VGPR || !isa_constant_now(t, o))
            continue;
        i->u.value[k] = isa_const(NULL, i, o->code, (enum isa_type)o->type);
        i->constants |= (uint8_t)(1u << k);
    }
}

/* How the instruction uses LDS that others may use. */
static uint8_t lds_use(const struct isa_inst *i)
{
    if (!i->row || i->format != FMT_DS || !i->row->mem.bytes)
        return 0;
    return i->row->mem.op == MEM_LOAD ? LDS_TURN_READ : LDS_TURN_WRITE;
}

void isa_prepare(const struct isa_target *t, struct isa_inst *i)
{
    i->lds_use = lds_use(i);
    if (i->row && i->row->steady && i->exec == i->row->exec) {
        i->u.quick = (struct isa_quick){0};
        i->quick_kind = QUICK_SCALAR;
        make_constants(t, i);
    }
    if (i->row && i->row->kind == ROW_WIDE && i->row->whole && i->exec == i->row->exec) {
        i->u.quick = (struct isa_quick){.carry_in = 0xff, .carry_out = 0xff};
        i->u.quick.need = i->row->wait != WAITS_NONE ? SPECIAL_IN_FLIGHT : 0;
        i->quick_kind = QUICK_DIRECT;
        i->whole = i->row->whole;
    }
    if (i->row && i->exec == t->variant->exec_vopd)
        make_pair(t, i);
    if (!i->row)
        return;
    if (i->exec == t->variant->exec_plain) {
        if (make_simple(t, i))
            i->exec = t->variant->exec_simple;
        make_quick(t, i);
    }
    if (i->quick_kind == QUICK_NOT &&
        (i->exec == t->variant->exec_plain || i->exec == t->variant->exec_simple || i->exec == t->variant->exec_full))
        make_staged(i);
}
