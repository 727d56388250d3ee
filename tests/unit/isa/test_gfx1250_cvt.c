/* gfx1250's conversions between floats and packed small ones with a scale (v_cvt_scale_pk*, v_cvt_scalef32_*pk*)
 * against a search through all values of the small format (scaled_numbers.h); its other conversions of halves and of
 * pairs with a random number against the definition in long double, for every half and every code. Where each lane of a
 * widening finds its scale stands here once more, as a table of every scale_sel. With clamp the 8 bits of four
 * conversions are e5m3, from and to which every code is checked.
 */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/harness.h"
#include "tests/unit/isa/scaled_numbers.h"

enum { D = 0, A = 64, B = 128, C = 192, LANES = 32, SGPR = 40 };

static const uint8_t scale_bytes[] = {127, 126, 128, 0, 1, 100, 112, 140, 200, 254, 255, 113, 150};
enum { SCALES = sizeof scale_bytes };

/* --- widening ----------------------------------------------------------------------------------------------------- */

/* Composable Kernel's table: the half of the wave that has the scales, and the bytes for lanes 0 to 15 and 16 to 31. */
struct place {
    uint8_t half, lower, upper;
};
static const struct place places_8bit[16] = {
    {0, 0, 0}, {1, 0, 0}, {0, 2, 2}, {1, 2, 2}, {0, 1, 1}, {1, 1, 1},
    {0, 3, 3}, {1, 3, 3}, {0, 0, 1}, {1, 0, 1}, {0, 2, 3}, {1, 2, 3}, /* reserved, bit 2 is not looked at: */
    {0, 0, 1}, {1, 0, 1}, {0, 2, 3}, {1, 2, 3},
};
static const struct place places_smaller[8] = {
    {0, 0, 1}, {1, 0, 1}, {0, 2, 3}, {1, 2, 3}, {0, 0, 2}, {1, 0, 2}, {0, 1, 3}, {1, 1, 3},
};

static unsigned scale_of(const struct conversion *c, unsigned select, unsigned l, const uint32_t *words)
{
    const struct place *p = c->small->bits == 8 ? &places_8bit[select] : &places_smaller[select & 7];

    return words[p->half * 16 + l % 16] >> 8 * (l < 16 ? p->lower : p->upper) & 0xff;
}

static void check_widened(const struct rig *r, const char *name, const struct conversion *c, unsigned select,
                          const uint32_t *scales, const uint32_t source[3], unsigned l)
{
    unsigned scale = scale_of(c, select, l, scales);
    uint32_t got[16];

    for (unsigned n = 0; n < 16; n++)
        got[n] = rig_getv(r, D + n, l);
    for (unsigned k = 0; k < c->count; k++) {
        unsigned code = bits_at(source, k * c->small->bits, c->small->bits);
        long double x = scale == 255 ? (long double)NAN : ldexpl(small_value(c->small, code), (int)scale - 127);
        uint32_t have = bits_at(got, k * c->wide->bits, c->wide->bits);
        if (!is_nearest(c->wide, have, x))
            fail_msg("%s scale_sel %u lane %u number %u: code 0x%x at scale %u became 0x%x, expected %Lg", name, select,
                     l, k, code, scale, have, x);
    }
}

/* The scales in register B, in one that the result goes to, in a scalar, or a constant. */
enum from { FROM_VGPR, FROM_RESULT, FROM_SGPR, FROM_CONSTANT, FROM_COUNT };

static void widen(struct rig *r, unsigned op, const char *name, const struct conversion *c, unsigned select,
                  enum from from)
{
    const uint64_t exec = ~(UINT64_C(1) << 5 | UINT64_C(1) << 20) & lane_mask(LANES);
    const unsigned words = c->count * c->wide->bits / 32;
    uint32_t scales[LANES], source[LANES][3], old[LANES];
    uint32_t operand = from == FROM_VGPR     ? CODE_VGPR + B
                       : from == FROM_RESULT ? CODE_VGPR + D + words - 1
                       : from == FROM_SGPR   ? SGPR
                                             : 128 + 57;

