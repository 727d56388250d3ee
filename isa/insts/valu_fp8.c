/* Vector ALU: 8-bit floats.
 *
 * gfx942 has the "fnuz" formats (bias 8 and 16, no infinity, one NaN at 0x80), gfx12 the OCP ones (bias 7: no
 * infinity, NaN 0x7f; bias 15: as IEEE). Conversions to 8 bits round to nearest even; what is too large becomes NaN (an
 * infinity where the format has one), or the largest number when MODE.FP16_OVFL is set. The source byte is chosen by
 * SDWA on gfx942 and by op_sel on gfx12, where its two bits are swapped. gfx1250 converts from and to halves, too.
 *
 * The stochastic forms add random bits below the last place and cut; docs/SEMANTICS_NOTES.md says why they do not round
 * after that.
 *
 * On gfx1250 clamp of four conversions from and to fp8 says that it is e5m3, which has no sign: that of a number to be
 * converted does not matter (docs/SEMANTICS_NOTES.md, "gfx1250").
 */
#include "isa/lanes/access.h"
#include "isa/lanes/dpp.h"
#include "isa/lanes/fp8.h"
#include "isa/lanes/fp_half.h"
#include "isa/lanes/row_ops.h"
#include "isa/table/shapes.h"

/* Elsewhere than on gfx1250 no form of these has clamp. */
static inline struct fp8 fp8_or_e5m3(bool clamp)
{
    return clamp ? fp8_e5m3 : fp8_ocp;
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

    if (code >= CODE_VGPR)
        copy_rows(row, w->v + (code - CODE_VGPR) * w->lanes, w->lanes);
    else
        splat(row, sget32(w, i, 1), w->lanes);
    return isa_dpp(w, i, row, 1) & w->exec;
}

static unsigned byte_select(const struct isa_inst *i)
{
    if (i->form == FORM_SDWA)
        return i->u.sdwa.src_sel[0] < 4 ? i->u.sdwa.src_sel[0] : i->u.sdwa.src_sel[0] == 5 ? 2 : 0;
    return (i->op_sel & 1) << 1 | (i->op_sel >> 1 & 1);
}

/* Writes a half of the destination, which op_sel[3] chooses. */
static void put_half(const struct isa_wave *w, const struct isa_inst *i, uint64_t on, const uint32_t *halves)
{
    uint32_t *d = w->v + (i->op[0].code - CODE_VGPR) * w->lanes;
    unsigned to = i->op_sel & 8 ? 16 : 0;

    for (unsigned l = 0; l < w->lanes; l++)
        if (on >> l & 1)
            d[l] = (d[l] & ~(UINT32_C(0xffff) << to)) | halves[l] << to;
}

/* One byte of the source, to a half. */
static int unpack_half(struct isa_wave *w, const struct isa_inst *i, struct fp8 f)
{
    uint32_t row[64];

    if (registers_ok(w, i))
        return ISA_FAULT;
    uint64_t on = source_row(w, i, row);
    for (unsigned l = 0; l < w->lanes; l++)
        row[l] = half_from_f32(from_fp8(f, row[l] >> 8 * byte_select(i) & 0xff), 0, false);
    put_half(w, i, on, row);
    return ISA_OK;
}

