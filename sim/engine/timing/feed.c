/* The life of dispatches that a feed hands in: they wait for their cycle, are in flight, and are reported at their end.
 */
#include "sim/engine/feed.h"

#include <stdlib.h>

#include "sim/engine/device.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/engine/timing/timing.h"

struct entry {
    struct entry *next;
    struct timing_order order;
    cycle_t end, complete; /* its last wave has left; it is reported */
    cycle_t release_by;    /* its release ends by then, whatever other dispatches write back */
    struct err failed;
};

struct engine_feeding {
    const struct engine_feed *f; /* null: one launch, and nobody is asked */
    struct engine_device *d;
    cycle_t now;
    cycle_t ask_at;
    bool news; /* something has ended since the last question */
    /* Lists: to begin, by start; in flight; whose release is under way; to be reported, by completion. */
    struct entry *waiting, *flying, *releasing, *ending;
    cycle_t due;
};

/* Lists ------------------------------------------------------------------------------------------------------------ */

static void push(struct entry **list, struct entry *n)
{
    n->next = *list;
    *list = n;
}

static void remove_entry(struct entry **list, const struct entry *n)
{
    while (*list && *list != n)
        list = &(*list)->next;
    if (*list)
        *list = n->next;
}

static void insert_waiting(struct engine_feeding *s, struct entry *n)
{
    struct entry **at = &s->waiting;

    while (*at && (*at)->order.start <= n->order.start)
        at = &(*at)->next;
    push(at, n);
}

static void insert_ending(struct engine_feeding *s, struct entry *n)
{
    struct entry **at = &s->ending;

    while (*at && (*at)->complete <= n->complete)
        at = &(*at)->next;
    push(at, n);
}

static void free_list(struct entry *n)
{
    for (struct entry *next; n; n = next) {
        next = n->next;
        free(n);
    }
}

static void set_due(struct engine_feeding *s)
{
    cycle_t due = s->ask_at;

    if (s->waiting)
        due = cu_earlier(due, s->waiting->order.start);
    if (s->ending)
        due = cu_earlier(due, s->ending->complete);
    s->due = due;
}

/* Ends ------------------------------------------------------------------------------------------------------------- */

/* The cycle in which a dispatch has ended whose run has in cycle `end`: later when it has leapt. */
static cycle_t end_of(const struct timing_order *o, cycle_t end)
{
    const struct engine_leaps *leaps = o->options->leaps;

    return leaps ? end + leaps->over(leaps->ctx) : end;
}

/* Its release is done in cycle `released`. */
static void complete(struct engine_feeding *s, struct entry *n, cycle_t released)
{
    struct engine_result *r = n->order.r;
    bool done = r->outcome == ENGINE_DONE;

    if (done)
        engine_count(r, STAT_DISPATCH_RELEASE, released > n->end ? released - n->end : 0);
    n->end = end_of(&n->order, n->end);
    if (done) {
        n->complete = timing_device_complete(s->d, &n->order, n->end);
    } else {
        n->complete = released;
    }
    insert_ending(s, n);
}

static void fail(struct engine_feeding *s, struct entry *n, const struct err *e, cycle_t now)
{
    n->failed = *e;
    n->complete = now;
    insert_ending(s, n);
}

bool engine_feeding_goes_on(const struct engine_feeding *s)
{
    return s->f != NULL;
}

cycle_t engine_feeding_due(const struct engine_feeding *s)
{
    return s->due;
}

bool engine_feeding_has_plans(const struct engine_feeding *s)
{
    return s->waiting || s->releasing || s->ending;
}

void engine_feeding_left(struct engine_feeding *s, const struct run *run, const struct timing_dispatch *t)
{
    const struct timing_chip *chip = run->chip;
    struct entry *n = t->from;
    uint64_t lines = 0;

    remove_entry(&s->flying, n);
    n->end = t->end;
    if (t->r->outcome == ENGINE_DONE && chip->leave)
        lines = chip->leave(chip->device, t->launch, t->options, run->end - 1);
    if (t->r->outcome == ENGINE_DONE)
        engine_count(t->r, STAT_DISPATCH_RELEASE_LINES, lines);
    if (!lines) {
        complete(s, n, t->r->outcome == ENGINE_DONE ? t->end : run->end);
    } else {
        /* waves of others may write back without end: a line takes a few cycles even when all are of one channel */
        n->release_by = run->end + 4096 + 16 * lines;
        push(&s->releasing, n);
    }
    set_due(s);
}

/* Releases that are done now. */
static void end_releases(struct engine_feeding *s, const struct run *run, cycle_t now)
{
    bool all = !run->chip->releases(run->chip->device);

    for (struct entry **at = &s->releasing; *at;) {
        struct entry *n = *at;

        if (!all && now < n->release_by) {
            at = &n->next;
            continue;
        }
        *at = n->next;
        complete(s, n, now);
    }
    set_due(s);
}

/* Asking and reporting --------------------------------------------------------------------------------------------- */

static void report_ended(struct engine_feeding *s, cycle_t now)
{
    while (s->ending && s->ending->complete <= now) {
        struct entry *n = s->ending;

        s->ending = n->next;
        s->now = now;
        s->f->ended(s->f->ctx, n->order.from, n->complete, n->failed.code ? &n->failed : NULL);
        free(n);
        s->news = true;
    }
}

static void ask(struct engine_feeding *s, cycle_t now, bool idle)
{
    uint64_t at;

    s->now = now;
    s->news = false;
    at = s->f->ask(s->f->ctx, s, now, idle);
    s->ask_at = at <= now ? now + 1 : at;
}

static bool has_news(const struct engine_feed *f)
{
    return f->attention && __atomic_load_n(f->attention, __ATOMIC_RELAXED);
}

