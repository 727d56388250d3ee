/* exp2 and log2 of 32 lanes as sums of two floats, where the host picks a word out of 32 with one instruction. What a
 * table has taken off leaves a polynomial of few terms. The sum is less than 2^-36 off; true where it is a number off
 * the middle of two floats by more than 2^-35, else no result: isa/lanes/special_rows.h asks the same in double.
 *
 * A product's rounding error is one fused multiply-subtraction, a sum's two subtractions where the first summand is not
 * the smaller one.
 */
#ifndef GCNSIM_ISA_PAIR_ROWS_H
#define GCNSIM_ISA_PAIR_ROWS_H

#include "isa/lanes/lanes.h"

#if defined(__AVX512F__)

#define ALL_FLOATS(x) _mm512_set1_ps(x)
#define ALL_WORDS(x)  _mm512_set1_epi32(x)

/* 2^(k / 32), and what the float of it leaves */
static const _Alignas(64) float exp2_table[32] = {
    0x1p0f,        0x1.059b0ep0f, 0x1.0b5586p0f, 0x1.11301ep0f, 0x1.172b84p0f, 0x1.1d4874p0f, 0x1.2387a6p0f,
    0x1.29e9ep0f,  0x1.306fep0f,  0x1.371a74p0f, 0x1.3dea64p0f, 0x1.44e086p0f, 0x1.4bfdaep0f, 0x1.5342b6p0f,
    0x1.5ab07ep0f, 0x1.6247ecp0f, 0x1.6a09e6p0f, 0x1.71f75ep0f, 0x1.7a1148p0f, 0x1.82589ap0f, 0x1.8ace54p0f,
    0x1.93737cp0f, 0x1.9c4918p0f, 0x1.a5503cp0f, 0x1.ae89fap0f, 0x1.b7f77p0f,  0x1.c199bep0f, 0x1.cb720ep0f,
    0x1.d5818ep0f, 0x1.dfc974p0f, 0x1.ea4afap0f, 0x1.f50766p0f,
};
static const _Alignas(64) float exp2_rest[32] = {
    0x0p0f,           -0x1.9d4f52p-25f, 0x1.9f3122p-25f,  -0x1.fdb496p-25f, -0x1.c15742p-27f, -0x1.d2e8cap-25f,
    0x1.ceac48p-25f,  -0x1.5c0424p-25f, 0x1.4636e2p-25f,  -0x1.18aac6p-25f, 0x1.824684p-25f,  0x1.8624b4p-30f,
    -0x1.593abcp-25f, -0x1.2c561p-25f,  -0x1.5bd5ecp-27f, -0x1.f8b55p-25f,  0x1.9fcef4p-26f,  0x1.1d8beep-25f,
    -0x1.829fdp-25f,  -0x1.accc7cp-26f, 0x1.15506ep-27f,  -0x1.e64744p-25f, 0x1.51f848p-27f,  -0x1.b83b54p-25f,
    -0x1.a94b14p-26f, -0x1.a09438p-25f, -0x1.3d56b2p-27f, -0x1.8837ccp-27f, -0x1.822dbcp-27f, -0x1.908c94p-25f,
    0x1.52486cp-27f,  -0x1.246ebp-26f,
};

/* 1 / m in the middle of each 32nd of the numbers from root to its double, 1 about 1; minus its log2 in multiples of
 * 2^-16, and what that leaves */
