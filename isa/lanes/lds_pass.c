/* All elements of an LDS load or store in one pass (isa/lanes/access.h): addresses of 32 bits, checked for many lanes
 * at once, and as many lanes moved at once as a vector of the host has.
 *
 * Mostly the lanes of a vector lie within a few dozen dwords, in whatever order: side by side, all at one place, in two
 * rows of a tile, permuted so that banks do not collide. Those dwords are loaded as they stand and permuted in
 * registers. Lanes farther apart are loaded one by one.
 *
 * Stores of dwords side by side are a vector of the host each, with a mask where lanes are off; others go lane by lane.
 *
 * All else is left to isa_lds_load() and isa_lds_store(): lanes out of bounds, addresses that are no
 * multiples of 4, hosts without the instructions. */
#include <string.h>

#include "isa/lanes/words.h"

#ifdef HAVE_WORDS
/* over the steps of a wave, and elements, of a number that the compiler knows */
#define EACH_STEP(L, E)                                                                                                \
    _Pragma("GCC unroll 8") for (unsigned L = 0; L < n; L += STEP)                                                     \
        _Pragma("GCC unroll 2") for (unsigned E = 0; E < elems; E++)

/* Where the window of lanes begins that starts with this address. All dwords of a lane in it are inside LDS.
 */
INLINE uint32_t window(uint32_t limit, uint32_t first, unsigned dwords)
{
    uint32_t last = limit - WINDOW - 4 * dwords;

    return (first < last ? first : last) & ~3u;
}

/* All lanes are active, and each step's are in one window. Windows are powers of two: one comparison is for all. */
INLINE bool load_near(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d, unsigned n,
                      unsigned elems, unsigned dwords)
{
    words index[64 / STEP][2], all = {0};
    uint32_t base[64 / STEP][2];

    EACH_STEP(l, e)
    {
        base[l / STEP][e] = window(limit, p->addr[l] + p->offset[e], dwords);
        index[l / STEP][e] = distance(add(load_row(p->addr + l), p->offset[e]), base[l / STEP][e]);
        all = either(all, index[l / STEP][e]);
    }
    if (!in_window(all, ALL_LANES))
        return false;
    EACH_STEP(l, e)
    for (unsigned k = 0; k < dwords; k++)
        put(d + (e * dwords + k) * n + l, permute(w->lds + base[l / STEP][e] + 4 * k, index[l / STEP][e]), ALL_LANES);
    return true;
}

INLINE bool all_fit(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, unsigned n, unsigned elems,
                    unsigned dwords)
{
    bool bad = false;

    EACH_STEP(l, e) bad |= unfit(add(load_row(p->addr + l), p->offset[e]), limit - 4 * dwords, lanes_at(w, l));
    return !bad;
}

/* Lanes anywhere, one by one. */
INLINE void load_lanes(const uint8_t *lds, words at, unsigned dwords, words *out)
{
    _Alignas(64) uint32_t a[STEP];
    __m128i x[STEP];

    put(a, at, ALL_LANES);
    for (unsigned k = 0; k < STEP; k++)
        x[k] = load_lane(lds + a[k], dwords);
    lanes_to_words(x, dwords, out);
}

INLINE bool load(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d, unsigned n,
                 unsigned elems, unsigned dwords)
{
    if (limit < WINDOW + 4 * dwords)
        return false;
    if (w->exec == lane_mask(n) && load_near(w, limit, p, d, n, elems, dwords))
        return true;
    if (!all_fit(w, limit, p, n, elems, dwords))
        return false;
    for (unsigned l = 0; l < n; l += STEP) {
        lanes on = lanes_at(w, l);
        uint64_t bits = bits_of(on);
        if (!bits)
            continue;
        /* before anything is written: the address may be among the results */
        words a = load_row(p->addr + l);
        uint32_t first = p->addr[l + (unsigned)__builtin_ctzll(bits)];

        for (unsigned e = 0; e < elems; e++) {
            uint32_t base = window(limit, first + p->offset[e], dwords);
            words at = add(a, p->offset[e]), index = distance(at, base);
            words v[4];
            if (in_window(index, on))
                for (unsigned k = 0; k < dwords; k++)
                    v[k] = permute(w->lds + base + 4 * k, index);
            else
                load_lanes(w->lds, or_else(at, first + p->offset[e], on), dwords, v);
            for (unsigned k = 0; k < dwords; k++)
                put(d + (e * dwords + k) * n + l, v[k], on);
        }
    }
    return true;
}

/* One vector of lanes of one element. Lanes that are not side by side go one after the other: where they overlap the
 * highest one wins, with all of its dwords. */
INLINE void store_vector(uint8_t *lds, words at, uint64_t bits, const uint32_t *from, unsigned n, unsigned dwords)
{
    _Alignas(64) uint32_t a[STEP];
    words in[4];
    __m128i x[STEP];

    put(a, at, ALL_LANES);
    if (dwords == 1) {
        unsigned lowest = (unsigned)__builtin_ctzll(bits);
        uint32_t run = a[lowest] - 4 * lowest;
        if (all_are(less(at, lanes_times(4)), run, lanes_of(bits))) {
            store_words(lds + (int32_t)run, load_row(from), lanes_of(bits));
            return;
        }
    }
    for (unsigned k = 0; k < dwords; k++)
        in[k] = load_row(from + k * n);
    if (dwords > 1)
        words_to_lanes(in, dwords, x);
    for (unsigned k = 0; k < STEP; k++) {
        if (!(bits >> k & 1))
            continue;
        if (dwords == 1)
            memcpy(lds + a[k], from + k, 4);
        else
            store_lane(lds + a[k], x[k], dwords);
    }
}

INLINE bool store(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, const uint32_t *const *from,
                  unsigned n, unsigned elems, unsigned dwords)
{
    if (limit < 4 * dwords || !all_fit(w, limit, p, n, elems, dwords))
        return false;
    for (unsigned e = 0; e < elems; e++)
        for (unsigned l = 0; l < n; l += STEP) {
            uint64_t bits = bits_of(lanes_at(w, l));
            if (bits)
                store_vector(w->lds, add(load_row(p->addr + l), p->offset[e]), bits, from[e] + l, n, dwords);
        }
    return true;
}

#define SHAPE(N, ELEMS, DWORDS, DO)                                                                                    \
    case (N)*16 + (ELEMS)*8 + (DWORDS):                                                                                \
        return DO(w, limit, p, d, N, ELEMS, DWORDS);
#define SHAPES(N, DO)                                                                                                  \
    SHAPE(N, 1, 1, DO)                                                                                                 \
    SHAPE(N, 1, 2, DO) SHAPE(N, 1, 3, DO) SHAPE(N, 1, 4, DO) SHAPE(N, 2, 1, DO) SHAPE(N, 2, 2, DO)

bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d)
{
    switch (w->lanes * 16 + p->elems * 8 + p->dwords) {
        SHAPES(32, load)
        SHAPES(64, load)
    default:
        return false;
    }
}

bool isa_lds_store_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, const uint32_t *const d[2])
{
    switch (w->lanes * 16 + p->elems * 8 + p->dwords) {
        SHAPES(32, store)
        SHAPES(64, store)
    default:
        return false;
    }
}
#else
bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d)
{
    (void)w, (void)limit, (void)p, (void)d;
    return false;
}

bool isa_lds_store_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, const uint32_t *const d[2])
{
    (void)w, (void)limit, (void)p, (void)d;
    return false;
}
#endif
