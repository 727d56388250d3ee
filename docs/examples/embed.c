/* Runs the vector addition sample through the library: device memory of one's own, kernarg bytes by hand, a report.
 *
 *   cc -o embed docs/examples/embed.c $(pkg-config --cflags --libs gcnsim)
 *   ./embed traces/samples/gfx90a/vecadd.co
 */
#include <gcnsim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000u

static int fail(const struct gcnsim_error *error)
{
    fprintf(stderr, "embed: %s\n", error->text);
    return 1;
}

/* The kernel's explicit arguments, laid out as gcnsim info shows: two inputs, the output, the count. */
struct vecadd_args {
    uint64_t a, b, out;
    uint32_t n;
};

static int fill(struct gcnsim *sim, struct vecadd_args *args, struct gcnsim_error *error)
{
    uint32_t a[COUNT], b[COUNT];
    uint32_t i;

    for (i = 0; i < COUNT; i++) {
        float x = (float)i, y = 0.5f * (float)i;
        memcpy(&a[i], &x, 4);
        memcpy(&b[i], &y, 4);
    }
    args->n = COUNT;
    return gcnsim_alloc(sim, sizeof a, "a", &args->a, error) || gcnsim_alloc(sim, sizeof b, "b", &args->b, error) ||
           gcnsim_alloc(sim, sizeof a, "out", &args->out, error) || gcnsim_write(sim, args->a, a, sizeof a, error) ||
           gcnsim_write(sim, args->b, b, sizeof b, error);
}

static int check(struct gcnsim *sim, uint64_t address, struct gcnsim_error *error)
{
    float out[COUNT];
    uint32_t i;

    if (gcnsim_read(sim, address, out, sizeof out, error))
        return fail(error);
    for (i = 0; i < COUNT; i++) {
        if (out[i] != (float)i + 0.5f * (float)i) {
            fprintf(stderr, "embed: element %u is %g\n", (unsigned)i, out[i]);
            return 1;
        }
    }
    return 0;
}

static int run(struct gcnsim *sim, const char *path, struct gcnsim_error *error)
{
    struct gcnsim_module *module;
    struct gcnsim_dispatch dispatch;
    struct gcnsim_result *result;
    struct vecadd_args args;
    int bad;

    gcnsim_dispatch_init(&dispatch);
    if (gcnsim_load_file(sim, &module, path, NULL, error) ||
        gcnsim_code_find_kernel(gcnsim_module_code(module), "vecadd", &dispatch.kernel, error) ||
        fill(sim, &args, error))
        return fail(error);
    dispatch.engine = GCNSIM_ENGINE_TIMING;
    dispatch.grid_size[0] = COUNT;
    dispatch.workgroup_size[0] = 256;
    dispatch.kernarg = &args;
    dispatch.kernarg_size = sizeof args;
    if (gcnsim_launch(module, &dispatch, &result, error))
        return fail(error);
    if (result->outcome == GCNSIM_COMPLETED) {
        double cycles = 0, instructions = 0;
        gcnsim_result_stat(result, "cycles", &cycles);
        gcnsim_result_stat(result, "instructions.total", &instructions);
        printf("%s on %s: %.0f cycles, %.0f wave-instructions\n", result->kernel, result->profile, cycles,
               instructions);
        bad = check(sim, args.out, error);
    } else {
        fprintf(stderr, "embed: %s\n", result->message);
        bad = 1;
    }
    gcnsim_result_free(result);
    return bad;
}

int main(int argc, char **argv)
{
    struct gcnsim *sim;
    struct gcnsim_error error;
    int bad;

    if (argc != 2) {
        fprintf(stderr, "usage: embed CODE_OBJECT\n");
        return 2;
    }
    if (gcnsim_open(&sim, NULL, &error))
        return fail(&error);
    bad = run(sim, argv[1], &error);
    gcnsim_close(sim);
    return bad;
}
