/* C = A x B^T for matrices of f16 with f32 accumulation by WMMA, on RDNA3 and RDNA4: A is M x K, B is N x K, both with
 * K contiguous and `pitch` elements from row to row, C is M x N of f32. M and N are multiples of 128, K of 32.
 *
 * A workgroup of four waves computes a tile of 128 x 128, each wave 64 x 64. LDS holds two steps of 32 elements of K:
 * one is read while registers bring the next but one from memory. Rows in LDS are padded to 80 bytes, so that the lanes
 * of a read of 16 bytes meet different banks.
 */
#include "traces/samples/gcn.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TILE  128
#define STEP  32
#define ROW   40 /* halves */
#define LANES 128

typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float v8f __attribute__((ext_vector_type(8)));
typedef half v8h __attribute__((ext_vector_type(8)));
typedef half v16h __attribute__((ext_vector_type(16)));

#if __gfx1200__ || __gfx1201__
typedef v8h fragment; /* element i of lane l: row l % 16, k 8 (l / 16) + i */
#define FROM(lane)        (8 * ((lane) / 16))
#define MULTIPLY(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c)
#define C_ROW(lane, i)    ((i) + 8 * ((lane) / 16))
#else
typedef v16h fragment; /* row l % 16, all of k, in both halves of the wave */
#define FROM(lane)        0
#define MULTIPLY(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c)
#define C_ROW(lane, i)    (2 * (i) + (lane) / 16)
#endif

struct step {
    uint4 a[4], b[4];
};

/* Lane t takes 16 bytes of row t / 4 and of each 32nd row from there. */
INLINE void fetch(struct step *s, global const half *a, global const half *b, uint pitch, uint t)
{
    uint at = t / 4 * pitch + t % 4 * 8;

    for (int i = 0; i < 4; i++) {
        s->a[i] = *(global const uint4 *)(a + at + i * 32 * pitch);
        s->b[i] = *(global const uint4 *)(b + at + i * 32 * pitch);
    }
}

INLINE void put(const struct step *s, local half *a, local half *b, uint t)
{
    uint at = t / 4 * ROW + t % 4 * 8;

    for (int i = 0; i < 4; i++) {
        *(local uint4 *)(a + at + i * 32 * ROW) = s->a[i];
        *(local uint4 *)(b + at + i * 32 * ROW) = s->b[i];
    }
}

INLINE fragment read(local const half *rows, uint lane, uint k)
{
    local const half *at = rows + lane % 16 * ROW + k + FROM(lane);
#if __gfx1200__ || __gfx1201__
    return *(local const v8h *)at;
#else
    v8h low = *(local const v8h *)at, high = *(local const v8h *)(at + 8);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

kernel GROUP(LANES, 1) void gemm_f16(global const half *a, global const half *b, global float *c, uint depth, uint row,
                                     uint tiles, uint pitch)
{
    local half lds[2][2][TILE * ROW];
    uint t = local_x(), group = group_x();
    uint m = group % tiles * TILE, n = group / tiles * TILE, lane = t % 32, wave = t / 32;
    uint wave_m = wave % 2 * 64, wave_n = wave / 2 * 64;
    v8f sum[4][4] = {{0}};
    struct step next;

    a += (ulong)m * pitch;
    b += (ulong)n * pitch;
    fetch(&next, a, b, pitch, t);
    put(&next, lds[0][0], lds[0][1], t);
    for (uint k = 0; k < depth; k += STEP) {
        uint now = k / STEP % 2;
        uint ahead = k + STEP < depth ? k + STEP : k;

        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
        fetch(&next, a + ahead, b + ahead, pitch, t);
        for (uint part = 0; part < STEP; part += 16) {
            fragment fa[4], fb[4];
            for (int i = 0; i < 4; i++) {
                fa[i] = read(lds[now][0] + (wave_m + 16 * i) * ROW, lane, part);
                fb[i] = read(lds[now][1] + (wave_n + 16 * i) * ROW, lane, part);
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] = MULTIPLY(fa[i], fb[j], sum[i][j]);
        }
        put(&next, lds[1 - now][0], lds[1 - now][1], t);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int e = 0; e < 8; e++)
                c[(ulong)(m + wave_m + 16 * i + C_ROW(lane, e)) * row + n + wave_n + 16 * j + lane % 16] = sum[i][j][e];
}
