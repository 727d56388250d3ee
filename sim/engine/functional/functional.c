/* A run of the functional engine: its workers, their order of work, and the result (functional.h). */
#include <stdio.h>
#include <stdlib.h>

#include "sim/engine/functional/functional.h"
#include "sim/util/host_time.h"

#define FULL_ROUNDS      4                   /* without a finished workgroup, before another one becomes resident */
#define FULL_ROUND       (UINT64_C(1) << 20) /* instructions */
#define MAX_RESIDENT     256                 /* workgroups of a worker */
#define MAX_WORKERS      1024
#define PROGRESS_SECONDS 0.05

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct worker *k = ctx;

    return launch_find(k->run->l, addr, out);
}

/* The waves' clocks (s_memtime and others): without time, each read returns a later value. */
static uint64_t tick(void *ctx)
{
    struct worker *k = ctx;

    return k->ticks += 64;
}

/* ---- how a run ends ---- */

static void stop_from(struct run *r, uint64_t group)
{
    if (group < atomic_load(&r->stop_from))
        atomic_store(&r->stop_from, group);
    pthread_mutex_unlock(&r->lock);
    if (r->options->max_instructions)
        limit_wake(r);
}

void run_end(struct run *r, enum engine_outcome outcome, const char *why)
{
    pthread_mutex_lock(&r->lock);
    if (r->result->outcome == ENGINE_DONE) {
        r->result->outcome = outcome;
        snprintf(r->result->message, sizeof r->result->message, "%s", why);
    }
    stop_from(r, 0);
}

bool run_event(struct run *r, uint64_t group)
{
    pthread_mutex_lock(&r->lock);
    if ((r->has_event && group < r->event_group) || r->result->outcome == ENGINE_DONE) {
        r->has_event = true;
        r->event_group = group;
        return true;
    }
    pthread_mutex_unlock(&r->lock);
    return false;
}

void run_event_told(struct run *r)
{
    stop_from(r, r->event_group);
}

static uint64_t groups_done(const struct run *r)
{
    uint64_t done = 0;

    for (unsigned i = 0; i < r->workers; i++)
        done += atomic_load_explicit(&r->worker[i].groups_done, memory_order_relaxed);
    return done;
}

static void report_progress(struct run *r)
{
    const struct engine_options *o = r->options;

    if (!o->progress || host_seconds() < atomic_load_explicit(&r->next_progress, memory_order_relaxed) ||
        pthread_mutex_trylock(&r->lock))
        return;
    double now = host_seconds();
    bool stop = false;
    if (now >= atomic_load(&r->next_progress)) {
        atomic_store(&r->next_progress, now + PROGRESS_SECONDS);
        stop = o->progress(o->progress_ctx, groups_done(r), r->l->workgroup_count) != 0;
    }
    pthread_mutex_unlock(&r->lock);
    if (stop)
        run_end(r, ENGINE_INTERRUPTED, "stopped by the caller");
}

/* ---- workers ---- */

static uint64_t executed(const struct group *g)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < g->waves; i++)
        sum += g->done[i];
    return sum;
}

/* Runs workgroups until none is left that this worker is to run. */
static void run_groups(struct worker *k)
{
    unsigned full_rounds = 0; /* since a workgroup finished or became resident */
    bool more = true;         /* there are workgroups that have not started */

    for (;;) {
        uint64_t ran = 0;
        unsigned running = 0;
        for (unsigned i = 0; i < k->resident_count; i++) {
            struct group *g = k->resident[i];
            if (!g->running && (!more || !(more = group_start(k, g))))
                continue;
            uint64_t before = executed(g);
            if (!group_round(k, g)) {
                g->running = more = false;
                continue;
            }
            ran += executed(g) - before;
            running++;
            if (!g->running)
                full_rounds = 0;
        }
        report_progress(k->run);
        if (!running && !more)
            return;
        /* a round in which waves reach barriers is short, and is progress */
        full_rounds += ran >= FULL_ROUND;
        if (more && full_rounds >= FULL_ROUNDS && k->resident_count < k->resident_limit) {
            full_rounds = 0;
            if (!group_new(k)) {
                k->no_memory = true;
                run_end(k->run, ENGINE_INTERRUPTED, "no memory");
            }
        }
    }
}

static void *work(void *arg)
{
    struct worker *k = arg;

    meeting_join(k->run);
    run_groups(k);
    limit_return(k);
    meeting_leave(k->run);
    return NULL;
}

