/* Launches of a kernel and of the one that goes back, and the table of what they take. */
#include "tests/timing/accuracy/launches.h"

#include <math.h>

#include "sim/api/gcnsim.h"

enum { ROUNDS = 3, GROUP = 256 };

/* Up to where the kernel takes as long as the rest. Beyond 1 MB MI210 is slower than simulated: its L2 takes loads and
 * stores that alternate at less than either alone. */
static const struct launches_point points[] = {
#define MI210(ELEMENTS, GB)                                                                                            \
    {                                                                                                                  \
        "gfx90a-mi210", "gfx90a", ELEMENTS, GB                                                                         \
    }
#define RX6900XT(ELEMENTS, GB)                                                                                         \
    {                                                                                                                  \
        "gfx1030-rx6900xt", "gfx1030", ELEMENTS, GB                                                                    \
    }
    MI210(4096, 31),      MI210(9542, 72),      MI210(16350, 124),     MI210(32678, 240),
    MI210(60482, 429),    RX6900XT(4096, 20),   RX6900XT(8234, 40),    RX6900XT(16562, 79),
    RX6900XT(31432, 148), RX6900XT(63237, 286), RX6900XT(127236, 509), RX6900XT(256017, 907),
#undef MI210
#undef RX6900XT
};

const struct launches_point *launches_points(size_t *count)
{
    *count = sizeof points / sizeof points[0];
    return points;
}

double launches_measured_us(const struct launches_point *p)
{
    return p->elements * 16 / (p->gb_per_second * 1e3);
}

static double launch_us(struct gcnsim_module *module, const uint64_t buffer[2], uint32_t n, struct gcnsim_error *error)
{
    struct {
        uint64_t to, from;
        uint32_t n;
    } kernarg = {buffer[0], buffer[1], n};
    struct gcnsim_result *result = NULL;
    struct gcnsim_dispatch d;
    double us = NAN;

    gcnsim_dispatch_init(&d);
    d.grid_size[0] = (n + GROUP) / GROUP * GROUP; /* one workgroup more than needed, as that benchmark has it */
    d.workgroup_size[0] = GROUP;
    d.kernarg = &kernarg;
    d.kernarg_size = sizeof kernarg;
    if (gcnsim_launch(module, &d, &result, error))
        return NAN;
    if (result->outcome != GCNSIM_COMPLETED)
        snprintf(error->text, sizeof error->text, "%s", result->message);
    else if (gcnsim_result_stat(result, "dispatch.total_us", &us))
        us = NAN;
    gcnsim_result_free(result);
    return us;
}

double launches_simulated_us(const struct launches_point *p, const char *code, char text[200])
{
    uint64_t there[2], back[2], bytes = 8 * (uint64_t)p->elements;
    struct gcnsim_error error = {0};
    struct gcnsim_module *module;
    struct gcnsim *sim = NULL;
    double us = NAN;

    if (!gcnsim_open(&sim, p->profile, &error) && !gcnsim_load_file(sim, &module, code, NULL, &error) &&
        !gcnsim_alloc(sim, bytes, "a", &there[0], &error) && !gcnsim_alloc(sim, bytes, "b", &there[1], &error)) {
        back[0] = there[1];
        back[1] = there[0];
        for (unsigned k = 0; k < ROUNDS; k++)
            us = (launch_us(module, there, p->elements, &error) + launch_us(module, back, p->elements, &error)) / 2;
    }
    gcnsim_close(sim);
    snprintf(text, 200, "%.190s", error.text);
    return us;
}

void launches_print(FILE *f, const char *folder)
{
    double sum = 0;
    unsigned count = 0;

    fprintf(f, "| chip | elements | measured us | simulated us | error |\n|---|---:|---:|---:|---:|\n");
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        const struct launches_point *p = &points[k];
        double measured = launches_measured_us(p);
        char path[4096], error[200];

        snprintf(path, sizeof path, "%s/launch.%s.co", folder, p->target);
        double us = launches_simulated_us(p, path, error), off = 100 * (us / measured - 1);

        fprintf(f, "| `%s` | %u | %.2f | ", p->profile, p->elements, measured);
        if (isnan(us)) {
            fprintf(f, "failed | %s |\n", error);
            continue;
        }
        fprintf(f, "%.2f | %+.1f %% |\n", us, off);
        sum += fabs(off);
        count++;
    }
    fprintf(f, "\n%u points, mean error %.1f %%\n\n", count, count ? sum / count : 0);
}
