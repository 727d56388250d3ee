/* Student's quantiles (sim/util/student.h) beside the integral of the distribution's density. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/util/student.h"

/* The share of the distribution between -t and t, by Simpson's rule. */
static double within(double t, double freedom)
{
    enum { STEPS = 20000 };
    double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * M_PI), sum = 0;

    for (int k = 0; k <= STEPS; k++) {
        double x = t * k / STEPS, density = scale * pow(1 + x * x / freedom, -(freedom + 1) / 2);

        sum += density * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2);
    }
    return 2 * sum * t / STEPS / 3;
}

static void ninety_five_per_cent(void **state)
{
    (void)state;
    for (size_t freedom = 1; freedom < 20; freedom++)
        if (fabs(within(student_half(freedom), (double)freedom) - 0.95) > 5e-5) /* tables have three decimals */
            fail_msg("%zu degrees of freedom: %g lies within", freedom, within(student_half(freedom), (double)freedom));
}

/* Beyond the table an interval is too wide rather than too narrow, by a twentieth at most. */
static void wide_beyond_the_table(void **state)
{
    (void)state;
    for (size_t freedom = 20; freedom < 100000; freedom *= 3) {
        double share = within(student_half(freedom), (double)freedom);

        assert_true(share > 0.95 - 5e-5 && share < 0.964);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ninety_five_per_cent), cmocka_unit_test(wide_beyond_the_table)};
    return cmocka_run_group_tests_name("student", tests, NULL, NULL);
}
