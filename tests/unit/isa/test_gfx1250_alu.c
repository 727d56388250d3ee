/* Vector ALU instructions that gfx1250 added (isa/insts/gfx1250.c), row by row in every form that the decoder takes:
 * integers in full width, bf16 and f16 against long double and a search for the nearest number (scaled_numbers.h),
 * those of one 16-bit source for each of its values. DPP crosses lanes over, and one lane is off.
 */
#include "isa/table/list.h"
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/scaled_numbers.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

enum { S0 = 8, S1 = 12, S2 = 16, DST = 4, LANES = 32, OFF = 5, DPP_CROSS = 0xff00b100, DPP8_REVERSE = 0x05397700 };

static bool clamping; /* of what a `right` below judges */
static unsigned table;

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static long double bf16(uint64_t v)
{
    return wide_value(&wides[2], (uint32_t)v & 0xffff);
}

static long double f16(uint64_t v)
{
    return wide_value(&wides[1], (uint32_t)v & 0xffff);
}

static bool near_bf16(uint64_t got, long double x)
{
    return is_nearest(&wides[2], (uint32_t)got & 0xffff, x);
}

static bool near_f16(uint64_t got, long double x)
{
    return is_nearest(&wides[1], (uint32_t)got & 0xffff, x);
}

/* a * b + c with its last bit showing what was lost: nearest in few bits all the same. */
static long double fma_odd(long double a, long double b, long double c)
{
    long double p = a * b, x = p + c, big = fabsl(p) > fabsl(c) ? p : c, small = big == p ? c : p;
    long double lost = isfinite(x) ? small - (x - big) : 0;

    return lost > 0 ? nextafterl(x, (long double)INFINITY) : lost < 0 ? nextafterl(x, -(long double)INFINITY) : x;
}

