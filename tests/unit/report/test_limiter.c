/* What limited a run (sim/report/limiter.h), from statistics that are made up here: where the level of a cache and the
 * cycles of a load decide on the sentence. tests/timing/test_limiter.c has kernels that are limited by one thing each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/limiter.h"

struct bench {
    struct profile *profile;
    struct launch launch;
    struct arena arena;
    struct report r;
};

static void put(struct bench *b, enum stat stat, double value)
{
    b->r.present[stat] = true;
    b->r.value[stat] = value;
}

/* A cache with so many requests, of which some hit. */
static void put_cache(struct bench *b, enum cache_level level, double requests, double hits)
{
    put(b, stat_of_cache(level, 0), 0);
    put(b, stat_of_cache(level, STAT_CACHE_ACCESSES), requests);
    put(b, stat_of_cache(level, STAT_CACHE_HITS), hits);
}

/* A run whose waves have been on all compute units, nine tenths of their time waiting for one thing. */
static void begin(struct bench *b, const char *profile, unsigned stall)
{
    struct err e = {0};

    memset(b, 0, sizeof *b);
    assert_int_equal(profile_load(&b->profile, profile, &e), 0);
    arena_init(&b->arena, 0);
    b->launch.profile = b->profile;
    put(b, STAT_PEAK_CUS, 1);
    put(b, STAT_CUS_USED, b->profile->gpu.cus);
    put(b, STAT_RESIDENT_WAVE_CYCLES, 1000);
    put(b, (enum stat)(STAT_STALL + stall), 900);
}

static const struct report_limiter *limiter(struct bench *b)
{
    struct report_maker m = {.arena = &b->arena, .l = &b->launch};

    report_find_limiter(&m, &b->r);
    assert_true(b->r.has_limiter);
    assert_false(m.no_memory);
    return &b->r.limiter;
}

static void end(struct bench *b)
{
    arena_free(&b->arena);
    profile_free(b->profile);
}

/* A load from DRAM that takes 1.5 times what it takes alone, a page walk included, has queued; one of a cycle less has
 * not. */
static void loads_that_queue(void **state)
{
    static struct bench b;
    double alone;

    (void)state;
    begin(&b, "gfx90a", STALL_WAIT + WAIT_VM);
    put_cache(&b, LEVEL_VL0, 100, 0);
    b.profile->dram.latency_cycles = 700;
    b.profile->tlb.utcl1_miss_cycles = 100;
    b.profile->tlb.walk_levels = 4;
    b.profile->tlb.walk_read_cycles = 50;
    alone = 700 + 100 + 4 * 50;
    put(&b, stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES), 1.5 * alone);
    assert_string_equal(
        limiter(&b)->verdict,
        "latency-bound on queues on the way to DRAM: waves wait for vector memory 90 % of their time; a "
        "load takes 1500 cycles, and 1000 at most when alone");
    assert_string_equal(b.r.limiter.resource, "dram");
    put(&b, stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES), 1.5 * alone - 1);
    assert_string_equal(
        limiter(&b)->verdict,
        "latency-bound on DRAM: waves wait for vector memory 90 % of their time; a load takes 1499 cycles");
    /* what L2 serves has not queued on the way to DRAM, whatever it takes */
    put_cache(&b, LEVEL_L2, 100, 100);
    put(&b, stat_of_cache(LEVEL_VL0, STAT_CACHE_AVERAGE_LATENCY_CYCLES), 9000);
    assert_string_equal(
        limiter(&b)->verdict,
        "latency-bound on L2: waves wait for vector memory 90 % of their time; a load takes 9000 cycles");
    assert_string_equal(b.r.limiter.resource, "l2");
    end(&b);
}

/* Misses of the scalar cache go to GL1 where that serves them, and to L2 where it does not; those of vector memory go
 * to GL1 either way. */
