/* Layouts of the elements of matrix instructions in registers, and the preparation of operands for
 * isa/insts/matrix_kernel.h.
 *
 * The formulas give lane, then item of an element (item: the index of the element of its type among the operand's
 * registers, low bits first):
 *
 * - A (i, k) of block b: lane i + m * (b + blocks * (k / per)), item k % per; B (k, j): lane j + n * (...), the same
 * item. per is how many consecutive k a lane holds: k * rows * blocks / lanes. WMMA of gfx11 has per = k: lanes 0..15
 * hold all of A and B, and the copies that programs keep in the other lanes are not looked at.
 * - C, D (i, j): lane j + n * (i / group % spread), item i % group + group * (i / (group * spread)), where spread is
 *   lanes / n; blocks follow one another in the registers. With m = 4 blocks share out the lanes instead: lane
 *   j + n * (b + blocks * (i / group % spread)), spread = lanes / (n * blocks). group is 4 for MFMA and SMFMAC, 1 for
 * f64 and for gfx11's WMMA, 256 / lanes for gfx12's.
 * - sparse A: two of every four consecutive k are stored: item t of a lane is k = 4 * (t / 2) + index[t] (two bits
 * each, from the low end of the lane's index set) past the lane's first k. B of SMFMAC with 32 bytes to a lane (the
 * shapes of gfx950): the first 16 are of the first half of k, in lanes as above, the others of the second.
 * - gfx1250: the two halves of the wave take turns in k, so many consecutive ones each (mat_turn). An index set is not
 * the lane's then, but half of its row's: stored k by stored k, the first half in lane i, the second in lane i + 16.
 *
 * Sources and what is only inferred: docs/SEMANTICS_NOTES.md, "Matrix instructions".
 */
#ifndef GCNSIM_ISA_INSTS_MATRIX_LAYOUT_H
#define GCNSIM_ISA_INSTS_MATRIX_LAYOUT_H

#include "isa/insts/matrix_kernel.h"
#include "isa/insts/matrix_shape.h"
#include "isa/lanes/fp_half.h"
#include "isa/table/shapes.h"

/* The file that includes this says which forms it has, so that the others are not compiled into it. */
enum matrix_forms { FORMS_CDNA, FORMS_RDNA, FORMS_GFX1250 };
#ifndef MATRIX_FORMS
#error "MATRIX_FORMS: one of enum matrix_forms"
#endif
#define MATRIX_CDNA  (MATRIX_FORMS == FORMS_CDNA)
#define MATRIX_TURNS (MATRIX_FORMS == FORMS_GFX1250)

#define MAT_AB_MAX   2048 /* words of A or B made ready, all blocks */
#define MAT_CD_WORDS 2048 /* words of C or D, as floats or integers */

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
    uint32_t *c_row; /* sixteen words: c_const as the kernels want it */
    uint32_t *d;
    const uint32_t *index;
    unsigned per_a, per_b; /* how many consecutive k of A and of B a lane holds */
    unsigned step;         /* mat_step */
    unsigned half_shift;   /* of C and D that are one half of each word */
};

/* Lanes of the wave where all forms here are of one size, which is what makes much of a layout known at compile time;
 * else 0. */
#define MATRIX_WAVE (MATRIX_CDNA ? 64u : MATRIX_TURNS ? 32u : 0)

static inline unsigned mat_lanes(const struct mat_run *r)
{
    return MATRIX_WAVE ? MATRIX_WAVE : r->lanes;
}

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
    return r->m->kind == MAT_WMMA ? 16 : mat_lanes(r);
}

/* C's elements, which are D's but for bf16f32. */
static inline unsigned mat_c_type(const struct isa_matrix *m)
{
    return m->mods & MM_C_F32 ? (unsigned)MT_F32 : m->cd;
}

/* Whether A and B of the type are read from their registers: one k to a lane, without modifiers. */
static inline bool mat_as_it_stands(unsigned type)
{
    return type == MT_F32 && !MATRIX_TURNS;
}

/* gfx1250: how many consecutive k a lane holds before it is the other half's turn. 16 bytes of A and of a B like it, 32
 * of the B of a sparse A, which has twice the k. */
static inline unsigned mat_turn(unsigned bits, unsigned per, bool twice)
{
    unsigned turn = (twice ? 256u : 128u) / bits;

    return turn < per ? turn : per;
}

/* Rows of all blocks, which is columns of all blocks. */
static inline unsigned mat_step(const struct isa_matrix *m)
{
    return (unsigned)m->m * m->blocks;
}

