/* Builtins of the target next to what they mean in C, and the launch as the kernel sees it. Part of diff.c. */

#ifndef __AMDGPU__
static u32 host_perm(u32 a, u32 b, u32 sel)
{
    u64 both = (u64)a << 32 | b;
    u32 r = 0;
    for (u32 i = 0; i < 4; i++)
        r |= (u32)(both >> 8 * (sel >> 8 * i & 7) & 255) << 8 * i;
    return r;
}
static u32 host_sad_u8(u32 a, u32 b, u32 c)
{
    for (u32 i = 0; i < 32; i += 8) {
        i32 d = (i32)(a >> i & 255) - (i32)(b >> i & 255);
        c += (u32)(d < 0 ? -d : d);
    }
    return c;
}
static u32 host_ubfe(u32 a, u32 offset, u32 width)
{
    offset &= 31, width &= 31;
    return width ? a >> offset & ((1u << width) - 1) : 0;
}
static u32 host_sbfe(u32 a, u32 offset, u32 width)
{
    offset &= 31, width &= 31;
    if (width == 0)
        return 0;
    if (offset + width >= 32)
        return (u32)((i32)a >> offset);
    return (u32)((i32)(a << (32 - offset - width)) >> (32 - width));
}
static u32 host_lerp(u32 a, u32 b, u32 c)
{
    u32 r = 0;
    for (u32 i = 0; i < 32; i += 8)
        r |= (((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1) << i;
    return r;
}
static f32 host_med3(f32 a, f32 b, f32 c)
{
    f32 lo = a < b ? a : b, hi = a < b ? b : a, m = hi < c ? hi : c;
    return lo > m ? lo : m;
}
#endif

KERNEL(intrinsic_int)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2);
    PUT(ON_DEVICE(__builtin_amdgcn_perm(a, b, c & 0x07070707), host_perm(a, b, c)));
    PUT(ON_DEVICE(__builtin_amdgcn_alignbit(a, b, c), (u32)(((u64)a << 32 | b) >> (c & 31))));
    PUT(ON_DEVICE(__builtin_amdgcn_alignbyte(a, b, c), (u32)(((u64)a << 32 | b) >> 8 * (c & 3))));
    PUT(ON_DEVICE(__builtin_amdgcn_ubfe(a, b, c), host_ubfe(a, b, c)));
    PUT(ON_DEVICE(__builtin_amdgcn_sbfe((i32)a, b, c), host_sbfe(a, b, c)));
    PUT(ON_DEVICE(__builtin_amdgcn_ubfe(a, 5, 11), host_ubfe(a, 5, 11)));
    PUT(ON_DEVICE(__builtin_amdgcn_sbfe((i32)a, 27, 9), host_sbfe(a, 27, 9)));
    PUT(ON_DEVICE(__builtin_amdgcn_sad_u8(a, b, c), host_sad_u8(a, b, c)));
    PUT(ON_DEVICE(__builtin_amdgcn_sad_hi_u8(a, b, c), (host_sad_u8(a, b, 0) << 16) + c));
    PUT(ON_DEVICE(__builtin_amdgcn_sad_u16(a, b, c), c + (u32)__builtin_abs((i32)(a & 0xffff) - (i32)(b & 0xffff)) +
                                                         (u32)__builtin_abs((i32)(a >> 16) - (i32)(b >> 16))));
    PUT(ON_DEVICE(__builtin_amdgcn_lerp(a, b, c), host_lerp(a, b, c)));
    PUT(ON_DEVICE(__builtin_amdgcn_mbcnt_hi(a, __builtin_amdgcn_mbcnt_lo(b, 9)) -
                      __builtin_amdgcn_mbcnt_hi(a, __builtin_amdgcn_mbcnt_lo(b, 0)),
                  9));
}

