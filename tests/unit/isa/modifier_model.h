/* What modifiers do to the operands and the result of one lane, written from the manuals. For test_every_modifier.c.
 *
 * Operands: DPP brings a lane's src0 from another lane; SDWA takes a byte or a half of it, with the sign or without;
 * op_sel takes the high half; abs and neg touch the sign; all in this order. Results: omod, clamp, then the place in
 * the register. Not modelled (model_can, model_knows say no): modifiers that only the instruction itself can explain.
 */
#ifndef GCNSIM_TESTS_ISA_MODIFIER_MODEL_H
#define GCNSIM_TESTS_ISA_MODIFIER_MODEL_H

#include "isa/lanes/lanes.h"
#include "tests/unit/isa/lanes_check.h"

struct model {
    const struct rig *r;
    const struct isa_inst *i;
    const struct isa_row *row;
    const struct isa_arg *src[3];
    unsigned lanes;
    uint64_t exec;
    bool dpp16, dpp8;
};

static inline bool model_packed16(unsigned type)
{
    return isa_is_packed_f16(type) || type == T_PB16 || isa_is_packed_bf16(type);
}

/* Width of the sign that abs and neg touch; 0: not their kind. */
static inline unsigned model_float_bits(const struct isa_arg *a)
{
    if (!a || (a->flags & A_NOMOD))
        return 0;
    if (a->type == T_BF16)
        return 16;
    return isa_types[a->type].float_bits ? isa_types[a->type].float_bits
           : a->flags & A_FMOD           ? isa_types[a->type].bits
                                         : 0;
}

/* Whether the instruction's operands are all of the plain kinds. */
static inline bool model_can(const struct isa_inst *i)
{
    return !(i->row->flags & (RF_OP_SEL | RF_MAI | RF_INTERP | RF_ANY_LANE | RF_INT_MODS)) && !i->has_literal;
}

static inline bool model_knows_source(const struct isa_inst *i, unsigned k)
{
    const struct isa_arg *a = row_arg(i->row, SL_SRC0 + k);
    bool sign = (i->neg | i->abs) >> k & 1, sel = i->op_sel >> k & 1, high = i->neg_hi >> k & 1;

    if (!a)
        return !sign && !sel && !high;
    if (i->form == FORM_SDWA && k < 2) {
        bool sext = i->u.sdwa.sext >> k & 1;
        if (i->u.sdwa.src_sel[k] > 6 || (sext && model_float_bits(a)))
            return false;
    }
    if (model_packed16(a->type) || a->type == T_PF32 || a->type == T_PB32) {
        if (i->format == FMT_VOP3P)
            return !((sign || high) && (a->type == T_PB16 || a->type == T_PB32));
        return !sel && !(sign && a->type == T_PB16);
    }
    if (a->type == T_MIX || a->type == T_MIXB)
        return true;
    if (i->format == FMT_VOP3P)
        return !sel && !high && !(sign && !model_float_bits(a));
    return !(sign && !model_float_bits(a)) && !(sel && isa_types[a->type].bits != 16);
}

static inline bool model_knows(const struct isa_inst *i)
{
    const struct isa_type_info *d = &isa_types[i->op[0].type];

    for (unsigned k = 0; k < 3; k++)
        if (!model_knows_source(i, k))
            return false;
    if (i->omod && (!d->float_bits || i->op[0].type == T_PF16))
        return false;
    if (i->clamp && !d->float_bits && !(i->row->flags & RF_INT_CLAMP))
        return false;
    if ((i->op_sel & 8) && d->bits != 16)
        return false;
    if (i->form == FORM_SDWA && (i->u.sdwa.dst_sel > 6 || i->u.sdwa.dst_unused > 2))
        return false;
    /* what a broadcast does to the rows that nothing is broadcast to, with BOUND_CTRL, no manual says */
    if (isa_form_is_dpp16(i->form) && (i->u.dpp.ctrl == 0x142 || i->u.dpp.ctrl == 0x143) && i->u.dpp.bound_ctrl)
        return false;
    return true;
}

static inline void model_init(struct model *m, const struct rig *r, const struct isa_inst *i, uint64_t exec)
{
    *m = (struct model){.r = r, .i = i, .row = i->row, .lanes = r->w.lanes, .exec = exec};
    for (unsigned k = 0; k < 3; k++)
        m->src[k] = row_arg(i->row, SL_SRC0 + k);
    m->dpp16 = isa_form_is_dpp16(i->form);
    m->dpp8 = isa_form_is_dpp8(i->form);
}

/* --- lanes ----------------------------------------------------------------------------------------------------------
 */

