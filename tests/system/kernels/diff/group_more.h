/* LDS and barriers: matrices, sorting, histograms, queues, stencils. Part of diff.c. */

GROUP_KERNEL(lds_matrix_product)
{
    LDS(f32, a, 16 * 16);
    LDS(f32, b, 16 * 17);
    PRIVATE(f32, sum);
    EACH_ITEM
    {
        MINE(sum) = 0;
        (void)gid;
    }
    for (u32 tile = 0; tile < 3; tile++) {
        EACH_ITEM
        {
            u32 r = lid / 16, c = lid % 16;
            a[lid] = (f32)(i32)(in[IN_U32 + (gid + tile * 64) % 1024] & 0xff) * 0.5f - 20;
            b[r * 17 + c] = (f32)(in[IN_U32 + (gid * 3 + tile) % 1024] >> 25) * 0.125f;
        }
        BARRIER();
        EACH_ITEM
        {
            u32 r = lid / 16, c = lid % 16;
            for (u32 k = 0; k < 16; k++)
                MINE(sum) += a[r * 16 + k] * b[k * 17 + c];
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, bits_f32(MINE(sum)));
    }
}

GROUP_KERNEL(lds_bitonic_sort)
{
    LDS(u32, v, GROUP);
    EACH_ITEM
    {
        v[lid] = in[IN_U32 + (gid * 5) % 1024];
    }
    BARRIER();
    for (u32 size = 2; size <= GROUP; size <<= 1) {
        for (u32 step = size >> 1; step; step >>= 1) {
            EACH_ITEM
            {
                u32 other = lid ^ step;
                if (other > lid) {
                    u32 x = v[lid], y = v[other];
                    if ((x > y) == ((lid & size) == 0)) {
                        v[lid] = y;
                        v[other] = x;
                    }
                }
                (void)gid;
            }
            BARRIER();
        }
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, v[lid]);
    }
}

GROUP_KERNEL(lds_histogram)
{
    LDS(u32, bins, 64);
    LDS(u32, starts, 64);
    EACH_ITEM
    {
        if (lid < 64)
            bins[lid] = 0;
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        for (u32 i = 0; i < 4; i++)
            __atomic_fetch_add(&bins[in[IN_U32 + (gid * 4 + i) % 1024] >> 3 & 63], 1, __ATOMIC_RELAXED);
    }
    BARRIER();
    EACH_ITEM
    {
        if (lid == 0) {
            u32 s = 0;
            for (u32 i = 0; i < 64; i++) {
                starts[i] = s;
                s += bins[i];
            }
        }
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, bins[lid & 63] + starts[lid & 63] * 1000);
    }
}

GROUP_KERNEL(lds_scan_long)
{
    LDS(u64, a, GROUP);
    PRIVATE(u64, carry);
    EACH_ITEM
    {
        a[lid] = (u64)in[IN_U32 + gid] << 5;
    }
    BARRIER();
    for (u32 s = 1; s < GROUP; s <<= 1) {
        EACH_ITEM
        {
            MINE(carry) = lid >= s ? a[lid - s] : 0;
            (void)gid;
        }
        BARRIER();
        EACH_ITEM
        {
            a[lid] += MINE(carry);
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, a[lid]);
        PUT_AT(gid, 1, a[lid] >> 32);
    }
}

GROUP_KERNEL(lds_stencil)
{
    LDS(f32, a, GROUP + 2);
    LDS(f32, b, GROUP + 2);
    EACH_ITEM
    {
        a[lid + 1] = (f32)(in[IN_U32 + gid] & 0xfff);
        if (lid == 0)
            a[0] = a[GROUP + 1] = b[0] = b[GROUP + 1] = 1.5f;
    }
    BARRIER();
    for (u32 round = 0; round < 4; round++) {
        EACH_ITEM
        {
            b[lid + 1] = a[lid] * 0.25f + a[lid + 1] * 0.5f + a[lid + 2] * 0.25f;
            (void)gid;
        }
        BARRIER();
        EACH_ITEM
        {
            a[lid + 1] = b[lid] * 0.3f + b[lid + 2] * 0.7f - b[lid + 1] * 0.01f;
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, bits_f32(a[lid + 1]));
        PUT_AT(gid, 1, bits_f32(b[lid + 1]));
    }
}

