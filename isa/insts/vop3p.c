/* Packed 16-bit and 32-bit arithmetic, and the mixed-precision multiply-adds. Operand fetch has picked and negated the
 * halves: bodies work low with low and high with high. The clamp bit saturates integers.
 */
#include "isa/lanes/fp_half.h"
#include "isa/lanes/half_rows.h"
#include "isa/table/shapes.h"

#define P2F(N, OP, ...) V2_ROWS(N, VALU, PF16, PF16, PF16, 0, ORDERED(OP), __VA_ARGS__)
#define P2I(N, ...)     V2(N, VALU, PB16, PB16, PB16, RF_INT_CLAMP, __VA_ARGS__)
#define P3I(N, ...)     V3(N, VALU, PB16, PB16, PB16, PB16, RF_INT_CLAMP, __VA_ARGS__)

#define BY_ROWS(OP) half_rows(HALF_##OP, true, d, s0, s1, s2, the_mode)
#define ORDERED(OP) half_rows_order(ORDER_##OP, true, d, s0, s1, s2)
#define LO(x)       ((uint16_t)(x))
#define HI(x)       ((uint16_t)((x) >> 16))
#define PACK(l, h)  ((uint32_t)(uint16_t)(l) | (uint32_t)(uint16_t)(h) << 16)
#define SLO(x)      ((int32_t)(int16_t)(x))
#define SHI(x)      ((int32_t)(x) >> 16)

static inline uint32_t fit_u(int32_t v, bool clamp)
{
    int32_t s = v < 0 ? 0 : v > 0xffff ? 0xffff : v;
    return (uint16_t)(clamp ? s : v);
}

static inline uint32_t fit_i(int32_t v, bool clamp)
{
    int32_t s = v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v;
    return (uint16_t)(clamp ? s : v);
}

/* --- half precision
 * --------------------------------------------------------------------------------------------------- */

V2_ROWS(v_pk_add_f16, VALU, PF16, PF16, PF16, 0, BY_ROWS(ADD), ENC(OP(GFX9, VOP3P, 0x0f)))
{
    return PACK(add_f16(LO(a), LO(b), mode), add_f16(HI(a), HI(b), mode));
}

V2_ROWS(v_pk_mul_f16, VALU, PF16, PF16, PF16, 0, BY_ROWS(MUL), ENC(OP(GFX9, VOP3P, 0x10)))
{
    return PACK(mul_f16(LO(a), LO(b), mode), mul_f16(HI(a), HI(b), mode));
}

V3_ROWS(v_pk_fma_f16, VALU, PF16, PF16, PF16, PF16, 0, BY_ROWS(FMA), ENC(OP(GFX9, VOP3P, 0x0e)))
{
    return PACK(fma_f16(LO(a), LO(b), LO(c), mode), fma_f16(HI(a), HI(b), HI(c), mode));
}

/* one meaning, three sets of twin forms; from gfx11 on an inline constant stands in both halves */
#define PK_FMAC(NAME, CLS, SRC, FLAGS, ...)                                                                            \
    V2_ACC_ROWS(NAME, CLS, PF16, SRC, SRC, (FLAGS) | RF_NO_SDWA, BY_ROWS(FMA), __VA_ARGS__)                            \
    {                                                                                                                  \
        return PACK(fma_f16(LO(a), LO(b), LO(c), mode), fma_f16(HI(a), HI(b), HI(c), mode));                           \
    }

PK_FMAC(v_pk_fmac_f16, VALU, PF16, RF_NO_DPP | RF_NO_E64 | RF_E32_SUFFIX,
        ENC(OP(GFX908, VOP2, 0x3c), GONE(GFX10, VOP2)))
PK_FMAC(v_pk_fmac_f16_gfx10, MEASURED(VALU, "llvm-project 94116"), PF16, RF_NO_DPP | RF_NO_E64,
        ENC(AS(GFX10, VOP2, 0x3c, "v_pk_fmac_f16"), GONE(GFX11, VOP2)))
PK_FMAC(v_pk_fmac_f16_gfx11, MEASURED(VALU, "llvm-project 94116"), PF16B, RF_NO_E64,
        ENC(AS(GFX11, VOP2, 0x3c, "v_pk_fmac_f16"), GONE(GFX12_5, VOP2)))
