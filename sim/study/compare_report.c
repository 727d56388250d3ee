/* Comparisons side by side, as text and JSON. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"

enum { NAME_COLUMNS = 20, COLUMNS = 15, ABREAST = 4 };

/* Below this a count is noise of the differences, and two times are the same when they are so near. */
static const double least_count = 0.02, same_share = 0.005;

/* ---- text ---- */

/* One block: the columns of up to ABREAST entries. */
struct block {
    FILE *f;
    const struct gcnsim_comparison *c;
    size_t from, to;
};

static void row_name(const struct block *b, const char *name)
{
    fprintf(b->f, "%-*.*s", NAME_COLUMNS, NAME_COLUMNS, name);
}

static void cell(const struct block *b, const char *text)
{
    fprintf(b->f, " %*.*s", COLUMNS - 1, COLUMNS - 1, text);
}

static void cell_number(const struct block *b, double v, const char *unit)
{
    char text[40];

    snprintf(text, sizeof text, "%.2f%s", v > -least_count && v < least_count ? 0.0 : v, unit);
    cell(b, text);
}

static void cell_whole(const struct block *b, uint32_t v)
{
    char text[16];

    snprintf(text, sizeof text, "%" PRIu32, v);
    cell(b, text);
}

static void row_whole(const struct block *b, const char *name, size_t offset)
{
    row_name(b, name);
    for (size_t k = b->from; k < b->to; k++)
        cell_whole(b, *(const uint32_t *)((const char *)&b->c->entries[k] + offset));
    fputc('\n', b->f);
}

#define ROW_WHOLE(B, NAME, FIELD) row_whole((B), (NAME), offsetof(struct gcnsim_compare_entry, FIELD))

/* The end of a path says more than its beginning. */
static void head(const struct block *b)
{
    row_name(b, "");
    for (size_t k = b->from; k < b->to; k++) {
        const char *label = b->c->entries[k].label;
        size_t n = strlen(label);
        cell(b, n > COLUMNS - 1 ? label + n - (COLUMNS - 1) : label);
    }
    fputc('\n', b->f);
}

static void code_rows(const struct block *b)
{
    bool agprs = false;

    ROW_WHOLE(b, "bytes", bytes);
    ROW_WHOLE(b, "instructions", instructions);
    ROW_WHOLE(b, "VGPRs named", vgprs);
    for (size_t k = b->from; k < b->to; k++)
        agprs = agprs || b->c->entries[k].agprs;
    if (agprs)
        ROW_WHOLE(b, "AccVGPRs named", agprs);
    ROW_WHOLE(b, "SGPRs named", sgprs);
    row_name(b, "I$ footprint");
    for (size_t k = b->from; k < b->to; k++) {
        const struct gcnsim_compare_entry *e = &b->c->entries[k];
        char text[40];
        snprintf(text, sizeof text, "%" PRIu32 " x %" PRIu32 " B", e->icache_lines, e->icache_line_bytes);
        cell(b, text);
    }
    fputc('\n', b->f);
    ROW_WHOLE(b, "waves/SIMD", waves_per_simd);
    row_name(b, "  limited by");
    for (size_t k = b->from; k < b->to; k++)
        cell(b, b->c->entries[k].limiter);
    fputc('\n', b->f);
}

/* Rows of a list of counts, those that are zero everywhere left out. All entries have the same names in one order. */
static void count_rows(const struct block *b, bool issues, bool full)
{
    const struct gcnsim_compare_entry *first = &b->c->entries[0];
    size_t n = issues ? first->issue_count : first->stall_count;

    for (size_t i = 0; i < n; i++) {
        bool any = false;
        double v[ABREAST];
        for (size_t k = b->from; k < b->to; k++) {
            const struct gcnsim_compare_entry *e = &b->c->entries[k];
            const struct gcnsim_compare_count *list = issues ? e->issues : e->stalls;
            v[k - b->from] = full ? list[i].full : list[i].one_wave;
            any = any || v[k - b->from] >= least_count || v[k - b->from] <= -least_count;
        }
        if (!any)
            continue;
        fprintf(b->f, "  %-*.*s", NAME_COLUMNS - 2, NAME_COLUMNS - 2, (issues ? first->issues : first->stalls)[i].name);
        for (size_t k = b->from; k < b->to; k++)
            cell_number(b, v[k - b->from], "");
        fputc('\n', b->f);
    }
}

