/* Instructions that gfx1250 added, other than matrix ones: scalar, vector ALU, packed. Moves between lanes and
 * conversions have files of their own. The encodings are LLVM 22's, and so are the meanings as far as its intrinsics
 * and its compiler's use of them say (docs/SEMANTICS_NOTES.md, "gfx1250").
 */
#include <math.h>

#include "isa/lanes/fp8.h"
#include "isa/lanes/fp_half.h"
#include "isa/table/shapes.h"

#define ONE(FORMAT, OPCODE) ENC(OP(GFX12_5, FORMAT, OPCODE))

/* --- scalar ------------------------------------------------------------------------------------------------------- */

W(s_get_shader_cycles_u64, SALU, 0, 0, ARGS({SL_SDST, T_B64, A_WR | A_SGPR}), ONE(SOP1, 0x06))
{
    sput_code64(w, i->op[0].code, env->clock(env->ctx));
    return ISA_OK;
}

/* relative to the next instruction (LLVM 22 SIInstrInfo::insertIndirectBranch) */
W(s_add_pc_i64, BRANCH, RF_ENDS, IMP_W_PC, ARGS({SL_SRC0, T_I64, A_RD}), ONE(SOP1, 0x4b))
{
    w->pc = (w->pc + sget64(w, i, 0)) & ~UINT64_C(3);
    return ISA_OK;
}

/* --- 64-bit integers ---------------------------------------------------------------------------------------------- */

#define U64_2(NAME, OPCODE, RESULT)                                                                                    \
    V2(NAME, VALU64, U64, U64, U64, RF_NO_SDWA, ONE(VOP3, OPCODE))                                                     \
    {                                                                                                                  \
        return RESULT;                                                                                                 \
    }
#define I64_2(NAME, OPCODE, RESULT)                                                                                    \
    V2(NAME, VALU64, I64, I64, I64, RF_NO_SDWA, ONE(VOP3, OPCODE))                                                     \
    {                                                                                                                  \
        return RESULT;                                                                                                 \
    }
U64_2(v_min_u64, 0x318, a < b ? a : b)
U64_2(v_max_u64, 0x319, a > b ? a : b)
I64_2(v_min_i64, 0x31a, a < b ? a : b)
I64_2(v_max_i64, 0x31b, a > b ? a : b)

V2(v_mul_u64, VALU64, U64, U64, U64, RF_NO_SDWA | RF_NO_DPP, ONE(VOP2, 0x2a))
{
    return a * b;
}

V2(v_add_nc_u64, VALU64, U64, U64, U64, RF_NO_SDWA | RF_INT_CLAMP, ONE(VOP2, 0x28))
{
    return mode.clamp && a + b < a ? UINT64_MAX : a + b;
}

V2(v_sub_nc_u64, VALU64, U64, U64, U64, RF_NO_SDWA | RF_INT_CLAMP, ONE(VOP2, 0x29))
{
    return mode.clamp && a < b ? 0 : a - b;
}

V3(v_mad_nc_u64_u32, VALU_MAD64, U64, U32, U32, U64, RF_INT_CLAMP, ONE(VOP3, 0x2fa))
{
    uint64_t r = (uint64_t)a * b + c;

    return mode.clamp && r < c ? UINT64_MAX : r;
}

V3(v_mad_nc_i64_i32, VALU_MAD64, I64, I32, I32, I64, RF_INT_CLAMP, ONE(VOP3, 0x2fb))
{
    int64_t r;
    bool over = __builtin_add_overflow((int64_t)a * b, c, &r);

    return mode.clamp && over ? (c < 0 ? INT64_MIN : INT64_MAX) : r;
}

V2_K_MID(v_fmamk_f64, F64_MUL, F64, RF_NO_SDWA | RF_NO_DPP, ONE(VOP2, 0x23))
{
    return fma_f64(a, k, b);
}

V2_K_END(v_fmaak_f64, F64_MUL, F64, RF_NO_SDWA | RF_NO_DPP, ONE(VOP2, 0x24))
{
    return fma_f64(a, b, k);
}

/* --- 32-bit integers ---------------------------------------------------------------------------------------------- */

V3(v_mad_u32, VALU, U32, U32, U32, U32, RF_NO_DPP, ONE(VOP3, 0x235))
{
    return a * b + c;
}