PK_FMAC(v_pk_fmac_f16_gfx1250, VALU, PF16B, RF_NO_E64 | RF_NO_DPP, ENC(AS(GFX12_5, VOP2, 0x3c, "v_pk_fmac_f16")))

P2F(v_pk_min_f16, MIN, ENC(OP(GFX9, VOP3P, 0x11), GONE(GFX11, VOP3P)))
{
    return PACK(MIN16_GCN(LO(a), LO(b)), MIN16_GCN(HI(a), HI(b)));
}

P2F(v_pk_max_f16, MAX, ENC(OP(GFX9, VOP3P, 0x12), GONE(GFX11, VOP3P)))
{
    return PACK(MAX16_GCN(LO(a), LO(b)), MAX16_GCN(HI(a), HI(b)));
}

P2F(v_pk_min_f16_rdna3, MIN, ENC(AS(GFX11, VOP3P, 0x11, "v_pk_min_f16"), GONE(GFX12, VOP3P)))
{
    return PACK(MIN16_RDNA3(LO(a), LO(b)), MIN16_RDNA3(HI(a), HI(b)));
}

P2F(v_pk_max_f16_rdna3, MAX, ENC(AS(GFX11, VOP3P, 0x12, "v_pk_max_f16"), GONE(GFX12, VOP3P)))
{
    return PACK(MAX16_RDNA3(LO(a), LO(b)), MAX16_RDNA3(HI(a), HI(b)));
}

P2F(v_pk_min_num_f16, MIN, ENC(OP(GFX12, VOP3P, 0x1b)))
{
    return PACK(MIN16_NUM(LO(a), LO(b)), MIN16_NUM(HI(a), HI(b)));
}

P2F(v_pk_max_num_f16, MAX, ENC(OP(GFX12, VOP3P, 0x1c)))
{
    return PACK(MAX16_NUM(LO(a), LO(b)), MAX16_NUM(HI(a), HI(b)));
}

P2F(v_pk_minimum_f16, MIN, ENC(OP(GFX12, VOP3P, 0x1d)))
{
    return PACK(minimum_f16(LO(a), LO(b)), minimum_f16(HI(a), HI(b)));
}

P2F(v_pk_maximum_f16, MAX, ENC(OP(GFX12, VOP3P, 0x1e)))
{
    return PACK(maximum_f16(LO(a), LO(b)), maximum_f16(HI(a), HI(b)));
}

V3_ROWS(v_pk_minimum3_f16, VALU, PF16, PF16, PF16, PF16, 0, ORDERED(MIN3),
        ENC(OP(GFX950, VOP3P, 0x1b), OP(GFX12_5, VOP3P, 0x36)))
{
    return PACK(minimum_f16(minimum_f16(LO(a), LO(b)), LO(c)), minimum_f16(minimum_f16(HI(a), HI(b)), HI(c)));
}

V3_ROWS(v_pk_maximum3_f16, VALU, PF16, PF16, PF16, PF16, 0, ORDERED(MAX3),
        ENC(OP(GFX950, VOP3P, 0x1c), OP(GFX12_5, VOP3P, 0x37)))
{
    return PACK(maximum_f16(maximum_f16(LO(a), LO(b)), LO(c)), maximum_f16(maximum_f16(HI(a), HI(b)), HI(c)));
}

/* --- 16-bit integers
 * ---------------------------------------------------------------------------------------------------- */

P2I(v_pk_add_u16, ENC(OP(GFX9, VOP3P, 0x0a)))
{
    return PACK(fit_u(LO(a) + LO(b), mode.clamp), fit_u(HI(a) + HI(b), mode.clamp));
}

P2I(v_pk_add_i16, ENC(OP(GFX9, VOP3P, 0x02)))
{
    return PACK(fit_i(SLO(a) + SLO(b), mode.clamp), fit_i(SHI(a) + SHI(b), mode.clamp));
}

P2I(v_pk_sub_u16, ENC(OP(GFX9, VOP3P, 0x0b)))
{
    return PACK(fit_u(LO(a) - LO(b), mode.clamp), fit_u(HI(a) - HI(b), mode.clamp));
}

P2I(v_pk_sub_i16, ENC(OP(GFX9, VOP3P, 0x03)))
{
    return PACK(fit_i(SLO(a) - SLO(b), mode.clamp), fit_i(SHI(a) - SHI(b), mode.clamp));
}