/* `count` bytes of the source, to as many registers. */
static inline __attribute__((always_inline)) int unpack(struct isa_wave *w, const struct isa_inst *i, struct fp8 f,
                                                        unsigned count)
{
    unsigned shift = 8 * (count == 1 ? byte_select(i) : byte_select(i) & 2);
    _Alignas(64) uint32_t row[64], result[2 * 64];
    uint32_t *d = w->v + (i->op[0].code - CODE_VGPR) * w->lanes;

    if (registers_ok(w, i))
        return ISA_FAULT;
    uint64_t on = source_row(w, i, row);
    for (unsigned k = 0; k < count; k++) {
        uint32_t *to = result + k * w->lanes;
        for (unsigned l = 0; l < (w->lanes & 96); l++)
            to[l] = bits_f32(from_fp8(f, row[l] >> (shift + 8 * k)));
    }
    if ((i->omod | i->clamp) && !(i->row->flags & RF_NO_CLAMP))
        isa_result_modifiers(w, i, result);
    expand_mask(row, on, w->lanes);
    store_rows(d, result, row, w->lanes, count);
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
UNPACK(v_cvt_f32_fp8, F32, RF_NO_OMOD | RF_NO_CLAMP, fp8_or_e5m3(i->clamp), ENC(OP(GFX12, VOP1, 0x6c)))
UNPACK(v_cvt_f32_bf8, F32, RF_NO_OMOD | RF_NO_CLAMP, bf8_ocp, ENC(OP(GFX12, VOP1, 0x6d)))
UNPACK(v_cvt_pk_f32_fp8, PF32, RF_NO_DPP, fp8_ocp, ENC(OP(GFX12, VOP1, 0x6e)))
UNPACK(v_cvt_pk_f32_bf8, PF32, RF_NO_DPP, bf8_ocp, ENC(OP(GFX12, VOP1, 0x6f)))

#define UNPACK_HALF(NAME, FORMAT, OPCODE)                                                                              \
    W(NAME, VALU, RF_OP_SEL | RF_NO_OMOD | RF_NO_CLAMP, IMP_R_EXEC,                                                    \
      ARGS({SL_VDST, T_F16, A_WR}, {SL_SRC0, T_B32, A_RD}), ENC(OP(GFX12_5, VOP1, OPCODE)))                            \
    {                                                                                                                  \
        return unpack_half(w, i, FORMAT);                                                                              \
    }
UNPACK_HALF(v_cvt_f16_fp8, fp8_ocp, 0x77)
UNPACK_HALF(v_cvt_f16_bf8, bf8_ocp, 0x78)

static inline __attribute__((always_inline)) void nearest_row(struct fp8 f, uint32_t *to, const uint32_t *from,
                                                              bool saturate)
{
    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++)
        to[i] = nearest_fp8(f, as_f32(from[i]), saturate);
}

/* In 32 bits: the compiler does not vectorize the same in the 16 of the result. */
static inline __attribute__((always_inline)) bool pack_rows(struct fp8 f, uint32_t *d, const uint32_t *s0,
                                                            const uint32_t *s1, bool saturate)
{
    uint32_t low[32], high[32];

    nearest_row(f, low, s0, saturate);
    nearest_row(f, high, s1, saturate);
    for (unsigned i = 0; i < 32; i++)
        d[i] = (d[i] & 0xffff0000) | low[i] | high[i] << 8;
    return true;
}

#define PACK(NAME, FORMAT, ROWS_FORMAT, ...)                                                                           \
    V2_ROWS(NAME, VALU, B16, F32, F32, RF_D16_KEEP_HI | RF_NO_FLUSH | RF_NO_OMOD | RF_NO_CLAMP,                        \
            pack_rows(ROWS_FORMAT, d, s0, s1, the_mode->fp16_ovfl), __VA_ARGS__)                                       \
    {                                                                                                                  \
        return (uint16_t)(nearest_fp8(FORMAT, a, mode.fp16_ovfl) | nearest_fp8(FORMAT, b, mode.fp16_ovfl) << 8);       \
    }

PACK(v_cvt_pk_fp8_f32_fnuz, fp8_fnuz, fp8_fnuz, ENC(AS(GFX942, VOP3, 0x2a2, "v_cvt_pk_fp8_f32"), GONE(GFX950, VOP3)))
PACK(v_cvt_pk_bf8_f32_fnuz, bf8_fnuz, bf8_fnuz, ENC(AS(GFX942, VOP3, 0x2a3, "v_cvt_pk_bf8_f32"), GONE(GFX950, VOP3)))
PACK(v_cvt_pk_fp8_f32, fp8_or_e5m3(mode.clamp), fp8_ocp, ENC(OP(GFX950, VOP3, 0x2a2), OP(GFX12, VOP3, 0x369)))
PACK(v_cvt_pk_bf8_f32, bf8_ocp, bf8_ocp, ENC(OP(GFX950, VOP3, 0x2a3), OP(GFX12, VOP3, 0x36a)))

#define PACK_HALVES(NAME, FLAGS, FORMAT, OPCODE)                                                                       \
    V1(NAME, VALU, B16, PF16, RF_D16_KEEP_HI | RF_NO_FLUSH | RF_NO_OMOD | (FLAGS), ENC(OP(GFX12_5, VOP3, OPCODE)))     \
    {                                                                                                                  \
        float lo = half_to_f32((half_t)a), hi = half_to_f32((half_t)(a >> 16));                                        \
        return (uint16_t)(nearest_fp8(FORMAT, lo, mode.fp16_ovfl) | nearest_fp8(FORMAT, hi, mode.fp16_ovfl) << 8);     \
    }
PACK_HALVES(v_cvt_pk_fp8_f16, RF_NO_CLAMP, fp8_or_e5m3(mode.clamp), 0x372)
PACK_HALVES(v_cvt_pk_bf8_f16, 0, bf8_ocp, 0x373)

