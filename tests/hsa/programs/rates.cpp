/* How often a program can do what is small: launches of an empty kernel, copies of 64 bytes in each direction, fills; each
 * as a line "name per-second". Arguments: how many of each, and the names of those to do (all without). */
#include <hip/hip_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

static void need(hipError_t e, const char *what)
{
    if (e != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorName(e));
        exit(2);
    }
}
#define NEED(call) need(call, #call)

__global__ void empty() {}

static char **names;
static int count, name_count;

static void rate(const char *name, const std::function<void()> &once)
{
    bool wanted = !name_count;

    for (int k = 0; k < name_count; k++)
        wanted |= !strcmp(names[k], name);
    if (!wanted)
        return;
    once(); /* what the first one sets up is not of the rate */
    NEED(hipDeviceSynchronize());
    auto from = std::chrono::steady_clock::now();
    for (int k = 0; k < count; k++)
        once();
    NEED(hipDeviceSynchronize());
    std::chrono::duration<double> s = std::chrono::steady_clock::now() - from;
    printf("%s %.0f\n", name, count / s.count());
}

int main(int argc, char **argv)
{
    char *a, *b, host[64] = {0};

    count = argc > 1 ? atoi(argv[1]) : 1000;
    names = argv + 2;
    name_count = argc > 2 ? argc - 2 : 0;
    NEED(hipMalloc((void **)&a, 4096));
    NEED(hipMalloc((void **)&b, 4096));
    rate("launch", [] { empty<<<1, 64>>>(); });
    rate("launch_wait", [] {
        empty<<<1, 64>>>();
        NEED(hipDeviceSynchronize());
    });
    rate("to_device", [&] { NEED(hipMemcpy(a, host, 64, hipMemcpyHostToDevice)); });
    rate("to_host", [&] { NEED(hipMemcpy(host, a, 64, hipMemcpyDeviceToHost)); });
    rate("on_device", [&] { NEED(hipMemcpy(b, a, 64, hipMemcpyDeviceToDevice)); });
    rate("fill", [&] { NEED(hipMemset(a, 1, 64)); });
    return 0;
}
