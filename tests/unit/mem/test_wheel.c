/* The timing wheel of a cache's channels beside a plain list of their cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/cache/wheel.h"

enum { MAX_CHANNELS = 130, STEPS = 20000 };

/* Below n; the upper half of a linear congruence. */
static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

static cycle_t first_of(const cycle_t *wake, uint32_t channels)
{
    cycle_t first = CYCLE_NEVER;

    for (uint32_t i = 0; i < channels; i++)
        first = wake[i] < first ? wake[i] : first;
    return first;
}

/* When a channel has work after a tick in cycle `now`: soon, beyond the wheel, or never by itself. */
static cycle_t some_cycle(uint64_t *state, cycle_t now)
{
    static const uint32_t range[] = {3, 40, CACHE_WHEEL_CYCLES + 2, 1000};
    uint32_t kind = below(state, 5);

    return kind == 4 ? CYCLE_NEVER : now + 1 + below(state, range[kind]);
}

/* Ticks the channels that are due as a cache does; they are those of the list. */
static void tick(struct cache_wheel *w, cycle_t *wake, uint32_t channels, cycle_t now, uint64_t *state)
{
    cache_wheel_advance(w, channels, now);
    for (uint32_t word = 0; word < w->words; word++)
        for (uint64_t m = cache_wheel_take(w, now, word); m; m &= m - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(m);

            if (w->wake[i] > now)
                continue;
            assert_true(wake[i] <= now);
            wake[i] = some_cycle(state, now);
            cache_wheel_put(w, i, wake[i]);
        }
    assert_true(first_of(wake, channels) > now);
}

static void channels_are_due_in_their_cycles(void **state)
{
    static const uint32_t channels[] = {2, 16, 64, 65, MAX_CHANNELS};

    (void)state;
    for (size_t k = 0; k < sizeof channels / sizeof channels[0]; k++) {
        uint64_t seed = k + 1;
        cycle_t wake[MAX_CHANNELS], now = 0;
        struct cache_wheel w = {0};
        struct arena arena;

        arena_init(&arena, 0);
        assert_true(cache_wheel_init(&w, channels[k], &arena));
        for (uint32_t i = 0; i < channels[k]; i++)
            wake[i] = CYCLE_NEVER;
        for (int n = 0; n < STEPS; n++) {
            cycle_t next = cache_wheel_next(&w);

            assert_int_equal(next, first_of(wake, channels[k]));
            /* others wake a channel before its cycle, some in the present one, which has been ticked */
            for (uint32_t i = below(&seed, channels[k]), at = below(&seed, 6); i < channels[k]; i += 7)
                if (wake[i] > now + at) {
                    wake[i] = now + at;
                    cache_wheel_put(&w, i, wake[i]);
                }
            next = cache_wheel_next(&w);
            assert_int_equal(next, first_of(wake, channels[k]));
            if (next == CYCLE_NEVER)
                continue;
            /* mostly in that cycle, at times early or late */
            now = below(&seed, 8) ? next : now + below(&seed, below(&seed, 20) ? 5 : 400);
            tick(&w, wake, channels[k], now, &seed);
        }
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(channels_are_due_in_their_cycles)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
