/* The inner loops of the matrix instructions: tiles of four rows by sixteen columns.
 *
 * Order and rounding are those of isa/insts/matrix.h: k ascending, one rounding per product and sum. The tiles use the
 * host's own fused multiply-add; where a NaN comes out, the tile is done again by the rules of isa/lanes/fp.h.
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_KERNEL_H
#define GCNSIM_ISA_INSTS_MATRIX_KERNEL_H

#include "isa/insts/matrix_vector.h"

enum { TILE_ROWS = 4, TILE_COLUMNS = 16 };

/* The rows of B that serve the rows of A. */
enum tile_kind {
    TILE_PLAIN,  /* the same one for all rows */
    TILE_PICKED, /* A is sparse: every row has its own */
    TILE_SPREAD, /* blocks of 4x4 side by side: a row of them multiplies with a column of A for each four lanes */
};

/* Element k of row i of A is a[k * step + i], of B's row for it b[k * step + j], or where rows have their own,
 * b[picked[k * rows + i] + j]. TILE_SPREAD: A's is a[k * step + j / 4 * 4 + i] for column j. Floats as their bits;
 * integers in pairs of 16 bits, two k to a word. */
struct mat_operands {
    unsigned count; /* k, or pairs */
    unsigned step, rows;
    const uint32_t *a, *b, *picked;
};

/* One tile: its first elements, and how far its rows of C and of D are apart. D's rows may be C's. */
struct mat_tile {
    const uint32_t *a, *b, *picked, *c;
    uint32_t *d;
    size_t c_step, d_step;
};

#define TILE_EACH_(DO)       DO(0) DO(1) DO(2) DO(3)
#define TILE_EACH_AGAIN_(DO) DO(0) DO(1) DO(2) DO(3) /* inside the other */

/* False, and nothing written, when a NaN came out. */
MAT_INLINE bool mat_tile_numbers(const struct mat_operands *o, const struct mat_tile t, const enum tile_kind kind)
{
    const uint32_t *x = t.a, *y = t.b, *at = t.picked;
    const size_t step = o->step, rows = o->rows;

#define LOAD_(I)   struct mat_f c##I = mat_f_load(t.c + t.c_step * I);
#define PLAIN_(I)  c##I = mat_f_fma(x[I], ys, c##I);
#define PICKED_(I) c##I = mat_f_fma(x[I], mat_f_load(y + at[I]), c##I);
#define SPREAD_(I) c##I = mat_f_fma_each(mat_f_spread(xs, I), ys, c##I);
#define STORE_(I)  mat_f_store(t.d + t.d_step * I, c##I);
    TILE_EACH_(LOAD_)
    if (kind == TILE_PLAIN && o->count == 4) { /* a loop costs more */
#define STEP_(K)                                                                                                       \
    ys = mat_f_load(y + step * K);                                                                                     \
    xk = x + step * K;                                                                                                 \
    TILE_EACH_AGAIN_(PLAIN4_)
#define PLAIN4_(I) c##I = mat_f_fma(xk[I], ys, c##I);
        struct mat_f ys;
        const uint32_t *xk;
        TILE_EACH_(STEP_)
#undef STEP_
#undef PLAIN4_
    } else
        for (unsigned k = o->count; k; k--, x += step) {
            if (kind == TILE_PICKED) {
                TILE_EACH_(PICKED_)
                at += rows;
                continue;
            }
            struct mat_f ys = mat_f_load(y);
            y += step;
            if (kind == TILE_SPREAD) {
                struct mat_f xs = mat_f_load(x);
                TILE_EACH_(SPREAD_)
            } else {
                TILE_EACH_(PLAIN_)
            }
        }
    if (__builtin_expect(mat_f_nan(c0, c1) | mat_f_nan(c2, c3), 0))
        return false;
    TILE_EACH_(STORE_)
    return true;
#undef LOAD_
#undef PLAIN_
#undef PICKED_
#undef SPREAD_
#undef STORE_
}

