/* Sections: what lanes compute, alone, with one another, and in memory that others write, too. */
#include "feature.h"

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

#include <cmath>

/* ---- atomics ---- */

struct totals {
    int add, sub, min, max, inc, exchanged;
    unsigned dec, all_and, all_or, all_xor, by_cas;
    float real;
    unsigned long long wide, wide_max;
    double precise, by_cas_precise;
};

__device__ void add_by_cas(double *p, double v)
{
    unsigned long long seen = __double_as_longlong(*p), had;

    do {
        had = seen;
        seen = atomicCAS((unsigned long long *)p, had, __double_as_longlong(v + __longlong_as_double(had)));
    } while (seen != had);
}

__global__ void into_totals(totals *t)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    atomicAdd(&t->add, k);
    atomicSub(&t->sub, 2);
    atomicMin(&t->min, 50 - k);
    atomicMax(&t->max, k * 3);
    atomicInc((unsigned *)&t->inc, 99);
    atomicDec(&t->dec, 76);
    atomicAnd(&t->all_and, ~(1u << (k % 20)));
    atomicOr(&t->all_or, 1u << (k % 30));
    atomicXor(&t->all_xor, (unsigned)k * 0x9e3779b9u);
    atomicExch(&t->exchanged, 12);
    atomicAdd(&t->real, 0.5f);
    atomicAdd(&t->wide, 1ull << 33);
    atomicMax(&t->wide_max, (unsigned long long)k << 40);
    atomicAdd(&t->precise, 0.25);
    add_by_cas(&t->by_cas_precise, 0.125);
    for (unsigned had = t->by_cas, seen;; had = seen)
        if ((seen = atomicCAS(&t->by_cas, had, had + 3)) == had)
            break;
}

static void check_totals(const totals &t, int n)
{
    unsigned all_xor = 0;

    for (int k = 0; k < n; k++)
        all_xor ^= (unsigned)k * 0x9e3779b9u;
    SAME(t.add, n * (n - 1) / 2);
    SAME(t.sub, -2 * n);
    SAME(t.min, 50 - (n - 1));
    SAME(t.max, (n - 1) * 3);
    SAME(t.inc, n % 100);
    SAME(t.dec, (77 - n % 77) % 77);
    SAME(t.all_and, 0xfff00000u);
    SAME(t.all_or, 0x3fffffff);
    SAME(t.all_xor, all_xor);
    SAME(t.exchanged, 12);
    EXPECT(t.real == 0.5f * (float)n && t.precise == 0.25 * n && t.by_cas_precise == 0.125 * n);
    SAME(t.wide, (unsigned long long)n << 33);
    SAME(t.wide_max, (unsigned long long)(n - 1) << 40);
    SAME(t.by_cas, 3 * n);
}

SECTION(atomics)
{
    totals first = {}, *of_host;
    first.all_and = ~0u;
    on_device<totals> t(std::vector<totals>(1, first));

    into_totals<<<5, 100>>>(t);
    LAUNCHED();
    check_totals(t.get()[0], 500);
    OK(hipHostMalloc((void **)&of_host, sizeof *of_host, hipHostMallocCoherent));
    *of_host = first;
    into_totals<<<3, 64>>>(of_host);
    LAUNCHED();
    OK(hipDeviceSynchronize());
    check_totals(*of_host, 192);
    OK(hipHostFree(of_host));
}

__global__ void count_for_all(int *turns, float *sum, volatile int *mine, int n)
{
    for (int k = 0; k < n; k++) {
        atomicAdd_system(turns, 1);
        atomicAdd_system(sum, 1.0f);
    }
    *mine = 1;
    __threadfence_system();
}

/* Host and device add to the same words at the same time. */
SECTION(atomics_system)
{
    enum { N = 200 };
    int *p;
    int of_host = 0;

    OK(hipHostMalloc((void **)&p, 256, hipHostMallocCoherent));
    memset(p, 0, 256);
    count_for_all<<<1, 64>>>(p, (float *)(p + 1), p + 32, N);
    LAUNCHED();
    while (!__atomic_load_n(p + 32, __ATOMIC_ACQUIRE) || of_host < 1000) {
        __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
        of_host++;
    }
    OK(hipDeviceSynchronize());
    SAME(p[0], of_host + 64 * N);
    SAME(((float *)p)[1], 64 * N);
    OK(hipHostFree(p));
}

