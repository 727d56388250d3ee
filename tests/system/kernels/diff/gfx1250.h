/* Builtins that clang 22 has for gfx1250: moves in groups of lanes, look-ups, conversions with a scale or a random
 * number. The host works out each lane's number by itself: from the values of the small formats, and from what another
 * lane was given.
 */
#if DEVICE_HAS(__builtin_amdgcn_permlane_bcast)

SHARED u32 lane_word(u32 gid, u32 k)
{
    u32 x = (gid + 1) * 0x9e3779b9u ^ (k + 1) * 0x85ebca6bu;

    x ^= x >> 15;
    return x * 0x2c1b3c6du;
}

/* The work-item that has lane `lane` of the wave. */
SHARED u32 of_lane(u32 gid, u32 lane)
{
    return (gid & ~31u) + lane;
}

/* --- moves and look-ups ------------------------------------------------------------------------------------------- */

#define GROUP_MOVES(WIDTH, SELECT)                                                                                     \
    do {                                                                                                               \
        const u32 w_ = (WIDTH), s_ = (SELECT), self = gid & 31, base = self & ~(w_ - 1), at = self - base;             \
        i32 v = (i32)lane_word(gid, 0);                                                                                \
        (void)base, (void)at, (void)v;                                                                                 \
        u32 xor = (self ^ s_) >= base + w_ ? self : self ^ s_;                                                         \
        (void)xor;                                                                                                     \
        PUT_AT(gid, slot++,                                                                                            \
               ON_DEVICE(__builtin_amdgcn_permlane_bcast(v, (i32)s_, (i32)w_),                                         \
                         lane_word(of_lane(gid, base + s_ % w_), 0)));                                                 \
        PUT_AT(gid, slot++,                                                                                            \
               ON_DEVICE(__builtin_amdgcn_permlane_up(v, (i32)s_, (i32)w_),                                            \
                         lane_word(of_lane(gid, at < s_ ? self : self - s_), 0)));                                     \
        PUT_AT(gid, slot++,                                                                                            \
               ON_DEVICE(__builtin_amdgcn_permlane_down(v, (i32)s_, (i32)w_),                                          \
                         lane_word(of_lane(gid, at + s_ >= w_ ? self : self + s_), 0)));                               \
        PUT_AT(gid, slot++,                                                                                            \
               ON_DEVICE(__builtin_amdgcn_permlane_xor(v, (i32)s_, (i32)w_), lane_word(of_lane(gid, xor), 0)));        \
        PUT_AT(gid, slot++,                                                                                            \
               ON_DEVICE(__builtin_amdgcn_ds_bpermute(__builtin_amdgcn_permlane_idx_gen(v, (i32)w_), v),               \
                         lane_word(of_lane(gid, base + (u32)v % w_), 0)));                                             \
    } while (0)

GROUP_KERNEL(gfx1250_group_moves)
{
    EACH_ITEM
    {
        u32 slot = 0;
        GROUP_MOVES(32, 1);
        GROUP_MOVES(16, 5);
        GROUP_MOVES(8, 2);
        GROUP_MOVES(4, 3);
        GROUP_MOVES(2, 1);
        GROUP_MOVES(8, 13);
        GROUP_MOVES(in[1] & 1 ? 16 : 32, in[2] & 31); /* scalars */
        (void)slot;
    }
}

typedef u32 u32v2 __attribute__((ext_vector_type(2)));
typedef u32 u32v3 __attribute__((ext_vector_type(3)));
typedef u32 u32v4 __attribute__((ext_vector_type(4)));

SHARED u32 table_bits(const u32 *words, u32 at, u32 bits)
{
    u32 v = 0;

    for (u32 k = 0; k < bits; k++)
        v |= (words[(at + k) / 32] >> (at + k) % 32 & 1) << k;
    return v;
}

