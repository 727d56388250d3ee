/* Vector ALU, 32-bit integers: moves, sums with and without carry, logic, shifts, bit fields.
 *
 * Three things are called v_add_u32: gfx8's writes a carry (elsewhere v_add_co_u32); gfx9's does not (v_add_nc_u32 from
 * gfx10 on). The row's name is the meaning, the mnemonic is the target's.
 */
#include "isa/lanes/fp.h"
#include "isa/table/shapes.h"

V1(v_mov_b32, VALU_DUAL, B32, B32, RF_BITWISE,
   ENC(OP(GFX8, VOP1, 0x01), OP(GFX11, VOPDX, 0x08), OP(GFX11, VOPDY, 0x08), OP(GFX12_5, VOPD3X, 0x08),
       OP(GFX12_5, VOPD3Y, 0x08)))
{
    return a;
}

V2_CI(v_cndmask_b32, VALU_DUAL, B32, B32, B32, RF_BITWISE,
      ENC(OP(GFX8, VOP2, 0x00), OP(GFX10, VOP2, 0x01), OP(GFX11, VOPDX, 0x09), OP(GFX11, VOPDY, 0x09),
          OP(GFX12_5, VOPD3X, 0x09), OP(GFX12_5, VOPD3Y, 0x09)))
{
    return ci ? b : a;
}

/* --- sums: clamp saturates -------------------------------------------------------------------------------------- */

V2(v_add_nc_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
   ENC(AS(GFX9, VOP2, 0x34, "v_add_u32"), OP(GFX10, VOP2, 0x25), OP(GFX11, VOPDY, 0x10), OP(GFX12_5, VOPD3X, 0x10),
       OP(GFX12_5, VOPD3Y, 0x10)))
{
    uint32_t r = a + b;
    return mode.clamp && r < a ? 0xffffffff : r;
}

V2(v_sub_nc_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
   ENC(AS(GFX9, VOP2, 0x35, "v_sub_u32"), OP(GFX10, VOP2, 0x26), OP(GFX12_5, VOPD3X, 0x14), OP(GFX12_5, VOPD3Y, 0x14),
       OP(GFX12_5, VOPDY, 0x14)))
{
    return mode.clamp && a < b ? 0 : a - b;
}

V2(v_subrev_nc_u32, VALU, U32, U32, U32, RF_INT_CLAMP, ENC(AS(GFX9, VOP2, 0x36, "v_subrev_u32"), OP(GFX10, VOP2, 0x27)))
{
    return mode.clamp && b < a ? 0 : b - a;
}

static inline int32_t saturated(uint32_t r, bool overflow, bool negative)
{
    return overflow ? (negative ? INT32_MIN : INT32_MAX) : (int32_t)r;
}

V2(v_add_nc_i32, VALU, I32, I32, I32, RF_INT_CLAMP,
   ENC(AS(GFX9, VOP3, 0x29c, "v_add_i32"), OP(GFX10, VOP3, 0x37f), OP(GFX11, VOP3, 0x326)))
{
    uint32_t r = (uint32_t)a + (uint32_t)b;
    bool over = (((uint32_t)a ^ r) & ((uint32_t)b ^ r)) >> 31;
    return saturated(r, mode.clamp && over, a < 0);
}

V2(v_sub_nc_i32, VALU, I32, I32, I32, RF_INT_CLAMP,
   ENC(AS(GFX9, VOP3, 0x29d, "v_sub_i32"), OP(GFX10, VOP3, 0x376), OP(GFX11, VOP3, 0x325)))
{
    uint32_t r = (uint32_t)a - (uint32_t)b;
    bool over = (((uint32_t)a ^ (uint32_t)b) & ((uint32_t)a ^ r)) >> 31;
    return saturated(r, mode.clamp && over, a < 0);
}

