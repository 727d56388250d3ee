/* Scratch, loads and stores of all widths, tables, atomics. Part of diff.c. */

KERNEL(scratch_dynamic)
{
    BEGIN;
    u32 a[32];
    for (u32 i = 0; i < 32; i++)
        a[i] = IU(0) * (i + 1);
    for (u32 i = 0; i < 20; i++)
        a[(IU(1) >> i) & 31] ^= a[(IU(2) >> i) & 31] + i;
    u32 h = 0;
    for (u32 i = 0; i < 32; i++)
        h = h * 33 + a[i];
    PUT(h);
    PUT(a[gid & 31]);
}

KERNEL(scratch_bytes)
{
    BEGIN;
    u8 b[64];
    u16 s[16];
    u64 q[8];
    for (u32 i = 0; i < 64; i++)
        b[i] = (u8)(IU(0) >> (i & 24)) + i;
    for (u32 i = 0; i < 16; i++)
        s[i] = (u16)(b[(i * 5 + gid) & 63] * 257 - i);
    for (u32 i = 0; i < 8; i++)
        q[i] = (u64)s[(i + gid) & 15] << 20 | b[i];
    b[gid & 63] = 0xee;
    s[gid & 15] ^= 0x8000;
    PUT((i8)b[(gid * 3) & 63]);
    PUT(b[(gid + 1) & 63]);
    PUT((i16)s[(gid * 7) & 15]);
    PUT(s[(gid + 9) & 15]);
    PUT64(q[gid & 7]);
    u32 h = 0;
    for (u32 i = 0; i < 64; i++)
        h = h * 31 + b[i];
    PUT(h);
}

