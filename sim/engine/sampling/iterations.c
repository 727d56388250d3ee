/* Where a launch is in a loop that costs the same from iteration to iteration, and how many of them are left out. */
#include "sim/engine/sampling/iterations.h"

#include <math.h>
#include <string.h>

#include "sim/engine/device.h"
#include "sim/engine/sampling/part.h"
#include "sim/engine/sampling/sampled_sum.h"
#include "sim/engine/sampling/warm.h"

#define FIRST_LOOK   256   /* cycles */
#define LOOKS        3     /* in a row that find all waves in one loop */
#define LEAST_WINDOW 256   /* cycles: shorter iterations share a window */
#define RAMP         1     /* windows that never count */
#define LEAST_STEADY 3     /* windows that count before the first leap, */
#define LATER        2     /* and after one */
#define BATCHES      8     /* of windows that count are enough */
#define STEADY       0.02  /* half of the interval over the cost, */
#define STEADY_APART 0.005 /* while waves come out of step */
#define CLOSE        0.75  /* of a window, after which each epoch is looked at, */
#define LATE         1.5   /* and after which the waves may have left the loop */
#define MIXED        1.0   /* iterations: standard deviation of the waves' places */
#define APART        0.05  /* by so much more than before */
#define TIMES        4     /* as many iterations as were simulated are the first leap */

enum state {
    STATE_SEARCHING, /* for a loop that all waves are in */
    STATE_COUNTING,  /* windows */
    STATE_SETTLING   /* the window after a leap, which does not count */
};

static struct estimate_stretch *stretch_of(struct iterations *s)
{
    return &s->facts->stretch[s->facts->gaps];
}

struct engine_look iterations_first(void)
{
    return (struct engine_look){UINT64_MAX, FIRST_LOOK, false};
}

static void look_in(struct engine_look *next, uint64_t now, double cycles)
{
    *next = (struct engine_look){UINT64_MAX, now + (cycles > 1 ? (uint64_t)cycles : 1), false};
}

/* No workgroup has begun or ended since the last look. */
static bool is_same_crowd(const struct iterations *s, const struct engine_mark *m)
{
    return m->started == s->at.started && m->groups_done == s->at.groups_done && m->waves == s->at.waves;
}

static bool is_same_loop(const struct engine_span *a, const struct engine_span *b)
{
    return a->head == b->head && a->back == b->back;
}

static void search(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    s->state = STATE_SEARCHING;
    s->looks = 0;
    look_in(next, m->cycles, (double)m->cycles / 16 + FIRST_LOOK / 4.0);
}

/* A window begins. */
static void aim(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    s->target += s->each * s->waves;
    look_in(next, m->cycles, s->shortest ? CLOSE * (double)s->shortest : FIRST_LOOK / 4.0);
}

/* When, and with how many iterations, the window ended that has ended since the last look: the waves end theirs around
 * the mean of the cycles in which they did. */
static struct engine_mark end_of_window(const struct iterations *s, const struct engine_mark *m)
{
    const struct engine_mark *b = &s->at;
    double count = (double)(m->iterations - b->iterations), width = (double)(m->cycles - b->cycles);
    double mean = (double)(m->iterated_at - b->iterated_at) / count;
    double at = mean + ((double)(s->target - b->iterations) / count - 0.5) * width;
    struct engine_mark mark = *m;

    mark.cycles = (uint64_t)fmin(fmax(at, (double)b->cycles), (double)m->cycles);
    mark.instructions = s->target;
    mark.spread = engine_resident_spread(m->resident, &s->loop);
    return mark;
}

static bool add_mark(struct iterations *s, const struct engine_mark *m)
{
    s->no_memory = !estimate_add_mark(stretch_of(s), m);
    return !s->no_memory;
}

static size_t windows_of(const struct estimate_stretch *x)
{
    return x->count ? x->count - 1 : 0;
}

/* All waves have been in one loop for some looks: its iterations are counted. Windows end when half of the waves have
 * ended an iteration, which is in the middle of a burst where they go in step. */
static void begin_counting(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    s->state = STATE_COUNTING;
    s->waves = m->waves;
    s->each = 1;
    s->shortest = s->longest = s->leap = 0;
    s->period = 1;
    engine_resident_watch(m->resident, &s->loop);
    if (windows_of(stretch_of(s))) /* of another loop, or of other waves */
        s->facts->gap[s->facts->gaps++] = (struct estimate_gap){.within = true, .apart = true};
    s->watched = true;
    s->began = m->cycles;
    stretch_of(s)->count = 0;
    stretch_of(s)->period = 1;
    s->target = s->waves / 2 + 1;
    look_in(next, m->cycles, FIRST_LOOK / 4.0);
}

