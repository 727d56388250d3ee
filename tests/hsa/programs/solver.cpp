// A loop of kernels, as solvers and training have it, for --sample kernels: solver ITERATIONS [ROWS].
//   spmv     a sparse matrix of 3 to 9 elements a row
//   axpy     twice, of other vectors
//   dot      a sum over workgroups, with an atomic at its end
//   steps    executes twice as much in each fourth iteration: two clusters of one class
//   front    of more and more work-items, as a breadth-first search has them, in a grid that stays
// Prints what the vectors come to, so that who leaves out a dispatch is found.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

__global__ void spmv(const int *first, const int *column, const float *value, const float *x, float *y, int rows)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0;

    if (row >= rows)
        return;
    for (int k = first[row]; k < first[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

__global__ void axpy(float a, const float *x, float *y, int rows)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k < rows)
        y[k] = a * x[k] + 0.5f * y[k];
}

__global__ void dot(const float *x, const float *y, unsigned long long *sum, int rows)
{
    __shared__ float part[256];
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x), t = (int)threadIdx.x;

    part[t] = k < rows ? x[k] * y[k] : 0;
    __syncthreads();
    for (int n = 128; n > 0; n /= 2) {
        if (t < n)
            part[t] += part[t + n];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(sum, (unsigned long long)(long long)(part[0] * 1024));
}

__global__ void steps(float *x, int rows, int count)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float v = k < rows ? x[k] : 0;

    for (int n = 0; n < count; n++)
        v = v * 0.999f + 0.001f;
    if (k < rows)
        x[k] = v;
}

__global__ void front(float *x, int reached)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k < reached)
        x[k] += 1;
}

template <typename T> static T *device(const std::vector<T> &from)
{
    T *to = nullptr;

    CHECK(hipMalloc(reinterpret_cast<void **>(&to), from.size() * sizeof(T)));
    CHECK(hipMemcpy(to, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice));
    return to;
}

int main(int argc, char **argv)
{
    int iterations = argc > 1 ? atoi(argv[1]) : 16, rows = argc > 2 ? atoi(argv[2]) : 16384;
    std::vector<int> first(1, 0), column;
    std::vector<float> value, x(rows), zeros(rows, 0);
    unsigned state = 1;

    for (int row = 0; row < rows; row++) {
        for (int k = 0; k < 3 + row % 7; k++) {
            state = state * 1664525 + 1013904223;
            column.push_back((int)((state >> 8) % (unsigned)rows));
            value.push_back(0.1f);
        }
        first.push_back((int)column.size());
        x[row] = (float)(row % 17) / 16;
    }
    int *d_first = device(first), *d_column = device(column);
    float *d_value = device(value), *d_x = device(x), *d_y = device(zeros), *d_z = device(zeros);
    unsigned long long *d_sum = device(std::vector<unsigned long long>(1, 0)), sum = 0;
    dim3 grid((unsigned)(rows + 255) / 256), block(256);

    for (int n = 0; n < iterations; n++) {
        spmv<<<grid, block>>>(d_first, d_column, d_value, d_x, d_y, rows);
        dot<<<grid, block>>>(d_x, d_y, d_sum, rows);
        axpy<<<grid, block>>>(0.25f, d_y, d_x, rows);
        axpy<<<grid, block>>>(0.125f, d_x, d_z, rows);
        steps<<<grid, block>>>(d_z, rows, n % 4 == 3 ? 128 : 64);
        front<<<grid, block>>>(d_z, (int)((long long)rows * (n + 1) / iterations));
    }
    CHECK(hipMemcpy(&sum, d_sum, sizeof sum, hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(x.data(), d_z, x.size() * sizeof(float), hipMemcpyDeviceToHost));
    double all = 0;
    for (float v : x)
        all += v;
    printf("dot %llu, sum %.3f\n", sum, all);
    return 0;
}
