/* Loads that transpose what the lanes have loaded: gfx12's global_load_tr, gfx950's ds_read_tr, gfx1250's ds_load_tr.
 *
 * With them, a matrix that lies by rows of k in memory comes out as matrix instructions want their sources. Which
 * lane's bytes become which element, and whose word there is for it: docs/SEMANTICS_NOTES.md.
 */
#ifndef GCNSIM_ISA_INSTS_MEM_TRANSPOSE_H
#define GCNSIM_ISA_INSTS_MEM_TRANSPOSE_H

#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"

struct tr_source {
    unsigned lane, element;
};

/* Where element e of lane l comes from; a lane loads `elems`. */
static inline struct tr_source tr_source(unsigned tr, unsigned elems, unsigned l, unsigned e)
{
    switch (tr) {
    case TR_EIGHT:
        return (struct tr_source){(l & ~7u) + e, l % 8};
    case TR_EIGHT_4:
        return (struct tr_source){(l & ~15u) + l / 8 % 2 * 4 + e / 4 * 8 + e % 4, l % 8};
    case TR_FOUR:
        return (struct tr_source){e / 8 * 16 + l / 16 * 8 + e % 8, l % 16};
    case TR_SIX:
        return (struct tr_source){e / 4 * 8 + l / 16 * 4 + e % 4, l % 16};
    default:
        return (struct tr_source){(l & ~15u) + e * (16 / elems) + l % 16 / elems, l % elems};
    }
}

/* Lanes that load, of `active` ones. gfx12's wave64 has the data of half as many, in half as many registers each: the
 * upper lanes get the second half of what the lower ones get in wave32. */
static inline uint64_t tr_loading(const struct isa_wave *w, const struct isa_memop *m, uint64_t active)
{
    return m->tr == TR_ROWS || w->lanes == 32 ? active : active & UINT32_MAX;
}

/* d: the rows of the result, written in `active` lanes; from: what the lanes have loaded, zeros in others. */
static inline void mem_transpose(const struct isa_wave *w, const struct isa_memop *m, uint64_t active, uint32_t *d,
                                 const uint32_t *from)
{
    const unsigned bits = m->tr_bits, elems = m->bytes * 8u / bits, lanes = w->lanes;
    const bool halved = m->tr != TR_ROWS && lanes == 64;
    const unsigned own = halved ? elems / 2 : elems, sources = halved ? 32 : lanes;

    for (; active; active &= active - 1) {
        unsigned l = (unsigned)__builtin_ctzll(active);
        for (unsigned e = 0; e < own; e++) {
            struct tr_source s = tr_source(m->tr, elems, l % sources, l / sources * own + e);
            string_put(d + l, lanes, e * bits, bits, string_get(from + s.lane, lanes, s.element * bits, bits));
        }
    }
}

/* Addresses and operands are those of ds_load_b64, _b96 and _b128. */
static inline int lds_load_transposed(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx,
                                      uint64_t active)
{
    const struct isa_memop *m = &i->row->mem;
    uint32_t *d = mem_rows(w, &i->op[0]);
    const uint32_t *v = mem_rows(w, &i->op[1]);
    _Alignas(64) uint32_t loaded[4 * 64] = {0};
    struct lane_addr at;

    if (!d || !v)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        at.a[l] = (uint32_t)(v[l] + (uint32_t)i->offset);
    fx_lds(w, fx, i, &at, active);
    if (isa_lds_load(w, isa_lds_limit(w), m, &at, active, loaded))
        return ISA_FAULT;
    mem_transpose(w, m, active, d, loaded);
    return ISA_OK;
}

#define LDS_TRANSPOSED(NAME, CLS, EXEC, FLAGS, IMPL, D, BYTES, BITS, TR, ...)                                          \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, (FLAGS) | RF_NO_GDS, IMPL)                                                          \
        .exec = EXEC,                                                                                                  \
   .mem = {.op = MEM_LOAD, .bytes = BYTES, .convert = CONV_DWORDS, .elems = 1, .tr_bits = BITS, .tr = TR},             \
   .args = {{SL_VDST, T_##D, A_WR}, {SL_ADDR, T_B32, A_RD}}, ROW_TAIL_(NAME)

#endif
