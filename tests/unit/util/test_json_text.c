/* What is JSON and what is not, with the place of the flaw. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <locale.h>

#include "sim/util/json_scan.h"
#include "tests/support/json.h"

#define TEXT(S) S, sizeof(S) - 1

#define EARLY     "the text ends early; expected a complete JSON object"
#define MALFORMED "malformed JSON; expected a JSON object"
#define NUL       "a NUL byte; expected JSON text"
#define NO_UTF8   "bytes that are no UTF-8; expected UTF-8 text"
#define HALF      "half a surrogate pair; expected a character"
#define AFTER     "text after the end of the object; expected nothing more"
#define ABOVE     "a number above 2^53; expected one that can be read exactly"
#define LONG      "a number of more than 63 characters; expected a shorter one"
#define DEEP      "brackets nest deeper than 8 levels; expected fewer"
#define CONTROL   "a control character in a string; expected an escape such as \\n"
#define ESCAPE    "an unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
#define DIGITS    "\\u without four hexadecimal digits"
#define BOM       "a byte order mark; expected JSON text without one"

/* Texts that are no JSON for this reader, with line, column and reason. */
static const struct {
    const char *text;
    size_t size;
    unsigned line, column;
    const char *flaw;
} no_json[] = {
    /* cut */
    {TEXT(""), 1, 1, EARLY},
    {TEXT(" \n\n  "), 3, 3, EARLY},
    {TEXT("{"), 1, 2, EARLY},
    {TEXT("{\"a"), 1, 4, EARLY},
    {TEXT("{\"a\""), 1, 5, EARLY},
    {TEXT("{\"a\":"), 1, 6, EARLY},
    {TEXT("{\"a\":1,"), 1, 8, EARLY},
    {TEXT("[1,"), 1, 4, EARLY},
    {TEXT("[1"), 1, 3, EARLY},
    {TEXT("[\"a\",\n4\n,1"), 3, 3, EARLY},
    {TEXT("\"\\"), 1, 3, EARLY},
    {TEXT("-"), 1, 2, EARLY},
    {TEXT("1."), 1, 3, EARLY},
    {TEXT("1e"), 1, 3, EARLY},
    {TEXT("1e+"), 1, 4, EARLY},
    {TEXT("tru"), 1, 1, MALFORMED},
    /* numbers */
    {TEXT("[01]"), 1, 3, MALFORMED},
    {TEXT("[-01]"), 1, 4, MALFORMED},
    {TEXT("[1.e3]"), 1, 4, MALFORMED},
    {TEXT("[+1]"), 1, 2, MALFORMED},
    {TEXT("[--1]"), 1, 3, MALFORMED},
    {TEXT("[.5]"), 1, 2, MALFORMED},
    {TEXT("[1-2]"), 1, 3, MALFORMED},
    {TEXT("[1.2.3]"), 1, 5, MALFORMED},
    {TEXT("[1e5.5]"), 1, 5, MALFORMED},
    {TEXT("[1e+-5]"), 1, 5, MALFORMED},
    {TEXT("[0x10]"), 1, 3, MALFORMED},
    {TEXT("[1_000]"), 1, 3, MALFORMED},
    {TEXT("[1,5e]"), 1, 6, MALFORMED},
    {TEXT("[NaN]"), 1, 2, MALFORMED},
    {TEXT("[nan]"), 1, 2, MALFORMED},
    {TEXT("[-Infinity]"), 1, 3, MALFORMED},
    {TEXT("[Infinity]"), 1, 2, MALFORMED},
    {TEXT("[\xef\xbc\x91]"), 1, 2, MALFORMED},
    {TEXT("{\"n\":9007199254740993}"), 1, 6, ABOVE},
    {TEXT("[-9007199254740993]"), 1, 3, ABOVE},
    {TEXT("[9007199254740992.5]"), 1, 2, ABOVE},
    {TEXT("[9007199254740993.0]"), 1, 2, ABOVE},
    {TEXT("[1234567890123456789012345678901234567890123456789012345678901234]"), 1, 2, LONG},
    {TEXT("[-0.0000000000000000000000000000000000000000000000000000000000001]"), 1, 2, LONG},
    {TEXT("[\n1,0.1000000000000000000000000000000000000000000000000000000000e+001]"), 2, 3, LONG},
    /* words */
    {TEXT("[True]"), 1, 2, MALFORMED},
    {TEXT("[truth]"), 1, 2, MALFORMED},
    {TEXT("[nul]"), 1, 2, MALFORMED},
    {TEXT("[truefalse]"), 1, 6, MALFORMED},
    {TEXT("[undefined]"), 1, 2, MALFORMED},
    {TEXT("['a']"), 1, 2, MALFORMED},
    {TEXT("*"), 1, 1, MALFORMED},
    /* white space and comments */
    {TEXT("{\"a\"\v:1}"), 1, 5, MALFORMED},
    {TEXT("[\f1]"), 1, 2, MALFORMED},
    {TEXT("[1\x01,2]"), 1, 3, MALFORMED},
    {TEXT("[\xc2\xa0]"), 1, 2, MALFORMED},
    {TEXT("[1 /* x */]"), 1, 4, MALFORMED},
    {TEXT("{}// x"), 1, 3, AFTER},
    {TEXT("\xef\xbb\xbf{}"), 1, 1, BOM},
    /* NUL */
    {TEXT("{\"a\":\"x\0y\"}"), 1, 8, NUL},
    {TEXT("{\"a\0b\":1}"), 1, 4, NUL},
    {TEXT("[1,\0 2]"), 1, 4, NUL},
    {TEXT("{}\0"), 1, 3, NUL},
    {TEXT("\0"), 1, 1, NUL},
    {TEXT("[1\0]"), 1, 3, NUL},
    {TEXT("[\"a\\u0000b\"]"), 1, 5, "\\u0000 in a string; expected text without it"},
    /* strings */
    {TEXT("{\"a\":\"x\ny\"}"), 1, 8, CONTROL},
    {TEXT("[\"\t\"]"), 1, 3, CONTROL},
    {TEXT("[\"\x1f\"]"), 1, 3, CONTROL},
    {TEXT("\"\\x41\""), 1, 3, ESCAPE},
    {TEXT("\"\\'\""), 1, 3, ESCAPE},
    {TEXT("\"\\\0\""), 1, 3, ESCAPE},
    {TEXT("\"\\U0041\""), 1, 3, ESCAPE},
    {TEXT("\"\\u12g4\""), 1, 3, DIGITS},
    {TEXT("\"\\u12"), 1, 3, DIGITS},
    {TEXT("\"\\u 123\""), 1, 3, DIGITS},
    {TEXT("\"\\ud800\""), 1, 8, HALF},
    {TEXT("\"\\udc00\\ud800\""), 1, 8, HALF},
    {TEXT("\"\\ud800\\u0041\""), 1, 8, HALF},
    {TEXT("\"\\ud800\\ud800\""), 1, 8, HALF},
    {TEXT("\"\\ud800\\n\""), 1, 8, HALF},
    /* UTF-8: no lead byte, overlong, surrogates, beyond Unicode, cut */
    {TEXT("\"\xff\""), 1, 2, NO_UTF8},
    {TEXT("\"\x80\""), 1, 2, NO_UTF8},
    {TEXT("\"\xc0\x80\""), 1, 2, NO_UTF8},
    {TEXT("\"\xc1\xbf\""), 1, 2, NO_UTF8},
    {TEXT("\"\xe0\x9f\xbf\""), 1, 2, NO_UTF8},
    {TEXT("\"\xf0\x8f\xbf\xbf\""), 1, 2, NO_UTF8},
    {TEXT("\"\xed\xa0\x80\""), 1, 2, NO_UTF8},
    {TEXT("\"\xf4\x90\x80\x80\""), 1, 2, NO_UTF8},
    {TEXT("\"\xf8\x88\x80\x80\x80\""), 1, 2, NO_UTF8},
    {TEXT("\"\xe2\x82\""), 1, 2, NO_UTF8},
    {TEXT("\"\xe2\x82"), 1, 2, NO_UTF8},
    {TEXT("\"\xc3\xa4\xc3\x28\""), 1, 4, NO_UTF8},
    {TEXT("{\"\xe4\":1}"), 1, 3, NO_UTF8},
    /* structure */
    {TEXT("{\n \"a\": 1,\n}"), 3, 1, MALFORMED},
    {TEXT("{,}"), 1, 2, MALFORMED},
    {TEXT("[1,]"), 1, 4, MALFORMED},
    {TEXT("[,1]"), 1, 2, MALFORMED},
    {TEXT("[1,,2]"), 1, 4, MALFORMED},
    {TEXT("[1 2]"), 1, 4, MALFORMED},
    {TEXT("[1;2]"), 1, 3, MALFORMED},
    {TEXT("{\"a\" 1}"), 1, 6, MALFORMED},
    {TEXT("{\"a\"}"), 1, 5, MALFORMED},
    {TEXT("{\"a\",1}"), 1, 5, MALFORMED},
    {TEXT("{\"a\"::1}"), 1, 6, MALFORMED},
    {TEXT("{\"a\":1 \"b\":2}"), 1, 8, MALFORMED},
    {TEXT("{a:1}"), 1, 2, MALFORMED},
    {TEXT("{1:1}"), 1, 2, MALFORMED},
    {TEXT("{[1]:1}"), 1, 2, MALFORMED},
    {TEXT("{\"a\":1]"), 1, 7, MALFORMED},
    {TEXT("[1}"), 1, 3, MALFORMED},
    {TEXT("]"), 1, 1, MALFORMED},
    {TEXT("[]]"), 1, 3, AFTER},
    {TEXT("{} {}"), 1, 4, AFTER},
    {TEXT("1 2"), 1, 3, AFTER},
    {TEXT("\"a\" x"), 1, 5, AFTER},
    {TEXT("[[[[[[[[[]]]]]]]]]"), 1, 9, DEEP},
    {TEXT("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":\n{}}}}}}}}}"), 2, 1, DEEP},
};

