/* Which figures of the profile the wave-cycles of a run rest on. docs/FIDELITY.md states the rule: each stall reason
 * has figures that decide how long it takes; where there are several, its cycles are divided among them in proportion
 * to what each of them alone would take, executions or requests times the figure. */
#include "sim/report/cycle_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/timing/cu/ports.h"
#include "sim/report/figures.h"
#include "sim/report/limiter.h"

enum { MOST_FIGURES = 3 * OPC_COUNT + 32 };

/* What the cycles of one reason rest on. */
struct base {
    const char *path;
    enum profile_confidence confidence;
    double weight;
};

struct finder {
    struct fidelity *f;
    const struct report *r;
    const struct profile *p;
    const struct engine_result *er;
    const double *v; /* statistics */
    unsigned lanes;
    struct base base[MOST_FIGURES];
    unsigned bases;
    bool no_memory;
};

#define REST_ON(F, WEIGHT, ...)                                                                                        \
    rest_on((F), (WEIGHT), sizeof(const char *[]){__VA_ARGS__} / sizeof(char *), (const char *const[]){__VA_ARGS__})

/* On the least sure of some figures, which decide together. */
static void rest_on(struct finder *f, double weight, size_t count, const char *const *paths)
{
    enum profile_confidence confidence = CONF_GUESS;
    const char *path = weight > 0 ? profile_least_sure(f->p, count, paths, &confidence) : NULL;

    if (path && f->bases < MOST_FIGURES)
        f->base[f->bases++] = (struct base){path, confidence, weight};
}

/* Divides cycles among what has been named since the last call; where nothing was, they rest on nothing. */
static void charge(struct finder *f, double cycles)
{
    double all = 0;

    for (unsigned k = 0; k < f->bases; k++)
        all += f->base[k].weight;
    for (unsigned k = 0; k < f->bases && cycles > 0; k++)
        f->no_memory |=
            !fidelity_add_cycles(f->f, f->base[k].path, f->base[k].confidence, cycles * f->base[k].weight / all);
    if (!f->bases && cycles > 0)
        fidelity_add_cycles(f->f, NULL, CONF_GUESS, cycles);
    f->bases = 0;
}

/* ---- units: executions times what one of them takes ---- */

static enum timing_port port_of(const struct finder *f, unsigned cls)
{
    return port_of_class(cls, f->p->cu.issue_policy == ISSUE_EVERY_CYCLE);
}

/* The unit is taken by instructions of its classes. */
static void busy(struct finder *f, enum timing_port port)
{
    char path[64];

    for (size_t k = 0; k < f->er->tallies; k++) {
        const struct engine_tally *t = &f->er->tally[k];
        const struct profile_class_cost *c = &f->p->cls[t->cls];

        if (port_of(f, t->cls) != port)
            continue;
        snprintf(path, sizeof path, "class.%s.issue_cycles_w%u", op_class_key[t->cls], f->lanes);
        REST_ON(f, (double)t->count * (f->lanes == 32 ? c->issue_cycles_w32 : c->issue_cycles_w64), path);
    }
}

/* Results of the unit's classes are awaited. */
static void results(struct finder *f, enum timing_port port)
{
    static const char *const matrix_key[] = {
#define X(E, KEY, ABOUT) KEY,
        OP_MATRIX_KINDS(X)
#undef X
    };
    char path[64], matrix[64];

    for (size_t k = 0; k < f->er->tallies; k++) {
        const struct engine_tally *t = &f->er->tally[k];
        double weight = (double)t->count * fmax(f->p->cls[t->cls].latency_cycles, 1);

        if (port_of(f, t->cls) != port)
            continue;
        snprintf(path, sizeof path, "class.%s.latency_cycles", op_class_key[t->cls]);
        if (t->cls == OPC_MFMA && t->inst) {
            snprintf(matrix, sizeof matrix, "matrix.%s", matrix_key[isa_matrix_kind(t->inst->row->mat)]);
            REST_ON(f, weight, path, matrix);
        } else if (t->cls == OPC_WMMA) {
            REST_ON(f, weight, path, "matrix.wmma_passes");
        } else {
            REST_ON(f, weight, path);
        }
    }
}

