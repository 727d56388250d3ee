/* Sections: what runs when: streams, events and their simulated time, callbacks, graphs, waits on values, and kernels
 * whose workgroups wait for one another. */
#include "feature.h"

#include <hip/hip_cooperative_groups.h>

#include <atomic>

__global__ void append(int *list, int *count, int what)
{
    list[atomicAdd(count, 1)] = what;
}

/* out = in * factor + add */
__global__ void step(const int *in, int *out, int n, int factor, int add)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k < n)
        out[k] = in[k] * factor + add;
}

__global__ void spin_until(volatile int *flag, int value, volatile int *seen)
{
    while (*flag != value)
        __builtin_amdgcn_s_sleep(2);
    *seen = value;
    __threadfence_system();
}

SECTION(streams)
{
    enum { STREAMS = 4, STEPS = 6 };
    on_device<int> lists(STREAMS * STEPS), counts(STREAMS);
    std::vector<int> want;
    int low = 0, high = 0, priority = 0;
    unsigned flags = 0;
    hipStream_t s[STREAMS];

    OK(hipDeviceGetStreamPriorityRange(&low, &high));
    EXPECT(high <= low);
    for (int i = 0; i < STREAMS; i++)
        OK(hipStreamCreateWithPriority(&s[i], i % 2 ? hipStreamNonBlocking : hipStreamDefault, i % 2 ? high : low));
    OK(hipStreamGetPriority(s[1], &priority));
    SAME(priority, high);
    OK(hipStreamGetFlags(s[1], &flags));
    SAME(flags, hipStreamNonBlocking);
    OK(hipDeviceSynchronize()); /* streams that do not block do not wait for the fills of their memory */
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < STREAMS; i++)
            append<<<1, 1, 0, s[i]>>>(lists + i * STEPS, counts + i, i * 100 + k);
    LAUNCHED();
    for (int i = 0; i < STREAMS; i++) {
        OK(hipStreamSynchronize(s[i]));
        OK(hipStreamQuery(s[i]));
        OK(hipStreamDestroy(s[i]));
        for (int k = 0; k < STEPS; k++)
            want.push_back(i * 100 + k);
    }
    EQUAL(lists.get(), want);
}

/* A chain over streams by events, and the default stream, which waits for the others and they for it. */
SECTION(streams_in_order)
{
    enum { N = 500 };
    stream one, two;
    hipEvent_t done;
    on_device<int> a(ramp<int>(N)), b(N), c(N), d(N);

    OK(hipEventCreate(&done));
    RETURNS(hipSuccess, hipEventQuery(done)); /* never recorded */
    step<<<4, 128, 0, one>>>(a, b, N, 3, 1);
    OK(hipEventRecord(done, one));
    OK(hipStreamWaitEvent(two, done, 0));
    step<<<4, 128, 0, two>>>(b, c, N, 2, 5);
    step<<<4, 128>>>(c, d, N, 1, 7);
    step<<<4, 128, 0, one>>>(d, a, N, 10, 0);
    LAUNCHED();
    EQUAL(a.get(), ramp<int>(N, 140, 60));
    OK(hipEventSynchronize(done));
    OK(hipEventDestroy(done));
}

/* The host is not held by a kernel that runs. */
SECTION(streams_asynchronous)
{
    volatile int *flags;
    stream s;
    hipEvent_t done;

    OK(hipHostMalloc((void **)&flags, 512, hipHostMallocCoherent));
    memset((void *)flags, 0, 512);
    OK(hipEventCreateWithFlags(&done, hipEventDisableTiming));
    spin_until<<<1, 1, 0, s>>>(flags, 1, flags + 32);
    LAUNCHED();
    OK(hipEventRecord(done, s));
    RETURNS(hipErrorNotReady, hipStreamQuery(s));
    RETURNS(hipErrorNotReady, hipEventQuery(done));
    (void)hipGetLastError();
    SAME(flags[32], 0);
    flags[0] = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    OK(hipEventSynchronize(done));
    SAME(flags[32], 1);
    OK(hipEventDestroy(done));
    OK(hipHostFree((void *)flags));
}

