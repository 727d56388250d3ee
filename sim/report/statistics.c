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
    ratio(r, at + STAT_CACHE_HIT_RATE, v[STAT_CACHE_TAG_REQUESTS] - v[STAT_CACHE_TAG_MISSES],
          v[STAT_CACHE_TAG_REQUESTS]);
    ratio(r, at + STAT_CACHE_UTILIZATION, v[STAT_CACHE_DATA_PATH_CYCLES],
          v[STAT_CACHE_DATA_PATHS] * r->value[STAT_CYCLES]);
    ratio(r, at + STAT_CACHE_MSHRS_USED, v[STAT_CACHE_MSHR_CYCLES], v[STAT_CACHE_MSHRS] * r->value[STAT_CYCLES]);
    ratio(r, at + STAT_CACHE_MSHR_LIMIT, v[STAT_CACHE_MSHR_LIMIT_CYCLES],
          v[STAT_CACHE_DATA_PATHS] * r->value[STAT_CYCLES]);
}

/* Caches of a level on the whole chip. */
static double caches(const struct profile *p, enum cache_level level)
{
    uint32_t shared = p->cache[level].shared_by_cus, whole = shared ? (p->gpu.cus + shared - 1) / shared : 0;

    if (level == LEVEL_VL0)
        return p->gpu.cus;
    if (shared)
        return whole;
    return level == LEVEL_MALL ? 1 : p->gpu.xcds;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void level_peak(struct report *r, const struct profile *p, enum cache_level level, enum stat s)
{
    const struct profile_cache *c = &p->cache[level];
    const double *v = r->value + stat_of_cache(level, 0);
    double cycles = larger(v[STAT_CACHE_DATA_PATH_CYCLES], quotient(v[STAT_CACHE_STORE_BYTES], c->bytes_per_cycle));

    if (!r->present[stat_of_cache(level, 0)])
        return;
    cycles = larger(cycles, quotient(v[STAT_CACHE_ACCESSES], c->tag_lookups_per_cycle));
    ratio(r, s, cycles, c->channels * caches(p, level) * r->value[STAT_CYCLES]);
}

/* Shares of what the whole chip could have done. */
static void peaks(struct report *r, const struct profile *p)
{
    static const uint16_t level[LEVEL_COUNT] = {STAT_PEAK_VL0, STAT_PEAK_K,  STAT_PEAK_I,
                                                STAT_PEAK_GL1, STAT_PEAK_L2, STAT_PEAK_MALL};
    const double *v = r->value, cus = p->gpu.cus * v[STAT_CYCLES], simds = cus * p->cu.simds;
    bool in_turn = p->cu.issue_policy == ISSUE_ROUND_ROBIN;

    if (!r->present[STAT_ISSUE_CYCLES])
        return;
    ratio(r, STAT_CU_WAVES, v[STAT_RESIDENT_WAVE_CYCLES], v[STAT_CU_CYCLES] * p->cu.simds);
    ratio(r, STAT_PEAK_CUS, v[STAT_CU_CYCLES], cus);
    ratio(r, STAT_PEAK_ISSUE, v[STAT_ISSUE_CYCLES], in_turn ? cus : simds);
    ratio(r, STAT_PEAK_VALU, v[STAT_VALU_CYCLES], simds);
    ratio(r, STAT_PEAK_TRANS, v[STAT_TRANS_CYCLES], simds);
    ratio(r, STAT_PEAK_MATRIX, v[STAT_MATRIX_CYCLES], simds);
    ratio(r, STAT_PEAK_SALU, v[STAT_SALU_CYCLES], simds);
    ratio(r, STAT_PEAK_BRANCH, v[STAT_BRANCH_CYCLES], simds);
    ratio(r, STAT_PEAK_SMEM, v[STAT_SMEM_CYCLES], cus);
    ratio(r, STAT_PEAK_VMEM, v[STAT_VMEM_ADDRESS_CYCLES], cus);
    ratio(r, STAT_PEAK_LDS, v[STAT_LDS_PORT_CYCLES], simds / p->cu.simds_per_lds_port);
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        level_peak(r, p, (enum cache_level)k, (enum stat)level[k]);
    if (r->present[STAT_FABRIC_BUSIEST_UTILIZATION] && p->fabric.link_bytes_per_cycle > 0)
        ratio(r, STAT_PEAK_FABRIC, v[STAT_FABRIC_BUSIEST_UTILIZATION], 1);
    if (r->present[STAT_DRAM_UTILIZATION])
        ratio(r, STAT_PEAK_DRAM, v[STAT_DRAM_UTILIZATION], 1);
}

double report_operations(const struct report *r, bool matrix, bool floats)
{
    double sum = 0;

    for (unsigned type = 0; type < OP_TYPE_COUNT; type++) {
        enum stat s = stat_of_ops(matrix, (enum op_type)type);

        if (s != STATS && op_type_is_float(type) == floats)
            sum += r->value[s];
    }
    return sum;
}

static double operations(const struct report *r, bool floats)
{
    return report_operations(r, false, floats) + report_operations(r, true, floats);
}

/* A level that has moved no bytes has none. */
static void intensity(struct report *r, enum stat s, double flops, double bytes)
{
    if (bytes > 0)
        ratio(r, s, flops, bytes);
}

double report_level_bytes(const struct report *r, enum cache_level level)
{
    return r->value[stat_of_cache(level, STAT_CACHE_LOAD_BYTES)] +
           r->value[stat_of_cache(level, STAT_CACHE_STORE_BYTES)];
}

static void work(struct report *r, const struct launch *l)
{
    const double *v = r->value, flops = operations(r, true), issued = v[STAT_CATEGORY + OPCAT_VALU];

    if (!r->present[STAT_ISSUE_CYCLES])
        return;
    ratio(r, STAT_VALU_ACTIVE, v[STAT_VALU_LANES], issued * l->lanes);
    ratio(r, STAT_WORK_FLOPS, flops, 1);
    ratio(r, STAT_WORK_INTS, operations(r, false), 1);
    ratio(r, STAT_WORK_GFLOPS, flops, v[STAT_TIME_US] * 1e3);
    intensity(r, STAT_WORK_PER_VL0, flops, report_level_bytes(r, LEVEL_VL0));
    intensity(r, STAT_WORK_PER_LDS, flops, v[STAT_LDS_BYTES]);
    intensity(r, STAT_WORK_PER_L2, flops, report_level_bytes(r, LEVEL_L2));
    intensity(r, STAT_WORK_PER_MALL, flops, report_level_bytes(r, LEVEL_MALL));
    intensity(r, STAT_WORK_PER_DRAM, flops, v[STAT_DRAM_READ_BYTES] + v[STAT_DRAM_WRITE_BYTES]);
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
              v[STAT_DISPATCH_BEFORE] + v[STAT_DISPATCH_ACQUIRE] + cycles + v[STAT_DISPATCH_RELEASE] +
                  v[STAT_DISPATCH_AFTER],
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
    if (!l->profile || !r->present[STAT_CYCLES])
        return;
    peaks(r, l->profile);
    work(r, l);
}

void report_write_csv(FILE *f, const void *report)
{
    const struct report *r = report;

    fputs("name,unit,value\n", f);
    for (unsigned k = 0; k < STATS; k++)
        if (r->present[k])
            fprintf(f, stat_row[k].kind == STAT_KIND_RATIO ? "%s,%s%s,%.6g\n" : "%s,%s%s,%.0f\n", stat_row[k].name,
                    stat_row[k].unit, report_is_estimate(r, k) ? " (estimate)" : "", r->value[k]);
    if (r->has_estimate)
        report_estimate_csv(f, r);
}
