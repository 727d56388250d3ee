/* A program of two source files, which are this one compiled twice: each has code objects of its own in the program, and
 * both have an instance of one template. Prints "good" when every kernel is that of its own file. */
#include <hip/hip_runtime.h>

#include <cstdio>

#ifndef UNIT
#define UNIT 0
#endif

/* One symbol in both files, as templates are; what it does depends on its argument alone. */
template <class T> __global__ void add(T *p, T value)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

#if UNIT == 0

static __constant__ int own = 1000;

__global__ void first(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = own + (int)threadIdx.x;
}

void other(int *p, int n);

int main()
{
    enum { N = 512 };
    int *p, h[N], bad = 0;

    if (hipMalloc((void **)&p, sizeof h))
        return 3;
    first<<<N / 64, 64>>>(p);
    other(p, N);
    add<int><<<N / 64, 64>>>(p, 50000);
    if (hipMemcpy(h, p, sizeof h, hipMemcpyDeviceToHost))
        return 4;
    for (int i = 0; i < N; i++)
        bad += h[i] != 1000 + i % 64 + 20 + 300000 + 50000;
    puts(bad ? "bad" : "good");
    return bad != 0;
}

#else

static __constant__ int own = 20;

__global__ void second(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += own;
}

void other(int *p, int n)
{
    second<<<n / 64, 64>>>(p);
    add<int><<<n / 64, 64>>>(p, 300000);
}

#endif
