/* Operands of random instructions: registers that are there, and what goes before a memory instruction so that its
 * addresses mean something. */
#include <string.h>

#include "tests/fuzz/stream_words.h"

/* Operands --------------------------------------------------------------------------------------------------------- */

static const struct isa_opnd *operand(const struct isa_inst *i, unsigned slot)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (i->row->args[k].slot == slot && i->op[k].type != T_NONE && i->op[k].code != CODE_NONE)
            return &i->op[k];
    return NULL;
}

static unsigned beyond(unsigned first, unsigned count, unsigned limit)
{
    return first + count > limit ? first + count - limit : 0;
}

static bool meets_kept(unsigned first, unsigned count)
{
    return first <= S_LAST_KEPT && first + count > S_FIRST_KEPT;
}

/* SGPRs that s_mov can set. */
static bool is_settable(const struct stream *s, unsigned code)
{
    return code < 102 || code == CODE_VCC_LO || code == CODE_VCC_HI || code == s->catalog->target->code_m0;
}

/* Registers that an instruction may not name; 0 when it may be in a program. */
static unsigned excess(const struct stream *s, const struct isa_inst *i)
{
    static const uint8_t addresses[] = {SL_SBASE, SL_SOFFSET, SL_SADDR, SL_SRSRC};
    const struct stream_shape *shape = &s->shape;
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(s->catalog->target, i, shape->lanes, refs), sum = 0;
    const struct isa_opnd *o;

    for (unsigned k = 0; k < n; k++) {
        const struct isa_regref *r = &refs[k];

        if (r->file == RF_VGPR)
            sum += beyond(r->first, r->count, r->write ? shape->vgprs - VGPRS_KEPT : shape->vgprs);
        else if (r->file == RF_AGPR)
            sum += beyond(r->first, r->count, shape->agprs);
        else if (r->file == RF_SGPR && r->write && meets_kept(r->first, r->count))
            sum += 1;
    }
    /* they are written, too, by what goes before */
    for (unsigned k = 0; k < sizeof addresses; k++) {
        if (!(o = operand(i, addresses[k])))
            continue;
        sum += meets_kept(o->code, isa_types[o->type].dwords);
        for (unsigned r = 0; s->strict && o->code < CODE_INT_0 && r < isa_types[o->type].dwords; r++)
            sum += !is_settable(s, o->code + r);
    }
    /* swizzling multiplies offsets by 64 at most, which stays within the wave's region */
    if (s->strict && stream_is_buffer(i->format))
        sum += i->offset > 1023;
    if ((o = operand(i, SL_ADDR)) && o->code >= CODE_VGPR)
        sum += beyond(o->code - CODE_VGPR, isa_types[o->type].dwords, shape->vgprs - VGPRS_KEPT);
    return sum;
}

static bool same_cell(const struct stream_cell *c, const struct isa_inst *a, const struct isa_inst *b)
{
    return b->row == a->row && b->form == a->form && b->base_format == a->base_format &&
           (c->format != FMT_VOPDY || b->u.y.row == a->u.y.row);
}

bool stream_shrink(const struct stream *s, const struct stream_cell *cell, uint8_t *bytes, unsigned *size,
                   struct isa_inst *i)
{
    unsigned sum = excess(s, i);

