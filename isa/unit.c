/* Makes units: decoded instructions become ops, each with the handler that does just what the instruction needs. */
#include "isa/unit.h"

#include "isa/lanes/quick.h"
#include "isa/lanes/scalar.h"
#include "isa/variant.h"

#include <string.h>

struct maker {
    const struct isa_target *target;
    struct isa_unit *unit;
    unsigned lanes, ops;
    uint16_t need;
    bool flush;
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

/* Whether what the head of a unit tested may be otherwise after i. */
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

static struct isa_unit_op *add(struct maker *m, isa_handler *run, isa_handler *part)
{
    struct isa_unit_op *op = &m->unit->op[m->ops++];

    *op = (struct isa_unit_op){.run = run, .part = part, .carry_in = 0xff, .carry_out = 0xff};
    return op;
}

static void add_exec(struct maker *m, const struct isa_inst *i, isa_handler *run)
{
    add(m, run, m->target->variant->handle_part_exec)->i = i;
}

/* The mask that an op reads or writes, of the half of the lanes it is for. */
static uint8_t mask_of(const struct maker *m, uint8_t code, unsigned half)
{
    return code >= 128 || code == m->target->code_null ? 0xff : (uint8_t)(code + half);
}

/* Which sources of an op, and whether its result, are f32 and flushed. */
static uint8_t flushed(const struct maker *m, const struct isa_row *row)
{
    unsigned flush = 0, source = 0;

    if (!m->flush || (row->flags & RF_NO_FLUSH))
        return 0;
    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];
        bool f32 = isa_types[a->type].float_bits == 32;

        flush |= f32 && (a->flags & A_WR) ? UNIT_FLUSHES_RESULT : 0u;
        if ((a->flags & A_RD) && a->type != T_MASK)
            flush |= (unsigned)(f32 ? UNIT_FLUSHES_SOURCE : 0) << source++;
    }
    return (uint8_t)flush;
}

/* An op for each half of the lanes. */
static void add_halves(struct maker *m, const struct isa_unit_op *op)
{
    for (unsigned half = 0; half < m->lanes / 32; half++) {
        struct isa_unit_op *to = &m->unit->op[m->ops++];
        *to = *op;
        to->half = (uint8_t)half;
        to->dst = op->dst * (m->lanes / 32) + 32 * half;
        for (unsigned k = 0; k < 3; k++)
            if (!((op->sgpr | op->constant) >> k & 1))
                to->src[k] = op->src[k] * (m->lanes / 32) + 32 * half;
        to->carry_in = mask_of(m, op->carry_in, half);
        to->carry_out = mask_of(m, op->carry_out, half);
    }
}

/* Those of an instruction that the row's loop does, by the row's own handler where it has one. */
static void add_rows(struct maker *m, const struct isa_row *row, struct isa_unit_op op)
{
    const struct isa_variant *v = m->target->variant;
    bool odd = op.sgpr || op.constant || op.carry_in != 0xff || op.carry_out != 0xff;

    isa_handler *const handlers[2][2] = {{row->direct, row->odd}, {row->flushing, row->odd_flushing}};
    uint8_t flush = flushed(m, row);
    isa_handler *own = op.around ? NULL : handlers[flush != 0][odd];

    op.around |= flush;
    op.run = own ? own : v->handle_whole;
    op.part = v->handle_part;
    op.whole = row->whole;
    add_halves(m, &op);
}

