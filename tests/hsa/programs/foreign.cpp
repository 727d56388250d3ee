// A kernel whose name, and whose source's, would command a terminal: ESC ] 0 ; ... BEL sets a title, U+009B begins other
// commands. With an argument it writes to nowhere.
#include <hip/hip_runtime.h>

__global__ void named(int *p, int n) asm("k\x1b]0;owned\x07\xc2\x9b");
#line 7 "odd\x1b]0;owned\x07.cpp"
__global__ void named(int *p, int n)
{
    p[threadIdx.x] += n;
    if (n == 7)
        p[1ull << 40] = 1;
}

int main(int argc, char **)
{
    int *p;

    if (hipMalloc((void **)&p, 256) != hipSuccess)
        return 2;
    named<<<1, 64>>>(p, argc > 1 ? 7 : 1);
    return hipDeviceSynchronize() != hipSuccess;
}
