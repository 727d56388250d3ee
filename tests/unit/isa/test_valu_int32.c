/* 32-bit integer vector ALU against bit-by-bit references of the manuals' pseudocode. */
#include "tests/unit/isa/lanes_check.h"

#define REF(NAME, EXPR)                                                                                                \
    static uint32_t NAME(uint32_t a, uint32_t b, uint32_t c)                                                           \
    {                                                                                                                  \
        (void)a, (void)b, (void)c;                                                                                     \
        return EXPR;                                                                                                   \
    }

static uint32_t field(uint32_t v, unsigned lo, unsigned n)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < n && lo + k < 32; k++)
        r |= (v >> (lo + k) & 1) << k;
    return r;
}

static int64_t s24(uint32_t v)
{
    return (int64_t)field(v, 0, 24) - (v >> 23 & 1 ? 1 << 24 : 0);
}

static uint32_t shl(uint32_t v, uint32_t n)
{
    for (n &= 31; n; n--)
        v += v;
    return v;
}

static uint32_t bfe_i(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t n = c & 31, v = field((uint32_t)((int64_t)(int32_t)a >> (b & 31)), 0, n);
    return n && v >> (n - 1) & 1 ? v - shl(1, n) : v;
}

static uint32_t reverse(uint32_t v)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k++)
        r |= (v >> k & 1) << (31 - k);
    return r;
}

static uint32_t from_top(uint32_t v)
{
    for (unsigned k = 0; k < 32; k++)
        if (v >> (31 - k) & 1)
            return k;
    return 0xffffffff;
}

static uint32_t from_bottom(uint32_t v)
{
    for (unsigned k = 0; k < 32; k++)
        if (v >> k & 1)
            return k;
    return 0xffffffff;
}

static uint32_t sign_run(uint32_t v)
{
    for (unsigned k = 1; k < 32; k++)
        if ((v >> (31 - k) & 1) != v >> 31)
            return k;
    return 0xffffffff;
}

static uint32_t count(uint32_t v)
{
    uint32_t r = 0;
    for (; v; v >>= 1)
        r += v & 1;
    return r;
}

static uint32_t perm_byte(uint32_t a, uint32_t b, uint32_t sel)
{
    uint8_t in[8];
    for (unsigned k = 0; k < 4; k++) {
        in[k] = (uint8_t)(b >> 8 * k);
        in[k + 4] = (uint8_t)(a >> 8 * k);
    }
    if (sel >= 13)
        return 0xff;
    if (sel == 12)
        return 0;
    if (sel >= 8)
        return in[(sel - 8) * 2 + 1] & 0x80 ? 0xff : 0;
    return in[sel];
}

static uint32_t perm(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++)
        r |= perm_byte(a, b, c >> 8 * k & 0xff) << 8 * k;
    return r;
}

static uint32_t sad(uint32_t a, uint32_t b, bool masked)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k += 8) {
        int x = a >> k & 0xff, y = b >> k & 0xff;
        r += masked && !y ? 0 : (uint32_t)abs(x - y);
    }
    return r;
}

static uint32_t lerp(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 32; k += 8)
        r |= ((a >> k & 0xff) + (b >> k & 0xff) + (c >> k & 1)) / 2 << k;
    return r;
}

static uint32_t med(int64_t a, int64_t b, int64_t c)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    return (uint32_t)(a + b + c - (low < c ? low : c) - (high < c ? c : high));
}

REF(r_add, a + b)
REF(r_sub, a - b)
REF(r_subrev, b - a)
REF(r_add3, a + b + c)
REF(r_lshl_add, shl(a, b) + c)
REF(r_add_lshl, shl(a + b, c))
REF(r_lshl_or, shl(a, b) | c)
REF(r_and_or, (a & b) | c)
REF(r_or3, a | b | c)
REF(r_xor3, a ^ b ^ c)
REF(r_xad, (a ^ b) + c)
REF(r_and, a &b)
REF(r_or, a | b)
REF(r_xor, a ^ b)
REF(r_xnor, ~(a ^ b))
REF(r_not, ~a)
REF(r_lshlrev, shl(b, a))
REF(r_lshrrev, field(b, a & 31, 32))
REF(r_ashrrev, (uint32_t)((int64_t)(int32_t)b >> (a & 31)))
REF(r_mul_lo, a *b)
REF(r_mul_hi_u, (uint32_t)((unsigned __int128)a *b >> 32))
REF(r_mul_hi_i, (uint32_t)((__int128)(int32_t)a *(int32_t)b >> 32))
REF(r_mul_u24, field(a, 0, 24) * field(b, 0, 24))
REF(r_mul_hi_u24, (uint32_t)((uint64_t)field(a, 0, 24) * field(b, 0, 24) >> 32))
REF(r_mul_i24, (uint32_t)(s24(a) * s24(b)))
REF(r_mul_hi_i24, (uint32_t)(s24(a) * s24(b) >> 32))
REF(r_mad_u24, field(a, 0, 24) * field(b, 0, 24) + c)
REF(r_mad_i24, (uint32_t)(s24(a) * s24(b)) + c)
REF(r_bfe_u, field(a, b & 31, c & 31))
REF(r_bfi, (a & b) | (~a & c))
REF(r_bfm, shl(shl(1, a) - 1, b))
REF(r_bfrev, reverse(a))
REF(r_clz, from_top(a))
REF(r_ctz, from_bottom(a))
REF(r_cls, sign_run(a))
REF(r_bcnt, count(a) + b)
REF(r_alignbit, (uint32_t)((((uint64_t)a << 32) + b) >> (c & 31)))
REF(r_alignbyte, (uint32_t)((((uint64_t)a << 32) + b) >> ((c & 3) * 8)))
REF(r_sad_u8, sad(a, b, false) + c)
REF(r_sad_hi_u8, (sad(a, b, false) << 16) + c)
REF(r_msad_u8, sad(a, b, true) + c)
REF(r_sad_u16,
    (uint32_t)abs((int)(a & 0xffff) - (int)(b & 0xffff)) + (uint32_t)abs((int)(a >> 16) - (int)(b >> 16)) + c)
