/* Two measured runs side by side: the text, JSON and CSV of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/csv_put.h"
#include "sim/util/json_put.h"
#include "sim/util/plain.h"
#include "traces/diff/diff.h"

enum { TEXT_COLUMNS = 28 };

static const char *kind_of(const struct measured *m)
{
    return m->kind == MEASURED_REPORT ? "report of gcnsim"
           : m->kind == MEASURED_CSV  ? "statistics"
           : m->generator             ? "thread trace of gcnsim"
                                      : "thread trace";
}

/* A number in at most `width` columns: whole where it is one, else with as many digits as are of use. */
static void put_number(FILE *f, int width, bool known, double v)
{
    if (!known)
        fprintf(f, " %*s", width, "-");
    else if (fabs(v) >= 1e9)
        fprintf(f, " %*.4g", width, v);
    else if (v == floor(v) || fabs(v) >= 1000)
        fprintf(f, " %*.0f", width, v);
    else
        fprintf(f, " %*.*f", width, fabs(v) >= 100 ? 1 : 2, v);
}

static void put_percent(FILE *f, int width, double a, double b)
{
    double p = (b - a) / a * 100;

    if (a == 0 || !isfinite(p))
        fprintf(f, " %*s", width, a == b ? "0.0 %" : "-");
    else if (fabs(p) >= 1e5)
        fprintf(f, " %+*.1e %%", width - 2, p);
    else
        fprintf(f, " %+*.1f %%", width - 2, p);
}

/* Text for people: at most `columns`, without what a terminal obeys, filled up with blanks. */
static void put_text(FILE *f, const char *text, size_t columns)
{
    size_t length = strlen(text), n = length > columns && columns > 2 ? columns - 2 : length;
    char *copy = strndup(text, n);

    fprintf(f, "%s%s", copy ? plain_text(copy, 0) : "?", n < length ? ".." : "");
    free(copy);
    for (size_t k = length; k < columns; k++)
        fputc(' ', f);
}

static void put_run(FILE *f, const char *letter, const struct measured *m)
{
    fprintf(f, "%s  ", letter);
    put_text(f, m->path ? m->path : "?", strlen(m->path ? m->path : "?"));
    fprintf(f, " (%s", kind_of(m));
    if (m->kernel) {
        fputs(", ", f);
        put_text(f, m->kernel, strlen(m->kernel) < 60 ? strlen(m->kernel) : 60);
    }
    fputs(")\n", f);
}

static void put_figures(FILE *f, const struct diff *d)
{
    fputs("\nFigures                  A            B   difference\n", f);
    for (unsigned k = 0; k < DIFF_FIGURE_COUNT; k++) {
        bool a = d->known[k][0], b = d->known[k][1];

        if (!a && !b)
            continue;
        fprintf(f, "  %-13s", diff_figure[k].name);
        put_number(f, 11, a, d->figure[k][0]);
        put_number(f, 12, b, d->figure[k][1]);
        put_number(f, 12, a && b, d->figure[k][1] - d->figure[k][0]);
        if (a && b)
            put_percent(f, 10, d->figure[k][0], d->figure[k][1]);
        else
            fprintf(f, " %10s", "");
        fprintf(f, "  %s\n", diff_figure[k].about);
    }
}

static void put_side(FILE *f, int width, const struct diff_row *r, double a, double b)
{
    put_number(f, width, r->a != NULL, a);
    put_number(f, width, r->b != NULL, b);
}

static void put_row(FILE *f, const struct diff_row *r)
{
    const struct measured_row *m = r->a ? r->a : r->b;
    double cost = r->of_b.latency + r->of_b.idle - r->of_a.latency - r->of_a.idle;

    fprintf(f, "%7" PRIx64 "%c ", m->vaddr, !r->a ? '+' : !r->b ? '-' : r->by_address ? ' ' : '~');
    put_text(f, m->text, TEXT_COLUMNS);
    put_number(f, 9, true, cost);
    put_side(f, 6, r, r->of_a.hits, r->of_b.hits);
    put_side(f, 8, r, r->of_a.latency, r->of_b.latency);
    put_side(f, 8, r, r->of_a.stall, r->of_b.stall);
    put_side(f, 7, r, r->of_a.idle, r->of_b.idle);
    fputc('\n', f);
}

