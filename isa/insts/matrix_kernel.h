/* The inner loops of the matrix instructions: tiles of some rows by sixteen columns or a few times as many.
 *
 * Order and rounding are those of isa/insts/matrix.h: k ascending, one rounding per product and sum. The tiles use the
 * host's own fused multiply-add; where a NaN comes out, the tile is done again by the rules of isa/lanes/fp.h.
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_KERNEL_H
#define GCNSIM_ISA_INSTS_MATRIX_KERNEL_H

#include "isa/insts/matrix_convert.h"
#include "isa/insts/matrix_doubles.h"
#include "isa/insts/matrix_shape.h"

/* A tile's sums stay in registers of the host. It needs many of them: a multiply-add takes several cycles, and hosts
 * start two in each. */
#ifdef __AVX512F__
enum { TILE_SUMS = 16 };
#define TILE_EACH_(DO)                                                                                                 \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define TILE_PAIRS_(DO) DO(0, 1) DO(2, 3) DO(4, 5) DO(6, 7) DO(8, 9) DO(10, 11) DO(12, 13) DO(14, 15)
#else
enum { TILE_SUMS = 4 };
#define TILE_EACH_(DO)  DO(0) DO(1) DO(2) DO(3)
#define TILE_PAIRS_(DO) DO(0, 1) DO(2, 3)
#endif
enum { TILE_COLUMNS = 16 }; /* of one sum */

/* The rows of B that serve the rows of A. */
enum tile_kind {
    TILE_PLAIN,  /* the same one for all rows */
    TILE_PICKED, /* A is sparse: every row has its own */
    TILE_SPREAD, /* blocks of 4x4 side by side: a row of them multiplies with a column of A for each four lanes */
    TILE_FRESH,  /* as TILE_PLAIN, out of B's registers: made floats when their turn comes */
};

/* Element k of row i of A is a[k * step + i], of B's row for it b[k * step + j], or where rows have their own,
 * b[p + j], where picked[k / 2 * rows + i] has the p of an even k in its low half and of the next k in the high one (a
 * load for each takes longer than the shifts). count is even then. TILE_SPREAD: A's is a[k * step + j / 4 * 4 + i] for
 * column j. Floats as their bits; integers in pairs of 16 bits, two k to a word. TILE_FRESH: b is B's first register of
 * `lanes`; each sixteen of those that hold B have so many registers. */
struct mat_operands {
    unsigned count; /* k, or pairs */
    unsigned step, rows;
    const uint32_t *a, *b, *picked;
    unsigned lanes, used, registers;
};

/* One tile: its first elements. D's rows may be C's. */
struct mat_tile {
    const uint32_t *a, *b, *picked;
    const uint32_t *c, *c_row; /* C; where that is null, a row of sixteen which all of its rows are */
    uint32_t *d;
    unsigned shift; /* of the half, where rows are one of each word */
};

/* How many times sixteen columns a tile has, and its rows: four at least, so that a tile begins where a group of rows
 * does. */
MAT_INLINE unsigned mat_tile_vectors(const struct mat_shape s)
{
    const unsigned most = TILE_SUMS / 4, all = s.columns / TILE_COLUMNS;
    return all < most ? all : most;
}

MAT_INLINE unsigned mat_tile_rows(const struct mat_shape s)
{
    return TILE_SUMS / mat_tile_vectors(s);
}

/* Words from a tile's first element of C or D to the first of its sum `n`. */
MAT_INLINE size_t mat_sum_at(const struct mat_shape s, unsigned n)
{
    const unsigned vectors = mat_tile_vectors(s);
    return mat_row_at(s, 0, n / vectors) + n % vectors * TILE_COLUMNS;
}

MAT_INLINE const uint32_t *mat_tile_c(const struct mat_tile *t, const struct mat_shape s, unsigned n)
{
    return t->c ? t->c + mat_sum_at(s, n) : t->c_row;
}

