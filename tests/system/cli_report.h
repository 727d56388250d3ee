/* What test programs of the command line share to read reports: JSON on stdout, and a vector addition that makes one.
 */
#ifndef TESTS_SYSTEM_CLI_REPORT_H
#define TESTS_SYSTEM_CLI_REPORT_H

#include "tests/support/json.h"

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/"
#define CO      SAMPLES "gfx1201/vecadd.co"
#define VECADD_ARGS                                                                                                    \
    "--arg", "in:" SAMPLES "data/f32_a.bin", "--arg", "in:" SAMPLES "data/f32_b.bin", "--arg", out_spec, "--arg",      \
        "u32:1000"

static inline const struct json *parse_report(const struct said *s)
{
    const struct json *report = json_parse(s->out);
    if (!report) {
        said_show(s);
        fail_msg("stdout is not JSON alone");
    }
    return report;
}

static inline double number_at(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);
    if (!json_is_number(item)) {
        print_error("%s is not a number\n", key);
        fail();
    }
    return json_number(item);
}

static inline const struct json *object_at(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);
    if (!json_is_object(item)) {
        print_error("%s is not an object\n", key);
        fail();
    }
    return item;
}

static inline void expect_text(const struct json *object, const char *key, const char *value)
{
    const struct json *item = json_get(object, key);
    assert_true(json_is_string(item));
    assert_string_equal(json_text(item), value);
}

#endif