/* The number of workers, and of workgroups that may be resident on each, as scratch slots allow. */
static unsigned plan_workers(const struct launch *l, const struct engine_options *o, unsigned *per_worker)
{
    uint64_t threads = o->threads ? o->threads : 1, groups = UINT32_MAX;

    if (l->scratch_slots != UINT32_MAX)
        groups = l->scratch_slots / l->waves_per_group;
    if (threads > l->workgroup_count)
        threads = l->workgroup_count;
    if (threads > groups)
        threads = groups;
    if (threads > MAX_WORKERS)
        threads = MAX_WORKERS;
    uint64_t each = threads ? groups / threads : 0;
    *per_worker = each < MAX_RESIDENT ? (unsigned)each : MAX_RESIDENT;
    return (unsigned)threads;
}

static bool init_worker(struct run *r, struct worker *k, unsigned per_worker)
{
    k->run = r;
    k->resident_limit = per_worker;
    k->first_slot = (uint32_t)(k - r->worker) * per_worker * r->l->waves_per_group;
    k->env = (struct isa_env){.ctx = k, .find = find, .clock = tick, .realtime = tick};
    k->resident = ARENA_NEW(&k->arena, per_worker, struct group *);
    return k->resident && group_new(k);
}

static void fill_result(const struct run *r, struct engine_result *res)
{
    struct ledger_row sum = ledger_sum(r);
    uint64_t instructions = 0;

    for (unsigned c = 0; c < OPCAT_COUNT; c++) {
        engine_add(res, STAT_CATEGORY + c, sum.count[c]);
        instructions += sum.count[c];
    }
    engine_count(res, STAT_WORKGROUPS_DONE, sum.groups);
    engine_count(res, STAT_WAVES_DONE, sum.waves);
    engine_count(res, STAT_INSTRUCTIONS, instructions);
}

static int run_workers(struct run *r, unsigned per_worker, struct err *e)
{
    unsigned started = 0;
    bool failed = false;

    for (unsigned i = 0; i < r->workers && !failed; i++)
        failed = !init_worker(r, &r->worker[i], per_worker);
    for (unsigned i = 1; i < r->workers && !failed; i++, started++)
        if (pthread_create(&r->worker[i].thread, NULL, work, &r->worker[i]))
            break; /* fewer threads do the same work */
    if (!failed)
        work(&r->worker[0]);
    for (unsigned i = 1; i <= started; i++)
        pthread_join(r->worker[i].thread, NULL);
    for (unsigned i = 0; i < r->workers; i++)
        failed = failed || r->worker[i].no_memory;
    if (failed)
        return err_set(e, ERR_NOMEM, "no memory for the registers and LDS of %u waves", r->l->waves_per_group);
    fill_result(r, r->result);
    run_last_snapshot(r);
    return 0;
}

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *res,
                          struct err *e)
{
    struct run r = {.l = l, .options = o, .result = res};
    struct arena arena;
    unsigned per_worker;

    *res = (struct engine_result){.outcome = ENGINE_DONE};
    r.workers = plan_workers(l, o, &per_worker);
    if (!r.workers)
        return err_set(e, ERR_USAGE, "scratch memory has room for %u waves; one workgroup has %u", l->scratch_slots,
                       l->waves_per_group);
    arena_init(&arena, 0);
    r.worker = ARENA_NEW(&arena, r.workers, struct worker);
    if (!r.worker)
        return err_set(e, ERR_NOMEM, "no memory for %u threads", r.workers);
    for (unsigned i = 0; i < r.workers; i++) {
        arena_init(&r.worker[i].arena, 0);
        r.worker[i].arena.budget = l->space->budget;
    }
    pthread_mutex_init(&r.lock, NULL);
    limit_init(&r.limit, o->max_instructions);
    meeting_init(&r.meeting);
    atomic_init(&r.stop_from, UINT64_MAX);
    atomic_init(&r.next_progress, host_seconds() + PROGRESS_SECONDS);
    int failed = run_workers(&r, per_worker, e);
    limit_destroy(&r.limit);
    meeting_destroy(&r.meeting);
    pthread_mutex_destroy(&r.lock);
    for (unsigned i = 0; i < r.workers; i++)
        arena_free(&r.worker[i].arena);
    arena_free(&arena);
    return failed;
}
