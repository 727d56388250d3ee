/* A sampled launch: one run of the timing engine that leaps over most of the workgroups, which the functional engine
 * runs meanwhile, and the result of the whole. */
#include "sim/engine/sampling/sampled.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/device.h"
#include "sim/engine/sampling/estimate.h"
#include "sim/engine/sampling/iterations.h"
#include "sim/engine/sampling/sampled_sum.h"
#include "sim/engine/sampling/warm.h"
#include "sim/engine/snapshot.h"

/* In windows, each of as many workgroups as the chip has room for. */
#define LEAST_LAUNCH  32  /* less is simulated in full */
#define LEAST_FOR_TWO 128 /* leaps */
#define RAMP          2   /* that never count */
#define LEAST_STEADY  4   /* of the first stretch that count */
#define MOST_SHARE    64  /* of a launch that the first stretch may be, unless that is less than */
#define MOST_AT_LEAST 16  /* windows */
#define SETTLE        2   /* after a gap that do not count */
#define SETTLE_EMPTY  4   /* the same, where the chip was empty when the gap was run */
#define LATER         4   /* of later stretches that count, or a period */
#define MOST_ROW      8   /* windows of a row of the grid that is measured by whole rows */
#define LEAST_GAP     4
#define MOST_GAPS     2

#define STEADY           0.01 /* half of the interval over the cost */
#define MOST_WITH_SKIP   16   /* windows of a gap that are executed all the same, for the caches */
#define MOST_HALF        0.2  /* of the interval over the estimate, above which that says little */
#define MORE_THAN_CACHES 1.25 /* lines that workgroups touch before a stretch, over those of the caches */
#define STEPS            32   /* of a gap, by which is found where memory's traffic changes */
#define SETTLED          0.9  /* of the bytes that become modified, those that caches write to memory: they are full */
#define LEAST_WRITES     0.01 /* of the time, that writing all of those would take: less does not matter */
#define CHANGED          0.05 /* of the traffic */

enum state {
    STATE_STEADY,   /* the first stretch, until its cost is steady */
    STATE_LEAVING,  /* workgroups below the gap run to their ends */
    STATE_SETTLING, /* windows after a gap that do not count */
    STATE_COUNTING  /* a later stretch */
};

struct engine_sampled {
    const struct launch *l;
    struct engine_options whole;       /* that the caller gave */
    const struct engine_sampling *how; /* theirs */
    struct engine_device *d;
    struct engine_estimate *out;
    struct engine_result *r;
    struct estimate_facts facts;
    struct engine_leaps leaps;
    enum state state;
    uint64_t window;            /* workgroups */
    uint64_t row_windows;       /* windows of a row of the grid; 1: rows are not looked at */
    uint64_t step;              /* a leap is a multiple of it */
    uint64_t fill;              /* workgroups that fill all caches */
    uint64_t valid[2];          /* lines of filled_level before the launch */
    struct engine_mark left_at; /* the last leap */
    uint64_t counted_from;      /* workgroups started when SETTLING is over */
    bool stopped;               /* the run of the timing engine has been */
    /* of the functional engine */
    struct engine_result rest; /* its exact counts, and how it ended if that was early */
    uint64_t executed_groups, skipped_groups;
    struct hierarchy_traffic traffic; /* of the last workgroups that warmed caches */
    struct iterations loops;          /* where iterations are left out, */
    bool by_loops;                    /* and not workgroups */
    int status;
    struct err e;
};

/* Workgroups that the chip has room for at once. */
static uint64_t resident_workgroups(const struct launch *l)
{
    const struct profile *p = l->profile;
    uint64_t most = (uint64_t)l->occupancy.groups_per_cu * (p->gpu.cus / (l->wgp_mode ? p->gpu.cus_per_wgp : 1));

    if (l->scratch_slots != UINT32_MAX && l->scratch_slots / l->waves_per_group < most)
        most = l->scratch_slots / l->waves_per_group;
    return most ? most : 1;
}

static uint64_t dies(const struct launch *l)
{
    return l->profile->gpu.xcds ? l->profile->gpu.xcds : 1;
}

static bool fail(struct engine_sampled *s)
{
    s->status = err_set(&s->e, ERR_NOMEM, "no host memory for a sampled launch");
    return false;
}

