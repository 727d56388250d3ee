/* Describes one instruction for gcnsim_isa_show(): its encodings on each target, operands, the wait counters it raises
 * and the profile's figures that decide its timing.
 *
 * A mnemonic leads to rows (isa/table/row.h): one row is one meaning, which may have other mnemonics on other targets,
 * and one mnemonic may have had two meanings. Targets with equal encodings of a row share a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table/list.h"
#include "sim/api/api.h"
#include "sim/report/figures.h"
#include "sim/util/nearest.h"
#include "sim/util/text_stream.h"

enum { MAX_TARGETS = 32, MAX_ROWS = 8, MAX_ENCODINGS = 64 };

/* An encoding of a row, and the targets that have it. */
struct encoding {
    struct isa_listing l;
    uint32_t modifiers, counters, counters_returning;
    uint32_t targets; /* a bit per entry of show.target */
};

struct meaning {
    const struct isa_row *row;
    struct encoding enc[MAX_ENCODINGS];
    unsigned count;
};

struct show {
    struct isa_target *target[MAX_TARGETS];
    const char *name[MAX_TARGETS];
    unsigned targets;
    struct meaning meaning[MAX_ROWS];
    unsigned meanings;
    const struct profile *profile; /* null: no figures */
    FILE *f;
};

/* ---- which rows ---- */

static bool open_targets(struct show *s, const char *only, struct err *e)
{
    const char *name;

    for (unsigned k = 0; (name = only ? only : isa_target_name(k)) && s->targets < MAX_TARGETS; k++) {
        if (isa_target_open(&s->target[s->targets], name, NULL, e))
            return false;
        s->name[s->targets] = s->target[s->targets]->name;
        s->targets++;
        if (only)
            break;
    }
    return true;
}

static void add_row(struct show *s, const struct isa_row *row)
{
    for (unsigned k = 0; k < s->meanings; k++)
        if (s->meaning[k].row == row)
            return;
    if (s->meanings < MAX_ROWS)
        s->meaning[s->meanings++].row = row;
}

static void find_rows(struct show *s, const char *name)
{
    for (unsigned t = 0; t < s->targets; t++) {
        const struct isa_op *op;
        unsigned cursor = 0;

        while ((op = isa_list_op(s->target[t], &cursor)))
            if (!strcmp(op->mnemonic, name) || !strcmp(op->row->name, name))
                add_row(s, op->row);
    }
}

/* LLVM's text names the form after the mnemonic: v_add_f32_e64. */
static bool without_form(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", name);
    for (unsigned f = 0; f <= FORM_VOPD; f++) {
        size_t n = strlen(out), m = strlen(isa_form_name[f]);

        if (n > m + 1 && out[n - m - 1] == '_' && !strcmp(out + n - m, isa_form_name[f])) {
            out[n - m - 1] = 0;
            return true;
        }
    }
    return false;
}

static const char *nearest(const struct show *s, const char *name)
{
    const char *best = NULL;
    unsigned least = UINT32_MAX;

    for (unsigned t = 0; t < s->targets; t++) {
        const struct isa_op *op;
        unsigned cursor = 0;

        while ((op = isa_list_op(s->target[t], &cursor))) {
            unsigned d = nearest_distance(name, op->mnemonic);

            if (d < least && nearest_is_near(name, op->mnemonic, d)) {
                least = d;
                best = op->mnemonic;
            }
        }
    }
    return best;
}

static int unknown(const struct show *s, const char *name, const char *target, struct err *e)
{
    const char *near = nearest(s, name);
    char hint[120] = "";

    if (near)
        snprintf(hint, sizeof hint, " (did you mean %s?)", near);
    return err_set(e, ERR_USAGE, "'%.60s' is no instruction of %s%s; gcnsim isa list --target NAME lists them", name,
                   target ? target : "any target", hint);
}

/* ---- their encodings ---- */

