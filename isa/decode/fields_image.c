/* Reads the fields of image instructions and counts the registers that their data and addresses take.
 *
 * The count of data registers follows from dmask, d16 and tfe, that of the addresses from what the instruction wants to
 * know (struct isa_imageop), from dim and a16. gfx8 and gfx9 have no dim; their descriptor knows, and the instruction
 * alone does not say: LLVM shows the fewest words that can be, and so do the registers here.
 * Addresses are one tuple, or (NSA: non-sequential addresses) registers of their own:
 *   gfx10     1, 2 or 3 words of four more registers after the instruction
 *   gfx11     one word; the last register starts a tuple when five are not enough
 *   gfx12     always; image_sample's fourth starts a tuple when four are not enough
 * Sources: AMD ISA manuals (RDNA1-4 "Vector memory image instructions"), LLVM 19 MIMGInstructions.td and
 * AMDGPUDisassembler.cpp (convertMIMGInst).
 */
#include "isa/decode/legal.h"
#include "isa/decode/parts.h"

#include <string.h>

/* --- fields ----------------------------------------------------------------------------------------------------- */

static void old_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    struct isa_image *m = &i->u.img;

    i->opcode = (uint16_t)(FIELD(w, 18, 7) | FIELD(w, 0, 1) << 7);
    m->mem.glc = FIELD(w, 13, 1);
    m->mem.slc = FIELD(w, 25, 1);
    m->da = FIELD(w, 14, 1);
    m->lwe = FIELD(w, 17, 1);
    m->r128 = t->layout == LAYOUT_GFX8 && FIELD(w, 15, 1);
    m->a16 = t->layout != LAYOUT_GFX8 && FIELD(w, 15, 1);
    if (isa_has(t, FEAT_AGPR_UNIFIED)) {
        f->acc_data = FIELD(w, 16, 1);
        m->mem.scc = FIELD(w, 7, 1);
    } else {
        m->mem.tfe = FIELD(w, 16, 1);
    }
}

static void gfx10_fields(struct isa_inst *i, uint64_t w)
{
    struct isa_image *m = &i->u.img;

    i->opcode = (uint16_t)(FIELD(w, 18, 7) | FIELD(w, 0, 1) << 7);
    m->more = (uint8_t)(4 * FIELD(w, 1, 2));
    m->dim = FIELD(w, 3, 3);
    m->mem.dlc = FIELD(w, 7, 1);
    m->mem.glc = FIELD(w, 13, 1);
    m->r128 = FIELD(w, 15, 1);
    m->mem.tfe = FIELD(w, 16, 1);
    m->lwe = FIELD(w, 17, 1);
    m->mem.slc = FIELD(w, 25, 1);
    m->a16 = FIELD(w, 62, 1);
}

static void gfx11_fields(struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    struct isa_image *m = &i->u.img;

    i->opcode = (uint16_t)FIELD(w, 18, 8);
    m->more = (uint8_t)(4 * FIELD(w, 0, 1));
    m->dim = FIELD(w, 2, 3);
    m->unorm = FIELD(w, 7, 1);
    m->mem.slc = FIELD(w, 12, 1);
    m->mem.dlc = FIELD(w, 13, 1);
    m->mem.glc = FIELD(w, 14, 1);
    m->r128 = FIELD(w, 15, 1);
    m->a16 = FIELD(w, 16, 1);
    m->d16 = FIELD(w, 17, 1);
    m->mem.tfe = FIELD(w, 53, 1);
    m->lwe = FIELD(w, 54, 1);
    f->slot[SL_SSAMP] = (uint16_t)(FIELD(w, 58, 5) << 2);
}

