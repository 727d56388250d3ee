// Launches that read what copies in front of them have written, in one stream of each device and without a wait of the
// host: a copy that the host does leaves nothing in the caches.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "check.h"

__global__ void sum_up(const float *a, float *out, int n)
{
    float sum = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += a[i];
    out[threadIdx.x] = sum;
}

static void run()
{
    const int n = 16384, times = 24; // 512 lines of 128 bytes
    float *a, *b, *out;
    hipStream_t stream;

    CHECK(hipMalloc(&a, n * sizeof *a));
    CHECK(hipMalloc(&b, n * sizeof *b));
    CHECK(hipMalloc(&out, 256 * sizeof *out));
    CHECK(hipMemset(a, 0, n * sizeof *a));
    CHECK(hipMemset(b, 0, n * sizeof *b));
    CHECK(hipDeviceSynchronize());
    CHECK(hipStreamCreate(&stream));
    for (int k = 0; k < times; k++) {
        sum_up<<<1, 256, 0, stream>>>(a, out, n);
        CHECK(hipMemcpyAsync(a, b, n * sizeof *a, hipMemcpyDeviceToDevice, stream));
    }
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipGetLastError());
}

int main()
{
    int devices;

    CHECK(hipGetDeviceCount(&devices));
    for (int k = 0; k < devices; k++) {
        CHECK(hipSetDevice(k));
        run();
    }
    return 0;
}
