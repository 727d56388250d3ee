// Loops of kernels as programs have them, on which --sample kernels is judged: workloads NAME ITERATIONS [SIZE];
// without arguments it lists them. Each prints a hash of what it has computed. No result depends on the order of waves:
// atomics add integers alone, so that engines agree.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

#define GROUP 256 // work-items of a workgroup, where the grid has one dimension

static __device__ int item()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static __host__ __device__ unsigned scrambled(unsigned v)
{
    v = (v ^ v >> 16) * 0x7feb352du;
    v = (v ^ v >> 15) * 0x846ca68bu;
    return v ^ v >> 16;
}

static unsigned groups(int items)
{
    return (unsigned)(items + GROUP - 1) / GROUP;
}

// Numbers that are the same in each run.
struct Random {
    unsigned state = 1;

    unsigned below(unsigned n)
    {
        state = state * 1664525 + 1013904223;
        return (state >> 8) % n;
    }
    float unit()
    {
        return (float)below(1 << 20) / (1 << 20);
    }
};

template <typename T> static T *device(const std::vector<T> &from)
{
    T *to = nullptr;

    CHECK(hipMalloc(reinterpret_cast<void **>(&to), from.size() * sizeof(T)));
    CHECK(hipMemcpy(to, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice));
    return to;
}

template <typename T> static T *device(size_t n, T value = T())
{
    return device(std::vector<T>(n, value));
}

template <typename T> static T read(const T *from)
{
    T value;

    CHECK(hipMemcpy(&value, from, sizeof value, hipMemcpyDeviceToHost));
    return value;
}

// FNV-1a.
template <typename T> static uint64_t hash_of(const T *from, size_t n)
{
    std::vector<unsigned char> bytes(n * sizeof(T));
    uint64_t hash = 0xcbf29ce484222325;

    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(bytes.data(), from, bytes.size(), hipMemcpyDeviceToHost));
    for (unsigned char byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3;
    return hash;
}

// multigrid: V-cycles of Poisson's equation, cells of SIZE * SIZE down to 8 * 8: one kernel on grids of all sizes -----

#define TILE 16

static __device__ float cell(const float *u, int x, int y, int n)
{
    return x < 0 || y < 0 || x >= n || y >= n ? 0 : u[y * n + x];
}

static __device__ float neighbours(const float *u, int x, int y, int n)
{
    return cell(u, x - 1, y, n) + cell(u, x + 1, y, n) + cell(u, x, y - 1, n) + cell(u, x, y + 1, n);
}

#define CELL(N)                                                                                                        \
    int x = item(), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);                                                  \
    if (x >= (N) || y >= (N))                                                                                          \
    return

__global__ void smooth(const float *u, const float *f, float *to, int n)
{
    CELL(n);
    to[y * n + x] = 0.2f * u[y * n + x] + 0.2f * (neighbours(u, x, y, n) + f[y * n + x]);
}

__global__ void residual(const float *u, const float *f, float *r, int n)
{
    CELL(n);
    r[y * n + x] = f[y * n + x] + neighbours(u, x, y, n) - 4 * u[y * n + x];
}

__global__ void coarsen(const float *r, float *f, float *u, int n)
{
    CELL(n);
    const float *from = r + 4 * y * n + 2 * x;
    f[y * n + x] = from[0] + from[1] + from[2 * n] + from[2 * n + 1];
    u[y * n + x] = 0;
}

__global__ void correct(const float *coarse, float *u, int n)
{
    CELL(n);
    u[y * n + x] += coarse[y / 2 * (n / 2) + x / 2];
}

struct Level {
    int n;
    float *u, *f, *r;
};

