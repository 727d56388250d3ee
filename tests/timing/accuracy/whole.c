/* Runs the whole kernels and puts what they take beside what an MI300A took. */
#include "tests/timing/accuracy/whole.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 63 };

#define TIME(KERNEL, PROBLEM, US) {.kernel = #KERNEL, .problem = PROBLEM, .measured_us = US},
static const struct whole_point times[] = {
#include "tests/timing/accuracy/mi300a_times.inc"
};
#undef TIME
#define TIMES (sizeof times / sizeof times[0])
_Static_assert(TIMES <= WHOLE_MAX_POINTS, "callers have room for all points");

size_t whole_points(const struct whole_options *o, struct whole_point *points)
{
    size_t count = 0;

    for (size_t k = 0; k < TIMES; k++) {
        struct whole_point p = times[k];

        if (o->only && strcmp(o->only, p.kernel))
            continue;
        p.work = whole_work(p.kernel, p.problem, &p.launches);
        if (!o->max_work || p.work <= o->max_work)
            points[count++] = p;
    }
    return count;
}

/* ---- running ---- */

struct run {
    const struct whole_options *o;
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_error error;
};

static bool open_run(struct run *r)
{
    return gcnsim_open(&r->sim, WHOLE_PROFILE, &r->error) == GCNSIM_OK &&
           (!r->o->set_count || gcnsim_set_all(r->sim, r->o->sets, r->o->set_count, &r->error) == GCNSIM_OK) &&
           gcnsim_load_file(r->sim, &r->module, r->o->code, NULL, &r->error) == GCNSIM_OK;
}

/* Microseconds, NaN with r->error. */
static double launch(struct run *r, const struct whole_step *s)
{
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;
    double us = NAN;

    gcnsim_dispatch_init(&d);
    if (gcnsim_code_find_kernel(gcnsim_module_code(r->module), s->kernel, &d.kernel, &r->error) != GCNSIM_OK)
        return NAN;
    memcpy(d.grid_size, s->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, s->workgroup, sizeof d.workgroup_size);
    d.kernarg = s->kernarg;
    d.kernarg_size = s->kernarg_bytes;
    if (gcnsim_launch(r->module, &d, &result, &r->error) != GCNSIM_OK)
        return NAN;
    if (result->outcome != GCNSIM_COMPLETED)
        snprintf(r->error.text, sizeof r->error.text, "%s", result->message);
    else if (gcnsim_result_stat(result, "dispatch.total_us", &us) != GCNSIM_OK)
        us = NAN;
    gcnsim_result_free(result);
    return us;
}

static double run_plan(struct run *r, struct whole_plan *p)
{
    double us = 0;

    for (unsigned round = 0; round < p->simulated; round++) {
        if (p->arguments)
            p->arguments(p, round);
        for (unsigned k = 0; k < p->steps; k++)
            us += launch(r, &p->step[k]);
    }
    return us * p->rounds / p->simulated;
}

static void measure_point(const struct whole_options *o, struct whole_point *point)
{
    struct run r = {.o = o};
    struct whole_plan plan;

    point->simulated_us = NAN;
    if (open_run(&r) && whole_plan(r.sim, point->kernel, point->problem, &plan, &r.error)) {
        double first = run_plan(&r, &plan);
        point->simulated_us = isnan(first) ? NAN : fmax(WHOLE_HOST_US, WHOLE_EVENT_US + run_plan(&r, &plan));
    }
    if (isnan(point->simulated_us))
        snprintf(point->error, sizeof point->error, "%.199s", r.error.text);
    gcnsim_close(r.sim);
}

struct work {
    const struct whole_options *o;
    struct whole_point **order;
    size_t count, next;
    pthread_mutex_t lock;
    void (*done)(const struct whole_point *point);
};