V2_CO(v_add_co_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
      ENC(AS(GFX8, VOP2, 0x19, "v_add_u32"), OP(GFX9, VOP2, 0x19), OP(GFX10, VOP3, 0x30f), OP(GFX11, VOP3, 0x300)))
{
    uint32_t r = a + b;

    *cout = r < a;
    return mode.clamp && *cout ? 0xffffffff : r;
}

V2_CO(v_sub_co_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
      ENC(AS(GFX8, VOP2, 0x1a, "v_sub_u32"), OP(GFX9, VOP2, 0x1a), OP(GFX10, VOP3, 0x310), OP(GFX11, VOP3, 0x301)))
{
    *cout = a < b;
    return mode.clamp && *cout ? 0 : a - b;
}

V2_CO(v_subrev_co_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
      ENC(AS(GFX8, VOP2, 0x1b, "v_subrev_u32"), OP(GFX9, VOP2, 0x1b), OP(GFX10, VOP3, 0x319), OP(GFX11, VOP3, 0x302)))
{
    *cout = b < a;
    return mode.clamp && *cout ? 0 : b - a;
}

V2_CIO(v_add_co_ci_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
       ENC(AS(GFX8, VOP2, 0x1c, "v_addc_u32"), AS(GFX9, VOP2, 0x1c, "v_addc_co_u32"), OP(GFX10, VOP2, 0x28),
           OP(GFX11, VOP2, 0x20)))
{
    uint32_t s = a + b, r = s + ci;

    *cout = (s < a) | (r < s);
    return mode.clamp && *cout ? 0xffffffff : r;
}

V2_CIO(v_sub_co_ci_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
       ENC(AS(GFX8, VOP2, 0x1d, "v_subb_u32"), AS(GFX9, VOP2, 0x1d, "v_subb_co_u32"), OP(GFX10, VOP2, 0x29),
           OP(GFX11, VOP2, 0x21)))
{
    *cout = (a < b) | ((a == b) & ci);
    return mode.clamp && *cout ? 0 : a - b - ci;
}

V2_CIO(v_subrev_co_ci_u32, VALU, U32, U32, U32, RF_INT_CLAMP,
       ENC(AS(GFX8, VOP2, 0x1e, "v_subbrev_u32"), AS(GFX9, VOP2, 0x1e, "v_subbrev_co_u32"), OP(GFX10, VOP2, 0x2a),
           OP(GFX11, VOP2, 0x22)))
{
    *cout = (b < a) | ((a == b) & ci);
    return mode.clamp && *cout ? 0 : b - a - ci;
}

V_U32_U32U32U32(v_add3_u32, VALU, ENC(OP(GFX9, VOP3, 0x1ff), OP(GFX10, VOP3, 0x36d), OP(GFX11, VOP3, 0x255)))
{
    return a + b + c;
}

V_U32_U32U32U32(v_lshl_add_u32, VALU, ENC(OP(GFX9, VOP3, 0x1fd), OP(GFX10, VOP3, 0x346), OP(GFX11, VOP3, 0x246)))
{
    return (a << (b & 31)) + c;
}

V_U32_U32U32U32(v_add_lshl_u32, VALU, ENC(OP(GFX9, VOP3, 0x1fe), OP(GFX10, VOP3, 0x347), OP(GFX11, VOP3, 0x247)))
{
    return (a + b) << (c & 31);
}

V_U32_U32U32U32(v_xad_u32, VALU, ENC(OP(GFX9, VOP3, 0x1f3), OP(GFX10, VOP3, 0x345), OP(GFX11, VOP3, 0x245)))
{
    return (a ^ b) + c;
}

/* --- logic ------------------------------------------------------------------------------------------------------ */

V2(v_and_b32, VALU, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX8, VOP2, 0x13), OP(GFX10, VOP2, 0x1b), OP(GFX11, VOPDY, 0x12), GONE(GFX12_5, VOPDY)))
{
    return a & b;
}

