/* The workgroups of a worker: how many are resident, and which of them run.
 *
 * One workgroup runs to its end before the next one starts, as long as it gets on. Waves may wait for workgroups that
 * have not started (a barrier of the whole grid, a chain of flags from the last to the first), so when all resident
 * workgroups of a worker only poll (poll.c), as many again are started, up to `groups_limit` of all workers. In sweeps
 * each resident workgroup gets a round. They go up and down by turns: of a chain in either direction a sweep then gets
 * through as much as it can. Workgroups that wait are left out while others get on, but for a small share.
 *
 * How much of a launch is resident is a matter of memory here, not of the chip: a launch whose workgroups wait for
 * more others than the chip has room for never ends on hardware, nor in the timing engine, and does here. The bound is
 * RESIDENT_BYTES of registers and LDS, several times those of any chip, and the scratch slots that there are.
 *
 * A worker whose workgroups all wait leaves the host's processor to others. When an event is to be reported, there is
 * no host memory for more workgroups or a limit of cycles, and all that run have only polled for QUIET_SWEEPS, they
 * wait for what will not happen: the run ends. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "sim/engine/functional/functional.h"
#include "sim/launch/dispatch.h"

#define RESIDENT_BYTES (UINT64_C(1) << 30)
#define WAITING_SHARE  16 /* instructions of others for each one of workgroups that wait */
#define UNSEEN_WAIT                                                                                                    \
    (UINT64_C(4) << 20)                  /* instructions of each wave without an end, before another workgroup starts  \
                                          */
#define STAY         (UINT64_C(1) << 20) /* instructions per wave in a sweep */
#define PROBE_ROUNDS 64
#define QUIET_SWEEPS 16
#define SLEEP_SWEEPS 16
#define SLEEP_NS     50000

uint64_t workers_group_limit(const struct run *r)
{
    const struct launch *l = r->l;
    uint64_t wave = launch_wave_dwords(l) * sizeof(uint32_t) + sizeof(struct isa_wave) + sizeof(struct poll);
    uint64_t limit = RESIDENT_BYTES / (wave * l->waves_per_group + launch_lds_bytes(l) + sizeof(struct group));

    if (limit < MAX_WORKERS) /* one for each in any case */
        limit = MAX_WORKERS;
    /* what AMD's runtimes set aside for each wave that can be resident is not to be shared by more */
    if (l->profile && launch_wave_slots(l) / l->waves_per_group < limit)
        limit = launch_wave_slots(l) / l->waves_per_group;
    limit = limit ? limit : 1;
    if (l->scratch_slots != UINT32_MAX) {
        uint32_t first = r->options->part ? r->options->part->first_slot : 0;
        uint64_t most = (l->scratch_slots - first) / l->waves_per_group;

        limit = most < limit ? most : limit;
    }
    return limit;
}

/* A workgroup more in the arrays of a worker. */
static bool make_room(struct worker *k)
{
    unsigned room = k->room ? k->room * 2 : 8, count = k->running_count + k->spare_count;

    if (count < k->room)
        return true;
    struct group **running = ARENA_NEW(&k->arena, room, struct group *);
    struct group **spare = ARENA_NEW(&k->arena, room, struct group *);
    if (!running || !spare)
        return false;
    for (unsigned i = 0; i < k->running_count; i++)
        running[i] = k->running[i];
    for (unsigned i = 0; i < k->spare_count; i++)
        spare[i] = k->spare[i];
    k->running = running;
    k->spare = spare;
    k->room = room;
    return true;
}

bool workers_add_group(struct worker *k)
{
    uint64_t made = atomic_load(&k->run->groups_made);
    struct group *g;

    do {
        if (made >= k->run->groups_limit)
            return true;
    } while (!atomic_compare_exchange_weak(&k->run->groups_made, &made, made + 1));
    if (!make_room(k) || !(g = group_new(k, made)))
        return false;
    k->spare[k->spare_count++] = g;
    return true;
}

/* Memory for a workgroup that has not started; null: there is none. It is then the last of the spare ones. */
static struct group *find_spare(struct worker *k)
{
    for (unsigned i = k->spare_count; i-- > 0;) {
        struct group *g = k->spare[i];

        if (!group_is_free(k->run, g))
            continue;
        k->spare[i] = k->spare[k->spare_count - 1];
        return k->spare[k->spare_count - 1] = g;
    }
    return NULL;
}