__global__ void meet(volatile int *mine, volatile int *other, int rounds)
{
    for (int k = 1; k <= rounds; k++) {
        *mine = k;
        __threadfence();
        while (*other < k)
            __builtin_amdgcn_s_sleep(1);
    }
}

/* Kernels of two streams that wait for one another. */
SECTION(streams_handshake)
{
    stream one(hipStreamNonBlocking), two(hipStreamNonBlocking);
    on_device<int> flags(128);

    meet<<<1, 1, 0, one>>>(flags, flags + 64, 5);
    meet<<<1, 1, 0, two>>>(flags + 64, flags, 5);
    LAUNCHED();
    OK(hipStreamSynchronize(one));
    OK(hipStreamSynchronize(two));
    SAME(flags.get()[0], 5);
}

/* ---- time ---- */

__global__ void work(int *out, int rounds)
{
    unsigned x = threadIdx.x;

    for (int k = 0; k < rounds; k++)
        x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = (int)x;
}

static float time_of(int rounds, int *out, hipStream_t s)
{
    hipEvent_t from, to;
    float ms = -1;

    OK(hipEventCreate(&from));
    OK(hipEventCreate(&to));
    OK(hipEventRecord(from, s));
    work<<<1, 64, 0, s>>>(out, rounds);
    OK(hipEventRecord(to, s));
    OK(hipEventSynchronize(to));
    OK(hipEventElapsedTime(&ms, from, to));
    OK(hipEventDestroy(from));
    OK(hipEventDestroy(to));
    return ms;
}

SECTION(events)
{
    enum { MARKS = 5 };
    stream s;
    on_device<int> out(64);
    hipEvent_t marks[MARKS], other;
    float ms = 0, sum = 0;

    (void)time_of(1, out, s);
    float small = time_of(500, out, s), large = time_of(8000, out, s);
    if (!(small > 0 && large > small))
        WRONG("500 rounds take %g ms, 8000 %g ms", small, large);
    /* simulated time: much shorter than the host needs to simulate it, and the same for the same work */
    EXPECT(large < 10);
    for (hipEvent_t &m : marks) {
        OK(hipEventCreate(&m));
        OK(hipEventRecord(m, s));
        work<<<1, 64, 0, s>>>(out, 300);
    }
    OK(hipStreamSynchronize(s));
    for (int k = 1; k < MARKS; k++) {
        OK(hipEventElapsedTime(&ms, marks[k - 1], marks[k]));
        EXPECT(ms > 0);
        sum += ms;
    }
    OK(hipEventElapsedTime(&ms, marks[0], marks[MARKS - 1]));
    if (ms < 0.99f * sum || ms > 1.01f * sum)
        WRONG("%g ms from the first to the last, %g in parts", ms, sum);
    OK(hipEventElapsedTime(&ms, marks[2], marks[1]));
    EXPECT(ms < 0);
    OK(hipEventCreateWithFlags(&other, hipEventDisableTiming));
    OK(hipEventRecord(other, s));
    OK(hipEventSynchronize(other));
    RETURNS(hipErrorInvalidHandle, hipEventElapsedTime(&ms, marks[0], other));
    (void)hipGetLastError();
    OK(hipEventDestroy(other));
    for (hipEvent_t m : marks)
        OK(hipEventDestroy(m));
}

__device__ static long long constant_clock()
{
#if defined(__GFX11__) || defined(__GFX12__)
    return (long long)__builtin_amdgcn_s_sendmsg_rtnl(0x83);
#else
    return (long long)__builtin_amdgcn_s_memrealtime();
#endif
}

__global__ void read_clocks(long long *out)
{
    long long a = clock64(), b = constant_clock();

    for (int k = 0; k < 50; k++)
        __builtin_amdgcn_s_sleep(10);
    out[0] = clock64() - a;
    out[1] = constant_clock() - b;
}

