/* A hierarchy between launches of different sizes: what a large one has left in CUs that a small one does not use. */
#include "tests/unit/mem/hierarchy_rig.h"

#define ALL_CUS 8u
#define LINE    0x4000u

/* Four groups of two CUs. */
static struct hierarchy *four_groups(void)
{
    struct hierarchy_config c = small_hierarchy(false, false);

    c.cus = ALL_CUS;
    c.cus_per_group = 2;
    c.link_cycles = 4;
    return make(&c);
}

static cycle_t load(struct hierarchy *h, uint32_t cu, enum mem_port_kind port, cycle_t *now)
{
    cycle_t took = load_time(h, cu, port, MEM_LOAD, LINE, *now);

    *now += took + 1000;
    return took;
}

static void begin_launch(struct hierarchy *h, uint32_t cus)
{
    hierarchy_use_cus(h, cus);
    hierarchy_clear_stats(h);
}

static uint64_t loads_of(const struct hierarchy *h, enum cache_level level)
{
    struct cache_stats s;

    assert_true(hierarchy_cache_stats(h, level, &s));
    return s.op[MEM_LOAD].accesses;
}

static void statistics_are_of_the_launch(void **state)
{
    struct hierarchy *h = four_groups();
    cycle_t now = 0;

    (void)state;
    for (uint32_t cu = 0; cu < ALL_CUS; cu++)
        load(h, cu, MEM_PORT_VECTOR, &now);
    assert_int_equal(loads_of(h, LEVEL_VL0), 8);
    assert_int_equal(hierarchy_data_paths(h, LEVEL_VL0), 8);
    begin_launch(h, 2);
    assert_int_equal(loads_of(h, LEVEL_VL0), 0);
    assert_int_equal(loads_of(h, LEVEL_L2), 0);
    assert_int_equal(hierarchy_data_paths(h, LEVEL_VL0), 2);
    load(h, 1, MEM_PORT_VECTOR, &now);
    assert_int_equal(loads_of(h, LEVEL_VL0), 1);
    /* others join it: counts go on, and are of all CUs */
    hierarchy_use_cus(h, 8);
    load(h, 7, MEM_PORT_VECTOR, &now);
    assert_int_equal(loads_of(h, LEVEL_VL0), 2);
    /* and when these have gone, too */
    hierarchy_use_cus(h, 2);
    assert_int_equal(loads_of(h, LEVEL_VL0), 2);
    begin_launch(h, 8);
    assert_int_equal(loads_of(h, LEVEL_VL0), 0);
    load(h, 7, MEM_PORT_VECTOR, &now);
    assert_int_equal(loads_of(h, LEVEL_VL0), 1);
    hierarchy_free(h);
}

static void invalidation_reaches_unused_cus(void **state)
{
    struct hierarchy *h = four_groups();
    cycle_t now = 0, hit, far;

    (void)state;
    load(h, 7, MEM_PORT_VECTOR, &now);
    load(h, 7, MEM_PORT_SCALAR, &now);
    hit = load(h, 7, MEM_PORT_VECTOR, &now);
    load(h, 6, MEM_PORT_VECTOR, &now);
    far = load(h, 5, MEM_PORT_VECTOR, &now); /* of L2 */
    assert_true(hit < far);
    for (int k = 0; k < 2; k++) {
        begin_launch(h, 2);
        hierarchy_invalidate_all(h, 1u << LEVEL_VL0, now);
    }
    begin_launch(h, 8);
    assert_int_equal(load(h, 7, MEM_PORT_VECTOR, &now), far);
    assert_int_equal(load(h, 7, MEM_PORT_VECTOR, &now), hit);
    assert_int_equal(load(h, 6, MEM_PORT_VECTOR, &now), far);
    /* the scalar cache, which was not among the levels, has its line */
    uint64_t valid;

    hierarchy_lines(h, LEVEL_K, &valid);
    assert_int_equal(valid, 1);
    begin_launch(h, 2);
    hierarchy_drop(h, LINE, 4);
    hierarchy_lines(h, LEVEL_K, &valid);
    assert_int_equal(valid, 0);
    hierarchy_lines(h, LEVEL_VL0, &valid);
    assert_int_equal(valid, 0);
    hierarchy_free(h);
}

static void modified_lines_stay(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);

    (void)state;
    c.cus = ALL_CUS;
    c.cus_per_group = 2;
    c.cache[LEVEL_VL0].write = CACHE_WRITE_BACK;
    c.cache[LEVEL_VL0].write_allocate = true;
    struct hierarchy *h = make(&c);
    cycle_t now = 1000;

    load_time(h, 5, MEM_PORT_VECTOR, MEM_STORE, LINE, 0);
    begin_launch(h, 2);
    hierarchy_invalidate_all(h, 1u << LEVEL_VL0, now);
    begin_launch(h, 2);
    assert_int_equal(hierarchy_write_back_all(h, 1u << LEVEL_L2, now), 0);
    assert_false(hierarchy_is_writing_back(h));
    hierarchy_invalidate_all(h, 1u << LEVEL_VL0, now);
    assert_int_equal(hierarchy_write_back_all(h, 1u << LEVEL_VL0, now), 1);
    assert_true(hierarchy_is_writing_back(h));
    assert_false(hierarchy_is_idle(h));
    assert_true(hierarchy_drain(h, now + 1, now + 1) > now);
    hierarchy_free(h);
}

static void count_hits(void *ctx, const struct hierarchy_hit *hit)
{
    assert_int_equal(hit->cu, 7);
    ++*(int *)ctx;
}

static void observers_change(void **state)
{
    struct hierarchy *h = four_groups();
    int first = 0, second = 0;
    cycle_t now = 0;

    (void)state;
    load(h, 7, MEM_PORT_VECTOR, &now);
    begin_launch(h, 2);
    assert_true(hierarchy_set_watch(h, &(struct hierarchy_watch){&first, count_hits, NULL, NULL}));
    begin_launch(h, 8);
    load(h, 7, MEM_PORT_VECTOR, &now);
    assert_int_equal(first, 1);
    assert_true(hierarchy_set_watch(h, &(struct hierarchy_watch){&second, count_hits, NULL, NULL}));
    load(h, 7, MEM_PORT_VECTOR, &now);
    assert_int_equal(first, 1);
    assert_int_equal(second, 1);
    assert_true(hierarchy_set_watch(h, &(struct hierarchy_watch){0}));
    load(h, 7, MEM_PORT_VECTOR, &now);
    assert_int_equal(second, 1);
    hierarchy_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_of_the_launch),
        cmocka_unit_test(invalidation_reaches_unused_cus),
        cmocka_unit_test(modified_lines_stay),
        cmocka_unit_test(observers_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
