/* Public API: results. The public struct is made from a struct report, whose strings and arrays it borrows. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/report/sequence.h"
#include "sim/util/nearest.h"

_Static_assert((int)GCNSIM_COMPLETED == ENGINE_DONE && (int)GCNSIM_FAULTED == ENGINE_FAULT &&
                   (int)GCNSIM_LIMIT == ENGINE_LIMIT && (int)GCNSIM_INTERRUPTED == ENGINE_INTERRUPTED,
               "gcnsim_outcome mirrors engine_outcome");

struct result {
    struct gcnsim_result pub; /* first: the public pointer is ours */
    struct report *report;    /* null: a result that has been shrunk ends after `row` */
    struct report_row row;
    struct api_views views;
    struct gcnsim_occupancy occupancy;
    struct gcnsim_fault fault;
    struct gcnsim_fidelity fidelity;
    struct gcnsim_estimate estimate;
};

static struct gcnsim_stat stat_of(const struct stat_row *row, bool present, double value)
{
    return (struct gcnsim_stat){.name = row->name,
                                .unit = row->unit,
                                .scope = row->scope,
                                .description = row->meaning,
                                .present = present,
                                .value = present ? value : 0};
}

int gcnsim_stat_info(uint32_t index, struct gcnsim_stat *stat)
{
    if (index >= STATS)
        return GCNSIM_ERROR_USAGE;
    *stat = stat_of(&stat_row[index], false, 0);
    return GCNSIM_OK;
}

int gcnsim_instruction_column(uint32_t index, struct gcnsim_stat *column)
{
    if (index >= STAT_INST_ALL)
        return GCNSIM_ERROR_USAGE;
    *column = stat_of(&stat_inst_row[index], false, 0);
    return GCNSIM_OK;
}

int gcnsim_instruction_find_column(const char *name, uint32_t *index)
{
    for (uint32_t k = 0; k < STAT_INST_ALL; k++)
        if (strcmp(stat_inst_row[k].name, name) == 0) {
            *index = k;
            return GCNSIM_OK;
        }
    return GCNSIM_ERROR_USAGE;
}

static bool make_stats(struct gcnsim_result *p, struct report *r)
{
    struct gcnsim_stat *s = ARENA_NEW(&r->arena, STATS, struct gcnsim_stat);

    for (unsigned k = 0; s && k < STATS; k++)
        s[k] = stat_of(&stat_row[k], r->present[k], r->value[k]);
    p->stats = s;
    p->stat_count = STATS;
    return s != NULL;
}

static bool make_evictions(struct gcnsim_result *p, struct report *r)
{
    struct gcnsim_eviction *e = ARENA_NEW(&r->arena, r->eviction_count + 1, struct gcnsim_eviction);

    for (size_t k = 0; e && k < r->eviction_count; k++) {
        const struct report_eviction *from = &r->evictions[k];
        e[k] = (struct gcnsim_eviction){from->cache, from->scope, from->hint, from->lines};
    }
    p->has_evictions = r->has_caches;
    p->evictions = e;
    p->eviction_count = r->eviction_count;
    return e != NULL;
}

static bool make_memory_instructions(struct gcnsim_result *p, struct report *r)
{
    size_t n = r->memory_inst_count;
    struct gcnsim_memory_instruction *m = ARENA_NEW(&r->arena, n + 1, struct gcnsim_memory_instruction);
    struct gcnsim_stat *s = ARENA_NEW(&r->arena, (n + 1) * STAT_INST_ROWS, struct gcnsim_stat);

    for (size_t k = 0; m && s && k < n; k++, s += STAT_INST_ROWS) {
        const struct report_memory_inst *from = &r->memory_inst[k];

        m[k] = (struct gcnsim_memory_instruction){from->pc, from->pc_offset, from->instruction, s, STAT_INST_ROWS};
        for (unsigned c = 0; c < STAT_INST_ROWS; c++)
            s[c] = stat_of(&stat_memory_inst_row[c], true, (double)from->stat[c]);
    }
    p->has_memory_instructions = r->has_memory_insts;
    p->memory_instructions = m;
    p->memory_instruction_count = n;
    p->memory_instructions_left_out = r->memory_insts_left_out;
    return m && s;
}

