/* Values of the counters by AMD's names that a run has (the table is in counters_rows.c), and rocprofv3's table of
 * them.
 *
 * Source of the columns: generateCSV.cpp of rocprofiler-sdk.
 */
#include "sim/report/counters.h"

#include <inttypes.h>
#include <string.h>

#include "sim/util/csv_put.h"

const struct counter_row *report_counter_row(size_t index)
{
    size_t count = 0;

    while (report_counter_rows[count].name)
        count++;
    return index < count ? &report_counter_rows[index] : NULL;
}

static unsigned generation(const char *target)
{
    static const struct {
        const char *begin;
        unsigned generation;
    } of[] = {{"gfx8", COUNTERS_G8},    {"gfx906", COUNTERS_G906}, {"gfx908", COUNTERS_G908}, {"gfx90a", COUNTERS_G90A},
              {"gfx94", COUNTERS_G94X}, {"gfx950", COUNTERS_G950}, {"gfx90", COUNTERS_G900},  {"gfx10", COUNTERS_G10},
              {"gfx11", COUNTERS_G11},  {"gfx12", COUNTERS_G12}};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (strncmp(target, of[k].begin, strlen(of[k].begin)) == 0)
            return of[k].generation;
    return 0;
}

static double times(const struct report *r, const struct counter_term *t)
{
    switch ((enum counter_times)t->times) {
    case PER_CU:
        return r->has_chip ? r->chip.gpu.cus : 0;
    case PER_SIMD:
        return r->has_chip ? r->chip.gpu.cus * r->chip.cu.simds : 0;
    case IF_WAVE32:
        return r->has_chip && r->chip.wave_size == 32;
    case IF_WAVE64:
        return r->has_chip && r->chip.wave_size == 64;
    case PER_NOTHING:
        break;
    }
    return 1;
}

/* False: the run lacks one of the statistics. */
static bool sum(const struct report *r, const struct counter_term *t, unsigned most, unsigned chip, double *value)
{
    *value = 0;
    for (unsigned k = 0; k < most && t[k].weight != 0; k++) {
        if (!(t[k].generations & chip))
            continue;
        if (!r->present[t[k].stat])
            return false;
        *value += t[k].weight * r->value[t[k].stat] * times(r, &t[k]);
    }
    return true;
}

bool report_counter(const struct report *r, const struct counter_row *row, double *value)
{
    unsigned chip = generation(r->target);
    double by;

    if (!(row->generations & chip) || !sum(r, row->of, COUNTER_TERMS, chip, value) ||
        !sum(r, row->by, COUNTER_DIVISORS, chip, &by))
        return false;
    for (unsigned k = 0; k < COUNTER_UNLESS; k++)
        if (row->unless[k] != STAT_CYCLES && r->value[row->unless[k]] > 0)
            return false;
    if (row->by[0].weight == 0)
        return true;
    *value = by > 0 ? *value / by : 0;
    return by > 0;
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
    for (const struct counter_row *row = report_counter_rows; row->name; row++) {
        if (!report_counter(r, row, &value))
            continue;
        fprintf(f, "1,1,\"Agent 0\",0,0,0,%" PRIu64 ",1,", grid);
        csv_put_field(f, r->run.plain);
        fprintf(f, ",%" PRIu64 ",%u,%u,%u,%u,%u,\"%s\",%.15g,%.0f,%.0f\n", group, o->lds_alloc_bytes,
                r->run.scratch_bytes, o->vgpr_alloc, o->agpr_alloc, o->sgpr_alloc, row->name, value, start * ns,
                (start + r->value[STAT_CYCLES]) * ns);
    }
}