static void v_cycle(const std::vector<Level> &levels, size_t k)
{
    const Level &l = levels[k];
    dim3 grid((unsigned)(l.n + TILE - 1) / TILE, (unsigned)(l.n + TILE - 1) / TILE), group(TILE, TILE);
    int sweeps = k + 1 == levels.size() ? 8 : 1;

    for (int s = 0; s < sweeps; s++) {
        smooth<<<grid, group>>>(l.u, l.f, l.r, l.n);
        smooth<<<grid, group>>>(l.r, l.f, l.u, l.n);
    }
    if (k + 1 == levels.size())
        return;
    const Level &below = levels[k + 1];
    dim3 coarse((unsigned)(below.n + TILE - 1) / TILE, (unsigned)(below.n + TILE - 1) / TILE);
    residual<<<grid, group>>>(l.u, l.f, l.r, l.n);
    coarsen<<<coarse, group>>>(l.r, below.f, below.u, below.n);
    v_cycle(levels, k + 1);
    correct<<<grid, group>>>(below.u, l.u, l.n);
    smooth<<<grid, group>>>(l.u, l.f, l.r, l.n);
    smooth<<<grid, group>>>(l.r, l.f, l.u, l.n);
}

static uint64_t multigrid(int iterations, int size)
{
    std::vector<Level> levels;
    std::vector<float> f((size_t)size * size);
    Random random;

    for (float &v : f)
        v = random.unit() - 0.5f;
    for (int n = size; n >= 8; n /= 2) {
        size_t cells = (size_t)n * n;
        levels.push_back({n, device<float>(cells), n == size ? device(f) : device<float>(cells), device<float>(cells)});
    }
    for (int n = 0; n < iterations; n++)
        v_cycle(levels, 0);
    return hash_of(levels[0].u, f.size());
}

// search, queue: breadth-first searches of a graph from other vertices; of all vertices at each level, or of a queue,
// for whose length the grid is made -----------------------------------------------------------------------------------

__global__ void forget(int *depth, int vertices, int source)
{
    int v = item();

    if (v < vertices)
        depth[v] = v == source ? 0 : -1;
}

__global__ void expand(const int *first, const int *edge, int *depth, int vertices, int now, int *grown)
{
    int v = item();

    if (v >= vertices || depth[v] != now)
        return;
    for (int k = first[v]; k < first[v + 1]; k++)
        if (depth[edge[k]] < 0) {
            depth[edge[k]] = now + 1;
            *grown = now + 1;
        }
}

__global__ void expand_queue(const int *first, const int *edge, int *depth, const int *queue, int length, int now,
                             int *next, int *next_length)
{
    int k = item();

    if (k >= length)
        return;
    for (int e = first[queue[k]]; e < first[queue[k] + 1]; e++)
        if (atomicCAS(&depth[edge[e]], -1, now + 1) == -1)
            next[atomicAdd(next_length, 1)] = edge[e];
}

struct Graph {
    int *first, *edge, *depth;
};

// A few edges of most vertices, many of some.
static Graph make_graph(int vertices)
{
    std::vector<int> first(1, 0), edge;
    Random random;

    for (int v = 0; v < vertices; v++) {
        unsigned count = random.below(32) ? 1 + random.below(4) : 32;

        while (count--)
            edge.push_back((int)random.below((unsigned)vertices));
        first.push_back((int)edge.size());
    }
    return {device(first), device(edge), device<int>((size_t)vertices)};
}

static uint64_t search(int iterations, int size)
{
    Graph g = make_graph(size);
    int *grown = device<int>(1);
    Random random;
    uint64_t hash = 0;

    for (int n = 0; n < iterations; n++) {
        int depth = 0;

        forget<<<groups(size), GROUP>>>(g.depth, size, (int)random.below((unsigned)size));
        CHECK(hipMemset(grown, 0, sizeof *grown));
        do
            expand<<<groups(size), GROUP>>>(g.first, g.edge, g.depth, size, depth, grown);
        while (read(grown) == ++depth);
        hash = hash * 31 + hash_of(g.depth, (size_t)size);
    }
    return hash;
}