static bool make_instructions(struct gcnsim_result *p, struct report *r)
{
    struct gcnsim_instruction *i = ARENA_NEW(&r->arena, r->inst_count + 1, struct gcnsim_instruction);

    for (size_t k = 0; i && k < r->inst_count; k++) {
        const struct report_inst *from = &r->inst[k];

        i[k] = (struct gcnsim_instruction){from->pc, from->pc_offset, from->instruction, from->stat};
    }
    p->has_instructions = r->has_insts;
    p->instructions = i;
    p->instruction_count = r->inst_count;
    return i != NULL;
}

static struct gcnsim_fault fault_of(const struct report_fault *f)
{
    return (struct gcnsim_fault){.struct_bytes = sizeof(struct gcnsim_fault),
                                 .kind = f->kind,
                                 .pc = f->pc,
                                 .pc_offset = f->pc_offset,
                                 .instruction = f->instruction,
                                 .lane = f->lane,
                                 .address = f->address,
                                 .bytes = f->bytes,
                                 .write = f->write,
                                 .workgroup = {f->workgroup[0], f->workgroup[1], f->workgroup[2]},
                                 .wave = f->wave,
                                 .nearest = f->nearest,
                                 .message = f->message,
                                 .source = f->source};
}

static bool make_findings(struct gcnsim_result *p, struct report *r)
{
    struct gcnsim_finding *to = ARENA_NEW(&r->arena, r->finding_count + 1, struct gcnsim_finding);

    for (size_t k = 0; to && k < r->finding_count; k++) {
        const struct report_finding *f = &r->findings[k];

        to[k] = (struct gcnsim_finding){.rule = f->rule,
                                        .pc = f->pc,
                                        .pc_offset = f->pc_offset,
                                        .instruction = f->instruction,
                                        .lane = f->lane,
                                        .workgroup = {f->workgroup[0], f->workgroup[1], f->workgroup[2]},
                                        .wave = f->wave,
                                        .count = f->count,
                                        .message = f->message,
                                        .fix = f->fix,
                                        .source = f->source};
    }
    p->has_check = r->has_check;
    p->findings = to;
    p->finding_count = r->finding_count;
    p->check_left_out = r->check_left_out;
    return to != NULL;
}

static void make_head(struct gcnsim_result *p, const struct report *r)
{
    const struct report_run *run = &r->run;

    p->struct_bytes = sizeof *p;
    p->outcome = (enum gcnsim_outcome)r->outcome;
    p->message = r->message;
    p->target = r->target;
    p->profile = r->profile;
    p->engine = run->timing ? "timing" : "functional";
    p->kernel = run->kernel;
    memcpy(p->grid, run->grid, sizeof p->grid);
    memcpy(p->workgroup, r->workgroup, sizeof p->workgroup);
    p->workgroups = r->workgroups;
    p->waves = r->waves;
    p->overrides = run->overrides;
    p->override_count = run->override_count;
    p->code_sha256 = run->code_sha256;
    p->profile_sha256 = run->profile_sha256;
    p->command_line = run->command_line;
    p->host_threads = run->threads;
    p->host_seconds = run->seconds;
    p->wave_instructions_per_second = run->seconds > 0 ? r->value[STAT_INSTRUCTIONS] / run->seconds : 0;
}

static bool make_samples(struct gcnsim_result *p, struct report *r)
{
    const struct engine_samples *from = r->samples;
    struct gcnsim_samples *s = ARENA_NEW(&r->arena, 1, struct gcnsim_samples);
    struct gcnsim_series *series = ARENA_NEW(&r->arena, SAMPLES, struct gcnsim_series);
    double *values = ARENA_NEW(&r->arena, SAMPLES * from->count + 1, double);

    if (!s || !series || !values)
        return false;
    *s = (struct gcnsim_samples){
        sizeof *s, from->interval_cycles, from->first_cycles, from->last_cycles, from->count, series, 0};
    for (unsigned k = 0; k < SAMPLES; k++) {
        const struct sample_row *row = &sample_row[k];

        if (!from->present[k])
            continue;
        for (size_t n = 0; n < from->count; n++)
            values[n] = report_sample(from, n, k);
        series[s->series_count++] = (struct gcnsim_series){
            row->name, row->unit, row->scope, row->meaning, row->kind == SAMPLE_KIND_MEAN, values};
        values += from->count;
    }
    p->samples = s;
    return true;
}

