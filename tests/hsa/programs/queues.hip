// Kernels of queues.c.
#include <hip/hip_runtime.h>

// counts down the value of a signal, by which the host knows that it runs, and never ends by itself
extern "C" __global__ void spin(unsigned long long *running, int)
{
    if (threadIdx.x == 0)
        atomicAdd_system(running, ~0ull);
    while (*(volatile unsigned long long *)running <= 2)
        ;
}

extern "C" __global__ void work(float *p, int rounds)
{
    float v = p[threadIdx.x];

    for (int k = 0; k < rounds; k++)
        v = v * 1.0001f + 0.5f;
    p[threadIdx.x] = v;
}

// as work, for what is not timed
extern "C" __global__ void plain(float *p, int rounds)
{
    float v = p[threadIdx.x];

    for (int k = 0; k < rounds; k++)
        v = v * 1.0001f + 0.5f;
    p[threadIdx.x] = v;
}