static uint64_t search_queue(int iterations, int size)
{
    Graph g = make_graph(size);
    int *queue = device<int>((size_t)size), *next = device<int>((size_t)size), *length = device<int>(1);
    Random random;
    uint64_t hash = 0;

    for (int n = 0; n < iterations; n++) {
        int source = (int)random.below((unsigned)size), depth = 0;

        forget<<<groups(size), GROUP>>>(g.depth, size, source);
        CHECK(hipMemcpy(queue, &source, sizeof source, hipMemcpyHostToDevice));
        for (int count = 1; count > 0; count = read(length)) {
            CHECK(hipMemset(length, 0, sizeof *length));
            expand_queue<<<groups(count), GROUP>>>(g.first, g.edge, g.depth, queue, count, depth++, next, length);
            std::swap(queue, next);
        }
        hash = hash * 31 + hash_of(g.depth, (size_t)size);
    }
    return hash;
}

// kmeans: with bounds on distances, so that fewer and fewer points look at all centres; none when it has converged
// ------

#define CENTRES 32
#define FIXED   65536.0f

static __device__ float distance(float4 a, float4 b)
{
    float4 d = make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);

    return sqrtf(d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w);
}

// moved: of each centre; behind them, the largest.
__global__ void assign(const float4 *point, const float4 *centre, const float *moved, int *owner, float2 *bound, int n)
{
    int k = item();

    if (k >= n)
        return;
    float upper = bound[k].x + moved[owner[k]], lower = bound[k].y - moved[CENTRES];
    if (upper >= lower) {
        upper = lower = INFINITY;
        for (int c = 0; c < CENTRES; c++) {
            float d = distance(point[k], centre[c]);

            if (d < upper) {
                lower = upper;
                upper = d;
                owner[k] = c;
            } else if (d < lower) {
                lower = d;
            }
        }
    }
    bound[k] = make_float2(upper, lower);
}

__global__ void add_up(const float4 *point, const int *owner, unsigned long long *sum, int n)
{
    __shared__ unsigned long long part[CENTRES * 5];
    int k = item(), t = (int)threadIdx.x;

    if (t < CENTRES * 5)
        part[t] = 0;
    __syncthreads();
    if (k < n) {
        const float v[5] = {point[k].x, point[k].y, point[k].z, point[k].w, 1};

        for (int c = 0; c < 5; c++)
            atomicAdd(&part[owner[k] * 5 + c], (unsigned long long)(long long)(v[c] * FIXED));
    }
    __syncthreads();
    if (t < CENTRES * 5)
        atomicAdd(&sum[t], part[t]);
}

__global__ void move_centres(unsigned long long *sum, float4 *centre, float *moved)
{
    __shared__ float far[CENTRES];
    int t = (int)threadIdx.x;
    float v[5];

    for (int c = 0; c < 5; c++) {
        v[c] = (float)(long long)sum[t * 5 + c] / FIXED;
        sum[t * 5 + c] = 0;
    }
    float4 to = v[4] > 0 ? make_float4(v[0] / v[4], v[1] / v[4], v[2] / v[4], v[3] / v[4]) : centre[t];
    moved[t] = far[t] = distance(to, centre[t]);
    centre[t] = to;
    __syncthreads();
    for (int c = 0; t == 0 && c < CENTRES; c++)
        moved[CENTRES] = c ? fmaxf(moved[CENTRES], far[c]) : far[c];
}

static uint64_t kmeans(int iterations, int size)
{
    std::vector<float4> points, centres;
    Random random;

    for (int k = 0; k < size; k++) {
        float at = (float)random.below(CENTRES), wide = 6;

        points.push_back(make_float4(at + wide * random.unit(), 3 * at - at * at / 8 + wide * random.unit(),
                                     wide * random.unit(), fmodf(at * 7, 13) + wide * random.unit()));
    }
    centres.assign(points.begin(), points.begin() + CENTRES);
    float4 *point = device(points), *centre = device(centres);
    float *moved = device<float>(CENTRES + 1);
    int *owner = device<int>((size_t)size);
    float2 *bound = device((size_t)size, make_float2(1, 0));
    unsigned long long *sum = device<unsigned long long>(CENTRES * 5);

    for (int n = 0; n < iterations; n++) {
        assign<<<groups(size), GROUP>>>(point, centre, moved, owner, bound, size);
        add_up<<<groups(size), GROUP>>>(point, owner, sum, size);
        move_centres<<<1, CENTRES>>>(sum, centre, moved);
    }
    return hash_of(centre, CENTRES) ^ hash_of(owner, (size_t)size);
}

