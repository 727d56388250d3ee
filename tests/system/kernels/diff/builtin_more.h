/* More builtins next to what they mean in C: dot products, sums of differences, conversions, division steps, apertures.
 * Where a target lacks one, it runs the C. Part of diff.c. */

SHARED i64 clamp_if(i64 v, i64 lo, i64 hi, u32 clamp)
{
    return clamp ? clamp_i64(v, lo, hi) : v;
}
SHARED u32 plain_dot(u32 a, u32 b, u32 c, u32 bits, u32 sign_a, u32 sign_b, u32 clamp)
{
    i64 s = sign_a || sign_b ? (i64)(i32)c : (i64)c;
    for (u32 i = 0; i < 32; i += bits) {
        i64 x = (i64)(a >> i & ((1ull << bits) - 1)), y = (i64)(b >> i & ((1ull << bits) - 1));
        x -= sign_a ? (x >> (bits - 1)) << bits : 0;
        y -= sign_b ? (y >> (bits - 1)) << bits : 0;
        s += x * y;
    }
    if (sign_a || sign_b)
        return (u32)clamp_if(s, -0x80000000ll, 0x7fffffff, clamp);
    return (u32)clamp_if(s, 0, 0xffffffff, clamp);
}

#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_udot4)
#define UDOT4(a, b, c, clamp) __builtin_amdgcn_udot4(a, b, c, clamp)
#define UDOT8(a, b, c, clamp) __builtin_amdgcn_udot8(a, b, c, clamp)
#else
#define UDOT4(a, b, c, clamp) plain_dot(a, b, c, 8, 0, 0, clamp)
#define UDOT8(a, b, c, clamp) plain_dot(a, b, c, 4, 0, 0, clamp)
#endif
#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_sdot4)
#define SDOT4(a, b, c, clamp) (u32) __builtin_amdgcn_sdot4((i32)(a), (i32)(b), (i32)(c), clamp)
#define SDOT8(a, b, c, clamp) (u32) __builtin_amdgcn_sdot8((i32)(a), (i32)(b), (i32)(c), clamp)
#else
#define SDOT4(a, b, c, clamp) plain_dot(a, b, c, 8, 1, 1, clamp)
#define SDOT8(a, b, c, clamp) plain_dot(a, b, c, 4, 1, 1, clamp)
#endif
#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_sdot2)
#define SDOT2(a, b, c, clamp)                                                                                          \
    (u32) __builtin_amdgcn_sdot2(__builtin_bit_cast(i16x2, a), __builtin_bit_cast(i16x2, b), (i32)(c), clamp)
#define UDOT2(a, b, c, clamp)                                                                                          \
    __builtin_amdgcn_udot2(__builtin_bit_cast(u16x2, a), __builtin_bit_cast(u16x2, b), c, clamp)
#else
#define SDOT2(a, b, c, clamp) plain_dot(a, b, c, 16, 1, 1, clamp)
#define UDOT2(a, b, c, clamp) plain_dot(a, b, c, 16, 0, 0, clamp)
#endif
#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_sudot4)
#define SUDOT4(sa, a, sb, b, c, clamp) (u32) __builtin_amdgcn_sudot4(sa, (i32)(a), sb, (i32)(b), (i32)(c), clamp)
#define SUDOT8(sa, a, sb, b, c, clamp) (u32) __builtin_amdgcn_sudot8(sa, (i32)(a), sb, (i32)(b), (i32)(c), clamp)
#else
#define SUDOT4(sa, a, sb, b, c, clamp) plain_dot(a, b, c, 8, sa, sb, clamp)
#define SUDOT8(sa, a, sb, b, c, clamp) plain_dot(a, b, c, 4, sa, sb, clamp)
#endif

KERNEL(dot_integers)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    PUT(UDOT4(a, b, c, 0));
    PUT(SDOT4(a, b, c, 0));
    PUT(UDOT8(a, b, c, 0));
    PUT(SDOT8(a, b, c, 0));
    PUT(UDOT2(a, b, c, 0));
    PUT(SDOT2(a, b, c, 0));
    PUT(UDOT4(a, b, c | 0xfffff000, 1));
    PUT(SDOT4(a, b, 0x7ffffff0, 1));
    PUT(UDOT8(a, b, c | 0xffffff00, 1));
    PUT(SDOT8(a, b, 0x80000010, 1));
    PUT(UDOT2(a, b, c, 1));
    PUT(SDOT2(a, b, c, 1));
}

