/* The arithmetic of a sampled program: what a wave-instruction of a cluster costs, and the interval around the sum. */
#include <math.h>

#include "sim/hsa/sampling/sample.h"
#include "sim/hsa/sampling/sample_internal.h"
#include "sim/util/student.h"

#define WINDOW 8 /* representatives by which estimates are made */
#define LEAST_RANGE                                                                                                    \
    0.001          /* of the squares of wave-instructions, their deviations from the mean, for a line through them */
#define SINGLE 0.5 /* half of the interval over the cost, where there is one representative */

static double cost_of_rep(const struct sample_rep *r)
{
    return r->instructions > 0 ? r->cycles / r->instructions : 0;
}

/* The same of the interval around its cycles. */
static double half_of_rep(const struct sample_rep *r)
{
    return r->instructions > 0 ? r->half / r->instructions : 0;
}

/* The first representative that counts: the class's first dispatch does not, as long as there are two others. */
static uint32_t first_counted(const struct sample_cluster *n)
{
    return n->reps > 2 && n->rep[0].cold;
}

/* The first of those by which estimates are made now: of the later half, the last WINDOW. */
static uint32_t window_from(const struct sample_cluster *n)
{
    uint32_t first = first_counted(n), half = (n->reps - first) / 2;

    if (half > WINDOW)
        half = WINDOW;
    if (half < 2)
        half = 2;
    return n->reps - first > half ? n->reps - half : first;
}

/* What representative k and its neighbours differ by, squared: costs may change slowly without being uncertain. */
static double scatter_at(const struct sample_cluster *n, uint32_t k)
{
    double square = 0, count = 0, cost = cost_of_rep(&n->rep[k]);

    if (k > first_counted(n)) {
        square += pow(cost - cost_of_rep(&n->rep[k - 1]), 2) / 2;
        count++;
    }
    if (k + 1 < n->reps) {
        square += pow(cost - cost_of_rep(&n->rep[k + 1]), 2) / 2;
        count++;
    }
    return count > 0 ? square / count : 0;
}

/* Representatives by which it is measured how costs scatter: the last ones. */
static uint32_t recent(const struct sample_cluster *n)
{
    uint32_t counted = n->reps - first_counted(n);

    return counted < 2 * WINDOW ? counted : 2 * WINDOW;
}

struct sample_cluster *sample_nearest(struct sample_class *c, const struct sample_vector *v, bool represented,
                                      double *distance)
{
    struct sample_cluster *best = NULL;

    *distance = INFINITY;
    for (uint32_t k = 0; k < c->clusters; k++) {
        struct sample_cluster *one = &c->cluster[k];
        double d = represented && !one->reps ? INFINITY : sample_vector_distance(&one->vector, v);

        if (d < *distance) {
            *distance = d;
            best = one;
        }
    }
    return best;
}

struct sample_rate sample_rate(const struct sample_cluster *n)
{
    uint32_t from = window_from(n);
    struct sample_rate r = {.counted = n->reps - from};
    double instructions = 0, cycles = 0, square = 0;

    for (uint32_t k = from; k < n->reps; k++) {
        instructions += n->rep[k].instructions;
        cycles += n->rep[k].cycles;
    }
    if (instructions <= 0)
        return (struct sample_rate){0};
    r.cost = cycles / instructions;
    r.half = SINGLE * r.cost;
    if (r.counted < 2)
        return r;
    for (uint32_t k = from; k < n->reps; k++) {
        double residual = n->rep[k].cycles - r.cost * n->rep[k].instructions;

        square += residual * residual;
    }
    r.half = student_half(r.counted - 1) * sqrt(square / ((r.counted - 1) * r.counted)) / (instructions / r.counted);
    square = 0;
    for (uint32_t k = n->reps - recent(n); k < n->reps; k++)
        square += scatter_at(n, k) / recent(n);
    r.scatter = student_half(recent(n) - 1) * sqrt(square) / r.cost;
    return r;
}

/* A cluster over time ---------------------------------------------------------------------------------------------- */

/* How far costs have moved from the representatives before the last ones to these: they may go on. */
static double drift(const struct sample_cluster *n)
{
    uint32_t from = window_from(n), before = n->reps - from, first = first_counted(n);
    double sum = 0, count = 0;

    for (uint32_t k = from > first + before ? from - before : first; k < from; k++) {
        sum += cost_of_rep(&n->rep[k]);
        count++;
    }
    return count > 0 ? fabs(sample_rate(n).cost - sum / count) : 0;
}

/* What the dispatches of a cluster with two representatives or more cost that were not timed: between two of them, the
 * mean of both; after the last one, what estimates are made by now. */
static double cost_over_time(const struct sample_cluster *n, double *half)
{
    uint32_t first = first_counted(n), from = window_from(n), last = n->reps - 1;
    double cycles = 0, square = 0, own = 0, behind_last = n->rep[last].behind_instructions;
    double carried = n->estimated_instructions; /* wave-instructions that k has of the span before it */

    for (uint32_t k = first; k < n->reps; k++)
        carried -= n->rep[k].behind_instructions;
    for (uint32_t k = first; k < n->reps; k++) {
        double behind = k == last ? 0 : n->rep[k].behind_instructions / 2;
        double weight = carried + behind + (k >= from ? behind_last / (n->reps - from) : 0);

        cycles += weight * cost_of_rep(&n->rep[k]);
        square += weight * weight * scatter_at(n, k);
        own += pow(half_of_rep(&n->rep[k]) * weight, 2);
        carried = behind;
    }
    *half = hypot(student_half(n->reps - first - 1) * sqrt(square), sqrt(own)) + behind_last * drift(n) / 2;
    return cycles;
}