static void *work_on(void *ctx)
{
    struct work *w = ctx;

    pthread_mutex_lock(&w->lock);
    while (w->next < w->count) {
        struct whole_point *p = w->order[w->next++];

        pthread_mutex_unlock(&w->lock);
        measure_point(w->o, p);
        pthread_mutex_lock(&w->lock);
        if (w->done)
            w->done(p);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static int by_work(const void *a, const void *b)
{
    double x = (*(struct whole_point *const *)a)->work, y = (*(struct whole_point *const *)b)->work;

    return (x < y) - (x > y);
}

/* The longest first, so that no thread is left alone with one at the end. */
void whole_measure(const struct whole_options *o, struct whole_point *points, size_t count,
                   void (*done)(const struct whole_point *point))
{
    struct whole_point *order[WHOLE_MAX_POINTS];
    struct work w = {.o = o, .order = order, .count = count, .done = done};
    pthread_t thread[MAX_JOBS];
    unsigned jobs = 0;

    for (size_t k = 0; k < count; k++)
        order[k] = &points[k];
    qsort(order, count, sizeof *order, by_work);
    pthread_mutex_init(&w.lock, NULL);
    while (jobs + 1 < o->jobs && jobs < MAX_JOBS && !pthread_create(&thread[jobs], NULL, work_on, &w))
        jobs++;
    work_on(&w);
    for (unsigned k = 0; k < jobs; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&w.lock);
}

/* ---- sums and tables ---- */

static double error_of(const struct whole_point *p)
{
    return 100 * (p->simulated_us - p->measured_us) / p->measured_us;
}

void whole_summarize(const struct whole_point *points, size_t count, const char *kernel, struct whole_summary *out)
{
    double sum = 0, off = 0, all = 0;

    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < count; k++) {
        const struct whole_point *p = &points[k];

        if (kernel && strcmp(kernel, p->kernel))
            continue;
        if (isnan(p->simulated_us)) {
            out->failed++;
            continue;
        }
        out->points++;
        sum += fabs(error_of(p));
        off += fabs(p->simulated_us - p->measured_us);
        all += p->measured_us;
    }
    out->mean = out->points ? sum / out->points : 0;
    out->weighted = all > 0 ? 100 * off / all : 0;
}

static void print_summary(FILE *f, const char *name, const struct whole_point *points, size_t count, const char *kernel)
{
    struct whole_summary s;

    whole_summarize(points, count, kernel, &s);
    if (s.points + s.failed)
        fprintf(f, "| %-20s | %6u | %9.1f%% | %13.1f%% |\n", name, s.points, s.mean, s.weighted);
}

static void print_point(FILE *f, const struct whole_point *p)
{
    if (isnan(p->simulated_us))
        fprintf(f, "| %-20s | %-28s | %11.1f | %9s | %7s |\n| %s |||||\n", p->kernel, p->problem, p->measured_us,
                "failed", "-", p->error);
    else
        fprintf(f, "| %-20s | %-28s | %11.1f | %9.1f | %+6.1f%% |\n", p->kernel, p->problem, p->measured_us,
                p->simulated_us, error_of(p));
}

void whole_print(FILE *f, const struct whole_point *points, size_t count, const struct whole_options *o)
{
    fprintf(f, "### MI300A, whole kernels\n\n");
    fprintf(f, "Profile %s, figures as they are", WHOLE_PROFILE);
    for (size_t k = 0; k < o->set_count; k++)
        fprintf(f, "%s %s", k ? "," : " except", o->sets[k]);
    fprintf(f,
            "; second of two runs on one device, %.1f us for the events around a run, and %.1f us at least; %zu of %zu "
            "points",
            WHOLE_EVENT_US, WHOLE_HOST_US, count, TIMES);
    if (o->max_work)
        fprintf(f, ", those of at most %g million accesses", o->max_work / 1e6);
    fprintf(f,
            ".\n\n| %-20s | points | mean error | weighted error |\n|----------------------|-------:|-----------:|"
            "---------------:|\n",
            "kernel");
    for (size_t k = 0; k < count; k++)
        if (!k || strcmp(points[k].kernel, points[k - 1].kernel))
            print_summary(f, points[k].kernel, points, count, points[k].kernel);
    print_summary(f, "all", points, count, NULL);
    fprintf(f, "\n| %-20s | %-28s | measured us | simulated | error   |\n", "kernel", "problem");
    fprintf(f, "|----------------------|------------------------------|------------:|----------:|--------:|\n");
    for (size_t k = 0; k < count; k++)
        print_point(f, &points[k]);
    fputc('\n', f);
}
