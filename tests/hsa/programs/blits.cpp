/* Every way in which HIP fills and copies memory, each checked against the same done by the host, and told as a line
 * with a hash of all memory. What the lines say must not depend on who does the work. */
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { BYTES = 1 << 18 };

static uint8_t *dev[2], *pinned;
static std::vector<uint8_t> want[2], host(BYTES), got(BYTES);
static int bad;

static void need(hipError_t e, const char *what)
{
    if (e != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorName(e));
        exit(2);
    }
}
#define NEED(call) need(call, #call)

static void check(const char *what, size_t a, size_t b, size_t c)
{
    uint64_t h = 1469598103934665603ull;
    int wrong = 0;

    for (int k = 0; k < 2; k++) {
        NEED(hipMemcpy(got.data(), dev[k], BYTES, hipMemcpyDeviceToHost));
        wrong += memcmp(got.data(), want[k].data(), BYTES) != 0;
        for (uint8_t v : got)
            h = (h ^ v) * 1099511628211ull;
    }
    printf("%s %zu %zu %zu: %016llx%s\n", what, a, b, c, (unsigned long long)h, wrong ? " WRONG" : "");
    bad += wrong;
}

/* Memory in which every byte differs from its neighbours, and both buffers from one another. */
static void renew(uint8_t salt)
{
    for (int k = 0; k < 2; k++) {
        for (size_t j = 0; j < BYTES; j++)
            want[k][j] = (uint8_t)(j * 31 + (j >> 8) * 7 + k * 17 + salt);
        NEED(hipMemcpy(dev[k], want[k].data(), BYTES, hipMemcpyHostToDevice));
    }
}

static void fills()
{
    static const size_t at[] = {0, 1, 2, 3, 4, 8, 13, 16, 4096 + 7};
    static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 64, 255, 4096, 65537};

    for (size_t o : at)
        for (size_t n : sizes) {
            if (o % 8 && n < 8) /* HIP 5.2 writes far behind what ends in front of a multiple of 8 bytes */
                continue;
            int v = (int)(o * 7 + n * 3 + 1) & 255;
            NEED(hipMemset(dev[0] + o, v, n));
            memset(&want[0][o], v, n);
        }
    check("memset", 9, 13, 0);
    renew(2);
    for (size_t o : at)
        for (size_t n : sizes) {
            if (o % 2 || (o % 8 && n < 8))
                continue;
            uint16_t v = (uint16_t)(0x1234 + o + n);
            NEED(hipMemsetD16((hipDeviceptr_t)(dev[0] + o), v, n));
            for (size_t k = 0; k < n; k++)
                memcpy(&want[0][o + 2 * k], &v, 2);
            if (o % 4)
                continue;
            uint32_t w = 0x89abcdefu + (uint32_t)(o * n);
            NEED(hipMemsetD32((hipDeviceptr_t)(dev[1] + o), (int)w, n / 2 + 1));
            for (size_t k = 0; k < n / 2 + 1; k++)
                memcpy(&want[1][o + 4 * k], &w, 4);
        }
    check("memsetD16 D32", 9, 13, 0);
    for (size_t pitch : {100, 128, 257})
        for (size_t width : {8, 15, 64, 100})
            for (size_t o : {0, 4, 11}) {
                NEED(hipMemset2D(dev[0] + o, pitch, (int)(pitch + width), width, 37));
                for (size_t y = 0; y < 37; y++)
                    memset(&want[0][o + y * pitch], (int)(pitch + width), width);
            }
    check("memset2D", 3, 4, 3);
    renew(3);
    for (size_t width : {5, 48, 96}) {
        hipPitchedPtr p = make_hipPitchedPtr(dev[1], 96, 96, 17);
        NEED(hipMemset3D(p, (int)width, make_hipExtent(width, 17, 5)));
        for (size_t z = 0; z < 5; z++)
            for (size_t y = 0; y < 17; y++)
                memset(&want[1][(z * 17 + y) * 96], (int)width, width);
    }
    check("memset3D", 3, 17, 5);
    NEED(hipMemsetAsync(dev[0] + 5, 0x5a, 100001, 0));
    NEED(hipDeviceSynchronize());
    memset(&want[0][5], 0x5a, 100001);
    check("memsetAsync", 5, 100001, 0);
}

