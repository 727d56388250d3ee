/* The points of sweeps: which combinations, in which order, and what their names stand for. */
#include "tests/unit/sweep/sweep_unit.h"

static void expect_points(const char *more, const char *values)
{
    struct sweep_spec *s = spec_with(more);
    struct sweep_points *p = points_of(s);
    char *text = values_of(s, p);

    assert_string_equal(text, values);
    free(text);
    sweep_points_free(p);
    sweep_spec_free(s);
}

static void expect_no_points(const char *more, const char *message)
{
    struct sweep_spec *s = spec_with(more);
    struct sweep_points *p = NULL;
    struct err e = {0};

    assert_int_equal(sweep_points_make(&p, s, &e), -1);
    assert_null(p);
    if (!strstr(e.text, message) || strncmp(e.text, "spec.json: ", 11) != 0)
        fail_msg("%s\n  says: %s\n  not:  %s", more, e.text, message);
    sweep_spec_free(s);
}

#define TWO_AXES                                                                                                       \
    "'axes': [{'parameter': 'a', 'values': [1, 2]}, {'paired': [{'parameter': 'b', 'values': [8, 16, 24]}, "           \
    "{'parameter': 'c', 'values': ['x', 'y', 'z']}]}]"

/* ---- full factorial ---- */

/* The last axis changes fastest; launches and profiles come before axes; paired ones go in step. */
static void test_order(void **state)
{
    struct sweep_spec *s = NULL;
    struct sweep_points *p;
    struct err e = {0};

    (void)state;
    expect_points(TWO_AXES, "1,8,x 1,16,y 1,24,z 2,8,x 2,16,y 2,24,z");
    assert_int_equal(parse(&s,
                           "{'gcnsim_sweep': 1, 'launches': ['k', 'm'], 'profiles': ['gfx90a', 'gfx1201'], 'axes': "
                           "[{'parameter': 'a', 'values': [1, 2]}]}",
                           &e),
                     0);
    p = points_of(s);
    assert_int_equal(sweep_points_count(p), 8);
    for (uint64_t k = 0; k < 8; k++) {
        assert_string_equal(sweep_point_launch(p, k)->name, k < 4 ? "k" : "m");
        assert_string_equal(sweep_point_profile(p, k), k / 2 % 2 ? "gfx1201" : "gfx90a");
        assert_int_equal((int)sweep_point_value(p, k, 0)->number, k % 2 + 1);
    }
    sweep_points_free(p);
    sweep_spec_free(s);
}

static void test_no_axes(void **state)
{
    struct sweep_spec *s = spec_with("");
    struct sweep_points *p = points_of(s);

    (void)state;
    assert_int_equal(sweep_points_count(p), 1);
    assert_null(sweep_point_profile(p, 0));
    sweep_points_free(p);
    sweep_spec_free(s);
}

/* ---- filters and definitions ---- */

static void test_filters(void **state)
{
    struct sweep_spec *s;
    struct sweep_points *p;

    (void)state;
    expect_points(TWO_AXES ", 'filters': ['a * b > 16']", "1,24,z 2,16,y 2,24,z");
    expect_points(TWO_AXES ", 'filters': ['c <> 5 and c >= [c]', 'b > 8', 'a = 1']", "1,16,y 1,24,z");
    expect_points(TWO_AXES ", 'define': {'area': 'a * b', 'twice': 'area * 2'}, 'filters': ['twice = 32']",
                  "1,16,y 2,8,x");
    /* one that has no value, and one that is a text, let nothing through */
    expect_no_points(TWO_AXES ", 'filters': ['NULL']", "filters: no combination passes; expected one at least");
    expect_no_points(TWO_AXES ", 'filters': ['c']", "filters: no combination passes");
    s = spec_with(TWO_AXES ", 'filters': ['launch = \\u0027a\\u0027', 'b = 8']");
    p = points_of(s);
    assert_int_equal(sweep_points_filtered(p), 4);
    sweep_points_free(p);
    sweep_spec_free(s);
    /* many are looked at, of which as many as are wanted pass */
    expect_points("'axes': [{'parameter': 'n', 'range': {'from': 1, 'to': 3000, 'step': 1}}], 'filters': ['n % 1000 = "
                  "0'], 'limits': {'points': 3}",
                  "1000 2000 3000");
}

/* Filters may compare texts. One that is a text itself lets nothing through, also one that begins with a number. */
static void test_texts_in_filters(void **state)
{
    (void)state;
    expect_points(TWO_AXES ", 'filters': ['c = \\u0027y\\u0027']", "1,16,y 2,16,y");
    expect_points(TWO_AXES ", 'filters': ['c > \\u0027x\\u0027', 'a = 2']", "2,16,y 2,24,z");
    expect_points("'axes': [{'parameter': 't', 'values': ['16', 'x16']}], 'filters': ['t = \\u002716\\u0027']", "16");
    expect_no_points("'axes': [{'parameter': 't', 'values': ['16', '1x']}], 'filters': ['t']",
                     "filters: no combination passes; expected one at least");
    expect_no_points(TWO_AXES ", 'filters': ['a > 0', 'a || c']", "filters: no combination passes");
}

