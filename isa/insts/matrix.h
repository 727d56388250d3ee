/* The engine behind the matrix rows of mfma.c and wmma.c: registers to matrices, the product, and back.
 *
 * Layouts: isa/insts/matrix_layout.h; inner loops: isa/insts/matrix_kernel.h. Sources and what is only inferred:
 * docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_H
#define GCNSIM_ISA_INSTS_MATRIX_H

#include "isa/insts/matrix_layout.h"

/* --- floats ------------------------------------------------------------------------------------------------------ */

static inline float neg_if(float v, bool neg)
{
    return as_f32(bits_f32(v) ^ (neg ? 0x80000000u : 0));
}

/* One operand as floats. neg flips the sign of even (bit 0) and odd items (bit 1). */
static inline __attribute__((always_inline)) void mat_convert(const struct mat_run *r, const uint32_t *rows,
                                                              unsigned type, unsigned per, unsigned neg, float *to)
{
    const unsigned bits = mat_bits(type);
    const uint32_t mask = bits == 32 ? 0xffffffff : (1u << bits) - 1;
    const bool flush = r->flush;

#define PUT(ITEM, LANE, V) to[(ITEM)*used_ + (LANE)] = neg_if(mat_float(type, flush, (V)&mask), neg >> ((ITEM)&1) & 1)
    MAT_EACH(r, rows, per, 1, bits, PUT);
#undef PUT
}

#if defined(__AVX2__) && defined(__F16C__)
/* The host's conversion makes a NaN quiet, which the sum would do anyway. */
static inline void mat_convert_f16(const struct mat_run *r, const uint32_t *rows, unsigned per, unsigned neg, float *to)
{
    const __m256i low = _mm256_set1_epi32(0xffff), exponent = _mm256_set1_epi32(0x7c00),
                  denormal = _mm256_set1_epi32(r->flush ? 0x8000 : 0xffff);
    const unsigned used = ab_lanes(r);

    for (unsigned item = 0; item < per; item++) {
        const uint32_t *from = rows + item / 2 * r->lanes;
        const __m128i shift = _mm_cvtsi32_si128(item & 1 ? 16 : 0);
        const __m256 flip = _mm256_castsi256_ps(_mm256_set1_epi32(neg >> (item & 1) & 1 ? INT32_MIN : 0));
        for (unsigned lane = 0; lane < used; lane += 8, to += 8) {
            __m256i v = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(from + lane)), shift);
            __m256i small = _mm256_cmpeq_epi32(_mm256_and_si256(v, exponent), _mm256_setzero_si256());
            v = _mm256_and_si256(v, _mm256_blendv_epi8(low, denormal, small));
            __m128i halves = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
            _mm256_storeu_ps(to, _mm256_xor_ps(_mm256_cvtph_ps(halves), flip));
        }
    }
}
#else
static inline void mat_convert_f16(const struct mat_run *r, const uint32_t *rows, unsigned per, unsigned neg, float *to)
{
    mat_convert(r, rows, MT_F16, per, neg, to);
}
#endif

static void mat_convert_any(const struct mat_run *r, const uint32_t *rows, unsigned type, unsigned per, unsigned neg,
                            float *to)
{
    switch (type) {
    case MT_F16:
        mat_convert_f16(r, rows, per, neg, to);
        break;
#define CASE(T)                                                                                                        \
    case T:                                                                                                            \
        mat_convert(r, rows, T, per, neg, to);                                                                         \
        break;
        CASE(MT_BF16)
        CASE(MT_XF32)
        CASE(MT_FP8_FNUZ)
        CASE(MT_BF8_FNUZ)
        CASE(MT_FP8)
        CASE(MT_BF8)
#undef CASE
    default: /* f32, which has no modifiers */
        memcpy(to, rows, per * r->lanes * sizeof *to);
        break;
    }
}