/* The text as a file, after a line that leaves its first n bytes in the part of the file that is read first. */
static bool scan_file(const char *text, size_t size, size_t n, struct err *e)
{
    enum { FIRST_PART = 16384 };
    char *file = malloc(FIRST_PART - n + size);
    struct json_scan s;

    assert_non_null(file);
    memset(file, ' ', FIRST_PART - n);
    file[FIRST_PART - n - 1] = '\n';
    memcpy(file + FIRST_PART - n, text, size);
    FILE *f = fmemopen(file, FIRST_PART - n + size, "r");
    assert_non_null(f);
    json_scan_file(&s, f, "f", 8, e);
    bool good = json_scan_value(&s) && json_scan_end(&s);
    json_scan_free(&s);
    fclose(f);
    free(file);
    return good;
}

/* The same message in memory and out of a file, of which each byte may be the last one in memory. */
static void bad(void **state)
{
    char want[200], of_file[200];

    (void)state;
    for (size_t k = 0; k < sizeof no_json / sizeof no_json[0]; k++) {
        struct err e = {0};
        snprintf(want, sizeof want, "f: line %u, column %u: %s", no_json[k].line, no_json[k].column, no_json[k].flaw);
        snprintf(of_file, sizeof of_file, "f: line %u, column %u: %s", no_json[k].line + 1, no_json[k].column,
                 no_json[k].flaw);
        if (json_text_check(no_json[k].text, no_json[k].size, "f", 8, &e) == 0 || e.code != ERR_FORMAT ||
            strcmp(e.text, want) != 0)
            fail_msg("%zu '%s': got '%s', expected '%s'", k, no_json[k].text, e.text, want);
        for (size_t n = 0; n <= no_json[k].size; n++) {
            e = (struct err){0};
            if (scan_file(no_json[k].text, no_json[k].size, n, &e) || strcmp(e.text, of_file) != 0)
                fail_msg("%zu '%s' cut at %zu: got '%s', expected '%s'", k, no_json[k].text, n, e.text, of_file);
        }
    }
}

