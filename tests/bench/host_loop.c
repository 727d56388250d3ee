#include "tests/bench/host_loop.h"

float host_loop(uint64_t iterations)
{
    _Alignas(64) float reg[HOST_CHAINS][HOST_LANES], factor[HOST_LANES], addend[HOST_LANES];
    float sum = 0;

    for (int l = 0; l < HOST_LANES; l++) {
        factor[l] = 0.999f;
        addend[l] = 0.5f;
        for (int c = 0; c < HOST_CHAINS; c++)
            reg[c][l] = (float)l;
    }
    for (uint64_t i = 0; i < iterations; i++)
        for (int c = 0; c < HOST_CHAINS; c++) {
            for (int l = 0; l < HOST_LANES; l++)
                reg[c][l] = __builtin_fmaf(reg[c][l], factor[l], addend[l]);
            /* the row is in memory again before the next one starts, as between two instructions */
            __asm__ volatile("" : : "r"(reg[c]) : "memory");
        }
    for (int c = 0; c < HOST_CHAINS; c++)
        for (int l = 0; l < HOST_LANES; l++)
            sum += reg[c][l];
    return sum;
}

#define LANES for (int l = 0; l < HOST_LANES; l++)
/* one instruction: the row it wrote is in memory before the next one starts */
#define INSTRUCTION(ROW, VALUE)                                                                                        \
    LANES ROW[l] = VALUE;                                                                                              \
    __asm__ volatile("" : : "r"(ROW) : "memory")

uint32_t host_integer(uint64_t iterations)
{
    _Alignas(64) uint32_t v[12][HOST_LANES], vcc[HOST_LANES];
    uint32_t sum = 0;

    for (int r = 0; r < 12; r++)
        LANES v[r][l] = (uint32_t)l;
    for (uint64_t i = 0; i < iterations; i++) {
        INSTRUCTION(v[4], v[1][l] << 13);
        INSTRUCTION(v[1], v[1][l] ^ v[4][l]);
        INSTRUCTION(v[4], v[1][l] >> 17);
        INSTRUCTION(v[1], v[1][l] ^ v[4][l]);
        INSTRUCTION(v[5], (v[1][l] << 5) + v[2][l]);
        INSTRUCTION(v[6], v[5][l] * 0x9e3779b9u);
        INSTRUCTION(v[2], v[2][l] + v[6][l]);
        INSTRUCTION(v[7], v[2][l] >> 4 & 0x7ff);
        INSTRUCTION(v[7], (v[1][l] & 0xff) | v[7][l]);
        INSTRUCTION(vcc, v[7][l] < v[2][l] ? ~0u : 0);
        INSTRUCTION(v[8], vcc[l] ? v[7][l] : v[8][l]);
        LANES vcc[l] = v[9][l] + v[5][l] < v[9][l];
        INSTRUCTION(v[9], v[9][l] + v[5][l]);
        INSTRUCTION(v[10], v[10][l] + vcc[l]);
        INSTRUCTION(v[1], (v[8][l] ^ (uint32_t)i) + v[1][l]);
        INSTRUCTION(v[2], v[2][l] << 25 | v[1][l] >> 7);
        INSTRUCTION(v[11], v[2][l] < v[9][l] ? v[2][l] : v[9][l]);
    }
    for (int r = 0; r < 12; r++)
        LANES sum += v[r][l];
    return sum;
}

#define MATRIX(NAME, T, M, N, K, FMA)                                                                                  \
    static __attribute__((noinline)) void NAME(const T *restrict a, const T *restrict b, T *restrict c)                \
    {                                                                                                                  \
        for (int i = 0; i < (M); i++)                                                                                  \
            for (int k = 0; k < (K); k++)                                                                              \
                for (int j = 0; j < (N); j++)                                                                          \
                    c[i * (N) + j] = FMA(a[i * (K) + k], b[k * (N) + j], c[i * (N) + j]);                              \
    }
#define INT_FMA(A, B, C) ((A) * (B) + (C))
MATRIX(f32_32x32x8, float, 32, 32, 8, __builtin_fmaf)
MATRIX(f32_32x32x2, float, 32, 32, 2, __builtin_fmaf)
MATRIX(f64_16x16x4, double, 16, 16, 4, __builtin_fma)
MATRIX(i32_32x32x16, int32_t, 32, 32, 16, INT_FMA)
MATRIX(f32_16x16x16, float, 16, 16, 16, __builtin_fmaf)

/* all zeros: numbers do not change how long it takes, denormals apart */
void host_matrix(enum host_matrix shape, uint64_t times)
{
    union {
        float f[1024];
        double d[1024];
        int32_t i[1024];
    } a = {{0}}, b = {{0}}, c = {{0}};

    for (uint64_t t = 0; t < times; t++) {
        switch (shape) {
        case HOST_F32_32X32X8:
            f32_32x32x8(a.f, b.f, c.f);
            break;
        case HOST_F32_32X32X2:
            f32_32x32x2(a.f, b.f, c.f);
            break;
        case HOST_F64_16X16X4:
            f64_16x16x4(a.d, b.d, c.d);
            break;
        case HOST_I32_32X32X16:
            i32_32x32x16(a.i, b.i, c.i);
            break;
        case HOST_F32_16X16X16:
            f32_16x16x16(a.f, b.f, c.f);
            break;
        }
        __asm__ volatile("" : : "r"(&a), "r"(&b), "r"(&c) : "memory");
    }
}