GROUP_KERNEL(lds_bytes_transpose)
{
    LDS(u8, a, 16 * 20);
    LDS(u16, h, 32 * 9);
    EACH_ITEM
    {
        a[(lid % 16) * 20 + lid / 16] = (u8)(in[IN_U32 + gid] >> 4);
        h[(lid % 32) * 9 + lid / 32] = (u16)(in[IN_U32 + gid] >> 11);
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 0, a[(lid / 16) * 20 + lid % 16]);
        PUT_AT(gid, 1, (i16)h[(lid / 8) * 9 + lid % 8]);
        u32 s = 0;
        for (u32 i = 0; i < 16; i++)
            s = s * 3 + a[i * 20 + lid % 16] + (u32)(i8)a[(lid / 16) * 20 + i];
        PUT_AT(gid, 2, s);
    }
}

struct cell {
    u32 key;
    u16 count;
    u8 state, pad;
    f32 weight[3];
};

GROUP_KERNEL(lds_structs)
{
    LDS(struct cell, cells, 64);
    EACH_ITEM
    {
        if (lid < 64) {
            u32 a = in[IN_U32 + gid];
            cells[lid] = (struct cell){a, (u16)(a >> 5), (u8)lid, 0, {(f32)lid, 2, (f32)(a & 31)}};
        }
    }
    BARRIER();
    EACH_ITEM
    {
        struct cell c = cells[(lid * 7 + 5) & 63];
        PUT_AT(gid, 0, c.key + c.count);
        PUT_AT(gid, 1, c.state);
        PUT_AT(gid, 2, bits_f32(c.weight[lid % 3]));
        PUT_AT(gid, 3, cells[lid & 63].count * cells[lid >> 2].state);
    }
    BARRIER();
    EACH_ITEM
    {
        if (lid < 64) {
            cells[lid].weight[lid % 3] += 1;
            cells[lid].state ^= 0x80;
        }
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 4, bits_f32(cells[lid >> 2].weight[1]) ^ cells[lid >> 2].state);
    }
}

typedef f32 f32x3_ __attribute__((ext_vector_type(3)));
typedef u32 u32x4_odd __attribute__((vector_size(16), aligned(4)));
typedef u64 u64_odd __attribute__((aligned(2)));

GROUP_KERNEL(lds_wide_access)
{
    LDS(f32, w, GROUP + 8);
    LDS(f64x2, d, 64);
    EACH_ITEM
    {
        w[lid] = (f32)(in[IN_U32 + gid] >> 9);
        if (lid < 8)
            w[GROUP + lid] = (f32)lid;
        if (lid < 64)
            d[lid] = (f64x2){(f64)lid * 0.5, (f64)in[IN_U32 + gid]};
    }
    BARRIER();
    EACH_ITEM
    {
        u32x4_odd q = *(LDS_POINTER u32x4_odd *)(w + lid);
        PUT_AT(gid, 0, q[0] + q[1] * 3 + q[2] * 5 + q[3] * 7);
        u64_odd o = *(LDS_POINTER u64_odd *)((LDS_POINTER u8 *)w + lid * 2);
        PUT_AT(gid, 1, o);
        PUT_AT(gid, 2, o >> 32);
        f64x2 e = d[lid & 63] + d[lid >> 2];
        PUT_AT(gid, 3, bits_f64(e[0]));
        PUT_AT(gid, 4, bits_f64(e[1]) >> 32);
        PUT_AT(gid, 5, bits_f32(w[lid] + w[lid + 2] * w[lid + 7]));
        struct {
            f32 a, b, c;
        } t = *(LDS_POINTER __typeof__(t) *)(w + (lid & 0xfc));
        PUT_AT(gid, 6, bits_f32(t.a + t.b * t.c));
    }
    BARRIER();
    EACH_ITEM
    {
        if (lid < 50)
            *(LDS_POINTER u32x4_odd *)(w + lid * 5 + 1) = (u32x4_odd){lid, lid + 1, 2, 3};
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        PUT_AT(gid, 7, bits_f32(w[lid]));
    }
}