static const _Alignas(64) float log2_inverse[32] = {
    0x1.661518p0f,  0x1.5e6c76p0f,  0x1.5715fp0f,   0x1.500c7ap0f,  0x1.494b6ep0f,  0x1.42ce84p0f,  0x1.3c91cap0f,
    0x1.369198p0f,  0x1.30ca8cp0f,  0x1.2b3988p0f,  0x1.25dba2p0f,  0x1.20ae26p0f,  0x1.1bae9p0f,   0x1.16da8ap0f,
    0x1.122fe2p0f,  0x1.0dac8ep0f,  0x1.094ea4p0f,  0x1.05145ap0f,  0x1p0f,         0x1.f43376p-1f, 0x1.e561e2p-1f,
    0x1.d76a9ep-1f, 0x1.ca3b56p-1f, 0x1.bdc3b8p-1f, 0x1.b1f52cp-1f, 0x1.a6c29cp-1f, 0x1.9c2042p-1f, 0x1.92038p-1f,
    0x1.8862cp-1f,  0x1.7f354ap-1f, 0x1.767338p-1f, 0x1.6e1558p-1f,
};
static const _Alignas(64) float log2_table[32] = {
    -0x1.efc4p-2f, -0x1.cfd4p-2f, -0x1.b09p-2f,  -0x1.91f4p-2f, -0x1.73f4p-2f, -0x1.569p-2f, -0x1.39bcp-2f,
    -0x1.1d74p-2f, -0x1.01b8p-2f, -0x1.ccf8p-3f, -0x1.978p-3f,  -0x1.62f8p-3f, -0x1.2f6p-3f, -0x1.f95p-4f,
    -0x1.959p-4f,  -0x1.338p-4f,  -0x1.a6p-5f,   -0x1.d08p-6f,  0x0p0f,        0x1.138p-5f,  0x1.3b8p-4f,
    0x1.e8p-4f,    0x1.47dp-3f,   0x1.995p-3f,   0x1.e8ap-3f,   0x1.1afp-2f,   0x1.4094p-2f, 0x1.6544p-2f,
    0x1.8914p-2f,  0x1.ac0cp-2f,  0x1.ce34p-2f,  0x1.ef98p-2f,
};
static const _Alignas(64) float log2_rest[32] = {
    -0x1.c0e87ep-20f, 0x1.7ed456p-21f,  -0x1.c31e3ep-21f, 0x1.7d1e0cp-18f,  0x1.df4388p-23f,  0x1.d3d958p-18f,
    0x1.7ae1f4p-19f,  -0x1.8de9e2p-18f, 0x1.1567aep-20f,  -0x1.af56c6p-19f, -0x1.f23118p-22f, -0x1.13319ap-18f,
    0x1.1aea4cp-19f,  0x1.8148d4p-19f,  -0x1.34b946p-19f, 0x1.a80bf4p-22f,  -0x1.a639fep-18f, 0x1.6ef832p-18f,
    0x0p0f,           0x1.6d309p-18f,   -0x1.1b2cdap-18f, 0x1.0f8ad2p-20f,  0x1.ab4208p-20f,  0x1.3f3fd4p-19f,
    0x1.8c503cp-19f,  -0x1.f8eb42p-20f, -0x1.a4ecccp-18f, 0x1.d7ec56p-18f,  0x1.877824p-18f,  0x1.0c864p-20f,
    0x1.ab977ap-23f,  -0x1.c2a674p-18f,
};

/* of 32, by the low bits of k */
static inline __m512 pick_float(const float *table, __m512i k)
{
    return _mm512_permutex2var_ps(_mm512_load_ps(table), k, _mm512_load_ps(table + 16));
}

/* sum + rest. Bits of *odd: of lanes where it is near the middle of two floats. */
static inline __m512 sure_sum(__m512 sum, __m512 rest, unsigned *odd)
{
    __m512 r = sum + (rest + ALL_FLOATS(0x1p-35f));

    *odd |= _mm512_cmp_ps_mask(r, sum + (rest - ALL_FLOATS(0x1p-35f)), _CMP_NEQ_UQ);
    return r;
}

static inline __m512i exp2_of_16(__m512i s, unsigned *odd)
{
    __m512 x = _mm512_castsi512_ps(s);
    const __m512 magic = ALL_FLOATS(0x1.8p18f); /* the sum's last bits are the 32nds nearest to the other summand */

    *odd |= _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    x = _mm512_min_ps(_mm512_max_ps(x, ALL_FLOATS(-126.4f)), ALL_FLOATS(128.0f)); /* 2^-126.4 is flushed as less is */
    __m512 shifted = x + magic, f = x - (shifted - magic);
    __m512i k = _mm512_castps_si512(shifted);
    __m512 power = pick_float(exp2_table, k), power_rest = pick_float(exp2_rest, k);

    /* 2^f - 1: its first term and the others */
    __m512 p = _mm512_fmadd_ps(_mm512_fmadd_ps(ALL_FLOATS(0x1.3b2af4p-7f), f, ALL_FLOATS(0x1.c6b11p-5f)), f,
                               ALL_FLOATS(0x1.ebfbep-3f));
    __m512 first = f * ALL_FLOATS(0x1.62e43p-1f), others = _mm512_fmsub_ps(f, ALL_FLOATS(0x1.62e43p-1f), first);
    others = _mm512_fmadd_ps(p, f * f, _mm512_fmadd_ps(f, ALL_FLOATS(-0x1.05c61p-29f), others));

    __m512 more = power * first, more_rest = _mm512_fmsub_ps(power, first, more);
    __m512 sum = power + more, rest = more - (sum - power);
    rest += _mm512_fmadd_ps(power_rest, first, more_rest) + power_rest;
    __m512 r = sure_sum(sum, _mm512_fmadd_ps(power, others, rest), odd);

    __m512i whole = _mm512_and_si512(_mm512_slli_epi32(k, 18), ALL_WORDS((int)0xff800000));
    __m512i u = _mm512_add_epi32(_mm512_castps_si512(r), whole);
    return _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(u, ALL_WORDS(0x7f800000)), u);
}

