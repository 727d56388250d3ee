/* What a dispatcher still holds of a dispatch that has been taken out (sim/engine/timing/clock/dispatcher.h).
 * tests/timing/test_dispatch.c has workgroups over compute units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/timing/clock/dispatcher.h"

enum { SLOTS = 4 };

/* Three dispatches in flight, each with its stack of scratch slots, on one compute unit. */
struct bench {
    struct profile profile;
    struct cu_context x;
    struct cu cu;
    struct cu_release release[8];
    struct timing_dispatch t[3];
    uint32_t scratch[3][SLOTS], full;
    struct dispatcher d;
};

static struct bench *bench(void)
{
    static struct bench b;

    memset(&b, 0, sizeof b);
    b.x.profile = &b.profile;
    fifo_init(&b.x.releases, b.release, sizeof *b.release, 8);
    b.cu.engine_full = &b.full;
    b.cu.simd[0].waves = SLOTS;
    for (unsigned k = 0; k < 3; k++) {
        b.t[k].scratch = b.scratch[k];
        b.t[k].next = k < 2 ? &b.t[k + 1] : NULL;
    }
    b.d = (struct dispatcher){.x = &b.x, .cu = &b.cu, .oldest = &b.t[0]};
    return &b;
}

/* A wave of a dispatch has ended: its slots are free again in a cycle to come. */
static void release(struct bench *b, struct timing_dispatch *of, uint32_t scratch_slot, cycle_t at)
{
    struct cu_release r = {.at = at, .cu = &b->cu, .of = of, .scratch_slot = scratch_slot, .wave = true};

    fifo_accept(&b->x.releases, &r);
}

/* Releases that are on their way when a dispatch goes find its compute unit and leave its memory, which is freed,
 * alone; those of others find theirs. */
static void releases_outlive_their_dispatch(void **state)
{
    struct bench *b = bench();

    (void)state;
    release(b, &b->t[1], 11, 10);
    release(b, &b->t[0], 22, 10);
    release(b, &b->t[1], 33, 20);
    release(b, &b->t[2], 44, 20);
    dispatcher_remove(&b->d, &b->t[1]);
    assert_int_equal(b->x.releases.count, 4);
    assert_int_equal(cu_releases_take(&b->x, 10), 20);
    assert_int_equal(cu_releases_take(&b->x, 20), CYCLE_NEVER);
    assert_int_equal(b->cu.simd[0].waves, 0);
    assert_int_equal(b->t[1].scratch_free, 0);
    assert_int_equal(b->scratch[1][0], 0);
    assert_int_equal(b->t[0].scratch_free, 1);
    assert_int_equal(b->scratch[0][0], 22);
    assert_int_equal(b->t[2].scratch_free, 1);
    assert_int_equal(b->scratch[2][0], 44);
}

/* The others stay in their order, whichever goes, and what is known to be full of it is forgotten. */
static void others_stay_in_order(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct bench *b = bench();
        struct timing_dispatch *first = &b->t[k == 0], *second = &b->t[k == 2 ? 1 : 2];

        b->d.full_of = &b->t[k];
        dispatcher_remove(&b->d, &b->t[k]);
        assert_ptr_equal(b->d.oldest, first);
        assert_ptr_equal(first->next, second);
        assert_null(second->next);
        assert_null(b->d.full_of);
        b->d.full_of = first;
        dispatcher_remove(&b->d, second);
        assert_ptr_equal(b->d.full_of, first);
        assert_ptr_equal(b->d.oldest, first);
        assert_null(first->next);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_outlive_their_dispatch),
        cmocka_unit_test(others_stay_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
