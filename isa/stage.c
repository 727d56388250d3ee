/* Plans how an instruction with modifiers runs in a unit: what is done to the rows of its sources and of its result
 * (struct isa_stage). isa/lanes/operand.c says what modifiers mean, lane by lane; what is rare is left to it.
 */
#include <string.h>

#include "isa/lanes/dpp.h"
#include "isa/lanes/scalar.h"
#include "isa/unit.h"

#define ALL_BITS 0xffffffffu
#define SIGN     0x80000000u

struct planner {
    const struct isa_target *target;
    const struct isa_inst *i;
    struct isa_unit_op *op;
    struct isa_stage *stage;
};

/* A bit per half or word that is negated, of a VOP3P source. */
static unsigned negated(const struct isa_inst *i, unsigned src)
{
    return (unsigned)(i->neg >> src & 1) | (unsigned)(i->neg_hi >> src & 1) << 1;
}

/* Which of two halves or words each result reads. */
static unsigned selected(const struct isa_inst *i, unsigned src)
{
    return (unsigned)(i->op_sel >> src & 1) | (unsigned)(i->op_sel_hi >> src & 1) << 1;
}

/* abs and neg of a float whose sign is that bit, after what is planned. False: the value is sign-extended, too. */
static bool plan_signs(struct isa_stage *s, unsigned k, uint32_t sign, bool absolute, bool negate)
{
    if (!absolute && !negate)
        return true;
    if (s->less[k])
        return false;
    s->keep[k] &= absolute ? ~sign : ALL_BITS;
    s->flip[k] = negate ? sign : 0;
    return true;
}

static bool plan_sdwa(struct isa_stage *s, unsigned k, const struct isa_sdwa *sdwa, unsigned src)
{
    unsigned sel = sdwa->src_sel[src];
    uint32_t sign = sel < 4 ? 0x80 : 0x8000;

    if (sel > 6)
        return false;
    if (sel == 6)
        return true;
    s->shift[k] = (uint8_t)(sel < 4 ? sel * 8 : sel == 5 ? 16 : 0);
    s->keep[k] = sel < 4 ? 0xff : 0xffff;
    if (sdwa->sext >> src & 1)
        s->flip[k] = s->less[k] = sign;
    return true;
}

static bool plan_mixed(struct isa_stage *s, unsigned k, const struct isa_inst *i, unsigned src, bool bf16)
{
    bool half = i->op_sel_hi >> src & 1;

    if (half && bf16)
        return false;
    if (half) {
        s->kind[k] = STAGE_HALF;
        s->shift[k] = i->op_sel >> src & 1 ? 16 : 0;
    }
    return plan_signs(s, k, SIGN, i->neg_hi >> src & 1, i->neg >> src & 1);
}

/* Halves of a word, or the words of a pair. */
static bool plan_packed(struct planner *p, unsigned k, unsigned src, const struct isa_opnd *o)
{
    const struct isa_inst *i = p->i;
    struct isa_stage *s = p->stage;
    bool pair = isa_types[o->type].dwords == 2, is_float = o->type != T_PB16 && o->type != T_PB32;
    unsigned neg = is_float ? negated(i, src) : 0;

    if (i->format != FMT_VOP3P) { /* VOP3's dot products */
        uint32_t flip = i->neg >> src & 1 ? 0x80008000u : 0;
        if (pair || o->type == T_PB16)
            return !pair;
        s->keep[k] = i->abs >> src & 1 ? 0x7fff7fffu : ALL_BITS;
        s->flip[k] = flip;
        return true;
    }
    s->shift[k] = (uint8_t)selected(i, src);
    if (!pair) {
        s->kind[k] = STAGE_PACKED;
        s->flip[k] = (neg & 1 ? 0x8000u : 0) | (neg & 2 ? SIGN : 0);
        return true;
    }
    s->kind[k] = STAGE_PAIR;
    s->flip[k] = neg & 2 ? SIGN : 0;
    if (o->code < 128 && isa_has(p->target, FEAT_PK_F32_ONE_SGPR)) /* both are the word for the low result */
        s->shift[k] = (uint8_t)((s->shift[k] & 1) * 3);
    if ((neg & 1) && o->code < CODE_VGPR && o->code >= 128)
        return false; /* less[] is its high word */
    if (neg & 1)
        s->less[k] = SIGN;
    return true;
}