/* Row i of the same by the rules of isa/lanes/fp.h for NaN (nan3_f32). */
MAT_INLINE void mat_row_nan(const struct mat_operands *o, const struct mat_tile *t, const enum tile_kind kind,
                            unsigned i, uint32_t *c)
{
    memcpy(c, t->c + t->c_step * i, TILE_COLUMNS * sizeof *c);
    for (unsigned k = 0; k < o->count; k++) {
        const uint32_t *x = t->a + (size_t)k * o->step;
        const uint32_t *y = t->b + (kind == TILE_PICKED ? t->picked[k * o->rows + i] : (size_t)k * o->step);
        uint32_t xs[TILE_COLUMNS], sum[TILE_COLUMNS];

        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            xs[j] = x[kind == TILE_SPREAD ? (j & ~3u) + i : i];
        mat_f_store(sum, mat_f_fma_each(mat_f_load(xs), mat_f_load(y), mat_f_load(c)));
        for (unsigned j = 0; j < TILE_COLUMNS; j += 8) {
#define IS_NAN_(V)            ((mat_w8)((mat_s8)((V)&0x7fffffff) > 0x7f800000))
#define PICK_(MASK, V, OTHER) (((MASK) & (V)) | (~(MASK) & (OTHER)))
            mat_w8 va = mat_get8(xs + j), vb = mat_get8(y + j), vc = mat_get8(c + j), r = mat_get8(sum + j);
            mat_w8 n = PICK_(IS_NAN_(vc), vc, (vc & 0) | QNAN32);
            n = PICK_(IS_NAN_(vb), vb, n);
            n = PICK_(IS_NAN_(va), va, n) | 0x00400000;
            mat_put8(c + j, PICK_(IS_NAN_(r), n, r));
#undef IS_NAN_
#undef PICK_
        }
    }
}

static __attribute__((noinline, cold)) void mat_tile_nan(const struct mat_operands *o, struct mat_tile t,
                                                         enum tile_kind kind)
{
    uint32_t out[TILE_ROWS][TILE_COLUMNS];

    for (unsigned i = 0; i < TILE_ROWS; i++)
        if (kind == TILE_PLAIN)
            mat_row_nan(o, &t, TILE_PLAIN, i, out[i]);
        else if (kind == TILE_PICKED)
            mat_row_nan(o, &t, TILE_PICKED, i, out[i]);
        else
            mat_row_nan(o, &t, TILE_SPREAD, i, out[i]);
    for (unsigned i = 0; i < TILE_ROWS; i++)
        memcpy(t.d + t.d_step * i, out[i], sizeof out[i]);
}

MAT_INLINE void mat_tile_f32(const struct mat_operands *o, const struct mat_tile t, const enum tile_kind kind)
{
    if (!mat_tile_numbers(o, t, kind))
        mat_tile_nan(o, t, kind);
}

/* d is c plus the products' sum, which fits 32 bits by far: wraps, or with clamp saturates. */
MAT_INLINE void mat_add_c(const uint32_t *c, const uint32_t *sum, bool clamp, uint32_t *d)
{
    for (unsigned j = 0; j < TILE_COLUMNS; j += 8) {
        mat_w8 old = mat_get8(c + j), more = mat_get8(sum + j), v = old + more;
        if (clamp) {
            mat_w8 over = (mat_w8)((mat_s8)((old ^ v) & (more ^ v)) >> 31);
            v = (v & ~over) | (((mat_w8)((mat_s8)old >> 31) ^ 0x7fffffff) & over);
        }
        mat_put8(d + j, v);
    }
}

