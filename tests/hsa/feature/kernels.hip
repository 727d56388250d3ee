/* Sections: what a kernel finds when it begins, and what code of the device can do. */
#include "feature.h"

#include <cassert>

#include <algorithm>
#include <set>

#include <unistd.h>

extern "C" __device__ __attribute__((const)) size_t __ockl_get_global_id(unsigned);

struct place {
    unsigned block[3], thread[3], blocks[3], threads[3];
    unsigned long long global[3];
};

__global__ void tell_place(place *out, unsigned long long *hidden)
{
    unsigned in = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned which = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    place *p = out + which * (blockDim.x * blockDim.y * blockDim.z) + in;

    p->block[0] = blockIdx.x, p->block[1] = blockIdx.y, p->block[2] = blockIdx.z;
    p->thread[0] = threadIdx.x, p->thread[1] = threadIdx.y, p->thread[2] = threadIdx.z;
    p->blocks[0] = gridDim.x, p->blocks[1] = gridDim.y, p->blocks[2] = gridDim.z;
    p->threads[0] = blockDim.x, p->threads[1] = blockDim.y, p->threads[2] = blockDim.z;
    for (unsigned d = 0; d < 3; d++)
        p->global[d] = __ockl_get_global_id(d);
    if (which == 0 && in < 7)
        hidden[in] = ((const unsigned long long *)__builtin_amdgcn_implicitarg_ptr())[in];
}

/* Hidden arguments of code object version 4 begin with the three global offsets; of version 5 with counts and sizes. */
static void hidden_arguments(const std::vector<unsigned long long> &q, dim3 blocks, dim3 threads)
{
    uint32_t counts[4];
    uint16_t sizes[6];

    memcpy(counts, q.data(), 12);
    memcpy(sizes, (const char *)q.data() + 12, 12);
    if (q[0] == 0 && q[1] == 0 && q[2] == 0)
        return;
    EXPECT(counts[0] == blocks.x && counts[1] == blocks.y && counts[2] == blocks.z);
    EXPECT(sizes[0] == threads.x && sizes[1] == threads.y && sizes[2] == threads.z);
    EXPECT(sizes[3] == 0 && sizes[4] == 0 && sizes[5] == 0 && q[5] == 0 && q[6] == 0);
}

SECTION(arguments)
{
    static const dim3 shapes[][2] = {{{1, 1, 1}, {1, 1, 1}}, {{3, 2, 2}, {5, 3, 2}}, {{7, 1, 3}, {65, 2, 1}}};

    for (const auto &s : shapes) {
        const dim3 b = s[0], t = s[1];
        on_device<place> out((size_t)b.x * b.y * b.z * t.x * t.y * t.z);
        on_device<unsigned long long> hidden(7);
        tell_place<<<b, t>>>(out, hidden);
        LAUNCHED();
        const place *p;
        std::vector<place> got = out.get();
        p = got.data();
        for (unsigned bz = 0; bz < b.z; bz++)
            for (unsigned by = 0; by < b.y; by++)
                for (unsigned bx = 0; bx < b.x; bx++)
                    for (unsigned tz = 0; tz < t.z; tz++)
                        for (unsigned ty = 0; ty < t.y; ty++)
                            for (unsigned tx = 0; tx < t.x; tx++, p++) {
                                place want = {{bx, by, bz},
                                              {tx, ty, tz},
                                              {b.x, b.y, b.z},
                                              {t.x, t.y, t.z},
                                              {bx * t.x + tx, by * t.y + ty, bz * t.z + tz}};
                                EXPECT(!memcmp(p, &want, sizeof want));
                            }
        if (t.x * t.y * t.z >= 7)
            hidden_arguments(hidden.get(), b, t);
    }
}

struct wide { /* by value, with holes and of every size */
    char c;
    short s;
    int i;
    double d;
    float f[37];
    long long l;
};

__global__ void sum_of_arguments(wide w, char a, double b, short c, const float *d, unsigned char e, double *out)
{
    double sum = w.c + w.s + w.i + w.d + w.l + a + b + c + d[2] + e;
    for (float x : w.f)
        sum += x;
    *out = sum;
}

SECTION(arguments_by_value)
{
    wide w = {-1, 300, 70000, 0.25, {}, 1ll << 40};
    on_device<double> out(1);
    on_device<float> d(ramp<float>(3, 0.5f));
    double want = -1 + 300 + 70000 + 0.25 + (double)(1ll << 40) - 3 + 0.125 - 500 + 2.5 + 200;

    for (int k = 0; k < 37; k++)
        want += w.f[k] = (float)k;
    sum_of_arguments<<<1, 1>>>(w, -3, 0.125, -500, d, 200, out);
    LAUNCHED();
    EQUAL(out.get(), std::vector<double>(1, want));
}

/* ---- LDS ---- */

__global__ void reverse_blocks(const int *in, int *out, int n)
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[3];
    int k = (int)threadIdx.x;

    if (k < 3)
        fixed[k] = (int)blockIdx.x + k;
    dynamic[k] = in[blockIdx.x * n + k];
    __syncthreads();
    out[blockIdx.x * n + k] = dynamic[n - 1 - k] + fixed[k % 3];
}

