/* Matrix instructions of RDNA3 and newer whose registers others touch too early: the matrix unit works beside the
 * vector ALUs, and software keeps them apart by vector instructions that have nothing to do with it (v_nop, if nothing
 * else).
 *
 * gfx11 and gfx12 want one of them before a result is A, B or index of the next matrix instruction. On gfx1250 that is
 * so of v_wmma_f32_16x16x4_f32. All other matrix instructions there run beside vector instructions that follow for a
 * number of them that goes by their passes, half as many of sparse ones: those must neither read or write the result
 * nor write A, B or the index, and the next matrix instruction waits for one more. Transcendentals are another unit's,
 * and of dual-issue pairs LLVM looks at what they read alone. Source: LLVM 22 GCNHazardRecognizer, fixWMMAHazards and
 * fixWMMACoexecutionHazards; what clang 22 puts between such instructions of each kind is the same.
 */
#include <stdio.h>

#include "sim/check/internal.h"

static bool overlap(const struct check_vgprs *a, unsigned first, unsigned count)
{
    return a->count && count && first < a->first + a->count && a->first < first + count;
}

static struct check_vgprs operand(const struct check_step *s, unsigned k)
{
    const struct isa_inst *i = s->i->inst;
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = isa_types[o->type].dwords;

    if (o->code < CODE_VGPR || o->code == CODE_NONE)
        return (struct check_vgprs){0, 0};
    return (struct check_vgprs){o->code - CODE_VGPR,
                                isa_matrix_dwords(i->row->mat, i->row->args[k].slot, dwords, s->w->lanes)};
}

/* A, B, or the index of a sparse one. */
static bool is_input(const struct isa_row *row, unsigned k)
{
    unsigned slot = row->args[k].slot;

    return slot == SL_SRC0 || slot == SL_SRC1 || (slot == SL_SRC2 && isa_matrix_sparse(row->mat));
}

static bool runs_beside(const struct isa_matrix *m)
{
    return m && m->kind >= MAT_WMMA_WIDE && m->a != MT_F32;
}

static void report(struct check_step *s, const struct check_wmma_issued *w, unsigned window, const char *what,
                   unsigned reg)
{
    unsigned since = s->c->rdna.wmma.valus - w->valus, missing = window - since;
    char fix[60];

    snprintf(fix, sizeof fix, "%u v_nop before it", missing);
    if (window == 1)
        check_report(s, CHECK_WMMA_AB, -1, "v_nop before it",
                     "reads v%u as A, B or index, a result of the matrix instruction just before", reg);
    else
        check_report(s, CHECK_WMMA_BESIDE, -1, fix,
                     "%s v%u, with %u of %u vector instructions behind the matrix instruction that has it", what, reg,
                     since, window);
}

/* The next matrix instruction, which takes results for its inputs. */
static void before_matrix(struct check_step *s, const struct check_wmma_issued *w)
{
    const struct isa_row *row = s->i->inst->row;
    unsigned window = runs_beside(row->mat) && w->window ? w->window + 1 : 1;

    if (s->c->rdna.wmma.valus - w->valus >= window)
        return;
    for (unsigned k = 1; k < s->i->inst->nops; k++) {
        struct check_vgprs in = operand(s, k);
        if (is_input(row, k) && overlap(&w->result, in.first, in.count)) {
            report(s, w, window, "reads", in.first > w->result.first ? in.first : w->result.first);
            return;
        }
    }
}

static void before_vector(struct check_step *s, const struct check_wmma_issued *w)
{
    if (s->c->rdna.wmma.valus - w->valus >= w->window)
        return;
    for (unsigned n = 0; n < s->i->refs; n++) {
        const struct check_ref *r = &s->i->ref[n];
        if (r->write && s->i->inst->form == FORM_VOPD)
            continue;
        bool result = r->first < REG_A && overlap(&w->result, r->first, r->count), input = false;
        for (unsigned k = 0; k < 3 && r->write && r->first < REG_A; k++)
            input |= overlap(&w->input[k], r->first, r->count);
        if (result || input) {
            report(s, w, w->window, r->write ? "writes" : "reads", r->first);
            return;
        }
    }
}

void check_wmma_before(struct check_step *s)
{
    struct check_wmma *c = &s->c->rdna.wmma;

    if (!(s->i->kind & KIND_VALU) || (s->i->kind & KIND_TRANS))
        return;
    for (unsigned k = 0; k < CHECK_WMMA_ISSUED; k++)
        if (c->issued[k].result.count && s->i->inst->row->mat)
            before_matrix(s, &c->issued[k]);
        else if (c->issued[k].result.count)
            before_vector(s, &c->issued[k]);
}

void check_wmma_after(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;
    struct check_wmma *c = &s->c->rdna.wmma;
    const struct isa_matrix *m = i->row->mat ? isa_matrix_of(i) : NULL;

    if (!(s->i->kind & KIND_VALU))
        return;
    c->valus++;
    if (!m)
        return;
    struct check_wmma_issued *w = &c->issued[c->valus % CHECK_WMMA_ISSUED];
    *w = (struct check_wmma_issued){.valus = c->valus, .result = operand(s, 0)};
    if (!runs_beside(m))
        return;
    w->window = isa_matrix_sparse(m) ? m->passes : 2u * m->passes;
    for (unsigned k = 1, n = 0; k < i->nops && n < 3; k++)
        if (is_input(i->row, k))
            w->input[n++] = operand(s, k);
}