static void lds_results(struct finder *f)
{
    for (size_t k = 0; k < f->er->tallies; k++) {
        const struct engine_tally *t = &f->er->tally[k];
        struct figures figures;
        double cycles = 0;

        if (!t->inst || op_class_category[t->cls] != OPCAT_LDS)
            continue;
        figures_of(t->inst->row, t->cls, &figures);
        for (unsigned n = 0; n < figures.count; n++)
            if ((figures.decides >> n & 1) && profile_number(f->p, figures.list[n], &cycles))
                REST_ON(f, (double)t->count * cycles, figures.list[n]);
    }
    REST_ON(f, f->v[STAT_LDS_PORT_CYCLES], "cu.lds_bytes_per_cycle", "cu.lds_lanes_per_cycle");
}

/* ---- memory: requests times the latency of the level that served them ---- */

static double stat(const struct finder *f, unsigned level, enum stat_cache which)
{
    return f->v[stat_of_cache((enum cache_level)level, which)];
}

static double misses(const struct finder *f, unsigned level)
{
    return stat(f, level, STAT_CACHE_ACCESSES) - stat(f, level, STAT_CACHE_HITS);
}

static double level_served(struct finder *f, unsigned level, double served)
{
    char path[64];
    double cycles =
        served * (level == LEVEL_I ? f->p->frontend.fetch_latency_cycles : f->p->cache[level].hit_latency_cycles);

    snprintf(path, sizeof path, level == LEVEL_I ? "frontend.fetch_latency_cycles" : "cache.%s.hit_latency_cycles",
             cache_level_key[level]);
    REST_ON(f, cycles, path);
    return cycles;
}

/* For the requests of the first level `from`, by where they found their line. Returns the cycles of all latencies. */
static double latencies(struct finder *f, enum cache_level from)
{
    static const uint8_t below[] = {LEVEL_GL1, LEVEL_L2, LEVEL_MALL};
    double left = misses(f, from), cycles = level_served(f, from, stat(f, from, STAT_CACHE_HITS));

    for (unsigned k = 0; k < sizeof below; k++) {
        double all = stat(f, below[k], STAT_CACHE_ACCESSES);
        const struct profile_cache *gl1 = &f->p->cache[LEVEL_GL1];

        if (all <= 0 || (below[k] == LEVEL_GL1 &&
                         ((from == LEVEL_K && !gl1->serves_scalar) || (from == LEVEL_I && !gl1->serves_instructions))))
            continue;
        double served = left * stat(f, below[k], STAT_CACHE_HITS) / all;
        cycles += level_served(f, below[k], served);
        left -= served;
    }
    REST_ON(f, left * f->p->dram.latency_cycles, "dram.latency_cycles");
    return cycles + left * f->p->dram.latency_cycles;
}

/* The part of the translations' cycles that misses of the level have. */
static double translations(struct finder *f, enum cache_level from)
{
    double all = misses(f, LEVEL_VL0) + misses(f, LEVEL_K) + misses(f, LEVEL_I);
    double part = all > 0 ? misses(f, from) / all : 0;
    double look_up = part * f->v[STAT_TRANSLATION_MISSES] * f->p->tlb.utcl1_miss_cycles;
    double walk = part * f->v[STAT_PAGE_TABLE_READS] * f->p->tlb.walk_read_cycles;

    REST_ON(f, look_up, "tlb.utcl1_miss_cycles");
    REST_ON(f, walk, "tlb.walk_read_cycles");
    return look_up + walk;
}

/* Requests have queued for the busiest resource on their way. */
static void queue(struct finder *f, enum cache_level from, double cycles)
{
    static const struct {
        uint16_t peak; /* 0: of MSHRs */
        uint8_t level; /* LEVEL_COUNT: of none */
        const char *path;
    } way[] = {{STAT_PEAK_VMEM, LEVEL_VL0, "cu.vmem_send_cycles"},
               {STAT_PEAK_SMEM, LEVEL_K, "issue.smem_dwords_per_slot"},
               {STAT_PEAK_VL0, LEVEL_VL0, "cache.vl0.bytes_per_cycle"},
               {STAT_PEAK_K, LEVEL_K, "cache.k.bytes_per_cycle"},
               {STAT_PEAK_I, LEVEL_I, "cache.i.bytes_per_cycle"},
               {STAT_PEAK_GL1, LEVEL_COUNT, "cache.gl1.bytes_per_cycle"},
               {STAT_PEAK_L2, LEVEL_COUNT, "cache.l2.bytes_per_cycle"},
               {STAT_PEAK_MALL, LEVEL_COUNT, "cache.mall.bytes_per_cycle"},
               {STAT_PEAK_FABRIC, LEVEL_COUNT, "fabric.link_bytes_per_cycle"},
               {STAT_PEAK_DRAM, LEVEL_COUNT, "dram.bytes_per_cycle"}};
    static const uint8_t level[] = {LEVEL_GL1, LEVEL_L2, LEVEL_MALL};
    const char *path = "dram.bytes_per_cycle";
    char mshrs[64];
    double most = 0, full = stat(f, from, STAT_CACHE_MSHR_LIMIT);
    unsigned fullest = from;

    for (unsigned k = 0; k < sizeof way / sizeof *way; k++)
        if ((way[k].level == LEVEL_COUNT || way[k].level == from) && f->v[way[k].peak] > most) {
            most = f->v[way[k].peak];
            path = way[k].path;
        }
    for (unsigned k = 0; k < sizeof level; k++)
        if (stat(f, level[k], STAT_CACHE_MSHR_LIMIT) > full) {
            full = stat(f, level[k], STAT_CACHE_MSHR_LIMIT);
            fullest = level[k];
        }
    if (full > most) {
        snprintf(mshrs, sizeof mshrs, "cache.%s.mshrs", cache_level_key[fullest]);
        path = mshrs;
    }
    REST_ON(f, cycles, path);
}

