/* Classification of instructions by what is known of their results and of their timing. */
#include "sim/report/fidelity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/sched.h"
#include "isa/table/list.h"
#include "sim/report/figures.h"
#include "sim/report/report.h"

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

/* Of two bounds the wider one. */
static float wider(float a, float b)
{
    return a == ISA_NO_BOUND || b == ISA_NO_BOUND ? ISA_NO_BOUND : a > b ? a : b;
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
    e->timing = FIDELITY_NO_FIGURE;
    if (f->profile && e->semantics != FIDELITY_UNSUPPORTED)
        e->figure = figures_least_sure(e->row, e->cls, f->lanes, f->profile, &confidence);
    if (e->figure)
        e->timing = (uint8_t)confidence;
}

static struct fidelity_entry *find(struct fidelity *f, const struct isa_inst *i)
{
    const struct isa_row *second = i->form == FORM_VOPD ? i->u.y.row : NULL;
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

void fidelity_sort(struct fidelity *f)
{
    if (f->count)
        qsort(f->entry, f->count, sizeof *f->entry, order);
}

void fidelity_free(struct fidelity *f)
{
    free(f->entry);
    f->entry = NULL;
    f->count = f->room = 0;
}

/* ---- output ---- */

/* "measured 12 (40.0%)" */
static void put_share(FILE *out, const char **before, const char *key, uint64_t n, uint64_t of)
{
    char number[32];

    fprintf(out, "%s%s %s (%.1f%%)", *before, key, report_grouped(n, number), 100.0 * (double)n / (double)of);
    *before = ", ";
}

void fidelity_text(FILE *out, const struct fidelity *f, const char *name)
{
    const char *before = "";
    char number[32], bound[24], semantics[48];

    fprintf(out, "fidelity of %s: %s instruction%s", name, report_grouped(f->total, number), f->total == 1 ? "" : "s");
    if (f->profile_name)
        fprintf(out, ", profile %s", f->profile_name);
    fputs("\n  semantics    ", out);
    for (unsigned s = FIDELITY_SEMANTICS; s-- > 0;)
        if (f->of_semantics[s])
            put_share(out, &before, fidelity_semantics_key[s], f->of_semantics[s], f->total);
    if (f->undecodable)
        put_share(out, &before, "no instruction", f->undecodable, f->total);
    fputs(*before ? "\n  timing       " : "-\n  timing       ", out);
    before = "";
    for (unsigned t = 0; f->profile_name && t < FIDELITY_TIMINGS; t++)
        if (f->of_timing[t])
            put_share(out, &before, t == FIDELITY_NO_FIGURE ? "no figure" : fidelity_timing_key(t), f->of_timing[t],
                      f->total);
    fprintf(out, "%s\n\n  %-34s %7s  %-22s %-11s %s\n",
            !f->profile_name ? "no profile of the target"
            : *before        ? ""
                             : "-",
            "instruction", "count", "semantics", "timing", "least sure figure");
    for (size_t k = 0; k < f->count; k++) {
        const struct fidelity_entry *e = &f->entry[k];

        snprintf(semantics, sizeof semantics, "%s%s%s", fidelity_semantics_key[e->semantics],
                 e->semantics == FIDELITY_APPROXIMATE ? ", " : "",
                 e->semantics == FIDELITY_APPROXIMATE ? isa_bound_text(e->ulp, bound) : "");
        fprintf(out, "  %-34s %7s  %-22s ", e->mnemonic, report_grouped(e->count, number), semantics);
        if (e->figure)
            fprintf(out, "%-11s %s\n", fidelity_timing_key(e->timing), e->figure);
        else
            fputs("-\n", out);
    }
}

static void json_entry(FILE *out, const struct fidelity_entry *e)
{
    fprintf(out, "{\"mnemonic\": \"%s\", \"class\": \"%s\", \"count\": %" PRIu64 ", \"semantics\": \"%s\", \"ulp\": ",
            e->mnemonic, op_class_key[e->cls], e->count, fidelity_semantics_key[e->semantics]);
    if (e->semantics == FIDELITY_UNSUPPORTED || e->ulp == ISA_NO_BOUND)
        fputs("null", out);
    else
        fprintf(out, "%g", (double)e->ulp);
    fprintf(out, ", \"timing\": \"%s\", \"figure\": ", fidelity_timing_key(e->timing));
    report_json_string(out, e->figure);
    fputc('}', out);
}

void fidelity_json(FILE *out, const struct fidelity *f, const char *name)
{
    fputs("{\n      \"name\": ", out);
    report_json_string(out, name);
    fputs(",\n      \"profile\": ", out);
    report_json_string(out, f->profile_name);
    fprintf(out, ",\n      \"instructions\": %" PRIu64 ",\n      \"undecodable\": %" PRIu64 ",\n      \"semantics\": {",
            f->total, f->undecodable);
    for (unsigned s = 0; s < FIDELITY_SEMANTICS; s++)
        fprintf(out, "%s\"%s\": %" PRIu64, s ? ", " : "", fidelity_semantics_key[s], f->of_semantics[s]);
    fputs("},\n      \"timing\": ", out);
    for (unsigned t = 0; f->profile_name && t < FIDELITY_TIMINGS; t++)
        fprintf(out, "%s\"%s\": %" PRIu64, t ? ", " : "{", fidelity_timing_key(t), f->of_timing[t]);
    fputs(f->profile_name ? "},\n      \"by_instruction\": [" : "null,\n      \"by_instruction\": [", out);
    for (size_t k = 0; k < f->count; k++) {
        fputs(k ? ",\n        " : "\n        ", out);
        json_entry(out, &f->entry[k]);
    }
    fputs(f->count ? "\n      ]\n    }" : "]\n    }", out);
}
