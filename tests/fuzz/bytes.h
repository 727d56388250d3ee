/* Little-endian numbers of n bytes (up to 8) in a file that a fuzzer reads or changes; the host is little-endian. */
#ifndef GCNSIM_TESTS_FUZZ_BYTES_H
#define GCNSIM_TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t get(const uint8_t *b, size_t at, unsigned n)
{
    uint64_t v = 0;

    memcpy(&v, b + at, n);
    return v;
}

static inline void put(uint8_t *b, size_t at, uint64_t v, unsigned n)
{
    memcpy(b + at, &v, n);
}

#endif