    for (unsigned l = 0; l < LANES; l++) {
        uint32_t all = 0;
        for (unsigned n = 0; n < 4; n++)
            all |= (uint32_t)scale_bytes[rnd() % SCALES] << 8 * n;
        for (unsigned n = 0; n < 3; n++)
            rig_v(r, A + n, l, source[l][n] = rnd());
        for (unsigned n = 0; n < 20; n++)
            rig_v(r, D + n, l, rnd());
        rig_v(r, B, l, all);
        rig_v(r, D + words - 1, l, from == FROM_RESULT ? all : rig_getv(r, D + words - 1, l));
        r->w.s[SGPR] = from == FROM_SGPR && l == 0 ? all : r->w.s[SGPR];
        scales[l] = from == FROM_CONSTANT ? 57 : from == FROM_SGPR ? r->w.s[SGPR] : all;
        old[l] = rig_getv(r, D + words, l);
    }
    uint32_t off[2] = {rig_getv(r, D, 5), rig_getv(r, D, 20)};
    isa_set_exec(&r->w, exec);
    rig_run(r, (uint32_t[]){0xd4000000 | op << 16 | select << 11 | D, (CODE_VGPR + A) | operand << 9}, 2);
    assert_int_equal(rig_getv(r, D, 5), off[0]);
    assert_int_equal(rig_getv(r, D, 20), off[1]);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(rig_getv(r, D + words, l), old[l]);
        if (exec >> l & 1)
            check_widened(r, name, c, select, scales, source[l], l);
    }
}

/* Every code at every scale, one of each in a lane. */
static void widen_codes(struct rig *r, unsigned op, const char *name, const struct conversion *c)
{
    const unsigned codes = 1u << c->small->bits;
    uint32_t scales[LANES], source[LANES][3];

    isa_set_exec(&r->w, lane_mask(LANES));
    for (unsigned scale = 0; scale < 256; scale++)
        for (unsigned from = 0; from < codes; from += LANES * c->count) {
            for (unsigned l = 0; l < LANES; l++) {
                memset(source[l], 0, sizeof source[l]);
                for (unsigned k = 0; k < c->count * c->small->bits; k++) {
                    unsigned code = (from + l * c->count + k / c->small->bits) % codes;
                    source[l][k / 32] |= (code >> k % c->small->bits & 1) << k % 32;
                }
                for (unsigned n = 0; n < 3; n++)
                    rig_v(r, A + n, l, source[l][n]);
                rig_v(r, B, l, scales[l] = scale | scale << 8);
            }
            rig_run(r, (uint32_t[]){0xd4000000 | op << 16 | D, (CODE_VGPR + A) | (CODE_VGPR + B) << 9}, 2);
            for (unsigned l = 0; l < LANES; l++)
                check_widened(r, name, c, 0, scales, source[l], l);
        }
}

/* --- narrowing ---------------------------------------------------------------------------------------------------- */

struct picks {
    int scale;
    bool saturate;
    uint32_t seed; /* of every lane; 1: each has its own */
};

static void check_narrowed(const struct rig *r, const char *name, const struct conversion *c, const struct picks *p,
                           const uint32_t source[16], unsigned l)
{
    const unsigned wide = c->wide->bits, sign = 1u << (wide - 1);
    const int more = (int)c->wide->mantissa - (int)c->small->mantissa;
    uint32_t seed = rig_getv(r, B, l), got[3];

    for (unsigned n = 0; n < 3; n++)
        got[n] = rig_getv(r, D + n, l);
    for (unsigned k = 0; k < c->count; k++) {
        uint32_t v = bits_at(source, k * wide, wide);
        long double x = p->scale == 255 ? (long double)NAN : ldexpl(wide_value(c->wide, v), 127 - p->scale);
        if (isnan(x))
            x = copysignl((long double)NAN, v & sign ? -1.0L : 1.0L);
        long double random = c->random ? ldexpl((long double)(seed >> (32 - more)), -more) : -1;
        unsigned want = narrowed(c->small, x, random, p->saturate);
        unsigned have = bits_at(got, k * c->small->bits, c->small->bits);
        if (want != have)
            fail_msg("%s lane %u number %u: 0x%x at scale %d (seed 0x%x) became 0x%x, expected 0x%x", name, l, k, v,
                     p->scale, seed, have, want);
        seed = seed << 1 ^ (seed >> 31 ? 197 : 0);
    }
}

