/* Lines and tables of the annotated code (sim/report/annotate_rows.c, annotate_tables.c): widths, colours, what is hot,
 * which lines of a table come first and which are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/annotate_rows.h"

/* ---- lines ---- */

static void numbers_in_columns(void **state)
{
    static const struct {
        double v;
        unsigned width;
        const char *text;
    } v[] = {
        {0, 1, "0"},
        {999, 3, "999"},
        {1234, 5, "1,234"},
        {1234, 4, "1234"},
        {1234, 3, "1.23k"},
        {12345, 4, "12.3k"},
        {123456, 5, "123k"},
        {1234567, 9, "1,234,567"},
        {1234567, 7, "1234567"},
        {1234567, 6, "1.23M"},
        {9994999, 6, "9.99M"},
        {9995000, 6, "10.0M"},
        {99949999, 6, "99.9M"},
        {99950000, 6, "100M"},
        {999499999, 6, "999M"},
        {999500000, 6, "1.00G"},
        {5e17, 6, "500P"},
        {5e18, 6, "5.00E"},
    };
    char out[32];

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        if (strcmp(row_number(v[k].v, v[k].width, out), v[k].text) != 0)
            fail_msg("%.0f in %u: %s", v[k].v, v[k].width, out);
}

/* What is written of a row in some colour. To be freed. */
static char *written(struct row *row, enum row_color color, bool colored)
{
    const struct report_annotate a = {.color = colored};
    struct sheet s = {.a = &a};
    char *text = NULL;
    size_t bytes;

    s.f = open_memstream(&text, &bytes);
    assert_non_null(s.f);
    row_put(&s, row, color);
    assert_int_equal(fclose(s.f), 0);
    assert_int_equal(row->used, 0);
    return text;
}

/* Each colour has a sequence of its own, which ends with the line; none without colours, and none of a plain line. */
static void colours(void **state)
{
    char *of[ROW_SOURCE + 1];

    (void)state;
    for (unsigned color = ROW_PLAIN; color <= ROW_SOURCE; color++) {
        struct row row = {.used = 0};

        row_add(&row, "text");
        char *plain = written(&row, color, false);
        assert_string_equal(plain, "text\n");
        free(plain);
        row_add(&row, "text");
        of[color] = written(&row, color, true);
        const char *at = strstr(of[color], "text");
        assert_non_null(at);
        if (color == ROW_PLAIN) {
            assert_string_equal(of[color], "text\n");
        } else {
            assert_memory_equal(of[color], "\033[", 2);
            assert_int_equal(at[-1], 'm');
            assert_string_equal(at, "text\033[0m\n");
        }
        for (unsigned k = 0; k < color; k++)
            assert_string_not_equal(of[k], of[color]);
    }
    for (unsigned color = ROW_PLAIN; color <= ROW_SOURCE; color++)
        free(of[color]);
}

/* At most 120 columns, in whole characters, without blanks at the end; tabs are blanks, and what a terminal would take
 * as a command is shown. */
static void lines(void **state)
{
    struct row row = {.used = 0};
    char *text;

    (void)state;
    row_add(&row, "a\tb\033[1m");
    row_to(&row, 20);
    assert_int_equal(row_columns(&row), 20);
    row_to(&row, 10);
    assert_int_equal(row_columns(&row), 20);
    text = written(&row, ROW_PLAIN, false);
    assert_memory_equal(text, "a b", 3);
    assert_null(strchr(text, '\033'));
    assert_int_not_equal(text[strlen(text) - 2], ' ');
    free(text);
    for (unsigned k = 0; k < 200; k++)
        row_add(&row, "\xc3\xa4"); /* two bytes in one column */
    assert_int_equal(row_columns(&row), 200);
    text = written(&row, ROW_PLAIN, false);
    assert_int_equal(strlen(text), 2 * REPORT_ANNOTATE_COLUMNS + 1);
    free(text);
    for (unsigned k = 0; k < 100; k++)
        row_add(&row, "%s", "sixteen_columns."); /* more than a row has room for */
    assert_true(row.used < sizeof row.text);
    text = written(&row, ROW_PLAIN, false);
    assert_int_equal(strlen(text), REPORT_ANNOTATE_COLUMNS + 1);
    free(text);
}

/* A tenth of the run's wave-cycles is hot, a fiftieth warm; nothing is never. */
static void heat(void **state)
{
    static const struct {
        double whole, cycles;
        enum row_color color;
    } v[] = {{1000, 100, ROW_HOT}, {1000, 99, ROW_WARM}, {1000, 20, ROW_WARM}, {1000, 19, ROW_PLAIN},
             {1000, 0, ROW_PLAIN}, {0, 0, ROW_PLAIN},    {0, 1, ROW_HOT}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        const struct sheet s = {.whole = v[k].whole};

        assert_int_equal(row_heat(&s, v[k].cycles), v[k].color);
    }
}

/* Counts add up; of the longest latency the longer one counts. */
static void sums(void **state)
{
    uint64_t sum[STAT_INST_ALL], one[STAT_INST_ALL];

    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned k = 0; k < STAT_INST_ALL; k++) {
            sum[k] = round ? 5 : 100 + k;
            one[k] = round ? 100 + k : 5;
        }
        row_sum(sum, one);
        for (unsigned k = 0; k < STAT_INST_ALL; k++)
            assert_int_equal(sum[k], k == STAT_INST_LATENCY_MAX_CYCLES ? 100 + k : 105 + k);
    }
}

/* ---- tables ---- */

enum { INSTS = 14 };

/* As many functions as instructions, "f0", "f1" ..., each with a line of its own. */
struct made {
    struct report r;
    struct report_code code;
    struct report_code_inst inst[INSTS];
    struct report_function function[INSTS];
    struct report_frame frame[INSTS];
    uint64_t stat[INSTS][STAT_INST_ALL];
    char name[INSTS][8];
};