P2I(v_pk_mul_lo_u16, ENC(OP(GFX9, VOP3P, 0x01)))
{
    return PACK((uint32_t)LO(a) * LO(b), (uint32_t)HI(a) * HI(b));
}

static inline uint32_t mad_u(uint32_t a, uint32_t b, uint32_t c, bool clamp)
{
    uint32_t p = a * b, v = p + c; /* at most 0xfffe0001 + 0xffff: never wraps */
    return clamp && v > 0xffff ? 0xffff : v;
}

P3I(v_pk_mad_u16, ENC(OP(GFX9, VOP3P, 0x09)))
{
    return PACK(mad_u(LO(a), LO(b), LO(c), mode.clamp), mad_u(HI(a), HI(b), HI(c), mode.clamp));
}

P3I(v_pk_mad_i16, ENC(OP(GFX9, VOP3P, 0x00)))
{
    return PACK(fit_i(SLO(a) * SLO(b) + SLO(c), mode.clamp), fit_i(SHI(a) * SHI(b) + SHI(c), mode.clamp));
}

P2I(v_pk_min_i16, ENC(OP(GFX9, VOP3P, 0x08)))
{
    return PACK(SLO(a) < SLO(b) ? a : b, SHI(a) < SHI(b) ? SHI(a) : SHI(b));
}

P2I(v_pk_max_i16, ENC(OP(GFX9, VOP3P, 0x07)))
{
    return PACK(SLO(a) < SLO(b) ? b : a, SHI(a) < SHI(b) ? SHI(b) : SHI(a));
}

P2I(v_pk_min_u16, ENC(OP(GFX9, VOP3P, 0x0d)))
{
    return PACK(LO(a) < LO(b) ? a : b, HI(a) < HI(b) ? HI(a) : HI(b));
}

P2I(v_pk_max_u16, ENC(OP(GFX9, VOP3P, 0x0c)))
{
    return PACK(LO(a) < LO(b) ? b : a, HI(a) < HI(b) ? HI(b) : HI(a));
}

P2I(v_pk_lshlrev_b16, ENC(OP(GFX9, VOP3P, 0x04)))
{
    return PACK((uint32_t)LO(b) << (a & 15), (uint32_t)HI(b) << (a >> 16 & 15));
}

P2I(v_pk_lshrrev_b16, ENC(OP(GFX9, VOP3P, 0x05)))
{
    return PACK(LO(b) >> (a & 15), HI(b) >> (a >> 16 & 15));
}

P2I(v_pk_ashrrev_i16, ENC(OP(GFX9, VOP3P, 0x06)))
{
    return PACK(SLO(b) >> (a & 15), SHI(b) >> (a >> 16 & 15));
}

/* --- two 32-bit values in a register pair
 * ---------------------------------------------------------------------------------- */

#define F_LO(x)        as_f32((uint32_t)(x))
#define F_HI(x)        as_f32((uint32_t)((x) >> 32))
#define PACK_F32(l, h) (bits_f32(l) | (uint64_t)bits_f32(h) << 32)

enum pair_op { PAIR_ADD, PAIR_MUL, PAIR_FMA };