/* The top bits of `random`, as many as the conversion drops of a normal number, are added to the number, and what then
 * goes is cut off. `a`: the bits of a float; of those of a half unless `half` is false. */
static inline __attribute__((always_inline)) uint32_t random_fp8(struct fp8 f, uint32_t a, bool half, uint32_t random,
                                                                 bool saturate)
{
    uint32_t u = half ? bits_f32(half_to_f32((half_t)a)) : a, magnitude = u & 0x7fffffff;
    uint32_t units = random >> (32 - ((half ? 10 : 23) - f.mant)), e = a >> 10 & 31;
    /* `unit` is the value of a half's last place; bits of the sum below a float's last place would be cut off anyway */
    float unit = as_f32(((e ? e : 1) + 102) << 23), more = as_f32(magnitude) + (float)(int32_t)units * unit;
    uint32_t sum = half ? bits_f32(more) : magnitude + units, inf = 0x7f800000;

    return signed_fp8(f, code_fp8(f, small_range(f, magnitude < inf ? sum : inf), true, 0), u, saturate);
}

/* op_sel[3:2] picks the byte; the others stay. op_sel[0] says which half. */
static inline __attribute__((always_inline)) int stochastic(struct isa_wave *w, const struct isa_inst *i, struct fp8 f,
                                                            bool half)
{
    const unsigned to = 8 * (i->op_sel >> 2 & 3), from = half && i->op_sel & 1 ? 16 : 0, n = w->lanes & 96;
    const uint32_t sign = half ? 0x8000 : 0x80000000u, keep = i->abs & 1 ? ~sign : ~0u, flip = i->neg & 1 ? sign : 0;
    const bool saturate = w->mode.fp16_ovfl;
    _Alignas(64) uint32_t row[64], random[64], mask[64];
    uint32_t *d = w->v + (i->op[0].code - CODE_VGPR) * w->lanes;

    if (registers_ok(w, i))
        return ISA_FAULT;
    expand_mask(mask, source_row(w, i, row), n);
    if (i->op[2].code >= CODE_VGPR)
        copy_rows(random, w->v + (i->op[2].code - CODE_VGPR) * w->lanes, n);
    else
        splat(random, sget32(w, i, 2), n);
    LANE_PRAGMA
    for (unsigned l = 0; l < n; l++) {
        uint32_t a = ((row[l] >> from) & keep) ^ flip;
        row[l] = random_fp8(f, a, half, random[l], saturate);
    }
    for (unsigned l = 0; l < n; l++)
        d[l] = (d[l] & ~(0xffu << to & mask[l])) | (row[l] << to & mask[l]);
    return ISA_OK;
}

#define STOCHASTIC_OF(NAME, A, FLAGS, FORMAT, ...)                                                                     \
    W(NAME, VALU, (FLAGS) | RF_OP_SEL4 | RF_NO_OMOD | RF_NO_CLAMP, IMP_R_EXEC,                                         \
      ARGS({SL_VDST, T_B32, A_RD | A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_B32, A_RD}), __VA_ARGS__)                \
    {                                                                                                                  \
        return stochastic(w, i, FORMAT, T_##A == T_F16);                                                               \
    }
#define STOCHASTIC(NAME, FORMAT, ...) STOCHASTIC_OF(NAME, F32, RF_INT_MODS, FORMAT, __VA_ARGS__)

STOCHASTIC(v_cvt_sr_fp8_f32_fnuz, fp8_fnuz, ENC(AS(GFX942, VOP3, 0x2a4, "v_cvt_sr_fp8_f32"), GONE(GFX950, VOP3)))
STOCHASTIC(v_cvt_sr_bf8_f32_fnuz, bf8_fnuz, ENC(AS(GFX942, VOP3, 0x2a5, "v_cvt_sr_bf8_f32"), GONE(GFX950, VOP3)))
STOCHASTIC(v_cvt_sr_fp8_f32, fp8_or_e5m3(i->clamp), ENC(OP(GFX950, VOP3, 0x2a4), OP(GFX12, VOP3, 0x36b)))
STOCHASTIC(v_cvt_sr_bf8_f32, bf8_ocp, ENC(OP(GFX950, VOP3, 0x2a5), OP(GFX12, VOP3, 0x36c)))
STOCHASTIC_OF(v_cvt_sr_fp8_f16, F16, 0, fp8_ocp, ENC(OP(GFX12_5, VOP3, 0x374)))
STOCHASTIC_OF(v_cvt_sr_bf8_f16, F16, 0, bf8_ocp, ENC(OP(GFX12_5, VOP3, 0x375)))
