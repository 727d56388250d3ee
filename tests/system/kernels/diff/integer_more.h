/* Integers: wide, narrow, bit fields, vectors, carries, small algorithms. Part of diff.c. */

KERNEL(int_shift64)
{
    BEGIN;
    u64 a = IU64(0), b = IU64(1);
    u32 n = IU(2) & 63, m = IU(3) & 31;
    PUT64(a << n);
    PUT64(a >> n);
    PUT64((i64)a >> n);
    PUT64(a << m);
    PUT64(a >> (63 - n));
    PUT64(1ull << n);
    PUT64(~0ull >> n);
    PUT64((a << 13) ^ (b >> 7));
    PUT64((i64)(a << 9) >> 20);
    PUT64(a << n | (b >> 1) >> (63 - n));
    PUT((u32)(a >> n) << m);
    PUT64((i64)(i32)(u32)a << 12);
    PUT64((u64)(u32)a << 32 >> n);
    PUT64(in[IN_U32 + 4] * 3ull << n);
}

KERNEL(int_mul_high)
{
    BEGIN;
    u64 a = IU64(0), b = IU64(1);
    u32 c = IU(2), d = IU(3);
    PUT64((unsigned __int128)a * b >> 64);
    PUT64((__int128)(i64)a * (i64)b >> 64);
    PUT((u64)c * d >> 32);
    PUT((i64)(i32)c * (i32)d >> 32);
    PUT64((u64)c * d);
    PUT64((i64)(i32)c * (i32)d);
    PUT64((u64)c * d + a);
    PUT64((i64)(i32)c * (i32)d + (i64)b);
    PUT64((u64)c * d - a);
    PUT64(a * c);
    PUT64(a * 1000003);
    PUT64((i64)a * -7);
    PUT64((u64)c * 0xdeadbeef);
    PUT64((u64)(c & 0xffff) * d + ((u64)c << 20));
    PUT64(a * b + (u64)c * d);
}

KERNEL(int_address_forms)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    u64 p = IU64(3), q = IU64(4);
    PUT((a << 2) + b);
    PUT((a << 4) + c);
    PUT((a + b) << 3);
    PUT((a << 5) | b);
    PUT((a ^ b) + c);
    PUT((a & b) | c);
    PUT((a | b) | c);
    PUT(a + b + c);
    PUT(a * 5 + b);
    PUT(a * 12 - c);
    PUT64(p + ((u64)a << 2));
    PUT64((p << 3) + q);
    PUT64((p << 1) + a);
    PUT64(p + (i64)(i32)b * 8);
    PUT64(p - ((u64)c << 4));
    PUT64(p * 24 + q);
    PUT((a << (b & 15)) + c);
    PUT((a + b) << (c & 15));
    PUT((a - b) + (c << 1));
}

KERNEL(int_div_narrow)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    u8 ua = (u8)a, ub = (u8)b | 1;
    u16 ha = (u16)(a >> 8), hb = (u16)(b >> 3) | 1;
    i8 sa = (i8)(a >> 4), sb = (i8)(b >> 5) == 0 || (i8)(b >> 5) == -1 ? 3 : (i8)(b >> 5);
    i16 ta = (i16)a, tb = (i16)b == 0 || (i16)b == -1 ? -9 : (i16)b;
    PUT(ua / ub);
    PUT(ua % ub);
    PUT(ha / hb);
    PUT(ha % hb);
    PUT(sa / sb);
    PUT(sa % sb);
    PUT(ta / tb);
    PUT(ta % tb);
    PUT(ha / ub);
    PUT(ta % sb);
    PUT(ha / 10);
    PUT(ta / 7);
    PUT(ta % 100);
    PUT((a & 0xffffff) / (b & 0xffff ? b & 0xffff : 1));
    PUT(((i32)a >> 9) / ((i32)b >> 12 ? (i32)b >> 12 : 5));
    PUT(((i32)a >> 10) % ((i32)b >> 11 ? (i32)b >> 11 : 5));
}

