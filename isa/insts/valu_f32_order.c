/* Vector ALU, single precision: minimum, maximum, median. -0 is below +0 everywhere.
 *
 * Four rules for NaN, by generation:
 *   gfx8..gfx10  two NaN give the second; in IEEE mode a signalling NaN is returned quiet before anything else
 *   gfx11        two NaN give the first; IEEE mode as above
 *   gfx12 _num   a number beats every NaN; two NaN give the first, quiet
 *   minimum3/maximum and relatives (gfx12): NaN wins, signalling ones first
 * (GCN3, Vega, RDNA3.5, RDNA4, CDNA3 ISA manuals.)
 */
#include "isa/lanes/fp.h"
#include "isa/lanes/order.h"
#include "isa/table/shapes.h"

#define LOW(a, b)  (below32(a, b) ? (a) : (b))
#define HIGH(a, b) (below32(b, a) ? (a) : (b))

/* a signalling NaN, without branches */
static inline bool signals(float a)
{
    uint32_t mag = bits_f32(a) & 0x7fffffff;
    return (mag > 0x7f800000) & (mag < 0x7fc00000);
}

/* r: the answer for two numbers */
static inline float nan_gcn(float r, float a, float b, bool ieee)
{
    r = isnan32(b) ? a : r;
    r = isnan32(a) ? b : r;
    /* branch-free, so that the loops vectorize: & and not && */
    r = (ieee & signals(b)) ? quiet32(b) : r;
    return (ieee & signals(a)) ? quiet32(a) : r;
}

static inline float nan_rdna3(float r, float a, float b, bool ieee)
{
    r = isnan32(a) ? b : r;
    r = isnan32(b) ? a : r;
    /* branch-free, so that the loops vectorize: & and not && */
    r = (ieee & signals(b)) ? quiet32(b) : r;
    return (ieee & signals(a)) ? quiet32(a) : r;
}

static inline float nan_num(float r, float a, float b)
{
    r = isnan32(a) ? b : r;
    r = isnan32(b) ? a : r;
    return isnan32(r) ? quiet32(a) : r;
}

static inline float nan_wins(float r, float a, float b)
{
    r = isnan32(b) ? quiet32(b) : r;
    r = isnan32(a) ? quiet32(a) : r;
    r = signals(b) ? quiet32(b) : r;
    return signals(a) ? quiet32(a) : r;
}

#define MIN_GCN(a, b)    nan_gcn(LOW(a, b), a, b, mode.ieee)
#define MAX_GCN(a, b)    nan_gcn(HIGH(a, b), a, b, mode.ieee)
#define MIN_RDNA3(a, b)  nan_rdna3(LOW(a, b), a, b, mode.ieee)
#define MAX_RDNA3(a, b)  nan_rdna3(HIGH(a, b), a, b, mode.ieee)
#define MIN_NUM(a, b)    nan_num(LOW(a, b), a, b)
#define MAX_NUM(a, b)    nan_num(HIGH(a, b), a, b)
#define MINIMUM(a, b)    nan_wins(LOW(a, b), a, b)
#define MAXIMUM(a, b)    nan_wins(HIGH(a, b), a, b)
#define ANY_NAN(a, b, c) (isnan32(a) | isnan32(b) | isnan32(c))

#define MED3(MIN, MAX)                                                                                                 \
    do {                                                                                                               \
        float ab = MAX(a, b), top = MAX(ab, c), least = MIN(a, b), bc = MAX(b, c), ac = MAX(a, c);                     \
        float r = top == a ? bc : top == b ? ac : ab;                                                                  \
        float bottom = MIN(least, c);                                                                                  \
        return ANY_NAN(a, b, c) ? bottom : r;                                                                          \
    } while (0)

/* Rows of numbers, ordered as integers. False where one is a NaN. */
#define ORDERED(OP) order_rows(ORDER_##OP, d, s0, s1, s2)

static inline int32_t in_order(uint32_t u)
{
    return (int32_t)(u ^ (uint32_t)((int32_t)u >> 31) >> 1);
}

static inline __attribute__((always_inline)) bool order_rows(enum order_op op, uint32_t *d, const uint32_t *s0,
                                                             const uint32_t *s1, const uint32_t *s2)
{
    const unsigned sources = order_sources(op);
    uint32_t nan = 0;

    for (unsigned i = 0; i < 32; i++) {
        uint32_t b = as_f32(s1[i]) != as_f32(s1[i]) ? 1 : 0, c = sources == 3 && as_f32(s2[i]) != as_f32(s2[i]) ? 1 : 0;
        nan |= (as_f32(s0[i]) != as_f32(s0[i]) ? 1u : 0u) | b | c;
    }
    if (__builtin_expect(nan != 0, 0))
        return false;
    LANE_PRAGMA
    for (unsigned i = 0; i < 32; i++) {
        int32_t a = in_order(s0[i]), b = in_order(s1[i]), c = sources == 3 ? in_order(s2[i]) : 0;
        d[i] = (uint32_t)in_order((uint32_t)order_of(op, a, b, c));
    }
    return true;
}

