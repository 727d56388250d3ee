/* Matrix products as vendors write them (tests/timing/kernels/gemm_*): their results to the last bit, how near they
 * come to the peak of the matrix pipeline when memory is no bound, and that memory bounds them by the lines that a vL1D
 * has outstanding. docs/ACCURACY.md compares whole chips with published figures.
 *
 * The factors are whole numbers that bf16 and f16 hold and whose products and sums f32 holds, so that the order of the
 * sums does not matter.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/result_stat.h"
#include "tests/support/toolchain.h"

#define CLANG "clang-19 -target amdgcn-amd-amdhsa -mcpu=%s %s -o %s %s"
#define CL    "-x cl -cl-std=CL2.0 -cl-no-stdinc -nogpulib -O3 -I."

/* lines outstanding in the last test; dram.latency_cycles of gfx942-mi300x; lines of a step */
enum { MSHRS = 64, DRAM = 843, LINES = 512 };

enum { STEP = 64, SHORT = 8 * STEP, LONG = 20 * STEP, MACH_GFX950 = 0x4f, E_FLAGS = 48 };

static const struct product {
    const char *source, *kernel, *cpu, *profile;
    uint32_t tile, lanes; /* of a workgroup */
    double peak;          /* FLOP a cycle of the SIMDs that a workgroup runs on */
    double least;         /* share of it, memory being no bound */
} products[] = {
    {"gemm_bf16.s", "gemm_bf16", "gfx942", "gfx942-mi300x", 256, 256, 2048, 0.94},
    {"gemm_bf16_lds.s", "gemm_bf16_lds", "gfx942", "gfx942-mi300x", 256, 256, 2048, 0.98},
    {"gemm_bf16.s", "gemm_bf16", "gfx942", "gfx950-mi355x", 256, 256, 2048, 0.94},
    {"gemm_bf16_lds.s", "gemm_bf16_lds", "gfx942", "gfx950-mi355x", 256, 256, 2048, 0.98},
    {"gemm_f16.cl", "gemm_f16", "gfx1100", "gfx1100-rx7900xtx", 128, 128, 1024, 0.83},
    {"gemm_f16.cl", "gemm_f16", "gfx1201", "gfx1201-rx9070xt", 128, 128, 2048, 0.7},
};
enum { PRODUCTS = sizeof products / sizeof *products };

static struct {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    const struct product *product;
    uint64_t a, b, c;
    uint32_t m, n, depth, pitch;
} env;

static struct gcnsim_error error;

#define OK(CALL)                                                                                                       \
    do {                                                                                                               \
        if ((CALL) != GCNSIM_OK)                                                                                       \
            fail_msg("%s: %s", #CALL, error.text);                                                                     \
    } while (0)

/* ---- set up ---- */

/* clang-19 does not know gfx950, which runs gfx942's instructions. */
static void call_it_gfx950(const char *path)
{
    FILE *f = fopen(path, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, E_FLAGS, SEEK_SET), 0);
    assert_int_equal(fputc(MACH_GFX950, f), MACH_GFX950);
    assert_int_equal(fclose(f), 0);
}

static void load_product(const struct product *p)
{
    char path[PATH_MAX], source[128], command[PATH_MAX + 512];

    snprintf(path, sizeof path, "%s/gemm.co", program_folder());
    snprintf(source, sizeof source, "tests/timing/kernels/%s", p->source);
    snprintf(command, sizeof command, CLANG, p->cpu, strstr(p->source, ".cl") ? CL : "", path, source);
    assert_int_equal(system(command), 0);
    if (strstr(p->profile, "gfx950"))
        call_it_gfx950(path);
    OK(gcnsim_load_file(env.sim, &env.module, path, NULL, &error));
}

static void open_product(const struct product *p, uint32_t m, uint32_t n, uint32_t depth, uint32_t pitch)
{
    env.product = p;
    env.m = m, env.n = n, env.depth = depth, env.pitch = pitch;
    OK(gcnsim_open(&env.sim, p->profile, &error));
    load_product(p);
    OK(gcnsim_alloc(env.sim, 2ull * m * pitch, "a", &env.a, &error));
    OK(gcnsim_alloc(env.sim, 2ull * n * pitch, "b", &env.b, &error));
    OK(gcnsim_alloc(env.sim, 4ull * m * n, "c", &env.c, &error));
}

static struct gcnsim_result *launch(enum gcnsim_engine engine, uint32_t depth, bool perfect_memory)
{
    struct {
        uint64_t a, b, c;
        uint32_t depth, row, tiles, pitch;
    } args = {env.a, env.b, env.c, depth, env.n, env.m / env.product->tile, env.pitch};
    struct gcnsim_result *result;
    struct gcnsim_dispatch d;

    gcnsim_dispatch_init(&d);
    OK(gcnsim_code_find_kernel(gcnsim_module_code(env.module), env.product->kernel, &d.kernel, &error));
    d.engine = engine;
    d.workgroup_size[0] = env.product->lanes;
    d.grid_size[0] = env.product->lanes * args.tiles * (env.n / env.product->tile);
    d.kernarg = &args;
    d.kernarg_size = sizeof args;
    d.perfect_memory = perfect_memory;
    OK(gcnsim_launch(env.module, &d, &result, &error));
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", env.product->kernel, result->message);
    return result;
}