/* Data from memory, by way of the first level `from`. */
static void loads(struct finder *f, enum cache_level from)
{
    double alone = latencies(f, from) + translations(f, from);
    double taken = stat(f, from, STAT_CACHE_AVERAGE_LATENCY_CYCLES) * stat(f, from, STAT_CACHE_ACCESSES);

    queue(f, from, taken - alone);
    if (!f->bases) /* no caches (perfect memory), or no requests */
        level_served(f, from, 1);
}

static void stores(struct finder *f)
{
    if (f->r->present[stat_of_cache(LEVEL_L2, 0)])
        REST_ON(f, 1, "cache.l2.hit_latency_cycles", "cache.l2.store_miss_ack_cycles");
    else
        REST_ON(f, 1, "cache.vl0.hit_latency_cycles");
}

/* ---- stall reasons ---- */

static void lds_or_scalar(struct finder *f, double cycles)
{
    double part = report_lds_part(f->v, f->p);

    lds_results(f);
    charge(f, cycles * part);
    loads(f, LEVEL_K);
    charge(f, cycles - cycles * part);
}

/* Figures that are named in one text, separated by blanks; they decide together. */
static void on_paths(struct finder *f, const char *paths)
{
    char copy[160], *rest = copy;
    const char *path[8];
    size_t count = 0;

    snprintf(copy, sizeof copy, "%s", paths);
    for (char *one = strtok_r(copy, " ", &rest); one && count < sizeof path / sizeof *path;
         one = strtok_r(NULL, " ", &rest))
        path[count++] = one;
    rest_on(f, 1, count, path);
}

static void add_reason(struct finder *f, unsigned reason)
{
    const struct timing_stall_row *row = &timing_stall_row[reason];
    double cycles = f->v[STAT_STALL + reason];

    if (cycles <= 0)
        return;
    switch ((enum timing_stall_figures)row->figures.kind) {
    case STALL_FIGURES_NOTHING:
        break;
    case STALL_FIGURES_ON:
        on_paths(f, row->figures.paths);
        break;
    case STALL_FIGURES_RESULTS:
        results(f, (enum timing_port)row->figures.of);
        break;
    case STALL_FIGURES_BUSY:
        if (row->figures.of == PORT_VALU && report_waits_in_queue(f->v, f->p))
            results(f, PORT_VALU);
        else
            busy(f, (enum timing_port)row->figures.of);
        break;
    case STALL_FIGURES_LOADS:
        loads(f, (enum cache_level)row->figures.of);
        break;
    case STALL_FIGURES_STORES:
        stores(f);
        break;
    case STALL_FIGURES_LDS:
        lds_results(f);
        break;
    case STALL_FIGURES_LDS_OR_SCALAR:
        lds_or_scalar(f, cycles);
        return;
    }
    charge(f, cycles);
}

bool report_cycle_figures(struct report *r, const struct launch *l, const struct engine_result *er)
{
    struct finder f = {.f = &r->fidelity, .r = r, .p = l->profile, .er = er, .v = r->value, .lanes = l->lanes};

    if (!l->profile || !r->present[STAT_STALL])
        return true;
    for (unsigned reason = 0; reason < STALL_COUNT; reason++)
        add_reason(&f, reason);
    return !f.no_memory;
}