static void gfx12_fields(struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    struct isa_image *m = &i->u.img;
    bool sample = i->format == FMT_VSAMPLE;

    i->opcode = (uint16_t)FIELD(w, 14, 8);
    m->dim = FIELD(w, 0, 3);
    m->r128 = FIELD(w, 4, 1);
    m->d16 = FIELD(w, 5, 1);
    m->a16 = FIELD(w, 6, 1);
    m->dmask = FIELD(w, 22, 4);
    m->mem.scope = (uint8_t)FIELD(w, 50, 2);
    m->mem.th = (uint8_t)FIELD(w, 52, 3);
    m->mem.tfe = sample ? FIELD(w, 3, 1) : FIELD(w, 55, 1);
    m->unorm = sample && FIELD(w, 13, 1);
    m->lwe = sample && FIELD(w, 40, 1);
    f->slot[SL_VDST] = f->slot[SL_DATA0] = (uint16_t)FIELD(w, 32, 8);
    f->slot[SL_ADDR] = (uint16_t)(w2 & 0xff);
    f->slot[SL_SRSRC] = (uint16_t)FIELD(w, 41, 9);
    f->slot[SL_SSAMP] = (uint16_t)FIELD(w, 55, 9);
    m->more = 4;
    for (unsigned k = 0; k < 3; k++)
        m->nsa[k] = (uint8_t)(w2 >> 8 * (k + 1));
    m->nsa[3] = (uint8_t)FIELD(w, 56, 8);
}

void isa_image_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2)
{
    struct isa_image *m = &i->u.img;

    if (t->layout == LAYOUT_GFX12) {
        gfx12_fields(f, i, w, w2);
        return;
    }
    m->dmask = FIELD(w, 8, 4);
    m->unorm = FIELD(w, 12, 1);
    m->d16 = FIELD(w, 63, 1);
    f->slot[SL_ADDR] = (uint16_t)FIELD(w, 32, 8);
    f->slot[SL_VDST] = f->slot[SL_DATA0] = (uint16_t)FIELD(w, 40, 8);
    f->slot[SL_SRSRC] = (uint16_t)(FIELD(w, 48, 5) << 2);
    f->slot[SL_SSAMP] = (uint16_t)(FIELD(w, 53, 5) << 2);
    if (t->layout == LAYOUT_GFX11)
        gfx11_fields(f, i, w);
    else if (t->layout == LAYOUT_GFX10)
        gfx10_fields(i, w);
    else
        old_fields(t, f, i, w);
}

/* --- counts ----------------------------------------------------------------------------------------------------- */

static bool has_dim(const struct isa_target *t)
{
    return t->layout != LAYOUT_GFX8 && t->layout != LAYOUT_GFX9;
}

static bool has_partial_nsa(const struct isa_target *t)
{
    return t->layout == LAYOUT_GFX11 || t->layout == LAYOUT_GFX12;
}

/* Words besides coordinates, level of detail and gradients. */
static unsigned single_words(const struct isa_imageop *op)
{
    return (unsigned)__builtin_popcount(op->parts & (IMG_COMPARE | IMG_BIAS | IMG_OFFSET));
}

/* The fewest and the most address words of this instruction in LLVM. */
static unsigned fewest_words(const struct isa_imageop *op)
{
    return single_words(op) + (op->parts & IMG_GRADIENTS ? 2 : 1);
}

static unsigned most_words(const struct isa_imageop *op)
{
    unsigned lod = (op->parts & IMG_LOD) != 0;
    unsigned gradients = !(op->parts & IMG_GRADIENTS) ? 0 : op->parts & IMG_HALF_GRADIENTS ? 4 : 6;

    return op->parts & IMG_SAMPLER ? single_words(op) + 3 + lod + gradients : 4;
}

/* Whether LLVM has the instruction with that many words: one of its own sizes, but one word is no list of separate
 * addresses, or the tuple of 4, 8 or 16 that all of them fit in. */
static bool llvm_has_words(const struct isa_imageop *op, unsigned words, bool list, bool separate)
{
    unsigned fewest = fewest_words(op), most = most_words(op);

    if (!separate && words == (most <= 4 ? 4 : most <= 8 ? 8 : 16))
        return true;
    return words >= (list && fewest < 2 ? 2 : fewest) && words <= most;
}

