/* The functional engine: executes a launch for its results alone, without time.
 *
 * Each host thread (a worker) takes the next workgroup and runs its waves one after the other, each up to its next
 * barrier or its end; when a barrier is complete, the waves that wait at it continue. The memory of a finished
 * workgroup serves the next one. Results do not depend on the number of threads, unless the kernel's own results depend
 * on the order of workgroups.
 *
 * Waves may wait for one another through memory. So a wave runs at most RUN_INSTRUCTIONS at a time, and the workgroup's
 * waves run in rounds. A workgroup that is still running after many full rounds may wait for a workgroup that has not
 * started: its worker then makes another workgroup resident, as hardware with free wave slots would, up to
 * MAX_RESIDENT and to the number of scratch slots.
 *
 * Left out: caches, stale data, the order in which concurrent waves access memory on hardware.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/barrier.h"
#include "sim/engine/engine.h"
#include "sim/engine/snapshot.h"
#include "sim/util/arena.h"
#include "sim/util/host_time.h"

#define RUN_INSTRUCTIONS (UINT64_C(1) << 20) /* that a wave executes before the next wave runs */
#define FULL_ROUNDS      4                   /* without a finished workgroup, before another one becomes resident */
#define MAX_RESIDENT     256                 /* workgroups of a worker */
#define PROGRESS_SECONDS 0.05

enum wave_state { WAVE_READY, WAVE_AT_BARRIER, WAVE_ENDED };

/* A workgroup and the memory for its waves. */
struct group {
    uint64_t id;
    unsigned waves, ended, at_barrier;
    bool running;
    struct isa_wave *wave; /* waves_per_group of them */
    enum wave_state *state;
    uint64_t *done; /* instructions that each wave has executed */
    uint32_t *regs;
    uint8_t *lds;
    uint32_t first_slot;
    struct isa_barriers barriers;
    void *stepped; /* state of the stepper; null: there is no stepper */
};

/* Shared by the threads of a run. */
struct run {
    const struct launch *l;
    const struct engine_options *options;
    _Atomic uint64_t next_group, groups_done, waves_done, executed;
    _Atomic uint64_t budget_taken; /* of max_instructions: executed, or granted to a running wave */
    _Atomic int budget_users;      /* workers that run a wave on a grant, part of which they may return */
    _Atomic int stop;
    pthread_mutex_t lock; /* of result and next_progress */
    struct engine_result *result;
    double next_progress;
};

/* A host thread and its resident workgroups. */
struct worker {
    struct run *run;
    struct arena arena;
    struct group *resident[MAX_RESIDENT];
    unsigned resident_count, resident_limit;
    uint32_t first_slot; /* scratch slots from here on are this worker's */
    uint64_t ticks;      /* the last value of the waves' clocks */
    struct isa_env env;
    uint64_t by_class[OPC_COUNT];
    bool no_memory;
    pthread_t thread;
};

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

static struct group *new_group(struct worker *k)
{
    const struct launch *l = k->run->l;
    const struct engine_stepper *stepper = k->run->options->stepper;
    unsigned n = l->waves_per_group;
    struct group *g = ARENA_NEW(&k->arena, 1, struct group);

    if (!g)
        return NULL;
    g->wave = ARENA_NEW(&k->arena, n, struct isa_wave);
    g->state = ARENA_NEW(&k->arena, n, enum wave_state);
    g->done = ARENA_NEW(&k->arena, n, uint64_t);
    g->regs = arena_alloc(&k->arena, n, launch_wave_dwords(l) * sizeof *g->regs, 64);
    g->lds = arena_alloc(&k->arena, 1, launch_lds_bytes(l), 64);
    if (!g->wave || !g->state || !g->done || !g->regs || !g->lds)
        return NULL;
    if (stepper && !(g->stepped = stepper->group_new(stepper->ctx, n)))
        return NULL;
    g->first_slot = k->first_slot + k->resident_count * n;
    k->resident[k->resident_count++] = g;
    return g;
}

