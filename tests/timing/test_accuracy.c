/* The rows of make accuracy that take little time: those that must be exact are, and no section is further from what is
 * documented than it says. Also that the words of the kernels are what their text says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/timing/accuracy/table.h"

/* Throughputs are taken between two numbers of instructions, which end anywhere in a wave's turn. */
#define THROUGHPUT_PER_CENT 0.8 /* a window ends at an issue, which a queue ahead of its unit lets come early */

static void check_section(const struct acc_section *s)
{
    struct bench b = {0};
    struct acc_result r;
    struct acc_summary sum;
    const struct acc_result *one = &r;

    assert_true(acc_run(&b, s, ACC_EXACT | ACC_QUICK, NULL, &r));
    bench_close(&b);
    assert_true(r.count > 0);
    for (size_t k = 0; k < r.count; k++) {
        const struct acc_line *l = &r.line[k];
        bool window = l->row->how == HOW_THROUGHPUT || l->row->how == HOW_PER_CYCLE;
        double error = fabs(acc_error(l->row, l->simulated));

        if (isnan(l->simulated))
            fail_msg("%s on %s: %s", l->row->what, l->profile, l->error);
        if (l->row->flags & ACC_EXACT && error > (window ? THROUGHPUT_PER_CENT : 1e-9))
            fail_msg("%s on %s: %g simulated, %g to %g documented", l->row->what, l->profile, l->simulated, l->row->lo,
                     l->row->hi);
    }
    acc_summarize(&one, 1, &sum);
    acc_result_free(&r);
    if (sum.mean > s->bound)
        fail_msg("%s: mean error %.2f%% over %u rows; the bound is %g%%", s->title, sum.mean, sum.rows, s->bound);
}

#define SECTION_TEST(NAME)                                                                                             \
    static void test_##NAME(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        check_section(&acc_##NAME);                                                                                    \
    }
SECTION_TEST(issue_gcn)
SECTION_TEST(issue_rdna)
SECTION_TEST(lds)
SECTION_TEST(matrix)
SECTION_TEST(latency)
SECTION_TEST(bandwidth)
SECTION_TEST(launch)

/* llvm-mc wrote the text and the words; the disassembler, which is held against LLVM elsewhere, reads the words. */
static void check_snippet(const struct bench_snippet *s, const char *target)
{
    struct gcnsim_disasm *d;
    char all[4096] = "", text[256];
    int known;

    assert_int_equal(gcnsim_disasm_open(&d, target, NULL), GCNSIM_OK);
    for (size_t at = 0, bytes; at < 4 * s->words; at += bytes) {
        bytes = gcnsim_disasm_one(d, (const uint8_t *)s->word + at, 4 * s->words - at, text, sizeof text, &known);
        assert_true(bytes >= 4);
        assert_true(strlen(all) + strlen(text) + 3 < sizeof all);
        strcat(strcat(all, *all ? "; " : ""), text);
    }
    gcnsim_disasm_close(d);
    /* blanks aside: LLVM sets some off with tabs */
    const char *a = all, *b = s->text;
    while (*a || *b) {
        if (*a == ' ' || *a == '\t') {
            a++;
        } else if (*b == ' ' || *b == '\t') {
            b++;
        } else if (*a++ != *b++) {
            fail_msg("%s of %s: \"%s\" is assembled as \"%s\"", s->name, target, s->text, all);
        }
    }
}

static void test_words(void **state)
{
    size_t count;
    const struct bench_snippet *s = bench_snippets(&count);

    (void)state;
    assert_true(count > 100);
    for (size_t k = 0; k < count; k++) {
        char target[32];

        assert_int_equal(sscanf(s[k].targets, "%31s", target), 1);
        check_snippet(&s[k], target);
    }
}

/* A range counts as met inside, and from its nearer end outside. */
static void test_error(void **state)
{
    const struct acc_row range = {.lo = 100, .hi = 200}, point = {.lo = 50, .hi = 50};

    (void)state;
    assert_true(acc_error(&range, 150) == 0);
    assert_true(acc_error(&range, 200) == 0);
    assert_true(fabs(acc_error(&range, 90) + 10) < 1e-9);
    assert_true(fabs(acc_error(&range, 210) - 5) < 1e-9);
    assert_true(fabs(acc_error(&point, 51) - 2) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),      cmocka_unit_test(test_error),     cmocka_unit_test(test_issue_gcn),
        cmocka_unit_test(test_issue_rdna), cmocka_unit_test(test_lds),       cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_latency),    cmocka_unit_test(test_bandwidth), cmocka_unit_test(test_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
