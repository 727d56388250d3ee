/* The engine behind the matrix rows of mfma.c and wmma.c: registers to matrices, the product, and back.
 *
 * Where an element lives, in formulas (lane, then item: the how-manieth element of its type among the operand's
 * registers, low bits first):
 *
 *   A (i, k), block b    lane = i + m * (b + blocks * (k / per))       item = k % per
 *   B (k, j), block b    lane = j + n * (b + blocks * (k / per))       item = k % per
 *       per = how many consecutive k a lane holds = k * rows * blocks / lanes. WMMA of gfx11 has per = k: lanes 0..15
 *       hold all of A and B, and the copies that programs keep in the other lanes are not looked at.
 *   C, D (i, j), block b lane = j + n * (i / group % spread)           item = i % group + group * (i / (group *
 * spread)) spread = lanes / n; blocks follow one another in the registers. With m = 4 blocks share out the lanes
 * instead: lane = j + n * (b + blocks * (i / group % spread)), spread = lanes / (n * blocks). group = 4 for MFMA and
 * SMFMAC, 1 for f64 and for gfx11's WMMA, 256 / lanes for gfx12's. sparse A             two of every four consecutive k
 * are stored: item t of a lane is k = 4 * (t / 2) + index[t] (two bits each, from the low end of the lane's index set)
 * past the lane's first k.
 *
 * Sources and what is only inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_H
#define GCNSIM_ISA_INSTS_MATRIX_H

#include "isa/fp8.h"
#include "isa/fp_half.h"
#include "isa/shapes.h"

#define MAT_AB_MAX 1024 /* elements of A or B, all blocks */
#define MAT_CD_MAX 2048

/* One run: the operands' registers, and where its matrices stand. */
struct mat_run {
    const struct isa_matrix *m;
    const struct isa_inst *i;
    unsigned lanes;
    unsigned ka;           /* k that A stores: half of k when sparse */
    bool flush;            /* denormals of 16-bit A and B count as zero, and so do f32 ones of C and D */
    const uint32_t *a, *b; /* register rows */
    const uint32_t *c;     /* null: constant */
    uint64_t c_const;
    uint32_t *d;
    const uint32_t *index;
    uint8_t pick[MAT_AB_MAX]; /* dense k of A's stored element */
};

static inline unsigned mat_bits(unsigned type)
{
    switch (type) {
    case MT_F64:
        return 64;
    case MT_F16:
    case MT_BF16:
        return 16;
    case MT_I4:
        return 4;
    case MT_I8:
    case MT_FP8_FNUZ:
    case MT_BF8_FNUZ:
    case MT_FP8:
    case MT_BF8:
        return 8;
    default:
        return 32;
    }
}

/* Lanes that hold A and B. */
static inline unsigned ab_lanes(const struct mat_run *r)
{
    return r->m->kind == MAT_WMMA ? 16 : r->lanes;
}

/* Rows of C and D that lie in consecutive items of a lane. gfx12 gives lanes 0..15 the first rows, lanes 16..31 the
 * next ones and so on. */
static inline unsigned cd_group(const struct mat_run *r)
{
    if (r->m->kind == MAT_WMMA || r->m->cd == MT_F64)
        return 1;
    return r->m->kind == MAT_WMMA_SPLIT || r->m->kind == MAT_SWMMAC ? 256 / r->lanes : 4;
}

/* Lane and item of element (i, 0) of block b of C and D; j counts lanes on from there. */
static inline void cd_place(const struct mat_run *r, unsigned b, unsigned i, unsigned *lane, unsigned *item)
{
    const struct isa_matrix *m = r->m;
    unsigned group = cd_group(r), blocks_in_lanes = m->m == 4 ? m->blocks : 1;
    unsigned spread = r->lanes / (m->n * blocks_in_lanes), which = i / group % spread;

    *item = i % group + group * (i / (group * spread));
    if (blocks_in_lanes > 1)
        *lane = m->n * (b + m->blocks * which);
    else {
        *lane = m->n * which;
        *item += b * (m->m / spread);
    }
}

