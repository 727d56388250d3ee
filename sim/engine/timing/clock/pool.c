/* Host threads that share the groups of an epoch: whose turn it is to take what, and waiting, by spinning first and
 * sleeping then.
 *
 * Nothing is reset that a thread may still look at which has not noticed the end of a round. Work is taken by
 * a ticket, a word that has the number of the round in it: a thread that has looked at an earlier round fails to take.
 *
 * A group may take less time than a line of memory on its way from one processor to another. So a thread that has
 * groups of its own left writes nothing that others look at, and looks at nothing that others write, but for the
 * ticket: it counts for itself what it has done, and informs the others when it has none left.
 */
#include "sim/engine/timing/clock/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/thread_pool.h"

#define PATIENCE   50    /* polls without anything to do before the last group of another thread is taken */
#define SPINS      2000  /* polls of a condition before the thread yields its processor */
#define IDLE_SPINS 10000 /* the same between rounds: longer than the caller's work there as a rule */
#define YIELDS     50    /* before it sleeps */
#define NO_GROUP   UINT32_MAX
#define LINE       128 /* bytes that no two threads write: hosts fetch lines of 64 in pairs */

enum { FIRST_DONE = 1, ENDED = 2, STAGES = 4 };

/* The groups of a half that a thread has to do in a round, and has done, whoever they belong to. */
struct lane_half {
    _Alignas(LINE) _Atomic uint64_t next; /* anyone writes it: tickets, the next group to be taken */
    _Alignas(LINE) _Atomic uint64_t done; /* the thread writes it: tally, as far as others know */
    _Alignas(LINE) uint64_t tally;        /* of the thread alone */
};

struct lane {
    struct lane_half half[2];
    _Alignas(LINE) _Atomic uint32_t *group; /* in rising order */
    _Alignas(LINE) uint32_t groups;         /* of the caller alone: while it deals them out */
};

struct progress {
    _Alignas(LINE) _Atomic uint64_t stage; /* round * STAGES + stage */
    uint32_t lane;                         /* it belongs to */
};

struct timing_pool {
    struct timing_work work;
    struct lane *lane;         /* per thread */
    struct progress *progress; /* per group */
    const uint32_t *group;     /* of the round */
    _Atomic uint32_t count, halves;
    bool alone;                                       /* the caller runs the groups in order: none has to wait */
    _Alignas(LINE) _Atomic uint64_t far[TIMING_FARS]; /* round * STAGES + 0: to be done, 1: taken, 2: done */
    _Alignas(LINE) _Atomic uint32_t round, sleepers;
    _Atomic int quit;
    pthread_mutex_t lock;
    pthread_cond_t start;
    struct thread_pool *from, *own; /* own: started for this pool alone */
    struct thread_job job;          /* its tasks are the threads */
    uint32_t threads, groups;       /* that there may be */
    uint32_t lanes;                 /* threads that there are; 0: no round has been shared yet */
    void *group_of_lane;
};

static size_t lane_bytes(uint32_t groups)
{
    return (groups * sizeof(uint32_t) / LINE + 1) * LINE;
}

/* Tallies: round, groups done. */
static uint64_t tally_of(uint64_t tally, uint32_t round)
{
    return tally >> 32 == round ? tally : (uint64_t)round << 32;
}

/* Tickets: round, number of groups, next of them. */
static uint64_t ticket(uint32_t round, uint32_t count)
{
    return (uint64_t)round << 32 | count << 16;
}

static uint32_t round_of(uint64_t t)
{
    return (uint32_t)(t >> 32);
}

static uint32_t groups_left(uint64_t t)
{
    uint32_t next = t & 0xffff, count = t >> 16 & 0xffff;

    return next < count ? count - next : 0;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void wait_a_moment(uint32_t *polls)
{
    if ((*polls)++ < SPINS)
        pause_briefly();
    else
        sched_yield();
}

/* Informs the others of what the thread has done. */
static void publish(struct lane_half *h)
{
    if (atomic_load_explicit(&h->done, memory_order_relaxed) != h->tally)
        atomic_store_explicit(&h->done, h->tally, memory_order_release);
}

static bool all_done(struct timing_pool *p, uint32_t round, uint32_t half)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < p->lanes; k++)
        n += (uint32_t)tally_of(atomic_load_explicit(&p->lane[k].half[half].done, memory_order_acquire), round);
    return n == p->count;
}

static bool far_is_done(struct timing_pool *p, enum timing_far part, uint32_t round)
{
    return atomic_load_explicit(&p->far[part], memory_order_acquire) == (uint64_t)round * STAGES + ENDED;
}

static bool has_reached(struct timing_pool *p, uint32_t group, uint32_t round, uint32_t stage)
{
    return atomic_load_explicit(&p->progress[group].stage, memory_order_acquire) >= (uint64_t)round * STAGES + stage;
}

/* Taking ----------------------------------------------------------------------------------------------------------- */

