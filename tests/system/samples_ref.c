/* Computes on the host what each sample kernel writes, with the kernel's operations in the kernel's order. */
#include "tests/system/samples_ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void ref_vecadd(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    float *o = out[0];
    for (unsigned i = 0; i < 1000; i++)
        o[i] = in->f32_a[i] + in->f32_b[i];
}

static void ref_saxpy(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    float *y = out[0];
    memcpy(y, in->f32_b, sizeof in->f32_b);
    for (unsigned i = 0; i < 987; i++)
        y[i] = fmaf(1.7f, in->f32_a[i], y[i]);
}

static void ref_reduce_lds(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    float *o = out[0];
    for (unsigned g = 0; g < 8; g++) {
        float part[256];
        memcpy(part, in->f32_a + g * 256, sizeof part);
        for (unsigned s = 128; s > 0; s >>= 1)
            for (unsigned i = 0; i < s; i++)
                part[i] += part[i + s];
        o[g] = part[0];
    }
}

static void ref_reduce_dpp(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    uint32_t *o = out[0];
    for (unsigned g = 0; g < 8; g++)
        for (unsigned i = 0; i < 256; i++) {
            uint32_t v = in->u32[g * 256 + i];
            o[2 * g] += v;
            if (v > o[2 * g + 1])
                o[2 * g + 1] = v;
        }
}

static void ref_matmul(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { M = 48, K = 32, N = 64 };
    float *c = out[0];
    for (unsigned row = 0; row < M; row++)
        for (unsigned col = 0; col < N; col++) {
            float sum = 0.0f;
            for (unsigned k = 0; k < K; k++)
                sum = fmaf(in->f32_a[row * K + k], in->f32_b[k * N + col], sum);
            c[row * N + col] = sum;
        }
}

static void ref_transpose(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { ROWS = 64, COLS = 96 };
    uint32_t *o = out[0];
    for (unsigned y = 0; y < ROWS; y++)
        for (unsigned x = 0; x < COLS; x++)
            o[x * ROWS + y] = in->u32[y * COLS + x];
}

static void ref_histogram(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    uint32_t *bins = out[0], *last = out[1], *ticket = out[2];
    for (unsigned p = 0; p < 9973; p++) {
        bins[in->bytes[p]]++;
        last[in->bytes[p]] = p + 1;
    }
    ticket[0] = 4;
    ticket[1] = 3;
}

static void ref_scan(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    uint32_t *o = out[0], *totals = out[1];
    for (unsigned g = 0; g < 8; g++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < 256; i++)
            o[g * 256 + i] = sum += in->u32[g * 256 + i];
        totals[g] = sum;
    }
}

static void ref_stencil(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { W = 60, H = 34 };
    const float *a = in->f32_a;
    float *o = out[0];
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            unsigned p = y * W + x;
            o[p] = a[p];
            if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
                continue;
            float sum = a[p - 1] + a[p + 1];
            sum = sum + a[p - W];
            sum = sum + a[p + W];
            o[p] = a[p] + 0.15f * (sum - 4.0f * a[p]);
        }
}

/* In the kernel each of 128 lanes sums its stride, halves of 32 lanes combine by butterflies, then four halves are
 * added; the order is kept although the exponentials differ by an ULP anyway. */
static void ref_softmax(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { ROWS = 8, COLS = 200, LANES = 128 };
    for (unsigned r = 0; r < ROWS; r++) {
        const float *row = in->f32_a + r * COLS;
        float *dst = (float *)out[0] + r * COLS;
        float part[LANES] = {0.0f}, next[LANES];
        float top = row[0];
        for (unsigned c = 1; c < COLS; c++)
            top = fmaxf(top, row[c]);
        for (unsigned c = 0; c < COLS; c++) {
            float t = (row[c] - top) * 0x1.715476p+0f;
            dst[c] = (float)exp2((double)t);
            part[c % LANES] += dst[c];
        }
        for (unsigned mask = 16; mask > 0; mask >>= 1) {
            for (unsigned i = 0; i < LANES; i++)
                next[i] = part[i] + part[i ^ mask];
            memcpy(part, next, sizeof part);
        }
        float sum = (part[0] + part[32]) + (part[64] + part[96]);
        for (unsigned c = 0; c < COLS; c++)
            dst[c] = dst[c] / sum;
    }
}