/* blgp: which lane's B a lane gets (CDNA3 ISA, "BLGP"). */
static inline unsigned blgp_lane(unsigned blgp, unsigned lane)
{
    switch (blgp) {
    case 1:
        return lane & 31;
    case 2:
        return lane | 32;
    case 3:
        return (lane + 16) & 63;
    case 4:
    case 5:
    case 6:
    case 7:
        return (lane & 15) + 16 * (blgp - 4);
    default:
        return lane;
    }
}

static inline uint32_t mat_item(const uint32_t *rows, unsigned lanes, unsigned lane, unsigned item, unsigned bits)
{
    unsigned at = item * bits;
    uint32_t word = rows[at / 32 * lanes + lane] >> (at % 32);

    return bits == 32 ? word : word & ((1u << bits) - 1);
}

static inline float xf32(uint32_t u)
{
    /* to nearest even at 10 bits of mantissa; a NaN stays one */
    if ((u & 0x7fffffff) > 0x7f800000)
        return quiet32(as_f32(u));
    if ((u & 0x7f800000) != 0x7f800000)
        u += 0xfff + (u >> 13 & 1);
    return as_f32(u & 0xffffe000);
}

static inline float mat_float(const struct mat_run *r, unsigned type, uint32_t v)
{
    switch (type) {
    case MT_F16:
        return half_to_f32((half_t)(r->flush && !(v & 0x7c00) ? v & 0x8000 : v));
    case MT_BF16:
        return bf16_to_f32(r->flush && !(v & 0x7f80) ? v & 0x8000 : v);
    case MT_XF32:
        return xf32(v);
    case MT_FP8_FNUZ:
        return from_fp8(fp8_fnuz, v);
    case MT_BF8_FNUZ:
        return from_fp8(bf8_fnuz, v);
    case MT_FP8:
        return from_fp8(fp8_ocp, v);
    case MT_BF8:
        return from_fp8(bf8_ocp, v);
    default:
        return as_f32(v);
    }
}

/* Calls PUT(block, row or column, stored k, bits) for every element of A (src 0) or B (src 1). */
#define MAT_EACH(R, SRC, ROWS, SIDE, KS, TYPE, PUT)                                                                    \
    do {                                                                                                               \
        const struct isa_matrix *m_ = (R)->m;                                                                          \
        unsigned bits_ = mat_bits(TYPE), used_ = ab_lanes(R), per_ = (KS) * (SIDE)*m_->blocks / used_;                 \
        for (unsigned lane_ = 0; lane_ < used_; lane_++) {                                                             \
            unsigned from_ = (SRC) == 1 && (m_->mods & MM_BLGP) ? blgp_lane((R)->i->u.mai.blgp, lane_) : lane_;        \
            unsigned side_ = lane_ % (SIDE), block_ = lane_ / (SIDE) % m_->blocks,                                     \
                     first_ = lane_ / (SIDE) / m_->blocks * per_;                                                      \
            for (unsigned item_ = 0; item_ < per_; item_++)                                                            \
                PUT(block_, side_, first_ + item_, mat_item(ROWS, (R)->lanes, from_, item_, bits_));                   \
        }                                                                                                              \
    } while (0)

/* The dense k of each element that a sparse A stores; index sets are counted in `key`. */
static inline int mat_indices(struct isa_wave *w, struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    unsigned per = r->ka * m->m / r->lanes, bits = 2 * per, sets = 32 / bits, key;

    if (m->kind == MAT_SMFMAC) {
        key = r->i->u.mai.cbsz ? 0 : r->i->u.mai.abid % sets;
    } else {
        key = r->i->op_sel;
        if (key >= sets)
            return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "index_key %u; a register holds %u sets of %u bits",
                             key, sets, bits);
    }
    for (unsigned lane = 0; lane < r->lanes; lane++) {
        unsigned i = lane % m->m, group = lane / m->m;
        uint32_t set = r->index[lane] >> (key * bits);
        for (unsigned t = 0; t < per; t++)
            r->pick[i * r->ka + group * per + t] = (uint8_t)(2 * group * per + 4 * (t / 2) + (set >> (2 * t) & 3));
    }
    return ISA_OK;
}

