/* Sections: copies of all kinds, fills, variables, and memory that host and device share. */
#include "feature.h"

#include <atomic>

SECTION(copies)
{
    static const size_t sizes[] = {1, 3, 255, 4099, 70001, 1 << 20};

    for (size_t n : sizes) {
        std::vector<uint8_t> from(n), to(n + 2, 0xee);
        on_device<uint8_t> a(n + 8), b(n + 8);
        for (size_t k = 0; k < n; k++)
            from[k] = (uint8_t)(k * 7 + n);
        OK(hipMemcpy(a + 1, from.data(), n, hipMemcpyHostToDevice));
        OK(hipMemcpy(b + 3, a + 1, n, hipMemcpyDeviceToDevice));
        OK(hipMemcpy(to.data() + 1, b + 3, n, hipMemcpyDefault));
        EXPECT(!memcmp(to.data() + 1, from.data(), n) && to[0] == 0xee && to[n + 1] == 0xee);
        std::vector<uint8_t> all = b.get();
        EXPECT(all[2] == 0 && all[n + 3] == 0);
    }
    std::vector<int> h = ramp<int>(100), back(100);
    on_device<int> d(100);
    OK(hipMemcpyHtoD((hipDeviceptr_t)d.p, h.data(), 400));
    OK(hipMemcpyDtoH(back.data(), (hipDeviceptr_t)d.p, 400));
    EQUAL(back, h);
    OK(hipMemcpy(back.data(), h.data() + 1, 4 * 99, hipMemcpyHostToHost));
    SAME(back[98], 99);
    OK(hipMemcpy(d, d, 0, hipMemcpyDeviceToDevice));
}

SECTION(copies_async)
{
    enum { N = 30000 };
    stream one, two;
    int *pinned;
    hipEvent_t ready;

    OK(hipHostMalloc((void **)&pinned, 2 * N * sizeof(int), hipHostMallocDefault));
    OK(hipEventCreateWithFlags(&ready, hipEventDisableTiming));
    for (int k = 0; k < N; k++) {
        pinned[k] = k * 3;
        pinned[N + k] = -1;
    }
    on_device<int> a(N), b(N);
    OK(hipMemcpyAsync(a, pinned, N * sizeof(int), hipMemcpyHostToDevice, one));
    OK(hipEventRecord(ready, one));
    OK(hipStreamWaitEvent(two, ready, 0));
    OK(hipMemcpyAsync(b, a, N * sizeof(int), hipMemcpyDeviceToDevice, two));
    OK(hipMemcpyAsync(pinned + N, b, N * sizeof(int), hipMemcpyDeviceToHost, two));
    OK(hipStreamSynchronize(two));
    for (int k = 0; k < N; k++)
        if (pinned[N + k] != k * 3)
            WRONG("[%d]: %d", k, pinned[N + k]);
    std::vector<int> pageable = ramp<int>(N, 5);
    OK(hipMemcpyWithStream(a, pageable.data(), N * sizeof(int), hipMemcpyHostToDevice, one));
    EQUAL(a.get(), pageable);
    OK(hipEventDestroy(ready));
    OK(hipHostFree(pinned));
}

/* Rows of at least so many bytes. Runtimes up to 6 refuse hipMallocPitch() on devices without images. */
static hipPitchedPtr with_pitch(size_t width, size_t height, size_t depth)
{
    hipPitchedPtr p = {};

    if (hipMalloc3D(&p, make_hipExtent(width, height, depth)) != hipSuccess) {
        (void)hipGetLastError();
        p = make_hipPitchedPtr(nullptr, (width + 255) & ~(size_t)255, width, height);
        OK(hipMalloc(&p.ptr, p.pitch * height * depth));
    }
    EXPECT(p.ptr && p.pitch >= width);
    return p;
}

