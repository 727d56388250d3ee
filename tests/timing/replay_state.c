/* The state of chip and runtime in which a recording was made, as figures of the profile. */
#include <math.h>

#include "sim/api/api.h"
#include "tests/timing/replay.h"

/* Fewer cycles of a latency when the shaders' clock is `share` of the profile's: of its last `own`, those of a clock of
 * its own, that share. */
static double slower(double cycles, double own, double share)
{
    return own > 0 && own < cycles ? ceil(cycles - own * (1 - share)) : ceil(cycles);
}

/* What takes its time in other clocks than the shaders' takes fewer cycles of theirs where these run slower than the
 * profile's: bandwidths, and what memory adds to the latency of the last cache, which follows the shaders' clock. Page
 * tables lie in memory. A recorded clock above the profile's is not taken for true: runs of one kernel alike to the
 * cycle show clocks up to a quarter apart. */
int replay_clock(struct gcnsim *sim, const struct trace *t, struct gcnsim_error *problem)
{
    const struct profile *p = sim->profile;
    double share = t->clock_mhz > 0 ? t->clock_mhz / p->gpu.shader_clock_mhz : 1,
           l2 = p->cache[LEVEL_L2].hit_latency_cycles,
           last = p->cache[LEVEL_MALL].present ? p->cache[LEVEL_MALL].hit_latency_cycles : l2,
           memory = p->dram.latency_cycles - last;
    char text[10][80];
    const char *set[10];
    size_t n = 0;

    if (share >= 1)
        return 0;
    snprintf(text[n++], sizeof text[0], "dram.latency_cycles=%.0f", slower(p->dram.latency_cycles, memory, share));
    snprintf(text[n++], sizeof text[0], "tlb.walk_read_cycles=%.0f",
             slower(p->tlb.walk_read_cycles, fmin(memory, p->tlb.walk_read_cycles - 1.0), share));
    snprintf(text[n++], sizeof text[0], "host.latency_cycles=%.0f",
             slower(p->host.latency_cycles, p->host.latency_cycles - last, share));
    snprintf(text[n++], sizeof text[0], "dram.row_hit_saves_cycles=%.0f", floor(p->dram.row_hit_saves_cycles * share));
    snprintf(text[n++], sizeof text[0], "dram.bytes_per_cycle=%.3f", p->dram.bytes_per_cycle / share);
    snprintf(text[n++], sizeof text[0], "fabric.hop_cycles=%.0f", ceil(p->fabric.hop_cycles * share));
    snprintf(text[n++], sizeof text[0], "fabric.link_bytes_per_cycle=%.3f", p->fabric.link_bytes_per_cycle / share);
    snprintf(text[n++], sizeof text[0], "host.bytes_per_cycle=%.3f", p->host.bytes_per_cycle / share);
    for (size_t i = 0; i < n; i++)
        set[i] = text[i];
    return gcnsim_set_all(sim, set, n, problem);
}

int replay_runtime(struct gcnsim *sim, const struct trace *t, struct gcnsim_error *problem)
{
    static const char *const set[] = {
        "frontend.scalar_prefetch=false", /* MODE.SCALAR_PREFETCH_EN is clear (docs/MEMORY.md) */
        "tlb.neighbour_bytes=0",
    };
    bool line_ends = t->entry && (t->entry / 4096 + 1) % 8 == 0;

    return gcnsim_set_all(sim, set, line_ends ? 2 : 1, problem);
}

bool replay_beside_runtime(const struct gcnsim *sim, const struct trace *t)
{
    return sim->profile->tlb.copies_translated && t->entry && t->entry % (16 << 20) < 8 * 4096;
}

bool replay_maps(const struct trace *t)
{
    return t->entry >> 45 == 1;
}

bool replay_same_translations(const struct trace *a, const struct trace *b)
{
    return a->entry && a->entry >> 15 == b->entry >> 15;
}