static void test_figures_in_filters(void **state)
{
    (void)state;
    expect_points("'profiles': ['gfx90a-mi210'], 'axes': [{'set': 'cu.simds', 'values': [1, 2, 4, 8]}], 'filters': "
                  "['[cu.simds] <= [cu.wave_slots_per_simd] and [cu.simds] > 2']",
                  "4 8");
    /* each profile's own */
    expect_points("'profiles': ['gfx90a', 'gfx1201', 'gfx1030'], 'axes': [{'parameter': 'n', 'values': [1, 2]}], "
                  "'filters': ['n = 1 and [cu.simds] = 4 or n = 2 and profile = \\u0027gfx1030\\u0027']",
                  "1 2");
    expect_no_points("'axes': [{'parameter': 'a', 'values': [1]}], 'filters': ['[cu.simds] > 1']",
                     "filters[0]: '[cu.simds] > 1': there is no 'cu.simds'; expected");
    expect_no_points("'profiles': ['gfx90a'], 'filters': ['[cu.simd] > 1']",
                     "filters[0]: '[cu.simd] > 1': there is no");
}

static void test_unknown(void **state)
{
    (void)state;
    expect_no_points("'profiles': ['gfx90b']", "profiles[0]: ");
    expect_no_points("'profiles': ['gfx90a'], 'axes': [{'set': 'cu.simdz', 'values': [4]}]",
                     "axes[0]: profile gfx90a: ");
    /* also where each launch has its own profile; with a suggestion */
    expect_no_points("'axes': [{'set': 'cu.simdz', 'values': [4]}]", "axes[0]: ");
    expect_no_points("'axes': [{'set': 'cu.simdz', 'values': [4]}]", "cu.simds");
    expect_no_points(TWO_AXES ", 'define': {'d': 'later', 'later': '1'}", "define: d: 'later': ");
    expect_no_points(TWO_AXES ", 'define': {'d': 'd + 1'}", "define: d: ");
    expect_no_points(TWO_AXES ", 'filters': ['a > 0', 'a >']", "filters[1]: 'a >': ");
}

/* A profile's path begins in the folder of the spec, wherever the sweep is started. */
static void test_profile_beside_the_spec(void **state)
{
    char *json = json_of("{'extends': 'gfx90a-mi210', 'cu': {'simds': 2}}");

    (void)state;
    write_text(in_folder("mine.json"), json);
    expect_points("'profiles': ['mine.json'], 'axes': [{'parameter': 'n', 'values': [1, 2, 3]}], 'filters': ['n = "
                  "[cu.simds]']",
                  "2");
    free(json);
}

static void expect_word(struct sweep_points *p, uint64_t point, const char *name, const char *word)
{
    const char *got = sweep_point_word(p, point, name);

    if (!word)
        assert_null(got);
    else
        assert_string_equal(got, word);
}

static void test_words(void **state)
{
    struct sweep_spec *s = spec_with(TWO_AXES ", 'define': {'area': 'a * b', 'half': 'b / 16.0', 'text': 'c || a', "
                                              "'none': 'NULL', 'big': 'a * 1e300'}");
    struct sweep_points *p = points_of(s);

    (void)state;
    expect_word(p, 4, "a", "2");
    expect_word(p, 4, "c", "y");
    expect_word(p, 4, "area", "32");
    expect_word(p, 3, "half", "0.5");
    expect_word(p, 3, "text", "x2");
    expect_word(p, 3, "none", NULL);
    expect_word(p, 3, "other", NULL);
    expect_word(p, 0, "big", "1e+300");
    sweep_points_free(p);
    sweep_spec_free(s);
}

/* 200 definitions of which each one names the two before it: evaluated anew for each name they would take for ever. */
static void test_chain_of_definitions(void **state)
{
    char *more = calloc(1, 20000);
    struct sweep_spec *s;
    struct sweep_points *p;

    (void)state;
    strcpy(more, "'axes': [{'parameter': 'a', 'values': [1, 2]}], 'define': {'d0': 'a', 'd1': 'a'");
    for (int k = 2; k < 200; k++)
        sprintf(more + strlen(more), ", 'd%d': '(d%d + d%d) %% 1000'", k, k - 1, k - 2);
    strcat(more, "}, 'filters': ['d199 >= 0']");
    s = spec_with(more);
    p = points_of(s);
    expect_word(p, 0, "d16", "597"); /* Fibonacci */
    expect_word(p, 1, "d16", "194");
    sweep_points_free(p);
    sweep_spec_free(s);
    free(more);
}

/* ---- too many ---- */

#define THOUSAND(n) "{'parameter': '" n "', 'range': {'from': 1, 'to': 1000, 'step': 1}}"