static double cycles_of(const struct gcnsim_compare_entry *e, bool full)
{
    return full ? e->throughput_cycles : e->latency_cycles;
}

static bool same(double a, double b)
{
    return a <= b * (1 + same_share) && b <= a * (1 + same_share);
}

/* What an entry takes with so many waves; null: not that many fit. */
static const struct gcnsim_compare_point *point_of(const struct gcnsim_compare_entry *e, uint32_t waves)
{
    for (size_t p = 0; p < e->point_count; p++)
        if (e->points[p].waves_per_simd == waves)
            return &e->points[p];
    return NULL;
}

/* Whether the rows of two numbers of waves say the same. */
static bool same_rows(const struct block *b, uint32_t waves, uint32_t others)
{
    for (size_t k = b->from; k < b->to; k++) {
        const struct gcnsim_compare_point *p = point_of(&b->c->entries[k], waves),
                                          *q = point_of(&b->c->entries[k], others);

        if (!p != !q || (p && !same(p->cycles, q->cycles)))
            return false;
    }
    return true;
}

/* Neighbouring numbers of waves with the same cycles are one row. */
static void wave_rows(const struct block *b)
{
    uint32_t most = 0, last;
    char name[40];

    fputs("cycles per SIMD, by waves/SIMD\n", b->f);
    for (size_t k = b->from; k < b->to; k++)
        most = b->c->entries[k].waves_per_simd > most ? b->c->entries[k].waves_per_simd : most;
    for (uint32_t w = 1; w <= most; w = last + 1) {
        for (last = w; last < most && same_rows(b, w, last + 1);)
            last++;
        snprintf(name, sizeof name, last > w ? "  %" PRIu32 " to %" PRIu32 : "  %" PRIu32, w, last);
        row_name(b, name);
        for (size_t k = b->from; k < b->to; k++) {
            const struct gcnsim_compare_point *p = point_of(&b->c->entries[k], w);

            if (p)
                cell_number(b, p->cycles, "");
            else
                cell(b, "-");
        }
        fputc('\n', b->f);
    }
}

static void cycle_rows(const struct block *b)
{
    fputs("cycles per iteration\n", b->f);
    for (int full = 0; full < 2; full++) {
        row_name(b, full ? "  full, per SIMD" : "  one wave");
        for (size_t k = b->from; k < b->to; k++)
            cell_number(b, cycles_of(&b->c->entries[k], full), "");
        fputc('\n', b->f);
        row_name(b, "    rate to first");
        for (size_t k = b->from; k < b->to; k++) {
            double own = cycles_of(&b->c->entries[k], full);
            if (own > 0)
                cell_number(b, cycles_of(&b->c->entries[0], full) / own, "x");
            else
                cell(b, "-");
        }
        fputc('\n', b->f);
    }
    wave_rows(b);
}

/* "x and y win with 8.00 cycles; z takes 3.00 times as many" */
static void verdict(FILE *f, const struct gcnsim_comparison *c, bool full)
{
    double best = cycles_of(&c->entries[0], full);
    size_t winners = 0, named = 0;

    for (size_t k = 1; k < c->entry_count; k++)
        if (cycles_of(&c->entries[k], full) < best)
            best = cycles_of(&c->entries[k], full);
    for (size_t k = 0; k < c->entry_count; k++)
        winners += same(cycles_of(&c->entries[k], full), best);
    fputs(full ? "throughput  " : "latency     ", f);
    if (winners == c->entry_count) {
        fprintf(f, "the same: %.2f cycles\n", best);
        return;
    }
    for (size_t k = 0; k < c->entry_count; k++)
        if (same(cycles_of(&c->entries[k], full), best))
            fprintf(f, "%s%s", named++ ? ", " : "", c->entries[k].label);
    fprintf(f, "%s with %.2f cycles\n", winners > 1 ? " win" : " wins", best);
    for (size_t k = 0; k < c->entry_count; k++)
        if (!same(cycles_of(&c->entries[k], full), best) && best > 0)
            fprintf(f, "            %s takes %.2f times as many\n", c->entries[k].label,
                    cycles_of(&c->entries[k], full) / best);
}

