/* The engine behind the matrix rows of mfma.c and wmma.c: registers to matrices, the product, and back.
 *
 * Layouts: isa/insts/matrix_layout.h; inner loops: isa/insts/matrix_kernel.h. Sources and what is only inferred:
 * docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_H
#define GCNSIM_ISA_INSTS_MATRIX_H

#include "isa/insts/matrix_direct.h"
#include "isa/insts/matrix_layout.h"

/* --- the product: tile by tile ------------------------------------------------------------------------------------ */

/* C is r->c, or where that is null r->c_row again and again. */
MAT_INLINE void mat_product_of(const struct mat_run *r, const struct mat_operands *o, uint32_t *d,
                               const struct mat_shape s, const enum tile_kind kind, const bool ints)
{
    const unsigned blocks = kind == TILE_SPREAD ? 1 : r->m->blocks, across = kind == TILE_SPREAD ? 1 : 0;
    const bool clamp = ints && r->i->clamp, flush = MATRIX_CDNA && r->flush;

    for (unsigned q = 0; q < blocks; q++)
#pragma GCC unroll 1
        for (unsigned i = 0; i < s.rows; i += mat_tile_rows(s))
#pragma GCC unroll 1
            for (unsigned j = 0; j < s.columns; j += mat_tile_vectors(s) * TILE_COLUMNS) {
                const size_t at = mat_row_at(s, q, i) + j;
                struct mat_tile t = {
                    .a = o->a + (kind == TILE_SPREAD ? 0 : s.rows * a_block(r, q) + i) + j * across,
                    .b = o->b + s.columns * q + j,
                    .picked = o->picked + i,
                    .c = r->c ? r->c + at : NULL,
                    .c_row = r->c_row,
                    .d = d + at,
                    .shift = r->half_shift,
                };
                if (ints)
                    mat_tile_int(o, t, s, kind, clamp);
                else
                    mat_tile_f32(o, t, s, kind, flush);
            }
}

/* By where C and D have their rows. */
MAT_INLINE void mat_product(const struct mat_run *r, const struct mat_operands *o, uint32_t *d, const bool sparse,
                            const bool ints, const enum mat_words words)
{
    const enum tile_kind kind = sparse ? TILE_PICKED : TILE_PLAIN;

#define SHAPE_(...) ((struct mat_shape){__VA_ARGS__})
    if (MATRIX_CDNA) {
        if (r->m->m == 32)
            mat_product_of(r, o, d, SHAPE_(32, 32, 64, 4, words), kind, ints);
        else if (r->m->m == 16)
            mat_product_of(r, o, d, SHAPE_(16, 16, 64, 4, words), kind, ints);
        else if (!sparse)
            mat_product_of(r, o, d, SHAPE_(4, 64, 64, 4, words), TILE_SPREAD, ints);
    } else if (!MATRIX_TURNS && r->m->kind == MAT_WMMA) {
        if (sparse)
            return;
        if (mat_lanes(r) == 64)
            mat_product_of(r, o, d, SHAPE_(16, 16, 64, 1, words), kind, ints);
        else
            mat_product_of(r, o, d, SHAPE_(16, 16, 32, 1, words), kind, ints);
    } else if (!MATRIX_TURNS && mat_lanes(r) == 64) {
        mat_product_of(r, o, d, SHAPE_(16, 16, 64, 4, words), kind, ints);
    } else {
        mat_product_of(r, o, d, SHAPE_(16, 16, 32, 8, words), kind, ints);
    }
#undef SHAPE_
}

/* Blocks of 4x4: A as cbsz and abid hand it out. `wide` words from k to k. */
static const uint32_t *mat_share_blocks(const struct mat_run *r, const uint32_t *a, unsigned ks, uint32_t *room)
{
    const unsigned blocks = r->m->blocks;

    if (!r->i->u.mai.cbsz)
        return a;
    for (unsigned k = 0; k < ks; k++)
        for (unsigned q = 0; q < blocks; q++)
            memcpy(room + 4 * (k * blocks + q), a + 4 * (k * blocks + a_block(r, q)), 4 * sizeof *a);
    return room;
}

static bool mat_over_d(const struct mat_run *r, const uint32_t *from, size_t words)
{
    return from < r->d + (size_t)r->m->m * r->m->n * r->m->blocks && r->d < from + words;
}

