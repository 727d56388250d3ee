/* Launches back to back beside what they took on chips (accuracy/launches.h). Time per launch is what launch.before_ns
 * and launch.after_ns were taken from, at the smallest sizes; the larger ones were not used.
 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/timing/accuracy/launches.h"

#define SOURCE "tests/timing/kernels/launch.cl"
#define FLAGS  "-x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -nogpulib -O3 -I. -mcpu="

static void compare(const char *target, double bound)
{
    char path[PATH_MAX], command[PATH_MAX + 512], error[200];
    size_t count, compared = 0;
    const struct launches_point *p = launches_points(&count);

    snprintf(path, sizeof path, "%s/launch.co", program_folder());
    snprintf(command, sizeof command, "clang-19 " FLAGS "%s -o %s " SOURCE, target, path);
    assert_int_equal(system(command), 0);
    for (size_t k = 0; k < count; k++) {
        if (strcmp(p[k].target, target))
            continue;
        double measured = launches_measured_us(&p[k]), us = launches_simulated_us(&p[k], path, error);
        double off = 100 * (us / measured - 1);

        print_message("%-17s %7u elements: %.2f us measured, %.2f simulated, %+.1f %%\n", p[k].profile, p[k].elements,
                      measured, us, off);
        if (!(fabs(off) <= bound))
            fail_msg("%s, %u elements: %.2f us, %.2f measured %s", p[k].profile, p[k].elements, us, measured, error);
        compared++;
    }
    assert_true(compared > 4);
}

static void mi210(void **state)
{
    (void)state;
    NEED_CLANG();
    compare("gfx90a", 3);
}

static void rx6900xt(void **state)
{
    (void)state;
    NEED_CLANG();
    compare("gfx1030", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mi210), cmocka_unit_test(rx6900xt)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
