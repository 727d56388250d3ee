/* Unit scalars and bit helpers shared by every folder. Includes nobody. */
#ifndef GCNSIM_UTIL_BITS_H
#define GCNSIM_UTIL_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t cycle_t; /* shader clock cycles since the start of the dispatch */
typedef uint64_t gaddr_t; /* a device (global) address in bytes */

#define CYCLE_NEVER UINT64_MAX /* the answer of tick() and others: no work until something is accepted */

/* The path of nearly every issue and request is one function and rare work is kept out of it, so that the compiler
 * saves no registers for calls that are not made. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE      __attribute__((noinline))

/* Bits [lo, lo+len) of v, len 1..63. */
static inline uint64_t bits_get(uint64_t v, unsigned lo, unsigned len)
{
    return (v >> lo) & ((UINT64_C(1) << len) - 1);
}

/* The low `len` bits of v (1..64) as a two's complement number. */
static inline int64_t bits_sext(uint64_t v, unsigned len)
{
    unsigned sh = 64 - len;
    return (int64_t)(v << sh) >> sh;
}

static inline uint64_t align_up(uint64_t v, uint64_t granule)
{
    return (v + granule - 1) / granule * granule;
}

/* How many bits are set. The compiler's builtin is a call where the host's instruction set is not said. */
static inline unsigned bits_count(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint64_t lane_mask(unsigned lanes)
{
    return lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
}

/* The upper `bits` bits (1..64) of a hash of a key, for hash tables whose keys are consecutive or strided: Fibonacci
 * hashing, that is multiplication by 2^64 over the golden ratio (Knuth, TAOCP volume 3, 6.4). */
static inline uint64_t hash64(uint64_t key, unsigned bits)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
}

static inline uint16_t load_u16(const void *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t load_u32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t load_u64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

#endif