static void good(void **state)
{
    static const char *const texts[] = {
        "{}",
        " [ ] \n",
        "0",
        "-0",
        "12",
        "-1.5e+3",
        "1E9",
        "0.125",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "true",
        "false",
        "null",
        "{\"a\":1,\"b\":[1,2,{\"c\":null}]}",
        "\"\\u00e4\\ud83d\\ude00\"",
        "\"\xc3\xa4\xf0\x9f\x98\x80\x7f\"",
        "\r\n\t [1 , 2]",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740994",
        "1e300",
        "[[[[[[[[]]]]]]]]",
        "9007199254740991.5",
        "123456789012345678901234567890123456789012345678901234567890123",
        "0.10000000000000000000000000000000000000000000000000000000e+001",
        "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
        "\"\\ud800\\udc00\\udbff\\udfff\\uD834\\uDD1E\"",
        "\"\\u0001\\uffff\"",
        "[\"\",{},[],0,null]",
    };
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const struct json *v = json_text_read(texts[k], strlen(texts[k]), "f", 8, &e);
        if (!v)
            fail_msg("%s: %s", texts[k], e.text);
        json_free(v);
        for (size_t n = 0; n <= strlen(texts[k]); n++)
            if (!scan_file(texts[k], strlen(texts[k]), n, &e))
                fail_msg("%s cut at %zu: %s", texts[k], n, e.text);
    }
}