/* C of sum n, from its registers. Halves have sixteen columns, so that n is the row. */
MAT_INLINE struct mat_f mat_sum_load(const struct mat_tile *t, const struct mat_shape s, unsigned n)
{
    const uint32_t *from = t->c + mat_sum_at(s, n);
    const unsigned shift = mat_rows_paired(s) ? n % 2 * 16 : t->shift;
    uint32_t floats[TILE_COLUMNS];

    if (s.words == WORDS_ALONE)
        return mat_f_load(from);
    if (s.words == WORDS_F16)
        return mat_f_widen16(from, shift, false);
    for (unsigned j = 0; j < TILE_COLUMNS; j += MAT_WORDS)
        mat_put(floats + j, mat_get(from + j) >> shift << 16);
    return mat_f_load(floats);
}

/* Sums n and n + 1 to D's registers. */
MAT_INLINE void mat_sums_store(const struct mat_tile *t, const struct mat_shape s, unsigned n, struct mat_f even,
                               struct mat_f odd)
{
    const uint32_t stays = t->shift ? 0xffff : 0xffff0000;
    uint32_t *first = t->d + mat_sum_at(s, n), *second = t->d + mat_sum_at(s, n + 1);
    uint32_t lo[TILE_COLUMNS], hi[TILE_COLUMNS];

    if (s.words == WORDS_ALONE) {
        mat_f_store(first, even);
        mat_f_store(second, odd);
        return;
    }
    mat_f_store(lo, even);
    mat_f_store(hi, odd);
    for (unsigned j = 0; j < TILE_COLUMNS; j += MAT_WORDS) {
        mat_narrow(s.words == WORDS_F16, lo + j, lo + j);
        mat_narrow(s.words == WORDS_F16, hi + j, hi + j);
        if (mat_rows_paired(s)) {
            mat_put(first + j, mat_get(lo + j) | mat_get(hi + j) << 16);
        } else {
            mat_put(first + j, (mat_get(first + j) & stays) | mat_get(lo + j) << t->shift);
            mat_put(second + j, (mat_get(second + j) & stays) | mat_get(hi + j) << t->shift);
        }
    }
}

/* For sum N: its row, its columns, and that row's place among four. */
#define ROW_(N)     ((N) / vectors)
#define COLUMNS_(N) ((N) % vectors * TILE_COLUMNS)
#define FOUR_(N)    (ROW_(N) & ~3u)

/* How the elements of a TILE_FRESH become floats. */
struct mat_fresh {
    mat_convert *convert;
    unsigned bits;
    bool flush;
};

/* The steps of mat_tile_numbers(), each for sum N, by the names that it has for its operands. */
#define SUM_(N)   struct mat_f c##N;
#define LOAD_(N)  c##N = mat_sum_load(&t, s, N);
#define SAME_(N)  c##N = row;
#define PLAIN_(N) c##N = mat_f_fma(x[ROW_(N)], mat_f_load(y + COLUMNS_(N)), c##N);
#define FRESH_(N) c##N = mat_f_fma(x[ROW_(N)], row, c##N);
#define PICKED_(N)                                                                                                     \
    {                                                                                                                  \
        const uint32_t *even = y + (uint16_t)at[ROW_(N)] + COLUMNS_(N), *odd = y + (at[ROW_(N)] >> 16) + COLUMNS_(N);  \
        c##N = mat_f_fma_four(mat_f_four(x + FOUR_(N)), ROW_(N) & 3, mat_f_load(even), c##N);                          \
        c##N = mat_f_fma_four(mat_f_four(x + step + FOUR_(N)), ROW_(N) & 3, mat_f_load(odd), c##N);                    \
    }
#define SPREAD_(N)                                                                                                     \
    c##N = mat_f_fma_each(mat_f_spread(mat_f_load(x + COLUMNS_(N)), ROW_(N)), mat_f_load(y + COLUMNS_(N)), c##N);
#define FLUSH_(N)    c##N = mat_f_flush(c##N);
#define NAN_(N, M)   nan = mat_f_nan(nan, c##N, c##M);
#define STORE_(N, M) mat_sums_store(&t, s, N, c##N, c##M);

