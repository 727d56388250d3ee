/* The host's own loops that the bench sets beside the engines: multiply-adds, integer work and matrix products over
 * rows of lanes, compiled for this machine.
 */
#include "tests/bench/host_loop.h"

#include <string.h>

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

#define HOST_INT_FMA(A, B, C) ((A) * (B) + (C))
/* clang-format off */
#define PRODUCT(NAME, T, M, K, BLOCKS, FMA, UNROLL_K, UNROLL_J)                                                        \
    static __attribute__((noinline)) void NAME(const T *restrict a, const T *restrict b, T *restrict c)                \
    {                                                                                                                  \
        for (int q = 0; q < (BLOCKS); q++, a += (M) * (K), b += (M) * (K), c += (M) * (M))                             \
            for (int i = 0; i < (M); i++)                                                                              \
                UNROLL_K for (int k = 0; k < (K); k++)                                                                 \
                    UNROLL_J for (int j = 0; j < (M); j++)                                                             \
                        c[i * (M) + j] = FMA(a[i * (K) + k], b[k * (M) + j], c[i * (M) + j]);                          \
    }
/* The picked rows keep the compiler from finding lanes in j and sums in registers by itself: it is asked to. */
#define SPARSE_PRODUCT(NAME, T, M, K, UNROLL_K, ROWS)                                                                  \
    static __attribute__((noinline)) void NAME(const T *restrict a, const T *restrict b, T *restrict c,                \
                                               const uint8_t *restrict rows)                                           \
    {                                                                                                                  \
        enum { VECTORS = (M) / HOST_VECTOR };                                                                          \
                                                                                                                       \
        for (int i = 0; i < (M); i += (ROWS)) {                                                                        \
            T##_vector sum[(ROWS)*VECTORS];                                                                            \
            memcpy(sum, c + i * (M), sizeof sum);                                                                      \
            UNROLL_K for (int k = 0; k < (K); k++)                                                                     \
                for (int r = 0; r < (ROWS); r++)                                                                       \
                    for (int v = 0; v < VECTORS; v++) {                                                                \
                        T##_vector of_b;                                                                               \
                        memcpy(&of_b, b + rows[(i + r) * (K) + k] * (M) + v * HOST_VECTOR, sizeof of_b);               \
                        sum[r * VECTORS + v] += a[(i + r) * (K) + k] * of_b; /* contracted, for this machine */        \
                    }                                                                                                  \
            memcpy(c + i * (M), sum, sizeof sum);                                                                      \
        }                                                                                                              \
    }
/* The compiler makes some shapes slow when it unrolls all of k or j, others when it does not. */
#define ROLLED _Pragma("GCC unroll 1")
#define UNROLLED _Pragma("GCC unroll 4")
#define MATRIX(NAME, T, M, K, BLOCKS, FMA)                                                                             \
    PRODUCT(NAME##_0, T, M, K, BLOCKS, FMA, , )                                                                        \
    PRODUCT(NAME##_1, T, M, K, BLOCKS, FMA, ROLLED, )                                                                  \
    PRODUCT(NAME##_2, T, M, K, BLOCKS, FMA, ROLLED, ROLLED)
#define SPARSE(NAME, T, M, K)                                                                                          \
    SPARSE_PRODUCT(NAME##_0, T, M, K, ROLLED, 4)                                                                       \
    SPARSE_PRODUCT(NAME##_1, T, M, K, UNROLLED, 4)                                                                     \
    SPARSE_PRODUCT(NAME##_2, T, M, K, ROLLED, 8)
enum { HOST_VECTOR = 16 };
typedef float float_vector __attribute__((vector_size(64)));
typedef int32_t int32_t_vector __attribute__((vector_size(64)));
/* clang-format on */
HOST_MATRICES(MATRIX)
HOST_SPARSE(SPARSE)

union matrices {
    float f[2048];
    double d[2048];
    int32_t i[2048];
};
static float *as_float(union matrices *m)
{
    return m->f;
}
static double *as_double(union matrices *m)
{
    return m->d;
}
static int32_t *as_int32_t(union matrices *m)
{
    return m->i;
}

/* all zeros: numbers do not change how long it takes, denormals apart */
void host_matrix(enum host_matrix shape, unsigned way, uint64_t times)
{
    union matrices a = {{0}}, b = {{0}}, c = {{0}};
    uint8_t rows[1024];

    for (unsigned k = 0; k < sizeof rows; k++) /* the first or the second of each two, below 16 as all have */
        rows[k] = (uint8_t)(k % 8 * 2 + (k >> 4 & 1));
    for (uint64_t t = 0; t < times; t++) {
        switch (HOST_MATRIX_WAYS * (unsigned)shape + way) {
#define WAY(NAME, T, W, ...)                                                                                           \
    case HOST_MATRIX_WAYS *HOST_##NAME + W:                                                                            \
        NAME##_##W(as_##T(&a), as_##T(&b), as_##T(&c) __VA_OPT__(, ) __VA_ARGS__);                                     \
        break;
#define CASES(NAME, T, ...)        WAY(NAME, T, 0) WAY(NAME, T, 1) WAY(NAME, T, 2)
#define SPARSE_CASES(NAME, T, ...) WAY(NAME, T, 0, rows) WAY(NAME, T, 1, rows) WAY(NAME, T, 2, rows)
            HOST_MATRICES(CASES)
            HOST_SPARSE(SPARSE_CASES)
        }
        __asm__ volatile("" : : "r"(&a), "r"(&b), "r"(&c), "r"(rows) : "memory");
    }
}