SECTION(clocks)
{
    on_device<long long> out(2);

    read_clocks<<<1, 1>>>(out);
    LAUNCHED();
    std::vector<long long> got = out.get();
    if (got[0] <= 0 || got[1] <= 0 || got[1] > got[0])
        WRONG("%lld cycles, %lld ticks of the constant clock", got[0], got[1]);
}

/* ---- the host in between ---- */

/* declared by 5.2, and not there */
#pragma weak hipLaunchHostFunc

struct called {
    int *value;
    int times;
};

static void on_stream(hipStream_t, hipError_t status, void *data)
{
    called *c = (called *)data;

    if (status == hipSuccess)
        *c->value *= 10;
    c->times++;
}

static void on_host(void *data)
{
    called *c = (called *)data;

    *c->value += 3;
    c->times++;
}

SECTION(callbacks)
{
    stream s;
    called c = {};

    OK(hipHostMalloc((void **)&c.value, 64, hipHostMallocCoherent));
    *c.value = 1;
    step<<<1, 1, 0, s>>>(c.value, c.value, 1, 1, 1); /* 2 */
    OK(hipStreamAddCallback(s, on_stream, &c, 0));   /* 20 */
    step<<<1, 1, 0, s>>>(c.value, c.value, 1, 2, 0); /* 40 */
    bool has_host_functions = hipLaunchHostFunc;
    if (has_host_functions)
        OK(hipLaunchHostFunc(s, on_host, &c));       /* 43 */
    step<<<1, 1, 0, s>>>(c.value, c.value, 1, 2, 0); /* 86 */
    OK(hipStreamSynchronize(s));
    SAME(*c.value, has_host_functions ? 86 : 80);
    SAME(c.times, 1 + has_host_functions);
    OK(hipHostFree(c.value));
}

SECTION(values)
{
    stream one, two;
    uint64_t *word;
    on_device<int> a(ramp<int>(64)), b(64);

    OK(hipExtMallocWithFlags((void **)&word, 8, hipMallocSignalMemory));
    *(volatile uint64_t *)word = 0;
    OK(hipStreamWaitValue64(one, word, 7, hipStreamWaitValueGte, ~0ull));
    step<<<1, 64, 0, one>>>(a, b, 64, 5, 0);
    LAUNCHED();
    RETURNS(hipErrorNotReady, hipStreamQuery(one));
    (void)hipGetLastError();
    OK(hipStreamWriteValue64(two, word, 9, 0));
    OK(hipStreamSynchronize(one));
    EQUAL(b.get(), ramp<int>(64, 0, 5));
    OK(hipStreamWriteValue32(two, word, 0xf0, 0));
    OK(hipStreamWaitValue32(one, word, 0x30, hipStreamWaitValueEq, 0x3f));
    OK(hipStreamSynchronize(one));
    SAME(*(volatile uint64_t *)word, 0xf0);
    OK(hipStreamWaitValue32(one, word, 0x0f, hipStreamWaitValueAnd, 0xffffffff));
    *(volatile uint64_t *)word = 1; /* by the host */
    OK(hipStreamSynchronize(one));
    OK(hipFree(word));
}

/* ---- graphs ---- */

