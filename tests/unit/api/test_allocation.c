/* Registers and LDS allocated to a kernel: inspection of a code object and a launch of it give the same answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"

/* accessed: a wave's registers by the descriptor; allocated: in granules of the profile's chip. */
static const struct {
    const char *file, *profile;
    uint32_t vgprs, agprs, sgprs;
    uint32_t vgprs_allocated, sgprs_allocated;
} cases[] = {
    {"gfx803/matmul", "gfx803-r9nano", 24, 0, 24, 24, 32}, /* SGPRs by 16 */
    {"gfx803/mandelbrot", "gfx803-r9nano", 12, 0, 16, 12, 16},
    {"gfx90a/matmul", "gfx90a-mi210", 48, 0, 32, 48, 32},
    {"gfx90a/mandelbrot", "gfx90a-mi210", 12, 4, 32, 16, 32}, /* one register file for VGPRs and AccVGPRs */
    {"gfx90a/call", "gfx90a-mi210", 28, 4, 48, 32, 48},
    {"gfx90a/vecadd", "gfx90a-mi210", 8, 0, 16, 8, 16},
    {"gfx1201/mandelbrot", "gfx1201-rx9070xt", 16, 0, 128, 24, 128}, /* wave32: by 24 */
    {"gfx1201/vecadd", "gfx1201-rx9070xt", 8, 0, 128, 24, 128},
    {"gfx1201/matmul.w64", "gfx1201-rx9070xt", 24, 0, 128, 24, 128},
};

/* A launch that ends after one instruction; its arguments are null. */
static void launch_occupancy(const char *path, const struct gcnsim_kernel_info *k, const char *profile,
                             const uint32_t workgroup[3], struct gcnsim_occupancy *out)
{
    uint8_t kernarg[4096] = {0};
    struct gcnsim_error error;
    struct gcnsim_module *m;
    struct gcnsim_result *r;
    struct gcnsim_dispatch d;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, profile, &error), GCNSIM_OK);
    if (gcnsim_load_file(sim, &m, path, NULL, &error))
        fail_msg("%s", error.text);
    gcnsim_dispatch_init(&d);
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    d.max_instructions = 1;
    d.kernarg = kernarg;
    d.kernarg_size = k->kernarg_size;
    memcpy(d.grid_size, workgroup, sizeof d.grid_size);
    memcpy(d.workgroup_size, workgroup, sizeof d.workgroup_size);
    if (gcnsim_launch(m, &d, &r, &error))
        fail_msg("%s", error.text);
    assert_non_null(r->occupancy);
    *out = *r->occupancy; /* the limiter's name is a constant */
    gcnsim_result_free(r);
    gcnsim_close(sim);
}

static void inspection_and_launch_agree(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct gcnsim_occupancy inspected, launched;
        struct gcnsim_kernel_info k;
        struct gcnsim_error error;
        struct gcnsim_code *code;
        char path[200];

        snprintf(path, sizeof path, "traces/samples/%s.co", cases[n].file);
        if (gcnsim_code_open_file(&code, path, NULL, &error))
            fail_msg("%s", error.text);
        assert_int_equal(gcnsim_code_kernel(code, 0, &k), 0);
        uint32_t workgroup[3] = {64, 1, 1};
        if (k.reqd_workgroup_size[0])
            memcpy(workgroup, k.reqd_workgroup_size, sizeof workgroup);
        uint32_t items = workgroup[0] * workgroup[1] * workgroup[2];
        if (gcnsim_code_occupancy(code, 0, cases[n].profile, items, 0, &inspected, &error))
            fail_msg("%s", error.text);
        launch_occupancy(path, &k, cases[n].profile, workgroup, &launched);

        print_message("%s\n", cases[n].file);
        assert_int_equal(k.vgprs, cases[n].vgprs);
        assert_int_equal(k.agprs, cases[n].agprs);
        assert_int_equal(k.sgprs, cases[n].sgprs);
        assert_int_equal(inspected.vgprs_allocated, cases[n].vgprs_allocated);
        assert_int_equal(inspected.agprs_allocated, 0);
        assert_int_equal(inspected.sgprs_allocated, cases[n].sgprs_allocated);
        assert_true(inspected.lds_bytes_allocated >= k.group_segment_fixed_size);
        assert_int_equal(launched.vgprs_allocated, inspected.vgprs_allocated);
        assert_int_equal(launched.agprs_allocated, inspected.agprs_allocated);
        assert_int_equal(launched.sgprs_allocated, inspected.sgprs_allocated);
        assert_int_equal(launched.lds_bytes_allocated, inspected.lds_bytes_allocated);
        assert_int_equal(launched.waves_per_simd, inspected.waves_per_simd);
        assert_int_equal(launched.workgroups_per_cu, inspected.workgroups_per_cu);
        assert_string_equal(launched.limiter, inspected.limiter);
        gcnsim_code_close(code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inspection_and_launch_agree),
    };

    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
