/* Runs products of matrices at the clocks of AMD's measurements, and prints which share of the matrix peak they reach.
 */
#include "tests/timing/accuracy/products.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "config/profile.h"
#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"

enum { TILE = 256, LANES = 256, FLOP_PER_CYCLE = 2048 /* of a CU */, DIES = 8, SETS = 16 };

/* ROCm blogs, "Measuring Max-Achievable FLOPs, Part 2", 2025-02-28: bf16, 4096 x 4864 x 32896, from cold caches: 708
 * TFLOP/s at 1207 MHz and 843 at 1447. Its tiles are one for each of 304 CUs; a die has the rows of two. */
enum { M = 4096, N = 4864, K = 32896 };

static const struct product {
    const char *profile, *kernel;
    uint32_t m, n, pitch; /* elements from row to row of A and B */
    uint32_t few, many;   /* depths; few 0: all of a launch counts */
    uint32_t mhz;         /* 0: the profile's */
    bool die, warm;       /* one die of the chip; the second launch */
    double measured;      /* per cent of the peak; 0: not known */
} products[] = {
    {"gfx942-mi300x", "gemm_bf16", M / DIES, N, K, 512, 1024, 1207, true, false, 94.2},
    {"gfx942-mi325x", "gemm_bf16", M / DIES, N, K, 512, 1024, 1447, true, false, 93.6},
    {"gfx942-mi300x", "gemm_bf16_lds", M / DIES, N, K, 512, 1024, 1207, true, false, 0},
    {"gfx942-mi325x", "gemm_bf16_lds", M / DIES, N, K, 512, 1024, 1447, true, false, 0},
    /* the whole chip */
    {"gfx942-mi300x", "gemm_bf16", M, N, K, 512, 1024, 1207, false, false, 94.2},
    {"gfx942-mi300x", "gemm_bf16", 4096, 4096, 4096 + 128, 0, 4096, 0, false, false, 0},
    {"gfx942-mi300x", "gemm_bf16", 4096, 4096, 4096 + 128, 0, 4096, 0, false, true, 0},
    {"gfx942-mi300x", "gemm_bf16", 4096, 4096, 4096, 0, 4096, 0, false, false, 0},
    {"gfx942-mi300x", "gemm_bf16", 4096, 4096, 4096, 0, 4096, 0, false, true, 0},
};
enum { PRODUCTS = sizeof products / sizeof products[0], QUICK = 4 };

struct run {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    uint64_t a, b, c;
    char set[SETS][64];
    unsigned sets;
    char bound[96]; /* what waves wait for most, the matrix pipeline aside */
    struct gcnsim_error error;
};

static bool failed(struct run *r, const char *what)
{
    snprintf(r->error.text, sizeof r->error.text, "%s", what);
    return false;
}

static bool set(struct run *r, const char *path, double value)
{
    if (r->sets == SETS)
        return failed(r, "too many figures");
    snprintf(r->set[r->sets++], sizeof r->set[0], "%s=%.10g", path, value);
    return true;
}

/* One die: its CUs, its share of memory, and no fabric. */
static bool one_die(struct run *r, const struct profile *p)
{
    return set(r, "gpu.cus", p->gpu.cus / DIES) && set(r, "gpu.xcds", 1) &&
           set(r, "gpu.shader_engines", p->gpu.shader_engines / DIES) &&
           set(r, "cache.mall.size_bytes", (double)p->cache[LEVEL_MALL].size_bytes / DIES) &&
           set(r, "cache.mall.channels", p->cache[LEVEL_MALL].channels / DIES) &&
           set(r, "dram.channels", p->dram.channels / DIES) && set(r, "fabric.iod_columns", 1) &&
           set(r, "fabric.iod_rows", 1);
}

/* Another clock of the CUs and L2: what lies behind L2 takes as many nanoseconds as before. */
static bool clock(struct run *r, const struct profile *p, double mhz, unsigned dies)
{
    uint32_t l2 = p->cache[LEVEL_L2].hit_latency_cycles;
    double ratio = mhz / p->gpu.shader_clock_mhz;

    return set(r, "gpu.shader_clock_mhz", mhz) &&
           set(r, "dram.latency_cycles", nearbyint(l2 + (p->dram.latency_cycles - l2) * ratio)) &&
           set(r, "cache.mall.hit_latency_cycles",
               nearbyint(l2 + (p->cache[LEVEL_MALL].hit_latency_cycles - l2) * ratio)) &&
           set(r, "dram.bytes_per_cycle", p->dram.bytes_per_cycle / ratio / dies) &&
           set(r, "fabric.xcd_bytes_per_cycle", p->fabric.xcd_bytes_per_cycle / ratio) &&
           set(r, "fabric.link_bytes_per_cycle", p->fabric.link_bytes_per_cycle / ratio) &&
           set(r, "fabric.hop_cycles", nearbyint(p->fabric.hop_cycles * ratio)) &&
           set(r, "fabric.probe_cycles", nearbyint(p->fabric.probe_cycles * ratio));
}

