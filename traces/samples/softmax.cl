/* out = softmax of each row of `cols` floats; one workgroup of 128 per row. The wave's share of the maximum and of the
 * sum goes through ds_swizzle (halves of 32 lanes, whatever the wave size), the rest through LDS. exp(x) is
 * v_exp_f32 of x * log2(e); the division is correctly rounded. */
#include "gcn.h"

#define N 128

/* Exchange with the lane whose number differs in the bits of MASK (0..31). */
#define SWIZZLE_XOR(V, MASK)                                                                                           \
    bits_float(__builtin_amdgcn_ds_swizzle(float_bits(V), ((MASK) << 10) | 0x1f))

INLINE float max_f32(float a, float b)
{
    return __builtin_fmaxf(a, b);
}

INLINE float add_f32(float a, float b)
{
    return a + b;
}

#define HALF_REDUCE(NAME, COMBINE)                                                                                     \
    INLINE float NAME(float v)                                                                                         \
    {                                                                                                                  \
        v = COMBINE(v, SWIZZLE_XOR(v, 16));                                                                            \
        v = COMBINE(v, SWIZZLE_XOR(v, 8));                                                                             \
        v = COMBINE(v, SWIZZLE_XOR(v, 4));                                                                             \
        v = COMBINE(v, SWIZZLE_XOR(v, 2));                                                                             \
        return COMBINE(v, SWIZZLE_XOR(v, 1));                                                                          \
    }

HALF_REDUCE(half_max, max_f32)
HALF_REDUCE(half_sum, add_f32)

kernel GROUP(N, 1) void softmax(global const float *in, global float *out, uint cols)
{
    local float part[2][N / 32];
    uint i = local_x();
    global const float *row = in + group_x() * cols;
    global float *dst = out + group_x() * cols;

    float top = -__builtin_inff();
    for (uint c = i; c < cols; c += N)
        top = max_f32(top, row[c]);
    top = half_max(top);
    if ((i & 31) == 0)
        part[0][i / 32] = top;
    group_barrier();
    top = max_f32(max_f32(part[0][0], part[0][1]), max_f32(part[0][2], part[0][3]));

    float sum = 0.0f;
    for (uint c = i; c < cols; c += N) {
        float e = __builtin_amdgcn_exp2f((row[c] - top) * 0x1.715476p+0f);
        dst[c] = e;
        sum += e;
    }
    sum = half_sum(sum);
    if ((i & 31) == 0)
        part[1][i / 32] = sum;
    group_barrier();
    sum = (part[1][0] + part[1][1]) + (part[1][2] + part[1][3]);

    for (uint c = i; c < cols; c += N)
        dst[c] = dst[c] / sum;
}
