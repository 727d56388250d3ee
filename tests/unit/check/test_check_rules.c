/* Every rule of gcnsim run --check has a piece of code that breaks it, and a place in docs/CHECK.md. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/check/check.h"

static char *whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t room = 1 << 20, n;
    char *text = malloc(room);

    assert_non_null(text);
    if (!f)
        fail_msg("%s cannot be read", path);
    n = fread(text, 1, room - 1, f);
    assert_true(n < room - 1);
    fclose(f);
    text[n] = 0;
    return text;
}

static bool has(const char *text, char quote, const char *key)
{
    char quoted[80];

    snprintf(quoted, sizeof quoted, "%c%s%c", quote, key, quote);
    return strstr(text, quoted) != NULL;
}

static void every_rule_is_tested(void **state)
{
    static const char *const where[] = {"tests/unit/check/test_check_*.c", "tests/timing/test_*.c",
                                        "tests/system/test_check.c", "tests/hsa/test_raw.c"};
    bool found[CHECK_RULE_COUNT] = {false};
    glob_t g;

    (void)state;
    for (size_t k = 0; k < sizeof where / sizeof where[0]; k++)
        assert_int_equal(glob(where[k], k ? GLOB_APPEND : 0, NULL, &g), 0);
    for (size_t k = 0; k < g.gl_pathc; k++) {
        char *text = whole(g.gl_pathv[k]);
        for (unsigned r = 0; r < CHECK_RULE_COUNT; r++)
            found[r] = found[r] || has(text, '"', check_rule_key[r]);
        free(text);
    }
    globfree(&g);
    for (unsigned r = 0; r < CHECK_RULE_COUNT; r++)
        if (!found[r])
            fail_msg("no test expects a finding of %s", check_rule_key[r]);
}

/* The table of matrix instructions leaves the prefix out. */
static void every_rule_is_described(void **state)
{
    char *doc = whole("docs/CHECK.md");

    (void)state;
    for (unsigned r = 0; r < CHECK_RULE_COUNT; r++) {
        const char *key = check_rule_key[r];
        bool found = has(doc, '`', key) || (strncmp(key, "mfma.", 5) == 0 && has(doc, '`', key + 5));
        if (!found)
            fail_msg("docs/CHECK.md says nothing about %s", key);
    }
    free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule_is_tested),
                                       cmocka_unit_test(every_rule_is_described)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
