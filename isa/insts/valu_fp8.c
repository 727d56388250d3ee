/* Vector ALU: 8-bit floats.
 *
 * gfx942 has the "fnuz" formats (bias 8 and 16, no infinity, one NaN at 0x80), gfx12 the OCP ones (bias 7: no
 * infinity, NaN 0x7f; bias 15: as IEEE). Conversions to 8 bits round to nearest even; what is too large becomes NaN (an
 * infinity where the format has one), or the largest number when MODE.FP16_OVFL is set. The source byte is chosen by
 * SDWA on gfx942 and by op_sel on gfx12, where its two bits are swapped.
 *
 * The stochastic forms add random bits below the last place and cut; docs/SEMANTICS_NOTES.md says why they do not round
 * after that.
 */
#include "isa/lanes/access.h"
#include "isa/lanes/dpp.h"
#include "isa/lanes/fp8.h"
#include "isa/table/shapes.h"

static uint32_t to_fp8(struct fp8 f, float a, bool saturate)
{
    return narrow_fp8(f, a, saturate, -1);
}

static int registers_ok(struct isa_wave *w, const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++) {
        unsigned last = i->op[k].code - CODE_VGPR + isa_types[i->op[k].type].dwords;
        if (i->op[k].code >= CODE_VGPR && last > w->nvgprs)
            return isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "v%u is past the wave's %u allocated registers",
                             last - 1, w->nvgprs);
    }
    return ISA_OK;
}

/* The source of every lane, permuted where there is a DPP word; returns the lanes to write. */
static uint64_t source_row(const struct isa_wave *w, const struct isa_inst *i, uint32_t *row)
{
    unsigned code = i->op[1].code;

    for (unsigned l = 0; l < w->lanes; l++)
        row[l] = code >= CODE_VGPR ? w->v[(code - CODE_VGPR) * w->lanes + l] : sget32(w, i, 1);
    return isa_dpp(w, i, row, 1) & w->exec;
}

static unsigned byte_select(const struct isa_inst *i)
{
    if (i->form == FORM_SDWA)
        return i->u.sdwa.src_sel[0] < 4 ? i->u.sdwa.src_sel[0] : i->u.sdwa.src_sel[0] == 5 ? 2 : 0;
    return (i->op_sel & 1) << 1 | (i->op_sel >> 1 & 1);
}

/* `count` bytes of the source, to as many registers. */
static int unpack(struct isa_wave *w, const struct isa_inst *i, struct fp8 f, unsigned count)
{
    unsigned shift = 8 * (count == 1 ? byte_select(i) : byte_select(i) & 2);
    uint32_t row[64], result[2 * 64], *d = w->v + (i->op[0].code - CODE_VGPR) * w->lanes;

    if (registers_ok(w, i))
        return ISA_FAULT;
    uint64_t on = source_row(w, i, row);
    for (unsigned k = 0; k < count; k++)
        for (unsigned l = 0; l < w->lanes; l++)
            result[k * w->lanes + l] = bits_f32(from_fp8(f, row[l] >> (shift + 8 * k) & 0xff));
    if (i->omod | i->clamp)
        isa_result_modifiers(w, i, result);
    for (unsigned k = 0; k < count; k++)
        for (unsigned l = 0; l < w->lanes; l++)
            if (on >> l & 1)
                d[k * w->lanes + l] = result[k * w->lanes + l];
    return ISA_OK;
}