/* ---- lanes of a wave ---- */

struct crossed {
    int from, up, down, butterfly, in_sixteen, any, all, sum;
    unsigned long long ballot, bits;
    double wide;
};

__global__ void cross_lanes(crossed *out)
{
    int k = (int)threadIdx.x, lane = k % warpSize, v = k * k + 1;
    crossed *c = out + k;

    c->from = __shfl(v, 5);
    c->up = __shfl_up(v, 3);
    c->down = __shfl_down(v, 2);
    c->butterfly = __shfl_xor(v, 9);
    c->in_sixteen = __shfl(v, (lane + 3) % 16, 16);
    c->wide = __shfl_xor(0.5 * k, 1);
    c->any = __any(lane == 7);
    c->all = __all(lane < 31);
    c->ballot = __ballot(k % 3 == 0);
    c->sum = v;
    for (int d = warpSize / 2; d > 0; d /= 2)
        c->sum += __shfl_xor(c->sum, d);
    c->bits = (unsigned long long)__popcll(0x123456789abcdefull << (k % 8)) << 48 | (uint64_t)__clz(k + 1) << 40 |
              (uint64_t)__ffsll(1ull << lane) << 32 | __brev((unsigned)k) >> 8 << 8 | (__lane_id() & 63);
    if (k % 2) /* with half of the lanes */
        c->all += 10 * (int)__popcll(__ballot(1));
}

SECTION(lanes)
{
    hipDeviceProp_t prop;
    on_device<crossed> out(128);

    OK(hipGetDeviceProperties(&prop, 0));
    int wave = prop.warpSize;
    cross_lanes<<<1, 128>>>(out);
    LAUNCHED();
    std::vector<crossed> got = out.get();
    for (int k = 0; k < 128; k++) {
        auto v = [](int x) { return x * x + 1; };
        const crossed &c = got[k];
        int lane = k % wave, first = k - lane, sum = 0;
        unsigned long long ballot = 0;
        uint32_t reversed = 0;
        for (int i = 0; i < wave; i++) {
            sum += v(first + i);
            ballot |= (unsigned long long)((first + i) % 3 == 0) << i;
        }
        for (int i = 0; i < 32; i++)
            reversed |= ((unsigned)k >> i & 1) << (31 - i);
        SAME(c.from, v(first + 5));
        SAME(c.up, v(lane >= 3 ? k - 3 : k));
        SAME(c.down, v(lane + 2 < wave ? k + 2 : k));
        SAME(c.butterfly, v(first + (lane ^ 9)));
        SAME(c.in_sixteen, v(k - k % 16 + (k + 3) % 16));
        EXPECT(c.wide == 0.5 * (k ^ 1));
        SAME(c.any, 1);
        SAME(c.all, k % 2 ? 10 * wave / 2 : 0);
        SAME(c.ballot, ballot);
        SAME(c.sum, sum);
        SAME(c.bits, (unsigned long long)__builtin_popcountll(0x123456789abcdefull << (k % 8)) << 48 |
                         (uint64_t)__builtin_clz(k + 1) << 40 | (uint64_t)(lane + 1) << 32 | reversed >> 8 << 8 |
                         (uint64_t)lane);
    }
}

/* ---- arithmetic ---- */

/* name, of x and y, units in the last place that OpenCL allows */
#define FLOAT_FUNCTIONS(F)                                                                                             \
    F(sinf(x), 4)                                                                                                      \
    F(cosf(x), 4) F(tanf(x), 5) F(expf(x), 3) F(exp2f(x), 3) F(logf(y), 3) F(log2f(y), 3) F(sqrtf(y), 1)               \
        F(cbrtf(x), 2) F(powf(y, x), 16) F(atan2f(x, y), 6) F(fmodf(x, y), 0) F(hypotf(x, y), 4) F(tanhf(x), 5)        \
            F(floorf(x), 0) F(rintf(x), 0) F(fmaf(x, y, 0.3f), 0) F(x / y, 1) F(ldexpf(x, 5), 0) F(fmaxf(x, y), 0)