    for (unsigned bit = 0; sum && bit < 8 * *size; bit++) {
        struct isa_inst other;
        unsigned n, less;

        if (!(bytes[bit / 8] >> bit % 8 & 1))
            continue;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        n = isa_decode_any(s->catalog->target, bytes, ENCODING_BYTES, &other, NULL);
        if (n && !other.bad && same_cell(cell, i, &other) && (less = excess(s, &other)) < sum) {
            sum = less;
            *i = other;
            *size = n;
        } else {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    return !sum;
}

/* Addresses -------------------------------------------------------------------------------------------------------- */

/* offset: the instruction's own, which is added to the registers. */
static uint64_t wild_address(struct stream *s, int32_t offset)
{
    static const uint64_t near[] = {0,
                                    UINT64_C(1) << 31,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 47,
                                    UINT64_C(1) << 48,
                                    UINT64_C(1) << 56,
                                    UINT64_C(1) << 63,
                                    UINT64_C(0xffff800000000000)};
    uint64_t place, small = stream_below(s->rng, 96);

    if (s->shape.targets)
        return s->shape.targets[stream_below(s->rng, s->shape.target_count)] - (uint64_t)(int64_t)offset;
    switch (stream_below(s->rng, 8)) {
    case 0:
        place = s->places.region;
        break;
    case 1:
        place = s->places.region + STREAM_DATA_BYTES;
        break;
    case 2:
        place = s->places.shared_aperture + (stream_chance(s->rng, 50) ? STREAM_LDS_BYTES : 0);
        break;
    case 3:
        place = s->places.private_aperture + (stream_chance(s->rng, 50) ? STREAM_SCRATCH_BYTES : 0);
        break;
    case 4:
        return (uint64_t)stream_draw(s->rng) << 32 | stream_draw(s->rng);
    default:
        place = near[stream_below(s->rng, sizeof near / sizeof near[0])];
        break;
    }
    return place + small - 48;
}

static bool is_wild(struct stream *s)
{
    return stream_chance(s->rng, s->shape.wild);
}

/* At one end of what there is, of what 32 bits hold, or anywhere. */
static uint32_t wild_offset(struct stream *s, uint32_t bytes)
{
    uint32_t small = stream_below(s->rng, 20);

    switch (stream_below(s->rng, 6)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return bytes - small;
    case 3:
        return UINT32_MAX - small;
    case 4:
        return UINT32_C(0x80000008) - small;
    default:
        return stream_draw(s->rng);
    }
}

/* A VGPR with an offset of each lane's own below `bytes` (a power of two), of which 64 stay free. */
static void v_offsets(struct stream *s, unsigned dst, uint32_t bytes)
{
    static const uint8_t strides[] = {0, 1, 2, 4, 4, 4, 8, 12, 16, 16, 32, 60, 64, 128};
    uint32_t stride = strides[stream_below(s->rng, sizeof strides)], from = 0, room = bytes - 64;

    if (is_wild(s)) {
        v_set_literal(s, dst, wild_offset(s, bytes));
        return;
    }
    while (stride * (s->shape.lanes - 1) >= room)
        stride /= 2;
    vop2_literal(s, STREAM_v_mul_u32_u24, dst, stride, v_lane(s));
    from = stream_below(s->rng, room - stride * (s->shape.lanes - 1));
    if (stream_chance(s->rng, 90))
        from &= ~UINT32_C(15);
    if (stream_chance(s->rng, 20)) /* in another order */
        vop2_literal(s, STREAM_v_xor_b32, dst, stride && !(stride & (stride - 1)) ? stride * 5 % (stride * 32) : 0,
                     dst);
    v_add(s, dst, from);
}

/* dst = S_REGION + value, with SCC as it was */
static void s_region_plus(struct stream *s, unsigned dst, uint32_t value)
{
    sop2(s, STREAM_s_cselect_b32, S_SCC, CODE_INT_0 + 1, CODE_INT_0);
    sop2(s, STREAM_s_add_u32, dst, S_REGION, LITERAL);
    put(s, value);
    put(s, 0xbf000000 | op(s, STREAM_s_cmp_lg_u32) << 16 | (uint32_t)CODE_INT_0 << 8 | S_SCC);
}

static void s_pair(struct stream *s, unsigned code, uint32_t at, int32_t offset)
{
    if (!is_settable(s, code) || !is_settable(s, code + 1))
        return;
    if (is_wild(s)) {
        uint64_t a = wild_address(s, offset);

        s_set(s, code, (uint32_t)a);
        s_set(s, code + 1, (uint32_t)(a >> 32));
        return;
    }
    s_region_plus(s, code, at);
    sop1(s, STREAM_s_mov_b32, code + 1, S_REGION + 1);
}

/* A 64-bit address for each lane. */
static void v_addresses(struct stream *s, unsigned v, int32_t offset, bool lds)
{
    uint64_t window = 0;
    uint32_t bytes = STREAM_DATA_BYTES;

    if (is_wild(s)) {
        uint64_t a = wild_address(s, offset);

        vop2_literal(s, STREAM_v_mul_u32_u24, v, stream_below(s->rng, s->shape.targets ? 6 : 64), v_lane(s));
        v_add(s, v, (uint32_t)a);
        v_set_literal(s, v + 1, (uint32_t)(a >> 32));
        return;
    }
    if (lds && stream_chance(s->rng, 30)) {
        bool private = s->shape.waves > 1 || stream_chance(s->rng, 50);
        uint32_t room = private ? STREAM_SCRATCH_BYTES : STREAM_LDS_BYTES;

        /* an offset above zero adds to what the registers hold: below the window they are in another one */
        if (offset < 0 || 2 * (uint32_t)offset <= room) {
            window = private ? s->places.private_aperture : s->places.shared_aperture;
            bytes = offset > 0 ? room / 2 : room;
        }
    }
    v_offsets(s, v, bytes);
    if (window) {
        v_add(s, v, offset < 0 ? (uint32_t)-offset : 0);
        v_set_literal(s, v + 1, (uint32_t)(window >> 32));
        return;
    }
    v_add_sgpr(s, v, S_REGION);
    v_add(s, v, (uint32_t)-offset);
    v_set(s, v + 1, S_REGION + 1);
}

static uint32_t buffer_word3(struct stream *s)
{
    static const uint8_t formats_old[] = {4, 5, 10, 11, 12, 13, 14, 1, 2, 3};
    uint32_t w = 4u | 5u << 3 | 6u << 6 | 7u << 9, format = stream_below(s->rng, 64);

    if (stream_chance(s->rng, 20))
        w = stream_draw(s->rng) & 0xfff;
    switch (s->catalog->target->layout) {
    case LAYOUT_GFX8:
    case LAYOUT_GFX9:
        return w | (uint32_t)formats_old[stream_below(s->rng, sizeof formats_old)] << 15 |
               stream_below(s->rng, 8) << 12;
    default: /* with the rule for bounds */
        return w | format << 12 | stream_below(s->rng, 4) << 28;
    }
}

/* A descriptor: raw bytes, or records, some of them swizzled. */
static void s_descriptor(struct stream *s, unsigned code)
{
    uint32_t high = (uint32_t)(s->places.region >> 32) & 0xffff, stride = 0, records = STREAM_DATA_BYTES / 2;
    uint32_t word3 = buffer_word3(s);

    if (!is_settable(s, code) || !is_settable(s, code + 3))
        return;
    if (is_wild(s)) {
        uint64_t a = wild_address(s, 0);

        s_set(s, code, (uint32_t)a);
        s_set(s, code + 1, stream_chance(s->rng, 50) ? (uint32_t)(a >> 32) : high | stream_draw(s->rng) << 16);
        s_set(s, code + 2, stream_chance(s->rng, 50) ? stream_draw(s->rng) : UINT32_MAX - stream_below(s->rng, 32));
        s_set(s, code + 3, stream_chance(s->rng, 50) ? stream_draw(s->rng) : word3);
        return;
    }
    if (stream_chance(s->rng, 40)) {
        stride = 4 + 4 * stream_below(s->rng, 15);
        records = 64 + stream_below(s->rng, 64);
        if (stream_chance(s->rng, 40)) { /* swizzled: 8 to 64 records beside one another */
            high |= 1u << 31;
            word3 |= stream_below(s->rng, 4) << 21;
        }
    }
    s_region_plus(s, code, stream_below(s->rng, 256) & ~UINT32_C(3));
    s_set(s, code + 1, high | stride << 16);
    s_set(s, code + 2, records);
    s_set(s, code + 3, word3);
}

static void s_small(struct stream *s, const struct isa_opnd *o)
{
    if (o && o->code < CODE_INT_0 && is_settable(s, o->code))
        s_set(s, o->code, is_wild(s) ? stream_draw(s->rng) : stream_below(s->rng, 64) & ~UINT32_C(3));
}

static void set_up_scratch(struct stream *s, const struct isa_inst *i)
{
    const struct isa_opnd *v = operand(i, SL_ADDR), *saddr = operand(i, SL_SADDR);
    bool in_sgpr = saddr && is_settable(s, saddr->code);

    if (v)
        v_offsets(s, v->code - CODE_VGPR, STREAM_SCRATCH_BYTES / 2);
    if (in_sgpr)
        s_set(s, saddr->code, is_wild(s) ? stream_draw(s->rng) : (uint32_t)-i->offset);
    else if (v)
        v_add(s, v->code - CODE_VGPR, (uint32_t)-i->offset);
}

static void set_up_global(struct stream *s, const struct isa_inst *i)
{
    const struct isa_opnd *v = operand(i, SL_ADDR), *saddr = operand(i, SL_SADDR);

    if (!saddr) {
        if (v)
            v_addresses(s, v->code - CODE_VGPR, i->offset, false);
        return;
    }
    if (v)
        v_offsets(s, v->code - CODE_VGPR, STREAM_DATA_BYTES);
    s_pair(s, saddr->code, (uint32_t)-i->offset, i->offset);
}

static void set_up_buffer(struct stream *s, const struct isa_inst *i)
{
    const struct isa_opnd *v = operand(i, SL_ADDR), *d = operand(i, SL_SRSRC);

    for (unsigned k = 0; v && k < isa_types[v->type].dwords; k++)
        v_offsets(s, v->code - CODE_VGPR + k, stream_chance(s->rng, 50) ? 128 : 1024);
    s_small(s, operand(i, SL_SOFFSET));
    if (d)
        s_descriptor(s, d->code);
}

static void set_up_scalar(struct stream *s, const struct isa_inst *i)
{
    const struct isa_opnd *base = operand(i, SL_SBASE);

    s_small(s, operand(i, SL_SOFFSET));
    if (!base)
        return;
    if (isa_types[base->type].dwords == 4)
        s_descriptor(s, base->code);
    else
        s_pair(s, base->code, (stream_below(s->rng, STREAM_DATA_BYTES / 2) & ~UINT32_C(3)) - (uint32_t)i->offset,
               i->offset);
}

void stream_set_up(struct stream *s, const struct isa_inst *i)
{
    const struct isa_target *t = s->catalog->target;
    const struct isa_opnd *v = operand(i, SL_ADDR);

    switch (i->format) {
    case FMT_FLAT:
        if (v)
            v_addresses(s, v->code - CODE_VGPR, i->offset, true);
        break;
    case FMT_GLOBAL:
        set_up_global(s, i);
        break;
    case FMT_SCRATCH:
        set_up_scratch(s, i);
        break;
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_VBUFFER:
        set_up_buffer(s, i);
        break;
    case FMT_SMEM:
        set_up_scalar(s, i);
        break;
    case FMT_DS:
        if (v && v->code >= CODE_VGPR)
            v_offsets(s, v->code - CODE_VGPR, STREAM_LDS_BYTES);
        break;
    default:
        break;
    }
    if (i->row->flags & RF_RELATIVE || strstr(i->row->name, "movrel"))
        s_set(s, t->code_m0, stream_below(s->rng, stream_chance(s->rng, 80) ? 8 : 65536));
    else if (i->row->implicit & IMP_R_M0 || (i->format == FMT_DS && stream_chance(s->rng, 10)))
        s_set(s, t->code_m0, stream_chance(s->rng, 50) ? stream_draw(s->rng) : stream_below(s->rng, 64));
    else if (i->format == FMT_DS)
        s_set(s, t->code_m0, UINT32_MAX);
}
