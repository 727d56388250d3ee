/* Counters by AMD's names: a row for each that counts exactly what a statistic, or a sum or difference of two, does.
 * docs/COUNTERS.md has the table, and says which counters have no row and why.
 *
 * Sources: ROCm documentation, "MI300 and MI200 Series performance counters and metrics"; counter_defs.yaml of
 * rocprofiler-sdk for the names of RDNA and for FETCH_SIZE and WRITE_SIZE.
 */
#include "sim/report/counters.h"

#include <inttypes.h>
#include <string.h>

#define ALL                    (COUNTERS_GCN | COUNTERS_RDNA)
#define CACHE(L, S)            (STAT_CACHES + LEVEL_##L * STAT_CACHE_ROWS + STAT_CACHE_##S)
#define ONE(STAT)              .stat = (STAT), .divisor = 1
#define PART(STAT, D)          .stat = (STAT), .divisor = (D)
#define TWO(STAT, SIGN, OTHER) .stat = (STAT), .sign = (SIGN), .other = (OTHER), .divisor = 1
#define MOPS(KEY, STAT)                                                                                                \
    {                                                                                                                  \
        "SQ_INSTS_VALU_MFMA_MOPS_" KEY, COUNTERS_MFMA, PART(STAT, 512),                                                \
            .about = "operations of matrix instructions on " KEY " divided by 512, with all of EXEC assumed"           \
    }

static const struct counter_row rows[] = {
    {"GRBM_GUI_ACTIVE", ALL, ONE(STAT_CYCLES), .about = "cycles in which the GPU is active"},
    {"SQ_WAVES", ALL, ONE(STAT_WAVES_DONE), .about = "wavefronts dispatched to sequencers"},
    {"SQ_WAVE_CYCLES", COUNTERS_GCN, PART(STAT_RESIDENT_WAVE_CYCLES, 4), .about = "quad-cycles spent by waves in CUs"},
    {"SQ_BUSY_CU_CYCLES", COUNTERS_GCN, PART(STAT_CU_CYCLES, 4), .about = "quad-cycles each CU is busy"},
    {"SQ_INSTS_VALU", ALL, TWO(STAT_CATEGORY + OPCAT_VALU, 1, STAT_CATEGORY + OPCAT_MFMA),
     .about = "vector ALU instructions issued, matrix ones included"},
    {"SQ_INSTS_MFMA", COUNTERS_MFMA, ONE(STAT_CATEGORY + OPCAT_MFMA), .about = "matrix instructions issued"},
    {"SQ_INSTS_SALU", ALL, ONE(STAT_CATEGORY + OPCAT_SALU), .about = "scalar ALU instructions issued"},
    {"SQ_INSTS_SMEM", ALL, ONE(STAT_CATEGORY + OPCAT_SMEM), .about = "scalar memory instructions issued"},
    MOPS("F16", STAT_OPS_MATRIX_F16),
    MOPS("BF16", STAT_OPS_MATRIX_BF16),
    MOPS("F32", STAT_OPS_MATRIX_F32),
    MOPS("F64", STAT_OPS_MATRIX_F64),
    MOPS("I8", STAT_OPS_MATRIX_I8),
    {"SQ_INSTS_VALU_MFMA_MOPS_F8", COUNTERS_MI300, PART(STAT_OPS_MATRIX_F8, 512),
     .about = "operations of matrix instructions on F8 divided by 512, with all of EXEC assumed"},
    {"SQ_INSTS_VALU_MFMA_MOPS_XF32", COUNTERS_MI300, PART(STAT_OPS_MATRIX_XF32, 512),
     .about = "operations of matrix instructions on XF32 divided by 512, with all of EXEC assumed"},
    {"SQ_LDS_BANK_CONFLICT", COUNTERS_GCN, ONE(STAT_LDS_BANK_CONFLICT_CYCLES),
     .about = "cycles LDS is stalled by bank conflicts"},
    {"SQC_LDS_BANK_CONFLICT", COUNTERS_RDNA, ONE(STAT_LDS_BANK_CONFLICT_CYCLES),
     .about = "cycles LDS is stalled by bank conflicts"},
    {"SQ_LDS_ADDR_CONFLICT", COUNTERS_GCN, ONE(STAT_LDS_ADDRESS_CONFLICT_CYCLES),
     .about = "cycles LDS is stalled by address conflicts"},
    {"SQC_DCACHE_REQ", ALL, ONE(CACHE(K, ACCESSES)), .about = "requests of the scalar data cache"},
    {"SQC_DCACHE_HITS", ALL, ONE(CACHE(K, HITS)), .about = "hits of the scalar data cache"},
    {"SQC_DCACHE_MISSES", ALL, TWO(CACHE(K, MISSES), -1, CACHE(K, MSHR_MERGES)),
     .about = "misses of the scalar data cache, not duplicate ones"},
    {"SQC_DCACHE_MISSES_DUPLICATE", ALL, ONE(CACHE(K, MSHR_MERGES)), .about = "misses on a line already missed"},
    {"SQC_ICACHE_REQ", ALL, ONE(CACHE(I, ACCESSES)), .about = "requests of the instruction cache"},
    {"SQC_ICACHE_HITS", ALL, ONE(CACHE(I, HITS)), .about = "hits of the instruction cache"},
    {"SQC_ICACHE_MISSES", ALL, TWO(CACHE(I, MISSES), -1, CACHE(I, MSHR_MERGES)),
     .about = "misses of the instruction cache, not duplicate ones"},
    {"SQC_ICACHE_MISSES_DUPLICATE", ALL, ONE(CACHE(I, MSHR_MERGES)), .about = "misses on a line already missed"},
    {"TCP_TOTAL_CACHE_ACCESSES_sum", COUNTERS_GCN, ONE(CACHE(VL0, ACCESSES)),
     .about = "accesses of lines of the vector L1 data cache, hits and misses"},
    {"TCC_REQ_sum", COUNTERS_GCN, ONE(CACHE(L2, ACCESSES)), .about = "requests of L2 of all types"},
    {"TCC_HIT", COUNTERS_GCN, ONE(CACHE(L2, HITS)), .about = "hits of L2"},
    {"TCC_MISS", COUNTERS_GCN, ONE(CACHE(L2, MISSES)), .about = "misses of L2"},
    {"GL2C_HIT", COUNTERS_RDNA, ONE(CACHE(L2, HITS)), .about = "hits of L2"},
    {"GL2C_MISS", COUNTERS_RDNA, ONE(CACHE(L2, MISSES)), .about = "misses of L2"},
    {"FETCH_SIZE", ALL, PART(CACHE(L2, READ_BYTES), 1024), .about = "KiB that L2 has fetched from memory"},
    {"WRITE_SIZE", ALL, PART(CACHE(L2, WRITE_BYTES), 1024), .about = "KiB that L2 has written to memory"},
};

