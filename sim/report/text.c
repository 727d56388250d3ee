/* The report for people: 80 columns where names and instructions allow, parts that a run does not have left out. Every
 * statistic of the run stands in it, details and zeros of caches aside: in a part of its own, or among the lines of its
 * scope. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/limiter.h"
#include "sim/report/summary.h"

#define BAR_COLUMNS 30

static void heading(FILE *f, const char *text)
{
    fprintf(f, "\n%s\n", text);
}

static const char *grouped(const struct report *r, unsigned s, char out[32])
{
    return report_grouped((uint64_t)r->value[s], out);
}

static double share(double part, double whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

/* ---- statistics ---- */

/* "  bank_conflict_cycles        1,234 cycles" */
static void line(FILE *f, const struct report *r, unsigned s, const char *name)
{
    const struct stat_row *row = &stat_row[s];
    bool is_share = strcmp(row->unit, "share") == 0;
    char num[40];

    if (is_share)
        snprintf(num, sizeof num, "%.1f%%", 100 * r->value[s]);
    else if (row->kind == STAT_KIND_RATIO)
        snprintf(num, sizeof num, "%.3f", r->value[s]);
    else
        grouped(r, s, num);
    fprintf(f, is_share ? "  %-26s %15s" : "  %-26s %15s %s", name, num, row->unit);
    fputs(report_is_estimate(r, s) ? " (estimate)\n" : "\n", f);
}

/* The statistics of a scope, under a heading; false: the run has none. */
static bool scope_lines(FILE *f, const struct report *r, const char *title, const char *scope)
{
    size_t prefix = strcmp(scope, "run") == 0 ? 0 : strlen(scope) + 1;

    for (unsigned s = 0; s < STATS; s++) {
        if (!r->present[s] || strcmp(stat_row[s].scope, scope) != 0)
            continue;
        if (title)
            heading(f, title);
        title = NULL;
        line(f, r, s, stat_row[s].name + prefix);
    }
    return !title;
}

struct bar {
    const char *name;
    double value;
};

static int by_value(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value ? 1 : -1) : strcmp(x->name, y->name);
}

/* Name, number, share and bar of each of n statistics of one scope that is not zero, largest first. */
static void bars(FILE *f, const struct report *r, unsigned from, unsigned n, double whole)
{
    struct bar sorted[STATS];
    char num[32];

    for (unsigned i = 0; i < n; i++)
        sorted[i] = (struct bar){stat_row[from + i].name + strlen(stat_row[from + i].scope) + 1, r->value[from + i]};
    qsort(sorted, n, sizeof *sorted, by_value);
    for (unsigned i = 0; i < n && sorted[i].value > 0; i++) {
        double percent = share(sorted[i].value, whole);
        int columns = (int)(percent * BAR_COLUMNS / 100 + 0.5);
        fprintf(f, "  %-20.20s %15s %5.1f%%", sorted[i].name, report_grouped((uint64_t)sorted[i].value, num), percent);
        if (columns > 0)
            fprintf(f, "  %.*s", columns, "##############################");
        fputc('\n', f);
    }
}

/* ---- caches: two tables with a row for each level, then what has no column ---- */

static void cache_requests(FILE *f, const char *name, const double *v)
{
    char a[32], b[32], c[32], d[32];

    fprintf(f, "  %-6s %13s %13s %13s %11s", name, report_grouped((uint64_t)v[STAT_CACHE_ACCESSES], a),
            report_grouped((uint64_t)v[STAT_CACHE_HITS], b), report_grouped((uint64_t)v[STAT_CACHE_MISSES], c),
            report_grouped((uint64_t)v[STAT_CACHE_MSHR_MERGES], d));
    if (v[STAT_CACHE_ACCESSES] > 0)
        fprintf(f, "  %7.1f%%", 100 * v[STAT_CACHE_HIT_RATE]);
    else
        fprintf(f, "  %8s", "");
    if (v[STAT_CACHE_AVERAGE_LATENCY_CYCLES] > 0)
        fprintf(f, "%8.0f", v[STAT_CACHE_AVERAGE_LATENCY_CYCLES]);
    fputc('\n', f);
}

