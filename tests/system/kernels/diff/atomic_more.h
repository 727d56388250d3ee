/* Atomics: floats, narrow ones, loops of compare-and-swap, tickets, generic pointers. Part of diff.c. */

KERNEL(atomic_wide)
{
    BEGIN;
    u64 a = IU64(0);
    GLOBAL u64 *w = (GLOBAL u64 *)(acc + 16);
    __atomic_fetch_add(&w[0], a, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&w[1], a, __ATOMIC_RELAXED);
    __atomic_fetch_or(&w[2], a & 0x8000400020001000, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&w[3], a, __ATOMIC_ACQ_REL);
    __atomic_fetch_max(&w[4], a, __ATOMIC_RELAXED);
    __atomic_fetch_min((GLOBAL i64 *)&w[5], (i64)a, __ATOMIC_RELAXED);
    __atomic_fetch_max((GLOBAL i64 *)&w[6], (i64)a, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&w[7 + gid % 3], gid, __ATOMIC_RELAXED);
}

KERNEL(atomic_narrow)
{
    BEGIN;
    GLOBAL u8 *b = (GLOBAL u8 *)(out + gid * SLOTS + 20);
    GLOBAL u16 *h = (GLOBAL u16 *)(out + gid * SLOTS + 24);
    PUT(__atomic_fetch_add(&b[1], (u8)IU(0), __ATOMIC_RELAXED));
    PUT(__atomic_fetch_add(&b[1], (u8)IU(1), __ATOMIC_RELAXED));
    PUT(__atomic_exchange_n(&b[2], (u8)IU(2), __ATOMIC_RELAXED));
    PUT(__atomic_fetch_xor(&b[1], 0x55, __ATOMIC_RELAXED));
    PUT(__atomic_fetch_sub(&h[1], (u16)IU(3), __ATOMIC_RELAXED));
    PUT(__atomic_fetch_or(&h[1], 0x101, __ATOMIC_RELAXED));
    u16 e = h[1];
    PUT(__atomic_compare_exchange_n(&h[1], &e, (u16)7, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    PUT(__atomic_load_n(&h[1], __ATOMIC_RELAXED));
    __atomic_fetch_add((GLOBAL u8 *)acc + 900 + gid % 5, (u8)1, __ATOMIC_RELAXED);
    __atomic_fetch_add((GLOBAL u16 *)acc + 470 + gid % 3, (u16)gid, __ATOMIC_RELAXED);
}

KERNEL(atomic_cas_loops)
{
    BEGIN;
    GLOBAL u64 *w = (GLOBAL u64 *)(acc + 30) + gid % 2;
    u64 old = __atomic_load_n(w, __ATOMIC_RELAXED), next;
    do {
        next = old + (gid | (u64)gid << 40);
        next ^= (next ^ old) & 0;
    } while (!__atomic_compare_exchange_n(w, &old, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    GLOBAL u32 *m = acc + 40;
    u32 seen = __atomic_load_n(m, __ATOMIC_RELAXED), mine = IU(0) % 100000 * 3;
    while (mine > seen)
        if (__atomic_compare_exchange_n(m, &seen, mine, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
    GLOBAL u64 *f = (GLOBAL u64 *)(acc + 44);
    u64 bits = __atomic_load_n(f, __ATOMIC_RELAXED), sum;
    do {
        sum = __builtin_bit_cast(u64, __builtin_bit_cast(f64, bits) + (f64)(gid & 31) * 0.5);
    } while (!__atomic_compare_exchange_n(f, &bits, sum, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Each work-item draws a ticket of its own; every ticket is drawn once. */
KERNEL(atomic_tickets)
{
    BEGIN;
    u32 t = __atomic_fetch_add(&acc[0], 1, __ATOMIC_RELAXED), d = __atomic_fetch_sub(&acc[1], 3, __ATOMIC_RELAXED);
    __atomic_fetch_add(&acc[4], t * t + 1, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&acc[5], d * 0x9e3779b9, __ATOMIC_RELAXED);
    __atomic_fetch_add(&acc[16 + t % 200], 1, __ATOMIC_RELAXED);
    if (gid & 1)
        __atomic_fetch_or(&acc[240 + (__atomic_fetch_add(&acc[6], 1, __ATOMIC_RELAXED) >> 5)], 1, __ATOMIC_RELAXED);
}

#ifdef __AMDGPU__
#define WRAP_INC(p, v)   __builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, "agent")
#define WRAP_DEC(p, v)   __builtin_amdgcn_atomic_dec32(p, v, __ATOMIC_RELAXED, "agent")
#define WRAP_INC64(p, v) __builtin_amdgcn_atomic_inc64(p, v, __ATOMIC_RELAXED, "agent")
#define WRAP_DEC64(p, v) __builtin_amdgcn_atomic_dec64(p, v, __ATOMIC_RELAXED, "agent")
#else
static u32 wrap_inc(u32 *p, u32 v)
{
    u32 old = *p;
    *p = old >= v ? 0 : old + 1;
    return old;
}
static u32 wrap_dec(u32 *p, u32 v)
{
    u32 old = *p;
    *p = old == 0 || old > v ? v : old - 1;
    return old;
}
#define WRAP_INC(p, v)   wrap_inc(p, v)
#define WRAP_DEC(p, v)   wrap_dec(p, v)
#define WRAP_INC64(p, v) (u64) wrap_inc((u32 *)(p), (u32)(v))
#define WRAP_DEC64(p, v) (u64) wrap_dec((u32 *)(p), (u32)(v))
#endif

KERNEL(atomic_wrap)
{
    BEGIN;
    WRAP_INC(&acc[9], 41);
    WRAP_DEC(&acc[10], 56);
    GLOBAL u32 *own = out + gid * SLOTS + 30;
    GLOBAL u64 *own64 = (GLOBAL u64 *)(out + gid * SLOTS + 32);
    *own = IU(0) & 7;
    *own64 = IU(1) & 7;
    for (u32 i = 0; i < 4; i++) {
        PUT(WRAP_INC(own, 4));
        PUT(WRAP_DEC(own, 5));
        PUT(WRAP_DEC(own, 6));
        PUT(WRAP_INC64(own64, 3));
        PUT(WRAP_DEC64(own64, 7));
    }
}

/* Exact in any order: whole numbers. */
KERNEL(atomic_float_returns)
{
    BEGIN;
    GLOBAL f32 *w = (GLOBAL f32 *)(out + gid * SLOTS + 30);
    GLOBAL f64 *d = (GLOBAL f64 *)(out + gid * SLOTS + 32);
    f32 v = tame(IF(0), 1.5f);
    f64 e = tame_d(ID(0), 2.5);
    *w = 3.0f;
    *d = -1.0;
#ifdef __AMDGPU__
    PUTF(__atomic_fetch_add(w, v, __ATOMIC_RELAXED));
    PUTF(__atomic_fetch_sub(w, 1.0f, __ATOMIC_RELAXED));
    PUTF(__atomic_fetch_max(w, v, __ATOMIC_RELAXED));
    PUTF(__atomic_fetch_min(w, 2.0f, __ATOMIC_RELAXED));
    PUTD(__atomic_fetch_add(d, e, __ATOMIC_RELAXED));
    PUTD(__atomic_fetch_max(d, 0.5, __ATOMIC_RELAXED));
    PUTD(__atomic_fetch_min(d, e, __ATOMIC_RELAXED));
#else
    PUTF(*w);
    *w += v;
    PUTF(*w);
    *w -= 1.0f;
    PUTF(*w);
    *w = *w > v ? *w : v;
    PUTF(*w);
    *w = *w < 2.0f ? *w : 2.0f;
    PUTD(*d);
    *d += e;
    PUTD(*d);
    *d = *d > 0.5 ? *d : 0.5;
    PUTD(*d);
    *d = *d < e ? *d : e;
#endif
    PUTF(*w);
    PUTD(*d);
}

GROUP_KERNEL(atomic_lds_float)
{
    LDS(f32, sum, 8);
    LDS(f64, wide, 4);
    EACH_ITEM
    {
        if (lid < 8)
            sum[lid] = lid == 5 ? 1e30f : 0;
        if (lid < 4)
            wide[lid] = 0;
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        f32 v = (f32)(in[IN_U32 + gid] & 0xff) - 77.0f;
#ifdef __AMDGPU__
        __atomic_fetch_add(&sum[lid & 3], v, __ATOMIC_RELAXED);
        __atomic_fetch_max(&sum[4], v, __ATOMIC_RELAXED);
        __atomic_fetch_min(&sum[5], v, __ATOMIC_RELAXED);
        __atomic_fetch_add(&wide[0], (f64)v * 0.25, __ATOMIC_RELAXED);
        __atomic_fetch_max(&wide[1], (f64)v, __ATOMIC_RELAXED);
#else
        sum[lid & 3] += v;
        sum[4] = sum[4] > v ? sum[4] : v;
        sum[5] = sum[5] < v ? sum[5] : v;
        wide[0] += (f64)v * 0.25;
        wide[1] = wide[1] > (f64)v ? wide[1] : (f64)v;
#endif
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, bits_f32(sum[lid & 7]));
        PUT_AT(gid, 1, bits_f64(wide[lid & 3]));
        PUT_AT(gid, 2, bits_f64(wide[lid & 3]) >> 32);
    }
}

GROUP_KERNEL(atomic_lds_wide)
{
    LDS(u64, d, GROUP);
    LDS(u8, b, GROUP);
    EACH_ITEM
    {
        u64 a = (u64)in[IN_U32 + gid] << 9 | lid, e = 1;
        d[lid] = a;
        b[lid] = (u8)a;
        PUT_AT(gid, 0, __atomic_fetch_sub(&d[lid], 5, __ATOMIC_RELAXED) >> 7);
        PUT_AT(gid, 1, __atomic_fetch_and(&d[lid], ~0xf0ull, __ATOMIC_RELAXED) >> 3);
        PUT_AT(gid, 2, __atomic_fetch_or(&d[lid], 1ull << 50, __ATOMIC_RELAXED) >> 20);
        PUT_AT(gid, 3, __atomic_fetch_min(&d[lid], a, __ATOMIC_RELAXED) >> 20);
        PUT_AT(gid, 4, __atomic_fetch_max((LDS_POINTER i64 *)&d[lid], -9, __ATOMIC_RELAXED));
        PUT_AT(gid, 5, __atomic_compare_exchange_n(&d[lid], &e, 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        PUT_AT(gid, 6, __atomic_compare_exchange_n(&d[lid], &e, 4, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        PUT_AT(gid, 7, e);
        PUT_AT(gid, 8, __atomic_fetch_add(&b[lid], (u8)lid, __ATOMIC_RELAXED));
        PUT_AT(gid, 9, __atomic_load_n(&b[lid], __ATOMIC_RELAXED));
        PUT_AT(gid, 10, d[lid]);
    }
}

/* The same atomics through pointers that lead to LDS in some lanes and to global memory in others. */
NOINLINE u32 bump(u32 *p, u32 by)
{
    return __atomic_fetch_add(p, by, __ATOMIC_RELAXED) ^ __atomic_exchange_n(p, by * 3, __ATOMIC_RELAXED);
}

GROUP_KERNEL(atomic_generic)
{
    LDS(u32, w, GROUP);
    EACH_ITEM
    {
        w[lid] = lid * 5;
        PUT_AT(gid, 4, gid);
        u32 *p = lid % 3 ? (u32 *)&w[lid] : (u32 *)(out + gid * SLOTS + 4);
        PUT_AT(gid, 0, bump(p, gid + 1));
        PUT_AT(gid, 1, *p);
        u32 e = gid;
        PUT_AT(gid, 2, __atomic_compare_exchange_n(p, &e, 9, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        PUT_AT(gid, 3, e + w[lid]);
    }
}

KERNEL(atomic_fences)
{
    BEGIN;
    GLOBAL u32 *own = out + gid * SLOTS + 10;
    own[0] = IU(0);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&own[1], 1, __ATOMIC_RELEASE);
    PUT(__atomic_load_n(&own[1], __ATOMIC_ACQUIRE) + __atomic_load_n(&own[0], __ATOMIC_SEQ_CST));
#ifdef __AMDGPU__
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
    __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_s_setprio(1);
    __builtin_amdgcn_wave_barrier();
    PUT(__scoped_atomic_fetch_add(&own[2], gid, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
    PUT(__scoped_atomic_fetch_add(&own[2], 5, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP));
    PUT(__scoped_atomic_load_n(&own[2], __ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM));
#else
    own[2] = gid + 5;
    PUT(0);
    PUT(gid);
    PUT(gid + 5);
#endif
}
