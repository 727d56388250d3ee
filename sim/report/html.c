/* The page of a run and the page that lists dispatches: the data that they show, put into their templates. */
#include "sim/report/html.h"

#include <inttypes.h>
#include <stdlib.h>

#define HTML_SCHEMA 1

/* JSON inside a script element: "</script>" and "<!--" must not be in it, and '<' is in strings alone. */
static void put_json(FILE *f, const char *json)
{
    for (const char *p = json; *p; p++)
        if (*p == '<')
            fputs("\\u003c", f);
        else
            fputc(*p, f);
}

static void put_page(FILE *f, const struct html_template *t, void (*writer)(FILE *f, const void *what),
                     const void *what)
{
    char *json = report_render(writer, what);

    fputs(t->before, f);
    if (json)
        put_json(f, json);
    fputs(t->after, f);
    free(json);
}

/* ---- tables ---- */

static void put_row(FILE *f, const char *name, const char *unit, const char *meaning, bool first)
{
    fputs(first ? "[" : ",\n[", f);
    report_json_string(f, name);
    fputc(',', f);
    report_json_string(f, unit);
    fputc(',', f);
    report_json_string(f, meaning);
    fputc(']', f);
}

static void put_rows(FILE *f, const char *key, const struct stat_row *row, unsigned count)
{
    fprintf(f, ",\"%s\":[", key);
    for (unsigned k = 0; k < count; k++)
        put_row(f, row[k].name, row[k].unit, row[k].meaning, k == 0);
    fputc(']', f);
}

static void put_series(FILE *f)
{
    fputs(",\"samples\":[", f);
    for (unsigned k = 0; k < SAMPLES; k++)
        put_row(f, sample_row[k].name, sample_row[k].unit, sample_row[k].meaning, k == 0);
    fputc(']', f);
}

/* Categories of stall reasons, in the order of the page's colours, and what each reason is, with its category's number.
 */
static void put_stalls(FILE *f)
{
    fputs(",\"categories\":[", f);
    for (unsigned k = 0; k < STALL_CATEGORIES; k++) {
        fprintf(f, "%s{\"waits\":%s,\"name\":", k ? ",\n" : "", timing_stall_category[k].waits ? "true" : "false");
        report_json_string(f, timing_stall_category[k].name);
        fputs(",\"about\":", f);
        report_json_string(f, timing_stall_category[k].about);
        fputc('}', f);
    }
    fputs("],\"stalls\":{", f);
    for (unsigned k = 0; k < STALL_COUNT; k++) {
        fprintf(f, "%s\"%s\":[", k ? ",\n" : "", timing_stall_key[k]);
        report_json_string(f, stat_row[STAT_STALL + k].meaning);
        fputc(',', f);
        report_json_string(f, timing_stall_remedy[k]);
        fprintf(f, ",%u]", timing_stall_row[k].category);
    }
    fputc('}', f);
}

static void put_words(FILE *f)
{
    static const char *const level[][2] = {
#define X(E, KEY, ABOUT) {KEY, ABOUT},
        CACHE_LEVELS(X)
#undef X
    };

    put_stalls(f);
    fputs(",\"levels\":{", f);
    for (size_t k = 0; k < sizeof level / sizeof level[0]; k++) {
        fprintf(f, "%s\"%s\":", k ? "," : "", level[k][0]);
        report_json_string(f, level[k][1]);
    }
    fputc('}', f);
}

/* ---- chip ---- */

static void put_level(FILE *f, const struct profile_cache *c, const char *key, bool first)
{
    fprintf(f,
            "%s\"%s\":{\"bytes\":%" PRIu32 ",\"line_bytes\":%" PRIu32 ",\"ways\":%" PRIu32
            ",\"latency_cycles\":%" PRIu32 ",\"channels\":%" PRIu32 ",\"bytes_per_cycle\":%.6g,\"mshrs\":%" PRIu32
            ",\"shared_by_cus\":%" PRIu32 ",\"serves_k\":%s,\"serves_i\":%s}",
            first ? "" : ",", key, c->size_bytes, c->line_bytes, c->ways, c->hit_latency_cycles, c->channels,
            c->bytes_per_cycle, c->mshrs, c->shared_by_cus, c->serves_scalar ? "true" : "false",
            c->serves_instructions ? "true" : "false");
}

/* Operations per cycle of the whole chip when every SIMD issues multiply-adds alone; packed ones where they are for all
 * chips of today. */
static void put_rates(FILE *f, const struct report_chip *c)
{
    static const struct {
        const char *type;
        enum op_class cls;
        unsigned elements;
    } rates[] = {{"f64", OPC_F64_MUL, 1}, {"f32", OPC_FMA32, 1}, {"f16", OPC_VALU, 2}};
    const char *comma = "";

    fputs(",\"valu_flops_per_cycle\":{", f);
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        const struct profile_class_cost *cost = &c->cls[rates[k].cls];
        uint32_t cycles = c->wave_size == 32 ? cost->issue_cycles_w32 : cost->issue_cycles_w64;

        if (!cycles)
            continue;
        fprintf(f, "%s\"%s\":%.6g", comma, rates[k].type,
                2.0 * rates[k].elements * c->wave_size / cycles * c->gpu.cus * c->cu.simds);
        comma = ",";
    }
    fputc('}', f);
}

