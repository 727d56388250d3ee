/* What is said of a comparison, word by word (tests/unit/study/words), of entries that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/words.h"

enum { ENTRIES = 6, POINTS = 4, COUNTS = 3 };

struct made {
    struct gcnsim_comparison c;
    struct gcnsim_compare_entry entry[ENTRIES];
    struct gcnsim_compare_point point[ENTRIES][POINTS];
    struct gcnsim_compare_count issue[ENTRIES][COUNTS], stall[ENTRIES][COUNTS];
};

static void make(struct made *m, size_t entries)
{
    static const char *const label[ENTRIES] = {"first.s", "second.s", "a/long/path/to/third.s",
                                               "fourth",  "fifth",    "last"};
    /* of one to four waves: neighbours that are alike, and an entry of which fewer fit */
    static const double cycles[ENTRIES][POINTS] = {{40, 20, 20, 20}, {44, 22, 22, 22}, {40, 21, 20, 20},
                                                   {80, 40, 0, 0},   {40, 20, 20, 20}, {60, 30, 20, 15}};

    memset(m, 0, sizeof *m);
    for (unsigned k = 0; k < entries; k++) {
        for (unsigned n = 0; n < POINTS; n++)
            m->point[k][n] = (struct gcnsim_compare_point){n + 1, cycles[k][n]};
        for (unsigned n = 0; n < COUNTS; n++) {
            m->issue[k][n] = (struct gcnsim_compare_count){(const char *const[]){"valu", "salu", "never"}[n],
                                                           n < 2 ? 3 + k + n : 0, n < 2 ? 5 + 2 * k + n : 0};
            m->stall[k][n] = (struct gcnsim_compare_count){(const char *const[]){"issued", "fetch", "barrier"}[n],
                                                           n == 2 ? 0 : 7 + k + n, n == 2 && k ? 0 : -11.0 - k - n};
        }
        m->entry[k] = (struct gcnsim_compare_entry){.label = label[k],
                                                    .kernel = k == 1 ? "kernel" : NULL,
                                                    .bytes = 100 + k,
                                                    .instructions = 20 + k,
                                                    .vgprs = 30 + k,
                                                    .agprs = k == 4 ? 9 : 0,
                                                    .sgprs = 50 + k,
                                                    .wave_size = 64,
                                                    .icache_line_bytes = 128,
                                                    .icache_lines = 2 + k,
                                                    .waves_per_simd = k == 3 ? 2 : 4,
                                                    .limiter = k == 3 ? "vgprs" : "wave_slots",
                                                    .latency_cycles = cycles[k][0],
                                                    .throughput_cycles = cycles[k][k == 3 ? 1 : 3],
                                                    .points = m->point[k],
                                                    .point_count = k == 3 ? 2 : POINTS,
                                                    .issues = m->issue[k],
                                                    .issue_count = COUNTS,
                                                    .stalls = m->stall[k],
                                                    .stall_count = COUNTS,
                                                    .undelayed = k == 2};
    }
    m->c = (struct gcnsim_comparison){sizeof m->c, "gfx1201-rx9070xt", "gfx1201", 2, 4, m->entry, entries};
}

static void expect(const struct made *m, const char *name, bool json)
{
    struct gcnsim_error e = {0};
    char *text = NULL;

    assert_int_equal((json ? gcnsim_comparison_json : gcnsim_comparison_text)(&m->c, &text, &e), GCNSIM_OK);
    expect_words("tests/unit/study/words", name, text);
    gcnsim_free(text);
}

static void comparisons(void **state)
{
    struct made m;

    (void)state;
    make(&m, ENTRIES);
    expect(&m, "comparison_text", false);
    m.c.entry_count = 2;
    expect(&m, "comparison_json", true);
    make(&m, 1);
    m.c.cus = 1;
    m.entry[0].latency_cycles = 0; /* without a rate */
    expect(&m, "comparison_of_one", false);
}

/* Counts and differences below a fiftieth are noise: a row of nothing else is left out, and beside others they are 0.
 */
static void noise(void **state)
{
    struct made m;

    (void)state;
    make(&m, 3);
    for (unsigned k = 0; k < 3; k++) {
        m.issue[k][0].full = (const double[]){0.0199, -0.0199, 0}[k];
        m.issue[k][1].full = (const double[]){0.0199, -0.0199, 5}[k];
        m.issue[k][2].full = (const double[]){0, -0.02, 0.02}[k];
    }
    expect(&m, "comparison_noise", false);
}

/* Who wins: one, several within a thousandth, all. */
static void verdicts(void **state)
{
    struct made m;

    (void)state;
    make(&m, 3);
    m.entry[1].latency_cycles = 39.99;
    m.entry[2].latency_cycles = 40.03;
    m.entry[0].throughput_cycles = m.entry[1].throughput_cycles = 12;
    m.entry[2].throughput_cycles = 6;
    expect(&m, "comparison_verdicts", false);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons),
        cmocka_unit_test(noise),
        cmocka_unit_test(verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