/* Makes g the next workgroup that has not started; false when all have. */
static bool start_group(struct worker *k, struct group *g)
{
    const struct launch *l = k->run->l;
    uint64_t id = atomic_fetch_add(&k->run->next_group, 1);

    g->running = id < l->workgroup_count;
    if (!g->running)
        return false;
    g->id = id;
    g->waves = launch_group_waves(l, id);
    g->ended = g->at_barrier = 0;
    isa_barriers_init(&g->barriers, g->waves);
    for (unsigned i = 0; i < g->waves; i++) {
        uint32_t slot = l->scratch_slots == UINT32_MAX ? 0 : g->first_slot + i;
        launch_init_wave(l, id, i, slot, g->regs + i * launch_wave_dwords(l), g->lds, &g->wave[i]);
        g->wave[i].owner = g;
        g->wave[i].barriers = &g->barriers;
        g->state[i] = WAVE_READY;
        g->done[i] = 0;
    }
    if (g->stepped)
        k->run->options->stepper->group_start(g->stepped, id, g->wave, g->waves);
    return true;
}

static void end_early(struct run *r, enum engine_outcome outcome, const char *why)
{
    pthread_mutex_lock(&r->lock);
    if (r->result->outcome == ENGINE_DONE) {
        r->result->outcome = outcome;
        snprintf(r->result->message, sizeof r->result->message, "%s", why);
    }
    atomic_store(&r->stop, 1);
    pthread_mutex_unlock(&r->lock);
}

/* Reports a fault. When several workers meet one at the same time, that of the lowest workgroup is kept. */
static void fault(struct run *r, enum isa_status status, const struct isa_wave *w, const struct group *g)
{
    pthread_mutex_lock(&r->lock);
    if (r->result->outcome != ENGINE_FAULT || g->id < r->result->fault_group)
        engine_set_fault(r->result, status, w, g->id);
    atomic_store(&r->stop, 1);
    pthread_mutex_unlock(&r->lock);
}

static void note_wave(const struct group *g, unsigned i, struct snapshot_wave *out)
{
    const struct isa_wave *w = &g->wave[i];
    bool at_barrier = g->state[i] == WAVE_AT_BARRIER;

    *out = (struct snapshot_wave){.group = g->id,
                                  .wave = i,
                                  .pc = at_barrier ? w->inst_pc : w->pc,
                                  .reason = at_barrier ? "barrier" : "ready",
                                  .since = g->done[i],
                                  .left = g->ended};
    snapshot_note_barriers(out, w, at_barrier);
}

/* All waves of g that have not ended wait at barriers. */
static void deadlock(struct run *r, const struct group *g)
{
    struct snapshot_maker waves = {0};

    for (unsigned i = 0; i < g->waves; i++) {
        struct snapshot_wave w;

        if (g->state[i] == WAVE_ENDED)
            continue;
        note_wave(g, i, &w);
        snapshot_add(&waves, &w);
    }
    pthread_mutex_lock(&r->lock);
    if (r->result->outcome != ENGINE_FAULT || g->id < r->result->fault_group)
        snapshot_deadlock(&waves, r->l, r->result);
    atomic_store(&r->stop, 1);
    pthread_mutex_unlock(&r->lock);
    snapshot_maker_free(&waves);
}

static void report_progress(struct run *r)
{
    const struct engine_options *o = r->options;

    if (!o->progress || pthread_mutex_trylock(&r->lock))
        return;
    double now = host_seconds();
    bool stop = false;
    if (now >= r->next_progress) {
        r->next_progress = now + PROGRESS_SECONDS;
        stop = o->progress(o->progress_ctx, atomic_load(&r->groups_done), r->l->workgroup_count) != 0;
    }
    pthread_mutex_unlock(&r->lock);
    if (stop)
        end_early(r, ENGINE_INTERRUPTED, "stopped by the caller");
}

