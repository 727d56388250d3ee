/* All elements of an LDS load in one pass (isa/lanes/access.h): addresses of 32 bits, checked for many lanes at once,
 * and as many lanes moved at once as a vector of the host has.
 *
 * Mostly the lanes of a vector lie within a few dozen dwords, in whatever order: side by side, all at one place, in two
 * rows of a tile, permuted so that banks do not collide. Those dwords are loaded as they stand and permuted in
 * registers. Lanes farther apart are loaded one by one.
 *
 * What is not simple is left to isa_lds_load(): lanes out of bounds, addresses that are no multiples of 4, hosts
 * without the instructions. */
#include "isa/lanes/words.h"

#ifdef HAVE_WORDS
/* over the steps of a wave, and elements, of a number that the compiler knows */
#define EACH_STEP(L, E)                                                                                                \
    _Pragma("GCC unroll 8") for (unsigned L = 0; L < n; L += STEP)                                                     \
        _Pragma("GCC unroll 2") for (unsigned E = 0; E < elems; E++)

/* Where the window of lanes begins that starts with this address. What lies in it is inside LDS, with all its dwords.
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
        index[l / STEP][e] = distance(add(take(p->addr + l), p->offset[e]), base[l / STEP][e]);
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

    EACH_STEP(l, e) bad |= unfit(add(take(p->addr + l), p->offset[e]), limit - 4 * dwords, lanes_at(w, l));
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
        words a = take(p->addr + l);
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

bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d)
{
#define SHAPE(N, ELEMS, DWORDS)                                                                                        \
    case (N)*16 + (ELEMS)*8 + (DWORDS):                                                                                \
        return load(w, limit, p, d, N, ELEMS, DWORDS);
#define SHAPES(N) SHAPE(N, 1, 1) SHAPE(N, 1, 2) SHAPE(N, 1, 3) SHAPE(N, 1, 4) SHAPE(N, 2, 1) SHAPE(N, 2, 2)
    switch (w->lanes * 16 + p->elems * 8 + p->dwords) {
        SHAPES(32)
        SHAPES(64)
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
#endif