static inline void mat_find_places(struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    unsigned used = ab_lanes(r);

    r->step = mat_step(m);
    r->per_a = mat_over(r->ka * r->step, used);
    r->per_b = mat_over(m->k * r->step, used);
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

/* --- operands made ready ------------------------------------------------------------------------------------------
 * Element (i, k) of block q of A goes to k * step + m * q + i, (k, j) of B to k * step + n * q + j: rows of B side by
 * side. Sixteen lanes at a time, which is what every step is a multiple of. */

/* One operand: `per` k in each lane. neg flips the sign of even (bit 0) and odd k (bit 1). */
MAT_INLINE void mat_pack_by(const struct mat_run *r, mat_convert *convert, const unsigned bits, const uint32_t *rows,
                            unsigned per, bool flush, const uint32_t flip[2], const unsigned step, uint32_t *to)
{
    const unsigned in_word = 32 / bits < per ? 32 / bits : per, lanes = ab_lanes(r), stride = mat_lanes(r);

    for (unsigned from = 0; from < lanes; from += step) {
        const uint32_t *w = rows + from;
        for (unsigned k = 0; k < per; k += in_word, to += in_word * step, w += stride)
            for (unsigned l = 0; l < step; l += 16)
#pragma GCC unroll 8
                for (unsigned x = 0; x < 32 / bits; x++)
                    if (x < in_word)
                        convert(w + l, x * bits, flush, flip[x & 1], to + x * step + l);
    }
}

/* gfx1250: the halves of the wave in turns, sixteen rows each. */
MAT_INLINE void mat_pack_turns(const struct mat_run *r, mat_convert *convert, const unsigned bits, const uint32_t *rows,
                               unsigned per, const uint32_t flip[2], uint32_t *to)
{
    const unsigned in_word = 32 / bits, turn = mat_turn(bits, per, r->ka < r->m->k && per == r->per_b), low = turn - 1;

    for (unsigned half = 0; half < 2; half++)
        for (unsigned k = 0; k < per; k += in_word) {
            const uint32_t *w = rows + (size_t)k / in_word * 32 + half * 16;
            uint32_t *row = to + (size_t)((k & ~low) * 2 + half * turn + (k & low)) * 16;
#pragma GCC unroll 4
            for (unsigned x = 0; x < in_word; x++)
                convert(w, x * bits, false, flip[x & 1], row + (size_t)x * 16);
        }
}

/* A step of 16, the commonest, is worth code of its own. */
MAT_INLINE void mat_pack(const struct mat_run *r, mat_convert *convert, const unsigned bits, const uint32_t *rows,
                         unsigned per, bool flush, const uint32_t flip[2], uint32_t *to)
{
    if (MATRIX_TURNS)
        mat_pack_turns(r, convert, bits, rows, per, flip, to);
    else if (r->step == 16)
        mat_pack_by(r, convert, bits, rows, per, flush, flip, 16, to);
    else
        mat_pack_by(r, convert, bits, rows, per, flush, flip, r->step, to);
}

/* One operand as floats, in `room`. neg: flip the sign of even (1) and odd k (2);
 * 3 for integers that have one. */
static const uint32_t *mat_floats(const struct mat_run *r, const uint32_t *rows, unsigned type, unsigned per,
                                  unsigned neg, uint32_t *room)
{
    const uint32_t flip[2] = {neg & 1 ? 0x80000000 : 0, neg & 2 ? 0x80000000 : 0};

    switch (type) {
#define CASE(TYPE, NAME, BITS)                                                                                         \
    case TYPE:                                                                                                         \
        mat_pack(r, mat_convert_##NAME, BITS, rows, per, false, flip, room);                                           \
        return room;
#define CASE16(TYPE, NAME)                                                                                             \
    case TYPE:                                                                                                         \
        if (r->flush)                                                                                                  \
            mat_pack(r, mat_convert_##NAME, 16, rows, per, true, flip, room);                                          \
        else                                                                                                           \
            mat_pack(r, mat_convert_##NAME, 16, rows, per, false, flip, room);                                         \
        return room;
        CASE16(MT_F16, f16)
        CASE16(MT_BF16, bf16)
        CASE(MT_F32, f32, 32)
        CASE(MT_XF32, xf32, 32)
        CASE(MT_FP8_FNUZ, fp8_fnuz, 8)
        CASE(MT_BF8_FNUZ, bf8_fnuz, 8)
        CASE(MT_FP8, fp8_ocp, 8)
        CASE(MT_BF8, bf8_ocp, 8)
        CASE(MT_I8, i8, 8)
        CASE(MT_I4, i4, 4)
#undef CASE
#undef CASE16
    default: /* no type of A or B */
        return rows;
    }
}

/* One operand as pairs of 16-bit integers: a word gives as many rows as a half of it has integers. Which k stand in a
 * pair does not matter, as it is the same in A and B. Returns the rows. */
MAT_INLINE unsigned mat_pairs(const struct mat_run *r, const uint32_t *rows, const unsigned bits, unsigned per,
                              bool sign, uint32_t *to)
{
    const unsigned lanes = ab_lanes(r), step = r->step, words = (per * bits + 31) / 32, in_half = 16 / bits;
    const uint32_t half_empty = per * bits < 32 ? 0xffff : 0xffffffff, low = bits == 8 ? 0x00ff00ff : 0x000f000f;
    const uint32_t top = bits == 8 ? 0x00800080 : 0x00080008;

    for (unsigned from = 0; from < lanes; from += step)
        for (unsigned word = 0; word < words; word++, to += (size_t)in_half * step)
            for (unsigned l = 0; l < step; l += 16) {
                const uint32_t *w = rows + (size_t)word * mat_lanes(r) + from + l;
#pragma GCC unroll 4
                for (unsigned x = 0; x < in_half; x++) {
                    uint32_t *pairs = to + (size_t)x * step + l;
                    for (unsigned j = 0; j < 16; j += MAT_WORDS) {
                        mat_w v = (mat_get(w + j) & half_empty) >> (x * bits) & low;
                        /* what is above the sign bit, to the end of its half: ones */
                        mat_w minus = sign ? (v & top) >> (bits - 1) : v & 0;
                        mat_put(pairs + j, v | ((minus << 16) - (minus << bits)));
                    }
                }
            }
    return lanes / step * words * in_half;
}

/* B of a sparse A whose lanes have 32 bytes of it, as if those were one run of k: 16 bytes go to each group of lanes,
 * and 16 more. */
static inline const uint32_t *mat_joined_b(const struct mat_run *r, unsigned words, uint32_t *room)
{
    const unsigned lanes = mat_lanes(r), groups = lanes / r->step, half = words / 2;

    for (unsigned run = 0; run < 2 * groups; run++)
        for (unsigned k = 0; k < half; k++)
            memcpy(room + (run % 2 * half + k) * lanes + run / 2 * r->step,
                   r->b + (run / groups * half + k) * lanes + run % groups * r->step, r->step * sizeof *room);
    return room;
}

/* B after blgp has permuted its lanes, or in the order of its k; `room` takes it when it is another than r->b. */
static inline const uint32_t *mat_permuted_b(const struct mat_run *r, uint32_t *room)
{
    unsigned blgp = r->m->mods & MM_BLGP ? r->i->u.mai.blgp : 0;
    unsigned words = r->per_b * mat_bits(r->m->b) / 32;

    if (MATRIX_CDNA && r->m->kind == MAT_SMFMAC && words == 8)
        return mat_joined_b(r, words, room);
    if (!blgp)
        return r->b;
    for (unsigned k = 0; k < words; k++)
        for (unsigned lane = 0; lane < mat_lanes(r); lane++)
            room[k * mat_lanes(r) + lane] = r->b[k * mat_lanes(r) + blgp_lane(blgp, lane)];
    return room;
}

/* The rows of B, of four from `first` on that begin `rows` words apart, that the two lowest indices
 * of a set pick: a position in each half. A macro as those of MAT_WORDS. */
#define mat_pick_two(SET, ROWS, FIRST) ((((SET)&3) | ((SET)&12) << 14) * (ROWS) + (FIRST)*0x10001u)

/* Those of the index sets' number `key`, by mat_pick. */
MAT_INLINE void mat_pick_rows(const struct mat_run *r, unsigned key, const unsigned rows, uint32_t *picked)
{
    const unsigned per = r->per_a;
    const uint32_t *sets = r->index;

    for (unsigned from = 0; from < r->ka; from += per, sets += rows)
        for (unsigned i = 0; i < rows; i += MAT_WORDS) {
            mat_w set = mat_get(sets + i) >> (key * 2 * per);
            uint32_t *to = picked + from / 2 * rows + i, first = from / 2 * 4 * rows;
            for (unsigned t = 0; t < per; t += 2, to += rows, first += 4 * rows, set >>= 4)
                mat_put(to, mat_pick_two(set, rows, first));
        }
}

/* Positions of the rows of B that serve the k that a sparse A stores, in words into B: row i's for stored k and k + 1
 * are the low and the high half of picked[k / 2 * m + i] (struct mat_operands). An index set has two bits for each of a
 * lane's items: which of four consecutive k, all of which one lane of B holds. Sets are counted in `key`. */
static inline int mat_pick(struct isa_wave *w, const struct mat_run *r, uint32_t *picked)
{
    const struct isa_matrix *m = r->m;
    unsigned per = r->per_a, bits = 2 * per, sets = mat_over(32, bits), key;

    if (m->kind == MAT_SMFMAC) {
        key = r->i->u.mai.cbsz ? 0 : r->i->u.mai.abid & (sets - 1);
    } else {
        key = r->i->op_sel;
        if (key >= sets)
            return isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "index_key %u; a register holds %u sets of %u bits",
                             key, sets, bits);
    }
    if (m->m == 16)
        mat_pick_rows(r, key, 16, picked);
    else
        mat_pick_rows(r, key, 32, picked);
    return ISA_OK;
}

/* The same on gfx1250. The key, 1, moves the upper half of the index registers down, and zeros in after it. */
static inline void mat_pick_turns(const struct mat_run *r, uint32_t *picked)
{
    const unsigned per = r->per_a, key = r->i->op_sel & 1;

    for (unsigned k = 0; k < r->ka; k += 2, picked += 16) {
        const unsigned at = 2 * (k & (per - 1)) + key * per;
        const uint32_t *w = r->index + (size_t)(at / 32) * 32 + (k < per ? 0 : 16), first = k / 2 * 4 * 16;
        for (unsigned i = 0; i < 16; i += MAT_WORDS)
            mat_put(picked + i, mat_pick_two(at < 2 * per ? mat_get(w + i) >> (at & 31) : (mat_w){0}, 16, first));
    }
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

#endif