// train: steps of a network with one hidden layer of SIZE, in batches: one product of matrices in five shapes ---------

#define BATCH   128
#define INPUTS  192
#define OUTPUTS 16
#define RATE    0.01f

// A matrix as it lies in memory, or transposed.
struct Matrix {
    float *at;
    int row, column; // strides
};

__global__ void multiply(Matrix a, Matrix b, Matrix c, int m, int n, int depth)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
    int x = (int)threadIdx.x, y = (int)threadIdx.y;
    int i = (int)blockIdx.y * TILE + y, j = (int)blockIdx.x * TILE + x;
    float sum = 0;

    for (int k = 0; k < depth; k += TILE) {
        left[y][x] = i < m && k + x < depth ? a.at[i * a.row + (k + x) * a.column] : 0;
        right[y][x] = j < n && k + y < depth ? b.at[(k + y) * b.row + j * b.column] : 0;
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            sum += left[y][l] * right[l][x];
        __syncthreads();
    }
    if (i < m && j < n)
        c.at[i * c.row + j * c.column] = sum;
}

__global__ void bias_relu(float *v, const float *bias, int width)
{
    int k = item();

    v[k] = fmaxf(v[k] + bias[k % width], 0);
}

// A workgroup is a row; v becomes the gradient.
__global__ void softmax(float *v, const int *label)
{
    int t = (int)threadIdx.x, row = (int)blockIdx.x;
    float mine = v[row * OUTPUTS + t], most = mine;

    for (int n = OUTPUTS / 2; n > 0; n /= 2)
        most = fmaxf(most, __shfl_xor(most, n, OUTPUTS));
    float e = expf(mine - most), sum = e;
    for (int n = OUTPUTS / 2; n > 0; n /= 2)
        sum += __shfl_xor(sum, n, OUTPUTS);
    v[row * OUTPUTS + t] = (e / sum - (label[row] == t ? 1 : 0)) / BATCH;
}

__global__ void relu_gradient(float *gradient, const float *value)
{
    int k = item();

    gradient[k] = value[k] > 0 ? gradient[k] : 0;
}

__global__ void bias_update(float *bias, const float *gradient, int width)
{
    int k = item();
    float sum = 0;

    if (k >= width)
        return;
    for (int row = 0; row < BATCH; row++)
        sum += gradient[row * width + k];
    bias[k] -= RATE * sum;
}

__global__ void update(float *weight, float *speed, const float *gradient, int n)
{
    int k = item();

    if (k >= n)
        return;
    speed[k] = 0.9f * speed[k] + gradient[k];
    weight[k] -= RATE * speed[k];
}

static Matrix matrix(float *at, int columns)
{
    return {at, columns, 1};
}

static Matrix transposed(float *at, int columns)
{
    return {at, 1, columns};
}

static void product(Matrix a, Matrix b, Matrix c, int m, int n, int depth)
{
    dim3 grid((unsigned)(n + TILE - 1) / TILE, (unsigned)(m + TILE - 1) / TILE);

    multiply<<<grid, dim3(TILE, TILE)>>>(a, b, c, m, n, depth);
}

static float *randoms(int n, float scale)
{
    std::vector<float> v((size_t)n);
    Random random;

    for (float &one : v)
        one = scale * (random.unit() - 0.5f);
    return device(v);
}