V2(v_or_b32, VALU, B32, B32, B32, RF_BITWISE, ENC(OP(GFX8, VOP2, 0x14), OP(GFX10, VOP2, 0x1c)))
{
    return a | b;
}

V2(v_xor_b32, VALU, B32, B32, B32, RF_BITWISE, ENC(OP(GFX8, VOP2, 0x15), OP(GFX10, VOP2, 0x1d)))
{
    return a ^ b;
}

V_B32_B32B32(v_xnor_b32, VALU, ENC(OP(GFX906, VOP2, 0x3d), OP(GFX10, VOP2, 0x1e)))
{
    return ~(a ^ b);
}

V1(v_not_b32, VALU, B32, B32, 0, ENC(OP(GFX8, VOP1, 0x2b), OP(GFX10, VOP1, 0x37)))
{
    return ~a;
}

V3(v_lshl_or_b32, VALU, B32, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX9, VOP3, 0x200), OP(GFX10, VOP3, 0x36f), OP(GFX11, VOP3, 0x256)))
{
    return a << (b & 31) | c;
}

V3(v_and_or_b32, VALU, B32, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX9, VOP3, 0x201), OP(GFX10, VOP3, 0x371), OP(GFX11, VOP3, 0x257)))
{
    return (a & b) | c;
}

V3(v_or3_b32, VALU, B32, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX9, VOP3, 0x202), OP(GFX10, VOP3, 0x372), OP(GFX11, VOP3, 0x258)))
{
    return a | b | c;
}

V_B32_B32B32B32(v_xor3_b32, VALU, ENC(OP(GFX10, VOP3, 0x178), OP(GFX11, VOP3, 0x240)))
{
    return a ^ b ^ c;
}

/* --- shifts: the amount is the first source ---------------------------------------------------------------------- */

V2(v_lshlrev_b32, VALU, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX8, VOP2, 0x12), OP(GFX10, VOP2, 0x1a), OP(GFX11, VOP2, 0x18), OP(GFX11, VOPDY, 0x11),
       OP(GFX12_5, VOPD3X, 0x11), OP(GFX12_5, VOPD3Y, 0x11)))
{
    return b << (a & 31);
}

V2(v_lshrrev_b32, VALU, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX8, VOP2, 0x10), OP(GFX10, VOP2, 0x16), OP(GFX11, VOP2, 0x19), OP(GFX12_5, VOPD3X, 0x15),
       OP(GFX12_5, VOPD3Y, 0x15), OP(GFX12_5, VOPDY, 0x15)))
{
    return b >> (a & 31);
}

V2(v_ashrrev_i32, VALU, I32, U32, I32, RF_BITWISE,
   ENC(OP(GFX8, VOP2, 0x11), OP(GFX10, VOP2, 0x18), OP(GFX11, VOP2, 0x1a), OP(GFX12_5, VOPD3X, 0x16),
       OP(GFX12_5, VOPD3Y, 0x16), OP(GFX12_5, VOPDY, 0x16)))
{
    return b >> (a & 31);
}

/* The dword of high:low from bit n on, n below 32. */
static inline uint32_t dword_from(uint32_t high, uint32_t low, uint32_t n)
{
    return low >> n | high << 1 << (31 - n);
}

V3_SHIFT16(v_alignbit_b32, VALU, B32, B32, B32, B32, RF_BITWISE | RF_QUIET_OP_SEL,
           ENC(OP(GFX8, VOP3, 0x1ce), OP(GFX10, VOP3, 0x14e), OP(GFX11, VOP3, 0x216)))
{
    return dword_from(a, b, c & 31);
}

V3_SHIFT16(v_alignbyte_b32, VALU, B32, B32, B32, B32, RF_BITWISE | RF_QUIET_OP_SEL,
           ENC(OP(GFX8, VOP3, 0x1cf), OP(GFX10, VOP3, 0x14f), OP(GFX11, VOP3, 0x217)))
{
    return dword_from(a, b, (c & 3) * 8);
}

