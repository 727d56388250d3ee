/* What is known of the results and the timing of code or of a run, for people and as JSON. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table/list.h"
#include "sim/report/fidelity.h"
#include "sim/report/report.h"

#define SUMMARY_COLUMNS 80
#define SUMMARY_NAMES   3

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
    if (f->called)
        fprintf(out, ", %s called function%s included", report_grouped(f->called, number), f->called == 1 ? "" : "s");
    if (f->unresolved)
        fprintf(out, "\n  calls        %s to where the code does not say: not included",
                report_grouped(f->unresolved, number));
    fputs("\n  semantics    ", out);
    for (unsigned s = FIDELITY_SEMANTICS; s-- > 0;)
        if (f->of_semantics[s])
            put_share(out, &before, fidelity_semantics_key[s], f->of_semantics[s], f->total);
    if (f->undecodable)
        put_share(out, &before, "no instruction", f->undecodable, f->total);
    if (!*before)
        fputc('-', out);
    if (f->of_semantics[FIDELITY_EXACT]) {
        fputs("\n  exact        ", out);
        before = "";
        if (f->exact_measured)
            put_share(out, &before, "as measured", f->exact_measured, f->total);
        if (f->of_semantics[FIDELITY_EXACT] > f->exact_measured)
            put_share(out, &before, "as the manual says", f->of_semantics[FIDELITY_EXACT] - f->exact_measured,
                      f->total);
    }
    fputs("\n  timing       ", out);
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

        bool approximate = e->semantics == FIDELITY_APPROXIMATE,
             measured = e->semantics == FIDELITY_EXACT && e->measured;
        snprintf(semantics, sizeof semantics, "%s%s%s", fidelity_semantics_key[e->semantics],
                 approximate || measured ? ", " : "",
                 approximate ? isa_bound_text(e->ulp, bound)
                 : measured  ? "as measured"
                             : "");
        fprintf(out, "  %-34s %7s  %-22s ", e->mnemonic, report_grouped(e->count, number), semantics);
        if (e->figure)
            fprintf(out, "%-11s %s\n", fidelity_timing_key(e->timing), e->figure);
        else
            fputs("-\n", out);
    }
}

static void json_entry(struct json_put *j, const struct fidelity_entry *e)
{
    json_put(j, "{mnemonic: %s, class: %s, count: %" PRIu64 ", semantics: %s", e->mnemonic, op_class_key[e->cls],
             e->count, fidelity_semantics_key[e->semantics]);
    json_put(j, e->semantics == FIDELITY_UNSUPPORTED || e->ulp == ISA_NO_BOUND ? "ulp: null" : "ulp: %g",
             (double)e->ulp);
    json_put(j, "measured: %hhd, timing: %s, figure: %s}", e->measured, fidelity_timing_key(e->timing), e->figure);
}

static void json_cycles(struct json_put *j, const struct fidelity *f)
{
    if (!f->cycles) {
        json_put(j, "cycles: null");
        return;
    }
    json_put(j, "cycles: {\n wave_cycles: %.0f, shares: {", f->cycles);
    for (unsigned t = 0; t < FIDELITY_TIMINGS; t++)
        json_put(j, "%s: %.6g", fidelity_timing_key(t), f->cycles_of[t] / f->cycles);
    json_put(j, "}, figures: [\n");
    for (size_t k = 0; k < f->figures; k++)
        json_put(j, "{figure: %s, timing: %s, share: %.6g}", f->figure[k].path,
                 fidelity_timing_key(f->figure[k].timing), f->figure[k].cycles / f->cycles);
    json_put(j, "]}");
}

void fidelity_json(struct json_put *j, const struct fidelity *f, const char *name)
{
    const uint64_t *measured = fidelity_exact_measured(f);

    json_put(j, "{\n name: %s, profile: %s, instructions: %" PRIu64 ", undecodable: %" PRIu64 ", semantics: {", name,
             f->profile_name, f->total, f->undecodable);
    for (unsigned s = 0; s < FIDELITY_SEMANTICS; s++)
        json_put(j, "%s: %" PRIu64, fidelity_semantics_key[s], f->of_semantics[s]);
    json_put(j, "}");
    json_put(j,
             measured ? "exact: {as_measured: %" PRIu64 ", as_the_manual_says: %" PRIu64 "}, timing:"
                      : "exact: null, timing:",
             measured ? *measured : 0, measured ? f->of_semantics[FIDELITY_EXACT] - *measured : 0);
    json_put(j, f->profile_name ? "{" : "null");
    for (unsigned t = 0; f->profile_name && t < FIDELITY_TIMINGS; t++)
        json_put(j, "%s: %" PRIu64, fidelity_timing_key(t), f->of_timing[t]);
    if (f->profile_name)
        json_put(j, "}");
    if (f->of_run)
        json_cycles(j, f);
    else
        json_put(j, "called_functions: %" PRIu64 ", unresolved_calls: %" PRIu64, f->called, f->unresolved);
    json_put(j, "by_instruction: [\n");
    for (size_t k = 0; k < f->count; k++)
        json_entry(j, &f->entry[k]);
    json_put(j, "]}");
}

/* ---- a few lines ---- */

