/* Integer arithmetic of all widths. Part of diff.c. */

KERNEL(int_u32)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    PUT(a + b);
    PUT(a - b);
    PUT(a * b);
    PUT(a * b + c);
    PUT(a & b);
    PUT(a | b);
    PUT(a ^ b);
    PUT(~a & b);
    PUT((a & b) | c);
    PUT((a | b) | c);
    PUT((a ^ b) ^ c);
    PUT((a & b) | (~a & c));
    PUT(a << (b & 31));
    PUT(a >> (b & 31));
    PUT((a << 3) + b);
    PUT((a + b) << 5);
    PUT((a << 7) | b);
    PUT(a + b + c);
    PUT(-a);
    PUT(a < b);
    PUT(a <= b);
    PUT(a == b);
    PUT(a != b);
    PUT(a < b ? a : b);
    PUT(a > b ? a : b);
    PUT(a > b ? (b > c ? b : c) : a);
    PUT((a >> 5) & 0x7ff);
    PUT((a & 0xffffff) * (b & 0xffffff) + c);
    PUT((u32)(((u64)a * b) >> 32));
}

KERNEL(int_i32)
{
    BEGIN;
    i32 a = IS(0), b = IS(1), c = IS(3);
    PUT(a >> (b & 31));
    PUT(a < b);
    PUT(a <= b);
    PUT(a < b ? a : b);
    PUT(a > b ? a : b);
    PUT(a < 0 ? 0 - (u32)a : (u32)a);
    PUT((i32)((u32)a << 24) >> 24);
    PUT((i32)((u32)a << 9) >> 20);
    PUT(((i64)a * b) >> 32);
    PUT((i32)((u32)a << 8) >> 8);
    PUT(((i32)((u32)a << 8) >> 8) * ((i32)((u32)b << 8) >> 8));
    PUT(__builtin_elementwise_max(__builtin_elementwise_min(a, b), c));
    PUT(__builtin_elementwise_max(__builtin_elementwise_min(__builtin_elementwise_max(a, b), c),
                                  __builtin_elementwise_min(a, b)));
    PUT(a >= 0 && b < c);
    PUT64((i64)a * b + c);
    PUT64((u64)(u32)a * (u32)b + (u32)c);
}

KERNEL(int_div32)
{
    BEGIN;
    u32 a = IU(0), b = IU(1) | 1, s = (IU(2) & 0xff) + 1;
    i32 sa = IS(0), sb = IS(4) == 0 || IS(4) == -1 ? 7 : IS(4);
    PUT(a / b);
    PUT(a % b);
    PUT(a / s);
    PUT(a % s);
    PUT(sa / sb);
    PUT(sa % sb);
    PUT(sa / (i32)s);
    PUT(sa % (i32)s);
    PUT(a / 7);
    PUT(a % 1000);
    PUT(sa / 7);
    PUT(sa % -10);
    PUT(sa / 16);
    PUT(sa % 16);
    PUT(a / (b >> 16 | 1));
}

KERNEL(int_u64)
{
    BEGIN;
    u64 a = IU64(0), b = IU64(1), c = IU64(2);
    PUT64(a + b);
    PUT64(a - b);
    PUT64(a * b);
    PUT64(a * b + c);
    PUT64(a & b);
    PUT64((a | b) ^ c);
    PUT64(a << (b & 63));
    PUT64(a >> (b & 63));
    PUT64((i64)a >> (b & 63));
    PUT64(a >> 32);
    PUT64((i64)a >> 35);
    PUT64(a << 36);
    PUT64(a < b ? a : b);
    PUT64((i64)a > (i64)b ? a : b);
    PUT(a < b);
    PUT((i64)a < (i64)b);
    PUT(a == c);
    PUT64(-a);
    PUT64((i64)a < 0 ? -a : a);
}

KERNEL(int_divu64)
{
    BEGIN;
    u64 a = IU64(0), b = IU64(1) | 1;
    PUT64(a / b);
    PUT64(a % b);
    PUT64(a / (b >> 40 | 1));
    PUT64(a % (b >> 20 | 1));
    PUT64(a / 1000000007ull);
}

KERNEL(int_divi64)
{
    BEGIN;
    i64 a = IS64(0), b = IS64(1);
    b = b == 0 || b == -1 ? 3 : b;
    PUT64(a / b);
    PUT64(a % b);
    PUT64(a / ((b >> 33) | 1 ? ((b >> 33) | 5) : 9));
    PUT64(a / 10);
    PUT64(a % 64);
}