static bool same_encoding(const struct encoding *a, const struct encoding *b)
{
    return a->l.format == b->l.format && a->l.opcode == b->l.opcode && a->l.forms == b->l.forms &&
           a->l.tested == b->l.tested && a->modifiers == b->modifiers && a->counters == b->counters &&
           a->counters_returning == b->counters_returning && !strcmp(a->l.op->mnemonic, b->l.op->mnemonic);
}

static void add_encoding(struct meaning *m, const struct encoding *e)
{
    for (unsigned k = 0; k < m->count; k++)
        if (same_encoding(&m->enc[k], e)) {
            m->enc[k].targets |= e->targets;
            return;
        }
    if (m->count < MAX_ENCODINGS)
        m->enc[m->count++] = *e;
}

static void find_encodings(struct show *s)
{
    for (unsigned k = 0; k < s->meanings; k++)
        for (unsigned t = 0; t < s->targets; t++) {
            struct encoding e = {.targets = UINT32_C(1) << t};

            for (unsigned n = 0; isa_list_row(s->target[t], s->meaning[k].row, n, &e.l); n++) {
                e.modifiers = isa_list_modifiers(s->target[t], &e.l);
                e.counters = isa_list_counters(s->target[t], &e.l, false);
                e.counters_returning = isa_list_counters(s->target[t], &e.l, true);
                add_encoding(&s->meaning[k], &e);
            }
        }
}

/* ---- figures ---- */

static int figures(const struct show *s, const struct isa_row *row, enum profile_format format, char **out,
                   struct err *e)
{
    struct figures p;

    figures_of(row, row->cls, &p);
    if (!p.count) {
        *out = strdup(format == PROFILE_JSON ? "{}" : "");
        return *out ? 0 : err_set(e, ERR_NOMEM, "out of memory");
    }
    return profile_print_matching(s->profile, p.count, p.list, format, out, e);
}

/* ---- output ---- */

static const char *const implicit_name[] = {"reads SCC",
                                            "writes SCC",
                                            "reads VCC",
                                            "writes VCC",
                                            "reads EXEC",
                                            "writes EXEC",
                                            "reads M0",
                                            "writes M0",
                                            "reads MODE",
                                            "writes MODE",
                                            "reads FLAT_SCRATCH",
                                            "writes PC",
                                            "reads M0 (LDS bounds, gfx8)"};

/* enum isa_implicit bits, MODE included where the types of the operands imply it. */
static uint32_t implicit(const struct isa_row *row)
{
    return row->implicit | (isa_row_reads_mode(row) ? IMP_R_MODE : 0u);
}

/* Names of the bits set, each put in quotes where asked, with sep between them. */
static void put_bits(FILE *f, uint32_t bits, const char *const *names, const char *sep)
{
    const char *before = "";

    for (unsigned k = 0; bits >> k; k++)
        if (bits >> k & 1) {
            fprintf(f, "%s%s", before, names[k]);
            before = sep;
        }
}

static void json_bits(struct json_put *j, const char *key, uint32_t bits, const char *const *names)
{
    json_put(j, "%s: [", key);
    for (unsigned k = 0; bits >> k; k++)
        if (bits >> k & 1)
            json_put(j, "%s", names[k]);
    json_put(j, "]");
}

static uint32_t all_forms(const struct meaning *m, bool tested)
{
    uint32_t forms = 0;

    for (unsigned k = 0; k < m->count; k++)
        forms |= tested ? m->enc[k].l.tested : m->enc[k].l.forms;
    return forms;
}

static const char *status(const struct meaning *m)
{
    const struct isa_listing *l = &m->enc[0].l;

    if (!l->executed)
        return l->beyond ? "decoded, not executed: beyond what gcnsim models" : "decoded, not executed";
    return all_forms(m, true) == all_forms(m, false) ? "executed, tested in every form" : "executed";
}

