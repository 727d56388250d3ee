/* Two language runtimes in one program, HIP's and OpenMP's, which share the GPU and its memory. */
#include <hip/hip_runtime_api.h>
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };

int main(void)
{
    int h[N], *d = NULL, wrong = 0, *own;

    for (int k = 0; k < N; k++)
        h[k] = k;
    if (hipMalloc((void **)&d, sizeof h) || hipMemcpy(d, h, sizeof h, hipMemcpyHostToDevice))
        return 3;
#pragma omp target teams distribute parallel for is_device_ptr(d)
    for (int k = 0; k < N; k++)
        d[k] = d[k] * 2 + 1;
    own = omp_target_alloc(sizeof h, omp_get_default_device());
    if (!own || hipMemcpy(own, d, sizeof h, hipMemcpyDeviceToDevice) || hipMemset(d, 0, sizeof h))
        return 4;
#pragma omp target teams distribute parallel for is_device_ptr(d, own)
    for (int k = 0; k < N; k++)
        d[k] += own[k] - omp_is_initial_device() * 1000;
    if (hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost))
        return 5;
    for (int k = 0; k < N; k++)
        wrong += h[k] != 2 * k + 1;
    omp_target_free(own, omp_get_default_device());
    if (hipFree(d))
        return 6;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
