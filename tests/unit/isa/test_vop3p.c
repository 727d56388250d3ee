/* Packed, mixed-precision, dot-product and 16-bit integer instructions: references written from the manuals'
 * pseudocode, random operands with partial EXEC, tables for the modifiers.
 */
#include <math.h>

#include "tests/unit/isa/lanes_check.h"

#define OLD_HIGH     (OLD_V0 & 0xffff0000u)
#define MODE_DEFAULT (0xf0 | MODE_DX10_CLAMP | MODE_IEEE)

enum { H1 = 0x3c00, H2 = 0x4000, H3 = 0x4200, HHALF = 0x3800 };
#define PAIR(hi, lo) ((uint32_t)(hi) << 16 | (uint32_t)(lo))
#define HNEG(x)      ((x) | 0x8000)

static int32_t s16(uint32_t v)
{
    return (int16_t)v;
}

static uint32_t sat_u16(int64_t v)
{
    return v < 0 ? 0 : v > 65535 ? 65535 : (uint32_t)v;
}

static uint32_t sat_i16(int64_t v)
{
    return (uint16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
}

/* NAME of one half, and p_NAME of both */
#define HALVES(NAME, EXPR)                                                                                             \
    __attribute__((unused)) static uint32_t NAME(uint32_t a, uint32_t b, uint32_t c)                                   \
    {                                                                                                                  \
        a &= 0xffff, b &= 0xffff, c &= 0xffff;                                                                         \
        return (uint16_t)(EXPR);                                                                                       \
    }                                                                                                                  \
    __attribute__((unused)) static uint32_t p_##NAME(uint32_t a, uint32_t b, uint32_t c)                               \
    {                                                                                                                  \
        return PAIR(NAME(a >> 16, b >> 16, c >> 16), NAME(a, b, c));                                                   \
    }                                                                                                                  \
    __attribute__((unused)) static uint32_t k_##NAME(uint32_t a, uint32_t b, uint32_t c)                               \
    {                                                                                                                  \
        return OLD_HIGH | NAME(a, b, c);                                                                               \
    }

HALVES(add, a + b + (c & 0))
HALVES(sub, a - b + (c & 0))
HALVES(mul, a *b + (c & 0))
HALVES(mad, a *b + c)
HALVES(add_sat_u, sat_u16((int64_t)a + b + (c & 0)))
HALVES(sub_sat_u, sat_u16((int64_t)a - b + (c & 0)))
HALVES(add_sat_i, sat_i16((int64_t)s16(a) + s16(b) + (c & 0)))
HALVES(sub_sat_i, sat_i16((int64_t)s16(a) - s16(b) + (c & 0)))
HALVES(mad_sat_u, sat_u16((int64_t)a *b + c))
HALVES(mad_sat_i, sat_i16((int64_t)s16(a) * s16(b) + s16(c)))
HALVES(min_u, (a < b ? a : b) + (c & 0))
HALVES(max_u, (a < b ? b : a) + (c & 0))
HALVES(min_i, (s16(a) < s16(b) ? a : b) + (c & 0))
HALVES(max_i, (s16(a) < s16(b) ? b : a) + (c & 0))
HALVES(shl, (b << (a & 15)) + (c & 0))
HALVES(shr, (b >> (a & 15)) + (c & 0))
HALVES(sar, (uint32_t)(s16(b) >> (a & 15)) + (c & 0))

static uint32_t median(int32_t a, int32_t b, int32_t c)
{
    int32_t lo = a < b ? a : b, hi = a < b ? b : a;
    return (uint16_t)(c < lo ? lo : c > hi ? hi : c);
}

HALVES(med_u, median((int32_t)a, (int32_t)b, (int32_t)c))
HALVES(med_i, median(s16(a), s16(b), s16(c)))
HALVES(min3_i, (s16(min_i(a, b, 0)) < s16(c) ? min_i(a, b, 0) : c))
HALVES(max3_u, (max_u(a, b, 0) < c ? c : max_u(a, b, 0)))

static void int16_gfx8_gfx9(void **state)
{
    (void)state;
    check_ref(add, "gfx803", W(0x4c000501) /* v_add_u16_e32 v0, v1, v2 */);
    check_ref(sub, "gfx803", W(0x4e000501) /* v_sub_u16_e32 v0, v1, v2 */);
    check_ref(mul, "gfx803", W(0x52000501) /* v_mul_lo_u16_e32 v0, v1, v2 */);
    check_ref(mad, "gfx803", W(0xd1eb0000, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 */);
    check_ref(mad, "gfx803", W(0xd1ec0000, 0x040e0501) /* v_mad_i16 v0, v1, v2, v3 */);
    check_ref(add_sat_u, "gfx803", W(0xd1268000, 0x00020501) /* v_add_u16_e64 v0, v1, v2 clamp */);
    check_ref(sub_sat_u, "gfx803", W(0xd1278000, 0x00020501) /* v_sub_u16_e64 v0, v1, v2 clamp */);
    check_ref(mad_sat_u, "gfx803", W(0xd1eb8000, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 clamp */);
    check_ref(mad_sat_i, "gfx803", W(0xd1ec8000, 0x040e0501) /* v_mad_i16 v0, v1, v2, v3 clamp */);
    check_ref(min_u, "gfx803", W(0x62000501) /* v_min_u16_e32 v0, v1, v2 */);
    check_ref(max_u, "gfx803", W(0x5e000501) /* v_max_u16_e32 v0, v1, v2 */);
    check_ref(min_i, "gfx803", W(0x64000501) /* v_min_i16_e32 v0, v1, v2 */);
    check_ref(max_i, "gfx803", W(0x60000501) /* v_max_i16_e32 v0, v1, v2 */);
    check_ref(shl, "gfx803", W(0x54000501) /* v_lshlrev_b16_e32 v0, v1, v2 */);
    check_ref(shr, "gfx803", W(0x56000501) /* v_lshrrev_b16_e32 v0, v1, v2 */);
    check_ref(sar, "gfx803", W(0x58000501) /* v_ashrrev_i16_e32 v0, v1, v2 */);
    check_ref(mad, "gfx900", W(0xd1eb0000, 0x040e0501) /* v_mad_legacy_u16 v0, v1, v2, v3 */);
    check_ref(k_mad, "gfx900", W(0xd2040000, 0x040e0501) /* v_mad_u16 v0, v1, v2, v3 */);
    check_ref(k_mad, "gfx900", W(0xd2050000, 0x040e0501) /* v_mad_i16 v0, v1, v2, v3 */);
    check_ref(k_add_sat_i, "gfx900", W(0xd29e8000, 0x00020501) /* v_add_i16 v0, v1, v2 clamp */);
    check_ref(k_sub_sat_i, "gfx900", W(0xd29f8000, 0x00020501) /* v_sub_i16 v0, v1, v2 clamp */);
    check_ref(k_med_u, "gfx900", W(0xd1fc0000, 0x040e0501) /* v_med3_u16 v0, v1, v2, v3 */);
    check_ref(k_med_i, "gfx900", W(0xd1fb0000, 0x040e0501) /* v_med3_i16 v0, v1, v2, v3 */);
    check_ref(k_min3_i, "gfx900", W(0xd1f50000, 0x040e0501) /* v_min3_i16 v0, v1, v2, v3 */);
    check_ref(k_max3_u, "gfx900", W(0xd1f90000, 0x040e0501) /* v_max3_u16 v0, v1, v2, v3 */);
    check_table("gfx803", W(0x520004f9, 0x05010601) /* v_mul_lo_u16_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD
                                                       src0_sel:BYTE_1 src1_sel:WORD_1 */
                ,
                CASES({0x1234, 0x00050000, 0, 0x12 * 5}));
    check_table("gfx803", W(0x4e000285) /* v_sub_u16_e32 v0, 5, v1 */, CASES({7, 0, 0, 0xfffe}));
}

static uint32_t r_and(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return OLD_HIGH | (a & b & 0xffff);
}

static uint32_t r_xor(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return OLD_HIGH | ((a ^ b) & 0xffff);
}

static uint32_t add_op_sel(uint32_t a, uint32_t b, uint32_t c)
{
    return add(a >> 16, b, c) << 16 | (OLD_V0 & 0xffff);
}

static void int16_gfx10_on(void **state)
{
    (void)state;
    check_ref(k_add, "gfx1030", W(0xd7030000, 0x00020501) /* v_add_nc_u16 v0, v1, v2 */);
    check_ref(k_add, "gfx1201", W(0xd7030000, 0x00020501) /* v_add_nc_u16 v0, v1, v2 */);
    check_ref(k_sub, "gfx1201", W(0xd7040000, 0x00020501) /* v_sub_nc_u16 v0, v1, v2 */);
    check_ref(k_mul, "gfx1201", W(0xd7050000, 0x00020501) /* v_mul_lo_u16 v0, v1, v2 */);
    check_ref(k_add_sat_i, "gfx1201", W(0xd70d8000, 0x00020501) /* v_add_nc_i16 v0, v1, v2 clamp */);
    check_ref(add_op_sel, "gfx1201", W(0xd7034800, 0x00020501) /* v_add_nc_u16 v0, v1, v2 op_sel:[1,0,1] */);
    check_ref(k_shl, "gfx1201", W(0xd7380000, 0x00020501) /* v_lshlrev_b16 v0, v1, v2 */);
    check_ref(k_sar, "gfx1100", W(0xd73a0000, 0x00020501) /* v_ashrrev_i16 v0, v1, v2 */);
    check_ref(k_med_i, "gfx1201", W(0xd6500000, 0x040e0501) /* v_med3_i16 v0, v1, v2, v3 */);
    check_ref(k_min_u, "gfx1030", W(0xd70b0000, 0x00020501) /* v_min_u16 v0, v1, v2 */);
    check_ref(r_and, "gfx1201", W(0xd7620000, 0x00020501) /* v_and_b16 v0, v1, v2 */);
    check_ref(r_xor, "gfx1201", W(0xd7640000, 0x00020501) /* v_xor_b16 v0, v1, v2 */);
    check_table("gfx1201", W(0xd6590000, 0x040e0501) /* v_mad_u32_u16 v0, v1, v2, v3 */,
                CASES({0xabcdffff, 0x1234ffff, 1, 0xfffe0002}, {0xffff, 0xffff, 0xffffffff, 0xfffe0000}));
    check_table("gfx1201", W(0xd65a0800, 0x040e0501) /* v_mad_i32_i16 v0, v1, v2, v3 op_sel:[1,0,0,0] */,
                CASES({0xffff0007, 5, 10, 5}, {0x8000ffff, 0x8000, 0, 0x40000000}));
    check_table("gfx1201", W(0xd65a8000, 0x040e0501) /* v_mad_i32_i16 v0, v1, v2, v3 clamp */,
                CASES({0x8000, 0x8000, 0x7fffffff, 0x7fffffff}));
    check_table("gfx1201",
                W(0xd65d0000, 0x01aa0501, 0xd65d0000,
                  0x01fa0501) /* v_cndmask_b16 v0, v1, v2, vcc; v_cndmask_b16 v0, v1, v2, exec */,
                CASES({0xaaaa1111, 0xbbbb2222, 0, OLD_HIGH | 0x2222}));
}

static void packed_int(void **state)
{
    (void)state;
    check_ref(p_add, "gfx900", W(0xd38a4000, 0x18020501) /* v_pk_add_u16 v0, v1, v2 */);
    check_ref(p_sub, "gfx900", W(0xd38b4000, 0x18020501) /* v_pk_sub_u16 v0, v1, v2 */);
    check_ref(p_mul, "gfx900", W(0xd3814000, 0x18020501) /* v_pk_mul_lo_u16 v0, v1, v2 */);
    check_ref(p_mad, "gfx900", W(0xd3894000, 0x1c0e0501) /* v_pk_mad_u16 v0, v1, v2, v3 */);
    check_ref(p_mad, "gfx900", W(0xd3804000, 0x1c0e0501) /* v_pk_mad_i16 v0, v1, v2, v3 */);
    check_ref(p_add_sat_u, "gfx90a", W(0xd38ac000, 0x18020501) /* v_pk_add_u16 v0, v1, v2 clamp */);
    check_ref(p_sub_sat_u, "gfx90a", W(0xd38bc000, 0x18020501) /* v_pk_sub_u16 v0, v1, v2 clamp */);
    check_ref(p_add_sat_i, "gfx90a", W(0xd382c000, 0x18020501) /* v_pk_add_i16 v0, v1, v2 clamp */);
    check_ref(p_sub_sat_i, "gfx90a", W(0xd383c000, 0x18020501) /* v_pk_sub_i16 v0, v1, v2 clamp */);
    check_ref(p_mad_sat_u, "gfx1201", W(0xcc09c000, 0x1c0e0501) /* v_pk_mad_u16 v0, v1, v2, v3 clamp */);
    check_ref(p_mad_sat_i, "gfx1201", W(0xcc00c000, 0x1c0e0501) /* v_pk_mad_i16 v0, v1, v2, v3 clamp */);
    check_ref(p_min_u, "gfx1201", W(0xcc0d4000, 0x18020501) /* v_pk_min_u16 v0, v1, v2 */);
    check_ref(p_max_u, "gfx1201", W(0xcc0c4000, 0x18020501) /* v_pk_max_u16 v0, v1, v2 */);
    check_ref(p_min_i, "gfx1201", W(0xcc084000, 0x18020501) /* v_pk_min_i16 v0, v1, v2 */);
    check_ref(p_max_i, "gfx1201", W(0xcc074000, 0x18020501) /* v_pk_max_i16 v0, v1, v2 */);
    check_ref(p_shl, "gfx1201", W(0xcc044000, 0x18020501) /* v_pk_lshlrev_b16 v0, v1, v2 */);
    check_ref(p_shr, "gfx90a", W(0xd3854000, 0x18020501) /* v_pk_lshrrev_b16 v0, v1, v2 */);
    check_ref(p_sar, "gfx90a", W(0xd3864000, 0x18020501) /* v_pk_ashrrev_i16 v0, v1, v2 */);
    /* halves picked by op_sel (for the low result) and op_sel_hi (for the high one) */
    check_table("gfx900", W(0xd38b4800, 0x10020501) /* v_pk_sub_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] */,
                CASES({PAIR(50, 7), PAIR(2, 3), 0, PAIR(7 - 2, 50 - 3)}));
    check_table("gfx900", W(0xd38a4000, 0x08010701) /* v_pk_add_u16 v0, v1, 3 op_sel_hi:[1,0] */,
                CASES({PAIR(10, 20), 0, 0, PAIR(13, 23)}));
    check_table("gfx900", W(0xd38a4000, 0x18018301) /* v_pk_add_u16 v0, v1, -1 */,
                CASES({PAIR(10, 20), 0, 0, PAIR(9, 19)}));
}

static void packed_half(void **state)
{
    (void)state;
    check_table("gfx900", W(0xd38f4000, 0x18020501) /* v_pk_add_f16 v0, v1, v2 */,
                CASES({PAIR(H1, H2), PAIR(H2, HNEG(H1)), 0, PAIR(H3, H1)},
                      {PAIR(0x7c01, 0x7c00), PAIR(H1, 0xfc00), 0, PAIR(0x7e01, 0x7e00)}));
    check_table("gfx900", W(0xd38f4100, 0x58020501) /* v_pk_add_f16 v0, v1, v2 neg_lo:[0,1] neg_hi:[1,0] */,
                CASES({PAIR(H1, H3), PAIR(H3, H1), 0, PAIR(H2, H2)}));
    check_table("gfx900", W(0xd3905000, 0x00020501) /* v_pk_mul_f16 v0, v1, v2 op_sel:[0,1] op_sel_hi:[0,0] */,
                CASES({PAIR(H1, H2), PAIR(H3, H1), 0, PAIR(H2, 0x4600)}));
    check_table("gfx900", W(0xd390c000, 0x18020501) /* v_pk_mul_f16 v0, v1, v2 clamp */,
                CASES({PAIR(H1, HNEG(H2)), PAIR(H3, H1), 0, PAIR(H1, 0)}));
    check_table("gfx1201", W(0xcc0e4000, 0x1c0e0501) /* v_pk_fma_f16 v0, v1, v2, v3 */,
                CASES({PAIR(H1, H2), PAIR(H3, H2), PAIR(H1, HNEG(H1)), PAIR(0x4400, H3)}));
    check_table("gfx90a", W(0xd3914000, 0x18020501) /* v_pk_min_f16 v0, v1, v2 */,
                CASES({PAIR(H1, 0x7e00), PAIR(HNEG(H1), H2), 0, PAIR(HNEG(H1), H2)}));
    check_table("gfx1201", W(0xcc1c4000, 0x18020501) /* v_pk_max_num_f16 v0, v1, v2 */,
                CASES({PAIR(H1, 0x7e00), PAIR(HNEG(H1), H2), 0, PAIR(H1, H2)}));
    check_table("gfx1201", W(0xcc1e4000, 0x18020501) /* v_pk_maximum_f16 v0, v1, v2 */,
                CASES({PAIR(H1, 0x7e00), PAIR(HNEG(H1), H2), 0, PAIR(H1, 0x7e00)}));
    check_table("gfx1201", W(0xcc1d4000, 0x18020501) /* v_pk_minimum_f16 v0, v1, v2 */,
                CASES({PAIR(0x8000, H3), PAIR(0, H2), 0, PAIR(0x8000, H2)}));
    /* a half constant stands in the low half alone */
    check_table("gfx900", W(0xd38f4000, 0x1801e501) /* v_pk_add_f16 v0, v1, 1.0 */,
                CASES({PAIR(H1, H1), 0, 0, PAIR(H1, H2)}));
    check_table("gfx900", W(0xd38f4000, 0x0801e501) /* v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0] */,
                CASES({PAIR(H1, H1), 0, 0, PAIR(H2, H2)}));
    check_table_mode(0x30, "gfx900", W(0xd38f4000, 0x18020501) /* v_pk_add_f16 v0, v1, v2 */,
                     CASES({PAIR(1, H1), PAIR(1, 1), 0, PAIR(0, H1)}));
    check_table("gfx1030", W(0x78060501, 0x7e000303) /* v_pk_fmac_f16 v3, v1, v2; v_mov_b32_e32 v0, v3 */,
                CASES({PAIR(H1, H2), PAIR(H3, H2), PAIR(H1, HNEG(H1)), PAIR(0x4400, H3)}));
}

/* v[2:3] op v[4:5] (op v[6:7]) into v[0:1], as words low, high */
static void pair32(const char *target, const uint32_t *words, unsigned n, const uint32_t in[6], const uint32_t want[2])
{
    struct rig r;

    rig_open(&r, target, strcmp(target, "gfx1250") ? 64 : 32);
    isa_set_exec(&r.w, UINT64_C(0xf0f0f0f0f0f0f0f0) >> (64 - r.w.lanes));
    for (unsigned k = 0; k < 8; k++)
        rig_vall(&r, k, k < 2 ? OLD_V0 : in[k - 2]);
    r.w.s[4] = 0x40000000;
    r.w.s[5] = 0x40400000;
    rig_run(&r, words, n);
    for (unsigned l = 0; l < r.w.lanes; l++)
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(rig_getv(&r, k, l), l & 4 ? want[k] : OLD_V0);
    rig_close(&r);
}

static void packed_f32(void **state)
{
    enum { F1 = 0x3f800000, F2 = 0x40000000, F3 = 0x40400000, F4 = 0x40800000, F6 = 0x40c00000 };
    const uint32_t in[6] = {F1, F2, F3, F1, F1, F1};
    const uint32_t neg1 = 0xbf800000u;
    (void)state;
    pair32("gfx90a", W(0xd3b24000, 0x18020902) /* v_pk_add_f32 v[0:1], v[2:3], v[4:5] */, in, (uint32_t[]){F4, F3});
    pair32("gfx90a", W(0xd3b14000, 0x18020902) /* v_pk_mul_f32 v[0:1], v[2:3], v[4:5] */, in, (uint32_t[]){F3, F2});
    pair32("gfx90a", W(0xd3b04000, 0x1c1a0902) /* v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] */, in,
           (uint32_t[]){F4, F3});
    pair32("gfx90a", W(0xd3b14800, 0x08020902) /* v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[1,0] */,
           in, (uint32_t[]){F6, F6});
    pair32("gfx90a", W(0xd3b24100, 0x58020902) /* v_pk_add_f32 v[0:1], v[2:3], v[4:5] neg_lo:[0,1] neg_hi:[1,0] */, in,
           (uint32_t[]){0xc0000000, neg1});
    pair32("gfx90a", W(0xd3b14000, 0x18000902) /* v_pk_mul_f32 v[0:1], v[2:3], s[4:5] */, in, (uint32_t[]){F2, F6});
    pair32("gfx90a", W(0xd3b14000, 0x08000902) /* v_pk_mul_f32 v[0:1], v[2:3], s[4:5] op_sel_hi:[1,0] */, in,
           (uint32_t[]){F2, F4});
    /* an SGPR is one word on gfx1250 */
    pair32("gfx1250", W(0xcc280000, 0x1c000902) /* v_pk_mul_f32 v[0:1], v[2:3], s[4:5] */, in, (uint32_t[]){F2, F4});
    pair32("gfx1250", W(0xcc281000, 0x1c000902) /* v_pk_mul_f32 v[0:1], v[2:3], s[4:5] op_sel:[0,1] */, in,
           (uint32_t[]){F3, F6});
    /* one word of each source */
    pair32("gfx90a", W(0xd3b34000, 0x18020902) /* v_pk_mov_b32 v[0:1], v[2:3], v[4:5] */, in, (uint32_t[]){F1, F3});
    pair32("gfx90a", W(0xd3b35000, 0x18020902) /* v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[0,1] */, in,
           (uint32_t[]){F1, F1});
    pair32("gfx90a", W(0xd3b34800, 0x18020502) /* v_pk_mov_b32 v[0:1], v[2:3], v[2:3] op_sel:[1,0] */, in,
           (uint32_t[]){F2, F1});
    pair32("gfx90a", W(0xd3b35000, 0x18000804) /* v_pk_mov_b32 v[0:1], s[4:5], s[4:5] op_sel:[0,1] */, in,
           (uint32_t[]){F2, F3});
}

static void mixed(void **state)
{
    const uint32_t f3 = 0x40400000;
    (void)state;
    /* 2.0h (high half of v1) * 3.0f + 1.0h */
    check_table("gfx906", W(0xd3a04800, 0x0c0e0501) /* v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,1] */,
                CASES({PAIR(H2, 0x7e00), f3, H1, 0x40e00000}));
    check_table("gfx90a", W(0xd3a00000, 0x040e0501) /* v_fma_mix_f32 v0, v1, v2, v3 */,
                CASES({0x40000000, f3, 0x3f800000, 0x40e00000}));
    check_table("gfx90a", W(0xd3a00200, 0x3c0e0501) /* v_fma_mix_f32 v0, -v1, |v2|, v3 op_sel_hi:[1,1,0] */,
                CASES({H2, HNEG(H3), 0x3f800000, 0xc0a00000}));
    check_table("gfx90a", W(0xd3a04000, 0x1c0e0501) /* v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,1,1] */,
                CASES({1, 0x3c00, 0, 0x33800000}, {0x7c00, H1, 0, 0x7f800000}));
    check_table("gfx90a", W(0xd3a08000, 0x040e0501) /* v_fma_mix_f32 v0, v1, v2, v3 clamp */,
                CASES({0x40000000, f3, 0x3f800000, 0x3f800000}));
    check_table("gfx90a", W(0xd3a10000, 0x0a020501) /* v_fma_mixlo_f16 v0, v1, v2, 0 op_sel_hi:[1,0,0] */,
                CASES({H2, f3, 0, OLD_HIGH | 0x4600}));
    check_table("gfx1201", W(0xcc214000, 0x1c0e0501) /* v_fma_mixlo_f16 v0, v1, v2, v3 op_sel_hi:[1,1,1] */,
                CASES({H2, H3, H1, OLD_HIGH | 0x4700}));
    check_table("gfx1201", W(0xcc224000, 0x1c0e0501) /* v_fma_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,1,1] */,
                CASES({H2, H3, H1, 0x47001234}));
    check_table("gfx906", W(0xd3a20000, 0x040e0501) /* v_fma_mixhi_f16 v0, v1, v2, v3 */,
                CASES({0x40000000, f3, 0x3f800000, 0x47001234}));
    check_table("gfx906", W(0xd3a28000, 0x040e0501) /* v_fma_mixhi_f16 v0, v1, v2, v3 clamp */,
                CASES({0x40000000, f3, 0x3f800000, 0x3c001234}));
    check_table("gfx900", W(0xd3a00000, 0x0c0e0501) /* v_mad_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0] */,
                CASES({H2, f3, 0x3f800000, 0x40e00000}));
    check_table("gfx900", W(0xd3a24000, 0x1c0e0501) /* v_mad_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,1,1] */,
                CASES({H2, H3, H1, 0x47001234}));
}

static int64_t field(uint32_t v, unsigned k, unsigned bits, bool sign)
{
    uint32_t f = v >> (k * bits) & ((1u << bits) - 1);
    return sign && f >> (bits - 1) ? (int64_t)f - (1 << bits) : (int64_t)f;
}

static int64_t dot(uint32_t a, uint32_t b, unsigned bits, bool sa, bool sb)
{
    int64_t sum = 0;
    for (unsigned k = 0; k < 32 / bits; k++)
        sum += field(a, k, bits, sa) * field(b, k, bits, sb);
    return sum;
}

static uint32_t sat_i32(int64_t v)
{
    return (uint32_t)(int32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

static uint32_t sat_u32(int64_t v)
{
    return v > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

#define DOT(NAME, EXPR)                                                                                                \
    __attribute__((unused)) static uint32_t NAME(uint32_t a, uint32_t b, uint32_t c)                                   \
    {                                                                                                                  \
        return (uint32_t)(EXPR);                                                                                       \
    }
DOT(d2i, dot(a, b, 16, true, true) + (int32_t)c)
DOT(d2u, dot(a, b, 16, false, false) + c)
DOT(d4i, dot(a, b, 8, true, true) + (int32_t)c)
DOT(d4u, dot(a, b, 8, false, false) + c)
DOT(d8i, dot(a, b, 4, true, true) + (int32_t)c)
DOT(d8u, dot(a, b, 4, false, false) + c)
DOT(d2i_sat, sat_i32(dot(a, b, 16, true, true) + (int32_t)c))
DOT(d2u_sat, sat_u32(dot(a, b, 16, false, false) + c))
DOT(d4i_sat, sat_i32(dot(a, b, 8, true, true) + (int32_t)c))
DOT(d4su, dot(a, b, 8, true, false) + (int32_t)c)
DOT(d4us_sat, sat_i32(dot(a, b, 8, false, true) + (int32_t)c))
DOT(d8us, dot(a, b, 4, false, true) + (int32_t)c)
DOT(d4c, dot(a, b, 8, true, true) + (int32_t)OLD_V0 + (c & 0))
DOT(d8c, dot(a, b, 4, true, true) + (int32_t)OLD_V0 + (c & 0))
DOT(d2c, dot(a, b, 16, true, true) + (int32_t)OLD_V0 + (c & 0))

static void dot_int(void **state)
{
    (void)state;
    check_ref(d2i, "gfx906", W(0xd3a64000, 0x1c0e0501) /* v_dot2_i32_i16 v0, v1, v2, v3 */);
    check_ref(d2u, "gfx906", W(0xd3a74000, 0x1c0e0501) /* v_dot2_u32_u16 v0, v1, v2, v3 */);
    check_ref(d4i, "gfx906", W(0xd3a84000, 0x1c0e0501) /* v_dot4_i32_i8 v0, v1, v2, v3 */);
    check_ref(d4u, "gfx906", W(0xd3a94000, 0x1c0e0501) /* v_dot4_u32_u8 v0, v1, v2, v3 */);
    check_ref(d8i, "gfx90a", W(0xd3aa4000, 0x1c0e0501) /* v_dot8_i32_i4 v0, v1, v2, v3 */);
    check_ref(d8u, "gfx1201", W(0xcc194000, 0x1c0e0501) /* v_dot8_u32_u4 v0, v1, v2, v3 */);
    check_ref(d4u, "gfx1201", W(0xcc174000, 0x1c0e0501) /* v_dot4_u32_u8 v0, v1, v2, v3 */);
    check_ref(d2i_sat, "gfx906", W(0xd3a6c000, 0x1c0e0501) /* v_dot2_i32_i16 v0, v1, v2, v3 clamp */);
    check_ref(d2u_sat, "gfx906", W(0xd3a7c000, 0x1c0e0501) /* v_dot2_u32_u16 v0, v1, v2, v3 clamp */);
    check_ref(d4i_sat, "gfx906", W(0xd3a8c000, 0x1c0e0501) /* v_dot4_i32_i8 v0, v1, v2, v3 clamp */);
    check_ref(d4u, "gfx1201", W(0xcc164000, 0x1c0e0501) /* v_dot4_i32_iu8 v0, v1, v2, v3 */);
    check_ref(d4i, "gfx1201", W(0xcc164000, 0x7c0e0501) /* v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,1,0] */);
    check_ref(d4su, "gfx1100", W(0xcc164000, 0x3c0e0501) /* v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,0,0] */);
    check_ref(d4us_sat, "gfx1100", W(0xcc16c000, 0x5c0e0501) /* v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[0,1,0] clamp */);
    check_ref(d8us, "gfx1100", W(0xcc184000, 0x5c0e0501) /* v_dot8_i32_iu4 v0, v1, v2, v3 neg_lo:[0,1,0] */);
    check_ref(d4c, "gfx908", W(0x72000501) /* v_dot4c_i32_i8_e32 v0, v1, v2 */);
    check_ref(d4c, "gfx1030", W(0x1a000501) /* v_dot4c_i32_i8 v0, v1, v2 */);
    check_ref(d8c, "gfx90a", W(0x74000501) /* v_dot8c_i32_i4_e32 v0, v1, v2 */);
    check_ref(d2c, "gfx90a", W(0x70000501) /* v_dot2c_i32_i16_e32 v0, v1, v2 */);
}

/* denormal halves and normal ones; a denormal addend; a denormal result */
#define FLUSHED                                                                                                        \
    CASES({PAIR(0x3ff, H1), PAIR(H1, H2), 0x3f800000, 0x40400000}, {PAIR(H1, 0x83ff), PAIR(H1, H2), 0, 0x3f800000},    \
          {PAIR(0, 0), PAIR(0, 0), 0x007fffff, 0})
#define NOT_FLUSHED                                                                                                    \
    CASES({PAIR(0x200, H1), PAIR(H1, H2), 0, 0x40000080}, {PAIR(0, 0x200), PAIR(0, H1), 0, 0x38000000},                \
          {PAIR(0, 0), PAIR(0, 0), 0x007fffff, 0x007fffff})
#define CUT_OFF                                                                                                        \
    CASES({PAIR(0x3c40, 0), PAIR(0x3f80, 0), 0x3f80, OLD_HIGH | 0x3f81},                                               \
          {PAIR(0x3bc0, 0x3bc0), PAIR(0x3f80, 0x3f80), 0x3f80, OLD_HIGH | 0x3f81},                                     \
          {PAIR(0x7f00, 0), PAIR(0x3fff, 0), 0x7b00, OLD_HIGH | 0x7f7f},                                               \
          {PAIR(0x7f81, 0), PAIR(0x3f80, 0), 0, OLD_HIGH | 0x7fc1})

static void dot_float(void **state)
{
    const uint32_t f1 = 0x3f800000, f9 = 0x41100000;
    (void)state;
    check_table("gfx906", W(0xd3a34000, 0x1c0e0501) /* v_dot2_f32_f16 v0, v1, v2, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, f9}, {PAIR(0, 1), PAIR(0, H1), 0, 0x33800000}));
    check_table("gfx1201", W(0xcc134000, 0x1c0e0501) /* v_dot2_f32_f16 v0, v1, v2, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, f9}));
    check_table("gfx1201", W(0xcc134100, 0x3c0e0501) /* v_dot2_f32_f16 v0, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[1,0,0] */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, 0xc0e00000}));
    check_table("gfx1100", W(0xcc1a4000, 0x1c0e0501) /* v_dot2_f32_bf16 v0, v1, v2, v3 */,
                CASES({PAIR(0x3f80, 0x4000), PAIR(0x4000, 0x4040), f1, f9}));
    check_table("gfx90a", W(0x6e060501, 0x7e000303) /* v_dot2c_f32_f16_e32 v3, v1, v2; v_mov_b32_e32 v0, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, f9}));
    /* gfx90a flushes in every mode: denormal halves, and floats in and out */
    check_table("gfx90a", W(0x6e060501, 0x7e000303) /* v_dot2c_f32_f16_e32 v3, v1, v2; v_mov_b32_e32 v0, v3 */,
                FLUSHED);
    check_table("gfx90a", W(0xd1370003, 0x00020501, 0x7e000303) /* v_dot2c_f32_f16_e64 v3, v1, v2 */, FLUSHED);
    check_table("gfx90a", W(0x6e0604fa, 0xff00e401, 0x7e000303) /* ..._dpp v3, v1, v2 quad_perm:[0,1,2,3] */, FLUSHED);
    check_table("gfx90a", W(0xd3a34000, 0x1c0e0501) /* v_dot2_f32_f16 v0, v1, v2, v3 */, FLUSHED);
    check_table("gfx908", W(0x6e060501, 0x7e000303) /* v_dot2c_f32_f16_e32 */, NOT_FLUSHED);
    check_table("gfx942", W(0x6e060501, 0x7e000303) /* v_dot2c_f32_f16_e32 */, NOT_FLUSHED);
    check_table("gfx942", W(0xd3a34000, 0x1c0e0501) /* v_dot2_f32_f16 v0, v1, v2, v3 */, NOT_FLUSHED);
    check_table("gfx1100", W(0x04060501, 0x7e000303) /* v_dot2acc_f32_f16 v3, v1, v2; v_mov_b32_e32 v0, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, f9}));
    check_table("gfx1100",
                W(0xcb100501, 0x03040106,
                  0x7e000303) /* v_dual_dot2acc_f32_f16 v3, v1, v2 :: v_dual_mov_b32 v4, v6; v_mov_b32_e32 v0, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), f1, f9}));
    check_table("gfx1100", W(0xd6660000, 0x040e0501) /* v_dot2_f16_f16 v0, v1, v2, v3 */,
                CASES({PAIR(H1, H2), PAIR(H2, H3), H1, OLD_HIGH | 0x4880}));
    check_table("gfx1100", W(0xd6670000, 0x040e0501) /* v_dot2_bf16_bf16 v0, v1, v2, v3 */,
                CASES({PAIR(0x3f80, 0x4000), PAIR(0x4000, 0x4040), 0x3f80, OLD_HIGH | 0x4110}));
    /* RDNA4 cuts off, the sum as a whole: 1 + 1.5 places; 1 + 0.75 + 0.75 places; the largest below infinity; NaN */
    check_table("gfx1200", W(0xd6670000, 0x040e0501) /* v_dot2_bf16_bf16 v0, v1, v2, v3 */, CUT_OFF);
    check_table("gfx1201", W(0xd6670000, 0x040e04fa, 0xff00e401) /* ..._dpp quad_perm:[0,1,2,3] */, CUT_OFF);
    check_table("gfx1201", W(0xd6670000, 0x040e04e9, 0xfac68801) /* ..._dpp dpp8:[0,1,2,3,4,5,6,7] */, CUT_OFF);
    check_table("gfx1100", W(0xd6670000, 0x040e0501) /* v_dot2_bf16_bf16 v0, v1, v2, v3 */,
                CASES({PAIR(0x3c40, 0), PAIR(0x3f80, 0), 0x3f80, OLD_HIGH | 0x3f82}));
    /* e4m3 1.0 is 0x38, 2.0 0x40, the largest 448 0x7e, the smallest 2^-9 0x01; e5m2 1.0 is 0x3c, -2.0 0xc0 */
    check_table("gfx1201", W(0xcc264000, 0x1c0e0501) /* v_dot4_f32_fp8_fp8 v0, v1, v2, v3 */,
                CASES({0x38387e01, 0x40383838, f1, 0x43e20040}));
    check_table("gfx1201", W(0xcc244000, 0x1c0e0501) /* v_dot4_f32_fp8_bf8 v0, v1, v2, v3 */,
                CASES({0x00004038, 0x0000c03c, f1, 0xc0000000}, {0x7f, 0x3c, 0, 0x7fc00000}));
    check_table("gfx1201", W(0xcc254000, 0x1c0e0501) /* v_dot4_f32_bf8_fp8 v0, v1, v2, v3 */,
                CASES({0x0000c03c, 0x00004038, f1, 0xc0000000}));
    check_table("gfx1201", W(0xcc274000, 0x1c0e0501) /* v_dot4_f32_bf8_bf8 v0, v1, v2, v3 */,
                CASES({0x3c000000, 0x7c000000, f1, 0x7f800000}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(int16_gfx8_gfx9), cmocka_unit_test(int16_gfx10_on), cmocka_unit_test(packed_int),
        cmocka_unit_test(packed_half),     cmocka_unit_test(packed_f32),     cmocka_unit_test(mixed),
        cmocka_unit_test(dot_int),         cmocka_unit_test(dot_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