void diff_text(FILE *f, const struct diff *d, size_t top)
{
    static const char *const per[] = {"", "", ", per wave", ", per execution"};

    put_run(f, "A", d->a);
    put_run(f, "B", d->b);
    if (d->a->has_gfx && d->b->has_gfx && d->a->vega != d->b->vega)
        fputs("   latencies of one end with the issue, those of the other with the execution\n", f);
    put_figures(f, d);
    fprintf(f, "\nInstructions%s: %zu by address, %zu by text (~), %zu in A alone (-), %zu in B alone (+)\n",
            per[d->per], d->by_address, d->by_text, d->only_a, d->only_b);
    fprintf(f, "%7s  %-*s %9s %13s %17s %17s %15s\n", "", TEXT_COLUMNS, "", "latency+", "hits", "latency", "stall",
            "idle");
    fprintf(f, "%7s  %-*s %9s %6s %6s %8s %8s %8s %8s %7s %7s\n", "address", TEXT_COLUMNS, "instruction", "idle, B-A",
            "A", "B", "A", "B", "A", "B", "A", "B");
    for (size_t k = 0; k < d->rows && k < top; k++)
        put_row(f, &d->row[k]);
    if (d->rows > top)
        fprintf(f, "%zu more\n", d->rows - top);
}

/* ---- JSON ---- */

static void json_run(struct json_put *j, const char *letter, const struct measured *m)
{
    json_put(j, "%s: {path: %s, kind: %s, kernel: %s}", letter, m->path, kind_of(m), m->kernel);
}

static void json_side(struct json_put *j, const char *letter, const struct measured_row *r, const struct diff_values *v)
{
    if (r)
        json_put(j,
                 "%s: {vaddr: %" PRIu64 ", instruction: %s, source: %s, hits: %.17g, latency: %.17g, stall: %.17g, "
                 "idle: %.17g}",
                 letter, r->vaddr, r->text, *r->source ? r->source : NULL, v->hits, v->latency, v->stall, v->idle);
    else
        json_put(j, "%s: null", letter);
}

void diff_json(FILE *f, const struct diff *d, size_t top)
{
    struct json_put j = {.f = f};

    json_put(&j, "{\n");
    json_run(&j, "a", d->a);
    json_run(&j, "b", d->b);
    json_put(&j, "per: %s, instructions_by: {address: %zu, text: %zu, only_a: %zu, only_b: %zu}, figures: {\n",
             diff_per_key[d->per], d->by_address, d->by_text, d->only_a, d->only_b);
    for (unsigned k = 0; k < DIFF_FIGURE_COUNT; k++) {
        json_put(&j, "%s: {unit: %s", diff_figure[k].name, diff_figure[k].unit);
        json_put(&j, d->known[k][0] ? "a: %.17g" : "a: null", d->figure[k][0]);
        json_put(&j, d->known[k][1] ? "b: %.17g}" : "b: null}", d->figure[k][1]);
    }
    json_put(&j, "}, instructions: [\n");
    for (size_t k = 0; k < d->rows && k < top; k++) {
        json_put(&j, "{");
        json_side(&j, "a", d->row[k].a, &d->row[k].of_a);
        json_side(&j, "b", d->row[k].b, &d->row[k].of_b);
        json_put(&j, "}");
    }
    json_put(&j, "]}\n");
}

/* ---- CSV ---- */

static void csv_side(FILE *f, const struct measured_row *r, const struct diff_values *v)
{
    if (r)
        fprintf(f, ",%.17g,%.17g,%.17g,%.17g", v->hits, v->latency, v->stall, v->idle);
    else
        fputs(",,,,", f);
}

void diff_csv(FILE *f, const struct diff *d, size_t top)
{
    fputs("VaddrA,VaddrB,Instruction,HitcountA,LatencyA,StallA,IdleA,HitcountB,LatencyB,StallB,IdleB,Source\n", f);
    for (size_t k = 0; k < d->rows && k < top; k++) {
        const struct diff_row *r = &d->row[k];
        const struct measured_row *m = r->a ? r->a : r->b;

        if (r->a)
            fprintf(f, "%" PRIu64, r->a->vaddr);
        fputc(',', f);
        if (r->b)
            fprintf(f, "%" PRIu64, r->b->vaddr);
        fputc(',', f);
        csv_put_field(f, m->text);
        csv_side(f, r->a, &r->of_a);
        csv_side(f, r->b, &r->of_b);
        fputc(',', f);
        csv_put_field(f, m->source);
        fputc('\n', f);
    }
}