#define DOUBLE_FUNCTIONS(F)                                                                                            \
    F(sin(x), 4)                                                                                                       \
    F(exp(x), 3) F(log(y), 3) F(sqrt(y), 1) F(pow(y, x), 16) F(atan(x), 5) F(x / y, 1) F(fma(x, y, 0.3), 0)            \
        F(trunc(x), 0) F(erf(x), 16)
enum { REALS = 256, FLOATS = 20, DOUBLES = 10 };

__global__ void reals(const float *of_x, const float *of_y, float *f, double *d)
{
    int k = (int)threadIdx.x, n = 0;
    {
        float x = of_x[k], y = of_y[k];
#define F(call, ulp) f[n++ * REALS + k] = call;
        FLOAT_FUNCTIONS(F)
#undef F
    }
    n = 0;
    double x = of_x[k], y = of_y[k];
#define F(call, ulp) d[n++ * REALS + k] = call;
    DOUBLE_FUNCTIONS(F)
#undef F
}

/* Of `got` off `want`, in units of the last place of T. */
template <class T> static double units_off(T got, long double want)
{
    T near = (T)want;
    int e;

    if (std::isnan(got) || std::isnan(near))
        return std::isnan(got) && std::isnan(near) ? 0 : 1e30;
    if (got == near)
        return 0;
    (void)frexpl(want, &e);
    return (double)(fabsl(got - want) / ldexpl(1, e - std::numeric_limits<T>::digits));
}

