/* Kernels that each have one thing that costs them most, for gcnsim explain; of some the same with that thing repaired.
 * One workgroup keeps what is in the way of others out of the measurement. */
#include "traces/samples/gcn.h"

#define ROUNDS 512

/* ---- rows of LDS: `row` dwords apart, 32 or 33 ---- */

kernel GROUP(256, 1) void rows(global const uint *in, global uint *out, uint row)
{
    local uint tile[32 * 33];
    uint x = local_x() % 32, y = local_x() / 32, sum = 0;

    for (uint k = y; k < 32; k += 8)
        tile[k * row + x] = in[k * 32 + x];
    group_barrier();
    for (uint k = 0; k < 512; k++)
        sum += tile[x * row + (k + y) % 32];
    out[local_x()] = sum;
}

/* ---- lanes of an access: `item` dwords apart; a lane's dwords are `step` apart ---- */

kernel GROUP(256, 1) void lanes(global const uint *in, global uint *out, uint item, uint step)
{
    uint i = group_x() * 256 + local_x(), at = i * item, sum = 0;

#pragma unroll 8
    for (uint k = 0; k < 128; k++) {
        sum += in[at];
        at += step;
        __asm__ volatile("" : "+v"(at)); /* no two loads in one */
    }
    out[i] = sum;
}

/* ---- waits ---- */