static void text_encoding(const struct show *s, const struct encoding *e)
{
    fprintf(s->f, "    ");
    put_bits(s->f, e->targets, s->name, " ");
    fprintf(s->f, "\n      %s  %s opcode 0x%x", e->l.op->mnemonic, isa_format_name[e->l.format], e->l.opcode);
    if (e->l.forms != 1u << FORM_E32) {
        fprintf(s->f, "  forms: ");
        put_bits(s->f, e->l.forms, isa_form_name, " ");
    }
    if (e->modifiers) {
        fprintf(s->f, "  modifiers: ");
        put_bits(s->f, e->modifiers, isa_modifier_name, " ");
    }
    if (e->counters) {
        fprintf(s->f, "  raises: ");
        put_bits(s->f, e->counters, wait_counter_key, " ");
    }
    if (e->counters_returning != e->counters) {
        fprintf(s->f, " (returning the old value: ");
        put_bits(s->f, e->counters_returning, wait_counter_key, " ");
        fprintf(s->f, ")");
    }
    fputc('\n', s->f);
}

static const char *direction(const struct isa_arg *a)
{
    if (a->flags & A_WR)
        return a->flags & A_RD ? "read, written" : a->flags & A_IF_RET ? "written when it returns" : "written";
    return a->flags & A_RD ? "read" : "";
}

static void text_matrix(FILE *f, const struct isa_matrix *m)
{
    fprintf(f, "  matrix  %u x %u x %u, %u block%s, %u passes", m->m, m->n, m->k, m->blocks, m->blocks == 1 ? "" : "s",
            m->passes);
    if (m->narrow)
        fprintf(f, " (%u where neither A nor B has 8 bits)", m->narrow->passes);
    fputc('\n', f);
}