/* --- floats ------------------------------------------------------------------------------------------------------- */

static unsigned mat_elements(const struct mat_run *r)
{
    return (unsigned)r->m->m * r->m->n * r->m->blocks;
}

/* Applies neg_lo and neg_hi to C. */
static void mat_change_c(const struct mat_run *r, uint32_t *c, unsigned words)
{
    const bool mods = r->m->mods & MM_NEG_C;
    const uint32_t keep = mods && (r->i->neg_hi & 4) ? 0x7fffffff : 0xffffffff,
                   flip = mods && (r->i->neg & 4) ? 0x80000000u : 0;

    if (keep != 0xffffffff || flip)
        for (unsigned j = 0; j < words; j += MAT_WORDS)
            mat_put(c + j, (mat_get(c + j) & keep) ^ flip);
}

/* C and D of 16 bits: as registers of f32, and back. gfx11 has one half of each register, the others both. */
static void mat_widen_c(const struct mat_run *r, uint32_t *to)
{
    const bool both = r->m->kind != MAT_WMMA, half = r->m->cd == MT_F16;
    const unsigned words = mat_elements(r) >> both, shift = both || !(r->i->op_sel & 4) ? 0 : 16;

    for (unsigned at = 0; at < words; at += mat_lanes(r))
        for (unsigned l = 0; l < mat_lanes(r); l += 16) {
            const uint32_t *from = r->c + at + l;
            uint32_t *lo = to + ((size_t)at << both) + l;
            if (half) {
                mat_convert_f16(from, shift, false, 0, lo);
                if (both)
                    mat_convert_f16(from, 16, false, 0, lo + mat_lanes(r));
            } else {
                mat_convert_bf16(from, shift, false, 0, lo);
                if (both)
                    mat_convert_bf16(from, 16, false, 0, lo + mat_lanes(r));
            }
        }
}

MAT_INLINE void mat_narrow_as(const struct mat_run *r, const bool half, const bool both, const uint32_t *from)
{
    const unsigned words = mat_elements(r) >> both, lanes = mat_lanes(r), shift = !both && (r->i->op_sel & 4) ? 16 : 0;
    const uint32_t stays = shift ? 0xffff : 0xffff0000;
    uint32_t *const d = r->d;

    for (unsigned at = 0; at < words; at += lanes)
        for (unsigned l = 0; l < lanes; l += MAT_WORDS) {
            const uint32_t *values = from + ((size_t)at << both) + l;
            uint32_t lo[MAT_WORDS], hi[MAT_WORDS], *to = d + at + l;
            mat_narrow(half, values, lo);
            if (both) {
                mat_narrow(half, values + lanes, hi);
                mat_put(to, mat_get(lo) | mat_get(hi) << 16);
            } else {
                mat_put(to, (mat_get(to) & stays) | mat_get(lo) << shift);
            }
        }
}

static void mat_narrow_d(const struct mat_run *r, const uint32_t *from)
{
    const bool both = r->m->kind != MAT_WMMA;

    if (r->m->cd == MT_F16)
        both ? mat_narrow_as(r, true, true, from) : mat_narrow_as(r, true, false, from);
    else
        both ? mat_narrow_as(r, false, true, from) : mat_narrow_as(r, false, false, from);
}

static inline bool mat_c_changed(const struct mat_run *r)
{
    return (r->m->mods & MM_NEG_C) && ((r->i->neg | r->i->neg_hi) & 4);
}

/* A constant C as floats in r->c_row. */
static void mat_constant_c(struct mat_run *r)
{
    uint32_t constant[16];

    if (r->c)
        return;
    for (unsigned j = 0; j < 16; j++)
        r->c_row[j] = constant[j] = (uint32_t)r->c_const;
    if (r->m->cd == MT_F16)
        mat_convert_f16(constant, 0, false, 0, r->c_row);
    else if (mat_c_type(r->m) != MT_F32)
        mat_convert_bf16(constant, 0, false, 0, r->c_row);
    mat_change_c(r, r->c_row, 16);
}