static bool add_mark(struct engine_sampled *s, const struct engine_mark *mark)
{
    return estimate_add_mark(&s->facts.stretch[s->facts.gaps], mark) || fail(s);
}

/* What lies in a gap ----------------------------------------------------------------------------------------------- */

/* Runs workgroups [first, behind) without time; warm: into the caches. False: that is the end of the run. */
static bool run_functional(struct engine_sampled *s, uint64_t first, uint64_t behind, bool warm)
{
    const struct launch *l = s->l;
    const struct engine_part part = {
        .first = first, .behind = behind, .first_slot = (uint32_t)(s->out->resident_workgroups * l->waves_per_group)};
    struct engine_options o = s->whole;
    struct launch apart = *l; /* waves of the timing engine may wait at its global wave sync */
    struct engine_result r;

    if (behind <= first)
        return true;
    apart.gws = NULL;
    o.part = &part;
    o.lds_races = false;
    s->status = warm ? engine_run_warming(&apart, &o, s->d, &s->traffic, &r, &s->e)
                     : engine_run_functional(&apart, &o, &r, &s->e);
    if (s->status)
        return false;
    s->executed_groups += r.stat[STAT_WORKGROUPS_DONE];
    if (!sampled_add_functional(&r, &s->rest))
        return fail(s);
    return s->rest.outcome == ENGINE_DONE;
}

static const uint8_t filled_level[] = {LEVEL_L2, LEVEL_MALL};

static void begin(void *ctx)
{
    struct engine_sampled *s = ctx;

    for (unsigned k = 0; k < sizeof filled_level; k++)
        s->valid[k] = engine_device_lines(s->d, (enum cache_level)filled_level[k]).valid;
}

/* Workgroups that touch as many lines as L2s and MALL hold, by what those below `at` have brought. */
static uint64_t workgroups_to_fill(const struct engine_sampled *s, uint64_t at)
{
    double fill = (double)at;

    for (unsigned k = 0; k < sizeof filled_level; k++) {
        struct engine_lines n = engine_device_lines(s->d, (enum cache_level)filled_level[k]);
        uint64_t brought = n.valid + n.evicted > s->valid[k] ? n.valid + n.evicted - s->valid[k] : 0;

        if (brought > n.valid)
            brought = n.valid;
        if (brought)
            fill = fmax(fill, (double)at * (double)n.room / (double)brought);
    }
    fill *= MORE_THAN_CACHES;
    return fill < (double)s->l->workgroup_count ? (uint64_t)fill : s->l->workgroup_count;
}

/* Traffic of memory in a step, per workgroup, and whether it will stay so: caches write as much as becomes modified, or
 * what becomes modified does not matter. */
static double step_traffic(const struct engine_sampled *s, uint64_t dirty_before, uint64_t groups, bool *settled)
{
    const struct engine_mark *m = &s->left_at;
    double written = (double)s->traffic.write_bytes;
    double modified = written + (double)engine_device_dirty_bytes(s->d) - (double)dirty_before;
    double cycles = (double)m->cycles / (double)m->started * (double)groups;

    *settled = written >= SETTLED * modified || modified < LEAST_WRITES * cycles * s->l->profile->dram.bytes_per_cycle;
    return ((double)s->traffic.read_bytes + written) / (double)groups;
}

/* Finds how much of the gap lies before a change, from the traffic of each step; after the last step it stays. */
static void find_change(struct estimate_gap *g, const double *traffic, unsigned steps, uint64_t step)
{
    double first = traffic[0], last = traffic[steps - 1], before = 0;

    if (steps < 2 || fabs(last - first) <= CHANGED * fmax(first, last))
        return;
    for (unsigned k = 0; k < steps; k++)
        before += fmin(fmax((last - traffic[k]) / (last - first), 0), 1);
    g->known_to = (double)step / (double)(g->behind - g->first);
    g->before = fmin(before * g->known_to, 1);
}