/* One of the signs at least: the target's builtin of both unsigned saturates as signed, udot as unsigned. */
KERNEL(dot_mixed_signs)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    PUT(SUDOT4(1, a, 0, b, c, 0));
    PUT(SUDOT4(0, a, 1, b, c, 0));
    PUT(SUDOT4(1, a, 1, b, c, 0));
    PUT(SUDOT4(1, a, 0, b, 0x7fffff80, 1));
    PUT(SUDOT8(1, a, 0, b, c, 0));
    PUT(SUDOT8(0, a, 1, b, 0x80000040, 1));
}

#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_fdot2)
#define FDOT2(a, b, c) __builtin_amdgcn_fdot2(a, b, c, 0)
#else
#define FDOT2(a, b, c) ((f32)(a)[0] * (f32)(b)[0] + (f32)(a)[1] * (f32)(b)[1] + (c))
#endif
#if defined(__AMDGPU__) && DEVICE_HAS(__builtin_amdgcn_fdot2_f16_f16)
#define FDOT2_F16(a, b, c) __builtin_amdgcn_fdot2_f16_f16(a, b, c)
#else
#define FDOT2_F16(a, b, c) (f16)((f32)(a)[0] * (f32)(b)[0] + (f32)(a)[1] * (f32)(b)[1] + (f32)(c))
#endif

/* Small whole numbers and halves of them: exact in any order. */
KERNEL(dot_halves)
{
    BEGIN;
    u32 w = IU(0);
    f16x2 a = {(f16)(i32)(w & 31), (f16)((i32)(w >> 5 & 31) - 16)}, b = {(f16)0.5f, (f16)(i32)(w >> 10 & 15)};
    PUTF(FDOT2(a, b, 2.25f));
    PUTF(FDOT2(a, a, (f32)(w >> 20)));
    PUTH(FDOT2_F16(a, b, (f16)-3));
    f32 s = 0;
    for (u32 i = 0; i < 4; i++)
        s = FDOT2(a * (f16)(i32)i, b, s);
    PUTF(s);
}

#ifndef __AMDGPU__
static u32 host_msad_u8(u32 a, u32 b, u32 c)
{
    for (u32 i = 0; i < 32; i += 8) {
        i32 d = (i32)(a >> i & 255) - (i32)(b >> i & 255);
        c += b >> i & 255 ? (u32)(d < 0 ? -d : d) : 0;
    }
    return c;
}
static u64 host_qsad(u64 a, u32 b, u64 c, u32 (*sad)(u32, u32, u32))
{
    u64 r = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 s = sad((u32)(a >> 8 * i), b, (u32)(c >> 16 * i & 0xffff));
        r |= (u64)(s > 0xffff ? 0xffff : s) << 16 * i;
    }
    return r;
}
#endif

KERNEL(intrinsic_sad)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2) >> 8;
    u64 q = IU64(3), t = IU64(4) & 0x00ff0fff03ff00ff;
    PUT(ON_DEVICE(__builtin_amdgcn_msad_u8(a, b & 0xff00ffff, c), host_msad_u8(a, b & 0xff00ffff, c)));
    PUT64(ON_DEVICE(__builtin_amdgcn_qsad_pk_u16_u8(q, b, t), host_qsad(q, b, t, host_sad_u8)));
    PUT64(ON_DEVICE(__builtin_amdgcn_mqsad_pk_u16_u8(q, b, t), host_qsad(q, b, t, host_msad_u8)));
    u32x4_ sums = {a >> 8, b >> 9, c, 5};
    u32x4_ r = ON_DEVICE(__builtin_amdgcn_mqsad_u32_u8(q, b, sums), sums);
    for (u32 i = 0; i < 4; i++)
        PUT(ON_DEVICE(r[i], host_msad_u8((u32)(q >> 8 * i), b, r[i])));
}

