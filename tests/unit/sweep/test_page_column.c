/* Columns of the page of a sweep (sim/sweep/page_column.c), read back as the page's script reads them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sweep/page_column.h"
#include "tests/support/json.h"

enum { BASE = 90 };

/* The value of a code's digit; -1: no digit. */
static int digit_of(char c)
{
    if (c < '#' || c > '~' || c == '<' || c == '\\')
        return -1;
    return c - '#' - (c > '<') - (c > '\\');
}

static uint64_t code_at(const char *at, unsigned width)
{
    uint64_t code = 0;

    while (width--) {
        assert_true(digit_of(at[width]) >= 0);
        code = BASE * code + (uint64_t)digit_of(at[width]);
    }
    return code;
}

/* ---- texts ---- */

/* Each text has one number, the numbers go up by their first appearance, however many there are. */
static void each_text_once(void **state)
{
    enum { TEXTS = 1000 };
    struct page_names n = {0};
    char text[16];

    (void)state;
    assert_int_equal(page_name(&n, NULL), PAGE_NONE);
    assert_int_equal(n.count, 0);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t k = 0; k < TEXTS; k++) {
            snprintf(text, sizeof text, "%u", round ? TEXTS - 1 - k : k);
            assert_int_equal(page_name(&n, text), round ? TEXTS - 1 - k : k);
        }
    assert_int_equal(page_name(&n, ""), TEXTS);
    assert_int_equal(page_name(&n, ""), TEXTS);
    assert_int_equal(n.count, TEXTS + 1);
    for (uint32_t k = 0; k < TEXTS; k++)
        assert_int_equal(atoi(n.text[k]), k);
    page_names_free(&n);
    assert_true(!n.count && !n.text && !n.slot && !n.room);
}

/* ---- codes ---- */

static void widths_of_codes(void **state)
{
    static const struct {
        size_t count;
        unsigned width;
    } v[] = {{0, 1}, {1, 1}, {90, 1}, {91, 2}, {8100, 2}, {8101, 3}, {729000, 3}, {729001, 4}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        assert_int_equal(page_code_width(v[k].count), v[k].width);
}

/* All numbers of two digits, each in characters that neither JSON nor HTML escapes. */
static void digits_of_codes(void **state)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    (void)state;
    assert_non_null(f);
    for (uint32_t code = 0; code < BASE * BASE; code++)
        page_put_code(f, code, 2);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(bytes, 2 * BASE * BASE);
    for (uint32_t code = 0; code < BASE * BASE; code++)
        assert_int_equal(code_at(text + 2 * code, 2), code);
    free(text);
}

/* ---- numbers ---- */

static void texts_of_numbers(void **state)
{
    static const struct {
        double v;
        const char *exact, *short_; /* null: the same */
    } v[] = {
        {0, "0", NULL},
        {-0.5, "-0.5", NULL},
        {1e14, "100000000000000", NULL},
        {999999999999999, "999999999999999", NULL},
        {123456789012, "123456789012", NULL},
        {1e15, "1e+15", "1e+15"},
        {0.1, "0.1", NULL},
        {1 / 3.0, "0.3333333333333333", "0.333333333"},
        {1e300, "1e+300", NULL},
        {NAN, "null", NULL},
        {INFINITY, "null", NULL},
        {-INFINITY, "null", NULL},
    };
    char text[40];

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned exact = 0; exact < 2; exact++) {
            int n = page_number(text, sizeof text, v[k].v, exact);

            assert_int_equal(n, strlen(text));
            assert_string_equal(text, exact || !v[k].short_ ? v[k].exact : v[k].short_);
        }
}

static void put(char *to, size_t size, const double *value, size_t points, bool exact)
{
    double *scratch = calloc(points + 1, sizeof *scratch);
    FILE *f = fmemopen(to, size, "w");
    struct json_put j = {.f = f, .compact = true};

    assert_true(scratch && f);
    assert_true(page_put_column(&j, value, points, exact, scratch));
    assert_int_equal(fclose(f), 0);
    free(scratch);
}

/* The column says the same in either form, of which it has the shorter one. */
static void expect(const double *value, size_t points, bool list)
{
    static char text[1 << 16];

    put(text, sizeof text, value, points, true);
    const struct json *column = json_parse(text), *of = json_get(column, "of");
    assert_int_equal(json_is_array(column), list);
    if (list)
        assert_int_equal(json_elements(column), points);
    for (size_t k = 0; k < points; k++) {
        const struct json *entry = list ? json_at(column, k) : NULL;

        if (!list) {
            unsigned width = (unsigned)json_integer(json_get(column, "w"));
            uint64_t code = code_at(json_text(json_get(column, "at")) + width * k, width);

            assert_int_equal(strlen(json_text(json_get(column, "at"))), width * points);
            assert_int_equal(width, page_code_width(json_elements(of) + 1));
            assert_true(code <= json_elements(of));
            entry = code ? json_at(of, code - 1) : NULL;
        }
        if (isfinite(value[k]))
            assert_true(json_is_number(entry) && json_number(entry) == value[k]);
        else
            assert_true(!entry || (list && !json_is_number(entry)));
    }
    for (size_t k = 1; !list && k < json_elements(of); k++) /* sorted, each once */
        assert_true(json_number(json_at(of, k - 1)) < json_number(json_at(of, k)));
    json_free(column);
}

static void columns(void **state)
{
    enum { POINTS = 300 };
    static double value[POINTS];

    (void)state;
    expect(value, 0, true);
    for (unsigned k = 0; k < POINTS; k++)
        value[k] = k; /* of which none repeats */
    expect(value, POINTS, true);
    for (unsigned k = 0; k < POINTS; k++)
        value[k] = 12345.5 + (k * 7 + 3) % 4;
    expect(value, POINTS, false);
    for (unsigned k = 0; k < POINTS; k += 3)
        value[k] = k % 2 ? NAN : -INFINITY;
    expect(value, POINTS, false);
    for (unsigned k = 0; k < POINTS; k++)
        value[k] = 123456.25 + k % 100; /* codes of two digits */
    expect(value, POINTS, false);
    for (unsigned k = 0; k < POINTS; k++)
        value[k] = k % 10; /* a digit and a comma against a code each and the entries */
    expect(value, POINTS, false);
    expect(value, 20, true);
    for (unsigned k = 0; k < POINTS; k++)
        value[k] = NAN;
    expect(value, POINTS, false);
    expect(value, 1, false);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_once),   cmocka_unit_test(widths_of_codes), cmocka_unit_test(digits_of_codes),
        cmocka_unit_test(texts_of_numbers), cmocka_unit_test(columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
