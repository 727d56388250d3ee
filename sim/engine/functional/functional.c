/* The functional engine: results as fast as possible, no time.
 *
 * Each host thread takes the next workgroup, runs its waves in turn, each up to its next barrier or end, and lets go on
 * those whose barrier is complete. Memory of a workgroup is reused for the next one. Results do not depend on
 * the number of threads when those of the kernel do not depend on the order of workgroups.
 *
 * Waves are run in slices, so that waves that wait for one another through memory come forward. A workgroup that has
 * run for many slices may be waiting for a workgroup that has not started: its thread then starts another one beside
 * it, as hardware with room would, up to the number that MAX_LIVE and scratch slots allow.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "isa/barrier.h"
#include "sim/engine/engine.h"
#include "sim/util/arena.h"

#define SLICE_INSTRUCTIONS (UINT64_C(1) << 20)
#define PATIENCE_ROUNDS    4 /* slices of each wave before another workgroup is started beside */
#define MAX_LIVE           256
#define PROGRESS_SECONDS   0.05

enum wave_state { WAVE_READY, WAVE_AT_BARRIER, WAVE_ENDED };

struct group {
    uint64_t id;
    unsigned waves, ended, waiting;
    bool busy;
    struct isa_wave *wave; /* waves_per_group of them */
    enum wave_state *state;
    uint64_t *done; /* instructions of each wave */
    uint32_t *regs;
    uint8_t *lds;
    uint32_t first_slot;
    struct isa_barriers barriers;
    void *stepped; /* the stepper's; null: there is none */
};

/* Shared by the threads of a run. */
struct run {
    const struct launch *l;
    const struct engine_options *options;
    _Atomic uint64_t next_group, groups_done, waves_done, executed, reserved;
    _Atomic int holders; /* threads that hold reserved instructions */
    _Atomic int stop;
    pthread_mutex_t lock; /* result, progress */
    struct engine_result *result;
    double next_progress;
};

struct worker {
    struct run *run;
    struct arena arena;
    struct group *live[MAX_LIVE];
    unsigned count, limit; /* groups allocated, and how many may be */
    uint32_t first_slot;
    uint64_t ticks; /* what the clock read last */
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

/* Without time there is only order: the clock moves at each look. */
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
    g->first_slot = k->first_slot + k->count * n;
    k->live[k->count++] = g;
    return g;
}