GROUP_KERNEL(lds_reduce_double)
{
    LDS(f64, t, GROUP);
    LDS(i64, m, GROUP);
    EACH_ITEM
    {
        t[lid] = (f64)in[IN_U32 + gid] * 0.125;
        m[lid] = (i64)(i32)in[IN_U32 + gid] * 1000003;
    }
    BARRIER();
    for (u32 s = GROUP / 2; s > 0; s >>= 1) {
        EACH_ITEM
        {
            if (lid < s) {
                t[lid] = t[lid] * 0.5 + t[lid + s];
                m[lid] = m[lid] < m[lid + s] ? m[lid] : m[lid + s];
            }
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, bits_f64(t[0]) >> 32);
        PUT_AT(gid, 1, bits_f64(t[0]));
        PUT_AT(gid, 2, m[0]);
        PUT_AT(gid, 3, m[0] >> 32);
    }
}

/* Items of which some pass a filter, in any order; the sum shows that each is there once. */
GROUP_KERNEL(lds_queue)
{
    LDS(u32, queue, GROUP);
    LDS(u32, count, 1);
    EACH_ITEM
    {
        if (lid == 0)
            count[0] = 0;
        (void)gid;
    }
    BARRIER();
    EACH_ITEM
    {
        u32 a = in[IN_U32 + gid];
        if (a % 3 != 1)
            queue[__atomic_fetch_add(&count[0], 1, __ATOMIC_RELAXED)] = a;
    }
    BARRIER();
    EACH_ITEM
    {
        u32 s = 0;
        for (u32 i = 0; i < count[0]; i++)
            s += queue[i] * (queue[i] | 1);
        PUT_AT(gid, 0, s);
        PUT_AT(gid, 1, count[0]);
    }
}

GROUP_KERNEL(lds_life)
{
    LDS(u8, a, 18 * 18);
    LDS(u8, b, 18 * 18);
    EACH_ITEM
    {
        for (u32 i = lid; i < 18 * 18; i += GROUP)
            a[i] = b[i] = (u8)(in[IN_U32 + (gid + i) % 1024] >> 6 & 1);
    }
    BARRIER();
    for (u32 turn_ = 0; turn_ < 6; turn_++) {
        EACH_ITEM
        {
            LDS_POINTER u8 *from = turn_ & 1 ? b : a, *to = turn_ & 1 ? a : b;
            u32 at = (lid / 16 + 1) * 18 + lid % 16 + 1;
            u32 n = from[at - 19] + from[at - 18] + from[at - 17] + from[at - 1] + from[at + 1] + from[at + 17] +
                    from[at + 18] + from[at + 19];
            to[at] = n == 3 || (n == 2 && from[at]);
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, a[lid] | b[lid + 60] << 8);
    }
}

/* Waves that do different work between the same barriers. */
GROUP_KERNEL(barrier_uneven)
{
    LDS(u32, t, GROUP);
    EACH_ITEM
    {
        t[lid] = gid;
    }
    BARRIER();
    for (u32 round = 0; round < 5; round++) {
        PRIVATE(u32, next);
        EACH_ITEM
        {
            u32 s = t[(lid + round * 64 + 1) % GROUP];
            for (u32 i = 0; i < (lid / 64 + round) % 4 * 10; i++)
                s = s * 3 + i;
            MINE(next) = s;
            (void)gid;
        }
        BARRIER();
        EACH_ITEM
        {
            t[lid] ^= MINE(next);
            (void)gid;
        }
        BARRIER();
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, t[lid]);
    }
}

/* ---- lanes ---- */