KERNEL(int_u16)
{
    BEGIN;
    u16 a = (u16)IU(0), b = (u16)IU(1), c = (u16)IU(2);
    PUT((u16)(a + b));
    PUT((u16)(a - b));
    PUT((u16)(a * b));
    PUT((u16)(a * b + c));
    PUT((u16)(a << (b & 15)));
    PUT((u16)(a >> (b & 15)));
    PUT((u16)((i16)a >> (b & 15)));
    PUT(a < b ? a : b);
    PUT((u16)((i16)a < (i16)b ? a : b));
    PUT(a > b ? a : b);
    PUT((u16)((i16)a > (i16)b ? a : b));
    PUT((i16)a * (i16)b);
    PUT(a * b);
    PUT((u16)(a / (b | 1)));
    PUT((u16)(a % (b | 1)));
    PUT((i16)a / ((i16)b == 0 ? 1 : (i16)b));
    PUT((i32)(i16)a);
    PUT(a == b);
    PUT((i16)a < (i16)c);
    PUT((u16)~a);
    PUT((u32)a << 16 | b);
}

KERNEL(int_u8)
{
    BEGIN;
    u8 a = (u8)IU(0), b = (u8)IU(1), c = (u8)(IU(2) >> 8);
    PUT((u8)(a + b));
    PUT((u8)(a - b));
    PUT((u8)(a * b));
    PUT((u8)(a << (b & 7)));
    PUT((u8)(a >> (b & 7)));
    PUT((u8)((i8)a >> (b & 7)));
    PUT(a < b ? a : b);
    PUT((i8)a < (i8)b ? (i8)a : (i8)b);
    PUT((u8)(a / (b | 1)));
    PUT((i8)a / ((i8)b == 0 ? 1 : (i8)b));
    PUT((i8)a % ((i8)b == 0 ? 1 : (i8)b));
    PUT((i32)(i8)a * (i8)b + (i8)c);
    PUT((u32)a << 24 | (u32)b << 16 | (u32)c << 8 | a);
}

KERNEL(int_bits)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    u64 d = IU64(2);
    PUT(__builtin_popcount(a));
    PUT(__builtin_popcountll(d));
    PUT(a ? __builtin_clz(a) : 99);
    PUT(a ? __builtin_ctz(a) : 99);
    PUT(d ? __builtin_clzll(d) : 99);
    PUT(d ? __builtin_ctzll(d) : 99);
    PUT(__builtin_ffs((i32)a));
    PUT(__builtin_ffsll((i64)d));
    PUT(__builtin_clrsb((i32)a));
    PUT(__builtin_clrsbll((i64)d));
    PUT(__builtin_bitreverse32(a));
    PUT64(__builtin_bitreverse64(d));
    PUT(__builtin_bitreverse16((u16)a));
    PUT(__builtin_bswap32(a));
    PUT64(BSWAP64(d));
    PUT(__builtin_bswap16((u16)a));
    PUT(__builtin_rotateleft32(a, b & 31));
    PUT(__builtin_rotateright32(a, b & 31));
    PUT(__builtin_rotateleft32(a, 11));
    PUT64(__builtin_rotateleft64(d, b & 63));
    PUT(__builtin_rotateleft16((u16)a, b & 15));
    PUT(__builtin_rotateleft8((u8)a, b & 7));
    PUT(__builtin_parity(a));
    PUT(a & (0u - a));
    PUT(a & (a - 1));
    PUT(((1u << (b & 31)) - 1) << (a & 15));
    PUT(__builtin_popcount(a) + (i32)b);
    PUT((a >> (b & 31)) & ((1u << (b >> 27)) - 1));
    PUT((u32)(((u64)a << 32 | b) >> (d & 31)));
}

KERNEL(int_saturate)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    PUT(__builtin_elementwise_add_sat(a, b));
    PUT(__builtin_elementwise_sub_sat(a, b));
    PUT(__builtin_elementwise_add_sat((i32)a, (i32)b));
    PUT(__builtin_elementwise_sub_sat((i32)a, (i32)b));
    PUT(__builtin_elementwise_add_sat((i32)(u16)a, (i32)(u16)b));
    PUT(__builtin_elementwise_sub_sat((i32)(u16)a, (i32)(u16)b));
    PUT(__builtin_elementwise_add_sat((i32)(i16)a, (i32)(i16)b));
    PUT(__builtin_elementwise_sub_sat((i32)(i16)a, (i32)(i16)b));
    PUT(__builtin_elementwise_add_sat((i32)(u8)a, (i32)(u8)b));
    PUT(__builtin_elementwise_sub_sat((i32)(i8)a, (i32)(i8)b));
    PUT64(__builtin_elementwise_add_sat(IU64(0), IU64(3)));
    PUT64(__builtin_elementwise_sub_sat(IS64(0), IS64(3)));
    PUT(__builtin_elementwise_abs((i32)(a | 1)));
    PUT(__builtin_elementwise_abs((i16)(a | 1)));
    PUT(__builtin_elementwise_min((i8)a, (i8)b));
}