static uint64_t train(int iterations, int size)
{
    const int batches = 8, first_n = INPUTS * size, second_n = size * OUTPUTS, hidden_n = BATCH * size;
    std::vector<int> labels;
    for (int k = 0; k < batches * BATCH; k++)
        labels.push_back((int)(scrambled((unsigned)k) % OUTPUTS));
    int *label = device(labels);
    float *input = randoms(batches * BATCH * INPUTS, 2), *first = randoms(first_n, 0.2f),
          *second = randoms(second_n, 0.2f), *bias = device<float>((size_t)size),
          *hidden = device<float>((size_t)hidden_n), *out = device<float>(BATCH * OUTPUTS),
          *hidden_g = device<float>((size_t)hidden_n), *first_g = device<float>((size_t)first_n),
          *second_g = device<float>((size_t)second_n), *first_v = device<float>((size_t)first_n),
          *second_v = device<float>((size_t)second_n);

    for (int n = 0; n < iterations; n++) {
        float *batch = input + n % batches * BATCH * INPUTS;

        product(matrix(batch, INPUTS), matrix(first, size), matrix(hidden, size), BATCH, size, INPUTS);
        bias_relu<<<(unsigned)hidden_n / GROUP, GROUP>>>(hidden, bias, size);
        product(matrix(hidden, size), matrix(second, OUTPUTS), matrix(out, OUTPUTS), BATCH, OUTPUTS, size);
        softmax<<<BATCH, OUTPUTS>>>(out, label + n % batches * BATCH);
        product(transposed(hidden, size), matrix(out, OUTPUTS), matrix(second_g, OUTPUTS), size, OUTPUTS, BATCH);
        product(matrix(out, OUTPUTS), transposed(second, OUTPUTS), matrix(hidden_g, size), BATCH, size, OUTPUTS);
        relu_gradient<<<(unsigned)hidden_n / GROUP, GROUP>>>(hidden_g, hidden);
        product(transposed(batch, INPUTS), matrix(hidden_g, size), matrix(first_g, size), INPUTS, size, BATCH);
        bias_update<<<groups(size), GROUP>>>(bias, hidden_g, size);
        update<<<groups(first_n), GROUP>>>(first, first_v, first_g, first_n);
        update<<<groups(second_n), GROUP>>>(second, second_v, second_g, second_n);
    }
    return hash_of(first, (size_t)first_n) ^ hash_of(second, (size_t)second_n);
}

// sort: bitonic, of SIZE keys: the same kernel and grid, other arguments ----------------------------------------------

__global__ void draw(unsigned *key, unsigned seed)
{
    int k = item();

    key[k] = scrambled((unsigned)k * 2654435761u + seed);
}

__global__ void exchange(unsigned *key, int length, int apart)
{
    int k = item(), low = k / apart * 2 * apart + k % apart;
    bool up = (low & length) == 0;
    unsigned a = key[low], b = key[low + apart];

    if ((a > b) == up) {
        key[low] = b;
        key[low + apart] = a;
    }
}

static uint64_t sort(int iterations, int size)
{
    unsigned *key = device<unsigned>((size_t)size);
    uint64_t hash = 0;

    for (int n = 0; n < iterations; n++) {
        draw<<<groups(size), GROUP>>>(key, (unsigned)n);
        for (int length = 2; length <= size; length *= 2)
            for (int apart = length / 2; apart > 0; apart /= 2)
                exchange<<<groups(size / 2), GROUP>>>(key, length, apart);
        hash = hash * 31 + hash_of(key, (size_t)size);
    }
    return hash;
}

// molecules: Lennard and Jones' potential, a list of neighbours that is made anew each 8 steps ------------------------

#define MOST_NEAR 96
#define CUT       2.5f
#define SKIN      0.3f
#define STEP      0.004f

static __device__ float3 shortest(float4 a, float4 b, float box)
{
    float3 d = make_float3(a.x - b.x, a.y - b.y, a.z - b.z);

    return make_float3(d.x - box * rintf(d.x / box), d.y - box * rintf(d.y / box), d.z - box * rintf(d.z / box));
}