static void cache_data(FILE *f, const char *name, const double *v)
{
    char a[32], b[32], c[32], d[32];

    fprintf(f, "  %-6s %14s %14s %13s %13s      %5.1f%%\n", name, report_grouped((uint64_t)v[STAT_CACHE_LOAD_BYTES], a),
            report_grouped((uint64_t)v[STAT_CACHE_STORE_BYTES], b),
            report_grouped((uint64_t)v[STAT_CACHE_EVICTIONS], c), report_grouped((uint64_t)v[STAT_CACHE_WRITEBACKS], d),
            100.0 * v[STAT_CACHE_UTILIZATION]);
}

/* Whether one of the two tables has a column for it, or what it says is in one. */
static bool has_column(enum stat_cache s)
{
    switch (s) {
    case STAT_CACHE_ACCESSES:
    case STAT_CACHE_HITS:
    case STAT_CACHE_MISSES:
    case STAT_CACHE_MSHR_MERGES:
    case STAT_CACHE_AVERAGE_LATENCY_CYCLES:
    case STAT_CACHE_LOAD_BYTES:
    case STAT_CACHE_STORE_BYTES:
    case STAT_CACHE_EVICTIONS:
    case STAT_CACHE_WRITEBACKS:
    case STAT_CACHE_UTILIZATION:
    case STAT_CACHE_HIT_RATE:
        return true;
    default:
        return false;
    }
}

static void each_level(FILE *f, const struct report *r, void (*row)(FILE *f, const char *name, const double *v))
{
    for (unsigned k = 0; k < LEVEL_COUNT; k++) {
        enum stat at = stat_of_cache((enum cache_level)k, 0);

        if (r->present[at])
            row(f, cache_level_key[k], r->value + at);
    }
}

static bool text_caches(FILE *f, const struct report *r)
{
    char a[32];

    if (!r->has_caches)
        return false;
    fputs("\nCaches        accesses          hits        misses      merged  hit rate latency\n", f);
    each_level(f, r, cache_requests);
    fputs("\nCache data   load bytes    store bytes       evicted  written back   data paths\n", f);
    each_level(f, r, cache_data);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        for (unsigned s = 0; s < STAT_CACHE_ROWS; s++) {
            enum stat at = stat_of_cache((enum cache_level)k, (enum stat_cache)s);
            if (r->value[at] != 0 && stat_row[at].kind != STAT_KIND_DETAIL && !has_column((enum stat_cache)s))
                line(f, r, at, stat_row[at].name + strlen("cache."));
        }
    for (size_t k = 0; k < r->eviction_count; k++) {
        const struct report_eviction *e = &r->evictions[k];

        if (strcmp(e->scope, "cu") != 0 || strcmp(e->hint, "rt") != 0)
            fprintf(f, "  %s.evictions: %s lines with scope %s, hint %s\n", e->cache, report_grouped(e->lines, a),
                    e->scope, e->hint);
    }
    return true;
}

static bool text_memory_insts(FILE *f, const struct report *r)
{
    char a[32], b[32];

    if (!r->memory_inst_count)
        return false;
    fputs("\nMemory         executed  lines  conflicts  instruction\n", f);
    for (size_t k = 0; k < r->memory_inst_count; k++) {
        const struct report_memory_inst *m = &r->memory_inst[k];
        const uint64_t *s = m->stat;
        uint64_t count = s[STAT_INST_COUNT] > s[STAT_INST_LDS_COUNT] ? s[STAT_INST_COUNT] : s[STAT_INST_LDS_COUNT];

        fprintf(f, "  0x%-7" PRIx64 " %11s ", m->pc_offset, report_grouped(count, a));
        if (s[STAT_INST_COUNT])
            fprintf(f, "%6.1f ", (double)s[STAT_INST_LINES] / (double)s[STAT_INST_COUNT]);
        else
            fprintf(f, "%6s ", "");
        if (s[STAT_INST_LDS_COUNT])
            fprintf(f, "%10s",
                    report_grouped(s[STAT_INST_BANK_CONFLICT_CYCLES] + s[STAT_INST_ADDRESS_CONFLICT_CYCLES], b));
        else
            fprintf(f, "%10s", "");
        fprintf(f, "  %s\n", m->instruction);
    }
    if (r->memory_insts_left_out)
        fprintf(f, "  and %s more\n", report_grouped(r->memory_insts_left_out, a));
    return true;
}

/* ---- the other parts ---- */