SECTION(lds)
{
    for (int n : {64, 300, 1024}) {
        std::vector<int> in = ramp<int>(4 * n), want(4 * n);
        on_device<int> from(in), to(4 * n);
        for (int b = 0; b < 4; b++)
            for (int k = 0; k < n; k++)
                want[b * n + k] = in[b * n + n - 1 - k] + b + k % 3;
        reverse_blocks<<<4, n, n * sizeof(int)>>>(from, to, n);
        LAUNCHED();
        EQUAL(to.get(), want);
    }
    /* nearly all that there is; and more than there is */
    on_device<int> from(ramp<int>(256)), to(256);
    reverse_blocks<<<1, 256, 65536 - 1024>>>(from, to, 256);
    LAUNCHED();
    SAME(to.get()[0], 255);
    if (HIP_VERSION_MAJOR < 6) { /* HIP 6 leaves it to the queue, and then works no more */
        reverse_blocks<<<1, 256, 65536>>>(from, to, 256);
        EXPECT(hipGetLastError() != hipSuccess);
    }
}

/* ---- scratch ---- */

__device__ __noinline__ unsigned long long fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int deep(int n, int *caller)
{
    int own[8];

    for (int k = 0; k < 8; k++)
        own[k] = n + k + caller[k];
    return n == 0 ? own[3] : deep(n - 1, own) + own[n & 7];
}

static int deep_here(int n, const int *caller)
{
    int own[8];

    for (int k = 0; k < 8; k++)
        own[k] = n + k + caller[k];
    return n == 0 ? own[3] : deep_here(n - 1, own) + own[n & 7];
}

__global__ void use_stack(const int *index, unsigned long long *fib, int *sums, int *depths)
{
    int table[64], k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int first[8] = {k, 0, 0, 0, 0, 0, 0, 0};

    for (int i = 0; i < 64; i++)
        table[(i * 5 + k) & 63] = i * k;
    sums[k] = table[index[k] & 63] + table[index[k + 1] & 63];
    fib[k] = fibonacci((unsigned)k % 12);
    depths[k] = deep(k % 20, first);
}

SECTION(stack)
{
    enum { N = 192 };
    std::vector<int> index(N + 1), sums(N), depths(N);
    std::vector<unsigned long long> fib(N);

#if HIP_VERSION_MAJOR >= 6
    size_t bytes = 0;
    hipDeviceProp_t prop;
    OK(hipGetDeviceProperties(&prop, 0));
    if (!strncmp(prop.gcnArchName, "gfx8", 4))
        return; /* LLVM 21 gives recursive functions no implicit arguments, where gfx8 has the apertures */
    OK(hipDeviceSetLimit(hipLimitStackSize, 8192));
    OK(hipDeviceGetLimit(&bytes, hipLimitStackSize));
    SAME(bytes, 8192);
#endif
    for (int k = 0; k <= N; k++)
        index[k] = k * 29;
    for (int k = 0; k < N; k++) {
        int table[64], first[8] = {k, 0, 0, 0, 0, 0, 0, 0};
        unsigned long long a = 0, b = 1;
        for (int i = 0; i < 64; i++)
            table[(i * 5 + k) & 63] = i * k;
        sums[k] = table[index[k] & 63] + table[index[k + 1] & 63];
        for (int i = 0; i < k % 12; i++) {
            unsigned long long c = a + b;
            a = b;
            b = c;
        }
        fib[k] = a;
        depths[k] = deep_here(k % 20, first);
    }
    on_device<int> d_index(index), d_sums(N), d_depths(N);
    on_device<unsigned long long> d_fib(N);
    use_stack<<<3, 64>>>(d_index, d_fib, d_sums, d_depths);
    LAUNCHED();
    EQUAL(d_sums.get(), sums);
    EQUAL(d_fib.get(), fib);
    EQUAL(d_depths.get(), depths);
}

/* ---- services of the host ---- */

/* What is printed to standard output meanwhile. */
struct captured {
    FILE *file = tmpfile();
    int keep;
    captured()
    {
        fflush(stdout);
        keep = dup(1);
        EXPECT(file && keep >= 0 && dup2(fileno(file), 1) == 1);
    }
    std::vector<std::string> lines()
    {
        std::vector<std::string> all;
        char text[500];

        restore();
        rewind(file);
        while (fgets(text, sizeof text, file))
            all.push_back(text);
        std::sort(all.begin(), all.end());
        return all;
    }
    void restore()
    {
        fflush(stdout);
        if (keep >= 0) {
            dup2(keep, 1);
            close(keep);
        }
        keep = -1;
    }
    ~captured()
    {
        restore();
        fclose(file);
    }
};

__global__ void say(const char *word, double d)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;

    if (k % 3 == 0)
        printf("%03u %d %-6s| %.3f %#llx %c %% %e\n", k, -(int)k, "text", d * k, 0x123456789abcull + k, 'a' + k % 26,
               d);
    else if (k == 1)
        printf("no arguments\n");
    else if (k == 2)
        printf("%s %5.1f%s\n", word, (float)d, "end");
}