/* The scale is the last operand; its sign and fraction mean nothing. */
static void narrow_words(struct rig *r, unsigned op, const char *name, const struct conversion *c,
                         const struct picks *p, uint32_t source[LANES][16])
{
    const uint64_t exec = ~(UINT64_C(1) << 5 | UINT64_C(1) << 20) & lane_mask(LANES);
    const unsigned scale_at = c->random ? C : B, words = c->count * c->small->bits / 32;
    uint32_t old[LANES][4];

    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned n = 0; n < 4; n++)
            rig_v(r, D + n, l, old[l][n] = rnd());
        for (unsigned n = 0; n < 16; n++)
            rig_v(r, A + n, l, source[l][n]);
        rig_v(r, B, l, p->seed == 1 ? rnd() : p->seed);
        rig_v(r, scale_at, l, (uint32_t)p->scale << 23 | (rnd() & 0x807fffff));
    }
    isa_set_exec(&r->w, exec);
    r->w.mode.fp16_ovfl = p->saturate;
    rig_run(r,
            (uint32_t[]){0xd4000000 | op << 16 | D,
                         (CODE_VGPR + A) | (CODE_VGPR + B) << 9 | (c->random ? (uint32_t)(CODE_VGPR + C) << 18 : 0)},
            2);
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned n = exec >> l & 1 ? words : 0; n < 4; n++)
            assert_int_equal(rig_getv(r, D + n, l), old[l][n]);
        if (exec >> l & 1)
            check_narrowed(r, name, c, p, source[l], l);
    }
}

static void narrow(struct rig *r, unsigned op, const char *name, const struct conversion *c, const struct picks *p)
{
    uint32_t source[LANES][16];

    for (unsigned l = 0; l < LANES; l++)
        for (unsigned n = 0; n < 16; n++) {
            uint32_t low = draw_wide(c, p->scale);
            source[l][n] = c->wide->bits == 32 ? low : low | draw_wide(c, p->scale) << 16;
        }
    narrow_words(r, op, name, c, p, source);
}

/* Every f16 or bf16, as it is. */
static void narrow_halves(struct rig *r, unsigned op, const char *name, const struct conversion *c)
{
    const struct picks p = {127, false, 1};
    uint32_t source[LANES][16] = {{0}};

    for (unsigned from = 0; from < 0x10000; from += LANES * c->count) {
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned n = 0; n < c->count / 2; n++)
                source[l][n] = (from + l * c->count + 2 * n) * 0x10001 + 0x10000;
        narrow_words(r, op, name, c, &p, source);
    }
}

static void conversions(void **state)
{
    static const uint32_t seeds[] = {0, 0xffffffff, 1, 0x80000000};
    struct rig r;
    unsigned widening = 0, narrowing = 0, random = 0;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned op = 0; op < r.t->op_count[FMT_VOP3]; op++) {
        const char *name = r.t->ops[FMT_VOP3][op].mnemonic;
        struct conversion c;
        if (!name || strncmp(name, "v_cvt_scale", 11) != 0)
            continue;
        read_name(name, &c);
        if (!c.narrows) {
            widening++;
            for (unsigned select = 0; select < 16; select++)
                for (unsigned from = 0; from < FROM_COUNT; from++)
                    for (unsigned k = 0; k < 4; k++)
                        widen(&r, op, name, &c, select, (enum from)from);
            widen_codes(&r, op, name, &c);
            continue;
        }
        narrowing++;
        random += c.random;
        for (unsigned k = 0; k < SCALES; k++)
            for (unsigned saturate = 0; saturate < 2; saturate++)
                for (unsigned s = 0; s < (c.random ? 4u : 1u); s++)
                    narrow(&r, op, name, &c, &(struct picks){scale_bytes[k], saturate, seeds[s]});
        if (c.wide->bits == 16)
            narrow_halves(&r, op, name, &c);
    }
    rig_close(&r);
    assert_int_equal(widening, 15);
    assert_int_equal(narrowing, 30);
    assert_int_equal(random, 15);
}

