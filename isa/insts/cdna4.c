/* Instructions that gfx950 added, from AMD's CDNA4 ISA manual, but for matrix ones (mfma.c, mfma_scale.c), conversions
 * with a scale (cdna4_scale.c) and transposing LDS reads (cdna4_lds.c). */
#include "isa/insts/mem.h"
#include "isa/lanes/dpp.h"
#include "isa/lanes/fp_half.h"

/* --- moves between lanes ------------------------------------------------------------------------------------------ */

#define PERMLANE_SWAP(NAME, DISTANCE, ...)                                                                             \
    W(NAME, CROSS, RF_NO_DPP | RF_NO_SDWA, IMP_R_EXEC,                                                                 \
      ARGS({SL_VDST, T_B32, A_RD | A_WR}, {SL_SRC0, T_B32, A_RD | A_WR | A_VGPR}), __VA_ARGS__)                        \
    {                                                                                                                  \
        return swap_lanes(w, i, DISTANCE);                                                                             \
    }

/* Lanes of the source in the lower half of each 2 * distance change places with the destination's in the upper one. A
 * lane outside EXEC keeps what it has. */
static int swap_lanes(struct isa_wave *w, const struct isa_inst *i, unsigned distance)
{
    uint32_t *d = mem_rows(w, &i->op[0]), *s = mem_rows(w, &i->op[1]);

    if (!d || !s)
        return ISA_FAULT;
    for (unsigned l = 0; l + distance < w->lanes; l++) {
        uint32_t low = s[l], high = d[l + distance];

        if (l & distance)
            continue;
        if (w->exec >> l & 1)
            s[l] = high;
        if (w->exec >> (l + distance) & 1)
            d[l + distance] = low;
    }
    return ISA_OK;
}

PERMLANE_SWAP(v_permlane16_swap_b32, 16, ENC(OP(GFX950, VOP1, 0x59), OP(GFX12_5, VOP1, 0x49)))
PERMLANE_SWAP(v_permlane32_swap_b32, 32, ENC(OP(GFX950, VOP1, 0x5a)))

/* --- bits --------------------------------------------------------------------------------------------------------- */

V1(v_prng_b32, VALU, B32, B32, 0, ENC(OP(GFX950, VOP1, 0x58), OP(GFX12_5, VOP1, 0x4b)))
{
    return a << 1 ^ (a >> 31 ? 197 : 0);
}

static uint32_t bitop3(unsigned table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;

    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}

/* A lane of a source: a register or a scalar. */
static uint32_t source_bits(const struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t *row,
                            unsigned l)
{
    return row ? row[l] : sget32(w, i, k);
}

static int exec_bitop3(struct isa_wave *w, const struct isa_inst *i, bool half)
{
    uint32_t *d = mem_rows(w, &i->op[0]), first[64];
    const uint32_t *s[3];

    for (unsigned k = 0; k < 3; k++) {
        s[k] = i->op[k + 1].code >= CODE_VGPR ? mem_rows(w, &i->op[k + 1]) : NULL;
        if (!s[k] && i->op[k + 1].code >= CODE_VGPR)
            return ISA_FAULT;
    }
    if (!d)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        first[l] = source_bits(w, i, 1, s[0], l);
    const uint64_t on = isa_dpp(w, i, first, 1) & w->exec;
    s[0] = first;
    for (unsigned l = 0; l < w->lanes; l++) {
        uint32_t v[3], r;

        if (!(on >> l & 1))
            continue;
        for (unsigned k = 0; k < 3; k++)
            v[k] = source_bits(w, i, k + 1, s[k], l) >> (half && (i->op_sel >> k & 1) ? 16 : 0);
        r = bitop3(isa_truth_table(i), v[0], v[1], v[2]);
        if (!half)
            d[l] = r;
        else if (i->op_sel & 8)
            d[l] = (d[l] & 0xffff) | r << 16;
        else
            d[l] = (d[l] & 0xffff0000) | (r & 0xffff);
    }
    return ISA_OK;
}

