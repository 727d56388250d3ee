/* What is said of a sampled program (sample.h): in the summary, and as tables of the report. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sim/hsa/agents/device.h"
#include "sim/hsa/sampling/sample.h"
#include "sim/hsa/sinks/report_sinks.h"

#define MOST_HALF     0.2 /* of the interval over the estimate, above which that says little */
#define WORTH_TELLING 0.005
#define MOST_UNSURE   0.05 /* of the estimate, that one representative or none stands for */

/* The samplers of all devices together, in microseconds. */
struct total {
    struct sample_sum sum;
    double timed_us, sure_us, estimated_us, told_us, unsure_us, bias_us, square_us;
};

static void add(struct total *t, const struct device *d)
{
    struct sample_sum s;
    double us = 1 / d->clock_mhz; /* of a cycle */

    sampler_sum(d->sampler, &s);
    double apart = (s.half - s.bias) * us;
    t->sum.timed += s.timed;
    t->sum.warmed += s.warmed;
    t->sum.executed += s.executed;
    t->sum.classes += s.classes;
    t->sum.clusters += s.clusters;
    t->sum.in_part += s.in_part;
    t->timed_us += s.timed_cycles * us;
    t->sure_us += s.sure_cycles * us;
    t->estimated_us += s.estimated_cycles * us;
    t->told_us += s.told_cycles * us;
    t->unsure_us += s.unsure * us;
    t->bias_us += s.bias * us;
    t->square_us += apart * apart;
}

static const char *s_of(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void sample_tell(const struct runtime *r)
{
    struct total t = {0};

    for (uint32_t k = 0; k < r->agents; k++)
        if (r->agent[k].device && r->agent[k].device->sampler)
            add(&t, r->agent[k].device);
    if (!t.sum.timed && !t.sum.executed)
        return;
    double all = t.timed_us + t.estimated_us, half = sqrt(t.square_us) + t.bias_us;
    rt_log("sampling: %" PRIu64 " dispatch%s timed, of %" PRIu32 " cluster%s; %" PRIu64
           " executed without time, %" PRIu64 " of them to warm caches",
           t.sum.timed, t.sum.timed == 1 ? "" : "es", t.sum.clusters, s_of(t.sum.clusters), t.sum.executed,
           t.sum.warmed);
    if (t.sum.in_part)
        rt_log("sampling: %" PRIu64 " of the timed by some of their workgroups alone", t.sum.in_part);
    if (!t.sum.executed && !t.sum.in_part) {
        rt_log("sampling: no dispatch was left to estimate; all times are simulated");
        return;
    }
    rt_log("sampling: ESTIMATE of all kernels' time %.3f us; 95 %% interval %.3f to %.3f (+-%.1f %%)", all,
           fmax(all - half, t.sure_us), all + half, 100 * half / all);
    if (fabs(t.told_us - t.estimated_us) > WORTH_TELLING * all)
        rt_log("sampling: estimates as dispatches ended, when less was known, make it %.3f us", t.timed_us + t.told_us);
    if (t.unsure_us > MOST_UNSURE * all)
        rt_log("sampling: UNSAFE: %.1f %% of it are of clusters that one timed dispatch, or none, stands for",
               100 * t.unsure_us / all);
    else if (half > MOST_HALF * all)
        rt_log("sampling: UNSAFE: what the timed dispatches of clusters cost differs too much");
}
