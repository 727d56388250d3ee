/* Conversions that gfx1250 added: with a random number, and between floats and packed small ones with a scale
 * (isa/insts/scaled.h). Their meaning is second-hand: docs/SEMANTICS_NOTES.md, "gfx1250", names the sources.
 *
 * Narrowing has an f32 for a scale, of which the exponent counts, in each lane. Widening is of a matrix, a row of it in
 * lanes l and l + 16, and takes exponents of scales out of the bytes of half the wave's lanes, as the scaled matrix
 * instructions do: scale_sel, in op_sel's place, says which half and which bytes.
 */
#include "isa/insts/scaled.h"

#define ONE(FORMAT, OPCODE) ENC(OP(GFX12_5, FORMAT, OPCODE))

/* --- with a random number ----------------------------------------------------------------------------------------- */

/* Each number has a half of the random bits; the top ones of that, as many as go, are added to what goes, and then it
 * is cut off. */
V3(v_cvt_sr_pk_bf16_f32, VALU, PBF16, F32, F32, U32, 0, ONE(VOP3, 0x36e))
{
    uint32_t x = bits_f32(a), y = bits_f32(b);
    uint32_t lo = (x & 0x7f800000) == 0x7f800000 ? bf16_from_f32(a) : (x + (c & 0xffff)) >> 16;
    uint32_t hi = (y & 0x7f800000) == 0x7f800000 ? bf16_from_f32(b) : (y + (c >> 16)) >> 16;

    return lo | hi << 16;
}

V3(v_cvt_sr_pk_f16_f32, VALU, PF16, F32, F32, U32, 0, ONE(VOP3, 0x370))
{
    return half_away(a, c >> 3 & 0x1fff, mode) | (uint32_t)half_away(b, c >> 19, mode) << 16;
}

/* --- widening ----------------------------------------------------------------------------------------------------- */

/* Where lane l finds its scale. In scale_sel bit 0 is the half of the wave, and of 8-bit numbers bits 2 and 1 are the
 * byte, in this order; where bit 3 says blocks of 16, bit 1 is the pair of bytes of which the lower lanes have one and
 * the upper lanes the other. For smaller numbers the upper lanes always have a byte of their own: the next one, and bit
 * 1 is the pair, or, where bit 2 says blocks of 16, two further on from byte 0 or 1. */
static void scale_place(const struct scaled *s, unsigned select, unsigned l, unsigned *lane, unsigned *byte)
{
    const unsigned upper = l >> 4 & 1, pair = select & 2;

    *lane = (l & 15) + 16 * (select & 1);
    if (s->small.bits == 8)
        *byte = select & 8 ? pair + upper : pair + (select >> 2 & 1);
    else
        *byte = select & 4 ? pair / 2 + 2 * upper : pair + upper;
}

