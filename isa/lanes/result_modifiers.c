/* What is done to the results of vector ALU instructions: denormals, omod, clamp. Compiled once per variant. */
#include "isa/lanes/row_ops.h"

/* omod moves the exponent: what it takes below the normal numbers is zero. */
static void clamp_omod_f32(uint32_t *d, unsigned omod, bool clamp, bool dx10, unsigned words)
{
    float scale = omod == 1 ? 2.0f : omod == 2 ? 4.0f : omod == 3 ? 0.5f : 1.0f;
    float least = omod ? 0x1p-126f / scale : 0;
    for (unsigned k = 0; k < words; k++) {
        float old = as_f32(d[k]), v = omod ? old * scale : old;
        v = __builtin_fabsf(old) < least ? 0.0f : v;
        bool nan = old != old;
        if (clamp) {
            v = v > 0.0f ? v : 0.0f;
            v = v < 1.0f ? v : 1.0f;
        }
        /* DX10_CLAMP turns NaN into 0; else it passes, a signalling one too */
        d[k] = nan && !(clamp && dx10) ? d[k] : bits_f32(v);
    }
}

static void clamp_omod_f64(uint32_t *d, unsigned omod, bool clamp, bool dx10, unsigned n)
{
    double scale = omod == 1 ? 2.0 : omod == 2 ? 4.0 : omod == 3 ? 0.5 : 1.0;
    double least = omod ? 0x1p-1022 / scale : 0;
    for (unsigned i = 0; i < n; i++) {
        double old = as_f64(GET64(d)), v = omod ? old * scale : old;
        v = __builtin_fabs(old) < least ? 0.0 : v;
        if (clamp) {
            v = v > 0.0 ? v : 0.0;
            v = v < 1.0 ? v : 1.0;
        }
        uint64_t u = old != old && !(clamp && dx10) ? GET64(d) : bits_f64(v);
        d[i] = (uint32_t)u;
        d[i + n] = (uint32_t)(u >> 32);
    }
}

static uint32_t clamp_omod_half(uint32_t h, unsigned omod, bool clamp, bool dx10)
{
    uint32_t mag = h & 0x7fff, sign = h & 0x8000;

    if (omod && mag <= 0x7c00 && mag) {
        /* halves scale exactly in the exponent except near the ends: go through a float, which holds them all */
        float scale = omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f;
        float v = half_to_f32((half_t)mag) * scale;
        uint32_t u = bits_f32(v);
        if (v >= 65520.0f)
            mag = 0x7c00;
        else if (v < 0x1p-14f)
            mag = 0;
        else
            mag = (u - 0x38000000u) >> 13;
        h = sign | mag;
    }
    if (clamp) {
        if (mag > 0x7c00)
            return dx10 ? 0 : h;
        if (sign)
            return 0;
        return mag > 0x3c00 ? 0x3c00 : h;
    }
    return h;
}

static void clamp_omod(enum isa_type type, uint32_t *d, unsigned omod, bool clamp, bool dx10, unsigned n)
{
    unsigned fb = isa_types[type].float_bits;

    if (type == T_PF16)
        for (unsigned k = 0; k < n; k++)
            d[k] = clamp_omod_half(d[k] & 0xffff, 0, clamp, dx10) | clamp_omod_half(d[k] >> 16, 0, clamp, dx10) << 16;
    else if (fb == 16)
        for (unsigned k = 0; k < n; k++)
            d[k] = clamp_omod_half(d[k] & 0xffff, omod, clamp, dx10);
    else if (fb == 64)
        clamp_omod_f64(d, omod, clamp, dx10, n);
    else
        clamp_omod_f32(d, omod, clamp, dx10, type == T_PF32 ? 2 * n : n);
}

/* omod is ignored where denormals are let out, and in IEEE mode (GCN3, RDNA ISA, "Output modifiers"). */
static unsigned output_scale(const struct isa_wave *w, const struct isa_inst *i, unsigned denorm)
{
    bool ieee = isa_has(w->target, FEAT_IEEE_MODE) && w->mode.ieee;

    return (denorm & 2) || ieee ? 0 : i->omod;
}

/* A result that omod has scaled has no negative zeros. */
static void drop_minus_zero(uint32_t *d, unsigned float_bits, unsigned n)
{
    const uint32_t zero = float_bits == 16 ? 0x8000 : 0x80000000u;
    uint32_t *top = float_bits == 64 ? d + n : d;

    for (unsigned k = 0; k < n; k++)
        top[k] = top[k] == zero && (float_bits != 64 || d[k] == 0) ? 0 : top[k];
}

void isa_result_modifiers(const struct isa_wave *w, const struct isa_inst *i, uint32_t *d)
{
    const struct isa_row *row = i->row;
    enum isa_type type = i->op[0].type;
    unsigned n = w->lanes, fb = isa_types[type].float_bits;
    bool clamp = i->clamp && !(row->flags & RF_INT_CLAMP), dx10 = w->mode.dx10_clamp;

    if (!fb)
        return;
    unsigned denorm = denorm_mode(w, fb), omod = output_scale(w, i, denorm);
    bool flush = !(row->flags & RF_NO_FLUSH) && (!(denorm & 2) || (row->flags & RF_FLUSH));
    if (flush)
        flush_row(d, type, n);
    if (omod || clamp)
        clamp_omod(type, d, omod, clamp, dx10, n);
    if (omod)
        drop_minus_zero(d, fb, n);
}

void isa_clamp_rows(enum isa_type type, uint32_t *d, bool dx10)
{
    clamp_omod(type, d, 0, true, dx10, 32);
}