static inline void mat_load_f32(const struct mat_run *r, float *a, float *b)
{
    const struct isa_matrix *m = r->m;
    unsigned lo = m->mods & MM_NEG ? r->i->neg : 0, hi = m->mods & MM_NEG ? r->i->neg_hi : 0;
    uint32_t room[MAT_AB_MAX];

    mat_convert_any(r, r->a, m->a, r->per_a, (lo & 1) | (hi & 1) << 1, a);
    mat_convert_any(r, mat_permuted_b(r, room), m->b, r->per_b, (lo >> 1 & 1) | (hi >> 1 & 1) << 1, b);
}

/* Row i of block b of C, as the bits of floats. */
static inline void mat_load_c(const struct mat_run *r, unsigned b, unsigned i, uint32_t *c)
{
    const struct isa_matrix *m = r->m;
    const bool mods = m->mods & MM_NEG_C;
    const uint32_t keep = mods && (r->i->neg_hi & 4) ? 0x7fffffff : 0xffffffff,
                   flip = mods && (r->i->neg & 4) ? 0x80000000u : 0;
    unsigned lane, item, shift = 0;

    cd_place(r, b, i, &lane, &item);
    if (m->cd != MT_F32 && m->kind == MAT_WMMA) /* one half of each register */
        shift = r->i->op_sel >> 2 & 1 ? 16 : 0;
    else if (m->cd != MT_F32) {
        shift = item & 1 ? 16 : 0;
        item /= 2;
    }
    const uint32_t *from = r->c + item * r->lanes + lane;
    if (r->c && m->n == 16)
        memcpy(c, from, 16 * sizeof *c); /* sizes known to the compiler: twice as fast */
    else if (r->c)
        memcpy(c, from, 32 * sizeof *c);
    else
        for (unsigned j = 0; j < m->n; j++)
            c[j] = (uint32_t)r->c_const << shift;
    if (m->cd == MT_F16)
        mat_widen16(c, shift); /* all that are not f32 are 16 wide */
    else if (m->cd == MT_BF16)
        for (unsigned j = 0; j < 16; j++)
            c[j] = c[j] >> shift << 16;
    if (keep != 0xffffffff || flip)
        for (unsigned j = 0; j < m->n; j++)
            c[j] = (c[j] & keep) ^ flip;
    if (r->flush)
        for (unsigned j = 0; j < m->n; j++)
            c[j] = bits_f32(ftz32(as_f32(c[j])));
}

/* Row i of block b of D, where it is not written in place. */
static inline void mat_store_d(const struct mat_run *r, unsigned b, unsigned i, const uint32_t *c)
{
    const struct isa_matrix *m = r->m;
    unsigned lane, item, half;

    cd_place(r, b, i, &lane, &item);
    if (m->cd == MT_F32) {
        for (unsigned j = 0; j < m->n; j++)
            r->d[item * r->lanes + lane + j] = r->flush ? bits_f32(ftz32(as_f32(c[j]))) : c[j];
        return;
    }
    half = m->kind == MAT_WMMA ? r->i->op_sel >> 2 & 1 : item & 1;
    if (m->kind != MAT_WMMA)
        item /= 2;
    uint32_t *to = r->d + item * r->lanes + lane;
    const unsigned shift = half ? 16 : 0;
    const uint32_t stays = half ? 0xffff : 0xffff0000;
    uint32_t narrow[16];
    if (m->cd == MT_F16)
        mat_narrow16(c, narrow);
    else
        for (unsigned j = 0; j < 16; j++)
            narrow[j] = bf16_from_f32(as_f32(c[j]));
    LANE_PRAGMA
    for (unsigned j = 0; j < 16; j++)
        to[j] = (to[j] & stays) | narrow[j] << shift;
}

/* Whether C and D are f32 registers as they stand. */
static inline bool mat_direct(const struct mat_run *r)
{
    return r->m->cd == MT_F32 && !r->flush && !((r->m->mods & MM_NEG_C) && ((r->i->neg | r->i->neg_hi) & 4));
}