/* --- pairs with a random number ----------------------------------------------------------------------------------- */

/* The number of the format at or below |x|, of x's sign; at most the largest. */
static uint32_t cut(const struct wide *w, long double x)
{
    uint32_t top = 1u << (w->bits - 1), low = 0, high = (top - 1) & ~((1u << w->mantissa) - 1);

    while (high - low > 1) { /* low is at or below */
        uint32_t mid = (low + high) / 2;
        if (wide_value(w, mid) <= fabsl(x))
            low = mid;
        else
            high = mid;
    }
    return low | (signbit(x) ? top : 0);
}

/* `bits` random ones go below the last place that the format has of a normal number like a. */
static uint32_t rounded(const struct wide *w, uint32_t a, uint32_t random, unsigned bits)
{
    const struct wide *f32 = wide_named("f32");
    long double x = wide_value(f32, a);
    int e = (int)(a >> 23 & 0xff);

    x += copysignl(ldexpl((long double)random, (e ? e : 1) - 127 - (int)w->mantissa - (int)bits), x);
    if (fabsl(x) >= (w->mantissa == 7 ? 0x1p128L : 0x1p16L))
        return (w->mantissa == 7 ? 0x7f80 : 0x7c00) | (a >> 16 & 0x8000);
    return cut(w, x);
}

static uint32_t draw_f32(void)
{
    static const uint32_t special[] = {0,          1,          0x7f7fffff, 0x477fefff, 0x477ff000,
                                       0x477fffff, 0x38800000, 0x387fffff, 0x33800000, 0x33000000,
                                       0x00800000, 0x3f800000, 0x3f801000, 0x3f808000};
    uint32_t sign = rnd() & 0x80000000;

    switch (rnd() % 4) {
    case 0:
        return sign | special[rnd() % (sizeof special / sizeof *special)];
    case 1:
        return sign | (rnd() & 0x7fffffff);
    default:
        return sign | (0x38000000 + rnd() % 0x10000000);
    }
}

