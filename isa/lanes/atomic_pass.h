/* An atomic of all lanes of a wave in one loop, lane after lane in ascending order, with its meaning inlined: for words
 * of 4 and 8 bytes that are known to be there and aligned. Included by the files compiled per variant.
 */
#ifndef GCNSIM_ISA_ATOMIC_PASS_H
#define GCNSIM_ISA_ATOMIC_PASS_H

#include "isa/lanes/lane_bytes.h"

struct isa_atomic_pass {
    const struct lane_addr *at;
    uint64_t delta, active; /* lane l's word is at at[l] + delta on the host */
    struct atomic_rows rows;
    unsigned n, bytes;
    bool shared;           /* other host threads may be there */
    uint8_t flush_in, out; /* LDS: floats of so many bits have no denormals, among operands and in results; 0: no */
};

/* A float of `bits` bits, or two halves, without denormals. */
static inline __attribute__((always_inline)) uint64_t flushed_floats(unsigned bits, uint64_t v)
{
    uint64_t low = v & 0x7c00 ? 0xffff : 0x8000, high = v & 0x7c000000 ? 0xffff0000 : 0x80000000;

    return bits == 32 ? v & (v & 0x7f800000 ? UINT64_MAX : 0x80000000) : bits == 16 ? v & (low | high) : v;
}

typedef uint64_t atomic_meaning(uint64_t old, uint64_t data, uint64_t cmp);

/* An aligned word of 4 or 8 bytes where waves of several host threads may meet: the result is put in place by
 * compare-and-swap. Returns what was there. */
static inline __attribute__((always_inline)) uint64_t shared_word(atomic_meaning *meaning, uint8_t *at, unsigned bytes,
                                                                  uint64_t data, uint64_t cmp)
{
    if (bytes == 4) {
        uint32_t *word = (uint32_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(word, &old, (uint32_t)meaning(old, data, cmp), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
        return old;
    }
    uint64_t *word = (uint64_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, meaning(old, data, cmp), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

/* in, out: as flush_in and out of the pass */
static inline __attribute__((always_inline)) uint64_t atomic_lane(atomic_meaning *meaning,
                                                                  const struct isa_atomic_pass *p, unsigned l,
                                                                  unsigned bytes, unsigned in, unsigned out)
{
    uint8_t *at = host_at(p->at, l, p->delta);
    uint64_t data = row_value(p->rows.data, bytes, p->n, l), old;
    uint64_t cmp = p->rows.cmp ? row_value(p->rows.cmp, bytes, p->n, l) : 0;

    if (!p->shared) {
        old = word_at(at, bytes);
        put_word(at, bytes, flushed_floats(out, meaning(flushed_floats(in, old), flushed_floats(in, data), cmp)));
        return old;
    }
    return shared_word(meaning, at, bytes, data, cmp);
}

/* Dwords side by side, of all lanes, where nobody else is. */
static inline __attribute__((always_inline)) void atomic_run(atomic_meaning *meaning, const struct isa_atomic_pass *p,
                                                             unsigned in, unsigned out)
{
    static const uint32_t none[64];
    const uint32_t *data = p->rows.data, *cmp = p->rows.cmp ? p->rows.cmp : none;
    const unsigned n = p->n & 96;
    uint8_t *at = host_at(p->at, 0, p->delta);
    _Alignas(64) uint32_t old[64], fresh[64];

    memcpy(old, at, n * sizeof *old);
    for (unsigned l = 0; l < n; l++)
        fresh[l] =
            (uint32_t)flushed_floats(out, meaning(flushed_floats(in, old[l]), flushed_floats(in, data[l]), cmp[l]));
    memcpy(at, fresh, n * sizeof *fresh);
    if (p->rows.old)
        memcpy(p->rows.old, old, n * sizeof *old);
}

static inline __attribute__((always_inline)) void atomic_loop(atomic_meaning *meaning, const struct isa_atomic_pass *p,
                                                              unsigned bytes, unsigned in, unsigned out)
{
    const struct isa_atomic_pass own = *p; /* or it would be read again after each store */

    if (bytes == 4 && !own.shared && evenly(own.at, own.n, own.active, 4)) {
        atomic_run(meaning, &own, in, out);
        return;
    }
    for (uint64_t left = own.active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        uint64_t old = atomic_lane(meaning, &own, l, bytes, in, out);
        if (own.rows.old)
            put_value(own.rows.old, bytes, own.n, l, old);
    }
}

/* NAME_new, a struct isa_atomic, of the body that follows; LANES: what it does with the pass p. */
#define ATOMIC_(NAME, LANES)                                                                                           \
    static inline __attribute__((always_inline)) uint64_t NAME##_one(uint64_t old, uint64_t data, uint64_t cmp);       \
    static uint64_t NAME##_of(uint64_t old, uint64_t data, uint64_t cmp)                                               \
    {                                                                                                                  \
        return NAME##_one(old, data, cmp);                                                                             \
    }                                                                                                                  \
    static void NAME##_lanes(const struct isa_atomic_pass *p)                                                          \
    {                                                                                                                  \
        LANES;                                                                                                         \
    }                                                                                                                  \
    static const struct isa_atomic NAME##_new[] = {{NAME##_of, NAME##_lanes}};                                         \
    static inline uint64_t NAME##_one(uint64_t old __attribute__((unused)), uint64_t data __attribute__((unused)),     \
                                      uint64_t cmp __attribute__((unused)))
#define ATOMIC_MEANING(NAME)                                                                                           \
    ATOMIC_(NAME, p->bytes == 4 ? atomic_loop(NAME##_one, p, 4, 0, 0) : atomic_loop(NAME##_one, p, 8, 0, 0))
/* the same of floats of BITS bits in words of 4 bytes, whose denormals an LDS instruction may flush */
#define ATOMIC_FLUSHING(NAME, BITS)                                                                                    \
    ATOMIC_(NAME, !(p->flush_in | p->out) ? atomic_loop(NAME##_one, p, 4, 0, 0)                                        \
                  : p->flush_in & p->out  ? atomic_loop(NAME##_one, p, 4, BITS, BITS)                                  \
                                          : atomic_loop(NAME##_one, p, 4, p->flush_in, p->out))

#endif
