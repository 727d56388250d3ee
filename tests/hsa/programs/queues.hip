// Kernels of queues.c.
#include <hip/hip_runtime.h>

extern "C" __global__ void spin(volatile int *p, int)
{
    while (!*p)
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