/* The block whose A serves block b: cbsz makes groups of 2^cbsz blocks, abid picks one of the group for all. */
static inline unsigned a_block(const struct mat_run *r, unsigned b)
{
    unsigned mask;

    if (r->m->kind != MAT_MFMA || r->m->blocks == 1)
        return b;
    mask = ((1u << r->i->u.mai.cbsz) - 1) & (r->m->blocks - 1u);
    return (b & ~mask) | (r->i->u.mai.abid & mask);
}

/* --- floats ------------------------------------------------------------------------------------------------------ */

static inline float neg_if(float v, bool neg)
{
    return as_f32(bits_f32(v) ^ (neg ? 0x80000000u : 0));
}

static inline void mat_load_f32(const struct mat_run *r, float *a, float *b)
{
    const struct isa_matrix *m = r->m;
    unsigned lo = m->mods & MM_NEG ? r->i->neg : 0, hi = m->mods & MM_NEG ? r->i->neg_hi : 0;

#define PUT_A(BLK, I, K, V) a[((BLK)*m->m + (I)) * r->ka + (K)] = neg_if(mat_float(r, m->a, V), ((K)&1 ? hi : lo) & 1)
#define PUT_B(BLK, J, K, V) b[((BLK)*m->k + (K)) * m->n + (J)] = neg_if(mat_float(r, m->b, V), ((K)&1 ? hi : lo) & 2)
    MAT_EACH(r, 0, r->a, m->m, r->ka, m->a, PUT_A);
    MAT_EACH(r, 1, r->b, m->n, m->k, m->b, PUT_B);
#undef PUT_A
#undef PUT_B
}

/* Row i of block b of C. */
static inline void mat_load_c(const struct mat_run *r, unsigned b, unsigned i, float *c)
{
    const struct isa_matrix *m = r->m;
    unsigned lane, item, half = 0;
    bool neg = (m->mods & MM_NEG_C) && (r->i->neg & 4), absolute = (m->mods & MM_NEG_C) && (r->i->neg_hi & 4);

    cd_place(r, b, i, &lane, &item);
    if (m->cd != MT_F32 && m->kind == MAT_WMMA) /* one half of each register */
        half = r->i->op_sel >> 2 & 1;
    else if (m->cd != MT_F32) {
        half = item & 1;
        item /= 2;
    }
    for (unsigned j = 0; j < m->n; j++) {
        uint32_t v = r->c ? r->c[item * r->lanes + lane + j] >> (16 * half) : (uint32_t)r->c_const;
        if (m->cd != MT_F32)
            v = bits_f32(mat_float(r, m->cd, v & 0xffff));
        v = (absolute ? v & 0x7fffffff : v) ^ (neg ? 0x80000000u : 0);
        c[j] = r->flush ? ftz32(as_f32(v)) : as_f32(v);
    }
}

static inline void mat_store_d(const struct mat_run *r, unsigned b, unsigned i, const float *c)
{
    const struct isa_matrix *m = r->m;
    unsigned lane, item, half;

    cd_place(r, b, i, &lane, &item);
    if (m->cd == MT_F32) {
        for (unsigned j = 0; j < m->n; j++)
            r->d[item * r->lanes + lane + j] = bits_f32(r->flush ? ftz32(c[j]) : c[j]);
        return;
    }
    half = m->kind == MAT_WMMA ? r->i->op_sel >> 2 & 1 : item & 1;
    if (m->kind != MAT_WMMA)
        item /= 2;
    for (unsigned j = 0; j < m->n; j++) {
        uint32_t *to = &r->d[item * r->lanes + lane + j];
        uint32_t v = m->cd == MT_F16 ? half_from_f32(c[j], 0, false) : bf16_from_f32(c[j]);
        *to = half ? (*to & 0xffff) | v << 16 : (*to & 0xffff0000) | v;
    }
}

