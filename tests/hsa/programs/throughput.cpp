/* Kernels that compute for a while: bodies that attract one another, a product of matrices through LDS, a sum of arrays,
 * a histogram with atomics. For each a line "name seconds" of the host's time. */
#include <hip/hip_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { WORDS = 4 << 20, BODIES = 4096, ROWS = 512, TILE = 16 };

static void need(hipError_t e, const char *what)
{
    if (e != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorName(e));
        exit(2);
    }
}
#define NEED(call) need(call, #call)

extern "C" __global__ void nbody(const float4 *at, float4 *pull, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = at[i];
    float3 sum = {0, 0, 0};

    for (int t = 0; t < n; t += 256) {
        tile[threadIdx.x] = at[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float d = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f), f = tile[k].w * d * d * d;
            sum.x += dx * f;
            sum.y += dy * f;
            sum.z += dz * f;
        }
        __syncthreads();
    }
    pull[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[TILE][TILE], t[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;

    for (int k = 0; k < n; k += TILE) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            sum += s[y][j] * t[j][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned h[256];

    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        for (int k = 0; k < 32; k += 8)
            atomicAdd(&h[v >> k & 255], 1);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}

extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] * 2 + b[i];
}

template <typename F> static void run(const char *name, F launch)
{
    auto from = std::chrono::steady_clock::now();

    launch();
    NEED(hipDeviceSynchronize());
    std::chrono::duration<double> s = std::chrono::steady_clock::now() - from;
    printf("%s %.3f\n", name, s.count());
}

int main()
{
    std::vector<float> floats(WORDS);
    std::vector<unsigned> words(WORDS);
    float *f[3];
    unsigned *w, *counts;

    for (size_t k = 0; k < WORDS; k++) {
        words[k] = (unsigned)(k * 2654435761u);
        floats[k] = (float)(words[k] >> 8) / (1 << 24);
    }
    for (auto &one : f)
        NEED(hipMalloc((void **)&one, 4 * WORDS));
    NEED(hipMalloc((void **)&w, 4 * WORDS));
    NEED(hipMalloc((void **)&counts, 1024));
    NEED(hipMemcpy(f[0], floats.data(), 4 * WORDS, hipMemcpyHostToDevice));
    NEED(hipMemcpy(f[1], floats.data(), 4 * WORDS, hipMemcpyHostToDevice));
    NEED(hipMemcpy(w, words.data(), 4 * WORDS, hipMemcpyHostToDevice));
    NEED(hipMemset(counts, 0, 1024));
    run("nbody", [&] { nbody<<<BODIES / 256, 256>>>((float4 *)f[0], (float4 *)f[2], BODIES); });
    run("matmul", [&] { matmul<<<dim3(ROWS / TILE, ROWS / TILE), dim3(TILE, TILE)>>>(f[0], f[1], f[2], ROWS); });
    run("add", [&] { add<<<256, 256>>>(f[0], f[1], f[2], WORDS); });
    run("histogram", [&] { histogram<<<256, 256>>>(w, counts, WORDS); });
    return 0;
}
