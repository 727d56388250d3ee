/* The thread pool of the timing engine: every task runs once, and tasks that ask for it run in the order of their
 * numbers, for any number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/engine/timing/clock/pool.h"

enum { TASKS = 37, ROUNDS = 120 };

struct rounds {
    struct timing_pool *pool;
    uint32_t threads;
    _Atomic uint32_t runs[TASKS];
    uint32_t order[TASKS], ordered; /* tasks that have had their turn; written in turn, so by one thread at a time */
    uint32_t by_turns;              /* every task of which the number is a multiple asks for its turn; 0: none does */
    _Atomic uint32_t bad;
};

static void run_task(void *ctx, uint32_t index, uint32_t thread)
{
    struct rounds *r = ctx;

    if (thread >= r->threads)
        atomic_fetch_add(&r->bad, 1);
    if (r->by_turns && index % r->by_turns == 0) {
        timing_pool_await_turn(r->pool, index);
        r->order[r->ordered++] = index;
    }
    atomic_fetch_add(&r->runs[index], 1);
}

static void one_round(struct rounds *r, uint32_t count, bool parallel)
{
    r->ordered = 0;
    for (uint32_t k = 0; k < TASKS; k++)
        atomic_store(&r->runs[k], 0);
    timing_pool_run(r->pool, count, parallel);
    for (uint32_t k = 0; k < TASKS; k++)
        assert_int_equal(atomic_load(&r->runs[k]), k < count);
    for (uint32_t k = 0; k < r->ordered; k++)
        assert_int_equal(r->order[k], k * r->by_turns);
    assert_int_equal(r->ordered, r->by_turns ? (count + r->by_turns - 1) / r->by_turns : 0);
}

/* Rounds of all lengths, shared out and not. */
static void every_task_once(void **state)
{
    static const uint32_t turns[] = {0, 1, 5};

    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (unsigned t = 0; t < sizeof turns / sizeof *turns; t++) {
            struct rounds r = {.threads = threads, .by_turns = turns[t]};

            r.pool = timing_pool_new(threads, TASKS, run_task, &r);
            assert_non_null(r.pool);
            for (uint32_t n = 0; n < ROUNDS; n++)
                one_round(&r, n % (TASKS + 1), n % 4 != 3);
            assert_int_equal(atomic_load(&r.bad), 0);
            timing_pool_free(r.pool);
        }
}

static void nothing_to_do(void **state)
{
    struct rounds r = {.threads = 2};

    (void)state;
    r.pool = timing_pool_new(2, 0, run_task, &r);
    assert_non_null(r.pool);
    timing_pool_run(r.pool, 0, true);
    timing_pool_free(r.pool);
    timing_pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(nothing_to_do),
    };

    return cmocka_run_group_tests_name("threads of the timing engine", tests, NULL, NULL);
}
