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

/* Rows of source k, null for a scalar; false: a fault is recorded. */
static inline bool source_rows(struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t **rows)
{
    *rows = i->op[k].code >= CODE_VGPR ? mem_rows(w, &i->op[k]) : NULL;
    return *rows || i->op[k].code < CODE_VGPR;
}

static inline void lane_words(const struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t *rows,
                              unsigned l, uint32_t *to)
{
    for (unsigned n = 0; n < isa_types[i->op[k].type].dwords; n++)
        to[n] = rows ? rows[n * w->lanes + l] : sget32(w, i, k);
}

/* --- one number --------------------------------------------------------------------------------------------------- */

static inline unsigned wide_bits(enum wide wide)
{
    return wide == WIDE_F32 ? 32 : 16;
}

static inline float wide_value(enum wide wide, uint32_t v)
{
    return wide == WIDE_F32 ? as_f32(v) : wide == WIDE_F16 ? half_to_f32((half_t)v) : bf16_to_f32(v);
}

static inline uint32_t scaled_widen(const struct scaled *s, uint32_t v, unsigned scale)
{
    /* exact in f32: no format has more than four significant bits */
    float r = scale == 255 ? as_f32(QNAN32) : (float)ldexp((double)from_fp8(s->small, v), (int)scale - 127);

    return s->wide == WIDE_F32 ? bits_f32(r) : s->wide == WIDE_F16 ? half_from_f32(r, 0, false) : bf16_from_f32(r);
}

static inline uint32_t scaled_narrow(const struct scaled *s, uint32_t v, unsigned scale, uint32_t random, bool saturate)
{
    static const uint8_t mantissa[] = {[WIDE_F32] = 23, [WIDE_F16] = 10, [WIDE_BF16] = 7};
    double a = scale == 255 ? (double)copysignf(as_f32(QNAN32), wide_value((enum wide)s->wide, v))
                            : ldexp((double)wide_value((enum wide)s->wide, v), 127 - (int)scale);
    /* as many random bits as the source has more than the result */
    int more = mantissa[s->wide] - s->small.mant;

    return narrow_fp8(s->small, a, saturate, s->random ? ldexp((double)(random >> (32 - more)), -more) : -1);
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

static inline int exec_narrow(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    const unsigned last = i->nops - 1u, words = isa_types[i->op[0].type].dwords, bits = wide_bits((enum wide)s->wide);
    const unsigned at = narrow_at(s, result_select(i, s)), small = (unsigned)s->small.bits;
    uint32_t *d = mem_rows(w, &i->op[0]), source[3][MOST_WORDS], result[MOST_WORDS];
    const uint32_t *rows[4];
    /* two sources of one number each, or numbers in turns */
    const bool two = s->pairs || (s->count == 2 && !s->random && bits == 32);

    for (unsigned k = 1; k <= last; k++)
        if (!source_rows(w, i, k, &rows[k]))
            return ISA_FAULT;
    if (!d)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        for (unsigned k = 1; k <= last; k++)
            lane_words(w, i, k, rows[k], l, source[k - 1]);
        for (unsigned n = 0; n < words; n++)
            result[n] = d[n * w->lanes + l];
        const unsigned scale = source[last - 1][0] >> 23 & 255;
        uint32_t random = source[1][0];
        for (unsigned k = 0; k < s->count; k++) {
            const unsigned which = two ? k & 1 : 0, n = two ? k >> 1 : k;
            uint32_t v = string_get(source[which], 1, n * bits, bits), sign = 1u << (bits - 1);
            v = (i->abs >> which & 1 ? v & ~sign : v) ^ (i->neg >> which & 1 ? sign : 0);
            string_put(result, 1, at + k * small, small, scaled_narrow(s, v, scale, random, w->mode.fp16_ovfl));
            random = next_random(random);
        }
        for (unsigned n = 0; n < words; n++)
            d[n * w->lanes + l] = result[n];
    }
    return ISA_OK;
}

#endif
