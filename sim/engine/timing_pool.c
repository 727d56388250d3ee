#include "sim/engine/timing_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SPINS      2000  /* looks at what is awaited before the host is asked to run others */
#define IDLE_SPINS 10000 /* the same between rounds: more than what the caller does there takes as a rule */
#define YIELDS     50    /* times it is asked to before the thread sleeps */

enum task_state { TASK_DONE, TASK_OFFERED, TASK_TAKEN };

struct timing_pool {
    timing_pool_task *task;
    void *ctx;
    uint32_t count;          /* tasks of the round */
    _Atomic uint32_t left;   /* those not done */
    _Atomic int open;        /* they are all on offer */
    _Atomic uint32_t inside; /* threads that look for tasks, the caller aside */
    _Atomic uint32_t round, sleepers;
    _Atomic uint32_t begun; /* threads that have a number */
    _Atomic int quit;
    _Atomic uint8_t *state; /* per task */
    uint32_t *owner;        /* per task: the thread to take it */
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t *thread;
    uint32_t threads; /* beside the caller's */
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Does a task if it is still to be had. */
static void try_task(struct timing_pool *p, uint32_t index, uint32_t thread)
{
    uint8_t offered = TASK_OFFERED;

    if (atomic_load_explicit(&p->state[index], memory_order_relaxed) != TASK_OFFERED ||
        !atomic_compare_exchange_strong(&p->state[index], &offered, TASK_TAKEN))
        return;
    p->task(p->ctx, index, thread);
    atomic_store_explicit(&p->state[index], TASK_DONE, memory_order_release);
    atomic_fetch_sub(&p->left, 1);
}

/* A thread's own tasks, then those that others have not come to. */
static void take_tasks(struct timing_pool *p, uint32_t thread)
{
    for (uint32_t k = 0; k < p->count; k++)
        if (p->owner[k] == thread)
            try_task(p, k, thread);
    for (uint32_t k = 0; k < p->count; k++)
        try_task(p, k, thread);
}

/* The same for a thread that may come late. A round is prepared when nobody is inside: who looks for tasks sees all of
 * them, and none of another round. */
static void join_round(struct timing_pool *p, uint32_t thread)
{
    atomic_fetch_add(&p->inside, 1);
    if (atomic_load(&p->open))
        take_tasks(p, thread);
    atomic_fetch_sub(&p->inside, 1);
}

static void spin_until_zero(_Atomic uint32_t *v)
{
    for (uint32_t n = 0; atomic_load(v); n++) {
        if (n < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
}

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
        pthread_cond_wait(&p->work, &p->lock);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->lock);
    return atomic_load(&p->round);
}

static void *work(void *arg)
{
    struct timing_pool *p = arg;
    uint32_t thread = atomic_fetch_add(&p->begun, 1) + 1;

    for (uint32_t round = 0; !atomic_load(&p->quit);) {
        round = await_round(p, round);
        join_round(p, thread);
    }
    return NULL;
}

struct timing_pool *timing_pool_new(uint32_t threads, uint32_t max_tasks, timing_pool_task *task, void *ctx)
{
    struct timing_pool *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->task = task;
    p->ctx = ctx;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    p->state = calloc(max_tasks ? max_tasks : 1, sizeof *p->state);
    p->owner = calloc(max_tasks ? max_tasks : 1, sizeof *p->owner);
    p->thread = calloc(threads, sizeof *p->thread);
    if (!p->state || !p->owner || !p->thread) {
        timing_pool_free(p);
        return NULL;
    }
    while (p->threads + 1 < threads && !pthread_create(&p->thread[p->threads], NULL, work, p))
        p->threads++;
    return p;
}

static void wake_all(struct timing_pool *p)
{
    if (!atomic_load(&p->sleepers))
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
}

void timing_pool_free(struct timing_pool *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, 1);
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (uint32_t k = 0; k < p->threads; k++)
        pthread_join(p->thread[k], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    free(p->thread);
    free((void *)p->state);
    free(p->owner);
    free(p);
}

void timing_pool_run(struct timing_pool *p, uint32_t count, const uint32_t *home, bool parallel)
{
    parallel = parallel && p->threads;
    p->count = count;
    for (uint32_t k = 0; k < count; k++) {
        p->owner[k] = parallel ? home[k] % (p->threads + 1) : 0;
        atomic_store_explicit(&p->state[k], TASK_OFFERED, memory_order_relaxed);
    }
    atomic_store(&p->left, count);
    if (parallel) {
        atomic_store(&p->open, 1);
        atomic_fetch_add(&p->round, 1);
        wake_all(p);
    }
    take_tasks(p, 0);
    spin_until_zero(&p->left);
    if (parallel) {
        atomic_store(&p->open, 0);
        spin_until_zero(&p->inside);
    }
}

void timing_pool_await_turn(struct timing_pool *p, uint32_t index)
{
    for (uint32_t k = 0, n = 0; k < index;) {
        if (atomic_load_explicit(&p->state[k], memory_order_acquire) == TASK_DONE) {
            k++;
            continue;
        }
        if (n++ < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
}