/* --- gfx8: denormals pass, whatever MODE says (LLVM 19, supportsMinMaxDenormModes) -------------------------------- */

V2_ROWS(v_min_f32_gfx8, VALU_DUAL, F32, F32, F32, RF_NO_FLUSH, ORDERED(MIN),
        ENC(AS(GFX8, VOP2, 0x0a, "v_min_f32"), GONE(GFX9, VOP2)))
{
    return MIN_GCN(a, b);
}

V2_ROWS(v_max_f32_gfx8, VALU_DUAL, F32, F32, F32, RF_NO_FLUSH, ORDERED(MAX),
        ENC(AS(GFX8, VOP2, 0x0b, "v_max_f32"), GONE(GFX9, VOP2)))
{
    return MAX_GCN(a, b);
}

V3_ROWS(v_min3_f32_gfx8, VALU, F32, F32, F32, F32, RF_NO_FLUSH, ORDERED(MIN3),
        ENC(AS(GFX8, VOP3, 0x1d0, "v_min3_f32"), GONE(GFX9, VOP3)))
{
    float r = MIN_GCN(a, b);
    return MIN_GCN(r, c);
}

V3_ROWS(v_max3_f32_gfx8, VALU, F32, F32, F32, F32, RF_NO_FLUSH, ORDERED(MAX3),
        ENC(AS(GFX8, VOP3, 0x1d3, "v_max3_f32"), GONE(GFX9, VOP3)))
{
    float r = MAX_GCN(a, b);
    return MAX_GCN(r, c);
}

V3_ROWS(v_med3_f32_gfx8, VALU, F32, F32, F32, F32, RF_NO_FLUSH, ORDERED(MED3),
        ENC(AS(GFX8, VOP3, 0x1d6, "v_med3_f32"), GONE(GFX9, VOP3)))
{
    MED3(MIN_GCN, MAX_GCN);
}

/* --- gfx9, gfx10 -------------------------------------------------------------------------------------------------- */

V2_ROWS(v_min_f32, VALU_DUAL, F32, F32, F32, 0, ORDERED(MIN),
        ENC(OP(GFX9, VOP2, 0x0a), OP(GFX10, VOP2, 0x0f), GONE(GFX11, VOP2)))
{
    return MIN_GCN(a, b);
}

V2_ROWS(v_max_f32, VALU_DUAL, F32, F32, F32, 0, ORDERED(MAX),
        ENC(OP(GFX9, VOP2, 0x0b), OP(GFX10, VOP2, 0x10), GONE(GFX11, VOP2)))
{
    return MAX_GCN(a, b);
}

V3_ROWS(v_min3_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MIN3),
        ENC(OP(GFX9, VOP3, 0x1d0), OP(GFX10, VOP3, 0x151), GONE(GFX11, VOP3)))
{
    float r = MIN_GCN(a, b);
    return MIN_GCN(r, c);
}

V3_ROWS(v_max3_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAX3),
        ENC(OP(GFX9, VOP3, 0x1d3), OP(GFX10, VOP3, 0x154), GONE(GFX11, VOP3)))
{
    float r = MAX_GCN(a, b);
    return MAX_GCN(r, c);
}

V3_ROWS(v_med3_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MED3),
        ENC(OP(GFX9, VOP3, 0x1d6), OP(GFX10, VOP3, 0x157), GONE(GFX11, VOP3)))
{
    MED3(MIN_GCN, MAX_GCN);
}

/* --- gfx11 ------------------------------------------------------------------------------------------------------ */

V2_ROWS(v_min_f32_rdna3, VALU_DUAL, F32, F32, F32, 0, ORDERED(MIN),
        ENC(AS(GFX11, VOP2, 0x0f, "v_min_f32"), GONE(GFX12, VOP2), AS(GFX11, VOPDX, 0x0b, "v_min_f32"),
            GONE(GFX12, VOPDX), AS(GFX11, VOPDY, 0x0b, "v_min_f32"), GONE(GFX12, VOPDY)))
{
    return MIN_RDNA3(a, b);
}

V2_ROWS(v_max_f32_rdna3, VALU_DUAL, F32, F32, F32, 0, ORDERED(MAX),
        ENC(AS(GFX11, VOP2, 0x10, "v_max_f32"), GONE(GFX12, VOP2), AS(GFX11, VOPDX, 0x0a, "v_max_f32"),
            GONE(GFX12, VOPDX), AS(GFX11, VOPDY, 0x0a, "v_max_f32"), GONE(GFX12, VOPDY)))
{
    return MAX_RDNA3(a, b);
}

