/* The human report: 80 columns where names and instructions allow, parts that a run does not have left out. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"

#define BAR_COLUMNS 30

static void heading(FILE *f, const char *text)
{
    fprintf(f, "\n%s\n", text);
}

/* 1234567 -> "1,234,567" */
const char *report_grouped(uint64_t v, char out[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v), k = 0;

    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
    return out;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int by_value(const void *a, const void *b)
{
    const struct gcnsim_count *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value ? 1 : -1) : strcmp(x->name, y->name);
}

/* Name, number, share and bar of each count that is not zero, largest first. */
static void bars(FILE *f, const struct gcnsim_count *counts, size_t n, uint64_t whole)
{
    struct gcnsim_count *sorted = malloc((n + 1) * sizeof *sorted);
    char num[32];

    if (!sorted)
        return;
    memcpy(sorted, counts, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n && sorted[i].value; i++) {
        double percent = share(sorted[i].value, whole);
        int columns = (int)(percent * BAR_COLUMNS / 100 + 0.5);
        fprintf(f, "  %-20.20s %15s %5.1f%%", sorted[i].name, report_grouped(sorted[i].value, num), percent);
        if (columns > 0)
            fprintf(f, "  %.*s", columns, "##############################");
        fputc('\n', f);
    }
    free(sorted);
}

static void text_head(FILE *f, const struct gcnsim_result *r)
{
    char a[32], b[32];

    fprintf(f, "kernel     %s\n", r->kernel);
    fprintf(f, "target     %s, %s engine%s%s\n", r->target, r->engine, r->profile ? ", profile " : "",
            r->profile ? r->profile : "");
    fprintf(f, "grid       %" PRIu64 " x %" PRIu64 " x %" PRIu64 " work-items in workgroups of %u x %u x %u\n",
            r->grid[0], r->grid[1], r->grid[2], r->workgroup[0], r->workgroup[1], r->workgroup[2]);
    fprintf(f, "           %s workgroup%s, %s wave%s\n", report_grouped(r->workgroups, a),
            r->workgroups == 1 ? "" : "s", report_grouped(r->waves, b), r->waves == 1 ? "" : "s");
    if (r->outcome != GCNSIM_COMPLETED) {
        fprintf(f, "ended      early, after %s of %s workgroups\n", report_grouped(r->workgroups_done, a),
                report_grouped(r->workgroups, b));
        if (!r->has_fault)
            fprintf(f, "           %s\n", r->message);
    }
}

static void text_fault(FILE *f, const struct gcnsim_result *r)
{
    const struct gcnsim_fault *t = &r->fault;

    heading(f, "Fault");
    fprintf(f, "  kind          %s\n", t->kind);
    fprintf(f, "  pc            0x%" PRIx64, t->pc);
    if (t->pc_offset != UINT64_MAX)
        fprintf(f, " (offset 0x%" PRIx64 ")", t->pc_offset);
    fputc('\n', f);
    if (*t->instruction)
        fprintf(f, "  instruction   %s\n", t->instruction);
    fprintf(f, "  workgroup     %u, %u, %u, wave %u", t->workgroup[0], t->workgroup[1], t->workgroup[2], t->wave);
    if (t->lane >= 0)
        fprintf(f, ", lane %d", t->lane);
    fputc('\n', f);
    if (*t->nearest) {
        fprintf(f, "  access        %s of %u bytes at 0x%" PRIx64 "\n", t->write ? "write" : "read", t->bytes,
                t->address);
        fprintf(f, "  nearest       %s\n", t->nearest);
    }
}

static void text_time(FILE *f, const struct gcnsim_result *r)
{
    char a[32];

    heading(f, "Time");
    fprintf(f, "  cycles        %s\n", report_grouped(r->cycles, a));
    fprintf(f, "  time          %.3f us at the profile's shader clock\n", r->time_us);
    fprintf(f, "  ipc           %.3f wave-instructions per cycle on %u compute unit%s\n", r->ipc, r->cus_used,
            r->cus_used == 1 ? "" : "s");
}

static void text_occupancy(FILE *f, const struct gcnsim_result *r)
{
    const struct gcnsim_occupancy *o = &r->occupancy;

    heading(f, "Occupancy");
    fprintf(f, "  waves/SIMD    %u, limited by %s\n", o->waves_per_simd, o->limiter);
    fprintf(f, "  workgroups    %u per %s, %u wave%s each\n", o->workgroups_per_cu,
            o->cus > 1 ? "workgroup processor" : "compute unit", o->waves_per_workgroup,
            o->waves_per_workgroup == 1 ? "" : "s");
    fprintf(f, "  registers     %u VGPRs", o->vgprs_allocated);
    if (o->agprs_allocated)
        fprintf(f, ", %u AccVGPRs", o->agprs_allocated);
    fprintf(f, ", %u SGPRs a wave; %u bytes of LDS a workgroup\n", o->sgprs_allocated, o->lds_bytes_allocated);
}

void report_write_text(FILE *f, const struct gcnsim_result *r)
{
    char a[32];

    text_head(f, r);
    if (r->has_fault)
        text_fault(f, r);
    report_check_text(f, r);
    if (r->has_time)
        text_time(f, r);
    heading(f, "Instructions");
    fprintf(f, "  %-20s %15s\n", "total", report_grouped(r->instructions, a));
    if (r->instruction_counts)
        bars(f, r->instruction_counts, r->instruction_count_count, r->instructions);
    if (r->has_stalls) {
        heading(f, "Where wave-cycles went");
        fprintf(f, "  %-20s %15s\n", "resident", report_grouped(r->resident_wave_cycles, a));
        bars(f, r->stall_cycles, r->stall_count, r->resident_wave_cycles);
    }
    if (r->has_occupancy)
        text_occupancy(f, r);
    report_memory_text(f, r);
    heading(f, "Host");
    fprintf(f, "  %.3f s, %s wave-instructions per second\n", r->host_seconds,
            report_grouped((uint64_t)r->wave_instructions_per_second, a));
}