/* From the beginning of a gap on until memory's traffic stays as it is; *at: up to where. */
static bool run_until_settled(struct engine_sampled *s, struct estimate_gap *g, uint64_t *at)
{
    uint64_t step = (g->behind - g->first) / STEPS + 1;
    double traffic[STEPS];
    bool settled = s->how->skip || s->whole.perfect_memory;

    for (unsigned n = 0; n < STEPS && !settled && *at < g->behind; n++) {
        uint64_t to = g->behind - *at < step ? g->behind : *at + step, dirty = engine_device_dirty_bytes(s->d);

        if (!run_functional(s, *at, to, true))
            return false;
        traffic[n] = step_traffic(s, dirty, to - *at, &settled);
        *at = to;
        find_change(g, traffic, n + 1, step);
    }
    return true;
}

/* False: that is the end of the run. */
static bool run_gap(struct engine_sampled *s)
{
    struct estimate_gap *g = &s->facts.gap[s->facts.gaps - 1];
    double before = (double)s->rest.stat[STAT_INSTRUCTIONS];
    uint64_t at = g->first;

    if (s->facts.gaps == 1)
        s->fill = workgroups_to_fill(s, g->first);
    if (s->how->skip && s->fill > MOST_WITH_SKIP * s->window)
        s->fill = MOST_WITH_SKIP * s->window;
    if (!run_until_settled(s, g, &at))
        return false;
    uint64_t warm = s->whole.perfect_memory ? g->behind : g->behind - at < s->fill ? at : g->behind - s->fill;
    if (s->how->skip)
        s->skipped_groups += warm - at;
    else if (!run_functional(s, at, warm, false))
        return false;
    if (!run_functional(s, warm, g->behind, true))
        return false;
    g->instructions = (double)s->rest.stat[STAT_INSTRUCTIONS] - before;
    g->skipped = s->how->skip ? (double)(warm - at) / (double)(g->behind - g->first) : 0;
    if (warm > at && s->how->skip) /* the others of it are taken to do as much */
        g->instructions *= (double)(g->behind - g->first) / (double)(g->behind - warm);
    return true;
}

/* Where to leap ---------------------------------------------------------------------------------------------------- */

/* The windows of the first stretch that count: the second half, or whole periods. */
static void choose_windows(struct estimate_stretch *x)
{
    size_t windows = x->count - 1;

    x->from = windows / 2 > RAMP ? windows / 2 : RAMP;
    x->period = windows > RAMP ? estimate_period(x, RAMP) : 1;
    if (x->period > 1)
        x->from = RAMP;
}

/* The first stretch has been long enough, steady or not: three rows, too. */
static bool is_long(const struct engine_sampled *s, const struct estimate_stretch *x)
{
    size_t windows = x->count - 1;

    return windows >= MOST_AT_LEAST && windows > RAMP + 3 * s->row_windows &&
           x->mark[windows].started >= s->l->workgroup_count / MOST_SHARE;
}

static bool is_steady(struct engine_sampled *s)
{
    struct estimate_stretch *x = &s->facts.stretch[0];
    size_t windows = x->count - 1;

    choose_windows(x);
    if (s->how->workgroups != ENGINE_SAMPLE_AUTO)
        return x->mark[windows].started >= s->how->workgroups / 2;
    if (windows < RAMP + LEAST_STEADY)
        return false;
    struct estimate_rate r = estimate_rate(x);
    return r.half <= STEADY * r.cost || is_long(s, x);
}

/* Windows of a later stretch. */
static size_t later_windows(const struct engine_sampled *s)
{
    size_t period = s->facts.stretch[0].period;

    return (LATER + period - 1) / period * period;
}

static uint64_t settle_windows(const struct engine_mark *m)
{
    return m->communicates ? SETTLE_EMPTY : SETTLE;
}

/* How many workgroups are left out from m->next on; 0: no more. Leaps are whole numbers of windows, so that workgroups
 * in lockstep go on in step with those that are not there. */
static uint64_t leap(const struct engine_sampled *s, const struct engine_mark *m)
{
    uint64_t count = s->l->workgroup_count, later = (settle_windows(m) + 1 + later_windows(s)) * s->window,
             behind = count - later;
    bool fixed = s->how->workgroups != ENGINE_SAMPLE_AUTO;

    if (fixed) {
        uint64_t rest = s->how->workgroups > m->next ? s->how->workgroups - m->next : 0;

        behind = count - (rest < count ? rest : count);
    } else if (!s->facts.gaps && count / s->window >= LEAST_FOR_TWO) {
        behind = count / 2;
    }
    if (s->facts.gaps == MOST_GAPS || later > count || behind < m->next || (fixed && s->facts.gaps))
        return 0;
    uint64_t length = (behind - m->next) / s->step * s->step;
    return length >= LEAST_GAP * s->window ? length : 0;
}

