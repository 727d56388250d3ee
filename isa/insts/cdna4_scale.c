/* Conversions of gfx950 between floats and blocks of small ones with a scale, v_cvt_scalef32_*, from AMD's CDNA4 ISA
 * manual.
 *
 * The scale is the exponent of an f32, 2^(exponent - 127); an exponent of 255 makes all results NaN. Narrowing divides
 * by it and rounds once, widening multiplies. Formats without NaN have the largest number for it and for what is too
 * large; 8-bit ones follow MODE.FP16_OVFL, as without a scale. MODE's denormal bits do not matter. What the manual
 * leaves open is from AMD's emulation for the host (HIP's amd_hip_ocp_host.hpp), see docs/SEMANTICS_NOTES.md.
 */
#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"
#include "isa/lanes/fp8.h"
#include "isa/lanes/fp_half.h"

enum wide { WIDE_F32, WIDE_F16, WIDE_BF16 };

/* Of one instruction. */
struct scaled {
    struct fp8 small;
    uint8_t wide, count; /* how many numbers */
    bool random;         /* rounds by a random number, the source before the scale */
    bool pairs;          /* the numbers come in turns from two sources */
};

/* The most words that one lane has of a source or of the result. */
enum { MOST_WORDS = 32 };

/* Rows of source k, null for a scalar; false: a fault is recorded. */
static bool source_rows(struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t **rows)
{
    *rows = i->op[k].code >= CODE_VGPR ? mem_rows(w, &i->op[k]) : NULL;
    return *rows || i->op[k].code < CODE_VGPR;
}

static void lane_words(const struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t *rows, unsigned l,
                       uint32_t *to)
{
    for (unsigned n = 0; n < isa_types[i->op[k].type].dwords; n++)
        to[n] = rows ? rows[n * w->lanes + l] : sget32(w, i, k);
}

/* --- one number --------------------------------------------------------------------------------------------------- */

static unsigned wide_bits(enum wide wide)
{
    return wide == WIDE_F32 ? 32 : 16;
}

static float wide_value(enum wide wide, uint32_t v)
{
    return wide == WIDE_F32 ? as_f32(v) : wide == WIDE_F16 ? half_to_f32((half_t)v) : bf16_to_f32(v);
}

static uint32_t scaled_widen(const struct scaled *s, uint32_t v, unsigned scale)
{
    /* exact in f32: no format has more than four significant bits */
    float r = scale == 255 ? as_f32(QNAN32) : (float)ldexp((double)from_fp8(s->small, v), (int)scale - 127);

    return s->wide == WIDE_F32 ? bits_f32(r) : s->wide == WIDE_F16 ? half_from_f32(r, 0, false) : bf16_from_f32(r);
}

static uint32_t scaled_narrow(const struct scaled *s, uint32_t v, unsigned scale, uint32_t random, bool saturate)
{
    static const uint8_t mantissa[] = {[WIDE_F32] = 23, [WIDE_F16] = 10, [WIDE_BF16] = 7};
    double a = scale == 255 ? (double)copysignf(as_f32(QNAN32), wide_value((enum wide)s->wide, v))
                            : ldexp((double)wide_value((enum wide)s->wide, v), 127 - (int)scale);
    /* as many random bits as the source has more than the result */
    int more = mantissa[s->wide] - s->small.mant;

    return narrow_fp8(s->small, a, saturate, s->random ? ldexp((double)(random >> (32 - more)), -more) : -1);
}

/* --- one instruction ---------------------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t v)
{
    return v << 1 ^ (v >> 31 ? 197 : 0);
}

/* The bit of the register from which on the few bits of an instruction lie that has no register full of them. */
static unsigned narrow_at(const struct scaled *s, unsigned select)
{
    unsigned bits = s->count * (unsigned)s->small.bits;

    return bits == 8 ? 8 * (select & 3) : bits == 16 ? 16 * (select & 1) : 0;
}

/* Two op_sel bits choose a byte of the result, the upper one two bytes. */
static unsigned result_select(const struct isa_inst *i, const struct scaled *s)
{
    return s->count * s->small.bits == 16 ? i->op_sel >> 3 & 1u : i->op_sel >> 2 & 3u;
}

static int exec_narrow(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    const unsigned last = i->nops - 1u, words = isa_types[i->op[0].type].dwords, bits = wide_bits((enum wide)s->wide);
    const unsigned at = narrow_at(s, result_select(i, s)), small = (unsigned)s->small.bits;
    uint32_t *d = mem_rows(w, &i->op[0]), source[3][MOST_WORDS], result[MOST_WORDS];
    const uint32_t *rows[4];
    /* two sources of one number each, or numbers in turns */
    const bool two = s->pairs || (s->count == 2 && !s->random && bits == 32);

    for (unsigned k = 1; k <= last; k++)
        if (!source_rows(w, i, k, &rows[k]))
            return ISA_FAULT;
    if (!d)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        for (unsigned k = 1; k <= last; k++)
            lane_words(w, i, k, rows[k], l, source[k - 1]);
        for (unsigned n = 0; n < words; n++)
            result[n] = d[n * w->lanes + l];
        const unsigned scale = source[last - 1][0] >> 23 & 255;
        uint32_t random = source[1][0];
        for (unsigned k = 0; k < s->count; k++) {
            const unsigned which = two ? k & 1 : 0, n = two ? k >> 1 : k;
            uint32_t v = string_get(source[which], 1, n * bits, bits), sign = 1u << (bits - 1);
            v = (i->abs >> which & 1 ? v & ~sign : v) ^ (i->neg >> which & 1 ? sign : 0);
            string_put(result, 1, at + k * small, small, scaled_narrow(s, v, scale, random, w->mode.fp16_ovfl));
            random = next_random(random);
        }
        for (unsigned n = 0; n < words; n++)
            d[n * w->lanes + l] = result[n];
    }
    return ISA_OK;
}

static int exec_widen(struct isa_wave *w, const struct isa_inst *i, const struct scaled *s)
{
    const unsigned words = isa_types[i->op[0].type].dwords, bits = wide_bits((enum wide)s->wide);
    const unsigned at = narrow_at(s, i->op_sel), small = (unsigned)s->small.bits;
    /* one half can go to either half of its register */
    const unsigned to = s->count * bits == 16 && (i->op_sel & 8) ? 16 : 0;
    uint32_t *d = mem_rows(w, &i->op[0]), source[MOST_WORDS], scale, result[MOST_WORDS];
    const uint32_t *rows, *scales;

    if (!d || !source_rows(w, i, 1, &rows) || !source_rows(w, i, 2, &scales))
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        lane_words(w, i, 1, rows, l, source);
        lane_words(w, i, 2, scales, l, &scale);
        for (unsigned n = 0; n < words; n++)
            result[n] = d[n * w->lanes + l];
        for (unsigned k = 0; k < s->count; k++)
            string_put(result, 1, to + k * bits, bits,
                       scaled_widen(s, string_get(source, 1, at + k * small, small), scale >> 23 & 255));
        for (unsigned n = 0; n < words; n++)
            d[n * w->lanes + l] = result[n];
    }
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