/* Neither is said of what is not nothing and not all. */
static const char *percent(double part, double whole, char out[16])
{
    double p = 100 * part / whole;

    if (part > 0 && p < 0.05)
        return "<0.1%";
    if (part < whole && p >= 99.95)
        return ">99.9%";
    snprintf(out, 16, "%.1f%%", p);
    return out;
}

/* One paragraph. Not from the heap: who asks for a report has no other way to learn that a part of it is missing. */
struct line {
    char text[1024]; /* a few names each */
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *o, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    int n = vsnprintf(o->text + o->used, sizeof o->text - o->used, format, ap);
    va_end(ap);
    if (n > 0)
        o->used = o->used + (size_t)n < sizeof o->text ? o->used + (size_t)n : sizeof o->text - 1;
}

/* Approximate instructions by what is known of their errors. */
enum errors { ERRORS_ULP, ERRORS_RELATIVE, ERRORS_UNKNOWN, ERRORS };

static enum errors errors_of(const struct fidelity_entry *e)
{
    return e->ulp == ISA_NO_BOUND ? ERRORS_UNKNOWN : isa_bound_is_coarse(e->ulp) ? ERRORS_RELATIVE : ERRORS_ULP;
}

/* The names of approximate instructions, those executed most first. */
static void put_names(struct line *out, const struct fidelity *f, enum errors errors)
{
    const struct fidelity_entry *last = NULL;
    unsigned names = 0, all = 0;

    for (size_t k = 0; k < f->count; k++)
        all += f->entry[k].semantics == FIDELITY_APPROXIMATE && errors_of(&f->entry[k]) == errors;
    while (names < SUMMARY_NAMES && names < all) {
        const struct fidelity_entry *next = NULL;

        for (size_t k = 0; k < f->count; k++) {
            const struct fidelity_entry *e = &f->entry[k];

            if (e->semantics != FIDELITY_APPROXIMATE || errors_of(e) != errors ||
                (last && (e->count > last->count || (e->count == last->count && e <= last))))
                continue;
            if (!next || e->count > next->count)
                next = e;
        }
        put(out, "%s%s", names++ ? ", " : " (", next->mnemonic);
        last = next;
    }
    if (all > names)
        put(out, " and %u more", all - names);
    put(out, "%s", all ? ")" : "");
}

