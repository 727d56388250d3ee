/* The primitives of timing models: fifo, pipe, arbiter, and the arena they live in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/util/arbiter.h"
#include "sim/util/arena.h"
#include "sim/util/fifo.h"
#include "sim/util/pipe.h"

static void fifo_keeps_order_and_bounds(void **state)
{
    uint64_t mem[3];
    struct fifo f;

    (void)state;
    fifo_init(&f, mem, sizeof mem[0], 3);
    assert_true(fifo_is_idle(&f));
    assert_null(fifo_front(&f));
    assert_int_equal(fifo_free_entries(&f), 3);
    uint64_t in = 0, out = 0;
    /* uneven pushes and pops walk the ring around its end several times */
    for (int round = 0; round < 20; round++) {
        while (fifo_can_accept(&f)) {
            fifo_accept(&f, &in);
            in++;
        }
        assert_int_equal(f.count, 3);
        assert_int_equal(*(uint64_t *)fifo_at(&f, 2), in - 1);
        for (int k = 0; k < 1 + round % 3; k++) {
            assert_int_equal(*(uint64_t *)fifo_front(&f), out);
            fifo_pop(&f);
            out++;
        }
    }
    assert_int_equal(in - out, f.count);
    assert_int_equal(fifo_free_entries(&f), 3 - f.count);
}

FIFO_OF(numbers, uint32_t)

/* The next of a sequence of numbers below n; the upper half of a linear congruence. */
static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

/* Both kinds of queue, from the first span to the whole capacity, with the oldest element in any slot when they widen.
 */
static void fifos_widen_as_they_fill(void **state)
{
    static const uint32_t capacities[] = {1, 15, 16, 17, 31, 33, 100};
    uint64_t seed = 1;

    (void)state;
    for (int round = 0; round < 50; round++)
        for (size_t k = 0; k < sizeof capacities / sizeof capacities[0]; k++) {
            uint32_t capacity = capacities[k], mem[100], in = 0, out = 0;
            struct numbers q = {0};
            struct arena arena;
            struct fifo f;

            arena_init(&arena, 0);
            fifo_init(&f, mem, sizeof mem[0], capacity);
            assert_true(numbers_init(&q, &arena, capacity));
            for (uint32_t level = 1; level <= capacity; level += 1 + below(&seed, 9)) {
                while (in - out < level) {
                    fifo_accept(&f, &in);
                    *numbers_push(&q, capacity) = in++;
                }
                for (uint32_t n = below(&seed, level + 1); n; n--) {
                    assert_int_equal(*(uint32_t *)fifo_front(&f), out);
                    assert_int_equal(*numbers_front(&q), out++);
                    fifo_pop(&f);
                    numbers_pop(&q);
                }
                assert_int_equal(f.count, in - out);
                assert_int_equal(q.count, in - out);
                for (uint32_t i = 0; i < in - out; i++) {
                    assert_int_equal(*(uint32_t *)fifo_at(&f, i), out + i);
                    assert_int_equal(*numbers_at(&q, i), out + i);
                }
            }
            assert_true(q.span <= capacity);
            arena_free(&arena);
        }
}

/* One that stays short does not go on to other slots. */
static void a_short_fifo_keeps_its_slots(void **state)
{
    uint32_t mem[1000] = {0};
    struct fifo f;

    (void)state;
    fifo_init(&f, mem, sizeof mem[0], 1000);
    for (uint32_t n = 1; n < 5000; n++) {
        fifo_accept(&f, &n);
        if (f.count > 8)
            fifo_pop(&f);
    }
    for (uint32_t k = fifo_first_span(1000); k < 1000; k++)
        assert_int_equal(mem[k], 0);
}

static void pipe_latency_and_interval_are_exact(void **state)
{
    struct pipe_slot slots[8];
    struct pipe p;
    uint64_t v = 0;

    (void)state;
    pipe_init(&p, slots, 8);
    assert_true(pipe_is_idle(&p));
    assert_int_equal(pipe_next_event(&p), CYCLE_NEVER);
    assert_true(pipe_can_accept(&p, 10));
    assert_int_equal(pipe_accept(&p, 10, 77, 5, 4), 15);
    assert_false(pipe_can_accept(&p, 10));
    assert_false(pipe_can_accept(&p, 13));
    assert_true(pipe_can_accept(&p, 14));
    assert_int_equal(pipe_accept(&p, 14, 78, 5, 4), 19);
    assert_int_equal(pipe_next_event(&p), 15);
    assert_false(pipe_pop_ready(&p, 14, &v));
    assert_true(pipe_pop_ready(&p, 15, &v));
    assert_int_equal(v, 77);
    assert_false(pipe_pop_ready(&p, 18, &v));
    assert_true(pipe_pop_ready(&p, 19, NULL));
    assert_true(pipe_is_idle(&p));
}