REF(r_sad_u32, (uint32_t)llabs((int64_t)a - (int64_t)b) + c)
REF(r_min_u, a < b ? a : b)
REF(r_max_u, a < b ? b : a)
REF(r_min_i, (int32_t)a < (int32_t)b ? a : b)
REF(r_max_i, (int32_t)a < (int32_t)b ? b : a)
REF(r_min3_u, r_min_u(r_min_u(a, b, 0), c, 0))
REF(r_max3_u, r_max_u(r_max_u(a, b, 0), c, 0))
REF(r_min3_i, r_min_i(r_min_i(a, b, 0), c, 0))
REF(r_max3_i, r_max_i(r_max_i(a, b, 0), c, 0))
REF(r_med3_u, med(a, b, c))
REF(r_med3_i, med((int32_t)a, (int32_t)b, (int32_t)c))
REF(r_minmax_u, r_max_u(r_min_u(a, b, 0), c, 0))
REF(r_maxmin_u, r_min_u(r_max_u(a, b, 0), c, 0))
REF(r_minmax_i, r_max_i(r_min_i(a, b, 0), c, 0))
REF(r_maxmin_i, r_min_i(r_max_i(a, b, 0), c, 0))

static void sums(void **state)
{
    (void)state;
    check_ref(r_add, "gfx803", W(0x32000501) /* v_add_u32_e32 v0, vcc, v1, v2 */);
    check_ref(r_add, "gfx900", W(0x68000501) /* v_add_u32_e32 v0, v1, v2 */);
    check_ref(r_add, "gfx90a", W(0xd1340000, 0x00020501) /* v_add_u32_e64 v0, v1, v2 */);
    check_ref(r_add, "gfx90a", W(0xd1190400, 0x00020501) /* v_add_co_u32_e64 v0, s[4:5], v1, v2 */);
    check_ref(r_add, "gfx1201", W(0x4a000501) /* v_add_nc_u32_e32 v0, v1, v2 */);
    check_ref(r_add, "gfx1201", W(0xd7000400, 0x00020501) /* v_add_co_u32 v0, s4, v1, v2 */);
    check_ref(r_sub, "gfx803", W(0x34000501) /* v_sub_u32_e32 v0, vcc, v1, v2 */);
    check_ref(r_sub, "gfx90a", W(0x6a000501) /* v_sub_u32_e32 v0, v1, v2 */);
    check_ref(r_sub, "gfx1201", W(0xd5260000, 0x00020501) /* v_sub_nc_u32_e64 v0, v1, v2 */);
    check_ref(r_subrev, "gfx803", W(0xd11b0400, 0x00020501) /* v_subrev_u32_e64 v0, s[4:5], v1, v2 */);
    check_ref(r_subrev, "gfx90a", W(0x6c000501) /* v_subrev_u32_e32 v0, v1, v2 */);
    check_ref(r_subrev, "gfx1201", W(0x4e000501) /* v_subrev_nc_u32_e32 v0, v1, v2 */);
    check_ref(r_add, "gfx90a", W(0xd29c0000, 0x00020501) /* v_add_i32 v0, v1, v2 */);
    check_ref(r_sub, "gfx1030", W(0xd7760000, 0x00020501) /* v_sub_nc_i32 v0, v1, v2 */);
    check_ref(r_add3, "gfx90a", W(0xd1ff0000, 0x040e0501) /* v_add3_u32 v0, v1, v2, v3 */);
    check_ref(r_add3, "gfx1201", W(0xd6550000, 0x040e0501) /* v_add3_u32 v0, v1, v2, v3 */);
    check_ref(r_lshl_add, "gfx90a", W(0xd1fd0000, 0x040e0501) /* v_lshl_add_u32 v0, v1, v2, v3 */);
    check_ref(r_lshl_add, "gfx1201", W(0xd6460000, 0x040e0501) /* v_lshl_add_u32 v0, v1, v2, v3 */);
    check_ref(r_add_lshl, "gfx90a", W(0xd1fe0000, 0x040e0501) /* v_add_lshl_u32 v0, v1, v2, v3 */);
    check_ref(r_add_lshl, "gfx1201", W(0xd6470000, 0x040e0501) /* v_add_lshl_u32 v0, v1, v2, v3 */);
    check_ref(r_xad, "gfx1100", W(0xd6450000, 0x040e0501) /* v_xad_u32 v0, v1, v2, v3 */);
}