/* Starts up to `count` workgroups. False: none. Without memory for another one k->full is set; that is no error as long
 * as others can end. */
static bool start_groups(struct worker *k, unsigned count)
{
    struct group *g;
    unsigned started = 0;

    if (k->running_count) /* these may wait for others */
        batches_end(k->run);
    for (; started < count && k->more; started++) {
        if (!k->spare_count && !k->full)
            k->full = !workers_add_group(k);
        if (!k->spare_count) {
            if (k->full)
                atomic_store(&k->run->lacks_memory, true);
            break;
        }
        if (!(g = find_spare(k)) || !(k->more = group_start(k, g)))
            break;
        k->running[k->running_count++] = g;
        k->spare_count--;
    }
    k->without_end = 0;
    if (!started)
        return false;
    k->down = true; /* the new ones first */
    return true;
}

/* Takes out what has ended or been stopped. */
static void drop_ended(struct worker *k)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < k->running_count; i++)
        if (k->running[i]->running)
            k->running[kept++] = k->running[i];
        else
            k->spare[k->spare_count++] = k->running[i];
    k->running_count = kept;
}

/* Rounds of a workgroup as long as it gets on, up to a number of instructions; probes come to their end. */
static void run_group(struct worker *k, struct group *g)
{
    uint64_t end = g->executed + STAY * g->waves;
    unsigned probes = 0;

    do {
        if (!group_round(k, g))
            g->running = false;
        k->moved |= g->moved;
        probes = g->moved ? 0 : probes + 1;
    } while (g->running && g->executed < end && (g->moved || (g->probing && probes < PROBE_ROUNDS)));
}

/* A round of each running workgroup that is due. True: one got on, or ended. */
static bool sweep(struct worker *k)
{
    bool all = !k->busy || k->others >= WAITING_SHARE * k->waiting_cost, got_on = false;
    unsigned busy = 0, ended = 0;

    k->moved = false;
    if (all)
        k->others = k->waiting_cost = 0;
    for (unsigned i = 0; i < k->running_count; i++) {
        struct group *g = k->running[k->down ? k->running_count - 1 - i : i];
        if (g->waits && !all)
            continue;
        uint64_t before = g->executed;
        run_group(k, g);
        engine_piece_done(k->run->options->pieces, g->id);
        g->waits = g->running && !g->moved && group_waits(g);
        uint64_t cost = g->executed - before + (uint64_t)TURN_COST * g->waves;
        atomic_store_explicit(&k->instructions,
                              atomic_load_explicit(&k->instructions, memory_order_relaxed) + g->executed - before,
                              memory_order_relaxed); /* it alone writes it */
        *(g->waits ? &k->waiting_cost : &k->others) += cost;
        k->without_end += cost;
        busy += g->running && !g->waits;
        ended += !g->running;
    }
    got_on = busy || ended;
    k->down = !k->down;
    k->busy = busy;
    if (ended) {
        k->without_end = 0;
        drop_ended(k);
    }
    return got_on;
}

/* ---- workgroups that wait for other workers ---- */

static void set_idle(struct worker *k, bool idle)
{
    if (k->idle == idle)
        return;
    k->idle = idle;
    if (idle) {
        atomic_fetch_add(&k->run->idle_workers, 1);
        return;
    }
    atomic_fetch_sub(&k->run->idle_workers, 1);
    pthread_mutex_lock(&k->run->lock);
    k->run->moves++;
    pthread_mutex_unlock(&k->run->lock);
}

/* Ends the run when every worker has found, since the last arrival or release at global wave sync, that all of its
 * waves wait: there is nobody to let one go on. */
static void check_blocked(struct worker *k)
{
    struct run *r = k->run;
    bool all = true;

    if (!r->l->gws || run_may_end_quiet(r))
        return;
    uint64_t at = isa_gws_changes(r->l->gws) + 1;
    for (unsigned i = 0; i < k->running_count; i++)
        if (!group_is_blocked(k->running[i]))
            return;
    pthread_mutex_lock(&r->lock);
    k->blocked = at;
    for (unsigned i = 0; i < r->workers; i++)
        all &= r->worker[i]->gone || r->worker[i]->blocked == at;
    pthread_mutex_unlock(&r->lock);
    if (all && isa_gws_changes(r->l->gws) + 1 == at)
        group_deadlock(r, k->running[0]);
}

/* The only worker waits for what somebody else stores: the host, or another launch. With a limit of instructions the
 * end may be what it waits for. */