/* C for the product: as it is in its registers, or changed in `room`. */
static void mat_ready_c(struct mat_run *r, uint32_t *room)
{
    const bool wide = mat_c_type(r->m) == MT_F32, changed = mat_c_changed(r);

    mat_constant_c(r);
    if (!r->c || (wide && !changed))
        return;
    if (wide)
        memcpy(room, r->c, mat_elements(r) * sizeof *room);
    else
        mat_widen_c(r, room);
    if (changed)
        mat_change_c(r, room, mat_elements(r));
    r->c = room;
}

/* A and B as floats. r->d may lie over their registers. */
static void mat_ready_ab(const struct mat_run *r, struct mat_operands *t, uint32_t *a, uint32_t *b, uint32_t *permuted,
                         uint32_t *shared)
{
    const struct isa_matrix *m = r->m;
    const unsigned lo = m->mods & MM_NEG ? r->i->neg : 0, hi = m->mods & MM_NEG ? r->i->neg_hi : 0;
    const size_t lane_row = mat_lanes(r) * sizeof *a;
    unsigned neg_a = (lo & 1) | (hi & 1) << 1, neg_b = (lo >> 1 & 1) | (hi >> 1 & 1) << 1;

    if (m->cd == MT_I32) {
        const unsigned sign = m->mods & MM_SIGN ? r->i->neg : 3;
        neg_a = sign & 1 ? 3 : 0;
        neg_b = sign & 2 ? 3 : 0;
    }
    /* from the row: the run's own have just been stored one by one, and hosts wait for a pair of them to be read */
    t->count = isa_matrix_sparse(m) ? m->k / 2u : m->k;
    t->step = mat_step(m);
    t->rows = m->m;
    t->a = mat_as_it_stands(m->a) ? r->a : mat_floats(r, r->a, m->a, r->per_a, neg_a, a);
    t->b = mat_permuted_b(r, permuted);
    if (!mat_as_it_stands(m->b))
        t->b = mat_floats(r, t->b, m->b, r->per_b, neg_b, b);
    if (t->a == r->a && mat_over_d(r, t->a, mat_lanes(r)))
        t->a = memcpy(a, t->a, lane_row);
    if (t->b == r->b && mat_over_d(r, t->b, mat_lanes(r)))
        t->b = memcpy(b, t->b, lane_row);
    if (MATRIX_CDNA && m->m == 4)
        t->a = mat_share_blocks(r, t->a, m->k, shared);
}

/* Whether C can go from its halves into the sums, and these back: without modifiers of C, which are for floats in room
 * of their own. */
static inline bool mat_halves_in_place(const struct mat_run *r)
{
    const struct isa_matrix *m = r->m;

    return m->cd != MT_F32 && mat_c_type(m) == m->cd && !mat_c_changed(r);
}

/* The product of floats whose sums are halves in their registers. */
static __attribute__((noinline)) void mat_product_halves(struct mat_run *r, const struct mat_operands *t)
{
    const bool sparse = isa_matrix_sparse(r->m);

    mat_constant_c(r);
    r->half_shift = r->m->kind == MAT_WMMA && (r->i->op_sel & 4) ? 16 : 0;
    if (r->m->cd == MT_F16)
        sparse ? mat_product(r, t, r->d, true, false, WORDS_F16) : mat_product(r, t, r->d, false, false, WORDS_F16);
    else
        sparse ? mat_product(r, t, r->d, true, false, WORDS_BF16) : mat_product(r, t, r->d, false, false, WORDS_BF16);
}

static __attribute__((noinline)) int mat_run_f32(struct isa_wave *w, struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    uint32_t a[MAT_AB_MAX], b[MAT_AB_MAX], permuted[MAT_AB_MAX], picked[MAT_AB_MAX], cd[MAT_CD_WORDS];
    uint32_t *const d = m->cd == MT_F32 ? r->d : cd;
    struct mat_operands t;

    t.picked = picked;
    if (MATRIX_TURNS && isa_matrix_sparse(m))
        mat_pick_turns(r, picked);
    else if (isa_matrix_sparse(m) && mat_pick(w, r, picked))
        return ISA_FAULT;
    mat_ready_ab(r, &t, a, b, permuted, picked); /* blocks are never sparse */
    if (!MATRIX_CDNA && mat_halves_in_place(r)) {
        mat_product_halves(r, &t);
        return ISA_OK;
    }
    mat_ready_c(r, cd);
    if (isa_matrix_sparse(m))
        mat_product(r, &t, d, true, false, WORDS_ALONE);
    else
        mat_product(r, &t, d, false, false, WORDS_ALONE);
    if (m->cd != MT_F32)
        mat_narrow_d(r, cd);
    r->c = NULL; /* it may be in cd, which ends here */
    return ISA_OK;
}