SECTION(print)
{
    enum { N = 150 };
    std::vector<std::string> want, got;
    char text[200];
    on_device<char> word(std::vector<char>{'w', 'o', 'r', 'd', 0});

    {
        captured c;
        say<<<3, 50>>>(word, 1.25);
        LAUNCHED();
        OK(hipDeviceSynchronize());
        got = c.lines();
    }
    for (unsigned k = 0; k < N; k += 3) {
        snprintf(text, sizeof text, "%03u %d %-6s| %.3f %#llx %c %% %e\n", k, -(int)k, "text", 1.25 * k,
                 0x123456789abcull + k, 'a' + k % 26, 1.25);
        want.push_back(text);
    }
    want.push_back("no arguments\n");
    snprintf(text, sizeof text, "%s %5.1f%s\n", "word", 1.25, "end");
    want.push_back(text);
    std::sort(want.begin(), want.end());
    SAME(got.size(), want.size());
    for (size_t k = 0; k < want.size(); k++)
        if (got[k] != want[k])
            WRONG("line \"%s\", expected \"%s\"", got[k].c_str(), want[k].c_str());
}

__global__ void take(int **kept)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, n = 4 + k % 37;
    int *p = (int *)malloc(n * sizeof(int)), *short_lived = (int *)malloc(100);

    if (short_lived) {
        short_lived[3] = (int)k;
        free(short_lived);
    }
    kept[k] = p;
    if (p)
        for (unsigned i = 0; i < n; i++)
            p[i] = (int)(k * 100 + i);
}

__global__ void give_back(int **kept, int *sums)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, n = 4 + k % 37;
    int sum = 0;

    for (unsigned i = 0; kept[k] && i < n; i++)
        sum += kept[k][i];
    sums[k] = sum;
    free(kept[k]);
}

SECTION(allocate)
{
    enum { N = 256 };
    on_device<int *> kept(N);
    on_device<int> sums(N);
    std::vector<int> want(N);

    take<<<4, 64>>>(kept);
    LAUNCHED();
    give_back<<<4, 64>>>(kept, sums);
    LAUNCHED();
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 4 + k % 37; i++)
            want[k] += k * 100 + i;
    EQUAL(sums.get(), want);
    std::vector<int *> p = kept.get();
    SAME(std::set<int *>(p.begin(), p.end()).size(), N);
}

/* ---- languages ---- */

template <class F> __global__ void apply(int *out, F f)
{
    out[threadIdx.x] = f((int)threadIdx.x);
}

template <class T, int N> struct polynomial {
    T c[N];
    __host__ __device__ T operator()(T x) const
    {
        T sum = 0;
        for (int k = N - 1; k >= 0; k--)
            sum = sum * x + c[k];
        return sum;
    }
};

struct shape {
    __device__ virtual int area() const = 0;
};
struct square : shape {
    int a;
    __device__ square(int a) : a(a)
    {
    }
    __device__ int area() const override
    {
        return a * a;
    }
};
struct strip : shape {
    int a;
    __device__ strip(int a) : a(a)
    {
    }
    __device__ int area() const override
    {
        return 3 * a;
    }
};

__global__ __launch_bounds__(64) void indirect(int *out)
{
    int k = (int)threadIdx.x;
    square s(k);
    strip t(k);
    const shape *p = k % 2 ? (const shape *)&s : &t;

    out[k] = p->area();
}

__global__ __launch_bounds__(1024, 1) void all_of_a_workgroup(int *out)
{
    __shared__ int sum;

    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = sum;
}

SECTION(language)
{
    on_device<int> out(1024);
    polynomial<int, 3> p = {{7, -2, 5}};
    std::vector<int> got, want(64);
    int add = 11;

    apply<<<1, 64>>>(out, p);
    LAUNCHED();
    got = out.get();
    for (int k = 0; k < 64; k++)
        SAME(got[k], p(k));
    apply<<<1, 64>>>(out, [add] __device__(int k) { return k * add; });
    LAUNCHED();
    got = out.get();
    for (int k = 0; k < 64; k++)
        SAME(got[k], k * add);
    indirect<<<1, 64>>>(out);
    LAUNCHED();
    got = out.get();
    for (int k = 0; k < 64; k++)
        SAME(got[k], k % 2 ? k * k : 3 * k);
    all_of_a_workgroup<<<1, 1024>>>(out);
    LAUNCHED();
    EQUAL(out.get(), std::vector<int>(1024, 1023 * 512));
}

/* ---- kernels that end badly, in programs of their own ---- */

__global__ void asserts(const int *p)
{
    assert(p[threadIdx.x] < 40 && "a value of the device");
}

void kernel_that_asserts()
{
    on_device<int> d(ramp<int>(64));

    asserts<<<1, 64>>>(d);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    WRONG("an assertion of the device passed");
}

__global__ void faults(int *p, int far)
{
    p[threadIdx.x == 5 ? far : (int)threadIdx.x] = 1;
}

void kernel_that_faults()
{
    on_device<int> d(64);

    faults<<<1, 64>>>(d, 1 << 28);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    WRONG("a store to nowhere passed");
}
