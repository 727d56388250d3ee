/* out = softmax of each row of 128 floats. docs/TUTORIAL.md makes the slow kernel fast. */
#include "../gcn.h"

#define COLS 128
#define LANES 32

INLINE float exp_f32(float x)
{
    return __builtin_amdgcn_exp2f(x * 0x1.715476p+0f);
}

INLINE float max_f32(float a, float b)
{
    return __builtin_fmaxf(a, b);
}

/* A work-item for each row: neighbouring lanes are a row apart. */
kernel GROUP(LANES, 1) void softmax_slow(global const float *in, global float *out)
{
    uint row = group_x() * LANES + local_x();
    global const float *from = in + row * COLS;
    global float *to = out + row * COLS;

    float top = -__builtin_inff();
    for (uint c = 0; c < COLS; c++)
        top = max_f32(top, from[c]);
    float sum = 0.0f;
    for (uint c = 0; c < COLS; c++)
        sum += exp_f32(from[c] - top);
    for (uint c = 0; c < COLS; c++)
        to[c] = exp_f32(from[c] - top) / sum;
}

/* What the lanes of a half have between them, in each lane. */
#define SWIZZLE_XOR(V, MASK)                                                                                           \
    bits_float(__builtin_amdgcn_ds_swizzle(float_bits(V), ((MASK) << 10) | 0x1f))

INLINE float wave_max(float v)
{
    v = max_f32(v, SWIZZLE_XOR(v, 16));
    v = max_f32(v, SWIZZLE_XOR(v, 8));
    v = max_f32(v, SWIZZLE_XOR(v, 4));
    v = max_f32(v, SWIZZLE_XOR(v, 2));
    return max_f32(v, SWIZZLE_XOR(v, 1));
}

INLINE float wave_sum(float v)
{
    v += SWIZZLE_XOR(v, 16);
    v += SWIZZLE_XOR(v, 8);
    v += SWIZZLE_XOR(v, 4);
    v += SWIZZLE_XOR(v, 2);
    return v + SWIZZLE_XOR(v, 1);
}

/* A wave for each row: neighbouring lanes have neighbouring columns, and the row stays in registers. */
kernel GROUP(LANES, 1) void softmax_fast(global const float *in, global float *out)
{
    global const float *from = in + group_x() * COLS + local_x();
    global float *to = out + group_x() * COLS + local_x();
    float v[COLS / LANES];

    float top = -__builtin_inff();
    for (uint k = 0; k < COLS / LANES; k++) {
        v[k] = from[k * LANES];
        top = max_f32(top, v[k]);
    }
    top = wave_max(top);
    float sum = 0.0f;
    for (uint k = 0; k < COLS / LANES; k++) {
        v[k] = exp_f32(v[k] - top);
        sum += v[k];
    }
    sum = wave_sum(sum);
    for (uint k = 0; k < COLS / LANES; k++)
        to[k * LANES] = v[k] / sum;
}