KERNEL(intrinsic_pack)
{
    BEGIN;
    u32 a = IU(0), b = IU(1);
    static const f32 values[8] = {0, 1, -1, 0.5f, -0.25f, 3, -7, 0.001f};
    f32 x = values[a & 7], y = values[b & 7];
    (void)x, (void)y;
    PUT(ON_DEVICE(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_pk_i16((i32)a, (i32)b)),
                  (u32)(u16)clamp_i64((i32)a, -32768, 32767) | (u32)clamp_i64((i32)b, -32768, 32767) << 16));
    PUT(ON_DEVICE(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_pk_u16(a, b)),
                  (a > 65535 ? 65535 : a) | (b > 65535 ? 65535 : b) << 16));
    PUT(ON_DEVICE(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_pknorm_u16(x, y)),
                  (u32)__builtin_rint((x < 0   ? 0
                                       : x > 1 ? 1
                                               : x) *
                                      65535.0) |
                      (u32)__builtin_rint((y < 0   ? 0
                                           : y > 1 ? 1
                                                   : y) *
                                          65535.0)
                          << 16));
    PUT(ON_DEVICE(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_pknorm_i16(x, y)),
                  (u32)(u16)(i16)__builtin_rint((x < -1  ? -1
                                                 : x > 1 ? 1
                                                         : x) *
                                                32767.0) |
                      (u32)(u16)(i16)__builtin_rint((y < -1  ? -1
                                                     : y > 1 ? 1
                                                             : y) *
                                                    32767.0)
                          << 16));
}

#ifndef __AMDGPU__
static u32 host_cube(f32 x, f32 y, f32 z, f32 *s, f32 *t, f32 *m)
{
    f32 ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
    if (az >= ax && az >= ay) {
        *s = z < 0 ? -x : x, *t = -y, *m = 2 * z;
        return z < 0 ? 5 : 4;
    }
    if (ay >= ax) {
        *s = x, *t = y < 0 ? -z : z, *m = 2 * y;
        return y < 0 ? 3 : 2;
    }
    *s = x < 0 ? z : -z, *t = -y, *m = 2 * x;
    return x < 0 ? 1 : 0;
}
#endif

KERNEL(intrinsic_cube)
{
    BEGIN;
    f32 x = tame(IF(0), 1), y = tame(IF(1), -2), z = tame(IF(2), 3), s = 0, t = 0, m = 0, id = 0;
    (void)s, (void)t, (void)m;
    id = ON_DEVICE(__builtin_amdgcn_cubeid(x, y, z), (f32)host_cube(x, y, z, &s, &t, &m));
    PUTF(id);
    PUTF(ON_DEVICE(__builtin_amdgcn_cubesc(x, y, z), s));
    PUTF(ON_DEVICE(__builtin_amdgcn_cubetc(x, y, z), t));
    PUTF(ON_DEVICE(__builtin_amdgcn_cubema(x, y, z), m));
}

KERNEL(intrinsic_half)
{
    BEGIN;
    f16 a = tame_h(IH(0), (f16)1), b = tame_h(IH(1), (f16)2), c = tame_h(IH(2), (f16)-3), raw = IH(3);
    i32 e = (i32)(IU(0) & 7) - 3, fe = 0;
    f64 mant = __builtin_isfinite((f32)a) ? ON_DEVICE(0.0, __builtin_frexp((f64)a, &fe)) : 0;
    (void)mant, (void)fe;
    PUTH(a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b));
#ifndef __GFX8__
    PUTH(ON_DEVICE(__builtin_amdgcn_fmed3h(a, b, c), a < b ? (b < c   ? b
                                                              : a < c ? c
                                                                      : a)
                                                           : (a < c   ? a
                                                              : b < c ? c
                                                                      : b)));
#else
    PUTH(a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b));
#endif
    PUTH(ON_DEVICE(__builtin_amdgcn_frexp_manth(a), (f16)mant));
    PUT(ON_DEVICE(__builtin_amdgcn_frexp_exph(a), fe));
    PUTH(ON_DEVICE(__builtin_amdgcn_ldexph(b, e), (f16)__builtin_ldexp((f64)b, e)));
    PUTH(ON_DEVICE(__builtin_amdgcn_fracth(a), (f16)((f64)a - __builtin_floor((f64)a))));
    PUT(ON_DEVICE(__builtin_amdgcn_classh(raw, 0x003), raw != raw));
    PUT(ON_DEVICE(__builtin_amdgcn_classh(raw, 0x204), __builtin_isinf((f32)raw) != 0));
    PUT(ON_DEVICE(__builtin_amdgcn_classh(raw, 0x060), raw == (f16)0));
}

