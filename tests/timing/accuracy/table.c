/* Runs the rows of make accuracy on their profiles and prints the tables of simulated beside documented figures. */
#include "tests/timing/accuracy/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const unit_name[] = {[UNIT_CYCLES] = "cycles", [UNIT_NS] = "ns", [UNIT_PER_CYCLE] = "/cycle",
                                        [UNIT_TBPS] = "TB/s",     [UNIT_KB] = "KB", [UNIT_PERCENT] = "%"};

/* ---- running ---- */

static bool add_line(struct acc_result *r, const struct acc_row *row, const char *profile, double v, const char *error)
{
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct acc_line *line = realloc(r->line, room * sizeof *line);

        if (!line)
            return false;
        r->line = line;
        r->room = room;
    }
    struct acc_line *l = &r->line[r->count++];
    l->row = row;
    l->simulated = v;
    snprintf(l->profile, sizeof l->profile, "%s", profile);
    snprintf(l->error, sizeof l->error, "%.190s", error);
    return true;
}

/* One profile after the other, as each is opened anew; in the table rows keep their order. */
static bool run_row(struct bench *b, const struct acc_row *row, const char *only, struct acc_result *out)
{
    char names[256], *save = NULL;

    snprintf(names, sizeof names, "%s", row->profiles);
    for (char *p = strtok_r(names, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
        if (only && strcmp(only, p))
            continue;
        double v = acc_profile(b, p) ? acc_measure(b, row) : NAN;

        if (!add_line(out, row, p, v, isnan(v) ? b->error : ""))
            return false;
    }
    return true;
}

bool acc_run(struct bench *b, const struct acc_section *s, unsigned flags, const char *only, struct acc_result *out)
{
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < s->count; k++)
        if ((!flags || s->rows[k].flags & flags) && !run_row(b, &s->rows[k], only, out))
            return false;
    return true;
}

void acc_result_free(struct acc_result *r)
{
    free(r->line);
    memset(r, 0, sizeof *r);
}

/* ---- sums ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void acc_summarize(const struct acc_result *const *results, size_t count, struct acc_summary *out)
{
    size_t all = 0, n = 0;
    double sum = 0, *error;

    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < count; k++)
        all += results[k]->count;
    error = calloc(all + 1, sizeof *error);
    if (!error)
        return;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < results[k]->count; i++) {
            const struct acc_line *l = &results[k]->line[i];

            if (isnan(l->simulated)) {
                out->failed++;
                continue;
            }
            error[n] = fabs(acc_error(l->row, l->simulated));
            out->exact += error[n] < 0.05;
            sum += error[n++];
        }
    qsort(error, n, sizeof *error, compare_doubles);
    out->rows = (unsigned)n;
    out->mean = n ? sum / (double)n : 0;
    out->median = n ? (error[(n - 1) / 2] + error[n / 2]) / 2 : 0;
    out->worst = n ? error[n - 1] : 0;
    free(error);
}

/* ---- printing ---- */

/* Three significant digits where there is a fraction. */
static const char *number(char *text, size_t size, double v)
{
    if (fabs(v - nearbyint(v)) < 5e-4 * fabs(v) + 1e-9 || fabs(v) >= 1000)
        snprintf(text, size, "%.0f", v);
    else
        snprintf(text, size, "%.*f", fabs(v) < 10 ? 2 : 1, v);
    return text;
}

static void print_line(FILE *f, const struct acc_line *l)
{
    char lo[32], hi[32], sim[32], doc[72], simulated[48], error[24];

    number(lo, sizeof lo, l->row->lo);
    if (l->row->lo < l->row->hi)
        snprintf(doc, sizeof doc, "%s to %s %s", lo, number(hi, sizeof hi, l->row->hi), unit_name[l->row->unit]);
    else
        snprintf(doc, sizeof doc, "%s %s", lo, unit_name[l->row->unit]);
    if (isnan(l->simulated)) {
        snprintf(simulated, sizeof simulated, "failed");
        snprintf(error, sizeof error, "-");
    } else {
        double e = acc_error(l->row, l->simulated);

        snprintf(simulated, sizeof simulated, "%s", number(sim, sizeof sim, l->simulated));
        snprintf(error, sizeof error, fabs(e) < 0.05 ? "0" : "%+.1f%%", e);
    }
    fprintf(f, "| %-46s | %-17s | %18s | %-11s | %c | %9s | %7s |\n", l->row->what, l->profile, doc, l->row->source,
            l->row->confidence, simulated, error);
    if (l->error[0])
        fprintf(f, "| %s |||||||\n", l->error);
}

void acc_print_section(FILE *f, const struct acc_section *s, const struct acc_result *r)
{
    struct acc_summary sum;

    fprintf(f, "### %s\n\n", s->title);
    fprintf(f, "| %-46s | %-17s | %18s | %-11s | C | simulated | error   |\n", "what", "profile", "documented",
            "source");
    fprintf(f, "|%.48s|%.19s|%.19s:|%.13s|---|----------:|--------:|\n",
            "------------------------------------------------", "-------------------", "-------------------",
            "-------------");
    for (size_t k = 0; k < r->count; k++)
        print_line(f, &r->line[k]);
    acc_summarize(&r, 1, &sum);
    fprintf(f, "\n%u rows, %u without error; mean error %.1f%%, median %.1f%%, worst %.0f%%", sum.rows, sum.exact,
            sum.mean, sum.median, sum.worst);
    if (sum.failed)
        fprintf(f, "; %u could not be measured", sum.failed);
    fprintf(f, "\n\n");
}

void acc_print_totals(FILE *f, const struct acc_section *const *sections, const struct acc_result *results,
                      size_t count)
{
    const struct acc_result *all[16];
    struct acc_summary sum;

    fprintf(f, "| %-32s | %5s | %13s | %10s | %12s | %6s |\n", "section", "rows", "without error", "mean error",
            "median error", "worst");
    fprintf(f, "|%.34s|------:|--------------:|-----------:|-------------:|-------:|\n",
            "----------------------------------");
    for (size_t k = 0; k <= count && k < 16; k++) {
        if (k < count)
            all[k] = &results[k];
        acc_summarize(k < count ? &all[k] : all, k < count ? 1 : count, &sum);
        fprintf(f, "| %-32s | %5u | %13u | %9.1f%% | %11.1f%% | %5.0f%% |\n", k < count ? sections[k]->title : "all",
                sum.rows, sum.exact, sum.mean, sum.median, sum.worst);
    }
    fputc('\n', f);
}