/* Lane that lane l reads under a dpp_ctrl; -1 when there is none. */
static inline int model_dpp_lane(unsigned ctrl, int l, int lanes)
{
    int row = l / 16 * 16, in = l % 16, n = (int)(ctrl & 15);

    if (ctrl < 0x100)
        return l / 4 * 4 + (int)(ctrl >> 2 * (l % 4) & 3);
    switch (ctrl >> 4) {
    case 0x10: /* row_shl */
        return in + n > 15 ? -1 : l + n;
    case 0x11:
        return in < n ? -1 : l - n;
    case 0x12: /* row_ror */
        return row + (in - n + 16) % 16;
    case 0x15: /* row_share, row_newbcast */
        return row + n;
    case 0x16: /* row_xmask */
        return row + (in ^ n);
    default:
        break;
    }
    switch (ctrl) {
    case 0x130:
        return l + 1 < lanes ? l + 1 : -1;
    case 0x134:
        return (l + 1) % lanes;
    case 0x138:
        return l - 1;
    case 0x13c:
        return (l + lanes - 1) % lanes;
    case 0x140:
        return row + 15 - in;
    case 0x141:
        return l / 8 * 8 + 7 - l % 8;
    case 0x142: /* lane 15 of the row before */
        return row - 1;
    default: /* 0x143: lane 31 to the upper half */
        return l < 32 ? -1 : 31;
    }
}

/* The lane src0 comes from; -1: nothing comes, which reads as zero or leaves the result alone. */
static inline int model_from(const struct model *m, unsigned l)
{
    int from = (int)l;
    bool inactive_too = true;

    if (m->dpp16) {
        from = model_dpp_lane(m->i->u.dpp.ctrl, (int)l, (int)m->lanes);
        inactive_too = m->i->u.dpp.fi;
    } else if (m->dpp8) {
        from = (int)(l / 8 * 8 + (m->i->u.dpp.sel8 >> 3 * (l % 8) & 7));
        inactive_too = m->i->u.dpp.fi;
    }
    return from >= 0 && !inactive_too && !(m->exec >> from & 1) ? -1 : from;
}

static inline bool model_lane_on(const struct model *m, unsigned l)
{
    const struct isa_dpp *d = &m->i->u.dpp;

    if (!(m->exec >> l & 1))
        return false;
    if (!m->dpp16)
        return true;
    if (!(d->row_mask >> l / 16 & 1) || !(d->bank_mask >> l % 16 / 4 & 1))
        return false;
    return d->bound_ctrl || model_from(m, l) >= 0;
}

/* --- sources --------------------------------------------------------------------------------------------------------
 */

static inline uint64_t model_sign(uint64_t v, unsigned bits, bool absolute, bool negate)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);

    if (absolute)
        v &= ~sign;
    return negate ? v ^ sign : v;
}

static inline uint32_t model_select(uint32_t v, unsigned sel, bool sext)
{
    uint32_t b = sel < 4 ? v >> 8 * sel & 0xff : v >> 16 * (sel & 1) & 0xffff;

    if (sel == 6)
        return v;
    return !sext ? b : sel < 4 ? (uint32_t)(int8_t)b : (uint32_t)(int16_t)b;
}

static inline uint32_t model_halves(const struct isa_inst *i, unsigned k, uint32_t v)
{
    uint32_t lo = i->op_sel >> k & 1 ? v >> 16 : v & 0xffff, hi = i->op_sel_hi >> k & 1 ? v >> 16 : v & 0xffff;

    return (uint32_t)model_sign(lo, 16, false, i->neg >> k & 1) |
           (uint32_t)model_sign(hi, 16, false, i->neg_hi >> k & 1) << 16;
}

static inline float model_half(uint32_t h)
{
    int e = h >> 10 & 31, m = h & 0x3ff;
    float v = e == 31 ? (m ? 0 : INFINITY) : e ? ldexpf((float)(m | 0x400), e - 25) : ldexpf((float)m, -24);

    return h & 0x8000 ? -v : v;
}

/* A source of v_fma_mix: the bits of an f32. */
static inline uint32_t model_mix(const struct isa_inst *i, unsigned k, unsigned type, uint32_t v)
{
    if (i->op_sel_hi >> k & 1) {
        uint32_t h = i->op_sel >> k & 1 ? v >> 16 : v & 0xffff;
        if (type == T_MIXB)
            v = h << 16;
        else if ((h & 0x7c00) == 0x7c00 && (h & 0x3ff)) /* a NaN keeps its payload */
            v = (h & 0x8000) << 16 | 0x7f800000 | (h & 0x3ff) << 13;
        else
            v = bits_f32(model_half(h));
    }
    return (uint32_t)model_sign(v, 32, i->neg_hi >> k & 1, i->neg >> k & 1);
}