/* The steps of a division as the compiler makes them. */
KERNEL(intrinsic_division)
{
    BEGIN;
    f32 n = IF(0), d = IF(1);
    f64 p = ID(2), q = ID(3);
#ifdef __AMDGPU__
    _Bool scaled, unused;
    f32 sd = __builtin_amdgcn_div_scalef(n, d, 0, &unused), sn = __builtin_amdgcn_div_scalef(n, d, 1, &scaled);
    f32 r = __builtin_amdgcn_rcpf(sd);
    r = __builtin_fmaf(__builtin_fmaf(-sd, r, 1.0f), r, r);
    f32 t = sn * r;
    t = __builtin_fmaf(__builtin_fmaf(-sd, t, sn), r, t);
    PUTF(__builtin_amdgcn_div_fixupf(__builtin_amdgcn_div_fmasf(__builtin_fmaf(-sd, t, sn), r, t, scaled), d, n));
    f64 wd = __builtin_amdgcn_div_scale(p, q, 0, &unused), wn = __builtin_amdgcn_div_scale(p, q, 1, &scaled);
    f64 w = __builtin_amdgcn_rcp(wd);
    w = __builtin_fma(__builtin_fma(-wd, w, 1.0), w, w);
    w = __builtin_fma(__builtin_fma(-wd, w, 1.0), w, w);
    f64 x = wn * w;
    PUTD(__builtin_amdgcn_div_fixup(__builtin_amdgcn_div_fmas(__builtin_fma(-wd, x, wn), w, x, scaled), q, p));
#else
    PUTF(n / d);
    PUTD(p / q);
#endif
}

/* LLVM 22 crashes at it, or drops its results, where registers have halves of their own (true16) */
#if DEVICE_HAS(__builtin_amdgcn_cvt_pk_fp8_f32) && !defined(LLVM22_TRUE16)
/* 8-bit floats hold these numbers in every format. */
KERNEL(intrinsic_fp8)
{
    BEGIN;
    u32 w = IU(0);
    f32 v[4] = {(f32)((i32)(w & 7) - 3), (f32)(w >> 3 & 7) * 0.5f, (f32)(w >> 6 & 3) * -16.0f, 1.75f};
#ifdef __AMDGPU__
    i32 fp8 = __builtin_amdgcn_cvt_pk_fp8_f32(v[0], v[1], 0, 0),
        bf8 = __builtin_amdgcn_cvt_pk_bf8_f32(v[0], v[1], 0, 0);
    fp8 = __builtin_amdgcn_cvt_pk_fp8_f32(v[2], v[3], fp8, 1);
    bf8 = __builtin_amdgcn_cvt_pk_bf8_f32(v[2], v[3], bf8, 1);
    /* a zero has a sign in some of the formats */
    PUTF(__builtin_amdgcn_cvt_f32_fp8(fp8, 0) + 0.0f);
    PUTF(__builtin_amdgcn_cvt_f32_fp8(fp8, 1) + 0.0f);
    PUTF(__builtin_amdgcn_cvt_f32_fp8(fp8, 2) + 0.0f);
    PUTF(__builtin_amdgcn_cvt_f32_fp8(fp8, 3) + 0.0f);
    PUTF(__builtin_amdgcn_cvt_f32_bf8(bf8, 0) + 0.0f);
    PUTF(__builtin_amdgcn_cvt_f32_bf8(bf8, 2) + 0.0f);
    f32x2 pair = __builtin_amdgcn_cvt_pk_f32_fp8(fp8, 1), low = __builtin_amdgcn_cvt_pk_f32_bf8(bf8, 0);
    PUTF(pair[0] + pair[1]);
    PUTF(low[0] - low[1]);
#else
    for (u32 i = 0; i < 4; i++)
        PUTF(v[i] + 0.0f);
    PUTF(v[0] + 0.0f);
    PUTF(v[2] + 0.0f);
    PUTF(v[2] + v[3]);
    PUTF(v[0] - v[1]);
#endif
}
#endif

GROUP_KERNEL(intrinsic_apertures)
{
    LDS(u32, t, GROUP);
    EACH_ITEM
    {
        u32 own[40]; /* too much to be moved to LDS */
        own[0] = lid, own[1] = gid;
        const void *p = lid % 3 == 0   ? (const void *)(t + lid)
                        : lid % 3 == 1 ? (const void *)own
                                       : (const void *)(in + lid);
        (void)p;
        PUT_AT(gid, 0,
               ON_DEVICE(__builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void *)p), lid % 3 == 0));
        PUT_AT(gid, 1,
               ON_DEVICE(__builtin_amdgcn_is_private((const __attribute__((address_space(0))) void *)p), lid % 3 == 1));
        PUT_AT(gid, 2, own[lid & 1]);
        t[lid] = 0;
    }
}

