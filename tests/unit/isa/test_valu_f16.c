/* Half precision. The reference is the compiler's own _Float16 where it has an operation, and the examples and rules of
 * the manuals elsewhere.
 */
#include <math.h>

#include "tests/unit/isa/lanes_check.h"

enum {
    ONE = 0x3c00,
    TWO = 0x4000,
    HALF = 0x3800,
    THREE = 0x4200,
    INF = 0x7c00,
    LARGEST = 0x7bff,
    DENORM = 0x0001,
    BIG_DENORM = 0x03ff,
    QNAN = 0x7e01, /* with something to recognise it by */
    SNAN = 0x7c01,
    SNAN_QUIET = 0x7e01,
    QNAN_2 = 0x7e02,
    INVALID = 0x7e00,
    SPECIAL_INVALID = 0xfe00, /* of the special unit: RDNA ISA, examples at V_SQRT_F16 */
};
#define NEG(x)       ((uint32_t)(x) | 0x8000u)
#define MODE_DEFAULT (0xf0 | MODE_DX10_CLAMP | MODE_IEEE)
#define MODE_FLUSH16 (0x30 | MODE_DX10_CLAMP | MODE_IEEE)
#define OLD_HIGH     (OLD_V0 & 0xffff0000u)

typedef _Float16 h16;

static h16 of_bits(uint32_t u)
{
    uint16_t s = (uint16_t)u;
    h16 h;
    memcpy(&h, &s, 2);
    return h;
}

static uint32_t to_bits(h16 h)
{
    uint16_t s;
    memcpy(&s, &h, 2);
    return s;
}

static bool nan16(uint32_t a)
{
    return (a & 0x7fff) > 0x7c00;
}

/* the result's bits, or the NaN the operands say: the first in order, made quiet */
static uint32_t finish(h16 r, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t u = to_bits(r);
    if (!nan16(u))
        return u;
    return nan16(a)   ? (a & 0xffff) | 0x200
           : nan16(b) ? (b & 0xffff) | 0x200
           : nan16(c) ? (c & 0xffff) | 0x200
                      : INVALID;
}

static uint32_t r_add(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return finish(of_bits(a) + of_bits(b), a, b, 0);
}

static uint32_t r_sub(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return finish(of_bits(a) - of_bits(b), a, b, 0);
}

static uint32_t r_subrev(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return finish(of_bits(b) - of_bits(a), a, b, 0);
}

static uint32_t r_mul(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return finish(of_bits(a) * of_bits(b), a, b, 0);
}

/* exact product and sum in 113 bits of a long double or, where that is a double, still enough (see isa/lanes/fp.h) */
static uint32_t r_fma(uint32_t a, uint32_t b, uint32_t c)
{
    return finish((h16)((long double)of_bits(a) * (long double)of_bits(b) + (long double)of_bits(c)), a, b, c);
}

static uint32_t r_sqrt(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    if (nan16(a))
        return (a & 0xffff) | 0x200;
    double x = (double)of_bits(a);
    return x < 0 ? SPECIAL_INVALID : to_bits((h16)sqrt(x));
}

static uint32_t r_rcp(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return finish((h16)(1.0 / (double)of_bits(a)), a, 0, 0);
}

/* keeps the high half of the old v0 */
#define KEEPING(NAME, REF)                                                                                             \
    static uint32_t NAME(uint32_t a, uint32_t b, uint32_t c)                                                           \
    {                                                                                                                  \
        return OLD_HIGH | REF(a, b, c);                                                                                \
    }
KEEPING(k_add, r_add)
KEEPING(k_sub, r_sub)
KEEPING(k_subrev, r_subrev)
KEEPING(k_mul, r_mul)
KEEPING(k_fma, r_fma)
KEEPING(k_sqrt, r_sqrt)
KEEPING(k_rcp, r_rcp)

