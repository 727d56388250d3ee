// Memory with a pitch in two and three dimensions, which HIP up to 5 has only for devices with images.
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

__global__ void number(char *at, size_t pitch, size_t slice, int width)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;

    if (x < width)
        ((int *)(at + z * slice + y * pitch))[x] = x + 100 * y + 10000 * z;
}

int main()
{
    enum { WIDTH = 37, HEIGHT = 11, DEPTH = 5 };
    std::vector<int> got(WIDTH * HEIGHT * DEPTH, -1);
    hipPitchedPtr volume;
    hipMemcpy3DParms copy = {};
    void *plane = nullptr;
    size_t pitch = 0;
    int wrong = 0;

    if (hipMallocPitch(&plane, &pitch, WIDTH * sizeof(int), HEIGHT) || pitch < WIDTH * sizeof(int))
        return 2;
    number<<<HEIGHT, 64>>>((char *)plane, pitch, 0, WIDTH);
    if (hipMemcpy2D(got.data(), WIDTH * sizeof(int), plane, pitch, WIDTH * sizeof(int), HEIGHT, hipMemcpyDeviceToHost))
        return 3;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        wrong += got[k] != k % WIDTH + 100 * (k / WIDTH);
    if (hipMalloc3D(&volume, make_hipExtent(WIDTH * sizeof(int), HEIGHT, DEPTH)))
        return 4;
    number<<<dim3(HEIGHT, DEPTH), 64>>>((char *)volume.ptr, volume.pitch, volume.pitch * HEIGHT, WIDTH);
    copy.srcPtr = volume;
    copy.dstPtr = make_hipPitchedPtr(got.data(), WIDTH * sizeof(int), WIDTH, HEIGHT);
    copy.extent = make_hipExtent(WIDTH * sizeof(int), HEIGHT, DEPTH);
    copy.kind = hipMemcpyDeviceToHost;
    if (hipMemcpy3D(&copy))
        return 5;
    for (int k = 0; k < WIDTH * HEIGHT * DEPTH; k++)
        wrong += got[k] != k % WIDTH + 100 * (k / WIDTH % HEIGHT) + 10000 * (k / (WIDTH * HEIGHT));
    puts(wrong ? "bad" : "good");
    return wrong != 0;
}
