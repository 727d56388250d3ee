/* JSON from formats (sim/util/json_put.h): values, layout, names and paths. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/util/json_put.h"
#include "sim/util/text_stream.h"
#include "tests/support/json.h"

static struct text_stream stream;

static struct json_put begin(void)
{
    assert_true(text_stream_open(&stream));
    return (struct json_put){.f = stream.f};
}

static void expect(const struct json_put *j, const char *wanted)
{
    char *text = text_stream_close(&stream);

    assert_int_equal(j->depth, 0);
    assert_string_equal(text, wanted);
    json_free(json_parse(text));
    free(text);
}

static void values(void **state)
{
    const char *volatile no_text = NULL; /* as compilers cannot see */
    struct json_put j = begin();

    (void)state;
    json_put(&j, "[%d, %d, %u, %zu, %" PRId64 ", %" PRIu64 ", %lld]", 0, -7, UINT32_MAX, (size_t)12, INT64_MIN,
             UINT64_MAX, -1LL);
    expect(&j, "[0, -7, 4294967295, 12, -9223372036854775808, 18446744073709551615, -1]");
    j = begin();
    json_put(&j, "[%x, %" PRIx64 ", %s, %s, %.*s, %hhd, %hhd, %.3f, %g, true, null, 0.95]", 0u, UINT64_MAX,
             "\xff\"\\\n", no_text, 2, "abc", true, false, 1.5, 2.5e-7);
    expect(&j, "[\"0x0\", \"0xffffffffffffffff\", \"\\ufffd\\\"\\\\\\u000a\", null, \"ab\", true, false, 1.500, "
               "2.5e-07, true, null, 0.95]");
}

/* Names and brackets may stand anywhere in the calls. */
static void names(void **state)
{
    struct json_put j = begin();

    (void)state;
    json_put(&j, "{word: %u, %s: %u, %.*s: %u, %u: {", 1, "a \"name\"", 2, 1, "xyz", 3, 4);
    json_put(&j, "in:");
    json_put(&j, "[%u", 5);
    fputs("{ \"raw\" : 6 }", json_put_raw(&j));
    json_put(&j, "]}, end:");
    fputs("7", json_put_raw(&j));
    json_put(&j, "}");
    expect(&j, "{\"word\": 1, \"a \\\"name\\\"\": 2, \"x\": 3, \"4\": {\"in\": [5, { \"raw\" : 6 }]}, \"end\": 7}");
}

static void lines(void **state)
{
    struct json_put j = begin();

    (void)state;
    json_put(&j, "{\n kernel: %s, grid: [%u, %u], none: [\n], rows: [\n", "k", 64, 1);
    for (unsigned k = 0; k < 2; k++)
        json_put(&j, "{pc: %x, more: {\n a: %u}}", k, k);
    json_put(&j, "]}\n");
    expect(&j, "{\n  \"kernel\": \"k\",\n  \"grid\": [64, 1],\n  \"none\": [],\n  \"rows\": [\n"
               "    {\"pc\": \"0x0\", \"more\": {\n        \"a\": 0\n      }},\n"
               "    {\"pc\": \"0x1\", \"more\": {\n        \"a\": 1\n      }}\n  ]\n}\n");
}

/* A newline that is no bracket's, with the blanks after it, also before a bracket is closed. */
static void lines_by_hand(void **state)
{
    struct json_put j = begin();

    (void)state;
    json_put(&j, "{a: %u,\n   b: [", 1);
    json_put(&j, "\n     %u", 2);
    json_put(&j, "\n  ], c: [\n");
    json_put(&j, "\n ]}\n");
    expect(&j, "{\"a\": 1,\n   \"b\": [\n     2\n  ], \"c\": [\n ]}\n");
}

static void compact(void **state)
{
    struct json_put j = begin();

    (void)state;
    j.compact = true;
    json_put(&j, "{a: %u, b: [%u, %u], rows: [\n", 1, 2, 3);
    json_put(&j, "[%u], [%u]", 4, 5);
    json_put(&j, "],\nc: {\n}}");
    expect(&j, "{\"a\":1,\"b\":[2,3],\"rows\":[[4],\n[5]],\n\"c\":{}}");
}

/* A part of another document is indented as its place there is. */
static void inside(void **state)
{
    struct json_put j = begin();

    (void)state;
    j.depth = 2;
    json_put(&j, "{\n a: %u}", 1);
    j.depth -= 2;
    expect(&j, "{\n      \"a\": 1\n    }");
}

/* Deeper than layouts are kept: in one line. */
static void deep(void **state)
{
    enum { DEPTH = 200 };
    struct json_put j = begin();
    char wanted[2 * DEPTH + 1];

    (void)state;
    for (unsigned k = 0; k < DEPTH; k++)
        json_put(&j, "[");
    for (unsigned k = 0; k < DEPTH; k++)
        json_put(&j, "]");
    memset(wanted, '[', DEPTH);
    memset(wanted + DEPTH, ']', DEPTH);
    wanted[2 * DEPTH] = 0;
    expect(&j, wanted);
}

static void paths(void **state)
{
    struct json_put j = begin();
    struct json_paths p = {.j = &j};
    static const char *const path[] = {"a", "b.c.d", "b.c.e", "b.cc", "b2.c.d"};

    (void)state;
    json_put(&j, "{\n");
    for (unsigned k = 0; k < 5; k++) {
        json_put_path(&p, path[k]);
        json_put(&j, "%u", k);
    }
    json_put_paths_end(&p);
    json_put(&j, "f: null}");
    expect(&j,
           "{\n  \"a\": 0,\n  \"b\": {\n    \"c\": {\n      \"d\": 1,\n      \"e\": 2\n    },\n    \"cc\": 3\n  },\n"
           "  \"b2\": {\n    \"c\": {\n      \"d\": 4\n    }\n  },\n  \"f\": null\n}");
}

static void in_scripts(void **state)
{
    struct json_put j = begin();

    (void)state;
    json_put_script(stream.f, "[\"</script>\", \"<!--\"]");
    expect(&j, "[\"\\u003c/script>\", \"\\u003c!--\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),        cmocka_unit_test(names),   cmocka_unit_test(lines),
        cmocka_unit_test(lines_by_hand), cmocka_unit_test(compact), cmocka_unit_test(inside),
        cmocka_unit_test(deep),          cmocka_unit_test(paths),   cmocka_unit_test(in_scripts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