static void logic(void **state)
{
    (void)state;
    check_ref(r_and, "gfx803", W(0x26000501) /* v_and_b32_e32 v0, v1, v2 */);
    check_ref(r_and, "gfx1201", W(0xd51b0000, 0x00020501) /* v_and_b32_e64 v0, v1, v2 */);
    check_ref(r_or, "gfx90a", W(0x28000501) /* v_or_b32_e32 v0, v1, v2 */);
    check_ref(r_xor, "gfx1201", W(0x3a000501) /* v_xor_b32_e32 v0, v1, v2 */);
    check_ref(r_xnor, "gfx90a", W(0x7a000501) /* v_xnor_b32_e32 v0, v1, v2 */);
    check_ref(r_xnor, "gfx1201", W(0x3c000501) /* v_xnor_b32_e32 v0, v1, v2 */);
    check_ref(r_not, "gfx803", W(0x7e005701) /* v_not_b32_e32 v0, v1 */);
    check_ref(r_not, "gfx1201", W(0x7e006f01) /* v_not_b32_e32 v0, v1 */);
    check_ref(r_lshl_or, "gfx90a", W(0xd2000000, 0x040e0501) /* v_lshl_or_b32 v0, v1, v2, v3 */);
    check_ref(r_lshl_or, "gfx1201", W(0xd6560000, 0x040e0501) /* v_lshl_or_b32 v0, v1, v2, v3 */);
    check_ref(r_and_or, "gfx1201", W(0xd6570000, 0x040e0501) /* v_and_or_b32 v0, v1, v2, v3 */);
    check_ref(r_or3, "gfx900", W(0xd2020000, 0x040e0501) /* v_or3_b32 v0, v1, v2, v3 */);
    check_ref(r_xor3, "gfx1030", W(0xd5780000, 0x040e0501) /* v_xor3_b32 v0, v1, v2, v3 */);
    check_ref(r_lshlrev, "gfx803", W(0x24000501) /* v_lshlrev_b32_e32 v0, v1, v2 */);
    check_ref(r_lshlrev, "gfx1201", W(0xd5180000, 0x00020501) /* v_lshlrev_b32_e64 v0, v1, v2 */);
    check_ref(r_lshrrev, "gfx803", W(0x20000501) /* v_lshrrev_b32_e32 v0, v1, v2 */);
    check_ref(r_lshrrev, "gfx1201", W(0x32000501) /* v_lshrrev_b32_e32 v0, v1, v2 */);
    check_ref(r_ashrrev, "gfx803", W(0x22000501) /* v_ashrrev_i32_e32 v0, v1, v2 */);
    check_ref(r_ashrrev, "gfx1201", W(0x34000501) /* v_ashrrev_i32_e32 v0, v1, v2 */);
}

static void bit_fields(void **state)
{
    (void)state;
    check_ref(r_bfe_u, "gfx803", W(0xd1c80000, 0x040e0501) /* v_bfe_u32 v0, v1, v2, v3 */);
    check_ref(r_bfe_u, "gfx1201", W(0xd6100000, 0x040e0501) /* v_bfe_u32 v0, v1, v2, v3 */);
    check_ref(bfe_i, "gfx90a", W(0xd1c90000, 0x040e0501) /* v_bfe_i32 v0, v1, v2, v3 */);
    check_ref(bfe_i, "gfx1201", W(0xd6110000, 0x040e0501) /* v_bfe_i32 v0, v1, v2, v3 */);
    check_ref(r_bfi, "gfx803", W(0xd1ca0000, 0x040e0501) /* v_bfi_b32 v0, v1, v2, v3 */);
    check_ref(r_bfm, "gfx803", W(0xd2930000, 0x00020501) /* v_bfm_b32 v0, v1, v2 */);
    check_ref(r_bfm, "gfx1201", W(0xd71d0000, 0x00020501) /* v_bfm_b32 v0, v1, v2 */);
    check_ref(r_bfrev, "gfx803", W(0x7e005901) /* v_bfrev_b32_e32 v0, v1 */);
    check_ref(r_bfrev, "gfx1201", W(0x7e007101) /* v_bfrev_b32_e32 v0, v1 */);
    check_ref(r_clz, "gfx803", W(0x7e005b01) /* v_ffbh_u32_e32 v0, v1 */);
    check_ref(r_clz, "gfx1201", W(0x7e007301) /* v_clz_i32_u32_e32 v0, v1 */);
    check_ref(r_ctz, "gfx90a", W(0x7e005d01) /* v_ffbl_b32_e32 v0, v1 */);
    check_ref(r_ctz, "gfx1201", W(0x7e007501) /* v_ctz_i32_b32_e32 v0, v1 */);
    check_ref(r_cls, "gfx90a", W(0x7e005f01) /* v_ffbh_i32_e32 v0, v1 */);
    check_ref(r_cls, "gfx1201", W(0x7e007701) /* v_cls_i32_e32 v0, v1 */);
    check_ref(r_bcnt, "gfx803", W(0xd28b0000, 0x00020501) /* v_bcnt_u32_b32 v0, v1, v2 */);
    check_ref(r_bcnt, "gfx1201", W(0xd71e0000, 0x00020501) /* v_bcnt_u32_b32 v0, v1, v2 */);
    check_ref(r_alignbit, "gfx803", W(0xd1ce0000, 0x040e0501) /* v_alignbit_b32 v0, v1, v2, v3 */);
    check_ref(r_alignbyte, "gfx1201", W(0xd6170000, 0x040e0501) /* v_alignbyte_b32 v0, v1, v2, v3 */);
    check_ref(perm, "gfx803", W(0xd1ed0000, 0x040e0501) /* v_perm_b32 v0, v1, v2, v3 */);
    check_ref(perm, "gfx1201", W(0xd6440000, 0x040e0501) /* v_perm_b32 v0, v1, v2, v3 */);
    check_table(
        "gfx90a", W(0xd1ed0000, 0x040e0501) /* v_perm_b32 v0, v1, v2, v3 */,
        CASES({0x80c1a2f3, 0x7f80ff01, 0x00010203, 0x01ff807f}, {0x80c1a2f3, 0x7f80ff01, 0x04050607, 0xf3a2c180},
              {0x80c1a2f3, 0x7f80ff01, 0x08090a0b, 0xff00ffff}, {0x80c1a2f3, 0x7f80ff01, 0x0c0dff0c, 0x00ffff00}));
}

