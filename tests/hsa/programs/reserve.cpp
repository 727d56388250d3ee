/* 24 GiB of device memory in three allocations, of which a kernel, a fill and two copies touch 3 MiB; says by how much
 * the process has grown. */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static void need(hipError_t e, const char *what)
{
    if (e != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorName(e));
        exit(2);
    }
}
#define NEED(call) need(call, #call)

__global__ void touch(char *p, size_t from)
{
    p[from + (blockIdx.x * blockDim.x + threadIdx.x) * 16] = 1;
}

static long resident_kib()
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (!f || fscanf(f, "%*s %ld", &pages) != 1)
        exit(3);
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void use(char *p, size_t at)
{
    static char host[4096];

    touch<<<256, 256>>>(p, at); /* 1 MiB */
    NEED(hipMemset(p + 2 * at, 2, 1 << 20));
    NEED(hipMemcpy(p + 3 * at, p + 2 * at, 1 << 20, hipMemcpyDeviceToDevice));
    NEED(hipMemcpy(host, p + 3 * at, sizeof host, hipMemcpyDeviceToHost));
}

int main()
{
    char *p[3], *small;

    NEED(hipMalloc((void **)&small, 32 << 20));
    use(small, 4 << 20); /* what the first of each sets up is not of the memory */
    NEED(hipFree(small));
    long before = resident_kib();
    for (auto &one : p)
        NEED(hipMalloc((void **)&one, (size_t)8 << 30));
    use(p[1], (size_t)1 << 30);
    printf("24 GiB take %ld KiB\n", resident_kib() - before);
    return 0;
}
