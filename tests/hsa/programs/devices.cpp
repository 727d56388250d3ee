/* Says how many devices HIP finds, and whether memory can be had of the first. */
#include <hip/hip_runtime.h>

#include <cstdio>

int main()
{
    int count = -1;
    void *p = nullptr;
    hipError_t error = hipGetDeviceCount(&count);

    printf("%s, %d devices\n", hipGetErrorName(error), count);
    if (error != hipSuccess)
        return 1;
    printf("%s\n", hipGetErrorName(hipMalloc(&p, 100)));
    return 0;
}
