/* A timing wheel of the channels of a cache: which of them is to be ticked in which cycle, so that a tick looks at
 * those that are due and not at all that wait for something.
 *
 * It has a mask of channels for each of CACHE_WHEEL_CYCLES cycles, beginning with that of the last tick. A channel
 * whose cycle (wake[]) is among them has its bit there; others have one in `beyond`. A bit elsewhere means nothing: the
 * channel has been woken earlier, and ticked, since it was set.
 */
#ifndef GCNSIM_MEM_CACHE_WHEEL_H
#define GCNSIM_MEM_CACHE_WHEEL_H

#include "sim/util/arena.h"
#include "sim/util/bits.h"

enum { CACHE_WHEEL_CYCLES = 128, CACHE_WHEEL_WORDS = CACHE_WHEEL_CYCLES / 64 };

struct cache_wheel {
    cycle_t *wake;                     /* of each channel; CYCLE_NEVER: it waits for others */
    uint64_t *slot;                    /* [cycle % CACHE_WHEEL_CYCLES][word]: a bit for each channel */
    uint64_t taken[CACHE_WHEEL_WORDS]; /* slots with a bit */
    cycle_t now;                       /* of the last tick */
    uint64_t *beyond;                  /* [word] */
    cycle_t beyond_first;              /* none of these has an earlier cycle */
    uint32_t words;
};

static inline bool cache_wheel_init(struct cache_wheel *w, uint32_t channels, struct arena *arena)
{
    w->words = (channels + 63) / 64;
    w->wake = ARENA_NEW(arena, channels, cycle_t);
    w->slot = ARENA_NEW(arena, (size_t)CACHE_WHEEL_CYCLES * w->words, uint64_t);
    w->beyond = ARENA_NEW(arena, w->words, uint64_t);
    w->beyond_first = CYCLE_NEVER;
    for (uint32_t i = 0; w->wake && i < channels; i++)
        w->wake[i] = CYCLE_NEVER;
    return w->wake && w->slot && w->beyond;
}

static inline uint64_t *cache_wheel_slot(const struct cache_wheel *w, cycle_t at)
{
    return &w->slot[at % CACHE_WHEEL_CYCLES * w->words];
}

static inline void cache_wheel_mark(struct cache_wheel *w, cycle_t at, uint32_t word, uint64_t channels)
{
    cache_wheel_slot(w, at)[word] |= channels;
    w->taken[at % CACHE_WHEEL_CYCLES / 64] |= UINT64_C(1) << at % 64;
}

/* Sets the cycle of a channel that has none, or a later one. One that is over is the present one. */
static inline void cache_wheel_put(struct cache_wheel *w, uint32_t channel, cycle_t at)
{
    uint64_t bit = UINT64_C(1) << channel % 64;

    w->wake[channel] = at;
    if (at <= w->now) {
        cache_wheel_mark(w, w->now, channel / 64, bit);
    } else if (at - w->now < CACHE_WHEEL_CYCLES) {
        cache_wheel_mark(w, at, channel / 64, bit);
    } else if (at != CYCLE_NEVER) {
        w->beyond[channel / 64] |= bit;
        w->beyond_first = at < w->beyond_first ? at : w->beyond_first;
    }
}

/* The channels of one word of a slot, whose bits go; those of the last word free the slot. */
static inline uint64_t cache_wheel_take(struct cache_wheel *w, cycle_t at, uint32_t word)
{
    uint64_t *m = &cache_wheel_slot(w, at)[word], channels = *m;

    *m = 0;
    if (word + 1 == w->words)
        w->taken[at % CACHE_WHEEL_CYCLES / 64] &= ~(UINT64_C(1) << at % 64);
    return channels;
}

/* The first cycle from `now` on whose slot has a bit; CYCLE_NEVER: none has. */
static inline cycle_t cache_wheel_first(const struct cache_wheel *w)
{
    uint32_t start = w->now % CACHE_WHEEL_CYCLES, k = start / 64;
    uint64_t m = w->taken[k] & ~UINT64_C(0) << start % 64;

    for (uint32_t n = 0; !m; n++) {
        if (n == CACHE_WHEEL_WORDS)
            return CYCLE_NEVER;
        k = (k + 1) % CACHE_WHEEL_WORDS;
        m = w->taken[k];
    }
    return w->now + (k * 64 + (uint32_t)__builtin_ctzll(m) - start) % CACHE_WHEEL_CYCLES;
}

/* Puts the channels of `beyond` where they belong by now. */
static inline void cache_wheel_refill(struct cache_wheel *w)
{
    w->beyond_first = CYCLE_NEVER;
    for (uint32_t word = 0; word < w->words; word++) {
        uint64_t m = w->beyond[word];

        for (w->beyond[word] = 0; m; m &= m - 1) {
            uint32_t channel = word * 64 + (uint32_t)__builtin_ctzll(m);

            cache_wheel_put(w, channel, w->wake[channel]);
        }
    }
}

/* Goes on to cycle `now`, whose slot then has all channels that are due. */
static inline void cache_wheel_advance(struct cache_wheel *w, uint32_t channels, cycle_t now)
{
    bool late = cache_wheel_first(w) < now;

    w->now = now;
    if (__builtin_expect(late, 0)) {
        memset(w->slot, 0, sizeof *w->slot * CACHE_WHEEL_CYCLES * w->words);
        memset(w->taken, 0, sizeof w->taken);
        for (uint32_t i = 0; i < channels; i++)
            cache_wheel_put(w, i, w->wake[i]);
    }
    if (w->beyond_first <= now)
        cache_wheel_refill(w);
}

/* Whether a bit of the slot means something. */
static inline bool cache_wheel_is_due(const struct cache_wheel *w, cycle_t at)
{
    for (uint32_t word = 0; word < w->words; word++)
        for (uint64_t m = cache_wheel_slot(w, at)[word]; m; m &= m - 1)
            if (w->wake[word * 64 + (uint32_t)__builtin_ctzll(m)] <= at)
                return true;
    return false;
}

/* The first cycle of all channels. */
static inline cycle_t cache_wheel_next(struct cache_wheel *w)
{
    cycle_t at;

    if (w->beyond_first != CYCLE_NEVER && w->beyond_first - w->now < CACHE_WHEEL_CYCLES)
        cache_wheel_refill(w);
    while ((at = cache_wheel_first(w)) != CYCLE_NEVER && !cache_wheel_is_due(w, at))
        for (uint32_t word = 0; word < w->words; word++)
            cache_wheel_take(w, at, word);
    if (at == CYCLE_NEVER && w->beyond_first != CYCLE_NEVER) {
        cache_wheel_refill(w);
        at = w->beyond_first;
    }
    return at;
}

#endif
