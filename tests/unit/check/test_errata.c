/* Each rule that compilers came to know late stands in the table of docs/CHECK.md, "Errata", with the same release and
 * source, and says so of its chips alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "sim/check/check.h"

/* docs/CHECK.md from its title to the next one. */
static char *read_table(void)
{
    static char text[1 << 18];
    FILE *f = fopen("docs/CHECK.md", "r");

    assert_non_null(f);
    size_t bytes = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_true(bytes < sizeof text - 1);
    text[bytes] = '\0';
    char *table = strstr(text, "\n## Errata\n"), *end = table ? strstr(table + 4, "\n## ") : NULL;
    assert_non_null(end);
    *end = '\0';
    return table;
}

static bool has_row(const char *table, const char *key, const char *known, const char *source)
{
    for (const char *row = strstr(table, "\n| "); row; row = strstr(row + 1, "\n| ")) {
        char line[1000];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(row + 1, "\n"), row + 1);
        if (strstr(line, key) && strstr(line, known) && strstr(line, source))
            return true;
    }
    return false;
}

static void documented(void **state)
{
    size_t count;
    const struct check_erratum *e = check_errata(&count);
    const char *table = read_table();
    char known[40];

    (void)state;
    assert_true(count > 8);
    for (size_t k = 0; k < count; k++) {
        const char *key = check_rule_key[e[k].rule];
        if (e[k].llvm > CHECK_NEWEST_LLVM)
            snprintf(known, sizeof known, "| after LLVM %d |", CHECK_NEWEST_LLVM);
        else
            snprintf(known, sizeof known, "| LLVM %u |", e[k].llvm);
        if (!has_row(table, strncmp(key, "mfma.", 5) == 0 ? "`mfma.`" : key, known, strrchr(e[k].source, ' ') + 1))
            fail_msg("docs/CHECK.md, Errata: no row of %s, %s, %s", key, known, e[k].source);
    }
}

static const struct check_erratum *erratum(enum check_rule rule, const char *name)
{
    struct isa_target *t;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, name, NULL, &e), 0);
    const struct check_erratum *found = check_erratum_of(rule, t);
    isa_target_close(t);
    return found;
}

static void of_the_chip(void **state)
{
    (void)state;
    assert_non_null(erratum(CHECK_VALU_VGPR_SWAP, "gfx950"));
    assert_int_equal(erratum(CHECK_VALU_VGPR_SWAP, "gfx950")->llvm, 20);
    assert_null(erratum(CHECK_MFMA_READ, "gfx942"));
    assert_non_null(erratum(CHECK_STORE_DATA, "gfx942"));
    assert_null(erratum(CHECK_STORE_DATA, "gfx90a"));
    assert_null(erratum(CHECK_WAIT_READ, "gfx950"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(documented), cmocka_unit_test(of_the_chip)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