/* Looks ------------------------------------------------------------------------------------------------------------ */

static struct engine_look in_a_window(const struct engine_sampled *s, const struct engine_mark *m)
{
    return (struct engine_look){m->started + s->window, UINT64_MAX, false};
}

/* Runs the gap. False: that is the end of the run. */
static bool cross_gap(struct engine_sampled *s, const struct engine_mark *m, struct engine_look *next)
{
    s->state = STATE_SETTLING;
    s->counted_from = m->started + settle_windows(m) * s->window;
    *next = (struct engine_look){s->counted_from, UINT64_MAX, false};
    return run_gap(s);
}

/* Workgroups that cannot talk to one another cannot wait for one another either: the gap is run at once. */
static uint64_t begin_gap(struct engine_sampled *s, const struct engine_mark *m, struct engine_look *next)
{
    uint64_t count = m->may_leap ? leap(s, m) : 0;

    *next = in_a_window(s, m);
    if (!count)
        return 0;
    s->facts.gap[s->facts.gaps++] = (struct estimate_gap){.first = m->next, .behind = m->next + count};
    s->left_at = *m;
    if (!m->communicates)
        return cross_gap(s, m, next) ? count : ENGINE_LEAP_STOP;
    s->state = STATE_LEAVING;
    *next = (struct engine_look){UINT64_MAX, m->cycles + 1, true};
    return count;
}

/* No other workgroup starts before all of those below the gap have ended, and the gap is run: whichever of them waits
 * for another, by its number or by the order in which they begin, finds it done. After as long again as the run had
 * taken before, those below may wait for one in the gap. */
static uint64_t leave(struct engine_sampled *s, const struct engine_mark *m, struct engine_look *next)
{
    if (m->lowest == UINT64_MAX || m->cycles >= 2 * s->left_at.cycles)
        return cross_gap(s, m, next) ? 0 : ENGINE_LEAP_STOP;
    *next = (struct engine_look){UINT64_MAX, m->cycles + s->left_at.cycles / 64 + 1, true};
    return 0;
}

/* Costs are those of a steady state again. */
static void begin_stretch(struct engine_sampled *s, const struct engine_mark *m)
{
    struct estimate_gap *g = &s->facts.gap[s->facts.gaps - 1];

    s->state = STATE_COUNTING;
    s->facts.stretch[s->facts.gaps].period = s->facts.stretch[0].period;
    g->settle_cycles = (double)(m->cycles - s->left_at.cycles);
    g->settle_instructions = (double)(m->instructions - s->left_at.instructions);
}

static uint64_t decide(struct engine_sampled *s, const struct engine_mark *m, struct engine_look *next)
{
    if (s->state == STATE_LEAVING)
        return leave(s, m, next);
    if (!add_mark(s, m))
        return ENGINE_LEAP_STOP;
    if (s->state == STATE_SETTLING)
        begin_stretch(s, m);
    const struct estimate_stretch *x = &s->facts.stretch[s->facts.gaps];
    if (s->state == STATE_STEADY ? is_steady(s) : x->count > later_windows(s))
        return begin_gap(s, m, next);
    *next = in_a_window(s, m);
    return 0;
}

static uint64_t look(void *ctx, const struct engine_mark *m, struct engine_look *next)
{
    struct engine_sampled *s = ctx;
    uint64_t count = s->by_loops ? iterations_look(&s->loops, m, next) : decide(s, m, next);

    if (s->loops.no_memory)
        fail(s);

    s->stopped = count == ENGINE_LEAP_STOP;
    return count;
}

