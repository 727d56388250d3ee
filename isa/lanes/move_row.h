/* Moves the words of a row of 16 lanes: each becomes the one at `from`, or 0 without its bit of `valid`. `to` may be
 * the row. */
#ifndef GCNSIM_ISA_MOVE_ROW_H
#define GCNSIM_ISA_MOVE_ROW_H

#include <string.h>

#include "isa/lanes/lanes.h"

#if defined(__AVX512F__)
static inline __attribute__((always_inline)) void move_row(uint32_t *to, const uint32_t *row, const uint8_t from[16],
                                                           uint32_t valid)
{
    __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));

    _mm512_storeu_si512(to, _mm512_maskz_permutexvar_epi32((__mmask16)valid, at, _mm512_loadu_si512(row)));
}
#elif defined(__AVX2__)
static inline __attribute__((always_inline)) void move_row(uint32_t *to, const uint32_t *row, const uint8_t from[16],
                                                           uint32_t valid)
{
    const __m256i bit = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)row),
            high = _mm256_loadu_si256((const __m256i *)(const void *)(row + 8));

    for (unsigned h = 0; h < 2; h++) {
        __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(from + 8 * h)));
        __m256i of_high = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(7));
        __m256i on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(valid >> 8 * h)), bit), bit);
        __m256i r =
            _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(low, at), _mm256_permutevar8x32_epi32(high, at), of_high);

        _mm256_storeu_si256((__m256i *)(void *)(to + 8 * h), _mm256_and_si256(r, on));
    }
}
#else
static inline __attribute__((always_inline)) void move_row(uint32_t *to, const uint32_t *row, const uint8_t from[16],
                                                           uint32_t valid)
{
    uint32_t old[16];

    memcpy(old, row, sizeof old);
    for (unsigned l = 0; l < 16; l++)
        to[l] = valid >> l & 1 ? old[from[l]] : 0;
}
#endif

#endif