/* A lane sums the lanes below it in its row of 16, or all of its half, by shuffles. */
GROUP_KERNEL(lane_scan)
{
    PRIVATE(u32, v);
    PRIVATE(u32, other);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
#define STEP(ctrl)                                                                                                     \
    EACH_ITEM                                                                                                          \
    {                                                                                                                  \
        MINE(other) = DPP0(v, ctrl);                                                                                   \
        (void)gid;                                                                                                     \
    }                                                                                                                  \
    EACH_ITEM                                                                                                          \
    {                                                                                                                  \
        MINE(v) += MINE(other);                                                                                        \
        (void)gid;                                                                                                     \
    }
    STEP(0x111)
    STEP(0x112)
    STEP(0x114)
    STEP(0x118)
#undef STEP
    EACH_ITEM
    {
        PUT_AT(gid, 0, MINE(v));
    }
    for (u32 s = 16; s; s >>= 1) {
        EACH_ITEM
        {
            MINE(other) = BPERMUTE(v, LANE ^ s);
            (void)gid;
        }
        EACH_ITEM
        {
            MINE(v) = MINE(v) > MINE(other) ? MINE(v) : MINE(other);
            (void)gid;
        }
    }
    EACH_ITEM
    {
        PUT_AT(gid, 1, MINE(v));
    }
}

/* All forms of ds_swizzle: masks, quads, broadcasts, reversals. */
GROUP_KERNEL(lane_swizzle)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, SWIZZLE(v, 0x001f));
        PUT_AT(gid, 1, SWIZZLE(v, 0x0000));
        PUT_AT(gid, 2, SWIZZLE(v, 0x03e0));
        PUT_AT(gid, 3, SWIZZLE(v, 0x7c1f));
        PUT_AT(gid, 4, SWIZZLE(v, 0x081c));
        PUT_AT(gid, 5, SWIZZLE(v, 0x1d73));
        PUT_AT(gid, 6, SWIZZLE(v, 0x5555));
        /* quads: two bits for each lane */
        PUT_AT(gid, 7, ON_DEVICE(SWIZZLE(v, 0x801b), v_[(lid & ~3u) | (3 - (lid & 3))]));
        PUT_AT(gid, 8, ON_DEVICE(SWIZZLE(v, 0x80b1), v_[lid ^ 1]));
        PUT_AT(gid, 9, ON_DEVICE(SWIZZLE(v, 0x8000), v_[lid & ~3u]));
    }
}

/* With half of the lanes off: what is read from them, and that they keep their own. */
GROUP_KERNEL(lane_divergent)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid] + 7;
    }
    EACH_ITEM
    {
        u32 k = 0;
        (void)k;
        if (lid & 1) {
            PUT_AT(gid, 0, READLANE(v, 9));
            PUT_AT(gid, 1, ON_DEVICE(READFIRST(v), READLANE(v, 1)));
            PUT_AT(gid, 2, DPP0(v, 0x4e)); /* two to the side: on as well */
            PUT_AT(gid, 3, BPERMUTE(v, LANE ^ 6));
            PUT_AT(gid, 4, SWIZZLE(v, 0x101f));
        } else if (lid & 2) {
            PUT_AT(gid, 0, DPP(99, v, 0x1b, 15, 15) * 0 + MINE(v));
            PUT_AT(gid, 1, BPERMUTE(v, LANE ^ 4));
            PUT_AT(gid, 2, READLANE(v, 2) ^ READLANE(v, 30));
        }
        PUT_AT(gid, 5, MINE(v));
    }
}

/* One uniform value after the other, as a loop over what lanes hold. */
GROUP_KERNEL(lane_waterfall)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid] >> 4 & 7;
    }
    EACH_ITEM
    {
#ifdef __AMDGPU__
        u32 mine = MINE(v), result = 0, rounds = 0;
        for (;;) {
            u32 first = READFIRST(v);
            rounds++;
            if (first == mine) {
                result = in[IN_U32 + first * 3] + first;
                break;
            }
        }
        PUT_AT(gid, 0, result);
        (void)rounds;
#else
        PUT_AT(gid, 0, in[IN_U32 + MINE(v) * 3] + MINE(v));
#endif
    }
}