static uint64_t cycles(uint32_t depth, bool perfect_memory)
{
    struct gcnsim_result *r = launch(GCNSIM_ENGINE_TIMING, depth, perfect_memory);
    uint64_t n = result_stat(r, "cycles");

    gcnsim_result_free(r);
    return n;
}

/* Cycles of 64 elements of K in the middle of the loop, of one workgroup. */
static double step_cycles(bool perfect_memory)
{
    uint64_t first = cycles(SHORT, perfect_memory);

    return (double)(cycles(LONG, perfect_memory) - first) * STEP / (LONG - SHORT);
}

static double share_of_peak(double step)
{
    const struct product *p = env.product;

    return 2.0 * p->tile * p->tile * STEP / p->peak / step;
}

/* ---- results ---- */

static uint16_t encoded(int v, bool f16)
{
    float f = (float)v;
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    if (!f16 || !v)
        return (uint16_t)(bits >> 16);
    return (uint16_t)((bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
}

/* Rows of whole numbers from -8 to 8 from a generator, and as the chip has them; what lies past `depth` is no number.
 */
static void fill(uint64_t address, int8_t *value, uint32_t rows, uint32_t *seed)
{
    uint16_t *row = malloc(2 * env.pitch);
    bool f16 = strcmp(env.product->kernel, "gemm_f16") == 0;

    assert_non_null(row);
    for (uint32_t r = 0; r < rows; r++) {
        memset(row, 0xff, 2 * env.pitch);
        for (uint32_t k = 0; k < env.depth; k++) {
            *seed = *seed * 1664525 + 1013904223;
            value[(size_t)r * env.depth + k] = (int8_t)((int)(*seed >> 16) % 17 - 8);
            row[k] = encoded(value[(size_t)r * env.depth + k], f16);
        }
        OK(gcnsim_write(env.sim, address + 2ull * r * env.pitch, row, 2 * env.pitch, &error));
    }
    free(row);
}

static void results(void **state)
{
    uint32_t m = 256, n = 512, depth = 192, seed = 1;
    int8_t *a = malloc((size_t)m * depth), *b = malloc((size_t)n * depth);
    float *c = malloc(4 * (size_t)m * n);

    (void)state;
    NEED_CLANG();
    assert_true(a && b && c);
    for (size_t p = 0; p < PRODUCTS; p++) {
        open_product(&products[p], m, n, depth, 200);
        fill(env.a, a, m, &seed);
        fill(env.b, b, n, &seed);
        gcnsim_result_free(launch(GCNSIM_ENGINE_FUNCTIONAL, depth, false));
        OK(gcnsim_read(env.sim, env.c, c, 4 * (size_t)m * n, &error));
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < n; j++) {
                int sum = 0;
                for (uint32_t k = 0; k < depth; k++)
                    sum += a[i * depth + k] * b[j * depth + k];
                if (c[i * n + j] != (float)sum)
                    fail_msg("%s on %s: C[%u][%u] is %g, expected %d", products[p].kernel, products[p].profile, i, j,
                             c[i * n + j], sum);
            }
        gcnsim_close(env.sim);
    }
    free(a), free(b), free(c);
}

/* ---- time ---- */

/* With every access a hit of the nearest cache, the loop leaves the matrix pipeline little to wait for. On RDNA one
 * workgroup has one wave on each SIMD, which overlaps what the compiler's order of instructions lets it. */
static void near_the_peak(void **state)
{
    (void)state;
    NEED_CLANG();
    for (size_t p = 0; p < PRODUCTS; p++) {
        open_product(&products[p], products[p].tile, products[p].tile, LONG, LONG + 64);
        double share = share_of_peak(step_cycles(true));
        if (share < products[p].least || share > 1)
            fail_msg("%s on %s: %.3f of the peak", products[p].kernel, products[p].profile, share);
        gcnsim_close(env.sim);
    }
}

static double cold_step(void)
{
    uint64_t first = cycles(SHORT, false);

    gcnsim_device_reset(env.sim);
    return (double)(cycles(LONG, false) - first) * STEP / (LONG - SHORT);
}

/* A step of one workgroup takes 512 lines of 128 bytes. With 64 lines outstanding below a vL1D each of them, from
 * memory that nobody has loaded before, holds its MSHR for nearly the latency of DRAM, and that bounds the loop. It
 * does not with what a launch leaves in L2, four times as near, nor with as many as the chip has. */
static void bound_by_outstanding_lines(void **state)
{
    static const char *const few[] = {"cache.vl0.mshrs=64", "cache.vl0.queue_entries=64"};

    (void)state;
    NEED_CLANG();
    open_product(&products[0], 256, 256, LONG, LONG + 64);
    /* AMD, Max-Achievable FLOPs: 94 % of the peak from cold caches */
    assert_in_range((int)(1000 * share_of_peak(cold_step())), 930, 970);
    OK(gcnsim_set_all(env.sim, few, 2, &error));
    double cold = cold_step(), held = cold * MSHRS / LINES;
    if (held < 0.85 * DRAM || held > DRAM)
        fail_msg("cold: %.0f cycles a step, %.0f of an MSHR for a line", cold, held);
    assert_true(share_of_peak(cold) < 0.7);
    assert_true(share_of_peak(step_cycles(false)) > 0.94);
    gcnsim_close(env.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),
        cmocka_unit_test(near_the_peak),
        cmocka_unit_test(bound_by_outstanding_lines),
    };
    return cmocka_run_group_tests_name("timing/gemm", tests, NULL, NULL);
}