static void random_pairs(void **state)
{
    static const uint32_t seeds[] = {0, 0xffffffff, 0x0000ffff, 0xffff0000, 0x00070007, 0x00080008, 0x80008000};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned f16 = 0; f16 < 2; f16++) {
        const struct wide *w = wide_named(f16 ? "f16" : "bf16");
        int op = opcode_of(r.t, FMT_VOP3, f16 ? "v_cvt_sr_pk_f16_f32" : "v_cvt_sr_pk_bf16_f32");
        for (unsigned round = 0; round < 2000; round++) {
            for (unsigned l = 0; l < LANES; l++) {
                rig_v(&r, A, l, draw_f32());
                rig_v(&r, B, l, draw_f32());
                rig_v(&r, C, l, round % 8 == 7 ? rnd() : seeds[round % 8]);
            }
            uint32_t words[3];
            vop3(r.t, words, op, D, CODE_VGPR + A, CODE_VGPR + B, CODE_VGPR + C);
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t got = rig_getv(&r, D, l), seed = rig_getv(&r, C, l);
                for (unsigned k = 0; k < 2; k++) {
                    uint32_t a = rig_getv(&r, k ? B : A, l), have = k ? got >> 16 : got & 0xffff;
                    uint32_t half = k ? seed >> 16 : seed & 0xffff;
                    if ((a & 0x7fffffff) > 0x7f800000)
                        assert_true(isnan(wide_value(w, have)));
                    else if ((a & 0x7fffffff) == 0x7f800000)
                        assert_true(isinf(wide_value(w, have)) && have >> 15 == a >> 31);
                    else if (have != rounded(w, a, f16 ? half >> 3 : half, f16 ? 13 : 16))
                        fail_msg("%s: 0x%08x, random 0x%04x: 0x%04x", w->name, a, half, have);
                }
            }
        }
        uint32_t infinite[3];
        rig_vall(&r, A, 0x7f800000);
        rig_vall(&r, B, 0xffc12345);
        rig_vall(&r, C, 0xffffffff);
        vop3(r.t, infinite, op, D, CODE_VGPR + A, CODE_VGPR + B, CODE_VGPR + C);
        rig_run(&r, infinite, 2);
        assert_int_equal(rig_getv(&r, D, 3), f16 ? 0xfe097c00 : 0xffc17f80);
        infinite[1] |= 3u << 29; /* neg on both */
        rig_run(&r, infinite, 2);
        assert_int_equal(rig_getv(&r, D, 3), f16 ? 0x7e09fc00 : 0x7fc1ff80);
    }
    rig_close(&r);
}

/* --- halves and 8 bits -------------------------------------------------------------------------------------------- */

static void pack_halves(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 16; k++) { /* which format, saturated, to the upper half, clamp */
        const bool e5m3 = k & 8;
        const struct small_format *f = e5m3 ? &small_e5m3 : small_format_named(k & 1 ? "bf8" : "fp8");
        const struct wide *half = wide_named("f16");
        if (e5m3 && (k & 1))
            continue;
        int op = opcode_of(r.t, FMT_VOP3, k & 1 ? "v_cvt_pk_bf8_f16" : "v_cvt_pk_fp8_f16");
        const bool upper = k & 4, negated = k & 2;
        uint32_t words[3];
        r.w.mode.fp16_ovfl = k >> 1 & 1;
        for (unsigned from = 0; from < 0x10000; from += 2 * LANES) {
            for (unsigned l = 0; l < LANES; l++)
                rig_v(&r, A, l, (from + 2 * l) * 0x10001 + 0x10000);
            rig_vall(&r, D, 0x5a5aa5a5);
            vop3(r.t, words, op, D, CODE_VGPR + A, 0, 0);
            words[0] |= (upper ? 1u << 14 : 0) | (uint32_t)e5m3 << 15;
            words[1] |= negated ? 1u << 29 : 0;
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t want = 0, source = rig_getv(&r, A, l), got = rig_getv(&r, D, l);
                for (unsigned n = 0; n < 2; n++) {
                    uint32_t v = (source >> 16 * n & 0xffff) ^ (negated ? 0x8000 : 0);
                    long double x = copysignl(wide_value(half, v), v & 0x8000 ? -1.0L : 1.0L);
                    want |= (narrowed(f, x, -1, r.w.mode.fp16_ovfl) & 0xff) << 8 * n;
                }
                assert_int_equal(upper ? got >> 16 : got & 0xffff, want);
                assert_int_equal(upper ? got & 0xffff : got >> 16, upper ? 0xa5a5 : 0x5a5a);
            }
        }
    }
    rig_close(&r);
}

