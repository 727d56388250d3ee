/* What the programs that compare with MPFR have in common: a test for each row of a table, and a main() where MPFR is
 * not installed, which says so. */
#ifndef MPFR_PROGRAM_H
#define MPFR_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef HAVE_MPFR

/* The test gets the row as its state. */
static inline struct CMUnitTest test_of(const char *name, CMUnitTestFunction test, const void *row)
{
    return (struct CMUnitTest){.name = name, .test_func = test, .initial_state = (void *)(uintptr_t)row};
}

#else

static void test_absent(void **state)
{
    (void)state;
    print_message("skipped: no MPFR to compare with (Debian: libmpfr-dev)\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_absent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
#endif