/* Both words of 32 pairs; false where one is no number. */
static inline __attribute__((always_inline)) bool pair_rows(enum pair_op op, uint32_t *d, const uint32_t *s0,
                                                            const uint32_t *s1, const uint32_t *s2)
{
    _Alignas(64) float r[64];
    uint32_t nan = 0;

    LANE_PRAGMA
    for (unsigned i = 0; i < 64; i++) {
        float a = as_f32(s0[i]), b = as_f32(s1[i]);
        r[i] = op == PAIR_ADD ? a + b : op == PAIR_MUL ? a * b : __builtin_fmaf(a, b, as_f32(s2[i]));
        nan |= r[i] != r[i] ? 1 : 0;
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    put_row32(d, r);
    put_row32(d + 32, r + 32);
    return true;
}

V2_ROWS(v_pk_add_f32, VALU, PF32, PF32, PF32, 0, pair_rows(PAIR_ADD, d, s0, s1, s1),
        ENC(OP(GFX90A, VOP3P, 0x32), OP(GFX12_5, VOP3P, 0x29)))
{
    return PACK_F32(add_f32(F_LO(a), F_LO(b)), add_f32(F_HI(a), F_HI(b)));
}

V2_ROWS(v_pk_mul_f32, VALU, PF32, PF32, PF32, 0, pair_rows(PAIR_MUL, d, s0, s1, s1),
        ENC(OP(GFX90A, VOP3P, 0x31), OP(GFX12_5, VOP3P, 0x28)))
{
    return PACK_F32(mul_f32(F_LO(a), F_LO(b)), mul_f32(F_HI(a), F_HI(b)));
}

V3_ROWS(v_pk_fma_f32, FMA32, PF32, PF32, PF32, PF32, 0, pair_rows(PAIR_FMA, d, s0, s1, s2),
        ENC(OP(GFX90A, VOP3P, 0x30), OP(GFX12_5, VOP3P, 0x1f)))
{
    return PACK_F32(fma_f32(F_LO(a), F_LO(b), F_LO(c)), fma_f32(F_HI(a), F_HI(b), F_HI(c)));
}

/* One word of each source: op_sel says which (CDNA3 ISA); fetch has put it in the low place. */
V2(v_pk_mov_b32, VALU, PB32, PB32, PB32, RF_BITWISE, ENC(OP(GFX90A, VOP3P, 0x33)))
{
    return (uint32_t)a | b << 32;
}

/* --- mixed precision: op_sel_hi makes a source a half
 * ------------------------------------------------------------------------ */

/* mixlo and mixhi round to f32 first, then to f16: two steps, as the pseudocode has them. */
V3(v_fma_mix_f32, FMA32, F32, MIX, MIX, MIX, 0, ENC(OP(GFX906, VOP3P, 0x20), OP(GFX10, VOP3P, 0x20)))
{
    return fma_f32(a, b, c);
}

/* r, which came of a, b and c, as a half. FP16_OVFL holds it at the largest number, also where an f32 could not hold
 * it. */
static inline half_t mixed_half(float r, float a, float b, float c, struct isa_mode mode)
{
    bool finite = isfinite(a) & isfinite(b) & isfinite(c), hold = mode.fp16_ovfl & finite;
    float held = isinf(r) ? __builtin_copysignf(65536.0f, r) : r;

    return half_from_f32(hold ? held : r, mode.round64, hold);
}

static inline bool mixed_rows(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2,
                              const struct isa_mode *mode)
{
    _Alignas(64) uint32_t r[32];

    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++)
        r[i] = bits_f32(__builtin_fmaf(as_f32(s0[i]), as_f32(s1[i]), as_f32(s2[i])));
    return half_rows_from_f32(d, r, mode);
}

V3_ROWS(v_fma_mixlo_f16, FMA32, F16, MIX, MIX, MIX, RF_D16_KEEP_HI, mixed_rows(d, s0, s1, s2, the_mode),
        ENC(OP(GFX906, VOP3P, 0x21), OP(GFX10, VOP3P, 0x21)))
{
    return mixed_half(fma_f32(a, b, c), a, b, c, mode);
}

V3_ROWS(v_fma_mixhi_f16, FMA32, F16, MIX, MIX, MIX, RF_D16_KEEP_HI | RF_D16_HI, mixed_rows(d, s0, s1, s2, the_mode),
        ENC(OP(GFX906, VOP3P, 0x22), OP(GFX10, VOP3P, 0x22)))
{
    return mixed_half(fma_f32(a, b, c), a, b, c, mode);
}

V3(v_mad_mix_f32, VALU, F32, MIX, MIX, MIX, RF_FLUSH,
   ENC(OP(GFX9, VOP3P, 0x20), GONE(GFX906, VOP3P), GONE(GFX10, VOP3P)))
{
    return add_f32(ftz32(mul_f32(a, b)), c);
}

V3(v_mad_mixlo_f16, VALU, F16, MIX, MIX, MIX, RF_FLUSH | RF_D16_KEEP_HI,
   ENC(OP(GFX9, VOP3P, 0x21), GONE(GFX906, VOP3P), GONE(GFX10, VOP3P)))
{
    return ftz16(mixed_half(add_f32(ftz32(mul_f32(a, b)), c), a, b, c, mode));
}

V3(v_mad_mixhi_f16, VALU, F16, MIX, MIX, MIX, RF_FLUSH | RF_D16_KEEP_HI | RF_D16_HI,
   ENC(OP(GFX9, VOP3P, 0x22), GONE(GFX906, VOP3P), GONE(GFX10, VOP3P)))
{
    return ftz16(mixed_half(add_f32(ftz32(mul_f32(a, b)), c), a, b, c, mode));
}