const struct counter_row *report_counter_row(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

/* gfx908, gfx90a and gfx94x have matrix units with counters; RDNA's targets have four digits. */
static unsigned families(const struct report *r)
{
    static const char *const mfma[] = {"gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950"};
    unsigned f = strncmp(r->target, "gfx1", 4) == 0 && strlen(r->target) == 7 ? COUNTERS_RDNA : COUNTERS_GCN;

    for (size_t k = 0; k < sizeof mfma / sizeof *mfma; k++)
        if (strcmp(r->target, mfma[k]) == 0)
            f |= COUNTERS_MFMA | (k >= 2 ? COUNTERS_MI300 : 0);
    return f;
}

bool report_counter(const struct report *r, const struct counter_row *row, double *value)
{
    double other = row->sign && r->present[row->other] ? r->value[row->other] : 0;

    if (!(families(r) & row->families) || !r->present[row->stat])
        return false;
    *value = (r->value[row->stat] + row->sign * other) / row->divisor;
    return true;
}

/* A text in quotes; quotes in it are doubled. */
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

void report_write_counters(FILE *f, const void *report)
{
    const struct report *r = report;
    const struct launch_occupancy *o = &r->occupancy;
    uint64_t grid = (uint64_t)r->run.grid[0] * r->run.grid[1] * r->run.grid[2];
    uint64_t group = (uint64_t)r->workgroup[0] * r->workgroup[1] * r->workgroup[2];
    double start = r->value[STAT_DISPATCH_BEFORE] * (r->value[STAT_CYCLES] > 0 ? 1 : 0), value;
    double ns = r->value[STAT_CYCLES] > 0 ? r->value[STAT_TIME_US] * 1000 / r->value[STAT_CYCLES] : 0;

    fputs("\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","
          "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
          "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
          "\"End_Timestamp\"\n",
          f);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!report_counter(r, &rows[k], &value))
            continue;
        fprintf(f, "1,1,\"Agent 0\",0,0,0,%" PRIu64 ",1,", grid);
        put_text(f, r->run.plain);
        fprintf(f, ",%" PRIu64 ",%u,%u,%u,%u,%u,\"%s\",%.12g,%.0f,%.0f\n", group, o->lds_alloc_bytes,
                r->run.scratch_bytes, o->vgpr_alloc, o->agpr_alloc, o->sgpr_alloc, rows[k].name, value, start * ns,
                (start + r->value[STAT_CYCLES]) * ns);
    }
}
