/* Code that all buffer instructions share: the descriptor, the addresses of lanes, the bounds check.
 *
 * The descriptor (four SGPRs) by generation:
 *   all        base 48 bits; stride 14 bits; num_records; index stride; add_tid
 *   gfx8       swizzle on/off, element size 2..16 bytes; add_tid turns the data format into the stride's top bits
 *   gfx9       swizzle on/off, elements of 4 bytes; data format as on gfx8
 *   gfx10      swizzle on/off, elements of 4 bytes; a field chooses the bounds rule
 *   gfx11, 12  swizzle off or with elements of 4, 8, 16 bytes; bounds field as on gfx10; gfx12 scales the stride
 *   gfx1250    base 57 bits; num_records 45; stride 14, scaled; bit 124 swizzle on/off, 32 elements of 16 bytes; bit
 *              125 the bounds rule; the type 127:126 other than 0 is no buffer; no add_tid
 *
 *   offset = instruction offset + vaddr offset (offen), which does not wrap
 *   index = vaddr index (idxen) + lane (add_tid)
 *   linear:   base + soffset + index * stride + offset
 *   swizzled: base + soffset + ((index / IS) * stride + (offset / ES) * ES) * IS + (index % IS) * ES + offset % ES
 *   On gfx1250 soffset is a part of offset, and swizzled with it.
 *
 * Out of bounds a load gives zero and a store or atomic does nothing.
 *   gfx8   index < num_records for swizzled buffers with a stride, else bytes below num_records - soffset
 *   gfx9   nothing is out of bounds with add_tid; index < num_records for idxen with a stride, else bytes below
 *          num_records - soffset. vaddr offset + instruction offset wraps at 32 bits
 *   gfx10  the bounds field: 0 index, and offset below the stride; 1 index; 2 only an empty buffer is out of bounds;
 *          3 bytes below num_records - soffset, those of the swizzled address when swizzled
 *   gfx11  the same; 3 as 0 for swizzled buffers with a stride
 *   gfx1250  bytes below num_records, whatever the stride is; with bit 125 also offset below the stride. For swizzled
 *          buffers nothing public says what is out of bounds: nothing is
 * For a dword gfx8 and gfx10 look at the first byte, the others at the last one.
 * Loads and stores of several dwords are judged dword by dword, atomics and formatted accesses as a whole. A load to
 * LDS leaves zeros there for lanes that are out of bounds. In bounds of the buffer but outside every allocation is a
 * memory fault. (GCN3, Vega, RDNA2, RDNA3 ISA "Memory buffer instructions"; Mesa's notes on NUM_RECORDS and OOB_SELECT.
 * gfx9 as measured on gfx950: rocm-systems pull request 10928; soffset of RDNA: rocMLIR pull request 678, an engineer
 * of AMD, and rocBLAS's kernels for gfx1100, which rely on it. gfx1250: fields of the address and sizes as LLVM 22 has
 * them, SIISelLowering, lowerPointerAsRsrcIntrin; the rest from AMD's public simulator, rocm-systems pull requests
 * 10362 and 10428, which cite CDNA5 ISA 9.4 and 9.6. Composable Kernel leaves the fourth dword 0 on gfx1250, where
 * gfx12's rule 0 would have nothing in bounds.)
 */
#ifndef GCNSIM_ISA_INSTS_BUFFER_H
#define GCNSIM_ISA_INSTS_BUFFER_H

#include "isa/insts/mem.h"

enum bounds_rule {
    BOUNDS_BYTES,
    BOUNDS_BYTES_AND_STRIDE,
    BOUNDS_INDEX,
    BOUNDS_INDEX_AND_STRIDE,
    BOUNDS_EMPTY,
    BOUNDS_SWIZZLED,
    BOUNDS_NONE,
};

struct buffer {
    uint64_t base;
    uint32_t stride;
    uint64_t records;
    uint32_t index_stride_log2, element_log2;
    uint32_t soffset;
    uint32_t offset; /* of all lanes besides the instruction's: gfx1250's soffset */
    uint32_t word3;
    bool swizzle, add_tid;
    bool ignored;      /* no buffer: no lane does anything */
    bool start_counts; /* bounds look at the first byte of a dword (or less) alone */
    bool wraps;        /* the sum of the lane's offset and the instruction's has 32 bits */
    enum bounds_rule rule;
    uint64_t byte_limit; /* BOUNDS_BYTES, BOUNDS_BYTES_AND_STRIDE and BOUNDS_SWIZZLED: offsets stay below */
};

/* The bounds field of gfx10 and later. */
static inline enum bounds_rule oob_select(const struct isa_wave *w, const struct buffer *b, unsigned field)
{
    static const uint8_t rules[3] = {BOUNDS_INDEX_AND_STRIDE, BOUNDS_INDEX, BOUNDS_EMPTY};

    if (field < 3)
        return (enum bounds_rule)rules[field];
    if (w->target->layout == LAYOUT_GFX10)
        return b->swizzle ? BOUNDS_SWIZZLED : BOUNDS_BYTES;
    return b->swizzle && b->stride ? BOUNDS_INDEX_AND_STRIDE : BOUNDS_BYTES;
}

