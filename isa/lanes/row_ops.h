/* Rows of operands, a dword for each lane: filled, copied, flushed and stored under a mask. Included by the files
 * compiled per variant. */
#ifndef GCNSIM_ISA_ROW_OPS_H
#define GCNSIM_ISA_ROW_OPS_H

#include "isa/lanes/access.h"
#include "isa/lanes/fp.h"
#include "isa/lanes/rows.h"
#include "isa/table/shapes.h"

/* Room for one fetched operand: up to two rows of 64 lanes. */
struct tmp {
    _Alignas(64) uint32_t r[128];
};

static inline void splat(uint32_t *row, uint32_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        row[i] = v;
}

/* Rows are stepped through by pointers: what is indexed by an unsigned sum may wrap around, and does not vectorize. */
static inline void expand_bits(uint32_t *row, uint64_t bits, unsigned n)
{
    for (unsigned h = 0; h < n; h += 32, row += 32) {
        uint32_t half = (uint32_t)(bits >> h);
        for (unsigned i = 0; i < 32; i++)
            row[i] = half & lane_bit[i] ? 1 : 0;
    }
}

static inline void expand_mask(uint32_t *row, uint64_t bits, unsigned n)
{
    for (unsigned h = 0; h < n; h += 32, row += 32) {
        uint32_t half = (uint32_t)(bits >> h);
        for (unsigned i = 0; i < 32; i++)
            row[i] = half & lane_bit[i] ? 0xffffffff : 0;
    }
}

static inline uint64_t pack_bits(const uint32_t *row, unsigned n)
{
    return pack_lanes(row, n);
}

/* MODE's two denormal bits for a float width. */
static inline unsigned denorm_mode(const struct isa_wave *w, unsigned float_bits)
{
    return float_bits == 32 ? w->mode.denorm32 : w->mode.denorm64;
}

static inline void copy_rows(uint32_t *to, const uint32_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        to[i] = from[i];
}

/* f32 with denormals as zeros of the same sign; `to` may be `from`. */
static inline void flush_words(uint32_t *to, const uint32_t *from, unsigned words)
{
    LANE_PRAGMA
    for (unsigned l = 0; l < words; l++)
        to[l] = bits_f32(ftz32(as_f32(from[l])));
}

/* The row `from` where it has no denormal, else `to` as flushed. */
static inline const uint32_t *flushed_words(uint32_t *to, const uint32_t *from, unsigned words)
{
    if (__builtin_expect(!any_denormal32(from) && (words == 32 || !any_denormal32(from + 32)), 1))
        return from;
    flush_words(to, from, words);
    return to;
}

/* Denormals of a row to zeros of the same sign. */
static inline void flush_row(uint32_t *row, enum isa_type type, unsigned n)
{
    unsigned fb = isa_types[type].float_bits;

    if (isa_is_packed_f16(type)) {
        for (unsigned i = 0; i < n; i++) {
            uint32_t lo = row[i] & 0xffff, hi = row[i] >> 16;
            lo = lo & 0x7c00 ? lo : lo & 0x8000;
            hi = hi & 0x7c00 ? hi : hi & 0x8000;
            row[i] = lo | hi << 16;
        }
    } else if (fb == 16) {
        for (unsigned i = 0; i < n; i++)
            row[i] = row[i] & 0x7c00 ? row[i] : row[i] & 0xffff8000;
    } else if (fb == 64) {
        for (unsigned i = 0; i < n; i++) {
            bool normal = row[i + n] & 0x7ff00000;
            row[i] = normal ? row[i] : 0;
            row[i + n] = normal ? row[i + n] : row[i + n] & 0x80000000u;
        }
    } else {
        unsigned words = type == T_PF32 ? 2 * n : n;
        for (unsigned i = 0; i < words; i++)
            row[i] = row[i] & 0x7f800000 ? row[i] : row[i] & 0x80000000u;
    }
}

static inline void store_rows(uint32_t *to, const uint32_t *from, const uint32_t *mask, unsigned n, unsigned dwords)
{
    for (unsigned k = 0; k < dwords; k++, to += n, from += n)
        for (unsigned i = 0; i < n; i++)
            to[i] = (from[i] & mask[i]) | (to[i] & ~mask[i]);
}

/* A row of 32 results; active: the lanes whose result is kept. */
static inline void store_some(uint32_t *d, const uint32_t *r, uint32_t active)
{
#if defined(__AVX512F__)
    _mm512_mask_storeu_epi32(d, (__mmask16)active, _mm512_load_si512(r));
    _mm512_mask_storeu_epi32(d + 16, (__mmask16)(active >> 16), _mm512_load_si512(r + 16));
#else
    LANE_PRAGMA
    for (unsigned l = 0; l < 32; l++) {
        uint32_t mask = active & lane_bit[l] ? 0xffffffff : 0;
        d[l] = (r[l] & mask) | (d[l] & ~mask);
    }
#endif
}

#endif