/* The same as the builtins: the first source is the upper end of the table. */
SHARED void look_up(u32 bits, const u32 *table, const u32 *index, u32 *result)
{
    for (u32 k = 0; k < bits / 2; k++)
        result[k] = 0;
    for (u32 k = 0; k < 16; k++)
        for (u32 n = 0; n < bits; n++)
            result[(k * bits + n) / 32] |= (table_bits(table, (index[k / 8] >> 4 * (k % 8) & 15) * bits, bits) >> n & 1)
                                           << (k * bits + n) % 32;
}

KERNEL(gfx1250_look_ups)
{
    BEGIN;
    u32 t[4] = {IU(0), IU(1), IU(2), IU(3)}, index[2] = {IU(4), IU(5)};
#ifdef __AMDGPU__
    u32v2 i = {index[0], index[1]}, low = {t[0], t[1]}, high = {t[2], t[3]};
    u32v2 r4 = __builtin_bit_cast(u32v2, __builtin_amdgcn_perm_pk16_b4_u4(t[1], t[0], i));
    u32v3 r6 = __builtin_bit_cast(u32v3, __builtin_amdgcn_perm_pk16_b6_u4(t[2], __builtin_bit_cast(u64, low), i));
    u32v4 r8 = __builtin_bit_cast(
        u32v4, __builtin_amdgcn_perm_pk16_b8_u4(__builtin_bit_cast(u64, high), __builtin_bit_cast(u64, low), i));
    PUT(r4[0]), PUT(r4[1]);
    PUT(r6[0]), PUT(r6[1]), PUT(r6[2]);
    PUT(r8[0]), PUT(r8[1]), PUT(r8[2]), PUT(r8[3]);
#else
    u32 r[4];
    for (u32 bits = 4; bits <= 8; bits += 2) {
        look_up(bits, t, index, r);
        for (u32 k = 0; k < bits / 2; k++)
            PUT(r[k]);
    }
#endif
}

/* --- small formats ------------------------------------------------------------------------------------------------ */

typedef f32 f32v8 __attribute__((ext_vector_type(8)));
typedef f32 f32v16 __attribute__((ext_vector_type(16)));
typedef f16 f16v8 __attribute__((ext_vector_type(8)));
typedef f16 f16v16 __attribute__((ext_vector_type(16)));
typedef __bf16 bf16v8 __attribute__((ext_vector_type(8)));
typedef __bf16 bf16v16 __attribute__((ext_vector_type(16)));

#ifndef __AMDGPU__
/* The magnitude of a code without its sign; those past the last number go on as if they were numbers, too. */
SHARED f64 small_magnitude(u32 bits, u32 mantissa, u32 code)
{
    u32 e = code >> mantissa, m = code & ((1u << mantissa) - 1);
    i32 bias = (1 << (bits - 2 - mantissa)) - 1;

    return __builtin_ldexp(e ? m + (1 << mantissa) : m, (e ? (i32)e : 1) - bias - (i32)mantissa);
}

SHARED u32 small_count(u32 bits, u32 mantissa)
{
    return bits < 8 ? 1u << (bits - 1) : mantissa == 3 ? 0x7f : 0x7c;
}

SHARED f64 small_value(u32 bits, u32 mantissa, u32 code)
{
    u32 mag = code & ((1u << (bits - 1)) - 1);
    f64 v = mag < small_count(bits, mantissa) ? small_magnitude(bits, mantissa, mag)
            : mantissa == 2 && mag == 0x7c    ? __builtin_inf()
                                              : __builtin_nan("");

    return code >> (bits - 1) & 1 ? -v : v;
}