/* gfx1250's descriptor s, but for what rules the bounds. */
static inline void read_wide_descriptor(const uint32_t *s, struct buffer *b)
{
    static const uint8_t stride_scale[4] = {1, 4, 8, 32};
    uint64_t low = s[0] | (uint64_t)s[1] << 32, high = s[2] | (uint64_t)s[3] << 32;

    *b = (struct buffer){.base = bits_get(low, 0, 57), .element_log2 = 4, .index_stride_log2 = 5, .word3 = s[3]};
    b->records = low >> 57 | bits_get(high, 0, 38) << 7;
    b->stride = (uint32_t)bits_get(high, 44, 14) * stride_scale[high >> 58 & 3];
    b->swizzle = high >> 60 & 1;
    b->ignored = high >> 62;
}

static inline void read_wide_buffer(const struct isa_wave *w, const struct isa_inst *i, int kaddr, struct buffer *b)
{
    read_wide_descriptor(&w->s[i->op[kaddr + 1].code], b);
    b->offset = i->op[kaddr + 2].code == w->target->code_null ? 0 : sget32(w, i, kaddr + 2);
    b->byte_limit = b->records;
    b->rule = b->swizzle ? BOUNDS_NONE : b->word3 >> 29 & 1 ? BOUNDS_BYTES_AND_STRIDE : BOUNDS_BYTES;
}

