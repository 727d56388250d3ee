/* A report as one JSON object. Names of statistics are paths in it: "cache.l2.misses" is misses in l2 in cache. Parts
 * that a run does not have are null. */
#include <inttypes.h>
#include <string.h>

#include "sim/report/annotate.h"
#include "sim/report/limiter.h"
#include "sim/report/report.h"

/* ---- statistics ---- */

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

static void json_statistics(struct json_put *j, const struct report *r)
{
    struct json_paths paths = {.j = j};

    for (unsigned k = 0, end; k < STATS; k = end) {
        const char *name = stat_row[k].name;
        bool any;

        end = part_end(r, k, &any);
        if (!any) {
            json_put_paths_end(&paths);
            json_put(j, "%.*s: null", (int)strcspn(name, "."), name);
        }
        for (unsigned s = k; any && s < end; s++)
            if (r->present[s]) {
                json_put_path(&paths, stat_row[s].name);
                json_put(j, stat_row[s].kind == STAT_KIND_RATIO ? "%.6g" : "%.0f", r->value[s]);
            }
    }
    json_put_paths_end(&paths);
}

/* ---- the other parts ---- */

static void json_head(struct json_put *j, const struct report *r)
{
    const struct report_run *run = &r->run;

    json_put(j, "outcome: %s, message: %s, target: %s, profile: %s, engine: %s, kernel: %s, kernel_demangled: %s",
             report_outcome_key(r), *r->message ? r->message : NULL, r->target, r->profile,
             run->timing ? "timing" : "functional", run->kernel, run->plain);
    json_put(j, "grid: [%u, %u, %u], workgroup: [%u, %u, %u], workgroups: %" PRIu64 ", waves: %" PRIu64, run->grid[0],
             run->grid[1], run->grid[2], r->workgroup[0], r->workgroup[1], r->workgroup[2], r->workgroups, r->waves);
}

static void json_provenance(struct json_put *j, const struct report_run *run)
{
    json_put(j, "provenance: {\n gcnsim: %s, report_schema: %d, overrides: [", GCNSIM_VERSION, REPORT_SCHEMA);
    for (size_t k = 0; k < run->override_count; k++)
        json_put(j, "%s", run->overrides[k]);
    json_put(j, "], code_sha256: %s, profile_sha256: %s}", run->code_sha256,
             *run->profile_sha256 ? run->profile_sha256 : NULL);
}

static void json_occupancy(struct json_put *j, const struct report *r)
{
    const struct launch_occupancy *o = &r->occupancy;

    if (!r->has_occupancy) {
        json_put(j, "occupancy: null");
        return;
    }
    json_put(j,
             "occupancy: {\n waves_per_simd: %u, limiter: %s, workgroups_per_cu: %u, cus: %u, waves_per_workgroup: %u, "
             "vgprs: %u, agprs: %u, sgprs: %u, lds_bytes: %u}",
             o->waves_per_simd, o->limiter, o->groups_per_cu, r->occupancy_cus, o->waves_per_group, o->vgpr_alloc,
             o->agpr_alloc, o->sgpr_alloc, o->lds_alloc_bytes);
}

static void json_evictions(struct json_put *j, const struct report *r)
{
    if (!r->has_caches) {
        json_put(j, "evictions_by_hint: null");
        return;
    }
    json_put(j, "evictions_by_hint: [\n");
    for (size_t k = 0; k < r->eviction_count; k++) {
        const struct report_eviction *e = &r->evictions[k];
        json_put(j, "{cache: %s, scope: %s, hint: %s, lines: %" PRIu64 "}", e->cache, e->scope, e->hint, e->lines);
    }
    json_put(j, "]");
}

