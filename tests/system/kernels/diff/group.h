/* LDS, barriers, LDS atomics and lanes that read other lanes. Part of diff.c. */

GROUP_KERNEL(lds_reduce)
{
    LDS(u32, tile, GROUP);
    EACH_ITEM
    {
        tile[lid] = in[IN_U32 + gid];
    }
    BARRIER();
    for (u32 s = GROUP / 2; s > 0; s >>= 1) {
        EACH_ITEM
        {
            if (lid < s)
                tile[lid] = tile[lid] * 3 + tile[lid + s];
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, tile[0] + lid);
    }
}

GROUP_KERNEL(lds_widths)
{
    LDS(u8, bytes, GROUP);
    LDS(u16, halves, GROUP);
    LDS(u64, longs, GROUP);
    LDS(f32x4, vectors, GROUP);
    EACH_ITEM
    {
        u32 a = in[IN_U32 + gid];
        bytes[lid] = (u8)a;
        halves[lid] = (u16)(a >> 3);
        longs[lid] = (u64)a << 17 | lid;
        vectors[lid] = (f32x4){(f32)(a & 255), (f32)lid, -1.0f, (f32)(a >> 24)};
    }
    BARRIER();
    EACH_ITEM
    {
        u32 o = (lid * 7 + 3) % GROUP;
        PUT_AT(gid, 0, bytes[o]);
        PUT_AT(gid, 1, (i8)bytes[(o + 1) % GROUP]);
        PUT_AT(gid, 2, halves[o]);
        PUT_AT(gid, 3, (i16)halves[lid ^ 5]);
        PUT_AT(gid, 4, longs[o]);
        PUT_AT(gid, 5, longs[o] >> 32);
        PUT_AT(gid, 6, bits_f32(vectors[o][0] + vectors[lid][3]));
        PUT_AT(gid, 7, bits_f32(vectors[o][lid & 3]));
        PUT_AT(gid, 8, longs[lid & 3] + longs[(lid & 3) + 70]);
    }
}

GROUP_KERNEL(lds_transpose)
{
    LDS(f32, tile, 16 * 17);
    LDS(f64, other, 256);
    EACH_ITEM
    {
        tile[(lid / 16) * 17 + lid % 16] = (f32)(in[IN_U32 + gid] & 0xffff) * 0.5f;
        other[lid] = (f64)in[IN_U32 + gid];
    }
    BARRIER();
    EACH_ITEM
    {
        f32 s = 0;
        for (u32 k = 0; k < 16; k++)
            s += tile[(lid / 16) * 17 + k] * tile[k * 17 + lid % 16];
        PUT_AT(gid, 0, bits_f32(tile[(lid % 16) * 17 + lid / 16]));
        PUT_AT(gid, 1, bits_f32(s));
        f64 d = other[lid ^ 1] + other[255 - lid];
        PUT_AT(gid, 2, bits_f64(d));
        PUT_AT(gid, 3, bits_f64(d) >> 32);
    }
}

GROUP_KERNEL(lds_scan)
{
    LDS(u32, a, GROUP);
    LDS(u32, b, GROUP);
    EACH_ITEM
    {
        a[lid] = in[IN_U32 + gid] & 0xfff;
    }
    BARRIER();
    for (u32 s = 1, flip = 0; s < GROUP; s <<= 1, flip ^= 1) {
        EACH_ITEM
        {
            LDS_POINTER u32 *from = flip ? b : a, *to = flip ? a : b;
            to[lid] = lid >= s ? from[lid] + from[lid - s] : from[lid];
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, a[lid]);
        PUT_AT(gid, 1, b[lid]);
    }
}

GROUP_KERNEL(lds_atomics)
{
    LDS(u32, w, 64);
    LDS(u64, d, 4);
    EACH_ITEM
    {
        if (lid < 64)
            w[lid] = lid == 3 || lid == 6 ? 0xffffffff : 0;
        if (lid < 4)
            d[lid] = lid;
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        u32 a = in[IN_U32 + gid];
        __atomic_fetch_add(&w[0], a, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&w[1], a, __ATOMIC_RELAXED);
        __atomic_fetch_or(&w[2], a & 0x01010101, __ATOMIC_RELAXED);
        __atomic_fetch_and(&w[3], a | 0x0f0f0f0f, __ATOMIC_RELAXED);
        __atomic_fetch_xor(&w[4], a, __ATOMIC_RELAXED);
        __atomic_fetch_max(&w[5], a, __ATOMIC_RELAXED);
        __atomic_fetch_min(&w[6], a, __ATOMIC_RELAXED);
        __atomic_fetch_max((LDS_POINTER i32 *)&w[7], (i32)a, __ATOMIC_RELAXED);
        __atomic_fetch_add(&d[0], (u64)a << 20, __ATOMIC_RELAXED);
        __atomic_fetch_max(&d[1], (u64)a << 20, __ATOMIC_RELAXED);
        __atomic_fetch_xor(&d[2], (u64)a * a, __ATOMIC_RELAXED);
        __atomic_fetch_add(&w[16 + (a & 31)], 1, __ATOMIC_RELAXED);
        if (a & 2)
            __atomic_fetch_add(&w[8], 1, __ATOMIC_RELAXED);
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, w[lid % 64]);
        PUT_AT(gid, 1, d[lid % 4]);
        PUT_AT(gid, 2, d[lid % 4] >> 32);
    }
}

