/* A run of the functional engine: its workers, their order of work, and the result (functional.h). */
#include <stdio.h>
#include <stdlib.h>

#include "sim/engine/functional/functional.h"
#include "sim/util/host_time.h"

#define PROGRESS_SECONDS 0.05
/* Blocks of the run's memory: small ones, because clearing memory is what most of a short launch is. */
#define RUN_BLOCK_BYTES    8192
#define WORKER_BLOCK_BYTES 32768

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct worker *k = ctx;

    for (unsigned i = 0; i < RECENT_RANGES; i++)
        if (addr - k->recent[i].lo < k->recent[i].hi - k->recent[i].lo) {
            *out = k->recent[i];
            return true;
        }
    if (!launch_find_lasting(k->run->l, addr, out))
        return launch_find(k->run->l, addr, out);
    k->recent[k->oldest_recent++ % RECENT_RANGES] = *out;
    return true;
}

static uint8_t *slack(void *ctx, const struct isa_wave *w, int lane, gaddr_t addr, uint32_t bytes, bool write)
{
    struct worker *k = ctx;

    return engine_overrun(&k->overruns, k->run->l, w, lane, addr, bytes, write);
}

/* The waves' clocks (s_memtime and others): without time, each read returns a later value. */
static uint64_t tick(void *ctx)
{
    struct worker *k = ctx;

    return k->ticks += 64;
}

static void send_message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    struct run *r = ((struct worker *)ctx)->run;

    pthread_mutex_lock(&r->messages);
    r->options->message(r->options->message_ctx, number, m0, data);
    pthread_mutex_unlock(&r->messages);
}

/* ---- how a run ends ---- */

static void stop_from(struct run *r, uint64_t group)
{
    if (group < atomic_load(&r->stop_from))
        atomic_store(&r->stop_from, group);
    pthread_mutex_unlock(&r->lock);
    if (r->limit.max)
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

static struct engine_progress progress_of(struct worker *own)
{
    struct run *r = own->run;
    struct engine_progress p = {.groups = r->l->workgroup_count, .groups_done = r->first_group};
    uint64_t started = r->behind - batches_left(r);

    for (unsigned i = 0; i < r->workers; i++) {
        p.groups_done += atomic_load_explicit(&r->worker[i]->groups_done, memory_order_relaxed);
        p.instructions += atomic_load_explicit(&r->worker[i]->instructions, memory_order_relaxed);
    }
    p.groups_running = started > p.groups_done ? started - p.groups_done : 0;
    if (own->running_count)
        engine_loop_left(&r->loops, &own->running[0]->wave[0], r->l->entry, &p.loop_pc, &p.loop_left);
    return p;
}

void run_progress(struct worker *k)
{
    struct run *r = k->run;
    const struct engine_options *o = r->options;

    if (!o->progress || host_seconds() < atomic_load_explicit(&r->next_progress, memory_order_relaxed) ||
        pthread_mutex_trylock(&r->lock))
        return;
    double now = host_seconds();
    bool stop = false;
    if (now >= atomic_load(&r->next_progress)) {
        const struct engine_progress p = progress_of(k);

        atomic_store(&r->next_progress, now + PROGRESS_SECONDS);
        stop = o->progress(o->progress_ctx, &p) != 0;
    }
    pthread_mutex_unlock(&r->lock);
    if (stop)
        run_end(r, ENGINE_INTERRUPTED, "stopped by the caller");
}

/* ---- workers ---- */

static unsigned plan_workers(const struct run *r)
{
    uint64_t threads = r->options->threads ? r->options->threads : 1;

    if (threads > r->behind - r->first_group)
        threads = r->behind - r->first_group;
    if (threads > r->groups_limit)
        threads = r->groups_limit;
    return threads > MAX_WORKERS ? MAX_WORKERS : (unsigned)threads;
}

struct worker *run_new_worker(struct run *r)
{
    struct worker *k = ARENA_NEW(&r->arena, 1, struct worker);

    if (!k)
        return NULL;
    k->run = r;
    k->look_at = UINT64_MAX;
    arena_init(&k->arena, WORKER_BLOCK_BYTES);
    arena_init(&k->counts.arena, RUN_BLOCK_BYTES);
    k->arena.budget = r->l->space->budget;
    return k;
}

bool run_init_worker(struct run *r, struct worker *k)
{
    k->env = (struct isa_env){.ctx = k, .find = find, .clock = tick, .realtime = tick, .alone = r->workers == 1};
    if (r->options->message)
        k->env.message = send_message;
    if (r->l->slack)
        k->env.slack = slack;
    if (r->options->visits) {
        if (!isa_visits_init(&k->visits, r->l->program))
            return false;
        k->env.visits = &k->visits;
    }
    if (!workers_add_group(k))
        return false;
    const struct group *g = atomic_load(&k->groups);
    if (g) /* others may have made as many as may be resident */
        launch_wave_image(r->l, g->regs, &k->image);
    return true;
}

/* Grows as instructions come. */
struct visit_list {
    struct engine_visit *visit;
    size_t count, room;
    uint64_t executed; /* by all of them */
    bool no_memory;
};

static bool add_visit(void *ctx, gaddr_t pc, uint64_t executed)
{
    struct visit_list *s = ctx;

    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        struct engine_visit *more = realloc(s->visit, room * sizeof *more);

        s->no_memory = !more;
        if (!more)
            return false;
        s->visit = more;
        s->room = room;
    }
    s->visit[s->count++] = (struct engine_visit){pc, executed};
    s->executed += executed;
    return true;
}