static void look_for_loop(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    struct engine_span loop;
    bool found = s->facts->gaps < ESTIMATE_STRETCHES - 2 && engine_resident_loop(m->resident, &loop);
    bool same = found && s->looks && is_same_loop(&loop, &s->loop) && is_same_crowd(s, m);

    if (found && is_same_loop(&loop, &s->spent) && m->started + m->groups_done == s->spent_at)
        found = same = false;
    if (found && !same && !engine_resident_may_advance(m->resident, &loop)) {
        s->refused = true;
        found = false;
    }
    uint32_t looks = same ? s->looks + 1 : found;
    if (found)
        s->loop = loop;
    if (looks == LOOKS) {
        begin_counting(s, m, next);
        return;
    }
    search(s, m, next);
    s->looks = looks;
}

/* The waves are still in the loop, all of them. */
static bool stays(const struct iterations *s, const struct engine_mark *m)
{
    struct engine_span loop;

    return is_same_crowd(s, m) && engine_resident_loop(m->resident, &loop) && loop.head >= s->loop.head &&
           loop.back <= s->loop.back;
}

/* Waves that begin in step, and ask for the same at the same time, come out of step; what an iteration costs changes
 * until they are, however slowly. They are when they are an iteration apart, or do not go on moving apart. */
static bool are_mixed(const struct estimate_stretch *x)
{
    double then = x->mark[x->from].spread, now = x->mark[x->count - 1].spread;

    return now >= MIXED || now <= (1 + APART) * then;
}

/* The windows of this stretch that count: the later half, as whole periods. Many are taken together: what one is long
 * the next one is short, where few waves end it. */
static void choose_windows(struct iterations *s, struct estimate_stretch *x)
{
    size_t windows = windows_of(x), counted, together;

    x->from = s->leap ? 0 : windows / 2 > RAMP ? windows / 2 : RAMP;
    if (!s->leap) {
        s->period = estimate_period(x, RAMP);
        if (windows - x->from < LEAST_STEADY * s->period) /* of which there are as many */
            x->from = windows - LEAST_STEADY * s->period;
    }
    counted = windows - x->from;
    together = counted / (BATCHES * s->period);
    x->period = s->period * (together ? together : 1);
}

/* Whether what they cost is steady, or after a leap what it was before. */
static bool is_steady(struct iterations *s)
{
    struct estimate_stretch *x = stretch_of(s);
    size_t windows = windows_of(x), least = s->leap ? s->later : RAMP + LEAST_STEADY;

    if (windows < least)
        return false;
    choose_windows(s, x);
    struct estimate_rate r = estimate_rate(x);
    if (s->leap && windows == least && fabs(r.cost - estimate_rate(x - 1).cost) <= STEADY * r.cost)
        return true;
    if (r.half > (are_mixed(x) ? STEADY : STEADY_APART) * r.cost)
        return false;
    s->later = x->period > LATER ? x->period : (LATER + s->period - 1) / s->period * s->period;
    return true;
}

/* Iterations that all waves have ended in detail. */
static uint64_t simulated(const struct iterations *s, const struct engine_mark *m)
{
    return m->iterations / s->waves;
}

/* Iterations of the next leap: whole periods, and no more than the caller's limit of cycles leaves. 0: none. */
static uint64_t most_iterations(const struct iterations *s, const struct engine_mark *m)
{
    uint64_t together = s->period * s->each;
    uint64_t want = s->leap ? 2 * s->leap : TIMES * simulated(s, m) / together * together;
    double each = estimate_rate(stretch_of((struct iterations *)s)).cost * (double)s->waves;
    double left = s->max_cycles && each > 0 ? (double)s->max_cycles / each - (double)s->left_out : (double)want;

    return left >= (double)want ? want : left > 0 ? (uint64_t)left / together * together : 0;
}

/* The rest of the loop is simulated. */
static void leave_loop(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    s->spent = s->loop;
    s->spent_at = m->started + m->groups_done;
    search(s, m, next);
}

