/* Loads and stores of whole dwords in device memory by the shape of a wave's addresses (isa/lanes/access.h), which is
 * found by comparing vectors of them.
 *
 * Addresses are looked at as distances from that of the first active lane, in 32 bits. Single dwords are mostly side by
 * side, in the whole wave or in vectors of STEP lanes as in the rows of a tile: each vector is then one move, with a
 * mask where lanes are off. All at one place are one load, or the store of the highest lane. Others are moved lane by
 * lane, STEP of them put together in registers, so that no load of a register waits for stores of single lanes.
 *
 * Bounds are checked once, for the range from the lowest lane to the highest. What is not in one range, lanes farther
 * apart than 2 GiB and hosts without the instructions are left to isa_mem_load() and isa_mem_store().
 */
#include <string.h>

#include "isa/lanes/words.h"

#ifdef HAVE_WORDS
struct shape {
    const struct lane_addr *at;
    uint64_t active;
    gaddr_t first;             /* address of the first active lane */
    int32_t run[64 / STEP];    /* runs: where lane 0 of each vector is, or would be, from there */
    int64_t low, high;         /* bytes from there that are accessed: [low, high) */
    bool runs;                 /* the lanes of each vector are side by side */
    bool same;                 /* all are at one place */
    words distance[64 / STEP]; /* of lanes that are off: 0 */
};

#define STEP_BITS ((1u << STEP) - 1)
/* over the vectors of a wave, of a number that the compiler knows */
#define EACH_STEP(L) _Pragma("GCC unroll 8") for (unsigned L = 0; L < n; L += STEP)

INLINE uint64_t step_of(uint64_t active, unsigned l)
{
    return active >> l & STEP_BITS;
}

/* Single dwords of all lanes, in their order. */
INLINE bool side_by_side(const struct lane_addr *at, unsigned n)
{
    uint64_t first = at->a[0], off = 0;

    if (at->a[1] - first != 4)
        return false;
    for (unsigned l = 0; l < n; l++)
        off |= (at->a[l] - first) ^ (4 * l);
    return !off;
}

/* For single dwords: whether the lanes of the vector at l, those of `bits`, are side by side. */
INLINE bool is_run(struct shape *s, unsigned l, uint64_t bits)
{
    if (!bits)
        return true;
    unsigned lowest = (unsigned)__builtin_ctzll(bits), highest = 63 - (unsigned)__builtin_clzll(bits);
    int64_t run = (int64_t)(s->at->a[l + lowest] - s->first) - 4 * (int64_t)lowest;

    s->run[l / STEP] = (int32_t)run;
    s->low = run + 4 * (int64_t)lowest < s->low ? run + 4 * (int64_t)lowest : s->low;
    s->high = run + 4 * (int64_t)highest + 4 > s->high ? run + 4 * (int64_t)highest + 4 : s->high;
    return all_are(less(s->distance[l / STEP], lanes_times(4)), (uint32_t)run, lanes_of(bits));
}

INLINE void find_extent(struct shape *s, unsigned n, unsigned dwords)
{
    words low = s->distance[0], high = low;

    EACH_STEP(l)
    {
        low = smaller(low, s->distance[l / STEP]);
        high = larger(high, s->distance[l / STEP]);
    }
    s->low = smallest(low);
    s->high = (int64_t)largest(high) + 4 * dwords;
}

/* False: lanes are too far apart. */
INLINE bool find_shape(const struct lane_addr *at, uint64_t active, unsigned n, unsigned dwords, struct shape *s)
{
    words others = spread(0);
    bool far = false;

    s->at = at;
    s->active = active;
    s->first = at->a[__builtin_ctzll(active)];
    s->low = 0;
    s->high = 4 * dwords;
    EACH_STEP(l)
    {
        lanes on = lanes_of(step_of(active, l));
        s->distance[l / STEP] = or_else(from_first(at->a + l, s->first, on, &far), 0, on);
        others = either(others, s->distance[l / STEP]);
    }
    s->same = all_are(others, 0, ALL_LANES);
    s->runs = dwords == 1 && !s->same;
    if (s->runs)
        EACH_STEP(l) s->runs &= is_run(s, l, step_of(active, l));
    if (!s->runs && !s->same)
        find_extent(s, n, dwords);
    return !far;
}

/* Where the bytes of the first active lane are on the host; null: not all of the bytes are in one range. */
INLINE uint8_t *host_of(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct shape *s,
                        bool write)
{
    uint64_t span = (uint64_t)(s->high - s->low);

    if (span > UINT32_MAX)
        return NULL;
    uint8_t *p = isa_host(w, env, range, s->first + (uint64_t)s->low, (uint32_t)span, write);
    return p ? p - s->low : NULL;
}

/* The vector at l of lanes anywhere; those that are off have the dwords of the first active lane. */
INLINE void load_lanes(const uint8_t *p, const struct shape *s, unsigned l, unsigned dwords, words *out)
{
    __m128i x[STEP];
    uint64_t bits = step_of(s->active, l);

    for (unsigned k = 0; k < STEP; k++) {
        bool on = bits == STEP_BITS || bits >> k & 1;
        x[k] = load_lane(p + (on ? (int64_t)(s->at->a[l + k] - s->first) : 0), dwords);
    }
    lanes_to_words(x, dwords, out);
}

INLINE void spread_lane(__m128i x, unsigned dwords, words *out)
{
    uint32_t own[4];

    _mm_storeu_si128((__m128i *)(void *)own, x);
    for (unsigned k = 0; k < dwords; k++)
        out[k] = spread(own[k]);
}

