/* Runs the streams of gpu-stream at five sizes of workgroups, and prints their bandwidth beside what was measured. */
#include "tests/timing/accuracy/streams.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/api/gcnsim.h"

enum { SIZES = 5, ON_A_CU = 2, ROUNDS_OF_1024 = 15, MAX_ROUNDS = 90 };

static const uint32_t sizes[SIZES] = {64, 128, 256, 512, 1024};

/* GB/s, of all arrays together. MI300A is read alone: what it writes stays in the MALL for longer than a run lasts. */
static const struct stream {
    const char *profile, *target, *kernel;
    uint32_t cus, arrays;
    double measured[SIZES];
} streams[] = {
    {"gfx908-mi100", "gfx908", "init", 120, 1, {258, 496, 924, 1076, 1058}},
    {"gfx908-mi100", "gfx908", "read", 120, 1, {194, 352, 685, 1094, 1180}},
    {"gfx908-mi100", "gfx908", "scale", 120, 2, {281, 487, 840, 1035, 1042}},
    {"gfx908-mi100", "gfx908", "triad", 120, 3, {399, 643, 967, 1012, 1006}},
    {"gfx90a-mi210", "gfx90a", "init", 104, 1, {254, 488, 908, 1430, 1526}},
    {"gfx90a-mi210", "gfx90a", "read", 104, 1, {182, 334, 608, 1055, 1345}},
    {"gfx90a-mi210", "gfx90a", "scale", 104, 2, {253, 453, 840, 1216, 1358}},
    {"gfx90a-mi210", "gfx90a", "triad", 104, 3, {367, 658, 1104, 1225, 1248}},
    {"gfx942-mi300a", "gfx942", "read", 228, 1, {447, 846, 1470, 2269, 2677}},
};
enum { STREAMS = sizeof streams / sizeof streams[0] };

struct run {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    uint64_t at[3];
    struct gcnsim_error error;
};

static bool open_run(struct run *r, const struct stream *s, const char *folder)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/stream.%s.co", folder, s->target);
    if (gcnsim_open(&r->sim, s->profile, &r->error) || gcnsim_load_file(r->sim, &r->module, path, NULL, &r->error))
        return false;
    for (int k = 0; k < 3; k++)
        if (gcnsim_alloc(r->sim, UINT64_C(1) << 30, "stream", &r->at[k], &r->error))
            return false;
    return true;
}

/* Microseconds of a launch on a fresh device, NaN with r->error. */
static double launch(struct run *r, const struct stream *s, uint32_t size, uint32_t groups)
{
    struct {
        uint64_t at[3];
        uint32_t n, never;
    } arguments = {{r->at[0], r->at[1], r->at[2]}, size * groups, 0};
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;
    double us = NAN;

    gcnsim_dispatch_init(&d);
    if (gcnsim_code_find_kernel(gcnsim_module_code(r->module), s->kernel, &d.kernel, &r->error))
        return NAN;
    d.grid_size[0] = size * groups;
    d.workgroup_size[0] = size;
    d.kernarg = &arguments;
    d.kernarg_size = sizeof arguments;
    d.cold = 1;
    if (gcnsim_launch(r->module, &d, &result, &r->error))
        return NAN;
    if (gcnsim_result_stat(result, "time_us", &us))
        us = NAN;
    gcnsim_result_free(result);
    return us;
}

/* Between a run and one of a third of its length, so that neither the launch nor the first pages count. */
static double gbps(struct run *r, const struct stream *s, uint32_t size)
{
    uint32_t rounds = ROUNDS_OF_1024 * (1024 / size), many, few;

    rounds = rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
    many = s->cus * ON_A_CU * rounds;
    few = many / 3;
    double us = launch(r, s, size, many) - launch(r, s, size, few);
    return 8.0 * s->arrays * size * (many - few) / us / 1e3;
}

void streams_print(FILE *f, const char *folder)
{
    double sum = 0;
    unsigned points = 0;

    fprintf(
        f,
        "### Bandwidth by occupancy, GB/s\n\n| profile | stream | work-items on a CU | measured | simulated | error |\n"
        "|---|---|---:|---:|---:|---:|\n");
    for (size_t k = 0; k < STREAMS; k++) {
        const struct stream *s = &streams[k];
        struct run r = {0};
        bool open = open_run(&r, s, folder);

        for (int n = 0; n < SIZES; n++) {
            double v = open ? gbps(&r, s, sizes[n]) : NAN, error = 100 * (v / s->measured[n] - 1);

            fprintf(f, "| %s | %s | %u | %.0f | ", s->profile, s->kernel, ON_A_CU * sizes[n], s->measured[n]);
            if (isnan(v)) {
                fprintf(f, "failed | %s |\n", r.error.text);
                continue;
            }
            fprintf(f, "%.0f | %+.1f%% |\n", v, error);
            sum += fabs(error);
            points++;
        }
        gcnsim_close(r.sim);
    }
    fprintf(f, "\n%u points, mean error %.1f%%\n\n", points, points ? sum / points : 0);
}