/* --- doubles ------------------------------------------------------------------------------------------------------ */

/* blgp's bits negate A, B and C: `words` high words in `room`, signs flipped. */
static const uint32_t *mat_flip64(const uint32_t *from, unsigned words, unsigned each, uint32_t *room)
{
    for (unsigned k = 0; k < words; k++)
        room[k] = from[k] ^ (k / each & 1 ? 0x80000000u : 0);
    return room;
}

/* One k per lane: lane = row or column + 4 or 16 * (block + blocks * k). */
static __attribute__((noinline)) int mat_run_f64(struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    const unsigned neg = m->mods & MM_BLGP_NEG ? r->i->u.mai.blgp : 0, lanes = mat_lanes(r);
    uint32_t flipped_a[128], flipped_b[128], flipped_c[512], shared[128], constant[2 * TILE_ROW64];
    const uint32_t *a = neg & 1 ? mat_flip64(r->a, 2 * lanes, lanes, flipped_a) : r->a;
    const uint32_t *b = neg & 2 ? mat_flip64(r->b, 2 * lanes, lanes, flipped_b) : r->b;
    const uint32_t *c = r->c && (neg & 4) ? mat_flip64(r->c, 2 * mat_elements(r), lanes, flipped_c) : r->c;

    for (unsigned j = 0; j < TILE_ROW64; j++) {
        constant[j] = (uint32_t)r->c_const;
        constant[j + TILE_ROW64] = (uint32_t)(r->c_const >> 32) ^ (neg & 4) << 29;
    }
    if (m->m == 4) {
        const uint32_t *low = mat_share_blocks(r, a, m->k, shared);
        mat_share_blocks(r, a + lanes, m->k, shared + lanes);
        mat_product_f64(low, b, c, constant, r->d, true);
    } else {
        mat_product_f64(a, b, c, constant, r->d, false);
    }
    return ISA_OK;
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

/* A sparse A goes through floats, whose products and sums are exact. */
static __attribute__((noinline)) int mat_run_int_sparse(struct isa_wave *w, struct mat_run *r)
{
    uint32_t a[MAT_AB_MAX], b[MAT_AB_MAX], permuted[MAT_AB_MAX], picked[MAT_AB_MAX], sums[MAT_CD_WORDS];
    const uint32_t *const c = r->c;
    struct mat_operands t;

    t.picked = picked;
    if (MATRIX_TURNS)
        mat_pick_turns(r, picked);
    else if (mat_pick(w, r, picked))
        return ISA_FAULT;
    mat_ready_ab(r, &t, a, b, permuted, NULL);
    memset(r->c_row, 0, 16 * sizeof *r->c_row);
    r->c = NULL;
    mat_product(r, &t, sums, true, false, WORDS_ALONE);
    for (unsigned at = 0; at < mat_elements(r); at += TILE_COLUMNS) {
        uint32_t sum[TILE_COLUMNS];
        for (unsigned j = 0; j < TILE_COLUMNS; j += MAT_WORDS)
            mat_put(sum + j, (mat_w) __builtin_convertvector((mat_wf)mat_get(sums + at + j), mat_s));
        mat_add_c(c + at, sum, r->i->clamp, r->d + at);
    }
    return ISA_OK;
}

static __attribute__((noinline)) int mat_run_int(struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    const unsigned sign = m->mods & MM_SIGN ? r->i->neg : 3;
    uint32_t a[MAT_AB_MAX], b[MAT_AB_MAX], room[MAT_AB_MAX];
    const uint32_t *from = mat_permuted_b(r, room);
    struct mat_operands t = {.step = r->step, .a = a, .b = b, .picked = a};

    if (m->a == MT_I8) {
        mat_pairs(r, r->a, 8, r->per_a, sign & 1, a);
        t.count = mat_pairs(r, from, 8, r->per_b, sign & 2, b);
    } else {
        mat_pairs(r, r->a, 4, r->per_a, sign & 1, a);
        t.count = mat_pairs(r, from, 4, r->per_b, sign & 2, b);
    }
    if (MATRIX_CDNA && m->m == 4)
        t.a = mat_share_blocks(r, a, t.count, room);
    for (unsigned j = 0; j < 16 && !r->c; j++)
        r->c_row[j] = (uint32_t)r->c_const;
    mat_product(r, &t, r->d, false, true, WORDS_ALONE);
    return ISA_OK;
}

/* --- from the instruction ---------------------------------------------------------------------------------------- */

/* Registers of operand k. */
static inline unsigned mat_dwords(const struct isa_inst *i, unsigned k, unsigned lanes)
{
    const unsigned dwords = isa_types[i->op[k].type].dwords;

    return MATRIX_WAVE ? dwords : isa_matrix_dwords(i->row->mat, i->row->args[k].slot, dwords, lanes);
}

/* Register rows of operand k, which is no constant. Null after a fault. */
static inline uint32_t *mat_rows(struct isa_wave *w, const struct isa_inst *i, unsigned k)
{
    const struct isa_opnd *o = &i->op[k];
    unsigned dwords = mat_dwords(i, k, w->lanes);
    unsigned first = o->code - CODE_VGPR;
    bool acc = o->flags & A_ACC;

    if (first + dwords > (acc ? w->nagprs : w->nvgprs)) {
        isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "%c%u is past the wave's %u allocated registers", acc ? 'a' : 'v',
                  first + dwords - 1, acc ? w->nagprs : w->nvgprs);
        return NULL;
    }
    return (acc ? w->acc : w->v) + (size_t)first * (MATRIX_WAVE ? MATRIX_WAVE : w->lanes);
}