/* The sums saturate whatever the bit for clamp says (LLVM's pull 164881). */
static inline int32_t sum_i32(int32_t a, int32_t b)
{
    int64_t r = (int64_t)a + b;

    return (int32_t)(r < INT32_MIN ? INT32_MIN : r > INT32_MAX ? INT32_MAX : r);
}

static inline uint32_t sum_u32(uint32_t a, uint32_t b)
{
    return a + b < a ? UINT32_MAX : a + b;
}

#define LOWER(a, b)  ((a) < (b) ? (a) : (b))
#define HIGHER(a, b) ((a) > (b) ? (a) : (b))

#define SUM_AND(NAME, T, OPCODE, CHOOSE, SUM)                                                                          \
    V3(NAME, VALU, T, T, T, T, RF_INT_CLAMP, ONE(VOP3, OPCODE))                                                        \
    {                                                                                                                  \
        return CHOOSE(SUM(a, b), c);                                                                                   \
    }
SUM_AND(v_add_max_i32, I32, 0x25e, HIGHER, sum_i32)
SUM_AND(v_add_max_u32, U32, 0x25f, HIGHER, sum_u32)
SUM_AND(v_add_min_i32, I32, 0x260, LOWER, sum_i32)
SUM_AND(v_add_min_u32, U32, 0x261, LOWER, sum_u32)

/* --- packed 16-bit integers --------------------------------------------------------------------------------------- */

#define LO(x)      ((uint16_t)(x))
#define HI(x)      ((uint16_t)((x) >> 16))
#define SLO(x)     ((int32_t)(int16_t)(x))
#define SHI(x)     ((int32_t)(x) >> 16)
#define PACK(l, h) ((uint32_t)(uint16_t)(l) | (uint32_t)(uint16_t)(h) << 16)

static inline int32_t sum_i16(int32_t a, int32_t b)
{
    int32_t r = a + b;

    return r < INT16_MIN ? INT16_MIN : r > INT16_MAX ? INT16_MAX : r;
}

static inline uint32_t sum_u16(uint32_t a, uint32_t b)
{
    return a + b > UINT16_MAX ? UINT16_MAX : a + b;
}

#define PACKED3(NAME, OPCODE, FLAGS, LOW, HIGH)                                                                        \
    V3(NAME, VALU, PB16, PB16, PB16, PB16, FLAGS, ONE(VOP3P, OPCODE))                                                  \
    {                                                                                                                  \
        return PACK(LOW, HIGH);                                                                                        \
    }
#define PACKED_SUM(NAME, OPCODE, CHOOSE, SUM, L, H)                                                                    \
    PACKED3(NAME, OPCODE, RF_INT_CLAMP | RF_NO_OMOD, CHOOSE(SUM(L(a), L(b)), L(c)), CHOOSE(SUM(H(a), H(b)), H(c)))
#define PACKED_OF3(NAME, OPCODE, CHOOSE, L, H)                                                                         \
    PACKED3(NAME, OPCODE, RF_INT_CLAMP | RF_NO_OMOD, CHOOSE(CHOOSE(L(a), L(b)), L(c)), CHOOSE(CHOOSE(H(a), H(b)), H(c)))
PACKED_SUM(v_pk_add_max_i16, 0x14, HIGHER, sum_i16, SLO, SHI)
PACKED_SUM(v_pk_add_max_u16, 0x15, HIGHER, sum_u16, LO, HI)
PACKED_SUM(v_pk_add_min_i16, 0x2d, LOWER, sum_i16, SLO, SHI)
PACKED_SUM(v_pk_add_min_u16, 0x2e, LOWER, sum_u16, LO, HI)
PACKED_OF3(v_pk_max3_i16, 0x2f, HIGHER, SLO, SHI)
PACKED_OF3(v_pk_max3_u16, 0x30, HIGHER, LO, HI)
PACKED_OF3(v_pk_min3_i16, 0x31, LOWER, SLO, SHI)
PACKED_OF3(v_pk_min3_u16, 0x32, LOWER, LO, HI)

/* --- packed 16-bit floats ----------------------------------------------------------------------------------------- */

