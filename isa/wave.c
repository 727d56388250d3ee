/* Keeps the architectural state of one wave: EXEC, MODE, faults, constants, and where its memory lies on the host. */
#include "isa/isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/lanes/scalar.h"
#include "isa/variant.h"

static void set_partial(struct isa_wave *w)
{
    bool whole = w->exec == lane_mask(w->lanes) && !w->gpr_idx && !w->vgpr_msb;

    w->special = (uint8_t)((w->special & ~SPECIAL_PARTIAL) | (whole ? 0 : SPECIAL_PARTIAL));
}

void isa_set_exec(struct isa_wave *w, uint64_t exec)
{
    /* in wave32 EXEC_HI is storage without meaning */
    uint64_t active = exec & lane_mask(w->lanes);

    w->s[CODE_EXEC_LO] = (uint32_t)exec;
    w->s[CODE_EXEC_HI] = (uint32_t)(exec >> 32);
    if (active == w->exec)
        return;
    w->exec = active;
    set_partial(w);
    w->target->variant->expand_mask(w->mask, active, w->lanes);
}

/* The bits that MODE has. gfx8: rounding, denormals, DX10_CLAMP, IEEE, LOD_CLAMPED, DEBUG_EN, EXCP_EN to bit 18,
 * GPR_IDX_EN, VSKIP, CSP. gfx9 adds FP16_OVFL and POPS. gfx10 and gfx11: EXCP_EN to bit 20, FP16_OVFL, DISABLE_PERF.
 * gfx12 has no IEEE, DX10_CLAMP and EXCP_EN, but SCALAR_PREFETCH_EN. (AMD ISA manuals, "MODE register") */
static uint32_t mode_bits(const struct isa_target *t)
{
    static const uint32_t bits[] = {[LAYOUT_GFX8] = 0xf807ffff,
                                    [LAYOUT_GFX9] = 0xff87ffff,
                                    [LAYOUT_GFX10] = 0x089fffff,
                                    [LAYOUT_GFX11] = 0x089fffff,
                                    [LAYOUT_GFX12] = 0x098000ff};

    return bits[t->layout] | (isa_has(t, FEAT_VGPR_MSB) ? MODE_GFX1250 : 0);
}

void isa_set_mode(struct isa_wave *w, uint32_t mode_reg)
{
    struct isa_mode *m = &w->mode;

    w->mode_reg = mode_reg &= mode_bits(w->target);
    m->round32 = mode_reg >> MODE_ROUND32_SHIFT & 3;
    m->round64 = mode_reg >> MODE_ROUND64_SHIFT & 3;
    m->denorm32 = mode_reg >> MODE_DENORM32_SHIFT & 3;
    m->denorm64 = mode_reg >> MODE_DENORM64_SHIFT & 3;
    m->fp16_ovfl = mode_reg & MODE_FP16_OVFL;
    if (isa_has(w->target, FEAT_IEEE_MODE)) {
        m->ieee = mode_reg & MODE_IEEE;
        m->dx10_clamp = mode_reg & MODE_DX10_CLAMP;
    } else {
        m->ieee = m->dx10_clamp = true;
    }
    w->vgpr_msb = isa_has(w->target, FEAT_VGPR_MSB) ? (uint8_t)(mode_reg >> MODE_VGPR_MSB_SHIFT) : 0;
    w->gpr_idx = isa_has(w->target, FEAT_VGPR_INDEX) && (mode_reg & MODE_GPR_IDX_EN);
    w->special = (uint8_t)((w->special & SPECIAL_IN_FLIGHT) |
                           (!m->ieee || m->round32 != 0 || m->denorm32 != 3 ? SPECIAL_MODE32 : 0) |
                           (!m->ieee || m->round64 != 0 || m->denorm64 != 3 ? SPECIAL_MODE64 : 0) |
                           (isa_has(w->target, FEAT_VGPR_INDEX) && (mode_reg & MODE_VSKIP) ? SPECIAL_VSKIP : 0) |
                           (w->vgpr_msb ? SPECIAL_MSB : 0) | (w->lanes == 64 ? SPECIAL_WAVE64 : 0));
    set_partial(w);
}

void isa_wave_init(struct isa_wave *w, const struct isa_target *t, struct isa_program *p, uint32_t lanes, uint32_t *v,
                   uint32_t nvgprs, uint32_t nagprs, uint32_t nsgprs)
{
    memset(w, 0, sizeof *w);
    w->target = t;
    w->program = p;
    w->lanes = lanes;
    w->v = v;
    w->acc = nagprs ? v + (size_t)nvgprs * lanes : NULL;
    w->vector_rows = nvgprs + nagprs;
    w->nvgprs = isa_has(t, FEAT_AGPR_UNIFIED) ? w->vector_rows : nvgprs;
    w->nvgprs = w->nvgprs < 256 || isa_has(t, FEAT_VGPR_MSB) ? w->nvgprs : 256;
    w->nagprs = nagprs < 256 ? nagprs : 256;
    w->nsgprs = nsgprs;
    isa_set_mode(w, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
}

uint32_t isa_hw_id(const struct isa_target *t, unsigned slot, unsigned simd, unsigned cu)
{
    if (!isa_has(t, FEAT_WAVE32))
        return (slot & 15) | (simd & 3) << 4 | (cu & 15) << 8 | (cu >> 4 & 7) << 13;
    return (slot & 31) | (simd & 3) << 8 | (cu >> 1 & 15) << 10 | (cu >> 5 & 7) << 18;
}

int isa_fault(struct isa_wave *w, enum isa_fault_kind kind, int lane, gaddr_t addr, uint32_t bytes, bool write,
              const char *fmt, ...)
{
    va_list ap;

    if (w->fault.kind != FAULT_NONE)
        return ISA_FAULT;
    w->fault =
        (struct isa_fault){.kind = kind, .pc = w->inst_pc, .lane = lane, .addr = addr, .bytes = bytes, .write = write};
    va_start(ap, fmt);
    vsnprintf(w->fault.text, sizeof w->fault.text, fmt, ap);
    va_end(ap);
    return ISA_FAULT;
}

bool isa_find_range(struct isa_wave *w, const struct isa_env *env, unsigned which, gaddr_t addr)
{
    struct isa_range *r = &w->range[which];

    if (env->find(env->ctx, addr, r))
        return true;
    *r = (struct isa_range){0};
    return false;
}

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