static int text_meaning(const struct show *s, const struct meaning *m, struct err *e)
{
    const struct isa_row *row = m->row;
    char bound[40];

    fprintf(s->f, "%s\n  class   %s (%s); %s\n", row->name, op_class_key[row->cls],
            op_category_key[op_class_category[row->cls]], status(m));
    if (row->ulp != 0)
        fprintf(s->f, "  results approximate, %s: a chip's may differ\n", isa_bound_words(row->ulp, bound));
    if (row->measured)
        fprintf(s->f, "  results as measured on a chip (%s)\n", row->measured);
    fprintf(s->f, "  source  %s\n", row->file);
    if (row->mat)
        text_matrix(s->f, row->mat);
    fprintf(s->f, "  encodings\n");
    for (unsigned k = 0; k < m->count; k++)
        text_encoding(s, &m->enc[k]);
    if (row->args[0].slot)
        fprintf(s->f, "  operands\n");
    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];
        const char *how = direction(a);

        fprintf(s->f, "    %-9s %s%s%s%s\n", isa_slot_name[a->slot] ? isa_slot_name[a->slot] : "-",
                isa_type_name[a->type], *how ? ", " : "", how, a->flags & A_HIDDEN ? " (implied by the text)" : "");
    }
    if (implicit(row)) {
        fprintf(s->f, "  implicit  ");
        put_bits(s->f, implicit(row), implicit_name, ", ");
        fputc('\n', s->f);
    }
    if (s->profile) {
        char *costs;

        if (figures(s, row, PROFILE_TEXT, &costs, e))
            return -1;
        fprintf(s->f, "  figures of %s\n", s->profile->name);
        for (char *rest, *line = strtok_r(costs, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            if (*line != '#')
                fprintf(s->f, "    %s\n", line);
        free(costs);
    }
    return 0;
}

static void json_encoding(struct json_put *j, const struct show *s, const struct encoding *e)
{
    json_put(j, "\n    {");
    json_bits(j, "targets", e->targets, s->name);
    json_put(j, "mnemonic: %s, format: %s, opcode: %u", e->l.op->mnemonic, isa_format_name[e->l.format], e->l.opcode);
    json_bits(j, "forms", e->l.forms, isa_form_name);
    json_bits(j, "forms_tested", e->l.tested, isa_form_name);
    json_bits(j, "modifiers", e->modifiers, isa_modifier_name);
    json_bits(j, "counters", e->counters, wait_counter_key);
    json_bits(j, "counters_returning", e->counters_returning, wait_counter_key);
    json_put(j, "}");
}

static int json_meaning(struct json_put *j, const struct show *s, const struct meaning *m, struct err *e)
{
    const struct isa_row *row = m->row;
    char *costs = NULL;

    json_put(j, "\n  {name: %s, class: %s, category: %s, executed: %hhd, out_of_scope: %s", row->name,
             op_class_key[row->cls], op_category_key[op_class_category[row->cls]], m->enc[0].l.executed,
             m->enc[0].l.beyond);
    json_put(j, row->ulp == ISA_NO_BOUND ? "ulp: null" : "ulp: %g", (double)row->ulp);
    json_put(j, "measured: %s, source: %s", row->measured, row->file);
    json_put(j, row->mat ? "passes: %u" : "passes: null", row->mat ? row->mat->passes : 0u);
    json_put(j, "\n   encodings: [");
    for (unsigned k = 0; k < m->count; k++)
        json_encoding(j, s, &m->enc[k]);
    json_put(j, "],\n   operands: [");
    for (unsigned k = 0; row->args[k].slot; k++) {
        const struct isa_arg *a = &row->args[k];

        json_put(j, "{field: %s, type: %s, read: %hhd, write: %hhd}",
                 isa_slot_name[a->slot] ? isa_slot_name[a->slot] : "", isa_type_name[a->type], (a->flags & A_RD) != 0,
                 (a->flags & A_WR) != 0);
    }
    json_put(j, "],\n   ");
    json_bits(j, "implicit", implicit(row), implicit_name);
    json_put(j, "\n   figures:");
    if (s->profile && figures(s, row, PROFILE_JSON, &costs, e))
        return -1;
    fputs(costs ? costs : "null", json_put_raw(j));
    free(costs);
    json_put(j, "}");
    return 0;
}

static int print(struct show *s, enum gcnsim_format format, struct err *e)
{
    struct json_put j = {.f = s->f};
    bool json = format == GCNSIM_JSON;

    if (json)
        json_put(&j, "{profile: %s, instructions: [", s->profile ? s->profile->name : NULL);
    for (unsigned k = 0; k < s->meanings; k++) {
        if (!json && k)
            fputc('\n', s->f);
        if (json ? json_meaning(&j, s, &s->meaning[k], e) : text_meaning(s, &s->meaning[k], e))
            return -1;
    }
    if (json)
        json_put(&j, "\n]}\n");
    return 0;
}

/* The text into memory of its own. */
static int print_all(struct show *s, enum gcnsim_format format, char **text, struct err *e)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return err_set(e, ERR_NOMEM, "out of memory");
    s->f = t.f;
    int failed = print(s, format, e);
    char *all = text_stream_close(&t);
    if (!all)
        return err_set(e, ERR_NOMEM, "out of memory");
    if (failed)
        free(all);
    else
        *text = all;
    return failed;
}

int gcnsim_isa_show(const char *name, const char *target, const char *profile, enum gcnsim_format format, char **text,
                    struct gcnsim_error *error)
{
    struct err e = {0};
    struct profile *p = NULL;
    struct show *s = calloc(1, sizeof *s);
    char plain[80];
    int failed = 0;

    if (!s) {
        err_set(&e, ERR_NOMEM, "out of memory");
        return api_fail(error, &e);
    }
    if (profile)
        failed = profile_load(&p, profile, &e);
    if (!failed && p && target && strcmp(p->target, target) != 0)
        failed = err_set(&e, ERR_USAGE, "profile %s is for %s, not for %s", p->name, p->target, target);
    if (!failed && !open_targets(s, p ? p->target : target, &e))
        failed = -1;
    s->profile = p;
    if (!failed) {
        find_rows(s, name);
        if (!s->meanings && without_form(name, plain, sizeof plain))
            find_rows(s, plain);
        find_encodings(s);
        failed = s->meanings ? print_all(s, format, text, &e) : unknown(s, name, p ? p->target : target, &e);
    }
    for (unsigned k = 0; k < s->targets; k++)
        isa_target_close(s->target[k]);
    profile_free(p);
    free(s);
    return failed ? api_fail(error, &e) : GCNSIM_OK;
}