static void scalar_misses_past_gl1(void **state)
{
    (void)state;
    for (unsigned serves = 0; serves < 2; serves++) {
        static struct bench b;

        begin(&b, "gfx1030", STALL_WAIT + WAIT_KM);
        assert_true(b.profile->cache[LEVEL_GL1].serves_scalar); /* of RDNA1 to RDNA3 */
        b.profile->cache[LEVEL_GL1].serves_scalar = serves;
        put_cache(&b, LEVEL_K, 100, 0);
        put_cache(&b, LEVEL_VL0, 100, 0);
        put_cache(&b, LEVEL_GL1, 100, 100);
        put_cache(&b, LEVEL_L2, 100, 100);
        assert_string_equal(limiter(&b)->verdict,
                            serves ? "latency-bound on scalar loads from GL1: waves wait for them 90 % of their time"
                                   : "latency-bound on scalar loads from L2: waves wait for them 90 % of their time");
        end(&b);
        begin(&b, "gfx1030", STALL_WAIT + WAIT_VM);
        b.profile->cache[LEVEL_GL1].serves_scalar = serves;
        put_cache(&b, LEVEL_VL0, 100, 0);
        put_cache(&b, LEVEL_GL1, 100, 100);
        put_cache(&b, LEVEL_L2, 100, 100);
        assert_string_equal(limiter(&b)->resource, "gl1");
        end(&b);
    }
}

/* The level at which loads spend most: of each the requests that it serves, what misses the one before it, by its
 * latency from load to use. */
static void where_loads_spend_most(void **state)
{
    static const struct {
        double near, far; /* of 100 requests, those that vL0 serves, and of ten that L2 gets, how many it does */
        uint32_t near_latency, far_latency, dram_latency;
        const char *resource;
    } v[] = {
        {100, 0, 100, 300, 900, "vl0"}, {50, 10, 100, 90, 900, "vl0"},
        {50, 10, 100, 110, 900, "l2"},  {0, 5, 100, 600, 500, "l2"}, /* 50 each */
        {0, 5, 100, 500, 600, "dram"},  {0, 9, 100, 110, 900, "l2"}, /* 90 and 10 */
        {0, 9, 100, 90, 900, "dram"},   {80, 5, 10, 160, 100, "l2"}, /* 80, 10 and 10 */
        {80, 5, 30, 160, 100, "vl0"},   {80, 5, 10, 70, 90, "dram"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        static struct bench b;

        begin(&b, "gfx90a", STALL_WAIT + WAIT_VM);
        put_cache(&b, LEVEL_VL0, 100, v[k].near);
        put_cache(&b, LEVEL_L2, 10, v[k].far);
        b.profile->cache[LEVEL_VL0].hit_latency_cycles = v[k].near_latency;
        b.profile->cache[LEVEL_L2].hit_latency_cycles = v[k].far_latency;
        b.profile->dram.latency_cycles = v[k].dram_latency;
        if (strcmp(limiter(&b)->resource, v[k].resource) != 0)
            fail_msg("row %zu: %s", k, b.r.limiter.resource);
        end(&b);
    }
}

/* What waves wait for most, of results; where instructions wait for them in the vector ALU's queue, that is full while
 * they do, and counts as its results, not as others'. */
static void results_that_are_awaited(void **state)
{
    static const struct {
        const char *profile, *verdict;
    } of[] = {
        {"gfx1201",
         "latency-bound on a dependency chain: waves wait for results 100 % of their time, most for results of "
         "the vector ALU"},
        {"gfx90a",
         "latency-bound on a dependency chain: waves wait for results 90 % of their time, most for results of the "
         "transcendental unit"},
    };

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        static struct bench b;

        begin(&b, of[k].profile, STALL_DEPENDENCY_TRANS);
        put(&b, (enum stat)(STAT_STALL + STALL_DEPENDENCY_TRANS), 460);
        put(&b, (enum stat)(STAT_STALL + STALL_DEPENDENCY_VALU), 440);
        put(&b, (enum stat)(STAT_STALL + STALL_UNIT_BUSY_VALU), 100);
        assert_string_equal(limiter(&b)->verdict, of[k].verdict);
        assert_string_equal(b.r.limiter.resource, "dependency");
        /* that the queue was full then is no cause beside it, however little of the time that is */
        put(&b, (enum stat)(STAT_STALL + STALL_DEPENDENCY_VALU), 0);
        put(&b, (enum stat)(STAT_STALL + STALL_BARRIER), 400);
        assert_string_equal(limiter(&b)->resource, "dependency");
        end(&b);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_that_queue),
        cmocka_unit_test(scalar_misses_past_gl1),
        cmocka_unit_test(where_loads_spend_most),
        cmocka_unit_test(results_that_are_awaited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