static void copies()
{
    static const size_t sizes[] = {1, 3, 4, 5, 16, 31, 100, 4096, 4099, 70001};

    for (size_t o : {0, 1, 4, 7, 16})
        for (size_t p : {0, 3, 8, 16})
            for (size_t n : sizes) {
                NEED(hipMemcpy(dev[0] + o, dev[1] + p + o, n, hipMemcpyDeviceToDevice));
                memcpy(&want[0][o], &want[1][p + o], n);
                NEED(hipMemcpyAsync(dev[1] + 130000 + p, dev[0] + o, n, hipMemcpyDeviceToDevice, 0));
                NEED(hipDeviceSynchronize());
                memcpy(&want[1][130000 + p], &want[0][o], n);
                if (n > 5000)
                    continue;
                NEED(hipMemcpy(dev[0] + 100000 + o, &host[n], n, hipMemcpyHostToDevice));
                memcpy(&want[0][100000 + o], &host[n], n);
                memcpy(pinned + p, &host[2 * n], n);
                NEED(hipMemcpyAsync(dev[0] + 110000 + o, pinned + p, n, hipMemcpyHostToDevice, 0));
                NEED(hipDeviceSynchronize());
                memcpy(&want[0][110000 + o], &host[2 * n], n);
            }
    check("memcpy", 5, 4, 10);
    renew(5);
    for (size_t width : {1, 12, 63, 64, 100})
        for (size_t o : {0, 4, 5}) {
            NEED(hipMemcpy2D(dev[0] + o, 128, dev[1] + 2 * o, 144, width, 40, hipMemcpyDeviceToDevice));
            NEED(hipMemcpy2D(dev[1] + 100000 + o, 112, host.data(), 101, width, 9, hipMemcpyHostToDevice));
            NEED(hipMemcpy2D(pinned, 100, dev[1] + 2 * o, 144, width, 40, hipMemcpyDeviceToHost));
            for (size_t y = 0; y < 40; y++) {
                memcpy(&want[0][o + y * 128], &want[1][2 * o + y * 144], width);
                bad += memcmp(pinned + y * 100, &want[1][2 * o + y * 144], width) != 0;
            }
            for (size_t y = 0; y < 9; y++)
                memcpy(&want[1][100000 + o + y * 112], &host[y * 101], width);
        }
    check("memcpy2D", 5, 3, 40);
    renew(6);
    for (size_t width : {3, 32, 80}) {
        hipMemcpy3DParms q = {};
        q.srcPtr = make_hipPitchedPtr(dev[1], 96, 96, 11);
        q.dstPtr = make_hipPitchedPtr(dev[0], 80, 80, 13);
        q.srcPos = make_hipPos(width == 32 ? 4 : 1, 1, 1);
        q.dstPos = make_hipPos(0, 2, 1);
        q.extent = make_hipExtent(width, 9, 6);
        q.kind = hipMemcpyDeviceToDevice;
        NEED(hipMemcpy3D(&q));
        for (size_t z = 0; z < 6; z++)
            for (size_t y = 0; y < 9; y++)
                memcpy(&want[0][((z + 1) * 13 + y + 2) * 80], &want[1][((z + 1) * 11 + y + 1) * 96 + q.srcPos.x], width);
    }
    check("memcpy3D", 3, 9, 6);
}

static void streams()
{
    hipStream_t s;
    uint64_t v64 = 0x123456789abcdef0ull;

    NEED(hipStreamCreate(&s));
    if (hipStreamWriteValue32(s, dev[0] + 16, 0xfeedf00d, 0) != hipSuccess) {
        printf("no stream operations\n");
        return;
    }
    NEED(hipStreamWriteValue64(s, dev[0] + 32, v64, 0));
    NEED(hipStreamWaitValue32(s, dev[0] + 16, 0xfeedf00d, hipStreamWaitValueEq, 0xffffffff));
    NEED(hipStreamWaitValue64(s, dev[0] + 32, v64 - 1, hipStreamWaitValueGte, ~0ull));
    NEED(hipStreamSynchronize(s));
    uint32_t v32 = 0xfeedf00d;
    memcpy(&want[0][16], &v32, 4);
    memcpy(&want[0][32], &v64, 8);
    check("stream values", 32, 64, 0);
}

int main()
{
    for (int k = 0; k < 2; k++) {
        NEED(hipMalloc((void **)&dev[k], BYTES));
        want[k].resize(BYTES);
    }
    for (size_t j = 0; j < BYTES; j++)
        host[j] = (uint8_t)(j * 13 + (j >> 7));
    renew(1);
    NEED(hipHostMalloc((void **)&pinned, BYTES, 0));
    fills();
    renew(4);
    copies();
    renew(7);
    streams();
    printf("%s\n", bad ? "bad" : "good");
    return bad != 0;
}
