/* Host threads that stay between launches: to start one costs as much as a small launch takes, to wake one a tenth of
 * that.
 *
 * A job is a number of tasks that may run at the same time. The caller does the first one itself; threads of the pool
 * are promised for the others, and started where too few are free. Any number of callers may use a pool at once.
 *
 * After a fork() the child has none of the threads; the pool starts new ones there.
 */
#ifndef GCNSIM_UTIL_THREAD_POOL_H
#define GCNSIM_UTIL_THREAD_POOL_H

#include <pthread.h>

typedef void thread_pool_task(void *ctx, unsigned index);

struct thread_pool;

/* A job between begin and end; the caller's memory. The members are the pool's. */
struct thread_job {
    thread_pool_task *task;
    void *ctx;
    struct thread_job *next;
    unsigned begun, count; /* tasks, the caller's included */
    unsigned running;      /* tasks of threads that have not returned */
    pthread_cond_t ended;
};

/* Null: out of host memory. No thread is started yet. */
struct thread_pool *thread_pool_new(void);
/* Waits for its threads, which have no task. Null is fine. */
void thread_pool_free(struct thread_pool *p);

/* Begins a job of up to `count` tasks: threads of the pool call task(ctx, 1) to task(ctx, n - 1). Returns n, which is
 * at least 1 and less than `count` where the host gives no more threads. The caller does the work of task 0 and then
 * calls thread_pool_end(). */
unsigned thread_pool_begin(struct thread_pool *p, struct thread_job *job, unsigned count, thread_pool_task *task,
                           void *ctx);
/* No task begins from now on; returns how many have begun, that of the caller included: those after them never will.
 */
unsigned thread_pool_close(struct thread_pool *p, struct thread_job *job);
/* Waits for the tasks that threads have begun. Those that no thread has begun by now are never called. */
void thread_pool_end(struct thread_pool *p, struct thread_job *job);

#endif