/* neither zero, denormal, negative nor infinite */
static inline __m512i log2_of_16(__m512i x, unsigned *odd)
{
    const __m512i root = ALL_WORDS(0x3f3504f3); /* of 1/2: fractions are between it and its double */
    __m512i above = _mm512_sub_epi32(x, root), k = _mm512_srli_epi32(above, 18);

    *odd |= _mm512_cmpge_epu32_mask(_mm512_sub_epi32(x, ALL_WORDS(0x00800000)), ALL_WORDS(0x7f000000));
    __m512 m = _mm512_castsi512_ps(_mm512_add_epi32(_mm512_and_si512(above, ALL_WORDS(0x7fffff)), root));
    __m512 whole = _mm512_cvtepi32_ps(_mm512_srai_epi32(above, 23)) + pick_float(log2_table, k); /* exact */
    __m512 inverse = pick_float(log2_inverse, k), product = m * inverse;
    __m512 f = product - ALL_FLOATS(1), f_rest = _mm512_fmsub_ps(m, inverse, product);

    /* log2(1 + f): its first term and the others */
    __m512 p = _mm512_fmadd_ps(ALL_FLOATS(0x1.27835cp-2f), f, ALL_FLOATS(-0x1.716326p-2f));
    p = _mm512_fmadd_ps(_mm512_fmadd_ps(p, f, ALL_FLOATS(0x1.ec709ep-2f)), f, ALL_FLOATS(-0x1.715476p-1f));
    __m512 first = f * ALL_FLOATS(0x1.715476p0f), others = _mm512_fmsub_ps(f, ALL_FLOATS(0x1.715476p0f), first);
    __m512 slope = _mm512_fmadd_ps(f, ALL_FLOATS(2 * -0x1.715476p-1f), ALL_FLOATS(0x1.715476p0f));
    others = _mm512_fmadd_ps(f_rest, slope, _mm512_fmadd_ps(f, ALL_FLOATS(0x1.4ae0cp-26f), others));
    others = _mm512_fmadd_ps(p, f * f, others + pick_float(log2_rest, k));

    __m512 sum = whole + first, rest = first - (sum - whole);
    return _mm512_castps_si512(sure_sum(sum, others + rest, odd));
}

#define PAIR_ROWS(NAME)                                                                                                \
    static inline bool NAME##_pairs(uint32_t *d, const uint32_t *s)                                                    \
    {                                                                                                                  \
        unsigned odd = 0;                                                                                              \
        __m512i low = NAME##_of_16(_mm512_loadu_si512(s), &odd),                                                       \
                high = NAME##_of_16(_mm512_loadu_si512(s + 16), &odd);                                                 \
                                                                                                                       \
        if (__builtin_expect(odd != 0, 0))                                                                             \
            return false;                                                                                              \
        _mm512_storeu_si512(d, low);                                                                                   \
        _mm512_storeu_si512(d + 16, high);                                                                             \
        return true;                                                                                                   \
    }

#else

#define PAIR_ROWS(NAME)                                                                                                \
    static inline bool NAME##_pairs(uint32_t *d, const uint32_t *s)                                                    \
    {                                                                                                                  \
        (void)d, (void)s;                                                                                              \
        return false;                                                                                                  \
    }

#endif

PAIR_ROWS(exp2)
PAIR_ROWS(log2)

#endif