#if defined(__gfx1201__)
#define WAIT __asm__ volatile("s_wait_loadcnt 0x0")
#else
#define WAIT __asm__ volatile("s_waitcnt vmcnt(0)")
#endif
/* Eight loads, of which no two are in flight together when there are waits between them. */
#define EIGHT(BETWEEN)                                                                                                 \
    global const uint *at = in + local_x();                                                                            \
    uint sum = 0;                                                                                                      \
    for (uint k = 0; k < 16; k++, at += 8 * 256) {                                                                     \
        uint v[8];                                                                                                     \
        _Pragma("unroll") for (uint n = 0; n < 8; n++)                                                                 \
        {                                                                                                              \
            __asm__ volatile("global_load_dword %0, %1, off" : "=v"(v[n]) : "v"(at + n * 256));                            \
            BETWEEN;                                                                                                   \
        }                                                                                                              \
        WAIT;                                                                                                          \
        _Pragma("unroll") for (uint n = 0; n < 8; n++)                                                                 \
        {                                                                                                              \
            __asm__ volatile("" : "+v"(v[n]));                                                                             \
            sum += v[n];                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    out[local_x()] = sum

kernel GROUP(256, 1) void waits_slow(global const uint *in, global uint *out)
{
    EIGHT(WAIT);
}

kernel GROUP(256, 1) void waits_fast(global const uint *in, global uint *out)
{
    EIGHT();
}

/* ---- loads in flight: a sum of 128 rows, with a wait for each or for eight ---- */

kernel GROUP(256, 1) void loads_slow(global const uint *in, global uint *out)
{
    uint sum = 0;
#pragma nounroll
    for (uint k = local_x(); k < 128 * 256; k += 256) {
        uint v = in[k];
        sum += v;
    }
    out[local_x()] = sum;
}

kernel GROUP(256, 1) void loads_fast(global const uint *in, global uint *out)
{
    uint sum = 0;
#pragma nounroll
    for (uint k = local_x(); k < 128 * 256; k += 8 * 256) {
        uint v[8];
        for (uint n = 0; n < 8; n++)
            v[n] = in[k + n * 256];
        for (uint n = 0; n < 8; n++)
            sum += v[n];
    }
    out[local_x()] = sum;
}

/* Each load's address comes from the one before, by way of 32 multiplications. */
kernel GROUP(64, 1) void loads_chained(global const uint *in, global uint *out)
{
    uint at = local_x();
#pragma nounroll
    for (uint k = 0; k < 64; k++) {
        at = in[at] + at;
#pragma unroll
        for (uint n = 0; n < 32; n++)
            at = at * at + k;
        at %= 262144;
    }
    out[local_x()] = at;
}

/* What is loaded decides whether the loop goes on. */
kernel GROUP(64, 1) void loads_decide(global const uint *in, global uint *out)
{
    uint k = local_x();
#pragma nounroll
    while (in[k] < k + 262144 / 8 && k < 64 * 256)
        k += 64;
    out[local_x()] = k;
}

/* ---- registers ---- */

/* A chain of loads, in as many waves as their registers let in. */
#define CHAIN(LAST)                                                                                                    \
    __asm__ volatile("" ::: LAST);                                                                                         \
    uint at = group_x() * 64 + local_x();                                                                              \
    for (uint k = 0; k < 8; k++)                                                                                       \
        at = (in[at] + at + 64 * 61) % 262144;                                                                           \
    out[group_x() * 64 + local_x()] = at

kernel GROUP(64, 1) void registers(global const uint *in, global uint *out)
{
    CHAIN("v199");
}

/* As many as let in one more wave: of the allocation granule and the register file of each chip. */
#if defined(__gfx90a__)
#define ONE_MORE "v167" /* 512 / 3 */
#else
#define ONE_MORE "v191" /* 1536 / 8, of waves of 32 */
#endif
kernel GROUP(64, 1) void registers_fewer(global const uint *in, global uint *out)
{
    CHAIN(ONE_MORE);
}

/* ---- one cause each ---- */

kernel GROUP(1024, 1) void alus(global const float *in, global float *out)
{
    float a = in[local_x()], b = a + 1, c = a + 2, d = a + 3;
#pragma nounroll
    for (uint k = 0; k < 32; k++)
        for (uint n = 0; n < 8; n++) {
            a = a * b + c;
            c = c * d + a;
            b = b * a + d;
            d = d * c + b;
        }
    out[local_x()] = a + b + c + d;
}

kernel GROUP(64, 1) void chain_of_alus(global const float *in, global float *out)
{
    float a = in[local_x()];
#pragma nounroll
    for (uint k = 0; k < 256; k++)
        for (uint n = 0; n < 16; n++)
            a = __builtin_fmaf(a, a, 1.0f);
    out[local_x()] = a;
}

kernel GROUP(1024, 1) void transcendentals(global const float *in, global float *out)
{
    float a = in[local_x()], b = a + 1, c = a + 2, d = a + 3;
#pragma nounroll
    for (uint k = 0; k < 64; k++) {
        a = __builtin_amdgcn_exp2f(a);
        b = __builtin_amdgcn_exp2f(b);
        c = __builtin_amdgcn_exp2f(c);
        d = __builtin_amdgcn_exp2f(d);
    }
    out[local_x()] = a + b + c + d;
}

kernel GROUP(32, 1) void code(global const uint *in, global uint *out)
{
    uint a = in[local_x()];
    for (uint k = 0; k < 2; k++)
        __asm__ volatile(".rept 4000\n v_add_u32 %0, %0, %0\n .endr" : "+v"(a));
    out[local_x()] = a;
}

kernel GROUP(256, 1) void copies(global const uint *in, global uint *out)
{
    uint i = group_x() * 256 + local_x();
    out[i] = in[i];
}

kernel GROUP(32, 1) void nothing(global const uint *in, global uint *out)
{
    (void)in, (void)out;
}

/* Every lane loads from one address, which the compiler does not know. */
kernel GROUP(64, 1) void one_address(global const uint *in, global uint *out)
{
    uint at = 0;
    __asm__ volatile("" : "+v"(at));
    out[group_x() * 64 + local_x()] = in[at];
}

/* Four dwords of each lane, which lie side by side. */
kernel GROUP(64, 1) void four_loads(global const uint *in, global uint *out)
{
    volatile global const uint *at = in + 4 * local_x();
    out[local_x()] = at[0] + at[1] + at[2] + at[3];
}

kernel GROUP(64, 1) void few_lanes(global const uint *in, global uint *out)
{
    uint a = in[local_x()];
    if (local_x() % 32 == 0)
        for (uint k = 0; k < 200; k++)
            a = a * a + k;
    out[local_x()] = a;
}