/* Address words that the instruction reads; where there is no dim, the fewest. */
static unsigned address_words(const struct isa_target *t, const struct isa_inst *i)
{
    static const uint8_t coords[8] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[8] = {2, 4, 6, 4, 2, 4, 4, 4};
    const struct isa_imageop *op = &i->row->image;
    const struct isa_image *m = &i->u.img;

    if (!has_dim(t))
        return fewest_words(op);
    unsigned packed = (op->parts & IMG_NO_COORDS ? 0 : coords[m->dim]) + ((op->parts & IMG_LOD) != 0);
    unsigned words = single_words(op) + (m->a16 ? (packed + 1) / 2 : packed);
    if (op->parts & IMG_HALF_GRADIENTS)
        words += (gradients[m->dim] / 2 + 1) / 2 * 2; /* d/du and d/dv are packed apart */
    else if (op->parts & IMG_GRADIENTS)
        words += gradients[m->dim];
    return words;
}

/* Data registers by the masks; tfe's and lwe's status not included. */
static unsigned data_words(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_image *m = &i->u.img;
    unsigned n = i->row->image.data == IMG_DATA_FOUR ? 4 : (unsigned)__builtin_popcount(m->dmask);
    bool packed = m->d16 && t->layout != LAYOUT_GFX8;

    n = n ? n : 1;
    return packed ? (n + 1) / 2 : n;
}

/* The data sizes for which LLVM has an instruction, in registers; 0 where it has none and shows the narrowest. */
static unsigned llvm_data(const struct isa_imageop *op, unsigned words)
{
    switch (op->data) {
    case IMG_DATA_FOUR: /* packed d16 has two, and with the status three */
        return words == 3 && (op->parts & IMG_SAMPLER) ? 0 : words;
    case IMG_DATA_ATOMIC:
        return words == 4 ? 5 : words <= 2 ? words : 0;
    case IMG_DATA_CMPSWAP:
        return words == 2 || words == 4 ? words : 0;
    default:
        return words;
    }
}

static unsigned narrowest_data(enum isa_image_data kind)
{
    return kind == IMG_DATA_FOUR ? 4 : kind == IMG_DATA_CMPSWAP ? 2 : 1;
}

/* --- rays ------------------------------------------------------------------------------------------------------- */

/* Node pointer, ray extent, origin, direction and inverse direction; with a16 the directions are packed. */
static unsigned ray_words(const struct isa_inst *i)
{
    return (i->row->image.parts & IMG_NODE_64 ? 12 : 11) - (i->u.img.a16 ? 3 : 0);
}

/* Widths of the addresses that gfx11 on has as tuples: how many there are. */
static unsigned ray_tuples(const struct isa_inst *i, uint8_t width[5])
{
    const uint8_t w[5] = {i->row->image.parts & IMG_NODE_64 ? 2 : 1, 1, 3, 3, 3};

    memcpy(width, w, sizeof w);
    return i->u.img.a16 ? 4 : 5;
}

/* Ray instructions have one value in most fields. */
static bool ray_encoding(const struct isa_target *t, uint64_t w)
{
    switch (t->layout) {
    case LAYOUT_GFX10:
        return (w & UINT64_C(0x83e000000203bfb8)) == 0x9f00;
    case LAYOUT_GFX11:
        return (w & UINT64_C(0x7c6000000002ff9c)) == 0x8f80;
    case LAYOUT_GFX12:
        return (w & UINT64_C(0x00fc000003c00037)) == 0x03c00010;
    default:
        return false;
    }
}

/* --- legality ---------------------------------------------------------------------------------------------------- */

#define BITS(LO, N) (((UINT64_C(1) << (N)) - 1) << (LO))

