/* The page of a run and the page that lists dispatches: the data that they show, put into their templates. */
#include "sim/report/html.h"

#include <inttypes.h>
#include <stdlib.h>

#define HTML_SCHEMA 1

static void put_page(FILE *f, const struct html_template *t, void (*writer)(FILE *f, const void *what),
                     const void *what)
{
    char *json = report_render(writer, what);

    fputs(t->before, f);
    if (json)
        json_put_script(f, json);
    fputs(t->after, f);
    free(json);
}

/* ---- tables ---- */

static void put_rows(struct json_put *j, const char *key, const struct stat_row *row, unsigned count)
{
    json_put(j, "%s: [\n", key);
    for (unsigned k = 0; k < count; k++)
        json_put(j, "[%s, %s, %s]", row[k].name, row[k].unit, row[k].meaning);
    json_put(j, "]");
}

static void put_series(struct json_put *j)
{
    json_put(j, "samples: [\n");
    for (unsigned k = 0; k < SAMPLES; k++)
        json_put(j, "[%s, %s, %s]", sample_row[k].name, sample_row[k].unit, sample_row[k].meaning);
    json_put(j, "]");
}

/* Categories of stall reasons, in the order of the page's colours, and what each reason is, with its category's number.
 */
static void put_stalls(struct json_put *j)
{
    json_put(j, "categories: [\n");
    for (unsigned k = 0; k < STALL_CATEGORIES; k++)
        json_put(j, "{waits: %hhd, name: %s, about: %s}", timing_stall_category[k].waits, timing_stall_category[k].name,
                 timing_stall_category[k].about);
    json_put(j, "], stalls: {\n");
    for (unsigned k = 0; k < STALL_COUNT; k++)
        json_put(j, "%s: [%s, %s, %u]", timing_stall_key[k], stat_row[STAT_STALL + k].meaning, timing_stall_remedy[k],
                 timing_stall_row[k].category);
    json_put(j, "}");
}

static void put_words(struct json_put *j)
{
    static const char *const level[][2] = {
#define X(E, KEY, ABOUT) {KEY, ABOUT},
        CACHE_LEVELS(X)
#undef X
    };

    put_stalls(j);
    json_put(j, "levels: {");
    for (size_t k = 0; k < sizeof level / sizeof level[0]; k++)
        json_put(j, "%s: %s", level[k][0], level[k][1]);
    json_put(j, "}");
}

/* ---- chip ---- */

static void put_level(struct json_put *j, const struct profile_cache *c, const char *key)
{
    json_put(j,
             "%s: {bytes: %" PRIu32 ", line_bytes: %" PRIu32 ", ways: %" PRIu32 ", latency_cycles: %" PRIu32
             ", channels: %" PRIu32 ", bytes_per_cycle: %.6g, mshrs: %" PRIu32 ", shared_by_cus: %" PRIu32
             ", serves_k: %hhd, serves_i: %hhd}",
             key, c->size_bytes, c->line_bytes, c->ways, c->hit_latency_cycles, c->channels, c->bytes_per_cycle,
             c->mshrs, c->shared_by_cus, c->serves_scalar, c->serves_instructions);
}

/* Operations per cycle of the whole chip when every SIMD issues multiply-adds alone; packed ones where they are for all
 * chips of today. */
static void put_rates(struct json_put *j, const struct report_chip *c)
{
    static const struct {
        const char *type;
        enum op_class cls;
        unsigned elements;
    } rates[] = {{"f64", OPC_F64_MUL, 1}, {"f32", OPC_FMA32, 1}, {"f16", OPC_VALU, 2}};

    json_put(j, "valu_flops_per_cycle: {");
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        const struct profile_class_cost *cost = &c->cls[rates[k].cls];
        uint32_t cycles = c->wave_size == 32 ? cost->issue_cycles_w32 : cost->issue_cycles_w64;

        if (cycles)
            json_put(j, "%s: %.6g", rates[k].type,
                     2.0 * rates[k].elements * c->wave_size / cycles * c->gpu.cus * c->cu.simds);
    }
    json_put(j, "}");
}

