/* Keeps the architectural state of one wave: EXEC, MODE, faults, constants, and where its memory lies on the host. */
#include "isa/wave.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/table/codes.h"
#include "isa/variant.h"

static void set_partial(struct isa_wave *w)
{
    bool whole = w->exec == lane_mask(w->lanes) && !w->gpr_idx && !w->vgpr_msb;

    w->special = (uint16_t)((w->special & ~SPECIAL_PARTIAL) | (whole ? 0 : SPECIAL_PARTIAL));
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
    w->special = (uint16_t)((w->special & SPECIAL_IN_FLIGHT) |
                            (!m->ieee || m->round32 != 0 || m->denorm32 != 3 ? SPECIAL_MODE32 : 0) |
                            (m->ieee && m->round32 == 0 && m->denorm32 == 0 ? SPECIAL_FLUSH : 0) |
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

int isa_tensor_complete(struct isa_wave *w, const struct isa_env *env, gaddr_t pc, const struct isa_tensor *t)
{
    gaddr_t at = w->inst_pc;
    int status;

    w->inst_pc = pc;
    status = t->complete(w, env, t);
    if (status != ISA_FAULT)
        w->inst_pc = at;
    return status;
}

bool isa_next_part(struct isa_effects *fx)
{
    struct isa_tensor_part part;

    if (!fx->parts || !isa_tensor_next(&fx->tensor, &part))
        return false;
    fx->bytes = (uint8_t)part.bytes;
    fx->mask = part.memory_lanes;
    fx->lds_mask = part.lds_lanes;
    memcpy(fx->addr, part.memory, sizeof part.memory);
    memcpy(fx->lds_addr, part.lds, sizeof part.lds);
    return true;
}
