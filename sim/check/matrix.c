/* Wait states around matrix instructions of CDNA, by their passes (LLVM 19 and 22, GCNHazardRecognizer.cpp:
 * checkMAIHazards908, checkMAIHazards90A, checkMAIVALUHazards, checkMAILdStHazards; MI100, MI200, MI300 ISA manuals,
 * section 4.5).
 *
 * gfx908 keeps results of matrix instructions in AGPRs, which v_accvgpr_read and _write alone reach; from gfx90a on
 * they are registers like others. On gfx942 instructions on f32 and f64 take another path than those on narrower types.
 */
#include <stdio.h>

#include "sim/check/internal.h"

static bool is_f64(const struct isa_matrix *m)
{
    return m->cd == MT_F64;
}

/* gfx942: the instructions of the matrix unit itself */
static bool is_narrow(const struct isa_matrix *m)
{
    return m->a != MT_F32 && m->a != MT_F64;
}

/* One of the numbers for 2, 4, 8 and 16 passes. */
static unsigned by_passes(const struct isa_matrix *m, unsigned two, unsigned four, unsigned eight, unsigned sixteen)
{
    return m->passes <= 2 ? two : m->passes <= 4 ? four : m->passes <= 8 ? eight : sixteen;
}

static void need(struct check_step *s, enum check_rule rule, unsigned states, const struct check_matrix_write *w,
                 unsigned reg, const char *verb, const char *did)
{
    char name[24], what[120];

    if (!w->when || s->c->states.now - w->when >= states)
        return;
    snprintf(what, sizeof what, "%s %s, which a matrix instruction of %u passes %s", verb, check_reg_name(s, reg, name),
             w->mat->passes, did);
    check_missing_states(s, rule, states, w->when, what);
}

/* ---- a matrix instruction reads the result of another ---- */

static unsigned addend_states_90a(const struct isa_matrix *m, const struct isa_matrix *by, bool exact)
{
    if (!is_f64(m) && is_f64(by))
        return 0;
    if (exact)
        return is_f64(m) && is_f64(by) && m->m == 4 && by->m == 4 ? 4 : 0;
    if (is_f64(by))
        return by->m == 4 ? 4 : 9;
    return by_passes(by, 2, 4, 8, 16) + is_f64(m);
}

/* gfx950 wants one more after those of four passes and more; its f64 of 16 x 16 takes eight passes longer. */
static unsigned more_states(const struct isa_target *t, const struct isa_matrix *by)
{
    if (!isa_has(t, FEAT_HAZARDS_GFX950))
        return 0;
    return is_f64(by) ? (by->m == 16 ? 8 : 0) : is_narrow(by) && by->passes > 2;
}

static unsigned addend_states_942(const struct isa_target *t, const struct isa_matrix *m, const struct isa_matrix *by,
                                  bool exact)
{
    if (exact)
        return is_f64(m) && is_f64(by) && m->m == 4 && by->m == 4 ? 4 : by->passes == 2 ? 2 : 0;
    if (is_f64(by))
        return is_narrow(m) ? 0 : (by->m == 4 ? 4 : 9) + more_states(t, by);
    if (is_narrow(m) && !is_narrow(by))
        return 0;
    if (is_narrow(m) && is_narrow(by)) /* gfx950: after two passes, too */
        return by->passes + 1u + isa_has(t, FEAT_HAZARDS_GFX950);
    return by->passes + is_narrow(by) + more_states(t, by);
}

/* Wait states for a result read as A or B; from gfx90a on also for one that vector and memory instructions read or
 * overwrite. */
static unsigned result_states(const struct check_step *s, const struct isa_matrix *by, bool memory, bool matrix)
{
    const struct isa_target *t = check_target(s);

    if (is_f64(by) && memory)
        return by->m == 4 ? 9 : 18;
    if (is_f64(by))
        return (by->m == 4 ? 6 : 11) + more_states(t, by);
    if (isa_has(t, FEAT_HAZARDS_GFX942))
        return by->passes + (is_narrow(by) ? 3u : 2u) + more_states(t, by);
    if (isa_has(t, FEAT_AGPR_UNIFIED))
        return by_passes(by, 5, 7, 11, 19);
    return matrix ? 4 : by_passes(by, 4, 4, 10, 18);
}

/* A result that is overwritten: gfx950's f64 of 16 x 16 want no more than gfx90a's. */
static unsigned overwrite_states(const struct check_step *s, const struct isa_matrix *by)
{
    return result_states(s, by, false, false) - (is_f64(by) ? more_states(check_target(s), by) : 0);
}