static bool make_limiter(struct gcnsim_result *p, struct report *r)
{
    const struct report_limiter *from = &r->limiter;
    struct gcnsim_limiter *l = ARENA_NEW(&r->arena, 1, struct gcnsim_limiter);

    if (l)
        *l = (struct gcnsim_limiter){
            sizeof *l, report_limit_key[from->class], from->resource, from->share, from->verdict, from->within};
    p->limiter = l;
    return l != NULL;
}

static struct gcnsim_estimate estimate_of(const struct report *r)
{
    const struct engine_estimate *e = &r->estimate;

    _Static_assert((int)GCNSIM_ESTIMATE_MADE == ENGINE_ESTIMATE_MADE &&
                       (int)GCNSIM_ESTIMATE_PARTIAL == ENGINE_ESTIMATE_PARTIAL,
                   "gcnsim_estimate_kind mirrors engine_estimate_kind");
    return (struct gcnsim_estimate){.struct_bytes = sizeof(struct gcnsim_estimate),
                                    .kind = (enum gcnsim_estimate_kind)e->kind,
                                    .note = e->note,
                                    .detailed_workgroups = e->detailed_workgroups,
                                    .functional_workgroups = e->functional_workgroups,
                                    .skipped_workgroups = e->skipped_workgroups,
                                    .resident_workgroups = e->resident_workgroups,
                                    .stretches = e->stretches,
                                    .windows = e->windows,
                                    .cycles = e->cycles,
                                    .cycles_low = e->low,
                                    .cycles_high = e->high,
                                    .scale = e->scale,
                                    .unsafe = e->unsafe,
                                    .left_out_iterations = e->left_out_iterations};
}

struct gcnsim_result *api_result(struct report *report)
{
    struct result *r = report ? calloc(1, sizeof *r) : NULL;

    if (!r) {
        report_free(report);
        return NULL;
    }
    r->report = report;
    r->row = report_row_of(report);
    make_head(&r->pub, report);
    r->estimate = estimate_of(report);
    if (report->has_occupancy) {
        api_occupancy(&report->occupancy, report->occupancy_cus, &r->occupancy);
        r->pub.occupancy = &r->occupancy;
    }
    if (report->has_fault) {
        r->fault = fault_of(&report->fault);
        r->pub.fault = &r->fault;
    }
    if (!make_stats(&r->pub, report) || !make_evictions(&r->pub, report) ||
        !make_memory_instructions(&r->pub, report) || !make_instructions(&r->pub, report) ||
        !make_findings(&r->pub, report) || (report->samples && !make_samples(&r->pub, report)) ||
        (report->has_limiter && !make_limiter(&r->pub, report)) || !api_make_views(&r->views, report) ||
        !api_make_fidelity(&r->fidelity, report) ||
        (report->snapshot && !(r->pub.snapshot = api_snapshot(report->snapshot)))) {
        gcnsim_result_free(&r->pub);
        return NULL;
    }
    return &r->pub;
}

const struct report *api_report(const struct gcnsim_result *result)
{
    return ((const struct result *)result)->report;
}

const struct report_row *api_row(const struct gcnsim_result *result)
{
    return &((const struct result *)result)->row;
}

const struct gcnsim_fidelity *gcnsim_result_fidelity(const struct gcnsim_result *result)
{
    return &((const struct result *)result)->fidelity;
}

const struct gcnsim_estimate *gcnsim_result_estimate(const struct gcnsim_result *result)
{
    return api_report(result)->has_estimate ? &((const struct result *)result)->estimate : NULL;
}

int gcnsim_result_is_exact(const struct gcnsim_result *result, uint32_t index)
{
    return index < STATS && !report_is_estimate(api_report(result), index);
}

const struct gcnsim_visit *gcnsim_result_visits(const struct gcnsim_result *result, size_t *count)
{
    const struct report *r = api_report(result);

    _Static_assert(sizeof(struct gcnsim_visit) == sizeof(struct engine_visit) &&
                       offsetof(struct gcnsim_visit, executed) == offsetof(struct engine_visit, executed),
                   "gcnsim_visit mirrors engine_visit");
    *count = r->visits;
    return (const struct gcnsim_visit *)r->visit;
}

const struct api_views *api_views(const struct gcnsim_result *result)
{
    return &((const struct result *)result)->views;
}

void gcnsim_result_free(struct gcnsim_result *result)
{
    struct result *r = (struct result *)result;

    if (!r)
        return;
    report_free(r->report);
    free(r);
}