SECTION(copies_2d)
{
    enum { WIDTH = 37, HEIGHT = 11, HOST = 50 };
    std::vector<uint8_t> from(HOST * HEIGHT), to(HOST * HEIGHT, 0xee), want = to;
    hipPitchedPtr pa = with_pitch(WIDTH, HEIGHT, 1), pb = with_pitch(300, HEIGHT, 1);
    uint8_t *a = (uint8_t *)pa.ptr, *b = (uint8_t *)pb.ptr;
    size_t pitch = pa.pitch, other = pb.pitch;

    for (size_t k = 0; k < from.size(); k++)
        from[k] = (uint8_t)(k * 5);
    OK(hipMemcpy2D(a, pitch, from.data(), HOST, WIDTH, HEIGHT, hipMemcpyHostToDevice));
    OK(hipMemcpy2DAsync(b + 1, other, a, pitch, WIDTH, HEIGHT, hipMemcpyDeviceToDevice, nullptr));
    OK(hipMemcpy2D(to.data() + 2, HOST, b + 1, other, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            want[y * HOST + x + 2] = from[y * HOST + x];
    EQUAL(to, want);
    OK(hipMemset2D(a, pitch, 0x5a, 20, 4));
    OK(hipMemcpy2D(to.data() + 2, HOST, a, pitch, WIDTH, HEIGHT, hipMemcpyDeviceToHost));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 20; x++)
            want[y * HOST + x + 2] = 0x5a;
    EQUAL(to, want);
    OK(hipFree(a));
    OK(hipFree(b));
}

SECTION(copies_3d)
{
    enum { W = 24, H = 7, D = 5, PITCH = 40, ROWS = 9 };
    std::vector<uint8_t> from(PITCH * ROWS * D), to(PITCH * ROWS * D, 0xee), want = to;
    hipPitchedPtr box = with_pitch(W, H, D);
    hipMemcpy3DParms p = {};

    for (size_t k = 0; k < from.size(); k++)
        from[k] = (uint8_t)(k * 11 + 1);
    OK(hipMemset3D(box, 0x33, make_hipExtent(W, H, D)));
    p.srcPtr = make_hipPitchedPtr(from.data(), PITCH, PITCH, ROWS);
    p.srcPos = make_hipPos(2, 1, 0);
    p.dstPtr = box;
    p.dstPos = make_hipPos(4, 2, 1);
    p.extent = make_hipExtent(10, 3, 2);
    p.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&p));
    hipMemcpy3DParms q = {};
    q.srcPtr = box;
    q.dstPtr = make_hipPitchedPtr(to.data(), PITCH, PITCH, ROWS);
    q.extent = make_hipExtent(W, H, D);
    q.kind = hipMemcpyDeviceToHost;
    OK(hipMemcpy3DAsync(&q, nullptr));
    OK(hipStreamSynchronize(nullptr));
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool in = x >= 4 && x < 14 && y >= 2 && y < 5 && z >= 1 && z < 3;
                want[(z * ROWS + y) * PITCH + x] = in ? from[((z - 1) * ROWS + y - 1) * PITCH + x - 2] : 0x33;
            }
    EQUAL(to, want);
    OK(hipFree(box.ptr));
}

SECTION(fills)
{
    stream s;
    on_device<uint8_t> bytes(5003);
    on_device<uint16_t> halves(1001);
    on_device<int> words(3001);
    std::vector<uint8_t> want8(5003, 0);

    OK(hipMemset(bytes + 5, 0xa5, 4001));
    std::fill(want8.begin() + 5, want8.begin() + 4006, 0xa5);
    EQUAL(bytes.get(), want8);
    OK(hipMemsetD16Async((hipDeviceptr_t)halves.p, 0x1234, 1001, s));
    OK(hipMemsetD32Async((hipDeviceptr_t)words.p, -7, 3001, s));
    OK(hipMemsetAsync(bytes, 1, 5003, s));
    OK(hipStreamSynchronize(s));
    EQUAL(halves.get(), std::vector<uint16_t>(1001, 0x1234));
    EQUAL(words.get(), std::vector<int>(3001, -7));
    EQUAL(bytes.get(), std::vector<uint8_t>(5003, 1));
}

