/* The arithmetic of an estimate: the cost of a wave-instruction by the ratio of sums over windows, its interval by
 * Student's t, and the cycles of a launch from what the stretches beside a gap have cost. */
#include "sim/engine/sampling/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/util/student.h"

#define LEAST_PERIODS  3    /* that windows must show, */
#define LEAST_LIKENESS 0.6  /* the autocorrelation at which they do, */
#define ALIKE          0.05 /* workgroups whose wave-instructions differ by less are */
#define FEW            3    /* windows after a leap within a loop */
#define LEAST_FOR_LINE 4    /* windows */
#define LEAST_SPREAD   0.02 /* and the standard deviation over the mean from which on it matters */

bool estimate_add_mark(struct estimate_stretch *s, const struct engine_mark *mark)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        struct engine_mark *more = realloc(s->mark, room * sizeof *more);

        if (!more)
            return false;
        s->mark = more;
        s->room = room;
    }
    s->mark[s->count++] = *mark;
    return true;
}

static double cycles_between(const struct estimate_stretch *s, size_t from, size_t to)
{
    return (double)(s->mark[to].cycles - s->mark[from].cycles);
}

static double instructions_between(const struct estimate_stretch *s, size_t from, size_t to)
{
    return (double)(s->mark[to].instructions - s->mark[from].instructions);
}

/* Wave-instructions of a workgroup. */
static double work_of(const struct estimate_stretch *s, size_t from, size_t to)
{
    double groups = (double)(s->mark[to].started - s->mark[from].started);

    return groups > 0 ? instructions_between(s, from, to) / groups : 0;
}

static double cost_between(const struct estimate_stretch *s, size_t from, size_t to)
{
    double n = instructions_between(s, from, to);

    return n > 0 ? cycles_between(s, from, to) / n : 0;
}

struct estimate_rate estimate_rate(const struct estimate_stretch *s)
{
    size_t to = s->count ? s->count - 1 : 0, period = s->period ? s->period : 1;
    size_t batches = to > s->from ? (to - s->from) / period : 0, from = to - batches * period;
    struct estimate_rate r = {.windows = (uint32_t)(batches * period)};
    double square = 0;

    if (!batches)
        return r;
    r.cost = cost_between(s, from, to);
    double mean = instructions_between(s, from, to) / (double)batches;
    if (batches < 2 || mean <= 0) {
        r.half = r.cost;
        return r;
    }
    /* the residuals of a ratio estimator: what a batch took beside what its work would have at the mean cost */
    for (size_t k = from; k < to; k += period) {
        double residual = cycles_between(s, k, k + period) - r.cost * instructions_between(s, k, k + period);

        square += residual * residual;
    }
    size_t middle = from + batches / 2 * period;
    r.half = student_half(batches - 1) * sqrt(square / (double)((batches - 1) * batches)) / mean +
             fabs(cost_between(s, from, middle) - cost_between(s, middle, to)) / 2;
    return r;
}

size_t estimate_period(const struct estimate_stretch *s, size_t from)
{
    size_t count = s->count - 1 - from, best = 1;
    double mean = cost_between(s, from, s->count - 1), all = 0, most = LEAST_LIKENESS;

    for (size_t k = from; k + 1 < s->count; k++)
        all += pow(cost_between(s, k, k + 1) - mean, 2) / (double)count;
    if (sqrt(all) < LEAST_SPREAD * mean)
        return 1;
    for (size_t lag = 2; lag * LEAST_PERIODS <= count; lag++) {
        double sum = 0;

        for (size_t k = from; k + lag + 1 < s->count; k++)
            sum += (cost_between(s, k, k + 1) - mean) * (cost_between(s, k + lag, k + lag + 1) - mean);
        sum /= (double)(count - lag) * all;
        if (sum > most) {
            most = sum;
            best = lag;
        }
    }
    return best;
}

/* The least and the most wave-instructions of a workgroup, by windows. */
static void range_of_work(const struct estimate_facts *f, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (uint32_t k = 0; k <= f->gaps; k++) {
        const struct estimate_stretch *s = &f->stretch[k];

        for (size_t n = s->from; n + 1 < s->count; n++) {
            double of_window = work_of(s, n, n + 1);

            *least = of_window > 0 ? fmin(*least, of_window) : *least;
            *most = fmax(*most, of_window);
        }
    }
}

/* A gap whose workgroups do more or less than those of any window: the cost of a wave-instruction may be another one
 * there. The interval then reaches to where each workgroup takes as long as those seen. Nobody knows what workgroups do
 * that were skipped, where workgroups differ. Returns the share of the gap's cycles that half of the interval has for
 * it. */
static double check_work(const struct estimate_facts *f, const struct estimate_gap *g, struct engine_estimate *out)
{
    if (g->within)
        return 0;
    double least, most, each = g->instructions / (double)(g->behind - g->first);

    range_of_work(f, &least, &most);
    if (g->skipped > 0 && most > (1 + ALIKE) * least) {
        out->unsafe = true;
        snprintf(
            out->note, sizeof out->note,
            "workgroups execute %.0f to %.0f wave-instructions, by windows; what those do that were skipped is not "
            "known",
            least, most);
        return g->skipped * (most - least) / each;
    }
    if (each >= (1 - ALIKE) * least && each <= (1 + ALIKE) * most)
        return 0;
    out->unsafe = true;
    snprintf(out->note, sizeof out->note,
             "a workgroup that was not simulated executes %.0f wave-instructions on average, those in the windows %.0f "
             "to %.0f: what one costs may be another there",
             each, least, most);
    return fabs(each - (each < least ? least : most)) / each;
}

