/* Host threads that stay between launches: each task runs once, on a thread of its own, for any number of callers, and
 * in the child of a fork.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/util/thread_pool.h"

enum { MOST = 16, ROUNDS = 400, CALLERS = 4 };

struct tasks {
    _Atomic unsigned runs[MOST], inside, met;
    unsigned meet; /* tasks that wait for one another */
};

static void run_task(void *ctx, unsigned index)
{
    struct tasks *t = ctx;

    atomic_fetch_add(&t->runs[index], 1);
    atomic_fetch_add(&t->met, 1);
    while (atomic_load(&t->met) < t->meet)
        sched_yield();
}

/* A job whose tasks all run at the same time; returns how many there were. */
static unsigned meeting(struct thread_pool *p, unsigned count)
{
    struct tasks t = {.meet = 0};
    struct thread_job job;

    t.meet = count; /* as many threads as that can be had here */
    unsigned n = thread_pool_begin(p, &job, count, run_task, &t);
    assert_int_equal(n, count);
    run_task(&t, 0);
    thread_pool_end(p, &job);
    for (unsigned k = 0; k < MOST; k++)
        assert_int_equal(atomic_load(&t.runs[k]), k < count);
    return n;
}

/* All tasks of a job run at once, whatever ran before, each once. */
static void tasks_run_at_once(void **state)
{
    struct thread_pool *p = thread_pool_new();

    (void)state;
    assert_non_null(p);
    for (unsigned n = 0; n < ROUNDS; n++)
        assert_int_equal(meeting(p, 1 + n % MOST), 1 + n % MOST);
    thread_pool_free(p);
}

/* A task that no thread has begun when the caller is through is not called later. */
static void late_tasks_are_dropped(void **state)
{
    struct thread_pool *p = thread_pool_new();
    unsigned total = 0;

    (void)state;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct tasks t = {.meet = 0};
        struct thread_job job;

        thread_pool_begin(p, &job, MOST, run_task, &t);
        unsigned closed = thread_pool_close(p, &job);
        thread_pool_end(p, &job);
        unsigned begun = atomic_load(&t.met);
        assert_int_equal(closed, begun + 1); /* the caller's, too */
        assert_int_equal(atomic_load(&t.runs[0]), 0);
        assert_in_range(begun, 0, MOST - 1);
        for (unsigned k = 1; k < MOST; k++) /* those that have begun are the first ones, and have ended */
            assert_int_equal(atomic_load(&t.runs[k]), k <= begun);
        total += begun;
    }
    assert_in_range(total, 0, ROUNDS * (MOST - 1));
    meeting(p, MOST);
    thread_pool_free(p);
}

static void *call(void *pool)
{
    for (unsigned n = 0; n < ROUNDS; n++)
        meeting(pool, 1 + n % 5);
    return NULL;
}

/* Callers on several threads get the threads that they have been promised, or theirs would wait for ever. */
static void several_callers(void **state)
{
    struct thread_pool *p = thread_pool_new();
    pthread_t caller[CALLERS];

    (void)state;
    for (unsigned k = 0; k < CALLERS; k++)
        assert_int_equal(pthread_create(&caller[k], NULL, call, p), 0);
    for (unsigned k = 0; k < CALLERS; k++)
        pthread_join(caller[k], NULL);
    thread_pool_free(p);
}

/* The child of a fork has no threads, and gets new ones. */
static void child_of_a_fork(void **state)
{
    struct thread_pool *p;
    int status;

    (void)state;
#ifdef __SANITIZE_THREAD__
    print_message("skipped: ThreadSanitizer allows no threads in the child of a fork\n");
    skip();
#endif
    p = thread_pool_new();
    meeting(p, MOST);
    pid_t child = fork();
    if (!child) {
        meeting(p, MOST);
        thread_pool_free(p);
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    meeting(p, MOST);
    child = fork();
    if (!child) {
        thread_pool_free(p); /* without a job there */
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    thread_pool_free(p);
}

static void none_to_free(void **state)
{
    (void)state;
    thread_pool_free(NULL);
    thread_pool_free(thread_pool_new());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_run_at_once), cmocka_unit_test(late_tasks_are_dropped),
        cmocka_unit_test(several_callers),   cmocka_unit_test(child_of_a_fork),
        cmocka_unit_test(none_to_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
