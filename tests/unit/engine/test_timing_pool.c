/* The thread pool of the timing engine: every group goes through its halves once, the far side beside them when it may,
 * and groups that ask for it run in the order of their numbers, for any number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/engine/timing/clock/pool.h"
#include "sim/util/thread_pool.h"

enum { GROUPS = 37, ROUNDS = 160 };

enum kind { ALONE, SHARED, BESIDE, KINDS };

struct rounds {
    struct timing_pool *pool;
    uint32_t threads, count, step; /* groups 0, step, 2 * step .. */
    enum kind kind;
    _Atomic uint32_t runs[2][GROUPS]; /* per half */
    _Atomic uint32_t far[TIMING_FARS], first_halves;
    uint32_t order[2 * GROUPS], ordered; /* halves that have had their turn; written in turn, so by one at a time */
    uint32_t by_turns;                   /* every group whose number is a multiple asks for its turn; 0: none does */
    _Atomic uint32_t bad;
};

static void run_group(void *ctx, uint32_t group, uint32_t half, uint32_t thread)
{
    struct rounds *r = ctx;
    bool second =
        half && (r->kind != BESIDE || !atomic_load(&r->runs[0][group]) || !atomic_load(&r->far[TIMING_FAR_REST]));

    if (thread >= r->threads || second)
        atomic_fetch_add(&r->bad, 1);
    if (r->by_turns && group % r->by_turns == 0) {
        timing_pool_await_turn(r->pool, group, thread);
        r->order[r->ordered++] = 2 * group + half;
    }
    atomic_fetch_add(&r->runs[half][group], 1);
    if (!half)
        atomic_fetch_add(&r->first_halves, 1);
}

static void run_far(void *ctx, enum timing_far part)
{
    struct rounds *r = ctx;

    if (part == TIMING_FAR_FIRST &&
        !(atomic_load(&r->far[TIMING_FAR_REST]) && atomic_load(&r->first_halves) == r->count))
        atomic_fetch_add(&r->bad, 1);
    atomic_fetch_add(&r->far[part], 1);
}

static void one_round(struct rounds *r)
{
    static void (*const run[KINDS])(struct timing_pool *, const uint32_t *,
                                    uint32_t) = {timing_pool_run_alone, timing_pool_run, timing_pool_run_beside};
    uint32_t group[GROUPS], halves = r->kind == BESIDE ? 2 : 1, asked = 0;

    r->ordered = 0;
    atomic_store(&r->first_halves, 0);
    for (uint32_t k = 0; k < GROUPS; k++)
        for (uint32_t half = 0; half < 2; half++)
            atomic_store(&r->runs[half][k], 0);
    for (uint32_t part = 0; part < TIMING_FARS; part++)
        atomic_store(&r->far[part], 0);
    for (uint32_t k = 0; k < r->count; k++)
        group[k] = k * r->step;
    run[r->kind](r->pool, group, r->count);
    for (uint32_t k = 0; k < GROUPS; k++)
        for (uint32_t half = 0; half < 2; half++)
            assert_int_equal(atomic_load(&r->runs[half][k]),
                             k % r->step == 0 && k / r->step < r->count && half < halves);
    for (uint32_t part = 0; part < TIMING_FARS; part++)
        assert_int_equal(atomic_load(&r->far[part]), r->kind == BESIDE);
    for (uint32_t k = 0; k < r->count; k++)
        asked += r->by_turns && group[k] % r->by_turns == 0;
    assert_int_equal(r->ordered, asked * halves);
    for (uint32_t k = 1; k < r->ordered; k++)
        assert_true(r->order[k - 1] < r->order[k]);
}

/* Rounds of all lengths and kinds, of all groups and of every third one. */
static void every_group_once(struct thread_pool *from)
{
    static const uint32_t turns[] = {0, 1, 5};

    for (uint32_t threads = 1; threads <= 4; threads++)
        for (unsigned t = 0; t < sizeof turns / sizeof *turns; t++) {
            struct rounds r = {.threads = threads, .by_turns = turns[t]};

            r.pool = timing_pool_new(threads, GROUPS, &(struct timing_work){&r, run_group, run_far}, from);
            assert_non_null(r.pool);
            for (uint32_t n = 0; n < ROUNDS; n++) {
                r.kind = n % 4 == 3 ? ALONE : n % 4 ? BESIDE : SHARED;
                r.step = n % 7 ? 1 : 3;
                r.count = n % (GROUPS / r.step + 1);
                one_round(&r);
            }
            assert_int_equal(atomic_load(&r.bad), 0);
            timing_pool_free(r.pool);
        }
}

static void with_threads_of_its_own(void **state)
{
    (void)state;
    every_group_once(NULL);
}

/* The threads stay for the next pool. */
static void with_threads_that_stay(void **state)
{
    struct thread_pool *from = thread_pool_new();

    (void)state;
    assert_non_null(from);
    every_group_once(from);
    thread_pool_free(from);
}

static void nothing_to_do(void **state)
{
    struct rounds r = {.threads = 2, .kind = SHARED, .step = 1};

    (void)state;
    r.pool = timing_pool_new(2, 0, &(struct timing_work){&r, run_group, run_far}, NULL);
    assert_non_null(r.pool);
    one_round(&r);
    timing_pool_free(r.pool);
    timing_pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_threads_of_its_own),
        cmocka_unit_test(with_threads_that_stay),
        cmocka_unit_test(nothing_to_do),
    };

    return cmocka_run_group_tests_name("threads of the timing engine", tests, NULL, NULL);
}
