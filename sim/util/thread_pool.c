/* Host threads that stay between launches, and the queue of the jobs that they take tasks from. */
#include "sim/util/thread_pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define WAKES 2 /* threads that one which begins a task wakes */

struct pool_thread {
    pthread_t id;
    struct pool_thread *next;
};

struct thread_pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct thread_job *first, **last; /* jobs with tasks that nobody has begun, the oldest first */
    struct pool_thread *threads;
    unsigned count, promised; /* threads, and tasks of jobs in flight that are theirs */
    bool quit;
    pid_t process; /* that the threads are in */
};

static void init_sync(struct thread_pool *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    p->last = &p->first;
    p->process = getpid();
}

struct thread_pool *thread_pool_new(void)
{
    struct thread_pool *p = calloc(1, sizeof *p);

    if (p)
        init_sync(p);
    return p;
}

static void forget_threads(struct thread_pool *p)
{
    while (p->threads) {
        struct pool_thread *t = p->threads;

        p->threads = t->next;
        free(t);
    }
}

/* In the child of a fork() the threads, and whatever they held, are gone. */
static void begin_anew(struct thread_pool *p)
{
    forget_threads(p);
    *p = (struct thread_pool){0};
    init_sync(p);
}

void thread_pool_free(struct thread_pool *p)
{
    if (!p)
        return;
    if (p->process != getpid())
        begin_anew(p);
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (struct pool_thread *t = p->threads; t; t = t->next)
        pthread_join(t->id, NULL);
    forget_threads(p);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void unlink_job(struct thread_pool *p, struct thread_job *job)
{
    struct thread_job **at = &p->first;

    while (*at && *at != job)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = job->next;
    if (!*at)
        p->last = at;
}

/* Tasks of the oldest job that nobody has begun; others are looked at when it has none. */
static unsigned tasks_left(const struct thread_pool *p)
{
    return p->first ? p->first->count - p->first->begun : 0;
}

/* Runs a task of the oldest job; under the lock, but for the task itself. */
static void run_task(struct thread_pool *p)
{
    struct thread_job *job = p->first;
    unsigned index = job->begun++, woken = 0;

    job->running++;
    if (job->begun == job->count)
        unlink_job(p, job);
    /* each thread wakes two others, so that the caller need not wake all, and many come soon */
    for (unsigned left = tasks_left(p); left && woken < WAKES; left--, woken++)
        pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
    job->task(job->ctx, index);
    pthread_mutex_lock(&p->lock);
    if (!--job->running)
        pthread_cond_signal(&job->ended);
}

static void *serve(void *pool)
{
    struct thread_pool *p = pool;

    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        if (p->first)
            run_task(p);
        else
            pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static bool start_thread(struct thread_pool *p)
{
    struct pool_thread *t = malloc(sizeof *t);

    if (!t || pthread_create(&t->id, NULL, serve, p)) {
        free(t);
        return false;
    }
    t->next = p->threads;
    p->threads = t;
    p->count++;
    return true;
}

unsigned thread_pool_begin(struct thread_pool *p, struct thread_job *job, unsigned count, thread_pool_task *task,
                           void *ctx)
{
    *job = (struct thread_job){.task = task, .ctx = ctx, .begun = 1, .count = count};
    pthread_cond_init(&job->ended, NULL);
    if (p->process != getpid())
        begin_anew(p);
    pthread_mutex_lock(&p->lock);
    while (p->promised + job->count - 1 > p->count && start_thread(p))
        ;
    if (p->promised + job->count - 1 > p->count)
        job->count = p->count - p->promised + 1;
    p->promised += job->count - 1;
    if (job->count > 1) {
        *p->last = job;
        p->last = &job->next;
        pthread_cond_signal(&p->work);
    }
    pthread_mutex_unlock(&p->lock);
    return job->count;
}

unsigned thread_pool_close(struct thread_pool *p, struct thread_job *job)
{
    pthread_mutex_lock(&p->lock);
    unlink_job(p, job);
    unsigned begun = job->begun;
    pthread_mutex_unlock(&p->lock);
    return begun;
}

void thread_pool_end(struct thread_pool *p, struct thread_job *job)
{
    pthread_mutex_lock(&p->lock);
    unlink_job(p, job);
    while (job->running)
        pthread_cond_wait(&job->ended, &p->lock);
    p->promised -= job->count - 1;
    pthread_mutex_unlock(&p->lock);
    pthread_cond_destroy(&job->ended);
}