/* False, and nothing written, when a NaN came out. `flush`: denormals of C and D count as zero. */
MAT_INLINE bool mat_tile_numbers(const struct mat_operands *o, const struct mat_tile t, const struct mat_shape s,
                                 const enum tile_kind kind, const struct mat_fresh fresh, const bool flush)
{
    const uint32_t *x = t.a, *y = t.b, *at = t.picked;
    const size_t step = o->step;
    const unsigned vectors = mat_tile_vectors(s);
    mat_nan nan = mat_nan_not_yet;

    TILE_EACH_(SUM_)
    if (t.c) {
        TILE_EACH_(LOAD_)
    } else {
        const struct mat_f row = mat_f_load(t.c_row);
        TILE_EACH_(SAME_)
    }
    if (flush) {
        TILE_EACH_(FLUSH_)
    }
    for (unsigned l = 0; l < o->used && kind == TILE_FRESH; l += TILE_COLUMNS) {
#pragma GCC unroll 1
        for (unsigned n = 0; n < o->registers; n++) {
#pragma GCC unroll 4
            for (unsigned bit = 0; bit < 32; bit += fresh.bits, x += step) {
                const struct mat_f row = mat_f_convert(fresh.convert, y + n * o->lanes + l, bit, fresh.flush);
                TILE_EACH_(FRESH_)
            }
        }
    }
#pragma GCC unroll 1
    for (unsigned k = kind == TILE_FRESH ? 0 : o->count; k; k--, x += step) {
        if (kind == TILE_PICKED) {
            TILE_EACH_(PICKED_)
            at += s.rows;
            x += step;
            k--;
            continue;
        }
        if (kind == TILE_SPREAD) {
            TILE_EACH_(SPREAD_)
        } else {
            TILE_EACH_(PLAIN_)
        }
        y += step;
    }
    TILE_PAIRS_(NAN_)
    if (__builtin_expect(mat_nan_met(nan), 0))
        return false;
    if (flush) {
        TILE_EACH_(FLUSH_)
    }
    TILE_PAIRS_(STORE_)
    return true;
}
#undef SUM_
#undef LOAD_
#undef SAME_
#undef PLAIN_
#undef FRESH_
#undef PICKED_
#undef SPREAD_
#undef FLUSH_
#undef NAN_
#undef STORE_

MAT_INLINE size_t mat_picked(const struct mat_tile *t, const struct mat_operands *o, unsigned k, unsigned row)
{
    return t->picked[k / 2 * o->rows + row] >> (k % 2 * 16) & 0xffff;
}

/* Sum n of the same by the rules of isa/lanes/fp.h for NaN (nan3_f32). */
MAT_INLINE void mat_sum_nan(const struct mat_operands *o, const struct mat_tile *t, const struct mat_shape *s,
                            const enum tile_kind kind, bool flush, unsigned n, uint32_t *c)
{
    const unsigned vectors = mat_tile_vectors(*s), row = ROW_(n), columns = COLUMNS_(n);

    mat_f_store(c, t->c ? mat_sum_load(t, *s, n) : mat_f_load(t->c_row));
    if (flush)
        mat_f_store(c, mat_f_flush(mat_f_load(c)));
    for (unsigned k = 0; k < o->count; k++) {
        const uint32_t *x = t->a + (size_t)k * o->step + (kind == TILE_SPREAD ? columns : 0);
        const uint32_t *y = t->b + (kind == TILE_PICKED ? mat_picked(t, o, k, row) : (size_t)k * o->step) + columns;
        uint32_t xs[TILE_COLUMNS], sum[TILE_COLUMNS];

        for (unsigned j = 0; j < TILE_COLUMNS; j++)
            xs[j] = x[kind == TILE_SPREAD ? (j & ~3u) + row : row];
        mat_f_store(sum, mat_f_fma_each(mat_f_load(xs), mat_f_load(y), mat_f_load(c)));
        for (unsigned j = 0; j < TILE_COLUMNS; j += MAT_WORDS) {
#define IS_NAN_(V)            ((mat_w)((mat_s)((V)&0x7fffffff) > 0x7f800000))
#define PICK_(MASK, V, OTHER) (((MASK) & (V)) | (~(MASK) & (OTHER)))
            mat_w va = mat_get(xs + j), vb = mat_get(y + j), vc = mat_get(c + j), r = mat_get(sum + j);
            mat_w nan = PICK_(IS_NAN_(vc), vc, (vc & 0) | QNAN32);
            nan = PICK_(IS_NAN_(vb), vb, nan);
            nan = PICK_(IS_NAN_(va), va, nan) | 0x00400000;
            mat_put(c + j, PICK_(IS_NAN_(r), nan, r));
#undef IS_NAN_
#undef PICK_
        }
    }
    if (flush)
        mat_f_store(c, mat_f_flush(mat_f_load(c)));
}

