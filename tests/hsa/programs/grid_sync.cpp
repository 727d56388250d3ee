// Cooperative launches one behind the other: the language runtime initialises global wave sync by a kernel of its own
// in front of each.
#include <hip/hip_runtime.h>

#include <hip/hip_cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

#include "check.h"

__global__ void pass_on(int *x, int rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;

    for (int n = 0; n < rounds; n++) {
        int next = x[(k + blockDim.x) % all];
        grid.sync();
        x[k] = next + 1;
        grid.sync();
    }
}

int main()
{
    const int items = 1024;
    int rounds = 3, *x, first;

    CHECK(hipMalloc(&x, items * sizeof *x));
    CHECK(hipMemset(x, 0, items * sizeof *x));
    for (int n = 0; n < 40; n++) {
        // another number of waves now and then
        void *args[] = {&x, &rounds};
        CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(pass_on), dim3(n % 5 == 4 ? 4 : 8), dim3(128),
                                         args, 0, nullptr));
    }
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(&first, x, sizeof first, hipMemcpyDeviceToHost));
    std::printf("%d\n", first);
    return 0;
}