static void ref_mandelbrot(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { W = 60, H = 40, LIMIT = 100 };
    uint32_t *o = out[0];
    (void)in;
    for (unsigned py = 0; py < H; py++)
        for (unsigned px = 0; px < W; px++) {
            float cx = -2.25f + (float)px * 0.0613f;
            float cy = -1.25f + (float)py * 0.0613f;
            float x = 0.0f, y = 0.0f;
            uint32_t n = 0;
            for (; n < LIMIT; n++) {
                float xx = x * x, yy = y * y;
                if (xx + yy > 4.0f)
                    break;
                y = (x + x) * y + cy;
                x = (xx - yy) + cx;
            }
            o[py * W + px] = n;
        }
}

static uint32_t mix(uint32_t v, unsigned rounds)
{
    for (unsigned r = 0; r < rounds; r++) {
        v ^= v >> 16;
        v *= 0x7feb352du;
        v ^= v >> 15;
    }
    return v;
}

static void ref_call(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { COUNT = 12, ROUNDS = 2 };
    uint32_t *o = out[0];
    for (unsigned i = 0; i < 256; i++) {
        uint32_t a[COUNT], v = in->u32[i], sum = 0;
        for (unsigned k = 0; k < COUNT; k++) {
            v = v * 1664525u + 1013904223u;
            a[k] = v >> 8;
        }
        unsigned count = 4 + in->u32[i] % (COUNT - 3);
        /* Selection sort here, insertion sort in the kernel: mix is a bijection, so there is one sorted order. */
        for (unsigned j = 0; j < count; j++)
            for (unsigned k = j + 1; k < count; k++)
                if (mix(a[k], ROUNDS) < mix(a[j], ROUNDS)) {
                    uint32_t t = a[j];
                    a[j] = a[k];
                    a[k] = t;
                }
        for (unsigned k = 0; k < COUNT; k++)
            sum = sum * 31 + a[k];
        o[2 * i] = sum;
        o[2 * i + 1] = a[i % count];
    }
}

static void ref_flatptr(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    enum { GROUP = 64, M = 8 };
    uint32_t *o = out[0];
    for (unsigned i = 0; i < 256; i++) {
        unsigned l = i % GROUP, base = i - l;
        uint32_t table[M], sum = 0;
        for (unsigned k = 0; k < M; k++) {
            if (l % 3 == 0)
                table[k] = in->u32[base + k] ^ 0x5a5a5a5au;
            else if (l % 3 == 1)
                table[k] = in->u32[i] + k * l;
            else
                table[k] = in->u32[l + k];
        }
        for (unsigned k = 0; k < M + l % 5; k++)
            sum = sum * 3 + table[(k + l) % M];
        o[i] = sum;
    }
}

/* A finite half as a multiple of 2^-24, which every half is. */
static int64_t f16_units(uint16_t h)
{
    int64_t exponent = h >> 10 & 31;
    int64_t units = exponent ? (int64_t)(1024 + (h & 1023)) << (exponent - 1) : (h & 1023);
    return h & 0x8000 ? -units : units;
}

uint16_t sample_f16_add(uint16_t a, uint16_t b)
{
    int64_t sum = f16_units(a) + f16_units(b);
    uint64_t mag = (uint64_t)(sum < 0 ? -sum : sum);
    uint16_t sign = sum < 0 ? 0x8000 : 0;
    unsigned exponent = 1;
    if (sum == 0) /* -0 only when both are -0 */
        return a & b & 0x8000;
    if (mag < 1024)
        return sign | (uint16_t)mag;
    while (mag >> (exponent + 10))
        exponent++;
    /* mag is now in [2^(9+exponent), 2^(10+exponent)): the low exponent - 1 bits are rounded away. */
    uint64_t unit = UINT64_C(1) << (exponent - 1);
    uint64_t kept = mag / unit, rest = mag % unit;
    if (2 * rest > unit || (2 * rest == unit && (kept & 1)))
        kept++;
    if (kept == 2048) {
        kept = 1024;
        exponent++;
    }
    if (exponent > 30)
        return sign | 0x7c00;
    return sign | (uint16_t)(exponent << 10) | (uint16_t)(kept - 1024);
}

static void ref_addpk(const struct sample_inputs *in, void *const out[SAMPLE_MAX_OUTPUTS])
{
    uint16_t *o = out[0];
    for (unsigned i = 0; i < SAMPLE_F16_COUNT; i++)
        o[i] = sample_f16_add(in->f16_a[i], in->f16_b[i]);
}

