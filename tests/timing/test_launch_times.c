/* Small kernels launched back to back, beside what they took on chips: gpu-small-kernels of RRZE's gpu-benches launches
 * a[i] = b[i] / 4 and the way back in turn, 10,000 times. Time per launch is what launch.before_ns and launch.after_ns
 * were taken from, at the smallest sizes; the larger ones, up to where the kernel takes as long as the rest, were not
 * used. The raw results are bandwidths of two or three digits, so a time is known to 1 % to 3 % at the smallest sizes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/toolchain.h"

#define SOURCE "tests/timing/kernels/launch.cl"
#define FLAGS  "-x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -nogpulib -O3 -I. -mcpu="

enum { ROUNDS = 3, GROUP = 256 };

struct point {
    uint32_t elements;
    double gb_per_second; /* read and written, as measured */
};

static double launch_us(struct gcnsim_module *module, const uint64_t buffer[2], uint32_t n)
{
    struct {
        uint64_t to, from;
        uint32_t n;
    } kernarg = {buffer[0], buffer[1], n};
    struct gcnsim_result *result = NULL;
    struct gcnsim_error error = {0};
    struct gcnsim_dispatch d;
    double us = NAN;

    gcnsim_dispatch_init(&d);
    d.grid_size[0] = (n + GROUP) / GROUP * GROUP; /* one workgroup more than needed, as that benchmark has it */
    d.workgroup_size[0] = GROUP;
    d.kernarg = &kernarg;
    d.kernarg_size = sizeof kernarg;
    if (gcnsim_launch(module, &d, &result, &error))
        fail_msg("%s", error.text);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    assert_int_equal(gcnsim_result_stat(result, "dispatch.total_us", &us), GCNSIM_OK);
    gcnsim_result_free(result);
    return us;
}

/* Microseconds of a launch and of the one that goes back, on average, when both are warm. */
static double simulated_us(const char *profile, const char *code, uint32_t n)
{
    uint64_t there[2], back[2];
    struct gcnsim_error error = {0};
    struct gcnsim_module *module;
    struct gcnsim *sim;
    double us = 0;

    if (gcnsim_open(&sim, profile, &error) || gcnsim_load_file(sim, &module, code, NULL, &error) ||
        gcnsim_alloc(sim, 8 * (uint64_t)n, "a", &there[0], &error) ||
        gcnsim_alloc(sim, 8 * (uint64_t)n, "b", &there[1], &error))
        fail_msg("%s", error.text);
    back[0] = there[1];
    back[1] = there[0];
    for (unsigned k = 0; k < ROUNDS; k++)
        us = (launch_us(module, there, n) + launch_us(module, back, n)) / 2;
    gcnsim_close(sim);
    return us;
}

static void compare(const char *target, const char *profile, const struct point *p, size_t count, double bound)
{
    char path[] = "/tmp/gcnsim-launch.XXXXXX", command[512];
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    close(fd);
    snprintf(command, sizeof command, "clang-19 " FLAGS "%s -o %s " SOURCE, target, path);
    assert_int_equal(system(command), 0);
    for (size_t k = 0; k < count; k++) {
        double measured = p[k].elements * 16 / (p[k].gb_per_second * 1e3);
        double us = simulated_us(profile, path, p[k].elements);
        double off = 100 * (us / measured - 1);

        print_message("%-17s %7u elements: %.2f us measured, %.2f simulated, %+.1f %%\n", profile, p[k].elements,
                      measured, us, off);
        if (!(fabs(off) <= bound))
            fail_msg("%s, %u elements: %.2f us, %.2f measured", profile, p[k].elements, us, measured);
    }
    unlink(path);
}

/* Beyond 1 MB MI210 is slower than simulated: its L2 takes loads and stores that alternate at less than either alone.
 */
static void mi210(void **state)
{
    static const struct point p[] = {{4096, 31}, {9542, 72}, {16350, 124}, {32678, 240}, {60482, 429}};

    (void)state;
    NEED_CLANG();
    compare("gfx90a", "gfx90a-mi210", p, sizeof p / sizeof p[0], 3);
}

static void rx6900xt(void **state)
{
    static const struct point p[] = {{4096, 20},   {8234, 40},    {16562, 79},  {31432, 148},
                                     {63237, 286}, {127236, 509}, {256017, 907}};

    (void)state;
    NEED_CLANG();
    compare("gfx1030", "gfx1030-rx6900xt", p, sizeof p / sizeof p[0], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mi210), cmocka_unit_test(rx6900xt)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