static void products(void **state)
{
    (void)state;
    check_ref(r_mul_lo, "gfx803", W(0xd2850000, 0x00020501) /* v_mul_lo_u32 v0, v1, v2 */);
    check_ref(r_mul_lo, "gfx1201", W(0xd72c0000, 0x00020501) /* v_mul_lo_u32 v0, v1, v2 */);
    check_ref(r_mul_hi_u, "gfx803", W(0xd2860000, 0x00020501) /* v_mul_hi_u32 v0, v1, v2 */);
    check_ref(r_mul_hi_u, "gfx1201", W(0xd72d0000, 0x00020501) /* v_mul_hi_u32 v0, v1, v2 */);
    check_ref(r_mul_hi_i, "gfx90a", W(0xd2870000, 0x00020501) /* v_mul_hi_i32 v0, v1, v2 */);
    check_ref(r_mul_u24, "gfx803", W(0x10000501) /* v_mul_u32_u24_e32 v0, v1, v2 */);
    check_ref(r_mul_u24, "gfx1201", W(0x16000501) /* v_mul_u32_u24_e32 v0, v1, v2 */);
    check_ref(r_mul_hi_u24, "gfx90a", W(0x12000501) /* v_mul_hi_u32_u24_e32 v0, v1, v2 */);
    check_ref(r_mul_i24, "gfx90a", W(0x0c000501) /* v_mul_i32_i24_e32 v0, v1, v2 */);
    check_ref(r_mul_hi_i24, "gfx1201", W(0x14000501) /* v_mul_hi_i32_i24_e32 v0, v1, v2 */);
    check_ref(r_mad_u24, "gfx803", W(0xd1c30000, 0x040e0501) /* v_mad_u32_u24 v0, v1, v2, v3 */);
    check_ref(r_mad_u24, "gfx1201", W(0xd60b0000, 0x040e0501) /* v_mad_u32_u24 v0, v1, v2, v3 */);
    check_ref(r_mad_i24, "gfx90a", W(0xd1c20000, 0x040e0501) /* v_mad_i32_i24 v0, v1, v2, v3 */);
    check_ref(r_sad_u8, "gfx803", W(0xd1d90000, 0x040e0501) /* v_sad_u8 v0, v1, v2, v3 */);
    check_ref(r_sad_hi_u8, "gfx1201", W(0xd6230000, 0x040e0501) /* v_sad_hi_u8 v0, v1, v2, v3 */);
    check_ref(r_msad_u8, "gfx90a", W(0xd1e40000, 0x040e0501) /* v_msad_u8 v0, v1, v2, v3 */);
    check_ref(r_sad_u16, "gfx90a", W(0xd1db0000, 0x040e0501) /* v_sad_u16 v0, v1, v2, v3 */);
    check_ref(r_sad_u32, "gfx1201", W(0xd6250000, 0x040e0501) /* v_sad_u32 v0, v1, v2, v3 */);
    check_ref(lerp, "gfx1201", W(0xd6150000, 0x040e0501) /* v_lerp_u8 v0, v1, v2, v3 */);
}