/* The end of a run that has been stopped is the functional engine's to report. */
static void pass_snapshot(void *ctx, const struct snapshot *snapshot)
{
    const struct engine_sampled *s = ctx;

    if (!(snapshot->last && s->stopped))
        s->whole.snapshot(s->whole.snapshot_ctx, snapshot);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

static void finish(struct engine_sampled *s)
{
    struct engine_estimate *out = s->out;
    uint64_t count = s->l->workgroup_count;

    if (s->rest.outcome != ENGINE_DONE) { /* which has interrupted the timing engine */
        s->r->outcome = ENGINE_DONE;
        sampled_take_end(&s->rest, s->r);
    }
    out->detailed_workgroups = s->r->stat[STAT_WORKGROUPS_DONE];
    out->functional_workgroups = s->executed_groups;
    out->skipped_workgroups = s->skipped_groups;
    out->stretches = s->facts.gaps + 1;
    if (s->r->outcome != ENGINE_DONE) {
        out->kind = ENGINE_ESTIMATE_PARTIAL;
        snprintf(out->note, sizeof out->note,
                 "the run ended early: statistics are of what was simulated in detail until then");
        return;
    }
    out->left_out_iterations = s->loops.left_out;
    if (!s->facts.gaps && s->by_loops) {
        snprintf(out->note, sizeof out->note, "%s: simulated in full",
                 s->loops.refused
                     ? "its loops have instructions that leaving out iterations would change (atomics, scopes "
                       "wider than a workgroup's, copies to LDS, clocks, sleep, calls)"
                     : "it has no loop that all waves are in at a time and whose iterations cost the same");
        return;
    }
    if (!s->facts.gaps) {
        snprintf(out->note, sizeof out->note,
                 "what its workgroups cost was not steady early enough: all %" PRIu64 " are simulated in detail",
                 count);
        return;
    }
    out->kind = ENGINE_ESTIMATE_MADE;
    s->facts.cycles = s->r->stat[STAT_CYCLES];
    s->facts.groups = s->r->stat[STAT_WORKGROUPS_DONE];
    s->facts.instructions = (double)s->r->stat[STAT_INSTRUCTIONS];
    estimate_make(&s->facts, out);
    if (!out->unsafe && out->high - out->low > 2 * MOST_HALF * out->cycles) {
        out->unsafe = true;
        snprintf(out->note, sizeof out->note, "what windows cost differs so much that %" PRIu32 " of them tell little",
                 out->windows);
    }
    double detailed = (double)s->r->stat[STAT_INSTRUCTIONS], rest = 0;
    for (uint32_t k = 0; k < s->facts.gaps; k++)
        rest += s->facts.gap[k].instructions;
    if (s->by_loops) /* whose gaps count iterations */
        rest = (double)s->rest.stat[STAT_INSTRUCTIONS];
    out->scale = (detailed + rest) / detailed;
    double executed = detailed + (double)s->rest.stat[STAT_INSTRUCTIONS];
    if (!sampled_add_functional(&s->rest, s->r))
        fail(s);
    sampled_scale(out, (detailed + rest) / executed, s->r);
}

static uint64_t over(void *ctx)
{
    struct engine_sampled *s = ctx;
    uint64_t run = s->r->stat[STAT_CYCLES];

    if (!s->status)
        finish(s);
    return s->r->stat[STAT_CYCLES] > run ? s->r->stat[STAT_CYCLES] - run : 0;
}

/* False: the launch is to be simulated in full, and the note says why. */
static bool is_worth_it(const struct engine_sampled *s)
{
    const struct launch *l = s->l;
    char *note = s->out->note;
    size_t room = sizeof s->out->note;

    if (s->whole.cooperative)
        snprintf(note, room, "workgroups of a cooperative launch wait for one another: simulated in full");
    else if (s->how->workgroups == ENGINE_SAMPLE_AUTO && l->workgroup_count < LEAST_LAUNCH * s->window)
        snprintf(note, room,
                 "%" PRIu64 " workgroups, of which the chip has room for %" PRIu64
                 " at once; fewer than %d times as many are simulated in full",
                 l->workgroup_count, s->window, LEAST_LAUNCH);
    else if (s->how->workgroups != ENGINE_SAMPLE_AUTO && s->how->workgroups >= l->workgroup_count)
        snprintf(note, room, "the launch has %" PRIu64 " workgroups: simulated in full", l->workgroup_count);
    else if (l->scratch_slots != UINT32_MAX && l->scratch_slots < (s->window + 1) * l->waves_per_group)
        snprintf(note, room, "there is no scratch memory for more workgroups than are resident: simulated in full");
    return !*note;
}

/* With a number of workgroups that the caller chose windows are shorter when they are few. Otherwise a row of the grid
 * is a whole number of windows, where it is more than one and not too many: caches see the rows. */
static void choose_window(struct engine_sampled *s)
{
    uint64_t chosen = s->how->workgroups / (2 * (RAMP + LEAST_STEADY)), row = s->l->workgroups[0];
    bool fixed = s->how->workgroups != ENGINE_SAMPLE_AUTO;

    s->step = s->window;
    s->row_windows = 1;
    if (fixed && chosen < s->window) {
        s->window = chosen ? chosen : 1;
        s->step = 1;
    } else if (!fixed && row > s->window && row <= MOST_ROW * s->window) {
        s->row_windows = (row + s->window - 1) / s->window;
        s->window = row / s->row_windows;
    }
    if (s->step % dies(s->l))
        s->step *= dies(s->l);
}

/* The options of the run. */
static int choose(struct engine_sampled *s, struct engine_options *o, struct err *e)
{
    const struct engine_mark first = {0};

    s->out->detailed_workgroups = s->l->workgroup_count;
    s->out->stretches = 1;
    s->by_loops = s->how->loops && !s->how->workgroups;
    if (!s->by_loops && !is_worth_it(s)) {
        s->by_loops = s->how->loops;
        if (!s->by_loops)
            return 0;
        *s->out->note = '\0';
    }
    choose_window(s);
    if (!s->by_loops && !add_mark(s, &first))
        return err_set(e, ERR_NOMEM, "%s", s->e.text);
    s->loops = (struct iterations){.l = s->l,
                                   .d = s->d,
                                   .facts = &s->facts,
                                   .rest = &s->rest,
                                   .perfect_memory = s->whole.perfect_memory,
                                   .max_cycles = s->whole.max_cycles,
                                   .spent_at = UINT64_MAX};
    s->leaps = (struct engine_leaps){.begin = begin, .at = look, .over = over, .ctx = s};
    s->leaps.look = s->by_loops ? iterations_first() : (struct engine_look){s->window, UINT64_MAX, false};
    o->leaps = &s->leaps;
    if (o->snapshot)
        o->snapshot = pass_snapshot;
    o->snapshot_ctx = s;
    return 0;
}

static void free_sampled(struct engine_sampled *s)
{
    engine_result_free(&s->rest);
    for (uint32_t k = 0; k < ESTIMATE_STRETCHES; k++)
        free(s->facts.stretch[k].mark);
    free(s->out);
    free(s);
}

struct engine_sampled *engine_sampled_begin(const struct launch *l, struct engine_options *o, struct engine_device *d,
                                            struct engine_result *r, struct err *e)
{
    struct engine_sampled *s = calloc(1, sizeof *s);

    if (s)
        *s = (struct engine_sampled){.l = l, .whole = *o, .how = o->sampling, .d = d, .r = r};
    if (!s || !(s->out = calloc(1, sizeof *s->out))) {
        free(s);
        err_set(e, ERR_NOMEM, "no host memory for a sampled launch");
        return NULL;
    }
    s->whole.device = NULL;
    s->window = s->out->resident_workgroups = resident_workgroups(l);
    if (!choose(s, o, e))
        return s;
    free_sampled(s);
    return NULL;
}

int engine_sampled_end(struct engine_sampled *s, bool ran, struct err *e)
{
    int status = ran && s->status ? err_set(e, s->e.code, "%s", s->e.text) : 0;

    if (ran && !status) {
        s->r->estimate = s->out;
        s->out = NULL;
    }
    free_sampled(s);
    return status;
}

int engine_run_sampled(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e)
{
    struct engine_options run = *o;
    int status;

    memset(r, 0, sizeof *r);
    if (!l->profile)
        return engine_run_timing(l, &run, r, e); /* which says what is missing */
    struct engine_device *own = o->device ? NULL : engine_device_new();
    run.device = o->device ? o->device : own;
    struct engine_sampled *s = run.device ? engine_sampled_begin(l, &run, run.device, r, e) : NULL;
    if (!run.device)
        err_set(e, ERR_NOMEM, "no host memory for a sampled launch");
    status = s ? engine_run_timing(l, &run, r, e) : -1;
    if (s)
        status = engine_sampled_end(s, !status, e) || status ? -1 : 0;
    engine_device_free(own);
    if (status)
        engine_result_free(r);
    return status;
}
