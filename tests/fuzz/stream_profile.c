/* Profiles for random programs: small chips, and chips that nobody has built. */
#include <math.h>
#include <string.h>

#include "config/rows.h"
#include "tests/fuzz/stream_bench.h"

struct profile *stream_profile(const char *target)
{
    static const char *const near[][2] = {{"gfx110", "gfx1100"}, {"gfx115", "gfx1200"}};
    struct profile *p = NULL;
    struct err e = {0};

    if (!profile_load(&p, target, &e))
        return p;
    for (unsigned k = 0; k < sizeof near / sizeof near[0]; k++) {
        e = (struct err){0};
        if (!strncmp(target, near[k][0], strlen(near[k][0])) && !profile_load(&p, near[k][1], &e))
            return p;
    }
    return NULL;
}

static void at_most(uint32_t *v, uint32_t most)
{
    *v = *v > most ? most : *v;
}

void stream_shrink_profile(struct profile *p)
{
    for (unsigned k = 0; k < LEVEL_COUNT; k++) {
        struct profile_cache *c = &p->cache[k];

        if (!c->present)
            continue;
        c->channels = 1;
        at_most(&c->ways, 4);
        c->size_bytes = c->line_bytes * c->ways * 4;
        at_most(&c->mshrs, 16);
        at_most(&c->pass_entries, 16);
        at_most(&c->queue_entries, 16);
        at_most(&c->shared_by_cus, 2);
    }
    p->gpu.xcds = p->gpu.shader_engines = 1;
    p->gpu.cus = 4;
    p->dram.channels = 2;
    at_most(&p->dram.queue_entries, 64);
    p->tlb.utcl2_entries = p->tlb.utcl2_ways * 4;
}

/* Figures that a run takes memory of the host for in proportion, with values that a test can afford. */
static double affordable(const struct profile_row *row, double v)
{
    static const struct {
        const char *end;
        double most;
    } limits[] = {
        {".size_bytes", 65536},
        {".channels", 8},
        {".mshrs", 64},
        {".queue_entries", 64},
        {".pass_entries", 64},
        {"gpu.cus", 16},
        {"gpu.xcds", 4},
        {".utcl2_entries", 4096},
        {".utcl1_entries", 4096},
        {"dram.banks", 64},
        {"hit_latency_cycles", 2000},
        {".tag_lookups_per_cycle", 16},
    };

    for (unsigned k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        size_t n = strlen(row->path), m = strlen(limits[k].end);

        if (n >= m && !strcmp(row->path + n - m, limits[k].end) && v > limits[k].most)
            return limits[k].most;
    }
    return v;
}

static double pick(const struct profile_row *row, struct stream_rng *g)
{
    double lo = row->min, hi = row->max, v;

    switch (stream_below(g, 6)) {
    case 0:
        v = lo;
        break;
    case 1:
        v = hi;
        break;
    case 2: /* small */
        v = lo + stream_below(g, 9);
        break;
    default: /* of any size */
        v = lo + exp(stream_below(g, 1001) / 1000.0 * log(hi - lo + 1)) - 1;
        if (stream_chance(g, 40) && v >= 1) /* often only a power of two will do */
            v = exp2(floor(log2(v)));
        break;
    }
    v = affordable(row, v > hi ? hi : v);
    return row->type == ROW_U32 ? floor(v) : v;
}

void stream_change_profile(struct profile *p, struct stream_rng *g, unsigned figures)
{
    for (unsigned n = 0; n < figures; n++) {
        const struct profile_row *row = &profile_rows[stream_below(g, (uint32_t)profile_row_count)];
        uint8_t before[sizeof(double)];
        size_t size = row->type == ROW_F64 ? sizeof(double) : row->type == ROW_BOOL ? sizeof(bool) : sizeof(uint32_t);
        double v = pick(row, g);
        uint32_t u = (uint32_t)v, words = 0;
        struct err e = {0};
        bool flag = stream_chance(g, 50);

        if (row->type < ROW_U32)
            continue;
        memcpy(before, row_at(p, row), size);
        while (row->type == ROW_ENUM && row->names[words])
            words++;
        if (row->type == ROW_ENUM)
            u = stream_below(g, words);
        memcpy(row_at(p, row),
               row->type == ROW_F64    ? (void *)&v
               : row->type == ROW_BOOL ? (void *)&flag
                                       : (void *)&u,
               size);
        if (profile_check(p, &e))
            memcpy(row_at(p, row), before, size);
    }
}