static void matrix_reads(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;
    const struct isa_matrix *m = isa_matrix_of(i);
    const struct check_states *c = &s->c->states;
    const struct isa_target *t = check_target(s);
    bool old = !isa_has(t, FEAT_AGPR_UNIFIED);

    for (unsigned k = 0; k < i->nops; k++) {
        unsigned slot = i->row->args[k].slot;
        if (!(i->op[k].flags & A_RD) || i->op[k].code < CODE_VGPR || i->op[k].code == CODE_NONE)
            continue;
        /* SMFMAC: C is D, and src2 an index like A and B */
        bool addend = m->kind == MAT_MFMA ? slot == SL_SRC2 : slot == SL_VDST;
        unsigned first = check_operand_reg(s, &i->op[k], 0);
        unsigned count = isa_types[i->op[k].type].dwords, reg;
        for (unsigned d = 0; d < count && (reg = check_operand_reg(s, &i->op[k], d)) < REG_S; d++) {
            const struct check_matrix_write *w = &c->matrix[reg];
            if (!w->when)
                continue;
            bool exact = w->first == first && w->count == count;
            if (!addend)
                need(s, CHECK_MFMA_SRC_AB, result_states(s, w->mat, false, true), w, reg, "reads as A or B",
                     "has written");
            else if (old)
                need(s, CHECK_MFMA_SRC_C, exact ? 0 : 2, w, reg, "adds to", "has written");
            else
                need(s, CHECK_MFMA_SRC_C,
                     isa_has(t, FEAT_HAZARDS_GFX942) ? addend_states_942(t, m, w->mat, exact)
                                                     : addend_states_90a(m, w->mat, exact),
                     w, reg, "adds to", "has written");
        }
        for (unsigned d = 0; d < count && (reg = check_operand_reg(s, &i->op[k], d)) < REG_S; d++) {
            if (old && reg >= REG_A)
                check_missing_states(s, CHECK_ACC_WRITE_READ, addend ? 1 : 3, c->acc_written[reg - REG_A],
                                     "reads an AGPR that v_accvgpr_write has just written");
            else if (old || !c->dot[reg]) /* from gfx90a on states.c has dot products */
                check_missing_states(s, CHECK_VALU_VGPR_MFMA, 2, i->row->mat && c->matrix[reg].when ? 0 : c->valu[reg],
                                     "reads a register that a vector instruction has just written");
        }
    }
    uint32_t exec = c->valu[REG_S + CODE_EXEC_LO];
    check_missing_states(s, CHECK_VALU_EXEC_MFMA, 4, exec,
                         "runs under EXEC, which a vector instruction has just written");
}

/* ---- vector and memory instructions ---- */

static bool is_acc_move(const struct check_step *s)
{
    return s->i->inst->row->flags & RF_MAI && !s->i->inst->row->mat;
}

/* gfx908: only v_accvgpr_read and v_accvgpr_write access AGPRs. */
static void acc_moves_908(struct check_step *s, const struct check_ref *r)
{
    const struct check_states *c = &s->c->states;
    bool move = is_acc_move(s);

    for (unsigned reg = r->first; reg < REG_S && reg < (unsigned)r->first + r->count; reg++) {
        if (reg < REG_A) {
            if (!r->write && (s->i->kind & (KIND_VMEM | KIND_LDS)))
                check_missing_states(s, CHECK_ACC_READ_MEM, 2, c->acc_read[reg],
                                     "reads a register that v_accvgpr_read has just written");
            else if (!r->write && move)
                check_missing_states(s, CHECK_VALU_VGPR_MFMA, 2, c->valu[reg],
                                     "v_accvgpr_write reads a register that a vector instruction has just written");
            continue;
        }
        if (r->write) {
            need(s, CHECK_MFMA_WRITE, c->matrix[reg].when ? by_passes(c->matrix[reg].mat, 1, 1, 7, 15) : 0,
                 &c->matrix[reg], reg, "overwrites", "has written");
            need(s, CHECK_MFMA_WAR, c->addend[reg].when ? by_passes(c->addend[reg].mat, 0, 0, 5, 13) : 0,
                 &c->addend[reg], reg, "overwrites", "adds to");
        } else {
            need(s, CHECK_MFMA_READ, c->matrix[reg].when ? result_states(s, c->matrix[reg].mat, false, false) : 0,
                 &c->matrix[reg], reg, "reads", "has written");
            check_missing_states(s, CHECK_ACC_WRITE_READ, 3, c->acc_written[reg - REG_A],
                                 "reads an AGPR that v_accvgpr_write has just written");
        }
    }
}

/* gfx908: a memory instruction reads what a vector one wrote, with v_accvgpr_read or _write just between. */
static void acc_move_memory(struct check_step *s, const struct check_ref *r)
{
    const struct check_states *c = &s->c->states;

    for (unsigned reg = r->first; reg < REG_A && reg < (unsigned)r->first + r->count && !r->write; reg++)
        if (c->valu[reg] && !c->acc_read[reg] && c->now - c->valu[reg] < 2)
            check_missing_states(s, CHECK_ACC_MOVE_MEM, 1, c->acc_move,
                                 "an AGPR was moved between the vector instruction that wrote its data and it");
}

/* gfx90a: the same with an f64 matrix instruction between. */
static void f64_between(struct check_step *s, const struct check_ref *r)
{
    const struct check_states *c = &s->c->states;

    for (unsigned reg = r->first; reg < REG_S && reg < (unsigned)r->first + r->count && !r->write; reg++)
        if (c->valu[reg] && c->f64_matrix > c->valu[reg])
            check_missing_states(s, CHECK_DMFMA_BETWEEN, 2, c->valu[reg],
                                 "an f64 matrix instruction stands between the one that wrote its data and it");
}

