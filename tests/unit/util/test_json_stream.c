/* JSON read piece by piece: large arrays, what is skipped, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

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
                    json_t *v = json_stream_value(&s);

                    total += json_integer_value(json_array_get(v, 0));
                    json_decref(v);
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
        {"[]", "'['; expected '{'"},
        {"{\"rows\":[[1],[2]", "the end; expected ','"},
        {"{\"rows\":[[1],[2", "the end of a value"},
        {"{\"rows\":[[1] [2]]}", "'['; expected ','"},
        {"{\"rows\":[[1],]}", "no value; expected one"},
        {"{\"rows\":[[1,]]}", "a value of JSON"},
        {"{\"rows\":[[1]],}", "no name of a member"},
        {"{\"rows\" [[1]]}", "'['; expected ':'"},
        {"{\"a\":\"x", "a string without an end"},
        {"{\"a\":}", "no value"},
        {"{} x", "more behind the value"},
        {"{\"rows\":[[\"\xff\"]]}", "a value of JSON"},
        {"{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "too many brackets"},
        {"{\"rows\":[\x01]}", "a value of JSON"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        struct err e = {0};
        unsigned others;

        assert_int_equal(sum(of[k].text, &e, &others), -1);
        if (e.code != ERR_FORMAT || !strstr(e.text, of[k].said) || strncmp(e.text, "x.json: byte ", 13) != 0)
            fail_msg("%s: %s", of[k].text, e.text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good),
        cmocka_unit_test(wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