static bool text_head(FILE *f, const struct report *r)
{
    char a[32], b[32];

    fprintf(f, "kernel     %s\n", r->run.plain);
    if (strcmp(r->run.plain, r->run.kernel) != 0)
        fprintf(f, "symbol     %s\n", r->run.kernel);
    fprintf(f, "target     %s, %s engine%s%s\n", r->target, r->run.timing ? "timing" : "functional",
            r->profile ? ", profile " : "", r->profile ? r->profile : "");
    if (r->stands_for)
        fprintf(f, "           profile %s stands in for %s\n", r->profile, r->stands_for);
    fprintf(f, "grid       %u x %u x %u work-items in workgroups of %u x %u x %u\n", r->run.grid[0], r->run.grid[1],
            r->run.grid[2], r->workgroup[0], r->workgroup[1], r->workgroup[2]);
    fprintf(f, "           %s workgroup%s, %s wave%s\n", report_grouped(r->workgroups, a),
            r->workgroups == 1 ? "" : "s", report_grouped(r->waves, b), r->waves == 1 ? "" : "s");
    for (size_t k = 0; k < r->run.override_count; k++)
        fprintf(f, "%-10s %s\n", k ? "" : "overrides", r->run.overrides[k]);
    if (r->outcome != ENGINE_DONE) {
        fprintf(f, "ended      early, after %s of %s workgroups\n", grouped(r, STAT_WORKGROUPS_DONE, a),
                report_grouped(r->workgroups, b));
        if (!r->has_fault)
            fprintf(f, "           %s\n", r->message);
    }
    return true;
}

/* The function that a line is in, and the calls that were inlined, when there were any. */
static void text_inlined(FILE *f, const struct report_frame *frame, uint32_t frames, const char *indent)
{
    for (uint32_t k = 0; k < frames && frames > 1; k++) {
        if (k && frame[k].file)
            fprintf(f, "%sinlined at %s:%" PRIu32 "\n", indent, frame[k].file, frame[k].line);
        if (frame[k].function)
            fprintf(f, "%sin %s\n", indent, frame[k].function);
    }
}

static bool text_fault(FILE *f, const struct report *r)
{
    const struct report_fault *t = &r->fault;

    if (!r->has_fault)
        return false;
    heading(f, "Fault");
    fprintf(f, "  kind          %s\n", t->kind);
    fprintf(f, "  pc            0x%" PRIx64, t->pc);
    if (t->pc_offset != UINT64_MAX)
        fprintf(f, " (offset 0x%" PRIx64 ")", t->pc_offset);
    fputc('\n', f);
    if (*t->instruction)
        fprintf(f, "  instruction   %s\n", t->instruction);
    if (t->source)
        fprintf(f, "  source        %s\n", t->source);
    text_inlined(f, t->frame, t->frames, "                ");
    fprintf(f, "  workgroup     %u, %u, %u, wave %u", t->workgroup[0], t->workgroup[1], t->workgroup[2], t->wave);
    if (t->lane >= 0)
        fprintf(f, ", lane %d", t->lane);
    fputc('\n', f);
    if (*t->nearest) {
        fprintf(f, "  access        %s of %u bytes at 0x%" PRIx64 "\n", t->write ? "write" : "read", t->bytes,
                t->address);
        fprintf(f, "  nearest       %s\n", t->nearest);
    }
    return true;
}

static bool text_check(FILE *f, const struct report *r)
{
    if (!r->has_check && !r->finding_count)
        return false;
    heading(f, r->has_check ? "Check" : "Warning");
    if (!r->finding_count)
        fputs("  nothing found\n", f);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct report_finding *n = &r->findings[k];

        fprintf(f, "  %s\n    pc            0x%" PRIx64 " (offset 0x%" PRIx64 ") of %s\n    instruction   %s\n",
                n->rule, n->pc, n->pc_offset, r->run.plain, n->instruction);
        if (n->source)
            fprintf(f, "    source        %s\n", n->source);
        text_inlined(f, n->frame, n->frames, "                  ");
        fprintf(f, "    workgroup     %u, %u, %u, wave %u", n->workgroup[0], n->workgroup[1], n->workgroup[2], n->wave);
        if (n->lane >= 0)
            fprintf(f, ", lane %d", n->lane);
        if (n->count > 1)
            fprintf(f, "; %" PRIu64 " times in all", n->count);
        fprintf(f, "\n    problem       %s\n    fix           %s\n", n->message, n->fix);
    }
    if (r->check_left_out)
        fprintf(f, "  %s\n", r->check_left_out);
    return true;
}