/* The next group of a lane in a round, when it is lower than `below` and its half may begin. */
static uint32_t take_group(struct timing_pool *p, struct lane *l, uint32_t round, uint32_t half, uint32_t below)
{
    _Atomic uint64_t *next = &l->half[half].next;
    uint64_t t = atomic_load_explicit(next, memory_order_acquire);

    while (round_of(t) == round && groups_left(t)) {
        uint32_t group = atomic_load_explicit(&l->group[t & 0xffff], memory_order_relaxed);

        if (group >= below ||
            (half && !(has_reached(p, group, round, FIRST_DONE) && far_is_done(p, TIMING_FAR_REST, round))))
            return NO_GROUP;
        if (atomic_compare_exchange_weak_explicit(next, &t, t + 1, memory_order_acq_rel, memory_order_acquire))
            return group;
    }
    return NO_GROUP;
}

static bool take_far(struct timing_pool *p, enum timing_far part)
{
    uint64_t t = atomic_load_explicit(&p->far[part], memory_order_acquire);
    uint32_t round = (uint32_t)(t / STAGES);

    if (t % STAGES || (part == TIMING_FAR_FIRST && !(far_is_done(p, TIMING_FAR_REST, round) && all_done(p, round, 0))))
        return false;
    return atomic_compare_exchange_strong_explicit(&p->far[part], &t, t + 1, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static bool run_far(struct timing_pool *p, enum timing_far part)
{
    if (!take_far(p, part))
        return false;
    p->work.far(p->work.ctx, part);
    atomic_fetch_add_explicit(&p->far[part], ENDED - 1, memory_order_release);
    return true;
}

static bool run_group(struct timing_pool *p, uint32_t from, uint32_t round, uint32_t half, uint32_t below,
                      uint32_t thread)
{
    uint32_t group = take_group(p, &p->lane[from], round, half, below);
    uint64_t *tally = &p->lane[thread].half[half].tally;

    if (group == NO_GROUP)
        return false;
    p->work.group(p->work.ctx, group, half, thread);
    if (from != thread && !half)
        p->progress[group].lane = thread;
    atomic_store_explicit(&p->progress[group].stage,
                          (uint64_t)round * STAGES + (half + 1 == p->halves ? ENDED : FIRST_DONE),
                          memory_order_release);
    *tally = tally_of(*tally, round) + 1;
    return true;
}

/* The next group of another thread, whose caches have its state: not the last one, as long as that thread may come to
 * it soon. */
static bool run_other_group(struct timing_pool *p, uint32_t round, uint32_t half, uint32_t thread, bool last_too)
{
    for (uint32_t k = 1; k < p->lanes; k++) {
        uint32_t from = (thread + k) % p->lanes;

        if (groups_left(atomic_load_explicit(&p->lane[from].half[half].next, memory_order_relaxed)) > !last_too &&
            run_group(p, from, round, half, NO_GROUP, thread))
            return true;
    }
    return false;
}

/* Something that there is to do; polls: as often there has been nothing. Groups of others are taken in the round alone
 * whose own groups the thread has seen: it might wait for the turn of one while a lower one of its own has just come.
 */
static bool run_something(struct timing_pool *p, uint32_t thread, uint32_t polls)
{
    struct lane_half *half = p->lane[thread].half;
    uint32_t round = round_of(atomic_load_explicit(&half[0].next, memory_order_acquire));

    if (!thread && run_far(p, TIMING_FAR_REST))
        return true;
    if (run_group(p, thread, round, 0, NO_GROUP, thread))
        return true;
    publish(&half[0]);
    if (!thread && run_far(p, TIMING_FAR_FIRST))
        return true;
    if (run_other_group(p, round, 0, thread, polls >= PATIENCE) || run_group(p, thread, round, 1, NO_GROUP, thread))
        return true;
    publish(&half[1]);
    if (run_other_group(p, round, 1, thread, polls >= PATIENCE))
        return true;
    return thread && (run_far(p, TIMING_FAR_REST) || run_far(p, TIMING_FAR_FIRST));
}

static bool is_over(struct timing_pool *p)
{
    uint32_t round = p->round;

    return far_is_done(p, TIMING_FAR_REST, round) && far_is_done(p, TIMING_FAR_FIRST, round) &&
           all_done(p, round, p->halves - 1);
}

/* What a thread does of a round, to its end. */
static void run_round(struct timing_pool *p, uint32_t round, uint32_t thread)
{
    uint32_t polls = 0;

    while (atomic_load(&p->round) == round)
        if (run_something(p, thread, polls))
            polls = 0;
        else if (is_over(p))
            return;
        else
            wait_a_moment(&polls);
}

/* Threads ---------------------------------------------------------------------------------------------------------- */

/* Returns with the number of a round after `seen`. */
static uint32_t await_round(struct timing_pool *p, uint32_t seen)
{
    for (uint32_t n = 0; n < IDLE_SPINS + YIELDS; n++) {
        uint32_t round = atomic_load(&p->round);

        if (round != seen || atomic_load(&p->quit))
            return round;
        if (n < IDLE_SPINS)
            pause_briefly();
        else
            sched_yield();
    }
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->round) == seen && !atomic_load(&p->quit))
        pthread_cond_wait(&p->start, &p->lock);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->lock);
    return atomic_load(&p->round);
}

