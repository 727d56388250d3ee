/* docs/REPORT.md explains every word that a report may use for a reason, a category or a limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/timing/cu/stall.h"

static char text[65536];

static int read_document(void **state)
{
    FILE *f = fopen("docs/REPORT.md", "rb");

    (void)state;
    if (!f)
        return -1;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    return fclose(f);
}

static void explained(const char *word)
{
    char quoted[80];

    snprintf(quoted, sizeof quoted, "`%s`", word);
    if (!strstr(text, quoted))
        fail_msg("docs/REPORT.md does not have %s", quoted);
}

static void reasons(void **state)
{
    (void)state;
    for (unsigned k = 0; k < STALL_COUNT; k++)
        explained(timing_stall_key[k]);
}

static void categories(void **state)
{
    (void)state;
    for (unsigned k = 0; k < OPCAT_COUNT; k++)
        explained(op_category_key[k]);
}

static void limits(void **state)
{
    static const char *const words[] = {"wave_slots", "vgprs", "sgprs", "lds", "barriers", "workgroup_size"};

    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        explained(words[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reasons), cmocka_unit_test(categories),
                                       cmocka_unit_test(limits)};

    return cmocka_run_group_tests(tests, read_document, NULL);
}