static __attribute__((noinline, cold)) void mat_tile_nan(const struct mat_operands *o, const struct mat_tile *t,
                                                         const struct mat_shape *s, enum tile_kind kind, bool flush)
{
    uint32_t out[TILE_SUMS][TILE_COLUMNS];

    for (unsigned n = 0; n < TILE_SUMS; n++)
        if (kind == TILE_PLAIN)
            mat_sum_nan(o, t, s, TILE_PLAIN, flush, n, out[n]);
        else if (kind == TILE_PICKED)
            mat_sum_nan(o, t, s, TILE_PICKED, flush, n, out[n]);
        else
            mat_sum_nan(o, t, s, TILE_SPREAD, flush, n, out[n]);
    for (unsigned n = 0; n < TILE_SUMS; n += 2)
        mat_sums_store(t, *s, n, mat_f_load(out[n]), mat_f_load(out[n + 1]));
}

MAT_INLINE void mat_tile_f32(const struct mat_operands *o, const struct mat_tile t, const struct mat_shape s,
                             const enum tile_kind kind, bool flush)
{
    const struct mat_fresh none = {0};

    if (kind == TILE_PICKED) { /* which lacks the registers for what the copies below would free from memory */
        if (!mat_tile_numbers(o, t, s, kind, none, flush))
            mat_tile_nan(o, &t, &s, kind, flush);
    } else if (!mat_tile_numbers(o, t, s, kind, none, flush)) {
        /* copies for a call that is not taken: what has its address taken is in memory from the start */
        const struct mat_operands operands = *o;
        const struct mat_tile tile = t;
        const struct mat_shape shape = s;
        mat_tile_nan(&operands, &tile, &shape, kind, flush);
    }
}

/* d is c plus the products' sum, which fits 32 bits by far: wraps, or with clamp saturates. */
MAT_INLINE void mat_add_c(const uint32_t *c, const uint32_t *sum, bool clamp, uint32_t *d)
{
    for (unsigned j = 0; j < TILE_COLUMNS; j += MAT_WORDS) {
        mat_w old = mat_get(c + j), more = mat_get(sum + j), v = old + more;
        if (clamp) {
            mat_w over = (mat_w)((mat_s)((old ^ v) & (more ^ v)) >> 31);
            v = (v & ~over) | (((mat_w)((mat_s)old >> 31) ^ 0x7fffffff) & over);
        }
        mat_put(d + j, v);
    }
}

