/* docs/TUTORIAL.md shows what the tool prints: its commands are run, and their output compared with the page
 * (tests/support/page.h). `make report-doc` writes it anew. */
#define _GNU_SOURCE
#include "tests/system/cli_run.h"

#include "tests/support/page.h"

static void tutorial(void **state)
{
    (void)state;
    page_follows("docs/TUTORIAL.md", 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tutorial)};

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
