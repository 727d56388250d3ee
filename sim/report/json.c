/* A report as one JSON object. Names of statistics are paths in it: "cache.l2.misses" is misses in l2 in cache. Parts
 * that a run does not have are null. */
#include <inttypes.h>
#include <string.h>

#include "sim/report/annotate.h"
#include "sim/report/limiter.h"
#include "sim/report/report.h"

static void json_text(FILE *f, const char *key, const char *value)
{
    fprintf(f, "  \"%s\": ", key);
    report_json_string(f, value);
    fputs(",\n", f);
}

/* ---- statistics ---- */

/* Objects that are open below the top one, and whether one has a member yet. */
struct nest {
    FILE *f;
    const char *path; /* of a member of the innermost object */
    unsigned depth;
    bool empty;
};

/* Ends what stands before a member, and indents it. The first statistic stands at the beginning of a line. */
static void nest_indent(struct nest *n)
{
    if (n->path || n->depth || !n->empty)
        fputs(n->empty ? "\n" : ",\n", n->f);
    fprintf(n->f, "%*s", (int)(2 * n->depth + 2), "");
}

static void nest_close(struct nest *n, unsigned depth)
{
    while (n->depth > depth) {
        fprintf(n->f, "\n%*s}", (int)(2 * n->depth), "");
        n->depth--;
        n->empty = false;
    }
}

/* Components that two dotted names share from the beginning, the last one of either aside. */
static unsigned shared(const char *a, const char *b)
{
    unsigned n = 0;

    for (; *a && *a == *b; a++, b++)
        n += *a == '.';
    return n;
}

static void nest_value(struct nest *n, const char *path, const char *format, double value)
{
    nest_close(n, n->path ? shared(n->path, path) : 0);
    const char *key = path;
    for (unsigned k = 0; k < n->depth; k++)
        key = strchr(key, '.') + 1;
    for (const char *dot; (dot = strchr(key, '.')); key = dot + 1) {
        nest_indent(n);
        fprintf(n->f, "\"%.*s\": {", (int)(dot - key), key);
        n->depth++;
        n->empty = true;
    }
    nest_indent(n);
    fprintf(n->f, "\"%s\": ", key);
    fprintf(n->f, format, value);
    n->path = path;
    n->empty = false;
}

/* Rows from `from` on whose names begin alike, and whether the run has one of them. */
static unsigned part_end(const struct report *r, unsigned from, bool *any)
{
    const char *name = stat_row[from].name, *dot = strchr(name, '.');
    unsigned k = from;

    *any = false;
    do
        *any = *any || r->present[k];
    while (++k < STATS && dot && strncmp(stat_row[k].name, name, (size_t)(dot + 1 - name)) == 0);
    return k;
}

static void json_statistics(FILE *f, const struct report *r)
{
    struct nest n = {.f = f, .empty = true};

    for (unsigned k = 0, end; k < STATS; k = end) {
        const char *name = stat_row[k].name;
        bool any;

        end = part_end(r, k, &any);
        if (!any) {
            nest_close(&n, 0);
            nest_indent(&n);
            fprintf(f, "\"%.*s\": null", (int)strcspn(name, "."), name);
            n.path = NULL;
            n.empty = false;
        }
        for (unsigned s = k; any && s < end; s++)
            if (r->present[s])
                nest_value(&n, stat_row[s].name, stat_row[s].kind == STAT_KIND_RATIO ? "%.6g" : "%.0f", r->value[s]);
    }
    nest_close(&n, 0);
    fputs(",\n", f);
}

/* ---- the other parts ---- */

static void json_head(FILE *f, const struct report *r)
{
    const struct report_run *run = &r->run;

    json_text(f, "outcome", report_outcome_key(r));
    json_text(f, "message", *r->message ? r->message : NULL);
    json_text(f, "target", r->target);
    json_text(f, "profile", r->profile);
    json_text(f, "engine", run->timing ? "timing" : "functional");
    json_text(f, "kernel", run->kernel);
    json_text(f, "kernel_demangled", run->plain);
    fprintf(f,
            "  \"grid\": [%u, %u, %u],\n  \"workgroup\": [%u, %u, %u],\n  \"workgroups\": %" PRIu64
            ",\n  \"waves\": %" PRIu64 ",\n",
            run->grid[0], run->grid[1], run->grid[2], r->workgroup[0], r->workgroup[1], r->workgroup[2], r->workgroups,
            r->waves);
}