/* What passes the check is read as doubles, members in order, in any locale. */
static void numbers_and_order(void **state)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "2",
                                        "2.0",
                                        "9007199254740992",
                                        "-9007199254740994",
                                        "1e300",
                                        "18446744073709551616",
                                        "1e-400",
                                        "0.1",
                                        "1.7976931348623158e308",
                                        "5e-324",
                                        "123456789012345678901234567890",
                                        "123456789012345678901234567890123456789012345678901234567890123"};
    static const char object[] = "{\"z\":1,\"a\":[2],\"m\":{\"b\":1,\"a\":2}}";
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const struct json *v = json_text_read(texts[k], strlen(texts[k]), "f", 8, &e);
        double want = strtod(texts[k], NULL), got = json_number(v), alone = NAN;
        if (!json_is_number(v) || memcmp(&want, &got, sizeof want))
            fail_msg("%s: %.17g %s", texts[k], got, e.text);
        if (!json_text_number(texts[k], &alone) || memcmp(&want, &alone, sizeof want))
            fail_msg("%s alone: %.17g", texts[k], alone);
        json_free(v);
    }
    const struct json *v = json_text_read(TEXT(object), "f", 8, &e), *item;
    const char *key;
    char keys[8] = "";
    json_each_member (v, key, item)
        strcat(keys, key);
    assert_string_equal(keys, "zam");
    json_free(v);
}

/* A text that is a number alone. */
static void number_alone(void **state)
{
    static const char *const none[] = {"", "1 2", "x", "true", "\"1\"", "[1]", "01", "0x10", "1,5", "nan", "1e", "-"};
    double d = 7;

    (void)state;
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        if (json_text_number(none[k], &d))
            fail_msg("%s: %g", none[k], d);
    assert_true(d == 7);
    assert_true(json_text_number(" 2.5e1 ", &d) && d == 25);
    assert_true(json_text_number("1e999", &d) && isinf(d));
}

/* Values of each kind, and what is not there. */
static void kinds(void **state)
{
    static const char text[] = "{\"s\":\"a\\n\\u00e4\\ud83d\\ude00\",\"S\":1,\"t\":true,\"f\":false,\"n\":null,"
                               "\"l\":[1.5,-1,9007199254740992,9007199254740994,\"\"],\"o\":{}}";
    struct err e = {0};
    uint64_t whole = 5;
    const struct json *v = json_text_read(TEXT(text), "f", 8, &e), *l = json_get(v, "l"), *item;
    size_t k, n = 0;

    (void)state;
    assert_non_null(v);
    assert_string_equal(json_text(json_get(v, "s")), "a\n\xc3\xa4\xf0\x9f\x98\x80");
    assert_true(json_number(json_get(v, "S")) == 1 && !json_text(json_get(v, "S")));
    assert_true(json_is_true(json_get(v, "t")) && json_is_boolean(json_get(v, "t")));
    assert_true(!json_is_true(json_get(v, "f")) && json_is_boolean(json_get(v, "f")));
    assert_true(json_is_null(json_get(v, "n")) && !json_is_null(json_get(v, "none")));
    assert_true(json_is_object(json_get(v, "o")) && !json_is_array(json_get(v, "o")));
    assert_int_equal(json_members(v), 7);
    assert_int_equal(json_elements(v), 0);
    assert_int_equal(json_members(l), 0);
    assert_int_equal(json_elements(l), 5);
    assert_null(json_get(l, "s"));
    assert_null(json_at(v, 0));
    assert_null(json_at(l, 5));
    assert_string_equal(json_text(json_at(l, 4)), "");
    json_each_element (l, k, item)
        n += k;
    assert_int_equal(n, 10);
    assert_false(json_whole(json_at(l, 0), &whole) || json_whole(json_at(l, 1), &whole) ||
                 json_whole(json_at(l, 3), &whole) || json_whole(json_at(l, 4), &whole) || json_whole(NULL, &whole));
    assert_int_equal(whole, 5);
    assert_true(json_whole(json_at(l, 2), &whole) && whole == UINT64_C(1) << 53);
    assert_null(json_get(NULL, "s"));
    assert_null(json_at(NULL, 0));
    assert_null(json_first(NULL));
    assert_null(json_next(NULL));
    assert_true(json_number(NULL) == 0 && !json_text(NULL) && !json_is_null(NULL));
    json_free(v);
    json_free(NULL);
}