static void order(void **state)
{
    (void)state;
    check_ref(r_min_u, "gfx803", W(0x1c000501) /* v_min_u32_e32 v0, v1, v2 */);
    check_ref(r_max_u, "gfx1201", W(0x28000501) /* v_max_u32_e32 v0, v1, v2 */);
    check_ref(r_min_i, "gfx90a", W(0x18000501) /* v_min_i32_e32 v0, v1, v2 */);
    check_ref(r_max_i, "gfx1201", W(0x24000501) /* v_max_i32_e32 v0, v1, v2 */);
    check_ref(r_min3_u, "gfx803", W(0xd1d20000, 0x040e0501) /* v_min3_u32 v0, v1, v2, v3 */);
    check_ref(r_max3_u, "gfx1201", W(0xd61e0000, 0x040e0501) /* v_max3_u32 v0, v1, v2, v3 */);
    check_ref(r_min3_i, "gfx1201", W(0xd61a0000, 0x040e0501) /* v_min3_i32 v0, v1, v2, v3 */);
    check_ref(r_max3_i, "gfx803", W(0xd1d40000, 0x040e0501) /* v_max3_i32 v0, v1, v2, v3 */);
    check_ref(r_med3_u, "gfx90a", W(0xd1d80000, 0x040e0501) /* v_med3_u32 v0, v1, v2, v3 */);
    check_ref(r_med3_i, "gfx1201", W(0xd6200000, 0x040e0501) /* v_med3_i32 v0, v1, v2, v3 */);
    check_ref(r_minmax_u, "gfx1201", W(0xd6630000, 0x040e0501) /* v_minmax_u32 v0, v1, v2, v3 */);
    check_ref(r_maxmin_u, "gfx1100", W(0xd6620000, 0x040e0501) /* v_maxmin_u32 v0, v1, v2, v3 */);
    check_ref(r_minmax_i, "gfx1100", W(0xd6650000, 0x040e0501) /* v_minmax_i32 v0, v1, v2, v3 */);
    check_ref(r_maxmin_i, "gfx1201", W(0xd6640000, 0x040e0501) /* v_maxmin_i32 v0, v1, v2, v3 */);
}

static void clamp_saturates(void **state)
{
    (void)state;
    check_table("gfx90a", W(0xd1348000, 0x00020501) /* v_add_u32_e64 v0, v1, v2 clamp */,
                CASES({0xffffffff, 1, 0, 0xffffffff}, {0x80000000, 0x7fffffff, 0, 0xffffffff}, {1, 2, 0, 3}));
    check_table("gfx90a", W(0xd1358000, 0x00020501) /* v_sub_u32_e64 v0, v1, v2 clamp */,
                CASES({1, 2, 0, 0}, {5, 2, 0, 3}));
    check_table("gfx1030", W(0xd77f8000, 0x00020501) /* v_add_nc_i32 v0, v1, v2 clamp */,
                CASES({0x7fffffff, 1, 0, 0x7fffffff}, {0x80000000, 0xffffffff, 0, 0x80000000}, {5, 0xfffffffd, 0, 2}));
    check_table("gfx1030", W(0xd7768000, 0x00020501) /* v_sub_nc_i32 v0, v1, v2 clamp */,
                CASES({0x7fffffff, 0xffffffff, 0, 0x7fffffff}, {0x80000000, 1, 0, 0x80000000}));
    check_table("gfx803", W(0xd1c38000, 0x040e0501) /* v_mad_u32_u24 v0, v1, v2, v3 clamp */,
                CASES({0xffffff, 0xffffff, 0, 0xffffffff}, {2, 3, 4, 10}));
    check_table("gfx803", W(0xd1dc8000, 0x040e0501) /* v_sad_u32 v0, v1, v2, v3 clamp */,
                CASES({0xffffffff, 0, 1, 0xffffffff}, {3, 5, 1, 3}));
}

/* A carry chain: 64-bit sums and differences through VCC and through an SGPR pair. */
static void chain(const char *target, unsigned lanes, const uint32_t *words, unsigned n, bool add, unsigned mask_sgpr)
{
    struct rig r;
    uint32_t seed = 99;

    rig_open(&r, target, lanes);
    for (unsigned round = 0; round < 6; round++) {
        uint64_t exec = round ? next_random(&seed) | (uint64_t)next_random(&seed) << 32 : lane_mask(lanes), carries = 0;
        isa_set_exec(&r.w, exec);
        r.w.s[mask_sgpr] = r.w.s[mask_sgpr + 1] = 0xffffffff;
        for (unsigned l = 0; l < lanes; l++) {
            for (unsigned reg = 2; reg < 6; reg++)
                rig_v(&r, reg, l, operand(&seed));
            rig_v(&r, 0, l, 7);
            rig_v(&r, 1, l, 8);
        }
        rig_run(&r, words, n);
        for (unsigned l = 0; l < lanes; l++) {
            uint64_t x = rig_getv(&r, 2, l) | (uint64_t)rig_getv(&r, 3, l) << 32;
            uint64_t y = rig_getv(&r, 4, l) | (uint64_t)rig_getv(&r, 5, l) << 32;
            uint64_t want = add ? x + y : x - y, got = rig_getv(&r, 0, l) | (uint64_t)rig_getv(&r, 1, l) << 32;
            bool on = exec >> l & 1, carry = add ? want < x : x < y;
            assert_true(got == (on ? want : UINT64_C(0x800000007)));
            carries |= (uint64_t)(on && carry) << l;
        }
        uint64_t mask = r.w.s[mask_sgpr] | (lanes == 64 ? (uint64_t)r.w.s[mask_sgpr + 1] << 32 : 0);
        assert_true(mask == carries);
        if (lanes == 32)
            assert_int_equal(r.w.s[mask_sgpr + 1], 0xffffffff);
    }
    rig_close(&r);
}

