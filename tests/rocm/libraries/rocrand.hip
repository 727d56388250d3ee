/* rocRAND: Philox 4x32-10 and Sobol number for number, the distributions of XORWOW by their moments. */
#include "library.h"

#include <rocrand/rocrand.h>

static const size_t N = 100000;

/* Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3 (2011). */
static void philox(uint64_t counter, uint64_t seed, uint32_t out[4])
{
    uint32_t c[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), 0, 0}, k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xd2511f53 * c[0], b = (uint64_t)0xcd9e8d57 * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                            (uint32_t)a};
        for (int j = 0; j < 4; j++)
            c[j] = next[j];
        k[0] += 0x9e3779b9;
        k[1] += 0xbb67ae85;
    }
    for (int j = 0; j < 4; j++)
        out[j] = c[j];
}

/* The first dimension of a Sobol sequence: the bits of the Gray code of k, mirrored. */
static uint32_t sobol(uint32_t k)
{
    uint32_t gray = k ^ k >> 1, out = 0;

    for (int bit = 0; bit < 32; bit++)
        out |= (gray >> bit & 1) << (31 - bit);
    return out;
}

static void moments(const char *what, const std::vector<float> &v, double mean, double variance)
{
    double sum = 0, squares = 0, n = (double)v.size();

    for (float x : v)
        sum += x;
    for (float x : v)
        squares += (x - sum / n) * (x - sum / n);
    if (!(std::fabs(sum / n - mean) < 0.02) || !(std::fabs(squares / n - variance) < 0.05)) {
        printf("%s: mean %.4f, variance %.4f; expected %.4f and %.4f\n", what, sum / n, squares / n, mean, variance);
        exit(1);
    }
    printf("%s: ok\n", what);
}

int main()
{
    const uint64_t seed = 0x123456789abcdef0;
    rocrand_generator g;
    on_device<uint32_t> words(N);
    on_device<float> floats(N);
    std::vector<uint32_t> want(N);

    OK(rocrand_create_generator(&g, ROCRAND_RNG_PSEUDO_PHILOX4_32_10));
    OK(rocrand_set_seed(g, seed));
    OK(rocrand_generate(g, words, N));
    for (size_t k = 0; k < N; k += 4)
        philox(k / 4, seed, &want[k]);
    expect_same("philox", words.get(), want, 0);
    OK(rocrand_destroy_generator(g));

    OK(rocrand_create_generator(&g, ROCRAND_RNG_QUASI_SOBOL32));
    OK(rocrand_generate(g, words, N));
    for (size_t k = 0; k < N; k++)
        want[k] = sobol((uint32_t)k);
    expect_same("sobol", words.get(), want, 0);
    OK(rocrand_destroy_generator(g));

    OK(rocrand_create_generator(&g, ROCRAND_RNG_PSEUDO_XORWOW));
    OK(rocrand_generate_uniform(g, floats, N));
    moments("uniform", floats.get(), 0.5, 1.0 / 12);
    OK(rocrand_generate_normal(g, floats, N, 1.0f, 2.0f));
    moments("normal", floats.get(), 1, 4);
    OK(rocrand_destroy_generator(g));
    return 0;
}