/* Grants a wave up to `want` instructions of the budget max_instructions; 0 when the budget is spent. */
static uint64_t take_budget(struct run *r, uint64_t want)
{
    uint64_t max = r->options->max_instructions;

    if (!max)
        return want;
    for (;;) {
        /* a worker may return part of its grant: the budget is spent only when none runs on one */
        int users = atomic_load(&r->budget_users);
        uint64_t taken = atomic_load(&r->budget_taken);
        while (taken < max) {
            uint64_t n = max - taken < want ? max - taken : want;
            atomic_fetch_add(&r->budget_users, 1);
            if (atomic_compare_exchange_strong(&r->budget_taken, &taken, taken + n))
                return n;
            atomic_fetch_sub(&r->budget_users, 1);
        }
        if (!users || atomic_load(&r->stop))
            return 0;
        sched_yield();
    }
}

/* Ends a grant of take_budget(), `unused` instructions of which were not executed. */
static void return_budget(struct run *r, uint64_t unused)
{
    if (r->options->max_instructions) {
        atomic_fetch_sub(&r->budget_taken, unused);
        atomic_fetch_sub(&r->budget_users, 1);
    }
}

/* Runs wave i of g up to its next barrier, its end or RUN_INSTRUCTIONS. False ends the run. */
static bool run_wave(struct worker *k, struct group *g, unsigned i)
{
    struct run *r = k->run;
    const struct engine_options *o = r->options;
    struct isa_wave *w = &g->wave[i];
    uint64_t want = RUN_INSTRUCTIONS, done = 0;

    if (o->max_cycles && o->max_cycles - g->done[i] < want)
        want = o->max_cycles - g->done[i];
    uint64_t limit = take_budget(r, want);
    if (!limit) {
        char why[80];
        snprintf(why, sizeof why, "limit of %" PRIu64 " instructions reached", o->max_instructions);
        end_early(r, ENGINE_LIMIT, why);
        return false;
    }
    enum isa_status status = g->stepped ? o->stepper->run(g->stepped, i, w, &k->env, limit, &done, k->by_class)
                                        : isa_run(w, r->l->program, &k->env, limit, &done, k->by_class);
    return_budget(r, limit - done);
    g->done[i] += done;
    atomic_fetch_add_explicit(&r->executed, done, memory_order_relaxed);

    switch (status) {
    case ISA_END:
        g->state[i] = WAVE_ENDED;
        g->ended++;
        return true;
    case ISA_BARRIER:
        g->state[i] = WAVE_AT_BARRIER;
        g->at_barrier++;
        break;
    case ISA_OK:
    case ISA_LIMIT:
        break;
    case ISA_FAULT:
    case ISA_HALT:
        fault(r, status, w, g);
        return false;
    }
    if (o->max_cycles && g->done[i] >= o->max_cycles) {
        char why[100];
        snprintf(why, sizeof why, "limit of %" PRIu64 " cycles reached: a wave ran that many instructions",
                 o->max_cycles);
        end_early(r, ENGINE_LIMIT, why);
        return false;
    }
    return true;
}

/* Releases the waves whose barrier is complete. False when no wave of the workgroup can run: a deadlock. */
static bool release_waves(struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_AT_BARRIER || !isa_barrier_open(&g->wave[i]))
            continue;
        isa_barrier_pass(&g->wave[i]);
        g->state[i] = WAVE_READY;
        g->at_barrier--;
    }
    return g->at_barrier + g->ended < g->waves;
}

/* Runs each wave of g that is ready once. False ends the run. */
static bool run_round(struct worker *k, struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_READY)
            continue;
        if (atomic_load_explicit(&k->run->stop, memory_order_relaxed))
            return false;
        if (k->run->options->abort_flag && *k->run->options->abort_flag) {
            end_early(k->run, ENGINE_INTERRUPTED, "interrupted");
            return false;
        }
        if (!run_wave(k, g, i))
            return false;
    }
    if (g->at_barrier && !release_waves(g)) {
        deadlock(k->run, g);
        return false;
    }
    if (g->ended == g->waves) {
        atomic_fetch_add(&k->run->groups_done, 1);
        atomic_fetch_add(&k->run->waves_done, g->waves);
        g->running = false;
    }
    return true;
}