/* IEEE 754-2019 minimumNumber and maximumNumber, or minimum and maximum, of which a NaN wins. */
static long double lower(long double a, long double b, bool nan_wins)
{
    if (isnan(a) || isnan(b))
        return nan_wins || (isnan(a) && isnan(b)) ? (long double)NAN : isnan(a) ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static long double higher(long double a, long double b, bool nan_wins)
{
    return -lower(-a, -b, nan_wins);
}

static int64_t within(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* --- what is right ------------------------------------------------------------------------------------------------ */

#define RIGHT(NAME, EXPR)                                                                                              \
    static bool NAME(uint64_t got, uint64_t a, uint64_t b, uint64_t c)                                                 \
    {                                                                                                                  \
        (void)a, (void)b, (void)c;                                                                                     \
        return EXPR;                                                                                                   \
    }
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define I32(x)    ((int64_t)(int32_t)(x))
#define U32(x)    ((int64_t)(uint32_t)(x))

RIGHT(add64, got == (clamping && a + b < a ? UINT64_MAX : a + b))
RIGHT(sub64, got == (clamping && a < b ? 0 : a - b))
RIGHT(mul64, got == (uint64_t)((unsigned __int128)a * b))
RIGHT(min_u64, got == MIN(a, b))
RIGHT(max_u64, got == MAX(a, b))
RIGHT(min_i64, (int64_t)got == MIN((int64_t)a, (int64_t)b))
RIGHT(max_i64, (int64_t)got == MAX((int64_t)a, (int64_t)b))
RIGHT(mad_u32, (uint32_t)got == (uint32_t)(a * b + c))
RIGHT(add_max_i32, I32(got) == MAX(I32(within(I32(a) + I32(b), INT32_MIN, INT32_MAX)), I32(c)))
RIGHT(add_min_i32, I32(got) == MIN(I32(within(I32(a) + I32(b), INT32_MIN, INT32_MAX)), I32(c)))
RIGHT(add_max_u32, U32(got) == MAX(U32(within(U32(a) + U32(b), 0, UINT32_MAX)), U32(c)))
RIGHT(add_min_u32, U32(got) == MIN(U32(within(U32(a) + U32(b), 0, UINT32_MAX)), U32(c)))

static bool mad_u64(uint64_t got, uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 r = (unsigned __int128)(uint32_t)a * (uint32_t)b + c;

    return got == (clamping && r >> 64 ? UINT64_MAX : (uint64_t)r);
}

static bool mad_i64(uint64_t got, uint64_t a, uint64_t b, uint64_t c)
{
    __int128 r = (__int128)I32(a) * I32(b) + (int64_t)c;

    return got == (uint64_t)(clamping && r > INT64_MAX ? INT64_MAX : clamping && r < INT64_MIN ? INT64_MIN : r);
}

static bool bitop(uint64_t got, uint64_t a, uint64_t b, uint64_t c, unsigned bits)
{
    uint32_t want = 0;

    for (unsigned k = 0; k < bits; k++)
        want |= (uint32_t)(table >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
    return (got & (bits == 32 ? 0xffffffff : 0xffff)) == want;
}
RIGHT(bitop32, bitop(got, a, b, c, 32))
RIGHT(bitop16, bitop(got, a, b, c, 16))

/* of both halves */
#define I16(x) ((int64_t)(int16_t)(x))
#define U16(x) ((int64_t)(uint16_t)(x))
#define PAIR(NAME, EXPR)                                                                                               \
    RIGHT(NAME##_half, EXPR)                                                                                           \
    RIGHT(NAME, NAME##_half(got, a, b, c) && NAME##_half(got >> 16, a >> 16, b >> 16, c >> 16))
PAIR(pk_add_max_i16, I16(got) == MAX(I16(within(I16(a) + I16(b), INT16_MIN, INT16_MAX)), I16(c)))
PAIR(pk_add_min_i16, I16(got) == MIN(I16(within(I16(a) + I16(b), INT16_MIN, INT16_MAX)), I16(c)))
PAIR(pk_add_max_u16, U16(got) == MAX(U16(within(U16(a) + U16(b), 0, UINT16_MAX)), U16(c)))
PAIR(pk_add_min_u16, U16(got) == MIN(U16(within(U16(a) + U16(b), 0, UINT16_MAX)), U16(c)))
PAIR(pk_max3_i16, I16(got) == MAX(MAX(I16(a), I16(b)), I16(c)))
PAIR(pk_min3_i16, I16(got) == MIN(MIN(I16(a), I16(b)), I16(c)))
PAIR(pk_max3_u16, U16(got) == MAX(MAX(U16(a), U16(b)), U16(c)))
PAIR(pk_min3_u16, U16(got) == MIN(MIN(U16(a), U16(b)), U16(c)))
PAIR(pk_max3_num_f16, near_f16(got, higher(higher(f16(a), f16(b), false), f16(c), false)))
PAIR(pk_min3_num_f16, near_f16(got, lower(lower(f16(a), f16(b), false), f16(c), false)))
PAIR(pk_maximum3_f16, near_f16(got, higher(higher(f16(a), f16(b), true), f16(c), true)))
PAIR(pk_minimum3_f16, near_f16(got, lower(lower(f16(a), f16(b), true), f16(c), true)))
PAIR(pk_fmac_f16, near_f16(got, fma_odd(f16(a), f16(b), f16(c))))
PAIR(pk_fma_bf16, near_bf16(got, fma_odd(bf16(a), bf16(b), bf16(c))))
PAIR(pk_add_bf16, near_bf16(got, fma_odd(bf16(a), 1, bf16(b))))
PAIR(pk_mul_bf16, near_bf16(got, bf16(a) * bf16(b)))
PAIR(pk_min_num_bf16, near_bf16(got, lower(bf16(a), bf16(b), false)))
PAIR(pk_max_num_bf16, near_bf16(got, higher(bf16(a), bf16(b), false)))

/* --- of one source ------------------------------------------------------------------------------------------------ */

/* Quarters of a turn are exact; a zero in between has no sign to speak of. */
static bool near_turn(uint64_t got, long double x, long double ahead)
{
    long double turns = fmodl(fabsl(x), 1), quarters = 4 * (ahead == 0 && x < 0 ? -turns : turns) + 4 * ahead;

    if (!isfinite(x))
        return isnan(bf16(got));
    if (x == 0 && ahead == 0)
        return near_bf16(got, x);
    if (quarters == floorl(quarters)) {
        int q = (int)quarters & 3;
        return q & 1 ? near_bf16(got, q == 1 ? 1 : -1) : bf16(got) == 0;
    }
    return near_bf16(got, sinl(quarters * 1.570796326794896619231321691639751442L));
}
RIGHT(tanh_f32, is_nearest(&wides[0], (uint32_t)got, tanhl(wide_value(&wides[0], (uint32_t)a))))
RIGHT(tanh_f16, near_f16(got, tanhl(f16(a))))
RIGHT(tanh_bf16, near_bf16(got, tanhl(bf16(a))))
RIGHT(rcp_bf16, near_bf16(got, 1 / bf16(a)))
RIGHT(sqrt_bf16, near_bf16(got, sqrtl(bf16(a))))
RIGHT(rsq_bf16, near_bf16(got, 1 / sqrtl(bf16(a))))
RIGHT(log_bf16, near_bf16(got, log2l(bf16(a))))
RIGHT(exp_bf16, near_bf16(got, exp2l(bf16(a))))
RIGHT(sin_bf16, near_turn(got, bf16(a), 0))
RIGHT(cos_bf16, near_turn(got, bf16(a), 0.25L))

static bool sat_pk4(uint64_t got, uint64_t a, int least, int most)
{
    for (unsigned k = 0; k < 4; k++) {
        int v = least ? (int8_t)(a >> 8 * k) : (int)(a >> 8 * k & 0xff);
        if ((got >> 4 * k & 15) != ((unsigned)(v < least ? least : v > most ? most : v) & 15))
            return false;
    }
    return true;
}
RIGHT(sat_pk4_i4, sat_pk4(got, a, -8, 7))
RIGHT(sat_pk4_u4, sat_pk4(got, a, 0, 15))

static bool unpacked(uint64_t got, uint64_t a, const char *format, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!near_f16(got >> 16 * k, small_value(small_format_named(format), a >> 8 * k & 0xff)))
            return false;
    return true;
}
RIGHT(cvt_f16_fp8, unpacked(got, a, "fp8", 1))
RIGHT(cvt_f16_bf8, unpacked(got, a, "bf8", 1))
RIGHT(cvt_pk_f16_fp8, unpacked(got, a, "fp8", 2))
RIGHT(cvt_pk_f16_bf8, unpacked(got, a, "bf8", 2))

/* random >= 0: in the last place of a normal number like the half */
static unsigned packed(uint64_t a, const char *format, int64_t random)
{
    int e = (int)(a >> 10 & 31);
    long double x = copysignl(f16(a), a & 0x8000 ? -1.0L : 1.0L);

    if (random >= 0 && isfinite(x))
        x += copysignl(ldexpl((long double)random, (e ? e : 1) - 25), x);
    return narrowed(small_format_named(format), x, random < 0 ? -1 : 0, false);
}
RIGHT(cvt_pk_fp8_f16, (got & 0xffff) == (packed(a, "fp8", -1) | packed(a >> 16, "fp8", -1) << 8))
RIGHT(cvt_pk_bf8_f16, (got & 0xffff) == (packed(a, "bf8", -1) | packed(a >> 16, "bf8", -1) << 8))
RIGHT(cvt_sr_fp8_f16, (got & 0xff) == packed(a, "fp8", (int64_t)((uint32_t)b >> 25)))
RIGHT(cvt_sr_bf8_f16, (got & 0xff) == packed(a, "bf8", (int64_t)((uint32_t)b >> 24)))

/* Finite numbers that are normal ones after it. */
static bool random_pair(uint64_t got, const uint64_t in[2], uint64_t random, const struct wide *w, unsigned bits)
{
    for (unsigned k = 0; k < 2; k++) {
        long double x = wide_value(&wides[0], (uint32_t)in[k]);
        int e = (int)(in[k] >> 23 & 0xff) - 127;
        uint32_t have = (uint32_t)(got >> 16 * k & 0xffff), part = (uint32_t)(random >> (16 * k + 16 - bits));
        if (!isfinite(x) || e < -14 || e > 14)
            continue;
        x = fabsl(x) + ldexpl((long double)(part & ((1u << bits) - 1)), e - (int)w->mantissa - (int)bits);
        long double low = fabsl(wide_value(w, have)), step = wide_value(w, (have & 0x7fff) + 1) - low;
        if (have >> 15 != in[k] >> 31 || low > x || low + step <= x)
            return false;
    }
    return true;
}
RIGHT(cvt_sr_pk_f16_f32, random_pair(got, (const uint64_t[]){(uint32_t)a, (uint32_t)b}, (uint32_t)c, &wides[1], 13))
RIGHT(cvt_sr_pk_bf16_f32, random_pair(got, (const uint64_t[]){(uint32_t)a, (uint32_t)b}, (uint32_t)c, &wides[2], 16))

/* --- rows --------------------------------------------------------------------------------------------------------- */

enum { CLAMPS = 1, EACH = 2, TABLE = 4, ADDS = 8 }; /* EACH: all values of 16 bits; ADDS: c is the old destination */

static const struct subject {
    const char *row;
    uint8_t format;
    bool (*right)(uint64_t got, uint64_t a, uint64_t b, uint64_t c);
    unsigned flags;
} subjects[] = {
    {"v_add_nc_u64", FMT_VOP2, add64, CLAMPS},
    {"v_sub_nc_u64", FMT_VOP2, sub64, CLAMPS},
    {"v_mul_u64", FMT_VOP2, mul64, 0},
    {"v_min_u64", FMT_VOP3, min_u64, 0},
    {"v_max_u64", FMT_VOP3, max_u64, 0},
    {"v_min_i64", FMT_VOP3, min_i64, 0},
    {"v_max_i64", FMT_VOP3, max_i64, 0},
    {"v_mad_nc_u64_u32", FMT_VOP3, mad_u64, CLAMPS},
    {"v_mad_nc_i64_i32", FMT_VOP3, mad_i64, CLAMPS},
    {"v_mad_u32", FMT_VOP3, mad_u32, 0},
    {"v_add_max_i32", FMT_VOP3, add_max_i32, CLAMPS},
    {"v_add_max_u32", FMT_VOP3, add_max_u32, CLAMPS},
    {"v_add_min_i32", FMT_VOP3, add_min_i32, CLAMPS},
    {"v_add_min_u32", FMT_VOP3, add_min_u32, CLAMPS},
    {"v_bitop3_b32", FMT_VOP3, bitop32, TABLE},
    {"v_bitop3_b16", FMT_VOP3, bitop16, TABLE},
    {"v_pk_add_max_i16", FMT_VOP3P, pk_add_max_i16, CLAMPS},
    {"v_pk_add_max_u16", FMT_VOP3P, pk_add_max_u16, CLAMPS},
    {"v_pk_add_min_i16", FMT_VOP3P, pk_add_min_i16, CLAMPS},
    {"v_pk_add_min_u16", FMT_VOP3P, pk_add_min_u16, CLAMPS},
    {"v_pk_max3_i16", FMT_VOP3P, pk_max3_i16, 0},
    {"v_pk_max3_u16", FMT_VOP3P, pk_max3_u16, 0},
    {"v_pk_min3_i16", FMT_VOP3P, pk_min3_i16, 0},
    {"v_pk_min3_u16", FMT_VOP3P, pk_min3_u16, 0},
    {"v_pk_max3_num_f16", FMT_VOP3P, pk_max3_num_f16, 0},
    {"v_pk_min3_num_f16", FMT_VOP3P, pk_min3_num_f16, 0},
    {"v_pk_maximum3_f16", FMT_VOP3P, pk_maximum3_f16, 0},
    {"v_pk_minimum3_f16", FMT_VOP3P, pk_minimum3_f16, 0},
    {"v_pk_fmac_f16_gfx1250", FMT_VOP2, pk_fmac_f16, ADDS},
    {"v_pk_fma_bf16", FMT_VOP3P, pk_fma_bf16, 0},
    {"v_pk_add_bf16", FMT_VOP3P, pk_add_bf16, 0},
    {"v_pk_mul_bf16", FMT_VOP3P, pk_mul_bf16, 0},
    {"v_pk_min_num_bf16", FMT_VOP3P, pk_min_num_bf16, 0},
    {"v_pk_max_num_bf16", FMT_VOP3P, pk_max_num_bf16, 0},
    {"v_tanh_f32", FMT_VOP1, tanh_f32, 0},
    {"v_tanh_f16", FMT_VOP1, tanh_f16, EACH},
    {"v_tanh_bf16", FMT_VOP1, tanh_bf16, EACH},
    {"v_rcp_bf16", FMT_VOP1, rcp_bf16, EACH},
    {"v_sqrt_bf16", FMT_VOP1, sqrt_bf16, EACH},
    {"v_rsq_bf16", FMT_VOP1, rsq_bf16, EACH},
    {"v_log_bf16", FMT_VOP1, log_bf16, EACH},
    {"v_exp_bf16", FMT_VOP1, exp_bf16, EACH},
    {"v_sin_bf16", FMT_VOP1, sin_bf16, EACH},
    {"v_cos_bf16", FMT_VOP1, cos_bf16, EACH},
    {"v_sat_pk4_i4_i8", FMT_VOP1, sat_pk4_i4, 0},
    {"v_sat_pk4_u4_u8", FMT_VOP1, sat_pk4_u4, 0},
    {"v_cvt_f16_fp8", FMT_VOP1, cvt_f16_fp8, EACH},
    {"v_cvt_f16_bf8", FMT_VOP1, cvt_f16_bf8, EACH},
    {"v_cvt_pk_f16_fp8", FMT_VOP1, cvt_pk_f16_fp8, EACH},
    {"v_cvt_pk_f16_bf8", FMT_VOP1, cvt_pk_f16_bf8, EACH},
    {"v_cvt_pk_fp8_f16", FMT_VOP3, cvt_pk_fp8_f16, EACH},
    {"v_cvt_pk_bf8_f16", FMT_VOP3, cvt_pk_bf8_f16, EACH},
    {"v_cvt_sr_fp8_f16", FMT_VOP3, cvt_sr_fp8_f16, EACH},
    {"v_cvt_sr_bf8_f16", FMT_VOP3, cvt_sr_bf8_f16, EACH},
    {"v_cvt_sr_pk_f16_f32", FMT_VOP3, cvt_sr_pk_f16_f32, 0},
    {"v_cvt_sr_pk_bf16_f32", FMT_VOP3, cvt_sr_pk_bf16_f32, 0},
};

static uint32_t draw(void)
{
    static const uint16_t corners[] = {0,      1,      0x7fff, 0x8000, 0x8001, 0xffff, 0x3f80, 0xbf80,
                                       0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x0080, 0x007f, 0x7f7f, 0xff7f,
                                       0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7bff, 0x0400,
                                       0x03ff, 0x4000, 0xc040, 0x3e80, 0x4300, 0x0007, 0x00f8, 0x0808};
    uint32_t how = rnd() % 8, low = corners[rnd() % COUNT(corners)], high = corners[rnd() % COUNT(corners)];

    return how < 3 ? low | high << 16 : how == 3 ? high << 16 : how == 4 ? 0x3c003f80 + (rnd() & 0x03ff03ff) : rnd();
}

static unsigned encode(const struct rig *r, const struct subject *s, unsigned format, unsigned op, unsigned form,
                       uint32_t w[4])
{
    const struct isa_row *row = r->t->ops[format][op].row;
    const bool dpp16 = isa_form_is_dpp16(form), dpp8 = isa_form_is_dpp8(form);
    unsigned s0 = dpp16 ? CODE_DPP16 : dpp8 ? CODE_DPP8 : CODE_VGPR + S0, n = 1;
    unsigned s1 = row_has(row, SL_SRC1) ? CODE_VGPR + S1 : 0, s2 = row_has(row, SL_SRC2) ? CODE_VGPR + S2 : 0;

    w[1] = 0;
    if (format == FMT_VOP1)
        w[0] = vop1((int)op, DST, s0);
    else if (format == FMT_VOP2)
        w[0] = op << 25 | (uint32_t)DST << 17 | (s1 & 0xff) << 9 | s0;
    else {
        vop3(r->t, w, (int)op, DST, s0, s1, s2);
        w[0] = format == FMT_VOP3P ? (w[0] & 0x00ffffff) | 0xcc004000 : w[0];
        w[1] |= format == FMT_VOP3P ? 3u << 27 : 0; /* op_sel_hi */
        w[0] |= clamping ? 1u << 15 : 0;
        if (s->flags & TABLE) {
            w[0] |= (table >> 3 & 7) << 8;
            w[1] |= (table & 7) << 29 | table >> 6 << 27;
        }
        n = 2;
    }
    if (dpp16 || dpp8)
        w[n++] = (dpp16 ? DPP_CROSS : DPP8_REVERSE) | S0;
    return n;
}

static uint64_t pair_at(const struct rig *r, unsigned reg, unsigned l)
{
    return rig_getv(r, reg, l) | (uint64_t)rig_getv(r, reg + 1, l) << 32;
}

static void run_once(struct rig *r, const struct subject *s, unsigned format, unsigned op, unsigned form, unsigned from)
{
    const struct isa_row *row = r->t->ops[format][op].row;
    const unsigned bits = isa_types[row->args[0].type].bits, from_lane = isa_form_is_dpp16(form)  ? 1
                                                                         : isa_form_is_dpp8(form) ? 7
                                                                                                  : 0;
    uint64_t old[LANES];
    uint32_t w[4];

    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned n = 0; n < 2; n++) {
            rig_v(r, S0 + n, l, draw());
            rig_v(r, S1 + n, l, draw());
            rig_v(r, S2 + n, l, draw());
            rig_v(r, DST + n, l, draw());
        }
        if (s->flags & EACH)
            rig_v(r, S0, l, (from + l) | ((from + l) * 0x9e370000u));
        old[l] = pair_at(r, DST, l);
    }
    isa_set_exec(&r->w, lane_mask(LANES) & ~(UINT64_C(1) << OFF));
    rig_run(r, w, encode(r, s, format, op, form, w));
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t got = pair_at(r, DST, l), a = pair_at(r, S0, l ^ from_lane), b = pair_at(r, S1, l);
        uint64_t c = s->flags & ADDS ? old[l] : pair_at(r, S2, l), kept = bits >= 64 ? 0 : ~UINT64_C(0) << bits;
        /* DPP16 has nothing of a lane that is off, DPP8 a zero */
        if (l == OFF || (isa_form_is_dpp16(form) && (l ^ from_lane) == OFF)) {
            if (got != old[l])
                fail_msg("%s, form %s, lane %u: 0x%016llx became 0x%016llx", s->row, isa_form_name[form], l,
                         (unsigned long long)old[l], (unsigned long long)got);
            continue;
        }
        if ((l ^ from_lane) == OFF)
            a = 0;
        kept = strstr(s->row, "cvt_sr_fp8_f16") || strstr(s->row, "cvt_sr_bf8_f16") ? ~UINT64_C(0xff) : kept;
        if (!s->right(got, a, b, c) || (got & kept) != (old[l] & kept))
            fail_msg("%s, form %s%s, lane %u: 0x%016llx 0x%016llx 0x%016llx gave 0x%016llx (was 0x%016llx)", s->row,
                     isa_form_name[form], clamping ? ", clamp" : "", l, (unsigned long long)a, (unsigned long long)b,
                     (unsigned long long)c, (unsigned long long)got, (unsigned long long)old[l]);
    }
}

static void run_form(struct rig *r, const struct subject *s, unsigned format, unsigned op, unsigned form)
{
    const bool each = s->flags & EACH, wide_form = format == FMT_VOP3 || format == FMT_VOP3P;

    for (unsigned how = 0; how < (s->flags & CLAMPS && wide_form ? 2u : s->flags & TABLE ? 256u : 1u); how++) {
        clamping = how && (s->flags & CLAMPS);
        table = how;
        for (unsigned from = 0; from < (each ? 0x10000u : s->flags & TABLE ? LANES : 400 * LANES); from += LANES)
            run_once(r, s, format, op, form, from);
    }
    clamping = false;
}

static void every_row(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    isa_set_mode(&r.w, 0xf0);
    for (unsigned k = 0; k < COUNT(subjects); k++) {
        const struct subject *s = &subjects[k];
        const unsigned formats[2] = {s->format, FMT_VOP3};
        unsigned runs = 0;
        for (unsigned f = 0; f < (s->format == FMT_VOP1 || s->format == FMT_VOP2 ? 2u : 1u); f++) {
            int op = opcode_of(r.t, formats[f], s->row);
            uint32_t forms = op < 0 ? 0 : isa_list_forms(r.t, (enum isa_format)formats[f], (unsigned)op);
            for (unsigned form = 0; form < FORM_VOPD; form++)
                if (forms >> form & 1) {
                    run_form(&r, s, formats[f], (unsigned)op, form);
                    runs++;
                }
        }
        if (!runs)
            fail_msg("%s has no form", s->row);
    }
    rig_close(&r);
}

/* --- mixed ones, constants, exchanges ----------------------------------------------------------------------------- */

/* op_sel_hi takes a half for a source, op_sel the upper one; to f32 first, then to bf16. */
static void fma_mix(void **state)
{
    static const char *const rows[] = {"v_fma_mix_f32_bf16", "v_fma_mixlo_bf16", "v_fma_mixhi_bf16"};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    isa_set_mode(&r.w, 0xf0);
    for (unsigned k = 0; k < COUNT(rows) * 64 * 3; k++) {
        const unsigned half = k & 7, upper = k >> 3 & 7, which = k / 64 % 3, form = k / 192;
        int op = opcode_of(r.t, FMT_VOP3P, rows[which]);
        const unsigned lane = form == 1 ? 1 : form == 2 ? 7 : 0;
        uint32_t old[LANES], w[3];
        for (unsigned l = 0; l < LANES; l++) {
            rig_v(&r, S0, l, draw());
            rig_v(&r, S1, l, draw());
            rig_v(&r, S2, l, draw());
            rig_v(&r, DST, l, old[l] = draw());
        }
        isa_set_exec(&r.w, lane_mask(LANES));
        w[0] = 0xcc000000 | (uint32_t)op << 16 | DST | upper << 11 | half >> 2 << 14;
        w[1] = (form == 1   ? CODE_DPP16
                : form == 2 ? CODE_DPP8
                            : CODE_VGPR + S0) |
               (CODE_VGPR + S1) << 9 | (uint32_t)(CODE_VGPR + S2) << 18 | (half & 3) << 27;
        w[2] = (form == 1 ? DPP_CROSS : DPP8_REVERSE) | S0;
        rig_run(&r, w, form ? 3 : 2);
        for (unsigned l = 0; l < LANES; l++) {
            float in[3];
            uint32_t got = rig_getv(&r, DST, l);
            for (unsigned n = 0; n < 3; n++) {
                uint32_t v = rig_getv(&r, S0 + 4 * n, n ? l : l ^ lane);
                in[n] = as_f32(!(half >> n & 1) ? v : upper >> n & 1 ? v & 0xffff0000 : v << 16);
            }
            float want = fmaf(in[0], in[1], in[2]);
            if (which == 0)
                assert_true(isnan(want) ? isnan(as_f32(got)) : bits_f32(want) == got);
            else
                assert_true(near_bf16(which == 2 ? got >> 16 : got, (long double)want));
            if (which)
                assert_int_equal(which == 2 ? got & 0xffff : got >> 16, which == 2 ? old[l] & 0xffff : old[l] >> 16);
        }
    }
    rig_close(&r);
}

/* a * K + b and a * b + K, K a literal of 64 bits */
static void fma_constant(void **state)
{
    static const double numbers[] = {0.5, -3.25, 1e300, -1e-300, 7.0, 0x1.fffffffffffffp+3, 12345.678};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    isa_set_mode(&r.w, 0xf0);
    for (unsigned k = 0; k < COUNT(numbers) * 2; k++) {
        const bool end = k & 1;
        const double constant = numbers[k / 2];
        int op = opcode_of(r.t, FMT_VOP2, end ? "v_fmaak_f64" : "v_fmamk_f64");
        double a[LANES], b[LANES];
        for (unsigned l = 0; l < LANES; l++) {
            a[l] = numbers[l % COUNT(numbers)] * (l + 1);
            b[l] = numbers[(l * 3 + k) % COUNT(numbers)] / (l + 3);
            for (unsigned n = 0; n < 2; n++) {
                rig_v(&r, S0 + n, l, (uint32_t)(bits_f64(a[l]) >> 32 * n));
                rig_v(&r, S1 + n, l, (uint32_t)(bits_f64(b[l]) >> 32 * n));
            }
        }
        isa_set_exec(&r.w, lane_mask(LANES));
        rig_run(&r,
                (uint32_t[]){(uint32_t)op << 25 | DST << 17 | S1 << 9 | (CODE_VGPR + S0), (uint32_t)bits_f64(constant),
                             (uint32_t)(bits_f64(constant) >> 32)},
                3);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(pair_at(&r, DST, l),
                             bits_f64(end ? fma(a[l], b[l], constant) : fma(a[l], constant, b[l])));
    }
    rig_close(&r);
}

/* Lanes 0 to 15 of the source and 16 to 31 of the destination change places; a lane that is off keeps what it has. */
static void permlane16_swap(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t exec = k & 1 ? UINT64_C(0xfff7ffde) : lane_mask(LANES);
        uint32_t w[2] = {vop1(opcode_of(r.t, FMT_VOP1, "v_permlane16_swap_b32"), DST, CODE_VGPR + S0), 0};
        for (unsigned l = 0; l < LANES; l++) {
            rig_v(&r, DST, l, 0x1000 + l);
            rig_v(&r, S0, l, 0x2000 + l);
        }
        if (k & 2)
            vop3(r.t, w, opcode_of(r.t, FMT_VOP3, "v_permlane16_swap_b32"), DST, CODE_VGPR + S0, 0, 0);
        isa_set_exec(&r.w, exec);
        rig_run(&r, w, k & 2 ? 2 : 1);
        for (unsigned l = 0; l < LANES; l++) {
            bool on = exec >> l & 1;
            assert_int_equal(rig_getv(&r, DST, l), l >= 16 && on ? 0x2000 + l - 16 : 0x1000 + l);
            assert_int_equal(rig_getv(&r, S0, l), l < 16 && on ? 0x1000 + l + 16 : 0x2000 + l);
        }
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(fma_mix),
        cmocka_unit_test(fma_constant),
        cmocka_unit_test(permlane16_swap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