static bool text_occupancy(FILE *f, const struct report *r)
{
    const struct launch_occupancy *o = &r->occupancy;

    if (!r->has_occupancy)
        return false;
    heading(f, "Occupancy");
    fprintf(f, "  waves/SIMD    %u, limited by %s\n", o->waves_per_simd, o->limiter);
    fprintf(f, "  workgroups    %u per %s, %u wave%s each\n", o->groups_per_cu,
            r->occupancy_cus > 1 ? "workgroup processor" : "compute unit", o->waves_per_group,
            o->waves_per_group == 1 ? "" : "s");
    fprintf(f, "  registers     %u VGPRs", o->vgpr_alloc);
    if (o->agpr_alloc)
        fprintf(f, ", %u AccVGPRs", o->agpr_alloc);
    fprintf(f, ", %u SGPRs a wave; %u bytes of LDS a workgroup\n", o->sgpr_alloc, o->lds_alloc_bytes);
    return true;
}

static bool text_provenance(FILE *f, const struct report *r)
{
    const struct report_run *run = &r->run;

    heading(f, "Provenance");
    fprintf(f, "  gcnsim        %s, report schema %d; SHA-256 of code and profile:\n", GCNSIM_VERSION, REPORT_SCHEMA);
    fprintf(f, "  code          %s\n", run->code_sha256);
    if (*run->profile_sha256)
        fprintf(f, "  profile       %s\n", run->profile_sha256);
    return true;
}

static bool text_host(FILE *f, const struct report *r)
{
    const struct report_run *run = &r->run;
    double rate = run->seconds > 0 ? r->value[STAT_INSTRUCTIONS] / run->seconds : 0;
    char a[32];

    heading(f, "Host");
    fprintf(f, "  %.3f s, %s wave-instructions per second\n", run->seconds, report_grouped((uint64_t)rate, a));
    if (run->command_line)
        fprintf(f, "  %s\n", run->command_line);
    return true;
}

static bool text_resident(FILE *f, const struct report *r)
{
    if (!r->snapshot)
        return false;
    fputc('\n', f);
    report_write_snapshot(f, r->snapshot);
    return true;
}

static bool text_summary(FILE *f, const struct report *r)
{
    static bool (*const in_full[])(FILE * f, const struct report *r) = {text_fault, text_resident, text_check};

    summary_head(f, r);
    if (r->has_estimate)
        report_estimate_text(f, r);
    for (size_t k = 0; k < sizeof in_full / sizeof *in_full; k++)
        in_full[k](f, r);
    summary_body(f, r);
    return true;
}

static bool text_sampling(FILE *f, const struct report *r)
{
    if (r->has_estimate)
        report_estimate_text(f, r);
    return r->has_estimate;
}

static bool text_limiter(FILE *f, const struct report *r)
{
    if (r->has_limiter)
        report_write_limiter(f, r);
    return r->has_limiter;
}

static bool text_time(FILE *f, const struct report *r)
{
    return r->present[STAT_CYCLES] && scope_lines(f, r, "Time", "run");
}

static bool text_dispatch(FILE *f, const struct report *r)
{
    return scope_lines(f, r, "Dispatch", "dispatch");
}

static bool text_instructions(FILE *f, const struct report *r)
{
    char a[32];

    heading(f, "Instructions");
    fprintf(f, "  %-20s %15s\n", "total", grouped(r, STAT_INSTRUCTIONS, a));
    bars(f, r, STAT_CATEGORY, OPCAT_COUNT, r->value[STAT_INSTRUCTIONS]);
    return true;
}

static bool text_stalls(FILE *f, const struct report *r)
{
    char a[32];

    if (!r->present[STAT_STALL])
        return false;
    heading(f, "Where wave-cycles went");
    fprintf(f, "  %-20s %15s\n", "resident", grouped(r, STAT_RESIDENT_WAVE_CYCLES, a));
    bars(f, r, STAT_STALL, STALL_COUNT, r->value[STAT_RESIDENT_WAVE_CYCLES]);
    return true;
}

static bool text_fidelity(FILE *f, const struct report *r)
{
    heading(f, "Fidelity");
    fidelity_summary(f, &r->fidelity);
    return true;
}

