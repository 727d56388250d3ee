/* The arithmetic of a sampled program: what a wave-instruction of a cluster costs, and the interval around the sum. */
#include <math.h>

#include "sim/hsa/sample_internal.h"
#include "sim/util/student.h"

#define BIAS 0.02 /* of what was not timed, for what representatives cannot tell: docs/SAMPLING.md */
#define LEAST_RANGE                                                                                                    \
    0.001          /* of the squares of wave-instructions, their deviations from the mean, for a line through them */
#define SINGLE 0.5 /* half of the interval over the cost, where there is one representative */

/* The first of the representatives that count: the later half of them, without the class's first dispatch. A program's
 * first iterations find data that nobody has touched before. */
static uint32_t first_counted(const struct sample_cluster *n)
{
    uint32_t from = n->reps / 2;

    if (n->reps - from < 2 && from)
        from--;
    return n->rep && n->rep[from].cold && n->reps > 2 ? from + 1 : from;
}

struct sample_rate sample_rate(const struct sample_cluster *n)
{
    uint32_t from = first_counted(n);
    struct sample_rate r = {.counted = n->reps - from};
    double instructions = 0, cycles = 0, square = 0;

    for (uint32_t k = from; k < n->reps; k++) {
        instructions += n->rep[k].instructions;
        cycles += n->rep[k].cycles;
    }
    if (instructions <= 0)
        return (struct sample_rate){0};
    r.cost = cycles / instructions;
    r.half = r.spread = SINGLE * r.cost;
    if (r.counted < 2)
        return r;
    for (uint32_t k = from; k < n->reps; k++) {
        double residual = n->rep[k].cycles - r.cost * n->rep[k].instructions;

        square += residual * residual;
    }
    /* the standard deviation of a dispatch, in cycles for each of its wave-instructions */
    double deviation = sqrt(square / (r.counted - 1)) / (instructions / r.counted);
    r.spread = student_half(r.counted - 1) * deviation;
    r.half = r.spread / sqrt(r.counted);
    return r;
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

        for (uint32_t j = first_counted(n); j < n->reps; j++) {
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

/* What the dispatches of a cluster cost that were not timed: so many, of so many wave-instructions together. *half: of
 * the interval. */
static double cost_of(struct sample_class *c, const struct sample_cluster *n, double dispatches, double instructions,
                      double *half)
{
    struct sample_cluster *near;
    double apart = sample_nearest(c, n, &near);
    struct sample_rate r = near ? sample_rate(near) : (struct sample_rate){0};
    double cycles = r.cost * instructions;

    if (sample_rate(n).counted < 2) {
        const struct line l = line_of(c);

        *half = l.spread * dispatches;
        if (l.fits)
            return n->reps ? cycles : l.base * dispatches + l.slope * instructions;
    }
    /* those that were not timed scatter as well; where many add up, little is left of that */
    *half = hypot(r.half, r.spread / sqrt(dispatches)) * instructions + (n->reps ? 0 : fmin(apart, 1) * cycles);
    return cycles;
}

double sample_cost(struct sample_class *c, const struct sample_cluster *n, double instructions)
{
    double half;

    return cost_of(c, n, 1, instructions, &half);
}

void sampler_sum(struct sampler *s, struct sample_sum *out)
{
    double square = 0, moved = 0;

    pthread_mutex_lock(&s->lock);
    *out = (struct sample_sum){.timed = s->timed,
                               .warmed = s->warmed,
                               .executed = s->executed,
                               .classes = s->class_count,
                               .clusters = s->cluster_count,
                               .timed_cycles = s->timed_cycles,
                               .estimated_cycles = s->estimated_cycles};
    for (struct sample_class *c = s->classes; c; c = c->next)
        for (uint32_t k = 0; k < c->clusters; k++) {
            const struct sample_cluster *n = &c->cluster[k];
            double half;

            if (!n->estimated)
                continue;
            moved += cost_of(c, n, (double)n->estimated, n->estimated_instructions, &half) - n->estimated_cycles;
            square += half * half;
            out->unsure += sample_rate(n).counted < 2 ? n->estimated_cycles : 0;
        }
    /* estimates are made as dispatches end, when later representatives are not known */
    out->half = sqrt(square) + fabs(moved) + BIAS * s->estimated_cycles;
    pthread_mutex_unlock(&s->lock);
}

static struct sample_cluster *numbered(struct sampler *s, uint32_t number, struct sample_class **of)
{
    for (*of = s->classes; *of; *of = (*of)->next)
        for (uint32_t k = 0; k < (*of)->clusters; k++)
            if ((*of)->cluster[k].number == number)
                return &(*of)->cluster[k];
    return NULL;
}

void sampler_each(struct sampler *s, void (*each)(void *ctx, const struct sample_cluster_info *i), void *ctx)
{
    pthread_mutex_lock(&s->lock);
    for (uint32_t number = 1; number <= s->cluster_count; number++) {
        struct sample_class *c;
        const struct sample_cluster *n = numbered(s, number, &c);
        struct sample_rate r = n ? sample_rate(n) : (struct sample_rate){0};

        if (n)
            each(ctx, &(struct sample_cluster_info){.number = number,
                                                    .key = &c->key,
                                                    .dispatches = n->dispatches,
                                                    .timed = n->reps,
                                                    .instructions = n->instructions,
                                                    .cost = r.cost,
                                                    .half = r.half});
    }
    pthread_mutex_unlock(&s->lock);
}