/* Half of a dual-issue pair: operands [from, to). */
static void add_half(struct maker *m, const struct isa_inst *i, const struct isa_row *row, unsigned from, unsigned to)
{
    struct isa_unit_op op = {.rows = 1, .carry_in = 0xff, .carry_out = 0xff};
    unsigned ns = 0;

    if (row->implicit & IMP_R_VCC)
        op.carry_in = CODE_VCC_LO;
    op.dst = (i->op[from].code - CODE_VGPR) * 32u;
    for (unsigned k = from + 1; k < to; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (o->type == T_MASK) {
            op.carry_in = (uint8_t)o->code;
        } else if (o->code >= CODE_VGPR) {
            op.src[ns++] = (o->code - CODE_VGPR) * 32u;
        } else {
            *(o->code < 128 ? &op.sgpr : &op.constant) |= (uint8_t)(1u << ns);
            op.src[ns++] = o->code < 128 ? o->code : (uint32_t)isa_const(NULL, i, o->code, (enum isa_type)o->type);
        }
    }
    add_rows(m, row, op);
}

/* A dual-issue pair reads before it writes. Where Y reads the result of X it comes first; make_pair() has seen to it
 * that X does not read that of Y, too. */
static void add_pair(struct maker *m, const struct isa_inst *i)
{
    unsigned y = i->u.y.first_op;
    bool y_first = false;

    for (unsigned k = y + 1; k < i->nops; k++)
        y_first = y_first || i->op[k].code == i->op[0].code;
    if (y_first)
        add_half(m, i, i->u.y.row, y, i->nops);
    add_half(m, i, i->row, 0, y);
    if (!y_first)
        add_half(m, i, i->u.y.row, y, i->nops);
}

/* An operand is a pair of registers. */
static bool any_pair(const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_types[i->op[k].type].dwords > 1)
            return true;
    return false;
}

/* The lower half of a wave64 writes a scalar that the upper one would read. */
static bool op_depends(const struct isa_unit_op *op, const struct isa_stage *s)
{
    for (unsigned k = 0; k < 3; k++)
        if ((op->sgpr >> k & 1) && op->carry_out < 128 &&
            (op->src[k] == op->carry_out || ((s->pairs >> k & 1) && op->src[k] + 1 == op->carry_out)))
            return true;
    return op->carry_in < 128 && op->carry_in + 1 == op->carry_out;
}

static void add_staged(struct maker *m, const struct isa_inst *i, bool last)
{
    const struct isa_variant *v = m->target->variant;
    unsigned halves = m->lanes / 32;
    struct isa_unit_op op;
    struct isa_stage stage;

    /* numbers of 64 bits: exec knows the rows of a wave64 as they lie */
    bool wide = halves == 2 && any_pair(i) && i->op[0].type != T_PF32;
    if (last || wide || !isa_stage_make(m->target, i, m->lanes, &op, &stage) ||
        (halves == 2 && op_depends(&op, &stage))) {
        add_exec(m, i, v->handle_exec);
        return;
    }
    op.around |= flushed(m, i->row);
    op.run = v->handle_staged[isa_stage_handler(&stage)];
    op.part = v->handle_part_staged;
    add_halves(m, &op);
    for (unsigned k = 1; k <= halves; k++)
        m->unit->op[m->ops - k].stage = (uint8_t)k;
    memcpy(&m->unit->op[m->ops], &stage, sizeof stage);
    m->ops += UNIT_STAGE_OPS;
}