#define UNPACK(NAME, T, FLAGS, FORMAT, ...)                                                                            \
    W(NAME, VALU, (FLAGS) | RF_OP_SEL, IMP_R_EXEC,                                                                     \
      ARGS({SL_VDST, T_##T, A_WR}, {SL_SRC0, T_B32, A_RD | (T_##T == T_PF32 ? A_HALF : 0)}), __VA_ARGS__)              \
    {                                                                                                                  \
        return unpack(w, i, FORMAT, T_##T == T_PF32 ? 2 : 1);                                                          \
    }

UNPACK(v_cvt_f32_fp8_fnuz, F32, 0, fp8_fnuz, ENC(AS(GFX942, VOP1, 0x54, "v_cvt_f32_fp8"), GONE(GFX950, VOP1)))
UNPACK(v_cvt_f32_bf8_fnuz, F32, 0, bf8_fnuz, ENC(AS(GFX942, VOP1, 0x55, "v_cvt_f32_bf8"), GONE(GFX950, VOP1)))
UNPACK(v_cvt_pk_f32_fp8_fnuz, PF32, 0, fp8_fnuz, ENC(AS(GFX942, VOP1, 0x56, "v_cvt_pk_f32_fp8"), GONE(GFX950, VOP1)))
UNPACK(v_cvt_pk_f32_bf8_fnuz, PF32, 0, bf8_fnuz, ENC(AS(GFX942, VOP1, 0x57, "v_cvt_pk_f32_bf8"), GONE(GFX950, VOP1)))
UNPACK(v_cvt_f32_fp8_gfx950, F32, 0, fp8_ocp, ENC(AS(GFX950, VOP1, 0x54, "v_cvt_f32_fp8")))
UNPACK(v_cvt_f32_bf8_gfx950, F32, 0, bf8_ocp, ENC(AS(GFX950, VOP1, 0x55, "v_cvt_f32_bf8")))
UNPACK(v_cvt_pk_f32_fp8_gfx950, PF32, 0, fp8_ocp, ENC(AS(GFX950, VOP1, 0x56, "v_cvt_pk_f32_fp8")))
UNPACK(v_cvt_pk_f32_bf8_gfx950, PF32, 0, bf8_ocp, ENC(AS(GFX950, VOP1, 0x57, "v_cvt_pk_f32_bf8")))
UNPACK(v_cvt_f32_fp8, F32, RF_NO_OMOD | RF_NO_CLAMP, fp8_ocp, ENC(OP(GFX12, VOP1, 0x6c)))
UNPACK(v_cvt_f32_bf8, F32, RF_NO_OMOD | RF_NO_CLAMP, bf8_ocp, ENC(OP(GFX12, VOP1, 0x6d)))
UNPACK(v_cvt_pk_f32_fp8, PF32, RF_NO_DPP, fp8_ocp, ENC(OP(GFX12, VOP1, 0x6e)))
UNPACK(v_cvt_pk_f32_bf8, PF32, RF_NO_DPP, bf8_ocp, ENC(OP(GFX12, VOP1, 0x6f)))

#define PACK(NAME, FORMAT, ...)                                                                                        \
    V2(NAME, VALU, B16, F32, F32, RF_D16_KEEP_HI | RF_NO_FLUSH | RF_NO_OMOD | RF_NO_CLAMP, __VA_ARGS__)                \
    {                                                                                                                  \
        return (uint16_t)(to_fp8(FORMAT, a, mode.fp16_ovfl) | to_fp8(FORMAT, b, mode.fp16_ovfl) << 8);                 \
    }

PACK(v_cvt_pk_fp8_f32_fnuz, fp8_fnuz, ENC(AS(GFX942, VOP3, 0x2a2, "v_cvt_pk_fp8_f32"), GONE(GFX950, VOP3)))
PACK(v_cvt_pk_bf8_f32_fnuz, bf8_fnuz, ENC(AS(GFX942, VOP3, 0x2a3, "v_cvt_pk_bf8_f32"), GONE(GFX950, VOP3)))
PACK(v_cvt_pk_fp8_f32, fp8_ocp, ENC(OP(GFX950, VOP3, 0x2a2), OP(GFX12, VOP3, 0x369)))
PACK(v_cvt_pk_bf8_f32, bf8_ocp, ENC(OP(GFX950, VOP3, 0x2a3), OP(GFX12, VOP3, 0x36a)))

/* The top bits of `random`, as many as the conversion drops of a normal number, are added to the mantissa. */
static uint32_t to_fp8_random(struct fp8 f, uint32_t a, uint32_t random, bool saturate)
{
    if ((a & 0x7f800000) != 0x7f800000)
        a += random >> (32 - (23 - f.mant));
    return narrow_fp8(f, as_f32(a), saturate, 0);
}

/* op_sel[3:2] picks the byte; the others stay. */
static int stochastic(struct isa_wave *w, const struct isa_inst *i, struct fp8 f)
{
    unsigned shift = 8 * (i->op_sel >> 2 & 3), random = i->op[2].code;
    uint32_t row[64], *d = w->v + (i->op[0].code - CODE_VGPR) * w->lanes;
    uint32_t keep = i->abs & 1 ? 0x7fffffff : 0xffffffff, flip = i->neg & 1 ? 0x80000000u : 0;

    if (registers_ok(w, i))
        return ISA_FAULT;
    uint64_t on = source_row(w, i, row);
    for (unsigned l = 0; l < w->lanes; l++) {
        if (!(on >> l & 1))
            continue;
        uint32_t bits = random >= CODE_VGPR ? w->v[(random - CODE_VGPR) * w->lanes + l] : sget32(w, i, 2);
        uint32_t r = to_fp8_random(f, (row[l] & keep) ^ flip, bits, w->mode.fp16_ovfl);
        d[l] = (d[l] & ~(UINT32_C(0xff) << shift)) | r << shift;
    }
    return ISA_OK;
}

#define STOCHASTIC(NAME, FORMAT, ...)                                                                                  \
    W(NAME, VALU, RF_OP_SEL4 | RF_INT_MODS | RF_NO_OMOD | RF_NO_CLAMP, IMP_R_EXEC,                                     \
      ARGS({SL_VDST, T_B32, A_RD | A_WR}, {SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_B32, A_RD}), __VA_ARGS__)                \
    {                                                                                                                  \
        return stochastic(w, i, FORMAT);                                                                               \
    }

STOCHASTIC(v_cvt_sr_fp8_f32_fnuz, fp8_fnuz, ENC(AS(GFX942, VOP3, 0x2a4, "v_cvt_sr_fp8_f32"), GONE(GFX950, VOP3)))
STOCHASTIC(v_cvt_sr_bf8_f32_fnuz, bf8_fnuz, ENC(AS(GFX942, VOP3, 0x2a5, "v_cvt_sr_bf8_f32"), GONE(GFX950, VOP3)))
STOCHASTIC(v_cvt_sr_fp8_f32, fp8_ocp, ENC(OP(GFX950, VOP3, 0x2a4), OP(GFX12, VOP3, 0x36b)))
STOCHASTIC(v_cvt_sr_bf8_f32, bf8_ocp, ENC(OP(GFX950, VOP3, 0x2a5), OP(GFX12, VOP3, 0x36c)))
