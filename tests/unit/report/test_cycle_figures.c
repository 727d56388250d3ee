/* Which figures of the profile cycles rest on (sim/report/cycle_figures.h, docs/FIDELITY.md), of statistics that are
 * made up here: the wave-cycles of one reason are divided in proportion to what each figure alone would take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/cycle_figures.h"

struct bench {
    struct profile *profile;
    struct launch launch;
    struct report r;
    struct engine_result result;
    struct engine_tally tally[4];
};

/* A run of wave64 that has waited 1000 wave-cycles for one thing. */
static void begin(struct bench *b, const char *profile, unsigned stall)
{
    struct err e = {0};

    memset(b, 0, sizeof *b);
    assert_int_equal(profile_load(&b->profile, profile, &e), 0);
    b->launch.profile = b->profile;
    b->launch.lanes = 64;
    b->result.tally = b->tally;
    b->r.present[STAT_STALL] = true;
    b->r.value[STAT_STALL + stall] = 1000;
}

static void put_cache(struct bench *b, enum cache_level level, double accesses, double hits, double latency)
{
    b->r.present[stat_of_cache(level, 0)] = true;
    b->r.value[stat_of_cache(level, STAT_CACHE_ACCESSES)] = accesses;
    b->r.value[stat_of_cache(level, STAT_CACHE_HITS)] = hits;
    b->profile->cache[level].hit_latency_cycles = (uint32_t)latency;
}

static void put_tally(struct bench *b, enum op_class cls, uint64_t count, uint32_t issue, uint32_t latency)
{
    b->profile->cls[cls].issue_cycles_w64 = issue;
    b->profile->cls[cls].latency_cycles = latency;
    b->tally[b->result.tallies++] = (struct engine_tally){.cls = (uint8_t)cls, .count = count};
}

/* All figures and their cycles, in the order in which they are named; the bench is freed. */
static void expect(struct bench *b, const char *figures)
{
    char all[600] = "";
    struct fidelity *f = &b->r.fidelity;

    assert_true(report_cycle_figures(&b->r, &b->launch, &b->result));
    for (size_t k = 0; k < f->figures; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s %.10g", k ? ", " : "", f->figure[k].path,
                 f->figure[k].cycles);
    assert_string_equal(all, figures);
    assert_float_equal(f->cycles, 1000, 1e-9);
    fidelity_free(f);
    profile_free(b->profile);
}

/* Vector loads: half of 100 requests hit vL0, half of the others L2, the rest come from DRAM, with ten look-ups of
 * translations and four reads of page tables; of the 30,000 cycles that the loads took 8,000 are left for queues. */
static void vector_loads(struct bench *b)
{
    begin(b, "gfx90a", STALL_WAIT + WAIT_VM);
    put_cache(b, LEVEL_VL0, 100, 50, 100);
    put_cache(b, LEVEL_L2, 100, 50, 200);
    b->profile->dram.latency_cycles = 400;
    b->profile->tlb.utcl1_miss_cycles = 100;
    b->profile->tlb.walk_read_cycles = 250;
    b->r.value[STAT_TRANSLATION_MISSES] = 10;
    b->r.value[STAT_PAGE_TABLE_READS] = 4;
    b->r.value[stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES)] = 440;
}

#define ALONE                                                                                                          \
    "cache.vl0.hit_latency_cycles 113.6363636, cache.l2.hit_latency_cycles 113.6363636, "                              \
    "dram.latency_cycles 227.2727273, tlb.utcl1_miss_cycles 22.72727273, tlb.walk_read_cycles 22.72727273, "

/* The busiest resource on the way of the requests, or the fullest MSHRs, when these are fuller than it is busy. */
static void loads_queue_for_the_busiest(void **state)
{
    static struct bench b;

    (void)state;
    vector_loads(&b);
    expect(&b, ALONE "dram.bytes_per_cycle 500");
    vector_loads(&b);
    b.r.value[STAT_PEAK_L2] = 0.5;
    b.r.value[STAT_PEAK_DRAM] = 0.4;
    b.r.value[STAT_PEAK_K] = 0.9; /* not on the way */
    expect(&b, ALONE "cache.l2.bytes_per_cycle 500");
    vector_loads(&b);
    b.r.value[STAT_PEAK_VL0] = 0.6;
    b.r.value[STAT_PEAK_L2] = 0.5;
    b.r.value[stat_of_cache(LEVEL_L2, STAT_CACHE_MSHR_LIMIT)] = 0.6;
    expect(&b, ALONE "cache.vl0.bytes_per_cycle 500");
    vector_loads(&b);
    b.r.value[STAT_PEAK_VL0] = 0.6;
    b.r.value[stat_of_cache(LEVEL_VL0, STAT_CACHE_MSHR_LIMIT)] = 0.61;
    b.r.value[stat_of_cache(LEVEL_L2, STAT_CACHE_MSHR_LIMIT)] = 0.62;
    expect(&b, ALONE "cache.l2.mshrs 500");
    vector_loads(&b);
    b.r.value[STAT_PEAK_VL0] = 0.6;
    b.r.value[stat_of_cache(LEVEL_VL0, STAT_CACHE_MSHR_LIMIT)] = 0.62;
    b.r.value[stat_of_cache(LEVEL_L2, STAT_CACHE_MSHR_LIMIT)] = 0.61;
    expect(&b, ALONE "cache.vl0.mshrs 500");
}