static int widen_selected(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    uint32_t *d = mem_rows(w, &i->op[0]), room[2][64], scale[64];
    struct source from, scales;

    if (!d || !source_rows(w, i, 1, &from, room[0]) || !source_rows(w, i, 2, &scales, room[1]))
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        unsigned lane, byte;

        scale_place(s, i->op_sel, l, &lane, &byte);
        scale[l] = scales.rows[lane] >> 8 * byte & 255;
    }
    widen_rows(w, i, s, d, &from, 0, 0, scale);
    return ISA_OK;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define SCALED(NAME, OPCODE, EXEC, FLAGS, SMALL, WIDE, COUNT, RANDOM, ...)                                             \
    W(NAME, VALU, (FLAGS) | RF_NO_DPP, IMP_R_EXEC, ARGS(__VA_ARGS__), ONE(VOP3, OPCODE))                               \
    {                                                                                                                  \
        return EXEC(w, i, &(const struct scaled){SMALL, WIDE_##WIDE, COUNT, RANDOM, false});                           \
    }

/* scale_sel in op_sel's place */
#define WIDEN(COUNT, TO, WIDE, D, SMALL, A, OPCODE)                                                                    \
    SCALED(v_cvt_scale_pk##COUNT##_##TO##_##SMALL, OPCODE, widen_selected, RF_OP_SEL4, SMALL##_ocp, WIDE, COUNT,       \
           false, {SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD})
#define NARROW(COUNT, SMALL, D, FROM, WIDE, A, OPCODE)                                                                 \
    SCALED(v_cvt_scalef32_pk##COUNT##_##SMALL##_##FROM, OPCODE, exec_narrow, 0, SMALL##_ocp, WIDE, COUNT, false,       \
           {SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD})
#define NARROW_RANDOM(COUNT, SMALL, D, FROM, WIDE, A, OPCODE)                                                          \
    SCALED(v_cvt_scalef32_sr_pk##COUNT##_##SMALL##_##FROM, OPCODE, exec_narrow, 0, SMALL##_ocp, WIDE, COUNT, true,     \
           {SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD}, {SL_SRC2, T_B32, A_RD})

WIDEN(8, f16, F16, B128, fp4, B32, 0x29f)
WIDEN(8, bf16, BF16, B128, fp4, B32, 0x2a0)
WIDEN(8, f32, F32, B256, fp4, B32, 0x2a1)
WIDEN(8, f16, F16, B128, fp8, B64, 0x2a8)
WIDEN(8, bf16, BF16, B128, fp8, B64, 0x2a9)
WIDEN(8, f32, F32, B256, fp8, B64, 0x2aa)
WIDEN(8, f16, F16, B128, bf8, B64, 0x2ab)
WIDEN(8, bf16, BF16, B128, bf8, B64, 0x2ac)
WIDEN(8, f32, F32, B256, bf8, B64, 0x2ad)
WIDEN(16, f16, F16, B256, fp6, B96, 0x2c7)
WIDEN(16, bf16, BF16, B256, fp6, B96, 0x2c8)
WIDEN(16, f32, F32, B512, fp6, B96, 0x2c9)
WIDEN(16, f16, F16, B256, bf6, B96, 0x2ca)
WIDEN(16, bf16, BF16, B256, bf6, B96, 0x2cb)
WIDEN(16, f32, F32, B512, bf6, B96, 0x2cc)
NARROW(8, fp4, B32, f32, F32, B256, 0x2b0)
NARROW(8, fp4, B32, f16, F16, B128, 0x2b3)
NARROW(8, fp8, B64, bf16, BF16, B128, 0x2b4)
NARROW(8, bf8, B64, bf16, BF16, B128, 0x2b5)
NARROW(8, fp4, B32, bf16, BF16, B128, 0x2b8)
NARROW(8, fp8, B64, f32, F32, B256, 0x2c3)
NARROW(8, fp8, B64, f16, F16, B128, 0x2c4)
NARROW(8, bf8, B64, f32, F32, B256, 0x2c5)
NARROW(8, bf8, B64, f16, F16, B128, 0x2c6)
NARROW(16, fp6, B96, f32, F32, B512, 0x2cd)
NARROW(16, bf6, B96, f32, F32, B512, 0x2ce)
NARROW(16, fp6, B96, f16, F16, B256, 0x2cf)
NARROW(16, bf6, B96, f16, F16, B256, 0x2d0)
NARROW(16, fp6, B96, bf16, BF16, B256, 0x2d1)
NARROW(16, bf6, B96, bf16, BF16, B256, 0x2d2)
NARROW_RANDOM(8, fp4, B32, f32, F32, B256, 0x297)
NARROW_RANDOM(8, fp8, B64, f32, F32, B256, 0x298)
NARROW_RANDOM(8, bf8, B64, f32, F32, B256, 0x299)
NARROW_RANDOM(8, fp4, B32, f16, F16, B128, 0x2b9)
NARROW_RANDOM(8, fp4, B32, bf16, BF16, B128, 0x2bc)
NARROW_RANDOM(8, fp8, B64, f16, F16, B128, 0x2bf)
NARROW_RANDOM(8, fp8, B64, bf16, BF16, B128, 0x2c0)
NARROW_RANDOM(8, bf8, B64, f16, F16, B128, 0x2c1)
NARROW_RANDOM(8, bf8, B64, bf16, BF16, B128, 0x2c2)
NARROW_RANDOM(16, fp6, B96, f32, F32, B512, 0x2d3)
NARROW_RANDOM(16, bf6, B96, f32, F32, B512, 0x2d4)
NARROW_RANDOM(16, fp6, B96, f16, F16, B256, 0x2d5)
NARROW_RANDOM(16, bf6, B96, f16, F16, B256, 0x2d6)
NARROW_RANDOM(16, fp6, B96, bf16, BF16, B256, 0x2d7)
NARROW_RANDOM(16, bf6, B96, bf16, BF16, B256, 0x2d8)