SECTION(mathematics)
{
    on_device<float> f(FLOATS * REALS);
    on_device<double> d(DOUBLES * REALS);
    std::vector<float> of_x = ramp<float>(REALS, -6.17f, 0.0617f), of_y = ramp<float>(REALS, 0.01f, 0.83f);
    on_device<float> d_x(of_x), d_y(of_y);
    int n = 0;

    reals<<<1, REALS>>>(d_x, d_y, f, d);
    LAUNCHED();
    std::vector<float> of_f = f.get();
    std::vector<double> of_d = d.get();
#define F(call, ulp)                                                                                                   \
    for (int k = 0; k < REALS; k++) {                                                                                  \
        double x = of_x[k], y = of_y[k], off = units_off(of_f[n * REALS + k], call);                                   \
        if (off > (ulp) + 0.51)                                                                                        \
            WRONG("%s, x = %.9g, y = %.9g: %.9g, %.2f units off", #call, x, y, of_f[n * REALS + k], off);              \
    }                                                                                                                  \
    n++;
/* the host has them of double */
#define sinf  sin
#define cosf  cos
#define tanf  tan
#define expf  exp
#define exp2f exp2
#define logf  log
#define log2f log2
#define sqrtf sqrt
#define cbrtf cbrt
#define powf  pow
    FLOAT_FUNCTIONS(F)
#undef F
#undef sinf
#undef expf
    SAME(n, FLOATS);
    n = 0;
#define F(call, ulp)                                                                                                   \
    for (int k = 0; k < REALS; k++) {                                                                                  \
        long double x = of_x[k], y = of_y[k];                                                                          \
        double off = units_off(of_d[n * REALS + k], call);                                                             \
        if (off > (ulp) + 0.51)                                                                                        \
            WRONG("%s, x = %.17Lg, y = %.17Lg: %.17g, %.2f units off", #call, x, y, of_d[n * REALS + k], off);         \
    }                                                                                                                  \
    n++;
    using std::atan, std::erf, std::exp, std::fma, std::log, std::pow, std::sin, std::sqrt, std::trunc;
    DOUBLE_FUNCTIONS(F)
#undef F
    SAME(n, DOUBLES);
}

struct small {
    float product, fused, low, high, bfloat, extended;
    int order, rounded;
};

__global__ void small_floats(small *out)
{
    int k = (int)threadIdx.x;
    __half a = __float2half(0.25f * (float)k), b = __float2half(3.0f - 0.125f * (float)k);
    __half2 both = __hfma2(__halves2half2(a, b), __halves2half2(b, b), __halves2half2(a, a));
    hip_bfloat16 c((float)k * 1.0078125f);
    _Float16 e = (_Float16)k / (_Float16)3;

    out[k].product = __half2float(__hmul(a, b));
    out[k].fused = __half2float(__hfma(a, b, a));
    out[k].low = __low2float(both);
    out[k].high = __high2float(both);
    out[k].bfloat = (float)c;
    out[k].extended = (float)e;
    out[k].order = __hlt(a, b) + 2 * __heq(a, b);
    out[k].rounded = __half2int_rz(b);
}

/* float to the nearest of a format with so many bits of significand, ties to even */
static float nearest(double v, int digits)
{
    int e;
    double m = frexp(v, &e);

    return (float)ldexp(nearbyint(ldexp(m, digits)), e - digits);
}

SECTION(small_formats)
{
    on_device<small> out(64);

    small_floats<<<1, 64>>>(out);
    LAUNCHED();
    std::vector<small> got = out.get();
    for (int k = 0; k < 64; k++) {
        double a = 0.25 * k, b = 3 - 0.125 * k;
        EXPECT(got[k].product == nearest(a * b, 11));
        EXPECT(got[k].fused == nearest(a * b + a, 11) && got[k].low == got[k].fused);
        EXPECT(got[k].high == nearest(b * b + a, 11));
        EXPECT(got[k].bfloat == nearest((float)k * 1.0078125f, 8));
        EXPECT(got[k].extended == nearest(k / 3.0, 11));
        SAME(got[k].order, (a < b) + 2 * (a == b));
        SAME(got[k].rounded, (int)b);
    }
}

__global__ void integers(const long long *a, const long long *b, long long *out, int n)
{
    int k = (int)threadIdx.x;
    long long x = a[k], y = b[k];

    out[k] = x / y;
    out[n + k] = x % y;
    out[2 * n + k] = (long long)((unsigned long long)x / (unsigned long long)y);
    out[3 * n + k] = __mul64hi(x, y);
    out[4 * n + k] = (int)x / (int)y;
    out[5 * n + k] = __mulhi((int)x, (int)y);
    out[6 * n + k] = x << (y & 63) ^ x >> (y & 31);
    out[7 * n + k] = (long long)((double)x * 0.5) + (long long)(float)(int)y;
}

SECTION(whole_numbers)
{
    enum { N = 64 };
    std::vector<long long> a(N), b(N), want(8 * N);

    for (int k = 0; k < N; k++) {
        a[k] = (long long)(0x9e3779b97f4a7c15ull * (unsigned)(k + 1)) >> (k % 40);
        b[k] = (k % 2 ? -1 : 1) * (3 + (long long)k * k * k * (k % 3 ? 1 : 1ll << 20));
        want[k] = a[k] / b[k];
        want[N + k] = a[k] % b[k];
        want[2 * N + k] = (long long)((unsigned long long)a[k] / (unsigned long long)b[k]);
        want[3 * N + k] = (long long)((__int128)a[k] * b[k] >> 64);
        want[4 * N + k] = (int)a[k] / ((int)b[k] ? (int)b[k] : 1);
        want[5 * N + k] = (int)((long long)(int)a[k] * (int)b[k] >> 32);
        want[6 * N + k] = (long long)((unsigned long long)a[k] << (b[k] & 63)) ^ a[k] >> (b[k] & 31);
        want[7 * N + k] = (long long)((double)a[k] * 0.5) + (long long)(float)(int)b[k];
    }
    on_device<long long> d_a(a), d_b(b), out(8 * N);
    integers<<<1, N>>>(d_a, d_b, out, N);
    LAUNCHED();
    EQUAL(out.get(), want);
}