static void give_way(const struct worker *k)
{
    if (k->idle_sweeps < SLEEP_SWEEPS || k->run->options->max_instructions)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
}

/* Nothing that k runs gets on. */
static void wait_for_others(struct worker *k)
{
    struct run *r = k->run;

    k->idle_sweeps = k->moved ? 0 : k->idle_sweeps + 1;
    set_idle(k, true);
    check_blocked(k);
    bool all_idle = atomic_load(&r->idle_workers) >= r->workers;
    if (r->workers == 1) {
        if (r->options->shared_memory)
            give_way(k);
        return;
    }
    if (k->idle_sweeps < SLEEP_SWEEPS || (all_idle && !r->options->shared_memory)) {
        sched_yield();
    } else {
        if (r->limit.max)
            limit_return(k); /* others may need them to get on */
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
}

static bool all_quiet(const struct run *r)
{
    for (unsigned i = 0; i < r->workers; i++) {
        const struct worker *k = r->worker[i];
        if (!k->gone && (k->quiet_since != r->moves || k->quiet_sweeps < QUIET_SWEEPS))
            return false;
    }
    return true;
}

/* Whether all that k runs only polls, and nothing of its own will ever change that. */
static bool is_stuck(const struct worker *k)
{
    for (unsigned i = 0; i < k->running_count; i++)
        if (!group_is_stuck(k->run, k->running[i]))
            return false;
    return true;
}

static void end_waiting_run(struct run *r)
{
    char why[80];

    snprintf(why, sizeof why, "limit of %" PRIu64 " cycles reached: all resident waves only wait",
             r->options->max_cycles);
    pthread_mutex_lock(&r->lock);
    r->ended_waiting |= r->result->outcome == ENGINE_DONE;
    pthread_mutex_unlock(&r->lock);
    run_end(r, ENGINE_LIMIT, why);
}

/* All workgroups wait for what will not happen. */
static void end_quiet_run(struct worker *k)
{
    struct run *r = k->run;

    if (run_has_event(r)) {
        run_end(r, ENGINE_INTERRUPTED, "");
    } else if (atomic_load(&r->lacks_memory) && batches_left(r)) {
        k->no_memory = true; /* for those that they wait for */
        run_end(r, ENGINE_INTERRUPTED, "out of host memory");
    } else if (r->options->max_cycles) {
        end_waiting_run(r);
    }
}

/* After a sweep of a run that may end because nothing gets on. A sweep counts as quiet when no worker has got on since
 * it began. */
static void note_quiet(struct worker *k, bool got_on)
{
    struct run *r = k->run;
    bool ends = false;

    got_on |= !is_stuck(k);

    pthread_mutex_lock(&r->lock);
    if (got_on) {
        r->moves++;
    } else if (k->quiet_since == r->moves) {
        k->quiet_sweeps++;
        ends = all_quiet(r);
    } else {
        k->quiet_since = r->moves;
        k->quiet_sweeps = 0;
    }
    k->looked = !got_on && k->quiet_sweeps >= QUIET_SWEEPS;
    pthread_mutex_unlock(&r->lock);
    if (ends)
        end_quiet_run(k);
}

/* Runs workgroups until none is left that this worker is to run. */
static void run_groups(struct worker *k)
{
    struct run *r = k->run;

    k->more = true;
    start_groups(k, 1);
    while (k->running_count) {
        bool got_on = sweep(k);
        run_progress(k);
        if (run_may_end_quiet(r))
            note_quiet(k, got_on || k->moved);
        if (got_on) {
            k->idle_sweeps = 0;
            set_idle(k, false);
            /* what polls without being seen to */
            if (!k->running_count || k->without_end >= UNSEEN_WAIT * r->l->waves_per_group * k->running_count)
                start_groups(k, 1);
        } else if (recruit_waiting(k)) {
            k->idle_sweeps++;
            sched_yield();
        } else if (!start_groups(k, k->running_count)) {
            wait_for_others(k);
        }
    }
}

void workers_leave(struct worker *k)
{
    set_idle(k, true);
    pthread_mutex_lock(&k->run->lock);
    k->gone = true;
    pthread_mutex_unlock(&k->run->lock);
}

void workers_run(struct worker *k)
{
    meeting_join(k->run);
    run_groups(k);
    limit_return(k);
    workers_leave(k);
    meeting_leave(k->run);
}