static inline uint64_t mat_constant(const struct isa_wave *w, const struct isa_inst *i)
{
    static const uint8_t type[] = {
        [MT_F32] = T_F32, [MT_F64] = T_F64, [MT_F16] = T_F16, [MT_BF16] = T_BF16, [MT_I32] = T_B32};

    return isa_const(w, i, i->op[3].code, type[mat_c_type(i->row->mat)]);
}

/* D may lie over a source: A, B and the index sets are read before D is written, C row by row where it is D; where it
 * is D in part, `room` takes it first. */
static inline void mat_part_c(struct mat_run *r, uint32_t *room)
{
    unsigned words = mat_dwords(r->i, 3, mat_lanes(r)) * mat_lanes(r);

    if (r->c == r->d || r->c + words <= r->d || r->d + words <= r->c)
        return;
    memcpy(room, r->c, words * sizeof *room);
    r->c = room;
}

/* EXEC plays no part: all lanes take part. */
static int mat_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_matrix *m = i->row->mat;
    bool sparse = isa_matrix_sparse(m);
    uint32_t room[MAT_CD_WORDS], c_row[16];
    struct mat_run r = {.m = m, .i = i, .lanes = w->lanes, .ka = m->k, .c_row = c_row};

    (void)env, (void)fx;
    if (MATRIX_WAVE && w->lanes != MATRIX_WAVE)
        return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s is an instruction of wave%u", i->mnemonic, MATRIX_WAVE);
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
    if (MATRIX_CDNA && m->cd == MT_F64)
        return mat_run_f64(&r);
    if (m->cd == MT_I32)
        return sparse ? mat_run_int_sparse(w, &r) : mat_run_int(&r);
    return mat_run_f32(w, &r);
}

/* EXEC runs it: mat_exec, or what falls back on it. */
#define MATRIX_ROW_(EXEC, NAME, CLS, FLAGS, KIND, D, A, B, M, N, K, BLOCKS, TA, TB, TCD, PASSES, MODS, DFLAGS, CTYPE,  \
                    ...)                                                                                               \
    static const struct isa_matrix NAME##_mat = {                                                                      \
        KIND, M, N, K, BLOCKS, MT_##TA, MT_##TB, MT_##TCD, PASSES, MODS, NULL};                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, (FLAGS) | RF_NO_EXEC | RF_ANY_LANE | RF_NO_DPP, 0)                                  \
        .exec = (EXEC),                                                                                                \
      .mat = &NAME##_mat, .ulp = MT_##TCD == MT_I32 ? 0 : ISA_NO_BOUND,                                                \
      .args = {{SL_VDST, T_##D, DFLAGS}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_##CTYPE, A_RD}},  \
      ROW_TAIL_(NAME)

#endif
