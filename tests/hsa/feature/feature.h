/* A HIP program that says of each feature of the language runtime whether it works: a section each, which compares what
 * the GPU did with what the CPU computes. Sections register themselves; main.hip runs those that it is asked to.
 */
#ifndef TESTS_HSA_FEATURE_H
#define TESTS_HSA_FEATURE_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

struct section {
    const char *name;
    int devices; /* it needs so many GPUs */
    void (*run)();
    section *next;
    section(const char *name, int devices, void (*run)());
};

/* Ends the section: what was wrong, and where. */
[[noreturn]] void wrong(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define SECTION_FOR(devices, name)                                                                                     \
    static void run_##name();                                                                                          \
    static section section_##name(#name, devices, run_##name);                                                         \
    static void run_##name()
#define SECTION(name) SECTION_FOR(1, name)

#define WRONG(...) wrong(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            WRONG("not so: %s", #condition);                                                                           \
    } while (0)
#define RETURNS(code, call)                                                                                            \
    do {                                                                                                               \
        hipError_t got_ = (call);                                                                                      \
        if (got_ != (code))                                                                                            \
            WRONG("%s: %s, expected %s", #call, hipGetErrorName(got_), #code);                                         \
    } while (0)
#define OK(call) RETURNS(hipSuccess, call)
/* of a launch by <<<>>> */
#define LAUNCHED() OK(hipGetLastError())
#define SAME(got, want)                                                                                                \
    do {                                                                                                               \
        long long got_ = (long long)(got), want_ = (long long)(want);                                                  \
        if (got_ != want_)                                                                                             \
            WRONG("%s: %lld, expected %lld (%s)", #got, got_, want_, #want);                                           \
    } while (0)

/* Memory of the device that goes with the scope. */
template <class T> struct on_device {
    T *p = nullptr;
    size_t n;

    explicit on_device(size_t count) : n(count)
    {
        OK(hipMalloc((void **)&p, n * sizeof(T)));
        OK(hipMemset(p, 0, n * sizeof(T)));
    }
    explicit on_device(const std::vector<T> &from) : n(from.size())
    {
        OK(hipMalloc((void **)&p, n * sizeof(T)));
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

/* Compares element by element. */
template <class T>
void compare(const char *file, int line, const char *what, const std::vector<T> &got, const std::vector<T> &want)
{
    if (got.size() != want.size())
        wrong(file, line, "%s: %zu elements, expected %zu", what, got.size(), want.size());
    for (size_t k = 0; k < got.size(); k++)
        if (!(got[k] == want[k]))
            wrong(file, line, "%s[%zu]: %.17g, expected %.17g", what, k, (double)got[k], (double)want[k]);
}
#define EQUAL(got, want) compare(__FILE__, __LINE__, #got, got, want)

/* A stream that goes with the scope. */
struct stream {
    hipStream_t s = nullptr;
    explicit stream(unsigned flags = hipStreamDefault)
    {
        OK(hipStreamCreateWithFlags(&s, flags));
    }
    stream(const stream &) = delete;
    ~stream()
    {
        (void)hipStreamDestroy(s);
    }
    operator hipStream_t() const
    {
        return s;
    }
};

/* 0, 1, 2, ... times `factor`, plus `first`. */
template <class T> std::vector<T> ramp(size_t n, T first = 0, T factor = 1)
{
    std::vector<T> v(n);
    for (size_t k = 0; k < n; k++)
        v[k] = (T)(first + (T)k * factor);
    return v;
}

#endif