static void write_text(FILE *f, const void *comparison)
{
    const struct gcnsim_comparison *c = comparison;
    fprintf(f, "%s (%s), %s of %" PRIu32 " SIMDs\n", c->profile, c->target,
            c->cus > 1 ? "one workgroup processor" : "one compute unit", c->simds);
    for (size_t from = 0; from < c->entry_count; from += ABREAST) {
        struct block b = {f, c, from, from + ABREAST < c->entry_count ? from + ABREAST : c->entry_count};

        fputc('\n', f);
        head(&b);
        code_rows(&b);
        cycle_rows(&b);
        fputs("issues per iteration\n", f);
        count_rows(&b, true, true);
        fputs("wave-cycles per iteration, one wave\n", f);
        count_rows(&b, false, false);
        fputs("wave-cycles per iteration, full\n", f);
        count_rows(&b, false, true);
    }
    if (c->entry_count > 1) {
        fputc('\n', f);
        verdict(f, c, false);
        verdict(f, c, true);
    }
    for (size_t k = 0; k < c->entry_count; k++)
        if (c->entries[k].undelayed)
            fprintf(f,
                    "\nnote        %s has no s_delay_alu: what awaits a result there does so in\n"
                    "            the queue of the vector ALU, and other waves wait behind it\n",
                    c->entries[k].label);
}

/* ---- JSON ---- */

static void json_counts(struct json_put *j, const char *key, const struct gcnsim_compare_count *list, size_t n)
{
    json_put(j, "%s: {\n", key);
    for (size_t k = 0; k < n; k++)
        json_put(j, "%s: {one_wave: %.4f, full: %.4f}", list[k].name, list[k].one_wave, list[k].full);
    json_put(j, "}");
}

static void json_entry(struct json_put *j, const struct gcnsim_compare_entry *e)
{
    json_put(
        j,
        "{\n label: %s, kernel: %s, bytes: %" PRIu32 ", instructions: %" PRIu32 ", vgprs: %" PRIu32 ", agprs: %" PRIu32
        ", sgprs: %" PRIu32 ", wave_size: %" PRIu32 ", icache_line_bytes: %" PRIu32 ", icache_lines: %" PRIu32
        ", waves_per_simd: %" PRIu32 ", limiter: %s, latency_cycles: %.4f, throughput_cycles: %.4f, by_waves: [\n",
        e->label, e->kernel, e->bytes, e->instructions, e->vgprs, e->agprs, e->sgprs, e->wave_size,
        e->icache_line_bytes, e->icache_lines, e->waves_per_simd, e->limiter, e->latency_cycles, e->throughput_cycles);
    for (size_t k = 0; k < e->point_count; k++)
        json_put(j, "{waves_per_simd: %" PRIu32 ", cycles: %.4f}", e->points[k].waves_per_simd, e->points[k].cycles);
    json_put(j, "]");
    json_counts(j, "issues", e->issues, e->issue_count);
    json_counts(j, "stall_cycles", e->stalls, e->stall_count);
    json_put(j, "undelayed: %hhd}", e->undelayed);
}

static void write_json(FILE *f, const void *comparison)
{
    const struct gcnsim_comparison *c = comparison;
    struct json_put j = {.f = f};

    json_put(&j, "{\n profile: %s, target: %s, cus: %" PRIu32 ", simds: %" PRIu32 ", entries: [\n", c->profile,
             c->target, c->cus, c->simds);
    for (size_t k = 0; k < c->entry_count; k++)
        json_entry(&j, &c->entries[k]);
    json_put(&j, "]}\n");
}

int gcnsim_comparison_text(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(write_text, c), "comparison", text, error);
}

int gcnsim_comparison_json(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_json, c), "comparison", text, error);
}