static void not_read(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"[1,1e999]", "f: [1]: impossible value, no double is as large; expected a smaller number"},
        {"-1e999", "f: impossible value"},
        {"{\"a\":1,\"a\":2}", "f: a: given twice; expected once"},
        {"{\"a\":1,\"\\u0061\":2}", "f: a: given twice; expected once"},
        {"{\"b\":0,\"a\":1,\"c\":2,\"c\":3,\"a\":4,\"b\":5}", "f: c: given twice; expected once"},
        {"{\"a\":{\"\\n\\u007f\":1,\"\\n\\u007f\":2}}", "f: a.??: given twice; expected once"},
        {"{\"a\":[{},1e999]}", "f: a[1]: impossible value"},
        {"{\"x\":{\"a\":1,\"b\":{\"y\":\"{[,\"},\"a\" : 2}}", "f: x.a: given twice; expected once"},
        {"{\"l\":[0,{\"k\":[[]]},[1,{\"k\":1,\"j\":\"k\",\"k\":2}]]}", "f: l[2][1].k: given twice; expected once"},
        {"[{\"\":1,\n\"\":2}]", "f: [0].: given twice; expected once"},
        {"{\"a\":", "f: line 1, column 6: the text ends early"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct err e = {0};
        if (json_text_read(cases[k].text, strlen(cases[k].text), "f", 8, &e) || e.code != ERR_FORMAT ||
            !strstr(e.text, cases[k].error))
            fail_msg("%s: got '%s', expected '%s'", cases[k].text, e.text, cases[k].error);
    }
}

/* Names are compared in less than quadratic time: 200,000 of them, the last one again. */
static void many_members(void **state)
{
    enum { COUNT = 200000 };
    char *text = NULL;
    size_t size;
    struct err e = {0};
    FILE *f = open_memstream(&text, &size);

    (void)state;
    assert_non_null(f);
    for (int k = 0; k < COUNT; k++)
        fprintf(f, "%c\"%d\":%d", k ? ',' : '{', k, k);
    fprintf(f, ",\"%d\":0}", COUNT - 1);
    assert_int_equal(fclose(f), 0);
    assert_null(json_text_read(text, size, "f", 8, &e));
    assert_string_equal(e.text, "f: 199999: given twice; expected once");
    memcpy(text + size - 11, "\"200000\"", 8);
    e = (struct err){0};
    const struct json *v = json_text_read(text, size, "f", 8, &e);
    assert_string_equal(e.text, "");
    assert_int_equal(json_members(v), COUNT + 1);
    json_free(v);
    free(text);
}

/* A program that has a decimal comma; skipped where no such locale is installed. */
static void any_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    struct err e = {0};
    double d = 0;
    bool found = false;

    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !found; k++)
        found = setlocale(LC_NUMERIC, names[k]) != NULL;
    if (!found)
        skip();
    const struct json *v = json_text_read(TEXT("1.5"), "f", 8, &e);
    bool alone = json_text_number("1.5", &d);
    setlocale(LC_NUMERIC, "C");
    assert_true(json_number(v) == 1.5 && alone && d == 1.5);
    json_free(v);
}

/* Every beginning of a text, and the text with each byte replaced, ends in an answer; beginnings are never whole. */
static void cut_and_broken(void **state)
{
    static const char whole[] = "{\"a\": [1, -2.5e3, \"x\\u00e4\xc3\xa4\", true, null], \"b\": {}}";
    char text[sizeof whole];
    struct err e;

    (void)state;
    for (size_t n = 0; n < sizeof whole - 1; n++) {
        e = (struct err){0};
        assert_int_not_equal(json_text_check(whole, n, "f", 8, &e), 0);
    }
    for (size_t n = 0; n < sizeof whole - 1; n++)
        for (int c = 0; c < 256; c++) {
            memcpy(text, whole, sizeof whole);
            text[n] = (char)c;
            e = (struct err){0};
            int failed = json_text_check(text, sizeof whole - 1, "f", 8, &e);
            assert_int_equal(failed != 0, e.code != ERR_NONE);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good),         cmocka_unit_test(bad),      cmocka_unit_test(numbers_and_order),
        cmocka_unit_test(number_alone), cmocka_unit_test(kinds),    cmocka_unit_test(many_members),
        cmocka_unit_test(any_locale),   cmocka_unit_test(not_read), cmocka_unit_test(cut_and_broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