static __device__ float square(float3 d)
{
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

__global__ void list_near(const float4 *place, int *near, int *count, int n, float box)
{
    __shared__ float4 part[GROUP];
    int k = item(), found = 0;
    float4 mine = place[k];

    for (int from = 0; from < n; from += GROUP) {
        __syncthreads();
        part[threadIdx.x] = place[from + (int)threadIdx.x];
        __syncthreads();
        for (int j = 0; j < GROUP; j++)
            if (from + j != k && found < MOST_NEAR &&
                square(shortest(mine, part[j], box)) < (CUT + SKIN) * (CUT + SKIN))
                near[found++ * n + k] = from + j;
    }
    count[k] = found;
}

__global__ void force(const float4 *place, const int *near, const int *count, float4 *pull, int n, float box)
{
    int k = item();
    float4 mine = place[k], sum = make_float4(0, 0, 0, 0);

    for (int j = 0; j < count[k]; j++) {
        float3 d = shortest(mine, place[near[j * n + k]], box);
        float s = square(d);

        if (s >= CUT * CUT)
            continue;
        float i = 1 / s, i3 = i * i * i, f = 24 * i * i3 * (2 * i3 - 1);
        sum = make_float4(sum.x + f * d.x, sum.y + f * d.y, sum.z + f * d.z, sum.w + 2 * i3 * (i3 - 1));
    }
    pull[k] = sum;
}

__global__ void go(float4 *place, float4 *speed, const float4 *pull)
{
    int k = item();
    float4 v = speed[k], p = place[k];

    v = make_float4(v.x + STEP * pull[k].x, v.y + STEP * pull[k].y, v.z + STEP * pull[k].z, 0);
    place[k] = make_float4(p.x + STEP * v.x, p.y + STEP * v.y, p.z + STEP * v.z, 0);
    speed[k] = v;
}

static uint64_t molecules(int iterations, int size)
{
    int side = (int)lround(cbrt((double)size)) + 1;
    float box = (float)side * 1.15f;
    std::vector<float4> places, speeds;
    Random random;

    for (int k = 0; k < size; k++) {
        places.push_back(make_float4((float)(k % side) * 1.15f, (float)(k / side % side) * 1.15f,
                                     (float)(k / side / side) * 1.15f, 0));
        speeds.push_back(make_float4(4 * random.unit() - 2, 4 * random.unit() - 2, 4 * random.unit() - 2, 0));
    }
    float4 *place = device(places), *speed = device(speeds), *pull = device<float4>((size_t)size);
    int *near = device<int>((size_t)size * MOST_NEAR), *count = device<int>((size_t)size);

    for (int n = 0; n < iterations; n++) {
        if (n % 8 == 0)
            list_near<<<groups(size), GROUP>>>(place, near, count, size, box);
        force<<<groups(size), GROUP>>>(place, near, count, pull, size, box);
        go<<<groups(size), GROUP>>>(place, speed, pull);
    }
    return hash_of(place, (size_t)size);
}

// fft: convolutions: transforms forth and back in log2(SIZE) passes each, which read and write other strides ----------

__global__ void fft_pass(const float2 *in, float2 *out, const float2 *root, int half, int p, float sign)
{
    int k = item(), low = k & (p - 1), to = 2 * k - low;
    float2 a = in[k], b = in[k + half], w = root[low * (half / p)];
    float2 t = make_float2(b.x * w.x - sign * b.y * w.y, b.y * w.x + sign * b.x * w.y);

    out[to] = make_float2(a.x + t.x, a.y + t.y);
    out[to + p] = make_float2(a.x - t.x, a.y - t.y);
}

__global__ void filter(float2 *v, const float2 *by, float scale)
{
    int k = item();
    float2 a = v[k], b = by[k];

    v[k] = make_float2(scale * (a.x * b.x - a.y * b.y), scale * (a.x * b.y + a.y * b.x));
}

static uint64_t fft(int iterations, int size)
{
    std::vector<float2> values, roots, filters;
    Random random;

    for (int k = 0; k < size; k++) {
        double angle = -2 * M_PI * k / size;

        values.push_back(make_float2(random.unit(), 0));
        roots.push_back(make_float2((float)cos(angle), (float)sin(angle)));
        filters.push_back(make_float2(0.5f + 0.4f * random.unit(), 0.1f));
    }
    float2 *v = device(values), *other = device<float2>((size_t)size), *root = device(roots), *by = device(filters);

    for (int n = 0; n < 2 * iterations; n++) {
        for (int p = 1; p < size; p *= 2) {
            fft_pass<<<groups(size / 2), GROUP>>>(v, other, root, size / 2, p, n % 2 ? -1 : 1);
            std::swap(v, other);
        }
        if (n % 2 == 0)
            filter<<<groups(size), GROUP>>>(v, by, 1 / (float)size);
    }
    return hash_of(v, (size_t)size);
}

// images, cameras: frames of one camera, or of two, each with a stream of its own; what they see differs, and with it
// the conflicts of the histogram
// ------------------------------------------------------------------------------------------

#define RADIUS 4

__global__ void shoot(float *image, int n, int time)
{
    CELL(n);
    int blob = (x / 32 * 7 + y / 32 * 13 + time) % 16;
    image[y * n + x] =
        (float)(blob * (time % 16) + (int)(scrambled((unsigned)(y * n + x)) % (unsigned)(8 + time % 64))) / 300;
}

__global__ void blur(const float *from, float *to, int n, int dx, int dy)
{
    CELL(n);
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += (float)(RADIUS + 1 - abs(k)) * cell(from, x + k * dx, y + k * dy, n);
    to[y * n + x] = sum / ((RADIUS + 1) * (RADIUS + 1));
}

__global__ void histogram(const float *image, unsigned *bins, int n)
{
    __shared__ unsigned part[256];
    int t = (int)(threadIdx.y * TILE + threadIdx.x);

    part[t] = 0;
    __syncthreads();
    int x = item(), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < n && y < n)
        atomicAdd(&part[(unsigned)(fminf(image[y * n + x], 0.999f) * 256)], 1);
    __syncthreads();
    if (part[t])
        atomicAdd(&bins[t], part[t]);
}

