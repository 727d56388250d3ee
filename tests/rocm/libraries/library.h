/* What the programs of libraries share: they compare what a library computes on the GPU with the CPU, and end with 1.
 */
#ifndef TESTS_ROCM_LIBRARY_H
#define TESTS_ROCM_LIBRARY_H

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/* For hip and all libraries: 0 is success. */
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int status_ = (int)(call);                                                                                     \
        if (status_) {                                                                                                 \
            printf("%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

template <class T> struct on_device {
    T *p = nullptr;
    size_t n;

    explicit on_device(size_t count) : n(count)
    {
        OK(hipMalloc((void **)&p, (n ? n : 1) * sizeof(T)));
    }
    explicit on_device(const std::vector<T> &from) : on_device(from.size())
    {
        OK(hipMemcpy(p, from.data(), n * sizeof(T), hipMemcpyHostToDevice));
    }
    on_device(const on_device &) = delete;
    ~on_device()
    {
        (void)hipFree(p);
    }
    std::vector<T> get() const
    {
        std::vector<T> to(n);
        OK(hipMemcpy(to.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
        return to;
    }
    operator T *() const
    {
        return p;
    }
};

/* Numbers that look random: the same in each run. */
inline uint32_t next_number(uint32_t &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Element by element; `allowed` is relative to the larger of 1 and the expected value. */
template <class T>
void expect_same(const char *what, const std::vector<T> &got, const std::vector<T> &want, double allowed)
{
    bool same = got.size() == want.size();

    if (!same)
        printf("%s: %zu elements, expected %zu\n", what, got.size(), want.size());
    for (size_t k = 0; same && k < got.size(); k++) {
        double g = (double)got[k], w = (double)want[k];
        if (!(std::fabs(g - w) <= allowed * std::fmax(1, std::fabs(w)))) {
            printf("%s[%zu]: %.17g, expected %.17g\n", what, k, g, w);
            same = false;
        }
    }
    if (!same)
        exit(1);
    printf("%s: ok\n", what);
}

#endif