/* ---- variables ---- */

__constant__ int constants[64];
__device__ int counters[64] = {5, 6, 7};
__device__ float scale = 1.5f;
__managed__ int shared_variable = 40;

__global__ void use_variables(float *out)
{
    unsigned k = threadIdx.x;
    counters[k] += constants[k];
    out[k] = scale * (float)k;
    if (k == 0)
        shared_variable += 2;
}

SECTION(variables)
{
    std::vector<int> c = ramp<int>(64, 100, 3), got(64), want = ramp<int>(64, 100, 3);
    on_device<float> out(64);
    float two = 2;
    size_t size = 0;
    void *address = nullptr;
    int *at = nullptr;

    OK(hipMemcpyToSymbol(HIP_SYMBOL(constants), c.data(), sizeof(int) * 64));
    OK(hipMemcpyToSymbolAsync(HIP_SYMBOL(scale), &two, sizeof two, 0, hipMemcpyHostToDevice, nullptr));
    SAME(shared_variable, 40);
    use_variables<<<1, 64>>>(out);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    SAME(shared_variable, 42);
    want[0] += 5, want[1] += 6, want[2] += 7;
    OK(hipMemcpyFromSymbol(got.data(), HIP_SYMBOL(counters), sizeof(int) * 64));
    EQUAL(got, want);
    EQUAL(out.get(), ramp<float>(64, 0, 2));
    OK(hipGetSymbolSize(&size, HIP_SYMBOL(counters)));
    SAME(size, 256);
    OK(hipGetSymbolAddress(&address, HIP_SYMBOL(counters)));
    at = (int *)address;
    int minus = -1;
    OK(hipMemcpy(at + 9, &minus, sizeof minus, hipMemcpyHostToDevice));
    OK(hipMemcpyFromSymbol(got.data(), HIP_SYMBOL(counters), 8, 36));
    SAME(got[0], -1);
    SAME(got[1], want[10]);
    /* as it was, for a run after this one */
    std::vector<int> first(64, 0);
    first[0] = 5, first[1] = 6, first[2] = 7;
    OK(hipMemcpyToSymbol(HIP_SYMBOL(counters), first.data(), 256));
    shared_variable = 40;
}

/* ---- memory of both ---- */

/* Answers on `out` each time the host has changed `in`, until it is told to end. */
__global__ void answer(volatile int *in, volatile int *out, int rounds)
{
    for (int k = 1; k <= rounds; k++) {
        while (*in != k)
            __builtin_amdgcn_s_sleep(1);
        *out = k * k;
        __threadfence_system();
    }
}

SECTION(coherent)
{
    volatile int *flags;
    enum { ROUNDS = 5 };

    OK(hipHostMalloc((void **)&flags, 256, hipHostMallocCoherent));
    flags[0] = flags[32] = 0;
    answer<<<1, 1>>>(flags, flags + 32, ROUNDS);
    LAUNCHED();
    for (int k = 1; k <= ROUNDS; k++) {
        RETURNS(hipErrorNotReady, hipStreamQuery(nullptr));
        flags[0] = k;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        while (flags[32] != k * k)
            ;
    }
    OK(hipDeviceSynchronize());
    OK(hipStreamQuery(nullptr));
    OK(hipHostFree((void *)flags));
}

__global__ void add_to(int *p, int n, int what)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < n)
        p[k] += what;
}

SECTION(managed)
{
    enum { N = 3000 };
    int *p, device = 0;

    OK(hipMallocManaged((void **)&p, N * sizeof(int)));
    OK(hipMemAdvise(p, N * sizeof(int), hipMemAdviseSetPreferredLocation, device));
    for (int k = 0; k < N; k++)
        p[k] = k;
    OK(hipMemPrefetchAsync(p, N * sizeof(int), device, nullptr));
    add_to<<<(N + 255) / 256, 256>>>(p, N, 7);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    for (int k = 0; k < N; k++)
        if (p[k] != k + 7)
            WRONG("[%d]: %d", k, p[k]);
    p[5] = 1000; /* the host in between */
    add_to<<<1, 64>>>(p, 64, 1);
    OK(hipDeviceSynchronize());
    SAME(p[5], 1001);
    OK(hipFree(p));
}