/* Plans how source k of the op, operand o of the instruction, is changed. */
static bool plan_source(struct planner *p, unsigned k, const struct isa_opnd *o, unsigned slot)
{
    const struct isa_inst *i = p->i;
    const struct isa_type_info *ty = &isa_types[o->type];
    struct isa_stage *s = p->stage;
    int src = isa_source_number(slot);

    if (src == 0 && isa_form_is_dpp(i->form))
        s->dpp = (uint8_t)(k + 1);
    if (src < 0) { /* the old result, of a sum, or a constant beside the sources */
        if ((o->flags & A_HIDDEN) && o->type == i->op[0].type && ty->bits == 16 && (i->op_sel & 8))
            s->shift[k] = 16;
        return true;
    }
    if (i->form == FORM_SDWA && src < 2 && !plan_sdwa(s, k, &i->u.sdwa, (unsigned)src))
        return false;
    if (isa_is_packed_f16(o->type) || isa_is_packed_bf16(o->type) || o->type == T_PB16 || o->type == T_PF32 ||
        o->type == T_PB32)
        return i->form != FORM_SDWA && plan_packed(p, k, (unsigned)src, o);
    if (isa_is_mixed(o->type))
        return plan_mixed(s, k, i, (unsigned)src, o->type == T_MIXB);
    if (ty->bits == 16 && (i->op_sel >> src & 1))
        s->shift[k] = 16;
    bool signs = (ty->float_bits || o->type == T_BF16 || (o->flags & A_FMOD)) && !(o->flags & A_NOMOD);
    if (!signs)
        return true;
    unsigned bits = ty->float_bits ? ty->float_bits : ty->bits;
    if (bits == 64 && o->code < CODE_VGPR && o->code >= 128 && ((i->abs | i->neg) >> src & 1))
        return false;
    return plan_signs(s, k, bits == 16 ? 0x8000 : SIGN, i->abs >> src & 1, i->neg >> src & 1);
}

/* The kind that the plan of source k comes to. */
static void settle(struct isa_stage *s, unsigned k, bool pair, bool constant)
{
    bool same = s->keep[k] == ALL_BITS && !s->flip[k];

    if (s->kind[k] == STAGE_PACKED || s->kind[k] == STAGE_PAIR) {
        if (same && s->shift[k] == 2 && (constant || !s->less[k]))
            s->kind[k] = STAGE_PLACE;
    } else if (s->kind[k] != STAGE_HALF) {
        s->kind[k] = same && !s->shift[k] && (pair || !s->less[k]) ? STAGE_PLACE : pair ? STAGE_PAIR : STAGE_BITS;
        s->shift[k] = pair ? 2 : s->shift[k];
    }
}

/* Where source k is. */
static bool locate(struct planner *p, unsigned k, const struct isa_opnd *o)
{
    bool pair = isa_types[o->type].dwords == 2;
    enum isa_type type = (enum isa_type)o->type;
    uint64_t value;

    if (pair)
        p->stage->pairs |= (uint8_t)(1u << k);
    if (o->code >= CODE_VGPR) {
        p->op->src[k] = (o->code - CODE_VGPR) * 32u;
        return true;
    }
    if (!isa_constant_now(p->target, o))
        return false;
    *(o->code < 128 ? &p->op->sgpr : &p->op->constant) |= (uint8_t)(1u << k);
    p->op->src[k] = o->code;
    if (o->code < 128)
        return !pair || o->code + 1u != p->target->code_null;
    if (p->stage->kind[k] == STAGE_HALF && type == T_MIX)
        type = T_F16;
    value = isa_const(NULL, p->i, o->code, type);
    p->op->src[k] = (uint32_t)value;
    if (pair)
        p->stage->less[k] = (uint32_t)(value >> 32);
    return true;
}

/* f32 whose denormals are zeros whatever MODE says; rows of halves see to that themselves, but for packed ones. */
static bool always_flushes(const struct isa_row *row, unsigned type)
{
    return (row->flags & RF_FLUSH) && isa_types[type].float_bits == 32;
}