uint64_t isa_image_zero_bits(const struct isa_target *t, enum isa_format f, const struct isa_row *row)
{
    bool sampler = row->image.parts & IMG_SAMPLER, no_d16 = row->image.parts & IMG_NO_D16;

    if (row->image.data == IMG_DATA_RAY)
        return 0; /* see ray_encoding */
    if (f == FMT_VIMAGE)
        return BITS(56, 8) | (no_d16 ? BITS(5, 1) : 0); /* a fifth address */
    if (f == FMT_VSAMPLE)
        return (sampler ? 0 : BITS(55, 9)) | (no_d16 ? BITS(5, 1) : 0);
    if (t->layout == LAYOUT_GFX11)
        return (sampler ? 0 : BITS(58, 5)) | (no_d16 ? BITS(17, 1) : 0);
    return (sampler ? 0 : BITS(53, 5)) | (no_d16 ? BITS(63, 1) : 0);
}

/* --- the words after the instruction ------------------------------------------------------------------------------ */

/* Words of separate addresses that gfx10's instruction may bring: as many as one of its sizes needs. */
static bool nsa_words_fit(const struct isa_target *t, const struct isa_inst *i)
{
    unsigned words = i->u.img.more / 4;

    if (!words || t->layout != LAYOUT_GFX10)
        return true;
    if (i->row->image.data == IMG_DATA_RAY)
        return words == (ray_words(i) + 2) / 4;
    return words <= (most_words(&i->row->image) + 2) / 4;
}

/* gfx12's addresses stand in the instruction; of some the last ones must be zero where they are not used. */
static int gfx12_places(struct isa_inst *i)
{
    struct isa_image *m = &i->u.img;
    const struct isa_imageop *op = &i->row->image;

    if (op->data == IMG_DATA_RAY)
        return m->a16 && m->nsa[3] ? -1 : 0;
    m->more = 3;
    return i->format == FMT_VSAMPLE && most_words(op) < 4 && m->nsa[2] ? -1 : 0;
}