MAT_INLINE void mat_tile_int(const struct mat_operands *o, const struct mat_tile t, const enum tile_kind kind,
                             bool clamp)
{
    const uint32_t *x = t.a, *y = t.b;
    const size_t step = o->step;

#define ZERO_(I)   struct mat_i c##I = mat_i_zero();
#define PLAIN_(I)  c##I = mat_i_madd(x[I], ys, c##I);
#define SPREAD_(I) c##I = mat_i_madd_each(mat_i_spread(xs, I), ys, c##I);
#define STORE_(I)  mat_i_store(t.d + t.d_step * I, mat_i_add(c##I, mat_i_load(t.c + t.c_step * I)));
#define CLAMP_(I)                                                                                                      \
    mat_i_store(sum, c##I);                                                                                            \
    mat_add_c(t.c + t.c_step * I, sum, true, t.d + t.d_step * I);
    TILE_EACH_(ZERO_)
    for (unsigned k = o->count; k; k--, x += step, y += step) {
        struct mat_i ys = mat_i_load(y);
        if (kind == TILE_SPREAD) {
            struct mat_i xs = mat_i_load(x);
            TILE_EACH_(SPREAD_)
        } else {
            TILE_EACH_(PLAIN_)
        }
    }
    if (!clamp) {
        TILE_EACH_(STORE_)
    } else {
        uint32_t sum[TILE_COLUMNS];
        TILE_EACH_(CLAMP_)
    }
#undef ZERO_
#undef PLAIN_
#undef SPREAD_
#undef STORE_
#undef CLAMP_
}

/* --- doubles: four rows by eight columns -------------------------------------------------------------------------- */

/* Low words of a tile; the high ones are c_high and d_high words further. A and B as vectors (mat_d_place), 16 doubles
 * from k to k. */
struct mat_tile64 {
    const double *a, *b;
    const uint32_t *c;
    uint32_t *d;
    size_t c_step, d_step, c_high, d_high;
};

enum { TILE_K64 = 4, TILE_STEP64 = 16, TILE_COLUMNS64 = 8 }; /* all there are have four k */

static __attribute__((noinline, cold)) void mat_tile64_nan(const struct mat_tile64 t, bool spread)
{
    double out[TILE_ROWS][TILE_COLUMNS64];

    for (unsigned i = 0; i < TILE_ROWS; i++)
        for (unsigned j = 0; j < TILE_COLUMNS64; j++) {
            const uint32_t *c = t.c + t.c_step * i;
            double v = as_f64(c[j] | (uint64_t)c[j + t.c_high] << 32);
            for (unsigned k = 0; k < TILE_K64; k++)
                v = fma_f64(t.a[k * TILE_STEP64 + mat_d_place(spread ? (j & 4) + i : i)],
                            t.b[k * TILE_STEP64 + mat_d_place(j)], v);
            out[i][j] = v;
        }
    for (unsigned i = 0; i < TILE_ROWS; i++)
        for (unsigned j = 0; j < TILE_COLUMNS64; j++) {
            uint32_t *d = t.d + t.d_step * i + j;
            d[0] = (uint32_t)bits_f64(out[i][j]);
            d[t.d_high] = (uint32_t)(bits_f64(out[i][j]) >> 32);
        }
}

/* `spread`: blocks of 4x4 side by side. */
MAT_INLINE void mat_tile_f64(const struct mat_tile64 t, const bool spread)
{
#define LOAD_(I)   struct mat_d c##I = mat_d_join(t.c + t.c_step * I, t.c + t.c_step * I + t.c_high);
#define PLAIN_(I)  c##I = mat_d_fma(x + mat_d_place(I), ys, c##I);
#define SPREAD_(I) c##I = mat_d_fma_each(mat_d_spread(xs, I), ys, c##I);
#define STORE_(I)  mat_d_split(c##I, t.d + t.d_step * I, t.d + t.d_step * I + t.d_high);
    TILE_EACH_(LOAD_)
    for (unsigned k = 0; k < TILE_K64; k++) {
        const double *x = t.a + k * TILE_STEP64;
        struct mat_d ys = mat_d_load(t.b + k * TILE_STEP64);
        if (spread) {
            struct mat_d xs = mat_d_load(x);
            TILE_EACH_(SPREAD_)
        } else {
            TILE_EACH_(PLAIN_)
        }
    }
    if (__builtin_expect(mat_d_nan(c0, c1) | mat_d_nan(c2, c3), 0)) {
        mat_tile64_nan(t, spread);
        return;
    }
    TILE_EACH_(STORE_)
#undef LOAD_
#undef PLAIN_
#undef SPREAD_
#undef STORE_
}
#undef TILE_EACH_
#undef TILE_EACH_AGAIN_

#endif
