// Two kernels that views are made of: axpy three times, with a loop and an inlined function, and fill twice.
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int N = 2048;

__device__ inline float at(const float *x, int i)
{
    return x[i];
}

__global__ void axpy(float *y, const float *x, float a, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++)
        y[i] += a * at(x, i);
}

__global__ void fill(float *y, float v)
{
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

int main()
{
    static float h[N];
    float *x, *y;
    int bad = 0;

    if (hipMalloc(&x, sizeof h) || hipMalloc(&y, sizeof h))
        return 3;
    fill<<<N / 256, 256>>>(x, 2);
    fill<<<N / 64, 64>>>(y, 1);
    for (int k = 1; k <= 3; k++)
        axpy<<<N / 256, 256>>>(y, x, 3, k);
    if (hipMemcpy(h, y, sizeof h, hipMemcpyDeviceToHost))
        return 4;
    for (float v : h)
        bad += v != 1 + 6 * 2 * 3;
    printf("%s\n", bad ? "bad" : "good");
    return bad != 0;
}
