/* Host threads that share numbered tasks: tickets, rounds, and waiting by spinning first and sleeping then. */
#include "sim/engine/timing/clock/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SPINS      2000  /* polls of a condition before the thread yields its processor */
#define IDLE_SPINS 10000 /* the same between rounds: longer than the caller's work there as a rule */
#define YIELDS     50    /* before it sleeps */

struct timing_pool {
    timing_pool_task *task;
    void *ctx;
    _Atomic uint64_t tickets; /* count of the round << 32 | next task */
    _Atomic uint32_t left;    /* tasks not done */
    _Atomic uint32_t round, sleepers;
    _Atomic uint32_t begun; /* threads that have a number */
    _Atomic int quit;
    _Atomic uint8_t *done; /* per task */
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

static void take_tasks(struct timing_pool *p, uint32_t thread)
{
    for (;;) {
        uint64_t ticket = atomic_fetch_add(&p->tickets, 1);
        uint32_t index = (uint32_t)ticket;

        if (index >= ticket >> 32)
            return;
        p->task(p->ctx, index, thread);
        atomic_store_explicit(&p->done[index], 1, memory_order_release);
        atomic_fetch_sub(&p->left, 1);
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
        take_tasks(p, thread);
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
    p->done = calloc(max_tasks ? max_tasks : 1, sizeof *p->done);
    p->thread = calloc(threads, sizeof *p->thread);
    if (!p->done || !p->thread) {
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
    free((void *)p->done);
    free(p);
}

void timing_pool_run(struct timing_pool *p, uint32_t count, bool parallel)
{
    for (uint32_t k = 0; k < count; k++)
        atomic_store_explicit(&p->done[k], 0, memory_order_relaxed);
    atomic_store(&p->left, count);
    atomic_store(&p->tickets, (uint64_t)count << 32);
    if (parallel && p->threads) {
        atomic_fetch_add(&p->round, 1);
        wake_all(p);
    }
    take_tasks(p, 0);
    for (uint32_t n = 0; atomic_load(&p->left); n++) {
        if (n < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
}

void timing_pool_await_turn(struct timing_pool *p, uint32_t index)
{
    for (uint32_t k = 0, n = 0; k < index;) {
        if (atomic_load_explicit(&p->done[k], memory_order_acquire)) {
            k++;
            continue;
        }
        if (n++ < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
}