/* Rows i to i + 3 of block b, out of C into D. t has the operands of column 0. */
static inline __attribute__((always_inline)) void mat_four_rows(const struct mat_run *r, struct mat_tile *t, bool own,
                                                                bool direct, unsigned b, unsigned i)
{
    uint32_t room[TILE_ROWS][32];

    for (unsigned k = 0; k < TILE_ROWS; k++) {
        unsigned lane, item;
        t->c[k] = t->d[k] = room[k];
        if (!direct || !r->c)
            mat_load_c(r, b, i + k, room[k]);
        if (!direct)
            continue;
        cd_place(r, b, i + k, &lane, &item);
        t->d[k] = r->d + item * r->lanes + lane;
        if (r->c)
            t->c[k] = r->c + item * r->lanes + lane;
    }
    for (unsigned j = 0;;) {
        if (__builtin_expect(!mat_tile_f32(t, own), 0))
            mat_tile_nan(t, own);
        if ((j += TILE_COLUMNS) == r->m->n)
            break;
        t->b += TILE_COLUMNS;
        for (unsigned k = 0; k < TILE_ROWS; k++) {
            t->c[k] += TILE_COLUMNS;
            t->d[k] += TILE_COLUMNS;
        }
    }
    if (!direct)
        for (unsigned k = 0; k < TILE_ROWS; k++)
            mat_store_d(r, b, i + k, room[k]);
}

/* Sixteen blocks of 4x4 side by side in the lanes: one row of all of them at once. */
static void mat_run_4x4(const struct mat_run *r, const float *a, const float *b)
{
    uint32_t rows[4][64], spread[64];
    float x[4][64], c[64];

    for (unsigned k = 0; k < r->m->k; k++)
        for (unsigned q = 0; q < 16; q++)
            memcpy(rows[k] + 4 * q, a + 64 * k + 4 * a_block(r, q), 4 * sizeof *a);
    for (unsigned i = 0; i < 4; i++) {
        unsigned nan = 0;
        for (unsigned k = 0; k < r->m->k; k++) {
            mat_spread4(spread, rows[k], i, 64);
            memcpy(x[k], spread, sizeof x[k]);
        }
        for (unsigned exact = 0; exact < 2; exact++) {
            for (unsigned l = 0; l < 64; l++) {
                float v = as_f32(r->c ? r->c[i * 64 + l] : (uint32_t)r->c_const);
                c[l] = r->flush ? ftz32(v) : v;
            }
            for (unsigned k = 0; k < r->m->k; k++) {
                LANE_PRAGMA
                for (unsigned l = 0; l < 64; l++) {
                    float v = __builtin_fmaf(x[k][l], b[k * 64 + l], c[l]);
                    c[l] = exact ? nan3_f32(v, x[k][l], b[k * 64 + l], c[l]) : v;
                }
            }
            for (unsigned l = 0; l < 64; l++)
                nan |= isnan32(c[l]) ? ~0u : 0;
            if (!nan)
                break;
        }
        for (unsigned l = 0; l < 64; l++)
            r->d[i * 64 + l] = bits_f32(r->flush ? ftz32(c[l]) : c[l]);
    }
}

static int mat_run_f32(struct isa_wave *w, const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    float a[MAT_AB_MAX], b[MAT_AB_MAX];
    struct mat_places at;
    struct mat_tile t;
    const bool direct = mat_direct(r), sparse = isa_matrix_sparse(m);

    mat_place(r, m->m, r->ka, r->per_a, 1, at.a);
    mat_place(r, m->n, m->k, r->per_b, 1, at.b);
    if (sparse && mat_indices(w, r, &at))
        return ISA_FAULT;
    mat_load_f32(r, a, b);
    if (m->m == 4) {
        mat_run_4x4(r, a, b);
        return ISA_OK;
    }
    t.count = r->ka;
    t.a_at = at.a;
    t.b_step = sparse ? m->m : 1;
    for (unsigned q = 0; q < m->blocks; q++)
        for (unsigned i = 0; i < m->m; i += TILE_ROWS) {
            t.a = a + m->m * a_block(r, q) + i;
            t.b = b + m->n * q;
            t.b_at = sparse ? at.picked + i : at.b;
            if (sparse)
                mat_four_rows(r, &t, true, direct, q, i);
            else
                mat_four_rows(r, &t, false, direct, q, i);
        }
    return ISA_OK;
}