/* k ascending, one rounding per product and sum. */
static inline void mat_product_f32(const struct mat_run *r, const float *a, const float *b, unsigned block, unsigned i,
                                   float *c)
{
    const struct isa_matrix *m = r->m;
    const float *row = a + (a_block(r, block) * m->m + i) * r->ka, *from = b + block * m->k * m->n;
    bool sparse = isa_matrix_sparse(m);

    for (unsigned t = 0; t < r->ka; t++) {
        const float x = row[t], *y = from + (sparse ? r->pick[i * r->ka + t] : t) * m->n;
        LANE_PRAGMA
        for (unsigned j = 0; j < m->n; j++)
            c[j] = fma_f32(x, y[j], c[j]);
    }
}

static int mat_run_f32(const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    float a[MAT_AB_MAX], b[MAT_AB_MAX], c[MAT_CD_MAX];

    /* D may lie over a source: everything is read before anything is written */
    mat_load_f32(r, a, b);
    for (unsigned k = 0; k < m->blocks; k++)
        for (unsigned i = 0; i < m->m; i++)
            mat_load_c(r, k, i, c + (k * m->m + i) * m->n);
    for (unsigned k = 0; k < m->blocks; k++)
        for (unsigned i = 0; i < m->m; i++) {
            float *row = c + (k * m->m + i) * m->n;
            mat_product_f32(r, a, b, k, i, row);
            mat_store_d(r, k, i, row);
        }
    return ISA_OK;
}

/* --- doubles ----------------------------------------------------------------------------------------------------- */

static inline double mat_get_f64(const uint32_t *rows, unsigned lanes, unsigned lane, unsigned item)
{
    return as_f64(rows[2 * item * lanes + lane] | (uint64_t)rows[(2 * item + 1) * lanes + lane] << 32);
}

/* One k per lane: lane = row or column + 4 or 16 * (block + blocks * k). blgp's bits negate A, B and C. */
static int mat_run_f64(const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    unsigned neg = m->mods & MM_BLGP_NEG ? r->i->u.mai.blgp : 0, at = 0;
    double c[256];

    for (unsigned b = 0; b < m->blocks; b++)
        for (unsigned i = 0; i < m->m; i++) {
            unsigned lane, item;
            cd_place(r, b, i, &lane, &item);
            for (unsigned j = 0; j < m->n; j++, at++) {
                double sum = r->c ? mat_get_f64(r->c, r->lanes, lane + j, item) : as_f64(r->c_const);
                sum = neg & 4 ? -sum : sum;
                for (unsigned k = 0; k < m->k; k++) {
                    double x = mat_get_f64(r->a, r->lanes, i + m->m * (a_block(r, b) + m->blocks * k), 0);
                    double y = mat_get_f64(r->b, r->lanes, j + m->n * (b + m->blocks * k), 0);
                    sum = fma_f64(neg & 1 ? -x : x, neg & 2 ? -y : y, sum);
                }
                c[at] = sum;
            }
        }
    at = 0;
    for (unsigned b = 0; b < m->blocks; b++)
        for (unsigned i = 0; i < m->m; i++) {
            unsigned lane, item;
            cd_place(r, b, i, &lane, &item);
            for (unsigned j = 0; j < m->n; j++) {
                uint64_t v = bits_f64(c[at++]);
                r->d[2 * item * r->lanes + lane + j] = (uint32_t)v;
                r->d[(2 * item + 1) * r->lanes + lane + j] = (uint32_t)(v >> 32);
            }
        }
    return ISA_OK;
}