// The brightness that half of the cells reach; empties the bins.
__global__ void choose(unsigned *bins, float *level, unsigned half)
{
    __shared__ unsigned all[256];
    unsigned t = threadIdx.x, sum = 0;

    all[t] = bins[t];
    bins[t] = 0;
    __syncthreads();
    for (unsigned k = 0; k <= t; k++)
        sum += all[k];
    if (sum >= half && sum - all[t] < half)
        *level = (float)t / 256;
}

__global__ void threshold(const float *image, const float *level, unsigned *seen, int n)
{
    CELL(n);
    seen[y * n + x] = seen[y * n + x] * 3 + (image[y * n + x] > *level);
}

struct Camera {
    hipStream_t stream;
    float *image, *blurred, *level;
    unsigned *bins, *seen;
};

static uint64_t film(int frames, int size, size_t cameras)
{
    size_t cells = (size_t)size * (size_t)size;
    dim3 grid((unsigned)(size + TILE - 1) / TILE, (unsigned)(size + TILE - 1) / TILE), group(TILE, TILE);
    std::vector<Camera> camera(cameras);
    uint64_t hash = 0;

    for (Camera &c : camera) {
        c = {nullptr,          device<float>(cells),  device<float>(cells),
             device<float>(1), device<unsigned>(256), device<unsigned>(cells)};
        if (cameras > 1)
            CHECK(hipStreamCreate(&c.stream));
    }
    for (int n = 0; n < frames; n++) {
        const Camera &c = camera[(size_t)n % cameras];

        shoot<<<grid, group, 0, c.stream>>>(c.image, size, n);
        blur<<<grid, group, 0, c.stream>>>(c.image, c.blurred, size, 1, 0);
        blur<<<grid, group, 0, c.stream>>>(c.blurred, c.image, size, 0, 1);
        histogram<<<grid, group, 0, c.stream>>>(c.image, c.bins, size);
        choose<<<1, 256, 0, c.stream>>>(c.bins, c.level, (unsigned)cells / 2);
        threshold<<<grid, group, 0, c.stream>>>(c.image, c.level, c.seen, size);
    }
    for (const Camera &c : camera)
        hash = hash * 31 + hash_of(c.seen, cells);
    return hash;
}