static void put_chip(FILE *f, const struct report *r)
{
    const struct report_chip *c = &r->chip;
    bool first = true;

    if (!r->has_chip) {
        fputs(",\n\"chip\":null", f);
        return;
    }
    fputs(",\n\"chip\":{\"name\":", f);
    report_json_string(f, c->name);
    fprintf(f,
            ",\"clock_mhz\":%.6g,\"shader_engines\":%" PRIu32 ",\"cus\":%" PRIu32 ",\"xcds\":%" PRIu32
            ",\"cus_per_wgp\":%" PRIu32 ",\"simds\":%" PRIu32 ",\"wave_slots_per_simd\":%" PRIu32
            ",\"vgprs_per_simd\":%" PRIu32 ",\"sgprs_per_simd\":%" PRIu32 ",\"lds_bytes\":%" PRIu32
            ",\"lds_per_wgp\":%s,\"lds_bytes_per_cycle\":%" PRIu32 ",\"lds_ports\":%" PRIu32,
            c->gpu.shader_clock_mhz, c->gpu.shader_engines, c->gpu.cus, c->gpu.xcds, c->gpu.cus_per_wgp, c->cu.simds,
            c->cu.wave_slots_per_simd, c->vgprs_per_simd, c->cu.sgprs_per_simd, c->cu.lds_bytes,
            c->cu.lds_per_wgp ? "true" : "false", c->cu.lds_bytes_per_cycle,
            c->cu.simds_per_lds_port ? c->gpu.cus * c->cu.simds / c->cu.simds_per_lds_port : 0);
    put_rates(f, c);
    fprintf(
        f, ",\"wave_size\":%" PRIu32 ",\"dram\":{\"latency_cycles\":%" PRIu32 ",\"bytes_per_cycle\":%.6g},\"levels\":{",
        c->wave_size, c->dram.latency_cycles, c->dram.bytes_per_cycle);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (c->cache[k].present) {
            put_level(f, &c->cache[k], cache_level_key[k], first);
            first = false;
        }
    fputs("}}", f);
}

/* ---- the page ---- */

static void put_launch(FILE *f, const struct report_html *h, const struct report_html_launch *l)
{
    struct report totals = *l->report; /* its instructions stand in `code`, packed: a tenth of the size */

    totals.has_insts = false;
    totals.code = NULL;
    fputs("{\"name\":", f);
    report_json_string(f, l->name);
    fputs(",\n\"report\":", f);
    report_write_json(f, &totals);
    put_chip(f, l->report);
    fputs(",\n\"code\":", f);
    if (l->report->has_insts)
        html_code(f, l->report, !h->no_sources);
    else
        fputs("null", f);
    fputc('}', f);
}

static void put_data(FILE *f, const void *html)
{
    const struct report_html *h = html;

    fprintf(f, "{\"schema\":%d,\"gcnsim\":\"%s\"", HTML_SCHEMA, GCNSIM_VERSION);
    put_rows(f, "stats", stat_row, STATS);
    put_rows(f, "columns", stat_inst_row, STAT_INST_ALL);
    put_series(f);
    put_words(f);
    fputs(",\"index\":", f);
    report_json_string(f, h->index);
    fprintf(f, ",\"explain\":%s,\"launches\":[", h->explain ? h->explain : "null");
    for (size_t k = 0; k < h->launches; k++) {
        fputs(k ? ",\n" : "", f);
        put_launch(f, h, &h->launch[k]);
    }
    fputs("]}\n", f);
}

void report_write_html(FILE *f, const void *html)
{
    put_page(f, &html_page_template, put_data, html);
}

/* ---- the list of dispatches ---- */

static void put_dispatch(FILE *f, const struct report_html_dispatch *d)
{
    fprintf(f, "[%" PRIu64 ",", d->number);
    report_json_string(f, d->kernel);
    fputc(',', f);
    report_json_string(f, d->target);
    fputc(',', f);
    report_json_string(f, d->engine);
    fputc(',', f);
    report_json_string(f, d->outcome);
    fprintf(f, ",[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],%.3f,%.3f,", d->grid[0],
            d->grid[1], d->grid[2], d->workgroup[0], d->workgroup[1], d->workgroup[2], d->start_us, d->duration_us);
    if (d->cycles >= 0)
        fprintf(f, "%.0f,", d->cycles);
    else
        fputs("null,", f);
    report_json_string(f, d->page);
    fputc(']', f);
}

static void put_index(FILE *f, const void *index)
{
    const struct report_html_index *x = index;

    fprintf(f, "{\"schema\":%d,\"gcnsim\":\"%s\",\"title\":", HTML_SCHEMA, GCNSIM_VERSION);
    report_json_string(f, x->title);
    fprintf(f, ",\"left_out\":%" PRIu64 ",\"dispatches\":[", x->left_out);
    for (size_t k = 0; k < x->dispatches; k++) {
        fputs(k ? ",\n" : "\n", f);
        put_dispatch(f, &x->dispatch[k]);
    }
    fputs("]}\n", f);
}

void report_write_html_index(FILE *f, const void *index)
{
    put_page(f, &html_index_template, put_index, index);
}