/* --- bit fields -------------------------------------------------------------------------------------------------- */

V_U32_U32U32U32(v_bfe_u32, VALU, ENC(OP(GFX8, VOP3, 0x1c8), OP(GFX10, VOP3, 0x148), OP(GFX11, VOP3, 0x210)))
{
    return a >> (b & 31) & ((1u << (c & 31)) - 1);
}

V3(v_bfe_i32, VALU, I32, I32, U32, U32, 0, ENC(OP(GFX8, VOP3, 0x1c9), OP(GFX10, VOP3, 0x149), OP(GFX11, VOP3, 0x211)))
{
    uint32_t width = c & 31, field = (uint32_t)(a >> (b & 31)) & ((1u << width) - 1);
    uint32_t sign = width ? 1u << (width - 1) : 0;
    return (int32_t)((field ^ sign) - sign);
}

V3(v_bfi_b32, VALU, B32, B32, B32, B32, RF_BITWISE,
   ENC(OP(GFX8, VOP3, 0x1ca), OP(GFX10, VOP3, 0x14a), OP(GFX11, VOP3, 0x212)))
{
    return (a & b) | (~a & c);
}

V_B32_B32B32(v_bfm_b32, VALU, ENC(OP(GFX8, VOP3, 0x293), OP(GFX10, VOP3, 0x363), OP(GFX11, VOP3, 0x31d)))
{
    return ((1u << (a & 31)) - 1) << (b & 31);
}

V1(v_bfrev_b32, VALU, B32, B32, 0, ENC(OP(GFX8, VOP1, 0x2c), OP(GFX10, VOP1, 0x38)))
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
    return a >> 16 | a << 16;
}

V1(v_ffbh_u32, VALU, U32, U32, 0,
   ENC(OP(GFX8, VOP1, 0x2d), OP(GFX10, VOP1, 0x39), AS(GFX11, VOP1, 0x39, "v_clz_i32_u32")))
{
    return a ? (uint32_t)__builtin_clz(a | 1u) : 0xffffffff;
}

V1(v_ffbl_b32, VALU, U32, B32, 0,
   ENC(OP(GFX8, VOP1, 0x2e), OP(GFX10, VOP1, 0x3a), AS(GFX11, VOP1, 0x3a, "v_ctz_i32_b32")))
{
    return a ? (uint32_t)__builtin_ctz(a) : 0xffffffff;
}

/* the first bit, from the top, that differs from the sign */
V1(v_ffbh_i32, VALU, U32, I32, 0, ENC(OP(GFX8, VOP1, 0x2f), OP(GFX10, VOP1, 0x3b), AS(GFX11, VOP1, 0x3b, "v_cls_i32")))
{
    uint32_t differs = (uint32_t)(a ^ a >> 31);
    return differs ? (uint32_t)__builtin_clz(differs | 1u) : 0xffffffff;
}