static void json_provenance(FILE *f, const struct report_run *run)
{
    fprintf(f, "  \"provenance\": {\n    \"gcnsim\": \"%s\",\n    \"report_schema\": %d,\n    \"overrides\": [",
            GCNSIM_VERSION, REPORT_SCHEMA);
    for (size_t k = 0; k < run->override_count; k++) {
        fputs(k ? ", " : "", f);
        report_json_string(f, run->overrides[k]);
    }
    fputs("],\n    \"code_sha256\": ", f);
    report_json_string(f, run->code_sha256);
    fputs(",\n    \"profile_sha256\": ", f);
    report_json_string(f, *run->profile_sha256 ? run->profile_sha256 : NULL);
    fputs("\n  },\n", f);
}

static void json_occupancy(FILE *f, const struct report *r)
{
    const struct launch_occupancy *o = &r->occupancy;

    if (!r->has_occupancy) {
        fputs("  \"occupancy\": null,\n", f);
        return;
    }
    fprintf(f,
            "  \"occupancy\": {\n    \"waves_per_simd\": %u,\n    \"limiter\": \"%s\",\n    \"workgroups_per_cu\": %u,"
            "\n    \"cus\": %u,\n    \"waves_per_workgroup\": %u,\n    \"vgprs\": %u,\n    \"agprs\": %u,\n"
            "    \"sgprs\": %u,\n    \"lds_bytes\": %u\n  },\n",
            o->waves_per_simd, o->limiter, o->groups_per_cu, r->occupancy_cus, o->waves_per_group, o->vgpr_alloc,
            o->agpr_alloc, o->sgpr_alloc, o->lds_alloc_bytes);
}

static void json_evictions(FILE *f, const struct report *r)
{
    if (!r->has_caches) {
        fputs("  \"evictions_by_hint\": null,\n", f);
        return;
    }
    fputs("  \"evictions_by_hint\": [", f);
    for (size_t k = 0; k < r->eviction_count; k++) {
        const struct report_eviction *e = &r->evictions[k];
        fprintf(f, "%s\n    {\"cache\": \"%s\", \"scope\": \"%s\", \"hint\": \"%s\", \"lines\": %" PRIu64 "}",
                k ? "," : "", e->cache, e->scope, e->hint, e->lines);
    }
    fputs(r->eviction_count ? "\n  ],\n" : "],\n", f);
}

static void json_memory_insts(FILE *f, const struct report *r)
{
    if (!r->has_memory_insts) {
        fputs("  \"memory_instructions\": null,\n", f);
        return;
    }
    fputs("  \"memory_instructions\": [", f);
    for (size_t k = 0; k < r->memory_inst_count; k++) {
        const struct report_memory_inst *m = &r->memory_inst[k];

        fprintf(f, "%s\n    {\n      \"pc\": \"0x%" PRIx64 "\",\n      \"pc_offset\": \"0x%" PRIx64 "\"", k ? "," : "",
                m->pc, m->pc_offset);
        fputs(",\n      \"instruction\": ", f);
        report_json_string(f, m->instruction);
        for (unsigned s = 0; s < STAT_INST_ROWS; s++)
            fprintf(f, ",\n      \"%s\": %" PRIu64, stat_memory_inst_row[s].name, m->stat[s]);
        fprintf(f, ",\n      \"lines_per_access\": %.6g\n    }",
                m->stat[STAT_INST_COUNT] ? (double)m->stat[STAT_INST_LINES] / (double)m->stat[STAT_INST_COUNT] : 0);
    }
    fprintf(f, "%s],\n  \"memory_instructions_left_out\": %" PRIu64 ",\n", r->memory_inst_count ? "\n  " : "",
            r->memory_insts_left_out);
}