#define BITOP3(NAME, T, OPCODE)                                                                                        \
    W(NAME, VALU, RF_TRUTH_TABLE, IMP_R_EXEC,                                                                          \
      ARGS({SL_VDST, T_##T, A_WR}, {SL_SRC0, T_##T, A_RD}, {SL_SRC1, T_##T, A_RD}, {SL_SRC2, T_##T, A_RD}),            \
      ENC(OP(GFX950, VOP3, OPCODE), OP(GFX12_5, VOP3, OPCODE)))                                                        \
    {                                                                                                                  \
        return exec_bitop3(w, i, T_##T == T_B16);                                                                      \
    }
/* A half of dual issue: the third source is 0. */
V2(v_bitop2_b32, VALU, B32, B32, B32, RF_TRUTH_TABLE, ENC(OP(GFX12_5, VOPD3Y, 0x12)))
{
    return bitop3(mode.neg, a, b, 0);
}

BITOP3(v_bitop3_b16, B16, 0x233)
BITOP3(v_bitop3_b32, B32, 0x234)

static int32_t between(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

#define ASHR_PK(NAME, LOW, HIGH, CDNA4, GFX1250)                                                                       \
    V3(NAME, VALU, B16, I32, I32, U32, RF_D16_KEEP_HI, ENC(OP(GFX950, VOP3, CDNA4), OP(GFX12_5, VOP3, GFX1250)))       \
    {                                                                                                                  \
        uint32_t x = (uint32_t)between(a >> (c & 31), LOW, HIGH), y = (uint32_t)between(b >> (c & 31), LOW, HIGH);     \
        return (uint16_t)((x & 0xff) | (y & 0xff) << 8);                                                               \
    }
ASHR_PK(v_ashr_pk_i8_i32, -128, 127, 0x265, 0x290)
ASHR_PK(v_ashr_pk_u8_i32, 0, 255, 0x266, 0x291)

/* --- 16-bit floats ------------------------------------------------------------------------------------------------ */

V1(v_cvt_f32_bf16, VALU, F32, BF16, 0, ENC(OP(GFX950, VOP1, 0x5b), OP(GFX12_5, VOP1, 0x72)))
{
    return bf16_to_f32(a);
}

/* rounded to nearest, whatever MODE says */
V2(v_cvt_pk_f16_f32, VALU, PF16, F32, F32, RF_NO_OMOD, ENC(OP(GFX950, VOP3, 0x267), OP(GFX12_5, VOP3, 0x36f)))
{
    return half_from_f32(a, 0, false) | (uint32_t)half_from_f32(b, 0, false) << 16;
}

V2(v_cvt_pk_bf16_f32, VALU, PBF16, F32, F32, RF_NO_OMOD, ENC(OP(GFX950, VOP3, 0x268), OP(GFX12_5, VOP3, 0x36d)))
{
    return bf16_from_f32(a) | (uint32_t)bf16_from_f32(b) << 16;
}

/* The random number's top bits, as many as go, are added to what goes; then it is cut off. */
V2(v_cvt_sr_bf16_f32, VALU, BF16, F32, U32, RF_D16_KEEP_HI | RF_NO_OMOD | RF_NO_CLAMP, ENC(OP(GFX950, VOP3, 0x2a7)))
{
    uint32_t v = bits_f32(a);

    if ((v & 0x7f800000) == 0x7f800000)
        return bf16_from_f32(a);
    return (uint16_t)((v + (b >> 16)) >> 16);
}

V2(v_cvt_sr_f16_f32, VALU, F16, F32, U32, RF_D16_KEEP_HI | RF_NO_OMOD | RF_NO_CLAMP, ENC(OP(GFX950, VOP3, 0x2a6)))
{
    return half_away(a, b >> 19, mode);
}