SECTION(registered)
{
    enum { N = 5000 };
    std::vector<int> h = ramp<int>(N), want = ramp<int>(N, 3);
    int *d = nullptr, *zero = nullptr;

    OK(hipHostRegister(h.data(), N * sizeof(int), hipHostRegisterMapped));
    OK(hipHostGetDevicePointer((void **)&d, h.data(), 0));
    add_to<<<(N + 255) / 256, 256>>>(d, N, 3);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    EQUAL(h, want);
    OK(hipHostUnregister(h.data()));
    OK(hipHostMalloc((void **)&zero, 400, hipHostMallocMapped));
    memset(zero, 0, 400);
    OK(hipHostGetDevicePointer((void **)&d, zero, 0));
    add_to<<<1, 100>>>(d, 100, 9);
    OK(hipDeviceSynchronize());
    SAME(zero[99], 9);
    unsigned flags = 0;
    OK(hipHostGetFlags(&flags, zero));
    OK(hipHostFree(zero));
}

SECTION(pointers)
{
    on_device<int> d(100);
    hipPointerAttribute_t a = {};
    hipDeviceptr_t base = nullptr;
    size_t size = 0, free_before = 0, free_after = 0, total = 0;
    int *h, local = 0;

    OK(hipPointerGetAttributes(&a, d.p + 3));
    SAME(a.device, 0);
    EXPECT(a.devicePointer == d.p + 3);
    OK(hipMemGetAddressRange(&base, &size, (hipDeviceptr_t)(d.p + 50)));
    EXPECT(base == (hipDeviceptr_t)d.p && size == 400);
    OK(hipHostMalloc((void **)&h, 64, hipHostMallocDefault));
    OK(hipPointerGetAttributes(&a, h));
    EXPECT(a.hostPointer == h);
    OK(hipHostFree(h));
    if (HIP_VERSION_MAJOR < 6) {
        RETURNS(hipErrorInvalidValue, hipPointerGetAttributes(&a, &local));
    } else {
        OK(hipPointerGetAttributes(&a, &local));
        EXPECT(a.devicePointer == nullptr);
    }
    (void)hipGetLastError();
    OK(hipMemGetInfo(&free_before, &total));
    {
        on_device<char> large((size_t)64 << 20);
        OK(hipMemGetInfo(&free_after, &total));
        EXPECT(free_after <= free_before - ((size_t)64 << 20) && free_before <= total);
    }
    OK(hipMemGetInfo(&free_after, &total));
    SAME(free_after, free_before);
}

SECTION_FOR(2, peer)
{
    enum { N = 5000 };
    std::vector<int> h = ramp<int>(N, 1), want = ramp<int>(N, 5);
    int can = 0, *there;

    OK(hipDeviceCanAccessPeer(&can, 0, 1));
    SAME(can, 1);
    on_device<int> here(h);
    OK(hipSetDevice(1));
    OK(hipMalloc((void **)&there, N * sizeof(int)));
    OK(hipMemcpyPeer(there, 1, here, 0, N * sizeof(int)));
    add_to<<<(N + 255) / 256, 256>>>(there, N, 4);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    OK(hipMemcpyPeerAsync(here, 0, there, 1, N * sizeof(int), nullptr));
    OK(hipDeviceSynchronize());
    OK(hipSetDevice(0));
    EQUAL(here.get(), want);
    /* a kernel of one device at the other's memory */
    OK(hipDeviceEnablePeerAccess(1, 0));
    add_to<<<(N + 255) / 256, 256>>>(there, N, 10);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(h.data(), there, N * sizeof(int), hipMemcpyDefault));
    EQUAL(h, ramp<int>(N, 15));
    OK(hipDeviceDisablePeerAccess(1));
    OK(hipFree(there));
}