/* in: words of the source's registers by lane; out: what lane l's instruction without modifiers has to find there. */
static inline void model_source(const struct model *m, unsigned k, unsigned l, uint32_t in[2][64], uint32_t out[2][64])
{
    const struct isa_inst *i = m->i;
    const struct isa_arg *a = m->src[k];
    int from = k ? (int)l : model_from(m, l);
    uint64_t v = from < 0 ? 0 : in[0][from] | (uint64_t)in[1][from] << 32;
    bool absolute = i->abs >> k & 1, negate = i->neg >> k & 1;

    if (a && i->form == FORM_SDWA && k < 2)
        v = model_select((uint32_t)v, i->u.sdwa.src_sel[k], i->u.sdwa.sext >> k & 1) | (v >> 32 << 32);
    if (a && model_packed16(a->type)) {
        if (i->format == FMT_VOP3P)
            v = model_halves(i, k, (uint32_t)v);
        else
            v = model_sign((uint32_t)v >> 16, 16, absolute, negate) << 16 |
                model_sign(v & 0xffff, 16, absolute, negate);
    } else if (a && (a->type == T_PF32 || a->type == T_PB32)) {
        uint64_t lo = i->op_sel >> k & 1 ? v >> 32 : (uint32_t)v, hi = i->op_sel_hi >> k & 1 ? v >> 32 : (uint32_t)v;
        v = model_sign(lo, 32, false, negate) | model_sign(hi, 32, false, i->neg_hi >> k & 1) << 32;
    } else if (a && (a->type == T_MIX || a->type == T_MIXB)) {
        v = model_mix(i, k, a->type, (uint32_t)v);
    } else if (a) {
        if (isa_types[a->type].bits == 16 && (i->op_sel >> k & 1))
            v = (uint32_t)v >> 16;
        if (model_float_bits(a))
            v = model_sign(v, model_float_bits(a), absolute, negate);
    }
    out[0][l] = (uint32_t)v;
    out[1][l] = (uint32_t)(v >> 32);
}

static inline bool model_accumulates(const struct model *m)
{
    for (unsigned k = 0; k < ISA_MAX_ARGS && m->row->args[k].slot != SL_NONE; k++)
        if ((m->row->args[k].flags & A_HIDDEN) && (m->row->args[k].flags & A_RD) &&
            m->row->args[k].type == m->row->args[0].type)
            return true;
    return false;
}

/* The old destination, as the instruction without modifiers has to find it: the half that op_sel names, at the bottom.
 */
static inline uint32_t model_accumulator(const struct model *m, uint32_t old)
{
    return (m->i->op_sel & 8) && model_accumulates(m) ? old >> 16 | old << 16 : old;
}

/* --- masks ----------------------------------------------------------------------------------------------------------
 */

/* mask: 0 the SGPRs that VOP3 names, 1 VCC, 2 EXEC */
static inline bool model_writes_mask(const struct model *m, unsigned mask)
{
    static const uint16_t code[] = {30, CODE_VCC_LO, CODE_EXEC_LO};

    if (mask == 2 && (m->row->flags & RF_CMPX))
        return true;
    return (m->row->kind == ROW_CMP && m->i->op[0].code == code[mask]) ||
           (m->row->kind != ROW_CMP && m->i->op[1].type == T_MASK && m->i->first_src == 2 &&
            m->i->op[1].code == code[mask]);
}

static inline uint64_t model_mask(const struct model *m, uint64_t without, unsigned mask)
{
    uint64_t on = 0;

    if (!model_writes_mask(m, mask))
        return without;
    for (unsigned l = 0; l < m->lanes; l++)
        on |= (uint64_t)model_lane_on(m, l) << l;
    return without & on;
}

/* --- results --------------------------------------------------------------------------------------------------------
 */

