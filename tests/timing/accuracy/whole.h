/* Whole kernels beside the times that an MI300A took for them: the warm run of a kernel of tests/timing/kernels,
 * through the public API, on one simulator that keeps its caches from launch to launch.
 *
 * A *point* is a kernel at a problem size. Its *plan* says what a run consists of: rounds of one or two launches.
 * Rounds of a run are alike; of many (Floyd and Warshall's N) the first few are simulated and the others are taken to
 * last as long as the mean of those. A run is simulated twice, and the second, which finds the caches as the first left
 * them, is the figure, as the measurement's first launch is a warm-up.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_WHOLE_H
#define GCNSIM_TESTS_TIMING_ACCURACY_WHOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/api/gcnsim.h"

#define WHOLE_PROFILE "gfx942-mi300a"

enum { WHOLE_MAX_STEPS = 2, WHOLE_KERNARG = 64, WHOLE_MAX_POINTS = 256 };

struct whole_step {
    const char *kernel;
    uint32_t grid[3], workgroup[3]; /* work-items */
    uint8_t kernarg[WHOLE_KERNARG];
    uint32_t kernarg_bytes;
};

struct whole_plan {
    struct whole_step step[WHOLE_MAX_STEPS];
    unsigned steps;     /* launches of a round */
    unsigned rounds;    /* of a run */
    unsigned simulated; /* of those */
    /* Changes the arguments for round number `round`; null: all rounds have the same. */
    void (*arguments)(struct whole_plan *p, unsigned round);
    uint64_t buffer[4]; /* for it */
};

struct whole_point {
    const char *kernel, *problem;
    double measured_us;
    double work;         /* accesses of lanes that a simulated run makes, about: what its simulation costs */
    double simulated_us; /* NaN: see error */
    double launches;     /* of a run */
    char error[200];
};

struct whole_options {
    double max_work;         /* points with more are left out; 0: none are */
    unsigned jobs;           /* points measured at the same time; 0: one */
    const char *only;        /* the kernel with this name alone; null: all */
    const char *code;        /* path of the code object */
    const char *const *sets; /* figures of the profile, "path=value" */
    size_t set_count;
};

/* The points within max_work, in the order of the list; returns how many. */
size_t whole_points(const struct whole_options *o, struct whole_point *points);

/* Fills in what was simulated. done: called after each point, from any thread, one at a time; null: not. */
void whole_measure(const struct whole_options *o, struct whole_point *points, size_t count,
                   void (*done)(const struct whole_point *point));

/* Makes the buffers of a point and the plan of its run. False with *error: no such kernel or problem. */
bool whole_plan(struct gcnsim *sim, const char *kernel, const char *problem, struct whole_plan *plan,
                struct gcnsim_error *error);
/* Accesses of lanes and launches of a run, without a simulator. */
double whole_work(const char *kernel, const char *problem, double *launches);

/* What a run takes in the measurement beside its launches, by the measured times alone. From the first event to the
 * first packet, and from the last completion to the second event: a fir without a tap would take 3.5 us (of 65536
 * elements, 16 to 64 taps), and launches as short, one after the other, take 1.80 us each (Floyd and Warshall's, 8 to
 * 32 nodes). And the host, which takes 4.2 us to enqueue an event, a launch and an event: no run is shorter, whatever
 * it does. */
#define WHOLE_EVENT_US 1.7
#define WHOLE_HOST_US  4.2

/* Errors over points, in per cent. weighted: of the sum of the times. */
struct whole_summary {
    unsigned points, failed;
    double mean, weighted;
};
void whole_summarize(const struct whole_point *points, size_t count, const char *kernel, struct whole_summary *out);

void whole_print(FILE *f, const struct whole_point *points, size_t count, const struct whole_options *o);
/* A log-log plot of all points. */
void whole_svg(FILE *f, const struct whole_point *points, size_t count);

#endif
