/* Classification of instructions by what is known of their results and of their timing. */
#include "sim/report/fidelity.h"

#include <stdlib.h>
#include <string.h>

#include "isa/sched.h"
#include "isa/table/list.h"
#include "sim/report/figures.h"

const char *const fidelity_semantics_key[FIDELITY_SEMANTICS] = {
    [FIDELITY_UNSUPPORTED] = "unsupported", [FIDELITY_APPROXIMATE] = "approximate", [FIDELITY_EXACT] = "exact"};

const char *fidelity_timing_key(unsigned timing)
{
    return timing == FIDELITY_NO_FIGURE ? "none" : profile_confidence_key[timing];
}

/* ---- classification ---- */

static bool is_executed(const struct isa_row *row)
{
    return row->kind != ROW_WIDE || row->exec;
}

/* The wider of two bounds. */
static float wider(float a, float b)
{
    return a == ISA_NO_BOUND || b == ISA_NO_BOUND ? ISA_NO_BOUND : a > b ? a : b;
}

/* Vector ALU instructions with an operand of three registers or more convert or look up a block of eight elements or
 * more (v_cvt_scalef32_2xpk16_fp6_f32). They count as any other of their class, and no source says that they take no
 * longer. */
static bool takes_blocks(const struct isa_row *row)
{
    for (unsigned k = 0; row->cls == OPC_VALU && row->args[k].slot; k++)
        if (isa_types[row->args[k].type].dwords > 2)
            return true;
    return false;
}

static void classify(const struct fidelity *f, const struct isa_inst *i, struct fidelity_entry *e)
{
    enum profile_confidence confidence;

    if (e->second)
        snprintf(e->mnemonic, sizeof e->mnemonic, "v_dual_%.30s :: v_dual_%.30s", i->mnemonic + 2, i->u.y.mnemonic + 2);
    else
        snprintf(e->mnemonic, sizeof e->mnemonic, "%s", i->mnemonic);
    e->ulp = wider(e->row->ulp, e->second ? e->second->ulp : 0);
    e->semantics = (uint8_t)(!is_executed(e->row) || (e->second && !is_executed(e->second)) ? FIDELITY_UNSUPPORTED
                             : e->ulp != 0                                                  ? FIDELITY_APPROXIMATE
                                                                                            : FIDELITY_EXACT);
    e->measured = e->row->measured && (!e->second || e->second->measured);
    e->timing = FIDELITY_NO_FIGURE;
    if (f->profile && e->semantics != FIDELITY_UNSUPPORTED)
        e->figure = figures_least_sure(e->row, e->cls, f->lanes, f->profile, &confidence);
    if (e->figure)
        e->timing = (uint8_t)(takes_blocks(e->row) && confidence < CONF_GUESS ? CONF_GUESS : confidence);
}

static struct fidelity_entry *find(struct fidelity *f, const struct isa_inst *i)
{
    const struct isa_row *second = isa_second_row(i);
    struct isa_sched sched;

    isa_inst_sched(f->target, i, f->lanes, &sched);
    for (size_t k = 0; k < f->count; k++)
        if (f->entry[k].row == i->row && f->entry[k].second == second && f->entry[k].cls == sched.cls)
            return &f->entry[k];
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 64;
        struct fidelity_entry *more = realloc(f->entry, room * sizeof *more);

        if (!more)
            return NULL;
        f->entry = more;
        f->room = room;
    }
    struct fidelity_entry *e = &f->entry[f->count++];
    *e = (struct fidelity_entry){.row = i->row, .second = second, .cls = sched.cls};
    classify(f, i, e);
    return e;
}

bool fidelity_add(struct fidelity *f, const struct isa_inst *i, uint64_t count)
{
    struct fidelity_entry *e = i->row ? find(f, i) : NULL;

    if (i->row && !e)
        return false;
    f->total += count;
    if (!e) {
        f->undecodable += count;
        return true;
    }
    e->count += count;
    f->of_semantics[e->semantics] += count;
    f->of_timing[e->timing] += count;
    f->exact_measured += e->semantics == FIDELITY_EXACT && e->measured ? count : 0;
    return true;
}

void fidelity_add_class(struct fidelity *f, bool approximate, uint64_t count)
{
    f->total += count;
    f->of_semantics[approximate ? FIDELITY_APPROXIMATE : FIDELITY_EXACT] += count;
    f->of_timing[FIDELITY_NO_FIGURE] += count;
    f->unnamed += approximate ? count : 0;
    f->unnamed_exact += approximate ? 0 : count;
}

bool fidelity_add_cycles(struct fidelity *f, const char *figure, enum profile_confidence confidence, double cycles)
{
    size_t k = 0;

    f->cycles += cycles;
    f->cycles_of[figure ? (unsigned)confidence : FIDELITY_NO_FIGURE] += cycles;
    while (figure && k < f->figures && strcmp(f->figure[k].path, figure) != 0)
        k++;
    if (!figure)
        return true;
    if (k == f->figure_room) {
        size_t room = k ? 2 * k : 32;
        struct fidelity_figure *more = realloc(f->figure, room * sizeof *more);

        if (!more)
            return false;
        f->figure = more;
        f->figure_room = room;
    }
    if (k == f->figures)
        f->figure[f->figures++] = (struct fidelity_figure){.path = figure, .timing = (uint8_t)confidence};
    f->figure[k].cycles += cycles;
    return true;
}

/* How little is claimed: what nobody is sure of first, what has no figure last. */
static int doubt(const struct fidelity_entry *e)
{
    return e->timing == FIDELITY_NO_FIGURE ? -1 : e->timing;
}

static int order(const void *a, const void *b)
{
    const struct fidelity_entry *x = a, *y = b;

    if (x->semantics != y->semantics)
        return x->semantics < y->semantics ? -1 : 1;
    if (x->timing != y->timing)
        return doubt(x) > doubt(y) ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int by_name = strcmp(x->mnemonic, y->mnemonic);
    return by_name ? by_name : (x->cls > y->cls) - (x->cls < y->cls);
}

static int order_figures(const void *a, const void *b)
{
    const struct fidelity_figure *x = a, *y = b;

    if (x->timing != y->timing)
        return x->timing > y->timing ? -1 : 1;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return strcmp(x->path, y->path);
}

void fidelity_sort(struct fidelity *f)
{
    if (f->count)
        qsort(f->entry, f->count, sizeof *f->entry, order);
    if (f->figures)
        qsort(f->figure, f->figures, sizeof *f->figure, order_figures);
}

const uint64_t *fidelity_exact_measured(const struct fidelity *f)
{
    return f->unnamed_exact ? NULL : &f->exact_measured;
}

uint64_t fidelity_bytes(const struct fidelity *f)
{
    return f->room * sizeof *f->entry + f->figure_room * sizeof *f->figure;
}

void fidelity_free(struct fidelity *f)
{
    free(f->entry);
    free(f->figure);
    f->entry = NULL;
    f->figure = NULL;
    f->count = f->room = f->figures = f->figure_room = 0;
}