/* --- doubles ----------------------------------------------------------------------------------------------------- */

static void mat_rows_f64(const struct mat_run *r, const double *a, const double *b, bool neg_c)
{
    const struct isa_matrix *m = r->m;
    const uint64_t flip = neg_c ? UINT64_C(1) << 63 : 0;
    const unsigned n = m->n;
    struct mat_row64 row = {.x_step = m->m * m->blocks, .y_step = n * m->blocks, .count = m->k, .n = n};
    double old[16], c[16];

    for (unsigned q = 0; q < m->blocks; q++)
        for (unsigned i = 0; i < m->m; i++) {
            unsigned lane, item;
            row.x = a + i + m->m * a_block(r, q);
            row.y = b + n * q;
            cd_place(r, q, i, &lane, &item);
            const size_t at = 2 * item * r->lanes + lane;
            uint32_t *const lo = r->d + at, *const hi = lo + r->lanes;
            if (r->c)
                mat_join64(r->c + at, r->c + at + r->lanes, flip, n, old);
            else
                for (unsigned j = 0; j < n; j++)
                    old[j] = as_f64(r->c_const ^ flip);
            for (unsigned j = 0; j < n; j++)
                c[j] = old[j];
            mat_row_f64(&row, c);
            if (__builtin_expect(mat_split64(c, true, n, lo, hi), 1))
                continue;
            mat_row_f64_nan(&row, old);
            mat_split64(old, false, n, lo, hi);
        }
}

/* One k per lane: lane = row or column + 4 or 16 * (block + blocks * k). blgp's bits negate A, B and C. */
static int mat_run_f64(const struct mat_run *r)
{
    unsigned neg = r->m->mods & MM_BLGP_NEG ? r->i->u.mai.blgp : 0;
    double a[64], b[64];

    mat_join64(r->a, r->a + r->lanes, neg & 1 ? UINT64_C(1) << 63 : 0, 64, a);
    mat_join64(r->b, r->b + r->lanes, neg & 2 ? UINT64_C(1) << 63 : 0, 64, b);
    mat_rows_f64(r, a, b, neg & 4);
    return ISA_OK;
}

/* --- integers ---------------------------------------------------------------------------------------------------- */

static inline uint32_t mat_int16(uint32_t v, unsigned bits, bool sign)
{
    uint32_t low = v & ((1u << bits) - 1), top = 1u << (bits - 1);

    return (sign ? (low ^ top) - top : low) & 0xffff;
}

/* One operand as pairs of 16-bit integers, two k each. */
static inline __attribute__((always_inline)) void mat_pairs(const struct mat_run *r, const uint32_t *rows,
                                                            const unsigned bits, unsigned per, bool sign, uint32_t *to)
{
#define PUT(ITEM, LANE, V)                                                                                             \
    to[(ITEM) / 2 * used_ + (LANE)] = mat_int16(V, bits, sign) | mat_int16((V) >> bits, bits, sign) << 16
    MAT_EACH(r, rows, per, 2, bits, PUT);
#undef PUT
}

static void mat_pairs_any(const struct mat_run *r, const uint32_t *rows, unsigned type, unsigned per, bool sign,
                          uint32_t *to)
{
    if (type == MT_I8)
        mat_pairs(r, rows, 8, per, sign, to);
    else
        mat_pairs(r, rows, 4, per, sign, to);
}

/* One operand as integers, one k each. */
static inline __attribute__((always_inline)) void
mat_singles(const struct mat_run *r, const uint32_t *rows, const unsigned bits, unsigned per, bool sign, uint32_t *to)
{
#define PUT(ITEM, LANE, V) to[(ITEM)*used_ + (LANE)] = (uint32_t)(int16_t)mat_int16(V, bits, sign)
    MAT_EACH(r, rows, per, 1, bits, PUT);
#undef PUT
}