static void test_too_many(void **state)
{
    (void)state;
    expect_no_points("'axes': [" THOUSAND("a") ", " THOUSAND("b") ", " THOUSAND("c") "]",
                     "1000000000 combinations (1 launch x 1 profile x 1000 of a x 1000 of b x 1000 of c); expected at "
                     "most 100000: fewer values, \"sampling\", or \"limits\": {\"points\": N}");
    expect_no_points("'axes': [" THOUSAND("a") ", " THOUSAND("b") ", " THOUSAND("c") "], 'filters': ['a = b']",
                     "1000000000 combinations (1 launch x 1 profile x 1000 of a x 1000 of b x 1000 of c); expected at "
                     "most 10000000");
    expect_no_points("'axes': [" THOUSAND("a") "], 'limits': {'points': 999}", "1000 combinations");
    expect_no_points("'axes': [" THOUSAND("a") "], 'filters': ['a > 10'], 'limits': {'points': 20}",
                     "21 points or more; expected at most 20");
    /* as many as may be looked at are looked at */
    expect_no_points(
        "'axes': [" THOUSAND("a") ", " THOUSAND("b") ", {'parameter': 'c', 'range': {'from': 1, 'to': 10, "
                                                     "'step': 1}}], 'filters': ['a > 0'], 'limits': {'points': 5}",
        "6 points or more; expected at most 5");
    expect_no_points("'axes': [" THOUSAND("a") "], 'sampling': {'method': 'latin-hypercube', 'points': 101}, "
                                               "'limits': {'points': 100}",
                     "sampling: 101 points for each of 1 launches and 1 profiles; expected at most 100 in all");
}

/* ---- Latin hypercube ---- */

/* Whether each n-th part of each axis has one point. */
static void expect_strata(const struct sweep_points *p, uint32_t columns, uint32_t n, uint32_t values)
{
    for (uint32_t c = 0; c < columns; c++) {
        bool *seen = calloc(n, sizeof *seen);

        for (uint64_t k = 0; k < n; k++) {
            uint32_t stratum = ((uint32_t)sweep_point_value(p, k, c)->number - 1) * n / values;

            assert_false(seen[stratum]);
            seen[stratum] = true;
        }
        free(seen);
    }
}

static void test_latin(void **state)
{
    struct sweep_spec *s = spec_with("'axes': [" THOUSAND("a") ", " THOUSAND("b") ", " THOUSAND(
        "c") "], 'sampling': "
             "{'method': 'latin-hypercube', 'points': 100, 'seed': 5}");
    struct sweep_points *p = points_of(s), *again = points_of(s);
    char *text = values_of(s, p), *same = values_of(s, again), *other;

    (void)state;
    assert_int_equal(sweep_points_count(p), 100);
    expect_strata(p, 3, 100, 1000);
    assert_string_equal(text, same);
    s->seed = 6;
    sweep_points_free(again);
    again = points_of(s);
    other = values_of(s, again);
    assert_string_not_equal(text, other);
    expect_strata(again, 3, 100, 1000);
    free(text);
    free(same);
    free(other);
    sweep_points_free(p);
    sweep_points_free(again);
    sweep_spec_free(s);
}

static void expect_distinct(const struct sweep_spec *s, const struct sweep_points *p)
{
    for (uint64_t k = 0; k < sweep_points_count(p); k++)
        for (uint64_t m = 0; m < k; m++) {
            bool same = true;

            for (uint32_t c = 0; c < sweep_columns(s); c++)
                same &= sweep_point_value(p, k, c) == sweep_point_value(p, m, c);
            assert_false(same);
        }
}

/* Filters take points away, which are drawn anew; what there is not is reported. */
static void test_latin_with_filters(void **state)
{
    struct sweep_spec *s = spec_with(
        "'axes': [" THOUSAND("a") ", " THOUSAND("b") "], 'sampling': {'method': "
                                                     "'latin-hypercube', 'points': 200}, 'filters': ['a > b']");
    struct sweep_points *p = points_of(s);

    (void)state;
    assert_int_equal(sweep_points_count(p), 200);
    assert_int_equal(sweep_points_missing(p), 0);
    assert_true(sweep_points_filtered(p) > 50);
    for (uint64_t k = 0; k < 200; k++)
        assert_true(sweep_point_value(p, k, 0)->number > sweep_point_value(p, k, 1)->number);
    expect_distinct(s, p);
    sweep_points_free(p);
    sweep_spec_free(s);
    s = spec_with(TWO_AXES ", 'sampling': {'method': 'latin-hypercube', 'points': 50}");
    p = points_of(s);
    assert_int_equal(sweep_points_count(p), 6);
    assert_int_equal(sweep_points_missing(p), 44);
    expect_distinct(s, p);
    sweep_points_free(p);
    sweep_spec_free(s);
}

/* A point is looked up among those before it: this takes milliseconds, not minutes. */
static void test_large_latin(void **state)
{
    struct sweep_spec *s =
        spec_with("'axes': [" THOUSAND("a") ", " THOUSAND("b") "], 'sampling': {'method': "
                                                               "'latin-hypercube', 'points': 90000}");
    struct sweep_points *p = points_of(s);

    (void)state;
    assert_int_equal(sweep_points_count(p), 90000);
    sweep_points_free(p);
    sweep_spec_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_axes),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_texts_in_filters),
        cmocka_unit_test(test_figures_in_filters),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_profile_beside_the_spec),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_chain_of_definitions),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_latin),
        cmocka_unit_test(test_latin_with_filters),
        cmocka_unit_test(test_large_latin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
