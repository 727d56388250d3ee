/* Products of matrices of OCP's floats of 8, 6 or 4 bits, each matrix of its own format, with a scale for every so many
 * k: gfx950's v_mfma_*_f8f6f4 and gfx1250's v_wmma_*_f8f6f4 and _f4.
 *
 * Sums are made in double precision and rounded once: the exact products of a block are added up, k ascending, times
 * the scales of A and B, and added to C, block by block. A NaN of A, B or their scales, or one that arises, is the
 * default one; else C's. Layout of A and B: lanes of a wave share out the rows first, then k, in runs of 16 k of 8-bit
 * formats and of 32 k of others.
 *
 * Sources and what is only inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_BLOCKS_H
#define GCNSIM_ISA_INSTS_MATRIX_BLOCKS_H

#include "isa/insts/matrix_doubles.h"
#include "isa/insts/matrix_shape.h"

enum { BLOCKS_ROWS = 32, BLOCKS_K = 128, BLOCKS_MOST = 8, BLOCKS_FORMATS = 5 };

/* One of A and B: rows of A, columns of B. */
struct blocks_operand {
    double value[BLOCKS_K][BLOCKS_ROWS], scale[BLOCKS_MOST][BLOCKS_ROWS];
};

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* `rows` of A or B from the registers that begin at `from`, to those of `to` from `first` on. */
MAT_INLINE void blocks_read_as(const struct fp8 f, const uint32_t *from, unsigned lanes, unsigned rows, unsigned k,
                               struct blocks_operand *to, unsigned first)
{
    const unsigned bits = (unsigned)f.bits, run = bits == 8 ? 16 : 32, groups = mat_over(lanes, rows);

    for (unsigned group = 0; group < groups; group++)
        for (unsigned t = 0; t < mat_over(k, groups); t++) {
            const unsigned at = t * bits, shift = at % 32, k_at = (t / run * groups + group) * run + t % run;
            const uint32_t *w = from + (size_t)(at / 32) * lanes + (size_t)group * rows;

            for (unsigned l = 0; l < rows; l += 16) {
                uint32_t joined[16], floats[16];
                if (shift + bits > 32) { /* begins in one register and ends in the next */
                    for (unsigned j = 0; j < 16; j++)
                        joined[j] = w[l + j] >> shift | w[lanes + l + j] << (32 - shift);
                    mat_widen_small(f, joined, 0, floats);
                } else {
                    mat_widen_small(f, w + l, shift, floats);
                }
                for (unsigned j = 0; j < 16; j++)
                    to->value[k_at][first + l + j] = (double)as_f32(floats[j]);
            }
        }
}

/* format: fp8, bf8, fp6, bf6, fp4 */
static inline void blocks_read(unsigned format, const uint32_t *from, unsigned lanes, unsigned rows, unsigned k,
                               struct blocks_operand *to, unsigned first)
{
    switch (format) {
    case 0:
        blocks_read_as(fp8_ocp, from, lanes, rows, k, to, first);
        break;
    case 1:
        blocks_read_as(bf8_ocp, from, lanes, rows, k, to, first);
        break;
    case 2:
        blocks_read_as(fp6_ocp, from, lanes, rows, k, to, first);
        break;
    case 3:
        blocks_read_as(bf6_ocp, from, lanes, rows, k, to, first);
        break;
    default:
        blocks_read_as(fp4_ocp, from, lanes, rows, k, to, first);
        break;
    }
}

/* 2^(v - 127), or NaN. */
static inline double blocks_e8m0(uint32_t v)
{
    return v == 255 ? (double)as_f32(QNAN32) : as_f64((uint64_t)(v + 1023 - 127) << 52);
}

static inline void blocks_unscaled(struct blocks_operand *to)
{
    for (unsigned b = 0; b < BLOCKS_MOST; b++)
        for (unsigned row = 0; row < BLOCKS_ROWS; row++)
            to->scale[b][row] = 1;
}

/* --- the product -------------------------------------------------------------------------------------------------- */

/* k of them, a scale for each `block`; C and D as registers lay them out. */
struct blocks_product {
    const struct blocks_operand *a, *b;
    unsigned k, block;
    struct mat_shape shape;
    const uint32_t *c;
    uint32_t *d;
};

/* D(i, j) where it is a NaN. */
static inline uint32_t blocks_nan(const struct blocks_product *p, unsigned i, unsigned j, uint32_t c)
{
    double sum = 0;

    for (unsigned k = 0; k < p->k; k += p->block) {
        double part = 0;
        for (unsigned t = k; t < k + p->block; t++)
            part += p->a->value[t][i] * p->b->value[t][j];
        sum += part * (p->a->scale[k / p->block][i] * p->b->scale[k / p->block][j]);
    }
    return isnan32(as_f32(c)) && !isnan64(sum) ? c | 0x00400000 : QNAN32;
}

/* Four rows from i on, eight columns from j on. */
MAT_INLINE void blocks_tile(const struct blocks_product *p, unsigned i, unsigned j)
{
    static const double zeros[8];
    const size_t step = mat_row_step(p->shape), at = mat_row_at(p->shape, 0, i) + j;
    const struct mat_d zero = mat_d_load(zeros);
    double sums[4][8];

#define EACH_(DO) DO(0) DO(1) DO(2) DO(3)
#define LOAD_(X)  struct mat_d sum##X = mat_d_load(sums[X]);
#define ZERO_(X)  struct mat_d part##X = zero;
#define STEP_(X)  part##X = mat_d_add_product(x + X, y, part##X);
#define SCALE_(X) sum##X = mat_d_fma_each(part##X, mat_d_add_product(p->a->scale[b] + i + X, scale, zero), sum##X);
#define STORE_(X) mat_d_store(sums[X], sum##X);
    for (unsigned x = 0; x < 4; x++)
        for (unsigned l = 0; l < 8; l++)
            sums[x][l] = (double)as_f32(p->c[at + step * x + l]);
    EACH_(LOAD_)
    for (unsigned k = 0, b = 0; k < p->k; k += p->block, b++) {
        const struct mat_d scale = mat_d_load(p->b->scale[b] + j);
        EACH_(ZERO_)
        for (unsigned t = k; t < k + p->block; t++) {
            const struct mat_d y = mat_d_load(p->b->value[t] + j);
            const double *x = p->a->value[t] + i;
            EACH_(STEP_)
        }
        EACH_(SCALE_)
    }
    EACH_(STORE_)
#undef EACH_
#undef LOAD_
#undef ZERO_
#undef STEP_
#undef SCALE_
#undef STORE_
    for (unsigned x = 0; x < 4; x++)
        for (unsigned l = 0; l < 8; l++) {
            const size_t to = at + step * x + l;
            const float v = (float)sums[x][l];
            p->d[to] = isnan32(v) ? blocks_nan(p, i + x, j + l, p->c[to]) : bits_f32(v);
        }
}

/* D may be anywhere but over C. */
MAT_INLINE void blocks_multiply(const struct blocks_product *p)
{
    for (unsigned i = 0; i < p->shape.rows; i += 4)
        for (unsigned j = 0; j < p->shape.columns; j += 8)
            blocks_tile(p, i, j);
}

#endif