int isa_image_more(const struct isa_target *t, struct isa_inst *i, uint64_t w, const uint8_t *code, size_t size,
                   unsigned at)
{
    struct isa_image *m = &i->u.img;
    bool ray = i->row->image.data == IMG_DATA_RAY;

    if ((ray && !ray_encoding(t, w)) || !nsa_words_fit(t, i))
        return -1;
    if (t->layout == LAYOUT_GFX12)
        return gfx12_places(i);
    if (!m->more)
        return 0;
    if (size < at + m->more)
        return -1;
    memcpy(m->nsa, code + at, m->more);
    return m->more;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* Every image row begins with data and address. */
static unsigned data_at(const struct isa_inst *i)
{
    return i->op[0].code - CODE_VGPR;
}

static unsigned address_at(const struct isa_inst *i, unsigned k)
{
    return k ? i->u.img.nsa[k - 1] : i->op[1].code - CODE_VGPR;
}

/* As many of `want` registers from v[first] on as there are. */
static uint8_t up_to_v255(unsigned first, unsigned want)
{
    return (uint8_t)(first + want > 256 ? 256 - first : want);
}

static void one_tuple(const struct isa_inst *i, unsigned words, struct isa_image_regs *r)
{
    r->n = 1;
    r->separate = false;
    r->first[0] = (uint8_t)address_at(i, 0);
    r->count[0] = (uint8_t)words;
}

/* n separate addresses, the last one a tuple of `last`. */
static void separate(const struct isa_inst *i, unsigned n, unsigned last, struct isa_image_regs *r)
{
    r->n = (uint8_t)n;
    r->separate = true;
    for (unsigned k = 0; k < n; k++) {
        r->first[k] = (uint8_t)address_at(i, k);
        r->count[k] = (uint8_t)(k + 1 == n ? last : 1);
    }
}

static void ray_regs(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r)
{
    uint8_t width[5];

    r->data = 4;
    if (!i->u.img.more) {
        one_tuple(i, ray_words(i), r);
        return;
    }
    if (t->layout == LAYOUT_GFX10) {
        separate(i, ray_words(i), 1, r);
        return;
    }
    separate(i, ray_tuples(i, width), 1, r);
    memcpy(r->count, width, r->n);
}

/* The registers that the hardware reads and writes. */
static void used_regs(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r)
{
    const struct isa_image *m = &i->u.img;
    unsigned words = address_words(t, i), places = 1u + m->more;

    r->data = (uint8_t)(data_words(t, i) + (m->mem.tfe || m->lwe));
    if (!m->more)
        one_tuple(i, words, r);
    else if (words <= places)
        separate(i, words, 1, r);
    else
        separate(i, places, has_partial_nsa(t) ? words - places + 1 : 1, r);
}

/* The form that LLVM decodes first and keeps where it knows none of the sizes wanted. */
static void narrowest(const struct isa_inst *i, struct isa_image_regs *r)
{
    const struct isa_image *m = &i->u.img;
    unsigned most = most_words(&i->row->image), places = 1u + m->more;

    r->data = (uint8_t)narrowest_data((enum isa_image_data)i->row->image.data);
    if (!m->more)
        one_tuple(i, fewest_words(&i->row->image), r);
    else if (i->format == FMT_VIMAGE && !(m->nsa[0] | m->nsa[1] | m->nsa[2]))
        one_tuple(i, 1, r); /* reads as an instruction of one address */
    else
        separate(i, most < places ? most : places, 1, r);
}

/* As LLVM has it: sizes that the encoding asks for, if there is an instruction of both, else the narrowest form. */
static void shown_regs(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r)
{
    const struct isa_image *m = &i->u.img;
    const struct isa_imageop *op = &i->row->image;
    bool list = m->more && t->layout != LAYOUT_GFX12; /* gfx12's addresses are always separate */
    unsigned words = address_words(t, i), places;
    unsigned data = llvm_data(op, data_words(t, i) + m->mem.tfe);
    struct isa_image_regs narrow;

    narrowest(i, &narrow);
    places = narrow.separate ? narrow.n : m->more ? 1 : 0;
    *r = narrow;
    if (!data || (data != narrow.data && data_at(i) + data > 256))
        return;
    if (!llvm_has_words(op, words, list, m->more))
        return;
    if (!m->more) {
        if (words != narrow.count[0] && narrow.first[0] + words > 256)
            return;
        one_tuple(i, words, r);
    } else if (words > places) {
        unsigned last = words - places + 1;
        if (!has_partial_nsa(t) || !narrow.separate || narrow.first[places - 1] + last > 256)
            return;
        separate(i, places, last, r);
    } else {
        separate(i, words, 1, r);
    }
    r->data = (uint8_t)data;
}

void isa_image_shown(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r)
{
    if (i->row->image.data == IMG_DATA_RAY)
        ray_regs(t, i, r);
    else
        shown_regs(t, i, r);
}

void isa_image_used(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r)
{
    if (i->row->image.data == IMG_DATA_RAY)
        ray_regs(t, i, r);
    else
        used_regs(t, i, r);
    r->data = up_to_v255(data_at(i), r->data);
    for (unsigned k = 0; k < r->n; k++)
        r->count[k] = up_to_v255(r->first[k], r->count[k]);
}

bool isa_image_operands(const struct isa_target *t, struct isa_inst *i)
{
    static const uint8_t type[13] = {T_NONE, T_B32,  T_B64,  T_B96,  T_B128, T_B160, T_B192,
                                     T_B224, T_B256, T_B288, T_B320, T_B352, T_B384};
    struct isa_image_regs r;

    /* LLVM decodes the narrowest form, whose tuples must exist */
    if (i->row->image.data == IMG_DATA_RAY)
        ray_regs(t, i, &r);
    else
        narrowest(i, &r);
    if (data_at(i) + r.data > 256)
        return false;
    for (unsigned k = 0; k < r.n; k++)
        if (r.first[k] + r.count[k] > 256)
            return false;
    isa_image_used(t, i, &r);
    for (unsigned k = 0; k < i->nops; k++) {
        if (i->row->args[k].slot == SL_ADDR)
            i->op[k].type = type[r.count[0]];
        else if (i->row->args[k].slot == SL_VDST || i->row->args[k].slot == SL_DATA0)
            i->op[k].type = i->op[k].type == T_NONE ? T_NONE : type[r.data];
    }
    return true;
}