GROUP_KERNEL(lds_atomic_returns)
{
    LDS(u32, w, GROUP);
    LDS(u64, d, GROUP);
    EACH_ITEM
    {
        u32 a = in[IN_U32 + gid], e = lid;
        w[lid] = lid;
        d[lid] = a;
        PUT_AT(gid, 0, __atomic_fetch_add(&w[lid], a, __ATOMIC_RELAXED));
        PUT_AT(gid, 1, __atomic_exchange_n(&w[lid], lid, __ATOMIC_RELAXED));
        PUT_AT(gid, 2, __atomic_compare_exchange_n(&w[lid], &e, a, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        PUT_AT(gid, 3, __atomic_compare_exchange_n(&w[lid], &e, 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        PUT_AT(gid, 4, e);
        PUT_AT(gid, 5, __atomic_fetch_add(&d[lid], (u64)a << 30, __ATOMIC_RELAXED));
        PUT_AT(gid, 6, __atomic_exchange_n(&d[lid], 4, __ATOMIC_RELAXED) >> 25);
        PUT_AT(gid, 7, __atomic_fetch_max((LDS_POINTER i32 *)&w[lid], -5, __ATOMIC_RELAXED));
        PUT_AT(gid, 8, __atomic_fetch_or(&w[lid], 0x80, __ATOMIC_RELAXED));
        PUT_AT(gid, 9, __atomic_load_n(&w[lid], __ATOMIC_RELAXED));
    }
}

NOINLINE u32 lds_helper(LDS_POINTER u32 *p, u32 n)
{
    u32 s = 0;
    for (u32 i = 0; i < n; i++)
        s = s * 5 + p[i];
    return s;
}
NOINLINE u32 generic_helper(const u32 *p, u32 n)
{
    u32 s = 0;
    for (u32 i = 0; i < n; i++)
        s = s * 3 + p[i];
    return s;
}

GROUP_KERNEL(lds_pointers)
{
    LDS(u32, t, GROUP);
    EACH_ITEM
    {
        t[lid] = in[IN_U32 + gid] >> 3;
    }
    BARRIER();
    EACH_ITEM
    {
        u32 own[3] = {gid, gid * 2, lid};
        PUT_AT(gid, 0, lds_helper(t + (lid & 127), lid & 15));
        /* one generic pointer for LDS, scratch and global memory */
        const u32 *p = lid % 3 == 0   ? (const u32 *)(t + (lid & 63))
                       : lid % 3 == 1 ? own
                                      : (const u32 *)(in + IN_U32 + lid);
        PUT_AT(gid, 1, generic_helper(p, 3));
    }
}

/* ---- lanes ---- */

#ifdef __AMDGPU__
#define LANE                      __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))
#define BPERMUTE(v, lane)         ((u32)__builtin_amdgcn_ds_bpermute((i32)((lane)*4), (i32)MINE(v)))
#define READLANE(v, lane)         ((u32)__builtin_amdgcn_readlane((i32)MINE(v), lane))
#define READFIRST(v)              ((u32)__builtin_amdgcn_readfirstlane((i32)MINE(v)))
#define SWIZZLE(v, pattern)       ((u32)__builtin_amdgcn_ds_swizzle((i32)MINE(v), pattern))
#define DPP(old, v, ctrl, rm, bm) ((u32)__builtin_amdgcn_update_dpp((i32)(old), (i32)MINE(v), ctrl, rm, bm, 0))
#define DPP0(v, ctrl)             ((u32)__builtin_amdgcn_mov_dpp((i32)MINE(v), ctrl, 15, 15, 1))
#define BALLOT(v)                 ((u64)ballot_of((MINE(v) & 1) != 0))
SHARED u64 ballot_of(_Bool v)
{
#if __AMDGCN_WAVEFRONT_SIZE__ == 64
    return __builtin_amdgcn_ballot_w64(v);
#else
    return __builtin_amdgcn_ballot_w32(v);
#endif
}
#else
#define LANE              (lid % diff_wave)
#define WAVE_START        (lid - lid % diff_wave)
#define BPERMUTE(v, lane) (v##_[WAVE_START + (lane) % diff_wave])
#define READLANE(v, lane) (v##_[WAVE_START + (lane)])
#define READFIRST(v)      (v##_[WAVE_START])
#define BALLOT(v)         host_ballot(v##_ + WAVE_START)
static u64 host_ballot(const u32 *v)
{
    u64 mask = 0;
    for (u32 i = 0; i < diff_wave; i++)
        mask |= (u64)(v[i] & 1) << i;
    return mask;
}
/* xor, or and and masks on the low five bits of the lane */
#define SWIZZLE(v, pattern)                                                                                            \
    (v##_[(lid & ~31u) | ((((lid & 31u) & ((pattern)&31)) | ((pattern) >> 5 & 31)) ^ ((pattern) >> 10 & 31))])
/* Source of a lane within its row of 16, or -1: quad_perm, row_shl, row_shr, row_ror, mirrors. */
static int dpp_source(u32 lane, u32 ctrl)
{
    int l = (int)(lane & 15), n = (int)(ctrl & 15);
    if (ctrl < 0x100)
        l = (l & ~3) | (int)(ctrl >> 2 * (l & 3) & 3);
    else if (ctrl < 0x110)
        l = l + n > 15 ? -1 : l + n;
    else if (ctrl < 0x120)
        l = l - n;
    else if (ctrl < 0x130)
        l = (l - n) & 15;
    else
        l ^= ctrl == 0x140 ? 15 : 7;
    return l < 0 ? -1 : (int)(lane & ~15u) + l;
}
static u32 host_dpp(u32 old, const u32 *wave, u32 lane, u32 ctrl, u32 row_mask, u32 bank_mask, int zero)
{
    int from = dpp_source(lane, ctrl);
    if (!(row_mask >> (lane / 16 % 4) & 1) || !(bank_mask >> (lane / 4 % 4) & 1))
        return old;
    return from >= 0 ? wave[from] : zero ? 0 : old;
}
#define DPP(old, v, ctrl, rm, bm) host_dpp(old, v##_ + WAVE_START, lid % diff_wave, ctrl, rm, bm, 0)
#define DPP0(v, ctrl)             host_dpp(0, v##_ + WAVE_START, lid % diff_wave, ctrl, 15, 15, 1)
#endif

GROUP_KERNEL(lane_permute)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        /* within the halves of a wave64, as some generations permute no further */
        u32 half = LANE & 32, w = WAVE;
        PUT_AT(gid, 0, BPERMUTE(v, half | ((LANE * 5 + 3) & 31)));
        PUT_AT(gid, 1, BPERMUTE(v, half | (in[IN_U32 + lid] & 31)));
        PUT_AT(gid, 2, READLANE(v, 5) + READLANE(v, 31));
        PUT_AT(gid, 3, READFIRST(v));
        PUT_AT(gid, 4, SWIZZLE(v, 0x041f));
        PUT_AT(gid, 5, SWIZZLE(v, 0x401f));
        PUT_AT(gid, 6, SWIZZLE(v, 0x00b8));
        PUT_AT(gid, 7, LANE + w * 1000);
        PUT_AT(gid, 8, READLANE(v, w - 1));
    }
}

GROUP_KERNEL(lane_dpp)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, DPP0(v, 0xb1));
        PUT_AT(gid, 1, DPP0(v, 0x1b));
        PUT_AT(gid, 2, DPP0(v, 0x101));
        PUT_AT(gid, 3, DPP0(v, 0x10f));
        PUT_AT(gid, 4, DPP0(v, 0x113));
        PUT_AT(gid, 5, DPP0(v, 0x124));
        PUT_AT(gid, 6, DPP0(v, 0x140));
        PUT_AT(gid, 7, DPP0(v, 0x141));
        PUT_AT(gid, 8, DPP(lid, v, 0x111, 15, 15));
        PUT_AT(gid, 9, DPP(lid * 3, v, 0x4e, 5, 15));
        PUT_AT(gid, 10, DPP(lid * 3, v, 0x4e, 15, 9));
        PUT_AT(gid, 11, DPP(lid, v, 0x112, 10, 6));
        PUT_AT(gid, 12, MINE(v) + DPP0(v, 0x118));
    }
}

GROUP_KERNEL(lane_ballot)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        u64 b = BALLOT(v);
        u32 below = (u32)__builtin_popcountll(b & ((1ull << LANE) - 1));
        PUT_AT(gid, 0, b);
        PUT_AT(gid, 1, b >> 32);
        PUT_AT(gid, 2, below);
        PUT_AT(gid, 3, b ? __builtin_ctzll(b) : 64);
    }
}
