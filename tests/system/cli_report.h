/* What test programs of the command line share to read reports: JSON on stdout, and a vector addition that makes one.
 */
#ifndef TESTS_SYSTEM_CLI_REPORT_H
#define TESTS_SYSTEM_CLI_REPORT_H

#include <jansson.h>

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/"
#define CO      SAMPLES "gfx1201/vecadd.co"
#define VECADD_ARGS                                                                                                    \
    "--arg", "in:" SAMPLES "data/f32_a.bin", "--arg", "in:" SAMPLES "data/f32_b.bin", "--arg", out_spec, "--arg",      \
        "u32:1000"

static inline json_t *parse_report(const struct said *s)
{
    json_t *report = json_loads(s->out, 0, NULL);
    if (!report) {
        said_show(s);
        fail_msg("stdout is not JSON alone");
    }
    return report;
}

static inline double number_at(const json_t *object, const char *key)
{
    const json_t *item = json_object_get(object, key);
    if (!json_is_number(item)) {
        print_error("%s is not a number\n", key);
        fail();
    }
    return json_number_value(item);
}

static inline json_t *object_at(const json_t *object, const char *key)
{
    json_t *item = json_object_get(object, key);
    if (!json_is_object(item)) {
        print_error("%s is not an object\n", key);
        fail();
    }
    return item;
}

static inline void expect_text(const json_t *object, const char *key, const char *value)
{
    const json_t *item = json_object_get(object, key);
    assert_true(json_is_string(item));
    assert_string_equal(json_string_value(item), value);
}

#endif