static void tell_and_ask(struct engine_feeding *s, cycle_t now, bool idle)
{
    report_ended(s, now);
    if (idle || s->news || now >= s->ask_at || has_news(s->f))
        ask(s, now, idle);
    set_due(s);
}

bool engine_feed_launch(struct engine_feeding *to, const struct launch *l, const struct engine_options *o,
                        struct engine_result *result, uint64_t start, void *id)
{
    struct entry *n = calloc(1, sizeof *n);

    if (!n)
        return false;
    n->order = (struct timing_order){l, o, result, start > to->now ? start : to->now, id};
    insert_waiting(to, n);
    return true;
}

/* A run knows a dispatch by its entry, the feed by the caller's name. */
static struct timing_order order_of(struct entry *n)
{
    struct timing_order o = n->order;

    o.from = n;
    return o;
}

/* Puts in flight what begins in the epoch. Nothing overtakes one that has to be alone. */
static void begin_due(struct engine_feeding *s, struct run *run)
{
    while (s->waiting && s->waiting->order.start < run->end) {
        struct entry *n = s->waiting;
        struct timing_order o = order_of(n);
        struct err e = {0};

        if (!run_can_add(run, &o))
            break;
        s->waiting = n->next;
        if (run_add(run, &o, &e))
            push(&s->flying, n);
        else
            fail(s, n, &e, run->end);
    }
    set_due(s);
    if (s->waiting && s->waiting->order.start < run->end) { /* when the run is over */
        cycle_t due = s->ending ? s->ending->complete : CYCLE_NEVER;

        s->due = cu_earlier(s->ask_at, due);
    }
}

void engine_feeding_serve(struct engine_feeding *s, struct run *run, cycle_t now, bool idle)
{
    if (!s->f)
        return;
    if (s->releasing)
        end_releases(s, run, now);
    if (!idle && now < s->due && run->end <= s->due && !has_news(s->f))
        return;
    tell_and_ask(s, now, idle);
    if (!idle)
        begin_due(s, run);
}

/* Runs ------------------------------------------------------------------------------------------------------------- */

/* A period in which something is in flight: from the first one waiting on. */
static int run_period(struct engine_feeding *s, struct err *e)
{
    struct entry *n = s->waiting;
    struct timing_period p = {0};
    struct timing_order first;

    s->waiting = n->next;
    if (n->order.start < s->now)
        n->order.start = s->now;
    n->order.start = cu_later(n->order.start, timing_device_rested(s->d));
    push(&s->flying, n);
    first = order_of(n);
    set_due(s);
    int status = timing_device_run(s->d, &first, NULL, 0, s, &p, e);
    s->now = cu_later(s->now, p.reset ? p.end : p.rested);
    while (s->releasing) {
        n = s->releasing;
        s->releasing = n->next;
        complete(s, n, s->now);
    }
    while (s->flying) {
        n = s->flying;
        s->flying = n->next;
        n->end = p.end;
        if (status)
            fail(s, n, e, s->now);
        else
            complete(s, n,
                     n->order.r->outcome == ENGINE_DONE ? p.end + n->order.r->stat[STAT_DISPATCH_RELEASE] : p.end);
    }
    return status && e->code == ERR_NOMEM ? status : 0;
}

static void run_all(struct engine_feeding *s)
{
    struct err e = {0};
    cycle_t now = timing_device_now(s->d);

    for (;;) {
        bool idle = !s->waiting && !s->ending;

        tell_and_ask(s, now, idle);
        if (s->waiting && s->due >= s->waiting->order.start) {
            s->now = now;
            e = (struct err){0};
            run_period(s, &e);
            now = s->ending ? cu_later(now, s->ending->complete) : cu_later(now, s->now);
            continue;
        }
        if (s->due == CYCLE_NEVER)
            return;
        now = cu_later(now, s->due);
    }
}

int engine_run_timing_feed(struct engine_device *d, const struct engine_feed *f, struct err *e)
{
    struct engine_feeding s = {.f = f, .d = d, .ask_at = 0};

    (void)e;
    run_all(&s);
    timing_device_reach(d, s.now);
    free_list(s.waiting);
    return 0;
}

/* One launch: a feed of which nothing more comes. */
static int run_one(struct engine_device *d, const struct timing_order *o, const struct timing_script *script,
                   uint32_t longest_epoch, struct err *e)
{
    struct engine_feeding s = {.d = d, .ask_at = CYCLE_NEVER, .due = CYCLE_NEVER};
    struct timing_period p = {0};
    int status = timing_device_run(d, o, script, longest_epoch, &s, &p, e);
    cycle_t end = status ? p.end : end_of(o, p.end);

    if (p.reset) {
        engine_device_reset(d);
        return status;
    }
    timing_device_complete(d, o, end);
    return status;
}

int timing_run_chip(const struct launch *l, const struct engine_options *options, const struct timing_script *script,
                    uint32_t longest_epoch, struct engine_result *r, struct err *e)
{
    struct timing_order o = {l, options, r, 0, NULL};
    struct engine_device *fresh = NULL;
    int status;

    if (!l->profile)
        return err_set(e, ERR_USAGE, "the timing engine needs a profile; there is none for target %s", l->target->name);
    if (options->device) {
        o.start = timing_device_ready(options->device, l, options);
        return run_one(options->device, &o, script, longest_epoch, e);
    }
    fresh = timing_device_for_one();
    if (!fresh)
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    status = run_one(fresh, &o, script, longest_epoch, e);
    engine_device_free(fresh);
    return status;
}

int engine_run_timing(const struct launch *l, const struct engine_options *o, struct engine_result *r, struct err *e)
{
    return timing_run_chip(l, o, NULL, 0, r, e);
}