/* kaddr: which operand is the address, -1 where the instruction has none; descriptor and scalar offset follow it. */
static inline void read_buffer(const struct isa_wave *w, const struct isa_inst *i, int kaddr, struct buffer *b)
{
    static const uint8_t stride_scale[4] = {1, 4, 8, 32};
    const uint32_t *s = &w->s[i->op[kaddr + 1].code];
    unsigned swizzle = s[1] >> 30;

    if (isa_has(w->target, FEAT_SCALE_OFFSET)) {
        read_wide_buffer(w, i, kaddr, b);
        return;
    }
    b->base = s[0] | (uint64_t)(s[1] & 0xffff) << 32;
    b->stride = s[1] >> 16 & 0x3fff;
    b->records = s[2];
    b->word3 = s[3];
    b->index_stride_log2 = 3 + (s[3] >> 21 & 3);
    b->add_tid = s[3] >> 23 & 1;
    b->offset = 0;
    b->ignored = false;
    b->element_log2 = 2;
    b->swizzle = swizzle >> 1;
    b->start_counts = true;
    b->wraps = false;
    b->soffset = i->op[kaddr + 2].code == w->target->code_null ? 0 : sget32(w, i, kaddr + 2);
    b->byte_limit = b->records > b->soffset ? b->records - b->soffset : 0;
    switch (w->target->layout) {
    case LAYOUT_GFX8:
        b->element_log2 = 1 + (s[3] >> 19 & 3);
        /* fall through */
    case LAYOUT_GFX9:
        if (b->add_tid)
            b->stride |= (s[3] >> 15 & 15) << 14;
        bool by_index = w->target->layout == LAYOUT_GFX8 ? b->swizzle : i->u.mem.idxen;
        b->rule = b->stride && by_index ? BOUNDS_INDEX : BOUNDS_BYTES;
        if (w->target->layout == LAYOUT_GFX8)
            break;
        b->rule = b->add_tid ? BOUNDS_NONE : b->rule;
        b->start_counts = false;
        b->wraps = true;
        break;
    case LAYOUT_GFX10:
        b->rule = oob_select(w, b, s[3] >> 28 & 3);
        break;
    case LAYOUT_GFX12:
        b->stride *= stride_scale[s[3] >> 18 & 3];
        /* fall through */
    case LAYOUT_GFX11:
        b->start_counts = false;
        b->swizzle = swizzle != 0;
        b->element_log2 = swizzle ? 1 + swizzle : 2;
        b->rule = oob_select(w, b, s[3] >> 28 & 3);
        break;
    }
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

struct buffer_lanes {
    _Alignas(64) uint64_t offset[64];
    uint32_t index[64];
};

static inline bool buffer_lanes(struct isa_wave *w, const struct isa_inst *i, int kaddr, const struct buffer *b,
                                struct buffer_lanes *x)
{
    const unsigned n = w->lanes & 96;
    const uint32_t *index = NULL, *offset = NULL;

    if (kaddr >= 0 && i->op[kaddr].type != T_NONE) {
        const uint32_t *v = mem_rows(w, &i->op[kaddr]);
        if (!v)
            return false;
        index = i->u.mem.idxen ? v : NULL;
        offset = i->u.mem.offen ? v + (i->u.mem.idxen ? n : 0) : NULL;
    }
    for (unsigned l = 0; l < n; l++)
        x->index[l] = (index ? index[l] : 0) + (b->add_tid ? l : 0);
    for (unsigned l = 0; l < n; l++)
        x->offset[l] = (offset ? offset[l] : 0) + (uint64_t)(i->offset & 0xffffff) + b->offset;
    for (unsigned l = 0; l < n && b->wraps; l++)
        x->offset[l] = (uint32_t)x->offset[l];
    return true;
}

/* The distance of a lane's byte `off` from base + soffset in a swizzled buffer. */
static inline uint64_t swizzled_offset(const struct buffer *b, uint32_t index, uint64_t off)
{
    const unsigned is = b->index_stride_log2, es = b->element_log2;
    const uint64_t in_element = (1u << es) - 1, in_group = (1u << is) - 1;
    uint64_t record = (uint64_t)(index >> is) * b->stride + (off & ~in_element);

    return (record << is) + ((index & in_group) << es) + (off & in_element);
}

/* Addresses of the bytes `more` into the access. */
static inline void buffer_addresses(const struct isa_wave *w, const struct buffer *b, const struct buffer_lanes *x,
                                    uint32_t more, struct lane_addr *at)
{
    const unsigned n = w->lanes & 96;
    const uint64_t base = b->base + b->soffset;

    if (!b->swizzle) {
        for (unsigned l = 0; l < n; l++)
            at->a[l] = base + (uint64_t)x->index[l] * b->stride + x->offset[l] + more;
        return;
    }
    for (unsigned l = 0; l < n; l++)
        at->a[l] = base + swizzled_offset(b, x->index[l], x->offset[l] + more);
}

static inline bool lane_inside(const struct buffer *b, uint32_t index, uint64_t off, unsigned bytes)
{
    uint64_t linear = b->swizzle ? 0 : (uint64_t)index * b->stride;

    switch (b->rule) {
    case BOUNDS_BYTES:
        return linear + off + bytes <= b->byte_limit;
    case BOUNDS_BYTES_AND_STRIDE:
        return linear + off + bytes <= b->byte_limit && off + bytes <= b->stride;
    case BOUNDS_SWIZZLED:
        return swizzled_offset(b, index, off) + bytes <= b->byte_limit;
    case BOUNDS_INDEX:
        return index < b->records;
    case BOUNDS_INDEX_AND_STRIDE:
        return index < b->records && off + bytes <= b->stride;
    case BOUNDS_NONE:
        return true;
    default:
        return b->records != 0;
    }
}

/* Active lanes whose `bytes` bytes at `more` into the access are in bounds. */
static inline uint64_t buffer_inside(const struct isa_wave *w, const struct buffer *b, const struct buffer_lanes *x,
                                     uint32_t more, unsigned bytes)
{
    uint64_t inside = 0;

    if (b->start_counts) /* that of the last dword */
        bytes = bytes > 4 ? bytes - 3 : 1;
    /* the usual case first: nothing is out of bounds */
    if (b->rule == BOUNDS_BYTES) {
        uint64_t top = 0;
        for (unsigned l = 0; l < w->lanes; l++) {
            uint64_t end = x->offset[l] + (b->swizzle ? 0 : (uint64_t)x->index[l] * b->stride);
            top = end > top ? end : top;
        }
        if (top + more + bytes <= b->byte_limit)
            return w->exec;
    }
    for (unsigned l = 0; l < w->lanes; l++)
        inside |= (uint64_t)lane_inside(b, x->index[l], x->offset[l] + more, bytes) << l;
    return inside & w->exec;
}

/* --- an access ---------------------------------------------------------------------------------------------------- */

struct access {
    struct buffer b;
    struct buffer_lanes x;
    struct lane_addr at;
    uint64_t inside;
    unsigned range;
};

/* With `bytes` bytes per lane. */
static inline bool open_access(struct isa_wave *w, const struct isa_inst *i, int kaddr, unsigned bytes,
                               struct isa_effects *fx, struct access *a)
{
    read_buffer(w, i, kaddr, &a->b);
    if (!buffer_lanes(w, i, kaddr, &a->b, &a->x))
        return false;
    buffer_addresses(w, &a->b, &a->x, 0, &a->at);
    a->inside = a->b.ignored ? 0 : buffer_inside(w, &a->b, &a->x, 0, bytes);
    a->range = a->b.add_tid ? RANGE_SCRATCH : RANGE_VECTOR;
    fx_vector(w, fx, i, &a->at, a->inside);
    if (fx) {
        fx->bytes = (uint8_t)bytes;
        if (a->b.swizzle && a->b.element_log2 == 2) /* of larger elements the dwords follow one another */
            fx->dword_step = (uint16_t)(4u << a->b.index_stride_log2);
    }
    return true;
}

#endif
