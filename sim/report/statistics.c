/* Values of the statistics table (sim/engine/stats.h) for one run: what the engine counted, and the ratios. */
#include "sim/report/report.h"

static double quotient(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void ratio(struct report *r, enum stat s, double part, double whole)
{
    r->value[s] = quotient(part, whole);
    r->present[s] = true;
}

static void cache_ratios(struct report *r, enum cache_level level)
{
    enum stat at = stat_of_cache(level, 0);
    const double *v = r->value + at;

    if (!r->present[at])
        return;
    ratio(r, at + STAT_CACHE_AVERAGE_LATENCY_CYCLES, v[STAT_CACHE_LOAD_LATENCY_CYCLES], v[STAT_CACHE_LOADS]);
    ratio(r, at + STAT_CACHE_UTILIZATION, v[STAT_CACHE_DATA_PATH_CYCLES],
          v[STAT_CACHE_DATA_PATHS] * r->value[STAT_CYCLES]);
}

/* Ratios of what the run has; those per time need the profile's figures. */
static void ratios(struct report *r, const struct profile *p)
{
    const double *v = r->value, cycles = v[STAT_CYCLES];

    if (!p || !r->present[STAT_CYCLES])
        return;
    ratio(r, STAT_TIME_US, cycles, p->gpu.shader_clock_mhz);
    if (r->present[STAT_DISPATCH_AFTER]) /* it ran to its end */
        ratio(r, STAT_DISPATCH_TOTAL_US,
              v[STAT_DISPATCH_BEFORE] + cycles + v[STAT_DISPATCH_RELEASE] + v[STAT_DISPATCH_AFTER],
              p->gpu.shader_clock_mhz);
    ratio(r, STAT_IPC, v[STAT_INSTRUCTIONS], cycles);
    for (unsigned level = 0; level < LEVEL_COUNT; level++)
        cache_ratios(r, (enum cache_level)level);
    if (r->present[STAT_DRAM_READ_BYTES])
        ratio(r, STAT_DRAM_UTILIZATION, v[STAT_DRAM_READ_BYTES] + v[STAT_DRAM_WRITE_BYTES],
              cycles * p->dram.bytes_per_cycle);
    if (r->present[STAT_FABRIC_BUSIEST_BYTES])
        ratio(r, STAT_FABRIC_BUSIEST_UTILIZATION, v[STAT_FABRIC_BUSIEST_BYTES],
              cycles * p->fabric.link_bytes_per_cycle);
}

void report_statistics(struct report *r, const struct launch *l, const struct engine_result *er)
{
    for (unsigned k = 0; k < STATS; k++) {
        r->value[k] = (double)er->stat[k];
        r->present[k] = er->present[k];
    }
    ratios(r, l->profile);
}

void report_write_csv(FILE *f, const void *report)
{
    const struct report *r = report;

    fputs("name,unit,value\n", f);
    for (unsigned k = 0; k < STATS; k++)
        if (r->present[k])
            fprintf(f, stat_row[k].kind == STAT_KIND_RATIO ? "%s,%s,%.6g\n" : "%s,%s,%.0f\n", stat_row[k].name,
                    stat_row[k].unit, r->value[k]);
}