/* Gives g the next workgroup; false when there is none left. */
static bool start_group(struct worker *k, struct group *g)
{
    const struct launch *l = k->run->l;
    uint64_t id = atomic_fetch_add(&k->run->next_group, 1);

    g->busy = id < l->workgroup_count;
    if (!g->busy)
        return false;
    g->id = id;
    g->waves = launch_group_waves(l, id);
    g->ended = g->waiting = 0;
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

static double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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

/* Of several faults met at once by several threads, that of the lowest workgroup is reported. */
static void fault(struct run *r, enum isa_status status, const struct isa_wave *w, const struct group *g)
{
    pthread_mutex_lock(&r->lock);
    if (r->result->outcome != ENGINE_FAULT || g->id < r->result->fault_group)
        engine_set_fault(r->result, status, w, g->id);
    atomic_store(&r->stop, 1);
    pthread_mutex_unlock(&r->lock);
}

static void report_progress(struct run *r)
{
    const struct engine_options *o = r->options;

    if (!o->progress || pthread_mutex_trylock(&r->lock))
        return;
    double now = now_seconds();
    bool stop = false;
    if (now >= r->next_progress) {
        r->next_progress = now + PROGRESS_SECONDS;
        stop = o->progress(o->progress_ctx, atomic_load(&r->groups_done), r->l->workgroup_count) != 0;
    }
    pthread_mutex_unlock(&r->lock);
    if (stop)
        end_early(r, ENGINE_INTERRUPTED, "stopped by the caller");
}

/* Takes up to `want` instructions out of max_instructions; 0 when they are spent. */
static uint64_t reserve(struct run *r, uint64_t want)
{
    uint64_t max = r->options->max_instructions;

    if (!max)
        return want;
    for (;;) {
        /* a holder may give some back: only with none about is nothing left */
        int holders = atomic_load(&r->holders);
        uint64_t have = atomic_load(&r->reserved);
        while (have < max) {
            uint64_t n = max - have < want ? max - have : want;
            atomic_fetch_add(&r->holders, 1);
            if (atomic_compare_exchange_strong(&r->reserved, &have, have + n))
                return n;
            atomic_fetch_sub(&r->holders, 1);
        }
        if (!holders || atomic_load(&r->stop))
            return 0;
        sched_yield();
    }
}

static void give_back(struct run *r, uint64_t unused)
{
    if (r->options->max_instructions) {
        atomic_fetch_sub(&r->reserved, unused);
        atomic_fetch_sub(&r->holders, 1);
    }
}

/* Runs wave i of g for a slice. False ends the run. */
static bool run_slice(struct worker *k, struct group *g, unsigned i)
{
    struct run *r = k->run;
    const struct engine_options *o = r->options;
    struct isa_wave *w = &g->wave[i];
    uint64_t want = SLICE_INSTRUCTIONS, done = 0;

    if (o->max_cycles && o->max_cycles - g->done[i] < want)
        want = o->max_cycles - g->done[i];
    uint64_t limit = reserve(r, want);
    if (!limit) {
        char why[80];
        snprintf(why, sizeof why, "limit of %" PRIu64 " instructions reached", o->max_instructions);
        end_early(r, ENGINE_LIMIT, why);
        return false;
    }
    enum isa_status status = g->stepped ? o->stepper->run(g->stepped, i, w, &k->env, limit, &done, k->by_class)
                                        : isa_run(w, r->l->program, &k->env, limit, &done, k->by_class);
    give_back(r, limit - done);
    g->done[i] += done;
    atomic_fetch_add_explicit(&r->executed, done, memory_order_relaxed);

    switch (status) {
    case ISA_END:
        g->state[i] = WAVE_ENDED;
        g->ended++;
        return true;
    case ISA_BARRIER:
        g->state[i] = WAVE_AT_BARRIER;
        g->waiting++;
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

/* Waves whose barrier is complete go on. False when none of those that live can. */
static bool release_waves(struct group *g)
{
    for (unsigned i = 0; i < g->waves; i++) {
        if (g->state[i] != WAVE_AT_BARRIER || !isa_barrier_open(&g->wave[i]))
            continue;
        isa_barrier_pass(&g->wave[i]);
        g->state[i] = WAVE_READY;
        g->waiting--;
    }
    return g->waiting + g->ended < g->waves;
}

static const struct isa_wave *stuck_wave(const struct group *g)
{
    unsigned i = 0;

    while (g->state[i] != WAVE_AT_BARRIER)
        i++;
    return &g->wave[i];
}

/* One round over the waves of g. False ends the run. */
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
        if (!run_slice(k, g, i))
            return false;
    }
    if (g->waiting && !release_waves(g)) {
        fault(k->run, ISA_BARRIER, stuck_wave(g), g);
        return false;
    }
    if (g->ended == g->waves) {
        atomic_fetch_add(&k->run->groups_done, 1);
        atomic_fetch_add(&k->run->waves_done, g->waves);
        g->busy = false;
    }
    return true;
}

static void *work(void *arg)
{
    struct worker *k = arg;
    unsigned patience = 0;
    bool more = true; /* workgroups that have not started */

    for (;;) {
        unsigned busy = 0;
        uint64_t before = atomic_load_explicit(&k->run->executed, memory_order_relaxed);
        for (unsigned i = 0; i < k->count; i++) {
            struct group *g = k->live[i];
            if (!g->busy && (!more || !(more = start_group(k, g))))
                continue;
            if (!run_round(k, g))
                return NULL;
            busy++;
            if (!g->busy)
                patience = 0;
        }
        report_progress(k->run);
        if (!busy)
            return NULL;
        /* rounds that end at barriers are short and are progress of their own */
        uint64_t ran = atomic_load_explicit(&k->run->executed, memory_order_relaxed) - before;
        patience += ran >= SLICE_INSTRUCTIONS;
        if (more && patience >= PATIENCE_ROUNDS && k->count < k->limit) {
            patience = 0;
            if (!new_group(k)) {
                k->no_memory = true;
                atomic_store(&k->run->stop, 1);
                return NULL;
            }
        }
    }
}

/* Threads and workgroups side by side that scratch slots allow. */
static unsigned plan(const struct launch *l, const struct engine_options *o, unsigned *per_worker)
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
    *per_worker = each < MAX_LIVE ? (unsigned)each : MAX_LIVE;
    return (unsigned)threads;
}

static void add_counts(struct engine_result *res, const struct worker *k)
{
    for (unsigned c = 0; c < OPC_COUNT; c++)
        res->by_category[op_class_category[c]] += k->by_class[c];
}

static int run_workers(struct run *r, struct worker *workers, unsigned threads, unsigned per_worker, struct err *e)
{
    const struct launch *l = r->l;
    unsigned started = 0;
    bool failed = false;

    for (unsigned i = 0; i < threads; i++) {
        struct worker *k = &workers[i];
        k->run = r;
        k->limit = per_worker;
        k->first_slot = i * per_worker * l->waves_per_group;
        k->env = (struct isa_env){.ctx = k, .find = find, .clock = tick, .realtime = tick};
        arena_init(&k->arena, 0);
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
    unsigned per_worker, threads = plan(l, o, &per_worker);

    *res = (struct engine_result){.outcome = ENGINE_DONE, .has_categories = true};
    if (!threads)
        return err_set(e, ERR_USAGE, "scratch memory has room for %u waves; one workgroup has %u", l->scratch_slots,
                       l->waves_per_group);
    struct worker *workers = calloc(threads, sizeof *workers);
    if (!workers)
        return err_set(e, ERR_NOMEM, "no memory for %u threads", threads);
    pthread_mutex_init(&r.lock, NULL);
    r.next_progress = now_seconds() + PROGRESS_SECONDS;
    int failed = run_workers(&r, workers, threads, per_worker, e);
    pthread_mutex_destroy(&r.lock);
    free(workers);
    res->workgroups_done = atomic_load(&r.groups_done);
    res->waves_done = atomic_load(&r.waves_done);
    res->instructions = atomic_load(&r.executed);
    return failed;
}