SECTION(graph_by_capture)
{
    enum { N = 300 };
    stream s, side;
    hipGraph_t graph;
    hipGraphExec_t ready;
    hipEvent_t fork, join;
    hipStreamCaptureStatus status;
    size_t nodes = 0;
    on_device<int> a(N), b(N), c(N);
    std::vector<int> in = ramp<int>(N), out(N, 0);

    OK(hipEventCreate(&fork));
    OK(hipEventCreate(&join));
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    OK(hipMemcpyAsync(a, in.data(), N * sizeof(int), hipMemcpyHostToDevice, s));
    OK(hipEventRecord(fork, s));
    OK(hipStreamWaitEvent(side, fork, 0));
    step<<<3, 128, 0, side>>>(a, c, N, 1, 1000);
    OK(hipEventRecord(join, side));
    step<<<3, 128, 0, s>>>(a, b, N, 3, 2);
    OK(hipStreamWaitEvent(s, join, 0));
    step<<<3, 128, 0, s>>>(b, b, N, 2, 0);
    OK(hipMemcpyAsync(out.data(), b, N * sizeof(int), hipMemcpyDeviceToHost, s));
    OK(hipStreamIsCapturing(s, &status));
    SAME(status, hipStreamCaptureStatusActive);
    OK(hipStreamEndCapture(s, &graph));
    SAME(out[5], 0);
    OK(hipGraphGetNodes(graph, nullptr, &nodes));
    SAME(nodes, 5);
    OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    for (int k = 0; k < 3; k++) {
        std::iota(in.begin(), in.end(), k); /* where it was */
        OK(hipGraphLaunch(ready, s));
        OK(hipStreamSynchronize(s));
        EQUAL(out, ramp<int>(N, 6 * k + 4, 6));
        EQUAL(c.get(), ramp<int>(N, 1000 + k));
    }
    OK(hipGraphExecDestroy(ready));
    OK(hipGraphDestroy(graph));
    OK(hipEventDestroy(fork));
    OK(hipEventDestroy(join));
}

SECTION(graph_by_nodes)
{
    enum { N = 64 };
    on_device<int> a(N), b(N);
    std::vector<int> in = ramp<int>(N, 1), out(N);
    called c = {};
    int *from = a.p, *to = b.p, n = N, factor = 4, add = 1, value = 5;
    void *args[] = {&from, &to, &n, &factor, &add};
    hipGraph_t graph;
    hipGraphExec_t ready;
    hipGraphNode_t copy_in, kernel, fill, copy_out, host;
    hipKernelNodeParams k = {};
    hipMemsetParams m = {};
    hipHostNodeParams h = {};
    stream s;

    c.value = &value;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, a, in.data(), N * sizeof(int), hipMemcpyHostToDevice));
    m.dst = a.p;
    m.elementSize = 4;
    m.width = 8;
    m.height = 1;
    m.value = 100;
    OK(hipGraphAddMemsetNode(&fill, graph, &copy_in, 1, &m));
    k.func = (void *)step;
    k.gridDim = dim3(1);
    k.blockDim = dim3(N);
    k.kernelParams = args;
    OK(hipGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
    h.fn = on_host;
    h.userData = &c;
    OK(hipGraphAddHostNode(&host, graph, &kernel, 1, &h));
    OK(hipGraphAddMemcpyNode1D(&copy_out, graph, &kernel, 1, out.data(), b, N * sizeof(int), hipMemcpyDeviceToHost));
    OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    for (int round = 0; round < 2; round++) {
        OK(hipGraphLaunch(ready, s));
        OK(hipStreamSynchronize(s));
        std::vector<int> want = ramp<int>(N, factor + add, factor);
        for (int i = 0; i < 8; i++)
            want[i] = 100 * factor + add;
        EQUAL(out, want);
        factor = 7;
        OK(hipGraphExecKernelNodeSetParams(ready, kernel, &k));
    }
    SAME(value, 11);
    SAME(c.times, 2);
    OK(hipGraphExecDestroy(ready));
    OK(hipGraphDestroy(graph));
}

/* ---- workgroups that wait for one another ---- */

__global__ void rounds_of_grid(int *a, int *b, int rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int n = (int)(gridDim.x * blockDim.x), k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    for (int r = 0; r < rounds; r++) {
        int *from = r % 2 ? b : a, *to = r % 2 ? a : b;
        to[k] = from[(k + 65) % n] + from[(k + n - 1) % n] % 1000;
        grid.sync();
    }
}

