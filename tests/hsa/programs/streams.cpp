/* Two streams on one device: kernels that wait for one another, kernels that run beside one another, an order by events,
 * and their times, which are simulated. */
#include <hip/hip_runtime.h>

#include <cstdio>

#define OK(CALL)                                                                                                       \
    do {                                                                                                               \
        hipError_t status = (CALL);                                                                                    \
        if (status != hipSuccess) {                                                                                    \
            printf("%s: %s\n", #CALL, hipGetErrorString(status));                                                      \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void meet(int *own, int *other, int *out, int value)
{
    atomicExch(own, value);
    while (atomicAdd(other, 0) != value)
        ;
    *out = value;
}

__global__ void work(float *p, int rounds)
{
    float v = p[threadIdx.x];

    for (int k = 0; k < rounds; k++)
        v = v * 1.0001f + 0.5f;
    p[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

/* Milliseconds from the beginning of the one to the end of the other. */
static float between(hipEvent_t from, hipEvent_t to)
{
    float ms = -1;

    return hipEventElapsedTime(&ms, from, to) == hipSuccess ? ms : -1;
}

int main()
{
    enum { ROUNDS = 2000 };
    hipStream_t a, b;
    hipEvent_t event[4];
    int *flags, met[2];
    float *data, alone = 0;

    OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    OK(hipMalloc(&flags, 1024));
    OK(hipMalloc(&data, 1 << 20));
    OK(hipMemset(flags, 0, 1024));
    for (hipEvent_t &e : event)
        OK(hipEventCreate(&e));
    OK(hipDeviceSynchronize());
    for (int n = 1; n <= 2; n++) {
        meet<<<1, 1, 0, a>>>(flags, flags + 64, flags + 128, n);
        meet<<<1, 1, 0, b>>>(flags + 64, flags, flags + 129, n);
        OK(hipDeviceSynchronize());
        OK(hipMemcpy(met, flags + 128, sizeof met, hipMemcpyDeviceToHost));
        printf("met %d %d\n", met[0], met[1]);
    }
    /* 0: alone, 1: beside one another, 2: b's behind a's */
    for (int n = 0; n < 3; n++) {
        OK(hipEventRecord(event[0], a));
        work<<<8, 64, 0, a>>>(data, ROUNDS);
        OK(hipEventRecord(event[1], a));
        if (n == 2)
            OK(hipStreamWaitEvent(b, event[1], 0));
        if (n) {
            OK(hipEventRecord(event[2], b));
            work<<<8, 64, 0, b>>>(data + 4096, ROUNDS);
            OK(hipEventRecord(event[3], b));
        }
        OK(hipDeviceSynchronize());
        float all = between(event[0], event[n ? 3 : 1]);
        printf("%d: %.6f ms\n", n, all);
        if (!n)
            alone = all;
        else
            printf("%s\n", all < 1.3f * alone ? "together" : all > 1.8f * alone ? "in turn" : "neither");
    }
    return 0;
}