static inline bool model_nan(uint64_t v, unsigned bits)
{
    return bits == 16   ? (v & 0x7fff) > 0x7c00
           : bits == 32 ? (v & 0x7fffffff) > 0x7f800000
                        : (v & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

/* Times a power of two: exact but for overflow and what falls below the normal numbers, which is zero. */
static inline uint64_t model_times(uint64_t v, unsigned bits, unsigned omod)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t top = UINT64_C(1) << (bits - 1), inf = (top - 1) >> mantissa << mantissa, magnitude = v & (top - 1);
    int64_t step = omod == 1 ? 1 : omod == 2 ? 2 : -1, exponent = (int64_t)(magnitude >> mantissa);

    if (!magnitude || magnitude >= inf)
        return v;
    if (!exponent) { /* a denormal that min, max or frexp let through: a normal number, or none */
        uint64_t normal = magnitude << (omod == 3 ? 0 : omod); /* halving leaves none */
        for (exponent = 1; normal >> mantissa > 1; exponent++)
            normal >>= 1; /* a zero goes out: the shift above brought it in */
        return (v & top) | (omod != 3 && normal >> mantissa
                                ? (uint64_t)exponent << mantissa | (normal & ((UINT64_C(1) << mantissa) - 1))
                                : 0);
    }
    if (exponent + step >= (int64_t)(inf >> mantissa))
        return (v & top) | inf;
    if (exponent + step < 1)
        return v & top;
    return v + ((uint64_t)step << mantissa);
}

/* omod and clamp of one float. */
static inline uint64_t model_float_result(const struct model *m, uint64_t v, unsigned bits)
{
    const struct isa_mode *mode = &m->r->w.mode;
    unsigned denorm = bits == 32 ? mode->denorm32 : mode->denorm64;
    bool ieee = isa_has(m->r->t, FEAT_IEEE_MODE) && mode->ieee;
    unsigned omod = (denorm & 2) || ieee ? 0 : m->i->omod;
    uint64_t top = UINT64_C(1) << (bits - 1), one = bits == 16   ? 0x3c00
                                                    : bits == 32 ? 0x3f800000
                                                                 : UINT64_C(0x3ff0000000000000);

    if (omod && !model_nan(v, bits)) {
        v = model_times(v, bits, omod);
        if (v == top)
            v = 0;
    }
    if (m->i->clamp) {
        if (model_nan(v, bits))
            return mode->dx10_clamp ? 0 : v;
        if (v & top)
            return 0;
        return v > one ? one : v;
    }
    return v;
}

static inline __int128 model_field(uint64_t v, unsigned bits, bool is_signed)
{
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

    v &= mask;
    return is_signed && (v >> (bits - 1) & 1) ? (__int128)v - (__int128)mask - 1 : (__int128)v;
}

static inline __int128 model_within(__int128 v, unsigned bits, bool is_signed)
{
    __int128 one = 1, low = is_signed ? -(one << (bits - 1)) : 0, high = (one << (bits - is_signed)) - 1;

    return v < low ? low : v > high ? high : v;
}

static inline bool model_begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

/* The sum of products that a dot product saturates. */
static inline __int128 model_dot(const struct model *m, uint32_t in[3][2], uint32_t old)
{
    const char *name = m->row->name;
    unsigned bits = name[5] == '2' ? 16 : name[5] == '4' ? 8 : 4;
    bool either = strstr(name, "_iu"), is_signed = !strstr(name, "_u32");
    bool sa = either ? m->i->neg & 1 : is_signed, sb = either ? m->i->neg & 2 : is_signed;
    __int128 sum = model_field(m->src[2] ? in[2][0] : old, 32, is_signed);

    for (unsigned k = 0; k < 32; k += bits)
        sum += model_field(in[0][0] >> k, bits, sa) * model_field(in[1][0] >> k, bits, sb);
    return sum;
}

/* One saturated element: of the operands at bit `shift`, or the whole of them. False: not an instruction known here. */
static inline bool model_saturated(const struct model *m, uint64_t a, uint64_t b, uint64_t c, unsigned carry,
                                   unsigned bits, bool is_signed, uint64_t *out)
{
    const char *name = m->row->name;
    bool packed = model_begins(name, "v_pk_");
    const char *what = name + (packed ? 5 : 2);
    bool halves = strstr(name, "32_u16") || strstr(name, "32_i16");
    const bool whole = strstr(name, "_nc_u64") && !strstr(name, "_u32"); /* v_add_nc_u64 */
    unsigned ab = strstr(name, "24") ? 24 : bits == 64 && !whole ? 32 : halves ? 16 : bits;
    __int128 x = model_field(a, ab, is_signed), y = model_field(b, ab, is_signed), z = model_field(c, bits, is_signed),
             v;

    if (model_begins(what, "add_max") || model_begins(what, "add_min")) {
        v = model_within(x + y, bits, is_signed);
        v = model_begins(what, "add_max") == (v > z) ? v : z;
    } else if (model_begins(what, "max3"))
        v = x > y ? x > z ? x : z : y > z ? y : z;
    else if (model_begins(what, "min3"))
        v = x < y ? x < z ? x : z : y < z ? y : z;
    else if (model_begins(what, "add"))
        v = x + y + carry;
    else if (model_begins(what, "subrev"))
        v = y - x - carry;
    else if (model_begins(what, "sub"))
        v = x - y - carry;
    else if (model_begins(what, "mul_lo")) /* the low half by nature: clamp is there, for nothing */
        return false;
    else if (model_begins(what, "mul"))
        v = x * y;
    else if (model_begins(what, "mad"))
        v = x * y + z;
    else
        return false;
    *out = (uint64_t)model_within(v, bits, is_signed);
    return true;
}

static inline bool model_int_clamp(const struct model *m, uint32_t in[3][2], uint32_t old, unsigned carry,
                                   uint64_t *out)
{
    const char *name = m->row->name;
    enum isa_type type = (enum isa_type)m->i->op[0].type;
    uint64_t v[3];
    bool is_signed = type == T_I16 || type == T_I32 || type == T_I64 || (type == T_PB16 && strstr(name, "_i16"));

    for (unsigned k = 0; k < 3; k++)
        v[k] = in[k][0] | (uint64_t)in[k][1] << 32;
    if (model_begins(name, "v_dot")) {
        *out = (uint64_t)model_within(model_dot(m, in, old), 32, !strstr(name, "_u32"));
        return true;
    }
    if (type == T_PB16) {
        uint64_t lo, hi;
        if (!model_saturated(m, v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff, 0, 16, is_signed, &lo) ||
            !model_saturated(m, v[0] >> 16, v[1] >> 16, v[2] >> 16, 0, 16, is_signed, &hi))
            return false;
        *out = (lo & 0xffff) | (hi & 0xffff) << 16;
        return true;
    }
    bool takes_carry = row_arg(m->row, SL_CARRY_IN) != NULL;
    for (unsigned k = 0; k < ISA_MAX_ARGS && m->row->args[k].slot != SL_NONE; k++)
        takes_carry |= m->row->args[k].slot == SL_CARRY_IN;
    return model_saturated(m, v[0], v[1], v[2], takes_carry && carry, isa_types[type].bits, is_signed, out);
}

static inline uint32_t model_placed(uint32_t v, uint32_t old, unsigned sel, unsigned unused)
{
    unsigned lo = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0, n = sel < 4 ? 8 : sel < 6 ? 16 : 32;
    uint32_t r = 0;

    for (unsigned b = 0; b < 32; b++) {
        bool inside = b >= lo && b < lo + n;
        uint32_t bit = inside                       ? v >> (b - lo) & 1
                       : unused == 2                ? old >> b & 1
                       : unused == 1 && b >= lo + n ? v >> (n - 1) & 1
                                                    : 0;
        r |= bit << b;
    }
    return r;
}

/* bare: result registers of the instruction without modifiers; old: the destination before; in: its operands; carry:
 * the lane's bit of the carry-in. Fills want; false: clamp of an instruction that is not known here. */
static inline bool model_result(const struct model *m, unsigned l, const uint32_t bare[2], const uint32_t old[2],
                                uint32_t in[3][2], unsigned carry, uint32_t want[2])
{
    const struct isa_inst *i = m->i;
    const struct isa_type_info *ty = &isa_types[i->op[0].type];
    bool high = m->row->flags & RF_D16_HI;
    uint64_t v = bare[0] | (uint64_t)bare[1] << 32;

    want[0] = old[0];
    want[1] = old[1];
    if (!model_lane_on(m, l))
        return true;
    if (ty->bits == 16)
        v = high ? v >> 16 & 0xffff : v & 0xffff;
    if (i->clamp && (m->row->flags & RF_INT_CLAMP)) {
        if (!model_int_clamp(m, in, old[0], carry, &v))
            return false;
    } else if (i->op[0].type == T_PF16) {
        v = model_float_result(m, v & 0xffff, 16) | model_float_result(m, v >> 16 & 0xffff, 16) << 16;
    } else if (i->op[0].type == T_PF32) {
        v = model_float_result(m, (uint32_t)v, 32) | model_float_result(m, v >> 32, 32) << 32;
    } else if (ty->float_bits) {
        v = model_float_result(m, ty->float_bits == 32 ? (uint32_t)v : v, ty->float_bits);
    }
    want[0] = (uint32_t)v;
    want[1] = (uint32_t)(v >> 32);
    if (i->form == FORM_SDWA)
        want[0] = model_placed((uint32_t)v, old[0], i->u.sdwa.dst_sel, i->u.sdwa.dst_unused);
    else if (ty->bits == 16 && ((i->op_sel & 8) || high))
        want[0] = (uint32_t)v << 16 | (old[0] & 0xffff);
    else if (ty->bits == 16)
        want[0] = (uint32_t)(v & 0xffff) | (bare[0] & 0xffff0000);
    return true;
}

#endif