SECTION(cooperative)
{
    enum { ROUNDS = 5 };
    hipDeviceProp_t prop;
    int can = 0, per_cu = 0, rounds = ROUNDS;

    OK(hipDeviceGetAttribute(&can, hipDeviceAttributeCooperativeLaunch, 0));
    OK(hipGetDeviceProperties(&prop, 0));
    SAME(can, prop.cooperativeLaunch);
    SAME(can, prop.major >= 9); /* as the language runtime decides */
    if (!can) {
        void *args[] = {nullptr, nullptr, &rounds};
        EXPECT(hipLaunchCooperativeKernel((const void *)rounds_of_grid, dim3(1), dim3(64), args, 0, nullptr));
        (void)hipGetLastError();
        return;
    }
    for (int blocks : {1, 9, 40}) {
        int n = blocks * 128;
        std::vector<int> x = ramp<int>(n), y(n);
        on_device<int> a(x), b(n);
        int *pa = a, *pb = b;
        void *args[] = {&pa, &pb, &rounds};
        OK(hipLaunchCooperativeKernel((const void *)rounds_of_grid, dim3(blocks), dim3(128), args, 0, nullptr));
        OK(hipDeviceSynchronize());
        for (int r = 0; r < ROUNDS; r++) {
            for (int k = 0; k < n; k++)
                y[k] = x[(k + 65) % n] + x[(k + n - 1) % n] % 1000;
            x.swap(y);
        }
        EQUAL(b.get(), x);
    }
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_cu, (const void *)rounds_of_grid, 128, 0));
    EXPECT(per_cu > 0);
    int *none = nullptr;
    void *args[] = {&none, &none, &rounds};
    RETURNS(hipErrorCooperativeLaunchTooLarge,
            hipLaunchCooperativeKernel((const void *)rounds_of_grid, dim3(per_cu * prop.multiProcessorCount + 1),
                                       dim3(128), args, 0, nullptr));
    (void)hipGetLastError();
}

__global__ void rounds_of_devices(int *here, int *there, int rounds)
{
    cooperative_groups::multi_grid_group all = cooperative_groups::this_multi_grid();
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    for (int r = 0; r < rounds; r++) {
        int v = here[k] * 2 + (int)all.grid_rank();
        all.sync();
        there[k] = v;
        __threadfence_system();
        all.sync();
    }
}

SECTION_FOR(2, cooperative_devices)
{
    enum { N = 256, ROUNDS = 4 };
    int *shared, *p[2], rounds = ROUNDS;
    hipStream_t s[2];
    void *args[2][3];
    hipLaunchParams launch[2] = {};
    std::vector<int> x = ramp<int>(N), y = ramp<int>(N, 7, 3);

    OK(hipHostMalloc((void **)&shared, 2 * N * sizeof(int), hipHostMallocCoherent));
    std::copy(x.begin(), x.end(), shared);
    std::copy(y.begin(), y.end(), shared + N);
    for (int d = 0; d < 2; d++) {
        OK(hipSetDevice(d));
        OK(hipStreamCreate(&s[d]));
        p[d] = shared + d * N;
        /* 5.2 looks for managed variables of the current device, not of the one that it launches on; after this they
         * are there */
        step<<<1, 1>>>(p[d], p[d], 1, 1, 0);
        OK(hipDeviceSynchronize());
    }
    for (int d = 0; d < 2; d++) {
        args[d][0] = &p[d], args[d][1] = &p[1 - d], args[d][2] = &rounds;
        launch[d].func = (void *)rounds_of_devices;
        launch[d].gridDim = dim3(N / 64);
        launch[d].blockDim = dim3(64);
        launch[d].args = args[d];
        launch[d].stream = s[d];
    }
    OK(hipLaunchCooperativeKernelMultiDevice(launch, 2, 0));
    for (int d = 0; d < 2; d++)
        OK(hipStreamSynchronize(s[d]));
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < N; k++) {
            int to_y = x[k] * 2, to_x = y[k] * 2 + 1;
            x[k] = to_x;
            y[k] = to_y;
        }
    EQUAL(std::vector<int>(shared, shared + N), x);
    EQUAL(std::vector<int>(shared + N, shared + 2 * N), y);
    for (int d = 0; d < 2; d++)
        OK(hipStreamDestroy(s[d]));
    OK(hipSetDevice(0));
    OK(hipHostFree(shared));
}