/* gfx8 and gfx9 clear the other half, gfx10 on keeps it */
static void arithmetic(void **state)
{
    (void)state;
    check_ref(r_add, "gfx803", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */);
    check_ref(r_sub, "gfx803", W(0x40000501) /* v_sub_f16_e32 v0, v1, v2 */);
    check_ref(r_subrev, "gfx803", W(0x42000501) /* v_subrev_f16_e32 v0, v1, v2 */);
    check_ref(r_mul, "gfx803", W(0x44000501) /* v_mul_f16_e32 v0, v1, v2 */);
    check_ref(r_fma, "gfx803", W(0xd1ee0000, 0x040e0501) /* v_fma_f16 v0, v1, v2, v3 */);
    check_ref(r_add, "gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */);
    check_ref(r_mul, "gfx90a", W(0x44000501) /* v_mul_f16_e32 v0, v1, v2 */);
    check_ref(r_fma, "gfx90a", W(0xd1ee0000, 0x040e0501) /* v_fma_legacy_f16 v0, v1, v2, v3 */);
    check_ref(k_fma, "gfx90a", W(0xd2060000, 0x040e0501) /* v_fma_f16 v0, v1, v2, v3 */);
    check_ref(k_add, "gfx1201", W(0x64000501) /* v_add_f16_e32 v0, v1, v2 */);
    check_ref(k_sub, "gfx1201", W(0x66000501) /* v_sub_f16_e32 v0, v1, v2 */);
    check_ref(k_subrev, "gfx1201", W(0x68000501) /* v_subrev_f16_e32 v0, v1, v2 */);
    check_ref(k_mul, "gfx1201", W(0x6a000501) /* v_mul_f16_e32 v0, v1, v2 */);
    check_ref(k_fma, "gfx1201", W(0xd6480000, 0x040e0501) /* v_fma_f16 v0, v1, v2, v3 */);
    check_ref(r_sqrt, "gfx803", W(0x7e007d01) /* v_sqrt_f16_e32 v0, v1 */);
    check_ref(r_rcp, "gfx90a", W(0x7e007b01) /* v_rcp_f16_e32 v0, v1 */);
    check_ref(k_sqrt, "gfx1201", W(0x7e00ab01) /* v_sqrt_f16_e32 v0, v1 */);
    check_ref(k_rcp, "gfx1201", W(0x7e00a901) /* v_rcp_f16_e32 v0, v1 */);
}

static uint32_t r_fmac(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return OLD_HIGH | r_fma(a, b, OLD_V0 & 0xffff);
}

static uint32_t r_fmamk(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return OLD_HIGH | r_fma(a, THREE | 1, b);
}

static uint32_t r_fmaak(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return OLD_HIGH | r_fma(a, b, THREE | 1);
}

static bool tiny(uint32_t a)
{
    return (a & 0x7c00) == 0 && (a & 0x3ff);
}

static uint32_t flushed(uint32_t a)
{
    return tiny(a) ? a & 0x8000 : a;
}

/* Accumulates into v0, whose old low half is 0x1234; flushes operands, product and sum. */
static uint32_t r_mac(uint32_t a, uint32_t b, uint32_t c)
{
    h16 p = of_bits(flushed(a)) * of_bits(flushed(b));
    (void)c;
    p = of_bits(flushed(to_bits(p)));
    return flushed(finish((h16)(p + of_bits(OLD_V0 & 0xffff)), a, b, OLD_V0));
}

static void accumulate(void **state)
{
    (void)state;
    check_ref(r_mac, "gfx803", W(0x46000501) /* v_mac_f16_e32 v0, v1, v2 */);
    check_ref(r_mac, "gfx90a", W(0x46000501) /* v_mac_f16_e32 v0, v1, v2 */);
    check_ref(r_fmac, "gfx1030", W(0x6c000501) /* v_fmac_f16_e32 v0, v1, v2 */);
    check_ref(r_fmac, "gfx1201", W(0x6c000501) /* v_fmac_f16_e32 v0, v1, v2 */);
    check_ref(r_fmamk, "gfx1201", W(0x6e000501, 0x00004201) /* v_fmamk_f16 v0, v1, 0x4201, v2 */);
    check_ref(r_fmaak, "gfx1201", W(0x70000501, 0x00004201) /* v_fmaak_f16 v0, v1, v2, 0x4201 */);
    check_table("gfx803", W(0x4a000501, 0x00004200) /* v_madak_f16 v0, v1, v2, 0x4200 */,
                CASES({TWO, THREE, 0, 0x4880}, {DENORM, ONE, 0, THREE}, {QNAN, ONE, 0, QNAN}));
    check_table("gfx900", W(0x48000501, 0x00004200) /* v_madmk_f16 v0, v1, 0x4200, v2 */,
                CASES({TWO, THREE, 0, 0x4880}, {ONE, DENORM, 0, THREE}));
    /* (1 + 3 * 2^-10)^2 - 1: the product's rounding shows in mad and not in fma */
    check_table("gfx900", W(0xd1ea0000, 0x040a0301) /* v_mad_legacy_f16 v0, v1, v1, v2 */,
                CASES({0x3c03, NEG(ONE), 0, 0x1e00}));
    check_table("gfx900", W(0xd2030000, 0x040a0301) /* v_mad_f16 v0, v1, v1, v2 */,
                CASES({0x3c03, NEG(ONE), 0, OLD_HIGH | 0x1e00}));
    check_table("gfx900", W(0xd1ee0000, 0x040a0301) /* v_fma_legacy_f16 v0, v1, v1, v2 */,
                CASES({0x3c03, NEG(ONE), 0, 0x1e02}));
}

/* MODE[3:2] is the rounding of halves (and doubles). */
static void rounding(void **state)
{
    static const uint32_t want[4] = {0x3c00, 0x3c01, 0x3c00, 0x3c00}, want_neg[4] = {0xbc00, 0xbc00, 0xbc01, 0xbc00};
    static const uint32_t over[4] = {INF, INF, LARGEST, LARGEST};
    static const uint32_t tie[4] = {0x3c02, 0x3c02, 0x3c01, 0x3c01};
    (void)state;
    for (uint32_t m = 0; m < 4; m++) {
        uint32_t mode = MODE_DEFAULT | m << 2;
        /* 1 + 2^-12 */
        check_table_mode(mode, "gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */,
                         CASES({ONE, 0x0c00, 0, want[m]}, {NEG(ONE), 0x8c00, 0, want_neg[m]},
                               {LARGEST, LARGEST, 0, over[m]}, {0x3c01, 0x1000, 0, tie[m]}));
        /* 2^-24 * 0.5 */
        check_table_mode(mode, "gfx90a", W(0x44000501) /* v_mul_f16_e32 v0, v1, v2 */,
                         CASES({DENORM, HALF, 0, m == 1 ? 1 : 0}, {3, HALF, 0, m == 0 || m == 1 ? 2 : 1}));
        check_table_mode(mode, "gfx90a", W(0xd1ee0000, 0x040e0501) /* v_fma_legacy_f16 v0, v1, v2, v3 */,
                         CASES({DENORM, DENORM, ONE, want[m]}, {LARGEST, TWO, NEG(LARGEST), LARGEST}));
        /* x - floor(x) of an integer is an exact zero, negative where it is rounded down */
        check_table_mode(mode, "gfx90a", W(0x7e009101) /* v_fract_f16_e32 v0, v1 */,
                         CASES({0x780c, 0, 0, m == 2 ? 0x8000 : 0}, {0x8001, 0, 0, 0x3bff}));
        /* rounding to integer does not look at MODE */
        check_table_mode(
            mode, "gfx90a", W(0x7e008f01) /* v_rndne_f16_e32 v0, v1 */,
            CASES({0x3e00, 0, 0, TWO}, {0x4100, 0, 0, TWO}, {0xbe00, 0, 0, NEG(TWO)}, {0xb800, 0, 0, 0x8000}));
    }
}

static void denormals(void **state)
{
    (void)state;
    check_table("gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */,
                CASES({DENORM, DENORM, 0, 2}, {BIG_DENORM, DENORM, 0, 0x400}));
    check_table_mode(MODE_FLUSH16, "gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */,
                     CASES({DENORM, DENORM, 0, 0}, {NEG(DENORM), 0x8000, 0, 0x8000}, {0x401, NEG(0x400), 0, 0},
                           {ONE, BIG_DENORM, 0, ONE}));
    check_table("gfx803", W(0xd1ea0000, 0x040e0501) /* v_mad_f16 v0, v1, v2, v3 */,
                CASES({DENORM, ONE, ONE, ONE}, {HALF, 0x400, 0, 0}, {HALF, 0x600, 0x400, 0x400}));
    /* the product alone is denormal: it is flushed before the addition, in v_mad_mix, too */
    check_table("gfx900", W(0xd3a00000, 0x040e0501) /* v_mad_mix_f32 v0, v1, v2, v3 */,
                CASES({0x00c00000, 0x3f000000, 0x00800000, 0x00800000}, {0x00c00000, 0x40000000, 0, 0x01400000}));
    check_table_mode(
        MODE_DEFAULT | MODE_FP16_OVFL, "gfx90a", W(0x3e000501) /* v_add_f16_e32 v0, v1, v2 */,
        CASES({LARGEST, LARGEST, 0, LARGEST}, {INF, ONE, 0, INF}, {NEG(LARGEST), NEG(LARGEST), 0, NEG(LARGEST)}));
}

/* What overflows is held at the largest number; what is infinite by right stays so. */
static void overflow_mode(void **state)
{
    const uint32_t mode = MODE_DEFAULT | MODE_FP16_OVFL;
    (void)state;
    check_table_mode(mode, "gfx900", W(0x66000501) /* v_ldexp_f16 v0, v1, v2 */,
                     CASES({ONE, 16, 0, LARGEST}, {NEG(ONE), 40, 0, NEG(LARGEST)}, {INF, 1, 0, INF}));
    check_table_mode(mode, "gfx900", W(0x7e008301) /* v_exp_f16 v0, v1 */,
                     CASES({0x4c00, 0, 0, LARGEST}, {INF, 0, 0, INF}));
    check_table_mode(mode, "gfx900", W(0x7e007b01) /* v_rcp_f16 v0, v1 */,
                     CASES({1, 0, 0, LARGEST}, {0x8000, 0, 0, NEG(INF)}));
    /* v_fma_mixlo_f16 v0, v1, v2, 0: also where an f32 overflows */
    check_table_mode(mode, "gfx1100", W(0xcc210000, 0x02020501),
                     CASES({0x47800000, 0x3f800000, 0, 0x5a5a7bff}, {0x7f000000, 0xff000000, 0, 0x5a5afbff},
                           {0x7f800000, 0x3f800000, 0, 0x5a5a7c00}));
    check_table_mode(mode, "gfx900", W(0xd3a10000, 0x02020501) /* v_mad_mixlo_f16 v0, v1, v2, 0 */,
                     CASES({0x47800000, 0x3f800000, 0, 0x5a5a7bff}));
    check_table("gfx900", W(0xd3a10000, 0x02020501), CASES({0x47800000, 0x3f800000, 0, 0x5a5a7c00}));
}

static void minimum_maximum(void **state)
{
    (void)state;
    check_table("gfx803", W(0x5c000501) /* v_min_f16_e32 v0, v1, v2 */,
                CASES({ONE, TWO, 0, ONE}, {NEG(ONE), ONE, 0, NEG(ONE)}, {0, 0x8000, 0, 0x8000}, {0x8000, 0, 0, 0x8000},
                      {QNAN, ONE, 0, ONE}, {ONE, QNAN, 0, ONE}, {SNAN, ONE, 0, SNAN_QUIET}, {ONE, SNAN, 0, SNAN_QUIET},
                      {NEG(INF), INF, 0, NEG(INF)}, {DENORM, 0, 0, 0}));
    check_table("gfx803", W(0x5a000501) /* v_max_f16_e32 v0, v1, v2 */,
                CASES({ONE, TWO, 0, TWO}, {NEG(ONE), NEG(TWO), 0, NEG(ONE)}, {0, 0x8000, 0, 0}, {0x8000, 0, 0, 0},
                      {QNAN, ONE, 0, ONE}, {SNAN, ONE, 0, SNAN_QUIET}, {DENORM, 0, 0, DENORM}));
    check_table_mode(0xf0, "gfx803", W(0x5a000501) /* v_max_f16_e32 v0, v1, v2 */,
                     CASES({SNAN, ONE, 0, ONE}, {ONE, SNAN, 0, ONE}));
    check_table("gfx1201", W(0x60000501) /* v_min_num_f16_e32 v0, v1, v2 */, CASES({QNAN, ONE, 0, OLD_HIGH | ONE}));
    check_table("gfx1201", W(0xd7670000, 0x00020501) /* v_minimum_f16 v0, v1, v2 */,
                CASES({QNAN, ONE, 0, OLD_HIGH | QNAN}, {ONE, QNAN, 0, OLD_HIGH | QNAN},
                      {QNAN_2, SNAN, 0, OLD_HIGH | SNAN_QUIET}, {0, 0x8000, 0, OLD_HIGH | 0x8000},
                      {ONE, TWO, 0, OLD_HIGH | ONE}));
    check_table("gfx1201", W(0xd7680000, 0x00020501) /* v_maximum_f16 v0, v1, v2 */,
                CASES({QNAN, INF, 0, OLD_HIGH | QNAN}, {0x8000, 0, 0, OLD_HIGH}, {ONE, TWO, 0, OLD_HIGH | TWO}));
    check_table("gfx1201", W(0xd66f0000, 0x040e0501) /* v_maximumminimum_f16 v0, v1, v2, v3 */,
                CASES({ONE, THREE, TWO, OLD_HIGH | TWO}, {ONE, TWO, QNAN, OLD_HIGH | QNAN}));
    check_table("gfx1201", W(0xd66e0000, 0x040e0501) /* v_minimummaximum_f16 v0, v1, v2, v3 */,
                CASES({ONE, THREE, TWO, OLD_HIGH | TWO}));
    check_table("gfx1201", W(0xd62f0000, 0x040e0501) /* v_minimum3_f16 v0, v1, v2, v3 */,
                CASES({THREE, TWO, ONE, OLD_HIGH | ONE}));
    check_table("gfx1201", W(0xd6300000, 0x040e0501) /* v_maximum3_f16 v0, v1, v2, v3 */,
                CASES({THREE, TWO, ONE, OLD_HIGH | THREE}));
    check_table("gfx900", W(0xd1fa0000, 0x040e0501) /* v_med3_f16 v0, v1, v2, v3 */,
                CASES({ONE, TWO, THREE, OLD_HIGH | TWO}, {THREE, ONE, TWO, OLD_HIGH | TWO},
                      {TWO, THREE, ONE, OLD_HIGH | TWO}, {THREE, THREE, ONE, OLD_HIGH | THREE},
                      {QNAN, TWO, THREE, OLD_HIGH | TWO}));
    check_table("gfx900", W(0xd1f40000, 0x040e0501) /* v_min3_f16 v0, v1, v2, v3 */,
                CASES({THREE, NEG(ONE), TWO, OLD_HIGH | NEG(ONE)}));
    check_table("gfx1100", W(0xd6600000, 0x040e0501) /* v_maxmin_f16 v0, v1, v2, v3 */,
                CASES({ONE, THREE, TWO, OLD_HIGH | TWO}));
    check_table("gfx1100", W(0xd6610000, 0x040e0501) /* v_minmax_f16 v0, v1, v2, v3 */,
                CASES({ONE, THREE, TWO, OLD_HIGH | TWO}));
}

static void parts(void **state)
{
    (void)state;
    check_table("gfx803", W(0x7e008d01) /* v_trunc_f16_e32 v0, v1 */,
                CASES({0x3e00, 0, 0, ONE}, {0xb800, 0, 0, 0x8000}, {SNAN, 0, 0, SNAN_QUIET}));
    check_table("gfx803", W(0x7e008b01) /* v_ceil_f16_e32 v0, v1 */,
                CASES({DENORM, 0, 0, ONE}, {0xb800, 0, 0, 0x8000}, {0x3e00, 0, 0, TWO}));
    check_table("gfx803", W(0x7e008901) /* v_floor_f16_e32 v0, v1 */,
                CASES({NEG(DENORM), 0, 0, NEG(ONE)}, {0x3e00, 0, 0, ONE}, {LARGEST, 0, 0, LARGEST}));
    check_table("gfx803", W(0x7e009101) /* v_fract_f16_e32 v0, v1 */,
                CASES({0x3e00, 0, 0, HALF}, {0xbe00, 0, 0, HALF}, {NEG(DENORM), 0, 0, 0x3bff}));
    check_table("gfx803", W(0x7e008501) /* v_frexp_mant_f16_e32 v0, v1 */,
                CASES({ONE, 0, 0, HALF}, {0xc200, 0, 0, 0xba00}, {DENORM, 0, 0, HALF}, {BIG_DENORM, 0, 0, 0x3bfe},
                      {INF, 0, 0, INF}, {0x8000, 0, 0, 0x8000}));
    check_table("gfx803", W(0x7e008701) /* v_frexp_exp_i16_f16_e32 v0, v1 */,
                CASES({ONE, 0, 0, 1}, {HALF, 0, 0, 0}, {DENORM, 0, 0, 0xffe9}, {BIG_DENORM, 0, 0, 0xfff2},
                      {0x400, 0, 0, 0xfff3}, {INF, 0, 0, 0}, {0, 0, 0, 0}, {QNAN, 0, 0, 0}));
    check_table("gfx803", W(0x66000501) /* v_ldexp_f16_e32 v0, v1, v2 */,
                CASES({ONE, 1, 0, TWO}, {ONE, 0xffe8, 0, DENORM}, {ONE, 0xffe7, 0, 0}, {THREE, 0xffe7, 0, 2},
                      {ONE, 16, 0, INF}, {DENORM, 24, 0, ONE}, {NEG(ONE), 0x8000, 0, 0x8000}, {QNAN, 3, 0, QNAN}));
    check_table("gfx803", W(0xd1ef0000, 0x040e0501) /* v_div_fixup_f16 v0, v1, v2, v3 */,
                CASES({ONE, NEG(TWO), THREE, NEG(ONE)}, {ONE, 0, 0, 0xfe00}, {ONE, INF, NEG(INF), 0xfe00},
                      {ONE, 0, NEG(ONE), NEG(INF)}, {ONE, ONE, INF, INF}, {ONE, NEG(INF), ONE, 0x8000},
                      {ONE, ONE, 0x8000, 0x8000}, {ONE, SNAN, ONE, SNAN_QUIET}, {ONE, SNAN, QNAN_2, QNAN_2}));
}

static void special_unit(void **state)
{
    (void)state;
    check_table(
        "gfx1030", W(0x7e00ab01) /* v_sqrt_f16_e32 v0, v1 */,
        CASES({NEG(INF), 0, 0, OLD_HIGH | 0xfe00}, {0x8000, 0, 0, OLD_HIGH | 0x8000}, {0x4400, 0, 0, OLD_HIGH | TWO}));
    check_table("gfx1030", W(0x7e00ad01) /* v_rsq_f16_e32 v0, v1 */,
                CASES({0x8000, 0, 0, OLD_HIGH | NEG(INF)}, {0x4400, 0, 0, OLD_HIGH | HALF}, {INF, 0, 0, OLD_HIGH},
                      {0xc400, 0, 0, OLD_HIGH | 0xfe00}));
    check_table("gfx1030", W(0x7e00a901) /* v_rcp_f16_e32 v0, v1 */,
                CASES({0x8000, 0, 0, OLD_HIGH | NEG(INF)}, {NEG(INF), 0, 0, OLD_HIGH | 0x8000},
                      {THREE, 0, 0, OLD_HIGH | 0x3555}));
    check_table("gfx1030", W(0x7e00af01) /* v_log_f16_e32 v0, v1 */,
                CASES({0, 0, 0, OLD_HIGH | NEG(INF)}, {0x8000, 0, 0, OLD_HIGH | NEG(INF)},
                      {NEG(ONE), 0, 0, OLD_HIGH | 0xfe00}, {DENORM, 0, 0, OLD_HIGH | 0xce00},
                      {INF, 0, 0, OLD_HIGH | INF}));
    check_table("gfx1030", W(0x7e00b101) /* v_exp_f16_e32 v0, v1 */,
                CASES({NEG(INF), 0, 0, OLD_HIGH}, {0x8000, 0, 0, OLD_HIGH | ONE}, {INF, 0, 0, OLD_HIGH | INF},
                      {0xce00, 0, 0, OLD_HIGH | DENORM}, {HALF, 0, 0, OLD_HIGH | 0x3da8}));
    check_table("gfx1030", W(0x7e00c101) /* v_sin_f16_e32 v0, v1 */,
                CASES({NEG(INF), 0, 0, OLD_HIGH | 0xfe00}, {NEG(LARGEST), 0, 0, OLD_HIGH},
                      {0x8000, 0, 0, OLD_HIGH | 0x8000}, {0x3400, 0, 0, OLD_HIGH | ONE}, {LARGEST, 0, 0, OLD_HIGH},
                      {0x3a00, 0, 0, OLD_HIGH | NEG(ONE)}));
    check_table("gfx1030", W(0x7e00c301) /* v_cos_f16_e32 v0, v1 */,
                CASES({INF, 0, 0, OLD_HIGH | 0xfe00}, {NEG(LARGEST), 0, 0, OLD_HIGH | ONE},
                      {0x8000, 0, 0, OLD_HIGH | ONE}, {0x3400, 0, 0, OLD_HIGH}, {HALF, 0, 0, OLD_HIGH | NEG(ONE)}));
}

/* s5 = op s1 */
static uint32_t scalar16(uint32_t source, const char *target, const uint32_t *words, unsigned n)
{
    struct rig r;

    rig_open(&r, target, 32);
    isa_set_exec(&r.w, 0);
    r.w.s[1] = source;
    r.w.s[5] = 0xffffffff;
    rig_run(&r, words, n);
    uint32_t got = r.w.s[5];
    rig_close(&r);
    return got;
}

static void check_special_unit(const char *target)
{
    assert_int_equal(scalar16(0xabcd4400, target, W(0xd6850005, 0x00000001) /* v_s_rcp_f16 s5, s1 */), 0x3400);
    assert_int_equal(scalar16(0x4400, target, W(0xd6890005, 0x00000001) /* v_s_sqrt_f16 s5, s1 */), TWO);
    assert_int_equal(scalar16(0xc400, target, W(0xd6870105, 0x00000001) /* v_s_rsq_f16 s5, |s1| */), HALF);
    assert_int_equal(scalar16(ONE, target, W(0xd6810005, 0x20000001) /* v_s_exp_f16 s5, -s1 */), HALF);
    /* denormals are let out: no omod */
    assert_int_equal(scalar16(0x4400, target, W(0xd6830005, 0x08000001) /* v_s_log_f16 s5, s1 mul:2 */), TWO);
    /* s_denorm_mode 0 first */
    assert_int_equal(scalar16(0x4400, target, W(0xbf920000, 0xd6830005, 0x08000001)), 0x4400);
    assert_int_equal(scalar16(ONE, target, W(0xd6818005, 0x00000001) /* v_s_exp_f16 s5, s1 clamp */), ONE);
    assert_int_equal(scalar16(0xfc00, target, W(0xd6890005, 0x00000001) /* v_s_sqrt_f16 s5, s1 */), SPECIAL_INVALID);
}

static void scalar_special_unit(void **state)
{
    (void)state;
    check_special_unit("gfx1201");
    check_special_unit("gfx1250");
}

static void modifiers(void **state)
{
    (void)state;
    check_table("gfx803", W(0xd11f0100, 0x40020501) /* v_add_f16_e64 v0, |v1|, -v2 */, CASES({NEG(TWO), ONE, 0, ONE}));
    check_table("gfx803", W(0xd11f8000, 0x00020501) /* v_add_f16_e64 v0, v1, v2 clamp */,
                CASES({TWO, ONE, 0, ONE}, {NEG(ONE), 0, 0, 0}, {QNAN, 0, 0, 0}));
    check_table_mode(0, "gfx803", W(0xd1220000, 0x10020501) /* v_mul_f16_e64 v0, v1, v2 mul:4 */,
                     CASES({ONE, HALF, 0, TWO}));
    check_table("gfx803", W(0x440004f9, 0x04051501) /* v_mul_f16_sdwa v0, v1, v2 dst_sel:WORD_1
                                                       dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0 */
                ,
                CASES({TWO << 16 | QNAN, THREE, 0, 0x46001234}));
    check_table("gfx803", W(0x3e0002f4) /* v_add_f16_e32 v0, 2.0, v1 */, CASES({ONE, 0, 0, THREE}));
    check_table("gfx803", W(0x3e0002ff, 0x00004200) /* v_add_f16_e32 v0, 0x4200, v1 */, CASES({ONE, 0, 0, 0x4400}));
    check_table("gfx1201", W(0xd6484800, 0x040e0501) /* v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,1] */,
                CASES({TWO << 16, ONE, ONE, THREE << 16 | 0x1234}));
    check_table("gfx1201", W(0xd6481000, 0x440e0501) /* v_fma_f16 v0, v1, -v2, v3 op_sel:[0,1,0,0] */,
                CASES({TWO, NEG(ONE) << 16, ONE, OLD_HIGH | THREE}));
    check_table("gfx900", W(0xd2066000, 0x040e0501) /* v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,1,1] */,
                CASES({TWO, TWO, ONE << 16, 0x45001234}));
    check_table("gfx900", W(0xd2a00800, 0x00020501) /* v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0] */,
                CASES({0xabcd1234, 0x56789abc, 0, 0x9abcabcd}));
    check_table("gfx1201", W(0xd7110200, 0x20020501) /* v_pack_b32_f16 v0, -v1, |v2| */,
                CASES({ONE, NEG(TWO), 0, 0x4000bc00}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_mode), cmocka_unit_test(arithmetic),   cmocka_unit_test(accumulate),
        cmocka_unit_test(rounding),      cmocka_unit_test(denormals),    cmocka_unit_test(minimum_maximum),
        cmocka_unit_test(parts),         cmocka_unit_test(special_unit), cmocka_unit_test(scalar_special_unit),
        cmocka_unit_test(modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