static void carries(void **state)
{
    (void)state;
    struct {
        bool add;
        unsigned sgpr, lanes;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all[] = {
        {true, 106, 64, "gfx803",
         W(0x32000902, 0x38020b03) /* v_add_u32_e32 v0, vcc, v2, v4; v_addc_u32_e32 v1, vcc, v3, v5, vcc */},
        {true, 106, 64, "gfx90a",
         W(0x32000902, 0x38020b03) /* v_add_co_u32_e32 v0, vcc, v2, v4; v_addc_co_u32_e32 v1, vcc, v3, v5, vcc */},
        {true, 8, 64, "gfx90a",
         W(0xd1190800, 0x00020902, 0xd11c0801,
           0x00220b03) /* v_add_co_u32_e64 v0, s[8:9], v2, v4; v_addc_co_u32_e64 v1, s[8:9], v3, v5, s[8:9] */},
        {true, 106, 32, "gfx1201",
         W(0xd7006a00, 0x00020902,
           0x40020b03) /* v_add_co_u32 v0, vcc_lo, v2, v4; v_add_co_ci_u32_e32 v1, vcc_lo, v3, v5, vcc_lo */},
        {true, 8, 64, "gfx1201",
         W(0xd7000800, 0x00020902, 0xd5200801,
           0x00220b03) /* v_add_co_u32 v0, s[8:9], v2, v4; v_add_co_ci_u32_e64 v1, s[8:9], v3, v5, s[8:9] */},
        {false, 106, 64, "gfx803",
         W(0x34000902, 0x3a020b03) /* v_sub_u32_e32 v0, vcc, v2, v4; v_subb_u32_e32 v1, vcc, v3, v5, vcc */},
        {false, 106, 64, "gfx90a",
         W(0x36000504,
           0x3c020705) /* v_subrev_co_u32_e32 v0, vcc, v4, v2; v_subbrev_co_u32_e32 v1, vcc, v5, v3, vcc */},
        {false, 8, 32, "gfx1201",
         W(0xd7010800, 0x00020902, 0xd5210801,
           0x00220b03) /* v_sub_co_u32 v0, s8, v2, v4; v_sub_co_ci_u32_e64 v1, s8, v3, v5, s8 */},
        {false, 8, 32, "gfx1030",
         W(0xd7190800, 0x00020504, 0xd52a0801,
           0x00220705) /* v_subrev_co_u32 v0, s8, v4, v2; v_subrev_co_ci_u32_e64 v1, s8, v5, v3, s8 */},
    };
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++)
        chain(all[k].target, all[k].lanes, all[k].words, (unsigned)all[k].n, all[k].add, all[k].sgpr);
}

static void mad_64(const char *target, const uint32_t *words, unsigned n, bool is_signed)
{
    struct rig r;
    uint32_t seed = 4711;

    rig_open(&r, target, 64);
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned l = 0; l < 64; l++)
            for (unsigned reg = 1; reg < 8; reg++)
                rig_v(&r, reg, l, operand(&seed));
        uint64_t carries = 0;
        uint64_t want[64];
        for (unsigned l = 0; l < 64; l++) {
            uint32_t a = rig_getv(&r, 1, l), b = rig_getv(&r, 2, l);
            uint64_t c = rig_getv(&r, 4, l) | (uint64_t)rig_getv(&r, 5, l) << 32;
            unsigned __int128 wide = is_signed ? (unsigned __int128)((__int128)(int32_t)a * (int32_t)b + (int64_t)c)
                                               : (unsigned __int128)a * b + c;
            want[l] = (uint64_t)wide;
            carries |= (uint64_t)(wide >> 64 & 1) << l;
        }
        rig_run(&r, words, n);
        for (unsigned l = 0; l < 64; l++)
            assert_true((rig_getv(&r, 4, l) | (uint64_t)rig_getv(&r, 5, l) << 32) == want[l]);
        assert_int_equal(r.w.s[8], (uint32_t)carries);
        assert_int_equal(r.w.s[9], (uint32_t)(carries >> 32));
    }
    rig_close(&r);
}

static void wide_mad(void **state)
{
    (void)state;
    struct {
        bool is_signed;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all[] = {
        {false, "gfx90a", W(0xd1e80804, 0x04120501) /* v_mad_u64_u32 v[4:5], s[8:9], v1, v2, v[4:5] */},
        {true, "gfx90a", W(0xd1e90804, 0x04120501) /* v_mad_i64_i32 v[4:5], s[8:9], v1, v2, v[4:5] */},
        {false, "gfx1201", W(0xd6fe0804, 0x04120501) /* v_mad_co_u64_u32 v[4:5], s[8:9], v1, v2, v[4:5] */},
        {true, "gfx1100", W(0xd6ff0804, 0x04120501) /* v_mad_i64_i32 v[4:5], s[8:9], v1, v2, v[4:5] */},
    };
    for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++)
        mad_64(all[k].target, all[k].words, (unsigned)all[k].n, all[k].is_signed);
}

