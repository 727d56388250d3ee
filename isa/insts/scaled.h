/* Conversions between floats and blocks of small ones (isa/lanes/fp8.h) with a scale: what those of gfx950
 * (cdna4_scale.c) and gfx1250 (gfx1250_cvt.c) have in common.
 *
 * The scale is a power of two, 2^(exponent - 127); an exponent of 255 makes all results NaN. Narrowing divides by it
 * and rounds once, widening multiplies. Formats without NaN have the largest number for it and for what is too large;
 * 8-bit ones follow MODE.FP16_OVFL, as without a scale. MODE's denormal bits do not matter. Points that CDNA4's manual
 * leaves open are from AMD's emulation for the host (HIP's amd_hip_ocp_host.hpp), see docs/SEMANTICS_NOTES.md.
 */
#ifndef GCNSIM_ISA_INSTS_SCALED_H
#define GCNSIM_ISA_INSTS_SCALED_H

#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"
#include "isa/lanes/fp8.h"
#include "isa/lanes/fp_half.h"

enum wide { WIDE_F32, WIDE_F16, WIDE_BF16 };

/* For one instruction. */
struct scaled {
    struct fp8 small;
    uint8_t wide, count; /* how many numbers */
    bool random;         /* rounds by a random number, the source before the scale */
    bool pairs;          /* the numbers come in turns from two sources */
};

/* The most words that one lane has of a source or of the result. */
enum { MOST_WORDS = 32 };

/* --- rows of words ------------------------------------------------------------------------------------------------ */

/* Rows of source k: registers in place, or a scalar, the same in all words, in `room`, whose step is 0. */
struct source {
    const uint32_t *rows;
    unsigned step; /* from a word to the next */
};

static inline bool source_rows(struct isa_wave *w, const struct isa_inst *i, unsigned k, struct source *s,
                               uint32_t *room)
{
    bool registers = i->op[k].code >= CODE_VGPR;

    *s = (struct source){registers ? mem_rows(w, &i->op[k]) : room, registers ? w->lanes : 0};
    for (unsigned l = 0; l < w->lanes && !registers; l++)
        room[l] = sget32(w, i, k);
    return s->rows;
}

/* In each lane `bits` bits from bit `at` of its words; those above them are whatever they are. */
static inline void get_bits(uint32_t *to, const struct source *s, unsigned at, unsigned bits, unsigned n)
{
    const uint32_t *low = s->rows + at / 32 * s->step, *high = low + s->step;
    const unsigned shift = at % 32;

    if (shift + bits <= 32)
        for (unsigned l = 0; l < n; l++)
            to[l] = low[l] >> shift;
    else
        for (unsigned l = 0; l < n; l++)
            to[l] = low[l] >> shift | high[l] << (32 - shift);
}

static inline void put_bits(uint32_t *rows, unsigned at, unsigned bits, const uint32_t *from, unsigned n)
{
    const unsigned shift = at % 32;
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    uint32_t *low = rows + at / 32 * n, *high = low + n;

    for (unsigned l = 0; l < n; l++)
        low[l] = (low[l] & ~(all << shift)) | (from[l] & all) << shift;
    for (unsigned l = 0; l < n && shift + bits > 32; l++)
        high[l] = (high[l] & ~(all >> (32 - shift))) | (from[l] & all) >> (32 - shift);
}

/* Lanes that are not active keep what they have. */
static inline void put_rows(const struct isa_wave *w, uint32_t *d, const uint32_t *rows, unsigned words)
{
    const unsigned n = w->lanes & 96;

    for (unsigned k = 0; k < words; k++, d += n, rows += n)
        for (unsigned l = 0; l < n; l++)
            d[l] = (rows[l] & w->mask[l]) | (d[l] & ~w->mask[l]);
}

/* --- one number --------------------------------------------------------------------------------------------------- */

static inline unsigned wide_bits(enum wide wide)
{
    return wide == WIDE_F32 ? 32 : 16;
}