static void random_halves(void **state)
{
    static const uint32_t seeds[] = {0, 0xffffffff, 0x80000000, 0x7fffffff, 0x02000000, 0x01ffffff, 0x3c123456};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 2 * 7; k++) {
        const struct small_format *f = small_format_named(k & 1 ? "bf8" : "fp8");
        const struct wide *half = wide_named("f16");
        int op = opcode_of(r.t, FMT_VOP3, k & 1 ? "v_cvt_sr_bf8_f16" : "v_cvt_sr_fp8_f16");
        const unsigned byte = k % 4, more = 10 - f->mantissa, high = k / 2 % 2, negated = k / 4 % 2;
        uint32_t words[3];
        r.w.mode.fp16_ovfl = k & 1;
        for (unsigned from = 0; from < 0x10000; from += LANES) {
            for (unsigned l = 0; l < LANES; l++)
                rig_v(&r, A, l, high ? (from + l) << 16 | 0x1234 : 0x43210000 | (from + l));
            rig_vall(&r, B, seeds[k / 2]);
            rig_vall(&r, D, 0xa1b2c3d4);
            vop3(r.t, words, op, D, CODE_VGPR + A, CODE_VGPR + B, 0);
            words[0] |= byte << 13 | high << 11;
            words[1] |= (uint32_t)negated << 29;
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t v = (from + l) ^ (negated << 15), got = rig_getv(&r, D, l);
                int e = (int)(v >> 10 & 31);
                long double x = wide_value(half, v);
                if (isfinite(x)) /* below the last place that 8 bits have of a normal number like it, then cut */
                    x += copysignl(ldexpl((long double)(seeds[k / 2] >> (32 - more)), (e ? e : 1) - 25), x);
                x = copysignl(x, v & 0x8000 ? -1.0L : 1.0L);
                unsigned want = narrowed(f, x, 0, r.w.mode.fp16_ovfl);
                assert_int_equal(got >> 8 * byte & 0xff, want);
                assert_int_equal(got & ~(0xffu << 8 * byte), 0xa1b2c3d4 & ~(0xffu << 8 * byte));
            }
        }
    }
    rig_close(&r);
}

/* byte_sel has its lower bit in op_sel[1]. */
static void unpack_bytes(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 16; k++) {
        const struct small_format *f = small_format_named(k & 1 ? "bf8" : "fp8");
        const char *row = k & 1 ? "v_cvt_f16_bf8" : "v_cvt_f16_fp8";
        int op = opcode_of(r.t, FMT_VOP3, row), e32 = opcode_of(r.t, FMT_VOP1, row);
        const unsigned byte = k >> 1 & 3, upper = k >> 3;
        for (unsigned from = 0; from < 256; from += LANES) {
            uint32_t words[3];
            for (unsigned l = 0; l < LANES; l++)
                rig_v(&r, A, l, (from + l) << 8 * byte | (byte ? 0x35 : 0x3500));
            rig_vall(&r, D, 0x5a5aa5a5);
            vop3(r.t, words, op, D, CODE_VGPR + A, 0, 0);
            words[0] |= (byte >> 1 | (byte & 1) << 1) << 11 | upper << 14;
            if (byte || upper)
                rig_run(&r, words, 2);
            else
                rig_run(&r, (uint32_t[]){vop1(e32, D, CODE_VGPR + A)}, 1);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t got = rig_getv(&r, D, l), have = upper ? got >> 16 : got & 0xffff;
                assert_true(is_nearest(wide_named("f16"), have, small_value(f, from + l)));
                assert_int_equal(upper ? got & 0xffff : got >> 16, upper ? 0xa5a5 : 0x5a5a);
            }
        }
    }
    rig_close(&r);
}

/* --- e5m3 --------------------------------------------------------------------------------------------------------- */

enum { CLAMP = 1 << 15, EACH = 7 };

static void unpack_e5m3(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    int op = opcode_of(r.t, FMT_VOP3, "v_cvt_f32_fp8");
    for (unsigned k = 0; k < 4 * 256 / LANES; k++) {
        unsigned byte = k & 3, from = k / 4 * LANES;
        uint32_t words[3];
        for (unsigned l = 0; l < LANES; l++)
            rig_v(&r, A, l, (from + l) << 8 * byte | (byte ? 0x35 : 0x3500));
        vop3(r.t, words, op, D, CODE_VGPR + A, 0, 0);
        words[0] |= CLAMP | (byte >> 1 | (byte & 1) << 1) << 11;
        rig_run(&r, words, 2);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned code = from + l;
            float want = (float)small_magnitude(&small_e5m3, code);
            assert_int_equal(rig_getv(&r, D, l), code == 255 ? 0x7fc00000 : bits_f32(want));
        }
    }
    rig_close(&r);
    assert_true(small_magnitude(&small_e5m3, 1) == 0x1p-17L && small_magnitude(&small_e5m3, 0xfe) == 114688);
}

