/* The values of inline constants, literals and read-only sources, by their code and the type of the operand. */
#include "isa/isa.h"
#include "isa/lanes/scalar.h"

/* Inline float constants by code - CODE_FLOAT_HALF: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi) */
static const uint16_t inline_f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
static const uint32_t inline_f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                      0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
static const uint64_t inline_f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                      0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                      0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

static uint64_t literal_value(const struct isa_inst *i, enum isa_type type)
{
    if (i->has_literal == 2)
        return i->literal | (uint64_t)i->literal_hi << 32;
    if (type == T_F64)
        return (uint64_t)i->literal << 32;
    if (type == T_I64)
        return (uint64_t)(int64_t)(int32_t)i->literal;
    return i->literal;
}

/* An inline constant in both halves of a packed operand, where the type says so. */
static uint64_t in_halves(enum isa_type type, uint64_t v)
{
    return type == T_PF16B || type == T_PBF16B ? (v & 0xffff) * 0x10001 : v;
}

uint64_t isa_const(const struct isa_wave *w, const struct isa_inst *i, unsigned code, enum isa_type type)
{
    unsigned bits = isa_types[type].bits;

    if (code == CODE_LITERAL || code == CODE_LITERAL64)
        return literal_value(i, type);
    if (code >= CODE_INT_0 && code <= CODE_INT_M16) {
        int64_t v = code <= CODE_INT_64 ? (int64_t)code - CODE_INT_0 : (int64_t)CODE_INT_64 - code;
        /* an integer constant in a double operand is its bit pattern, like in every other */
        return in_halves(type, (uint64_t)v);
    }
    if (code >= CODE_FLOAT_HALF && code <= CODE_INV_2PI) {
        unsigned k = code - CODE_FLOAT_HALF;
        if (type == T_PF32)
            return inline_f32[k] | (uint64_t)inline_f32[k] << 32;
        if (bits == 64)
            return inline_f64[k];
        /* packed integers see the 32-bit pattern (LLVM 19 getInlineEncodingV216) */
        if (type == T_BF16 || isa_is_packed_bf16(type))
            return in_halves(type, inline_f32[k] >> 16);
        if (type == T_F16 || type == T_B16 || type == T_U16 || type == T_I16 || isa_is_packed_f16(type))
            return in_halves(type, inline_f16[k]);
        return inline_f32[k];
    }
    switch (code) {
    case CODE_VCCZ:
        return (w->s[CODE_VCC_LO] | (w->lanes == 64 ? w->s[CODE_VCC_HI] : 0)) == 0;
    case CODE_EXECZ:
        return w->exec == 0;
    case CODE_SCC:
        return w->scc;
    case CODE_FLAT_SCRATCH_LO:
        return bits == 64 ? w->private_aperture : (uint32_t)w->private_aperture;
    case CODE_FLAT_SCRATCH_HI:
        return (uint32_t)(w->private_aperture >> 32);
    case CODE_SHARED_BASE:
        return bits == 64 ? w->shared_aperture : (uint32_t)w->shared_aperture;
    case CODE_PRIVATE_BASE:
        return bits == 64 ? w->private_aperture : (uint32_t)w->private_aperture;
    case CODE_SHARED_LIMIT:
        return bits == 64 ? w->shared_aperture | 0xffffffff : 0xffffffff;
    case CODE_PRIVATE_LIMIT:
        return bits == 64 ? w->private_aperture | 0xffffffff : 0xffffffff;
    default:
        return 0;
    }
}