/* exact: no format has more than four significant bits, and powers of two that are denormal floats are there, too */
static inline __attribute__((always_inline)) float scaled_widen(struct fp8 small, uint32_t v, uint32_t scale)
{
    float r = from_fp8(small, v) * as_f32(scale ? scale << 23 : 0x00400000);

    return scale == 255 ? as_f32(QNAN32) : r;
}

/* The scale changes the exponent; what it makes of it is held before it is one of a float again. */
static inline __attribute__((always_inline)) uint32_t scaled_narrow(struct fp8 small, float a, uint32_t scale,
                                                                    bool saturate, bool random, uint32_t more)
{
    uint32_t u = bits_f32(a), magnitude = u & 0x7fffffff, normal = bits_f32(as_f32(magnitude) * 0x1p24f);
    uint32_t m = magnitude < 0x00800000 ? normal : magnitude;
    int32_t e = (int32_t)(m >> 23) + (magnitude < 0x00800000 ? 103 : 127) - (int32_t)scale, high = e > 150 ? 150 : e;
    uint32_t held = (m & 0x7fffff) | (uint32_t)(high < 64 ? 64 : high) << 23;

    held = magnitude == 0 ? 0 : held;
    held = magnitude == 0x7f800000 ? magnitude : held;
    uint32_t nan = scale == 255 ? (u & 0x80000000) | QNAN32 : u;
    return signed_fp8(small, code_fp8(small, small_range(small, held), random, more), nan, saturate);
}

/* --- rows of numbers ---------------------------------------------------------------------------------------------- */

#define SMALL_SWITCH(F, DO)                                                                                            \
    switch ((F).bits * 8 + (F).mant) {                                                                                 \
    case 8 * 8 + 3:                                                                                                    \
        DO(fp8_ocp);                                                                                                   \
        break;                                                                                                         \
    case 8 * 8 + 2:                                                                                                    \
        DO(bf8_ocp);                                                                                                   \
        break;                                                                                                         \
    case 6 * 8 + 3:                                                                                                    \
        DO(fp6_ocp);                                                                                                   \
        break;                                                                                                         \
    case 6 * 8 + 2:                                                                                                    \
        DO(bf6_ocp);                                                                                                   \
        break;                                                                                                         \
    default:                                                                                                           \
        DO(fp4_ocp);                                                                                                   \
    }

/* Small numbers to floats, halves or bf16. */
static inline void widen_row(const struct scaled *s, uint32_t *v, const uint32_t *scale, unsigned n)
{
#define DO_WIDEN(F)                                                                                                    \
    for (unsigned l = 0; l < n; l++)                                                                                   \
    v[l] = bits_f32(scaled_widen(F, v[l], scale[l]))
    SMALL_SWITCH(s->small, DO_WIDEN)
#undef DO_WIDEN
    for (unsigned l = 0; l < n && s->wide == WIDE_F16; l++)
        v[l] = half_from_f32(as_f32(v[l]), 0, false);
    for (unsigned l = 0; l < n && s->wide == WIDE_BF16; l++)
        v[l] = bf16_from_f32(as_f32(v[l]));
}

/* Floats to small numbers; random: as many bits of it are added as the source has more than the result. */
static inline void narrow_row(const struct scaled *s, uint32_t *v, const uint32_t *scale, const uint32_t *random,
                              bool saturate, unsigned n)
{
    const unsigned lost = s->wide == WIDE_F32 ? 0 : s->wide == WIDE_F16 ? 13 : 16;
    const bool adds = s->random;

#define DO_NARROW(F)                                                                                                   \
    for (unsigned l = 0; l < n; l++)                                                                                   \
    v[l] = scaled_narrow(F, as_f32(v[l]), scale[l], saturate, adds, random[l] >> (9 + (F).mant + lost) << lost)
    SMALL_SWITCH(s->small, DO_NARROW)
#undef DO_NARROW
}

