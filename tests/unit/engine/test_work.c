/* Operations, lanes, unit cycles and issue cycles of small pieces of code: exact counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

static struct gcnsim_result *run(const char *target, const uint32_t *code, size_t bytes, uint32_t lanes)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    struct gcnsim_raw raw;
    struct gcnsim *sim = NULL;
    bool apart = strcmp(target, "gfx942") == 0;

    gcnsim_raw_init(&raw);
    raw.target = target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)code;
    raw.code_size = bytes;
    raw.wave_size = lanes;
    raw.workgroup_size[0] = lanes;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12;
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    raw.compute_pgm_rsrc3 = apart ? 7 : 0; /* AccVGPRs begin after 32 VGPRs */
    if (gcnsim_open(&sim, target, &error) || gcnsim_launch_raw(sim, &raw, &result, &error))
        fail_msg("%s", error.text);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s", result->message);
    gcnsim_close(sim);
    return result;
}

struct expected {
    const char *name;
    uint64_t value;
};

static void expect(const char *target, const uint32_t *code, size_t bytes, uint32_t lanes, const struct expected *e)
{
    struct gcnsim_result *r = run(target, code, bytes, lanes);

    for (; e->name; e++)
        if (result_stat(r, e->name) != e->value)
            fail_msg("%s on %s is %llu; expected %llu", e->name, target, (unsigned long long)result_stat(r, e->name),
                     (unsigned long long)e->value);
    gcnsim_result_free(r);
}

/* gfx1201: operations on the types that samples do not have */
static const char vector_types[] =
    "v_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9]; v_dot2_f32_bf16 v2, v3, v4, v5; v_dot4_f32_fp8_fp8 v2, v3, v4, v5; "
    "v_dot4_i32_iu8 v2, v3, v4, v5; v_dot8_i32_iu4 v2, v3, v4, v5; "
    "v_wmma_f32_16x16x16_bf16 v[8:15], v[16:19], v[20:23], v[8:15]; "
    "v_wmma_i32_16x16x16_iu8 v[8:15], v[16:17], v[20:21], v[8:15]; "
    "v_wmma_i32_16x16x16_iu4 v[8:15], v16, v20, v[8:15]; s_endpgm";
/* gfx942 */
static const char matrix_types[] =
    "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]; v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]; "
    "v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]; "
    "v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[0:1], v[2:3], a[0:3]; s_endpgm";
/* gfx1201: half of the lanes; packed, dual and plain instructions, and what is no operation */
static const char some_lanes[] =
    "s_mov_b64 exec, 0xffff; " /* s_mov_b32 exec_lo, 0xffff */
    "v_add_f32 v1, v0, v1; v_fmac_f32 v1, v0, v1; v_pk_fma_f16 v1, v0, v1, v1; v_add_nc_u32 v1, v0, v1; "
    "v_mov_b32 v1, v0; v_max_num_f32 v1, v0, v1; v_rcp_f32 v1, v0; s_endpgm";

static void each_type(void **state)
{
    static const struct expected vector[] = {{"work.valu.f64", 32 * 2},
                                             {"work.valu.bf16", 32 * 4},
                                             {"work.valu.f8", 32 * 8},
                                             {"work.valu.i8", 32 * 8},
                                             {"work.valu.i4", 32 * 16},
                                             {"work.matrix.bf16", 2 * 16 * 16 * 16},
                                             {"work.matrix.i8", 2 * 16 * 16 * 16},
                                             {"work.matrix.i4", 2 * 16 * 16 * 16},
                                             {"work.flops", 32 * 14 + 8192},
                                             {"work.integer_ops", 32 * 24 + 16384},
                                             {"units.valu.lanes", 5 * 32},
                                             {"work.valu.f32", 0},
                                             {NULL, 0}};
    static const struct expected matrix[] = {{"work.matrix.f64", 2 * 16 * 16 * 4},
                                             {"work.matrix.f32", 2 * 32 * 32 * 2},
                                             {"work.matrix.xf32", 2 * 16 * 16 * 8},
                                             {"work.matrix.f8", 2 * 16 * 16 * 32},
                                             {"units.valu.lanes", 0},
                                             {"units.valu.cycles", 0},
                                             {NULL, 0}};

    (void)state;
    expect("gfx1201", BYTES("gfx1201", vector_types), 32, vector);
    expect("gfx942", BYTES("gfx942", matrix_types), 64, matrix);
}

static void lanes_of_exec(void **state)
{
    static const struct expected e[] = {{"work.valu.f32", 16 * (1 + 2 + 1)},
                                        {"work.valu.f16", 16 * 4},
                                        {"work.valu.i32", 16},
                                        {"units.valu.lanes", 7 * 16},
                                        {"units.valu.cycles", 6},
                                        {"units.trans.cycles", 4},
                                        {"units.salu.cycles", 1},
                                        {"units.branch.cycles", 1},
                                        {"units.issue.cycles", 9},
                                        {NULL, 0}};

    (void)state;
    expect("gfx1201", BYTES("gfx1201", some_lanes), 32, e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type),
        cmocka_unit_test(lanes_of_exec),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