KERNEL(scratch_sort)
{
    BEGIN;
    i32 v[12];
    for (u32 i = 0; i < 12; i++)
        v[i] = (i32)(IU(0) * (2 * i + 1) ^ IU(1));
    for (u32 i = 1; i < 12; i++) {
        i32 x = v[i];
        u32 j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
    for (u32 i = 0; i < 12; i++)
        PUT(v[i]);
}

NOINLINE void fill(u32 *p, u32 n, u32 seed)
{
    for (u32 i = 0; i < n; i++)
        p[i] = seed = seed * 1664525 + 1013904223;
}
NOINLINE u32 sum_of(const u32 *p, u32 n)
{
    u32 s = 0;
    for (u32 i = 0; i < n; i++)
        s = s * 7 + p[i];
    return s;
}

KERNEL(scratch_pointer)
{
    BEGIN;
    u32 a[20], b[5];
    fill(a, 20, IU(0));
    fill(b, 5, IU(1));
    fill(a + 3, gid % 7, gid);
    u32 *p = gid & 1 ? a + 2 : b;
    p[gid % 5] += 9;
    PUT(sum_of(a, 20));
    PUT(sum_of(b, 5));
    PUT(sum_of(gid & 2 ? a : b, 5));
    /* the same function on global memory */
    PUT(sum_of((const u32 *)(in + IN_U32 + gid), 4));
}

KERNEL(flat_select)
{
    BEGIN;
    u32 local[4] = {IU(0), IU(1), 3, 4};
    u32 *g = (u32 *)(out + gid * SLOTS);
    u32 *p = IU(2) & 1 ? local : g + 8;
    g[8] = 100;
    g[9] = 200;
    g[10] = 300;
    p[1] = p[0] + 5;
    ((u16 *)p)[4] = 0xabcd;
    ((u8 *)p)[11] = 0x5a;
    g[0] = p[0];
    g[1] = p[1];
    g[2] = p[2];
    g[3] = local[1];
    g[4] = ((i8 *)p)[2] + ((u8 *)p)[3];
    g[5] = *(u64 *)((u32 *)p + (gid & 1 ? 0 : 0)) >> 20;
}

struct __attribute__((packed)) ragged {
    u8 a;
    u32 b;
    u16 c;
    u64 d;
    f32 e;
    u8 f[3];
};

KERNEL(memory_packed)
{
    BEGIN;
    GLOBAL const struct ragged *r = (GLOBAL const struct ragged *)(in + IN_U32);
    GLOBAL const struct ragged *p = r + gid % 100;
    PUT(p->a);
    PUT(p->b);
    PUT(p->c);
    PUT64(p->d);
    PUT(p->f[0] + p->f[1] * p->f[2]);
    struct ragged w;
    w = *p;
    w.b += 1;
    w.d ^= 0x1234567890abcdefull;
    w.f[gid % 3] = 7;
    GLOBAL struct ragged *q = (GLOBAL struct ragged *)((GLOBAL u8 *)(out + gid * SLOTS) + 65);
    *q = w;
    q->c = 0xbeef;
}

KERNEL(memory_unaligned)
{
    BEGIN;
    typedef u32 __attribute__((aligned(1))) u32_any;
    typedef u64 __attribute__((aligned(2))) u64_any;
    typedef u16 __attribute__((aligned(1))) u16_any;
    GLOBAL const u8 *b = (GLOBAL const u8 *)in + gid;
    GLOBAL u8 *o = (GLOBAL u8 *)(out + gid * SLOTS) + 100;
    PUT(*(GLOBAL const u32_any *)(b + 1));
    PUT(*(GLOBAL const u16_any *)(b + 3));
    PUT64(*(GLOBAL const u64_any *)((GLOBAL const u8 *)in + 2 * gid + 2));
    *(GLOBAL u32_any *)(o + 1) = IU(0);
    *(GLOBAL u16_any *)(o + 7) = (u16)IU(1);
    *(GLOBAL u64_any *)(o + 10) = IU64(2);
    PUT((i32)(i8)b[5] + b[6]);
}

KERNEL(memory_narrow)
{
    BEGIN;
    GLOBAL const u8 *b = (GLOBAL const u8 *)in;
    GLOBAL const u16 *h = (GLOBAL const u16 *)in;
    GLOBAL u8 *o = (GLOBAL u8 *)(out + gid * SLOTS + 20);
    GLOBAL u16 *s = (GLOBAL u16 *)(out + gid * SLOTS + 30);
    PUT(b[gid * 3]);
    PUT((i8)b[gid * 5 + 1]);
    PUT(h[gid]);
    PUT((i16)h[gid * 2 + 1]);
    for (u32 i = 0; i < 7; i++)
        o[i] = (u8)(IU(0) >> i);
    for (u32 i = 0; i < 5; i++)
        s[i] = (u16)(IU(1) >> i);
    s[6] = b[gid];
    o[9] = (u8)(IU(2) >> 16);
    s[7] = (u16)(IU(2) >> 16);
}

KERNEL(memory_vectors)
{
    BEGIN;
    typedef u8 u8x4 __attribute__((vector_size(4)));
    typedef u32 u32x4 __attribute__((vector_size(16)));
    typedef u32 u32x8 __attribute__((vector_size(32)));
    f32x4 a = ((GLOBAL const f32x4 *)(in + IN_F32))[gid], b = ((GLOBAL const f32x4 *)(in + IN_F32))[gid % 50];
    u32x8 w = ((GLOBAL const u32x8 *)in)[gid % 99];
    u8x4 c = ((GLOBAL const u8x4 *)in)[gid], d = ((GLOBAL const u8x4 *)in)[gid * 2];
    f32x4 s = a + b;
    u8x4 e = c * d + c, f = c > d;
    u32x4 x = {w[0] + w[7], w[1] ^ w[6], w[2], w[gid & 7]};
    for (u32 i = 0; i < 4; i++)
        PUTF(s[i]);
    PUT(__builtin_bit_cast(u32, e));
    PUT(__builtin_bit_cast(u32, f));
    *(GLOBAL u32x4 *)(out + gid * SLOTS + 12) = x;
    *(GLOBAL u32x8 *)(out + gid * SLOTS + 24) = w;
    w[gid % 8] = 1;
    *(GLOBAL u32x8 *)(out + gid * SLOTS + 32) = w;
}

KERNEL(memory_builtins)
{
    BEGIN;
    u8 a[48], b[48];
    __builtin_memset(a, (i32)(gid & 255), sizeof a);
    __builtin_memcpy(b, (const u8 *)(in + IN_U32) + gid, sizeof b);
    __builtin_memcpy(a + 5, b + 3, 17);
    __builtin_memmove(b + 4, b + 1, 30);
    __builtin_memmove(b, b + 2, gid % 20);
    __builtin_memset(a + 30, 0, gid % 9);
    u32 h = 0;
    for (u32 i = 0; i < 48; i++)
        h = h * 31 + a[i] * 3 + b[i];
    PUT(h);
    __builtin_memcpy((u8 *)(out + gid * SLOTS + 8), a, 33);
    __builtin_memcpy((u8 *)(out + gid * SLOTS + 20) + 1, b, 48);
}

KERNEL(memory_pointers)
{
    BEGIN;
    GLOBAL const u32 *p = in + IN_U32 + gid, *q = in + IN_U32 + (IU(0) & 511);
    i64 d = q - p;
    PUT64(d);
    PUT(p < q);
    PUT(*(p + d));
    u64 low = (u64)(unsigned long)p & 63;
    PUT((u32)(((u64)(unsigned long)(p + 16) & 63) - low));
    GLOBAL const u32 *end = p + (IU(1) & 15);
    u32 s = 0;
    while (p != end)
        s = s * 5 + *p++;
    PUT(s);
    PUT(p[-1] + q[(i64)-1 * (q > in + IN_U32)]);
}

KERNEL(memory_volatile)
{
    BEGIN;
    volatile u32 a[6];
    volatile u8 c = (u8)IU(0);
    for (u32 i = 0; i < 6; i++)
        a[i] = IU(1) + i;
    a[gid % 6] = a[(gid + 1) % 6] + c;
    c += 3;
    for (u32 i = 0; i < 6; i++)
        PUT(a[i]);
    PUT(c);
    GLOBAL volatile u32 *o = (GLOBAL volatile u32 *)(out + gid * SLOTS + 20);
    *o = 5;
    *o = *o + gid;
    PUT(*o);
}

KERNEL(memory_union)
{
    BEGIN;
    union {
        f32 f[4];
        f64 d[2];
        u64 q[2];
        u32 w[4];
        u16 h[8];
        u8 b[16];
    } u;
    u.q[0] = IU64(0);
    u.q[1] = IU64(1);
    u.h[gid & 7] ^= 0x1234;
    u.b[gid & 15] += 9;
    PUT(u.w[gid & 3]);
    u.f[0] = (f32)u.b[7] * 1.5f;
    u.d[1] = (f64)u.h[2] + 0.25;
    for (u32 i = 0; i < 4; i++)
        PUT(u.w[i]);
}

static const u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
static const u8 sbox[40] = "The quick brown fox jumps over the lazy";
static const f64 weights[5] = {0.1, -2.5, 1e300, 3.0, 0x1p-1070};
static const u32 *const views[3] = {primes + 3, primes, primes + 8};
#ifdef __AMDGPU__
__attribute__((visibility("default")))
#endif
u32 diff_exported[8] = {9, 8, 7, 6, 5, 4, 3, 2};
struct node {
    const struct node *next;
    u32 value;
};
static const struct node nodes[4] = {{&nodes[2], 10}, {&nodes[3], 20}, {&nodes[1], 30}, {0, 40}};

KERNEL(table_constants)
{
    BEGIN;
    PUT(primes[IU(0) & 15]);
    PUT(sbox[IU(1) % 40]);
    PUTD(weights[IU(2) % 5]);
    PUT(views[IU(3) % 3][gid & 3]);
    PUT(diff_exported[gid & 7]);
    u32 s = 0;
    for (const struct node *n = &nodes[gid & 3]; n; n = n->next)
        s = s * 100 + n->value;
    PUT(s);
}

KERNEL(atomic_global)
{
    BEGIN;
    u32 a = IU(0);
    __atomic_fetch_add(&acc[0], a, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&acc[1], a, __ATOMIC_RELAXED);
    __atomic_fetch_and(&acc[2], a | 0xff, __ATOMIC_RELAXED);
    __atomic_fetch_or(&acc[3], a & 0x10101010, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&acc[4], a, __ATOMIC_RELAXED);
    __atomic_fetch_max(&acc[5], a, __ATOMIC_RELAXED);
    __atomic_fetch_min((GLOBAL i32 *)&acc[6], (i32)a, __ATOMIC_RELAXED);
    __atomic_fetch_max((GLOBAL i32 *)&acc[7], (i32)a, __ATOMIC_ACQ_REL);
    __atomic_fetch_min(&acc[8], ~a, __ATOMIC_SEQ_CST);
    __atomic_fetch_add((GLOBAL u64 *)&acc[10], IU64(1), __ATOMIC_RELAXED);
    __atomic_fetch_max((GLOBAL u64 *)&acc[12], IU64(1), __ATOMIC_RELAXED);
    __atomic_fetch_xor((GLOBAL u64 *)&acc[14], IU64(2), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&acc[32 + (a & 31)], 1, __ATOMIC_RELAXED);
    if (a & 1)
        __atomic_fetch_add(&acc[20], 1, __ATOMIC_RELAXED);
}

/* Each work-item on a word of its own, so that what the atomics return is known. */
KERNEL(atomic_returns)
{
    BEGIN;
    u32 a = IU(0), expected = 5;
    GLOBAL u32 *w = out + gid * SLOTS + 40;
    GLOBAL u64 *d = (GLOBAL u64 *)(out + gid * SLOTS + 42);
    *w = 5;
    *d = IU64(3);
    PUT(__atomic_fetch_add(w, a, __ATOMIC_SEQ_CST));
    PUT(__atomic_fetch_sub(w, 3, __ATOMIC_RELAXED));
    PUT(__atomic_exchange_n(w, gid, __ATOMIC_RELAXED));
    PUT(__atomic_fetch_max(w, 100, __ATOMIC_RELAXED));
    PUT(__atomic_fetch_nand(w, a, __ATOMIC_RELAXED));
    PUT(__atomic_compare_exchange_n(w, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    PUT(expected);
    PUT(__atomic_compare_exchange_n(w, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    PUT64(__atomic_fetch_add(d, IU64(1), __ATOMIC_SEQ_CST));
    PUT64(__atomic_fetch_and(d, IU64(2), __ATOMIC_RELAXED));
    PUT64(__atomic_fetch_min((GLOBAL i64 *)d, IS64(0), __ATOMIC_RELAXED));
    PUT64(__atomic_exchange_n(d, IU64(5), __ATOMIC_RELAXED));
    PUT(__atomic_load_n(w, __ATOMIC_SEQ_CST));
    __atomic_store_n(w, 77, __ATOMIC_RELEASE);
}

KERNEL(atomic_flat)
{
    BEGIN;
    u32 *w = (u32 *)(out + gid * SLOTS + 40);
    u64 *d = (u64 *)(out + gid * SLOTS + 42);
    *d = 7;
    PUT(__atomic_fetch_add(w, gid + 1, __ATOMIC_RELAXED));
    PUT(__atomic_fetch_xor(w, IU(0), __ATOMIC_SEQ_CST));
    PUT64(__atomic_fetch_add(d, IU64(0), __ATOMIC_RELAXED));
    u32 e = *w;
    PUT(__atomic_compare_exchange_n(w, &e, IU(1), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Additions of small whole numbers are exact in any order; the loop is a compare-and-swap. */
KERNEL(atomic_float_cas)
{
    BEGIN;
    GLOBAL u32 *w = acc + 64 + gid % 4;
    u32 old = __atomic_load_n(w, __ATOMIC_RELAXED), new;
    do {
        new = __builtin_bit_cast(u32, __builtin_bit_cast(f32, old) + (f32)(gid & 15));
    } while (!__atomic_compare_exchange_n(w, &old, new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
