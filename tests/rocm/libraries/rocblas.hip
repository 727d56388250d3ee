/* rocBLAS: vectors, a matrix times a vector, and matrix products of two types, with sizes that fill no tile. */
#include "library.h"

#include <rocblas/rocblas.h>

template <class T> static std::vector<T> numbers(size_t n, uint32_t seed)
{
    std::vector<T> v(n);

    for (T &x : v)
        x = (T)((double)(next_number(seed) % 2001) / 1000 - 1);
    return v;
}

template <class T, class F> static void gemm(const char *what, rocblas_handle handle, F call, double allowed)
{
    const int m = 133, n = 70, k = 95;
    const T alpha = 2, beta = (T)0.5;
    std::vector<T> a = numbers<T>((size_t)k * m, 3), b = numbers<T>((size_t)k * n, 4), c = numbers<T>((size_t)m * n, 5),
                   want(c);
    on_device<T> d_a(a), d_b(b), d_c(c);

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) { /* A is transposed */
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a[(size_t)i * k + l] * (double)b[(size_t)j * k + l];
            want[(size_t)j * m + i] = (T)(alpha * sum + beta * (double)c[(size_t)j * m + i]);
        }
    OK(call(handle, rocblas_operation_transpose, rocblas_operation_none, m, n, k, &alpha, d_a.p, k, d_b.p, k, &beta, d_c.p,
            m));
    expect_same(what, d_c.get(), want, allowed);
}

int main()
{
    const int n = 3001, m = 301;
    rocblas_handle handle;
    std::vector<double> x = numbers<double>(n, 1), y = numbers<double>(n, 2), a = numbers<double>((size_t)m * n, 6);
    on_device<double> d_x(x), d_y(y), d_a(a);
    const double alpha = 1.5, beta = -1;
    double dot = 0, got = 0;

    OK(rocblas_create_handle(&handle));
    for (int k = 0; k < n; k++)
        dot += x[k] * y[k];
    OK(rocblas_ddot(handle, n, d_x, 1, d_y, 1, &got));
    expect_same("ddot", std::vector<double>{got}, {dot}, 1e-12);
    OK(rocblas_daxpy(handle, n, &alpha, d_x, 1, d_y, 1));
    for (int k = 0; k < n; k++)
        y[k] += alpha * x[k];
    expect_same("daxpy", d_y.get(), y, 1e-14);
    OK(rocblas_dgemv(handle, rocblas_operation_none, m, n, &alpha, d_a, m, d_x, 1, &beta, d_y, 1));
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[(size_t)k * m + i] * x[k];
        y[i] = alpha * sum + beta * y[i];
    }
    expect_same("dgemv", d_y.get(), y, 1e-12);
    gemm<float>("sgemm", handle, rocblas_sgemm, 1e-5);
    gemm<double>("dgemm", handle, rocblas_dgemm, 1e-13);
    OK(rocblas_destroy_handle(handle));
    return 0;
}
