/* Where matrix instructions have their elements, and their operands made ready for isa/insts/matrix_kernel.h.
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
#ifndef GCNSIM_ISA_INSTS_MATRIX_LAYOUT_H
#define GCNSIM_ISA_INSTS_MATRIX_LAYOUT_H

#include "isa/fp8.h"
#include "isa/fp_half.h"
#include "isa/insts/matrix_kernel.h"
#include "isa/shapes.h"

#define MAT_AB_MAX   1024 /* elements of A or B, all blocks */
#define MAT_CD_WORDS 2048 /* words of C or D */
#define MAT_K_MAX    128

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
    uint8_t per_a, per_b;                 /* how many consecutive k of A and of B a lane holds */
    uint8_t group_log, spread_log, n_log; /* of C and D, with block_lanes: lanes from a block to the next */
    uint8_t block_items, block_lanes;
};

/* A and B as the kernels read them: item after item, each for all lanes, so that the lanes of a row of B stand side by
 * side. Element (i, k) of block b is at a[k] + i + m * b, of B at b[k] + j + n * b. Sparse: what serves A's stored k of
 * row i is at picked[k * m + i]. */
struct mat_places {
    uint32_t a[MAT_K_MAX], b[MAT_K_MAX], picked[MAT_AB_MAX];
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

/* All numbers here are powers of two, and divisions by what is not known at compile time slow. */
static inline unsigned mat_over(unsigned v, unsigned power)
{
    return v >> __builtin_ctz(power);
}

static inline void mat_find_places(struct mat_run *r)
{
    const struct isa_matrix *m = r->m;
    unsigned in_lanes = m->m == 4 ? m->blocks : 1, used = ab_lanes(r);
    unsigned spread = mat_over(r->lanes, m->n * in_lanes);

    r->per_a = (uint8_t)mat_over(r->ka * m->m * m->blocks, used);
    r->per_b = (uint8_t)mat_over(m->k * m->n * m->blocks, used);
    r->group_log = (uint8_t)__builtin_ctz(cd_group(r));
    r->spread_log = (uint8_t)__builtin_ctz(spread);
    r->n_log = (uint8_t)__builtin_ctz(m->n * in_lanes);
    r->block_lanes = in_lanes > 1 ? m->n : 0;
    r->block_items = in_lanes > 1 ? 0 : (uint8_t)mat_over(m->m, spread);
}

/* Lane and item of element (i, 0) of block b of C and D; j counts lanes on from there. */
static inline void cd_place(const struct mat_run *r, unsigned b, unsigned i, unsigned *lane, unsigned *item)
{
    unsigned which = i >> r->group_log;

    *item = (i & ((1u << r->group_log) - 1)) + (which >> r->spread_log << r->group_log) + b * r->block_items;
    *lane = ((which & ((1u << r->spread_log) - 1)) << r->n_log) + b * r->block_lanes;
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

static inline float xf32(uint32_t u)
{
    /* to nearest even at 10 bits of mantissa; a NaN stays one */
    if ((u & 0x7fffffff) > 0x7f800000)
        return quiet32(as_f32(u));
    if ((u & 0x7f800000) != 0x7f800000)
        u += 0xfff + (u >> 13 & 1);
    return as_f32(u & 0xffffe000);
}

static inline __attribute__((always_inline)) float mat_float(unsigned type, bool flush, uint32_t v)
{
    const uint32_t denormal = flush ? 0x8000 : 0xffff; /* what stays of one */

    switch (type) {
    case MT_F16:
        return half_to_f32((half_t)(v & (v & 0x7c00 ? 0xffff : denormal)));
    case MT_BF16:
        return bf16_to_f32(v & (v & 0x7f80 ? 0xffff : denormal));
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

static inline void mat_place(const struct mat_run *r, unsigned side, unsigned ks, unsigned per, unsigned step,
                             uint32_t *at)
{
    unsigned used = ab_lanes(r), n = 0;

    for (unsigned from = 0; n * step < ks; from += side * r->m->blocks)
        for (unsigned item = 0; item < per; item += step)
            at[n++] = item / step * used + from;
}

/* Calls PUT(item, lane, bits) for every STEP-th of the PER items that lanes hold, lanes innermost. */
#define MAT_EACH(R, ROWS, PER, STEP, BITS, PUT)                                                                        \
    do {                                                                                                               \
        const size_t used_ = ab_lanes(R) & 112;                                                                        \
        for (size_t item_ = 0; item_ < (PER); item_ += (STEP)) {                                                       \
            const uint32_t *from_ = (ROWS) + item_ * (BITS) / 32 * (R)->lanes;                                         \
            const unsigned shift_ = item_ * (BITS) % 32;                                                               \
            LANE_PRAGMA                                                                                                \
            for (size_t lane_ = 0; lane_ < used_; lane_++)                                                             \
                PUT(item_, lane_, from_[lane_] >> shift_);                                                             \
        }                                                                                                              \
    } while (0)

/* B after blgp has permuted its lanes; `room` takes it when it is another than r->b. */
static inline const uint32_t *mat_permuted_b(const struct mat_run *r, uint32_t *room)
{
    unsigned blgp = r->m->mods & MM_BLGP ? r->i->u.mai.blgp : 0;
    unsigned words = r->per_b * mat_bits(r->m->b) / 32;

    if (!blgp)
        return r->b;
    for (unsigned k = 0; k < words; k++)
        for (unsigned lane = 0; lane < r->lanes; lane++)
            room[k * r->lanes + lane] = r->b[k * r->lanes + blgp_lane(blgp, lane)];
    return room;
}

/* Where the k are that a sparse A stores. An index set has two bits for each of a lane's items: which of four
 * consecutive k, all of which one lane of B holds. Sets are counted in `key`. */
static inline int mat_indices(struct isa_wave *w, const struct mat_run *r, struct mat_places *at)
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
    const unsigned rows = m->m & 48, lanes = r->lanes;
    for (unsigned k = 0; k < r->ka; k++) {
        const unsigned group = mat_over(k, per), t = k & (per - 1), shift = key * bits + 2 * t;
        const uint32_t *sets_of = r->index + group * m->m, first = at->b[2 * group * per + 4 * (t / 2)];
        LANE_PRAGMA
        for (unsigned i = 0; i < rows; i++)
            at->picked[k * rows + i] = first + (sets_of[i] >> shift & 3) * lanes;
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

#endif