V3(v_pk_min3_num_f16, VALU, PF16, PF16, PF16, PF16, 0, ONE(VOP3P, 0x38))
{
    half_t lo = MIN16_NUM(LO(a), LO(b)), hi = MIN16_NUM(HI(a), HI(b));

    return PACK(MIN16_NUM(lo, LO(c)), MIN16_NUM(hi, HI(c)));
}

V3(v_pk_max3_num_f16, VALU, PF16, PF16, PF16, PF16, 0, ONE(VOP3P, 0x39))
{
    half_t lo = MAX16_NUM(LO(a), LO(b)), hi = MAX16_NUM(HI(a), HI(b));

    return PACK(MAX16_NUM(lo, LO(c)), MAX16_NUM(hi, HI(c)));
}

/* A double cut to a float, denormal ones too, with the lowest bit set when anything was cut: rounding that to bf16
 * rounds once. */
static inline float cut_f32(double x)
{
    float r = (float)x;
    uint32_t u = bits_f32(r);

    if (x != x || (double)r == x || u << 1 == 0xff000000)
        return r;
    return as_f32((u - (fabs((double)r) > fabs(x))) | 1);
}

/* Rounded once to nearest, from the exact sum of an exact product, or as near as a double comes to it: that rounds to
 * odd where it is inexact, so that the second rounding is right. */
static inline uint16_t bf16_fma(uint16_t a, uint16_t b, uint16_t c)
{
    double x = bf16_to_f32(a), y = bf16_to_f32(b), z = bf16_to_f32(c), p = x * y, r = p + z;
    double back = r - p, error = (p - (r - back)) + (z - back);
    uint64_t bits = bits_f64(r);

    if ((error < 0.0 || error > 0.0) && !(bits & 1)) /* no number where something is infinite */
        r = as_f64((error > 0.0) == (r > 0.0) ? bits | 1 : bits - 1);
    return bf16_from_f32(nan3_f32(cut_f32(r), (float)x, (float)y, (float)z));
}

V3(v_pk_fma_bf16, VALU, PBF16, PBF16B, PBF16B, PBF16B, 0, ONE(VOP3P, 0x11))
{
    return PACK(bf16_fma(LO(a), LO(b), LO(c)), bf16_fma(HI(a), HI(b), HI(c)));
}

static inline uint16_t bf16_sum(uint16_t a, uint16_t b)
{
    return bf16_from_f32(add_f32(bf16_to_f32(a), bf16_to_f32(b)));
}

/* exact in f32 */
static inline uint16_t bf16_product(uint16_t a, uint16_t b)
{
    return bf16_from_f32(mul_f32(bf16_to_f32(a), bf16_to_f32(b)));
}

/* IEEE 754-2019 minimumNumber and maximumNumber: a NaN only of two, -0 below +0 */
static inline uint16_t bf16_lower(uint16_t a, uint16_t b)
{
    return bf16_from_f32(min_f32(bf16_to_f32(a), bf16_to_f32(b), false));
}

static inline uint16_t bf16_higher(uint16_t a, uint16_t b)
{
    return bf16_from_f32(max_f32(bf16_to_f32(a), bf16_to_f32(b), false));
}

#define PACKED_BF16(NAME, OPCODE, FN)                                                                                  \
    V2(NAME, VALU, PBF16, PBF16B, PBF16B, 0, ONE(VOP3P, OPCODE))                                                       \
    {                                                                                                                  \
        return PACK(FN(LO(a), LO(b)), FN(HI(a), HI(b)));                                                               \
    }
PACKED_BF16(v_pk_add_bf16, 0x23, bf16_sum)
PACKED_BF16(v_pk_mul_bf16, 0x2a, bf16_product)
PACKED_BF16(v_pk_min_num_bf16, 0x2b, bf16_lower)
PACKED_BF16(v_pk_max_num_bf16, 0x2c, bf16_higher)

/* Two steps, as v_fma_mixlo_f16: to f32, then to bf16. */
V3(v_fma_mix_f32_bf16, FMA32, F32, MIXB, MIXB, MIXB, 0, ONE(VOP3P, 0x3d))
{
    return fma_f32(a, b, c);
}

V3(v_fma_mixlo_bf16, FMA32, BF16, MIXB, MIXB, MIXB, RF_D16_KEEP_HI, ONE(VOP3P, 0x3e))
{
    return bf16_from_f32(fma_f32(a, b, c));
}