static void work(void *pool, unsigned thread)
{
    struct timing_pool *p = pool;

    for (uint32_t round = 0; !atomic_load(&p->quit);) {
        round = await_round(p, round);
        run_round(p, round, thread);
    }
}

static void wake_all(struct timing_pool *p)
{
    if (!atomic_load(&p->sleepers))
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
}

/* Memory that is cleared and begins with a line of its own. */
static void *new_lines(size_t count, size_t bytes)
{
    size_t all = (count ? count : 1) * bytes;
    void *m = aligned_alloc(LINE, all);

    return m ? memset(m, 0, all) : NULL;
}

/* Before the first round that is shared: gets the threads. One that the host does not give has no groups, for which
 * others would wait. */
static void get_threads(struct timing_pool *p)
{
    p->lanes = 1;
    if (p->threads > 1 && !p->from)
        p->from = p->own = thread_pool_new();
    if (p->threads > 1 && p->from)
        p->lanes = thread_pool_begin(p->from, &p->job, p->threads, work, p);
    for (uint32_t k = 0; k < p->groups; k++)
        p->progress[k].lane = k % p->lanes;
}

struct timing_pool *timing_pool_new(uint32_t threads, uint32_t groups, const struct timing_work *w,
                                    struct thread_pool *from)
{
    struct timing_pool *p = new_lines(1, sizeof *p);

    if (!p)
        return NULL;
    p->work = *w;
    p->threads = threads;
    p->groups = groups;
    p->from = from;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    p->lane = new_lines(threads, sizeof *p->lane);
    p->progress = new_lines(groups, sizeof *p->progress);
    p->group_of_lane = new_lines(threads, lane_bytes(groups));
    if (!p->lane || !p->progress || !p->group_of_lane) {
        timing_pool_free(p);
        return NULL;
    }
    p->halves = 1; /* the round before the first is over */
    for (uint32_t part = 0; part < TIMING_FARS; part++)
        p->far[part] = ENDED;
    for (uint32_t k = 0; k < threads; k++)
        p->lane[k].group = (void *)((char *)p->group_of_lane + k * lane_bytes(groups));
    return p;
}

void timing_pool_free(struct timing_pool *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, 1);
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    if (p->lanes && p->threads > 1 && p->from)
        thread_pool_end(p->from, &p->job);
    thread_pool_free(p->own);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->start);
    free(p->group_of_lane);
    free(p->progress);
    free(p->lane);
    free(p);
}

/* Rounds ----------------------------------------------------------------------------------------------------------- */

void timing_pool_run_alone(struct timing_pool *p, const uint32_t *group, uint32_t count)
{
    p->alone = true;
    for (uint32_t k = 0; k < count; k++)
        p->work.group(p->work.ctx, group[k], 0, 0);
    p->alone = false;
}

/* A thread that still looks at the round before may take something of this one as soon as its ticket is there, so that
 * tickets come last. */
static void share_round(struct timing_pool *p, const uint32_t *group, uint32_t count, uint32_t halves)
{
    uint32_t round = p->round + 1;

    if (!p->lanes)
        get_threads(p);
    p->group = group;
    for (uint32_t k = 0; k < p->lanes; k++)
        p->lane[k].groups = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct lane *l = &p->lane[p->progress[group[k]].lane];

        atomic_store_explicit(&l->group[l->groups++], group[k], memory_order_relaxed);
    }
    p->count = count;
    p->halves = halves;
    for (uint32_t part = 0; part < TIMING_FARS; part++)
        atomic_store_explicit(&p->far[part], (uint64_t)round * STAGES + (halves == 2 ? 0 : ENDED),
                              memory_order_release);
    atomic_store(&p->round, round);
    for (uint32_t k = 0; k < p->lanes; k++)
        for (uint32_t half = 0; half < 2; half++)
            atomic_store_explicit(&p->lane[k].half[half].next, ticket(round, half < halves ? p->lane[k].groups : 0),
                                  memory_order_release);
    wake_all(p);
    run_round(p, round, 0);
}

void timing_pool_run(struct timing_pool *p, const uint32_t *group, uint32_t count)
{
    share_round(p, group, count, 1);
}

void timing_pool_run_beside(struct timing_pool *p, const uint32_t *group, uint32_t count)
{
    share_round(p, group, count, 2);
}

void timing_pool_await_turn(struct timing_pool *p, uint32_t group, uint32_t thread)
{
    for (uint32_t k = 0, polls = 0; !p->alone && p->group[k] < group;) {
        if (has_reached(p, p->group[k], p->round, ENDED))
            k++;
        else if (run_far(p, TIMING_FAR_REST) || run_group(p, thread, p->round, 1, group, thread))
            polls = 0;
        else
            wait_a_moment(&polls);
    }
}