KERNEL(int_overflow)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), r;
    i32 s;
    u64 l;
    i64 m;
    PUT(__builtin_add_overflow(a, b, &r));
    PUT(r);
    PUT(__builtin_sub_overflow(a, b, &r));
    PUT(__builtin_mul_overflow(a, b, &r));
    PUT(r);
    PUT(__builtin_add_overflow((i32)a, (i32)b, &s));
    PUT(s);
    PUT(__builtin_sub_overflow((i32)a, (i32)b, &s));
    PUT(__builtin_mul_overflow((i32)a, (i32)b, &s));
    PUT(s);
    PUT(__builtin_add_overflow(IU64(0), IU64(1), &l));
    PUT64(l);
    PUT(__builtin_sub_overflow(IS64(0), IS64(1), &m));
    PUT64(m);
    PUT(__builtin_mul_overflow(IU64(0), IU64(1), &l));
    PUT64(l);
    u32 carry, carry2;
    u32 lo = __builtin_addc(a, b, 0, &carry);
    u32 hi = __builtin_addc(IU(2), IU(3), carry, &carry2);
    PUT(lo);
    PUT(hi);
    PUT(carry2);
}

KERNEL(int_i128)
{
    BEGIN;
    unsigned __int128 a = (unsigned __int128)IU64(0) << 64 | IU64(1), b = (unsigned __int128)IU64(2) << 64 | IU64(3);
    unsigned __int128 p = a * b, s = a + b, d = a - b, l = a << (IU(4) & 127), r = a >> (IU(4) & 127);
    __int128 ar = (__int128)a >> (IU(4) & 127);
    PUT64(p);
    PUT64(p >> 64);
    PUT64(s);
    PUT64(s >> 64);
    PUT64(d);
    PUT64(d >> 64);
    PUT64(l);
    PUT64(l >> 64);
    PUT64(r);
    PUT64(r >> 64);
    PUT64(ar);
    PUT64(ar >> 64);
    PUT(a < b);
    PUT((__int128)a < (__int128)b);
}

/* The same operations on values that are the same in all lanes: the scalar unit. */
KERNEL(int_uniform)
{
    BEGIN;
    u32 a = in[IN_U32 + 3], b = in[IN_U32 + 77], c = in[IN_U32 + 140];
    u64 d = (u64)a << 32 | b, e = (u64)b << 32 | c;
    u32 r = a * b + c, n;
    n = a >> (c & 31);
    r ^= n + (a << (b & 31)) + (u32)((i32)a >> (c & 31));
    r += a < b ? a : c;
    r += (i32)a < (i32)b ? b : c;
    r ^= (u32)__builtin_popcount(b) << 3 ^ (u32)__builtin_clz(c | 1) ^ (u32)__builtin_ctz(a | 1u << 31);
    r ^= a / (b | 1) + c % (b >> 16 | 1);
    d = d * e + (d >> (a & 63)) + (e << (b & 63)) + (u64)((i64)d >> (c & 63));
    d ^= d < e ? d - e : d + e;
    d += (u64)__builtin_popcountll(e) + __builtin_bitreverse64(d);
    r += __builtin_bitreverse32(r) + (u32)(i8)r + (u32)(i16)(r >> 3) + ((r >> 7) & 0x1fff);
    r += __builtin_rotateleft32(r, b & 31) + (~a & b) + ~(a | c) + ~(a ^ b) + (a & ~c);
    for (u32 i = 0; i < (a & 15) + 3; i++)
        r = r * 1664525 + 1013904223 + (u32)d;
    PUT(r + gid);
    PUT64(d);
    PUT((u32)(((u64)a * c) >> 32) + (u32)(((i64)(i32)b * (i32)c) >> 32));
    PUT(__builtin_elementwise_abs((i32)(a | 1)));
}

KERNEL(int_hash)
{
    BEGIN;
    u32 h = 2166136261u;
    u64 x = gid * 0x9e3779b97f4a7c15ull;
    for (u32 i = 0; i < 20; i++) {
        h = (h ^ (IU(0) >> (i & 3) * 8 & 0xff)) * 16777619u;
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        h ^= (u32)(x * 0x2545f4914f6cdd1dull >> 32);
    }
    PUT(h);
    PUT64(x);
}

KERNEL(int_bytes)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), sum = IU(2);
    for (u32 i = 0; i < 4; i++) {
        i32 d = (i32)(a >> 8 * i & 255) - (i32)(b >> 8 * i & 255);
        sum += (u32)(d < 0 ? -d : d);
    }
    PUT(sum);
    PUT((a & 0xff00ff00u) | (b & 0x00ff00ffu));
    PUT((a >> 24) | (a >> 8 & 0xff00) | (b << 8 & 0xff0000) | b << 24);
    PUT((a << 16) | (b >> 16));
    PUT((a & 0xffff) | b << 16);
    PUT((a & 0xffff0000) | b >> 16);
    PUT((u32)(i8)(a >> 8) + (u32)(i8)(b >> 24));
}