static bool plan_result(struct planner *p)
{
    const struct isa_inst *i = p->i;
    const struct isa_row *row = i->row;
    const struct isa_type_info *ty = &isa_types[i->op[0].type];
    struct isa_stage *s = p->stage;

    s->type = (uint8_t)i->op[0].type;
    if (row->kind == ROW_CMP) {
        p->op->carry_out = (uint8_t)i->op[0].code;
        return i->op[0].code < 128 && !i->clamp;
    }
    if (ty->dwords < 1 || ty->dwords > 2 || i->op[0].code < CODE_VGPR)
        return false;
    p->op->dst = (i->op[0].code - CODE_VGPR) * 32u;
    p->op->rows = ty->dwords;
    s->pairs |= ty->dwords == 2 ? 8 : 0;
    if (i->clamp && (!ty->float_bits || (row->flags & RF_INT_CLAMP)))
        return false;
    s->result = i->clamp ? STAGE_CLAMPS : 0;
    if (i->form == FORM_SDWA)
        s->result |= STAGE_SDWA;
    else if (ty->bits == 16)
        s->result |= (i->op_sel & 8) || (row->flags & RF_D16_HI) ? STAGE_HALVES | STAGE_HIGH : STAGE_HALVES;
    if (always_flushes(row, i->op[0].type))
        p->op->around |= UNIT_FLUSHES_RESULT;
    return true;
}

static bool plan_sources(struct planner *p)
{
    const struct isa_inst *i = p->i;
    struct isa_unit_op *op = p->op;
    struct isa_stage *s = p->stage;
    unsigned ns = 0;

    for (unsigned o = i->row->kind == ROW_CMP ? 1 : i->first_src; o < i->nops; o++) {
        const struct isa_opnd *opnd = &i->op[o];
        if (opnd->type == T_MASK) {
            if (opnd->code >= 128)
                return false;
            op->carry_in = (uint8_t)opnd->code;
            continue;
        }
        unsigned dwords = isa_types[opnd->type].dwords;
        if (ns == 3 || dwords < 1 || dwords > 2 || !plan_source(p, ns, opnd, i->row->args[o].slot))
            return false;
        if (!locate(p, ns, opnd))
            return false;
        bool constant = opnd->code >= 128 && opnd->code < CODE_VGPR;
        settle(s, ns, dwords == 2, constant);
        if (always_flushes(i->row, opnd->type))
            op->around |= (uint8_t)(UNIT_FLUSHES_SOURCE << ns);
        if ((i->row->flags & RF_FLUSH) && isa_is_packed_f16(opnd->type))
            return false;
        ns++;
    }
    s->sources = (uint8_t)ns;
    return ns > 0;
}

/* omod, and what stands in its place or in that of neg and abs, is rare. */
static bool may_be_planned(const struct isa_inst *i, unsigned lanes)
{
    const struct isa_row *row = i->row;

    return row->whole && (row->kind == ROW_LANES || row->kind == ROW_CMP) && !i->omod &&
           !(row->flags & (RF_TRUTH_TABLE | RF_CMPX | RF_INT_MODS)) && (lanes == 32 || !row->asks_lane) &&
           i->first_src <= 2;
}

enum isa_staged isa_stage_handler(const struct isa_stage *s)
{
    unsigned kinds = s->pairs ? 1u << STAGE_PAIR : 0;

    for (unsigned k = 0; k < s->sources; k++)
        kinds |= 1u << s->kind[k];
    kinds &= ~(1u << STAGE_PLACE | 1u << STAGE_BITS);
    if (s->dpp)
        return kinds ? STAGED_ANY : STAGED_MOVED;
    return !kinds                        ? STAGED_BITS
           : kinds == 1u << STAGE_PACKED ? STAGED_PACKED
           : kinds == 1u << STAGE_HALF   ? STAGED_HALF
           : kinds == 1u << STAGE_PAIR   ? STAGED_PAIRS
                                         : STAGED_ANY;
}

bool isa_stage_make(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_unit_op *op,
                    struct isa_stage *stage)
{
    struct planner p = {t, i, op, stage};

    memset(stage, 0, sizeof *stage);
    memset(stage->keep, 0xff, sizeof stage->keep);
    stage->whole = i->row->whole;
    *op = (struct isa_unit_op){.i = i, .carry_in = 0xff, .carry_out = 0xff};
    if (!may_be_planned(i, lanes) || !plan_result(&p) || !plan_sources(&p))
        return false;
    if (i->row->implicit & IMP_R_VCC)
        op->carry_in = CODE_VCC_LO;
    if (i->first_src == 2 && i->row->kind != ROW_CMP) {
        if (i->op[1].type != T_MASK || i->op[1].code >= 128)
            return false;
        op->carry_out = (uint8_t)i->op[1].code;
    }
    if (!isa_form_is_dpp(i->form))
        return true;
    stage->fetch_inactive = i->u.dpp.fi;
    stage->bound_ctrl = isa_form_is_dpp8(i->form) || i->u.dpp.bound_ctrl;
    return stage->dpp && isa_dpp_in_rows(i, stage->from, &stage->reach, &stage->on);
}