/* ---- workgroups that do unlike work ---- */

/* Cycles of a workgroup by its wave-instructions: the straight line through all windows. */
struct line {
    double count, work, cycles; /* windows; means */
    double slope, spread;       /* spread: sum of the squares of what their work differs from the mean by */
    double residual;            /* standard deviation of their cycles beside the line */
};

static struct line line_through(const struct estimate_facts *f)
{
    struct line l = {0};
    double xx = 0, xy = 0, yy = 0;

    for (uint32_t k = 0; k <= f->gaps; k++) {
        const struct estimate_stretch *s = &f->stretch[k];

        for (size_t n = s->from; n + 1 < s->count; n++) {
            double groups = (double)(s->mark[n + 1].started - s->mark[n].started);
            double x = work_of(s, n, n + 1), y = groups > 0 ? cycles_between(s, n, n + 1) / groups : 0;

            l.count++;
            l.work += x;
            l.cycles += y;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
    }
    l.work /= fmax(l.count, 1);
    l.cycles /= fmax(l.count, 1);
    l.spread = xx - l.count * l.work * l.work;
    if (l.count < LEAST_FOR_LINE || l.spread <= 0)
        return (struct line){0};
    double both = xy - l.count * l.work * l.cycles;
    l.slope = both / l.spread;
    l.residual = sqrt(fmax(yy - l.count * l.cycles * l.cycles - l.slope * both, 0) / (l.count - 2));
    return l;
}

/* Whether workgroups of some gap execute other numbers of instructions than those that were simulated. For windows that
 * is less well known: what is issued in one belongs to workgroups that have started before it, too. */
static bool work_differs(const struct estimate_facts *f)
{
    double work = f->instructions / fmax((double)f->groups, 1);

    for (uint32_t k = 0; k < f->gaps; k++) {
        const struct estimate_gap *g = &f->gap[k];

        if (!g->within && fabs(g->instructions / (double)(g->behind - g->first) - work) > ALIKE * work)
            return true;
    }
    return false;
}

/* What a gap takes by the line, and half of its interval: that of the line there, by Student's t, and half of what it
 * and the costs beside the gap disagree by. */
static double gap_by_line(const struct line *l, const struct estimate_gap *g, double by_cost, double *half)
{
    double groups = (double)(g->behind - g->first), away = g->instructions / groups - l->work;
    double cycles = groups * fmax(l->cycles + l->slope * away, 0);
    double error = groups * l->residual * sqrt(1 / l->count + away * away / l->spread);

    *half = hypot(student_half((size_t)l->count - 2) * error, (cycles - by_cost) / 2);
    return cycles;
}

/* ---- the whole ---- */

/* A stretch that is too short for an interval of its own has that of the first one. */
static void rate_all(const struct estimate_facts *f, struct estimate_rate *rate)
{
    for (uint32_t k = 0; k <= f->gaps; k++) {
        const struct estimate_stretch *s = &f->stretch[k];

        rate[k] = estimate_rate(s);
        if (k && s->period > 1 && rate[k].windows == s->period)
            rate[k].half = rate[0].cost > 0 ? rate[0].half / rate[0].cost * rate[k].cost : rate[k].cost;
        else if (k && f->gap[k - 1].within && rate[k].windows < FEW && rate[k - 1].cost > 0)
            rate[k].half = rate[k - 1].half / rate[k - 1].cost * rate[k].cost;
        if (k && !rate[k].windows) /* the launch ended before */
            rate[k] = (struct estimate_rate){rate[k - 1].cost, rate[k - 1].half, 0};
    }
}

void estimate_make(const struct estimate_facts *f, struct engine_estimate *out)
{
    struct estimate_rate rate[ESTIMATE_STRETCHES];
    double known = (double)f->cycles, by_line = 0, square = 0, more = 0, weight[ESTIMATE_STRETCHES] = {0};
    const struct line line = work_differs(f) ? line_through(f) : (struct line){0};

    rate_all(f, rate);
    for (uint32_t k = 0; k < f->gaps; k++) {
        const struct estimate_gap *g = &f->gap[k];
        /* half of a gap has the cost of either side, as along a straight line; or what lies before a change */
        double share = g->apart ? 1 : g->known_to > 0 ? g->before : 0.5;
        double half = (rate[k].cost - rate[k + 1].cost) * (g->known_to > 0 ? g->known_to : 0.5) * g->instructions;
        if (g->apart) /* nobody has seen whether it stays so */
            half = rate[k].half * g->instructions;

        known -= g->settle_cycles;
        weight[k + 1] += g->settle_instructions;
        if (line.count > 0) {
            double by_cost = g->instructions * (share * rate[k].cost + (1 - share) * rate[k + 1].cost);

            by_line += gap_by_line(&line, g, by_cost, &half);
        } else {
            weight[k] += share * g->instructions;
            weight[k + 1] += (1 - share) * g->instructions;
        }
        square += half * half;
        more += check_work(f, g, out) * g->instructions * fmax(rate[k].cost, rate[k + 1].cost);
    }
    out->cycles = known + by_line;
    out->windows = 0;
    more += SAMPLE_BIAS * by_line;
    for (uint32_t k = 0; k <= f->gaps; k++) {
        out->windows += rate[k].windows;
        out->cycles += weight[k] * rate[k].cost;
        square += weight[k] * rate[k].half * weight[k] * rate[k].half;
        more += SAMPLE_BIAS * weight[k] * rate[k].cost;
    }
    out->low = fmax(known, out->cycles - sqrt(square) - more);
    out->high = out->cycles + sqrt(square) + more;
}