/* random: the fraction of a step that is added before cutting; below 0 to the nearest. */
SHARED u32 small_code(u32 bits, u32 mantissa, f64 x, u32 negative, f64 random)
{
    u32 sign = negative << (bits - 1), count = small_count(bits, mantissa), k = 0;
    u32 over = bits < 8 ? count - 1 : mantissa == 2 ? 0x7c : 0x7f;

    if (x != x)
        return sign | ((1u << (bits - 1)) - 1);
    x = __builtin_fabs(x);
    if (x >= small_magnitude(bits, mantissa, count))
        return sign | over;
    while (small_magnitude(bits, mantissa, k + 1) <= x)
        k++;
    f64 low = small_magnitude(bits, mantissa, k), part = (x - low) / (small_magnitude(bits, mantissa, k + 1) - low);
    k += random >= 0 ? part + random >= 1 : part > 0.5 || (part == 0.5 && (k & 1));
    return sign | (k >= count ? over : k);
}
#endif

/* --- widening ----------------------------------------------------------------------------------------------------- */

/* Four scales from 2^-15 to 2^16. */
SHARED u32 scale_word(u32 gid)
{
    return (lane_word(gid, 9) & 0x1f1f1f1fu) + 0x70707070u;
}

#define PUT_BF16(gid, slot, v)                                                                                         \
    do {                                                                                                               \
        u16 b_ = __builtin_bit_cast(u16, (__bf16)(v));                                                                 \
        PUT_AT(gid, slot, (b_ & 0x7fff) > 0x7f80 ? 0x7fc0 : b_);                                                       \
    } while (0)

