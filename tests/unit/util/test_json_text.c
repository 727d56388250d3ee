/* What is JSON and what is not, with the place of the flaw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "sim/util/json_text.h"

#define TEXT(S) S, sizeof(S) - 1

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
    };
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        if (json_text_check(texts[k], strlen(texts[k]), "f", 8, &e))
            fail_msg("%s: %s", texts[k], e.text);
}

static void bad(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *error;
    } cases[] = {
        {TEXT(""), "f: line 1, column 1: the text ends early; expected a complete JSON object"},
        {TEXT("{"), "column 2: the text ends early"},
        {TEXT("{\"a"), "column 4: the text ends early"},
        {TEXT("{\"a\""), "column 5: the text ends early"},
        {TEXT("{\"a\":"), "column 6: the text ends early"},
        {TEXT("[1,"), "column 4: the text ends early"},
        {TEXT("[1"), "column 3: the text ends early"},
        {TEXT("\"\\"), "column 3: the text ends early"},
        {TEXT("tru"), "column 1: malformed"},
        {TEXT("-"), "column 2: the text ends early"},
        {TEXT("1."), "column 3: the text ends early"},
        {TEXT("1e"), "column 3: the text ends early"},
        /* what some parsers take */
        {TEXT("[01]"), "column 3: malformed"},
        {TEXT("[1.e3]"), "column 4: malformed"},
        {TEXT("[+1]"), "column 2: malformed"},
        {TEXT("[.5]"), "column 2: malformed"},
        {TEXT("[1-2]"), "column 3: malformed"},
        {TEXT("[0x10]"), "column 3: malformed"},
        {TEXT("[NaN]"), "column 2: malformed"},
        {TEXT("[-Infinity]"), "column 3: malformed"},
        {TEXT("{\"a\"\v:1}"), "column 5: malformed"},
        {TEXT("[1\x01,2]"), "column 3: malformed"},
        {TEXT("{\"a\":\"x\ny\"}"), "line 1, column 8: a control character in a string"},
        {TEXT("{\"a\":\"x\0y\"}"), "line 1, column 8: a NUL byte; expected JSON text"},
        {TEXT("{\"a\0b\":1}"), "column 4: a NUL byte"},
        {TEXT("[1,\0 2]"), "column 4: a NUL byte"},
        {TEXT("{}\0"), "column 3: a NUL byte"},
        {TEXT("[\"a\\u0000b\"]"), "column 5: \\u0000 in a string"},
        {TEXT("\"\\ud800\""), "column 8: half a surrogate pair"},
        {TEXT("\"\\udc00\\ud800\""), "column 8: half a surrogate pair"},
        {TEXT("\"\\ud800\\u0041\""), "column 8: half a surrogate pair"},
        {TEXT("\"\\u12g4\""), "column 3: \\u without four hexadecimal digits"},
        {TEXT("\"\\x41\""), "column 3: an unknown escape"},
        {TEXT("\"\xff\""), "column 2: bytes that are no UTF-8"},
        {TEXT("\"\xc0\x80\""), "column 2: bytes that are no UTF-8"},
        {TEXT("\"\xed\xa0\x80\""), "column 2: bytes that are no UTF-8"},
        {TEXT("\"\xf4\x90\x80\x80\""), "column 2: bytes that are no UTF-8"},
        {TEXT("\"\xe2\x82\""), "column 2: bytes that are no UTF-8"},
        {TEXT("\"\xe2\x82"), "column 2: bytes that are no UTF-8"},
        /* structure */
        {TEXT("\xef\xbb\xbf{}"), "column 1: a byte order mark"},
        {TEXT("{\n \"a\": 1,\n}"), "line 3, column 1: malformed"},
        {TEXT("[1,]"), "column 4: malformed"},
        {TEXT("[,1]"), "column 2: malformed"},
        {TEXT("[1 2]"), "column 4: malformed"},
        {TEXT("{\"a\" 1}"), "column 6: malformed"},
        {TEXT("{a:1}"), "column 2: malformed"},
        {TEXT("{1:1}"), "column 2: malformed"},
        {TEXT("{\"a\":1]"), "column 7: malformed"},
        {TEXT("[1}"), "column 3: malformed"},
        {TEXT("]"), "column 1: malformed"},
        {TEXT("{} {}"), "column 4: text after the end"},
        {TEXT("{}// x"), "column 3: text after the end"},
        {TEXT("[[[[[[[[[]]]]]]]]]"), "column 9: brackets nest deeper than 8 levels"},
        {TEXT("{\"n\":9007199254740993}"), "column 6: a number above 2^53"},
        {TEXT("[-9007199254740993]"), "column 3: a number above 2^53"},
        {TEXT("[9007199254740992.5]"), "column 2: a number above 2^53"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct err e = {0};
        if (json_text_check(cases[k].text, cases[k].size, "f", 8, &e) == 0 || e.code != ERR_FORMAT ||
            !strstr(e.text, cases[k].error))
            fail_msg("%zu '%s': got '%s', expected '%s'", k, cases[k].text, e.text, cases[k].error);
    }
}

/* What passes the check is read as doubles, members in order; repeated keys and what no double holds are refused. */
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
                                        "123456789012345678901234567890"};
    static const char object[] = "{\"z\":1,\"a\":[2],\"m\":{\"b\":1,\"a\":2}}";
    struct err e = {0};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        json_t *v = json_text_read(texts[k], strlen(texts[k]), "f", 8, &e);
        double want = strtod(texts[k], NULL), got = json_number_value(v);
        if (!json_is_real(v) || memcmp(&want, &got, sizeof want))
            fail_msg("%s: %.17g %s", texts[k], got, e.text);
        json_decref(v);
    }
    json_t *v = json_text_read(TEXT(object), "f", 8, &e), *item;
    const char *key;
    char keys[8] = "";
    json_object_foreach (v, key, item)
        strcat(keys, key);
    assert_string_equal(keys, "zam");
    json_decref(v);
}

static void not_read(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"[1,1e999]", "f: [1]: impossible value, no double is as large; expected a smaller number"},
        {"-1e999", "f: impossible value"},
        {"{\"a\":1,\"a\":2}", "f: a: given twice; expected once"},
        {"{\"a\":1,\"\\u0061\":2}", "f: \\u0061: given twice; expected once"},
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
        cmocka_unit_test(good),
        cmocka_unit_test(bad),
        cmocka_unit_test(numbers_and_order),
        cmocka_unit_test(not_read),
        cmocka_unit_test(cut_and_broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
