/* Dense matrix products the shortest way, for instructions that the decoder has found plain (isa/decode/choose.c): all
 * operands registers, without modifiers. Each function here is for one shape and one type, known when compiled: from
 * the registers to the kernels of isa/insts/matrix_kernel.h, with nothing left to ask of the instruction. Whatever is
 * otherwise goes by mat_exec() of isa/insts/matrix.h, with the same results, and so does everything without vectors of
 * the host, whose multiply-adds one by one take so long that code for each form would gain nothing.
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_DIRECT_H
#define GCNSIM_ISA_INSTS_MATRIX_DIRECT_H

#include "isa/insts/matrix_layout.h"

/* What is known of a form: the layout of C and D, the type of A and B (MT_FP8: any of eight bits), the lanes that hold
 * these. One block, or sixteen of 4x4. */
struct mat_form {
    struct mat_shape shape;
    unsigned type, used;
};

/* A form's type for A and B of the instruction. */
static inline unsigned mat_direct_type(const struct isa_matrix *m)
{
    return mat_bits(m->a) == 8 && m->a != MT_I8 ? (unsigned)MT_FP8 : m->a;
}

MAT_INLINE bool mat_is_direct(const struct isa_wave *w, const struct isa_inst *i)
{
    return i->plain && i->vgpr_end <= w->nvgprs && (i->plain != ISA_PLAIN_ACC || i->vgpr_end <= w->nagprs) &&
           (!MATRIX_WAVE || w->lanes == MATRIX_WAVE);
}

/* First register of operand k. */
MAT_INLINE uint32_t *mat_direct_rows(const struct isa_wave *w, const struct isa_inst *i, unsigned k,
                                     const unsigned lanes)
{
    uint32_t *file = MATRIX_CDNA && (i->op[k].flags & A_ACC) ? w->acc : w->v;
    return file + (size_t)(i->op[k].code - CODE_VGPR) * lanes;
}

static inline bool mat_apart(const uint32_t *a, unsigned a_words, const uint32_t *b, unsigned b_words)
{
    return a + a_words <= b || b + b_words <= a;
}

/* Whether all of C has been read before anything of D is written, and all of A and B. */
MAT_INLINE bool mat_one_tile(const struct mat_shape s)
{
    return mat_tile_rows(s) == s.rows && mat_tile_vectors(s) * TILE_COLUMNS == s.columns;
}

/* A or B as floats, in `room`: `registers` of each lane. */
MAT_INLINE void mat_direct_floats(const struct mat_form f, mat_convert *convert, const unsigned bits, bool flush,
                                  const uint32_t *rows, unsigned registers, uint32_t *room)
{
    for (unsigned from = 0; from < f.used; from += f.shape.columns)
#pragma GCC unroll 1
        for (unsigned n = 0; n < registers; n++)
#pragma GCC unroll 4
            for (unsigned at = 0; at < 32; at += bits)
                for (unsigned l = 0; l < f.shape.columns; l += 16, room += 16)
                    convert(rows + n * f.shape.lanes + from + l, at, flush, 0, room);
}

/* Operands of a form: registers, and D clear of what is read after its first row has been written. */
struct mat_direct_operands {
    const uint32_t *a, *b, *c;
    uint32_t *d;
};

MAT_INLINE struct mat_direct_operands mat_direct_operands(const struct isa_wave *w, const struct isa_inst *i,
                                                          const unsigned lanes)
{
    return (struct mat_direct_operands){
        .d = mat_direct_rows(w, i, 0, lanes),
        .a = mat_direct_rows(w, i, 1, lanes),
        .b = mat_direct_rows(w, i, 2, lanes),
        .c = mat_direct_rows(w, i, 3, lanes),
    };
}

/* Words of C or D. */
MAT_INLINE unsigned mat_direct_words(const struct mat_shape s)
{
    return s.rows * s.columns / (mat_rows_paired(s) ? 2 : 1);
}

/* Whether D may be written tile by tile as far as C goes. */
MAT_INLINE bool mat_direct_c_clear(const struct mat_direct_operands *p, const struct mat_shape s)
{
    const unsigned words = mat_direct_words(s);
    return mat_one_tile(s) || p->d == p->c || mat_apart(p->d, words, p->c, words);
}

/* Blocks of 4x4 side by side, or one block. */
MAT_INLINE void mat_direct_tiles(const struct mat_operands *o, const struct mat_direct_operands *p,
                                 const struct mat_shape s, const bool ints, const bool flush)
{
    const bool spread = s.rows == 4;

#pragma GCC unroll 1
    for (unsigned y = 0; y < s.rows / mat_tile_rows(s); y++)
#pragma GCC unroll 1
        for (unsigned x = 0; x < s.columns; x += mat_tile_vectors(s) * TILE_COLUMNS) {
            const unsigned row = y * mat_tile_rows(s);
            const size_t at = mat_row_at(s, 0, row) + x;
            const struct mat_tile t = {.a = o->a + (spread ? x : row), .b = o->b + x, .c = p->c + at, .d = p->d + at};
            if (ints)
                mat_tile_int(o, t, s, spread ? TILE_SPREAD : TILE_PLAIN, false);
            else
                mat_tile_f32(o, t, s, spread ? TILE_SPREAD : TILE_PLAIN, flush);
        }
}