static inline uint32_t ones(uint32_t v)
{
    v -= v >> 1 & 0x55555555;
    v = (v & 0x33333333) + (v >> 2 & 0x33333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f;
    return v * 0x01010101 >> 24;
}

V_U32_U32U32(v_bcnt_u32_b32, VALU, ENC(OP(GFX8, VOP3, 0x28b), OP(GFX10, VOP3, 0x364), OP(GFX11, VOP3, 0x31e)))
{
    return ones(a) + b;
}

/* counts the bits of a mask that belong to lanes below this one */
V2_LANE(v_mbcnt_lo_u32_b32, VALU, U32, B32, U32, RF_NO_SDWA,
        ENC(OP(GFX8, VOP3, 0x28c), OP(GFX10, VOP3, 0x365), OP(GFX11, VOP3, 0x31f)))
{
    uint32_t below = (1u << (lane & 31)) - 1;
    below = lane >= 32 ? 0xffffffff : below;
    return ones(a & below) + b;
}

V2_LANE(v_mbcnt_hi_u32_b32, VALU, U32, B32, U32, RF_NO_SDWA,
        ENC(OP(GFX8, VOP3, 0x28d), OP(GFX10, VOP3, 0x366), OP(GFX11, VOP3, 0x320)))
{
    uint32_t below = lane >= 32 ? (1u << (lane & 31)) - 1 : 0;
    return ones(a & below) + b;
}

/* selector bytes 0..7 pick bytes of {a, b}; 8..11 copies of the sign of a half; 12 zero; 13 and up ones */
static inline uint32_t permuted_byte(uint64_t data, uint32_t sel)
{
    uint32_t byte = (uint32_t)(data >> (sel & 7) * 8) & 0xff;
    uint32_t sign = data >> ((sel & 3) * 16 + 15) & 1 ? 0xff : 0;
    return sel >= 13 ? 0xff : sel == 12 ? 0 : sel >= 8 ? sign : byte;
}

/* The host's shuffles pick bytes within 16, and make zeros. For signs they pick the upper bytes of halves. */
static inline bool permute_rows(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2)
{
#if defined(__AVX2__)
    const __m256i word = _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0, 0x0c0c0c0c, 0x08080808, 0x04040404, 0);
    const __m256i three = _mm256_set1_epi8(3), seven = _mm256_set1_epi8(7), twelve = _mm256_set1_epi8(12);
    const __m256i one = _mm256_set1_epi8(1), thirteen = _mm256_set1_epi8(13);
    __m256i r[4];

    for (unsigned k = 0; k < 4; k++) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(s0 + 8 * k)),
                b = _mm256_loadu_si256((const __m256i *)(const void *)(s1 + 8 * k)),
                c = _mm256_loadu_si256((const __m256i *)(const void *)(s2 + 8 * k));
        __m256i zero = _mm256_cmpeq_epi8(c, twelve), plain = _mm256_cmpeq_epi8(_mm256_and_si256(c, seven), c);
        __m256i at = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(c, three), word), zero);
        __m256i of_a = _mm256_shuffle_epi8(a, at), of_b = _mm256_shuffle_epi8(b, at);
        r[k] = _mm256_blendv_epi8(of_b, of_a, _mm256_slli_epi16(c, 5)); /* bit 2 of a selector */
        __m256i done = _mm256_or_si256(zero, plain);
        if (_mm256_movemask_epi8(done) == -1)
            continue;
        at = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(_mm256_add_epi8(c, c), three), one), word);
        of_a = _mm256_shuffle_epi8(a, at), of_b = _mm256_shuffle_epi8(b, at);
        __m256i top = _mm256_blendv_epi8(of_b, of_a, _mm256_slli_epi16(c, 6)); /* bit 1: of a */
        __m256i signs = _mm256_cmpgt_epi8(_mm256_setzero_si256(), top);
        __m256i ones_from = _mm256_cmpeq_epi8(_mm256_max_epu8(c, thirteen), c);
        r[k] = _mm256_or_si256(_mm256_blendv_epi8(signs, r[k], done), ones_from);
    }
    for (unsigned k = 0; k < 4; k++)
        _mm256_storeu_si256((__m256i *)(void *)(d + 8 * k), r[k]);
    return true;
#else
    (void)d, (void)s0, (void)s1, (void)s2;
    return false;
#endif
}

V3_ROWS(v_perm_b32, VALU, B32, B32, B32, B32, RF_BITWISE, permute_rows(d, s0, s1, s2),
        ENC(OP(GFX8, VOP3, 0x1ed), OP(GFX10, VOP3, 0x344), OP(GFX11, VOP3, 0x244)))
{
    uint64_t data = (uint64_t)a << 32 | b;
    return permuted_byte(data, c & 0xff) | permuted_byte(data, c >> 8 & 0xff) << 8 |
           permuted_byte(data, c >> 16 & 0xff) << 16 | permuted_byte(data, c >> 24) << 24;
}
