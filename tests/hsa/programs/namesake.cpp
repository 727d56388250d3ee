/* A kernel that has the name of one of the language runtime's own, and does something else. */
#include <hip/hip_runtime.h>
#include <cstdio>

extern "C" __global__ void __amd_rocclr_copyBuffer(int *out, int value)
{
    out[threadIdx.x] = value + (int)threadIdx.x;
}

int main()
{
    int *d, h[64], bad = 0;

    if (hipMalloc((void **)&d, sizeof h))
        return 3;
    __amd_rocclr_copyBuffer<<<1, 64>>>(d, 40);
    if (hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost))
        return 4;
    for (int k = 0; k < 64; k++)
        bad += h[k] != 40 + k;
    printf("%s\n", bad ? "bad" : "good");
    return bad != 0;
}
