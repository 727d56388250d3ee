/* The whole kernels of make accuracy: every point of the list has a plan, the small ones run and lie as near to what an
 * MI300A took as they did when the bound was written, and sums and plot are what the points say. */
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
#include "tests/timing/accuracy/whole.h"

#define SOURCE "tests/timing/kernels/whole.cl"
#define FLAGS  "-x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -nogpulib -O3 -I. -mcpu=gfx942"

/* Mean error of the points that take at most so many million accesses. */
#define SMALL       0.03
#define BOUND       30.0
#define LEAST_SMALL 15

static struct whole_point points[WHOLE_MAX_POINTS];

static void every_point_has_a_plan(void **state)
{
    const struct whole_options all = {0}, one = {.only = "fir"}, small = {.max_work = SMALL * 1e6};
    size_t count = whole_points(&all, points);

    (void)state;
    assert_int_equal(count, 192);
    for (size_t k = 0; k < count; k++) {
        assert_true(points[k].measured_us > 4); /* an empty launch takes as long */
        assert_true(points[k].work >= 1024);
        assert_true(points[k].launches >= 1);
    }
    assert_int_equal(whole_points(&one, points), 20);
    assert_in_range(whole_points(&small, points), LEAST_SMALL, 60);
}

static void built(const char *path)
{
    char command[PATH_MAX + 512];

    snprintf(command, sizeof command, "clang-19 %s -o %s %s", FLAGS, path, SOURCE);
    assert_int_equal(system(command), 0);
}

static void small_points(void **state)
{
    char path[PATH_MAX];
    struct whole_options o = {.max_work = SMALL * 1e6, .code = path, .jobs = 2};
    struct whole_summary s;

    (void)state;
    NEED_CLANG();
    snprintf(path, sizeof path, "%s/whole.co", program_folder());
    built(path);
    size_t count = whole_points(&o, points);
    whole_measure(&o, points, count, NULL);
    for (size_t k = 0; k < count; k++)
        if (isnan(points[k].simulated_us))
            fail_msg("%s %s: %s", points[k].kernel, points[k].problem, points[k].error);
    whole_summarize(points, count, NULL, &s);
    assert_int_equal(s.points, count);
    if (s.mean > BOUND)
        fail_msg("mean error %.1f%% over %u points; the bound is %g%%", s.mean, s.points, BOUND);
}

/* What cannot run is said where its time would stand. */
static void no_code_object(void **state)
{
    struct whole_options o = {.only = "relu", .max_work = 3000, .code = "/nonexistent/whole.co"};
    struct whole_summary s;
    size_t count = whole_points(&o, points);

    (void)state;
    assert_int_equal(count, 1);
    whole_measure(&o, points, count, NULL);
    assert_true(isnan(points[0].simulated_us));
    assert_non_null(strstr(points[0].error, "/nonexistent/whole.co"));
    whole_summarize(points, count, NULL, &s);
    assert_int_equal(s.points, 0);
    assert_int_equal(s.failed, 1);
}

static void sums(void **state)
{
    static const struct whole_point p[] = {{.kernel = "a", .measured_us = 10, .simulated_us = 15},
                                           {.kernel = "a", .measured_us = 90, .simulated_us = 81},
                                           {.kernel = "b", .measured_us = 100, .simulated_us = 100},
                                           {.kernel = "b", .measured_us = 7, .simulated_us = NAN}};
    struct whole_summary s;

    (void)state;
    whole_summarize(p, 4, NULL, &s);
    assert_int_equal(s.points, 3);
    assert_int_equal(s.failed, 1);
    assert_true(fabs(s.mean - 20) < 1e-9);
    assert_true(fabs(s.weighted - 7) < 1e-9);
    whole_summarize(p, 4, "a", &s);
    assert_true(fabs(s.mean - 30) < 1e-9);
    assert_true(fabs(s.weighted - 14) < 1e-9);
}

/* Two decades on each axis: a point with the right time lies on the diagonal. */
static void plot(void **state)
{
    static const struct whole_point p[] = {{.kernel = "a", .problem = "1", .measured_us = 10, .simulated_us = 10},
                                           {.kernel = "a", .problem = "2", .measured_us = 100, .simulated_us = 1000},
                                           {.kernel = "b", .problem = "3", .measured_us = 1000, .simulated_us = NAN}};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    (void)state;
    assert_non_null(f);
    whole_svg(f, p, 3);
    fclose(f);
    assert_non_null(strstr(text, "<circle cx=\"70.0\" cy=\"710.0\""));
    assert_non_null(strstr(text, "<circle cx=\"390.0\" cy=\"70.0\""));
    assert_null(strstr(text, "nan"));
    assert_string_equal(text + size - 7, "</svg>\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_has_a_plan),
        cmocka_unit_test(small_points),
        cmocka_unit_test(no_code_object),
        cmocka_unit_test(sums),
        cmocka_unit_test(plot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
