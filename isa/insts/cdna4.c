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

/* The bit of the table at (a, b, c), for each bit. */
static inline uint32_t bitop3(unsigned table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t by_c[4], by_b[2];

    for (unsigned k = 0; k < 4; k++) {
        const uint32_t zero = -(table >> 2 * k & 1), one = -(table >> (2 * k + 1) & 1);
        by_c[k] = zero ^ (c & (zero ^ one));
    }
    for (unsigned k = 0; k < 2; k++)
        by_b[k] = by_c[2 * k] ^ (b & (by_c[2 * k] ^ by_c[2 * k + 1]));
    return by_b[0] ^ (a & (by_b[0] ^ by_b[1]));
}

static int exec_bitop3(struct isa_wave *w, const struct isa_inst *i, bool half)
{
    const unsigned n = w->lanes & 96, table = isa_truth_table(i), up = half && (i->op_sel & 8) ? 16 : 0;
    const uint32_t part = half ? 0xffffu << up : 0xffffffff;
    uint32_t *d = mem_rows(w, &i->op[0]), v[3][64], on[64];
    uint64_t active = w->exec;

    for (unsigned k = 0; k < 3; k++) {
        const bool is_register = i->op[k + 1].code >= CODE_VGPR;
        const uint32_t *row = is_register ? mem_rows(w, &i->op[k + 1]) : NULL, value = row ? 0 : sget32(w, i, k + 1);
        const unsigned down = half && (i->op_sel >> k & 1) ? 16 : 0;
        if (!row && is_register)
            return ISA_FAULT;
        for (unsigned l = 0; l < n; l++)
            v[k][l] = row ? row[l] : value;
        if (k == 0)
            active &= isa_dpp(w, i, v[0], 1);
        for (unsigned l = 0; l < n; l++)
            v[k][l] >>= down;
    }
    if (!d)
        return ISA_FAULT;
    w->target->variant->expand_mask(on, active, n);
    for (unsigned l = 0; l < n; l++)
        v[0][l] = bitop3(table, v[0][l], v[1][l], v[2][l]) << up;
    for (unsigned l = 0; l < n; l++)
        d[l] = (v[0][l] & on[l] & part) | (d[l] & ~(on[l] & part));
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