static void quad_sad(void **state)
{
    (void)state;
    struct rig r;
    struct {
        bool masked;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all[] = {{false, "gfx90a", W(0xd1e50006, 0x04120302) /* v_qsad_pk_u16_u8 v[6:7], v[2:3], v1, v[4:5] */},
               {true, "gfx90a", W(0xd1e60006, 0x04120302) /* v_mqsad_pk_u16_u8 v[6:7], v[2:3], v1, v[4:5] */}};
    for (unsigned t = 0; t < 2; t++) {
        uint32_t seed = 31;
        rig_open(&r, all[t].target, 64);
        for (unsigned l = 0; l < 64; l++)
            for (unsigned reg = 1; reg < 6; reg++)
                rig_v(&r, reg, l, operand(&seed) & 0x00ffffff);
        rig_run(&r, all[t].words, (unsigned)all[t].n);
        for (unsigned l = 0; l < 64; l++)
            for (unsigned k = 0; k < 4; k++) {
                uint64_t a = rig_getv(&r, 2, l) | (uint64_t)rig_getv(&r, 3, l) << 32;
                uint32_t c = rig_getv(&r, 4 + k / 2, l) >> 16 * (k % 2) & 0xffff;
                uint32_t want = (sad((uint32_t)(a >> 8 * k), rig_getv(&r, 1, l), all[t].masked) + c) & 0xffff;
                assert_int_equal(rig_getv(&r, 6 + k / 2, l) >> 16 * (k % 2) & 0xffff, want);
            }
        rig_close(&r);
    }
}

/* Lane numbers by counting: mbcnt_lo then mbcnt_hi over all ones. */
static void lane_numbers(void **state)
{
    (void)state;
    struct {
        unsigned lanes;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all[] = {
        {64, "gfx803",
         W(0xd28c0000, 0x00010002, 0xd28d0000,
           0x00020003) /* v_mbcnt_lo_u32_b32 v0, s2, 0; v_mbcnt_hi_u32_b32 v0, s3, v0 */},
        {64, "gfx90a",
         W(0xd28c0000, 0x00010002, 0xd28d0000,
           0x00020003) /* v_mbcnt_lo_u32_b32 v0, s2, 0; v_mbcnt_hi_u32_b32 v0, s3, v0 */},
        {32, "gfx1201",
         W(0xd71f0000, 0x00010002, 0xd7200000,
           0x00020003) /* v_mbcnt_lo_u32_b32 v0, s2, 0; v_mbcnt_hi_u32_b32 v0, s3, v0 */},
        {64, "gfx1201",
         W(0xd71f0000, 0x00010002, 0xd7200000,
           0x00020003) /* v_mbcnt_lo_u32_b32 v0, s2, 0; v_mbcnt_hi_u32_b32 v0, s3, v0 */},
    };
    for (unsigned t = 0; t < sizeof all / sizeof all[0]; t++) {
        struct rig r;
        rig_open(&r, all[t].target, all[t].lanes);
        for (unsigned round = 0; round < 2; round++) {
            r.w.s[2] = round ? 0xf0f0a001 : 0xffffffff;
            r.w.s[3] = round ? 0x80000103 : 0xffffffff;
            rig_run(&r, all[t].words, (unsigned)all[t].n);
            for (unsigned l = 0; l < all[t].lanes; l++) {
                uint64_t bits = r.w.s[2] | (uint64_t)r.w.s[3] << 32;
                uint32_t want = 0;
                for (unsigned k = 0; k < l; k++)
                    want += bits >> k & 1;
                assert_int_equal(rig_getv(&r, 0, l), want);
            }
        }
        rig_close(&r);
    }
}

static void select_by_mask(void **state)
{
    (void)state;
    struct {
        unsigned sgpr, lanes;
        const char *target;
        const uint32_t *words;
        size_t n;
    } all[] = {
        {106, 64, "gfx803", W(0x00000501) /* v_cndmask_b32_e32 v0, v1, v2, vcc */},
        {8, 64, "gfx90a", W(0xd1000000, 0x00220501) /* v_cndmask_b32_e64 v0, v1, v2, s[8:9] */},
        {106, 32, "gfx1201", W(0x02000501) /* v_cndmask_b32_e32 v0, v1, v2, vcc_lo */},
        {8, 32, "gfx1201", W(0xd5010000, 0x00220501) /* v_cndmask_b32_e64 v0, v1, v2, s8 */},
        {8, 64, "gfx1201", W(0xd5010000, 0x00220501) /* v_cndmask_b32_e64 v0, v1, v2, s[8:9] */},
    };
    for (unsigned t = 0; t < sizeof all / sizeof all[0]; t++) {
        struct rig r;
        rig_open(&r, all[t].target, all[t].lanes);
        r.w.s[all[t].sgpr] = 0x80f00f31;
        r.w.s[all[t].sgpr + 1] = 0x12345678;
        for (unsigned l = 0; l < all[t].lanes; l++) {
            rig_v(&r, 1, l, 100 + l);
            rig_v(&r, 2, l, 200 + l);
        }
        rig_run(&r, all[t].words, (unsigned)all[t].n);
        for (unsigned l = 0; l < all[t].lanes; l++)
            assert_int_equal(rig_getv(&r, 0, l), (UINT64_C(0x1234567880f00f31) >> l & 1 ? 200 : 100) + l);
        rig_close(&r);
    }
}

/* Both halves read before either writes; the Y half's opcodes beyond the X half's. */
static void dual_issue(void **state)
{
    (void)state;
    struct rig r;
    struct {
        const char *target;
        const uint32_t *words;
        size_t n;
    } swap = {"gfx1201", W(0xca100101, 0x00000100) /* v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0 */},
      sum = {"gfx1201", W(0xca200002, 0x04040287) /* v_dual_mov_b32 v4, s2 :: v_dual_add_nc_u32 v5, 7, v1 */},
      shift = {"gfx1100",
               W(0xca620300, 0x04040484) /* v_dual_cndmask_b32 v4, v0, v1 :: v_dual_lshlrev_b32 v5, 4, v2 */};

    rig_open(&r, swap.target, 32);
    isa_set_exec(&r.w, 0x0000fffe);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 0, l, 1000 + l);
        rig_v(&r, 1, l, 2000 + l);
    }
    rig_run(&r, swap.words, (unsigned)swap.n);
    assert_int_equal(rig_getv(&r, 0, 0), 1000);
    assert_int_equal(rig_getv(&r, 0, 1), 2001);
    assert_int_equal(rig_getv(&r, 1, 1), 1001);
    assert_int_equal(rig_getv(&r, 1, 16), 2016);
    r.w.s[2] = 77;
    rig_run(&r, sum.words, (unsigned)sum.n);
    assert_int_equal(rig_getv(&r, 4, 3), 77);
    assert_int_equal(rig_getv(&r, 5, 3), 1010);
    rig_close(&r);

    rig_open(&r, shift.target, 32);
    r.w.s[CODE_VCC_LO] = 1;
    rig_vall(&r, 0, 5);
    rig_vall(&r, 1, 6);
    rig_vall(&r, 2, 6);
    rig_run(&r, shift.words, (unsigned)shift.n);
    assert_int_equal(rig_getv(&r, 4, 0), 6);
    assert_int_equal(rig_getv(&r, 4, 1), 5);
    assert_int_equal(rig_getv(&r, 5, 1), 96);
    rig_close(&r);
}