static void mat_singles_any(const struct mat_run *r, const uint32_t *rows, unsigned type, unsigned per, bool sign,
                            uint32_t *to)
{
    if (type == MT_I8)
        mat_singles(r, rows, 8, per, sign, to);
    else
        mat_singles(r, rows, 4, per, sign, to);
}

/* The products' sum fits 32 bits by far; adding C wraps, or with clamp saturates. */
static inline void mat_add_c(const struct mat_run *r, const uint32_t *c, const int32_t *sum, unsigned n, uint32_t *d)
{
    uint32_t constant[64];

    if (!c) {
        for (unsigned j = 0; j < n; j++)
            constant[j] = (uint32_t)r->c_const;
        c = constant;
    }
    if (r->i->clamp)
        for (unsigned j = 0; j < n; j++) {
            int64_t v = (int32_t)c[j] + (int64_t)sum[j];
            d[j] = (uint32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
        }
    else
        LANE_PRAGMA
    for (unsigned j = 0; j < n; j++)
        d[j] = c[j] + (uint32_t)sum[j];
}

static void mat_int_4x4(const struct mat_run *r, const uint32_t *a, const uint32_t *b)
{
    uint32_t row[64], x[64];
    int32_t sum[64];

    for (unsigned i = 0; i < 4; i++) {
        memset(sum, 0, sizeof sum);
        for (unsigned p = 0; p < r->m->k / 2u; p++) {
            for (unsigned q = 0; q < 16; q++)
                memcpy(row + 4 * q, a + 64 * p + 4 * a_block(r, q), 4 * sizeof *a);
            mat_spread4(x, row, i, 64);
            LANE_PRAGMA
            for (unsigned l = 0; l < 64; l++)
                sum[l] += mat_pair(x[l], b[64 * p + l]);
        }
        mat_add_c(r, r->c ? r->c + i * 64 : NULL, sum, 64, r->d + i * 64);
    }
}

static int mat_run_int(struct isa_wave *w, const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    const bool sparse = isa_matrix_sparse(m);
    const unsigned sign = m->mods & MM_SIGN ? r->i->neg : 3, step = sparse ? 1 : 2;
    uint32_t a[MAT_AB_MAX], b[MAT_AB_MAX], room[MAT_AB_MAX];
    struct mat_places at;
    struct mat_itile t = {.count = r->ka / step, .b_step = sparse ? m->m : 1, .a_at = at.a};
    int32_t sum[TILE_ROWS][32];

    mat_place(r, m->m, r->ka, r->per_a, step, at.a);
    mat_place(r, m->n, m->k, r->per_b, step, at.b);
    if (sparse) {
        if (mat_indices(w, r, &at))
            return ISA_FAULT;
        mat_singles_any(r, r->a, m->a, r->per_a, sign & 1, a);
        mat_singles_any(r, r->b, m->b, r->per_b, sign & 2, b);
    } else {
        mat_pairs_any(r, r->a, m->a, r->per_a, sign & 1, a);
        mat_pairs_any(r, mat_permuted_b(r, room), m->b, r->per_b, sign & 2, b);
    }
    if (m->m == 4) {
        mat_int_4x4(r, a, b);
        return ISA_OK;
    }
    for (unsigned q = 0; q < m->blocks; q++)
        for (unsigned i = 0; i < m->m; i += TILE_ROWS) {
            t.a = a + m->m * a_block(r, q) + i;
            t.b = b + m->n * q;
            t.b_at = sparse ? at.picked + i : at.b;
            for (unsigned j = 0; j < m->n; j += TILE_COLUMNS, t.b += TILE_COLUMNS)
                sparse ? mat_tile_int_own(&t, sum[0] + j, 32) : mat_tile_int(&t, sum[0] + j, 32);
            for (unsigned k = 0; k < TILE_ROWS; k++) {
                unsigned lane, item;
                cd_place(r, q, i + k, &lane, &item);
                size_t place = item * r->lanes + lane;
                mat_add_c(r, r->c ? r->c + place : NULL, sum[k], m->n, r->d + place);
            }
        }
    return ISA_OK;
}

/* --- from the instruction ---------------------------------------------------------------------------------------- */

/* Register rows of operand k, which is no constant. Null after a fault. */
static inline uint32_t *mat_rows(struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = isa_matrix_dwords(i->row->mat, i->row->args[k].slot, isa_types[o->type].dwords, w->lanes);
    unsigned first = o->code - CODE_VGPR;
    bool acc = o->flags & A_ACC;

    if (first + dwords > (acc ? w->nagprs : w->nvgprs)) {
        isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "%c%u is past the wave's %u allocated registers", acc ? 'a' : 'v',
                  first + dwords - 1, acc ? w->nagprs : w->nvgprs);
        return NULL;
    }
    return (acc ? w->acc : w->v) + (size_t)first * w->lanes;
}