KERNEL(int_div_constants)
{
    BEGIN;
    u64 a = IU64(0);
    i64 s = IS64(1);
    PUT64(a / 3);
    PUT64(a % 10);
    PUT64(a / 0x100000001ull);
    PUT64(s / 60);
    PUT64(s % -3600);
    PUT64(s / -8);
    PUT64(s % 4096);
    PUT64(s / (i64)0x7fffffffffffll);
    PUT((u32)a / 641);
    PUT((u32)a % 0x80000001u);
    PUT((i32)s / -5);
    PUT((i32)s % 127);
    PUT64(a / in[IN_U32 + 20] + a % (in[IN_U32 + 24] | 1));
}

/* A divisor that is the same in all lanes, and one that is small in most of them. */
KERNEL(int_div_mixed)
{
    BEGIN;
    u64 a = IU64(0), n = in[IN_U32 + 40] | 3, m = IU(1) & 1 ? IU64(2) | 1 : (IU(2) & 0xff) + 1;
    PUT64(a / n);
    PUT64(a % n);
    PUT64(a / m);
    PUT64(a % m);
    PUT(IU(3) / (u32)n);
    PUT(IU(3) % (u32)n);
    PUT64((i64)a / (i64)(n >> 4 | 1));
    PUT64((i64)(a >> 30) / ((i64)(m & 0xffff) | 1));
    if (gid & 4)
        PUT64(a % (m >> 1 | 1) * 3);
    else
        PUT64((a >> 3) / (m | 8));
}

SHARED u32 power_mod(u64 base, u32 e, u32 mod)
{
    u64 r = 1;
    for (base %= mod; e; e >>= 1, base = base * base % mod)
        if (e & 1)
            r = r * base % mod;
    return (u32)r;
}

KERNEL(int_power_mod)
{
    BEGIN;
    PUT(power_mod(IU(0), IU(1) & 0x3ff, 1000003));
    PUT(power_mod(IU64(2), IU(3) & 0xff, IU(4) | 1));
}

KERNEL(int_gcd)
{
    BEGIN;
    u32 a = IU(0) | 1, b = IU(1) | 2, n = 0;
    while (b && n < 60) {
        u32 t = a % b;
        a = b;
        b = t;
        n++;
    }
    PUT(a);
    PUT(n);
    u64 x = IU64(2) | 1, y = IU64(3) | 1;
    u32 shift = (u32)__builtin_ctzll(x | y);
    x >>= __builtin_ctzll(x);
    do {
        y >>= __builtin_ctzll(y);
        if (x > y) {
            u64 t = x;
            x = y;
            y = t;
        }
        y -= x;
    } while (y);
    PUT64(x << shift);
}