/* Runs workgroups until none is left or the run ends. */
static void *work(void *arg)
{
    struct worker *k = arg;
    unsigned full_rounds = 0; /* since a workgroup finished or became resident */
    bool more = true;         /* there are workgroups that have not started */

    for (;;) {
        unsigned running = 0;
        uint64_t before = atomic_load_explicit(&k->run->executed, memory_order_relaxed);
        for (unsigned i = 0; i < k->resident_count; i++) {
            struct group *g = k->resident[i];
            if (!g->running && (!more || !(more = start_group(k, g))))
                continue;
            if (!run_round(k, g))
                return NULL;
            running++;
            if (!g->running)
                full_rounds = 0;
        }
        report_progress(k->run);
        if (!running)
            return NULL;
        /* a round in which waves reach barriers is short, and is progress */
        uint64_t ran = atomic_load_explicit(&k->run->executed, memory_order_relaxed) - before;
        full_rounds += ran >= RUN_INSTRUCTIONS;
        if (more && full_rounds >= FULL_ROUNDS && k->resident_count < k->resident_limit) {
            full_rounds = 0;
            if (!new_group(k)) {
                k->no_memory = true;
                atomic_store(&k->run->stop, 1);
                return NULL;
            }
        }
    }
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
    if (threads > 1024)
        threads = 1024;
    uint64_t each = threads ? groups / threads : 0;
    *per_worker = each < MAX_RESIDENT ? (unsigned)each : MAX_RESIDENT;
    return (unsigned)threads;
}

static void add_counts(struct engine_result *res, const struct worker *k)
{
    for (unsigned c = 0; c < OPC_COUNT; c++)
        engine_add(res, STAT_CATEGORY + op_class_category[c], k->by_class[c]);
}

static int run_workers(struct run *r, struct worker *workers, unsigned threads, unsigned per_worker, struct err *e)
{
    const struct launch *l = r->l;
    unsigned started = 0;
    bool failed = false;

    for (unsigned i = 0; i < threads; i++) {
        struct worker *k = &workers[i];
        k->run = r;
        k->resident_limit = per_worker;
        k->first_slot = i * per_worker * l->waves_per_group;
        k->env = (struct isa_env){.ctx = k, .find = find, .clock = tick, .realtime = tick};
        arena_init(&k->arena, 0);
        k->arena.budget = l->space->budget;
        failed = failed || !new_group(k);
    }
    for (unsigned i = 1; i < threads && !failed; i++, started++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            break; /* fewer threads do the same work */
    if (!failed)
        work(&workers[0]);
    for (unsigned i = 1; i <= started; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < threads; i++) {
        failed = failed || workers[i].no_memory;
        add_counts(r->result, &workers[i]);
        arena_free(&workers[i].arena);
    }
    return failed ? err_set(e, ERR_NOMEM, "no memory for the registers and LDS of %u waves", l->waves_per_group) : 0;
}

int engine_run_functional(const struct launch *l, const struct engine_options *o, struct engine_result *res,
                          struct err *e)
{
    struct run r = {.l = l, .options = o, .result = res};
    unsigned per_worker, threads = plan_workers(l, o, &per_worker);

    *res = (struct engine_result){.outcome = ENGINE_DONE};
    if (!threads)
        return err_set(e, ERR_USAGE, "scratch memory has room for %u waves; one workgroup has %u", l->scratch_slots,
                       l->waves_per_group);
    struct worker *workers = calloc(threads, sizeof *workers);
    if (!workers)
        return err_set(e, ERR_NOMEM, "no memory for %u threads", threads);
    pthread_mutex_init(&r.lock, NULL);
    r.next_progress = host_seconds() + PROGRESS_SECONDS;
    int failed = run_workers(&r, workers, threads, per_worker, e);
    pthread_mutex_destroy(&r.lock);
    free(workers);
    engine_count(res, STAT_WORKGROUPS_DONE, atomic_load(&r.groups_done));
    engine_count(res, STAT_WAVES_DONE, atomic_load(&r.waves_done));
    engine_count(res, STAT_INSTRUCTIONS, atomic_load(&r.executed));
    return failed;
}
