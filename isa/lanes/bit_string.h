/* Few bits anywhere in consecutive words, which lie `stride` apart. */
#ifndef GCNSIM_ISA_BIT_STRING_H
#define GCNSIM_ISA_BIT_STRING_H

#include <stddef.h>
#include <stdint.h>

/* `bits` of them, at most 32, from bit `at` of the first word on. */
static inline uint32_t string_get(const uint32_t *words, size_t stride, unsigned at, unsigned bits)
{
    const uint32_t *w = words + at / 32 * stride;
    uint64_t v = *w;

    if (at % 32 + bits > 32)
        v |= (uint64_t)w[stride] << 32;
    return (uint32_t)(v >> at % 32 & ((UINT64_C(1) << bits) - 1));
}

static inline void string_put(uint32_t *words, size_t stride, unsigned at, unsigned bits, uint32_t v)
{
    for (unsigned k = 0; k < bits; k++) {
        uint32_t *w = words + (at + k) / 32 * stride, bit = 1u << (at + k) % 32;
        *w = (*w & ~bit) | (v >> k & 1 ? bit : 0);
    }
}

#endif
