/* Conversions of gfx950 between floats and blocks of small ones with a scale, v_cvt_scalef32_*, from AMD's CDNA4 ISA
 * manual: the scale is the exponent of an f32 (isa/insts/scaled.h).
 */
#include "isa/insts/scaled.h"

static int exec_widen(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    /* one half can go to either half of its register */
    const unsigned to = s->count * wide_bits((enum wide)s->wide) == 16 && (i->op_sel & 8) ? 16 : 0;
    uint32_t *d = mem_rows(w, &i->op[0]), room[2][64], scale[64];
    struct source from, scales;

    if (!d || !source_rows(w, i, 1, &from, room[0]) || !source_rows(w, i, 2, &scales, room[1]))
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        scale[l] = scales.rows[l] >> 23 & 255;
    widen_rows(w, i, s, d, &from, narrow_at(s, i->op_sel), to, scale);
    return ISA_OK;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define SCALED(NAME, OPCODE, EXEC, FLAGS, SMALL, WIDE, COUNT, RANDOM, PAIRS, ...)                                      \
    W(NAME, VALU, (FLAGS) | RF_NO_FLUSH | RF_NO_OMOD | RF_NO_CLAMP, IMP_R_EXEC, ARGS(__VA_ARGS__),                     \
      ENC(OP(GFX950, VOP3, OPCODE)))                                                                                   \
    {                                                                                                                  \
        return EXEC(w, i, &(const struct scaled){SMALL, WIDE_##WIDE, COUNT, RANDOM, PAIRS});                           \
    }

#define SCALE1                                                                                                         \
    {                                                                                                                  \
        SL_SRC1, T_F32, A_RD                                                                                           \
    }
#define SCALE2                                                                                                         \
    {                                                                                                                  \
        SL_SRC2, T_F32, A_RD                                                                                           \
    }
#define SEED                                                                                                           \
    {                                                                                                                  \
        SL_SRC1, T_B32, A_RD                                                                                           \
    }
/* a byte of the register, or a half: the others stay */
#define PART                                                                                                           \
    {                                                                                                                  \
        SL_VDST, T_B32, A_RD | A_WR                                                                                    \
    }
#define HALF                                                                                                           \
    {                                                                                                                  \
        SL_VDST, T_B16, A_WR                                                                                           \
    }

/* two floats, or two halves in one register, to two small ones */
#define NARROW_F32(SMALL, FORMAT, D, OPCODE)                                                                           \
    SCALED(v_cvt_scalef32_pk_##SMALL##_f32, OPCODE, exec_narrow, RF_OP_SEL4 | RF_D16_KEEP_HI, FORMAT, F32, 2, false,   \
           false, D, {SL_SRC0, T_F32, A_RD}, {SL_SRC1, T_F32, A_RD}, SCALE2)
#define NARROW_8(SMALL, FORMAT, FROM, WIDE, OPCODE)                                                                    \
    SCALED(v_cvt_scalef32_pk_##SMALL##_##FROM, OPCODE, exec_narrow, RF_D16_KEEP_HI, FORMAT, WIDE, 2, false, false,     \
           HALF, {SL_SRC0, T_P##WIDE, A_RD}, SCALE1)
#define NARROW_4(FROM, WIDE, OPCODE)                                                                                   \
    SCALED(v_cvt_scalef32_pk_fp4_##FROM, OPCODE, exec_narrow, RF_OP_SEL4 | RF_INT_MODS, fp4_ocp, WIDE, 2, false,       \
           false, PART, {SL_SRC0, T_P##WIDE, A_RD}, SCALE1)
/* one or two with a random number */
#define RANDOM_1(SMALL, FORMAT, FROM, WIDE, OPCODE)                                                                    \
    SCALED(v_cvt_scalef32_sr_##SMALL##_##FROM, OPCODE, exec_narrow, RF_OP_SEL4, FORMAT, WIDE, 1, true, false, PART,    \
           {SL_SRC0, T_##WIDE, A_RD}, SEED, SCALE2)
#define RANDOM_2(FROM, WIDE, FLAGS, OPCODE)                                                                            \
    SCALED(v_cvt_scalef32_sr_pk_fp4_##FROM, OPCODE, exec_narrow, RF_OP_SEL4, fp4_ocp, WIDE, 2, true, false, PART,      \
           {SL_SRC0, T_P##WIDE, A_RD | (FLAGS)}, SEED, SCALE2)
/* one or two small ones */
#define WIDEN(NAME, D, FORMAT, WIDE, COUNT, OPCODE)                                                                    \
    SCALED(v_cvt_scalef32_##NAME, OPCODE, exec_widen, RF_D16_KEEP_HI, FORMAT, WIDE, COUNT, false, false,               \
           {SL_VDST, T_##D, A_WR}, {SL_SRC0, T_SMALL, A_RD}, SCALE1)
/* 32 numbers */
#define BLOCK_SCALE1                                                                                                   \
    {                                                                                                                  \
        SL_SRC1, T_B32, A_RD                                                                                           \
    }
#define BLOCK_SCALE2                                                                                                   \
    {                                                                                                                  \
        SL_SRC2, T_B32, A_RD                                                                                           \
    }
#define BLOCK_NARROW(SMALL, FORMAT, FROM, WIDE, OPCODE)                                                                \
    SCALED(v_cvt_scalef32_pk32_##SMALL##_##FROM, OPCODE, exec_narrow, 0, FORMAT, WIDE, 32, false, false,               \
           {SL_VDST, T_B192, A_WR}, {SL_SRC0, T_B512, A_RD | A_VGPR}, BLOCK_SCALE1)
#define BLOCK_PAIRS(SMALL, FORMAT, OPCODE)                                                                             \
    SCALED(v_cvt_scalef32_2xpk16_##SMALL##_f32, OPCODE, exec_narrow, 0, FORMAT, F32, 32, false, true,                  \
           {SL_VDST, T_B192, A_WR}, {SL_SRC0, T_B512, A_RD | A_VGPR}, {SL_SRC1, T_B512, A_RD | A_VGPR}, BLOCK_SCALE2)
#define BLOCK_RANDOM(SMALL, FORMAT, FROM, WIDE, A, OPCODE)                                                             \
    SCALED(v_cvt_scalef32_sr_pk32_##SMALL##_##FROM, OPCODE, exec_narrow, 0, FORMAT, WIDE, 32, true, false,             \
           {SL_VDST, T_B192, A_WR}, {SL_SRC0, T_##A, A_RD | A_VGPR}, SEED, BLOCK_SCALE2)
#define BLOCK_WIDEN(TO, WIDE, D, SMALL, FORMAT, OPCODE)                                                                \
    SCALED(v_cvt_scalef32_pk32_##TO##_##SMALL, OPCODE, exec_widen, 0, FORMAT, WIDE, 32, false, false,                  \
           {SL_VDST, T_##D, A_WR}, {SL_SRC0, T_B192, A_RD | A_VGPR}, BLOCK_SCALE1)

NARROW_F32(fp8, fp8_ocp, HALF, 0x235)
NARROW_F32(bf8, bf8_ocp, HALF, 0x236)
RANDOM_1(fp8, fp8_ocp, f32, F32, 0x237)
RANDOM_1(bf8, bf8_ocp, f32, F32, 0x238)
WIDEN(pk_f32_fp8, PF32, fp8_ocp, F32, 2, 0x239)
WIDEN(pk_f32_bf8, PF32, bf8_ocp, F32, 2, 0x23a)
WIDEN(f32_fp8, F32, fp8_ocp, F32, 1, 0x23b)
WIDEN(f32_bf8, F32, bf8_ocp, F32, 1, 0x23c)
NARROW_F32(fp4, fp4_ocp, PART, 0x23d)
RANDOM_2(f32, F32, A_VGPR, 0x23e)
WIDEN(pk_f32_fp4, PF32, fp4_ocp, F32, 2, 0x23f)
NARROW_8(fp8, fp8_ocp, f16, F16, 0x240)
NARROW_8(bf8, bf8_ocp, f16, F16, 0x241)
RANDOM_1(fp8, fp8_ocp, f16, F16, 0x242)
RANDOM_1(bf8, bf8_ocp, f16, F16, 0x243)
NARROW_8(fp8, fp8_ocp, bf16, BF16, 0x244)
NARROW_8(bf8, bf8_ocp, bf16, BF16, 0x245)
RANDOM_1(fp8, fp8_ocp, bf16, BF16, 0x246)
RANDOM_1(bf8, bf8_ocp, bf16, BF16, 0x247)
WIDEN(pk_f16_fp8, PF16, fp8_ocp, F16, 2, 0x248)
WIDEN(pk_f16_bf8, PF16, bf8_ocp, F16, 2, 0x249)
WIDEN(f16_fp8, F16, fp8_ocp, F16, 1, 0x24a)
WIDEN(f16_bf8, F16, bf8_ocp, F16, 1, 0x24b)
NARROW_4(f16, F16, 0x24c)
NARROW_4(bf16, BF16, 0x24d)
RANDOM_2(f16, F16, 0, 0x24e)
RANDOM_2(bf16, BF16, 0, 0x24f)
WIDEN(pk_f16_fp4, PF16, fp4_ocp, F16, 2, 0x250)
WIDEN(pk_bf16_fp4, PBF16, fp4_ocp, BF16, 2, 0x251)
BLOCK_PAIRS(fp6, fp6_ocp, 0x252)
BLOCK_PAIRS(bf6, bf6_ocp, 0x253)
BLOCK_RANDOM(fp6, fp6_ocp, f32, F32, B1024, 0x254)
BLOCK_RANDOM(bf6, bf6_ocp, f32, F32, B1024, 0x255)
BLOCK_WIDEN(f32, F32, B1024, fp6, fp6_ocp, 0x256)
BLOCK_WIDEN(f32, F32, B1024, bf6, bf6_ocp, 0x257)
BLOCK_NARROW(fp6, fp6_ocp, f16, F16, 0x258)
BLOCK_NARROW(fp6, fp6_ocp, bf16, BF16, 0x259)
BLOCK_NARROW(bf6, bf6_ocp, f16, F16, 0x25a)
BLOCK_NARROW(bf6, bf6_ocp, bf16, BF16, 0x25b)
BLOCK_RANDOM(fp6, fp6_ocp, f16, F16, B512, 0x25c)
BLOCK_RANDOM(fp6, fp6_ocp, bf16, BF16, B512, 0x25d)
BLOCK_RANDOM(bf6, bf6_ocp, f16, F16, B512, 0x25e)
BLOCK_RANDOM(bf6, bf6_ocp, bf16, BF16, B512, 0x25f)
BLOCK_WIDEN(f16, F16, B512, fp6, fp6_ocp, 0x260)
BLOCK_WIDEN(bf16, BF16, B512, fp6, fp6_ocp, 0x261)
BLOCK_WIDEN(f16, F16, B512, bf6, bf6_ocp, 0x262)
BLOCK_WIDEN(bf16, BF16, B512, bf6, bf6_ocp, 0x263)
WIDEN(pk_bf16_fp8, PBF16, fp8_ocp, BF16, 2, 0x269)
WIDEN(pk_bf16_bf8, PBF16, bf8_ocp, BF16, 2, 0x26a)