/* How often each instruction was executed. There is nothing of a run whose counts do not add up. False: out of host
 * memory. */
static bool fill_visits(const struct run *r, struct engine_result *res)
{
    struct isa_visits **table = calloc(r->workers, sizeof(struct isa_visits *));
    struct visit_list s = {0};
    unsigned tables = 0;

    if (!table)
        return false;
    for (unsigned k = 0; k < r->workers; k++)
        if (r->worker[k]->env.visits)
            table[tables++] = &r->worker[k]->visits;
    if (isa_visits_read(r->l->program, table, tables, add_visit, &s) && s.executed == res->stat[STAT_INSTRUCTIONS]) {
        res->visit = s.visit;
        res->visits = s.count;
        s.visit = NULL;
    }
    free(s.visit);
    free(table);
    return !s.no_memory;
}

/* False: out of host memory. */
static bool fill_result(const struct run *r, struct engine_result *res)
{
    struct group_row sum = group_counts_sum(r, run_last_counted(r));

    if (!engine_count_tallies(r->l->program, sum.tally, r->options->tally, res))
        return false;
    engine_count(res, STAT_WORKGROUPS_DONE, sum.groups);
    engine_count(res, STAT_WAVES_DONE, sum.waves);
    res->has_lds_race = r->race_from <= run_last_counted(r) && r->race_from != UINT64_MAX;
    res->lds_race = r->race;
    for (unsigned k = 0; k < r->workers; k++)
        engine_overruns_add(&res->overruns, &r->worker[k]->overruns);
    return !r->options->visits || res->outcome != ENGINE_DONE || fill_visits(r, res);
}

static int run_workers(struct run *r, struct err *e)
{
    struct worker *first = r->worker[0];
    const struct engine_stepper *stepper = r->options->stepper;
    bool failed = !run_init_worker(r, first);

    r->growth_bytes = stepper ? stepper->group_more_bytes : 0;
    r->worker_bytes = arena_held_bytes(&first->arena);
    if (!failed) {
        recruit_init(r);
        workers_run(first);
        recruit_end(r);
    }
    for (unsigned i = 0; i < r->workers; i++)
        failed = failed || r->worker[i]->no_memory;
    if (failed)
        return err_set(e, ERR_NOMEM, "out of host memory for the registers and LDS of %u waves", r->l->waves_per_group);
    if (r->ended_waiting)
        cycles_settle(r);
    if (!fill_result(r, r->result))
        return err_set(e, ERR_NOMEM, "out of host memory for the report");
    run_last_snapshot(r);
    return 0;
}

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *res,
                          struct err *e)
{
    struct run r = {
        .l = l,
        .options = o,
        .result = res,
        .finds_races = o->lds_races && !o->stepper && l->waves_per_group > 1 && launch_lds_bytes(l),
        .first_group = o->part ? o->part->first : 0,
        .behind = o->part ? o->part->behind : l->workgroup_count,
    };

    *res = (struct engine_result){.outcome = ENGINE_DONE};
    if (l->gws)
        isa_gws_begin(l->gws, false);
    launch_begin_clusters(l);
    r.groups_limit = workers_group_limit(&r);
    r.planned = plan_workers(&r);
    if (!r.planned)
        return err_set(e, ERR_USAGE, "scratch memory has room for %u waves; one workgroup has %u", l->scratch_slots,
                       l->waves_per_group);
    if (o->cooperative && r.groups_limit < l->workgroup_count)
        return err_set(e, ERR_UNSUPPORTED, "cooperative launch of %llu workgroups; %llu can be resident at once",
                       (unsigned long long)l->workgroup_count, (unsigned long long)r.groups_limit);
    arena_init(&r.arena, RUN_BLOCK_BYTES);
    r.worker = r.first;
    r.workers = 1;
    if (!(r.first[0] = run_new_worker(&r)))
        return err_set(e, ERR_NOMEM, "out of host memory for the first thread");
    pthread_mutex_init(&r.lock, NULL);
    pthread_mutex_init(&r.messages, NULL);
    limit_init(&r);
    meeting_init(&r.meeting);
    atomic_init(&r.stop_from, UINT64_MAX);
    atomic_init(&r.race_from, UINT64_MAX);
    batches_init(&r);
    r.began = host_seconds();
    atomic_init(&r.next_progress, r.began + PROGRESS_SECONDS);
    int failed = run_workers(&r, e);
    limit_destroy(&r.limit);
    meeting_destroy(&r.meeting);
    pthread_mutex_destroy(&r.messages);
    pthread_mutex_destroy(&r.lock);
    for (unsigned i = 0; i < r.workers; i++) {
        arena_free(&r.worker[i]->arena);
        arena_free(&r.worker[i]->counts.arena);
        isa_visits_free(&r.worker[i]->visits);
    }
    arena_free(&r.arena);
    return failed;
}
