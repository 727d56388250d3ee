/* The modifiers of sources and SDWA, on rows of operands. Included by the files compiled per variant. */
#ifndef GCNSIM_ISA_ROW_MODIFIERS_H
#define GCNSIM_ISA_ROW_MODIFIERS_H

#include "isa/lanes/row_ops.h"

static inline void sdwa_select(uint32_t *row, unsigned sel, bool sext, unsigned n)
{
    unsigned shift = sel < 4 ? sel * 8 : sel == 5 ? 16 : 0;
    uint32_t mask = sel < 4 ? 0xff : sel < 6 ? 0xffff : 0xffffffff;
    uint32_t sign = sext ? (sel < 4 ? 0x80 : sel < 6 ? 0x8000 : 0) : 0;

    if (sel == 6)
        return;
    for (unsigned i = 0; i < n; i++)
        row[i] = ((row[i] >> shift & mask) ^ sign) - sign;
}

/* abs then neg, on the sign bit of the operand's float width */
static inline void float_modifiers(uint32_t *row, unsigned float_bits, bool absolute, bool negate, unsigned n)
{
    uint32_t sign = float_bits == 16 ? 0x8000 : 0x80000000u;
    uint32_t *top = float_bits == 64 ? row + n : row;
    uint32_t keep = absolute ? ~sign : 0xffffffff, flip = negate ? sign : 0;

    for (unsigned i = 0; i < n; i++)
        top[i] = (top[i] & keep) ^ flip;
}

/* Each half of a word from the low or, where asked for, the high one; `to` may be `from`. */
static inline void pick_halves(uint32_t *to, const uint32_t *from, bool low_from_high, bool high_from_high,
                               uint32_t flip, unsigned n)
{
    const unsigned lo = low_from_high ? 16 : 0, hi = high_from_high ? 16 : 0;

    LANE_PRAGMA
    for (unsigned k = 0; k < n; k++)
        to[k] = ((from[k] >> lo & 0xffff) | (from[k] >> hi << 16)) ^ flip;
}

/* The same of the words of register pairs, whose high ones are n further on. */
static inline void pick_words(uint32_t *to, const uint32_t *from, bool low_from_high, bool high_from_high,
                              uint32_t flip_low, uint32_t keep_high, uint32_t flip_high, unsigned n)
{
    const uint32_t *low = from + (low_from_high ? n : 0), *high = from + (high_from_high ? n : 0);
    uint32_t *to_high = to + n;

    LANE_PRAGMA
    for (unsigned k = 0; k < n; k++) {
        uint32_t a = low[k] ^ flip_low, b = (high[k] & keep_high) ^ flip_high;
        to[k] = a;
        to_high[k] = b;
    }
}

/* VOP3P halves: op_sel picks the half for the low result, op_sel_hi for the high one; neg flips each. */
static inline void packed_select(uint32_t *row, const struct isa_inst *i, int src, bool is_float, unsigned n)
{
    uint32_t flip = is_float ? ((i->neg >> src & 1 ? 0x8000u : 0) | (i->neg_hi >> src & 1 ? 0x80000000u : 0)) : 0;

    pick_halves(row, row, i->op_sel >> src & 1, i->op_sel_hi >> src & 1, flip, n);
}

/* abs and neg of VOP3's dot products: of both halves */
static inline void both_halves(uint32_t *row, bool absolute, bool negate, unsigned n)
{
    uint32_t keep = absolute ? 0x7fff7fff : 0xffffffff, flip = negate ? 0x80008000u : 0;

    for (unsigned k = 0; k < n; k++)
        row[k] = (row[k] & keep) ^ flip;
}

/* The same of register pairs. one: only the word for the low result is read. */
static inline void packed_select64(uint32_t *row, const struct isa_inst *i, int src, bool one, bool is_float,
                                   unsigned n)
{
    bool lo = i->op_sel >> src & 1, hi = one ? lo : i->op_sel_hi >> src & 1;
    uint32_t flip_lo = is_float && (i->neg >> src & 1) ? 0x80000000u : 0;
    uint32_t flip_hi = is_float && (i->neg_hi >> src & 1) ? 0x80000000u : 0;

    pick_words(row, row, lo, hi, flip_lo, 0xffffffff, flip_hi, n);
}

static inline void sdwa_write(uint32_t *d, const uint32_t *old, const struct isa_sdwa *s, unsigned n)
{
    unsigned sel = s->dst_sel, shift = sel < 4 ? sel * 8 : sel == 5 ? 16 : 0, bits = sel < 4 ? 8 : sel < 6 ? 16 : 32;
    uint32_t field = bits == 32 ? 0xffffffff : (1u << bits) - 1;

    if (bits == 32)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = d[i] & field, r = v << shift;
        if (s->dst_unused == 1 && (v >> (bits - 1) & 1)) /* SEXT: copies of the sign above, zeros below */
            r |= shift + bits < 32 ? 0xffffffffu << (shift + bits) : 0;
        else if (s->dst_unused == 2) /* PRESERVE */
            r |= old[i] & ~(field << shift);
        d[i] = r;
    }
}

#endif
