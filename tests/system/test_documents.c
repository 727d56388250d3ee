/* Pages of docs/ show what the tool prints: every command of theirs is run, and its output compared with the page
 * (tests/support/page.h). `make report-doc` writes the pages anew. */
#define _GNU_SOURCE
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

#include "tests/support/page.h"

static void readme(void **state)
{
    (void)state;
    NEED_CLANG();
    page_follows("README.md", 2);
}

static void annotate(void **state)
{
    (void)state;
    page_follows("docs/ANNOTATE.md", 2);
}

static void explain(void **state)
{
    (void)state;
    page_follows("docs/EXPLAIN.md", 2);
}

static void timeline(void **state)
{
    (void)state;
    page_follows("docs/TIMELINE.md", 1);
}

static void att(void **state)
{
    (void)state;
    page_follows("docs/ATT.md", 2);
}

static void compare(void **state)
{
    (void)state;
    NEED_CLANG();
    page_follows("docs/COMPARE.md", 2);
}

static void html(void **state)
{
    (void)state;
    page_follows("docs/HTML.md", 1);
}

static void counters(void **state)
{
    (void)state;
    page_follows("docs/COUNTERS.md", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readme), cmocka_unit_test(annotate), cmocka_unit_test(explain), cmocka_unit_test(timeline),
        cmocka_unit_test(att),    cmocka_unit_test(compare),  cmocka_unit_test(html),    cmocka_unit_test(counters),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