/* Number n of those to convert: EACH for a code (the last three are beyond the largest number), then special ones. */
static uint32_t to_convert(unsigned n)
{
    static const uint32_t special[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7f7fffff,
                                       0xff7fffff, 0x00000001, 0x80000001, 0x807fffff, 0x80000000, 0x48000000};
    unsigned code = n / EACH;

    if (code >= 256)
        return special[(n - 256 * EACH) % (sizeof special / sizeof special[0])];
    float here = (float)small_magnitude(&small_e5m3, code), next = (float)small_magnitude(&small_e5m3, code + 1);
    float middle = (here + next) / 2;
    const float v[EACH] = {
        here,    nextafterf(here, INFINITY), nextafterf(middle, 0), middle, nextafterf(middle, INFINITY),
        -middle, nextafterf(-next, 0)};
    return bits_f32(v[n % EACH]);
}

/* To the nearest, and with a random number; the sign does not count, FP16_OVFL says what is too large. */
static void pack_e5m3(void **state)
{
    static const uint32_t seeds[] = {0, 0xffffffff, 0x80000000, 0x7fffffff, 0x00100000, 0x3c123456};
    enum { SEEDS = sizeof seeds / sizeof seeds[0] };
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    int pack = opcode_of(r.t, FMT_VOP3, "v_cvt_pk_fp8_f32"), sr = opcode_of(r.t, FMT_VOP3, "v_cvt_sr_fp8_f32");
    for (unsigned k = 0; k < 2 * (1 + SEEDS); k++) {
        const bool random = k > 1, saturate = r.w.mode.fp16_ovfl = k & 1;
        const uint32_t seed = random ? seeds[k / 2 - 1] : 0;
        const unsigned byte = random ? k % 4 : 0;
        for (unsigned from = 0; from < 256 * EACH + LANES; from += LANES) {
            uint32_t words[3];
            for (unsigned l = 0; l < LANES; l++) {
                rig_v(&r, A, l, to_convert(from + l));
                rig_v(&r, B, l, random ? seed : to_convert(from + l + 1));
            }
            rig_vall(&r, D, 0xa1b2c3d4);
            vop3(r.t, words, random ? sr : pack, D, CODE_VGPR + A, CODE_VGPR + B, 0);
            words[0] |= CLAMP | byte << 13;
            rig_run(&r, words, 2);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t bits = to_convert(from + l), e = bits >> 23 & 255;
                long double x = fabsl((long double)as_f32(bits)), y = as_f32(to_convert(from + l + 1));
                if (isfinite(x)) /* below the last place that 8 bits have of a normal number like it, then cut */
                    x += ldexpl((long double)(seed >> 12), (int)(e ? e : 1) - 150);
                uint32_t mask = random ? 0xffu << 8 * byte : 0xffff;
                uint32_t want = narrowed(&small_e5m3, x, random ? 0 : -1, saturate) << 8 * byte;
                if (!random)
                    want |= narrowed(&small_e5m3, fabsl(y), -1, saturate) << 8;
                assert_int_equal(rig_getv(&r, D, l), (0xa1b2c3d4 & ~mask) | want);
            }
        }
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions),   cmocka_unit_test(random_pairs), cmocka_unit_test(pack_halves),
        cmocka_unit_test(random_halves), cmocka_unit_test(unpack_bytes), cmocka_unit_test(unpack_e5m3),
        cmocka_unit_test(pack_e5m3),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