static void json_memory_insts(struct json_put *j, const struct report *r)
{
    if (!r->has_memory_insts) {
        json_put(j, "memory_instructions: null");
        return;
    }
    json_put(j, "memory_instructions: [\n");
    for (size_t k = 0; k < r->memory_inst_count; k++) {
        const struct report_memory_inst *m = &r->memory_inst[k];

        json_put(j, "{\n pc: %" PRIx64 ", pc_offset: %" PRIx64 ", instruction: %s", m->pc, m->pc_offset,
                 m->instruction);
        for (unsigned s = 0; s < STAT_INST_ROWS; s++)
            json_put(j, "%s: %" PRIu64, stat_memory_inst_row[s].name, m->stat[s]);
        json_put(j, "lines_per_access: %.6g}",
                 m->stat[STAT_INST_COUNT] ? (double)m->stat[STAT_INST_LINES] / (double)m->stat[STAT_INST_COUNT] : 0);
    }
    json_put(j, "], memory_instructions_left_out: %" PRIu64, r->memory_insts_left_out);
}

static void json_fault(struct json_put *j, const struct report *r)
{
    const struct report_fault *t = &r->fault;

    if (!r->has_fault) {
        json_put(j, "fault: null");
        return;
    }
    json_put(j, "fault: {\n kind: %s, pc: %" PRIx64, t->kind, t->pc);
    json_put(j, t->pc_offset != UINT64_MAX ? "pc_offset: %" PRIx64 : "pc_offset: null", t->pc_offset);
    json_put(j, "instruction: %s, source: %s, frames:", *t->instruction ? t->instruction : NULL, t->source);
    report_json_frames(j, t->frame, t->frames);
    json_put(j, "workgroup: [%u, %u, %u], wave: %u", t->workgroup[0], t->workgroup[1], t->workgroup[2], t->wave);
    json_put(j, t->lane >= 0 ? "lane: %d" : "lane: null", t->lane);
    json_put(j,
             *t->nearest ? "address: %" PRIx64 ", bytes: %u, write: %hhd" : "address: null, bytes: null, write: null",
             t->address, t->bytes, t->write);
    json_put(j, "nearest: %s, message: %s}", *t->nearest ? t->nearest : NULL, t->message);
}

/* The key is there when checking was asked for, or something was found all the same. */
static void json_check(struct json_put *j, const struct report *r)
{
    if (!r->has_check && !r->finding_count)
        return;
    json_put(j, "check: [\n");
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct report_finding *n = &r->findings[k];

        json_put(j,
                 "{\n rule: %s, pc: %" PRIx64 ", pc_offset: %" PRIx64 ", instruction: %s, source: %s, frames:", n->rule,
                 n->pc, n->pc_offset, n->instruction, n->source);
        report_json_frames(j, n->frame, n->frames);
        json_put(j, n->lane >= 0 ? "lane: %d" : "lane: null", n->lane);
        json_put(j, "workgroup: [%u, %u, %u], wave: %u, count: %" PRIu64 ", message: %s, fix: %s}", n->workgroup[0],
                 n->workgroup[1], n->workgroup[2], n->wave, n->count, n->message, n->fix);
    }
    json_put(j, "]");
    if (r->check_left_out)
        json_put(j, "check_left_out: %s", r->check_left_out);
}

void report_json(struct json_put *j, const struct report *r)
{
    const struct report_run *run = &r->run;

    json_put(j, "{\n");
    json_head(j, r);
    if (r->has_estimate) {
        json_put(j, "estimate:");
        report_estimate_json(j, r);
    }
    json_put(j, "limiter:");
    report_limiter_json(j, r->has_limiter ? &r->limiter : NULL);
    json_provenance(j, run);
    json_statistics(j, r);
    json_evictions(j, r);
    json_occupancy(j, r);
    json_memory_insts(j, r);
    report_json_code(j, r);
    json_put(j, "fidelity:");
    fidelity_json(j, &r->fidelity, run->kernel);
    json_fault(j, r);
    if (r->snapshot) {
        json_put(j, "resident_waves:");
        report_snapshot_json(j, r->snapshot);
    }
    json_check(j, r);
    if (r->samples) {
        json_put(j, "samples:");
        report_samples_json(j, r->samples);
    }
    json_put(j, "host: {\n command_line: %s, threads: %u, seconds: %.6f, wave_instructions_per_second: %.0f}}",
             run->command_line, run->threads, run->seconds,
             run->seconds > 0 ? r->value[STAT_INSTRUCTIONS] / run->seconds : 0);
}

void report_write_json(FILE *f, const void *report)
{
    report_json(&(struct json_put){.f = f}, report);
    fputc('\n', f);
}
