/* The result of the timing engine with what the functional engine has counted, scaled to the whole launch. Counts that
 * both engines have are exact. Numbers of units are what they are. All other counts grow with the work. */
#include "sim/engine/sampling/sampled_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Waves, entries and MSHRs in use, summed over cycles. */
static bool is_timed(enum stat s)
{
    static const uint8_t of_cache[] = {STAT_CACHE_MSHR_CYCLES, STAT_CACHE_MSHR_LIMIT_CYCLES,
                                       STAT_CACHE_MSHR_FULL_CYCLES};

    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        for (unsigned n = 0; n < sizeof of_cache; n++)
            if (s == stat_of_cache((enum cache_level)k, (enum stat_cache)of_cache[n]))
                return true;
    return s == STAT_RESIDENT_WAVE_CYCLES || s == STAT_CU_CYCLES || s == STAT_VMEM_QUEUE_CYCLES ||
           s == STAT_VMEM_QUEUE_FULL_CYCLES || (s >= STAT_STALL && s < STAT_STALL + STALL_COUNT);
}

enum sampled_kind sampled_kind_of(enum stat s)
{
    for (unsigned k = 0; k < LEVEL_COUNT; k++)
        if (s == stat_of_cache((enum cache_level)k, STAT_CACHE_DATA_PATHS) ||
            s == stat_of_cache((enum cache_level)k, STAT_CACHE_MSHRS))
            return SAMPLED_FIXED;
    if (s == STAT_WORKGROUPS_DONE || s == STAT_WAVES_DONE)
        return SAMPLED_DONE;
    if (s == STAT_INSTRUCTIONS || (s >= STAT_CATEGORY && s < STAT_CATEGORY + OPCAT_COUNT))
        return SAMPLED_EXACT;
    if (s == STAT_CUS_USED || s == STAT_FABRIC_LINKS || s == STAT_FABRIC_BUSIEST_FROM || s == STAT_FABRIC_BUSIEST_TO ||
        (s >= STAT_DISPATCH_CLOCK && s <= STAT_DISPATCH_AFTER))
        return SAMPLED_FIXED;
    return is_timed(s) ? SAMPLED_TIMED : SAMPLED_SCALED;
}

/* Takes over the tallies. */
static bool add_tallies(struct engine_result *r, struct engine_result *total)
{
    size_t count = total->tallies + r->tallies;
    struct engine_tally *all = r->tallies ? realloc(total->tally, count * sizeof *all) : total->tally;

    if (r->tallies && !all)
        return false;
    if (r->tallies)
        memcpy(all + total->tallies, r->tally, r->tallies * sizeof *all);
    total->tally = all;
    total->tallies = count;
    return true;
}

static int by_pc(const void *a, const void *b)
{
    const struct engine_visit *x = a, *y = b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Adds the executions of each instruction. */
static bool add_visits(const struct engine_result *r, struct engine_result *total)
{
    struct engine_visit *all = total->visit;
    size_t count = total->visits + r->visits, kept = 0;

    if (!r->visits)
        return true;
    all = realloc(all, count * sizeof *all);
    if (!all)
        return false;
    memcpy(all + total->visits, r->visit, r->visits * sizeof *all);
    qsort(all, count, sizeof *all, by_pc);
    for (size_t k = 1; k < count; k++) {
        if (all[k].pc == all[kept].pc)
            all[kept].executed += all[k].executed;
        else
            all[++kept] = all[k];
    }
    total->visit = all;
    total->visits = kept + 1;
    return true;
}

void sampled_take_end(const struct engine_result *r, struct engine_result *total)
{
    if (total->outcome != ENGINE_DONE)
        return;
    total->outcome = r->outcome;
    memcpy(total->message, r->message, sizeof total->message);
    total->fault_kind = r->fault_kind;
    total->fault = r->fault;
    total->fault_group = r->fault_group;
    total->fault_wave = r->fault_wave;
}

bool sampled_add_functional(struct engine_result *r, struct engine_result *total)
{
    sampled_take_end(r, total);
    for (unsigned s = 0; s < STATS; s++)
        if (sampled_kind_of((enum stat)s) == SAMPLED_EXACT || sampled_kind_of((enum stat)s) == SAMPLED_DONE)
            engine_add(total, (enum stat)s, r->stat[s]);
    bool ok = add_tallies(r, total) && add_visits(r, total);
    engine_result_free(r);
    return ok;
}

static uint64_t times(uint64_t count, double scale)
{
    return (uint64_t)llround((double)count * scale);
}

/* Sums stay sums, whatever rounding does to their terms. */
static void keep_sums(struct engine_result *total)
{
    uint64_t stalls = 0;

    for (unsigned k = 0; k < STALL_COUNT; k++)
        stalls += total->stat[STAT_STALL + k];
    total->stat[STAT_RESIDENT_WAVE_CYCLES] = stalls;
    for (unsigned k = 0; k < LEVEL_COUNT; k++) {
        uint64_t *at = &total->stat[stat_of_cache((enum cache_level)k, 0)];

        at[STAT_CACHE_ACCESSES] = at[STAT_CACHE_HITS] + at[STAT_CACHE_MISSES];
    }
}

void sampled_scale(const struct engine_estimate *out, double executed, struct engine_result *total)
{
    const double by[] = {[SAMPLED_FIXED] = 1,
                         [SAMPLED_DONE] = 1,
                         [SAMPLED_EXACT] = executed,
                         [SAMPLED_SCALED] = out->scale,
                         [SAMPLED_TIMED] = out->cycles / (double)total->stat[STAT_CYCLES]};

    for (unsigned s = 0; s < STATS; s++)
        if (total->present[s])
            total->stat[s] = times(total->stat[s], by[sampled_kind_of((enum stat)s)]);
    for (size_t k = 0; k < sizeof total->evicted / sizeof(uint64_t); k++)
        (&total->evicted[0][0][0])[k] = times((&total->evicted[0][0][0])[k], out->scale);
    for (unsigned k = 0; k < total->memory_inst_count; k++)
        for (unsigned c = 0; c < STAT_INST_ROWS; c++)
            total->memory_inst[k].stat[c] = times(total->memory_inst[k].stat[c], out->scale);
    for (size_t k = 0; k < total->tallies; k++)
        total->tally[k].count = times(total->tally[k].count, executed);
    keep_sums(total);
    engine_count(total, STAT_CYCLES, times(1, out->cycles));
}