GROUP_KERNEL(lane_long_shuffle)
{
    PRIVATE(u32, lo);
    PRIVATE(u32, hi);
    EACH_ITEM
    {
        f64 d = (f64)(i32)in[IN_U32 + gid] * 0.5;
        MINE(lo) = (u32)bits_f64(d);
        MINE(hi) = (u32)(bits_f64(d) >> 32);
    }
    EACH_ITEM
    {
        u32 from = (LANE & 32) | ((LANE + 5) & 31);
        u64 q = (u64)BPERMUTE(hi, from) << 32 | BPERMUTE(lo, from);
        f64 d = __builtin_bit_cast(f64, q) + __builtin_bit_cast(f64, (u64)MINE(hi) << 32 | MINE(lo));
        PUT_AT(gid, 0, bits_f64(d));
        PUT_AT(gid, 1, bits_f64(d) >> 32);
    }
}

#if defined(__AMDGPU__) && __AMDGCN_WAVEFRONT_SIZE__ == 64
#define VOTE(c) __builtin_amdgcn_ballot_w64(c)
#elif defined(__AMDGPU__)
#define VOTE(c) ((u64)__builtin_amdgcn_ballot_w32(c))
#endif

/* Votes with lanes off, counts below a lane, the mask of the lanes that are on. */
GROUP_KERNEL(lane_votes)
{
    PRIVATE(u32, v);
    PRIVATE(u32, keep);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
        MINE(keep) = (lid & 4) != 0 && (MINE(v) & 1);
    }
    EACH_ITEM
    {
        if (lid & 4) {
            u64 b = ON_DEVICE(VOTE((MINE(v) & 1) != 0), BALLOT(keep));
            PUT_AT(gid, 0, b);
            PUT_AT(gid, 1, b >> 32);
            PUT_AT(gid, 2,
                   ON_DEVICE(__builtin_amdgcn_mbcnt_hi((u32)(b >> 32), __builtin_amdgcn_mbcnt_lo((u32)b, 100)),
                             100 + (u32)__builtin_popcountll(b & ((1ull << LANE) - 1))));
            PUT_AT(gid, 3, ON_DEVICE(__builtin_amdgcn_read_exec_lo(), 0xf0f0f0f0u));
            PUT_AT(gid, 4, ON_DEVICE(__builtin_popcountll(__builtin_amdgcn_read_exec()), WAVE / 2));
            PUT_AT(gid, 5, ON_DEVICE(__builtin_amdgcn_mbcnt_lo(~0u, 0), LANE < 32 ? LANE : 32));
        }
    }
}

/* gfx8 and gfx9: shifts and rotations of the whole wave, broadcasts of a row's last lane. */
#if !defined(__AMDGPU__) || defined(__GFX8__) || defined(__GFX9__)
GROUP_KERNEL(lane_dpp_wave)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        PUT_AT(gid, 0, ON_DEVICE(DPP0(v, 0x130), LANE < 63 ? v_[lid + 1] : 0));
        PUT_AT(gid, 1, ON_DEVICE(DPP0(v, 0x134), READLANE(v, (LANE + 1) & 63)));
        PUT_AT(gid, 2, ON_DEVICE(DPP0(v, 0x138), LANE > 0 ? v_[lid - 1] : 0));
        PUT_AT(gid, 3, ON_DEVICE(DPP0(v, 0x13c), READLANE(v, (LANE - 1) & 63)));
        PUT_AT(gid, 4, ON_DEVICE(DPP(lid, v, 0x142, 15, 15), LANE < 16 ? lid : READLANE(v, (LANE & ~15u) - 1)));
        PUT_AT(gid, 5, ON_DEVICE(DPP(lid, v, 0x143, 12, 15), LANE < 32 ? lid : READLANE(v, 31)));
        PUT_AT(gid, 6, ON_DEVICE(DPP(lid, v, 0x138, 15, 15), LANE > 0 ? v_[lid - 1] : lid));
    }
}
#endif