static void make(struct made *m, const uint64_t *cycles)
{
    memset(m, 0, sizeof *m);
    for (unsigned k = 0; k < INSTS; k++) {
        snprintf(m->name[k], sizeof m->name[k], "f%u", k);
        m->stat[k][STAT_INST_EXECUTED] = 10;
        m->stat[k][STAT_INST_STALL + STALL_BARRIER] = cycles[k];
        m->frame[k] = (struct report_frame){m->name[k], "a.cl", 100 + k, 0};
        m->inst[k] = (struct report_code_inst){.pc = 4 * k,
                                               .pc_offset = 4 * k,
                                               .text = "s_nop 0",
                                               .stat = m->stat[k],
                                               .frame = &m->frame[k],
                                               .frames = 1,
                                               .function = k,
                                               .loop = REPORT_NONE,
                                               .target = REPORT_NONE,
                                               .reached = true};
        m->function[k] = (struct report_function){m->name[k], m->name[k], k, 1, false};
    }
    m->code = (struct report_code){.inst = m->inst, .function = m->function, .insts = INSTS, .functions = INSTS};
    m->r.has_insts = true;
    m->r.code = &m->code;
    m->r.present[STAT_RESIDENT_WAVE_CYCLES] = true;
    m->r.value[STAT_RESIDENT_WAVE_CYCLES] = 1000;
}

/* "f3 f0 ..." of the table of functions, "a.cl:103 ..." of that of lines; and the rest that is left out. */
static void expect_tables(struct made *m, const struct report_annotate *a, const char *order, unsigned more)
{
    struct sheet s = {.a = a, .r = &m->r, .code = &m->code, .whole = 1000};
    char *text = NULL, functions[200] = "", lines_[400] = "", wanted[400] = "";
    unsigned left[2] = {0}, table = 0;
    size_t bytes;

    s.f = open_memstream(&text, &bytes);
    assert_non_null(s.f);
    assert_true(annotate_tables(&s));
    assert_int_equal(fclose(s.f), 0);
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *last = strrchr(line, ' ') + 1;

        if (strstr(line, "largest stall"))
            table += 1;
        else if (strstr(line, " more "))
            left[table - 1] = (unsigned)strtoul(strstr(line, "and ") + 4, NULL, 10);
        else
            snprintf((table == 1 ? functions : lines_) + strlen(table == 1 ? functions : lines_), 100, "%s ", last);
    }
    assert_int_equal(table, 2);
    assert_string_equal(functions, order);
    char copy[200], *rest = copy;
    snprintf(copy, sizeof copy, "%s", order);
    for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        snprintf(wanted + strlen(wanted), 100, "a.cl:%lu ", 100 + strtoul(one + 1, NULL, 10));
    assert_string_equal(lines_, wanted);
    assert_true(left[0] == more && left[1] == more);
    free(text);
}

/* Those with the most cycles first, of equals the first in the code; ten, or as many as are asked for. */
static void the_first_lines_of_a_table(void **state)
{
    static const uint64_t cycles[INSTS] = {5, 70, 5, 0, 300, 5, 70, 1, 2, 3, 4, 5, 90, 6};
    bool no_memory = false;
    struct made m;

    (void)state;
    make(&m, cycles);
    struct report_annotate a = {.r = &m.r, .no_sources = true, .no_memory = &no_memory};
    expect_tables(&m, &a, "f4 f12 f1 f6 f13 f0 f2 f5 f11 f10 ", 4);
    a.top = 3;
    expect_tables(&m, &a, "f4 f12 f1 ", 11);
    a.top = 20;
    expect_tables(&m, &a, "f4 f12 f1 f6 f13 f0 f2 f5 f11 f10 f9 f8 f7 f3 ", 0);
    a.function = "f12";
    expect_tables(&m, &a, "f12 ", 0);
}

/* Where instructions come from stands before the first of each place; a column within a line makes no other place. */
static void places_of_instructions(void **state)
{
    static const uint64_t cycles[INSTS] = {0};
    struct report_frame same, chain[3][2];
    bool no_memory = false;
    struct made m;

    (void)state;
    make(&m, cycles);
    for (unsigned k = 0; k < INSTS; k++)
        m.inst[k].function = 0;
    m.function[0].count = INSTS;
    m.code.functions = 1;
    same = m.frame[0];
    same.column = 9;
    m.inst[1].frame = &same;
    for (unsigned k = 0; k < 3; k++) { /* inlined at the same line, or at another one */
        chain[k][0] = m.frame[5];
        chain[k][1] = (struct report_frame){"outer", "a.cl", k < 2 ? 900 : 901, k};
        m.inst[5 + k].frame = chain[k];
        m.inst[5 + k].frames = 2;
    }
    char *text = report_render(report_write_annotated,
                               &(struct report_annotate){.r = &m.r, .no_sources = true, .no_memory = &no_memory});
    const char *code = strstr(text, "\nf0:\n");
    assert_non_null(code);
    for (unsigned k = 0; k < INSTS; k++) {
        char place[20];
        unsigned times = 0;

        snprintf(place, sizeof place, "\n    a.cl:%u", 100 + k);
        for (const char *at = code; (at = strstr(at, place)); at++)
            times++;
        assert_int_equal(times, k == 1 || k == 6 || k == 7 ? 0 : k == 5 ? 2 : 1);
    }
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_columns),
        cmocka_unit_test(colours),
        cmocka_unit_test(lines),
        cmocka_unit_test(heat),
        cmocka_unit_test(sums),
        cmocka_unit_test(the_first_lines_of_a_table),
        cmocka_unit_test(places_of_instructions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