/* clamp on products: saturation at the result's width; the carry of the 64-bit forms is as without it */
static void clamp_products(void **state)
{
    struct rig r;
    (void)state;
    static const uint32_t words[] = {
        0xd1e88004, 0x040a0300, /* v_mad_u64_u32 v[4:5], s[0:1], v0, v1, v[2:3] clamp */
        0xd1e98206, 0x040a0300, /* v_mad_i64_i32 v[6:7], s[2:3], v0, v1, v[2:3] clamp */
        0xd1088008, 0x00020300, /* v_mul_u32_u24_e64 v8, v0, v1 clamp */
        0xd1068009, 0x00020300, /* v_mul_i32_i24_e64 v9, v0, v1 clamp */
    };
    static const struct {
        uint32_t a, b;
        uint64_t c, mad_u, mad_i;
        uint32_t mul_u, mul_i;
    } v[] = {
        {3, 5, 7, 22, 22, 15, 15},
        {0xffffffff, 0xffffffff, UINT64_MAX, UINT64_MAX, 0, 0xffffffff, 1},
        {0x7fffffff, 2, INT64_MAX, 0x80000000fffffffd, INT64_MAX, 0x1fffffe, 0xfffffffe},
        {0x80000000, 2, (uint64_t)INT64_MIN, 0x8000000100000000, (uint64_t)INT64_MIN, 0, 0},
        {0x7fffff, 0x7fffff, 0, 0x3fffff000001, 0x3fffff000001, 0xffffffff, 0x7fffffff},
        {0x7fffff, 0x800000, 0, 0x3fffff800000, 0x3fffff800000, 0xffffffff, 0x80000000},
    };
    rig_open(&r, "gfx90a", 64);
    for (unsigned l = 0; l < sizeof v / sizeof v[0]; l++) {
        rig_v(&r, 0, l, v[l].a);
        rig_v(&r, 1, l, v[l].b);
        rig_v(&r, 2, l, (uint32_t)v[l].c);
        rig_v(&r, 3, l, (uint32_t)(v[l].c >> 32));
    }
    rig_run(&r, words, sizeof words / sizeof words[0]);
    for (unsigned l = 0; l < sizeof v / sizeof v[0]; l++) {
        assert_true((rig_getv(&r, 4, l) | (uint64_t)rig_getv(&r, 5, l) << 32) == v[l].mad_u);
        assert_true((rig_getv(&r, 6, l) | (uint64_t)rig_getv(&r, 7, l) << 32) == v[l].mad_i);
        assert_int_equal(rig_getv(&r, 8, l), v[l].mul_u);
        assert_int_equal(rig_getv(&r, 9, l), v[l].mul_i);
    }
    /* only the second sum left 64 bits */
    assert_int_equal(r.w.s[0] & 0x3f, 2);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),           cmocka_unit_test(logic),        cmocka_unit_test(bit_fields),
        cmocka_unit_test(products),       cmocka_unit_test(order),        cmocka_unit_test(clamp_saturates),
        cmocka_unit_test(clamp_products), cmocka_unit_test(carries),      cmocka_unit_test(wide_mad),
        cmocka_unit_test(quad_sad),       cmocka_unit_test(lane_numbers), cmocka_unit_test(select_by_mask),
        cmocka_unit_test(dual_issue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