INLINE bool load_shape(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct lane_addr *at,
                       uint64_t active, uint32_t *d, unsigned n, unsigned dwords)
{
    struct shape s;
    const uint8_t *p;

    if (!find_shape(at, active, n, dwords, &s) || !(p = host_of(w, env, range, &s, false)))
        return false;
    for (unsigned l = 0; l < n; l += STEP) {
        uint64_t bits = step_of(active, l);
        words v[4];
        if (!bits)
            continue;
        if (s.runs) { /* of one dword a lane */
            put(d + l, load_words(p + s.run[l / STEP], load_row(d + l), lanes_of(bits)), lanes_of(bits));
            continue;
        }
        if (s.same)
            spread_lane(load_lane(p, dwords), dwords, v);
        else
            load_lanes(p, &s, l, dwords, v);
        for (unsigned k = 0; k < dwords; k++)
            put(d + k * n + l, v[k], lanes_of(bits));
    }
    return true;
}

/* Lanes one after the other: where they overlap the highest one wins, with all of its dwords. */
INLINE void store_lanes(uint8_t *p, const struct shape *s, const uint32_t *from, unsigned l, uint64_t bits, unsigned n,
                        unsigned dwords)
{
    words in[4];
    __m128i x[STEP];

    for (unsigned k = 0; k < dwords; k++)
        in[k] = load_row(from + k * n + l);
    if (dwords > 1)
        words_to_lanes(in, dwords, x);
    for (unsigned k = 0; k < STEP; k++) {
        if (bits != STEP_BITS && !(bits >> k & 1))
            continue;
        uint8_t *to = p + (int64_t)(s->at->a[l + k] - s->first);
        if (dwords == 1)
            memcpy(to, from + l + k, 4);
        else
            store_lane(to, x[k], dwords);
    }
}

INLINE bool store_shape(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct lane_addr *at,
                        uint64_t active, const uint32_t *from, unsigned n, unsigned dwords)
{
    struct shape s;
    uint8_t *p;

    if (!find_shape(at, active, n, dwords, &s) || !(p = host_of(w, env, range, &s, true)))
        return false;
    if (s.same) /* what the highest lane leaves */
        active = UINT64_C(1) << (63 - __builtin_clzll(active));
    for (unsigned l = 0; l < n; l += STEP) {
        uint64_t bits = step_of(active, l);
        if (bits && s.runs)
            store_words(p + s.run[l / STEP], load_row(from + l), lanes_of(bits));
        else if (bits)
            store_lanes(p, &s, from, l, bits, n, dwords);
    }
    return true;
}

/* Where some lanes are off. */
static __attribute__((noinline)) bool load_some(struct isa_wave *w, const struct isa_env *env, unsigned range,
                                                const struct lane_addr *at, uint64_t active, uint32_t *d, unsigned n,
                                                unsigned dwords)
{
    return load_shape(w, env, range, at, active, d, n, dwords);
}

static __attribute__((noinline)) bool store_some(struct isa_wave *w, const struct isa_env *env, unsigned range,
                                                 const struct lane_addr *at, uint64_t active, const uint32_t *from,
                                                 unsigned n, unsigned dwords)
{
    return store_shape(w, env, range, at, active, from, n, dwords);
}

INLINE bool load(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct lane_addr *at,
                 uint64_t active, uint32_t *d, unsigned n, unsigned dwords)
{
    if (active != lane_mask(n))
        return load_some(w, env, range, at, active, d, n, dwords);
    if (dwords == 1 && side_by_side(at, n)) {
        const uint8_t *p = isa_host(w, env, range, at->a[0], 4 * n, false);
        if (p)
            memcpy(d, p, 4 * n);
        return p != NULL;
    }
    return load_shape(w, env, range, at, lane_mask(n), d, n, dwords);
}

INLINE bool store(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct lane_addr *at,
                  uint64_t active, const uint32_t *from, unsigned n, unsigned dwords)
{
    if (active != lane_mask(n))
        return store_some(w, env, range, at, active, from, n, dwords);
    if (dwords == 1 && side_by_side(at, n)) {
        uint8_t *p = isa_host(w, env, range, at->a[0], 4 * n, true);
        if (p)
            memcpy(p, from, 4 * n);
        return p != NULL;
    }
    return store_shape(w, env, range, at, lane_mask(n), from, n, dwords);
}

#define SHAPE(N, DWORDS, DO, ...)                                                                                      \
    case (N) + (DWORDS):                                                                                               \
        return DO(w, env, range, at, active, __VA_ARGS__, N, DWORDS);
#define SHAPES(N, ...)                                                                                                 \
    SHAPE(N, 1, __VA_ARGS__) SHAPE(N, 2, __VA_ARGS__) SHAPE(N, 3, __VA_ARGS__) SHAPE(N, 4, __VA_ARGS__)

bool isa_mem_load_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                       const struct lane_addr *at, uint64_t active, uint32_t *d)
{
    switch (m->convert == CONV_DWORDS ? w->lanes + m->bytes / 4u : 0) {
        SHAPES(32, load, d)
        SHAPES(64, load, d)
    default:
        return false;
    }
}

bool isa_mem_store_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                        const struct lane_addr *at, uint64_t active, const uint32_t *s)
{
    switch (m->convert == CONV_DWORDS ? w->lanes + m->bytes / 4u : 0) {
        SHAPES(32, store, s)
        SHAPES(64, store, s)
    default:
        return false;
    }
}
#else
bool isa_mem_load_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                       const struct lane_addr *at, uint64_t active, uint32_t *d)
{
    (void)w, (void)env, (void)range, (void)m, (void)at, (void)active, (void)d;
    return false;
}

bool isa_mem_store_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                        const struct lane_addr *at, uint64_t active, const uint32_t *s)
{
    (void)w, (void)env, (void)range, (void)m, (void)at, (void)active, (void)s;
    return false;
}
#endif
