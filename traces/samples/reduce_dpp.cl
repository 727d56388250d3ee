/* out[2g] = sum, out[2g+1] = unsigned maximum of the 256 integers of workgroup g: inside a wave through DPP (and
 * v_permlanex16 where rows cannot be broadcast), between waves through LDS. */
#include "gcn.h"

#define N 256

/* row_shr:n is 0x110 + n; lanes with no source get `idle`. */
#define ROW_SHR(V, IDLE, SHIFT) __builtin_amdgcn_update_dpp(IDLE, V, 0x110 + (SHIFT), 0xf, 0xf, false)
#define ROW_BCAST15(V, IDLE)    __builtin_amdgcn_update_dpp(IDLE, V, 0x142, 0xa, 0xf, false)
#define ROW_BCAST31(V, IDLE)    __builtin_amdgcn_update_dpp(IDLE, V, 0x143, 0xc, 0xf, false)

INLINE uint max_u32(uint a, uint b)
{
    return a > b ? a : b;
}

/* Both return the result of the whole wave in every lane. The idle value is the neutral element, 0 for both. */
#define WAVE_REDUCE(NAME, COMBINE)                                                                                     \
    INLINE uint NAME(uint v)                                                                                           \
    {                                                                                                                  \
        v = COMBINE(v, ROW_SHR(v, 0u, 1));                                                                             \
        v = COMBINE(v, ROW_SHR(v, 0u, 2));                                                                             \
        v = COMBINE(v, ROW_SHR(v, 0u, 4));                                                                             \
        v = COMBINE(v, ROW_SHR(v, 0u, 8));                                                                             \
        ACROSS_ROWS(COMBINE)                                                                                           \
    }

#define ADD(A, B) ((A) + (B))

#if defined(__GFX8__) || defined(__GFX9__)
#define ACROSS_ROWS(COMBINE)                                                                                           \
    v = COMBINE(v, ROW_BCAST15(v, 0u));                                                                                \
    v = COMBINE(v, ROW_BCAST31(v, 0u));                                                                                \
    return __builtin_amdgcn_readlane(v, 63);
#else
#define ACROSS_ROWS(COMBINE)                                                                                           \
    v = COMBINE(v, __builtin_amdgcn_permlanex16(v, v, ~0u, ~0u, true, false));                                         \
    if (__builtin_amdgcn_wavefrontsize() == 64)                                                                        \
        return COMBINE(__builtin_amdgcn_readlane(v, 31), __builtin_amdgcn_readlane(v, 63));                            \
    return __builtin_amdgcn_readlane(v, 31);
#endif

WAVE_REDUCE(wave_sum, ADD)
WAVE_REDUCE(wave_max, max_u32)

kernel GROUP(N, 1) void reduce_dpp(global const uint *in, global uint *out)
{
    local uint sums[N / 32], maxima[N / 32];
    uint i = local_x();
    uint v = in[group_x() * N + i];
    uint sum = wave_sum(v);
    uint top = wave_max(v);
    uint waves = N / __builtin_amdgcn_wavefrontsize();
    uint wave = i / __builtin_amdgcn_wavefrontsize();
    if (lane_id() == 0) {
        sums[wave] = sum;
        maxima[wave] = top;
    }
    group_barrier();
    if (i == 0) {
        uint total = 0, all = 0;
        for (uint w = 0; w < waves; w++) {
            total += sums[w];
            all = max_u32(all, maxima[w]);
        }
        out[2 * group_x()] = total;
        out[2 * group_x() + 1] = all;
    }
}
