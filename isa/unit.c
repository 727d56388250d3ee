/* Makes units: decoded instructions become ops, each with the handler that does just what the instruction needs. */
#include "isa/unit.h"

#include "isa/lanes/quick.h"
#include "isa/variant.h"

struct maker {
    const struct isa_target *target;
    struct isa_unit *unit;
    unsigned lanes, ops;
    uint8_t need;
};

static bool count(struct isa_unit *u, uint8_t tally)
{
    unsigned k = 0;

    while (k < u->tallies && u->tally[k].tally != tally)
        k++;
    if (k == UNIT_TALLIES)
        return false;
    if (k == u->tallies) {
        u->tally[u->tallies].tally = tally;
        u->tally[u->tallies++].count = 0;
    }
    u->tally[k].count++;
    return true;
}

/* Whether what the head of a unit tested may be otherwise behind i. */
static bool changes_wave(const struct maker *m, const struct isa_inst *i)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(m->target, i, m->lanes, refs);

    for (unsigned k = 0; k < n; k++) {
        const struct isa_regref *r = &refs[k];
        if (r->write && (r->file == RF_MODE ||
                         (r->file == RF_SGPR && r->first + r->count > CODE_EXEC_LO && r->first <= CODE_EXEC_HI)))
            return true;
    }
    return false;
}

/* Whether the upper half of a wave64 would read a scalar that the lower one has written. */
static bool halves_depend(const struct isa_quick *q)
{
    for (unsigned k = 0; k < 3; k++)
        if ((q->scalar >> k & 1) && q->carry_out < 128 && q->src[k] == q->carry_out)
            return true;
    return q->carry_in + 1 == q->carry_out;
}

static struct isa_unit_op *add(struct maker *m, const struct isa_inst *i, isa_handler *run, isa_handler *part)
{
    struct isa_unit_op *op = &m->unit->op[m->ops++];

    *op = (struct isa_unit_op){.run = run, .part = part, .i = i, .carry_in = 0xff, .carry_out = 0xff};
    return op;
}

/* The mask that an op reads or writes, of the half of the lanes it is for. */
static uint8_t mask_of(const struct maker *m, uint8_t code, unsigned half)
{
    return code >= 128 || code == m->target->code_null ? 0xff : (uint8_t)(code + half);
}

static void add_half(struct maker *m, const struct isa_inst *i, unsigned half)
{
    const struct isa_quick *q = &i->u.quick;
    isa_handler *own = i->quick_kind == QUICK_DIRECT ? i->row->direct : i->row->odd;
    const struct isa_variant *v = m->target->variant;
    struct isa_unit_op *op = add(m, i, own ? own : v->handle_whole, v->handle_part);
    unsigned rows = m->lanes / 32;

    op->half = (uint8_t)half;
    op->rows = i->row->kind == ROW_CMP ? 0 : isa_types[i->op[0].type].dwords;
    op->dst = q->dst * rows + 32 * half;
    for (unsigned k = 0; k < 3; k++) {
        if (!(q->scalar >> k & 1)) {
            op->src[k] = q->src[k] * rows + 32 * half;
        } else if (q->src[k] < 128) {
            op->sgpr |= (uint8_t)(1u << k);
            op->src[k] = q->src[k];
        } else {
            op->constant |= (uint8_t)(1u << k);
            op->src[k] = (uint32_t)i->u.value[k];
        }
    }
    op->carry_in = mask_of(m, q->carry_in, half);
    op->carry_out = mask_of(m, q->carry_out, half);
}

static void add_vector(struct maker *m, const struct isa_inst *i, bool last)
{
    const struct isa_quick *q = &i->u.quick;

    if (i->row->kind == ROW_WIDE) /* does nothing */
        return;
    if (q->wide || last || (m->lanes == 64 && halves_depend(q))) {
        add(m, i, m->target->variant->handle_quick, m->target->variant->handle_part_exec);
        return;
    }
    for (unsigned half = 0; half < m->lanes / 32; half++)
        add_half(m, i, half);
}

/* An operand that is SGPRs, and nothing else when it is read or written. */
static bool plain_sgprs(const struct maker *m, const struct isa_opnd *o, unsigned end)
{
    unsigned null = m->target->code_null, dwords = isa_types[o->type].dwords;

    return o->code + dwords <= end && !(null >= o->code && null < o->code + dwords);
}

/* The operands of a scalar instruction. False: one is of another kind. */
static bool scalar_operands(const struct maker *m, const struct isa_inst *i, struct isa_unit_op *op)
{
    unsigned ns = 0;

    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        const struct isa_arg *a = &i->row->args[k];
        if (a->slot == SL_SIMM)
            continue;
        if ((a->flags & A_WR) && !plain_sgprs(m, o, CODE_EXEC_LO))
            return false;
        if (a->flags & A_WR)
            op->dst = o->code;
        if (!(a->flags & A_RD))
            continue;
        if (plain_sgprs(m, o, CODE_EXEC_HI + 1)) {
            op->sgpr |= (uint8_t)(1u << ns);
            op->src[ns++] = o->code;
        } else if ((i->constants >> k & 1) && isa_types[o->type].dwords == 1) {
            op->src[ns++] = (uint32_t)i->u.value[k];
        } else {
            return false;
        }
    }
    return true;
}

static void add_scalar(struct maker *m, const struct isa_inst *i)
{
    struct isa_unit_op op = {0};
    bool own = i->row->direct && scalar_operands(m, i, &op);

    op.i = i;
    op.run = own ? i->row->direct : m->target->variant->handle_exec;
    op.part = i->row->jumps ? op.run : m->target->variant->handle_part_exec;
    m->unit->op[m->ops++] = op;
}

/* Whether i can stand in the unit. */
static bool takes(const struct maker *m, const struct isa_inst *i)
{
    if (!__atomic_load_n(&i->exec, __ATOMIC_ACQUIRE))
        return false;
    if (i->quick_kind == QUICK_NOT)
        return i->row && i->row->jumps && i->exec == i->row->exec;
    return m->lanes == 32 || !(i->u.quick.need & SPECIAL_WAVE64);
}

unsigned isa_unit_make(const struct isa_target *t, const struct isa_inst *i, const struct isa_inst *end, gaddr_t pc,
                       unsigned lanes, struct isa_unit *u, unsigned ops)
{
    struct maker m = {.target = t, .unit = u, .lanes = lanes};

    *u = (struct isa_unit){.pc = pc, .want = lanes == 64 ? SPECIAL_WAVE64 : 0};
    for (bool last = false; !last && i < end && u->instructions < UNIT_INSTRUCTIONS && m.ops + 3 <= ops && takes(&m, i);
         i = isa_quick_next(i)) {
        if (!count(u, i->tally))
            break;
        last = i->quick_kind == QUICK_NOT || changes_wave(&m, i);
        if (i->quick_kind == QUICK_DIRECT || i->quick_kind == QUICK_ODD)
            add_vector(&m, i, last);
        else
            add_scalar(&m, i);
        if (i->quick_kind != QUICK_NOT) {
            m.need |= i->u.quick.need;
            u->vgpr_end = i->vgpr_end > u->vgpr_end ? i->vgpr_end : u->vgpr_end;
        }
        u->instructions++;
        u->bytes += i->size_bytes;
    }
    u->mask = m.need | SPECIAL_WAVE64;
    add(&m, NULL, t->variant->handle_end, t->variant->handle_end);
    return m.ops;
}
