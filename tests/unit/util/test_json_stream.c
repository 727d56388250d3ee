/* JSON read piece by piece: large arrays, what is skipped, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/util/json_stream.h"

/* The sum of rows[*][0] in {"rows":[[n, ...], ...]}, and the number of other members; -1: an error. */
static long long sum(const char *text, struct err *e, unsigned *others)
{
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct json_stream s;
    char key[8];
    long long total = 0;

    assert_non_null(f);
    *others = 0;
    json_stream_init(&s, f, "x.json", e);
    if (!json_stream_enter(&s, '{'))
        while (json_stream_key(&s, key, sizeof key)) {
            if (strcmp(key, "rows") != 0) {
                ++*others;
                json_stream_skip(&s);
            } else if (json_stream_is(&s, '[') && !json_stream_enter(&s, '[')) {
                while (json_stream_element(&s)) {
                    const struct json *v = json_stream_value(&s);

                    total += (long long)json_number(json_at(v, 0));
                    json_free(v);
                }
            }
        }
    int failed = json_stream_end(&s);
    json_stream_free(&s);
    fclose(f);
    return failed ? -1 : total;
}

static void good(void **state)
{
    struct err e = {0};
    unsigned others;

    (void)state;
    assert_int_equal(sum(" {\"rows\" : [ [1,\"]\\\"\"] , [2], [ 40 , {\"a\":[]} ] ] }\n", &e, &others), 43);
    assert_int_equal(others, 0);
    assert_int_equal(
        sum("{\"a\":{\"b\":\"}\\\\\"},\"c\":-1.5e3,\"rows\":[],\"d\":null,\"eeeeeeeeeeee\":[[[\"[\"]]]}", &e, &others),
        0);
    assert_int_equal(others, 4);
    assert_int_equal(sum("{}", &e, &others), 0);
    assert_string_equal(e.text, "");
}

static void wrong(void **state)
{
    static const struct {
        const char *text, *said;
    } of[] = {
        {"[]", "line 1, column 1: '['; expected '{'"},
        {"\n {\"rows\":[[1],[2]", "line 2, column 18: the end; expected ','"},
        {"{\"rows\":[[1],[2", "column 16: the text ends early"},
        {"{\"rows\":[[1] [2]]}", "column 14: '['; expected ','"},
        {"{\"rows\":[[1],]}", "column 14: malformed JSON"},
        {"{\"rows\":[[1,]]}", "column 13: malformed JSON"},
        {"{\"rows\":[[1]],}", "column 15: '}'; expected '\"'"},
        {"{\"rows\" [[1]]}", "column 9: '['; expected ':'"},
        {"{\"a\":\"x", "column 8: the text ends early"},
        {"{\"a\":}", "column 6: malformed JSON"},
        {"{} x", "column 4: text after the end"},
        {"{\"rows\":[[\"\xff\"]]}", "column 12: bytes that are no UTF-8"},
        {"{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "column 37: brackets nest deeper than 32 levels"},
        {"{\"rows\":[\x01]}", "column 10: malformed JSON"},
        {"{\"a\":[1,2", "column 10: the text ends early"},
        /* what is skipped is checked, too */
        {"{\"a\":[1,,2],\"rows\":[]}", "column 9: malformed JSON"},
        {"{\"a\":tru,\"rows\":[]}", "column 6: malformed JSON"},
        {"{\"rows\":[[{\"k\":1,\"k\":2}]]}", "x.json: [0].k: given twice; expected once"},
        {"{\"rows\":[[1e999]]}", "x.json: [0]: impossible value"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        struct err e = {0};
        unsigned others;

        assert_int_equal(sum(of[k].text, &e, &others), -1);
        if (e.code != ERR_FORMAT || !strstr(e.text, of[k].said) || strncmp(e.text, "x.json: ", 8) != 0)
            fail_msg("%s: %s", of[k].text, e.text);
    }
}

/* Values up to 1 MiB are taken, however many there are; larger ones are skipped alone. */
static void large(void **state)
{
    enum { MIB = 1 << 20 };
    static const struct {
        size_t size;
        const char *key, *said; /* of {KEY: [STRING of that size with its quotes], ...} */
    } of[] = {
        {MIB, "rows", ""},
        {MIB + 1, "rows", "x.json: line 1, column 1048587: a value of more than 1 MiB; expected smaller ones"},
        {3 * MIB, "rows", "a value of more than 1 MiB; expected smaller ones"},
        {3 * MIB, "more", ""},
    };
    unsigned others;

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        char *text = malloc(of[k].size + 100);
        struct err e = {0};
        assert_non_null(text);
        size_t n = (size_t)sprintf(text, "{\"%s\":[\"", of[k].key);
        memset(text + n, 'x', of[k].size - 2);
        strcpy(text + n + of[k].size - 2, "\",[42]],\"rows\":[[1]]}");
        long long got = sum(text, &e, &others);
        free(text);
        if (*of[k].said ? got != -1 || !strstr(e.text, of[k].said) : got != (strcmp(of[k].key, "rows") ? 1 : 43))
            fail_msg("%zu: %lld, %s", k, got, e.text);
    }
}

/* A file that cannot be read is not said to end early. */
static void unreadable(void **state)
{
    struct json_stream s;
    struct err e = {0};
    FILE *f = fopen("/", "r");

    (void)state;
    assert_non_null(f);
    json_stream_init(&s, f, "x.json", &e);
    assert_int_not_equal(json_stream_enter(&s, '{'), 0);
    assert_int_not_equal(json_stream_end(&s), 0);
    json_stream_free(&s);
    fclose(f);
    assert_int_equal(e.code, ERR_IO);
    assert_string_equal(e.text, "x.json: cannot be read");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good),
        cmocka_unit_test(wrong),
        cmocka_unit_test(large),
        cmocka_unit_test(unreadable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
