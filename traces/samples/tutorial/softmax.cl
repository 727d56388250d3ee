/* out = softmax of each row of 1024 floats. A wave has a row, and keeps it in registers. docs/TUTORIAL.md makes the
 * slow kernel fast. */
#include "../gcn.h"

#define COLS  1024
#define LANES 32
#define OWN   (COLS / LANES) /* columns of a lane */

INLINE float exp_f32(float x)
{
    return __builtin_amdgcn_exp2f(x * 0x1.715476p+0f);
}

INLINE float max_f32(float a, float b)
{
    return __builtin_fmaxf(a, b);
}

/* What the lanes of a half have between them, in each lane. */
#define SWIZZLE_XOR(V, MASK) bits_float(__builtin_amdgcn_ds_swizzle(float_bits(V), ((MASK) << 10) | 0x1f))

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

/* The softmax of the row of which each lane has OWN values. */
INLINE void softmax_of(float v[OWN])
{
    float top = v[0], sum = 0.0f;

    for (uint k = 1; k < OWN; k++)
        top = max_f32(top, v[k]);
    top = wave_max(top);
    for (uint k = 0; k < OWN; k++) {
        v[k] = exp_f32(v[k] - top);
        sum += v[k];
    }
    sum = 1.0f / wave_sum(sum);
    for (uint k = 0; k < OWN; k++)
        v[k] *= sum;
}

/* Each lane has OWN columns side by side: neighbouring lanes are 128 bytes apart. */
kernel GROUP(LANES, 1) void softmax_slow(global const float *in, global float *out)
{
    uint first = group_x() * COLS + local_x() * OWN;
    global const float *from = in + first;
    global float *to = out + first;
    float v[OWN];

    for (uint k = 0; k < OWN; k++)
        v[k] = from[k];
    softmax_of(v);
    for (uint k = 0; k < OWN; k++)
        to[k] = v[k];
}

/* Each lane has four columns of every 128: neighbouring lanes are 16 bytes apart, and a load of four dwords by 32 lanes
 * fills its lines. */
kernel GROUP(LANES, 1) void softmax_fast(global const float *in, global float *out)
{
    uint first = group_x() * COLS + local_x() * 4;
    global const float *from = in + first;
    global float *to = out + first;
    float v[OWN];

    for (uint k = 0; k < OWN; k++)
        v[k] = from[k / 4 * 4 * LANES + k % 4];
    softmax_of(v);
    for (uint k = 0; k < OWN; k++)
        to[k / 4 * 4 * LANES + k % 4] = v[k];
}