/* Bits of wide numbers, which may be more than theirs, to floats; abs and neg. */
static inline void float_row(enum wide wide, uint32_t *v, bool absolute, bool negate, unsigned n)
{
    const uint32_t keep = absolute ? 0x7fffffff : ~0u, flip = negate ? 0x80000000u : 0;

    for (unsigned l = 0; l < n && wide == WIDE_F16; l++)
        v[l] = bits_f32(half_to_f32((half_t)v[l]));
    for (unsigned l = 0; l < n && wide == WIDE_BF16; l++)
        v[l] <<= 16;
    for (unsigned l = 0; l < n; l++)
        v[l] = (v[l] & keep) ^ flip;
}

/* --- one instruction ---------------------------------------------------------------------------------------------- */

static inline uint32_t next_random(uint32_t v)
{
    return v << 1 ^ (v >> 31 ? 197 : 0);
}

/* The bit of the register from which on the few bits of an instruction lie that has no register full of them. */
static inline unsigned narrow_at(const struct scaled *s, unsigned select)
{
    unsigned bits = s->count * (unsigned)s->small.bits;

    return bits == 8 ? 8 * (select & 3) : bits == 16 ? 16 * (select & 1) : 0;
}

/* Two op_sel bits choose a byte of the result, the upper one two bytes. */
static inline unsigned result_select(const struct isa_inst *i, const struct scaled *s)
{
    return s->count * s->small.bits == 16 ? i->op_sel >> 3 & 1u : i->op_sel >> 2 & 3u;
}

/* Numbers from bit `at` of the source on to bit `to` of d, with a scale for each lane. */
static inline void widen_rows(const struct isa_wave *w, const struct isa_inst *i, const struct scaled *s, uint32_t *d,
                              const struct source *from, unsigned at, unsigned to, const uint32_t *scale)
{
    const unsigned words = isa_types[i->op[0].type].dwords, bits = wide_bits((enum wide)s->wide), n = w->lanes & 96;
    const unsigned small = (unsigned)s->small.bits;
    _Alignas(64) uint32_t result[MOST_WORDS * 64], v[64];

    memcpy(result, d, words * n * sizeof *d);
    for (unsigned k = 0; k < s->count; k++) {
        get_bits(v, from, at + k * small, small, n);
        widen_row(s, v, scale, n);
        put_bits(result, to + k * bits, bits, v, n);
    }
    put_rows(w, d, result, words);
}

static inline int exec_narrow(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    const unsigned last = i->nops - 1u, words = isa_types[i->op[0].type].dwords, bits = wide_bits((enum wide)s->wide);
    const unsigned at = narrow_at(s, result_select(i, s)), small = (unsigned)s->small.bits, n = w->lanes & 96;
    _Alignas(64) uint32_t result[MOST_WORDS * 64], room[3][64], v[64], scale[64], random[64];
    uint32_t *d = mem_rows(w, &i->op[0]);
    struct source source[3];
    /* two sources of one number each, or numbers in turns */
    const bool two = s->pairs || (s->count == 2 && !s->random && bits == 32);

    for (unsigned k = 1; k <= last; k++)
        if (!source_rows(w, i, k, &source[k - 1], room[k - 1]))
            return ISA_FAULT;
    if (!d)
        return ISA_FAULT;
    memcpy(result, d, words * n * sizeof *d);
    for (unsigned l = 0; l < n; l++)
        scale[l] = source[last - 1].rows[l] >> 23 & 255;
    memcpy(random, source[1].rows, n * sizeof *random);
    for (unsigned k = 0; k < s->count; k++) {
        const unsigned which = two ? k & 1 : 0;
        get_bits(v, &source[which], (two ? k >> 1 : k) * bits, bits, n);
        float_row((enum wide)s->wide, v, i->abs >> which & 1, i->neg >> which & 1, n);
        narrow_row(s, v, scale, random, w->mode.fp16_ovfl, n);
        put_bits(result, at + k * small, small, v, n);
        for (unsigned l = 0; l < n && s->random; l++)
            random[l] = next_random(random[l]);
    }
    put_rows(w, d, result, words);
    return ISA_OK;
}

#endif
