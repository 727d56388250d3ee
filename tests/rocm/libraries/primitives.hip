/* rocPRIM, and with -DWITH_HIPCUB and -DWITH_ROCTHRUST what is built on it: scan, sort, reduction, selection. */
#include "library.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <rocprim/rocprim.hpp>
#ifdef WITH_HIPCUB
#include <hipcub/hipcub.hpp>
#endif
#ifdef WITH_ROCTHRUST
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#endif

static const size_t N = 70001;

/* Called twice, as these libraries want it: for the size of their buffer, and for the work. */
template <class F> static void with_buffer(F f)
{
    size_t bytes = 0;

    OK(f(nullptr, bytes));
    on_device<char> buffer(bytes);
    OK(f(buffer.p, bytes));
    OK(hipDeviceSynchronize());
}

struct odd {
    __host__ __device__ bool operator()(const unsigned &v) const
    {
        return v & 1;
    }
};

int main()
{
    std::vector<unsigned> in(N), place(N), want(N);
    uint32_t state = 7;

    for (unsigned &v : in)
        v = next_number(state) % 60000;
    std::iota(place.begin(), place.end(), 0u);
    std::vector<unsigned> order(place), sorted(in), odds;
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return in[a] < in[b]; });
    std::sort(sorted.begin(), sorted.end());
    std::copy_if(in.begin(), in.end(), std::back_inserter(odds), odd());
    const unsigned sum = std::accumulate(in.begin(), in.end(), 0u);
    on_device<unsigned> d_in(in), d_place(place), d_out(N), d_order(N), d_one(1);

    with_buffer([&](void *b, size_t &n) { return rocprim::exclusive_scan(b, n, d_in.p, d_out.p, 5u, N); });
    unsigned running = 5;
    for (size_t k = 0; k < N; k++) {
        want[k] = running;
        running += in[k];
    }
    expect_same("rocprim exclusive_scan", d_out.get(), want, 0);
    with_buffer([&](void *b, size_t &n) {
        return rocprim::radix_sort_pairs(b, n, d_in.p, d_out.p, d_place.p, d_order.p, N);
    });
    expect_same("rocprim radix_sort_pairs, keys", d_out.get(), sorted, 0);
    expect_same("rocprim radix_sort_pairs, values", d_order.get(), order, 0);
    with_buffer([&](void *b, size_t &n) {
        return rocprim::reduce(b, n, d_in.p, d_one.p, N, rocprim::plus<unsigned>());
    });
    expect_same("rocprim reduce", d_one.get(), {sum}, 0);
#ifdef WITH_HIPCUB
    with_buffer([&](void *b, size_t &n) { return hipcub::DeviceScan::InclusiveSum(b, n, d_in.p, d_out.p, (int)N); });
    std::partial_sum(in.begin(), in.end(), want.begin());
    expect_same("hipcub InclusiveSum", d_out.get(), want, 0);
    with_buffer([&](void *b, size_t &n) { return hipcub::DeviceRadixSort::SortKeys(b, n, d_in.p, d_out.p, (int)N); });
    expect_same("hipcub SortKeys", d_out.get(), sorted, 0);
    with_buffer([&](void *b, size_t &n) { return hipcub::DeviceReduce::Max(b, n, d_in.p, d_one.p, (int)N); });
    expect_same("hipcub Max", d_one.get(), {sorted.back()}, 0);
    with_buffer([&](void *b, size_t &n) {
        return hipcub::DeviceSelect::If(b, n, d_in.p, d_out.p, d_one.p, (int)N, odd());
    });
    expect_same("hipcub If, count", d_one.get(), {(unsigned)odds.size()}, 0);
    std::vector<unsigned> some = d_out.get();
    some.resize(odds.size());
    expect_same("hipcub If", some, odds, 0);
#endif
#ifdef WITH_ROCTHRUST
    thrust::device_vector<unsigned> v(in.begin(), in.end());
    std::vector<unsigned> back(N);
    thrust::sort(v.begin(), v.end());
    thrust::copy(v.begin(), v.end(), back.begin());
    expect_same("thrust sort", back, sorted, 0);
    expect_same("thrust reduce", std::vector<unsigned>{thrust::reduce(v.begin(), v.end())}, {sum}, 0);
    thrust::transform(v.begin(), v.end(), v.begin(), thrust::negate<unsigned>());
    thrust::copy(v.begin(), v.end(), back.begin());
    for (unsigned &s : sorted)
        s = 0u - s;
    expect_same("thrust transform", back, sorted, 0);
#endif
    return 0;
}