#define SHRUNK_BYTES offsetof(struct result, views)

/* The kernel's name lies after it. */
struct gcnsim_result *gcnsim_result_shrink(struct gcnsim_result *result)
{
    const struct result *r = (const struct result *)result;
    size_t name = strlen(r->row.kernel) + 1;
    struct result *to = r->report ? malloc(SHRUNK_BYTES + name) : NULL;

    if (!to)
        return result;
    memset(to, 0, SHRUNK_BYTES);
    to->row = r->row;
    to->row.kernel = to->pub.kernel = memcpy((char *)to + SHRUNK_BYTES, r->row.kernel, name);
    to->pub.struct_bytes = sizeof to->pub;
    to->pub.outcome = result->outcome;
    to->pub.has_check = result->has_check;
    to->pub.finding_count = result->finding_count;
    gcnsim_result_free(result);
    return &to->pub;
}

uint64_t gcnsim_result_bytes(const struct gcnsim_result *result)
{
    const struct result *r = (const struct result *)result;

    return r->report ? sizeof *r + report_bytes(r->report) : SHRUNK_BYTES + strlen(r->row.kernel) + 1;
}

int gcnsim_result_status(const struct gcnsim_result *result)
{
    static const int status[] = {[GCNSIM_COMPLETED] = GCNSIM_OK,
                                 [GCNSIM_FAULTED] = GCNSIM_ERROR_FAULT,
                                 [GCNSIM_LIMIT] = GCNSIM_ERROR_RUN_LIMIT,
                                 [GCNSIM_INTERRUPTED] = GCNSIM_ERROR_INTERRUPTED};

    return status[result->outcome];
}

static int find_stat(const struct gcnsim_stat *stats, size_t count, const char *name, double *value)
{
    for (size_t k = 0; k < count; k++)
        if (stats[k].present && strcmp(stats[k].name, name) == 0) {
            *value = stats[k].value;
            return GCNSIM_OK;
        }
    return GCNSIM_ERROR_USAGE;
}

int gcnsim_result_stat(const struct gcnsim_result *result, const char *name, double *value)
{
    return find_stat(result->stats, result->stat_count, name, value);
}

int gcnsim_memory_instruction_stat(const struct gcnsim_memory_instruction *instruction, const char *name, double *value)
{
    return find_stat(instruction->stats, instruction->stat_count, name, value);
}

/* ---- texts ---- */

int api_text(char *rendered, const char *kind, char **text, struct gcnsim_error *error)
{
    struct err e = {0};

    if (!rendered) {
        err_set(&e, ERR_NOMEM, "out of host memory for the %s", kind);
        return api_fail(error, &e);
    }
    *text = rendered;
    return GCNSIM_OK;
}

int gcnsim_result_json(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(report_write_json, api_report(result)), "report", text, error);
}

int gcnsim_result_text(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(report_write_text, api_report(result)), "report", text, error);
}

int gcnsim_check_sections(const char *sections, struct gcnsim_error *error)
{
    struct err e = {0};

    return report_check_sections(sections, &e) ? api_fail(error, &e) : GCNSIM_OK;
}

int gcnsim_result_show(const struct gcnsim_result *result, const char *sections, char **text,
                       struct gcnsim_error *error)
{
    struct report_sections s = {api_report(result), sections};
    struct err e = {0};

    if (report_check_sections(sections, &e))
        return api_fail(error, &e);
    return api_text(report_render_plain(report_write_sections, &s), "report", text, error);
}

const char *gcnsim_report_section(size_t index, const char **about)
{
    return report_section(index, about);
}

int gcnsim_result_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(report_write_csv, api_report(result)), "report", text, error);
}

static void write_string(FILE *f, const void *text)
{
    json_put(&(struct json_put){.f = f}, "%s", (const char *)text);
}

int gcnsim_json_string(const char *text, char **json, struct gcnsim_error *error)
{
    return api_text(report_render(write_string, text), "text", json, error);
}

size_t gcnsim_nearest_name(const char *wanted, const char *const *names, size_t count)
{
    unsigned least = UINT_MAX;
    size_t best = count;

    for (size_t k = 0; k < count; k++) {
        unsigned d = nearest_distance(wanted, names[k]);

        if (d < least && nearest_is_near(wanted, names[k], d)) {
            least = d;
            best = k;
        }
    }
    return best;
}
