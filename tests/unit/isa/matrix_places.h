/* Who holds what: the elements of matrix operands by register and lane, for test_matrix.c and test_matrix_exact.c. The
 * other way round from isa/insts/matrix_layout.h: which element does this lane hold?
 */
#ifndef GCNSIM_TESTS_ISA_MATRIX_PLACES_H
#define GCNSIM_TESTS_ISA_MATRIX_PLACES_H

#include <stdint.h>
#include <string.h>

#include "tests/unit/isa/matrix_rows.h"

static inline bool cdna(const struct shape *s)
{
    return strncmp(s->target, "gfx9", 4) == 0;
}

static inline bool old_wmma(const struct shape *s)
{
    return strncmp(s->target, "gfx11", 5) == 0;
}

static inline bool gfx12(const struct shape *s)
{
    return !cdna(s) && !old_wmma(s);
}

static inline bool gfx1250(const struct shape *s)
{
    return strcmp(s->target, "gfx1250") == 0;
}

/* C's elements. */
static inline enum elem c_of(const struct shape *s)
{
    return strstr(s->name, "_bf16f32_") ? F32 : s->d;
}

static inline unsigned width(enum elem e)
{
    static const uint8_t bits[] = {[F32] = 32, [F64] = 64, [F16] = 16, [BF16] = 16, [I8] = 8,  [I4] = 4,
                                   [I32] = 32, [FP8] = 8,  [BF8] = 8,  [FP8Z] = 8,  [BF8Z] = 8};
    return bits[e];
}

struct place {
    unsigned block, line, k; /* line: row of A, column of B */
};

/* The element of A or B in `lane`, item `item` of `per` there; k counts A's stored elements. */
static inline struct place ab_at(const struct shape *s, unsigned side, unsigned lanes, unsigned lane, unsigned item,
                                 unsigned per)
{
    if (gfx1250(s)) {
        /* 16 bytes in lanes 0 to 15, 16 in lanes 16 to 31; 32 of the B of a sparse A, which has most of all items */
        unsigned fits = (s->sparse && per == s->k / 2 ? 256 : 128) / width(s->a), turn = fits < per ? fits : per;
        return (struct place){0, lane % 16, item / turn * 2 * turn + lane / 16 * turn + item % turn};
    }
    if (!cdna(s))
        return old_wmma(s) ? (struct place){0, lane % 16, item} : (struct place){0, lane % 16, lane / 16 * per + item};
    (void)lanes;
    if (s->a == F64 && side == 4)
        return (struct place){lane / 4 % 4, lane % 4, lane / 16};
    if (s->blocks > 1)
        return (struct place){lane / side, lane % side, item};
    if (s->sparse && per * width(s->a) == 256) { /* gfx950's B: a half of the items for each half of k */
        unsigned half = per / 2;
        return (struct place){0, lane % side, item / half * s->k / 2 + lane / side * half + item % half};
    }
    return (struct place){0, lane % side, lane / side * per + item};
}

/* gfx1250: where the two bits are that say which dense k row i's stored k stands for, before the key moves them. */
static inline void index_at(unsigned i, unsigned k, unsigned per_a, unsigned *lane, unsigned *item)
{
    *lane = i + 16 * (k / per_a);
    *item = k % per_a;
}

struct cell {
    unsigned block, i, j;
};

/* The element of C and D in `lane`, item `item` there. */
static inline struct cell cd_at(const struct shape *s, unsigned lanes, unsigned lane, unsigned item)
{
    if (old_wmma(s))
        return (struct cell){0, lanes == 32 ? 2 * item + lane / 16 : 4 * item + lane / 16, lane % 16};
    if (!cdna(s))
        return (struct cell){0, lanes == 32 ? 8 * (lane / 16) + item : 4 * (lane / 16) + item, lane % 16};
    if (s->d == F64)
        return s->m == 4 ? (struct cell){lane / 4 % 4, lane / 16, lane % 4}
                         : (struct cell){0, 4 * item + lane / 16, lane % 16};
    if (s->m == 4)
        return (struct cell){lane / 4, item, lane % 4};
    if (s->m == 16)
        return (struct cell){item / 4, 4 * (lane / 16) + item % 4, lane % 16};
    return (struct cell){item / 16, 8 * (item % 16 / 4) + 4 * (lane / 32) + item % 4, lane % 32};
}

#endif