MAT_INLINE void mat_tile_int(const struct mat_operands *o, const struct mat_tile t, const struct mat_shape s,
                             const enum tile_kind kind, bool clamp)
{
    const uint32_t *x = t.a, *y = t.b;
    const size_t step = o->step;
    const unsigned vectors = mat_tile_vectors(s);

#define ZERO_(N)  struct mat_i c##N = mat_i_zero();
#define PLAIN_(N) c##N = mat_i_madd(x[ROW_(N)], mat_i_load(y + COLUMNS_(N)), c##N);
#define SPREAD_(N)                                                                                                     \
    c##N = mat_i_madd_each(mat_i_spread(mat_i_load(x + COLUMNS_(N)), ROW_(N)), mat_i_load(y + COLUMNS_(N)), c##N);
#define STORE_(N) mat_i_store(t.d + mat_sum_at(s, N), mat_i_add(c##N, mat_i_load(mat_tile_c(&t, s, N))));
#define CLAMP_(N)                                                                                                      \
    mat_i_store(sum, c##N);                                                                                            \
    mat_add_c(mat_tile_c(&t, s, N), sum, true, t.d + mat_sum_at(s, N));
    TILE_EACH_(ZERO_)
#pragma GCC unroll 1
    for (unsigned k = o->count; k; k--, x += step, y += step) {
        if (kind == TILE_SPREAD) {
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
#undef ROW_
#undef COLUMNS_
#undef FOUR_

/* --- doubles: four rows by eight columns or a few times as many ----------------------------------------------------
 */

#ifdef __AVX512F__
enum { TILE_SUMS64 = 8 };
#define TILE_EACH64_(DO)  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define TILE_PAIRS64_(DO) DO(0, 1) DO(2, 3) DO(4, 5) DO(6, 7)
#else
enum { TILE_SUMS64 = TILE_SUMS };
#define TILE_EACH64_  TILE_EACH_
#define TILE_PAIRS64_ TILE_PAIRS_
#endif
enum {
    TILE_ROWS64 = 4,
    TILE_VECTORS64 = TILE_SUMS64 / TILE_ROWS64,
    TILE_COLUMNS64 = 8, /* of one sum */
    TILE_K64 = 4,       /* all there are have four */
    TILE_STEP64 = 16,   /* rows, and columns of all blocks */
    TILE_ROW64 = 16     /* words of c_row: low ones, and as many high ones after */
};

/* Low words of a tile; the high ones are `high` words further, those of c_row, of which all rows are where c is null,
 * TILE_ROW64. A and B as vectors (mat_d_place), TILE_STEP64 doubles from k to k, which is how far rows of C and D
 * are apart, too. */
struct mat_tile64 {
    const double *a, *b;
    const uint32_t *c, *c_row;
    uint32_t *d;
    size_t high;
};

#define ROW_(N)     ((N) / TILE_VECTORS64)
#define COLUMNS_(N) ((N) % TILE_VECTORS64 * TILE_COLUMNS64)
#define AT_(N)      (ROW_(N) * TILE_STEP64 + COLUMNS_(N))

static __attribute__((noinline, cold)) void mat_tile64_nan(const struct mat_tile64 *t, bool spread)
{
    double out[TILE_SUMS64][TILE_COLUMNS64];

    for (unsigned n = 0; n < TILE_SUMS64; n++)
        for (unsigned l = 0; l < TILE_COLUMNS64; l++) {
            const unsigned j = COLUMNS_(n) + l;
            const uint32_t *lo = t->c ? t->c + AT_(n) + l : t->c_row + l, *hi = lo + (t->c ? t->high : TILE_ROW64);
            double v = as_f64(*lo | (uint64_t)*hi << 32);
            for (unsigned k = 0; k < TILE_K64; k++)
                v = fma_f64(t->a[k * TILE_STEP64 + mat_d_place(spread ? (j & ~3u) + ROW_(n) : ROW_(n))],
                            t->b[k * TILE_STEP64 + mat_d_place(j)], v);
            out[n][l] = v;
        }
    for (unsigned n = 0; n < TILE_SUMS64; n++)
        for (unsigned l = 0; l < TILE_COLUMNS64; l++) {
            uint32_t *d = t->d + AT_(n) + l;
            d[0] = (uint32_t)bits_f64(out[n][l]);
            d[t->high] = (uint32_t)(bits_f64(out[n][l]) >> 32);
        }
}

/* Rows of B that a tile meets, as vectors: those of one k after the other. */
enum { TILE_ROWS_OF_B64 = TILE_K64 * TILE_VECTORS64 };

/* `of_b`: what is at t.b. `spread`: blocks of 4x4 side by side. */
MAT_INLINE void mat_tile_f64(const struct mat_tile64 t, const struct mat_d of_b[TILE_ROWS_OF_B64], const bool spread)
{
    mat_nan nan = mat_nan_not_yet;

#define SUM_(N) struct mat_d c##N;
#ifdef __AVX512F__ /* n and n + 1 are a row */
#define LOAD_(N, M)  mat_d_join_two(t.c + AT_(N), t.c + AT_(N) + t.high, &c##N, &c##M);
#define STORE_(N, M) mat_d_split_two(c##N, c##M, t.d + AT_(N), t.d + AT_(N) + t.high);
#else
#define LOAD_(N, M)                                                                                                    \
    c##N = mat_d_join(t.c + AT_(N), t.c + AT_(N) + t.high);                                                            \
    c##M = mat_d_join(t.c + AT_(M), t.c + AT_(M) + t.high);
#define STORE_(N, M)                                                                                                   \
    mat_d_split(c##N, t.d + AT_(N), t.d + AT_(N) + t.high);                                                            \
    mat_d_split(c##M, t.d + AT_(M), t.d + AT_(M) + t.high);
#endif
#define SAME_(N)   c##N = row;
#define PLAIN_(N)  c##N = mat_d_fma(x + mat_d_place(ROW_(N)), y[(N) % TILE_VECTORS64], c##N);
#define SPREAD_(N) c##N = mat_d_fma_each(mat_d_spread(x, ROW_(N)), y[(N) % TILE_VECTORS64], c##N);
#define NAN_(N, M) nan = mat_d_nan(nan, c##N, c##M);
    TILE_EACH64_(SUM_)
    if (t.c) {
        TILE_PAIRS64_(LOAD_)
    } else {
        struct mat_d row, same;
        mat_d_join_two(t.c_row, t.c_row + TILE_ROW64, &row, &same);
        TILE_EACH64_(SAME_)
    }
#pragma GCC unroll 4
    for (unsigned k = 0; k < TILE_K64; k++) {
        const double *x = t.a + k * TILE_STEP64;
        const struct mat_d *y = of_b + k * TILE_VECTORS64;
        if (spread) {
            TILE_EACH64_(SPREAD_)
        } else {
            TILE_EACH64_(PLAIN_)
        }
    }
    TILE_PAIRS64_(NAN_)
    if (__builtin_expect(mat_nan_met(nan), 0)) {
        const struct mat_tile64 tile = t; /* a copy for a call that is not taken, as in mat_tile_f32 */
        mat_tile64_nan(&tile, spread);
        return;
    }
    TILE_PAIRS64_(STORE_)
#undef SUM_
#undef LOAD_
#undef SAME_
#undef PLAIN_
#undef SPREAD_
#undef NAN_
#undef STORE_
}
#undef ROW_
#undef COLUMNS_
#undef AT_

/* A and B from their registers, 128 words each. One k per lane: lanes are rows or columns of all blocks, k by k. */
MAT_INLINE void mat_product_f64(const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *c_row,
                                uint32_t *d, const bool spread)
{
    enum { LANES = TILE_STEP64 * TILE_K64 };
    double x[LANES], y[LANES];

    for (unsigned l = 0; l < LANES; l += 16) {
        struct mat_d first, second;
        mat_d_join_two(a + l, a + LANES + l, &first, &second);
        mat_d_store(x + l, first);
        mat_d_store(x + l + 8, second);
        mat_d_join_two(b + l, b + LANES + l, &first, &second);
        mat_d_store(y + l, first);
        mat_d_store(y + l + 8, second);
    }
    for (unsigned j = 0; j < TILE_STEP64; j += TILE_VECTORS64 * TILE_COLUMNS64) {
        struct mat_d of_b[TILE_ROWS_OF_B64]; /* stays in registers from tile to tile where there are enough */
        for (unsigned n = 0; n < TILE_ROWS_OF_B64; n++)
            of_b[n] = mat_d_load(y + n / TILE_VECTORS64 * TILE_STEP64 + n % TILE_VECTORS64 * TILE_COLUMNS64 + j);
        for (unsigned i = 0; i < (spread ? 4 : 16); i += TILE_ROWS64) {
            const size_t at = i / 4 * 2 * LANES + j;
            const struct mat_tile64 t = {
                .a = x + (spread ? j : mat_d_place(i)),
                .b = y + j,
                .c = c ? c + at : NULL,
                .c_row = c_row,
                .d = d + at,
                .high = LANES,
            };
            mat_tile_f64(t, of_b, spread);
        }
    }
}

#undef TILE_EACH_
#undef TILE_PAIRS_
#undef TILE_EACH64_
#undef TILE_PAIRS64_

#endif