static unsigned addend_war_states(const struct check_step *s, const struct isa_matrix *by)
{
    if (is_f64(by) || (isa_has(check_target(s), FEAT_HAZARDS_GFX942) && !is_narrow(by)))
        return 0;
    return by_passes(by, 1, 3, 7, 15);
}

static void others_90a(struct check_step *s, const struct check_ref *r)
{
    const struct check_states *c = &s->c->states;
    bool memory = s->i->kind & (KIND_VMEM | KIND_LDS);

    for (unsigned reg = r->first; reg < REG_S && reg < (unsigned)r->first + r->count; reg++) {
        const struct check_matrix_write *w = &c->matrix[reg], *a = &c->addend[reg];
        if (w->when && !r->write)
            need(s, CHECK_MFMA_READ, result_states(s, w->mat, memory, false), w, reg, "reads", "has written");
        else if (w->when)
            need(s, CHECK_MFMA_WRITE, overwrite_states(s, w->mat), w, reg, "overwrites", "has written");
        if (a->when && r->write)
            need(s, CHECK_MFMA_WAR, addend_war_states(s, a->mat), a, reg, "overwrites", "adds to");
    }
}

/* v_fma_f64 and v_fmac_f64: three sources of a full multiply-add, or two and the result */
static bool is_fma_f64(const struct isa_inst *i)
{
    unsigned sources = 0;

    for (unsigned k = 0; k < i->nops; k++)
        sources += i->op[k].type == T_F64 && (i->op[k].flags & A_RD);
    return i->row->cls == OPC_F64_MUL && sources == 3;
}

void check_matrix_before(struct check_step *s)
{
    const struct isa_target *t = check_target(s);

    if (!isa_has(t, FEAT_AGPR))
        return;
    if (s->i->inst->row->mat) {
        matrix_reads(s);
        return;
    }
    bool old = !isa_has(t, FEAT_AGPR_UNIFIED);
    if (!(s->i->kind & (KIND_VALU | KIND_VMEM | KIND_LDS)))
        return;
    for (unsigned k = 0; k < s->i->refs; k++) {
        if (old)
            acc_moves_908(s, &s->i->ref[k]);
        else
            others_90a(s, &s->i->ref[k]);
        if (old && (s->i->kind & (KIND_VMEM | KIND_LDS)))
            acc_move_memory(s, &s->i->ref[k]);
        if (!old && !isa_has(t, FEAT_HAZARDS_GFX942) && (s->i->kind & (KIND_VMEM | KIND_LDS)))
            f64_between(s, &s->i->ref[k]);
    }
    if (!old && (s->i->kind & KIND_VALU) && is_fma_f64(s->i->inst))
        check_missing_states(s, CHECK_DMFMA_FMA, 2, s->c->states.f64_matrix,
                             "an f64 matrix instruction stands just before");
    if (old && is_acc_move(s) && s->i->inst->op[0].flags & A_ACC)
        check_missing_states(s, CHECK_VALU_EXEC_MFMA, 4, s->c->states.valu[REG_S + CODE_EXEC_LO],
                             "runs under EXEC, which a vector instruction has just written");
}

/* ---- bookkeeping after the instruction, which states.c has counted ---- */

static void note_matrix(struct check_step *s)
{
    struct check_states *c = &s->c->states;
    const struct isa_inst *i = s->i->inst;
    const struct isa_matrix *m = isa_matrix_of(i);

    for (unsigned k = 0; k < i->nops; k++) {
        unsigned slot = i->row->args[k].slot, count = isa_types[i->op[k].type].dwords;
        bool addend = m->kind == MAT_MFMA ? slot == SL_SRC2 : slot == SL_VDST;
        if (i->op[k].code < CODE_VGPR || i->op[k].code == CODE_NONE)
            continue;
        unsigned first = check_operand_reg(s, &i->op[k], 0), reg;
        struct check_matrix_write w = {c->now, (uint16_t)first, (uint16_t)count, m};
        for (unsigned d = 0; d < count && (reg = check_operand_reg(s, &i->op[k], d)) < REG_S; d++) {
            if (i->op[k].flags & A_WR)
                c->matrix[reg] = w;
            if (addend)
                c->addend[reg] = w;
        }
    }
    if (is_f64(m))
        c->f64_matrix = c->now;
}

void check_matrix_after(struct check_step *s)
{
    struct check_states *c = &s->c->states;

    if (!isa_has(check_target(s), FEAT_AGPR))
        return;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; r->write && reg < REG_S && reg < (unsigned)r->first + r->count; reg++) {
            c->matrix[reg].when = c->addend[reg].when = 0;
            if (reg < REG_A)
                c->acc_read[reg] = is_acc_move(s) ? c->now : 0;
            else
                c->acc_written[reg - REG_A] = is_acc_move(s) ? c->now : 0;
        }
    }
    if (is_acc_move(s))
        c->acc_move = c->now;
    if (s->i->inst->row->mat)
        note_matrix(s);
}