static void json_fault(FILE *f, const struct report *r)
{
    const struct report_fault *t = &r->fault;

    if (!r->has_fault) {
        fputs("  \"fault\": null,\n", f);
        return;
    }
    fprintf(f, "  \"fault\": {\n    \"kind\": \"%s\",\n    \"pc\": \"0x%" PRIx64 "\",\n    \"pc_offset\": ", t->kind,
            t->pc);
    if (t->pc_offset != UINT64_MAX)
        fprintf(f, "\"0x%" PRIx64 "\",\n", t->pc_offset);
    else
        fputs("null,\n", f);
    fputs("    \"instruction\": ", f);
    report_json_string(f, *t->instruction ? t->instruction : NULL);
    fputs(",\n    \"source\": ", f);
    report_json_string(f, t->source);
    fputs(",\n    \"frames\": ", f);
    report_json_frames(f, t->frame, t->frames);
    fprintf(f, ",\n    \"workgroup\": [%u, %u, %u],\n    \"wave\": %u,\n", t->workgroup[0], t->workgroup[1],
            t->workgroup[2], t->wave);
    if (t->lane >= 0)
        fprintf(f, "    \"lane\": %d,\n", t->lane);
    else
        fputs("    \"lane\": null,\n", f);
    if (*t->nearest)
        fprintf(f, "    \"address\": \"0x%" PRIx64 "\",\n    \"bytes\": %u,\n    \"write\": %s,\n", t->address,
                t->bytes, t->write ? "true" : "false");
    else
        fputs("    \"address\": null,\n    \"bytes\": null,\n    \"write\": null,\n", f);
    fputs("    \"nearest\": ", f);
    report_json_string(f, *t->nearest ? t->nearest : NULL);
    fputs(",\n    \"message\": ", f);
    report_json_string(f, t->message);
    fputs("\n  },\n", f);
}

static void finding_text(FILE *f, const char *key, const char *value, const char *end)
{
    fprintf(f, "      \"%s\": ", key);
    report_json_string(f, value);
    fputs(end, f);
}

/* The key is there when checking was asked for, or something was found all the same. */
static void json_check(FILE *f, const struct report *r)
{
    if (!r->has_check && !r->finding_count)
        return;
    fputs("  \"check\": [", f);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct report_finding *n = &r->findings[k];

        fputs(k ? ",\n    {\n" : "\n    {\n", f);
        finding_text(f, "rule", n->rule, ",\n");
        fprintf(f, "      \"pc\": \"0x%" PRIx64 "\",\n      \"pc_offset\": \"0x%" PRIx64 "\",\n", n->pc, n->pc_offset);
        finding_text(f, "instruction", n->instruction, ",\n");
        finding_text(f, "source", n->source, ",\n      \"frames\": ");
        report_json_frames(f, n->frame, n->frames);
        fputs(",\n", f);
        if (n->lane >= 0)
            fprintf(f, "      \"lane\": %d,\n", n->lane);
        else
            fputs("      \"lane\": null,\n", f);
        fprintf(f, "      \"workgroup\": [%u, %u, %u],\n      \"wave\": %u,\n      \"count\": %" PRIu64 ",\n",
                n->workgroup[0], n->workgroup[1], n->workgroup[2], n->wave, n->count);
        finding_text(f, "message", n->message, ",\n");
        finding_text(f, "fix", n->fix, "\n    }");
    }
    fputs(r->finding_count ? "\n  ],\n" : "],\n", f);
    if (r->check_left_out) {
        fputs("  \"check_left_out\": ", f);
        report_json_string(f, r->check_left_out);
        fputs(",\n", f);
    }
}

static void json_host(FILE *f, const struct report *r)
{
    const struct report_run *run = &r->run;

    fputs("  \"host\": {\n    \"command_line\": ", f);
    report_json_string(f, run->command_line);
    fprintf(f, ",\n    \"threads\": %u,\n    \"seconds\": %.6f,\n    \"wave_instructions_per_second\": %.0f\n  }\n",
            run->threads, run->seconds, run->seconds > 0 ? r->value[STAT_INSTRUCTIONS] / run->seconds : 0);
}

void report_write_json(FILE *f, const void *report)
{
    const struct report *r = report;

    fputs("{\n", f);
    json_head(f, r);
    if (r->has_estimate) {
        fputs("  \"estimate\": ", f);
        report_estimate_json(f, r);
        fputs(",\n", f);
    }
    fputs("  \"limiter\": ", f);
    report_limiter_json(f, r->has_limiter ? &r->limiter : NULL);
    fputs(",\n", f);
    json_provenance(f, &r->run);
    json_statistics(f, r);
    json_evictions(f, r);
    json_occupancy(f, r);
    json_memory_insts(f, r);
    report_json_code(f, r);
    fputs("  \"fidelity\": ", f);
    fidelity_json(f, &r->fidelity, r->run.kernel, 4);
    fputs(",\n", f);
    json_fault(f, r);
    if (r->snapshot) {
        fputs("  \"resident_waves\": ", f);
        report_snapshot_json(f, r->snapshot, 4);
        fputs(",\n", f);
    }
    json_check(f, r);
    if (r->samples) {
        fputs("  \"samples\": ", f);
        report_samples_json(f, r->samples);
        fputs(",\n", f);
    }
    json_host(f, r);
    fputs("}\n", f);
}
