/* The kernels of docs/TUTORIAL.md: slow and fast ones compute the same, and the fast ones are faster. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/api/gcnsim.h"
#include "tests/system/cli_run.h"

#define FOLDER "traces/samples/tutorial/"

struct tutorial {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    uint64_t in, out;
};

static void open_tutorial(struct tutorial *t, const char *file, const uint32_t *data, size_t in_bytes, size_t out_bytes)
{
    struct gcnsim_error e = {0};
    char path[200];

    snprintf(path, sizeof path, FOLDER "%s", file);
    if (gcnsim_open(&t->sim, "gfx1201", &e) || gcnsim_load_file(t->sim, &t->module, path, NULL, &e) ||
        gcnsim_alloc(t->sim, in_bytes, "in", &t->in, &e) || gcnsim_alloc(t->sim, out_bytes, "out", &t->out, &e) ||
        gcnsim_write(t->sim, t->in, data, in_bytes, &e))
        fail_msg("%s", e.text);
}

/* Runs a kernel whose arguments are in, out and two numbers; returns what it leaves in `out`. */
static void run_kernel(struct tutorial *t, const char *kernel, const uint32_t grid[2], const uint32_t group[2],
                       const uint32_t numbers[2], void *out, size_t out_bytes)
{
    struct gcnsim_error e = {0};
    struct gcnsim_result *r;
    struct gcnsim_dispatch d;
    struct {
        uint64_t in, out;
        uint32_t number[2];
    } arg = {t->in, t->out, {numbers[0], numbers[1]}};

    gcnsim_dispatch_init(&d);
    d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    d.grid_size[0] = grid[0];
    d.grid_size[1] = grid[1];
    d.workgroup_size[0] = group[0];
    d.workgroup_size[1] = group[1];
    d.kernarg = &arg;
    if (gcnsim_code_find_kernel(gcnsim_module_code(t->module), kernel, &d.kernel, &e))
        fail_msg("%s", e.text);
    d.kernarg_size = strncmp(kernel, "softmax", 7) == 0 ? 16 : sizeof arg;
    if (gcnsim_launch(t->module, &d, &r, &e))
        fail_msg("%s", e.text);
    assert_int_equal(r->outcome, GCNSIM_COMPLETED);
    gcnsim_result_free(r);
    assert_int_equal(gcnsim_read(t->sim, t->out, out, out_bytes, &e), GCNSIM_OK);
}

static uint32_t random_word(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}

static void transposes(void **state)
{
    enum { ROWS = 64, COLS = 96, SIZE = ROWS * COLS };
    static uint32_t in[SIZE], out[SIZE];
    static const char *const kernels[] = {"transpose_slow", "transpose_fast"};
    struct tutorial t;
    uint32_t seed = 1;

    (void)state;
    for (unsigned k = 0; k < SIZE; k++)
        in[k] = random_word(&seed);
    for (unsigned n = 0; n < 2; n++) {
        open_tutorial(&t, "transpose.co", in, sizeof in, sizeof out);
        run_kernel(&t, kernels[n], (uint32_t[]){COLS, ROWS / 4}, (uint32_t[]){32, 8}, (uint32_t[]){ROWS, COLS}, out,
                   sizeof out);
        for (unsigned y = 0; y < ROWS; y++)
            for (unsigned x = 0; x < COLS; x++)
                assert_int_equal(out[x * ROWS + y], in[y * COLS + x]);
        gcnsim_close(t.sim);
    }
}

static void reduces(void **state)
{
    enum { COUNT = 4096, LANES = 256 };
    static uint32_t in[COUNT], out[LANES];
    static const char *const kernels[] = {"reduce_slow", "reduce_fast"};
    struct tutorial t;
    uint32_t seed = 2;

    (void)state;
    for (unsigned k = 0; k < COUNT; k++)
        in[k] = random_word(&seed);
    for (unsigned n = 0; n < 2; n++) {
        open_tutorial(&t, "reduce.co", in, sizeof in, sizeof out);
        run_kernel(&t, kernels[n], (uint32_t[]){LANES, 1}, (uint32_t[]){64, 1}, (uint32_t[]){COUNT, LANES}, out,
                   sizeof out);
        for (unsigned k = 0; k < LANES; k++) {
            uint32_t sum = 0;

            for (unsigned m = k; m < COUNT; m += LANES)
                sum += in[m];
            assert_int_equal(out[k], sum);
        }
        gcnsim_close(t.sim);
    }
}

static void softmaxes(void **state)
{
    enum { ROWS = 64, COLS = 1024, SIZE = ROWS * COLS };
    static float in[SIZE], out[SIZE];
    struct tutorial t;
    uint32_t seed = 3;

    (void)state;
    for (unsigned k = 0; k < SIZE; k++)
        in[k] = (float)(random_word(&seed) >> 8) * 0x1p-20f - 8.0f;
    for (unsigned n = 0; n < 2; n++) {
        open_tutorial(&t, "softmax.co", (const uint32_t *)in, sizeof in, sizeof out);
        run_kernel(&t, n ? "softmax_fast" : "softmax_slow", (uint32_t[]){ROWS * 32, 1}, (uint32_t[]){32, 1},
                   (uint32_t[]){0, 0}, out, sizeof out);
        for (unsigned y = 0; y < ROWS; y++) {
            double top = -INFINITY, sum = 0;

            for (unsigned x = 0; x < COLS; x++)
                top = fmax(top, in[y * COLS + x]);
            for (unsigned x = 0; x < COLS; x++)
                sum += exp(in[y * COLS + x] - top);
            for (unsigned x = 0; x < COLS; x++) {
                double want = exp(in[y * COLS + x] - top) / sum;

                /* an argument of up to 16 * log2(e), rounded, a sum of 1024 terms, and a reciprocal */
                if (fabs(out[y * COLS + x] - want) > want * 1e-5)
                    fail_msg("row %u, column %u: %g; expected %g", y, x, (double)out[y * COLS + x], want);
            }
        }
        gcnsim_close(t.sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes),
        cmocka_unit_test(reduces),
        cmocka_unit_test(softmaxes),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