/* False, and nothing written, where the general way has to do it. */
MAT_INLINE bool mat_direct_as(const struct isa_wave *w, const struct isa_inst *i, const struct mat_form f,
                              mat_convert *convert, const unsigned bits, const bool flush)
{
    const struct mat_shape s = f.shape;
    const unsigned k = i->row->mat->k, registers = mat_over(k * bits / 32 * s.columns, f.used);
    const struct mat_direct_operands p = mat_direct_operands(w, i, s.lanes);
    uint32_t a[MAT_AB_MAX / 2], b[MAT_AB_MAX / 2];
    struct mat_operands o = {.count = k, .step = s.columns, .rows = s.rows, .a = a, .b = b};

    if (!mat_direct_c_clear(&p, s))
        return false;
    if (!convert) {
        const unsigned words = mat_direct_words(s);
        if (!mat_one_tile(s) && !(mat_apart(p.d, words, p.a, s.lanes) && mat_apart(p.d, words, p.b, s.lanes)))
            return false;
        o.a = p.a;
        o.b = p.b;
    } else {
        mat_direct_floats(f, convert, bits, flush, p.a, registers, a);
        if (mat_one_tile(s) && s.rows != 4) {
            const struct mat_tile t = {.a = a, .b = p.b, .c = p.c, .d = p.d};
            o.lanes = s.lanes;
            o.used = f.used;
            o.registers = registers;
            return mat_tile_numbers(&o, t, s, TILE_FRESH, (struct mat_fresh){convert, bits, flush}, flush);
        }
        mat_direct_floats(f, convert, bits, flush, p.b, registers, b);
    }
    mat_direct_tiles(&o, &p, s, false, flush);
    return true;
}

/* The same of floats of eight bits, which A and B need not have the same of. */
MAT_INLINE bool mat_direct_fp8(const struct isa_wave *w, const struct isa_inst *i, const struct mat_form f)
{
    const struct mat_shape s = f.shape;
    const struct isa_matrix *m = i->row->mat;
    const struct mat_direct_operands p = mat_direct_operands(w, i, s.lanes);
    const struct mat_run r = {.m = m, .lanes = s.lanes, .step = s.columns};
    const unsigned per = mat_over(m->k * s.columns, f.used);
    uint32_t a[MAT_AB_MAX / 2], b[MAT_AB_MAX / 2];
    const struct mat_operands o = {
        .count = m->k,
        .step = s.columns,
        .rows = s.rows,
        .a = mat_floats(&r, p.a, m->a, per, 0, a),
        .b = mat_floats(&r, p.b, m->b, per, 0, b),
    };

    if (!mat_direct_c_clear(&p, s))
        return false;
    mat_direct_tiles(&o, &p, s, false, false);
    return true;
}

/* The same of bytes. */
MAT_INLINE bool mat_direct_i8(const struct isa_wave *w, const struct isa_inst *i, const struct mat_form f)
{
    const struct mat_shape s = f.shape;
    const struct isa_matrix *m = i->row->mat;
    const struct mat_direct_operands p = mat_direct_operands(w, i, s.lanes);
    const struct mat_run r = {.m = m, .lanes = s.lanes, .step = s.columns};
    const unsigned per = mat_over(m->k * s.columns, f.used);
    uint32_t a[MAT_AB_MAX / 2], b[MAT_AB_MAX / 2];
    struct mat_operands o = {.step = s.columns, .rows = s.rows, .a = a, .b = b};

    if (!mat_direct_c_clear(&p, s))
        return false;
    o.count = mat_pairs(&r, p.a, 8, per, true, a);
    mat_pairs(&r, p.b, 8, per, true, b);
    mat_direct_tiles(&o, &p, s, true, false);
    return true;
}

/* The same of doubles: 16x16x4, or four blocks of 4x4x4. */
MAT_INLINE bool mat_direct_f64(const struct isa_wave *w, const struct isa_inst *i, const bool spread)
{
    const unsigned words = spread ? 2 * 64 : 8 * 64;
    const struct mat_direct_operands p = mat_direct_operands(w, i, 64);

    if (p.d != p.c && !mat_apart(p.d, words, p.c, words))
        return false;
    mat_product_f64(p.a, p.b, p.c, p.c, p.d, spread); /* c_row: not looked at */
    return true;
}

MAT_INLINE bool mat_direct(const struct isa_wave *w, const struct isa_inst *i, const struct mat_form f)
{
    if (!mat_is_direct(w, i))
        return false;
    switch (f.type) {
    case MT_FP8:
        return mat_direct_fp8(w, i, f);
    case MT_I8:
        return mat_direct_i8(w, i, f);
    case MT_F64:
        return mat_direct_f64(w, i, f.shape.rows == 4);
    case MT_F16:
        if (MATRIX_CDNA && isa_has(w->target, FEAT_MATRIX_FLUSH16))
            return mat_direct_as(w, i, f, mat_convert_f16, 16, true);
        return mat_direct_as(w, i, f, mat_convert_f16, 16, false);
    case MT_BF16:
        if (MATRIX_CDNA && isa_has(w->target, FEAT_MATRIX_FLUSH16))
            return mat_direct_as(w, i, f, mat_convert_bf16, 16, true);
        return mat_direct_as(w, i, f, mat_convert_bf16, 16, false);
    case MT_XF32:
        return mat_direct_as(w, i, f, mat_convert_xf32, 32, false);
    default:
        return mat_direct_as(w, i, f, NULL, 32, false);
    }
}

#endif