/* gfx10 and later: one lane of a row for all, lanes exchanged by xor, any lane of a row, any of eight. */
#if DEVICE_HAS(__builtin_amdgcn_permlane16)
GROUP_KERNEL(lane_permlane16)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        u32 row = LANE & ~15u;
        (void)row;
        PUT_AT(gid, 0, ON_DEVICE(DPP0(v, 0x155), READLANE(v, row + 5)));
        PUT_AT(gid, 1, ON_DEVICE(DPP0(v, 0x15f), READLANE(v, row + 15)));
        PUT_AT(gid, 2, ON_DEVICE(DPP0(v, 0x161), READLANE(v, LANE ^ 1)));
        PUT_AT(gid, 3, ON_DEVICE(DPP0(v, 0x16b), READLANE(v, LANE ^ 11)));
        u32 lo = in[IN_U32 + 30], hi = in[IN_U32 + 31], at = (u32)(((u64)hi << 32 | lo) >> (LANE & 15) * 4) & 15;
        (void)at;
        PUT_AT(gid, 4, ON_DEVICE(__builtin_amdgcn_permlane16(lid, MINE(v), lo, hi, 0, 0), READLANE(v, row + at)));
        PUT_AT(gid, 5,
               ON_DEVICE(__builtin_amdgcn_permlanex16(lid, MINE(v), lo, hi, 0, 0), READLANE(v, (row ^ 16) + at)));
        PUT_AT(gid, 6,
               ON_DEVICE(__builtin_amdgcn_mov_dpp8(MINE(v), 0x053977),
                         READLANE(v, (LANE & ~7u) + (0x053977 >> 3 * (LANE & 7) & 7))));
        if (lid & 1) {
            /* lanes that are off give nothing, or with bound_ctrl zero; with fi what they hold */
            PUT_AT(gid, 7, ON_DEVICE(__builtin_amdgcn_permlane16(lid, MINE(v), 0x76543210, 0xfedcba98, 0, 0), MINE(v)));
            PUT_AT(gid, 8,
                   ON_DEVICE(__builtin_amdgcn_permlane16(lid, MINE(v), lo | 0x11111111, hi | 0x11111111, 1, 1),
                             READLANE(v, row + (at | 1))));
            PUT_AT(
                gid, 9,
                ON_DEVICE(__builtin_amdgcn_permlane16(lid, MINE(v), lo, hi, 0, 1), at & 1 ? READLANE(v, row + at) : 0));
            PUT_AT(gid, 10,
                   ON_DEVICE(__builtin_amdgcn_permlane16(lid, MINE(v), lo, hi, 0, 0),
                             at & 1 ? READLANE(v, row + at) : lid));
        }
    }
}
#endif

/* Does nothing in waves of 32. */
#if DEVICE_HAS(__builtin_amdgcn_permlane64)
GROUP_KERNEL(lane_permlane64)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        if (WAVE == 64) {
            PUT_AT(gid, 0, ON_DEVICE(__builtin_amdgcn_permlane64(MINE(v)), READLANE(v, LANE ^ 32)));
            if (lid & 2)
                PUT_AT(gid, 1, ON_DEVICE(__builtin_amdgcn_permlane64(MINE(v)), READLANE(v, LANE ^ 32)));
        }
        PUT_AT(gid, 2, WAVE);
    }
}
#endif

#if DEVICE_HAS(__builtin_amdgcn_permlane16_var)
GROUP_KERNEL(lane_permlane_var)
{
    PRIVATE(u32, v);
    EACH_ITEM
    {
        MINE(v) = in[IN_U32 + gid];
    }
    EACH_ITEM
    {
        u32 row = LANE & ~15u, at = in[IN_U32 + lid] >> 7 & 15;
        (void)row;
        PUT_AT(gid, 0, ON_DEVICE(__builtin_amdgcn_permlane16_var(lid, MINE(v), at, 0, 0), READLANE(v, row + at)));
        PUT_AT(gid, 1,
               ON_DEVICE(__builtin_amdgcn_permlanex16_var(lid, MINE(v), at, 0, 0), READLANE(v, (row ^ 16) + at)));
        if (lid & 1)
            PUT_AT(
                gid, 2,
                ON_DEVICE(__builtin_amdgcn_permlane16_var(lid, MINE(v), at, 0, 1), at & 1 ? READLANE(v, row + at) : 0));
    }
}
#endif