static void pipe_stays_in_order_and_bounded(void **state)
{
    struct pipe_slot slots[2];
    struct pipe p;
    uint64_t v = 0;

    (void)state;
    pipe_init(&p, slots, 2);
    assert_int_equal(pipe_accept(&p, 0, 1, 10, 0), 10);
    /* interval 0: again in the same cycle; the short one waits for the long one */
    assert_int_equal(pipe_accept(&p, 0, 2, 1, 0), 10);
    assert_false(pipe_can_accept(&p, 0));
    assert_false(pipe_can_accept(&p, 10));
    assert_true(pipe_pop_ready(&p, 10, &v));
    assert_int_equal(v, 1);
    assert_true(pipe_can_accept(&p, 10));
    assert_true(pipe_pop_ready(&p, 10, &v));
    assert_int_equal(v, 2);
}

static void arbiter_oldest(void **state)
{
    uint64_t stamp[64] = {0};

    (void)state;
    stamp[3] = 9;
    stamp[5] = 4;
    stamp[63] = 4;
    assert_int_equal(arbiter_pick_oldest(0, stamp), -1);
    assert_int_equal(arbiter_pick_oldest(1u << 3, stamp), 3);
    assert_int_equal(arbiter_pick_oldest((UINT64_C(1) << 63) | 1u << 3 | 1u << 5, stamp), 5);
    assert_int_equal(arbiter_pick_oldest((UINT64_C(1) << 63) | 1u << 3, stamp), 63);
}

/* What is kept is zero again when it is given anew, is counted while it is in use alone, and is bounded. */
static void arena_keeps_blocks(void **state)
{
    struct budget budget;
    struct arena a;
    uint8_t *small[2], *large[2];

    (void)state;
    budget_init(&budget, UINT64_MAX);
    arena_init(&a, 4096);
    a.budget = &budget;
    for (int round = 0; round < 2; round++) {
        small[round] = arena_alloc(&a, 100, 1, 8);
        large[round] = arena_alloc(&a, 1 << 20, 1, 64);
        assert_non_null(small[round]);
        assert_non_null(large[round]);
        assert_int_equal(a.used_bytes, 100 + (1 << 20));
        assert_true(budget.held >= a.used_bytes);
        for (size_t k = 0; k < 1 << 20; k++)
            assert_int_equal(large[round][k], 0);
        for (size_t k = 0; k < 100; k++)
            assert_int_equal(small[round][k], 0);
        memset(small[round], 0xaa, 100);
        memset(large[round], 0x55, 1 << 20);
        arena_reset(&a, 2 << 20);
        assert_int_equal(budget.held, 0);
    }
    assert_ptr_equal(small[0], small[1]);
    assert_ptr_equal(large[0], large[1]);
    assert_non_null(a.spare);
    assert_non_null(arena_alloc(&a, 1 << 20, 1, 64));
    arena_reset(&a, 8192); /* too little for the large one */
    assert_non_null(a.spare);
    arena_free(&a);
    assert_null(a.spare);
    assert_null(a.blocks);
}

static void arena_aligns_zeroes_and_survives_overflow(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 4096);
    for (size_t align = 1; align <= ARENA_MAX_ALIGN; align *= 2)
        for (size_t n = 0; n < 3000; n = n * 3 + 1) {
            uint8_t *p = arena_alloc(&a, n, 1, align);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % align, 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, n); /* a later overlap would not be zero */
        }
    size_t used = a.used_bytes;
    assert_null(arena_alloc(&a, SIZE_MAX, 2, 8));
    assert_null(arena_alloc(&a, SIZE_MAX / 2 + 1, 2, 8));
    assert_null(arena_alloc(&a, SIZE_MAX, 1, 4096));
    assert_null(arena_alloc(&a, PTRDIFF_MAX, 1, 4096));
    assert_int_equal(a.used_bytes, used);
    arena_free(&a);
    assert_null(a.blocks);
    assert_non_null(ARENA_NEW(&a, 1, uint64_t));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifo_keeps_order_and_bounds),
        cmocka_unit_test(fifos_widen_as_they_fill),
        cmocka_unit_test(a_short_fifo_keeps_its_slots),
        cmocka_unit_test(pipe_latency_and_interval_are_exact),
        cmocka_unit_test(pipe_stays_in_order_and_bounded),
        cmocka_unit_test(arbiter_oldest),
        cmocka_unit_test(arena_aligns_zeroes_and_survives_overflow),
        cmocka_unit_test(arena_keeps_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
