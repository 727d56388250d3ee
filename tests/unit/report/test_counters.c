/* Values of counters (sim/report/counters.c): rows that are made up here, of statistics that are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/counters.h"

/* A run of four CUs with two SIMDs each and waves of 64, whose instructions, waits and cycles are 600, 40 and 5000. */
static struct report *run(const char *target)
{
    static struct report r;

    memset(&r, 0, sizeof r);
    r.target = target;
    r.has_chip = true;
    r.chip.gpu.cus = 4;
    r.chip.cu.simds = 2;
    r.chip.wave_size = 64;
    r.present[STAT_CYCLES] = r.present[STAT_INSTRUCTIONS] = r.present[STAT_VALU_CYCLES] = true;
    r.value[STAT_CYCLES] = 5000;
    r.value[STAT_INSTRUCTIONS] = 600;
    r.value[STAT_VALU_CYCLES] = 40;
    return &r;
}

static void expect(const struct report *r, const struct counter_row *row, double value)
{
    double v = -1;

    assert_true(report_counter(r, row, &v));
    assert_float_equal(v, value, 1e-9);
}

static void expect_none(const struct report *r, const struct counter_row *row)
{
    double v;

    assert_false(report_counter(r, row, &v));
}

#define TERM(STAT, TIMES, WEIGHT)                                                                                      \
    {                                                                                                                  \
        STAT, COUNTERS_EVERY, TIMES, WEIGHT                                                                            \
    }

/* Weighted, and times what the chip has of something. */
static void sums(void **state)
{
    static const struct {
        struct counter_term of[2];
        double value;
    } v[] = {
        {{TERM(STAT_INSTRUCTIONS, PER_NOTHING, 1)}, 600},
        {{TERM(STAT_INSTRUCTIONS, PER_NOTHING, 2), TERM(STAT_VALU_CYCLES, PER_NOTHING, -0.5)}, 1180},
        {{TERM(STAT_INSTRUCTIONS, PER_CU, 1)}, 2400},
        {{TERM(STAT_INSTRUCTIONS, PER_SIMD, 1)}, 4800},
        {{TERM(STAT_INSTRUCTIONS, IF_WAVE64, 1), TERM(STAT_VALU_CYCLES, IF_WAVE32, 1)}, 600},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct counter_row row = {.generations = COUNTERS_EVERY};

        memcpy(row.of, v[k].of, sizeof v[k].of);
        expect(run("gfx90a"), &row, v[k].value);
    }
}

/* A share of nothing is none, and so is one of what the run does not have. */
static void shares(void **state)
{
    const struct counter_row row = {
        .generations = COUNTERS_EVERY,
        .of = {TERM(STAT_VALU_CYCLES, PER_NOTHING, 100)},
        .by = {TERM(STAT_CYCLES, PER_NOTHING, 1), TERM(STAT_INSTRUCTIONS, PER_NOTHING, -5)}};
    struct report *r = run("gfx90a");

    (void)state;
    expect(r, &row, 2);
    r->value[STAT_INSTRUCTIONS] = 1000;
    expect_none(r, &row);
    r->value[STAT_INSTRUCTIONS] = 1001;
    expect_none(r, &row);
    r->value[STAT_INSTRUCTIONS] = 0;
    r->present[STAT_INSTRUCTIONS] = false;
    expect_none(r, &row);
    r = run("gfx90a");
    r->present[STAT_VALU_CYCLES] = false;
    expect_none(r, &row);
}

/* Statistics that AMD's definition leaves open. */
static void unless(void **state)
{
    const struct counter_row row = {.generations = COUNTERS_EVERY,
                                    .of = {TERM(STAT_INSTRUCTIONS, PER_NOTHING, 1)},
                                    .unless = {STAT_VALU_CYCLES, STAT_SALU_CYCLES}};
    struct report *r = run("gfx90a");

    (void)state;
    expect_none(r, &row);
    r->value[STAT_VALU_CYCLES] = 0;
    expect(r, &row, 600);
    r->value[STAT_SALU_CYCLES] = 1;
    expect_none(r, &row);
}

/* Rows and terms are of the generations that have them, which targets name. */
static void generations(void **state)
{
    static const struct {
        const char *target;
        enum counter_generation generation; /* 0: none */
    } v[] = {{"gfx803", COUNTERS_G8},   {"gfx900", COUNTERS_G900}, {"gfx906", COUNTERS_G906}, {"gfx908", COUNTERS_G908},
             {"gfx90a", COUNTERS_G90A}, {"gfx90c", COUNTERS_G900}, {"gfx942", COUNTERS_G94X}, {"gfx950", COUNTERS_G950},
             {"gfx1030", COUNTERS_G10}, {"gfx1100", COUNTERS_G11}, {"gfx1201", COUNTERS_G12}, {"gfx600", 0}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned bit = 1; bit < COUNTERS_EVERY; bit <<= 1) {
            const struct counter_row row = {.generations = (uint16_t)bit,
                                            .of = {TERM(STAT_INSTRUCTIONS, PER_NOTHING, 1)}},
                                     term = {.generations = COUNTERS_EVERY,
                                             .of = {TERM(STAT_INSTRUCTIONS, PER_NOTHING, 1),
                                                    {STAT_VALU_CYCLES, (uint16_t)bit, PER_NOTHING, 1}}};
            const bool its = bit == (unsigned)v[k].generation;

            if (its)
                expect(run(v[k].target), &row, 600);
            else
                expect_none(run(v[k].target), &row);
            if (v[k].generation)
                expect(run(v[k].target), &term, its ? 640 : 600);
        }
}

static void rows_by_number(void **state)
{
    size_t count = 0;

    (void)state;
    while (report_counter_row(count)) {
        assert_ptr_equal(report_counter_row(count), &report_counter_rows[count]);
        assert_non_null(report_counter_row(count)->name);
        count++;
    }
    assert_true(count > 100);
    assert_null(report_counter_rows[count].name);
    assert_null(report_counter_row(count + 1));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),        cmocka_unit_test(shares),         cmocka_unit_test(unless),
        cmocka_unit_test(generations), cmocka_unit_test(rows_by_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