static void add_vector(struct maker *m, const struct isa_inst *i, bool last)
{
    const struct isa_quick *q = &i->u.quick;

    if (i->row->kind == ROW_WIDE) /* does nothing */
        return;
    bool flush = flushed(m, i->row);
    if (any_pair(i) && (flush || m->lanes == 64)) {
        add_staged(m, i, last);
        return;
    }
    if (q->wide || last || (m->lanes == 64 && halves_depend(q))) {
        add_exec(m, i, flush ? m->target->variant->handle_exec : m->target->variant->handle_quick);
        return;
    }
    struct isa_unit_op op = {.dst = q->dst, .carry_in = q->carry_in, .carry_out = q->carry_out};
    op.around = q->clears ? UNIT_CLEARS : 0;
    op.rows = i->row->kind == ROW_CMP ? 0 : isa_types[i->op[0].type].dwords;
    for (unsigned k = 0; k < 3; k++) {
        op.src[k] = q->src[k];
        if (!(q->scalar >> k & 1))
            continue;
        *(q->src[k] < 128 ? &op.sgpr : &op.constant) |= (uint8_t)(1u << k);
        if (q->src[k] >= 128)
            op.src[k] = (uint32_t)i->u.value[k];
    }
    add_rows(m, i->row, op);
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

/* What of w->special has to be clear for i. */
static uint16_t need_of(const struct isa_inst *i)
{
    if (i->quick_kind == QUICK_PAIR)
        return SPECIAL_PARTIAL | SPECIAL_VSKIP | SPECIAL_MODE32 | SPECIAL_MODE64;
    if (i->quick_kind == QUICK_STAGED)
        return SPECIAL_PARTIAL | SPECIAL_VSKIP | i->mode_need;
    return i->quick_kind == QUICK_NOT ? 0 : i->u.quick.need;
}

/* Whether i can stand in the unit. */
static bool takes(const struct maker *m, const struct isa_inst *i)
{
    if (!__atomic_load_n(&i->exec, __ATOMIC_ACQUIRE))
        return false;
    if (i->quick_kind == QUICK_NOT)
        return i->row && i->row->jumps && i->exec == i->row->exec;
    return m->lanes == 32 || i->quick_kind <= QUICK_PAIR || !(i->u.quick.need & SPECIAL_WAVE64) || any_pair(i);
}

unsigned isa_unit_make(const struct isa_target *t, const struct isa_inst *i, const struct isa_inst *end, gaddr_t pc,
                       const struct isa_wave *w, struct isa_unit *u, unsigned ops)
{
    struct maker m = {.target = t, .unit = u, .lanes = w->lanes, .flush = w->special & SPECIAL_FLUSH};

    *u = (struct isa_unit){.pc = pc};
    for (bool last = false;
         !last && i < end && u->instructions < UNIT_INSTRUCTIONS && m.ops + UNIT_MIN_OPS <= ops && takes(&m, i);
         i = isa_quick_next(i)) {
        if (!count(u, i->tally))
            break;
        last = i->quick_kind == QUICK_NOT || changes_wave(&m, i);
        if (i->quick_kind == QUICK_DIRECT || i->quick_kind == QUICK_ODD)
            add_vector(&m, i, last);
        else if (i->quick_kind == QUICK_STAGED)
            add_staged(&m, i, last);
        else if (i->quick_kind == QUICK_PAIR)
            add_pair(&m, i);
        else
            add_scalar(&m, i);
        m.need |= need_of(i);
        u->vgpr_end = i->vgpr_end > u->vgpr_end ? i->vgpr_end : u->vgpr_end;
        u->instructions++;
        u->bytes += i->size_bytes;
    }
    u->mask = m.need | SPECIAL_WAVE64;
    u->want = m.lanes == 64 ? SPECIAL_WAVE64 : 0;
    if (m.flush && (m.need & SPECIAL_MODE32)) {
        u->mask |= SPECIAL_FLUSH32;
        u->want |= SPECIAL_FLUSH32;
    }
    add(&m, t->variant->handle_end, t->variant->handle_end);
    return m.ops;
}

bool isa_unit_of_one(const struct isa_target *t, const struct isa_inst *i, gaddr_t pc, const struct isa_wave *w,
                     struct isa_unit *u)
{
    bool staged = i->quick_kind == QUICK_STAGED || i->quick_kind == QUICK_PAIR;
    bool flushes = (i->quick_kind == QUICK_DIRECT || i->quick_kind == QUICK_ODD) && w->special & SPECIAL_FLUSH &&
                   i->u.quick.need & SPECIAL_MODE32;

    if (!staged && !flushes)
        return false;
    isa_unit_make(t, i, isa_quick_next(i), pc, w, u, UNIT_MIN_OPS + 1);
    return u->instructions == 1;
}
