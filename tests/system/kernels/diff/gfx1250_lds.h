/* Barriers in LDS and copies between memory and LDS, which gfx1250 has: waves wait for others by looking at a barrier's
 * phase, as compilers make them. Part of diff.c. */
#if !defined(__AMDGPU__) || defined(__gfx1250__) || defined(__gfx1251__)

#ifdef __AMDGPU__
#define ARRIVALS(n) ((u64)((n)-1) | (u64)((n)-1) << 32)
#define STATE(b)    __atomic_load_n(b, __ATOMIC_ACQUIRE)
#define AWAIT(b, phase)                                                                                                \
    while ((STATE(b) >> 29 & 7) == (phase))                                                                            \
    __builtin_amdgcn_s_sleep(1)
#define BARRIER_AT(b) ((LDS_POINTER long *)(b))
#endif

/* Three phases; what a work-item has written before it arrives, all read after the phase. */
GROUP_KERNEL(lds_barrier_phases)
{
    LDS(u64, bar, 1);
    LDS(u32, v, 2 * GROUP);
    PRIVATE(u32, sum);
    EACH_ITEM
    {
        MINE(sum) = 0;
        (void)gid;
#ifdef __AMDGPU__
        if (!lid)
            bar[0] = ARRIVALS(GROUP);
#endif
    }
    BARRIER();
    for (u32 k = 0; k < 3; k++) {
        EACH_ITEM
        {
            v[k % 2 * GROUP + lid] = in[(gid * 3 + k * 77) % 1024];
#ifdef __AMDGPU__
            __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
            u64 old = (u64)__builtin_amdgcn_ds_atomic_barrier_arrive_rtn_b64(BARRIER_AT(bar), 1);
            AWAIT(bar, old >> 29 & 7);
#endif
        }
        EACH_ITEM
        {
            MINE(sum) += v[k % 2 * GROUP + (lid + 1 + 64 * k) % GROUP] * (k + 1);
            (void)gid;
        }
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, MINE(sum));
        PUT_AT(gid, 1, ON_DEVICE(bar[0], 5u << 29 | (GROUP - 1)));
        PUT_AT(gid, 2, ON_DEVICE(bar[0] >> 32, GROUP - 1));
    }
}

/* Copies to LDS end a phase by themselves, those from LDS are waited for. */
GROUP_KERNEL(lds_async_copies)
{
    LDS(u64, bar, 1);
    LDS(u32, v, 4 * GROUP);
    EACH_ITEM
    {
        (void)gid;
#ifdef __AMDGPU__
        if (!lid)
            bar[0] = ARRIVALS(GROUP);
#endif
    }
    BARRIER();
    EACH_ITEM
    {
#ifdef __AMDGPU__
        (void)gid;
        __builtin_amdgcn_global_load_async_to_lds_b128((GLOBAL mat_i32x4 *)(in + lid * 4),
                                                       (LDS_POINTER mat_i32x4 *)(v + lid * 4), 0, 0);
        __builtin_amdgcn_ds_atomic_async_barrier_arrive_b64(BARRIER_AT(bar));
        AWAIT(bar, 0);
#else
        (void)gid;
        for (u32 k = 0; k < 4; k++)
            v[lid * 4 + k] = in[lid * 4 + k];
#endif
    }
    EACH_ITEM
    {
        u32 other = (lid + 100) % GROUP;
        for (u32 k = 0; k < 4; k++)
            PUT_AT(gid, k, v[other * 4 + k] + gid);
#ifdef __AMDGPU__
        __builtin_amdgcn_global_store_async_from_lds_b64((GLOBAL mat_i32x2 *)(out + gid * SLOTS + 4),
                                                         (LDS_POINTER mat_i32x2 *)(v + other * 4 + 2), 0, 0);
        __builtin_amdgcn_s_wait_asynccnt(0);
#else
        PUT_AT(gid, 4, v[other * 4 + 2]);
        PUT_AT(gid, 5, v[other * 4 + 3]);
#endif
    }
}
#endif