static bool text_lds(FILE *f, const struct report *r)
{
    return scope_lines(f, r, "LDS", "lds");
}

static bool text_dram(FILE *f, const struct report *r)
{
    return scope_lines(f, r, "DRAM", "dram");
}

static bool text_fabric(FILE *f, const struct report *r)
{
    return scope_lines(f, r, "Fabric", "fabric");
}

static bool text_translation(FILE *f, const struct report *r)
{
    return scope_lines(f, r, "Translation", "translation");
}

/* ---- the sections, in their order ---- */

static const struct section {
    const char *name, *about;
    bool (*write)(FILE *f, const struct report *r); /* false: the run has nothing of it */
    bool opens;                                     /* it may be the first; the others begin with an empty line */
} sections[] = {
    {"summary", "what limited the run, rates, the largest stalls and where they are", text_summary, true},
    {"launch", "kernel, chip, grid, and how the run ended", text_head, true},
    {"sampling", "of a sampled launch: the estimate and how far to trust it", text_sampling, false},
    {"limiter", "what limited the run; shares of peak, work and data, what is in flight", text_limiter, false},
    {"fault", "what the program did wrong", text_fault, false},
    {"resident", "of a run that ended early: who waits for what", text_resident, false},
    {"check", "what --check found, and races", text_check, false},
    {"time", "cycles, time, instructions per cycle", text_time, false},
    {"dispatch", "what the launch costs beside its cycles", text_dispatch, false},
    {"instructions", "wave-instructions by category", text_instructions, false},
    {"stalls", "wave-cycles by stall reason", text_stalls, false},
    {"fidelity", "how exact the results are, and how sure the cycles", text_fidelity, false},
    {"occupancy", "waves per SIMD and what limits them", text_occupancy, false},
    {"lds", "accesses and conflicts", text_lds, false},
    {"caches", "requests, hits, latency and data by level", text_caches, false},
    {"dram", "bytes and utilization", text_dram, false},
    {"fabric", "what crosses between dies", text_fabric, false},
    {"translation", "TLBs and page walks", text_translation, false},
    {"memory", "memory instructions: executions, lines, conflicts", text_memory_insts, false},
    {"provenance", "version and hashes of code and profile", text_provenance, false},
    {"host", "time of the simulation itself", text_host, false},
};
#define SECTIONS (sizeof sections / sizeof *sections)

const char *report_section(size_t index, const char **about)
{
    if (about)
        *about = index < SECTIONS ? sections[index].about : NULL;
    return index < SECTIONS ? sections[index].name : NULL;
}

/* The section of the first `length` characters; null: there is none. */
static const struct section *find_section(const char *name, size_t length)
{
    for (size_t k = 0; k < SECTIONS; k++)
        if (strlen(sections[k].name) == length && strncmp(sections[k].name, name, length) == 0)
            return &sections[k];
    return NULL;
}

int report_check_sections(const char *names, struct err *e)
{
    char list[400] = "";

    for (size_t k = 0, at = 0; k < SECTIONS; k++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", k ? ", " : "", sections[k].name);
    for (const char *at = names; names; at++) {
        size_t n = strcspn(at, ",");

        if (!find_section(at, n))
            return err_set(e, ERR_USAGE, "no section \"%.*s\"; sections: %s", (int)(n < 60 ? n : 60), at, list);
        at += n;
        if (!*at)
            break;
    }
    return 0;
}

void report_write_sections(FILE *f, const void *what)
{
    const struct report_sections *s = what;
    const struct report *r = s->r;

    for (size_t k = 0; k < SECTIONS && !s->names; k++)
        if (sections[k].write != text_summary)
            sections[k].write(f, r);
    for (const char *at = s->names; at && *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        const struct section *section = find_section(at, n);

        if (at == s->names && !section->opens)
            fprintf(f, "%s, %s%s engine\n", r->run.plain, r->profile ? r->profile : r->target,
                    r->run.timing ? ", timing" : ", functional");
        else if (at != s->names && section->opens)
            fputc('\n', f);
        if (!section->write(f, r))
            fprintf(f, "\n%s: nothing in this run\n", section->name);
        at += n;
    }
}

void report_write_text(FILE *f, const void *report)
{
    report_write_sections(f, &(struct report_sections){report, NULL});
}
