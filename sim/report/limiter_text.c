/* The first part of a report: verdict, shares of peak, work and data, what is in flight. */
#include <math.h>
#include <string.h>

#include "sim/report/limiter.h"

#define BAR_COLUMNS 30
#define COLUMNS     78

static double quotient(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void share_bar(FILE *f, const char *name, double share)
{
    double percent = 100 * share;
    int columns = (int)(fmin(percent, 100) * BAR_COLUMNS / 100 + 0.5);

    fprintf(f, "  %-20s %6.1f%%", name, percent);
    if (columns > 0)
        fprintf(f, "  %.*s", columns, "##############################");
    fputc('\n', f);
}

static void sentence(FILE *f, const char *text)
{
    report_wrapped(f, "  ", COLUMNS, text, ".");
}

static void bytes_line(FILE *f, const struct report *r, const char *name, double bytes, enum stat intensity)
{
    char a[32];

    if (bytes <= 0)
        return;
    fprintf(f, "  %-20s %20s bytes", name, report_grouped((uint64_t)bytes, a));
    if (r->value[STAT_WORK_FLOPS] > 0)
        fprintf(f, " %12.3f flop/byte", r->value[intensity]);
    fputc('\n', f);
}

static void write_work(FILE *f, const struct report *r)
{
    const double *v = r->value;
    char a[32];

    fputs("\n  work and data\n", f);
    fprintf(f, "  %-20s %20s flop  %12.1f Gflop/s\n", "float operations",
            report_grouped((uint64_t)v[STAT_WORK_FLOPS], a), v[STAT_WORK_GFLOPS]);
    fprintf(f, "  %-20s %20s\n", "integer operations", report_grouped((uint64_t)v[STAT_WORK_INTS], a));
    bytes_line(f, r, "LDS", v[STAT_LDS_BYTES], STAT_WORK_PER_LDS);
    bytes_line(f, r, "vL0", report_level_bytes(r, LEVEL_VL0), STAT_WORK_PER_VL0);
    bytes_line(f, r, "L2", report_level_bytes(r, LEVEL_L2), STAT_WORK_PER_L2);
    bytes_line(f, r, "MALL", report_level_bytes(r, LEVEL_MALL), STAT_WORK_PER_MALL);
    bytes_line(f, r, "DRAM", v[STAT_DRAM_READ_BYTES] + v[STAT_DRAM_WRITE_BYTES], STAT_WORK_PER_DRAM);
}

static void write_fullness(FILE *f, const struct report *r)
{
    const double *v = r->value;

    fputs("\n  in flight\n", f);
    fprintf(f, "  %-20s %7.2f waves a SIMD with work; %u fit (%s)\n", "occupancy", v[STAT_CU_WAVES],
            r->occupancy.waves_per_simd, r->occupancy.limiter);
    fprintf(f, "  %-20s %7.2f instructions a CU; full %.1f%% of the time\n", "VMEM queues",
            quotient(v[STAT_VMEM_QUEUE_CYCLES], v[STAT_CU_CYCLES]),
            100 * quotient(v[STAT_VMEM_QUEUE_FULL_CYCLES], v[STAT_CU_CYCLES]));
    for (unsigned k = 0; k < LEVEL_COUNT; k++) {
        const double *c = v + stat_of_cache((enum cache_level)k, 0);
        char name[32];

        if (!r->present[stat_of_cache((enum cache_level)k, 0)] || c[STAT_CACHE_MSHR_CYCLES] <= 0)
            continue;
        snprintf(name, sizeof name, "MSHRs of %s", cache_level_key[k]);
        fprintf(f, "  %-20s %6.1f%% in use; all of them %.1f%% of the time\n", name, 100 * c[STAT_CACHE_MSHRS_USED],
                100 * c[STAT_CACHE_MSHR_LIMIT]);
    }
}

void report_write_limiter(FILE *f, const struct report *r)
{
    fputs("\nLimiter\n", f);
    sentence(f, r->limiter.verdict);
    if (r->limiter.within)
        sentence(f, r->limiter.within);
    fputs("\n  share of the chip's peak\n", f);
    share_bar(f, r->chip.gpu.cus_per_wgp > 1 ? "WGPs with waves" : "CUs with waves", r->value[STAT_PEAK_CUS]);
    for (size_t k = 0; k < LIMIT_RESOURCES; k++)
        if (r->present[limit_resource[k].stat] && r->value[limit_resource[k].stat] >= 0.0005)
            share_bar(f, limit_resource[k].name, r->value[limit_resource[k].stat]);
    write_work(f, r);
    write_fullness(f, r);
}

void report_limiter_json(struct json_put *j, const struct report_limiter *l)
{
    if (l)
        json_put(j, "{\n class: %s, resource: %s, share: %.6g, verdict: %s, within: %s}", report_limit_key[l->class],
                 l->resource, l->share, l->verdict, l->within);
    else
        json_put(j, "null");
}