KERNEL(int_square_root)
{
    BEGIN;
    u64 v = IU64(0), r = 0, bit = 1ull << 62;
    while (bit > v)
        bit >>= 2;
    for (u64 rest = v; bit; bit >>= 2) {
        if (rest >= r + bit) {
            rest -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
    }
    PUT64(r);
    PUT(r * r <= v);
}

KERNEL(int_crc)
{
    BEGIN;
    u32 crc = ~0u, adler_a = 1, adler_b = 0;
    GLOBAL const u8 *p = (GLOBAL const u8 *)in + gid;
    for (u32 i = 0; i < 13; i++) {
        crc ^= p[i];
        for (u32 k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        adler_a = (adler_a + p[i]) % 65521;
        adler_b = (adler_b + adler_a) % 65521;
    }
    PUT(~crc);
    PUT(adler_b << 16 | adler_a);
}

KERNEL(int_bits64)
{
    BEGIN;
    u64 a = IU64(0), b = IU64(1), m;
    u32 n = IU(2) & 63, w = (IU(2) >> 8 & 31) + 1;
    m = ((1ull << w) - 1) << (n & 31);
    PUT64((a & ~m) | (b & m));
    PUT64(a >> (n & 31) & ((1ull << w) - 1));
    PUT(__builtin_popcountll(a & b) - __builtin_popcountll(a ^ b));
    PUT(__builtin_clzll(a | 1) * 64 + __builtin_ctzll(a | 1ull << 63));
    PUT64(a & (0 - a));
    PUT64(a & (a - 1));
    PUT64(a ^ (a >> 1));
    PUT((i32)(a >> n & 1));
    PUT64(a | 1ull << n);
    PUT64(a & ~(1ull << n));
    PUT64(BSWAP64(a) ^ __builtin_bitreverse64(b));
    PUT(__builtin_parityll(a));
    PUT64(__builtin_rotateright64(a, n));
    PUT64(((a & 0x5555555555555555) << 1) | (a >> 1 & 0x5555555555555555));
    PUT64(~a & b);
    PUT64(~(a | b));
    PUT64(a | ~b);
}

KERNEL(int_bit_fields)
{
    BEGIN;
    struct {
        u32 a : 3, b : 11;
        i32 c : 7, d : 11;
        u64 e : 40;
        i64 f : 23;
        u8 g : 1;
    } s = {.a = IU(0) & 7, .b = IU(1) & 0x7ff, .e = IU64(2) & 0xffffffffff};
    s.c = (i32)(IU(3) & 0x7f) - 64;
    s.d = (i32)(IU(3) >> 9 & 0x7ff) - 1024;
    s.f = (i64)(IU(4) & 0x7fffff) - 0x400000;
    s.g = IU(5) & 1;
    PUT(s.a * s.b);
    PUT(s.c + s.d);
    PUT64(s.e * 3 + (u64)s.f);
    s.b += 5;
    s.d ^= s.c;
    s.e -= 77;
    PUT(s.b);
    PUT(s.d);
    PUT64(s.e);
    PUT64(s.f);
    PUT(s.g ? s.c : s.a);
}

KERNEL(int_bool)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    _Bool p = a, q = b & 1, r = a > b, s = (u8)a;
    PUT(p + q + r + s);
    PUT(p ^ q);
    PUT((p && q) | (q || r) << 1 | (!p && s) << 2 | ((p & r) != q) << 3);
    PUT(p == q ? a : b);
    PUT(-(i32)r);
    PUT((u32)!a + !!b * 2);
    p |= r;
    q &= s;
    PUT(p * 8 + q);
    PUT((a == 0) - (b == 0));
    PUT(((i32)a > 0) - ((i32)a < 0));
}

KERNEL(int_compare)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    u64 x = IU64(0), y = IU64(1);
#define ALL(a, b) ((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5)
    PUT(ALL(a, b));
    PUT(ALL((i32)a, (i32)b));
    PUT(ALL((u16)a, (u16)b));
    PUT(ALL((i16)a, (i16)b));
    PUT(ALL((u8)a, (u8)b));
    PUT(ALL((i8)a, (i8)b));
    PUT(ALL(x, y));
    PUT(ALL((i64)x, (i64)y));
    PUT(ALL(a, 64u) | ALL((i32)a, -16) << 8 | ALL((i16)a, 5) << 16 | ALL((u16)b, 0xfff0) << 24);
    PUT(ALL(x, 17ull) | ALL((i64)y, -3ll) << 8 | ALL((i64)x, 0x123456789ll) << 16);
#undef ALL
    PUT((a < b ? 1 : (i32)a < (i32)b ? 2 : (i64)x < (i64)y ? 3 : 4) + (x == y) * 10);
}