GROUP_KERNEL(lds_append)
{
    LDS(i32, n, 4);
    EACH_ITEM
    {
        if (lid < 4)
            n[lid] = 1000;
        (void)gid;
    }
    BARRIER();
#ifdef __AMDGPU__
    if (LID % 3 == 0)
        __builtin_amdgcn_ds_append(&n[1]);
    if (LID & 1)
        __builtin_amdgcn_ds_consume(&n[2]);
#else
    n[1] += 86;
    n[2] -= 128;
#endif
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, n[lid & 3]);
    }
}

/* Comparisons of all lanes as a mask. */
GROUP_KERNEL(lane_compare)
{
    PRIVATE(u32, v);
    PRIVATE(u32, lt);
    PRIVATE(u32, gt);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
        MINE(lt) = MINE(v) < 0x40000000;
        MINE(gt) = (i32)MINE(v) > 5;
    }
    EACH_ITEM
    {
        /* predicates of the compiler: 36 unsigned less, 38 signed greater, 4 ordered less */
        u64 a = ON_DEVICE(__builtin_amdgcn_uicmp(MINE(v), 0x40000000u, 36), BALLOT(lt));
        u64 b = ON_DEVICE(__builtin_amdgcn_sicmp((i32)MINE(v), 5, 38), BALLOT(gt));
        PUT_AT(gid, 0, a);
        PUT_AT(gid, 1, a >> 32);
        PUT_AT(gid, 2, b);
        PUT_AT(gid, 3, b >> 32);
    }
}

#if DEVICE_HAS(__builtin_amdgcn_s_barrier_signal)
/* gfx12: to signal and to wait are two steps, with work between them. */
GROUP_KERNEL(barrier_split)
{
    LDS(u32, t, GROUP);
    PRIVATE(u32, own);
    EACH_ITEM
    {
        t[lid] = in[IN_U32 + gid];
    }
#ifdef __AMDGPU__
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier_signal(-1);
#endif
    EACH_ITEM
    {
        MINE(own) = in[IN_U32 + gid + 300] * 3;
    }
#ifdef __AMDGPU__
    __builtin_amdgcn_s_barrier_wait(-1);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#endif
    EACH_ITEM
    {
        PUT_AT(gid, 0, t[GROUP - 1 - lid] + MINE(own));
    }
}
#endif

#if DEVICE_HAS(__builtin_amdgcn_global_load_lds)
/* Memory straight to LDS, a word for each lane. Optimizing it crashes clang 19. */
__attribute__((optnone, noinline)) GROUP_KERNEL(lds_direct_load)
{
    LDS(u32, t, GROUP);
#ifdef __AMDGPU__
    __builtin_amdgcn_global_load_lds(in + ((GROUP_ID * GROUP + LID) * 3 & 1023), t + LID / 64 * 64, 4, 0, 0);
    __builtin_amdgcn_s_waitcnt(0x3f70); /* vmcnt(0) */
#else
    EACH_ITEM
    {
        t[lid] = in[gid * 3 & 1023];
    }
#endif
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, t[(lid * 5 + 1) % GROUP]);
    }
}
#endif

#if DEVICE_HAS(__builtin_amdgcn_global_atomic_fadd_v2f16)
KERNEL(atomic_packed_half)
{
    BEGIN;
    GLOBAL f16x2 *own = (GLOBAL f16x2 *)(out + gid * SLOTS + 20);
    f16x2 v = {(f16)(i32)(IU(0) & 31), (f16)-2};
    *own = (f16x2){(f16)0.5f, (f16)(i32)(gid & 7)};
#ifdef __AMDGPU__
    f16x2 old = __builtin_amdgcn_global_atomic_fadd_v2f16(own, v);
    __builtin_amdgcn_global_atomic_fadd_v2f16((GLOBAL f16x2 *)(acc + 7), (f16x2){(f16)1, (f16)2});
#else
    f16x2 old = *own;
    *own += v;
    *(f16x2 *)(acc + 7) += (f16x2){(f16)1, (f16)2};
#endif
    PUTH(old[0]);
    PUTH(old[1]);
}
#endif