/* Clusters without representatives --------------------------------------------------------------------------------- */

/* The cycles of a class's dispatches along a straight line over their wave-instructions. */
struct line {
    double base, slope;
    double spread; /* half of an interval around one dispatch */
    bool fits;     /* there are enough representatives, that do different work */
};

/* Sums over the representatives of a class that count. */
struct sums {
    double n, x, y, xx, xy, yy;
};

static struct sums add_up(const struct sample_class *c)
{
    struct sums s = {0};

    for (uint32_t k = 0; k < c->clusters; k++) {
        const struct sample_cluster *n = &c->cluster[k];

        for (uint32_t j = window_from(n); j < n->reps; j++) {
            double x = n->rep[j].instructions, y = n->rep[j].cycles;

            s = (struct sums){s.n + 1, s.x + x, s.y + y, s.xx + x * x, s.xy + x * y, s.yy + y * y};
        }
    }
    return s;
}

static struct line line_of(const struct sample_class *c)
{
    const struct sums s = add_up(c);
    double xx = s.xx - s.x * s.x / s.n, xy = s.xy - s.x * s.y / s.n, yy = s.yy - s.y * s.y / s.n;
    struct line l = {0};

    if (s.n < 3 || xx <= LEAST_RANGE * s.xx)
        return l;
    l.slope = xy / xx;
    l.base = (s.y - l.slope * s.x) / s.n;
    l.spread = student_half((size_t)s.n - 2) * sqrt(fmax(yy - l.slope * xy, 0) / (s.n - 2));
    l.fits = l.slope >= 0 && l.base >= 0;
    return l;
}

/* The estimated cycles of `dispatches` dispatches, of `instructions` wave-instructions in all, whose cluster has no
 * representatives. *half: half the width of the 95 % interval. */
static double cost_by_others(struct sample_class *c, const struct sample_cluster *n, double dispatches,
                             double instructions, double *half)
{
    struct sample_cluster *near;
    double apart;
    const struct line l = line_of(c);

    if (l.fits) {
        *half = l.spread * dispatches;
        return l.base * dispatches + l.slope * instructions;
    }
    near = sample_nearest(c, &n->vector, true, &apart);
    double cycles = near ? sample_rate(near).cost * instructions : 0;
    *half = fmin(apart + SINGLE, 1) * cycles;
    return cycles;
}

/* What the dispatches of a cluster cost that were not timed. *half: of the interval. */
static double cost_of(struct sample_class *c, const struct sample_cluster *n, double *half)
{
    double dispatches = (double)n->estimated, cycles;

    if (!n->reps)
        return cost_by_others(c, n, dispatches, n->estimated_instructions, half);
    if (n->reps - first_counted(n) >= 2)
        return cost_over_time(n, half);
    const struct line l = line_of(c);
    cycles = sample_rate(n).cost * n->estimated_instructions;
    *half = l.fits ? l.spread * dispatches : SINGLE * cycles;
    return cycles;
}

double sample_cost(struct sample_class *c, const struct sample_cluster *n, double instructions)
{
    double half;

    return n->reps ? sample_rate(n).cost * instructions : cost_by_others(c, n, 1, instructions, &half);
}

void sampler_sum(struct sampler *s, struct sample_sum *out)
{
    double square = 0;

    pthread_mutex_lock(&s->lock);
    *out = (struct sample_sum){.timed = s->timed,
                               .warmed = s->warmed,
                               .executed = s->executed,
                               .classes = s->class_count,
                               .clusters = s->cluster_count,
                               .in_part = s->in_part,
                               .timed_cycles = s->timed_cycles,
                               .sure_cycles = s->sure_cycles,
                               .told_cycles = s->told_cycles};
    for (struct sample_class *c = s->classes; c; c = c->next)
        for (uint32_t k = 0; k < c->clusters; k++) {
            const struct sample_cluster *n = &c->cluster[k];
            double half, cycles;

            for (uint32_t r = 0; r < n->reps; r++)
                square += pow(n->rep[r].half, 2);
            if (!n->estimated)
                continue;
            cycles = cost_of(c, n, &half);
            out->estimated_cycles += cycles;
            square += half * half;
            out->unsure += sample_rate(n).counted < 2 ? cycles : 0;
        }
    out->bias = SAMPLE_BIAS * out->estimated_cycles;
    out->half = sqrt(square) + out->bias;
    pthread_mutex_unlock(&s->lock);
}

void sampler_each(struct sampler *s, void (*each)(void *ctx, const struct sample_cluster_info *i), void *ctx)
{
    pthread_mutex_lock(&s->lock);
    for (struct sample_class *c = s->classes; c; c = c->next)
        for (uint32_t k = 0; k < c->clusters; k++) {
            const struct sample_cluster *n = &c->cluster[k];
            struct sample_rate r = sample_rate(n);

            each(ctx, &(struct sample_cluster_info){.number = n->number,
                                                    .key = &c->key,
                                                    .dispatches = n->dispatches,
                                                    .timed = n->reps,
                                                    .instructions = n->instructions,
                                                    .cost = r.cost,
                                                    .half = r.half});
        }
    pthread_mutex_unlock(&s->lock);
}