V3_ROWS(v_min3_f32_rdna3, VALU, F32, F32, F32, F32, 0, ORDERED(MIN3),
        ENC(AS(GFX11, VOP3, 0x219, "v_min3_f32"), GONE(GFX12, VOP3)))
{
    float r = MIN_RDNA3(a, b);
    return MIN_RDNA3(r, c);
}

V3_ROWS(v_max3_f32_rdna3, VALU, F32, F32, F32, F32, 0, ORDERED(MAX3),
        ENC(AS(GFX11, VOP3, 0x21c, "v_max3_f32"), GONE(GFX12, VOP3)))
{
    float r = MAX_RDNA3(a, b);
    return MAX_RDNA3(r, c);
}

V3_ROWS(v_med3_f32_rdna3, VALU, F32, F32, F32, F32, 0, ORDERED(MED3),
        ENC(AS(GFX11, VOP3, 0x21f, "v_med3_f32"), GONE(GFX12, VOP3)))
{
    MED3(MIN_RDNA3, MAX_RDNA3);
}

V3_ROWS(v_minmax_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MINMAX), ENC(OP(GFX11, VOP3, 0x25f), GONE(GFX12, VOP3)))
{
    float r = MIN_RDNA3(a, b);
    return MAX_RDNA3(r, c);
}

V3_ROWS(v_maxmin_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAXMIN), ENC(OP(GFX11, VOP3, 0x25e), GONE(GFX12, VOP3)))
{
    float r = MAX_RDNA3(a, b);
    return MIN_RDNA3(r, c);
}

/* --- gfx12 ------------------------------------------------------------------------------------------------------ */

V2_ROWS(v_min_num_f32, VALU_DUAL, F32, F32, F32, 0, ORDERED(MIN),
        ENC(OP(GFX12, VOP2, 0x15), OP(GFX12, VOPDX, 0x0b), OP(GFX12, VOPDY, 0x0b), OP(GFX12_5, VOPD3X, 0x0b),
            OP(GFX12_5, VOPD3Y, 0x0b)))
{
    return MIN_NUM(a, b);
}

V2_ROWS(v_max_num_f32, VALU_DUAL, F32, F32, F32, 0, ORDERED(MAX),
        ENC(OP(GFX12, VOP2, 0x16), OP(GFX12, VOPDX, 0x0a), OP(GFX12, VOPDY, 0x0a), OP(GFX12_5, VOPD3X, 0x0a),
            OP(GFX12_5, VOPD3Y, 0x0a)))
{
    return MAX_NUM(a, b);
}

V3_ROWS(v_min3_num_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MIN3), ENC(OP(GFX12, VOP3, 0x229)))
{
    float r = MIN_NUM(a, b);
    return MIN_NUM(r, c);
}

V3_ROWS(v_max3_num_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAX3), ENC(OP(GFX12, VOP3, 0x22a)))
{
    float r = MAX_NUM(a, b);
    return MAX_NUM(r, c);
}

V3_ROWS(v_med3_num_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MED3), ENC(OP(GFX12, VOP3, 0x231)))
{
    MED3(MIN_NUM, MAX_NUM);
}

V3_ROWS(v_minmax_num_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MINMAX), ENC(OP(GFX12, VOP3, 0x268)))
{
    float r = MIN_NUM(a, b);
    return MAX_NUM(r, c);
}

V3_ROWS(v_maxmin_num_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAXMIN), ENC(OP(GFX12, VOP3, 0x269)))
{
    float r = MAX_NUM(a, b);
    return MIN_NUM(r, c);
}

V2_ROWS(v_minimum_f32, VALU, F32, F32, F32, 0, ORDERED(MIN), ENC(OP(GFX12, VOP3, 0x365)))
{
    return MINIMUM(a, b);
}

V2_ROWS(v_maximum_f32, VALU, F32, F32, F32, 0, ORDERED(MAX), ENC(OP(GFX12, VOP3, 0x366)))
{
    return MAXIMUM(a, b);
}

V3_ROWS(v_minimum3_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MIN3),
        ENC(OP(GFX950, VOP3, 0x2a8), OP(GFX12, VOP3, 0x22d)))
{
    float r = MINIMUM(a, b);
    return MINIMUM(r, c);
}

V3_ROWS(v_maximum3_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAX3),
        ENC(OP(GFX950, VOP3, 0x2a9), OP(GFX12, VOP3, 0x22e)))
{
    float r = MAXIMUM(a, b);
    return MAXIMUM(r, c);
}

V3_ROWS(v_minimummaximum_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MINMAX), ENC(OP(GFX12, VOP3, 0x26c)))
{
    float r = MINIMUM(a, b);
    return MAXIMUM(r, c);
}

V3_ROWS(v_maximumminimum_f32, VALU, F32, F32, F32, F32, 0, ORDERED(MAXMIN), ENC(OP(GFX12, VOP3, 0x26d)))
{
    float r = MAXIMUM(a, b);
    return MINIMUM(r, c);
}
