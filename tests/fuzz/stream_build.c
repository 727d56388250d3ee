/* Programs of random instructions: what loads registers, what goes in front of each instruction so that its addresses
 * mean something, and what stores registers at the end. */
#include <string.h>

#include "tests/fuzz/stream.h"

enum {
    S_BASE = 0, /* where the launch puts the address of the first region */
    S_GROUP = 2,
    S_FIRST_KEPT = 92,
    S_MODE = 92,
    S_EXEC = 94,   /* and 95 */
    S_REGION = 96, /* and 97: of this wave */
    S_TEMP = 98,
    S_SCC = 99,
    S_LAST_KEPT = 99,
    VGPRS_KEPT = 4, /* the last of them: an address, one unused, the number of the lane */
    LITERAL = CODE_LITERAL,
    MINUS_1 = 193,
    HWREG_MODE = 1 | 31 << 11,
    MODE_AT_FIRST = 0xf0 | MODE_DX10_CLAMP | MODE_IEEE,
    UNIT_WORDS = 160, /* of an instruction and what it needs, at most */
    END_WORDS = 3200,
};

static unsigned v_lane(const struct stream *s)
{
    return s->shape.vgprs - 1;
}

static unsigned v_address(const struct stream *s)
{
    return s->shape.vgprs - VGPRS_KEPT;
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static void put(struct stream *s, uint32_t w)
{
    if (s->words < STREAM_MAX_WORDS)
        s->word[s->words++] = w;
}

static uint32_t op(const struct stream *s, enum stream_op which)
{
    return (uint32_t)s->catalog->opcode[which];
}

static bool has(const struct stream *s, enum stream_op which)
{
    return s->catalog->opcode[which] >= 0;
}

static bool old_layout(const struct stream *s)
{
    return s->catalog->target->layout <= LAYOUT_GFX9;
}

static void sop1(struct stream *s, enum stream_op which, unsigned dst, unsigned src)
{
    put(s, 0xbe800000 | dst << 16 | op(s, which) << 8 | src);
}

static void sop2(struct stream *s, enum stream_op which, unsigned dst, unsigned a, unsigned b)
{
    put(s, 0x80000000 | op(s, which) << 23 | dst << 16 | b << 8 | a);
}

static void sopk(struct stream *s, enum stream_op which, unsigned dst, unsigned simm)
{
    put(s, 0xb0000000 | op(s, which) << 23 | dst << 16 | simm);
}

static void sopp(struct stream *s, enum stream_op which, unsigned simm)
{
    put(s, 0xbf800000 | op(s, which) << 16 | simm);
}

static void s_set(struct stream *s, unsigned dst, uint32_t value)
{
    sop1(s, STREAM_s_mov_b32, dst, LITERAL);
    put(s, value);
}

static void v_set(struct stream *s, unsigned dst, unsigned src)
{
    put(s, 0x7e000000 | dst << 17 | op(s, STREAM_v_mov_b32) << 9 | src);
}

static void v_set_literal(struct stream *s, unsigned dst, uint32_t value)
{
    v_set(s, dst, LITERAL);
    put(s, value);
}

/* src0 a literal */
static void vop2_literal(struct stream *s, enum stream_op which, unsigned dst, uint32_t value, unsigned src1)
{
    put(s, op(s, which) << 25 | dst << 17 | src1 << 9 | LITERAL);
    put(s, value);
}

static void vop3(struct stream *s, enum stream_op which, unsigned dst, unsigned a, unsigned b, unsigned c)
{
    put(s, (old_layout(s) ? 0xd0000000 : 0xd4000000) | op(s, which) << 16 | dst);
    put(s, a | b << 9 | (uint32_t)c << 18);
}

/* dst += an SGPR, without a carry: |a - 0| + dst */
static void v_add_sgpr(struct stream *s, unsigned dst, unsigned sgpr)
{
    vop3(s, STREAM_v_sad_u32, dst, sgpr, CODE_INT_0, CODE_VGPR + dst);
}

static void v_add(struct stream *s, unsigned dst, uint32_t value)
{
    if (!value)
        return;
    s_set(s, S_TEMP, value);
    v_add_sgpr(s, dst, S_TEMP);
}

static void flat(struct stream *s, enum stream_op which, unsigned data)
{
    bool load = which == STREAM_flat_load_dwordx4;
    enum isa_layout layout = s->catalog->target->layout;
    uint32_t saddr = layout == LAYOUT_GFX11 ? 0x7c : layout == LAYOUT_GFX10 ? 0x7d : 0;

    if (layout == LAYOUT_GFX12) {
        put(s, 0xec00007c | op(s, which) << 14);
        put(s, load ? data : data << 23);
        put(s, v_address(s));
        return;
    }
    put(s, 0xdc000000 | op(s, which) << 18);
    put(s, v_address(s) | saddr << 16 | (uint32_t)data << (load ? 24 : 8));
}

/* The address registers: `at` bytes into the region, 16 bytes a lane. */
static void point_to(struct stream *s, uint32_t at)
{
    vop2_literal(s, STREAM_v_mul_u32_u24, v_address(s), 16, v_lane(s));
    v_add_sgpr(s, v_address(s), S_REGION);
    v_set(s, v_address(s) + 1, S_REGION + 1);
    v_add(s, v_address(s), at);
    s_set(s, S_TEMP, 16 * s->shape.lanes); /* to the next registers */
}

static void accvgpr(struct stream *s, enum stream_op which, unsigned dst, unsigned src)
{
    put(s, 0xd3804000 | op(s, which) << 16 | dst);
    put(s, 0x18000000 | (CODE_VGPR + src));
}

/* Begin and end ---------------------------------------------------------------------------------------------------- */

static unsigned log2_of(uint32_t n)
{
    return (unsigned)__builtin_ctz(n);
}

static void find_region(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;
    unsigned group = isa_has(t, FEAT_ARCH_SGPRS) ? t->code_ttmp0 + 9u : S_GROUP;

    sop2(s, STREAM_s_lshl_b32, S_SCC, group, CODE_INT_0 + log2_of(s->shape.waves));
    if (s->shape.waves > 1) { /* the wave's number in its workgroup */
        put(s, 0x7e000000 | S_TEMP << 17 | op(s, STREAM_v_readfirstlane_b32) << 9 | CODE_VGPR);
        sop2(s, STREAM_s_lshr_b32, S_TEMP, S_TEMP, CODE_INT_0 + log2_of(s->shape.lanes));
        sop2(s, STREAM_s_add_u32, S_SCC, S_SCC, S_TEMP);
    }
    sop2(s, STREAM_s_lshl_b32, S_SCC, S_SCC, CODE_INT_0 + STREAM_REGION_SHIFT);
    sop2(s, STREAM_s_add_u32, S_REGION, S_BASE, S_SCC);
    sop1(s, STREAM_s_mov_b32, S_REGION + 1, S_BASE + 1);
    vop3(s, STREAM_v_mbcnt_lo_u32_b32, v_lane(s), MINUS_1, CODE_INT_0, 0);
    vop3(s, STREAM_v_mbcnt_hi_u32_b32, v_lane(s), MINUS_1, CODE_VGPR + v_lane(s), 0);
}

/* What other waves have left in a slot of scratch depends on the order of waves. */
static void clear_scratch(struct stream *s)
{
    v_set(s, v_address(s), CODE_INT_0);
    v_set_literal(s, v_address(s) + 1, (uint32_t)(s->places.private_aperture >> 32));
    s_set(s, S_TEMP, 16);
    for (unsigned k = 0; k < STREAM_SCRATCH_BYTES; k += 16) {
        flat(s, STREAM_flat_store_dwordx4, 4); /* registers that are zero */
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
}

static void load_sgprs(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;
    uint32_t null = t->layout == LAYOUT_GFX10 ? 0x7d : 0x7c, code = op(s, STREAM_s_load_dwordx16);

    for (unsigned k = 0; k < S_REGION; k += 16) {
        if (old_layout(s)) {
            put(s, 0xc0020000 | code << 18 | k << 6 | S_REGION / 2);
            put(s, 4 * k);
        } else {
            put(s, 0xf4000000 | code << (t->layout == LAYOUT_GFX12 ? 13 : 18) | k << 6 | S_REGION / 2);
            put(s, null << 25 | 4 * k);
        }
    }
    s_set(s, CODE_VCC_LO, stream_draw(s->rng));
    s_set(s, CODE_VCC_HI, stream_draw(s->rng));
    s_set(s, t->code_m0, UINT32_MAX);
}

void stream_begin(struct stream *s, struct stream_catalog *c, const struct stream_shape *shape,
                  const struct stream_places *places, struct stream_rng *rng)
{
    s->catalog = c;
    s->shape = *shape;
    s->places = *places;
    s->rng = rng;
    s->words = s->made = 0;
    s->timed = false;
    s->branch = STREAM_MAX_WORDS;
    find_region(s);
    if (shape->repeatable)
        clear_scratch(s);
    point_to(s, 0);
    for (unsigned k = 0; k < shape->vgprs - VGPRS_KEPT; k += 4) {
        flat(s, STREAM_flat_load_dwordx4, k);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
    for (unsigned k = 0; k < shape->agprs; k++)
        accvgpr(s, STREAM_v_accvgpr_write_b32, k, k % (shape->vgprs - VGPRS_KEPT));
    load_sgprs(s);
}

/* Scalar registers as lanes of v[0:3]. */
static void store_sgprs(struct stream *s)
{
    unsigned m0 = s->catalog->target->code_m0;

    for (unsigned k = 0; k < 4; k++)
        v_set(s, k, CODE_INT_0);
    for (unsigned k = 0; k <= CODE_VCC_HI + 1u; k++) {
        unsigned code = k > CODE_VCC_HI ? m0 : k;

        if (code < 102 || code >= CODE_VCC_LO)
            vop3(s, STREAM_v_writelane_b32, k / s->shape.lanes, code, CODE_INT_0 + k % s->shape.lanes, 0);
    }
    flat(s, STREAM_flat_store_dwordx4, 0);
    v_add_sgpr(s, v_address(s), S_TEMP);
}

static void store_lds(struct stream *s)
{
    uint32_t shift = old_layout(s) ? 17 : 18, step = 16 * s->shape.lanes;

    vop2_literal(s, STREAM_v_mul_u32_u24, 4, 16, v_lane(s));
    for (uint32_t at = 0; at < STREAM_LDS_BYTES; at += step) {
        put(s, 0xd8000000 | op(s, STREAM_ds_read_b128) << shift | at);
        put(s, 4);
        flat(s, STREAM_flat_store_dwordx4, 0);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
}

static void end_branch(struct stream *s)
{
    if (s->branch < STREAM_MAX_WORDS)
        s->word[s->branch] = (s->word[s->branch] & 0xffff0000) | ((s->words - s->branch - 1) & 0xffff);
    s->branch = STREAM_MAX_WORDS;
}

void stream_end(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;

    end_branch(s);
    sop2(s, STREAM_s_cselect_b32, S_SCC, CODE_INT_0 + 1, CODE_INT_0);
    sop1(s, STREAM_s_mov_b32, S_EXEC, CODE_EXEC_LO);
    sop1(s, STREAM_s_mov_b32, S_EXEC + 1, CODE_EXEC_HI);
    sopk(s, STREAM_s_getreg_b32, S_MODE, HWREG_MODE);
    sopk(s, STREAM_s_setreg_imm32_b32, 0, HWREG_MODE);
    put(s, MODE_AT_FIRST);
    sop1(s, STREAM_s_mov_b32, CODE_EXEC_LO, MINUS_1);
    sop1(s, STREAM_s_mov_b32, CODE_EXEC_HI, MINUS_1);
    point_to(s, STREAM_DATA_BYTES);
    for (unsigned k = 0; k < s->shape.vgprs - VGPRS_KEPT; k += 4) {
        flat(s, STREAM_flat_store_dwordx4, k);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
    store_sgprs(s);
    for (unsigned k = 0; k < s->shape.agprs; k++) {
        accvgpr(s, STREAM_v_accvgpr_read_b32, k % 4, k);
        if (k % 4 == 3) {
            flat(s, STREAM_flat_store_dwordx4, 0);
            v_add_sgpr(s, v_address(s), S_TEMP);
        }
    }
    sop1(s, STREAM_s_mov_b32, t->code_m0, MINUS_1);
    store_lds(s);
    sopp(s, STREAM_s_endpgm, 0);
}

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

static bool is_buffer(unsigned format)
{
    return format == FMT_MUBUF || format == FMT_MTBUF || format == FMT_VBUFFER;
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
    if (s->strict && is_buffer(i->format))
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

/* Clears bits of the words until every register that they name is there. */
static bool shrink(const struct stream *s, const struct stream_cell *cell, uint8_t *bytes, unsigned *size,
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
    case LAYOUT_GFX10:
        return w | format << 12 | stream_below(s->rng, 4) << 28;
    default:
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

static void set_up(struct stream *s, const struct isa_inst *i)
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

/* Instructions ----------------------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* What reads a clock or the place of the wave, waits for others, ends the wave, goes to an address in a register, or
 * writes registers that its operands do not name. */
static bool is_repeatable(const struct isa_row *row)
{
    static const char *const not [] = {
        "s_memtime",      "s_memrealtime", "s_getreg",    "s_setreg",       "s_sendmsg_rtn", "s_barrier",
        "s_get_barrier",  "s_trap",        "s_sethalt",   "s_setkill",      "s_setpc",       "s_swappc",
        "s_rfe",          "s_cbranch_g",   "s_cbranch_i", "s_cbranch_join", "s_movrel",      "v_movrel",
        "s_set_gpr_idx",  "s_setvskip",    "s_endpgm",    "s_sleep_var",    "s_subvector",   "v_swaprel",
        "s_cbranch_cdbg", "s_wakeup",      "s_code_end",  "s_get_waveid",   "v_illegal",     "s_get_shader",
    };

    for (unsigned k = 0; k < sizeof not / sizeof not [0]; k++)
        if (begins(row->name, not [k]))
            return false;
    return true;
}

/* What a clock shows, or where the wave runs, differs from engine to engine, and so do sleeps that nobody ends. */
static bool reads_time(const struct isa_row *row)
{
    static const char *const names[] = {"s_memtime",     "s_memrealtime", "s_getreg",
                                        "s_sendmsg_rtn", "s_get_shader",  "s_sleep_var"};

    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
        if (begins(row->name, names[k]))
            return true;
    return false;
}

static bool uses_lds(const struct stream_cell *c)
{
    const struct isa_row *r = c->row;

    return (c->format == FMT_DS && r->cls != OPC_LDS_PERMUTE) || strstr(r->name, "_lds");
}

bool stream_allows(const struct stream_shape *shape, const struct stream_cell *c)
{
    if (!c->known)
        return false;
    if (!shape->repeatable)
        return true;
    return is_repeatable(c->row) && (shape->waves == 1 || !uses_lds(c));
}

struct stream_cell *stream_pick(struct stream *s)
{
    for (unsigned n = 0; n < 100; n++) {
        struct stream_cell *c = &s->catalog->cell[stream_below(s->rng, s->catalog->count)];

        if (stream_allows(&s->shape, c))
            return c;
    }
    return &s->catalog->cell[0];
}

static bool is_label(const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (i->row->args[k].type == T_LABEL)
            return true;
    return false;
}

/* Immediates with which an instruction would leave the program, or wait for ever. */
static void bound_immediate(struct stream *s, const struct isa_inst *i, uint32_t *word)
{
    if (is_label(i) && (s->shape.repeatable || stream_chance(s->rng, 70))) {
        s->branch = s->words; /* over the next instruction */
        return;
    }
    if (begins(i->row->name,
               "s_sleep")) /* the timing engine sleeps till the end of time, the functional one does not */
        *word &= ~UINT32_C(0x8000);
    for (unsigned k = 0; k < i->nops; k++) /* MODE, STATUS, ..., from any bit on */
        if (i->row->args[k].type == T_HWREG && stream_chance(s->rng, 80))
            *word = (*word & ~UINT32_C(0x3f)) | (1 + stream_below(s->rng, 7));
}

bool stream_add(struct stream *s, struct stream_cell *cell)
{
    uint8_t bytes[ENCODING_BYTES];
    unsigned before = s->branch, at;

    if (s->words + UNIT_WORDS + END_WORDS > STREAM_MAX_WORDS)
        return false;
    s->strict = s->shape.repeatable || stream_chance(s->rng, 90);
    for (unsigned n = 0; n < 400; n++) {
        struct isa_inst i;
        uint32_t word;
        unsigned size;

        if (!stream_sample(s->catalog, cell, s->rng, bytes, &i) || (i.bad && s->strict) ||
            (i.format == FMT_DS && i.u.mem.gds && s->strict) ||
            (s->shape.waves > 1 &&
             (is_buffer(i.format) || i.format == FMT_FLAT || i.format == FMT_GLOBAL || i.format == FMT_SCRATCH) &&
             i.u.mem.lds))
            continue;
        size = i.size_bytes;
        if (!shrink(s, cell, bytes, &size, &i))
            continue;
        set_up(s, &i);
        s->branch = STREAM_MAX_WORDS;
        word = load_u32(bytes);
        bound_immediate(s, &i, &word);
        at = s->words;
        put(s, word);
        for (unsigned k = 4; k < size; k += 4)
            put(s, load_u32(bytes + k));
        if (before < STREAM_MAX_WORDS) { /* the branch before it goes over it */
            unsigned own = s->branch;

            s->branch = before;
            end_branch(s);
            s->branch = own;
        }
        if (s->made < STREAM_MAX_MADE)
            s->at[s->made] = (struct stream_at){cell, at};
        s->made++;
        s->timed |= reads_time(cell->row);
        cell->made++;
        return true;
    }
    s->branch = before;
    return false;
}

void stream_add_barrier(struct stream *s)
{
    end_branch(s);
    if (has(s, STREAM_s_barrier_signal)) {
        sop1(s, STREAM_s_barrier_signal, 0, MINUS_1);
        sopp(s, STREAM_s_barrier_wait, 0xffff);
    } else {
        sopp(s, STREAM_s_barrier, 0);
    }
}

void stream_add_state(struct stream *s)
{
    uint32_t v = stream_draw(s->rng);

    end_branch(s);
    switch (stream_below(s->rng, 6)) {
    case 0:
        sop1(s, STREAM_s_mov_b32, CODE_EXEC_LO, MINUS_1);
        sop1(s, STREAM_s_mov_b32, CODE_EXEC_HI, MINUS_1);
        break;
    case 1:
    case 2:
        s_set(s, CODE_EXEC_LO, v);
        s_set(s, CODE_EXEC_HI, stream_draw(s->rng));
        break;
    case 3:
        s_set(s, CODE_VCC_LO + (v & 1), stream_draw(s->rng));
        break;
    case 4:
        s_set(s, CODE_EXEC_LO, stream_chance(s->rng, 30) ? 0 : 1u << (v & 31));
        s_set(s, CODE_EXEC_HI, 0);
        break;
    default: /* rounding and denormals */
        sopk(s, STREAM_s_setreg_imm32_b32, 0, 1 | 7 << 11);
        put(s, v & 0xff);
        break;
    }
}