static inline uint64_t mat_constant(const struct isa_wave *w, const struct isa_inst *i)
{
    static const uint8_t type[] = {
        [MT_F32] = T_F32, [MT_F64] = T_F64, [MT_F16] = T_F16, [MT_BF16] = T_BF16, [MT_I32] = T_B32};

    return isa_const(w, i, i->op[3].code, type[i->row->mat->cd]);
}

/* D may lie over a source: A, B and the index sets are read before D is written, C row by row where it is D; where it
 * is D in part, `room` takes it first. */
static inline void mat_part_c(struct mat_run *r, uint32_t *room)
{
    const struct isa_opnd *o = &r->i->op[3];
    unsigned words = isa_matrix_dwords(r->m, SL_SRC2, isa_types[o->type].dwords, r->lanes) * r->lanes;

    if (r->c == r->d || r->c + words <= r->d || r->d + words <= r->c)
        return;
    memcpy(room, r->c, words * sizeof *room);
    r->c = room;
}

/* EXEC plays no part: all lanes take part. */
static int mat_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_matrix *m = i->row->mat;
    struct mat_run r = {.m = m, .i = i, .lanes = w->lanes, .ka = m->k};
    bool sparse = isa_matrix_sparse(m);
    uint32_t room[MAT_CD_WORDS];

    (void)env, (void)fx;
    if (sparse)
        r.ka = m->k / 2u;
    r.flush = (m->a == MT_F16 || m->a == MT_BF16) && isa_has(w->target, FEAT_MATRIX_FLUSH16);
    r.d = mat_rows(w, i, 0);
    r.a = mat_rows(w, i, 1);
    r.b = mat_rows(w, i, 2);
    if (!r.d || !r.a || !r.b)
        return ISA_FAULT;
    if (i->op[3].code < CODE_VGPR) {
        r.c_const = mat_constant(w, i);
    } else {
        const uint32_t *third = mat_rows(w, i, 3);
        if (!third)
            return ISA_FAULT;
        r.c = sparse ? r.d : third;
        r.index = third;
        mat_part_c(&r, room);
    }
    mat_find_places(&r);
    return m->cd == MT_F64 ? mat_run_f64(&r) : m->cd == MT_I32 ? mat_run_int(w, &r) : mat_run_f32(w, &r);
}

#define MATRIX_ROW_(NAME, CLS, FLAGS, KIND, D, A, B, M, N, K, BLOCKS, TA, TB, TCD, PASSES, MODS, DFLAGS, CTYPE, ...)   \
    static const struct isa_matrix NAME##_mat = {KIND, M, N, K, BLOCKS, MT_##TA, MT_##TB, MT_##TCD, PASSES, MODS};     \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, (FLAGS) | RF_NO_EXEC | RF_ANY_LANE | RF_NO_DPP, 0)                                  \
        .exec = mat_exec,                                                                                              \
      .mat = &NAME##_mat,                                                                                              \
      .args = {{SL_VDST, T_##D, DFLAGS}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_##CTYPE, A_RD}},  \
      ROW_TAIL_(NAME)

#endif