V3(v_fma_mixhi_bf16, FMA32, BF16, MIXB, MIXB, MIXB, RF_D16_KEEP_HI | RF_D16_HI, ONE(VOP3P, 0x3f))
{
    return bf16_from_f32(fma_f32(a, b, c));
}

/* --- transcendental ----------------------------------------------------------------------------------------------- */

V_F32_F32(v_tanh_f32, APPROX(TRANS, ISA_NO_BOUND), ONE(VOP1, 0x1e))
{
    return nan1_f32((float)tanh((double)a), a);
}

V1(v_tanh_f16, APPROX(TRANS, ISA_NO_BOUND), F16, F16, 0, ONE(VOP1, 0x1f))
{
    return special_f16(tanh((double)half_to_f32(a)), a, mode);
}

/* The nearest bf16 to what a double holds. */
static inline uint16_t bf16_of(double r, uint16_t a)
{
    return bf16_from_f32(nan1_f32(cut_f32(r), bf16_to_f32(a)));
}

/* Sine and cosine of revolutions, with the quarter turns taken off exactly. */
static inline double turn(double x, double ahead)
{
    double size = fabs(x), f = size - __builtin_floor(size) + ahead;

    f -= __builtin_floor(f);
    double g = f <= 0.25 ? f : f <= 0.75 ? 0.5 - f : f - 1.0, r = g == 0.0 ? 0.0 : sin(g * 6.283185307179586476925);
    return x < 0.0 && ahead == 0.0 ? -r : r;
}

#define TRANS_BF16(NAME, OPCODE, RESULT)                                                                               \
    V1(NAME, APPROX(TRANS, ISA_NO_BOUND), BF16, BF16, RF_NO_OMOD | RF_NO_CLAMP, ONE(VOP1, OPCODE))                     \
    {                                                                                                                  \
        double x = (double)bf16_to_f32(a);                                                                             \
        return bf16_of(RESULT, a);                                                                                     \
    }
TRANS_BF16(v_tanh_bf16, 0x4a, tanh(x))
TRANS_BF16(v_rcp_bf16, 0x79, 1.0 / x)
TRANS_BF16(v_sqrt_bf16, 0x7a, sqrt(x))
TRANS_BF16(v_rsq_bf16, 0x7b, 1.0 / sqrt(x))
TRANS_BF16(v_log_bf16, 0x7c, log2(x))
TRANS_BF16(v_exp_bf16, 0x7d, exp2(x))
TRANS_BF16(v_sin_bf16, 0x7e, x == 0.0 ? x : turn(x, 0.0))
TRANS_BF16(v_cos_bf16, 0x7f, turn(x, 0.25))

/* --- conversions -------------------------------------------------------------------------------------------------- */

/* Four bytes into four times four bits, held at the ends of their range. */
V1(v_sat_pk4_i4_i8, VALU, B16, B32, RF_D16_KEEP_HI, ONE(VOP1, 0x73))
{
    uint32_t r = 0;

    for (unsigned k = 0; k < 4; k++) {
        int32_t v = (int8_t)(a >> 8 * k);
        r |= ((uint32_t)(v < -8 ? -8 : v > 7 ? 7 : v) & 15) << 4 * k;
    }
    return (uint16_t)r;
}

V1(v_sat_pk4_u4_u8, VALU, B16, B32, RF_D16_KEEP_HI, ONE(VOP1, 0x74))
{
    uint32_t r = 0;

    for (unsigned k = 0; k < 4; k++) {
        uint32_t v = a >> 8 * k & 0xff;
        r |= (v > 15 ? 15 : v) << 4 * k;
    }
    return (uint16_t)r;
}

#define UNPACK_HALVES(NAME, OPCODE, FORMAT)                                                                            \
    V1(NAME, VALU, PF16, B16, RF_NO_OMOD | RF_NO_CLAMP, ONE(VOP1, OPCODE))                                             \
    {                                                                                                                  \
        uint32_t lo = half_from_f32(from_fp8(FORMAT, a & 0xff), 0, false);                                             \
        return lo | (uint32_t)half_from_f32(from_fp8(FORMAT, a >> 8), 0, false) << 16;                                 \
    }
UNPACK_HALVES(v_cvt_pk_f16_fp8, 0x75, fp8_ocp)
UNPACK_HALVES(v_cvt_pk_f16_bf8, 0x76, bf8_ocp)