static void put_results(struct line *out, const struct fidelity *f)
{
    uint64_t count[ERRORS] = {[ERRORS_UNKNOWN] = f->unnamed};
    float bound[ERRORS] = {0};
    char number[16], text[40];

    for (size_t k = 0; k < f->count; k++) {
        const struct fidelity_entry *e = &f->entry[k];

        if (e->semantics != FIDELITY_APPROXIMATE)
            continue;
        count[errors_of(e)] += e->count;
        if (e->ulp > bound[errors_of(e)])
            bound[errors_of(e)] = e->ulp;
    }
    if (!f->total) {
        put(out, "%s", "no instruction executed");
        return;
    }
    if (f->of_semantics[FIDELITY_EXACT] == f->total)
        put(out, "%s", "all instructions exact");
    else
        put(out, "%s of instructions exact",
            percent((double)f->of_semantics[FIDELITY_EXACT], (double)f->total, number));
    for (unsigned k = 0; k < ERRORS; k++) {
        if (!count[k])
            continue;
        put(out, ", %s ", percent((double)count[k], (double)f->total, number));
        if (k == ERRORS_UNKNOWN)
            put(out, "%s", "approximate without a bound");
        else
            put(out, "within %s", isa_bound_words(bound[k], text));
        put_names(out, f, (enum errors)k);
    }
}

static const struct {
    uint8_t timing;
    const char *word;
} words[] = {{CONF_MEASURED, "measured"},
             {CONF_DOCUMENTED, "documented"},
             {CONF_INFERRED, "inferred"},
             {CONF_GUESS, "guessed"},
             {CONF_WHAT_IF, "what-if"}};

static void put_timing(struct line *out, const struct fidelity *f)
{
    char number[16];
    unsigned n = 0;

    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        double cycles = f->cycles_of[words[k].timing];

        if (cycles > 0 && n++)
            put(out, ", %s %s", percent(cycles, f->cycles, number), words[k].word);
        else if (cycles > 0)
            put(out, "%s of wave-cycles rest on %s figures", percent(cycles, f->cycles, number), words[k].word);
    }
    if (f->cycles_of[FIDELITY_NO_FIGURE] > 0)
        put(out, n ? ", %s on no figure" : "%s of wave-cycles rest on no figure",
            percent(f->cycles_of[FIDELITY_NO_FIGURE], f->cycles, number));
}

/* The figures, of those that claim least and carry enough to be seen, that carry most. False: there are none. */
static bool put_least_sure(struct line *out, const struct fidelity *f)
{
    const double enough = 0.0005 * f->cycles;
    char number[16];
    size_t first = 0, k;

    while (first < f->figures && f->figure[first].cycles < enough)
        first++;
    for (k = first; k < f->figures && k < first + SUMMARY_NAMES; k++) {
        const struct fidelity_figure *g = &f->figure[k];

        if (g->timing != f->figure[first].timing || g->cycles < enough)
            break;
        put(out, k > first ? ", %s %s" : "%s %s", g->path, percent(g->cycles, f->cycles, number));
    }
    if (k > first)
        put(out, " (%s)", fidelity_timing_key(f->figure[first].timing));
    return k > first;
}

void fidelity_summary(FILE *out, const struct fidelity *f)
{
    struct line line = {{0}, 0};

    put_results(&line, f);
    report_wrapped(out, "  results       ", SUMMARY_COLUMNS, line.text, "");
    if (!f->cycles)
        return;
    line = (struct line){{0}, 0};
    put_timing(&line, f);
    report_wrapped(out, "  timing        ", SUMMARY_COLUMNS, line.text, "");
    line = (struct line){{0}, 0};
    if (put_least_sure(&line, f))
        report_wrapped(out, "  least sure    ", SUMMARY_COLUMNS, line.text, "");
}

void fidelity_first_lines(FILE *out, const struct fidelity *f)
{
    struct line line = {{0}, 0};

    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        double share = f->cycles ? 100 * f->cycles_of[words[k].timing] / f->cycles : 0;

        if (share > 0)
            put(&line, share < 1 ? "%s%s < 1 %%" : "%s%s %.0f %%", line.used ? ", " : "",
                fidelity_timing_key(words[k].timing), share);
    }
    if (line.used) {
        put(&line, "%s", " of cycles");
        report_wrapped(out, "confidence ", SUMMARY_COLUMNS, line.text, "");
    }
    if (f->cycles && f->of_semantics[FIDELITY_EXACT] == f->total)
        return;
    line = (struct line){{0}, 0};
    put_results(&line, f);
    report_wrapped(out, "results    ", SUMMARY_COLUMNS, line.text, "");
}
