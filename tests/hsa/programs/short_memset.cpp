/* A fill that ends in front of the next multiple of 8 bytes: of such a one HIP 5.2 takes the size for negative, and has
 * its kernel write far behind the buffer. */
#include <hip/hip_runtime.h>

int main()
{
    char *d;

    if (hipMalloc((void **)&d, 4096) || hipMemset(d + 1, 1, 2))
        return 3;
    return hipDeviceSynchronize() != hipSuccess;
}