KERNEL(int_min_max)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    u64 x = IU64(0), y = IU64(1);
#define LESSER(a, b)  ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
    PUT(LESSER(LESSER(a, b), c));
    PUT(GREATER(GREATER(a, b), c));
    PUT(GREATER(LESSER((i32)a, (i32)b), (i32)c));
    PUT(LESSER(GREATER((i32)a, -100), 100));
    PUT(LESSER(GREATER((i16)a, (i16)-7), (i16)b));
    PUT(LESSER((u16)a, LESSER((u16)b, (u16)c)));
    PUT(GREATER((i8)a, (i8)b));
    PUT(LESSER((u8)a, (u8)b));
    PUT64(LESSER(x, y));
    PUT64(GREATER((i64)x, (i64)y));
    PUT64(LESSER(GREATER((i64)x, -1000ll), 1000ll));
    PUT(GREATER(LESSER(GREATER(a, b), c), LESSER(a, b)));
    PUT(GREATER((i32)a, (i32)b) - LESSER((i32)a, (i32)b));
    PUT(LESSER(a, in[IN_U32 + 6]) + GREATER(in[IN_U32 + 7], in[IN_U32 + 8]));
#undef LESSER
#undef GREATER
}

SHARED i64 clamp_i64(i64 v, i64 lo, i64 hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

KERNEL(int_saturate_narrow)
{
    BEGIN;
    i32 a = IS(0);
    i64 d = IS64(1);
    PUT(clamp_i64(a, -128, 127));
    PUT(clamp_i64(a, 0, 255));
    PUT(clamp_i64(a, -32768, 32767));
    PUT(clamp_i64(a, 0, 65535));
    PUT(clamp_i64(d, -0x80000000ll, 0x7fffffff));
    PUT(clamp_i64(d, 0, 0xffffffff));
    PUT(clamp_i64((i64)a * 3, -0x80000000ll, 0x7fffffff));
    PUT64(__builtin_elementwise_add_sat(d, IS64(2)));
    PUT64(__builtin_elementwise_sub_sat(IU64(1), IU64(2)));
    PUT(__builtin_elementwise_sub_sat((i32)(u8)a, (i32)(u8)d));
    PUT(__builtin_elementwise_add_sat((i32)(i8)a, (i32)(i8)d));
    PUT(__builtin_elementwise_sub_sat((i32)(i16)(a >> 3), (i32)(i16)d));
    PUT(__builtin_elementwise_add_sat(a, in[IN_U32 + 3] & 1 ? 0x40000000 : -5));
}

KERNEL(int_rotate)
{
    BEGIN;
    u32 a = IU(0), n = IU(1);
    u64 d = IU64(2);
    PUT(__builtin_rotateleft8((u8)a, (u8)n & 7) | __builtin_rotateright8((u8)(a >> 8), 3) << 8);
    PUT(__builtin_rotateleft16((u16)a, (u16)n & 15) | (u32)__builtin_rotateright16((u16)(a >> 8), 5) << 16);
    PUT(a << (n & 31) | a >> (-n & 31));
    PUT(a >> (n & 31) | a << (-n & 31));
    PUT(__builtin_rotateright32(a, 16) ^ __builtin_rotateleft32(a, 24));
    PUT64(d << (n & 63) | d >> (-n & 63));
    PUT64(__builtin_rotateleft64(d, 32) ^ __builtin_rotateright64(d, 17));
    PUT((u32)((d << (n & 31)) >> 32));
    PUT((u32)(d >> (n & 31)));
}

KERNEL(int_morton)
{
    BEGIN;
    u32 x = IU(0) & 0xffff, y = IU(1) & 0xffff;
    u64 z = IU(2);
#define SPREAD(v, s, m) v = (v | v << s) & m
    SPREAD(x, 8, 0x00ff00ff);
    SPREAD(x, 4, 0x0f0f0f0f);
    SPREAD(x, 2, 0x33333333);
    SPREAD(x, 1, 0x55555555);
    SPREAD(y, 8, 0x00ff00ff);
    SPREAD(y, 4, 0x0f0f0f0f);
    SPREAD(y, 2, 0x33333333);
    SPREAD(y, 1, 0x55555555);
    SPREAD(z, 16, 0x0000ffff0000ffff);
    SPREAD(z, 8, 0x00ff00ff00ff00ff);
    SPREAD(z, 4, 0x0f0f0f0f0f0f0f0f);
#undef SPREAD
    PUT(x | y << 1);
    PUT64(z);
    u32 g = IU(3) ^ IU(3) >> 1, b = g;
    for (u32 s = 16; s; s >>= 1)
        b ^= b >> s;
    PUT(g);
    PUT(b == IU(3));
}

KERNEL(int_long_carry)
{
    BEGIN;
    u32 a[6], b[6], sum[6], diff[6], product[8] = {0};
    u64 carry = 0;
    i64 borrow = 0;
    for (u32 i = 0; i < 6; i++) {
        a[i] = in[IN_U32 + (gid * 5 + i) % 1024];
        b[i] = in[IN_U32 + (gid * 3 + 7 * i) % 1024];
    }
    for (u32 i = 0; i < 6; i++) {
        carry += (u64)a[i] + b[i];
        sum[i] = (u32)carry;
        carry >>= 32;
        borrow += (i64)a[i] - b[i];
        diff[i] = (u32)borrow;
        borrow >>= 32;
    }
    for (u32 i = 0; i < 4; i++) {
        u64 c = 0;
        for (u32 j = 0; j < 4; j++) {
            c += (u64)a[i] * b[j] + product[i + j];
            product[i + j] = (u32)c;
            c >>= 32;
        }
        product[i + 4] = (u32)c;
    }
    for (u32 i = 0; i < 6; i++) {
        PUT(sum[i]);
        PUT(diff[i]);
    }
    for (u32 i = 0; i < 8; i++)
        PUT(product[i]);
    PUT64(carry);
    PUT64(borrow);
}

KERNEL(int_bit_int)
{
    BEGIN;
    unsigned _BitInt(37) a = (unsigned _BitInt(37))IU64(0), b = (unsigned _BitInt(37))IU64(1);
    _BitInt(19) c = (_BitInt(19))IS(2), d = (_BitInt(19))IS(3);
    unsigned _BitInt(96) e = (unsigned _BitInt(96))IU64(0) << 32 | IU(4);
    PUT64(a + b);
    PUT64(a * b);
    PUT64(a >> 5 ^ b << 3);
    PUT64(a < b);
    PUT(c > d);
    PUT((i32)(_BitInt(19))(c ^ d));
    PUT((i32)(c >> 2));
    PUT64((u64)(e >> 20));
    PUT64((u64)(e * 5 >> 40));
    PUT64((u64)(e + a));
}

KERNEL(int_sign_chain)
{
    BEGIN;
    u32 a = IU(0);
    u64 d = IU64(1);
    PUT64((i64)(i8)a);
    PUT64((i64)(i16)(a >> 5));
    PUT64((i64)(i32)a);
    PUT64((u64)(u8)d << 33 | (u16)(d >> 7));
    PUT((i32)(i8)(u8)(i16)(d >> 9));
    PUT((u16)(i8)(a >> 11));
    PUT((u8)(i8) - (i8)a);
    PUT((i16)(u8)a * (i8)d);
    PUT64((u64)(i64)(i8)a >> 3);
    PUT64((i64)(i16)a * (i32)d);
    PUT64((u32)(i16)a + (u64)(i8)(d >> 30));
    PUT((u32)((i32)(i8)a >> 1) ^ (u32)((i32)(i16)(d >> 16) >> 3));
}

typedef u16 u16x8_ __attribute__((vector_size(16)));
typedef u8 u8x8 __attribute__((vector_size(8)));
typedef i8 i8x8 __attribute__((vector_size(8)));
typedef u16 u16x4 __attribute__((vector_size(8)));
typedef i16 i16x4 __attribute__((vector_size(8)));
typedef u32 u32x2 __attribute__((vector_size(8)));
typedef i32 i32x4 __attribute__((vector_size(16)));
typedef u32 u32x4_ __attribute__((vector_size(16)));
typedef u64 u64x2 __attribute__((vector_size(16)));

KERNEL(int_vectors)
{
    BEGIN;
    u8x8 a = __builtin_bit_cast(u8x8, IU64(0)), b = __builtin_bit_cast(u8x8, IU64(1));
    u16x4 h = __builtin_bit_cast(u16x4, IU64(2)), k = __builtin_bit_cast(u16x4, IU64(3));
    i8x8 s = __builtin_bit_cast(i8x8, a), t = __builtin_bit_cast(i8x8, b);
    i16x4 p = __builtin_bit_cast(i16x4, h), q = __builtin_bit_cast(i16x4, k);
    PUT64(__builtin_bit_cast(u64, a + b));
    PUT64(__builtin_bit_cast(u64, a * b));
    PUT64(__builtin_bit_cast(u64, s - t));
    PUT64(__builtin_bit_cast(u64, s < t));
    PUT64(__builtin_bit_cast(u64, a >> (b & 7)));
    PUT64(__builtin_bit_cast(u64, __builtin_elementwise_max(s, t)));
    PUT64(__builtin_bit_cast(u64, h * k + h));
    PUT64(__builtin_bit_cast(u64, p >> (q & 15)));
    PUT64(__builtin_bit_cast(u64, __builtin_elementwise_min(p, q)));
    PUT64(__builtin_bit_cast(u64, __builtin_elementwise_add_sat(p, q)));
    PUT64(__builtin_bit_cast(u64, h == k));
    PUT64(__builtin_bit_cast(u64, __builtin_shufflevector(a, b, 0, 9, 2, 11, 12, 5, 14, 7)));
    PUT64(__builtin_bit_cast(u64, __builtin_shufflevector(h, k, 3, 4, 6, 1)));
    PUT(__builtin_reduce_add(__builtin_convertvector(a, u16x8_)));
    PUT(__builtin_reduce_xor(h));
    PUT(__builtin_reduce_max(t));
}

KERNEL(int_vectors_wide)
{
    BEGIN;
    u32x4_ a = {IU(0), IU(1), IU(2), IU(3)}, b = {IU(4), IU(5), IU(6), IU(7)};
    u64x2 c = {IU64(0), IU64(1)}, d = {IU64(2), IU64(3)};
    i32x4 s = __builtin_convertvector(a, i32x4) >> 3;
    u32x4_ r = a * b + (a ^ b);
    u64x2 e = c * d - (c >> (d & 63));
    for (u32 i = 0; i < 4; i++) {
        PUT(r[i]);
        PUT(s[i] / 3);
    }
    PUT64(e[0]);
    PUT64(e[1]);
    PUT(__builtin_reduce_add(a));
    PUT(__builtin_reduce_min(s));
    PUT64(__builtin_reduce_or(c));
    a[gid & 3] = 9;
    r = __builtin_shufflevector(a, b, 7, 0, 1, 4) << (b & 31);
    PUT(r[(gid >> 2) & 3]);
    PUT(r[0] ^ r[1] ^ r[2] ^ r[3]);
}

KERNEL(int_absolute)
{
    BEGIN;
    i32 a = IS(0), b = IS(1);
    i64 c = IS64(2), d = IS64(3);
    PUT(a < 0 ? 0u - (u32)a : (u32)a);
    PUT(a > b ? (u32)a - (u32)b : (u32)b - (u32)a);
    PUT((u32)a > (u32)b ? (u32)a - (u32)b : (u32)b - (u32)a);
    PUT64(c < 0 ? 0ull - (u64)c : (u64)c);
    PUT64(c > d ? (u64)c - (u64)d : (u64)d - (u64)c);
    PUT((i16)a > (i16)b ? (i16)a - (i16)b : (i16)b - (i16)a);
    /* nine bits: of eight clang 19 makes a subtraction of bytes alone on gfx9 */
    PUT((a & 0x1ff) > (b & 0x1ff) ? (a & 0x1ff) - (b & 0x1ff) : (b & 0x1ff) - (a & 0x1ff));
    PUT(__builtin_elementwise_abs((i8)(a | 1)));
    PUT64(__builtin_elementwise_abs(c | 1));
    PUT((a ^ a >> 31) - (a >> 31));
}

/* The scalar unit: 64-bit operations, bit operations and conditions that are the same in all lanes. */
KERNEL(uniform_int64)
{
    BEGIN;
    GLOBAL const u64 *q = (GLOBAL const u64 *)in;
    u64 a = q[3], b = q[40], c = q[71];
    u32 n = in[9] & 63;
    u64 r = a + b * 3 - (c << n) + (a >> n) + (u64)((i64)b >> n);
    r ^= (a & b) | (~b & c);
    r += (a & ~b) + (a | ~c) + ~(a ^ c) + ~(a & c) + ~(b | c);
    r += a < b ? c : a;
    r ^= (i64)a < (i64)c ? b : 5;
    r += a == b ? 1 : 2;
    r += c != 0 ? 3 : 4;
    PUT64(r + gid);
    PUT64(a * b);
    PUT64((unsigned __int128)a * b >> 64);
    PUT64((a >> 13 & 0x1ffffff) + ((i64)(b << 20) >> 50));
    PUT(__builtin_clzll(a | 1) + __builtin_ctzll(b | 1ull << 60) * 64 + __builtin_popcountll(c) * 4096);
    PUT(__builtin_clrsbll((i64)a) + __builtin_clrsb((i32)b) * 64);
    PUT64(__builtin_bitreverse64(a) ^ BSWAP64(b));
    PUT64(a | 1ull << n);
    PUT64(a & ~(1ull << n));
    PUT((a >> n & 1) ? 7 : 9);
    PUT64((b | 1ull << 40) / ((c & 0xffffff) | 1));
    PUT64((i64)a < 0 ? 0 - a : a);
}

KERNEL(uniform_loops)
{
    BEGIN;
    u32 n = (in[12] & 15) + 3, r = gid, k = 0;
    u64 m = (u64)in[13] << 32 | in[14];
    for (u64 i = m; i != 0; i &= i - 1)
        k += (u32)__builtin_ctzll(i);
    for (u32 i = 0; i < n; i++) {
        u32 w = in[20 + i];
        if (w & 1)
            r += w;
        if ((i32)w < 0)
            r ^= k;
        switch (w % 5) {
        case 0:
            r *= 3;
            break;
        case 1:
            r -= i;
            continue;
        case 4:
            k += w;
            break;
        default:
            r += w >> 16;
        }
        if (in[50 + i] == 0xffffffff && in[51 + i] == 0)
            break;
    }
    PUT(r);
    PUT(k);
    while (n & (n - 1))
        n &= n - 1;
    PUT(n);
}

KERNEL(uniform_narrow)
{
    BEGIN;
    GLOBAL const u8 *b = (GLOBAL const u8 *)in;
    GLOBAL const i16 *h = (GLOBAL const i16 *)in;
    u32 r = b[5] * 3u + (u32)(i8)b[17] + (u16)h[9] + (u32)h[21];
    i16 s = (i16)(h[4] * h[6] + h[5]);
    u8 t = (u8)(b[3] << (b[4] & 7)) | (u8)(b[6] >> 3);
    r += (u32)s + t;
    r ^= (u16)h[2] < (u16)h[3] ? 0x100u : 0x200u;
    r += h[2] > h[7] ? (u32)h[2] : (u32)h[7];
    r = (u32)(i32)(i8)(r >> 3) + (r & 0xff00) + ((r >> 16 & 0xff) << 24);
    PUT(r + gid);
    PUT(s);
    PUT(t);
    PUT(in[7] << 16 | (in[8] & 0xffff));
    PUT((in[7] & 0xffff0000) | in[9] >> 16);
    PUT((in[1] >> 8 & 0xff) * (in[2] & 0xff) + in[3] % 100);
}