static uint64_t images(int iterations, int size)
{
    return film(iterations, size, 1);
}

static uint64_t cameras(int iterations, int size)
{
    return film(2 * iterations, size, 2);
}

// vectors: three of SIZE, of which L2 holds little
// ---------------------------------------------------------------------

__global__ void scale(const float4 *a, float4 *b, float by)
{
    int k = item();

    b[k] = make_float4(by * a[k].x, by * a[k].y, by * a[k].z, by * a[k].w);
}

__global__ void triad(const float4 *a, const float4 *b, float4 *c, float by)
{
    int k = item();

    c[k] = make_float4(a[k].x + by * b[k].x, a[k].y + by * b[k].y, a[k].z + by * b[k].z, a[k].w + by * b[k].w);
}

__global__ void largest(const float4 *a, unsigned *out, int n)
{
    float most = 0;

    for (int k = item(); k < n; k += (int)(gridDim.x * blockDim.x))
        most = fmaxf(most, fmaxf(fmaxf(a[k].x, a[k].y), fmaxf(a[k].z, a[k].w)));
    for (int k = 16; k > 0; k /= 2)
        most = fmaxf(most, __shfl_xor(most, k, 32));
    if (threadIdx.x % 32 == 0) // of values that are not negative, their bits are in the same order
        atomicMax(out, __float_as_uint(most));
}

static uint64_t vectors(int iterations, int size)
{
    int n = size / 4;
    size_t count = (size_t)n;
    float4 *a = device(count, make_float4(1, 2, 3, 4)), *b = device<float4>(count), *c = device<float4>(count);
    unsigned *most = device<unsigned>(1);

    for (int k = 0; k < iterations; k++) {
        scale<<<groups(n), GROUP>>>(a, b, 0.5f);
        triad<<<groups(n), GROUP>>>(a, b, c, 0.25f);
        largest<<<1024, GROUP>>>(c, most, n);
        std::swap(a, c);
    }
    return hash_of(a, count) ^ read(most);
}

static const struct {
    const char *name;
    uint64_t (*run)(int iterations, int size);
    int size;
    const char *what;
} workloads[] = {
    {"multigrid", multigrid, 512, "V-cycles on SIZE * SIZE cells"},
    {"search", search, 131072, "breadth-first searches of SIZE vertices"},
    {"queue", search_queue, 131072, "the same with queues"},
    {"kmeans", kmeans, 131072, "SIZE points to 32 centres"},
    {"train", train, 256, "training steps, SIZE hidden units"},
    {"sort", sort, 131072, "bitonic sorts of SIZE keys"},
    {"molecules", molecules, 2048, "steps of SIZE molecules"},
    {"fft", fft, 131072, "convolutions of SIZE values"},
    {"images", images, 512, "frames of SIZE * SIZE"},
    {"cameras", cameras, 512, "the same of each of two cameras, on two streams"},
    {"vectors", vectors, 8388608, "passes over vectors of SIZE"},
};

int main(int argc, char **argv)
{
    for (const auto &w : workloads)
        if (argc < 3)
            printf("%-10s ITERATIONS [%d]: %s\n", w.name, w.size, w.what);
        else if (!strcmp(argv[1], w.name))
            return printf("%s %016llx\n", w.name,
                          (unsigned long long)w.run(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : w.size)) < 0;
    return argc >= 3;
}