/* --- integers ---------------------------------------------------------------------------------------------------- */

static inline int32_t mat_int(uint32_t v, unsigned bits, bool sign)
{
    return sign ? (int32_t)(v << (32 - bits)) >> (32 - bits) : (int32_t)v;
}

static inline void mat_load_int(const struct mat_run *r, int32_t *a, int32_t *b)
{
    const struct isa_matrix *m = r->m;
    unsigned sign = m->mods & MM_SIGN ? r->i->neg : 3;

#define PUT_A(BLK, I, K, V) a[((BLK)*m->m + (I)) * r->ka + (K)] = mat_int(V, mat_bits(m->a), sign & 1)
#define PUT_B(BLK, J, K, V) b[((BLK)*m->k + (K)) * m->n + (J)] = mat_int(V, mat_bits(m->b), sign & 2)
    MAT_EACH(r, 0, r->a, m->m, r->ka, m->a, PUT_A);
    MAT_EACH(r, 1, r->b, m->n, m->k, m->b, PUT_B);
#undef PUT_A
#undef PUT_B
}

/* The products' sum fits 32 bits by far; adding C wraps, or with clamp saturates. */
static inline void mat_add_c(const struct mat_run *r, unsigned b, unsigned i, int32_t *sum)
{
    unsigned lane, item;

    cd_place(r, b, i, &lane, &item);
    for (unsigned j = 0; j < r->m->n; j++) {
        int64_t v = (int32_t)(r->c ? r->c[item * r->lanes + lane + j] : (uint32_t)r->c_const) + (int64_t)sum[j];
        if (r->i->clamp)
            v = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
        sum[j] = (int32_t)(uint32_t)v;
    }
}

static int mat_run_int(const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    int32_t a[MAT_AB_MAX], b[MAT_AB_MAX], c[MAT_CD_MAX];
    bool sparse = isa_matrix_sparse(m);
    unsigned lane, item;

    mat_load_int(r, a, b);
    for (unsigned k = 0; k < m->blocks; k++)
        for (unsigned i = 0; i < m->m; i++) {
            const int32_t *row = a + (a_block(r, k) * m->m + i) * r->ka;
            int32_t *sum = c + (k * m->m + i) * m->n;
            memset(sum, 0, m->n * sizeof *sum);
            for (unsigned t = 0; t < r->ka; t++) {
                const int32_t *from = b + (k * m->k + (sparse ? r->pick[i * r->ka + t] : t)) * m->n;
                LANE_PRAGMA
                for (unsigned j = 0; j < m->n; j++)
                    sum[j] += row[t] * from[j];
            }
            mat_add_c(r, k, i, sum);
        }
    for (unsigned k = 0; k < m->blocks; k++)
        for (unsigned i = 0; i < m->m; i++) {
            cd_place(r, k, i, &lane, &item);
            memcpy(r->d + item * r->lanes + lane, c + (k * m->m + i) * m->n, m->n * sizeof *c);
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

/* EXEC plays no part: all lanes take part. */
static int mat_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_matrix *m = i->row->mat;
    struct mat_run r = {.m = m, .i = i, .lanes = w->lanes, .ka = m->k};
    bool sparse = isa_matrix_sparse(m);

    (void)env, (void)fx;
    if (sparse)
        r.ka = m->k / 2u;
    if (m->kind != MAT_WMMA && r.ka * m->m * m->blocks * mat_bits(m->a) < 32 * w->lanes)
        return isa_fault(
            w, FAULT_UNIMPLEMENTED, -1, 0, 0, false,
            "%s in wave64 is not supported by gcnsim: the layout of its half-filled registers is not known",
            i->mnemonic);
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
    }
    if (sparse && mat_indices(w, &r))
        return ISA_FAULT;
    return m->cd == MT_F64 ? mat_run_f64(&r) : m->cd == MT_I32 ? mat_run_int(&r) : mat_run_f32(&r);
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