/* HALF, LOWER, UPPER: where scale_sel SEL has the scales (docs/SEMANTICS_NOTES.md) */
#define WIDENING(NAME, SMALL, BITS, MANTISSA, COUNT, WORDS, SEL, HALF, LOWER, UPPER)                                   \
    GROUP_KERNEL(gfx1250_widen_##NAME)                                                                                 \
    {                                                                                                                  \
        EACH_ITEM                                                                                                      \
        {                                                                                                              \
            u32 w[3] = {lane_word(gid, 1), lane_word(gid, 2), lane_word(gid, 3)}, scale = scale_word(gid);             \
            (void)w, (void)scale;                                                                                      \
            WIDENED(SMALL, BITS, MANTISSA, COUNT, WORDS, SEL, HALF, LOWER, UPPER)                                      \
        }                                                                                                              \
    }
#ifdef __AMDGPU__
#define SOURCE_1 w[0]
#define SOURCE_2 ((u32v2){w[0], w[1]})
#define SOURCE_3 ((u32v3){w[0], w[1], w[2]})
#define WIDENED(SMALL, BITS, MANTISSA, COUNT, WORDS, SEL, HALF, LOWER, UPPER)                                          \
    f32v##COUNT f = __builtin_amdgcn_cvt_scale_pk##COUNT##_f32_##SMALL(SOURCE_##WORDS, scale, SEL);                    \
    f16v##COUNT h = __builtin_amdgcn_cvt_scale_pk##COUNT##_f16_##SMALL(SOURCE_##WORDS, scale, SEL);                    \
    bf16v##COUNT b = __builtin_amdgcn_cvt_scale_pk##COUNT##_bf16_##SMALL(SOURCE_##WORDS, scale, SEL);                  \
    for (u32 k = 0; k < COUNT; k++) {                                                                                  \
        PUT_AT(gid, k, bits_f32(f[k]));                                                                                \
        PUT_AT(gid, COUNT + k, bits_f16(h[k]));                                                                        \
        PUT_BF16(gid, 2 * COUNT + k, b[k]);                                                                            \
    }
#else
#define WIDENED(SMALL, BITS, MANTISSA, COUNT, WORDS, SEL, HALF, LOWER, UPPER)                                          \
    u32 from = scale_word(of_lane(gid, 16 * (HALF) + gid % 16)) >> 8 * (gid & 16 ? (UPPER) : (LOWER)) & 255;           \
    for (u32 k = 0; k < COUNT; k++) {                                                                                  \
        f64 v = __builtin_ldexp(small_value(BITS, MANTISSA, table_bits(w, k * (BITS), BITS)), (i32)from - 127);        \
        PUT_AT(gid, k, bits_f32((f32)v));                                                                              \
        PUT_AT(gid, COUNT + k, bits_f16((f16)v));                                                                      \
        PUT_BF16(gid, 2 * COUNT + k, (f32)v);                                                                          \
    }
#endif

WIDENING(fp8_0, fp8, 8, 3, 8, 2, 0, 0, 0, 0)
WIDENING(fp8_5, fp8, 8, 3, 8, 2, 5, 1, 1, 1)
WIDENING(fp8_10, fp8, 8, 3, 8, 2, 10, 0, 2, 3)
WIDENING(bf8_2, bf8, 8, 2, 8, 2, 2, 0, 2, 2)
WIDENING(bf8_9, bf8, 8, 2, 8, 2, 9, 1, 0, 1)
WIDENING(fp4_0, fp4, 4, 1, 8, 1, 0, 0, 0, 1)
WIDENING(fp4_6, fp4, 4, 1, 8, 1, 6, 0, 1, 3)
WIDENING(fp6_3, fp6, 6, 3, 16, 3, 3, 1, 2, 3)
WIDENING(bf6_5, bf6, 6, 2, 16, 3, 5, 1, 0, 2)

/* --- narrowing ---------------------------------------------------------------------------------------------------- */

/* Numbers as they come, scaled by 2^-8 to 2^7; with a random number in the second half of the slots. */
#define NARROWING(SMALL, BITS, MANTISSA, COUNT, WORDS)                                                                 \
    KERNEL(gfx1250_narrow_##SMALL)                                                                                     \
    {                                                                                                                  \
        BEGIN;                                                                                                         \
        u32 seed = IU(3), scale = (119 + (gid & 15)) << 23 | (seed & 0x807fffff);                                      \
        f32 f[COUNT];                                                                                                  \
        u32 halves[COUNT / 2];                                                                                         \
        for (u32 k = 0; k < COUNT; k++)                                                                                \
            f[k] = in[AT_(k, 2)] & 1 ? IF(k) : (f32)IS(k) * 0x1p-28f;                                                  \
        for (u32 k = 0; k < COUNT / 2; k++)                                                                            \
            halves[k] = IU(k);                                                                                         \
        NARROWED(SMALL, BITS, MANTISSA, COUNT, WORDS)                                                                  \
    }
#ifdef __AMDGPU__
#define PUT_WORDS_1(v) PUT(v)
#define PUT_WORDS_2(v)                                                                                                 \
    do {                                                                                                               \
        u32v2 w_ = __builtin_bit_cast(u32v2, v);                                                                       \
        PUT(w_[0]), PUT(w_[1]);                                                                                        \
    } while (0)
#define PUT_WORDS_3(v)                                                                                                 \
    do {                                                                                                               \
        u32v3 w_ = __builtin_bit_cast(u32v3, v);                                                                       \
        PUT(w_[0]), PUT(w_[1]), PUT(w_[2]);                                                                            \
    } while (0)
#define NARROWED(SMALL, BITS, MANTISSA, COUNT, WORDS)                                                                  \
    f32 s = __builtin_bit_cast(f32, scale);                                                                            \
    f32v##COUNT x;                                                                                                     \
    f16v##COUNT h;                                                                                                     \
    bf16v##COUNT b;                                                                                                    \
    for (u32 k = 0; k < COUNT; k++) {                                                                                  \
        x[k] = f[k];                                                                                                   \
        h[k] = __builtin_bit_cast(f16, (u16)(halves[k / 2] >> 16 * (k & 1)));                                          \
        b[k] = __builtin_bit_cast(__bf16, (u16)(halves[k / 2] >> 16 * (k & 1)));                                       \
    }                                                                                                                  \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_pk##COUNT##_##SMALL##_f32(x, s));                                  \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_pk##COUNT##_##SMALL##_f16(h, s));                                  \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_pk##COUNT##_##SMALL##_bf16(b, s));                                 \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_sr_pk##COUNT##_##SMALL##_f32(x, seed, s));                         \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_sr_pk##COUNT##_##SMALL##_f16(h, seed, s));                         \
    PUT_WORDS_##WORDS(__builtin_amdgcn_cvt_scalef32_sr_pk##COUNT##_##SMALL##_bf16(b, seed, s));
#else
/* kind: 0 f32, 1 f16, 2 bf16, with 3 more a random number */
#define NARROWED(SMALL, BITS, MANTISSA, COUNT, WORDS)                                                                  \
    for (u32 kind = 0; kind < 6; kind++) {                                                                             \
        const u32 more = (kind % 3 == 0 ? 23 : kind % 3 == 1 ? 10 : 7) - (MANTISSA);                                   \
        u32 result[3] = {0, 0, 0}, random = seed;                                                                      \
        for (u32 k = 0; k < COUNT; k++) {                                                                              \
            u16 half = (u16)(halves[k / 2] >> 16 * (k & 1));                                                           \
            f64 v = kind % 3 == 0   ? (f64)f[k]                                                                        \
                    : kind % 3 == 1 ? (f64) __builtin_bit_cast(f16, half)                                              \
                                    : (f64) __builtin_bit_cast(f32, (u32)half << 16);                                  \
            u32 negative = kind % 3 == 0 ? __builtin_bit_cast(u32, f[k]) >> 31 : half >> 15;                           \
            v = __builtin_ldexp(v, 127 - (i32)(scale >> 23 & 255));                                                    \
            f64 part = kind < 3 ? -1.0 : __builtin_ldexp((f64)(random >> (32 - more)), -(i32)more);                    \
            u32 code = small_code(BITS, MANTISSA, v, negative, part);                                                  \
            for (u32 n = 0; n < (BITS); n++)                                                                           \
                result[(k * (BITS) + n) / 32] |= (code >> n & 1) << (k * (BITS) + n) % 32;                             \
            random = random << 1 ^ (random >> 31 ? 197 : 0);                                                           \
        }                                                                                                              \
        for (u32 k = 0; k < WORDS; k++)                                                                                \
            PUT(result[k]);                                                                                            \
    }
#endif

NARROWING(fp8, 8, 3, 8, 2)
NARROWING(bf8, 8, 2, 8, 2)
NARROWING(fp4, 4, 1, 8, 1)
NARROWING(fp6, 6, 3, 16, 3)
NARROWING(bf6, 6, 2, 16, 3)

/* --- pairs with a random number ----------------------------------------------------------------------------------- */

#ifndef __AMDGPU__
/* What is left of the number when `bits` are cut off, after as many random ones are added. */
SHARED f32 cut_off(f32 a, u32 random, u32 bits)
{
    u32 u = __builtin_bit_cast(u32, a);

    return __builtin_bit_cast(f32, (u + random) >> bits << bits);
}
#endif

KERNEL(gfx1250_random_pairs)
{
    BEGIN;
    f32 a = (f32)(IU(0) >> 1 | 0x100000) * 0x1p-24f, b = (f32)(IU(1) >> 1 | 0x100000) * -0x1p-20f; /* normal halves */
    u32 seed = IU(2);
#ifdef __AMDGPU__
    PUT(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_sr_pk_f16_f32(a, b, seed)));
    PUT(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_sr_pk_bf16_f32(a, b, seed)));
#else
    f16 lo = (f16)cut_off(a, seed >> 3 & 0x1fff, 13), hi = (f16)cut_off(b, seed >> 19, 13);
    PUT((u32) __builtin_bit_cast(u16, lo) | (u32) __builtin_bit_cast(u16, hi) << 16);
    PUT(__builtin_bit_cast(u32, cut_off(a, seed & 0xffff, 16)) >> 16 |
        (__builtin_bit_cast(u32, cut_off(b, seed >> 16, 16)) & 0xffff0000u));
#endif
}
#endif