/* Loads that took no longer than they do alone have not queued, and translations are shared with the misses of other
 * first levels. */
static void loads_that_do_not_queue(void **state)
{
    static struct bench b;

    (void)state;
    vector_loads(&b);
    b.r.value[stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES)] = 200;
    b.r.value[STAT_TRANSLATION_MISSES] = b.r.value[STAT_PAGE_TABLE_READS] = 0;
    expect(&b, "cache.vl0.hit_latency_cycles 250, cache.l2.hit_latency_cycles 250, dram.latency_cycles 500");
    vector_loads(&b);
    put_cache(&b, LEVEL_K, 150, 0, 100);
    b.r.value[stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES)] = 0;
    b.r.value[STAT_PAGE_TABLE_READS] = 0;
    b.profile->tlb.utcl1_miss_cycles = 2000; /* of ten look-ups a fourth is vector memory's */
    expect(&b, "cache.vl0.hit_latency_cycles 200, cache.l2.hit_latency_cycles 200, dram.latency_cycles 400, "
               "tlb.utcl1_miss_cycles 200");
}

/* GL1 is on the way of vector memory, and on that of scalar loads and of instructions where it serves these. */
static void first_levels_past_gl1(void **state)
{
    static const struct {
        enum cache_level from;
        unsigned stall;
        const char *first;
    } v[] = {{LEVEL_VL0, STALL_WAIT + WAIT_VM, "cache.vl0.hit_latency_cycles"},
             {LEVEL_I, STALL_FETCH, "frontend.fetch_latency_cycles"},
             {LEVEL_K, STALL_WAIT + WAIT_KM, "cache.k.hit_latency_cycles"}};
    static struct bench b;
    char text[200];

    (void)state;
    for (unsigned k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned serves = 0; serves < 4; serves++) {
            bool through = v[k].from == LEVEL_VL0 || (v[k].from == LEVEL_K ? serves & 1 : serves & 2);

            begin(&b, "gfx1030", v[k].stall);
            put_cache(&b, v[k].from, 100, 50, 100);
            b.profile->frontend.fetch_latency_cycles = 100;
            put_cache(&b, LEVEL_GL1, 10, 10, 300);
            put_cache(&b, LEVEL_L2, 10, 10, 300);
            b.profile->cache[LEVEL_GL1].serves_scalar = serves & 1;
            b.profile->cache[LEVEL_GL1].serves_instructions = serves & 2;
            snprintf(text, sizeof text, "%s 250, cache.%s.hit_latency_cycles 750", v[k].first, through ? "gl1" : "l2");
            expect(&b, text);
        }
}

/* Instructions of the unit by their count times what one takes: its unit for a wait for the unit, until its result for
 * one for results. Those of other units have no part. */
static void units_and_results(void **state)
{
    static struct bench b;

    (void)state;
    for (unsigned busy = 0; busy < 2; busy++) {
        begin(&b, "gfx90a", busy ? STALL_UNIT_BUSY_SALU : STALL_DEPENDENCY_SALU);
        put_tally(&b, OPC_SALU, 30, 4, 10);
        put_tally(&b, OPC_SMEM, 500, 4, 10);
        expect(&b, busy ? "class.salu.issue_cycles_w64 1000" : "class.salu.latency_cycles 1000");
        begin(&b, "gfx90a", busy ? STALL_UNIT_BUSY_VALU : STALL_DEPENDENCY_VALU);
        put_tally(&b, OPC_VALU, 30, 4, 10);
        put_tally(&b, OPC_F64, 10, 8, 20);
        put_tally(&b, OPC_SALU, 500, 4, 10);
        expect(&b, busy ? "class.valu.issue_cycles_w64 600, class.f64.issue_cycles_w64 400"
                        : "class.valu.latency_cycles 600, class.f64.latency_cycles 400");
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_queue_for_the_busiest),
        cmocka_unit_test(loads_that_do_not_queue),
        cmocka_unit_test(first_levels_past_gl1),
        cmocka_unit_test(units_and_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