static bool choose_sets(struct run *r, const struct product *x)
{
    struct err e = {0};
    struct profile *p;

    if (profile_load(&p, x->profile, &e))
        return failed(r, e.text);
    bool ok = (!x->die || one_die(r, p)) && clock(r, p, x->mhz ? x->mhz : p->gpu.shader_clock_mhz, x->die ? DIES : 1);
    profile_free(p);
    return ok;
}

static bool open_run(struct run *r, const struct product *x, const char *folder)
{
    const char *sets[SETS];
    char path[4096];

    snprintf(path, sizeof path, "%s/%s.gfx942.co", folder, x->kernel);
    if (!choose_sets(r, x))
        return false;
    for (unsigned k = 0; k < r->sets; k++)
        sets[k] = r->set[k];
    return !gcnsim_open(&r->sim, x->profile, &r->error) && !gcnsim_set_all(r->sim, sets, r->sets, &r->error) &&
           !gcnsim_load_file(r->sim, &r->module, path, NULL, &r->error) &&
           !gcnsim_alloc(r->sim, UINT64_C(2) * x->m * x->pitch, "a", &r->a, &r->error) &&
           !gcnsim_alloc(r->sim, UINT64_C(2) * x->n * x->pitch, "b", &r->b, &r->error) &&
           !gcnsim_alloc(r->sim, UINT64_C(4) * x->m * x->n, "c", &r->c, &r->error);
}

static void name_bound(struct run *r, const struct gcnsim_result *result)
{
    static const char prefix[] = "stall_cycles.";
    double most = 0, all = (double)result_stat(result, "resident_wave_cycles");

    for (size_t k = 0; k < result->stat_count; k++) {
        const char *name = result->stats[k].name;

        if (strncmp(name, prefix, strlen(prefix)) || strstr(name, ".issued") || strstr(name, "busy_matrix") ||
            result->stats[k].value <= most)
            continue;
        most = result->stats[k].value;
        snprintf(r->bound, sizeof r->bound, "%s %.0f %%", name + strlen(prefix), 100 * most / all);
    }
}

/* Cycles of a launch, NaN with r->error. */
static double launch(struct run *r, const struct product *x, uint32_t depth, bool cold)
{
    struct {
        uint64_t a, b, c;
        uint32_t depth, row, tiles, pitch;
    } arguments = {r->a, r->b, r->c, depth, x->n, x->m / TILE, x->pitch};
    struct gcnsim_result *result = NULL;
    struct gcnsim_dispatch d;
    double cycles;

    gcnsim_dispatch_init(&d);
    if (gcnsim_code_find_kernel(gcnsim_module_code(r->module), x->kernel, &d.kernel, &r->error))
        return NAN;
    d.grid_size[0] = LANES * arguments.tiles * (x->n / TILE);
    d.workgroup_size[0] = LANES;
    d.kernarg = &arguments;
    d.kernarg_size = sizeof arguments;
    d.cold = cold;
    if (gcnsim_launch(r->module, &d, &result, &r->error))
        return NAN;
    cycles = (double)result_stat(result, "cycles");
    name_bound(r, result);
    gcnsim_result_free(result);
    return cycles;
}

/* Per cent of the peak of the matrix pipelines of all CUs. */
static double share(struct run *r, const struct product *x)
{
    double cus = x->die ? 304 / DIES : 304, cycles = 0;

    if (x->warm && isnan(launch(r, x, x->many, false)))
        return NAN;
    if (x->few)
        cycles = -launch(r, x, x->few, !x->warm);
    cycles += launch(r, x, x->many, !x->warm);
    return 100 * 2.0 * x->m * x->n * (x->many - x->few) / (cus * FLOP_PER_CYCLE) / cycles;
}

static void print_product(FILE *f, const struct product *x, const char *folder)
{
    struct run r = {0};
    double v = open_run(&r, x, folder) ? share(&r, x) : NAN;

    fprintf(f, "| %s | %s | %u x %u x ", x->profile, x->kernel, x->m, x->n);
    if (x->few)
        fprintf(f, "(%u to %u)", x->few, x->many);
    else
        fprintf(f, "%u", x->many);
    fprintf(f, " | %u | %s | %s, %s | ", x->pitch, x->mhz ? "measured" : "profile", x->die ? "one die" : "chip",
            x->warm ? "warm" : "cold");
    if (isnan(v))
        fprintf(f, "failed | %s | | |\n", r.error.text);
    else if (x->measured > 0)
        fprintf(f, "%.1f %% | %.1f %% | %+.1f%% | %s |\n", x->measured, v, 100 * (v / x->measured - 1), r.bound);
    else
        fprintf(f, "- | %.1f %% | - | %s |\n", v, r.bound);
    fflush(f);
    gcnsim_close(r.sim);
}

void products_print(FILE *f, const char *folder, bool all)
{
    fprintf(f, "| profile | kernel | product | row | clock | runs on | measured | simulated | error | waves wait, "
               "matrix pipeline aside |\n|---|---|---|---:|---|---|---:|---:|---:|---|\n");
    for (int k = 0; k < (all ? PRODUCTS : QUICK); k++)
        print_product(f, &products[k], folder);
    fputc('\n', f);
}