static void put_chip(struct json_put *j, const struct report *r)
{
    const struct report_chip *c = &r->chip;

    if (!r->has_chip) {
        json_put(j, "\nchip: null");
        return;
    }
    json_put(j,
             "\nchip: {name: %s, clock_mhz: %.6g, shader_engines: %" PRIu32 ", cus: %" PRIu32 ", xcds: %" PRIu32
             ", cus_per_wgp: %" PRIu32 ", simds: %" PRIu32 ", wave_slots_per_simd: %" PRIu32
             ", vgprs_per_simd: %" PRIu32 ", sgprs_per_simd: %" PRIu32 ", lds_bytes: %" PRIu32
             ", lds_per_wgp: %hhd, lds_bytes_per_cycle: %" PRIu32 ", lds_ports: %" PRIu32,
             c->name, c->gpu.shader_clock_mhz, c->gpu.shader_engines, c->gpu.cus, c->gpu.xcds, c->gpu.cus_per_wgp,
             c->cu.simds, c->cu.wave_slots_per_simd, c->vgprs_per_simd, c->cu.sgprs_per_simd, c->cu.lds_bytes,
             c->cu.lds_per_wgp, c->cu.lds_bytes_per_cycle,
             c->cu.simds_per_lds_port ? c->gpu.cus * c->cu.simds / c->cu.simds_per_lds_port : 0);
    put_rates(j, c);
    json_put(j, "wave_size: %" PRIu32 ", dram: {latency_cycles: %" PRIu32 ", bytes_per_cycle: %.6g}, levels: {",
             c->wave_size, c->dram.latency_cycles, c->dram.bytes_per_cycle);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (c->cache[k].present)
            put_level(j, &c->cache[k], cache_level_key[k]);
    json_put(j, "}}");
}

/* ---- the page ---- */

static void put_launch(struct json_put *j, const struct report_html *h, const struct report_html_launch *l)
{
    struct report totals = *l->report; /* its instructions stand in `code`, packed: a tenth of the size */

    totals.has_insts = false;
    totals.code = NULL;
    json_put(j, "{name: %s,\nreport:", l->name);
    report_write_json(json_put_raw(j), &totals);
    put_chip(j, l->report);
    json_put(j, "\ncode:");
    if (l->report->has_insts)
        html_code(j, l->report, !h->no_sources);
    else
        json_put(j, "null");
    json_put(j, "}");
}

static void put_data(FILE *f, const void *html)
{
    const struct report_html *h = html;
    struct json_put j = {.f = f, .compact = true};

    json_put(&j, "{schema: %d, gcnsim: %s", HTML_SCHEMA, GCNSIM_VERSION);
    put_rows(&j, "stats", stat_row, STATS);
    put_rows(&j, "columns", stat_inst_row, STAT_INST_ALL);
    put_series(&j);
    put_words(&j);
    json_put(&j, "index: %s, explain:", h->index);
    fputs(h->explain ? h->explain : "null", json_put_raw(&j));
    json_put(&j, "launches: [\n");
    for (size_t k = 0; k < h->launches; k++)
        put_launch(&j, h, &h->launch[k]);
    json_put(&j, "]}\n");
}

void report_write_html(FILE *f, const void *html)
{
    put_page(f, &html_page_template, put_data, html);
}

/* ---- the list of dispatches ---- */

static void put_dispatch(struct json_put *j, const struct report_html_dispatch *d)
{
    json_put(j, "\n[%" PRIu64 ", %s, %s, %s, %s, [%u, %u, %u], [%u, %u, %u], %.3f, %.3f", d->number, d->kernel,
             d->target, d->engine, d->outcome, d->grid[0], d->grid[1], d->grid[2], d->workgroup[0], d->workgroup[1],
             d->workgroup[2], d->start_us, d->duration_us);
    json_put(j, d->cycles >= 0 ? "%.0f" : "null", d->cycles);
    json_put(j, d->gap_us >= 0 ? "%.3f" : "null", d->gap_us);
    json_put(j, "%s]", d->page);
}

static void put_index(FILE *f, const void *index)
{
    const struct report_html_index *x = index;
    struct json_put j = {.f = f, .compact = true};

    json_put(&j, "{schema: %d, gcnsim: %s, title: %s, left_out: %" PRIu64 ", dispatches: [", HTML_SCHEMA,
             GCNSIM_VERSION, x->title, x->left_out);
    for (size_t k = 0; k < x->dispatches; k++)
        put_dispatch(&j, &x->dispatch[k]);
    json_put(&j, "]}\n");
}

void report_write_html_index(FILE *f, const void *index)
{
    put_page(f, &html_index_template, put_index, index);
}