/* The waves go through iterations without time, from the last mark on. */
static bool leap(struct iterations *s, uint64_t most, const struct engine_mark *m, struct engine_look *next)
{
    const struct estimate_stretch *x = stretch_of(s);
    struct estimate_gap *g = &s->facts->gap[s->facts->gaps];
    struct engine_runner by = {.run = engine_warmer_run};
    struct hierarchy_traffic traffic = {0};
    struct engine_advanced done;
    struct engine_result r;

    by.ctx = engine_warmer_new(s->l, s->d, !s->perfect_memory);
    s->no_memory = !by.ctx || !engine_device_warm_begin(s->d);
    if (s->no_memory) {
        engine_warmer_free(by.ctx);
        return false;
    }
    s->leap = most;
    s->no_memory = !engine_resident_advance(m->resident, &s->loop, s->leap, &by, &done, &r);
    engine_device_warm_end(s->d, &traffic);
    engine_warmer_free(by.ctx);
    s->no_memory |= !sampled_add_functional(&r, s->rest);
    if (s->no_memory)
        return false;
    if (!r.stat[STAT_INSTRUCTIONS]) {
        s->refused = true;
        leave_loop(s, m, next);
        return true;
    }
    *g = (struct estimate_gap){.within = true, .apart = done.left, .instructions = (double)done.iterations};
    s->left_out += done.rounds;
    s->left = x->mark[x->count - 1];
    s->facts->gaps++;
    if (done.left || s->facts->gaps == ESTIMATE_STRETCHES - 1) {
        leave_loop(s, m, next);
        return true;
    }
    s->state = STATE_SETTLING;
    aim(s, m, next);
    return true;
}

/* The first mark after a leap: what came before is a part of the gap. */
static void settle(struct iterations *s, const struct engine_mark *mark)
{
    struct estimate_gap *g = &s->facts->gap[s->facts->gaps - 1];

    s->state = STATE_COUNTING;
    stretch_of(s)->period = s->period;
    g->settle_cycles = (double)(mark->cycles - s->left.cycles);
    g->settle_instructions = (double)(mark->instructions - s->left.instructions);
}

/* A window took so long; the first one says how many iterations the next ones have. */
static void note_length(struct iterations *s, uint64_t cycles)
{
    if (!s->longest && cycles < LEAST_WINDOW) {
        s->each = LEAST_WINDOW / (cycles ? cycles : 1) + 1;
        cycles *= s->each;
    }
    s->shortest = !s->shortest || cycles < s->shortest ? cycles : s->shortest;
    s->longest = cycles > s->longest ? cycles : s->longest;
}

/* A window has ended. */
static bool end_window(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    struct estimate_stretch *x = stretch_of(s);

    s->target += (m->iterations - s->target) / s->waves * s->waves; /* more than one may have been ended */
    const struct engine_mark end = end_of_window(s, m);
    s->began = m->cycles;
    if (!add_mark(s, &end))
        return false;
    if (s->state == STATE_SETTLING)
        settle(s, &end);
    if (windows_of(x)) {
        note_length(s, end.cycles - x->mark[x->count - 2].cycles);
        uint64_t most = is_steady(s) ? most_iterations(s, m) : 0;
        if (most)
            return leap(s, most, m, next);
    }
    aim(s, m, next);
    return true;
}

/* The loop is over for some wave, or a workgroup has begun. */
static void give_up(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    struct estimate_stretch *x = stretch_of(s);

    if (!windows_of(x)) {
        x->count = 0;
        if (s->leap) {
            struct estimate_gap *g = &s->facts->gap[s->facts->gaps - 1];

            g->apart = true;
            g->settle_cycles = g->settle_instructions = 0;
        }
    }
    if (!s->leap)
        x->count = 0;
    search(s, m, next);
}

/* The window goes on. */
static void wait(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    double since = (double)(m->cycles - s->began);
    bool late = since > fmax(LATE * (double)s->longest, FIRST_LOOK);

    if (late && !stays(s, m))
        give_up(s, m, next);
    else
        look_in(next, m->cycles, late ? since / 8 : 1);
}

uint64_t iterations_look(struct iterations *s, const struct engine_mark *m, struct engine_look *next)
{
    bool good = true;

    if (s->state == STATE_SEARCHING)
        look_for_loop(s, m, next);
    else if (m->iterations < s->target)
        wait(s, m, next);
    else if (!stays(s, m))
        give_up(s, m, next);
    else
        good = end_window(s, m, next);
    s->at = *m;
    if (s->watched) /* from here on they count */
        s->at.iterations = s->at.iterated_at = 0;
    s->watched = false;
    return good ? 0 : ENGINE_LEAP_STOP;
}