/* clang-format off */
const struct sample_case sample_cases[] = {
    {"vecadd", "vecadd", "vecadd", SAMPLE_ALL, true, false, {1024, 1, 1}, {256, 1, 1},
     {{"vecadd.bin", 4096}}, 0, ref_vecadd},
    {"saxpy", "saxpy", "saxpy", SAMPLE_ALL, true, false, {1000, 1, 1}, {100, 1, 1},
     {{"saxpy.bin", 8192}}, 0, ref_saxpy},
    {"reduce_lds", "reduce_lds", "reduce_lds", SAMPLE_ALL, true, false, {2048, 1, 1}, {256, 1, 1},
     {{"reduce_lds.bin", 32}}, 0, ref_reduce_lds},
    {"reduce_dpp", "reduce_dpp", "reduce_dpp", SAMPLE_ALL, true, true, {2048, 1, 1}, {256, 1, 1},
     {{"reduce_dpp.bin", 64}}, 0, ref_reduce_dpp},
    {"matmul", "matmul", "matmul", SAMPLE_ALL, true, true, {64, 48, 1}, {16, 16, 1},
     {{"matmul.bin", 12288}}, 0, ref_matmul},
    {"transpose_naive", "transpose", "transpose_naive", SAMPLE_ALL, true, false, {96, 16, 1}, {32, 8, 1},
     {{"transpose_naive.bin", 24576}}, 0, ref_transpose},
    {"transpose_padded", "transpose", "transpose_padded", SAMPLE_ALL, true, false, {96, 16, 1}, {32, 8, 1},
     {{"transpose_padded.bin", 24576}}, 0, ref_transpose},
    {"histogram", "histogram", "histogram", SAMPLE_ALL, true, false, {1024, 1, 1}, {256, 1, 1},
     {{"histogram.bin", 1024}, {"histogram_last.bin", 1024}, {"histogram_ticket.bin", 8}}, 0, ref_histogram},
    {"scan", "scan", "scan", SAMPLE_ALL, true, false, {2048, 1, 1}, {256, 1, 1},
     {{"scan.bin", 8192}, {"scan_totals.bin", 32}}, 0, ref_scan},
    {"stencil", "stencil", "stencil", SAMPLE_ALL, true, false, {64, 40, 1}, {16, 8, 1},
     {{"stencil.bin", 8160}}, 0, ref_stencil},
    /* exp 1 ULP, their sum the same, division half an ULP; 2^-23 each, with room for the sum's own rounding */
    {"softmax", "softmax", "softmax", SAMPLE_ALL, true, false, {1024, 1, 1}, {128, 1, 1},
     {{"softmax.bin", 6400}}, 5e-7, ref_softmax},
    {"mandelbrot", "mandelbrot", "mandelbrot", SAMPLE_ALL, true, false, {64, 48, 1}, {16, 16, 1},
     {{"mandelbrot.bin", 9600}}, 0, ref_mandelbrot},
    {"call", "call", "call", SAMPLE_ALL, true, false, {256, 1, 1}, {64, 1, 1},
     {{"call.bin", 2048}}, 0, ref_call},
    {"flatptr", "flatptr", "flatptr", SAMPLE_ALL, true, false, {256, 1, 1}, {64, 1, 1},
     {{"flatptr.bin", 1024}}, 0, ref_flatptr},
    {"addpk_sdwa", "addpk_sdwa", "addpk_sdwa", SAMPLE_GFX803, false, false, {256, 1, 1}, {64, 1, 1},
     {{"addpk_sdwa.bin", 2048}}, 0, ref_addpk},
    {"addpk_shift", "addpk_shift", "addpk_shift", SAMPLE_GFX803, false, false, {256, 1, 1}, {64, 1, 1},
     {{"addpk_shift.bin", 2048}}, 0, ref_addpk},
};
/* clang-format on */
const size_t sample_case_count = sizeof sample_cases / sizeof *sample_cases;

const char *sample_inputs_read(struct sample_inputs *in, const char *dir)
{
    const struct {
        const char *name;
        void *to;
        size_t bytes;
    } files[] = {
        {"f32_a.bin", in->f32_a, sizeof in->f32_a}, {"f32_b.bin", in->f32_b, sizeof in->f32_b},
        {"u32.bin", in->u32, sizeof in->u32},       {"bytes.bin", in->bytes, sizeof in->bytes},
        {"f16_a.bin", in->f16_a, sizeof in->f16_a}, {"f16_b.bin", in->f16_b, sizeof in->f16_b},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", dir, files[i].name);
        FILE *f = fopen(path, "rb");
        bool ok = f && fread(files[i].to, 1, files[i].bytes, f) == files[i].bytes && fgetc(f) == EOF;
        if (f)
            fclose(f);
        if (!ok)
            return files[i].name;
    }
    return NULL;
}