KERNEL(intrinsic_float)
{
    BEGIN;
    f32 a = IF(0), b = IF(1), c = IF(2);
    f32 x = a == a ? a : 1.0f, y = b == b ? b : 2.0f, z = c == c ? c : 3.0f;
    const u32 mask = IU(1) & 0x3ff;
    (void)mask;
    PUTF(ON_DEVICE(__builtin_amdgcn_fmed3f(x, y, z), host_med3(x, y, z)) + 0.0f);
    PUTF(ON_DEVICE(__builtin_amdgcn_fmed3f(x, 0.0f, 1.0f), host_med3(x, 0.0f, 1.0f)) + 0.0f);
    PUT(ON_DEVICE(__builtin_amdgcn_classf(a, 0x3), a != a));
    PUT(ON_DEVICE(__builtin_amdgcn_classf(a, 0x204), __builtin_isinf(a) != 0));
    PUT(ON_DEVICE(__builtin_amdgcn_classf(a, 0x90),
                  a == a && !__builtin_isnormal(a) && __builtin_isfinite(a) && a != 0));
    PUT(ON_DEVICE(__builtin_amdgcn_class(ID(0), 0x60), ID(0) == 0));
    PUT(ON_DEVICE(__builtin_amdgcn_classf(a, mask) ==
                      (__builtin_amdgcn_classf(a, mask & 0x1f) | __builtin_amdgcn_classf(a, mask & 0x3e0)),
                  1));
    f32 m = __builtin_isfinite(x) && x > 0 && x < 1e6f ? x : 2.75f;
    PUTF(ON_DEVICE(__builtin_amdgcn_fractf(m), m - __builtin_floorf(m)));
    PUT(ON_DEVICE(__builtin_bit_cast(u32, __builtin_amdgcn_cvt_pkrtz(0.5f, (f32)(IU(2) & 0x3ff))),
                  0x3800u | (u32) __builtin_bit_cast(u16, (f16)(f32)(IU(2) & 0x3ff)) << 16));
    PUT(ON_DEVICE(__builtin_amdgcn_cvt_pk_u8_f32((f32)(IU(1) & 255), 2, IU(0)), (IU(0) & 0xff00ffff) | (IU(1) & 255)
                                                                                                           << 16));
    /* approximations whose result is exact for powers of two */
    i32 e = (i32)(IU(3) % 120) - 60;
    f32 power = __builtin_bit_cast(f32, (u32)(127 + 2 * e) << 23);
    PUTF(ON_DEVICE(__builtin_amdgcn_rcpf(power), 1.0f / power));
    PUTF(ON_DEVICE(__builtin_amdgcn_sqrtf(power), __builtin_sqrtf(power)));
    PUTF(ON_DEVICE(__builtin_amdgcn_rsqf(power), 1.0f / __builtin_sqrtf(power)));
    PUTF(ON_DEVICE(__builtin_amdgcn_logf(power), (f32)(2 * e)));
    PUTF(ON_DEVICE(__builtin_amdgcn_exp2f((f32)e), __builtin_ldexpf(1.0f, e)));
}

/* Additions and maxima of small whole floats, exact in any order. */
KERNEL(atomic_float)
{
    BEGIN;
    f32 v = (f32)(IU(0) & 0xff) - 100.0f;
#ifdef __AMDGPU__
    __atomic_fetch_add((GLOBAL f32 *)&acc[80], v, __ATOMIC_RELAXED);
    __atomic_fetch_add((GLOBAL f64 *)&acc[82], (f64)v * 0.5, __ATOMIC_RELAXED);
    __atomic_fetch_max((GLOBAL f32 *)&acc[84], v, __ATOMIC_RELAXED);
    __atomic_fetch_min((GLOBAL f32 *)&acc[85], v, __ATOMIC_RELAXED);
#else
    f32 *f = (f32 *)acc;
    f64 *d = (f64 *)(acc + 82);
    f[80] += v;
    *d += (f64)v * 0.5;
    f[84] = f[84] > v ? f[84] : v;
    f[85] = f[85] < v ? f[85] : v;
#endif
}

GROUP_KERNEL(lane_send)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        /* lane l sends to (l * 7 + 1) of its half; 55 * 7 = 1 modulo 32 */
        u32 half = LANE & 32, n = in[IN_U32 + 9] & 15;
        PUT_AT(gid, 0,
               ON_DEVICE((u32)__builtin_amdgcn_ds_permute((i32)((half | ((LANE * 7 + 1) & 31)) * 4), (i32)MINE(v)),
                         BPERMUTE(v, half | (((LANE - 1) * 23) & 31))));
        PUT_AT(gid, 1, READLANE(v, n));
        if (lid & 4) {
            /* lanes 0 to 3 are off: the first one that is on is lane 4 */
            PUT_AT(gid, 3, ON_DEVICE(READFIRST(v), READLANE(v, 4)));
        }
    }
}

GRID_KERNEL(grid_ids)
{
    u32 gid = GRID_X + 10 * (GRID_Y + 5 * GRID_Z), slot_ = 0;
    PUT(GRID_X | GRID_Y << 8 | GRID_Z << 16);
    PUT(ON_DEVICE(__builtin_amdgcn_workgroup_id_x() | __builtin_amdgcn_workgroup_id_y() << 8 |
                      __builtin_amdgcn_workgroup_id_z() << 16,
                  GRID_X / 4 | GRID_Y / 4 << 8 | GRID_Z / 4 << 16));
    /* of whole workgroups, also in the partial ones */
    PUT(ON_DEVICE(__builtin_amdgcn_workgroup_size_x(), 4));
    PUT(ON_DEVICE(__builtin_amdgcn_workgroup_size_y(), 4));
    PUT(ON_DEVICE(__builtin_amdgcn_workgroup_size_z(), 4));
    PUT(ON_DEVICE(__builtin_amdgcn_grid_size_x(), 10));
    PUT(ON_DEVICE(__builtin_amdgcn_grid_size_y(), 5));
    PUT(ON_DEVICE(__builtin_amdgcn_grid_size_z(), 4));
    PUT(in[gid]);
    acc[gid] = gid * 3;
}
